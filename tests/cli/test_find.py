"""Finding hands by what happened in them, and the shapes of waits."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from case_data import case_data
from command import call
from hands import readings

from paifu.api import find, sql
from paifu.api.find import finding
from paifu.parsers.read import read_batches
from paifu.replay.model.tile_notation import parse_tiles
from paifu.replay.scoring.readings import Wait
from paifu.replay.table.engine import replay
from paifu.reports.metrics.recording import records
from paifu.reports.tables.making import _TableSources
from paifu.reports.tables.waits import NO_WAIT, WAITS, closed_tiles, wait_shape

pytestmark = pytest.mark.every(20)

SAMPLES = Path(__file__).parents[2] / "sample_logs"
GAMES = SAMPLES / "games"


def held(text: str) -> tuple[int, ...]:
    counts = [0] * 34
    for tile in parse_tiles(text):
        counts[tile] += 1
    return tuple(counts)


def mask(text: str) -> int:
    return sum(1 << kind for kind in set(parse_tiles(text)))


@pytest.mark.parametrize(("hand", "waits", "shape"), case_data("shapes")["wait_shapes"]["rows"])
def test_the_shape_of_a_wait(hand: str, waits: str, shape: str) -> None:
    assert WAITS[wait_shape(held(hand), mask(waits))] == shape


def test_no_wait_has_no_shape() -> None:
    assert wait_shape(held("123m"), 0) == 255


OF_READING = {
    Wait.RYANMEN: "ryanmen", Wait.KANCHAN: "kanchan", Wait.PENCHAN: "penchan", Wait.SHANPON: "shanpon",
    Wait.TANKI: "tanki",
}  # fmt: skip


def told(tiles: list[int], waits: int) -> str:
    """The shape of a wait by the readings of each complete hand."""
    roles = [
        {OF_READING[one.wait] for one in readings([*tiles, kind], kind) if one.wait is not None}
        for kind in range(34)
        if waits >> kind & 1
    ]
    if len(roles) == 1:
        return max(roles[0] - {"ryanmen"} or roles[0] or {"tanki"}, key=WAITS.index)
    shared = set.intersection(*roles)
    return next(iter(shared)) if len(roles) == 2 and len(shared) == 1 else "multi-sided"


def test_waits_of_real_hands_are_those_of_their_readings() -> None:
    seen: Counter[str] = Counter()
    for batch in read_batches([GAMES]):
        replayed = replay(batch, review=True)
        rows = _TableSources(replayed, records(replayed), with_luck=False)
        own = rows.records.hands
        closed = closed_tiles(batch, rows.hand_of_event)
        seats = batch.games.players[batch.hands.game].astype(int)
        first = np.concatenate([[0], np.cumsum(seats)])
        for row in np.flatnonzero(rows.last_waits != NO_WAIT).tolist():
            held_tiles = closed[own.hand[row], own.seat[row]]
            tiles = [kind for kind in range(34) for _ in range(held_tiles[kind])]
            assert len(tiles) % 3 == 1
            waits = int(replayed.player_hands.waits[first[own.hand[row]] + own.seat[row]])
            shape = WAITS[rows.last_waits[row]]
            assert shape == told(tiles, waits), (tiles, waits)
            seen[shape] += 1
    assert set(seen) == set(WAITS)


# --- the command ---------------------------------------------------------------------------------------


def found(*more: str, fmt: str = "json") -> Any:
    result = call("find", GAMES, "-j", "1", "--format", fmt, *more)
    assert result.status == 0, result.talk
    return json.loads(result.text) if fmt == "json" else result.text


def test_what_is_found_is_counted_listed_and_summed_up() -> None:
    answer = found("--where", "riichi <> 'none' AND wait = 'kanchan'")
    rows, summary = answer["rows"], answer["summary"]
    assert 0 < len(rows) == summary["hits"] < summary["hands"]
    assert all(row["riichi"] != "none" and row["wait"] == "kanchan" for row in rows)
    assert summary["share"] == pytest.approx(len(rows) / summary["hands"])
    assert summary["low"] < summary["share"] < summary["high"]
    assert summary["change"] == pytest.approx(sum(row["change"] for row in rows) / len(rows))
    assert summary["results"] == dict(Counter(row["result"] for row in rows).most_common())
    lines = call("find", GAMES, "-j", "1", "--where", "wait = 'kanchan'", "--limit", "2").text.splitlines()
    assert lines[-2].split(" of ")[0] == str(found("--where", "wait = 'kanchan'")["summary"]["hits"])
    assert sum(bool(re.match(r" [ESW]\d\.\d ", line)) for line in lines) == 2


def test_a_dataset_and_its_logs_answer_alike(tmp_path: Path) -> None:
    assert call("import", GAMES, "-o", tmp_path / "dataset", "-j", "1").status == 0
    where = ("--where", "points >= 8000")
    own = json.loads(call("find", tmp_path / "dataset", *where, "--format", "json").text)
    assert own == found(*where)


def test_a_big_dataset_is_searched_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part holds the shards of one import; the hits are those of the whole, in its order."""
    where = "points >= 3900"
    logs = sorted(GAMES.iterdir())
    for end in range(len(logs) // 3, len(logs) + 1, len(logs) // 3):
        assert call("import", *logs[:end], "-o", tmp_path / "dataset", "-j", "1").status == 0

    def answers() -> list[Any]:
        with finding(tmp_path / "dataset", where) as hands:
            every = hands.rows().read_all().to_pylist()
            some = [hands.rows(most).read_all().to_pylist() for most in (0, 5, 49)]
            assert some == [[], every[:5], every[:49]]
            shown = [(hit.hand, hit.seat) for hit in hands.games(43)]
            return [hands.hits, hands.hands, hands.change, hands.results(), every, shown]

    whole = answers()
    assert whole[0] == len(whole[4]) > 50
    monkeypatch.setattr(find, "_PART", 1)
    with sql.opened(tmp_path / "dataset") as tables:
        assert tables.shards > 2
    assert answers() == whole


@pytest.mark.full
def test_every_form_of_output(tmp_path: Path) -> None:
    where = ("--where", "points >= 12000")
    rows = found(*where)["rows"]
    assert len(list(csv.DictReader(io.StringIO(found(*where, fmt="csv"))))) == len(rows)
    assert [json.loads(line) for line in found(*where, fmt="jsonl").splitlines()] == rows
    page = tmp_path / "wins.html"
    made = call("find", GAMES, "-j", "1", *where, "--html", "-o", page)
    assert made.status == 0
    assert made.talk[-1] == f"{page}: {min(20, len(rows))} hands"
    assert page.read_bytes().startswith(b"<!doctype html>")


@pytest.mark.parametrize("command", [("find", "--where", "won", "--limit", "2"), ("show",)])
def test_a_long_path_is_printed_whole_in_a_pipe(tmp_path: Path, command: tuple[str, ...]) -> None:
    folder = tmp_path / ("a" * 120)
    folder.mkdir()
    log = folder / "game.mjlog.gz"
    log.write_bytes((GAMES / "tonpuu-4p-04.mjlog.gz").read_bytes())
    assert str(log) in call(command[0], log, *command[1:]).text
