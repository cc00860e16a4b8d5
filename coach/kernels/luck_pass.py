"""The pass over replayed hands that measures luck: what each chance node brought against its mean.

A value is given to each thing that might have come, before anything is known of what came. What came is then
compared with the mean under the exact law: every tile not drawn or shown is as likely as any other. So the
mean of the difference is zero however bad the values are.
"""

from __future__ import annotations

from paifu.coach.kernels import luck_layout
from paifu.coach.kernels.luck_inputs import (
    count_han,
    count_pool,
    describe,
    describe_as_it_is,
    forget,
    live,
    look_ahead,
    look_at_hands,
    points_of,
    ron_points,
)
from paifu.coach.kernels.luck_layout import LuckMind, LuckState
from paifu.coach.kernels.place_chances import seat_at
from paifu.coach.kernels.policy_network import cut, put
from paifu.coach.kernels.simulator_choices import han_of_triplet
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import F32, F64, I64, U8_2D
from paifu.replay.kernels.claims import EventClaims, HandClaims, WinClaims
from paifu.replay.kernels.legal import is_offered
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.replay import set_up, step
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.scoring import dora_of, payments_kernel
from paifu.replay.kernels.shapes import ShapeTables, acceptance, drawable_kinds
from paifu.replay.kernels.table_state import TableState, drop, kind_of, note_counts, take
from paifu.replay.kernels.wins import collects, riichi_of, situation_of


@kernel
def add_node(desk: LuckState, hand: int, event: int, sort: int, seat: int, tile: int) -> int:
    """Begin a node and return its row."""
    table, mind = desk.table, desk.mind
    row = mind.nodes
    mind.nodes += 1
    node = desk.nodes[row]
    node[luck_layout.N_HAND], node[luck_layout.N_EVENT], node[luck_layout.N_SORT] = hand, event, sort
    node[luck_layout.N_SEAT], node[luck_layout.N_TILE] = seat, tile
    riichi = 0
    for other in range(4):
        riichi |= int(table.riichi[other] != 0) << other
    node[luck_layout.N_RIICHI], node[luck_layout.N_LIVE] = riichi, table.live
    node[luck_layout.N_SHANTEN] = mind.shanten[seat] if seat < 4 else -1
    node[luck_layout.N_TURN] = table.discards[seat] if seat < 4 else -1
    node[luck_layout.N_SUPPLEMENT] = table.supplement[seat] if seat < 4 else 0
    node[luck_layout.N_BASE] = 0
    desk.luck[row] = 0
    return row


# --- the value of a moment ----------------------------------------------------------------------------------


@kernel
def add_inputs(inputs: F32, first: int, last: int, into: LuckState, sums: F32) -> None:
    """Add inputs, weighted, to the sums of the hidden layer."""
    weights = into.model.into
    for i in range(first, last):
        x = inputs[i]
        if x != 0:
            row = weights[i]
            for h in range(luck_layout.HIDDEN):
                sums[h] += x * row[h]


@kernel
def prepare(desk: LuckState, seat: int) -> None:
    """Work out what is the same for all tiles that ``seat`` may draw."""
    table, rules, mind = desk.table, desk.rules, desk.mind
    inputs = mind.inputs
    inputs[:] = 0
    inputs[0] = table.live / 70
    inputs[1] = (table.live / 70) ** 2
    inputs[2] = table.honba / 3
    inputs[3] = table.sticks / 2
    inputs[4] = table.supplement[seat] != 0
    for place in range(1, rules.players):
        other = seat_at(place, seat, rules.players)
        at = luck_layout.SEATS_BEGIN + (place - 1) * luck_layout.S_SIZE
        describe_as_it_is(desk, other, inputs[at : at + luck_layout.S_SIZE])
        number = 0
        for kind in range(34 if mind.waits[other] else 0):
            if mind.waits[other] >> kind & 1:
                number += int(table.counts[seat, kind])
        inputs[luck_layout.HELD + place - 1] = number / 2
    for h in range(luck_layout.HIDDEN):
        mind.base[h] = desk.model.bias[h]
    add_inputs(inputs, 0, luck_layout.DRAWER, desk, mind.base)
    add_inputs(inputs, luck_layout.HELD, luck_layout.INPUTS, desk, mind.base)
    describe_as_it_is(desk, seat, mind.as_it_is)
    mind.null_known = 0


@kernel
def run_network(desk: LuckState, seat: int, value: F64) -> None:
    """Write the estimated change of points of each seat from now on."""
    mind, model = desk.mind, desk.model
    for h in range(luck_layout.HIDDEN):
        mind.hidden[h] = mind.base[h]
    add_inputs(mind.inputs, luck_layout.DRAWER, luck_layout.HELD, desk, mind.hidden)
    cut(mind.hidden)
    value[:] = 0
    a, b, c, d = model.out_bias[0], model.out_bias[1], model.out_bias[2], model.out_bias[3]
    for h in range(luck_layout.HIDDEN):
        x = mind.hidden[h]
        a += x * model.out[h, 0]
        b += x * model.out[h, 1]
        c += x * model.out[h, 2]
        d += x * model.out[h, 3]
    value[seat] = luck_layout.POINTS * a
    value[(seat + 1) % 4] = luck_layout.POINTS * b
    value[(seat + 2) % 4] = luck_layout.POINTS * c
    value[(seat + 3) % 4] = luck_layout.POINTS * d


@kernel
def describe_drawer(desk: LuckState, seat: int, tile: int) -> bool:
    """Write the drawer's inputs with a tile drawn; False where it changes nothing. NOBODY stands for none."""
    table, rules, mind = desk.table, desk.rules, desk.mind
    block = mind.inputs[luck_layout.DRAWER : luck_layout.TILE]
    mind.inputs[luck_layout.TILE : luck_layout.TILE + 3] = 0
    if tile == state.NOBODY:
        put(mind.as_it_is, block)
        return False
    # What the tile adds to the hand.
    kind = int(kind_of(tile))
    now, dora = mind.shanten[seat], mind.dora[seat] + int(mind.dora_times[kind]) + (tile >= 34)
    triplets, pairs = mind.triplets[seat], mind.pairs[seat]
    if kind >= 27:
        worth = han_of_triplet(table, seat, kind, rules)
        held = int(table.counts[seat, kind])
        if held == 1:
            pairs += worth
        elif held == 2:
            pairs -= worth
            triplets += worth
    # What it would cost, discarded.
    threatens = False
    for place in range(1, rules.players):
        other = seat_at(place, seat, rules.players)
        if mind.waits[other] >> kind & 1:
            threatens = True
            paid = ron_points(desk, other, seat, mind.ron[other, kind])
            mind.inputs[luck_layout.TILE + place - 1] = paid / luck_layout.POINTS
    # Whether it brings the hand nearer to a win.
    accepted = mind.accepted[seat] >> kind & 1 and now > 0
    if not accepted:
        put(mind.as_it_is, block)
        if dora == mind.dora[seat] and triplets == mind.triplets[seat] and pairs == mind.pairs[seat]:
            return threatens
    share = luck_layout.ACCEPTED_SHARE
    ron = tsumo = 0.0
    if not accepted:
        share = live(mind, mind.accepted[seat]) / max(1, mind.pool_size)
        ron = float(block[luck_layout.S_RON]) * luck_layout.POINTS
        tsumo = float(block[luck_layout.S_TSUMO]) * luck_layout.POINTS
    elif now <= 2:
        share = live(mind, mind.after[seat, kind]) / max(1, mind.pool_size)
        ron = (6.0 if seat == table.dealer else 4.0) * mind.after_base[seat, kind]
        tsumo = 1.2 * ron
    describe(desk, seat, now - int(accepted), share, ron, tsumo, dora, triplets, pairs, block)
    return True


@kernel
def spread_ura(desk: LuckState, seat: int) -> int:
    """Write the chance of each number of ura of a hand into ``mind.chances``; returns how many can be."""
    table, mind, rules = desk.table, desk.mind, desk.rules
    number = table.turned if rules.kan_ura_dora else 1
    if not (rules.ura_dora and table.riichi[seat]):
        number = 0
    ways = mind.ways
    ways[:] = 0
    ways[0, 0] = 1
    # Each kind of indicator in turn: how many of it, and the hits that they bring.
    for kind in range(34):
        copies = int(mind.kinds[kind])
        if copies == 0 or number == 0:
            continue
        dora = dora_of(kind, rules.players)
        hits = int(mind.counts[dora]) + int(table.melded[seat, dora])
        hits += table.kita[seat] if dora == state.NORTH else 0
        for chosen in range(number, 0, -1):
            for taken in range(1, min(copies, chosen) + 1):
                choices = 1.0
                for i in range(taken):
                    choices *= (copies - i) / (i + 1)
                for before in range(21 - min(20, hits * taken)):
                    ways[chosen, before + hits * taken] += ways[chosen - taken, before] * choices
    total = 0.0
    for hits in range(21):
        total += ways[number, hits]
    last = 0
    for hits in range(21):
        mind.chances[hits] = ways[number, hits] / max(total, 1e-9)
        if mind.chances[hits] > 0:
            last = hits
    return last + 1


@kernel
def pay(desk: LuckState, seat: int, payer: int, base: int, honba: int, sticks: int, liable: I64) -> None:
    """Write the changes of a win that was scored just now into ``mind.payments``."""
    table, scoring = desk.table, desk.scoring
    payments_kernel(
        base, scoring.work.out[layout.OUT_YAKU], 1 - table.open_melds[seat], seat, payer, table.dealer, honba,
        sticks, -1, liable, scoring.patterns, scoring.work.params, desk.mind.payments,
    )  # fmt: skip


@kernel
def expect_win(
    desk: LuckState,
    seat: int,
    payer: int,
    kind: int,
    situation: int,
    extra: int,
    honba: int,
    sticks: int,
    liable: I64,
    value: F64,
) -> bool:
    """Write the mean changes of a win over the ura that may lie there; False where the hand has no yaku.

    ``mind.counts`` are the concealed tiles, ``extra`` han of a red tile that is not in the hand.
    """
    mind = desk.mind
    last = spread_ura(desk, seat)
    value[:] = 0
    for ura in range(last):
        chance = mind.chances[ura]
        if chance == 0:
            continue
        base = points_of(desk, seat, kind, situation, extra + ura)
        if base == 0:
            return False
        pay(desk, seat, payer, base, honba, sticks, liable)
        for other in range(4):
            value[other] += chance * mind.payments[other]
    return True


@kernel
def set_counts(desk: LuckState, seat: int, kind: int) -> None:
    """Write a seat's concealed tiles with one more into ``mind.counts``."""
    mind = desk.mind
    note_counts(desk.table, seat, mind.counts)
    mind.counts[kind] += 1


@kernel
def worth_of_tile(desk: LuckState, seat: int, tile: int, value: F64) -> None:
    """Write the value of ``seat`` drawing a tile into ``value``.

    It is exact where the tile wins, or must be discarded and wins for others; otherwise it is the network's.
    """
    table, mind = desk.table, desk.mind
    kind = int(kind_of(tile))
    if mind.shanten[seat] <= 0 and mind.accepted[seat] >> kind & 1:
        situation = situation_of(table, seat, seat, desk.rules)
        set_counts(desk, seat, kind)
        red, liable = int(tile >= 34), table.liable[seat]
        if expect_win(desk, seat, seat, kind, situation, red, table.honba, table.sticks, liable, value):
            return
    if table.riichi[seat] and pay_for_forced(desk, seat, tile, value):
        return
    if not describe_drawer(desk, seat, tile):
        if mind.null_known == 0:
            run_network(desk, seat, mind.null)
            mind.null_known = 1
        for other in range(4):
            value[other] = mind.null[other]
        return
    run_network(desk, seat, value)


@kernel
def pay_for_forced(desk: LuckState, seat: int, tile: int, value: F64) -> bool:
    """Write what a riichi player pays for a drawn tile that others win; False if nobody does."""
    table, rules, mind = desk.table, desk.rules, desk.mind
    kind, found = int(kind_of(tile)), False
    for place in range(1, rules.players):
        other = seat_at(place, seat, rules.players)
        if mind.waits[other] >> kind & 1 == 0 or (found and rules.head_bump):
            continue
        # A riichi has ippatsu and ura, whose chances are known.
        base = mind.ron[other, kind]
        if not found:
            value[:] = 0
        if table.riichi[other]:
            situation = riichi_of(table, other)
            situation |= layout.IPPATSU if table.ippatsu[other] and rules.ippatsu else 0
            set_counts(desk, other, kind)
            last = spread_ura(desk, other)
            for ura in range(last):
                if mind.chances[ura] > 0:
                    base = points_of(desk, other, kind, situation, int(tile >= 34) + ura)
                    paid = ron_points(desk, other, seat, base) * mind.chances[ura]
                    value[other] += paid
                    value[seat] -= paid
        else:
            paid = float(ron_points(desk, other, seat, base))
            value[other] += paid
            value[seat] -= paid
        # The first winner also takes honba and sticks.
        if not found:
            extra = table.honba * rules.honba_each * (rules.players - 1)
            value[other] += extra + table.sticks * rules.riichi_stick
            value[seat] -= extra
        found = True
    return found


# --- chance nodes -------------------------------------------------------------------------------------------


@kernel
def after_draw(desk: LuckState, hand: int, event: int, seat: int, tile: int) -> None:
    """Compare a tile just drawn with all that might have been."""
    table, mind = desk.table, desk.mind
    drop(table, seat, tile)
    count_pool(table, mind, tile, desk.rules)
    look_at_hands(desk)
    if mind.looked[seat] == 0:
        look_ahead(desk, seat)
    prepare(desk, seat)
    mind.mean[:] = 0
    mind.actual[:] = 0
    # What each tile would have been worth.
    for possible in range(37):
        number = int(mind.pool[possible])
        if number == 0:
            continue
        worth_of_tile(desk, seat, possible, mind.value)
        for other in range(4):
            mind.mean[other] += number * mind.value[other]
            if possible == tile:
                mind.actual[other] = mind.value[other]
    row = add_node(desk, hand, event, luck_layout.DRAWN, seat, tile)
    for other in range(4):
        desk.luck[row, other] = mind.actual[other] - mind.mean[other] / mind.pool_size
    if mind.shanten[seat] <= 0:
        desk.nodes[row, luck_layout.N_BASE] = mind.tsumo[seat, kind_of(tile)]
    if len(desk.rows):
        describe_drawer(desk, seat, state.NOBODY)
        for i in range(luck_layout.INPUTS):
            desk.before[row, i] = mind.inputs[i]
        describe_drawer(desk, seat, tile)
        for i in range(luck_layout.INPUTS):
            desk.rows[row, i] = mind.inputs[i]
    take(table, seat, tile)


@kernel
def after_dora(desk: LuckState, hand: int, event: int, tile: int) -> None:
    """Compare a kan's indicator with all that might have been turned."""
    table = desk.table
    mind, seat = desk.mind, table.turn
    concealed = 0
    for kind in range(34):
        concealed += int(table.counts[seat, kind])
    drawn = table.drawn[seat]
    if concealed % 3 == 2 and (drawn == state.NOBODY or not drop(table, seat, drawn)):
        return
    count_pool(table, mind, tile, desk.rules)
    at = table.turned - 1
    mind.mean[:] = 0
    mind.actual[:] = 0
    # Each indicator that might have been turned, with all hands priced anew.
    for kind in range(34):
        number = int(mind.kinds[kind])
        if number == 0:
            continue
        table.indicators[at] = kind
        for other in range(4):
            mind.priced[other] = -1
        look_at_hands(desk)
        prepare(desk, seat)
        describe_drawer(desk, seat, state.NOBODY)
        run_network(desk, seat, mind.value)
        for other in range(4):
            mind.mean[other] += number * mind.value[other]
            if kind == kind_of(tile):
                mind.actual[other] = mind.value[other]
    table.indicators[at] = kind_of(tile)
    for other in range(4):
        mind.priced[other] = -1
        mind.looked[other] = 0
    row = add_node(desk, hand, event, luck_layout.DORA, seat, tile)
    for other in range(4):
        desk.luck[row, other] = mind.actual[other] - mind.mean[other] / mind.pool_size
    if concealed % 3 == 2:
        take(table, seat, drawn)


@kernel
def at_win(
    desk: LuckState, hand: int, event: int, claims: WinClaims, win: int, first: int, last: int
) -> None:
    """Compare the ura of a win with all that might have been."""
    table, rules, mind = desk.table, desk.rules, desk.mind
    seat, source, tile = int(claims.seat[win]), int(claims.source[win]), int(claims.tile[win])
    if seat >= rules.players or source >= rules.players or tile >= 37 or not rules.ura_dora:
        return
    if table.riichi[seat] == 0 or not is_offered(table, seat, source, tile, int(claims.tile_id[win]), rules):
        return
    # The ura that lay there.
    number, stated, actual = table.turned if rules.kan_ura_dora else 1, 0, 0
    kind, extra = int(kind_of(tile)), 0
    if source == seat:
        note_counts(table, seat, mind.counts)
    else:
        set_counts(desk, seat, kind)
        extra = int(tile >= 34)
    for i in range(number):
        if claims.ura[win, i] < 37:
            stated += 1
            dora = dora_of(int(kind_of(int(claims.ura[win, i]))), rules.players)
            actual += int(mind.counts[dora]) + int(table.melded[seat, dora])
            actual += table.kita[seat] if dora == state.NORTH else 0
    if stated != number or actual > 20:
        return
    # Those that might have lain there.
    count_pool(table, mind, state.NOBODY, rules)
    situation = situation_of(table, seat, source, rules)
    sticks, honba = collects(table, claims, win, first, last, rules)
    liable = table.liable[seat]
    if not expect_win(desk, seat, source, kind, situation, extra, honba, sticks, liable, mind.mean):
        return
    base = points_of(desk, seat, kind, situation, extra + actual)
    pay(desk, seat, source, base, honba, sticks, liable)
    row = add_node(desk, hand, event, luck_layout.URA, seat, tile)
    for other in range(4):
        desk.luck[row, other] = mind.payments[other] - mind.mean[other]


# --- deals --------------------------------------------------------------------------------------------------


@kernel
def describe_deal(
    table: TableState, mind: LuckMind, seat: int, rules: KernelRules, shapes: ShapeTables, out: F64
) -> None:
    """Write what a seat was dealt, dora by the first indicator."""
    mind.dora_times[:] = 0
    if rules.dora:
        mind.dora_times[dora_of(int(table.indicators[0]), rules.players)] = 1
    count_han(table, mind, seat, rules)
    keys = table.keys[seat]
    now, mask = acceptance(
        keys[0], keys[1], keys[2], keys[3], 0, rules.forms,
        drawable_kinds(table.counts[seat], table.melded[seat], shapes), shapes,
    )  # fmt: skip
    live_tiles = 0
    for kind in range(34):
        if mask >> kind & 1:
            live_tiles += 4 - int(table.counts[seat, kind])
    dora = float(mind.dora[seat])
    out[luck_layout.D_SHANTEN_1] = now <= 1
    out[luck_layout.D_SHANTEN_2] = now == 2
    out[luck_layout.D_SHANTEN_3] = now == 3
    out[luck_layout.D_SHANTEN_5] = now == 5
    out[luck_layout.D_SHANTEN_6] = now >= 6
    out[luck_layout.D_DORA] = dora
    out[luck_layout.D_DORA_SQUARE] = dora * dora
    out[luck_layout.D_DORA_NEAR] = dora * int(now <= 2)
    out[luck_layout.D_DORA_3] = dora * int(now == 3)
    out[luck_layout.D_YAKU_PAIRS] = mind.pairs[seat]
    out[luck_layout.D_YAKU_TRIPLETS] = mind.triplets[seat]
    out[luck_layout.D_LIVE_2] = live_tiles / 10 * int(now <= 2)
    out[luck_layout.D_LIVE_3] = live_tiles / 10 * int(now == 3)
    out[luck_layout.D_LIVE_4] = live_tiles / 10 * int(now == 4)
    out[luck_layout.D_SUIT] = max(0, mind.suit[seat] - 8)
    out[luck_layout.D_OUTSIDE] = mind.outside[seat]


@kernel
def after_deal(desk: LuckState, hand: int) -> None:
    """Compare a deal with the mean of all deals."""
    table, rules = desk.table, desk.rules
    mind, model = desk.mind, desk.model
    for seat in range(4):
        mind.shanten[seat] = -1
    row = add_node(desk, hand, -1, luck_layout.DEALT, state.NOBODY, state.NOBODY)
    for seat in range(rules.players):
        role = (seat - table.dealer) % rules.players
        describe_deal(table, mind, seat, rules, desk.shapes, mind.dealt)
        for i in range(luck_layout.D_SIZE):
            over = mind.dealt[i] - model.deal_mean[i]
            for gains in range(rules.players):
                desk.luck[row, (table.dealer + gains) % rules.players] += over * model.deal[role, i, gains]
            if len(desk.deals):
                desk.deals[row, role * luck_layout.D_SIZE + i] = mind.dealt[i]


@entry
def sum_deals(
    tiles: U8_2D, table: TableState, rules: KernelRules, shapes: ShapeTables, mind: LuckMind, sums: F64
) -> None:
    """Add up what hands of 13 tiles each, with an indicator after them, are described by."""
    for row in range(len(tiles)):
        table.whole[:] = 0
        for i in range(13):
            take(table, 1, int(tiles[row, i]))
        table.indicators[0] = kind_of(int(tiles[row, 13]))
        table.wind = 2
        describe_deal(table, mind, 1, rules, shapes, mind.dealt)
        for i in range(luck_layout.D_SIZE):
            sums[i] += mind.dealt[i]


@entry
def measure_luck(
    chosen: I64, hands: HandClaims, events: EventClaims, wins: WinClaims, win_begin: I64, order: I64,
    notes: Notes, desk: LuckState,
) -> None:  # fmt: skip
    """Write the chance nodes of the hands in ``chosen``, from ``mind.next_hand`` on, while there is room."""
    table, rules, shapes, mind = desk.table, desk.rules, desk.shapes, desk.mind
    while mind.next_hand < len(chosen):
        if mind.nodes + luck_layout.ROOM > len(desk.nodes):
            return
        hand = chosen[mind.next_hand]
        mind.next_hand += 1
        notes.counts[0] = 0
        forget(mind)
        following = set_up(table, hands, hand, rules, shapes, notes) and table.partial == 0
        if following:
            after_deal(desk, hand)
            for seat in range(4):
                mind.shanten[seat] = 0
        win = win_begin[hand]
        first, last = win, win_begin[hand + 1]
        room = mind.nodes + luck_layout.ROOM - 8
        for at in range(hands.event_begin[hand], hands.event_end[hand]):
            event = order[at] if len(order) else at
            kind, seat, tile = int(events.kind[event]), int(events.seat[event]), int(events.tile[event])
            if not following or kind == state.HAND_DRAW or mind.nodes >= room:
                break
            if kind >= state.LEAVE:
                continue
            notes.counts[0] = 0
            if kind == state.WIN:
                if win < last:
                    at_win(desk, hand, event, wins, win, first, last)
                win += 1
                continue
            turned = table.turned
            following = step(table, events, event, rules, shapes, notes) and table.partial == 0
            if not following or (seat >= rules.players and kind != state.DORA):
                continue
            if kind == state.DRAW:
                after_draw(desk, hand, event, seat, tile)
            elif kind == state.DORA and table.turned == turned + 1:
                after_dora(desk, hand, event, tile)
