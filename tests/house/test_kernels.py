"""How kernels run: from the library, compiled now, as plain Python; and how the library is made."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from each_row import each_row

from paifu.replay.kernels import build, codes, meaning, running
from paifu.replay.kernels import shapes as shape_kernels
from paifu.replay.kernels.arrays import F64, I64_2D, U8
from paifu.replay.kernels.meaning import meaning_of
from paifu.replay.kernels.records import Record, cells
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import LIBRARIES, LIBRARY, VECTORS, KernelError, KernelLibrary, pack_of
from paifu.replay.kernels.table_state import TableState

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_logs"

EVERYTHING = """
import hashlib, sys
import numpy as np
from paifu.parsers.read import read_batches
from paifu.coach.judgement.deciding import rows_of_options
from paifu.replay.kernels.running import way
from paifu.replay.table.engine import replay
for batch in read_batches(sys.argv[1:]):
    replayed = replay(batch, review=True)
    tables = (batch.events, batch.hands, batch.wins, replayed.findings, replayed.player_hands,
              replayed.scored_wins, replayed.review.findings)
    digest = hashlib.sha256()
    for table in tables:
        for name, array in table.arrays():
            digest.update(repr((name, array.tolist())).encode())
    for ids, cells in rows_of_options(batch):
        digest.update(ids.tobytes() + cells.tobytes())
    print(way(), len(batch), len(batch.events), digest.hexdigest())
"""


def everything(way: str, *paths: Path, **environment: str) -> list[list[str]]:
    """Read, replay, review and decide in a process of its own: a line for each batch."""
    done = subprocess.run(
        [sys.executable, "-c", EVERYTHING, *map(str, paths)], capture_output=True, text=True,
        env=os.environ | {"PAIFU_KERNELS": way} | environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert {line[0] for line in lines} == {way}
    return [line[1:] for line in lines]


@pytest.mark.full
def test_plain_python_and_the_library_say_the_same() -> None:
    paths = (
        SAMPLES / "formats" / "hanchan.mjlog.gz",
        SAMPLES / "formats" / "sanma.mjlog.gz",
        SAMPLES / "broken",
    )
    found = everything("library", *paths)
    assert found == everything("python", *paths)
    assert sum(int(games) for games, *_ in found) > 20


@pytest.mark.slow
@pytest.mark.corpus
def test_the_corpus_is_the_same_the_three_ways(tmp_path: Path, shared: Path) -> None:
    """Plain Python on a sample; numba and the library on every log."""
    logs = shared / "logs"
    found = everything("library", logs)
    assert found == everything("jit", logs, PAIFU_CACHE_DIR=str(tmp_path))
    assert sum(int(games) for games, *_ in found) > 2000
    some = sorted((logs / "mjlog").rglob("*.mjlog*"))[::200]
    assert everything("library", *some) == everything("python", *some)


# --- which way -----------------------------------------------------------------------------------------


def chosen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], **environment: str
) -> list[str]:
    """The way that a process chooses, and what it says on stderr."""
    monkeypatch.delenv("PAIFU_KERNELS", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return [KernelLibrary(LIBRARIES["replay"].folder).way(), *capsys.readouterr().err.splitlines()]


def test_the_library_is_used_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [library.problem() for library in LIBRARIES.values()] == ["", ""]
    assert chosen(monkeypatch, capsys) == [LIBRARY]


@pytest.mark.parametrize("way", running.WAYS)
def test_a_way_that_is_named_is_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], way: str
) -> None:
    assert chosen(monkeypatch, capsys, PAIFU_KERNELS=way) == [way]


def test_a_way_that_does_not_exist_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "paifu: PAIFU_KERNELS=fast is not one of library, jit, python; it is ignored"
    assert chosen(monkeypatch, capsys, PAIFU_KERNELS="fast") == [LIBRARY, line]


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KernelLibrary:
    """A copy of the engine's kernels, with the library made of them."""
    monkeypatch.delenv("PAIFU_KERNELS", raising=False)
    folder = tmp_path / "replay" / "kernels"
    shutil.copytree(LIBRARIES["replay"].folder, folder, ignore=shutil.ignore_patterns("native.same"))
    return KernelLibrary(folder)


def edited(library: KernelLibrary) -> KernelLibrary:
    """The same with a comment more."""
    with (library.folder / "shapes.py").open("a", encoding="utf-8") as source:
        source.write("# a comment\n")
    return KernelLibrary(library.folder)


@pytest.mark.parametrize(("numba", "slower"), [(True, "numba compiles them"), (False, "100 times slower")])
def test_kernels_that_do_something_else_are_said_in_a_line(
    copied: KernelLibrary, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    numba: bool, slower: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(meaning, "meaning_of", lambda library: "0" * 64)
    monkeypatch.setattr(running, "find_spec", lambda name: object() if numba else None)
    assert edited(copied).way() == "python"
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("paifu: the kernels have changed since they were compiled (to compile them: ")
    assert slower in line


def test_a_comment_makes_no_library_stale(
    copied: KernelLibrary, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    library = edited(copied)
    assert library.sources() != LIBRARIES["replay"].sources()
    assert (library.way(), capsys.readouterr().err) == (LIBRARY, "")
    monkeypatch.setattr(meaning, "meaning_of", lambda library: pytest.fail("it was known"))
    assert KernelLibrary(library.folder).way() == LIBRARY


@pytest.mark.full
def test_what_a_kernel_reads_is_in_its_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    library = LIBRARIES["replay"]
    before = meaning_of(library)
    assert meaning_of(library) == before
    monkeypatch.setattr(codes, "READ_BY_NO_KERNEL", 5, raising=False)
    assert meaning_of(library) == before
    monkeypatch.setattr(codes, "TILE_NOT_HELD", codes.TILE_NOT_HELD + 1)
    assert meaning_of(library) != before


def test_what_takes_long_as_plain_python_is_compiled(
    copied: KernelLibrary, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(meaning, "meaning_of", lambda library: "0" * 64)
    monkeypatch.setattr(running, "find_spec", lambda name: object())
    clock = iter([0.0, 19.0, 30.0, 32.0])
    monkeypatch.setattr(running.time, "monotonic", lambda: next(clock))
    library = edited(copied)
    assert library.way() == "python"
    with library.plainly(), library.plainly():  # a kernel calls another one
        pass
    assert library.way() == "python"
    with library.plainly():
        pass
    assert library.way() == "jit"
    assert capsys.readouterr().err.splitlines()[1] == "paifu: numba compiles the kernels now"


def test_a_library_that_is_not_there_or_none_is_said(
    copied: KernelLibrary, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copied.file.write_bytes(b"no library")
    assert "cannot be loaded" in KernelLibrary(copied.folder).problem()
    shutil.copy(ROOT / "sample_logs" / "README.md", copied.file)
    assert "cannot be loaded" in KernelLibrary(copied.folder).problem()
    copied.file.unlink()
    assert "have not been compiled" in KernelLibrary(copied.folder).problem()


def test_every_source_counts(copied: KernelLibrary) -> None:
    before = copied.sources()
    assert before == LIBRARIES["replay"].sources()
    for name in ("shapes.py", "records.py", "compiling.py"):
        with (copied.folder / name).open("a", encoding="utf-8") as source:
            source.write("\n")
        after = KernelLibrary(copied.folder).sources()
        assert after != before
        before = after


# --- records -------------------------------------------------------------------------------------------


class Sample(Record):
    """One of each kind of field."""

    first: U8 = cells(3)
    number: int
    share: float
    grid: I64_2D = cells(2, 2)
    last: F64 = cells(1)


def test_fields_lie_where_the_layout_says() -> None:
    record = Sample(first=(1, 2, 255), number=-5, share=0.25, grid=7, last=1.5)
    row = record.whole.view(Sample.dtype)[0]
    assert (record.number, record.share) == (-5, 0.25)
    assert (type(record.number), type(record.share)) == (int, float)
    assert row["first"].tolist() == [1, 2, 255]
    assert (row["number"], row["share"], row["last"].tolist()) == (-5, 0.25, [1.5])
    assert row["grid"].tolist() == [[7, 7], [7, 7]]
    record.number, record.share = 1 << 62, -1e300
    record.grid[1, 0] = 3
    assert (row["number"], row["share"], row["grid"][1, 0]) == (1 << 62, -1e300, 3)


def test_a_record_is_cleared_and_copied_as_a_whole() -> None:
    record, other = Sample(first=9, number=8, share=7.0, grid=6, last=5.0), Sample()
    other.whole[:] = record.whole
    assert other == record
    assert list(map(np.ndarray.tolist, (other.first, other.grid, other.last))) == [
        [9] * 3,
        [[6, 6]] * 2,
        [5.0],
    ]
    record.whole[:] = 0
    assert record == Sample() != other
    assert pickle.loads(pickle.dumps(other)) == other  # noqa: S301


@pytest.mark.parametrize("name", ["first", "grid"])
def test_an_array_field_cannot_be_replaced(name: str) -> None:
    """Its cells would lie elsewhere, and compiled code would not see them."""
    with pytest.raises(AttributeError, match="no setter"):
        setattr(Sample(), name, np.zeros(3))


def test_a_field_has_the_dimensions_of_its_annotation() -> None:
    with pytest.raises(TypeError, match="2 dimensions has the shape"):

        class _Wrong(Record):
            grid: I64_2D = cells(4)


@pytest.mark.parametrize(
    "kind", [TableState, KernelRules, shape_kernels.ShapeTables], ids=lambda kind: kind.__name__
)
def test_no_two_fields_overlap(kind: type[Record]) -> None:
    record = kind()
    for name in kind.fields():
        record.whole[:] = 0
        if isinstance(getattr(record, name), np.ndarray):
            getattr(record, name)[...] = 1
        else:
            setattr(record, name, 1)
        others = [getattr(record, other) for other in kind.fields() if other != name]
        assert not any(np.any(value) for value in others), name


# --- the way in ----------------------------------------------------------------------------------------


@each_row(
    ("kind", "value", "message"),
    [
        (U8, np.zeros(3, np.int64), "an array of 1 dimensions of uint8"),
        (U8, np.zeros((3, 3), np.uint8), "an array of 1 dimensions of uint8"),
        (U8, np.zeros(6, np.uint8)[::2], "in C's order"),
        (U8, [1, 2], "an array of 1 dimensions of uint8"),
        (TableState, Sample(), "a TableState was expected"),
        (TableState, None, "a TableState was expected"),
    ],
    ids=["other items", "more dimensions", "with gaps", "a list", "another record", "nothing"],
)
def test_what_a_kernel_does_not_take_is_refused(kind: object, value: object, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        pack_of(kind)(value, [])


def test_an_array_that_may_not_be_written_to_is_refused() -> None:
    fixed = np.zeros(3, np.uint8)
    fixed.flags.writeable = False
    with pytest.raises(TypeError, match="writable"):
        pack_of(U8)(fixed, [])


def test_arguments_by_name_and_in_order_are_the_same() -> None:
    assert shape_kernels.seven_pairs_shanten(0, forms=0) == shape_kernels.seven_pairs_shanten(0, 0) == 13
    assert shape_kernels.seven_pairs_shanten.bound(0, forms=0)() == 13
    with pytest.raises(TypeError):
        shape_kernels.seven_pairs_shanten(0)  # type: ignore[call-arg]


def test_every_entry_is_in_the_library() -> None:
    symbols = [
        (library, entry.symbol(without))
        for library in LIBRARIES.values()
        for entry in library.entries().values()
        for without in entry.versions()
    ]
    assert len(symbols) > 20
    assert (LIBRARIES["replay"], "paifu_replay_hands_without_desk") in symbols
    for library, symbol in symbols:
        getattr(library.loaded(), symbol)


# --- the library ---------------------------------------------------------------------------------------

EVERY_LIBRARY = pytest.mark.parametrize("floor", LIBRARIES)


@EVERY_LIBRARY
def test_it_runs_on_an_old_processor(floor: str) -> None:
    """No instruction of AVX or later: those begin with v, and nothing else of the baseline does.

    tzcnt is none of them: an old processor reads bsf, which answers the same for what is not 0.
    Only the versions of entries for some processors' vectors, and what these call, have some.
    """
    if not shutil.which("objdump"):
        pytest.skip("objdump, which comes with compilers, is not there to look into the library")
    text = subprocess.run(
        ["objdump", "-d", str(LIBRARIES[floor].file)], capture_output=True, text=True, check=True
    ).stdout
    functions = re.split(r"^[0-9a-f]+ <(?=.*>:$)", text, flags=re.MULTILINE)
    of_some = rf".*[._](?:{'|'.join(VECTORS)}).*>:\n"
    plain = "".join(one for one in functions if not re.match(of_some, one))
    used = set(re.findall(r"^ +[0-9a-f]+:\t[0-9a-f ]+\t([a-z]\w*)", plain, re.MULTILINE))
    assert len(used) > 50
    if "x86-64" in text:
        beyond = "andn bextr blsi blsr bzhi lzcnt mulx pdep pext rorx sarx shlx shrx movbe"
        assert not {name for name in used if name.startswith("v")} - {"verr", "verw"}
        assert not used & set(beyond.split())


@EVERY_LIBRARY
def test_it_needs_nothing_but_the_language_s_own_libraries(floor: str) -> None:
    if not shutil.which("nm"):
        pytest.skip("nm, which comes with compilers, is not there to look into the library")
    listed = subprocess.run(
        ["nm", "-D", "--undefined-only", str(LIBRARIES[floor].file)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    needed = {line.split()[-1].partition("@")[0] for line in listed.splitlines() if line.split()[-2] == "U"}
    assert needed <= {"exp", "log", "pow", "memcpy", "memmove", "memset"}


def test_without_a_compiler_the_build_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(build, "find_spec", lambda name: None)
    monkeypatch.setattr(build, "LIBRARIES", {"replay": KernelLibrary(tmp_path)})
    with pytest.raises(build.BuildError) as error:
        build.build(["replay"])
    assert str(error.value).splitlines() == [
        "no C compiler was found to link the kernels with", "install gcc or clang, or: pip install ziglang",
    ]  # fmt: skip
    assert not list(tmp_path.iterdir())


def test_without_a_system_s_compiler_zig_links(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(build, "find_spec", lambda name: object())
    assert build.linker_command() == [sys.executable, "-m", "ziglang", "cc"]


def test_a_library_that_is_up_to_date_is_not_made_again() -> None:
    before = [library.file.stat().st_mtime_ns for library in LIBRARIES.values()]
    assert build.build() is False
    assert [library.file.stat().st_mtime_ns for library in LIBRARIES.values()] == before


@pytest.mark.full
def test_a_failure_of_checked_kernels_is_an_error(tmp_path: Path) -> None:
    """NUMBA_BOUNDSCHECK=1 finds an index out of range, or comparisons with it would show nothing."""
    script = (
        "import numpy as np\n"
        "from paifu.replay.kernels.arrays import I64\n"
        "from paifu.replay.kernels.running import entry, kernel\n"
        "@kernel\n"
        "def third(numbers: I64) -> int:\n"
        "    return int(numbers[3])\n"
        "@entry\n"
        "def ask(numbers: I64) -> int:\n"
        "    return third(numbers)\n"
        "ask(np.zeros(2, np.int64))\n"
    )
    path = tmp_path / "script.py"
    path.write_text(script, "utf-8")
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True,
        env=os.environ | {"PAIFU_KERNELS": "jit", "NUMBA_BOUNDSCHECK": "1", "PAIFU_CACHE_DIR": str(tmp_path)},
    )  # fmt: skip
    assert f"{KernelError.__name__}: a compiled kernel failed" in done.stderr


def test_compiled_entries_have_names_of_their_own() -> None:
    """numba numbers the functions of each process alike."""
    from paifu.replay.kernels.compiling import compiled
    from paifu.replay.kernels.shapes import seven_pairs_shanten, thirteen_orphans_shanten

    for one in (seven_pairs_shanten, thirteen_orphans_shanten):
        without = one.versions()[0]
        assert f"way_in_{one.symbol(without)}" in compiled(one, without).native_name
