"""Scenarios of the sample logs: a table of scripted games, each with a line that says what it shows.

A scenario is a short game under Tenhou's rules: first what it is to show (its scripts), then, unless that
ended the game, a last hand in which the dealer wins a yakuman of somebody who cannot pay it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from paifu.coach.simulate.games import PlayedGame
from paifu.replay.course.settlement import next_hand
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.choices import Tobi
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from scripted import Script, play_scripts


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scripted game; ``yaku`` and ``end`` are those of the last hand of ``scripts``."""

    name: str
    """Of the file, without its suffix."""
    shows: str
    scripts: tuple[Script, ...]
    yaku: tuple[int, ...] = ()
    """Tenhou's numbers, those of several winners together."""
    end: HandEnd = HandEnd.WIN
    finds: tuple[str, ...] = ()
    """Codes that the review finds in that hand, others besides."""
    sanma: bool = False
    has_south: bool = False

    @property
    def rules(self) -> Ruleset:
        """Tenhou's rules, for games of the length wanted."""
        rules = load_preset("tenhou-sanma" if self.sanma else "tenhou")
        return rules if self.has_south else with_overrides(rules, {"wind_rounds": 1, "max_wind_rounds": 2})

    def play(self) -> PlayedGame:
        """Play it to the end of the game."""
        return finished(self.rules, self.scripts, _CLOSINGS[len(self.name) % len(_CLOSINGS)])


_CLOSINGS = (
    ("19m19p19s1234567z", "1z"),
    ("222s444p777s333z8p", "8p"),
    ("1112345678999s", "5s"),
    ("223344666s88s66z", "6z"),
    ("555z666z77z123p99p", "7z"),
)
"""Yakuman with which games end: the hand, and the tile it wins."""


def finished(
    rules: Ruleset, scripts: tuple[Script, ...], closing: tuple[str, str] = _CLOSINGS[0]
) -> PlayedGame:
    """Play scripts and, where the game goes on, what ends it: a payer without means, or cheap hands."""
    game = play_scripts(rules, *scripts)
    while not game.result:
        last = game.hands[-1]
        dealer = next_hand(rules, last.start, last.outcome(rules)).dealer
        scores = last.scores_after(rules)
        payer = min(
            (seat for seat in range(rules.table.players) if seat != dealer), key=lambda seat: scores[seat]
        )
        turns = (payer - dealer) % rules.table.players
        hand, tile = closing
        ruin = one(f".{turns} {tile} ron{dealer}", **{f"seat{dealer}": hand})
        scripts = (*scripts, ruin if rules.progress.tobi != Tobi.OFF else cheap(dealer))
        game = play_scripts(rules, *scripts)
    return game


def one(moves: str, *, dora: str = "", ura: str = "", **hands: str) -> Script:
    """A script; ``seat1="123m..."`` gives tiles of a hand."""
    return Script(moves, tuple(hands.get(f"seat{seat}", "") for seat in range(4)), dora, ura)


def cheap(dealer: int) -> Script:
    """A hand that brings who sits next after the dealer 1000 points, and the deal."""
    winner = (dealer + 1) % 4
    return one(f". . 2s ron{winner}", dora="9p", **{f"seat{winner}": "123m456p678s99p34s"})


def won(number: int, name: str, shows: str, hand: str, tile: str, *more: int, dora: str = "1z") -> Scenario:
    """Seat 1 wins a discard of seat 2 with a closed hand."""
    return Scenario(name, shows, (one(f". . {tile} ron1", seat1=hand, dora=dora),), (number, *more))


_PLAIN = "123m456p678s55z34s"
"""Waits for 2s and 5s, without a yaku of its own."""
_FLUSH = "1122234568999m"
"""Twelve thousand points on 7m."""

# fmt: off
_YAKU = (
    Scenario("menzen-tsumo", "closed tsumo, nothing else", (one(".5 2s>tsumo", seat1=_PLAIN, dora="1z"),), (0,)),
    Scenario("riichi", "riichi, won after the first go-around", (one(".5 9m>r9m .4 2s ron1", seat1=_PLAIN, dora="1z", ura="1z"),), (1,)),
    Scenario("ippatsu", "riichi and ippatsu", (one(".5 9m>r9m 2s ron1", seat1=_PLAIN, dora="1z", ura="1z"),), (1, 2)),
    Scenario("double-riichi", "riichi with the first discard", (one(". 9m>r9m .4 2s ron1", seat1=_PLAIN, dora="1z", ura="1z"),), (21,)),
    Scenario("chankan", "robbing an added kan", (one(". . 2s pon0 >9m .3 2s>k2s ron1", seat0="22s9m", seat1=_PLAIN, dora="1z"),), (3,)),
    Scenario("rinshan", "a closed kan and a tsumo on its replacement tile", (one(".5 9m>k9m 9s>tsumo", seat1="999m123p456p78s55z", dora="1z 1z"),), (0, 4)),
    Scenario("haitei", "tsumo on the last tile of the wall", (one(".69 2s>tsumo", seat1=_PLAIN, dora="1z"),), (0, 5)),
    Scenario("houtei", "ron on the last discard", (one(".69 2s ron2", seat2=_PLAIN, dora="1z"),), (6,)),
    won(7, "pinfu", "pinfu", "123m456p678s99p34s", "2s"),
    won(8, "tanyao", "all simples, closed", "234m456p678s55p35s", "4s"),
    Scenario("open-tanyao", "all simples with a chi and a pon", (one("3m chi1:45m >9m . . 6p pon1 >9m . . 4s ron1", seat1="45m66p678s55p35s99m", dora="1z"),), (8,)),
    won(9, "iipeikou", "two identical sequences", "223344m678p99s35s", "4s"),
    Scenario("double-east", "the dealer's east in an east round: both seat wind and round wind", (one(". 1z pon0 >9m .3 . 2s ron0", seat0="11z9m123m456p34s9p9p", dora="1z"),), (10, 14)),
    won(11, "seat-wind-south", "a triplet of south for the south player", "222z123m456p99s35s", "4s"),
    Scenario("seat-wind-west", "a triplet of west for the west player", (one(". . . 4s ron2", seat2="333z123m456p99s35s", dora="1z"),), (12,)),
    Scenario("seat-wind-north", "a triplet of north for the north player", (one(". . 4s ron3", seat3="444z123m456p99s35s", dora="1z"),), (13,)),
    won(14, "round-wind-east", "a triplet of east in an east round", "111z123m456p99s35s", "4s", dora="2z"),
    Scenario("round-wind-south", "overtime of an east-only game: a triplet of south in a south round", (*map(cheap, range(4)), one(". 4s ron2", seat2="222z123m456p99s35s", dora="1z")), (15,)),
    Scenario("round-wind-west", "overtime of an east-south game: a triplet of west in a west round", (*map(cheap, (0, 1, 2, 3) * 2), one(". 4s ron3", seat3="333z123m456p99s35s", dora="1z")), (16,), has_south=True),
    Scenario("haku", "a pon of white dragons", (one("5z pon1 >9m . . 4s ron1", seat1="55z9m123m456p99s35s", dora="1z"),), (18,)),
    Scenario("hatsu", "a pon of green dragons", (one("6z pon1 >9m . . 4s ron1", seat1="66z9m123m456p99s35s", dora="1z"),), (19,)),
    Scenario("chun", "a pon of red dragons", (one("7z pon1 >9m . . 4s ron1", seat1="77z9m123m456p99s35s", dora="1z"),), (20,)),
    won(22, "chiitoitsu", "seven pairs, 25 fu", "1133m5577p2288s4z", "4z"),
    won(23, "chanta", "a terminal or an honour in each group", "123789m123p79s33z", "8s"),
    won(24, "ittsuu", "1 to 9 in one suit", "12345679m456p33z", "8m"),
    won(25, "sanshoku-doujun", "the same sequence in three suits", "234m234p24678s99p", "3s"),
    won(26, "sanshoku-doukou", "the same triplet in three suits", "222m222p22678s99p", "2s"),
    Scenario("sankantsu", "three open kans by one player", (one("2m kan1 1z . . 4p kan1 1z . . 8s kan1 1z . . 4s ron1", seat1="222m444p888s99p23s", dora="3z 3z 3z 3z"),), (27,)),
    Scenario("toitoi", "all triplets, two of them called", (one("2m pon1 >5z . . 4p pon1 >5z . . 9p ron1", seat1="22m44p888s99p11s55z", dora="1z"),), (28,)),
    won(29, "sanankou", "three concealed triplets", "222m444p888s67s99p", "5s"),
    won(30, "shousangen", "two triplets and a pair of dragons", "555z666z77z234m67p", "8p", 18, 19),
    won(31, "honroutou", "terminals and honours only", "111m999p11199s33z", "9s", 28, 29),
    won(32, "ryanpeikou", "two pairs of identical sequences", "223344m667788p9s", "9s"),
    won(33, "junchan", "a terminal in each group", "123789m12311p79s", "8s"),
    won(34, "honitsu", "one suit and honours", "12334568m33z444z", "7m"),
    won(35, "chinitsu", "one suit", _FLUSH, "7m"),
    Scenario("dora", "dora, a red five and three ura dora", (one(".5 9s>r9s . 1m 2s ron1", seat1="123m406p678s11m34s", dora="9m", ura="9m"),), (1, 2, 7)),
)

_YAKUMAN = (
    Scenario("tenhou", "the dealer wins with the first draw", (one("2s>tsumo", seat0=_PLAIN),), (37,)),
    Scenario("chiihou", "another player's tsumo with the first draw", (one(". 2s>tsumo", seat1=_PLAIN),), (38,)),
    won(39, "daisangen", "three triplets of dragons, nobody liable", "555z666z77z123m99s", "7z"),
    Scenario("suuankou", "four concealed triplets, by tsumo", (one(".5 6p>tsumo", seat1="222m444p888s66p33z"),), (40,)),
    won(41, "suuankou-tanki", "four concealed triplets, won on the pair", "222m444666p888s3z", "3z"),
    won(42, "tsuuiisou", "honours only", "111z222z333z55z66z", "5z"),
    won(43, "ryuuiisou", "green tiles only", "22334466688s66z", "6z"),
    won(44, "chinroutou", "terminals only", "111999m11199p11s", "9p"),
    won(45, "chuuren", "nine gates without the nine-sided wait", "1112345567899m", "9m"),
    won(46, "junsei-chuuren", "nine gates with a nine-sided wait", "1112345678999m", "5m"),
    won(47, "kokushi", "thirteen orphans with one wait", "19m19p19s12345z66z", "7z"),
    won(48, "kokushi-13", "thirteen orphans with a thirteen-sided wait", "19m19p19s1234567z", "1z"),
    won(49, "daisuushii", "four triplets of winds, nobody liable", "111z222z333z44z55m", "4z"),
    won(50, "shousuushii", "three triplets and a pair of winds", "111z222z333z44z67m", "8m"),
    Scenario("suukantsu", "four kans by one player: the hand goes on and is won", (one("2m kan1 9m . . 4p kan1 9m . . 8s kan1 9m . . 6p kan1 9m . . 1z ron1", seat1="222m444666p888s1z"),), (51,)),
    Scenario("kazoe", "counted yakuman of 13 han: riichi, ippatsu, pinfu, full straight, full flush, two dora", (one(".5 9p>r9p 2m ron1", seat1="12345678934m11m", dora="1m", ura="1z"),), (1, 2, 7, 24, 35)),
    Scenario("two-yakuman", "all honours and four concealed triplets: a double payment", (one(".5 5z>tsumo", seat1="111z222z333z55z66z"),), (40, 42)),
)

_DRAWS = (
    Scenario("nine-terminals", "nine kinds of terminals and honours at the first draw", (one("5m>nine", seat0="19m19p19s1234567z"),), end=HandEnd.KYUUSHU),
    Scenario("four-winds", "the same wind discarded by all four in the first go-around", (one("3z 3z 3z 3z abort"),), end=HandEnd.SUUFON),
    Scenario("four-riichi", "four riichi: the sticks stay on the table", (one("9s>r9s 9s>r9s 9p>r9p 9p>r9p abort", seat0="123m456p78s22233z", seat1="456m123p45s66677z", seat2="234m567p67s444z11s", seat3="567m234p34s555z88m"),), end=HandEnd.SUUCHA),
    Scenario("four-kans", "four kans by two players", (one("1m>k1m 2p>k2p 5s>2s 3m>k3m 4p>k4p 5s>5s abort", seat0="111m222p2s", seat1="333m444p"),), end=HandEnd.SUUKAIKAN),
    Scenario("three-ron", "three rons on one discard: nobody is paid", (one("9m ron1,2,3", seat1="78m123p456s777z33z", seat2="78m123p456s666z44z", seat3="78m789p456p555z22s"),), end=HandEnd.SANCHAHOU),
    Scenario("nobody-tenpai", "an exhaustive draw without a tenpai player: no payment", (one("end"),), end=HandEnd.EXHAUSTIVE),
    Scenario("two-tenpai", "two players tenpai at the draw, one of them the dealer, who repeats", (one("end", seat0=_PLAIN, seat2="123m456m678p99m34p"),), end=HandEnd.EXHAUSTIVE),
    Scenario("nagashi", "nagashi mangan: only terminals and honours discarded, none of them called", (one("end:2"),), end=HandEnd.NAGASHI),
    Scenario("nagashi-dealer", "nagashi mangan by the dealer, who is not tenpai: the deal passes", (one("end:0"),), end=HandEnd.NAGASHI),
    Scenario("nagashi-two", "nagashi mangan by two players: both are paid", (one("end:13", seat0="2468m2468p22468s", seat1="3357m3357p33557s", seat2="2468m2468p22468s", seat3="3577m3577p33577s"),), end=HandEnd.NAGASHI),
)

_DRAGONS, _WINDS = "55z66z77z78s99p11m1p", "11z22z33z44z5m78s99p"
_PAO = (
    Scenario("pao-daisangen-tsumo", "the player who fed the third dragon pays the tsumo alone", (one("5z pon1 >1m . . 6z pon1 >1m . 7z pon1 >1p .3 9s>tsumo", seat1=_DRAGONS),), (39,)),
    Scenario("pao-daisangen-ron", "a ron on another player is split with the player who fed the last meld", (one("5z pon1 >1m . . 6z pon1 >1m . 7z pon1 >1p 9s ron1", seat1=_DRAGONS),), (39,)),
    Scenario("pao-daisangen-own-ron", "a ron on the player who fed the third dragon, who pays all", (one("5z pon1 >1m . . 6z pon1 >1m . 7z pon1 >1p . 9s ron1", seat1=_DRAGONS),), (39,)),
    Scenario("pao-daisuushii-tsumo", "the player who fed the fourth wind pays the tsumo alone", (one("1z pon1 >7s . . 2z pon1 >8s . . 3z pon1 >9p 4z pon1 >9p . . . 5m>tsumo", seat1=_WINDS),), (49,)),
    Scenario("pao-daisuushii-ron", "a ron on another player is split with the player who fed the last meld", (one("1z pon1 >7s . . 2z pon1 >8s . . 3z pon1 >9p 4z pon1 >9p . . 5m ron1", seat1=_WINDS),), (49,)),
    Scenario("pao-two-yakuman", "liability for one yakuman of two: the player who fed it pays both", (one("1z pon1 >7s . . 2z pon1 >8s . . 3z pon1 >9p 4z pon1 >9p . . . 5z>tsumo", seat1=_WINDS.replace("5m", "5z")),), (42, 49)),
)

_SEVERAL = (
    Scenario("double-ron", "a double ron: the first in turn order takes honba and the stick on the table", (one(".4 9s>r9s end", seat0=_PLAIN), one("9m ron3,1", seat1="78m123p456s777z33z", seat3="78m456p456s555z33z")), (18, 20)),
    Scenario("double-ron-riichi", "a double ron: the first winner also takes the riichi stick of the second", (one(". . 9s>r9s 9m ron1,2", seat1="78m123p456s777z33z", seat2="78m456p456s22233s"),), (2, 20, 21)),
)

_KANS = (
    Scenario("kan-dora-closed", "a closed kan turns its indicator at once", (one(".5 9m>k9m 2z . 2s ron1", seat1="999m123p666z55z34s"),), (19,)),
    Scenario("kan-dora-open", "an open kan's indicator is turned after the replacement draw, before the discard", (one("9m kan1 2z . 2s ron1", seat1="999m123p666z55z34s"),), (19,)),
    Scenario("kan-dora-ron", "a ron on the discard after an open kan counts the new dora", (one(". . 9p kan3 2s ron1", seat1="123m456p777z66s34s", seat3="999p2s", dora="1z 1s"),), (20,)),
    Scenario("kan-dora-rinshan", "a tsumo on an open kan's replacement tile: its dora does not count", (one("9m kan1 2s>tsumo", seat1="999m123p666z55z34s", dora="1z 8m"),), (4, 19)),
    Scenario("kan-kan", "an added kan, then a closed one: both indicators are turned", (one(". . 9m pon1 >1z .3 9m>k9m 1p>k1p 2z . 2s ron1", seat1="99m111p666z55z34s1z"),), (19,)),
    Scenario("riichi-kan", "a closed kan under riichi that does not change the waits", (one(".5 9s>r9s .3 9m>k9m 2z . 2s ron1", seat1="999m123p456p55z34s"),), (1,)),
    Scenario("rinshan-after-kakan", "an added kan and a tsumo on its replacement tile", (one("6z pon1 >1m .3 6z>k6z 2s>tsumo", seat1="66z1m123m456p55z34s"),), (4, 19)),
)

_ENDS = (
    Scenario("end-below-zero", "a player falls below zero", (one(".1 1z ron0", seat0="19m19p19s1234567z"),), (48,)),
    Scenario("end-not-at-zero", "a player has exactly zero: the game goes on", (one("7m ron1", seat1=_FLUSH, dora="1z"), one(".3 7m ron2", seat2=_FLUSH, dora="1z"), one(".2 2s ron3", seat3="123m456p678s99p34s", dora="9p")), (7,)),
    Scenario("end-last-hand", "the last hand ends and a player has 30,000", (cheap(0), cheap(1), cheap(2), one(".1 7m ron2", seat2=_FLUSH)), (35,)),
    Scenario("end-agari-yame", "the leading dealer wins the last hand", (cheap(0), cheap(1), cheap(2), one(".1 7m ron3", seat3=_FLUSH)), (35,)),
    Scenario("end-tenpai-yame", "the leading dealer is tenpai at the draw of the last hand", (one("7m ron3", seat3=_FLUSH), cheap(1), cheap(2), one("end", seat3=_PLAIN)), end=HandEnd.EXHAUSTIVE),
    Scenario("end-dealer-not-first", "the dealer wins the last hand but does not lead: the dealer repeats", (one("7m ron1", seat1=_FLUSH, dora="1z"), cheap(1), cheap(2), one(".1 2s ron3", seat3="123m456p678s99p34s", dora="9p")), (7,)),
    Scenario("end-overtime", "nobody has 30,000 after East 4: South 1, until a player reaches them", (*map(cheap, range(4)), one(". 7m ron2", seat2=_FLUSH)), (35,)),
    Scenario("end-of-overtime", "nobody has 30,000 after South 4 either: the game ends, and ties are ranked by seat", (*map(cheap, (0, 1, 2, 3) * 2),), (7,)),
    Scenario("end-sticks-left", "a riichi stick left at the end goes to first place", (one("7m ron3", seat3=_FLUSH), cheap(1), cheap(2), one("9s>r9s end", seat3=_PLAIN)), end=HandEnd.EXHAUSTIVE),
)

_SANMA = (
    Scenario("sanma-kita", "a north set aside counts as a dora and gets a replacement draw", (one(". 4z>kita 9s . 2s ron1", seat1="456p678s777z34s55z"),), (20,), sanma=True),
    Scenario("sanma-kita-robbed", "a ron on a kita", (one("4z>kita ron2", seat2="123p456s777z99s44z"),), (20,), sanma=True),
    Scenario("sanma-tsumo", "a tsumo with three players: the share of the missing player is lost", (one(".4 2s>tsumo", seat1=_PLAIN.replace("123m", "123p")),), (0,), sanma=True),
    Scenario("sanma-north-pair", "norths kept as the pair", (one(". 5z . 2s ron1", seat1="123456p678s44z34s"),), (7,), sanma=True),
    Scenario("sanma-supplement-kita", "a tsumo on the replacement tile of a kita", (one(".4 4z>kita 2s>tsumo", seat1="123456p678s55z34s"),), (0, 4), sanma=True),
    Scenario("sanma-one-tenpai", "one of three players tenpai at the draw", (one("end", seat1="123456p678s55z34s"),), end=HandEnd.EXHAUSTIVE, sanma=True),
    Scenario("sanma-nine-terminals", "nine terminals with three players", (one("5p>nine", seat0="19m19p19s1234567z"),), end=HandEnd.KYUUSHU, sanma=True),
)

_OPEN = (
    Scenario("open-chankan", "an open hand robs an added kan", (one("9m pon1 >1m .3 . . 2s pon0 >9p .3 2s>k2s ron1", seat0="22s9p", seat1="99m1m456p678s55z34s"),), (3,)),
    Scenario("open-haitei", "an open hand wins on the last tile of the wall", (one(". 9m pon2 >1m .67 2s>tsumo", seat2="99m1m456p678s55z34s"),), (5,)),
    Scenario("open-houtei", "an open hand wins on the last discard", (one("9m pon1 >1m .68 2s ron1", seat1="99m1m456p678s55z34s"),), (6,)),
    Scenario("closed-east", "the dealer's concealed triplet of east", (one(". 4s ron0", seat0="111z123m456p99s35s"),), (10, 14)),
    Scenario("open-kuikae", "a chi, then a discard other than the called tile", (one("3m chi1:45m >9m end", seat1="345m9m19p19s"),), end=HandEnd.EXHAUSTIVE),
    Scenario("open-north", "a pon of north by the north player", (one("4z pon3 >1m . 4s ron3", seat3="44z1m123m456p99s35s"),), (13,)),
    Scenario("open-west-round", "a pon of west in a west round", (*map(cheap, (0, 1, 2, 3) * 2), one("3z pon3 >1m . 4s ron3", seat3="33z1m123m456p99s35s")), (16,), has_south=True),
    Scenario("open-ittsuu", "1 to 9 in one suit, a third of it called", (one("3m chi1:12m >9p . . 8m ron1", seat1="12m45679m456p33z9p"),), (24,)),
    Scenario("open-sanshoku-doukou", "the same triplet in three suits, one of them called", (one("2m pon1 >1m . . 2s ron1", seat1="22m1m222p22678s99p"),), (26,)),
    Scenario("closed-sankantsu", "three closed kans", (one(".5 2m>k2m 4p>k4p 8s>k8s 9m .2 4s ron1", seat1="222m444p888s99p23s"),), (27, 29)),
    Scenario("open-sanankou", "three concealed triplets and a chi", (one("3m chi1:12m >1m . . 9p ron1", seat1="121m444p888666s9p"),), (29,)),
    Scenario("open-shousangen", "two dragons called, the third as the pair", (one("5z pon1 >1m . . 6z pon1 >1p 9p ron1", seat1="55z66z77z234m78p1m1p"),), (18, 19, 30)),
    Scenario("open-honroutou", "terminals and honours only, in triplets", (one("1m pon1 >2m . . 9p pon1 >2p 9s ron1", seat1="11m99p111s99s33z2m2p"),), (28, 31)),
    Scenario("open-junchan", "a terminal in each group, one called", (one("3m chi1:12m >9m . . 8s ron1", seat1="12m789m12311p79s9m"),), (33,)),
    Scenario("open-honitsu", "one suit and a pon of norths", (one("4z pon1 >9p . . 7m ron1", seat1="44z9p12334568m33z"),), (34,)),
    Scenario("open-chanta", "a terminal or an honour in each group, one called", (one("3m chi1:12m >5p . . 8s ron1", seat1="12m789m123p79s33z5p"),), (23,)),
    Scenario("open-chinitsu", "one suit, with a triplet called", (one("1m pon1 >1p . . 7m ron1", seat1="112223456899m1p"),), (35,)),
    Scenario("four-calls", "four triplets of one suit called: all simples, dora, and an ippatsu interrupted", (one("2m pon1 >1z . 9p>r9p 4m pon1 >2z . . 6m pon1 >3z . . 8m pon1 >4z . . 5m ron1", seat1="224466885m1234z", seat3="234567p789s55z34s", dora="1m"),), (8, 28, 35)),
    Scenario("four-calls-yakuhai", "white dragons and the same sequence in three suits, all called", (one("5z pon1 >9m . . 3m chi1:12m >9p . . 3p chi1:12p >9s . . 3s chi1:12s >1z . . 8s ron1", seat1="55z12m12p12s8s9m9p9s1z"),), (18, 25)),
    Scenario("four-calls-dealt-in", "four melds called, and a deal-in", (one("5z pon1 >9m . . 6p pon1 >9m . . 2m pon1 >9p . . 8s pon1 >9p .3 2s ron2", seat1="55z66p22m88s1z99m99p", seat2="345m456p777z11s34s"),), (20,)),
    Scenario("four-calls-noten-dealt-in", "four melds called, a wait for a fifth copy, and a deal-in", (one("5z pon1 >9m . . 6p pon1 >9m . . 2m pon1 >9p . . 8s pon1 >9p .3 2s ron2", seat1="55z66p22m88s8s99m99p", seat2="345m456p777z11s34s"),), (20,)),
    Scenario("three-calls-dealt-in", "three melds called, tenpai, and a deal-in", (one("5z pon1 >9m . . 6p pon1 >9m . . 2m pon1 >9p .3 2s ron2", seat1="55z66p22m78s11z99m9p", seat2="345m456p777z11s34s"),), (20,)),
    Scenario("three-calls-noten-dealt-in", "three melds called, not tenpai, and a deal-in", (one("5z pon1 >9m . . 6p pon1 >9m . . 2m pon1 >9p .3 2s ron2", seat1="55z66p22m58s14z99m9p", seat2="345m456p777z11s34s"),), (20,)),
    Scenario("sanbaiman-11", "eleven han", (one(".5 9p>r9p 2m ron1", seat1="12345678934m11m", dora="2z", ura="2z"),), (1, 2, 7, 24, 35)),
    Scenario("sanbaiman-12", "twelve han", (one(".5 9p>r9p 2m ron1", seat1="12345678934m11m", dora="8m", ura="2z"),), (1, 2, 7, 24, 35)),
)

_SLOW = "234567m22678p4s1z"
"""Waits for 3s and 6s with 5s in the place of 1z."""
_LURK, _DRAGON_WAIT = "234567m11p78945s", "234678m22p789s55z"
_THREAT = "9p 9m>r9m 9m 2z"
"""Seat 1 declares riichi in its first turn."""
_REVIEW = (
    Scenario("review-F101", "riichi on a wait that the player has discarded", (one("3s .3 5s>r1z end", seat0=_SLOW),), end=HandEnd.EXHAUSTIVE, finds=("F101", "F107")),
    Scenario("furiten-riichi-dealt-in", "a riichi in furiten that deals in", (one("3s .3 5s>r1z . . . 5z ron1", seat0=_SLOW, seat1=_DRAGON_WAIT),), (18,), finds=("F101", "D106")),
    Scenario("review-F102", "a discard into furiten when another one kept tenpai", (one("9m>3s .3 5s>1z .3 7s>9m .3 4s>7s end", seat0="234567m678p22s1z3s"),), end=HandEnd.EXHAUSTIVE, finds=("F102",)),
    Scenario("review-F103", "a win missed because a wait was discarded earlier", (one("3s .3 5s>1z 6s end", seat0=_SLOW),), end=HandEnd.EXHAUSTIVE, finds=("F103",)),
    Scenario("review-F104", "a ron passed, and the next one missed in furiten", (one("5s>1z 6s 3s end", seat0=_SLOW),), end=HandEnd.EXHAUSTIVE, finds=("W101", "F104")),
    Scenario("review-F105", "a ron passed under riichi: furiten until the end of the hand", (one("5s>r1z 6s .3 6s end", seat0=_SLOW),), end=HandEnd.EXHAUSTIVE, finds=("W101", "F105", "F107")),
    Scenario("review-F106", "a tsumo in furiten", (one("3s .3 5s>1z .3 6s>tsumo", seat0=_SLOW),), (0, 7, 8), finds=("F106",)),
    Scenario("review-W102", "a tsumo not taken", (one("5s>1z .3 6s>6s end", seat0=_SLOW),), end=HandEnd.EXHAUSTIVE, finds=("W102",)),
    Scenario("review-W103", "an added kan that could have been robbed", (one(". . 2s pon0 >9m .3 2s>k2s 9m end", seat0="22s9m", seat1=_PLAIN),), end=HandEnd.EXHAUSTIVE, finds=("W103",)),
    Scenario("review-W104", "a tile completes the hand, but without a yaku", (one(". . 2s end", seat1=_PLAIN),), end=HandEnd.EXHAUSTIVE, finds=("W104",)),
    Scenario("review-D101", "a deal-in far from tenpai with a safe tile in hand", (one(f"{_THREAT} 5z>6s ron1", seat0="147m258p1369s12z9m", seat1=_LURK),), (2, 7, 21), finds=("D101",)),
    Scenario("review-D102", "a deal-in with a cheap hand one tile from tenpai and a safe tile in hand", (one(f"{_THREAT} 9m>6s ron1", seat0="234567m2245p679s", seat1=_LURK),), (2, 7, 21), finds=("D102",)),
    Scenario("review-D103", "a deal-in that kept tenpai", (one(f"{_THREAT} 8p>6s ron1", seat0="234567m223457p6s", seat1=_LURK),), (2, 7, 21), finds=("D103",)),
    Scenario("review-D104", "a deal-in with nothing safer in hand", (one(f"{_THREAT} 5z ron1", seat0="23557m2468p2468s", seat1=_DRAGON_WAIT),), (2, 18, 21), finds=("D104",)),
    Scenario("review-D105", "a deal-in to a hand that showed no threat", (one(". 5s>1z . 6s ron1", seat1=_SLOW),), (7, 8), finds=("D105",)),
    Scenario("review-D106", "a deal-in while in riichi", (one("5s>r1z 9m>r9m 9m 2z 5z ron1", seat0=_SLOW, seat1=_DRAGON_WAIT),), (2, 18, 21), finds=("D106",)),
    Scenario("review-D107", "every discard would have dealt in", (one(".4 8m ron1", seat0="2223334446677m", seat1="1112345678999m"),), (46,), finds=("D107",)),
    Scenario("review-D108", "a deal-in after folding, with a safe tile in hand", (one("9p 9m>r9m 2m 2z 9m>2m 1z 1z 2z 5z>6s ron1", seat0="234567m2245p679s", seat1=_LURK),), (7, 21), finds=("D108",)),
    Scenario("review-R101", "riichi on a tile of which all four are visible", (one("9p 5z 5z 5z 8s>r1z end", seat0="234567m23467s5z1z"),), end=HandEnd.EXHAUSTIVE, finds=("R101", "R103")),
    Scenario("review-R102", "silent tenpai without a yaku for two turns", (one("6m>1z 1z 9m 2z 9p end", seat0="123m789p11s456s4m1z"),), end=HandEnd.EXHAUSTIVE, finds=("R102",)),
    Scenario("review-K103", "a closed kan in riichi that lowers the hand", (one("4z>r4z 1z 9m 2z 1m>k1m 6z end", seat0="111222333m99p89s"),), end=HandEnd.EXHAUSTIVE, finds=("K103",)),
    Scenario("review-K104", "no closed kan in riichi, though it would have raised the hand", (one("4z>r4z 1z 9m 2z 5z end", seat0="123m456p99p78s555z"),), end=HandEnd.EXHAUSTIVE, finds=("K104",)),
)
# fmt: on

SCENARIOS = MappingProxyType(
    {
        scenario.name: scenario
        for family in (_YAKU, _YAKUMAN, _DRAWS, _PAO, _SEVERAL, _KANS, _ENDS, _SANMA, _OPEN, _REVIEW)
        for scenario in family
    }
)
"""Every scenario by name, in the order in which they are listed."""
