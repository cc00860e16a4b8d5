"""Hidden hands as a player could expect them, drawn by a Markov chain over the tiles that it does not see.

A deal of the unseen tiles has a weight: a sum over hands of what their tiles, their shanten, and in tenpai
their waits make more or less likely. The chain swaps tiles between hands and wall and visits deals as often
as their weights say. Hands in riichi may leave tenpai in between, so that the chain moves on; a deal counts
only while all of them are tenpai on kinds that nobody has discarded safely.
"""

from __future__ import annotations

import math

from paifu.replay.kernels.arrays import F64, F64_2D, F64_3D, I64, I64_2D, I64_3D, U8, U8_3D
from paifu.replay.kernels.records import Record, cells
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.shapes import POWERS, ShapeTables, shanten, waits
from paifu.replay.kernels.table_state import NOBODY, kind_of

TILES, RED = 37, 34
SEVEN_PAIRS, TANKI, KANCHAN, PENCHAN, SHANPON, RYANMEN, MANY, WAIT_TYPES = 0, 1, 2, 3, 4, 5, 6, 7
"""Sorts of waits; MANY are those of three kinds and more, and two ends of which either makes the pair."""
SHANTENS = 7
IMPOSSIBLE = -1e9
_LEARNT = 3
"""While it warms up, the chain learns to visit shanten 1, 2 and all from 3 on of a hand in riichi equally
often, and tenpai twice as often."""
_CHECKED = 40
"""Steps between looks at whether the deal counts."""
_PATIENCE = 40
"""How many times longer than usual the chain goes on for a deal that counts."""


class Chain(Record):
    """What the chain follows, and where it is. Rows of four are by seat."""

    random: int
    forms: int
    """What wins besides the usual; see ``rules.KernelRules``."""
    size: I64 = cells(4)
    """Concealed tiles of hidden hands, 0 of the seat that does not see them."""
    melds: I64 = cells(4)
    ready: I64 = cells(4)
    """1 where a hand must be tenpai."""
    safe: I64 = cells(4)
    """Kinds that a hand does not wait for, as bits."""
    by_tile: F64_3D = cells(4, 34, 5)
    """What makes a hand more or less likely: copies of each kind."""
    by_red: F64 = cells(4)
    by_shanten: F64_2D = cells(4, SHANTENS)
    """Of hands that must be tenpai, it changes while the chain warms up."""
    by_wait: F64_2D = cells(4, 34)
    by_type: F64_2D = cells(4, WAIT_TYPES)
    counts: I64_2D = cells(4, 34)
    keys: I64_2D = cells(4, 4)
    shanten: I64 = cells(4)
    sort: I64 = cells(4)
    """Of the wait."""
    mask: I64 = cells(4)
    """Kinds waited for."""
    worth: F64 = cells(4)
    """Of its shanten and wait."""
    old_shanten: I64 = cells(2)
    """Of the two hands that change tiles, before they did."""
    old_sort: I64 = cells(2)
    old_mask: I64 = cells(2)
    old_worth: F64 = cells(2)


@kernel
def draw_random(chain: Chain, below: int) -> int:
    """Return a random number from 0 to one less than ``below``."""
    chain.random = chain.random * 48271 % 2147483647
    return int((chain.random >> 3) % below)


@kernel
def put(chain: Chain, seat: int, tile: int, number: int) -> None:
    """Add ``number`` (1 or -1) of a tile to a hand."""
    kind = int(kind_of(tile))
    chain.counts[seat, kind] += number
    chain.keys[seat, kind // 9] += number * POWERS[kind % 9]


@kernel
def pairs_up(chain: Chain, seat: int, kind: int, shapes: ShapeTables) -> bool:
    """Return whether a tenpai hand stays so with another lone tile in place of one of ``kind``."""
    lone = 27
    while lone < 33 and (chain.counts[seat, lone] or lone == kind):
        lone += 1
    put(chain, seat, kind, -1)
    put(chain, seat, lone, 1)
    keys = chain.keys[seat]
    less = shanten(keys[0], keys[1], keys[2], keys[3], chain.melds[seat], chain.forms, shapes)
    put(chain, seat, lone, -1)
    put(chain, seat, kind, 1)
    return less == 0


@kernel
def wait_type(chain: Chain, seat: int, mask: int, shapes: ShapeTables) -> int:
    """Return the sort of a wait, from its kinds and the hand."""
    counts = chain.counts[seat]
    pairs = number = 0
    first = last = -1
    for kind in range(34):
        pairs += counts[kind] == 2
        if mask >> kind & 1:
            number += 1
            first = kind if first < 0 else first
            last = kind
    if number == 1:
        if chain.melds[seat] == 0 and pairs == 6:
            return SEVEN_PAIRS
        if counts[first] and pairs_up(chain, seat, first, shapes):
            return TANKI
        rank = first % 9
        between = 0 < rank < 8 and counts[first - 1] > 0 and counts[first + 1] > 0
        return PENCHAN if rank in (2, 6) and not between else KANCHAN
    if number == 2:
        if last - first == 3 and first < 27:
            alone = counts[first] and pairs_up(chain, seat, first, shapes)
            return MANY if alone else RYANMEN
        if counts[first] > 1 and counts[last] > 1:
            return SHANPON
    return MANY


@kernel
def look(chain: Chain, seat: int, shapes: ShapeTables) -> None:
    """Note the shanten and the wait of a hand, and what they are worth."""
    keys, melds, forms = chain.keys[seat], chain.melds[seat], chain.forms
    found = int(shanten(keys[0], keys[1], keys[2], keys[3], melds, forms, shapes))
    chain.shanten[seat] = min(found, SHANTENS - 1)
    chain.mask[seat], chain.sort[seat] = 0, MANY
    chain.worth[seat] = chain.by_shanten[seat, chain.shanten[seat]]
    if found:
        return
    drawable = shapes.kinds
    for kind in range(34):
        if chain.counts[seat, kind] == 4:
            drawable &= ~(1 << kind)
    mask = waits(keys[0], keys[1], keys[2], keys[3], melds, forms, drawable, shapes)
    chain.mask[seat] = mask
    if mask == 0 or mask & chain.safe[seat]:
        chain.worth[seat] = IMPOSSIBLE
        return
    chain.sort[seat] = wait_type(chain, seat, mask, shapes)
    chain.worth[seat] += chain.by_type[seat, chain.sort[seat]]
    for kind in range(34):
        if mask >> kind & 1:
            chain.worth[seat] += chain.by_wait[seat, kind]


@kernel
def exchange(chain: Chain, tiles: U8, owner: U8, one: int, other: int) -> float:
    """Swap two tiles, and return what the hands gain by the tiles they then hold."""
    gain, by_tile = 0.0, chain.by_tile
    for turn in range(2):
        taken, given = (one, other) if turn == 0 else (other, one)
        seat = int(owner[taken])
        if seat == NOBODY:
            continue
        old, new = int(kind_of(int(tiles[taken]))), int(kind_of(int(tiles[given])))
        counts = chain.counts[seat]
        gain -= by_tile[seat, old, counts[old]] + by_tile[seat, new, counts[new]] if old != new else 0.0
        put(chain, seat, int(tiles[taken]), -1)
        put(chain, seat, int(tiles[given]), 1)
        gain += by_tile[seat, old, counts[old]] + by_tile[seat, new, counts[new]] if old != new else 0.0
        gain += chain.by_red[seat] * (int(tiles[given] >= RED) - int(tiles[taken] >= RED))
    tiles[one], tiles[other] = tiles[other], tiles[one]
    return gain


@kernel
def all_ready(chain: Chain) -> bool:
    """Return whether all hands are tenpai that must be."""
    waiting = 0
    for seat in range(4):
        waiting += chain.ready[seat] and chain.shanten[seat] > 0
    return waiting == 0


@entry
def believe(
    chain: Chain, tiles: U8, owner: U8, shapes: ShapeTables, warm_up: int, steps: int, out: U8_3D,
    found: I64_3D,
) -> int:  # fmt: skip
    """Draw deals of the unseen ``tiles``; returns how many of ``out`` (deals, 4, 13) there are.

    owner: (tiles,) the seat that each lies with at first, NOBODY for the wall. ``steps`` lie between two
    deals. found: (deals, 4, 3) shanten, sort of wait and wait of each hand.
    """
    chain.counts[:] = 0
    chain.keys[:] = 0
    chain.worth[:] = 0
    held = made = 0
    for i in range(len(tiles)):
        if owner[i] != NOBODY:
            put(chain, int(owner[i]), int(tiles[i]), 1)
            held = i + 1
    for seat in range(4):
        if chain.size[seat]:
            look(chain, seat, shapes)
    since = -warm_up
    # Warming up, learn how likely riichi hands leave tenpai; then keep each deal that counts.
    for step in range(warm_up + _PATIENCE * steps * len(out)):
        since += 1
        if step < warm_up:
            change = 0.05 - 0.04 * step / warm_up
            for seat in range(4):
                if chain.ready[seat]:
                    level = min(_LEARNT, int(chain.shanten[seat]))
                    less = change * (0.5 if level == 0 else 1.0)
                    for other in range(level, SHANTENS if level == _LEARNT else level + 1):
                        chain.by_shanten[seat, other] -= less
                    chain.worth[seat] -= less
        elif since >= steps and since % _CHECKED == 0 and all_ready(chain):
            at = 0
            for seat in range(4):
                for i in range(chain.size[seat]):
                    out[made, seat, i] = tiles[at]
                    at += 1
                found[made, seat, 0], found[made, seat, 1] = chain.shanten[seat], chain.sort[seat]
                found[made, seat, 2] = chain.mask[seat]
            made += 1
            since = 0
            if made == len(out):
                break
        # A tile of a hand changes places with another one.
        one, other = draw_random(chain, held), draw_random(chain, len(tiles))
        mover, giver = int(owner[one]), int(owner[other])
        if mover == giver or tiles[one] == tiles[other]:
            continue
        third = fourth = -1
        if giver == NOBODY and draw_random(chain, 3) == 0:
            # two tiles at once, so that pairs move
            third, fourth = draw_random(chain, held), held + draw_random(chain, len(tiles) - held)
            if owner[third] != mover or third == one or fourth == other:
                third = -1
        gain = exchange(chain, tiles, owner, one, other)
        if third >= 0:
            gain += exchange(chain, tiles, owner, third, fourth)
        # What both hands are worth now: take the deal, or put all back.
        for turn in range(2):
            seat = mover if turn == 0 else giver
            if seat != NOBODY:
                chain.old_shanten[turn], chain.old_sort[turn] = chain.shanten[seat], chain.sort[seat]
                chain.old_mask[turn], chain.old_worth[turn] = chain.mask[seat], chain.worth[seat]
                look(chain, seat, shapes)
                gain += chain.worth[seat] - chain.old_worth[turn]
        if gain >= 0 or gain > math.log((draw_random(chain, 1 << 24) + 0.5) / (1 << 24)):
            continue
        if third >= 0:
            exchange(chain, tiles, owner, third, fourth)
        exchange(chain, tiles, owner, one, other)
        for turn in range(2):
            seat = mover if turn == 0 else giver
            if seat != NOBODY:
                chain.shanten[seat], chain.sort[seat] = chain.old_shanten[turn], chain.old_sort[turn]
                chain.mask[seat], chain.worth[seat] = chain.old_mask[turn], chain.old_worth[turn]
    return made
