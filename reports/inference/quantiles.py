"""The normal distribution and Student's t, for arrays.

Student's t is turned into a normal deviate and back by Wallace's formula ("Bounds on normal approximations to
Student's and the chi-square distributions", 1959), which can be inverted, and is off by less than 0.5% of the
deviate from 3 degrees of freedom on.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import F64

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
