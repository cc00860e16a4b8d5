"""Work spread over processes: its order, and what becomes of those that nobody waits for any more."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from paifu.parsers.spreading import run
from paifu.parsers.workers import Cluster, interrupts_deferred
from paifu.replay.errors import PaifuError

LONG = 60
PATIENCE = 15


def late(number: int) -> int:
    """The first is done at once."""
    time.sleep(LONG if number else 0)
    return number


def square(number: int) -> tuple[int, int]:
    """With the process that it was computed in."""
    return number * number, os.getpid()


def gone(_number: int) -> int:
    """A worker that ends."""
    os._exit(3)


def test_results_come_in_order_from_other_processes() -> None:
    found = list(run(range(20), square, jobs=2))
    assert [value for value, _ in found] == [number * number for number in range(20)]
    assert os.getpid() not in {process for _, process in found}


@pytest.mark.parametrize(("units", "jobs"), [(20, 1), (1, 2), (0, 2)])
def test_little_is_done_here(units: int, jobs: int) -> None:
    found = list(run(range(units), square, jobs=jobs))
    assert found == [(number * number, os.getpid()) for number in range(units)]


ALIEN = ("json", "pickle", "queue", "random", "socket", "struct", "tempfile")
"""Modules of Python's library that starting a worker imports, among others."""


PROGRAM = """
from paifu.parsers.spreading import run
if __name__ == "__main__":
    print(list(run(range(3), abs, jobs=2)))
"""


def test_workers_import_nothing_from_the_current_folder(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for name in ALIEN:
        (logs / f"{name}.py").write_text(f"open('imported {name}', 'w')\nraise SystemExit")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run([sys.executable, program], cwd=logs, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[0, 1, 2]\n", "")
    assert not list(logs.glob("imported *"))


def _safe_path(_: int) -> str:
    return os.environ.get("PYTHONSAFEPATH", "")


@pytest.mark.parametrize("own", ["", "1"])
def test_what_workers_start_looks_where_it_would_without_them(
    own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONSAFEPATH", own)
    assert list(run(range(2), _safe_path, jobs=2)) == [own, own]
    assert _safe_path(0) == own


def test_workers_end_when_nobody_waits_for_them() -> None:
    before = set(multiprocessing.active_children())
    results = run(range(8), late, jobs=2)
    assert next(iter(results)) == 0
    assert set(multiprocessing.active_children()) - before
    results.close()  # type: ignore[attr-defined]
    until = time.monotonic() + PATIENCE
    while set(multiprocessing.active_children()) - before and time.monotonic() < until:
        time.sleep(0.05)
    assert not set(multiprocessing.active_children()) - before


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="the system holds no signals back")
def test_ctrl_c_is_held_back_only_while_a_worker_starts() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with interrupts_deferred():
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before
    assert signal.SIGINT not in before


def test_a_worker_that_dies_is_told() -> None:
    with pytest.raises(PaifuError, match="a worker process died"):
        list(run(range(4), gone, jobs=2))


@pytest.mark.parametrize(
    ("address", "workers"),
    [("local:1", 1), ("local:1024", 1024), ("tcp://localhost:8786", 0), ("localhost", 0)],
)
def test_addresses_of_clusters(address: str, workers: int) -> None:
    assert Cluster(address).local_workers == workers
