"""Changes tried in new processes, which import the changed module as any other."""

from __future__ import annotations

import importlib.machinery
import multiprocessing
import os
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter

from mutant_choice import Mutant, Outcome, Trace, source_of
from mutant_tests import ROOT

_NOT_IMPORTED = "it cannot be imported"
_FIRST = 30
"""Tests of the first process: they notice most changes, and each file of tests takes a while to load."""


class _Changed(importlib.machinery.SourceFileLoader):
    """Loads the changed module from memory, and all others as ever."""

    mutant: Mutant

    @classmethod
    def install(cls, mutant: Mutant) -> None:
        """Let imports in this process find the changed module."""
        path = str(ROOT / mutant.module)
        code = compile(mutant.change.apply(source_of(mutant.module)), path, "exec")
        usual = importlib.machinery.SourceFileLoader.get_code

        def get_code(loader: importlib.machinery.SourceFileLoader, name: str) -> object:
            return code if os.path.realpath(loader.path) == path else usual(loader, name)

        importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]


def _run_tests(mutant: Mutant | None, tests: list[tuple[str, float]], answer: Connection) -> None:
    """In a process of its own: run tests, with a change until one fails; send what passed and what failed."""
    import pytest

    if mutant:
        _Changed.install(mutant)
    passed: list[str] = []
    failed: list[str] = []

    class Watch:
        def pytest_collectreport(self, report: pytest.CollectReport) -> None:
            if report.failed:
                failed.append(_NOT_IMPORTED)

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed:
                failed.append(report.nodeid)
            elif report.when == "call" and report.passed:
                passed.append(report.nodeid)

    with tempfile.NamedTemporaryFile("w", suffix=".tests") as file, open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        file.write("\n".join(f"{test}\t{limit}" for test, limit in tests))
        file.flush()
        os.environ["PAIFU_TESTS"] = file.name
        files = sorted({test.partition("::")[0] for test, _ in tests})
        first = ["-x"] if mutant else []
        ended = pytest.main(
            [*first, "-q", "-p", "mutant_tests", "-p", "no:cacheprovider", "-W", "ignore", *files], [Watch()]
        )
    if not failed and ended not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        failed.append(_NOT_IMPORTED)
    answer.send((passed, failed))
    answer.close()


def try_out(mutant: Mutant, trace: Trace, patience: float) -> Outcome:
    """Run tests for a mutant, some and then all, in processes as new to the project as a first run."""
    begun = perf_counter()
    tests = trace.tests_for(mutant)
    ran, left = 0, patience
    for stage in (_FIRST, len(tests)):
        chosen: list[tuple[str, float]] = []
        for test in tests[ran : ran + stage]:
            if trace.seconds[test] > left and chosen:
                break
            left -= trace.seconds[test]
            chosen.append((test, trace.limit(test)))
        if not chosen:
            break
        ran += len(chosen)
        _, noticed = _in_a_process(mutant, chosen)
        if noticed:
            return Outcome(mutant, noticed[0], ran, len(tests), perf_counter() - begun)
        if left <= 0:
            break
    return Outcome(mutant, "", ran, len(tests), perf_counter() - begun, tuple(tests[:ran]))


def sound(tests: list[str], trace: Trace) -> set[str]:
    """Return the tests that pass without any change: only such can notice one."""
    limits = [(test, trace.limit(test)) for test in tests if test in trace.seconds]
    passed, failed = _in_a_process(None, limits)
    if limits and not passed:
        raise SystemExit(f"tests do not run without a change: {', '.join(failed)}")
    return set(passed) - set(failed)


def _in_a_process(mutant: Mutant | None, tests: list[tuple[str, float]]) -> tuple[list[str], list[str]]:
    """Run tests in a process; return which passed and which failed, or what else went wrong."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_run_tests, args=(mutant, tests, sender))
    process.start()
    sender.close()
    limit = 60 + sum(limit for _, limit in tests)
    passed, failed = list[str](), ["it takes forever"]
    if receiver.poll(limit):
        try:
            passed, failed = receiver.recv()
        except EOFError:
            failed = ["the process ended"]
    process.kill()
    process.join()
    return passed, failed


def work(part: list[Mutant], folder: Path, patience: float, answers: Connection) -> None:
    """Try mutants in new processes, one after the other, and send the outcomes."""
    import hypothesis  # noqa: F401  what every child needs, imported once
    import lxml.etree  # noqa: F401
    import numpy  # noqa: F401
    import pandas  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    import pytest  # noqa: F401

    trace = Trace(folder)
    for mutant in part:
        answers.send(try_out(mutant, trace, patience))
    answers.close()
