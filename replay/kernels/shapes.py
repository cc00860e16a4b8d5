"""Shanten, waits and acceptance as table look-ups: the kernels every replay runs at each tile.

A hand's concealed tiles are four **suit keys**: ``sum(count * 5**digit)``, digit 0 the 1 of the suit (for
honours the east wind). Drawing or discarding a tile adds or takes ``5**digit``, so a replay keeps keys up to
date and never counts a hand again. Each key leads to one **word**, and four words say everything about a
hand's shape.

No count may be above 4: such a key lies outside its table, and kernels check nothing.
``called`` is the number of melds, kans included; the hand has 13 or 14 tiles less 3 for each.
``drawable`` is a 34-bit mask of kinds in the set that the player can hold one more of, as
:func:`drawable_kinds` returns it.
``forms`` says what wins besides the usual, as bits: IDENTICAL_PAIRS, SNAKE, KNITTED of
:mod:`~paifu.replay.kernels.rules`.
"""

from __future__ import annotations

from paifu.replay.kernels.arrays import I8, I8_2D, I64, I64_2D, U8, U8_2D, U16
from paifu.replay.kernels.records import Record, cells
from paifu.replay.kernels.rules import IDENTICAL_PAIRS, KNITTED, RARE_FORMS, SNAKE
from paifu.replay.kernels.running import entry, kernel

# Fields of a word. The first seven are counts that add up over the four suits, a nibble each.
PAIRS = 0  # kinds held at least twice
KINDS = 4  # kinds held
QUADS = 8  # kinds held four times
ORPHANS = 12  # terminal and honour kinds held
ORPHAN_PAIR = 16  # 1 when one of those is held twice
OPEN = 20  # 1 unless the suit splits into melds, or melds and a pair, with nothing left over
TWO = 24  # 1 when the suit's tiles leave 2 when divided by 3
MASK = 28  # 9 bits: the digits that make the suit one of (melds) or (melds and a pair)
CLASS = 40  # the class, see ShapeTables.join

NOT_HELD = 99
"""In place of a shanten: the kind cannot be discarded."""

CLASSES, DISTINCT_WORDS = 225, 18300
"""Sizes of the tables."""
POWERS = (1, 5, 25, 125, 625, 3125, 15625, 78125, 390625)
"""Of 5, which a tile adds to the key of its suit."""
_YAOCHU = 0b1111111_100000001_100000001_100000001


class ShapeTables(Record):
    """What shape kernels read; load with ``paifu.replay.shapes.tables.load_tables``.

    A *class* is a suit, or several taken together, as the standard form sees it: how many tiles are missing
    to 0-4 melds, each without and with a pair. There are so few that one byte names any of them, and that
    classes of two groups of tiles join by one look-up.
    """

    man: U16 = cells(5**9)
    """Man key -> row of ``words``; not always ``suit``, for a 3-player set has only 1m and 9m."""
    suit: U16 = cells(5**9)
    """Pin or sou key -> row of ``words``."""
    honour: U16 = cells(5**7)
    """Honour key -> row of ``words``."""
    words: I64 = cells(DISTINCT_WORDS)
    """The distinct words, fields as named above."""
    join: U8_2D = cells(CLASSES, CLASSES)
    """The class of two groups of tiles taken together."""
    standard: I8_2D = cells(CLASSES, 5)
    """Shanten of the standard form by the class of the whole hand and ``called``."""
    kinds: int
    """34-bit mask of the kinds in the set."""


@kernel
def suit_keys(counts: U8 | I64) -> tuple[int, int, int, int]:
    """Return the man, pin, sou and honour keys of (34,) counts."""
    man = pin = sou = honour = 0
    for digit in range(9):
        power = POWERS[digit]
        man += power * int(counts[digit])
        pin += power * int(counts[9 + digit])
        sou += power * int(counts[18 + digit])
        if digit < 7:
            honour += power * int(counts[27 + digit])
    return man, pin, sou, honour


@kernel
def drawable_kinds(counts: U8, melded: U8, tables: ShapeTables) -> int:
    """Return the mask of kinds that hand and own melds, (34,) counts each, hold less than four of."""
    mask = 0
    for kind in range(34):
        if counts[kind] + melded[kind] < 4:
            mask |= 1 << kind
    return mask & tables.kinds


@entry
def seven_pairs_shanten(total: int, forms: int) -> int:
    """Return the shanten of seven pairs from the sum of a closed hand's words."""
    if forms & IDENTICAL_PAIRS:
        return 6 - (total & 15) - (total >> QUADS & 15)
    return 6 - (total & 15) + max(0, 7 - (total >> KINDS & 15))


@entry
def thirteen_orphans_shanten(total: int) -> int:
    """Return the shanten of thirteen orphans from the sum of a closed hand's words."""
    return 13 - (total >> ORPHANS & 15) - min(1, total >> ORPHAN_PAIR & 15)


@kernel
def least_shanten(group: int, total: int, called: int, forms: int, tables: ShapeTables) -> int:
    """Return the least shanten of the three usual forms from a whole hand's class and sum of words."""
    least = int(tables.standard[group, called])
    if called == 0:
        least = min(least, seven_pairs_shanten(total, forms), thirteen_orphans_shanten(total))
    return least


@kernel
def hand_shape(man: int, pin: int, sou: int, honour: int, tables: ShapeTables) -> tuple[int, int]:
    """Return the class of a whole hand and the sum of its words."""
    words, join = tables.words, tables.join
    a, b = words[tables.man[man]], words[tables.suit[pin]]
    c, d = words[tables.suit[sou]], words[tables.honour[honour]]
    return join[join[a >> CLASS, b >> CLASS], join[c >> CLASS, d >> CLASS]], int(a + b + c + d)


@entry
def shanten_of_forms(counts: U8, called: int, forms: int, tables: ShapeTables) -> tuple[int, int, int]:
    """Return the shanten of a hand of (34,) counts in each form: standard, seven pairs, thirteen orphans."""
    man, pin, sou, honour = suit_keys(counts)
    group, total = hand_shape(man, pin, sou, honour, tables)
    standard = int(tables.standard[group, called])
    return standard, seven_pairs_shanten(total, forms), thirteen_orphans_shanten(total)


@kernel
def held_kinds(key: int) -> tuple[int, int]:
    """Return the digits of a suit key that are not 0, and those of 2 or more, as bits."""
    held = twice = digit = 0
    while key:
        count = key % 5
        held |= int(count > 0) << digit
        twice |= int(count > 1) << digit
        key //= 5
        digit += 1
    return held, twice


@kernel
def rare_forms(man: int, pin: int, sou: int, honour: int, forms: int) -> tuple[int, int]:
    """Return the least shanten of a closed hand to the RARE_FORMS, and the kinds that lower it."""
    least, mask = NOT_HELD, 0
    winds, two_winds = held_kinds(honour)
    keys = (man, pin, sou)
    for suit in range(3):
        held, twice = held_kinds(keys[suit])
        # One suit whole and every wind, one of them twice: 14 tiles, of which any may be the pair.
        if forms & SNAKE:
            kinds, has_pair = held | (winds & 15) << 9, twice | two_winds & 15
            lacks = 13 - int(has_pair > 0)
            for place in range(13):
                lacks -= kinds >> place & 1
            wanted = 8191 & ~kinds if has_pair else 8191
            wanted = (wanted & 511) << 9 * suit | wanted >> 9 << 27
            if lacks <= least:
                least, mask = lacks, wanted | (mask if lacks == least else 0)
        # Two suits, 1 to 7 of each.
        for other in range(suit + 1, 3 if forms & KNITTED else 0):
            kinds = held & 127 | (held_kinds(keys[other])[0] & 127) << 7
            lacks = 13
            for place in range(14):
                lacks -= kinds >> place & 1
            wanted = (127 & ~kinds) << 9 * suit | (127 & ~(kinds >> 7)) << 9 * other
            if lacks <= least:
                least, mask = lacks, wanted | (mask if lacks == least else 0)
    return least, mask


@kernel
def shanten(man: int, pin: int, sou: int, honour: int, called: int, forms: int, tables: ShapeTables) -> int:
    """Return the least shanten of all forms: -1 complete, 0 tenpai. Melds count by number only."""
    group, total = hand_shape(man, pin, sou, honour, tables)
    least = least_shanten(group, total, called, forms, tables)
    if forms & RARE_FORMS and called == 0:
        least = min(least, rare_forms(man, pin, sou, honour, forms)[0])
    return least


@kernel
def _waits_of_pairs_and_orphans(man: int, pin: int, sou: int, honour: int, total: int, forms: int) -> int:
    """Return the kinds that complete seven pairs or thirteen orphans."""
    # Which kinds the hand has, and which of them an odd number of times.
    odd = held = 0
    for suit, key in enumerate((man, pin, sou, honour)):
        kind = 9 * suit
        while key:
            count = key % 5
            odd |= (count & 1) << kind
            held |= (1 if count else 0) << kind
            key //= 5
            kind += 1
    mask = 0
    # Six pairs wait for the tile that stands alone.
    pairs, kinds = total & 15, total >> KINDS & 15
    if forms & IDENTICAL_PAIRS:
        pairs, kinds = pairs + (total >> QUADS & 15), 7
    if pairs == 6 and kinds == 7:
        mask = odd
    # Thirteen different orphans wait for any of them, twelve with a pair for the one they lack.
    orphans = total >> ORPHANS & 15
    if orphans == 13:
        mask = _YAOCHU
    elif orphans == 12 and total >> ORPHAN_PAIR & 15:
        mask |= _YAOCHU & ~held
    return mask


@kernel
def word_of(suit: int, key: int, tables: ShapeTables) -> int:
    """Return the word of a suit key."""
    index = tables.man[key] if suit == 0 else tables.honour[key] if suit == 3 else tables.suit[key]
    return int(tables.words[index])


@kernel
def waits_of_words(a: int, b: int, c: int, d: int) -> int:
    """Return the kinds that make four suits with these words melds and a pair, of 3n + 1 tiles in all.

    One suit takes the tile, the others are complete already: with the pair in one of them when that suit has
    3n + 2 tiles, without one when it has 3n + 1.
    """
    total, mask = a + b + c + d, 0
    for suit, word in enumerate((a, b, c, d)):
        # The suit that takes the tile has all that is open, and the others need none.
        others_open = (total - word) >> OPEN & 15
        if others_open == 0 and total >> TWO & 15 == 2 * (word >> TWO & 15):
            mask |= (word >> MASK & 511) << 9 * suit
    return mask


@kernel
def needs_keys(total: int, called: int, forms: int) -> bool:
    """Return whether a hand with this sum of words may wait for another form than melds and a pair."""
    return called == 0 and (
        (total & 15) + (total >> QUADS & 15) * (forms & IDENTICAL_PAIRS) == 6
        or total >> ORPHANS & 15 >= 12
        or forms & RARE_FORMS != 0
    )


@entry
def waits(
    man: int,
    pin: int,
    sou: int,
    honour: int,
    called: int,
    forms: int,
    drawable: int,
    tables: ShapeTables,
) -> int:
    """Return the mask of drawable kinds that complete a hand of 3n + 1 tiles; 0 when it is not tenpai."""
    words = tables.words
    a, b = words[tables.man[man]], words[tables.suit[pin]]
    c, d = words[tables.suit[sou]], words[tables.honour[honour]]
    total = a + b + c + d
    # Melds and a pair; then the other forms, if so few tiles are missing that one may be near.
    mask = waits_of_words(a, b, c, d) if total >> OPEN & 15 <= 1 else 0
    if needs_keys(total, called, forms):
        mask |= _waits_of_pairs_and_orphans(man, pin, sou, honour, total, forms)
        if forms & RARE_FORMS:
            lacks, wanted = rare_forms(man, pin, sou, honour, forms)
            mask |= wanted if lacks == 0 else 0
    return mask & drawable


@kernel
def _digits_accepted(
    key: int,
    index: U16,
    digits: int,
    group: int,
    total: int,
    now: int,
    called: int,
    forms: int,
    tables: ShapeTables,
) -> int:
    """Return the digits of a suit that lower shanten; ``group`` and ``total`` are of the other suits."""
    mask, left = 0, key
    for digit in range(digits):
        # A fifth copy does not exist.
        if left % 5 < 4:
            word = tables.words[index[key + POWERS[digit]]]
            whole = tables.join[group, word >> CLASS]
            lower = least_shanten(whole, total + word, called, forms, tables) < now
            mask |= int(lower) << digit
        left //= 5
    return mask


@entry
def acceptance(
    man: int,
    pin: int,
    sou: int,
    honour: int,
    called: int,
    forms: int,
    drawable: int,
    tables: ShapeTables,
) -> tuple[int, int]:
    """Return the shanten of a hand of 3n + 1 tiles and the mask of drawable kinds that lower it."""
    words, join = tables.words, tables.join
    a, b = words[tables.man[man]], words[tables.suit[pin]]
    c, d = words[tables.suit[sou]], words[tables.honour[honour]]
    total = a + b + c + d
    # Each suit with one tile more, joined to the other three as they are.
    w, x, y, z = a >> CLASS, b >> CLASS, c >> CLASS, d >> CLASS
    left, right = join[w, x], join[y, z]
    now = least_shanten(join[left, right], total, called, forms, tables)
    mask = _digits_accepted(man, tables.man, 9, join[x, right], total - a, now, called, forms, tables)
    mask |= _digits_accepted(pin, tables.suit, 9, join[w, right], total - b, now, called, forms, tables) << 9
    mask |= _digits_accepted(sou, tables.suit, 9, join[left, z], total - c, now, called, forms, tables) << 18
    mask |= (
        _digits_accepted(honour, tables.honour, 7, join[left, y], total - d, now, called, forms, tables) << 27
    )
    # A rare form that is as near adds its kinds, a nearer one replaces all.
    if forms & RARE_FORMS and called == 0:
        lacks, wanted = rare_forms(man, pin, sou, honour, forms)
        if lacks <= now:
            now, mask = lacks, wanted | (mask if lacks == now else 0)
    return now, mask & drawable


@kernel
def live_tiles(mask: int, seen: U8) -> int:
    """Count the tiles of the kinds in ``mask`` that a player who sees (34,) ``seen`` tiles does not see."""
    live = 0
    for kind in range(34):
        if mask >> kind & 1:
            live += 4 - int(seen[kind])
    return live


@entry
def discards(
    counts: U8,
    melded: U8,
    seen: U8,
    called: int,
    forms: int,
    tables: ShapeTables,
    out: I64_2D,
) -> None:
    """Fill (34, 3) ``out`` for each discard from 3n + 2 tiles: shanten, acceptance mask, live tiles.

    Hand, own melds and everything the player sees (both included) are (34,) counts. Kinds not held get
    shanten NOT_HELD and zeros.
    """
    man, pin, sou, honour = suit_keys(counts)
    drawable = drawable_kinds(counts, melded, tables)
    for kind in range(34):
        out[kind, 0], out[kind, 1], out[kind, 2] = NOT_HELD, 0, 0
        if counts[kind]:
            suit, power = kind // 9, POWERS[kind % 9]
            now, mask = acceptance(
                man - (power if suit == 0 else 0),
                pin - (power if suit == 1 else 0),
                sou - (power if suit == 2 else 0),
                honour - (power if suit == 3 else 0),
                called,
                forms,
                drawable | 1 << kind,
                tables,
            )
            out[kind, 0], out[kind, 1], out[kind, 2] = now, mask, live_tiles(mask, seen)


@kernel
def can_be(counts: U8, melded: U8, called: int, least: int, most: int, tables: ShapeTables) -> bool:
    """Return whether a hand beside melds is of ``least`` to ``most`` tiles and of no kind too many."""
    if called > 4:
        return False
    size = 3 * called
    for kind in range(34):
        size += int(counts[kind])
        # Four of a kind at most, melds included, and only kinds that the game has.
        own = int(counts[kind])
        if own and (own + int(melded[kind]) > 4 or not tables.kinds >> kind & 1):
            return False
    return least <= size <= most


@entry
def shanten_of_hands(counts: U8_2D, called: U8, forms: int, tables: ShapeTables, nothing: U8, out: I8) -> int:
    """Fill (n,) ``out`` with the shanten of (n, 34) hands with (n,) melds.

    Returns the row of the first hand that cannot be, where it stops, or -1. ``nothing``: (34,) zeros.
    """
    for i in range(len(counts)):
        if not can_be(counts[i], nothing, int(called[i]), 13, 14, tables):
            return i
        man, pin, sou, honour = suit_keys(counts[i])
        out[i] = shanten(man, pin, sou, honour, int(called[i]), forms, tables)
    return -1


@entry
def waits_of_hands(
    counts: U8_2D, melded: U8_2D, called: U8, forms: int, tables: ShapeTables, out: I64
) -> int:
    """Fill (n,) ``out`` with the masks of kinds that complete (n, 34) hands of 13 tiles with (n,) melds.

    Returns as :func:`shanten_of_hands`. ``melded``: (n, 34) tiles of the melds, or (1, 34) for all.
    """
    for i in range(len(counts)):
        own = melded[min(i, len(melded) - 1)]
        if not can_be(counts[i], own, int(called[i]), 13, 13, tables):
            return i
        man, pin, sou, honour = suit_keys(counts[i])
        drawable = drawable_kinds(counts[i], own, tables)
        out[i] = waits(man, pin, sou, honour, int(called[i]), forms, drawable, tables)
    return -1


@entry
def acceptance_of_hand(
    counts: U8, melded: U8, seen: U8, called: U8, forms: int, tables: ShapeTables, out: I64
) -> None:
    """Fill (3,) ``out`` for a hand of 13 tiles: shanten, the mask of kinds that lower it, their live tiles.

    The arguments are those of :func:`discards`; ``called`` has one cell.
    """
    man, pin, sou, honour = suit_keys(counts)
    drawable = drawable_kinds(counts, melded, tables)
    out[0], out[1] = acceptance(man, pin, sou, honour, int(called[0]), forms, drawable, tables)
    out[2] = live_tiles(out[1], seen)
