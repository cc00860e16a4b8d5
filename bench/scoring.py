"""Scoring beside two libraries, on one core and on the same random winning hands.

python bench/scoring.py [HANDS]

Prints nanoseconds a hand and hands a second: the kernel fed by a kernel (as a replay feeds it), the checked
Python caller, `mahjong` and `riichienv`. "Typical" hands are those of real play as far as random ones can be
(no kan, at most two calls, not one suit); "all" has every shape. The loops over hands are compiled by numba
when this runs.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from random_wins import RandomWin, random_win
from score_oracles import by_mahjong, by_riichienv, ours

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.arrays import I64, I64_2D, U8_2D
from paifu.replay.kernels.readings import readings_kernel
from paifu.replay.kernels.running import JIT, entry
from paifu.replay.kernels.scoring import dora_kernel, payments_kernel, score_kernel
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.score import dora_counts, score, scoring_tables

os.environ["PAIFU_KERNELS"] = JIT  # the library does not hold the loops below
COLUMNS = 6


@entry
def each_score(
    counts: U8_2D,
    kinds: U8_2D,
    sorts: U8_2D,
    facts: I64_2D,
    patterns: I64_2D,
    params: I64,
    rows: I64_2D,
    out: I64,
) -> int:
    """Sum the base points of hands."""
    total = 0
    for i in range(len(counts)):
        total += score_kernel(
            counts[i], kinds[i], sorts[i], facts[i, 0], facts[i, 1], facts[i, 2], facts[i, 3], facts[i, 4],
            facts[i, 5], 0, -1, patterns, params, rows, out,
        )  # fmt: skip
    return total


@entry
def each_readings(counts: U8_2D, facts: I64_2D, rows: I64_2D) -> int:
    """Sum the numbers of readings of hands."""
    total = 0
    for i in range(len(counts)):
        total += readings_kernel(counts[i], facts[i, 1], 0, rows)
    return total


def arrays(wins: list[RandomWin]) -> tuple[U8_2D, U8_2D, U8_2D, I64_2D]:
    """Return counts, meld kinds, meld sorts and the other facts of hands, a row each."""
    rules = load_preset("tenhou")
    counts, kinds, sorts = (np.zeros((len(wins), width), np.uint8) for width in (34, 4, 4))
    facts = np.zeros((len(wins), COLUMNS), np.int64)
    for i, win in enumerate(wins):
        np.add.at(counts[i], [tile // 4 for tile in win.ids], 1)
        for j, meld in enumerate(win.hand.melds):
            kinds[i, j], sorts[i, j] = meld.first, meld.kind
        hand = win.hand
        facts[i, :COLUMNS] = (
            len(hand.melds), win.win // 4, hand.situation, hand.seat_wind, hand.round_wind,
            sum(dora_counts(hand, rules).values()),
        )  # fmt: skip
    return counts, kinds, sorts, facts


def is_typical(win: RandomWin) -> bool:
    """Return whether a hand is of the sort that common play makes."""
    kinds = {tile // 36 for tile in win.ids}
    return len(win.melds) <= 2 and len(kinds) > 2 and all(len(tiles) == 3 for _, tiles in win.melds)


def checked(wins: list[RandomWin]) -> None:
    """Score through the checked Python caller."""
    rules = load_preset("tenhou")
    for win in wins:
        try:
            score(win.hand, rules)
        except HandError:
            continue


def timed(call: Callable[[], Any]) -> float:
    """Return the seconds of the best of three calls."""
    times = []
    for _ in range(3):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return min(times)


def row(name: str, count: int, seconds: float) -> None:
    """Print one line of the table."""
    print(f"{name:42} {seconds / count * 1e9:12,.0f} ns {count / seconds:14,.0f} /s")


def main() -> None:
    """Print the table."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    rng = random.Random(1)  # noqa: S311 - not for secrets
    wins = [random_win(rng) for _ in range(number)]
    typical = [win for win in wins if is_typical(win)]
    start = perf_counter()
    tables = scoring_tables(load_preset("tenhou"))
    took = 1000 * (perf_counter() - start)
    print(f"tables of a ruleset made in {took:.0f} ms, {len(tables.patterns)} patterns")
    scratch = np.zeros((layout.MAX_READINGS, layout.ROW_SIZE), np.int64)
    out = np.zeros(layout.OUT_SIZE, np.int64)
    every, usual = arrays(wins), arrays(typical)
    liable, changes, few = np.zeros(4, np.int64), np.zeros(4, np.int64), wins[:5000]

    compiled: list[tuple[str, int, Callable[[], Any]]] = [
        ("readings, kernel, all hands", number, lambda: each_readings(every[0], every[3], scratch)),
        ("score, kernel, typical hands", len(typical), lambda: each_score(*usual, *tables, scratch, out)),
        ("score, kernel, all hands", number, lambda: each_score(*every, *tables, scratch, out)),
        ("payments, called from Python", 1, lambda: payments_kernel(
            2000, 0, 1, 0, 1, 0, 0, 0, -1, liable, tables.patterns, tables.params, changes)),
        ("dora, called from Python", 1, lambda: dora_kernel(
            every[0][0], every[1][0], every[2][0], 0, every[0][0], 1, 4)),
        ("score, checked Python caller", len(few), lambda: checked(few)),
    ]  # fmt: skip
    for name, _, call in compiled:
        start = perf_counter()
        call()
        print(f"first call {perf_counter() - start:6.2f} s  {name}")
    for name, count, call in compiled:
        row(name, count, timed(call))
    row("riichienv", len(few), timed(lambda: [by_riichienv(win, 4) for win in few]))
    row("mahjong", len(few), timed(lambda: [by_mahjong(win, 4) for win in few]))
    rules, differ = load_preset("tenhou"), 0
    for win in few:
        theirs = by_mahjong(win, 4)
        differ += theirs is not None and ours(score(win.hand, rules), win) != theirs
    print(f"{differ} of {len(few)} hands differ from mahjong")


if __name__ == "__main__":
    main()
