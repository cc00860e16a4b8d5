"""Folders for what is needed during one run alone, such as what a query moves out of memory.

A killed process cannot remove its folder. So each folder has a lock beside it, which goes with its process,
and the next run removes the folders whose lock nobody holds.
"""

from __future__ import annotations

import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from paifu.parsers.output_files import OutputError

PREFIX = "paifu-scratch-"
_LOCK = ".lock"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield a folder that nobody else uses and that is removed at the end. Raises OutputError."""
    from filelock import FileLock

    folder = Path(tempfile.gettempdir()) / f"{PREFIX}{uuid4().hex}"
    lock = FileLock(folder.with_suffix(_LOCK))
    try:
        lock.acquire(blocking=False)  # before the folder is there: another run removes what nobody holds
        _clear_leftovers(Path(lock.lock_file))
        folder.mkdir(mode=0o700)
    except OSError as error:
        lock.release()
        raise OutputError.of(folder, error) from error
    try:
        yield folder
    finally:
        _remove(folder)
        lock.release()


def _clear_leftovers(own: Path) -> None:
    """Remove folders whose process is gone. Those of other users are left alone, as are links to anything."""
    from filelock import FileLock, Timeout

    owner = own.lstat().st_uid
    for path in own.parent.glob(f"{PREFIX}*{_LOCK}"):
        with suppress(OSError, Timeout):
            found = path.lstat()
            if path != own and stat.S_ISREG(found.st_mode) and found.st_uid == owner:
                with FileLock(path).acquire(blocking=False):
                    _remove(path.with_suffix(""))


def _remove(folder: Path) -> None:
    """Remove a folder and the file of its lock, which is held."""
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):  # Windows removes it when it is released
        folder.with_suffix(_LOCK).unlink()
