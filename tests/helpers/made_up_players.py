"""Players made of random seats of games: average by construction, so whatever is said of them is false."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.api.reference import LEAST_HANDS, METRICS
from paifu.parsers.read import read_batches
from paifu.replay.arrays import F64, I64, Mask
from paifu.replay.rules.choices import Scheme
from paifu.replay.table.engine import replay
from paifu.reports.inference.intervals import interval
from paifu.reports.inference.shrinking import spread
from paifu.reports.inference.sums import GameSums, game_parts
from paifu.reports.metrics.catalogue import CATALOGUE, choose
from paifu.reports.metrics.counters import BY_KIND, GAMES, HANDS, SIZES, Counters, is_program, seat_sums
from paifu.reports.metrics.metric import Metric
from paifu.reports.metrics.recording import records
from paifu.reports.pages.first_screen import budget, style
from paifu.reports.pages.report_sections import IN_TABLES
from paifu.reports.statistics.populations import PopulationSums, SeatSums, stored_stratum, text_of
from paifu.reports.statistics.reference import Population, Stratum, read_reference, shipped_reference
from paifu.reports.statistics.standouts import HEADLINE, TESTED, standouts
from paifu.reports.statistics.values import Estimate, GroupStatistics

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from held_out import game_hash, is_held_out

CASES = 3
"""With fewer expected cases, or fewer others, no interval of a share has a coverage near 95%: with
whole cases it is either less than 92% or more than 98%."""
LEAST_PLAYERS = 100


def metrics_of_riichi() -> list[Metric]:
    """Return the statistics that have intervals."""
    return [one for one in CATALOGUE.values() if one.is_rate and Scheme.HAN_FU in one.schemes]


@dataclass(frozen=True, slots=True)
class Seats:
    """Sums of every seat of some games of one kind."""

    kind: Stratum
    metrics: Sequence[Metric]
    sums: F64
    """(games, seats, metrics, 2): numerators and denominators."""
    names: Any
    """(games, seats)."""

    def only(self, chosen: Any) -> Seats:
        """Return some of the games."""
        return replace(self, sums=self.sums[chosen], names=self.names[chosen])

    @property
    def flat(self) -> F64:
        """(games * seats, metrics, 2)."""
        return self.sums.reshape(-1, *self.sums.shape[2:])

    @property
    def people(self) -> Mask:
        """(games, seats): who is a person."""
        programs = shipped_reference().programs
        return np.array([[not is_program(str(name), programs) for name in row] for row in self.names], bool)

    def deal(self, random: np.random.Generator, size: int, number: int) -> I64:
        """Return players as rows of :attr:`flat`: a random seat of people in each of ``size`` games.

        Those that sit in the same games sit in different seats.
        """
        people, found = self.people, []
        seats, turns = people.shape[1], int(people.sum(axis=1).min())
        while len(found) < number:
            order = random.permutation(len(people))
            lot = np.where(people, random.random(people.shape), 2)
            place = np.argsort(lot, axis=1)
            for begin in range(0, len(order) - size + 1, size):
                games = order[begin : begin + size]
                found += [games * seats + place[games, turn] for turn in range(turns)]
        return np.stack(found[:number])

    def summed(self, rows: I64) -> GameSums:
        """Return the sums of players, as (players, metrics), from their seats."""
        n, d = np.moveaxis(self.flat[rows], -1, 0)
        return GameSums.of_games(np.swapaxes(n, 0, 1), np.swapaxes(d, 0, 1))


# --- intervals ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often intervals contain the truth, of statistics with at least LEAST_PLAYERS intervals."""

    share: F64
    is_rare: Mask


def coverage(seats: Seats, size: int, number: int, random: np.random.Generator) -> Coverage:
    """Deal players and count their intervals. The truth is the ratio of all seats."""
    whole = seats.flat.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        truth = np.where(whole[:, 1] > 0, whole[:, 0] / whole[:, 1], np.nan)
    sums = seats.summed(seats.deal(random, size, number))
    natures = np.array([metric.nature.value for metric in seats.metrics])
    low, high = np.full((2, *sums.n.shape), np.nan)
    for nature in set(natures):
        own = np.flatnonzero(natures == nature)
        low[:, own], high[:, own] = interval(sums.take(np.s_[:, own]), seats.metrics[own[0]].nature)
    known, tiny = ~np.isnan(low), 1e-9 * (1 + abs(truth))
    hits = (known & (low <= truth + tiny) & (truth <= high + tiny)).sum(axis=0)
    mean = whole / len(seats.flat) * size
    cases = np.where(natures == "share", np.minimum(mean[:, 0], mean[:, 1] - mean[:, 0]), mean[:, 0])
    is_rare = np.isin(natures, ("share", "count")) & (cases < CASES)
    chosen = np.flatnonzero((known.sum(axis=0) >= LEAST_PLAYERS) & (whole[:, 0] != 0))
    return Coverage(hits[chosen] / known.sum(axis=0)[chosen], is_rare[chosen])


def seem_to_differ(seats: Seats, rows: I64) -> tuple[int, int]:
    """Return in how many of the statistics that have places players seem to differ, and of how many."""
    sums = seats.summed(rows)
    columns = [column for column, one in enumerate(seats.metrics) if one.name in IN_TABLES]
    spreads = [spread(sums.take(np.s_[:, column]), rows.size) for column in columns]
    return sum(one.is_known for one in spreads if one), len(spreads)


# --- what is said, of seats with the statistics of a reference --------------------------------------------


def held_out(paths: Sequence[Path], kinds: Sequence[Stratum]) -> Iterator[Seats]:
    """Count the seats of the whole games of some kinds that every fit leaves out."""
    seen = set[str]()
    parts: dict[Stratum, list[tuple[F64, Any]]] = {kind: [] for kind in kinds}
    for batch in read_batches(paths):
        made = records(replay(batch, review=True))
        table, sums = made.games, seat_sums(made, choose(METRICS))
        for row in range(len(batch)):
            name = str(table.id[row] or table.source[row])
            kind = int(table.players[row]), str(table.room[row]), str(table.length[row])
            if name in seen or kind not in parts or not table.rank[row].any() or batch.games.is_cut[row]:
                continue
            seen.add(name)
            if is_held_out(game_hash(batch, row)):
                parts[kind].append((sums[row, : kind[0]], table.names[row, : kind[0]]))
    for kind, part in parts.items():
        yield Seats(kind, choose(METRICS), *(np.stack(column) for column in zip(*part, strict=True)))


def own_of(seats: F64) -> GroupStatistics:
    """Return the statistics of a player, without intervals, from (games, METRICS, 2)."""
    stats = {}
    for name, (n, d, *squares) in zip(METRICS, _parts(seats).tolist(), strict=True):
        metric = CATALOGUE[name]
        value = metric.scale * n / d + metric.offset if d else None
        stats[name] = Estimate(n, d, value, squares=(squares[0], squares[1], squares[2]))
    return GroupStatistics({"player": "Heikin"}, len(seats), stats["win_rate"].d, stats)


def _parts(seats: F64) -> I64:
    """Return (METRICS, 5): what is summed up over games."""
    parts = game_parts(seats[..., 0], seats[..., 1])
    return np.stack([part.sum(axis=0) for part in parts], axis=-1).round().astype(np.int64)


def reference_of(games: Seats, made: int) -> Population:
    """Return what ``paifu reference`` would count of some games."""
    people = games.people
    names, seats = games.names[people].astype(str), games.sums[people]
    order = np.argsort(names, kind="stable")
    each, begins = np.unique(names[order], return_index=True)
    of_players = np.split(seats[order], begins[1:])
    sizes, hands = np.zeros((len(each), SIZES), np.int64), METRICS.index("win_rate")
    sizes[:, GAMES] = [len(one) for one in of_players]
    sizes[:, HANDS] = sizes[:, HANDS + 1] = [one[:, hands, 1].sum() for one in of_players]
    keys = [(*map(str, games.kind), str(name)) for name in each]
    total = PopulationSums(
        Counters.of_groups(BY_KIND, METRICS, keys, np.stack(list(map(_parts, of_players))), sizes)
    )
    total.games[games.kind] = len(games.names)
    columns = [METRICS.index(name) for name in TESTED]
    mixed = np.random.default_rng(0).permutation(len(names))
    total.seats[games.kind] = SeatSums() + SeatSums(tuple(names[mixed].tolist()), seats[mixed][:, columns])
    spreads = [name for name in METRICS if name in IN_TABLES]
    row = stored_stratum(total, games.kind, LEAST_HANDS, spreads, made=made)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        Path(file.name).write_text(text_of([row]), "utf-8")
        found = read_reference(Path(file.name)).of(Counter({games.kind: 1}))
    assert found is not None
    return found


def said_of(own: GroupStatistics, reference: Population) -> tuple[set[str], list[float]]:
    """Return where a difference is said of a player, and the places."""
    made = standouts(own, reference)
    different = {one.metric: one.own > one.other for one in (*made.style, *made.results)}
    where = {"headline" if name in HEADLINE else "rest" for name in made.names}
    traits = style(own, reference, different)
    if traits and traits["said"]:
        where.add("style")
    if any("may" not in sentence for sentence in budget(own, reference, made.names)["sentences"]):
        where.add("budget")
    places = [reference.lower(name, own.stats[name]) for name in IN_TABLES if name in own.stats]
    return where, [one for one in places if one is not None]


def told_of_average(
    games: Seats, reference: Population, size: int, number: int, random: np.random.Generator
) -> tuple[int, list[float]]:
    """Make ``number`` average players; return how many are told of a difference, and the places of all."""
    said = [said_of(own_of(games.flat[rows]), reference) for rows in games.deal(random, size, number)]
    return sum(bool(where) for where, _ in said), [place for _, places in said for place in places]


def bias_for(n: npt.NDArray[Any], d: npt.NDArray[Any], difference: float) -> F64:
    """Return the chances to draw seats with which their ratio is higher by a difference."""
    value = np.where(d > 0, n / np.maximum(d, 1), np.nan)
    far = np.nan_to_num((value - np.nanmean(value)) / np.nanstd(value))
    low, high, wanted = 0.0, 4.0, n.sum() / d.sum() + difference
    for _ in range(60):
        middle = (low + high) / 2
        chance = np.exp(middle * far)
        low, high = (middle, high) if chance @ n / (chance @ d) < wanted else (low, middle)
    found: F64 = chance / chance.sum()
    return found
