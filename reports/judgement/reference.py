"""What mistakes cost players of a room, to compare a player with: counted in real games, and shipped.

``bench/losses.py`` counts it. It names nobody: for each number of players and room there are only the
quantiles of the loss per 100 hands, over players with enough hands there.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

SCHEMA = "paifu.losses/1"
SHIPPED = Path(__file__).parent / "shipped" / "losses.json"
Room = tuple[int, str]
"""Number of players, and the platform's room."""


@dataclass(frozen=True, slots=True)
class LossReference:
    """How much players of a room lose per 100 hands by pushing and folding."""

    players: int
    """Whom it was counted over."""
    least_hands: int
    """Hands that each of them played there, at least."""
    quantiles: tuple[float, ...]
    """From the least to the most, at equal steps."""

    def share_losing_more(self, loss: float) -> float:
        """Return the share of these players who lose more than ``loss`` points per 100 hands."""
        steps = np.linspace(1, 0, len(self.quantiles))
        return float(np.interp(loss, self.quantiles, steps))


@cache
def references() -> MappingProxyType[Room, LossReference]:
    """Return the rooms that were counted."""
    stored = json.loads(SHIPPED.read_text("utf-8"))
    return MappingProxyType(
        {
            (row["seats"], row["room"]): LossReference(
                row["players"], row["least_hands"], tuple(row["push_and_fold"])
            )
            for row in stored["rooms"]
        }
    )


@dataclass(frozen=True, slots=True)
class LossStanding:
    """Where a player stands among those of the room in which he played most."""

    room: Room
    reference: LossReference
    losing_more: float
    """Share of them who lose more per 100 hands."""

    def summary(self) -> dict[str, Any]:
        """Return it as plain values."""
        seats, room = self.room
        return {
            "room": room,
            "seats": seats,
            "players": self.reference.players,
            "least_hands": self.reference.least_hands,
            "losing_more": round(self.losing_more, 3),
        }

    def words(self) -> str:
        """Say it in a sentence without a subject."""
        seats, room = self.room
        return (
            f"loses less by pushing and folding than {self.losing_more:.0%} of {self.reference.players:,} "
            f"players in {room} ({seats} players a table, {self.reference.least_hands} hands or more each)"
        )


def standing(rooms: Counter[Room], loss: float) -> LossStanding | None:
    """Return where a loss per 100 hands stands, by the hands that were played in each room.

    None where most were played in a room that was not counted, or fewer than of anybody who was.
    """
    room = max(rooms, key=lambda one: (rooms[one], one), default=(0, ""))
    reference = references().get(room)
    if reference is None or rooms[room] < reference.least_hands:
        return None
    return LossStanding(room, reference, reference.share_losing_more(loss))
