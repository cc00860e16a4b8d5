"""The review of closed kans in riichi: the waits stay the same, so what a kan does to the value is known.

Compared is every win that is possible then, by ron and by tsumo, with and without the kan, before the new
indicators. Where a kan lowers or raises them all, the mean over all indicators that it may turn says by how
much. No model is needed; what the kan shows the others, and that it brings one more draw, is not weighed.
"""

from __future__ import annotations

from paifu.replay.kernels import codes
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.legal import against_kan, kan_of
from paifu.replay.kernels.review_findings import found, would_gain
from paifu.replay.kernels.review_layout import MOST_NEW, ReviewDesk
from paifu.replay.kernels.rows import FOUND
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.scoring import dora_of
from paifu.replay.kernels.table_state import TableState, kind_of

LOWERED, RAISED = -1, 1


@kernel
def kan_in_riichi(desk: ReviewDesk, event: int, seat: int, tile: int) -> None:
    """Look at a closed kan in riichi, or at a discard in its place, before the move."""
    table, kind = desk.table, int(kind_of(tile))
    is_kan = event == state.ANKAN
    if not is_kan and event != state.DISCARD:
        return
    # Only a kan that the rules allow could have been made.
    if kan_of(table, seat, kind) != state.ANKAN:
        return
    if against_kan(table, state.ANKAN, seat, kind, desk.rules, desk.shapes):
        return
    offer, after_kan, supplement = table.offer, table.after_kan, table.supplement[seat]
    ippatsu, drawn = table.ippatsu[seat], int(table.drawn[seat])
    # As others' discards and later draws will be: no luck of this turn counts.
    table.offer, table.after_kan, table.supplement[seat], table.ippatsu[seat] = state.DISCARD, 0, 0, 0
    effect, before, after = effect_of(desk, seat, kind, drawn)
    table.offer, table.after_kan, table.supplement[seat] = offer, after_kan, supplement
    table.ippatsu[seat] = ippatsu
    # One-sided effects only, if new dora do not make up for them.
    if is_kan and effect == LOWERED and after < before:
        code = codes.KAN_LOWERS
    elif not is_kan and effect == RAISED and after > before:
        code = codes.RAISING_KAN_PASSED
    else:
        return
    row = desk.review.rows[found(desk, code, seat, tile)]
    row[FOUND.better] = kind
    row[FOUND.value], row[FOUND.better_value] = (after, before) if is_kan else (before, after)
    row[FOUND.cost] = abs(before - after)


@kernel
def effect_of(desk: ReviewDesk, seat: int, kind: int, drawn: int) -> tuple[int, int, int]:
    """Return whether a kan lowers or raises every win, or 0, and the mean of a ron without it and with it."""
    table = desk.table
    lower = higher = total = before = after = 0
    waits = int(table.waits[seat])
    for wait in range(34):
        live = 4 - state.seen_by(table, seat, wait) if waits >> wait & 1 else 0
        if live <= 0:
            continue
        # The hand as it stays without the kan.
        state.drop(table, seat, drawn)
        tsumo, ron = own_draw(desk, seat, wait), priced(desk, seat, wait, 0)
        state.take(table, seat, drawn)
        # The same wait with the kan, before new dora and with them on average.
        reds = lay(table, seat, kind)
        tsumo_then, ron_then = own_draw(desk, seat, wait), priced(desk, seat, wait, 0)
        lower += (tsumo_then < tsumo) + (ron_then < ron)
        higher += (tsumo_then > tsumo) + (ron_then > ron)
        total += live
        before += live * ron
        after += live * mean_with_new_dora(desk, seat, wait)
        take_back(table, seat, kind, reds)
    # Better in one way and worse in another: no verdict.
    if total == 0 or (lower > 0) == (higher > 0):
        return 0, 0, 0
    return LOWERED if lower else RAISED, before // total, after // total


@kernel
def priced(desk: ReviewDesk, seat: int, wait: int, more: int) -> int:
    """Return the points of a ron on a kind with ``more`` dora, without honba, sticks and ura dora."""
    desk.scoring.work.unseen = more
    would_gain(desk, seat, (seat + 1) % desk.rules.players, wait)
    desk.scoring.work.unseen = 0
    return int(desk.review.memory.points)


@kernel
def own_draw(desk: ReviewDesk, seat: int, wait: int) -> int:
    """Return the points of a tsumo on a kind, likewise."""
    desk.table.counts[seat, wait] += 1
    would_gain(desk, seat, seat, wait)
    desk.table.counts[seat, wait] -= 1
    return int(desk.review.memory.points)


@kernel
def lay(table: TableState, seat: int, kind: int) -> int:
    """Lay a closed kan, as far as the value of the hand depends on it; returns its red fives."""
    reds, number = 0, table.meld_count[seat]
    # Red fives count as those of a meld then.
    if kind in (4, 13, 22):
        reds = int(table.held[seat, 34 + kind // 9])
        table.held[seat, 34 + kind // 9] = 0
    table.meld_reds[seat] += reds
    table.counts[seat, kind] = 0
    table.melded[seat, kind] += 4
    table.meld_kinds[seat, number], table.meld_types[seat, number] = kind, state.ANKAN
    table.meld_count[seat] += 1
    return reds


@kernel
def take_back(table: TableState, seat: int, kind: int, reds: int) -> None:
    """Undo what :func:`lay` did."""
    table.meld_count[seat] -= 1
    table.melded[seat, kind] -= 4
    table.counts[seat, kind] = 4
    table.meld_reds[seat] -= reds
    if kind in (4, 13, 22):
        table.held[seat, 34 + kind // 9] = reds


@kernel
def mean_with_new_dora(desk: ReviewDesk, seat: int, wait: int) -> int:
    """Return the mean points of a ron on a kind over the new indicator and the tile below it.

    Both are any two of the tiles that the player does not see, as far as the rules turn them.
    """
    table, rules = desk.table, desk.rules
    has_dora = rules.dora != 0 and rules.kan_dora != 0
    has_ura = has_dora and rules.ura_dora != 0 and rules.kan_ura_dora != 0
    if not has_dora:
        return priced(desk, seat, wait, 0)
    # In how many ways the two tiles bring how many dora.
    weights = desk.review.memory.new_dora
    weights[:] = 0
    for first in range(34):
        unseen = left_of(table, seat, first, wait, rules)
        if unseen <= 0:
            continue
        brought = brings(table, seat, first, wait, rules)
        if not has_ura:
            weights[brought] += unseen
            continue
        for second in range(34):
            others = left_of(table, seat, second, wait, rules) - (first == second)
            if others > 0:
                more = min(MOST_NEW - 1, brought + brings(table, seat, second, wait, rules))
                weights[more] += unseen * others
    # A hand is priced once for each number of dora.
    total = worth = 0
    for more in range(MOST_NEW):
        if weights[more]:
            total += weights[more]
            worth += weights[more] * priced(desk, seat, wait, more)
    return int(worth // max(1, total))


@kernel
def left_of(table: TableState, seat: int, kind: int, wait: int, rules: KernelRules) -> int:
    """Return how many tiles of a kind may be an indicator, once one of ``wait`` has won."""
    if rules.players == 3 and 1 <= kind <= 7:
        return 0
    return 4 - state.seen_by(table, seat, kind) - (kind == wait)


@kernel
def brings(table: TableState, seat: int, indicator: int, wait: int, rules: KernelRules) -> int:
    """Return how many dora an indicator makes of a hand that wins on ``wait``."""
    kind = int(dora_of(indicator, rules.players))
    norths = table.norths[seat] if kind == state.NORTH else 0
    return int(table.counts[seat, kind] + table.melded[seat, kind] + norths + (kind == wait))
