"""A player over time: what changed and when, and small charts of the main statistics by period.

The words of the charts are HTML around pictures without text, so they have the size of the page at any width.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from paifu.replay.language import _
from paifu.reports.inference.changing import LEAST_CASES, LEAST_GAMES
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.metric import Metric
from paifu.reports.pages import numbers
from paifu.reports.pages.report_sections import CARDS
from paifu.reports.statistics.periods import (
    CHANGING,
    GameSeries,
    PlayerChanges,
    StatisticChange,
    period_differences,
    player_changes,
)
from paifu.reports.statistics.text import label
from paifu.reports.statistics.values import Estimate, GroupStatistics, statistics
from paifu.reports.wording import plural

FOLLOWED = tuple(dict.fromkeys((*CHANGING, *CARDS)))
"""Statistics that are kept by game."""
MOST_PERIODS = 120
"""Maximum number of periods in a chart, the last ones."""
_AT_FIRST = 3
_WIDTH, _HEIGHT = 240.0, 80.0
"""Of the pictures, which the page stretches."""
_STATISTIC = "\0"


def changes_said(series: GameSeries) -> dict[str, Any]:
    """Return what the page says of changes."""
    found = player_changes(series)
    rows = [_change(one) for one in found.changes]
    return {
        "rows": rows[:_AT_FIRST], "more": rows[_AT_FIRST:], "none": "" if rows else _none(found),
        "tested": len(found.changes) + len(found.unchanged), "sizes": list(map(_begun, found.sizes())),
    }  # fmt: skip


def _change(one: StatisticChange) -> dict[str, str]:
    """Return the sentence before and after the name of the statistic."""
    before, _statistic, after = _percent(one.words(_STATISTIC)).partition(_STATISTIC)
    return {"metric": one.metric, "before": _begun(before), "after": after}


def _begun(sentence: str) -> str:
    """Begin a sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def _percent(text: str) -> str:
    """Write percent as print has it; days and names keep their hyphens."""
    return text.replace("%", _(" %"))


def _none(found: PlayerChanges) -> str:
    """Say that nothing changed, or what it takes to look."""
    if found.unchanged:
        count = len(found.unchanged)
        return _("No change is seen in {games}, of {count} statistics looked at.").format(
            games=plural(found.games, "game"), count=count
        )
    return _(
        "Nothing can be said yet: it takes {least} games and {cases} cases to look for a change."
    ).format(least=LEAST_GAMES, cases=LEAST_CASES)


def change_definition() -> dict[str, str]:
    """Return the definition of a change, as the page lists those of statistics."""
    return {
        "id": "change",
        "title": _("change"),
        "text": _(
            "A time before and after which a statistic differs by more than chance explains. Sums of what "
            "each game is above the mean of all games go far if something changed; how far they go by chance "
            "is known from the same games in random orders. All statistics are looked at together: of "
            "players in whom nothing changed, at most one in twenty is told of any change. The days in "
            "brackets are the 95 % interval of the day."
        ),
        "formula": _("sum over games of (case - mean of all games), at its farthest from 0"),
    }


def small_multiples(series: GameSeries, by: str, metrics: tuple[str, ...]) -> dict[str, Any] | None:
    """Return a chart of each statistic by period, and a table; None with fewer than two periods."""
    found = statistics(series.periods(by, metrics))
    groups = found.groups[-MOST_PERIODS:]
    shown = [CATALOGUE[name] for name in metrics if any(group.stats[name].d for group in groups)]
    if len(groups) < 2 or not shown:
        return None
    differing = period_differences(replace(found, groups=groups), [metric.name for metric in shown])
    return {
        "charts": [_chart(metric, groups) for metric in shown],
        "metrics": [metric.name for metric in shown],
        "rows": [
            {
                "period": label(group),
                "games": f"{group.games:,}",
                "cells": [_cell(metric, group.stats[metric.name]) for metric in shown],
            }
            for group in groups
        ],
        "differing": list(map(_percent, differing.lines())),
        "hidden": len(found.groups) - len(groups),
    }


def _cell(metric: Metric, estimate: Estimate) -> dict[str, str]:
    return {"value": numbers.value(metric, estimate), "interval": numbers.interval(metric, estimate)}


def _chart(metric: Metric, groups: Sequence[GroupStatistics]) -> dict[str, Any]:
    """Return where the points and intervals of a statistic are, and what stands around them."""
    own = [group.stats[metric.name] for group in groups]
    known = [one.value for one in own if one.value is not None]
    # Intervals of periods with few cases would flatten the rest: the picture cuts them off.
    margin = 0.75 * (max(known) - min(known)) or abs(known[0]) / 10 or 1.0
    bottom, top = min(known) - margin, max(known) + margin
    if min(known) >= 0:
        bottom = max(bottom, 0)
    if metric.unit == "%":
        top = min(top, 1)
    step = _WIDTH / len(groups)

    def height(value: float) -> float:
        return round(_HEIGHT * (1 - (min(top, max(bottom, value)) - bottom) / (top - bottom)), 1)

    points = [
        {
            "x": round((at + 0.5) * step, 1),
            "y": height(one.value),
            "low": None if one.low is None else height(one.low),
            "high": None if one.high is None else height(one.high),
            "title": f"{label(group)}: {' '.join(filter(None, _said(metric, one)))}",
        }
        for at, (group, one) in enumerate(zip(groups, own, strict=True))
        if one.value is not None
    ]
    return {
        "metric": metric.name,
        "width": _WIDTH, "height": _HEIGHT, "points": points,
        "top": numbers.value(metric, Estimate(0, 1000, top)),
        "bottom": numbers.value(metric, Estimate(0, 1000, bottom)),
        "first": label(groups[0]), "last": label(groups[-1]),
        "said": "; ".join(str(point["title"]) for point in points[-12:]),
    }  # fmt: skip


def _said(metric: Metric, estimate: Estimate) -> Iterator[str]:
    cell = _cell(metric, estimate)
    yield cell["value"]
    if cell["interval"]:
        yield _("(95 %: {interval})").format(interval=cell["interval"])
