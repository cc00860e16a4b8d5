"""What players' mistakes cost in sum, by kind of decision; kernels are not needed for them.

A mistake counts with the price found by playing out decisions like it
(:mod:`paifu.coach.judgement.verdicts`). What is no more than an estimate counts in no sum.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from paifu.reports.inference.intervals import Nature, interval
from paifu.reports.inference.sums import GameSums
from paifu.reports.judgement.reference import LossStanding, Room, standing

KINDS = ("pushing", "folding", "efficiency", "riichi", "calls", "kans")
"""Kinds of decisions: a discard under threat that was more dangerous than the best one, or less; a discard
without a threat; riichi or silence; a call or a pass; an own kan or none."""
SUMS = {"all": KINDS, "push_and_fold": ("pushing", "folding")}
"""GameSums over kinds that have an interval of their own."""
MIN_LOSS = 300
"""Points that a decision must lose by the model to be a finding, if no others are given."""


@dataclass(slots=True)
class PlayerLosses:
    """What a player's mistakes cost in sum; they can be added."""

    hands: int = 0
    decisions: int = 0
    total: dict[str, float] = field(default_factory=lambda: dict.fromkeys(KINDS, 0.0))
    squares: dict[str, float] = field(default_factory=lambda: dict.fromkeys((*KINDS, *SUMS), 0.0))
    """GameSums over hands of the squared loss in the hand."""
    rooms: Counter[Room] = field(default_factory=Counter)
    """Hands by room."""

    def __add__(self, other: PlayerLosses) -> PlayerLosses:
        return PlayerLosses(
            self.hands + other.hands,
            self.decisions + other.decisions,
            {kind: self.total[kind] + other.total[kind] for kind in self.total},
            {kind: self.squares[kind] + other.squares[kind] for kind in self.squares},
            self.rooms + other.rooms,
        )

    @property
    def standing(self) -> LossStanding | None:
        """Where the player stands among others of the same room; None if that room was not counted."""
        return standing(self.rooms, self.per_100("push_and_fold")[0])

    def per_100(self, kind: str = "all") -> tuple[float, float | None, float | None]:
        """Return the loss per 100 hands, and the bounds of a 95% interval, None without one.

        The judged decisions of a batch come in parts that may end within a game, so the unit is the hand.
        """
        total = sum(self.total[one] for one in SUMS.get(kind, (kind,)))
        low, high = interval(
            GameSums.of([total, self.hands, self.squares[kind], total, self.hands]), Nature.AMOUNT
        )
        bounds = (None, None) if np.isnan(low) else (100 * float(low), 100 * float(high))
        return 100 * total / max(1, self.hands), *bounds

    def summary(self, player: str) -> dict[str, Any]:
        """Return the player's line of the summary."""
        place = self.standing
        return {
            "player": player,
            "hands": self.hands,
            "decisions": self.decisions,
            "loss_per_100_hands": {
                kind: {
                    name: None if number is None else round(number)
                    for name, number in zip(("value", "low", "high"), self.per_100(kind), strict=True)
                }
                for kind in (*SUMS, *KINDS)
            },
            "loss": {kind: round(self.total[kind]) for kind in KINDS},
            "among_others": place.summary() if place else None,
        }
