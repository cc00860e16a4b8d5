"""Cells of columns as the values that views show: None where the log does not say."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from paifu.replay.model.batch import UNKNOWN_POINTS
from paifu.replay.model.events import NO_SEAT
from paifu.replay.model.tiles import NO_TILE, tile_name

ByTile = tuple[int | None, ...]
"""Tiles or ids; None where hidden or not stated."""
Points = tuple[int | None, ...]
"""Points by seat; None where not stated."""


def known(value: int, unknown: int) -> int | None:
    """Return a value, or None for the number that means unknown."""
    return None if value == unknown else value


def seat_of(value: np.uint8) -> int | None:
    """Return a seat, or None."""
    return known(int(value), NO_SEAT)


def tile_of(value: np.uint8) -> int | None:
    """Return a tile, or None."""
    return known(int(value), NO_TILE)


def tiles_of(cells: npt.NDArray[np.uint8]) -> ByTile:
    """Return tiles, None for each that is hidden."""
    return tuple(known(tile, NO_TILE) for tile in cells.tolist())


def stated(cells: npt.NDArray[np.uint8]) -> tuple[int, ...]:
    """Cells without the padding."""
    return tuple(tile for tile in cells.tolist() if tile != NO_TILE)


def points_of(cells: npt.NDArray[np.int32]) -> Points:
    """Return points by seat, None where not stated."""
    return tuple(known(value, UNKNOWN_POINTS) for value in cells.tolist())


def floats_of(cells: npt.NDArray[np.float64]) -> tuple[float | None, ...]:
    """Return numbers by seat, None where not stated."""
    return tuple(None if math.isnan(value) else value for value in cells.tolist())


def texts_of(cells: npt.NDArray[np.object_]) -> tuple[str, ...]:
    """Return texts by seat."""
    return tuple(map(str, cells))


def name_of(tile: int | None) -> str:
    """Return a tile's name, ``?`` for an unknown one."""
    return tile_name(NO_TILE if tile is None else tile)


def rows_of(column: npt.NDArray[np.int32], hand: int) -> range:
    """Rows of a table, ordered by hand, that belong to one hand."""
    return range(*np.searchsorted(column, (hand, hand + 1)).tolist())
