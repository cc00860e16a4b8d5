"""What the coach counted of a player, as rates with intervals and in words."""

from __future__ import annotations

from typing import Any, NamedTuple

from paifu.coach.judgement.match import SITUATIONS, Match
from paifu.coach.judgement.mistakes import PlayerMistakes
from paifu.coach.judgement.verdicts import HELD, PlayedOut
from paifu.replay.facts.tables import code_of
from paifu.replay.language import _, ngettext
from paifu.reports.inference.intervals import of_rows
from paifu.reports.wording import plural

REPEATS = "P101"
"""The mistake whose rate repeats from one half of a player's games to the other, and falls with grade."""
LEAST_HANDS = 200
"""With fewer hands, that rate says next to nothing."""
BY_GRADE = ((4, 8.75), (7, 1.8))
"""Its rate per 1,000 hands by grade, counted in 3,334 games of tokujou and houou."""


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
    return Rate.of(min(mistakes.found[code], mistakes.hands), mistakes.hands, 1000) or Rate(0, 0, 0)


def mistakes_said(mistakes: PlayerMistakes) -> list[str]:
    """Say habits, and the rate that repeats beside that of others, in sentences without a subject."""
    said = [habit_words(one, n) for one, n in mistakes.habits()]
    if mistakes.found[REPEATS] and mistakes.hands >= LEAST_HANDS:
        rate = mistakes_per_1000(mistakes, REPEATS)
        text = _(
            "{mistakes} of discarding too dangerous a tile: {rate:.1f} per 1,000 hands ({low:.1f} to "
            "{high:.1f}); {grades}"
        )
        grades = _(", ").join(
            _("{number}-dan players {rate:g}").format(number=number, rate=of_grade)
            for number, of_grade in BY_GRADE
        )
        said.append(
            text.format(
                mistakes=plural(mistakes.found[REPEATS], "mistake"), rate=rate.value, low=rate.low,
                high=rate.high, grades=grades,
            )
        )  # fmt: skip
    return said


def mistakes_summary(mistakes: PlayerMistakes, player: str) -> dict[str, Any]:
    """Return how often a player made mistakes, as plain values."""
    codes = dict.fromkeys(code_of(one.code) for one in HELD)
    return {
        "player": player,
        "hands": mistakes.hands,
        "decisions": mistakes.decisions,
        "found": {code: mistakes.found[code] for code in codes},
        "per_1000_hands": {code: mistakes_per_1000(mistakes, code).summary() for code in codes},
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
