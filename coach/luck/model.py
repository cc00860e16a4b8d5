"""The values that luck is measured with: the file that ships, as kernels read it.

``bench/fit_luck.py`` fits it. How good the values are decides how much of the chance luck takes away, never
whether it is fair: see :mod:`paifu.coach.kernels.luck_pass`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from paifu.coach.kernels import luck_layout
from paifu.coach.kernels.luck_layout import LuckMind, LuckModel
from paifu.coach.kernels.luck_pass import sum_deals
from paifu.coach.model_files import shipped
from paifu.replay.arrays import F32, F64, I64
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.shapes.tables import load_tables
from paifu.replay.table.engine import new_table

DEALS = 1 << 17
"""Deals that the mean of a set of tiles is taken over where none ships."""
SHANTENS, STATES = 5, 3
CLASSES = SHANTENS * STATES + 3
"""Classes of nodes: draws by shanten before it (4: or more) and by who is in riichi (nobody, others, who
draws);
deals; kan dora; ura."""
_FIVES = (4, 13, 22)
Reds = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class LuckValues:
    """Fitted values for one number of players."""

    into: F32
    bias: F32
    out: F32
    out_bias: F32
    deal: F64
    """(4, D_SIZE, 4) by role of who is dealt the hand, input, role of who gains."""
    deal_means: Mapping[Reds, F64]
    """Red fives of each suit -> mean inputs of a deal."""
    shares: F64
    """(CLASSES,) what the differences of each class of nodes are multiplied by."""

    def for_kernels(self, rules: Ruleset) -> LuckModel:
        """Return the values as kernels read them, under a ruleset."""
        reds = red_fives(rules)
        means = self.deal_means.get(reds)
        if means is None:
            means = mean_deal(rules, DEALS)
        return LuckModel(self.into, self.bias, self.out, self.out_bias, means.copy(), self.deal)


def classes(cells: npt.NDArray[np.int32]) -> I64:
    """Return the class of each node of (n, N_SIZE) cells; it is known before the tile is."""
    sort, seat = cells[:, luck_layout.N_SORT].astype(np.int64), np.minimum(cells[:, luck_layout.N_SEAT], 3)
    riichi = cells[:, luck_layout.N_RIICHI]
    state = np.where(riichi >> seat & 1, 2, riichi > 0)
    of_draws = np.clip(cells[:, luck_layout.N_SHANTEN], 0, SHANTENS - 1) * STATES + state
    others = SHANTENS * STATES + np.where(sort == luck_layout.DEALT, 0, sort - 1)
    return np.where(sort == luck_layout.DRAWN, of_draws, others)


def red_fives(rules: Ruleset) -> Reds:
    """Return the red fives of each suit."""
    kernel = rules.kernel()
    return kernel.red_man, kernel.red_pin, kernel.red_sou


@lru_cache(maxsize=16)
def mean_deal(rules: Ruleset, deals: int) -> F64:
    """Return the mean inputs of a deal over random ones, always the same."""
    reds, players = red_fives(rules), rules.table.players
    tiles = np.repeat(np.arange(34, dtype=np.uint8), 4)
    for suit, (five, red) in enumerate(zip(_FIVES, reds, strict=True)):
        tiles[4 * five : 4 * five + red] = 34 + suit
    if players == 3:
        tiles = np.delete(tiles, np.arange(4, 32))
    rng, sums = np.random.default_rng(1), np.zeros(luck_layout.D_SIZE)
    table, shapes, mind = new_table(), load_tables(sanma=players == 3), LuckMind()
    chunk = 1 << 14
    for _ in range(0, deals, chunk):
        order = np.argpartition(rng.random((chunk, len(tiles)), np.float32), 14, axis=1)[:, :14]
        # The partition leaves the smallest anywhere among the first 14: the last of them is not the 14th.
        order = rng.permuted(order, axis=1)
        sum_deals(tiles[order], table, rules.kernel(), shapes, mind, sums)
    return sums / (-(-deals // chunk) * chunk)


@cache
def shipped_values(players: int) -> LuckValues | None:
    """Return the values that come with the package; None if there are none for this number of players."""
    file = shipped("luck", players)
    if file is None:
        return None
    hidden, deal = luck_layout.HIDDEN, (4, luck_layout.D_SIZE, 4)
    shapes = {"into": (luck_layout.INPUTS, hidden), "bias": (hidden,), "out": (hidden, 4), "out_bias": (4,)}
    (into, bias, out, out_bias), held = file.floats(shapes), file.arrays
    file.floats({"deal": deal, "shares": (CLASSES,), "reds": (-1, 3), "deal_means": (-1, luck_layout.D_SIZE)})
    means = {
        (a, b, c): mean for (a, b, c), mean in zip(held["reds"].tolist(), held["deal_means"], strict=True)
    }
    return LuckValues(into, bias, out, out_bias, held["deal"], means, held["shares"])
