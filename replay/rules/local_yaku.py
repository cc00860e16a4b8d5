"""Local yaku: a row of data each, with the rule that says what it is worth.

From a row follow the yaku itself (:mod:`paifu.replay.scoring.yaku`), its rule (a field of
:class:`~paifu.replay.rules.ruleset.Ruleset`: han open or closed, 13 for a yakuman, 0 for none) and its place
in the documentation. Presets that do not mention the rule do not play the yaku.
"""

from __future__ import annotations

from dataclasses import dataclass

from paifu.replay.rules.hand_facts import (
    ANY_KAN,
    CLOSED,
    FOUR_OPEN,
    KNITTED_FORM,
    ROUND_WIND,
    RUN_FOUR_TIMES,
    RUN_THRICE,
    SEAT_WIND,
    SEVEN_PAIRS,
    SNAKE_FORM,
    SUITS,
    TSUMO,
    WIND_KINDS,
    Situation,
    YakuCondition,
    all_of,
    any_of,
    kinds_of_suit,
    only,
    pair,
    run,
    situation,
    triplet,
    winning_tile,
)


def _triplets_in_row(length: int) -> YakuCondition:
    """That many triplets of consecutive numbers in one suit."""
    return any_of(
        all_of(triplet(9 * suit + number + step) for step in range(length))
        for suit in SUITS
        for number in range(10 - length)
    )


def _snake() -> YakuCondition:
    """Triplets of 1 and 9, and of 2 to 8 two runs and the pair, in one suit."""
    return any_of(
        only(kinds_of_suit(suit))
        & triplet(9 * suit)
        & triplet(9 * suit + 8)
        & pair(9 * suit + head - 1)
        & run(suit, first)
        & run(suit, second)
        for suit in SUITS
        for head, first, second in ((2, 3, 6), (5, 2, 6), (8, 2, 5))
    )


def _guest_winds() -> YakuCondition:
    """One wind is the seat's and the round's, the others are triplets."""
    return any_of(
        SEAT_WIND[wind]
        & ROUND_WIND[wind]
        & all_of(triplet(kind) for other, kind in enumerate(WIND_KINDS) if other != wind)
        for wind in range(4)
    )


AFTER_KAN = situation(Situation.RINSHAN) & ANY_KAN
"""On a supplement tile, which in a game with kita may be that of a north."""
ONE_SUIT = any_of(only(kinds_of_suit(suit)) for suit in SUITS)
ONE_DOT, FIVE_DOTS, ONE_BAMBOO, TWO_BAMBOO = 9, 13, 18, 19


@dataclass(frozen=True, slots=True)
class LocalYaku:
    """One local yaku."""

    id: int
    """From 64 to 126, the same for ever."""
    romaji: str
    english: str
    japanese: str
    """Empty where there is no name that people use; the English one stands for it."""
    meaning: str
    """What the rule is about, in words."""
    condition: YakuCondition
    open_hand: bool = True
    """An open hand counts, too."""
    replaces: tuple[int, ...] = ()
    """Ids of lesser yaku, earlier in the table, that do not count beside this one."""
    alone: bool = False
    """From 5 to 12 han it is worth the limit of that many han by itself and adds to nothing."""

    @property
    def rule(self) -> str:
        """The field of a ruleset that says what it is worth."""
        return f"{self.romaji.replace(' ', '_')}_han"


# fmt: off
LOCAL_YAKU = (
    LocalYaku(66, "isshoku sanjun", "three identical runs", "一色三順", "Three identical sequences",
              RUN_THRICE, replaces=(9,)),
    LocalYaku(67, "isshoku yonjun", "four identical runs", "一色四順", "Four identical sequences",
              RUN_FOUR_TIMES, replaces=(32, 66)),
    LocalYaku(68, "sanrenkou", "three triplets in a row", "三連刻",
              "Three triplets of consecutive numbers in one suit", _triplets_in_row(3)),
    LocalYaku(69, "suurenkou", "four triplets in a row", "四連刻",
              "Four triplets of consecutive numbers in one suit", _triplets_in_row(4), replaces=(68,)),
    LocalYaku(70, "daisharin", "big wheel", "大車輪", "Closed 22334455667788 in dots",
              SEVEN_PAIRS & all_of(pair(kind) for kind in range(10, 17)), open_hand=False),
    LocalYaku(71, "kanburi", "discard after a kan", "槓振り",
              "Ron on the discard that follows a kan's supplement draw", situation(Situation.KANBURI)),
    LocalYaku(72, "tsubame gaeshi", "ron on the riichi tile", "燕返し",
              "Ron on the discard that declares riichi", situation(Situation.TSUBAME)),
    LocalYaku(74, "plum blossom", "gathering a plum blossom from the roof", "五筒開花",
              "Tsumo on a kan's supplement tile, 5p", AFTER_KAN & winning_tile(FIVE_DOTS)),
    LocalYaku(75, "moon from the sea", "scooping the moon from the bottom of the sea", "一筒撈月",
              "Tsumo on the last tile of the wall, 1p", situation(Situation.HAITEI) & winning_tile(ONE_DOT)),
    LocalYaku(76, "carrying pole", "scratching a carrying pole", "二索槍槓",
              "Robbing a kan of 2s", situation(Situation.CHANKAN) & winning_tile(TWO_BAMBOO)),
    LocalYaku(77, "twofold fortune", "twofold fortune", "槓上槓",
              "A kan's supplement tile made a second kan, whose supplement tile won",
              situation(Situation.TWOFOLD)),
    LocalYaku(78, "concealed purity", "concealed purity", "",
              "Tsumo with a closed hand of one suit", ONE_SUIT & CLOSED & TSUMO),
    LocalYaku(79, "concealed purity of pairs", "concealed purity of pairs", "",
              "Seven pairs of one suit", ONE_SUIT & SEVEN_PAIRS),
    LocalYaku(80, "wriggling snake", "wriggling snake", "",
              "One suit: triplets of 1 and 9, and from 2 to 8 two runs and a pair", _snake()),
    LocalYaku(81, "wriggling snake with winds", "wriggling snake with winds", "",
              "Closed 1 to 9 of one suit, the four winds, and a second of one of them", SNAKE_FORM),
    LocalYaku(82, "knitted pairs", "knitted pairs", "", "Closed 1 to 7 of two suits", KNITTED_FORM),
    LocalYaku(83, "thirteen dealer wins", "thirteen dealer wins", "十三連荘",
              "The dealer's thirteenth win in a row, or a later one", situation(Situation.THIRTEENTH)),
    LocalYaku(84, "golden chicken", "unique golden chicken", "金鶏独立",
              "Four open melds, won on 1s; from 5 han on worth that limit by itself",
              FOUR_OPEN & winning_tile(ONE_BAMBOO), alone=True),
    LocalYaku(85, "triple guest winds", "triple guest winds", "客風三刻",
              "Triplets of the three winds that are neither seat wind nor round wind", _guest_winds()),
)
# fmt: on
