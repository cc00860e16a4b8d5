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
from paifu.coach.kernels.simulator_choices import accepted_less, note_grown, shanten_less
from paifu.replay.kernels import legal
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.review_layout import (
    ReviewState,
)
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.shapes import NOT_HELD, ShapeTables, acceptance, drawable_kinds, live_tiles
from paifu.replay.kernels.table_state import NOBODY, TableState, kind_of, rest_of_run
from paifu.replay.kernels.wins import Scoring


@kernel
def weigh_discards(
    table: TableState, seat: int, rules: KernelRules, shapes: ShapeTables, decide: DecisionState
) -> int:
    """Fill shanten and acceptance of each kind that may be discarded; return the least shanten."""
    keys, kinds = table.keys[seat], legal.discardable(table.counts[seat], table.kuikae | table.refused)
    melds, forms = table.meld_count[seat], rules.forms
    least = NOT_HELD
    for kind in range(34):
        decide.mind.shantens[kind] = NOT_HELD
        if kinds >> kind & 1:
            now = shanten_less(keys, kind, 1, melds, forms, shapes)
            decide.mind.shantens[kind] = now
            least = min(least, now)
    weigh(table, seat, NOT_HELD - 1, rules, shapes, decide)
    return least


@kernel
def weigh(
    table: TableState, seat: int, most: int, rules: KernelRules, shapes: ShapeTables, decide: DecisionState
) -> None:
    """Fill the kinds accepted after each discard that leaves a shanten of at most ``most``."""
    keys, counts = table.keys[seat], table.counts[seat]
    melds, forms = table.meld_count[seat], rules.forms
    drawable = drawable_kinds(counts, table.melded[seat], shapes)
    note_grown(keys, counts, decide.mind.grown, shapes)
    for kind in range(34):
        if decide.mind.shantens[kind] <= most:
            mask = accepted_less(keys, counts, decide.mind.grown, kind, melds, forms, shapes)
            decide.mind.masks[kind] = mask & (drawable | 1 << kind & shapes.kinds)


@kernel
def turn_options(
    table: TableState,
    seat: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    review: ReviewState,
    decide: DecisionState,
) -> None:
    """Write the options of a seat with 3n + 2 tiles that is not in riichi: discards, riichi, own kans."""
    look_at_opponents(table, seat, rules, review, decide)
    look_at_hand(table, seat, rules, decide)
    least = weigh_discards(table, seat, rules, shapes, decide)
    declares = least == 0 and legal.against_riichi(table, seat, rules) == 0
    for kind in range(34):
        now = decide.mind.shantens[kind]
        if now == NOT_HELD:
            continue
        mask = decide.mind.masks[kind]
        live, second = live_tiles(mask, decide.mind.seen), -1
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
                row = decide.cells[new_row(decide, option, tile, now, live)]
                tell_hand(table, seat, tile, row, rules, decide)
                tell_danger(kind, row, rules.players, decide)
                if now == 0:
                    tell_tenpai(table, seat, tile, mask, row, rules, scoring, review, decide)
                elif now == 1:
                    if second < 0:
                        second = second_step(table, seat, kind, mask, rules, shapes, decide)
                    row[OPTION.second] = second
    if table.kans < 4:  # the fitted games have no fifth
        own_kans(table, seat, rules, shapes, scoring, review, decide)


@kernel
def own_kans(
    table: TableState,
    seat: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    review: ReviewState,
    decide: DecisionState,
) -> None:
    """Write the kans of a seat's own tiles as options."""
    kinds = legal.own_kans(table, seat, rules, shapes)
    for kind in range(34):
        if kinds >> kind & 1 == 0:
            continue
        if legal.kan_of(table, seat, kind) == state.ANKAN:
            for _ in range(4):
                lower(table, seat, kind)
            melds = table.meld_count[seat]
            table.melded[seat, kind] += 4
            table.meld_count[seat] += 1
            table.meld_kinds[seat, melds], table.meld_types[seat, melds] = kind, state.ANKAN
            rest(table, seat, ANKAN, kind, rules, shapes, scoring, review, decide)
            table.meld_count[seat] -= 1
            table.melded[seat, kind] -= 4
            for _ in range(4):
                lift(table, seat, kind)
        else:
            for i in range(table.meld_count[seat]):
                if table.meld_types[seat, i] == state.PON and table.meld_kinds[seat, i] == kind:
                    lower(table, seat, kind)
                    table.melded[seat, kind] += 1
                    table.meld_types[seat, i] = state.KAKAN
                    rest(table, seat, KAKAN, kind, rules, shapes, scoring, review, decide)
                    table.meld_types[seat, i] = state.PON
                    table.melded[seat, kind] -= 1
                    lift(table, seat, kind)


@kernel
def lower(table: TableState, seat: int, kind: int) -> None:
    """Take a tile of a kind out of the counts of a hand; ``held`` does not say which one."""
    table.counts[seat, kind] -= 1
    table.keys[seat, kind // 9] -= 5 ** (kind % 9)


@kernel
def lift(table: TableState, seat: int, kind: int) -> None:
    """Put back what :func:`lower` took."""
    table.counts[seat, kind] += 1
    table.keys[seat, kind // 9] += 5 ** (kind % 9)


@kernel
def rest(
    table: TableState,
    seat: int,
    option: int,
    tile: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    review: ReviewState,
    decide: DecisionState,
) -> int:
    """Write an option that leaves the hand 3n + 1 tiles, as the table has them now; return its row."""
    look_at_hand(table, seat, rules, decide)
    keys = table.keys[seat]
    now, mask = acceptance(
        keys[0], keys[1], keys[2], keys[3], table.meld_count[seat],
        rules.forms, drawable_kinds(table.counts[seat], table.melded[seat], shapes),
        shapes,
    )  # fmt: skip
    number = new_row(decide, option, tile, now, live_tiles(mask, decide.mind.seen))
    row = decide.cells[number]
    tell_hand(table, seat, NOBODY, row, rules, decide)
    if now == 0:
        tell_tenpai(table, seat, NOBODY, mask, row, rules, scoring, review, decide)
    elif now == 1:
        row[OPTION.second] = second_step(table, seat, -1, mask, rules, shapes, decide)
    return number


@kernel
def call_options(
    table: TableState,
    seat: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    review: ReviewState,
    decide: DecisionState,
) -> None:
    """Write the options of a seat that may call the discard on offer; only the pass where it may not."""
    tile, found = table.offer_tile, legal.calls(table, seat, rules)
    kind = int(kind_of(tile))
    look_at_opponents(table, seat, rules, review, decide)
    row = rest(table, seat, PASS, tile, rules, shapes, scoring, review, decide)
    now = int(decide.cells[row, OPTION.shanten])
    if found & legal.A_PON:
        called(table, seat, PON, kind, kind, kind, now, rules, shapes, scoring, review, decide)
    if found & legal.A_KAN and table.kans < 4:
        called(table, seat, DAIMINKAN, kind, kind, kind, now, rules, shapes, scoring, review, decide)
    for above in (2, 1, 0):
        if found & legal.A_CHI << above:
            first, second = rest_of_run(kind - above, kind)
            called(table, seat, CHI, kind - above, first, second, now, rules, shapes, scoring, review, decide)


@kernel
def called(
    table: TableState,
    seat: int,
    option: int,
    low: int,
    first: int,
    second: int,
    now: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    review: ReviewState,
    decide: DecisionState,
) -> None:
    """Write a call with ``first`` and ``second`` in hand (of a kan: three of ``first``) as an option.

    It is described as it is after the best discard: least shanten, then most tiles accepted. A chi or pon
    that leaves the hand as far from tenpai as it is, ``now``, is not an option.
    """
    forms = rules.forms
    tile = table.offer_tile
    kind = int(kind_of(tile))
    number = table.meld_count[seat]
    was_open, kuikae, phase = table.open_melds[seat], table.kuikae, table.phase
    own = 3 if option == DAIMINKAN else 2
    for i in range(own):
        part = second if i == 1 else first
        lower(table, seat, part)
        table.melded[seat, part] += 1
    table.melded[seat, kind] += 1
    table.river[kind] -= 1
    table.meld_kinds[seat, number] = low
    table.meld_types[seat, number] = option
    table.meld_count[seat] += 1
    table.open_melds[seat] = 1
    table.meld_reds[seat] += tile >= 34
    if option == DAIMINKAN:
        rest(table, seat, option, low, rules, shapes, scoring, review, decide)
    else:
        table.kuikae = legal.swap_calls(kind, low, option == CHI, rules.kuikae)
        kinds, least = legal.discardable(table.counts[seat], table.kuikae), NOT_HELD
        for other in range(34):
            decide.mind.shantens[other] = NOT_HELD
            if kinds >> other & 1:
                after = shanten_less(table.keys[seat], other, 1, number + 1, forms, shapes)
                decide.mind.shantens[other] = after
                least = min(least, after)
        best, most = -1, -1
        if least < now:
            weigh(table, seat, least, rules, shapes, decide)
        for other in range(34):
            if least < now and decide.mind.shantens[other] == least:
                live = live_tiles(decide.mind.masks[other], decide.mind.seen)
                if live > most:
                    best, most = other, live
        if best >= 0:
            look_at_hand(table, seat, rules, decide)
            row = decide.cells[new_row(decide, option, low, least, most)]
            gone = best
            if table.held[seat, best] == 0:
                gone = 34 + best // 9
            tell_hand(table, seat, gone, row, rules, decide)
            row[OPTION.dora_tile] = 0
            if least == 0:
                tell_tenpai(table, seat, gone, decide.mind.masks[best], row, rules, scoring, review, decide)
            elif least == 1:
                row[OPTION.second] = second_step(
                    table, seat, best, decide.mind.masks[best], rules, shapes, decide
                )
    table.meld_reds[seat] -= tile >= 34
    table.open_melds[seat] = was_open
    table.meld_count[seat] -= 1
    table.river[kind] += 1
    table.melded[seat, kind] -= 1
    for i in range(own):
        part = second if i == 1 else first
        table.melded[seat, part] -= 1
        lift(table, seat, part)
    table.kuikae, table.phase = kuikae, phase
