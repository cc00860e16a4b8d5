"""Tenhou's own log format, mjlog XML: elements to events.

A log is a flat list of elements under one ``mjloggm`` root. Nine in ten are draws and discards without
attributes (``<T52/>``), and Tenhou always spells them alike. So text in Tenhou's own spelling is split
at ``<`` and each piece looked up in a dictionary of event words; only the rest is parsed. Any other
spelling of the same XML (blanks, quotes, entities, comments, a cut) goes through lxml. Both ways feed
the same handlers, one function an element; a test holds them equal on every real log.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import astuple
from functools import lru_cache
from math import isfinite
from typing import TypeVar
from urllib.parse import unquote_to_bytes

import orjson

from paifu.parsers._elements import Attributes, elements, split_element
from paifu.parsers.documents import Document
from paifu.parsers.errors import ParseError
from paifu.parsers.melds import decode_meld
from paifu.parsers.tenhou import MAX_POINTS, bounded, check_points, find_game_id, set_rules, started_at
from paifu.replay.batch import MAX_INDICATORS, MAX_SHOWN_MELDS, MAX_YAKU
from paifu.replay.builder import BatchBuilder, GameDraft, Row
from paifu.replay.events import SEAT_SHIFT, SOURCE_SHIFT, EventKind, HandEnd, pack
from paifu.replay.rule_flags import THREE_PLAYERS, from_tenhou_type
from paifu.replay.tiles import IDS

T = TypeVar("T")

_ROOT = b"mjloggm"
_ROOT_END = b"</mjloggm>"
_SEATS = {b"0": 0, b"1": 1, b"2": 2, b"3": 3}
_NAMES = (b"n0", b"n1", b"n2", b"n3")
_HANDS = (b"hai0", b"hai1", b"hai2", b"hai3")
_DRAW_ENDS = {
    b"": HandEnd.EXHAUSTIVE,
    b"nm": HandEnd.NAGASHI,
    b"yao9": HandEnd.KYUUSHU,
    b"kaze4": HandEnd.SUUFON,
    b"reach4": HandEnd.SUUCHA,
    b"ron3": HandEnd.SANCHAHOU,
    b"kan4": HandEnd.SUUKAIKAN,
}
_YAKUMAN_HAN = 13
_LAST_YAKU = 54


def read_mjlog(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read all games of ``text`` (the plain bytes of ``document``) into ``builder``.

    What cannot be read becomes a fault of the builder; what comes before it is kept, and its game is
    marked as cut.
    """
    roots = text.split(_ROOT_END)
    is_open = bool(roots[-1].strip())
    if not is_open:
        roots.pop()
    for index, root in enumerate(roots):
        location = document.game_location(index, count=len(roots))
        if is_open and index == len(roots) - 1:
            _read_root(root, location, builder, is_open=True, is_told=document.cut)
        else:
            _read_root(root, location, builder)


def _read_root(
    root: bytes, location: str, builder: BatchBuilder, *, is_open: bool = False, is_told: bool = False
) -> None:
    """Read one game; ``is_told`` says that its being cut off has been reported already."""
    fault: ParseError | None = None
    log = _Log(location)
    try:
        if is_open or not _read_tenhou_spelling(root, log):
            log = _Log(location)
            _read_xml(root if is_open else root + _ROOT_END, log)
    except ParseError as error:
        fault = error
    fault = log.check_seats() or fault
    if not log.draft.hands and not fault:
        fault = ParseError("the log holds no hand", hint="nothing to do, or fetch it again")
    if log.draft.hands:
        builder.add(log.finish(is_cut=fault is not None))
    for unknown in log.unknown.values():
        builder.add_fault(*astuple(unknown.fault(location)))
    if fault and not is_told:
        builder.add_fault(*astuple(fault.fault(location)))


# --- Tenhou's own spelling -----------------------------------------------------------------------------


def _plain_words() -> dict[bytes, int]:
    """Words of the elements without attributes: draws T-W and discards D-G, each with a tile id."""
    return {
        b"%c%d" % (letters[seat], tile): pack(kind, seat, tile)
        for letters, kind in ((b"TUVW", EventKind.DRAW), (b"DEFG", EventKind.DISCARD))
        for seat in range(4)
        for tile in range(IDS)
    }


_PLAIN = _plain_words()
_WORDS: dict[bytes, int] = {name + b"/>": word for name, word in _PLAIN.items()}
"""Word of each piece of text met so far; calls, declarations and dora join the plain ones as they come."""
_MAX_WORDS = 200_000
"""A bound on that memory; all valid calls together are fewer."""
_MAX_PIECE = 60
"""Bytes of the longest piece remembered there; a call takes some 25."""

_OPENING = re.compile(rb'mjloggm ver="([^"<&]{0,20})">')


def _read_tenhou_spelling(root: bytes, log: _Log) -> bool:
    """Read a root without its end tag; False, with ``log`` spoilt, when it is not spelt as Tenhou does."""
    pieces = root.split(b"<")
    opening = _OPENING.fullmatch(pieces[1]) if len(pieces) > 1 and not pieces[0].strip() else None
    if opening is None:
        return False
    words = log.draft.words = list(map(_WORDS.get, pieces))  # type: ignore[arg-type]
    words[0] = words[1] = 0
    log.opening(opening[1])
    find = words.index
    at = 1
    while True:
        try:
            at = find(None, at + 1)  # type: ignore[arg-type]
        except ValueError:
            return True
        element = split_element(pieces[at])
        if element is None:
            return False
        words[at] = 0
        if log.element(*element, at) and len(_WORDS) < _MAX_WORDS and len(pieces[at]) <= _MAX_PIECE:
            _WORDS[pieces[at]] = words[at]


# --- any other spelling --------------------------------------------------------------------------------


def _read_xml(root: bytes, log: _Log) -> None:
    """Read a root, or the beginning of one, with lxml; raises ParseError where it stops being XML."""
    words = log.draft.words
    words += (0, 0)  # the root is element 1, as in Tenhou's own spelling
    for name, attributes in elements(root, _ROOT):
        if name == _ROOT:
            log.opening(attributes.get(b"ver", b""))
            continue
        words.append(0)
        log.element(name, attributes, len(words) - 1)


# --- elements ------------------------------------------------------------------------------------------

_MOVE = re.compile(rb"[D-GT-W]\d+")
_MAX_UNKNOWN = 20
"""Unknown names of elements that are told, a game."""
_MAX_SHOWN = 80
"""Characters of a log that a message repeats."""


def _shown(text: bytes) -> str:
    return text[:_MAX_SHOWN].decode("utf-8", "replace")


class _Log:
    """One game while its elements come in."""

    def __init__(self, location: str) -> None:
        name = location.rpartition("/")[2]
        game_id = "" if "#" in name else find_game_id(name)  # a file's name is no single game's of several
        self.draft = GameDraft(
            {"source": location, "format": "mjlog", "id": game_id, "started": started_at(game_id)}
        )
        self.players = 4
        self.at = 0
        """Position in the draft's words of the element that is being read."""
        self.unknown: dict[bytes, ParseError] = {}

    def opening(self, version: bytes) -> None:
        """Take the root's version; any is accepted."""
        self.draft.game["version"] = version.decode("utf-8", "replace")

    def element(self, name: bytes, attributes: Attributes, at: int) -> bool:
        """Take one element at position ``at`` of the words.

        Returns True when its word follows from the element alone. Raises ParseError, with the words cut
        off before it, when it cannot be read.
        """
        self.at = at
        try:
            call = _CALLS.get(name)
            if word := _PLAIN.get(name) or (call is not None and call(attributes)):
                self.draft.words[at] = word
                return True
            handler = _HANDLERS.get(name)
            if handler is None:
                self._note_unknown(name, at)
            else:
                handler(self, attributes)
        except ParseError as error:
            problem = error
        except KeyError as error:
            problem = ParseError(f"it lacks the attribute {error.args[0].decode()}", code="V102")
        except ValueError as error:
            problem = ParseError(
                f"it holds something that is no number or out of range: {str(error)[:_MAX_SHOWN]}",
                code="V105",
            )
        else:
            return False
        del self.draft.words[at:]
        problem.place = problem.place or f"element {at} <{_shown(name)}>"
        problem.hint = problem.hint or "hands before this place were kept"
        raise problem

    def _note_unknown(self, name: bytes, at: int) -> None:
        """Keep one fault for each name that no Tenhou log is known to use; the game is read on."""
        if _MOVE.fullmatch(name):
            raise ParseError(f"tile {_shown(name[1:])}; ids are 0-{IDS - 1}", code="V105")
        if name in self.unknown or len(self.unknown) == _MAX_UNKNOWN:
            return
        self.unknown[name] = ParseError(
            f"unknown element <{_shown(name)}>",
            code="V102",
            place=f"element {at} <{_shown(name)}>",
            hint="it was skipped and the rest of the game read",
        )

    def finish(self, *, is_cut: bool) -> GameDraft:
        """Return the draft, marked as cut when it was or when the game has no final result."""
        draft = self.draft
        game = draft.game
        choice = from_tenhou_type(
            game["go_type"],
            _fields(game["rule"]),
            date=game["started"],
            final_points=game.get("final_points", ()),
        )
        set_rules(draft, choice)
        unfinished = draft.hands[-1]["end"] == HandEnd.UNFINISHED or "final_scores" not in draft.game
        draft.game |= {"is_cut": is_cut or unfinished, "players": self.players}
        return draft

    def seat(self, text: bytes) -> int:
        """Read a seat of this game."""
        seat = _seat(text)
        if seat >= self.players:
            raise ParseError(f"seat {seat} of {self.players} players", code="V105")
        return seat

    def check_seats(self) -> ParseError | None:
        """Refuse a 3-player game in which a fourth seat moves: words are made without knowing the game."""
        if self.players == 3:
            for at, word in enumerate(self.draft.words):
                if 3 in ((word >> SEAT_SHIFT) & 7, (word >> SOURCE_SHIFT) & 7):
                    self.draft.hands.clear()
                    return ParseError(
                        "seat 3 moves or is called from in a 3-player game",
                        place=f"element {at}",
                        code="V105",
                        hint="the game was not read; fetch it again",
                    )
        return None

    def in_hand(self) -> None:
        """Make sure that a hand has begun."""
        if not self.draft.hands:
            raise ParseError("it stands before the first INIT", code="V102")


def _seat(text: bytes) -> int:
    """Read a seat of any game."""
    if text not in _SEATS:
        raise ParseError(f"seat {_shown(text)!r}; seats are 0-3", code="V105")
    return _SEATS[text]


_TILE_IDS = bytes(range(IDS))


def _numbers(text: bytes) -> list[int]:
    """Read whole numbers between commas: as JSON, which is five times as fast as int() on each."""
    if text.translate(None, b"0123456789,-"):
        raise ValueError(_shown(text))
    try:
        numbers: list[int] = orjson.loads(b"[%b]" % text)
    except orjson.JSONDecodeError:
        return list(map(int, text.split(b",")))  # leading zeros, which JSON refuses; or no numbers
    return numbers


_remembered = lru_cache(maxsize=8192)(_numbers)


def _few(text: bytes) -> list[int]:
    """Read numbers that come again and again, such as yaku; the list is shared, so never change it."""
    return _remembered(text) if len(text) <= _MAX_PIECE else _numbers(text)


_ONE_TILE = {b"%d" % tile: bytes((tile,)) for tile in range(IDS)} | {b"": b""}


def _ids(text: bytes) -> bytes:
    """Read a list of physical tile ids; empty text is an empty list."""
    if text in _ONE_TILE:
        return _ONE_TILE[text]
    try:
        tiles = bytes(_numbers(text))
    except (TypeError, ValueError):
        tiles = b"\xff"
    if tiles.translate(None, _TILE_IDS):
        raise ParseError(f"its tiles are {_shown(text)!r}; ids are 0-{IDS - 1}", code="V105")
    return tiles


def _id(text: bytes) -> int:
    """Read one physical tile id."""
    tiles = _ids(text)
    if len(tiles) != 1:
        raise ParseError(f"{_shown(text)!r} is not one tile", code="V105")
    return tiles[0]


def _text(percent_encoded: bytes) -> str:
    """Decode a percent-encoded text; Tenhou encodes every byte, and then hexadecimal will do."""
    if 3 * percent_encoded.count(b"%") == len(percent_encoded):
        try:
            return bytes.fromhex(percent_encoded.replace(b"%", b"").decode("ascii")).decode("utf-8")
        except ValueError:
            pass
    return unquote_to_bytes(percent_encoded).decode("utf-8", "replace")


def _scores(text: bytes) -> list[int]:
    return check_points([100 * n for n in _numbers(text)], "the list of scores")


def _call(attributes: Attributes) -> int:
    return decode_meld(int(attributes[b"m"]), _seat(attributes[b"who"])).word()


def _declaration(attributes: Attributes) -> int:
    if attributes[b"step"] != b"1":
        return 0
    return pack(EventKind.RIICHI, _seat(attributes[b"who"]))


def _dora(attributes: Attributes) -> int:
    return pack(EventKind.DORA, tile=_id(attributes[b"hai"]))


def _leave(attributes: Attributes) -> int:
    return pack(EventKind.LEAVE, _seat(attributes[b"who"]))


_CALLS: dict[bytes, Callable[[Attributes], int]] = {
    b"N": _call,
    b"DORA": _dora,
    b"REACH": _declaration,
    b"BYE": _leave,
}
"""Elements whose word follows from themselves alone; 0 sends them on to the handlers."""


def _shuffle(log: _Log, attributes: Attributes) -> None:
    log.draft.game["seed"] = attributes.get(b"seed", b"").decode("ascii", "replace")


def _go(log: _Log, attributes: Attributes) -> None:
    if log.draft.hands:
        raise ParseError("it stands behind the first INIT", code="V102")
    go_type = bounded(attributes[b"type"], 0, 2**31 - 1, "the type")
    csrule = attributes.get(b"csrule", b"").decode("utf-8", "replace")
    from_tenhou_type(go_type, _fields(csrule))  # what is wrong with them is found here, where they stand
    log.players = 3 if go_type & THREE_PLAYERS else 4
    log.draft.game |= {
        "go_type": go_type,
        "lobby": attributes.get(b"lobby", b"").decode("utf-8", "replace"),
        "rule": csrule,
        "title": _text(attributes.get(b"title", b"")),
    }


def _fields(csrule: str) -> list[str]:
    return csrule.split(",") if csrule else []


def _players(log: _Log, attributes: Attributes) -> None:
    """Take the players, or, where one name stands alone, a return to the table."""
    game = log.draft.game
    present = [seat for seat, name in enumerate(_NAMES) if name in attributes]
    if len(present) == 1:
        log.draft.words[log.at] = pack(EventKind.RETURN, present[0])
        return
    game["names"] = [_text(attributes.get(name, b"")) for name in _NAMES]
    if b"dan" in attributes:
        game["dan"] = bytes(_four([bounded(d, 0, 127, "a dan") for d in attributes[b"dan"].split(b",")]))
    if b"rate" in attributes:
        game["rate"] = _four(_decimals(attributes[b"rate"].split(b",")))
    if b"sx" in attributes:
        game["sex"] = _four(attributes[b"sx"].decode("utf-8", "replace").split(","))


def _decimals(cells: list[bytes]) -> list[float]:
    values = list(map(float, cells))
    if not all(map(isfinite, values)):
        raise ParseError("it holds a number without bounds", code="V105")
    return values


def _four(cells: list[T]) -> list[T]:
    if len(cells) != 4:
        raise ParseError(f"it lists {len(cells)} values; expected 4", code="V105")
    return cells


def _first_dealer(log: _Log, attributes: Attributes) -> None:
    log.draft.game["first_dealer"] = log.seat(attributes[b"oya"])


def _init(log: _Log, attributes: Attributes) -> None:
    draft = log.draft
    if not draft.hands:
        _check_prelude(draft.words[: log.at])
        if "go_type" not in draft.game:
            raise ParseError("no GO element stands before it, so the rules are unknown", code="V102")
    seed = attributes[b"seed"].split(b",")
    number, honba, sticks = map(int, seed[:3])
    if len(seed) != 6 or not (0 <= number < 64 and 0 <= honba < 10_000 and 0 <= sticks < 10_000):
        raise ParseError("its seed is not round, honba, sticks, two dice, dora indicator", code="V105")
    row: Row = {
        "round": number,
        "honba": honba,
        "sticks": sticks,
        "dora": _id(seed[5]),
        "dealer": log.seat(attributes[b"oya"]),
        "scores": _scores(attributes[b"ten"]),
    }
    if seed[3]:
        row["dice"] = bytes((bounded(seed[3], 0, 5, "a die"), bounded(seed[4], 0, 5, "a die")))
    row["dealt"] = _dealt(log, attributes)
    if b"shuffle" in attributes:
        row["seed"] = attributes[b"shuffle"].decode("ascii", "replace")
    if b"chip" in attributes:
        row["chips"] = check_points(_numbers(attributes[b"chip"]), "the list of chips")
    draft.begin_hand(log.at, row)


def _dealt(log: _Log, attributes: Attributes) -> bytes:
    """Read the dealt hands: 13 tiles a seat; the missing seat of a 3-player game has none."""
    texts = [attributes[name] for name in _HANDS[: log.players]]
    for seat, text in enumerate(texts):
        if text.count(b",") != 12:
            raise ParseError(f"seat {seat} is not dealt 13 tiles", code="V104")
    if log.players == 3 and attributes.get(b"hai3"):
        raise ParseError("seat 3 is dealt tiles in a 3-player game", code="V104")
    return _ids(b",".join(texts)).ljust(52, b"\xff")


def _check_prelude(words: list[int]) -> None:
    """Nothing but leaving and coming back can happen before the first deal."""
    for word in words:
        if word and word & 31 not in (EventKind.LEAVE, EventKind.RETURN):
            raise ParseError("a move stands before the first deal", code="V102")


def _riichi_paid(log: _Log, attributes: Attributes) -> None:
    log.in_hand()
    if attributes[b"step"] != b"2":
        raise ParseError(f"step {_shown(attributes[b'step'])!r}; riichi has steps 1 and 2", code="V102")
    scores = _scores(attributes[b"ten"]) if b"ten" in attributes else None
    log.draft.riichi_paid(log.at, log.seat(attributes[b"who"]), scores)


def _changes(log: _Log, attributes: Attributes) -> Row:
    """Scores, changes and chips (``sc``), honba and sticks (``ba``) of a hand's end, and the game's end."""
    numbers = _numbers(attributes[b"sc"])
    if len(numbers) not in (8, 16):
        raise ParseError(f"sc has {len(numbers)} numbers; expected 8, or 16 with chips", code="V105")
    honba, sticks = _few(attributes[b"ba"])
    if not (0 <= honba < 10_000 and 0 <= sticks < 10_000):
        raise ParseError(f"ba states {honba} honba and {sticks} sticks", code="V105")
    row: Row = {
        "scores": check_points([100 * n for n in numbers[0:8:2]], "sc"),
        "deltas": check_points([100 * n for n in numbers[1:8:2]], "sc"),
        "honba": honba,
        "sticks": sticks,
    }
    if len(numbers) == 16:
        row["chips"] = check_points(numbers[9:16:2], "sc")
    if b"owari" in attributes:
        _final_result(log, attributes[b"owari"].split(b","))
    return row


def _final_result(log: _Log, cells: list[bytes]) -> None:
    if len(cells) not in (8, 12, 16):
        raise ParseError(f"owari has {len(cells)} numbers; expected 8, more with chips", code="V105")
    game = log.draft.game
    game["final_scores"] = check_points([100 * int(n) for n in cells[0:8:2]], "owari")
    game["final_points"] = _decimals(cells[1:8:2])
    if len(cells) > 8:
        chips = cells[8 :: (len(cells) - 8) // 4]
        game["final_chips"] = check_points(_numbers(b",".join(chips)), "owari")


_NO_MELDS = [-1] * MAX_SHOWN_MELDS


def _melds(text: bytes | None) -> list[int]:
    """Read the meld codes shown with a win; 0 is a real one, a closed kan of the first tile."""
    if not text:
        return _NO_MELDS
    codes = _numbers(text)
    if len(codes) > MAX_SHOWN_MELDS or min(codes) < 0 or max(codes) > 2**20:
        raise ParseError(f"its melds are {_shown(text)!r}", code="V105")
    return codes + _NO_MELDS[len(codes) :]


def _at_most(cells: bytes, width: int, what: str) -> bytes:
    if len(cells) > width:
        raise ParseError(f"it lists {len(cells)} {what}; at most {width} are possible", code="V105")
    return cells


def _agari(log: _Log, attributes: Attributes) -> None:
    log.in_hand()
    get = attributes.get
    fu, points, limit = _few(attributes[b"ten"])
    if not (0 <= fu <= 1000 and 0 <= points <= MAX_POINTS and 0 <= limit <= 5):
        raise ParseError(f"ten states {fu} fu, {points} points, limit {limit}", code="V105")
    listed = _few(attributes[b"yaku"]) if get(b"yaku") else []
    yakuman = _numbers(attributes[b"yakuman"]) if get(b"yakuman") else []
    yaku, han = listed[0::2] + yakuman, listed[1::2] + [_YAKUMAN_HAN] * len(yakuman)
    if len(yaku) != len(han):
        raise ParseError("a yaku is listed without its han", code="V105")
    if yaku and not (0 <= min(yaku) <= max(yaku) <= _LAST_YAKU and 0 <= min(han) <= max(han) < 100):
        raise ParseError(f"yaku {yaku} of {han} han; ids are 0-{_LAST_YAKU}", code="V105")
    row = _changes(log, attributes)
    row["seat"] = log.seat(attributes[b"who"])
    row["source"] = log.seat(attributes[b"fromWho"])
    if b"paoWho" in attributes:
        row["liable"] = log.seat(attributes[b"paoWho"])
    row["tile"] = _id(attributes[b"machi"])
    row["tiles"] = _at_most(_ids(attributes[b"hai"]), 14, "closed tiles")
    row["melds"] = _melds(get(b"m"))
    row["fu"], row["points"], row["limit"] = fu, points, limit
    row["yaku"] = _at_most(bytes(yaku), MAX_YAKU, "yaku")
    row["han"] = bytes(han)
    row["dora"] = _at_most(_ids(get(b"doraHai", b"")), MAX_INDICATORS, "dora indicators")
    row["ura"] = _at_most(_ids(get(b"doraHaiUra", b"")), MAX_INDICATORS, "ura dora indicators")
    log.draft.win(log.at, row)


def _ryuukyoku(log: _Log, attributes: Attributes) -> None:
    log.in_hand()
    kind = _DRAW_ENDS.get(attributes.get(b"type", b""))
    if kind is None:
        raise ParseError(f"unknown kind of draw {_shown(attributes[b'type'])!r}", code="V102")
    row = _changes(log, attributes)
    row["kind"] = kind
    shown = [_at_most(_ids(attributes.get(name, b"")), 14, "closed tiles") for name in _HANDS]
    row["shown"] = b"".join(tiles.ljust(14, b"\xff") for tiles in shown)
    if kind in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI):
        row["tenpai"] = bytes(name in attributes for name in _HANDS)
    log.draft.hand_draw(log.at, row)


_HANDLERS: dict[bytes, Callable[[_Log, Attributes], None]] = {
    b"SHUFFLE": _shuffle,
    b"GO": _go,
    b"UN": _players,
    b"TAIKYOKU": _first_dealer,
    b"INIT": _init,
    b"REACH": _riichi_paid,
    b"AGARI": _agari,
    b"RYUUKYOKU": _ryuukyoku,
}
