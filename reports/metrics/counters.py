"""Additive counters: the sums of every metric over every group, as exact integers.

The counters of parts add up to those of the whole, however the input was split and in any order; nothing is
divided here. A group is a key of texts, one for each field of ``by``.

Rows of one game depend on each other: what one player wins another loses, and a long game has more hands of
all. So the sums of squares and products that intervals need are those of whole games: of each game's sums
over the rows of the group. What all players of a game share (``Metric.is_shared``) counts once for a group,
and so do games and hands, however many of its players sat there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import F64, I64, Mask
from paifu.replay.foreign_text import composed, name_key
from paifu.replay.rules.choices import Scheme
from paifu.reports.inference.sums import game_parts
from paifu.reports.metrics.frames import Bases, HandRows
from paifu.reports.metrics.metric import Metric, MetricKind, counted
from paifu.reports.metrics.records import GameRecords, Records

Key = tuple[str, ...]
OTHERS = "\0others"
"""First field of a special key: players not asked for."""
EVERYBODY_KEY: Key = ()
"""Key of the records of all groups together."""
OPPONENT = "opponent"
"""A field whose groups overlap: a hand counts once for each opponent of the player."""
IN_A_ROW = "games"
"""A field of which groups are made of one player's games: numbers of games in the order of play."""
PERIODS = ("month", "year", IN_A_ROW)
"""Fields of a key that are periods."""
AT_ONE_TABLE = frozenset(("player", "seat", OPPONENT, IN_A_ROW))
"""Fields that differ between the seats of a table: groups by others have whole tables."""

SEATS = ("1 (deals first)", "2", "3", "4")
N, D, NN, ND, DD, PARTS = range(6)
"""Parts of a sum: numerator, denominator and, for intervals, the sums over games of their squares and product
in the game."""
GAMES, HANDS = 0, 1
SIZES = 2 + len(Scheme)
"""Parts of a size: games, hands, and hands in games of each scheme."""


def _by_seat(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.repeat(values[:, None], 4, axis=1)


FIELDS: Mapping[str, Callable[[GameRecords], npt.NDArray[Any]]] = {
    "player": lambda games: games.names,
    "room": lambda games: _by_seat(games.room),
    "ruleset": lambda games: _by_seat(games.ruleset),
    "length": lambda games: _by_seat(games.length),
    "players": lambda games: _by_seat(games.players.astype(str).astype(object)),
    "seat": lambda games: np.tile(np.array(SEATS, object), (len(games), 1)),
    "month": lambda games: _by_seat(np.array([text[:7] for text in games.started], object)),
    "year": lambda games: _by_seat(np.array([text[:4] for text in games.started], object)),
    OPPONENT: lambda games: games.names,
}
"""Field of a key -> its text for each (game, seat); for opponents the names, rotated later."""


BY_KIND = ("players", "room", "length", "player")
"""Fields of counters by kind of game and player."""


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


class Spellings(dict[str, str]):
    """Aliases, after which a name counts for the player asked for that is spelt like it.

    Letter case and the width of letters and kana do not matter.

    >>> Spellings({"old": "Aki"}, ["aki"]).get("old"), Spellings({}, ["aki"]).get("Eve", "Eve")
    ('aki', 'Eve')
    """

    def __init__(self, aliases: Mapping[str, str], players: Iterable[str]) -> None:
        super().__init__(aliases)
        self._players = {name_key(player): player for player in players}

    def __bool__(self) -> bool:
        """Whether any name counts for another."""
        return bool(self._players) or len(self) > 0

    def __reduce__(self) -> tuple[Any, ...]:
        return Spellings, (dict(self), tuple(self._players.values()))

    def get(self, name: str, default: Any = None) -> Any:
        """Return what a name counts for."""
        shown = super().get(name, name)
        found = self._players.get(name_key(shown))
        if found is not None:
            return found
        return shown if name in self else default


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
    """(groups, SIZES): games and hands that players of the group were in, the hands also by scheme."""
    bests: dict[tuple[Key, str], Best]
    """Also of everybody, under EVERYBODY_KEY."""
    whole: I64
    """(metrics, PARTS): of everybody, each game with all its seats. Squares of groups do not add up to these
    where the players of one table are in several groups."""
    whole_sizes: I64
    """(SIZES,) of everybody."""

    @classmethod
    def total(cls, parts: Iterable[Counters], by: tuple[str, ...], metrics: Sequence[str]) -> Counters:
        """Add counters up."""
        row_of: dict[Key, int] = {}
        whole, whole_sizes = np.zeros((len(metrics), PARTS), np.int64), np.zeros(SIZES, np.int64)
        sums = np.zeros((64, len(metrics), PARTS), np.int64)
        sizes = np.zeros((64, SIZES), np.int64)
        bests: dict[tuple[Key, str], Best] = {}
        for part in parts:
            rows = [row_of.setdefault(key, len(row_of)) for key in part.keys]
            while len(row_of) > len(sums):
                sums, sizes = (np.concatenate([array, np.zeros_like(array)]) for array in (sums, sizes))
            sums[rows] += part.sums
            sizes[rows] += part.sizes
            whole += part.whole
            whole_sizes += part.whole_sizes
            for place, best in part.bests.items():
                bests[place] = best.better(bests.get(place, best))
        keys = sorted(row_of)
        order = [row_of[key] for key in keys]
        return cls(by, tuple(metrics), keys, sums[order], sizes[order], bests, whole, whole_sizes)

    @classmethod
    def of_groups(
        cls,
        by: tuple[str, ...],
        metrics: Sequence[str],
        keys: Sequence[Key],
        sums: I64,
        sizes: I64,
        bests: Mapping[tuple[Key, str], Best] = MappingProxyType({}),
    ) -> Counters:
        """Return the counters of some groups that are everybody, as if none shared a game with another."""
        every = dict(bests)
        for (_, name), best in bests.items():
            every[EVERYBODY_KEY, name] = best.better(every.get((EVERYBODY_KEY, name), best))
        return cls(by, tuple(metrics), list(keys), sums, sizes, every, sums.sum(axis=0), sizes.sum(axis=0))

    def without(self, first: str) -> Counters:
        """Return the counters without the groups whose key begins with a text, as if they had not played."""
        rows = [row for row, key in enumerate(self.keys) if key[:1] != (first,)]
        apart = (EVERYBODY_KEY, (first,))
        bests = {place: best for place, best in self.bests.items() if place[0][:1] not in apart}
        keys = [self.keys[row] for row in rows]
        return Counters.of_groups(self.by, self.metrics, keys, self.sums[rows], self.sizes[rows], bests)

    def only(self, metric: str) -> Counters:
        """Return the counters of one metric."""
        one = [self.metrics.index(metric)]
        return replace(self, metrics=(metric,), sums=self.sums[:, one], whole=self.whole[one])

    def __add__(self, other: Counters) -> Counters:
        return Counters.total([self, other], self.by, self.metrics)


def count(records: Records, metrics: Sequence[Metric], chosen: Chosen = EVERYBODY) -> Counters:
    """Count one batch of records."""
    counting = _Counting(records)
    names = [metric.name for metric in metrics]
    turns = (1, 2, 3) if OPPONENT in chosen.by else (0,)
    groupings = [_Grouping.of(*_groups(records.games, chosen, turn)) for turn in turns]
    everybody = [_Grouping.of(np.zeros((len(records.games), 4), np.int64), [EVERYBODY_KEY])]

    def parts(groupings: Sequence[_Grouping], by: tuple[str, ...]) -> Iterable[Counters]:
        for grouping in groupings:
            sums, bests = counting.sums(metrics, grouping)
            sizes = np.zeros((len(grouping.keys), SIZES), np.int64)
            yield Counters.of_groups(by, names, grouping.keys, sums, sizes, bests)
        present = _Present.of(groupings, records.games.players)
        sums, sizes = counting.shared(metrics, present), counting.sizes(present, groupings)
        yield Counters.of_groups(by, names, present.keys, sums, sizes)

    found = Counters.total(parts(groupings, chosen.by), chosen.by, names)
    if OPPONENT in chosen.by:
        found = found.without(OTHERS)
    whole = Counters.total(parts(everybody, ()), (), names)
    found.whole, found.whole_sizes = whole.whole, whole.whole_sizes
    found.bests |= {place: best for place, best in whole.bests.items() if place[0] == EVERYBODY_KEY}
    return found


def seat_sums(records: Records, metrics: Sequence[Metric]) -> F64:
    """Return the numerators and denominators of each seat, as (games, 4, metrics, 2).

    An extreme has none: zeros.
    """
    counting = _Counting(records)
    found = np.zeros((len(records.games), 4, len(metrics), 2))
    for number, metric in enumerate(metrics):
        if metric.kind is not MetricKind.EXTREME:
            for part, values in enumerate(counting.of_seats(metric)):
                found[:, :, number, part] = values.reshape(-1, 4)
    return found


@dataclass(frozen=True, slots=True)
class _Grouping:
    """Which group each seat is in, and which seats of a game are one."""

    codes: I64
    """(games, 4): the number of the group."""
    keys: list[Key]
    cluster: I64
    """(games * 4,): the seats of a game in one group have the same number."""
    group: I64
    """Group of each of these numbers."""

    @classmethod
    def of(cls, codes: I64, keys: list[Key]) -> _Grouping:
        number = np.arange(len(codes))[:, None] * max(1, len(keys)) + codes
        clusters, cluster = np.unique(number.ravel(), return_inverse=True)
        return cls(codes, keys, cluster, clusters % max(1, len(keys)))

    def sums(self, n: F64, d: F64) -> F64:
        """Return (groups, PARTS) from the sums of each seat."""
        n, d = (self._total(self.cluster, values, len(self.group)) for values in (n, d))
        totals = [self._total(self.group, part, len(self.keys)) for part in game_parts(n, d)]
        return np.stack(totals, axis=1)

    @staticmethod
    def _total(number: I64, values: F64, most: int) -> F64:
        return np.bincount(number, values, most).astype(np.float64)


@dataclass(frozen=True, slots=True)
class _Present:
    """Which games players of each group were in; a game is there once for a group."""

    keys: list[Key]
    game: I64
    group: I64
    """Number of the group's key."""

    @classmethod
    def of(cls, groupings: Sequence[_Grouping], players: npt.NDArray[Any]) -> _Present:
        """Unite groupings of the same games, given the number of players in each."""
        row_of: dict[Key, int] = {}
        for key in (key for grouping in groupings for key in grouping.keys):
            row_of.setdefault(key, len(row_of))
        game, seat = np.nonzero(np.arange(4) < players[:, None])
        pairs = [np.zeros(0, np.int64)]
        for grouping in groupings:
            rows = np.array([row_of[key] for key in grouping.keys], np.int64)
            pairs.append(game * len(row_of) + rows[grouping.codes[game, seat]])
        found = np.unique(np.concatenate(pairs))
        return cls(list(row_of), found // max(1, len(row_of)), found % max(1, len(row_of)))

    def hands(self, groupings: Sequence[_Grouping], rows: HandRows, chosen: Mask) -> tuple[I64, I64]:
        """Return the group of each hand in which a player of it has a chosen row, and one of these rows."""
        row_of = {key: row for row, key in enumerate(self.keys)}
        at = np.flatnonzero(chosen)
        groups = [
            np.array([row_of[key] for key in grouping.keys], np.int64)[
                grouping.codes[rows.game[at], rows.seat[at]]
            ]
            for grouping in groupings
        ]
        rows_of_groups = np.tile(at, len(groupings))
        group = np.concatenate(groups) if groups else np.zeros(0, np.int64)
        _, first = np.unique(np.stack([group, rows.hand[rows_of_groups]]), axis=1, return_index=True)
        return group[first], rows_of_groups[first]

    def total(self, of_games: npt.NDArray[Any]) -> I64:
        """Add up (games, ...) numbers of games as (groups, ...)."""
        total = np.zeros((len(self.keys), *of_games.shape[1:]), np.int64)
        np.add.at(total, self.group, of_games[self.game].astype(np.int64))
        return total


class _Counting:
    """Sums one batch of records."""

    def __init__(self, records: Records) -> None:
        self._records, self._bases = records, Bases(records)
        self._summers: dict[tuple[str, frozenset[Scheme], bool], _Summer] = {}
        self._seats: dict[str, tuple[F64, F64]] = {}

    def _summer(self, metric: Metric) -> _Summer:
        place = metric.base, metric.schemes, metric.is_shared
        if place not in self._summers:
            rows = self._bases[metric.base]
            chosen = _chosen(self._records.games, rows, metric)
            self._summers[place] = _Summer(rows, len(self._records.games), chosen)
        return self._summers[place]

    def of_seats(self, metric: Metric) -> tuple[F64, F64]:
        """Return numerators and denominators of each seat, as (games * 4,)."""
        if metric.name not in self._seats:
            self._seats[metric.name] = self._summer(metric).of_seats(metric)
        return self._seats[metric.name]

    def sums(self, metrics: Sequence[Metric], grouping: _Grouping) -> tuple[I64, dict[tuple[Key, str], Best]]:
        """Return (groups, metrics, PARTS), zero for what the players share, and the extremes."""
        keys = grouping.keys
        sums = np.zeros((len(keys), len(metrics), PARTS), np.int64)
        bests: dict[tuple[Key, str], Best] = {}
        for number, metric in enumerate(metrics):
            if metric.kind is MetricKind.EXTREME:
                summer = self._summer(metric)
                for group, best in summer.extremes(metric, grouping.codes, self._records, self._bases):
                    bests[keys[group], metric.name] = best
                if not metric.is_shared:
                    sums[:, number, D] = grouping.sums(*[summer.rows] * 2)[:, D]
            elif not metric.is_shared:
                # Weights are added as floats. That is exact: no sum of one batch comes near 2 ** 53.
                sums[:, number] = grouping.sums(*self.of_seats(metric))
        return sums, bests

    def shared(self, metrics: Sequence[Metric], present: _Present) -> I64:
        """Return (groups, metrics, PARTS) of what the players of a game share, zero for other metrics.

        Each game counts as for its first seat, whose rows are those of any other.
        """
        sums = np.zeros((len(present.keys), len(metrics), PARTS), np.int64)
        for number, metric in enumerate(metrics):
            if metric.is_shared:
                is_record = metric.kind is MetricKind.EXTREME
                of_seats = [self._summer(metric).rows] * 2 if is_record else self.of_seats(metric)
                n, d = (values[::4] for values in of_seats)
                parts = np.stack(game_parts(n, d), axis=1)
                sums[:, number] = present.total(parts * (np.arange(PARTS) == D) if is_record else parts)
        return sums

    def sizes(self, present: _Present, groupings: Sequence[_Grouping]) -> I64:
        """Return (groups, SIZES): a hand counts where tiles of somebody in the group are known."""
        games, rows = self._records.games, self._bases["hands"]
        sizes = np.zeros((len(games), SIZES), np.int64)
        sizes[:, GAMES] = 1
        hidden = _hidden(rows)
        if hidden is None:
            sizes[:, HANDS] = np.bincount(rows.game[rows.seat == 0], minlength=len(games))
            sizes[np.arange(len(games)), HANDS + 1 + games.scheme.astype(np.int64)] = sizes[:, HANDS]
            return present.total(sizes)
        total = present.total(sizes)
        group, hand = present.hands(groupings, rows, ~hidden)
        scheme = games.scheme[rows.game[hand]].astype(np.int64)
        for column in (np.full(len(hand), HANDS), HANDS + 1 + scheme):
            np.add.at(total, (group, column), 1)
        return total


def counted_names(names: npt.NDArray[Any], aliases: Mapping[str, str]) -> npt.NDArray[Any]:
    """Return (games, 4) the names that those of a log count for; those that look the same are the same."""
    if not aliases and all(str(name).isascii() for name in names.flat):
        return names
    texts = [[composed(name) for name in row] for row in names]
    return np.array([[aliases.get(name, name) for name in row] for row in texts], object).reshape(-1, 4)


def _first_field(text: str, chosen: Chosen) -> Key:
    return (text, *[""] * (len(chosen.by) - 1))


def _groups(games: GameRecords, chosen: Chosen, turn: int = 0) -> tuple[I64, list[Key]]:
    """Return the group of each (game, seat), and the keys; the opponent sits ``turn`` seats further on."""
    import pandas as pd

    names = counted_names(games.names, chosen.aliases)
    around = (np.arange(4) + turn) % np.maximum(games.players, 1)[:, None]
    own = {"player": names, OPPONENT: np.take_along_axis(names, around, axis=1)}
    seated = np.arange(4) < games.players[:, None]
    codes = np.zeros((len(games), 4), np.int64)
    if not chosen.by:
        return codes, [()] if seated.any() else []
    is_other = np.full(names.shape, turn) >= games.players[:, None]
    if chosen.players:
        is_other |= ~pd.Series(names.ravel(), dtype=object).isin(chosen.players).to_numpy().reshape(-1, 4)
    columns = [own[field] if field in own else FIELDS[field](games) for field in chosen.by]
    others = _first_field(OTHERS, chosen)
    # Numbers are grouped, not texts, which pandas would have to be Unicode.
    fields = [
        pd.factorize(np.where(is_other, other, column)[seated])
        for column, other in zip(columns, others, strict=True)
    ]
    table = pd.DataFrame({number: numbers for number, (numbers, _) in enumerate(fields)})
    codes[seated] = table.groupby(list(table), sort=False).ngroup()
    first = table.drop_duplicates().to_numpy()
    texts = [each[first[:, number]].tolist() for number, (_, each) in enumerate(fields)]
    return codes, list(zip(*texts, strict=True))


def _chosen(games: GameRecords, rows: Any, metric: Metric) -> Mask | None:
    """Return which rows count: of games of its schemes, and of players whose tiles are known; None for all.

    What the players of a game share is known whatever is hidden.
    """
    wanted = np.isin(games.scheme, list(metric.schemes))
    hidden = None if metric.is_shared else _hidden(rows)
    if hidden is None:
        return None if wanted.all() else wanted[rows.game]
    chosen: Mask = wanted[rows.game] & ~hidden
    return chosen


def _hidden(rows: Any) -> Mask | None:
    """Return which rows are of players whose tiles are hidden; None for none, as in rows of games."""
    hidden: Mask | None = getattr(rows, "is_hidden", None)
    return hidden if hidden is not None and hidden.any() else None


class _Summer:
    """Sums the rows of one base by seat, or only some of them."""

    def __init__(self, rows: Any, games: int, chosen: npt.NDArray[np.bool_] | None = None) -> None:
        self._rows, self._chosen = rows, chosen
        self._seat = rows.game.astype(np.int64) * 4 + rows.seat
        self._seats = games * 4
        self.rows = self._total(np.ones(len(self._seat)) if chosen is None else chosen)

    def _counted(self, metric: Metric) -> tuple[npt.NDArray[Any], npt.NDArray[Any] | None]:
        """Return numerators and weights, those of rows that do not count set to zero."""
        values, weights = counted(metric, self._rows)
        if self._chosen is None:
            return values, weights
        weights = self._chosen if weights is None else np.where(self._chosen, weights, 0)
        return np.where(self._chosen, values, 0), weights

    def _total(self, values: npt.NDArray[Any]) -> F64:
        return np.bincount(self._seat, values, self._seats).astype(np.float64)

    def of_seats(self, metric: Metric) -> tuple[F64, F64]:
        """Return numerators and denominators of each seat."""
        values, weights = self._counted(metric)
        return self._total(values), self.rows if weights is None else self._total(weights)

    def extremes(
        self, metric: Metric, codes: I64, records: Records, bases: Bases
    ) -> Iterable[tuple[int, Best]]:
        """Yield each group's greatest value and where it occurred, given the group of each (game, seat)."""
        values, weights = self._counted(metric)
        values = values.astype(np.int64)
        some = np.ones(len(values), bool) if weights is None else weights.astype(bool)
        groups = codes.reshape(-1)[self._seat]
        best = np.full(int(codes.max(initial=0)) + 1, np.iinfo(np.int64).min)
        np.maximum.at(best, groups[some], values[some])
        found: dict[int, Best] = {}
        for row in np.flatnonzero(some & (values == best[groups])).tolist():
            group = int(groups[row])
            one = Best(int(values[row]), _where(self._rows, row, records, bases))
            found[group] = one.better(found.get(group, one))
        yield from found.items()


def _where(rows: Any, row: int, records: Records, bases: Bases) -> str:
    """Name the game and, where the row has one, the hand."""
    from paifu.replay.views.labels import format_label  # few statistics are records

    games, game = records.games, int(rows.game[row])
    name = str(games.id[game] or games.source[game])
    hands = bases["hands"]
    if hasattr(rows, "honba") and not hasattr(rows, "row"):
        return f"{name} {format_label(int(rows.round[row]), int(rows.honba[row]))}"
    if hasattr(rows, "row"):
        at = int(rows.row[row])
        return f"{name} {format_label(int(hands.round[at]), int(hands.honba[at]))}"
    return name


# --- programs among players: what is said of players is said of people ---------------------------------


SIGN = "ⓝ"
"""First character of the names that Tenhou gives to programs."""

KNOWN = frozenset({"爆打"})
"""Names of strong programs at Tenhou that do not begin with it."""


def is_program(name: str, listed: Collection[str] = ()) -> bool:
    """Return whether a name is a program's: one with Tenhou's sign, or one of ``listed``.

    >>> is_program("ⓝAki"), is_program("Aki"), is_program("Aki", {"Aki"})
    (True, False, True)
    """
    return name.startswith(SIGN) or name in listed
