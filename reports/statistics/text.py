"""Statistics in words: values with their units, tables of one group or of many, explanations, Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from paifu.reports.metrics.catalogue import CATALOGUE, FAMILIES, HEADLINE
from paifu.reports.metrics.metric import Kind, Metric
from paifu.reports.statistics.values import Estimate, Group, Statistics
from paifu.reports.terminal.text import clean_text

Cells = list[list[str]]
FEW = 30
"""Cases fewer than these are marked."""
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
"""Of the headline metrics those that stand side by side in 80 columns."""

CHOICES = (
    "Two winners of one tile are two deal-ins; the deal-in rate counts hands.",
    "A draw is the exhaustive draw; abortive draws and nagashi mangan are counted apart.",
    "Values of wins and deal-ins are those of the hand, without honba and sticks; points gained or lost "
    "contain everything.",
    "A riichi whose declaration tile is won is a riichi, and costs no stick.",
    "A turn is the number of own discards so far, the declaration tile included.",
    "Closed kans and norths set aside are no calls; the call rate counts hands with an open call.",
)
"""Where public tools differ without a word: what is meant here."""


def value_text(metric: Metric, value: float | None, *, unit: bool = True, narrow: bool = False) -> str:
    """Write a value as its metric wants it; ``-`` where there is none.

    Percentages stand with two digits after the point and their sign, or ``narrow`` with one and without.
    """
    if value is None:
        return NOTHING
    if metric.unit == "%":
        return f"{100 * value:z.1f}" if narrow else f"{100 * value:z.2f}{'%' if unit else ''}"
    if metric.kind in (Kind.COUNT, Kind.EXTREME):
        return f"{value:z,.1f}" if metric.scale != 1 else f"{value:z,.0f}"
    return f"{value:z,.{metric.decimals}f}"


def estimate_text(metric: Metric, estimate: Estimate, *, narrow: bool = False) -> str:
    """Write a value, marked where it stands on few cases."""
    text = value_text(metric, estimate.value, narrow=narrow)
    is_few = metric.kind not in (Kind.COUNT, Kind.EXTREME) and 0 < estimate.d < FEW
    return text + MARK if is_few else text


def interval_text(metric: Metric, estimate: Estimate) -> str:
    """Write the bounds of an estimate; empty where there are none."""
    if estimate.low is None:
        return ""
    low, high = (value_text(metric, bound, unit=False) for bound in (estimate.low, estimate.high))
    return f"{low} to {high}"


def label(group: Group) -> str:
    """Write a group's key."""
    return ", ".join(value or "?" for value in group.key.values())


def is_marked(cells: Cells) -> bool:
    """Tell whether a table has marks that need a word of explanation."""
    return any(cell.endswith(MARK) for row in cells[1:] for cell in row[1:])


def one_table(found: Statistics, group: Group | None, metrics: Sequence[Metric], *, ci: bool) -> Cells:
    """Lay out one group, or everybody, a line a metric; the first row holds the headings."""
    shown = group or found.population
    compared = group is not None
    with_places = compared and bool(group and group.percentiles)
    head = ["statistic", "value", *(["95 %"] if ci else []), "n", *(["all"] if compared else [])]
    cells = [head + (["place"] if with_places else [])]
    titles = {family.name: family.title for family in FAMILIES}
    family = ""
    for metric in metrics:
        if metric.family != family and not _is_headline(metrics):
            family = metric.family
            cells.append([f"[{titles[family]}]", *[""] * (len(cells[0]) - 1)])
        own, all_ = shown.stats[metric.name], found.population.stats[metric.name]
        row = [
            metric.title,
            estimate_text(metric, own),
            *([interval_text(metric, own)] if ci else []),
            f"{own.d:,}",
        ]
        row += [value_text(metric, all_.value)] if compared else []
        if with_places:
            place = shown.percentiles.get(metric.name)
            row.append("" if place is None else f"{place:.0f}%")
        cells.append(row)
    return cells


def many_table(found: Statistics, metrics: Sequence[Metric]) -> Cells:
    """Lay out many groups, a line each, and everybody last."""
    chosen = [m for m in metrics if m.name in COLUMNS] if _is_headline(metrics) else list(metrics)
    heads = [m.heading or m.title for m in chosen]
    heads = [f"{head}%" if m.unit == "%" else head for m, head in zip(chosen, heads, strict=True)]
    cells = [[", ".join(found.by), "hands", *heads]]
    for group in (*found.groups, found.population):
        name = label(group) if group.key else "all"
        values = [estimate_text(m, group.stats[m.name], narrow=True) for m in chosen]
        cells.append([name, f"{group.hands:,}", *values])
    return cells


def _is_headline(metrics: Sequence[Metric]) -> bool:
    return tuple(m.name for m in metrics) == HEADLINE


def markdown(cells: Cells) -> Iterator[str]:
    """Write a table as Markdown; texts of strangers cannot break out of their cells."""
    for number, row in enumerate(cells):
        yield "| " + " | ".join(_escaped(clean_text(cell)) for cell in row) + " |"
        if number == 0:
            yield "|" + "---|" + "---:|" * (len(row) - 1)


def _escaped(text: str) -> str:
    for sign in "\\`*_{}[]<>()#+!|~":
        text = text.replace(sign, f"\\{sign}")
    return text


def explain(metrics: Iterable[Metric]) -> Iterator[str]:
    """Write definitions, family by family, the choices that hold for all first."""
    titles = {family.name: family.title for family in FAMILIES}
    yield "What is counted, everywhere:"
    for number, text in enumerate(CHOICES, start=1):
        yield f"  {number}. {text}"
    for family, members in groupby(metrics, key=lambda metric: metric.family):
        yield ""
        yield titles[family]
        for metric in members:
            yield f"  {metric.name} ({metric.title})"
            yield f"    {metric.definition}"
            yield f"    {formula(metric)}"


def formula(metric: Metric) -> str:
    """Write numerator and denominator, and the unit."""
    if metric.kind is Kind.COUNT:
        return f"count: {metric.numerator}"
    if metric.kind is Kind.EXTREME:
        return f"greatest: {metric.numerator}, of all {metric.denominator}"
    unit = f", in {metric.unit}" if metric.unit else ""
    return f"{metric.numerator} / {metric.denominator}{unit}"


def page() -> str:
    """The documentation page of all statistics."""
    parts = [
        "# Statistics: the catalogue\n",
        "What `paifu stats` counts, statistic by statistic. Each is a sum over rows, its numerator, divided",
        "by another, its denominator, at the very end; 0 / 0 is missing, never 0. The name is what",
        "`--metrics` and `--explain` take; so are the names of families and of curves.\n",
        "What is meant everywhere, where public tools differ without a word:\n",
        *(f"{number}. {text}" for number, text in enumerate(CHOICES, start=1)),
        "",
    ]
    for family in FAMILIES:
        parts += [
            f"## {family.title} (`{family.name}`)\n",
            "| name | what | numerator / denominator |",
            "|---|---|---|",
        ]
        for name, members in groupby(family.metrics, key=lambda metric: metric.series or metric.name):
            first, *rest = list(members)
            if rest:
                last = rest[-1]
                span = f"`{name}`: `{first.name}` to `{last.name}`"
                parts.append(f"| {span} | {first.definition} ... {last.definition} | {formula(first)} |")
            else:
                parts.append(f"| `{first.name}` | {first.definition} | {formula(first)} |")
        parts.append("")
    return "\n".join(parts)


def long_rows(found: Statistics, names: Iterable[str]) -> Iterator[dict[str, object]]:
    """Yield one row a group and metric, for CSV and Parquet; everybody first, without a key."""
    metrics = [CATALOGUE[name] for name in names]
    for group in (found.population, *found.groups):
        key = {field: group.key.get(field, "") for field in found.by}
        for metric in metrics:
            estimate = group.stats[metric.name]
            yield {
                "group": "group" if group.key else "all",
                **key,
                "games": group.games,
                "hands": group.hands,
                "family": metric.family,
                "statistic": metric.name,
                "n": estimate.n,
                "d": estimate.d,
                "value": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "percentile": group.percentiles.get(metric.name),
                "where": estimate.where,
            }


def document(found: Statistics) -> dict[str, object]:
    """Return the JSON object of a result, its schema apart."""

    def stats(group: Group) -> dict[str, object]:
        return {
            "games": group.games,
            "hands": group.hands,
            "stats": {
                name: {
                    "n": e.n, "d": e.d, "value": e.value, "low": e.low, "high": e.high,
                    **({"where": e.where} if e.where else {}),
                    **({"percentile": group.percentiles[name]} if name in group.percentiles else {}),
                }
                for name, e in group.stats.items()
            },
        }  # fmt: skip

    groups = [{"key": group.key, **stats(group)} for group in found.groups]
    return {
        "by": list(found.by),
        "population": stats(found.population),
        "groups": groups,
        "compared": found.compared,
    }
