"""Deal-in rates of discards by danger class, counted from logs, with 95% intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from paifu.replay.findings.review_sentences import DANGER_NAMES
from paifu.replay.review.results import Danger, Threat
from paifu.reports.inference.intervals import Nature, interval
from paifu.reports.inference.sums import GameSums

KEYS = ["players", "threat", "turns", "class"]
COLUMNS = (*KEYS, "n", "deal_ins", "percent", "low", "high")
"""Keys of a row, in order: n counts discards; low and high, also in percent, are the 95% interval."""
TURNS = {"1-6": slice(0, 7), "7-12": slice(7, 13), "13-": slice(13, None)}
"""The rows of the river, by the discarder's turn."""


def rows(danger: npt.NDArray[np.int64], *, by_turn: bool) -> list[dict[Any, Any]]:
    """Return one row per class of ``review.Reviewed.danger`` with at least one discard."""
    turns = np.empty(danger.shape[2], object)
    for name, part in (TURNS if by_turn else {"all": slice(None)}).items():
        turns[part] = name
    threats, classes = [threat.name.lower() for threat in Threat], [DANGER_NAMES[kind] for kind in Danger]
    each = pd.MultiIndex.from_product([(3, 4), threats, turns, classes], names=KEYS)
    counts = pd.DataFrame(danger.reshape(-1, 2), each, columns=["n", "deal_ins"])
    table = counts.groupby(KEYS, sort=False).sum().query("n > 0")
    n, d = table["deal_ins"].to_numpy(float), table["n"].to_numpy(float)
    low, high = interval(GameSums(n, d, n, n, d), Nature.SHARE)
    shares = {"percent": n / d, "low": low, "high": high}
    table = table.assign(**{name: np.round(100 * share, 2) for name, share in shares.items()})
    return table.reset_index().to_dict("records")
