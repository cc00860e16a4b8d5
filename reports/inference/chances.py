"""How likely a difference is by chance: two-sided probabilities of normal deviates.

A deviate counts how far a value is from what it is compared with, in units that have a normal distribution
under chance alone. For a share it is the signed root of the deviance of the binomial distribution, which
stays right far out where cases are few; for what cannot be negative, of Poisson's, with parts of the size
that the standard error implies; else Student's t. A share counts with its standard error by game, but at
least with that of independent rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import F64
from paifu.reports.inference.intervals import (
    FEW,
    Nature,
    binomial_variance,
    deviate,
    freedom_of_amount,
    student,
)
from paifu.reports.inference.sums import GameSums


def chance(deviates: npt.ArrayLike) -> F64:
    """Return the two-sided probability of normal deviates; NaN stays.

    >>> round(float(chance(1.96)), 3)
    0.05
    """
    found: F64 = np.vectorize(lambda z: erfc(abs(z) / 2**0.5), otypes=[float])(np.asarray(deviates, float))
    return found


def deviates(own: GameSums, nature: Nature, value: npt.ArrayLike, error: npt.ArrayLike = 0.0) -> F64:
    """Return how far ratios are from a known value, which has a standard error of its own.

    NaN where that cannot be said.

    >>> one = GameSums.of_games([1, 0, 1, 1, 0, 1, 1, 1, 1, 1], [1] * 10)
    >>> round(float(deviates(one, Nature.SHARE, 0.5)), 2)
    1.62
    """
    value, error = np.asarray(value, float), np.asarray(error, float)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        if nature is Nature.SHARE:
            found, variance = _of_share(own, value)
        elif nature is Nature.SIGNED:
            variance = own.variance()
            found = deviate((own.ratio - value) / np.sqrt(variance), own.freedom)
        else:
            found, variance = _of_amount(own, nature, value)
        found = found * np.sqrt(variance / (variance + error * error))
    return np.where(np.isfinite(found) & (variance > 0), found, np.nan)


def _of_share(own: GameSums, value: F64) -> tuple[F64, F64]:
    is_few = (np.minimum(own.n, own.d - own.n) < FEW) | ~(own.games > 2)
    times = np.where(is_few, 1.0, np.fmax(own.variance() / binomial_variance(own), 1.0))
    expected = own.d * value
    toward = np.sign(expected - own.n) * np.minimum(0.5, abs(expected - own.n))
    n = own.n + toward  # half a case nearer, because cases are whole
    root = np.sqrt(2 * np.maximum(_part(n, expected) + _part(own.d - n, own.d - expected), 0) / times)
    signed = np.copysign(root, n - expected)
    found = np.where(is_few, signed, deviate(signed, own.freedom))
    return found, value * (1 - value) / own.d * times


def _of_amount(own: GameSums, nature: Nature, value: F64) -> tuple[F64, F64]:
    variance = own.variance()
    size = variance / own.ratio
    freedom = freedom_of_amount(own)
    if nature is Nature.COUNT:
        is_few = (own.n < FEW) & (own.n <= own.d)
        size = np.where(is_few, np.fmax(size, 1 / own.d), size)
    size = np.where(own.n > 0, size, 1 / own.d if nature is Nature.COUNT else np.nan)
    ratio = own.ratio
    deviance = np.maximum(_part(ratio, value) - (ratio - value), 0)
    root = np.sqrt(2 * deviance / size)
    return deviate(np.copysign(root, ratio - value), freedom), np.where(own.n > 0, variance, value / own.d)


def _part(n: F64, expected: F64) -> F64:
    return np.where(n > 0, n * np.log(np.maximum(n, 1e-300) / expected), 0.0)


def between(
    one: GameSums, two: GameSums, nature: Nature, correlation: npt.ArrayLike = 0.0
) -> tuple[F64, F64, F64]:
    """Return the difference of two ratios, half of its 95% interval, and its deviate.

    The errors of the two have a correlation of ``-correlation``. A share counts with the spread that both
    together have, where that is more.
    """
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        variances = [one.variance(), two.variance()]
        if nature is Nature.SHARE:
            pooled = (one.n + two.n) / (one.d + two.d)
            variances = [
                np.fmax(variance, pooled * (1 - pooled) / sums.d)
                for sums, variance in zip((one, two), variances, strict=True)
            ]
        elif nature is not Nature.SIGNED:
            floor = (one.nn + two.nn) / (one.d + two.d)  # of rare events: each sum as variable as both
            games = np.minimum(*(s.n**2 / np.where(s.nn > 0, s.nn, np.nan) for s in (one, two)))
            is_few = ~(games >= FEW)
            variances = [
                np.where(is_few, np.fmax(variance, floor / sums.d), variance)
                for sums, variance in zip((one, two), variances, strict=True)
            ]
        both = (
            variances[0] + variances[1] + 2 * np.asarray(correlation) * np.sqrt(variances[0] * variances[1])
        )
        free = [
            freedom_of_amount(s) if nature in (Nature.COUNT, Nature.AMOUNT) else s.freedom for s in (one, two)
        ]
        freedom = (variances[0] + variances[1]) ** 2 / (
            variances[0] ** 2 / free[0] + variances[1] ** 2 / free[1]
        )
        difference = one.ratio - two.ratio
        half = student(freedom) * np.sqrt(both)
        found = deviate(difference / np.sqrt(both), freedom)
    known = np.isfinite(found) & (both > 0)
    return difference, np.where(known, half, np.nan), np.where(known, found, np.nan)


# --- which of many differences to report ---------------------------------------------------------------


FALSE_SHARE = 0.05
"""Greatest expected share of reported differences that are noise, and chance of any if all are noise."""


def beyond_noise(chances: Sequence[float]) -> float:
    """Return the greatest chance of a difference to report; less than zero if none is to be reported.

    The procedure of Benjamini and Yekutieli (2001), which holds however the differences depend on each other.

    >>> beyond_noise([0.04, 0.001, 0.5]), beyond_noise([0.02, 0.4])
    (0.001, -1.0)
    """
    number = len(chances)
    if not number:
        return -1.0
    each = FALSE_SHARE / number / float((1 / np.arange(1, number + 1)).sum())
    return max((one for rank, one in enumerate(sorted(chances), 1) if one <= each * rank), default=-1.0)
