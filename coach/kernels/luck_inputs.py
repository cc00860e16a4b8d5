"""What the value of a moment is estimated from: shapes, acceptance, prices and danger of all four hands.

Everything rests on the hands as they are, hidden ones too, and on the tiles that were not drawn or shown.
What takes long is kept while a hand stays as it is.
"""

from __future__ import annotations

from paifu.coach.kernels import luck_layout
from paifu.coach.kernels.luck_layout import LuckMind, LuckState
from paifu.coach.kernels.simulator_choices import han_of_triplet
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import F32, I64
from paifu.replay.kernels.legal import furiten
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.scoring import dora_of, points_kernel
from paifu.replay.kernels.shapes import POWERS, acceptance, drawable_kinds, shanten
from paifu.replay.kernels.table_state import TableState, copies, kind_of, note_counts
from paifu.replay.kernels.wins import base_of, own_dora, reds_of, riichi_of

GUESSES = (700, 1300, 2600, 5200, 7700, 8000, 12000, 12000, 16000)
"""Points of a hand of no han that is not complete, of one, and so on."""


@kernel
def count_pool(table: TableState, mind: LuckMind, back: int, rules: KernelRules) -> None:
    """Count the tiles that might come, with ``back``, the one that came (NOBODY for none)."""
    mind.kinds[:] = 0
    size = 0
    for tile in range(37):
        number = copies(tile, rules) - int(table.seen[tile]) + (tile == back)
        mind.pool[tile] = number
        mind.kinds[kind_of(tile)] += number
        size += number
    mind.pool_size = size


@kernel
def live(mind: LuckMind, mask: int) -> int:
    """Count the tiles of some kinds that may be drawn."""
    number = 0
    for kind in range(34):
        if mask >> kind & 1:
            number += int(mind.kinds[kind])
    return number


@kernel
def forget(mind: LuckMind) -> None:
    """Forget the hands of the hand before."""
    for seat in range(4):
        mind.melds[seat] = mind.priced[seat] = -1


@kernel
def look_at_hands(desk: LuckState) -> None:
    """Work out all hands, of 3n + 1 tiles each."""
    table, mind, rules, shapes = desk.table, desk.mind, desk.rules, desk.shapes
    mind.dora_times[:] = 0
    for i in range(table.turned):
        if rules.dora and table.indicators[i] < 34:
            mind.dora_times[dora_of(int(table.indicators[i]), rules.players)] += 1
    for seat in range(rules.players):
        # Shape and acceptance, unless the hand is as it was.
        keys, known = table.keys[seat], mind.keys[seat]
        same = mind.melds[seat] == table.meld_count[seat]
        for suit in range(4):
            same = same and keys[suit] == known[suit]
            known[suit] = keys[suit]
        if not same:
            mind.melds[seat], mind.priced[seat], mind.looked[seat] = table.meld_count[seat], -1, 0
            mind.shanten[seat], mind.accepted[seat] = acceptance(
                keys[0], keys[1], keys[2], keys[3], table.meld_count[seat], rules.forms,
                drawable_kinds(table.counts[seat], table.melded[seat], shapes), shapes,
            )  # fmt: skip
        # Han and prices, unless what they rest on is as it was.
        mark = table.riichi[seat] * 64 + table.kita[seat] * 8 + table.turned
        if mind.priced[seat] != mark:
            mind.priced[seat] = mark
            count_han(table, mind, seat, rules)
            if mind.shanten[seat] <= 0:
                price_waits(desk, seat)
        # What it can win by ron.
        mind.waits[seat] = 0
        if mind.shanten[seat] <= 0 and not furiten(table, seat):
            for kind in range(34):
                if mind.accepted[seat] >> kind & 1 and mind.ron[seat, kind] > 0:
                    mind.waits[seat] |= 1 << kind


@kernel
def count_han(table: TableState, mind: LuckMind, seat: int, rules: KernelRules) -> None:
    """Count what a hand has whatever its shape: dora, yakuhai, outside tiles, one suit and honours."""
    counts, melded = table.counts[seat], table.melded[seat]
    total = table.kita[seat] + reds_of(table, seat)
    outside = triplets = pairs = honours = most = tiles = 0
    for kind in range(34):
        number = int(counts[kind]) + int(melded[kind])
        if kind < 27 and kind % 9 == 0:
            tiles = 0
        tiles += number
        if kind < 27 and kind % 9 == 8:
            most = max(most, tiles)
        if number == 0:
            continue
        total += number * int(mind.dora_times[kind])
        if state.YAOCHUU >> kind & 1:
            outside += number
        if kind >= 27:
            honours += number
            worth = han_of_triplet(table, seat, kind, rules)
            if number >= 3:
                triplets += worth
            elif number == 2:
                pairs += worth
    mind.dora[seat], mind.triplets[seat], mind.pairs[seat] = total, triplets, pairs
    mind.outside[seat], mind.suit[seat] = outside, most + honours


@kernel
def points_of(desk: LuckState, seat: int, kind: int, situation: int, extra: int) -> int:
    """Return the base points of a hand that wins with ``mind.counts`` and ``extra`` han; 0 for none."""
    table, rules, counts = desk.table, desk.rules, desk.mind.counts
    dora = own_dora(table, seat, counts, rules) + extra
    return int(max(0, base_of(table, seat, counts, kind, situation, dora, rules, desk.scoring)))


@kernel
def price_waits(desk: LuckState, seat: int) -> None:
    """Score a tenpai hand on each kind that it waits for."""
    table, mind = desk.table, desk.mind
    counts = mind.counts
    situation = riichi_of(table, seat) if table.riichi[seat] else 0
    note_counts(table, seat, counts)
    mind.ron[seat] = 0
    mind.tsumo[seat] = 0
    for kind in range(34):
        if mind.accepted[seat] >> kind & 1:
            counts[kind] += 1
            mind.ron[seat, kind] = points_of(desk, seat, kind, situation, 0)
            mind.tsumo[seat, kind] = points_of(desk, seat, kind, situation | layout.TSUMO, 0)
            counts[kind] -= 1


@kernel
def look_ahead(desk: LuckState, seat: int) -> None:
    """Find the best discard after each draw that lowers shanten to 1 or to tenpai."""
    table, mind, rules, shapes = desk.table, desk.mind, desk.rules, desk.shapes
    mind.looked[seat] = 1
    now = mind.shanten[seat]
    if now < 1 or now > 2:
        return
    keys, called = mind.keys[seat], table.meld_count[seat]
    drawable = drawable_kinds(table.counts[seat], table.melded[seat], shapes)
    for kind in range(34):
        mind.after[seat, kind] = mind.after_base[seat, kind] = 0
        if mind.accepted[seat] >> kind & 1 == 0:
            continue
        keys[kind // 9] += POWERS[kind % 9]
        best, thrown = -1, 0
        # Of the discards that keep the new shanten, the one with the most live tiles.
        for other in range(34):
            if table.counts[seat, other] == 0 or other == kind:
                continue
            keys[other // 9] -= POWERS[other % 9]
            if shanten(keys[0], keys[1], keys[2], keys[3], called, rules.forms, shapes) == now - 1:
                left = drawable | 1 << other
                if table.counts[seat, kind] + table.melded[seat, kind] == 3:
                    left &= ~(1 << kind)
                mask = acceptance(keys[0], keys[1], keys[2], keys[3], called, rules.forms, left, shapes)[1]
                number = live(mind, mask)
                if number > best:
                    best, thrown = number, other
                    mind.after[seat, kind] = mask
            keys[other // 9] += POWERS[other % 9]
        keys[kind // 9] -= POWERS[kind % 9]
        if now == 1 and best >= 0:
            mind.after_base[seat, kind] = price_after(desk, seat, kind, thrown)


@kernel
def price_after(desk: LuckState, seat: int, drawn: int, thrown: int) -> int:
    """Return the mean base points, in riichi if closed, of the tenpai hand after a draw and a discard."""
    table, mind = desk.table, desk.mind
    counts = mind.counts
    note_counts(table, seat, counts)
    counts[drawn] += 1
    counts[thrown] -= 1
    situation = 0 if table.open_melds[seat] else layout.RIICHI
    total = tiles = 0
    for kind in range(34):
        if mind.after[seat, drawn] >> kind & 1 and mind.kinds[kind]:
            counts[kind] += 1
            base = points_of(desk, seat, kind, situation, 0)
            counts[kind] -= 1
            total += base * int(mind.kinds[kind])
            tiles += int(mind.kinds[kind])
    return total // tiles if tiles else 0


@kernel
def ron_points(desk: LuckState, seat: int, payer: int, base: int) -> int:
    """Return what ``payer`` pays for a hand of some base points, without honba."""
    return int(points_kernel(base, seat, payer, desk.table.dealer, desk.scoring.work.params)) if base else 0


@kernel
def describe(
    desk: LuckState,
    seat: int,
    now: int,
    share: float,
    ron: float,
    tsumo: float,
    dora: int,
    triplets: int,
    pairs: int,
    out: F32,
) -> None:
    """Write a seat's block. ``share`` of the tiles lower shanten ``now``; ``ron`` and ``tsumo`` in points."""
    table, mind = desk.table, desk.mind
    left = float(table.live)
    out[:] = 0
    out[luck_layout.S_SHANTEN + min(max(now, 0), 4)] = 1
    if now <= 3:
        out[luck_layout.S_SHARE + max(now, 0)] = 4 * share
    closed = table.open_melds[seat] == 0
    dealer = seat == table.dealer
    suit = mind.suit[seat]
    han = dora + triplets + int(closed) + (2 if suit >= 12 else 0)
    guess = GUESSES[min(han, 8)] / luck_layout.POINTS * (1.5 if dealer else 1.0)
    if now <= 0:
        out[luck_layout.S_ANY_DRAW] = 1 - (1 - share) ** left
        out[luck_layout.S_OWN_DRAW] = 1 - (1 - share) ** (left / 4)
        out[luck_layout.S_FURITEN] = furiten(table, seat)
        out[luck_layout.S_RON] = ron / luck_layout.POINTS
        out[luck_layout.S_TSUMO] = tsumo / luck_layout.POINTS
        out[luck_layout.S_RON_CHANCE] = out[luck_layout.S_ANY_DRAW] * ron / luck_layout.POINTS
        out[luck_layout.S_NO_YAKU] = ron == 0
    out[luck_layout.S_RIICHI] = table.riichi[seat] != 0
    out[luck_layout.S_OPEN] = not closed
    out[luck_layout.S_MELDS] = table.meld_count[seat] / 2
    out[luck_layout.S_DEALER] = dealer
    out[luck_layout.S_DORA] = dora / 3
    out[luck_layout.S_TRIPLETS] = triplets
    out[luck_layout.S_PAIRS] = pairs
    out[luck_layout.S_GUESS] = guess
    out[luck_layout.S_GUESS_1] = guess * int(now == 1)
    out[luck_layout.S_GUESS_2] = guess * int(now == 2)
    out[luck_layout.S_GUESS_SHARE] = 4 * guess * share * int(now == 1)
    out[luck_layout.S_OUTSIDE] = mind.outside[seat] / 6
    out[luck_layout.S_SUIT] = max(0, suit - 8) / 3
    out[luck_layout.S_IPPATSU] = table.ippatsu[seat]


@kernel
def describe_as_it_is(desk: LuckState, seat: int, out: F32) -> None:
    """Write a seat's block with its hand as it is."""
    mind = desk.mind
    share = live(mind, mind.accepted[seat]) / max(1, mind.pool_size)
    ron = tsumo = 0.0
    if mind.shanten[seat] <= 0:
        ron = mean_points(desk, seat, mind.ron[seat])
        tsumo = mean_points(desk, seat, mind.tsumo[seat])
    describe(
        desk,
        seat,
        mind.shanten[seat],
        share,
        ron,
        tsumo,
        mind.dora[seat],
        mind.triplets[seat],
        mind.pairs[seat],
        out,
    )


@kernel
def mean_points(desk: LuckState, seat: int, bases: I64) -> float:
    """Return the mean points of a tenpai hand over the tiles that it waits for."""
    mind = desk.mind
    total = tiles = 0
    for kind in range(34):
        if mind.accepted[seat] >> kind & 1 and mind.kinds[kind]:
            number = int(mind.kinds[kind])
            total += number * bases[kind]
            tiles += number
    times = 6.0 if seat == desk.table.dealer else 4.0
    return times * total / tiles if tiles else 0.0
