"""How often players make the mistakes that the gate names, by code; kernels are not needed for it.

Only what :mod:`paifu.coach.judgement.verdicts` calls a mistake or a habit counts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from paifu.coach.judgement.verdicts import HABITS, PROVED, PlayedOut
from paifu.replay.facts.tables import code_of
from paifu.replay.language import _, ngettext
from paifu.reports.inference.intervals import of_rows
from paifu.reports.wording import plural

KINDS = ("pushing", "folding", "efficiency", "riichi", "calls", "kans")
"""Kinds of decisions: a discard under threat that was more dangerous than the best one, or less; a discard
without a threat; riichi or silence; a call or a pass; an own kan or none."""
MIN_LOSS = 300
"""Points that a decision must lose by the model to be a finding, if no others are given."""
REPEATS = "P101"
"""The mistake whose rate repeats from one half of a player's games to the other, and falls with grade."""
LEAST_HANDS = 200
"""With fewer hands, that rate says next to nothing."""
BY_GRADE = ((4, 8.75), (7, 1.8))
"""Its rate per 1,000 hands by grade, counted in 3,334 games of tokujou and houou."""


@dataclass(slots=True)
class PlayerMistakes:
    """How often a player made mistakes; they can be added."""

    hands: int = 0
    """Hands with decisions, those of last hands aside."""
    decisions: int = 0
    found: Counter[str] = field(default_factory=Counter)
    """Code -> how many decisions are of a class of this code that holds."""

    def __add__(self, other: PlayerMistakes) -> PlayerMistakes:
        return PlayerMistakes(
            self.hands + other.hands, self.decisions + other.decisions, self.found + other.found
        )

    def per_1000(self, code: str) -> tuple[float, float, float]:
        """Return how many per 1,000 hands, and the bounds of a 95% interval.

        >>> [round(one, 1) for one in PlayerMistakes(1000, 9000, Counter(P101=5)).per_1000("P101")]
        [5.0, 2.1, 11.7]
        """
        if not self.hands:
            return 0.0, 0.0, 0.0
        n = min(self.found[code], self.hands)
        low, high = of_rows(n, self.hands)
        return 1000 * n / self.hands, 1000 * low, 1000 * high

    def habits(self) -> list[tuple[PlayedOut, int]]:
        """Return the player's habits, each with how often it was seen."""
        return [(one, self.found[code_of(one.code)]) for one in HABITS if self.found[code_of(one.code)]]

    def lines(self) -> list[str]:
        """Say habits, and the rate that repeats beside that of others, in sentences without a subject."""
        said = [habit_words(one, n) for one, n in self.habits()]
        if self.found[REPEATS] and self.hands >= LEAST_HANDS:
            rate, low, high = self.per_1000(REPEATS)
            text = _(
                "{mistakes} of discarding too dangerous a tile: {rate:.1f} per 1,000 hands ({low:.1f} to "
                "{high:.1f}); {grades}"
            )
            grades = _(", ").join(
                _("{number}-dan players {rate:g}").format(number=number, rate=rate)
                for number, rate in BY_GRADE
            )
            said.append(
                text.format(
                    mistakes=plural(self.found[REPEATS], "mistake"), rate=rate, low=low, high=high,
                    grades=grades,
                )
            )  # fmt: skip
        return said

    def summary(self, player: str) -> dict[str, Any]:
        """Return the player's line of the summary."""
        return {
            "player": player,
            "hands": self.hands,
            "decisions": self.decisions,
            "found": {code: self.found[code] for code in PROVED},
            "per_1000_hands": {
                code: dict(
                    zip(("value", "low", "high"), (round(x, 2) for x in self.per_1000(code)), strict=True)
                )
                for code in PROVED
            },
        }


def habit_words(one: PlayedOut, count: int) -> str:
    """Say how often a habit was seen, and what such a move costs."""
    text = ngettext(
        "stayed silent once with more than 4 live tiles and no threat: about {found:,} ± {error:,} points",
        "stayed silent {count:,} times with more than 4 live tiles and no threat: about {found:,} ± "
        "{error:,} points each",
        count,
    )
    return text.format(count=count, found=one.found, error=one.error)
