"""Hostile input found by chance: logs, datasets, hands and rules, each mangled at random.

Whatever goes in, a command ends with a status and words. ``bench/attack.py`` does the same for as long as
one likes, and with checked indices.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import call
from damaged_files import DAMAGES
from each_row import each_row
from fuzzing import KINDS, MADE, SAMPLES, attempt, mangled_columns, sample_games
from hypothesis import given
from hypothesis import strategies as st
from shards import write_shard

from paifu.parsers.dataset.shards import open_for_import
from paifu.parsers.read import read_batches
from paifu.parsers.sources.paths import DATASET_MANIFEST
from paifu.replay.bounds import RANGES, BoundsError, check_batch
from paifu.replay.model.batch import Batch
from paifu.replay.rules.ruleset import FIELDS

# --- whole games ---------------------------------------------------------------------------------------


@pytest.mark.every(20)
@pytest.mark.parametrize("kind", KINDS)
def test_mangled_games_survive_everything(kind: str) -> None:
    games = () if kind in MADE else sample_games()  # few of the samples can be told as those
    hands = sum(attempt(number, kind, games)[0] for number in range(12))
    assert hands > 4, "hardly anything was left to replay"


CHECKED = """
import sys
sys.path.insert(0, sys.argv[1])
from fuzzing import attempt, sample_games
found = [attempt(number, sys.argv[2], sample_games()) for number in range(int(sys.argv[3]), int(sys.argv[4]))]
print(*map(sum, zip(*found)))
"""


def attempts_with_checked_indices(kind: str, first: int, last: int, **environment: str) -> tuple[int, int]:
    """Run some attempts in a process that notices every index out of bounds."""
    here = str(Path(__file__).parents[1] / "helpers")
    done = subprocess.run(
        [sys.executable, "-c", CHECKED, here, kind, str(first), str(last)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    hands, found = map(int, done.stdout.split())
    return hands, found


@pytest.mark.full
def test_mangled_games_keep_to_their_arrays() -> None:
    hands, found = attempts_with_checked_indices("mjlog", 100, 112, PAIFU_KERNELS="python")
    assert hands > 10
    assert found > 10


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_many_mangled_games_keep_to_their_arrays(tmp_path_factory: pytest.TempPathFactory, kind: str) -> None:
    cache = tmp_path_factory.getbasetemp() / "checked"
    environment = {"PAIFU_KERNELS": "jit", "NUMBA_BOUNDSCHECK": "1", "PAIFU_CACHE_DIR": str(cache)}
    hands, _ = attempts_with_checked_indices(kind, 1000, 2000, **environment)
    assert hands > 1000


# --- batches that no parser made -----------------------------------------------------------------------


@each_row(("table", "column"), [(t, c) for t, columns in RANGES.items() for c in columns])
def test_a_number_out_of_range_is_refused(table: str, column: str) -> None:
    batch = rich_batch()
    check_batch(batch)
    rows = getattr(batch, table)
    low, high, none = RANGES[table][column]
    values = getattr(rows, column)
    info = np.iinfo(values.dtype)
    wrong = [value for value in (low - 1, high + 1) if info.min <= value <= info.max and value != none]
    for value in wrong:
        changed = values.copy()
        changed.reshape(-1)[-1] = value
        broken = replace(rows, **{column: changed})
        with pytest.raises(BoundsError, match=rf"{table}\.{column} of row {len(rows) - 1} is "):
            check_batch(replace(batch, **{table: broken}))
    assert wrong or (low, high) == (info.min, info.max), "a range that nothing can leave says nothing"


@cache
def rich_batch() -> Batch:
    """Games with rows in every table."""
    (report,) = read_batches([SAMPLES / "platforms" / "report.json.gz"])
    batch = Batch.concatenate([*sample_games()[:6], report])
    assert all(len(getattr(batch, table)) for table in RANGES)
    return batch


def test_rows_that_are_missing_are_refused() -> None:
    batch = rich_batch()
    for name in ("wins", "hand_draws", "events", "hands", "games"):
        rows = getattr(batch, name)
        fewer = type(rows)(**{column: array[:-1] for column, array in rows.arrays()})
        with pytest.raises(BoundsError):
            check_batch(replace(batch, **{name: fewer}))


# --- datasets ------------------------------------------------------------------------------------------

COMMANDS = (
    ("verify", "-f", "json"),
    ("review", "-f", "json"),
    ("stats", "--all", "-f", "json"),
    ("danger", "-f", "csv"),
)


def survives(*arguments: str | Path) -> int:
    """Call a command, which may refuse but not crash; return its status."""
    result = call(*arguments)
    assert result.status in (0, 1, 2)
    assert result.status == 0 or result.talk
    return result.status


def store(root: Path, batch: Batch) -> None:
    """Make a dataset of a batch, whatever is in it."""
    with open_for_import(root) as writer:
        writer.add(write_shard(root, [bytes(16)], batch))


@pytest.mark.every(6)
@pytest.mark.parametrize("seed", range(12))
def test_a_dataset_with_mangled_numbers(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    store(tmp_path / "ds", mangled_columns(rich_batch(), rng))
    for command in COMMANDS:
        survives(command[0], tmp_path / "ds", *command[1:])


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound dataset; to be copied before it is spoilt."""
    root = tmp_path_factory.mktemp("sound") / "ds"
    assert call("import", SAMPLES / "formats", "-o", root).status == 0
    return root


def test_a_shard_named_as_a_path_is_refused(tmp_path: Path, dataset: Path) -> None:
    shutil.copytree(dataset, tmp_path / "ds")
    path = tmp_path / "ds" / DATASET_MANIFEST
    manifest = orjson.loads(path.read_bytes())
    manifest["shards"][0]["name"] = "../../elsewhere"
    path.write_bytes(orjson.dumps(manifest))
    result = call("verify", tmp_path / "ds")
    assert result.status == 2
    assert "not the manifest of a paifu dataset" in result.talk[0]


def test_columns_that_hold_nothing_are_refused(tmp_path: Path, dataset: Path) -> None:
    shutil.copytree(dataset, tmp_path / "ds")
    path = next((tmp_path / "ds" / "games").iterdir())
    table = pq.read_table(path)
    pq.write_table(table.set_column(0, "id", pa.nulls(len(table), pa.string())), path)
    assert survives("verify", tmp_path / "ds") == 2


# --- hands and rules -----------------------------------------------------------------------------------


@given(st.lists(st.text(alphabet="0123456789mpszrctd()[]'+-*, x東🀄", max_size=30), max_size=4))
def test_hands_are_scored_or_refused(words: list[str]) -> None:
    survives("score", "--", *words)


RULE_TEXTS = (
    "", "nan", "inf", "-1", "99999999999999999999", "true", "[1]", "[[]]", "{}", '"', "\n", "=", "東", "\0",
    "1e9", "0x10", "[9999999999999999999,0,0,0]", "forbidden", "[" * 500,
)  # fmt: skip


@given(st.sampled_from([*FIELDS, "", "nothing", "name", "players "]), st.sampled_from(RULE_TEXTS))
def test_rules_are_set_or_refused(name: str, value: str) -> None:
    survives("score", "123m456p789s1122z", "--set", f"{name}={value}")


@given(st.data())
def test_a_mangled_ruleset_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    rng = random.Random(data.draw(st.integers(0, 10_000)))  # noqa: S311
    path = tmp_path_factory.getbasetemp() / "mangled.toml"
    shutil.copy(Path(__file__).parents[2] / "replay" / "rulesets" / "presets" / "mleague.toml", path)
    DAMAGES[rng.choice(("flip", "cut", "fill", "insert"))](path, rng)
    survives("rules", "show", path)
    survives("score", "123m456p789s1122z", "--rules", path)
