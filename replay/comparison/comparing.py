"""Two records of one game, fact by fact: equal, different, or said by one of them only."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

import numpy as np
import numpy.typing as npt

from paifu.replay.comparison import facts
from paifu.replay.comparison.facts import DIFFERENT, EQUAL, ONLY_A, ONLY_B, PRESENCE_KINDS
from paifu.replay.comparison.pairing import is_finished, pair_hands
from paifu.replay.comparison.showing import shown_move, shown_value
from paifu.replay.model.batch import Batch, Column, Events, Games, HandDraws, Hands, RiichiScores, Table, Wins
from paifu.replay.model.counts import Counts
from paifu.replay.model.events import NO_SEAT, EventKind
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.rulesets.presets import ruleset_of
from paifu.replay.views.labels import format_label

PairedRows = npt.NDArray[np.intp]
Pairs = tuple[PairedRows, PairedRows]
EVERY_RULE = None
"""Stands for all rules where those that a record states are listed."""


@dataclass(frozen=True, slots=True)
class ComparedFact(Counts):
    """In how many rows two records agree on a fact, and how else they stand to each other; counts add up."""

    equal: int = 0
    different: int = 0
    only_a: int = 0
    """Stated by the first record only, though the other's format could."""
    only_b: int = 0
    unsaid: int = 0
    """Stated by one record; the format of the other has no place for it, or not everywhere."""


@dataclass(frozen=True, slots=True)
class FactDifference:
    """One place where two records do not say the same."""

    fact: str
    status: int
    """DIFFERENT, ONLY_A or ONLY_B."""
    hand: int
    """The hand's row in the first record, or in the second if it is only there; -1 outside of hands."""
    label: str
    """The same as ``E1.0``, empty outside of hands."""
    event: int
    """Likewise the event, counted within its hand; -1 if it does not concern an event."""
    seat: int
    """NO_SEAT if it does not concern a seat."""
    a: str
    b: str
    """What each record says; empty for nothing."""


@dataclass(slots=True)
class GameComparison:
    """What two records of a game have in common and what not."""

    facts: dict[str, ComparedFact] = field(default_factory=dict)
    """Name of a fact -> counts; a fact that neither record states is not there."""
    differences: list[FactDifference] = field(default_factory=list)

    def count(self, fact: str, counts: ComparedFact) -> None:
        """Add to the counts of a fact."""
        if any(counts.summary().values()):
            self.facts[fact] = self.facts.get(fact, ComparedFact()) + counts

    def unsay(self, fact: str, side: int) -> None:
        """Take back what one record says of a fact: only the other one, ``side``, states it."""
        counts = self.facts.pop(fact, ComparedFact())
        both = counts.equal + counts.different
        only_a, only_b = (both + counts.only_a, 0) if side == ONLY_A else (0, both + counts.only_b)
        self.count(fact, ComparedFact(only_a=only_a, only_b=only_b))
        self.differences = [one for one in self.differences if one.fact != fact]


def compare_games(
    one: Batch,
    other: Batch,
    *,
    rules: Iterable[str] | None = EVERY_RULE,
    quiet: Container[str] = frozenset(),
    unsaid_a: Iterable[str] = (),
    unsaid_b: Iterable[str] = (),
) -> GameComparison:
    """Compare two batches of one game each; ``rules`` are those that both records state.

    Of facts in ``quiet``, places where one record says nothing are counted, not listed. Facts that a record
    does not state although its columns are filled, because its reader takes them for likely, are
    ``unsaid_a`` and ``unsaid_b``.

    Rows are compared where both records have them: hands are paired by content, and the moves of a hand in
    order. A hand that only one record has, or goes on in only one, is said by that one only; a move that is
    missing within a hand is a difference.
    """
    work = _Comparison(one, other, quiet)
    work.games(rules)
    work.hands()
    work.events()
    work.results()
    work.verdicts()
    for fact in unsaid_a:
        work.found.unsay(fact, ONLY_B)
    for fact in unsaid_b:
        work.found.unsay(fact, ONLY_A)
    return work.found


def stated_facts(batch: Batch, asked: Container[str] | None = None) -> set[str]:
    """Return the facts of which the record of a game states anything, or those of them that are asked for."""
    kind = batch.events.kind
    is_played = batch.hands_of(np.arange(len(kind))) >= 0
    moves = np.flatnonzero(is_played & ~np.isin(kind, _LEFT_OUT))
    turned = bool((is_played & (kind == EventKind.DORA)).any())
    found = {
        facts.RULES: True,
        facts.HANDS: len(batch.hands) > 0,
        facts.EVENTS: len(moves) > 0,
        facts.DORA: turned,
        facts.DORA_PLACE: turned,
        facts.PRESENCE: bool(np.isin(kind, PRESENCE_KINDS).any()),
        facts.VERDICTS: len(batch.verdicts) > 0,
    }
    absent = np.arange(4) >= int(batch.games.players[0])
    for table in (Games, Hands, Events, Wins, HandDraws, RiichiScores):
        cells = getattr(batch, table.NAME)
        every = moves if table is Events else np.arange(len(cells))
        nobody = np.broadcast_to(absent, (len(every), 4))
        for fact, column in facts.facts_of(table):
            if asked is None or fact in asked:
                found[fact] = bool(facts.said(fact, column, cells, every, nobody).known.any())
    if not batch.games.lobby[0]:
        found |= dict.fromkeys(_OWN_WORDS, False)
    return {fact for fact, is_stated in found.items() if is_stated and (asked is None or fact in asked)}


class _Comparison:
    """Two batches while they are compared."""

    def __init__(self, one: Batch, other: Batch, quiet: Container[str]) -> None:
        self.one = one
        self.other = other
        self.quiet = quiet
        self.found = GameComparison()
        self.pairs = pair_hands(one, other)
        players = min(int(batch.games.players[0]) for batch in (one, other))
        self.absent = np.arange(4) >= players
        self.paired_events: dict[int, int] = {}
        """Event of the first record -> the same in the second."""

    def note(
        self, fact: str, status: int, a: str, b: str, *, hand: int = -1, event: int = -1, seat: int = NO_SEAT
    ) -> None:
        """Count one row of a fact in which the records do not say the same, and keep the place."""
        self.found.count(
            fact, ComparedFact(0, int(status == DIFFERENT), int(status == ONLY_A), int(status == ONLY_B))
        )
        label = _label(self.other if fact == facts.HANDS and status == ONLY_B else self.one, hand)
        self.found.differences.append(FactDifference(fact, status, hand, label, event, seat, a, b))

    # --- tables ---------------------------------------------------------------------------------------

    def columns(self, table: type[Table], rows: Pairs) -> None:
        """Compare the columns of rows that belong together."""
        mine, theirs = getattr(self.one, table.NAME), getattr(self.other, table.NAME)
        absent = np.broadcast_to(self.absent, (len(rows[0]), 4))
        for fact, column in facts.facts_of(table):
            a = facts.said(fact, column, mine, rows[0], absent)
            b = facts.said(fact, column, theirs, rows[1], absent)
            self.take(table, fact, column, rows, facts.compared(a, b), a, b)

    def take(
        self,
        table: type[Table],
        fact: str,
        column: Column,
        rows: Pairs,
        status: npt.NDArray[np.uint8],
        a: facts.StatedCells,
        b: facts.StatedCells,
    ) -> None:
        """Count what was found of a column, and note the places where the records do not agree."""
        self.found.count(fact, ComparedFact(int((status == EQUAL).sum())))
        listed = status > EQUAL
        if fact in self.quiet:
            listed = status == DIFFERENT
            only = (int((status == which).sum()) for which in (ONLY_A, ONLY_B))
            self.found.count(fact, ComparedFact(0, 0, *only))
        for at in np.flatnonzero(listed).tolist():
            hand, event, seat = self.place(table, int(rows[0][at]))
            texts = [
                shown_value(fact, column, said.values[at], said.known[at]) if said.known[at].any() else ""
                for said in (a, b)
            ]
            self.note(fact, int(status[at]), *texts, hand=hand, event=event, seat=seat)

    def place(self, table: type[Table], row: int) -> tuple[int, int, int]:
        """Return hand, event within the hand, and seat of a row of the first record."""
        batch = self.one
        if table is Games:
            return -1, -1, NO_SEAT
        if table is Hands:
            return row, -1, NO_SEAT
        event = row if table is Events else int(getattr(batch, table.NAME).event[row])
        hand = int(batch.hands_of(np.array([event]))[0])
        within = event - int(batch.hands.event_begin[hand]) if hand >= 0 else event
        return hand, within, int(batch.events.seat[event])

    # --- games and hands ------------------------------------------------------------------------------

    def games(self, rules: Iterable[str] | None) -> None:
        """Compare what is said of the game, its rules among it."""
        first = np.zeros(1, np.intp)
        one, other = self.one.games, self.other.games
        if one.format[0] != other.format[0] or not one.lobby[0] or not other.lobby[0]:
            self.own_words()
        mine, theirs = self.one.games, self.other.games
        started = str(mine.started[0]), str(theirs.started[0])
        length = min(map(len, started))
        if length and started[0][:length] == started[1][:length] and started[0] != started[1]:
            # Formats know the day, the hour or the minute; the longer one contains the shorter one.
            self.one = replace(self.one, games=replace(mine, started=theirs.started))
        self.columns(Games, (first, first))
        own = [ruleset_of(batch, 0).values() for batch in (self.one, self.other)]
        names = own[0].keys() & own[1].keys() & set(own[0] if rules is None else rules) - _INFERRED_RULES
        self.found.count(facts.RULES, ComparedFact(sum(own[0][name] == own[1][name] for name in names)))
        for name in sorted(name for name in names if own[0][name] != own[1][name]):
            texts = (f"{name} = {values[name]}" for values in own)
            self.note(facts.RULES, DIFFERENT, *texts)

    def own_words(self) -> None:
        """Forget what a format says of its rooms in words of its own, which it must do without knowing them.

        RULES compares what they mean. Who knows the room knows the lobby.
        """
        for name in ("one", "other"):
            batch = getattr(self, name)
            blank = Games.empty(1)
            setattr(
                self, name, replace(batch, games=replace(batch.games, rule=blank.rule, go_type=blank.go_type))
            )

    def hands(self) -> None:
        """Compare the hands that both records have, and name the others."""
        pairs = np.array(self.pairs, np.intp).reshape(-1, 2)
        self.found.count(facts.HANDS, ComparedFact(len(pairs)))
        self.columns(Hands, (pairs[:, 0], pairs[:, 1]))
        for side, batch in enumerate((self.one, self.other)):
            for hand in np.setdiff1d(np.arange(len(batch.hands)), pairs[:, side]).tolist():
                self.note(facts.HANDS, _ONLY[side], *_said_by(side, _label(batch, hand)), hand=hand)

    # --- events ---------------------------------------------------------------------------------------

    def events(self) -> None:
        """Compare the moves of the hands that both records have."""
        mine: list[int] = []
        theirs: list[int] = []
        for hand, other in self.pairs:
            rows = _moves(self.one, hand), _moves(self.other, other)
            for a, b in self.aligned(hand, other, rows):
                mine.append(a)
                theirs.append(b)
            self.turned(hand, other, rows)
        self.paired_events = dict(zip(mine, theirs, strict=True))
        self.found.count(facts.EVENTS, ComparedFact(len(mine)))
        self.columns(Events, (np.array(mine, np.intp), np.array(theirs, np.intp)))
        self.presence()

    def aligned(self, hand: int, other: int, rows: Pairs) -> Iterator[tuple[int, int]]:
        """Yield the moves that belong together, and note those that do not."""
        keys = [_keys(batch, part) for batch, part in zip((self.one, self.other), rows, strict=True)]
        if keys[0] == keys[1]:
            yield from zip(rows[0].tolist(), rows[1].tolist(), strict=True)
            return
        ends = len(keys[0]), len(keys[1])
        unfinished = not is_finished(self.one, hand), not is_finished(self.other, other)
        for kind, a, a_end, b, b_end in _steps(*keys):
            both = 0 if kind == "insert" or kind == "delete" else min(a_end - a, b_end - b)
            yield from zip(rows[0][a : a + both].tolist(), rows[1][b : b + both].tolist(), strict=True)
            for at in range(a + both, a_end):
                is_tail = a_end == ends[0] and b_end == ends[1] and unfinished[1]
                self.missing(0, int(rows[0][at]), is_tail=is_tail)
            for at in range(b + both, b_end):
                is_tail = a_end == ends[0] and b_end == ends[1] and unfinished[0]
                self.missing(1, int(rows[1][at]), is_tail=is_tail)

    def missing(self, side: int, event: int, *, is_tail: bool) -> None:
        """Note a move that one record has only; ``is_tail``: where the other one stops within the hand."""
        batch = (self.one, self.other)[side]
        is_last_riichi = is_tail and batch.events.kind[event] in (EventKind.RIICHI, EventKind.RIICHI_PAID)
        fact = facts.LAST_RIICHI if is_last_riichi else facts.EVENTS
        self.one_sided(fact, _ONLY[side] if is_tail else DIFFERENT, side, event, shown_move(batch, event))

    def one_sided(self, fact: str, status: int, side: int, event: int, text: str) -> None:
        """Note what only one record, 0 or 1, says of an event of its own."""
        batch = (self.one, self.other)[side]
        hand = int(batch.hands_of(np.array([event]))[0])
        at = next((a for a, b in self.pairs if b == hand), -1) if side else hand
        within, seat = event - int(batch.hands.event_begin[hand]), int(batch.events.seat[event])
        self.note(fact, status, *_said_by(side, text), hand=at, event=within, seat=seat)

    def turned(self, hand: int, other: int, rows: Pairs) -> None:
        """Compare the indicators turned in a hand, and when."""
        mine, theirs = (
            _indicators(batch, number, part)
            for batch, number, part in ((self.one, hand, rows[0]), (self.other, other, rows[1]))
        )
        tiles = [[tile for tile, _place in turned] for turned in (mine, theirs)]
        if tiles[0] == tiles[1]:
            self.found.count(facts.DORA, ComparedFact(len(mine)))
            places = sum(a == b for a, b in zip(mine, theirs, strict=True))
            self.found.count(facts.DORA_PLACE, ComparedFact(places))
            for (tile, a), (_tile, b) in zip(mine, theirs, strict=True):
                if a != b:
                    texts = (f"{tile_name(tile)} before move {place}" for place in (a, b))
                    self.note(facts.DORA_PLACE, DIFFERENT, *texts, hand=hand)
            return
        shorter = min(map(len, tiles))
        status = DIFFERENT
        if tiles[0][:shorter] == tiles[1][:shorter]:
            longer = ONLY_A if len(tiles[0]) > len(tiles[1]) else ONLY_B
            unfinished = not is_finished(*((self.other, other) if longer == ONLY_A else (self.one, hand)))
            status = longer if unfinished or not shorter else DIFFERENT
        texts = (" ".join(map(tile_name, part)) for part in tiles)
        self.note(facts.DORA, status, *texts, hand=hand)

    def presence(self) -> None:
        """Compare who left and came back, and in which hand."""
        number = {b: a for a, b in self.pairs}
        mine = _presence(self.one, {a: a for a, _ in self.pairs})
        theirs = _presence(self.other, number)
        if mine == theirs:
            self.found.count(facts.PRESENCE, ComparedFact(len(mine)))
            return
        status = DIFFERENT if mine and theirs else ONLY_A if mine else ONLY_B
        texts = (
            ", ".join(f"{EventKind(kind).name.lower()} {seat}" for _, kind, seat in part)
            for part in (mine, theirs)
        )
        self.note(facts.PRESENCE, status, *texts)

    # --- results --------------------------------------------------------------------------------------

    def results(self) -> None:
        """Compare wins, draws and the scores after riichi, by their events."""
        for table in (Wins, HandDraws, RiichiScores):
            mine, theirs = getattr(self.one, table.NAME), getattr(self.other, table.NAME)
            where = {event: row for row, event in enumerate(theirs.event.tolist())}
            pairs = []
            for row, event in enumerate(mine.event.tolist()):
                same = where.pop(self.paired_events.get(event, -1), None)
                if same is not None:
                    pairs.append((row, same))
                elif table is RiichiScores and event in self.paired_events:
                    self.alone(0, row)
            both = np.array(pairs, np.intp).reshape(-1, 2)
            self.columns(table, (both[:, 0], both[:, 1]))
            if table is RiichiScores:
                paired = set(self.paired_events.values())
                for event, row in where.items():
                    if event in paired:
                        self.alone(1, row)

    def alone(self, side: int, row: int) -> None:
        """Note the scores after a riichi that one record states only."""
        table = (self.one, self.other)[side].riichi_scores
        text = ", ".join(map(str, table.scores[row].tolist()))
        self.one_sided(facts.RIICHI_SCORES, _ONLY[side], side, int(table.event[row]), text)

    def verdicts(self) -> None:
        """Compare what engines said, row by row: a row is an option of a decision."""
        mine, theirs = self.one.verdicts, self.other.verdicts
        texts = tuple(f"{len(table)} options" if len(table) else "" for table in (mine, theirs))
        if not len(mine) or not len(theirs):
            self.found.count(facts.VERDICTS, ComparedFact(only_a=len(mine), only_b=len(theirs)))
            return
        if len(mine) != len(theirs):
            self.note(facts.VERDICTS, DIFFERENT, *texts)
            return
        same = np.ones(len(mine), bool)
        for column in mine.columns():
            if column.name in ("game", "hand", "event"):
                continue
            values, others = getattr(mine, column.name), getattr(theirs, column.name)
            equal = np.asarray(values == others, bool)
            if values.dtype.kind == "f":
                equal |= np.isnan(values) & np.isnan(others)
            same &= equal.reshape(len(mine), -1).all(axis=1)
        events = zip(mine.event.tolist(), theirs.event.tolist(), strict=True)
        same &= np.array([self.paired_events.get(event) == other for event, other in events], bool)
        self.found.count(facts.VERDICTS, ComparedFact(int(same.sum())))
        for row in np.flatnonzero(~same).tolist():
            hand, event, seat = self.place(type(mine), row)
            self.note(facts.VERDICTS, DIFFERENT, *texts, hand=hand, event=event, seat=seat)


_ONLY = (ONLY_A, ONLY_B)
_OWN_WORDS = ("games.rule", "games.go_type")
"""What rooms are called by formats; see ``own_words``."""
_INFERRED_RULES = {"rounding"}
"""Rules that readers take from what a record states of its result, which is compared itself."""
_LEFT_OUT = (*PRESENCE_KINDS, EventKind.DORA)
"""Events whose place among the moves not every format states; they are compared apart."""


def _label(batch: Batch, hand: int) -> str:
    hands = batch.hands
    return format_label(int(hands.round[hand]), int(hands.honba[hand])) if hand >= 0 else ""


def _said_by(side: int, text: str) -> tuple[str, str]:
    """Return what both records say where one of them says nothing."""
    return ("", text) if side else (text, "")


def _moves(batch: Batch, hand: int) -> PairedRows:
    """Return the events of a hand that are compared one by one."""
    begin, end = int(batch.hands.event_begin[hand]), int(batch.hands.event_end[hand])
    kinds = batch.events.kind[begin:end]
    return np.flatnonzero(~np.isin(kinds, _LEFT_OUT)) + begin


def _keys(batch: Batch, rows: PairedRows) -> list[tuple[int, int]]:
    events = batch.events
    return list(zip(events.kind[rows].tolist(), events.seat[rows].tolist(), strict=True))


def _steps(
    mine: list[tuple[int, int]], theirs: list[tuple[int, int]]
) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield how one list of moves becomes the other, as ``SequenceMatcher.get_opcodes`` does."""
    begin = 0
    while begin < min(len(mine), len(theirs)) and mine[begin] == theirs[begin]:
        begin += 1
    if begin:
        yield "equal", 0, begin, 0, begin
    rest = SequenceMatcher(None, mine[begin:], theirs[begin:], autojunk=False)
    for kind, a, a_end, b, b_end in rest.get_opcodes():
        yield kind, a + begin, a_end + begin, b + begin, b_end + begin


def _indicators(batch: Batch, hand: int, moves: PairedRows) -> list[tuple[int, int]]:
    """Return the indicators turned in a hand: the tile, and how many moves come before it."""
    begin, end = int(batch.hands.event_begin[hand]), int(batch.hands.event_end[hand])
    rows = np.flatnonzero(batch.events.kind[begin:end] == EventKind.DORA) + begin
    return list(zip(batch.events.tile[rows].tolist(), np.searchsorted(moves, rows).tolist(), strict=True))


def _presence(batch: Batch, number: dict[int, int]) -> list[tuple[int, int, int]]:
    """Return who left and came back: the hand's number, kind of event and seat; -1 outside of hands."""
    events = batch.events
    rows = np.flatnonzero(np.isin(events.kind, PRESENCE_KINDS))
    cells = zip(
        batch.hands_of(rows).tolist(), events.kind[rows].tolist(), events.seat[rows].tolist(), strict=True
    )
    return [(number.get(hand, -1), kind, seat) for hand, kind, seat in cells if hand in number or hand < 0]
