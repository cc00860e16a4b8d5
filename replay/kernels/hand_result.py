"""What the end of a hand is to a player. No code."""

from __future__ import annotations

from enum import IntEnum


class Result(IntEnum):
    """What the end of a hand is to a player."""

    UNFINISHED = 0
    TSUMO = 1
    RON = 2
    DEALT_IN = 3
    TSUMO_PAID = 4
    """Another player won by tsumo."""
    ASIDE = 5
    """Ron between other players."""
    DRAW = 6
    """Exhaustive draw, nagashi mangan included."""
    ABORTED = 7
    FOUL = 8
    """The player's foul (chombo) ended the hand; for the others it was aborted."""
