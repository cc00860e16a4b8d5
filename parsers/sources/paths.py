"""From paths on the command line to documents: files, folders, patterns, archives, databases, a pipe.

:func:`iter_documents` streams: names are sorted a folder at a time, contents are never all held, and a big
source comes in pieces of whole games. Formats are detected from content. Every source that cannot be
read is one :class:`InputFault` in the stream, in its place, and the rest goes on; that holds for files in a
folder too, so a picture among logs is a row, not a silence. Passed over without a word are only hidden
files and folders (a name that begins with a dot), README and LICENSE files that nobody named, what archives
keep beside their files (folders, links), and datasets of paifu inside a folder (they hold what was read
before).
"""

from __future__ import annotations

import io
import os
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from paifu.parsers.errors import (
    ANYTHING,
    DamagedError,
    InputFault,
    ParseError,
    PathNotFound,
    unreadable_because_of,
)
from paifu.parsers.sources.detect import COMPRESSIONS, HEAD, LOGS, Format, sniff
from paifu.parsers.sources.documents import DEFAULT_LIMITS, Document, InputLimits, is_passed_over
from paifu.parsers.sources.streams import CHUNK, Meter, Peekable, Reader, Unpacked, read_all
from paifu.replay.foreign_text import escaped

if TYPE_CHECKING:
    from paifu.parsers.sources.archives import Member

DATASET_MANIFEST = "paifu-dataset.json"
"""The file that makes a folder a dataset of paifu."""

STDIN = "-"
"""The path that means standard input."""

Item = Document | InputFault


def is_dataset(path: str | Path) -> bool:
    """Whether a path is a dataset written by paifu, for which :func:`iter_documents` gives nothing."""
    try:
        return (Path(path) / DATASET_MANIFEST).is_file()
    except (OSError, ValueError):
        return False


def iter_documents(
    paths: Iterable[str | Path],
    *,
    stdin: BinaryIO | None = None,
    limits: InputLimits = DEFAULT_LIMITS,
) -> Iterator[Item]:
    """Documents, and faults in their place, from all ``paths`` in the order given.

    A path is a file, a folder (read through, in the order of names), a glob pattern if no file has that
    name, or ``-`` for standard input (``stdin``, by default the process's own). Files may be logs, gzip,
    bzip2 or xz of anything, zip and tar archives, SQLite databases of houou-logs, phoenix-logs or tenhou-db.

    Raises PathNotFound at the call, before anything is read, when a path names nothing.
    """
    found = [name for path in paths for name in resolve(path)]
    return _each(found, stdin, limits)


def resolve(path: str | Path) -> list[str]:
    """The path itself if it is there, or all names that match it as a pattern.

    Raises PathNotFound if it names nothing.
    """
    path = os.fspath(path)
    if path == STDIN:
        return [path]
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        from paifu.parsers.sources.patterns import matches

        found = [] if "\0" in path else matches(path, is_dataset)
        if not found and within(path):
            return [path]
        if not found:
            raise PathNotFound(escaped(path)) from None
        return found
    except OSError:
        return [path]  # it is there but cannot be looked at: a fault when its turn comes
    return [path]


def within(path: str) -> tuple[str, str] | None:
    """Return file and name for ``ARCHIVE:MEMBER`` or ``DATABASE:ID``, as sources are called; else None."""
    at = path.find(":", 2)  # not that of a drive
    while at > 0:
        if os.path.isfile(path[:at]):  # noqa: PTH113  which is false where it may not look
            return path[:at], path[at + 1 :]
        at = path.find(":", at + 1)
    return None


def _each(paths: list[str], stdin: BinaryIO | None, limits: InputLimits) -> Iterator[Item]:
    """Yield what each path holds, and a fault for one that holds nothing: no run ends well on no input."""
    for path in paths:
        is_empty = True
        for item in _held(path, stdin, limits):
            is_empty = False
            yield item
        if is_empty and not is_dataset(path):
            name = "<stdin>" if path == STDIN else escaped(path)
            yield ParseError("there is no log in it", hint="name a log, or a folder with logs").fault(name)


def _held(path: str, stdin: BinaryIO | None, limits: InputLimits) -> Iterator[Item]:
    if path == STDIN:
        own: Any = getattr(sys.stdin, "buffer", None)  # which may be closed, or be something without bytes
        if stdin is None and (own is None or own.closed):
            hint = "send a log in with < or |, or name files"
            yield ParseError("standard input is closed", hint=hint).fault("<stdin>")
        else:
            yield from _NestedSource("<stdin>", limits).read_stream(stdin or own)
        return
    inner = None if os.path.lexists(path) else within(path)
    if inner is not None:
        yield from _one_within(*inner, limits)
        return
    for entry in folder_files(path):
        if isinstance(entry, InputFault):
            yield entry
        else:
            yield from _NestedSource(escaped(entry), limits).read_file(entry)


def _one_within(path: str, name: str, limits: InputLimits) -> Iterator[Item]:
    """Yield what one member of an archive, or one row of a database, holds."""
    is_there = False
    for item in _NestedSource(escaped(path), limits, only=name).read_file(path):
        is_there = True
        yield item
    if not is_there:
        yield ParseError("no member or log has this name").fault(escaped(f"{path}:{name}"))


def folder_files(path: str) -> Iterator[str | InputFault]:
    """Yield the files that a path means: itself, or all in the folder."""
    try:
        is_folder = stat.S_ISDIR(Path(path).stat().st_mode)
    except OSError as error:
        yield os_error(error).fault(escaped(path))
        return
    if is_folder:
        yield from _FolderWalk().run(path)
    else:
        yield path


class _FolderWalk:
    """Files below a folder, in the order of names; each real folder once, whatever links lead to it."""

    def __init__(self) -> None:
        self._seen: set[tuple[int, int]] = set()
        self._stack: list[tuple[tuple[int, int], Iterator[os.DirEntry[str]]]] = []

    def run(self, top: str) -> Iterator[str | InputFault]:
        """Paths, and a fault for each entry that is neither file nor folder or cannot be looked into."""
        yield from self._enter(top)
        while self._stack:
            entry = next(self._stack[-1][1], None)
            if entry is None:
                self._stack.pop()
            elif not is_passed_over(entry.name):
                yield from self._visit(entry)

    def _visit(self, entry: os.DirEntry[str]) -> Iterator[str | InputFault]:
        try:
            if entry.is_file():
                yield entry.path
            elif entry.is_dir():
                yield from self._enter(entry.path)
            else:
                entry.stat()  # a link to nothing says so here
                yield ParseError(
                    "not a regular file but a pipe, a socket or a device",
                    hint="name it itself to read from it",
                ).fault(escaped(entry.path))
        except OSError as error:
            yield os_error(error).fault(escaped(entry.path))

    def _enter(self, folder: str) -> Iterator[InputFault]:
        try:
            status = Path(folder).stat()
            key = status.st_dev, status.st_ino
            if any(key == above for above, _ in self._stack):
                yield ParseError(
                    "this link leads back to a folder that contains it", hint="remove the link"
                ).fault(escaped(folder))
            elif key not in self._seen and not is_dataset(folder):
                self._seen.add(key)
                with os.scandir(folder) as entries:
                    names = sorted(entries, key=lambda entry: entry.name)
                self._stack.append((key, iter(names)))
        except OSError as error:
            yield os_error(error).fault(escaped(folder))


def os_error(error: OSError) -> ParseError:
    """What the operating system has against a path."""
    hint = "allow reading it, for instance with chmod +r" if isinstance(error, PermissionError) else ""
    return ParseError(f"cannot be read: {error.strerror or error}", hint=hint)


_XML_HEAD, _PACKED_HEAD = 256, 1024
_GZIP = b"\x1f\x8b"
_NESTING = COMPRESSIONS | {Format.TAR, Format.ZIP}


class _NestedSource:
    """One file or stream, with everything nested in it, or ``only`` the member or row of that name.

    ``location`` is its readable name.
    """

    def __init__(self, location: str, limits: InputLimits, *, only: str = "") -> None:
        self._only = only
        self._location = location
        self._limits = limits
        self._meter = Meter(limits.max_ratio, limits.max_document, location=location)
        self._path: str | None = None

    def read_file(self, path: str) -> Iterator[Item]:
        """What the file at ``path`` holds."""
        try:
            with io.FileIO(path) as file:
                status = os.fstat(file.fileno())
                if stat.S_ISREG(status.st_mode):
                    self._path = path
                    data = file.read(status.st_size) if status.st_size < CHUNK and not self._only else b""
                    # One small log, most likely, which needs nothing of what looks further.
                    packed = data[:2] == _GZIP
                    if packed and (log := self._packed(data, Format.GZIP, self._location, self._meter)):
                        yield log
                        return
                    file.seek(0)
                yield from self.read_stream(file)
        except OSError as error:
            yield os_error(error).fault(self._location)

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
            from paifu.parsers.sources.splitting import split

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
        from paifu.parsers.sources.splitting import split
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
        head = _xml_head(data) if kind is Format.GZIP else b""
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


def _xml_head(data: bytes) -> bytes:
    """Return what :func:`_first` finds of XML in gzip, in a quarter of the time; nothing of anything else."""
    try:
        head = zlib.decompressobj(wbits=31).decompress(data[:_PACKED_HEAD], _XML_HEAD)
    except zlib.error:
        return b""
    return head if len(head) == _XML_HEAD and head.startswith(b"<") else b""


def _first(reader: Unpacked) -> bytes:
    """The beginning of a text, as far as it can be read; only as much XML as shows what it is."""
    try:
        head = reader.read(_XML_HEAD)
        return head if head.startswith(b"<") else head + reader.read(HEAD - _XML_HEAD)
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
