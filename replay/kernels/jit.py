"""Compiled or interpreted: the one place that decides how kernels run.

A kernel is a function over integers and small arrays, marked ``@kernel``. The same body runs in two ways,
chosen once for the whole process, when the first kernel module is imported:

* **compiled** by numba (the default), cached on disk between runs;
* **interpreted**, as the plain Python it is: no waiting for a compiler, for one hand or one small log,
  for coverage and for debugging.

``PAIFU_JIT=off`` (or ``NUMBA_DISABLE_JIT=1``) interprets always, ``PAIFU_JIT=on`` compiles always;
otherwise a command asks for :func:`interpret`, or lets :func:`choose` decide by the size of its input, before
it imports the engine.

Where compiled kernels are kept is the matter of :mod:`paifu.replay.kernels.cache`. The folder is named by a
hash of all kernel sources, for an edit in one module changes what kernels of others become, and of the
constants of :mod:`paifu.replay.kernels.rows`, the only kernel module that imports anything from outside. It
lies in the user's cache folder; ``PAIFU_CACHE_DIR`` moves it.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, cast

import platformdirs

from paifu.replay.kernels.cache import KernelCache, open_folder, problem_with, temporary_folder

F = TypeVar("F", bound=Callable[..., Any])

ENGINE, REVIEW, SIMULATOR, DECISIONS = "engine", "review", "simulator", "decisions"
"""What is compiled apart: the replay, the replay with a review, the play of new games, and decisions."""
_WARM = "{}-is-compiled"
"""File in the cache folder that says so."""

_INTERPRETED_SECONDS = {ENGINE: 35e-6, REVIEW: 55e-6, SIMULATOR: 550e-6, DECISIONS: 400e-6}
"""An event as plain Python: 100 real games, 29 ms a game of 850 events, with the review 46 ms; and played."""
_LOADING_SECONDS = 0.7
"""The compiled engine from the cache, numba's import included."""
_PATIENCE, _COMPILING_SECONDS = 3.0, 40.0
"""Seconds that one input may take before it is worth to compile: for all that follow, or for it alone."""


class _Mode:
    interpreted: bool = os.environ.get("PAIFU_JIT") == "off" or os.environ.get("NUMBA_DISABLE_JIT") == "1"
    used: bool = False
    is_kept: bool = True
    """Whatever was compiled lies in the cache."""
    private: Path | None = None
    """Where the main process keeps its kernels, in a worker of one that has no cache."""


def interpret() -> bool:
    """Ask for interpreted kernels; must precede the import of any kernel module.

    Returns True when kernels will run interpreted, False when the environment insists on compiling.
    Raises RuntimeError when kernels have been imported compiled already.
    """
    if os.environ.get("PAIFU_JIT") == "on":
        return False
    if _Mode.used and not _Mode.interpreted:
        raise RuntimeError("kernels are compiled already; call interpret() before importing them")
    _Mode.interpreted = True
    return True


def is_interpreted() -> bool:
    """Return whether kernels run as plain Python in this process."""
    return _Mode.interpreted


def is_compiled() -> bool:
    """Return whether kernels run compiled, and some have been imported already."""
    return _Mode.used and not _Mode.interpreted


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


def is_warm(part: str = ENGINE) -> bool:
    """Return whether the whole engine (or review), of the present sources, lies compiled in the cache."""
    try:
        return not cache_problem() and (cache_folder() / _WARM.format(part)).exists()
    except OSError:  # one may not look there
        return False


def cache_problem() -> str:
    """Say why the cache is not to be trusted, and what to do; empty when it is."""
    try:
        return problem_with(cache_folder())
    except OSError:
        return ""


def mark_warm(part: str = ENGINE) -> None:
    """Remember that all of ``part`` has been compiled; without a cache to keep it in, do nothing."""
    if not _Mode.interpreted and _Mode.is_kept and not cache_problem():
        with suppress(OSError):
            (cache_folder() / _WARM.format(part)).touch()


def is_small(events: int, part: str = ENGINE) -> bool:
    """Return whether to replay so many events interpreted, if that can still be chosen.

    That is while it takes no longer than to load what is compiled, or, when nothing is compiled yet, a few
    seconds; or, when nothing can be kept, no longer than to compile.
    """
    patience = _COMPILING_SECONDS if cache_problem() else _PATIENCE
    return events * _INTERPRETED_SECONDS[part] <= (_LOADING_SECONDS if is_warm(part) else patience)


def choose(events: int, part: str = ENGINE) -> bool:
    """Decide how to replay about so many events; must precede the import of any kernel module.

    Returns True when kernels will run compiled.
    """
    if not _Mode.used and is_small(events, part):
        return not interpret()
    return not _Mode.interpreted


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


@cache
def _compiler() -> Callable[[Any], Any]:
    import numba

    # Without numba's run time nothing can allocate, and arrays passed from kernel to kernel are not counted:
    # a replay, which hands on a dozen arrays at every call, takes a tenth of the time.
    options: dict[str, Any] = {"boundscheck": False, "_nrt": False}
    compiler, folder = cast(Callable[[Any], Any], numba.njit(**options)), _store()

    def compile_and_keep(function: Any) -> Any:
        dispatcher = compiler(function)
        if folder is not None:
            dispatcher._cache = KernelCache(function, folder, _lost)
        return dispatcher

    return compile_and_keep


def kernel(function: F) -> F:
    """Mark a kernel: compiled when it is first called, or left as it is when interpreted.

    There is one compiled version of it, for the types that its annotations state; what it is called with is
    converted. Otherwise numba would make a version for each constant and width of integer: fifty of the one
    that notes findings. Only where an annotation leaves a type open (a union, an array of any kind) is there
    a version for each type that comes.
    """
    _Mode.used = True
    return function if _Mode.interpreted else cast(F, _settled(_compiler()(function)))


def _settled(dispatcher: Any) -> Any:
    """Have numba compile a kernel for the annotated types before it looks at what it is called with."""
    from numba import typeof
    from numba.core.compiler_lock import global_compiler_lock

    from paifu.replay.kernels.signatures import examples

    of_call, of_types = dispatcher._compile_for_args, dispatcher.get_call_template

    def settle() -> tuple[Any, ...] | None:
        with global_compiler_lock:
            if not dispatcher._can_compile:
                return cast(tuple[Any, ...], dispatcher.signatures[0])
            stated = examples(dispatcher.py_func)
            if stated is None:
                return None
            types = tuple(map(cast(Callable[[object], Any], typeof), stated))
            dispatcher.compile(types)
            dispatcher.disable_compile()
            return types

    def compile_for_args(*args: object, **kws: object) -> Any:
        types = settle()
        return of_call(*args, **kws) if types is None else dispatcher.overloads[types].entry_point

    def get_call_template(args: Any, kws: Any) -> Any:
        settle()
        return of_types(args, kws)

    dispatcher._compile_for_args, dispatcher.get_call_template = compile_for_args, get_call_template
    return dispatcher
