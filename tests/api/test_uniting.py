"""Datasets are united: what is there already is left out and named, whatever it was read from."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from command import call

from paifu.parsers import dataset_import
from paifu.parsers.dataset.shards import iter_shards, read_shard
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
from paifu.replay.model.identity import game_keys, hand_keys

GAMES = sorted((Path(__file__).parents[2] / "sample_logs" / "games").glob("*.gz"))


def sources(dataset: Path) -> list[str]:
    """Names of the logs that a dataset has games of, in its order."""
    return [
        str(name).rpartition("/")[2] for one in iter_shards(dataset) for name in read_shard(one).games.source
    ]


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Datasets of games 0 to 5 and 3 to 8; those of the second were unpacked and moved."""
    one, other, moved = tmp_path / "one", tmp_path / "other", tmp_path / "moved"
    moved.mkdir()
    for path in GAMES[3:9]:
        (moved / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
    assert call("import", *GAMES[:6], "-o", one).status == 0
    assert call("import", moved, "-o", other).status == 0
    return one, other


@pytest.mark.every(2)
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_game_is_counted_once_and_named(two: tuple[Path, Path], tmp_path: Path, jobs: int) -> None:
    both = tmp_path / "both"
    done = call("import", *two, "-o", both, "--jobs", jobs)
    assert done.status == 0
    assert "9 games from" in done.talk[-2]
    assert done.talk[-1].startswith("3 games are there already, and were left out as copies: ")
    named = [name.rpartition("/")[2] for name in done.talk[-1].split(", ")[-3:]]
    assert named == [path.stem for path in GAMES[3:6]]
    assert sources(both) == [*(path.name for path in GAMES[:6]), *(path.stem for path in GAMES[6:9])]
    counted, of_logs = (call("stats", *paths, "--format", "csv") for paths in ([both], GAMES[:9]))
    assert counted.text == of_logs.text
    rows = json.loads(call("sql", both, "SELECT count(*) AS n FROM games", "--format", "json").text)["rows"]
    assert rows == [{"n": 9}]


def test_json_names_all_copies(two: tuple[Path, Path], tmp_path: Path) -> None:
    done = call("import", *two, "-o", tmp_path / "both", "--format", "json")
    summary = json.loads(done.text)["summary"]
    assert [name.rpartition("/")[2] for name in summary["copies"]] == [path.stem for path in GAMES[3:6]]


@pytest.mark.full
def test_a_dataset_is_united_with_itself_in_vain(two: tuple[Path, Path], tmp_path: Path) -> None:
    one, _other = two
    both = tmp_path / "both"
    call("import", *two, "-o", both)
    before = sources(both)
    again = call("import", *two, "-o", both)
    assert "0 games from 0 inputs added, 2 inputs there already" in again.talk[-1]
    logs = call("import", *GAMES[:6], "-o", both)
    assert "0 games from 0 inputs added, 6 inputs there already" in logs.talk[-1], "its logs are known, too"
    assert sources(both) == before
    assert call("import", both, "-o", one).status == 0
    assert sorted(sources(one)) == sorted(before)


@pytest.mark.full
def test_games_of_logs_that_are_there_are_copies_in_a_dataset(two: tuple[Path, Path], tmp_path: Path) -> None:
    """And in shards of their own, in any division."""
    both = tmp_path / "both"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dataset_import, "SHARD_ITEMS", 2)
        call("import", *GAMES[:9], "-o", both)
    done = call("import", *two, "-o", both)
    assert done.talk[-1].startswith("12 games are there already")
    assert sources(both) == [path.name for path in GAMES[:9]]
    assert call("verify", both).status == call("verify", *GAMES[:9]).status


def test_keys_follow_from_players_deals_and_moves() -> None:
    batch = Batch.concatenate(list(read_batches([GAMES[0], GAMES[1]])))
    keys = game_keys(batch)
    assert len(set(keys.tolist())) == len(batch)
    assert (keys > 0).all()
    hands = hand_keys(batch, keys)
    assert len(set(hands.tolist())) == len(batch.hands)
    back = Batch.concatenate(list(read_batches([GAMES[1], GAMES[0]])))
    assert game_keys(back).tolist() == keys[::-1].tolist()
    for change in ("names", "tile", "dealt"):
        other = Batch.concatenate(list(read_batches([GAMES[0]])))
        if change == "names":
            other.games.names[0, 0] = "somebody"
        elif change == "tile":
            other.events.tile[20] ^= 1
        else:
            other.hands.dealt[0, 0, 0] ^= 1
        assert game_keys(other)[0] != keys[0], change
