"""Logs on object stores: what a path there means, and its files, fetched many at a time.

A file on a store takes some ten milliseconds to come, however small it is. So small files are fetched ahead,
side by side, and come in the order of their names all the same; a big one is read in blocks, when its turn
comes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from paifu.parsers.errors import PathNotFound
from paifu.parsers.sources.documents import is_passed_over
from paifu.parsers.stores import StoreError, StorePath
from paifu.replay.foreign_text import escaped

SMALL = 1 << 20
"""Bytes of a file that is fetched whole."""
_AT_ONCE, _AHEAD = 16, 64
"""Requests in progress, and files fetched or being fetched: 64 MiB at most."""
_PATTERN = "*?["


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file of a store: its content, None if it is too big to be fetched whole, or why it cannot be had."""

    path: StorePath
    content: bytes | OSError | None


def resolve(path: str, manifest: str) -> list[str]:
    """Return the address itself if something is there, or all that match it as a pattern.

    ``manifest`` is the file that makes a folder a dataset; nothing within one matches. Raises PathNotFound
    when it names nothing, StoreError when the store cannot be asked.
    """
    if path.endswith("/**"):  # a folder includes everything in it
        return resolve(path.removesuffix("/**"), manifest)
    try:
        if StorePath(path).exists():
            return [path]
        found = StorePath(path).matches() if any(mark in path for mark in _PATTERN) else []
    except OSError as error:
        raise StoreError(f"{escaped(path)}: cannot be read: {error.strerror or error}") from error
    shown = [name for name in found if not _has_hidden_part(path, name)]
    closed = {name.removesuffix(f"/{manifest}") for name in found if name.endswith(f"/{manifest}")}
    folders = closed | set(shown)
    kept = [name for name in shown if folders.isdisjoint(_above(path, name))]
    if not kept:
        raise PathNotFound(escaped(path))
    return kept


def _fixed(pattern: str) -> str:
    """Return the folders of a pattern that are spelt out."""
    first = min((pattern.find(mark) for mark in _PATTERN if mark in pattern), default=len(pattern))
    return pattern[:first].rpartition("/")[0]


def _has_hidden_part(pattern: str, name: str) -> bool:
    return any(part.startswith(".") for part in name.removeprefix(_fixed(pattern)).split("/"))


def _above(pattern: str, name: str) -> Iterator[str]:
    """Yield the folders that a file lies in, up to those that the pattern spells out."""
    above = name.rpartition("/")[0]
    while len(above) > len(_fixed(pattern)):
        yield above
        above = above.rpartition("/")[0]


def files(path: str, manifest: str) -> Iterator[Fetched]:
    """Yield the files that an address means, in order: itself, or all below the folder."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        ahead: deque[tuple[StorePath, Future[bytes] | OSError | None]] = deque()
        try:
            for where, size in _found(StorePath(path), manifest):
                if isinstance(size, OSError):
                    ahead.append((where, size))
                else:
                    ahead.append((where, pool.submit(where.read_bytes) if size <= SMALL else None))
                if len(ahead) > _AHEAD:
                    yield _fetched(*ahead.popleft())
            while ahead:
                yield _fetched(*ahead.popleft())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _fetched(path: StorePath, content: Future[bytes] | OSError | None) -> Fetched:
    if isinstance(content, Future):
        try:
            return Fetched(path, content.result())
        except OSError as error:
            return Fetched(path, error)
    return Fetched(path, content)


def _found(path: StorePath, manifest: str) -> Iterator[tuple[StorePath, int | OSError]]:
    """Yield files and their sizes, folder by folder in the order of names, as on a disk."""
    try:
        entry = path.entry()
    except OSError as error:
        yield path, error
        return
    if entry is not None and not entry.is_folder:
        yield path, entry.size
    else:
        yield from _below(path, manifest)


def _below(folder: StorePath, manifest: str) -> Iterator[tuple[StorePath, int | OSError]]:
    try:
        entries = folder.entries()
    except OSError as error:
        yield folder, error
        return
    if any(entry.path.name == manifest for entry in entries):
        return
    for entry in entries:
        if is_passed_over(entry.path.name):
            continue
        if entry.is_folder:
            yield from _below(entry.path, manifest)
        else:
            yield entry.path, entry.size
