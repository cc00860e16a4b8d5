"""Compiled or interpreted: who decides, and when the compiled engine counts as there."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from paifu.api import compiling
from paifu.replay.kernels import jit, rows


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A process that has decided nothing yet, and an empty cache of its own."""
    folder = tmp_path / "paifu" / "kernels-1"
    monkeypatch.setattr(jit, "cache_folder", lambda: folder)
    for name, value in {"interpreted": False, "used": False, "awaited": "", "next_look": 0.0}.items():
        monkeypatch.setattr(jit._Mode, name, value)
    monkeypatch.setattr(jit._Mode, "loaded", set())
    monkeypatch.delenv("PAIFU_JIT", raising=False)
    return folder


def warm(part: str = jit.ENGINE) -> None:
    """Leave the cache as if ``part`` had been compiled by another process."""
    for needed in {part, jit.READING}:
        jit.mark_warm(needed)
    jit._Mode.loaded.clear()


def test_a_cache_is_warm_once_the_whole_engine_was_compiled(fresh: Path) -> None:
    assert not jit.is_warm()
    warm()
    assert not fresh.exists()  # nothing was compiled, or it could not be kept
    fresh.mkdir(parents=True)
    (fresh / "some.nbc").touch()
    assert not jit.is_warm()
    jit.mark_warm()
    assert not jit.is_warm()  # the fast reading belongs to it
    jit.mark_warm(jit.READING)
    assert jit.is_warm()


def test_an_interpreted_process_compiles_nothing(fresh: Path) -> None:
    fresh.mkdir(parents=True)
    assert jit.interpret()
    warm()
    assert not jit.is_warm()


@pytest.mark.parametrize(
    ("events", "is_warm", "is_compiled"),
    [
        (0, False, False),
        (1_500, False, False),
        (80_000, False, False),
        (90_000, False, True),
        (1_500, True, False),
        (80_000, True, True),
    ],
)
def test_a_small_input_is_interpreted(fresh: Path, events: int, is_warm: bool, is_compiled: bool) -> None:
    fresh.mkdir(parents=True)
    if is_warm:
        warm()
    assert jit.choose(events) is is_compiled
    assert jit.is_interpreted() is not is_compiled
    assert jit.is_small(events) is not is_compiled


def test_a_small_input_does_not_decide_for_a_large_one(fresh: Path) -> None:
    assert not jit.choose(10)
    assert jit.choose(10**9)
    assert not jit.choose(10)


def test_what_is_loaded_is_used_for_a_small_input_too(fresh: Path) -> None:
    assert jit.choose(10**9)
    jit.mark_warm()
    assert jit.choose(10)
    assert not jit.choose(10, jit.REVIEW)


def test_a_process_that_waits_goes_on_compiled_when_others_are_done(fresh: Path) -> None:
    assert jit.may_wait()
    jit.wait_for(jit.ENGINE)
    assert jit.is_interpreted()
    (fresh / "engine-is-compiled").touch()
    jit._Mode.next_look = 0.0
    assert jit.is_interpreted()
    assert jit.awaited() == jit.ENGINE
    (fresh / "reading-is-compiled").touch()
    assert jit.is_interpreted()  # it does not look all the time
    jit._Mode.next_look = 0.0
    assert not jit.is_interpreted()
    assert jit.awaited() == ""
    assert not jit.may_wait()


@pytest.mark.parametrize("stated", ["on", "off"])
def test_the_environment_decides_before_all(
    fresh: Path, monkeypatch: pytest.MonkeyPatch, stated: str
) -> None:
    monkeypatch.setenv("PAIFU_JIT", stated)
    assert jit.choose(10) is (stated == "on")
    assert jit.choose(10**9) is (stated == "on")
    assert not jit.may_wait()


def test_no_two_processes_compile_the_same(fresh: Path) -> None:
    with jit.compiling_alone(jit.ENGINE) as first, jit.compiling_alone(jit.ENGINE) as second:
        assert (first, second) == (True, False)
        with jit.compiling_alone(jit.REVIEW) as other:
            assert other
    with jit.compiling_alone(jit.ENGINE) as again:
        assert again


SWITCHES = """
from paifu.replay.kernels import jit
from paifu.replay.kernels.shapes import seven_pairs_shanten as pairs
jit.interpret()
assert pairs(3, 1) == 3 and pairs.compiled is None
jit.choose(10**9, jit.SIMULATOR)
assert pairs(3, 1) == 3 and pairs.compiled is not None
jit.interpret()
pairs.compiled = None
assert pairs(3, 1) == 3 and pairs.compiled is None
"""


def test_an_entry_runs_either_way_in_one_process(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PAIFU_JIT"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SWITCHES],
        env=environment | {"PAIFU_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_run_over_an_empty_cache_goes_on_while_others_compile(tmp_path: Path) -> None:
    """And its answer is the same, as is that of the next run, which finds the engine compiled."""
    environment = {name: value for name, value in os.environ.items() if name != "PAIFU_JIT"}
    environment |= {"PAIFU_CACHE_DIR": str(tmp_path / "cache")}
    samples = [str(Path(__file__).parents[1] / "sample_logs" / "games")] * 60
    answers = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-m", "paifu.cli.__main__", "verify", *samples, "-j", "2", "-f", "json"],
            env=environment, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        answers.append((done.returncode, done.stdout))
        talk = done.stderr
        for _ in range(300):
            if len(list(tmp_path.glob("cache/*/*-is-compiled"))) == 2:
                break
            time.sleep(1)
    assert answers[0] == answers[1]
    assert "compiling" not in talk


def test_compiled_kernels_are_kept_by_the_places_of_the_columns_that_they_fill(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = jit.cache_folder.__wrapped__
    kept = folder()
    assert folder() == kept
    for name in ("NOTED", "SCORED", "PLAYER", "FOUND", "PATH_BITS"):
        with monkeypatch.context() as changed:
            places = getattr(rows, name)
            changed.setattr(rows, name, 4 if name == "PATH_BITS" else type(places)(*reversed(places)))
            assert folder() != kept
    assert folder() == kept


MODULES = (
    "paifu.replay.findings.finding",
    "paifu.reports.findings.output",
    "paifu.reports.findings.tally",
    "paifu.parsers.read",
    "paifu.api.pipeline",
    "paifu.api.verification",
    "paifu.api.reviewing",
    "paifu.api.counting",
    "paifu.api.gathering",
    "paifu.api.importing",
)


@pytest.mark.parametrize("module", MODULES)
def test_what_comes_before_the_choice_imports_no_kernel(module: str) -> None:
    script = f"import {module}; from paifu.replay.kernels.jit import _Mode; import sys; sys.exit(_Mode.used)"
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


@pytest.mark.parametrize(
    ("processors", "shares"),
    [
        (1, [[jit.REVIEW, jit.DECISIONS, jit.READING]]),
        (2, [[jit.REVIEW], [jit.DECISIONS, jit.READING]]),
        (8, [[jit.REVIEW], [jit.DECISIONS], [jit.READING]]),
    ],
)
def test_compilers_share_their_work(processors: int, shares: list[list[str]]) -> None:
    assert compiling._shares(list(jit.needed(jit.DECISIONS)), processors) == shares
    assert compiling._shares([], processors) == []
