"""The review of furiten and of wins that were not taken."""

from __future__ import annotations

from paifu.replay.kernels import codes
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64
from paifu.replay.kernels.legal import is_open_to
from paifu.replay.kernels.review_findings import found, is_yakuless, would_gain
from paifu.replay.kernels.review_layout import (
    DISCARD_FURITEN,
    RIICHI_FURITEN,
    TEMPORARY_FURITEN,
    ReviewDesk,
    ReviewState,
)
from paifu.replay.kernels.rows import FOUND
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.table_state import kind_of


@kernel
def tell_furiten(desk: ReviewDesk, seat: int, row: I64) -> None:
    """Write which furiten a seat is in, before the tile now on offer, and the event it comes from."""
    table, review = desk.table, desk.review
    by_river = table.waits[seat] & table.river_kinds[seat]
    temporary, permanent = review.memory.temporary_since[seat], review.memory.permanent_since[seat]
    # Of several reasons the last one here gives the event: it lasts the longest.
    if temporary >= 0 and table.temporary_furiten[seat]:
        row[FOUND.furiten] |= TEMPORARY_FURITEN
        row[FOUND.cause] = temporary
    if permanent >= 0:
        row[FOUND.furiten] |= RIICHI_FURITEN
        row[FOUND.cause] = permanent
    if by_river:
        row[FOUND.furiten] |= DISCARD_FURITEN
        row[FOUND.cause] = first_discard(by_river, seat, review)


@kernel
def first_discard(mask: int, seat: int, review: ReviewState) -> int:
    """Return the event of a seat's first discard among the kinds of ``mask``, -1 for none."""
    first = -1
    for kind in range(34):
        event = review.memory.discarded[seat, kind]
        if mask >> kind & 1 and event >= 0 and (first < 0 or event < first):
            first = event
    return first


@kernel
def missed(desk: ReviewDesk, code: int, seat: int, source: int, tile: int) -> int:
    """Note a win that a seat did not take; its worth must just have been worked out. Returns the row."""
    number, review, changes = found(desk, code, seat, tile), desk.review, desk.scoring.work.changes
    row = review.rows[number]
    row[FOUND.other] = source
    row[FOUND.cost], row[FOUND.value] = changes[seat], review.memory.points
    for other in range(desk.rules.players):
        row[FOUND.scores + other] = desk.table.scores[other]
        row[FOUND.changes + other] = changes[other]
    return number


@kernel
def passed(desk: ReviewDesk, winners: int) -> None:
    """Note who lets the tile on offer pass: a legal win, or one that furiten or a missing yaku forbids."""
    table, rules, review = desk.table, desk.rules, desk.review
    sort, source, tile = table.offer, table.offer_seat, table.offer_tile
    # Who takes the tile, and how near the nearest and the farthest of them sit.
    taken, nearest, farthest = 0, 4, 0
    for step in range(1, rules.players):
        if winners >> (source + step) % rules.players & 1:
            taken, nearest, farthest = taken + 1, min(nearest, step), max(farthest, step)
    for step in range(1, rules.players):
        seat = (source + step) % rules.players
        if (winners | table.partial) >> seat & 1 or not table.waits[seat] >> kind_of(tile) & 1:
            continue
        if not is_open_to(table, seat, rules):
            continue
        # Nothing was on offer where another one has precedence, or three rons abort the hand.
        is_bumped = step < farthest if rules.head_bump_farthest else nearest < step
        if (rules.head_bump and is_bumped) or (rules.abort_sanchahou and taken > 1):
            continue
        worth = would_gain(desk, seat, source, tile)
        if worth > 0 and table.was_furiten[seat]:
            # Furiten forbade it: by which kind.
            code = codes.PASSED_BY_TEMPORARY_FURITEN
            if table.waits[seat] & table.river_kinds[seat]:
                code = codes.PASSED_BY_DISCARD_FURITEN
            elif review.memory.permanent_since[seat] >= 0:
                code = codes.PASSED_BY_RIICHI_FURITEN
            row = missed(desk, code, seat, source, tile)
            tell_furiten(desk, seat, review.rows[row])
        elif worth > 0:
            code = codes.RON_PASSED if sort == state.DISCARD else codes.ROBBING_PASSED
            missed(desk, code, seat, source, tile)
        elif worth == layout.NO_YAKU and not table.was_furiten[seat] and is_yakuless(desk, seat, source):
            review.rows[found(desk, codes.NO_YAKU, seat, tile), FOUND.other] = source
