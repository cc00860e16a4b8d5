"""The yaku table: every yaku of the supported rules is one row of data with one condition.

A row also says what people ask: when the yaku counts in words, an example, and what it is called in several
sets of names (:mod:`~paifu.replay.scoring.yaku_names` looks them up).

Conditions are written over the facts of :mod:`paifu.replay.rules.hand_facts`. A new yaku is one new row and
compiles nothing; local yaku, whose rows bring their rule along, have a table of their own
(:mod:`paifu.replay.rules.local_yaku`).

Rules enter in two places of a row: ``han`` may ask the ruleset what the yaku is worth, and ``under`` may
add to the condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from paifu.replay.arrays import bits_of
from paifu.replay.foreign_text import one_line
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.language import _
from paifu.replay.model.tiles import CHUN, HAKU, HATSU
from paifu.replay.rules import hand_shapes as h
from paifu.replay.rules.choices import Renhou, RinshanFed, SuurenkouPair
from paifu.replay.rules.fields import YAKUMAN_HAN
from paifu.replay.rules.hand_facts import (
    ALL_RUNS,
    ALWAYS,
    DRAGON_KINDS,
    FOUR_CONCEALED,
    FOUR_KANS,
    GREEN_KINDS,
    HAS_HONOUR,
    HONOUR_KINDS,
    NEVER,
    NOT_OPEN,
    ONE_TWIN,
    ORPHANS,
    ROUND_WIND,
    RYANMEN,
    SEAT_WIND,
    SEVEN_PAIRS,
    STANDARD,
    SUITS,
    TANKI,
    TERMINAL_KINDS,
    THREE_CONCEALED,
    THREE_KANS,
    TSUMO,
    TWO_TWINS,
    VALUE_PAIR,
    WIN_EVEN,
    WIND_KINDS,
    Situation,
    YakuCondition,
    any_of,
    held,
    pair,
    situation,
    triplet,
)
from paifu.replay.rules.local_yaku import LOCAL_YAKU, OWN_IDS, YAKUHAI, LocalYaku
from paifu.replay.rules.own_rows import OwnYaku, OwnYakuTable
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rules.written_values import suggestion
from paifu.replay.scoring.limits import limit_of_han

Han = tuple[int, int]
"""Han of a closed and of an open hand; 0: does not count; 13: a yakuman, 26: a double one."""


def _four_in_row(rules: Ruleset) -> YakuCondition:
    """The pair that the rules ask for beside four consecutive triplets."""
    match rules.local.suurenkou_pair:
        case SuurenkouPair.ANY:
            return ALWAYS
        case SuurenkouPair.SAME_SUIT:
            return h.ONE_SUIT
        case SuurenkouPair.CONSECUTIVE:
            return any_of(
                triplet(9 * suit + first) & triplet(9 * suit + first + 3) & pair(9 * suit + other)
                for suit in SUITS
                for first in range(6)
                for other in (first - 1, first + 4)
                if 0 <= other < 9
            )


def _always(_rules: Ruleset) -> YakuCondition:
    return ALWAYS


def _no_limit(_rules: Ruleset) -> int:
    return 0


class YakuKind(Enum):
    """What a yaku rests on."""

    SITUATION = "situation"
    SHAPE = "shape"
    YAKUMAN = "yakuman"
    DORA = "dora"
    LOCAL = "local"


class Pao(NamedTuple):
    """When the player who feeds the last meld of a yakuman is liable for it."""

    rule: str
    """The field of the ruleset that switches it on."""
    melds: int
    """How many melds settle the yakuman, closed kans included."""
    kinds: frozenset[int] = frozenset(range(34))
    """What these melds are made of."""
    kans: bool = False
    """They are kans, the last of them open."""


@dataclass(frozen=True, slots=True)
class Yaku:
    """One row of the table."""

    id: int
    """Tenhou's number where it has one; own numbers from 64 on."""
    romaji: str
    english: str
    japanese: str
    kind: YakuKind
    han: Han | Callable[[Ruleset], Han]
    """What it is worth, closed and open, fixed or by the ruleset."""
    condition: YakuCondition = NEVER
    """When it holds. Dora have none: they are counted, not matched."""
    meaning: str = field(kw_only=True)
    """The same in words."""
    example: str = ""
    """A hand as ``paifu score`` takes it, with options; empty for none, as of dora."""
    names: tuple[str, ...] = ()
    """Names in the order of ``DOCUMENT_SETS``; empty or left out where a set has none."""
    others: tuple[str, ...] = ()
    """More names that a search finds."""
    spelt: tuple[str, ...] = ()
    """How logs and platforms also write it: in kana, in other characters, in their own English."""
    under: Callable[[Ruleset], YakuCondition] = _always
    """What some rulesets demand besides."""
    replaces: tuple[int, ...] = ()
    """Ids of lesser yaku, earlier in the table, that do not count beside this one."""
    contains: tuple[int, ...] = ()
    """Ids of lesser yaku that are part of this yakuman, where yakuman count as 13 han beside others."""
    pao: Pao | None = None
    """What makes the one who feeds its last meld liable."""
    limit: Callable[[Ruleset], int] = _no_limit
    """Base points that this yaku alone is worth, not added to others; 0: it counts by its han."""
    without_pair: bool = False
    """It counts for four kans without a pair too, where these win; all others ask for a finished hand."""
    own: OwnYaku | None = None
    """What the ruleset says of it, if it is one of the ruleset's own."""
    special: tuple[Situation, Callable[[Ruleset], Han]] | None = None
    """A situation in which it is worth something else, and what."""

    def han_under(self, rules: Ruleset, situation: int = 0) -> Han:
        """Return han closed and open under a ruleset, in a situation."""
        if self.special is not None and self.special[0] & situation:
            return self.special[1](rules)
        return self.han(rules) if callable(self.han) else self.han


S, SHAPE, LIMIT, DORA, LOCAL = (
    YakuKind.SITUATION,
    YakuKind.SHAPE,
    YakuKind.YAKUMAN,
    YakuKind.DORA,
    YakuKind.LOCAL,
)
_SINGLE: Han = (YAKUMAN_HAN, YAKUMAN_HAN)
_CLOSED_ONLY: Han = (YAKUMAN_HAN, 0)


def _double(field: str) -> Callable[[Ruleset], Han]:
    """A yakuman that counts twice where ``field`` says so."""
    return lambda rules: (YAKUMAN_HAN * (1 + rules[field]),) * 2


def _local(field: str, open_hand: bool = True) -> Callable[[Ruleset], Han]:
    """A yaku worth what ``field`` says."""

    def han(rules: Ruleset) -> Han:
        closed = rules[field]
        opened = dict(rules.local.open_han).get(field, closed) if closed and open_hand else 0
        return closed, int(opened)

    return han


def _limit(field: str) -> Callable[[Ruleset], int]:
    """The limit of as many han as ``field`` says, if these make a limit below a yakuman."""
    return lambda rules: limit_of_han(han, rules) if (han := rules[field]) < YAKUMAN_HAN else 0


def _winds(
    first: int,
    name: str,
    english: str,
    japanese: str,
    mine: tuple[YakuCondition, ...],
    names: tuple[str, ...],
) -> list[Yaku]:
    """Four rows: the triplet of each wind, when it is this player's seat wind or the round's."""
    winds = zip(range(4), ("East", "South", "West", "North"), "東南西北", strict=True)
    return [
        Yaku(first + i, f"{name} {wind.lower()}", f"{english} {wind}", japanese + sign, SHAPE, (1, 1),
             triplet(27 + i), under=_whose(mine[i], for_all=name == "jikaze" and wind == "North"),
             meaning=f"A triplet or kan of {wind.lower()}, the {english}",
             example=f"456m456p234s99p{i + 1}{i + 1}{i + 1}z --{english.replace(' ', '-')} {wind.lower()}",
             names=tuple(f"{called} ({wind})" for called in names),
             others=("Yakuhai", "Lucky Tiles", "Value Tiles", "Double Wind"))
        for i, wind, sign in winds
    ]  # fmt: skip


def _whose(mine: YakuCondition, *, for_all: bool) -> Callable[[Ruleset], YakuCondition]:
    """Whom a wind belongs to: where the rules say so, north is everybody's (``for_all``)."""
    return lambda rules: ALWAYS if for_all and rules.calls.north_yakuhai else mine


def _local_row(yaku: LocalYaku) -> Yaku:
    return Yaku(
        yaku.id, yaku.romaji, yaku.english, yaku.japanese or yaku.english, LOCAL,
        _local(yaku.rule, yaku.open_hand), yaku.condition,
        under=_DEMANDS.get(yaku.id, _always), replaces=yaku.replaces,
        limit=_limit(yaku.rule) if yaku.alone else _no_limit, contains=yaku.contains,
        meaning=yaku.meaning, example=yaku.example, names=yaku.names, others=yaku.others,
    )  # fmt: skip


def _double_open_riichi(rules: Ruleset) -> int:
    single = rules.riichi.open_riichi_han
    return (rules.riichi.open_riichi_double_han or single + 1) if single else 0


def _fed_riichi(rules: Ruleset) -> Han:
    return YAKUMAN_HAN if rules.riichi.open_riichi_han else 0, 0


def _fed_kan(rules: Ruleset) -> Han:
    return (2, 2) if rules.pao.rinshan_fed == RinshanFed.TWO_HAN else (1, 1)


def _ippatsu(rules: Ruleset) -> Han:
    return rules.riichi.ippatsu_han * rules.riichi.ippatsu, 0


_RENHOU_HAN = {
    Renhou.NONE: 0,
    Renhou.MANGAN: 5,
    Renhou.YAKUMAN: YAKUMAN_HAN,
    Renhou.BAIMAN: 8,
    Renhou.FOUR_HAN: 4,
    Renhou.SEVEN_HAN: 7,
}
_RENHOU_LIMITS = {Renhou.MANGAN: layout.MANGAN, Renhou.BAIMAN: 2 * layout.MANGAN}
"""Base points of a renhou that is worth a limit by itself."""
_DEMANDS = {69: _four_in_row}
"""Local yaku id -> what some rulesets demand besides."""


# fmt: off
_ROWS = (
    Yaku(0, "menzen tsumo", "fully concealed draw", "門前清自摸和", S, (1, 0), TSUMO,
         meaning="A closed hand won by self-draw", example=f"{YAKUHAI} --tsumo",
         names=("Fully Concealed Hand", "Concealed Self-Draw", "Fully Concealed Hand",
                "Self-Draw in Concealed Hand", "Fully Concealed"),
         others=("Menzen Tsumo", "Self-Pick", "CSD"),
         spelt=("門前清模和", "門前自摸", "面前清自摸和", "自摸", "ツモ", "門前ツモ", "面前ツモ",
                "メンゼンツモ", "メンツモ")),
    Yaku(1, "riichi", "riichi", "立直", S, (1, 0),
         situation(Situation.RIICHI) & ~situation(Situation.DOUBLE_RIICHI) & NOT_OPEN,
         meaning="A closed tenpai hand declared with a stick of 1,000 points",
         example=f"{YAKUHAI} --riichi", names=("Riichi", "Reach", "Riichi", "Riichi", "Riichi"),
         others=("Ready Hand",), spelt=("リーチ",)),
    Yaku(2, "ippatsu", "one shot", "一発", S, _ippatsu, situation(Situation.IPPATSU),
         meaning="A win within one turn of riichi, without a call or kan in between",
         example=f"{YAKUHAI} --riichi --ippatsu",
         names=("Ippatsu", "One-Shot", "Ippatsu", "Hitting with One Shot", "One-Shot"),
         others=("One Shot Win",), spelt=("イッパツ",)),
    Yaku(3, "chankan", "robbing a kan", "槍槓", S, (1, 1), situation(Situation.CHANKAN),
         meaning="Ron on a tile that another player adds to a pon",
         example="456p234s99p777z45m6m --chankan",
         names=("Robbing the Kong", "Robbing a Quad", "Robbing the Kong", "Robbing a Kong", "Rob a Gong"),
         spelt=("チャンカン",)),
    Yaku(4, "rinshan kaihou", "after a kan", "嶺上開花", S, (1, 1), situation(Situation.RINSHAN),
         special=(Situation.FED_KAN, _fed_kan),
         meaning="Tsumo on the supplement tile of a kan", example="456m456p99p[1111z]777z --rinshan",
         names=("After a Kong", "Dead Wall Draw", "After a Kong", "Blossom on the Hill",
                "Win Off a Replacement Tile"),
         others=("King's Tile Draw", "Plum Blossom on the Roof"),
         spelt=("嶺上", "リンシャン", "リンシャンカイホウ")),
    Yaku(5, "haitei", "last tile of the wall", "海底摸月", S, (1, 1), situation(Situation.HAITEI),
         meaning="Tsumo on the last tile of the wall", example=f"{YAKUHAI} --haitei",
         names=("Under the Sea", "Last-Tile Draw", "Last Tile Tsumo",
                "Catching the Moon from the Bottom of the Sea", "Last Tile Win"),
         spelt=("海底", "海底撈月", "海底ツモ", "ハイテイ", "ハイテイツモ", "ハイテイラオユエ")),
    Yaku(6, "houtei", "last discard", "河底撈魚", S, (1, 1), situation(Situation.HOUTEI),
         meaning="Ron on the last discard", example=f"{YAKUHAI} --houtei",
         names=("Under the River", "Last-Tile Claim", "Last Tile Ron",
                "Catching the Fish from the Bottom of the River", "Last Tile Win"),
         spelt=("河底", "河底ロン", "ホウテイ", "ホーテイ", "ホウテイロン", "ホウテイラオユイ",
                "Under the River")),
    Yaku(7, "pinfu", "all runs, no fu", "平和", SHAPE, (1, 0), ALL_RUNS & RYANMEN & ~VALUE_PAIR,
         under=lambda rules: ALWAYS if rules.scoring.pinfu_tsumo else ~TSUMO,
         meaning="A closed hand of four runs, a pair without value, won on a two-sided wait",
         example="456m456p99p789s67s8s",
         names=("Pinfu", "No-Points Hand", "Pinfu", "Valueless Hand", "Peace"),
         others=("All Chows", "All Sequences"), spelt=("ピンフ",)),
    Yaku(8, "tanyao", "all simples", "断幺九", SHAPE, lambda rules: (1, int(rules.win.kuitan)), h.SIMPLES,
         meaning="Only tiles from 2 to 8", example="234m456p(678p)55s33s3s",
         names=("All Simples", "All Simples", "All Simples", "No Terminals", "All Simples"),
         others=("Inside Hand", "Endless Hand"),
         spelt=("タンヤオ", "断ヤオ", "断ヤオ九", "タンヤオ九", "タンヤオチュー")),
    Yaku(9, "iipeikou", "twin runs", "一盃口", SHAPE, (1, 0), ONE_TWIN,
         meaning="Two identical runs in a closed hand", example="223344m789p11z678s --riichi",
         names=("Pure Double Chow", "Double Run", "Pure Double Chow", "Two Identical Sequences",
                "Pure Double Chii"),
         others=("Pure Double Sequence",), spelt=("イーペーコー", "Pure Double Sequence")),
    *_winds(10, "jikaze", "seat wind", "自風", SEAT_WIND,
            ("Seat Wind", "Seat Wind", "Seat Wind", "Scoring Honors", "Seat Wind")),
    *_winds(14, "bakaze", "round wind", "場風", ROUND_WIND,
            ("Prevalent Wind", "Prevailing Wind", "Prevalent Wind", "Scoring Honors", "Round Wind")),
    Yaku(18, "haku", "white dragon", "白", SHAPE, (1, 1), triplet(HAKU),
         meaning="A triplet or kan of white dragons", example="456m456p234s99p555z",
         names=("White Dragon", "White Dragon", "White Dragon Pung", "Scoring Honors (White)",
                "Pon of White Dragons"),
         others=("Dragon Pung", "Yakuhai", "Lucky Tiles"), spelt=("ハク",)),
    Yaku(19, "hatsu", "green dragon", "發", SHAPE, (1, 1), triplet(HATSU),
         meaning="A triplet or kan of green dragons", example="456m456p234s99p666z",
         names=("Green Dragon", "Green Dragon", "Green Dragon Pung", "Scoring Honors (Green)",
                "Pon of Green Dragons"),
         others=("Dragon Pung", "Yakuhai", "Lucky Tiles"), spelt=("発", "ハツ", "緑發", "緑発")),
    Yaku(20, "chun", "red dragon", "中", SHAPE, (1, 1), triplet(CHUN),
         meaning="A triplet or kan of red dragons", example=YAKUHAI,
         names=("Red Dragon", "Red Dragon", "Red Dragon Pung", "Scoring Honors (Red)", "Pon of Red Dragons"),
         others=("Dragon Pung", "Yakuhai", "Lucky Tiles"), spelt=("チュン", "紅中")),
    Yaku(21, "double riichi", "double riichi", "両立直", S, (2, 0),
         situation(Situation.DOUBLE_RIICHI) & NOT_OPEN,
         meaning="Riichi in the first turn, before any call or kan", example=f"{YAKUHAI} --double-riichi",
         names=("Double Riichi", "Double Reach", "Double Riichi", "Double Riichi", "Double Riichi"),
         others=("Daburu Riichi",), spelt=("ダブル立直", "ダブルリーチ", "ダブリー", "二重立直")),
    Yaku(22, "chiitoitsu", "seven pairs", "七対子", SHAPE, lambda rules: (rules.scoring.chiitoitsu_han, 0),
         SEVEN_PAIRS,
         meaning="Seven pairs", example="1199m2288p4466s77z",
         names=("Seven Pairs", "Seven Pairs", "Seven Pairs", "7 Pairs", "Seven Pairs"),
         others=("Chii-Toitsu",), spelt=("チートイツ", "チートイ")),
    Yaku(23, "chanta", "terminal or honour in each group", "混全帯幺九", SHAPE, (2, 1),
         h.OUTSIDE & HAS_HONOUR,
         meaning="A terminal or honour in each group and the pair, with a run and an honour",
         example="123m789p999s11z789s --riichi",
         names=("Mixed Outside Hand", "Terminal or Honor in Each Set", "Mixed Outside Hand",
                "Every Set Including Mixed Terminals", "All With Orphans"),
         others=("Outside Hand",),
         spelt=("全帯", "混全帯", "チャンタ", "ホンチャンタ", "全帯幺", "Half Outside Hand")),
    Yaku(24, "ittsuu", "straight", "一気通貫", SHAPE, (2, 1), h.STRAIGHT,
         meaning="123, 456 and 789 in one suit", example="123456789m99p777z",
         names=("Pure Straight", "Full Straight", "Pure Straight", "Nine-Tile Straight", "Large Straight"),
         others=("Itsuu", "Three Consecutive Sequences"), spelt=("一通", "イッツー", "イッキツウカン")),
    Yaku(25, "sanshoku doujun", "three-colour runs", "三色同順", SHAPE, (2, 1), h.SIMILAR_RUNS,
         meaning="The same run in all three suits", example="234m234p234s99p777z",
         names=("Mixed Triple Chow", "Three-Color Run", "Mixed Triple Chow", "Three Similar Sequences",
                "Three Colors, One Chii"),
         others=("Sanshoku", "Mixed Triple Sequence"),
         spelt=("三色", "サンショク", "サンショクドウジュン", "Mixed Triple Sequence")),
    Yaku(26, "sanshoku doukou", "three-colour triplets", "三色同刻", SHAPE, (2, 2), h.SIMILAR_TRIPLETS,
         meaning="The same triplet in all three suits", example="222m(222p)(222s)789p11z",
         names=("Triple Pung", "Three-Color Triplets", "Triple Pung", "Three Similar Triplets",
                "Three Colors, One Pon"),
         spelt=("サンショクドウコー", "サンショクドウコウ", "Triple Triplets")),
    Yaku(27, "sankantsu", "three kans", "三槓子", SHAPE, (2, 2), THREE_KANS,
         meaning="Three kans", example="(1111m)[2222p](3333s)99p678s",
         names=("Three Kongs", "Three Quads", "Three Kongs", "Three Quartets", "Three Kans"),
         others=("Three Gongs",), spelt=("サンカンツ",)),
    Yaku(28, "toitoi", "all triplets", "対々和", SHAPE, (2, 2), h.ALL_TRIPLETS,
         meaning="Four triplets or kans", example="(111m)(222p)33s777z99p3s",
         names=("All Pungs", "All Triplets", "All Pungs", "All Triplets", "All Pons"),
         others=("Four Triplets", "No Chows"), spelt=("対々", "対対和", "トイトイ", "トイトイホー")),
    Yaku(29, "sanankou", "three concealed triplets", "三暗刻", SHAPE, (2, 2), THREE_CONCEALED,
         meaning="Three concealed triplets or kans; one completed by ron is not concealed",
         example="111m222p333s99p(456p) --tsumo",
         names=("Three Concealed Pungs", "Three Concealed Triplets", "Three Concealed Pungs",
                "Three Concealed Triplets", "Three Concealed Pons"),
         spelt=("サンアンコ", "サンアンコー")),
    Yaku(30, "shousangen", "little three dragons", "小三元", SHAPE, (2, 2), h.LITTLE_DRAGONS,
         meaning="Two triplets of dragons and a pair of the third", example="555z666z77z123m(456p)",
         names=("Little Three Dragons", "Little Three Dragons", "Little Three Dragons",
                "Small Three Dragons", "Little Three Dragons"),
         spelt=("ショウサンゲン",)),
    Yaku(31, "honroutou", "terminals and honours", "混老頭", SHAPE, (2, 2), h.MIXED_TERMINALS,
         meaning="Only terminals and honours", example="(111m)(999p)11s777z999s",
         names=("All Terminals and Honours", "All Terminals and Honors", "All Terminals and Honours",
                "Mixed Terminals", "All Orphans"),
         spelt=("ホンロートー", "ホンロウトウ")),
    Yaku(32, "ryanpeikou", "two twin runs", "二盃口", SHAPE, lambda rules: (rules.scoring.ryanpeikou_han, 0),
         TWO_TWINS,
         meaning="Twice two identical runs in a closed hand", example="223344m556677p99s",
         names=("Twice Pure Double Chow", "Two Double Runs", "Twice Pure Double Chow",
                "Double of Two Identical Sequences", "Twice Pure Double Chii"),
         spelt=("両盃口", "リャンペーコー", "Twice Pure Double Sequence")),
    Yaku(33, "junchan", "terminal in each group", "純全帯幺九", SHAPE, (3, 2), h.OUTSIDE & ~HAS_HONOUR,
         meaning="A terminal in each group and the pair, with a run", example="123m789p999s11p789s",
         names=("Terminals in All Sets", "Terminal in Each Set", "Pure Outside Hand",
                "Every Set Including Terminals", "All With Terminals"),
         spelt=("純全帯", "純チャン", "純チャンタ", "ジュンチャン", "ジュンチャンタ", "Fully Outside Hand")),
    Yaku(34, "honitsu", "half flush", "混一色", SHAPE, (3, 2), h.HALF_FLUSH,
         meaning="One suit and honours", example="123m456m99m111z777z",
         names=("Half Flush", "Half Flush", "Half Flush", "Mixed One-Suit", "Half Flush"),
         others=("Semi-Pure Hand", "Honiisou"), spelt=("ホンイツ", "ホンイーソー")),
    Yaku(35, "chinitsu", "full flush", "清一色", SHAPE, (6, 5), h.ONE_SUIT,
         meaning="One suit only", example="123m456m99m(222m)678m",
         names=("Full Flush", "Full Flush", "Full Flush", "Pure One-Suit", "Full Flush"),
         others=("Chiniisou",), spelt=("チンイツ", "チンイーソー")),
    Yaku(36, "renhou", "hand of man", "人和", S,
         lambda rules: (_RENHOU_HAN[rules.scoring.renhou], 0),
         situation(Situation.RENHOU), limit=lambda rules: _RENHOU_LIMITS.get(rules.scoring.renhou, 0),
         meaning="Ron before your first turn, without a call or kan",
         example=f"{YAKUHAI} --renhou --seat-wind west --payer south --rules ema",
         names=("Blessing of Man", "Hand of Man", "", "Blessing of Man", "Gift of Man"),
         spelt=("レンホー", "レンホウ", "Hand of Man")),
    Yaku(37, "tenhou", "hand of heaven", "天和", LIMIT, _CLOSED_ONLY, situation(Situation.TENHOU),
         meaning="The dealer's first hand wins", example=f"{YAKUHAI} --tenhou --seat-wind east",
         names=("Blessing of Heaven", "Heavenly Hand", "Heavenly Hand", "Blessing of Heaven",
                "Gift of Heaven"),
         others=("Instant Win",), spelt=("テンホー", "テンホウ")),
    Yaku(38, "chiihou", "hand of earth", "地和", LIMIT, _CLOSED_ONLY, situation(Situation.CHIIHOU),
         meaning="Another player's first draw wins, without a call or kan before it",
         example=f"{YAKUHAI} --chiihou",
         names=("Blessing of Earth", "Earthly Hand", "Earthly Hand", "Blessing of Earth", "Gift of Earth"),
         others=("Instant Win",), spelt=("チーホー", "チーホウ")),
    Yaku(39, "daisangen", "big three dragons", "大三元", LIMIT, _SINGLE, h.BIG_DRAGONS,
         contains=(18, 19, 20, 30), pao=Pao("pao_daisangen", 3, frozenset(DRAGON_KINDS)),
         meaning="Triplets of all three dragons", example="555z(666z)777z123m99p",
         names=("Big Three Dragons", "Big Three Dragons", "Big Three Dragons", "Big Three Dragons",
                "Big Three Dragons"),
         others=("Three Great Scholars",), spelt=("ダイサンゲン",)),
    Yaku(40, "suuankou", "four concealed triplets", "四暗刻", LIMIT, _CLOSED_ONLY, FOUR_CONCEALED & ~TANKI,
         contains=(28,),
         meaning="Four concealed triplets or kans", example="111m222p33399s55z9s --tsumo",
         names=("Four Concealed Pungs", "Four Concealed Triplets", "Four Concealed Pungs",
                "Four Concealed Triplets", "Four Concealed Pons"),
         spelt=("スーアンコ", "スーアンコー")),
    Yaku(41, "suuankou tanki", "four concealed triplets on a pair wait", "四暗刻単騎", LIMIT,
         _double("double_suuankou_tanki"), FOUR_CONCEALED & TANKI,
         contains=(28,),
         meaning="Four concealed triplets or kans, won on the pair", example="111m222p333999s5z5z",
         names=("Four Concealed Pungs on a Pair Wait", "Four Concealed Triplets on a Pair Wait",
                "Four Concealed Pungs with Single Wait"),
         spelt=("スーアンコ単騎", "スーアンコー単騎", "四暗刻単騎待ち",
                "Single-wait Four Concealed Triplets")),
    Yaku(42, "tsuuiisou", "all honours", "字一色", LIMIT, _SINGLE, h.ALL_HONOURS,
         contains=(28, 31), pao=Pao("pao_tsuuiisou", 4, frozenset(HONOUR_KINDS)),
         meaning="Only honours", example="111z(222z)555z66z777z",
         names=("All Honours", "All Honors", "All Honours", "All Honors", "All Honors"),
         others=("All Symbols",), spelt=("ツーイーソー",)),
    Yaku(43, "ryuuiisou", "all green", "緑一色", LIMIT, _SINGLE, h.ALL_GREEN,
         under=lambda rules: held(HATSU) if rules.yakuman.ryuuiisou_needs_hatsu else ALWAYS,
         contains=(34,), pao=Pao("pao_ryuuiisou", 4, frozenset(GREEN_KINDS)),
         meaning="Only green tiles: 2, 3, 4, 6, 8 of bamboo and green dragons", example="223344666888s66z",
         names=("All Green", "All Green", "All Green", "All Green", "Perfect Green"),
         spelt=("リューイーソー",)),
    Yaku(44, "chinroutou", "all terminals", "清老頭", LIMIT, _SINGLE, h.ALL_TERMINALS & STANDARD,
         contains=(28,), pao=Pao("pao_chinroutou", 4, frozenset(TERMINAL_KINDS)),
         meaning="Only terminals", example="(111m)(999m)11s999p999s",
         names=("All Terminals", "All Terminals", "All Terminals", "Pure Terminals", "All Terminals"),
         others=("Heads and Tails",), spelt=("チンロートー", "チンロウトウ")),
    Yaku(45, "chuuren poutou", "nine gates", "九蓮宝燈", LIMIT, _CLOSED_ONLY, h.NINE_GATES & ~WIN_EVEN,
         contains=(35,),
         meaning="1112345678999 of one suit and one tile more, closed", example="1123456789999m1m",
         names=("Nine Gates", "Nine Gates", "Nine Gates", "Nine Connected Sacred Lamps", "Nine Gates"),
         others=("Nine Lanterns",), spelt=("九連宝灯", "チューレンポートー")),
    Yaku(46, "junsei chuuren poutou", "nine gates on nine waits", "純正九蓮宝燈", LIMIT,
         _double("double_junsei_chuuren"), h.NINE_GATES & WIN_EVEN,
         contains=(35,),
         meaning="The same, won on the one tile more", example="1112345678999m5m",
         names=("Pure Nine Gates", "Pure Nine Gates", "Pure Nine Gates", "",
                "Nine Gates on a nine-way wait"),
         spelt=("純正九連宝灯", "純正チューレンポートー", "九蓮宝燈九面待ち", "True Nine Gates")),
    Yaku(47, "kokushi musou", "thirteen orphans", "国士無双", LIMIT, _CLOSED_ONLY, ORPHANS & ~WIN_EVEN,
         meaning="One of each terminal and honour, and one of them twice", example="19m19p19s1234566z7z",
         names=("Thirteen Orphans", "Thirteen Orphans", "Thirteen Orphans", "Thirteen Orphans",
                "Thirteen Orphans"),
         others=("Thirteen Unique Wonders",), spelt=("国士", "コクシムソウ")),
    Yaku(48, "kokushi musou 13", "thirteen orphans on thirteen waits", "国士無双十三面", LIMIT,
         _double("double_kokushi_13"), ORPHANS & WIN_EVEN,
         meaning="The same, won on the one that is held twice", example="19m19p19s1234567z7z",
         names=("Pure Thirteen Orphans", "Pure Thirteen Orphans", "Pure Thirteen Orphans"),
         spelt=("国士無双13面", "国士無双13面待ち", "国士無双十三面待ち", "Thirteen-wait Thirteen Orphans")),
    Yaku(49, "daisuushii", "big four winds", "大四喜", LIMIT, _double("double_daisuushii"), h.BIG_WINDS,
         contains=(28,), pao=Pao("pao_daisuushii", 4, frozenset(WIND_KINDS)),
         meaning="Triplets of all four winds", example="(111z)(222z)333z99m444z",
         names=("Big Four Winds", "Four Big Winds", "Big Four Winds", "Big Four Winds", "Big Four Winds"),
         spelt=("ダイスーシー",)),
    Yaku(50, "shousuushii", "little four winds", "小四喜", LIMIT, _SINGLE, h.LITTLE_WINDS,
         meaning="Triplets of three winds and a pair of the fourth", example="(111z)(222z)333z999m44z",
         names=("Little Four Winds", "Four Little Winds", "Little Four Winds", "Small Four Winds",
                "Little Four Winds"),
         spelt=("ショウスーシー",)),
    Yaku(51, "suukantsu", "four kans", "四槓子", LIMIT, _SINGLE, FOUR_KANS, without_pair=True,
         contains=(28,), pao=Pao("pao_suukantsu", 4, kans=True),
         meaning="Four kans", example="(1111m)[2222p](3333s)(4444z)9p9p",
         names=("Four Kongs", "Four Quads", "Four Kongs", "Four Quartets", "Four Kans"),
         others=("Four Gongs",), spelt=("スーカンツ",)),
    Yaku(52, "dora", "dora", "ドラ", DORA, (1, 1),
         meaning="A tile that an indicator points to; no yaku",
         names=("Dora", "Dora", "Dora", "Dora", "Dora"), others=("Lucky Dragons",),
         spelt=("表ドラ", "宝牌")),
    Yaku(53, "ura dora", "ura dora", "裏ドラ", DORA, (1, 0),
         meaning="A tile that an indicator under another points to, after riichi; no yaku",
         names=("Ura Dora", "Underside Dora", "Underside Dora", "Ura-dora", "Under Dora"),
         spelt=("里宝牌", "裡宝牌")),
    Yaku(54, "aka dora", "red five", "赤ドラ", DORA, (1, 1),
         meaning="A red five; no yaku", names=("Red Five", "Red Five", "Red Dora"), others=("Akapai",),
         spelt=("赤", "赤牌", "紅宝牌")),
    Yaku(64, "open riichi", "open riichi", "オープン立直", LOCAL, _local("open_riichi_han", open_hand=False),
         situation(Situation.OPEN_RIICHI) & ~situation(Situation.DOUBLE_RIICHI),
         special=(Situation.FED_RIICHI, _fed_riichi),
         meaning="Riichi with the hand shown", example=f"{YAKUHAI} --open-riichi --set open_riichi_han=2",
         others=("Open Reach",), spelt=("開立直", "オープンリーチ")),
    Yaku(65, "double open riichi", "double open riichi", "両オープン立直", LOCAL,
         lambda rules: (_double_open_riichi(rules), 0),
         situation(Situation.OPEN_RIICHI) & situation(Situation.DOUBLE_RIICHI),
         special=(Situation.FED_RIICHI, _fed_riichi),
         meaning="Open riichi in the first turn",
         example=f"{YAKUHAI} --open-riichi --double-riichi --set open_riichi_han=2"),
    *map(_local_row, LOCAL_YAKU),
    Yaku(73, "kita", "north or flower set aside", "抜きドラ", DORA, (1, 1),
         meaning="A north or a flower that a player of three set aside; no yaku",
         others=("North Dora", "Pei"), spelt=("北ドラ", "キタ", "抜北宝牌")),
)
# fmt: on

YAKU = MappingProxyType({yaku.id: yaku for yaku in _ROWS})
"""Every yaku that paifu knows by id, in the table's order."""
ROMAJI = MappingProxyType({yaku.romaji: yaku.id for yaku in YAKU.values()})
"""What data calls each of them -> its id."""


class ReplacesError(ValueError):
    """A yaku of a ruleset's own has a name that is taken, or replaces what there is not."""


def yaku_of(rules: Ruleset) -> Mapping[int, Yaku]:
    """Return every yaku under a ruleset by id, those of its own last: greater ones after lesser ones.

    The ids of a ruleset's own yaku follow the order of their keys. Raises ReplacesError.
    """
    return _with_own(rules.local.yaku) if rules.local.yaku else YAKU


@lru_cache(maxsize=64)
def _with_own(table: OwnYakuTable) -> Mapping[int, Yaku]:
    own = {yaku.romaji: number for number, yaku in zip(OWN_IDS, table, strict=False)}
    if len(table) > len(OWN_IDS):
        text = _("a ruleset has {most} yaku of its own at most, not {count}")
        raise ReplacesError(text.format(most=len(OWN_IDS), count=len(table)))
    for name in own:
        if name in ROMAJI:
            why = _("yaku.{key}: paifu has a yaku of this name").format(key=name.replace(" ", "_"))
            raise ReplacesError(why)
    replaceable = {name: number for name, number in ROMAJI.items() if YAKU[number].kind is not DORA}
    rows = {yaku.romaji: _own_row(yaku, replaceable | own) for yaku in table}
    ordered: dict[int, Yaku] = {}
    for name in rows:
        for row in _lesser_first(rows, name, ()):
            ordered.setdefault(row.id, row)
    return MappingProxyType(YAKU | ordered)


def _own_row(yaku: OwnYaku, ids: Mapping[str, int]) -> Yaku:
    from paifu.replay.rules.written_conditions import read_condition  # few rulesets define yaku

    replaced = [name.replace("_", " ") for name in yaku.replaces]
    for name in replaced:
        if name not in ids:
            text = _("yaku.{key}.replaces: there is no yaku {name}{hint}")
            hint = suggestion(name, ids)
            raise ReplacesError(text.format(key=yaku.key, name=repr(name), hint=hint))
    return Yaku(
        ids[yaku.romaji], yaku.romaji, yaku.name or yaku.romaji, yaku.ja or yaku.name or yaku.romaji, LOCAL,
        yaku.han, read_condition(yaku.when), meaning=one_line(yaku.meaning or yaku.when),
        replaces=tuple(ids[name] for name in replaced), limit=lambda _rules: yaku.limit, own=yaku,
    )  # fmt: skip


def _lesser_first(rows: Mapping[str, Yaku], name: str, above: tuple[str, ...]) -> Iterator[Yaku]:
    """Yield a yaku after those that it replaces. Raises ReplacesError where they go round in a circle."""
    if name in above:
        text = _("yaku.{key}.replaces: it replaces itself, by others or at once")
        raise ReplacesError(text.format(key=name.replace(" ", "_")))
    for number in rows[name].replaces:
        if number in OWN_IDS:
            lesser = next(other for other, row in rows.items() if row.id == number)
            yield from _lesser_first(rows, lesser, (*above, name))
    yield rows[name]


@lru_cache(maxsize=4096)
def yaku_ids(low: int, local: int) -> tuple[int, ...]:
    """Return the ids of two masks in the table's order: bit i of ``low`` for i, of ``local`` for 64 + i."""
    return tuple(sorted(bits_of(low | local << layout.LOCAL_IDS), key=_PLACES.__getitem__))


_PLACES = {number: place for place, number in enumerate((*YAKU, *OWN_IDS))}


IPPATSU_ID, DORA_ID, URA_DORA_ID, RED_DORA_ID, KITA_ID = 2, 52, 53, 54, 73
