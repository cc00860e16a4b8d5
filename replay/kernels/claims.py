"""What logs claim, as kernels read it: columns of a batch's tables. No code."""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels.arrays import I8, I16, I32, U8

UNKNOWN = -(2**31)
MELDS_NOT_SHOWN = -2


class HandClaims(NamedTuple):
    """Columns of the batch's ``hands``."""

    round: U8
    honba: I16
    sticks: I16
    dealer: U8
    scores: I32
    dealt: U8
    dealt_id: U8
    dora: U8
    dora_id: U8
    dice: U8
    event_begin: I32
    event_end: I32


class EventClaims(NamedTuple):
    """Columns of the batch's ``events``."""

    kind: U8
    seat: U8
    source: U8
    tile: U8
    tile_id: U8
    own: U8
    own_id: U8
    flags: U8


class WinClaims(NamedTuple):
    """Columns of the batch's ``wins``."""

    seat: U8
    source: U8
    liable: U8
    tile: U8
    tile_id: U8
    tiles: U8
    tiles_id: U8
    melds: I32
    fu: I16
    points: I32
    limit: U8
    honba: I16
    sticks: I16
    yaku: U8
    han: I8
    deltas: I32
    dora: U8
    dora_id: U8
    ura: U8
    ura_id: U8


class DrawClaims(NamedTuple):
    """Columns of the batch's ``hand_draws``."""

    kind: U8
    deltas: I32
    tenpai: U8
    shown: U8
    shown_id: U8
