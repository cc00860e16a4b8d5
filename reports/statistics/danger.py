"""Deal-in rates of discards by danger class, counted from logs, with 95% intervals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.findings.review_sentences import DANGER_NAMES
from paifu.replay.review.results import Danger, Threat
from paifu.reports.inference.intervals import of_rows

COLUMNS = ("players", "threat", "turns", "class", "n", "deal_ins", "percent", "low", "high")
"""Keys of a row, in order: n counts discards; low and high, also in percent, are the 95% interval."""
TURNS = {"1-6": slice(0, 7), "7-12": slice(7, 13), "13-": slice(13, None)}
"""The rows of the river, by the discarder's turn."""


def rows(danger: npt.NDArray[np.int64], *, by_turn: bool) -> Iterator[dict[str, Any]]:
    """Yield one row per class of ``review.Reviewed.danger`` with at least one discard."""
    turns = TURNS if by_turn else {"all": slice(None)}
    for players, table in zip((3, 4), danger, strict=True):
        for threat in Threat:
            for name, part in turns.items():
                for kind in Danger:
                    number, hits = table[threat - 1, part, kind].sum(axis=0).tolist()
                    if number:
                        yield _row(players, threat, name, kind, number, hits)


def _row(players: int, threat: Threat, turns: str, kind: Danger, number: int, hits: int) -> dict[str, Any]:
    low, high = of_rows(hits, number)
    return {
        "players": players,
        "threat": threat.name.lower(),
        "turns": turns,
        "class": DANGER_NAMES[kind],
        "n": number,
        "deal_ins": hits,
        **{
            name: round(100 * share, 2)
            for name, share in (("percent", hits / number), ("low", low), ("high", high))
        },
    }
