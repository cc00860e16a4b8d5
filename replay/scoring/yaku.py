"""The yaku table: every yaku of the supported rules is one row of data with one condition.

Conditions are written over the facts of :mod:`paifu.replay.rules.hand_facts`. A new yaku is one new row and
compiles nothing; local yaku, whose rows bring their rule along, have a table of their own
(:mod:`paifu.replay.rules.local_yaku`).

Rules enter in two places of a row: ``han`` may ask the ruleset what the yaku is worth, and ``under`` may
add to the condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

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
from paifu.replay.rules.local_yaku import LOCAL_YAKU, OWN_IDS, LocalYaku
from paifu.replay.rules.own_yaku import OwnYaku, OwnYakuTable
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rules.written_values import suggestion
from paifu.replay.scoring.limits import limit_of_han
from paifu.replay.shapes.shanten import bits_of

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
    under: Callable[[Ruleset], YakuCondition] = _always
    """What some rulesets demand besides."""
    replaces: tuple[int, ...] = ()
    """Ids of lesser yaku, earlier in the table, that do not count beside this one."""
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


def _winds(first: int, name: str, english: str, japanese: str, mine: tuple[YakuCondition, ...]) -> list[Yaku]:
    """Four rows: the triplet of each wind, when it is this player's seat wind or the round's."""
    winds = zip(range(4), ("East", "South", "West", "North"), "東南西北", strict=True)
    return [
        Yaku(first + i, f"{name} {wind.lower()}", f"{english} {wind}", japanese + sign, SHAPE, (1, 1),
             triplet(27 + i), under=_whose(mine[i], for_all=name == "jikaze" and wind == "North"))
        for i, wind, sign in winds
    ]  # fmt: skip


def _whose(mine: YakuCondition, *, for_all: bool) -> Callable[[Ruleset], YakuCondition]:
    """Whom a wind belongs to: where the rules say so, north is everybody's (``for_all``)."""
    return lambda rules: ALWAYS if for_all and rules.calls.north_yakuhai else mine


def _local_row(yaku: LocalYaku) -> Yaku:
    return Yaku(
        yaku.id, yaku.romaji, yaku.english, yaku.japanese or yaku.english, LOCAL,
        _local(yaku.rule, yaku.open_hand), yaku.condition, _DEMANDS.get(yaku.id, _always), yaku.replaces,
        _limit(yaku.rule) if yaku.alone else _no_limit,
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
    Yaku(0, "menzen tsumo", "fully concealed draw", "門前清自摸和", S, (1, 0), TSUMO),
    Yaku(1, "riichi", "riichi", "立直", S, (1, 0),
         situation(Situation.RIICHI) & ~situation(Situation.DOUBLE_RIICHI) & NOT_OPEN),
    Yaku(2, "ippatsu", "one shot", "一発", S, _ippatsu,
         situation(Situation.IPPATSU)),
    Yaku(3, "chankan", "robbing a kan", "槍槓", S, (1, 1), situation(Situation.CHANKAN)),
    Yaku(4, "rinshan kaihou", "after a kan", "嶺上開花", S, (1, 1), situation(Situation.RINSHAN),
         special=(Situation.FED_KAN, _fed_kan)),
    Yaku(5, "haitei", "last tile of the wall", "海底摸月", S, (1, 1), situation(Situation.HAITEI)),
    Yaku(6, "houtei", "last discard", "河底撈魚", S, (1, 1), situation(Situation.HOUTEI)),
    Yaku(7, "pinfu", "all runs, no fu", "平和", SHAPE, (1, 0), ALL_RUNS & RYANMEN & ~VALUE_PAIR,
         under=lambda rules: ALWAYS if rules.scoring.pinfu_tsumo else ~TSUMO),
    Yaku(8, "tanyao", "all simples", "断幺九", SHAPE, lambda rules: (1, int(rules.win.kuitan)),
         h.SIMPLES),
    Yaku(9, "iipeikou", "twin runs", "一盃口", SHAPE, (1, 0), ONE_TWIN),
    *_winds(10, "jikaze", "seat wind", "自風", SEAT_WIND),
    *_winds(14, "bakaze", "round wind", "場風", ROUND_WIND),
    Yaku(18, "haku", "white dragon", "白", SHAPE, (1, 1), triplet(HAKU)),
    Yaku(19, "hatsu", "green dragon", "發", SHAPE, (1, 1), triplet(HATSU)),
    Yaku(20, "chun", "red dragon", "中", SHAPE, (1, 1), triplet(CHUN)),
    Yaku(21, "double riichi", "double riichi", "両立直", S, (2, 0),
         situation(Situation.DOUBLE_RIICHI) & NOT_OPEN),
    Yaku(22, "chiitoitsu", "seven pairs", "七対子", SHAPE, lambda rules: (rules.scoring.chiitoitsu_han, 0),
         SEVEN_PAIRS),
    Yaku(23, "chanta", "terminal or honour in each group", "混全帯幺九", SHAPE, (2, 1),
         h.OUTSIDE & HAS_HONOUR),
    Yaku(24, "ittsuu", "straight", "一気通貫", SHAPE, (2, 1),
         h.STRAIGHT),
    Yaku(25, "sanshoku doujun", "three-colour runs", "三色同順", SHAPE, (2, 1),
         h.SIMILAR_RUNS),
    Yaku(26, "sanshoku doukou", "three-colour triplets", "三色同刻", SHAPE, (2, 2),
         h.SIMILAR_TRIPLETS),
    Yaku(27, "sankantsu", "three kans", "三槓子", SHAPE, (2, 2), THREE_KANS),
    Yaku(28, "toitoi", "all triplets", "対々和", SHAPE, (2, 2), h.ALL_TRIPLETS),
    Yaku(29, "sanankou", "three concealed triplets", "三暗刻", SHAPE, (2, 2), THREE_CONCEALED),
    Yaku(30, "shousangen", "little three dragons", "小三元", SHAPE, (2, 2),
         h.LITTLE_DRAGONS),
    Yaku(31, "honroutou", "terminals and honours", "混老頭", SHAPE, (2, 2),
         h.MIXED_TERMINALS),
    Yaku(32, "ryanpeikou", "two twin runs", "二盃口", SHAPE, lambda rules: (rules.scoring.ryanpeikou_han, 0),
         TWO_TWINS),
    Yaku(33, "junchan", "terminal in each group", "純全帯幺九", SHAPE, (3, 2), h.OUTSIDE & ~HAS_HONOUR),
    Yaku(34, "honitsu", "half flush", "混一色", SHAPE, (3, 2),
         h.HALF_FLUSH),
    Yaku(35, "chinitsu", "full flush", "清一色", SHAPE, (6, 5),
         h.ONE_SUIT),
    Yaku(36, "renhou", "hand of man", "人和", S,
         lambda rules: (_RENHOU_HAN[rules.scoring.renhou], 0),
         situation(Situation.RENHOU), limit=lambda rules: _RENHOU_LIMITS.get(rules.scoring.renhou, 0)),
    Yaku(37, "tenhou", "hand of heaven", "天和", LIMIT, _CLOSED_ONLY, situation(Situation.TENHOU)),
    Yaku(38, "chiihou", "hand of earth", "地和", LIMIT, _CLOSED_ONLY, situation(Situation.CHIIHOU)),
    Yaku(39, "daisangen", "big three dragons", "大三元", LIMIT, _SINGLE,
         h.BIG_DRAGONS),
    Yaku(40, "suuankou", "four concealed triplets", "四暗刻", LIMIT, _CLOSED_ONLY, FOUR_CONCEALED & ~TANKI),
    Yaku(41, "suuankou tanki", "four concealed triplets on a pair wait", "四暗刻単騎", LIMIT,
         _double("double_suuankou_tanki"), FOUR_CONCEALED & TANKI),
    Yaku(42, "tsuuiisou", "all honours", "字一色", LIMIT, _SINGLE, h.ALL_HONOURS),
    Yaku(43, "ryuuiisou", "all green", "緑一色", LIMIT, _SINGLE, h.ALL_GREEN,
         under=lambda rules: held(HATSU) if rules.yakuman.ryuuiisou_needs_hatsu else ALWAYS),
    Yaku(44, "chinroutou", "all terminals", "清老頭", LIMIT, _SINGLE, h.ALL_TERMINALS & STANDARD),
    Yaku(45, "chuuren poutou", "nine gates", "九蓮宝燈", LIMIT, _CLOSED_ONLY, h.NINE_GATES & ~WIN_EVEN),
    Yaku(46, "junsei chuuren poutou", "nine gates on nine waits", "純正九蓮宝燈", LIMIT,
         _double("double_junsei_chuuren"), h.NINE_GATES & WIN_EVEN),
    Yaku(47, "kokushi musou", "thirteen orphans", "国士無双", LIMIT, _CLOSED_ONLY, ORPHANS & ~WIN_EVEN),
    Yaku(48, "kokushi musou 13", "thirteen orphans on thirteen waits", "国士無双十三面", LIMIT,
         _double("double_kokushi_13"), ORPHANS & WIN_EVEN),
    Yaku(49, "daisuushii", "big four winds", "大四喜", LIMIT, _double("double_daisuushii"),
         h.BIG_WINDS),
    Yaku(50, "shousuushii", "little four winds", "小四喜", LIMIT, _SINGLE,
         h.LITTLE_WINDS),
    Yaku(51, "suukantsu", "four kans", "四槓子", LIMIT, _SINGLE, FOUR_KANS, without_pair=True),
    Yaku(52, "dora", "dora", "ドラ", DORA, (1, 1)),
    Yaku(53, "ura dora", "ura dora", "裏ドラ", DORA, (1, 0)),
    Yaku(54, "aka dora", "red five", "赤ドラ", DORA, (1, 1)),
    Yaku(64, "open riichi", "open riichi", "オープン立直", LOCAL, _local("open_riichi_han", open_hand=False),
         situation(Situation.OPEN_RIICHI) & ~situation(Situation.DOUBLE_RIICHI),
         special=(Situation.FED_RIICHI, _fed_riichi)),
    Yaku(65, "double open riichi", "double open riichi", "両オープン立直", LOCAL,
         lambda rules: (_double_open_riichi(rules), 0),
         situation(Situation.OPEN_RIICHI) & situation(Situation.DOUBLE_RIICHI),
         special=(Situation.FED_RIICHI, _fed_riichi)),
    *map(_local_row, LOCAL_YAKU),
    Yaku(73, "kita", "north or flower set aside", "抜きドラ", DORA, (1, 1)),
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
    replaced = [name.replace("_", " ") for name in yaku.replaces]
    for name in replaced:
        if name not in ids:
            text = _("yaku.{key}.replaces: there is no yaku {name}{hint}")
            hint = suggestion(name, ids)
            raise ReplacesError(text.format(key=yaku.key, name=repr(name), hint=hint))
    return Yaku(
        ids[yaku.romaji], yaku.romaji, yaku.name or yaku.romaji, yaku.ja or yaku.name or yaku.romaji, LOCAL,
        yaku.han, yaku.condition, replaces=tuple(ids[name] for name in replaced),
        limit=lambda _rules: yaku.limit, own=yaku,
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


COUNTED_REPLACES = MappingProxyType(
    {
        39: (18, 19, 20, 30),
        40: (28,),
        41: (28,),
        42: (28, 31),
        43: (34,),
        44: (28,),
        45: (35,),
        46: (35,),
        49: (28,),
        51: (28,),
        70: (7, 8, 22, 32, 35),
    }
)
"""Yakuman id -> ids of lesser yaku that are part of it, where yakuman count as 13 han beside others."""


def yaku_ids(low: int, local: int) -> tuple[int, ...]:
    """Return the ids of two masks in the table's order: bit i of ``low`` for i, of ``local`` for 64 + i."""
    return tuple(sorted(bits_of(low | local << layout.LOCAL_IDS), key=_PLACES.__getitem__))


_PLACES = {number: place for place, number in enumerate((*YAKU, *OWN_IDS))}


@dataclass(frozen=True, slots=True)
class Pao:
    """When the player who feeds the last meld of a yakuman is liable for it."""

    rule: str
    """The field of the ruleset that switches it on."""
    melds: int
    """How many melds settle the yakuman, closed kans included."""
    kinds: frozenset[int] = frozenset(range(34))
    """What these melds are made of."""
    kans: bool = False
    """They are kans, the last of them open."""


PAO = MappingProxyType(
    {
        39: Pao("pao_daisangen", 3, frozenset(DRAGON_KINDS)),
        42: Pao("pao_tsuuiisou", 4, frozenset(HONOUR_KINDS)),
        43: Pao("pao_ryuuiisou", 4, frozenset(GREEN_KINDS)),
        44: Pao("pao_chinroutou", 4, frozenset(TERMINAL_KINDS)),
        49: Pao("pao_daisuushii", 4, frozenset(WIND_KINDS)),
        51: Pao("pao_suukantsu", 4, kans=True),
    }
)
"""Yakuman id -> what makes the one who feeds its last meld liable."""

IPPATSU_ID, DORA_ID, URA_DORA_ID, RED_DORA_ID, KITA_ID = 2, 52, 53, 54, 73
