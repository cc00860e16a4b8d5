"""Paths on object stores, through fsspec: ``s3://bucket/folder/file``.

A :class:`StorePath` has those methods of :class:`pathlib.Path` that datasets and sources need, so that code
which takes a :data:`Place` need not ask which of both it has. Whatever a store's library raises comes as an
OSError. fsspec is imported when a store is first asked for something.

Only the protocols of :data:`PROTOCOLS` are paths on stores; any other text is a path on disk, colons or not.
A store writes a file in one step: it is there whole, or not at all.
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from paifu.replay.errors import PaifuError, reason_of

PROTOCOLS = {
    "s3": "pip install 'paifu[cluster]'",
    "gs": "pip install 'paifu[cluster]' gcsfs",
    "hdfs": "pip install 'paifu[cluster]', and let pyarrow find libhdfs",
}
"""Protocol -> what it needs."""
_CONDITIONAL = frozenset({"s3", "gs"})
"""Protocols that can make a file only if it is not there, in one step."""
_RENAMING = frozenset({"hdfs"})
"""Protocols in which a file is there before it is whole, but can be renamed."""
_OPTIONS: dict[str, dict[str, Any]] = {"s3": {"max_concurrency": 1}}
"""Options for libraries: s3fs asks for the size of each file first if it may fetch it in parts."""
_BLOCK = 4 << 20
"""Bytes of a big file that are asked for at a time."""


class StoreError(PaifuError):
    """An object store that cannot be asked: what for, and why."""


def is_store(path: str | Path | StorePath) -> bool:
    """Return whether a path is one on an object store."""
    return isinstance(path, StorePath) or _protocol(os.fspath(path)) in PROTOCOLS


def place(path: str | Path | StorePath) -> Place:
    """Return a path that can be read and written, on disk or on a store."""
    if isinstance(path, StorePath):
        return path
    return StorePath(os.fspath(path)) if is_store(path) else Path(path)


def _protocol(url: str) -> str:
    protocol, separator, rest = url.partition("://")
    return protocol if separator and rest else ""


@dataclass(frozen=True, slots=True)
class StoreEntry:
    """What a folder on a store holds: its path, whether it is a folder, and bytes of a file."""

    path: StorePath
    is_folder: bool
    size: int


@dataclass(frozen=True, slots=True)
class StorePath:
    """A file or folder on a store, by its address."""

    url: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", self.url.rstrip("/"))

    def __str__(self) -> str:
        return self.url

    def __truediv__(self, name: str) -> StorePath:
        return StorePath(f"{self.url}/{name}")

    @property
    def name(self) -> str:
        """The last part."""
        return self.url.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """The name without what follows its last dot."""
        return Path(self.name).stem

    @property
    def suffix(self) -> str:
        """The last dot of the name and what follows it."""
        return Path(self.name).suffix

    def is_file(self) -> bool:
        """Return whether a file is there."""
        found = self.entry()
        return found is not None and not found.is_folder

    def is_dir(self) -> bool:
        """Return whether anything lies below it: stores have no empty folders."""
        found = self.entry()
        return found is not None and found.is_folder

    def exists(self) -> bool:
        """Return whether anything is there."""
        return self.entry() is not None

    def entry(self) -> StoreEntry | None:
        """Return what is there; None for nothing."""
        with self._asked() as (system, name):
            try:
                found = system.info(name)
            except (FileNotFoundError, NotADirectoryError):
                return None
            return StoreEntry(self, found["type"] == "directory", int(found.get("size") or 0))

    def entries(self) -> list[StoreEntry]:
        """Return what lies in the folder, by name; an empty list if there is none."""
        with self._asked() as (system, name):
            try:
                found = system.ls(name, detail=True)
            except FileNotFoundError:
                return []
            start = name.rstrip("/") + "/"
            names = [
                (one["name"].rstrip("/").removeprefix(start), one)
                for one in found
                if one["name"].startswith(start) and one["name"].rstrip("/") + "/" != start
            ]
            return [
                StoreEntry(self / called, one["type"] == "directory", int(one.get("size") or 0))
                for called, one in sorted(names, key=lambda pair: pair[0])
            ]

    def iterdir(self) -> Iterator[StorePath]:
        """Yield what lies in the folder."""
        return (entry.path for entry in self.entries())

    def matches(self) -> list[str]:
        """Return the addresses that match this one as a pattern, sorted."""
        with self._asked() as (system, name):
            before = self.url[: len(self.url) - len(name)] if self.url.endswith(name) else ""
            return sorted(before + found for found in system.glob(name))

    def read_bytes(self) -> bytes:
        """Return a whole file, in one request."""
        with self._asked() as (system, name):
            return bytes(system.cat_file(name))

    def open(self, mode: str = "rb") -> BinaryIO:
        """Open a file that need not fit into memory, for reading."""
        with self._asked() as (system, name):
            file = system.open(name, mode, block_size=_BLOCK, cache_type="readahead")
        return cast("BinaryIO", io.BufferedReader(_Raw(self.url, file), _BLOCK))

    def write_bytes(self, content: bytes) -> None:
        """Put a file there, in place of the one that is; nobody sees a half."""
        with self._asked() as (system, name):
            if _protocol(self.url) not in _RENAMING:
                system.pipe_file(name, content)
                return
            head, _, tail = name.rpartition("/")
            partial = f"{head}/.{tail}.partial"
            system.makedirs(head, exist_ok=True)
            system.pipe_file(partial, content)
            if system.exists(name):
                system.rm_file(name)
            system.mv(partial, name)

    def create(self, content: bytes) -> bool:
        """Put a file there unless one is; return whether it was put.

        Between two that try at the same time, the stores that can (S3, Google Cloud) let one win.
        """
        with self._asked() as (system, name):
            if _protocol(self.url) not in _CONDITIONAL:
                if system.exists(name):
                    return False
                system.pipe_file(name, content)
                return True
            try:
                system.pipe_file(name, content, mode="create")
            except FileExistsError:
                return False
            return True

    def unlink(self, missing_ok: bool = False) -> None:
        """Remove a file."""
        with self._asked() as (system, name):
            try:
                system.rm_file(name)
            except FileNotFoundError:
                if not missing_ok:
                    raise

    @contextmanager
    def _asked(self) -> Iterator[tuple[Any, str]]:
        """Yield the file system and the name that it knows the path by; what it raises becomes an OSError."""
        with _as_os_error(self.url):
            yield _file_system(self.url)


Place = Path | StorePath
"""Where something lies: on disk, or on an object store."""


def _file_system(url: str) -> tuple[Any, str]:
    protocol = _protocol(url)
    try:
        from fsspec.core import url_to_fs

        # Lists that a library keeps grow old, and take a kilobyte a file.
        system, name = url_to_fs(url, use_listings_cache=False, **_OPTIONS.get(protocol, {}))
    except ImportError as error:
        raise StoreError(f"{url}: a library for {protocol}:// is missing: {PROTOCOLS[protocol]}") from error
    return system, name


@contextmanager
def _as_os_error(url: str) -> Iterator[None]:
    """Turn what a store's library raises into an OSError with a reason."""
    try:
        yield
    except StoreError:
        raise
    except (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError) as error:
        number = error.errno or (errno.EACCES if isinstance(error, PermissionError) else errno.ENOENT)
        raise type(error)(number, os.strerror(number), url) from error
    except Exception as error:
        raise OSError(reason_of(error)) from error


class _Raw(io.RawIOBase):
    """An open file of a store whose failures are OSErrors."""

    def __init__(self, url: str, file: IO[bytes]) -> None:
        self._url = url
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _as_os_error(self._url):
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        with _as_os_error(self._url):
            return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
