"""Where things lie in a wall: what the walls of all platforms have in common."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import U8
from paifu.replay.kernels.wall_checks import ANY_COPY
from paifu.replay.model.tiles import NO_TILE

MAJSOUL = ("majsoul-md5", "majsoul-sha256", "riichicity-sha256")
MJX, MORTAL = "mjx", "mortal"
"""Kinds of seeds of platforms other than Tenhou."""
HAND_SIZE = 13
"""Tiles dealt to each player."""


class Layout(NamedTuple):
    """Which index of the wall is what, for one kind of seed and number of players."""

    indicators: tuple[int, ...]
    """Dora indicators: the first, then those of kans."""
    ura: tuple[int, ...]
    supplements: tuple[int, ...]
    """Supplement tiles in the order they are drawn after kans and kita."""
    dice: tuple[int, int]
    """Which two random numbers of the hand are the dice."""


@cache
def dealt_places(players: int) -> npt.NDArray[np.int16]:
    """(dealer, seat, 13): number of each dealt tile in the order of the deal, from 0; -1 for no tile.

    That is four tiles a seat three times from the dealer on, then one each.
    """
    table = np.full((4, 4, HAND_SIZE), -1, np.int16)
    for dealer in range(players):
        for turn in range(players):
            fours = [4 * (players * go + turn) + i for go in range(3) for i in range(4)]
            table[dealer, (dealer + turn) % players] = [*fours, 12 * players + turn]
    table.flags.writeable = False
    return table


def any_copy(tiles: npt.NDArray[Any]) -> U8:
    """Let walls of tiles say that any copy of them will do."""
    return np.where(tiles == NO_TILE, NO_TILE, tiles + np.uint8(ANY_COPY)).astype(np.uint8)
