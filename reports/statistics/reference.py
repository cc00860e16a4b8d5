"""What a player is compared with: genuine games that ship in sum, another dataset, or the other players.

``bench/population.py`` counts what ships. It names nobody: for each number of players, room and length there
are sums over all players, and how much those with enough hands differ, without what chance adds.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from paifu.replay.language import N_, _, ngettext
from paifu.replay.rules.choices import Scheme
from paifu.reports.inference.shrinking import Spread, place
from paifu.reports.judgement.sums import PlayerLosses
from paifu.reports.metrics.counters import GAMES, HANDS, OTHERS, PARTS, SIZES, Counters
from paifu.reports.metrics.rooms import room_said
from paifu.reports.statistics.values import (
    ENOUGH_HANDS,
    ENOUGH_PLAYERS,
    Estimate,
    GroupStatistics,
    everybody,
    spreads_of,
)

SCHEMA = "paifu.population/2"
SHIPPED = Path(__file__).parent / "shipped" / "population.json"
Stratum = tuple[int, str, str]
"""Number of players, room, and length of the games."""
BY_KIND = ("players", "room", "length", "player")
"""Fields of counters by kind of game and player."""
_LENGTHS = {"east": N_("East only"), "south": N_("East and South")}


@dataclass(frozen=True, slots=True)
class Population:
    """A population to compare with."""

    name: str
    """Heads a column: ``houou``, ``others``."""
    who: str
    """Names them in a sentence: ``houou players``."""
    words: str
    """Says whom it is about, where it is from, and how many they are, as a sentence."""
    stats: GroupStatistics
    losses: PlayerLosses
    spreads: Mapping[str, Spread] = field(default_factory=dict)
    """How much its players differ, by metric."""
    players: int = 0
    """Number of these players."""
    enough: int = ENOUGH_HANDS
    """Hands that each of them has at least."""

    def estimate(self, metric: str) -> Estimate:
        """Return a statistic of the population, without a value if it was not counted."""
        return self.stats.stats.get(metric, Estimate(0, 0, None))

    def lower(self, metric: str, own: Estimate) -> float | None:
        """Return the expected share of players with a lower true value, in percent.

        None if there is no value, too few players, or if these cannot be told apart.
        """
        among = self.spreads.get(metric)
        if own.value is None or self.players < ENOUGH_PLAYERS or among is None or not among.is_known:
            return None
        return float(place(own.sums, among))


@dataclass(frozen=True, slots=True)
class _Shipped:
    """A stratum as it is stored."""

    seats: int
    room: str
    length: str
    games: int
    hands: int
    players: int
    least_hands: int
    years: str
    sums: Mapping[str, Sequence[int]]
    spreads: Mapping[str, Spread]
    losses: PlayerLosses


@cache
def _shipped() -> Mapping[Stratum, _Shipped]:
    stored = json.loads(SHIPPED.read_text("utf-8"))
    found = {}
    for row in stored["strata"]:
        losses = PlayerLosses(**row.pop("losses"))
        spreads = {name: Spread(*parts) for name, parts in row.pop("spreads").items()}
        found[row["seats"], row["room"], row["length"]] = _Shipped(**row, spreads=spreads, losses=losses)
    return found


def shipped_strata() -> tuple[Stratum, ...]:
    """Return what was counted."""
    return tuple(_shipped())


def shipped(played: Counter[Stratum]) -> Population | None:
    """Return what ships for the games in which a player had most hands, by the hands played in each.

    If their room was not counted, another room with as many players and games of this length stands in.
    """
    most = max(played, key=lambda one: (played[one], one), default=(0, "", ""))
    near = [one for one in _shipped() if (one[0], one[2]) == (most[0], most[2])]
    if not near:
        return None
    chosen = _shipped()[most if most in near else near[0]]
    is_other = most not in near
    room, (first, _to, last) = room_said(chosen.room), chosen.years.partition(" to ")
    words = ngettext(
        "{count:,} game of the {room} room on Tenhou ({players} players, {length}, {years})",
        "{count:,} games of the {room} room on Tenhou ({players} players, {length}, {years})",
        chosen.games,
    ).format(
        count=chosen.games,
        room=room,
        players=chosen.seats,
        length=_(_LENGTHS.get(chosen.length, chosen.length)),
        years=_("{first} to {last}").format(first=first, last=last) if last else first,
    )
    if is_other:
        nothing = (
            _("{words}; nothing ships for the room {room}")
            if most[1]
            else _("{words}; nothing ships for games without a room")
        )
        words = nothing.format(words=words, room=room_said(most[1]))
    names = list(chosen.sums)
    return Population(
        room,
        _("{room} players").format(room=room),
        words,
        _group(names, np.array([chosen.sums[name] for name in names]), chosen.games, chosen.hands),
        chosen.losses,
        chosen.spreads,
        chosen.players,
        chosen.least_hands,
    )


def of_kinds(counters: Counters, player: str) -> tuple[Counter[Stratum], GroupStatistics]:
    """Return a player's hands in riichi games by stratum and the statistics, from counters by ``BY_KIND``."""
    rows = [row for row, key in enumerate(counters.keys) if len(key) == len(BY_KIND) and key[3] == player]
    played: Counter[Stratum] = Counter()
    for row in rows:
        seats, room, length, _ = counters.keys[row]
        played[int(seats), room, length] = int(counters.sizes[row, HANDS + 1 + Scheme.HAN_FU])
    sums, sizes = counters.sums[rows].sum(axis=0), counters.sizes[rows].sum(axis=0)
    own = Counters.of_groups(("player",), counters.metrics, [(player,)], sums[None], sizes[None])
    return +played, everybody(own)


def _group(names: Sequence[str], sums: Any, games: int, hands: int) -> GroupStatistics:
    sizes = np.zeros((1, SIZES), np.int64)
    sizes[0, [GAMES, HANDS, HANDS + 1]] = games, hands, hands
    sums = sums.reshape(1, len(names), PARTS)
    return everybody(Counters.of_groups(("player",), names, [(OTHERS,)], sums, sizes))


def of_counters(
    name: str,
    who: str,
    words: str,
    counters: Counters,
    losses: PlayerLosses,
    enough: int = ENOUGH_HANDS,
) -> Population:
    """Return a population from the counters of its players, the player concerned already left out."""
    found = everybody(counters)
    spreads = spreads_of(counters, enough) if counters.by == ("player",) else {}
    players = int((counters.sizes[:, HANDS] >= enough).sum()) if spreads else 0
    return Population(name, who, words, found, losses, spreads, players, enough)
