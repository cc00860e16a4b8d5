"""Kernels stay within their arrays: real games read, replayed and reviewed once with checked indices."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[1] / "sample_logs"

ANSWERS = """
import hashlib, sys
from paifu.api.compiling import load
from paifu.parsers.read import read_batches
from paifu.replay.kernels import jit
from paifu.replay.table.engine import replay
load(jit.REVIEW)
for batch in read_batches(sys.argv[1:]):
    replayed = replay(batch, review=True)
    tables = (batch.events, batch.hands, batch.wins, replayed.findings, replayed.player_hands,
              replayed.scored_wins, replayed.review.findings)
    digest = hashlib.sha256()
    for table in tables:
        for name, array in table.arrays():
            digest.update(repr((name, array.tolist())).encode())
    print(len(batch), len(batch.events), digest.hexdigest())
"""

OUTSIDE = """
import numpy as np
from paifu.replay.kernels.arrays import I64
from paifu.replay.kernels.jit import entry, kernel

@kernel
def third(numbers: I64) -> int:
    return int(numbers[3])

@entry
def ask(numbers: I64) -> int:
    return third(numbers)

ask(np.zeros(2, np.int64))
"""


def run(script: str, cache: Path, *arguments: str, is_checked: bool) -> subprocess.CompletedProcess[str]:
    """Run a script with compiled kernels of its own."""
    environment = os.environ | {"PAIFU_JIT": "on", "PAIFU_CACHE_DIR": str(cache / str(is_checked))}
    if is_checked:
        environment["NUMBA_BOUNDSCHECK"] = "1"
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], env=environment, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the kernels of these tests are kept."""
    return tmp_path_factory.mktemp("kernels")


def test_an_index_outside_of_an_array_is_seen(tmp_path: Path) -> None:
    """Or the comparison below would show nothing."""
    done = run(OUTSIDE, tmp_path, is_checked=True)
    assert done.stderr.splitlines()[-1].startswith("paifu.replay.kernels.machine_code.KernelError: ")


def answers(cache: Path, *paths: Path) -> None:
    """Both ways give the same columns."""
    checked, unchecked = (run(ANSWERS, cache, *map(str, paths), is_checked=way) for way in (True, False))
    assert (checked.returncode, unchecked.returncode) == (0, 0), checked.stderr + unchecked.stderr
    assert checked.stdout == unchecked.stdout
    assert int(checked.stdout.split()[0]) > 1


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
    "simulator": ("simulate", "--games", "3", "--players", "model,caller,wild,defender:20", "-o", "out"),
    "simulator of three": (
        "simulate", "--rules", "tenhou-sanma", "--games", "3", "--players", "model", "-o", "out",
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
