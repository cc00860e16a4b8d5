"""The chi-square distribution, central and not, as far as tests and their power need it.

The tail is the regularised upper incomplete gamma function, by its series below the mean and by its continued
fraction above (both in Abramowitz and Stegun, 6.5.29 and 6.5.31). The tail of the noncentral distribution is
a Poisson mixture of central ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable

_STEPS = 100_000
_CLOSE = 1e-15
_TINY = 1e-300
ALPHA = 0.01
"""Accepted chance of any false alarm in a run, all tests together."""
POWER = 0.8
"""Chance to find a bias that counts as enough."""


def tail(statistic: float, freedom: float) -> float:
    """Return the chance that a chi-square with ``freedom`` degrees is at least ``statistic``.

    >>> round(tail(3.841459, 1), 6), round(tail(18.307038, 10), 6)
    (0.05, 0.05)
    """
    if statistic <= 0:
        return 1.0
    a, x = freedom / 2, statistic / 2
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        return max(0.0, 1 - front * _series(a, x))
    return min(1.0, front * _fraction(a, x))


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    for step in range(1, _STEPS):
        term *= x / (a + step)
        total += term
        if term < total * _CLOSE:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """Evaluate the continued fraction by Lentz's method."""
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    value = d
    for step in range(1, _STEPS):
        over = step * (a - step)
        b += 2
        d = 1 / (over * d + b or _TINY)
        c = b + over / c or _TINY
        value *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return value


def critical(alpha: float, freedom: float) -> float:
    """Return the value that a chi-square exceeds with chance ``alpha``."""
    return _where(lambda value: tail(value, freedom) <= alpha, freedom + 10)


def power(noncentrality: float, alpha: float, freedom: float) -> float:
    """Return the chance that a noncentral chi-square exceeds the critical value of ``alpha``."""
    return _tail_beyond(critical(alpha, freedom), noncentrality, freedom)


def needed(alpha: float, freedom: float) -> float:
    """Return the noncentrality that a test at ``alpha`` finds with the chance :data:`POWER`.

    >>> round(needed(0.05, 1), 2)  # (1.96 + 0.84) squared
    7.85
    """
    limit = critical(alpha, freedom)
    return _where(lambda value: _tail_beyond(limit, value, freedom) >= POWER, 10)


def _tail_beyond(limit: float, noncentrality: float, freedom: float) -> float:
    """Sum over the Poisson weights from the most likely one outwards, until they no longer count."""
    half = noncentrality / 2
    middle = int(half)
    total = 0.0
    for numbers in (range(middle, middle + _STEPS), range(middle - 1, -1, -1)):
        for number in numbers:
            weight = math.exp(number * math.log(half) - half - math.lgamma(number + 1)) if half else 1.0
            total += weight * tail(limit, freedom + 2 * number)
            if weight < _CLOSE or not half:
                break
    return total


def _where(holds: Callable[[float], bool], guess: float) -> float:
    """Return the least value of which a statement holds that is true of all greater ones."""
    low, high = 0.0, guess
    while not holds(high):
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
