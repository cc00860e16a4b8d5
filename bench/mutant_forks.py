"""Changes of functions tried in forks of a process that has all tests ready: most take a moment."""

from __future__ import annotations

import gc
import inspect
import multiprocessing
import multiprocessing.connection
import os
import shutil
import signal
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

from mutant_choice import Mutant, Outcome, Trace, by_stages, source_of
from mutant_tests import ROOT, first_to_fail

if TYPE_CHECKING:
    import pytest

Exchange = list[tuple[FunctionType, CodeType]]
"""Functions and the code that they get."""


def live_functions() -> dict[CodeType, list[FunctionType]]:
    """Return the functions of this process by their code."""
    found: dict[CodeType, list[FunctionType]] = defaultdict(list)
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(f"{ROOT}/"):
            found[one.__code__].append(one)
    return found


def exchanges(mutant: Mutant, functions: Mapping[CodeType, list[FunctionType]]) -> Exchange:
    """Return what has to be exchanged for a mutant; nothing if that cannot be done in a living process."""
    path, source = str(ROOT / mutant.module), source_of(mutant.module)
    old = compile(source, path, "exec", dont_inherit=True)
    new = compile(mutant.change.apply(source), path, "exec", dont_inherit=True)
    found: Exchange = []
    while True:
        if _own_parts(old) != _own_parts(new):
            return found if old.co_flags & inspect.CO_OPTIMIZED else []
        pairs = [pair for pair in zip(_inner(old), _inner(new), strict=True) if pair[0] != pair[1]]
        if not pairs:
            return []
        old, new = next((pair for pair in pairs if not _is_moved_only(*pair)), pairs[0])
        if old.co_flags & inspect.CO_OPTIMIZED:
            living = functions.get(old, [])
            if not living and not found:
                return []
            found += [(function, new) for function in living]


def _inner(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _own_parts(code: CodeType) -> tuple[object, ...]:
    """Return what a piece of code does, without what lies in it."""
    constants = [one.co_name if isinstance(one, CodeType) else (type(one), one) for one in code.co_consts]
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def _is_moved_only(old: CodeType, new: CodeType) -> bool:
    """Tell whether two pieces of code differ in the numbers of their lines alone."""
    return _own_parts(old) == _own_parts(new) and all(
        _is_moved_only(*pair) for pair in zip(_inner(old), _inner(new), strict=True)
    )


def work_in_forks(
    mutants: list[Mutant], folder: Path, patience: float, jobs: int, answers: Connection
) -> None:
    """Collect all tests once, and try mutants in forks."""
    import pytest

    trace = Trace(folder)
    nest = Nest(mutants, trace, patience, jobs, answers)
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    files = sorted({test.partition("::")[0] for test in trace.seconds})
    pytest.main(
        ["-q", "--capture=sys", "-p", "mutant_tests", "-p", "no:cacheprovider", "-W", "ignore", *files],
        [nest],
    )
    answers.close()


@dataclass(frozen=True)
class _Trial:
    """A mutant that is being tried."""

    mutant: Mutant
    chosen: int
    """How many tests are to run, of ``tests`` that could notice."""
    tests: int
    process: int
    until: float
    folder: str
    begun: float = field(default_factory=perf_counter)


class Nest:
    """A pytest plugin that tries mutants instead of running all tests.

    Where no function can be exchanged, or what it makes is made while modules are imported, it tries none.
    """

    def __init__(
        self, mutants: list[Mutant], trace: Trace, patience: float, jobs: int, answers: Connection
    ) -> None:
        self._mutants, self._trace, self._patience = mutants, trace, patience
        self._jobs, self._answers = jobs, answers
        self._trials: dict[Connection, _Trial] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all mutants, some at a time."""
        items = {item.nodeid: item for item in session.items}
        functions = live_functions()
        gc.collect()
        gc.freeze()  # so that forks share what is there
        for mutant in self._mutants:
            exchange = [] if self._trace.is_of_imports(mutant) else exchanges(mutant, functions)
            if not exchange:
                continue
            tests = self._trace.tests_for(mutant)
            chosen, left = [], self._patience
            for test in tests:
                if left <= 0:
                    break
                if test in items:
                    chosen.append(test)
                    left -= self._trace.seconds[test]
            while len(self._trials) >= self._jobs:
                self._wait()
            self._start(mutant, exchange, [items[test] for test in by_stages(chosen)], len(tests))
        while self._trials:
            self._wait()
        return True

    def _start(self, mutant: Mutant, exchange: Exchange, items: list[pytest.Item], tests: int) -> None:
        limits = {item.nodeid: 5 * self._trace.seconds[item.nodeid] + 5 for item in items}
        receiver, sender = multiprocessing.Pipe(duplex=False)
        folder = tempfile.mkdtemp(prefix="mutant-")
        process = os.fork()
        if not process:
            try:
                os.setpgid(0, 0)
                os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
                for function, code in exchange:
                    function.__code__ = code
                sender.send(first_to_fail(items, limits, self._patience))
            finally:
                os._exit(0)
        sender.close()
        until = perf_counter() + 60 + sum(limits.values())
        self._trials[receiver] = _Trial(mutant, len(items), tests, process, until, folder)

    def _wait(self) -> None:
        """Take in what has come of a mutant."""
        ready = multiprocessing.connection.wait(list(self._trials), timeout=1)
        for receiver, trial in list(self._trials.items()):
            if receiver in ready:
                try:
                    noticed, ran = receiver.recv()
                except EOFError:
                    noticed, ran = "the process ended", trial.chosen
            elif trial.until < perf_counter():
                noticed, ran = "it takes forever", trial.chosen
            else:
                continue
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(trial.process, signal.SIGKILL)
            os.waitpid(trial.process, 0)
            receiver.close()
            del self._trials[receiver]
            shutil.rmtree(trial.folder, ignore_errors=True)
            self._trace.noticed(trial.mutant.module, noticed)
            seconds = perf_counter() - trial.begun
            self._answers.send(Outcome(trial.mutant, noticed, ran, trial.tests, seconds))
