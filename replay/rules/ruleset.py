"""Rulesets as data: every dimension in which the supported rules of mahjong differ.

A :class:`Ruleset` is a flat, frozen record of plain values; nothing in the engine asks for a ruleset's
name. A field carries its section, its meaning and its bounds as metadata (:data:`FIELDS`), and these drive
validation, the command line and the documentation. Default values stand in the presets (``presets/*.toml``),
of which ``tenhou`` gives every field of riichi (see ``rule_presets``), but for the rules that come with local
yaku (:mod:`paifu.replay.scoring.local_yaku`): these are not played where nothing is said.

The field ``scheme`` says how hands are scored, and with it which other fields a ruleset has
(:func:`fields_of`). Fields of other schemes are neither written nor shown; they hold
:attr:`RuleField.elsewhere`, which means "not played".

Units: points are table points (25000, not 25.0); han of 13 in a yaku field means yakuman; seats are not
named here. Kernels get :meth:`Ruleset.kernel`, integers for the fields that they need.
"""
# ruff: noqa: RUF009 - _rule makes a dataclass field, which ruff does not see

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_type_hints

from paifu.replay.kernels.rules import KernelRules
from paifu.replay.model.tiles import IDS, JOKER_IDS, SANMA_ABSENT_KINDS
from paifu.replay.scoring.local_yaku import LOCAL_YAKU

PatternValue = bool | int | str
"""What a pattern is worth: see :class:`PatternValues`."""

RuleValue = bool | int | str | list[int] | list[list[int]] | dict[str, PatternValue]
"""A value as TOML and JSON write it: an enum is its lower-case name."""

YAKUMAN_HAN = 13
"""In a field that gives a yaku's han: the yaku is a yakuman."""


class Scheme(IntEnum):
    """How a hand becomes a value.

    HAN_FU: riichi's yaku, fu and limits. SERIES: points add up, in each series only the dearest pattern's.
    FAAN: faan add up and a table turns them into points. CLASSICAL: points for sets, doubled by patterns,
    and the losers settle among themselves. CARD: the hand is one of the lines of a card.
    """

    HAN_FU = 0
    SERIES = 1
    FAAN = 2
    CLASSICAL = 3
    CARD = 4


class PatternValues(tuple[tuple[str, PatternValue], ...]):
    """Values of patterns that differ from the scheme's table, by pattern id, in order.

    A number counts in the scheme's unit and 0 switches the pattern off; ``limit`` and ``half_limit`` are a
    limit or half of it; ``True`` is what the table suggests, ``False`` the same as 0.
    """

    __slots__ = ()


class BonusTiles(IntEnum):
    """Flowers and seasons: not in the set, set aside for a replacement, or kept in hand like other tiles."""

    NONE = 0
    SET_ASIDE = 1
    IN_HAND = 2


class GongShows(IntEnum):
    """Tiles of a concealed gong that the others see: all four, two, or none."""

    ALL = 0
    TWO = 1
    NOTHING = 2


class SevenPairs(IntEnum):
    """Seven pairs: no win, only with seven different pairs, or four equal tiles may be two of them."""

    NONE = 0
    DISTINCT = 1
    IDENTICAL = 2


class DiscardWin(IntEnum):
    """What a discard must complete to win: anything, or a pung."""

    ANY = 0
    PUNG = 1


class ReplacementWin(IntEnum):
    """Replacement tiles that earn the pattern for winning on one: a gong's, or a bonus tile's as well."""

    GONG = 0
    GONG_OR_BONUS = 1


class Bystander(IntEnum):
    """What those pay who did not discard the winning tile: nothing, the value, or at most ``par`` of it."""

    NONE = 0
    VALUE = 1
    PAR = 2


class Immunity(IntEnum):
    """Whose discard a win is charged to.

    OFF: the one won on. SAME_TILE: the first of the same kind since the winner's own last discard, that one
    included; if it is the winner's, nobody is charged. ANY_WAIT: likewise, of any kind that would have won.
    """

    OFF = 0
    SAME_TILE = 1
    ANY_WAIT = 2


class Card(IntEnum):
    """The card whose lines win: the four hands of 2013 that are public, or one made up for practice."""

    HANDS_2013 = 0
    PRACTICE = 1


TABLE_SCHEMES = (Scheme.SERIES, Scheme.FAAN, Scheme.CLASSICAL)
"""Schemes whose hands are sets and a pair, scored by a table of patterns."""
OTHER_SCHEMES = (*TABLE_SCHEMES, Scheme.CARD)
PLAYED_SCHEMES = (Scheme.HAN_FU, *TABLE_SCHEMES)
"""Schemes whose games are replayed and simulated."""
_RIICHI = (Scheme.HAN_FU,)
_SECTION_SCHEMES = {
    **dict.fromkeys(("dora", "riichi", "scoring", "yakuman", "local", "pao", "payment", "draw"), _RIICHI),
    **dict.fromkeys(("tiles", "shares"), OTHER_SCHEMES),
    "hand": TABLE_SCHEMES,
    "series": (Scheme.SERIES,),
    "faan": (Scheme.FAAN,),
    "limits": (Scheme.FAAN, Scheme.CLASSICAL),
    "classical": (Scheme.CLASSICAL,),
    "card": (Scheme.CARD,),
}
"""Section -> the schemes that have its fields; a section that is not here belongs to all."""


class Kuikae(IntEnum):
    """What may not be discarded right after a call: nothing, the tile called, or the other end as well."""

    ALLOWED = 0
    SAME_TILE = 1
    FORBIDDEN = 2


class KanDoraTiming(IntEnum):
    """When a kan's dora indicator is turned.

    AT_ONCE: with the kan, always. BEFORE_DISCARD: a closed kan's at once; an open or added kan's after the
    supplement draw, just before the discard (or at the next kan), so a rinshan win has none and a ron on
    that discard has it. AFTER_DISCARD: a closed kan's at once; the others' when the discard has passed.
    ALL_AFTER_DISCARD: every kan's when the discard has passed.
    """

    AT_ONCE = 0
    BEFORE_DISCARD = 1
    AFTER_DISCARD = 2
    ALL_AFTER_DISCARD = 3


class RiichiKan(IntEnum):
    """Whether a closed kan is legal under riichi, always with the tile just drawn.

    FORBIDDEN: never. SAME_WAITS: when the waits stay the same. SAME_SHAPE: when besides, in every reading
    of every winning hand, the three tiles form a triplet.
    """

    FORBIDDEN = 0
    SAME_WAITS = 1
    SAME_SHAPE = 2


class TemporaryFuriten(IntEnum):
    """When temporary furiten ends: at the player's own next draw (or call), or at their next discard."""

    UNTIL_DRAW = 0
    UNTIL_DISCARD = 1


class OwnFourWait(IntEnum):
    """Whether a hand is tenpai that waits only for tiles of which the player has all four.

    TENPAI: always. NOTEN_IN_HAND: not when all four are concealed in the hand; tiles in own melds do not
    count. NOTEN: not when the hand and its melds together hold all four.
    """

    TENPAI = 0
    NOTEN_IN_HAND = 1
    NOTEN = 2


class Kazoe(IntEnum):
    """What a hand of 13 han or more without a yakuman is worth."""

    SANBAIMAN = 0
    YAKUMAN = 1


class Renhou(IntEnum):
    """Ron in the first uninterrupted go-around, before their first draw.

    MANGAN: the hand is worth mangan, or its other yaku and dora when those are worth more.
    """

    NONE = 0
    MANGAN = 1
    YAKUMAN = 2


class Nagashi(IntEnum):
    """Nagashi mangan: unknown, paid while the hand counts as a draw, or a win with sticks and honba."""

    NONE = 0
    DRAW = 1
    WIN = 2


class PaoCovers(IntEnum):
    """What the liable player of a hand with several yakuman answers for: only the one fed, or everything."""

    OWN = 0
    ALL = 1


class PaoHonba(IntEnum):
    """Who pays the honba when a liable player and a discarder share a ron."""

    LIABLE = 0
    DISCARDER = 1


class SanmaTsumo(IntEnum):
    """The missing fourth player's share of a tsumo: lost, or split between the two payers."""

    LOSS = 0
    SPLIT = 1


class PaoTsumo(IntEnum):
    """What a liable player pays for a tsumo: the sum of all shares, or as much as for a ron.

    The two are the same for a yakuman among four players. With three, the sum of the shares may lack that of
    the missing player.
    """

    SHARES = 0
    RON = 1


class MultiRonSticks(IntEnum):
    """Who takes riichi sticks when several win one discard.

    FIRST: all go to the winner next after the discarder. OWN_FIRST: a winner takes back the own stick of
    this hand, the rest go to the winner next after the discarder.
    """

    FIRST = 0
    OWN_FIRST = 1


class MultiRonHonba(IntEnum):
    """Who is paid the honba when several win one discard: the one next after the discarder, or each."""

    FIRST = 0
    EACH = 1


class Tobi(IntEnum):
    """Whether a player without points ends the game: never, below zero, or at zero and below."""

    OFF = 0
    BELOW_ZERO = 1
    AT_ZERO = 2


class SticksLeft(IntEnum):
    """Riichi sticks still on the table when the game ends: to the first place, or nobody's."""

    FIRST = 0
    LOST = 1


class TieBreak(IntEnum):
    """Equal points at the end: the earlier first seat is placed higher, or the places' uma is shared."""

    SEAT = 0
    SHARE = 1


class Rounding(IntEnum):
    """How the final points are rounded.

    EXACT: not at all. NEAREST: table points to the nearest thousand, 500 away from zero, for all but the
    first, who takes the remainder.
    """

    EXACT = 0
    NEAREST = 1


class Chombo(IntEnum):
    """The penalty for a foul: a reversed mangan, or points off the final result."""

    MANGAN = 0
    FINAL_POINTS = 1


SECTIONS = MappingProxyType(
    {
        "game": "The game",
        "table": "The table",
        "tiles": "Tiles and walls",
        "calls": "Calls",
        "dora": "Dora",
        "riichi": "Riichi",
        "win": "Winning",
        "hand": "Winning hands and patterns",
        "series": "Points by series",
        "faan": "Faan",
        "limits": "Limit hands",
        "classical": "Points and doubles",
        "card": "The card",
        "scoring": "Yaku, fu and limits",
        "yakuman": "Yakuman",
        "local": "Local yaku",
        "pao": "Liability (pao)",
        "payment": "Payments",
        "shares": "Payments by shares of the value",
        "draw": "Draws",
        "progress": "The course of the game",
        "final": "Final points and penalties",
    }
)
"""Section -> title, in order."""


def _rule(
    section: str,
    doc: str,
    low: int = 0,
    high: int = 1_000_000,
    *,
    only: tuple[Scheme, ...] = (),
    elsewhere: Any = None,
    default: Any = None,
) -> Any:
    """A field with its section, its meaning and (for integers) its bounds.

    ``only`` names the schemes that have it, if not all of its section; ``elsewhere`` is its value in
    rulesets of other schemes, if not the least one. ``default`` is its value where a preset does not give it.
    """
    schemes = only or _SECTION_SCHEMES.get(section, tuple(Scheme))
    metadata = {"section": section, "doc": doc, "low": low, "high": high, "schemes": schemes}
    return dataclasses.field(metadata={**metadata, "elsewhere": elsewhere, "default": default})


if TYPE_CHECKING:

    class _LocalYaku:
        """A rule for each local yaku."""

else:
    _LocalYaku = dataclasses.make_dataclass(
        "_LocalYaku",
        [(yaku.rule, int, _rule("local", yaku.meaning, 0, YAKUMAN_HAN, default=0)) for yaku in LOCAL_YAKU],
        frozen=True,
        slots=True,
        kw_only=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(_LocalYaku):
    """One complete set of rules. Equal when all rules are equal; name, summary and sources do not count."""

    name: str = dataclasses.field(compare=False)
    summary: str = dataclasses.field(compare=False)
    sources: dict[str, str] = dataclasses.field(compare=False, repr=False, default_factory=dict)
    """Rule -> where its value comes from, in words; ``[mark]`` -> what a mark in these words stands for."""

    # The game
    scheme: Scheme = _rule("game", "How a hand becomes a value")

    # The table
    players: int = _rule("table", "Players; three play without man 2-8", 3, 4)
    wind_rounds: int = _rule("table", "Wind rounds that are always scheduled: 1 east, 2 east and south", 1, 4)
    max_wind_rounds: int = _rule("table", "Wind rounds at most; more than scheduled means overtime", 1, 4)
    start_points: int = _rule("table", "Points each player starts with")
    red_man: int = _rule("table", "Red fives among the characters", 0, 4, only=_RIICHI)
    red_pin: int = _rule("table", "Red fives among the dots", 0, 4, only=_RIICHI)
    red_sou: int = _rule("table", "Red fives among the bamboos", 0, 4, only=_RIICHI)

    round_wind: bool = _rule("table", "There is a round wind", only=TABLE_SCHEMES, elsewhere=True)

    # Tiles and walls
    bonus_tiles: BonusTiles = _rule("tiles", "Flowers and seasons")
    jokers: int = _rule("tiles", "Jokers in the set", 0, 8)
    dead_wall: int = _rule("tiles", "Tiles at the end of the wall that are never drawn", 0, 40, elsewhere=14)
    dealer_tiles: int = _rule("tiles", "Tiles dealt to the dealer; with 13 the first draw follows", 13, 14)

    # Calls
    chi: bool = _rule("calls", "Chi may be called")
    kita: bool = _rule(
        "calls", "North is set aside as kita: a dora each, with a supplement draw", only=_RIICHI
    )
    kuikae: Kuikae = _rule("calls", "What may not be discarded right after a call")

    concealed_gongs: bool = _rule(
        "calls", "A concealed gong may be declared", only=OTHER_SCHEMES, elsewhere=True
    )
    first_gongs: bool = _rule(
        "calls",
        "Concealed gongs may be declared while the first bonus tiles are replaced",
        only=TABLE_SCHEMES,
    )
    gong_after_claim: bool = _rule(
        "calls", "A gong may be declared right after a chow or pung", only=TABLE_SCHEMES
    )
    largest_exposure: int = _rule(
        "calls", "Equal tiles that one exposure may hold at most", 3, 6, only=OTHER_SCHEMES, elsewhere=4
    )
    concealed_gong_shows: GongShows = _rule(
        "calls", "Tiles of a concealed gong that the others see", only=(Scheme.FAAN,), elsewhere=GongShows.TWO
    )

    # Dora
    dora: bool = _rule("dora", "The first indicator counts")
    kan_dora: bool = _rule("dora", "Every kan turns one more indicator")
    ura_dora: bool = _rule("dora", "A riichi winner also counts the tile under the first indicator")
    kan_ura_dora: bool = _rule("dora", "A riichi winner also counts the tiles under the kan indicators")
    kan_dora_timing: KanDoraTiming = _rule("dora", "When a kan's indicator is turned")

    # Riichi
    riichi_stick: int = _rule("riichi", "Points put down for riichi; the value of a stick")
    riichi_points: int = _rule("riichi", "Points a player must hold to declare riichi")
    riichi_wall: int = _rule("riichi", "Tiles that must be left in the live wall to declare riichi", 0, 70)
    riichi_kan: RiichiKan = _rule("riichi", "Closed kan under riichi")
    ippatsu: bool = _rule("riichi", "Ippatsu counts")
    open_riichi_han: int = _rule(
        "riichi", "Han of a riichi declared with the hand shown, in riichi's place; 0: not allowed", 0, 13
    )

    # Winning
    kuitan: bool = _rule("win", "Tanyao counts with an open hand", only=_RIICHI)
    min_han: int = _rule("win", "Han (dora not counted) a win needs", 1, 13, only=_RIICHI)
    two_han_from_honba: int = _rule(
        "win", "Honba from which a win needs two han (dora not counted); 0: never", 0, 99, only=_RIICHI
    )
    head_bump: bool = _rule("win", "Of several who claim ron only the one next after the discarder wins")
    kokushi_ankan_ron: bool = _rule("win", "Thirteen orphans may rob a closed kan", only=_RIICHI)
    temporary_furiten: TemporaryFuriten = _rule("win", "When temporary furiten ends", only=_RIICHI)
    own_four_wait: OwnFourWait = _rule(
        "win", "A hand that waits only for tiles it holds all four of", only=_RIICHI
    )

    # Winning hands and their patterns
    seven_pairs: SevenPairs = _rule("hand", "Seven pairs as a winning hand")
    thirteen_orphans: bool = _rule("hand", "Thirteen orphans as a winning hand")
    minimum: int = _rule("hand", "Value (points or faan) that a win needs", 0, 1000)
    patterns: PatternValues = _rule("hand", "Values of patterns that differ from the table's, by id")

    # Points that add up, series by series
    chicken_value: int = _rule("series", "Points of a winning hand without a pattern")
    sum_limit: int = _rule("series", "What added points count at most")
    listed_limit: int = _rule("series", "Points from which a pattern counts alone")
    immunity: Immunity = _rule("series", "Whose discard a win is charged to")

    # Faan
    faan_table: tuple[tuple[int, ...], ...] = _rule("faan", "Rows of faan and base points from there on")
    limits_add: bool = _rule("faan", "Several limit hands at once add up")
    replacement_win: ReplacementWin = _rule("faan", "What counts as winning on a replacement tile")
    liability: bool = _rule("faan", "Who feeds the deciding open meld of a great hand answers for it")
    fed_gong_pays: bool = _rule("faan", "Who feeds an open gong pays for the win on its replacement tile")

    # Limit hands
    limit_hands: bool = _rule("limits", "There are limit hands")
    limit: int = _rule("limits", "Points of a limit hand")

    # Points and doubles
    discard_win: DiscardWin = _rule("classical", "What a discard must complete to win")
    cap_losers: bool = _rule("classical", "The limit holds for losers' scores, too")
    losers_settle: bool = _rule("classical", "Losers pay each other for their hands")

    # Card
    card: Card = _rule("card", "The card whose lines win")
    jokerless_factor: int = _rule("card", "What a hand without jokers is multiplied by", 1, 10)
    bettor: bool = _rule("card", "A fifth player bets on each hand")
    dead_hand_points: int = _rule("card", "Points for a disputed dead hand, and for a right bet on a draw")

    # Yaku and fu
    kiriage: bool = _rule("scoring", "4 han 30 fu and 3 han 60 fu are rounded up to mangan")
    kazoe: Kazoe = _rule("scoring", "What 13 han or more without a yakuman are worth")
    double_wind_pair_fu: int = _rule("scoring", "Fu of a pair that is both seat and round wind", 2, 4)
    pinfu_tsumo: bool = _rule("scoring", "Pinfu stands with tsumo (20 fu); else tsumo's 2 fu undo it")
    rinshan_tsumo_fu: bool = _rule("scoring", "A win on a supplement tile gets the 2 fu of tsumo")
    chiitoitsu_han: int = _rule("scoring", "Han of seven pairs", 1, 4)
    chiitoitsu_fu: int = _rule("scoring", "Fu of seven pairs, not rounded", 20, 110)
    chiitoitsu_identical_pairs: bool = _rule("scoring", "Four equal tiles are two pairs of seven pairs")
    ryanpeikou_han: int = _rule("scoring", "Han of ryanpeikou", 2, 4)
    renhou: Renhou = _rule("scoring", "What renhou is worth")
    chiihou_ron: bool = _rule("scoring", "Ron on the dealer's first discard is chiihou (and not renhou)")

    # Yakuman
    yakuman_stacking: bool = _rule("yakuman", "Several yakuman in one hand add up")
    double_suuankou_tanki: bool = _rule("yakuman", "Four concealed triplets on a pair wait count twice")
    double_kokushi_13: bool = _rule("yakuman", "Thirteen orphans on thirteen waits count twice")
    double_junsei_chuuren: bool = _rule("yakuman", "Nine gates on nine waits count twice")
    double_daisuushii: bool = _rule("yakuman", "Four big winds count twice")
    ryuuiisou_needs_hatsu: bool = _rule("yakuman", "All green needs the green dragon")
    suukantsu_needs_pair: bool = _rule("yakuman", "Four kans need a finished hand; else the fourth kan wins")

    # Liability
    pao_daisangen: bool = _rule("pao", "Who feeds the third dragon meld is liable")
    pao_daisuushii: bool = _rule("pao", "Who feeds the fourth wind meld is liable")
    pao_suukantsu: bool = _rule("pao", "Who feeds the fourth kan is liable")
    pao_tsuuiisou: bool = _rule("pao", "Who feeds the fourth meld of all honours is liable")
    pao_chinroutou: bool = _rule("pao", "Who feeds the fourth meld of all terminals is liable")
    pao_ryuuiisou: bool = _rule("pao", "Who feeds the fourth meld of all green is liable")
    pao_rinshan: bool = _rule("pao", "Who feeds an open kan pays alone for the rinshan win on it")
    pao_covers: PaoCovers = _rule("pao", "What the liable player answers for in a hand of several yakuman")
    pao_tsumo: PaoTsumo = _rule("pao", "What a liable player pays for a tsumo")
    pao_honba: PaoHonba = _rule("pao", "Who pays the honba of a ron that a liable player shares")

    # Payments
    honba_each: int = _rule("payment", "Points a honba adds for each player but the winner (ron: from one)")
    multi_ron_sticks: MultiRonSticks = _rule("payment", "Who takes the sticks when several win one discard")
    multi_ron_honba: MultiRonHonba = _rule("payment", "Who is paid honba when several win one discard")
    sanma_tsumo: SanmaTsumo = _rule("payment", "The missing player's share of a tsumo with three players")
    noten_pay_1: int = _rule("payment", "Points each noten player pays at a draw with one tenpai")
    noten_pay_2: int = _rule("payment", "Points each noten player pays at a draw with two tenpai")
    noten_pay_3: int = _rule("payment", "Points the noten player pays at a draw with three tenpai")
    wareme: bool = _rule("payment", "The player at the wall's break pays and is paid double, honba apart")

    # What is paid, in values of the hand
    pay_selfdraw: int = _rule("shares", "What each player pays for a self-drawn win, in values", 0, 10)
    pay_discard_total: int = _rule("shares", "What all pay together for a discard, in values", 0, 10)
    pay_bystander: Bystander = _rule("shares", "What those pay who did not discard the winning tile")
    par: int = _rule("shares", "What a bystander pays at most, where that is limited")
    dealer_factor: int = _rule("shares", "What payments from and to the dealer are multiplied by", 1, 10)
    false_win_points: int = _rule("shares", "Points a false win costs, to each other player")

    # Draws
    nagashi: Nagashi = _rule("draw", "Nagashi mangan at an exhaustive draw")
    abort_kyuushu: bool = _rule("draw", "Nine kinds of terminals and honours in the first turn abort")
    abort_suufon: bool = _rule("draw", "Four equal winds discarded in the first go-around abort")
    abort_suucha: bool = _rule("draw", "The fourth riichi aborts")
    abort_suukaikan: bool = _rule("draw", "Four kans by several players abort")
    abort_fifth_kan: bool = _rule("draw", "A fifth kan, after four by one player, aborts; else it is illegal")
    abort_sanchahou: bool = _rule("draw", "Three ron on one discard abort; else they are all paid")

    # The course of the game
    hands: int = _rule("progress", "Hands in a game; 0: by wind rounds", 0, 64, only=OTHER_SCHEMES)
    agari_renchan: bool = _rule("progress", "The dealer stays after winning")
    draw_renchan: bool = _rule("progress", "The dealer stays after a draw", only=OTHER_SCHEMES)
    keeps_reset_by_draw: bool = _rule(
        "progress", "A draw sets the count of the dealer's keeps back", only=(Scheme.FAAN,)
    )
    tenpai_renchan: bool = _rule(
        "progress", "The dealer stays when tenpai at an exhaustive draw", only=_RIICHI
    )
    abort_renchan: bool = _rule("progress", "The dealer stays after an abortive draw", only=_RIICHI)
    target_points: int = _rule("progress", "Points the leader needs, else overtime; 0: none", only=_RIICHI)
    sudden_death: bool = _rule(
        "progress", "Overtime ends with the hand in which the target is reached", only=_RIICHI
    )
    agari_yame: bool = _rule(
        "progress", "In the last hand a leading dealer's win ends the game", only=_RIICHI
    )
    tenpai_yame: bool = _rule(
        "progress", "In the last hand a leading dealer's tenpai draw ends the game", only=_RIICHI
    )
    tobi: Tobi = _rule("progress", "Whether a player out of points ends the game", only=_RIICHI)
    ceiling_points: int = _rule(
        "progress", "Points that end the game when someone has them; 0: none", only=_RIICHI
    )

    # Final points
    return_points: int = _rule("final", "Points that count as zero; what they exceed the start is oka")
    uma: tuple[int, ...] = _rule("final", "Points added by place, first to last", -1_000_000)
    uma_by_below: tuple[tuple[int, ...], ...] = _rule(
        "final",
        "Uma by how many players are below the start points (0 to all); [] if not used",
        -1_000_000,
    )
    tie_break: TieBreak = _rule("final", "How equal points are placed")
    sticks_left: SticksLeft = _rule("final", "Whose the sticks left at the end are", only=_RIICHI)
    rounding: Rounding = _rule("final", "How final points are rounded")
    yakitori_points: int = _rule(
        "final", "Points each player without a win pays each player with one; 0: none"
    )
    chombo: Chombo = _rule("final", "What a foul costs", only=_RIICHI)
    chombo_points: int = _rule("final", "Points a foul takes off the final result", only=_RIICHI)

    def kernel(self) -> KernelRules:
        """Return the rules as kernels read them: integers only, the same object for equal rulesets."""
        return _kernel_rules(self)

    def values(self) -> dict[str, RuleValue]:
        """Return every field of its scheme, in order, as TOML and JSON would write it."""
        return {name: plain_value(getattr(self, name)) for name in fields_of(self.scheme)}

    @property
    def tile_ids(self) -> tuple[int, ...]:
        """Physical ids in the set: all 136, or 108 without man 2-8 for three players.

        Flowers and seasons, where there are any, are 136-143, jokers follow from 144 on.
        """
        absent = SANMA_ABSENT_KINDS if self.players == 3 else ()
        bonus = range(IDS, JOKER_IDS) if self.bonus_tiles else ()
        jokers = range(JOKER_IDS, JOKER_IDS + self.jokers)
        return (*(tile for tile in range(IDS) if tile // 4 not in absent), *bonus, *jokers)

    @property
    def live_wall(self) -> int:
        """Tiles drawn from the live wall in a hand, replacement draws included: 70, or 55 for three."""
        return len(self.tile_ids) - self.dead_wall - 13 * (self.players - 1) - self.dealer_tiles

    @property
    def red_ids(self) -> tuple[int, ...]:
        """Physical ids of the red fives: the first copies of each five, as Tenhou numbers them."""
        counts = ((16, self.red_man), (52, self.red_pin), (88, self.red_sou))
        return tuple(first + copy for first, count in counts for copy in range(count))


@dataclass(frozen=True, slots=True)
class RuleField:
    """One dimension: its name, type, section, meaning and, for an integer, its bounds."""

    name: str
    type: Any
    section: str
    doc: str
    low: int
    high: int
    schemes: tuple[Scheme, ...]
    """The schemes whose rulesets have it."""
    elsewhere: Any
    """What it holds in rulesets of other schemes."""
    default: Any
    """What it holds where no preset gives it; None where one must."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The names an enum field may take; empty for other types."""
        return tuple(member.name.lower() for member in self.type) if self.is_enum else ()

    @property
    def is_enum(self) -> bool:
        """Return whether the field takes one of a few names."""
        return isinstance(self.type, type) and issubclass(self.type, IntEnum)

    @property
    def allowed(self) -> str:
        """The allowed values in words for people."""
        if self.is_enum:
            return " | ".join(self.choices)
        if self.type is bool:
            return "true | false"
        if self.type is int:
            return f"{self.low} to {self.high}"
        if self.type is PatternValues:
            return 'a table of pattern ids, each a number, true, false, "limit" or "half_limit"'
        lists = "a list of points" if self.name == "uma" else "a list of lists of points"
        return f"{lists}, {self.low} to {self.high}"


def _least(kind: Any, low: int) -> Any:
    """The value that switches a field off."""
    if kind in (int, bool) or (isinstance(kind, type) and issubclass(kind, IntEnum)):
        return kind(low if kind is int else 0)
    return PatternValues() if kind is PatternValues else ()


def _fields() -> dict[str, RuleField]:
    hints = get_type_hints(Ruleset)
    fields = {}
    for f in dataclasses.fields(Ruleset):
        if f.metadata:
            given = dict(f.metadata)
            if given["elsewhere"] is None:
                given["elsewhere"] = _least(hints[f.name], given["low"])
            fields[f.name] = RuleField(f.name, hints[f.name], **given)
    sections = list(SECTIONS)
    return dict(sorted(fields.items(), key=lambda item: sections.index(item[1].section)))


FIELDS = MappingProxyType(_fields())
"""Every dimension by name, section by section."""


@lru_cache(maxsize=len(Scheme))
def fields_of(scheme: Scheme) -> MappingProxyType[str, RuleField]:
    """Return the dimensions that rulesets of a scheme have, by name, in order."""
    return MappingProxyType({name: field for name, field in FIELDS.items() if scheme in field.schemes})


@lru_cache(maxsize=256)
def _kernel_rules(ruleset: Ruleset) -> KernelRules:
    return KernelRules(*(int(getattr(ruleset, name)) for name in KernelRules._fields))


def plain_value(value: object) -> RuleValue:
    """Turn a field's value into what TOML and JSON write: enums to names, tuples to lists."""
    match value:
        case IntEnum():
            return value.name.lower()
        case PatternValues():
            return dict(value)
        case tuple():
            return [plain_value(item) for item in value]  # type: ignore[return-value]
        case bool() | int():
            return value
    raise TypeError(f"{value!r} is no rule value")
