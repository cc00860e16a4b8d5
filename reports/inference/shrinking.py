"""How much players differ, without what chance adds; and values drawn toward all by what chance adds to them.

The model: each player has a true value, true values vary around a mean with some variance, and what is seen
of a player varies around the true value by chance, the more the fewer games there are (empirical Bayes).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc

import numpy as np

from paifu.replay.arrays import F64
from paifu.reports.inference.sums import GameSums, player_weights


@dataclass(frozen=True, slots=True)
class Spread:
    """How much players differ in one statistic; in the unit of n / d."""

    mean: float
    """Of the true values of players."""
    variance: float
    """Between true values; 0 if chance alone explains what is seen."""
    error: float
    """Standard error of the variance if players do not differ."""
    of_row: float
    """Variance of one row around the player's true value; of d rows, it is this divided by d."""
    rows: float
    """Rows of a player in a game, on average."""
    players: int

    @property
    def is_known(self) -> bool:
        """Whether the variance is above 0 beyond chance."""
        return self.variance > SURE * self.error

    @property
    def games_needed(self) -> float:
        """Games of each until half of what is seen is the player; infinite if players do not differ."""
        return self.of_row / self.variance / self.rows if self.variance > 0 else float("inf")


MOST_GAMES = 100_000
"""Games beyond which no number of them is named."""
SURE = 3
"""Standard errors above 0 from which on players differ: there are a hundred statistics."""
_FARTHEST = 5.0
"""Standard deviations from the mean beyond which a player counts no more for being farther."""
_CLOSE = 1e-6
"""Relative error of the variance."""


def spread(players: GameSums, games: float) -> Spread | None:
    """Return how much players differ, from the sums of each and all their games; None with fewer than three.

    The method of moments of Paule and Mandel, in which no player can count for much: not for many hands
    (:func:`~paifu.reports.inference.sums.player_weights`), and not for being far from all others. All rows
    count as equally variable.

    >>> skill, games = np.repeat([0.1, 0.3, 0.5, 0.7], 50), np.ones((40, 200))
    >>> drawn = np.random.default_rng(1).random((40, 200)) < skill
    >>> found = spread(GameSums.of_games(drawn, games), 8000)
    >>> round(found.variance ** 0.5, 2), found.is_known, round(found.games_needed)
    (0.23, True, 4)
    """
    players = players.take(players.d > 0)
    d, dd, number = players.d, players.dd, len(players.n)
    if number < 3 or not games:
        return None
    counted = player_weights(d)
    around = players.around(players.ratio)  # of games around their player
    left = (counted * (d - dd / d)).sum()  # a game moves the player's mean toward itself
    of_row = (counted * around).sum() / left if left > 1e-9 * (counted * d).sum() else 0.0
    if of_row <= 0:
        return None
    seen = _Seen(players.ratio, of_row / d, of_row / (d * counted))
    variance = _variance(seen)
    return Spread(seen.middle(variance), variance, seen.error, float(of_row), float(d.sum() / games), number)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is seen of players."""

    ratio: F64
    chance: F64
    """Variances of the ratios around true values."""
    counted: F64
    """Those that follow from the rows that count: greater, where a player has more."""

    def middle(self, variance: float) -> float:
        weight = 1 / (variance + self.counted)
        return float((weight * self.ratio).sum() / weight.sum())

    def excess(self, variance: float) -> float:
        """Return by how much more players differ than with this variance; less than 0 for less."""
        weight, own = 1 / (variance + self.counted), variance + self.chance
        far = np.minimum((self.ratio - self.middle(variance)) ** 2 / own, _FARTHEST**2)
        share = weight * own
        return float((share * (far - 1)).sum() + (weight * share).sum() / weight.sum())

    @property
    def error(self) -> float:
        """Standard error of a variance of 0."""
        share = self.chance / self.counted
        return float(np.sqrt(2 * (share * share).sum()) / (1 / self.counted).sum())


def _variance(seen: _Seen) -> float:
    """Return the variance that leaves no excess."""
    low, high = 0.0, float(np.var(seen.ratio) + seen.error)
    if seen.excess(low) <= 0:
        return low
    while seen.excess(high) > 0:
        low, high = high, 2 * high
    while high - low > _CLOSE * high:
        middle = (low + high) / 2
        low, high = (middle, high) if seen.excess(middle) > 0 else (low, middle)
    return (low + high) / 2


def shrunken(own: GameSums, among: Spread) -> tuple[F64, F64]:
    """Return the estimates of true values and their standard errors, given how much players differ.

    >>> among = Spread(0.25, 0.01, 0.001, 0.19, 1, 100)
    >>> value, error = shrunken(GameSums.of_games([1] * 10 + [0] * 9, [1] * 19), among)
    >>> round(float(value), 3), round(float(error), 3)
    (0.388, 0.071)
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        chance = among.of_row / own.d
        weight = np.where(own.d > 0, among.variance / (among.variance + chance), 0.0)
        ratio = np.where(own.d > 0, own.ratio, among.mean)
    return among.mean + weight * (ratio - among.mean), np.sqrt(among.variance * (1 - weight))


def place(own: GameSums, among: Spread) -> F64:
    """Return the expected share of players whose true value is lower, in percent.

    >>> among = Spread(0.25, 0.01, 0.001, 0.19, 1, 100)
    >>> round(float(place(GameSums.of_games([1] * 10 + [0] * 9, [1] * 19), among)), 1)
    87.0
    """
    value, error = shrunken(own, among)
    far = (value - among.mean) / np.sqrt(among.variance + error * error)
    found: F64 = np.vectorize(lambda z: 50 * erfc(-z / 2**0.5), otypes=[float])(far)
    return found
