"""One case for each rule: a probe whose result changes when that rule, and only it, is flipped.

Probes call what ``paifu verify``, ``score`` and ``simulate`` call. Here are the rules of the table's course
and of final points; ``scoring_flips`` has those that one winning hand shows, ``table_flips`` those that only
a table in play shows, ``payment_flips`` those that the payments of a log show.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from case_data import case_data
from rules.flip import Flip
from rules.foul_flips import FOUL_FLIPS
from rules.payment_flips import PAYMENT_FLIPS
from rules.scheme_flips import SCHEME_FLIPS
from rules.scoring_flips import SCORING_FLIPS
from rules.table_flips import TABLE_FLIPS, log_has

from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.replay.course.chips import chips_of_wins
from paifu.replay.course.settlement import (
    GameEnd,
    HandOutcome,
    HandStart,
    OutcomeKind,
    endings,
    final_result,
    next_hand,
)
from paifu.replay.facts.tables import ScoredWins
from paifu.replay.kernels.rows import SCORED
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset

EAST_1, EAST_4, SOUTH_4, WEST_1, WEST_4 = (
    HandStart(0, 0, 0, 0),
    HandStart(3, 0, 0, 3),
    HandStart(7, 0, 0, 3),
    HandStart(8, 0, 0, 0),
    HandStart(11, 0, 0, 3),
)
CHILD_WINS = HandOutcome(OutcomeKind.WIN, winners=(1,))
DEALER_0_WINS = HandOutcome(OutcomeKind.WIN, winners=(0,))
DEALER_3_WINS = HandOutcome(OutcomeKind.WIN, winners=(3,))
NOBODY_TENPAI = HandOutcome(OutcomeKind.EXHAUSTIVE)
DEALER_3_TENPAI = HandOutcome(OutcomeKind.EXHAUSTIVE, tenpai=(3,))
ABORTED = HandOutcome(OutcomeKind.ABORTIVE)
LEVEL = (25000, 25000, 25000, 25000)
SPREAD = (41300, 30200, 20400, 8100)
TIED = (35000, 35000, 20000, 10000)


def over(start: HandStart, end: HandOutcome, *scores: int) -> Callable[[Ruleset], GameEnd | None]:
    return lambda rules: endings(rules, start, end, scores)[0]


def points(*scores: int, **known: Any) -> Callable[[Ruleset], tuple[int, ...]]:
    return lambda rules: final_result(rules, scores, winners=range(rules.table.players), **known).points


def seats_of_a_simulated_game(rules: Ruleset) -> int:
    return len(Simulator(rules, tuple(PLAYERS.values())).game(0).hands[0].deltas)


TABLE = {
    "players": Flip(3, seats_of_a_simulated_game, 4, 3),
    "wind_rounds": Flip(1, over(EAST_4, CHILD_WINS, *SPREAD), None, GameEnd.LAST_HAND),
    "max_wind_rounds": Flip(2, over(SOUTH_4, CHILD_WINS, *LEVEL), None, GameEnd.LIMIT),
    "start_points_by_seat": Flip(
        [10000, 25000, 25000, 40000],
        lambda r: Simulator(r, tuple(PLAYERS.values())).game(0).hands[0].scores,
        (25000, 25000, 25000, 25000),
        (10000, 25000, 25000, 40000),
    ),
    "red_man": Flip(0, log_has(103, "hanchan.mjlog.gz"), False, True),
    "red_pin": Flip(2, log_has(103, "hanchan.mjlog.gz"), False, True),
    "red_sou": Flip(0, log_has(103, "hanchan.mjlog.gz"), False, True),
}

PROGRESS = {
    "agari_renchan": Flip(
        False, lambda r: next_hand(r, SOUTH_4, DEALER_3_WINS), HandStart(7, 1, 0, 3), HandStart(8, 0, 0, 0)
    ),
    "tenpai_renchan": Flip(
        False, lambda r: next_hand(r, SOUTH_4, DEALER_3_TENPAI), HandStart(7, 1, 0, 3), HandStart(8, 1, 0, 0)
    ),
    "abort_renchan": Flip(
        False, lambda r: next_hand(r, EAST_1, ABORTED), HandStart(0, 1, 0, 0), HandStart(1, 1, 0, 1)
    ),
    "abort_renchan_by": Flip(
        {"suufon": False},
        lambda r: [
            next_hand(r, EAST_1, HandOutcome(OutcomeKind.ABORTIVE, abort=end)).dealer
            for end in (HandEnd.SUUFON, HandEnd.SUUCHA)
        ],
        [0, 0],
        [1, 0],
    ),
    "target_points": Flip(0, over(SOUTH_4, CHILD_WINS, *LEVEL), None, GameEnd.LAST_HAND),
    "sudden_death": Flip(False, over(WEST_1, CHILD_WINS, *SPREAD), GameEnd.TARGET, None),
    "sudden_death_over_renchan": Flip(
        True, over(WEST_1, DEALER_0_WINS, 30100, 31000, 20000, 18900), None, GameEnd.TARGET
    ),
    "agari_yame": Flip(
        False, over(SOUTH_4, DEALER_3_WINS, 20000, 20000, 20000, 40000), GameEnd.AGARI_YAME, None
    ),
    "tenpai_yame": Flip(
        False, over(SOUTH_4, DEALER_3_TENPAI, 20000, 20000, 20000, 40000), GameEnd.TENPAI_YAME, None
    ),
    "yame_leads": Flip(
        False, over(SOUTH_4, DEALER_3_WINS, 31000, 20000, 19000, 30000), None, GameEnd.AGARI_YAME
    ),
    "yame_choice": Flip(
        True,
        lambda r: endings(r, SOUTH_4, DEALER_3_WINS, (20000, 20000, 20000, 40000)),
        (GameEnd.AGARI_YAME,),
        (GameEnd.AGARI_YAME, None),
    ),
    "multi_ron_renchan": Flip(
        "nearest",
        lambda r: next_hand(r, EAST_1, HandOutcome(OutcomeKind.WIN, winners=(3, 0))),
        HandStart(0, 1, 0, 0),
        HandStart(1, 0, 0, 1),
    ),
    "dealer_wins_pass": Flip(
        True,
        lambda r: next_hand(r, EAST_1, HandOutcome(OutcomeKind.WIN, winners=(0,), is_rewarded=True)),
        HandStart(0, 1, 0, 0),
        HandStart(1, 0, 0, 1),
        given={"thirteen_dealer_wins_han": 13},
    ),
    "last_draw_renchan": Flip(
        True, lambda r: next_hand(r, SOUTH_4, NOBODY_TENPAI), HandStart(8, 1, 0, 0), HandStart(7, 1, 0, 3)
    ),
    "last_noten": Flip("goes_on", over(SOUTH_4, NOBODY_TENPAI, *SPREAD), GameEnd.LAST_HAND, None),
    "tobi": Flip("at_zero", over(EAST_1, CHILD_WINS, 50000, 30000, 20000, 0), None, GameEnd.TOBI),
    "ceiling_points": Flip(
        60000, over(EAST_1, CHILD_WINS, 60000, 20000, 10000, 10000), None, GameEnd.CEILING
    ),
}

FINAL = {
    "yakitori_to": Flip(
        "first",
        lambda r: final_result(r, SPREAD, (0, 1)).points,
        (71300, 30200, -39600, -61900),
        (71300, 10200, -29600, -51900),
        given={"yakitori_points": 10000},
    ),
    "yakitori_again": Flip(
        True,
        lambda r: final_result(r, SPREAD, (0, 1, 2, 3, 1)).points,
        (51300, 10200, -19600, -41900),
        (41300, 40200, -29600, -51900),
        given={"yakitori_points": 10000},
    ),
}


def chips(*changes: tuple[str, int], liable: int = 255) -> Callable[[Ruleset], list[int]]:
    """Probe: the chips of a win of seat 0 from seat 1, a ron with a closed hand but for what is changed."""
    row = np.zeros(ScoredWins.cells(), np.int64)
    for name, value in (("source", 1), *changes):
        row[getattr(SCORED, name)] = value
    return lambda rules: chips_of_wins(rules, [row], [liable])


CHIPS = {
    "chips_ippatsu": Flip(2, chips(("situation", Situation.IPPATSU)), [1, -1, 0, 0], [2, -2, 0, 0]),
    "chips_ura": Flip(0, chips(("ura", 2)), [2, -2, 0, 0], [0, 0, 0, 0]),
    "chips_pochi": Flip(
        2, chips(("situation", Situation.POCHI), ("source", 0)), [3, -1, -1, -1], [6, -2, -2, -2]
    ),
    "chips_red": Flip(2, chips(("red", 1)), [1, -1, 0, 0], [2, -2, 0, 0]),
    "chips_red_closed": Flip(True, chips(("red", 2), ("is_open", 1)), [2, -2, 0, 0], [0, 0, 0, 0]),
    "chips_yakuman_ron": Flip(8, chips(("yakuman", 1)), [10, -10, 0, 0], [8, -8, 0, 0]),
    "chips_yakuman_tsumo": Flip(4, chips(("yakuman", 1), ("source", 0)), [15, -5, -5, -5], [12, -4, -4, -4]),
    "chips_kazoe": Flip(True, chips(("limit", 5)), [0, 0, 0, 0], [10, -10, 0, 0]),
    "chips_liable": Flip(
        False, chips(("yakuman", 1), ("source", 0), liable=2), [15, 0, -15, 0], [15, -5, -5, -5]
    ),
}


def _final(value: Any, scores: list[int], before: list[int], after: list[int], **flip: Any) -> Flip:
    """A row of the table: scores, and the final points that follow before and after."""
    known = flip.pop("known", {})
    return Flip(value, points(*scores, **known), tuple(before), tuple(after), **flip)


FLIPS: dict[str, Flip] = {
    **{rule: _final(**row) for rule, row in case_data("flips")["final"].items()},
    **TABLE, **PROGRESS, **FINAL, **CHIPS, **FOUL_FLIPS, **SCORING_FLIPS, **TABLE_FLIPS, **PAYMENT_FLIPS,
    **SCHEME_FLIPS,
}  # fmt: skip
