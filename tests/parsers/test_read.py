"""From paths to batches: units, several processes, faults beside games."""

from __future__ import annotations

import gc
import io
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from builders import game, mjlog, read
from sources import gz, tenhou6, zipped

from paifu.parsers.dataset.entries import InputItem, Shard, ShardEntry
from paifu.parsers.errors import InputFault, PathNotFound
from paifu.parsers.read import iter_items, iter_units, read_batches, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document, InputLimits, open_document
from paifu.replay.model.batch import Batch


def write_logs(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:03}.mjlog").write_bytes(game(number, hands=1 + number % 3))
    return folder


def document(name: str, size: int) -> Document:
    return Document(name, b"x" * size, Format.MJLOG)


def test_units_keep_the_order_and_their_bounds() -> None:
    fault = InputFault("bad", "", "V101", "", "")
    items: list[InputItem] = [
        document("a", 5),
        document("b", 5),
        document("c", 12),
        fault,
        document("d", 1),
        fault,
    ]
    units = list(iter_units(items, unit_bytes=10, unit_items=2))
    assert units == [items[:2], items[2:3], items[3:5], items[5:]]
    assert list(iter_units([])) == []
    shards: list[InputItem] = [Shard(Path(), ShardEntry(name, 0, 0, 0, 0, 0)) for name in "ab"]
    assert list(iter_units(shards)) == [shards[:1], shards[1:]]


def test_units_are_made_as_they_are_asked_for() -> None:
    taken = []

    def items() -> Iterator[InputItem]:
        for number in range(100):
            taken.append(number)
            yield document(str(number), 4)

    units = iter_units(items(), unit_bytes=10)
    next(units)
    assert len(taken) == 3


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_that_lies_below_some_paths_comes_in_order(tmp_path: Path, jobs: int) -> None:
    logs = write_logs(tmp_path / "logs", 6)
    (tmp_path / "one.gz").write_bytes(gz(game(7)))
    (tmp_path / "two.zip").write_bytes(zipped({"a": game(8), "b": b"no log", "c": game(9)}))
    paths = [logs, tmp_path / "two.zip", str(tmp_path / "*.gz"), "-"]
    whole = Batch.concatenate(read_batches(paths, jobs=jobs, stdin=io.BytesIO(game(10))))
    assert whole.games.lobby.tolist() == ["0", "1", "2", "3", "4", "5", "8", "9", "7", "10"]
    assert whole.games.source[-1] == "<stdin>"
    assert whole.faults.source.tolist() == [f"{tmp_path / 'two.zip'}:b"]
    assert whole.hands.game.tolist() == [0, 1, 1, 2, 2, 2, 3, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9]


def test_a_unit_is_read_whatever_is_in_it() -> None:
    packed = gz(game(1))
    batch = read_unit(
        [
            Document("a", game(0), Format.MJLOG),
            InputFault("b", "p", "V102", "r", "h"),
            Document("c", packed, Format.MJLOG),
            Document("d", packed[:-30], Format.MJLOG),
            Document("e", packed + b"rest", Format.MJLOG),
            Document("f", packed[:20] + b"\xff" * 20 + packed[40:], Format.MJLOG),
            Document("g", tenhou6(), Format.TENHOU6),
        ]
    )
    assert batch.games.source.tolist()[:4] == ["a", "c", "d", "e"]
    assert batch.games.is_cut.tolist()[:4] == [False, False, True, False]
    assert batch.faults.source.tolist()[:4] == ["b", "d", "e", "f"]
    assert [reason[:30] for reason in batch.faults.reason[:4]] == [
        "r",
        "the gzip data are cut off",
        "there is something else after ",
        "the gzip data are corrupt",
    ]
    assert len(read_unit([])) == 0


def test_a_document_beyond_the_limits_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    of_100_bytes = partial(open_document, limits=InputLimits(max_document=100))
    monkeypatch.setattr("paifu.parsers.read.open_document", of_100_bytes)
    batch = read_unit([Document("a", game(), Format.MJLOG), Document("b", gz(game()), Format.MJLOG)])
    assert batch.faults.source.tolist() == ["a", "b"]
    assert len(batch) == 0


@pytest.mark.parametrize("was_on", [True, False])
def test_garbage_collection_is_left_as_it_was(was_on: bool) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if was_on else gc.disable)()
        read(game())
        assert gc.isenabled() == was_on
    finally:
        (gc.enable if before else gc.disable)()


def test_a_path_that_names_nothing_is_told_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.mjlog").write_bytes(game())
    with pytest.raises(PathNotFound, match="no such file or folder"):
        iter_items([tmp_path / "a.mjlog", tmp_path / "missing"])
    with pytest.raises(PathNotFound):
        read_batches([tmp_path / "*.zip"])


def test_several_texts_keep_their_own_places() -> None:
    batch = read(mjlog(), game(), b"<mjloggm><T1/>")
    assert batch.faults.reason.tolist()[0] == "the log holds no hand"
    assert len(batch) == 1
