"""Charts drawn by matplotlib, and one figure as the content of a file."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis as DrawnAxis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from paifu.replay.arrays import F64, I64
from paifu.replay.errors import ArgumentError
from paifu.replay.language import N_, _
from paifu.reports.figures import style as look
from paifu.reports.figures.catalogue import FIGURES
from paifu.reports.figures.chart import Axis, Band, Bars, Chart, Curve, Dots, Errors, Mark, Panel, Rule, Words
from paifu.reports.figures.parts import EVERYBODY, OTHER_PLAYERS, FigureData
from paifu.reports.metrics.counters import Counters
from paifu.reports.statistics.course_games import CourseGame
from paifu.reports.statistics.values import everybody, statistics
from paifu.reports.wording import NobodyError, no_player

_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "paifu"},
    "pdf": {"CreationDate": None, "Creator": "paifu", "Producer": None},
    "png": {"Software": "paifu"},
}
FORMATS = tuple(_METADATA)
"""File formats of figures."""
_DPI = 200


def figure_of(chart: Chart, *, title: str = "") -> Figure:
    """Return a chart as a figure, laid out when it is saved."""
    with look.styled():
        figure = Figure(figsize=(look.WIDTH, chart.height), layout="constrained")
        # The axes are in a subfigure, so that its heading stays clear of the title of the whole figure.
        part: Any = figure.subfigures(1, 1)
        axes = list(part.subplots(len(chart.panels), 1, sharex=len(chart.panels) > 1, squeeze=False)[:, 0])
        for panel, own in zip(chart.panels, axes, strict=True):
            for mark in panel.marks:
                _DRAWERS[type(mark)](own, mark)
            _draw_axes(panel, own)
        handles, labels = axes[0].get_legend_handles_labels()
        legend = part.legend(
            handles, labels, loc="outside upper left", title="\n".join(chart.cases), alignment="left",
            borderpad=0.2, borderaxespad=0.1, ncols=chart.columns, columnspacing=1.0, handlelength=1.2,
            handletextpad=0.4,
        )  # fmt: skip
        legend.get_title().set_color(look.MUTED)
        if title:
            figure.suptitle(title, x=0.007, ha="left", fontsize=11, fontweight="bold")
    return figure


def saved(figure: Figure, fmt: str) -> bytes:
    """Return a figure as a file of one of :data:`FORMATS`; the same figure gives the same bytes."""
    sink = io.BytesIO()
    with look.styled():
        figure.savefig(
            sink, format=fmt, dpi=_DPI, metadata=_METADATA[fmt], bbox_inches="tight", pad_inches=0.08
        )
    return sink.getvalue()


def _draw_axes(panel: Panel, axes: Axes) -> None:
    for axis, drawn in ((panel.x, axes.xaxis), (panel.y, axes.yaxis)):
        if axis.ticks is not None:
            drawn.set_ticks(np.asarray(axis.ticks), axis.names)
        drawn.grid(visible=axis.has_grid)
        drawn.set_tick_params(length=axis.tick_length)
        _set_scale(axis, drawn)
    if (panel.x.low, panel.x.high) != (None, None):
        axes.set_xlim(panel.x.low, panel.x.high)
    if (panel.y.low, panel.y.high) != (None, None):
        axes.set_ylim(panel.y.low, panel.y.high)
    axes.set_xlabel(panel.x.label, loc="right" if panel.x.at_end else None)
    axes.set_ylabel(panel.y.label)


def _set_scale(axis: Axis, drawn: DrawnAxis) -> None:
    says = axis.says
    if axis.most is not None or axis.steps is not None:
        drawn.set_major_locator(MaxNLocator(axis.most or "auto", steps=axis.steps, integer=axis.whole))
    if says is not None:
        drawn.set_major_formatter(FuncFormatter(lambda value, _at: says(value)))


def _style(dashes: tuple[float, float] | None) -> Any:
    return (0, dashes) if dashes else "-"


def _bars(axes: Axes, bars: Bars) -> None:
    begin = bars.begin if len(bars.begin) else None
    more: dict[str, Any] = {"color": list(bars.colours) if len(bars.colours) > 1 else bars.colours[0]}
    more |= {"label": bars.label} if bars.label else {}
    more |= {"edgecolor": bars.edge, "linewidth": 0.8} if bars.edge else {}
    if bars.lying:
        axes.barh(bars.at, bars.length, bars.thick, left=begin, **more)
    else:
        axes.bar(bars.at, bars.length, bars.thick, bottom=begin, **more)


def _errors(axes: Axes, errors: Errors) -> None:
    far: Any = {"xerr" if errors.lying else "yerr": errors.far}
    more: dict[str, Any] = {"fmt": "none"}
    if errors.mark:
        more = {"fmt": errors.mark, "color": errors.colour, "markersize": errors.size}
    more |= {"label": errors.label} if errors.label else {}
    axes.errorbar(errors.x, errors.y, **far, ecolor=errors.colour, elinewidth=errors.width, **more)


def _line(axes: Axes, line: Curve) -> None:
    axes.plot(
        line.x, line.y, color=line.colour, linestyle=_style(line.dashes), linewidth=line.width,
        marker=line.mark or None, label=line.label or None,
    )  # fmt: skip


def _dots(axes: Axes, dots: Dots) -> None:
    axes.plot(
        dots.x, dots.y, dots.mark, color=dots.colour, markersize=dots.size, alpha=dots.alpha,
        markeredgecolor=dots.edge or dots.colour, markeredgewidth=dots.edge_width, label=dots.label or None,
    )  # fmt: skip


def _band(axes: Axes, band: Band) -> None:
    axes.fill_between(band.x, band.low, band.high, color=band.colour, alpha=look.LIGHT, linewidth=0)


def _rule(axes: Axes, rule: Rule) -> None:
    draw: Any = axes.axhline if rule.lying else axes.axvline
    more = {"label": rule.label} if rule.label else {}
    draw(rule.at, color=rule.colour, linewidth=rule.width, linestyle=_style(rule.dashes), **more)


def _words(axes: Axes, words: Words) -> None:
    axes.text(words.x, words.y, words.text, ha="center", va="center", color=look.PAPER, fontweight="bold")


_DRAWERS: dict[type[Mark], Callable[[Axes, Any], None]] = {
    Bars: _bars, Errors: _errors, Curve: _line, Dots: _dots, Band: _band, Rule: _rule, Words: _words,
}  # fmt: skip


class NothingToDrawError(ArgumentError):
    """Raised if there are no cases for a figure."""


def notice() -> str:
    """Say that figures are in English because no font has the characters of the language; else empty."""
    if look.is_drawable():
        return ""
    return _(
        "the figure is in English: matplotlib finds no font with Japanese characters; install one, "
        "such as Noto Sans CJK JP or IPAexGothic"
    )


def drawn(
    counters: Counters,
    course: list[CourseGame],
    pushes: I64 | None,
    running: F64 | None,
    name: str,
    player: str,
    fmt: str,
    *,
    with_title: bool,
) -> bytes:
    """Draw a figure of one player beside the others or of everybody alone.

    ``counters`` are by player if there is one, ``course`` is the player's, ``pushes`` as in a review,
    ``running`` as in FigureData.
    Raises NothingToDrawError, NobodyError.
    """
    found = statistics(counters, players=frozenset([player] if player else []))
    if player and not found.groups:
        raise NobodyError(no_player(player, (key[0] for key in counters.keys)))
    own = found.groups[0] if player else None
    named = look.drawable(player)
    label = named or look.said(N_("the player"))
    compared = everybody(counters.without(player)) if own else found.population
    name_of_all = look.said(OTHER_PLAYERS if own else EVERYBODY)
    data = FigureData(compared, own, label, course, pushes, running, name_of_all)
    title = look.said(FIGURES[name].title)
    title = f"{title}: {named}" if named else title
    chart = FIGURES[name].describe(data)
    if chart is None:
        raise NothingToDrawError(
            _("nothing to draw: these logs have no cases, or too few, for the figure {name}").format(
                name=name
            )
        )
    return saved(figure_of(chart, title=title if with_title else ""), fmt)
