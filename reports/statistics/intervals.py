"""95% confidence intervals of shares, means and ratios of sums."""

from __future__ import annotations

import math

Z = 1.959963984540054
"""Two-sided 95% quantile of the normal distribution."""


def wilson(n: int, d: int) -> tuple[float, float]:
    """Return the Wilson interval of the share n / d.

    >>> [round(x, 4) for x in wilson(0, 10)], [round(x, 4) for x in wilson(5, 10)]
    ([0.0, 0.2775], [0.2366, 0.7634])
    """
    share, square = n / d, Z * Z
    middle = (share + square / (2 * d)) / (1 + square / d)
    half = Z / (1 + square / d) * math.sqrt(share * (1 - share) / d + square / (4 * d * d))
    return max(0.0, middle - half), min(1.0, middle + half)


def of_ratio(n: int, d: int, nn: int, nd: int, dd: int) -> tuple[float, float]:
    """Return the interval of the ratio n / d of two sums, from the sums of their rows' squares and product.

    To first order (delta method), assuming independent rows.

    >>> [round(x, 3) for x in of_ratio(6, 3, 14, 6, 3)]
    [1.076, 2.924]
    """
    ratio = n / d
    half = Z * math.sqrt(max(0.0, nn - 2 * ratio * nd + ratio * ratio * dd)) / d
    return ratio - half, ratio + half


def normal(n: int, d: int, squares: int) -> tuple[float, float] | None:
    """Return the interval of the mean n / d of d values whose squares sum to ``squares``; None for one value.

    >>> [round(x, 3) for x in normal(6, 3, 14)]
    [0.868, 3.132]
    """
    if d < 2:
        return None
    variance = max(0.0, (squares - n * n / d) / (d - 1))
    half = Z * math.sqrt(variance / d)
    return n / d - half, n / d + half
