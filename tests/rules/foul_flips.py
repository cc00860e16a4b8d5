"""One case for each rule of fouls: a probe whose result changes when that rule, and only it, is flipped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.flip import Flip
from rules.letter import SINGLE_ORPHANS, Case, found
from scripted import Script

from paifu.replay.course.fouls import penalties
from paifu.replay.course.settlement import (
    GameEnd,
    HandOutcome,
    HandStart,
    OutcomeKind,
    endings,
    final_result,
    next_hand,
)
from paifu.replay.rules.choices import Consequence
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rules.foul_kinds import FOUL_KINDS
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.table.engine import replay
from paifu.reports.league.games import league_games
from paifu.reports.league.season import Season
from paifu.reports.league.standings import Standings

SPREAD = (41300, 30200, 20400, 8100)
LAST, FIRST = HandStart(7, 2, 0, 3), HandStart(0, 2, 0, 0)
MANGAN: dict[str, RuleValue] = {"chombo_pays": [4000, 4000, 2000]}
END = Script("end")
FALSE_WIN = Case("tenhou", (Script(". 1z foul3"), END), (), given=MANGAN | {"foul_false_win": "chombo"})
SPOILING_KAN = Case(
    "tenhou",
    (Script(". 9p>r9p . . . 7m>k7m 1z>1z end", ("", "56777m123456p89s"), dora="4z4z"), END),
    (),
    given=MANGAN | {"foul_riichi_kan": "chombo"},
)
NOTEN_RIICHI = Case("tenhou", (Script("1z>r1z end"), END), (), given=MANGAN | {"foul_noten_riichi": "chombo"})
SWAP = "3m chi1:45m >3m"
"""Seat 1 discards the tile that it just called."""
SWAP_HAND = ("", "345m9m19p19s12345z")
SWAPPED = Case(
    "tenhou", (Script(f"{SWAP} foul1:kuikae end", SWAP_HAND),), (), given={"foul_kuikae": "dead_hand"}
)
DEAD_CALL = Case(
    "tenhou",
    (Script("3m foul1:other=dead_hand chi1:45m >9m foul1:dead_acts end", SWAP_HAND),),
    (),
    given={"foul_dead_acts": "none"},
)
DEPOSIT = Case("tenhou", (Script(". foul2:empty_call end"),), (), given={"foul_empty_call": "deposit"})
SMALL = Case(
    "tenhou",
    (Script(". foul2:other foul2"), END),
    (),
    given={"foul_other": "small", "small_points": 5000, "small_after": "replay"},
)
BEATEN = Case(
    "tenhou",
    (Script(". . 9m foul3:false_win ron1", ("", "78m123p456s222z33z"), dora="9p"),),
    (),
    opening=HandStart(4, 0, 0, 0),
    given={"foul_false_win": "chombo"},
)


def finds(case: Case) -> Callable[[Ruleset], tuple[str, ...]]:
    """Probe: what is found in the log of a case."""
    return lambda rules: found(case.batch(), rules)


def stated(kind: str) -> Flip:
    """A foul that no event shows is stated: the rules have it, or it is a finding."""
    case = Case("tenhou", (Script(f". foul2:{kind} end"),), (), given={f"foul_{kind}": "none"})
    return Flip("refused", finds(case), (), ("V215",), given=case.given)


def after_chombo(start: HandStart, offender: int) -> Callable[[Ruleset], HandStart]:
    """Probe: the hand that follows one that a chombo ended."""
    return lambda rules: next_hand(rules, start, HandOutcome(OutcomeKind.FOUL, offender=offender))


def points(rules: Ruleset) -> tuple[int, ...]:
    """Probe: final points after a chombo of seat 1, a small one of seat 2, two warnings of seat 0."""
    costs = [(1, Consequence.CHOMBO), (2, Consequence.SMALL), *[(0, Consequence.WARNING)] * 2]
    return final_result(rules, SPREAD, range(4), penalties=penalties(rules, costs)).points


WARNED = Case(
    "tenhou",
    (Script(". . . . foul2:other 7z ron1", ("", SINGLE_ORPHANS)),),
    (),
    given={"foul_other": "warning", "warning_points": 20000},
)
"""A game of one hand, in which seat 2 is warned."""


def fines(rules: Ruleset) -> list[tuple[str, int]]:
    """Probe: what a league takes off a player who is warned twice on one day, and once on the next."""
    batch = WARNED.batch()
    (game,) = league_games(replay(batch, rules), None).games
    days = ("2026-03-08T19", "2026-03-08T21", "2026-03-09T19")
    games = [replace(game, id=day, started=day, names=tuple("ABCD")) for day in days]
    return [(one.player, one.points) for one in Standings(games, Season()).penalties]


CLEAN = (51300, 10200, -19600, -41900)

FOUL_FLIPS: dict[str, Flip] = {
    **{kind.rule: stated(kind.name) for kind in FOUL_KINDS},
    "foul_false_win": Flip("refused", finds(FALSE_WIN), (), ("V212",), given=FALSE_WIN.given),
    "foul_noten_riichi": Flip("refused", finds(NOTEN_RIICHI), (), ("V207", "V212"), given=NOTEN_RIICHI.given),
    "foul_riichi_kan": Flip("refused", finds(SPOILING_KAN), (), ("V206", "V212"), given=SPOILING_KAN.given),
    "foul_kuikae": Flip("refused", finds(SWAPPED), (), ("V205", "V215"), given=SWAPPED.given),
    "foul_dead_acts": Flip("refused", finds(DEAD_CALL), (), ("V215", "V216"), given=DEAD_CALL.given),
    "noten_riichi_found": Flip("own_win", finds(NOTEN_RIICHI), (), ("V212",), given=NOTEN_RIICHI.given),
    "riichi_kan_found": Flip("own_win", finds(SPOILING_KAN), (), ("V212",), given=SPOILING_KAN.given),
    "chombo_pays": Flip([3000, 3000, 3000], finds(FALSE_WIN), (), ("V401",), given=FALSE_WIN.given),
    "chombo_points": Flip(20000, points, CLEAN, (51300, -9800, -19600, -41900)),
    "small_points": Flip(5000, points, CLEAN, (51300, 10200, -24600, -41900)),
    "warning_points": Flip(10000, points, CLEAN, (41300, 10200, -19600, -41900)),
    "warnings_over": Flip("day", fines, [], [("C", -20000)], given=WARNED.given),
    "warning_count": Flip(3, points, (41300, 10200, -19600, -41900), CLEAN, given={"warning_points": 10000}),
    "points_before_places": Flip(
        True,
        points,
        (51300, -9800, -19600, -41900),
        (51300, -29800, 400, -41900),
        given={"chombo_points": 20000},
    ),
    "chombo_after": Flip(
        "replay_dealer_passes", after_chombo(FIRST, 0), HandStart(1, 3, 0, 1), HandStart(1, 2, 0, 1)
    ),
    "chombo_last": Flip(
        "ends",
        lambda r: endings(r, LAST, HandOutcome(OutcomeKind.FOUL, offender=0), SPREAD)[0],
        None,
        GameEnd.LAST_HAND,
        given={"chombo_after": "replay"},
    ),
    "small_after": Flip("goes_on", finds(SMALL), (), ("V212",), given=SMALL.given),
    "deposit_sticks": Flip(2, finds(DEPOSIT), (), ("V403", "V501"), given=DEPOSIT.given),
    "win_beats_foul": Flip(False, finds(BEATEN), (), ("V212",), given=BEATEN.given),
}
