"""How often players make the mistakes that the gate names, by code; kernels are not needed for it.

Only what :mod:`paifu.coach.judgement.verdicts` calls a mistake or a habit counts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from paifu.coach.judgement.verdicts import CLASSES, PROVED, PlayedOut
from paifu.replay.facts.tables import code_of
from paifu.replay.language import N_, _, ngettext
from paifu.reports.inference.intervals import of_rows
from paifu.reports.metrics.rooms import ROOMS, room_said
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
BY_GRADE = ((4, 8.9), (7, 1.7))
"""Its rate per 1,000 hands by grade, as ``bench/habits.py`` counts it."""
BY_ROOM: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "lower": {"P101": 0.0120, "P102": 0.00160, "R202": 0.0129},
        "tokujou": {"P101": 0.00574, "P102": 0.00160, "R202": 0.01289},
        "houou": {"P101": 0.00167, "P102": 0.00192, "R202": 0.01119},
    }
)
"""Room -> code -> share of its people's hands, as ``bench/habits.py`` counts it: of 10,628 in tokujou and of
31,826 in houou, in games that every fit leaves out; of 2,168 in joukyuu and ippan, in all games (P102 apart,
which is as in tokujou)."""
ALIKE: Mapping[str, float] = MappingProxyType({"P101": 1.4, "P102": 3.6, "R202": 8.0})
"""Code -> cases expected of a player at which his own count says as much as the room's rate, in houou."""


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

    def per_1000(self, code: str) -> tuple[float, float, float]:
        """Return how many per 1,000 hands, and the bounds of a 95% interval.

        >>> [round(one, 1) for one in PlayerMistakes(1000, 9000, Counter(P101=5)).per_1000("P101")]
        [5.0, 2.1, 11.7]
        """
        if not self.hands:
            return 0.0, 0.0, 0.0
        n = self.found[code]
        low, high = of_rows(n, self.hands)
        return 1000 * n / self.hands, 1000 * low, 1000 * high

    def beside(self, room: str) -> list[BesideOthers]:
        """Return how often the player did what is proved to cost points, beside the people of a room."""
        room = "lower" if room in ROOMS[:2] else room if room in BY_ROOM else "tokujou"
        return [
            BesideOthers(one, self.found[code], BY_ROOM[room][code] * self.hands, room, self.hands)
            for one in CLASSES
            if one.holds and self.found[code := code_of(one.code)]
        ]

    def lines(self) -> list[str]:
        """Say habits, and the rate that repeats beside that of others, in sentences without a subject."""
        counts = [(one, self.found[code_of(one.code)]) for one in CLASSES if one.holds and one.is_habit]
        said = [times_words(one, n) for one, n in counts if n]
        if self.found[REPEATS] and self.hands >= LEAST_HANDS:
            rate, low, high = self.per_1000(REPEATS)
            text = _(
                "{hands} with too dangerous a tile discarded: {rate:.1f} per 1,000 hands ({low:.1f} to "
                "{high:.1f}); {grades}"
            )
            grades = _(", ").join(
                _("{number}-dan players {rate:g}").format(number=number, rate=rate)
                for number, rate in BY_GRADE
            )
            said.append(
                text.format(
                    hands=plural(self.found[REPEATS], "hand"), rate=rate, low=low, high=high,
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


BEYOND = 2.5
"""Standard errors by which a count must exceed that of others to stand out: of four, one of an average player
does so by chance in 2.5 %."""
LEAST_TIMES = 5
"""What stands out was seen at least so often ..."""
LEAST_MORE = 0.25
"""... and by at least this share more than with others, drawn toward them."""


@dataclass(frozen=True, slots=True)
class BesideOthers:
    """How often a player did what costs points, beside others."""

    one: PlayedOut
    count: int
    """Hands in which it was seen."""
    expected: float
    """In as many hands of others."""
    room: str
    hands: int

    @property
    def stands_out(self) -> bool:
        """Whether the player does it more often than others, beyond chance and by more than a little."""
        far = (self.count - self.expected) / math.sqrt(self.expected)
        return self.count >= LEAST_TIMES and far > BEYOND and self.likely >= LEAST_MORE

    @property
    def likely(self) -> float:
        """By what share the player most likely does it more often than others.

        The count is drawn toward what is expected, the more the less the player has played.
        """
        return (self.count - self.expected) / (self.expected + ALIKE[code_of(self.one.code)])

    @property
    def points(self) -> float:
        """Points per 100 hands that the player most likely loses by it beyond others.

        >>> from paifu.coach.judgement.verdicts import HABITS
        >>> round(BesideOthers(HABITS[0], 24, 8.0, "houou", 800).points)
        290
        """
        return 100 * self.likely * self.expected * self.one.found / self.hands

    @property
    def words(self) -> str:
        """Say it, without a subject."""
        text = _("{said}; {who} do so in {expected} of as many hands")
        who = (
            _("players of lower rooms")
            if self.room == "lower"
            else _("{room} players").format(room=room_said(self.room))
        )
        expected = f"{self.expected:.0f}" if self.expected >= 1 else f"{self.expected:.1f}"
        return text.format(said=times_words(self.one, self.count), who=who, expected=expected)


def times_words(one: PlayedOut, count: int) -> str:
    """Say in how many hands a move was seen that costs points, and what it costs."""
    text = ngettext("{what} in one hand", "{what} in {count:,} hands", count).format(
        what=_(_WHAT[code_of(one.code)]), count=count
    )
    said = _("{text}: about {found:,} ± {error:,} points each")
    return said.format(text=text, found=one.found, error=one.error)


_WHAT = {
    "P101": N_("pushed too dangerous a tile against riichi, two or more from tenpai,"),
    "P102": N_("gave up a good hand under threat"),
    "R202": N_("stayed silent with more than 4 live tiles and no threat"),
}
