"""What the review finds: a wide row for each finding with its evidence, and the danger table.

``engine.replay(batch, review=True)`` fills it while it replays;
:mod:`paifu.replay.findings.review_kinds` says what the codes mean. ``hand`` and ``event`` are row numbers of
the batch that was replayed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from paifu.replay.arrays import I64, U8
from paifu.replay.course.settlement import HandStart
from paifu.replay.facts.tables import ReviewFindings
from paifu.replay.kernels import codes, review_layout
from paifu.replay.kernels.rows import FOUND
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.review.last_hands import win_or_pass
from paifu.replay.rules.ruleset import Ruleset


class Danger(IntEnum):
    """Class of a tile against one threat, by what the discarder sees."""

    GENBUTSU = 0
    """In the threat's own river, or let pass since its riichi (or since its last discard): cannot be won."""
    HONOUR_0 = 1
    """An honour of which the other three are seen: thirteen orphans only."""
    HONOUR_1 = 2
    HONOUR_2 = 3
    HONOUR_3 = 4
    """All three others are unseen."""
    TERMINAL_0 = 5
    """A 1m or 9m of three players, which no run can hold, by unseen copies as the honours are."""
    TERMINAL_1 = 6
    TERMINAL_2 = 7
    TERMINAL_3 = 8
    SUJI_19 = 9
    """All two-sided waits for it hold a genbutsu."""
    SUJI_28 = 10
    SUJI_37 = 11
    SUJI_456 = 12
    NO_CHANCE = 13
    """All two-sided waits for it are genbutsu, or walled off by four visible tiles."""
    ONE_CHANCE = 14
    """As NO_CHANCE, with three visible tiles in one wall at least."""
    HALF_SUJI = 15
    """A 4, 5 or 6 with one side safe."""
    NO_SUJI_19 = 16
    NO_SUJI_28 = 17
    NO_SUJI_37 = 18
    NO_SUJI_456 = 19

    def level(self, threat: Threat) -> int:
        """Return how dangerous it is: 0 cannot be won (or by thirteen orphans only), to 4."""
        levels = review_layout.LEVELS if threat == Threat.RIICHI else review_layout.OPEN_LEVELS
        return levels[self]


class Threat(IntEnum):
    """Why a player is to be feared."""

    RIICHI = review_layout.RIICHI_THREAT
    OPEN = review_layout.OPEN_THREAT
    """Three melds, two dora among the melds, or two melds and all of one suit (not counting honours)."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another kind that could have been discarded in place of the one that dealt in."""

    kind: int
    dangers: tuple[Danger, Danger, Danger, Danger]
    """Its class against each seat; of those that are not a threat, the first."""
    shanten_given_up: int
    deals_in: bool
    """Hindsight."""
    is_safer: bool
    """Its level is lower than the discard's against every threat, or 0, and lower against one at least."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """All that a review of a batch yields."""

    findings: ReviewFindings
    danger: I64
    """(2, 2, MAX_TURN + 1, classes, 2): players - 3, Threat - 1, turn, Danger; discards and deal-ins."""
    pushes: I64
    """(2, 2, 2, classes, HANDS, 3): players - 3, whether watched, Threat - 1, Danger, sort of hand; discards,
    deal-ins and points paid. Zeros if nobody was watched."""
    classes: U8
    """(events, 4) SORT x Threat + Danger of a discard against each seat; 0 for no threat."""


def alternatives(words: I64, choices: int) -> Iterator[Alternative]:
    """Unpack the cell ``alternatives`` of a finding."""
    for number in range(choices):
        word = int(words[number // review_layout.PER_WORD]) >> review_layout.BITS * (
            number % review_layout.PER_WORD
        )
        dangers = [Danger(word >> 11 + 5 * seat & 31) for seat in range(4)]
        yield Alternative(
            word & 63,
            (dangers[0], dangers[1], dangers[2], dangers[3]),
            word >> 6 & 7,
            bool(word >> 9 & 1),
            bool(word >> 10 & 1),
        )


def new_review(batch: Batch, room: int, watched: frozenset[str] | None = None) -> review_layout.ReviewState:
    """Return what the kernels fill, with room for ``room`` findings; the counts are by number of players.

    ``watched`` are the keys of names of players whose discards are counted apart.
    """
    return review_layout.ReviewState(
        rows=np.zeros((room + 1, ReviewFindings.cells()), np.int64),
        memory=review_layout.ReviewMemory(nothing=NO_TILE),
        away=_away(batch),
        end=batch.hands.end,
        danger=np.zeros((2, len(Threat), review_layout.MAX_TURN + 1, review_layout.CLASSES, 2), np.int64),
        watched=_watched(batch, watched),
        pushes=np.zeros(
            (2, 2 * len(Threat), review_layout.CLASSES, review_layout.HANDS, _PUSH_CELLS), np.int64
        ),
        classes=np.zeros((len(batch.events), 4), np.uint8),
    )


class ReviewPass:
    """The review of one pass over a batch: what the kernels fill, and the tables that it becomes."""

    def __init__(self, batch: Batch, room: int, watched: frozenset[str] | None) -> None:
        self._batch = batch
        self._state = new_review(batch, room, watched)

    @property
    def found(self) -> int:
        """How many findings there were, whether or not there was room for them."""
        return self._state.memory.found

    def under(self, rules: Ruleset) -> review_layout.ReviewState:
        """Return what the kernels fill in games under a ruleset."""
        return review_of(self._state, rules.table.players)

    def tables(self, changes: I64, rulesets: Sequence[Ruleset]) -> Reviewed:
        """Return the tables; ``changes`` (wins, 4) are what each win brought, as the engine scored it."""
        batch, review = self._batch, self._state
        rows = review.rows[: review.memory.found]
        rows = rows[np.lexsort((rows[:, FOUND.code], rows[:, FOUND.event], rows[:, FOUND.hand]))]
        rows[:, FOUND.game] = batch.hands.game[rows[:, FOUND.hand]]
        _price(batch, rows, changes, review)
        _place(batch, rows, rulesets)
        shape = (2, 2, len(Threat), *review.pushes.shape[2:])
        return Reviewed(
            ReviewFindings.from_rows(rows), review.danger, review.pushes.reshape(shape), review.classes
        )


def review_of(review: review_layout.ReviewState, players: int) -> review_layout.ReviewState:
    """Return the same review with the danger table of games with this number of players."""
    return review._replace(danger=review.danger[players - 3], pushes=review.pushes[players - 3])


def _watched(batch: Batch, watched: frozenset[str] | None) -> U8:
    """Seats of watched players at each hand, as bits, with 128; zeros if nobody is."""
    if watched is None:
        return np.zeros(len(batch.hands), np.uint8)
    bits: U8 = (128 + (batch.seats_of(watched) << np.arange(4)).sum(axis=1)).astype(np.uint8)
    return bits[batch.hands.game]


def _away(batch: Batch) -> U8:
    """Seats whose players are not at the table at the start of each hand, as bits."""
    away = np.zeros(len(batch.hands), np.uint8)
    events, begin = batch.events, batch.hands.event_begin
    first = batch.games.event_begin[batch.hands.game]
    every = np.flatnonzero(events.kind >= EventKind.LEAVE)
    for seat in range(4):
        moves = every[events.seat[every] == seat]
        if len(moves):
            latest = moves[np.maximum(0, np.searchsorted(moves, begin) - 1)]
            left = (first <= latest) & (latest < begin) & (events.kind[latest] == EventKind.LEAVE)
            away |= (left << seat).astype(np.uint8)
    return away


def _price(batch: Batch, rows: I64, changes: I64, review: review_layout.ReviewState) -> None:
    """Fill in what the course of the hand shows: what was paid for a deal-in, and what a furiten cost."""
    found = rows[:, FOUND.code]
    won = batch.wins.hand.astype(np.int64) * 4 + batch.wins.seat
    order = np.argsort(won, kind="stable")
    for winner in range(4):
        paid = np.flatnonzero((found // 1000 == _DEAL_INS) & (rows[:, FOUND.winners] >> winner & 1 != 0))
        places = np.searchsorted(won, rows[paid, FOUND.hand] * 4 + winner, sorter=order)
        points = np.maximum(-changes[order[places], rows[paid, FOUND.seat]], 0)
        rows[paid, FOUND.cost] += points
        _price_pushes(batch, rows[paid], winner, points, review)
    lost: dict[tuple[int, int], list[I64]] = {}
    for row in rows[found == codes.PASSED_BY_DISCARD_FURITEN]:
        lost.setdefault((int(row[FOUND.hand]), int(row[FOUND.seat])), []).append(row)
    for at in np.flatnonzero(found == codes.RIICHI_IN_FURITEN):
        row = rows[at]
        for later in lost.get((int(row[FOUND.hand]), int(row[FOUND.seat])), ()):
            if later[FOUND.event] > row[FOUND.event]:
                row[FOUND.cost], row[FOUND.value] = later[FOUND.cost], later[FOUND.value]
                break


def _place(batch: Batch, rows: I64, rulesets: Sequence[Ruleset]) -> None:
    """Judge the wins that were passed up by what they would have done to the final place."""
    hands, dealers = batch.hands, batch.games.deals_first
    passes = (codes.RON_PASSED, codes.TSUMO_PASSED, codes.ROBBING_PASSED)
    for at in np.flatnonzero(np.isin(rows[:, FOUND.code], passes) & (rows[:, FOUND.is_note] == 0)):
        row = rows[at]
        hand, game = int(row[FOUND.hand]), int(row[FOUND.game])
        rules = rulesets[game]
        found = win_or_pass(
            rules,
            HandStart.of(hands, hand),
            row[FOUND.scores : FOUND.scores + rules.table.players].tolist(),
            row[FOUND.changes : FOUND.changes + rules.table.players].tolist(),
            int(row[FOUND.seat]),
            int(dealers[game]),
        )
        if found is not None:
            row[FOUND.place] = found.now
            row[FOUND.place_taken], row[FOUND.place_passed] = (
                round(100 * found.taken),
                round(100 * found.passed),
            )
            row[FOUND.is_note] = not found.is_mistake


def _price_pushes(
    batch: Batch, rows: I64, winner: int, points: I64, review: review_layout.ReviewState
) -> None:
    """Add what deal-ins to a threat cost to the counts of discards, where there are any."""
    hand, seat = rows[:, FOUND.hand], rows[:, FOUND.seat]
    sort = rows[:, FOUND.threats] >> 2 * winner & 3
    at = np.flatnonzero((sort > 0) & (review.watched[hand] > 0))
    left = 1 + np.minimum(rows[at, FOUND.shanten], review_layout.HANDS - 2)
    left[rows[at, FOUND.code] == codes.IN_RIICHI] = 0
    watched = review.watched[hand[at]] >> seat[at] & 1
    players = batch.games.players[rows[at, FOUND.game]].astype(np.int64)
    number = rows[at, FOUND.classes] >> 8 * winner & 255
    np.add.at(review.pushes[..., 2], (players - 3, 2 * watched + sort[at] - 1, number, left), points[at])


_PUSH_CELLS = 3
"""Discards, deal-ins, points paid."""
_DEAL_INS = 3
"""Thousands of the codes of family D."""
