"""The rules of a ruleset, section by section: what each means, its bounds, and the games that have it.

A section is a small frozen record; its docstring is its title, and TOML files have a table of its name. A
rule's name occurs in one section only, so that options, logs and datasets use it alone.

Units: points are table points (25000, not 25.0); han of 13 in a yaku field means yakuman; seats are not
named here.

Annotations are types here, not texts: every rule is declared by its own when paifu starts.
"""

from typing import TYPE_CHECKING

from paifu.replay.rules import choices
from paifu.replay.rules.fields import (
    OTHER_SCHEMES,
    RIICHI,
    TABLE_SCHEMES,
    YAKUMAN_BASE,
    YAKUMAN_HAN,
    PatternValues,
    RuleSection,
    rule,
)
from paifu.replay.rules.foul_kinds import FOUL_KINDS
from paifu.replay.rules.local_yaku import LOCAL_YAKU
from paifu.replay.rules.own_rows import OwnPatternTable, OwnYakuTable

if TYPE_CHECKING:

    class _LocalYaku:
        """A rule for each local yaku; here are those that code asks for by name."""

        knitted_pairs_han: int
        thirteen_dealer_wins_han: int
        twofold_fortune_han: int
        wriggling_snake_with_winds_han: int

    class _FoulKinds:
        """A rule for each kind of foul."""

else:

    def _made(hint, rules):
        return type("_Made", (RuleSection,), {"__annotations__": dict.fromkeys(rules, hint), **rules})

    _FoulKinds = _made(
        choices.Consequence,
        {kind.rule: rule(kind.meaning, default=choices.Consequence.REFUSED) for kind in FOUL_KINDS},
    )
    _LocalYaku = _made(int, {yaku.rule: rule(yaku.meaning, 0, YAKUMAN_HAN, default=0) for yaku in LOCAL_YAKU})


class GameRules(RuleSection):
    """The game."""

    scheme: choices.Scheme = rule("How a hand becomes a value")


class TableRules(RuleSection):
    """The table."""

    players: int = rule("Players; three play without man 2-8", 2, 4)
    wind_rounds: int = rule("Wind rounds that are always scheduled: 1 east, 2 east and south", 1, 4)
    max_wind_rounds: int = rule("Maximum number of wind rounds; more than scheduled means overtime", 1, 4)
    start_points: int = rule("Points each player starts with")
    start_points_by_seat: tuple[int, ...] = rule(
        "Points at the start by seat, the first dealer's first; [] if all are alike", only=RIICHI
    )
    red_man: int = rule("Red fives among the characters", 0, 4, only=RIICHI)
    red_pin: int = rule("Red fives among the dots", 0, 4, only=RIICHI)
    red_sou: int = rule("Red fives among the bamboos", 0, 4, only=RIICHI)
    seat_winds_rotate: bool = rule(
        "Seat winds move on with the deal; else each seat keeps that of the first hand", only=RIICHI
    )
    dead_wall_shrinks: bool = rule(
        "The wall does not make up for supplement tiles: the dead wall shrinks", only=RIICHI
    )
    round_wind: bool = rule("There is a round wind", only=TABLE_SCHEMES, elsewhere=True)


class TileRules(RuleSection):
    """Tiles and walls."""

    bonus_tiles: choices.BonusTiles = rule("Flowers and seasons")
    jokers: int = rule("Jokers in the set", 0, 8)
    dead_wall: int = rule(
        "Tiles never drawn at the end of the wall; riichi with fewer than 14 plays up to the indicators",
        0,
        40,
        only=tuple(choices.Scheme),
        default=14,
    )
    dealer_tiles: int = rule("Tiles dealt to the dealer; with 13 the first draw follows", 13, 14)


class CallRules(RuleSection):
    """Calls."""

    chi: bool = rule("Chi may be called")
    kita: bool = rule("North is set aside as kita: a dora each, with a supplement draw", only=RIICHI)
    kita_pass_furiten: bool = rule(
        "Who passes a ron on a north set aside is furiten", only=RIICHI, default=True
    )
    north_yakuhai: bool = rule("A triplet of north is a yaku for everybody", only=RIICHI, default=False)
    flowers_dora: bool = rule(
        "Four flowers are in the wall and set aside: a dora each, with a supplement draw",
        only=RIICHI,
        default=False,
    )
    kuikae: choices.Kuikae = rule("What may not be discarded right after a call")
    concealed_gongs: bool = rule("A concealed gong may be declared", only=OTHER_SCHEMES, elsewhere=True)
    first_gongs: bool = rule(
        "Concealed gongs may be declared while the first bonus tiles are replaced", only=TABLE_SCHEMES
    )
    gong_after_claim: bool = rule("A gong may be declared right after a chow or pung", only=TABLE_SCHEMES)
    largest_exposure: int = rule(
        "Maximum number of equal tiles in one exposure", 3, 6, only=OTHER_SCHEMES, elsewhere=4
    )
    concealed_gong_shows: choices.GongShows = rule(
        "Tiles of a concealed gong that the others see",
        only=(choices.Scheme.FAAN,),
        elsewhere=choices.GongShows.TWO,
    )


class DoraRules(RuleSection):
    """Dora."""

    dora: bool = rule("The first indicator counts")
    kan_dora: bool = rule("Every kan turns one more indicator")
    ura_dora: bool = rule("A riichi winner also counts the tile under the first indicator")
    kan_ura_dora: bool = rule("A riichi winner also counts the tiles under the kan indicators")
    kan_dora_timing: choices.KanDoraTiming = rule("When a kan's indicator is turned")


class RiichiRules(RuleSection):
    """Riichi."""

    riichi_stick: int = rule("Points put down for riichi; the value of a stick")
    riichi_points: int = rule("Points a player must hold to declare riichi")
    riichi_wall: int = rule("Tiles that must be left in the live wall to declare riichi", 0, 70)
    riichi_kan: choices.RiichiKan = rule("Closed kan under riichi")
    ippatsu: bool = rule("Ippatsu counts")
    open_riichi_han: int = rule(
        "Han of a riichi declared with the hand shown, instead of riichi's; 0: not allowed", 0, 13
    )
    open_riichi_double_han: int = rule(
        "Han of such a riichi in the first turn, in double riichi's place; 0: one more than of another",
        0,
        13,
        default=0,
    )
    open_riichi_deal_in: choices.OpenRiichiDealIn = rule(
        "What a player without riichi pays who discards into an open riichi",
        default=choices.OpenRiichiDealIn.VALUE,
    )
    open_riichi_sticks: int = rule("Sticks that such a riichi puts down", 1, 2, default=1)
    ippatsu_han: int = rule("Han of ippatsu; 0: it brings chips only", 0, 1, default=1)
    ippatsu_settles: bool = rule("The han of ippatsu counts among those that a win needs", default=True)
    pochi: choices.Pochi = rule(
        "What the marked white dragon (the first copy) counts as", default=choices.Pochi.NONE
    )


class WinRules(RuleSection):
    """Winning."""

    kuitan: bool = rule("Tanyao counts with an open hand", only=RIICHI)
    min_han: int = rule("Han (dora not counted) a win needs", 1, 13, only=RIICHI)
    two_han_from_honba: int = rule(
        "Honba from which a win needs two han (dora not counted); 0: never", 0, 99, only=RIICHI
    )
    yaku_settled: choices.YakuSettled = rule(
        "When yaku must be settled, but in riichi and for a closed tsumo",
        only=RIICHI,
        default=choices.YakuSettled.ANY,
    )
    luck_settles: bool = rule(
        "A last tile, a supplement tile or a robbed kan settles the yaku of a hand",
        only=RIICHI,
        default=False,
    )
    head_bump: bool = rule("If several players claim ron, only the next one after the discarder wins")
    head_bump_farthest: bool = rule(
        "With head bump it is the farthest from the discarder who wins", only=RIICHI, default=False
    )
    kokushi_ankan_ron: bool = rule("Thirteen orphans may rob a closed kan", only=RIICHI)
    closed_kan_interrupts: bool = rule(
        "A closed kan of anybody ends the first go-around for yaku, double riichi and nine terminals",
        only=RIICHI,
        default=True,
    )
    kita_interrupts: bool = rule(
        "A north or flower set aside ends the first go-around, and ippatsu", only=RIICHI, default=True
    )
    temporary_furiten: choices.TemporaryFuriten = rule("When temporary furiten ends", only=RIICHI)
    own_four_wait: choices.OwnFourWait = rule(
        "A hand that waits only for tiles it holds all four of", only=RIICHI
    )


class HandRules(RuleSection):
    """Winning hands and patterns."""

    seven_pairs: choices.SevenPairs = rule("Seven pairs as a winning hand")
    thirteen_orphans: bool = rule("Thirteen orphans as a winning hand")
    minimum: int = rule("Value (points or faan) that a win needs", 0, 1000)
    patterns: PatternValues = rule("Values of patterns that differ from the table's, by id")
    pattern: OwnPatternTable = rule("Patterns of the ruleset's own, each a table", default=OwnPatternTable())


class SeriesRules(RuleSection):
    """Points by series."""

    chicken_value: int = rule("Points of a winning hand without a pattern")
    sum_limit: int = rule("Maximum of added points")
    listed_limit: int = rule("Points from which a pattern counts alone")
    immunity: choices.Immunity = rule("Whose discard a win is charged to")


class FaanRules(RuleSection):
    """Faan."""

    faan_table: tuple[tuple[int, ...], ...] = rule("Rows of faan and base points from there on")
    limits_add: bool = rule("Several limit hands at once add up")
    replacement_win: choices.ReplacementWin = rule("What counts as winning on a replacement tile")
    liability: bool = rule("The player who feeds the deciding open meld of a great hand is liable for it")
    fed_gong_pays: bool = rule("The player who feeds an open gong pays for the win on its replacement tile")


class LimitRules(RuleSection):
    """Limit hands."""

    limit_hands: bool = rule("There are limit hands")
    limit: int = rule("Points of a limit hand")


class ClassicalRules(RuleSection):
    """Points and doubles."""

    discard_win: choices.DiscardWin = rule("What a discard must complete to win")
    cap_losers: bool = rule("The limit holds for losers' scores, too")
    losers_settle: bool = rule("Losers pay each other for their hands")


class CardRules(RuleSection):
    """The card."""

    card: choices.Card = rule("The card whose lines win")
    jokerless_factor: int = rule("What a hand without jokers is multiplied by", 1, 10)
    bettor: bool = rule("A fifth player bets on each hand")


class ScoringRules(RuleSection):
    """Yaku, fu and limits."""

    limits: choices.Limits = rule(
        "Whether hands have limits; else fu are doubled for every han", default=choices.Limits.USUAL
    )
    yakuman_base: int = rule(
        "Base points of a yakuman; 0, without limits: it counts as 13 han", 0, 5_000_000, default=YAKUMAN_BASE
    )
    kiriage: bool = rule("4 han 30 fu and 3 han 60 fu are rounded up to mangan")
    kazoe: choices.Kazoe = rule("What many han without a yakuman are worth")
    kazoe_han: int = rule("Han from which hands without a yakuman count so", 12, 14, default=13)
    sanbaiman_han: int = rule("Han from which hands are a sanbaiman", 10, 11, default=11)
    open_pinfu_fu: int = rule("Fu of an open hand without fu of its own, won by ron", 20, 30, default=30)
    fixed_fu: int = rule("Fu of every hand but seven pairs; 0: they are counted", 0, 110, default=0)
    double_wind_pair_fu: int = rule("Fu of a pair that is both seat and round wind", 2, 4)
    pinfu_tsumo: bool = rule("Pinfu counts with tsumo (20 fu); else tsumo's 2 fu undo it")
    rinshan_tsumo_fu: bool = rule("A win on a supplement tile gets the 2 fu of tsumo")
    chiitoitsu_han: int = rule("Han of seven pairs", 1, 4)
    chiitoitsu_fu: int = rule("Fu of seven pairs, not rounded", 20, 110)
    chiitoitsu_identical_pairs: bool = rule("Four equal tiles are two pairs of seven pairs")
    ryanpeikou_han: int = rule("Han of ryanpeikou", 2, 4)
    renhou: choices.Renhou = rule("What renhou is worth")
    chiihou_ron: bool = rule("Ron on the dealer's first discard is chiihou (and not renhou)")


class YakumanRules(RuleSection):
    """Yakuman."""

    yakuman_stacking: bool = rule("Several yakuman in one hand add up")
    double_suuankou_tanki: bool = rule("Four concealed triplets on a pair wait count twice")
    double_kokushi_13: bool = rule("Thirteen orphans on thirteen waits count twice")
    double_junsei_chuuren: bool = rule("Nine gates on nine waits count twice")
    double_daisuushii: bool = rule("Four big winds count twice")
    ryuuiisou_needs_hatsu: bool = rule("All green needs the green dragon")
    suukantsu_needs_pair: bool = rule("Four kans need a finished hand; else the fourth kan wins")


class LocalYakuRules(_LocalYaku):
    """Local yaku."""

    suurenkou_pair: choices.SuurenkouPair = rule("The pair that four consecutive triplets need")
    dealer_wins_count: int = rule(
        "The dealer's win in a row from which thirteen_dealer_wins_han counts", 2, 99, default=13
    )
    dealer_wins_by: choices.DealerWinsBy = rule(
        "What counts the dealer's wins in a row for thirteen_dealer_wins_han",
        default=choices.DealerWinsBy.WINS,
    )
    dealer_wins_again: bool = rule(
        "The dealer's later wins in a row count for it, too; else only after as many more", default=True
    )
    dealer_wins_pass: bool = rule("The deal passes after a win for thirteen_dealer_wins_han", default=False)
    dealer_wins_need_yaku: bool = rule(
        "A win for thirteen_dealer_wins_han needs a yaku besides", default=False
    )
    open_han: PatternValues = rule(
        "Han of local yaku with an open hand, by rule, where they differ; 0: none", default=PatternValues()
    )
    yaku: OwnYakuTable = rule("Yaku of the ruleset's own, each a table", default=OwnYakuTable())


class PaoRules(RuleSection):
    """Liability (pao)."""

    pao_daisangen: bool = rule("The player who feeds the third dragon meld is liable")
    pao_daisuushii: bool = rule("The player who feeds the fourth wind meld is liable")
    pao_suukantsu: bool = rule("The player who feeds the fourth kan is liable")
    pao_tsuuiisou: bool = rule("The player who feeds the fourth meld of all honours is liable")
    pao_chinroutou: bool = rule("The player who feeds the fourth meld of all terminals is liable")
    pao_ryuuiisou: bool = rule("The player who feeds the fourth meld of all green is liable")
    pao_closed_kans: bool = rule("Closed kans count as visible melds of such a yakuman")
    pao_rinshan: bool = rule("The player who feeds an open kan pays alone for the rinshan win on it")
    pao_rinshan_chain: bool = rule("Further kans in the same turn do not end that liability", default=False)
    rinshan_fed: choices.RinshanFed = rule(
        "What a win on the supplement tile of an open kan is", default=choices.RinshanFed.USUAL
    )
    pao_rinshan_tsumo: choices.PaoTsumo = rule("What the player who fed that kan pays for the rinshan win")
    pao_covers: choices.PaoCovers = rule("What the liable player answers for in a hand of several yakuman")
    pao_tsumo: choices.PaoTsumo = rule("What a liable player pays for a tsumo")
    pao_honba: choices.PaoHonba = rule("Who pays the honba of a ron that a liable player shares")


class PaymentRules(RuleSection):
    """Payments."""

    honba_each: int = rule("Points a honba adds for each player but the winner (ron: from one)")
    multi_ron_sticks: choices.MultiRonSticks = rule("Who takes the sticks when several win one discard")
    multi_ron_honba: choices.MultiRonHonba = rule("Who is paid honba when several win one discard")
    sticks_need_riichi: bool = rule(
        "Sticks go to winners in riichi only; else they stay on the table", default=False
    )
    payment_by_shares: bool = rule(
        "A non-dealer's share is rounded, and a ron costs the sum of all shares", default=False
    )
    sanma_tsumo: choices.SanmaTsumo = rule("The missing player's share of a tsumo with three players")
    noten_pay_1: int = rule("Points each noten player pays at a draw with one tenpai")
    noten_pay_2: int = rule("Points each noten player pays at a draw with two tenpai")
    noten_pay_3: int = rule("Points the noten player pays at a draw with three tenpai")
    wareme: bool = rule("The player at the wall's break pays and is paid double")
    wareme_honba: bool = rule("Wareme multiplies honba, too")
    wareme_factor: int = rule("What wareme multiplies by", 2, 10, default=2)
    wareme_doublets: bool = rule("Wareme counts twice where both dice show the same", default=False)
    payment_unit: int = rule("Points to which each payment for a hand is rounded up", 100, 1000, default=100)


class ShareRules(RuleSection):
    """Payments by shares of the value."""

    pay_selfdraw: int = rule("What each player pays for a self-drawn win, in values", 0, 10)
    pay_discard_total: int = rule("What all pay together for a discard, in values", 0, 10)
    pay_bystander: choices.Bystander = rule("What those pay who did not discard the winning tile")
    par: int = rule("Maximum payment of a bystander, where that is limited")
    dealer_factor: int = rule(
        "What payments from and to the dealer are multiplied by", 1, 10, only=tuple(choices.Scheme), default=2
    )


class DrawRules(RuleSection):
    """Draws."""

    draw_tenpai: choices.DrawTenpai = rule(
        "What makes an open hand tenpai at a draw", default=choices.DrawTenpai.SHAPE
    )
    noten_by_choice: bool = rule("A tenpai player without riichi may declare noten")
    nagashi: choices.Nagashi = rule("Nagashi mangan at an exhaustive draw")
    nagashi_value: choices.NagashiValue = rule(
        "What nagashi mangan is worth", default=choices.NagashiValue.MANGAN
    )
    nagashi_uncalled: bool = rule("Nagashi mangan needs a player without calls and kans")
    abort_kyuushu: bool = rule("Nine terminals and honours in the first turn may abort")
    kyuushu_counts: choices.KyuushuCounts = rule("What counts toward the nine")
    abort_suufon: bool = rule("Four equal winds discarded in the first go-around abort")
    abort_suucha: bool = rule("The fourth riichi aborts")
    abort_suukaikan: bool = rule("Four kans by several players abort")
    suukaikan_at_once: bool = rule(
        "Four kans abort with the fourth; else when the discard after it has passed"
    )
    abort_fifth_kan: bool = rule("A fifth kan, after four by one player, aborts; else it is illegal")
    abort_sanchahou: bool = rule("Three ron on one discard abort; else they are all paid")


class ProgressRules(RuleSection):
    """The course of the game."""

    hands: int = rule("Hands in a game; 0: by wind rounds", 0, 64, only=OTHER_SCHEMES)
    agari_renchan: bool = rule("The dealer stays after winning")
    multi_ron_renchan: choices.MultiRonRenchan = rule(
        "When a dealer stays who is one of several winners",
        only=RIICHI,
        default=choices.MultiRonRenchan.AMONG,
    )
    draw_renchan: bool = rule("The dealer stays after every exhaustive draw", default=False)
    last_draw_renchan: bool = rule(
        "In the last scheduled hand the dealer stays after every exhaustive draw", only=RIICHI, default=False
    )
    keeps_reset_by_draw: bool = rule(
        "A draw resets the count of hands that the dealer has dealt in a row", only=(choices.Scheme.FAAN,)
    )
    tenpai_renchan: bool = rule("The dealer stays when tenpai at an exhaustive draw", only=RIICHI)
    abort_renchan: bool = rule("The dealer stays after an abortive draw", only=RIICHI)
    abort_renchan_by: PatternValues = rule(
        "Whether the dealer stays after single aborts, where they differ from abort_renchan",
        only=RIICHI,
        default=PatternValues(),
    )
    target_points: int = rule("Points the leader needs, else overtime; 0: none", only=RIICHI)
    sudden_death: bool = rule("Overtime ends with the hand in which the target is reached", only=RIICHI)
    sudden_death_over_renchan: bool = rule("It ends then even if the dealer would stay", only=RIICHI)
    agari_yame: bool = rule("In the last hand the dealer's win ends the game", only=RIICHI)
    tenpai_yame: bool = rule("In the last hand the dealer's tenpai draw ends the game", only=RIICHI)
    yame_leads: bool = rule("Only a dealer who leads may end the game in this way", only=RIICHI)
    yame_choice: bool = rule("The dealer may go on instead of ending it", only=RIICHI)
    last_noten: choices.LastNoten = rule("What follows the last hand when its dealer is noten", only=RIICHI)
    tobi: choices.Tobi = rule("Whether a player out of points ends the game", only=RIICHI)
    ceiling_points: int = rule("Points that end the game when someone has them; 0: none", only=RIICHI)


class FinalRules(RuleSection):
    """Final points."""

    return_points: int = rule("Points that count as zero; their excess over the start is oka")
    oka: bool = rule(
        "First place takes the oka: the excess of all returns over all starts", only=RIICHI, elsewhere=True
    )
    count_points: bool = rule(
        "Table points count; else the final points are the uma alone", only=RIICHI, default=True
    )
    uma: tuple[int, ...] = rule("Points added by place, first to last", -1_000_000)
    uma_by_below: tuple[tuple[int, ...], ...] = rule(
        "Uma by how many players are below the start points (0 to all); [] if not used", -1_000_000
    )
    uma_border: int = rule(
        "Points that players are below for uma_by_below, in place of those at the start; 0: the start",
        only=RIICHI,
        default=0,
    )
    uma_at_border: bool = rule("Who has exactly these points is not below", only=RIICHI, default=True)
    tie_break: choices.TieBreak = rule("How equal points are placed")
    sticks_left: choices.SticksLeft = rule("Who gets the sticks left at the end", only=RIICHI)
    rounding: choices.Rounding = rule("How final points are rounded")
    rounding_of: choices.RoundingOf = rule("What is rounded", only=RIICHI, default=choices.RoundingOf.POINTS)
    tobi_prize: int = rule(
        "Points that a player out of points pays at the end to the one whose ron did it; 0: none",
        only=RIICHI,
        default=0,
    )
    tobi_prize_else: choices.TobiPrizeElse = rule(
        "Who gets it where no ron did it", only=RIICHI, default=choices.TobiPrizeElse.FIRST
    )
    ceiling_prize: int = rule(
        "Points that each other player pays at the end to one with ceiling_points; 0: none",
        only=RIICHI,
        default=0,
    )
    yakitori_points: int = rule("Points that each player without a win pays at the end; 0: none")
    yakitori_to: choices.YakitoriTo = rule(
        "Whom a player without a win pays", default=choices.YakitoriTo.WINNERS
    )
    yakitori_again: bool = rule("When all have won, all are without a win again", default=False)


class ChipRules(RuleSection):
    """Chips."""

    chip_points: int = rule("Points of a chip in the final points; 0: no chips", default=0)
    chips_ippatsu: int = rule("Chips that each payer pays for ippatsu", 0, 100, default=1)
    chips_ura: int = rule("Chips that each payer pays for an ura dora", 0, 100, default=1)
    chips_red: int = rule("Chips that each payer pays for a red five", 0, 100, default=1)
    chips_red_closed: bool = rule("Red fives bring chips in closed hands only", default=False)
    chips_pochi: int = rule("Chips that each payer pays for a win by the white pochi", 0, 100, default=1)
    chips_yakuman_ron: int = rule("Chips for a yakuman by ron", 0, 100, default=10)
    chips_yakuman_tsumo: int = rule("Chips that each payer pays for a yakuman by tsumo", 0, 100, default=5)
    chips_kazoe: bool = rule("A counted yakuman brings the chips of a yakuman", default=False)
    chips_liable: bool = rule("Who is liable for a hand pays all its chips", default=True)


class FoulRules(_FoulKinds):
    """Fouls."""

    noten_riichi_found: choices.FoulFound = rule(
        "When riichi without tenpai comes out", default=choices.FoulFound.DRAW_OR_OWN_WIN
    )
    riichi_kan_found: choices.FoulFound = rule(
        "When such a kan under riichi comes out", default=choices.FoulFound.DRAW_OR_OWN_WIN
    )
    chombo_pays: tuple[int, ...] = rule(
        "Points of a chombo: a dealer to each, another to the dealer, another to the others; [] for none",
        default=(),
    )
    chombo_points: int = rule("Points a chombo takes off the final result")
    chombo_after: choices.ChomboAfter = rule("What follows a chombo", default=choices.ChomboAfter.DRAW)
    chombo_last: choices.ChomboLast = rule(
        "What follows a chombo in the last scheduled hand, where the hand would be played again",
        default=choices.ChomboLast.REPLAY,
    )
    small_points: int = rule("Points a small chombo takes off the final result", default=0)
    small_after: choices.SmallAfter = rule("What follows a small chombo", default=choices.SmallAfter.GOES_ON)
    points_before_places: bool = rule(
        "Points that fouls take off count for the places; else they are taken off after the uma",
        default=False,
    )
    deposit_sticks: int = rule("Sticks that a foul with a deposit puts on the table", 1, 10, default=1)
    warning_count: int = rule("Warnings that cost points together", 1, 10, default=2)
    warnings_over: choices.WarningsOver = rule(
        "Over what warnings add up: a game, or the games of a day in a league",
        default=choices.WarningsOver.GAME,
    )
    warning_points: int = rule("Points that this many warnings take off the final result", default=0)
    win_beats_foul: bool = rule(
        "A win at the same moment makes a foul void that would end the hand", default=True
    )
