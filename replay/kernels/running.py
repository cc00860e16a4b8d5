"""How kernels run: from the library that the build made, compiled now by numba, or as plain Python.

A kernel is a function over integers, records and arrays, marked ``@kernel``; one that Python code calls is
marked ``@entry``. Both stay the plain Python that they are, for debugging, for coverage and as an oracle. An
entry hands its arguments to compiled code where there is some:

* **library**: ``native.bin``, a shared library beside the kernels of a floor, with all its entries, made by
  :mod:`paifu.replay.kernels.build` when paifu is installed. It names the sources that it was made of.
* **jit**: numba compiles what is called, once for each change of the sources.
* **python**: nothing is compiled.

``PAIFU_KERNELS`` names one of them. Otherwise it is the library. Where that is missing or was made of kernels
that do something else, a line on stderr says so, and the kernels run as plain Python: for good where there is
no numba, else for as long as it takes less time than compiling.
"""

from __future__ import annotations

import ctypes
import dis
import hashlib
import inspect
import os
import struct
import sys
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, update_wrapper
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
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
BUILD = "python -m paifu.replay.kernels.build"
AT_FIRST = 20.0
"""Seconds for which kernels without a library run as plain Python, before numba compiles them."""
WIDE = ("find_chances", "shuffle")
"""Entries that do the same with many numbers: the library has them again, for each of ``VECTORS``."""
VECTORS = {"avx512": ("AVX512_ICL",), "avx2": ("AVX2", "FMA3")}
"""What some processors have to calculate with, the widest first -> what numpy calls it. The first processors
with AVX-512 are not among them: they would slow down.
"""
NO_KERNELS = ("running.py", "build.py", "build_progress.py", "meaning.py")
"""Modules beside the kernels that nothing compiled depends on."""

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
        self.library = library_of(function)
        KERNELS[function] = self
        update_wrapper(self, function)
        self.parameters = tuple(inspect.signature(function).parameters)
        self._versions: dict[tuple[bool, ...], _Version] = {}

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run it the way that kernels run in this process."""
        if self.library.way() == PYTHON:
            with self.library.plainly():
                return self.function(*args, **kwargs)
        given = args if not kwargs and len(args) == len(self.parameters) else self._bound(args, kwargs)
        result: R = self._version(given).call(given)()
        return result

    def bound(self, *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
        """Return the call with these arguments, for one that is made often: they are looked at only once.

        What changes from call to call must be in records or arrays.
        """
        if self.library.way() == PYTHON:
            return lambda: self(*args, **kwargs)
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
        if caller.library.way() == LIBRARY:
            self._run: Any = caller.library.function_of(caller.symbol(without))
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
        run, unpacks, first = self._run, self._unpacks, self._unpacks[0]

        def call(_alive: Any = (given, row)) -> Any:
            if not run(at, at, at, to, to):
                raise KernelError("a compiled kernel failed")
            if not self._is_tuple:
                return first(answer[0])
            return tuple([unpack(cell) for unpack, cell in zip(unpacks, answer, strict=True)])

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
    numba.config.CACHE_DIR = str(Path(base) / f"jit-{_every_source()[:16]}{checked}")  # type: ignore[attr-defined]
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


class KernelLibrary:
    """The kernels of a floor, and how they run in this process."""

    def __init__(self, folder: Path, *below: Path) -> None:
        """Kernels are in ``folder``; they may call those of the folders ``below``."""
        self.folder, self.floor = folder, folder.parent.name
        self._folders = (*below, folder)
        self.file = folder / "native.bin"  # a shared library, but no module of Python's
        self._same = folder / "native.same"
        self._way = ""
        self._left = 0.0
        self._is_inside = False

    def way(self) -> str:
        """Return how they run: LIBRARY, JIT or PYTHON."""
        if not self._way:
            self._way = self._choose()
        return self._way

    @contextmanager
    def plainly(self) -> Iterator[None]:
        """Run a kernel as Python within. What takes long is to be compiled from the next call on."""
        if self._left <= 0 or self._is_inside:
            yield
            return
        begun, self._is_inside = time.monotonic(), True
        try:
            yield
        finally:
            self._left -= time.monotonic() - begun
            self._is_inside = False
            if self._left <= 0:
                self._way = JIT
                _say("numba compiles the kernels now")

    def problem(self) -> str:
        """Say why the library cannot be used, and what to do; empty when it can."""
        if not self.file.exists():
            return f"the kernels have not been compiled (to do so: {BUILD})"
        try:
            made_of = self._named("paifu_sources")
            meaning = self._named("paifu_meaning")
        except (OSError, ValueError) as error:
            return f"the compiled kernels cannot be loaded: {error} (to make them again: {BUILD})"
        if self.sources() in (made_of, self._known_as_same()):
            return ""
        from paifu.replay.kernels.meaning import meaning_of

        if meaning_of(self) == meaning:
            with suppress(OSError):  # a folder that is only read costs the comparison each time
                self._same.write_text(self.sources(), "ascii")
            return ""
        return f"the kernels have changed since they were compiled (to compile them: {BUILD})"

    @cache  # noqa: B019  there are two libraries
    def loaded(self) -> ctypes.CDLL:
        """Load the library."""
        return ctypes.CDLL(str(self.file))

    def function_of(self, symbol: str) -> Any:
        """Return a function of the library: its version for this processor."""
        library, wide = self.loaded(), f"{symbol}_{vectors()}"
        return library[wide] if hasattr(library, wide) else library[symbol]

    @cache  # noqa: B019
    def sources(self) -> str:
        """Return a hash of the sources, and of the constants that their modules of rows take from outside."""
        digest = hashlib.sha256()
        for source in self.modules():
            digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
        for folder in self._folders:
            rows = vars(import_module(_name_of(folder / ROWS[folder.parent.name])))
            digest.update(repr([(name, rows[name]) for name in sorted(rows) if name.isupper()]).encode())
        return digest.hexdigest()

    def modules(self) -> list[Path]:
        """Return the files of all kernels that are in this library or called by those."""
        return [
            path
            for folder in self._folders
            for path in sorted(folder.glob("*.py"))
            if path.name not in NO_KERNELS
        ]

    def import_all(self) -> None:
        """Import all kernels that are in this library or called by those."""
        for path in self.modules():
            if path.name not in ("collecting.py", "compiling.py"):
                import_module(_name_of(path))

    def entries(self) -> dict[str, Entry[Any, Any]]:
        """Import all kernels; return the entries of this library by name."""
        self.import_all()
        every = [entry for entry in KERNELS.values() if entry is not None]
        return {entry.function.__name__: entry for entry in every if entry.library.floor == self.floor}

    def _named(self, symbol: str) -> str:
        return bytes((ctypes.c_char * 64).in_dll(self.loaded(), symbol)).decode()

    def _known_as_same(self) -> str:
        return self._same.read_text("ascii") if self._same.exists() else ""

    def _choose(self) -> str:
        named = os.environ.get("PAIFU_KERNELS", "")
        if named in WAYS:
            return named
        problem = self.problem()
        if named:
            _say(f"PAIFU_KERNELS={named} is not one of {', '.join(WAYS)}; it is ignored")
        if not problem:
            return LIBRARY
        if find_spec("numba"):
            self._left = AT_FIRST
            slower = f"they run as plain Python, and if that takes {AT_FIRST:.0f} s, numba compiles them"
        else:
            slower = "they run as plain Python, 100 times slower"
        _say(f"{problem}; {slower}")
        return PYTHON


def _say(text: str) -> None:
    from multiprocessing import parent_process

    if parent_process() is None:
        print(f"paifu: {text}", file=sys.stderr)  # noqa: T201


def _name_of(path: Path) -> str:
    """Return the name of a module of kernels."""
    return f"paifu.{path.parts[-3]}.kernels.{path.stem}"


ROWS = {"replay": "rows.py", "coach": "option_rows.py"}
"""Floor -> the module of its kernels that takes constants from outside."""
_COACH = FOLDER.parents[1] / "coach" / "kernels"
LIBRARIES = {"replay": KernelLibrary(FOLDER), "coach": KernelLibrary(_COACH, FOLDER)}
"""Floor -> its kernels. Those of a floor never call those of one above."""


def vectors() -> str:
    """Return the first of ``VECTORS`` that numpy found this processor to have; empty if it has none."""
    found: dict[str, bool] = vars(np.__config__).get("__cpu_features__", {})
    return next((name for name, parts in VECTORS.items() if all(map(found.get, parts))), "")


def library_of(function: Callable[..., Any]) -> KernelLibrary:
    """Return the library that a kernel belongs to."""
    floor = (*function.__module__.split("."), "")[1]
    return LIBRARIES.get(floor, LIBRARIES["replay"])


def way() -> str:
    """Return how the kernels of the engine run in this process."""
    return LIBRARIES["replay"].way()


def _every_source() -> str:
    return LIBRARIES["coach"].sources()
