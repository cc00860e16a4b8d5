"""Kernels stay within their arrays: real games read, replayed and reviewed once with checked indices."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_kernels import everything

SAMPLES = Path(__file__).parents[2] / "sample_logs"


def run(script: str, cache: Path, *arguments: str, is_checked: bool) -> subprocess.CompletedProcess[str]:
    """Run a script, with kernels that numba compiles where indices are checked."""
    environment = os.environ | {
        "PAIFU_KERNELS": "jit" if is_checked else "library",
        "PAIFU_CACHE_DIR": str(cache),
    }
    if is_checked:
        environment["NUMBA_BOUNDSCHECK"] = "1"
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], env=environment, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the kernels of these tests are kept."""
    return tmp_path_factory.mktemp("kernels")


def answers(cache: Path, *paths: Path) -> None:
    """Both ways give the same columns."""
    checked = everything("jit", *paths, NUMBA_BOUNDSCHECK="1", PAIFU_CACHE_DIR=str(cache))
    assert checked == everything("library", *paths)
    assert int(checked[0][0]) > 1


@pytest.mark.slow
def test_no_kernel_leaves_its_arrays_with_sample_logs(cache: Path) -> None:
    answers(cache, *(SAMPLES / name for name in ("formats", "games", "scenarios", "rulesets", "broken")))


@pytest.mark.slow
@pytest.mark.corpus
def test_no_kernel_leaves_its_arrays_with_real_games(cache: Path, shared: Path) -> None:
    answers(cache, shared / "logs" / "mjlog", shared / "logs" / "tenhou6")


COMMANDS = {
    "decisions": ("review", str(SAMPLES / "games"), "--format", "jsonl", "--jobs", "1"),
    "danger": ("danger", str(SAMPLES / "games" / "hanchan-4p-01.mjlog.gz"), "--format", "jsonl"),
    "solver": ("discard", "1234m23406p6788s1z", "--dora", "3s", "--turn", "6", "--format", "json"),
    "solver with calls and rivers": (
        "discard", "34678m678p22s5z(345p)", "--riichi", "west", "--river", "west=9m1z4p", "--format", "json",
    ),
    "simulator": ("simulate", "--games", "3", "--players", "strong,caller,wild,defender:20", "-o", "out"),
    "simulator of three": (
        "simulate", "--rules", "tenhou-sanma", "--games", "3", "-o", "out",
    ),
}  # fmt: skip
"""What has kernels of its own besides those of the replay."""


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_no_other_kernel_leaves_its_arrays(tmp_path: Path, cache: Path, name: str) -> None:
    answers = []
    for is_checked in (True, False):
        folder = tmp_path / f"of-{is_checked}"
        folder.mkdir()
        script = f"import os; os.chdir({str(folder)!r}); from paifu.cli.__main__ import main; main()"
        done = run(script, cache, *COMMANDS[name], is_checked=is_checked)
        assert done.returncode in (0, 1), done.stderr
        logs = [(path.name, path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file()]
        answers.append((done.returncode, done.stdout, logs))
    assert answers[0] == answers[1]
    assert answers[0][1] or len(answers[0][2]) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["test_fuzz.py", "test_hostile_input.py", "test_hostile_datasets.py", "test_mutations.py",
             "test_findings.py", "test_furiten.py", "test_review.py", "test_scoring.py", "test_solver.py"],
)  # fmt: skip
def test_what_others_test_stays_within_the_arrays(cache: Path, name: str) -> None:
    """Damaged input, changed games and odd hands, compiled and checked: kernels raise for a wrong index."""
    environment = os.environ | {
        "PAIFU_KERNELS": "jit", "PAIFU_CACHE_DIR": str(cache), "NUMBA_BOUNDSCHECK": "1"
    }  # fmt: skip
    (file,) = Path(__file__).parents[1].rglob(name)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)],
        env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert re.search(r"^\d+ passed", done.stdout.splitlines()[-1]), done.stdout
