"""Work on a cluster of dask.distributed; imported when one is asked for.

A unit travels through the scheduler, which keeps it until its result is there: when a worker dies, the
scheduler gives the unit to another. Documents travel as bytes; of a dataset only names travel, and workers
read its shards themselves. No more than two units a worker are in progress, so memory stays bounded here, in
the scheduler and in workers.

Before work begins, and again with each unit, workers must have the same paifu, Python and libraries as this
process: otherwise results could differ.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import platform
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from paifu.parsers.dataset.entries import Shard
from paifu.parsers.processes import OURS, SAFE_PATH, interrupts_deferred, no_modules_from_here
from paifu.parsers.sources.paths import DATASET_MANIFEST
from paifu.parsers.workers import UNITS_AHEAD, Cluster, ClusterError
from paifu.replay.errors import reason_of
from paifu.replay.foreign_text import escaped
from paifu.replay.language import VARIABLE as LANGUAGE
from paifu.replay.scoring.yaku_names import VARIABLE as NAMES
from paifu.replay.source_hash import source_hash

if TYPE_CHECKING:
    from distributed import Client, Future

R = TypeVar("R")
T = TypeVar("T")

_LOOK_EVERY = 1.0
"""Seconds between two looks at the cluster while there is nothing but to wait."""
_WARNING = "distributed.admin.large-graph-warning-threshold"
_ENVIRON = "distributed.nanny.pre-spawn-environ"
"""Settings of dask: when it warns, and the environment in which workers start."""
_WARNINGS = "PYTHONWARNINGS"
_TALKERS = ("distributed", "tornado", "asyncio")
_LIBRARIES = ("numpy", "pyarrow", "distributed")
"""What results or their way here depend on; a Parquet file names the version of pyarrow."""
_WORDS = (LANGUAGE, NAMES)
"""Variables that say in which words texts are."""
_PROBE = (
    "('%d.%d' % __import__('sys').version_info[:2], "
    "next((one.version for one in "
    "__import__('importlib.metadata').metadata.distributions(name='paifu')), ''))"
)
"""An expression that any Python knows: its version, and that of paifu, empty where there is none."""
_ALONE = threading.Lock()
"""In a worker: one unit at a time, whatever number of threads it has."""


@cache
def identity() -> dict[str, str]:
    """Return what this process and a worker must have in common."""
    floors = "coach", "parsers", "replay", "reports", "api"
    sources = source_hash(floors, (".py", ".toml", ".npz", ".xz", ".mo"))
    python = ".".join(platform.python_version_tuple()[:2])
    return {
        "Python": python,
        "paifu": f"{version('paifu')} ({sources[:12]})",
        **{name: version(name) for name in _LIBRARIES},
    }


def spread(units: Iterable[T], work: Callable[[T], R], cluster: Cluster) -> Iterator[R]:
    """Yield ``work(unit)`` for each unit, in order, computed by the workers of a cluster.

    Raises ClusterError, and what ``work`` raises.
    """
    with _connected(cluster) as client:
        try:
            _check_workers(client, cluster)
        except OSError as error:
            raise _gone(cluster) from error
        run = _UnitsInProgress(client, cluster)
        pending: deque[tuple[Future[bytes], str]] = deque()
        for unit in units:
            pending.append((run.submit(work, unit), _described(unit)))
            while len(pending) > run.most:
                yield run.result(*pending.popleft())
        while pending:
            yield run.result(*pending.popleft())


class _UnitsInProgress:
    """Units in progress on a cluster."""

    def __init__(self, client: Client, cluster: Cluster) -> None:
        self._client = client
        self._cluster = cluster
        self._name = uuid.uuid4().hex
        self._submitted = 0
        self._next_look = 0.0
        self._alone_since: float | None = None
        self.most = 0
        """Units that may be in progress."""
        self._look()

    def submit(self, work: Callable[[T], R], unit: T) -> Future[bytes]:
        """Hand a unit to the scheduler."""
        payload = pickle.dumps((work, unit), 5)
        self._submitted += 1
        try:
            return self._client.submit(
                work_on, identity(), str(Path.cwd()), _spoken(), payload,
                key=f"paifu-{self._name}-{self._submitted}", pure=False,
            )  # fmt: skip
        except Exception as error:
            if self._client.status == "running":
                raise
            raise _gone(self._cluster) from error

    def result(self, future: Future[bytes], described: str) -> Any:
        """Wait for a result; raises what the work raised, or ClusterError."""
        from distributed import KilledWorker

        while True:
            self._look()
            try:
                is_done, value = pickle.loads(future.result(timeout=_LOOK_EVERY))  # noqa: S301  of our workers
                break
            except TimeoutError:
                continue
            except KilledWorker as error:
                raise ClusterError(
                    f"{error.allowed_failures + 1} workers died over one unit of work, {described}: perhaps "
                    "for want of memory; look at what they logged, or try these files alone with --jobs 1"
                ) from error
            except Exception as error:
                if self._client.status != "running":
                    raise _gone(self._cluster) from error
                raise ClusterError(
                    f"{self._cluster.address}: {described} could not be worked on: {reason_of(error)}"
                ) from error
        if not is_done:
            raise value
        return value

    def _look(self) -> None:
        """Count the workers from time to time; raise ClusterError when there is none for too long."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _LOOK_EVERY
        if self._client.status != "running":
            raise _gone(self._cluster)
        try:
            workers = len(self._client.nthreads())
        except Exception as error:
            raise _gone(self._cluster) from error
        if workers:
            self.most, self._alone_since = UNITS_AHEAD * workers, None
            return
        self._alone_since = now if self._alone_since is None else self._alone_since
        if now - self._alone_since > self._cluster.timeout:
            raise _deserted(self._cluster)


# --- the cluster ---------------------------------------------------------------------------------------


@contextmanager
def _connected(cluster: Cluster) -> Iterator[Client]:
    """Yield a client of a cluster, started here if it is to be; nothing of it is left afterwards."""
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise ClusterError("a cluster needs dask.distributed: pip install 'paifu[cluster]'") from None
    for name in (*_TALKERS, *logging.root.manager.loggerDict):  # what they have to say, errors say here
        if name.partition(".")[0] in _TALKERS:  # some have a level of their own
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    environ = dask.config.get(_ENVIRON) | {SAFE_PATH: OURS}
    with ExitStack() as stack:
        stack.enter_context(dask.config.set({_WARNING: "1 GiB", _ENVIRON: environ}))
        # The nannies of workers, which are threads of this process, leave it with such an environment.
        stack.enter_context(_variables_kept(["PYTHONHASHSEED", *environ]))
        if cluster.local_workers:
            _start_tracker()
        try:
            with interrupts_deferred():  # workers inherit that: Ctrl-C is for this process
                address: Any = cluster.address
                if cluster.local_workers:
                    address = stack.enter_context(
                        LocalCluster(
                            n_workers=cluster.local_workers,
                            threads_per_worker=1,
                            dashboard_address="127.0.0.1:0",
                            memory_limit=0,
                            silence_logs=logging.CRITICAL + 1,
                        )
                    )
                else:
                    asyncio.run(_greeted(cluster))
                client = Client(address, timeout=cluster.timeout, set_as_default=False, name="paifu")
                stack.callback(_closed, client)
        except Exception as error:
            raise ClusterError(
                f"{escaped(cluster.address)}: no scheduler answered within {cluster.timeout:g} s "
                f"({reason_of(error)}); check the address, or start one with 'dask scheduler'"
            ) from error
        yield client


def _start_tracker() -> None:
    """Start the process that removes semaphores of a process that was killed, unless it is there, silently.

    The workers of a local cluster need some. It would complain of having to do so.
    """
    from multiprocessing.resource_tracker import ensure_running

    with _variables_kept([_WARNINGS]), no_modules_from_here():
        os.environ[_WARNINGS] = ",".join(filter(None, (os.environ.get(_WARNINGS), "ignore:resource_tracker")))
        ensure_running()


@contextmanager
def _variables_kept(names: Iterable[str]) -> Iterator[None]:
    """Put environment variables back in the end."""
    before = {name: os.environ.get(name) for name in names}
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


async def _greeted(cluster: Cluster) -> None:
    """Return when a scheduler has answered; a client would wait forever for an address without one."""
    from distributed import Security
    from distributed.core import rpc

    security = Security().get_connection_args("client")
    async with asyncio.timeout(cluster.timeout):
        async with rpc(cluster.address, timeout=cluster.timeout, connection_args=security) as scheduler:
            await scheduler.identity()


def _closed(client: Client) -> None:
    with suppress(Exception):
        client.close(timeout=2)


def _check_workers(client: Client, cluster: Cluster) -> None:
    """Raise ClusterError unless there are workers, and all of them are as this process is."""
    try:
        client.wait_for_workers(1, timeout=cluster.timeout)
    except TimeoutError:
        raise ClusterError(
            f"{cluster.address}: the scheduler has no workers; start some with "
            f"'dask worker {cluster.address}'"
        ) from None
    ours, versions = identity(), {}
    for worker, found in _answers(client, cluster, eval, _PROBE):
        python, paifu = found if isinstance(found, tuple) else ("an unknown version", "")
        versions[worker] = paifu
        if python != ours["Python"]:
            raise _misfit(worker, {"Python": python})
        if not paifu:
            raise ClusterError(f"the worker {worker} has no paifu; install the same version there")
    for worker, found in _answers(client, cluster, identity):
        if found != ours:
            theirs = found if isinstance(found, dict) else {"paifu": versions.get(worker, "another version")}
            raise _misfit(worker, theirs)


def _answers(client: Client, cluster: Cluster, work: Callable[..., Any], *arguments: object) -> Any:
    """Give (worker, its answer or what the work raised there) of all workers.

    A worker may die while it is asked; the rest and those that replace it are asked again then.
    """
    until = time.monotonic() + cluster.timeout
    while True:
        answers = client.run(work, *arguments, on_error="return")
        gone = [(worker, answer) for worker, answer in answers.items() if isinstance(answer, OSError)]
        if answers and not gone:
            return answers.items()
        if time.monotonic() > until:
            if not gone:
                raise _deserted(cluster)
            worker, why = gone[0]
            raise ClusterError(
                f"the worker {worker} does not answer ({reason_of(why)}); look at what it logged"
            )
        time.sleep(0.1)


def _gone(cluster: Cluster) -> ClusterError:
    return ClusterError(f"{cluster.address}: the scheduler has gone away; start it and run the command again")


def _deserted(cluster: Cluster) -> ClusterError:
    return ClusterError(f"{cluster.address}: no worker is left; start some and run the command again")


def _misfit(worker: str, theirs: dict[str, str]) -> ClusterError:
    name = next(name for name, here in identity().items() if theirs.get(name, here) != here)
    return ClusterError(
        f"the worker {worker} runs {name} {theirs[name]}, this process {identity()[name]}; results could "
        "differ: install the same version on both"
    )


def _described(unit: object) -> str:
    """Name what a unit holds, for errors."""
    items = items_of(unit)
    if not items:
        return f"{unit!r:.80}"
    first, last = (named(items[place]) for place in (0, -1))
    return first if first == last else f"{first} to {last}"


def items_of(unit: object) -> list[Any]:
    """Return the items of a unit, which an import numbers; nothing for other work."""
    items = unit[1] if isinstance(unit, tuple) else unit
    return items if isinstance(items, list) else []


def named(item: object) -> str:
    """Name a piece of input, for errors."""
    if isinstance(item, Shard):
        return f"{item.root} (shard {item.entry.name})"
    return str(getattr(item, "location", f"{item!r:.80}"))


# --- in a worker ---------------------------------------------------------------------------------------


def work_on(expected: dict[str, str], folder: str, spoken: dict[str, str], payload: bytes) -> bytes:
    """Do the work on one unit; returns whether it was done, and the result or what was raised, pickled."""
    with _ALONE:
        try:
            _check_here(expected)
            with _as_there(folder, spoken):
                work, unit = pickle.loads(payload)  # noqa: S301  who can send this can run anything here
                _check_reach(unit)
                return pickle.dumps((True, work(unit)), 5)
        except (Exception, SystemExit) as error:  # noqa: BLE001  it is raised there
            return pickle.dumps((False, error), 5)


def _check_here(expected: dict[str, str]) -> None:
    """Raise ClusterError unless this worker, which may have joined later, is as the command is."""
    here = identity()
    for name, needed in expected.items():
        if here.get(name) != needed:
            raise ClusterError(
                f"a worker on {platform.node()} runs {name} {here.get(name)}, the command {needed}; install "
                "the same version on both"
            )


@contextmanager
def _as_there(folder: str, spoken: dict[str, str]) -> Iterator[None]:
    """Work in the folder that the command works in, if it is here, and in its words."""
    before, spoken_before = str(Path.cwd()), _spoken()
    with suppress(OSError):
        os.chdir(folder)
    _set(spoken)
    try:
        yield
    finally:
        os.chdir(before)
        _set(spoken_before)


def _spoken() -> dict[str, str]:
    """Return which words texts use here: the names of yaku, and the language."""
    return {name: os.environ[name] for name in _WORDS if name in os.environ}


def _set(spoken: dict[str, str]) -> None:
    for name in _WORDS:
        os.environ.pop(name, None)
    os.environ |= spoken


def _check_reach(unit: object) -> None:
    """Raise ClusterError for a dataset on a disk that this worker does not see."""
    for item in items_of(unit):
        if isinstance(item, Shard) and not (item.root / DATASET_MANIFEST).exists():
            raise ClusterError(
                f"a worker on {platform.node()} does not see the dataset {item.root}: put it on an object "
                "store, or into a folder that all workers share"
            )
