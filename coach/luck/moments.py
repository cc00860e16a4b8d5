"""The course of games: what could be expected after each event of a hand, and what the event changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paifu.coach.luck.course import DrawCourse
from paifu.coach.luck.ledger import LuckLedger
from paifu.replay.arrays import F64, I64
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind

_ASIDE = EventKind.RIICHI_PAID, EventKind.LEAVE, EventKind.RETURN
"""Events that nobody chooses where they stand."""


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """n moments in the order of play: after the deal, after draws, after what follows them, after the hand.

    What players do between two draws is one moment, that of its last event.
    """

    row: I64
    """(n,) row of the ledger: the hand."""
    event: I64
    """(n,) number of the event in its hand, from 0; -1 for the deal."""
    before: F64
    """(n, 4, 4) chances of each seat to end in each place before it."""
    places: F64
    """The same after it."""
    worth_before: F64
    """(n, 4) expected utility before it."""
    worth: F64
    """The same after it."""


def moments(batch: Batch, ledger: LuckLedger, inside: DrawCourse) -> Moments:
    """Return the moments of the hands of a ledger with place chances; ``inside`` is in the same utility."""
    known = ~np.isnan(ledger.chances).any(axis=(1, 2))
    row_of = np.full(len(batch.hands), -1)
    row_of[ledger.hand[known]] = np.flatnonzero(known)
    rows = np.flatnonzero(known)
    draws = np.flatnonzero(row_of[inside.hand] >= 0)
    of = row_of[inside.hand[draws]]
    begin = batch.hands.event_begin[ledger.hand].astype(np.int64)
    event = inside.event[draws] - begin[of]
    is_first = np.append(True, of[1:] != of[:-1])[: len(of)]
    after, worth_after = _following(ledger)
    row = np.concatenate([of, of, rows])
    step = np.concatenate([2 * draws, 2 * draws + 1, np.full(len(rows), 2 * len(inside.hand))])
    order = np.lexsort((step, row))
    events = (
        np.where(is_first, -1, _move_before(batch, inside.event[draws]) - begin[of]),
        event,
        batch.hands.event_end[ledger.hand[rows]] - begin[rows] - 1,
    )
    places = np.concatenate([inside.before[draws], inside.after[draws], after[rows]])[order]
    worth = np.concatenate([inside.worth_before[draws], inside.worth_after[draws], worth_after[rows]])[order]
    row = row[order]
    begins = np.append(True, row[1:] != row[:-1])[: len(row)]
    return Moments(
        row,
        np.concatenate(events)[order],
        np.where(begins[:, None, None], ledger.chances[row], np.roll(places, 1, axis=0)),
        places,
        np.where(begins[:, None], ledger.expected[row], np.roll(worth, 1, axis=0)),
        worth,
    )


def _move_before(batch: Batch, events: I64) -> I64:
    """Return the last event before each that a player chose, or a kan dora."""
    before = events - 1
    while (passed := np.isin(batch.events.kind[before], _ASIDE)).any():
        before = before - passed
    return before


def _following(ledger: LuckLedger) -> tuple[F64, F64]:
    """Return (n, 4, 4) chances and (n, 4) utility after each hand: before the next one, or in the end."""
    is_last = np.append(ledger.game[1:] != ledger.game[:-1], True)[: len(ledger.game)]
    chances, worth = np.roll(ledger.chances, -1, axis=0), np.roll(ledger.expected, -1, axis=0)
    chances[is_last], worth[is_last] = ledger.final[ledger.game[is_last]], ledger.worth[ledger.game[is_last]]
    return chances, worth
