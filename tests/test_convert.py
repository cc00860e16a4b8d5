"""Conversion: what is written, what is lost and what is not, proofs, names of files, and the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from command import call
from mjai_games import cut, draw, hand, lines, start
from situations import Situation
from test_sample_coverage import SCENARIOS

from paifu.api.converting import convert, file_name, link
from paifu.parsers.conversion import DORA, DORA_PLACE, LAST_RIICHI, LOST, PRESENCE, LostFact, compare, stated
from paifu.parsers.errors import WriteError
from paifu.parsers.physical import with_physical_tiles
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.simulated import batch_of
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.targets import TARGETS
from paifu.parsers.writers import WRITERS
from paifu.replay.bounds import check_batch
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.simulate.games import PLAYERS, Simulator
from paifu.replay.table.engine import replay

SAMPLES = Path(__file__).parents[1] / "sample_logs"
FORMATS = SAMPLES / "formats"


def test_every_writer_is_a_target_and_says_what_it_loses() -> None:
    assert tuple(WRITERS) == TARGETS
    assert set(TARGETS) == set(LOST)


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_lost_but_what_the_format_cannot_state(tmp_path: Path, target: str) -> None:
    done = convert([FORMATS, SAMPLES / "scenarios"], tmp_path, target, prove=True)
    assert done.unreadable == 0
    assert done.more_than_due(target) == []
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
    lost = {one.fact for one in compare(original, batch)} - LOST[target]
    assert lost - {"games.id", "games.started", "games.is_cut"} == set()


def test_formats_that_hold_everything(tmp_path: Path) -> None:
    for target in ("paifu", "paifu-events"):
        done = convert(FORMATS, tmp_path / target, target, prove=True)
        assert (done.lost, done.changed) == ({}, {})


# --- comparing -----------------------------------------------------------------------------------------


def game() -> Batch:
    (batch,) = read_batches([FORMATS / "hanchan.mjlog.gz"])
    return batch


CHANGES: dict[str, tuple[str, str, Any]] = {
    "a win's fu": ("wins", "fu", 30),
    "a discard": ("events", "tile", 7),
    "a score": ("hands", "scores", 100),
    "who paid": ("wins", "source", 2),
    "how a hand ended": ("hand_draws", "kind", 4),
    "a mark": ("events", "flags", 1),
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_fact_that_changed_is_found(case: str) -> None:
    table_name, column, value = CHANGES[case]
    batch = game()
    table = getattr(batch, table_name)
    values = getattr(table, column).copy()
    row = next(row for row in range(len(values)) if (values[row] != value).all())
    values[row] = value
    changed = replace(batch, **{table_name: replace(table, **{column: values})})
    assert LostFact(f"{table_name}.{column}", lost=0, changed=1) in compare(batch, changed)


def test_a_fact_that_was_lost_is_found() -> None:
    batch = game()
    wins = replace(batch.wins, fu=np.full_like(batch.wins.fu, -1))
    assert compare(batch, replace(batch, wins=wins)) == [LostFact("wins.fu", len(wins), 0)]
    assert compare(replace(batch, wins=wins), batch) == [], "more may be said than before"


def test_rows_that_are_missing_are_found() -> None:
    batch = game()
    events = type(batch.events)(**{name: array[:-1] for name, array in batch.events.arrays()})
    (found,) = compare(batch, replace(batch, events=events))
    assert (found.fact, found.changed) == ("events", 1)


def test_the_order_of_equal_things_says_nothing() -> None:
    batch = game()
    dealt = batch.hands.dealt[:, :, ::-1].copy()
    assert compare(batch, replace(batch, hands=replace(batch.hands, dealt=dealt))) == []


def test_who_left_is_a_fact_of_its_own() -> None:
    batch = batch_of([SCENARIOS["leave"].play()]) if "leave" in SCENARIOS else game()
    assert "wins.fu" in stated(batch)
    assert (PRESENCE in stated(batch)) is ("leave" in SCENARIOS)


def only(batch: Batch, keep: Callable[[int, int], bool]) -> Batch:
    """The batch with those of its events that ``keep`` (number, kind) has."""
    rows = [row for row, kind in enumerate(batch.events.kind.tolist()) if keep(row, kind)]
    return in_order(batch, rows)


def in_order(batch: Batch, rows: list[int]) -> Batch:
    events = type(batch.events)(**{name: array[rows] for name, array in batch.events.arrays()})
    return replace(batch, events=events)


KAN = Situation("0 1m ankan 1m\n0 9p\n1 9p", {0: "111m258p146s1234z"}).batch()


def test_indicators_that_are_lost_moved_or_others_are_facts_of_their_own() -> None:
    kinds = KAN.events.kind.tolist()
    at = kinds.index(EventKind.DORA)
    without = only(KAN, lambda row, _kind: row != at)
    assert compare(KAN, without) == [LostFact(DORA, lost=1, changed=0)]
    assert compare(without, KAN) == [LostFact(DORA, lost=0, changed=1)]
    later = [*range(at), at + 1, at, *range(at + 2, len(kinds))]
    assert compare(KAN, in_order(KAN, later)) == [LostFact(DORA_PLACE, lost=1, changed=0)]
    tiles = KAN.events.tile.copy()
    tiles[at] = 3
    other = replace(KAN, events=replace(KAN.events, tile=tiles))
    assert compare(KAN, other) == [LostFact(DORA, lost=0, changed=1)]
    assert (DORA_PLACE in stated(KAN), DORA_PLACE in stated(without)) == (True, False)


def test_who_leaves_and_returns_is_a_fact_of_its_own() -> None:
    batch = Situation("leave 1\n0 9p\nreturn 1\n1 9m").batch()
    without = only(batch, lambda _row, kind: kind not in (EventKind.LEAVE, EventKind.RETURN))
    assert compare(batch, without) == [LostFact(PRESENCE, lost=2, changed=0)]
    assert compare(without, batch) == [LostFact(PRESENCE, lost=0, changed=0)]
    assert (PRESENCE in stated(batch), PRESENCE in stated(without)) == (True, False)


def test_a_riichi_that_ends_what_there_is_of_a_game_is_a_fact_of_its_own() -> None:
    batch = Situation("0 9p r9p", {0: "123456m789p1123s"}).batch()
    assert batch.events.kind[-2:].tolist() == [EventKind.RIICHI, EventKind.DISCARD]
    declared = only(batch, lambda row, _kind: row != len(batch.events) - 1)
    drawn = only(declared, lambda _row, kind: kind != EventKind.RIICHI)
    assert compare(declared, drawn) == [LostFact(LAST_RIICHI, lost=1, changed=0)]
    assert compare(drawn, declared) == [LostFact(LAST_RIICHI, lost=0, changed=1)]
    assert (LAST_RIICHI in stated(declared), LAST_RIICHI in stated(batch)) == (True, False)


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
        assert [one.fact for one in compare(plain, told)] == []
        assert replay(told).findings.code.tolist() == []


def test_hidden_tiles_cannot_be_told_apart() -> None:
    text = lines(start(), hand(tehais=[["?"] * 13] * 4), draw(0, "?"), cut(0, "1m"))
    batch = read_unit([Document("x", text, Format.MJAI)])
    with pytest.raises(WriteError, match="hidden"):
        with_physical_tiles(batch)


# --- files ---------------------------------------------------------------------------------------------


ID = "2022010503gm-00b9-0000-6ebd44bf"


@pytest.mark.parametrize(
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
    assert {row["fact"] for row in document["facts"]} <= LOST["mjai"]
    proved = call("convert", FORMATS, "--to", "mjai", "-o", tmp_path, "--prove", "--jobs", 1)
    assert (proved.status, proved.talk[-1]) == (0, "16 games of 16 proved")
    assert "16 files there already" in proved.talk[-2]


def test_more_is_lost_than_must_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from paifu.parsers import conversion

    monkeypatch.setitem(dict(LOST), "mjai", frozenset())
    fewer = {**LOST, "mjai": LOST["mjai"] - {"wins.limit"}}
    monkeypatch.setattr(conversion, "LOST", fewer)
    monkeypatch.setattr("paifu.api.converting.LOST", fewer)
    result = call("convert", FORMATS, "--to", "mjai", "-o", tmp_path, "--prove", "--jobs", 1)
    assert result.status == 1
    assert result.talk[-1].endswith("more was lost than mjai must lose: wins.limit")


def test_what_cannot_be_written_or_read_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "bad.mjlog").write_bytes(b"no log")
    inputs = [FORMATS / "sanma.json", tmp_path / "bad.mjlog", FORMATS / "hanchan.json"]
    result = call("convert", *inputs, "--to", "majiang", "-o", tmp_path / "out", "--jobs", 1)
    assert result.status == 1
    assert any("three players" in line for line in result.talk)
    assert any("not a log" in line for line in result.talk)
    assert result.talk[-1].endswith("1 game written as majiang")


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


@pytest.mark.parametrize("target", sorted(set(TARGETS) - {"paifu", "paifu-events"}))
def test_games_of_two_are_refused(target: str) -> None:
    rules = with_overrides(load_preset("tenhou"), {"players": 2})
    batch = batch_of([Simulator(rules, [PLAYERS["balanced"]] * 2).game(1)], fmt="paifu")
    with pytest.raises(WriteError, match="three or four players only; use --to paifu"):
        list(WRITERS[target].games(batch))


@pytest.mark.parametrize("target", sorted(set(TARGETS) - {"paifu", "paifu-events"}))
def test_games_with_a_foul_are_refused(target: str) -> None:
    """In this one, a riichi turns out not to be tenpai."""
    simulator = Simulator(load_preset("riichi-encyclopedia"), [PLAYERS["wild"], PLAYERS["caller"]])
    batch = batch_of([simulator.game(400)], fmt="paifu")
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


@pytest.mark.parametrize(
    "arguments",
    [["--to", "mjai"], ["--to", "mjai", "--link"], ["--to", "tenhou6", "--link", "-o", "x"], ["--to", "pdf"]],
)
def test_wrong_options(arguments: list[str]) -> None:
    assert call("convert", FORMATS / "hanchan.json", *arguments).status == 2


# --- real logs -----------------------------------------------------------------------------------------


@pytest.mark.corpus
@pytest.mark.parametrize("target", TARGETS)
def test_real_games_are_proved(shared: Path, tmp_path: Path, target: str) -> None:
    folder = shared / "logs" / "mjlog"
    paths = [folder / "573932914+mahjong-analytics", folder / "tsubakisakura+mjlog2json"]
    done = convert(paths, tmp_path, target, prove=True)
    assert done.more_than_due(target) == []
    assert all("three players" in error for error in done.errors)
    assert done.proved == done.written


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_the_whole_corpus_is_proved_and_comes_back(shared: Path, tmp_path: Path, target: str) -> None:
    done = convert(shared / "logs" / "mjlog", tmp_path, target, prove=True, jobs=None)
    assert done.more_than_due(target) == []
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
