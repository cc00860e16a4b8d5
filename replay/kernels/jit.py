"""Compiled or interpreted: the one place that decides how kernels run.

A kernel is a function over integers and small arrays, marked ``@kernel``; one that Python code calls in
earnest is marked ``@entry``. The same body runs in two ways:

* **compiled** by numba (the default), cached on disk between runs;
* **interpreted**, as the plain Python it is: no waiting for a compiler, for one hand or one small log,
  for coverage and for debugging.

A kernel stays the plain function that it is, and calls others as such. An entry decides at each call, so a
process may begin interpreted and go on compiled: once other processes have filled the cache
(:func:`wait_for`), or for a larger input than the last (:func:`choose`). Kernels that are neither entries nor
called from one run interpreted.

``PAIFU_JIT=off`` (or ``NUMBA_DISABLE_JIT=1``) interprets always, ``PAIFU_JIT=on`` compiles always;
otherwise a command asks for :func:`interpret`, or lets :func:`choose` decide by the size of its input.

Where compiled kernels are kept is the matter of :mod:`paifu.replay.kernels.cache`, how they are compiled that
of :mod:`paifu.replay.kernels.compiler`, and how they are called that of
:mod:`paifu.replay.kernels.machine_code`: numba is imported only to compile. The folder is named by a hash of
all kernel sources, for an edit in one module changes what kernels of others become, and of the constants of
:mod:`paifu.replay.kernels.rows`, the only kernel module that imports anything from outside. It lies in the
user's cache folder; ``PAIFU_CACHE_DIR`` moves it.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, update_wrapper
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

import platformdirs

try:
    import fcntl
except ImportError:  # not on Windows: there, two runs may compile the same
    fcntl = None  # type: ignore[assignment]

from paifu.replay.kernels.cache import KernelCache, open_folder, problem_with, temporary_folder

if TYPE_CHECKING:
    from paifu.replay.kernels.compiled import CompiledKernel

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")

ENGINE, REVIEW, SIMULATOR, READING, DECISIONS = "engine", "review", "simulator", "reading", "decisions"
MODEL_PLAYERS, SEATS, SOLVER = "model-players", "seats", "solver"
"""What is compiled apart: the replay, the replay with a review, the play of new games, the fast reading,
decisions, the play of games in which somebody follows the model of decisions, that of single seats, and the
solver of discards."""
_NEEDED = {
    ENGINE: (ENGINE, READING),
    REVIEW: (REVIEW, READING),
    SIMULATOR: (SIMULATOR,),
    MODEL_PLAYERS: (MODEL_PLAYERS,),
    READING: (READING,),
    DECISIONS: (DECISIONS, REVIEW, READING),
    SEATS: (SEATS,),
    SOLVER: (SOLVER,),
}
_WARM = "{}-is-compiled"
"""File in the cache folder that says so."""

_INTERPRETED_SECONDS = {
    ENGINE: 35e-6, REVIEW: 55e-6, SIMULATOR: 550e-6, DECISIONS: 1000e-6, MODEL_PLAYERS: 2500e-6,
    SEATS: 2500e-6,
    SOLVER: 250e-6,
}  # fmt: skip
"""An event as plain Python: 100 real games, 29 ms a game of 850 events, with the review 46 ms; and played.
For the solver, a hand that it looks at."""
_LOADING_SECONDS = 0.15
"""The compiled engine from the cache."""
_PATIENCE, _COMPILING_SECONDS = 3.0, 16.0
"""Seconds that one input may take before it is worth to compile: for all that follow, or for it alone."""
_LOOK_EVERY = 0.2
"""Seconds between two looks whether other processes have done with compiling."""


def _forced() -> str:
    """What the environment insists on: "on", "off" or nothing."""
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        return "off"
    stated = os.environ.get("PAIFU_JIT", "")
    return stated if stated in ("on", "off") else ""


class _Mode:
    interpreted: bool = _forced() == "off"
    used: bool = False
    """Kernels have been imported."""
    loaded: set[str] = set()  # noqa: RUF012  one for the process
    """Parts that this process has compiled or loaded."""
    awaited: str = ""
    """The part that other processes compile."""
    next_look: float = 0.0
    is_kept: bool = True
    """Whatever was compiled lies in the cache."""
    private: Path | None = None
    """Where the main process keeps its kernels, in a worker of one that has no cache."""


def interpret() -> bool:
    """Ask for interpreted kernels. Returns False when the environment insists on compiling."""
    if _forced() == "on":
        return False
    _Mode.interpreted, _Mode.awaited = True, ""
    return True


@contextmanager
def for_a_while() -> Iterator[None]:
    """Put back in the end how kernels ran before, whatever was chosen meanwhile."""
    before = _Mode.interpreted, _Mode.awaited
    try:
        yield
    finally:
        _Mode.interpreted, _Mode.awaited = before


def wait_for(part: str) -> None:
    """Interpret kernels until other processes have compiled ``part``."""
    _Mode.interpreted, _Mode.awaited, _Mode.next_look = True, part, 0.0


def awaited() -> str:
    """Return the part that this process waits for; empty for none."""
    return _Mode.awaited


def is_interpreted() -> bool:
    """Return whether kernels run as plain Python at this moment."""
    if _Mode.awaited and time.monotonic() >= _Mode.next_look:
        _Mode.next_look = time.monotonic() + _LOOK_EVERY
        if is_warm(_Mode.awaited):
            _Mode.interpreted, _Mode.awaited = False, ""
    return _Mode.interpreted


def is_compiled() -> bool:
    """Return whether kernels run compiled, and some have been imported already."""
    return _Mode.used and not is_interpreted()


@cache
def cache_folder() -> Path:
    """Return the folder of compiled kernels that belongs to all that they are compiled from."""
    from paifu.replay.kernels import rows  # which imports this package

    digest = hashlib.sha256(f"{sys.version_info[:2]} {version('numba')}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    digest.update(repr([(name, vars(rows)[name]) for name in sorted(vars(rows)) if name.isupper()]).encode())
    root = os.environ.get("PAIFU_CACHE_DIR") or platformdirs.user_cache_dir("paifu", appauthor=False)
    return Path(root) / f"kernels-{digest.hexdigest()[:16]}"


def needed(part: str) -> tuple[str, ...]:
    """Return the parts that go together with ``part``, itself first."""
    return _NEEDED[part]


def is_warm(part: str = ENGINE) -> bool:
    """Return whether the part and what it needs, of the present sources, lies compiled in the cache."""
    try:
        return not cache_problem() and all(
            (cache_folder() / _WARM.format(needed)).exists() for needed in _NEEDED[part]
        )
    except OSError:  # one may not look there
        return False


def is_loaded(part: str) -> bool:
    """Return whether this process has compiled or loaded the part and what it needs."""
    return _Mode.loaded.issuperset(_NEEDED[part])


def cache_problem() -> str:
    """Say why the cache is not to be trusted, and what to do; empty when it is."""
    try:
        return problem_with(cache_folder())
    except OSError:
        return ""


def mark_warm(part: str = ENGINE) -> None:
    """Remember that all of ``part`` has been compiled, or loaded; in the cache, too, where there is one."""
    if not _Mode.interpreted:
        _Mode.loaded.add(part)
    if not _Mode.interpreted and _Mode.is_kept and not cache_problem():
        with suppress(OSError):
            (cache_folder() / _WARM.format(part)).touch()


def interpreted_seconds(events: int, part: str) -> float:
    """Return how long so many events take about as plain Python."""
    return events * _INTERPRETED_SECONDS[part]


def is_small(events: int, part: str = ENGINE) -> bool:
    """Return whether to replay so many events interpreted.

    That is while it takes no longer than to load what is compiled, or, when nothing is compiled yet, a few
    seconds; or, when nothing can be kept, no longer than to compile.
    """
    patience = _COMPILING_SECONDS if cache_problem() else _PATIENCE
    return interpreted_seconds(events, part) <= (_LOADING_SECONDS if is_warm(part) else patience)


def choose(events: int, part: str = ENGINE) -> bool:
    """Decide how to replay about so many events. Returns True when kernels will run compiled."""
    _Mode.awaited = ""
    if forced := _forced():
        _Mode.interpreted = forced == "off"
    else:
        _Mode.interpreted = part not in _Mode.loaded and is_small(events, part)
    return not _Mode.interpreted


def may_wait(part: str = ENGINE) -> bool:
    """Return whether other processes could compile ``part`` for this one, into the cache."""
    is_needed = not is_warm(part) and part not in _Mode.loaded
    return not _forced() and is_needed and open_folder(cache_folder()) is not None


@contextmanager
def compiling_alone(part: str) -> Iterator[bool]:
    """Hold a lock on compiling ``part``: False when another process holds it. It goes with the process."""
    folder = open_folder(cache_folder())
    if fcntl is None or folder is None:
        yield True
        return
    with (folder / f"{part}.lock").open("wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True


@cache
def _store() -> Path | None:
    """Return the folder in which this process keeps compiled kernels, made if need be; None for nowhere."""
    folder = _Mode.private or open_folder(cache_folder())
    if folder is None:
        _Mode.is_kept = False
        folder = temporary_folder()
    return folder


def private_folder() -> Path | None:
    """Return where this process keeps kernels without a cache, for its workers to :func:`share`.

    None when it has compiled nothing, or keeps them in the cache.
    """
    return None if _Mode.interpreted or _Mode.is_kept or not _Mode.used else _store()


def share(folder: Path | None) -> None:
    """In a worker, keep kernels where the main process does; must precede the import of any kernel module."""
    _Mode.private = folder


def _lost() -> None:
    _Mode.is_kept = False


_kernels: list[Any] = []
"""Kernels that numba has not been told of yet."""


def kernel(function: F) -> F:
    """Mark a kernel: compiled as a part of the entries that call it, and left as it is.

    There is one compiled version of it, for the types that its annotations state; what it is called with is
    converted. Otherwise numba would make a version for each constant and width of integer: fifty of the one
    that notes findings. Only where an annotation leaves a type open (a union, an array of any kind) is there
    a version for each type that comes.
    """
    _Mode.used = True
    _kernels.append(function)
    return function


class Entry(Generic[P, R]):
    """A kernel that Python calls, compiled or as it is; other kernels may call it, too."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.py_func = function
        self.compiled: CompiledKernel | None = None
        """The compiled function; None before its first call."""
        update_wrapper(self, function)
        _Mode.used = True
        _kernels.append(self)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run it as the process does at this moment."""
        if is_interpreted():
            return self.py_func(*args, **kwargs)
        result: R = self._ready()(*args, **kwargs)
        return result

    def bound(self, *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
        """Return the call with these arguments, for one that is made often: they are looked at only once.

        What changes from call to call must be in arrays.
        """
        packed: Callable[[], R] | None = None

        def call() -> R:
            nonlocal packed
            if is_interpreted():
                return self.py_func(*args, **kwargs)
            if packed is None:
                packed = self._ready().bound(*args, **kwargs)
            return packed()

        return call

    def _ready(self) -> CompiledKernel:
        if self.compiled is None:
            from paifu.replay.kernels.compiled import CompiledKernel

            folder = _store()
            cache = None if folder is None else KernelCache(self.py_func, folder, _lost)
            self.compiled = CompiledKernel(self.py_func, cache, _tell_numba)
        return self.compiled


def _tell_numba() -> None:
    """Let kernels that are compiled call all that are marked by now."""
    from paifu.replay.kernels.compiler import type_of_callee

    while _kernels:
        other = _kernels.pop()
        other._numba_type_ = type_of_callee(getattr(other, "py_func", other))


entry = Entry
