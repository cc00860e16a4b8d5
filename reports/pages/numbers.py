"""Numbers and names as the pages write them: those of every other output, typeset."""

from __future__ import annotations

from paifu.replay.foreign_text import display_name
from paifu.replay.language import _
from paifu.reports import units
from paifu.reports.metrics.metric import Metric
from paifu.reports.statistics.text import NOTHING, estimate_text, interval_text
from paifu.reports.statistics.values import Estimate

typeset = units.typeset


def points(value: float, *, signed: bool = True) -> str:
    """Write points: ``−1,234``."""
    return typeset(units.points(value, signed=signed))


def points_range(low: float, high: float) -> str:
    """Write an interval of points."""
    return _("{low} to {high}").format(low=points(low), high=points(high))


def value(metric: Metric, estimate: Estimate) -> str:
    """Write the value of a statistic: ``21.4 %``, ``−1,200``."""
    return NOTHING if estimate.value is None else typeset(estimate_text(metric, estimate))


def interval(metric: Metric, estimate: Estimate) -> str:
    """Write the interval of a statistic; empty if it has none."""
    return typeset(interval_text(metric, estimate))


def difference(metric: Metric, amount: float | None) -> str:
    """Write by how much two values of a statistic differ, rates in points of percent; empty for None."""
    if amount is None:
        return ""
    scale, decimals = (100, 2) if metric.unit == "%" else (1, metric.decimals)
    return typeset(units.number(scale * amount, decimals, signed=True))


def player_name(name: str) -> str:
    """Write the name of a player."""
    return display_name(name) or _("(no name)")
