"""``paifu verify --watch``: files that are new or changed, files in the making, and the end by Ctrl-C."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from command import MODULE, call

import paifu
from paifu.api.watch import Watching

SAMPLES = Path(__file__).parents[2] / "sample_logs"
SOUND, OTHER = SAMPLES / "formats" / "tonpuu.mjlog", SAMPLES / "formats" / "kokushi.mjlog"
BROKEN = SAMPLES / "broken" / "V207.mjlog"
Step = Callable[[], object]


def put(source: Path, target: Path, *, age: float = 3600) -> None:
    """Copy a file, as if it had been written some time ago."""
    shutil.copyfile(source, target)
    written = time.time() - age
    os.utime(target, (written, written))


def watched(folder: Path, *steps: Step) -> tuple[list[tuple[str, int | None]], Watching]:
    """Return each file that was verified, with its errors (None: gone), when a step is made at each pause."""
    left = iter(steps)

    def wait(_seconds: float) -> None:
        step = next(left, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    files, seen = Watching(folder, wait=wait), list[tuple[str, int | None]]()
    try:
        for one in files:
            seen.append((Path(one.path).name, one.verified.tally.errors if one.verified else None))
    except KeyboardInterrupt:
        return seen, files
    pytest.fail("it never ends by itself")


def nothing() -> None:
    """Let time pass."""


def test_old_files_are_verified_at_once_and_only_once(tmp_path: Path) -> None:
    put(SOUND, tmp_path / "a.mjlog")
    put(BROKEN, tmp_path / "b.mjlog")
    (tmp_path / "README.md").write_text("not a log")
    seen, files = watched(tmp_path, nothing, nothing)
    assert seen == [("a.mjlog", 0), ("b.mjlog", 4)]
    assert (files.tally.games, files.tally.errors) == (2, 4)


def test_a_file_is_verified_when_it_stays_as_it_is(tmp_path: Path) -> None:
    """A log that is written piece by piece is read when it is whole, and not before."""
    whole, log = SOUND.read_bytes(), tmp_path / "a.mjlog"

    def more(share: float) -> Step:
        return lambda: log.write_bytes(whole[: int(share * len(whole))])

    seen, files = watched(tmp_path, more(0.2), more(0.6), more(1), nothing, nothing)
    assert seen == [("a.mjlog", 0)]
    assert files.tally.games == 1


def test_a_changed_file_is_verified_again_and_a_gone_one_forgotten(tmp_path: Path) -> None:
    log = tmp_path / "a.mjlog"
    put(BROKEN, log)
    seen, files = watched(tmp_path, lambda: shutil.copyfile(SOUND, log), nothing, log.unlink, nothing)
    assert seen == [("a.mjlog", 4), ("a.mjlog", 0), ("a.mjlog", None)]
    assert (files.tally.games, files.tally.errors) == (0, 0)


def test_new_folders_are_looked_into_and_a_lost_one_is_waited_for(tmp_path: Path) -> None:
    folder, inner = tmp_path / "logs", tmp_path / "logs" / "inner"
    folder.mkdir()

    def fill() -> None:
        inner.mkdir()
        shutil.copyfile(SOUND, inner / "a.mjlog")

    seen, _ = watched(
        folder, fill, nothing, lambda: shutil.rmtree(folder), nothing, lambda: folder.mkdir(), nothing
    )
    assert [one for one in seen if one[0] == "a.mjlog"] == [("a.mjlog", 0), ("a.mjlog", None)]
    assert ("logs", None) in seen  # a folder that cannot be read is an error only as long as it cannot


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_what_cannot_be_read_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "link.mjlog").symlink_to(tmp_path / "nowhere")
    seen, files = watched(tmp_path, nothing, nothing)
    assert seen == [("link.mjlog", 1)]
    assert files.tally.unreadable == 1


@pytest.mark.parametrize("path", [SOUND, SAMPLES / "no-such-folder"])
def test_only_a_folder_can_be_watched(path: Path) -> None:
    with pytest.raises(paifu.PaifuError):
        Watching(path)
    assert call("verify", path, "--watch").status == 2


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C at the first pause."""

    def stop(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("paifu.api.watch.time.sleep", stop)


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize(("log", "status"), [(SOUND, 0), (BROKEN, 1)])
def test_ctrl_c_ends_with_the_summary_and_the_status_of_the_files(
    tmp_path: Path, log: Path, status: int
) -> None:
    put(log, tmp_path / "a.mjlog")
    result = call("verify", tmp_path, "--watch", "--format", "jsonl")
    assert result.status == status
    assert len(list(map(json.loads, result.text.splitlines()))) == (4 if status else 0)
    assert result.talk[0].startswith("watching ")
    assert result.talk[-1] == ("4 errors" if status else "no errors")
    assert any(line.startswith("checked 1 file: 1 game") for line in result.talk)


@pytest.mark.skipif(sys.platform == "win32", reason="no process there can send Ctrl-C to another alone")
def test_ctrl_c_in_a_terminal_ends_it_well(tmp_path: Path) -> None:
    put(SOUND, tmp_path / "a.mjlog")
    with subprocess.Popen(
        [*MODULE, "verify", str(tmp_path), "--watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "a.mjlog: no errors" in line:
                break
        process.send_signal(signal.SIGINT)
        _out, talk = process.communicate(timeout=30)
    assert process.returncode == 0
    assert talk.splitlines()[-1] == "no errors"
