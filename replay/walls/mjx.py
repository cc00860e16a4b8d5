"""Walls of mjx: a state holds the 136 physical tiles of its hand.

A hand's seed is a text, ``mjx,WALL`` or ``mjx,WALL,NUMBER``: the ids of the wall's tiles, each as two
hexadecimal digits, and the number from which the simulator made the walls of the game. The deal is four tiles
a seat three times from the dealer on, then one each; draws go on from there.
"""

from __future__ import annotations

from collections.abc import Sequence

from paifu.replay.model.tiles import IDS
from paifu.replay.walls.layout import MJX, Layout

LAYOUT = Layout(
    indicators=tuple(range(130, 120, -2)),
    ura=tuple(range(131, 121, -2)),
    supplements=(134, 135, 132, 133),
    dice=(0, 0),
)


def wall_seed(tiles: Sequence[int], number: str = "") -> str:
    """Return the seed of a hand with this wall, and the number that the walls of the game follow from."""
    return ",".join([MJX, bytes(tiles).hex(), *([number] if number else [])])


def parse_wall(seed: str) -> list[int]:
    """Read the wall of a hand's seed. Raises ValueError for another text.

    >>> parse_wall(wall_seed(range(136)))[-2:]
    [134, 135]
    """
    kind, *parts = seed.split(",")
    if kind != MJX or not 1 <= len(parts) <= 2:
        raise ValueError(f"{seed[:40]!r} is not a wall of mjx")
    tiles = list(bytes.fromhex(parts[0]))
    if sorted(tiles) != list(range(IDS)):
        raise ValueError("a wall of mjx holds each of the 136 tiles once")
    return tiles
