"""What the policy reads of a decision: the table as the player sees it, and options as the engine rates them.

Nothing hidden enters. Suits are alike: the same decision in other suits has the same inputs, in other places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from paifu.coach.decisions import NO_DANGER, OptionKind
from paifu.coach.kernels.option_rows import OPTION
from paifu.replay.arrays import F32, I32, I64, U8
from paifu.replay.course.settlement import HandStart, hands_left
from paifu.replay.kernels.scoring import dora_of
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import EventFlag, EventKind
from paifu.replay.model.tiles import KINDS, NO_TILE, TILES
from paifu.replay.rules.ruleset import Ruleset

RIVER, FROM_HAND, LAST, FIRST, DECLARED, SAFE, MELDED, CALLED = range(8)
"""Planes of a seat, a number for each kind: tiles discarded, those of them from the hand, the turn (from 1)
of the last and of the first, whether one declared riichi, whether the seat cannot win it, tiles in melds, and
discards that others called."""
PLANES = 8
(
    LEFT, ROUND, HONBA, STICKS, TO_COME, SCORES, RIICHI, TURNS, MELDS, DEALER, SOURCE, DRAWN, OFFERED, KNOWN,
    INDICATORS, MARKS,
) = 0, 1, 2, 3, 4, 5, 9, 13, 17, 21, 22, 23, 24, 25, 26, 31  # fmt: skip
"""Marks of a decision. SCORES, RIICHI (turn of the declaration), TURNS (discards) and MELDS (without closed
kans) are by seat, the player first. SOURCE is whose discard is on offer, OFFERED the tile, DRAWN the tile
just drawn. Without KNOWN, only the hand itself counts."""
CALLS = (OptionKind.PASS, OptionKind.CHI, OptionKind.PON, OptionKind.DAIMINKAN)
_DRAW, _DISCARD, _RIICHI, _RIICHI_PAID, _DORA = map(
    int, (EventKind.DRAW, EventKind.DISCARD, EventKind.RIICHI, EventKind.RIICHI_PAID, EventKind.DORA)
)
_TSUMOGIRI = int(EventFlag.TSUMOGIRI)
_CALL_KINDS = frozenset(map(int, (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN)))
_KAKAN = int(EventKind.KAKAN)
_MELD_KINDS = _CALL_KINDS | {int(EventKind.ANKAN), _KAKAN}
_KIND = np.append(np.arange(KINDS), (4, 13, 22)).astype(np.int64)
_ANY = bytes([0] + [1] * 255)
"""Makes 1 of any number of tiles."""
_KIND_OF: list[int] = _KIND.tolist()
_DORA_OF = np.array([int(dora_of(kind, 4)) for kind in range(KINDS)])


@dataclass(frozen=True, slots=True, eq=False)
class Boards:
    """The table at some decisions, as the player sees it; seats count from the player on."""

    planes: U8
    """(n, PLANES, 4, 34). Tiles that lie nobody knows where count in the player's river, without a turn."""
    held: U8
    """(n, 37) own concealed tiles."""
    marks: I32
    """(n, MARKS)."""

    def __len__(self) -> int:
        return len(self.marks)

    def rows(self, chosen: npt.NDArray[np.generic]) -> Boards:
        """Return some of them."""
        return Boards(*(getattr(self, one.name)[chosen] for one in fields(self)))

    def hidden(self, where: npt.NDArray[np.bool_]) -> Boards:
        """Return them as those see them who know their own hand alone, ``where`` that is asked for."""
        planes, marks = self.planes.copy(), self.marks.copy()
        planes[where, :, 1:] = 0
        planes[where, :MELDED, 0] = 0
        rows = np.flatnonzero(where)[:, None]
        marks[rows, np.arange(SCORES, SCORES + 4)] = 25000
        marks[rows, np.arange(RIICHI, RIICHI + 4)] = 0
        marks[rows, np.arange(MELDS + 1, MELDS + 4)] = 0
        marks[rows, np.arange(TURNS + 1, TURNS + 4)] = marks[rows, [TURNS]]
        marks[where, DRAWN] = NO_TILE
        marks[where, KNOWN] = 0
        return Boards(planes, self.held, marks)


class WatchedTable:
    """A hand as it is played, in lists and bytes: numpy would be slow in so small steps."""

    def __init__(
        self,
        rules: Ruleset,
        start: HandStart,
        scores: Sequence[int],
        dealt: Iterable[Sequence[int]],
        dora: int,
    ) -> None:
        """``dealt`` are the tiles of each seat, NO_TILE or none where hidden; ``dora`` is the indicator."""
        self.planes = [[bytearray(KINDS) for _ in range(4)] for _ in range(PLANES)]
        self.held = [[0] * TILES for _ in range(4)]
        for seat, tiles in enumerate(dealt):
            for tile in tiles:
                if tile < TILES:
                    self.held[seat][tile] += 1
        self.scores = list(scores)
        self.round, self.honba, self.sticks, self.dealer = (
            start.round,
            start.honba,
            start.sticks,
            start.dealer,
        )
        self.to_come = hands_left(rules, self.round)
        self.stick = rules.riichi.riichi_stick
        self.left = 136 - 14 - 52
        self.riichi, self.turns, self.melds = ([0] * 4 for _ in range(3))
        self.indicators = [dora]
        self.drawn = self.offered = NO_TILE
        self.source = -1

    def step(self, kind: int, seat: int, tile: int, source: int, own: list[int], flags: int) -> None:
        """Take an event down."""
        if kind == _DRAW:
            if tile < TILES:
                self.held[seat][tile] += 1
            self.left -= 1
            self.drawn, self.source = tile, -1
        elif kind == _RIICHI:
            self.riichi[seat] = self.turns[seat] + 1
        elif kind == _RIICHI_PAID:
            if self.scores[seat] != UNKNOWN_POINTS:
                self.scores[seat] -= self.stick
            self.sticks += 1
        elif tile >= TILES:
            return
        elif kind == _DISCARD:
            self.discard(seat, tile, is_drawn=bool(flags & _TSUMOGIRI))
        elif kind == _DORA:
            self.indicators = [*self.indicators, tile][:5]
        elif kind in _MELD_KINDS:
            own = [] if kind == _KAKAN else [one for one in own if one < TILES]
            self.lay(seat, tile, own, source if kind in _CALL_KINDS else -1)

    def lay(self, seat: int, tile: int, own: list[int], source: int) -> None:
        """Take a meld down: of a call from ``source``, or of own tiles."""
        self.planes[MELDED][seat][_KIND_OF[tile]] += 1
        if source >= 0:
            self.planes[CALLED][source][_KIND_OF[tile]] += 1
            self.melds[seat] += 1
            self.source = -1
        else:
            self.held[seat][tile] -= 1
        for one in own:
            self.held[seat][one] -= 1
            self.planes[MELDED][seat][_KIND_OF[one]] += 1

    def discard(self, seat: int, tile: int, *, is_drawn: bool) -> None:
        """Take a discard down."""
        number, planes = _KIND_OF[tile], self.planes
        self.held[seat][tile] -= 1
        self.turns[seat] += 1
        turn, river = self.turns[seat], planes[RIVER][seat]
        river[number] += 1
        planes[FROM_HAND][seat][number] += not is_drawn
        planes[LAST][seat][number] = turn
        if not planes[FIRST][seat][number]:
            planes[FIRST][seat][number] = turn
        if self.riichi[seat] == turn:
            planes[DECLARED][seat][number] = 1
        if not self.riichi[seat] or self.riichi[seat] == turn:
            planes[SAFE][seat] = river.translate(_ANY)
        for safe in planes[SAFE]:
            safe[number] = 1
        self.offered, self.source, self.drawn = tile, seat, NO_TILE

    def seen_by(self, seat: int, planes: U8, held: U8, marks: I32) -> None:
        """Fill in what a seat sees."""
        order = [(seat + place) % 4 for place in range(4)]
        flat = b"".join([of_seat[other] for of_seat in self.planes for other in order])
        planes[:] = np.frombuffer(flat, np.uint8).reshape(PLANES, 4, KINDS)
        held[:] = np.maximum(self.held[seat], 0)
        is_call = self.source >= 0
        marks[:] = (
            self.left, self.round, self.honba, self.sticks, self.to_come,
            *[self.scores[other] for other in order],
            0, *[self.riichi[other] for other in order[1:]],
            *[self.turns[other] for other in order],
            *[self.melds[other] for other in order],
            (self.dealer - seat) % 4,
            (self.source - seat) % 4 if is_call else 0,
            NO_TILE if is_call else self.drawn,
            self.offered if is_call else NO_TILE,
            1,
            *self.indicators, *[NO_TILE] * (5 - len(self.indicators)),
        )  # fmt: skip


def _begun(batch: Batch, hand: int, rules: Ruleset) -> WatchedTable:
    hands = batch.hands
    start = HandStart(
        *(int(column[hand]) for column in (hands.round, hands.honba, hands.sticks, hands.dealer))
    )
    dealt, dora = hands.dealt[hand].tolist(), int(hands.dora[hand])
    return WatchedTable(rules, start, hands.scores[hand].tolist(), dealt, dora)


def boards(
    batch: Batch, rulesets: Sequence[Ruleset], hand: I32, event: I32, seat: U8, is_call: npt.NDArray[np.bool_]
) -> Boards:
    """Return the table at decisions of a batch: ``hand``, ``event`` and ``seat`` of each, in any order.

    A call (``is_call``) is decided after its event, the discard on offer; anything else before it.
    """
    number = len(hand)
    found = Boards(
        np.zeros((number, PLANES, 4, KINDS), np.uint8),
        np.zeros((number, TILES), np.uint8),
        np.zeros((number, MARKS), np.int32),
    )
    moment = event.astype(np.int64) * 2 + is_call
    order = np.argsort(moment, kind="stable")
    events, begins = batch.events, batch.hands.event_begin
    table, now, at = None, -1, 0
    for row in order.tolist():
        if hand[row] != now:
            now = int(hand[row])
            table, at = _begun(batch, now, rulesets[batch.hands.game[now]]), int(begins[now])
        assert table is not None  # noqa: S101
        stop = int(event[row]) + int(is_call[row])
        for kind, who, tile, source, own, flags in zip(
            events.kind[at:stop].tolist(), events.seat[at:stop].tolist(), events.tile[at:stop].tolist(),
            events.source[at:stop].tolist(), events.own[at:stop].tolist(), events.flags[at:stop].tolist(),
            strict=True,
        ):  # fmt: skip
            table.step(kind, who, tile, source, own, flags)
        at = max(at, stop)
        table.seen_by(int(seat[row]), found.planes[row], found.held[row], found.marks[row])
    return found


def one_hot(values: npt.NDArray[np.generic], size: int) -> F32:
    """Return (n, size) with a 1 where the value is, the last place for all above."""
    return np.eye(size, dtype=np.float32)[np.clip(values.astype(np.int64), 0, size - 1)]


def _ranks() -> F32:
    """Return (34, 17) which number a kind is, or whether it is a wind or a dragon, and how far outside."""
    found = np.zeros((KINDS, 17), np.float32)
    for kind in range(KINDS):
        rank = kind % 9 if kind < 27 else 9 + (kind >= 31)
        found[kind, rank] = 1
        found[kind, 11] = kind >= 27
        if kind < 27:
            outer = abs(rank - 4)
            found[kind, 12:17] = outer / 4, outer == 4, outer == 3, outer == 2, outer < 2
    return found


_RANKS = _ranks()
CHANNELS = 78
SCALARS = 60


def planes_of(at: Boards) -> F32:
    """Return (n, 34, CHANNELS) what is to be known of each kind."""
    n = len(at)
    known = at.marks[:, KNOWN].astype(np.float32)
    x = np.zeros((n, CHANNELS, KINDS), np.float32)
    held = at.held[:, :KINDS].astype(np.int64)
    held[:, [4, 13, 22]] += at.held[:, KINDS:]
    for copies in range(4):
        x[:, copies] = held > copies
    x[:, 4, [4, 13, 22]] = at.held[:, KINDS:]
    planes = at.planes
    x[:, 5] = planes[:, MELDED, 0] / 3
    seen = held + planes[:, RIVER].sum(1) - planes[:, CALLED].sum(1) + planes[:, MELDED].sum(1)
    rows = np.arange(n)
    value = np.zeros((n, KINDS), np.float32)
    value[:, 31:] = 1
    value[rows, 27 + at.marks[:, ROUND] // 4 % 4] += 1
    value[rows, 27 + (-at.marks[:, DEALER]) % 4] += 1
    for place in range(5):
        tile = at.marks[:, INDICATORS + place]
        there = tile < TILES
        kind = _KIND[tile[there]]
        np.add.at(x[:, 6], (rows[there], _DORA_OF[kind]), 1)
        np.add.at(seen, (rows[there], kind), 1)
    unseen = np.clip(4 - seen, 0, 4)
    for copies in range(4):
        x[:, 7 + copies] = unseen > copies
    x[:, 11] = value
    for channel, mark in ((12, DRAWN), (13, OFFERED)):
        tile = at.marks[:, mark]
        there = (tile >= 0) & (tile < TILES)
        x[rows[there], channel, _KIND[tile[there]]] = 1
    x[:, 14] = planes[:, FIRST, 0] > 0
    x[:, 15] = planes[:, FIRST, 0] / 12
    channel = 16
    for seat in range(1, 4):
        turns = at.marks[:, TURNS + seat, None].astype(np.float32)
        riichi = at.marks[:, RIICHI + seat, None]
        last, first = planes[:, LAST, seat].astype(np.float32), planes[:, FIRST, seat]
        river = planes[:, RIVER, seat]
        in_river = river > 0
        x[:, channel] = river / 2
        x[:, channel + 1] = planes[:, FROM_HAND, seat] / 2
        x[:, channel + 2] = in_river & (first <= 4)
        x[:, channel + 3] = in_river & (first > 4) & (first <= 8)
        x[:, channel + 4] = in_river & (last > 8)
        x[:, channel + 5] = in_river & (last == turns)
        x[:, channel + 6] = np.where(in_river, np.exp2((last - turns) / 3), 0)
        x[:, channel + 7] = planes[:, DECLARED, seat]
        x[:, channel + 8] = planes[:, SAFE, seat]
        x[:, channel + 9] = planes[:, MELDED, seat] / 3
        x[:, channel + 10] = (riichi > 0) & (planes[:, SAFE, seat] == 0)
        x[:, channel + 11] = planes[:, CALLED, seat]
        x[:, channel + 12] = in_river & (riichi > 0) & (last > riichi)
        channel += 13
    x[:, 14:channel] *= known[:, None, None]
    assert channel == 55  # noqa: S101
    calm = at.marks[:, RIICHI + 1 : RIICHI + 4, None] == 0
    x[:, 55] = np.all((planes[:, SAFE, 1:4] > 0) | calm, axis=1) & ~np.all(calm, axis=1)
    # A tile with its neighbours in hand, so that the first layer sees runs of both sides at once.
    suits = np.zeros((n, 3, 13), np.float32)
    suits[:, :, 2:11] = np.minimum(held[:, :27], 1).reshape(n, 3, 9)
    for number, (one, two) in enumerate(((0, 1), (1, 3), (3, 4), (0, 2), (2, 4))):
        x[:, 56 + number, :27] = (suits[:, :, one : one + 9] * suits[:, :, two : two + 9]).reshape(n, 27)
    x[:, 61:78] = _RANKS.T
    return np.ascontiguousarray(x.transpose(0, 2, 1))


def scalars_of(at: Boards, least: I64) -> F32:
    """Return (n, SCALARS) what is to be known of the whole table; ``least`` is the least shanten (n,)."""
    marks = at.marks
    known = marks[:, KNOWN, None].astype(np.float32)
    scores = marks[:, SCORES : SCORES + 4].astype(np.float32)
    place = (scores[:, 1:] > scores[:, :1]).sum(1)
    gaps = (scores[:, :1] - scores[:, 1:]) / 10000
    last = marks[:, TO_COME, None] <= 0
    riichi, turns = marks[:, RIICHI + 1 : RIICHI + 4], marks[:, TURNS : TURNS + 4]
    near = np.clip(gaps / 0.8, -1, 1)
    parts = [
        marks[:, LEFT, None] / 70,
        turns[:, :1] / 18,
        one_hot(turns[:, 0] // 3, 6),
        one_hot(marks[:, ROUND] // 4, 3),
        one_hot(marks[:, DEALER], 4),
        np.minimum(marks[:, HONBA, None], 5) / 5,
        np.minimum(marks[:, STICKS, None], 5) / 5,
        np.minimum(marks[:, TO_COME, None], 7) / 7,
        last,
        (riichi > 0) * known,
        np.where(riichi > 0, (turns[:, 1:] - riichi + 1) / 10, 0) * known,
        (riichi > 0).sum(1, keepdims=True) * known,
        marks[:, MELDS : MELDS + 1] / 3,
        marks[:, MELDS + 1 : MELDS + 4] / 3 * known,
        (marks[:, MELDS + 1 : MELDS + 4] >= 2) * known,
        scores[:, :1] / 25000 * known,
        np.clip(gaps, -3, 3) * known,
        near * last * known,
        one_hot(place, 4) * known,
        one_hot(place, 4) * last * known,
        one_hot(marks[:, SOURCE], 4),
        one_hot(least, 6),
        known,
        (marks[:, DRAWN, None] < TILES) * 1.0,
    ]
    return np.concatenate([np.asarray(part, np.float32) for part in parts], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class PolicyNumbers:
    """What the network reads of some decisions, options of a decision after each other."""

    kinds: F32
    """(n, 34, CHANNELS)."""
    table: F32
    """(n, SCALARS)."""
    options: F32
    """(rows, FEATURES)."""
    dangers: I64
    """(rows, 3) below DANGERS."""
    kind: I64
    """(rows,) what the option is about."""


def numbers_of(at: Boards, cells: U8, first: I64) -> PolicyNumbers:
    """Return the inputs of decisions; ``first`` (n,) says where the rows ``cells`` of each begin."""
    least = np.minimum.reduceat(cells[:, OPTION.shanten].astype(np.int64), first)
    return PolicyNumbers(
        planes_of(at), scalars_of(at, least), features_of(cells, first, at.marks[:, DRAWN]),
        dangers_of(cells), kinds_of_options(cells),
    )  # fmt: skip


FEATURES = 74
DANGERS = 21 * 5
_DANGER = np.minimum(np.arange(256), 20)


def kinds_of_options(cells: U8) -> I64:
    """Return the kind (rows,) that an option is about: the tile discarded, or on offer, or of the kan."""
    return _KIND[np.minimum(cells[:, OPTION.tile], TILES - 1)]


def dangers_of(cells: U8) -> I64:
    """Return (rows, 3) by opponent a number for how dangerous the tile is and what the opponent shows."""
    sort = _DANGER[cells[:, OPTION.danger : OPTION.danger + 3]]
    return sort * 5 + np.minimum(cells[:, OPTION.shown : OPTION.shown + 3], 4).astype(np.int64)


def features_of(cells: U8, first: I64, drawn: I32) -> F32:
    """Return (rows, FEATURES) of options, of themselves and beside the others of the same decision.

    ``first`` (decisions,) is the first row of each, ``drawn`` (decisions,) the tile just drawn.
    """
    rows = len(cells)
    length = np.diff(np.append(first, rows))
    of = np.repeat(np.arange(len(first)), length)

    def column(name: str) -> F32:
        return cells[:, getattr(OPTION, name)].astype(np.float32)

    def least(values: F32) -> F32:
        return np.minimum.reduceat(values, first)[of]

    def most(values: F32) -> F32:
        return np.maximum.reduceat(values, first)[of]

    option, tile = cells[:, OPTION.option], cells[:, OPTION.tile]
    shanten, accepted, second = column("shanten"), column("accepted"), column("second")
    tenpai, value = cells[:, OPTION.tenpai], column("value")
    behind = shanten - least(shanten)
    near = behind == 0
    fewer = most(np.where(near, accepted, 0)) - accepted
    far_off = np.where(near, 0, 1).astype(np.float32)
    best_second = most(np.where(near, second, 0)) - second
    safe, is_safe = column("safe"), cells[:, OPTION.safe] == 10
    danger = cells[:, OPTION.danger : OPTION.danger + 3]
    riichi = cells[:, OPTION.shown : OPTION.shown + 3] == 4
    worst = np.where(riichi & (danger != NO_DANGER), danger, 0).max(1).astype(np.float32)
    worst_any = np.where(danger != NO_DANGER, danger, 0).sum(1).astype(np.float32)
    columns = [
        one_hot(option, 8),
        one_hot(shanten, 5),
        one_hot(behind, 3),
        np.minimum(accepted, 40)[:, None] / 20,
        (np.sqrt(accepted) / 4)[:, None],
        (np.minimum(fewer, 20) * (1 - far_off))[:, None] / 8,
        ((fewer <= 0) & near)[:, None],
        np.minimum(2, accepted / np.maximum(1, most(np.where(near, accepted, 0))))[:, None],
        second[:, None] / 10,
        ((shanten == 1) * best_second)[:, None] / 8,
        one_hot(tenpai, 7),
        value[:, None] / 16,
        ((most(value) - value) * (shanten == 0))[:, None] / 16,
        (shanten == 0)[:, None] * one_hot(accepted // 2, 5),
        column("dora")[:, None] / 3,
        (most(column("dora")) - column("dora"))[:, None],
        column("yakuhai")[:, None] / 2,
        (most(column("yakuhai")) - column("yakuhai"))[:, None],
        np.minimum(column("outside"), 8)[:, None] / 4,
        (cells[:, OPTION.outside] >= 9)[:, None],
        column("off_suit")[:, None] / 4,
        (column("off_suit") - least(column("off_suit")))[:, None],
        one_hot(cells[:, OPTION.yaku], 3),
        one_hot(cells[:, OPTION.calls], 4),
        np.where(is_safe, 0, safe)[:, None] / 4,
        is_safe[:, None],
        worst[:, None] / 10,
        (worst - least(worst))[:, None] / 10,
        ((worst <= least(worst)) & riichi.any(1))[:, None],
        worst_any[:, None] / 20,
        (worst_any - least(worst_any))[:, None] / 20,
        (tile == drawn[of])[:, None],
        (tile >= KINDS)[:, None] & (option <= OptionKind.RIICHI)[:, None],
        column("dora_tile")[:, None],
        cells[:, OPTION.flush : OPTION.flush + 3] == 1,
        cells[:, OPTION.flush : OPTION.flush + 3] == 2,
        np.minimum(column("left"), 17)[:, None] / 17,
        column("dealer")[:, None],
        column("riichi")[:, None],
        column("open_threats")[:, None],
        (shanten * column("riichi"))[:, None],
        (np.log1p(length[of]) / 2)[:, None],
    ]
    return np.concatenate([np.asarray(part, np.float32) for part in columns], axis=1)
