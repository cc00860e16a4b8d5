"""Playing a hand on alone: the checked caller of the kernels of the solver."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paifu.coach.kernels import solver_layout as solver
from paifu.coach.kernels.solver import solve_hand, value_of
from paifu.coach.kernels.solver_layout import HandGraph, Problem
from paifu.coach.solving.position import NaniKiru
from paifu.replay.arrays import I64
from paifu.replay.kernels.scoring import dora_of
from paifu.replay.model.tiles import KIND_OF_TILE, KINDS, NORTH, TILES, is_red, kind_of
from paifu.replay.shapes.shanten import discards, kinds_of, shanten
from paifu.replay.shapes.tables import load_tables
from paifu.replay.table.engine import new_scoring

FAR = 4
"""From this shanten on, every draw must lower it; further away than that, nothing is solved."""
_ROOMS = (1_000_000, 2_000_000, 8_000_000, 8_000_000)
"""Waiting hands, hands to act, draws, discards; memory is used as far as it is filled."""
RON_SHARE = 0.57
"""Share of wins by ron: 57.4% of 20,180 wins in 10,948 games of Tenhou's Houou room (95%: 56.7 to 58.1)."""


@dataclass(frozen=True, slots=True)
class Play:
    """What a tenpai brings with riichi, or without it at this turn."""

    win: float
    points: float


@dataclass(frozen=True, slots=True)
class Solo:
    """What a discard brings to a player who plays on alone."""

    tenpai: float
    """Chance of a tenpai by the last draw, 0 to 1."""
    win: float
    """Chance of a win."""
    points: float
    """Points to be expected, without honba and sticks but with the stick that a riichi costs."""
    declares: bool
    """The discard declares riichi."""
    silent: Play | None
    """Without riichi now; only of a tenpai."""
    riichi: Play | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tile that may be discarded."""

    tile: int
    shanten: int
    """Afterwards."""
    accepted: dict[int, int]
    """Live tiles of each kind that lowers it; the waits of a tenpai."""
    solo: Solo | None
    """None if the hand is too far from tenpai."""

    @property
    def live(self) -> int:
        """How many tiles lower the shanten."""
        return sum(self.accepted.values())


@dataclass(frozen=True, slots=True)
class Solution:
    """All discards of a position, the best first, and how they were found."""

    candidates: list[Candidate]
    changes: int
    """Draws that could be spent on keeping shanten."""
    hands: int
    """How many hands were looked at, those before and after a draw counted apart."""


def tiles_ahead(position: NaniKiru) -> list[Candidate]:
    """Return the discards of a position with shanten and acceptance alone, the best first."""
    rules, live, allowed = position.rules, position.live(), position.allowed()
    found = discards(
        position.tiles, [meld.tiles for meld in position.melds], sanma=rules.table.players == 3,
        forms=rules.forms, kita=position.kita,
    )  # fmt: skip
    after = {one.kind: one.after for one in found}
    rows = []
    for tile in sorted(set(position.tiles)):
        if allowed >> tile & 1:
            known = after[kind_of(tile)]
            rows.append(Candidate(tile, known.shanten, _accepted(known.kinds, live), None))
    return sorted(rows, key=lambda row: (row.shanten, -row.live, row.tile))


def is_complete(position: NaniKiru) -> bool:
    """Return whether the tiles have the form of a win."""
    rules = position.rules
    melds = [meld.tiles for meld in position.melds]
    return shanten(position.tiles, melds, sanma=rules.table.players == 3, forms=rules.forms).least < 0


def solve(
    position: NaniKiru,
    far: int,
    *,
    ron: float = RON_SHARE,
    changes: int = 1,
    shrinks: bool = True,
) -> Solution | None:
    """Solve a position whose best discard leaves shanten ``far``; None if that is too far from tenpai.

    ``ron`` is the share of wins by ron among the wins of hands that may win by ron. ``changes`` draws may
    keep the shanten, or be spent on taking it back; where they make for too many hands, there are fewer.
    ``shrinks``: whether the tiles to draw from become fewer.

    Wins, tenpai and points are those of the player who always does what brings most points.
    """
    if far > FAR:
        return None
    shapes = load_tables(sanma=position.rules.table.players == 3)
    for number in range(changes if far < FAR else 0, -1, -1):
        problem = _problem(position, ron=ron, changes=number, shrinks=shrinks)
        graph = new_graph()
        if (
            solve_hand(problem, graph, position.allowed(), shapes, new_scoring(position.rules))
            == solver.SOLVED
        ):
            return _solution(position, graph, number)
    return None


def _problem(position: NaniKiru, *, ron: float, changes: int, shrinks: bool) -> Problem:
    """Return a position as kernels read it."""
    rules = position.rules
    kinds = np.zeros((2, 4), np.int64)
    for number, meld in enumerate(position.melds):
        kinds[:, number] = meld.first, meld.kind
    turned = len(position.indicators) if rules.dora.dora else 0
    indicators = np.zeros(5, np.int64)
    indicators[:turned] = [kind_of(tile) for tile in position.indicators[:turned]]
    own = [tile for meld in position.melds for tile in meld.tiles]
    dora = [dora_of(kind, rules.table.players) for kind in indicators[:turned].tolist()]
    norths = position.kita * (1 + dora.count(NORTH))
    river = 0
    for tile in position.rivers[position.seat_wind]:
        river |= 1 << kind_of(tile)
    return Problem(
        held=position.held(),
        live=position.live(),
        melded=position.melded(),
        meld_kinds=kinds[0].copy(),
        meld_types=kinds[1].copy(),
        indicators=indicators,
        ron=ron,
        melds=len(position.melds),
        closed=int(position.closed),
        turned=turned,
        ura=(turned if rules.dora.kan_ura_dora else min(1, turned)) if rules.dora.ura_dora else 0,
        dora=norths + position.flowers + sum(map(is_red, own)),
        seat_wind=position.seat_wind,
        round_wind=position.round_wind,
        honba=position.honba,
        draws=position.draws,
        shrinks=int(shrinks),
        changes=changes,
        river=river,
        riichi=int(position.may_declare),
        stick=rules.riichi.riichi_stick,
        ippatsu=int(rules.riichi.ippatsu),
        forms=int(rules.forms),
    )


def new_graph() -> HandGraph:
    """Return an empty graph."""
    waiting, acting, draws, leaves = _ROOMS
    return HandGraph(
        sizes=np.zeros(solver.N_SIZE, np.int64),
        waiting=np.empty((waiting, 2), np.int64),
        acting=np.empty((acting, 2), np.int64),
        waiting_slots=np.zeros(_slots(waiting), np.int32),
        acting_slots=np.zeros(_slots(acting), np.int32),
        draw_begin=np.empty(waiting + 1, np.int32),
        draw_to=np.empty(draws, np.int32),
        draw_tile=np.empty(draws, np.uint8),
        draw_live=np.empty(draws, np.uint8),
        draw_points=np.empty(draws),
        discard_begin=np.empty(acting + 1, np.int32),
        discard_to=np.empty(leaves, np.int32),
        tenpai_of=np.empty(waiting, np.int32),
        tenpai=np.empty((waiting, solver.T_SIZE)),
        values=np.empty((waiting, solver.VALUES)),
        declares=np.empty(waiting, np.uint8),
        acting_values=np.empty((acting, solver.VALUES)),
        answers=np.zeros((TILES, solver.A_SIZE)),
        keys=np.zeros(4, np.int64),
        counts=np.zeros(KINDS, np.uint8),
        reds=np.zeros(3, np.int64),
        chances=np.zeros((2, solver.MOST_URA)),
    )


def _slots(room: int) -> int:
    """Return the size of a hash table for ``room`` hands: a power of two, at most half full."""
    return 1 << (2 * room - 1).bit_length()


def _solution(position: NaniKiru, graph: HandGraph, changes: int) -> Solution:
    live = position.live()
    rows = [_candidate(tile, graph, live) for tile in range(TILES) if graph.answers[tile, solver.A_HELD]]
    rows.sort(key=lambda row: (-_worth(row), row.shanten, -row.live, row.tile))
    return Solution(rows, changes, int(graph.sizes[: solver.N_DRAWS].sum()))


def _worth(row: Candidate) -> float:
    assert row.solo is not None  # noqa: S101  all of them are solved
    return round(value_of(row.solo.tenpai, row.solo.win, row.solo.points), 9)


def _candidate(tile: int, graph: HandGraph, live: I64) -> Candidate:
    cells = graph.answers[tile].tolist()
    is_tenpai = graph.tenpai_of[int(cells[solver.A_NODE])] >= 0
    solo = Solo(
        tenpai=cells[solver.A_TENPAI],
        win=cells[solver.A_WIN],
        points=cells[solver.A_POINTS],
        declares=bool(cells[solver.A_RIICHI]),
        silent=Play(cells[solver.A_SILENT_WIN], cells[solver.A_SILENT_POINTS]) if is_tenpai else None,
        riichi=Play(cells[solver.A_RIICHI_WIN], cells[solver.A_RIICHI_POINTS])
        if is_tenpai and cells[solver.A_RIICHI_WIN]
        else None,
    )
    accepted = _accepted(kinds_of(int(cells[solver.A_MASK])), live)
    return Candidate(tile, int(cells[solver.A_SHANTEN]), accepted, solo)


def _accepted(kinds: tuple[int, ...], live: I64) -> dict[int, int]:
    count = np.bincount(KIND_OF_TILE[:TILES], live).astype(int).tolist()
    return {kind: count[kind] for kind in kinds if count[kind]}
