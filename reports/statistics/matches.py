"""What came of games between bots on duplicate walls: average ranks with intervals, and points.

Each wall is played once from each seat, so luck in the deal counts for all alike. What was drawn are walls,
not games: the intervals of a bot are those of its means by wall.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
    luck: float | None = None
    """What of the points was luck; None where it is not measured."""


@dataclass(frozen=True, slots=True)
class PointsWithoutLuck:
    """What is left of a bot's points without luck."""

    mean: float
    low: float
    high: float


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
    points_low: float | None
    """The interval, likewise."""
    points_high: float | None
    score: float
    without_luck: PointsWithoutLuck | None = None
    """Of the points; None unless luck is measured in all games of two walls or more."""
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
        walls = [one.wall for one in results]
        rank, low, high = _by_wall(walls, [one.place for one in results])
        points, points_low, points_high = _by_wall(walls, [one.points for one in results])
        places = Counter(one.place for one in results)
        number = len(results)
        rows.append(
            BotStanding(
                name=name,
                games=number,
                rank=rank,
                low=low,
                high=high,
                places=tuple(places[place] for place in range(1, players + 1)),
                points=points,
                points_low=points_low,
                points_high=points_high,
                score=sum(one.score for one in results) / number,
                without_luck=_without_luck(walls, results),
            )
        )
    return sorted(rows, key=lambda row: (row.rank, row.name))


def _by_wall(walls: Sequence[int], values: Sequence[float]) -> tuple[float, float | None, float | None]:
    """Return the mean of a game and its interval, None with one wall."""
    sums = GameSums.of_games(
        [sum(value for at, value in zip(walls, values, strict=True) if at == wall) for wall in set(walls)],
        [walls.count(wall) for wall in set(walls)],
    )
    low, high = map(float, interval(sums, Nature.SIGNED))
    return float(sums.ratio), None if math.isnan(low) else low, None if math.isnan(high) else high


def _without_luck(walls: Sequence[int], results: Sequence[Placed]) -> PointsWithoutLuck | None:
    points = [one.points for one in results]
    luck = [one.luck for one in results if one.luck is not None]
    if len(luck) < len(results):
        return None
    mean, low, high = _by_wall(walls, [of - less for of, less in zip(points, luck, strict=True)])
    return None if low is None or high is None else PointsWithoutLuck(mean, low, high)


def share_of_games(rows: Sequence[BotStanding]) -> float | None:
    """Return what share of the games would say as much about points without luck; None if it is not known.

    It is the variance of the means without luck, by that with it, over all bots.
    """
    squares = [
        ((one.points_high - one.points_low) ** 2, (one.without_luck.high - one.without_luck.low) ** 2)
        for one in rows
        if one.without_luck and one.points_low is not None and one.points_high is not None
    ]
    with_luck = sum(square for square, _without in squares)
    return sum(without for _with, without in squares) / with_luck if with_luck else None
