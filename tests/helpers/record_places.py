"""Records changed in one place: a value of another kind, such as a number for a list; a cell many times.

A place is known by what holds it, as in :mod:`stripped`, and by the way from there. Of each kind of place the
first and the last are changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any

import orjson
from stripped import LAYOUTS, Layout

from paifu.parsers.sources.detect import Format

Path = tuple[str | int, ...]
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 5, 300, 2**31, 2**63, 10**40, 1e300, 0.5, "", "x", "5", "9" * 400, "-" + "9" * 400,
    "1e999", "0x", "\ud800", "z" * 3000, [], [5], [[]], [None], ["", ""], {}, {"a": 1}, [{}],
)  # fmt: skip
"""What any value may be instead of what it should be."""
ODD_TEXTS = (
    "", "x", "-1", "5", "0", "300", "9" * 400, "-" + "9" * 400, "1e999", ",", ",,,", "1,2", "&#0;",
    "%ED%A0%80",
)  # fmt: skip
"""The same of an attribute in XML."""
_CELLS = 18
"""Cells of a list that are told apart; those after it are alike."""

_MLEAGUE = Layout(Format.MLEAGUE, json.loads, lambda value: json.dumps(value).encode())


def _kind(value: dict[str, Any], holder: str) -> str:
    names = (value.get(name) for name in ("type", "eventType", "cmd", "name"))
    return next((str(one) for one in names if isinstance(one, str | int)), holder)


def _places(value: Any, path: Path, holder: str, way: Path) -> Iterator[tuple[tuple[str, Path], Path]]:
    """Yield the kind and the path of each value within another."""
    if isinstance(value, dict):
        kind = _kind(value, holder)
        for key, cell in value.items():
            yield (kind, (key,)), (*path, key)
            yield from _places(cell, (*path, key), key, (key,))
    elif isinstance(value, list):
        for at, cell in enumerate(value):
            here = (*way, min(at, _CELLS))
            yield (holder, here), (*path, at)
            yield from _places(cell, (*path, at), holder, here)


def _put(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    changed = copy(value)
    changed[path[0]] = _put(value[path[0]], path[1:], new)
    return changed


TEXTS = frozenset({"tonpuusou"})
"""Formats without fields and cells: lines of text."""


def _layout(name: str) -> Layout:
    return _MLEAGUE if name == "mleague" else LAYOUTS[name]


def with_odd_fields(name: str, text: bytes) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield for each place and odd value the words that say which, and what makes the record with it."""
    if name == "mjlog":
        yield from _with_odd_attributes(text.decode())
        return
    layout = _layout(name)
    value = layout.load(text)
    if layout.dump is orjson.dumps:  # which refuses long numbers and half surrogates
        layout = replace(layout, dump=lambda new: json.dumps(new).encode())
    ends: dict[tuple[str, Path], list[Path]] = {}
    for kind, path in _places(value, (), "", ()):
        ends.setdefault(kind, [path, path])[1] = path
    for kind, paths in ends.items():
        for path in dict.fromkeys(paths):
            for odd in ODD:
                yield f"{kind} at {path}: {odd!r:.40}", partial(_with, layout, value, path, odd)


def _with(layout: Layout, value: Any, path: Path, odd: Any) -> bytes:
    try:
        return layout.dump(_put(value, path, odd))
    except TypeError:  # what orjson does not write
        return layout.dump(_put(value, path, str(odd).encode("utf-8", "replace").decode()))


def with_repeated_cells(name: str, text: bytes) -> Iterator[tuple[str, Callable[[int], bytes]]]:
    """Yield what makes of a record one in which a cell of a list stands as many times more as is asked for.

    Cells are told apart by their kind, elsewhere by the list that they are in. In XML they are elements.
    """
    if name == "mjlog":
        yield from _with_repeated_elements(text)
        return
    layout = _layout(name)
    value = layout.load(text)
    firsts: dict[str, Path] = {}
    for (holder, _way), path in _places(value, (), "", ()):
        if isinstance(path[-1], int):
            cell = _at(value, path)
            firsts.setdefault(_kind(cell, holder) if isinstance(cell, dict) else f"{holder} []", path)
    for kind, path in firsts.items():
        yield kind, partial(_repeated, layout, value, path)


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _repeated(layout: Layout, value: Any, path: Path, count: int) -> bytes:
    *above, at = path
    cells = _at(value, tuple(above))
    assert isinstance(at, int)
    return layout.dump(_put(value, tuple(above), [*cells[: at + 1], *[cells[at]] * count, *cells[at + 1 :]]))


def _with_repeated_elements(text: bytes) -> Iterator[tuple[str, Callable[[int], bytes]]]:
    firsts: dict[str, re.Match[bytes]] = {}
    for element in re.finditer(rb"<([A-Za-z]+)[^>]*/>", text):
        firsts.setdefault(element[1].decode(), element)
    for name, element in firsts.items():
        yield name, lambda count, one=element: text[: one.end()] + one[0] * count + text[one.end() :]  # type: ignore[misc]


_ELEMENT = re.compile(r"<([A-Za-z]+)( [^>]*?)?/>")
_ATTRIBUTE = re.compile(r' (\w+)="([^"]*)"')


def _with_odd_attributes(text: str) -> Iterator[tuple[str, Callable[[], bytes]]]:
    places: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for element in _ELEMENT.finditer(text):
        for attribute in _ATTRIBUTE.finditer(text, element.start(), element.end()):
            places.setdefault((element[1], attribute[1]), []).append(attribute.span(2))
    for (element_name, name), spans in places.items():
        for span in dict.fromkeys((spans[0], spans[-1])):
            for odd in ODD_TEXTS:
                yield f"<{element_name} {name}> {odd!r:.40}", partial(_with_text, text, span, odd)


def _with_text(text: str, span: tuple[int, int], odd: str) -> bytes:
    return (text[: span[0]] + odd + text[span[1] :]).encode()
