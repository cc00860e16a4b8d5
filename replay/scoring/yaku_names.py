"""What a yaku is called, in several sets of names, when it counts, and an example.

The table of yaku (:mod:`~paifu.replay.scoring.yaku`) names each in romaji, Japanese and plain English. Here are
the names that readers bring along: those of European rule books, of American players, and of three documents
(a guide to Yakuza 2, Kwan's article, the McGill club). A set without a name for a yaku uses the plain one.

Which set texts use is the matter of one environment variable, ``PAIFU_NAMES``, which workers inherit; without
it, names follow the language.
"""

from __future__ import annotations

import difflib
import os
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from paifu.replay.foreign_text import one_line
from paifu.replay.language import _, language
from paifu.replay.rules.local_yaku import LOCAL_YAKU
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.yaku import YAKU, Yaku, yaku_of

VARIABLE = "PAIFU_NAMES"
DOCUMENT_SETS = ("european", "american", "yakuza2", "kwan", "mcgill")
NAME_SETS = ("romaji", "japanese", "english", *DOCUMENT_SETS)
"""The sets of names; in English, ``romaji`` is the default."""
_OF_LANGUAGE = {"ja": "japanese"}
"""Language -> the set that is its default."""


@dataclass(frozen=True, slots=True)
class YakuText:
    """What readers ask about one yaku."""

    condition: str
    example: str
    """A hand as ``paifu score`` takes it, with options; empty for none, as of dora."""
    names: tuple[str, ...]
    """Names in the order of :data:`DOCUMENT_SETS`; empty where a set has none."""
    others: tuple[str, ...] = ()
    """More names that a search finds."""


_YAKUHAI = "456m456p234s99p777z"


def _row(
    number: int, condition: str, example: str, *names: str, others: tuple[str, ...] = ()
) -> tuple[int, YakuText]:
    return number, YakuText(condition, example, (*names, *("",) * (len(DOCUMENT_SETS) - len(names))), others)


def _winds(first: int, whose: str, option: str, *names: str) -> list[tuple[int, YakuText]]:
    """Four rows, one a wind."""
    return [
        _row(
            first + i,
            f"A triplet or kan of {wind}, {whose}",
            f"456m456p234s99p{i + 1}{i + 1}{i + 1}z --{option} {wind}",
            *(f"{name} ({wind.capitalize()})" for name in names),
            others=("Yakuhai", "Lucky Tiles", "Value Tiles", "Double Wind"),
        )
        for i, wind in enumerate(("east", "south", "west", "north"))
    ]


# fmt: off
_ROWS = (
    _row(0, "A closed hand won by self-draw", f"{_YAKUHAI} --tsumo", "Fully Concealed Hand", "Concealed Self-Draw", "Fully Concealed Hand", "Self-Draw in Concealed Hand", "Fully Concealed", others=("Menzen Tsumo", "Self-Pick", "CSD")),
    _row(1, "A closed tenpai hand declared with a stick of 1,000 points", f"{_YAKUHAI} --riichi", "Riichi", "Reach", "Riichi", "Riichi", "Riichi", others=("Ready Hand",)),
    _row(2, "A win within one turn of riichi, without a call or kan in between", f"{_YAKUHAI} --riichi --ippatsu", "Ippatsu", "One-Shot", "Ippatsu", "Hitting with One Shot", "One-Shot", others=("One Shot Win",)),
    _row(3, "Ron on a tile that another player adds to a pon", "456p234s99p777z45m6m --chankan", "Robbing the Kong", "Robbing a Quad", "Robbing the Kong", "Robbing a Kong", "Rob a Gong"),
    _row(4, "Tsumo on the supplement tile of a kan", "456m456p99p[1111z]777z --rinshan", "After a Kong", "Dead Wall Draw", "After a Kong", "Blossom on the Hill", "Win Off a Replacement Tile", others=("King's Tile Draw", "Plum Blossom on the Roof")),
    _row(5, "Tsumo on the last tile of the wall", f"{_YAKUHAI} --haitei", "Under the Sea", "Last-Tile Draw", "Last Tile Tsumo", "Catching the Moon from the Bottom of the Sea", "Last Tile Win"),
    _row(6, "Ron on the last discard", f"{_YAKUHAI} --houtei", "Under the River", "Last-Tile Claim", "Last Tile Ron", "Catching the Fish from the Bottom of the River", "Last Tile Win"),
    _row(7, "A closed hand of four runs, a pair without value, won on a two-sided wait", "456m456p99p789s67s8s", "Pinfu", "No-Points Hand", "Pinfu", "Valueless Hand", "Peace", others=("All Chows", "All Sequences")),
    _row(8, "Only tiles from 2 to 8", "234m456p(678p)55s33s3s", "All Simples", "All Simples", "All Simples", "No Terminals", "All Simples", others=("Inside Hand", "Endless Hand")),
    _row(9, "Two identical runs in a closed hand", "223344m789p11z678s --riichi", "Pure Double Chow", "Double Run", "Pure Double Chow", "Two Identical Sequences", "Pure Double Chii", others=("Pure Double Sequence",)),
    *_winds(10, "the seat wind", "seat-wind", "Seat Wind", "Seat Wind", "Seat Wind", "Scoring Honors", "Seat Wind"),
    *_winds(14, "the round wind", "round-wind", "Prevalent Wind", "Prevailing Wind", "Prevalent Wind", "Scoring Honors", "Round Wind"),
    _row(18, "A triplet or kan of white dragons", "456m456p234s99p555z", "White Dragon", "White Dragon", "White Dragon Pung", "Scoring Honors (White)", "Pon of White Dragons", others=("Dragon Pung", "Yakuhai", "Lucky Tiles")),
    _row(19, "A triplet or kan of green dragons", "456m456p234s99p666z", "Green Dragon", "Green Dragon", "Green Dragon Pung", "Scoring Honors (Green)", "Pon of Green Dragons", others=("Dragon Pung", "Yakuhai", "Lucky Tiles")),
    _row(20, "A triplet or kan of red dragons", _YAKUHAI, "Red Dragon", "Red Dragon", "Red Dragon Pung", "Scoring Honors (Red)", "Pon of Red Dragons", others=("Dragon Pung", "Yakuhai", "Lucky Tiles")),
    _row(21, "Riichi in the first turn, before any call or kan", f"{_YAKUHAI} --double-riichi", "Double Riichi", "Double Reach", "Double Riichi", "Double Riichi", "Double Riichi", others=("Daburu Riichi",)),
    _row(22, "Seven pairs", "1199m2288p4466s77z", "Seven Pairs", "Seven Pairs", "Seven Pairs", "7 Pairs", "Seven Pairs", others=("Chii-Toitsu",)),
    _row(23, "A terminal or honour in each group and the pair, with a run and an honour", "123m789p999s11z789s --riichi", "Mixed Outside Hand", "Terminal or Honor in Each Set", "Mixed Outside Hand", "Every Set Including Mixed Terminals", "All With Orphans", others=("Outside Hand",)),
    _row(24, "123, 456 and 789 in one suit", "123456789m99p777z", "Pure Straight", "Full Straight", "Pure Straight", "Nine-Tile Straight", "Large Straight", others=("Itsuu", "Three Consecutive Sequences")),
    _row(25, "The same run in all three suits", "234m234p234s99p777z", "Mixed Triple Chow", "Three-Color Run", "Mixed Triple Chow", "Three Similar Sequences", "Three Colors, One Chii", others=("Sanshoku", "Mixed Triple Sequence")),
    _row(26, "The same triplet in all three suits", "222m(222p)(222s)789p11z", "Triple Pung", "Three-Color Triplets", "Triple Pung", "Three Similar Triplets", "Three Colors, One Pon"),
    _row(27, "Three kans", "(1111m)[2222p](3333s)99p678s", "Three Kongs", "Three Quads", "Three Kongs", "Three Quartets", "Three Kans", others=("Three Gongs",)),
    _row(28, "Four triplets or kans", "(111m)(222p)33s777z99p3s", "All Pungs", "All Triplets", "All Pungs", "All Triplets", "All Pons", others=("Four Triplets", "No Chows")),
    _row(29, "Three concealed triplets or kans; one completed by ron is not concealed", "111m222p333s99p(456p) --tsumo", "Three Concealed Pungs", "Three Concealed Triplets", "Three Concealed Pungs", "Three Concealed Triplets", "Three Concealed Pons"),
    _row(30, "Two triplets of dragons and a pair of the third", "555z666z77z123m(456p)", "Little Three Dragons", "Little Three Dragons", "Little Three Dragons", "Small Three Dragons", "Little Three Dragons"),
    _row(31, "Only terminals and honours", "(111m)(999p)11s777z999s", "All Terminals and Honours", "All Terminals and Honors", "All Terminals and Honours", "Mixed Terminals", "All Orphans"),
    _row(32, "Twice two identical runs in a closed hand", "223344m556677p99s", "Twice Pure Double Chow", "Two Double Runs", "Twice Pure Double Chow", "Double of Two Identical Sequences", "Twice Pure Double Chii"),
    _row(33, "A terminal in each group and the pair, with a run", "123m789p999s11p789s", "Terminals in All Sets", "Terminal in Each Set", "Pure Outside Hand", "Every Set Including Terminals", "All With Terminals"),
    _row(34, "One suit and honours", "123m456m99m111z777z", "Half Flush", "Half Flush", "Half Flush", "Mixed One-Suit", "Half Flush", others=("Semi-Pure Hand", "Honiisou")),
    _row(35, "One suit only", "123m456m99m(222m)678m", "Full Flush", "Full Flush", "Full Flush", "Pure One-Suit", "Full Flush", others=("Chiniisou",)),
    _row(36, "Ron before your first turn, without a call or kan", f"{_YAKUHAI} --renhou --seat-wind west --payer south --rules ema", "Blessing of Man", "Hand of Man", "", "Blessing of Man", "Gift of Man"),
    _row(37, "The dealer's first hand wins", f"{_YAKUHAI} --tenhou --seat-wind east", "Blessing of Heaven", "Heavenly Hand", "Heavenly Hand", "Blessing of Heaven", "Gift of Heaven", others=("Instant Win",)),
    _row(38, "Another player's first draw wins, without a call or kan before it", f"{_YAKUHAI} --chiihou", "Blessing of Earth", "Earthly Hand", "Earthly Hand", "Blessing of Earth", "Gift of Earth", others=("Instant Win",)),
    _row(39, "Triplets of all three dragons", "555z(666z)777z123m99p", "Big Three Dragons", "Big Three Dragons", "Big Three Dragons", "Big Three Dragons", "Big Three Dragons", others=("Three Great Scholars",)),
    _row(40, "Four concealed triplets or kans", "111m222p33399s55z9s --tsumo", "Four Concealed Pungs", "Four Concealed Triplets", "Four Concealed Pungs", "Four Concealed Triplets", "Four Concealed Pons"),
    _row(41, "Four concealed triplets or kans, won on the pair", "111m222p333999s5z5z", "Four Concealed Pungs on a Pair Wait", "Four Concealed Triplets on a Pair Wait", "Four Concealed Pungs with Single Wait", "", ""),
    _row(42, "Only honours", "111z(222z)555z66z777z", "All Honours", "All Honors", "All Honours", "All Honors", "All Honors", others=("All Symbols",)),
    _row(43, "Only green tiles: 2, 3, 4, 6, 8 of bamboo and green dragons", "223344666888s66z", "All Green", "All Green", "All Green", "All Green", "Perfect Green"),
    _row(44, "Only terminals", "(111m)(999m)11s999p999s", "All Terminals", "All Terminals", "All Terminals", "Pure Terminals", "All Terminals", others=("Heads and Tails",)),
    _row(45, "1112345678999 of one suit and one tile more, closed", "1123456789999m1m", "Nine Gates", "Nine Gates", "Nine Gates", "Nine Connected Sacred Lamps", "Nine Gates", others=("Nine Lanterns",)),
    _row(46, "The same, won on the one tile more", "1112345678999m5m", "Pure Nine Gates", "Pure Nine Gates", "Pure Nine Gates", "", "Nine Gates on a nine-way wait"),
    _row(47, "One of each terminal and honour, and one of them twice", "19m19p19s1234566z7z", "Thirteen Orphans", "Thirteen Orphans", "Thirteen Orphans", "Thirteen Orphans", "Thirteen Orphans", others=("Thirteen Unique Wonders",)),
    _row(48, "The same, won on the one that is held twice", "19m19p19s1234567z7z", "Pure Thirteen Orphans", "Pure Thirteen Orphans", "Pure Thirteen Orphans", "", ""),
    _row(49, "Triplets of all four winds", "(111z)(222z)333z99m444z", "Big Four Winds", "Four Big Winds", "Big Four Winds", "Big Four Winds", "Big Four Winds"),
    _row(50, "Triplets of three winds and a pair of the fourth", "(111z)(222z)333z999m44z", "Little Four Winds", "Four Little Winds", "Little Four Winds", "Small Four Winds", "Little Four Winds"),
    _row(51, "Four kans", "(1111m)[2222p](3333s)(4444z)9p9p", "Four Kongs", "Four Quads", "Four Kongs", "Four Quartets", "Four Kans", others=("Four Gongs",)),
    _row(52, "A tile that an indicator points to; no yaku", "", "Dora", "Dora", "Dora", "Dora", "Dora", others=("Lucky Dragons",)),
    _row(53, "A tile that an indicator under another points to, after riichi; no yaku", "", "Ura Dora", "Underside Dora", "Underside Dora", "Ura-dora", "Under Dora"),
    _row(54, "A red five; no yaku", "", "Red Five", "Red Five", "Red Dora", "", "", others=("Akapai",)),
    _row(64, "Riichi with the hand shown", f"{_YAKUHAI} --open-riichi --set open_riichi_han=2", others=("Open Reach",)),
    _row(65, "Open riichi in the first turn", f"{_YAKUHAI} --open-riichi --double-riichi --set open_riichi_han=2"),
    _row(66, "Three identical runs", "234m(234m)(234m)99p777z --rules kwan-house", "Pure Triple Chow", "", "Pure Triple Chow", "Three Identical Sequences"),
    _row(67, "Four identical runs", "234m(234m)(234m)(234m)77z --rules kwan-house", "Quadruple Chow", "", "", "Four Identical Sequences"),
    _row(68, "Three triplets of consecutive numbers in one suit", "222m(333m)(444m)99p678s --rules kwan-house", "Pure Shifted Pungs", "", "Pure Shifted Pungs", "Three Consecutive Triplets"),
    _row(69, "Four triplets of consecutive numbers in one suit", "222m(333m)(444m)99p555m --rules kwan-house", "Four Pure Shifted Pungs", "", "", "Four Consecutive Triplets"),
    _row(70, "Closed 22334455667788 of dots", "22334455667788p --rules yakuza2", "Big Wheels", "Big Wheels", "Big Wheels"),
    _row(71, "Ron on the discard that follows a kan's supplement draw", f"{_YAKUHAI} --kanburi --set kanburi_han=1", "", "", "", "", "Sudden Reversal"),
    _row(72, "Ron on the discard that declares riichi", f"{_YAKUHAI} --tsubame --set tsubame_gaeshi_han=1", "", "", "", "", "Sudden Reversal"),
    _row(74, "Tsumo on a kan's supplement tile that is 5p", "123m789s99p[1111z]46p5p --rinshan --set plum_blossom_han=13", "", "", "", "", "Gathering a Plum Blossom from the Roof"),
    _row(75, "Tsumo on the last tile of the wall, which is 1p", "123m456p789s66m23p1p --haitei --set moon_from_the_sea_han=13", "", "", "", "", "Scooping the Moon from the Bottom of the Sea"),
    _row(76, "Ron on a 2s that another player adds to a pon", "456m789p66z777z13s2s --chankan --set carrying_pole_han=13", "", "", "", "", "Scratching a Carrying Pole"),
    _row(77, "Tsumo on the supplement tile of a kan that another kan's supplement tile made", "(2222m)[3333p]456s78s55p9s --rinshan --twofold --set twofold_fortune_han=13", "", "", "", "", "Twofold Fortune"),
    _row(78, "Tsumo with a closed hand of one suit", "123345678m99m55m5m --tsumo --set concealed_purity_han=13", "", "", "", "", "Concealed Purity"),
    _row(79, "Seven pairs of one suit", "1122334455668p8p --set concealed_purity_of_pairs_han=13", "", "", "", "", "Concealed Purity"),
    _row(80, "One suit: triplets of 1 and 9, and from 2 to 8 two runs and a pair", "(111m)(999m)345m6722m8m --set wriggling_snake_han=13", "", "", "", "", "Wriggling Snake"),
    _row(81, "Closed 1 to 9 of one suit, the four winds, and a second of one of them", "123456789m1234z4z --set wriggling_snake_with_winds_han=13", "", "", "", "", "Wriggling Snake"),
    _row(82, "Closed 1 to 7 of two suits", "1234567m123456p7p --set knitted_pairs_han=13", "", "", "", "", "Knitted Pairs"),
    _row(83, "The dealer's thirteenth win in a row, or a later one", f"{_YAKUHAI} --seat-wind east --dealer-wins 13 --set thirteen_dealer_wins_han=13", "", "", "", "", "13 Dealer Wins"),
    _row(84, "Four open melds, won on 1s", "(123m)(456p)(777z)(345s)1s1s --set golden_chicken_han=5", "", "", "", "", "Unique Golden Chicken"),
    _row(85, "Triplets of the three winds that are neither seat wind nor round wind", "(222z)(333z)(444z)46m55p5m --seat-wind east --set triple_guest_winds_han=3", "", "", "", "", "Triple Guest Winds"),
    _row(73, "A north or a flower that a player of three set aside; no yaku", "", others=("North Dora", "Pei")),
)
# fmt: on

SPELLINGS: Mapping[int, tuple[str, ...]] = MappingProxyType({
    0: ("門前清模和", "門前自摸", "面前清自摸和", "自摸", "ツモ", "門前ツモ", "面前ツモ", "メンゼンツモ", "メンツモ"),
    1: ("リーチ",),
    2: ("イッパツ",),
    3: ("チャンカン",),
    4: ("嶺上", "リンシャン", "リンシャンカイホウ"),
    5: ("海底", "海底撈月", "海底ツモ", "ハイテイ", "ハイテイツモ", "ハイテイラオユエ"),
    6: ("河底", "河底ロン", "ホウテイ", "ホーテイ", "ホウテイロン", "ホウテイラオユイ", "Under the River"),
    7: ("ピンフ",),
    8: ("タンヤオ", "断ヤオ", "断ヤオ九", "タンヤオ九", "タンヤオチュー"),
    9: ("イーペーコー", "Pure Double Sequence"),
    18: ("ハク",),
    19: ("発", "ハツ", "緑發", "緑発"),
    20: ("チュン", "紅中"),
    21: ("ダブル立直", "ダブルリーチ", "ダブリー", "二重立直"),
    22: ("チートイツ", "チートイ"),
    23: ("全帯", "混全帯", "チャンタ", "ホンチャンタ", "全帯幺", "Half Outside Hand"),
    24: ("一通", "イッツー", "イッキツウカン"),
    25: ("三色", "サンショク", "サンショクドウジュン", "Mixed Triple Sequence"),
    26: ("サンショクドウコー", "サンショクドウコウ", "Triple Triplets"),
    27: ("サンカンツ",),
    28: ("対々", "対対和", "トイトイ", "トイトイホー"),
    29: ("サンアンコ", "サンアンコー"),
    30: ("ショウサンゲン",),
    31: ("ホンロートー", "ホンロウトウ"),
    32: ("両盃口", "リャンペーコー", "Twice Pure Double Sequence"),
    33: ("純全帯", "純チャン", "純チャンタ", "ジュンチャン", "ジュンチャンタ", "Fully Outside Hand"),
    34: ("ホンイツ", "ホンイーソー"),
    35: ("チンイツ", "チンイーソー"),
    36: ("レンホー", "レンホウ", "Hand of Man"),
    37: ("テンホー", "テンホウ"),
    38: ("チーホー", "チーホウ"),
    39: ("ダイサンゲン",),
    40: ("スーアンコ", "スーアンコー"),
    41: ("スーアンコ単騎", "スーアンコー単騎", "四暗刻単騎待ち", "Single-wait Four Concealed Triplets"),
    42: ("ツーイーソー",),
    43: ("リューイーソー",),
    44: ("チンロートー", "チンロウトウ"),
    45: ("九連宝灯", "チューレンポートー"),
    46: ("純正九連宝灯", "純正チューレンポートー", "九蓮宝燈九面待ち", "True Nine Gates"),
    47: ("国士", "コクシムソウ"),
    48: ("国士無双13面", "国士無双13面待ち", "国士無双十三面待ち", "Thirteen-wait Thirteen Orphans"),
    49: ("ダイスーシー",),
    50: ("ショウスーシー",),
    51: ("スーカンツ",),
    52: ("表ドラ", "宝牌"),
    53: ("里宝牌", "裡宝牌"),
    54: ("赤", "赤牌", "紅宝牌"),
    64: ("開立直", "オープンリーチ"),
    73: ("北ドラ", "キタ", "抜北宝牌"),
})  # fmt: skip
"""How logs and platforms also write a yaku, by id: in kana, in other characters, in their own English."""

TEXTS = MappingProxyType(dict(_row(yaku.id, yaku.meaning, "") for yaku in LOCAL_YAKU) | dict(_ROWS))
"""What there is to say of each yaku, by id; of a local one without a row what its rule says."""


def text_of(yaku: Yaku) -> YakuText:
    """Return what there is to say of a yaku; of a ruleset's own its meaning, or its condition."""
    if yaku.own is None:
        return TEXTS[yaku.id]
    return YakuText(one_line(yaku.own.meaning or yaku.own.when), "", ("",) * len(DOCUMENT_SETS))


def all_names(yaku: Yaku) -> dict[str, str]:
    """Return a yaku's name in each set, by set; a document without one has the plain English."""
    known = {"romaji": yaku.romaji, "japanese": yaku.japanese, "english": yaku.english}
    given = zip(DOCUMENT_SETS, text_of(yaku).names, strict=True)
    return known | {which: name or yaku.english for which, name in given}


def chosen_set() -> str:
    """Return the set of names that texts use: that of ``PAIFU_NAMES``, or the language's own."""
    wanted = os.environ.get(VARIABLE, "")
    return wanted if wanted in NAME_SETS else _of_language()


def _of_language() -> str:
    return _OF_LANGUAGE.get(language(), NAME_SETS[0])


def yaku_name(number: int, rules: Ruleset | None) -> str:
    """Return what texts call a yaku under a ruleset, by id; ``yaku 99`` for one that is not in the table.

    Without a ruleset, its own yaku are not known.
    """
    return _name_in(number, rules, chosen_set())


def spoken_name(number: int, rules: Ruleset | None) -> str:
    """Return the name of a yaku in the language's own set, as messages have it whatever set is chosen."""
    return _name_in(number, rules, _of_language())


def _name_in(number: int, rules: Ruleset | None, chosen: str) -> str:
    yaku = (YAKU if rules is None else yaku_of(rules)).get(number)
    if yaku is None:
        return _("yaku {number}").format(number=number)
    return named(yaku, chosen)


def named(yaku: Yaku, chosen: str = "") -> str:
    """Return the name of a yaku in a set, or in the chosen one."""
    name = all_names(yaku)[chosen or chosen_set()]
    return _(name) if chosen == "japanese" and name == yaku.english and yaku.own is None else name


_CHARACTERS = str.maketrans(
    "场风东发门圈么搶枪连对對气氣贯带帶无國杠岭捞顺纯杯绿綠两莲灯寶单單头斷红",
    "場風東發門圏幺槍槍連対対気気貫帯帯無国槓嶺撈順純盃緑緑両蓮燈宝単単頭断紅",
)
"""Simplified, traditional and other forms of characters -> those in the names of yaku."""


def plain_name(text: str) -> str:
    """Return a name without case, accents, signs, spaces and other forms of characters."""
    letters = unicodedata.normalize("NFKD", text.casefold().translate(_CHARACTERS))
    return "".join(letter for letter in letters if letter.isalnum())


def _names_of(yaku: Yaku) -> Iterable[str]:
    names = (*all_names(yaku).values(), *text_of(yaku).others, *SPELLINGS.get(yaku.id, ()))
    return dict.fromkeys(map(plain_name, names))


def _searched(rules: Ruleset) -> dict[str, list[int]]:
    """Plain name -> ids of the yaku so called."""
    found: dict[str, list[int]] = {}
    for yaku in yaku_of(rules).values():
        for name in _names_of(yaku):
            found.setdefault(name, []).append(yaku.id)
    return found


@cache
def _known() -> Mapping[str, int]:
    """Plain name -> the one yaku so called; what it is first called by goes before what it is also called."""
    found: dict[str, set[int]] = {}
    for yaku in YAKU.values():
        for name in _names_of(yaku):
            found.setdefault(name, set()).add(yaku.id)
    own = {
        plain_name(name): yaku.id
        for yaku in YAKU.values()
        for name in (*SPELLINGS.get(yaku.id, ()), yaku.japanese)
    }
    return MappingProxyType({name: min(ids) for name, ids in found.items() if len(ids) == 1} | own)


def yaku_by_name(name: str) -> int | None:
    """Return the id of the yaku that a log calls by a name in any set; None for none, or several."""
    return _known().get(plain_name(name))


def find_yaku(name: str, rules: Ruleset) -> tuple[Yaku, ...]:
    """Return the yaku of a name in any set; of several that share it, all; none if nobody calls one so.

    Case, accents, hyphens and spaces do not matter, and part of a name will do if no name is just that.
    """
    wanted, names = plain_name(name), _searched(rules)
    if not wanted:
        return ()
    numbers = names.get(wanted) or [i for known, ids in names.items() if wanted in known for i in ids]
    return tuple(yaku for yaku in yaku_of(rules).values() if yaku.id in numbers)


def near_names(name: str, rules: Ruleset) -> list[str]:
    """Return up to three names that are spelt like ``name``."""
    every = yaku_of(rules).values()
    written = {plain_name(known): known for yaku in every for known in reversed(all_names(yaku).values())}
    return [written[near] for near in difflib.get_close_matches(plain_name(name), written, n=3, cutoff=0.6)]
