"""Deal-in rates of discards by danger class, and a player's discards against threats beside everybody's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from paifu.replay.arrays import I64
from paifu.replay.findings.review_sentences import DANGER_NAMES
from paifu.replay.review.results import Danger, Threat
from paifu.reports.inference.intervals import Nature, interval, of_rows
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


# --- a player's discards against threats: how often, how dangerous, at what cost -----------------------


PLAYER_COLUMNS = (
    "players", "threat", "hand", "class", "n", "share", "deal_ins", "percent", "low", "high", "cost",
    "all_n", "all_share", "all_percent", "all_cost",
)  # fmt: skip
"""Keys of a row, in order.

``n`` counts the player's discards of the class that leave such a hand; ``share`` is their percentage of all
discards of the player against such threats; ``percent`` of them dealt in to the threat, with the 95% interval
``low`` to ``high``; ``cost`` is what that cost on average, in points for each discard. ``all_``: of everybody
in the logs, this player included.
"""
HANDS = ("in riichi", "tenpai", "1 from tenpai", "2 from tenpai", "3+ from tenpai")
ALL = "all"


def player_rows(pushes: I64, *, crossed: bool) -> Iterator[dict[str, Any]]:
    """Yield the rows of ``review.Reviewed.pushes`` in which the player has a discard.

    The classes and the hands each in sum, then, if ``crossed``, each class for each hand.
    """
    classes = (ALL, *(DANGER_NAMES[danger] for danger in Danger))
    for players, table in zip((3, 4), pushes, strict=True):
        for threat in Threat:
            others, own = (_with_sums(table[watched, threat - 1]) for watched in (0, 1))
            every = own + others
            for hand, hand_name in enumerate((ALL, *HANDS)):
                for number, name in enumerate(classes):
                    is_sum = hand == 0 or number == 0
                    if own[number, hand, 0] and (is_sum or crossed):
                        yield {
                            "players": players,
                            "threat": threat.name.lower(),
                            "hand": hand_name,
                            "class": name,
                            **_cells(own, number, hand),
                            **_everybody(every, number, hand),
                        }


def _with_sums(table: I64) -> I64:
    """Put sums over classes and over hands before the (classes, hands, 3) counts."""
    table = np.concatenate([table.sum(axis=0, keepdims=True), table])
    return np.concatenate([table.sum(axis=1, keepdims=True), table], axis=1)


def _cells(table: I64, number: int, hand: int) -> dict[str, Any]:
    discards, hits, points = table[number, hand].tolist()
    low, high = of_rows(hits, discards)
    return {
        "n": discards,
        "share": round(100 * discards / int(table[0, 0, 0]), 1),
        "deal_ins": hits,
        "percent": round(100 * hits / discards, 2),
        "low": round(100 * low, 2),
        "high": round(100 * high, 2),
        "cost": round(points / discards),
    }


def _everybody(table: I64, number: int, hand: int) -> dict[str, Any]:
    cells = _cells(table, number, hand)
    return {f"all_{name}": cells[name] for name in ("n", "share", "percent", "cost")}
