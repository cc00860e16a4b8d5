"""How fast hands are solved, and how far the figures of ``paifu discard`` are from played ones.

    python bench/discards.py [CONTINUATIONS]

For each hand, the best discard is played on a million times by the solver's own choices, in two ways. The
first draws as the solver supposes; the figures must be equal except for chance. The second shuffles the tiles
that the player does not see and draws from the top: the difference is what the solver's approximation of
draws costs, which takes what was drawn and discarded to have been of no use.

A difference is printed in standard errors of the simulation.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from paifu.replay.kernels import solver_layout as solver
from paifu.replay.kernels.solver import solve_hand
from paifu.replay.model.tiles import parse_tiles, tile_name
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.scoring.hand_text import parse_hand
from paifu.replay.shapes.tables import load_tables
from paifu.replay.solving.position import Position, wall_at
from paifu.replay.solving.solve import Aim, new_graph, problem_of, solve, tiles_ahead
from paifu.replay.table.engine import new_scoring

RON = 0.57
CONTINUATIONS = 1_000_000
_STAY, _WIN = -1, -2


@dataclass(frozen=True)
class Asked:
    """A hand of the table."""

    text: str
    dora: str
    turn: int
    rules: str = "tenhou"
    seat_wind: int = 1


HANDS = (
    Asked("123456789m34677s", "3s", 4),
    Asked("34678m678p22s5z(345p)", "1s", 6),
    Asked("1112345678999m5p", "5z", 8),
    Asked("234m0567p456s2278s", "7s", 9, seat_wind=0),
    Asked("2340m34p11234779s", "1s", 6),
    Asked("22334m56p678s2245z", "2z", 5),
    Asked("1133557799m12p35s", "9p", 7),
    Asked("34m234567p23388s1z", "8m", 8, seat_wind=0),
    Asked("12577m222468p445s", "4z", 3),
    Asked("2467m3457p55z6s(222z)", "5p", 5),
    Asked("19m123456p34599s5z(4z)", "8s", 6, "tenhou-sanma"),
    Asked("1257m2468p3589s11z", "6m", 2),
)


def position(asked: Asked) -> Position:
    """Return the position of a hand."""
    hand, rules = parse_hand(asked.text), load_preset(asked.rules)
    return Position(
        rules=rules,
        tiles=hand.tiles,
        melds=hand.melds,
        kita=hand.kita,
        seat_wind=asked.seat_wind,
        indicators=tuple(parse_tiles(asked.dora)),
        wall=wall_at(asked.turn, asked.seat_wind, rules),
    )


@numba.njit
def choices(graph, weights, draws):  # type: ignore[no-untyped-def]
    """What the solver does with each drawn tile: (draws, edges) the hand that follows, _STAY or _WIN."""
    edges = graph.sizes[2]
    found = np.full((draws, edges), _STAY, np.int32)
    for turn in range(draws):
        values = graph.values[turn + 1]
        for number in range(graph.sizes[0]):
            own = (values[number] * weights).sum()
            for edge in range(graph.draw_begin[number], graph.draw_begin[number + 1]):
                best, to = own, graph.draw_to[edge]
                if to >= 0:
                    for leave in range(graph.discard_begin[to], graph.discard_begin[to + 1]):
                        after = graph.discard_to[leave]
                        worth = (values[after] * weights).sum()
                        if worth > best + 1e-12:
                            best = worth
                            found[turn, edge] = after
                if graph.draw_points[edge] >= 0:
                    worth = weights[0] + weights[1] + weights[2] * graph.draw_points[edge]
                    if worth > best + 1e-12:
                        found[turn, edge] = _WIN
    return found


@numba.njit
def played(graph, chosen, start, live, draws, ron, stick, shuffles, times, seed):  # type: ignore[no-untyped-def]  # noqa: C901
    """Play a waiting hand on; return the sums of (tenpai, win, points) and of their squares."""
    np.random.seed(seed)  # noqa: NPY002  what numba knows
    total = live.sum()
    wall = np.empty(total, np.int64)
    left = np.empty(37, np.int64)
    sums = np.zeros((2, 3))
    for _ in range(times):
        at = 0
        for tile in range(37):
            left[tile] = live[tile]
            for _ in range(live[tile]):
                wall[at] = tile
                at += 1
        node, riichi, since, points, won, tenpai = start, False, 0, 0.0, 0.0, 0.0
        for turn in range(draws):
            row = graph.tenpai_of[node]
            first, last = graph.draw_begin[node], graph.draw_begin[node + 1]
            if row >= 0:
                tenpai = 1.0
                if not riichi and graph.declares[turn, node]:
                    riichi, since = True, turn
                at_once = riichi and since == turn
                waits = 0.0
                for edge in range(first, last):
                    if graph.draw_points[edge] >= 0 or (riichi and graph.draw_to[edge] < 0):
                        waits += left[graph.draw_tile[edge]] if shuffles else graph.draw_live[edge]
                cells = graph.tenpai[row]
                by_ron = waits if riichi else cells[6]
                if cells[5] == 0 and by_ron > 0:
                    draw = min(1.0, by_ron / (total - turn))
                    if np.random.random() < ron * draw / (1 - ron + ron * draw):  # noqa: NPY002
                        won = 1.0
                        points = cells[7] if not riichi else cells[4] if at_once else cells[3]
                        break
            edge = -1
            if shuffles:
                place = turn + np.random.randint(total - turn)  # noqa: NPY002
                wall[turn], wall[place] = wall[place], wall[turn]
                tile = wall[turn]
                left[tile] -= 1
                for one in range(first, last):
                    if graph.draw_tile[one] == tile:
                        edge = one
            else:
                weight = 0.0
                for one in range(first, last):
                    if (riichi and graph.draw_points[one] >= 0) or (
                        not riichi and chosen[turn, one] != _STAY
                    ):
                        weight += graph.draw_live[one]
                place = np.random.random() * max(weight, total - turn)  # noqa: NPY002
                for one in range(first, last):
                    if (riichi and graph.draw_points[one] >= 0) or (
                        not riichi and chosen[turn, one] != _STAY
                    ):
                        if place < graph.draw_live[one]:
                            edge = one
                            break
                        place -= graph.draw_live[one]
            if edge < 0:
                continue
            if riichi:
                if graph.draw_points[edge] >= 0:
                    won = 1.0
                    points = graph.tenpai[row, 2 if since == turn else 1]
                    break
            elif chosen[turn, edge] == _WIN:
                won, points = 1.0, graph.draw_points[edge]
                break
            elif chosen[turn, edge] >= 0:
                node = chosen[turn, edge]
        if graph.tenpai_of[node] >= 0:
            tenpai = 1.0
        if won == 0.0 and riichi:
            points = -stick
        for cell, value in enumerate((tenpai, won, points)):
            sums[0, cell] += value
            sums[1, cell] += value * value
    return sums


def compared(asked: Asked, times: int) -> None:
    """Print a hand's line: time, figures, and both simulations."""
    here = position(asked)
    here.check()
    far = max(0, tiles_ahead(here)[0].shanten)
    solve(here, far, ron=RON)
    seconds = []
    for _ in range(5):
        begin = time.process_time()
        solution = solve(here, far, ron=RON)
        seconds.append(time.process_time() - begin)
    if solution is None or (brought := solution.candidates[0].solo) is None:
        raise SystemExit(f"{asked.text} is not solved")
    best = solution.candidates[0]
    problem = problem_of(here, ron=RON, changes=solution.changes, aim=Aim.POINTS)
    room = (solution.hands + 100,) * 2
    graph = new_graph(here.draws + 1, (*room, 50 * solution.hands, 40 * solution.hands))
    shapes = load_tables(sanma=here.rules.table.players == 3)
    solve_hand(problem, graph, here.allowed(), shapes, new_scoring(here.rules))
    chosen = choices(graph, problem.weights, here.draws)
    start = int(graph.answers[best.tile, solver.A_NODE])
    values = np.array([brought.tenpai, brought.win, brought.points])
    text = f"{asked.text:24} {tile_name(best.tile):3} {far} {solution.hands:7,} {min(seconds):6.3f} s"
    text += f"  {100 * values[0]:6.2f}% {100 * values[1]:6.2f}% {values[2]:7.1f}"
    for shuffles in (False, True):
        sums = played(
            graph, chosen, start, problem.live, here.draws, RON, float(problem.stick), shuffles, times, 7
        )  # fmt: skip
        mean = sums[0] / times
        error = np.sqrt(np.maximum(1e-18, sums[1] / times - mean**2) / times)
        text += "  |" + _figures(mean, (values - mean) / error)
    print(text, flush=True)


def _figures(mean: npt.NDArray[np.float64], errors: npt.NDArray[np.float64]) -> str:
    signed = [0.0 if abs(one) > 1e6 else one for one in errors.tolist()]
    return (
        f" {100 * mean[0]:6.2f}% {100 * mean[1]:6.2f}% {mean[2]:7.1f}"
        f" ({signed[0]:+5.1f} {signed[1]:+5.1f} {signed[2]:+5.1f})"
    )


def main() -> None:
    """Print the table."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else CONTINUATIONS
    print(f"{times:,} continuations of each hand; {RON:.0%} of wins by ron")
    print("hand, discard, shanten, hands, CPU time; tenpai, win, points | as the model draws | from a wall")
    for asked in HANDS:
        compared(asked, times)


if __name__ == "__main__":
    main()
