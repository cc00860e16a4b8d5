"""Values as an npz file and back: numbers, texts, containers, arrays, instances of data classes of paifu.

Reading makes nothing else and calls nothing else, whatever is in the file; a pickle would do what it says. An
instance that is there twice is one again.
"""

from __future__ import annotations

import io
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from importlib import import_module
from math import isfinite
from types import FunctionType, NoneType
from typing import Any

import numpy as np
import orjson

from paifu.replay.array_files import npz
from paifu.replay.rules.fields import RuleSection

_PLAIN = frozenset((NoneType, bool, int, str))
_OURS = "paifu."


def written(value: object, about: Mapping[str, Any]) -> bytes:
    """Return the file of a value, with what is to be said of it. Raises TypeError for what is not kept."""
    writer = _ValueWriter()
    tree = orjson.dumps([writer.tree(value), list(writer.classes), writer.arrays])
    parts = {"tree": np.frombuffer(tree, np.uint8), "data": np.frombuffer(b"".join(writer.data), np.uint8)}
    return npz(parts, about, level=1)


def read(content: bytes) -> Any:
    """Return the value in a file. Raises all sorts of errors for what was not :func:`written`.

    >>> read(written({"a": (1, 2.5)}, {}))
    {'a': (1, 2.5)}
    """
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        value, classes, arrays = orjson.loads(file["tree"].tobytes())
        return _ValueReader(classes, arrays, file["data"].tobytes()).value(value)


def spelt(value: object) -> str:
    """Return a text that is the same for the same value in every process; functions go by their names.

    >>> spelt({1: (2,)})
    "[['dict', 1, ['tuple', 2]], [], [], []]"
    """
    writer = _ValueWriter()
    return repr([writer.tree(value), list(writer.classes), writer.arrays, writer.data])


class _ValueWriter:
    """Writes a value as lists that begin with what they are, the bytes of arrays apart."""

    def __init__(self) -> None:
        self.classes: dict[str, int] = {}
        self.arrays: list[tuple[str, tuple[int, ...]]] = []
        self.data: list[bytes] = []
        self._seen: dict[int, tuple[int, object]] = {}
        """By id: the number of an instance, and itself, lest another gets its id."""

    def tree(self, value: Any) -> Any:
        """Return a value as JSON has it. Raises TypeError for one of a kind that is not kept."""
        kind: type = type(value)
        return value if kind in _PLAIN else _way_of(kind)(self, value)

    def many(self, mark: str, values: Iterable[Any]) -> list[Any]:
        """Return values after a mark."""
        return [mark, *[one if type(one) in _PLAIN else self.tree(one) for one in values]]

    def array(self, value: np.ndarray[Any, Any]) -> list[Any]:
        """Return the place of an array, or if it is of texts, these."""
        if value.dtype == object:
            return ["texts", value.shape, *map(self.tree, value.ravel().tolist())]
        self.arrays.append((value.dtype.str, value.shape))
        self.data.append(value.tobytes())
        return ["array", len(self.arrays) - 1]

    def number(self, kind: type) -> int:
        """Return the number of a class."""
        return self.classes.setdefault(f"{kind.__module__}:{kind.__qualname__}", len(self.classes))

    def instance(self, names: Iterable[str], value: Any) -> list[Any]:
        """Return an instance, which has fields of these names."""
        if id(value) in self._seen:
            return ["again", self._seen[id(value)][0]]
        own = self.many("new", [self.number(type(value)), *[getattr(value, name) for name in names]])
        self._seen[id(value)] = len(self._seen), value
        return own


@cache
def _way_of(kind: type) -> Callable[[_ValueWriter, Any], Any]:
    """Return how values of a class are written. Raises TypeError for one that is not kept."""
    if kind in _WRITE:
        return _WRITE[kind]
    if issubclass(kind, Enum):
        return lambda writer, value: ["enum", writer.number(kind), writer.tree(value.value)]
    if is_dataclass(kind):
        names = [field.name for field in fields(kind) if field.init]
        return lambda writer, value: writer.instance(names, value)
    if issubclass(kind, RuleSection):
        return lambda writer, value: ["made", writer.number(kind), writer.tree(vars(value))]
    if issubclass(kind, (dict, tuple)):  # and more than that: of options, which are not read
        return lambda writer, value: writer.many(
            "made", [writer.number(kind), *(one for one in value.__reduce_ex__(2)[1] if one is not kind)]
        )
    raise TypeError(f"{kind} is not kept")


def _pairs(mark: str) -> Callable[[_ValueWriter, Any], list[Any]]:
    return lambda writer, value: writer.many(mark, (part for pair in value.items() for part in pair))


_WRITE: Mapping[type, Callable[[_ValueWriter, Any], list[Any]]] = {
    float: lambda _, value: value if isfinite(value) else ["float", repr(value)],
    list: lambda writer, value: writer.many("list", value),
    tuple: lambda writer, value: writer.many("tuple", value),
    dict: _pairs("dict"),
    Counter: _pairs("counter"),
    frozenset: lambda writer, value: ["frozenset", *sorted(map(writer.tree, value), key=repr)],
    range: lambda _, value: ["range", value.start, value.stop, value.step],
    bytes: lambda writer, value: ["bytes", *writer.array(np.frombuffer(value, np.uint8))[1:]],
    array: lambda writer, value: ["items", value.typecode, *writer.array(np.asarray(value))[1:]],
    np.ndarray: lambda writer, value: writer.array(value),
    partial: lambda writer, value: writer.many("partial", (value.func, value.args, value.keywords)),
    FunctionType: lambda _, value: ["function", value.__module__, value.__qualname__],
}


class _ValueReader:
    """Reads what a writer wrote."""

    def __init__(self, classes: list[str], arrays: list[tuple[str, list[int]]], data: bytes) -> None:
        self.classes = list(map(_class_named, classes))
        self.arrays: list[np.ndarray[Any, Any]] = []
        self.seen: list[Any] = []
        at = 0
        for text, shape in arrays:
            kind, number = np.dtype(text), int(np.prod(shape))
            self.arrays.append(np.frombuffer(data, kind, number, at).reshape(shape).copy())
            at += number * kind.itemsize

    def value(self, tree: Any) -> Any:
        """Return what a tree stands for."""
        return _READ[tree[0]](self, tree) if type(tree) is list else tree

    def rest(self, tree: list[Any], begin: int = 1) -> list[Any]:
        """Return the values in a list after its mark, or after more."""
        return [_READ[one[0]](self, one) if type(one) is list else one for one in tree[begin:]]

    def pairs(self, tree: list[Any]) -> dict[Any, Any]:
        """Return keys and values that follow each other."""
        values = self.rest(tree)
        return dict(zip(values[::2], values[1::2], strict=True))

    def texts(self, tree: list[Any]) -> np.ndarray[Any, Any]:
        """Return an array of texts."""
        return np.fromiter(self.rest(tree, 2), object, len(tree) - 2).reshape(tree[1])

    def instance(self, tree: list[Any]) -> Any:
        """Return an instance."""
        made = self.classes[tree[1]](*self.rest(tree, 2))
        self.seen.append(made)
        return made


def _class_named(text: str) -> type[Any]:
    module, _, name = text.partition(":")
    found = getattr(import_module(module), name) if module.startswith(_OURS) else None
    if not isinstance(found, type) or not (is_dataclass(found) or issubclass(found, Enum)):
        raise TypeError(f"{text} is not a class of values")
    return found


_READ: Mapping[str, Callable[[_ValueReader, list[Any]], Any]] = {
    "float": lambda _, tree: float(tree[1]),
    "list": lambda reader, tree: reader.rest(tree),
    "tuple": lambda reader, tree: tuple(reader.rest(tree)),
    "dict": lambda reader, tree: reader.pairs(tree),
    "counter": lambda reader, tree: Counter(reader.pairs(tree)),
    "frozenset": lambda reader, tree: frozenset(reader.rest(tree)),
    "range": lambda _, tree: range(*tree[1:]),
    "bytes": lambda reader, tree: reader.arrays[tree[1]].tobytes(),
    "items": lambda reader, tree: array(tree[1], reader.arrays[tree[2]].tobytes()),
    "array": lambda reader, tree: reader.arrays[tree[1]],
    "texts": lambda reader, tree: reader.texts(tree),
    "enum": lambda reader, tree: reader.classes[tree[1]](reader.value(tree[2])),
    "new": lambda reader, tree: reader.instance(tree),
    "again": lambda reader, tree: reader.seen[tree[1]],
}
