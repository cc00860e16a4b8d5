"""Mahjong Soul: records on the wire or as JSON, of both versions, into games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from paifu.parsers.errors import ParseError
from paifu.parsers.json_games import json_games
from paifu.parsers.majsoul.containers import Stored, load, stored_of_bytes, stored_of_json
from paifu.parsers.majsoul.games import MajsoulGame
from paifu.parsers.majsoul.values import as_fields
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document, open_document
from paifu.parsers.sources.paths import iter_documents
from paifu.replay.model.builder import BatchBuilder


def read_majsoul(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read all games of ``text`` (the plain bytes of ``document``) into ``builder``.

    What cannot be read becomes a fault of the builder; hands before it are kept, and their game is marked as
    cut.
    """
    for location, store in _stored(document, text, builder):
        MajsoulGame(store, location).add_to(builder)


def seat_of_account(path: str, account: int) -> int | None:
    """Return the seat of an account in the record at a path, or None if it is not there or cannot be read."""
    for item in iter_documents([path]):
        if not isinstance(item, Document) or item.format is not Format.MAJSOUL:
            continue
        with suppress(ParseError):
            for _location, store in _stored(item, open_document(item), BatchBuilder()):
                people = store().head.get("accounts")
                for one in map(as_fields, people if isinstance(people, list) else ()):
                    if str(one.get("accountid")) == str(account) and one.get("seat", 0) in range(4):
                        return int(one.get("seat", 0))
    return None


def _stored(
    document: Document, text: bytes, builder: BatchBuilder
) -> Iterator[tuple[str, Callable[[], Stored]]]:
    if text.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] not in (b"{", b"["):
        yield document.game_location(0, count=1), lambda: stored_of_bytes(text)
        return
    for location, value in json_games(document, text, builder, load=load):
        yield location, lambda value=value: stored_of_json(value)  # type: ignore[misc]
