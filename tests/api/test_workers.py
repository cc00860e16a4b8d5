"""Work spread over processes: its order, and what becomes of those that nobody waits for any more."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from paifu.parsers import spreading
from paifu.parsers.dataset.entries import InputItem
from paifu.parsers.errors import InputFault, ParseError, WorkerDiedError
from paifu.parsers.spreading import default_jobs, run
from paifu.parsers.workers import interrupts_deferred

LONG = 60
PATIENCE = 15


def late(number: int) -> int:
    """The first is done at once."""
    time.sleep(LONG if number else 0)
    return number


def square(number: int) -> tuple[int, int]:
    """With the process that it was computed in; that of 0 comes late."""
    time.sleep(0 if number else 0.2)
    return number * number, os.getpid()


def fail(number: int) -> int:
    raise ParseError(f"unit {number}")


def gone(_number: int) -> int:
    """A worker that ends."""
    os._exit(3)


def test_results_come_in_order_from_other_processes() -> None:
    found = list(run(range(20), square, jobs=2))
    assert [value for value, _ in found] == [number * number for number in range(20)]
    workers = {process for _, process in found}
    assert os.getpid() not in workers
    assert len(workers) <= 2


def test_only_a_few_units_are_taken_ahead() -> None:
    units = iter(range(240))
    results = run(units, square, jobs=2)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert next(units) <= 6


def test_what_a_worker_raises_is_raised_here() -> None:
    with pytest.raises(ParseError, match="unit 0"):
        list(run(range(12), fail, jobs=2))


def test_the_number_of_jobs_is_that_of_the_processors_one_may_use() -> None:
    assert 1 <= default_jobs() <= (os.cpu_count() or 1)


@pytest.mark.parametrize(("units", "jobs"), [(20, 1), (1, 2), (0, 2)])
def test_little_is_done_here(units: int, jobs: int) -> None:
    found = list(run(range(units), square, jobs=jobs))
    assert found == [(number * number, os.getpid()) for number in range(units)]


def busy(seconds: float) -> int:
    """The process, after so much work."""
    begun = time.process_time()
    while time.process_time() < begun + seconds:
        pass
    return os.getpid()


@pytest.mark.parametrize(
    ("units", "here"),
    [
        ([0.0] * 30, 30),  # nothing is saved
        ([0.3, 0.0, 0.0, 0.0], 4),  # the first takes longer, and half of three times as much is not enough
        ([0.3] * 2, 2),
        ([0.3] * 5, 1),
        ([0.1] + [0.15] * 12, 2),
    ],
)
def test_without_a_number_workers_start_where_they_save_time(
    units: list[float], here: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spreading, "default_jobs", lambda: 2)
    monkeypatch.setattr(spreading, "START", 0.5)
    processes = list(run(units, busy, jobs=None))
    assert len(processes) == len(units)
    assert processes[:here] == [os.getpid()] * here
    assert os.getpid() not in processes[here:]


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
    with pytest.raises(WorkerDiedError, match=r"a worker process died.*try fewer --jobs"):
        list(run(range(4), gone, jobs=2))


# --- workers that are killed over input ----------------------------------------------------------------


def items(count: int, *deadly: int) -> list[InputItem]:
    """Faults, each of which stands for a file; some are deadly."""
    return [
        InputFault(f"{number}", "", "V101", "deadly" if number in deadly else "", "")
        for number in range(count)
    ]


def killed(unit: list[InputItem]) -> list[str]:
    """The reasons of a unit; whoever reads a deadly one is killed."""
    reasons = [item.reason for item in unit if isinstance(item, InputFault)]
    if "deadly" in reasons:
        signal.raise_signal(signal.SIGKILL)
    return reasons


def short_of_memory(unit: list[InputItem]) -> list[str]:
    """The reasons of a unit; a deadly one needs too much memory."""
    reasons = [item.reason for item in unit if isinstance(item, InputFault)]
    if "deadly" in reasons:
        raise MemoryError
    return reasons


def killed_by_two(unit: list[InputItem]) -> list[str]:
    """What only a unit of several sound ones dies of."""
    if sum(isinstance(item, InputFault) and not item.reason for item in unit) > 1:
        signal.raise_signal(signal.SIGKILL)
    return [item.reason for item in unit if isinstance(item, InputFault)]


def killed_at_once(_unit: list[InputItem]) -> list[str]:
    """A worker that can do no work at all."""
    return signal.raise_signal(signal.SIGKILL) or []


DIED = "a worker process died over it, perhaps for want of memory"


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such signal")
@pytest.mark.parametrize("work", [killed, short_of_memory])
def test_what_a_worker_dies_over_is_a_fault_and_the_rest_goes_on(
    work: Callable[[list[InputItem]], list[str]],
) -> None:
    every = items(12, 4, 6)
    units = [every[at : at + 3] for at in range(0, 12, 3)]
    found = list(run(units, work, jobs=2, trial=work))
    assert found == [[""] * 3, ["", DIED, ""], [DIED, "", ""], [""] * 3]
    with pytest.raises((WorkerDiedError, MemoryError)):
        list(run([items(2, 1), items(1)], work, jobs=2))


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such signal")
def test_a_unit_of_which_no_item_is_deadly_is_a_fault_as_a_whole() -> None:
    found = list(run([items(2), items(1)], killed_by_two, jobs=2, trial=killed_by_two))
    assert found == [[DIED] * 2, [""]]


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such signal")
def test_workers_that_can_do_nothing_are_told() -> None:
    with pytest.raises(WorkerDiedError, match="as soon as they work; try --jobs 1"):
        list(run([items(2), items(1)], killed_at_once, jobs=2, trial=killed_at_once))


def killed_once(marks: Path, unit: list[InputItem]) -> list[str]:
    """The first to work on a unit is killed, as for what another process took."""
    mark = marks / "-".join(item.location for item in unit if isinstance(item, InputFault))
    if not mark.exists():
        mark.touch()
        signal.raise_signal(signal.SIGKILL)
    return killed(unit)


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such signal")
def test_a_worker_that_is_killed_by_chance_costs_nothing(tmp_path: Path) -> None:
    every = items(12)
    work = partial(killed_once, tmp_path)
    assert list(run([every[:6], every[6:]], work, jobs=2)) == [[""] * 6] * 2
