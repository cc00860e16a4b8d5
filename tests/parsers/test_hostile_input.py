"""Broken and hostile input: one error row each, bounded memory, bounded time, and the rest goes on.

"One row" counts the row of whichever side finds the fault: the source, or the worker that unpacks a
document.
"""

from __future__ import annotations

import bz2
import io
import lzma
import os
import sqlite3
import struct
import subprocess
import sys
import tarfile
import textwrap
import time
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from command import as_nobody
from hypothesis import given
from hypothesis import strategies as st
from sources import SCHEMAS, database, gz, mjlog, opened, read, tarred, tenhou6, zipped

from paifu.parsers.errors import DamagedError, InputFault, ParseError
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document, InputLimits, open_document
from paifu.parsers.sources.paths import iter_documents

pytestmark = pytest.mark.every(20)

HELPERS = str(Path(__file__).parents[1] / "helpers")
MIB = 1 << 20


def reasons(*paths: str | Path, **options: object) -> tuple[list[bytes], list[str]]:
    """Sound texts, and the reasons of all faults, found by the source or by a worker."""
    texts: list[bytes] = []
    found: list[str] = []
    for item in iter_documents(paths, **options):  # type: ignore[arg-type]
        if isinstance(item, InputFault):
            found.append(item.reason)
            assert item.location
            assert item.hint
            assert item.code in {"V101", "V102"}
            continue
        try:
            text = open_document(item)
        except DamagedError as error:
            found.append(error.reason)
            texts.append(error.readable)
        except ParseError as error:
            found.append(error.reason)
        else:
            texts.append(text)
    return texts, found


def noise(size: int) -> bytes:
    """A game that does not compress below ``size`` bytes."""
    return mjlog().replace(b"%61", os.urandom(size).hex().encode())


# --- one file, one fault -------------------------------------------------------------------------------

GARBLED = bytearray(gz(mjlog(0, 4000)))
GARBLED[-6] ^= 0xFF  # the checksum

BROKEN = {
    "empty": (b"", "empty"),
    "blank": (b" \n\t\n", "empty"),
    "text": (b"# Notes\n", "not a log"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), "not a log"),
    "only zeros": (bytes(20_000), "not a log"),
    "half a root": (b"<mjlogg", "not a log"),
    "an empty gzip": (gz(b""), "empty"),
    "a gzip of text": (gz(b"hello"), "not a log"),
    "a gzip with nothing but its mark": (b"\x1f\x8b", "cut off"),
    "a gzip cut in its header": (gz(mjlog())[:9], "cut off"),
    "a gzip with a wrong header": (b"\x1f\x8b\x09" + bytes(50), "corrupt"),
    "a gzip with a wrong checksum": (bytes(GARBLED), "corrupt"),
    "bzip2 that is none": (b"BZh9" + bytes(50), "corrupt"),
    "xz that is none": (b"\xfd7zXZ\x00" + bytes(50), "corrupt"),
    "a zip with nothing but its mark": (b"PK\x03\x04", "zip archive is broken"),
    "a zip cut off": (zipped({"a": mjlog()})[:-30], "zip archive is broken"),
    "a tar header alone": (tarred({"a": mjlog()})[:512], "cut off"),
    "gzip in gzip in gzip ...": (gz(gz(gz(gz(gz(gz(gz(mjlog()))))))), "inside each other"),
    "a database in a gzip": (gz(b"SQLite format 3\x00" + bytes(100)), "inside an archive or a pipe"),
    "a database that is none": (b"SQLite format 3\x00" + b"x" * 5000, "cannot be read"),
    "zstd": (b"\x28\xb5\x2f\xfd" + bytes(50), "zstd"),
    "Parquet": (b"PAR1" + bytes(50), "Parquet"),
}


@pytest.mark.parametrize(("data", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_one_row_and_the_rest_goes_on(tmp_path: Path, data: bytes, reason: str) -> None:
    for name, content in {"a": mjlog(1), "b": data, "c": mjlog(2)}.items():
        (tmp_path / name).write_bytes(content)
    texts, (found,) = reasons(tmp_path)
    assert reason in found
    assert texts == [mjlog(1), mjlog(2)]


@pytest.mark.parametrize(("data", "reason"), BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_broken_member_is_one_row_and_the_rest_goes_on(
    tmp_path: Path, pack: Callable[[dict[str, bytes]], bytes], data: bytes, reason: str
) -> None:
    (tmp_path / "x").write_bytes(pack({"a": mjlog(1), "b": data, "c": mjlog(2)}))
    texts, (found,) = reasons(tmp_path / "x")
    assert reason in found or "inside an archive" in found
    assert texts == [mjlog(1), mjlog(2)]


def test_members_that_are_all_broken_are_all_named(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(zipped({f"{n}": b"no log" for n in range(20)}))
    (tmp_path / "y").write_bytes(mjlog())
    documents, faults = read(tmp_path)
    assert [fault.location for fault in faults] == [f"{tmp_path}/x.zip:{n}" for n in range(20)]
    assert [document.location for document in documents] == [f"{tmp_path}/y"]


def test_a_fault_reads_like_a_sentence() -> None:
    fault = InputFault(
        "a.zip:b", "after 17 unpacked bytes", "V101", "the gzip data are cut off", "get it again"
    )
    assert str(fault) == "a.zip:b: after 17 unpacked bytes: V101 the gzip data are cut off (get it again)"
    assert str(InputFault("a", "", "V102", "not a log", "")) == "a: V102 not a log"


# --- sources that break off ----------------------------------------------------------------------------


@given(st.data())
def test_a_small_gzip_cut_anywhere_keeps_what_is_readable(data: st.DataObject) -> None:
    text = b"".join(mjlog(n, 300) for n in range(9))
    whole = data.draw(
        st.sampled_from([gz(text), gz(text[:999]) + gz(text[999:]), bz2.compress(text), lzma.compress(text)])
    )
    cut = data.draw(st.integers(6, len(whole) - 1))
    texts, found = reasons("-", stdin=io.BytesIO(whole[:cut]))
    assert all(text.startswith(part) for text, part in zip([text], texts, strict=False))
    if whole.startswith(b"\x1f\x8b") and gz(text[:999]) == whole[:cut]:
        assert (texts, found) == ([text[:999]], []), "the first member is a whole file"
    else:
        (reason,) = found
        assert "cut off" in reason


@given(st.integers(0, 400), st.integers(1, 255))
def test_a_garbled_gzip_is_taken_exactly_when_zlib_takes_it(at: int, flip: int) -> None:
    data = bytearray(gz(b"".join(mjlog(n, 300) for n in range(9))))
    data[4 + at % (len(data) - 4)] ^= flip  # before that lie the mark and reserved flags, read more kindly
    document = Document("x", bytes(data), Format.MJLOG)
    inflate = zlib.decompressobj(wbits=31)
    try:
        expected = inflate.decompress(data)
    except zlib.error:
        expected = b""
    if inflate.eof:
        assert open_document(document) == expected
    else:
        with pytest.raises(ParseError):
            open_document(document)


@pytest.mark.parametrize(
    "pack", [gz, lambda text: bz2.compress(text, 1), lzma.compress, lambda text: tarred({"m": text}, "w:gz")]
)
def test_a_big_file_cut_off_gives_its_whole_games_and_a_cut_one(pack: Callable[[bytes], bytes]) -> None:
    games = [noise(20_000).replace(b'lobby="0"', b'lobby="%d"' % n) for n in range(40)]
    text = b"".join(games)
    whole = pack(text)
    limits = InputLimits(piece=100_000)
    documents, faults = read("-", stdin=io.BytesIO(whole[: len(whole) // 2]), limits=limits)
    assert [fault.location for fault in faults] == ["<stdin>"]
    assert "cut off" in faults[0].reason
    assert [document.cut for document in documents] == [False] * (len(documents) - 1) + [True]
    assert text.startswith(b"".join(document.data for document in documents))
    assert sum(len(document.data) for document in documents) > len(text) // 4


def test_garbage_behind_a_gzip_is_told_and_the_log_kept(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(gz(mjlog()) + b"garbage")
    assert opened(read(tmp_path / "x")[0]) == [(mjlog(), True, "there is something else after the gzip data")]
    big = noise(300_000)
    (tmp_path / "x").write_bytes(gz(big) + b"garbage")
    documents, faults = read(tmp_path / "x")
    assert [document.data for document in documents] == [big]
    assert ["something else" in fault.reason for fault in faults] == [True]


@given(st.data())
def test_a_tar_cut_anywhere_keeps_all_members_before(data: st.DataObject) -> None:
    logs = [mjlog(n, 700) for n in range(4)]
    whole = tarred({f"{n}": log for n, log in enumerate(logs)})
    cut = data.draw(st.integers(513, len(whole)))
    documents, faults = read("-", stdin=io.BytesIO(whole[:cut]))
    member = 512 + 1024
    complete = [document.data for document in documents if not document.cut]
    assert complete == logs[: len(complete)]
    assert len(complete) >= min(4, cut // member)
    assert all(logs[len(complete)].startswith(document.data) for document in documents if document.cut)
    if cut >= 4 * member + 512:  # the end mark is there
        assert faults == []
    else:
        (fault,) = faults
        assert fault.location == "<stdin>"
        assert "cut off" in fault.reason


@given(st.binary(max_size=40), st.integers(0, 5000))
def test_a_garbled_tar_or_zip_never_does_more_than_lose_itself(junk: bytes, at: int) -> None:
    members = {f"{n}": mjlog(n, 700) for n in range(3)}
    for pack in (tarred, zipped):
        data = bytearray(pack(members))
        data[at : at + len(junk)] = junk
        documents, faults = read("-", stdin=io.BytesIO(bytes(data)))
        assert len(faults) <= 4
        assert len(documents) + len(faults) >= 1


def test_a_failing_disk_gives_what_was_read_and_a_fault() -> None:
    class Failing:
        def __init__(self) -> None:
            self.left = 3

        def read(self, size: int, /) -> bytes:
            self.left -= 1
            if not self.left:
                raise OSError(5, "Input/output error")
            return mjlog()

    documents, (fault,) = read("-", stdin=Failing())
    assert [(document.data, document.cut) for document in documents] == [(mjlog() * 2, True)]
    assert "Input/output error" in fault.reason


# --- archives with an intent ---------------------------------------------------------------------------


def test_zip_members_that_cannot_be_read(tmp_path: Path) -> None:
    data = bytearray(zipped({"a": mjlog(0), "b": mjlog(1), "c": mjlog(2)}))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        crc = struct.pack("<L", archive.getinfo("b").CRC)
    wrong = bytes(data).replace(crc, b"\0\0\0\0")
    encrypted = bytearray(data)
    entry = encrypted.index(b"PK\x01\x02", encrypted.index(b"PK\x01\x02") + 1)
    encrypted[entry + 8] |= 1
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a", mjlog(0))
        archive.writestr("b", mjlog(1), zipfile.ZIP_BZIP2)
        archive.writestr("c", mjlog(2))
    for content, reason in ((wrong, "Bad CRC"), (encrypted, "encrypted"), (buffer.getvalue(), "method 12")):
        (tmp_path / "x.zip").write_bytes(content)
        documents, (fault,) = read(tmp_path / "x.zip")
        assert fault.location == f"{tmp_path}/x.zip:b"
        assert reason in fault.reason
        assert fault.hint
        assert opened(documents) == [(mjlog(0), False, ""), (mjlog(2), False, "")]


def header(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    """A tar header that says what it likes."""
    info = tarfile.TarInfo(name)
    info.size = size
    info.type = kind
    return info.tobuf(tarfile.GNU_FORMAT)


def block(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 512)


END = bytes(1024)
FIRST = header("a", len(mjlog())) + block(mjlog())
PAX_SPARSE = b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n"
HOSTILE_TARS = {
    "more data than there are": header("b", 1 << 60) + b"<mjloggm>",
    "a member of negative size": header("b", -512) + END,
    "no end mark": b"",
    "a broken header": header("b", 3).replace(b"ustar", b"xxxxx") + block(b"abc") + END,
    "something behind the end": END + b"\0" * 5000 + FIRST,
    "a long name of a gigabyte": header("././@LongLink", 1 << 30, tarfile.GNUTYPE_LONGNAME) + bytes(MIB),
    "a pax header of a gigabyte": header("x", 1 << 30, tarfile.XHDTYPE) + bytes(MIB),
    "headers upon headers": 3000 * (header("././@LongLink", 3, tarfile.GNUTYPE_LONGNAME) + block(b"ab\0")),
    "a sparse file": header("b", 512, tarfile.GNUTYPE_SPARSE) + bytes(512) + END,
    "a sparse file without end": header("x", len(PAX_SPARSE), tarfile.XHDTYPE)
    + block(PAX_SPARSE)
    + header("b", 1 << 40)
    + b"9999999999\n" * 100_000,
}


@pytest.mark.parametrize("rest", HOSTILE_TARS.values(), ids=HOSTILE_TARS)
@pytest.mark.parametrize("wrap", [bytes, gz], ids=["tar", "tar.gz"])
def test_a_hostile_tar_is_one_row(rest: bytes, wrap: Callable[[bytes], bytes]) -> None:
    with bounded(seconds=3, memory=30 * MIB):
        texts, found = reasons("-", stdin=io.BytesIO(wrap(FIRST + rest)))
    assert len(found) == 1
    assert texts[0] == mjlog()
    assert len(texts) <= 2


@contextmanager
def bounded(seconds: float, memory: int) -> Iterator[None]:
    """Fails when the block takes longer, or has more Python memory at a time."""
    tracemalloc.start()
    start = time.perf_counter()
    try:
        yield
        used = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert time.perf_counter() - start < seconds
    assert used < memory


def overlapping_zip(members: int, size: int) -> bytes:
    """A zip whose members all share one compressed block, which no honest archive does."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = b"<mjloggm>" + b" " * size
    packed = squeeze.compress(text) + squeeze.flush()
    local = struct.pack(
        "<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 0, zlib.crc32(text), len(packed), len(text), 1, 0
    )
    central = b"".join(
        struct.pack(
            "<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 8, 0, 0,
            zlib.crc32(text), len(packed), len(text), 1, 0, 0, 0, 0, 0, 0,
        )
        + b"a"
        for _ in range(members)
    )  # fmt: skip
    start = len(local) + 1 + len(packed)
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, members, members, len(central), start, 0)
    return local + b"a" + packed + central + tail


def squeezed_zeros(pack: Callable[[], object], size: int) -> bytes:
    """A log that goes on with ``size`` blanks, packed by one of the standard library's compressors."""
    engine = pack()
    parts = [engine.compress(b"<mjloggm>")]  # type: ignore[attr-defined]
    parts += [engine.compress(b" " * MIB) for _ in range(size // MIB)]  # type: ignore[attr-defined]
    return b"".join([*parts, engine.flush()])  # type: ignore[attr-defined]


BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip": lambda: squeezed_zeros(lambda: zlib.compressobj(9, zlib.DEFLATED, 31), 400 * MIB),
    "small gzip": lambda: squeezed_zeros(lambda: zlib.compressobj(9, zlib.DEFLATED, 31), 50 * MIB),
    "bzip2": lambda: squeezed_zeros(bz2.BZ2Compressor, 128 * MIB),
    "xz": lambda: squeezed_zeros(lzma.LZMACompressor, 48 * MIB),
    "gzip in gzip": lambda: gz(gz(b"<mjloggm>" + b" " * 50 * MIB) * 50),
    "zip": lambda: zipped({"a": b"<mjloggm>" + b" " * (100 * MIB)}),
    "zip in zip": lambda: zipped({"a": zipped({"b": b"<mjloggm>" + b" " * (100 * MIB)})}),
    "zip, overlapping": lambda: overlapping_zip(5000, 60_000),
    "tar.gz": lambda: tarred({"a": b"<mjloggm>" + b" " * (100 * MIB)}, "w:gz"),
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_a_decompression_bomb_is_one_row_and_little_memory(tmp_path: Path, bomb: Callable[[], bytes]) -> None:
    (tmp_path / "a").write_bytes(mjlog())
    (tmp_path / "bomb").write_bytes(bomb())
    (tmp_path / "c").write_bytes(mjlog(1))
    with bounded(seconds=15, memory=150 * MIB):
        faults, texts = 0, 0
        for item in iter_documents([tmp_path]):
            if isinstance(item, InputFault):
                faults += 1
                continue
            try:
                open_document(item)
                texts += 1
            except ParseError:
                faults += 1
    assert faults == 1
    assert texts >= 2


@pytest.mark.parametrize("shift", [0, 1, 29, 40, None])
def test_a_zip_whose_members_overlap_is_one_row(tmp_path: Path, shift: int | None) -> None:
    """Overlapping they may hide a bomb; members side by side, in any order of the table, are read.

    One begins so far behind the beginning of another, or (None) in its last byte.
    """
    sound = zipped({f"{n}": mjlog(n, 700) for n in range(3)})
    end = sound.index(b"PK\x01\x02")
    entries = [
        b"PK\x01\x02" + entry for entry in sound[end : sound.index(b"PK\x05\x06")].split(b"PK\x01\x02")[1:]
    ]
    head, tail = sound[:end], sound[sound.index(b"PK\x05\x06") :]
    (tmp_path / "x.zip").write_bytes(head + b"".join(reversed(entries)) + tail)
    documents, faults = read(tmp_path / "x.zip")
    assert (len(documents), faults) == (3, [])
    size, second = struct.unpack("<20xL18xL", entries[1][:46])
    shift = 30 + size - 1 if shift is None else shift
    moved = entries[2][:42] + struct.pack("<L", second + shift) + entries[2][46:]
    (tmp_path / "x.zip").write_bytes(head + entries[0] + entries[1] + moved + tail)
    documents, (fault,) = read(tmp_path / "x.zip")
    assert documents == []
    assert "overlap" in fault.reason


def test_a_zip_with_an_endless_table_of_contents_is_one_row(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(overlapping_zip(3000, 10))
    limits = InputLimits(max_directory=100_000)
    documents, (fault,) = read(tmp_path / "x.zip", limits=limits)
    assert documents == []
    assert "table of contents" in fault.reason


# --- endless texts -------------------------------------------------------------------------------------


class Endless:
    """``head``, then ``filler`` over and over up to ``size`` bytes, then ``tail``; counts what was taken."""

    def __init__(self, head: bytes, filler: bytes, size: int, tail: bytes = b"") -> None:
        self._next = head
        self._filler = filler * (MIB // len(filler))
        self._left = size
        self._tail = tail
        self.taken = 0

    def read(self, size: int, /) -> bytes:
        if not self._next and self._left > 0:
            self._left -= len(self._filler)
            self._next = self._filler
        elif not self._next:
            self._next, self._tail = self._tail, b""
        chunk, self._next = self._next[:size], self._next[size:]
        self.taken += len(chunk)
        return chunk


ENDLESS = {
    "an attribute": (b'<mjloggm ver="', b"x", b'"></mjloggm>' + mjlog(1)),
    "a root without end": (b"<mjloggm>", b"<T1/>", b"</mjloggm>" + mjlog(1)),
    "entities": (b'<!DOCTYPE a [<!ENTITY a "b">]><mjloggm>', b"&a;", b"</mjloggm>" + mjlog(1)),
    "a line": (b'{"log":[', b"1,", b"]}\n" + tenhou6() + b"\n"),
    "nested brackets": (b'{"log":[', b"[", b"\n"),
    "no line break": (b'{"log":[', b" ", b""),
    "many lines that are one document": (b'{"log":[\n', b"1,\n", b""),
}


@pytest.mark.parametrize(("head", "filler", "tail"), ENDLESS.values(), ids=ENDLESS)
def test_an_endless_text_is_one_row_and_little_memory(head: bytes, filler: bytes, tail: bytes) -> None:
    with bounded(seconds=20, memory=200 * MIB):
        documents, faults = read("-", stdin=Endless(head, filler, 60 * MIB, tail))
    (fault,) = faults
    assert "bigger than 32 MiB" in fault.reason
    assert len(documents) <= 1


def test_a_huge_stream_of_games_streams() -> None:
    game = mjlog(0, 15_000) + b"\n"
    with bounded(seconds=30, memory=20 * MIB):
        games = 0
        stream = Endless(game, game, 150 * MIB)
        for item in iter_documents(["-"], stdin=stream):  # type: ignore[arg-type]
            assert isinstance(item, Document)
            assert item.first_index == games
            games += item.data.count(b"</mjloggm>")
    assert games * len(game) == stream.taken > 140 * MIB


def test_what_is_no_log_is_left_after_a_search_of_its_beginning() -> None:
    stream = Endless(b"", b"\0", 1 << 40)
    assert len(read("-", stdin=stream)[1]) == 1
    assert stream.taken <= 4 * MIB


# --- folders -------------------------------------------------------------------------------------------


def test_a_folder_streams(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / f"{number:03}").write_bytes(mjlog(number))
    items = iter_documents([tmp_path])
    first = next(items)
    assert isinstance(first, Document)
    (tmp_path / "150").write_bytes(mjlog(9999))
    assert [b"9999" in item.data for item in items if isinstance(item, Document)].count(True) == 1


def test_odd_things_in_a_folder_are_one_row_each(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(mjlog())
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "b" / "c" / "up").symlink_to("../..")
    (tmp_path / "b" / "c" / "x").write_bytes(mjlog(1))
    (tmp_path / "nowhere").symlink_to("not there")
    (tmp_path / "itself").symlink_to("itself")
    os.mkfifo(tmp_path / "pipe")
    documents, faults = read(tmp_path)
    assert [document.location for document in documents] == [f"{tmp_path}/a", f"{tmp_path}/b/c/x"]
    found = {fault.location.removeprefix(f"{tmp_path}/"): fault.reason for fault in faults}
    assert list(found) == ["b/c/up", "itself", "nowhere", "pipe"]
    assert "leads back" in found["b/c/up"]
    assert "symbolic links" in found["itself"]
    assert "No such file" in found["nowhere"]
    assert "not a regular file" in found["pipe"]


def test_a_file_that_goes_away_is_a_row(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_bytes(mjlog())
    items = iter_documents([tmp_path / "a", tmp_path])
    next(items)
    next(items)
    (tmp_path / "b").unlink()
    rest = list(items)
    assert [isinstance(item, InputFault) for item in rest] == [True, False]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody without permissions")
def test_what_may_not_be_read_is_a_row(tmp_path: Path) -> None:
    for name in ("a", "secret", "z"):
        (tmp_path / name).write_bytes(mjlog())
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "x").write_bytes(mjlog())
    database(tmp_path / "wal.db", "houou-logs", [("x", gz(mjlog()))])
    with closing(sqlite3.connect(tmp_path / "wal.db")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    script = f"""
        import os
        from pathlib import Path
        from paifu.parsers.sources.paths import iter_documents, InputFault
        # Modules that are imported when they are first needed, which nobody may not read:
        from paifu.parsers.sources import archives, databases, patterns
        Path("/").as_uri()
        folder = os.open({str(tmp_path)!r}, os.O_RDONLY)
        os.fchdir(folder)
        os.setuid(65534)
        for item in iter_documents([".", "closed/x"]):
            print(item if isinstance(item, InputFault) else item.location)
    """
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == "root" and folder.is_relative_to("/tmp/pytest-of-root"):  # noqa: S108
            folder.chmod(0o755)
    (tmp_path / "secret").chmod(0)
    (tmp_path / "closed").chmod(0)
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True
    )
    hint = "(allow reading it, for instance with chmod +r)"
    assert done.stdout.splitlines() == [
        "./a",
        f"./closed: V101 cannot be read: Permission denied {hint}",
        f"./secret: V101 cannot be read: Permission denied {hint}",
        "./wal.db:x",
        "./z",
        f"closed/x: V101 cannot be read: Permission denied {hint}",
    ]


# --- databases -----------------------------------------------------------------------------------------


def test_a_locked_database_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paifu.parsers.sources.databases._WAIT", 0.1)
    path = database(tmp_path / "x.db", "houou-logs", [("x", gz(mjlog()))])
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        documents, (fault,) = read(path)
    assert documents == []
    assert "locked" in fault.reason
    assert "copy" in fault.hint


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody without permissions")
def test_a_database_that_cannot_write_its_index_is_read_all_the_same(tmp_path: Path) -> None:
    path = database(tmp_path / "wal.db", "houou-logs", [("x", gz(mjlog()))])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    tmp_path.chmod(0o755)
    with as_nobody(tmp_path):
        documents, faults = read(path)
    assert ([document.location for document in documents], faults) == ([f"{path}:x"], [])


def test_a_corrupt_database_gives_the_rows_before_and_a_row(tmp_path: Path) -> None:
    path = database(tmp_path / "x.db", "phoenix-logs", [(f"{n}", gz(noise(1000))) for n in range(100)])
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 40_000] = b"\xee" * 40_000
    path.write_bytes(data)
    documents, faults = read(path)
    assert 0 < len(documents) < 100
    assert [fault.location for fault in faults] == [str(path)]
    assert "cannot be read" in faults[0].reason


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE TABLE other (x)",
        "CREATE TABLE logs (id, log)",
        "CREATE TABLE t (x); CREATE VIEW logs AS "
        "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) "
        "SELECT id, '<mjloggm/>' AS log, 1 AS is_processed, 0 AS was_error FROM n",
    ],
)
def test_a_database_of_something_else_is_a_row(tmp_path: Path, schema: str) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.executescript(schema)
    documents, (fault,) = read(tmp_path / "x.db")
    assert documents == []
    assert "without a table of logs" in fault.reason
    assert "houou-logs" in fault.hint


@pytest.mark.parametrize("program", SCHEMAS)
def test_broken_rows_are_a_row_each(tmp_path: Path, program: str) -> None:
    log = gz(mjlog())
    rows = [
        ("a\x1b", log),
        ("b", log[:-9]),
        ("c", 17),
        ("d", bytes(9000)),
        ("e", b"text"),
        ("f", log),
        (None, log),
    ]
    path = database(tmp_path / "x.db", program, rows[: 6 if program == "houou-logs" else 7])
    limits = InputLimits(max_document=8000)
    with bounded(seconds=5, memory=20 * MIB):
        documents, faults = read(path, limits=limits)
    assert {fault.location.removeprefix(f"{path}:") for fault in faults} == {"c", "d", "e"}
    names = [document.location.removeprefix(f"{path}:") for document in documents]
    assert names == [r"a\x1b", "b", "f", "None"][: len(names)]
    assert [cut for _, cut, _ in opened(documents)] == [False, True, False, False][: len(names)]
