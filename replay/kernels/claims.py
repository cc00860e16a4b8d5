"""What logs claim, as kernels read it: columns of a batch's tables. No code."""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels.arrays import I8_2D, I16, I32, I32_2D, U8, U8_2D, U8_3D

UNKNOWN = -(2**31)
LEAST_KNOWN = UNKNOWN // 2
"""Points below it are unknown, whatever was paid since."""
UNSTATED_SEAT = 254
UNSTATED_MELDS = -2


class HandClaims(NamedTuple):
    """Columns of the batch's ``hands``."""

    round: U8
    honba: I16
    sticks: I16
    dealer: U8
    scores: I32_2D
    dealt: U8_3D
    dealt_id: U8_3D
    dora: U8
    dora_id: U8
    dice: U8_2D
    event_begin: I32
    event_end: I32
    dealer_wins: U8
    """No column of the batch: the dealer's wins in a row before the hand, as far as a rule asks for them."""


class EventClaims(NamedTuple):
    """Columns of the batch's ``events``."""

    kind: U8
    seat: U8
    source: U8
    tile: U8
    tile_id: U8
    own: U8_2D
    own_id: U8_2D
    flags: U8


class WinClaims(NamedTuple):
    """Columns of the batch's ``wins``."""

    seat: U8
    source: U8
    liable: U8
    """A seat, ``NOBODY``, or ``UNSTATED_SEAT``."""
    tile: U8
    tile_id: U8
    tiles: U8_2D
    tiles_id: U8_2D
    melds: I32_2D
    fu: I16
    points: I32
    limit: U8
    honba: I16
    sticks: I16
    yaku: U8_2D
    han: I8_2D
    deltas: I32_2D
    dora: U8_2D
    dora_id: U8_2D
    ura: U8_2D
    ura_id: U8_2D


class Reveals(NamedTuple):
    """What a log shows later of hands that it hides; no rows where it hides none."""

    event: I32_2D
    """(hands, 4) the event before which all tiles of a seat are known, -1 before the first, or ``NEVER``."""
    tiles: U8_3D
    """(hands, 4, 37) how many of each tile it holds then."""


NEVER = -2


class DrawClaims(NamedTuple):
    """Columns of the batch's ``hand_draws``."""

    kind: U8
    deltas: I32_2D
    tenpai: U8_2D
    shown: U8_3D
    shown_id: U8_3D
