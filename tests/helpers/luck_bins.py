"""Differences of luck in bins, whose means should be 0, and walls that favour a seat."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from paifu.coach.kernels import luck_layout
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.shapes.shanten import acceptance

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from luck_games import Seen, look

__all__ = ["FavouredSeat", "bins_of", "look"]

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
ENOUGH = 100
"""Differences that a bin must have."""


@dataclass(frozen=True, slots=True)
class Bins:
    """z-scores of the mean differences in bins."""

    scores: F64

    @property
    def square(self) -> float:
        """Mean of the squared scores: 1 where there is no bias."""
        return float((self.scores**2).mean())


def binned(named: Sequence[tuple[str, npt.NDArray[np.int64], F64]], enough: int = ENOUGH) -> Bins:
    """Return the bins of (name, keys, values); keys are numbers of bins, negative for none."""
    scores = []
    for _name, keys, values in named:
        kept = keys >= 0
        number = np.bincount(keys[kept])
        total = np.bincount(keys[kept], values[kept])
        squares = np.bincount(keys[kept], values[kept] ** 2)
        for key in np.flatnonzero(number >= enough).tolist():
            n, mean = int(number[key]), float(total[key] / number[key])
            spread = float(squares[key]) / n - mean**2
            if spread > 0:
                scores.append(mean / np.sqrt(spread / (n - 1)))
    return Bins(np.array(scores))


def bins_of(seen: Seen) -> Bins:
    """Return the bins of the tests: by drawer, by who looks on, deals, kan dora and ura."""
    cells, hand = seen.cells.astype(np.int64), seen.hand
    drawn = cells[:, luck_layout.N_SORT] == luck_layout.DRAWN
    every = np.arange(len(cells))
    seat = np.minimum(cells[:, luck_layout.N_SEAT], 3)
    dealer, round_ = seen.dealer[hand], seen.round[hand]
    held = _places(seen.scores)[hand]
    own, role = seen.luck[every, seat], (seat - dealer) % 4
    shanten = np.clip(cells[:, luck_layout.N_SHANTEN], 0, 4)
    turn = np.minimum(cells[:, luck_layout.N_TURN] // 3, 5)
    riichi = cells[:, luck_layout.N_RIICHI]
    mine = riichi >> seat & 1
    state = np.where(mine == 1, 2, (riichi > 0).astype(np.int64))

    def only(keys: I64, rows: npt.NDArray[np.bool_] = drawn) -> I64:
        return np.where(rows, keys, -1)

    named = [
        ("draw by shanten, turn, riichi, seat", only(((shanten * 6 + turn) * 3 + state) * 4 + role), own),
        (
            "draw by place, seat, wind",
            only((held[every, seat] * 4 + role) * 3 + np.minimum(round_ // 4, 2)),
            own,
        ),
        ("draw by supplement, riichi", only(cells[:, luck_layout.N_SUPPLEMENT] * 3 + state), own),
    ]
    for place in range(1, 4):
        other = (seat + place) % 4
        named.append(
            (
                f"others' draw, {place} before",
                only(((shanten * 3 + state) * 4 + (other - dealer) % 4) * 3 + np.minimum(turn // 2, 2)),
                seen.luck[every, other],
            )
        )
    for name, sort in (("deal", luck_layout.DEALT), ("kan dora", luck_layout.DORA), ("ura", luck_layout.URA)):
        rows = cells[:, luck_layout.N_SORT] == sort
        for one in range(4):
            keys = ((one - dealer) % 4) * 4 + held[every, one]
            named.append((f"{name} of seat {one} by seat, place", only(keys, rows), seen.luck[:, one]))
    return binned(named)


def _places(scores: I64) -> I64:
    """Return (n, 4) place held, 0 first; equal points by seat."""
    order = np.argsort(-scores, axis=1, kind="stable")
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.arange(4)[None].repeat(len(order), axis=0), axis=1)
    return places


class FavouredSeat(Simulator):
    """Walls in which one seat often draws what lowers the shanten of its deal."""

    def __init__(self, seat: int = 1, often: float = 0.7) -> None:
        super().__init__(load_preset("tenhou"), [PLAYERS["balanced"]])
        self.seat, self.often = seat, often

    def play(self) -> tuple[int, int]:
        """Swap tiles of the wall, and play."""
        supply, dealer = self.desk.state.supply, int(self.desk.state.hands.dealer[0])
        dealt = supply.tile_of[supply.dealt[self.seat]]
        kinds = np.where(dealt >= 34, 9 * (dealt.astype(int) - 34) + 4, dealt)
        wanted = set(acceptance(kinds.tolist()).kinds)
        tile_of, rng = supply.tile_of, np.random.default_rng(int(supply.live[0]) * 997 + int(supply.live[1]))
        for at in range((self.seat - dealer) % 4, 48, 4):
            if rng.random() >= self.often:
                continue
            for later in range(at + 1, 70):
                tile = int(tile_of[supply.live[later]])
                if (tile if tile < 34 else 9 * (tile - 34) + 4) in wanted:
                    supply.live[at], supply.live[later] = int(supply.live[later]), int(supply.live[at])
                    break
        return super().play()
