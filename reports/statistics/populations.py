"""Counting a reference: sums of each statistic by kind of game, and how much the players differ."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

import numpy as np

from paifu.replay.arrays import F64, Mask
from paifu.replay.rules.choices import Scheme
from paifu.replay.table.replayed import Replay
from paifu.reports.inference.farthest import farthest
from paifu.reports.inference.sums import player_weights
from paifu.reports.metrics.catalogue import choose
from paifu.reports.metrics.counters import BY_KIND, HANDS, Chosen, Counters, count, is_program, seat_sums
from paifu.reports.metrics.recording import records
from paifu.reports.metrics.records import Records
from paifu.reports.statistics.reference import SCHEMA, Stratum
from paifu.reports.statistics.standouts import FAMILIES, TESTED, USES
from paifu.reports.statistics.text import FEW
from paifu.reports.statistics.values import players_alike, spreads_of

MOST_SEATS = 8000
"""Seats of a kind of games of which players are made: the first ones."""
LEAST_SEATS = 200
"""With fewer no players are made: chances are bounded by the number of statistics alone."""
MADE_PLAYERS = 5000


@dataclass(frozen=True, slots=True, eq=False)
class SeatSums:
    """What single seats did in single games; people only."""

    names: tuple[str, ...] = ()
    sums: F64 = field(default_factory=lambda: np.zeros((0, len(TESTED), 2)))
    """(seats, TESTED, 2): numerators and denominators."""

    def __add__(self, other: SeatSums) -> SeatSums:
        return SeatSums(
            (self.names + other.names)[:MOST_SEATS], np.concatenate([self.sums, other.sums])[:MOST_SEATS]
        )


@dataclass(slots=True)
class PopulationSums:
    """Sums over games, by kind of game."""

    counters: Counters
    """By ``BY_KIND``, with programs."""
    games: Counter[Stratum] = field(default_factory=Counter)
    with_program: Counter[Stratum] = field(default_factory=Counter)
    """Games in which a seat is a program's."""
    seats: defaultdict[Stratum, SeatSums] = field(default_factory=lambda: defaultdict(SeatSums))
    years: defaultdict[Stratum, set[str]] = field(default_factory=lambda: defaultdict(set))


def sums_of(
    replayed: Replay, metrics: Sequence[str], programs: frozenset[str] = frozenset()
) -> PopulationSums:
    """Return the sums over the whole riichi games of a replay with its review; ``programs`` are names."""
    batch, made = replayed.batch, records(replayed)
    table = made.games
    is_whole = table.rank.any(axis=1) & ~batch.games.is_cut & (table.scheme == Scheme.HAN_FU)
    whole = made.only(is_whole)
    found = PopulationSums(count(whole, choose(metrics), Chosen(BY_KIND)))
    for kind, own in _kinds(whole).items():
        found.games[kind] = int(own.sum())
        found.years[kind] = {str(day)[:4] for day in whole.games.started[own]} - {""}
        names = whole.games.names[own, : kind[0]]
        is_person = np.array([[not is_program(name, programs) for name in row] for row in names], bool)
        found.with_program[kind] = int((~is_person).any(axis=1).sum())
        sums = seat_sums(whole.only(own), choose(TESTED))[:, : kind[0]][is_person]
        found.seats[kind] = SeatSums() + SeatSums(tuple(map(str, names[is_person])), sums)
    return found


def _kinds(made: Records) -> dict[Stratum, Mask]:
    """Return which games are of which kind."""
    table = made.games
    kinds = [
        (int(players), str(room), str(length))
        for players, room, length in zip(table.players, table.room, table.length, strict=True)
    ]
    return {kind: np.array([one == kind for one in kinds], bool) for kind in sorted(set(kinds))}


def added(parts: Iterable[PopulationSums], metrics: Sequence[str]) -> PopulationSums:
    """Return the sums of all parts together."""
    total = PopulationSums(Counters.total((), BY_KIND, metrics))

    def counters() -> Iterable[Counters]:
        for part in parts:
            total.games += part.games
            total.with_program.update(part.with_program)
            for kind in part.games:
                total.years[kind] |= part.years[kind]
                total.seats[kind] += part.seats[kind]
            yield part.counters

    total.counters = Counters.total(counters(), BY_KIND, metrics)
    return total


def stored_stratum(
    total: PopulationSums,
    kind: Stratum,
    least_hands: int,
    spread: Sequence[str],
    *,
    programs: frozenset[str] = frozenset(),
    made: int = MADE_PLAYERS,
) -> dict[str, Any]:
    """Return what is stored of one kind of game: of people, none of whom counts for many times the others.

    Players with at least ``least_hands`` hands say how much players differ, in the statistics ``spread``.
    ``made`` is the number of made-up players who say how far the farthest statistic goes by chance.
    """
    own = _people(total.counters, kind, programs)
    alike, years = players_alike(own), sorted(total.years[kind])
    return {
        "seats": kind[0],
        "room": kind[1],
        "length": kind[2],
        "hands": int(own.sizes[:, HANDS].sum()),
        "players": int((own.sizes[:, HANDS] >= least_hands).sum()),
        "least_hands": least_hands,
        "sums": {name: [one.n, one.d, *one.squares] for name, one in alike.stats.items() if one.d},
        "spreads": {
            name: [*(float(f"{value:.5g}") for value in astuple(among)[:-1]), among.players]
            for name, among in spreads_of(own, least_hands).items()
            if name in spread
        },
        "games": total.games[kind],
        "with_program": total.with_program[kind],
        "years": " to ".join(dict.fromkeys((years[0], years[-1]))) if years else "",
        "farthest": _farthest(total.seats[kind], own, made),
    }


def _people(counters: Counters, kind: Stratum, programs: frozenset[str]) -> Counters:
    """Return the counters of people by player, of one kind of games."""
    fields = tuple(map(str, kind))
    rows = [
        row for row, key in enumerate(counters.keys) if key[:3] == fields and not is_program(key[3], programs)
    ]
    keys = [(counters.keys[row][3],) for row in rows]
    return Counters.of_groups(("player",), counters.metrics, keys, counters.sums[rows], counters.sizes[rows])


def _farthest(seats: SeatSums, own: Counters, made: int) -> dict[str, Any] | None:
    if len(seats.names) < LEAST_SEATS:
        return None
    names = (key[0] for key in own.keys)
    weight_of = dict(zip(names, player_weights(own.sizes[:, HANDS]).tolist(), strict=True))
    weights = np.array([weight_of.get(name, 1.0) for name in seats.names])
    natures = [metric.nature for metric in choose(TESTED)]
    found = farthest(seats.sums, weights, natures, FAMILIES, USES, least=FEW, players=made)
    limits = {use: [round(limit, 3) for limit in one] for use, one in found.limits.items()}
    return {"games": list(found.games), "limits": limits}


def text_of(
    strata: Sequence[Mapping[str, Any]], programs: Iterable[str] = (), about: Mapping[str, Any] | None = None
) -> str:
    """Return the file of a reference: JSON with a line for each statistic.

    ``programs`` are the names that count as programs besides those with Tenhou's sign; ``about`` says where
    the file is from.
    """
    stored = {"schema": SCHEMA, "about": dict(about or {}), "programs": sorted(programs), "strata": strata}
    text = json.dumps(stored, indent=1, ensure_ascii=False)
    lines: list[str] = []
    for line in text.splitlines():
        last = lines[-1] if lines else ""
        if "[" in last and "strata" not in last and not last.rstrip(",").endswith("]"):
            lines[-1] += line.strip()
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"
