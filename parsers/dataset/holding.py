"""One import at a time: how it holds a dataset, on disk by a lock, on an object store by a lease.

A lock of the disk goes with its process. A store has none, so an import puts a file there and changes it
every few seconds. Another that finds it waits and looks: if the file changes, its owner is alive, and if it
does not, the owner was killed and the dataset is free. No clocks are compared.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import orjson

from paifu.parsers.stores import Place, StorePath

LOCK = ".lock"
BEAT, PATIENCE = 10.0, 45.0
"""Seconds between two changes of a lease, and how long one must stay as it is to be taken over."""


class HeldError(Exception):
    """Another import holds the dataset."""


@contextmanager
def held(root: Place, tell: Callable[[str], None]) -> Iterator[Callable[[], bool]]:
    """Hold a dataset; yields a function that says whether it is still held.

    ``tell`` is given what there is to wait for. Raises HeldError, OSError.
    """
    if isinstance(root, StorePath):
        with _leased(root / LOCK, tell) as is_held:
            yield is_held
        return
    with _locked(root):
        yield lambda: True


@contextmanager
def _locked(root: Path) -> Iterator[None]:
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


@contextmanager
def _leased(path: StorePath, tell: Callable[[str], None]) -> Iterator[Callable[[], bool]]:
    lease = _Lease(path)
    try:
        while not lease.take():
            before = lease.seen()
            if before:
                tell(f"{path}: waiting {PATIENCE:.0f} s to see whether another import is at work")
                _wait_for_change(lease, before)
                if lease.seen() == before:
                    path.unlink(missing_ok=True)
        with lease.renewed():
            yield lease.is_ours
    finally:
        lease.give_back()


def _wait_for_change(lease: _Lease, before: bytes) -> None:
    """Return when the owner of a lease has given it back or is gone; raise HeldError when it is alive."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        time.sleep(min(1.0, PATIENCE / 10))
        now = lease.seen()
        if not now:
            return
        if now != before:
            raise HeldError


class _Lease:
    """A file on a store that shows by its changes that its owner is alive."""

    def __init__(self, path: StorePath) -> None:
        self._path = path
        self._owner = {"host": socket.gethostname(), "process": os.getpid(), "import": uuid.uuid4().hex}
        self._beats = 0
        self._over = threading.Event()

    def _content(self) -> bytes:
        self._beats += 1
        return orjson.dumps(self._owner | {"beat": self._beats})

    def take(self) -> bool:
        """Make the lease, unless there is one."""
        return self._path.create(self._content())

    def seen(self) -> bytes:
        """Return what the lease says now; nothing if there is none."""
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            return b""

    def is_ours(self) -> bool:
        """Return whether nobody has taken the lease over."""
        try:
            return bool(orjson.loads(self.seen() or b"{}").get("import") == self._owner["import"])
        except ValueError:
            return False

    @contextmanager
    def renewed(self) -> Iterator[None]:
        """Change the lease again and again, in a thread, until the block ends."""
        thread = threading.Thread(target=self._renew, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _renew(self) -> None:
        while not self._over.wait(BEAT):
            with suppress(OSError):  # the store may be back at the next beat
                if not self.is_ours():
                    return
                self._path.write_bytes(self._content())

    def give_back(self) -> None:
        """Remove the lease if it is ours."""
        with suppress(OSError):
            if self.is_ours():
                self._path.unlink(missing_ok=True)
