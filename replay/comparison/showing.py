"""Values of facts as people read them, in lists of what differs."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.model.batch import NO_YAKU, UNKNOWN_POINTS, Batch, Column
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import ALL_TILES, NO_TILE, tile_name
from paifu.replay.scoring.yaku import YAKU

_NOTHING = "-"
_BLANK = {UNKNOWN_POINTS, NO_YAKU, -1, -2}


def _kind(number: int) -> str:
    return EventKind(number).name.lower() if number in set(EventKind) else str(number)


def _end(number: int) -> str:
    return HandEnd(number).name.lower() if number in set(HandEnd) else str(number)


def _yaku(number: int) -> str:
    return YAKU[number].romaji if number in YAKU else str(number)


def _liable(seat: int) -> str:
    return "nobody" if seat == NO_SEAT else str(seat)


def _marks(flags: int) -> str:
    words = {EventFlag.TSUMOGIRI: "tsumogiri", EventFlag.OPEN: "open"}
    return " ".join(word for flag, word in words.items() if flags & flag) or "from hand"


_WORDS: dict[str, Callable[[int], str]] = {
    "events.kind": _kind,
    "hand_draws.kind": _end,
    "wins.yaku": _yaku,
    "wins.liable": _liable,
    "events.flags": _marks,
}


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
        return _WORDS[fact](int(value))
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
    return f"{_kind(kind)} {_tile(tile)}" if tile != NO_TILE else _kind(kind)
