"""95% intervals of ratios of sums.

* A **share**: Wilson's interval, with the effective number of rows (as many independent ones would have its
  standard error) and Student's t. With fewer than :data:`FEW` cases, or fewer others, the exact
  interval (mid-P) of as many independent rows. With no case: from 0 to the share of which none is seen with
  a chance of 5%, about 3 / d.
* A **count of events** or an **amount**, which cannot be negative: the score interval of a sum of equal parts
  whose number is Poisson's. The size of a part follows from the standard error, the degrees of freedom from
  games and parts, whichever are fewer. Of few events, the intervals of few cases. Of an amount that is 0,
  no upper bound is known.
* A quantity **of either sign**: the standard error on both sides, with Student's t.
* A **rating of tables**: as before, but some tables lie far below the others, and few games may have none of
  them. The lower bound is that of :data:`UNSEEN_TABLES` games more, each :data:`UNSEEN_BELOW` off the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import F64
from paifu.reports.inference.sums import GameSums

FEW = 5
"""With fewer cases, or fewer others, the spread between games says nothing."""
CHANCE = 0.05
UNSEEN_TABLES, UNSEEN_BELOW = 4, 13_000
"""Games that the lower bound of a rating of tables adds, and how far off they are, in hundredths of R."""
_STEPS = 40
"""Halvings of the range of a share: to 1e-12."""

IntervalBounds = tuple[F64, F64]
"""Lower and upper bounds; NaN where there is none."""


class Nature(Enum):
    """What a numerator adds up."""

    SHARE = "share"
    """Rows that are a case."""
    COUNT = "count"
    """Events or steps: whole numbers, not negative."""
    AMOUNT = "amount"
    """Points and the like, not negative."""
    SIGNED = "signed"
    """Anything that can be negative."""
    RATING = "rating"
    """Ratings of tables, in hundredths: of one size, except for a few tables with new accounts."""


def interval(sums: GameSums, nature: Nature) -> IntervalBounds:
    """Return the intervals of ratios.

    >>> [round(float(x), 3) for x in interval(GameSums.of_games([0] * 10, [1] * 10), Nature.SHARE)]
    [0.0, 0.259]
    >>> [round(float(x), 3) for x in interval(GameSums.of_games([1] * 10 + [0] * 10, [1] * 20), Nature.SHARE)]
    [0.284, 0.716]
    >>> [round(float(x), 1) for x in interval(GameSums.of_games([1, 3], [1, 1]), Nature.SIGNED)]
    [-15.6, 19.6]
    """
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        if nature is Nature.SHARE:
            low, high = _share(sums)
        elif nature is Nature.RATING:
            low, high = _rating(sums)
        elif nature is Nature.SIGNED:
            half = student(sums.freedom) * np.sqrt(sums.variance())
            low, high = sums.ratio - half, sums.ratio + half
        else:
            low, high = _positive(sums)
        if nature is Nature.COUNT:
            low, high = _with_few(sums.n, sums.d, (sums.n < FEW) & (sums.n <= sums.d), (low, high))
        unknown = ~(sums.d > 0) | ((nature is not Nature.SHARE) & ~(high > low))
    return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)


def of_rows(n: int, d: int) -> tuple[float, float]:
    """Return the interval of a share of d rows that do not depend on each other, of at least one.

    >>> [round(x, 4) for x in of_rows(0, 10)], [round(x, 4) for x in of_rows(500, 1000)]
    ([0.0, 0.2589], [0.469, 0.531])
    """
    low, high = of_shares(n, d)
    return float(low), float(high)


def of_shares(n: npt.ArrayLike, d: npt.ArrayLike) -> IntervalBounds:
    """Return the intervals of many shares as :func:`of_rows` does of one, all at once."""
    return interval(GameSums.of(np.stack(np.broadcast_arrays(n, d, n, n, d), axis=-1)), Nature.SHARE)


def freedom_of_amount(sums: GameSums) -> F64:
    """Return the degrees of freedom of what cannot be negative: games or events, whichever are fewer."""
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = sums.ratio**2 / sums.variance()
    return np.fmin(sums.freedom, np.fmax(parts, 1))


def binomial_variance(sums: GameSums) -> F64:
    """Return the squared standard error of shares if rows were independent."""
    ratio = sums.ratio
    with np.errstate(invalid="ignore", divide="ignore"):
        return ratio * (1 - ratio) / sums.d


def _share(sums: GameSums) -> IntervalBounds:
    ratio = sums.ratio
    rows = sums.d * binomial_variance(sums) / sums.variance()
    q2 = student(sums.freedom) ** 2
    middle = (ratio + q2 / (2 * rows)) / (1 + q2 / rows)
    half = np.sqrt(q2) / (1 + q2 / rows) * np.sqrt(ratio * (1 - ratio) / rows + q2 / (4 * rows * rows))
    is_most = 2 * sums.n > sums.d
    n = np.where(is_most, sums.d - sums.n, sums.n)
    is_few = (n < FEW) | ~(sums.games > 2) | ~np.isfinite(half)
    middle = np.where(is_most, 1 - middle, middle)
    low, high = _with_few(n, sums.d, is_few, (middle - half, middle + half))
    return np.where(is_most, 1 - high, low), np.where(is_most, 1 - low, high)


def _positive(sums: GameSums) -> IntervalBounds:
    ratio, variance = sums.ratio, sums.variance()
    q = student(freedom_of_amount(sums))
    shift = q * q * variance / ratio / 2
    half = np.sqrt(q * q * variance + shift * shift)
    return np.maximum(ratio + shift - half, 0), ratio + shift + half


def _rating(sums: GameSums) -> IntervalBounds:
    ratio, variance, q = sums.ratio, sums.variance(), student(sums.freedom)
    unseen = UNSEEN_TABLES * UNSEEN_BELOW**2 / sums.d**2
    freedom = sums.games - 1
    wider = (variance * freedom / sums.games + unseen) * sums.games / (freedom + UNSEEN_TABLES)
    return ratio - q * np.sqrt(np.maximum(variance, wider)), ratio + q * np.sqrt(variance)


def _with_few(n: F64, d: F64, where: npt.NDArray[np.bool_], bounds: IntervalBounds) -> IntervalBounds:
    """Put the exact intervals of few cases of independent rows in some places."""
    low, high = (np.array(bound, float) for bound in bounds)
    where = where & (d > 0)
    is_none, is_some = where & (n <= 0), where & (n > 0)
    low[is_none], high[is_none] = 0.0, 1 - CHANCE ** (1 / d[is_none])
    if is_some.any():
        low[is_some], high[is_some] = _shares_with(n[is_some], d[is_some], (1 - CHANCE / 2, CHANCE / 2))
    return low, high


def _shares_with(n: F64, d: F64, chances: Sequence[float]) -> F64:
    """Return the shares with which fewer than n cases of d, or half of n, have each of some chances."""
    chance = np.array(chances)[:, None]
    low, high = np.zeros((len(chance), len(d))), np.ones((len(chance), len(d)))
    for _ in range(_STEPS):
        share = (low + high) / 2
        is_below = fewer(n, d, share) > chance
        low, high = np.where(is_below, share, low), np.where(is_below, high, share)
    return low


def fewer(n: F64, d: F64, share: F64) -> F64:
    """Return the chance of fewer than n cases of d independent ones, that of n itself counted half (mid-P).

    >>> float(fewer(np.array(1.0), np.array(2.0), np.array(0.5)))
    0.5
    """
    chance, term = np.zeros_like(share), (1 - share) ** d
    odds = share / (1 - share)
    for number in range(int(n.max(initial=0)) + 1):
        chance += term * np.clip(n - number + 0.5, 0, 1)  # n itself counts half
        term = term * odds * ((d - number) / (number + 1))
    return chance


# --- the normal distribution and Student's t ------------------------------------------------------------
#
# Student's t is turned into a normal deviate and back by Wallace's formula ("Bounds on normal approximations
# to Student's and the chi-square distributions", 1959), which can be inverted, and is off by less than 0.5%
# of the deviate from 3 degrees of freedom on.


Z = 1.959963984540054
"""Two-sided 95% quantile of the normal distribution."""


def _shrinking(freedom: npt.ArrayLike) -> F64:
    freedom = np.asarray(freedom, float)
    found: F64 = (8 * freedom + 1) / (8 * freedom + 3)
    return found


def student(freedom: npt.ArrayLike) -> F64:
    """Return the 97.5 % quantile of Student's t.

    >>> [round(float(t), 2) for t in student([3, 4, 24, 1e6])]
    [3.22, 2.79, 2.06, 1.96]
    """
    freedom = np.asarray(freedom, float)
    with np.errstate(over="ignore"):
        found: F64 = np.sqrt(freedom * np.expm1((Z / _shrinking(freedom)) ** 2 / freedom))
    return found


def deviate(t: npt.ArrayLike, freedom: npt.ArrayLike) -> F64:
    """Return the normal deviate that is the same quantile as one of Student's t.

    >>> round(float(deviate(2.0639, 24)), 2)
    1.96
    """
    t, freedom = np.asarray(t, float), np.asarray(freedom, float)
    found: F64 = _shrinking(freedom) * np.sqrt(freedom * np.log1p(t * t / freedom))
    signed: F64 = np.copysign(found, t)
    return signed
