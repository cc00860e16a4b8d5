"""What a player's places bring in a room: rank points of a game, and the rank at which they are 0."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from paifu.replay.arrays import F64
from paifu.replay.rulesets.ladders import KYU, TENHOU, Kind, Ladder, ladder_of
from paifu.reports.inference.intervals import FEW, Nature, interval
from paifu.reports.inference.sums import GameSums
from paifu.reports.metrics.records import SeatedGame
from paifu.reports.ratings.promotion import Promotion, promotion
from paifu.reports.statistics.course_games import CourseGame

LEAST_IN_ROOM = 10
"""With fewer games in a room nothing is said of it."""
LuckOfGames = Mapping[SeatedGame, F64]
"""Luck in games of the player, as ``CourseGame.key`` -> what :data:`paifu.reports.luck.VALUES` lists."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """A value with its 95% interval; None where there is none."""

    value: float
    low: float | None
    high: float | None

    @classmethod
    def of(cls, n: F64, d: F64) -> Bounded:
        """Return the ratio of sums over games."""
        sums = GameSums.of_games(n, d)
        low, high = (float(bound) for bound in interval(sums, Nature.SIGNED))
        return cls(float(sums.ratio), *((None, None) if math.isnan(low) else (low, high)))

    def summary(self) -> dict[str, float | None]:
        """Return it as plain values."""
        return {"value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class StableRank:
    """The loss for a last place at which rank points would be 0 on average."""

    loss: Bounded
    games: int


@dataclass(frozen=True, slots=True)
class AtRank:
    """What the player's places bring at a rank."""

    rank: int
    """Place in ``Ladder.ranks``."""
    points: Bounded
    """Of a game."""
    promotion: Promotion | None
    """From the start of the rank; None with few games, or at the top."""


@dataclass(frozen=True, slots=True)
class RoomRating:
    """A player's games of one kind in one room."""

    ladder: Ladder
    room: str
    kind: Kind
    places: tuple[int, ...]
    """How often the player was first, second, ..."""
    stable: StableRank | None
    """None with fewer than FEW last places."""
    without_luck: StableRank | None
    """With luck removed, from the games in which it is measured; likewise None."""
    ranks: tuple[AtRank, ...]
    """The player's rank, where logs state it; else all that may play in the room."""

    @property
    def games(self) -> int:
        """How many games."""
        return sum(self.places)

    def dan(self, loss: float) -> float:
        """Return the dan of Tenhou that loses so much, also between two."""
        ranks = self.ladder.ranks
        none, one = (ranks[KYU + dan].losses[self.kind] for dan in (0, 1))
        return (loss - none) / (one - none)

    def rank_said(self, loss: float) -> str:
        """Name the rank that loses so much for a last place, or the last one that loses less."""
        ranks = self.ladder.ranks
        if self.ladder.name == TENHOU:
            return ranks[KYU + 1].said.replace("1", f"{self.dan(loss):z.1f}")
        below = [rank for rank in ranks if rank.losses[self.kind] <= loss]
        return (below or ranks[:1])[-1].said


def room_ratings(games: Iterable[CourseGame], luck: LuckOfGames) -> Iterator[RoomRating]:
    """Yield the ratings of a player in each room, those with the most games first."""
    played: dict[tuple[str, Kind], list[CourseGame]] = defaultdict(list)
    for game in games:
        if game.rank and game.gain is not None:
            played[game.room, (game.players, game.length)].append(game)
    for (room, kind), those in sorted(played.items(), key=lambda item: (-len(item[1]), item[0])):
        ladder = ladder_of(room, kind)
        if ladder and len(those) >= LEAST_IN_ROOM:
            yield _rating(ladder, room, kind, those, luck)


def _rating(ladder: Ladder, room: str, kind: Kind, games: list[CourseGame], luck: LuckOfGames) -> RoomRating:
    last, points = _results(ladder, room, kind, games)
    known = np.array([game.key in luck for game in games], bool)
    without = None
    if known.any():
        from paifu.reports.luck import PLACES, VALUES  # loads models

        brought = np.array([luck[game.key] for game in games if game.key in luck])
        chances = brought[:, [VALUES.index(name) for name in PLACES]]
        lucky = chances @ np.array(ladder.rooms[room].gains[kind], float)
        if ladder.uma:
            lucky += brought[:, VALUES.index("luck")] / 1000 + chances @ np.array(ladder.uma[kind[0]], float)
        without = _stable(points[known] - lucky, last[known] - chances[:, kind[0] - 1], last[known])
    grades = [game.dan for game in games if game.dan is not None]
    numbers = ladder.rooms[room].ranks
    if ladder.name == TENHOU:
        numbers = range(grades[-1], grades[-1] + 1) if grades and grades[-1] < len(ladder.ranks) else range(0)
    return RoomRating(
        ladder, room, kind,
        tuple(sum(game.rank == place for game in games) for place in range(1, kind[0] + 1)),
        _stable(points, last, last), without,
        tuple(_at_rank(ladder, kind, number, points, last) for number in numbers),
    )  # fmt: skip


def _results(ladder: Ladder, room: str, kind: Kind, games: list[CourseGame]) -> tuple[F64, F64]:
    """Return whether each game ended last, and its points without the loss for that."""
    last = np.array([game.rank == kind[0] for game in games], float)
    points = [ladder.points(room, kind, game.rank, game.gain or 0) for game in games]
    return last, np.array(points, float)


def _stable(points: F64, last: F64, cases: F64) -> StableRank | None:
    if cases.sum() < FEW or last.sum() <= 0:
        return None
    return StableRank(Bounded.of(points, last), len(points))


def _at_rank(ladder: Ladder, kind: Kind, number: int, points: F64, last: F64) -> AtRank:
    rank = ladder.ranks[number]
    brought = points - rank.losses[kind] * last
    return AtRank(
        number,
        Bounded.of(brought, np.ones(len(brought))),
        promotion(brought, rank.start, rank.target, falls=rank.falls) if rank.target else None,
    )
