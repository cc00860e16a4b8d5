"""A game in any spelling: one element after the other, each by a function that says what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import astuple

from paifu.parsers.errors import MAX_UNKNOWN, SKIPPED, ParseError
from paifu.parsers.mjlog.elements import elements
from paifu.parsers.mjlog.melds import word_of_code
from paifu.parsers.mjlog.values import (
    DRAW_ENDS,
    MAX_SHOWN,
    NO_MELDS,
    Element,
    listed,
    numbers_of,
    read_seat,
    scores_of,
    shown_melds,
    shown_text,
    tile_id,
    tile_ids,
    whole_numbers,
    yaku_and_han,
)
from paifu.parsers.mjlog.whole_game import Attributes, Log, Numbers
from paifu.parsers.packed_events import winning_source, winning_tile
from paifu.parsers.tenhou import bounded, check_points
from paifu.replay.model.batch import MAX_INDICATORS, MAX_POINTS
from paifu.replay.model.builder import BatchBuilder, DraftRow
from paifu.replay.model.events import NO_SEAT, SEAT_SHIFT, SOURCE_SHIFT, EventKind, HandEnd, pack
from paifu.replay.model.tiles import IDS

ROOT, ROOT_END = b"mjloggm", b"</mjloggm>"

_HANDS = (b"hai0", b"hai1", b"hai2", b"hai3")
_MAX_HUNDREDS = MAX_POINTS // 100
_MOVE = re.compile(rb"[D-GT-W]\d+")


def read_root(
    root: bytes, location: str, builder: BatchBuilder, *, is_open: bool = False, is_told: bool = False
) -> None:
    """Read one game; ``is_told`` says that its being cut off has been reported already."""
    fault: ParseError | None = None
    log = _ElementLog(location)
    try:
        _read_xml(root if is_open else root + ROOT_END, log)
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


def _read_xml(root: bytes, log: _ElementLog) -> None:
    """Read a root, or the beginning of one, with lxml; raises ParseError where it stops being XML."""
    for element in elements(root, ROOT, log.doubts):
        if element[0] == ROOT:
            log.opening(dict(zip(*element[1:], strict=True)).get(b"ver", b""))
        else:
            log.element(element)


class _ElementLog(Log):
    """One game while its elements come in."""

    def __init__(self, location: str) -> None:
        super().__init__(location)
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
            call = _CALLS.get(name)
            if word := _PLAIN.get(name) or (call is not None and call(dict(zip(names, values, strict=True)))):
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


def _init(log: _ElementLog, numbers: Numbers, texts: Attributes) -> None:
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


def _dealt(log: _ElementLog, numbers: Numbers) -> bytes:
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


def _riichi_paid(log: _ElementLog, numbers: Numbers, _texts: Attributes) -> None:
    log.in_hand()
    if numbers[b"step"] != [2]:
        raise ParseError(f"step {listed(numbers[b'step'])}; riichi has steps 1 and 2", code="V102")
    scores = scores_of(numbers[b"ten"]) if b"ten" in numbers else None
    log.draft.riichi_paid(log.at, log.seat(numbers[b"who"]), scores)


def _end_of_hand(log: _ElementLog, numbers: Numbers, texts: Attributes) -> DraftRow:
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
        log.take_final_result(texts[b"owari"])
    return row


def _agari(log: _ElementLog, numbers: Numbers, texts: Attributes) -> None:
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


def _ryuukyoku(log: _ElementLog, numbers: Numbers, texts: Attributes) -> None:
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


_HANDLERS: dict[bytes, Callable[[_ElementLog, Numbers, Attributes], None]] = {
    b"TAIKYOKU": _ElementLog.take_first_dealer,
    b"INIT": _init,
    b"REACH": _riichi_paid,
    b"AGARI": _agari,
    b"RYUUKYOKU": _ryuukyoku,
}
_TEXT_HANDLERS: dict[bytes, Callable[[_ElementLog, Attributes], None]] = {
    b"SHUFFLE": _ElementLog.take_seed,
    b"GO": _ElementLog.take_rules,
    b"UN": _ElementLog.take_players,
}
"""Elements whose attributes are mostly not numbers."""


# --- elements whose word follows from themselves alone ----------------------------------------------------


def _plain_words() -> dict[bytes, int]:
    """Words of the elements without attributes: draws T-W and discards D-G, each with a tile id."""
    return {
        b"%c%d" % (letters[seat], tile): pack(kind, seat, tile)
        for letters, kind in ((b"TUVW", EventKind.DRAW), (b"DEFG", EventKind.DISCARD))
        for seat in range(4)
        for tile in range(IDS)
    }


_PLAIN = _plain_words()


def _call(attributes: Attributes) -> int:
    return word_of_code(int(attributes[b"m"]), read_seat(attributes[b"who"]))


def _declaration(attributes: Attributes) -> int:
    if attributes[b"step"] != b"1":
        return 0
    return pack(EventKind.RIICHI, read_seat(attributes[b"who"]))


def _dora(attributes: Attributes) -> int:
    return pack(EventKind.DORA, tile=tile_id(whole_numbers(attributes[b"hai"])))


def _leave(attributes: Attributes) -> int:
    return pack(EventKind.LEAVE, read_seat(attributes[b"who"]))


_CALLS: dict[bytes, Callable[[Attributes], int]] = {
    b"N": _call,
    b"DORA": _dora,
    b"REACH": _declaration,
    b"BYE": _leave,
}
"""Elements whose word follows from themselves alone; 0 sends them on to the handlers."""
