"""The options of a decision: rows of ``Options``.

An option is tried on the table itself, which is put back as it was; what the player then sees of it is the
matter of :mod:`~paifu.coach.kernels.decision_features`.
"""

from __future__ import annotations

from paifu.coach.kernels.decision_features import (
    look_at_hand,
    look_at_opponents,
    new_row,
    second_step,
    tell_danger,
    tell_hand,
    tell_tenpai,
)
from paifu.coach.kernels.decision_layout import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    KAKAN,
    PASS,
    PON,
    RIICHI,
    DecisionState,
)
from paifu.coach.kernels.option_rows import OPTION
from paifu.coach.kernels.simulator_choices import accepted_less, note_grown, note_shantens
from paifu.replay.kernels import legal
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.shapes import NOT_HELD, POWERS, acceptance, drawable_kinds, live_tiles
from paifu.replay.kernels.table_state import NOBODY, TableState, kind_of, rest_of_run


@kernel
def weigh_discards(desk: DecisionState, seat: int) -> int:
    """Fill shanten and acceptance of each kind that may be discarded; return the least shanten."""
    table = desk.table
    kinds = legal.discardable(table.counts[seat], table.kuikae | table.refused)
    least = int(note_shantens(table, seat, kinds, desk.rules.forms, desk.shapes, desk.mind.shantens))
    weigh(desk, seat, NOT_HELD - 1)
    return least


@kernel
def weigh(desk: DecisionState, seat: int, most: int) -> None:
    """Fill the kinds accepted after each discard that leaves a shanten of at most ``most``."""
    table, shapes = desk.table, desk.shapes
    keys, counts = table.keys[seat], table.counts[seat]
    melds, forms = table.meld_count[seat], desk.rules.forms
    drawable = drawable_kinds(counts, table.melded[seat], shapes)
    note_grown(keys, counts, desk.mind.grown, shapes)
    for kind in range(34):
        if desk.mind.shantens[kind] <= most:
            mask = accepted_less(keys, counts, desk.mind.grown, kind, melds, forms, shapes)
            desk.mind.masks[kind] = mask & (drawable | 1 << kind & shapes.kinds)


@kernel
def turn_options(desk: DecisionState, seat: int) -> None:
    """Write the options of a seat with 3n + 2 tiles that is not in riichi: discards, riichi, own kans."""
    table, rules = desk.table, desk.rules
    look_at_opponents(desk, seat)
    look_at_hand(desk, seat)
    least = weigh_discards(desk, seat)
    declares = least == 0 and legal.against_riichi(table, seat, rules) == 0
    # A discard of each kind, a red five apart from a plain one; in tenpai also with riichi.
    for kind in range(34):
        now = desk.mind.shantens[kind]
        if now == NOT_HELD:
            continue
        mask = desk.mind.masks[kind]
        live, second = live_tiles(mask, desk.mind.seen), -1
        for version in range(2):
            tile = kind
            if version:
                if kind not in (4, 13, 22):
                    break
                tile = 34 + kind // 9
            if table.held[seat, tile] == 0:
                continue
            for option in range(DISCARD, RIICHI + 1):
                if option == RIICHI and not (declares and now == 0):
                    break
                row = desk.cells[new_row(desk, option, tile, now, live)]
                tell_hand(desk, seat, tile, row)
                tell_danger(kind, row, rules.players, desk.mind)
                if now == 0:
                    tell_tenpai(desk, seat, tile, mask, row)
                elif now == 1:
                    if second < 0:
                        second = second_step(desk, seat, kind, mask)
                    row[OPTION.second] = second
    if table.kans < 4:  # the fitted games have no fifth
        own_kans(desk, seat)


@kernel
def own_kans(desk: DecisionState, seat: int) -> None:
    """Write the kans of a seat's own tiles as options."""
    table = desk.table
    kinds = legal.own_kans(table, seat, desk.rules, desk.shapes)
    for kind in range(34):
        if kinds >> kind & 1 == 0:
            continue
        # The kan is laid, described, and taken back.
        if legal.kan_of(table, seat, kind) == state.ANKAN:
            move(table, seat, kind, -4)
            melds = table.meld_count[seat]
            table.melded[seat, kind] += 4
            table.meld_count[seat] += 1
            table.meld_kinds[seat, melds], table.meld_types[seat, melds] = kind, state.ANKAN
            rest(desk, seat, ANKAN, kind)
            table.meld_count[seat] -= 1
            table.melded[seat, kind] -= 4
            move(table, seat, kind, 4)
        else:
            for i in range(table.meld_count[seat]):
                if table.meld_types[seat, i] == state.PON and table.meld_kinds[seat, i] == kind:
                    move(table, seat, kind, -1)
                    table.melded[seat, kind] += 1
                    table.meld_types[seat, i] = state.KAKAN
                    rest(desk, seat, KAKAN, kind)
                    table.meld_types[seat, i] = state.PON
                    table.melded[seat, kind] -= 1
                    move(table, seat, kind, 1)


@kernel
def move(table: TableState, seat: int, kind: int, number: int) -> None:
    """Put tiles of a kind into the counts of a hand, or take them out (< 0); ``held`` does not tell which."""
    table.counts[seat, kind] = int(table.counts[seat, kind]) + number
    table.keys[seat, kind // 9] += number * POWERS[kind % 9]


@kernel
def rest(desk: DecisionState, seat: int, option: int, tile: int) -> int:
    """Write an option that leaves the hand 3n + 1 tiles, as the table has them now; return its row."""
    table, shapes = desk.table, desk.shapes
    look_at_hand(desk, seat)
    keys = table.keys[seat]
    now, mask = acceptance(
        keys[0], keys[1], keys[2], keys[3], table.meld_count[seat],
        desk.rules.forms, drawable_kinds(table.counts[seat], table.melded[seat], shapes),
        shapes,
    )  # fmt: skip
    number = new_row(desk, option, tile, now, live_tiles(mask, desk.mind.seen))
    row = desk.cells[number]
    tell_hand(desk, seat, NOBODY, row)
    if now == 0:
        tell_tenpai(desk, seat, NOBODY, mask, row)
    elif now == 1:
        row[OPTION.second] = second_step(desk, seat, -1, mask)
    return number


@kernel
def call_options(desk: DecisionState, seat: int) -> None:
    """Write the options of a seat that may call the discard on offer; only the pass where it may not."""
    table = desk.table
    tile, found = table.offer_tile, legal.calls(table, seat, desk.rules)
    kind = int(kind_of(tile))
    look_at_opponents(desk, seat)
    row = rest(desk, seat, PASS, tile)
    now = int(desk.cells[row, OPTION.shanten])
    if found & legal.A_PON:
        called(desk, seat, PON, kind, kind, kind, now)
    if found & legal.A_KAN and table.kans < 4:
        called(desk, seat, DAIMINKAN, kind, kind, kind, now)
    for above in (2, 1, 0):
        if found & legal.A_CHI << above:
            first, second = rest_of_run(kind - above, kind)
            called(desk, seat, CHI, kind - above, first, second, now)


@kernel
def called(desk: DecisionState, seat: int, option: int, low: int, first: int, second: int, now: int) -> None:
    """Write a call with ``first`` and ``second`` in hand (of a kan: three of ``first``) as an option.

    It is described as it is after the best discard: least shanten, then most tiles accepted. A chi or pon
    that leaves the hand as far from tenpai as it is, ``now``, is not an option.
    """
    table, rules = desk.table, desk.rules
    tile = table.offer_tile
    kind = int(kind_of(tile))
    number = table.meld_count[seat]
    was_open, kuikae, phase = table.open_melds[seat], table.kuikae, table.phase
    # Lay the meld as the call would.
    own = 3 if option == DAIMINKAN else 2
    for i in range(own):
        part = second if i == 1 else first
        move(table, seat, part, -1)
        table.melded[seat, part] += 1
    table.melded[seat, kind] += 1
    table.river[kind] -= 1
    table.meld_kinds[seat, number] = low
    table.meld_types[seat, number] = option
    table.meld_count[seat] += 1
    table.open_melds[seat] = 1
    table.meld_reds[seat] += tile >= 34
    # After a kan, the hand waits for its supplement; after the rest, it discards as well as it can.
    if option == DAIMINKAN:
        rest(desk, seat, option, low)
    else:
        table.kuikae = legal.swap_calls(kind, low, option == CHI, rules.kuikae)
        kinds = legal.discardable(table.counts[seat], table.kuikae)
        least = int(note_shantens(table, seat, kinds, rules.forms, desk.shapes, desk.mind.shantens))
        best, most = -1, -1
        if least < now:
            weigh(desk, seat, least)
        for other in range(34):
            if least < now and desk.mind.shantens[other] == least:
                live = live_tiles(desk.mind.masks[other], desk.mind.seen)
                if live > most:
                    best, most = other, live
        if best >= 0:
            look_at_hand(desk, seat)
            row = desk.cells[new_row(desk, option, low, least, most)]
            gone = best
            if table.held[seat, best] == 0:
                gone = 34 + best // 9
            tell_hand(desk, seat, gone, row)
            row[OPTION.dora_tile] = 0
            if least == 0:
                tell_tenpai(desk, seat, gone, desk.mind.masks[best], row)
            elif least == 1:
                row[OPTION.second] = second_step(desk, seat, best, desk.mind.masks[best])
    # Take it back.
    table.meld_reds[seat] -= tile >= 34
    table.open_melds[seat] = was_open
    table.meld_count[seat] -= 1
    table.river[kind] += 1
    table.melded[seat, kind] -= 1
    for i in range(own):
        part = second if i == 1 else first
        table.melded[seat, part] -= 1
        move(table, seat, part, 1)
    table.kuikae, table.phase = kuikae, phase
