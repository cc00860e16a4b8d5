"""Values of JSON logs, checked while they are read: each is what it should be, or a ParseError says where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import orjson

from paifu.parsers.errors import ParseError
from paifu.replay.bounds import MAX_POINTS

MAX_TEXT = 2000
"""Characters of the longest name or title taken."""
MAX_VALUES = 1_000_000
"""Values of one game; the biggest known has some 60,000. A value takes up to 200 bytes of memory."""
_BYTES_OF_A_VALUE, _MANY = 200, 10_000
_BEGIN_A_VALUE = (b",", b"[", b"{", b"\\u00", b"\n")
"""What values, or escapes and lines in their place, cannot be without."""

JsonPlace = int | str
"""Where a value is in what holds it: an index, or empty."""


def values_of(text: bytes) -> int:
    """Count the values of a text of JSON from above, at the speed of its bytes."""
    return sum(map(text.count, _BEGIN_A_VALUE))


def load_json(text: bytes) -> Any:
    """Read JSON. Raises JSONDecodeError, ParseError for more values than a game can have, and MemoryError.

    orjson ends the process where it gets no memory, so whether there is enough is seen before.
    """
    if len(text) <= _MANY:
        return orjson.loads(text)
    count = values_of(text)
    if count > MAX_VALUES:
        raise ParseError(
            f"the JSON holds more than {MAX_VALUES:,} values, which no game has",
            hint="if it holds many games, write a list of them, or a game on each line",
        )
    if count > _MANY:
        bytes(_BYTES_OF_A_VALUE * count)  # asked for, not touched
    return orjson.loads(text)


_MAX_CELLS = 50_000
_LINES_AT_ONCE = 1 << 20
"""Bytes of lines that are in memory twice."""


def lists_of_lines(text: bytes) -> Iterator[list[bytes]]:
    """Yield the lines of a text, as ``text.split`` has them, some after some, so that memory holds few."""
    begin = 0
    while (end := text.find(b"\n", begin + _LINES_AT_ONCE)) >= 0:
        yield text[begin:end].split(b"\n")
        begin = end + 1
    yield text[begin:].split(b"\n")


def lines_of(text: bytes) -> Iterator[bytes]:
    """Yield the lines of a text one by one."""
    return chain.from_iterable(lists_of_lines(text))


_CELL_MARK = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{},]', re.DOTALL)


def cells_of_list(text: bytes) -> list[bytes]:
    """Split a list of JSON into the texts of its cells, none of which is read.

    Empty if it is not a list, or has more cells than anybody puts games into one.
    """
    cells, depth, begin = [], 0, 1
    if text[:1] != b"[" or text[-1:] != b"]":
        return []
    for mark in _CELL_MARK.finditer(text):
        sign = mark[0][0]
        if sign in b"[{":
            depth += 1
        elif sign in b"]}":
            depth -= 1
        if (depth == 1 and sign in b",") or depth == 0:
            cells.append(text[begin : mark.start()])
            begin = mark.end()
            if depth == 0 or len(cells) > _MAX_CELLS:
                break
    return cells if begin == len(text) else []


def shown(value: Any) -> str:
    """Name a value in an error, however big or deep it is."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    return "null" if value is None else repr(value[:40] if isinstance(value, str) else value)[:40]


def wrong_value(reason: str, at: JsonPlace = "", code: str = "V101") -> ParseError:
    """Return the error to raise for the value at ``at``."""
    return ParseError(reason, place=f"[{at}]" if isinstance(at, int) else at, code=code)


def as_object(value: Any, what: str = "it", at: JsonPlace = "", code: str = "V101") -> dict[str, Any]:
    """Check an object; ``what`` names it in the error."""
    if not isinstance(value, dict):
        raise wrong_value(f"{what} is {shown(value)}; expected an object", at, code)
    return value


def as_list(value: Any, what: str, at: JsonPlace = "") -> list[Any]:
    """Check a list; ``what`` names it in the error."""
    if not isinstance(value, list):
        raise wrong_value(f"{what} is {shown(value)}; expected a list", at)
    return value


def log_of(value: Any) -> tuple[dict[str, Any], list[Any]]:
    """Check a game that is an object with a list of hands; returns both."""
    if not isinstance(value, dict):
        raise ParseError(f"a game is a JSON object, not {shown(value)}", code="V102")
    return value, as_list(value.get("log"), "the list of hands", "log")


def as_whole(value: Any, low: int, high: int, what: str, at: JsonPlace = "") -> int:
    """Check a whole number; 25000.0 is one too."""
    if type(value) is int and low <= value <= high:
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise wrong_value(f"{what} is {shown(value)}; expected a whole number {low} to {high}", at, "V105")
    return value


_WHOLE = {int}


def as_points(cells: list[Any], what: str, at: JsonPlace = "") -> list[int]:
    """Check numbers of points that a game can have."""
    if {*map(type, cells)} == _WHOLE and max(cells) <= MAX_POINTS and min(cells) >= -MAX_POINTS:
        return cells  # as in nearly every list
    return [as_whole(cell, -MAX_POINTS, MAX_POINTS, what, at) for cell in cells]


def as_decimal(value: Any, most: int, what: str) -> float:
    """Check a number of either sign, at most ``most``."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) <= most:
        raise wrong_value(f"{what} is {shown(value)}; expected a number", code="V105")
    return float(value)


def as_text(value: Any, what: str, at: JsonPlace = "") -> str:
    """Check a text."""
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise wrong_value(f"{what} is {shown(value)}; expected a text of at most {MAX_TEXT} characters", at)
    return value


def coded_tile(codes: Mapping[Any, int], value: Any) -> int:
    """Read one tile, by the code of each name or number."""
    if (type(value) is str or type(value) is int) and value in codes:
        return codes[value]
    raise wrong_value(f"{shown(value)} is not a tile", code="V105")


def coded_tiles(codes: Mapping[Any, int], value: Any, most: int) -> bytes:
    """Read a list of tiles, at most ``most``."""
    cells = as_list(value, "a list of tiles")
    if len(cells) > most:
        raise wrong_value(f"it lists {len(cells)} tiles; at most {most} are possible", code="V105")
    return bytes([coded_tile(codes, cell) for cell in cells])


class Within:
    """Context that prefixes its own place to that of a ParseError raised inside."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ParseError):
            error.place = self.place + error.place
