"""Statistics of players' games: from records to counters to values with intervals and comparisons.

The steps are::

    from paifu.reports.metrics.catalogue import CATALOGUE, HEADLINE, choose
    from paifu.reports.metrics.counters import Chosen, Counters, count
    from paifu.reports.metrics.recording import records
    from paifu.reports.statistics.values import statistics

    metrics = choose(HEADLINE)                        # choose(CATALOGUE) for all
    chosen = Chosen(by=("player",))
    parts = (count(records(replay(batch)), metrics, chosen) for batch in batches)
    counters = Counters.total(parts, chosen.by, [metric.name for metric in metrics])
    found = statistics(counters, min_hands=100)
    found.population.stats["win_rate"].value          # 0.209; n, d, low, high beside it
    for group in found.groups:                        # one per player: key, games, hands, stats
        group.stats["win_rate"].value, group.percentiles.get("win_rate")

``CATALOGUE`` maps the name of a metric to its :class:`~paifu.reports.metrics.metric.Metric`. Values of shares
are fractions. :mod:`paifu.reports.statistics.text` formats values;
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt
import pandas as pd

from paifu.reports.inference.sums import GameSums, game_parts, player_weights
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import EVERYBODY_KEY, GAMES, HANDS, OTHERS, Counters, D, N, is_program
from paifu.reports.statistics.value_frame import GROUP, NO_SPREADS, STATISTIC, has_meaning, value_frame

if TYPE_CHECKING:
    from paifu.reports.inference.shrinking import Spread

ENOUGH_HANDS = 100
"""Minimum number of hands of the players that places compare with."""
ENOUGH_PLAYERS = 10
"""Minimum number of players for places: with fewer, how much players differ is not known."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A metric's value in one group; value and bounds are None if undefined."""

    n: int
    d: int
    value: float | None
    low: float | None = None
    high: float | None = None
    where: str = ""
    """Game and hand of a record."""

    squares: tuple[int, int, int] = (0, 0, 0)
    """GameSums over games of the squares of the game's n, of the products n d, and of the squares of d."""

    @property
    def sums(self) -> GameSums:
        """What intervals and tests are made from; the value is their ratio, scaled and shifted."""
        return GameSums.of([self.n, self.d, *self.squares])


@dataclass(frozen=True, slots=True)
class GroupStatistics:
    """One group's statistics."""

    key: dict[str, str]
    games: int
    hands: int
    stats: Mapping[str, Estimate]
    percentiles: Mapping[str, float] = field(default_factory=dict)
    """Expected share of players whose true value is lower, in percent.

    Only for statistics by which at least ENOUGH_PLAYERS players with enough hands can be told apart.
    """


_AT_ONCE = 64
"""Groups whose statistics are made together, which is faster."""


class Groups(Sequence[GroupStatistics]):
    """The statistics of groups, some made at a time: those of all players would take gigabytes."""

    def __init__(self, counters: Counters, spreads: Mapping[str, Spread], rows: Sequence[int]) -> None:
        self._counters, self._spreads, self._rows = counters, spreads, rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> GroupStatistics: ...
    @overload
    def __getitem__(self, index: slice) -> Groups: ...
    def __getitem__(self, index: int | slice) -> GroupStatistics | Groups:
        if isinstance(index, slice):
            return Groups(self._counters, self._spreads, self._rows[index])
        return next(iter(Groups(self._counters, self._spreads, [self._rows[index]])))

    def __iter__(self) -> Iterator[GroupStatistics]:
        counters, number = self._counters, len(self._counters.metrics)
        rows = iter(self._rows)
        for frame in self.frames():
            estimates, percentiles = (
                list(map(estimate_of, frame.itertuples(index=False))),
                frame["percentile"].tolist(),
            )
            # The frame has as many rows for each group, none where nothing is counted.
            for at, row in enumerate(islice(rows, _AT_ONCE)):
                sizes = counters.sizes[row]
                key = dict(zip(counters.by, counters.keys[row], strict=True))
                own = slice(at * number, (at + 1) * number)
                stats = dict(zip(counters.metrics, estimates[own], strict=True))
                places = dict(zip(counters.metrics, percentiles[own], strict=True))
                places = {name: place for name, place in places.items() if not math.isnan(place)}
                yield GroupStatistics(key, int(sizes[GAMES]), int(sizes[HANDS]), stats, places)

    def frames(self, at_once: int = _AT_ONCE) -> Iterator[pd.DataFrame]:
        """Yield the values of the groups as :func:`value_frame` has them, ``at_once`` groups at a time."""
        for first in range(0, len(self), at_once):
            yield value_frame(self._counters, self._rows[first : first + at_once], self._spreads)

    def ordered(self, order: str) -> Groups:
        """Return them in another order; see :func:`arranged`."""
        name, is_least_first = order.removeprefix("-"), order.startswith("-")
        if name == "name":
            keys = pd.Series(map(self._counters.keys.__getitem__, self._rows), list(self._rows), dtype=object)
            return self._of(keys.sort_values(ascending=not is_least_first))
        if name == "hands":
            by: npt.NDArray[Any] = self._counters.sizes[self._rows, HANDS]
        else:
            by = value_frame(self._counters.only(name), self._rows)["value"].to_numpy()
        return self._of(pd.Series(by, list(self._rows)).sort_values(ascending=is_least_first, kind="stable"))

    def _of(self, ordered: pd.Series[Any]) -> Groups:
        return Groups(self._counters, self._spreads, ordered.index.tolist())


def estimate_of(row: Any) -> Estimate:
    """Return a row of a frame of values as an object."""
    value, low, high = (None if math.isnan(part) else part for part in (row.value, row.low, row.high))
    return Estimate(row.n, row.d, value, low, high, row.where, (row.nn, row.nd, row.dd))


@dataclass(frozen=True)
class Statistics:
    """The statistics of everybody and of each group."""

    by: tuple[str, ...]
    groups: Groups
    whole: Groups
    """Everybody once more, as one group: for tables."""
    compared: int = 0
    """Number of players with enough hands to compare with."""
    left_out: int = 0
    """Number of groups with too few hands."""
    meaningless: frozenset[str] = frozenset()
    """Metrics that have no meaning in any of the games."""
    beyond: int = 0
    """Number of groups that a limit left out."""
    spreads: Mapping[str, Spread] = field(default_factory=dict)
    """How much players with enough hands differ, by metric, if there are ENOUGH_PLAYERS of them."""

    @cached_property
    def population(self) -> GroupStatistics:
        """Everybody, made when first asked for."""
        return self.whole[0]

    def frames(self) -> Iterator[pd.DataFrame]:
        """Yield the values of everybody, whose fields are empty, and of the groups, some at a time."""
        (frame,) = self.whole.frames()
        yield frame.reset_index().assign(**dict.fromkeys(self.by, "")).set_index([GROUP, *self.by, STATISTIC])
        yield from self.groups.frames()


def arranged(found: Statistics, order: str, limit: int | None) -> Statistics:
    """Return the statistics with their groups in another order, and no more than ``limit`` of them.

    ``order`` is ``name``, ``hands`` or a metric, the highest first, or with a minus before it the
    lowest; empty to leave them as they are. Groups without a value come last.
    """
    groups = found.groups.ordered(order) if order else found.groups
    shown = groups[:limit]
    return replace(found, groups=shown, beyond=len(groups) - len(shown))


def statistics(
    counters: Counters,
    *,
    min_hands: int = 0,
    players: frozenset[str] = frozenset(),
    enough: int = ENOUGH_HANDS,
    programs: Collection[str] = (),
) -> Statistics:
    """Turn counters into values.

    ``min_hands`` leaves out groups with fewer hands. If groups are by player alone, ``players`` selects some
    of them, and percentiles compare each with all players of at least ``enough`` hands, provided that there
    are ENOUGH_PLAYERS of them. Names of ``programs``, and those with Tenhou's sign, are not among these.
    """
    rows = [row for row, key in enumerate(counters.keys) if counters.by and key[:1] != (OTHERS,)]
    ranked = spreads_of(counters, enough, programs) if counters.by == ("player",) else {}
    if counters.by == ("player",) and players:
        rows = [row for row in rows if counters.keys[row][0] in players]
    large = [row for row in rows if counters.sizes[row, HANDS] >= min_hands]
    if {"player", "opponent"} & set(counters.by):
        large.sort(key=lambda row: (-int(counters.sizes[row, HANDS]), counters.keys[row]))
    metrics = [CATALOGUE[name] for name in counters.metrics]
    is_meant = has_meaning(metrics, counters.whole_sizes[None])[0]
    meaningless = frozenset(name for name, has in zip(counters.metrics, is_meant, strict=True) if not has)
    compared = len(_enough(counters, enough, programs)) if counters.by == ("player",) else 0
    left_out = len(rows) - len(large)
    groups = Groups(counters, ranked, large)
    return Statistics(
        counters.by, groups, whole_group(counters), compared, left_out, meaningless, spreads=ranked
    )


def everybody(counters: Counters) -> GroupStatistics:
    """Return the statistics of all records together."""
    return whole_group(counters)[0]


def players_alike(counters: Counters) -> GroupStatistics:
    """Return the statistics of players, of whom none counts for many times as much as others.

    What varies is the player: another one would have played otherwise. Of fewer than ENOUGH_PLAYERS players,
    all hands count alike, and what varies is the game.
    """
    if len(counters.keys) < ENOUGH_PLAYERS:
        return everybody(counters)
    weights = player_weights(counters.sizes[:, HANDS])[:, None]
    n, d = (weights * counters.sums[:, :, part] for part in (N, D))
    alike = np.stack([part.sum(axis=0) for part in game_parts(n, d)], axis=-1).round().astype(np.int64)
    is_rate = np.array([CATALOGUE[name].is_rate for name in counters.metrics], bool)
    return everybody(replace(counters, whole=np.where(is_rate[:, None], alike, counters.whole)))


def whole_group(counters: Counters) -> Groups:
    """Return all records together, as the only group."""
    whole = Counters.of_groups(
        (),
        counters.metrics,
        [EVERYBODY_KEY],
        counters.whole[None],
        counters.whole_sizes[None],
        counters.bests,
    )
    return Groups(whole, NO_SPREADS, [0])


def spreads_of(counters: Counters, enough: int, programs: Collection[str] = ()) -> dict[str, Spread]:
    """Return how much the players with enough hands differ, by metric; nothing if they are too few.

    Programs are not among them.
    """
    rows = _enough(counters, enough, programs)
    if len(rows) < ENOUGH_PLAYERS:
        return {}
    from paifu.reports.inference.shrinking import spread

    found = {}
    for number, name in enumerate(counters.metrics):
        if CATALOGUE[name].is_rate:
            among = spread(GameSums.of(counters.sums[rows, number]), int(counters.sizes[rows, GAMES].sum()))
            if among is not None:
                found[name] = among
    return found


def _enough(counters: Counters, enough: int, programs: Collection[str]) -> npt.NDArray[np.intp]:
    """Return the rows of people with enough hands."""
    named = np.array([key[0] != OTHERS and not is_program(key[0], programs) for key in counters.keys], bool)
    return np.flatnonzero(named & (counters.sizes[:, HANDS] >= enough))
