"""Statistics as text: formatted values, tables of one or many groups, Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from paifu.replay.foreign_text import display_name
from paifu.replay.language import _, pgettext
from paifu.reports import units
from paifu.reports.metrics.catalogue import CATALOGUE, HEADLINE, families
from paifu.reports.metrics.metric import RIICHI, Metric
from paifu.reports.metrics.rooms import length_said, room_said
from paifu.reports.statistics.value_frame import ALL, GROUP, STATISTIC, lines
from paifu.reports.statistics.values import Estimate, GroupStatistics, Statistics, estimate_of

if TYPE_CHECKING:
    from paifu.reports.inference.shrinking import Spread

Cells = list[list[str]]
FEW = 30
"""Values with fewer cases than this are marked."""
MARK = "*"
NOTHING = "-"
COLUMNS = (
    "rank",
    "last_rate",
    "win_rate",
    "deal_in_rate",
    "riichi_rate",
    "call_rate",
    "win_value",
    "deal_in_value",
)
"""Headline metrics that fit side by side in 80 columns."""


def value_text(metric: Metric, value: float | None, *, unit: bool = True, narrow: bool = False) -> str:
    """Format a value as its metric specifies; ``-`` if there is none.

    Percentages have two decimals and a percent sign; with ``narrow``, one decimal and no sign.
    """
    if value is None or math.isnan(value):
        return NOTHING
    if metric.unit == "%":
        return units.percent(value, 1) if narrow else units.percent(value) + ("%" if unit else "")
    if not metric.is_rate:
        return units.number(value, 1 if metric.scale != 1 else 0)
    return units.number(value, metric.decimals)


def estimate_text(metric: Metric, estimate: Estimate, *, narrow: bool = False) -> str:
    """Format a value, with a mark if there are few cases."""
    text = value_text(metric, estimate.value, narrow=narrow)
    is_few = metric.is_rate and 0 < estimate.d < FEW
    return text + MARK if is_few else text


def interval_text(metric: Metric, estimate: Estimate) -> str:
    """Format the interval of an estimate; empty if it has none."""
    if estimate.low is None:
        return ""
    low, high = (value_text(metric, bound, unit=False) for bound in (estimate.low, estimate.high))
    return _("{low} to {high}").format(low=low, high=high)


def place_words(metric: Metric, lower: float | None) -> str:
    """Say what share of players a value beats: ``better than 71%``, or ``higher than`` if neither is good.

    Of a value that beats nobody it says whom it is beaten by. All is said of all alone, not of nearly all.
    """
    if lower is None:
        return ""
    percent = share_beaten(metric, lower)
    if round(percent) > 0:
        words = _("better than {percent:.0f}%") if metric.sign else _("higher than {percent:.0f}%")
    else:
        words = _("worse than {percent:.0f}%") if metric.sign else _("lower than {percent:.0f}%")
        percent = 100 - percent
    return words.format(percent=percent if percent == 100 else min(percent, 99))


def needed_words(among: Spread | None) -> str:
    """Say how many games of each player it takes to tell players apart, which these games do not."""
    if among is None or among.is_known:
        return ""
    from paifu.reports.inference.shrinking import MOST_GAMES

    if among.games_needed > MOST_GAMES:
        return _("unknown")
    return _("needs {games:,} games").format(games=int(float(f"{among.games_needed:.2g}")))


def share_beaten(metric: Metric, lower: float) -> float:
    """Return the share of players with a poorer value, of those with a lower one; both in percent.

    It is that with a lower value where neither direction is good.
    """
    return lower if metric.sign >= 0 else 100 - lower


def label(group: GroupStatistics) -> str:
    """Return a group's key as text."""
    return key_text(group.key)


def key_text(key: Mapping[str, str]) -> str:
    """Return a key as text: the value of each of its fields."""
    return ", ".join(_SAID.get(field, str)(value) or "?" for field, value in key.items())


_SAID: Mapping[str, Callable[[str], str]] = {
    "room": room_said,
    "length": length_said,
    "seat": lambda seat: _(seat) if seat.endswith(")") else seat,
}
"""Field of a key -> how to say its value to people, where that is not the value itself."""


def heading(metric: Metric) -> str:
    """Return what heads a column of a statistic."""
    return pgettext("heading", metric.heading) if metric.heading else metric.said


def is_marked(cells: Cells) -> bool:
    """Return whether a table has marked values, which need a note."""
    return any(cell.endswith(MARK) for row in cells[1:] for cell in row[1:])


def one_table(found: Statistics, group: pd.DataFrame | None, metrics: Sequence[Metric], *, ci: bool) -> Cells:
    """Return the table of one group's values beside everybody's, one row per metric, or of everybody alone.

    ``group`` is a frame of :meth:`Groups.frames`; the first row of the table holds headings.
    """
    (everybody,) = found.whole.frames()
    everybody = everybody.droplevel(GROUP)
    own = everybody if group is None else group.droplevel([GROUP, *found.by])
    joined = own.join(everybody["value"].rename("of_all")).loc[[metric.name for metric in metrics]]
    compared = group is not None
    with_places = compared and bool(found.spreads)
    head = [_("statistic"), _("value"), *([_("95 %")] if ci else []), "n", *([_("all")] if compared else [])]
    cells = [head + ([_("place")] if with_places else [])]
    titles = {} if _is_headline(metrics) else family_titles()
    family = ""
    for metric, line in zip(metrics, lines(joined), strict=True):
        if metric.family != family and titles:
            family = metric.family
            cells.append([f"[{titles[family]}]", *[""] * (len(cells[0]) - 1)])
        estimate = estimate_of(line)
        row = [
            metric.said,
            estimate_text(metric, estimate),
            *([interval_text(metric, estimate)] if ci else []),
            f"{estimate.d:,}",
        ]
        row += [value_text(metric, line.of_all)] if compared else []
        if with_places:
            lower = None if math.isnan(line.percentile) else line.percentile
            row.append(place_words(metric, lower) or needed_words(found.spreads.get(metric.name)))
        cells.append(row)
    return cells


def many_table(found: Statistics, metrics: Sequence[Metric]) -> Cells:
    """Return the table of many groups, one row each, and everybody last."""
    chosen = [m for m in metrics if m.name in COLUMNS] if _is_headline(metrics) else list(metrics)
    heads = list(map(heading, chosen))
    heads = [f"{head}%" if m.unit == "%" else head for m, head in zip(chosen, heads, strict=True)]
    everybody, *groups = found.frames()
    frame = pd.concat([*groups, everybody])
    frame = frame[frame.index.isin([metric.name for metric in chosen], level=STATISTIC)]
    texts = [estimate_text(CATALOGUE[row.Index[-1]], estimate_of(row), narrow=True) for row in lines(frame)]
    order = frame.reset_index(STATISTIC).index.unique()
    wide = pd.Series(texts, frame.index).unstack(STATISTIC)
    hands = frame.xs(chosen[0].name, level=STATISTIC)["hands"]
    cells = [[", ".join(pgettext("by", field) for field in found.by), _("hands"), *heads]]
    for (group, *key), row in zip(order, wide.loc[order, [m.name for m in chosen]].to_numpy(), strict=True):
        name = _("all") if group == ALL else key_text(dict(zip(found.by, key, strict=True)))
        cells.append([name, f"{hands[(group, *key)]:,}", *row])
    return cells


def _is_headline(metrics: Sequence[Metric]) -> bool:
    names = tuple(m.name for m in metrics)
    return names in (HEADLINE, tuple(name for name in HEADLINE if CATALOGUE[name].schemes != RIICHI))


def family_titles() -> dict[str, str]:
    """Return the titles of the families of statistics by their names."""
    return {family.name: _(family.title) for family in families()}


def markdown(cells: Cells) -> Iterator[str]:
    """Yield a table as Markdown; foreign text is escaped and cannot break out of its cell."""
    for number, row in enumerate(cells):
        yield "| " + " | ".join(_escaped(display_name(cell)) for cell in row) + " |"
        if number == 0:
            yield "|" + "---|" + "---:|" * (len(row) - 1)


def _escaped(text: str) -> str:
    for sign in "\\`*_{}[]<>()#+!|~":
        text = text.replace(sign, f"\\{sign}")
    return text
