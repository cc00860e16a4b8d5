"""Games of one player as statistics over time have them, each with its result and ratings."""

from __future__ import annotations

from dataclasses import dataclass

from paifu.reports.metrics.records import NO_POINTS, GameRecords, SeatedGame


@dataclass(frozen=True, slots=True)
class CourseGame:
    """One game of one player."""

    id: str
    source: str
    started: str
    room: str
    length: str
    seat: int
    players: int
    rank: int
    """0 if the final result is unknown."""
    final: int | None
    gain: int | None
    """Final points less those of the start."""
    points: float | None
    rating: float | None
    """Before the game."""
    table_rating: float | None
    """Mean rating of the table."""
    dan: int | None

    @property
    def key(self) -> SeatedGame:
        """What games are ordered by."""
        return self.started, self.id, self.source, self.seat


def course_game(table: GameRecords, game: int, seat: int) -> CourseGame:
    """Return the game of a seat."""
    start, final, points, rating = (
        int(column[game, seat]) for column in (table.start, table.final, table.points, table.rating)
    )
    players = int(table.players[game])
    ratings = table.rating[game, :players]
    return CourseGame(
        id=str(table.id[game]),
        source=str(table.source[game]),
        started=str(table.started[game]),
        room=str(table.room[game]),
        length=str(table.length[game]),
        seat=seat,
        players=players,
        rank=int(table.rank[game, seat]),
        final=None if final == NO_POINTS else final,
        gain=None if NO_POINTS in (final, start) else final - start,
        points=None if points == NO_POINTS else points / 10,
        rating=rating / 100 if rating else None,
        table_rating=float(ratings.mean()) / 100 if ratings.all() else None,
        dan=int(table.dan[game, seat]) if table.dan[game, seat] >= 0 else None,
    )
