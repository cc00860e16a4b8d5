"""Statistics for programs: a row for each group and statistic, or one JSON object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.statistics.value_frame import GROUP, STATISTIC
from paifu.reports.statistics.values import GroupStatistics, Statistics


def long_columns(found: Statistics) -> dict[str, type]:
    """Return the columns of :func:`long_rows`, and what they hold."""
    return {
        "group": str, **dict.fromkeys(found.by, str), "games": int, "hands": int, "family": str,
        "statistic": str, "n": int, "d": int, "value": float, "low": float, "high": float,
        "percentile": float, "where": str,
    }  # fmt: skip


def long_rows(found: Statistics, names: Iterable[str]) -> Iterator[dict[Any, Any]]:
    """Yield one row per group and metric, for CSV and Parquet; everybody first, without a key."""
    wanted = list(names)
    for frame in found.frames():
        rows = frame[frame.index.isin(wanted, level=STATISTIC)].astype(object)
        for level in (GROUP, *found.by, STATISTIC):  # not by reset_index, which would want texts of Unicode
            rows[level] = rows.index.get_level_values(level).astype(object)
        rows["family"] = [CATALOGUE[name].family for name in rows[STATISTIC]]
        rows = rows[list(long_columns(found))]
        yield from rows.where(rows.notna(), None).to_dict("records")


def document(
    found: Statistics, of_players: Mapping[str, Mapping[str, object]] = MappingProxyType({})
) -> dict[str, object]:
    """Return the JSON object of a result, without its schema; ``of_players`` is what more to say of each."""

    def stats(group: GroupStatistics) -> dict[str, object]:
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

    groups = [
        {"key": group.key, **stats(group), **of_players.get(group.key.get("player", ""), {})}
        for group in found.groups
    ]
    return {
        "by": list(found.by),
        "population": stats(found.population),
        "groups": groups,
        "compared": found.compared,
    }
