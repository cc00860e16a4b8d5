"""Tables for people, and queries: what is in them, under which keys, and what a query may do."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from case_data import case_data
from command import MODULE, call, run

import paifu
from paifu.api import sql
from paifu.api.luck import luck
from paifu.api.sql import QueryError, query
from paifu.api.stats import stats
from paifu.coach.decisions import OptionKind
from paifu.coach.judgement.judged import judgements
from paifu.parsers import dataset_import
from paifu.parsers.dataset.shards import FOR_PEOPLE, DatasetError, open_for_import, read_manifest
from paifu.parsers.read import iter_items, read_batches
from paifu.parsers.scratch import PREFIX, scratch_folder
from paifu.replay.errors import ArgumentError
from paifu.replay.findings.review_sentences import DANGER_NAMES, THREAT_NAMES
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import KIND_OF_TILE
from paifu.replay.shapes.shanten import shanten_many
from paifu.replay.table.engine import replay
from paifu.replay.views.games import games
from paifu.reports.metrics.recording import records
from paifu.reports.tables.declared import KEYS, TABLES
from paifu.reports.tables.making import schema, stored_decisions, tables_of

pytestmark = pytest.mark.every(20)

SAMPLES = Path(__file__).parents[2] / "sample_logs"
MELDS = (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN, EventKind.ANKAN, EventKind.KAKAN)
LOGS = [SAMPLES / "games", *sorted((SAMPLES / "formats").glob("*.mjlog*"))]
"""Where no game is there twice: a query sees every copy."""


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of several shards, made by two imports."""
    folder = tmp_path_factory.mktemp("queries") / "dataset"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dataset_import, "SHARD_ITEMS", 12)
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
    assert len(games_) > 30
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


# --- as DataFrames ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_a_table_as_a_frame_has_its_index_and_types(dataset: Path, name: str) -> None:
    frame, plain = paifu.open_dataset(dataset)[name], loaded(dataset, name)
    assert list(frame.index.names) == list(TABLES[name].index)
    assert len(frame) == len(plain)
    if name not in ("luck", "moments"):  # which are empty here
        assert len(frame) > 10
    if name != "findings":
        assert frame.index.is_unique
    flat = frame.reset_index()
    assert sorted(flat.columns) == sorted(plain.columns)
    kinds = {"word": "category", "int16": "Int16", "int32": "Int32", "int64": "Int64", "bool": "boolean"}
    for column in TABLES[name].columns:
        assert str(flat[column.name].dtype) == kinds.get(column.type, str(flat[column.name].dtype)), (
            column.name
        )
        assert flat[column.name].isna().sum() == plain[column.name].isna().sum(), column.name


def test_frames_join_on_their_index(dataset: Path) -> None:
    data = paifu.open_dataset(dataset)
    assert data.tables == tuple(TABLES)
    wins = data.table("wins", ["points"]).join(data.table("player_hands", ["player", "change"]))
    assert list(wins.columns) == ["points", "player", "change"]
    asked = query(dataset, "SELECT player, sum(points) AS n FROM wins GROUP BY player").to_pylist()
    assert wins.groupby("player", observed=True)["points"].sum().to_dict() == {
        r["player"]: r["n"] for r in asked
    }


def test_a_frame_that_there_is_not_is_refused(dataset: Path, tmp_path: Path) -> None:
    data = paifu.open_dataset(dataset)
    with pytest.raises(ArgumentError, match="no table 'win'; there are games"):
        data["win"]
    with pytest.raises(ArgumentError, match="wins has no column 'point'; it has hand"):
        data.table("wins", ["point"])
    with pytest.raises(DatasetError, match="not a dataset"):
        paifu.open_dataset(tmp_path)


def test_a_frame_of_a_changed_file_is_refused(dataset: Path, tmp_path: Path) -> None:
    shutil.copytree(dataset, tmp_path / "changed")
    data = paifu.open_dataset(tmp_path / "changed")
    path = min((tmp_path / "changed" / FOR_PEOPLE / "wins").iterdir())
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(DatasetError, match="changed since the import"):
        data["wins"]
    path.unlink()
    with pytest.raises(DatasetError, match="changed since the import"):
        data["wins"]


def test_an_empty_dataset_has_empty_frames(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "nothing.mjlog").write_text("nothing")
    call("import", tmp_path / "logs", "-o", tmp_path / "dataset")
    data = paifu.open_dataset(tmp_path / "dataset")
    for name, table in TABLES.items():
        assert len(data[name]) == 0
        assert list(data[name].index.names) == list(table.index)
    assert str(data["wins"]["points"].dtype) == "Int32"
    assert str(data["wins"]["player"].dtype) == "category"


# --- the numbers are those of the statistics -------------------------------------------------------------

CASES = case_data("queries")
SAME: dict[str, str] = CASES["same"]


@pytest.fixture(scope="module")
def counted(dataset: Path) -> pd.Series[float]:
    return stats(dataset, metrics=list(SAME))["value"]


@pytest.mark.parametrize("name", SAME)
def test_a_query_finds_what_is_counted(dataset: Path, counted: pd.Series[float], name: str) -> None:
    from paifu.api.sql import query

    found = query(dataset, SAME[name]).column(0)[0].as_py()
    assert float(found) == pytest.approx(counted[name]), SAME[name]


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
        order = list(zip(*(made["discards"][name].to_pylist() for name in ("hand", "order")), strict=True))
        assert {place for _hand, place in order} == set(range(1, 1 + max(place for _hand, place in order)))
        seen += len(found)
    assert seen > 5000


def test_shanten_after_discards() -> None:
    """As counted from the tiles of each hand without melds, told move by move."""
    batch = Batch.concatenate(list(read_batches([SAMPLES / "games"])))
    replayed = replay(batch, review=True)
    rows = tables_of(replayed, records(replayed))["discards"].to_pylist()
    stated = {(row["hand"], row["seat"], row["turn"]): row["shanten"] for row in rows}
    seen = 0
    for game in games(batch):
        for hand in game.hands:
            held = [list(tiles) for tiles in batch.hands.dealt[hand.row].tolist()]
            turns = [0] * 4
            for event in hand.events:
                seat, tile = event.seat, event.tile
                if event.kind == EventKind.DRAW:
                    held[seat].append(tile)
                elif event.kind in (*MELDS, EventKind.KITA):
                    turns[seat] = -99  # hands with melds are looked at no more
                elif event.kind == EventKind.DISCARD and turns[seat] >= 0:
                    held[seat].remove(tile)
                    turns[seat] += 1
                    found = stated.get((hand.row, seat, turns[seat]))
                    if found is not None and game.players == 4:
                        kinds = np.bincount([KIND_OF_TILE[one] for one in held[seat]], minlength=34)
                        (due,) = shanten_many(kinds[None].astype(np.uint8), np.zeros(1, np.uint8))
                        assert found == due
                        seen += 1
    assert seen > 3000
    beyond = [row["shanten"] for row in rows if row["turn"] > 18]
    assert beyond
    assert set(beyond) == {None}


def test_losses_of_discards_are_those_of_the_model() -> None:
    """As the model judges them, each looked up by its event; nothing is known without decisions."""
    batch = Batch.concatenate(list(read_batches([SAMPLES / "games"])))
    replayed = replay(batch, review=True)
    found = records(replayed)
    rows = tables_of(replayed, found, decisions=stored_decisions(batch))["discards"].to_pylist()
    judged = {}
    for one in judgements(batch):
        table = one.table
        for chosen, best, loss, error in zip(one.chosen, one.best, one.loss, one.error, strict=True):
            if table.option[chosen] <= OptionKind.RIICHI and np.isfinite(error):
                judged[int(table.event[chosen])] = (tile_name(int(table.tile[best])), loss, error)
    events, order, seen = batch.events, Counter[int](), 0
    place = {(row["hand"], row["order"]): row for row in rows}
    for event in np.flatnonzero(events.kind == EventKind.DISCARD).tolist():
        hand = int(batch.hands_of(np.array([event]))[0])
        order[hand] += 1
        row = place.get((hand, order[hand]))
        if row is not None:
            best, loss, error = judged.get(event, (None, None, None))
            assert row["best"] == best
            assert (row["loss"] is None) == (loss is None)
            if loss is not None and error is not None:
                assert abs(row["loss"] - loss) <= 0.5
                assert abs(row["loss_error"] - error) <= 0.5
                seen += loss > 100
    assert seen > 100
    assert {row["loss"] for row in tables_of(replayed, found)["discards"].to_pylist()} == {None}


def test_dangers_of_discards_are_those_that_are_counted() -> None:
    """By class and threat: as ``paifu danger`` counts them."""
    batch = Batch.concatenate(list(read_batches([SAMPLES / "games"])))
    replayed = replay(batch, review=True)
    assert replayed.review is not None
    made = tables_of(replayed, records(replayed))
    players = dict(zip(made["games"]["game"].to_pylist(), made["games"]["players"].to_pylist(), strict=True))
    of_threat = {name: number for number, name in THREAT_NAMES.items()}
    of_class = {name: number for number, name in DANGER_NAMES.items()}
    found: Counter[tuple[int, int, int]] = Counter()
    for row in made["discards"].to_pylist():
        for place in ("next", "across", "before"):
            danger = row[f"danger_{place}"]
            if danger:
                is_open, _colon, name = danger.rpartition(": ")
                assert place != "across" or players[row["game"]] == 4
                found[players[row["game"]], of_threat[is_open or "riichi"], of_class[name]] += 1
    counted = replayed.review.danger.sum(axis=2)[..., 0]
    every = {
        (players + 3, threat + 1, danger): int(number)
        for (players, threat, danger), number in np.ndenumerate(counted)
        if number
    }
    assert made["hands"]["is_counted"].to_pylist().count(False) == 0
    assert dict(found) == every
    assert len({players for players, *_rest in found}) == 2


def test_tables_of_luck_are_the_numbers_of_the_command() -> None:
    """Rows of hands are those of ``paifu luck``; moments lead from one boundary to the next."""
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"])
    replayed = replay(batch, review=True)
    made = tables_of(replayed, records(replayed), luck=True)
    due = luck(str(SAMPLES / "formats" / "hanchan.mjlog.gz")).hands
    rows = made["luck"].to_pylist()
    assert len(rows) == len(due) == 4 * len(batch.hands)
    for row, told in zip(rows, due, strict=True):
        assert (row["hand"], row["seat"], row["player"]) == (told["hand"], told["seat"], told["player"])
        assert row["result"] == told["result"]
        for name in ("luck", "luck_deal", "luck_draws", "luck_others", "luck_ura"):
            assert row[name] == pytest.approx(told[name], abs=0.006)
        for name in ("place_1", "place_4", "leverage"):
            assert row[name] == pytest.approx(told[name], abs=0.0001)
    moments = made["moments"].to_pylist()
    for seat in range(4):
        own = [row for row in moments if row["seat"] == seat]
        begun = rows[seat]["worth"]
        assert begun + sum(row["swing"] for row in own) == pytest.approx(own[-1]["worth"])
        final = [own[-1][f"place_{place}"] for place in range(1, 5)]
        assert final[made["game_players"]["rank"][seat].as_py() - 1] == 1
        assert [row["event"] for row in own].count(None) == len(batch.hands)
    without = tables_of(replayed, records(replayed))
    assert [without[name].num_rows for name in ("luck", "moments")] == [0, 0]
    assert without["luck"].schema == made["luck"].schema


def test_luck_is_imported_if_it_is_asked_for(tmp_path: Path) -> None:
    log = SAMPLES / "formats" / "tonpuu.mjlog"
    for number, options in enumerate(([], ["--luck"])):
        assert call("import", log, "-o", tmp_path / str(number), *options).status == 0
        found = query(tmp_path / str(number), "SELECT count(*) AS rows FROM luck").to_pylist()
        assert (found[0]["rows"] > 0) == (number == 1)


def test_keys_are_the_same_in_every_dataset_and_for_every_copy(tmp_path: Path) -> None:
    log = SAMPLES / "formats" / "hanchan.mjlog.gz"
    (tmp_path / "again.mjlog").write_bytes(gzip.decompress(log.read_bytes()))
    others = sorted((SAMPLES / "games").glob("hanchan*"))[:2]
    call("import", *others, log, "-o", tmp_path / "one")
    call("import", tmp_path / "again.mjlog", others[0], "-o", tmp_path / "two")
    one, two = (
        {
            row["source"].rpartition("/")[2]: row["key"]
            for row in query(tmp_path / name, "FROM games").to_pylist()
        }
        for name in ("one", "two")
    )
    assert one["hanchan.mjlog.gz"] == two["again.mjlog"]
    assert one[others[0].name] == two[others[0].name]
    assert len({*one.values(), *two.values()}) == 3
    sql = "SELECT h.key - g.key AS number, g.key > 0 AS is_positive FROM hands h JOIN games g USING (game)"
    rows = query(tmp_path / "one", sql).to_pylist()
    assert all(row["is_positive"] and 0 <= row["number"] < 30 for row in rows)


def test_stale_tables_are_refused_with_the_command_that_renews_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "the old one", tmp_path / "new"
    call("import", SAMPLES / "formats" / "hanchan.mjlog.gz", "-o", old)
    assert call("sql", old, "SELECT 1").status == 0
    monkeypatch.setattr("paifu.reports.tables.making.tables_key", lambda: "another")
    for command in (("sql", old, "SELECT 1"), ("find", old, "--where", "won")):
        done = call(*command)
        assert done.status == 2
        assert "its tables are stale: another engine, or other rules, made them" in done.talk[-1]
    (command,) = re.findall(r"paifu (import .* -o) NEW", done.talk[-1])
    assert call(*shlex.split(command), new).status == 0
    assert call("sql", new, "SELECT 1").status == 0


# --- what a query may do ---------------------------------------------------------------------------------

REFUSED: dict[str, str] = CASES["refused"]


@pytest.mark.parametrize("sql", REFUSED)
def test_a_query_only_reads(dataset: Path, sql: str) -> None:
    result = call("sql", dataset, sql)
    assert result.status == 2
    assert REFUSED[sql] in " ".join(result.talk)
    assert result.talk[0].startswith("paifu: ")
    assert not result.text


# --- limits ------------------------------------------------------------------------------------------------

ENDLESS = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t"


def test_a_result_comes_row_by_row_and_may_be_left_unread(dataset: Path) -> None:
    with sql.opened(dataset) as tables:
        rows = iter(tables.run("SELECT range AS x FROM range(1000000000000)"))
        assert next(rows).column(0)[0].as_py() == 0
        assert tables.run("SELECT 7 AS x").read_all().column(0).to_pylist() == [7]
        with pytest.raises(QueryError, match="late"):
            tables.run("SELECT if(range = 30000, error('late'), range) FROM range(40000)").read_all()
        assert tables.run("SELECT 8 AS x").read_all().column(0).to_pylist() == [8]


def _begun(dataset: Path, scratch: Path) -> subprocess.Popen[bytes]:
    """A query that does not end."""
    scratch.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [*MODULE, "sql", str(dataset), ENDLESS],
        env=os.environ | {"TMPDIR": str(scratch)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    while not any(path.is_dir() for path in scratch.iterdir()):
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(1)
    return process


def test_ctrl_c_and_kill_leave_nothing(dataset: Path, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    process = _begun(dataset, scratch)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20)[1].decode().split() == ["interrupted"]
    assert process.returncode == 130
    assert list(scratch.iterdir()) == []

    process = _begun(dataset, scratch)
    process.kill()
    process.communicate()
    assert len(list(scratch.iterdir())) == 2
    run("sql", dataset, "SELECT 1", env=os.environ | {"TMPDIR": str(scratch)})
    assert list(scratch.iterdir()) == []


def test_a_folder_in_use_stays_and_so_do_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    precious = tmp_path / "precious"
    precious.write_text("kept")
    (tmp_path / f"{PREFIX}1.lock").symlink_to(precious)
    with scratch_folder() as one, scratch_folder() as other:
        assert one != other
        assert all(map(Path.is_dir, (one, other)))
    assert not any(map(Path.exists, (one, other)))
    assert precious.read_text() == "kept"


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


TYPES = {kind: (json.loads(value), text) for kind, value, text in CASES["types"]["rows"]}
"""Value of a type -> as it is in JSON, and as it is in CSV."""


def test_a_value_of_each_type(dataset: Path) -> None:
    sql = f"SELECT {', '.join(f'{kind} AS x{number}' for number, kind in enumerate(TYPES))}"
    [row] = json.loads(call("sql", dataset, sql, "--format", "json").text)["rows"]
    _, line = csv.reader(call("sql", dataset, sql, "--format", "csv").text.splitlines())
    due, due_line = zip(*TYPES.values(), strict=True)
    assert list(map(repr, row.values())) == list(map(repr, due))
    assert line == next(csv.reader([",".join(due_line)]))


def test_values_of_all_types_have_a_place_in_tables_and_parquet(dataset: Path) -> None:
    sql = f"SELECT {', '.join(f'{kind} AS c{number}' for number, kind in enumerate(TYPES))}"
    shown = call("sql", dataset, sql).text
    assert "12345-01-01" in shown
    assert "1234567.9" in shown
    table = pq.read_table(pa.BufferReader(call("sql", dataset, sql, "--format", "parquet").data))
    at = dict(zip(TYPES, table.columns, strict=True))
    assert at["DATE '12345-01-01'"].type == pa.date32()
    assert at["'101'::BIT"].to_pylist() == ["101"]
    again = query(dataset, sql)
    assert again.schema.names == table.schema.names
    assert again.num_rows == 1


def test_columns_of_one_name_keep_their_values(dataset: Path) -> None:
    sql = 'SELECT 1 AS x, 2 AS x, 3 AS x_1, 4 AS x, 5 AS "a "" b", \'1\'::BIT AS "a "" b"'
    due = {"x": 1, "x_1": 2, "x_1_1": 3, "x_2": 4, 'a " b': 5, 'a " b_1': "1"}
    assert json.loads(call("sql", dataset, sql, "--format", "jsonl").text) == due
    assert call("sql", dataset, sql, "--format", "csv").text.splitlines()[1] == "1,2,3,4,5,1"
    assert call("sql", dataset, sql).text.split("\n")[3].split() == ["1", "2", "3", "4", "5", "1"]
    assert query(dataset, sql).to_pylist() == [due]


def test_rows_keep_their_order_where_a_column_becomes_text(dataset: Path) -> None:
    sql = "SELECT i, i::VARCHAR::BIGNUM AS n FROM range(30000) t(i) ORDER BY i DESC"
    found = query(dataset, sql)
    assert found.column(0).to_pylist() == list(range(29999, -1, -1))
    assert found.column(1).to_pylist() == list(map(str, range(29999, -1, -1)))


def test_lists_of_found_hands_are_one_text_in_csv(dataset: Path) -> None:
    found = call("find", dataset, "--where", "len(yaku) > 1", "--format", "csv").text
    assert "[" not in found.partition("\n")[2]


def test_what_is_no_dataset_and_what_has_no_tables(dataset: Path, tmp_path: Path) -> None:
    assert "not a dataset" in call("sql", tmp_path, "SELECT 1").talk[-1]
    with open_for_import(tmp_path / "bare") as writer:
        list(dataset_import.import_items(writer, iter_items([LOGS[2]])))
    assert "no tables for queries" in call("sql", tmp_path / "bare", "SELECT 1").talk[-1]


def test_an_empty_dataset_has_empty_tables(tmp_path: Path) -> None:
    from paifu.api.sql import query

    (tmp_path / "logs").mkdir()
    call("import", tmp_path / "logs", "-o", tmp_path / "dataset")
    assert query(tmp_path / "dataset", "SELECT count(*) FROM wins").column(0).to_pylist() == [0]
    with pytest.raises(DatasetError):
        query(tmp_path / "logs", "SELECT 1")


# --- tables that were changed ------------------------------------------------------------------------------


@pytest.fixture
def changing(dataset: Path, tmp_path: Path) -> Path:
    """A copy of the dataset, to be changed."""
    copy = tmp_path / "copy"
    shutil.copytree(dataset, copy)
    return copy


def _file(dataset: Path, name: str, shard: int = 1) -> Path:
    return dataset / FOR_PEOPLE / name / f"{read_manifest(dataset)[shard].name}.parquet"


def _look(dataset: Path) -> tuple[Any, ...]:
    """All that 'find' answers of every hand."""
    found = call("find", dataset, "--where", "true", "--format", "jsonl")
    assert "Traceback" not in " ".join(found.talk)
    return found.status, found.text, found.talk


@pytest.fixture(scope="module")
def as_imported(dataset: Path) -> tuple[Any, ...]:
    return _look(dataset)


def _assert_refused(dataset: Path, path: Path) -> None:
    status, text, talk = _look(dataset)
    assert (status, text) == (2, "")
    assert talk == [
        f"paifu: {path.resolve()}: changed since the import; "
        f"import it into a new folder: paifu import {dataset} -o NEW"
    ]


@pytest.mark.parametrize("name", ["games", "hands", "player_hands", "wins"])
def test_a_damaged_file_of_a_table_is_refused(changing: Path, name: str) -> None:
    path = _file(changing, name)
    content = path.read_bytes()
    middle = len(content) // 2
    flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    other = _file(changing, name, 2).read_bytes()
    for damaged in (content[:100], b"", content[:-1], content + b"x", flipped, other):
        path.write_bytes(damaged)
        _assert_refused(changing, path)
    path.unlink()
    _assert_refused(changing, path)
    path.mkdir()
    _assert_refused(changing, path)
    path.rmdir()
    os.mkfifo(path)
    _assert_refused(changing, path)


def test_a_table_whose_name_is_put_together_is_checked_too(changing: Path) -> None:
    put_together = "SELECT count(*) AS n FROM query('FROM w' || 'ins')"
    assert call("sql", changing, put_together).status == 0
    _file(changing, "wins").unlink()
    assert "changed since the import" in call("sql", changing, put_together).talk[0]


def test_two_files_that_were_exchanged_are_refused(changing: Path) -> None:
    one, other = _file(changing, "player_hands", 0), _file(changing, "player_hands", 1)
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    _assert_refused(changing, one)


def test_tables_that_a_query_does_not_name_are_not_looked_at(
    changing: Path, as_imported: tuple[Any, ...]
) -> None:
    for name in ("discards", "findings", "deal_ins", "game_players"):
        _file(changing, name).unlink()
    assert _look(changing) == as_imported
    for name in ("discards", "game_players"):
        result = call("sql", changing, f"FROM {name.upper()}")
        assert result.status == 2
        assert "changed since the import" in result.talk[0]


@pytest.mark.parametrize("tables", [None, [], "x", {"wins": 3}, {}, {"wins": ""}])
def test_a_manifest_without_the_right_checksums_is_refused(changing: Path, tables: Any) -> None:
    path = changing / "paifu-dataset.json"
    manifest = json.loads(path.read_text())
    manifest["shards"][1]["tables"] = tables
    path.write_text(json.dumps(manifest))
    status, text, talk = _look(changing)
    assert (status, text) == (2, "")
    assert "into a new folder" in talk[0]
