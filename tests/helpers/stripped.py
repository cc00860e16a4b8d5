"""Records without one of their fields: what each format's text holds, and the text without it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson

from paifu.parsers.sources.detect import Format
from paifu.parsers.writers import WRITERS

Field = tuple[str, str]
"""What holds a field (an element, a kind of event, or the field that leads there), and its name."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a format's text is taken apart and put together again."""

    format: Format
    load: Callable[[bytes], Any]
    dump: Callable[[Any], bytes]


def _lines(text: bytes) -> Any:
    return [json.loads(line) for line in text.splitlines()]


def _from_lines(value: Any) -> bytes:
    return b"".join(orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in value)


def _with_events(value: Any, change: Callable[[Any], Any]) -> Any:
    """A record of Riichi City with the data of each event, which is JSON within JSON, changed."""
    if isinstance(value, dict):
        return {
            key: change(cell) if key == "data" and "eventType" in value else _with_events(cell, change)
            for key, cell in value.items()
        }
    return [_with_events(cell, change) for cell in value] if isinstance(value, list) else value


LAYOUTS = {
    **{
        target: Layout(WRITERS[target].format, json.loads, orjson.dumps)
        for target in ("tenhou6", "majiang", "majsoul-json")
    },
    **{
        target: Layout(WRITERS[target].format, _lines, _from_lines)
        for target in ("mjai", "mjai-mortal", "paifu", "paifu-events")
    },
    "mjx": Layout(Format.MJX, _lines, _from_lines),
    "riichicity": Layout(
        Format.RIICHI_CITY,
        lambda text: _with_events(json.loads(text), json.loads),
        lambda value: orjson.dumps(_with_events(value, lambda data: orjson.dumps(data).decode())),
    ),
}
"""All formats but mjlog, whose fields are attributes."""


def without_each_field(name: str, text: bytes) -> Iterator[tuple[Field, bytes]]:
    """Yield each field of a record, and the record without it, wherever it is stated."""
    if name == "mjlog":
        yield from _without_each_attribute(text.decode())
        return
    layout = LAYOUTS[name]
    value = layout.load(text)
    for one in sorted(set(_fields(value))):
        yield one, layout.dump(_without(value, one))


def _kind(value: dict[str, Any], holder: str) -> str:
    """What an object is called: its type where it states one, else the field that holds it."""
    for name in ("type", "eventType"):
        if isinstance(value.get(name), (str, int)) and not isinstance(value.get(name), bool):
            return str(value[name])
    return holder


def _fields(value: Any, holder: str = "") -> Iterator[Field]:
    if isinstance(value, dict):
        kind = _kind(value, holder)
        for key, cell in value.items():
            yield kind, key
            yield from _fields(cell, kind if key == "data" else key)
    elif isinstance(value, list):
        for cell in value:
            yield from _fields(cell, holder)


def _without(value: Any, field: Field, holder: str = "") -> Any:
    if isinstance(value, dict):
        kind = _kind(value, holder)
        return {
            key: _without(cell, field, kind if key == "data" else key)
            for key, cell in value.items()
            if (kind, key) != field
        }
    return [_without(cell, field, holder) for cell in value] if isinstance(value, list) else value


_PLAIN = re.compile(r"<[T-WD-G]\d+/>")
"""Draws and discards, which have no attributes."""


def _without_each_attribute(text: str) -> Iterator[tuple[Field, bytes]]:
    found = {
        (element, name)
        for element, rest in re.findall(r"<([A-Za-z]+)([^>]*)/>", _PLAIN.sub("", text))
        for name in re.findall(r" (\w+)=", rest)
    }
    for element, name in sorted(found):
        yield (element, name), re.sub(rf"<{element} [^>]*/>", partial(_left_out, name), text).encode()


def _left_out(name: str, element: re.Match[str]) -> str:
    return re.sub(rf' {name}="[^"]*"', "", element[0])
