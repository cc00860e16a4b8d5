"""Every way of reading the concealed tiles of a winning hand, the wait included.

For each pair candidate every subset of the kinds held three times is tried as triplets; what is left must
then fall into runs, and can in one way only. That needs no tables and finds each division once.
"""

from __future__ import annotations

from paifu.replay.kernels.arrays import I64_2D, U8
from paifu.replay.kernels.rules import IDENTICAL_PAIRS, KNITTED, RARE_FORMS, SNAKE
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.scoring_layout import (
    FORM_KNITTED,
    FORM_ORPHANS,
    FORM_SEVEN_PAIRS,
    FORM_SNAKE,
    FORM_STANDARD,
    HONOURS,
    KANCHAN,
    PENCHAN,
    ROW_TRIPLETS,
    RYANMEN,
    SHANPON,
    SUITED,
    TANKI,
    YAOCHUU,
)


@kernel
def runs_of_suit(digits: int, triplets: int) -> int:
    """Take ``triplets`` (9 bits) from a suit (9 octal digits) and read the rest as runs.

    Returns 7 octal digits, the runs by first number, or -1 when something is left over.
    """
    # Each bit becomes a digit: halves, quarters and so on of the bits go apart.
    triplets = (triplets | triplets << 16) & 0o300000377
    triplets = (triplets | triplets << 8) & 0o300170017
    triplets = (triplets | triplets << 4) & 0o303030303
    triplets = (triplets | triplets << 2) & 0o111111111
    digits -= 3 * triplets
    # Runs add up to themselves times 111 (octal). So they are a 111th, unless a digit of the sum carries.
    runs = digits // 0o111
    two = runs + (runs << 3)
    carries = (two ^ runs ^ runs << 3) | (digits ^ two ^ runs << 6)
    return runs if digits == runs * 0o111 and carries & 0o11111111110 == 0 else -1


@kernel
def waits_of(win: int, runs: int, triplets: int, pair: int) -> int:
    """Return the waits (bit per wait) with which kind ``win`` can have completed these closed groups."""
    waits = 0
    if pair == win:
        waits |= 1 << TANKI
    if triplets >> win & 1:
        waits |= 1 << SHANPON
    if win < 27:
        number = win % 9
        suit = runs >> 21 * (win // 9)
        if number <= 6 and suit >> 3 * number & 7:
            waits |= 1 << (PENCHAN if number == 6 else RYANMEN)
        if 1 <= number <= 7 and suit >> 3 * number - 3 & 7:
            waits |= 1 << KANCHAN
        if number >= 2 and suit >> 3 * number - 6 & 7:
            waits |= 1 << (PENCHAN if number == 2 else RYANMEN)
    return waits


@kernel
def rare_form(kinds: int, twos: int, forms: int) -> int:
    """Return the form of 14 tiles of ``kinds`` (bits), ``twos`` held twice, if it is one of RARE_FORMS."""
    for suit in range(3):
        if forms & SNAKE and kinds == 511 << 9 * suit | 15 << 27 and twos & (twos - 1) == 0:
            return FORM_SNAKE
        for other in range(suit + 1, 3 if forms & KNITTED else 0):
            if kinds == 127 << 9 * suit | 127 << 9 * other and twos == 0:
                return FORM_KNITTED
    return 0


@entry
def readings_kernel(counts: U8, win: int, forms: int, rows: I64_2D) -> int:
    """Write the readings of ``counts`` (34 concealed counts, the winning tile among them) into ``rows``.

    ``win`` is the kind of the winning tile; ``forms``: what else wins, as bits.
    ``rows`` is (MAX_READINGS, ROW_SIZE) int64. Returns the number of readings, 0 when this is not a win.
    """
    kinds, twos, threes, fours = held_kinds(counts)
    return find_readings(counts, kinds, twos, threes, fours, win, forms, rows)


@kernel
def held_kinds(counts: U8) -> tuple[int, int, int, int]:
    """Return the kinds of which (34,) counts hold one tile at least, two, three and four, as bits."""
    kinds, twos, threes, fours = 0, 0, 0, 0
    for suit in range(4):
        # A tile of nine bits a number of tiles: as many ones as there are tiles, nine bits apart.
        held = 0
        for number in range(9 if suit < 3 else 7):
            held |= ((1 << 9 * int(counts[9 * suit + number])) - 1 & 0o1001001001) << number
        kinds |= (held & 511) << 9 * suit
        twos |= (held >> 9 & 511) << 9 * suit
        threes |= (held >> 18 & 511) << 9 * suit
        fours |= (held >> 27 & 511) << 9 * suit
    return kinds, twos, threes, fours


@kernel
def find_readings(
    counts: U8, kinds: int, twos: int, threes: int, fours: int, win: int, forms: int, rows: I64_2D
) -> int:
    """Do what ``readings_kernel`` does; ``kinds`` to ``fours`` are what ``held_kinds`` returns."""
    # Suits as nine octal digits. Where can the pair be? Two honours of a kind must be it.
    candidates = twos & ~threes & HONOURS
    is_divided = candidates & (candidates - 1) == 0
    man, pin, sou, total = 0, 0, 0, 0
    first, step = 27 if candidates else -1, 1
    for suit in range(3):
        digits, tiles, weight = 0, 0, 0
        for number in range(9):
            count = int(counts[9 * suit + number])
            digits |= count << 3 * number
            tiles += count
            weight += count * number
        man, pin, sou = pin, sou, digits
        total += tiles
        if tiles % 3 == 2 and first < 0:
            # The numbers of runs and triplets add up to multiples of 3, so the pair's number is known mod 3.
            first, step = 9 * suit + 2 * weight % 3, 3
            candidates = twos & SUITED
        elif tiles % 3:
            is_divided = False
    for number in range(27, 34):
        total += int(counts[number])
    # Forms without groups. Seven pairs may be read as groups, too.
    found = 0
    if total == 14 and kinds == YAOCHUU:
        rows[0, 0], rows[0, 1], rows[0, 2], rows[0, 3], rows[0, 4] = FORM_ORPHANS, 0, 0, twos, TANKI
        return 1
    if total == 14 and kinds == twos and threes == fours and (forms & IDENTICAL_PAIRS or fours == 0):
        rows[0, 0], rows[0, 1], rows[0, 2], rows[0, 3], rows[0, 4] = FORM_SEVEN_PAIRS, 0, 0, twos, TANKI
        found = 1
    if total == 14 and forms & RARE_FORMS:
        form = rare_form(kinds, twos, forms)
        if form:
            rows[0, 0], rows[0, 1], rows[0, 2], rows[0, 3], rows[0, 4] = form, 0, 0, twos, TANKI
            return 1
    # With a single honour, or four, no hand wins, nor with a suit that does not divide into groups.
    if kinds & ~twos & HONOURS or fours & HONOURS or not is_divided or total % 3 != 2:
        return found
    # With the pair away, try which of the kinds held three times are triplets; the rest must be runs.
    for pair in range(first, first + 9, step):
        if not candidates >> pair & 1:
            continue
        less_man = man - (2 << 3 * pair if pair < 9 else 0)
        less_pin = pin - (2 << 3 * pair - 27 if 9 <= pair < 18 else 0)
        less_sou = sou - (2 << 3 * pair - 54 if 18 <= pair < 27 else 0)
        options = threes & SUITED & ~(1 << pair)
        subset = options
        while True:
            runs = runs_of_suit(less_man, subset & 511)
            runs_pin = runs_of_suit(less_pin, subset >> 9 & 511) if runs >= 0 else -1
            runs_sou = runs_of_suit(less_sou, subset >> 18) if runs_pin >= 0 else -1
            # One row for each wait that the winning tile can have completed.
            if runs_sou >= 0:
                runs |= runs_pin << 21 | runs_sou << 42
                triplets = subset | (threes & HONOURS)
                waits = waits_of(win, runs, triplets, pair)
                for wait in range(5):
                    # Written in any case and kept if there is the wait: no branch that cannot be foreseen.
                    rows[found, 0], rows[found, 1], rows[found, 2] = FORM_STANDARD, runs, triplets
                    rows[found, 3], rows[found, 4] = 1 << pair, wait
                    found += waits >> wait & 1
            if subset == 0:
                break
            subset = (subset - 1) & options
    return found


@kernel
def is_triplet_in_every_reading(counts: U8, waits: int, kind: int, forms: int, rows: I64_2D) -> bool:
    """Return whether three tiles of ``kind`` are a triplet however each winning hand is read.

    ``counts``: (34,) concealed tiles of a tenpai hand without those three, the same afterwards; ``waits``:
    the kinds it waits for; ``rows`` is scratch memory as for ``readings_kernel``.
    """
    always = True
    counts[kind] += 3
    for win in range(34):
        if not waits >> win & 1:
            continue
        counts[win] += 1
        for i in range(readings_kernel(counts, win, forms, rows)):
            always = always and rows[i, ROW_TRIPLETS] >> kind & 1 == 1
        counts[win] -= 1
    counts[kind] -= 3
    return always
