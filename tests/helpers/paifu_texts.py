"""All games of a batch as one text in paifu's own format."""

from __future__ import annotations

from paifu.parsers.paifu_log.writer import paifu_events_of_games, paifu_of_games
from paifu.replay.model.batch import Batch


def paifu_text(batch: Batch) -> bytes:
    """A game a line."""
    return b"".join(paifu_of_games(batch))


def paifu_events_text(batch: Batch) -> bytes:
    """An event a line."""
    return b"".join(paifu_events_of_games(batch))
