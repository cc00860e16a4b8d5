"""The values of statistics as a pandas DataFrame: a row for each group and statistic.

All tables of statistics are made from it: those of the terminal, CSV, Parquet, and what :func:`paifu.stats`
returns. Texts are objects, because names in logs may hold half of a surrogate pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from paifu.replay.arrays import Mask
from paifu.replay.rules.choices import Scheme
from paifu.reports.inference.intervals import interval
from paifu.reports.inference.sums import GameSums
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import AT_ONE_TABLE, GAMES, HANDS, OTHERS, PARTS, Counters
from paifu.reports.metrics.metric import Metric, MetricKind

if TYPE_CHECKING:
    from paifu.reports.inference.shrinking import Spread

GROUP, STATISTIC = "group", "statistic"
"""The first and the last level of the index; those between are the fields of groups."""
ALL = "all"
"""What the first level is for everybody; it is ``group`` for others."""
SUMS = ["n", "d", "nn", "nd", "dd"]
"""Numerator, denominator, and the sums over games of their squares and product; the parts of counters."""
NO_SPREADS: Mapping[str, Spread] = {}


def value_frame(
    counters: Counters, rows: Sequence[int], spreads: Mapping[str, Spread] = NO_SPREADS
) -> pd.DataFrame:
    """Return the values of some groups, in the order of ``rows`` and of the statistics.

    The columns are ``games`` and ``hands`` of the group; ``n``, ``d`` and ``value``, which is the first
    divided by the second, as the statistic says; ``low`` and ``high``, its 95% interval; ``percentile``, the
    expected share of players with a lower true value, by ``spreads``; ``where``, game and hand of a record;
    and the sums that tests need. Numbers that are not known are NaN.
    """
    metrics = [CATALOGUE[name] for name in counters.metrics]
    every = np.asarray(rows, int)
    sizes = counters.sizes[every]
    is_rate, is_count, is_record = (
        np.tile(np.array([fits(metric) for metric in metrics], bool), len(every))
        for fits in (
            lambda metric: metric.is_rate,
            lambda metric: metric.kind is MetricKind.COUNT,
            lambda metric: metric.kind is MetricKind.EXTREME,
        )
    )
    scale = np.tile([metric.scale for metric in metrics], len(every))
    offset = np.tile([metric.offset for metric in metrics], len(every))
    is_meant = has_meaning(metrics, sizes).ravel()

    frame = pd.DataFrame(counters.sums[every].reshape(-1, PARTS), columns=SUMS)
    frame = frame.mul(is_meant.astype(int), axis=0)
    best = _bests(counters, every, is_record & is_meant)
    frame["n"] = frame["n"].mask(is_record, best["value"].fillna(0).astype(int))
    frame["value"] = (scale * frame["n"] / frame["d"] + offset).where(is_rate & (frame["d"] > 0))
    has_value = (is_count & is_meant) | best["value"].notna()
    frame["value"] = frame["value"].mask(has_value, scale * frame["n"])
    for name, part in zip(("low", "high"), _bounds(counters, every, metrics), strict=True):
        frame[name] = part.where(frame["value"].notna())
    frame["percentile"] = _percentiles(counters, every, spreads).where(frame["value"].notna())
    frame["where"] = best["where"]
    frame[SUMS[2:]] = frame[SUMS[2:]].mul((is_rate & (frame["d"] > 0)).astype(int), axis=0)
    for number, (name, size) in enumerate((("games", GAMES), ("hands", HANDS))):
        frame.insert(number, name, np.repeat(sizes[:, size], len(metrics)))
    return frame.set_index(_index(counters, every))


def _bests(counters: Counters, rows: np.ndarray, is_record: Mask) -> pd.DataFrame:
    """Return value and place of the records, NaN and empty where there is none."""
    values, where = np.full(len(is_record), np.nan), np.full(len(is_record), "", object)
    for at in np.flatnonzero(is_record).tolist():
        row, number = divmod(at, len(counters.metrics))
        best = counters.bests.get((counters.keys[rows[row]], counters.metrics[number]))
        if best is not None:
            values[at], where[at] = best.value, best.where
    return pd.DataFrame({"value": values, "where": pd.Series(where, dtype=object)})


def lines(frame: pd.DataFrame) -> Iterator[Any]:
    """Yield the rows as objects with an attribute for each column, and ``Index``."""
    yield from frame.itertuples()


def has_meaning(metrics: Sequence[Metric], sizes: np.ndarray) -> Mask:
    """Return whether (groups, metrics) have a meaning in a game of the group, or it played none."""
    played = np.array([[scheme in metric.schemes for scheme in Scheme] for metric in metrics], int)
    found: Mask = (sizes[:, HANDS + 1 :] @ played.reshape(-1, len(Scheme)).T > 0) | (
        sizes[:, HANDS, None] == 0
    )
    return found


def _bounds(counters: Counters, rows: np.ndarray, metrics: Sequence[Metric]) -> Iterator[pd.Series]:
    """Yield the lower and the upper bounds, NaN where there is no interval."""
    bounds = np.full((2, len(rows), len(metrics)), np.nan)
    has_others = any(key[:1] == (OTHERS,) for key in counters.keys)
    is_whole = not AT_ONE_TABLE & set(counters.by) and not has_others
    natures = [
        None if not metric.is_rate or (metric.is_fixed and is_whole) else metric.nature for metric in metrics
    ]
    for nature in {nature for nature in natures if nature}:
        columns = [number for number, one in enumerate(natures) if one is nature]
        scale, offset = np.array([(metrics[column].scale, metrics[column].offset) for column in columns]).T
        found = interval(GameSums.of(counters.sums[np.ix_(rows, np.array(columns))]), nature)
        bounds[:, :, columns] = [scale * bound + offset for bound in found]
    yield from map(pd.Series, bounds.reshape(2, -1))


def _percentiles(counters: Counters, rows: np.ndarray, spreads: Mapping[str, Spread]) -> pd.Series:
    """Return the places among players, NaN where these cannot be told apart."""
    found = np.full((len(rows), len(counters.metrics)), np.nan)
    if spreads:
        from paifu.reports.inference.shrinking import place
    for name, among in spreads.items():
        if among.is_known:
            number = counters.metrics.index(name)
            with np.errstate(invalid="ignore", divide="ignore"):
                found[:, number] = place(GameSums.of(counters.sums[rows, number]), among)
    return pd.Series(found.ravel())


def _index(counters: Counters, rows: np.ndarray) -> pd.MultiIndex:
    """Return the fields of the group and the name of the statistic of each row."""
    keys = [counters.keys[row] for row in rows]
    fields = ([key[number] for key in keys] for number in range(len(counters.by)))
    levels = [np.repeat(np.array(texts, object), len(counters.metrics)) for texts in fields]
    levels.insert(0, np.full(len(rows) * len(counters.metrics), GROUP if counters.by else ALL, object))
    levels.append(np.tile(np.array(counters.metrics, object), len(rows)))
    names = [GROUP, *counters.by, STATISTIC]
    return pd.MultiIndex.from_arrays([pd.Index(level, dtype=object) for level in levels], names=names)
