"""Tables for people, and queries: what is in them, under which keys, and what a query may do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from command import call

from paifu.api.counting import stats
from paifu.parsers.dataset import importing as dataset_import
from paifu.parsers.dataset.shards import FOR_PEOPLE, DatasetError, read_manifest
from paifu.parsers.read import read_batches
from paifu.replay.kernels import jit
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import tile_name
from paifu.replay.table.engine import replay
from paifu.replay.views.games import games
from paifu.reports.metrics.recording import records
from paifu.reports.tables.declared import KEYS, TABLES
from paifu.reports.tables.making import schema, tables_of

SAMPLES = Path(__file__).parents[1] / "sample_logs"
LOGS = [SAMPLES / name for name in ("games", "scenarios", "formats")]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of several shards, made by two imports."""
    folder = tmp_path_factory.mktemp("queries") / "dataset"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dataset_import, "SHARD_ITEMS", 40)
        for path in LOGS:
            call("import", path, "-o", folder, "--jobs", "1")
    assert len(read_manifest(folder)) > 3
    return folder


def loaded(dataset: Path, name: str) -> pd.DataFrame:
    """A table as pandas reads it, without help of ours."""
    return pd.concat([pd.read_parquet(path) for path in sorted((dataset / FOR_PEOPLE / name).iterdir())])


@pytest.mark.parametrize("name", TABLES)
def test_files_are_as_declared(dataset: Path, name: str) -> None:
    files = sorted((dataset / FOR_PEOPLE / name).iterdir())
    assert {path.stem for path in files} == {entry.name for entry in read_manifest(dataset)}
    for path in files:
        assert pq.read_schema(path).equals(schema(name), check_metadata=False)


def test_keys_are_unique_over_the_dataset(dataset: Path) -> None:
    games_, hands, players = (loaded(dataset, name) for name in ("games", "hands", "player_hands"))
    assert len(games_) > 150
    assert games_["game"].is_unique
    assert hands["hand"].is_unique
    assert not players.duplicated(["hand", "seat"]).any()
    assert set(hands["game"]) <= set(games_["game"])
    for name, table in TABLES.items():
        columns = {column.name for column in table.columns}
        for key in columns & set(KEYS):
            assert set(loaded(dataset, name)[key]) <= set(loaded(dataset, f"{key}s")[key]), (name, key)
    assert max(hands["hand"]) < 2**53


def test_a_row_says_where_it_comes_from(dataset: Path) -> None:
    """The key of a hand leads to its game's source, whichever shard it is in."""
    both = loaded(dataset, "wins").merge(loaded(dataset, "games"), on="game")
    named = both[both["source"].str.endswith("kokushi.mjlog")]
    assert any("kokushi musou" in names for names in named["yaku"])


# --- the numbers are those of the statistics -------------------------------------------------------------

SAME = {
    "rank": "SELECT avg(rank) FROM game_players",
    "first_rate": "SELECT avg((rank = 1)::INT) FROM game_players",
    "bust_rate": "SELECT avg((final < 0)::INT) FROM game_players",
    "score_change_game": "SELECT avg(final - start) FROM game_players",
    "hands_per_game": "SELECT avg(n) FROM game_players "
    "JOIN (SELECT game, count(*) AS n FROM hands WHERE is_counted GROUP BY game) USING (game)",
    "win_rate": "SELECT avg(won::INT) FROM player_hands",
    "dealer_win_rate": "SELECT avg(won::INT) FROM player_hands WHERE is_dealer",
    "tsumo_share": "SELECT avg(is_tsumo::INT) FROM wins",
    "open_win_share": "SELECT avg(is_open::INT) FROM wins",
    "win_value": "SELECT avg(points) FROM wins",
    "win_turn": "SELECT avg(turn) FROM wins",
    "win_kanchan_share": "SELECT avg((wait = 'kanchan')::INT) FROM wins WHERE yakuman = 0",
    "win_kanchan_value": "SELECT avg(points) FROM wins WHERE wait = 'kanchan'",
    "ura_per_riichi_win": "SELECT avg(ura) FROM wins WHERE riichi <> 'none' AND yakuman = 0",
    "mangan_or_more_share": "SELECT avg((\"limit\" <> 'none')::INT) FROM wins",
    "deal_in_rate": "SELECT avg((deal_ins > 0)::INT) FROM player_hands",
    "deal_in_shanten": "SELECT avg(shanten) FROM deal_ins",
    "deal_in_to_open_share": "SELECT avg(to_open::INT) FROM deal_ins",
    "riichi_rate": "SELECT avg((riichi <> 'none')::INT) FROM player_hands",
    "riichi_turn": "SELECT avg(riichi_turn) FROM player_hands",
    "riichi_win_rate": "SELECT avg(won::INT) FROM player_hands WHERE riichi <> 'none'",
    "riichi_live_tiles": "SELECT avg(riichi_tiles) FROM player_hands",
    "riichi_chase_share": "SELECT avg((riichi_order > 1)::INT) FROM player_hands WHERE riichi <> 'none'",
    "call_rate": "SELECT avg((calls > 0)::INT) FROM player_hands",
    "start_shanten": "SELECT avg(start_shanten) FROM player_hands",
    "tenpai_turn": "SELECT avg(tenpai_turn) FROM player_hands",
    "draw_tenpai_rate": "SELECT avg(tenpai_at_draw::INT) FROM player_hands JOIN hands USING (hand) "
    "WHERE \"end\" = 'exhaustive draw'",
    "yaku_pinfu": "SELECT avg(('pinfu' IN yaku)::INT) FROM wins",
    "yaku_sanshoku_doujun_value": "SELECT avg(points) FROM wins WHERE 'sanshoku doujun' IN yaku",
    "yakuman_count": "SELECT count(*) FROM wins WHERE yakuman > 0",
    "score_change_hand": "SELECT avg(change) FROM player_hands",
    "hit_rate": "SELECT avg((result = 'paid tsumo')::INT) FROM player_hands",
    "hit_loss": "SELECT avg(tsumo_paid) FROM player_hands",
    "turns": "SELECT avg(turns) FROM player_hands",
}


@pytest.fixture(scope="module")
def counted(dataset: Path) -> pd.DataFrame:
    return stats(dataset, metrics=list(SAME))


@pytest.mark.parametrize("name", SAME)
def test_a_query_finds_what_is_counted(dataset: Path, counted: pd.DataFrame, name: str) -> None:
    from paifu.api.querying import query

    found = query(dataset, SAME[name]).column(0)[0].as_py()
    assert float(found) == pytest.approx(counted[name].iloc[0]), SAME[name]


# --- a second way to the discards ------------------------------------------------------------------------


def told(batch: Batch) -> Iterator[tuple[Any, ...]]:
    """The discards of all hands, from the story of each."""
    takes = (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN)
    for game in games(batch):
        for hand in game.hands:
            turns, calls, riichi, declared = [0] * 4, [0] * 4, [False] * 4, [False] * 4
            latest: list[Any] | None = None
            for event in hand.events:
                seat, kind = event.seat, event.kind
                if kind == EventKind.DISCARD:
                    if latest:
                        yield tuple(latest)
                    turns[seat] += 1
                    others = sum(riichi) - riichi[seat]
                    opening = declared[seat] and not riichi[seat]
                    latest = [hand.row, seat, turns[seat], tile_name(event.tile), event.is_tsumogiri]
                    latest += [opening, riichi[seat], others, calls[seat], False, False]
                elif kind in takes:
                    calls[seat] += 1
                    assert latest is not None
                    latest[-2] = True
                elif kind == EventKind.RIICHI:
                    declared[seat] = True
                elif kind == EventKind.RIICHI_PAID:
                    riichi[seat] = True
                elif kind == EventKind.WIN and event.source != seat and latest and latest[1] == event.source:
                    latest[-1] = latest[3] == tile_name(event.tile)
                elif kind in (EventKind.KAKAN, EventKind.ANKAN, EventKind.KITA) and latest:
                    yield tuple(latest)
                    latest = None
            if latest:
                yield tuple(latest)


def test_discards_are_those_of_the_story() -> None:
    jit.interpret()
    seen = 0
    for batch in read_batches([SAMPLES / "games", SAMPLES / "scenarios"]):
        replayed = replay(batch, review=True)
        made = tables_of(replayed, records(replayed))
        counted = set(np.flatnonzero(made["hands"]["is_counted"].to_numpy()).tolist())
        columns = (
            "hand", "seat", "turn", "tile", "is_drawn", "is_riichi", "in_riichi", "riichis", "calls",
            "is_called", "deals_in",
        )  # fmt: skip
        found = list(zip(*(made["discards"][name].to_pylist() for name in columns), strict=True))
        expected = [row for row in told(batch) if row[0] in counted]
        assert found == expected
        seen += len(found)
    assert seen > 5000


# --- what a query may do ---------------------------------------------------------------------------------

REFUSED = {
    "COPY wins TO 'x.csv'": "a dataset is only read",
    "CREATE TABLE t AS FROM wins": "a dataset is only read",
    "DROP VIEW wins": "a dataset is only read",
    "SET memory_limit = '90GB'": "a dataset is only read",
    "INSTALL httpfs": "a dataset is only read",
    "ATTACH 'x.db'": "a dataset is only read",
    "SELECT 1; SELECT 2": "one query is wanted, and these are 2",
    "": "one query is wanted, and these are 0",
    "FROM read_csv('/etc/passwd')": "file system operations are disabled",
    "FROM read_text('/etc/passwd')": "file system operations are disabled",
    "FROM '/etc/passwd'": "does not exist",
    "FROM schema": "does not exist",
    "SELECT points FROM games": "Candidate bindings",
    "SELECT": "Parser Error",
}


@pytest.mark.parametrize("sql", REFUSED)
def test_a_query_only_reads(dataset: Path, sql: str) -> None:
    result = call("sql", dataset, sql)
    assert result.status == 2
    assert REFUSED[sql] in " ".join(result.talk)
    assert result.talk[0].startswith("paifu: ")
    assert not result.text


def test_forms_of_output(dataset: Path) -> None:
    sql = (
        "SELECT riichi, count(*) AS n, sum(points) AS points, min(yaku) AS yaku "
        "FROM wins GROUP BY 1 ORDER BY 1"
    )
    rows = json.loads(call("sql", dataset, sql, "--format", "json").text)["rows"]
    lines = [json.loads(line) for line in call("sql", dataset, sql, "--format", "jsonl").text.splitlines()]
    assert rows == lines
    assert {row["riichi"] for row in rows} >= {"none", "riichi"}
    assert all(type(row["points"]) is int and type(row["yaku"]) is list for row in rows)
    written = call("sql", dataset, sql, "--format", "csv").text.splitlines()
    assert written[0] == "riichi,n,points,yaku"
    assert len(written) == len(rows) + 1
    shown = call("sql", dataset, "SELECT seat FROM discards", "--limit", "3")
    assert shown.text.count("\n") < 10
    assert "more rows; --limit 0 shows all" in shown.talk[-1]


def test_what_is_no_dataset_and_what_has_no_tables(dataset: Path, tmp_path: Path) -> None:
    assert "not a dataset" in call("sql", tmp_path, "SELECT 1").talk[-1]
    call("import", LOGS[2], "-o", tmp_path / "bare", "--no-facts", "--jobs", "1")
    assert "no tables for queries" in call("sql", tmp_path / "bare", "SELECT 1").talk[-1]
    copy = tmp_path / "copy"
    shutil.copytree(dataset, copy)
    damaged = next((copy / FOR_PEOPLE / "wins").iterdir())
    damaged.write_bytes(damaged.read_bytes()[:100])
    result = call("sql", copy, "SELECT count(*) FROM wins")
    assert result.status == 2
    assert "Traceback" not in " ".join(result.talk)


def test_an_empty_dataset_has_empty_tables(tmp_path: Path) -> None:
    from paifu.api.querying import query

    (tmp_path / "logs").mkdir()
    call("import", tmp_path / "logs", "-o", tmp_path / "dataset")
    assert query(tmp_path / "dataset", "SELECT count(*) FROM wins").column(0).to_pylist() == [0]
    with pytest.raises(DatasetError):
        query(tmp_path / "logs", "SELECT 1")
