"""How the library of kernels is made: what each process compiles, what is said meanwhile, what can fail."""

from __future__ import annotations

import ctypes
import io
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from paifu.replay.kernels import build, build_progress
from paifu.replay.kernels.build_progress import BuildProgress
from paifu.replay.kernels.running import KERNELS, LIBRARIES, KernelLibrary


@pytest.fixture
def no_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build_progress, "TERMINAL", tmp_path / "none")


MAKE_FEW = """
import sys
from concurrent.futures import Executor, Future
from pathlib import Path
from paifu.replay.kernels import build
from paifu.replay.kernels.meaning import meaning_of
from paifu.replay.kernels.running import LIBRARIES, KernelLibrary

class FewKernels(KernelLibrary):
    def entries(self):
        every = LIBRARIES["replay"].entries()
        return {name: every[name] for name in ("seven_pairs_shanten", "thirteen_orphans_shanten")}

class Here(Executor):  # in this process, for others know all kernels
    def __init__(self, _, mp_context, initializer, initargs):
        initializer(*initargs)

    def submit(self, run, *args):
        done = Future()
        done.set_result(run(*args))
        return done

few = FewKernels(LIBRARIES["replay"].folder)
few.file = Path(sys.argv[1])
build.LIBRARIES = {"replay": few}
build.ProcessPoolExecutor = Here
build.build(["replay"], processes=1)
print(few.sources(), meaning_of(few))
"""


@pytest.mark.full
def test_a_library_is_made_of_what_is_compiled(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="numba compiles the kernels")
    file = tmp_path / "native.bin"
    done = subprocess.run(
        [sys.executable, "-c", MAKE_FEW, str(file)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, start_new_session=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    library = ctypes.CDLL(str(file))
    numbers, answer = (ctypes.c_int64 * 2)(0, 0), (ctypes.c_int64 * 1)()
    for name in ("seven_pairs_shanten", "thirteen_orphans_shanten"):
        entry = LIBRARIES["replay"].entries()[name]
        kinds = len(entry.kinds())
        assert getattr(library, entry.symbol((False,) * kinds))(numbers, numbers, numbers, answer, answer)
        assert answer[0] == entry.function(*numbers[:kinds]) == 13
    symbols = ("paifu_sources", "paifu_meaning")
    named = [bytes((ctypes.c_char * 64).in_dll(library, symbol)).decode() for symbol in symbols]
    assert named == done.stdout.split()
    said = done.stderr.splitlines()
    assert said[0] == "paifu: compiling 2 kernels, some 25 seconds"
    assert said[-1].startswith("paifu: kernels compiled in ")
    assert [path.name for path in tmp_path.iterdir()] == ["native.bin"]


class _Fatal(str):
    """What ends the process that receives it."""

    __slots__ = ()

    def __reduce__(self) -> Any:
        return os._exit, (9,)


@pytest.mark.usefixtures("no_terminal")
def test_a_process_that_dies_ends_the_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    library = KernelLibrary(LIBRARIES["replay"].folder)
    library.file = tmp_path / "native.bin"
    monkeypatch.setattr(build, "LIBRARIES", {"replay": library})
    with pytest.raises(build.BuildError, match="want of memory: 1000 MB are needed"):
        build.build([_Fatal("replay")])
    assert not list(tmp_path.iterdir())


def test_what_an_entry_needs_is_all_that_it_calls() -> None:
    engine, coach = (LIBRARIES[floor].entries() for floor in ("replay", "coach"))
    needed = build.kernels_of([engine["replay_hands"]])
    names = {function.__name__ for function in needed}
    assert {"replay_hands", "discard", "readings_kernel"} <= names
    assert "play_hand" not in names
    assert needed.keys() < build.kernels_of(engine.values()).keys() <= KERNELS.keys()
    shared = build.kernels_of(engine.values()).keys() & build.kernels_of(coach.values()).keys()
    assert {function.__module__.split(".")[1] for function in shared} == {"replay"}


def test_kernels_whose_arrays_lie_apart_are_those_of_the_policy() -> None:
    collecting = pytest.importorskip("paifu.replay.kernels.collecting", reason="numba compiles the kernels")
    needed = build.kernels_of([LIBRARIES["coach"].entries()["find_chances"]])
    assert {function.__name__ for function in needed} >= set(collecting.APART)


@pytest.mark.parametrize(
    ("available", "limit", "used", "processors", "processes"),
    [
        ("8000000", "max", "0", {0, 1, 2, 3, 4}, 4),
        ("8000000", "max", "0", {3}, 1),
        ("1900000", "max", "0", {0, 1}, 1),
        ("8000000", "3000000000", "500000000", {0, 1}, 2),
        ("8000000", "3000000000", "1500000000", {0, 1}, 1),
        ("100000", "max", "0", {0, 1}, 1),
    ],
    ids=["enough", "one processor", "little memory", "a wide limit", "a narrow limit", "next to nothing"],
)
def test_processes_are_as_many_as_memory_allows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, available: str, limit: str, used: str,
    processors: set[int], processes: int,
) -> None:  # fmt: skip
    (tmp_path / "meminfo").write_text(f"MemTotal: 16000000 kB\nMemAvailable: {available} kB\n")
    (tmp_path / "max").write_text(f"{limit}\n")
    (tmp_path / "current").write_text(f"{used}\n")
    monkeypatch.setattr(build, "_MEMORY_FILE", tmp_path / "meminfo")
    monkeypatch.setattr(build, "_LIMITS", (tmp_path / "max", tmp_path / "current"))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: processors)
    assert build.number_of_processes() == processes


def test_another_numba_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="numba compiles the kernels")
    from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen

    from paifu.replay.kernels.collecting import collecting

    before = CPUCodeLibrary.add_ir_module
    monkeypatch.delattr(JITCPUCodegen, "set_env")
    with pytest.raises(build.BuildError, match=r"numba .* has no JITCPUCodegen\.set_env"):
        collecting(print).__enter__()
    assert CPUCodeLibrary.add_ir_module is before


# --- what is said --------------------------------------------------------------------------------------


def test_a_log_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    place, clock = io.StringIO(), iter([0, 4, 11, 14, 21.5, 30])
    monkeypatch.setattr(build_progress.time, "monotonic", lambda: next(clock))
    progress = BuildProgress(place, is_terminal=False)
    progress.begin("compiling")
    for share in (0.1, 0.2, 0.3, 0.4):
        progress.show(share)
    progress.end("compiled")
    assert place.getvalue().splitlines() == [
        "paifu: compiling", "paifu:  20% after 11 s", "paifu:  40% after 22 s", "paifu: compiled in 30 s",
    ]  # fmt: skip


TOLD = """
import os, sys
os.close(os.open(sys.argv[1], os.O_RDWR))  # a session's first terminal is its own
from paifu.replay.kernels.build_progress import BuildProgress, place_to_tell
with place_to_tell() as (place, is_terminal):
    progress = BuildProgress(place, is_terminal)
    progress.begin("compiling")
    progress.show(0.5)
    progress.end("compiled")
"""


def test_the_terminal_shows_it_though_all_output_is_caught() -> None:
    """As pip does it."""
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", TOLD, os.ttyname(theirs)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, start_new_session=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    shown = os.read(ours, 1000).decode()
    assert shown == (
        "\r\npaifu: compiling\r\n\r\033[Kpaifu:  50% after 0 s  \r\033[Kpaifu: compiled in 0 s\r\n"
    )
    os.close(ours)
    os.close(theirs)


def test_without_a_terminal_stderr_has_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TOLD, os.devnull],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, start_new_session=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == ["paifu: compiling", "paifu: compiled in 0 s"]
