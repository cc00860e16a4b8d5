"""What the coach counted of a player, as rates with intervals and in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from paifu.coach.judgement.match import SITUATIONS, Match
from paifu.coach.judgement.mistakes import PlayerMistakes
from paifu.coach.judgement.verdicts import CLASSES, PROVED, PlayedOut
from paifu.replay.facts.tables import code_of
from paifu.replay.language import N_, _, ngettext
from paifu.reports.inference.intervals import of_rows
from paifu.reports.metrics.rooms import ROOMS, room_said
from paifu.reports.wording import plural

REPEATS = "P101"
"""The mistake whose rate repeats from one half of a player's games to the other, and falls with grade."""
LEAST_HANDS = 200
"""With fewer hands, that rate says next to nothing."""
BY_GRADE = ((4, 9.9), (7, 2.1))
"""Its rate per 1,000 hands by grade, as ``bench/habits.py`` counts it."""
BY_ROOM: Mapping[str, Mapping[str, float]] = {
    "lower": {"P101": 0.0134, "P102": 0.00179, "R202": 0.0115},
    "tokujou": {"P101": 0.00620, "P102": 0.00179, "R202": 0.01250},
    "houou": {"P101": 0.00200, "P102": 0.00150, "R202": 0.01085},
}
"""Room -> code -> share of its people's hands, as ``bench/habits.py`` counts it: of 10,640 in tokujou and of
31,974 in houou, in games that every fit leaves out; of 2,168 in joukyuu and ippan, in all games (P102 apart,
which is as in tokujou)."""
ALIKE: Mapping[str, float] = {"P101": 1.9, "P102": 2.9, "R202": 14.7}
"""Code -> cases expected of a player at which his own count says as much as the room's rate, in houou."""


class Rate(NamedTuple):
    """How often something was, of every 100 or 1,000 times, with a 95% interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, n: int, d: int, per: int = 100) -> Rate | None:
        """Return how often it was, ``n`` of ``d`` times; None without any.

        >>> [round(one, 1) for one in Rate.of(5, 1000, per=1000)]
        [5.0, 2.1, 11.7]
        """
        if not d:
            return None
        low, high = of_rows(n, d)
        return cls(per * n / d, per * low, per * high)

    def bounds(self, decimals: int) -> str:
        """Say the interval."""
        low, high = (f"{bound:.{decimals}f}" for bound in (self.low, self.high))
        return _("{low} to {high}").format(low=low, high=high)

    def summary(self) -> dict[str, float]:
        """Return the rate as plain values."""
        return {name: round(value, 2) for name, value in self._asdict().items()}


def first_rate(match: Match, situation: str = "all") -> Rate | None:
    """Return how often in 100 decisions the player chose what strong players choose most."""
    return Rate.of(match.first(situation), match.decisions(situation))


def unusual_rate(match: Match, situation: str = "all") -> Rate | None:
    """Return how often in 100 decisions the player made an unusual move."""
    return Rate.of(match.unusual(situation), match.decisions(situation))


def match_summary(match: Match) -> dict[str, Any]:
    """Return the figures of a match by situation, as plain values, in percent."""
    found: dict[str, Any] = {"games": match.games}
    for name in SITUATIONS:
        first, unusual, chance = first_rate(match, name), unusual_rate(match, name), match.chance(name)
        if first is not None and unusual is not None and chance is not None:
            found[name] = {
                "decisions": match.decisions(name),
                "first_percent": first.summary(),
                "mean_chance_percent": round(chance, 1),
                "unusual_percent": unusual.summary(),
            }
    return found


def mistakes_per_1000(mistakes: PlayerMistakes, code: str) -> Rate:
    """Return how often a player made a mistake in 1,000 hands."""
    return Rate.of(mistakes.found[code], mistakes.hands, 1000) or Rate(0, 0, 0)


def beside_others(mistakes: PlayerMistakes, room: str) -> list[BesideOthers]:
    """Return how often a player did what is proved to cost points, beside the people of a room."""
    room = "lower" if room in ROOMS[:2] else room if room in BY_ROOM else "tokujou"
    return [
        BesideOthers(one, mistakes.found[code], BY_ROOM[room][code] * mistakes.hands, room, mistakes.hands)
        for one in CLASSES
        if one.holds and mistakes.found[code := code_of(one.code)]
    ]


def mistakes_said(mistakes: PlayerMistakes) -> list[str]:
    """Say habits, and the rate that repeats beside that of others, in sentences without a subject."""
    counts = [(one, mistakes.found[code_of(one.code)]) for one in CLASSES if one.holds and one.is_habit]
    said = [times_words(one, n) for one, n in counts if n]
    if mistakes.found[REPEATS] and mistakes.hands >= LEAST_HANDS:
        rate = mistakes_per_1000(mistakes, REPEATS)
        text = _(
            "discarded too dangerous a tile in {hands}: {rate:.1f} per 1,000 hands ({low:.1f} to "
            "{high:.1f}); {grades}"
        )
        grades = _(", ").join(
            _("{number}-dan players {rate:g}").format(number=number, rate=of_grade)
            for number, of_grade in BY_GRADE
        )
        said.append(
            text.format(
                hands=plural(mistakes.found[REPEATS], "hand"), rate=rate.value, low=rate.low,
                high=rate.high, grades=grades,
            )
        )  # fmt: skip
    return said


def mistakes_summary(mistakes: PlayerMistakes, player: str) -> dict[str, Any]:
    """Return how often a player made mistakes, as plain values."""
    return {
        "player": player,
        "hands": mistakes.hands,
        "decisions": mistakes.decisions,
        "found": {code: mistakes.found[code] for code in PROVED},
        "per_1000_hands": {code: mistakes_per_1000(mistakes, code).summary() for code in PROVED},
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
        368
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
