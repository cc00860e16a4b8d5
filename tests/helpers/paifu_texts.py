"""All games of a batch as one text in paifu's own format."""

from __future__ import annotations

from paifu.parsers.paifu_log.writer import PaifuEventsGameWriter, PaifuGameWriter
from paifu.replay.model.batch import Batch


def paifu_text(batch: Batch) -> bytes:
    """A game a line."""
    return b"".join(PaifuGameWriter.games(batch))


def paifu_events_text(batch: Batch) -> bytes:
    """An event a line."""
    return b"".join(PaifuEventsGameWriter.games(batch))
