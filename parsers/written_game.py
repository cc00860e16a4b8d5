"""What all writers begin with: one game of a batch, its rules, and why it cannot be written."""

from __future__ import annotations

from typing import ClassVar

from paifu.parsers.errors import WriteError
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import ruleset_of
from paifu.replay.scoring.yaku import Yaku, yaku_of


class WrittenGame:
    """One game while it is written."""

    target: ClassVar[str]
    """The format: a key of ``WRITERS``."""

    def __init__(self, batch: Batch, game: int) -> None:
        self.batch = batch
        self.game = game
        self.players = int(batch.games.players[game])
        self.rules = ruleset_of(batch, game)

    def yaku(self, number: int) -> Yaku:
        """A yaku of the game's rules, by id; raises WriteError for one that they do not have."""
        known = yaku_of(self.rules).get(number)
        if known is None:
            raise self.error(f"it lists yaku {number}, which its ruleset {self.rules.name} does not have")
        return known

    def error(self, what: str) -> WriteError:
        """The error that this game cannot be written."""
        return WriteError(f"{self.batch.games.source[self.game]} cannot be written as {self.target}: {what}")
