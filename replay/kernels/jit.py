"""Compiled or interpreted: the one place that decides how kernels run.

A kernel is a function over integers and small arrays, marked ``@kernel``. The same body runs in two ways,
chosen once for the whole process, when the first kernel module is imported:

* **compiled** by numba (the default), cached on disk between runs;
* **interpreted**, as the plain Python it is: no waiting for a compiler, for one hand or one small log,
  for coverage and for debugging.

``PAIFU_JIT=off`` (or ``NUMBA_DISABLE_JIT=1``) interprets always, ``PAIFU_JIT=on`` compiles always;
otherwise a command asks for :func:`interpret`, or lets :func:`choose` decide by the size of its input, before
it imports the engine.

numba's own cache does not notice an edit in a module that a kernel calls into, so the cache folder is
named by a hash of all kernel sources. It lies in the user's cache folder; ``PAIFU_CACHE_DIR`` moves it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import platformdirs

F = TypeVar("F", bound=Callable[..., Any])

_KEEP_OLD_CACHES = 2
ENGINE, REVIEW, SIMULATOR = "engine", "review", "simulator"
"""What is compiled apart: the replay, the replay with a review, and the play of new games."""
_WARM = "{}-is-compiled"
"""File in the cache folder that says so."""

_INTERPRETED_SECONDS = {ENGINE: 35e-6, REVIEW: 55e-6, SIMULATOR: 550e-6}
"""An event as plain Python: 100 real games, 29 ms a game of 850 events, with the review 46 ms; and played."""
_LOADING_SECONDS = 0.7
"""The compiled engine from the cache, numba's import included."""
_PATIENCE = 3.0
"""Seconds that one input may take before it is worth to compile, which is worth it for all that follow."""


class _Mode:
    interpreted: bool = os.environ.get("PAIFU_JIT") == "off" or os.environ.get("NUMBA_DISABLE_JIT") == "1"
    used: bool = False
    is_kept: bool = True
    """Whatever was compiled lies in the cache."""
    settled: ClassVar[set[Callable[..., Any]]] = set()


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
    """Tell whether kernels run as plain Python in this process."""
    return _Mode.interpreted


@cache
def cache_folder() -> Path:
    """Return the folder of compiled kernels that belongs to the present kernel sources."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {version('numba')}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    root = os.environ.get("PAIFU_CACHE_DIR") or platformdirs.user_cache_dir("paifu", appauthor=False)
    return Path(root) / f"kernels-{digest.hexdigest()[:16]}"


def is_warm(part: str = ENGINE) -> bool:
    """Tell whether the whole engine (or review), of the present sources, lies compiled in the cache."""
    try:
        return (cache_folder() / _WARM.format(part)).exists()
    except OSError:  # one may not look there
        return False


def mark_warm(part: str = ENGINE) -> None:
    """Remember that all of ``part`` has been compiled; without a cache to keep it in, do nothing."""
    if not _Mode.interpreted and _Mode.is_kept:
        with suppress(OSError):
            (cache_folder() / _WARM.format(part)).touch()


def is_small(events: int, part: str = ENGINE) -> bool:
    """Tell whether to replay so many events interpreted, if that can still be chosen.

    That is while it takes no longer than to load what is compiled, or, when nothing is compiled yet, a few
    seconds.
    """
    return events * _INTERPRETED_SECONDS[part] <= (_LOADING_SECONDS if is_warm(part) else _PATIENCE)


def choose(events: int, part: str = ENGINE) -> bool:
    """Decide how to replay about so many events; must precede the import of any kernel module.

    Returns True when kernels will run compiled.
    """
    if not _Mode.used and is_small(events, part):
        return not interpret()
    return not _Mode.interpreted


def _drop_old_caches() -> None:
    """Delete all but the youngest caches of other kernel sources."""
    current = cache_folder()
    others = [p for p in current.parent.glob("kernels-*") if p != current and p.is_dir()]
    others.sort(key=lambda p: p.stat().st_mtime, reverse=True)
    for old in others[_KEEP_OLD_CACHES:]:
        shutil.rmtree(old, ignore_errors=True)


@cache
def _compiler() -> Callable[[Any], Any]:
    import numba

    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _drop_old_caches()
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if writable:
        numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    # Without numba's run time nothing can allocate, and arrays passed from kernel to kernel are not counted:
    # a replay, which hands on a dozen arrays at every call, takes a tenth of the time.
    options: dict[str, Any] = {"cache": writable, "boundscheck": False, "_nrt": False}
    compiler = cast(Callable[[Any], Any], numba.njit(**options))
    return _with_patient_cache(compiler) if writable else compiler


def _with_patient_cache(compiler: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Go on where the cache cannot be written any more (a full disk), or was torn by a power failure."""
    from pickle import UnpicklingError

    from numba.core.caching import FunctionCache

    torn = (EOFError, UnpicklingError)

    class PatientCache(FunctionCache):
        def save_overload(self, signature: object, data: object) -> None:
            try:
                try:
                    super().save_overload(signature, data)  # type: ignore[no-untyped-call]
                except torn:
                    self.flush()  # type: ignore[no-untyped-call]
                    super().save_overload(signature, data)  # type: ignore[no-untyped-call]
            except OSError:
                _Mode.is_kept = False

        def load_overload(self, signature: object, context: object) -> object:
            try:
                return super().load_overload(signature, context)  # type: ignore[no-untyped-call]
            except (OSError, *torn):
                return None

    def compile_and_keep(function: Any) -> Any:
        dispatcher = compiler(function)
        dispatcher._cache = PatientCache(function)  # type: ignore[no-untyped-call]
        return dispatcher

    return compile_and_keep


def kernel(function: F) -> F:
    """Mark a kernel: compiled lazily at its first call, or left as it is when interpreted."""
    _Mode.used = True
    return function if _Mode.interpreted else cast(F, _compiler()(function))


def settle(function: Callable[..., Any], *examples: object) -> None:
    """Compile a kernel for arguments like ``examples``, to which all others are converted.

    Of a kernel called with many different constants and widths of integers numba would make a version for
    each: fifty of the one that notes findings.
    """
    if _Mode.interpreted or function in _Mode.settled:
        return
    from numba import typeof

    dispatcher = cast(Any, function)
    dispatcher.compile(tuple(map(cast(Callable[[object], Any], typeof), examples)))
    dispatcher.disable_compile()
    _Mode.settled.add(function)
