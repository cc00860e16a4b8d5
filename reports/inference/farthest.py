"""How far the farthest of many statistics goes by chance: players made of random seats (Westfall and Young).

Of many statistics of an average player, some is far from the average by chance. How far the farthest one
goes, that is, how small the smallest chance is, depends on how the statistics hang together, and on how rare
their cases are. So it is not calculated but counted: players are made of random seats of real games, all of
them average, and the farthest deviate of each is noted. A difference that goes farther than all but one in
twenty of these is more than chance, however many statistics were looked at (the single-step minP procedure
of Westfall and Young, "Resampling-based multiple testing", 1993).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import F64, I64
from paifu.reports.inference.chances import deviates
from paifu.reports.inference.intervals import Nature
from paifu.reports.inference.sums import GameSums, game_parts

MADE_GAMES = (10, 25, 50, 100, 200, 400, 1000)
"""Numbers of games of the made-up players."""
_AT_ONCE = 250
"""Players made together."""


@dataclass(frozen=True, slots=True)
class Farthest:
    """Deviates that the farthest of some statistics exceeds with some chance, by number of games."""

    games: tuple[int, ...]
    limits: Mapping[str, tuple[float, ...]]
    """By what they are used for, one for each of ``games``."""

    def limit(self, use: str, games: float) -> float:
        """Return the limit for a number of games, between those that were made.

        >>> Farthest((10, 1000), {"all": (2.0, 3.0)}).limit("all", 100)
        2.5
        """
        at = np.log([max(1.0, games), *self.games])
        return float(np.interp(at[0], at[1:], self.limits[use]))


def deviates_of(
    own: GameSums, natures: Sequence[Nature], value: F64, error: npt.ArrayLike = 0.0, least: float = 0
) -> F64:
    """Return how far ratios are from known ones, with statistics of several natures along the last axis.

    NaN where that cannot be said, or where there are fewer than ``least`` cases.
    """
    error = np.broadcast_to(np.asarray(error, float), value.shape)
    found = np.full(own.n.shape, np.nan)
    for nature in dict.fromkeys(natures):
        columns = np.array([column for column, one in enumerate(natures) if one is nature])
        part = own.take(np.s_[..., columns])
        found[..., columns] = deviates(part, nature, value[columns], error[columns])
    return np.where(own.d >= least, found, np.nan)


def made_players(seats: F64, weights: F64, size: int, number: int, random: np.random.Generator) -> GameSums:
    """Return the sums of players, as (players, statistics), each of ``size`` seats drawn by their weights.

    ``seats`` are (seats, statistics, 2) numerators and denominators.
    """
    parts = np.stack(game_parts(seats[..., 0], seats[..., 1]), axis=-1)
    drawn = np.zeros((number, len(seats)))
    chosen = random.choice(len(seats), (number, size), p=weights / weights.sum())
    np.add.at(drawn, (np.arange(number)[:, None], chosen), 1)
    return GameSums.of((drawn @ parts.reshape(len(seats), -1)).reshape(number, *parts.shape[1:]))


def weighted_ratio(seats: F64, weights: F64) -> F64:
    """Return the ratio of each statistic over seats that count by their weights; NaN without cases."""
    n, d = np.tensordot(weights, seats, axes=1).T
    with np.errstate(invalid="ignore", divide="ignore"):
        found: F64 = np.where(d > 0, n / d, np.nan)
    return found


def farthest(
    seats: F64,
    weights: F64,
    natures: Sequence[Nature],
    families: Mapping[str, I64],
    uses: Mapping[str, tuple[str, float]],
    *,
    least: float,
    players: int,
) -> Farthest:
    """Make players of seats and return how far the farthest of each family of statistics goes.

    ``seats`` are (seats, statistics, 2), ``weights`` how often each may be drawn. ``families`` are columns by
    name; ``uses`` are a family and a chance by name.

    >>> seats = np.stack([np.random.default_rng(1).random((500, 3)) < 0.5, np.ones((500, 3))], axis=-1)
    >>> families, uses = {"all": np.arange(3)}, {"all": ("all", 0.05)}
    >>> natures = [Nature.SHARE] * 3
    >>> made = farthest(seats, np.ones(500), natures, families, uses, least=1, players=1000)
    >>> 2.1 < made.limit("all", 100) < 2.6
    True
    """
    random, value = np.random.default_rng(0), weighted_ratio(seats, weights)
    limits: dict[str, list[float]] = {use: [] for use in uses}
    for size in MADE_GAMES:
        made: dict[str, list[F64]] = {family: [] for family in families}
        for begin in range(0, players, _AT_ONCE):
            number = min(_AT_ONCE, players - begin)
            sums = made_players(seats, weights, size, number, random)
            far = np.abs(np.nan_to_num(deviates_of(sums, natures, value, least=least)))
            for family, columns in families.items():
                made[family].append(far[:, columns].max(axis=1, initial=0))
        for use, (family, chance) in uses.items():
            limits[use].append(float(np.quantile(np.concatenate(made[family]), 1 - chance)))
    return Farthest(MADE_GAMES, {use: tuple(found) for use, found in limits.items()})
