"""Tenhou's own log format, mjlog XML: elements to events.

A log is a flat list of elements under one ``mjloggm`` root. A whole game in Tenhou's own spelling is read in
one pass over its bytes (:mod:`paifu.parsers.mjlog.one_pass`), which gives up without a word at anything that
it does not understand. Any other game (blanks, quotes, entities, comments, a cut, a fault) is read by lxml
and the handlers below, one function an element, which say what is wrong. A test compares the two on every
real log.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import astuple
from functools import lru_cache

from paifu.parsers.errors import MAX_UNKNOWN, SKIPPED, ParseError
from paifu.parsers.mjlog.packed_elements import CALLS, PLAIN
from paifu.parsers.mjlog.values import (
    DRAW_ENDS,
    MAX_SHOWN,
    NO_MELDS,
    Attributes,
    Element,
    Numbers,
    decimals,
    four,
    listed,
    numbers_of,
    scores_of,
    shown_melds,
    shown_text,
    text_of,
    tile_id,
    tile_ids,
    whole_numbers,
    yaku_and_han,
)
from paifu.parsers.packed_events import winning_source, winning_tile
from paifu.parsers.sources.documents import Document
from paifu.parsers.tenhou import (
    bounded,
    check_points,
    find_game_id,
    set_rules,
    started_at,
    with_lobby_uma,
)
from paifu.replay.kernels.running import PYTHON, way
from paifu.replay.model.batch import MAX_INDICATORS, MAX_POINTS
from paifu.replay.model.builder import BatchBuilder, DraftRow, GameDraft
from paifu.replay.model.events import NO_SEAT, SEAT_SHIFT, SOURCE_SHIFT, EventKind, HandEnd, pack
from paifu.replay.model.tiles import IDS
from paifu.replay.rulesets.log_rules import OWN_SETTLEMENT, THREE_PLAYERS, from_tenhou_type

_ROOT = b"mjloggm"
_ROOT_END = b"</mjloggm>"

_NAMES = (b"n0", b"n1", b"n2", b"n3")
_OF_TABLES = (b"csrule", b"lobby", b"title")
_OF_PLAYERS = (*_NAMES, b"dan", b"rate", b"sx")
_HANDS = (b"hai0", b"hai1", b"hai2", b"hai3")
_MAX_HUNDREDS = MAX_POINTS // 100


def read_mjlog(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read all games of ``text`` (the plain bytes of ``document``) into ``builder``.

    What cannot be read becomes a fault of the builder; what comes before it is kept, and its game is
    marked as cut.
    """
    # Nearly every log is one game, which can be read without a search for the ends of others.
    only = text.removesuffix(_ROOT_END)
    if len(only) < len(text) and _is_read_fast(only, document.game_location(0, count=1), builder):
        return
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
    if not is_open and _is_read_fast(root, location, builder):
        return
    fault: ParseError | None = None
    log = _Log(location)
    try:
        _read_xml(root if is_open else root + _ROOT_END, log)
    except ParseError as error:
        fault = error
    fault = log.check_seats() or fault
    if not log.draft.hands and not fault:
        fault = ParseError("the log holds no hand", hint="nothing to do, or fetch it again")
    if log.draft.hands:
        builder.add(log.finish(is_cut=fault is not None))
    for kept in (*log.doubts, *log.unknown.values()):
        builder.add_fault(*astuple(kept.fault(location)))
    if fault and not is_told:
        builder.add_fault(*astuple(fault.fault(location)))


# --- Tenhou's own spelling -----------------------------------------------------------------------------

_OPENING = re.compile(rb'\s*<mjloggm ver="([^"<&]{0,20})">')


def _is_read_fast(root: bytes, location: str, builder: BatchBuilder) -> bool:
    """Add a whole game, if it can be read in one pass; return whether that was so."""
    draft = None if way() == PYTHON else _read_fast(root, location)
    if draft is not None:
        builder.add(draft)
    return draft is not None


def _read_fast(root: bytes, location: str) -> GameDraft | None:
    """Read a whole game in one pass; None, for any reason, when it has to be read element by element."""
    from paifu.parsers.mjlog.one_pass import read_rows  # imports a kernel

    opening = _OPENING.match(root)
    found = read_rows(root, opening.end()) if opening else None
    if opening is None or found is None:
        return None
    log = _Log(location)
    head, log.draft.rows, owari = found
    if log.draft.rows.lacks_yaku or b"type" not in head:
        return None
    log.draft.game["version"] = opening[1].decode("utf-8", "replace")
    try:
        if b"seed" in head:
            _shuffle(log, head)
        _go(log, head)
        if not head.keys().isdisjoint(_OF_PLAYERS):
            _players(log, head)
        if b"oya" in head:
            _first_dealer(log, {b"oya": whole_numbers(head[b"oya"])}, {})
        if owari:
            _final_result(log, owari)
        return log.finish(is_cut=False)
    except (ParseError, ValueError):
        return None


# --- any other spelling --------------------------------------------------------------------------------


def _read_xml(root: bytes, log: _Log) -> None:
    """Read a root, or the beginning of one, with lxml; raises ParseError where it stops being XML."""
    from paifu.parsers.mjlog.elements import elements  # imports lxml

    for element in elements(root, _ROOT, log.doubts):
        if element[0] == _ROOT:
            log.opening(dict(zip(*element[1:], strict=True)).get(b"ver", b""))
        else:
            log.element(element)


# --- elements ------------------------------------------------------------------------------------------

_MOVE = re.compile(rb"[D-GT-W]\d+")


_OLD_SEED = "mt19937ar-sha512-n288,"


def _era(draft: GameDraft) -> str:
    """When a game without a date was played, as far as rules care: the kinds of seeds changed in 2009."""
    is_old = bool(draft.first_seed) or draft.game.get("seed", "").startswith(_OLD_SEED)
    return "2009" if is_old else ""


class _Log:
    """One game while its elements come in."""

    def __init__(self, location: str) -> None:
        name = location.rpartition("/")[2]
        # The name of a file with several games is not the id of one.
        game_id = "" if "#" in name else find_game_id(name)
        started = started_at(game_id) if game_id else ""
        self.draft = GameDraft({"source": location, "format": "mjlog", "id": game_id, "started": started})
        self.players = 4
        self.at = 0
        """Position in the draft's words of the element that is being read."""
        self.unknown: dict[bytes, ParseError] = {}
        self.doubts: list[ParseError] = []
        """Attributes that are stated twice and differently, and wins without yaku."""

    def opening(self, version: bytes) -> None:
        """Take the root's version; any is accepted. The root is element 1."""
        self.draft.words += (0, 0)
        self.draft.game["version"] = version.decode("utf-8", "replace")

    def element(self, element: Element) -> None:
        """Take the next element.

        Raises ParseError, with the words cut off before it, when it cannot be read.
        """
        words = self.draft.words
        self.at = at = len(words)
        words.append(0)
        name, names, values = element
        try:
            call = CALLS.get(name)
            if word := PLAIN.get(name) or (call is not None and call(dict(zip(names, values, strict=True)))):
                words[at] = word
            elif (handler := _HANDLERS.get(name)) is not None:
                handler(self, *numbers_of(names, values))
            elif (texts_handler := _TEXT_HANDLERS.get(name)) is not None:
                texts_handler(self, dict(zip(names, values, strict=True)))
            else:
                self._note_unknown(name, at)
        except ParseError as error:
            problem = error
        except KeyError as error:
            problem = ParseError(f"it lacks the attribute {error.args[0].decode()}", code="V102")
        except ValueError as error:
            problem = ParseError(
                f"it holds something that is not a number or is out of range: {str(error)[:MAX_SHOWN]}",
                code="V105",
            )
        else:
            return
        del words[at:]
        problem.place = problem.place or f"element {at} <{shown_text(name)}>"
        problem.hint = problem.hint or "hands before this place were kept"
        raise problem

    def _note_unknown(self, name: bytes, at: int) -> None:
        """Keep one fault for each name that no Tenhou log is known to use; the game is read on."""
        if _MOVE.fullmatch(name):
            raise ParseError(f"tile {shown_text(name[1:])}; ids are 0-{IDS - 1}", code="V105")
        if name in self.unknown or len(self.unknown) == MAX_UNKNOWN:
            return
        self.unknown[name] = ParseError(
            f"unknown element <{shown_text(name)}>",
            code="V102",
            place=f"element {at} <{shown_text(name)}>",
            hint=SKIPPED,
        )

    def finish(self, *, is_cut: bool) -> GameDraft:
        """Return the draft, marked as cut when it was or when the game has no final result."""
        draft = self.draft
        game = draft.game
        choice = from_tenhou_type(
            game["go_type"],
            _fields(game["rule"]),
            date=game["started"] or _era(draft),
            final_points=game.get("final_points", ()),
        )
        states_uma = bool(game["rule"]) or game["go_type"] & OWN_SETTLEMENT
        set_rules(draft, choice if states_uma else with_lobby_uma(draft, choice))
        unfinished = draft.last_end == HandEnd.UNFINISHED or "final_scores" not in draft.game
        draft.game |= {"is_cut": is_cut or unfinished, "players": self.players}
        return draft

    def seat(self, numbers: list[int]) -> int:
        """Take a seat of this game."""
        (seat,) = numbers
        if not 0 <= seat < self.players:
            raise ParseError(f"seat {str(seat)!r}; seats are 0-{self.players - 1}", code="V105")
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

    def before(self) -> list[int]:
        """Return the words of the hand before this element."""
        return self.draft.words[int(self.draft.hands[-1]["event_begin"]) : self.at]

    def in_hand(self) -> None:
        """Make sure that a hand has begun."""
        if not self.draft.hands:
            raise ParseError("it comes before the first INIT", code="V102")


def _shuffle(log: _Log, attributes: Attributes) -> None:
    log.draft.game["seed"] = attributes.get(b"seed", b"").decode("ascii", "replace")


def _go(log: _Log, attributes: Attributes) -> None:
    if log.draft.hands:
        raise ParseError("it comes after the first INIT", code="V102")
    stated = _table(attributes[b"type"], *[attributes.get(name, b"") for name in _OF_TABLES])
    log.players = 3 if stated["go_type"] & THREE_PLAYERS else 4
    log.draft.game |= stated


@lru_cache(maxsize=256)
def _table(kind: bytes, csrule: bytes, lobby: bytes, title: bytes) -> DraftRow:
    """Read the attributes of GO, which many games share."""
    go_type, rule = bounded(kind, 0, 2**31 - 1, "the type"), csrule.decode("utf-8", "replace")
    from_tenhou_type(go_type, _fields(rule))  # what is wrong with them is found here, where they are
    return {
        "go_type": go_type,
        "lobby": lobby.decode("utf-8", "replace"),
        "rule": rule,
        "title": text_of(title),
    }


def _fields(csrule: str) -> list[str]:
    return csrule.split(",") if csrule else []


def _players(log: _Log, attributes: Attributes) -> None:
    """Take the players, or, where there is one name only, a return to the table."""
    game = log.draft.game
    present = [seat for seat, name in enumerate(_NAMES) if name in attributes]
    if len(present) == 1:
        log.draft.words[log.at] = pack(EventKind.RETURN, present[0])
        return
    game["names"] = [text_of(attributes.get(name, b"")) for name in _NAMES]
    if b"dan" in attributes:
        game["dan"] = _dans(attributes[b"dan"])
    if b"rate" in attributes:
        game["rate"] = four(decimals(attributes[b"rate"].split(b",")))
    if b"sx" in attributes:
        game["sex"] = four(attributes[b"sx"].decode("utf-8", "replace").split(","))


@lru_cache(maxsize=4096)
def _dans(text: bytes) -> bytes:
    return bytes(four([bounded(dan, 0, 127, "a dan") for dan in text.split(b",")]))


def _first_dealer(log: _Log, numbers: Numbers, _texts: Attributes) -> None:
    log.draft.game["first_dealer"] = log.seat(numbers[b"oya"])


def _init(log: _Log, numbers: Numbers, texts: Attributes) -> None:
    draft = log.draft
    if not draft.hands:
        _check_prelude(draft.words[: log.at])
        if "go_type" not in draft.game:
            raise ParseError("no GO element comes before it, so the rules are unknown", code="V102")
    seed, dice = numbers[b"seed"], numbers[b"seed"][3:5]
    if len(seed) != 6 or not (0 <= seed[0] < 64 and 0 <= seed[1] < 10_000 and 0 <= seed[2] < 10_000):
        raise ParseError("its seed is not round, honba, sticks, two dice, dora indicator", code="V105")
    row: DraftRow = {
        "round": seed[0],
        "honba": seed[1],
        "sticks": seed[2],
        "dora": tile_id(seed[5:]),
        "dealer": log.seat(numbers[b"oya"]),
        "dealt": _dealt(log, numbers),
    }
    if b"ten" in numbers:
        row["scores"] = scores_of(numbers[b"ten"])
    if dice != [-1, -1]:
        row["dice"] = bytes([bounded(die, 0, 5, "a die") for die in dice])
    if b"shuffle" in texts:
        row["seed"] = texts[b"shuffle"].decode("ascii", "replace")
    if b"chip" in numbers:
        row["chips"] = check_points(numbers[b"chip"], "the list of chips")
    draft.begin_hand(log.at, row)


def _dealt(log: _Log, numbers: Numbers) -> bytes:
    """Read the dealt hands: 13 tiles a seat; the missing seat of a 3-player game has none."""
    tiles: list[int] = []
    for name in _HANDS[: log.players]:
        tiles += numbers[name]
        if len(numbers[name]) != 13:
            raise ParseError(f"seat {_HANDS.index(name)} is not dealt 13 tiles", code="V104")
    if log.players == 3 and numbers.get(b"hai3"):
        raise ParseError("seat 3 is dealt tiles in a 3-player game", code="V104")
    return tile_ids(tiles)


def _check_prelude(words: list[int]) -> None:
    """Nothing but leaving and coming back can happen before the first deal."""
    for word in words:
        if word and word & 31 not in (EventKind.LEAVE, EventKind.RETURN):
            raise ParseError("a move comes before the first deal", code="V102")


def _riichi_paid(log: _Log, numbers: Numbers, _texts: Attributes) -> None:
    log.in_hand()
    if numbers[b"step"] != [2]:
        raise ParseError(f"step {listed(numbers[b'step'])}; riichi has steps 1 and 2", code="V102")
    scores = scores_of(numbers[b"ten"]) if b"ten" in numbers else None
    log.draft.riichi_paid(log.at, log.seat(numbers[b"who"]), scores)


def _end_of_hand(log: _Log, numbers: Numbers, texts: Attributes) -> DraftRow:
    """Scores, changes and chips (``sc``), honba and sticks (``ba``) of a hand's end, and the game's end."""
    row: DraftRow = {}
    if b"sc" in numbers:
        cells = numbers[b"sc"]
        if len(cells) not in (8, 16):
            raise ParseError(f"sc has {len(cells)} numbers; expected 8, or 16 with chips", code="V105")
        if max(cells) > _MAX_HUNDREDS or min(cells) < -_MAX_HUNDREDS:
            raise ParseError(f"sc states {100 * max(cells, key=abs)} points", code="V105")
        row["scores"] = [100 * n for n in cells[0:8:2]]
        row["deltas"] = [100 * n for n in cells[1:8:2]]
        if len(cells) == 16:
            row["chips"] = cells[9:16:2]
    if b"ba" in numbers:
        honba, sticks = numbers[b"ba"]
        if not (0 <= honba < 10_000 and 0 <= sticks < 10_000):
            raise ParseError(f"ba states {honba} honba and {sticks} sticks", code="V105")
        row["honba"], row["sticks"] = honba, sticks
    if b"owari" in texts:
        _final_result(log, texts[b"owari"])
    return row


def _final_result(log: _Log, owari: bytes) -> None:
    cells = owari.split(b",") if owari else []
    if len(cells) not in (8, 12, 16):
        raise ParseError(f"owari has {len(cells)} numbers; expected 8, more with chips", code="V105")
    game = log.draft.game
    game["final_scores"] = check_points([100 * int(n) for n in cells[0:8:2]], "owari")
    game["final_points"] = decimals(cells[1:8:2])
    if len(cells) > 8:
        chips = cells[8 :: (len(cells) - 8) // 4]
        game["final_chips"] = check_points([int(n) for n in chips], "owari")


def _agari(log: _Log, numbers: Numbers, texts: Attributes) -> None:
    log.in_hand()
    get = numbers.get
    row = _end_of_hand(log, numbers, texts)
    if b"ten" in numbers:
        fu, points, limit = numbers[b"ten"]
        if not (0 <= fu <= 1000 and 0 <= points <= MAX_POINTS and 0 <= limit <= 5):
            raise ParseError(f"ten states {fu} fu, {points} points, limit {limit}", code="V105")
        row["fu"], row["points"], row["limit"] = fu, points, limit
    seat = row["seat"] = log.seat(numbers[b"who"])
    if b"fromWho" in numbers:
        row["source"] = log.seat(numbers[b"fromWho"])
    else:
        row["source"] = winning_source(log.before(), 0, seat)
    row["liable"] = log.seat(numbers[b"paoWho"]) if b"paoWho" in numbers else NO_SEAT
    if b"machi" in numbers:
        row["tile"] = tile_id(numbers[b"machi"])
    else:
        row["tile"] = winning_tile(log.before(), 0, seat, row["source"])
    if b"hai" in numbers:
        row["tiles"] = tile_ids(numbers[b"hai"], 14)
    row["dora"] = tile_ids(get(b"doraHai", _NOTHING), MAX_INDICATORS)
    if ura := get(b"doraHaiUra"):
        row["ura"] = tile_ids(ura, MAX_INDICATORS)
    row["melds"] = shown_melds(numbers[b"m"]) if get(b"m") else NO_MELDS
    row["yaku"], row["han"] = yaku_and_han(get(b"yaku", _NOTHING), get(b"yakuman", _NOTHING))
    if not row["yaku"] and b"ten" in numbers:
        reason = "a win with points lists no yaku; Tenhou lists those of every win"
        place = f"element {log.at} <AGARI>"
        log.doubts.append(ParseError(reason, code="V102", place=place, hint="its yaku count as unknown"))
    log.draft.win(log.at, row)


_NOTHING: list[int] = []


def _ryuukyoku(log: _Log, numbers: Numbers, texts: Attributes) -> None:
    log.in_hand()
    kind = DRAW_ENDS.get(texts.get(b"type", b""))
    if kind is None:
        raise ParseError(f"unknown kind of draw {shown_text(texts[b'type'])!r}", code="V102")
    row = _end_of_hand(log, numbers, texts)
    row["kind"] = kind
    shown = [tile_ids(numbers[name], 14) if name in numbers else b"" for name in _HANDS]
    row["shown"] = b"".join([tiles.ljust(14, b"\xff") for tiles in shown])
    if kind in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI):
        row["tenpai"] = bytes(name in numbers for name in _HANDS)
    log.draft.hand_draw(log.at, row)


_HANDLERS: dict[bytes, Callable[[_Log, Numbers, Attributes], None]] = {
    b"TAIKYOKU": _first_dealer,
    b"INIT": _init,
    b"REACH": _riichi_paid,
    b"AGARI": _agari,
    b"RYUUKYOKU": _ryuukyoku,
}
_TEXT_HANDLERS: dict[bytes, Callable[[_Log, Attributes], None]] = {
    b"SHUFFLE": _shuffle,
    b"GO": _go,
    b"UN": _players,
}
"""Elements whose attributes are mostly not numbers."""
