"""Shapes beside two libraries, on one core and on the same random hands.

python bench/shapes.py [HANDS]

Prints nanoseconds of CPU time a value and values a second: kernels fed by a kernel (as a replay feeds them),
the checked Python callers, `mahjong` and `riichienv`. The loops over hands are compiled by numba when this
runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

import numpy as np
import numpy.typing as npt
import riichienv
from mahjong.shanten import Shanten as MahjongShanten

from paifu.replay.kernels import shapes as shape_kernels
from paifu.replay.kernels.arrays import I64_2D
from paifu.replay.kernels.running import JIT, entry
from paifu.replay.shapes import shanten as shapes
from paifu.replay.shapes.tables import load_tables

os.environ["PAIFU_KERNELS"] = JIT  # the library does not hold the loops below


@entry
def each_shanten(keys: I64_2D, tables: shape_kernels.ShapeTables) -> int:
    """Sum the shanten of closed hands given by their keys."""
    total = 0
    for i in range(len(keys)):
        total += shape_kernels.shanten(keys[i, 0], keys[i, 1], keys[i, 2], keys[i, 3], 0, 0, tables)
    return total


@entry
def each_waits(keys: I64_2D, tables: shape_kernels.ShapeTables) -> int:
    """Sum the wait masks of closed hands given by their keys."""
    total = 0
    for i in range(len(keys)):
        total += shape_kernels.waits(
            keys[i, 0], keys[i, 1], keys[i, 2], keys[i, 3], 0, 0, tables.kinds, tables
        )
    return total


@entry
def each_acceptance(keys: I64_2D, tables: shape_kernels.ShapeTables) -> int:
    """Sum the acceptance masks of closed hands given by their keys."""
    total = 0
    for i in range(len(keys)):
        total += shape_kernels.acceptance(
            keys[i, 0], keys[i, 1], keys[i, 2], keys[i, 3], 0, 0, tables.kinds, tables
        )[1]
    return total


def deal(rng: np.random.Generator, hands: int, size: int) -> npt.NDArray[np.uint8]:
    """Deal random closed hands: (hands, 34) counts."""
    tiles = np.argpartition(rng.random((hands, 136), np.float32), size, axis=1)[:, :size] // 4
    counts = np.zeros((hands, 34), np.uint8)
    np.add.at(counts, (np.repeat(np.arange(hands), size), tiles.ravel()), 1)
    return counts


def tenpai(rng: np.random.Generator, hands: int) -> npt.NDArray[np.uint8]:
    """Deal random complete hands and take one tile from each: (hands, 34) counts."""
    found: list[npt.NDArray[np.int64]] = []
    while len(found) < hands:
        starts = rng.integers(0, 34, 4)
        sets = [[s, s + 1, s + 2] if s < 27 and s % 9 < 7 and rng.random() < 0.8 else [s] * 3 for s in starts]
        tiles = rng.permutation([tile for part in sets for tile in part] + [rng.integers(0, 34)] * 2)[:13]
        counts = np.bincount(tiles, minlength=34)
        if counts.max() <= 4:
            found.append(counts)
    return np.array(found, np.uint8)


def keys_of(counts: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Return the (n, 4) suit keys of (n, 34) counts."""
    powers = 5 ** np.arange(9)
    suits = [counts[:, i : i + 9].astype(np.int64) @ powers[: 34 - i] for i in (0, 9, 18, 27)]
    return np.stack(suits, axis=1)


def timed(call: Callable[[], Any]) -> float:
    """Return the CPU seconds of the best of three calls."""
    times = []
    for _ in range(3):
        start = process_time()
        call()
        times.append(process_time() - start)
    return min(times)


def row(name: str, count: int, seconds: float) -> None:
    """Print one line of the table."""
    print(f"{name:42} {seconds / count * 1e9:12,.0f} ns {count / seconds:14,.0f} /s")


def main() -> None:
    """Print the table."""
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 500_000
    rng = np.random.default_rng(1)
    start = perf_counter()
    tables = load_tables()
    print(f"tables loaded in {1000 * (perf_counter() - start):.0f} ms")
    fourteen, thirteen, waiting = deal(rng, hands, 14), deal(rng, hands, 13), tenpai(rng, 20_000)
    fourteen_keys, thirteen_keys, waiting_keys = keys_of(fourteen), keys_of(thirteen), keys_of(waiting)
    walls = [
        [4 * kind + copy for kind in range(34) for copy in range(hand[kind])] for hand in fourteen[:20_000]
    ]
    lists = fourteen[:20_000].tolist()

    compiled: list[tuple[str, int, Callable[[], Any]]] = [
        ("shanten, kernel, from keys", hands, lambda: each_shanten(fourteen_keys, tables)),
        ("shanten, array of counts, checked", hands, lambda: shapes.shanten_many(fourteen)),
        ("waits, array of counts, checked", hands, lambda: shapes.waits_many(thirteen)),
        ("waits, kernel, tenpai hands", 20_000, lambda: each_waits(waiting_keys, tables)),
        ("waits, kernel, any hands", hands, lambda: each_waits(thirteen_keys, tables)),
        ("acceptance, kernel", hands, lambda: each_acceptance(thirteen_keys, tables)),
        ("shanten, one hand, checked", 2000, lambda: [shapes.shanten(hand) for hand in fourteen[:2000]]),
        ("acceptance, one hand, checked", 2000, lambda: [shapes.acceptance(h) for h in thirteen[:2000]]),
        ("discards, one hand, checked", 2000, lambda: [shapes.discards(hand) for hand in fourteen[:2000]]),
    ]
    for name, _, call in compiled:
        start = perf_counter()
        call()
        print(f"first call {perf_counter() - start:6.2f} s  {name}")
    for name, count, call in compiled:
        row(name, count, timed(call))
    row("shanten, riichienv", 20_000, timed(lambda: [riichienv.calculate_shanten(wall) for wall in walls]))
    row("shanten, mahjong", 20_000, timed(lambda: [MahjongShanten.calculate_shanten(hand) for hand in lists]))
    ours = shapes.shanten_many(fourteen[:20_000]).tolist()
    differ = sum(a != riichienv.calculate_shanten(wall) for a, wall in zip(ours, walls, strict=True))
    print(f"{differ} of {len(ours)} values differ from riichienv")


if __name__ == "__main__":
    main()
