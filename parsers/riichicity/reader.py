"""Riichi City: records as downloaded, with or without their envelope, into games."""

from __future__ import annotations

from typing import Any

from paifu.parsers.errors import ParseError
from paifu.parsers.json_games import json_games
from paifu.parsers.json_values import shown
from paifu.parsers.kept_faults import add_game
from paifu.parsers.riichicity.games import RiichiCityGame
from paifu.parsers.sources.documents import Document
from paifu.replay.model.builder import BatchBuilder

_DEEPEST = 3


def read_riichi_city(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read all games of ``text`` (the plain bytes of ``document``) into ``builder``.

    What cannot be read becomes a fault of the builder; hands before it are kept, and their game is marked as
    cut.
    """
    for location, value in json_games(document, text, builder):
        _read_game(value, location, builder)


def _record(value: Any) -> dict[str, Any]:
    """The record in its envelope, or by itself."""
    for _ in range(_DEEPEST):
        if not isinstance(value, dict):
            break
        if isinstance(value.get("handRecord"), list):
            return value
        if "data" not in value:
            break
        message = value.get("message")
        value = value["data"]
        if value is None:
            said = f", which says {shown(message)}" if isinstance(message, str) else ""
            raise ParseError(
                f"the answer of the server holds no record{said}", code="V102", hint="download it again"
            )
    raise ParseError("not a record of Riichi City: it has no handRecord", code="V102", hint="get it again")


def _read_game(value: Any, location: str, builder: BatchBuilder) -> None:
    game: RiichiCityGame | None = None
    fault: ParseError | None = None
    try:
        game = RiichiCityGame(_record(value), location)
        game.read()
    except ParseError as error:
        error.hint = error.hint or "hands before this place were kept"
        fault = error
    add_game(builder, location, game, fault)
