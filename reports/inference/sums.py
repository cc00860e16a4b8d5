"""GameSums by game, and the standard error of their ratio."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import F64


def game_parts(n: F64, d: F64) -> tuple[F64, ...]:
    """Return what is summed up over games: numerators, denominators, their squares and products."""
    return n, d, n * n, n * d, d * d


MOST_TIMES = 3
"""No player counts for more rows than this times the median player."""


def player_weights(rows: npt.ArrayLike) -> F64:
    """Return how much of each player's rows counts where players are described, not their hands.

    >>> player_weights([10, 20, 30, 6000]).tolist()
    [1.0, 1.0, 1.0, 0.0125]
    """
    rows = np.asarray(rows, float)
    played = rows[rows > 0]
    most = MOST_TIMES * float(np.median(played)) if len(played) else 0.0
    return np.where(rows > most, most / np.maximum(rows, 1), 1.0)


@dataclass(frozen=True, slots=True)
class GameSums:
    """Numerators and denominators, and their squares and products summed over games; arrays of one shape."""

    n: F64
    d: F64
    nn: F64
    """Sum over games of the square of the game's numerator."""
    nd: F64
    dd: F64

    @classmethod
    def of(cls, parts: npt.ArrayLike) -> GameSums:
        """Take the sums from an array whose last axis is n, d, nn, nd, dd."""
        return cls(*np.moveaxis(np.asarray(parts, float), -1, 0))

    @classmethod
    def of_games(cls, n: npt.ArrayLike, d: npt.ArrayLike) -> GameSums:
        """Add up the numerators and denominators of games, over the first axis."""
        n, d = np.asarray(n, float), np.asarray(d, float)
        return cls(*(part.sum(axis=0) for part in game_parts(n, d)))

    def take(self, index: Any) -> GameSums:
        """Return some of the sums, by an index of numpy.

        >>> GameSums.of_games([[1, 2]], [[1, 1]]).take(np.s_[1]).n.tolist()
        2.0
        """
        return GameSums(self.n[index], self.d[index], self.nn[index], self.nd[index], self.dd[index])

    @property
    def ratio(self) -> F64:
        """The value, NaN without cases.

        >>> float(GameSums.of_games([1, 3], [2, 2]).ratio)
        1.0
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.d > 0, self.n / self.d, np.nan)

    @property
    def games(self) -> F64:
        """The effective number of games: as many with equal denominators would tell as much.

        >>> float(GameSums.of_games([0, 0, 0], [4, 4, 0]).games)
        2.0
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.dd > 0, self.d * self.d / self.dd, 0.0)

    @property
    def freedom(self) -> F64:
        """Degrees of freedom of the standard error, at least a tiny number."""
        return np.maximum(self.games - 1, 1e-3)

    def around(self, ratio: F64) -> F64:
        """Return the sum over games of their squared distances from a ratio."""
        return self.nn - 2 * ratio * self.nd + ratio * ratio * self.dd

    def variance(self) -> F64:
        """Return the squared standard error of the ratio, linearised; NaN with one game.

        >>> float(GameSums.of_games([1, 3], [1, 1]).variance())
        1.0
        """
        ratio, games = self.ratio, self.games
        with np.errstate(invalid="ignore", divide="ignore"):
            around = self.around(ratio)
            tiny = 1e-12 * (self.nn + ratio * ratio * self.dd)  # what rounding leaves of nothing
            found = np.where(around > tiny, around, 0.0) / (self.d * self.d)
            return np.where(games > 1 + 1e-9, found * games / (games - 1), np.nan)
