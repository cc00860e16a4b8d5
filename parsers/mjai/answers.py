"""What an mjai engine answers: read as the option that it chose, or refused as nonsense."""

from __future__ import annotations

from typing import Any

import orjson

from paifu.parsers.json_values import shown
from paifu.parsers.mjai import names as mjai
from paifu.replay.model.events import CODE_OF_TILE, EventKind
from paifu.replay.model.tiles import KIND_OF_TILE
from paifu.replay.views.verdicts import RatedOption

_WITHOUT_TILES = (None, EventKind.WIN, EventKind.HAND_DRAW, EventKind.RIICHI, EventKind.KITA)
"""Answers that name no tile; the first is to pass."""
_MOST_TILES = 4


class NonsenseError(ValueError):
    """An answer that means nothing."""


def parsed(line: bytes) -> Any:
    """Read a line that an engine wrote. Raises NonsenseError."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise NonsenseError(f"its answer is not JSON: {first_words(line)}") from error


def first_words(line: bytes) -> str:
    """Return the beginning of a line, to show."""
    return shown(line[:80].decode("utf-8", "replace").strip())


def chosen(answer: Any, seat: int) -> RatedOption:
    """Read what an engine in ``seat`` says it does. Raises NonsenseError."""
    if not isinstance(answer, dict) or not isinstance(answer.get("type"), str):
        raise NonsenseError(f"an answer is an object with a type, not {shown(answer)}")
    word = answer["type"]
    if word != "none" and answer.get("actor", seat) != seat:
        raise NonsenseError(f"it acts for seat {shown(answer['actor'])}, and sits in {seat}")
    if word not in mjai.DECISIONS:
        raise NonsenseError(f"there is no answer {shown(word)}")
    kind = mjai.DECISIONS[word]
    if kind in _WITHOUT_TILES:
        return _option(kind)
    own = answer.get("consumed", [])
    if not isinstance(own, list) or len(own) > _MOST_TILES:
        raise NonsenseError(f"consumed is {shown(own)}")
    tiles = tuple(_tile(name) for name in own)
    if kind == EventKind.ANKAN:
        if not tiles:
            raise NonsenseError("a closed kan consumes four tiles")
        return _option(kind, int(KIND_OF_TILE[tiles[0]]))
    tile = _tile(answer.get("pai"))
    if kind == EventKind.CHI:
        return _option(kind, tile, tiles)
    if kind == EventKind.KAKAN:
        return _option(kind, int(KIND_OF_TILE[tile]))
    return _option(kind, tile if kind == EventKind.DISCARD else None)


def _option(kind: EventKind | None, tile: int | None = None, own: tuple[int, ...] = ()) -> RatedOption:
    return RatedOption(kind, tile, own, None, None)


def _tile(name: Any) -> int:
    code = mjai.CODES.get(name) if isinstance(name, str) else None
    if code is None or name == mjai.HIDDEN:
        raise NonsenseError(f"{shown(name)} is not a tile")
    return code - CODE_OF_TILE
