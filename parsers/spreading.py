"""How work is spread: over processes of this machine, or over the workers of a cluster.

Everything else gives units of work to :func:`run` and takes the results, which come in the order of the
units.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from itertools import chain, islice
from typing import TypeVar

from paifu.parsers.workers import UNITS_AHEAD, Cluster, Jobs, Pool, default_jobs

R = TypeVar("R")
T = TypeVar("T")


def run(units: Iterable[T], work: Callable[[T], R], *, jobs: Jobs) -> Iterator[R]:
    """Yield ``work(unit)`` for each unit, in order, computed in ``jobs`` processes or on a cluster.

    ``work`` and its results must be picklable. A single unit is worked on here, without any worker, unless it
    is for a cluster. Raises ClusterError.
    """
    if isinstance(jobs, Cluster):
        from paifu.parsers.cluster import spread

        yield from spread(units, work, jobs)
        return
    jobs = default_jobs() if jobs is None else jobs
    if jobs <= 1:
        yield from map(work, units)
        return
    source = iter(units)
    ahead = list(islice(source, 2))
    if len(ahead) < 2:
        yield from map(work, ahead)
        return
    pool = Pool(jobs)
    pending: deque[Future[R]] = deque()
    is_done = False
    try:
        for unit in chain(ahead, source):
            pending.append(pool.submit(work, unit))
            if len(pending) > jobs * UNITS_AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
        is_done = True
    finally:
        pool.close(is_done=is_done)
