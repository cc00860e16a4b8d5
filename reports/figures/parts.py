"""The data of figures, and the charts that several of them share: columns, curves, rows, stacks.

A chart function returns a chart, to which its caller adds labels, or None if there are no cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import F64, I64
from paifu.replay.language import N_
from paifu.reports.figures import style as look
from paifu.reports.figures.chart import DASHED, Axis, Band, Bars, Chart, Curve, Dots, Errors, Words
from paifu.reports.figures.style import ALL, OWN
from paifu.reports.figures.style import said as _
from paifu.reports.figures.style import said_of as ngettext
from paifu.reports.figures.style import said_there as pgettext
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.statistics.course_games import CourseGame
from paifu.reports.statistics.values import Estimate, GroupStatistics

Part = tuple[str, str, str]
"""A metric or series, its label and its colour; or label, colour and mark."""
EVERYBODY = N_("all players")
OTHER_PLAYERS = N_("other players")
"""All but the one whom a figure shows."""
CASES: Mapping[str, Callable[[int], str]] = {
    "hand": lambda count: ngettext("n = {count:,} hand", "n = {count:,} hands", count),
    "game": lambda count: ngettext("n = {count:,} game", "n = {count:,} games", count),
    "win": lambda count: ngettext("n = {count:,} win", "n = {count:,} wins", count),
    "deal-in": lambda count: ngettext("n = {count:,} deal-in", "n = {count:,} deal-ins", count),
}
"""What a figure counts -> the number of its cases in words."""
SHARES = MappingProxyType(
    {"hand": N_("share of hands"), "win": N_("share of wins"), "deal-in": N_("share of deal-ins")}
)
"""What a figure counts -> the label of an axis of shares."""


RUNNING = ("win_rate", "deal_in_rate", "riichi_rate", "call_rate")
"""Statistics that are drawn over the games of a player."""


@dataclass(frozen=True, slots=True)
class FigureData:
    """The data of a figure."""

    everybody: GroupStatistics
    """All players, or whom the player is compared with."""
    own: GroupStatistics | None = None
    """The player; None to show everybody alone."""
    own_name: str = "player"
    """Label of the player in legends; must be drawable (:func:`~paifu.reports.figures.style.drawable`)."""
    course: Sequence[CourseGame] = ()
    """The player's games in the order of play."""
    pushes: I64 | None = None
    """As in :class:`paifu.replay.review.results.Reviewed`, the player's apart."""
    running: F64 | None = None
    """(games, statistics of :data:`RUNNING`, 2): numerators and denominators of the player's games."""
    everybody_name: str = EVERYBODY
    """Label of ``everybody`` in legends."""

    @property
    def groups(self) -> list[tuple[GroupStatistics, str, str]]:
        """Groups to draw, each with its name and colour: the player first."""
        all_ = (self.everybody, self.everybody_name, ALL if self.own else OWN)
        return [(self.own, self.own_name, OWN), all_] if self.own else [all_]

    @property
    def shown(self) -> GroupStatistics:
        """The player, or everybody if no player was chosen."""
        return self.own or self.everybody


PERCENT_STEPS = 6
"""Of an axis beside a panel."""


def percent(axis: Axis, *, most: int | None = PERCENT_STEPS) -> None:
    """Label the shares on an axis in percent."""
    axis.percent(_(" %"), most)


def cases(data: FigureData, metric: str, noun: str) -> list[str]:
    """Return the denominators of one statistic in words: the player's, then everybody's."""
    count = data.shown.stats[metric].d
    own = CASES[noun](count).format(count=count)
    return [own, f"{data.everybody_name} {data.everybody.stats[metric].d:,}"] if data.own else [own]


def error(estimates: Sequence[Estimate]) -> npt.NDArray[np.float64]:
    """Return the distances from values to the bounds of their intervals, as (2, n)."""
    bars = [
        (0, 0) if e.value is None or e.low is None or e.high is None else (e.value - e.low, e.high - e.value)
        for e in estimates
    ]
    found: npt.NDArray[np.float64] = np.maximum(np.array(bars, float).reshape(-1, 2).T, 0)
    return found


def values(estimates: Iterable[Estimate]) -> list[float]:
    """Return the values, NaN for missing ones."""
    return [np.nan if e.value is None else e.value for e in estimates]


def columns(
    data: FigureData, metrics: Sequence[str], labels: Sequence[str], noun: str, *, fixed: bool = False
) -> Chart | None:
    """Draw shares as columns, the player's beside everybody's, with intervals.

    With ``fixed``, everybody's shares follow from the rules of the game and have no interval.
    """
    if not any(data.shown.stats[name].d for name in metrics):
        return None
    chart, [panel] = Chart.of(height=look.HEIGHT)
    groups = data.groups
    width = 0.8 / len(groups)
    for number, (group, name, colour) in enumerate(groups):
        estimates = [group.stats[metric] for metric in metrics]
        at = np.arange(len(metrics)) + (number - (len(groups) - 1) / 2) * width
        panel.add(Bars(at, values(estimates), width * 0.92, [colour], name))
        if not (fixed and group is data.everybody):
            panel.add(Errors(at, values(estimates), error(estimates)))
    panel.x.named(range(len(metrics)), labels)
    panel.x.has_grid, panel.x.tick_length = False, 0
    panel.y.bound(low=0)
    percent(panel.y)
    chart.head(cases(data, metrics[0], noun))
    return chart


def curves(data: FigureData, series: Sequence[Part], ylabel: str) -> Chart | None:
    """Draw curves by turn: a line per series (name, label, colour) for the player, dashed for everybody."""
    if not data.shown.hands:
        return None
    chart, [panel] = Chart.of(height=look.HEIGHT)
    points = {name: [m.name for m in CATALOGUE.values() if m.series == name] for name, *_words in series}
    first = points[series[0][0]]
    for name, words, colour in series:
        turns = [float(CATALOGUE[metric].at) for metric in points[name]]
        for group, *_name in data.groups:
            is_main = group is data.shown
            heights = values(group.stats[metric] for metric in points[name])
            own_colour = colour if is_main or len(series) > 1 else ALL
            panel.add(
                Curve(turns, heights, own_colour, 2.2, label=words)
                if is_main
                else Curve(turns, heights, own_colour, 1.3, DASHED)
            )
        estimates = [data.shown.stats[metric] for metric in points[name]]
        low = [np.nan if e.low is None else e.low for e in estimates]
        high = [np.nan if e.high is None else e.high for e in estimates]
        panel.add(Band(turns, low, high, colour))
    if data.own:
        panel.add(Curve([], [], ALL, 1.3, DASHED, label=data.everybody_name))
    panel.x.bound(1, 18)
    panel.x.named([1, 3, 6, 9, 12, 15, 18])
    panel.x.label, panel.y.label = _("turn (player's discards)"), ylabel
    panel.y.bound(low=0)
    if all(CATALOGUE[metric].unit == "%" for metric in first):
        percent(panel.y)
    chart.head(cases(data, first[0], "hand"))
    return chart


def rows(
    data: FigureData,
    rows: Sequence[tuple[str, Sequence[str]]],
    kinds: Sequence[Part],
    noun: str,
    xlabel: str,
) -> Chart | None:
    """Draw shares as points in rows: each row has a metric for each of ``kinds`` (label, colour, mark)."""
    rows = [row for row in rows if any(data.shown.stats[metric].d for metric in row[1])]
    if not rows:
        return None
    chart, [panel] = Chart.of(height=max(look.HEIGHT, 1.35 + 0.32 * len(rows)))
    at = np.arange(len(rows))[::-1]
    for number, (words, colour, mark) in enumerate(kinds):
        own = [data.shown.stats[metrics[number]] for _, metrics in rows]
        label = pgettext("figure", words)
        panel.add(
            Errors(values(own), at, error(own), colour, 1.2, lying=True, mark=mark, size=6, label=label)
        )
        if data.own:
            everybody = values(data.everybody.stats[metrics[number]] for _, metrics in rows)
            panel.add(Dots(everybody, at, colour, "|", 13, edge_width=1.6, alpha=0.75))
    if data.own:
        panel.add(Dots([], [], ALL, "|", 11, edge_width=1.6, label=data.everybody_name))
    cases = [max(data.shown.stats[metric].d for metric in metrics) for _, metrics in rows]
    panel.y.named(
        at, [f"{pgettext('figure', words)} ({n:,})" for (words, _metrics), n in zip(rows, cases, strict=True)]
    )
    panel.y.bound(-0.6, len(rows) - 0.4)
    panel.y.tick_length = 0
    panel.x.bound(low=0)
    panel.x.label = xlabel
    percent(panel.x, most=None)
    chart.head([_("n of each row in brackets, {cases}").format(cases=_(noun))])
    return chart


def stacks(data: FigureData, parts: Sequence[Part], noun: str) -> Chart | None:
    """Draw shares of a whole as stacked bars, one per group; a part is (metric, label, colour)."""
    if not data.shown.stats[parts[0][0]].d:
        return None
    chart, [panel] = Chart.of(height=1.5 + 0.5 * len(data.groups))
    at = np.arange(len(data.groups))[::-1]
    left = np.zeros(len(at))
    for metric, words, colour in parts:
        widths = np.nan_to_num(np.array(values(group.stats[metric] for group, _, _ in data.groups)))
        panel.add(
            Bars(
                at, widths, 0.66, [colour], pgettext("figure", words), left, lying=True, edge=look.PAPER
            )
        )  # fmt: skip
        panel.add(
            *(
                Words(begin + width / 2, y, f"{100 * width:.0f}")
                for y, begin, width in zip(at, left, widths, strict=True)
                if width >= 0.06
            )
        )
        left = left + widths
    panel.y.named(at, [name for _, name, _ in data.groups])
    panel.y.tick_length = 0
    panel.x.has_grid = panel.y.has_grid = False
    panel.x.bound(0, max(1.0, left.max()))
    panel.x.label = _(SHARES[noun])
    percent(panel.x, most=None)
    chart.head(cases(data, parts[0][0], noun), columns=3)
    return chart
