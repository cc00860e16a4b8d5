"""Shapes beside two libraries, on one core and on the same random hands: ``python bench/shapes.py [HANDS]``.

Prints nanoseconds of CPU time a value, and how many values differ from `riichienv`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt
import riichienv
from mahjong.shanten import Shanten as MahjongShanten

from paifu.replay.shapes.shanten import shanten_many, waits_many

FEW = 20_000
"""Hands that the other libraries are given."""


def deal(rng: np.random.Generator, hands: int, size: int) -> npt.NDArray[np.uint8]:
    """Deal random closed hands: (hands, 34) counts."""
    tiles = np.argpartition(rng.random((hands, 136), np.float32), size, axis=1)[:, :size] // 4
    counts = np.zeros((hands, 34), np.uint8)
    np.add.at(counts, (np.repeat(np.arange(hands), size), tiles.ravel()), 1)
    return counts


def timed(call: Callable[[], Any]) -> float:
    """Return the CPU seconds of the best of three calls, after one that warms up."""
    times = []
    for _ in range(4):
        start = process_time()
        call()
        times.append(process_time() - start)
    return min(times[1:])


def main() -> None:
    """Print the table."""
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 500_000
    rng = np.random.default_rng(1)
    fourteen, thirteen = deal(rng, hands, 14), deal(rng, hands, 13)
    few = fourteen[:FEW].tolist()
    walls = [[4 * kind + copy for kind in range(34) for copy in range(hand[kind])] for hand in few]
    rows: dict[str, tuple[int, Callable[[], Any]]] = {
        "paifu.shanten_many": (hands, lambda: shanten_many(fourteen)),
        "paifu.waits_many": (hands, lambda: waits_many(thirteen)),
        "shanten, riichienv": (len(few), lambda: [riichienv.calculate_shanten(wall) for wall in walls]),
        "shanten, mahjong": (len(few), lambda: [MahjongShanten.calculate_shanten(hand) for hand in few]),
    }
    for name, (count, call) in rows.items():
        print(f"{name:24} {1e9 * timed(call) / count:12,.0f} ns")
    ours = shanten_many(fourteen[:FEW]).tolist()
    differ = sum(a != riichienv.calculate_shanten(wall) for a, wall in zip(ours, walls, strict=True))
    print(f"{differ} of {len(ours)} values differ from riichienv")


if __name__ == "__main__":
    main()
