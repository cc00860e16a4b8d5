"""Kernels compiled by numba, through its public interfaces: for the build, and for ``PAIFU_KERNELS=jit``.

A kernel stays the plain function that it is. What is compiled is a copy, in whose names the other kernels are
those that are compiled.
"""

# numba annotates only a part of itself.
# mypy: allow-untyped-calls

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from types import FunctionType, ModuleType, NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import numba
import numpy as np
from numba import carray, types  # type: ignore[attr-defined]
from numba.core.typing.templates import signature
from numba.extending import lower_cast

from paifu.replay.kernels.records import Record
from paifu.replay.kernels.running import Entry, fields_of, globals_read, kernel_of

OPTIONS: dict[str, Any] = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_NUMBERS = {int: types.int64, bool: types.boolean, float: types.float64, NoneType: types.none}
_POINTERS = tuple(
    types.CPointer(kind) for kind in (types.voidptr, types.int64, types.float64, types.int64, types.float64)
)


@lower_cast(types.NestedArray, types.Array)
def _field_as_array(_context: Any, _builder: Any, _kind: Any, _wanted: Any, value: Any) -> Any:
    """An array field of a record is handed on as the array that it is."""
    return value


_compiled: dict[Callable[..., Any], Any] = {}


@cache
def type_of(kind: Any) -> Any:
    """Return numba's type of what an annotation says."""
    if kind in _NUMBERS:
        return _NUMBERS[kind]
    if get_origin(kind) is tuple:
        return types.BaseTuple.from_types(tuple(map(type_of, get_args(kind))))
    if get_origin(kind) is Annotated:
        _, item, dimensions = get_args(kind)
        return types.Array(numba.from_dtype(np.dtype(item)), dimensions, "C")
    if issubclass(kind, Record):
        return numba.from_dtype(kind.dtype)
    return types.BaseTuple.from_types(tuple(map(type_of, fields_of(kind).values())), kind)


def signatures_of(function: Callable[..., Any]) -> list[Any]:
    """Return numba's types of a kernel: one signature, or one for each type that an argument may have."""
    hints = get_type_hints(function, include_extras=True)
    answer = type_of(hints.pop("return"))
    kinds = [get_args(kind) if get_origin(kind) in (UnionType, Union) else (kind,) for kind in hints.values()]
    return [signature(answer, *map(type_of, each)) for each in product(*kinds)]


def compiled_kernel(function: Callable[..., Any]) -> Any:
    """Return numba's version of a kernel, and so of all that it calls."""
    if function not in _compiled:
        copy = FunctionType(function.__code__, _names_of(function), function.__name__, function.__defaults__)
        copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
        _compiled[function] = numba.njit(signatures_of(function), **OPTIONS)(copy)
    return _compiled[function]


def _names_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The global names of a function, with kernels compiled, also those that it takes from modules."""
    names = dict(function.__globals__)
    for name, taken, value in globals_read(function):
        called = kernel_of(value)
        found = compiled_kernel(called) if called else value
        if not taken:
            names[name] = found
            continue
        if names[name] is function.__globals__[name]:
            names[name] = ModuleType(names[name].__name__)
        setattr(names[name], taken, found)
    return names


def compiled(entry: Entry[Any, Any], without: tuple[bool, ...]) -> Any:
    """Return the C function of a version of an entry, over rows of cells; see :class:`Entry`."""
    names: dict[str, Any] = {"run": compiled_kernel(entry.function), "carray": carray}
    place = iter(range(10**6))
    arguments = [
        "None" if is_none else _argument(kind, place, names)
        for kind, is_none in zip(entry.kinds(), without, strict=True)
    ]
    answer = get_type_hints(entry.function)["return"]
    lines = [f"answer = run({', '.join(arguments)})"]
    if get_origin(answer) is tuple:
        lines += [_answer(kind, number, f"answer[{number}]") for number, kind in enumerate(get_args(answer))]
    elif answer is not NoneType:
        lines.append(_answer(answer, 0, "answer"))
    # A name of its own: numba numbers the functions of each process alike.
    called = f"way_in_{entry.symbol(without)}"
    source = "\n    ".join([f"def {called}(pointers, numbers, floats, out, out_floats):", *lines, "return 1"])
    exec(source, names)  # noqa: S102  made of annotations
    return numba.cfunc(types.int64(*_POINTERS), error_model="numpy")(names[called])


def _argument(kind: Any, place: Iterator[int], names: dict[str, Any]) -> str:
    """Return the expression that makes an argument of its cells."""
    if kind is int:
        return f"numbers[{next(place)}]"
    if kind is bool:
        return f"numbers[{next(place)}] != 0"
    if kind is float:
        return f"floats[{next(place)}]"
    if get_origin(kind) is UnionType:
        return _argument(get_args(kind)[0], place, names)
    if get_origin(kind) is Annotated:
        _, item, dimensions = get_args(kind)
        names[item] = np.dtype(item).type
        start = next(place)
        shape = "".join(f"numbers[{next(place)}]," for _ in range(dimensions))
        return f"carray(pointers[{start}], ({shape}), {item})"
    names[kind.__name__] = kind
    if issubclass(kind, Record):
        names[f"{kind.__name__}_dtype"] = kind.dtype
        return f"carray(pointers[{next(place)}], (1,), {kind.__name__}_dtype)[0]"
    parts = [_argument(part, place, names) for part in fields_of(kind).values()]
    return f"{kind.__name__}({', '.join(parts)})"


def _answer(kind: Any, number: int, value: str) -> str:
    return f"out_floats[{number}] = {value}" if kind is float else f"out[{number}] = int({value})"
