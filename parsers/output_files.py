"""Files that are written whole or not at all: the one place through which paifu writes any file.

A file is written beside its target under a hidden name, brought to disk, then renamed: who looks at the
target sees the old content or the new one, never a half. What goes wrong on the way takes the partial file
with it; only a killed process leaves one, which nobody reads (sources pass over hidden files).
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from paifu.parsers.errors import PaifuError
from paifu.parsers.source import clean

PARTIAL = ".partial"
"""How the name of a file ends that is being written; it begins with a dot."""

_NEXT_STEPS = {
    errno.ENOSPC: "free some and run it again",
    errno.EDQUOT: "free some and run it again",
    errno.EROFS: "name another place",
    errno.EACCES: "allow writing there, for instance with chmod u+w, or name another place",
    errno.EPERM: "allow writing there, for instance with chmod u+w, or name another place",
    errno.ENOTDIR: "name another place",
    errno.EISDIR: "name a file",
    errno.ENAMETOOLONG: "name a shorter one",
}


class OutputError(PaifuError):
    """A file or folder that cannot be written: which, why, and what to do next."""

    @classmethod
    def of(cls, path: str | Path, error: OSError) -> OutputError:
        """What the operating system has against a path."""
        reason = (error.strerror or str(error)).lower()
        hint = _NEXT_STEPS.get(error.errno or 0)
        return cls(f"cannot write {clean(os.fspath(path))}: {reason}" + (f"; {hint}" if hint else ""))


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """Yield a binary file whose content becomes that of ``path`` when the block ends well.

    Until then, and for ever when the block raises, ``path`` is as it was. Its folder is made if it is not
    there; a link is followed, permissions are kept. A device or a pipe is written to as it is. Raises
    OutputError for everything that the operating system has against it; inside the block do nothing but
    write, for its errors are taken for those of this file.
    """
    try:
        target = Path(os.path.realpath(path))
        old = _status(target)
        if old is not None and not stat.S_ISREG(old.st_mode):
            with target.open("wb") as file:
                yield file
            return
        if old is not None and not os.access(target, os.W_OK):  # a rename would not ask
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = _new_mode() if old is None else stat.S_IMODE(old.st_mode)
        with _partial(target, mode) as (file, partial):
            yield file
            file.flush()
            os.fsync(file.fileno())
            file.close()
            partial.replace(target)
        _sync_folder(target.parent)
    except BrokenPipeError:  # the reader of a pipe has all it wanted
        raise
    except OSError as error:
        raise OutputError.of(path, error) from error


def write_file(path: str | Path, content: bytes) -> None:
    """Write a whole file, or leave things as they are and raise OutputError; see :func:`replacing`."""
    with replacing(path) as file:
        file.write(content)


def make_folder(path: str | Path) -> None:
    """Make a folder, and those above it, unless it is there; raises OutputError."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError.of(path, error) from error


@contextmanager
def _partial(target: Path, mode: int) -> Iterator[tuple[BinaryIO, Path]]:
    """Yield a new file beside ``target`` and its path; whatever still lies there at the end is removed."""
    handle, name = tempfile.mkstemp(PARTIAL, f".{target.name}.", target.parent)
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            partial.chmod(mode)
            yield file, partial
    finally:
        with suppress(OSError):
            partial.unlink()


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _new_mode() -> int:
    """What any other program would give a new file; mkstemp lets nobody else read its own."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Bring a folder's list of names to disk, where that can be asked for."""
    with suppress(OSError):  # not on every system, not on every file system
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
