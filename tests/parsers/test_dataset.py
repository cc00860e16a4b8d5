"""Datasets: what was imported is there once, whatever happened on the way."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders import game
from command import as_nobody, call
from sources import gz, zipped

from paifu.parsers.dataset.entries import Shard, ShardEntry
from paifu.parsers.dataset.shards import (
    FACTS,
    FOR_PEOPLE,
    MANIFEST_SCHEMA,
    DatasetError,
    digest,
    iter_shards,
    open_for_import,
    read_manifest,
    read_shard,
)
from paifu.parsers.dataset_import import import_items
from paifu.parsers.read import iter_items, read_batches
from paifu.parsers.sources.documents import Document
from paifu.parsers.sources.paths import DATASET_MANIFEST, is_dataset
from paifu.replay.model.batch import SCHEMA_VERSION, TABLES, Batch
from paifu.reports.metrics.records import RECORD_TABLES
from paifu.reports.tables.declared import TABLES as FOR_QUERIES

pytestmark = pytest.mark.every(20)

FOLDERS = {"documents", *(table.NAME for table in TABLES)}


def write_logs(folder: Path, numbers: range) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number in numbers:
        (folder / f"{number:03}.mjlog").write_bytes(game(number, hands=1 + number % 3))
    return folder


def load(*paths: Path) -> Batch:
    return Batch.concatenate(read_batches(paths))


def assert_tidy(dataset: Path) -> None:
    """Nothing lies in the dataset but the manifest, the lock, and the files of the shards listed."""
    names = {entry.name for entry in read_manifest(dataset)}
    for path in dataset.rglob("*"):
        if path.is_file() and path.parent != dataset:
            assert (path.stem in names, path.suffix) == (True, ".parquet"), path
    besides = {FACTS, FOR_PEOPLE, DATASET_MANIFEST, ".lock"}
    assert {path.name for path in dataset.iterdir()} <= FOLDERS | besides


# --- what is in it -------------------------------------------------------------------------------------


def test_a_dataset_reads_like_the_logs_in_it(tmp_path: Path) -> None:
    logs = write_logs(tmp_path / "logs", range(9))
    (logs / "bad.mjlog").write_bytes(b"no log")
    assert call("import", logs, "-o", tmp_path / "ds").status == 1
    assert load(tmp_path / "ds").differences(load(logs)) == []
    assert_tidy(tmp_path / "ds")
    entry = read_manifest(tmp_path / "ds")[0]
    assert (entry.documents, entry.games, entry.hands, entry.faults) == (10, 9, 18, 1)
    again = call("import", tmp_path / "ds", "-o", tmp_path / "copy")
    assert again.status == 1
    assert load(tmp_path / "copy").differences(load(logs)) == []


def test_datasets_join_with_each_other_and_with_logs(tmp_path: Path) -> None:
    for name, numbers in (("a", range(3)), ("b", range(3, 5)), ("c", range(5, 7))):
        write_logs(tmp_path / name, numbers)
    for name in "ab":
        call("import", tmp_path / name, "-o", tmp_path / f"ds-{name}")
    call("import", tmp_path / "ds-*", tmp_path / "c", "-o", tmp_path / "all")
    expected = load(tmp_path / "a", tmp_path / "b", tmp_path / "c")
    assert load(tmp_path / "all").differences(expected) == []
    assert load(tmp_path / "ds-*", tmp_path / "c").differences(expected) == []


def test_what_is_there_is_told_by_content(tmp_path: Path) -> None:
    logs = write_logs(tmp_path / "logs", range(4))
    dataset = tmp_path / "ds"
    call("import", logs, "-o", dataset)
    before = load(dataset)
    shutil.copy(logs / "000.mjlog", logs / "another name")
    (tmp_path / "logs.zip").write_bytes(zipped({"x": game(1, hands=2), "y": game(9)}))
    result = call("import", logs, tmp_path / "logs.zip", logs / "003.mjlog", "-o", dataset)
    assert result.talk[0] == f"{dataset}: 1 game from 1 input added, 7 inputs there already, 0 faults"
    after = load(dataset)
    assert after.games.lobby.tolist() == ["0", "1", "2", "3", "9"]
    assert after.games.source[4] == f"{tmp_path}/logs.zip:y"
    assert Batch.concatenate([after.take(number) for number in range(4)]).differences(before) == []


def test_a_dataset_is_not_imported_into_itself(tmp_path: Path) -> None:
    logs = write_logs(tmp_path / "logs", range(3))
    dataset = tmp_path / "ds"
    call("import", logs, "-o", dataset)
    for paths in ((dataset,), (tmp_path,), (dataset, logs)):
        result = call("import", *paths, "-o", dataset)
        assert result.status == 0
        assert "0 games from 0 inputs added" in result.talk[-1]
    assert len(load(dataset)) == 3


def test_several_processes_write_the_same_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paifu.parsers.dataset_import.SHARD_ITEMS", 4)
    monkeypatch.chdir(tmp_path)
    write_logs(Path("logs"), range(21))
    Path("logs/bad").write_bytes(b"no log")
    for jobs in "12":
        assert call("import", "logs", "-o", f"ds{jobs}", "--jobs", jobs).status == 1
    files = [sorted(p.relative_to(f"ds{n}") for p in Path(f"ds{n}").rglob("*") if p.is_file()) for n in "12"]
    assert files[0] == files[1]
    assert len(read_manifest(Path("ds1"))) == 6
    assert len(files[0]) == 6 * (len(FOLDERS) + len(RECORD_TABLES) + len(FOR_QUERIES)) + 2
    for path in files[0]:
        assert (Path("ds1") / path).read_bytes() == (Path("ds2") / path).read_bytes(), path
    assert load(Path("ds2")).differences(load(Path("logs"))) == []


def test_an_empty_folder_makes_an_empty_dataset(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    result = call("import", tmp_path / "logs", "-o", tmp_path / "ds" / "deep")
    assert (result.status, result.data) == (1, b"")
    assert "there is no log in it" in result.talk[0]
    assert is_dataset(tmp_path / "ds" / "deep")
    differences = load(tmp_path / "ds" / "deep").differences(Batch.empty())
    assert {difference.partition(".")[0] for difference in differences} == {"faults"}


def test_each_piece_of_input_has_its_own_digest(tmp_path: Path) -> None:
    write_logs(tmp_path, range(3))
    (tmp_path / "bad").write_bytes(b"x")
    (tmp_path / "worse").write_bytes(b"x")
    digests = {digest(item) for item in iter_items([tmp_path])} | {
        digest(Shard(tmp_path, ShardEntry("a", 0, 0, 0, 0, 0)))
    }
    assert len(digests) == 6
    assert {len(one) for one in digests} == {16}


# --- killed, locked, full ------------------------------------------------------------------------------

SLOW_IMPORT = """
import sys
import paifu.parsers.dataset_import
from paifu.cli.__main__ import main
paifu.parsers.dataset_import.SHARD_ITEMS = 3
if __name__ == "__main__":
    sys.exit(main(["import", sys.argv[1], "-o", sys.argv[2], "--jobs", sys.argv[3]]))
"""


@pytest.fixture
def slow_import(tmp_path: Path) -> list[str]:
    """A command that imports in many small steps; to be followed by logs, dataset and jobs."""
    script = tmp_path / "slow_import.py"
    script.write_text(SLOW_IMPORT)
    return [sys.executable, str(script)]


def wait_for(found: Callable[[], object], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while not found() and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.002)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_import_killed_at_any_moment_goes_on_where_it_stood(
    tmp_path: Path, slow_import: list[str], jobs: str
) -> None:
    logs = write_logs(tmp_path / "logs", range(60))
    dataset = tmp_path / "ds"
    command = [*slow_import, str(logs), str(dataset), jobs]
    chance = random.Random(int(jobs))  # noqa: S311
    shards = [0]
    for _ in range(4):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = shards[-1]
        wait_for(
            lambda before=before: is_dataset(dataset) and len(read_manifest(dataset)) > before,  # type: ignore[misc]
            process,
        )
        time.sleep(chance.random() * 0.05)
        process.kill()
        process.wait()
        shards.append(len(read_manifest(dataset)))
        # At any moment the dataset is sound and holds whole games only, the first ones.
        batch = load(dataset)
        assert batch.games.lobby.tolist() == [str(number) for number in range(len(batch))]
        assert not batch.games.is_cut.any()
    assert shards == sorted(shards)
    assert 1 <= shards[1] < 20, "the first kill came too late to test anything"
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert done.returncode == 0
    assert load(dataset).differences(load(logs)) == []
    assert_tidy(dataset)


def test_what_a_killed_import_can_leave_is_cleared_away(tmp_path: Path) -> None:
    logs = write_logs(tmp_path / "logs", range(2))
    dataset = tmp_path / "ds"
    call("import", logs, "-o", dataset)
    shutil.copy(next((dataset / "games").iterdir()), dataset / "games" / "0123456789abcdef0123.parquet")
    (dataset / "events" / ".0123456789abcdef0123.parquet.partial").write_bytes(b"half")
    (dataset / ".paifu-dataset.json.partial").write_bytes(b"{")
    assert len(load(dataset)) == 2
    call("import", logs, "-o", dataset)
    assert_tidy(dataset)
    assert load(dataset).differences(load(logs)) == []


def test_what_no_import_made_is_left_alone(tmp_path: Path) -> None:
    logs = write_logs(tmp_path / "logs", range(2))
    dataset = tmp_path / "ds"
    call("import", logs, "-o", dataset)
    kept = tmp_path / "kept.parquet"
    kept.write_bytes(b"mine")
    link = dataset / "games" / "0123456789abcdef0123.parquet"
    link.symlink_to(kept)
    own = [dataset / "games" / "mine.parquet", dataset / "games" / "a.partial", dataset / ".a.partial"]
    for path in own:
        path.write_bytes(b"mine")
    assert call("import", logs, "-o", dataset).status == 0
    assert [path.read_bytes() for path in (*own, kept, link)] == [b"mine"] * 5
    assert link.is_symlink()


@pytest.mark.parametrize(
    "place",
    ["games", "documents", "facts", "tables", "tables/mine", "facts/hands", ".lock", "paifu-dataset.json"],
)
def test_links_within_a_dataset_are_refused(tmp_path: Path, place: str) -> None:
    logs = write_logs(tmp_path / "logs", range(2))
    dataset, elsewhere = tmp_path / "ds", tmp_path / "elsewhere"
    call("import", logs, "-o", dataset)
    if (dataset / place).exists():
        (dataset / place).rename(elsewhere)
    else:
        elsewhere.mkdir()
    if elsewhere.is_dir():
        for name in ("mine.parquet", "0123456789abcdef0123.parquet"):
            (elsewhere / name).write_bytes(b"mine")
    (dataset / place).symlink_to(elsewhere)
    before = {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()}
    done = call("import", write_logs(tmp_path / "more", range(2, 4)), "-o", dataset)
    assert done.status == 2
    (line,) = done.talk
    assert line.startswith(f"paifu: {dataset / place}: a link")
    assert {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()} == before
    assert (dataset / place).is_symlink()


def test_two_imports_at_once_do_not_mix(tmp_path: Path) -> None:
    logs = write_logs(tmp_path / "logs", range(2))
    dataset = tmp_path / "ds"
    with open_for_import(dataset) as writer:
        result = call("import", logs, "-o", dataset)
        assert result.status == 2
        assert result.talk == [f"paifu: {dataset}: another import is writing to it; wait for it to end"]
        list(import_items(writer, iter_items([logs])))
    assert load(dataset).differences(load(logs)) == []
    assert "2 inputs there already" in call("import", logs, "-o", dataset).talk[0]


def test_an_interrupted_import_keeps_what_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paifu.parsers.dataset_import.SHARD_ITEMS", 2)
    logs = write_logs(tmp_path / "logs", range(6))

    def items() -> Iterator[object]:
        for number, item in enumerate(iter_items([logs])):
            if number == 5:
                raise KeyboardInterrupt
            yield item

    with pytest.raises(KeyboardInterrupt), open_for_import(tmp_path / "ds") as writer:
        list(import_items(writer, items()))  # type: ignore[arg-type]
    assert len(load(tmp_path / "ds")) == 4
    assert "2 games from 2 inputs added, 4 inputs" in call("import", logs, "-o", tmp_path / "ds").talk[0]


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "papers"
    target.mkdir()
    (target / "thesis.txt").write_text("mine")
    result = call("import", write_logs(tmp_path / "logs", range(1)), "-o", target)
    assert result.status == 2
    assert result.talk == [f"paifu: {target}: not empty and not a paifu dataset; name a new folder with -o"]
    assert [path.name for path in target.iterdir()] == ["thesis.txt"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can go without its permissions for a while")
@pytest.mark.parametrize("there", ["nothing", "an empty folder", "a dataset"])
def test_a_target_that_cannot_be_written_is_told(tmp_path: Path, there: str) -> None:
    logs = write_logs(tmp_path / "logs", range(1))
    call("import", logs, "-o", tmp_path / "other")  # so that all modules are loaded
    closed = tmp_path / "closed"
    closed.mkdir()
    target = closed / "ds" if there == "nothing" else closed
    if there == "a dataset":
        call("import", logs, "-o", target)
    with as_nobody(tmp_path):
        result = call("import", logs, "-o", target)
    assert result.status == 2
    assert result.talk[0].startswith(f"paifu: cannot write {target}")
    assert result.talk[0].endswith(
        ": permission denied; allow writing there, for instance with chmod u+w, or name another place"
    )


# --- damaged -------------------------------------------------------------------------------------------


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def garble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 8 : len(data) // 8 + 20] = bytes(20)
    path.write_bytes(data)


def replace(path: Path) -> None:
    pq.write_table(pa.table({"colour": [1, 2]}), path)


@pytest.mark.parametrize("damage", [cut, garble, replace, Path.unlink, lambda path: path.write_bytes(b"")])
@pytest.mark.parametrize("table", ["events", "games", "documents"])
def test_a_damaged_shard_is_told(tmp_path: Path, damage: Callable[[Path], None], table: str) -> None:
    logs = write_logs(tmp_path / "logs", range(40))
    dataset = tmp_path / "ds"
    call("import", logs, "-o", dataset)
    path = next((dataset / table).iterdir())
    damage(path)
    if table == "documents":
        result = call("import", logs, "-o", dataset)
    else:
        with pytest.raises(DatasetError):
            read_shard(next(iter_shards(dataset)))
        result = call("import", dataset, "-o", tmp_path / "other")
    assert result.status == 2
    assert result.data == b""
    assert result.talk[0].startswith(f"paifu: {path}: ")
    assert result.talk[-1].endswith("; remove the dataset and import again")


def test_no_damage_passes_for_data(tmp_path: Path) -> None:
    logs = write_logs(tmp_path / "logs", range(20))
    call("import", logs, "-o", tmp_path / "ds")
    expected = load(logs)
    path = next((tmp_path / "ds" / "events").iterdir())
    sound = path.read_bytes()
    chance = random.Random(5)  # noqa: S311
    told = 0
    for _ in range(80):
        data = bytearray(sound)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        try:
            batch = load(tmp_path / "ds")
        except DatasetError:
            told += 1
        else:
            assert batch.differences(expected) == []  # a bit that nobody reads, such as in a statistic
    assert told > 20


def manifest(**changes: object) -> bytes:
    return json.dumps({"schema": MANIFEST_SCHEMA, "tables": SCHEMA_VERSION, "shards": []} | changes).encode()


MANIFESTS = {
    "empty": (b"", "not the manifest of a paifu dataset"),
    "a list": (b"[]", "not the manifest of a paifu dataset"),
    "without tables": (b'{"schema": 1}', "not the manifest of a paifu dataset"),
    "without counts": (manifest(shards=[{"name": "x"}]), "not the manifest of a paifu dataset"),
    "later tables": (
        manifest(tables=SCHEMA_VERSION + 1, shards=[{"x": 1}]),
        f"with tables of version {SCHEMA_VERSION + 1}, this paifu reads {MANIFEST_SCHEMA} with version",
    ),
    "later schema": (manifest(schema="paifu.dataset/9"), "written as paifu.dataset/9"),
}


@pytest.mark.parametrize(("text", "message"), MANIFESTS.values(), ids=MANIFESTS)
def test_a_manifest_that_cannot_be_used_is_told(tmp_path: Path, text: bytes, message: str) -> None:
    logs = write_logs(tmp_path / "logs", range(1))
    dataset = tmp_path / "ds"
    call("import", logs, "-o", dataset)
    (dataset / DATASET_MANIFEST).write_bytes(text)
    for arguments in ((dataset, "-o", tmp_path / "other"), (logs, "-o", dataset)):
        result = call("import", *arguments)
        assert result.status == 2
        assert message in result.talk[0]
        assert "import the logs again" in result.talk[0]
    assert not (tmp_path / "other").exists()
    assert len(list((dataset / "games").iterdir())) == 1, "nothing was cleared away"


def test_a_document_is_known_by_its_bytes_alone(tmp_path: Path) -> None:
    write_logs(tmp_path / "a", range(1))
    (tmp_path / "b.gz").write_bytes(gz(game(0)))
    plain, packed = iter_items([tmp_path / "a", tmp_path / "b.gz"])
    assert isinstance(plain, Document)
    assert digest(plain) != digest(packed)
    assert digest(plain) == digest(
        Document("elsewhere", plain.data, plain.format, first_index=3, whole=False)
    )
