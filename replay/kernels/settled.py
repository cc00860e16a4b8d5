"""Whether the yaku of a hand are settled: what its waits, and its first call, say of them.

Where no rule asks for it, nothing here is called. A hand is looked at as it waits, without its winning tile,
and as if it won by ron with no luck: no last tile, no supplement tile, no robbed kan.
"""

from __future__ import annotations

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.arrays import I64, I64_2D, U8
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.scoring import YakuTable, score_kernel

KINDS = (1 << 34) - 1
_CONCEALED = 1 << layout.FACT_THREE_CONCEALED | 1 << layout.FACT_FOUR_CONCEALED
_KANS = 1 << layout.FACT_THREE_KANS | 1 << layout.FACT_FOUR_KANS


@kernel
def belongs(pattern: I64, triplets: int, runs: int, kind: int, sort: int) -> bool:
    """Return whether a meld is a part of what a yaku's pattern asks of this hand.

    A pattern that names no group, such as that of a flush, has all of them. ``kind`` is the lowest of the
    meld, ``sort`` its EventKind; ``runs`` has an octal digit for each run.
    """
    named, named_runs = pattern[2] & KINDS, pattern[6]
    # Not this hand's pattern, or one of closed triplets, to which no call belongs.
    if named & ~triplets or named_runs & ~runs or pattern[0] & _CONCEALED:
        return False
    if pattern[2] & _KANS:
        return sort >= layout.MELD_DAIMINKAN
    if named == 0 and named_runs == 0:
        return True
    if sort == layout.MELD_CHI:
        return named_runs >> 3 * (kind // 9 * 7 + kind % 9) & 1 != 0
    return named >> kind & 1 != 0


@kernel
def of_meld(
    yaku: int, local: int, triplets: int, runs: int, kind: int, sort: int, patterns: YakuTable
) -> tuple[int, int]:
    """Return those of some yaku (bits of ids) that a meld is a part of."""
    i = 0
    while i < len(patterns.rows):
        number, end = patterns.rows[i, layout.PATTERN_ID], patterns.rows[i, layout.PATTERN_NEXT]
        has = False
        while i < end:
            has = has or belongs(patterns.rows[i], triplets, runs, kind, sort)
            i += 1
        if not has and number < 64:
            yaku &= ~(1 << number)
        elif not has:
            local &= ~(1 << number - 64)
    return yaku, local


@kernel
def han_of(yaku: int, local: int, closed: int, patterns: YakuTable) -> int:
    """Return the han of some yaku (bits of ids) together."""
    han, i = 0, 0
    while i < len(patterns.rows):
        number = patterns.rows[i, layout.PATTERN_ID]
        if (yaku >> number if number < 64 else local >> number - 64) & 1:
            han += patterns.rows[i, layout.PATTERN_OPEN + closed]
        i = patterns.rows[i, layout.PATTERN_NEXT]
    return han


@entry
def is_settled(
    counts: U8, meld_kinds: U8, meld_types: U8, melds: int, waits: int, seat_wind: int, round_wind: int,
    honba: int, patterns: YakuTable, params: I64, rows: I64_2D, out: I64,
) -> bool:  # fmt: skip
    """Return whether a waiting hand's yaku are settled as the rules ask; see ``rules.YakuSettled``.

    The arguments are those of ``score_kernel``, but ``counts`` are without the winning tile.
    """
    # The first call, which some houses ask about.
    rule, closed, first = params[layout.PARAM_SETTLED], 1, -1
    for i in range(melds):
        if meld_types[i] != layout.MELD_ANKAN:
            closed = 0
            first = i if first < 0 else first
    # Yaku that it has on each of its waits.
    every, every_local = -1, -1
    for kind in range(34):
        if not waits >> kind & 1:
            continue
        counts[kind] += 1
        any_yaku = any_local = 0
        best = score_kernel(
            counts, meld_kinds, meld_types, melds, kind, 0, seat_wind, round_wind, 0, honba, -1,
            patterns, params, rows, out,
        )  # fmt: skip
        found = out[layout.OUT_READINGS]
        for reading in range(found if best > 0 and rule > layout.EVERY_WAIT else 0):
            base = score_kernel(
                counts, meld_kinds, meld_types, melds, kind, 0, seat_wind, round_wind, 0, honba, reading,
                patterns, params, rows, out,
            )  # fmt: skip
            if base <= 0:
                continue
            yaku, local = out[layout.OUT_HELD], out[layout.OUT_HELD_LOCAL]
            if rule == layout.FIRST_CALL and first >= 0:
                # Only yaku that the first call is a part of are kept.
                triplets, runs = rows[reading, layout.ROW_TRIPLETS], rows[reading, layout.ROW_RUNS]
                for i in range(melds):
                    low = int(meld_kinds[i])
                    if meld_types[i] == layout.MELD_CHI:
                        runs += 1 << 3 * (low // 9 * 7 + low % 9)
                    else:
                        triplets |= 1 << low
                runs |= runs >> 1 | runs >> 2
                yaku, local = of_meld(
                    yaku, local, triplets, runs, int(meld_kinds[first]), int(meld_types[first]), patterns
                )
            any_yaku |= yaku
            any_local |= local
        counts[kind] -= 1
        if best <= 0:
            return False
        every &= any_yaku
        every_local &= any_local
    if rule <= layout.EVERY_WAIT:
        return True
    # What holds on all of them must be enough by itself.
    least = params[layout.PARAM_MIN_HAN]
    if params[layout.PARAM_TWO_HAN_HONBA] and honba >= params[layout.PARAM_TWO_HAN_HONBA]:
        least = max(least, 2)
    return han_of(every, every_local, closed, patterns) >= least
