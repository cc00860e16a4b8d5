"""The review of a player's own discard: into furiten, at riichi, in silence."""

from __future__ import annotations

from paifu.replay.kernels import codes
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.legal import against_stake, discardable
from paifu.replay.kernels.review_findings import found, is_yakuless, would_gain
from paifu.replay.kernels.review_furiten import tell_furiten
from paifu.replay.kernels.review_layout import (
    RIICHI_THREAT,
    WIDE,
    WIDER,
    ReviewDesk,
)
from paifu.replay.kernels.rows import FOUND
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.shapes import POWERS, drawable_kinds, shanten, waits
from paifu.replay.kernels.table_state import TableState, kind_of


@kernel
def keys_of(table: TableState, seat: int, more: int, less: int) -> tuple[int, int, int, int]:
    """Return the suit keys of a hand with a tile of kind ``more``, and without one of ``less`` (-1: none)."""
    keys = table.keys[seat]
    man, pin, sou, honour = keys[0], keys[1], keys[2], keys[3]
    if more == less:
        return man, pin, sou, honour
    # Each kind has its digit in the key of its suit.
    for kind, sign in ((more, 1), (less, -1)):
        power = sign * POWERS[kind % 9]
        man += power if 0 <= kind < 9 else 0
        pin += power if 9 <= kind < 18 else 0
        sou += power if 18 <= kind < 27 else 0
        honour += power if kind >= 27 else 0
    return man, pin, sou, honour


@kernel
def waits_without(desk: ReviewDesk, seat: int, kind: int, other: int) -> int:
    """Return the waits had ``seat`` not discarded ``kind`` but ``other``."""
    table, shapes = desk.table, desk.shapes
    man, pin, sou, honour = keys_of(table, seat, kind, other)
    drawable = drawable_kinds(table.counts[seat], table.melded[seat], shapes) | (1 << other & shapes.kinds)
    # With the tile back in hand it may have all four, and wait for none of them.
    if table.counts[seat, kind] + table.melded[seat, kind] == 3:
        drawable &= ~(1 << kind)
    melds = table.meld_count[seat]
    return waits(man, pin, sou, honour, melds, desk.rules.forms, drawable, shapes)


@kernel
def shanten_without(desk: ReviewDesk, seat: int, kind: int, other: int) -> int:
    """Return the shanten had ``seat`` not discarded ``kind`` but ``other`` (-1: nothing)."""
    man, pin, sou, honour = keys_of(desk.table, seat, kind, other)
    return shanten(man, pin, sou, honour, desk.table.meld_count[seat], desk.rules.forms, desk.shapes)


@kernel
def follow_folding(desk: ReviewDesk, seat: int, kind: int) -> None:
    """Keep in mind which discard under threat gave up shanten, until the hand has it back."""
    memory = desk.review.memory
    # Tenpai gives nothing up.
    if desk.table.waits[seat]:
        memory.folded[seat] = 0
        return
    now = shanten_without(desk, seat, kind, kind)
    # A fold is over once the hand is as near to tenpai as before.
    if memory.folded[seat]:
        if now <= memory.best_shanten[seat]:
            memory.folded[seat] = 0
        return
    # It begins with a discard that leaves the hand farther away.
    had = shanten_without(desk, seat, kind, -1)
    if now > had:
        memory.folded[seat], memory.best_shanten[seat] = desk.notes.counts[2] + 1, had


@kernel
def tenpai_discard(desk: ReviewDesk, seat: int, tile: int) -> None:
    """Look at a discard that leaves the hand tenpai: furiten, riichi or the lack of it."""
    table, rules, memory = desk.table, desk.rules, desk.review.memory
    mask = table.waits[seat]
    by_river = mask & table.river_kinds[seat]
    silent = False
    if table.declaring[seat]:
        declared(desk, seat, tile, by_river)
    elif by_river and memory.tsumo == 0 and not memory.waits & memory.river:
        # Its own discards forbid ron now, and did not before: another one would have kept it.
        better, more = not_furiten(desk, seat, kind_of(tile))
        if better != state.NOBODY:
            row = desk.review.rows[found(desk, codes.INTO_FURITEN, seat, tile)]
            tell_furiten(desk, seat, row)
            row[FOUND.better], row[FOUND.better_live] = better, more
    elif not by_river and not table.open_melds[seat]:
        # Neither riichi nor a yaku, though riichi was allowed, live, and nobody else's.
        silent = against_stake(table, seat, rules) == 0
        for other in range(rules.players):
            silent = silent and (other == seat or memory.threat[other] != RIICHI_THREAT)
        silent = silent and state.live_copies(table, mask, seat) > 0
        silent = silent and is_yakuless(desk, seat, (seat + 1) % rules.players)
    # A first such discard may wait for a better shape; the second in a row is told.
    memory.dama[seat] = memory.dama[seat] + 1 if silent else 0
    if memory.dama[seat] == 2:
        found(desk, codes.NO_RIICHI_NO_YAKU, seat, tile)


@kernel
def not_furiten(desk: ReviewDesk, seat: int, tile: int) -> tuple[int, int]:
    """Return the kind of the discard that keeps tenpai out of furiten with the most live tiles, and those.

    (NOBODY, 0) when there is none.
    """
    table, memory, best, most = desk.table, desk.review.memory, state.NOBODY, 0
    kinds = discardable(table.counts[seat], memory.kuikae | 1 << tile)
    for other in range(34):
        if kinds >> other & 1 == 0:
            continue
        # Nothing that it would wait for may lie in the river then.
        mask = waits_without(desk, seat, tile, other)
        if mask & (memory.river | 1 << other):
            continue
        count = state.live_copies(table, mask, seat)
        if count > most:
            best, most = other, count
    return best, most


@kernel
def declared(desk: ReviewDesk, seat: int, tile: int, by_river: int) -> None:
    """Look at a riichi: furiten, a dead wait, or a better discard at hand."""
    table, review, kind = desk.table, desk.review, kind_of(tile)
    if by_river:
        row = review.rows[found(desk, codes.RIICHI_IN_FURITEN, seat, tile)]
        tell_furiten(desk, seat, row)
        row[FOUND.better], row[FOUND.better_live] = not_furiten(desk, seat, kind)
        # So wide a wait may do without ron, where nothing else was there.
        if row[FOUND.better] == state.NOBODY and row[FOUND.live] >= WIDE:
            row[FOUND.is_note] = 1
    # A wait of which the player sees every tile.
    own_live = state.live_copies(table, table.waits[seat], seat)
    if own_live == 0:
        found(desk, codes.RIICHI_ON_NOTHING, seat, tile)
    # Another discard: more live tiles, no furiten, and as hard to read as this one.
    best, most, value, own_value = -1, own_live + WIDER - 1, 0, -1
    trap = is_trap(table, table.waits[seat], seat, review.memory.river | 1 << kind)
    kinds = discardable(table.counts[seat], 1 << kind)
    for other in range(34):
        if kinds >> other & 1 == 0:
            continue
        mask = waits_without(desk, seat, kind, other)
        count = state.live_copies(table, mask, seat)
        if count <= most or mask & (review.memory.river | 1 << other):
            continue
        if trap and not is_trap(table, mask, seat, review.memory.river | 1 << other):
            continue
        if own_value < 0:
            own_value = mean_value(desk, table.waits[seat], seat)
        # It must be worth as much, so the hand is priced as it would lie.
        held = other
        if table.held[seat, other] == 0:
            held = 34 + other // 9
        seen = table.river[kind]
        state.take(table, seat, tile)
        state.drop(table, seat, held)
        table.river[kind] -= 1
        table.river[other] += 1
        other_value = mean_value(desk, mask, seat)
        table.river[other] -= 1
        table.river[kind] = seen
        state.take(table, seat, held)
        state.drop(table, seat, tile)
        if other_value >= own_value:
            best, most, value = other, count, other_value
    if best >= 0:
        row = review.rows[found(desk, codes.BETTER_RIICHI, seat, tile)]
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
def mean_value(desk: ReviewDesk, mask: int, seat: int) -> int:
    """Return what a ron on one of the live tiles of ``mask`` is worth on average, without honba and sticks.

    A five counts as a red one where the player holds all that are not.
    """
    table, rules = desk.table, desk.rules
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
                would_gain(desk, seat, (seat + 1) % rules.players, tile)
                total += copies * desk.review.memory.points
                count += copies
    return total // max(1, count)
