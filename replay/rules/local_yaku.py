"""Local yaku: a row of data each, with the rule that says what it is worth.

From a row follow the yaku itself (:mod:`paifu.replay.scoring.yaku`), its rule (a field of
:class:`~paifu.replay.rules.ruleset.Ruleset`: han open or closed, 13 for a yakuman, 0 for none) and its place
in the documentation. Presets that do not mention the rule do not play the yaku.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from paifu.replay.plugins import plugins
from paifu.replay.rules import hand_facts as f
from paifu.replay.rules import hand_shapes as h
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.hand_facts import YakuCondition

LIMIT, HALF_LIMIT = "limit", "half_limit"
OWN_IDS = range(110, 126)
"""Ids of yaku that a ruleset brings along (:mod:`paifu.replay.rules.own_yaku`)."""


class Outdated(NamedTuple):
    """A yaku as an outdated pattern, which every other game may switch on."""

    name: str
    native: str
    """The Chinese name; empty where sources have none."""
    meaning: str
    """The condition, in the words of those games."""
    worth: str | dict[Scheme, int] = LIMIT
    """A limit, half of one, or a number for each scheme."""
    id: str = ""
    """Empty for the yaku's own name."""
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LocalYaku:
    """One local yaku."""

    id: int
    """From 64 to 126 without OWN_IDS, never to change."""
    romaji: str
    english: str
    japanese: str
    """Empty where there is no name that people use; the English one stands for it."""
    meaning: str
    """When it counts, in words."""
    condition: YakuCondition
    open_hand: bool = True
    """An open hand counts, too."""
    example: str = ""
    """A hand as ``paifu score`` takes it, with options; empty for none."""
    names: tuple[str, ...] = ()
    """Names in the order of ``DOCUMENT_SETS``; empty or left out where a set has none."""
    others: tuple[str, ...] = ()
    """More names that a search finds."""
    replaces: tuple[int, ...] = ()
    """Ids of lesser yaku, earlier in the table, that do not count beside this one."""
    contains: tuple[int, ...] = ()
    """Ids of lesser yaku that are part of it as a yakuman, where yakuman count as 13 han beside others."""
    alone: bool = False
    """From 5 to 12 han it is worth the limit of that many han by itself and adds to nothing."""
    outdated: Outdated | None = None

    @property
    def rule(self) -> str:
        """The field of a ruleset that says what it is worth."""
        return f"{self.romaji.replace(' ', '_')}_han"


YAKUHAI = "456m456p234s99p777z"
"""A hand of examples that has a yaku of its own, a triplet of red dragons, and no other."""
_THREE = {Scheme.SERIES: 30, Scheme.FAAN: 3, Scheme.CLASSICAL: 1}

# fmt: off
LOCAL_YAKU: tuple[LocalYaku, ...] = (
    LocalYaku(66, "isshoku sanjun", "three identical runs", "一色三順", "Three identical runs",
              f.RUN_THRICE, replaces=(9,),
              example="234m(234m)(234m)99p777z --rules kwan-house",
              names=("Pure Triple Chow", "", "Pure Triple Chow", "Three Identical Sequences")),
    LocalYaku(67, "isshoku yonjun", "four identical runs", "一色四順", "Four identical runs",
              f.RUN_FOUR_TIMES, replaces=(32, 66),
              example="234m(234m)(234m)(234m)77z --rules kwan-house",
              names=("Quadruple Chow", "", "", "Four Identical Sequences")),
    LocalYaku(68, "sanrenkou", "three triplets in a row", "三連刻",
              "Three triplets of consecutive numbers in one suit", h.triplets_in_row(3),
              example="222m(333m)(444m)99p678s --rules kwan-house",
              names=("Pure Shifted Pungs", "", "Pure Shifted Pungs", "Three Consecutive Triplets")),
    LocalYaku(69, "suurenkou", "four triplets in a row", "四連刻",
              "Four triplets of consecutive numbers in one suit", h.triplets_in_row(4), replaces=(68,),
              example="222m(333m)(444m)99p555m --rules kwan-house",
              names=("Four Pure Shifted Pungs", "", "", "Four Consecutive Triplets")),
    LocalYaku(70, "daisharin", "big wheel", "大車輪", "Closed 22334455667788 of dots",
              h.BIG_WHEEL, open_hand=False, contains=(7, 8, 22, 32, 35),
              example="22334455667788p --rules yakuza2", names=("Big Wheels", "Big Wheels", "Big Wheels")),
    LocalYaku(71, "kanburi", "discard after a kan", "槓振り",
              "Ron on the discard that follows a kan's supplement draw", f.situation(f.Situation.KANBURI),
              example=f"{YAKUHAI} --kanburi --set kanburi_han=1",
              names=("", "", "", "", "Sudden Reversal")),
    LocalYaku(72, "tsubame gaeshi", "ron on the riichi tile", "燕返し",
              "Ron on the discard that declares riichi", f.situation(f.Situation.TSUBAME),
              example=f"{YAKUHAI} --tsubame --set tsubame_gaeshi_han=1",
              names=("", "", "", "", "Sudden Reversal")),
    LocalYaku(74, "plum blossom", "gathering a plum blossom from the roof", "五筒開花",
              "Tsumo on a kan's supplement tile that is 5p", h.PLUM_BLOSSOM,
              outdated=Outdated("Gathering a Plum Blossom from the Roof", "梅花",
                                "a gong's replacement tile, a 5 of dots"),
              example="123m789s99p[1111z]46p5p --rinshan --set plum_blossom_han=13",
              names=("", "", "", "", "Gathering a Plum Blossom from the Roof")),
    LocalYaku(75, "moon from the sea", "scooping the moon from the bottom of the sea", "一筒撈月",
              "Tsumo on the last tile of the wall, which is 1p", h.MOON,
              outdated=Outdated("Scooping the Moon from the Bottom of the Sea", "海底撈月",
                                "self-drawn with the last tile of the wall, a 1 of dots"),
              example="123m456p789s66m23p1p --haitei --set moon_from_the_sea_han=13",
              names=("", "", "", "", "Scooping the Moon from the Bottom of the Sea")),
    LocalYaku(76, "carrying pole", "scratching a carrying pole", "二索槍槓",
              "Ron on a 2s that another player adds to a pon", h.CARRYING_POLE,
              outdated=Outdated("Scratching a Carrying Pole", "", "robbing a gong of 2s"),
              example="456m789p66z777z13s2s --chankan --set carrying_pole_han=13",
              names=("", "", "", "", "Scratching a Carrying Pole")),
    LocalYaku(77, "twofold fortune", "twofold fortune", "槓上槓",
              "Tsumo on the supplement tile of a kan that another kan's supplement tile made",
              f.situation(f.Situation.TWOFOLD),
              outdated=Outdated("Twofold Fortune", "槓上槓",
                                "a gong's replacement made a second gong, whose replacement won"),
              example="(2222m)[3333p]456s78s55p9s --rinshan --twofold --set twofold_fortune_han=13",
              names=("", "", "", "", "Twofold Fortune")),
    LocalYaku(78, "concealed purity", "concealed purity", "",
              "Tsumo with a closed hand of one suit", h.CONCEALED_SUIT,
              outdated=Outdated("Concealed Purity", "", "one suit, nothing claimed, self-drawn"),
              example="123345678m99m55m5m --tsumo --set concealed_purity_han=13",
              names=("", "", "", "", "Concealed Purity")),
    LocalYaku(79, "concealed purity of pairs", "concealed purity of pairs", "",
              "Seven pairs of one suit", h.ONE_SUIT & f.SEVEN_PAIRS,
              outdated=Outdated("Concealed Purity of Pairs", "",
                                "seven pairs of one suit", id="concealed-purity-pairs"),
              example="1122334455668p8p --set concealed_purity_of_pairs_han=13",
              names=("", "", "", "", "Concealed Purity")),
    LocalYaku(80, "wriggling snake", "wriggling snake", "",
              "One suit: triplets of 1 and 9, and from 2 to 8 two runs and a pair", h.SNAKE,
              outdated=Outdated("Wriggling Snake", "",
                                "one suit: pungs of 1 and 9, and from 2 to 8 two chows and a pair"),
              example="(111m)(999m)345m6722m8m --set wriggling_snake_han=13",
              names=("", "", "", "", "Wriggling Snake")),
    LocalYaku(81, "wriggling snake with winds", "wriggling snake with winds", "",
              "Closed 1 to 9 of one suit, the four winds, and a second of one of them", f.SNAKE_FORM,
              outdated=Outdated("Wriggling Snake with Winds", "",
                                "1 to 9 of one suit, the four winds, and a second of one of them",
                                id="wriggling-snake-winds"),
              example="123456789m1234z4z --set wriggling_snake_with_winds_han=13",
              names=("", "", "", "", "Wriggling Snake")),
    LocalYaku(82, "knitted pairs", "knitted pairs", "", "Closed 1 to 7 of two suits", f.KNITTED_FORM,
              outdated=Outdated("Knitted Pairs", "", "1 to 7 of two suits"),
              example="1234567m123456p7p --set knitted_pairs_han=13",
              names=("", "", "", "", "Knitted Pairs")),
    LocalYaku(83, "thirteen dealer wins", "thirteen dealer wins", "十三連荘",
              "The dealer's thirteenth win in a row, or a later one", f.situation(f.Situation.THIRTEENTH),
              outdated=Outdated("Thirteen Dealer Wins", "十三連莊",
                                "the dealer's thirteenth win in a row"),
              example=f"{YAKUHAI} --seat-wind east --dealer-wins 13 --set thirteen_dealer_wins_han=13",
              names=("", "", "", "", "13 Dealer Wins")),
    LocalYaku(84, "golden chicken", "unique golden chicken", "金鶏独立",
              "Four open melds, won on 1s; from 5 han on worth that limit by itself",
              h.GOLDEN_CHICKEN, alone=True,
              outdated=Outdated("Unique Golden Chicken", "",
                                "four open melds, won on the 1 of bamboos", HALF_LIMIT),
              example="(123m)(456p)(777z)(345s)1s1s --set golden_chicken_han=5",
              names=("", "", "", "", "Unique Golden Chicken")),
    LocalYaku(85, "triple guest winds", "triple guest winds", "客風三刻",
              "Triplets of the three winds that are neither seat wind nor round wind", h.GUEST_WINDS,
              outdated=Outdated("Triple Guest Winds", "客風三刻",
                                "the player's wind is the round's, the three others are pungs",
                                _THREE),
              example="(222z)(333z)(444z)46m55p5m --seat-wind east --set triple_guest_winds_han=3",
              names=("", "", "", "", "Triple Guest Winds")),
)
# fmt: on


def _names(yaku: LocalYaku) -> list[object]:
    if not 64 <= yaku.id <= 126 or yaku.id in OWN_IDS:
        raise ValueError(f"its id is {yaku.id}, not one from 64 to 109, or 126")
    return [yaku.id, yaku.rule]


LOCAL_YAKU += plugins("paifu.yaku", LocalYaku, _names, [name for yaku in LOCAL_YAKU for name in _names(yaku)])
