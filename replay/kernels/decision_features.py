"""What the player who decides can see of an option: features, read from the table as it then is.

Of other players nothing is read but what lies open: rivers, melds, riichi, how many they discarded.
"""

from __future__ import annotations

from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import U8
from paifu.replay.kernels.decision_layout import (
    HAS_YAKU,
    IN_RIICHI,
    IN_SIGHT,
    IS_FURITEN,
    N_DORA,
    N_OUTSIDE,
    N_ROWS,
    N_SAFE,
    N_SAFE_KINDS,
    N_SUITS,
    N_THREATS,
    N_YAKUHAI,
    NO_DANGER,
    NO_HOPE,
    NO_THREAT,
    NO_YAKU,
    O_SAFE,
    O_SEAT,
    O_SUIT,
    O_THREAT,
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
from paifu.replay.kernels.shapes import (
    OPEN,
    ShapeTables,
    drawable_kinds,
    live_tiles,
    needs_keys,
    waits,
    waits_of_words,
    word_of,
)
from paifu.replay.kernels.simulator_choices import is_value, yaku_in_sight
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
    if row[OPTION.calls]:
        if gone != NOBODY:
            table.counts[seat, kind_of(gone)] -= 1
        row[OPTION.yaku] = IN_SIGHT if yaku_in_sight(table, seat, 0, False, rules) else NO_HOPE
        if gone != NOBODY:
            table.counts[seat, kind_of(gone)] += 1
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

    ``gone`` is -1 for a hand of 3n + 1 tiles. A hand with one tile more and one less differs from it in two
    suits at most: only their words are looked up.
    """
    counts, keys, words = table.counts[seat], decide.keys, decide.words
    melds, forms = table.seats[state.S_MELDS, seat], rules.forms
    for suit in range(4):
        keys[suit] = table.keys[seat, suit]
    if gone >= 0:
        keys[gone // 9] -= 5 ** (gone % 9)
        counts[gone] -= 1
    every = 0
    for suit in range(4):
        words[suit] = word_of(suit, keys[suit], shapes)
        every += words[suit]
    for other in range(34):
        if counts[other]:
            decide.shrunk[other] = word_of(other // 9, keys[other // 9] - 5 ** (other % 9), shapes)
    drawable = drawable_kinds(counts, table.melded[seat], shapes)
    total = weight = 0
    for kind in range(34):
        copies = 4 - int(decide.seen[kind]) if mask >> kind & 1 else 0
        if copies <= 0:
            continue
        own, best = kind // 9, 0
        grown = keys[own] + 5 ** (kind % 9)
        before, after = words[own], word_of(own, grown, shapes)
        decide.seen[kind] += 1
        for other in range(34):
            if counts[other] == 0 or other == kind:
                continue
            suit = other // 9
            last = words[suit]
            words[own] = after
            if suit == own:
                words[own] = word_of(own, grown - 5 ** (other % 9), shapes)
                sum_ = every - before + words[own]
            else:
                words[suit] = decide.shrunk[other]
                sum_ = every - before + after - last + words[suit]
            open_waits = 0
            if needs_keys(sum_, melds, forms):
                less = 5 ** (other % 9)
                keys[own] = grown
                keys[suit] -= less
                open_waits = waits(keys[0], keys[1], keys[2], keys[3], melds, forms, drawable, shapes)
                keys[suit] += less
                keys[own] = grown - 5 ** (kind % 9)
            elif sum_ >> OPEN & 15 <= 1:
                open_waits = waits_of_words(words[0], words[1], words[2], words[3]) & drawable
            words[suit] = last
            words[own] = before
            if open_waits:
                best = max(best, live_tiles(open_waits, decide.seen))
        decide.seen[kind] -= 1
        total += copies * best
        weight += copies
    if gone >= 0:
        counts[gone] += 1
    return min(31, (total + weight // 2) // max(1, weight))
