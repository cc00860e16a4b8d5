"""Tiles that a log hides, and what is known of them; most logs hide none."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from paifu.replay.arrays import U8, Mask
from paifu.replay.kernels.claims import Reveals
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE, TILES

NOTHING_HIDDEN = Reveals(np.zeros((0, 4), np.int32), np.zeros((0, 4, TILES), np.uint8))


class Uncovered(NamedTuple):
    """A batch's tiles, and what is known of those that it hides."""

    tile: U8
    """(events,) the column of the events, tiles filled in that follow."""
    reveals: Reveals
    known: Mask
    """(hands, 4) whether all tiles of a seat are known from the deal on; also of a seat that nobody takes."""
    untold: Mask
    """(hands,) whether tiles are hidden and no turn is told, or no tile is dealt and the first turn is not
    the dealer's: such a hand is told from somewhere on, and cannot be replayed."""


def uncovered(batch: Batch) -> Uncovered:
    """Return what is known of the tiles of a batch, riichi only."""
    hands, events = batch.hands, batch.events
    present = np.arange(4) < batch.games.players[hands.game][:, None]
    known = ~((hands.dealt == NO_TILE).any(axis=2) & present)
    hidden = np.flatnonzero((events.kind == EventKind.DRAW) & (events.tile == NO_TILE))
    is_chosen, drawn_in = ~known.all(axis=1), batch.hands_of(hidden)
    is_chosen[drawn_in[drawn_in >= 0]] = True
    chosen = np.flatnonzero(is_chosen)
    if not len(chosen):
        return Uncovered(events.tile, NOTHING_HIDDEN, known, np.zeros(len(hands), np.bool_))
    from paifu.replay.table.uncovering import uncover

    return Uncovered(*uncover(batch, chosen, known))
