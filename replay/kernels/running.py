"""How kernels run: from the library that the build made, compiled now by numba, or as plain Python.

A kernel is a function over integers, records and arrays, marked ``@kernel``; one that Python code calls is
marked ``@entry``. Both stay the plain Python that they are, for debugging, for coverage and as an oracle. An
entry hands its arguments to compiled code where there is some:

* **library**: ``native.bin`` beside this module, one shared library with all entries, made by
  :mod:`paifu.replay.kernels.build` when paifu is installed. It names the sources that it was made of.
* **jit**: numba compiles what is called, once for each change of the sources.
* **python**: nothing is compiled.

``PAIFU_KERNELS`` names one of them. Otherwise it is the library; where that is missing or was made of other
sources, the next of the three that is possible, and one line on stderr says so.
"""

from __future__ import annotations

import ctypes
import dis
import hashlib
import inspect
import os
import struct
import sys
from array import array
from collections.abc import Callable, Iterator
from functools import cache, update_wrapper
from importlib.util import find_spec
from itertools import pairwise
from multiprocessing import parent_process
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, NoneType, UnionType
from typing import Annotated, Any, Generic, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from paifu.replay.kernels.records import Record

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")
Pack = Callable[[Any, list[int]], None]

WAYS = LIBRARY, JIT, PYTHON = "library", "jit", "python"
FOLDER = Path(__file__).parent
LIBRARY_FILE = FOLDER / "native.bin"  # a shared library, but no module of Python's
BUILD = "python -m paifu.replay.kernels.build"
_NOT_HASHED = ("running.py", "build.py", "build_progress.py")

KERNELS: dict[Callable[..., Any], Entry[Any, Any] | None] = {}
"""All kernels that have been imported, with their entries."""


def kernel(function: F) -> F:
    """Mark a kernel that kernels call: compiled for the types of its annotations."""
    KERNELS[function] = None
    return function


def globals_read(function: Callable[..., Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield the global names that a function reads, what it takes of modules among them, and the values."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
        for at, following in pairwise(dis.get_instructions(code)):
            if at.opname != "LOAD_GLOBAL" or at.argval not in function.__globals__:
                continue
            value = function.__globals__[at.argval]
            if isinstance(value, ModuleType) and value.__name__.startswith("paifu."):
                yield at.argval, following.argval, getattr(value, following.argval)
            else:
                yield at.argval, "", value


def kernel_of(value: Any) -> FunctionType | None:
    """Return the kernel that a name stands for, if it is one."""
    function = value.function if isinstance(value, Entry) else value
    return function if isinstance(function, FunctionType) and function in KERNELS else None


class Entry(Generic[P, R]):
    """A kernel that Python calls; other kernels may call it, too.

    Compiled code takes two rows of 64-bit cells, one of arguments and one of answers. An integer or a bool is
    a cell, a float is its bits, a record is its address, an array is the address of its first item and its
    shape, a tuple is its parts. Where an annotation is ``X | None``, there are two compiled versions.
    """

    def __init__(self, function: Callable[P, R]) -> None:
        self.function = function
        KERNELS[function] = self
        update_wrapper(self, function)
        self.parameters = tuple(inspect.signature(function).parameters)
        self._versions: dict[tuple[bool, ...], _Version] = {}

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run it the way that kernels run in this process."""
        if way() == PYTHON:
            return self.function(*args, **kwargs)
        given = args if not kwargs and len(args) == len(self.parameters) else self._bound(args, kwargs)
        result: R = self._version(given).call(given)()
        return result

    def bound(self, *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
        """Return the call with these arguments, for one that is made often: they are looked at only once.

        What changes from call to call must be in records or arrays.
        """
        if way() == PYTHON:
            return lambda: self.function(*args, **kwargs)
        given = self._bound(args, kwargs)
        return self._version(given).call(given)

    def kinds(self) -> tuple[Any, ...]:
        """Return what each argument is, as annotated."""
        hints = get_type_hints(self.function, include_extras=True)
        return tuple(hints[name] for name in self.parameters)

    def symbol(self, without: tuple[bool, ...]) -> str:
        """Return the name of the version for arguments of which these are None."""
        missing = [name for name, is_none in zip(self.parameters, without, strict=True) if is_none]
        return "_".join(["paifu", self.function.__name__, *(f"without_{name}" for name in missing)])

    def versions(self) -> list[tuple[bool, ...]]:
        """Return for each version which arguments are None."""
        optional = [_is_optional(kind) for kind in self.kinds()]
        every = [(False,) * len(optional)]
        return [*every, tuple(optional)] if any(optional) else every

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        bound = inspect.signature(self.function).bind(*args, **kwargs)
        bound.apply_defaults()
        return bound.args

    def _version(self, given: tuple[Any, ...]) -> _Version:
        without = tuple([value is None for value in given])
        if without not in self._versions:
            self._versions[without] = _Version(self, without)
        return self._versions[without]


entry = Entry


class _Version:
    """The compiled code of an entry."""

    def __init__(self, caller: Entry[Any, Any], without: tuple[bool, ...]) -> None:
        kinds = [NoneType if is_none else kind for kind, is_none in zip(caller.kinds(), without, strict=True)]
        self._packs = [pack_of(kind) for kind in kinds]
        answer = get_type_hints(caller.function)["return"]
        self._is_tuple = get_origin(answer) is tuple
        self._unpacks = [_UNPACK[part] for part in (get_args(answer) if self._is_tuple else (answer,))]
        if way() == LIBRARY:
            self._run: Any = _library()[caller.symbol(without)]
        else:
            _keep_what_numba_compiles()
            from paifu.replay.kernels.compiling import compiled

            self._run = compiled(caller, without).ctypes
        self._run.argtypes, self._run.restype = [ctypes.c_void_p] * 5, ctypes.c_int64

    def call(self, given: tuple[Any, ...]) -> Callable[[], Any]:
        """Return the call with these arguments, which it keeps alive."""
        cells: list[int] = []
        for pack, value in zip(self._packs, given, strict=True):
            pack(value, cells)
        row, answer = array("q", cells or [0]), array("q", bytes(8 * len(self._unpacks)))
        at, to = row.buffer_info()[0], answer.buffer_info()[0]

        def call(_alive: Any = (given, row)) -> Any:
            if not self._run(at, at, at, to, to):
                raise KernelError("a compiled kernel failed")
            answers = [unpack(cell) for unpack, cell in zip(self._unpacks, answer, strict=True)]
            return tuple(answers) if self._is_tuple else answers[0]

        return call


@cache
def _keep_what_numba_compiles() -> None:
    """Let numba keep it, in a folder for each state of the sources.

    It would take what it kept for a kernel although one that it calls has changed.
    """
    import numba
    import platformdirs

    from paifu.replay.kernels import compiling

    base = os.environ.get("PAIFU_CACHE_DIR") or platformdirs.user_cache_dir("paifu", appauthor=False)
    checked = "-checked" * (os.environ.get("NUMBA_BOUNDSCHECK") == "1")
    numba.config.CACHE_DIR = str(Path(base) / f"jit-{sources_hash()[:16]}{checked}")  # type: ignore[attr-defined]
    compiling.OPTIONS["cache"] = True


def pack_of(kind: Any) -> Pack:
    """Return what appends the cells of a value, which must be of this kind; it raises TypeError otherwise."""
    if kind in _PACK:
        return _PACK[kind]
    if get_origin(kind) is UnionType:
        return pack_of(get_args(kind)[0])
    if get_origin(kind) is Annotated:
        _, item, dimensions = get_args(kind)
        return _pack_array(np.dtype(item), dimensions)
    if issubclass(kind, Record):
        return _pack_record(kind)
    parts = [pack_of(part) for part in fields_of(kind).values()]

    def pack(value: Any, cells: list[int]) -> None:
        for pack_part, part in zip(parts, value, strict=True):
            pack_part(part, cells)

    return pack


def fields_of(kind: Any) -> dict[str, Any]:
    """Return the fields of a named tuple and their kinds."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in kind._fields}


def _pack_array(item: np.dtype[Any], dimensions: int) -> Pack:
    def pack(value: Any, cells: list[int]) -> None:
        if type(value) is not np.ndarray or value.dtype != item or value.ndim != dimensions:
            raise TypeError(f"an array of {dimensions} dimensions of {item} was expected")
        if not value.flags.carray:
            raise TypeError("an array that is whole, in C's order and writable was expected")
        cells += (value.__array_interface__["data"][0], *value.shape)

    return pack


def _pack_record(kind: type[Record]) -> Pack:
    def pack(value: Any, cells: list[int]) -> None:
        if type(value) is not kind:
            raise TypeError(f"a {kind.__name__} was expected")
        cells.append(value.address)

    return pack


_PACK: dict[Any, Pack] = {
    int: lambda value, cells: cells.append(int(value)),
    bool: lambda value, cells: cells.append(bool(value)),
    float: lambda value, cells: cells.extend(struct.unpack("q", struct.pack("d", value))),
    NoneType: lambda _, __: None,
}
_UNPACK: dict[Any, Callable[[int], Any]] = {
    int: int,
    bool: bool,
    float: lambda cell: struct.unpack("d", struct.pack("q", cell))[0],
    NoneType: lambda _: None,
}


def _is_optional(kind: Any) -> bool:
    return get_origin(kind) is UnionType and NoneType in get_args(kind)


class KernelError(RuntimeError):
    """Kernels that numba compiled with NUMBA_BOUNDSCHECK=1 met an index that is out of range."""


@cache
def way() -> str:
    """Return how kernels run in this process: LIBRARY, JIT or PYTHON."""
    return _choose()


def _choose() -> str:
    named = os.environ.get("PAIFU_KERNELS", "")
    if named in WAYS:
        return named
    problem = library_problem()
    if named and parent_process() is None:
        kinds = ", ".join(WAYS)
        print(f"paifu: PAIFU_KERNELS={named} is not one of {kinds}; it is ignored", file=sys.stderr)  # noqa: T201
    if not problem:
        return LIBRARY
    fallback = JIT if find_spec("numba") else PYTHON
    if parent_process() is None:
        slower = (
            "numba compiles them now" if fallback == JIT else "they run as plain Python, 100 times slower"
        )
        print(f"paifu: {problem}; {slower}", file=sys.stderr)  # noqa: T201
    return fallback


def library_problem() -> str:
    """Say why the library cannot be used, and what to do; empty when it can."""
    if not LIBRARY_FILE.exists():
        return f"the kernels have not been compiled (to do so: {BUILD})"
    try:
        made_of = bytes((ctypes.c_char * 64).in_dll(_library(), "paifu_sources")).decode()
    except (OSError, ValueError) as error:
        return f"the compiled kernels cannot be loaded: {error} (to make them again: {BUILD})"
    if made_of != sources_hash():
        return f"the kernels have changed since they were compiled (to compile them: {BUILD})"
    return ""


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(str(LIBRARY_FILE))


@cache
def sources_hash() -> str:
    """Return a hash of all that is compiled: the kernels of this folder, and the constants of ``rows``."""
    from paifu.replay.kernels import rows  # the only one that takes constants from outside

    digest = hashlib.sha256()
    for source in sorted({*FOLDER.glob("*.py")} - {FOLDER / name for name in _NOT_HASHED}):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    digest.update(repr([(name, vars(rows)[name]) for name in sorted(vars(rows)) if name.isupper()]).encode())
    return digest.hexdigest()
