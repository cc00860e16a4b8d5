"""One case for each rule: a probe whose result changes when that rule, and only it, is flipped.

Here are the rules of the table's course and of final points; ``scoring_flips`` has those that one winning
hand shows, ``table_flips`` those that only a table in play shows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.flip import Flip
from rules.scoring_flips import SCORING_FLIPS
from rules.table_flips import TABLE_FLIPS

from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.table.settlement import (
    GameEnd,
    HandEnd,
    HandKind,
    HandStart,
    chombo_payments,
    collected,
    final_result,
    game_over,
    nagashi_payments,
    next_hand,
    noten_payments,
    ron_winners,
)

EAST_1, EAST_4, SOUTH_4, WEST_1, WEST_4 = (
    HandStart(0, 0, 0, 0),
    HandStart(3, 0, 0, 3),
    HandStart(7, 0, 0, 3),
    HandStart(8, 0, 0, 0),
    HandStart(11, 0, 0, 3),
)
CHILD_WINS = HandEnd(HandKind.WIN, winners=(1,))
DEALER_3_WINS = HandEnd(HandKind.WIN, winners=(3,))
NOBODY_TENPAI = HandEnd(HandKind.EXHAUSTIVE)
DEALER_3_TENPAI = HandEnd(HandKind.EXHAUSTIVE, tenpai=(3,))
ABORTED = HandEnd(HandKind.ABORTIVE)
LEVEL = (25000, 25000, 25000, 25000)
SPREAD = (41300, 30200, 20400, 8100)
TIED = (35000, 35000, 20000, 10000)


def over(start: HandStart, end: HandEnd, *scores: int) -> Callable[[Ruleset], GameEnd | None]:
    return lambda rules: game_over(rules, start, end, scores)


def points(*scores: int, **known: Any) -> Callable[[Ruleset], tuple[int, ...]]:
    return lambda rules: final_result(rules, scores, **known).points


TABLE = {
    "players": Flip(3, lambda r: (r.live_wall, r.seat_wind(0, 1)), (70, 30), (55, 29)),
    "wind_rounds": Flip(1, over(EAST_4, CHILD_WINS, *SPREAD), None, GameEnd.LAST_HAND),
    "max_wind_rounds": Flip(2, over(SOUTH_4, CHILD_WINS, *LEVEL), None, GameEnd.LIMIT),
    "start_points": Flip(
        30000, points(*SPREAD), (51300, 10200, -19600, -41900), (31300, 10200, -19600, -41900)
    ),
    "red_man": Flip(0, lambda r: r.red_ids, (16, 52, 88), (52, 88)),
    "red_pin": Flip(2, lambda r: r.red_ids, (16, 52, 88), (16, 52, 53, 88)),
    "red_sou": Flip(0, lambda r: r.red_ids, (16, 52, 88), (16, 52)),
}

CLAIMS = {
    "head_bump": Flip(True, lambda r: ron_winners(r, (0, 3), discarder=2), (3, 0), (3,)),
    "abort_sanchahou": Flip(False, lambda r: ron_winners(r, (0, 1, 3), discarder=2), (), (3, 0, 1)),
    "multi_ron_sticks": Flip(
        "own_first",
        lambda r: collected(r, (3, 0), HandStart(0, 2, 1, 0), declared=(0, 1)),
        ((3, 2), (0, 0)),
        ((2, 2), (1, 0)),
    ),
    "multi_ron_honba": Flip(
        "each",
        lambda r: collected(r, (3, 0), HandStart(0, 2, 0, 0), declared=()),
        ((0, 2), (0, 0)),
        ((0, 2), (0, 2)),
    ),
}

DRAWS = {
    "noten_pay_1": Flip(
        500, lambda r: noten_payments(r, (2,)), (-1000, -1000, 3000, -1000), (-500, -500, 1500, -500)
    ),
    "noten_pay_2": Flip(
        1000, lambda r: noten_payments(r, (0, 2)), (1500, -1500, 1500, -1500), (1000, -1000, 1000, -1000)
    ),
    "noten_pay_3": Flip(
        1500, lambda r: noten_payments(r, (0, 1, 2)), (1000, 1000, 1000, -3000), (500, 500, 500, -1500)
    ),
    "nagashi": Flip(
        "none", lambda r: nagashi_payments(r, EAST_1, (1,)), (-4000, 8000, -2000, -2000), (0,) * 4
    ),
    "honba_each": Flip(
        500,
        lambda r: nagashi_payments(r, HandStart(0, 1, 0, 0), (0,)),
        (12300, -4100, -4100, -4100),
        (13500, -4500, -4500, -4500),
        given={"nagashi": "win"},
    ),
    "sanma_tsumo": Flip(
        "split",
        lambda r: (nagashi_payments(r, EAST_1, (1,)), nagashi_payments(r, EAST_1, (0,))),
        ((-4000, 6000, -2000), (8000, -4000, -4000)),
        ((-5000, 8000, -3000), (12000, -6000, -6000)),
        preset="tenhou-sanma",
    ),
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
    "target_points": Flip(0, over(SOUTH_4, CHILD_WINS, *LEVEL), None, GameEnd.LAST_HAND),
    "sudden_death": Flip(False, over(WEST_1, CHILD_WINS, *SPREAD), GameEnd.TARGET, None),
    "agari_yame": Flip(
        False, over(SOUTH_4, DEALER_3_WINS, 20000, 20000, 20000, 40000), GameEnd.AGARI_YAME, None
    ),
    "tenpai_yame": Flip(
        False, over(SOUTH_4, DEALER_3_TENPAI, 20000, 20000, 20000, 40000), GameEnd.TENPAI_YAME, None
    ),
    "tobi": Flip("at_zero", over(EAST_1, CHILD_WINS, 50000, 30000, 20000, 0), None, GameEnd.TOBI),
    "ceiling_points": Flip(
        60000, over(EAST_1, CHILD_WINS, 60000, 20000, 10000, 10000), None, GameEnd.CEILING
    ),
}

FINAL = {
    "return_points": Flip(
        25000, points(*SPREAD), (51300, 10200, -19600, -41900), (36300, 15200, -14600, -36900)
    ),
    "uma": Flip(
        [30000, 10000, -10000, -30000],
        points(*SPREAD),
        (51300, 10200, -19600, -41900),
        (61300, 10200, -19600, -51900),
    ),
    "uma_by_below": Flip(
        [
            [0, 0, 0, 0],
            [8000, 3000, 1000, -12000],
            [8000, 4000, -4000, -8000],
            [12000, -1000, -3000, -8000],
            [0] * 4,
        ],
        points(*SPREAD),
        (51300, 10200, -19600, -41900),
        (39300, 4200, -13600, -29900),
    ),
    "tie_break": Flip("share", points(*TIED), (45000, 15000, -20000, -40000), (30000, 30000, -20000, -40000)),
    "sticks_left": Flip(
        "lost",
        points(40000, 30000, 20000, 8000, sticks=2),
        (52000, 10000, -20000, -42000),
        (50000, 10000, -20000, -42000),
    ),
    "riichi_stick": Flip(
        500,
        points(40000, 30000, 20000, 8000, sticks=2),
        (52000, 10000, -20000, -42000),
        (51000, 10000, -20000, -42000),
    ),
    "rounding": Flip(
        "nearest",
        points(56200, 30500, 14400, -1100),
        (66200, 10500, -25600, -51100),
        (66000, 11000, -26000, -51000),
    ),
    "yakitori_points": Flip(
        10000,
        points(*SPREAD, wins=(3, 1, 0, 2)),
        (51300, 10200, -19600, -41900),
        (61300, 20200, -49600, -31900),
    ),
    "chombo": Flip(
        "final_points",
        lambda r: chombo_payments(r, offender=1, dealer=0),
        (4000, -8000, 2000, 2000),
        (0, 0, 0, 0),
    ),
    "chombo_points": Flip(
        20000,
        points(*SPREAD, fouls=(0, 0, 1, 0)),
        (51300, 10200, -19600, -41900),
        (51300, 10200, -39600, -41900),
        given={"chombo": "final_points"},
    ),
}

FLIPS: dict[str, Flip] = {
    **TABLE, **CLAIMS, **DRAWS, **PROGRESS, **FINAL, **SCORING_FLIPS, **TABLE_FLIPS,
}  # fmt: skip
