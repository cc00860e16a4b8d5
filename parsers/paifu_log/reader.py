"""paifu's own log, JSON Lines ``paifu/1``: games by the line, or events by the line.

There are two shapes, detected from content; one file may hold both. A *game* is one object with ``paifu``,
``game``, ``hands`` and ``result``. Or its parts are on lines of their own: ``{"paifu": 1, "game": {...}}``
begins a game, ``{"hand": {...}}`` a hand, a string or an object with ``event`` is an event, and
``{"result": {...}}`` ends the game. The same methods of
:class:`~paifu.parsers.paifu_log.games.GameReader` read both.

What a log leaves out is unknown in the replay model. ``docs/reference/paifu-log.md`` and ``schema.json``
define the format.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import astuple
from typing import Any

import orjson

from paifu.parsers.errors import ParseError
from paifu.parsers.json_games import games_of_text
from paifu.parsers.json_values import as_object, lines_of, load_json
from paifu.parsers.paifu_log.games import GameReader
from paifu.parsers.paifu_log.values import (
    FAULT,
    StatedError,
    check_version,
    stated_fault,
    unknown_names,
)
from paifu.parsers.sources.documents import Document
from paifu.replay.model.builder import BatchBuilder

_ONE_VALUE = "write one JSON value a line, or one game in the file"
_BEGINS_GAME = re.compile(rb"^[ \t]*\{\s{0,8}\"paifu\"", re.MULTILINE)


def read_paifu(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read all games of ``text`` (the plain bytes of ``document``) into ``builder``.

    What cannot be read becomes a fault of the builder; what comes before it is kept, and its game is
    marked as cut.
    """
    text = text.removeprefix(b"\xef\xbb\xbf")
    if document.whole and not _is_in_lines(text):
        _read_document(document, text, builder)
    else:
        _Lines(document, text, builder).read()


def _is_in_lines(text: bytes) -> bool:
    """Tell lines from one JSON text: the first line that is not blank is a whole object."""
    first = text.lstrip().partition(b"\n")[0].rstrip()
    return first[:1] == b"{" and first[-1:] == b"}" and first != text.strip()


def _read_document(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read one JSON text: a game, or a list of games."""
    values = games_of_text(text, document.location, builder, is_told=document.cut, hint=_ONE_VALUE)
    for index, one in enumerate(values):
        _read_object(one, document.game_location(index, count=len(values)), builder)


def _no_json(error: orjson.JSONDecodeError, place: str) -> ParseError:
    reason = f"the JSON breaks off or is not well-formed: {error.msg}"
    return ParseError(reason, place=place, hint=_ONE_VALUE)


def _tell(builder: BatchBuilder, location: str, error: ParseError) -> None:
    builder.add_fault(*astuple(error.fault(location)))


def _read_object(value: Any, location: str, builder: BatchBuilder) -> None:
    """Read a game that is one object, or a fault that belongs to no game."""
    if isinstance(value, dict) and "fault" in value and "game" not in value:
        _read_fault(value, location, builder)
        return
    game = GameReader(location)
    try:
        game.whole(value)
    except ParseError as error:
        game.fail(error)
    game.finish(builder)


def _read_fault(value: dict[str, Any], location: str, builder: BatchBuilder) -> None:
    """Read what was told of input from which no game came."""
    try:
        check_version(value)
        cells = as_object(value["fault"], "a fault")
        fault, wrong_code = stated_fault(cells, ("source", *FAULT))
    except ParseError as error:
        _tell(builder, location, error)
        return
    others = (*unknown_names(value, ("paifu", "fault")), *unknown_names(cells, fault))
    for wrong in filter(None, (wrong_code, *others)):
        _tell(builder, location, wrong)
    builder.add_fault(fault.pop("source") or location, **fault)


# --- lines ---------------------------------------------------------------------------------------------


class _Lines:
    """The lines of a document, each a game or a part of one."""

    def __init__(self, document: Document, text: bytes, builder: BatchBuilder) -> None:
        self.document = document
        self.builder = builder
        self.text = text
        self.count = sum(1 for _ in _BEGINS_GAME.finditer(text))
        self.game: GameReader | None = None
        self.is_lost = False
        """The game that the lines belong to cannot be read, or not any further."""

    def read(self) -> None:
        last = self.text.count(b"\n")
        for number, line in enumerate(lines_of(self.text)):
            if not line or line.isspace():
                continue
            try:
                value = load_json(line)
            except orjson.JSONDecodeError as error:
                fault = _no_json(error, f"{self._place(number)} column {error.colno}")
                self._break_off(number, fault, is_told=self.document.cut and number == last)
                continue
            except ParseError as error:
                self._put(error, number)
                self._break_off(number, error, is_told=False)
                continue
            if self.game is not None and not self.is_lost and self.game.plain_event(value):
                self.game.lines.append(self._number(number))
                continue
            if isinstance(value, dict) and "paifu" in value:
                self._begin(value, number)
            elif self.game is not None and not self.is_lost:
                self._part(value, number)
            elif not self.is_lost:
                self.is_lost = True
                self._tell(
                    number, ParseError("no game begins before this line", code="V102", hint=_FIRST_LINE)
                )
        if self.document.cut and self.game is not None and not self.game.is_over:
            self.game.is_broken = True  # as is reported already
        self._end()

    def _location(self, number: int) -> str:
        return self.document.game_location(number, count=max(self.count, 1), mark=":")

    def _place(self, number: int) -> str:
        return f"line {self._number(number)}"

    def _number(self, number: int) -> int:
        return self.document.first_index + number + 1

    def _put(self, error: ParseError, number: int) -> None:
        """Put the line before an error's place in it."""
        error.place = f"{self._place(number)} {error.place.lstrip('.')}".rstrip()

    def _tell(self, number: int, error: ParseError) -> None:
        self._put(error, number)
        _tell(self.builder, self._location(number), error)

    def _break_off(self, number: int, fault: ParseError, *, is_told: bool) -> None:
        """Go on with the next game after a line that is not JSON."""
        if self.game is not None and not self.is_lost:
            self.game.fail(fault, is_told=is_told)
        elif not self.is_lost and not is_told:
            _tell(self.builder, self._location(number), fault)
        self.is_lost = True

    def _begin(self, value: dict[str, Any], number: int) -> None:
        self._end()
        if "hands" in value or "fault" in value:
            _read_object(value, self._location(number), self.builder)
            return
        self.game = GameReader(self._location(number))
        self._read(self.game.opening, value, number)

    def _part(self, value: Any, number: int) -> None:
        assert self.game is not None  # noqa: S101  as the caller checks
        self._read(self.game.part, value, number)
        words = self.game.draft.words
        self.game.lines += [self._number(number)] * (len(words) - len(self.game.lines))

    def _read(self, read: Callable[[Any], None], value: Any, number: int) -> None:
        assert self.game is not None  # noqa: S101  as the callers check
        told = len(self.game.faults)
        try:
            read(value)
        except ParseError as error:
            self.game.fail(error)
            self.is_lost = True
        for fault in self.game.faults[told:]:
            if not isinstance(fault, StatedError):
                self._put(fault, number)

    def _end(self) -> None:
        if self.game is not None:
            self.game.finish(self.builder)
        self.game = None
        self.is_lost = False


_FIRST_LINE = 'a game\'s first line is {"paifu": 1, "game": {"ruleset": "tenhou"}}'
