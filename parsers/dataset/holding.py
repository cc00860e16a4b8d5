"""One import at a time: it holds the folder by a lock, which goes with its process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK = ".lock"


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
