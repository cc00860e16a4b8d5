"""Made-up mjai games, as short as a case allows, and what is read from them."""

from __future__ import annotations

from typing import Any

import orjson

from paifu.parsers.mjai.reader import read_mjai
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder

Line = dict[str, Any]
DEAL = ["1m", "2m", "3m", "1p", "2p", "3p", "1s", "2s", "3s", "E", "S", "W", "P"]
NAMES = ["Ann", "Ben", "Cat", "Dan"]


def start(**fields: Any) -> Line:
    return {"type": "start_game", "names": NAMES, **fields}


def hand(players: int = 4, **fields: Any) -> Line:
    row = {"bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0, "dora_marker": "9s"}
    row |= {"scores": [25000] * players, "tehais": [DEAL] * players}
    return {"type": "start_kyoku", **row, **fields}


def draw(actor: int, pai: str = "9m") -> Line:
    return {"type": "tsumo", "actor": actor, "pai": pai}


def cut(actor: int, pai: str = "9m", tsumogiri: bool | None = True) -> Line:
    line = {"type": "dahai", "actor": actor, "pai": pai}
    return line if tsumogiri is None else {**line, "tsumogiri": tsumogiri}


def event(kind: str, **fields: Any) -> Line:
    return {"type": kind, **fields}


END_HAND, END = event("end_kyoku"), event("end_game")


def lines(*events: Any) -> bytes:
    return b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in events)


def read_text(text: bytes, location: str = "some.mjson", **fields: Any) -> Batch:
    builder = BatchBuilder()
    read_mjai(Document(location, text, Format.MJAI, **fields), text, builder)
    return builder.finish()


def read(*events: Any) -> Batch:
    return read_text(lines(*events))


def play(*events: Any, **fields: Any) -> Batch:
    """A game of one hand."""
    batch = read(start(), hand(**fields), *events)
    assert batch.faults.reason.tolist() == []
    return batch
