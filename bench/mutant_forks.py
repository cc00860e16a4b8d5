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
    """Return whether two pieces of code differ in the numbers of their lines alone."""
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


@dataclass(frozen=True, slots=True)
class _Fork:
    """A process that runs some tests, and what of it has to be cleared away."""

    receiver: Connection
    process: int
    folder: str
    until: float

    def answer(self) -> tuple[str, int]:
        """Return the test that failed, empty if none did, and how many ran (-1: unknown); end the process."""
        try:
            noticed, ran = self.receiver.recv() if self.receiver.poll() else ("it takes forever", -1)
        except EOFError:
            noticed, ran = "the process ended", -1
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        self.receiver.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        return noticed, ran


@dataclass(frozen=True, slots=True)
class _Trial:
    """A mutant that is being tried."""

    mutant: Mutant
    exchange: Exchange
    chosen: list[str]
    """The tests that run, in order, of ``tests`` that could notice."""
    tests: int
    begun: float = field(default_factory=perf_counter)


class Nest:
    """A pytest plugin that tries mutants instead of running all tests.

    Where no function can be exchanged, or what it makes is made while modules are imported, it tries none.
    Only a test that passes in a fork without any change can notice one.
    """

    def __init__(
        self, mutants: list[Mutant], trace: Trace, patience: float, jobs: int, answers: Connection
    ) -> None:
        self._mutants, self._trace, self._patience = mutants, trace, patience
        self._jobs, self._answers = jobs, answers
        self._trials: dict[Connection, tuple[_Fork, _Trial]] = {}
        self._items: dict[str, pytest.Item] = {}
        self._is_sound: dict[str, bool] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all mutants, some at a time."""
        self._items = {item.nodeid: item for item in session.items}
        functions = live_functions()
        gc.collect()
        gc.freeze()  # so that forks share what is there
        for mutant in self._mutants:
            exchange = [] if self._trace.is_of_imports(mutant) else exchanges(mutant, functions)
            if exchange:
                self._try(mutant, exchange)
        while self._trials:
            self._wait()
        return True

    def _try(self, mutant: Mutant, exchange: Exchange) -> None:
        """Begin to try a mutant, once there is room."""
        while len(self._trials) >= self._jobs:
            self._wait()
        tests = [test for test in self._trace.tests_for(mutant) if self._is_sound.get(test, True)]
        chosen, left = [], self._patience
        for test in tests:
            if left <= 0:
                break
            if test in self._items:
                chosen.append(test)
                left -= self._trace.seconds[test]
        chosen = by_stages(chosen)
        fork = self._fork(exchange, chosen)
        self._trials[fork.receiver] = fork, _Trial(mutant, exchange, chosen, len(tests))

    def _fork(self, exchange: Exchange, tests: list[str]) -> _Fork:
        """Run tests in a fork in which some functions have other code."""
        items = [self._items[test] for test in tests]
        limits = {test: self._trace.limit(test) for test in tests}
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
        return _Fork(receiver, process, folder, perf_counter() + 60 + sum(limits.values()))

    def _wait(self) -> None:
        """Take in what has come of a mutant."""
        ready = multiprocessing.connection.wait(list(self._trials), timeout=1)
        for receiver, (fork, trial) in list(self._trials.items()):
            if receiver in ready or fork.until < perf_counter():
                del self._trials[receiver]
                self._take_in(trial, *fork.answer())

    def _take_in(self, trial: _Trial, noticed: str, ran: int) -> None:
        """Send what came of a mutant, or try it again where a test failed that fails anyway."""
        if "::" in noticed and not self._passes(noticed):
            self._try(trial.mutant, trial.exchange)
            return
        self._trace.noticed(trial.mutant.module, noticed)
        number = len(trial.chosen) if ran < 0 else ran
        seconds = perf_counter() - trial.begun
        passed = () if noticed else tuple(trial.chosen[:number])
        self._answers.send(Outcome(trial.mutant, noticed, number, trial.tests, seconds, passed))

    def _passes(self, test: str) -> bool:
        """Return whether a test passes without a change."""
        if test not in self._is_sound:
            fork = self._fork([], [test])
            multiprocessing.connection.wait([fork.receiver], timeout=fork.until - perf_counter())
            self._is_sound[test] = not fork.answer()[0]
        return self._is_sound[test]
