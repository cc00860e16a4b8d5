"""Texts of JSON that hold games: one, a list of them, or a game (or list) on each line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import orjson

from paifu.parsers.sources.documents import Document
from paifu.parsers.sources.surroundings import decoded
from paifu.replay.model.builder import BatchBuilder

_LINES_LOOKED_AT = 5


def _no_line(_line: bytes) -> bool:
    return False


def json_games(
    document: Document,
    text: bytes,
    builder: BatchBuilder,
    *,
    load: Callable[[bytes], Any] = orjson.loads,
    is_line: Callable[[bytes], bool] = _no_line,
) -> Iterator[tuple[str, Any]]:
    """Yield location and JSON value of each game; note a fault for each piece that is not JSON.

    ``load`` reads one piece and raises JSONDecodeError; ``is_line`` tells a line that is a game though it is
    no JSON.
    """
    text = text.removeprefix(b"\xef\xbb\xbf")
    lines = text.rstrip().split(b"\n")
    if document.whole and not _is_in_lines(lines, is_line):
        location = document.game_location(0, count=1)
        games = _games(text.strip(), location, builder, load, is_told=document.cut)
        for index, game in enumerate(games):
            yield document.game_location(index, count=len(games)), game
        return
    count = sum(1 for line in lines if line.strip())
    for number, line in enumerate(lines):
        if line.strip():
            location = document.line_location(number, count=count)
            is_told = document.cut and number == len(lines) - 1
            games = _games(line.strip(), location, builder, load, is_told=is_told)
            for index, game in enumerate(games):
                yield (location if len(games) == 1 else f"{location}#{index + 1}"), game


def _is_in_lines(lines: list[bytes], is_line: Callable[[bytes], bool]) -> bool:
    """Tell lines of games from one JSON text: one of the first holds a whole object, or a link."""
    full = [line.rstrip() for line in lines[: 4 * _LINES_LOOKED_AT] if line.strip()][:_LINES_LOOKED_AT]
    return len(lines) > 1 and any(
        (line[:1] == b"{" and line[-1:] == b"}") or (line[:2] == b"[{" and line[-1:] == b"]") or is_line(line)
        for line in full
    )


def _loaded(text: bytes, load: Callable[[bytes], Any]) -> Any:
    """Read a text of UTF-8, or else of Japanese Windows."""
    try:
        return load(text)
    except orjson.JSONDecodeError:
        try:
            text.decode()
        except UnicodeDecodeError:
            if japanese := decoded(text, "cp932"):
                return load(japanese.encode())
        raise


def _games(
    text: bytes, location: str, builder: BatchBuilder, load: Callable[[bytes], Any], *, is_told: bool
) -> list[Any]:
    """Read JSON into games; note a fault, unless there is one already, if it is not JSON."""
    try:
        value = _loaded(text, load)
    except orjson.JSONDecodeError as error:
        if not is_told:
            builder.add_fault(
                location,
                f"line {error.lineno} column {error.colno}",
                "V101",
                f"the JSON breaks off or is not well-formed: {error.msg}",
                "get the log again",
            )
        return []
    if value == []:
        builder.add_fault(location, "", "V102", "the list holds no game", "nothing to do, or get it again")
    return value if isinstance(value, list) else [value]
