"""Simulated players who choose as strong players do: of the options of a decision, what these choose most.

Options, what they look like, and what a seat sees of the table are those of real decisions
(:mod:`~paifu.coach.kernels.decision_options`, :mod:`~paifu.coach.kernels.policy_inputs`).
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.coach.kernels.decision_layout import CHI, DAIMINKAN, PASS, PON, DecisionState
from paifu.coach.kernels.decision_options import call_options, turn_options
from paifu.coach.kernels.option_rows import OPTION
from paifu.coach.kernels.policy_inputs import Rivers, begin_rivers, look, note_move
from paifu.coach.kernels.policy_network import Scratch, Weights, decide
from paifu.coach.kernels.simulator_choices import T_STRONG
from paifu.coach.kernels.simulator_moves import Course, Supply, make_discard
from paifu.replay.kernels import legal, review_hooks
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import F32, I32, I64, I64_2D, U8, U8_3D
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.review_layout import ReviewState
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.table_state import TableState, kind_of, rest_of_run
from paifu.replay.kernels.wins import Scoring

ROOM = 80
"""Rows for the options of one decision."""


class Judge(NamedTuple):
    """The policy, and what players who follow it keep in mind and look at."""

    weights: Weights
    scratch: Scratch
    review: ReviewState
    """What has passed, and who threatens."""
    rivers: Rivers
    decide: DecisionState
    planes: U8_3D
    """(PLANES, 4, 34), as the next two what a seat sees: see ``kernels.policy_inputs``."""
    held: U8
    marks: I32
    chances: F32
    """(ROOM,)."""
    wishes: I64
    """(4,) by seat, the call wished for: option, and from bit 8 on the kind; 0 for none."""


@kernel
def begin_watching(judge: Judge) -> None:
    """Forget the hand before."""
    memory = judge.review.memory
    memory.passed[:] = memory.threat[:] = 0
    begin_rivers(judge.rivers)


@kernel
def watch(table: TableState, judge: Judge, kind: int, seat: int, tile: int, rules: KernelRules) -> None:
    """Keep in mind what a move shows, as the pass over decisions does."""
    review_hooks.threaten(table, kind, rules, judge.review)
    review_hooks.keep(table, judge.review.memory, kind, seat, tile, 0, rules.players)


@kernel
def discard_seen(
    table: TableState, supply: Supply, record: Course, tile: int, rules: KernelRules, shapes: ShapeTables,
    notes: Notes, judge: Judge | None,
) -> None:  # fmt: skip
    """Let the seat to move discard an id, and all see where it lies."""
    flags = state.TSUMOGIRI if record.drawn[table.turn] == tile else 0
    make_discard(table, supply, record, tile, rules, shapes, notes)
    if judge is not None:
        note_move(table, judge.rivers, state.DISCARD, flags)


@kernel
def likeliest(table: TableState, seat: int, last: int, rules: KernelRules, judge: Judge) -> tuple[int, int]:
    """Return the option, of those up to ``last``, that strong players choose most, and its tile."""
    rows, cells = judge.decide.mind.rows, judge.decide.cells
    judge.chances[0] = 1
    if rows > 1:
        look(table, judge.rivers, seat, rules, judge.planes, judge.held, judge.marks)
        decide(
            judge.planes, judge.held, judge.marks, cells, 0, rows, judge.weights, judge.scratch, judge.chances
        )  # fmt: skip
    best, most = 0, -1.0
    for number in range(rows):
        if cells[number, OPTION.option] <= last and judge.chances[number] > most:
            best, most = number, judge.chances[number]
    return int(cells[best, OPTION.option]), int(cells[best, OPTION.tile])


@kernel
def choose_turn(
    table: TableState, seat: int, last: int, rules: KernelRules, shapes: ShapeTables, scoring: Scoring,
    judge: Judge,
) -> tuple[int, int]:  # fmt: skip
    """Return what a seat with 3n + 2 tiles chooses, of options up to ``last``, and its tile."""
    judge.decide.mind.rows = 0
    turn_options(table, seat, rules, shapes, scoring, judge.review, judge.decide)
    return likeliest(table, seat, last, rules, judge)


@kernel
def think_of_calls(
    table: TableState, traits: I64_2D, rules: KernelRules, shapes: ShapeTables, scoring: Scoring, judge: Judge
) -> None:
    """Let those who choose as strong players do think about calling the discard on offer."""
    for seat in range(rules.players):
        judge.wishes[seat] = 0
        if traits[seat, T_STRONG] and legal.calls(table, seat, rules):
            judge.decide.mind.rows = 0
            call_options(table, seat, rules, shapes, scoring, judge.review, judge.decide)
            option, tile = likeliest(table, seat, DAIMINKAN, rules, judge)
            judge.wishes[seat] = 0 if option == PASS else option | tile << 8


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
