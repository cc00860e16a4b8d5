"""The page ``docs/reference/statistics.md``: a row for each statistic, or for several that are much alike."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paifu.reports.metrics.catalogue import Family, families
from paifu.reports.metrics.metric import Metric
from paifu.reports.statistics.definitions import CHOICES

_PLACES = "first|second|third|fourth"
_OF_RIICHI = "share|win_rate|income|deal_in_rate|cost|balance|good_share"
_ALIKE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"last_hand_({_PLACES})_to_({_PLACES})_rate",
        rf"seat_([1-4])_({_PLACES})_rate",
        rf"({_PLACES})_rate",
        r"win_(\d+)_share",
        r"riichi_win_(\d+)_share",
        r"(mangan|haneman|baiman|sanbaiman)_win_share",
        r"win_(?:ryanmen|kanchan|penchan|shanpon|tanki)_(share|value)",
        r"deal_in_(\d+)_share",
        r"deal_in_[a-z]\w*_(share|value)",
        rf"riichi_(?:first|chase|chased|good|bad|furiten)_({_OF_RIICHI})",
        r"riichi_([123])_(good|bad)_win_rate",
        r"riichi_dora_([23])_share",
        r"calls_([1-4])_[a-z]\w*",
        r"yaku_\w+?(|_value|_closed|_open)",
    )
)
"""Statistics whose names match one of these, and agree outside its groups, share a row."""
_MANY = {
    "patterns": (
        "`pattern_ID_share`",
        "Share of wins with a pattern of [another game](systems.md), in games that know it. `paifu rules show"
        " PRESET` lists their ids; write `_` for `-`.",
    ),
    "review": (
        "`review_CODE`",
        "[Findings](findings.md) of a code per 100 hands, such as `review_f101`; `--explain` says whether"
        " notes count.",
    ),
}
"""Families whose statistics are named after a table of their own -> the row of those."""


def page() -> str:
    """Return the page of all statistics."""
    parts = [
        "# Statistics: the catalogue\n",
        "This page lists every statistic that `paifu stats` can compute. A value is the sum of the numerator"
        " divided by the sum of the denominator; 0 / 0 is missing, never 0. Pass the names in this list, or"
        " the names of families and curves, to `--metrics`. `paifu stats --explain NAME` prints the"
        " definition, numerator, denominator and unit of one.\n",
        "`a_{b,c}_d` stands for `a_b_d` and `a_c_d`; the row defines the first of them, and `--explain`"
        " the others. A name before a colon is that of a curve.\n",
        "Public tools differ in the following conventions. Here they apply to all statistics:\n",
        *(f"{number}. {text}" for number, text in enumerate(CHOICES, start=1)),
        "",
    ]
    for family in families():
        parts += [f"## {family.title} (`{family.name}`)\n", "| Name | Definition |", "|---|---|"]
        parts += [f"| {names} | {definition} |" for names, definition in _rows(family)]
        parts.append("")
    return "\n".join(parts)


def _rows(family: Family) -> Iterator[tuple[str, str]]:
    if family.name in _MANY:
        yield _MANY[family.name]
    alike: dict[str, list[Metric]] = {}
    for metric in family.metrics:
        if not re.fullmatch(r"pattern_\w+_share|review_[a-z]\d+", metric.name):
            alike.setdefault(metric.series or _template(metric.name), []).append(metric)
    for template, (first, *others) in alike.items():
        if first.series:
            last = others[-1]
            yield (
                f"`{template}`: `{first.name}` to `{last.name}`",
                f"{first.definition} ... {last.definition}",
            )
        else:
            yield f"`{_joined(template, [first, *others])}`", first.definition


def _match(name: str) -> re.Match[str] | None:
    return next(filter(None, (pattern.fullmatch(name) for pattern in _ALIKE)), None)


def _template(name: str) -> str:
    """Return a name with ``{}`` in the place of each group of the pattern that it matches."""
    match = _match(name)
    for number in range(match.re.groups if match else 0, 0, -1):
        assert match is not None
        start, end = match.span(number)
        name = f"{name[:start]}{{}}{name[end:]}" if start >= 0 else name
    return name


def _joined(template: str, alike: list[Metric]) -> str:
    """Return a template with all values that stand in each of its places."""
    values: list[dict[str, None]] = []
    for metric in alike:
        match = _match(metric.name)
        for number, value in enumerate(match.groups() if match else ()):
            values[number : number + 1] = [{**(values[number] if number < len(values) else {}), value: None}]
    return template.format(
        *("{" + ",".join(value) + "}" if len(value) > 1 else next(iter(value)) for value in values)
    )
