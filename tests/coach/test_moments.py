"""When a game began: what is a moment is looked at where games come in, and nowhere else."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from each_row import each_row

from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.bounds import BoundsError, check_batch
from paifu.replay.model.builder import BatchBuilder, GameDraft
from paifu.replay.model.moments import is_moment

SAMPLES = Path(__file__).parents[2] / "sample_logs"
SOUND = (
    "", "2024", "2024-05", "2024-05-31", "2024-05-31T03", "2024-05-31 03:59", "2024-05-31T24:00:00",
    "2024-05-31T03:59:59.123456", "2024-05-31T03:59Z", "2024-05-31T03:59+09:00", "2024-05-31T03+0900",
)  # fmt: skip
WRONG = (
    "../../../x", "2024/05", "2024-5", "2024-13", "2024-00", "2024-05-32", "2024-05-31T", "2024-05-31T25",
    "2024-05-31T03:60", "2024-05-31\n", " 2024", "yesterday", "２０２４", "2024-05-31T03:59+09:00x", "24",
)  # fmt: skip


@each_row("text", SOUND)
def test_a_moment_is_as_exact_as_it_is_known(text: str) -> None:
    assert is_moment(text)
    assert built(text) == text


@each_row("text", WRONG)
def test_no_game_begins_at_another_text(text: str) -> None:
    """Neither one that a reader or a plug-in hands over, nor one that was stored."""
    assert not is_moment(text)
    assert built(text) == ""
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"])
    check_batch(batch)
    games = replace(batch.games, started=np.array([text], object))
    with pytest.raises(BoundsError, match=r"games\.started of row 0 is .* is not a moment"):
        check_batch(replace(batch, games=games))


def built(started: str) -> str:
    """When a game begins, as a reader says."""
    builder = BatchBuilder()
    builder.add(GameDraft({"started": started}))
    return str(builder.finish().games.started[0])


def test_an_id_that_names_no_day_names_no_moment() -> None:
    text = gzip.decompress((SAMPLES / "formats" / "hanchan.mjlog.gz").read_bytes())
    document = Document("2024139925gm-0009-0000-01234567.mjlog", text, Format.MJLOG)
    batch = read_unit([document])
    assert (batch.games.id[0], batch.games.started[0]) == ("2024139925gm-0009-0000-01234567", "")
