"""Made-up records of Mahjong Soul, as JSON and on the wire: the encoder reverses the reader's table."""

from __future__ import annotations

import base64
from typing import Any

import orjson

from paifu.parsers.majsoul.reader import read_majsoul
from paifu.parsers.majsoul.wire import MESSAGES
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder

Fields = dict[str, Any]
DEAL = ["1m", "2m", "3m", "1p", "2p", "3p", "1s", "2s", "3s", "1z", "2z", "3z", "5z"]
UUID = "210815-6da08e40-2605-42fb-a5e3-f8aa59403600"


def new_round(players: int = 4, **fields: Any) -> tuple[str, Fields]:
    dealer = fields.get("ju", 0)
    tiles = {f"tiles{seat}": [*DEAL, *(["9m"] if seat == dealer else [])] for seat in range(players)}
    scores = [25000 if players == 4 else 35000] * players
    return "NewRound", {"scores": scores, "doras": ["9s"], "left_tile_count": 69, **tiles, **fields}


def deal(seat: int, tile: str = "9p", **fields: Any) -> tuple[str, Fields]:
    return "DealTile", {"seat": seat, "tile": tile, **fields}


def cut(seat: int, tile: str = "9p", **fields: Any) -> tuple[str, Fields]:
    return "DiscardTile", {"seat": seat, "tile": tile, "moqie": True, **fields}


def head(mode: int = 2, rule: Fields | None = None, **fields: Any) -> Fields:
    accounts = [{"seat": seat, "nickname": name} for seat, name in enumerate(("Ann", "Ben", "Cat", "Dan"))]
    config = {"category": 2, "mode": {"mode": mode, "detail_rule": rule or {}}, "meta": {"mode_id": 12}}
    return {"uuid": UUID, "start_time": 1629039063, "config": config, "accounts": accounts, **fields}


def export(*records: tuple[str, Fields], head: Fields | None = None) -> Fields:
    """As the platform's own page exports a game."""
    actions = [
        {"type": 1, "result": {"name": f".lq.Record{name}", "data": fields}} for name, fields in records
    ]
    data = {"name": ".lq.GameDetailRecords", "data": {"version": 210715, "actions": actions}}
    return {"head": head or globals()["head"](), "data": data}


# --- on the wire ---------------------------------------------------------------------------------------


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    text = b""
    while value > 127:
        text += bytes([value & 127 | 128])
        value >>= 7
    return text + bytes([value])


def encode(name: str, fields: Fields) -> bytes:
    """A message, with what the table does not know left out and zeros absent, as the recorder does."""
    numbers = {field.name: (number, field) for number, field in MESSAGES[name].items()}
    text = b""
    for key, value in fields.items():
        if key not in numbers:
            continue
        number, field = numbers[key]
        for one in value if field.is_list else [value]:
            if field.kind in "ui?" and (one or field.is_list):
                text += varint(number << 3) + varint(int(one))
            elif field.kind not in "ui?" and (one or field.is_list):
                data = (
                    one.encode()
                    if field.kind == "s"
                    else one
                    if field.kind == "b"
                    else encode(field.kind, one)
                )
                text += varint(number << 3 | 2) + varint(len(data)) + data
    return text


def wrapper(name: str, data: bytes) -> bytes:
    return encode("Wrapper", {"name": name, "data": data})


def details(*records: tuple[str, Fields], is_new: bool = True) -> bytes:
    """The records of a game on the wire, of either version."""
    wrapped = [wrapper(f".lq.Record{name}", encode(f"Record{name}", fields)) for name, fields in records]
    body: Fields = {"records": wrapped}
    if is_new:
        inputs = [{"passed": 100, "type": 2}]
        body = {"version": 210715, "actions": [*inputs, *({"type": 1, "result": one} for one in wrapped)]}
    return wrapper(".lq.GameDetailRecords", encode("GameDetailRecords", body))


def answer(*records: tuple[str, Fields], **fields: Any) -> bytes:
    """The platform's answer: head and records."""
    return encode("ResGameRecord", {"head": head(), "data": details(*records), **fields})


def frame(data: bytes) -> bytes:
    return b"\x03\x07\x00" + b"\n\x00\x12" + varint(len(data)) + data


def in_base64(*records: tuple[str, Fields]) -> bytes:
    data = base64.b64encode(details(*records, is_new=False)).decode()
    return orjson.dumps({"head": {"uuid": UUID, "startTime": "1629039063"}, "data": data})


# --- reading -------------------------------------------------------------------------------------------


def read_text(text: bytes, location: str = "some.json", **more: Any) -> Batch:
    builder = BatchBuilder()
    read_majsoul(Document(location, text, Format.MAJSOUL, **more), text, builder)
    return builder.finish()


def read(*records: tuple[str, Fields], head: Fields | None = None) -> Batch:
    return read_text(orjson.dumps(export(*records, head=head)))


def play(*records: tuple[str, Fields], head: Fields | None = None, **fields: Any) -> Batch:
    batch = read(new_round(**fields), *records, head=head)
    assert batch.faults.reason.tolist() == []
    return batch
