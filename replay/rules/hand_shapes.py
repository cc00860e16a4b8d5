"""Conditions that several tables of yaku and patterns share, over the facts of :mod:`hand_facts`."""

from __future__ import annotations

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.model.tiles import TERMINALS_AND_HONOURS
from paifu.replay.rules.hand_facts import (
    ANY_KAN,
    CLOSED,
    DRAGON_KINDS,
    FOUR_OPEN,
    GREEN_KINDS,
    HAS_HONOUR,
    HAS_NUMBER,
    HAS_RUN,
    HAS_SUIT,
    HONOUR_KINDS,
    ONE_TWIN,
    ORPHANS,
    ROUND_WIND,
    SEAT_WIND,
    SEVEN_PAIRS,
    STANDARD,
    SUITS,
    TERMINAL_KINDS,
    TSUMO,
    TWO_TWINS,
    WIND_KINDS,
    BitPattern,
    Situation,
    YakuCondition,
    all_of,
    any_of,
    held,
    held_thrice,
    kinds_of_suit,
    only,
    pair,
    run,
    situation,
    triplet,
    winning_tile,
)

ONE_DOT, FIVE_DOTS, ONE_BAMBOO, TWO_BAMBOO = 9, 13, 18, 19

ONE_SUIT = any_of(only(kinds_of_suit(suit)) for suit in SUITS)
HALF_FLUSH = any_of(
    only((*kinds_of_suit(suit), *HONOUR_KINDS)) & HAS_SUIT[suit] & HAS_HONOUR for suit in SUITS
)
SIMPLES = only(set(range(27)) - set(TERMINAL_KINDS))
ALL_HONOURS = only(HONOUR_KINDS)
ALL_TERMINALS = only(TERMINAL_KINDS)
MIXED_TERMINALS = only(TERMINALS_AND_HONOURS) & HAS_HONOUR & HAS_NUMBER & ~ORPHANS
ALL_GREEN = only(GREEN_KINDS)

ALL_TRIPLETS = STANDARD & ~HAS_RUN
OUTSIDE = (
    STANDARD
    & HAS_RUN
    & YakuCondition(
        (
            BitPattern(
                never=(
                    layout.SUITED & ~layout.YAOCHUU,  # pairs, in the word of facts
                    layout.SUITED & ~layout.YAOCHUU,
                    0,
                    sum(1 << 3 * (7 * suit + start) for suit in SUITS for start in range(1, 6)),
                    0,
                )
            ),
        )
    )
)
"""Every group and the pair hold a terminal or an honour, and there is a run."""
TWINS = ONE_TWIN | TWO_TWINS
"""Two identical runs at least."""
STRAIGHT = any_of(run(suit, 1) & run(suit, 4) & run(suit, 7) for suit in SUITS)
SIMILAR_RUNS = any_of(all_of(run(suit, number) for suit in SUITS) for number in range(1, 8))
SIMILAR_TRIPLETS = any_of(all_of(triplet(9 * suit + number) for suit in SUITS) for number in range(9))
LITTLE_DRAGONS = any_of(
    pair(kind) & all_of(triplet(other) for other in DRAGON_KINDS if other != kind) for kind in DRAGON_KINDS
)
BIG_DRAGONS = all_of(triplet(kind) for kind in DRAGON_KINDS)
LITTLE_WINDS = any_of(
    pair(kind) & all_of(triplet(other) for other in WIND_KINDS if other != kind) for kind in WIND_KINDS
)
BIG_WINDS = all_of(triplet(kind) for kind in WIND_KINDS)
GUEST_WINDS = any_of(
    SEAT_WIND[wind]
    & ROUND_WIND[wind]
    & all_of(triplet(kind) for other, kind in enumerate(WIND_KINDS) if other != wind)
    for wind in range(4)
)
"""One wind is the seat's and the round's, the others are triplets."""
NINE_GATES = any_of(
    CLOSED
    & STANDARD
    & ~ANY_KAN
    & only(kinds_of_suit(suit))
    & all_of(held(kind) for kind in kinds_of_suit(suit))
    & held_thrice(9 * suit)
    & held_thrice(9 * suit + 8)
    for suit in SUITS
)
BIG_WHEEL = SEVEN_PAIRS & all_of(pair(kind) for kind in range(10, 17))
SNAKE = any_of(
    only(kinds_of_suit(suit))
    & triplet(9 * suit)
    & triplet(9 * suit + 8)
    & pair(9 * suit + head - 1)
    & run(suit, first)
    & run(suit, second)
    for suit in SUITS
    for head, first, second in ((2, 3, 6), (5, 2, 6), (8, 2, 5))
)
"""Triplets of 1 and 9, and of 2 to 8 two runs and the pair, in one suit."""

AFTER_KAN = situation(Situation.RINSHAN) & ANY_KAN
"""On a supplement tile, which in a game with kita may be that of a north."""
PLUM_BLOSSOM = AFTER_KAN & winning_tile(FIVE_DOTS)
MOON = situation(Situation.HAITEI) & winning_tile(ONE_DOT)
CARRYING_POLE = situation(Situation.CHANKAN) & winning_tile(TWO_BAMBOO)
CONCEALED_SUIT = ONE_SUIT & CLOSED & TSUMO
GOLDEN_CHICKEN = FOUR_OPEN & winning_tile(ONE_BAMBOO)


def triplets_in_row(length: int) -> YakuCondition:
    """Return the condition of that many triplets of consecutive numbers in one suit."""
    return any_of(
        all_of(triplet(9 * suit + number + step) for step in range(length))
        for suit in SUITS
        for number in range(10 - length)
    )
