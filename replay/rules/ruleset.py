"""Rulesets as data: every dimension in which the supported rules of mahjong differ.

A :class:`Ruleset` is a flat, frozen record of plain values; nothing in the engine asks for a ruleset's
name. A field carries its section, its meaning and its bounds as metadata (:data:`FIELDS`), and these drive
validation, the command line and the documentation. Default values stand in the presets (``presets/*.toml``),
of which ``tenhou`` gives every field of riichi (see ``rule_presets``), but for the rules that come with local
yaku (:mod:`paifu.replay.rules.local_yaku`): these are not played where nothing is said.

The field ``scheme`` says how hands are scored, and with it which other fields a ruleset has
(:func:`fields_of`). Fields of other schemes are neither written nor shown; they hold
:attr:`RuleField.elsewhere`, which means "not played".

Units: points are table points (25000, not 25.0); han of 13 in a yaku field means yakuman; seats are not
named here. Kernels get :meth:`Ruleset.kernel`, integers for the fields that they need.
"""
# ruff: noqa: RUF009 - rule makes a dataclass field, which ruff does not see

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, get_type_hints

from paifu.replay.kernels.rules import IDENTICAL_PAIRS, KNITTED, SNAKE, KernelRules
from paifu.replay.model.tiles import IDS, JOKER_IDS, SANMA_ABSENT_KINDS
from paifu.replay.rules.choices import (
    BonusTiles,
    Bystander,
    Card,
    Chombo,
    DiscardWin,
    GongShows,
    Immunity,
    KanDoraTiming,
    Kazoe,
    Kuikae,
    KyuushuCounts,
    LastNoten,
    MultiRonHonba,
    MultiRonSticks,
    Nagashi,
    OwnFourWait,
    PaoCovers,
    PaoHonba,
    PaoTsumo,
    Renhou,
    ReplacementWin,
    RiichiFouls,
    RiichiKan,
    Rounding,
    SanmaTsumo,
    Scheme,
    SevenPairs,
    SticksLeft,
    SuurenkouPair,
    TemporaryFuriten,
    TieBreak,
    Tobi,
)
from paifu.replay.rules.fields import (
    OTHER_SCHEMES,
    RIICHI,
    SECTIONS,
    TABLE_SCHEMES,
    YAKUMAN_HAN,
    PatternValues,
    RuleField,
    RuleValue,
    least,
    plain_value,
    rule,
)
from paifu.replay.rules.local_yaku import LOCAL_YAKU

if TYPE_CHECKING:

    class _LocalYaku:
        """A rule for each local yaku; here are those that code asks for by name."""

        knitted_pairs_han: int
        thirteen_dealer_wins_han: int
        twofold_fortune_han: int
        wriggling_snake_with_winds_han: int

else:
    _LocalYaku = dataclasses.make_dataclass(
        "_LocalYaku",
        [(yaku.rule, int, rule("local", yaku.meaning, 0, YAKUMAN_HAN, default=0)) for yaku in LOCAL_YAKU],
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
    scheme: Scheme = rule("game", "How a hand becomes a value")

    # The table
    players: int = rule("table", "Players; three play without man 2-8", 2, 4)
    wind_rounds: int = rule("table", "Wind rounds that are always scheduled: 1 east, 2 east and south", 1, 4)
    max_wind_rounds: int = rule("table", "Wind rounds at most; more than scheduled means overtime", 1, 4)
    start_points: int = rule("table", "Points each player starts with")
    start_points_by_seat: tuple[int, ...] = rule(
        "table", "Points at the start by seat, the first dealer's first; [] if all are alike", only=RIICHI
    )
    red_man: int = rule("table", "Red fives among the characters", 0, 4, only=RIICHI)
    red_pin: int = rule("table", "Red fives among the dots", 0, 4, only=RIICHI)
    red_sou: int = rule("table", "Red fives among the bamboos", 0, 4, only=RIICHI)

    seat_winds_rotate: bool = rule(
        "table", "Seat winds move on with the deal; else each seat keeps that of the first hand", only=RIICHI
    )
    dead_wall_shrinks: bool = rule(
        "table", "Supplement tiles are not made up for from the wall: the dead wall shrinks", only=RIICHI
    )
    round_wind: bool = rule("table", "There is a round wind", only=TABLE_SCHEMES, elsewhere=True)

    # Tiles and walls
    bonus_tiles: BonusTiles = rule("tiles", "Flowers and seasons")
    jokers: int = rule("tiles", "Jokers in the set", 0, 8)
    dead_wall: int = rule("tiles", "Tiles at the end of the wall that are never drawn", 0, 40, elsewhere=14)
    dealer_tiles: int = rule("tiles", "Tiles dealt to the dealer; with 13 the first draw follows", 13, 14)

    # Calls
    chi: bool = rule("calls", "Chi may be called")
    kita: bool = rule("calls", "North is set aside as kita: a dora each, with a supplement draw", only=RIICHI)
    kuikae: Kuikae = rule("calls", "What may not be discarded right after a call")

    concealed_gongs: bool = rule(
        "calls", "A concealed gong may be declared", only=OTHER_SCHEMES, elsewhere=True
    )
    first_gongs: bool = rule(
        "calls",
        "Concealed gongs may be declared while the first bonus tiles are replaced",
        only=TABLE_SCHEMES,
    )
    gong_after_claim: bool = rule(
        "calls", "A gong may be declared right after a chow or pung", only=TABLE_SCHEMES
    )
    largest_exposure: int = rule(
        "calls", "Equal tiles that one exposure may hold at most", 3, 6, only=OTHER_SCHEMES, elsewhere=4
    )
    concealed_gong_shows: GongShows = rule(
        "calls", "Tiles of a concealed gong that the others see", only=(Scheme.FAAN,), elsewhere=GongShows.TWO
    )

    # Dora
    dora: bool = rule("dora", "The first indicator counts")
    kan_dora: bool = rule("dora", "Every kan turns one more indicator")
    ura_dora: bool = rule("dora", "A riichi winner also counts the tile under the first indicator")
    kan_ura_dora: bool = rule("dora", "A riichi winner also counts the tiles under the kan indicators")
    kan_dora_timing: KanDoraTiming = rule("dora", "When a kan's indicator is turned")

    # Riichi
    riichi_stick: int = rule("riichi", "Points put down for riichi; the value of a stick")
    riichi_points: int = rule("riichi", "Points a player must hold to declare riichi")
    riichi_wall: int = rule("riichi", "Tiles that must be left in the live wall to declare riichi", 0, 70)
    riichi_kan: RiichiKan = rule("riichi", "Closed kan under riichi")
    riichi_fouls: RiichiFouls = rule("riichi", "Riichi without tenpai, and kans that change the waits")
    ippatsu: bool = rule("riichi", "Ippatsu counts")
    open_riichi_han: int = rule(
        "riichi", "Han of a riichi declared with the hand shown, in riichi's place; 0: not allowed", 0, 13
    )

    # Winning
    kuitan: bool = rule("win", "Tanyao counts with an open hand", only=RIICHI)
    min_han: int = rule("win", "Han (dora not counted) a win needs", 1, 13, only=RIICHI)
    two_han_from_honba: int = rule(
        "win", "Honba from which a win needs two han (dora not counted); 0: never", 0, 99, only=RIICHI
    )
    head_bump: bool = rule("win", "Of several who claim ron only the one next after the discarder wins")
    kokushi_ankan_ron: bool = rule("win", "Thirteen orphans may rob a closed kan", only=RIICHI)
    temporary_furiten: TemporaryFuriten = rule("win", "When temporary furiten ends", only=RIICHI)
    own_four_wait: OwnFourWait = rule(
        "win", "A hand that waits only for tiles it holds all four of", only=RIICHI
    )

    # Winning hands and their patterns
    seven_pairs: SevenPairs = rule("hand", "Seven pairs as a winning hand")
    thirteen_orphans: bool = rule("hand", "Thirteen orphans as a winning hand")
    minimum: int = rule("hand", "Value (points or faan) that a win needs", 0, 1000)
    patterns: PatternValues = rule("hand", "Values of patterns that differ from the table's, by id")

    # Points that add up, series by series
    chicken_value: int = rule("series", "Points of a winning hand without a pattern")
    sum_limit: int = rule("series", "What added points count at most")
    listed_limit: int = rule("series", "Points from which a pattern counts alone")
    immunity: Immunity = rule("series", "Whose discard a win is charged to")

    # Faan
    faan_table: tuple[tuple[int, ...], ...] = rule("faan", "Rows of faan and base points from there on")
    limits_add: bool = rule("faan", "Several limit hands at once add up")
    replacement_win: ReplacementWin = rule("faan", "What counts as winning on a replacement tile")
    liability: bool = rule("faan", "Who feeds the deciding open meld of a great hand answers for it")
    fed_gong_pays: bool = rule("faan", "Who feeds an open gong pays for the win on its replacement tile")

    # Limit hands
    limit_hands: bool = rule("limits", "There are limit hands")
    limit: int = rule("limits", "Points of a limit hand")

    # Points and doubles
    discard_win: DiscardWin = rule("classical", "What a discard must complete to win")
    cap_losers: bool = rule("classical", "The limit holds for losers' scores, too")
    losers_settle: bool = rule("classical", "Losers pay each other for their hands")

    # Card
    card: Card = rule("card", "The card whose lines win")
    jokerless_factor: int = rule("card", "What a hand without jokers is multiplied by", 1, 10)
    bettor: bool = rule("card", "A fifth player bets on each hand")
    dead_hand_points: int = rule("card", "Points for a disputed dead hand, and for a right bet on a draw")

    # Yaku and fu
    kiriage: bool = rule("scoring", "4 han 30 fu and 3 han 60 fu are rounded up to mangan")
    kazoe: Kazoe = rule("scoring", "What 13 han or more without a yakuman are worth")
    double_wind_pair_fu: int = rule("scoring", "Fu of a pair that is both seat and round wind", 2, 4)
    pinfu_tsumo: bool = rule("scoring", "Pinfu stands with tsumo (20 fu); else tsumo's 2 fu undo it")
    rinshan_tsumo_fu: bool = rule("scoring", "A win on a supplement tile gets the 2 fu of tsumo")
    chiitoitsu_han: int = rule("scoring", "Han of seven pairs", 1, 4)
    chiitoitsu_fu: int = rule("scoring", "Fu of seven pairs, not rounded", 20, 110)
    chiitoitsu_identical_pairs: bool = rule("scoring", "Four equal tiles are two pairs of seven pairs")
    ryanpeikou_han: int = rule("scoring", "Han of ryanpeikou", 2, 4)
    renhou: Renhou = rule("scoring", "What renhou is worth")
    chiihou_ron: bool = rule("scoring", "Ron on the dealer's first discard is chiihou (and not renhou)")

    # Yakuman
    yakuman_stacking: bool = rule("yakuman", "Several yakuman in one hand add up")
    double_suuankou_tanki: bool = rule("yakuman", "Four concealed triplets on a pair wait count twice")
    double_kokushi_13: bool = rule("yakuman", "Thirteen orphans on thirteen waits count twice")
    double_junsei_chuuren: bool = rule("yakuman", "Nine gates on nine waits count twice")
    double_daisuushii: bool = rule("yakuman", "Four big winds count twice")
    ryuuiisou_needs_hatsu: bool = rule("yakuman", "All green needs the green dragon")
    suukantsu_needs_pair: bool = rule("yakuman", "Four kans need a finished hand; else the fourth kan wins")

    suurenkou_pair: SuurenkouPair = rule("local", "The pair that four consecutive triplets need")

    # Liability
    pao_daisangen: bool = rule("pao", "Who feeds the third dragon meld is liable")
    pao_daisuushii: bool = rule("pao", "Who feeds the fourth wind meld is liable")
    pao_suukantsu: bool = rule("pao", "Who feeds the fourth kan is liable")
    pao_tsuuiisou: bool = rule("pao", "Who feeds the fourth meld of all honours is liable")
    pao_chinroutou: bool = rule("pao", "Who feeds the fourth meld of all terminals is liable")
    pao_ryuuiisou: bool = rule("pao", "Who feeds the fourth meld of all green is liable")
    pao_closed_kans: bool = rule("pao", "Closed kans count as visible melds of such a yakuman")
    pao_rinshan: bool = rule("pao", "Who feeds an open kan pays alone for the rinshan win on it")
    pao_rinshan_tsumo: PaoTsumo = rule("pao", "What the one who fed that kan pays for the rinshan win")
    pao_covers: PaoCovers = rule("pao", "What the liable player answers for in a hand of several yakuman")
    pao_tsumo: PaoTsumo = rule("pao", "What a liable player pays for a tsumo")
    pao_honba: PaoHonba = rule("pao", "Who pays the honba of a ron that a liable player shares")

    # Payments
    honba_each: int = rule("payment", "Points a honba adds for each player but the winner (ron: from one)")
    multi_ron_sticks: MultiRonSticks = rule("payment", "Who takes the sticks when several win one discard")
    multi_ron_honba: MultiRonHonba = rule("payment", "Who is paid honba when several win one discard")
    sanma_tsumo: SanmaTsumo = rule("payment", "The missing player's share of a tsumo with three players")
    noten_pay_1: int = rule("payment", "Points each noten player pays at a draw with one tenpai")
    noten_pay_2: int = rule("payment", "Points each noten player pays at a draw with two tenpai")
    noten_pay_3: int = rule("payment", "Points the noten player pays at a draw with three tenpai")
    wareme: bool = rule("payment", "The player at the wall's break pays and is paid double")
    wareme_honba: bool = rule("payment", "Wareme doubles honba, too")

    # What is paid, in values of the hand
    pay_selfdraw: int = rule("shares", "What each player pays for a self-drawn win, in values", 0, 10)
    pay_discard_total: int = rule("shares", "What all pay together for a discard, in values", 0, 10)
    pay_bystander: Bystander = rule("shares", "What those pay who did not discard the winning tile")
    par: int = rule("shares", "What a bystander pays at most, where that is limited")
    dealer_factor: int = rule("shares", "What payments from and to the dealer are multiplied by", 1, 10)
    false_win_points: int = rule("shares", "Points a false win costs, to each other player")

    # Draws
    noten_by_choice: bool = rule("draw", "Who is tenpai without riichi may declare noten")
    nagashi: Nagashi = rule("draw", "Nagashi mangan at an exhaustive draw")
    nagashi_uncalled: bool = rule("draw", "Nagashi mangan needs a hand without own calls and kans")
    abort_kyuushu: bool = rule("draw", "Nine terminals and honours in the first turn may abort")
    kyuushu_counts: KyuushuCounts = rule("draw", "What there must be nine of")
    abort_suufon: bool = rule("draw", "Four equal winds discarded in the first go-around abort")
    abort_suucha: bool = rule("draw", "The fourth riichi aborts")
    abort_suukaikan: bool = rule("draw", "Four kans by several players abort")
    suukaikan_at_once: bool = rule(
        "draw", "Four kans abort with the fourth; else when the discard after it has passed"
    )
    abort_fifth_kan: bool = rule("draw", "A fifth kan, after four by one player, aborts; else it is illegal")
    abort_sanchahou: bool = rule("draw", "Three ron on one discard abort; else they are all paid")

    # The course of the game
    hands: int = rule("progress", "Hands in a game; 0: by wind rounds", 0, 64, only=OTHER_SCHEMES)
    agari_renchan: bool = rule("progress", "The dealer stays after winning")
    draw_renchan: bool = rule("progress", "The dealer stays after a draw", only=OTHER_SCHEMES)
    keeps_reset_by_draw: bool = rule(
        "progress", "A draw sets the count of the dealer's keeps back", only=(Scheme.FAAN,)
    )
    tenpai_renchan: bool = rule("progress", "The dealer stays when tenpai at an exhaustive draw", only=RIICHI)
    abort_renchan: bool = rule("progress", "The dealer stays after an abortive draw", only=RIICHI)
    target_points: int = rule("progress", "Points the leader needs, else overtime; 0: none", only=RIICHI)
    sudden_death: bool = rule(
        "progress", "Overtime ends with the hand in which the target is reached", only=RIICHI
    )
    sudden_death_over_renchan: bool = rule(
        "progress", "It does so even when the dealer would stay", only=RIICHI
    )
    agari_yame: bool = rule("progress", "In the last hand the dealer's win ends the game", only=RIICHI)
    tenpai_yame: bool = rule(
        "progress", "In the last hand the dealer's tenpai draw ends the game", only=RIICHI
    )
    yame_leads: bool = rule("progress", "Only a dealer who leads may end the game so", only=RIICHI)
    yame_choice: bool = rule("progress", "The dealer may go on instead of ending it", only=RIICHI)
    last_noten: LastNoten = rule(
        "progress", "What follows the last hand when its dealer is noten", only=RIICHI
    )
    tobi: Tobi = rule("progress", "Whether a player out of points ends the game", only=RIICHI)
    ceiling_points: int = rule(
        "progress", "Points that end the game when someone has them; 0: none", only=RIICHI
    )

    # Final points
    return_points: int = rule("final", "Points that count as zero; what they exceed the start is oka")
    oka: bool = rule(
        "final", "The first takes the oka: what all returns exceed all starts", only=RIICHI, elsewhere=True
    )
    uma: tuple[int, ...] = rule("final", "Points added by place, first to last", -1_000_000)
    uma_by_below: tuple[tuple[int, ...], ...] = rule(
        "final",
        "Uma by how many players are below the start points (0 to all); [] if not used",
        -1_000_000,
    )
    tie_break: TieBreak = rule("final", "How equal points are placed")
    sticks_left: SticksLeft = rule("final", "Whose the sticks left at the end are", only=RIICHI)
    rounding: Rounding = rule("final", "How final points are rounded")
    yakitori_points: int = rule(
        "final", "Points each player without a win pays each player with one; 0: none"
    )
    chombo: Chombo = rule("final", "What a foul costs", only=RIICHI)
    chombo_replay: bool = rule(
        "final",
        "A hand with a foul is played again, its sticks returned; else it counts as a draw",
        only=RIICHI,
    )
    chombo_points: int = rule("final", "Points a foul takes off the final result", only=RIICHI)

    def kernel(self) -> KernelRules:
        """Return the rules as kernels read them: integers only, the same object for equal rulesets."""
        return _kernel_rules(self)

    def values(self) -> dict[str, RuleValue]:
        """Return every field of its scheme, in order, as TOML and JSON would write it."""
        return {name: plain_value(getattr(self, name)) for name in fields_of(self.scheme)}

    @property
    def forms(self) -> int:
        """What wins besides the usual forms, as bits for the kernels of shapes."""
        rare = {SNAKE: self.wriggling_snake_with_winds_han, KNITTED: self.knitted_pairs_han}
        forms = sum(bit for bit, han in rare.items() if han)
        return forms | (IDENTICAL_PAIRS if self.chiitoitsu_identical_pairs else 0)

    @property
    def starts(self) -> tuple[int, ...]:
        """Points at the start by seat, that of the first dealer first."""
        return self.start_points_by_seat or (self.start_points,) * self.players

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


def _fields() -> dict[str, RuleField]:
    hints = get_type_hints(Ruleset)
    fields = {}
    for f in dataclasses.fields(Ruleset):
        if f.metadata:
            given = dict(f.metadata)
            if given["elsewhere"] is None:
                given["elsewhere"] = least(hints[f.name], given["low"])
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
    return KernelRules(**{name: int(getattr(ruleset, name)) for name in KernelRules.fields()})
