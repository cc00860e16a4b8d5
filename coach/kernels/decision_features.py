"""What the player who decides can see of an option: features, read from the table as it then is.

Of other players nothing is read but what lies open: rivers, melds, riichi, how many they discarded.
"""

from __future__ import annotations

from paifu.coach.kernels import decision_layout
from paifu.coach.kernels.decision_layout import DecisionState, Thoughts
from paifu.coach.kernels.option_rows import OPTION
from paifu.coach.kernels.simulator_choices import han_of_triplet, yaku_in_sight
from paifu.replay.kernels import review_layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import U8
from paifu.replay.kernels.review_danger import collected_suit, danger_class
from paifu.replay.kernels.review_findings import gain
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.scoring import dora_of
from paifu.replay.kernels.shapes import (
    OPEN,
    POWERS,
    drawable_kinds,
    live_tiles,
    needs_keys,
    waits,
    waits_of_words,
    word_of,
)
from paifu.replay.kernels.table_state import NOBODY, YAOCHUU, TableState, kind_of, note_seen
from paifu.replay.kernels.wins import open_dora, own_dora


@kernel
def dora_weight(table: TableState, kind: int, rules: KernelRules) -> int:
    """Return how many indicators make a kind dora."""
    weight = 0
    for i in range(table.turned if rules.dora else 0):
        weight += table.indicators[i] < 37 and dora_of(kind_of(table.indicators[i]), rules.players) == kind
    return weight


@kernel
def yakuhai_of(count: int, seen: int) -> int:
    """Return what value honours of a kind are worth as a feature: ``count`` in hand."""
    return 2 if count >= 3 else 1 if count == 2 and seen < 4 else 0


@kernel
def look_at_opponents(desk: DecisionState, seat: int) -> None:
    """Begin a decision: fill the context with what is the same for all options, whatever the hand."""
    table, rules, review = desk.table, desk.rules, desk.review
    mind, row = desk.mind, desk.mind.context
    row[:] = 0
    mind.first = mind.rows
    note_seen(table, seat, mind.seen)
    row[OPTION.seat] = seat
    row[OPTION.left] = min(17, table.live // 4)
    row[OPTION.dealer] = seat == table.dealer
    row[OPTION.pot] = min(15, (300 * table.honba + 1000 * table.sticks) // 500)
    threats = 0
    # What each opponent shows: threat, melds, river, dora; and what it cannot win.
    for place in range(3):
        mind.opponents[place], mind.collects[place] = NOBODY, -1
        mind.cannot_win[place] = mind.threat[place] = 0
        mind.river[place] = mind.early[place] = mind.declared[place] = 0
        row[OPTION.danger + place] = decision_layout.NO_DANGER
        if place + 1 >= rules.players:
            continue
        other = (seat + place + 1) % rules.players
        melds, is_open = table.meld_count[other], table.open_melds[other] != 0
        safe = table.river_kinds[other] | review.memory.passed[other]
        threat = review.memory.threat[other]
        mind.opponents[place], mind.cannot_win[place], mind.threat[place] = other, safe, threat
        mind.river[place], mind.declared[place] = table.river_kinds[other], table.declared_kinds[other]
        mind.early[place] = table.early_kinds[other] & ~table.declared_kinds[other]
        mind.collects[place] = collected_suit(table, other)
        threats += threat != 0
        row[OPTION.riichi] += threat == review_layout.RIICHI_THREAT
        row[OPTION.open_threats] += threat != 0 and threat != review_layout.RIICHI_THREAT
        if other == table.dealer:
            row[OPTION.deals + place] = 1
            row[OPTION.dealer_threat] = 2 if threat == review_layout.RIICHI_THREAT else 1 if threat else 0
        row[OPTION.most_melds] = max(int(row[OPTION.most_melds]), melds if is_open else 0)
        row[OPTION.shown + place] = min(3, melds) if is_open else 0
        if threat == review_layout.RIICHI_THREAT:
            row[OPTION.shown + place] = decision_layout.SHOWS_RIICHI
        row[OPTION.discards + place] = min(18, table.discards[other])
        unsettled = 0
        for suit in range(3):
            for low in range(9 * suit, 9 * suit + 6):
                unsettled += safe >> low & 1 == 0 and safe >> low + 3 & 1 == 0
        row[OPTION.unsettled + place] = unsettled
        dora = table.meld_reds[other] + table.kita[other]
        dora += open_dora(table, other, review.memory.no_tiles, rules)
        row[OPTION.melded_dora + place] = min(5, dora)
    mind.threats = threats


@kernel
def look_at_hand(desk: DecisionState, seat: int) -> None:
    """Take down what options start from: dora, yaku in sight and safe tiles of a hand as it is."""
    table, rules, mind = desk.table, desk.rules, desk.mind
    counts = table.counts[seat]
    mind.dora = own_dora(table, seat, counts, rules)
    outside = yakuhai = safe = safe_kinds = 0
    for suit in range(3):
        mind.suits[suit] = 0
    melded = False
    # Kinds in hand and melds: suits, value honours, outside tiles, tiles that no threat can win.
    for kind in range(34):
        count, laid = int(counts[kind]), int(table.melded[seat, kind])
        if count + laid == 0:
            continue
        if kind < 27:
            mind.suits[kind // 9] += count + laid
        elif han_of_triplet(table, seat, kind, rules):
            yakuhai += 2 if laid else yakuhai_of(count, int(mind.seen[kind]))
        if YAOCHUU >> kind & 1:
            outside += count
            melded = melded or laid != 0
        if count and mind.threats:
            is_safe = True
            for place in range(3):
                if mind.threat[place]:
                    sort = danger_class(mind.seen, mind.cannot_win[place], kind, rules.players)
                    is_safe = is_safe and sort in (review_layout.GENBUTSU, review_layout.HONOUR)
            safe += count if is_safe else 0
            safe_kinds |= int(is_safe) << kind
    mind.outside = 99 if melded else outside
    mind.yakuhai, mind.safe, mind.safe_kinds = yakuhai, safe, safe_kinds
    melds = 0
    for i in range(table.meld_count[seat]):
        melds += table.meld_types[seat, i] != state.ANKAN
    mind.context[OPTION.calls] = melds if table.open_melds[seat] else 0


@kernel
def new_row(desk: DecisionState, option: int, tile: int, shanten: int, accepted: int) -> int:
    """Begin the row of an option and return its number."""
    number = min(desk.mind.rows, len(desk.cells) - 1)
    desk.mind.rows = number + 1
    row = desk.cells[number]
    for place in range(OPTION.size):
        row[place] = desk.mind.context[place]
    row[OPTION.option], row[OPTION.tile] = option, tile
    row[OPTION.shanten], row[OPTION.accepted] = min(6, max(0, shanten)), min(60, accepted)
    return number


@kernel
def tell_hand(desk: DecisionState, seat: int, gone: int, row: U8) -> None:
    """Fill in what the hand holds once the tile ``gone`` is discarded, NOBODY for none."""
    table, rules, mind = desk.table, desk.rules, desk.mind
    dora, outside, yakuhai, safe = mind.dora, mind.outside, mind.yakuhai, mind.safe
    man, pin, sou = mind.suits[0], mind.suits[1], mind.suits[2]
    # Less the tile that goes.
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
        elif han_of_triplet(table, seat, kind, rules):
            count, seen = int(table.counts[seat, kind]), int(mind.seen[kind])
            yakuhai += yakuhai_of(count - 1, seen) - yakuhai_of(count, seen)
        safe -= mind.safe_kinds >> kind & 1
    # An open hand needs a yaku.
    if row[OPTION.calls]:
        if gone != NOBODY:
            table.counts[seat, kind_of(gone)] -= 1
        row[OPTION.yaku] = (
            decision_layout.IN_SIGHT
            if yaku_in_sight(table, seat, 0, False, rules)
            else decision_layout.NO_HOPE
        )
        if gone != NOBODY:
            table.counts[seat, kind_of(gone)] += 1
    row[OPTION.dora] = min(7, max(0, dora))
    row[OPTION.outside] = decision_layout.WITH_MELD if outside > 40 else min(8, outside)
    row[OPTION.off_suit] = min(9, man + pin + sou - max(man, pin, sou))
    row[OPTION.yakuhai] = min(7, yakuhai)
    row[OPTION.safe] = min(9, safe) if mind.threats else decision_layout.NO_THREAT


@kernel
def is_near(kinds: int, kind: int, step: int) -> bool:
    """Return whether ``kinds`` (bits) has one of the suit of ``kind``, ``step`` above or below it."""
    rank = kind % 9
    return (rank >= step and kinds >> kind - step & 1 != 0) or (
        rank + step < 9 and kinds >> kind + step & 1 != 0
    )


@kernel
def beside(kind: int, is_suji: bool, river: int, early: int, declared: int) -> int:
    """Return what lies near a suit's tile in a river: ``coach.decisions.Beside``."""
    if is_suji and is_near(declared, kind, 3):
        return decision_layout.SUJI_OF_DECLARED
    if is_near(early, kind, 1):
        return decision_layout.NEXT_TO_EARLY
    if is_near(declared, kind, 1):
        return decision_layout.NEXT_TO_DECLARED
    if is_near(early, kind, 2):
        return decision_layout.TWO_FROM_EARLY
    if is_near(declared, kind, 2):
        return decision_layout.TWO_FROM_DECLARED
    return decision_layout.NEAR_LATER if is_near(river, kind, 1) or is_near(river, kind, 2) else 0


@kernel
def tell_danger(kind: int, row: U8, players: int, mind: Thoughts) -> None:
    """Fill in how dangerous the discard of a kind is against each opponent."""
    for place in range(3):
        if mind.opponents[place] == NOBODY:
            continue
        sort = danger_class(mind.seen, mind.cannot_win[place], kind, players)
        row[OPTION.danger + place] = sort
        if sort >= review_layout.SUJI:
            river, early, declared = mind.river[place], mind.early[place], mind.declared[place]
            row[OPTION.beside + place] = beside(kind, sort < review_layout.NO_CHANCE, river, early, declared)
        suit = mind.collects[place]
        if suit >= 0:
            row[OPTION.flush + place] = 1 if kind >= 27 or kind // 9 == suit else 2


@kernel
def tell_tenpai(desk: DecisionState, seat: int, gone: int, mask: int, row: U8) -> None:
    """Fill in what a tenpai with the waits ``mask`` is worth once the tile ``gone`` is discarded."""
    table, rules, review = desk.table, desk.rules, desk.review
    riichi = row[OPTION.option] == decision_layout.RIICHI
    river = table.river_kinds[seat]
    if gone != NOBODY:
        river |= 1 << kind_of(gone)
        table.counts[seat, kind_of(gone)] -= 1
        table.held[seat, gone] -= 1
    # As if an opponent discarded each wait, in an ordinary turn.
    offer, first, late = table.offer, table.first, table.after_kan
    table.offer, table.first, table.after_kan = state.DISCARD, 0, 0
    source = (seat + 1) % rules.players
    declaring = table.declaring[source]
    table.declaring[source] = 0
    if riichi:
        table.riichi[seat] = 1
    total = count = good = 0
    for kind in range(34):
        copies = 4 - int(desk.mind.seen[kind]) if mask >> kind & 1 else 0
        if copies > 0:
            worth = gain(table, seat, source, kind, rules, desk.scoring, review)
            count += copies
            if worth > 0:
                good += copies
                total += copies * review.memory.points
    if riichi:
        table.riichi[seat] = 0
    table.declaring[source] = declaring
    table.offer, table.first, table.after_kan = offer, first, late
    if gone != NOBODY:
        table.counts[seat, kind_of(gone)] += 1
        table.held[seat, gone] += 1
    # The mean value, and whether it can be won by ron.
    row[OPTION.value] = min(40, total // max(1, count) // 500)
    if mask & river:
        row[OPTION.tenpai] = decision_layout.RIICHI_FURITEN if riichi else decision_layout.IS_FURITEN
    elif riichi:
        row[OPTION.tenpai] = decision_layout.IN_RIICHI
    else:
        some = decision_layout.SOME_YAKU if good else decision_layout.NO_YAKU
        row[OPTION.tenpai] = decision_layout.HAS_YAKU if good and good == count else some


@kernel
def second_step(desk: DecisionState, seat: int, gone: int, mask: int) -> int:
    """Return ``Options.second`` of a hand one from tenpai that accepts ``mask`` without the kind ``gone``.

    ``gone`` is -1 for a hand of 3n + 1 tiles. A hand with one tile more and one less differs from it in two
    suits at most: only their words are looked up.
    """
    table, shapes, mind = desk.table, desk.shapes, desk.mind
    counts, keys, words = table.counts[seat], mind.keys, mind.suit_words
    melds, forms = table.meld_count[seat], desk.rules.forms
    for suit in range(4):
        keys[suit] = table.keys[seat, suit]
    if gone >= 0:
        keys[gone // 9] -= POWERS[gone % 9]
        counts[gone] -= 1
    # Words of the suits, and of those with a tile less.
    every = 0
    for suit in range(4):
        words[suit] = word_of(suit, keys[suit], shapes)
        every += words[suit]
    for other in range(34):
        if counts[other]:
            mind.shrunk[other] = word_of(other // 9, keys[other // 9] - POWERS[other % 9], shapes)
    drawable = drawable_kinds(counts, table.melded[seat], shapes)
    # For each tile accepted, the discard that leaves the widest wait.
    total = weight = 0
    for kind in range(34):
        copies = 4 - int(mind.seen[kind]) if mask >> kind & 1 else 0
        if copies <= 0:
            continue
        own, best = kind // 9, 0
        grown = keys[own] + POWERS[kind % 9]
        before, after = words[own], word_of(own, grown, shapes)
        mind.seen[kind] += 1
        for other in range(34):
            if counts[other] == 0 or other == kind:
                continue
            suit = other // 9
            last = words[suit]
            words[own] = after
            if suit == own:
                words[own] = word_of(own, grown - POWERS[other % 9], shapes)
                sum_ = every - before + words[own]
            else:
                words[suit] = mind.shrunk[other]
                sum_ = every - before + after - last + words[suit]
            open_waits = 0
            if needs_keys(sum_, melds, forms):
                less = POWERS[other % 9]
                keys[own] = grown
                keys[suit] -= less
                open_waits = waits(keys[0], keys[1], keys[2], keys[3], melds, forms, drawable, shapes)
                keys[suit] += less
                keys[own] = grown - POWERS[kind % 9]
            elif sum_ >> OPEN & 15 <= 1:
                open_waits = waits_of_words(words[0], words[1], words[2], words[3]) & drawable
            words[suit] = last
            words[own] = before
            if open_waits:
                best = max(best, live_tiles(open_waits, mind.seen))
        mind.seen[kind] -= 1
        total += copies * best
        weight += copies
    if gone >= 0:
        counts[gone] += 1
    return min(31, (total + weight // 2) // max(1, weight))
