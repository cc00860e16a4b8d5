"""Scripted hands that one preset allows and Tenhou's rules fault: what sets rule sheets apart, in play.

Each case is played under a preset by a script. Verified under the preset the log has no finding; verified
under Tenhou's rules, with the preset's players and red fives, it has those that the case names. Where a
preset is the stricter one, the case is played under Tenhou's rules and verified under the preset's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scripted import Script, play_scripts

from paifu.api.simulated import batch_of
from paifu.replay.course.settlement import HandStart
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import Batch
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.table.engine import replay

EAST_1, EAST_4, SOUTH_1, SOUTH_4, WEST_1, WEST_4 = (
    HandStart(number, 0, 0, number % 4) for number in (0, 3, 4, 7, 8, 11)
)
_OF_THE_SET = ("players", "red_man", "red_pin", "red_sou", "uma")
"""What the other rules take over from the case, unless it is about one of these."""


@dataclass(frozen=True)
class Case:
    """Scripts, the preset that allows them, and what the other's rules find in their log."""

    preset: str
    scripts: tuple[Script, ...]
    faults: tuple[str, ...]
    opening: HandStart = EAST_1
    scores: tuple[int, ...] | None = None
    given: dict[str, RuleValue] = field(default_factory=dict)
    """Options of the preset that are switched."""
    other: str = "tenhou"
    other_given: dict[str, RuleValue] = field(default_factory=dict)
    keeps: tuple[str, ...] = ()
    """Rules that the other does not take over."""

    def rules(self) -> Ruleset:
        """Return the rules that allow it."""
        return with_overrides(load_preset(self.preset), self.given)

    def others(self) -> Ruleset:
        """Return the rules that object, for the same tiles and players."""
        values = self.rules().values()
        taken = {name: values[name] for name in _OF_THE_SET if name not in self.keeps}
        return with_overrides(load_preset(self.other), taken | self.other_given)

    def batch(self) -> Batch:
        """Return the log."""
        game = play_scripts(self.rules(), *self.scripts, opening=self.opening, scores=self.scores)
        return batch_of([game], "paifu")


def found(batch: Batch, *rules: Ruleset) -> tuple[str, ...]:
    """Return the codes that a verification finds, each once."""
    return tuple(sorted(set(map(code_of, replay(batch, *rules).findings.code.tolist()))))


DRAGONS, SOUTHS = "78m123p456s777z33z", "78m456p456s222z33z"
"""Each waits for 69m and has a yaku in South 1."""
DEALER_WINS = Script(". 2s ron3", ("", "", "", "123m456m678p44z34s"), dora="1z")
GREENS = "78m234678p666z11z"
PAIRS_OF_WINDS = ("123m456p789s1122z", "123m456p789s3344z", "789m123p456s5566z")
SINGLE_ORPHANS = "19m19p119s123456z"
"""Waits for 7z."""

LEVEL = (25000,) * 4
_PINFU = "123m456p678s99p34s"


def _cheap(dealer: int) -> Script:
    """The player after the dealer wins 1,000 points from the player after that."""
    winner = (dealer + 1) % 4
    return Script(f". . 2s ron{winner}", ("",) * winner + (_PINFU,), dora="9p")


_EAST_ROUND = (Script("7m ron1", ("", "1122234568999m"), dora="1z"), _cheap(1), _cheap(2))
"""South wins 12,000 points and passes the deal on, and so do the others."""

CASES = {
    "yakuza2: an open kan turns its indicator at once, and a win on its supplement tile counts it": Case(
        "yakuza2",
        (Script("5p kan1 1z>tsumo", ("", "555p123m456m789s1z"), dora="9m4p"),),
        ("V209", "V308"),
    ),
    "yakuza2: the final points are table points and uma": Case(
        "yakuza2", (Script("7z ron1", ("", SINGLE_ORPHANS)),), ("V506",)
    ),
    "saki: two of the red fives are dots": Case(
        "saki",
        (Script("9m ron1", ("", "78m00p456p456s777z")),),
        ("V103",),
        keeps=("red_man", "red_pin", "red_sou"),
    ),
    "saki: thirteen orphans rob a closed kan": Case(
        "saki", (Script("9s 1m>k1m ron2", ("", "111m", "9m19p19s12345677z")),), ("V301",)
    ),
    "saki: both winners are paid the honba": Case(
        "saki", (Script("9m ron1,3", ("", DRAGONS, "", SOUTHS)),), ("V401",), opening=HandStart(4, 1, 0, 0)
    ),
    "saki: nine terminals abort after the closed kan of another": Case(
        "saki",
        (Script("9m 2s>k2s 9m 9p>nine", ("", "222s", "19m19p19s2234z345p")),),
        ("V212",),
    ),
    "riichi-encyclopedia: a kan's indicator is turned before the supplement tile": Case(
        "riichi-encyclopedia",
        (Script("6p kan1 1z>tsumo", ("", "666p123m456m789s1z"), dora="9m5p"),),
        ("V209", "V308"),
    ),
    "riichi-encyclopedia: the leading dealer who wins the last hand deals on": Case(
        "riichi-encyclopedia",
        (DEALER_WINS, Script("end")),
        ("V505",),
        opening=SOUTH_4,
        scores=(22000, 22000, 22000, 34000),
    ),
    "riichi-encyclopedia: several yakuman in one hand pay one": Case(
        "riichi-encyclopedia",
        (Script(". . . . 5z ron1", ("", "111z222z333z666z5z")),),
        ("V304",),
    ),
    "yakuza2: the other end of a run may be discarded after a chi": Case(
        "yakuza2",
        (Script("5m chi1:34m >2m end", ("", "234m123456789p1s")),),
        ("V205",),
    ),
    "saki, three rons paid: all three win": Case(
        "saki",
        (Script("9m ron1,2,3", ("", DRAGONS, GREENS, SOUTHS)),),
        ("V309",),
        opening=SOUTH_1,
        given={"abort_sanchahou": False},
    ),
    "saki: another overtime round follows West 4": Case(
        "saki", (Script("end"), Script("end")), ("V505",), opening=WEST_4, scores=LEVEL
    ),
    "saki: overtime ends with 30,000 although the dealer stays": Case(
        "tenhou",
        (Script("end", PAIRS_OF_WINDS[:2]), Script("end")),
        ("V505",),
        opening=WEST_1,
        scores=(22000, 29000, 24000, 25000),
        other="saki",
    ),
    "saki: calling a tile does not end temporary furiten": Case(
        "tenhou",
        (Script(". . 9m 7z pon1 >3z 6m ron1", ("", "78m123p456s33377z")),),
        ("V303",),
        opening=SOUTH_1,
        other="saki",
    ),
    "saki: nine terminals and honours of eight kinds abort the hand": Case(
        "saki", (Script("1z>nine", ("19m19p19s112z2345p",)),), ("V212",)
    ),
    "kwan-official: several yakuman in one hand pay one": Case(
        "kwan-official", (Script(". . . . 5z ron1", ("", "111z222z333z666z5z")),), ("V304",)
    ),
    "kwan-official: a riichi winner has no ura dora": Case(
        "tenhou",
        (Script(". 9p>r9p . . . . 2s ron1", ("", "123m456m678p55z34s"), dora="1z", ura="4z"),),
        ("V308",),
        other="kwan-official",
    ),
    "kwan-official: who calls has no nagashi mangan": Case(
        "kwan-official", (Script("5p pon1 >1z end:1", ("", "55p1z")),), ("V407",)
    ),
    "kwan-official: four kans by two players end the hand before the supplement tile": Case(
        "kwan-official",
        (Script("2m kan1 9m . . 4p kan1 9p . . 8s kan1 9s . . 6p kan2 abort", ("", "222m444p888s", "666p")),),
        ("V212",),
        other_given={"kan_dora_timing": "at_once"},
    ),
    "kwan-official, no pair needed: the fourth kan wins at once": Case(
        "kwan-official",
        (Script("2m kan1 9m . . 4p kan1 9p . . 8s kan1 9s . . 6p kan1 >tsumo", ("", "222m444p888s666p")),),
        ("V301",),
        given={"suukantsu_needs_pair": False},
        other_given={"kan_dora_timing": "at_once"},
    ),
    "kwan-house, the pair matters: four consecutive triplets on a pair of their suit": Case(
        "kwan-house",
        (Script("2m pon1 >1z . . 8m ron1", ("", "22333444555m8m1z")),),
        ("V304",),
        given={"suurenkou_pair": "same_suit"},
        other_given={"kan_dora_timing": "at_once"},
    ),
    "mcgill-riichi: a rinshan win on a fed kan is priced as a ron": Case(
        "mcgill-riichi",
        (Script("6p kan1 1z>tsumo", ("", "666p123m456m789s1z")),),
        ("V307", "V404"),
    ),
    "riichi-encyclopedia: a player with nothing left goes on only where hakoten is below zero": Case(
        "tenhou",
        (Script("9m ron1", ("", DRAGONS), dora="1z"), Script("end")),
        ("V505",),
        opening=SOUTH_1,
        scores=(1300, 33000, 33000, 32700),
        other="riichi-encyclopedia",
    ),
    **{
        f"{preset}: the leading dealer who wins the last hand may go on": Case(
            preset,
            (DEALER_WINS, Script("end")),
            ("V505",),
            opening=SOUTH_4,
            scores=(22000, 22000, 22000, 34000),
        )
        for preset in ("yakuza2", "saki", "mcgill-riichi")
    },
    "saki: the dealer may end the last hand's game without the lead": Case(
        "saki",
        (*_EAST_ROUND, Script(". 2s ron3", ("", "", "", _PINFU), dora="9p")),
        ("V505",),
        given={"wind_rounds": 1},
        other_given={"wind_rounds": 1},
    ),
    "yakuza2: the leading dealer who wins the last hand may end the game": Case(
        "yakuza2",
        (*_EAST_ROUND, Script(". 7m ron3", ("", "", "", "1122234568999m"), dora="1z")),
        ("V506",),
        given={"wind_rounds": 1},
        other_given={"wind_rounds": 1},
    ),
    "riichi-encyclopedia: the game may go on after a last hand with the dealer noten": Case(
        "riichi-encyclopedia",
        (Script("end"), Script("end")),
        ("V505",),
        opening=SOUTH_4,
        scores=(22000, 22000, 22000, 34000),
    ),
    "yakuza2, the side mission: one player starts with 10,000 points": Case(
        "yakuza2",
        (Script("7z ron1", ("", SINGLE_ORPHANS)),),
        ("V501", "V506"),
        given={"start_points_by_seat": [10000, 25000, 25000, 25000]},
    ),
    "riichi-encyclopedia: a tenpai player may declare noten": Case(
        "riichi-encyclopedia", (Script("end-1", ("", PAIRS_OF_WINDS[0])),), ("V406",)
    ),
    "riichi-encyclopedia, the dead wall shrinks: a kan takes no tile from the wall": Case(
        "riichi-encyclopedia",
        (Script("1z>k1z end", ("111z",)),),
        ("V201",),
        given={"dead_wall_shrinks": True},
    ),
    "riichi-encyclopedia, winds stay with their seats: the second dealer's wind is south": Case(
        "riichi-encyclopedia",
        (Script(". . 9m ron1", ("", "78m123p456s222z33z"), dora="9p"),),
        ("V302",),
        opening=HandStart(1, 0, 0, 1),
        given={"seat_winds_rotate": False},
    ),
    "yakuza2: a closed kan of dragons makes nobody liable for the third set": Case(
        "yakuza2",
        (
            Script(
                ". 5z>k5z 1s . . 6z pon1 >9s . . 7z pon1 >8s . . . 9p>tsumo",
                ("", "555z66z77z9p123m89s"),
                dora="1m1m",
            ),
        ),
        ("V404",),
        other_given={"kan_dora_timing": "at_once"},
    ),
    "mcgill-riichi: a closed kan of dragons counts for the liability": Case(
        "mcgill-riichi",
        (
            Script(
                ". 5z>k5z 1s . . 6z pon1 >9s . . 7z pon1 >8s . . . 9p>tsumo",
                ("", "555z66z77z9p123m89s"),
                dora="1m1m",
            ),
        ),
        ("V404", "V506"),
        other="yakuza2",
        other_given={"kan_dora_timing": "before_discard"},
    ),
    "yakuza2: a kan that spoils a riichi costs 8,000 points at the draw": Case(
        "yakuza2",
        (Script(". 9p>r9p . . . 7m>k7m 1z>1z end", ("", "56777m123456p89s"), dora="4z4z"), Script("end")),
        ("V206", "V212", "V401"),
    ),
    "saki: riichi without tenpai costs a mangan at the draw": Case(
        "saki", (Script("1z>r1z end"), Script("end")), ("V207", "V212", "V401")
    ),
    "riichi-encyclopedia: a false win costs a mangan": Case(
        "riichi-encyclopedia", (Script(". 1z foul3"), Script("end")), ("V212", "V401")
    ),
    "riichi-encyclopedia, fouls at once and a new start: the hand is played again": Case(
        "riichi-encyclopedia",
        (Script(". 9p>r9p . . 9s>r9s foul0", ("", "123m456m678p55z34s")), Script("end")),
        ("V207", "V212", "V401"),
        given={"noten_riichi_found": "at_once", "chombo_after": "replay"},
    ),
    "yakuza2, points off at the end: a foul is settled in the final points": Case(
        "yakuza2",
        (Script(". 1z foul3"), *(Script("end") for _ in range(3))),
        ("V212", "V505"),
        given={
            "foul_false_win": "chombo",
            "chombo_pays": [],
            "chombo_points": 20000,
            "wind_rounds": 1,
            "max_wind_rounds": 1,
        },
    ),
}
