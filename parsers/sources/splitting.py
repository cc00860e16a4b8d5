"""Big texts in pieces of whole games, with bounded memory.

A piece ends at the first game's end that lies at or after ``Limits.piece`` bytes; how the bytes happen to
arrive makes no difference. A game that is too big is reported, skipped to its end, and the rest goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from paifu.parsers.errors import DamagedError, InputFault, ParseError, too_big
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document, InputLimits
from paifu.parsers.sources.streams import CHUNK, Peekable, read_all


@dataclass(frozen=True, slots=True)
class _Unit:
    """How games follow each other in a text: what ends one, how many there are, how the n-th is named."""

    name: str
    end: re.Pattern[bytes]
    count: Callable[[bytes], int]
    mark: str
    tail: int = 64
    """Bytes kept when nothing was found: the end of a game may lie across two chunks."""


_ROOT = re.compile(rb"<mjloggm[\s/>]")
_ROOTS = _Unit("a game", re.compile(rb"</mjloggm\s{0,8}>"), lambda text: len(_ROOT.findall(text)), "#")
_PAIFU = _Unit("a game", re.compile(rb'\n(?=\{[ \t]{0,8}"paifu")'), lambda text: text.count(b"\n"), ":")
_MJAI = _Unit(
    "a game",
    re.compile(rb'\n(?=[\[ \t]{0,8}\{[ \t]{0,8}"type"[ \t]{0,8}:[ \t]{0,8}"start_game")'),
    lambda text: text.count(b'"start_game"'),
    "#",
)
_MJX = _Unit(
    "a game",
    # A hand of East 1 without honba begins a game: zeros are left out.
    re.compile(rb'\n(?=[^\n]{0,3000}"initScore"[ \t]{0,8}:[ \t]{0,8}\{[ \t]{0,8}"tens")'),
    lambda text: text.count(b"\n"),
    ":",
    tail=4096,
)
_TABLES = _Unit(
    "a game",
    re.compile(rb"\n(?=={5} )"),
    lambda text: len(re.findall(rb"^={5} ", text, re.MULTILINE)),
    "#",
)
_LINES = _Unit("a line", re.compile(rb"\n"), lambda text: text.count(b"\n"), ":")

_GAMES_OF_LINES = {Format.PAIFU: _PAIFU, Format.MJAI: _MJAI, Format.MJX: _MJX}
"""Formats in which a game goes over many lines."""

_CLOSERS = {b"{": b"}", b"[": b"]"}


def _unit_of(reader: Peekable, kind: Format, limits: InputLimits) -> _Unit | None:
    """Games of mjlog are XML roots; JSON is one document (None), one on each line, or lines of one game each.

    JSON lines are recognised by the first line: it closes the bracket it opens with, and what follows opens
    one again. A pretty-printed document does neither.
    """
    if kind is Format.MJLOG:
        return _ROOTS
    if kind is Format.TONPUUSOU:
        return _TABLES
    head = reader.peek(CHUNK)
    if kind is Format.MAJSOUL and head[:1] not in b"{[\xef \n":  # a message, not a text
        return None
    if b"\n" not in head.strip() and not reader.ended:
        head = reader.peek(limits.max_document)
    first, _, rest = head.removeprefix(b"\xef\xbb\xbf").strip().partition(b"\n")
    first, following = first.rstrip(), rest.lstrip()[:1]
    if not following:
        return None
    if _CLOSERS.get(first[:1], first[-1:]) == first[-1:] and following not in b"}],":
        return _GAMES_OF_LINES.get(kind, _LINES)
    return None


@dataclass(frozen=True, slots=True)
class _Piece:
    """Whole games; ``text`` is None where one was too big, ``cut`` is set on what a damaged source left."""

    text: bytes | None
    cut: bool = False


def split(
    reader: Peekable, kind: Format, location: str, limits: InputLimits
) -> Iterator[Document | InputFault]:
    """The documents of one text, in order.

    Raises ParseError where the source breaks, after everything sound before that has been given out.
    """
    unit = _unit_of(reader, kind, limits)
    if unit is None:
        yield from _one_document(reader, kind, location, limits)
        return
    index = 0
    alone = True
    held: Document | None = None  # held back until it is known whether it is the only one
    try:
        for piece in _pieces(reader, unit, limits):
            if held is not None:
                alone = False
                yield replace(held, whole=False)
                index += unit.count(held.data)  # which takes its time, and most sources are one piece
                held = None
            if piece.text is None:
                alone = False
                yield too_big(limits.max_document, unit.name).fault(f"{location}{unit.mark}{index + 1}")
                index += 1
            else:
                held = Document(location, piece.text, kind, index, whole=alone, cut=piece.cut)
    except ParseError:
        if held is not None:
            yield held
        raise
    if held is not None:
        yield held


def _one_document(reader: Peekable, kind: Format, location: str, limits: InputLimits) -> Iterator[Document]:
    try:
        yield Document(location, read_all(reader, limits.max_document), kind)
    except DamagedError as error:
        yield Document(location, error.readable, kind, cut=True)
        raise


def _pieces(reader: Peekable, unit: _Unit, limits: InputLimits) -> Iterator[_Piece]:
    text = bytearray()
    searched = limits.piece  # no end is looked for before this
    skipping = False
    try:
        while chunk := reader.read(CHUNK):
            text += chunk
            while True:
                found = unit.end.search(text, searched)
                end = found.end() if found else None
                if skipping:
                    del text[: end or -unit.tail]
                    if end is None:
                        break
                    yield _Piece(None)
                    skipping, searched = False, limits.piece
                elif end is None and len(text) <= limits.max_document:
                    searched = max(limits.piece, len(text) - unit.tail)
                    break
                elif end is not None and end <= limits.max_document:
                    yield _Piece(bytes(text[:end]))
                    del text[:end]
                    searched = limits.piece
                elif last := _last_end(unit, text, limits.piece):
                    yield _Piece(bytes(text[:last]))
                    del text[:last]
                    searched = limits.piece
                else:
                    # Told when its end is found: should the source break before that, it is one fault only.
                    skipping, searched = True, 0
    except DamagedError:
        if text.strip() and not skipping:
            yield _Piece(bytes(text), cut=True)
        raise
    if skipping:
        yield _Piece(None)
    elif text.strip():
        yield _Piece(bytes(text))


def _last_end(unit: _Unit, text: bytearray, before: int) -> int:
    """Where the last game that ends before ``before`` ends; 0 if none does."""
    return max((found.end() for found in unit.end.finditer(text, 0, before + unit.tail)), default=0)
