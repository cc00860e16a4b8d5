"""Two players side by side: each statistic of both, the difference, and which ones chance does not explain.

Players of one table share hands, so their results are not independent: what one wins, another loses. Of any
two out of n players whose results add up to nothing the correlation is -1/(n - 1), if they are alike. The
standard error of a difference takes this into account as far as the two sat at the same tables. Where both
go up and down together, as with draws, this is more than is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from paifu.reports.inference.chances import between, beyond_noise, chance
from paifu.reports.inference.sums import GameSums
from paifu.reports.metrics.catalogue import CATALOGUE
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
    chance: float | None = None
    """Probability of so great a difference by chance (two-sided); None where that is not to be asked."""
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
    rows = differences(own, other, list(metrics), shared / (players - 1))
    chances = [row.chance for row in rows if row.chance is not None]
    most = beyond_noise(chances)
    marked = (replace(row, is_sure=row.chance is not None and row.chance <= most) for row in rows)
    return SideBySide(tuple(marked), len(chances))


def differences(
    own: GroupStatistics, other: GroupStatistics, metrics: Sequence[str], correlation: float = 0.0
) -> list[StatisticDifference]:
    """Return the differences of two groups whose errors have a correlation of ``-correlation``."""
    nothing = Estimate(0, 0, None)
    pairs = [(own.stats.get(name, nothing), other.stats.get(name, nothing)) for name in metrics]
    found: dict[str, StatisticDifference] = {}
    for nature in {CATALOGUE[name].nature for name in metrics}:
        chosen = [
            (name, mine, theirs)
            for name, (mine, theirs) in zip(metrics, pairs, strict=True)
            if CATALOGUE[name].nature is nature
        ]
        one, two = (
            GameSums.of([[e.n, e.d, *e.squares] for e in part])
            for part in list(zip(*chosen, strict=True))[1:]
        )
        made = between(one, two, nature, correlation)
        for (name, mine, theirs), half, far in zip(chosen, made[1].tolist(), made[2].tolist(), strict=True):
            found[name] = _difference(name, mine, theirs, half, far)
    return [found[name] for name in metrics]


def _difference(name: str, mine: Estimate, theirs: Estimate, half: float, far: float) -> StatisticDifference:
    metric = CATALOGUE[name]
    if mine.value is None or theirs.value is None:
        return StatisticDifference(name, mine, theirs, None)
    value = mine.value - theirs.value
    if not metric.is_rate or np.isnan(far):
        return StatisticDifference(name, mine, theirs, value)
    half *= abs(metric.scale)
    is_tested = min(mine.d, theirs.d) >= FEW
    return StatisticDifference(
        name, mine, theirs, value, value - half, value + half, float(chance(far)) if is_tested else None
    )
