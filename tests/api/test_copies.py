"""Games that are there more than once: in other formats, cut, with a hand twice, and not those alike only."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command import call
from test_compare import first_hands, game

import paifu
from paifu.api import pipeline
from paifu.api.once import OnceUnit
from paifu.parsers.dataset.shards import FACTS
from paifu.parsers.read import read_batches
from paifu.parsers.writers import WRITERS
from paifu.replay.comparison import copies
from paifu.replay.comparison.copies import Copies, RepeatedGame, game_keys
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import HandEnd

FORMATS = Path(__file__).parents[2] / "sample_logs" / "formats"
SCENARIOS = FORMATS.parent / "scenarios"
HANCHAN, OTHER = FORMATS / "hanchan.mjlog.gz", FORMATS / "hanchan.json"


def named(batch: Batch, source: str) -> Batch:
    sources = batch.games.source.copy()
    sources[:] = source
    return replace(batch, games=replace(batch.games, source=sources))


def found(*batches: Batch) -> list[RepeatedGame]:
    every = Copies()
    for batch in batches:
        every.add(game_keys(batch))
    return every.found


def test_a_game_in_another_format_and_a_cut_one_are_named() -> None:
    (other,) = read_batches([OTHER])
    assert found(game(), named(other, "b")) == [RepeatedGame("b", str(game().games.source[0]), 14, True)]
    cut = named(first_hands(game(), 5), "cut")
    assert found(game(), cut) == [RepeatedGame("cut", str(game().games.source[0]), 5, True)]
    assert found(cut, named(game(), "whole")) == [RepeatedGame("whole", "cut", 5, False)]


def test_a_game_without_its_beginning_is_found_by_its_end() -> None:
    whole = game()
    hands = whole.hands.rows(slice(3, None))
    games = replace(whole.games, hand_end=whole.games.hand_end - 3)
    late = named(replace(whole, games=games, hands=hands), "late")
    assert found(whole, late) == [RepeatedGame("late", str(whole.games.source[0]), 11, True)]


def test_a_hand_that_is_there_twice_is_named() -> None:
    text = json.loads(OTHER.read_text())
    text["log"].insert(2, text["log"][1])
    from paifu.parsers.read import read_unit
    from paifu.parsers.sources.detect import Format
    from paifu.parsers.sources.documents import Document

    batch = read_unit([Document("twice.json", json.dumps(text).encode(), Format.TENHOU6)])
    assert found(batch) == [RepeatedGame("twice.json", "twice.json", 1, False)]


def test_what_is_alike_only_is_no_copy() -> None:
    tiles = game().events.tile.copy()
    tiles[np.isin(game().events.kind, [2])] = 33
    played_otherwise = replace(game(), events=replace(game().events, tile=tiles))
    dealt = game().hands.dealt.copy()
    dealt[:, :, 0] = 33
    dealt_otherwise = replace(game(), hands=replace(game().hands, dealt=dealt))
    assert found(game(), played_otherwise, dealt_otherwise) == []
    unfinished = replace(game(), hands=replace(game().hands, end=np.full(14, HandEnd.UNFINISHED, np.uint8)))
    assert found(unfinished, unfinished) == []


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "MOST_GAMES", 1)
    (tonpuu,) = read_batches([FORMATS / "tonpuu.mjlog"])
    assert len(found(game(), tonpuu, game(), tonpuu)) == 1


def test_the_summary_of_verify_names_them() -> None:
    result = call("verify", HANCHAN, OTHER, "-j", "1")
    assert result.status == 0
    assert result.talk[:2] == [
        "1 game is there twice, wholly or in part; each hand counts once",
        f"  {OTHER}: all hands are in {HANCHAN}",
    ]
    document = json.loads(call("verify", HANCHAN, OTHER, "-j", "1", "-f", "json").data)
    assert document["copies"] == [{"source": str(OTHER), "earlier": str(HANCHAN), "hands": 14, "whole": True}]
    assert "copies" not in json.loads(call("verify", HANCHAN, "-j", "1", "-f", "json").data)
    assert paifu.verify([HANCHAN, OTHER]).copies[0].hands == 14


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_summary_of_stats_names_them(jobs: int) -> None:
    result = call("stats", HANCHAN, OTHER, "-j", str(jobs))
    assert "1 game is there twice, wholly or in part; each hand counts once" in result.talk
    assert not any("twice" in line for line in call("stats", HANCHAN, "-j", "1").talk)


def test_many_are_told_in_few_lines(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.json" for number in range(8)]
    for path in paths:
        path.write_bytes(OTHER.read_bytes())
    lines = call("verify", *paths, "-j", "1").talk
    assert lines[0] == "7 games are there twice, wholly or in part; each hand counts once"
    assert lines[6] == "  ... and 2 more"


# --- counted once ------------------------------------------------------------------------------------------


@pytest.fixture(params=["one unit", "a unit each"])
def by_units(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """All input is worked on together, or each file by itself."""
    if request.param == "a unit each":
        monkeypatch.setattr(pipeline, "iter_units", lambda items, **_: ([item] for item in items))


def written(batch: Batch, path: Path) -> Path:
    path.write_bytes(b"".join(WRITERS["paifu"].games(batch)))
    return path


def counted(*paths: Path) -> tuple[int, int]:
    """Games and hands that are counted."""
    document = json.loads(call("stats", *paths, "-j", "1", "-f", "json", "--by", "player").data)
    return max(group["games"] for group in document["groups"]), document["population"]["hands"]


@pytest.mark.usefixtures("by_units")
def test_a_game_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    assert counted(HANCHAN) == counted(HANCHAN, OTHER) == counted(OTHER, HANCHAN, OTHER) == (1, 14)
    cut = written(first_hands(game(), 5), tmp_path / "cut.jsonl")
    assert counted(HANCHAN, cut) == (1, 14)
    assert counted(cut) == (1, 5)
    assert counted(cut, HANCHAN)[1] == 14


@pytest.fixture
def without_walls(tmp_path: Path) -> Path:
    """A copy of the game whose log does not state the wall's seed."""
    path = tmp_path / "a.mjlog"
    path.write_bytes(re.sub(rb"<SHUFFLE[^>]*>", b"", gzip.decompress(HANCHAN.read_bytes())))
    return path


@pytest.mark.parametrize("is_first", [True, False])
def test_of_copies_the_one_that_states_most_counts(without_walls: Path, is_first: bool) -> None:
    paths = [without_walls, HANCHAN] if is_first else [HANCHAN, without_walls]
    summary = call("verify", *paths, "-j", "1", "-f", "json")
    assert summary.status == 0
    counted = json.loads(summary.data)["summary"]
    assert (counted["hands"], counted["walls_checked"]) == (14, 14)
    tested = json.loads(call("fair", *paths, "-j", "1", "-f", "json").data)["summary"]
    assert (tested["hands"], tested["walls"], tested["copies"]) == (14, 14, 14)


def test_of_copies_that_state_as_much_the_first_counts(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.mjlog.gz", "b.mjlog.gz")]
    for path in paths:
        path.write_bytes(HANCHAN.read_bytes())
    (batch,) = read_batches(paths)
    unit = OnceUnit([])
    kept, keep = unit.without_copies(batch)
    assert (kept.games.source.tolist(), keep.tolist()) == ([str(paths[0])], [True, False])


@pytest.mark.usefixtures("by_units")
def test_a_game_of_one_hand_counts_once(tmp_path: Path) -> None:
    one = written(first_hands(game(), 1), tmp_path / "one.jsonl")
    assert counted(one, one, HANCHAN) == (2, 14)


@pytest.mark.usefixtures("by_units")
def test_a_hand_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    text = json.loads(OTHER.read_text())
    text["log"].insert(2, text["log"][1])
    twice = tmp_path / "twice.json"
    twice.write_text(json.dumps(text))
    assert counted(twice) == (1, 14)
    assert counted(twice, OTHER) == (1, 14)


@pytest.mark.usefixtures("by_units")
def test_luck_and_leagues_count_once(tmp_path: Path) -> None:
    cut = written(first_hands(game(), 5), tmp_path / "cut.jsonl")
    for command, rows in (("luck", "players"), ("league", "rows")):
        once = json.loads(call(command, HANCHAN, "-j", "1", "-f", "json").data)
        again = json.loads(call(command, HANCHAN, OTHER, cut, "-j", "1", "-f", "json").data)
        assert [copy["source"] for copy in again["copies"]] == [str(OTHER), str(cut)]
        assert again[rows] == once[rows]
    hands = [
        row["hands"] for row in json.loads(call("luck", cut, HANCHAN, "-j1", "-f", "json").data)["players"]
    ]
    assert hands == [14] * 4


@pytest.mark.usefixtures("by_units")
def test_a_whole_game_after_a_cut_one_stands_for_both(tmp_path: Path) -> None:
    cut = written(first_hands(game(), 5), tmp_path / "cut.jsonl")
    longer = written(first_hands(game(), 7), tmp_path / "longer.jsonl")
    run = call("league", cut, HANCHAN, OTHER, longer, "-j", "1", "-f", "json")
    document = json.loads(run.data)
    assert [(one["source"], one["hands"], one["whole"]) for one in document["copies"]] == [
        (str(HANCHAN), 5, False), (str(OTHER), 14, True), (str(longer), 7, True),
    ]  # fmt: skip


@pytest.mark.usefixtures("by_units")
def test_verify_counts_once_and_looks_at_every_file(tmp_path: Path) -> None:
    wrong = json.loads(OTHER.read_text())
    wrong["sc"][0] += 100
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(wrong))
    cut = written(first_hands(game(), 5), tmp_path / "cut.jsonl")
    once = paifu.verify(HANCHAN).tally
    for paths in ([HANCHAN, bad, cut], [bad, cut, HANCHAN], [cut, bad, HANCHAN]):
        result = paifu.verify(paths)
        assert {one.source for one in result} == {str(bad), str(cut)}, "all were looked at"
        assert (result.tally.files, result.tally.errors, len(result.copies)) == (3, len(result), 2)
        assert (result.tally.hands, result.tally.wins_checked) == (once.hands, once.wins_checked)


@pytest.mark.every(4)
@pytest.mark.usefixtures("by_units")
@pytest.mark.parametrize("facts", [True, False])
def test_a_dataset_names_copies_and_its_statistics_count_once(facts: bool, tmp_path: Path) -> None:
    folder = tmp_path / "ds"
    assert "twice" not in call("import", HANCHAN, "-o", folder, "-j", "1").text
    if not facts:
        shutil.rmtree(folder / FACTS)
    cut = written(first_hands(game(), 5), tmp_path / "cut.jsonl")
    talk = call("import", OTHER, cut, "-o", folder, "-j", "1").talk
    named = [f"  {OTHER}: all hands are in {HANCHAN}", f"  {cut}: all hands are in {HANCHAN}"]
    if facts:
        assert talk[-2:] == named
    else:  # what an earlier import added is not known
        assert talk[-1] == f"  {cut}: all hands are in {OTHER}"
    assert counted(folder) == counted(folder, OTHER) == (1, 14)
    assert counted(cut, folder)[1] == 14
    assert set(named) <= set(call("stats", folder, "-j", "1").talk)
    whole = call("stats", HANCHAN, "-j", "1", "--all", "-f", "csv").data
    assert call("stats", folder, "-j", "1", "--all", "-f", "csv").data == whole


def test_a_review_and_a_reference_count_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paifu.api.reference.LEAST_GAMES", 1)
    found = [len(paifu.review(paths)) for paths in (HANCHAN, [HANCHAN, OTHER])]
    assert found[0] == found[1] > 0
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file, paths in zip(files, ([HANCHAN], [HANCHAN, OTHER]), strict=True):
        result = call("reference", *paths, "-o", file, "-j", "1")
        assert ("  " + f"{OTHER}: all hands are in {HANCHAN}" in result.talk) == (len(paths) > 1)
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.every(2)
@pytest.mark.usefixtures("by_units")
def test_a_page_blames_no_game_for_hands_that_count_elsewhere(tmp_path: Path) -> None:
    logs = [SCENARIOS / "chankan.mjlog", SCENARIOS / "chiihou.mjlog"]
    result = call("report", *logs, "-o", tmp_path / "page.html", "-j", "1")
    assert result.talk[1] == f"  {logs[1]}: 1 hand is in {logs[0]}"
    assert (result.status, result.talk[-1]) == (0, "no errors")


def test_many_workers_count_what_one_counts(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.json" for number in range(40)]
    for path in paths:
        path.write_bytes(OTHER.read_bytes())
    done = [call("stats", *paths, "-j", jobs, "-f", "json") for jobs in ("1", "2")]
    assert done[0].data == done[1].data
    assert len(json.loads(done[0].data)["copies"]) == 39
