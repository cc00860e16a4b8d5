"""The catalogue of statistics: every metric of every family, by name, in the order of display."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from types import MappingProxyType

from paifu.replay.errors import ArgumentError
from paifu.replay.language import _
from paifu.replay.plugins import plugins
from paifu.reports.metrics import budget as metrics_budget
from paifu.reports.metrics import calls as metrics_calls
from paifu.reports.metrics import draws as metrics_draws
from paifu.reports.metrics import losses as metrics_losses
from paifu.reports.metrics import patterns as metrics_patterns
from paifu.reports.metrics import placement as metrics_placement
from paifu.reports.metrics import review as metrics_review
from paifu.reports.metrics import riichi as metrics_riichi
from paifu.reports.metrics import turns as metrics_turns
from paifu.reports.metrics import wins as metrics_wins
from paifu.reports.metrics import yaku as metrics_yaku
from paifu.reports.metrics.metric import Family, Metric

_OWN = (
    metrics_placement.family,
    metrics_budget.family,
    metrics_wins.family,
    metrics_losses.family,
    metrics_riichi.family,
    metrics_calls.family,
    metrics_draws.family,
    metrics_draws.starts,
    metrics_yaku.family,
    metrics_yaku.yakuman,
    metrics_patterns.family,
    metrics_turns.family,
    metrics_review.family,
)


def _names(family: Family) -> list[str]:
    return [family.name, *(metric.name for metric in family.metrics)]


FAMILIES = (*_OWN, *plugins("paifu.metrics", Family, _names, [name for own in _OWN for name in _names(own)]))
"""Families of statistics, those of plug-ins last."""


def _own(name: str) -> Metric | None:
    """The statistic of a yaku or pattern that rulesets bring along, if the name is one."""
    return metrics_yaku.own_metric(name) or metrics_patterns.own_pattern_metric(name)


class _Metrics(dict[str, Metric]):
    """Metrics by name; those of yaku and patterns of rulesets' own are made when somebody asks for them."""

    def __missing__(self, name: str) -> Metric:
        made = _own(name)
        if made is None:
            raise KeyError(name)
        return made


CATALOGUE = MappingProxyType(_Metrics((one.name, one) for family in FAMILIES for one in family.metrics))
"""Every metric by name."""

HEADLINE = (
    "rank",
    "first_rate",
    "last_rate",
    "win_rate",
    "deal_in_rate",
    "riichi_rate",
    "call_rate",
    "win_value",
    "deal_in_value",
    "tsumo_share",
    "win_turn",
    "draw_tenpai_rate",
)
"""The statistics that players ask for first, shown by default."""


class UnknownMetricError(ArgumentError):
    """Raised for a name that is not a metric, series or family; the message suggests similar names."""


def choose(names: Iterable[str]) -> list[Metric]:
    """Return the metrics of given names (of metrics, series or families) or titles, each once, in order.

    Titles are understood in English and in the language in use.

    Raises UnknownMetricError.
    """
    chosen: dict[str, Metric] = {}
    for name in names:
        found = (
            [CATALOGUE[name]]
            if name in CATALOGUE or _own(name)
            else [m for m in CATALOGUE.values() if name in (m.family, m.series)]
        )
        title = name.replace("_", " ").lower()
        found = found or [m for m in CATALOGUE.values() if title in (m.title, m.said)]
        if not found:
            known = [*CATALOGUE, *(family.name for family in FAMILIES)]
            near = get_close_matches(name, known, 3)
            words = (
                _("no statistic is called {name}; did you mean {near}? 'paifu stats --explain' lists all")
                if near
                else _("no statistic is called {name}; 'paifu stats --explain' lists all")
            )
            raise UnknownMetricError(words.format(name=repr(name), near=", ".join(near)))
        chosen.update((metric.name, metric) for metric in found)
    return list(chosen.values())
