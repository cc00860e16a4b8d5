"""Counting a reference: sums of each statistic by kind of game, and how much the players differ."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

import numpy as np

from paifu.replay.rules.choices import Scheme
from paifu.replay.table.replayed import Replay
from paifu.reports.metrics.catalogue import choose
from paifu.reports.metrics.counters import HANDS, Chosen, Counters, D, count
from paifu.reports.metrics.recording import records
from paifu.reports.statistics.reference import BY_KIND, SCHEMA, Stratum
from paifu.reports.statistics.values import spreads_of


@dataclass(slots=True)
class PopulationSums:
    """Sums over games, by kind of game."""

    counters: Counters
    """By ``BY_KIND``."""
    games: Counter[Stratum] = field(default_factory=Counter)
    years: defaultdict[Stratum, set[str]] = field(default_factory=lambda: defaultdict(set))


def sums_of(replayed: Replay, metrics: Sequence[str]) -> PopulationSums:
    """Return the sums over the whole riichi games of a replay with its review."""
    batch, made = replayed.batch, records(replayed)
    table = made.games
    is_whole = table.rank.any(axis=1) & ~batch.games.is_cut & (table.scheme == Scheme.HAN_FU)
    found = PopulationSums(count(made.only(is_whole), choose(metrics), Chosen(BY_KIND)))
    kinds = [
        (int(players), str(room), str(length))
        for players, room, length in zip(table.players, table.room, table.length, strict=True)
    ]
    for kind in sorted({kind for kind, whole in zip(kinds, is_whole, strict=True) if whole}):
        own = is_whole & np.array([one == kind for one in kinds])
        found.games[kind] = int(own.sum())
        found.years[kind] = {str(day)[:4] for day in table.started[own]} - {""}
    return found


def added(parts: Iterable[PopulationSums], metrics: Sequence[str]) -> PopulationSums:
    """Return the sums of all parts together."""
    total = PopulationSums(Counters.total((), BY_KIND, metrics))

    def counters() -> Iterable[Counters]:
        for part in parts:
            total.games += part.games
            for kind in part.games:
                total.years[kind] |= part.years[kind]
            yield part.counters

    total.counters = Counters.total(counters(), BY_KIND, metrics)
    return total


def stored_stratum(
    total: PopulationSums, kind: Stratum, least_hands: int, spread: Sequence[str]
) -> dict[str, Any]:
    """Return what is stored of one kind of game.

    Players with at least ``least_hands`` hands say how much players differ, in the statistics ``spread``.
    """
    fields = tuple(map(str, kind))
    counters = total.counters
    rows = [row for row, key in enumerate(counters.keys) if key[:3] == fields]
    keys = [(counters.keys[row][3],) for row in rows]
    own = Counters.of_groups(("player",), counters.metrics, keys, counters.sums[rows], counters.sizes[rows])
    years = sorted(total.years[kind])
    return {
        "seats": kind[0],
        "room": kind[1],
        "length": kind[2],
        "hands": int(own.sizes[:, HANDS].sum()),
        "players": int((own.sizes[:, HANDS] >= least_hands).sum()),
        "least_hands": least_hands,
        "sums": {
            name: line
            for name, line in zip(counters.metrics, own.sums.sum(axis=0).tolist(), strict=True)
            if line[D]
        },
        "spreads": {
            name: [*(float(f"{value:.5g}") for value in astuple(among)[:-1]), among.players]
            for name, among in spreads_of(own, least_hands).items()
            if name in spread
        },
        "games": total.games[kind],
        "years": " to ".join(dict.fromkeys((years[0], years[-1]))) if years else "",
    }


def text_of(strata: Sequence[Mapping[str, Any]]) -> str:
    """Return the file of a reference: JSON with a line for each statistic."""
    text = json.dumps({"schema": SCHEMA, "strata": strata}, indent=1)
    lines: list[str] = []
    for line in text.splitlines():
        last = lines[-1] if lines else ""
        if "[" in last and "strata" not in last and not last.rstrip(",").endswith("]"):
            lines[-1] += line.strip()
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"
