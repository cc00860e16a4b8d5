"""The ratings of a player, as rows for tables and pages, and as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from paifu.replay.language import _, ngettext
from paifu.replay.rulesets.ladders import ladder_of
from paifu.reports.metrics.rooms import length_said, room_said
from paifu.reports.ratings.rooms import (
    LEAST_IN_ROOM,
    AtRank,
    Bounded,
    LuckOfGames,
    RoomRating,
    StableRank,
    room_ratings,
)
from paifu.reports.ratings.tenhou_r import RatingCourse, rating_courses
from paifu.reports.statistics.course_games import CourseGame
from paifu.reports.units import number
from paifu.reports.wording import plural


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A line of a table of ratings, as texts."""

    title: str
    value: str
    interval: str
    games: str


@dataclass(frozen=True, slots=True)
class PlayerRatings:
    """A player's ratings, by number of players and by room."""

    tenhou_r: tuple[RatingCourse, ...]
    rooms: tuple[RoomRating, ...]
    left_out: int
    """Games in rooms with fewer than ``LEAST_IN_ROOM``."""

    def stable(self) -> RatingRow | None:
        """Return the stable rank in the room with most games, if any is known."""
        known = [room for room in self.rooms if room.stable]
        if not known:
            return None
        room = max(known, key=lambda one: one.games)
        assert room.stable is not None  # noqa: S101  it is known
        value, interval = _rank_texts(room, room.stable.loss)
        return RatingRow(room_said(room.room), value, interval, f"{room.stable.games:,}")

    def rows(self) -> Iterator[RatingRow]:
        """Yield the lines of the table."""
        for course in self.tenhou_r:
            yield RatingRow(_rating_said(course), number(course.after, 1), "", f"{course.games:,}")
        for room in self.rooms:
            yield from _rows_of_room(room)

    def notes(self) -> Iterator[str]:
        """Yield what a reader of the table should know."""
        for course in self.tenhou_r:
            text = _("{rating} is worked out by Tenhou's formula, after the last of these games")
            if course.gaps:
                text = ngettext(
                    "{rating} is worked out by Tenhou's formula, after the last of these games; between them "
                    "the player had others, {count:,} time",
                    "{rating} is worked out by Tenhou's formula, after the last of these games; between them "
                    "the player had others, {count:,} times",
                    course.gaps,
                )
            yield text.format(rating=_rating_said(course), count=course.gaps)
        if self.left_out:
            text = _("ratings by room need {least} games in it; {games} in other rooms left out")
            yield text.format(least=LEAST_IN_ROOM, games=plural(self.left_out, "game"))
        if any(one.promotion for room in self.rooms for one in room.ranks):
            yield _(
                "promotion: careers simulated from the start of the rank, with games drawn from the "
                "player's; 95% of those promoted take as many games as the interval says"
            )

    def summary(self) -> dict[str, Any]:
        """Return the ratings as plain values."""
        return {
            "tenhou_r": [asdict(course) | {"gaps": course.gaps} for course in self.tenhou_r],
            "rooms": [_summary_of_room(room) for room in self.rooms],
        }


def _rating_said(course: RatingCourse) -> str:
    return _("R") if course.players == 4 else _("R, 3 players")


def player_ratings(games: Sequence[CourseGame], luck: LuckOfGames = MappingProxyType({})) -> PlayerRatings:
    """Return the ratings of a player from all games, in the order of play; ``luck`` where it is measured."""
    rooms = tuple(room_ratings(games, luck))
    in_rooms = sum(ladder_of(one.room, (one.players, one.length)) is not None for one in games)
    return PlayerRatings(tuple(rating_courses(games)), rooms, in_rooms - sum(room.games for room in rooms))


def _rows_of_room(room: RoomRating) -> Iterator[RatingRow]:
    where = _(", ").join(
        [room_said(room.room), length_said(room.kind[1]), *([_("3 players")] if room.kind[0] == 3 else [])]
    )

    def row(what: str, value: str, interval: str, games: int) -> RatingRow:
        return RatingRow(_("{room}: {what}").format(room=where, what=what), value, interval, f"{games:,}")

    for title, stable in (
        (_("stable rank"), room.stable),
        (_("stable rank without luck"), room.without_luck),
    ):
        if stable:
            yield row(title, *_rank_texts(room, stable.loss), stable.games)
    ranks = room.ladder.ranks
    for one in room.ranks:
        name = ranks[one.rank].said
        yield row(
            _("points a game as {rank}").format(rank=name),
            *_texts(one.points, "{:+z.1f}"),
            room.games,
        )
        if one.promotion:
            yield from (row(*texts, room.games) for texts in _promotion_texts(room, one))


def _promotion_texts(room: RoomRating, one: AtRank) -> Iterator[tuple[str, str, str]]:
    ranks, found = room.ladder.ranks, one.promotion
    up = ranks[one.rank + 1].said if one.rank + 1 < len(ranks) else _("the next rank")
    if found and ranks[one.rank].falls:
        down = ranks[one.rank - 1].said
        title = _("chance to be {up} before {down}").format(up=up, down=down)
        low, high = _chance_text(found.low), _chance_text(found.high)
        between = low if low == high else _("{low} to {high}").format(low=low.rstrip("%"), high=high)
        yield title, _chance_text(found.chance), between
    if found and found.games is not None:
        games = Bounded(found.games, found.games_low, found.games_high)
        yield _("games until {up}").format(up=up), *_texts(games, "{:,.0f}")


def _chance_text(chance: float) -> str:
    """Write a chance; no simulated career says that it is 0 or 1.

    >>> [_chance_text(chance) for chance in (0.0, 0.46, 1.0)]
    ['<1%', '46%', '>99%']
    """
    percent = round(100 * chance)
    return "<1%" if percent < 1 else ">99%" if percent > 99 else f"{percent}%"


def _texts(of: Bounded, form: str) -> tuple[str, str]:
    """Return a value and its interval."""
    if of.low is None or of.high is None:
        return form.format(of.value), ""
    low, high = (form.format(bound) for bound in (of.low, of.high))
    return form.format(of.value), _("{low} to {high}").format(low=low, high=high)


def _rank_texts(room: RoomRating, of: Bounded) -> tuple[str, str]:
    if of.low is None or of.high is None:
        return room.rank_said(of.value), ""
    low, high = room.rank_said(of.low), room.rank_said(of.high)
    return room.rank_said(of.value), low if low == high else _("{low} to {high}").format(low=low, high=high)


def _summary_of_room(room: RoomRating) -> dict[str, Any]:
    def stable(of: StableRank | None) -> dict[str, Any] | None:
        if of is None:
            return None
        value, interval = _rank_texts(room, of.loss)
        return {**of.loss.summary(), "rank": value, "interval": interval, "games": of.games}

    return {
        "room": room.room,
        "players": room.kind[0],
        "length": room.kind[1],
        "games": room.games,
        "places": list(room.places),
        "stable": stable(room.stable),
        "stable_without_luck": stable(room.without_luck),
        "ranks": [
            {
                "rank": room.ladder.ranks[one.rank].said,
                "points": one.points.summary(),
                "promotion": None if one.promotion is None else asdict(one.promotion),
            }
            for one in room.ranks
        ],
    }
