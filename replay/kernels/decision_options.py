"""The options of a decision and what the player who decides can see of each: rows of ``Options``.

An option is tried on the table itself, which is put back as it was. Of other players nothing is read but what
lies open: rivers, melds, riichi, how many they discarded.
"""

from __future__ import annotations

from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import U8
from paifu.replay.kernels.decision_layout import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    HAS_YAKU,
    IN_RIICHI,
    IS_FURITEN,
    KAKAN,
    N_DORA,
    N_OUTSIDE,
    N_ROWS,
    N_SAFE,
    N_SAFE_KINDS,
    N_SUITS,
    N_THREATS,
    N_YAKUHAI,
    NO_DANGER,
    NO_THREAT,
    NO_YAKU,
    O_SAFE,
    O_SEAT,
    O_SUIT,
    O_THREAT,
    PASS,
    PON,
    RIICHI,
    RIICHI_FURITEN,
    SHOWS_RIICHI,
    SOME_YAKU,
    WITH_MELD,
    DecisionState,
)
from paifu.replay.kernels.jit import kernel
from paifu.replay.kernels.review_danger import collected_suit, danger_class, note_seen
from paifu.replay.kernels.review_findings import gain
from paifu.replay.kernels.review_layout import (
    GENBUTSU,
    HONOUR,
    M_POINTS,
    RIICHI_THREAT,
    V_PASSED,
    V_THREAT,
    ReviewState,
)
from paifu.replay.kernels.rows import OPTION
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.scoring import dora_of
from paifu.replay.kernels.shapes import NOT_HELD, ShapeTables, acceptance, drawable_kinds, live_tiles, waits
from paifu.replay.kernels.simulator_choices import accepted_less, is_value, note_grown, shanten_less
from paifu.replay.kernels.table_state import NOBODY, YAOCHUU, TableState, kind_of
from paifu.replay.kernels.wins import Scoring, count_dora


@kernel
def dora_weight(table: TableState, kind: int, rules: KernelRules) -> int:
    """Return how many indicators make a kind dora."""
    weight = 0
    for i in range(table.hand[state.H_TURNED] if rules.dora else 0):
        weight += table.indicators[i] < 37 and dora_of(kind_of(table.indicators[i]), rules.players) == kind
    return weight


@kernel
def yakuhai_of(count: int, seen: int) -> int:
    """Return what so many value honours of a kind in hand are worth as a feature."""
    return 2 if count >= 3 else 1 if count == 2 and seen < 4 else 0


@kernel
def look_at_opponents(
    table: TableState, seat: int, rules: KernelRules, review: ReviewState, decide: DecisionState
) -> None:
    """Fill the context with what is the same for all options of a decision, whatever the hand."""
    hand, seats, row = table.hand, table.seats, decide.context
    row[:] = 0
    note_seen(table, seat, decide.seen)
    row[OPTION.seat] = seat
    row[OPTION.left] = min(17, hand[state.H_LIVE] // 4)
    row[OPTION.dealer] = seat == hand[state.H_DEALER]
    row[OPTION.pot] = min(15, (300 * hand[state.H_HONBA] + 1000 * hand[state.H_STICKS]) // 500)
    threats = 0
    for place in range(3):
        opponent = decide.opponents[place]
        opponent[:] = 0
        opponent[O_SEAT], opponent[O_SUIT] = NOBODY, -1
        row[OPTION.danger + place] = NO_DANGER
        if place + 1 >= rules.players:
            continue
        other = (seat + place + 1) % rules.players
        melds, is_open = seats[state.S_MELDS, other], seats[state.S_OPEN, other] != 0
        safe = seats[state.S_RIVER, other] | review.seats[V_PASSED, other]
        threat = review.seats[V_THREAT, other]
        opponent[O_SEAT], opponent[O_SAFE], opponent[O_THREAT] = other, safe, threat
        opponent[O_SUIT] = collected_suit(table, other)
        threats += threat != 0
        row[OPTION.riichi] += threat == RIICHI_THREAT
        row[OPTION.open_threats] += threat != 0 and threat != RIICHI_THREAT
        if other == hand[state.H_DEALER]:
            row[OPTION.deals + place] = 1
            row[OPTION.dealer_threat] = 2 if threat == RIICHI_THREAT else 1 if threat else 0
        row[OPTION.most_melds] = max(int(row[OPTION.most_melds]), melds if is_open else 0)
        row[OPTION.shown + place] = min(3, melds) if is_open else 0
        if threat == RIICHI_THREAT:
            row[OPTION.shown + place] = SHOWS_RIICHI
        row[OPTION.discards + place] = min(18, seats[state.S_DISCARDS, other])
        unsettled = 0
        for suit in range(3):
            for low in range(9 * suit, 9 * suit + 6):
                unsettled += safe >> low & 1 == 0 and safe >> low + 3 & 1 == 0
        row[OPTION.unsettled + place] = unsettled
        dora = seats[state.S_REDS, other] + seats[state.S_KITA, other]
        if rules.dora:
            turned = hand[state.H_TURNED]
            dora += count_dora(table, other, review.no_tiles, table.indicators, turned, rules)
        row[OPTION.melded_dora + place] = min(5, dora)
    decide.counts[N_THREATS] = threats


@kernel
def look_at_hand(table: TableState, seat: int, rules: KernelRules, decide: DecisionState) -> None:
    """Take down what options start from: dora, yaku in sight and safe tiles of a hand as it is."""
    seats, counts, numbers = table.seats, table.counts[seat], decide.counts
    numbers[N_DORA] = seats[state.S_REDS, seat] + seats[state.S_KITA, seat]
    for red in range(34, 37):
        numbers[N_DORA] += table.held[seat, red]
    if rules.dora:
        turned = table.hand[state.H_TURNED]
        numbers[N_DORA] += count_dora(table, seat, counts, table.indicators, turned, rules)
    outside = yakuhai = safe = safe_kinds = 0
    for suit in range(3):
        numbers[N_SUITS + suit] = 0
    melded = False
    for kind in range(34):
        count, laid = int(counts[kind]), int(table.melded[seat, kind])
        if count + laid == 0:
            continue
        if kind < 27:
            numbers[N_SUITS + kind // 9] += count + laid
        elif is_value(table, seat, kind, rules):
            yakuhai += 2 if laid else yakuhai_of(count, int(decide.seen[kind]))
        if YAOCHUU >> kind & 1:
            outside += count
            melded = melded or laid != 0
        if count and decide.counts[N_THREATS]:
            is_safe = True
            for place in range(3):
                opponent = decide.opponents[place]
                if opponent[O_THREAT]:
                    sort = danger_class(decide.seen, opponent[O_SAFE], kind, rules.players)
                    is_safe = is_safe and sort in (GENBUTSU, HONOUR)
            safe += count if is_safe else 0
            safe_kinds |= int(is_safe) << kind
    numbers[N_OUTSIDE] = 99 if melded else outside
    numbers[N_YAKUHAI], numbers[N_SAFE], numbers[N_SAFE_KINDS] = yakuhai, safe, safe_kinds
    melds = 0
    for i in range(seats[state.S_MELDS, seat]):
        melds += table.meld_types[seat, i] != state.ANKAN
    decide.context[OPTION.calls] = melds if seats[state.S_OPEN, seat] else 0


@kernel
def new_row(decide: DecisionState, option: int, tile: int, shanten: int, accepted: int) -> int:
    """Begin the row of an option and return its number."""
    number = min(decide.counts[N_ROWS], len(decide.cells) - 1)
    decide.counts[N_ROWS] = number + 1
    row = decide.cells[number]
    for place in range(OPTION.size):
        row[place] = decide.context[place]
    row[OPTION.option], row[OPTION.tile] = option, tile
    row[OPTION.shanten], row[OPTION.accepted] = min(6, max(0, shanten)), min(60, accepted)
    return number


@kernel
def tell_hand(
    table: TableState, seat: int, gone: int, row: U8, rules: KernelRules, decide: DecisionState
) -> None:
    """Fill in what the hand holds once the tile ``gone`` is discarded, NOBODY for none."""
    numbers = decide.counts
    dora, outside, yakuhai, safe = numbers[N_DORA], numbers[N_OUTSIDE], numbers[N_YAKUHAI], numbers[N_SAFE]
    man, pin, sou = numbers[N_SUITS], numbers[N_SUITS + 1], numbers[N_SUITS + 2]
    if gone != NOBODY:
        kind = int(kind_of(gone))
        lost = dora_weight(table, kind, rules) + (gone >= 34)
        dora -= lost
        row[OPTION.dora_tile] = lost != 0
        outside -= YAOCHUU >> kind & 1
        if kind < 9:
            man -= 1
        elif kind < 18:
            pin -= 1
        elif kind < 27:
            sou -= 1
        elif is_value(table, seat, kind, rules):
            count, seen = int(table.counts[seat, kind]), int(decide.seen[kind])
            yakuhai += yakuhai_of(count - 1, seen) - yakuhai_of(count, seen)
        safe -= numbers[N_SAFE_KINDS] >> kind & 1
    row[OPTION.dora] = min(7, max(0, dora))
    row[OPTION.outside] = WITH_MELD if outside > 40 else min(8, outside)
    row[OPTION.off_suit] = min(9, man + pin + sou - max(man, pin, sou))
    row[OPTION.yakuhai] = min(7, yakuhai)
    row[OPTION.safe] = min(9, safe) if numbers[N_THREATS] else NO_THREAT


@kernel
def tell_danger(kind: int, row: U8, players: int, decide: DecisionState) -> None:
    """Fill in how dangerous the discard of a kind is against each opponent."""
    for place in range(3):
        opponent = decide.opponents[place]
        if opponent[O_SEAT] == NOBODY:
            continue
        row[OPTION.danger + place] = danger_class(decide.seen, opponent[O_SAFE], kind, players)
        suit = opponent[O_SUIT]
        if suit >= 0:
            row[OPTION.flush + place] = 1 if kind >= 27 or kind // 9 == suit else 2


@kernel
def tell_tenpai(
    table: TableState,
    seat: int,
    gone: int,
    mask: int,
    row: U8,
    rules: KernelRules,
    scoring: Scoring,
    review: ReviewState,
    decide: DecisionState,
) -> None:
    """Fill in what a tenpai with the waits ``mask`` is worth once the tile ``gone`` is discarded."""
    hand, seats, riichi = table.hand, table.seats, row[OPTION.option] == RIICHI
    river = seats[state.S_RIVER, seat]
    if gone != NOBODY:
        river |= 1 << kind_of(gone)
        table.counts[seat, kind_of(gone)] -= 1
        table.held[seat, gone] -= 1
    offer, first, late = hand[state.H_OFFER], hand[state.H_FIRST], hand[state.H_AFTER_KAN]
    hand[state.H_OFFER], hand[state.H_FIRST], hand[state.H_AFTER_KAN] = state.DISCARD, 0, 0
    source = (seat + 1) % rules.players
    declaring = seats[state.S_DECLARING, source]
    seats[state.S_DECLARING, source] = 0
    if riichi:
        seats[state.S_RIICHI, seat] = 1
    total = count = good = 0
    for kind in range(34):
        copies = 4 - int(decide.seen[kind]) if mask >> kind & 1 else 0
        if copies > 0:
            worth = gain(table, seat, source, kind, rules, scoring, review)
            count += copies
            if worth > 0:
                good += copies
                total += copies * review.memory[M_POINTS]
    if riichi:
        seats[state.S_RIICHI, seat] = 0
    seats[state.S_DECLARING, source] = declaring
    hand[state.H_OFFER], hand[state.H_FIRST], hand[state.H_AFTER_KAN] = offer, first, late
    if gone != NOBODY:
        table.counts[seat, kind_of(gone)] += 1
        table.held[seat, gone] += 1
    row[OPTION.value] = min(40, total // max(1, count) // 500)
    if mask & river:
        row[OPTION.tenpai] = RIICHI_FURITEN if riichi else IS_FURITEN
    elif riichi:
        row[OPTION.tenpai] = IN_RIICHI
    else:
        row[OPTION.tenpai] = HAS_YAKU if good and good == count else SOME_YAKU if good else NO_YAKU


@kernel
def second_step(
    table: TableState,
    seat: int,
    gone: int,
    mask: int,
    rules: KernelRules,
    shapes: ShapeTables,
    decide: DecisionState,
) -> int:
    """Return ``Options.second`` of a hand one from tenpai that accepts ``mask`` without the kind ``gone``.

    ``gone`` is -1 for a hand of 3n + 1 tiles.
    """
    counts, keys, melds = table.counts[seat], decide.keys, table.seats[state.S_MELDS, seat]
    forms = rules.forms
    for suit in range(4):
        keys[suit] = table.keys[seat, suit]
    if gone >= 0:
        keys[gone // 9] -= 5 ** (gone % 9)
        counts[gone] -= 1
    drawable = drawable_kinds(counts, table.melded[seat], shapes)
    total = weight = 0
    for kind in range(34):
        copies = 4 - int(decide.seen[kind]) if mask >> kind & 1 else 0
        if copies <= 0:
            continue
        power = 5 ** (kind % 9)
        keys[kind // 9] += power
        best = 0
        decide.seen[kind] += 1
        for other in range(34):
            if counts[other] == 0 or other == kind:
                continue
            less = 5 ** (other % 9)
            keys[other // 9] -= less
            open_waits = waits(keys[0], keys[1], keys[2], keys[3], melds, forms, drawable, shapes)
            keys[other // 9] += less
            if open_waits:
                best = max(best, live_tiles(open_waits, decide.seen))
        decide.seen[kind] -= 1
        keys[kind // 9] -= power
        total += copies * best
        weight += copies
    if gone >= 0:
        counts[gone] += 1
    return min(31, (total + weight // 2) // max(1, weight))


@kernel
def weigh_discards(
    table: TableState, seat: int, rules: KernelRules, shapes: ShapeTables, decide: DecisionState
) -> int:
    """Fill shanten and acceptance of each kind that may be discarded; return the least shanten."""
    keys, counts, forbidden = table.keys[seat], table.counts[seat], table.hand[state.H_KUIKAE]
    melds, forms = table.seats[state.S_MELDS, seat], rules.forms
    least = NOT_HELD
    for kind in range(34):
        decide.shantens[kind] = NOT_HELD
        if counts[kind] and not forbidden >> kind & 1:
            now = shanten_less(keys, kind, 1, melds, forms, shapes)
            decide.shantens[kind] = now
            least = min(least, now)
    weigh(table, seat, NOT_HELD - 1, rules, shapes, decide)
    return least


@kernel
def weigh(
    table: TableState, seat: int, most: int, rules: KernelRules, shapes: ShapeTables, decide: DecisionState
) -> None:
    """Fill the kinds accepted after each discard that leaves a shanten of at most ``most``."""
    keys, counts = table.keys[seat], table.counts[seat]
    melds, forms = table.seats[state.S_MELDS, seat], rules.forms
    drawable = drawable_kinds(counts, table.melded[seat], shapes)
    note_grown(keys, counts, decide.grown, shapes)
    for kind in range(34):
        if decide.shantens[kind] <= most:
            mask = accepted_less(keys, counts, decide.grown, kind, melds, forms, shapes)
            decide.masks[kind] = mask & (drawable | 1 << kind & shapes.kinds)


@kernel
def may_declare(table: TableState, seat: int, rules: KernelRules) -> bool:
    """Return whether a seat that drew may declare riichi, if a discard makes it tenpai."""
    seats, hand = table.seats, table.hand
    return (
        hand[state.H_PHASE] == state.WAIT_ACT
        and seats[state.S_OPEN, seat] == 0
        and seats[state.S_RIICHI, seat] == 0
        and table.scores[seat] >= rules.riichi_points
        and hand[state.H_LIVE] >= rules.riichi_wall
    )


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
    declares = least == 0 and may_declare(table, seat, rules)
    for kind in range(34):
        now = decide.shantens[kind]
        if now == NOT_HELD:
            continue
        mask = decide.masks[kind]
        live, second = live_tiles(mask, decide.seen), -1
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
    if table.hand[state.H_PHASE] == state.WAIT_ACT and table.hand[state.H_LIVE] > 0:
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
    """Write the own kans of a seat as options."""
    counts, seats = table.counts[seat], table.seats
    if table.hand[state.H_KANS] >= 4:
        return
    for kind in range(34):
        if counts[kind] == 4:
            for _ in range(4):
                lower(table, seat, kind)
            melds = seats[state.S_MELDS, seat]
            table.melded[seat, kind] += 4
            seats[state.S_MELDS, seat] += 1
            table.meld_kinds[seat, melds], table.meld_types[seat, melds] = kind, state.ANKAN
            rest(table, seat, ANKAN, kind, rules, shapes, scoring, review, decide)
            seats[state.S_MELDS, seat] -= 1
            table.melded[seat, kind] -= 4
            for _ in range(4):
                lift(table, seat, kind)
        elif counts[kind]:
            for i in range(seats[state.S_MELDS, seat]):
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
    """Take a tile of a kind out of the counts of a hand; which one, ``held`` does not tell."""
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
        keys[0], keys[1], keys[2], keys[3], table.seats[state.S_MELDS, seat],
        rules.forms, drawable_kinds(table.counts[seat], table.melded[seat], shapes),
        shapes,
    )  # fmt: skip
    number = new_row(decide, option, tile, now, live_tiles(mask, decide.seen))
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
    hand, counts = table.hand, table.counts[seat]
    tile, source = hand[state.H_OFFER_TILE], hand[state.H_OFFER_SEAT]
    kind = int(kind_of(tile))
    look_at_opponents(table, seat, rules, review, decide)
    row = rest(table, seat, PASS, tile, rules, shapes, scoring, review, decide)
    now = int(decide.cells[row, OPTION.shanten])
    if counts[kind] >= 2:
        called(table, seat, PON, kind, kind, kind, now, rules, shapes, scoring, review, decide)
    if counts[kind] >= 3 and hand[state.H_KANS] < 4:
        called(table, seat, DAIMINKAN, kind, kind, kind, now, rules, shapes, scoring, review, decide)
    if rules.chi == 0 or kind >= 27 or seat != (source + 1) % rules.players:
        return
    for low in range(max(kind - 2, kind // 9 * 9), kind + 1):
        if low % 9 > 6:
            continue
        first, second = low + (low == kind), low + 2 - (low + 2 == kind)
        if counts[first] and counts[second]:
            called(table, seat, CHI, low, first, second, now, rules, shapes, scoring, review, decide)


@kernel
def may_call(table: TableState, seat: int, kind: int, rules: KernelRules) -> bool:
    """Return whether a seat that is not in riichi holds what it takes to call a discard of a kind."""
    counts, source = table.counts[seat], table.hand[state.H_OFFER_SEAT]
    if counts[kind] >= 2:
        return True
    if rules.chi == 0 or kind >= 27 or seat != (source + 1) % rules.players:
        return False
    rank = kind % 9
    below = rank >= 1 and counts[kind - 1] != 0
    above = rank <= 7 and counts[kind + 1] != 0
    return (
        (below and above)
        or (below and rank >= 2 and counts[kind - 2] != 0)
        or (above and rank <= 6 and counts[kind + 2] != 0)
    )


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
    """Write a call with the own kinds ``first`` and ``second`` (of a kan: three of ``first``) as an option.

    It is described as it is after the best discard: least shanten, then most tiles accepted. A chi or pon
    that leaves the hand as far from tenpai as it is, ``now``, is no option.
    """
    hand, seats, forms = table.hand, table.seats, rules.forms
    tile = hand[state.H_OFFER_TILE]
    kind = int(kind_of(tile))
    number = seats[state.S_MELDS, seat]
    was_open, kuikae, phase = seats[state.S_OPEN, seat], hand[state.H_KUIKAE], hand[state.H_PHASE]
    own = 3 if option == DAIMINKAN else 2
    for i in range(own):
        part = second if i == 1 else first
        lower(table, seat, part)
        table.melded[seat, part] += 1
    table.melded[seat, kind] += 1
    table.river[kind] -= 1
    table.meld_kinds[seat, number] = low
    table.meld_types[seat, number] = option
    seats[state.S_MELDS, seat] += 1
    seats[state.S_OPEN, seat] = 1
    seats[state.S_REDS, seat] += tile >= 34
    if option == DAIMINKAN:
        rest(table, seat, option, low, rules, shapes, scoring, review, decide)
    else:
        hand[state.H_KUIKAE] = 1 << kind if rules.kuikae else 0
        if rules.kuikae == 2 and option == CHI and kind != low + 1:
            end = kind + 3 if kind == low else kind - 3
            if end >= 0 and end // 9 == kind // 9:
                hand[state.H_KUIKAE] |= 1 << end
        least = NOT_HELD
        for other in range(34):
            decide.shantens[other] = NOT_HELD
            if table.counts[seat, other] and not hand[state.H_KUIKAE] >> other & 1:
                after = shanten_less(table.keys[seat], other, 1, number + 1, forms, shapes)
                decide.shantens[other] = after
                least = min(least, after)
        best, most = -1, -1
        if least < now:
            weigh(table, seat, least, rules, shapes, decide)
        for other in range(34):
            if least < now and decide.shantens[other] == least:
                live = live_tiles(decide.masks[other], decide.seen)
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
                tell_tenpai(table, seat, gone, decide.masks[best], row, rules, scoring, review, decide)
            elif least == 1:
                row[OPTION.second] = second_step(table, seat, best, decide.masks[best], rules, shapes, decide)
    seats[state.S_REDS, seat] -= tile >= 34
    seats[state.S_OPEN, seat] = was_open
    seats[state.S_MELDS, seat] -= 1
    table.river[kind] += 1
    table.melded[seat, kind] -= 1
    for i in range(own):
        part = second if i == 1 else first
        table.melded[seat, part] -= 1
        lift(table, seat, part)
    hand[state.H_KUIKAE], hand[state.H_PHASE] = kuikae, phase
