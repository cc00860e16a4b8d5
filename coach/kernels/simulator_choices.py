"""What simulated players choose: the discard and the call, by shanten, acceptance and safety."""

from __future__ import annotations

from paifu.coach.kernels.simulator_moves import Course
from paifu.replay.kernels import legal
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, U8
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.shapes import (
    CLASS,
    NOT_HELD,
    POWERS,
    ShapeTables,
    drawable_kinds,
    least_shanten,
    live_tiles,
    seven_pairs_shanten,
    shanten,
    thirteen_orphans_shanten,
    word_of,
)
from paifu.replay.kernels.table_state import NOBODY, YAOCHUU, TableState, kind_of, rest_of_run

# Traits of a player: see ``simulate.games.Player``.
(
    T_CALLS, T_RIICHI, T_KANS, T_DEFENCE, T_ABORTS, T_PASSES, T_WILD, T_FURITEN_RIICHI, T_STRONG,
    T_SIZE,
) = range(10)  # fmt: skip
SURE = 1000
# Choice of a discard: kind, shanten after it, acceptance (waits when tenpai).


@kernel
def chance(record: Course, part: int) -> bool:
    """Draw a random number: True in ``part`` of 1000 cases."""
    record.random = record.random * 48271 % 2147483647
    return bool(record.random % SURE < part)


@kernel
def shanten_less(keys: I64, kind: int, number: int, melds: int, forms: int, shapes: ShapeTables) -> int:
    """Return the shanten of a hand without ``number`` tiles of a kind."""
    suit, power = kind // 9, number * POWERS[kind % 9]
    return shanten(
        keys[0] - (power if suit == 0 else 0),
        keys[1] - (power if suit == 1 else 0),
        keys[2] - (power if suit == 2 else 0),
        keys[3] - (power if suit == 3 else 0),
        melds, forms, shapes,
    )  # fmt: skip


@kernel
def note_shantens(
    table: TableState, seat: int, kinds: int, forms: int, shapes: ShapeTables, shantens: I64
) -> int:
    """Fill the shanten after the discard of each of ``kinds``, NOT_HELD for others; return the least."""
    least = NOT_HELD
    for kind in range(34):
        shantens[kind] = NOT_HELD
        if kinds >> kind & 1:
            shantens[kind] = shanten_less(table.keys[seat], kind, 1, table.meld_count[seat], forms, shapes)
            least = min(least, int(shantens[kind]))
    return least


@kernel
def note_grown(keys: I64, counts: U8, grown: I64, shapes: ShapeTables) -> None:
    """Write the words of suits with one tile more: all discards but those of the suit share them."""
    for kind in range(34):
        if counts[kind] == 4:
            continue
        grown[kind] = word_of(kind // 9, keys[kind // 9] + POWERS[kind % 9], shapes)


@kernel
def accepted_less(
    keys: I64, counts: U8, grown: I64, kind: int, melds: int, forms: int, shapes: ShapeTables
) -> int:
    """Return the kinds that lower shanten once a kind is discarded; see ``kernels.shapes.acceptance``."""
    join, own = shapes.join, kind // 9
    less = keys[own] - POWERS[kind % 9]
    a = word_of(0, less if own == 0 else keys[0], shapes)
    b = word_of(1, less if own == 1 else keys[1], shapes)
    c = word_of(2, less if own == 2 else keys[2], shapes)
    d = word_of(3, less if own == 3 else keys[3], shapes)
    total = a + b + c + d
    left, right = join[a >> CLASS, b >> CLASS], join[c >> CLASS, d >> CLASS]
    now = least_shanten(join[left, right], total, melds, forms, shapes)
    special = melds == 0 and now >= min(seven_pairs_shanten(total, forms), thirteen_orphans_shanten(total))
    mask = 0
    for suit in range(4):
        if suit == 0:
            group, word = join[b >> CLASS, right], a
        elif suit == 1:
            group, word = join[a >> CLASS, right], b
        elif suit == 2:
            group, word = join[left, d >> CLASS], c
        else:
            group, word = join[left, c >> CLASS], d
        for one in range(9 * suit, min(9 * suit + 9, 34)):
            if counts[one] == 4 and one != kind:
                continue
            after = grown[one] if suit != own else word_of(suit, less + POWERS[one % 9], shapes)
            whole = join[group, after >> CLASS]
            lower = shapes.standard[whole, melds] < now
            if special:
                lower = least_shanten(whole, total - word + after, melds, forms, shapes) < now
            mask |= int(lower) << one
    return mask


@kernel
def danger(table: TableState, record: Course, seat: int, kind: int, rules: KernelRules) -> int:
    """Rate how dangerous a discard is against riichi and hands of three open melds: 0 is safe."""
    total = 0
    for other in range(rules.players):
        melds, riichi = table.meld_count[other], table.riichi[other]
        if other == seat or (riichi == 0 and (melds < 3 or table.open_melds[other] == 0)):
            continue
        safe = table.river_kinds[other] | record.safe[other]
        if safe >> kind & 1:
            continue
        if kind >= 27:
            risk = 4 - int(record.seen[kind])
        else:
            number = kind % 9
            below = number < 3 or safe >> kind - 3 & 1
            above = number > 5 or safe >> kind + 3 & 1
            risk = 2 + (number not in (0, 8))
            if not (below and above):
                risk = 6 + min(number, 8 - number) if number < 3 or number > 5 or not (below or above) else 6
        total += risk * (3 if other == table.dealer else 2) * (2 if riichi else 1) // 2
    return total


@kernel
def choose_discard(
    table: TableState, record: Course, seat: int, traits: I64, rules: KernelRules, shapes: ShapeTables
) -> None:
    """Choose a discard from 3n + 2 tiles into ``record``: shanten, live tiles, safety, use."""
    keys, counts = table.keys[seat], table.counts[seat]
    melds, forms = table.meld_count[seat], rules.forms
    kinds, equals = legal.discardable(counts, table.kuikae | table.refused), 0
    least = note_shantens(table, seat, kinds, forms, shapes, record.shantens)
    for kind in range(34):
        equals += record.shantens[kind] == least
    state.note_seen(table, seat, record.seen)
    drawable = drawable_kinds(counts, table.melded[seat], shapes)
    note_grown(keys, counts, record.grown, shapes)
    # Safety counts against riichi and three melds, the more the farther the hand is.
    weight = 0
    for other in range(rules.players):
        if other != seat and (table.riichi[other] or table.meld_count[other] >= 3):
            weight = traits[T_DEFENCE] * (1 if least <= 0 else 10 if least == 1 else 100)
    # Shanten, live tiles, safety, and how useful the kind is.
    best = -(1 << 40)
    for kind in range(34):
        now = record.shantens[kind]
        if now == NOT_HELD:
            continue
        mask = 0
        value = -1000 * now + (8 if kind >= 27 else 2 * abs(kind % 9 - 4))
        if weight:
            value -= weight * danger(table, record, seat, kind, rules)
        if now == least and (equals > 1 or least == 0):
            mask = accepted_less(keys, counts, record.grown, kind, melds, forms, shapes)
            mask &= drawable | 1 << kind
            value += 20 * live_tiles(mask, record.seen)
        if value > best:
            best = value
            record.chosen_kind, record.chosen_shanten, record.chosen_mask = kind, record.shantens[kind], mask


@kernel
def choose_wildly(table: TableState, record: Course, seat: int) -> int:
    """Return any kind that may be discarded, without a thought."""
    chance(record, 0)
    skip, kinds = record.random % 14, legal.discardable(table.counts[seat], table.kuikae | table.refused)
    while kinds:
        for kind in range(34):
            if kinds >> kind & 1:
                if skip == 0:
                    return kind
                skip -= 1
    return NOBODY


@kernel
def han_of_triplet(table: TableState, seat: int, kind: int, rules: KernelRules) -> int:
    """Return how many han a triplet of a kind is worth by itself."""
    own = 27 + (seat - table.east) % rules.players
    return int(kind > state.NORTH) + int(kind == own) + int(kind == 27 + table.wind)


@kernel
def yaku_in_sight(table: TableState, seat: int, mask: int, is_run: bool, rules: KernelRules) -> bool:
    """Return whether an open hand can hope for a yaku once the kinds in ``mask`` are called."""
    counts, number = table.counts[seat], table.meld_count[seat]
    outside, strange, twins, suits = 0, 0, 0, 0
    for i in range(number):
        kind, sort = int(table.meld_kinds[seat, i]), table.meld_types[seat, i]
        mask |= (0b111 if sort == state.CHI else 1) << kind
        is_run = is_run or sort == state.CHI
    for kind in range(27, 34):
        if han_of_triplet(table, seat, kind, rules) and (mask >> kind & 1 or counts[kind] >= 3):
            return True
    for kind in range(34):
        outside += counts[kind] * (YAOCHUU >> kind & 1)
        twins += counts[kind] >= 2
    for suit in range(3):
        suits += mask >> 9 * suit & 511 != 0
        for kind in range(9 * suit, 9 * suit + 9):
            strange += 0 if mask >> 9 * suit & 511 else counts[kind]
    if rules.kuitan and mask & YAOCHUU == 0 and outside <= 2:
        return True
    return (suits == 1 and strange <= 2) or (not is_run and twins + number >= 5)


@kernel
def least_after(
    table: TableState,
    seat: int,
    first: int,
    second: int,
    forbidden: int,
    rules: KernelRules,
    shapes: ShapeTables,
) -> int:
    """Return the least shanten when two own kinds are called away; NOT_HELD where none may be discarded."""
    least = NOT_HELD
    keys, counts, melds = table.keys[seat], table.counts[seat], table.meld_count[seat] + 1
    for kind in (first, second):
        keys[kind // 9] -= POWERS[kind % 9]
        counts[kind] -= 1
    kinds = legal.discardable(counts, forbidden)
    for kind in range(34):
        if kinds >> kind & 1:
            least = min(least, shanten_less(keys, kind, 1, melds, rules.forms, shapes))
    for kind in (first, second):
        keys[kind // 9] += POWERS[kind % 9]
        counts[kind] += 1
    return least


@kernel
def choose_call(
    table: TableState, record: Course, seat: int, traits: I64, rules: KernelRules, shapes: ShapeTables
) -> tuple[int, int, int]:
    """Choose what a seat calls of the discard on offer: (EventKind or 0, first and second own kind)."""
    kind, none, found = int(kind_of(table.offer_tile)), (0, 0, 0), legal.calls(table, seat, rules)
    keys, melds = table.keys[seat], table.meld_count[seat]
    if found == 0 or traits[T_CALLS] == 0:
        return none
    now = shanten(keys[0], keys[1], keys[2], keys[3], melds, rules.forms, shapes)
    threat = 0
    for other in range(rules.players):
        threat += other != seat and table.riichi[other] != 0
    limit = now if threat == 0 or traits[T_DEFENCE] == 0 else 1
    # A pon or a kan.
    can_pon, same = found & legal.A_PON != 0, legal.swap_calls(kind, kind, False, rules.kuikae)
    if can_pon and yaku_in_sight(table, seat, 1 << kind, False, rules) and chance(record, traits[T_CALLS]):
        may_kan, forms = found & legal.A_KAN != 0 and table.kans < 4, rules.forms
        kan = may_kan and threat == 0 and chance(record, traits[T_KANS])
        if kan and shanten_less(keys, kind, 3, melds + 1, forms, shapes) <= now:
            return state.DAIMINKAN, kind, kind
        if least_after(table, seat, kind, kind, same, rules, shapes) < min(now, limit):
            return state.PON, kind, kind
    # A chi.
    for low in range(kind - 2, kind + 1):
        may_chi = found & legal.A_CHI << kind - low != 0
        if not (may_chi and yaku_in_sight(table, seat, 0b111 << low, True, rules)):
            continue
        first, second = rest_of_run(low, kind)
        forbidden = legal.swap_calls(kind, low, True, rules.kuikae)
        if least_after(table, seat, first, second, forbidden, rules, shapes) < min(now, limit):
            return (state.CHI, first, second) if chance(record, traits[T_CALLS]) else none
    return none
