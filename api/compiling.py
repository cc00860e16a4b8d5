"""Compiling in other processes, while the work goes on with interpreted kernels.

``python -m paifu.api.compiling PART ...`` compiles parts of the engine into the cache, and is how
:class:`Compilers` does it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import suppress
from types import TracebackType

from paifu.replay.kernels import jit

_NICE = 5
"""How much compilers stand back: whoever waits, waits for results."""
_LONGEST = 300
"""Seconds after which a compiler gives up, on a machine that has other things to do."""


class Compilers:
    """A context in which other processes compile what ``part`` needs, side by side.

    What they have not finished when it ends they finish by themselves, in half a minute at most, so that the
    next run finds it. An exception stops them.
    """

    def __init__(self, part: str) -> None:
        self._parts = [needed for needed in jit.needed(part) if not jit.is_warm(needed)]
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Compilers:
        for part in self._parts:
            with suppress(OSError):  # then kernels stay interpreted
                self._processes.append(_compiler_of(part))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            if kind is not None:
                process.terminate()
                process.wait()
            elif process.poll() is None:
                process.returncode = 0  # or its end would be missed: a ResourceWarning


def _compiler_of(part: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  this interpreter
        [sys.executable, "-m", "paifu.api.compiling", part],
        env=os.environ | {"PAIFU_JIT": "on"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for the main process
    )


def compile_part(part: str) -> None:
    """Compile a part of the engine, or load it from the cache."""
    if part == jit.READING:
        from paifu.parsers.mjlog import one_pass

        one_pass.warm_up()
    elif part == jit.DECISIONS:
        from paifu.replay.judgement.deciding import warm_up as warm_up_decisions

        warm_up_decisions()
    elif part == jit.SEATS:
        from paifu.replay.simulate.driven import warm_up as warm_up_seats

        warm_up_seats()
    elif part == jit.SOLVER:
        from paifu.replay.solving.solve import warm_up as warm_up_solver

        warm_up_solver()
    else:
        from paifu.replay.table.engine import warm_up

        warm_up(review=part == jit.REVIEW)


def load(part: str) -> None:
    """Compile, or load, a part of the engine and what goes with it."""
    for needed in reversed(jit.needed(part)):
        compile_part(needed)


def main() -> None:
    """Compile the parts that are named, unless another process is at it."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    limit = threading.Timer(_LONGEST, os._exit, (1,))
    limit.daemon = True
    limit.start()
    for part in sys.argv[1:]:
        with jit.compiling_alone(part) as is_alone:
            if is_alone:
                compile_part(part)


if __name__ == "__main__":
    main()
