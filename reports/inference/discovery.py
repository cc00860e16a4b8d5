"""Which of many differences to report: procedures that bound the expected share of false ones among them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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
