"""Faults from outside: killed, interrupted, a full or read-only disk, two at once, a reader that goes away.

A file is written whole or not at all, what is wrong is told in a line with the next step, and a repeat
finishes the work.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from builders import game
from command import MODULE

from paifu.parsers.dataset.shards import iter_shards, read_facts
from paifu.parsers.read import read_batches
from paifu.parsers.sources.paths import is_dataset
from paifu.replay.model.batch import Batch
from paifu.reports.metrics.records import RECORD_TABLES

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


SLOW_IMPORT = """
import sys
import paifu.parsers.dataset_import
from paifu.cli.__main__ import main
paifu.parsers.dataset_import.SHARD_ITEMS = 4
if __name__ == "__main__":
    sys.exit(main(["import", sys.argv[1], "-o", sys.argv[2], "--jobs", sys.argv[3]]))
"""


@pytest.fixture
def slow_import(tmp_path: Path) -> list[str]:
    """A command that imports in many small steps, with facts; to be followed by logs, dataset and jobs."""
    script = tmp_path / "slow_import.py"
    script.write_text(SLOW_IMPORT)
    return [sys.executable, str(script)]


def tables(dataset: Path) -> list[object]:
    """All that a dataset tells, facts included."""
    shards = list(iter_shards(dataset))
    facts = [read_facts(shard, RECORD_TABLES) for shard in shards]
    return [Batch.concatenate(read_batches([dataset])), facts, len(shards)]


def assert_same(one: Path, other: Path) -> None:
    batch, facts, shards = tables(one)
    expected, expected_facts, expected_shards = tables(other)
    assert isinstance(batch, Batch)
    assert batch.differences(expected) == []  # type: ignore[arg-type]
    assert shards == expected_shards
    for made, due in zip(facts, expected_facts, strict=True):  # type: ignore[call-overload]
        assert all(made[name].equals(due[name]) for name in due)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_an_import_with_facts_killed_at_random_is_finished_by_a_repeat(
    tmp_path: Path, slow_import: list[str], jobs: str
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number, path in enumerate(sorted((SAMPLES / "scenarios").iterdir())[:40]):
        shutil.copy(path, logs / f"{number:02}.mjlog")
    command = [*slow_import, str(logs)]
    assert subprocess.run([*command, str(tmp_path / "whole"), "1"], env=interpreted()).returncode == 0
    chance = random.Random(jobs)  # noqa: S311
    kills = 0
    for _ in range(5):
        process = subprocess.Popen(
            [*command, str(tmp_path / "ds"), jobs],
            env=interpreted(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None and not any((tmp_path / "ds").glob("games/*")):
            time.sleep(0.002)
        time.sleep(chance.random() * 0.3)
        kills += process.poll() is None
        process.kill()
        process.wait()
        if is_dataset(tmp_path / "ds"):
            assert len(Batch.concatenate(read_batches([tmp_path / "ds"]))) >= 0
    assert kills, "every import was done before it was killed"
    done = subprocess.run([*command, str(tmp_path / "ds"), jobs], env=interpreted())
    assert done.returncode == 0
    whole(tmp_path / "ds")
    assert_same(tmp_path / "ds", tmp_path / "whole")


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


@pytest.mark.parametrize("command", each(WRITERS, "import"))
def test_a_disk_that_is_read_only(small_disk: Path, command: str) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    status, talk = write(command, small_disk / "out")
    assert status == 2, talk
    assert talk.splitlines()[-1].startswith(f"paifu: cannot write {small_disk / 'out'}")
    assert talk.endswith("read-only file system; name another place\n")


COMMANDS = {
    "verify": ["verify", ONE_GAME, "-f", "json"],
    "review": ["review", ONE_GAME, "-f", "json"],
    "stats": ["stats", ONE_GAME, "--all"],
    "danger": ["danger", ONE_GAME],
    "show": ["show", SOME_GAMES, "--color", "always"],
    "score": ["score", "123m456p789s1122z", "-f", "json"],
    "rules": ["rules", "show", "tenhou"],
    "explain": ["explain"],
}
"""Commands that print."""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", each(["verify", "stats", "rules"], "verify"))
def test_standard_output_on_a_full_disk(command: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*MODULE, *COMMANDS[command]], stdout=full, stderr=subprocess.PIPE, env=interpreted(), timeout=60
        )
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[-1] == (
        "paifu: no space left on device; free some and run it again"
    )


# --- at once -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_imports_at_once_do_not_mix(tmp_path: Path, slow_import: list[str], number: int) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for index in range(40):
        (logs / f"{index:02}.mjlog").write_bytes(game(index))
    command = [*slow_import, str(logs), str(tmp_path / "ds"), "1"]
    processes = [
        subprocess.Popen(command, env=interpreted(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(number)
    ]
    talks = [process.communicate(timeout=100)[1].decode() for process in processes]
    statuses = [process.returncode for process in processes]
    assert 0 in statuses
    for status, talk in zip(statuses, talks, strict=True):
        assert status == 0 or (status, "another import is writing to it; wait for it to end" in talk) == (
            2,
            True,
        )
    batch = Batch.concatenate(read_batches([tmp_path / "ds"]))
    assert batch.games.lobby.tolist() == [str(index) for index in range(40)]
    whole(tmp_path / "ds")


def test_two_simulations_at_once_write_the_same_whole_files(tmp_path: Path) -> None:
    arguments = ["simulate", "--games", "2", "--rules", "tenhou-sanma", "-j", "1", "-o"]
    processes = [start(*arguments, tmp_path / "both") for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
    for process in processes:
        process.communicate()
    assert finish(*arguments, tmp_path / "alone")[0] == 0
    assert whole(tmp_path / "both") == whole(tmp_path / "alone")


# --- signals -------------------------------------------------------------------------------------------


INTERRUPTED = (130, -signal.SIGINT)
"""Python takes its own life where the interrupt hit code that was made from a text, as in dataclasses; to a
shell both are 130."""


@pytest.mark.parametrize("command", each(["verify", "stats", "import", "simulate", "report"], "verify"))
def test_an_interrupted_command_ends_at_once_and_says_so(tmp_path: Path, command: str) -> None:
    logs = [str(SAMPLES / "games")] * 240
    if command == "import":  # it passes over what it knows
        logs = [str(tmp_path / "logs")]
        (tmp_path / "logs").mkdir()
        for number in range(4000):
            (tmp_path / "logs" / f"{number}.mjlog").write_bytes(game(number))
    arguments = {
        "verify": ["verify", *logs, "-j", "2"],
        "stats": ["stats", *logs, "-j", "2"],
        "import": ["import", *logs, "-j", "2", "-o", str(tmp_path / "ds")],
        "simulate": ["simulate", "--games", "500", "-j", "2", "-o", str(tmp_path / "games")],
        "report": ["report", *logs, "-j", "2", "-o", str(tmp_path / "report.html")],
    }[command]
    delays, unborn = [0.4, 1.0, 2.2], 0
    for delay in delays:
        process = start(*arguments)
        time.sleep(delay)
        assert process.poll() is None, process.communicate()
        os.killpg(process.pid, signal.SIGINT)
        begun = time.monotonic()
        _, err = process.communicate(timeout=30)
        assert process.returncode in INTERRUPTED, err.decode()
        assert time.monotonic() - begun < 5
        if "EOFError: Ran out of input" in err.decode() and unborn < 2:
            # Python itself says so of a worker that was being started just then; on a busy machine it may be.
            unborn += 1
            delays.append(delay)
            continue
        assert err.decode().splitlines()[-1] == "interrupted"
        assert "Traceback" not in err.decode()
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize("command", each(COMMANDS, "review", "show"))
def test_a_reader_that_goes_away_ends_a_command_quietly(command: str) -> None:
    process = start(*COMMANDS[command])
    assert process.stdout is not None
    process.stdout.read(1)
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(60) in (0, 1)
    assert "Traceback" not in err
    assert "roken pipe" not in err
