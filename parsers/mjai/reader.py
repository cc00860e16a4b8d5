"""mjai: one event a line, in the dialects of its servers, bots and converters.

A line holds an event or a list of events; a file holds one game or several, each from ``start_game`` on. The
report that mjai-reviewer writes as JSON is one object with a game in it, and what an engine said of the game.
Most lines of all games are the same few thousand draws and discards, so they are looked up and never parsed.
"""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import orjson

from paifu.parsers.errors import ParseError
from paifu.parsers.json_values import lists_of_lines, load_json
from paifu.parsers.mjai.games import MjaiGame
from paifu.parsers.mjai.verdicts import read_review
from paifu.parsers.sources.documents import Document
from paifu.replay.model.builder import BatchBuilder

_GAME = "mjai_log"
"""Where a report has its game."""
_MAX_NESTED = 4
_BEGIN_ANEW = ("start_kyoku", "end_game")
"""Events that do not belong to the hand before."""


def read_mjai(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read all games of ``text`` (the plain bytes of ``document``) into ``builder``.

    What cannot be read becomes a fault of the builder, and costs its hand.
    """
    text = text.removeprefix(b"\xef\xbb\xbf").strip()
    reader = _Reader(document, builder, max(1, text.count(b'"start_game"')))
    if b"\n" in text and _is_whole(text[: text.index(b"\n")]):
        first = 0
        last = text.count(b"\n") if document.cut else -1
        for lines in lists_of_lines(text):
            reader.lines(lines, first, last)
            first += len(lines)
    else:
        reader.line(text, 0, is_last=True)
    reader.end_game()


def _is_whole(line: bytes) -> bool:
    """Tell a line of JSON from the beginning of a text that goes over many."""
    line = line.strip()
    return (line[:1] == b"{" and line[-1:] == b"}") or (line[:1] == b"[" and line[-1:] == b"]")


class _Reader:
    """Goes through a text and begins a game where one begins."""

    def __init__(self, document: Document, builder: BatchBuilder, count: int) -> None:
        self.document = document
        self.builder = builder
        self.count = count
        self.games = 0
        self.game: MjaiGame | None = None
        self.is_waiting = False
        """The game cannot be read on: the next one that begins is waited for."""
        self.is_lost = False
        """An event of the hand could not be read: the next hand is waited for."""

    @property
    def skips(self) -> bool:
        """Return whether events are passed over."""
        return self.is_waiting or self.is_lost

    def lines(self, lines: list[bytes], first: int, last: int) -> None:
        """Take lines, of which ``first`` is the number of the first.

        ``last`` is that of the text's last line if the text is cut.
        """
        at, known, found = 0, None, list[int | None]()
        while at < len(lines):
            game = self.game
            if game is not None and game.known and not self.skips and game.draft.hands:
                if known is not game.known:
                    known = game.known
                    found = [*map(known.get, lines), None]
                stop = found.index(None, at)
                game.words += found[at:stop]  # type: ignore[arg-type]  # up to the first None
                at = stop
                if at == len(lines):
                    return
                if word := known.get(lines[at]):  # met in the lines before
                    game.words.append(word)
                    at += 1
                    continue
            self.line(lines[at].strip(), first + at, is_last=first + at == last)
            at += 1

    def line(self, line: bytes, number: int, *, is_last: bool) -> None:
        """Take one line."""
        game = self.game
        if not line:
            return
        place = f"line {number + 1}"
        try:
            value = load_json(line)
        except orjson.JSONDecodeError as error:
            if is_last and self.document.cut:
                self.is_waiting = True
                if game is not None:
                    game.is_broken = True
                return
            reason = f"the JSON breaks off or is not well-formed: {error.msg}"
            self._fault(ParseError(reason, place=f"line {number + error.lineno} column {error.colno}"))
            return
        except ParseError as error:
            error.place = place
            self._fault(error)
            return
        if isinstance(value, list):
            self._events(value, place, _MAX_NESTED)
        elif isinstance(value, dict) and isinstance(value.get(_GAME), list):
            self._events(value[_GAME], f"{place} {_GAME}", _MAX_NESTED)
            if self.game is not None:
                read_review(value, self.game)
        else:
            self._event(value, place, line)

    def _events(self, values: list[Any], place: str, depth: int) -> None:
        for at, value in enumerate(values):
            if isinstance(value, list) and depth:
                self._events(value, f"{place}[{at}]", depth - 1)
            else:
                self._event(value, f"{place}[{at}]", b"")

    def _event(self, value: Any, place: str, line: bytes) -> None:
        kind = value.get("type") if isinstance(value, dict) else None
        if kind == "start_game" or (self.game is not None and self.game.is_over and kind == "start_kyoku"):
            self.end_game()
        self.is_lost &= kind not in _BEGIN_ANEW
        if self.skips:
            return
        game = self.game
        if game is None:
            if kind in ("none", "hello", "join"):
                return
            location = self.document.game_location(self.games, count=self.count)
            game = self.game = MjaiGame(location)
            self.games += 1
        told = len(game.faults)
        try:
            game.event(value, line)
        except ParseError as error:
            what = f"{place} {kind[:20]}" if isinstance(kind, str) else place
            error.place = f"{what} {error.place}".strip()
            self._fault(error, kind)
        for fault in game.faults[told:]:
            if not fault.place.startswith("line"):
                fault.place = f"{place} {fault.place}".strip()
        if game.is_broken:
            self.is_waiting = True

    def _fault(self, error: ParseError, kind: Any = None) -> None:
        """Leave the hand here, or where its beginning cannot be read, the game."""
        if self.skips:
            return
        if self.game is not None and self.game.draft.hands and kind not in _BEGIN_ANEW:
            self.game.faults.note_hand(error, self.game.draft, len(self.game.draft.hands) - 1)
            self.is_lost = True
            return
        error.hint = error.hint or "hands before this place were kept"
        self.is_waiting = True
        if self.game is None:
            self.game = MjaiGame(self.document.game_location(self.games, count=self.count))
            self.games += 1
        self.game.is_broken = True
        self.game.faults.append(error)

    def end_game(self) -> None:
        """Hand over the game that was being read."""
        game, self.game, self.is_waiting, self.is_lost = self.game, None, False, False
        if game is None:
            return
        faults = list(game.faults)
        if game.draft.hands:
            self.builder.add(game.finish(is_whole=not game.is_broken))
            faults = game.faults
        elif not faults and not self.document.cut:
            faults = [ParseError("the log holds no hand", hint="nothing to do, or get it again")]
        for fault in faults:
            self.builder.add_fault(*astuple(fault.fault(game.draft.game["source"])))
