"""A finding and what surrounds it: the case that its words are made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from paifu.replay.facts.tables import ScoredWins
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import NO_SEAT, EventKind
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.table.replayed import Replay
from paifu.replay.views.labels import format_label

_OWN_TURN = frozenset(EventKind) - {EventKind.WIN, EventKind.RIICHI_PAID, EventKind.LEAVE, EventKind.RETURN}
"""Kinds of events that belong to the turn which the player's next discard ends."""


@dataclass(frozen=True)
class FindingContext:
    """A finding and what surrounds it. ``hand`` and ``event`` are rows of the batch, -1 for none."""

    replayed: Replay
    code: int
    game: int
    hand: int
    event: int
    seat: int
    tile: int
    expected: int
    actual: int
    reason: int

    @property
    def batch(self) -> Batch:
        """What was replayed."""
        return self.replayed.batch

    @property
    def scored(self) -> ScoredWins:
        """What the engine makes of each win."""
        return self.replayed.scored_wins

    @property
    def rules(self) -> Ruleset:
        """The ruleset of the game."""
        return self.replayed.rulesets[self.game]

    @property
    def is_riichi(self) -> bool:
        """The game is riichi."""
        return self.rules.game.scheme == Scheme.HAN_FU

    @cached_property
    def kind(self) -> EventKind | None:
        """Kind of the event at which the finding was made."""
        return EventKind(self.batch.events.kind[self.event]) if self.event >= 0 else None

    @cached_property
    def win(self) -> int | None:
        """Row of the win, in the batch's claims and in what the engine scored."""
        at = int(np.searchsorted(self.batch.wins.event, self.event))
        found = at < len(self.batch.wins) and self.batch.wins.event[at] == self.event
        return at if found and self.event >= 0 else None

    @property
    def index(self) -> int | None:
        """Position of the event among those of its hand, from 0."""
        return None if self.event < 0 else self.event - int(self.batch.hands.event_begin[self.hand])

    @property
    def shown(self) -> int:
        """How many events of the hand come before what the finding is about."""
        return self.index or 0

    @property
    def label(self) -> str:
        """The hand's label, such as ``E1.0``."""
        hands = self.batch.hands
        return format_label(int(hands.round[self.hand]), int(hands.honba[self.hand]))

    @property
    def turn(self) -> int | None:
        """The turn of the finding's player: its discards before the event, and one that is still to come."""
        if self.event < 0 or self.seat == NO_SEAT:
            return None
        events = self.batch.events
        before = slice(int(self.batch.hands.event_begin[self.hand]), self.event)
        own = (events.seat[before] == self.seat) & (events.kind[before] == EventKind.DISCARD)
        acts = self.kind in _OWN_TURN or (
            self.kind == EventKind.WIN and events.source[self.event] == events.seat[self.event]
        )
        return int(own.sum()) + int(acts and events.seat[self.event] == self.seat)

    @property
    def tile_text(self) -> str:
        """Name of the finding's tile."""
        return tile_name(self.tile)
