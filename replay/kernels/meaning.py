"""What kernels do, whatever comments, docstrings and constants that none of them reads stand around them.

After each edit, the sources are others than those that a library was made of. It is good nevertheless where
this hash is the same.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import textwrap
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, get_type_hints

from paifu.replay.kernels.records import Record
from paifu.replay.kernels.running import FOLDER, KernelLibrary, fields_of, globals_read, kernel_of

COMPILERS = ("compiling.py", "collecting.py", "records.py")
"""Beside the kernels, what decides how they are compiled."""


def meaning_of(library: KernelLibrary) -> str:
    """Return a hash of what the entries of a library compute, and all that they call."""
    digest = hashlib.sha256()
    for name in COMPILERS:
        digest.update((FOLDER / name).read_bytes())
    ahead = [entry.function for _, entry in sorted(library.entries().items())]
    found = set(ahead)
    while ahead:
        function = ahead.pop()
        for line in _lines(function):
            digest.update(line.encode() + b"\0")
        called = sorted(_called(function) - found, key=lambda one: (one.__module__, one.__name__))
        found |= set(called)
        ahead += called
    return digest.hexdigest()


def _called(function: Callable[..., Any]) -> set[Callable[..., Any]]:
    return {called for *_, value in globals_read(function) if (called := kernel_of(value))}


def _lines(function: Callable[..., Any]) -> Iterator[str]:
    """What a kernel is, as text: its code, the types of its arguments, what it reads of its module."""
    yield f"{function.__module__}.{function.__name__}"
    (code,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(code, ast.FunctionDef)  # noqa: S101  a kernel is one
    code.decorator_list = []
    if ast.get_docstring(code) is not None:
        code.body = code.body[1:] or [ast.Pass()]
    yield ast.dump(code)
    for name, kind in get_type_hints(function, include_extras=True).items():
        yield f"{name}: {_said(kind)}"
    for name, taken, value in sorted(globals_read(function), key=lambda read: read[:2]):
        called = kernel_of(value)
        yield f"{name}.{taken} = {called.__module__ + called.__name__ if called else _said(value)}"


def _said(value: Any) -> str:
    """A constant or a type, without places in memory."""
    if isinstance(value, type) and issubclass(value, Record):
        return repr(value.dtype)
    if hasattr(value, "_fields") and isinstance(value, type):
        return repr({name: _said(kind) for name, kind in fields_of(value).items()})
    if isinstance(value, ModuleType) or callable(value):
        return getattr(value, "__qualname__", "") or repr(getattr(value, "__name__", value))
    return repr(value)
