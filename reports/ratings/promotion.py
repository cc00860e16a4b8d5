"""How long a promotion takes if a player goes on to place as before: careers played out with drawn games.

What a game brings is drawn from the player's games. How often each result really comes is not known from
them, so each hundred careers have shares of its own, drawn from what the games say (the Bayesian bootstrap
of Rubin, 1981: a Dirichlet distribution with the counts).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import F64, I64

LEAST_GAMES = 30
"""With fewer games nothing is said."""
MOST_GAMES = 10_000
"""Games after which a career counts as undecided."""
LEAST_CHANCE = 0.01
"""With a smaller chance too few careers come to a promotion to say how long one takes."""
_SHARES, _CAREERS, _AT_ONCE = 200, 100, 64
_STEPS = 2048
"""Equally likely results that stand for the shares of a hundred careers."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """How careers from the start of a rank end; chances are fractions."""

    chance: float
    """Of promotion before a fall."""
    low: float
    """95% interval of the chance, for how the player really places is not known."""
    high: float
    fall: float
    """Chance to fall first."""
    games: float | None
    """Median number of games until the promotion, of careers that come to it; None below ``LEAST_CHANCE``."""
    games_low: float | None
    """95% of these careers take from ``games_low`` to ``games_high`` games."""
    games_high: float | None


def promotion(points: npt.ArrayLike, start: int, target: int, *, falls: bool = True) -> Promotion | None:
    """Play careers from ``start`` until ``target`` or a fall below 0; None with few games.

    ``points`` are those of each of the player's games. Where a rank cannot be lost, points stay at 0.

    >>> found = promotion([90, 45, 0, -135] * 10 + [90, 45] * 5, start=1400, target=2800)
    >>> found.low < 0.5 < found.chance < found.high, found.games_low < found.games < found.games_high
    (True, True)
    """
    values, counts = np.unique(np.asarray(points, np.int64), return_counts=True)
    if counts.sum() < LEAST_GAMES:
        return None
    random = np.random.default_rng(0)
    shares = random.dirichlet(counts, _SHARES)
    ends, games = _careers(values, shares, start, target, falls, random)
    up = ends > 0
    low, high = np.quantile(up.mean(axis=1), (0.025, 0.975))
    taken = np.quantile(games[up], (0.5, 0.025, 0.975)).tolist() if up.mean() >= LEAST_CHANCE else [None] * 3
    return Promotion(float(up.mean()), float(low), float(high), float((ends < 0).mean()), *taken)


def _careers(
    values: I64, shares: F64, start: int, target: int, falls: bool, random: np.random.Generator
) -> tuple[I64, I64]:
    """Return (shares, careers): 1 promoted, -1 fallen, 0 neither; and the number of games."""
    limits, steps = np.cumsum(shares, axis=1)[:, :-1], (np.arange(_STEPS) + 0.5) / _STEPS
    brought = np.stack([values.astype(np.int32)[np.searchsorted(own, steps)] for own in limits])
    size = len(shares), _CAREERS
    ends, games = np.zeros(size, np.int64), np.full(size, MOST_GAMES, np.int64)
    now = np.full(size, start, np.int32)
    for played in range(0, MOST_GAMES, _AT_ONCE):
        row, column = np.nonzero(ends == 0)
        if not len(row):
            break
        drawn = random.integers(_STEPS, size=(len(row), _AT_ONCE), dtype=np.uint16)
        course = now[row, column][:, None] + np.cumsum(brought[row[:, None], drawn], axis=1, dtype=np.int32)
        if not falls:
            course -= np.minimum(np.minimum.accumulate(course, axis=1), 0)
        over = (course >= target) | (course < 0)
        is_over = over.any(axis=1)
        at = np.where(is_over, over.argmax(axis=1), _AT_ONCE - 1)
        reached = course[np.arange(len(row)), at]
        now[row, column] = reached
        ends[row[is_over], column[is_over]] = np.where(reached[is_over] < 0, -1, 1)
        games[row[is_over], column[is_over]] = played + at[is_over] + 1
    return ends, games
