"""Where things lie in a wall: what the walls of all platforms have in common."""

from __future__ import annotations

from dataclasses import dataclass

HAND_SIZE = 13
"""Tiles dealt to each player."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Which index of the wall is what, for one kind of seed and number of players."""

    indicators: tuple[int, ...]
    """Dora indicators: the first, then those of kans."""
    ura: tuple[int, ...]
    supplements: tuple[int, ...]
    """Supplement tiles in the order they are drawn after kans and kita."""
    dice: tuple[int, int]
    """Which two random numbers of the hand are the dice."""
