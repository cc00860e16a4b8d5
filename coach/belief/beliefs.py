"""Hidden hands drawn as the player could expect them: weights that ship, and the chain that follows them.

``bench/fit_belief.py`` fits the weights, so that what they count is as frequent in the hands drawn as in the
hands that players really had; docs/commands/review.md compares the two in games that were not used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from paifu.coach.belief.features import WEIGHTS, Features, Layer, features_of
from paifu.coach.belief.sight import Sight
from paifu.coach.kernels.belief import Chain, believe
from paifu.coach.model_files import shipped
from paifu.replay.arrays import F64, I64, U8
from paifu.replay.kernels.table_state import NOBODY
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.shapes.tables import load_tables

STEPS, WARM_UP = 240, 6000
"""Swaps between two deals, and before the first of a chain."""
FITTED_PLAYERS = 4
"""In games that the weights were fitted to."""
CHAIN = 50
"""Sets of hands that come from one chain; the next begins anew."""
_RIICHI_START = np.array([0.0, -4, -7, -9, -11, -13, -15])
"""By shanten, from which the chain learns how often a hand in riichi leaves tenpai."""


@dataclass(frozen=True, eq=False)
class BelievedHands:
    """Hidden hands that were drawn."""

    tiles: U8
    """(deals, 4, 13) tiles, those of a seat first in its row."""
    found: I64
    """(deals, 4, 3) shanten, sort of wait, and kinds waited for."""


@cache
def shipped_weights() -> F64:
    """Return the weights that ship."""
    file = shipped("belief", FITTED_PLAYERS)
    assert file is not None  # noqa: S101
    return file.floats({"weights": (WEIGHTS,)})[0].astype(np.float64)


def worth(layers: tuple[Layer, ...], weights: F64) -> F64:
    """Return the sum of layers."""
    total: F64 = sum((weights[places] * factors for places, factors in layers), np.zeros(()))
    return total


def believed(
    sight: Sight, number: int, seed: int, rules: Ruleset, weights: F64 | None = None,
    features: dict[int, Features] | None = None,
) -> BelievedHands | None:  # fmt: skip
    """Return hidden hands for a seat, the same for the same seed.

    None where no hands fit what it sees, and in games of three, to which nothing has been fitted.
    """
    if sight.players != FITTED_PLAYERS:
        return None
    weights = shipped_weights() if weights is None else weights
    forms, shapes = int(rules.kernel().forms), load_tables(sanma=sight.players == 3)
    chain = Chain(forms=forms, size=sight.size, melds=sight.melds, ready=sight.riichi)
    chain.safe[:] = np.where(sight.riichi > 0, sight.safe, 0) | sight.offered
    for seat in np.flatnonzero(sight.size).tolist():
        layers = features_of(sight, seat) if features is None else features[seat]
        for into, of in (
            (chain.by_tile, layers.tiles), (chain.by_red[:, None], (layers.red,)),
            (chain.by_wait, layers.waits), (chain.by_type, (layers.types,)),
        ):  # fmt: skip
            into[seat] = worth(of, weights)
        chain.by_shanten[seat] = _RIICHI_START if sight.riichi[seat] else worth((layers.shanten,), weights)
    owner = np.full(len(sight.unseen), NOBODY, np.uint8)
    owner[: sight.size.sum()] = np.repeat(np.arange(4), sight.size)
    tiles, found = np.zeros((number, 4, 13), np.uint8), np.zeros((number, 4, 3), np.int64)
    random, begun, made = np.random.default_rng(seed), chain.whole.copy(), 0
    while made < number:
        part = slice(made, min(made + CHAIN, number))
        order, chain.whole[:] = random.permutation(sight.unseen), begun
        chain.random = int(random.integers(1, 2**31 - 2))
        drawn = believe(chain, order, owner, shapes, WARM_UP, STEPS, tiles[part], found[part])
        if drawn < part.stop - part.start:
            return None
        made = part.stop
    return BelievedHands(tiles, found)
