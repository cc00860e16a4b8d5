"""Conditions that several tables of yaku and patterns share, over the facts of :mod:`hand_facts`."""

from __future__ import annotations

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.model.tiles import TERMINALS_AND_HONOURS
from paifu.replay.rules import hand_facts as f
from paifu.replay.rules.hand_facts import BitPattern, Situation, YakuCondition

ONE_DOT, FIVE_DOTS, ONE_BAMBOO, TWO_BAMBOO = 9, 13, 18, 19

ONE_SUIT = f.any_of(f.only(f.kinds_of_suit(suit)) for suit in f.SUITS)
HALF_FLUSH = f.any_of(
    f.only((*f.kinds_of_suit(suit), *f.HONOUR_KINDS)) & f.HAS_SUIT[suit] & f.HAS_HONOUR for suit in f.SUITS
)
SIMPLES = f.only(set(range(27)) - set(f.TERMINAL_KINDS))
ALL_HONOURS = f.only(f.HONOUR_KINDS)
ALL_TERMINALS = f.only(f.TERMINAL_KINDS)
MIXED_TERMINALS = f.only(TERMINALS_AND_HONOURS) & f.HAS_HONOUR & f.HAS_NUMBER & ~f.ORPHANS
ALL_GREEN = f.only(f.GREEN_KINDS)

ALL_TRIPLETS = f.STANDARD & ~f.HAS_RUN
OUTSIDE = (
    f.STANDARD
    & f.HAS_RUN
    & YakuCondition(
        (
            BitPattern(
                never=(
                    layout.SUITED & ~layout.YAOCHUU,  # pairs, in the word of facts
                    layout.SUITED & ~layout.YAOCHUU,
                    0,
                    sum(1 << 3 * (7 * suit + start) for suit in f.SUITS for start in range(1, 6)),
                    0,
                )
            ),
        )
    )
)
"""Every group and the pair hold a terminal or an honour, and there is a run."""
TWINS = f.ONE_TWIN | f.TWO_TWINS
"""Two identical runs at least."""
STRAIGHT = f.any_of(f.run(suit, 1) & f.run(suit, 4) & f.run(suit, 7) for suit in f.SUITS)
SIMILAR_RUNS = f.any_of(f.all_of(f.run(suit, number) for suit in f.SUITS) for number in range(1, 8))
SIMILAR_TRIPLETS = f.any_of(f.all_of(f.triplet(9 * suit + number) for suit in f.SUITS) for number in range(9))
LITTLE_DRAGONS = f.any_of(
    f.pair(kind) & f.all_of(f.triplet(other) for other in f.DRAGON_KINDS if other != kind)
    for kind in f.DRAGON_KINDS
)
BIG_DRAGONS = f.all_of(f.triplet(kind) for kind in f.DRAGON_KINDS)
LITTLE_WINDS = f.any_of(
    f.pair(kind) & f.all_of(f.triplet(other) for other in f.WIND_KINDS if other != kind)
    for kind in f.WIND_KINDS
)
BIG_WINDS = f.all_of(f.triplet(kind) for kind in f.WIND_KINDS)
GUEST_WINDS = f.any_of(
    f.SEAT_WIND[wind]
    & f.ROUND_WIND[wind]
    & f.all_of(f.triplet(kind) for other, kind in enumerate(f.WIND_KINDS) if other != wind)
    for wind in range(4)
)
"""One wind is the seat's and the round's, the others are triplets."""
NINE_GATES = f.any_of(
    f.CLOSED
    & f.STANDARD
    & ~f.ANY_KAN
    & f.only(f.kinds_of_suit(suit))
    & f.all_of(f.held(kind) for kind in f.kinds_of_suit(suit))
    & f.held_thrice(9 * suit)
    & f.held_thrice(9 * suit + 8)
    for suit in f.SUITS
)
BIG_WHEEL = f.SEVEN_PAIRS & f.all_of(f.pair(kind) for kind in range(10, 17))
SNAKE = f.any_of(
    f.only(f.kinds_of_suit(suit))
    & f.triplet(9 * suit)
    & f.triplet(9 * suit + 8)
    & f.pair(9 * suit + head - 1)
    & f.run(suit, first)
    & f.run(suit, second)
    for suit in f.SUITS
    for head, first, second in ((2, 3, 6), (5, 2, 6), (8, 2, 5))
)
"""Triplets of 1 and 9, and of 2 to 8 two runs and the pair, in one suit."""

AFTER_KAN = f.situation(Situation.RINSHAN) & f.ANY_KAN
"""On a supplement tile, which in a game with kita may be that of a north."""
PLUM_BLOSSOM = AFTER_KAN & f.winning_tile(FIVE_DOTS)
MOON = f.situation(Situation.HAITEI) & f.winning_tile(ONE_DOT)
CARRYING_POLE = f.situation(Situation.CHANKAN) & f.winning_tile(TWO_BAMBOO)
CONCEALED_SUIT = ONE_SUIT & f.CLOSED & f.TSUMO
GOLDEN_CHICKEN = f.FOUR_OPEN & f.winning_tile(ONE_BAMBOO)


def triplets_in_row(length: int) -> YakuCondition:
    """Return the condition of that many triplets of consecutive numbers in one suit."""
    return f.any_of(
        f.all_of(f.triplet(9 * suit + number + step) for step in range(length))
        for suit in f.SUITS
        for number in range(10 - length)
    )
