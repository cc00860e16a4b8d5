"""Cells of columns as the values that views show: None where the log does not say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.model.batch import UNKNOWN_POINTS, Column, Table
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import NO_TILE

ByTile = tuple[int | None, ...]
"""Tiles or ids; None where hidden or not stated."""
Points = tuple[int | None, ...]
"""Points by seat; None where not stated."""


def known(value: int, unknown: int) -> int | None:
    """Return a value, or None for the number that means unknown."""
    return None if value == unknown else value


def fields_of(view: type[Any], table: Table, row: int, players: int) -> dict[str, Any]:
    """Return the fields of a view that are columns of a table, as a row of it has them.

    What the log does not say is None. Cells for each seat are those of the players; other lists end where
    nothing more is stated.
    """
    return {
        column.name: _plain(column, getattr(table, column.name)[row], players)
        for column in table.columns()
        if column.name in view.__dataclass_fields__
    }


def _plain(column: Column, cell: Any, players: int) -> Any:
    if column.width[:1] == (4,):
        return _as_said(cell[:players].tolist(), column.unknown)
    if not column.width:
        return _as_said(cell if isinstance(cell, str) else cell.tolist(), column.unknown)
    return tuple([one for one in cell.tolist() if not column.unknown or one != column.unknown])


def _as_said(value: Any, unknown: Any) -> Any:
    """Return a value, or each of a list, None if the log does not say it; 0, False and no text are values."""
    if isinstance(value, list):
        if not value or isinstance(value[0], list | float):
            return tuple(_as_said(one, unknown) for one in value)
        return tuple([None if unknown and one == unknown else one for one in value])  # quicker
    is_nan = isinstance(value, float) and math.isnan(value)
    return None if is_nan or (unknown and value == unknown) else value


def stated(cells: npt.NDArray[np.uint8]) -> tuple[int, ...]:
    """Cells without the padding."""
    return tuple(tile for tile in cells.tolist() if tile != NO_TILE)


def points_of(cells: npt.NDArray[np.int32]) -> Points:
    """Return points by seat, None where not stated."""
    return tuple(known(value, UNKNOWN_POINTS) for value in cells.tolist())


def name_of(tile: int | None) -> str:
    """Return a tile's name, ``?`` for an unknown one."""
    return tile_name(NO_TILE if tile is None else tile)


def rows_of(column: npt.NDArray[np.int32], hand: int) -> range:
    """Rows of a table, ordered by hand, that belong to one hand."""
    return range(*np.searchsorted(column, (hand, hand + 1)).tolist())
