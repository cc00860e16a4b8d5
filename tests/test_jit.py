"""Compiled or interpreted: who decides, and when the compiled engine counts as there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from paifu.replay.kernels import jit, rows


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A process that has not imported a kernel yet, and an empty cache of its own."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(jit, "cache_folder", lambda: folder)
    monkeypatch.setattr(jit._Mode, "interpreted", False)
    monkeypatch.setattr(jit._Mode, "used", False)
    monkeypatch.delenv("PAIFU_JIT", raising=False)
    return folder


def test_a_cache_is_warm_once_the_whole_engine_was_compiled(fresh: Path) -> None:
    assert not jit.is_warm()
    jit.mark_warm()
    assert not fresh.exists()  # nothing was compiled, or it could not be kept
    fresh.mkdir()
    (fresh / "some.nbc").touch()
    assert not jit.is_warm()
    jit.mark_warm()
    assert jit.is_warm()


def test_an_interpreted_process_compiles_nothing(fresh: Path) -> None:
    fresh.mkdir()
    assert jit.interpret()
    jit.mark_warm()
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
    fresh.mkdir()
    if is_warm:
        jit.mark_warm()
    assert jit.choose(events) is is_compiled
    assert jit.is_interpreted() is not is_compiled
    assert jit.is_small(events) is not is_compiled


def test_what_runs_already_is_not_changed(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit._Mode, "used", True)
    assert jit.choose(10)
    monkeypatch.setattr(jit._Mode, "interpreted", True)
    assert not jit.choose(10**9)


def test_the_environment_decides_before_all(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAIFU_JIT", "on")
    assert jit.choose(10)
    assert not jit.is_interpreted()


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
