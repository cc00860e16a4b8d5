"""What came of games between bots on duplicate walls: average ranks with intervals, and points.

Each wall is played once from each seat, so luck in the deal counts for all alike. What was drawn are walls,
not games: the interval of a bot is that of its average rank by wall.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from paifu.reports.inference.intervals import Nature, interval
from paifu.reports.inference.sums import GameSums


@dataclass(frozen=True, slots=True)
class Placed:
    """One bot in one game."""

    wall: int
    name: str
    place: int
    """From 1."""
    points: float
    """Final points, uma and oka included, in thousands."""
    score: int


@dataclass(slots=True)
class BotStanding:
    """How one bot did; bots of the same name are one."""

    name: str
    games: int
    rank: float
    low: float | None
    """The interval; None with fewer than two walls."""
    high: float | None
    places: tuple[int, ...]
    """How often it was first, second, ..."""
    points: float
    """On average."""
    score: float
    faults: Mapping[str, int] = field(default_factory=dict)
    """What it did wrong, in turns."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """The first of each kind, in words."""


def standings(placed: Iterable[Placed], players: int) -> list[BotStanding]:
    """Return a row for each bot, best average rank first."""
    by_name: dict[str, list[Placed]] = {}
    for one in placed:
        by_name.setdefault(one.name, []).append(one)
    rows = []
    for name, results in by_name.items():
        rank, low, high = _by_wall(results)
        places = Counter(one.place for one in results)
        number = len(results)
        rows.append(
            BotStanding(
                name=name,
                games=number,
                rank=rank,
                low=None if math.isnan(low) else low,
                high=None if math.isnan(high) else high,
                places=tuple(places[place] for place in range(1, players + 1)),
                points=sum(one.points for one in results) / number,
                score=sum(one.score for one in results) / number,
            )
        )
    return sorted(rows, key=lambda row: (row.rank, row.name))


def _by_wall(results: list[Placed]) -> tuple[float, float, float]:
    """Return the average rank and its interval, NaN with one wall."""
    walls = {one.wall for one in results}
    sums = GameSums.of_games(
        [sum(one.place for one in results if one.wall == wall) for wall in walls],
        [sum(one.wall == wall for one in results) for wall in walls],
    )
    low, high = interval(sums, Nature.SIGNED)
    return float(sums.ratio), float(low), float(high)
