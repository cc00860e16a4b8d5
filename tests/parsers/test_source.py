"""Every kind of path gives the same documents, named so that a person finds them."""

from __future__ import annotations

import bz2
import io
import itertools
import lzma
import os
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from sources import SCHEMAS, content, database, gz, mjlog, opened, read, tarred, tenhou6, zipped

from paifu.parsers.errors import InputFault, ParseError, PathNotFound
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document, InputLimits, open_document
from paifu.parsers.sources.paths import DATASET_MANIFEST, is_dataset, iter_documents
from paifu.parsers.sources.splitting import split
from paifu.parsers.sources.streams import Peekable

SMALL = InputLimits(max_document=4000, piece=300)

WRAPPERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda text: text,
    "gz": gz,
    "gz in gz": lambda text: gz(gz(text)),
    "gz of two members": lambda text: gz(text[:20]) + gz(text[20:]),
    "gz with padding": lambda text: gz(text) + b"\0" * 600,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.mark.parametrize("log", [mjlog(), tenhou6()], ids=["mjlog", "tenhou6"])
@pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=WRAPPERS)
@pytest.mark.parametrize("name", ["game.mjlog", "game", "game.gz", "game.txt"])
def test_a_file_is_what_its_bytes_are(
    tmp_path: Path, name: str, wrap: Callable[[bytes], bytes], log: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(wrap(log))
    documents, faults = read(path)
    assert faults == []
    (document,) = documents
    assert document.location == str(path)
    assert document.format is (Format.MJLOG if log.startswith(b"<") else Format.TENHOU6)
    assert (document.first_index, document.whole, document.cut) == (0, True, False)
    assert open_document(document) == log


ARCHIVES: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "zip": zipped,
    "tar": tarred,
    "tar.gz": lambda members: tarred(members, "w:gz"),
    "tar.bz2": lambda members: tarred(members, "w:bz2"),
    "tar.xz": lambda members: tarred(members, "w:xz"),
    "zip in tar": lambda members: tarred({"in.zip": zipped(members)}),
    "tar.gz in zip": lambda members: zipped({"in.tgz": tarred(members, "w:gz")}),
    "zip in gz": lambda members: gz(zipped(members)),
}


@pytest.mark.parametrize("pack", ARCHIVES.values(), ids=ARCHIVES)
def test_archives_give_their_members_in_order(
    tmp_path: Path, pack: Callable[[dict[str, bytes]], bytes]
) -> None:
    logs = [mjlog(number) for number in range(4)]
    path = tmp_path / "logs"
    path.write_bytes(
        pack(
            {
                "2022/b.mjlog": logs[0],
                "2022/a.mjlog.gz": gz(logs[1]),
                "2022/.hidden": b"no log",
                "__MACOSX/._b.mjlog": b"no log",
                "c": bz2.compress(logs[2]),
                "./d": logs[3],
            }
        )
    )
    documents, faults = read(path)
    assert faults == []
    assert [open_document(document) for document in documents] == logs
    inner = documents[0].location.removeprefix(str(path)).removesuffix(":2022/b.mjlog")
    assert inner in {"", ":in.zip", ":in.tgz"}
    assert [document.location.removeprefix(f"{path}{inner}:") for document in documents] == [
        "2022/b.mjlog",
        "2022/a.mjlog.gz",
        "c",
        "./d",
    ]
    assert {document.format for document in documents} == {Format.MJLOG}


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_empty_archive_among_logs_is_no_fault(
    tmp_path: Path, pack: Callable[[dict[str, bytes]], bytes]
) -> None:
    path = tmp_path / "logs"
    path.write_bytes(pack({}) if pack is zipped else pack({"folder/.keep": b""}))
    documents, faults = read(path)
    assert (documents, [(fault.location, fault.reason) for fault in faults]) == (
        [],
        [(str(path), "there is no log in it")],
    )
    (tmp_path / "x").write_bytes(mjlog())
    documents, faults = read(tmp_path)
    assert (len(documents), faults) == (1, [])


def test_a_folder_without_logs_is_a_fault_each(tmp_path: Path) -> None:
    (tmp_path / "empty" / "deep").mkdir(parents=True)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "readme.txt").write_text("hello")
    (tmp_path / "x").write_bytes(mjlog())
    documents, faults = read(tmp_path / "empty", tmp_path / "x", tmp_path / "notes")
    assert len(documents) == 1
    assert [fault.location for fault in faults] == [str(tmp_path / "empty"), str(tmp_path / "notes")]


def test_links_and_folders_in_archives_are_passed_over(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("link")
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(info, "real")
        archive.writestr("folder/", "")
        archive.writestr("real", mjlog())
    assert [document.location for document in read(tmp_path / "a.zip")[0]] == [f"{tmp_path}/a.zip:real"]
    (tmp_path / "real").write_bytes(mjlog())
    (tmp_path / "link").symlink_to("real")
    os.link(tmp_path / "real", tmp_path / "second")
    import tarfile

    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        for name in ("real", "link", "second"):
            tar.add(tmp_path / name, name)
    documents, faults = read(tmp_path / "a.tar")
    assert faults == []
    assert [document.location for document in documents] == [f"{tmp_path}/a.tar:real"]


@pytest.mark.parametrize("program", SCHEMAS)
def test_databases_give_their_rows(tmp_path: Path, program: str) -> None:
    log = tenhou6 if program == "tenhou-db" else mjlog
    names = [f"20220105{hour:02}gm-00a9-0000-6ebd44bf" for hour in range(4)]
    rows = [
        (names[0], gz(log(0))),
        (names[1], log(1).decode()),
        (names[2], bz2.compress(log(2))),
        (names[3], ""),
    ]
    path = database(tmp_path / "logs.db", program, rows)
    documents, faults = read(path)
    assert faults == []
    assert [open_document(document) for document in documents] == [log(0), log(1), log(2)]
    assert [document.location for document in documents] == [f"{path}:{name}" for name in names[:3]]


def test_a_database_that_cannot_write_its_index_is_read_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In write-ahead mode even reading writes a file beside it, which a folder may not allow."""
    database(tmp_path / "x.db", "houou-logs", [("a", gz(mjlog()))])
    connect = sqlite3.connect

    class Unopened:
        def execute(self, _statement: str) -> None:
            raise sqlite3.OperationalError("unable to open database file")

        def close(self) -> None:
            pass

    monkeypatch.setattr(
        "paifu.parsers.sources.databases.sqlite3.connect",
        lambda address, **options: Unopened() if "mode=ro" in address else connect(address, **options),
    )
    assert content(tmp_path / "x.db") == mjlog()


@pytest.mark.parametrize("program", ["houou-logs", "phoenix-logs"])
def test_rows_not_fetched_or_failed_are_left_out(tmp_path: Path, program: str) -> None:
    path = database(tmp_path / "logs.db", program, [(f"{n}", gz(mjlog(n))) for n in range(4)])
    name = "id" if program == "houou-logs" else "log_id"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE logs SET is_processed = 0 WHERE {name} = '1'")  # noqa: S608
        connection.execute(f"UPDATE logs SET was_error = 1 WHERE {name} = '2'")  # noqa: S608
    documents, faults = read(path)
    assert faults == []
    assert [document.location for document in documents] == [f"{path}:0", f"{path}:3"]


def test_a_database_is_found_by_its_bytes_and_never_written(tmp_path: Path) -> None:
    path = database(tmp_path / "odd name?#%.mjlog", "houou-logs", [("x", gz(mjlog()))])
    before = path.read_bytes()
    assert content(path) == mjlog()
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_standard_input(tmp_path: Path) -> None:
    for data in (mjlog(), gz(mjlog()), tarred({"a": mjlog()}, "w:gz"), zipped({"a": mjlog()})):
        documents, faults = read("-", stdin=io.BytesIO(data))
        assert faults == []
        assert [open_document(document) for document in documents] == [mjlog()]
        assert documents[0].location in {"<stdin>", "<stdin>:a"}


def test_a_named_pipe_is_read_when_it_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    if os.fork() == 0:  # the writer
        path.write_bytes(gz(mjlog()))
        os._exit(0)
    assert content(path) == mjlog()
    os.wait()


def test_a_folder_is_read_through_in_the_order_of_names(tmp_path: Path) -> None:
    names = ["a.mjlog", "b/2.mjlog", "b/c/1.mjlog", "b/d", "c.mjlog", "B/x"]
    for number, name in enumerate(names):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(mjlog(number))
    (tmp_path / ".git").mkdir()
    for hidden in (".git/config", ".DS_Store", "b/.x"):
        (tmp_path / hidden).write_bytes(b"no log")
    documents, faults = read(tmp_path)
    assert faults == []
    assert [document.location for document in documents] == [f"{tmp_path}/{name}" for name in sorted(names)]


def test_links_in_a_folder_are_followed_once(tmp_path: Path) -> None:
    (tmp_path / "logs" / "real").mkdir(parents=True)
    (tmp_path / "logs" / "real" / "x").write_bytes(mjlog())
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "y").write_bytes(mjlog())
    (tmp_path / "logs" / "again").symlink_to("real")
    (tmp_path / "logs" / "out").symlink_to("../elsewhere")
    documents, faults = read(tmp_path / "logs")
    assert faults == []
    assert [document.location.removeprefix(f"{tmp_path}/logs/") for document in documents] == [
        "again/x",
        "out/y",
    ]


def test_patterns(tmp_path: Path) -> None:
    for name in ("b.mjlog", "a.mjlog", "c.txt", "sub/d.mjlog"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(mjlog())

    def found(pattern: str) -> list[str]:
        documents, faults = read(tmp_path / pattern)
        assert faults == []
        return [document.location.removeprefix(f"{tmp_path}/") for document in documents]

    assert found("*.mjlog") == ["a.mjlog", "b.mjlog"]
    assert found("**/*.mjlog") == ["a.mjlog", "b.mjlog", "sub/d.mjlog"]
    (tmp_path / "[ab].mjlog").write_bytes(mjlog())
    assert found("[ab].mjlog") == ["[ab].mjlog"], "a file of that name goes before the pattern"


def test_a_path_that_names_nothing_stops_everything_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(mjlog())
    missing = [f"{tmp_path}/{name}" for name in ("nothing", "x/y", "*.none", "nul\0byte")]
    for name in (*missing, "s3://bucket/logs", "https://example.com/*.gz"):
        with pytest.raises(PathNotFound, match="no such file or folder") as caught:
            iter_documents([tmp_path / "x", name])
        assert "\0" not in str(caught.value)


def test_a_dataset_is_left_to_its_own_reader(tmp_path: Path) -> None:
    dataset = tmp_path / "dataset"
    dataset.mkdir()
    (dataset / DATASET_MANIFEST).write_text("{}")
    (dataset / "games.parquet").write_bytes(b"PAR1")
    (tmp_path / "x").write_bytes(mjlog())
    assert is_dataset(dataset)
    assert not is_dataset(tmp_path)
    assert not is_dataset(tmp_path / "x")
    assert read(dataset) == ([], [])
    documents, faults = read(tmp_path)
    assert faults == []
    assert [document.location for document in documents] == [f"{tmp_path}/x"]


def test_names_cannot_play_with_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"x\x1b[31m\n.mjlog": mjlog(), "牌譜.mjlog": mjlog()}))
    documents, _ = read(tmp_path / "a.zip")
    assert [document.location.split(":")[1] for document in documents] == [r"x\x1b[31m\n.mjlog", "牌譜.mjlog"]
    (tmp_path / "folder").mkdir()
    Path(os.fsdecode(os.fsencode(tmp_path / "folder") + b"/\xff\x07")).write_bytes(mjlog())
    assert [document.location for document in read(tmp_path / "folder")[0]] == [
        rf"{tmp_path}/folder/\udcff\x07"
    ]


def test_locations_of_games() -> None:
    alone = Document("a.mjlog", b"", Format.MJLOG)
    assert alone.game_location(0, count=1) == "a.mjlog"
    assert [alone.game_location(i, count=2) for i in (0, 1)] == ["a.mjlog#1", "a.mjlog#2"]
    later = Document("a.mjlog", b"", Format.MJLOG, first_index=70, whole=False)
    assert later.game_location(0, count=1) == "a.mjlog#71"
    lines = Document("a.jsonl", b"", Format.TENHOU6, first_index=11, whole=False)
    assert lines.game_location(2, count=9, mark=":") == "a.jsonl:14"
    assert alone.game_location(0, count=1, mark=":") == "a.mjlog"


# --- big sources ---------------------------------------------------------------------------------------


class Dripping:
    """Gives bytes in amounts of its own choice."""

    def __init__(self, data: bytes, sizes: list[int]) -> None:
        self._data = data
        self._sizes = itertools.cycle(sizes)
        self._at = 0

    def read(self, size: int, /) -> bytes:
        chunk = self._data[self._at : self._at + min(size, next(self._sizes))]
        self._at += len(chunk)
        return chunk


def stream_of(kind: Format, sizes: list[int], join: bytes) -> bytes:
    if kind is Format.MJLOG:
        return join.join(mjlog(number, size) for number, size in enumerate(sizes))
    games = (tenhou6(number).replace(b'"a"', b'"%s"' % (b"a" * size)) for number, size in enumerate(sizes))
    return b"".join(game + b"\n" for game in games)


@pytest.mark.parametrize("kind", [Format.MJLOG, Format.TENHOU6])
@given(
    sizes=st.lists(st.integers(0, 700), min_size=1, max_size=12),
    drips=st.lists(st.integers(1, 900), min_size=1, max_size=5),
    join=st.sampled_from([b"", b"\n", b" \r\n\t", b"\n" * 700]),
)
def test_splitting_does_not_depend_on_how_bytes_arrive(
    kind: Format, sizes: list[int], drips: list[int], join: bytes
) -> None:
    data = stream_of(kind, sizes, join)
    whole = list(split(Peekable(Dripping(data, [len(data)])), kind, "x", SMALL))
    dripped = list(split(Peekable(Dripping(data, drips)), kind, "x", SMALL))
    assert whole == dripped
    documents = [item for item in whole if isinstance(item, Document)]
    assert len(documents) == len(whole)
    assert b"".join(document.data for document in documents).strip() == data.strip()
    mark = b"<mjloggm" if kind is Format.MJLOG else b"\n"
    assert [document.first_index for document in documents] == [
        b"".join(document.data for document in documents[:n]).count(mark) for n in range(len(documents))
    ]
    assert all(document.whole == (len(documents) == 1) for document in documents)
    assert all(len(document.data) < 300 + 800 + len(join) for document in documents)
    end = b"</mjloggm>" if kind is Format.MJLOG else b"\n"
    assert all(document.data.rstrip(b" \r\t" + end[-1:]).endswith(end.strip()[:-1]) for document in documents)


@given(
    st.lists(st.integers(0, 400), min_size=1, max_size=8),
    st.sampled_from(list(WRAPPERS)),
    st.sampled_from([*ARCHIVES, "folder", "file", "database"]),
)
def test_the_same_logs_give_the_same_bytes_whatever_holds_them(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], wrapper: str, holder: str
) -> None:
    folder = tmp_path_factory.mktemp("same")
    logs = [mjlog(number, size) for number, size in enumerate(sizes)]
    members = {f"{number:03}": WRAPPERS[wrapper](log) for number, log in enumerate(logs)}
    if holder == "folder":
        for name, data in members.items():
            (folder / name).write_bytes(data)
    elif holder == "file":
        (folder / "x").write_bytes(WRAPPERS[wrapper](b"".join(logs)))
    elif holder == "database":
        database(folder / "x", "houou-logs", members.items())
    else:
        (folder / "x").write_bytes(ARCHIVES[holder](members))
    assert content(folder) == b"".join(logs)


PACKED: dict[str, Callable[[bytes], bytes]] = {
    **{name: WRAPPERS[name] for name in ("gz", "bz2", "xz", "gz in gz")},
    "zip": lambda text: ARCHIVES["zip"]({"m": text}),
    "tar.gz": lambda text: ARCHIVES["tar.gz"]({"m": text}),
}


@pytest.mark.parametrize("pack", PACKED.values(), ids=PACKED)
def test_a_source_may_unpack_to_some_times_its_size(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    text = b"\n".join(mjlog(number, 100 + number) for number in range(400))
    packed = pack(text)
    (tmp_path / "x").write_bytes(packed)
    ratio = len(text) // len(packed)

    def read_within(most: int) -> tuple[bytes, list[str]]:
        limits = InputLimits(max_ratio=most, ratio_floor=3000)
        documents, faults = read(tmp_path / "x", limits=limits)
        reasons = [fault.reason for fault in faults]
        texts = []
        for document in documents:
            try:
                texts.append(open_document(document, limits))
            except ParseError as error:
                reasons.append(error.reason)
        return b"".join(texts), reasons

    assert ratio > 8
    assert read_within(3 * ratio) == (text, [])
    some, reasons = read_within(ratio // 4)
    assert len(some) < len(text)
    assert [("a decompression bomb" in reason) for reason in reasons] == [True]


@pytest.mark.parametrize("archive", ["tar.gz", "tar.xz", "zip"])
def test_an_archive_in_a_pipe_may_be_longer_than_any_document(archive: str) -> None:
    members = {str(number): mjlog(number, 100 + number) * 10 for number in range(40)}
    limits = InputLimits(max_document=10_000)
    assert sum(map(len, members.values())) > 4 * limits.max_document
    documents, faults = read("-", stdin=io.BytesIO(ARCHIVES[archive](members)), limits=limits)
    assert faults == []
    assert b"".join(document.data for document in documents) == b"".join(members.values())


def test_big_files_come_in_pieces_numbered_through(tmp_path: Path) -> None:
    games = [mjlog(number, 100 + number) for number in range(50)]
    text = b"\n".join(games)
    for name, data in {"x": text, "x.gz": gz(text), "x.tgz": tarred({"m": text}, "w:gz")}.items():
        (tmp_path / name).write_bytes(data)
    limits = InputLimits(piece=1000, max_document=2000)
    for name in ("x", "x.tgz"):
        documents, faults = read(tmp_path / name, limits=limits)
        assert faults == []
        assert len(documents) > 5
        numbers = [
            document.game_location(i, count=document.data.count(b"<mjloggm")).rpartition("#")[2]
            for document in documents
            for i in range(document.data.count(b"<mjloggm"))
        ]
        assert numbers == [str(n + 1) for n in range(50)]
        assert b"".join(document.data for document in documents) == text
    (small,) = read(tmp_path / "x.gz", limits=limits)[0]
    assert small.data[:2] == b"\x1f\x8b", "a small compressed file is left to the worker"


def test_a_big_gzip_is_unpacked_in_pieces(tmp_path: Path) -> None:
    data = os.urandom(3000).hex().encode()
    games = [mjlog(n).replace(b"%61", data) for n in range(100)]
    (tmp_path / "x.gz").write_bytes(gz(b"".join(games)))
    assert (tmp_path / "x.gz").stat().st_size < 1 << 18
    games = [mjlog(n).replace(b"%61", os.urandom(3000).hex().encode()) for n in range(400)]
    (tmp_path / "x.gz").write_bytes(gz(b"".join(games)))
    assert (tmp_path / "x.gz").stat().st_size > 1 << 20
    documents, faults = read(tmp_path / "x.gz")
    assert faults == []
    assert [document.whole for document in documents] == [False] * len(documents)
    assert len(documents) > 1
    assert b"".join(document.data for document in documents) == b"".join(games)


JSON_TEXTS = {
    "one object": (tenhou6(), False),
    "one object and a line break": (tenhou6() + b"\n", False),
    "pretty": (tenhou6().replace(b",", b",\n"), False),
    "pretty, its first line closed": (b'{"log": [[[]]]\n, "name": []}', False),
    "a list, comma first": (b"[" + tenhou6() + b"\n," + tenhou6() + b"\n]", False),
    "a list on lines": (b"[" + tenhou6() + b",\n" + tenhou6() + b"]", False),
    "lines": (tenhou6() + b"\n" + tenhou6(1), True),
    "lines with blanks": (b"\n" + tenhou6() + b" \r\n\r\n" + tenhou6(1) + b"\n", True),
    "addresses": (b"https://tenhou.net/6/#json={}\nhttps://tenhou.net/6/#json={}\n", True),
    "a list on each line": (b"[" + tenhou6() + b"]\n[" + tenhou6() + b"]\n", True),
}


@each_row(("text", "lines"), JSON_TEXTS.values(), ids=JSON_TEXTS)
def test_json_lines_are_told_from_one_document(text: bytes, lines: bool) -> None:
    tiny = InputLimits(piece=1)
    documents = [
        item
        for item in split(Peekable(io.BytesIO(text)), Format.TENHOU6, "x", tiny)
        if isinstance(item, Document)
    ]
    assert b"".join(document.data for document in documents) == text
    assert (len(documents) > 1) is lines
    if not lines:
        assert documents[0].whole


def test_one_game_too_big_is_one_fault_and_the_rest_goes_on() -> None:
    for size in (4100, 4400, 30_000, 900_000):
        games = [mjlog(0), mjlog(1, 500), mjlog(2), mjlog(3, size), mjlog(4), mjlog(5, 600), mjlog(6)]
        for drips in ([1], [7, 900], [1 << 20]) if size < 10_000 else ([999], [1 << 20]):
            items = list(split(Peekable(Dripping(b"".join(games), drips)), Format.MJLOG, "x", SMALL))
            faults = [item for item in items if isinstance(item, InputFault)]
            assert [(fault.location, fault.code) for fault in faults] == [("x#4", "V101")]
            documents = [item for item in items if isinstance(item, Document)]
            assert b"".join(document.data for document in documents) == b"".join(games[:3] + games[4:])
            assert not any(document.whole for document in documents)
            after = [document.first_index for document in documents if b'lobby="4"' in document.data]
            assert after == [4]


def test_one_line_too_big_is_one_fault_with_its_line_number() -> None:
    lines = [tenhou6(n) + b"\n" for n in range(9)]
    lines[5] = b'{"log":[%s]}\n' % (b" " * 5000)
    items = list(split(Peekable(Dripping(b"".join(lines), [333])), Format.TENHOU6, "x", SMALL))
    faults = [item for item in items if isinstance(item, InputFault)]
    assert [fault.location for fault in faults] == ["x:6"]
    assert b"".join(item.data for item in items if isinstance(item, Document)) == b"".join(
        lines[:5] + lines[6:]
    )
    assert [item.first_index for item in items if isinstance(item, Document)][-1] >= 6


def test_one_json_document_too_big_is_one_fault() -> None:
    for text in (b"[" + b",\n".join([tenhou6()] * 90) + b"]", b"[" + b",".join([tenhou6()] * 90) + b"]"):
        documents, (fault,) = read("-", stdin=Dripping(text, [500]), limits=SMALL)
        assert documents == []
        assert fault.location == "<stdin>"
        assert "bigger than" in fault.reason
        assert "one game a line" in fault.hint


def test_what_a_worker_opens_is_what_was_packed() -> None:
    for data in (mjlog(), gz(mjlog()), gz(mjlog()) * 3, lzma.compress(mjlog()), gz(mjlog()) + b"\0" * 9):
        text = mjlog() * (3 if data == gz(mjlog()) * 3 else 1)
        assert opened([Document("x", data, Format.MJLOG)]) == [(text, False, "")]
