"""What statistics count, in words: definitions and formulas, and the conventions that apply to all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from paifu.replay.language import N_, _, pgettext
from paifu.reports.metrics.metric import Metric, MetricKind
from paifu.reports.statistics.text import family_titles

CHOICES = (
    N_("A double ron counts as two deal-ins, except in the deal-in rate, which counts hands."),
    N_("Draws are exhaustive draws; abortive draws and nagashi mangan are counted separately."),
    N_(
        "Values of wins and deal-ins are those of the hand, without honba and riichi sticks; points gained "
        "or lost include both, and payments at draws."
    ),
    N_("A riichi whose declaration tile deals in counts as a riichi, but costs no stick."),
    N_("Turns count the player's discards so far, including the riichi declaration tile."),
    N_("Closed kans and norths set aside are not calls; the call rate counts hands with an open call."),
    N_(
        "Hands and games count once, not once for each player: in 'games' and 'hands', and in statistics of "
        "what a whole table shares, such as draws. Statistics of players count each player's hand."
    ),
)
"""Conventions on which public tools silently differ."""


def explain(metrics: Iterable[Metric]) -> Iterator[str]:
    """Yield the definitions by family, after the conventions that apply to all of them."""
    titles = family_titles()
    yield _("These conventions apply to all statistics:")
    for number, text in enumerate(CHOICES, start=1):
        yield f"  {number}. {_(text)}"
    for family, members in groupby(metrics, key=lambda metric: metric.family):
        yield ""
        yield titles[family]
        for metric in members:
            yield f"  {metric.name} ({metric.said})"
            yield f"    {_(metric.definition)}"
            yield f"    {formula(metric)}"


def formula(metric: Metric) -> str:
    """Return numerator, denominator and unit in words."""
    if metric.kind is MetricKind.COUNT:
        words = _("count: {numerator}")
    elif metric.kind is MetricKind.EXTREME:
        words = _("maximum: {numerator}, over all {denominator}")
    else:
        words = _("{numerator} / {denominator}, in {unit}") if metric.unit else "{numerator} / {denominator}"
    return words.format(
        numerator=_(metric.numerator), denominator=_(metric.denominator), unit=pgettext("unit", metric.unit)
    )
