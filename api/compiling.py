"""Compiling in other processes, while the work goes on with interpreted kernels.

``python -m paifu.api.compiling NICE PART ...`` compiles parts of the engine into the cache, without names all
of them, and is how :class:`Compilers` does it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import suppress
from importlib import import_module
from types import TracebackType

from paifu.parsers.workers import default_jobs
from paifu.replay.kernels import jit

_SECONDS = {
    jit.ENGINE: 14.0, jit.REVIEW: 18.0, jit.READING: 4.0, jit.DECISIONS: 14.0, jit.SEATS: 24.0,
    jit.SIMULATOR: 12.0, jit.MODEL_PLAYERS: 18.0, jit.SOLVER: 6.0,
}  # fmt: skip
"""What a part takes to compile, of processor time. It decides what is done first, and changes no result."""
_WARMED_UP_BY: dict[str, tuple[str, dict[str, bool]]] = {
    jit.ENGINE: ("paifu.replay.table.engine", {}),
    jit.REVIEW: ("paifu.replay.table.engine", {"review": True}),
    jit.READING: ("paifu.parsers.mjlog.one_pass", {}),
    jit.DECISIONS: ("paifu.replay.judgement.deciding", {}),
    jit.SEATS: ("paifu.replay.simulate.driven", {}),
    jit.SIMULATOR: ("paifu.replay.simulate.games", {}),
    jit.MODEL_PLAYERS: ("paifu.replay.simulate.games", {"model": True}),
    jit.SOLVER: ("paifu.replay.solving.solve", {}),
}
"""The module whose ``warm_up`` compiles a part, and what it is called with."""
_ASIDE = 19
"""How nice compilers are while the work goes on without them."""
_LONGEST = 300
"""Seconds after which a compiler gives up, on a machine that has other things to do."""


class Compilers:
    """A context in which other processes, one a processor, compile what ``part`` needs.

    What they have not finished when it ends they finish by themselves, in half a minute at most, so that the
    next run finds it. An exception stops them. ``aside`` has them stand back, for the work goes on meanwhile.
    """

    def __init__(self, part: str, *, aside: bool = True) -> None:
        self._shares = _shares(_not_compiled(part), default_jobs())
        self._nice = _ASIDE if aside else 0
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Compilers:
        for share in self._shares:
            with suppress(OSError):  # then kernels stay interpreted
                self._processes.append(_compiler_of(share, self._nice))
        return self

    def is_at_work(self) -> bool:
        """Return whether any of them is not done."""
        return any(process.poll() is None for process in self._processes)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            if kind is not None:
                process.terminate()
                process.wait()
            elif process.poll() is None:
                process.returncode = 0  # or its end would be missed: a ResourceWarning


def seconds(part: str, processors: int) -> float:
    """Return how long it takes about to compile what ``part`` needs, with nothing else to do."""
    return max((_together(share) for share in _shares(_not_compiled(part), processors)), default=0.0)


def _together(parts: list[str]) -> float:
    return sum(_SECONDS[part] for part in parts)


def _shares(parts: list[str], processors: int) -> list[list[str]]:
    """Deal parts out to as many compilers as have a processor each, so that they are done at about a time.

    More at a time would slow down the longest, and each takes two seconds before it begins.
    """
    shares: list[list[str]] = [[] for _ in range(min(processors, len(parts)))]
    for part in sorted(parts, key=_SECONDS.__getitem__, reverse=True):
        min(shares, key=_together).append(part)
    return shares


def _not_compiled(part: str) -> list[str]:
    return [needed for needed in jit.needed(part) if not jit.is_warm(needed)]


def _compiler_of(parts: list[str], nice: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  this interpreter
        [sys.executable, "-P", "-m", "paifu.api.compiling", str(nice), *parts],
        env=os.environ | {"PAIFU_JIT": "on"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Ctrl-C is for the main process. A session of its own would keep it away, too, but Linux shares
        # processors among sessions first, however nice a process in one of them is.
        process_group=0,
    )


def compile_part(part: str) -> None:
    """Compile a part of the engine, or load it from the cache."""
    module, options = _WARMED_UP_BY[part]
    import_module(module).warm_up(**options)


def load(part: str) -> None:
    """Compile, or load, a part of the engine and what goes with it."""
    for needed in reversed(jit.needed(part)):
        compile_part(needed)


def main() -> None:
    """Compile parts at a niceness, unless another process is at it: those that are named after it, or all."""
    nice, *parts = sys.argv[1:]
    if hasattr(os, "nice"):
        os.nice(int(nice))
    limit = threading.Timer(_LONGEST, os._exit, (1,))
    limit.daemon = True
    limit.start()
    for part in parts or _WARMED_UP_BY:
        with jit.compiling_alone(part) as is_alone:
            if is_alone:
                compile_part(part)


if __name__ == "__main__":
    main()
