"""Would the tests notice a wrong line? Changes lines one at a time, and runs the tests that reach them.

    python bench/mutants.py trace [--folder DIR] [-j 2]
    python bench/mutants.py run [--sample 800] [--seed 1] [--only PART] [--patience 60] [--folder DIR] [-j 2]
    python bench/mutants.py again [--patience 60] [--folder DIR] [-j 2]

``trace`` runs all tests once, with kernels interpreted, and takes down in DIR which test reaches which line
(Python 3.12 or newer). What DIR holds already it leaves out, so that it can be stopped.
``run`` makes SAMPLE changes in ``replay/``, ``parsers/`` and ``reports/metrics/`` (or in modules with PART
in their path), spread over the modules by their lines, each in the memory of a process of its own: no file
changes. It runs the tests that reach the line until one fails, for PATIENCE seconds at most, and prints the
score of each module and the changes that nobody noticed. Functions get their new code in a fork of a process
that has all tests ready; what is made while modules are imported needs a process that imports them anew.
``mutants_equivalent.toml`` lists those that change no result. DIR keeps what came of each, so that a run can
be stopped, too.
``again`` tries those that nobody noticed once more, all of them in new processes: with more PATIENCE, or
after tests were written and traced.

A change on a line that runs while a module is imported is tested by whatever reaches the module, or one that
imports it. Tests in processes of their own notice nothing, for those run the files; nor does a test that
compiles.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib.machinery
import inspect
import json
import multiprocessing
import multiprocessing.connection
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

import numpy as np
from mutant_changes import Change, changes
from mutant_tests import ROOT, TRACED, first_to_fail

if TYPE_CHECKING:
    import pytest

Exchange = list[tuple[FunctionType, CodeType]]
"""Functions and the code that they get."""

EQUIVALENT = Path(__file__).with_name("mutants_equivalent.toml")
LEFT_OUT = [
    "test_architecture.py", "test_arena.py", "test_bounds_of_kernels.py", "test_cluster.py",
    "test_doc_examples.py", "test_docs.py", "test_jit.py", "test_kernel_cache.py", "test_mutants.py",
    "test_report_browser.py", "test_signatures.py", "test_site.py",
    "test_streams.py",
]  # fmt: skip
"""Tests of sources, of compiling, of browsers, of processes and of this program notice nothing here."""
NOT_INTERPRETED = {"cache", "compiled", "compiler", "jit", "machine_code", "signatures"}
"""Modules of ``replay/kernels`` that exist to compile the others."""
FEW = 5
"""Fewer tests than these may have reached a line for another reason than what they test."""
STAGES = (4, 16, 80, 400, 10**6)
"""Tests run for a change before anything else is tried: most are noticed by the first."""


@dataclass(frozen=True)
class Mutant:
    """A change in a module of ROOT."""

    module: str
    change: Change
    before: int = 0
    """How many changes of the same text to lines of the same text the module has before this one."""

    @property
    def key(self) -> str:
        """What tells it from others, wherever its line moves."""
        return f"{self.module}: {self.code}: {self.change}: {self.before}"

    @property
    def code(self) -> str:
        """The line that is changed."""
        return source_of(self.module).decode().splitlines()[self.change.line - 1].strip()

    def __str__(self) -> str:
        return f"{self.module}:{self.change.line}: {self.change}    in: {self.code}"


@dataclass(frozen=True)
class Outcome:
    """What came of a mutant: the test that noticed it, how many ran, and how many there are."""

    mutant: Mutant
    noticed_by: str
    ran: int
    tests: int
    seconds: float


@cache
def source_of(module: str) -> bytes:
    """Return the source of a module."""
    return (ROOT / module).read_bytes()


def modules(part: str = "") -> list[str]:
    """Return the modules that are changed, as paths under ROOT."""
    found = [path.relative_to(ROOT) for folder in TRACED for path in sorted((ROOT / folder).rglob("*.py"))]
    return [
        str(path)
        for path in found
        if part in str(path) and not (path.parent.name == "kernels" and path.stem in NOT_INTERPRETED)
    ]


class Trace:
    """Which tests reach which line, and how long each takes."""

    def __init__(self, folder: Path) -> None:
        self.seconds: dict[str, float] = {}
        self._effort: dict[str, float] = {}
        self._lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for file in folder.glob("tests-*.json"):
            tests, places, names = json.loads(file.read_text())
            passed = {name: seconds for name, (outcome, seconds) in tests.items() if outcome == "passed"}
            self.seconds |= passed
            data = np.load(folder / file.name.replace("tests", "lines").replace("json", "npz"))
            rows = np.split(data["lines"], np.cumsum(data["lengths"])[:-1])
            for name, row in zip(names, rows, strict=True):
                if name in passed:
                    self._effort[name] = passed[name] * len(row)
                    for number in row:
                        module, line = places[number]
                        self._lines[module][line].add(name)
        if not self.seconds:
            raise SystemExit(f"{folder}: no trace; run first: python bench/mutants.py trace")

    def lines(self, module: str) -> dict[int, set[str]]:
        """Return the tests that reach each line of a module."""
        return self._lines[module]

    def all_of(self, module: str) -> frozenset[str]:
        """Return the tests that reach any line of a module."""
        return frozenset().union(*self.lines(module).values())

    def tests_for(self, mutant: Mutant) -> list[str]:
        """Return the tests that could notice: those that reach the line, then those that reach the module.

        A line that runs once, while modules are imported, is reached by one test at most, but may change any.
        """
        lines = self.lines(mutant.module)
        direct: set[str] = set().union(*(lines.get(line, ()) for line in lines_of(mutant)))
        others: frozenset[str] = frozenset()
        if len(direct) < FEW:
            others = self.all_of(mutant.module)
            for importer in importers()[mutant.module]:
                others |= self.all_of(importer)
        return [*self._in_turn(direct), *self._in_turn(others - direct)]

    def _in_turn(self, tests: Iterable[str]) -> list[str]:
        """Order tests: of each file first those that are quick and reach little else: they are about it."""
        files: dict[str, list[str]] = defaultdict(list)
        for test in sorted(tests, key=lambda test: (self._effort[test], test)):
            files[test.partition("::")[0]].append(test)
        in_order = sorted(files.values(), key=lambda tests: self._effort[tests[0]])
        return [test for row in zip_longest(*in_order) for test in row if test is not None]


@cache
def _statements(module: str) -> dict[int, range]:
    """Return for each line the lines of its innermost statement, without those of a block in it."""
    found: dict[int, range] = {}
    for node in ast.walk(ast.parse(source_of(module))):  # outer ones come first
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or node.lineno
            lines = range(node.lineno, max(last, node.lineno) + 1)
            found |= dict.fromkeys(lines, lines)
    return found


def lines_of(mutant: Mutant) -> range:
    """Return the lines of the statement that is changed: a test that reaches one of them reaches it."""
    line = mutant.change.line
    return _statements(mutant.module).get(line, range(line, line + 1))


@cache
def importers() -> dict[str, list[str]]:
    """Return which modules import each module."""
    by_name = {"paifu." + module.removesuffix(".py").replace("/", "."): module for module in modules()}
    found: dict[str, list[str]] = defaultdict(list)
    for module in modules():
        for node in ast.walk(ast.parse(source_of(module))):
            names: list[str] = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            for name in names:
                if name in by_name and by_name[name] != module:
                    found[by_name[name]].append(module)
    return found


def sample(number: int, seed: int, part: str) -> list[Mutant]:
    """Return that many mutants, spread over the modules by the lines that can be changed."""
    chance = random.Random(seed)  # noqa: S311  a sample
    by_line: dict[tuple[str, int], list[Mutant]] = defaultdict(list)
    for mutant in every_mutant(part):
        by_line[mutant.module, mutant.change.line].append(mutant)
    lines = list(by_line)
    chance.shuffle(lines)
    return [chance.choice(by_line[line]) for line in sorted(lines[:number])]


def every_mutant(part: str) -> Iterator[Mutant]:
    """Yield the changes of the modules with ``part`` in their path, but those without a consequence."""
    equivalent = known_equivalents()
    for module in modules(part):
        seen = Counter[tuple[str, str]]()
        for change in changes(source_of(module)):
            code = Mutant(module, change).code
            mutant = Mutant(module, change, seen[code, str(change)])
            seen[code, str(change)] += 1
            if (module, code, str(change)) not in equivalent:
                yield mutant


def known_equivalents() -> set[tuple[str, str, str]]:
    """Return the changes that are listed as without a consequence: module, line and change."""
    listed = tomllib.loads(EQUIVALENT.read_text()) if EQUIVALENT.exists() else {}
    return {
        (module, entry["line"], entry["change"]) for module, entries in listed.items() for entry in entries
    }


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


def _run_tests(mutant: Mutant, tests: list[tuple[str, float]], answer: Connection) -> None:
    """In a process of its own: run tests until one fails, and send its name, or nothing."""
    import pytest

    _Changed.install(mutant)
    failed = ["it cannot be imported"]

    class Watch:
        def pytest_collection_finish(self) -> None:
            failed.clear()

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed:
                failed.append(report.nodeid)

    with tempfile.NamedTemporaryFile("w", suffix=".tests") as file, open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        file.write("\n".join(f"{test}\t{limit}" for test, limit in tests))
        file.flush()
        os.environ["PAIFU_TESTS"] = file.name
        files = sorted({test.partition("::")[0] for test, _ in tests})
        pytest.main(
            ["-x", "-q", "-p", "mutant_tests", "-p", "no:cacheprovider", "-W", "ignore", *files], [Watch()]
        )
    answer.send(failed[0] if failed else "")
    answer.close()


def try_out(mutant: Mutant, trace: Trace, patience: float) -> Outcome:
    """Run tests for a mutant, each stage in a process that is as new to the project as a first run."""
    begun = perf_counter()
    tests = trace.tests_for(mutant)
    ran, left = 0, patience
    for stage in STAGES:
        chosen: list[tuple[str, float]] = []
        for test in tests[ran : ran + stage]:
            if trace.seconds[test] > left and chosen:
                break
            left -= trace.seconds[test]
            chosen.append((test, 5 * trace.seconds[test] + 5))
        if not chosen:
            break
        ran += len(chosen)
        noticed = _in_a_process(mutant, chosen)
        if noticed:
            return Outcome(mutant, noticed, ran, len(tests), perf_counter() - begun)
        if left <= 0:
            break
    return Outcome(mutant, "", ran, len(tests), perf_counter() - begun)


def _in_a_process(mutant: Mutant, tests: list[tuple[str, float]]) -> str:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_run_tests, args=(mutant, tests, sender))
    process.start()
    sender.close()
    limit = 60 + sum(limit for _, limit in tests)
    noticed = "it takes forever"
    if receiver.poll(limit):
        try:
            noticed = receiver.recv()
        except EOFError:
            noticed = "the process ended"
    process.kill()
    process.join()
    return noticed


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


def by_stages(tests: list[str]) -> list[str]:
    """Put the tests of each stage in the order of their files, which share what they need."""
    found, begin = [], 0
    for stage in STAGES:
        found += sorted(tests[begin : begin + stage], key=lambda test: test.partition("::")[0])
        begin += stage
    return found


class Nest:
    """A pytest plugin that tries mutants instead of running all tests.

    Where no function can be exchanged it tries none. What a function made while tests were collected stays as
    it was, so those that nobody notices deserve a second look.
    """

    def __init__(
        self, mutants: list[Mutant], trace: Trace, patience: float, jobs: int, answers: Connection
    ) -> None:
        self._mutants, self._trace, self._patience = mutants, trace, patience
        self._jobs, self._answers = jobs, answers
        self._running: dict[Connection, tuple[Mutant, list[str], int, int, float, float, str]] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all mutants, some at a time."""
        items = {item.nodeid: item for item in session.items}
        functions = live_functions()
        gc.collect()
        gc.freeze()  # so that forks share what is there
        for mutant in self._mutants:
            exchange = exchanges(mutant, functions)
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
            while len(self._running) >= self._jobs:
                self._wait()
            self._start(mutant, exchange, [items[test] for test in by_stages(chosen)], len(tests))
        while self._running:
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
        now = perf_counter()
        until = now + 60 + sum(limits.values())
        names = [item.nodeid for item in items]
        self._running[receiver] = mutant, names, tests, process, now, until, folder

    def _wait(self) -> None:
        """Take in what has come of a mutant."""
        ready = multiprocessing.connection.wait(list(self._running), timeout=1)
        late = [receiver for receiver, running in self._running.items() if running[5] < perf_counter()]
        for receiver in {*ready, *late}:
            mutant, names, tests, process, begun, _until, folder = self._running.pop(receiver)
            noticed, ran = "it takes forever", len(names)
            if receiver in ready:
                try:
                    noticed, ran = receiver.recv()
                except EOFError:
                    noticed = "the process ended"
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process, signal.SIGKILL)
            os.waitpid(process, 0)
            receiver.close()
            shutil.rmtree(folder, ignore_errors=True)
            self._answers.send(Outcome(mutant, noticed, ran, tests, perf_counter() - begun))


def outcomes(
    mutants: list[Mutant], folder: Path, patience: float, jobs: int, *, in_forks: bool
) -> Iterator[Outcome]:
    """Yield what comes of mutants, as it comes."""
    tried = set()
    for outcome in _received([_started(work_in_forks, mutants, folder, patience, jobs)] if in_forks else []):
        tried.add(outcome.mutant)
        yield outcome
    left = [mutant for mutant in mutants if mutant not in tried]
    parts = [left[number::jobs] for number in range(jobs)]
    yield from _received([_started(work, part, folder, patience) for part in parts])


def _started(target: Callable[..., None], *arguments: object) -> Connection:
    """Start a process that sends outcomes; return where they arrive."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    multiprocessing.get_context("fork").Process(target=target, args=(*arguments, sender)).start()
    sender.close()
    return receiver


def _received(receivers: list[Connection]) -> Iterator[Outcome]:
    while receivers:
        for receiver in multiprocessing.connection.wait(receivers):
            try:
                yield receiver.recv()  # type: ignore[union-attr]
            except EOFError:
                receivers.remove(receiver)  # type: ignore[arg-type]


def trace_tests(folder: Path, jobs: int) -> None:
    """Run all tests that need no compiler, and take down which lines they reach."""
    folder.mkdir(parents=True, exist_ok=True)
    ignored = [f"--ignore=tests/{name}" for name in LEFT_OUT]
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "mutant_tests",
            "-W",
            "ignore",
            "-n",
            str(jobs),
            *ignored,
        ],
        cwd=ROOT,
        env=environment() | {"PAIFU_TRACE": str(folder)},
        check=False,
    )


def environment() -> dict[str, str]:
    """Return the environment in which tests run: interpreted, and able to find the plugin."""
    return os.environ | {"PAIFU_JIT": "off", "PYTHONPATH": str(Path(__file__).parent)}


def report(tried: list[Mutant], noticed_by: Mapping[str, str]) -> None:
    """Print the score of each module, and who survived."""
    number, noticed = Counter[str](), Counter[str]()
    for mutant in tried:
        number[mutant.module] += 1
        noticed[mutant.module] += bool(noticed_by[mutant.key])
    print(f"\n{'module':50}{'mutants':>8}{'noticed':>9}")
    for module in sorted(number):
        print(f"{module:50}{number[module]:8}{noticed[module]:9}")
    print(f"{'all':50}{number.total():8}{noticed.total():9}  {noticed.total() / max(1, number.total()):.1%}")
    print("\nNot noticed:")
    for mutant in tried:
        if not noticed_by[mutant.key]:
            print(mutant)


def main() -> None:
    """Trace, or try mutants."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("step", choices=["trace", "run", "again"])
    parser.add_argument("--folder", type=Path, default=ROOT / ".mutants")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sample", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--patience", type=float, default=60)
    options = parser.parse_args()
    os.chdir(ROOT)
    os.environ.update(environment())
    if options.step == "trace":
        trace_tests(options.folder, options.jobs)
        return
    kept = options.folder / "outcomes.json"
    before: dict[str, str] = json.loads(kept.read_text()) if kept.exists() else {}
    if options.step == "again":
        mutants = [mutant for mutant in every_mutant(options.only) if before.get(mutant.key) == ""]
    else:
        mutants = [
            mutant
            for mutant in sample(options.sample, options.seed, options.only)
            if mutant.key not in before
        ]
    random.Random(options.seed).shuffle(mutants)  # noqa: S311  so that each process has some of all
    found = outcomes(mutants, options.folder, options.patience, options.jobs, in_forks=options.step == "run")
    for number, outcome in enumerate(found, 1):
        what = outcome.noticed_by or f"NOT NOTICED by {outcome.ran} of {outcome.tests}"
        print(f"{number}/{len(mutants)} {outcome.seconds:5.1f} s  {outcome.mutant}    {what}", flush=True)
        before[outcome.mutant.key] = outcome.noticed_by
        kept.write_text(json.dumps(before, indent=0))
    report([mutant for mutant in every_mutant("") if mutant.key in before], before)


if __name__ == "__main__":
    main()
