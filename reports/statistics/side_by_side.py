"""Two players side by side: each statistic of both, the difference, and which ones chance does not explain.

Players of one table share hands, so their results are not independent: what one wins, another loses. Of any
two out of n players whose results add up to nothing the correlation is -1/(n - 1), if they are alike. The
standard error of a difference takes this into account as far as the two sat at the same tables. Where both
go up and down together, as with draws, this is more than is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.metric import MetricKind
from paifu.reports.statistics.intervals import Z
from paifu.reports.statistics.standouts import beyond_noise
from paifu.reports.statistics.text import FEW
from paifu.reports.statistics.values import Estimate, GroupStatistics


@dataclass(frozen=True, slots=True)
class StatisticDifference:
    """A statistic of two players."""

    metric: str
    own: Estimate
    other: Estimate
    value: float | None
    """The first player's less the second's; None if either has none."""
    low: float | None = None
    """95% interval of ``value``, None without one."""
    high: float | None = None
    is_sure: bool = False
    """Whether chance does not explain it, though all these statistics are looked at."""

    @property
    def sign(self) -> int:
        """1 if the difference is good for the first player, -1 if it is bad, 0 if it is neither."""
        if not self.value:
            return 0
        return CATALOGUE[self.metric].sign * (1 if self.value > 0 else -1)


@dataclass(frozen=True, slots=True)
class SideBySide:
    """All statistics of two players."""

    rows: tuple[StatisticDifference, ...]
    tested: int
    """How many statistics both have enough cases of to be compared."""


def side_by_side(
    own: GroupStatistics, other: GroupStatistics, metrics: Iterable[str], *, together: int, players: int
) -> SideBySide:
    """Compare two players, who sat at one table in ``together`` games with ``players`` players each."""
    shared = together / math.sqrt(max(1, own.games) * max(1, other.games))
    rows = [_difference(name, own, other, shared / (players - 1)) for name in metrics]
    chances = [_chance(row) for row in rows]
    tested = [chance for chance in chances if chance is not None]
    most = beyond_noise(tested)
    marked = tuple(
        replace(row, is_sure=chance is not None and chance <= most)
        for row, chance in zip(rows, chances, strict=True)
    )
    return SideBySide(marked, len(tested))


def _difference(
    name: str, own: GroupStatistics, other: GroupStatistics, correlation: float
) -> StatisticDifference:
    nothing = Estimate(0, 0, None)
    mine, theirs = own.stats.get(name, nothing), other.stats.get(name, nothing)
    if mine.value is None or theirs.value is None:
        return StatisticDifference(name, mine, theirs, None)
    value = mine.value - theirs.value
    spread = Z * error_of_difference(mine.error, theirs.error, correlation)
    if not math.isfinite(spread):
        return StatisticDifference(name, mine, theirs, value)
    return StatisticDifference(name, mine, theirs, value, value - spread, value + spread)


def error_of_difference(one: float, two: float, correlation: float) -> float:
    """Return the standard error of a difference of two values whose errors are correlated by -correlation.

    >>> error_of_difference(3.0, 4.0, 0.0), error_of_difference(3.0, 4.0, 1.0)
    (5.0, 7.0)
    """
    if math.isinf(one) or math.isinf(two):
        return math.inf
    return math.sqrt(one * one + two * two + 2 * correlation * one * two)


def _chance(row: StatisticDifference) -> float | None:
    """Return the probability of so great a difference by chance; None where that is not to be asked."""
    is_rate = CATALOGUE[row.metric].kind not in (MetricKind.COUNT, MetricKind.EXTREME)
    if not is_rate or row.value is None or row.high is None or min(row.own.d, row.other.d) < FEW:
        return None
    error = (row.high - row.value) / Z
    return math.erfc(abs(row.value) / error / math.sqrt(2)) if error else None
