"""Values of an mjai event by seat, turned so that the first dealer is seat 0."""

from __future__ import annotations

from typing import Any

from paifu.parsers.json_values import as_list, as_whole, shown, wrong_value
from paifu.parsers.mjai import names as mjai
from paifu.parsers.packed_events import turned
from paifu.replay.bounds import MAX_POINTS
from paifu.replay.model.tiles import NO_TILE


class Seated:
    """What a game knows of its seats, and the values that need it."""

    def __init__(self) -> None:
        self.players = 0
        """0 before the first hand."""
        self.turn = 0
        """The file's seat that is the model's seat 0."""

    def seat(self, value: dict[str, Any], name: str) -> int:
        """Read a seat, turned to the model's."""
        seat = as_whole(value.get(name), 0, self.players - 1, name)
        return (seat - self.turn) % self.players

    def tile(self, value: dict[str, Any], name: str = "pai", *, may_hide: bool = False) -> int:
        """Read a tile; raises ParseError for a hidden one, unless it may be."""
        text = value.get(name)
        code = mjai.CODES.get(text) if isinstance(text, str) else None
        if code is None:
            raise wrong_value(f"{name} is {shown(text)}, which is not a tile", code="V105")
        if code == NO_TILE and not may_hide:
            raise wrong_value(f"{name} is hidden; everybody sees it", code="V105")
        return code

    def tiles(self, value: Any, name: str, most: int, *, may_hide: bool = True) -> list[int]:
        """Read a list of tiles, at most ``most``."""
        cells = as_list(value, name)
        if len(cells) > most:
            raise wrong_value(f"{name} lists {len(cells)} tiles; at most {most} are possible", code="V105")
        return [self.tile({name: cell}, name, may_hide=may_hide) for cell in cells]

    def points(self, value: Any, name: str) -> list[int]:
        """Read points by seat, turned to the model's."""
        cells = as_list(value, name)
        if len(cells) not in (self.players, 4):
            raise wrong_value(f"{name} does not state {self.players} players' points", code="V105")
        points = [as_whole(cell, -MAX_POINTS, MAX_POINTS, name) for cell in cells]
        return turned(points, self.turn, self.players, 0)
