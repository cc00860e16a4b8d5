"""The processes that do the work."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import queue
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

from paifu.parsers.errors import WorkerDiedError
from paifu.replay.errors import PaifuError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

R = TypeVar("R")
T = TypeVar("T")

UNITS_AHEAD = 2
"""Units a worker has waiting, so that it never idles and memory stays bounded."""
SAFE_PATH, OURS = "PYTHONSAFEPATH", "paifu"


def _begin_worker() -> None:
    """In a worker: end when the main process is killed.

    A worker that lived on would wait for work forever, or finish a file that the next import is writing by
    then.
    """
    if os.environ.get(SAFE_PATH) == OURS:
        del os.environ[SAFE_PATH]  # it is not for what this process starts
    parent = multiprocessing.parent_process()
    assert parent is not None  # noqa: S101  only workers call this

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _serve(connection: Connection) -> None:
    """In a worker: do what comes, until no more will."""
    _begin_worker()
    with suppress(EOFError, OSError):  # the main process is done, or gone
        while True:
            connection.send_bytes(_done(connection.recv_bytes()))


def _done(payload: bytes) -> bytes:
    """Do a piece of work; returns whether it was done, and the result or what was raised, pickled."""
    try:
        work, unit = pickle.loads(payload)  # noqa: S301  of the main process
        return pickle.dumps((True, work(unit)), 5)
    except (Exception, SystemExit) as error:  # noqa: BLE001  it is raised there
        where = "".join(traceback.format_exception(error))
        if not isinstance(error, PaifuError):
            error.add_note(where)
        try:
            return pickle.dumps((False, error), 5)
        except Exception:  # noqa: BLE001  it holds what stays in its process, such as a file
            return pickle.dumps((False, RuntimeError(where)), 5)


class Pool:
    """Processes that do one piece of work at a time, each at the other end of a pipe.

    Where one dies, another takes its place.

    The standard library's pools hold semaphores, which outlive a process that is killed, and about which it
    then complains; a worker that finds none complains, too.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._workers: dict[Connection, BaseProcess] = {}
        self._lock = threading.Lock()
        """Held while a worker starts, or all are told to end."""
        self._is_closed = False
        self._free: queue.SimpleQueue[Connection] = queue.SimpleQueue()
        self._threads = ThreadPoolExecutor(size * UNITS_AHEAD)

    def submit(self, work: Callable[[T], R], unit: T) -> Future[R]:
        """Have a worker do this when one is free."""
        if len(self._workers) < self._size:
            self._free.put(self._started())
        return self._threads.submit(self._ask, work, unit)

    def _started(self, instead_of: Connection | None = None) -> Connection:
        context = multiprocessing.get_context("spawn")
        with self._lock:
            if self._is_closed:
                raise WorkerDiedError("the workers were told to end")
            if instead_of is not None:
                instead_of.close()
                self._workers.pop(instead_of).join()
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs,))
            with interrupts_deferred(), no_modules_from_here():
                process.start()
                self._workers[ours] = process
            theirs.close()
            return ours

    def _ask(self, work: Callable[[T], R], unit: T) -> R:
        """Have the work done; a worker may be killed for what others took, so it is tried twice."""
        payload = pickle.dumps((work, unit), 5)
        for is_last in (False, True):
            connection = self._free.get()
            try:
                connection.send_bytes(payload)
                is_done, value = pickle.loads(connection.recv_bytes())  # noqa: S301  of our workers
                break
            except (EOFError, OSError) as error:
                connection = self._started(instead_of=connection)
                if is_last:
                    raise WorkerDiedError(
                        "a worker process died, perhaps for want of memory; try fewer --jobs"
                    ) from error
            finally:
                self._free.put(connection)
        if not is_done:
            raise value
        result: R = value
        return result

    def close(self, *, is_done: bool) -> None:
        """Let the workers end: at once, unless all is done."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._is_closed = True
            for connection, process in self._workers.items():
                if is_done:
                    connection.close()
                else:  # it ends what a thread is waiting for
                    process.terminate()


_changing = threading.Lock()
"""Held while the environment is changed: another thread would take that for what the user has said."""


@contextmanager
def no_modules_from_here() -> Iterator[None]:
    """Let processes that Python starts meanwhile import nothing from the current folder.

    They would look there first, before they are told where this one looks, and logs may lie beside anything.
    """
    with _changing:
        if os.environ.get(SAFE_PATH):
            yield
            return
        os.environ[SAFE_PATH] = OURS
        try:
            yield
        finally:
            del os.environ[SAFE_PATH]


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Hold Ctrl-C back while a worker may be started, which inherits that: it is the main process that ends.

    A worker which the terminal interrupts, too, would tell at length where it was.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    with no_modules_from_here():
        ensure_running()  # now, for it would end what is deferred next
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
