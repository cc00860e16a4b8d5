"""The program that changes lines one at a time: its changes, its choice of tests, and a score."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "bench"))

import mutant_choice as choice  # noqa: E402
import mutants  # noqa: E402
from mutant_changes import changes  # noqa: E402

LEAST = 75
"""Percent of a sample that tests must notice."""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b", {"x = a <= b", "x = a >= b"}),
        ("x = a != b", {"x = a == b"}),
        ("x = a not in b", {"x = a in b"}),
        ("x = a and b", {"x = a or b"}),
        ("x = a + b * c", {"x = a - b * c", "x = a + b + c"}),
        ("x = 7", {"x = 8", "x = (6)"}),
        ("x = not a", {"x =  a"}),
        ("x += y", {"x -= y", "pass"}),
        ("x.y = z", {"pass"}),
        ("f(x)", {"pass"}),
        ("x = [a for a in b if a]", {"x = [a for a in b if (not (a))]"}),
        ("def f() -> bool:\n    return a", {"def f() -> bool:\n    return (not (a))"}),
        ("x = (a  # a + b\n  + b)", {"x = (a  # a + b\n  - b)"}),
        ("x = 'text' + y", set()),
        ("assert a < 3", set()),
        ("raise E(3)", set()),
        ("x: int = y", set()),
        ("x: int = 3", {"x: int = 4", "x: int = (2)"}),
        ("def warm_up():\n    f(3)", set()),
        ("é = 'é' if a < b else c", {"é = 'é' if a <= b else c", "é = 'é' if a >= b else c",
                                     "é = 'é' if (not (a < b)) else c"}),
    ],
)  # fmt: skip
def test_changes_of_a_line(source: str, expected: set[str]) -> None:
    data = source.encode()
    assert {change.apply(data).decode() for change in changes(data)} == expected


def test_every_change_is_another_program() -> None:
    count = 0
    for module in choice.modules("replay/scoring"):
        source = choice.source_of(module)
        tree = ast.dump(ast.parse(source))
        for change in changes(source)[::30]:
            assert ast.dump(ast.parse(change.apply(source))) != tree, (module, str(change))
            count += 1
    assert count > 40


def test_what_is_listed_as_without_a_consequence_is_there() -> None:
    listed = choice.known_equivalents()
    assert len(listed) > 15
    for module, line, change, before in listed:
        lines = source_lines(module)
        same = [one for one in changes(choice.source_of(module)) if lines[one.line - 1] == line]
        fitting = [one for one in same if change in (str(one), choice.ANY)]
        assert len(fitting) > (before or 0), (module, line, change)


def source_lines(module: str) -> list[str]:
    return [line.strip() for line in choice.source_of(module).decode().splitlines()]


def trace_of(folder: Path, reached: dict[str, list[tuple[str, int]]]) -> choice.Trace:
    """A trace as the plugin writes it: test -> the places that it reaches."""
    places = sorted({place for row in reached.values() for place in row})
    rows = [[places.index(place) for place in row] for row in reached.values()]
    np.savez(folder / "lines-1.npz", lines=np.concatenate(rows), lengths=np.array(list(map(len, rows))))
    np.savez(folder / "lines-2.npz", lines=np.empty(0, np.int64), lengths=np.empty(0, np.int64))
    (folder / "tests-2.json").write_text("[{}, [], []]")  # of a process that had nothing to do
    tests = {name: ("passed", 0.1 * len(row)) for name, row in reached.items()}
    (folder / "tests-1.json").write_text(json.dumps([tests, places, list(reached)]))
    return choice.Trace(folder)


def mutant_at(module: str, code: str, change: str) -> choice.Mutant:
    """The one change of that name in the line with this code."""
    every = [choice.Mutant(module, one) for one in changes(choice.source_of(module))]
    (found,) = (one for one in every if code in one.code and str(one.change) == change)
    return found


LIMITS = "replay/scoring/limits.py"
TESTS = [f"tests/test_scoring.py::test_limits_go_by_base_points[{case}]" for case in ("1920-0", "2000-1")]
IMPORTING = "tests/test_places.py::test_an_east_game_is_shorter"
SOUND = [*TESTS, IMPORTING]
TRY = """
import sys
from pathlib import Path
import mutant_choice, mutant_processes, test_mutants
trace = mutant_choice.Trace(Path(sys.argv[1]))
limits, places = test_mutants.LIMITS, "replay/course/places.py"
for module, code, change in (
    (limits, "base >= least", ">= -> >"),
    (limits, "base >= least", ">= -> <"),
    (limits, "SANBAIMAN = 4", "4 -> 5"),
    (places, "NEITHER_DEALS, AHEAD_DEALS", "3 -> (2)"),
):
    mutant = test_mutants.mutant_at(module, code, change)
    outcome = mutant_processes.try_out(mutant, trace, 60)
    print(outcome.noticed_by or "not noticed", outcome.ran, outcome.tests, len(outcome.passed), sep=", ")
print(sorted(mutant_processes.sound(list(trace.seconds), trace)) == sorted(test_mutants.SOUND))
"""


def line_of_limits() -> int:
    """The line in which the one function of limits decides."""
    return 1 + next(number for number, line in enumerate(source_lines(LIMITS)) if "base >= least" in line)


def failing_test(folder: Path, name: str) -> str:
    """Write a test that fails, with or without a change."""
    file = folder / "test_failing.py"
    file.write_text(f"def {name}():\n    assert False\n")
    return f"{os.path.relpath(file, ROOT)}::{name}"


def printed_by(program: str, folder: Path) -> list[str]:
    """Run a program that tries changes, in an interpreter of its own."""
    paths = os.pathsep.join([str(ROOT / "bench"), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)],
        env=os.environ | {"PYTHONPATH": paths}, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert not done.returncode, done.stderr
    return done.stdout.splitlines()


def test_tests_are_chosen_by_the_lines_they_reach(tmp_path: Path) -> None:
    source = choice.source_of(LIMITS)
    change = next(one for one in changes(source) if b"def " in b"\n".join(source.splitlines()[: one.line]))
    mutant = choice.Mutant(LIMITS, change)
    line = choice.lines_of(mutant)[0]
    reach = {f"tests/test_a.py::{number}": [(LIMITS, line)] * (number + 1) for number in range(6)}
    trace = trace_of(
        tmp_path, reach | {"tests/test_b.py::far": [(LIMITS, 1)], "tests/c.py::x": [("x.py", 3)]}
    )
    assert trace.tests_for(mutant) == [f"tests/test_a.py::{number}" for number in range(6)]
    few = trace_of(tmp_path, dict(list(reach.items())[:2]) | {"tests/test_b.py::far": [(LIMITS, 1)]})
    assert few.tests_for(mutant) == ["tests/test_a.py::0", "tests/test_a.py::1", "tests/test_b.py::far"]
    assert few.is_of_imports(mutant)
    assert "tests/test_codes.py" in choice.readers("replay/kernels/codes.py")
    assert not trace.is_of_imports(mutant)


def test_a_constant_is_tested_first_by_what_reaches_its_users(tmp_path: Path) -> None:
    mutant = mutant_at(LIMITS, "SANBAIMAN = 4", "4 -> 5")
    assert choice.names_at(LIMITS, mutant.change.line) == {"SANBAIMAN"}
    user = next(
        place for place in choice.places_of_names()["SANBAIMAN"] if place != (LIMITS, mutant.change.line)
    )
    reach = {"tests/a.py::quick": [(LIMITS, 1)], "tests/b.py::user": [user, (LIMITS, 1)]}
    assert trace_of(tmp_path, reach).tests_for(mutant) == ["tests/b.py::user", "tests/a.py::quick"]
    (tmp_path / "outcomes.json").write_text(json.dumps({f"{LIMITS}: x: y: 0": "tests/a.py::quick"}))
    watchful = choice.Trace(tmp_path).tests_for(mutant)
    assert watchful == ["tests/a.py::quick", "tests/b.py::user"], "it noticed another change of the module"
    (tmp_path / "passed.json").write_text(json.dumps({mutant.key: ["tests/a.py::quick"]}))
    assert choice.Trace(tmp_path).tests_for(mutant) == ["tests/b.py::user"], "the other has run with it"


def test_a_change_is_tried_in_memory(tmp_path: Path) -> None:
    source = choice.source_of(LIMITS)
    others = {
        IMPORTING: [("replay/course/places.py", 1)],
        failing_test(tmp_path, "test_what_fails_anyway"): [("x.py", 1)],
    }
    trace_of(tmp_path, {name: [(LIMITS, line_of_limits())] for name in TESTS} | others)
    assert printed_by(TRY, tmp_path) == [
        f"{TESTS[1]}, 2, 2, 0", f"{TESTS[0]}, 2, 2, 0", "not noticed, 2, 2, 2",
        "it cannot be imported, 1, 1, 0", "True",
    ]  # fmt: skip
    assert (ROOT / LIMITS).read_bytes() == source


TRY_IN_FORKS = """
import sys
from pathlib import Path
import mutants, test_mutants
change = test_mutants.mutant_at(test_mutants.LIMITS, "base >= least", ">= -> <")
for outcome in mutants.outcomes([change], Path(sys.argv[1]), 60, 1, in_forks=True):
    print(outcome.noticed_by)
"""


def test_in_forks_too_a_test_that_fails_anyway_notices_nothing(tmp_path: Path) -> None:
    gone = [f"tests/test_scoring.py::gone[{number}]" for number in range(choice.FEW)]
    every = [failing_test(tmp_path, "test_limits_of_base"), *gone, *TESTS]
    trace_of(tmp_path, {name: [(LIMITS, line_of_limits())] for name in every})
    assert printed_by(TRY_IN_FORKS, tmp_path) == [TESTS[0]]


def test_what_fails_without_a_change_has_noticed_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_two = [mutant_at(LIMITS, "base >= least", f">= -> {sign}") for sign in "><"]
    trace_of(tmp_path, {name: [(LIMITS, 1)] for name in TESTS})
    noticed_by = {mutant.key: test for mutant, test in zip(by_two, TESTS, strict=True)}
    monkeypatch.setattr(mutants, "sound", lambda _tests, _trace: {TESTS[0]})
    mutants.leave_out_unsound(by_two, noticed_by, tmp_path)
    assert noticed_by == {by_two[0].key: TESTS[0]}
    assert list(choice.Trace(tmp_path).seconds) == TESTS[:1]


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring is new in Python 3.12")
def test_a_sample_of_changes_is_noticed(tmp_path: Path) -> None:
    """It takes down first what all tests reach, which takes half an hour."""
    program = [sys.executable, str(ROOT / "bench" / "mutants.py")]
    subprocess.run([*program, "trace", "--folder", tmp_path], check=True, capture_output=True)
    done = subprocess.run(
        [*program, "run", "--folder", tmp_path, "--sample", "50", "--seed", "3"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    tried, noticed = map(int, re.findall(r"^all +(\d+) +(\d+)", done.stdout, re.MULTILINE)[0])
    assert tried == 50
    assert 100 * noticed >= LEAST * tried, done.stdout
