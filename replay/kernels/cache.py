"""Where compiled kernels are kept: in a folder of the user's own, sealed, and nothing else is touched there.

What is loaded from the cache is run. So a folder that belongs to somebody else, or that others may write to,
is refused: kernels are then compiled into a private temporary folder, which goes with the process. Each file
begins with a hash of what follows and of its own name; what does not fit it is compiled again.

Folders are named by a hash of the kernels' sources, and old ones are deleted, of those that have paifu's
mark in them.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

FOLDERS = "kernels-*"
_MARK_NAME = "CACHEDIR.TAG"
_MARK = b"""Signature: 8a477f597d28d172789f06886806bc55
# Kernels that paifu compiled. It makes this folder again when it is deleted.
"""
"""The signature says what this is to programs that make backups; the second line says it to paifu."""
_KEPT = 2
"""Folders of other versions that are left alone."""
_SEAL = 32
_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def problem_with(folder: Path) -> str:
    """Say why nothing may be loaded from a folder of kernels, and what to do; empty when it may.

    A folder that is not there is no problem. Raises OSError where it cannot be looked at.
    """
    if not hasattr(os, "geteuid"):
        return ""
    own = os.geteuid()
    for path, owners in ((folder.parent, (own, 0)), (folder, (own,))):
        try:
            status = path.stat()
        except FileNotFoundError:
            return ""
        if status.st_uid not in owners:
            return f"{path} belongs to another user; name one of your own in PAIFU_CACHE_DIR"
        is_sticky = path != folder and status.st_mode & stat.S_ISVTX
        if status.st_mode & _OTHERS and not is_sticky:
            return (
                f"other users may write to {path}; run chmod go-w on it, or name another in PAIFU_CACHE_DIR"
            )
    return ""


def open_folder(folder: Path) -> Path | None:
    """Make a folder of kernels, unless it is there, and delete old ones beside it.

    Returns None when it cannot be made, written to, or trusted.
    """
    try:
        folder.parent.parent.mkdir(parents=True, exist_ok=True)
        folder.parent.mkdir(mode=0o700, exist_ok=True)
        if problem_with(folder):  # before anything is made in a place that is not to be trusted
            return None
        folder.mkdir(mode=0o700, exist_ok=True)
        if problem_with(folder):
            return None
        if not any(folder.iterdir()):
            (folder / _MARK_NAME).write_bytes(_MARK)
        _drop_old(folder)
        return folder if os.access(folder, os.W_OK) else None
    except OSError:
        return None


def _drop_old(current: Path) -> None:
    """Delete all but the youngest folders of other kernels, those that have paifu's mark."""
    others = [path for path in current.parent.glob(FOLDERS) if path != current and _is_marked(path)]
    others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for old in others[_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def _is_marked(folder: Path) -> bool:
    try:
        return not folder.is_symlink() and (folder / _MARK_NAME).read_bytes() == _MARK
    except OSError:
        return False


def temporary_folder() -> Path | None:
    """Make a folder that is deleted when this process ends; None when there is no place for one."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="paifu-kernels-"))
    except OSError:
        return None
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class KernelCache:
    """Compiled versions of one kernel on disk, by what they take and for which processor they are.

    ``lost`` is called when a version could not be kept.
    """

    def __init__(self, function: Callable[..., Any], folder: Path, lost: Callable[[], None]) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._folder = folder
        self._lost = lost

    def read(self, key: object) -> bytes | None:
        """Return a version; None when there is none, or it is damaged."""
        return self._read(self._path(key))

    def write(self, key: object, content: bytes) -> None:
        """Keep a version, if that is possible."""
        try:
            self._write(self._path(key), content)
        except OSError:
            self._lost()

    def _path(self, key: object) -> Path:
        digest = hashlib.blake2b(repr(key).encode(), digest_size=10).hexdigest()
        return self._folder / f"{self._name}-{digest}.kernel"

    def _read(self, path: Path) -> bytes | None:
        try:
            with path.open("rb") as file:
                if hasattr(os, "geteuid") and os.fstat(file.fileno()).st_uid != os.geteuid():
                    return None
                content = file.read()
        except OSError:
            return None
        data = content[_SEAL:]
        return data if content[:_SEAL] == _seal(path, data) else None

    def _write(self, path: Path, data: bytes) -> None:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=self._folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_seal(path, data))
                file.write(data)
            Path(name).replace(path)
        except OSError:
            with suppress(OSError):
                Path(name).unlink()
            raise


def _seal(path: Path, data: bytes) -> bytes:
    digest = hashlib.blake2b(path.name.encode() + b"\0", digest_size=_SEAL)
    digest.update(data)
    return digest.digest()
