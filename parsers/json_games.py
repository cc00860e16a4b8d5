"""Texts of JSON that hold games: one, a list of them, or a game (or list) on each line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import astuple
from itertools import islice
from typing import Any

import orjson

from paifu.parsers.drafting import DraftedGame
from paifu.parsers.errors import ParseError
from paifu.parsers.json_values import MAX_VALUES, cells_of_list, lines_of, load_json, values_of
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
    load: Callable[[bytes], Any] = load_json,
    is_line: Callable[[bytes], bool] = _no_line,
) -> Iterator[tuple[str, Any]]:
    """Yield location and JSON value of each game; note a fault for each piece that is not JSON.

    ``load`` reads one piece and raises JSONDecodeError or ParseError; ``is_line`` tells a line that is a game
    though it is not JSON. Of a list with very many values, one game is read at a time.
    """
    text = text.removeprefix(b"\xef\xbb\xbf")
    text = text.rstrip()
    if document.whole and not _is_in_lines(text, is_line):
        text, location = text.strip(), document.game_location(0, count=1)
        is_many = len(text) > MAX_VALUES and values_of(text) > MAX_VALUES
        cells = cells_of_list(text) if is_many else []
        if cells and values_of(cells[0]) <= MAX_VALUES and not isinstance(load(b"[%b]" % cells[0]), list):
            cells = []  # a list that is one game
        for index, cell in enumerate(cells):
            location = document.game_location(index, count=len(cells))
            for game in games_of_text(cell.strip(), location, builder, load, is_told=False):
                yield location, game
        if not cells:
            games = games_of_text(text, location, builder, load, is_told=document.cut)
            for index, game in enumerate(games):
                yield document.game_location(index, count=len(games)), game
        return
    count = sum(1 for line in lines_of(text) if line.strip())
    last = text.count(b"\n")
    for number, line in enumerate(lines_of(text)):
        if line.strip():
            location = document.game_location(number, count=count, mark=":")
            is_told = document.cut and number == last
            games = games_of_text(line.strip(), location, builder, load, is_told=is_told)
            for index, game in enumerate(games):
                yield (location if len(games) == 1 else f"{location}#{index + 1}"), game


def reads_json(
    game: Callable[[Any, str], DraftedGame],
    *,
    load: Callable[[bytes], Any] = load_json,
    is_line: Callable[[bytes], bool] = _no_line,
) -> Callable[[Document, bytes, BatchBuilder], None]:
    """Return what reads all games of a text (the plain bytes of a document) into a builder.

    ``game`` is made of the JSON value and the location of each; the rest is as in :func:`json_games`. What
    cannot be read becomes a fault of the builder; hands before it are kept, and their game is marked as cut.
    """

    def read(document: Document, text: bytes, builder: BatchBuilder) -> None:
        for location, value in json_games(document, text, builder, load=load, is_line=is_line):
            game(value, location).add_to(builder)

    return read


def _is_in_lines(text: bytes, is_line: Callable[[bytes], bool]) -> bool:
    """Tell lines of games from one JSON text: one of the first holds a whole object, or a link."""
    lines = islice(lines_of(text), 4 * _LINES_LOOKED_AT)
    full = [line.rstrip() for line in lines if line.strip()][:_LINES_LOOKED_AT]
    return b"\n" in text and any(
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


def games_of_text(
    text: bytes,
    location: str,
    builder: BatchBuilder,
    load: Callable[[bytes], Any] = load_json,
    *,
    is_told: bool,
    hint: str = "get the log again",
) -> list[Any]:
    """Read JSON into games; note a fault with ``hint``, unless there is one already, if it is not JSON."""
    try:
        value = _loaded(text, load)
    except orjson.JSONDecodeError as error:
        if not is_told:
            builder.add_fault(
                location,
                f"line {error.lineno} column {error.colno}",
                "V101",
                f"the JSON breaks off or is not well-formed: {error.msg}",
                hint,
            )
        return []
    except ParseError as error:
        builder.add_fault(*astuple(error.fault(location)))
        return []
    if value == []:
        builder.add_fault(location, "", "V102", "the list holds no game", "nothing to do, or get it again")
    return value if isinstance(value, list) else [value]
