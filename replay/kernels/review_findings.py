"""What all parts of the review share: noting a finding, and what a win would bring."""

from __future__ import annotations

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.jit import kernel
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.review_layout import M_POINTS, V_AWAY, ReviewState
from paifu.replay.kernels.rows import FOUND
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.scoring import payments_kernel
from paifu.replay.kernels.table_state import TableState
from paifu.replay.kernels.wins import Scoring, worth


@kernel
def found(review: ReviewState, table: TableState, notes: Notes, code: int, seat: int, tile: int) -> int:
    """Note a finding at the present event and return its row, whose other columns are to be filled."""
    number = min(review.counts[0], len(review.rows) - 1)
    review.counts[0] += 1
    row = review.rows[number]
    row[:] = 0
    row[FOUND.code], row[FOUND.hand], row[FOUND.event] = code, notes.counts[1], notes.counts[2]
    row[FOUND.seat], row[FOUND.tile] = seat, tile
    row[FOUND.other], row[FOUND.cause], row[FOUND.better] = state.NOBODY, -1, state.NOBODY
    row[FOUND.is_note] = review.seats[V_AWAY, seat]
    row[FOUND.turn] = table.seats[state.S_DISCARDS, seat]
    row[FOUND.waits] = table.seats[state.S_WAITS, seat]
    row[FOUND.live] = state.live_copies(table, table.seats[state.S_WAITS, seat], seat)
    return number


@kernel
def gain(
    table: TableState,
    seat: int,
    source: int,
    tile: int,
    rules: KernelRules,
    scoring: Scoring,
    review: ReviewState,
) -> int:
    """Return what a win on ``tile`` would bring, honba and sticks in and ura apart; 0 or less if it is none.

    ``scoring.changes`` holds everybody's change afterwards, ``review.memory[M_POINTS]`` the points without
    honba and sticks.
    """
    review.memory[M_POINTS] = 0
    base = worth(table, seat, source, tile, review.nothing, rules, scoring)[0]
    if base > 0:
        hand = table.hand
        review.memory[M_POINTS] = payments_kernel(
            base, scoring.out[layout.OUT_YAKU], 1 - table.seats[state.S_OPEN, seat], seat, source,
            hand[state.H_DEALER], hand[state.H_HONBA], hand[state.H_STICKS], -1, table.liable[seat],
            scoring.patterns, scoring.params, scoring.changes,
        )  # fmt: skip
        return int(scoring.changes[seat])
    return base


@kernel
def is_yakuless(
    table: TableState, seat: int, source: int, rules: KernelRules, scoring: Scoring, review: ReviewState
) -> bool:
    """Return whether a tenpai hand could not win by ron on any of its waits because it had no yaku."""
    mask = table.seats[state.S_WAITS, seat]
    for kind in range(34):
        if mask >> kind & 1 and worth(table, seat, source, kind, review.nothing, rules, scoring)[0] > 0:
            return False
    return True
