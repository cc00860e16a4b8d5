"""What came of the options of one decision when they were played out.

The hidden hands are drawn as the player could expect them (:mod:`paifu.coach.belief.beliefs`). The figures
decide nothing. A difference between two options is mostly chance if few walls were tried. So each figure is
drawn toward what such decisions usually cost, the more the larger its error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from paifu.replay.arrays import F32, I64
from paifu.replay.language import _

MOST_OPTIONS = 4
"""Options of a decision that are played out."""
LEAST_SHARE = 0.05
"""Of the rest, only options that strong players choose at least this often are."""
SPREAD = 500
"""Standard deviation, in points, of how decisions differ from what such decisions usually cost: a difference
with this error is told half. Fitted to the true hands of 2026-11; docs/commands/review.md says how well."""
TWO = 2
"""Standard errors that people are shown."""


def hands_said() -> str:
    """Say on which hidden hands options were played out."""
    return _("on hidden hands as the player could expect them")


def options_to_play(chosen: int, best: int, shares: F32 | None, *others: int) -> tuple[int, ...]:
    """Return which options are played out: the one chosen, the best, ``others``, what strong players prefer.

    >>> options_to_play(3, 1, np.array([0.3, 0.2, 0.4, 0.06, 0.04], np.float32))
    (3, 1, 2, 0)
    >>> options_to_play(0, 0, None)
    (0,)
    """
    found = list(dict.fromkeys((chosen, best, *others)))
    if shares is not None:
        usual = [row for row in np.argsort(-shares, kind="stable").tolist() if shares[row] >= LEAST_SHARE]
        found += [row for row in usual if row not in found]
    return tuple(found[:MOST_OPTIONS])


@dataclass(frozen=True, eq=False)
class PlayedOptions:
    """What came of some options of a decision."""

    options: tuple[int, ...]
    """Their places among the options of the decision; the one chosen comes first."""
    points: I64
    """(options, walls) what the player won or lost from the decision to the end of the hand. A column is a
    wall, the same for all options."""
    best: int = -1
    """The option that is best without playing out."""
    usual: int = 0
    """Points by which it came out better in decisions of this class; 0 if the class does not hold."""

    @property
    def walls(self) -> int:
        """How many walls there were."""
        return len(self.points[0])

    def value(self, option: int) -> tuple[float, float]:
        """Return the mean points of an option, and its standard error."""
        return _mean(self.points[self.options.index(option)])

    def gain(self, option: int) -> tuple[float, float]:
        """Return by how much an option is most likely better than the one chosen, and the standard error.

        >>> one = PlayedOptions((4, 2), np.array([[0, 0], [0, 1000]]), best=2, usual=100)
        >>> one.gain(2), one.gain(4)  # its error is SPREAD
        ((300.0, 353.5533905932738), (0.0, 0.0))
        """
        found, error = _mean(self.points[self.options.index(option)] - self.points[0])
        usual = self.usual if option == self.best else 0
        share = SPREAD**2 / (SPREAD**2 + error**2)
        return usual + share * (found - usual), math.sqrt(share) * error

    def row(self, option: int) -> dict[str, Any] | None:
        """Return what came of an option as plain values, with standard errors; None if it was left out."""
        if option not in self.options:
            return None
        names = ("value", "error", "gain", "gain_error")
        numbers = (round(number, 1) for number in (*self.value(option), *self.gain(option)))
        return dict(zip(names, numbers, strict=True))

    def told(self, best: int, words: str, chosen: str) -> Iterator[str]:
        """Say what the option ``best``, ``words``, is worth against the one chosen, unless it is that."""
        if best == self.options[0] or best not in self.options:
            return
        gain, error = (round(number, 1) for number in self.gain(best))  # as in a row
        text = (
            _(
                "{hands}, {best} is most likely {points:,.0f} ± {error:,.0f} points better than {chosen}, "
                "by playing out {walls:,} walls"
            )
            if gain >= 0
            else _(
                "{hands}, {best} is most likely {points:,.0f} ± {error:,.0f} points worse than {chosen}, "
                "by playing out {walls:,} walls"
            )
        )
        yield text.format(
            hands=hands_said(), best=words, chosen=chosen, points=abs(gain), error=TWO * error,
            walls=self.walls,
        )  # fmt: skip


def _mean(points: I64) -> tuple[float, float]:
    return float(points.mean()), float(points.std(ddof=1)) / math.sqrt(len(points))
