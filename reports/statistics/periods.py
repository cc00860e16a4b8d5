"""Statistics over time: periods beside each other, and when a statistic of a player changed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from paifu.replay.arrays import F64, I64, Mask
from paifu.replay.language import _
from paifu.reports.inference.chances import beyond_noise
from paifu.reports.inference.changing import ChangePoint, change_points
from paifu.reports.inference.intervals import Z
from paifu.reports.inference.shrinking import MOST_GAMES
from paifu.reports.inference.sums import game_parts
from paifu.reports.metrics.catalogue import CATALOGUE, choose
from paifu.reports.metrics.counters import HANDS, IN_A_ROW, SIZES, Counters, counted_names, seat_sums
from paifu.reports.metrics.metric import MetricKind
from paifu.reports.metrics.records import Records
from paifu.reports.statistics.course_games import CourseGame, course_game
from paifu.reports.statistics.reference import shipped_reference
from paifu.reports.statistics.side_by_side import StatisticDifference, differences
from paifu.reports.statistics.standouts import TESTED
from paifu.reports.statistics.text import label, value_text
from paifu.reports.statistics.values import Estimate, GroupStatistics, Statistics
from paifu.reports.wording import plural

_DAY_PARTS = {"month": 7, "year": 4}
"""Period -> how many characters of a day name it."""
SAID_UNCHANGED = ("win_rate", "deal_in_rate", "riichi_rate", "call_rate")
"""Statistics of which it is said that no change is seen."""


@dataclass(frozen=True, slots=True, eq=False)
class GameSeries:
    """Sums of each game of a player."""

    metrics: tuple[str, ...]
    games: list[CourseGame]
    sums: F64
    """(games, metrics, 2): numerators and denominators."""
    sizes: I64
    """(games, SIZES), as those of counters."""

    @classmethod
    def of(
        cls, records: Iterable[Records], metrics: Sequence[str], player: str, aliases: Mapping[str, str]
    ) -> GameSeries:
        """Return the games of a player in some records."""
        parts = [cls._of(one, metrics, player, aliases) for one in records]
        return cls.total(parts, metrics)

    @classmethod
    def _of(
        cls, records: Records, metrics: Sequence[str], player: str, aliases: Mapping[str, str]
    ) -> GameSeries:
        own: Mask = counted_names(records.games.names, aliases) == player
        has_player: Mask = np.logical_or.reduce(own, axis=1)
        kept = records.only(has_player)
        game, seat = np.argwhere(own[has_player]).T
        games = [course_game(kept.games, *at) for at in zip(game.tolist(), seat.tolist(), strict=True)]
        sums = seat_sums(kept, choose(metrics))[game, seat]
        sizes = np.zeros((len(games), SIZES), np.int64)
        hands = np.bincount(kept.hands.game * 4 + kept.hands.seat, minlength=4 * len(kept.games))
        sizes[:, 0], sizes[:, HANDS] = 1, hands[game * 4 + seat]
        sizes[np.arange(len(games)), HANDS + 1 + kept.games.scheme[game]] = sizes[:, HANDS]
        return cls(tuple(metrics), games, sums, sizes)

    @classmethod
    def total(cls, parts: Sequence[GameSeries], metrics: Sequence[str]) -> GameSeries:
        """Put parts together, in the order of play."""
        games = [game for part in parts for game in part.games]
        order = sorted(range(len(games)), key=lambda row: games[row].key)
        sums = np.concatenate([np.zeros((0, len(metrics), 2)), *(part.sums for part in parts)])[order]
        sizes = np.concatenate([np.zeros((0, SIZES), np.int64), *(part.sizes for part in parts)])[order]
        return cls(tuple(metrics), [games[row] for row in order], sums, sizes)

    def periods(self, by: str, metrics: Sequence[str]) -> Counters:
        """Return the counters of each month or year, or of each block of ``by`` games in a row.

        Records of extremes are not among them. Games without a day are one period.
        """
        return self.blocks(int(by), metrics) if by.isdecimal() else self._days(_DAY_PARTS[by], metrics)

    def blocks(self, size: int, metrics: Sequence[str]) -> Counters:
        """Return the counters of each ``size`` games in a row; records of extremes are not among them."""
        begins = np.arange(0, len(self.games), size)
        ends = np.minimum(begins + size, len(self.games))
        width = len(str(len(self.games)))
        names = [f"{first + 1:0{width}} - {end:0{width}}" for first, end in zip(begins, ends, strict=True)]
        return self._in_a_row(begins, names, metrics)

    def _days(self, length: int, metrics: Sequence[str]) -> Counters:
        days = [game.started[:length] for game in self.games]
        begins = [at for at, day in enumerate(days) if not at or day != days[at - 1]]
        return self._in_a_row(np.array(begins, int), [days[at] for at in begins], metrics)

    def _in_a_row(self, begins: I64, names: Sequence[str], metrics: Sequence[str]) -> Counters:
        if not len(begins):
            return Counters.total((), (IN_A_ROW,), metrics)
        n, d = np.moveaxis(self.sums[:, [self.metrics.index(name) for name in metrics]], -1, 0)
        sums = np.add.reduceat(np.stack(game_parts(n, d), axis=2), begins).astype(np.int64)
        keys = [(name,) for name in names]
        return Counters.of_groups((IN_A_ROW,), metrics, keys, sums, np.add.reduceat(self.sizes, begins))


@dataclass(frozen=True, slots=True)
class PeriodDifference:
    """A statistic of one period that differs from that of all others beyond chance."""

    period: str
    difference: StatisticDifference

    def summary(self) -> dict[str, Any]:
        """Return it as plain values."""
        one = self.difference
        return {
            "period": self.period, "statistic": one.metric, "value": one.own.value,
            "others": one.other.value, "difference": one.value, "low": one.low, "high": one.high,
            "chance": one.chance,
        }  # fmt: skip

    def words(self) -> str:
        """Say it in a sentence."""
        one, metric = self.difference, CATALOGUE[self.difference.metric]
        text = (
            _("{period}: {statistic} higher, {own} against {others}")
            if (one.value or 0) > 0
            else _("{period}: {statistic} lower, {own} against {others}")
        )
        own, others = (value_text(metric, value) for value in (one.own.value, one.other.value))
        return text.format(period=self.period, statistic=metric.said, own=own, others=others)


@dataclass(frozen=True, slots=True)
class PeriodDifferences:
    """What differs between periods, though everything that was looked at may differ by chance."""

    found: tuple[PeriodDifference, ...]
    tested: int

    def summary(self) -> dict[str, Any]:
        """Return them as plain values."""
        return {"tested": self.tested, "found": [one.summary() for one in self.found]}

    def lines(self) -> Iterator[str]:
        """Say each in a sentence, or that there is none."""
        yield from (one.words() for one in self.found)
        if not self.found:
            yield _("none, of {tested:,} looked at").format(tested=self.tested)


def period_differences(found: Statistics, metrics: Sequence[str]) -> PeriodDifferences:
    """Compare each period with all others together.

    All statistics of all periods are looked at: the procedure of Benjamini and Yekutieli chooses.
    """
    groups = list(found.groups)
    names = [
        name
        for name in metrics
        if CATALOGUE[name].is_rate and any(group.stats[name].low is not None for group in groups)
    ]
    rows = [
        PeriodDifference(label(group), row)
        for group in groups
        if len(groups) > 1
        for row in differences(group, _others(group, groups, names), names)
        if row.chance is not None
    ]
    most = beyond_noise([row.difference.chance or 0.0 for row in rows])
    sure = [row for row in rows if (row.difference.chance or 0.0) <= most]
    return PeriodDifferences(tuple(sorted(sure, key=lambda row: row.difference.chance or 0.0)), len(rows))


def _others(
    group: GroupStatistics, groups: Sequence[GroupStatistics], names: Sequence[str]
) -> GroupStatistics:
    rest = [one for one in groups if one is not group]
    return replace(group, stats={name: _together([one.stats[name] for one in rest], name) for name in names})


def _together(estimates: Sequence[Estimate], name: str) -> Estimate:
    metric = CATALOGUE[name]
    n, d = sum(one.n for one in estimates), sum(one.d for one in estimates)
    nn, nd, dd = (sum(one.squares[part] for one in estimates) for part in range(3))
    return Estimate(n, d, metric.scale * n / d + metric.offset if d else None, squares=(nn, nd, dd))


@dataclass(frozen=True, slots=True)
class StatisticChange:
    """A statistic of a player that changed."""

    metric: str
    point: ChangePoint
    before: float
    after: float
    first: str
    """When the first game after it was played, or its number if logs do not say."""
    low: str
    """95% interval of ``first``."""
    high: str

    def summary(self) -> dict[str, Any]:
        """Return it as plain values; games are numbered from 1."""
        return {
            "statistic": self.metric, "before": self.before, "after": self.after,
            "since": self.first, "since_low": self.low, "since_high": self.high,
            "game": self.point.at + 1, "game_low": self.point.low + 1, "game_high": self.point.high + 1,
            "chance": self.point.chance,
        }  # fmt: skip

    def words(self, statistic: str = "") -> str:
        """Say it in a sentence; ``statistic`` stands for the name of the statistic."""
        metric = CATALOGUE[self.metric]
        text = (
            _("since {first} ({low} to {high}): {statistic} rose from {before} to {after}")
            if self.after > self.before
            else _("since {first} ({low} to {high}): {statistic} fell from {before} to {after}")
        )
        before, after = (value_text(metric, value) for value in (self.before, self.after))
        return text.format(
            first=self.first, low=self.low, high=self.high, statistic=statistic or metric.said,
            before=before, after=after,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayerChanges:
    """What changed in the games of a player."""

    changes: tuple[StatisticChange, ...]
    unchanged: tuple[str, ...]
    """Statistics that were looked at and in which no change is seen."""
    games: int
    seen_from: Mapping[str, float] = field(default_factory=dict)
    """Statistic -> the smallest change half-way through the games that is found four times out of five."""
    games_needed: Mapping[str, int] = field(default_factory=dict)
    """Statistic -> of about how many games that would be as much as players of a room differ by, where these
    are fewer: a player hardly changes by more."""

    def summary(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "games": self.games,
            "tested": len(self.changes) + len(self.unchanged),
            "changes": [one.summary() for one in self.changes],
            "seen_from": dict(self.seen_from),
            "games_needed": dict(self.games_needed),
        }

    def lines(self) -> Iterator[str]:
        """Yield what changed, and of the main statistics those in which no change is seen."""
        for one in self.changes:
            yield one.words()
        unchanged = [name for name in SAID_UNCHANGED if name in self.unchanged]
        same = [CATALOGUE[name].said for name in unchanged if name not in self.games_needed]
        if same:
            yield _("no change is seen in: {statistics}").format(statistics=_(", ").join(same))
        elif not unchanged:
            yield _("no change can be seen in {games}").format(games=plural(self.games, "game"))
        yield from self.sizes()

    def sizes(self) -> Iterator[str]:
        """Say how large a change of the main statistics must be to be seen, or that games are too few."""
        sizes = [
            f"{CATALOGUE[name].said} {100 * self.seen_from[name]:.1f}"
            for name in SAID_UNCHANGED
            if name in self.seen_from and name not in self.games_needed
        ]
        if sizes:
            yield _(
                "a change half-way is found four times out of five from, in percentage points: {sizes}"
            ).format(sizes=_(", ").join(sizes))
        few = [
            f"{CATALOGUE[name].said} {number:,}"
            for name in SAID_UNCHANGED
            if (number := self.games_needed.get(name))
        ]
        if few:
            yield _(
                "{games} are too few to see even a change as large as players differ by; games needed, "
                "about: {numbers}"
            ).format(games=plural(self.games, "game"), numbers=_(", ").join(few))


CHANGING = tuple(name for name in TESTED if CATALOGUE[name].kind is not MetricKind.EXTREME)
"""Statistics in which changes are looked for."""


def player_changes(series: GameSeries) -> PlayerChanges:
    """Look for changes in the statistics of :data:`CHANGING`, among those of a series."""
    columns = [series.metrics.index(name) for name in CHANGING if name in series.metrics]
    names = [series.metrics[column] for column in columns]
    made = change_points(series.sums[:, columns, 0], series.sums[:, columns, 1])
    changed = {names[one.column] for one in made.found}
    tested = [names[column] for column in made.tested]
    among = np.array([_differ_by(name) for name in tested])
    needed = np.where(among > 0, made.games_needed(np.where(among > 0, among, 1)), 0)
    return PlayerChanges(
        tuple(_change(names[one.column], one, series.games) for one in made.found),
        tuple(name for name in tested if name not in changed),
        len(series.games),
        {
            name: float(abs(CATALOGUE[name].scale) * size)
            for name, size in zip(tested, made.seen_from, strict=True)
            if math.isfinite(size)
        },
        {
            name: rounded
            for name, number in zip(tested, needed, strict=True)
            if len(series.games) < (rounded := int(float(f"{min(number, 2 * MOST_GAMES):.2g}"))) <= MOST_GAMES
        },
    )


@cache
def _differ_by(name: str) -> float:
    """Return how far apart 95% of the players of a room are at most, in the unit of n / d; 0 if unknown."""
    spreads = [kind.spreads[name] for kind in shipped_reference().strata.values() if name in kind.spreads]
    return 2 * Z * max((math.sqrt(one.variance) for one in spreads), default=0.0)


def _change(name: str, point: ChangePoint, games: Sequence[CourseGame]) -> StatisticChange:
    metric = CATALOGUE[name]
    before, after = (float(metric.scale * sums.ratio + metric.offset) for sums in (point.before, point.after))
    has_days = all(game.started for game in games)
    first, low, high = (
        games[at].started[:10] if has_days else _("game {number:,}").format(number=at + 1)
        for at in (point.at, point.low, point.high)
    )
    return StatisticChange(name, point, before, after, first, low, high)
