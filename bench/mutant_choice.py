"""Which changes are tried, and which tests may notice each of them."""

from __future__ import annotations

import ast
import heapq
import json
import math
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path

import numpy as np
from mutant_changes import Change, changes
from mutant_tests import ROOT, TRACED

EQUIVALENT = Path(__file__).with_name("mutants_equivalent.toml")
NOT_INTERPRETED = {"build", "compiling", "running"}
"""Modules of ``replay/kernels`` that exist to compile the others."""
FEW = 5
"""Fewer tests than these may have reached a line for another reason than what they test."""
RARE, MOST_SPEAKING = 3.0, 16
"""A test speaks of a line if its name shares a word with it that one name in twenty has, or several words."""
STRONG, MOST_STRONG = 3, 40
"""A test is strong if it noticed at least this many changes."""
MOST_NEAR = 16
"""Tests in files that import a module, of those that reach a line of it."""
SLOW = 1.5
"""Seconds of a test that is run after all that are quicker."""
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
    passed: tuple[str, ...] = ()
    """The tests that ran, where none of them noticed."""


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


def outcomes_in(folder: Path) -> dict[str, str]:
    """Return what came of mutants so far: the test that noticed each of them, by their keys."""
    kept = folder / "outcomes.json"
    found: dict[str, str] = json.loads(kept.read_text()) if kept.exists() else {}
    return found


def unsound_in(folder: Path) -> set[str]:
    """Return the tests that were found to fail without any change since they were traced."""
    kept = folder / "unsound.json"
    return set(json.loads(kept.read_text())) if kept.exists() else set()


def passed_in(folder: Path) -> dict[str, list[str]]:
    """Return which tests have run with each mutant that nobody noticed, by their keys."""
    kept = folder / "passed.json"
    found: dict[str, list[str]] = json.loads(kept.read_text()) if kept.exists() else {}
    return found


class Trace:
    """Which tests reach which line, and how long each takes."""

    def __init__(self, folder: Path) -> None:
        unsound = unsound_in(folder)
        self.seconds: dict[str, float] = {}
        self._effort: dict[str, float] = {}
        self._lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for file in folder.glob("tests-*.json"):
            tests, places, names = json.loads(file.read_text())
            passed = {
                name: seconds
                for name, (outcome, seconds) in tests.items()
                if outcome == "passed" and name not in unsound
            }
            self.seconds |= passed
            data = np.load(folder / file.name.replace("tests", "lines").replace("json", "npz"))
            rows = np.split(data["lines"], np.cumsum(data["lengths"]))[:-1]
            for name, row in zip(names, rows, strict=True):
                if name in passed:
                    self._effort[name] = passed[name] * len(row)
                    for number in row:
                        module, line = places[number]
                        self._lines[module][line].add(name)
        if not self.seconds:
            raise SystemExit(f"{folder}: no trace; run first: python bench/mutants.py trace")
        self._watchful: dict[str, Counter[str]] = defaultdict(Counter)
        self._noticed = Counter[str]()
        self._passed = passed_in(folder)
        for key, test in outcomes_in(folder).items():
            self.noticed(key.partition(": ")[0], test)

    def noticed(self, module: str, test: str) -> None:
        """Remember that a test noticed a change in a module: it may notice others there."""
        if test in self.seconds:
            self._watchful[module][test] += 1
            self._watchful[_room_of(module)][test] += 1
            self._noticed[test] += 1

    def limit(self, test: str) -> float:
        """Return the seconds that a test may take with a change: several times what it takes without."""
        return 5 * self.seconds[test] + 5

    def lines(self, module: str) -> dict[int, set[str]]:
        """Return the tests that reach each line of a module."""
        return self._lines[module]

    def all_of(self, module: str) -> frozenset[str]:
        """Return the tests that reach any line of a module."""
        return frozenset().union(*self.lines(module).values())

    def _direct(self, mutant: Mutant) -> set[str]:
        lines = self.lines(mutant.module)
        return set().union(*(lines.get(line, ()) for line in lines_of(mutant)))

    def is_of_imports(self, mutant: Mutant) -> bool:
        """Return whether the line runs while modules are imported, as far as tests show."""
        return len(self._direct(mutant)) < FEW

    def tests_for(self, mutant: Mutant) -> list[str]:
        """Return the tests that could notice and have not run with it, in the order in which they are tried.

        First come those that speak of it, those in files that import the module, and those that noticed other
        changes there or in its room, then all that reach the line; but slow ones after all others. Where
        modules are imported anew, those that noticed most come first, for they lie in few files.

        A line that runs once, while modules are imported, is reached by one test at most, but may change any:
        after those in files that import the module, and those that reach a line with what it defines, come
        those that reach the module, or importers.
        """
        names = names_at(mutant.module, mutant.change.line)
        direct, is_of_imports = self._direct(mutant), self.is_of_imports(mutant)
        files = readers(mutant.module)
        near = self._in_turn(test for test in direct if test.partition("::")[0] in files)[:MOST_NEAR]
        users: set[str] = set()
        others: set[str] = set()
        if is_of_imports:
            direct |= {test for test in self.seconds if test.partition("::")[0] in files}
            uses = [place for name in names for place in places_of_names()[name]]
            users = set().union(*(self._lines[module].get(line, ()) for module, line in uses))
            others = set().union(*map(self.all_of, [mutant.module, *importers()[mutant.module]]))
        every = direct | users | others
        places = (mutant.module, _room_of(mutant.module))
        watchful = [
            test for place in places for test, _ in self._watchful[place].most_common() if test in every
        ]
        speaking = _speaking_of(_words(f"{mutant.code} {' '.join(names)}"), every)
        strong = self._strong(every)
        first = [strong, speaking, watchful] if is_of_imports else [speaking, near, watchful, strong]
        found = dict.fromkeys(test for tests in first for test in tests)
        for tests in (direct, users, others):
            found |= dict.fromkeys(self._in_turn(tests))
        left = found.keys() - self._passed.get(mutant.key, ())
        return sorted((test for test in found if test in left), key=lambda test: self.seconds[test] > SLOW)

    def _strong(self, tests: set[str]) -> list[str]:
        """Return the tests that noticed most changes anywhere in the time that they take."""
        strong = [test for test in sorted(tests) if self._noticed[test] >= STRONG]
        return heapq.nlargest(
            MOST_STRONG, strong, key=lambda test: self._noticed[test] / (1 + self.seconds[test])
        )

    def _in_turn(self, tests: Iterable[str]) -> list[str]:
        """Order tests: of each file first those that are quick and reach little else: they are about it."""
        files: dict[str, list[str]] = defaultdict(list)
        for test in sorted(tests, key=lambda test: (self._effort[test], test)):
            files[test.partition("::")[0]].append(test)
        in_order = sorted(files.values(), key=lambda tests: self._effort[tests[0]])
        return [test for row in zip_longest(*in_order) for test in row if test is not None]


def _room_of(module: str) -> str:
    return module.rpartition("/")[0]


def _speaking_of(wanted: frozenset[str], tests: set[str]) -> list[str]:
    """Return the tests whose names share most with some words: words that few of the names have."""
    common = Counter(word for test in tests for word in wanted & _words(test))
    weights = {
        test: sum(math.log(len(tests) / common[word]) for word in wanted & _words(test))
        for test in sorted(tests)
    }
    speaking = [test for test, weight in weights.items() if weight > RARE]
    return heapq.nlargest(MOST_SPEAKING, speaking, key=weights.__getitem__)


@cache
def _tree_of(module: str) -> ast.Module:
    return ast.parse(source_of(module))


@cache
def _statements(module: str) -> dict[int, range]:
    """Return for each line the lines of its innermost statement, without those of a block in it."""
    found: dict[int, range] = {}
    for node in ast.walk(_tree_of(module)):  # outer ones come first
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
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]{3,}", text.lower()))


def names_at(module: str, line: int) -> set[str]:
    """Return what is defined at a line outside of functions."""
    block: list[ast.stmt] = _tree_of(module).body
    names: set[str] = set()
    while block:
        node = next((node for node in block if node.lineno <= line <= (node.end_lineno or 0)), None)
        block = node.body if isinstance(node, ast.ClassDef) else []
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found = {target.id for target in targets if isinstance(target, ast.Name)}
        names = found or names
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names = {node.name}
    return names


@cache
def places_of_names() -> dict[str, list[tuple[str, int]]]:
    """Return the modules and lines in which each name stands."""
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for module in modules():
        for line, code in enumerate(source_of(module).decode().splitlines(), 1):
            for name in set(re.findall(r"\w+", code)):
                found[name].append((module, line))
    return found


@cache
def importers() -> dict[str, list[str]]:
    """Return which modules import each module."""
    return _importing(modules())


def readers(module: str) -> list[str]:
    """Return the files of tests that import a module: they may read what it defines without running it."""
    return _readers()[module]


@cache
def _readers() -> dict[str, list[str]]:
    return _importing([str(path.relative_to(ROOT)) for path in sorted((ROOT / "tests").rglob("test_*.py"))])


def _importing(files: list[str]) -> dict[str, list[str]]:
    """Return which of some files import each module."""
    by_name = {"paifu." + module.removesuffix(".py").replace("/", "."): module for module in modules()}
    found: dict[str, list[str]] = defaultdict(list)
    for file in files:
        for node in ast.walk(_tree_of(file)):
            names: list[str] = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            for name in names:
                if name in by_name and by_name[name] != file:
                    found[by_name[name]].append(file)
    return found


def sample(number: int, seed: int, part: str) -> list[Mutant]:
    """Return that many mutants, spread over the modules by the lines that can be changed.

    Each is chosen by a hash of its own text, so that an edit elsewhere changes little of the sample.
    """

    def lot(mutant: Mutant) -> bytes:
        return sha256(f"{seed} {mutant.key}".encode()).digest()

    by_line: dict[tuple[str, int], list[Mutant]] = defaultdict(list)
    for mutant in every_mutant(part):
        by_line[mutant.module, mutant.change.line].append(mutant)
    chosen = heapq.nsmallest(number, by_line.values(), key=lambda mutants: lot(mutants[0]))
    return [min(mutants, key=lot) for mutants in chosen]


def every_mutant(part: str) -> Iterator[Mutant]:
    """Yield the changes of the modules with ``part`` in their path, but those without a consequence."""
    equivalent = known_equivalents()
    for module in modules(part):
        seen = Counter[tuple[str, str]]()
        for change in changes(source_of(module)):
            code = Mutant(module, change).code
            mutant = Mutant(module, change, seen[code, str(change)])
            seen[code, str(change)] += 1
            names = [(str(change), None), (str(change), mutant.before), (ANY, None)]
            if not {(module, code, *name) for name in names} & equivalent:
                yield mutant


ANY = "any"


def known_equivalents() -> set[tuple[str, str, str, int | None]]:
    """Return the changes that are listed as without a consequence: module, line and change, or ANY of it.

    Where the module has the same line and change several times and the list means one of them, it says how
    many come ``before``.
    """
    listed = tomllib.loads(EQUIVALENT.read_text()) if EQUIVALENT.exists() else {}
    return {
        (module, entry["line"], entry["change"], entry.get("before"))
        for module, entries in listed.items()
        for entry in entries
    }


def by_stages(tests: list[str]) -> list[str]:
    """Put the tests of each stage in the order of their files, which share what they need."""
    found, begin = [], 0
    for stage in STAGES:
        found += sorted(tests[begin : begin + stage], key=lambda test: test.partition("::")[0])
        begin += stage
    return found
