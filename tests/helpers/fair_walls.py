"""Deals made of walls that our own shuffle makes, or that a test has tampered with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.model.tiles import FIVE_KINDS, KINDS, NO_TILE, RED_MAN
from paifu.replay.shapes.shanten import shanten_many
from paifu.replay.walls.tenhou import make_seed, parse_seed, shuffled
from paifu.reports.fairness.deals import Deals, counts_of
from paifu.reports.hands.hand_in_words import dora_of

SIZE, DRAWS, DEALT = 136, 40, 52
INDICATOR, URA = 126, 131
"""Places of the first indicator and of the ura indicator below it; four more follow each."""
I64 = npt.NDArray[np.int64]
HANDS_A_GAME = 5


def our_walls(seed: int, number: int) -> I64:
    """Return walls of physical ids, shuffled from a seed as those of simulated games are."""
    return shuffled([(parse_seed(make_seed(seed)), number)], 4)[0].astype(np.int64)


def quick_walls(rng: np.random.Generator, number: int) -> I64:
    """Return many walls of physical ids quickly."""
    return rng.permuted(np.tile(np.arange(SIZE), (number, 1)), axis=1)


def deals_of_walls(ids: I64, rng: np.random.Generator) -> Deals:
    """Return hands in which players draw 40 tiles, wait for some kinds, and win with an ura indicator."""
    n = len(ids)
    kinds, red = (ids // 4).astype(np.uint8), np.isin(ids, (16, 52, 88))
    every = np.arange(n)
    tiles = kinds.copy()
    for number, kind in enumerate(FIVE_KINDS):
        tiles[red & (kinds == kind)] = RED_MAN + number
    dealt = tiles[:, :DEALT].reshape(n, 4, 13)
    indicator = kinds[:, INDICATOR]
    unseen = 4 - counts_of(kinds[:, :DEALT]) - counts_of(indicator[:, None])
    shown = kinds[:, DEALT : DEALT + DRAWS].copy()
    waits = np.where(
        rng.random((n, DRAWS)) < 0.2,
        (1 << rng.integers(0, KINDS, (n, DRAWS))) | 1 << rng.integers(0, KINDS),
        0,
    )
    ura = np.full((n, 5), NO_TILE, np.uint8)
    wins = rng.random(n) < 0.5
    ura[wins, 0] = kinds[wins, URA]
    held = counts_of(kinds[:, :13])
    makes = np.array([dora_of(kind, 4) for kind in range(KINDS)])
    worth = held[:, makes]
    left = unseen - counts_of(shown)
    mean = (left * worth).sum(axis=1)
    spread = left.sum(axis=1) * (left * worth**2).sum(axis=1) - mean**2
    sums = np.stack([np.ones(n, np.int64), worth[every, kinds[:, URA]], mean, spread], axis=1)
    turns = np.tile(np.arange(4, dtype=np.uint8), (n, 1))
    begins = every % HANDS_A_GAME == 0
    columns: dict[str, Any] = {
        "agrees": np.ones(n, bool),
        "awaited": np.roll(waits, 1, axis=1),
        "undrawn": counts_of(kinds[:, DEALT + DRAWS : 122]).astype(np.uint8),
        "undrawn_waits": np.bitwise_or.reduce(waits, axis=1),
        "seats": turns,
        "reds": np.full(n, 3),
        "dice": rng.integers(0, 36, n),
        "place": np.where(begins, rng.integers(0, 4, n), -1),
        "ura_sums": np.where(wins[:, None], sums, 0),
        "dead": np.concatenate([kinds[:, INDICATOR:URA], kinds[:, URA:]], axis=1),
        "deal": every.astype(np.uint64),
        "copy": every.astype(np.uint64),
    }
    return Deals(
        players=4,
        game=every // HANDS_A_GAME,
        number=every % HANDS_A_GAME,
        dealt=dealt,
        indicator=indicator,
        unseen=unseen.astype(np.uint8),
        shanten=shanten_many(counts_of(kinds[:, :DEALT].reshape(4 * n, 13)).astype(np.uint8)).reshape(n, 4),
        shown=shown,
        counts=np.ones(shown.shape, bool),
        waits=waits,
        ura=ura,
        has_wall=np.ones(n, bool),
        wall=kinds,
        red_places=red,
        **columns,
    )
