"""The hands that a player may come to by drawing and discarding alone, and what wins are worth.

From a waiting hand lead the draws that lower its shanten, from a hand to act the discards that leave it as
low as it can be. While ``Problem.changes`` allows, all other draws and discards are there, too: a hand may be
improved without coming nearer to tenpai, or taken back a step. What else is drawn is discarded at once.
"""

from __future__ import annotations

from paifu.coach.kernels import solver_layout as solver
from paifu.coach.kernels.solver_layout import HandGraph, Problem
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.arrays import I32, I64, I64_2D
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.scoring import base_points, dora_kernel, dora_of, points_kernel, score_kernel
from paifu.replay.kernels.shapes import POWERS, ShapeTables, acceptance, drawable_kinds, shanten, suit_keys
from paifu.replay.kernels.table_state import kind_of
from paifu.replay.kernels.wins import Scoring

_SUIT_BITS, _HONOUR_BITS, _RED_BITS = 21, 17, 3
_LOW = (1 << 31) - 1


@kernel
def packed(graph: HandGraph) -> tuple[int, int]:
    """Return the hand in ``keys`` and ``reds`` as two numbers."""
    keys, reds = graph.keys, graph.reds
    first = keys[0] | keys[1] << _SUIT_BITS | keys[2] << 2 * _SUIT_BITS
    second = int(reds[0]) | int(reds[1]) << _RED_BITS | int(reds[2]) << 2 * _RED_BITS
    return first, keys[3] | second << _HONOUR_BITS


@kernel
def unpack(graph: HandGraph, first: int, second: int) -> None:
    """Write the hand that two numbers stand for into ``keys``, ``counts`` and ``reds``."""
    keys, counts, reds = graph.keys, graph.counts, graph.reds
    for suit in range(3):
        keys[suit] = first >> suit * _SUIT_BITS & (1 << _SUIT_BITS) - 1
        reds[suit] = second >> _HONOUR_BITS + suit * _RED_BITS & (1 << _RED_BITS) - 1
    keys[3] = second & (1 << _HONOUR_BITS) - 1
    for suit in range(4):
        key = keys[suit]
        for digit in range(9 if suit < 3 else 7):
            counts[9 * suit + digit] = key % 5
            key //= 5


@kernel
def change(graph: HandGraph, tile: int, by: int) -> None:
    """Add a tile to the current hand, or take it away (``by`` is -1)."""
    kind = int(kind_of(tile))
    graph.keys[kind // 9] += by * POWERS[kind % 9]
    graph.counts[kind] = int(graph.counts[kind]) + by
    if tile >= 34:
        graph.reds[tile - 34] += by


@kernel
def copies(graph: HandGraph, tile: int) -> int:
    """Return how many of a tile the current hand has; red fives are not plain ones."""
    if tile >= 34:
        return int(graph.reds[tile - 34])
    held = int(graph.counts[tile])
    return held - int(graph.reds[tile // 9]) if tile < 27 and tile % 9 == 4 else held


@kernel
def number_of(graph: HandGraph, hands: I64_2D, slots: I32, size: int, limit: int) -> int:
    """Return the number of the current hand, a new one if it has none yet; -1 if there is no room."""
    first, second = packed(graph)
    # Where the hand would lie, or the next free place after it.
    place = (first & _LOW) * 0x9E3779B1 ^ (first >> 31) * 0x45D9F3B ^ second * 0x7FEB352D
    place = (place ^ place >> 29) & len(slots) - 1
    while slots[place]:
        number = slots[place] - 1
        if hands[number, 0] == first and hands[number, 1] == second:
            return int(number)
        place = place + 1 & len(slots) - 1
    # A hand that is new.
    if graph.sizes[size] >= limit:
        return -1
    number = graph.sizes[size]
    graph.sizes[size] += 1
    hands[number, 0], hands[number, 1] = first, second
    slots[place] = number + 1
    return int(number)


@kernel
def waiting_number(graph: HandGraph) -> int:
    """Return the number of the current, waiting hand."""
    return number_of(graph, graph.waiting, graph.waiting_slots, solver.N_WAITING, len(graph.tenpai_of))


@kernel
def acting_number(graph: HandGraph) -> int:
    """Return the number of the current hand to act."""
    return number_of(graph, graph.acting, graph.acting_slots, solver.N_ACTING, len(graph.acting_values))


@kernel
def drawn(problem: Problem, graph: HandGraph, tile: int) -> int:
    """Return how many of a tile the current hand has drawn since the beginning."""
    return max(0, copies(graph, tile) - int(problem.held[tile]))


@kernel
def distance(problem: Problem, graph: HandGraph) -> int:
    """Return how many of the tiles of the current hand were drawn."""
    found = 0
    for tile in range(37):
        found += drawn(problem, graph, tile)
    return found


@kernel
def shanten_at_hand(problem: Problem, graph: HandGraph, shapes: ShapeTables) -> int:
    """Return the shanten of the current hand."""
    keys = graph.keys
    return shanten(keys[0], keys[1], keys[2], keys[3], problem.melds, problem.forms, shapes)


@kernel
def acceptance_at_hand(problem: Problem, graph: HandGraph, shapes: ShapeTables) -> tuple[int, int]:
    """Return the shanten of the current, waiting hand and the kinds that it accepts."""
    keys, drawable = graph.keys, drawable_kinds(graph.counts, problem.melded, shapes)
    return acceptance(keys[0], keys[1], keys[2], keys[3], problem.melds, problem.forms, drawable, shapes)


@kernel
def note_ura(problem: Problem, graph: HandGraph, players: int) -> None:
    """Fill ``chances``, its first row, for the current, complete hand.

    Indicators are drawn from the tiles that were live in the beginning, one like the other.
    """
    chances, counts = graph.chances, graph.counts
    # How many ura there are by chance, indicator by indicator.
    for ura in range(solver.MOST_URA):
        chances[0, ura] = 0.0
    chances[0, 0] = 1.0
    total = 0
    for tile in range(37):
        total += int(problem.live[tile]) - drawn(problem, graph, tile)
    if total <= 0:
        return
    for _ in range(problem.ura):
        for ura in range(solver.MOST_URA):
            chances[1, ura] = 0.0
        for tile in range(37):
            live = int(problem.live[tile]) - drawn(problem, graph, tile)
            if live <= 0:
                continue
            kind = dora_of(int(kind_of(tile)), players)
            more = int(counts[kind]) + int(problem.melded[kind])
            for ura in range(solver.MOST_URA):
                to = min(solver.MOST_URA - 1, ura + more)
                chances[1, to] += chances[0, ura] * live / total
        for ura in range(solver.MOST_URA):
            chances[0, ura] = chances[1, ura]


@kernel
def price(
    problem: Problem, graph: HandGraph, win: int, situation: int, at_once: int, scoring: Scoring
) -> float:
    """Return the mean points of a win with the current, complete hand, NO_WIN without a yaku.

    In riichi, ura dora count with their chances; ``at_once`` adds the han of ippatsu.
    """
    out, params = scoring.work.out, scoring.work.params
    players = int(params[layout.PARAM_PLAYERS])
    # What the hand scores.
    dora = problem.dora
    for suit in range(3):
        dora += int(graph.reds[suit])
    dora += dora_kernel(
        graph.counts, problem.meld_kinds, problem.meld_types, problem.melds, problem.indicators,
        problem.turned, players,
    )  # fmt: skip
    base = score_kernel(
        graph.counts, problem.meld_kinds, problem.meld_types, problem.melds, win, situation,
        problem.seat_wind, problem.round_wind, dora, problem.honba, -1, scoring.patterns, params,
        scoring.work.rows, out,
    )  # fmt: skip
    if base <= 0:
        return solver.NO_WIN
    # What that pays: the mean over ura, in riichi.
    winner = problem.seat_wind
    payer = winner if situation & layout.TSUMO else (winner + 1) % players
    if not situation & layout.RIICHI or out[layout.OUT_YAKUMAN] or out[layout.OUT_ALONE]:
        return float(points_kernel(base, winner, payer, 0, params))
    mean, han, fu = 0.0, int(out[layout.OUT_HAN]) + at_once, int(out[layout.OUT_FU])
    for ura in range(solver.MOST_URA):
        chance = graph.chances[0, ura]
        if chance > 0.0:
            worth = base_points(han + ura, fu, params)
            mean += chance * points_kernel(worth, winner, payer, 0, params)
    return mean


@kernel
def note_win(problem: Problem, graph: HandGraph, win: int, live: int, row: int, scoring: Scoring) -> float:
    """Add the win of the current, complete hand to its tenpai; return the points of a silent tsumo."""
    cells = graph.tenpai[row]
    silent = price(problem, graph, win, layout.TSUMO, 0, scoring)
    cells[solver.T_LIVE] += live
    ron = price(problem, graph, win, 0, 0, scoring)
    if ron > 0.0:
        cells[solver.T_SILENT_LIVE] += live
        cells[solver.T_SILENT_RON] += live * ron
    # The same in riichi, later and within one turn.
    if problem.riichi:
        note_ura(problem, graph, int(scoring.work.params[layout.PARAM_PLAYERS]))
        tsumo, ron = layout.RIICHI | layout.TSUMO, layout.RIICHI
        cells[solver.T_TSUMO] += live * price(problem, graph, win, tsumo, 0, scoring)
        cells[solver.T_RON] += live * price(problem, graph, win, ron, 0, scoring)
        if problem.ippatsu:
            cells[solver.T_TSUMO_AT_ONCE] += live * price(problem, graph, win, tsumo, 1, scoring)
            cells[solver.T_RON_AT_ONCE] += live * price(problem, graph, win, ron, 1, scoring)
        else:
            cells[solver.T_TSUMO_AT_ONCE] = cells[solver.T_TSUMO]
            cells[solver.T_RON_AT_ONCE] = cells[solver.T_RON]
    return silent


@kernel
def note_tenpai(problem: Problem, graph: HandGraph, number: int, mask: int) -> int:
    """Begin the row of a tenpai, the current, waiting hand; return its number."""
    row = graph.sizes[solver.N_TENPAI]
    graph.sizes[solver.N_TENPAI] += 1
    graph.tenpai_of[number] = row
    cells = graph.tenpai[row]
    for cell in range(solver.T_SIZE):
        cells[cell] = 0.0
    # Furiten by the river, and by what is discarded on the way here.
    gone = problem.river
    for tile in range(37):
        if copies(graph, tile) < problem.held[tile]:
            gone |= 1 << kind_of(tile)
    cells[solver.T_FURITEN] = 1.0 if mask & gone else 0.0
    return int(row)


@kernel
def end_tenpai(graph: HandGraph, row: int) -> None:
    """Turn the sums of a tenpai into means."""
    cells = graph.tenpai[row]
    live = max(1.0, cells[solver.T_LIVE])
    for cell in (solver.T_TSUMO, solver.T_TSUMO_AT_ONCE, solver.T_RON, solver.T_RON_AT_ONCE):
        cells[cell] /= live
    cells[solver.T_SILENT_RON] /= max(1.0, cells[solver.T_SILENT_LIVE])


@kernel
def grow_waiting(
    problem: Problem, graph: HandGraph, number: int, limit: int, shapes: ShapeTables, scoring: Scoring
) -> bool:
    """Write the draws of a waiting hand; False if there is no room."""
    unpack(graph, graph.waiting[number, 0], graph.waiting[number, 1])
    now, mask = acceptance_at_hand(problem, graph, shapes)
    # Draws that do not bring the hand nearer are looked at as far as they may be made up for.
    changes = distance(problem, graph) + now < limit
    is_tenpai = now == 0 and mask != 0
    graph.tenpai_of[number] = -1
    row = note_tenpai(problem, graph, number, mask) if is_tenpai else -1
    first = graph.sizes[solver.N_DRAWS]
    if first + 37 > len(graph.draw_to):
        return False
    edge = first
    for tile in range(37):
        kind = int(kind_of(tile))
        accepted = mask >> kind & 1
        live = int(problem.live[tile]) - drawn(problem, graph, tile)
        if live <= 0 or not (changes or accepted) or not shapes.kinds >> kind & 1:
            continue
        # The hand has the kind whole already.
        if int(graph.counts[kind]) + int(problem.melded[kind]) >= 4:
            continue
        change(graph, tile, 1)
        # It wins at once, or goes on with a discard.
        points, to = solver.NO_WIN, -1
        if is_tenpai and accepted:
            points = note_win(problem, graph, kind, live, row, scoring)
        if changes or not (is_tenpai and accepted):
            to = acting_number(graph)
            if to < 0:
                return False
        change(graph, tile, -1)
        graph.draw_to[edge], graph.draw_tile[edge], graph.draw_live[edge] = to, tile, live
        graph.draw_points[edge] = points
        edge += 1
    if is_tenpai:
        end_tenpai(graph, row)
    graph.sizes[solver.N_DRAWS] = edge
    graph.draw_begin[number + 1] = edge
    return True


@kernel
def grow_acting(problem: Problem, graph: HandGraph, number: int, limit: int, shapes: ShapeTables) -> bool:
    """Write the discards of a hand to act; False if there is no room."""
    unpack(graph, graph.acting[number, 0], graph.acting[number, 1])
    edge = graph.sizes[solver.N_DISCARDS]
    if edge + 37 > len(graph.discard_to):
        return False
    now = max(0, shanten_at_hand(problem, graph, shapes))
    changes = distance(problem, graph) + now < limit
    for tile in range(37):
        # Of equal tiles a plain five goes before a red one.
        if copies(graph, tile) == 0 or (tile >= 34 and copies(graph, int(kind_of(tile)))):
            continue
        change(graph, tile, -1)
        # Discards that keep the shanten, or give it up where there is room for it.
        if changes or shanten_at_hand(problem, graph, shapes) == now:
            to = waiting_number(graph)
            if to < 0:
                return False
            graph.discard_to[edge] = to
            edge += 1
        change(graph, tile, 1)
    graph.sizes[solver.N_DISCARDS] = edge
    graph.discard_begin[number + 1] = edge
    return True


@kernel
def begin_hand(problem: Problem, graph: HandGraph) -> None:
    """Make the hand that is asked about the current one."""
    for kind in range(34):
        graph.counts[kind] = problem.held[kind]
    for suit in range(3):
        graph.reds[suit] = problem.held[34 + suit]
        graph.counts[9 * suit + 4] += problem.held[34 + suit]
    keys: I64 = graph.keys
    keys[0], keys[1], keys[2], keys[3] = suit_keys(graph.counts)


@kernel
def grow(problem: Problem, graph: HandGraph, allowed: int, shapes: ShapeTables, scoring: Scoring) -> bool:
    """Write down all hands that may come of the one asked about; False if there is no room.

    ``allowed``: tiles (0-36) that may be discarded now, as bits.
    """
    sizes = graph.sizes
    for size in range(solver.N_SIZE):
        sizes[size] = 0
    graph.draw_begin[0] = graph.discard_begin[0] = 0
    begin_hand(problem, graph)
    limit = max(0, shanten_at_hand(problem, graph, shapes)) + problem.changes
    # The hands that the discards of now leave.
    for tile in range(37):
        answer = graph.answers[tile]
        answer[solver.A_HELD] = 0.0
        if not allowed >> tile & 1 or copies(graph, tile) == 0:
            continue
        change(graph, tile, -1)
        now, mask = acceptance_at_hand(problem, graph, shapes)
        answer[solver.A_HELD], answer[solver.A_SHANTEN], answer[solver.A_MASK] = 1.0, now, mask
        answer[solver.A_NODE] = waiting_number(graph)
        change(graph, tile, 1)
    # And all that may come of them, as they are found.
    waiting = acting = 0
    while waiting < sizes[solver.N_WAITING] or acting < sizes[solver.N_ACTING]:
        if waiting < sizes[solver.N_WAITING]:
            if not grow_waiting(problem, graph, waiting, limit, shapes, scoring):
                return False
            waiting += 1
        else:
            if not grow_acting(problem, graph, acting, limit, shapes):
                return False
            acting += 1
    return True
