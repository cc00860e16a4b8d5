"""Paths on object stores: logs, archives and datasets there are read, and written, as on a disk."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import game
from command import MODULE, call, run

from paifu.parsers import stores
from paifu.parsers.dataset import holding
from paifu.parsers.dataset.shards import DatasetError, open_for_import
from paifu.parsers.output_files import OutputError, replacing, write_file
from paifu.parsers.sources.paths import iter_documents
from paifu.parsers.stores import StorePath, is_store, place

SAMPLES = Path(__file__).parents[2] / "sample_logs"
Put = Callable[[str, bytes], None]


@pytest.fixture
def put(bucket: str) -> Put:
    def put_file(name: str, content: bytes) -> None:
        StorePath(f"{bucket}/{name}").write_bytes(content)

    return put_file


def packed(kind: str, files: dict[str, bytes]) -> bytes:
    sink = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(sink, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return sink.getvalue()
    with tarfile.open(fileobj=sink, mode=f"w:{kind}") as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return sink.getvalue()


def files_of(folder: str | Path) -> dict[str, bytes]:
    """Content of all files below a folder, by their paths in it; locks are not content."""
    found: dict[str, bytes] = {}
    waiting = [place(folder)]
    while waiting:
        for path in waiting.pop().iterdir():
            if path.is_dir():
                waiting.append(path)
            elif path.name != holding.LOCK:
                found[str(path).removeprefix(str(folder))] = path.read_bytes()
    return found


@pytest.mark.parametrize(
    ("path", "on_store"),
    [
        ("s3://bucket/a", True), ("gs://bucket", True), ("hdfs://host:8020/a", True),
        ("s3:bucket", False), ("s3:/bucket", False), ("http://host/a", False), ("a://b", False),
        ("C:\\logs", False), ("2024-01-01T10:00.mjlog", False), ("s3://", False), ("./s3://a", False),
        ("S3://bucket", False), ("-", False), ("", False),
    ],
)  # fmt: skip
def test_only_declared_protocols_are_stores(path: str, on_store: bool) -> None:
    assert is_store(path) == on_store
    assert isinstance(place(path), StorePath) == on_store


def test_a_plain_path_with_colons_stays_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("http:").mkdir()
    Path("http:/a:b").write_bytes(game(0))
    assert [item.location for item in iter_documents(["http://a:b"])] == ["http://a:b"]


def test_a_folder_is_read_in_the_order_of_a_disk(bucket: str, put: Put, tmp_path: Path) -> None:
    names = ["b/x", "b.mjlog", "a/z", "a/b/c", "a-1", ".hidden/x", "a/.h", "README.md", "c/readme/x", "B"]
    for number, name in enumerate(names):
        put(f"logs/{name}", game(number))
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(game(number))
    there = [item.location.removeprefix(f"{bucket}/logs") for item in iter_documents([f"{bucket}/logs"])]
    here = [item.location.removeprefix(str(tmp_path)) for item in iter_documents([tmp_path])]
    assert there == here
    assert len(here) == 6
    assert there == [
        item.location.removeprefix(f"{bucket}/logs") for item in iter_documents([f"{bucket}/logs/"])
    ]


@pytest.mark.parametrize(
    "pattern", ["*.mjlog", "**/*.mjlog", "a*", "a/*", "**", "?.mjlog", "[ab].mjlog", "a/b/x.mjlog", "**/b"]
)
def test_patterns_match_what_they_match_on_a_disk(
    bucket: str, put: Put, tmp_path: Path, pattern: str
) -> None:
    for number, name in enumerate(
        ["a.mjlog", "b.mjlog", "a/x.mjlog", "a/b/x.mjlog", "a/b/y", ".c.mjlog", ".d/x.mjlog"]
    ):
        put(f"logs/{name}", game(number))
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(game(number))
    there = [i.location.removeprefix(f"{bucket}/logs/") for i in iter_documents([f"{bucket}/logs/{pattern}"])]
    here = [i.location.removeprefix(f"{tmp_path}/") for i in iter_documents([f"{tmp_path}/{pattern}"])]
    assert there == here
    assert here


@pytest.mark.parametrize("kind", ["zip", "", "gz"])
@pytest.mark.parametrize("size", [1, 1 << 20], ids=["small", "in blocks"])
def test_archives_are_read_where_they_lie(bucket: str, put: Put, kind: str, size: int) -> None:
    logs = {f"{number}.mjlog": game(number) for number in range(3)}
    padding = {"readme": __import__("os").urandom(size)}
    put("logs.archive", packed(kind, padding | logs))
    found = list(iter_documents([f"{bucket}/logs.archive"]))
    assert [item.location for item in found] == [f"{bucket}/logs.archive:{name}" for name in logs]


def test_what_is_damaged_is_a_finding_in_its_place_and_the_rest_goes_on(bucket: str, put: Put) -> None:
    sound = (SAMPLES / "games" / "hanchan-4p-01.mjlog.gz").read_bytes()
    put("logs/a", sound)
    put("logs/b", sound[: len(sound) // 2])
    put("logs/c", b"SQLite format 3\0" + bytes(4096))
    put("logs/d", b"\x89PNG\r\n\x1a\n")
    put("logs/e", sound)
    result = call("verify", f"{bucket}/logs")
    lines = result.text.splitlines()
    assert [line.partition(": ")[0].rpartition("/")[2] for line in lines] == ["b", "c", "d"]
    assert "cut off" in lines[0]
    assert "a database on an object store cannot be read (copy it to a disk" in lines[1]
    assert result.status == 1
    assert "2 games" in result.talk[0] or "3 games" in result.talk[0]


def test_a_file_that_goes_away_while_it_is_read_is_a_finding(
    bucket: str, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("logs/a", game(0))
    monkeypatch.setattr(
        StorePath, "read_bytes", lambda self: (_ for _ in ()).throw(PermissionError(13, "Denied"))
    )
    (fault,) = iter_documents([f"{bucket}/logs"])
    assert str(fault).startswith(f"{bucket}/logs/a: V101 cannot be read: Denied")


@pytest.mark.parametrize("name", ["nothing", "no-*.gz", "logs/"])
def test_a_path_that_names_nothing_is_an_error(bucket: str, name: str) -> None:
    result = call("verify", f"{bucket}/{name}")
    assert result.status == 2
    assert "no such file or folder" in result.talk[0]


def test_a_store_that_does_not_answer_is_an_error_with_its_reason(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    begun = time.monotonic()
    result = run("stats", f"{bucket}/logs")
    assert time.monotonic() - begun < 30
    assert (result.status, len(result.talk)) == (2, 1)
    assert "Could not connect" in result.talk[0]


def test_without_the_library_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    result = call("stats", "s3://bucket/logs")
    assert result.status == 2
    assert "pip install 'paifu[cluster]'" in result.talk[0]


def test_an_import_to_a_store_writes_what_one_to_a_disk_writes(bucket: str, tmp_path: Path) -> None:
    logs = SAMPLES / "games"
    here = call("import", logs, "-o", tmp_path / "ds", "--decisions")
    there = call("import", logs, "-o", f"{bucket}/ds", "--decisions")
    assert here.data == there.data
    assert files_of(f"{bucket}/ds") == files_of(tmp_path / "ds")
    again = call("import", logs, "-o", f"{bucket}/ds", "--decisions")
    assert "32 inputs there already" in again.talk[-1]
    for command in (["stats"], ["verify"], ["review", "-f", "jsonl"], ["stats", "--by", "player", "--all"]):
        assert call(*command, f"{bucket}/ds").data == call(*command, tmp_path / "ds").data


def test_a_dataset_on_a_store_can_be_imported_and_is_passed_over_in_folders(bucket: str, put: Put) -> None:
    put("all/x.mjlog", game(0))
    assert call("import", f"{bucket}/all", "-o", f"{bucket}/all/ds").status == 0
    assert [item.location for item in iter_documents([f"{bucket}/all"])] == [f"{bucket}/all/x.mjlog"]
    assert [i.location for i in iter_documents([f"{bucket}/all/**"])] == [f"{bucket}/all/x.mjlog"]
    assert "1 game from 1 input added" in call("import", f"{bucket}/all/ds", "-o", f"{bucket}/copy").talk[-1]


def test_a_damaged_file_of_a_dataset_is_named(bucket: str) -> None:
    call("import", SAMPLES / "formats", "-o", f"{bucket}/ds")
    (path,) = StorePath(f"{bucket}/ds/hands").iterdir()
    path.write_bytes(path.read_bytes()[:-100])
    result = call("verify", f"{bucket}/ds")
    assert result.status == 2
    assert result.talk[0].startswith(f"paifu: {path}: ")
    assert result.talk[0].endswith("remove the dataset and import again")
    path.unlink()
    result = call("verify", f"{bucket}/ds")
    assert f"{path}" in result.talk[0]
    StorePath(f"{bucket}/ds/paifu-dataset.json").write_bytes(b"{}")
    assert "not the manifest" in call("verify", f"{bucket}/ds").talk[0]


def test_an_import_that_breaks_off_leaves_a_dataset_without_halves(bucket: str, put: Put) -> None:
    """Shards come before the manifest that names them, and the next import clears away those without one."""
    put("ds/paifu-dataset.json", b"")
    assert "not the manifest" in call("import", SAMPLES / "formats", "-o", f"{bucket}/ds").talk[0]
    StorePath(f"{bucket}/ds/paifu-dataset.json").unlink()
    assert call("import", SAMPLES / "formats", "-o", f"{bucket}/ds").status == 0
    sound = files_of(f"{bucket}/ds")
    put(f"ds/hands/{'0' * 20}.parquet", b"left behind")
    put(f"ds/tables/hands/{'0' * 20}.parquet", b"left behind")
    assert call("import", SAMPLES / "formats", "-o", f"{bucket}/ds").status == 0
    assert files_of(f"{bucket}/ds") == sound
    put("other/file", b"")
    assert "not empty and not a paifu dataset" in call("import", SAMPLES, "-o", f"{bucket}/other").talk[0]


def test_files_are_written_whole_or_not_at_all(bucket: str) -> None:
    path = f"{bucket}/page.html"
    write_file(path, b"old")
    with pytest.raises(KeyboardInterrupt), replacing(path) as file:  # noqa: PT012
        file.write(b"half")
        raise KeyboardInterrupt
    assert StorePath(path).read_bytes() == b"old"
    write_file(path, b"new")
    assert StorePath(path).read_bytes() == b"new"
    with pytest.raises(OutputError, match="cannot write s3://no-such-bucket-here/a: "):
        write_file("s3://no-such-bucket-here/a", b"")
    assert call("report", SAMPLES / "formats", "-o", path).status == 0
    assert StorePath(path).read_bytes().startswith(b"<!doctype html>")


@pytest.fixture
def quick_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "BEAT", 0.1)
    monkeypatch.setattr(holding, "PATIENCE", 1.0)


def test_two_imports_cannot_write_to_one_dataset(bucket: str, quick_lease: None) -> None:
    told: list[str] = []
    with open_for_import(StorePath(f"{bucket}/ds")) as writer:
        with (
            pytest.raises(DatasetError, match="another import is writing to it"),
            open_for_import(writer.root, told.append),
        ):
            pass
        assert "waiting 1 s" in told[0]
        assert StorePath(f"{bucket}/ds/.lock").exists()
    assert not StorePath(f"{bucket}/ds/.lock").exists()


def test_the_lease_of_a_killed_import_is_taken_over(bucket: str, put: Put, quick_lease: None) -> None:
    put("ds/.lock", b'{"import": "killed"}')
    assert call("import", SAMPLES / "formats", "-o", f"{bucket}/ds").status == 0


def test_an_import_that_lost_its_lease_writes_no_manifest(bucket: str, put: Put) -> None:
    """It was suspended for so long that another took over."""
    with open_for_import(StorePath(f"{bucket}/ds")) as writer:
        put("ds/.lock", b'{"import": "another"}')
        with pytest.raises(DatasetError, match="another import has taken over"):
            writer.add(None)  # type: ignore[arg-type]
    assert StorePath(f"{bucket}/ds/.lock").read_bytes() == b'{"import": "another"}'


def test_an_interrupted_import_gives_its_lease_back(bucket: str, tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"{number}.mjlog").write_bytes(game(number, hands=200))
    command = [*MODULE, "import", str(tmp_path), "-o", f"{bucket}/ds", "--jobs", "1"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        while not StorePath(f"{bucket}/ds/.lock").exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(2)
        _, talk = process.communicate(timeout=30)
    assert process.returncode == 130, talk
    assert not StorePath(f"{bucket}/ds/.lock").exists()


def test_stores_that_can_only_rename_never_show_a_half(monkeypatch: pytest.MonkeyPatch) -> None:
    """HDFS shows a file while it is written: it is written beside its place and renamed."""
    memory = pytest.importorskip("fsspec.implementations.memory").MemoryFileSystem
    monkeypatch.setitem(stores.PROTOCOLS, "memory", "")
    monkeypatch.setattr(stores, "_RENAMING", frozenset({"memory"}))
    steps: list[str] = []
    pipe, move = memory.pipe_file, memory.mv

    def piped(self: object, path: str, value: bytes, **options: object) -> None:
        steps.append(path)
        pipe(self, path, value, **options)

    def moved(self: object, source: str, target: str, **options: object) -> None:
        steps.append(f"{source} to {target}")
        move(self, source, target, **options)

    monkeypatch.setattr(memory, "pipe_file", piped)
    monkeypatch.setattr(memory, "mv", moved)
    path = StorePath("memory://folder/file")
    for content in (b"old", b"new"):
        path.write_bytes(content)
        assert path.read_bytes() == content
    assert steps == ["/folder/.file.partial", "/folder/.file.partial to /folder/file"] * 2
    assert not StorePath("memory://folder/.file.partial").exists()
    assert path.create(b"other") is False
    assert path.read_bytes() == b"new"
    path.unlink()
    assert path.create(b"first") is True
    assert path.read_bytes() == b"first"
