"""Simulated players who choose by the model of decisions: what it rates highest of what they see.

The options, their features and their worth are those by which real decisions are judged
(:mod:`~paifu.coach.kernels.decision_options`, :mod:`~paifu.coach.kernels.decision_model`). An option of a
neighbourhood that is too thin to be judged is not chosen. Nor is a call that leaves no yaku in sight: who
made such calls in the fitted games knew of a yaku that the features do not show.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.coach.kernels.decision_layout import (
    CHI,
    DAIMINKAN,
    DISCARD,
    NO_HOPE,
    PASS,
    PON,
    DecisionState,
)
from paifu.coach.kernels.decision_model import (
    THIN,
    V_TOTAL,
    ModelTables,
    begin_rating,
    judge_row,
    neighbourhood_of,
)
from paifu.coach.kernels.decision_options import call_options, turn_options
from paifu.coach.kernels.option_rows import OPTION
from paifu.coach.kernels.simulator_choices import T_MODEL
from paifu.replay.kernels import legal, review_hooks
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import F32, F32_2D, I64, I64_2D
from paifu.replay.kernels.review_layout import ReviewState
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.table_state import NOBODY, TableState, kind_of, rest_of_run
from paifu.replay.kernels.wins import Scoring

ROOM = 80
"""Rows for the options of one decision."""


class Judge(NamedTuple):
    """The model, and what players who follow it keep in mind."""

    model: ModelTables
    hands: F32
    """By neighbourhood: hands of players that chose such an option."""
    review: ReviewState
    """What has passed, and who threatens."""
    decide: DecisionState
    answers: F32_2D
    """(ROOM, V_SIZE)."""
    shared: F32_2D
    """Scratch, see ``kernels.decision_model``."""
    wishes: I64
    """(4,) by seat, the call wished for: option, and from bit 8 on the kind; 0 for none."""


@kernel
def begin_watching(judge: Judge) -> None:
    """Forget the hand before."""
    memory = judge.review.memory
    memory.passed[:] = memory.threat[:] = 0


@kernel
def watch(table: TableState, judge: Judge, kind: int, seat: int, tile: int, rules: KernelRules) -> None:
    """Keep in mind what a move shows, as the pass over decisions does."""
    review_hooks.threaten(table, kind, rules, judge.review)
    review_hooks.keep(table, judge.review.memory, kind, seat, tile, 0, rules.players)


@kernel
def best_row(judge: Judge, last: int) -> int:
    """Return the row that is worth most, of options up to ``last``; -1 if none is judged."""
    rows, cells = judge.decide.mind.rows, judge.decide.cells
    least = 99
    for number in range(rows):
        least = min(least, int(cells[number, OPTION.shanten]))
    best, most = -1, -1e9
    if rows:
        begin_rating(cells, 0, judge.model, judge.shared)
    for number in range(rows):
        option = cells[number, OPTION.option]
        if option > last or judge.hands[neighbourhood_of(cells[number], least)] < THIN:
            continue
        if CHI <= option <= DAIMINKAN and cells[number, OPTION.yaku] == NO_HOPE:
            continue
        judge_row(cells, number, judge.model, judge.shared, judge.answers[number])
        if judge.answers[number, V_TOTAL] > most:
            best, most = number, judge.answers[number, V_TOTAL]
    return best


@kernel
def choose_turn(
    table: TableState, seat: int, last: int, rules: KernelRules, shapes: ShapeTables, scoring: Scoring,
    judge: Judge,
) -> tuple[int, int]:  # fmt: skip
    """Return the option that the model rates highest for a seat with 3n + 2 tiles, up to ``last``; its tile.

    The tile is NOBODY where the model judges none.
    """
    judge.decide.mind.rows = 0
    turn_options(table, seat, rules, shapes, scoring, judge.review, judge.decide)
    row = best_row(judge, last)
    if row < 0:
        return DISCARD, NOBODY
    cells = judge.decide.cells
    return int(cells[row, OPTION.option]), int(cells[row, OPTION.tile])


@kernel
def think_of_calls(
    table: TableState, traits: I64_2D, rules: KernelRules, shapes: ShapeTables, scoring: Scoring, judge: Judge
) -> None:
    """Let those who follow the model think about calling the discard on offer, as it lies there."""
    for seat in range(rules.players):
        judge.wishes[seat] = 0
        if traits[seat, T_MODEL] == 0 or legal.calls(table, seat, rules) == 0:
            continue
        judge.decide.mind.rows = 0
        call_options(table, seat, rules, shapes, scoring, judge.review, judge.decide)
        row = best_row(judge, DAIMINKAN)
        if row >= 0 and judge.decide.cells[row, OPTION.option] != PASS:
            cells = judge.decide.cells
            judge.wishes[seat] = int(cells[row, OPTION.option]) | int(cells[row, OPTION.tile]) << 8


@kernel
def wished_call(table: TableState, seat: int, judge: Judge) -> tuple[int, int, int]:
    """Return the call of the discard on offer that a seat wishes: (EventKind or 0, two own kinds)."""
    option, low = judge.wishes[seat] & 255, int(judge.wishes[seat] >> 8)
    if option == 0:
        return 0, 0, 0
    kind = int(kind_of(table.offer_tile))
    if option == CHI:
        first, second = rest_of_run(low, kind)
        return state.CHI, first, second
    return (state.PON if option == PON else state.DAIMINKAN), kind, kind
