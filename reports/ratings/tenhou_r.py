"""Tenhou's R, computed from game to game and compared with what the logs state.

A game changes R by ``factor * (bonus of the place + (mean R of the table - own R) / 40)``. The factor is
1 less 0.002 for each game before, and 0.2 from 400 games on. Everybody begins with 1500, which is how a
player's first game is recognized; else 400 games before are assumed.
"""

# tenhou.net/man, "Rating"; riichi.wiki, "Tenhou.net ranking", of 2024.

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import MappingProxyType

from paifu.replay.rulesets.ladders import LADDERS, TENHOU
from paifu.reports.statistics.course_games import CourseGame

BEGINNING, SETTLED = 1500.0, 400
BONUS = MappingProxyType({4: (30, 10, -10, -30), 3: (30, 0, -30)})
_ROUNDING, _OF_WHOLE = 0.015, 1.0
"""How far a statement may be from what is computed: logs state hundredths, early ones whole numbers."""


def rating_change(players: int, place: int, own: float, table: float, games: int = SETTLED) -> float:
    """Return what a game changes; ``table`` is the mean R of the table, ``games`` those before.

    >>> rating_change(4, 1, 2000.0, 1900.0), rating_change(4, 4, 1500.0, 1500.0, games=0)
    (5.5, -30.0)
    """
    factor = max(0.2, 1 - 0.002 * games)
    return factor * (BONUS[players][place - 1] + (table - own) / 40)


@dataclass(frozen=True, slots=True)
class RatingCourse:
    """A player's R in ranked games of as many players."""

    players: int
    games: int
    first: float
    """Before the first game."""
    last: float
    """Before the last game."""
    after: float
    """After the last game, computed."""
    followed: int
    """How often the R before a game is what follows from the game before."""

    @property
    def gaps(self) -> int:
        """How often it is not: games between are not among the logs."""
        return self.games - 1 - self.followed


def rating_courses(games: Iterable[CourseGame]) -> Iterator[RatingCourse]:
    """Yield a player's R by number of players, from all games in the order of play."""
    rooms = LADDERS[TENHOU].rooms
    ranked = [one for one in games if one.room in rooms and one.rank and one.rating and one.table_rating]
    for players in BONUS:
        played = [one for one in ranked if one.players == players]
        if played:
            yield _course(players, played)


def _course(players: int, played: list[CourseGame]) -> RatingCourse:
    ratings = [one.rating or 0.0 for one in played]
    near = _OF_WHOLE if all(rating.is_integer() for rating in ratings) else _ROUNDING
    number = 0 if ratings[0] == BEGINNING else SETTLED
    after: list[float] = []
    followed = 0
    for one, rating in zip(played, ratings, strict=True):
        if after:
            follows = abs(after[-1] - rating) <= near
            followed += follows
            number = number + 1 if follows else SETTLED
        after.append(rating + rating_change(players, one.rank, rating, one.table_rating or 0.0, number))
    return RatingCourse(players, len(played), ratings[0], ratings[-1], after[-1], followed)
