"""The pytest plugin of mutants.py: which tests reach which lines, and only such tests as are asked for.

With ``PAIFU_TRACE=FOLDER`` it writes there what each process has run: the lines that each test reaches, and
how long it takes (Python 3.12 or newer). With ``PAIFU_TESTS=FILE`` it runs the tests that the file lists, in
that order, and no others; each line is an id and a limit. All seconds are of processor time.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from types import CodeType, FrameType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).resolve().parents[1]
TRACED = ("replay", "parsers", "reports/metrics")
_TRACED = tuple(f"{ROOT}/{folder}/" for folder in TRACED)
LONGEST = 20
"""Seconds that a test may take while lines are traced. Slower ones are not run for mutants."""


WAITING = 4
"""Times as long that it may take on the clock, on a busy machine or for another process."""
_CLOCKS = {signal.ITIMER_VIRTUAL: signal.SIGVTALRM, signal.ITIMER_REAL: signal.SIGALRM}


_MONITORING: Any = getattr(sys, "monitoring", None)
"""``sys.monitoring``, which older Pythons lack."""


class TooSlow(BaseException):
    """A test is not done in its time; no test catches this."""


def _too_slow(_number: int, _frame: FrameType | None) -> None:
    raise TooSlow


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Interrupt a test that takes too long."""
    limit = _LIMITS.get(item.nodeid, LONGEST)
    for clock, number in _CLOCKS.items():
        signal.signal(number, _too_slow)
        signal.setitimer(clock, limit if clock == signal.ITIMER_VIRTUAL else WAITING * limit)
    try:
        return (yield)
    except TooSlow:
        pytest.fail("too slow")
    finally:
        for clock in _CLOCKS:
            signal.setitimer(clock, 0)


_LIMITS: dict[str, float] = {}


def first_to_fail(items: list[pytest.Item], limits: dict[str, float], patience: float) -> tuple[str, int]:
    """Run tests until one fails; return its id, empty if none does, and how many ran."""
    _LIMITS.update(limits)
    until = process_time() + patience
    for number, item in enumerate(items):
        following = items[number + 1] if number + 1 < len(items) else None
        if any(report.failed for report in runtestprotocol(item, nextitem=following, log=False)):
            return item.nodeid, number + 1
        if process_time() > until:
            return "", number + 1
    return "", len(items)


class Tracer:
    """Takes down the lines that each test reaches: each costs one event a test, however often it runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tests: dict[str, tuple[str, float]] = {}
        self.numbers: dict[tuple[str, int], int] = {}
        self.rows: dict[str, npt.NDArray[np.uint32]] = {}
        self._reached: set[int] = set()
        tool = _MONITORING.COVERAGE_ID
        _MONITORING.use_tool_id(tool, "mutants")
        _MONITORING.register_callback(tool, _MONITORING.events.LINE, self._line)
        _MONITORING.set_events(tool, _MONITORING.events.LINE)

    def _line(self, code: CodeType, line: int) -> object:
        if code.co_filename.startswith(_TRACED):
            place = (code.co_filename, line)
            self._reached.add(self.numbers.setdefault(place, len(self.numbers)))
        return _MONITORING.DISABLE

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Take down lines, outcome and time of a test."""
        self._reached = set()
        _MONITORING.restart_events()
        begun = process_time()
        try:
            return (yield)
        finally:
            outcome, _ = self.tests.get(item.nodeid, ("", 0))
            self.tests[item.nodeid] = (outcome, process_time() - begun)
            self.rows[item.nodeid] = np.fromiter(self._reached, np.uint32)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what an earlier trace, which was stopped, has taken down."""
        done = {name for path in self.folder.glob("tests-*.json") for name in json.loads(path.read_text())[0]}
        items[:] = [item for item in items if item.nodeid not in done]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember the worst outcome of the parts of a test."""
        before, seconds = self.tests.get(report.nodeid, ("passed", 0.0))
        self.tests[report.nodeid] = (before if report.passed else report.outcome, seconds)

    def pytest_sessionfinish(self) -> None:
        """Write it all."""
        tool = _MONITORING.COVERAGE_ID
        _MONITORING.set_events(tool, 0)
        _MONITORING.register_callback(tool, _MONITORING.events.LINE, None)
        _MONITORING.free_tool_id(tool)
        places = [(str(Path(name).relative_to(ROOT)), line) for name, line in self.numbers]
        lengths = [len(row) for row in self.rows.values()]
        np.savez_compressed(
            self.folder / f"lines-{os.getpid()}.npz",
            lines=np.concatenate([*self.rows.values(), np.zeros(0, np.uint32)]),
            lengths=np.array(lengths),
        )
        (self.folder / f"tests-{os.getpid()}.json").write_text(
            json.dumps([self.tests, places, list(self.rows)])
        )


class Choice:
    """Runs the tests of a list in its order."""

    def __init__(self, file: Path) -> None:
        rows = [line.split("\t") for line in file.read_text().splitlines()]
        self.places = {name: place for place, (name, _) in enumerate(rows)}
        _LIMITS.update({name: float(limit) for name, limit in rows})

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep what is listed."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self.places), key=lambda item: self.places[item.nodeid]
        )


def pytest_configure(config: pytest.Config) -> None:
    """Take part as the environment says; the process that only hands tests out traces nothing."""
    folder = os.environ.get("PAIFU_TRACE")
    is_controller = not hasattr(config, "workerinput") and config.getoption("numprocesses", None)
    part: Any = None
    if folder and not is_controller:
        part = Tracer(Path(folder))
    elif file := os.environ.get("PAIFU_TESTS"):
        part = Choice(Path(file))
    if part:
        config.pluginmanager.register(part)
