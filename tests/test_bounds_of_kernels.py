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
def test_no_kernel_leaves_its_arrays_with_sample_logs(tmp_path: Path) -> None:
    answers(tmp_path, *(SAMPLES / name for name in ("formats", "games", "scenarios", "rulesets", "broken")))


@pytest.mark.slow
@pytest.mark.corpus
def test_no_kernel_leaves_its_arrays_with_real_games(tmp_path: Path, shared: Path) -> None:
    answers(tmp_path, shared / "logs" / "mjlog", shared / "logs" / "tenhou6")
