"""Statistics of players' games: from records to counters to values with intervals and comparisons.

The steps are::

    from paifu.reports.metrics.catalogue import CATALOGUE, HEADLINE, choose
    from paifu.reports.metrics.counters import Chosen, Counters, count
    from paifu.reports.metrics.recording import records
    from paifu.reports.statistics.values import statistics

    metrics = choose(HEADLINE)                        # choose(CATALOGUE) for all
    chosen = Chosen(by=("player",))
    parts = (count(records(replay(batch)), metrics, chosen) for batch in batches)
    counters = Counters.total(parts, chosen.by, [metric.name for metric in metrics])
    found = statistics(counters, min_hands=100)
    found.population.stats["win_rate"].value          # 0.209; n, d, low, high beside it
    for group in found.groups:                        # one per player: key, games, hands, stats
        group.stats["win_rate"].value, group.percentiles.get("win_rate")

``CATALOGUE`` maps the name of a metric to its :class:`~paifu.reports.metrics.metric.Metric`. Values of shares
are fractions. :mod:`paifu.reports.statistics.text` formats values; :func:`course` lists a player's games in
the order of play.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import overload

import numpy as np
import numpy.typing as npt

from paifu.reports.inference.intervals import interval
from paifu.reports.inference.shrinking import Spread, place, spread
from paifu.reports.inference.sums import GameSums
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import (
    AT_ONE_TABLE,
    EVERYBODY_KEY,
    GAMES,
    HANDS,
    OTHERS,
    Counters,
    Key,
)
from paifu.reports.metrics.metric import Metric, MetricKind
from paifu.reports.metrics.records import NO_POINTS, GameRecords

ENOUGH_HANDS = 100
"""Minimum number of hands of the players that places compare with."""
ENOUGH_PLAYERS = 10
"""Minimum number of players for places: with fewer, how much players differ is not known."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A metric's value in one group; value and bounds are None if undefined."""

    n: int
    d: int
    value: float | None
    low: float | None = None
    high: float | None = None
    where: str = ""
    """Game and hand of a record."""

    squares: tuple[int, int, int] = (0, 0, 0)
    """GameSums over games of the squares of the game's n, of the products n d, and of the squares of d."""

    @property
    def sums(self) -> GameSums:
        """What intervals and tests are made from; the value is their ratio, scaled and shifted."""
        return GameSums.of([self.n, self.d, *self.squares])


@dataclass(frozen=True, slots=True)
class GroupStatistics:
    """One group's statistics."""

    key: dict[str, str]
    games: int
    hands: int
    stats: Mapping[str, Estimate]
    percentiles: Mapping[str, float] = field(default_factory=dict)
    """Expected share of players whose true value is lower, in percent.

    Only for statistics by which at least ENOUGH_PLAYERS players with enough hands can be told apart.
    """


class Groups(Sequence[GroupStatistics]):
    """The statistics of groups, each made when it is looked at: those of all players would take gigabytes."""

    def __init__(
        self,
        counters: Counters,
        metrics: Sequence[Metric],
        ranked: Mapping[str, Spread],
        rows: Sequence[int],
    ) -> None:
        self._counters, self._metrics, self._ranked, self._rows = counters, metrics, ranked, rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> GroupStatistics: ...
    @overload
    def __getitem__(self, index: slice) -> Groups: ...
    def __getitem__(self, index: int | slice) -> GroupStatistics | Groups:
        if isinstance(index, slice):
            return Groups(self._counters, self._metrics, self._ranked, self._rows[index])
        return next(_groups(self._counters, [self._rows[index]], self._metrics, self._ranked))

    def __iter__(self) -> Iterator[GroupStatistics]:
        for first in range(0, len(self._rows), _AT_ONCE):
            rows = self._rows[first : first + _AT_ONCE]
            yield from _groups(self._counters, rows, self._metrics, self._ranked)

    def ordered(self, order: str) -> Groups:
        """Return them in another order; see :func:`arranged`."""
        field, lowest_first = order.removeprefix("-"), order.startswith("-")
        counters = self._counters
        numbered = next((one for one in enumerate(self._metrics) if one[1].name == field), None)

        def place(row: int) -> tuple[bool, float]:
            value: float | None = int(counters.sizes[row, HANDS])
            if numbered is not None:
                value = _value_of(counters, row, *numbered)
            return value is None, (value or 0) * (1 if lowest_first else -1)

        if field == "name":
            rows = sorted(self._rows, key=counters.keys.__getitem__, reverse=lowest_first)
        else:
            rows = sorted(self._rows, key=place)
        return Groups(counters, self._metrics, self._ranked, rows)


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of everybody and of each group."""

    by: tuple[str, ...]
    population: GroupStatistics
    groups: Groups
    compared: int = 0
    """Number of players with enough hands to compare with."""
    left_out: int = 0
    """Number of groups with too few hands."""
    meaningless: frozenset[str] = frozenset()
    """Metrics that have no meaning in any of the games."""
    beyond: int = 0
    """Number of groups that a limit left out."""
    spreads: Mapping[str, Spread] = field(default_factory=dict)
    """How much players with enough hands differ, by metric, if there are ENOUGH_PLAYERS of them."""


def arranged(found: Statistics, order: str, limit: int | None) -> Statistics:
    """Return the statistics with their groups in another order, and no more than ``limit`` of them.

    ``order`` is ``name``, ``hands`` or a metric, the highest first, or with a minus before it the
    lowest; empty to leave them as they are. Groups without a value come last.
    """
    groups = found.groups.ordered(order) if order else found.groups
    shown = groups[:limit]
    return replace(found, groups=shown, beyond=len(groups) - len(shown))


def statistics(
    counters: Counters,
    *,
    min_hands: int = 0,
    players: frozenset[str] = frozenset(),
    enough: int = ENOUGH_HANDS,
) -> Statistics:
    """Turn counters into values.

    ``min_hands`` leaves out groups with fewer hands. If groups are by player alone, ``players`` selects some
    of them, and percentiles compare each with all players of at least ``enough`` hands, provided that there
    are ENOUGH_PLAYERS of them.
    """
    metrics = [CATALOGUE[name] for name in counters.metrics]
    population = everybody(counters)
    rows = [row for row, key in enumerate(counters.keys) if counters.by and key[:1] != (OTHERS,)]
    ranked = spreads_of(counters, enough) if counters.by == ("player",) else {}
    if counters.by == ("player",) and players:
        rows = [row for row in rows if counters.keys[row][0] in players]
    large = [row for row in rows if counters.sizes[row, HANDS] >= min_hands]
    if {"player", "opponent"} & set(counters.by):
        large.sort(key=lambda row: (-int(counters.sizes[row, HANDS]), counters.keys[row]))
    groups = Groups(counters, metrics, ranked, large)
    sizes = counters.whole_sizes
    meaningless = frozenset(metric.name for metric in metrics if not _has_meaning(metric, sizes))
    compared = len(_enough(counters, enough)) if counters.by == ("player",) else 0
    left_out = len(rows) - len(large)
    return Statistics(counters.by, population, groups, compared, left_out, meaningless, spreads=ranked)


def _has_meaning(metric: Metric, sizes: npt.NDArray[np.int64]) -> bool:
    """Return whether a metric has a meaning in one of the games that were counted, or there were none."""
    return not sizes[HANDS] or any(sizes[HANDS + 1 + scheme] for scheme in metric.schemes)


_AT_ONCE = 64
"""Groups whose statistics are made together, which is faster."""


def everybody(counters: Counters) -> GroupStatistics:
    """Return the statistics of all records together."""
    metrics = [CATALOGUE[name] for name in counters.metrics]
    whole = Counters.of_groups(
        (),
        counters.metrics,
        [EVERYBODY_KEY],
        counters.whole[None],
        counters.whole_sizes[None],
        counters.bests,
    )
    return next(_groups(whole, [0], metrics))


def _groups(
    counters: Counters,
    rows: Sequence[int],
    metrics: Sequence[Metric],
    ranked: Mapping[str, Spread] | None = None,
) -> Iterator[GroupStatistics]:
    """Yield the statistics of some rows."""
    low, high = _bounds(counters, rows, metrics)
    for at, row in enumerate(rows):
        sizes, key, sums = counters.sizes[row], counters.keys[row], counters.sums[row].tolist()
        stats = {
            metric.name: _estimate(metric, sums[number], counters, key, low[at][number], high[at][number])
            if _has_meaning(metric, sizes)
            else Estimate(0, 0, None)
            for number, metric in enumerate(metrics)
        }
        percentiles = {
            name: float(place(stats[name].sums, among))
            for name, among in (ranked or {}).items()
            if among.is_known and stats[name].value is not None
        }
        named = dict(zip(counters.by, key, strict=True))
        yield GroupStatistics(named, int(sizes[GAMES]), int(sizes[HANDS]), stats, percentiles)


def _bounds(
    counters: Counters, rows: Sequence[int], metrics: Sequence[Metric]
) -> tuple[list[list[float]], list[list[float]]]:
    """Return the bounds of (rows, metrics), NaN where there is no interval."""
    low, high = np.full((2, len(rows), len(metrics)), np.nan)
    has_others = any(key[:1] == (OTHERS,) for key in counters.keys)
    is_whole = not AT_ONE_TABLE & set(counters.by) and not has_others
    natures = [
        None if not metric.is_rate or (metric.is_fixed and is_whole) else metric.nature for metric in metrics
    ]
    for nature in {nature for nature in natures if nature}:
        columns = [number for number, one in enumerate(natures) if one is nature]
        scale, offset = np.array([(metrics[column].scale, metrics[column].offset) for column in columns]).T
        bounds = interval(GameSums.of(counters.sums[np.ix_(rows, columns)]), nature)
        low[:, columns], high[:, columns] = (scale * bound + offset for bound in bounds)
    return low.tolist(), high.tolist()


def _value_of(counters: Counters, row: int, number: int, metric: Metric) -> float | None:
    """Return one statistic of a row, which is the ``number``th that was counted."""
    if not _has_meaning(metric, counters.sizes[row]):
        return None
    sums = counters.sums[row, number].tolist()
    return _estimate(metric, sums, counters, counters.keys[row], math.nan, math.nan).value


def _estimate(
    metric: Metric, sums: list[int], counters: Counters, key: Key, low: float, high: float
) -> Estimate:
    n, d, *squares = sums
    if metric.kind is MetricKind.EXTREME:
        best = counters.bests.get((key, metric.name))
        if best is None:
            return Estimate(0, d, None)
        return Estimate(best.value, d, metric.scale * best.value, where=best.where)
    if metric.kind is MetricKind.COUNT:
        return Estimate(n, d, metric.scale * n)
    if d == 0:
        return Estimate(n, d, None)
    value, (nn, nd, dd) = metric.scale * n / d + metric.offset, squares
    if math.isnan(low):
        return Estimate(n, d, value, squares=(nn, nd, dd))
    return Estimate(n, d, value, low, high, squares=(nn, nd, dd))


def spreads_of(counters: Counters, enough: int) -> dict[str, Spread]:
    """Return how much the players with enough hands differ, by metric; nothing if they are too few."""
    rows = _enough(counters, enough)
    if len(rows) < ENOUGH_PLAYERS:
        return {}
    found = {}
    for number, name in enumerate(counters.metrics):
        if CATALOGUE[name].is_rate:
            among = spread(GameSums.of(counters.sums[rows, number]), int(counters.sizes[rows, GAMES].sum()))
            if among is not None:
                found[name] = among
    return found


def _enough(counters: Counters, enough: int) -> npt.NDArray[np.intp]:
    """Return the rows of players with enough hands."""
    named = np.array([key[:1] != (OTHERS,) for key in counters.keys], bool)
    return np.flatnonzero(named & (counters.sizes[:, HANDS] >= enough))


@dataclass(frozen=True, slots=True)
class CourseGame:
    """One game of one player."""

    id: str
    source: str
    started: str
    room: str
    length: str
    seat: int
    players: int
    rank: int
    """0 if the final result is unknown."""
    final: int | None
    gain: int | None
    """Final points less those of the start."""
    points: float | None
    rating: float | None
    """Before the game."""
    table_rating: float | None
    """Mean rating of the table."""
    dan: int | None

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What games are ordered by."""
        return self.started, self.id, self.source, self.seat


def course(
    games: Iterable[GameRecords], player: str, aliases: Mapping[str, str] | None = None
) -> list[CourseGame]:
    """Return a player's games in the order of play, as far as the logs give dates."""
    names = aliases or {}
    played: list[CourseGame] = []
    for table in games:
        mine = np.array([[names.get(n, n) == player for n in row] for row in table.names], bool).reshape(
            -1, 4
        )
        for game, seat in np.argwhere(mine).tolist():
            played.append(course_game(table, game, seat))
    return sorted(played, key=lambda one: one.key)


def course_game(table: GameRecords, game: int, seat: int) -> CourseGame:
    """Return the game of a seat."""
    final, points, rating = (int(column[game, seat]) for column in (table.final, table.points, table.rating))
    players = int(table.players[game])
    ratings = table.rating[game, :players]
    return CourseGame(
        id=str(table.id[game]),
        source=str(table.source[game]),
        started=str(table.started[game]),
        room=str(table.room[game]),
        length=str(table.length[game]),
        seat=seat,
        players=players,
        rank=int(table.rank[game, seat]),
        final=None if final == NO_POINTS else final,
        gain=None if final == NO_POINTS else final - int(table.start[game, seat]),
        points=None if points == NO_POINTS else points / 10,
        rating=rating / 100 if rating else None,
        table_rating=float(ratings.mean()) / 100 if ratings.all() else None,
        dan=int(table.dan[game, seat]) if table.dan[game, seat] >= 0 else None,
    )
