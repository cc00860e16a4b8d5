"""The review of a player's own discard: into furiten, at riichi, in silence."""

from __future__ import annotations

from paifu.replay.kernels import codes
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.legal import against_stake, discardable
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.review_findings import found, gain, is_yakuless
from paifu.replay.kernels.review_furiten import tell_furiten
from paifu.replay.kernels.review_layout import (
    RIICHI_THREAT,
    WIDE,
    WIDER,
    ReviewState,
)
from paifu.replay.kernels.rows import FOUND
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.shapes import ShapeTables, drawable_kinds, shanten, waits
from paifu.replay.kernels.table_state import TableState, kind_of
from paifu.replay.kernels.wins import Scoring


@kernel
def keys_of(table: TableState, seat: int, more: int, less: int) -> tuple[int, int, int, int]:
    """Return the suit keys of a hand with a tile of kind ``more``, and without one of ``less`` (-1: none)."""
    keys = table.keys[seat]
    man, pin, sou, honour = keys[0], keys[1], keys[2], keys[3]
    if more == less:
        return man, pin, sou, honour
    # Each kind has its digit in the key of its suit.
    for kind, sign in ((more, 1), (less, -1)):
        power = sign * 5 ** (kind % 9)
        man += power if 0 <= kind < 9 else 0
        pin += power if 9 <= kind < 18 else 0
        sou += power if 18 <= kind < 27 else 0
        honour += power if kind >= 27 else 0
    return man, pin, sou, honour


@kernel
def waits_without(
    table: TableState, seat: int, kind: int, other: int, rules: KernelRules, shapes: ShapeTables
) -> int:
    """Return the waits had ``seat`` not discarded ``kind`` but ``other``."""
    man, pin, sou, honour = keys_of(table, seat, kind, other)
    drawable = drawable_kinds(table.counts[seat], table.melded[seat], shapes) | (1 << other & shapes.kinds)
    # With the tile back in hand it may have all four, and wait for none of them.
    if table.counts[seat, kind] + table.melded[seat, kind] == 3:
        drawable &= ~(1 << kind)
    melds = table.meld_count[seat]
    return waits(man, pin, sou, honour, melds, rules.forms, drawable, shapes)


@kernel
def shanten_without(
    table: TableState, seat: int, kind: int, other: int, forms: int, shapes: ShapeTables
) -> int:
    """Return the shanten had ``seat`` not discarded ``kind`` but ``other`` (-1: nothing)."""
    man, pin, sou, honour = keys_of(table, seat, kind, other)
    return shanten(man, pin, sou, honour, table.meld_count[seat], forms, shapes)


@kernel
def follow_folding(
    table: TableState, seat: int, kind: int, event: int, forms: int, shapes: ShapeTables, review: ReviewState
) -> None:
    """Keep in mind which discard under threat gave up shanten, until the hand has it back."""
    memory = review.memory
    # Tenpai gives nothing up.
    if table.waits[seat]:
        memory.folded[seat] = 0
        return
    now = shanten_without(table, seat, kind, kind, forms, shapes)
    # A fold is over once the hand is as near to tenpai as before.
    if memory.folded[seat]:
        if now <= memory.best_shanten[seat]:
            memory.folded[seat] = 0
        return
    # It begins with a discard that leaves the hand farther away.
    had = shanten_without(table, seat, kind, -1, forms, shapes)
    if now > had:
        memory.folded[seat], memory.best_shanten[seat] = event + 1, had


@kernel
def tenpai_discard(
    table: TableState,
    seat: int,
    tile: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    review: ReviewState,
    notes: Notes,
) -> None:
    """Look at a discard that leaves the hand tenpai: furiten, riichi or the lack of it."""
    memory = review.memory
    mask = table.waits[seat]
    by_river = mask & table.river_kinds[seat]
    silent = False
    if table.declaring[seat]:
        declared(table, seat, tile, by_river, rules, shapes, scoring, review, notes)
    elif by_river and memory.tsumo == 0 and not memory.waits & memory.river:
        # Its own discards forbid ron now, and did not before: another one would have kept it.
        better, more = not_furiten(table, seat, kind_of(tile), rules, shapes, review)
        if better != state.NOBODY:
            row = review.rows[found(review, table, notes, codes.INTO_FURITEN, seat, tile)]
            tell_furiten(table, seat, review, row)
            row[FOUND.better], row[FOUND.better_live] = better, more
    elif not by_river and not table.open_melds[seat]:
        # Neither riichi nor a yaku, though riichi was allowed, live, and nobody else's.
        silent = against_stake(table, seat, rules) == 0
        for other in range(rules.players):
            silent = silent and (other == seat or memory.threat[other] != RIICHI_THREAT)
        silent = silent and state.live_copies(table, mask, seat) > 0
        silent = silent and is_yakuless(table, seat, (seat + 1) % rules.players, rules, scoring, review)
    # A first such discard may wait for a better shape; the second in a row is told.
    memory.dama[seat] = memory.dama[seat] + 1 if silent else 0
    if memory.dama[seat] == 2:
        found(review, table, notes, codes.NO_RIICHI_NO_YAKU, seat, tile)


@kernel
def not_furiten(
    table: TableState, seat: int, tile: int, rules: KernelRules, shapes: ShapeTables, review: ReviewState
) -> tuple[int, int]:
    """Return the kind of the discard that keeps tenpai out of furiten with the most live tiles, and those.

    (NOBODY, 0) when there is none.
    """
    best, most = state.NOBODY, 0
    kinds = discardable(table.counts[seat], review.memory.kuikae | 1 << tile)
    for other in range(34):
        if kinds >> other & 1 == 0:
            continue
        # Nothing that it would wait for may lie in the river then.
        mask = waits_without(table, seat, tile, other, rules, shapes)
        if mask & (review.memory.river | 1 << other):
            continue
        count = state.live_copies(table, mask, seat)
        if count > most:
            best, most = other, count
    return best, most


@kernel
def declared(
    table: TableState,
    seat: int,
    tile: int,
    by_river: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    review: ReviewState,
    notes: Notes,
) -> None:
    """Look at a riichi: furiten, a dead wait, or a better discard at hand."""
    kind = kind_of(tile)
    if by_river:
        row = review.rows[found(review, table, notes, codes.RIICHI_IN_FURITEN, seat, tile)]
        tell_furiten(table, seat, review, row)
        row[FOUND.better], row[FOUND.better_live] = not_furiten(table, seat, kind, rules, shapes, review)
        # So wide a wait may do without ron, where nothing else was there.
        if row[FOUND.better] == state.NOBODY and row[FOUND.live] >= WIDE:
            row[FOUND.is_note] = 1
    # A wait of which the player sees every tile.
    own_live = state.live_copies(table, table.waits[seat], seat)
    if own_live == 0:
        found(review, table, notes, codes.RIICHI_ON_NOTHING, seat, tile)
    # Another discard: more live tiles, no furiten, and as hard to read as this one.
    best, most, value, own_value = -1, own_live + WIDER - 1, 0, -1
    trap = is_trap(table, table.waits[seat], seat, review.memory.river | 1 << kind)
    kinds = discardable(table.counts[seat], 1 << kind)
    for other in range(34):
        if kinds >> other & 1 == 0:
            continue
        mask = waits_without(table, seat, kind, other, rules, shapes)
        count = state.live_copies(table, mask, seat)
        if count <= most or mask & (review.memory.river | 1 << other):
            continue
        if trap and not is_trap(table, mask, seat, review.memory.river | 1 << other):
            continue
        if own_value < 0:
            own_value = mean_value(table, table.waits[seat], seat, rules, scoring, review)
        # It must be worth as much, so the hand is priced as it would lie.
        held = other
        if table.held[seat, other] == 0:
            held = 34 + other // 9
        seen = table.river[kind]
        state.take(table, seat, tile)
        state.drop(table, seat, held)
        table.river[kind] -= 1
        table.river[other] += 1
        other_value = mean_value(table, mask, seat, rules, scoring, review)
        table.river[other] -= 1
        table.river[kind] = seen
        state.take(table, seat, held)
        state.drop(table, seat, tile)
        if other_value >= own_value:
            best, most, value = other, count, other_value
    if best >= 0:
        row = review.rows[found(review, table, notes, codes.BETTER_RIICHI, seat, tile)]
        row[FOUND.better], row[FOUND.better_live] = best, most
        row[FOUND.better_value], row[FOUND.value] = value, own_value


@kernel
def is_trap(table: TableState, mask: int, seat: int, river: int) -> bool:
    """Return whether a live tile of ``mask`` looks safe: an honour, or suji by ``river`` (bits)."""
    for kind in range(34):
        if mask >> kind & 1 and state.seen_by(table, seat, kind) < 4:
            # Sides from which a run may wait for it, though the river does not show it to be safe.
            rank, bare = kind % 9, 0
            for step in (-3, 3):
                if kind < 27 and 0 <= rank + step <= 8:
                    bare += 1 - (river >> kind + step & 1)
            if bare == 0:
                return True
    return False


@kernel
def mean_value(
    table: TableState, mask: int, seat: int, rules: KernelRules, scoring: Scoring, review: ReviewState
) -> int:
    """Return what a ron on one of the live tiles of ``mask`` is worth on average, without honba and sticks.

    A five counts as a red one where the player holds all that are not.
    """
    total = count = 0
    reds = (rules.red_man, rules.red_pin, rules.red_sou)
    for kind in range(34):
        if mask >> kind & 1:
            copies = 4 - state.seen_by(table, seat, kind)
            if copies > 0:
                # Only the red one may be left.
                tile = kind
                if kind in (4, 13, 22) and table.held[seat, kind] == 4 - reds[kind // 9]:
                    tile = 34 + kind // 9
                gain(table, seat, (seat + 1) % rules.players, tile, rules, scoring, review)
                total += copies * review.memory.points
                count += copies
    return total // max(1, count)
