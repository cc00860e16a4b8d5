"""What Mahjong Soul's records come in: messages on the wire, and the JSON of a dozen tools.

All of it becomes a :class:`Stored`: the game's head, and its records in order. Tools spell names in three
ways (``is_liqi``, ``isLiqi``, ``begin_tiles[0]``), so names are compared in lower case without ``_``.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from paifu.parsers.errors import ParseError
from paifu.parsers.json_values import load_json, shown
from paifu.parsers.majsoul.wire import MESSAGES, decode
from paifu.replay.model.batch import MAX_TIME

Fields = dict[str, Any]

_DETAILS = ".lq.GameDetailRecords"
_FRAME, _FRAME_SIZE = 0x03, 3
_LOAD_URL = "the records are not in the file but at an address that it names"
_TILES = re.compile(r"begintiles\[([0-3])\]")
_MAX_NAME = 60
_MAX_DEPTH = 6


class MajsoulRecord(NamedTuple):
    """One thing that happened: a record without its ``.lq.Record``, or ``Leave`` and ``Return``."""

    name: str
    fields: Fields
    time: int = -1
    """Milliseconds since the game began; -1 where the log does not say."""


@dataclass(slots=True)
class Stored:
    """A game as it was stored."""

    head: Fields = field(default_factory=dict)
    version: int = 0
    records: list[MajsoulRecord] = field(default_factory=list)


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """A field's name in lower case without ``_``."""
    plain = name.replace("_", "").lower()
    found = _TILES.fullmatch(plain)
    return f"tiles{found[1]}" if found else plain


@lru_cache(maxsize=4096)
def _plain_names(fields: tuple[str, ...]) -> tuple[str, ...]:
    """All names of an object: records of a kind have the same few combinations."""
    return tuple(map(plain_name, fields))


def plain(fields: Any) -> Fields:
    """An object with plain names; its values are left as they are. Raises ParseError for no object."""
    if not isinstance(fields, dict):
        raise ParseError(f"it is {shown(fields)}; expected an object", code="V102")
    return dict(zip(_plain_names(tuple(fields)), fields.values(), strict=False))


# --- on the wire ---------------------------------------------------------------------------------------


def stored_of_bytes(data: bytes) -> Stored:
    """Read a message: the record of a game with its head, or the details alone, perhaps in a frame."""
    if data[:1] == bytes([_FRAME]) and len(data) > _FRAME_SIZE:
        data = data[_FRAME_SIZE:]
    wrapper = decode(data, "Wrapper") if data[:1] == b"\n" else {}
    if wrapper.get("name") == _DETAILS:
        return _details(data, Stored())
    if "data" in wrapper:
        data = wrapper["data"]
    answer = decode(data, "ResGameRecord")
    if "head" not in answer and "data" not in answer:
        raise ParseError("the message holds neither the head of a game nor its records", code="V102")
    stored = Stored(plain(answer.get("head", {})))
    if not answer.get("data"):
        hint = f"get the records at {answer['data_url'][:200]}" if answer.get("data_url") else ""
        raise ParseError(_LOAD_URL if hint else "the message holds no records", hint=hint)
    return _details(answer["data"], stored)


def _details(data: bytes, stored: Stored) -> Stored:
    wrapper = decode(data, "Wrapper")
    if wrapper.get("name") != _DETAILS:
        raise ParseError(
            f"it holds {str(wrapper.get('name', ''))[:_MAX_NAME]!r}, not a game's details", code="V102"
        )
    details = decode(wrapper.get("data", b""), "GameDetailRecords")
    stored.version = details.get("version", 0)
    for data in details.get("records", ()):
        stored.records.append(_record(data))
    for action in details.get("actions", ()):
        time = _time_of(action)
        if action.get("result"):
            stored.records.append(_record(action["result"])._replace(time=time))
        elif "user_event" in action:
            stored.records += [one._replace(time=time) for one in _presence(action["user_event"])]
    return stored


def _time_of(action: Fields) -> int:
    """When an action happened, -1 where it does not say; nothing happens at 0, which may be left out."""
    time = action.get("passed")
    return time if type(time) is int and 0 <= time <= MAX_TIME else -1


def _record(data: bytes) -> MajsoulRecord:
    wrapper = decode(data, "Wrapper")
    name = wrapper.get("name", "").removeprefix(".lq.")
    if name not in MESSAGES:
        return MajsoulRecord(name.removeprefix("Record")[:_MAX_NAME], {})
    return MajsoulRecord(name.removeprefix("Record"), plain(decode(wrapper.get("data", b""), name)))


def _presence(event: Any) -> Iterator[MajsoulRecord]:
    """Who left (2) or came (1)."""
    fields = plain(event)
    kind = fields.get("type")
    if isinstance(kind, int) and kind in (1, 2):
        yield MajsoulRecord("Return" if kind == 1 else "Leave", fields)


# --- JSON ----------------------------------------------------------------------------------------------


def load(text: bytes) -> Any:
    """Read JSON; a list of records is one game, not a list of games."""
    value = load_json(text)
    if isinstance(value, list) and value and _name_of(value[0]) is not None:
        return {"records": value}
    return value


def stored_of_json(value: Any) -> Stored:
    """Read what a tool stored of a game. Raises ParseError."""
    if not isinstance(value, dict):
        raise ParseError(f"a game is a JSON object, not {shown(value)}", code="V102")
    fields = plain(value)
    head = fields.get("head", fields.get("header", fields.get("mjshead")))
    stored = Stored(plain(head) if isinstance(head, dict) else {})
    if not stored.head and "uuid" in fields:
        stored.head = fields
    for key in ("records", "details", "actions", "rounds", "data", "mjslog"):
        if fields.get(key):
            _collect(fields[key], stored, _MAX_DEPTH)
            if stored.records:
                return stored
    if fields.get("dataurl"):
        raise ParseError(
            _LOAD_URL, place="data_url", hint=f"get the records at {str(fields['dataurl'])[:200]}"
        )
    raise ParseError("it holds no records of a game", code="V102")


def _collect(value: Any, stored: Stored, depth: int) -> None:
    """Find the records in what a tool made of them."""
    if depth < 0:
        raise ParseError("the records are nested too deep", code="V102")
    if isinstance(value, str):
        try:
            data = base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            raise ParseError("the records are not base64", place="data") from None
        if data[:1] == b"\n" and _DETAILS.encode() in data[:64]:
            _details(data, stored)
        else:
            stored.records.append(_record(data))
    elif isinstance(value, list):
        for item in value:
            if not _append_plain(item, stored):
                _collect(item, stored, depth - 1)
    elif isinstance(value, dict):
        _collect_object(value, stored, depth)


def _append_plain(item: Any, stored: Stored) -> bool:
    """Take an action or record of the shape that nearly all have; False, and nothing done, for another."""
    result = item.get("result", item) if type(item) is dict else None
    if type(result) is not dict or len(result) != 2:
        return False
    name, data = result.get("name"), result.get("data")
    if type(name) is not str or type(data) is not dict or name == _DETAILS:
        return False
    fields = dict(zip(_plain_names(tuple(data)), data.values()))  # noqa: B905 - strict takes its time
    stored.records.append(MajsoulRecord(_short(name), fields, _time_of(item)))
    return True


@lru_cache(maxsize=1024)
def _short(name: str) -> str:
    """A record's name without its package and the word that all have."""
    return name.rpartition(".")[2].rpartition("/")[2].removeprefix("Record")[:_MAX_NAME]


def _collect_object(value: dict[str, Any], stored: Stored, depth: int) -> None:
    name = _name_of(value)
    if name is not None and name != "GameDetailRecords":
        inner = value.get("data") if "@type" not in value else value
        stored.records.append(MajsoulRecord(_short(name), plain(inner if inner is not None else {})))
        return
    if name == "GameDetailRecords" and "data" in value:
        _collect(value["data"], stored, depth - 1)
        return
    fields = plain(value)
    if isinstance(fields.get("version"), int):
        stored.version = fields["version"]
    count = len(stored.records)
    if fields.get("userevent"):
        stored.records += _presence(fields["userevent"])
    for key in ("records", "actions", "result"):
        if fields.get(key):
            _collect(fields[key], stored, depth - 1)
    if "passed" in fields:
        time = _time_of(fields)
        stored.records[count:] = [record._replace(time=time) for record in stored.records[count:]]


def _name_of(value: Any) -> str | None:
    """The name of a record in an object that holds one."""
    if not isinstance(value, dict):
        return None
    for key in ("name", "@type"):
        name = value.get(key)
        if isinstance(name, str) and (key == "@type" or "data" in value):
            return name.rpartition(".")[2].rpartition("/")[2]
    return None
