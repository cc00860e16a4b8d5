"""How often players make the mistakes that the gate names, by code; kernels are not needed for it.

Only what :mod:`paifu.coach.judgement.verdicts` calls a mistake or a habit counts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

KINDS = ("pushing", "folding", "efficiency", "riichi", "calls", "kans")
"""Kinds of decisions: a discard under threat that was more dangerous than the best one, or less; a discard
without a threat; riichi or silence; a call or a pass; a closed or added kan, or another move instead."""
MIN_LOSS = 300
"""Points that a decision must lose by the model to be a finding, if no others are given."""


@dataclass(slots=True)
class PlayerMistakes:
    """How often a player made mistakes; they can be added."""

    hands: int = 0
    """Hands with decisions, those of last hands aside."""
    decisions: int = 0
    found: Counter[str] = field(default_factory=Counter)
    """Code -> in how many hands a decision was of a class of this code that holds."""

    def __add__(self, other: PlayerMistakes) -> PlayerMistakes:
        return PlayerMistakes(
            self.hands + other.hands, self.decisions + other.decisions, self.found + other.found
        )
