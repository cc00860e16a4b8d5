"""How much players differ, without what chance adds; and values drawn toward all by what chance adds to them.

The model: each player has a true value, true values vary around a mean with some variance, and what is seen
of a player varies around the true value by chance, the more the fewer games there are (empirical Bayes).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paifu.replay.arrays import F64
from paifu.reports.inference.sums import GameSums


@dataclass(frozen=True, slots=True)
class Spread:
    """How much players differ in one statistic; in the unit of n / d."""

    mean: float
    variance: float
    """Between true values; 0 if chance alone explains what is seen."""
    error: float
    """Standard error of the variance."""
    of_game: float
    """Variance of one game of average size around the player's true value."""
    players: int

    @property
    def is_known(self) -> bool:
        """Whether the variance is above 0 beyond chance."""
        return self.variance > 2 * self.error

    @property
    def games_needed(self) -> float:
        """Games of each until half of what is seen is the player; infinite if players do not differ."""
        return self.of_game / self.variance if self.variance > 0 else float("inf")


def spread(players: GameSums) -> Spread | None:
    """Return how much players differ, from the sums of each; None with fewer than three.

    The method of moments of DerSimonian and Laird; all games count as equally variable.

    >>> skill, games = np.repeat([0.1, 0.3, 0.5, 0.7], 50), np.ones((40, 200))
    >>> found = spread(GameSums.of_games(np.random.default_rng(1).random((40, 200)) < skill, games))
    >>> round(found.variance ** 0.5, 2)
    0.23
    """
    some = players.d > 0
    n, d, nn, nd, dd = (part[some] for part in (players.n, players.d, players.nn, players.nd, players.dd))
    number = len(n)
    if number < 3:
        return None
    mean = n.sum() / d.sum()
    ratio = n / d
    around = nn - 2 * ratio * nd + ratio * ratio * dd  # of each player's games around the player
    left = dd.sum() - (dd * dd / (d * d)).sum()  # one degree of freedom of each player is gone
    each = around.sum() / left if left > 0 else np.nan
    variance = each * dd / (d * d)
    if not np.isfinite(each) or each <= 0:
        return None
    weight = 1 / variance
    middle = (weight * ratio).sum() / weight.sum()
    excess = (weight * (ratio - middle) ** 2).sum() - (number - 1)
    scale = weight.sum() - (weight**2).sum() / weight.sum()
    between, error = max(0.0, excess / scale), np.sqrt(2 * (number - 1)) / scale
    return Spread(float(mean), float(between), float(error), float(each), number)


def shrunken(own: GameSums, among: Spread) -> tuple[F64, F64]:
    """Return the estimates of true values and their standard errors, given how much players differ.

    >>> among = Spread(0.25, 0.01, 0.001, 0.19, 100)
    >>> value, error = shrunken(GameSums.of_games([1] * 10 + [0] * 9, [1] * 19), among)
    >>> round(float(value), 3), round(float(error), 3)
    (0.388, 0.071)
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        chance = among.of_game / own.games
        weight = np.where(own.d > 0, among.variance / (among.variance + chance), 0.0)
        ratio = np.where(own.d > 0, own.ratio, among.mean)
    return among.mean + weight * (ratio - among.mean), np.sqrt(among.variance * (1 - weight))
