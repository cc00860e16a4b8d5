"""What a player is compared with: genuine games that ship in sum, other games, or the other players.

``paifu reference`` counts what ships, and what users count themselves. It names nobody: for each number of
players, room and length there are sums over all players who are people, of whom none counts for many
times as much as others; how much those with enough hands differ, without what chance adds; and how far the
farthest of many statistics goes by chance.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from paifu.replay.errors import ArgumentError
from paifu.replay.foreign_text import one_line
from paifu.replay.language import N_, _, ngettext
from paifu.replay.rules.choices import Scheme
from paifu.reports.inference.farthest import Farthest
from paifu.reports.inference.shrinking import Spread, place
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import BY_KIND, GAMES, HANDS, OTHERS, PARTS, SIZES, Counters, is_program
from paifu.reports.metrics.rooms import ROOMS, room_said
from paifu.reports.statistics.values import (
    ENOUGH_HANDS,
    ENOUGH_PLAYERS,
    Estimate,
    GroupStatistics,
    everybody,
    players_alike,
    spreads_of,
)

SCHEMA = "paifu.population/3"
SHIPPED = Path(__file__).parent / "shipped" / "population.json"
Stratum = tuple[int, str, str]
"""Number of players, room, and length of the games."""
_LENGTHS = {"east": N_("East only"), "south": N_("East and South")}
_RANKED = {room: rank for rank, room in enumerate(ROOMS[:4])}
"""Tenhou's rooms, from the lowest."""


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
    spreads: Mapping[str, Spread] = field(default_factory=dict)
    """How much its players differ, by metric."""
    players: int = 0
    """Number of these players."""
    enough: int = ENOUGH_HANDS
    """Hands that each of them has at least."""
    farthest: Farthest | None = None
    """How far the farthest of many statistics goes by chance; None where that was not counted."""
    stands_in: str = ""
    """Says that they stand in for players of another room, as a sentence; empty if they do not."""

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
class CountedStratum:
    """Games of one kind as they are stored."""

    seats: int
    room: str
    length: str
    games: int
    with_program: int
    """Games in which a seat is a program's, which does not count."""
    hands: int
    players: int
    """Players with enough hands."""
    least_hands: int
    years: str
    sums: Mapping[str, Sequence[int]]
    """Of players, of whom none counts for many times as much as others."""
    spreads: Mapping[str, Spread]
    farthest: Farthest | None


@dataclass(frozen=True, slots=True)
class Reference:
    """Games that were counted once, by kind."""

    strata: Mapping[Stratum, CountedStratum]
    name: str = ""
    """The file; empty for what ships."""
    programs: frozenset[str] = frozenset()
    """Names that count as programs, besides those with Tenhou's sign."""

    def of(self, played: Counter[Stratum]) -> Population | None:
        """Return the games like those in which a player had most hands, by the hands played in each kind.

        If their room was not counted, the nearest one with as many players and games of this length stands
        in: of Tenhou's rooms the one with the fewest between them, else the one with most games.
        """
        most = max(played, key=lambda one: (played[one], one), default=(0, "", ""))
        near = [one for one in self.strata if (one[0], one[2]) == (most[0], most[2])]
        if not near:
            return None
        chosen = self.strata[min(near, key=lambda one: (_apart(one[1], most[1]), -self.strata[one].games))]
        words = self._words(chosen)
        who = (
            _("{room} players").format(room=room_said(chosen.room))
            if chosen.room
            else _("players of the reference")
        )
        names = list(chosen.sums)
        return Population(
            room_said(chosen.room) or _("reference"),
            who,
            words,
            _group(names, np.array([chosen.sums[name] for name in names]), chosen.games, chosen.hands),
            chosen.spreads,
            chosen.players,
            chosen.least_hands,
            chosen.farthest,
            "" if chosen.room == most[1] else _stands_in(chosen.room, most[1], who),
        )

    def _words(self, chosen: CountedStratum) -> str:
        words = self._games_said(chosen)
        if not chosen.with_program:
            return words
        return ngettext(
            "{words}; in {count:,} of them one player is a program, which does not count",
            "{words}; in {count:,} of them one player is a program, which does not count",
            chosen.with_program,
        ).format(words=words, count=chosen.with_program)

    def _games_said(self, chosen: CountedStratum) -> str:
        first, _to, last = chosen.years.partition(" to ")
        years = _("{first} to {last}").format(first=first, last=last) if last else first
        if self.name:
            kind = ", ".join(filter(None, [kind_said(chosen.seats, chosen.room, chosen.length), years]))
            text = ngettext(
                "{count:,} game in {file}: {kind}", "{count:,} games in {file}: {kind}", chosen.games
            )
            return text.format(count=chosen.games, file=one_line(self.name), kind=kind)
        return ngettext(
            "{count:,} game of the {room} room on Tenhou ({players} players, {length}, {years})",
            "{count:,} games of the {room} room on Tenhou ({players} players, {length}, {years})",
            chosen.games,
        ).format(
            count=chosen.games,
            room=room_said(chosen.room),
            players=chosen.seats,
            length=_(_LENGTHS.get(chosen.length, chosen.length)),
            years=years,
        )


def _stands_in(room: str, own: str, who: str) -> str:
    """Say that players of one room stand in for those of another."""
    if not own:
        text = _(
            "Nothing was counted for games without a room. You are compared with {who}: what differs may be "
            "the room, not you."
        )
        return text.format(who=who)
    if room not in _RANKED or own not in _RANKED:
        text = _(
            "Nothing was counted for the room {own}. You are compared with {who}: what differs may be the "
            "room, not you."
        )
    elif _RANKED[room] > _RANKED[own]:
        text = _(
            "Nothing was counted for the room {own}. You are compared with {who}, the nearest room, where "
            "players are stronger: what differs may be the room, not you."
        )
    else:
        text = _(
            "Nothing was counted for the room {own}. You are compared with {who}, the nearest room, where "
            "players are weaker: what differs may be the room, not you."
        )
    return text.format(own=room_said(own), who=who)


def _apart(room: str, other: str) -> float:
    """Return how many of Tenhou's rooms one has to go through from one to another; infinite for others."""
    if room == other:
        return 0
    return abs(_RANKED[room] - _RANKED[other]) if room in _RANKED and other in _RANKED else np.inf


def kind_said(seats: int, room: str, length: str) -> str:
    """Name a kind of games to people.

    >>> kind_said(4, "houou", "south"), kind_said(3, "", "east")
    ('houou, 4 players, East and South', 'no room, 3 players, East only')
    """
    text = ngettext("{room}, {count} player, {length}", "{room}, {count} players, {length}", seats)
    said = room_said(room) if room else _("no room")
    return text.format(room=said, count=seats, length=_(_LENGTHS.get(length, length)))


def is_reference(path: Path) -> bool:
    """Return whether a file is one that ``paifu reference`` wrote, of this version or another."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return SCHEMA.partition("/")[0].encode() in file.read(100)


def read_reference(path: Path, name: str = "") -> Reference:
    """Return what ``paifu reference`` wrote. Raises ArgumentError."""
    shown = one_line(name or str(path))
    damaged = _("{file}: not a reference of 'paifu reference', or damaged; make it again").format(file=shown)
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        stored: Any = json.loads(data) if len(data) <= _MOST_BYTES else None
        schema, rows = stored["schema"], stored.get("strata")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ArgumentError(damaged) from error
    if schema != SCHEMA:
        text = _("{file}: counted by another version of paifu; make it again with 'paifu reference'")
        raise ArgumentError(text.format(file=shown))
    try:
        programs = stored["programs"]
        _check(type(programs) is list and all(type(one) is str for one in programs))
        return Reference(dict(map(_stratum, rows)), name, frozenset(programs))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ArgumentError(damaged) from error


_MOST_BYTES = 32 << 20
_MOST_COUNT = 1 << 53
_MOST_SUM = 1 << 62
_COUNTS = ("games", "with_program", "hands", "players", "least_hands")


def _stratum(row: dict[str, Any]) -> tuple[Stratum, CountedStratum]:
    """Read a kind of games. Raises ValueError, KeyError or TypeError for anything but what is written."""
    stated = {**row}
    spreads = {key: Spread(*parts) for key, parts in stated.pop("spreads").items()}
    farthest = _farthest(stated.pop("farthest"))
    one = CountedStratum(**stated, spreads=spreads, farthest=farthest)
    _check(type(one.seats) is int and 2 <= one.seats <= 4)
    _check(all(type(cell) is str for cell in (one.room, one.length, one.years)))
    counts = [getattr(one, name) for name in _COUNTS]
    _check(all(type(count) is int and 0 <= count <= _MOST_COUNT for count in counts))
    _check(one.sums.keys() | spreads.keys() <= CATALOGUE.keys())
    _check(all(len(sums) == PARTS and all(type(cell) is int for cell in sums) for sums in one.sums.values()))
    for number in chain(*one.sums.values(), *map(astuple, spreads.values())):
        _check(type(number) in (int, float) and abs(number) <= _MOST_COUNT)
    for number in chain(*one.sums.values()):
        _check(abs(number) <= _MOST_SUM)
    return (one.seats, one.room, one.length), one


def _farthest(stated: dict[str, Any] | None) -> Farthest | None:
    if stated is None:
        return None
    found = Farthest(tuple(stated["games"]), {use: tuple(one) for use, one in stated["limits"].items()})
    _check(set(stated) == {"games", "limits"} and len(found.games) > 0)
    for numbers in (found.games, *found.limits.values()):
        _check(len(numbers) == len(found.games))
        _check(all(type(one) in (int, float) and 0 < one <= _MOST_COUNT for one in numbers))
    _check(all(first < second for first, second in pairwise(found.games)))
    return found


def _check(holds: bool) -> None:
    if not holds:
        raise ValueError


@cache
def shipped_reference() -> Reference:
    """Return what ships."""
    return read_reference(SHIPPED)


def shipped(played: Counter[Stratum]) -> Population | None:
    """Return what ships for the games in which a player had most hands; see :meth:`Reference.of`."""
    return shipped_reference().of(played)


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


def of_counters(name: str, who: str, words: str, counters: Counters) -> Population:
    """Return a population from the counters of its players, the player concerned already left out."""
    people = _people(counters)
    spreads = spreads_of(people, ENOUGH_HANDS)
    players = int((people.sizes[:, HANDS] >= ENOUGH_HANDS).sum()) if spreads else 0
    return Population(name, who, words, players_alike(people), spreads, players)


def _people(counters: Counters) -> Counters:
    """Leave out programs."""
    for name in {key[0] for key in counters.keys if is_program(key[0], shipped_reference().programs)}:
        counters = counters.without(name)
    return counters
