"""What all writers begin with: one game of a batch, its hands and rules, and why it cannot be written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import orjson

from paifu.parsers.errors import WriteError
from paifu.replay.model.batch import NO_YAKU, UNKNOWN_POINTS, Batch
from paifu.replay.model.events import EventFlag, EventKind
from paifu.replay.rules.fields import YAKUMAN_HAN
from paifu.replay.rulesets.presets import ruleset_of
from paifu.replay.scoring.yaku import DORA_ID, URA_DORA_ID, Yaku, yaku_of

_KINDS = {int(kind): kind for kind in EventKind}
_TSUMOGIRI = int(EventFlag.TSUMOGIRI)


class WrittenEvent(NamedTuple):
    """An event that is written; ``row`` is its row in the batch."""

    row: int
    kind: EventKind
    seat: int
    source: int
    tile: int
    is_drawn: bool
    """Of a discard: it is the tile just drawn."""


class WrittenGame:
    """One game while it is written."""

    target: ClassVar[str]
    """The format: a key of ``WRITERS``."""

    def __init__(self, batch: Batch, game: int) -> None:
        self.batch = batch
        self.game = game
        self.players = int(batch.games.players[game])
        self.rules = ruleset_of(batch, game)

    @classmethod
    def games(cls, batch: Batch) -> Iterator[bytes]:
        """Write each game of a batch as a log of its own.

        Raises WriteError, which names the game, for one that lacks what the format needs.
        """
        return (cls(batch, game).text() for game in range(len(batch)))

    def text(self) -> bytes:
        """The game as a log: a line of JSON, unless the format is another one."""
        return orjson.dumps(self.document(), option=orjson.OPT_APPEND_NEWLINE)

    def document(self) -> dict[str, Any]:
        """The game as the format's object."""
        raise NotImplementedError

    @property
    def hands(self) -> range:
        """Rows of the game's hands."""
        return range(self.batch.games.hand_begin[self.game], self.batch.games.hand_end[self.game])

    def events(self, first: int, last: int) -> Iterator[WrittenEvent]:
        """Yield the events from a row of the batch up to another."""
        events, rows = self.batch.events, slice(first, last)
        kinds = map(_KINDS.__getitem__, events.kind[rows].tolist())
        others = (column[rows].tolist() for column in (events.seat, events.source, events.tile))
        are_drawn = (events.flags[rows] & _TSUMOGIRI).astype(bool).tolist()
        return map(WrittenEvent, range(first, last), kinds, *others, are_drawn)

    def events_of(self, hand: int) -> Iterator[WrittenEvent]:
        """Yield the events of a hand."""
        hands = self.batch.hands
        return self.events(int(hands.event_begin[hand]), int(hands.event_end[hand]))

    def final(self) -> tuple[list[int] | None, list[float] | None]:
        """Scores and settled points by seat; None for those that are not known."""
        games, game = self.batch.games, self.game
        scores, points = games.final_scores[game].tolist(), games.final_points[game].tolist()
        are_known = all(point == point for point in points)
        return None if UNKNOWN_POINTS in scores else scores, points if are_known else None

    def listed(self, win: int, *, without_ura: bool = False) -> list[tuple[int, int]]:
        """Yaku of a win and their han; ``without_ura`` leaves out ura dora that are worth nothing."""
        wins = self.batch.wins
        return [
            (number, han)
            for number, han in zip(wins.yaku[win].tolist(), wins.han[win].tolist(), strict=True)
            if number != NO_YAKU and (han or number != URA_DORA_ID or not without_ura)
        ]

    def yaku(self, number: int) -> Yaku:
        """A yaku of the game's rules, by id; raises WriteError for one that they do not have."""
        known = yaku_of(self.rules).get(number)
        if known is None:
            raise self.error(f"it lists yaku {number}, which its ruleset {self.rules.name} does not have")
        return known

    def error(self, what: str) -> WriteError:
        """The error that this game cannot be written."""
        return WriteError(f"{self.batch.games.source[self.game]} cannot be written as {self.target}: {what}")


class HandBeingWritten:
    """One hand while it is written."""

    def __init__(self, game: WrittenGame, hand: int) -> None:
        self.of_game = game
        self.batch = game.batch
        self.hand = hand
        self.players = game.players
        self.dealer = int(self.batch.hands.dealer[hand])

    def error(self, what: str) -> WriteError:
        """The error that this hand cannot be written."""
        return self.of_game.error(f"hand {self.hand} {what}")

    def start_scores(self, what: str = "the scores") -> list[int]:
        """Scores by seat at the start; raises WriteError where they are not known."""
        scores: list[int] = self.batch.hands.scores[self.hand].tolist()
        if UNKNOWN_POINTS in scores:
            raise self.error(f"does not state {what}")
        return scores


def is_yakuman(number: int, han: int) -> bool:
    """Whether a yaku of a win counts as a yakuman."""
    return han == YAKUMAN_HAN and number < DORA_ID


def plain_number(value: float) -> float | int:
    """Write a number without a point where it is whole."""
    return int(value) if value.is_integer() else value
