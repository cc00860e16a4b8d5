"""Faults from outside: killed, interrupted, a full or read-only disk, two at once, a reader that goes away.

A file is written whole or not at all, what is wrong is told in a line with the next step, and a repeat
finishes the work.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command import MODULE

pytestmark = pytest.mark.every(20)

SAMPLES = Path(__file__).parents[2] / "sample_logs"
ONE_GAME = str(SAMPLES / "formats" / "tonpuu.mjlog")
SOME_GAMES = str(SAMPLES / "formats")

WRITERS = {
    "simulate": (["simulate", "--rules", "tenhou-sanma", "-j", "1", "-o"], ""),
    "import": (["import", ONE_GAME, "-j", "1", "-o"], ""),
    "show": (["show", ONE_GAME, "--html", "-o"], "page.html"),
    "report": (["report", SOME_GAMES, "-j", "1", "-o"], "page.html"),
    "plot": (["plot", "placement", SOME_GAMES, "-j", "1", "-o"], "plot.svg"),
}
"""Command -> how it is called, and the file it writes below the target, if it is a single one."""


def each(names: Iterable[str], *quick: str) -> list[object]:
    """Parameters of which only some are run each time; the others take their time."""
    return [name if name in quick else pytest.param(name, marks=pytest.mark.slow) for name in names]


def interpreted() -> dict[str, str]:
    """An environment in which nothing is compiled, whatever the machine's cache holds."""
    return dict(os.environ)


def start(*arguments: str | Path, **options: object) -> subprocess.Popen[bytes]:
    """Start the command in a process group of its own, as a terminal does."""
    return subprocess.Popen(
        [*MODULE, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env=interpreted(),
        **options,  # type: ignore[call-overload]
    )


def finish(*arguments: str | Path) -> tuple[int, str]:
    """Run the command to its end: status and standard error."""
    process = start(*arguments)
    _, err = process.communicate(timeout=100)
    return process.returncode, err.decode()


def write(command: str, folder: Path) -> tuple[int, str]:
    """Run one of the WRITERS into a folder."""
    arguments, file = WRITERS[command]
    return finish(*arguments, folder / file)


def visible(folder: Path) -> list[str]:
    """What a look into a folder shows, partial files included."""
    found = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
    return sorted(name for name in found if name != ".lock")


def whole(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by name; none may be partial."""
    names = visible(folder)
    assert not [name for name in names if name.endswith(".partial")]
    return {name: (folder / name).read_bytes() for name in names}


# --- killed --------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("command", each(["show", "report", "plot"], "show"))
def test_a_killed_writer_leaves_the_old_file(tmp_path: Path, command: str) -> None:
    arguments, file = WRITERS[command]
    chance = random.Random(command)  # noqa: S311
    target = tmp_path / file
    target.write_bytes(b"old")
    begun = time.monotonic()
    assert write(command, tmp_path / "whole")[0] == 0
    lasts = time.monotonic() - begun
    for _ in range(3):
        process = start(*arguments, target)
        time.sleep(lasts * chance.uniform(0.3, 1.0))
        process.kill()
        process.communicate()
        assert target.read_bytes() in (b"old", (tmp_path / "whole" / file).read_bytes())
    assert write(command, tmp_path)[0] == 0
    assert target.read_bytes() == (tmp_path / "whole" / file).read_bytes()


@pytest.mark.full
def test_a_killed_simulation_leaves_whole_games_and_a_repeat_makes_the_rest(tmp_path: Path) -> None:
    arguments = ["simulate", "--games", "4", "--rules", "tenhou-sanma", "-j", "1", "-o"]
    assert finish(*arguments, tmp_path / "whole")[0] == 0
    expected = whole(tmp_path / "whole")
    assert len(expected) == 4
    process = start(*arguments, tmp_path / "killed")
    while process.poll() is None and not any((tmp_path / "killed").glob("*")):
        time.sleep(0.002)
    process.kill()
    process.communicate()
    kept = {path.name: path.read_bytes() for path in (tmp_path / "killed").glob("[!.]*")}
    assert kept.items() <= expected.items()
    assert finish(*arguments, tmp_path / "killed")[0] == 0
    assert whole(tmp_path / "killed") == expected


# --- disks ---------------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, of 2 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    options = ["-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if os.getuid() != 0 or mount is None or subprocess.run([mount, *options], capture_output=True).returncode:
        pytest.skip("this process may not mount a small file system")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def filled(disk: Path, leaving: int = 0) -> Iterator[None]:
    """Fill a disk but for some bytes."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
        file.truncate(max(0, file.tell() - leaving))
    try:
        yield
    finally:
        ballast.unlink()


@pytest.mark.parametrize("command", each(WRITERS, "import", "simulate", "show"))
def test_a_full_disk(small_disk: Path, command: str) -> None:
    target = small_disk / "out"
    target.mkdir()
    old = WRITERS[command][1] or None
    if old:
        (target / old).write_bytes(b"old")
    with filled(small_disk, leaving=4096):
        status, talk = write(command, target)
        assert status == 2, talk
        assert talk.splitlines()[-1].startswith(f"paifu: cannot write {target}")
        assert talk.endswith(": no space left on device; free some and run it again\n")
        assert not [name for name in visible(target) if name.endswith(".partial")]
        if old:
            assert (target / old).read_bytes() == b"old"
    assert write(command, target)[0] == 0
    assert whole(target)


# --- at once -------------------------------------------------------------------------------------------


def test_two_simulations_at_once_write_the_same_whole_files(tmp_path: Path) -> None:
    arguments = ["simulate", "--games", "2", "--rules", "tenhou-sanma", "-j", "1", "-o"]
    processes = [start(*arguments, tmp_path / "both") for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
    for process in processes:
        process.communicate()
    assert finish(*arguments, tmp_path / "alone")[0] == 0
    assert whole(tmp_path / "both") == whole(tmp_path / "alone")
