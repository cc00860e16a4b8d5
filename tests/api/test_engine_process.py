"""Engines in processes of their own: nothing that they do stops this one, and none outlives it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from itertools import repeat
from pathlib import Path

import pytest
from command import MODULE

from paifu.parsers.mjai import process as process_module
from paifu.parsers.mjai.answers import NonsenseError, chosen
from paifu.parsers.mjai.process import EngineError, EngineProcess
from paifu.replay.model.events import EventKind
from paifu.replay.model.tile_notation import parse_tile

pytestmark = pytest.mark.every(20)

BAD = Path(__file__).parents[1] / "helpers" / "bad_engine.py"
LOG = Path(__file__).parents[2] / "sample_logs" / "formats" / "overtime.mjlog.gz"


def ids_of(mark: str) -> list[int]:
    """Return the processes whose command lines name ``mark``."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if mark.encode() in words and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def test_nobody_listens_any_more_to_an_engine_that_floods_once_it_is_closed() -> None:
    before = threading.active_count()
    process = EngineProcess([sys.executable, str(BAD), "flood"], timeout=5)
    assert process.receive()
    process.close()
    end = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_nobody_waits_for_an_engine_that_reads_nothing() -> None:
    """A pipe holds some kilobytes; what is more has to be read."""
    process = EngineProcess([sys.executable, str(BAD), "deaf"], timeout=0.05)
    try:
        with pytest.raises(EngineError, match=r"did not read what it was told within 0\.5 s"):
            process.send(b"x" * 1_000_000)
    finally:
        process.close()


def test_a_line_without_an_end_is_told_whenever_it_comes() -> None:
    process = EngineProcess([sys.executable, str(BAD), "endless"], timeout=20)
    try:
        with pytest.raises(EngineError, match="longer than"):
            any(process.send(b"[]\n") for _ in repeat(None))
    finally:
        process.close()


HAS_PROC = pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")


@HAS_PROC
@pytest.mark.parametrize("is_hidden", [False, True])
def test_what_an_engine_left_in_another_session_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch, is_hidden: bool
) -> None:
    """It is ended or, where it cannot be found, left alone."""
    mark = f"mark-{os.getpid()}-orphan"
    with monkeypatch.context() as patched:
        if is_hidden:
            patched.setattr(process_module, "_marked", lambda marks: [])
        process = EngineProcess([sys.executable, str(BAD), "orphan", mark], timeout=5)
        process.send(b"{}\n")
        assert process.receive() == b'{"type":"none"}\n'
        begin = time.monotonic()
        process.close()
        assert time.monotonic() - begin < 60
    left = ids_of(mark)
    assert bool(left) == is_hidden
    for number in left:
        os.kill(number, signal.SIGKILL)


@HAS_PROC
@pytest.mark.parametrize("whom", ["kill", "killpg"])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("way", ["with-child", "orphan"])
def test_no_engine_outlives_the_review(way: str, name: str, whom: str) -> None:
    """``whom`` a signal reaches: this process alone, or all of a terminal."""
    if name == "SIGHUP" and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        pytest.skip("hangups are ignored here, as under nohup, and what is started inherits that")
    mark = f"mark-{os.getpid()}-{way}-{name}-{whom}"
    command = f"{sys.executable} {BAD} {way} {mark}"
    process = subprocess.Popen(
        [*MODULE, "review", str(LOG), "--engine", command, "-j", "2"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        assert wait_for(lambda: len(ids_of(mark)) > 3)
        time.sleep(0.5)
        getattr(os, whom)(process.pid, getattr(signal, name))
        assert process.wait(30) != 0
        assert wait_for(lambda: not ids_of(mark)), ids_of(mark)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


STARTED_TOO_LATE = """
import os, signal, subprocess, sys, threading
from paifu.parsers.mjai.process import EngineProcess, ending_well

class Slow(subprocess.Popen):
    def __init__(self, *arguments, **words):
        super().__init__(*arguments, **words)
        if words.get("start_new_session"):
            os.kill(os.getpid(), signal.SIGTERM)
            for turn in range(100_000):  # the signal is dealt with between two of these
                pass

subprocess.Popen = Slow
with ending_well():
    EngineProcess([sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1]], timeout=300)
    threading.Event().wait(60)
"""


@HAS_PROC
def test_an_engine_that_starts_while_the_review_ends_ends_too() -> None:
    mark = f"mark-{os.getpid()}-late"
    assert subprocess.run([sys.executable, "-c", STARTED_TOO_LATE, mark], check=False).returncode == 143
    assert wait_for(lambda: not ids_of(mark)), ids_of(mark)


def wait_for(is_so: object, seconds: float = 60) -> bool:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_so():  # type: ignore[operator]
            return True
        time.sleep(0.1)
    return False


# --- answers --------------------------------------------------------------------------------------------

ANSWERS = [
    ({"type": "none"}, None, None),
    ({"type": "hora", "actor": 1, "target": 0, "pai": "1m"}, EventKind.WIN, None),
    ({"type": "ryukyoku"}, EventKind.HAND_DRAW, None),
    ({"type": "dahai", "actor": 1, "pai": "5mr", "tsumogiri": True}, EventKind.DISCARD, parse_tile("0m")),
    ({"type": "reach", "actor": 1}, EventKind.RIICHI, None),
    ({"type": "nukidora", "actor": 1, "pai": "N"}, EventKind.KITA, None),
    ({"type": "ankan", "actor": 1, "consumed": ["5p", "5p", "5p", "5pr"]}, EventKind.ANKAN, parse_tile("5p")),
    ({"type": "kakan", "pai": "5sr", "consumed": ["5s"] * 3}, EventKind.KAKAN, parse_tile("5s")),
    ({"type": "chi", "pai": "1m", "consumed": ["2m", "3m"]}, EventKind.CHI, parse_tile("1m")),
    ({"type": "pon", "pai": "1m", "consumed": ["1m", "1m"]}, EventKind.PON, None),
]


@pytest.mark.parametrize(("answer", "kind", "tile"), ANSWERS, ids=[str(row[0]["type"]) for row in ANSWERS])
def test_answers_are_read(answer: object, kind: EventKind | None, tile: int | None) -> None:
    found = chosen(answer, 1)
    assert (found.kind, found.tile) == (kind, tile)


@pytest.mark.parametrize(
    "answer",
    [
        None, 5, [], {}, {"type": 3}, {"type": "dahai"}, {"type": "dahai", "pai": "?"},
        {"type": "dahai", "pai": "9z"}, {"type": "dahai", "pai": "1m", "actor": 2}, {"type": "ankan"},
        {"type": "chi", "pai": "1m", "consumed": 4}, {"type": "pon", "pai": "1m", "consumed": ["1m"] * 9},
        {"type": "tsumo", "pai": "1m"},
    ],
)  # fmt: skip
def test_nonsense_is_told_apart(answer: object) -> None:
    with pytest.raises(NonsenseError):
        chosen(answer, 1)
