"""tenhou.net/6 JSON: the format of Tenhou's log editor, and of most converters of other platforms' games.

A game is an object whose ``log`` lists the hands; a hand lists round and sticks, scores, indicators, each
player's deal and moves, and the result. What it leaves open stays unknown in the replay model: physical
tiles, scores within a hand, honba and sticks at its end, the winner's tiles, fu of limit hands. The order
of play is rebuilt (``_tenhou6_order``).

The format cannot say whether a game went on after its last hand. A game counts as cut only when its last
hand stops unfinished or something in it could not be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import astuple
from typing import Any
from urllib.parse import unquote_to_bytes

import orjson

from paifu.parsers._tenhou6_moves import CODE_OF_NUMBER, Move, read_moves
from paifu.parsers._tenhou6_order import arrange, words_of
from paifu.parsers.documents import Document
from paifu.parsers.errors import ParseError
from paifu.parsers.tenhou import MAX_POINTS, find_game_id, set_rules, started_at
from paifu.parsers.tenhou_names import (
    DAN_NUMBERS,
    DRAW_WORDS,
    NO_VALUE,
    ROUND_WIND,
    SEAT_WIND,
    TENPAI_OF_WORD,
    WIN_WORDS,
    Value,
    parse_value,
    parse_yaku,
)
from paifu.replay.batch import MAX_INDICATORS, MAX_YAKU
from paifu.replay.builder import BatchBuilder, GameDraft, Row
from paifu.replay.events import NO_SEAT, EventKind, HandEnd, pack
from paifu.replay.rule_flags import RuleChoice, from_tenhou_json
from paifu.replay.rules import KanDoraTiming
from paifu.replay.tiles import NO_TILE

_HAND_SIZE = 17
_ROUND, _SCORES, _DORA, _URA, _FIRST_DEAL, _RESULT = 0, 1, 2, 3, 4, 16
_MAX_SMALL = 10_000
_MAX_TEXT = 2000
_MAX_UNKNOWN = 20
"""Unknown words told of one game."""
_CONNECTION_KINDS = (EventKind.LEAVE, EventKind.RETURN)
_COUNTED = frozenset(range(EventKind.DRAW, EventKind.KITA + 1))
"""Events that a connection's ``step`` counts: draws, discards, calls."""


def read_tenhou6(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read all games of ``text`` (the plain bytes of ``document``) into ``builder``.

    ``text`` is a game, a list of games, or has a game (or list, or link that carries one) on each line.
    What cannot be read becomes a fault of the builder; complete hands before it are kept, and their game is
    marked as cut.
    """
    for location, value in _values(document, text, builder):
        _read_game(value, location, builder)


# --- from text to games --------------------------------------------------------------------------------

_LINK = b"#json="
_CLOSERS = {b"{": b"}", b"[": b"]"}


def _values(document: Document, text: bytes, builder: BatchBuilder) -> Iterator[tuple[str, Any]]:
    """Yield location and JSON value of each game; note a fault for each piece that is no JSON."""
    text = text.removeprefix(b"\xef\xbb\xbf").strip()
    lines = text.split(b"\n")
    if not _is_in_lines(lines[0].strip(), len(lines)):
        location = document.game_location(0, count=1)
        value = _load(text, location, builder, is_told=document.cut)
        games = value if isinstance(value, list) else [value]
        for index, game in enumerate(games):
            if game is not None:
                yield document.game_location(index, count=len(games)), game
        return
    count = sum(1 for line in lines if line.strip())
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        location = document.line_location(number, count=count)
        value = _load(line.strip(), location, builder, is_told=document.cut and number == len(lines) - 1)
        games = value if isinstance(value, list) else [value]
        for index, game in enumerate(games):
            if game is not None:
                yield (location if len(games) == 1 else f"{location}#{index + 1}"), game


def _is_in_lines(first: bytes, count: int) -> bool:
    """Tell lines of games from one JSON text: the first line closes the bracket that it opens."""
    return _LINK in first[:200] or (count > 1 and first[-1:] == _CLOSERS.get(first[:1], b""))


def _load(text: bytes, location: str, builder: BatchBuilder, *, is_told: bool) -> Any:
    """Read JSON, or a link that carries it; None, and a fault unless it is told already, if it is none."""
    try:
        if _LINK in text[:200]:
            return _load_link(text.partition(_LINK)[2])
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if not is_told:
            builder.add_fault(
                location,
                f"line {error.lineno} column {error.colno}",
                "V101",
                f"the JSON breaks off or is not well-formed: {error.msg}",
                "get the log again",
            )
    return None


def _load_link(payload: bytes) -> Any:
    """Read the JSON of a link: as it is or percent-encoded, perhaps with parameters behind it."""
    try:
        return orjson.loads(payload)
    except orjson.JSONDecodeError:
        plain = unquote_to_bytes(payload)
        return orjson.loads(plain[: plain.rfind(b"}") + 1])


# --- values checked while reading ----------------------------------------------------------------------


Place = int | str
"""Where a value stands in what holds it: an index, or nothing to add."""


def _bad(reason: str, at: Place, code: str = "V101") -> ParseError:
    return ParseError(reason, place=f"[{at}]" if isinstance(at, int) else at, code=code)


def _list(value: Any, what: str, at: Place = "") -> list[Any]:
    if not isinstance(value, list):
        raise _bad(f"{what} is {_shown(value)}; expected a list", at)
    return value


def _whole(value: Any, low: int, high: int, what: str, at: Place = "") -> int:
    """Check a whole number; 25000.0 is one too."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise _bad(f"{what} is {_shown(value)}; expected a whole number {low} to {high}", at, "V105")
    return value


def _shown(value: Any) -> str:
    return repr(value)[:40]


def _text(value: Any, what: str, at: Place = "") -> str:
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise _bad(f"{what} is {_shown(value)}; expected a text", at)
    return value


def _points(value: Any, players: int, what: str, at: Place = "") -> list[int]:
    """Check a list of points by seat; the absent one of a 3-player game may be left out."""
    cells = _list(value, what, at)
    if set(map(type, cells)) != {int}:
        cells = [_whole(cell, -MAX_POINTS, MAX_POINTS, what, at) for cell in cells]
    if players == 3 and len(cells) == 3:
        cells = [*cells, 0]
    if len(cells) != 4 or max(cells) > MAX_POINTS or min(cells) < -MAX_POINTS:
        raise _bad(f"{what} is {_shown(value)}; expected {players} numbers of points", at, "V105")
    return cells


def _codes(value: Any, what: str, at: Place) -> bytes:
    """Read a list of tile numbers into tile codes."""
    cells = _list(value, what, at)
    try:
        return bytes([CODE_OF_NUMBER[cell] for cell in cells])
    except (KeyError, TypeError):
        wrong = next(c for c in cells if not isinstance(c, (int, float)) or c not in CODE_OF_NUMBER)
        raise _bad(f"{what} has {_shown(wrong)}, which is no tile", at, "V105") from None


class _At:
    """Context that adds where it stands to the place of a ParseError raised inside."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ParseError):
            error.place = self.place + error.place


# --- a game --------------------------------------------------------------------------------------------


class _Game:
    """One game while it is read."""

    def __init__(self, value: dict[str, Any], location: str) -> None:
        self.value = value
        self.draft = GameDraft({"source": location, "format": "tenhou6", "first_dealer": 0})
        self.faults: list[ParseError] = []
        """What could not be read, or was not known; the game was read on."""
        self.players = 4
        self.is_at_once = False
        """Kan dora are turned with every kan."""
        self.connections: dict[int, list[tuple[int, int]]] = {}
        """Number of a hand -> steps in it and the words of those who left or came back then."""
        self.unknown: set[str] = set()

    def note(self, error: ParseError) -> None:
        """Keep a fault after which the game is read on."""
        error.hint = error.hint or "it was skipped and the rest of the game read"
        self.faults.append(error)

    def note_unknown(self, what: str, word: str) -> None:
        """Keep one fault for each word of a result that is not known."""
        if word not in self.unknown and len(self.unknown) < _MAX_UNKNOWN:
            self.unknown.add(word)
            place = f"log[{len(self.draft.hands)}][{_RESULT}]"
            self.note(ParseError(f"unknown {what} {_shown(word)}", place=place, code="V102"))


def _read_game(value: Any, location: str, builder: BatchBuilder) -> None:
    game = _Game(value if isinstance(value, dict) else {}, location)
    is_whole = True
    try:
        _read_parts(game, value)
    except ParseError as error:
        is_whole = False
        error.hint = error.hint or "hands before this place were kept"
        game.faults.append(error)
    draft = game.draft
    if draft.hands:
        unfinished = draft.hands[-1]["end"] == HandEnd.UNFINISHED
        draft.game |= {"is_cut": unfinished or not is_whole, "players": game.players}
        builder.add(draft)
    for fault in game.faults:
        builder.add_fault(*astuple(fault.fault(location)))


def _read_parts(game: _Game, value: Any) -> None:
    if not isinstance(value, dict):
        raise ParseError(f"a game is a JSON object, not {_shown(value)}", code="V102")
    log = _list(value.get("log"), "the list of hands", "log")
    game.players = _players(log)
    _read_header(game)
    _read_hands(game, log)


def _players(log: list[Any]) -> int:
    """Nobody is dealt tiles in the fourth seat of a 3-player game."""
    first = log[0] if log else None
    last_deal = _FIRST_DEAL + 3 * 3
    return 3 if isinstance(first, list) and len(first) > last_deal and first[last_deal] == [] else 4


def _read_hands(game: _Game, log: list[Any]) -> None:
    if not log:
        raise ParseError("the log holds no hand", place="log", hint="nothing to do, or get it again")
    words = game.draft.words
    words += [word for _, word in game.connections.get(-1, [])]
    for number, value in enumerate(log):
        with _At(f"log[{number}]"):
            hand = _read_hand(game, value)
        if number in game.connections:
            _connect(hand, game.connections[number])
        game.draft.begin_hand(len(words), hand.row)
        words += hand.words
        for row in hand.wins:
            words.append(0)
            game.draft.win(len(words) - 1, row)
        if hand.draw:
            words.append(0)
            game.draft.hand_draw(len(words) - 1, hand.draw)
        words += hand.after


# --- what stands around the hands ----------------------------------------------------------------------


def _read_header(game: _Game) -> None:
    """Read all fields but the log; a faulty one stays unknown and is told."""
    for key, read in _FIELDS.items():
        if key in game.value:
            try:
                with _At(key):
                    read(game, game.value[key])
            except ParseError as error:
                game.note(error)
    row = game.draft.game
    titles = " ".join((str(game.value.get("ref", "")), row.get("title", "")))
    row["id"] = find_game_id(titles) or find_game_id(row["source"].rpartition("/")[2])
    row["started"] = started_at(row["id"])
    choice = _rules(game)
    set_rules(game.draft, choice)
    game.is_at_once = choice.ruleset().kan_dora_timing == KanDoraTiming.AT_ONCE


def _rules(game: _Game) -> RuleChoice:
    value, row = game.value, game.draft.game
    csrule = value.get("csrule")
    if isinstance(csrule, str):
        csrule = csrule.split(",")
    facts: dict[str, Any] = {"date": row["started"], "final_points": row.get("final_points", ())}
    try:
        with _At("rule"):
            return from_tenhou_json(value.get("rule"), game.players, csrule, **facts)
    except (ValueError, TypeError, ArithmeticError, LookupError) as error:
        reason = f"the rules cannot be read: {error}"
        game.note(ParseError(reason[:200], place="rule", code="V105", hint="the usual ones were taken"))
        return from_tenhou_json(None, game.players, **facts)


def _four(value: Any, read: Callable[[Any], Any], absent: Any) -> list[Any]:
    """Read a list by seat; the absent one of a 3-player game may be left out."""
    cells = _list(value, "it")
    if len(cells) not in (3, 4):
        raise ParseError(f"it lists {len(cells)} values; expected 4", code="V105")
    return [read(cell) for cell in cells] + [absent] * (4 - len(cells))


def _read_version(game: _Game, value: Any) -> None:
    game.draft.game["version"] = str(value)[:20] if isinstance(value, (str, int, float)) else ""


def _read_title(game: _Game, value: Any) -> None:
    parts = value if isinstance(value, list) else [value]
    game.draft.game["title"] = " ".join(part for part in (_text(p, "a title") for p in parts) if part)


def _read_rule(game: _Game, value: Any) -> None:
    words = orjson.dumps(value).decode()
    if isinstance(value, dict) and isinstance(value.get("disp"), str):
        words = value["disp"]
    game.draft.game["rule"] = words[:_MAX_TEXT]


def _read_lobby(game: _Game, value: Any) -> None:
    game.draft.game["lobby"] = str(value)[:20] if isinstance(value, (str, int)) else ""


def _read_names(game: _Game, value: Any) -> None:
    game.draft.game["names"] = _four(value, lambda name: _text(name, "a name"), "")


def _read_sexes(game: _Game, value: Any) -> None:
    game.draft.game["sex"] = _four(value, lambda sex: _text(sex, "one")[:1], "")


def _read_dan(game: _Game, value: Any) -> None:
    """Grades of other platforms are not in Tenhou's scale: unknown."""
    unknown = 255
    game.draft.game["dan"] = bytes(
        _four(value, lambda name: DAN_NUMBERS.get(_text(name, "a grade"), unknown), unknown)
    )


def _decimal(value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) <= MAX_POINTS:
        raise ParseError(f"it has {_shown(value)}; expected a number", code="V105")
    return float(value)


def _read_rates(game: _Game, value: Any) -> None:
    game.draft.game["rate"] = _four(value, _decimal, float("nan"))


def _read_final(game: _Game, value: Any) -> None:
    """Final scores and settled points in turn: ``[38000, 18, 29000, -11, ...]``."""
    cells = _list(value, "it")
    if len(cells) not in (2 * game.players, 8):
        raise ParseError(f"it lists {len(cells)} numbers; expected 8", code="V105")
    points = [_decimal(cell) for cell in cells[1::2]]
    game.draft.game["final_scores"] = _points(cells[0::2], game.players, "the list of scores")
    game.draft.game["final_points"] = points + [0.0] * (4 - len(points))


def _read_connections(game: _Game, value: Any) -> None:
    """Read who left (what 0) and came back (what 1), in which hand and after how many moves in it.

    Hand -1 is the time before the first deal.
    """
    for number, entry in enumerate(_list(value, "it")):
        with _At(f"[{number}]"):
            if not isinstance(entry, dict):
                raise ParseError(f"it is {_shown(entry)}; expected an object")
            kind = _CONNECTION_KINDS[_whole(entry.get("what"), 0, 1, "what")]
            seat = _whole(entry.get("who"), 0, game.players - 1, "who")
            hand = _whole(entry.get("log"), -1, _MAX_SMALL, "log")
            step = _whole(entry.get("step"), 0, _MAX_SMALL, "step")
        game.connections.setdefault(hand, []).append((step, pack(kind, seat)))


_FIELDS: dict[str, Callable[[_Game, Any], None]] = {
    "ver": _read_version,
    "title": _read_title,
    "rule": _read_rule,
    "lobby": _read_lobby,
    "name": _read_names,
    "dan": _read_dan,
    "rate": _read_rates,
    "sx": _read_sexes,
    "sc": _read_final,
    "connection": _read_connections,
}


# --- a hand --------------------------------------------------------------------------------------------


class _Hand:
    """One hand while it is read."""

    def __init__(self, row: Row, ura: bytes, dora: bytes) -> None:
        self.row = row
        self.ura = ura
        self.dora = dora
        self.words: list[int] = []
        self.wins: list[Row] = []
        self.draw: Row = {}
        self.after: list[int] = []
        """Events that stand behind the result."""


def _read_hand(game: _Game, value: Any) -> _Hand:
    cells = _list(value, "a hand")
    if len(cells) not in (_HAND_SIZE, _HAND_SIZE - 1):
        raise ParseError(f"a hand lists {len(cells)} things; expected {_HAND_SIZE}", code="V102")
    hand = _deal(game, cells)
    result = cells[_RESULT] if len(cells) == _HAND_SIZE else []
    with _At(f"[{_RESULT}]"):
        end = _read_result(game, hand, _list(result, "the result"))
    moves = [_moves(game.players, seat, cells) for seat in range(game.players)]
    source = hand.wins[0]["source"] if hand.wins else NO_SEAT
    reading = arrange(moves, hand.row["dealer"], source)
    hand.words = words_of(reading, list(hand.dora[1:]), at_once=game.is_at_once)
    if reading.moves:
        _finish(hand, reading.moves[-1], end)
    if hand.wins and hand.ura:
        riichi = {move.seat for move in reading.moves if move.is_riichi}
        for row in hand.wins:
            if row["seat"] in riichi:
                row["ura"] = hand.ura
    return hand


def _deal(game: _Game, cells: list[Any]) -> _Hand:
    """Read what is known before the first draw."""
    start = _list(cells[_ROUND], "the round", _ROUND)
    if len(start) != 3:
        raise _bad("it is not round, honba and sticks", _ROUND, "V105")
    number = _whole(start[0], 0, 63, "the round", _ROUND)
    row: Row = {
        "round": number,
        "honba": _whole(start[1], 0, _MAX_SMALL, "honba", _ROUND),
        "sticks": _whole(start[2], 0, _MAX_SMALL, "the number of sticks", _ROUND),
        "dealer": _whole(number % 4, 0, game.players - 1, "the dealer's seat", _ROUND),
        "scores": _points(cells[_SCORES], game.players, "the list of scores", _SCORES),
    }
    dora, ura = _indicators(cells, _DORA), _indicators(cells, _URA)
    row["dora"] = dora[0] if dora else NO_TILE
    dealt = [_dealt(cells, _FIRST_DEAL + 3 * seat) for seat in range(game.players)]
    row["dealt"] = b"".join(dealt)
    if game.players == 3 and any(cells[_FIRST_DEAL + 9 : _RESULT]):
        raise _bad("seat 3 has tiles in a 3-player game", _FIRST_DEAL + 9, "V104")
    return _Hand(row, ura, dora)


def _dealt(cells: list[Any], at: int) -> bytes:
    tiles = _codes(cells[at], "the deal", at)
    if len(tiles) != 13:
        raise _bad(f"{len(tiles)} tiles are dealt, not 13", at, "V104")
    return tiles


def _indicators(cells: list[Any], at: int) -> bytes:
    codes = _codes(cells[at], "the list of indicators", at)
    if len(codes) > MAX_INDICATORS:
        raise _bad(f"{len(codes)} indicators; at most {MAX_INDICATORS} are possible", at, "V105")
    return codes


def _moves(players: int, seat: int, cells: list[Any]) -> list[Move]:
    row = _FIRST_DEAL + 3 * seat + 1
    took = _list(cells[row], "the list of tiles taken", row)
    gave = _list(cells[row + 1], "the list of tiles given up", row + 1)
    return read_moves(seat, players, took, gave, row)


def _finish(hand: _Hand, last: Move, end: HandEnd) -> None:
    """Give the wins their tile, and take back the payment of a riichi that did not pass."""
    is_ron = any(row["seat"] != row["source"] for row in hand.wins)
    if last.is_riichi and (is_ron or end in (HandEnd.SANCHAHOU, HandEnd.UNFINISHED)):
        hand.words.remove(pack(EventKind.RIICHI_PAID, last.seat))
    for row in hand.wins:
        is_tsumo = row["seat"] == row["source"]
        is_kept = last.words[-1] & 31 == EventKind.DRAW
        if row["source"] == last.seat and is_tsumo == is_kept:
            row["tile"] = last.tile


def _connect(hand: _Hand, entries: list[tuple[int, int]]) -> None:
    """Put each leaving and coming back behind the move that its step counts to, or behind the result."""
    starts = [at for at, word in enumerate(hand.words) if word & 31 in _COUNTED]
    in_order = sorted(entries, key=lambda entry: entry[0])
    hand.after = [word for step, word in in_order if step >= len(starts)]
    for step, word in reversed(in_order):
        if step < len(starts):
            hand.words.insert(starts[step - 1] + 1 if step else 0, word)


# --- the result of a hand ------------------------------------------------------------------------------


def _read_result(game: _Game, hand: _Hand, cells: list[Any]) -> HandEnd:
    """Read how the hand ended; an empty list says that it did not."""
    if not cells:
        return HandEnd.UNFINISHED
    word = _text(cells[0], "the result's name", 0)
    if word in WIN_WORDS:
        _read_wins(game, hand, cells)
        return HandEnd.WIN
    end = DRAW_WORDS.get(word, HandEnd.UNKNOWN_DRAW)
    if end == HandEnd.UNKNOWN_DRAW:
        game.note_unknown("end of a hand", word)
    if end != HandEnd.UNFINISHED:
        hand.draw = _draw(game, end, word, cells)
    return end


def _draw(game: _Game, end: HandEnd, word: str, cells: list[Any]) -> Row:
    """Read the end of a hand without a winner: the score changes, if there are any.

    They tell who was tenpai where noten players paid.
    """
    row: Row = {"kind": end}
    if len(cells) > 1:
        row["deltas"] = _points(cells[1], game.players, "the list of score changes", 1)
    everybody = TENPAI_OF_WORD.get(word)
    if everybody is not None:
        row["tenpai"] = bytes([everybody] * game.players).ljust(4, b"\0")
    elif end == HandEnd.EXHAUSTIVE and any(row.get("deltas", ())):
        row["tenpai"] = bytes(delta > 0 for delta in row["deltas"])
    return row


def _read_wins(game: _Game, hand: _Hand, cells: list[Any]) -> None:
    """Read the winners: for each the score changes, and what was won with."""
    if len(cells) < 3 or len(cells) % 2 == 0:
        raise ParseError("a win lists score changes and details for each winner", code="V102")
    for at in range(1, len(cells), 2):
        deltas = _points(cells[at], game.players, "the list of score changes", at)
        row = _win(game, hand, _list(cells[at + 1], "a win", at + 1), at + 1)
        row["deltas"] = deltas
        hand.wins.append(row)


def _win(game: _Game, hand: _Hand, cells: list[Any], at: int) -> Row:
    """Read ``[who, from whom, liable, value, yaku, ...]``; nobody is liable if it is one of the two."""
    if len(cells) < 3:
        raise _bad("a win lists winner, discarder and who is liable", at, "V102")
    seat, source, liable = (_whole(cell, 0, game.players - 1, "a seat", at) for cell in cells[:3])
    row: Row = {"seat": seat, "source": source, "dora": hand.dora}
    if liable not in (seat, source):
        row["liable"] = liable
    row["fu"], row["points"], row["limit"] = _value(game, cells[3:4], at)
    yaku: list[tuple[int, int]] = []
    for cell in cells[4:]:
        text = _text(cell, "a yaku", at)
        found = parse_yaku(text)
        if found is None:
            game.note_unknown("yaku", text)
        else:
            yaku.append(found)
    if len(yaku) > MAX_YAKU:
        raise _bad(f"it lists {len(yaku)} yaku; at most {MAX_YAKU} are possible", at, "V105")
    winds = {
        SEAT_WIND: 10 + (seat - hand.row["dealer"]) % game.players,
        ROUND_WIND: 14 + hand.row["round"] // 4 % 4,
    }
    row["yaku"] = bytes([winds.get(number, number) for number, _ in yaku])
    row["han"] = bytes([han for _, han in yaku])
    return row


def _value(game: _Game, cells: list[Any], at: int) -> Value:
    """Read the hand's value, if it is stated in a known form."""
    if not cells:
        return NO_VALUE
    text = _text(cells[0], "the value", at)
    value = parse_value(text, game.players)
    if value is None or value.points > MAX_POINTS:
        game.note_unknown("value of a hand", text)
        return NO_VALUE
    return value
