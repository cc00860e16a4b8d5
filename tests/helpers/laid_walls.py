"""Walls of simulated games, laid out as other platforms state them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from tenhou_walls import walls

from paifu.replay.arrays import U8
from paifu.replay.model.batch import Batch
from paifu.replay.walls import majsoul
from paifu.replay.walls.layout import Layout, dealt_places
from paifu.replay.walls.tenhou import parse_seed


def laid_walls(batch: Batch, layout: Layout) -> Iterator[U8]:
    """Yield the physical tiles of the wall of each hand of a simulated game, its dead wall by ``layout``."""
    players = int(batch.games.players[0])
    made = walls(parse_seed(batch.games.seed[0]), len(batch.hands), players)
    for wall, dealer in zip(made, batch.hands.dealer.tolist(), strict=True):
        ids = np.zeros(len(wall.ids), np.uint8)
        ids[list(layout.supplements)] = wall.supplements
        ids[list(layout.ura)], ids[list(layout.indicators)] = wall.ura, wall.indicators
        ids[majsoul.live_indices(players)] = wall.live
        for seat in range(players):
            ids[dealt_places(players)[dealer, seat]] = wall.dealt(dealer)[seat]
        yield ids
