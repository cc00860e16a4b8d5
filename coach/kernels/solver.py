"""Playing a hand on alone: what each discard brings, from the last draw back to the first.

At each draw, a tile that improves the hand comes with the chance of its live tiles among all that the player
will not have drawn by then. The player then takes what is worth most: the win, a discard, or the
hand as it was. What was drawn and discarded before is taken to have been of no use.
"""

from __future__ import annotations

from paifu.coach.kernels import solver_layout as solver
from paifu.coach.kernels.solver_graph import grow
from paifu.coach.kernels.solver_layout import HandGraph, Problem
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.wins import Scoring

_EQUAL = 1e-12
"""Values that differ by less are the same: sums in another order."""


@kernel
def value_of(tenpai: float, win: float, points: float) -> float:
    """Return how much a value is worth: its points; among equal ones, wins and then tenpai decide."""
    return 1e-4 * tenpai + 1e-3 * win + points


@kernel
def ron_chance(problem: Problem, live: float, left: float) -> float:
    """Return the chance of a ron before the next draw: so that ``problem.ron`` of all wins are by ron."""
    draw = min(1.0, live / left)
    return problem.ron * draw / (1.0 - problem.ron + problem.ron * draw)


@kernel
def riichi_value(problem: Problem, graph: HandGraph, row: int, left: float) -> tuple[float, float]:
    """Return the chance of a win and the points of a tenpai that declares riichi now.

    What follows is a draw from ``left`` tiles. Keep what the riichi is worth if it was declared earlier.
    """
    cells = graph.tenpai[row]
    live = cells[solver.T_LIVE]
    draw = min(1.0, live / left)
    ron = 0.0 if cells[solver.T_FURITEN] else ron_chance(problem, live, left)
    missed = (1.0 - ron) * (1.0 - draw)
    win = ron + (1.0 - ron) * draw + missed * cells[solver.T_WIN_NEXT]
    later = missed * cells[solver.T_POINTS_NEXT]
    tsumo = (1.0 - ron) * draw
    points = ron * cells[solver.T_RON_AT_ONCE] + tsumo * cells[solver.T_TSUMO_AT_ONCE] + later
    cells[solver.T_WIN_NEXT] = win
    cells[solver.T_POINTS_NEXT] = ron * cells[solver.T_RON] + tsumo * cells[solver.T_TSUMO] + later
    return win, points


@kernel
def draw_value(graph: HandGraph, number: int, left: float) -> tuple[float, float, float]:
    """Return the value of a waiting hand before a draw of ``left`` tiles, from that after the draw."""
    own = graph.values[number]
    tenpai, win, points = own[solver.TENPAI], own[solver.WIN], own[solver.POINTS]
    as_is = value_of(tenpai, win, points)
    more_tenpai = more_win = more_points = weight = 0.0
    # Each draw that is worth more than the hand as it is: a win, or another discard.
    for edge in range(graph.draw_begin[number], graph.draw_begin[number + 1]):
        to, worth = graph.draw_to[edge], graph.draw_points[edge]
        best, a, b, c = as_is, 0.0, 0.0, 0.0
        if to >= 0:
            cells = graph.acting_values[to]
            after = value_of(cells[solver.TENPAI], cells[solver.WIN], cells[solver.POINTS])
            if after > best + _EQUAL:
                best = after
                a, b, c = cells[solver.TENPAI], cells[solver.WIN], cells[solver.POINTS]
        if worth >= 0.0:
            after = value_of(1.0, 1.0, worth)
            if after > best + _EQUAL:
                best, a, b, c = after, 1.0, 1.0, worth
        if best > as_is:
            live = float(graph.draw_live[edge])
            weight += live
            more_tenpai += live * (a - tenpai)
            more_win += live * (b - win)
            more_points += live * (c - points)
    weight = max(weight, left)
    return tenpai + more_tenpai / weight, win + more_win / weight, points + more_points / weight


@kernel
def look_back(problem: Problem, graph: HandGraph, number: int, left: float) -> None:
    """Write the value of a waiting hand before a draw of ``left`` tiles."""
    tenpai, win, points = draw_value(graph, number, left)
    row = graph.tenpai_of[number]
    # In tenpai, wins by ron come before the draw; with riichi or without.
    if row >= 0:
        cells, tenpai = graph.tenpai[row], 1.0
        if cells[solver.T_SILENT_LIVE] > 0.0 and not cells[solver.T_FURITEN]:
            ron = ron_chance(problem, cells[solver.T_SILENT_LIVE], left)
            win = ron + (1.0 - ron) * win
            points = ron * cells[solver.T_SILENT_RON] + (1.0 - ron) * points
        graph.declares[number] = 0
        cells[solver.T_SILENT_WIN], cells[solver.T_SILENT_POINTS] = win, points
        if problem.riichi:
            declared_win, declared_points = riichi_value(problem, graph, row, left)
            cells[solver.T_RIICHI_WIN], cells[solver.T_RIICHI_POINTS] = declared_win, declared_points
            if value_of(1.0, declared_win, declared_points) > value_of(1.0, win, points) + _EQUAL:
                graph.declares[number] = 1
                win, points = declared_win, declared_points
    cells = graph.values[number]
    cells[solver.TENPAI], cells[solver.WIN], cells[solver.POINTS] = tenpai, win, points


@kernel
def choose(graph: HandGraph) -> None:
    """Write the value of every hand to act: that of its best discard."""
    for number in range(graph.sizes[solver.N_ACTING]):
        first, best = -1, 0.0
        for edge in range(graph.discard_begin[number], graph.discard_begin[number + 1]):
            cells = graph.values[graph.discard_to[edge]]
            worth = value_of(cells[solver.TENPAI], cells[solver.WIN], cells[solver.POINTS])
            if first < 0 or worth > best + _EQUAL:
                first, best = graph.discard_to[edge], worth
        for cell in range(solver.VALUES):
            graph.acting_values[number, cell] = graph.values[first, cell] if first >= 0 else 0.0


@kernel
def begin_values(problem: Problem, graph: HandGraph) -> None:
    """Write what hands are worth when nothing is left to draw."""
    for number in range(graph.sizes[solver.N_WAITING]):
        row, cells = graph.tenpai_of[number], graph.values[number]
        cells[solver.TENPAI], cells[solver.WIN], cells[solver.POINTS] = 1.0 if row >= 0 else 0.0, 0.0, 0.0
        graph.declares[number] = 0
        if row >= 0:
            cells = graph.tenpai[row]
            for cell in range(solver.T_WIN_NEXT, solver.T_SIZE):
                cells[cell] = 0.0
            cells[solver.T_POINTS_NEXT] = -float(problem.stick)


@kernel
def answer_discard(problem: Problem, graph: HandGraph, tile: int) -> None:
    """Write the answer for the discard of a tile, with and without riichi."""
    answer = graph.answers[tile]
    number = int(answer[solver.A_NODE])
    row, value = graph.tenpai_of[number], graph.values[number]
    answer[solver.A_TENPAI], answer[solver.A_WIN] = value[solver.TENPAI], value[solver.WIN]
    answer[solver.A_POINTS], answer[solver.A_RIICHI] = value[solver.POINTS], graph.declares[number]
    for cell in range(solver.A_SILENT_WIN, solver.A_NODE):
        answer[cell] = 0.0
    if row >= 0 and problem.draws:
        for cell in range(4):
            answer[solver.A_SILENT_WIN + cell] = graph.tenpai[row, solver.T_SILENT_WIN + cell]


@entry
def solve_hand(
    problem: Problem, graph: HandGraph, allowed: int, shapes: ShapeTables, scoring: Scoring
) -> int:
    """Fill ``graph`` for a hand and write the answer for each discard; return SOLVED or NO_ROOM.

    ``graph`` is empty. ``allowed``: tiles (0-36) that may be discarded now, as bits.
    """
    if not grow(problem, graph, allowed, shapes, scoring):
        return solver.NO_ROOM
    live = 0
    for tile in range(37):
        live += int(problem.live[tile])
    begin_values(problem, graph)
    for draw in range(problem.draws - 1, -1, -1):
        choose(graph)
        left = max(1.0, float(live - draw * problem.shrinks))
        for number in range(graph.sizes[solver.N_WAITING]):
            look_back(problem, graph, number, left)
    for tile in range(37):
        if graph.answers[tile, solver.A_HELD]:
            answer_discard(problem, graph, tile)
    return solver.SOLVED
