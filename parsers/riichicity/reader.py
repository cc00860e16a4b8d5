"""Riichi City: records as downloaded, with or without their envelope, into games."""

from __future__ import annotations

from paifu.parsers.json_games import json_games
from paifu.parsers.riichicity.games import RiichiCityGame
from paifu.parsers.sources.documents import Document
from paifu.replay.model.builder import BatchBuilder


def read_riichi_city(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read all games of ``text`` (the plain bytes of ``document``) into ``builder``.

    What cannot be read becomes a fault of the builder; hands before it are kept, and their game is marked as
    cut.
    """
    for location, value in json_games(document, text, builder):
        RiichiCityGame(value, location).add_to(builder)
