"""Conversion: what is written, what is lost and what is not, proofs, names of files, and the command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import orjson
import pytest
from command import call
from compared import agree
from each_row import each_row
from fouls_in_play import FoulSimulator
from mjai_games import cut, draw, hand, lines, start

from paifu.api.convert import convert, link
from paifu.api.game_files import file_name
from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.conversion import LOST
from paifu.parsers.errors import WriteError
from paifu.parsers.physical import with_physical_tiles
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.targets import TARGETS
from paifu.parsers.writers import WRITERS
from paifu.replay.bounds import check_batch
from paifu.replay.comparison.comparing import compare_games
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.table.engine import replay

SAMPLES = Path(__file__).parents[2] / "sample_logs"
FORMATS = SAMPLES / "formats"


def test_every_writer_is_a_target_and_says_what_it_loses() -> None:
    assert tuple(WRITERS) == TARGETS
    assert set(TARGETS) == set(LOST)


@pytest.mark.full
@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_lost_but_what_the_format_cannot_state(tmp_path: Path, target: str) -> None:
    done = convert([FORMATS, SAMPLES / "scenarios"], tmp_path, target, prove=True)
    assert done.unreadable == 0
    assert done.faulty() == []
    assert done.faults == []
    refused = len(done.errors)
    assert all("three players" in error for error in done.errors)
    assert (refused > 0) is (target == "majiang")
    assert done.written == done.proved == done.games - refused == len(list(tmp_path.iterdir()))


@pytest.mark.parametrize("target", TARGETS)
def test_a_game_that_went_through_a_format_is_sound(tmp_path: Path, target: str) -> None:
    source = FORMATS / "hanchan.mjlog.gz"
    convert(source, tmp_path / "there", target)
    back = convert(tmp_path / "there", tmp_path / "back", "mjlog", prove=True)
    assert (back.written, back.errors) == (1, [])
    batch = Batch.concatenate(read_batches([tmp_path / "back"]))
    check_batch(batch)
    assert replay(batch).findings.code.tolist() == []
    (original,) = read_batches([source])
    found = compare_games(original, batch)
    for sort in ("different", "only_a"):  # a place in the list that says nothing is chosen anew
        facts = {fact for fact, counts in found.facts.items() if getattr(counts, sort)}
        assert facts <= LOST[target].keys() | {"games.id", "games.started"}


def test_formats_that_hold_everything(tmp_path: Path) -> None:
    for target in ("paifu", "paifu-events"):
        done = convert(FORMATS, tmp_path / target, target, prove=True)
        assert all(became.lost == became.faults == 0 for became in done.facts.values())
        assert {"wins.yaku", "events.tile_id", "games.rules"} <= done.facts.keys()


# --- physical tiles ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["hanchan.json", "sanma.json", "five-games.jsonl"])
def test_tiles_are_told_apart(path: str) -> None:
    (batch,) = read_batches([FORMATS / path])
    for number in range(len(batch)):
        plain = batch.take(number)
        told = with_physical_tiles(plain)
        check_batch(told)
        assert (told.hands.dora_id != NO_TILE).all()
        assert (told.wins.tiles_id[:, 0] != NO_TILE).all()
        assert agree(compare_games(plain, told))
        assert replay(told).findings.code.tolist() == []


def test_hidden_tiles_cannot_be_told_apart() -> None:
    text = lines(start(), hand(tehais=[["?"] * 13] * 4), draw(0, "?"), cut(0, "1m"))
    batch = read_unit([Document("x", text, Format.MJAI)])
    with pytest.raises(WriteError, match="hidden"):
        with_physical_tiles(batch)


# --- files ---------------------------------------------------------------------------------------------


ID = "2022010503gm-00b9-0000-6ebd44bf"


@each_row(
    ("source", "game_id", "name"),
    [
        ("logs/a.mjlog.gz", "", "a"),
        ("logs/a.b.json", "", "a.b"),
        ("x.zip:2022/y.mjlog", "", "y"),
        ("two.mjlog#2", "", "two-2"),
        ("logs.jsonl:12", "", "logs-12"),
        ("a.db:x/..", "", "game"),
        ("<stdin>", "", "stdin"),
        ("a.json", ID, ID),
        (
            "2022010503gm-00b9-0000-6ebd44bf.mjlog#2",
            "2022010503gm-00b9-0000-6ebd44bf",
            "2022010503gm-00b9-0000-6ebd44bf-2",
        ),
        ("a.json", "../../etc/passwd", "..-..-etc-passwd"),
    ],
)
def test_names_of_files(source: str, game_id: str, name: str) -> None:
    assert file_name(source, game_id) == name
    assert "/" not in name


def test_long_names_stay_apart() -> None:
    names = {file_name("a" * 300 + end + ".json", "") for end in "xyz"}
    assert len(names) == 3
    assert max(map(len, names)) < 100


def test_games_of_the_same_name_get_a_number(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.mjlog").write_bytes((FORMATS / "tonpuu.mjlog").read_bytes())
    convert([tmp_path / "a", tmp_path / "b"], tmp_path / "out", "mjai")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["x-2.mjson", "x.mjson"]


def test_a_conversion_can_be_repeated(tmp_path: Path) -> None:
    first = convert(FORMATS, tmp_path, "mjai")
    one, other = sorted(tmp_path.iterdir())[:2]
    one.unlink()
    other.write_bytes(b"broken off")
    again = convert(FORMATS, tmp_path, "mjai")
    assert (again.written, again.there) == (2, first.written - 2)
    assert other.read_bytes() != b"broken off"


@pytest.mark.full
def test_any_number_of_workers_writes_the_same(tmp_path: Path) -> None:
    for jobs in (1, 2):
        convert([SAMPLES / "games", FORMATS], tmp_path / str(jobs), "majiang", jobs=jobs)
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / n).iterdir()} for n in ("1", "2"))
    assert one == two


# --- the command ---------------------------------------------------------------------------------------


def test_the_command_lists_what_is_lost(tmp_path: Path) -> None:
    result = call("convert", FORMATS, "--to", "mjai", "-o", tmp_path, "-f", "json", "--jobs", 1)
    assert result.status == 0
    document = json.loads(result.data)
    assert document["schema"] == "paifu.convert/1"
    assert document["summary"]["written"] == 16
    assert {row["fact"] for row in document["facts"]} <= LOST["mjai"].keys()
    proved = call("convert", FORMATS, "--to", "mjai", "-o", tmp_path, "--prove", "--jobs", 1)
    assert (proved.status, proved.talk[-1]) == (0, "16 games of 16 proved")
    assert "16 files there already" in proved.talk[-2]


def test_what_is_wrong_with_a_result_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that swaps two players' names, and one that says nothing of a fact that has its place."""
    from paifu.parsers import writers

    def swapping(batch: Batch) -> Iterator[bytes]:
        names = batch.games.names[:, [1, 0, 2, 3]]
        return WRITERS["mjai"].games(replace(batch, games=replace(batch.games, names=names)))

    def silent(batch: Batch) -> Iterator[bytes]:
        return WRITERS["mjai"].games(
            replace(batch, wins=replace(batch.wins, fu=np.full_like(batch.wins.fu, -1)))
        )

    for games, fact, kind in ((swapping, "games.names", "changed"), (silent, "wins.fu", "missing")):
        broken = {**WRITERS, "mjai": WRITERS["mjai"]._replace(games=games)}
        for module in ("paifu.api.convert", "paifu.api.proof"):
            monkeypatch.setattr(f"{module}.WRITERS", broken)
        logs = FORMATS / "hanchan.mjlog.gz"
        result = call("convert", logs, "--to", "mjai", "-o", tmp_path, "--prove", "--jobs", 1, "-f", "json")
        assert result.status == 1
        assert result.talk[-1] == f"0 games of 1 proved; missing, changed or invented: {fact}"
        assert any(f"{fact}: source " in line for line in result.talk)
        (row,) = (row for row in json.loads(result.data)["facts"] if row["fact"] == fact)
        assert row[kind] > 0 == row["invented"]
    assert writers.WRITERS is WRITERS


def test_what_cannot_be_written_or_read_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "bad.mjlog").write_bytes(b"no log")
    inputs = [FORMATS / "sanma.json", tmp_path / "bad.mjlog", FORMATS / "hanchan.json"]
    result = call("convert", *inputs, "--to", "majiang", "-o", tmp_path / "out", "--jobs", 1)
    assert result.status == 1
    assert any("three players" in line for line in result.talk)
    assert any("not a log" in line for line in result.talk)
    assert result.talk[-1].endswith("1 game written as majiang")


@pytest.mark.every(4)
@pytest.mark.parametrize("target", sorted(set(TARGETS) - {"paifu", "paifu-events"}))
@pytest.mark.parametrize("system", ["zung-jung", "hk-old-style", "chinese-classical"])
def test_games_that_are_not_riichi_are_refused(tmp_path: Path, target: str, system: str) -> None:
    path = SAMPLES / "systems" / f"{system}-games.jsonl.gz"
    result = call("convert", path, "--to", target, "-o", tmp_path, "--jobs", 1)
    assert result.status == 1
    refused = [line for line in result.talk if "use --to paifu" in line]
    assert len(refused) == 2
    assert all(f"cannot be written as {target}: the format holds riichi only" in line for line in refused)
    assert list(tmp_path.iterdir()) == []
    assert call("convert", path, "--to", "paifu", "-o", tmp_path, "--prove", "--jobs", 1).status == 0


@each_row("target", sorted(set(TARGETS) - {"paifu", "paifu-events"}))
def test_games_of_two_are_refused(target: str) -> None:
    rules = with_overrides(load_preset("tenhou"), {"players": 2})
    batch = batch_of([Simulator(rules, [PLAYERS["balanced"]] * 2).game(1)], fmt="paifu")
    with pytest.raises(WriteError, match="three or four players only; use --to paifu"):
        list(WRITERS[target].games(batch))


@each_row("target", sorted(set(TARGETS) - {"paifu", "paifu-events"}))
def test_games_with_a_foul_are_refused(target: str) -> None:
    batch = batch_of([FoulSimulator(load_preset("ema"), [PLAYERS["wild"]]).game(400)], fmt="paifu")
    assert HandEnd.CHOMBO in batch.hand_draws.kind
    with pytest.raises(WriteError, match="has no word for a foul; use --to paifu"):
        list(WRITERS[target].games(batch))


def test_links_to_the_viewer(tmp_path: Path) -> None:
    result = call("convert", FORMATS / "hanchan.json", "--to", "tenhou6", "--link", "--jobs", 1)
    (address,) = result.text.splitlines()
    path = tmp_path / "link.txt"
    path.write_text(address)
    batch = Batch.concatenate(read_batches([path]))
    assert len(batch.hands) == 14
    assert link(b'{"a": "\xe9\x9d\x92"}\n') == "https://tenhou.net/6/#json=%7B%22a%22%3A%20%22%E9%9D%92%22%7D"


# --- real logs -----------------------------------------------------------------------------------------


@pytest.mark.corpus
@pytest.mark.parametrize("target", TARGETS)
def test_real_games_are_proved(shared: Path, tmp_path: Path, target: str) -> None:
    folder = shared / "logs" / "mjlog"
    paths = [folder / "573932914+mahjong-analytics", folder / "tsubakisakura+mjlog2json"]
    done = convert(paths, tmp_path, target, prove=True)
    assert done.faulty() == []
    assert done.faults == []
    assert all("three players" in error for error in done.errors)
    assert done.proved == done.written


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_the_whole_corpus_is_proved_and_comes_back(shared: Path, tmp_path: Path, target: str) -> None:
    done = convert(shared / "logs" / "mjlog", tmp_path, target, prove=True, jobs=None)
    assert done.faulty() == []
    assert done.faults == []
    assert done.proved == done.written == done.games - len(done.errors)
    assert all("three players" in error for error in done.errors)
    back = convert(tmp_path, tmp_path / "back", "mjlog", prove=True, jobs=None)
    assert back.written + back.there + len(back.errors) == done.written
    assert orjson.dumps(back.errors) == b"[]"


def test_nine_terminals_are_shown_among_all_fourteen_tiles() -> None:
    batch = Batch.concatenate(read_batches([FORMATS / "aborted-hands.zip"]))
    row = int(np.flatnonzero(batch.hand_draws.kind == HandEnd.KYUUSHU)[0])
    game = batch.take(int(batch.hands.game[batch.hand_draws.hand[row]]))
    for table in game.tables():
        for name, cells in table.arrays():
            if name.endswith("_id"):
                cells[:] = NO_TILE
    told = with_physical_tiles(game).hand_draws
    (row,) = np.flatnonzero(told.kind == HandEnd.KYUUSHU)
    assert (told.shown_id[row] != NO_TILE).sum() == 14
    assert np.array_equal(np.sort(told.shown[row]), np.sort(game.hand_draws.shown[row]))
