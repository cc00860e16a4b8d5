"""The data of figures, and the charts that several of them share: columns, curves, rows, stacks.

A chart function returns a figure, to which its caller adds labels, or None if there are no cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from paifu.replay.arrays import F64, I64
from paifu.replay.language import N_
from paifu.reports.figures import style as look
from paifu.reports.figures.style import ALL, OWN
from paifu.reports.figures.style import said as _
from paifu.reports.figures.style import said_of as ngettext
from paifu.reports.figures.style import said_there as pgettext
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.statistics.values import CourseGame, Estimate, GroupStatistics

Words = tuple[str, str, str]
"""A metric or series, its label and its colour; or label, colour and marker."""
EVERYBODY = N_("all players")
OTHER_PLAYERS = N_("other players")
"""All but the one whom a figure shows."""
CASES: Mapping[str, Callable[[int], str]] = MappingProxyType(
    {
        "hand": lambda count: ngettext("n = {count:,} hand", "n = {count:,} hands", count),
        "game": lambda count: ngettext("n = {count:,} game", "n = {count:,} games", count),
        "win": lambda count: ngettext("n = {count:,} win", "n = {count:,} wins", count),
        "deal-in": lambda count: ngettext("n = {count:,} deal-in", "n = {count:,} deal-ins", count),
    }
)
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


def percent(axes: Axes, axis: str = "y") -> None:
    """Label the shares on an axis in percent."""
    part, sign = axes.yaxis if axis == "y" else axes.xaxis, _(" %")
    part.set_major_formatter(FuncFormatter(lambda share, _at: f"{100 * share:.4g}{sign}"))
    part.set_major_locator(MaxNLocator(6 if axis == "y" else "auto", steps=[1, 2, 2.5, 5, 10]))


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
) -> Figure | None:
    """Draw shares as columns, the player's beside everybody's, with intervals.

    With ``fixed``, everybody's shares follow from the rules of the game and have no interval.
    """
    if not any(data.shown.stats[name].d for name in metrics):
        return None
    figure, [axes] = look.new_figure()
    groups = data.groups
    width = 0.8 / len(groups)
    for number, (group, name, color) in enumerate(groups):
        estimates = [group.stats[metric] for metric in metrics]
        at = np.arange(len(metrics)) + (number - (len(groups) - 1) / 2) * width
        axes.bar(at, values(estimates), width * 0.92, color=color, label=name)
        if not (fixed and group is data.everybody):
            axes.errorbar(at, values(estimates), error(estimates), fmt="none", ecolor=look.TEXT, elinewidth=1)
    axes.set_xticks(range(len(metrics)), labels)
    axes.grid(visible=False, axis="x")
    axes.tick_params(axis="x", length=0)
    axes.set_ylim(bottom=0)
    percent(axes)
    look.heading(axes, cases(data, metrics[0], noun))
    return figure


def curves(data: FigureData, series: Sequence[tuple[str, str, str]], noun: str, ylabel: str) -> Figure | None:
    """Draw curves by turn: a line per series (name, label, colour) for the player, dashed for everybody."""
    if not data.shown.hands:
        return None
    figure, [axes] = look.new_figure()
    points = {name: [m.name for m in CATALOGUE.values() if m.series == name] for name, *_words in series}
    first = points[series[0][0]]
    for name, words, color in series:
        turns = [CATALOGUE[metric].at for metric in points[name]]
        for group, *_name in data.groups:
            is_main = group is data.shown
            heights = values(group.stats[metric] for metric in points[name])
            axes.plot(
                turns,
                heights,
                color=color if is_main or len(series) > 1 else ALL,
                linestyle="-" if is_main else (0, (4, 2)),
                linewidth=2.2 if is_main else 1.3,
                label=words if is_main else None,
            )
        estimates = [data.shown.stats[metric] for metric in points[name]]
        low = [np.nan if e.low is None else e.low for e in estimates]
        high = [np.nan if e.high is None else e.high for e in estimates]
        axes.fill_between(turns, low, high, color=color, alpha=0.15, linewidth=0)
    if data.own:
        axes.plot([], [], color=ALL, linestyle=(0, (4, 2)), linewidth=1.3, label=data.everybody_name)
    axes.set_xlim(1, 18)
    axes.set_xticks([1, 3, 6, 9, 12, 15, 18])
    axes.set_xlabel(_("turn (player's discards)"))
    axes.set_ylabel(ylabel)
    axes.set_ylim(bottom=0)
    if all(CATALOGUE[metric].unit == "%" for metric in first):
        percent(axes)
    look.heading(axes, cases(data, first[0], noun))
    return figure


def rows(
    data: FigureData,
    rows: Sequence[tuple[str, Sequence[str]]],
    kinds: Sequence[tuple[str, str, str]],
    noun: str,
) -> Figure | None:
    """Draw shares as points in rows: each row has a metric for each of ``kinds`` (label, colour, marker)."""
    rows = [row for row in rows if any(data.shown.stats[metric].d for metric in row[1])]
    if not rows:
        return None
    figure, [axes] = look.new_figure(height=max(look.HEIGHT, 1.35 + 0.32 * len(rows)))
    at = np.arange(len(rows))[::-1]
    for number, (words, color, mark) in enumerate(kinds):
        own = [data.shown.stats[metrics[number]] for _, metrics in rows]
        axes.errorbar(
            values(own), at, xerr=error(own), fmt=mark, color=color, elinewidth=1.2, markersize=6,
            label=pgettext("figure", words),
        )  # fmt: skip
        if data.own:
            everybody = values(data.everybody.stats[metrics[number]] for _, metrics in rows)
            axes.plot(everybody, at, "|", color=color, markersize=13, markeredgewidth=1.6, alpha=0.75)
    if data.own:
        axes.plot([], [], "|", color=ALL, markersize=11, markeredgewidth=1.6, label=data.everybody_name)
    cases = [max(data.shown.stats[metric].d for metric in metrics) for _, metrics in rows]
    axes.set_yticks(
        at, [f"{pgettext('figure', words)} ({n:,})" for (words, _metrics), n in zip(rows, cases, strict=True)]
    )
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlim(left=0)
    axes.tick_params(axis="y", length=0)
    percent(axes, "x")
    look.heading(axes, [_("n of each row in brackets, {cases}").format(cases=_(noun))])
    return figure


def stacks(data: FigureData, parts: Sequence[Words], noun: str) -> Figure | None:
    """Draw shares of a whole as stacked bars, one per group; a part is (metric, label, colour)."""
    if not data.shown.stats[parts[0][0]].d:
        return None
    figure, [axes] = look.new_figure(height=1.5 + 0.5 * len(data.groups))
    at = np.arange(len(data.groups))[::-1]
    left = np.zeros(len(at))
    for metric, words, color in parts:
        widths = np.nan_to_num(np.array(values(group.stats[metric] for group, _, _ in data.groups)))
        axes.barh(
            at,
            widths,
            0.66,
            left=left,
            color=color,
            label=pgettext("figure", words),
            edgecolor=look.PAPER,
            linewidth=0.8,
        )
        for y, begin, width in zip(at, left, widths, strict=True):
            if width >= 0.06:
                axes.text(begin + width / 2, y, f"{100 * width:.0f}", ha="center", va="center",
                          color=look.PAPER, fontweight="bold")  # fmt: skip
        left += widths
    axes.set_yticks(at, [name for _, name, _ in data.groups])
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False)
    axes.set_xlim(0, max(1.0, left.max()))
    axes.set_xlabel(_(SHARES[noun]))
    percent(axes, "x")
    look.heading(axes, cases(data, parts[0][0], noun), columns=3)
    return figure
