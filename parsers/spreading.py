"""How work is spread over processes.

Everything else gives units of work to :func:`run` and takes the results, which come in the order of the
units.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from math import inf
from time import process_time
from typing import TYPE_CHECKING, Any, TypeVar

from paifu.parsers.dataset.entries import InputItem, Shard
from paifu.parsers.errors import InputFault, WorkerDiedError

if TYPE_CHECKING:
    from concurrent.futures import Future

    from paifu.parsers.workers import Pool

R = TypeVar("R")
T = TypeVar("T")
START = 1.0
"""Seconds of work that workers must save: to start them takes about half a second of a processor for each."""
_AHEAD = 8
"""Units that are looked at before workers are started."""


def default_jobs() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(
    units: Iterable[T],
    work: Callable[[T], R],
    *,
    jobs: int | None,
    trial: Callable[[list[InputItem]], object] | None = None,
) -> Iterator[R]:
    """Yield ``work(unit)`` for each unit, in order, computed in ``jobs`` processes.

    ``work`` and its results must be picklable. A single unit is worked on here, without any worker.
    With ``jobs`` None, units are worked on here until workers, one a processor, would save
    more time than they take to start: if the units ahead take as long as the last one. Where processes die
    over a unit of input, or find too little memory, ``trial`` is done with each of its items alone: it is the
    work, without what it leaves behind. What a process dies over again becomes a fault of the unit, in place.
    Raises WorkerDiedError without ``trial``.
    """
    number = default_jobs() if jobs is None else jobs
    source = iter(units)
    if number <= 1:
        yield from map(work, source)
        return
    ahead = deque(islice(source, _AHEAD if jobs is None else 2))
    done, saved = 0, 0.0 if jobs is None else inf
    while len(ahead) == 1 or (ahead and saved <= START):
        begun = process_time()
        try:
            result_here = work(ahead[0])
        except MemoryError:  # a worker finds out over which item
            break
        took, done = process_time() - begun, done + 1
        ahead.popleft()
        ahead.extend(islice(source, 1))
        left = len(ahead) if len(ahead) < _AHEAD else max(_AHEAD, done)  # as many as were done may follow
        saved = took * left * (1 - 1 / min(number, left or 1))
        yield result_here
    if not ahead:
        return
    from paifu.parsers.workers import UNITS_AHEAD, Pool  # little input needs none

    pool = Pool(number)
    pending: deque[tuple[Future[R], T]] = deque()

    def result() -> R:
        future, unit = pending.popleft()
        try:
            return future.result()
        except (WorkerDiedError, MemoryError):
            if trial is None:
                raise
            return _without_deadly(pool, unit, work, trial)

    is_done = False
    try:
        for unit in chain(ahead, source):
            pending.append((pool.submit(work, unit), unit))
            if len(pending) > number * UNITS_AHEAD:
                yield result()
        while pending:
            yield result()
        is_done = True
    finally:
        pool.close(is_done=is_done)


def _without_deadly(
    pool: Pool, unit: T, work: Callable[[T], R], trial: Callable[[list[InputItem]], object]
) -> R:
    """Do the work without the items that a worker dies over, or without any if none does so alone."""
    items = _items_of(unit)

    def lost(item: InputItem) -> InputFault:
        reason = "a worker process died over it, perhaps for want of memory"
        return InputFault(_named(item), "", "V101", reason, "it was left out; try it alone, with --jobs 1")

    if not _is_survived(pool, trial, []):  # whatever the input: workers cannot work here
        raise WorkerDiedError("worker processes die as soon as they work; try --jobs 1")
    items[:] = [item if _is_survived(pool, trial, [item]) else lost(item) for item in items]
    try:
        return pool.submit(work, unit).result()
    except (WorkerDiedError, MemoryError):
        items[:] = map(lost, items)
        return pool.submit(work, unit).result()


def _items_of(unit: object) -> list[Any]:
    """Return the items of a unit, which an import numbers; nothing for other work."""
    items = unit[1] if isinstance(unit, tuple) else unit
    return items if isinstance(items, list) else []


def _named(item: object) -> str:
    """Name a piece of input, for errors."""
    if isinstance(item, Shard):
        return f"{item.root} (shard {item.entry.name})"
    return str(getattr(item, "location", f"{item!r:.80}"))


def _is_survived(pool: Pool, trial: Callable[[list[InputItem]], object], items: list[InputItem]) -> bool:
    try:
        pool.submit(partial(_tried, trial), items).result()
    except (WorkerDiedError, MemoryError):
        return False
    return True


def _tried(trial: Callable[[list[InputItem]], object], items: list[InputItem]) -> None:
    """In a worker: do the work for nothing. What it raises, it raises again where it is done for good."""
    try:
        trial(items)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001, S110  it is raised again there
        pass
