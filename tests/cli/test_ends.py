"""How commands end that are killed or interrupted: no process outlives them, and nothing complains."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

import pytest
from builders import game
from command import MODULE

MARK = "PAIFU_TEST_OF_ENDS"
PATIENCE = 30
pytestmark = [
    pytest.mark.skipif(
        not Path("/proc/self/environ").exists(), reason="this system does not list processes in /proc"
    ),
    pytest.mark.every(20),
]
COMMANDS = {
    "busy workers": ("simulate --games 1000000 --players wild -o OUT -j2", 4),
    "idle workers": ("fair LOGS - -j2", 4),
}
"""Commands that have no end, or wait for standard input, and how many processes each has."""


def processes(mark: str) -> set[int]:
    """Those that were started with a mark, or by such as were."""
    found = set()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            is_dead = (path / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
            if not is_dead and f"{MARK}={mark}".encode() in (path / "environ").read_bytes().split(b"\0"):
                found.add(int(path.name))
        except OSError:
            continue
    return found


def wait(mark: str, least: int, most: int) -> int:
    """Wait until that many processes are there; returns how many are."""
    until = time.monotonic() + PATIENCE
    while not least <= (number := len(processes(mark))) <= most and time.monotonic() < until:
        time.sleep(0.02)
    return number


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small games that make three units."""
    folder = tmp_path_factory.mktemp("logs")
    for number in range(1100):
        (folder / f"{number:04}").write_bytes(game(number, hands=1))
    return folder


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("number", "is_for_all", "says"),
    [
        (signal.SIGTERM, False, b""), (signal.SIGKILL, False, b""), (signal.SIGTERM, True, b""),
        (signal.SIGHUP, True, b""), (signal.SIGINT, True, b"\ninterrupted\n"),
        (signal.SIGINT, False, b"\ninterrupted\n"),
    ],
)  # fmt: skip
def test_nothing_is_left_and_nothing_complains(
    tmp_path: Path, logs: Path, command: str, number: signal.Signals, is_for_all: bool, says: bytes
) -> None:
    if number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip("hangups are ignored here, as under nohup, and what is started inherits that")
    text, due = COMMANDS[command]
    named = {"OUT": str(tmp_path / "out"), "LOGS": str(logs)}
    words = [named.get(word, word) for word in text.split()]
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        [*MODULE, *words], start_new_session=True, env=os.environ | {MARK: mark},
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert wait(mark, due, 99) >= due
        time.sleep(0.3)
        (os.killpg if is_for_all else os.kill)(process.pid, number)
        process.wait(PATIENCE)
        assert wait(mark, 0, 0) == 0
        assert process.stderr is not None
        assert process.stderr.read() == says
    finally:
        for left in processes(mark):
            os.kill(left, signal.SIGKILL)
        process.communicate()


LOST = """\
import signal, sys, time
import paifu.cli.__main__
from paifu.__main__ import main

class Interrupted:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

def work():
    Interrupted()
    try:
        time.sleep(30)
    except KeyboardInterrupt:
        print("heard", end="")
    return 0

paifu.cli.__main__.main = work
sys.exit(main())
"""


def test_ctrl_c_is_heard_wherever_it_comes() -> None:
    done = subprocess.run([sys.executable, "-c", LOST], capture_output=True, timeout=PATIENCE)
    assert (done.stdout, done.stderr, done.returncode) == (b"heard", b"", 0)


def test_ctrl_c_while_modules_are_imported_just_ends(tmp_path: Path) -> None:
    """One of them is a slow one here."""
    (tmp_path / "click.py").write_text("import time\nprint('now', flush=True)\ntime.sleep(60)\n")
    process = subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
         "from paifu.__main__ import main\nsys.exit(main())"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == b"now\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=PATIENCE) == (b"", b"")
    assert process.returncode == -signal.SIGINT


def test_a_bug_in_a_worker_says_where_it_is() -> None:
    from paifu.parsers.spreading import run

    with pytest.raises(ZeroDivisionError) as caught:
        list(run([3, 0, 1], _inverse, jobs=2))
    assert "in _inverse" in "".join(caught.value.__notes__)
    assert threading.active_count() < 20


def test_an_error_that_cannot_travel_is_told_all_the_same() -> None:
    from paifu.parsers.spreading import run

    with pytest.raises(RuntimeError, match="what holds a lock"):
        list(run([3, 0, 1], _locked, jobs=2))


def _locked(_number: int) -> None:
    raise ValueError("what holds a lock", threading.Lock())


def _inverse(number: int) -> float:
    return 1 / number
