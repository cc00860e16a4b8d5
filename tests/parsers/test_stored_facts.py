"""Facts that an import keeps: used where they fit, made anew where they do not, and never half there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from command import call

from paifu.parsers.dataset.entries import Shard
from paifu.parsers.dataset.shards import FACTS, has_facts, iter_shards, read_facts
from paifu.parsers.read import iter_items, read_batches
from paifu.replay import source_hash
from paifu.replay.table.engine import replay
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.recording import records, to_store
from paifu.reports.metrics.records import RECORD_TABLES, records_key

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"


def stats(path: Path, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(call("stats", path, "-j", "1", "-f", "json", *arguments).data)
    return found


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = tmp_path / "ds"
    assert call("import", SAMPLES, "-o", folder, "-j", "1").status == 0
    return folder


def test_statistics_of_a_dataset_are_those_of_its_logs(dataset: Path) -> None:
    assert stats(dataset, "--by", "player", "--all") == stats(SAMPLES, "--by", "player", "--all")


def test_the_facts_are_read_not_made(tmp_path: Path) -> None:
    """Where no game is there twice."""
    logs, dataset = sorted(SAMPLES.glob("*.mjlog*")), tmp_path / "ds"
    assert call("import", *logs, "-o", dataset, "-j", "1").status == 0
    (shard,) = iter_shards(dataset)
    assert has_facts(shard, RECORD_TABLES, records_key())
    expected = stats(dataset)
    shard.path("events").unlink()
    assert stats(dataset) == expected
    assert call("verify", dataset).status == 2, "the events are gone indeed"


def test_stored_tables_are_those_of_the_batch(dataset: Path) -> None:
    (shard,) = iter_shards(dataset)
    (batch,) = read_batches([dataset])
    kept = read_facts(shard, RECORD_TABLES)
    for name, table in to_store(records(replay(batch, review=True)), batch).items():
        assert len(table) > 0
        assert table.differences(kept[name]) == []
    assert list(kept) == [kind.NAME for kind in RECORD_TABLES]


def test_other_rules_are_replayed(dataset: Path) -> None:
    own = stats(dataset, "--metrics", "win_value")["population"]["stats"]["win_value"]
    found = stats(dataset, "--metrics", "win_value", "--rules", "mleague")["population"]["stats"]["win_value"]
    assert (
        found
        == stats(SAMPLES, "--metrics", "win_value", "--rules", "mleague")["population"]["stats"]["win_value"]
    )
    assert found != own


def test_facts_of_another_version_are_made_anew(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = stats(dataset)
    (shard,) = iter_shards(dataset)
    path = shard.path(f"{FACTS}/hand_records")
    table = pq.read_table(path)
    changed = table.schema.metadata | {b"paifu.facts": b"older"}
    pq.write_table(table.slice(0, 10).replace_schema_metadata(changed), path)
    assert not has_facts(shard, RECORD_TABLES, records_key())
    assert stats(dataset) == expected
    assert (
        "replaying: the dataset stores no facts, or those of another version" in call("stats", dataset).talk
    )


def test_damaged_facts_are_told(dataset: Path) -> None:
    (shard,) = iter_shards(dataset)
    path = shard.path(f"{FACTS}/hand_records")
    data = bytearray(path.read_bytes())
    for place in range(
        len(data) // 3, len(data) // 3 + 100
    ):  # more than a page's header, which may lie there
        data[place] ^= 0xFF
    path.write_bytes(bytes(data))
    found = call("stats", dataset, "-j", "1")
    assert found.status == 2
    assert any("remove the dataset and import again" in line for line in found.talk)


def test_faults_of_the_import_are_told_again(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "broken.mjlog").write_text("<mjloggm ver='2.3'><SHUFFLE", "utf-8")
    (logs / "good.mjlog.gz").write_bytes((SAMPLES / "hanchan.mjlog.gz").read_bytes())
    folder = tmp_path / "ds"
    assert call("import", logs, "-o", folder).status == 1
    found = call("stats", folder, "-j", "1")
    assert found.status == 1
    assert any("broken.mjlog" in line for line in found.talk)


def test_what_a_killed_import_left_is_cleared_away(dataset: Path) -> None:
    stray = dataset / FACTS / "hand_records" / "0123456789abcdef0123.parquet"
    stray.write_bytes(b"half")
    assert call("import", SAMPLES, "-o", dataset).status == 0
    assert not stray.exists()
    (shard,) = iter_items([dataset])
    assert isinstance(shard, Shard)
    assert shard.path(f"{FACTS}/hand_records").exists()


def test_the_key_follows_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    cached = shutil.ignore_patterns("__pycache__")
    for name in ("replay", "reports"):
        shutil.copytree(source_hash.ROOT / name, tmp_path / name, ignore=cached)
    monkeypatch.setattr(source_hash, "ROOT", tmp_path)
    same = records_key.__wrapped__()
    assert same == records_key()
    with (tmp_path / "replay" / "rulesets" / "presets" / "tenhou.toml").open("a") as file:
        file.write("\n")
    assert records_key.__wrapped__() != same
    assert len(CATALOGUE) > 500
