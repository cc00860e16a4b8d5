"""What lies in a file or stream: a log, or archives, compressed files and databases, inside each other."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from paifu.parsers.errors import ANYTHING, DamagedError, ParseError, unreadable_because_of
from paifu.parsers.sources.detect import COMPRESSIONS, HEAD, LOGS, XML_HEAD, Format, gzipped_xml, sniff
from paifu.parsers.sources.documents import Document, InputLimits, Item, is_passed_over
from paifu.parsers.sources.splitting import split
from paifu.parsers.sources.streams import CHUNK, Meter, Peekable, Reader, Unpacked, read_all
from paifu.replay.foreign_text import escaped

if TYPE_CHECKING:
    from paifu.parsers.sources.archives import Member

_NESTING = COMPRESSIONS | {Format.TAR, Format.ZIP}


class NestedSource:
    """One file or stream, with everything nested in it, or ``only`` the member or row of that name.

    ``location`` is its readable name, ``path`` that of a regular file, which may be opened again.
    """

    def __init__(
        self, location: str, limits: InputLimits, *, path: str | None = None, only: str = ""
    ) -> None:
        self._only = only
        self._location = location
        self._limits = limits
        self._meter = Meter(limits.max_ratio, limits.max_document, location=location)
        self._path = path

    def read_stream(self, stream: Reader) -> Iterator[Item]:
        """What an open stream holds; a fault that ends it comes last."""
        try:
            yield from self._read(Peekable(_Metered(stream, self._meter)), self._location, self._meter, 0)
        except OSError:
            raise
        except ANYTHING as error:
            yield unreadable_because_of(error).fault(self._location)

    def _read(self, reader: Peekable, location: str, meter: Meter, depth: int) -> Iterator[Item]:
        head = reader.peek(HEAD)
        kind = sniff(head)
        if self._only and location == self._location and kind not in _NESTING | {Format.SQLITE}:
            raise ParseError("neither an archive nor a database", hint="name the file alone")
        if kind in LOGS:
            yield from split(reader, kind, location, self._limits)
            return
        if depth >= self._limits.max_depth and kind in _NESTING:
            raise ParseError(
                f"more than {self._limits.max_depth} archives and compressions inside each other",
                hint="unpack the outer ones",
            )
        if kind in COMPRESSIONS:
            yield from self._read_compressed(reader, kind, location, meter, depth)
        elif kind is Format.TAR:
            from paifu.parsers.sources.archives import tar_members

            yield from self._read_members(tar_members(reader, location, meter), location, depth)
        elif kind is Format.ZIP:
            yield from self._read_zip(reader, location, meter, depth)
        elif kind is Format.SQLITE:
            yield from self._read_database(location, meter, depth)
        else:
            yield from self._search(reader, kind, location)

    def _search(self, reader: Peekable, kind: Format, location: str) -> Iterator[Item]:
        """Look into text that is not a log as it stands: in UTF-16, or with a log somewhere in it."""
        from paifu.parsers.sources.no_logs import unreadable
        from paifu.parsers.sources.surroundings import SEARCHED, decoded, logs_within, wide_encoding

        head = reader.peek(HEAD)
        if reader.error is not None:
            raise reader.error
        if wide := wide_encoding(head):
            text = decoded(read_all(reader, self._limits.max_document), wide)
            data = text.encode("utf-8", "replace")
            found = sniff(data[:HEAD])
            if found in LOGS:
                yield from split(Peekable(io.BytesIO(data)), found, location, self._limits)
                return
        else:
            text = decoded(reader.peek(SEARCHED), "")
        logs = list(logs_within(text[:SEARCHED])) if kind is Format.UNKNOWN else []
        if not logs:
            raise unreadable(kind, head, text)
        for number, (found, data) in enumerate(logs, start=1):
            yield Document(location if len(logs) == 1 else f"{location}#{number}", data, found)

    def _read_compressed(
        self, reader: Peekable, kind: Format, location: str, meter: Meter, depth: int
    ) -> Iterator[Item]:
        data = reader.peek(CHUNK)
        floor = self._limits.ratio_floor
        log = self._packed(data, kind, location, meter) if reader.ended and len(data) < CHUNK else None
        if log is not None and not self._only:
            yield log
            return
        unpacked = Peekable(Unpacked(reader, kind, meter.child(floor)))
        yield from self._read(unpacked, location, meter, depth + 1)

    def _packed(self, data: bytes, kind: Format, location: str, meter: Meter) -> Document | None:
        """Return a log within small compressed data: the worker that parses it may do the unpacking."""
        head = gzipped_xml(data) if kind is Format.GZIP else b""
        inner = sniff(head or _first(Unpacked(io.BytesIO(data), kind, meter.child(self._limits.ratio_floor))))
        return Document(location, data, inner) if inner in LOGS else None

    def _read_members(self, members: Iterator[Member], location: str, depth: int) -> Iterator[Item]:
        for member in members:
            is_other = self._only not in ("", member.name) and location == self._location
            if is_passed_over(member.name) or is_other:
                continue
            where = f"{location}:{escaped(member.name)}"
            try:
                yield from self._read(Peekable(member.open()), where, member.meter, depth + 1)
            except ParseError as error:
                if error.location not in {"", where}:
                    raise  # not the member broke but what it lies in
                yield error.fault(where)

    def _read_zip(self, reader: Peekable, location: str, meter: Meter, depth: int) -> Iterator[Item]:
        from paifu.parsers.sources.archives import zip_members

        with self._seekable(reader, depth) as file:
            meter.raw = max(meter.raw, file.seek(0, os.SEEK_END))
            yield from self._read_members(zip_members(file, meter, self._limits), location, depth)

    def _seekable(self, reader: Peekable, depth: int) -> BinaryIO:
        """The bytes of ``reader`` from the start, in any order: the file itself, or a bounded copy."""
        if depth == 0 and self._path is not None:
            return Path(self._path).open("rb")
        return io.BytesIO(read_all(reader, self._limits.max_document))

    def _read_database(self, location: str, meter: Meter, depth: int) -> Iterator[Item]:
        if depth > 0 or self._path is None:
            raise ParseError(
                "a database inside an archive or a pipe cannot be read", hint="unpack it and name the file"
            )
        from paifu.parsers.sources.databases import database_rows

        for name, content in database_rows(Path(self._path), self._limits.max_document, self._only):
            where = f"{location}:{escaped(name)}"
            try:
                if isinstance(content, ParseError):
                    raise content
                yield from self._read(Peekable(io.BytesIO(content)), where, meter, depth + 1)
            except ParseError as error:
                yield error.fault(where)


def _first(reader: Unpacked) -> bytes:
    """The beginning of a text, as far as it can be read; only as much XML as shows what it is."""
    try:
        head = reader.read(XML_HEAD)
        return head if head.startswith(b"<") else head + reader.read(HEAD - XML_HEAD)
    except ParseError:
        return b""


class _Metered:
    """A file or pipe whose failures are parse errors and whose bytes are counted."""

    def __init__(self, stream: Reader, meter: Meter) -> None:
        self._stream = stream
        self._meter = meter

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes."""
        try:
            chunk = self._stream.read(size)
        except OSError as error:
            raise DamagedError(f"cannot be read: {error.strerror or error}") from error
        self._meter.raw += len(chunk)
        return chunk
