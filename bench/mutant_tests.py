"""The pytest plugin of mutants.py: which tests reach which lines, and only such tests as are asked for.

With ``PAIFU_TRACE=FOLDER`` it writes there what each process has run: lines by test (data of coverage), and how
long each test takes. With ``PAIFU_TESTS=FILE`` it runs the tests that the file lists, in that order, and no
others; each line is an id and a limit. All seconds are of processor time.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from types import FrameType
from typing import Any

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[1]
TRACED = ("replay", "parsers", "reports/metrics")
LONGEST = 90
"""Seconds that a test may take while lines are traced. Slower ones are not run for mutants."""


class TooSlow(BaseException):
    """A test is not done in its time; no test catches this."""


def _too_slow(_number: int, _frame: FrameType | None) -> None:
    raise TooSlow


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Interrupt a test that takes too long."""
    signal.signal(signal.SIGVTALRM, _too_slow)
    signal.setitimer(signal.ITIMER_VIRTUAL, _LIMITS.get(item.nodeid, LONGEST))
    try:
        return (yield)
    except TooSlow:
        pytest.fail("too slow")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


_LIMITS: dict[str, float] = {}


class Tracer:
    """Takes down the lines that each test reaches."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.coverage = coverage.Coverage(
            data_file=str(folder / f"lines-{os.getpid()}"),
            include=[f"{ROOT}/{name}/*" for name in TRACED],
            messages=False,
        )
        self.tests: dict[str, tuple[str, float]] = {}
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Take down lines, outcome and time of a test."""
        begun = process_time()
        self.coverage.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self.coverage.switch_context("")
            outcome, _ = self.tests.get(item.nodeid, ("", 0))
            self.tests[item.nodeid] = (outcome, process_time() - begun)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember the worst outcome of the parts of a test."""
        before, seconds = self.tests.get(report.nodeid, ("passed", 0.0))
        self.tests[report.nodeid] = (before if report.passed else report.outcome, seconds)

    def pytest_sessionfinish(self) -> None:
        """Write it all."""
        self.coverage.stop()
        self.coverage.save()
        (self.folder / f"tests-{os.getpid()}.json").write_text(json.dumps(self.tests))


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
