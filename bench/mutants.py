"""Would the tests notice a wrong line? Changes lines one at a time, and runs the tests that reach them.

    python bench/mutants.py trace [--folder DIR] [-j 2]
    python bench/mutants.py run [--sample 800] [--seed 1] [--only PART] [--patience 60] [--folder DIR] [-j 2]

``trace`` runs all tests once, with kernels interpreted, and takes down in DIR which test reaches which line
(Python 3.12 or newer). What DIR holds already it leaves out, so that it can be stopped.
``run`` makes SAMPLE changes in ``replay/``, ``parsers/`` and ``reports/metrics/`` (or in modules with PART
in their path), spread over the modules by their lines, each in the memory of a process of its own: no file
changes. It runs the tests that reach the line until one fails, for PATIENCE seconds at most, and prints the
score of each module and the changes that nobody noticed. ``mutants_equivalent.toml`` lists those that change
no result.

A change on a line that runs while a module is imported is tested by whatever reaches the module, or one that
imports it. Tests in processes of their own notice nothing, for those run the files; nor does a test that
compiles.
"""

from __future__ import annotations

import argparse
import ast
import importlib.machinery
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from itertools import zip_longest
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter

import numpy as np
from mutant_changes import Change, changes
from mutant_tests import ROOT, TRACED

EQUIVALENT = Path(__file__).with_name("mutants_equivalent.toml")
LEFT_OUT = [
    "test_architecture.py", "test_arena.py", "test_bounds_of_kernels.py", "test_cluster.py",
    "test_doc_examples.py", "test_docs.py", "test_jit.py", "test_kernel_cache.py", "test_mutants.py",
    "test_object_stores.py", "test_report_browser.py", "test_signatures.py", "test_site.py",
    "test_streams.py",
]  # fmt: skip
"""Tests of sources, of compiling, of browsers, of processes and of this program notice nothing here."""
NOT_INTERPRETED = {"cache", "compiled", "compiler", "jit", "machine_code", "signatures"}
"""Modules of ``replay/kernels`` that exist to compile the others."""
FEW = 5
"""Fewer tests than these may have reached a line for another reason than what they test."""
STAGES = (12, 60, 400, 10**6)
"""Tests run for a change before anything else is tried: most are noticed by the first."""


@dataclass(frozen=True)
class Mutant:
    """A change in a module of ROOT."""

    module: str
    change: Change

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
        self._lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for file in folder.glob("tests-*.json"):
            tests, places, names = json.loads(file.read_text())
            passed = {name: seconds for name, (outcome, seconds) in tests.items() if outcome == "passed"}
            self.seconds |= passed
            data = np.load(folder / file.name.replace("tests", "lines").replace("json", "npz"))
            rows = np.split(data["lines"], np.cumsum(data["lengths"])[:-1])
            for name, row in zip(names, rows, strict=True):
                if name in passed:
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
        direct = self.lines(mutant.module).get(first_line(mutant), set())
        others: frozenset[str] = frozenset()
        if len(direct) < FEW:
            others = self.all_of(mutant.module)
            for importer in importers()[mutant.module]:
                others |= self.all_of(importer)
        return [*self._in_turn(direct), *self._in_turn(others - direct)]

    def _in_turn(self, tests: Iterable[str]) -> list[str]:
        """Order tests: the quickest of each file first."""
        files: dict[str, list[str]] = defaultdict(list)
        for test in sorted(tests, key=lambda test: (self.seconds[test], test)):
            files[test.partition("::")[0]].append(test)
        by_speed = sorted(files.values(), key=lambda tests: self.seconds[tests[0]])
        return [test for row in zip_longest(*by_speed) for test in row if test is not None]


@cache
def _statements(module: str) -> dict[int, int]:
    """Return the first line of the innermost statement of each line: coverage counts by statements."""
    first: dict[int, int] = {}
    for node in ast.walk(ast.parse(source_of(module))):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or node.lineno
            for line in range(node.lineno, last + 1):
                first[line] = max(first.get(line, 0), node.lineno)
    return first


def first_line(mutant: Mutant) -> int:
    """Return the line under which the change is counted as reached."""
    return _statements(mutant.module).get(mutant.change.line, mutant.change.line)


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
    equivalent = known_equivalents()
    lines: list[tuple[str, int]] = []
    by_line: dict[tuple[str, int], list[Mutant]] = defaultdict(list)
    for module in modules(part):
        for change in changes(source_of(module)):
            mutant = Mutant(module, change)
            if (module, mutant.code, str(change)) not in equivalent:
                by_line[module, change.line].append(mutant)
    lines = list(by_line)
    chance.shuffle(lines)
    return [chance.choice(by_line[line]) for line in sorted(lines[:number])]


def known_equivalents() -> set[tuple[str, str, str]]:
    """Return the changes that are listed as without a consequence: module, line and change."""
    listed = tomllib.loads(EQUIVALENT.read_text()) if EQUIVALENT.exists() else {}
    return {
        (module, entry["line"], entry["change"]) for module, entries in listed.items() for entry in entries
    }


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
    """Try mutants, one after the other, and send the outcomes."""
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


def outcomes(mutants: list[Mutant], folder: Path, patience: float, jobs: int) -> Iterator[Outcome]:
    """Yield what comes of mutants, as it comes."""
    receivers = []
    for number in range(jobs):
        receiver, sender = multiprocessing.Pipe(duplex=False)
        part = mutants[number::jobs]
        process = multiprocessing.get_context("fork").Process(
            target=work, args=(part, folder, patience, sender)
        )
        process.start()
        sender.close()
        receivers.append(receiver)
    while receivers:
        for receiver in multiprocessing.connection.wait(receivers):
            try:
                yield receiver.recv()
            except EOFError:
                receivers.remove(receiver)


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


def report(found: list[Outcome]) -> None:
    """Print the score of each module, and who survived."""
    tried, noticed = Counter[str](), Counter[str]()
    for outcome in found:
        tried[outcome.mutant.module] += 1
        noticed[outcome.mutant.module] += bool(outcome.noticed_by)
    print(f"\n{'module':50}{'mutants':>8}{'noticed':>9}")
    for module in sorted(tried):
        print(f"{module:50}{tried[module]:8}{noticed[module]:9}")
    print(f"{'all':50}{tried.total():8}{noticed.total():9}  {noticed.total() / max(1, tried.total()):.1%}")
    print("\nNot noticed:")
    for outcome in sorted(found, key=lambda outcome: (outcome.mutant.module, outcome.mutant.change.line)):
        if not outcome.noticed_by:
            print(f"{outcome.mutant}    [{outcome.ran} of {outcome.tests} tests]")


def main() -> None:
    """Trace, or try mutants."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("step", choices=["trace", "run"])
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
    mutants = sample(options.sample, options.seed, options.only)
    random.Random(options.seed).shuffle(mutants)  # noqa: S311  so that each process has some of all
    found = []
    for outcome in outcomes(mutants, options.folder, options.patience, options.jobs):
        found.append(outcome)
        what = outcome.noticed_by or "NOT NOTICED"
        print(f"{len(found)}/{len(mutants)} {outcome.seconds:5.1f} s  {outcome.mutant}    {what}", flush=True)
    report(found)
    (options.folder / "outcomes.json").write_text(json.dumps([asdict(outcome) for outcome in found]))


if __name__ == "__main__":
    main()
