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
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from paifu.parsers.errors import InputFault, ParseError, PathNotFound
from paifu.parsers.sources.detect import Format, gzipped_xml, sniff
from paifu.parsers.sources.documents import DEFAULT_LIMITS, Document, InputLimits, Item, is_passed_over
from paifu.replay.foreign_text import escaped

DATASET_MANIFEST = "paifu-dataset.json"
"""The file that makes a folder a dataset of paifu."""

STDIN = "-"
"""The path that means standard input."""

_SMALL = 1 << 18
"""Bytes of a file that is read at once."""


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
            from paifu.parsers.sources.nested import NestedSource

            yield from NestedSource("<stdin>", limits).read_stream(stdin or own)
        return
    inner = None if os.path.lexists(path) else within(path)
    if inner is not None:
        yield from _one_within(*inner, limits)
        return
    for entry in folder_files(path):
        if isinstance(entry, InputFault):
            yield entry
        else:
            yield from _in_file(entry, limits)


def _one_within(path: str, name: str, limits: InputLimits) -> Iterator[Item]:
    """Yield what one member of an archive, or one row of a database, holds."""
    is_there = False
    for item in _in_file(path, limits, only=name):
        is_there = True
        yield item
    if not is_there:
        yield ParseError("no member or log has this name").fault(escaped(f"{path}:{name}"))


def _in_file(path: str, limits: InputLimits, *, only: str = "") -> Iterator[Item]:
    """Yield what a file holds, or ``only`` its member or row of that name."""
    location = escaped(path)
    try:
        with io.FileIO(path) as file:
            status = os.fstat(file.fileno())
            is_regular = stat.S_ISREG(status.st_mode)
            if is_regular and status.st_size < _SMALL and not only:
                data = file.read(status.st_size)
                # A log of Tenhou, most likely, which needs nothing of what looks further.
                if sniff(gzipped_xml(data)) is Format.MJLOG:
                    yield Document(location, data, Format.MJLOG)
                    return
                file.seek(0)
            from paifu.parsers.sources.nested import NestedSource

            nested = NestedSource(location, limits, path=path if is_regular else None, only=only)
            yield from nested.read_stream(file)
    except OSError as error:
        yield os_error(error).fault(location)


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
