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
from paifu.coach.kernels.simulator_moves import PlayState, make_discard
from paifu.replay.kernels import legal, review_hooks
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import F32, I32, I64, I64_2D, U8, U8_3D
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.table_state import kind_of, rest_of_run

ROOM = 80
"""Rows for the options of one decision."""


class Judge(NamedTuple):
    """The policy, and what players who follow it keep in mind and look at."""

    weights: Weights
    scratch: Scratch
    desk: DecisionState
    """The table that is played at."""
    rivers: Rivers
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
    memory = judge.desk.review.memory
    memory.passed[:] = memory.threat[:] = 0
    begin_rivers(judge.rivers)


@kernel
def watch(judge: Judge, kind: int, seat: int, tile: int) -> None:
    """Keep in mind what a move shows, as the pass over decisions does."""
    table, rules, review = judge.desk.table, judge.desk.rules, judge.desk.review
    review_hooks.threaten(table, kind, rules, review)
    review_hooks.keep(table, review.memory, kind, seat, tile, 0, rules.players)


@kernel
def discard_seen(play: PlayState, tile: int, judge: Judge | None) -> None:
    """Let the seat to move discard an id, and all see where it lies."""
    table = play.table
    flags = state.TSUMOGIRI if play.record.drawn[table.turn] == tile else 0
    make_discard(play, tile)
    if judge is not None:
        note_move(table, judge.rivers, state.DISCARD, flags)


@kernel
def likeliest(judge: Judge, seat: int, last: int) -> tuple[int, int]:
    """Return the option, of those up to ``last``, that strong players choose most, and its tile."""
    desk, chances = judge.desk, judge.chances
    rows, cells = desk.mind.rows, desk.cells
    chances[0] = 1
    # A single option needs no thought.
    if rows > 1:
        look(desk.table, judge.rivers, seat, desk.rules, judge.planes, judge.held, judge.marks)
        decide(judge.planes, judge.held, judge.marks, cells, 0, rows, judge.weights, judge.scratch, chances)
    # Of the options that may be taken now.
    best, most = 0, -1.0
    for number in range(rows):
        if cells[number, OPTION.option] <= last and chances[number] > most:
            best, most = number, chances[number]
    return int(cells[best, OPTION.option]), int(cells[best, OPTION.tile])


@kernel
def choose_turn(judge: Judge, seat: int, last: int) -> tuple[int, int]:
    """Return what a seat with 3n + 2 tiles chooses, of options up to ``last``, and its tile."""
    judge.desk.mind.rows = 0
    turn_options(judge.desk, seat)
    return likeliest(judge, seat, last)


@kernel
def think_of_calls(judge: Judge, traits: I64_2D) -> None:
    """Let those who choose as strong players do think about calling the discard on offer."""
    desk = judge.desk
    for seat in range(desk.rules.players):
        judge.wishes[seat] = 0
        # The others decide when they are asked.
        if traits[seat, T_STRONG] and legal.calls(desk.table, seat, desk.rules):
            desk.mind.rows = 0
            call_options(desk, seat)
            option, tile = likeliest(judge, seat, DAIMINKAN)
            judge.wishes[seat] = 0 if option == PASS else option | tile << 8


@kernel
def wished_call(judge: Judge, seat: int) -> tuple[int, int, int]:
    """Return the call of the discard on offer that a seat wishes: (EventKind or 0, two own kinds)."""
    option, low = judge.wishes[seat] & 255, int(judge.wishes[seat] >> 8)
    if option == 0:
        return 0, 0, 0
    kind = int(kind_of(judge.desk.table.offer_tile))
    if option == CHI:
        first, second = rest_of_run(low, kind)
        return state.CHI, first, second
    return (state.PON if option == PON else state.DAIMINKAN), kind, kind
