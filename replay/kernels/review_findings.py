"""What all parts of the review share: noting a finding, and what a win would bring."""

from __future__ import annotations

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.review_layout import ReviewDesk, ReviewState
from paifu.replay.kernels.rows import FOUND
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.scoring import payments_kernel
from paifu.replay.kernels.table_state import TableState
from paifu.replay.kernels.wins import Scoring, worth


@kernel
def found(desk: ReviewDesk, code: int, seat: int, tile: int) -> int:
    """Note a finding at the present event and return its row, whose other columns are to be filled."""
    table, notes, review = desk.table, desk.notes, desk.review
    number = min(review.memory.found, len(review.rows) - 1)
    review.memory.found += 1
    row = review.rows[number]
    row[:] = 0
    row[FOUND.code], row[FOUND.hand], row[FOUND.event] = code, notes.counts[1], notes.counts[2]
    row[FOUND.seat], row[FOUND.tile] = seat, tile
    row[FOUND.other], row[FOUND.cause], row[FOUND.better] = state.NOBODY, -1, state.NOBODY
    row[FOUND.is_note] = review.memory.away[seat]
    row[FOUND.turn] = table.discards[seat]
    row[FOUND.waits] = table.waits[seat]
    row[FOUND.live] = state.live_copies(table, table.waits[seat], seat)
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
    """Return what a win on ``tile`` would bring, with honba and sticks, without ura; 0 or less if it cannot.

    ``scoring.work.changes`` holds everybody's change afterwards, ``review.memory.points`` the points without
    honba and sticks.
    """
    review.memory.points = 0
    base = worth(table, seat, source, tile, review.memory.nothing, rules, scoring)[0]
    if base > 0:
        review.memory.points = payments_kernel(
            base, scoring.work.out[layout.OUT_YAKU], 1 - table.open_melds[seat], seat, source,
            table.dealer, table.honba, table.sticks, -1, table.liable[seat],
            scoring.patterns, scoring.work.params, scoring.work.changes,
        )  # fmt: skip
        return int(scoring.work.changes[seat])
    return base


@kernel
def would_gain(desk: ReviewDesk, seat: int, source: int, tile: int) -> int:
    """Return what a win on ``tile`` would bring at the table that is replayed; see :func:`gain`."""
    return gain(desk.table, seat, source, tile, desk.rules, desk.scoring, desk.review)


@kernel
def is_yakuless(desk: ReviewDesk, seat: int, source: int) -> bool:
    """Return whether a tenpai hand could not win by ron on any of its waits because it had no yaku."""
    mask, wins = desk.table.waits[seat], False
    for kind in range(34):
        wins = wins or (mask >> kind & 1 != 0 and would_gain(desk, seat, source, kind) > 0)
    return not wins
