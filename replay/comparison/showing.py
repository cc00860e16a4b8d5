"""Values of facts as people read them, in lists of what differs."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.model.batch import NO_YAKU, UNKNOWN_POINTS, Batch, Column
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import ALL_TILES, NO_TILE
from paifu.replay.scoring.yaku import YAKU

_NOTHING = "-"
_BLANK = {UNKNOWN_POINTS, NO_YAKU, -1, -2}


_MARKS = {EventFlag.TSUMOGIRI: "tsumogiri", EventFlag.OPEN: "open"}
_WORDS: dict[str, dict[int, str]] = {
    "events.kind": {kind: kind.name.lower() for kind in EventKind},
    "hand_draws.kind": {end: end.name.lower() for end in HandEnd},
    "wins.yaku": {number: yaku.romaji for number, yaku in YAKU.items()},
    "wins.liable": {NO_SEAT: "nobody"},
}
"""Fact -> the words for its numbers."""


def _tile(number: int) -> str:
    return tile_name(number) if number < ALL_TILES else _NOTHING


def shown_value(fact: str, column: Column, value: Any, known: npt.NDArray[np.bool_]) -> str:
    """Show one row of a column: its cells, or by seat where each seat has its own."""
    if np.ndim(value) == 0:
        return _cell(fact, column, value)
    if len(known) == len(value) and len(known) > 1:
        return ", ".join(
            _cell(fact, column, cell) if is_known else _NOTHING
            for cell, is_known in zip(value, known, strict=True)
        )
    return _cell(fact, column, value)


def _cell(fact: str, column: Column, value: Any) -> str:
    if np.ndim(value):
        blank = {*_BLANK, 0} if fact == "wins.han" else _BLANK
        cells = [
            cell for cell in np.asarray(value).reshape(-1).tolist() if not _is_blank(column, cell, blank)
        ]
        return " ".join(_cell(fact, column, cell) for cell in cells) or _NOTHING
    if fact in _WORDS:
        return _WORDS[fact].get(int(value), str(value))
    if fact == "events.flags":
        return " ".join(word for flag, word in _MARKS.items() if int(value) & flag) or "from hand"
    if column.is_code:
        return _tile(int(value))
    if isinstance(value, (float, np.floating)):
        return f"{value:g}"
    return str(value)


def _is_blank(column: Column, cell: Any, blank: Collection[int]) -> bool:
    return bool(cell == NO_TILE) if column.is_code else cell in blank


def shown_move(batch: Batch, event: int) -> str:
    """Show one event: what it is, and its tile."""
    kind, tile = int(batch.events.kind[event]), int(batch.events.tile[event])
    words = _WORDS["events.kind"].get(kind, str(kind))
    return f"{words} {_tile(tile)}" if tile != NO_TILE else words
