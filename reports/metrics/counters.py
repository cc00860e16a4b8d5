"""Additive counters: the sums of every metric over every group, as exact integers.

The counters of parts add up to those of the whole, however the input was split and in any order; nothing is
divided here. A group is a key of texts, one for each field of ``by``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I64
from paifu.replay.rules.choices import Scheme
from paifu.replay.views.labels import format_label
from paifu.reports.metrics.frames import Bases
from paifu.reports.metrics.metric import Metric, MetricKind, counted
from paifu.reports.metrics.records import GameRecords, Records

Key = tuple[str, ...]
OTHERS, ALL = "\0others", "\0all"
"""First fields of two special keys: players not asked for, and all players where groups overlap."""
OPPONENT = "opponent"
"""A field whose groups overlap: a hand counts once for each opponent of the player."""

SEATS = ("1 (deals first)", "2", "3", "4")
N, D, NN, ND, DD, PARTS = range(6)
"""Parts of a sum: numerator, denominator and, for intervals, the sums of their squares and products."""
GAMES, HANDS = 0, 1
SIZES = 2 + len(Scheme)
"""Parts of a size: games, hands, and hands in games of each scheme."""


def _by_seat(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.repeat(values[:, None], 4, axis=1)


FIELDS: Mapping[str, Callable[[GameRecords], npt.NDArray[Any]]] = MappingProxyType(
    {
        "player": lambda games: games.names,
        "room": lambda games: _by_seat(games.room),
        "ruleset": lambda games: _by_seat(games.ruleset),
        "length": lambda games: _by_seat(games.length),
        "players": lambda games: _by_seat(games.players.astype(str).astype(object)),
        "seat": lambda games: np.tile(np.array(SEATS, object), (len(games), 1)),
        "month": lambda games: _by_seat(np.array([text[:7] for text in games.started], object)),
        OPPONENT: lambda games: games.names,
    }
)
"""Field of a key -> its text for each (game, seat); for opponents the names, rotated later."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which players form groups, and under which names."""

    by: tuple[str, ...] = ()
    """Fields of a group's key; see :data:`FIELDS`. Empty: one group of everybody."""
    players: frozenset[str] = frozenset()
    """Names counted by group, after ``aliases`` apply; all other players together form one more group.
    Empty: everybody."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Name in a log -> the name to count it under."""


EVERYBODY = Chosen()


@dataclass(frozen=True, slots=True)
class Best:
    """A record: its value, and the game and hand where it occurred."""

    value: int
    where: str

    def better(self, other: Best) -> Best:
        """Return the greater of the two; if equal, the first by name."""
        return min(self, other, key=lambda best: (-best.value, best.where))


@dataclass(slots=True, eq=False)
class Counters:
    """Sums by group and metric; keys are sorted."""

    by: tuple[str, ...]
    metrics: tuple[str, ...]
    keys: list[Key]
    sums: I64
    """(groups, metrics, PARTS)."""
    sizes: I64
    """(groups, SIZES): games and hands of the group's players, the hands also by scheme."""
    bests: dict[tuple[Key, str], Best]

    @classmethod
    def total(cls, parts: Iterable[Counters], by: tuple[str, ...], metrics: Sequence[str]) -> Counters:
        """Add counters up."""
        row_of: dict[Key, int] = {}
        sums = np.zeros((64, len(metrics), PARTS), np.int64)
        sizes = np.zeros((64, SIZES), np.int64)
        bests: dict[tuple[Key, str], Best] = {}
        for part in parts:
            rows = [row_of.setdefault(key, len(row_of)) for key in part.keys]
            while len(row_of) > len(sums):
                sums, sizes = (np.concatenate([array, np.zeros_like(array)]) for array in (sums, sizes))
            sums[rows] += part.sums
            sizes[rows] += part.sizes
            for place, best in part.bests.items():
                bests[place] = best.better(bests.get(place, best))
        keys = sorted(row_of)
        order = [row_of[key] for key in keys]
        return cls(by, tuple(metrics), keys, sums[order], sizes[order], bests)

    def without(self, first: str) -> Counters:
        """Return the counters without the groups whose key begins with a text."""
        rows = [row for row, key in enumerate(self.keys) if key[:1] != (first,)]
        bests = {place: best for place, best in self.bests.items() if place[0][:1] != (first,)}
        keys = [self.keys[row] for row in rows]
        return Counters(self.by, self.metrics, keys, self.sums[rows], self.sizes[rows], bests)

    def __add__(self, other: Counters) -> Counters:
        return Counters.total([self, other], self.by, self.metrics)

    def same(self, other: Counters) -> bool:
        """Return whether all counts are equal."""
        return (
            (self.by, self.metrics, self.keys, self.bests)
            == (other.by, other.metrics, other.keys, other.bests)
            and np.array_equal(self.sums, other.sums)
            and np.array_equal(self.sizes, other.sizes)
        )


def count(records: Records, metrics: Sequence[Metric], chosen: Chosen = EVERYBODY) -> Counters:
    """Count one batch of records."""
    bases = Bases(records)
    names = [metric.name for metric in metrics]
    if OPPONENT not in chosen.by:
        return _count(records, bases, metrics, chosen.by, *_groups(records.games, chosen))
    parts = [
        _count(records, bases, metrics, chosen.by, *_groups(records.games, chosen, turn)).without(OTHERS)
        for turn in (1, 2, 3)
    ]
    everybody = np.zeros((len(records.games), 4), np.int64), [_first_field(ALL, chosen)]
    parts.append(_count(records, bases, metrics, chosen.by, *everybody))
    return Counters.total(parts, chosen.by, names)


def _count(
    records: Records,
    bases: Bases,
    metrics: Sequence[Metric],
    by: tuple[str, ...],
    codes: I64,
    keys: list[Key],
) -> Counters:
    """Count records, given the group code of each (game, seat)."""
    summers: dict[tuple[str, frozenset[Scheme]], _Summer] = {}
    sums = np.zeros((len(keys), len(metrics), PARTS), np.int64)
    bests: dict[tuple[Key, str], Best] = {}
    for number, metric in enumerate(metrics):
        place = metric.base, metric.schemes
        if place not in summers:
            chosen = _of_schemes(records.games, bases[metric.base], metric.schemes)
            summers[place] = _Summer(bases[metric.base], codes, len(keys), chosen)
        summer = summers[place]
        if metric.kind is MetricKind.EXTREME:
            for group, best in summer.extremes(metric, records, bases):
                bests[keys[group], metric.name] = best
                sums[group, number, N] = 0
            sums[:, number, D] = summer.rows
        else:
            sums[:, number] = summer.sums(metric)
    sizes = np.zeros((len(keys), SIZES), np.int64)
    for part, base in ((GAMES, "entered"), (HANDS, "hands")):
        rows = bases[base]
        sizes[:, part] = np.bincount(codes[rows.game, rows.seat], minlength=len(keys))
    rows = bases["hands"]
    for scheme in np.unique(records.games.scheme).tolist():
        of_scheme = records.games.scheme[rows.game] == scheme
        in_group = codes[rows.game[of_scheme], rows.seat[of_scheme]]
        sizes[:, 2 + scheme] = np.bincount(in_group, minlength=len(keys))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    names = tuple(metric.name for metric in metrics)
    return Counters(by, names, [keys[i] for i in order], sums[order], sizes[order], bests)


def _first_field(text: str, chosen: Chosen) -> Key:
    return (text, *[""] * (len(chosen.by) - 1))


def _groups(games: GameRecords, chosen: Chosen, turn: int = 0) -> tuple[I64, list[Key]]:
    """Return the group of each (game, seat), and the keys; the opponent sits ``turn`` seats further on."""
    names = games.names
    if chosen.aliases:
        names = np.array([[chosen.aliases.get(n, n) for n in row] for row in names], object).reshape(-1, 4)
    around = (np.arange(4) + turn) % np.maximum(games.players, 1)[:, None]
    own = {"player": names, OPPONENT: np.take_along_axis(names, around, axis=1)}
    columns = [own[field] if field in own else FIELDS[field](games) for field in chosen.by]
    codes = np.zeros((len(games), 4), np.int64)
    index: dict[Key, int] = {}
    others = _first_field(OTHERS, chosen)
    for game, players in enumerate(games.players.tolist()):
        for seat in range(players):
            key = tuple(map(str, (column[game, seat] for column in columns)))
            if (chosen.players and names[game, seat] not in chosen.players) or turn >= players:
                key = others
            codes[game, seat] = index.setdefault(key, len(index))
    return codes, list(index)


def _of_schemes(games: GameRecords, rows: Any, schemes: frozenset[Scheme]) -> npt.NDArray[np.bool_] | None:
    """Return which rows are of games of some schemes; None for all."""
    wanted = np.isin(games.scheme, list(schemes))
    chosen: npt.NDArray[np.bool_] | None = None if wanted.all() else wanted[rows.game]
    return chosen


class _Summer:
    """Sums the rows of one base by group, or only some of them."""

    def __init__(
        self, rows: Any, codes: I64, groups: int, chosen: npt.NDArray[np.bool_] | None = None
    ) -> None:
        self._rows, self._groups, self._chosen = rows, groups, chosen
        self._codes = codes[rows.game, rows.seat]
        self.rows = np.bincount(self._codes if chosen is None else self._codes[chosen], minlength=groups)

    def _counted(self, metric: Metric) -> tuple[npt.NDArray[Any], npt.NDArray[Any] | None]:
        """Return numerators and weights, those of rows that do not count set to zero."""
        values, weights = counted(metric, self._rows)
        if self._chosen is None:
            return values, weights
        weights = self._chosen if weights is None else np.where(self._chosen, weights, 0)
        return np.where(self._chosen, values, 0), weights

    def _total(self, values: npt.NDArray[Any]) -> I64:
        if self._groups == 1:
            return np.array(
                [np.count_nonzero(values) if values.dtype == bool else values.sum(dtype=np.int64)]
            )
        # Weights are added as floats. That is exact: no sum of one batch comes near 2 ** 53.
        return np.bincount(self._codes, values, self._groups).astype(np.int64)

    def sums(self, metric: Metric) -> I64:
        """Return (groups, PARTS)."""
        values, weights = self._counted(metric)
        found = np.zeros((self._groups, PARTS), np.int64)
        found[:, N] = self._total(values)
        found[:, D] = self.rows if weights is None else self._total(weights)
        if metric.kind in (MetricKind.MEAN, MetricKind.RATIO):
            wide = values.astype(np.float64)
            found[:, NN] = self._total(wide * wide)
        if metric.kind is MetricKind.RATIO and weights is not None:
            found[:, ND] = self._total(wide * weights)
            found[:, DD] = self._total(weights.astype(np.float64) ** 2)
        return found

    def extremes(self, metric: Metric, records: Records, bases: Bases) -> Iterable[tuple[int, Best]]:
        """Yield each group's greatest value and where it occurred."""
        values, weights = self._counted(metric)
        values = values.astype(np.int64)
        some = np.ones(len(values), bool) if weights is None else weights.astype(bool)
        best = np.full(self._groups, np.iinfo(np.int64).min)
        np.maximum.at(best, self._codes[some], values[some])
        found: dict[int, Best] = {}
        for row in np.flatnonzero(some & (values == best[self._codes])).tolist():
            group = int(self._codes[row])
            one = Best(int(values[row]), _where(self._rows, row, records, bases))
            found[group] = one.better(found.get(group, one))
        yield from found.items()


def _where(rows: Any, row: int, records: Records, bases: Bases) -> str:
    """Name the game and, where the row has one, the hand."""
    games, game = records.games, int(rows.game[row])
    name = str(games.id[game] or games.source[game])
    hands = bases["hands"]
    if hasattr(rows, "honba") and not hasattr(rows, "row"):
        return f"{name} {format_label(int(rows.round[row]), int(rows.honba[row]))}"
    if hasattr(rows, "row"):
        at = int(rows.row[row])
        return f"{name} {format_label(int(hands.round[at]), int(hands.honba[at]))}"
    return name
