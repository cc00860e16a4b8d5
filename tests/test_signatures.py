"""What kernels take: their annotations say it, numba compiles for it, and callers bring it."""

from __future__ import annotations

import ast
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import typeof

from paifu.replay.judgement.deciding import new_decisions
from paifu.replay.judgement.model import empty_tables
from paifu.replay.kernels import rows
from paifu.replay.kernels.signatures import OpenTypeError, example, examples
from paifu.replay.kernels.wall_checks import Walls
from paifu.replay.model.batch import Batch
from paifu.replay.review.results import new_review, review_of
from paifu.replay.rules.presets import load_preset
from paifu.replay.shapes.tables import load_tables
from paifu.replay.simulate.games import Desk, new_judge
from paifu.replay.table import engine
from paifu.replay.walls.hands import walls_of

ROOT = Path(__file__).parents[1]
KERNELS = ROOT / "replay" / "kernels"
OF_ANY_ARRAY = {
    "readings_kernel", "is_triplet_in_every_reading", "score_kernel", "dora_kernel", "suit_keys",
    "drawable_kinds", "live_tiles", "discards", "shanten_of_hands", "copy_rows", "shuffle",
}  # fmt: skip
"""Kernels that take arrays of several kinds."""
WITH_OR_WITHOUT_REVIEW = {"replay_hands"}
WITH_OR_WITHOUT_MODEL = {"play_hand", "own_turn", "kan_if_wanted", "call_if_wanted", "discard_as_wanted"}


def kernels() -> Iterator[Callable[..., Any]]:
    """All kernels, as the plain functions that they are."""
    for path in sorted(KERNELS.glob("*.py")):
        module = importlib.import_module(f"paifu.replay.kernels.{path.stem}")
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and [ast.unparse(d) for d in node.decorator_list] in (
                ["kernel"],
                ["entry"],
            ):
                marked = getattr(module, node.name)
                yield getattr(marked, "py_func", marked)


def test_annotations_settle_what_a_kernel_takes() -> None:
    every = list(kernels())
    assert len(every) > 150
    assert {function.__name__ for function in every if examples(function) is None} == (
        OF_ANY_ARRAY | WITH_OR_WITHOUT_REVIEW | WITH_OR_WITHOUT_MODEL
    )


def brought() -> Iterator[Any]:
    """What callers hand to kernels."""
    for preset in ("tenhou", "tenhou-sanma"):
        desk = Desk(load_preset(preset))
        yield from (desk.table, desk.notes, desk.scoring, desk.shapes, desk.hands, desk.claims, desk.draws)
        yield from (desk.supply, desk.record, desk.kernel_rules)
        yield new_judge(desk.rules.players)
    yield load_tables(sanma=True)
    batch = Batch.empty()
    run = engine._Run(batch, np.zeros(0, np.int64), 1, True, True)
    yield from (run.hands, run.events, run.wins, run.draws)
    yield review_of(new_review(batch, 1), 4)
    yield new_decisions(1)
    yield empty_tables()
    for players in (3, 4):
        yield walls_of(batch, np.zeros(0, np.int64), "", players)


@pytest.mark.parametrize("value", list(brought()), ids=lambda value: type(value).__name__)
def test_callers_bring_what_is_annotated(value: Any) -> None:
    assert typeof(value) == typeof(example(type(value)))


def test_an_array_that_may_not_be_written_to_is_of_another_type() -> None:
    walls = walls_of(Batch.empty(), np.zeros(0, np.int64), "", 4)
    walls.deal.flags.writeable = False
    assert typeof(walls) != typeof(example(Walls))


@pytest.mark.parametrize("annotation", [int | None, np.ndarray, Any])
def test_an_open_annotation_has_no_example(annotation: Any) -> None:
    with pytest.raises(OpenTypeError):
        example(annotation)


ONE_VERSION = """
import numpy as np
from paifu.replay.kernels.jit import entry
from paifu.replay.kernels.table_state import kind_of

@entry
def add(tile: int, is_red: bool) -> int:
    return kind_of(35) + kind_of(is_red) + kind_of(tile)

assert kind_of(np.uint8(36)) == 22
assert (add(3, False), add(np.uint8(34), np.bool_(True)), add(np.int16(4), 1)) == (16, 18, 18)
print(len(kind_of._numba_type_.dispatcher.overloads), len(add.compiled._versions))
"""


def test_a_kernel_is_compiled_once_whatever_it_is_called_with(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", ONE_VERSION],
        env=os.environ | {"PAIFU_JIT": "on", "PAIFU_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert run.stdout.strip() == "1 1", run.stderr


PLACES = re.compile(r"\b(NOTED|SCORED|PLAYER|FOUND|OPTION)\.([a-z_]+)")


def test_every_place_that_is_named_is_that_of_a_column() -> None:
    """A type checker does not know them."""
    sources = [path for part in ("replay", "parsers", "tests") for path in (ROOT / part).rglob("*.py")]
    named = {match for path in sources for match in PLACES.findall(path.read_text("utf-8"))}
    assert len(named) > 70
    assert {(table, column) for table, column in named if column not in getattr(rows, table)._fields} == set()


def _python_calls() -> set[tuple[str, str]]:
    """(module, kernel) for each kernel that is no entry and that a module outside the folder uses."""
    root = Path(__file__).parents[1]
    kernels = {
        (path.stem, node.name)
        for path in (root / "replay" / "kernels").glob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(mark, ast.Name) and mark.id == "kernel" for mark in node.decorator_list)
    }
    assert len(kernels) > 150
    found = set()
    for folder in ("api", "cli", "parsers", "replay", "reports"):
        for path in (root / folder).rglob("*.py"):
            if path.parent.name == "kernels":
                continue
            modules: dict[str, str] = {}
            tree = ast.parse(path.read_text("utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and node.module == "paifu.replay.kernels":
                    modules |= {alias.asname or alias.name: alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                    "paifu.replay.kernels."
                ):
                    source = (node.module or "").rpartition(".")[2]
                    names = {alias.name for alias in node.names if (source, alias.name) in kernels}
                    found |= {(path.stem, name) for name in names}
            for node in ast.walk(tree):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    called = {(modules.get(node.value.id, ""), node.attr)} & kernels
                    found |= {(path.stem, name) for _, name in called}
    return found


def test_what_python_calls_in_earnest_is_an_entry() -> None:
    """A kernel that is none runs as plain Python when Python calls it: right, but slow."""
    of_one_hand = {"suit_keys", "drawable_kinds", "live_tiles", "dora_of", "take", "swap_calls"}
    calls = {(module, name) for module, name in _python_calls() if module != "scripted"}
    assert {name for _, name in calls} == of_one_hand
    assert ("scripted", "make_discard") in _python_calls()
