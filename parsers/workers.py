"""Who does the work: processes of this machine, or (:mod:`paifu.parsers.cluster`) workers of a cluster."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from paifu.replay.errors import ArgumentError, PaifuError

if TYPE_CHECKING:
    pass

R = TypeVar("R")
T = TypeVar("T")

UNITS_AHEAD = 2
"""Units a worker has waiting, so that it never idles and memory stays bounded."""
MAX_WORKERS = 1024
"""Processes that one machine is asked for."""
TIMEOUT = 10.0
"""Seconds that a cluster may take to answer."""
_LOCAL = "local:"


class ClusterError(PaifuError):
    """A cluster that is not there, does not fit, or cannot do its work: which, why, and what to do next."""


class WorkerDiedError(PaifuError):
    """A process that ended over a unit of work, and so did the one that took its place."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Workers of dask.distributed, in place of a number of processes.

    ``address`` is that of a scheduler (``tcp://host:8786``), or ``local:N`` to start one with N workers here.
    ``timeout`` is how many seconds scheduler and workers may take to answer. Raises ArgumentError.

    >>> Cluster("local:2").local_workers
    2
    """

    address: str
    timeout: float = TIMEOUT

    def __post_init__(self) -> None:
        if self.address.startswith(_LOCAL) and not 1 <= self.local_workers <= MAX_WORKERS:
            raise ArgumentError(f"the cluster {self.address!r}: local:N starts 1 to {MAX_WORKERS} workers")
        if not self.address.strip():
            raise ArgumentError("a cluster needs the address of its scheduler, or local:N")

    @property
    def local_workers(self) -> int:
        """Workers to start on this machine; 0 for none."""
        number = self.address.removeprefix(_LOCAL)
        is_local = (
            self.address.startswith(_LOCAL) and number.isascii() and number.isdigit() and len(number) < 9
        )
        return int(number) if is_local else 0


Jobs = int | Cluster | None
"""Who does the work: a number of processes, a cluster, or (None) one process a processor if that pays."""


def default_jobs() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
