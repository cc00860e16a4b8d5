"""What a winning hand is worth: yaku, han, fu and base points of its best reading, and who pays what.

The yaku come from a table of bit patterns and the rules from a table of parameters, both made once a
ruleset by ``scoring.scoring_tables``; nothing here knows a single yaku but pinfu, which waives fu.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.arrays import I64, I64_2D, U8, U8_2D
from paifu.replay.kernels.readings import find_readings, held_kinds
from paifu.replay.kernels.running import entry, kernel

PLACES = tuple(next((k for k in range(62) if 2**k % 67 == rest), 0) for rest in range(67))
"""Power of two, modulo 67 -> its exponent, up to 61."""


@kernel
def bit_count(bits: int) -> int:
    """Count the ones of a number that is not negative; meant for few."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


class YakuTable(NamedTuple):
    """The yaku of a ruleset."""

    rows: I64_2D
    """(n, PATTERN_SIZE): the patterns of all yaku in play, greater yaku before those they replace."""
    fits: I64_2D
    """(n / PATTERNS_A_CELL, WORDS * PIECES * 2**PIECE): for each value of a piece of a word, the patterns
    that it fits, as bits."""


@kernel
def fitting(word: int, number: int, fits: I64) -> int:
    """Return the patterns (bits) that the word of a number fits; ``fits`` is a row of the table."""
    found = -1
    for piece in range(layout.PIECES_OF[number]):
        found &= fits[layout.PIECES * number + piece << layout.PIECE | word & (1 << layout.PIECE) - 1]
        word >>= layout.PIECE
    return found


@kernel
def match_kernel(
    facts: int, triplets: int, kinds: int, runs: int, threes: int, closed: int, patterns: YakuTable
) -> tuple[int, int, int, int, int, int, int, int, int, int]:
    """Match one reading's five words against the table; ``closed`` (0, 1) picks the column of han.

    Words are looked up rather than compared with each pattern: no branch depends on what does not fit.
    Returns the ids found below 64 and from 64 on (bits), those of the yakuman among them, the han of the
    others summed, the han of the yakuman summed, the id and han of the first of the most expensive ones, and
    the id and base points of a yaku that is worth a limit by itself.
    """
    yaku, local, great, great_local, han, yakuman = 0, 0, 0, 0, 0, 0
    dearest_id, dearest, limit_id, limit = 0, 0, 0, 0
    replaced, replaced_local = 0, 0
    following = 0
    for cell in range(len(patterns.fits)):
        fits = patterns.fits[cell]
        found = fitting(facts, layout.WORD_FACTS, fits) & fitting(triplets, layout.WORD_TRIPLETS, fits)
        found &= fitting(kinds, layout.WORD_KINDS, fits) & fitting(runs, layout.WORD_RUNS, fits)
        found &= fitting(threes, layout.WORD_THREES, fits)
        while found:
            i = layout.PATTERNS_A_CELL * cell + PLACES[(found & -found) % len(PLACES)]
            found &= found - 1
            if i < following:
                continue
            row = patterns.rows[i]
            following = row[layout.PATTERN_NEXT]
            number, worth = row[layout.PATTERN_ID], row[layout.PATTERN_OPEN + closed]
            if (replaced >> number if number < 64 else replaced_local >> number - 64) & 1:
                continue
            replaced |= row[layout.PATTERN_REPLACES]
            replaced_local |= row[layout.PATTERN_REPLACES_LOCAL]
            if row[layout.PATTERN_LIMIT]:
                limit_id, limit = number, row[layout.PATTERN_LIMIT]
                continue
            if number < 64:
                yaku |= 1 << number
            else:
                local |= 1 << number - 64
            if worth >= layout.YAKUMAN_HAN:
                yakuman += worth
                if number < 64:
                    great |= 1 << number
                else:
                    great_local |= 1 << number - 64
                if worth > dearest:
                    dearest_id, dearest = number, worth
            else:
                han += worth
    return yaku, local, great, great_local, han, yakuman, dearest_id, dearest, limit_id, limit


@kernel
def fu_kernel(
    row: I64,
    triplets: int,
    concealed: int,
    kans: int,
    closed: int,
    situation: int,
    pinfu: int,
    seat_wind: int,
    round_wind: int,
    params: I64,
) -> tuple[int, int]:
    """Return the fu of a reading (``row``), and their reasons: three bits each, counting how often.

    ``triplets``, ``concealed`` and ``kans`` are bits of kinds; a kan is among the triplets too.
    """
    form, pair, tsumo = row[layout.ROW_FORM], row[layout.ROW_PAIRS], situation & layout.TSUMO
    # Forms with fu of their own.
    if form == layout.FORM_SEVEN_PAIRS:
        return params[layout.FU_SEVEN_PAIRS], 1 << 3 * layout.FU_SEVEN_PAIRS
    reasons = 1 << 3 * layout.FU_BASE
    if form == layout.FORM_ORPHANS or form == layout.FORM_FOUR_KANS:
        return (30, reasons) if params[layout.PARAM_NO_LIMITS] else (0, 0)
    if params[layout.PARAM_FIXED_FU]:
        return params[layout.FU_BASE], reasons
    # How it was won.
    if tsumo and not pinfu and (params[layout.PARAM_RINSHAN_FU] or not situation & layout.RINSHAN):
        reasons |= 1 << 3 * layout.FU_TSUMO
    if closed and not tsumo:
        reasons |= 1 << 3 * layout.FU_CLOSED_RON
    if row[layout.ROW_WAIT] != layout.RYANMEN and row[layout.ROW_WAIT] != layout.SHANPON:
        reasons |= 1 << 3 * layout.FU_WAIT
    # The pair.
    if pair & params[layout.PARAM_VALUES]:
        reasons |= 1 << 3 * layout.FU_DRAGON_PAIR
    # The three reasons are in a row: own wind, round wind, both.
    winds = (pair >> 27 + seat_wind & 1) + 2 * (pair >> 27 + round_wind & 1)
    if winds:
        reasons |= 1 << 3 * (layout.FU_SEAT_PAIR + winds - 1)
    # Each triplet: the reasons are in the order open, concealed, both with terminals, the same as kans.
    while triplets:
        low = triplets & -triplets
        triplets &= triplets - 1
        reason = layout.FU_TRIPLET
        if low & concealed:
            reason += 1
        if low & layout.YAOCHUU:
            reason += 2
        if low & kans:
            reason += 4
        reasons += 1 << 3 * reason
    # What the ruleset gives for each; an open hand of 20 fu may count 30.
    fu = 0
    for reason in range(layout.FU_REASONS):
        fu += (reasons >> 3 * reason & 7) * params[layout.PARAM_FU + reason]
    if fu == 20 and not closed and not tsumo and params[layout.PARAM_OPEN_PINFU] == 30:
        return 30, reasons | 1 << 3 * layout.FU_OPEN_WITHOUT
    return (fu + 9) // 10 * 10, reasons


@kernel
def base_points(han: int, fu: int, params: I64) -> int:
    """Return the base points of a hand without yakuman."""
    if params[layout.PARAM_NO_LIMITS]:
        return min(fu << 2 + min(han, 32), layout.MOST_BASE)
    if han >= 5:
        return int(params[layout.PARAM_LIMIT + min(han, layout.MAX_LIMIT_HAN)])
    base = fu << 2 + han
    if base >= layout.MANGAN or (params[layout.PARAM_KIRIAGE] and base >= layout.KIRIAGE_FROM):
        return layout.MANGAN
    return base


@kernel
def least_han(base: int) -> int:
    """Return the least han of a limit from its base points, those of a mangan at least."""
    return 5 + (base > layout.MANGAN) + 2 * (base > 3000) + 3 * (base > 4000)


@entry
def score_kernel(
    counts: U8,
    meld_kinds: U8,
    meld_types: U8,
    melds: int,
    win: int,
    situation: int,
    seat_wind: int,
    round_wind: int,
    dora: int,
    honba: int,
    only: int,
    patterns: YakuTable,
    params: I64,
    rows: I64_2D,
    out: I64,
) -> int:
    """Score a winning hand; the arguments are taken to be consistent.

    counts: (34,) concealed tiles by kind, the winning tile among them; meld_kinds, meld_types: the first
    ``melds`` entries are called melds and kans (kind, the lowest of a run; EventKind). win: kind of the
    winning tile. situation: bits of ``hand_facts.Situation``. Winds 0-3. dora: dora of all sorts together.
    honba: decides whether two han are needed. only: -1, or the one reading to look at.
    patterns, params: ``scoring.scoring_tables(ruleset)``. rows: (MAX_READINGS, ROW_SIZE) int64 scratch,
    holds the readings afterwards. out: (OUT_SIZE,) int64, filled when the return value is positive.
    Returns base points, NO_YAKU, or NOT_A_WIN.
    """
    # Every way to read it as groups.
    kinds, twos, threes, fours = held_kinds(counts)
    found = find_readings(counts, kinds, twos, threes, fours, win, params[layout.PARAM_FORMS], rows)
    # The hand as sets of kinds, which is what conditions of yaku ask for.
    called, called_runs, kans, concealed_kans, closed = 0, 0, 0, 0, 1
    for i in range(melds):
        kind, sort = int(meld_kinds[i]), int(meld_types[i])
        if sort == layout.MELD_CHI:
            called_runs += 1 << 3 * (kind // 9 * 7 + kind % 9)
            kinds |= 0b111 << kind
        else:
            called |= 1 << kind
            kinds |= 1 << kind
        if sort >= layout.MELD_DAIMINKAN:
            kans |= 1 << kind
        if sort == layout.MELD_ANKAN:
            concealed_kans |= 1 << kind
        else:
            closed = 0
    # Four kans may win without a pair.
    if found == 0:
        if bit_count(kans) < 4 or params[layout.PARAM_FOUR_KANS_WIN] == 0:
            return layout.NOT_A_WIN
        found = 1
        rows[0] = 0
        rows[0, layout.ROW_FORM], rows[0, layout.ROW_WAIT] = layout.FORM_FOUR_KANS, layout.TANKI
    # Facts that all readings share.
    out[layout.OUT_READINGS] = found
    held = 1 << layout.FACT_SEAT_WIND + seat_wind | 1 << layout.FACT_ROUND_WIND + round_wind
    held |= closed << layout.FACT_CLOSED
    if kans:
        number = bit_count(kans)
        held |= 1 << layout.FACT_ANY_KAN
        held |= (number == 3) << layout.FACT_THREE_KANS | (number == 4) << layout.FACT_FOUR_KANS
    if win < 34 and int(counts[win]) % 2 == 0:
        held |= 1 << layout.FACT_WIN_EVEN
    held |= win << layout.FACT_WIN_KIND
    held |= (melds == 4 and concealed_kans == 0) << layout.FACT_FOUR_OPEN
    for suit in range(3):
        held |= (kinds >> 9 * suit & 511 > 0) << layout.FACT_MAN + suit
    held |= (kinds & layout.HONOURS > 0) << layout.FACT_HONOUR
    # How many han a win needs.
    values = params[layout.PARAM_VALUES] | 1 << 27 + seat_wind | 1 << 27 + round_wind
    min_han = params[layout.PARAM_MIN_HAN]
    if params[layout.PARAM_TWO_HAN_HONBA] and honba >= params[layout.PARAM_TWO_HAN_HONBA]:
        min_han = max(min_han, 2)
    # The reading that pays most.
    best = 0
    for i in range(found):
        if only >= 0 and i != only:
            continue
        row = rows[i]
        # Facts of this reading. A triplet completed by ron is not concealed.
        runs, pairs, wait = row[layout.ROW_RUNS] + called_runs, row[layout.ROW_PAIRS], row[layout.ROW_WAIT]
        triplets = row[layout.ROW_TRIPLETS] | called
        concealed = row[layout.ROW_TRIPLETS] | concealed_kans
        if wait == layout.SHANPON and not situation & layout.TSUMO:
            concealed &= ~(1 << win)
        facts = pairs | 1 << layout.FACT_FORM + row[layout.ROW_FORM] | 1 << layout.FACT_WAIT + wait
        facts |= (pairs & values > 0) << layout.FACT_VALUE_PAIR
        if runs:
            facts |= 1 << layout.FACT_HAS_RUN
            # In an octal digit 2 and 3 have the second bit, 4 the third: one pair of twins, or two.
            two, four = runs >> 1 & layout.RUN_ONES, runs >> 2 & layout.RUN_ONES
            twins = bit_count(two) + 2 * bit_count(four)
            facts |= (twins == 1) << layout.FACT_ONE_TWIN | (twins == 2) << layout.FACT_TWO_TWINS
            facts |= (two & runs | four > 0) << layout.FACT_RUN_THRICE | (
                four > 0
            ) << layout.FACT_RUN_FOUR_TIMES
            facts |= (triplets == 0) << layout.FACT_ALL_RUNS
        number = bit_count(concealed)
        facts |= (number == 3) << layout.FACT_THREE_CONCEALED | (number == 4) << layout.FACT_FOUR_CONCEALED
        # Which yaku it has, and its fu.
        yaku, local, great, great_local, han, yakuman, dearest_id, dearest, limit_id, limit = match_kernel(
            facts, triplets | held, kinds | situation << layout.FACT, runs | runs >> 1 | runs >> 2, threes,
            closed, patterns,
        )  # fmt: skip
        fu, reasons = fu_kernel(
            row, triplets, concealed, kans, closed, situation, yaku >> layout.PINFU_ID & 1, seat_wind,
            round_wind, params,
        )  # fmt: skip
        held_yaku, held_local = yaku, local
        # What that is worth: yakuman, added up or only the highest; else han with dora; or a yaku's limit.
        if yakuman and params[layout.PARAM_YAKUMAN] == 0:
            han, yakuman = han + yakuman, 0
        if yakuman:
            if params[layout.PARAM_STACKING]:
                yaku, local = great, great_local
            else:
                yakuman = dearest
                yaku, local = (1 << dearest_id, 0) if dearest_id < 64 else (0, 1 << dearest_id - 64)
            han = yakuman
            base = yakuman // layout.YAKUMAN_HAN * params[layout.PARAM_YAKUMAN]
        elif han - bit_count(yaku & params[layout.PARAM_UNSETTLED]) >= min_han:
            han += dora
            base = base_points(han, fu, params)
        else:
            base = 0
        alone = base < limit
        if alone:
            han, base = least_han(limit), limit
            yaku, local = (1 << limit_id, 0) if limit_id < 64 else (0, 1 << limit_id - 64)
        # At equal points a yakuman goes before a counted one, then more han, then more fu.
        worth = (base << 32) + ((yakuman > 0) << 31) + (han << 16) + fu
        if base and worth > best:
            best = worth
            out[layout.OUT_BASE], out[layout.OUT_HAN], out[layout.OUT_FU] = base, han, fu
            out[layout.OUT_YAKUMAN], out[layout.OUT_YAKU] = yakuman // layout.YAKUMAN_HAN, yaku
            out[layout.OUT_LOCAL], out[layout.OUT_FU_ROWS], out[layout.OUT_READING] = local, reasons, i
            out[layout.OUT_ALONE] = alone
            out[layout.OUT_HELD], out[layout.OUT_HELD_LOCAL] = held_yaku, held_local
    return best >> 32


@entry
def dora_kernel(
    counts: U8,
    meld_kinds: U8,
    meld_types: U8,
    melds: int,
    indicators: U8,
    number: int,
    players: int,
) -> int:
    """Count the dora of a hand (as in ``score_kernel``) by its first ``number`` indicator kinds.

    An indicator of 255 is none. A kita counts by itself and, when north is dora, once more: the caller adds
    both.
    """
    total = 0
    for i in range(number):
        if indicators[i] == 255:
            continue
        kind = dora_of(int(indicators[i]), players)
        total += int(counts[kind])
        for j in range(melds):
            first, sort = int(meld_kinds[j]), int(meld_types[j])
            if sort == layout.MELD_CHI:
                total += first <= kind < first + 3
            elif first == kind:
                total += 3 if sort == layout.MELD_PON else 4
    return total


@kernel
def dora_of(indicator: int, players: int) -> int:
    """Return the kind of dora that an indicator kind points to; with three players man 1 points to man 9."""
    if indicator >= 31:
        return 31 + (indicator - 30) % 3
    if indicator >= 27:
        return 27 + (indicator - 26) % 4
    if players == 3 and indicator == 0:
        return 8
    return indicator // 9 * 9 + (indicator + 1) % 9


@kernel
def rounded_up(points: int, params: I64) -> int:
    """Round points up to the unit of payments, mostly a hundred."""
    unit = params[layout.PARAM_UNIT]
    return int((points + unit - 1) // unit * unit)


@kernel
def liable_part(
    mask: int, base: int, yaku: int, closed: int, alone: bool, patterns: YakuTable, params: I64
) -> int:
    """Return the base points that a seat liable for the yakuman ids of ``mask`` answers for.

    Where liability covers the whole hand it does so for one liable seat ``alone``, not for two.
    """
    # The whole hand, or the yakuman fed: by its own worth where yakuman have one.
    if mask & layout.LIABLE_FOR_ALL:
        return base
    part, i, yakuman = 0, 0, params[layout.PARAM_YAKUMAN]
    while i < len(patterns.rows):
        if mask & yaku & 1 << min(patterns.rows[i, layout.PATTERN_ID], 61):
            number = patterns.rows[i, layout.PATTERN_OPEN + closed] // layout.YAKUMAN_HAN
            part += number * yakuman if yakuman else base
        i = patterns.rows[i, layout.PATTERN_NEXT]
    return base if part and alone and params[layout.PARAM_PAO_ALL] else min(part, base)


@kernel
def share(base: int, winner: int, payer: int, seat: int, dealer: int, params: I64) -> int:
    """Return what ``seat`` pays for a hand of ``base`` points, without honba; on tsumo payer is winner."""
    twice = params[layout.PARAM_DEALER]
    if params[layout.PARAM_BY_SHARES]:
        base = rounded_up(base, params)
    total = base * (3 * twice if winner == dealer else 2 + twice)
    # Of a ron the discarder pays everything.
    if payer != winner:
        return rounded_up(total, params) if seat == payer else 0
    # Of a tsumo each pays a part; with three players, rules differ in who pays the missing one's.
    shares = params[layout.PARAM_SHARES]
    if shares == layout.HALVES:
        return rounded_up((total + 1) // 2, params)
    if shares == layout.AS_RON:
        parts = 2 if winner == dealer else 1 + twice
        part = twice if seat == dealer and winner != dealer else 1
        return rounded_up((total * part + parts - 1) // parts, params)
    paid = rounded_up(base * (twice if winner == dealer or seat == dealer else 1), params)
    if shares == layout.SPLIT:
        paid += rounded_up(rounded_up(base * (twice if winner == dealer else 1), params) // 2, params)
    return paid + (1000 if shares == layout.PLUS_1000 else 0)


@entry
def payments_kernel(
    base: int,
    yaku: int,
    closed: int,
    winner: int,
    payer: int,
    dealer: int,
    honba: int,
    sticks: int,
    marked: int,
    liable: I64,
    patterns: YakuTable,
    params: I64,
    out: I64,
) -> int:
    """Write the change of points of each seat into ``out`` (4 int64); the seats add up to the sticks.

    yaku: OUT_YAKU of the hand. payer: the discarder, or the winner itself on tsumo. honba and sticks: those
    that this winner is paid. marked: the seat of wareme, plus 4 where it counts twice, or -1. liable: (4,)
    int64, for each seat the bits of the yakuman ids it answers for (LIABLE_FOR_ALL: the whole hand). A liable
    seat pays its part of a tsumo alone (the sum of the shares, or what a ron costs), shares that of a ron
    with the discarder, and pays the honba (of a ron, where the rules say).
    Returns the points of the hand without honba, sticks and wareme.
    """
    players, points, rest, honba_payer = params[layout.PARAM_PLAYERS], 0, base, payer
    bearers, factor = 0, params[layout.PARAM_WAREME]
    if 4 <= marked < 8:
        marked, factor = marked - 4, factor * factor
    # What liable seats answer for is split from the rest, which is paid as usual.
    for seat in range(4):
        bearers += 1 if liable[seat] else 0
    alone = bearers == 1
    for seat in range(4):
        out[seat] = 0
        if liable[seat]:
            rest -= min(rest, liable_part(liable[seat], base, yaku, closed, alone, patterns, params))
    left = base - rest
    # The rest first (-1), then each liable seat's part: a tsumo it pays alone, a ron half.
    for bearer in range(-1, players):
        part = rest
        if bearer >= 0:
            if liable[bearer] == 0:
                continue
            part = min(left, liable_part(liable[bearer], base, yaku, closed, alone, patterns, params))
            left -= part
            if part and (payer == winner or params[layout.PARAM_PAO_HONBA] == 0):
                honba_payer = bearer
        as_ron = bearer >= 0 and payer == winner and params[layout.PARAM_PAO_AS_RON] != 0
        if bearer >= 0 and payer == winner and liable[bearer] & layout.LIABLE_FOR_ALL:
            as_ron = params[layout.PARAM_RINSHAN_AS_RON] != 0
        for seat in range(players) if part else range(0):
            if seat == winner:
                continue
            paid = share(part, winner, bearer if as_ron else payer, seat, dealer, params)
            points += paid
            first = paid // 2 if bearer >= 0 and payer != winner else 0 if bearer >= 0 else paid
            for turn in range(2):
                who, amount = (seat, first) if turn == 0 else (bearer, paid - first)
                if amount:
                    amount *= factor if who == marked or winner == marked else 1
                    out[who] -= amount
                    out[winner] += amount
    # Honba, which may be the liable seat's, and the sticks.
    for seat in range(players):
        amount = honba * params[layout.PARAM_HONBA]
        if seat != winner:
            who = seat if honba_payer == winner else honba_payer
            if params[layout.PARAM_WAREME_HONBA] and (who == marked or winner == marked):
                amount *= factor
            out[who] -= amount
            out[winner] += amount
    out[winner] += sticks * params[layout.PARAM_STICK]
    return points


@kernel
def payer_of(seat: int, situation: int, payer: int, params: I64) -> int:
    """Return who pays: the winner of a tsumo, else the ``payer``, or for -1 the next who has discarded."""
    if situation & layout.TSUMO:
        return seat
    if payer != -1:
        return payer
    if situation & layout.CHIIHOU:
        return 0
    if situation & layout.RENHOU:
        return int(params[layout.PARAM_CHIIHOU_RON])
    return (seat + 1) % params[layout.PARAM_PLAYERS]


@kernel
def is_scorable(
    counts: U8, meld_kinds: U8, meld_types: U8, melds: int, indicators: U8, hands: I64_2D, i: int,
    players: int, seen: U8,
) -> bool:  # fmt: skip
    """Return whether ``score_hands`` may look at hand ``i``: it has 14 tiles, and every number is one."""
    win, kita = hands[layout.HAND_WIN, i], hands[layout.HAND_KITA, i]
    if not (0 <= win < 34 and 0 <= kita <= 4 and 0 <= hands[layout.HAND_ROUND_WIND, i] < 4):
        return False
    for place, least in ((layout.HAND_SEAT, 0), (layout.HAND_OWN_WIND, 0), (layout.HAND_MARKED, -1)):
        if not least <= hands[place, i] < players:
            return False
    size, most = 3 * melds, counts[0]
    for kind in range(34):
        seen[kind] = counts[kind]
        most = max(most, counts[kind])
        size += int(counts[kind])
    lone_tile = melds == 4 and size == 13
    if most > 4 or (size != 14 and not lone_tile) or (counts[win] == 0 and not lone_tile):
        return False
    seen[30] += kita
    for meld in range(melds):
        first, sort = int(meld_kinds[meld]), int(meld_types[meld])
        if sort == layout.MELD_CHI:
            if first >= 27 or first % 9 > 6:
                return False
            for kind in range(first, first + 3):
                seen[kind] += 1
        elif layout.MELD_PON <= sort <= layout.MELD_KAKAN and first < 34:
            seen[first] += 3 if sort == layout.MELD_PON else 4
        else:
            return False
    for place in range(2 * layout.MOST_INDICATORS):
        if indicators[place] < 34:
            seen[indicators[place]] += 1
        elif indicators[place] != 255:
            return False
    for kind in range(34):
        most = max(most, seen[kind])
    for kind in range(1, 8 if players == 3 else 1):
        if seen[kind]:
            return False
    return bool(most <= 4)


@entry
def score_hands(
    counts: U8_2D,
    meld_kinds: U8_2D,
    meld_types: U8_2D,
    indicators: U8_2D,
    hands: I64_2D,
    liable: I64,
    patterns: YakuTable,
    params: I64,
    rows: I64_2D,
    seen: U8,
    paid: I64,
    out: I64_2D,
) -> None:
    """Score many winning hands, with their dora and payments: ``out`` has a row of WORTH_SIZE for each.

    counts: (n, 34); meld_kinds, meld_types: (n, 4), 0 after the last; indicators: (n, 2 * MOST_INDICATORS)
    kinds; hands: (HAND_SIZE, n). The rest is as in ``score_kernel`` and ``payments_kernel``; seen: (34,) and
    paid: (4,) are scratch. OUT_BASE is NOT_A_WIN, NO_YAKU or IMPOSSIBLE where there are no base points.
    """
    players = params[layout.PARAM_PLAYERS]
    for i in range(len(counts)):
        worth = out[i]
        worth[:] = 0
        melds, closed = 0, 1
        for meld in range(4):
            melds += meld_types[i, meld] > 0
            closed &= meld_types[i, meld] == 0 or meld_types[i, meld] == layout.MELD_ANKAN
        seat, situation = hands[layout.HAND_SEAT, i], hands[layout.HAND_SITUATION, i]
        kita, honba = hands[layout.HAND_KITA, i], hands[layout.HAND_HONBA, i]
        payer = payer_of(seat, situation, hands[layout.HAND_PAYER, i], params)
        if not 0 <= payer < players or not is_scorable(
            counts[i], meld_kinds[i], meld_types[i], melds, indicators[i], hands, i, players, seen
        ):
            worth[layout.OUT_BASE] = layout.IMPOSSIBLE
            continue
        dora = hands[layout.HAND_EXTRA, i]
        for ura in range(2):
            shown = indicators[i, ura * layout.MOST_INDICATORS : (ura + 1) * layout.MOST_INDICATORS]
            found = dora_kernel(
                counts[i], meld_kinds[i], meld_types[i], melds, shown, layout.MOST_INDICATORS, players
            )
            if kita:
                for j in range(layout.MOST_INDICATORS):
                    if shown[j] != 255 and dora_of(int(shown[j]), players) == 30:
                        found += kita
            worth[layout.WORTH_DORA + ura] = found
            dora += found
        base = score_kernel(
            counts[i], meld_kinds[i], meld_types[i], melds, hands[layout.HAND_WIN, i], situation,
            hands[layout.HAND_OWN_WIND, i], hands[layout.HAND_ROUND_WIND, i], dora, honba,
            hands[layout.HAND_ONLY, i], patterns, params, rows, worth,
        )  # fmt: skip
        worth[layout.OUT_BASE] = base
        if base <= 0:
            continue
        worth[layout.WORTH_POINTS] = payments_kernel(
            base, worth[layout.OUT_YAKU], closed, seat, payer, 0, honba, hands[layout.HAND_STICKS, i],
            hands[layout.HAND_MARKED, i], liable, patterns, params, paid,
        )  # fmt: skip
        for other in range(4):
            worth[layout.WORTH_PAID + other] = paid[other]


@entry
def points_kernel(base: int, winner: int, payer: int, dealer: int, params: I64) -> int:
    """Return the points of a hand of ``base`` points without honba, sticks and liability."""
    points = 0
    for seat in range(params[layout.PARAM_PLAYERS]):
        if seat != winner:
            points += share(base, winner, payer, seat, dealer, params)
    return points
