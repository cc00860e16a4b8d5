"""Files that are written whole or not at all: the one place through which paifu writes any file.

A file is written beside its target under a hidden name, brought to disk, then renamed: who looks at the
target sees the old content or the new one, never a half. What goes wrong on the way takes the partial file
with it; only a killed process leaves one, which nobody reads (sources pass over hidden files) and a repeat
uses up. Two processes that write the same file do so one after the other.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from paifu.replay.errors import PaifuError
from paifu.replay.foreign_text import escaped

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]

PARTIAL = ".partial"
"""How the name of a file ends that is being written; it begins with a dot."""

LOCK = ".lock"
"""File by which an import or a site holds its folder; the lock goes with the process."""
_NEXT_STEPS = {
    errno.ENOSPC: "free some and run it again",
    errno.EDQUOT: "free some and run it again",
    errno.EROFS: "name another place",
    errno.EACCES: "allow writing there, for instance with chmod u+w, or name another place",
    errno.EPERM: "allow writing there, for instance with chmod u+w, or name another place",
    errno.ENOTDIR: "name another place",
    errno.EISDIR: "name a file",
    errno.ENAMETOOLONG: "name a shorter one",
    errno.ELOOP: "remove the link, or name another place",
    errno.EBADF: "standard output is closed: send it to a file, or to /dev/null",
}


class OutputError(PaifuError):
    """A file or folder that cannot be written: which, why, and what to do next."""

    @classmethod
    def of(cls, path: str | Path, error: OSError) -> OutputError:
        """What the operating system has against a path."""
        return cls(f"cannot write {escaped(str(path))}: {in_words(error)}")


def in_words(error: OSError) -> str:
    """Say why the operating system refuses something, and what to do next."""
    reason = error.strerror.lower() if error.strerror else str(error)
    hint = _NEXT_STEPS.get(error.errno or 0)
    return f"{reason}; {hint}" if hint else reason


@contextmanager
def replacing(path: str | Path, *, through_links: bool = True) -> Iterator[BinaryIO]:
    """Yield a binary file whose content becomes that of ``path`` when the block ends well.

    Until then, and forever when the block raises, ``path`` is as it was. Its folder is made if it is not
    there; permissions are kept. A link is followed, for somebody has named it; ``through_links`` is False
    where only its folder was named, in which there may be anybody's. A device or a pipe is written to as it
    is. Raises OutputError for everything that the operating system has against it; inside the block do
    nothing but write, for its errors are taken for those of this file.
    """
    try:
        target = _target(Path(path), through_links)
        old = _status(target)
        if old is not None and not stat.S_ISREG(old.st_mode):
            with target.open("wb") as file:
                yield file
            return
        if old is not None:  # a rename would not ask whether one may write to it
            os.close(os.open(target, os.O_WRONLY))
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f".{target.name}{PARTIAL}")
        with _locked(partial) as file:
            try:
                if old is not None:
                    partial.chmod(stat.S_IMODE(old.st_mode))
                yield file
                file.flush()
                os.fsync(file.fileno())
                if fcntl is None:  # and a file that is open cannot be renamed
                    file.close()
                partial.replace(target)
            except BaseException:
                with suppress(OSError):
                    partial.unlink()
                raise
        _sync_folder(target.parent)
    except BrokenPipeError:  # the reader of a pipe has all it wanted
        raise
    except OSError as error:
        raise OutputError.of(path, error) from error


def write_file(path: str | Path, content: bytes, *, through_links: bool = True) -> None:
    """Write a whole file, or leave things as they are and raise OutputError; see :func:`replacing`."""
    with replacing(path, through_links=through_links) as file:
        file.write(content)


def make_folder(path: str | Path) -> None:
    """Make a folder, and those above it, unless it is there; raises OutputError."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError.of(path, error) from error


@contextmanager
def _locked(partial: Path) -> Iterator[BinaryIO]:
    """Yield an empty file that nobody else writes to meanwhile; what a killed run left is used again."""
    while True:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(partial, flags, 0o666), "wb") as file:
            if fcntl is not None:
                with suppress(OSError):  # not every file system knows locks
                    fcntl.flock(file, fcntl.LOCK_EX)
            there = _status(partial)
            if there is not None and os.path.samestat(there, os.fstat(file.fileno())):
                file.truncate()
                yield file
                return
        # The process that held the lock has given the file its name, or taken it away.


def _target(path: Path, through_links: bool) -> Path:
    """Return the file to replace."""
    if not through_links and path.is_symlink():
        raise OSError(errno.ELOOP, "it is a link")
    return Path(os.path.realpath(path))


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _sync_folder(folder: Path) -> None:
    """Bring a folder's list of names to disk, where that can be asked for."""
    with suppress(OSError):  # not on every system, not on every file system
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class HeldError(Exception):
    """Another import holds the folder."""


@contextmanager
def held(root: Path) -> Iterator[None]:
    """Hold a folder. Raises HeldError, OSError."""
    from filelock import FileLock, Timeout

    lock = FileLock(root / LOCK)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise HeldError from None
    try:
        yield
    finally:
        lock.release()
