"""The catalogue of statistics: every metric of every family, by name, in the order of display."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache

from paifu.replay.errors import ArgumentError
from paifu.replay.language import _
from paifu.replay.plugins import plugins
from paifu.reports.metrics.calls import family as calls
from paifu.reports.metrics.draws import family as draws
from paifu.reports.metrics.draws import starts
from paifu.reports.metrics.losses import family as losses
from paifu.reports.metrics.metric import Family, Metric
from paifu.reports.metrics.placement import family as placement
from paifu.reports.metrics.riichi import family as riichi
from paifu.reports.metrics.wins import family as wins

_FIRST = (placement, wins, losses, riichi, calls, draws, starts)
_OF_FIRST = {metric.name: metric for family in _FIRST for metric in family.metrics}
"""Those that are there before anybody asks for others."""


@cache
def families() -> tuple[Family, ...]:
    """Return the families of statistics in the order of display, those of plug-ins last.

    To declare all takes the texts of all findings, and the patterns of all games.
    """
    from paifu.reports.metrics.budget import family as budget
    from paifu.reports.metrics.patterns import family as patterns
    from paifu.reports.metrics.review import family as review
    from paifu.reports.metrics.turns import family as turns
    from paifu.reports.metrics.yaku import family as yaku
    from paifu.reports.metrics.yaku import yakuman

    own = (placement, budget, *_FIRST[1:], yaku, yakuman, patterns, turns, review)

    def names(family: Family) -> list[str]:
        return [family.name, *(metric.name for metric in family.metrics)]

    taken = [name for family in own for name in names(family)]
    return (*own, *plugins("paifu.metrics", Family, names, taken))


@cache
def _every() -> dict[str, Metric]:
    return {metric.name: metric for family in families() for metric in family.metrics}


class _Catalogue(Mapping[str, Metric]):
    """Metrics by name; those of yaku and patterns of rulesets' own are made when somebody asks for them."""

    def __getitem__(self, name: str) -> Metric:
        if name in _OF_FIRST:
            return _OF_FIRST[name]
        from paifu.reports.metrics.own import own_metric

        metric = own_metric(name)
        return _every()[name] if metric is None else metric

    def __iter__(self) -> Iterator[str]:
        return iter(_every())

    def __len__(self) -> int:
        return len(_every())


CATALOGUE = _Catalogue()
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
            if name in CATALOGUE
            else [m for m in CATALOGUE.values() if name in (m.family, m.series)]
        )
        title = name.replace("_", " ").lower()
        found = found or [m for m in CATALOGUE.values() if title in (m.title, m.said)]
        if not found:
            known = [*CATALOGUE, *(family.name for family in families())]
            near = get_close_matches(name, known, 3)
            words = (
                _("no statistic is called {name}; did you mean {near}? 'paifu stats --explain' lists all")
                if near
                else _("no statistic is called {name}; 'paifu stats --explain' lists all")
            )
            raise UnknownMetricError(words.format(name=repr(name), near=", ".join(near)))
        chosen.update((metric.name, metric) for metric in found)
    return list(chosen.values())
