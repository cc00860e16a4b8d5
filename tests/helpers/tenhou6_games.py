"""Made-up tenhou.net/6 games, as short as a case allows, and what is read from them, in words.

Deals and moves need not be legal play: a parser does not judge that.
"""

from __future__ import annotations

import copy
from typing import Any

import orjson

from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.tenhou6.reader import read_tenhou6
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import NO_TILE

Moves = dict[int, tuple[list[Any], list[Any]]]

DEAL = [11, 12, 13, 21, 22, 23, 31, 32, 33, 41, 42, 43, 45]
SCORES = [25000] * 4
WORD_OF_KIND = {
    EventKind.DRAW: "draw",
    EventKind.DISCARD: "cut",
    EventKind.CHI: "chi",
    EventKind.PON: "pon",
    EventKind.DAIMINKAN: "open kan",
    EventKind.ANKAN: "closed kan",
    EventKind.KAKAN: "added kan",
    EventKind.KITA: "kita",
    EventKind.RIICHI: "riichi",
    EventKind.RIICHI_PAID: "paid",
    EventKind.DORA: "dora",
    EventKind.WIN: "win",
    EventKind.HAND_DRAW: "end",
    EventKind.LEAVE: "leave",
    EventKind.RETURN: "return",
}


def hand(
    moves: Moves | None = None,
    *,
    result: list[Any] | None = None,
    dora: list[int] | None = None,
    ura: list[int] | None = None,
    start: tuple[int, int, int] = (0, 0, 0),
    players: int = 4,
    scores: list[int] | None = None,
) -> list[Any]:
    """A hand's 17 lists; seats without moves have none."""
    cells: list[Any] = [list(start), list(scores or SCORES), dora or [34], ura or []]
    for seat in range(4):
        took, gave = (moves or {}).get(seat, ([], []))
        cells += [list(DEAL) if seat < players else [], list(took), list(gave)]
    return copy.deepcopy([*cells, ["九種九牌"] if result is None else result])


def game(*hands: list[Any], **fields: Any) -> dict[str, Any]:
    return {"name": ["Ann", "Ben", "Cat", "Dan"], "rule": {"disp": "般南喰赤", "aka": 1}, **fields} | {
        "log": list(hands)
    }


def read_text(text: bytes, location: str = "some.json", **fields: Any) -> Batch:
    builder = BatchBuilder()
    read_tenhou6(Document(location, text, Format.TENHOU6, **fields), text, builder)
    return builder.finish()


def read(value: Any) -> Batch:
    return read_text(orjson.dumps(value))


def read_hand(*args: Any, **kwargs: Any) -> Batch:
    batch = read(game(hand(*args, **kwargs)))
    assert faults(batch) == []
    return batch


def faults(batch: Batch) -> list[tuple[str, str]]:
    return list(zip(batch.faults.place, batch.faults.code, strict=True))


def story(batch: Batch) -> list[str]:
    """The events in words: ``0 draw 5m``, ``1 pon 5m from 0 with 5m0m``, a star for tsumogiri."""
    events = batch.events
    lines = []
    for row in range(len(events)):
        seat, source, tile = events.seat[row], events.source[row], events.tile[row]
        own = "".join(tile_name(int(t)) for t in events.own[row] if t != NO_TILE)
        line = "" if seat == NO_SEAT else f"{seat} "
        line += WORD_OF_KIND[EventKind(int(events.kind[row]))]
        line += f" {tile_name(int(tile))}" if tile != NO_TILE else ""
        line += f" from {source}" if source != NO_SEAT else ""
        line += f" with {own}" if own else ""
        line += "*" if events.flags[row] & EventFlag.TSUMOGIRI else ""
        lines.append(line)
    return lines


def play(moves: Moves, **kwargs: Any) -> list[str]:
    """The events of a hand but its end."""
    return [line for line in story(read_hand(moves, **kwargs)) if not line.startswith(("end", "0 end"))]


DISCARD: Moves = {0: ([11], [24])}


def ron(*more: Any, deltas: list[int] | None = None, who: tuple[int, int, int] = (1, 0, 1)) -> list[Any]:
    """A result: seat 1 wins on seat 0's discard; ``more`` are further winners."""
    return ["和了", deltas or [-1000, 1000, 0, 0], [*who, "30符1飜1000点", "断幺九(1飜)"], *more]


def moves_of(table: dict[str, list[list[Any]]]) -> Moves:
    """Moves as a table of cases has them."""
    return {int(seat): (took, gave) for seat, (took, gave) in table.items()}
