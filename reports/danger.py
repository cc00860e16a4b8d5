"""How often discards of each class dealt in to a threat, counted from logs, with 95% intervals."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.review import Danger, Threat
from paifu.replay.review_words import DANGER_NAMES

COLUMNS = ("players", "threat", "turns", "class", "n", "deal_ins", "percent", "low", "high")
"""Keys of a row, in order: n counts discards; low and high, percentages too, are a 95% interval."""
TURNS = {"1-6": slice(0, 7), "7-12": slice(7, 13), "13-": slice(13, None)}
"""The rows of the river, by the discarder's turn."""
_Z = 1.96


def interval(hits: int, number: int) -> tuple[float, float]:
    """Return the 95% interval of a rate (Wilson's), from 0 to 1; (0, 1) where nothing was counted."""
    if not number:
        return 0.0, 1.0
    rate, spread = hits / number, _Z * _Z / number
    middle = rate + spread / 2
    half = _Z * sqrt(rate * (1 - rate) / number + spread / (4 * number))
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    return (low if hits else 0.0), (high if hits < number else 1.0)


def rows(danger: npt.NDArray[np.int64], *, by_turn: bool) -> Iterator[dict[str, Any]]:
    """Yield a row a class of ``review.Reviewed.danger`` that was ever discarded."""
    turns = TURNS if by_turn else {"all": slice(None)}
    for players, table in zip((3, 4), danger, strict=True):
        for threat in Threat:
            for name, part in turns.items():
                for kind in Danger:
                    number, hits = table[threat - 1, part, kind].sum(axis=0).tolist()
                    if number:
                        low, high = interval(hits, number)
                        yield dict(
                            zip(
                                COLUMNS,
                                (
                                    players, threat.name.lower(), name, DANGER_NAMES[kind], number, hits,
                                    *(round(100 * share, 2) for share in (hits / number, low, high)),
                                ),
                                strict=True,
                            )
                        )  # fmt: skip
