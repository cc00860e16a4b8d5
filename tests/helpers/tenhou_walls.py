"""The wall of one hand, to lay tiles and to compare logs with: what lies where in Tenhou's walls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from paifu.replay.arrays import U8
from paifu.replay.model.tiles import IDS, NO_TILE
from paifu.replay.walls.layout import Layout
from paifu.replay.walls.tenhou import Seed, deal_indices, layout_of, live_indices, shuffled


@dataclass(frozen=True, slots=True, eq=False)
class Wall:
    """The wall of one hand. Tiles are physical ids."""

    ids: U8
    """(136,) or (108,): the shuffled tiles; the deal begins at the end."""
    dice: tuple[int, int]
    """Eyes minus one."""
    layout: Layout

    @property
    def players(self) -> int:
        """3 or 4."""
        return 4 if len(self.ids) == IDS else 3

    def dealt(self, dealer: int) -> U8:
        """Return (4, 13): each seat's tiles in the order dealt; the missing seat's are NO_TILE."""
        index = deal_indices(self.players)[dealer]
        return np.where(index >= 0, self.ids[index], NO_TILE).astype(np.uint8)

    @property
    def live(self) -> U8:
        """(70,) or (55,): the tiles after the deal in the order drawn.

        Of these the last n are never drawn after n supplement draws.
        """
        return self.ids[live_indices(self.players)]

    @property
    def supplements(self) -> U8:
        """(4,) or (8,): the tiles drawn after kans and kita."""
        return self.ids[list(self.layout.supplements)]

    @property
    def indicators(self) -> U8:
        """(5,): dora indicators, the first and those of kans."""
        return self.ids[list(self.layout.indicators)]

    @property
    def ura(self) -> U8:
        """(5,): the tiles under the indicators."""
        return self.ids[list(self.layout.ura)]


def walls(seed: Seed, hands: int, players: int) -> Iterator[Wall]:
    """Yield the walls of the first ``hands`` hands of a game; see ``shuffled`` of the walls of Tenhou."""
    layout = layout_of(seed, players)
    for ids, (first, second) in zip(*shuffled([(seed, hands)], players), strict=True):
        yield Wall(ids, (int(first), int(second)), layout)
