"""Real logs: both ways of reading XML agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from paifu.parsers.mjlog.reader import read_mjlog
from paifu.parsers.read import iter_items
from paifu.parsers.sources.documents import Document, open_document
from paifu.replay.model.builder import BatchBuilder

pytestmark = pytest.mark.corpus


def test_both_ways_of_reading_agree_on_every_log(shared: Path) -> None:
    fast, slow = BatchBuilder(), BatchBuilder()
    for document in iter_items([shared / "logs" / "mjlog"]):
        assert isinstance(document, Document), document
        text = open_document(document)
        head, end, tail = text.rpartition(b"</mjloggm>")
        assert not tail.strip()
        read_mjlog(document, text, fast)
        read_mjlog(document, head + b"<!-- no log of Tenhou holds a comment -->" + end, slow)
    batch = fast.finish()
    assert slow.finish().differences(batch) == []
    assert len(batch) == 2538
    assert len(batch.faults) == 0
