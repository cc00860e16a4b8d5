"""What one document may cost: values, elements, results and faults beyond any game's are refused by name."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from pathlib import Path

import orjson
import pytest
import riichicity_games
import test_growth as growth
from builders import faults, game
from each_row import each_row
from fuzzing import simulated, written
from majsoul_games import UUID, details, new_round

from paifu.parsers import json_games, json_values
from paifu.parsers.json_values import MAX_VALUES, cells_of_list, lines_of, load_json, shown, values_of
from paifu.parsers.majsoul.wire import MAX_CELLS
from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import MAX_FAULTS, MAX_ROWS

MIB = 1 << 20


def read(text: bytes, kind: Format) -> Batch:
    return read_unit([Document("x", text, kind)])


COUNT = MAX_VALUES // 2 + 1
MANY: dict[str, tuple[Format, bytes]] = {
    "lists": (Format.TENHOU6, b'{"log":[' + b",".join([b"[]"] * COUNT) + b"]}"),
    "objects": (Format.MAJIANG, b'{"qijia":0,"log":[' + b",".join([b"{}"] * COUNT) + b"]}"),
    "numbers": (Format.MAJSOUL, b'{"head":{"uuid":"x"},"data":[' + b"999," * MAX_VALUES + b"1]}"),
    "records": (Format.RIICHI_CITY, b'{"handRecord":[' + b"{}," * COUNT + b"1]}"),
    "commands": (Format.MLEAGUE, b'[{"cmd":"page","args":[' + b'"",' * MAX_VALUES + b'""]}]'),
    "a state": (Format.MJX, b'{"publicObservation":[' + b"1," * MAX_VALUES + b"1]}"),
    "an event": (Format.MJAI, b'{"type":"start_game","names":[' + b"1," * MAX_VALUES + b"1]}"),
    "a paifu log": (Format.PAIFU, b'{"paifu":1,"hands":[' + b"1," * MAX_VALUES + b"1]}"),
    "a line": (Format.PAIFU, b'{"paifu":1,"game":{"ruleset":"tenhou"}}\n[' + b"1," * MAX_VALUES + b"1]\n"),
    "a link": (Format.TENHOU6, b"https://tenhou.net/6/#json=[" + b"1," * MAX_VALUES + b"1]"),
    "pages of lines": (Format.TENHOU6, b'{"log":[' + b"\n" * MAX_VALUES + b"1,1]}"),
}  # fmt: skip


@pytest.mark.every(20)
@pytest.mark.parametrize("name", MANY)
def test_more_values_than_a_game_has_are_one_fault(name: str) -> None:
    kind, text = MANY[name]
    tracemalloc.start()
    batch = read(text, kind)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(batch) == 0
    (fault,) = [one for one in faults(batch) if "values" in one[2]]
    assert fault[2] == "the JSON holds more than 1,000,000 values, which no game has"
    assert "a game on each line" in fault[3]
    assert peak < 3 * len(text) + 12 * MIB, "it is refused before it is read"


def test_an_error_names_a_long_value_without_a_copy_of_it() -> None:
    """One letter outside the Basic Multilingual Plane makes Python take four bytes for each of a text."""
    text = "x" * MIB + "\U0001f600"
    tracemalloc.start()
    assert shown(text) == "'" + "x" * 39
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000
    assert shown("a'b") == repr("a'b")


def test_a_link_of_escapes_is_refused_before_it_is_unpacked() -> None:
    batch = read(b"#json=%7B" + b"%5B," * 300_000 + b"%7D", Format.TENHOU6)
    assert batch.faults.reason.tolist() == ["the link holds more than any game has"]


def test_values_within_a_text_within_count_too() -> None:
    """The data of an event of Riichi City are JSON in a text, in which a bracket may be an escape."""
    record = riichicity_games.record(simulated("riichi-city", 0))
    record["data"]["handRecord"][0]["handEventRecord"][5]["data"] = "HERE"
    text = orjson.dumps(record).replace(b'"HERE"', b'"[' + b"\\u005b\\u005d," * COUNT + b'1]"')
    batch = read(text, Format.RIICHI_CITY)
    assert any("values" in reason for reason in batch.faults.reason)


@pytest.mark.full
def test_as_many_values_as_are_allowed_take_bounded_memory() -> None:
    deep = b'{"a":{"b":{"c":{}}}},' * (MAX_VALUES // 5 - 10)
    text = b'{"log":[' + deep[:-1] + b"]}"
    assert MAX_VALUES * 0.99 < values_of(text) < MAX_VALUES
    tracemalloc.start()
    load_json(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 50 * MIB < peak < 200 * MAX_VALUES


LITTLE = """
import resource, sys
from pathlib import Path
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
list(read_batches(["logs/a.mjlog", "logs/c.mjlog"]))
pages = int(Path("/proc/self/statm").read_text().split()[0])
most = pages * resource.getpagesize() + (80 << 20)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
batch = Batch.concatenate(read_batches(["logs"]))
print(*batch.games.source, *batch.faults.reason, sep="\\n")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits and tells the size of a process so")
def test_where_memory_does_not_suffice_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    for name in "ac":
        (tmp_path / "logs" / f"{name}.mjlog").write_bytes(game())
    deep = b'{"a":{"b":{"c":{}}}},' * (MAX_VALUES // 5 - 10)
    (tmp_path / "logs" / "b.json").write_bytes(b'{"log":[' + deep[:-1] + b"]}")
    done = subprocess.run(
        [sys.executable, "-c", LITTLE], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n") == [
        "logs/a.mjlog", "logs/c.mjlog", "there is too little memory to read it", ""
    ]  # fmt: skip


def test_no_game_comes_near_the_limits() -> None:
    for name in ("tenhou6", "majsoul-json", "majiang"):
        assert values_of(written(name, simulated("tenhou", 0))) < MAX_VALUES / 20


def test_a_list_of_very_many_games_is_read_game_by_game(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [growth.game([growth.hand()], title=["", f"{number}, [{{"]) for number in range(40)]
    text = b"[" + b" ,\n".join(games) + b"]"
    whole = read(text, Format.TENHOU6)
    for module in (json_values, json_games):
        monkeypatch.setattr(module, "MAX_VALUES", 2 * values_of(games[0]))
    again = read(text, Format.TENHOU6)
    assert len(again) == 40
    assert again.differences(whole) == []
    broken = read(text.replace(b'"log"', b'"log', 1), Format.TENHOU6)
    assert (len(broken) < 40, len(broken.faults) > 0) == (True, True)


def test_a_long_list_that_is_one_game_is_not_taken_for_many(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (json_values, json_games):
        monkeypatch.setattr(module, "MAX_VALUES", 100)
    monkeypatch.setattr(json_values, "_MANY", 100)
    records = [{"name": ".lq.RecordNewRound", "data": {}}] * 60
    batch = read(orjson.dumps(records), Format.MAJSOUL)
    assert [fault[2] for fault in faults(batch)] == ["the JSON holds more than 100 values, which no game has"]


@each_row(
    ("text", "cells"),
    [
        (b"[]", [b""]),
        (b"[1]", [b"1"]),
        (b'[[1,2], {"a":"]\\"[,"}]', [b"[1,2]", b' {"a":"]\\"[,"}']),
        (b"[1]]", []),
        (b"[1", []),
        (b'{"a":[1]}', []),
        (b"[" + b"1," * 60_000 + b"1]", []),
    ],
)
def test_cells_of_a_list(text: bytes, cells: list[bytes]) -> None:
    assert cells_of_list(text) == cells


@pytest.mark.parametrize("size", [0, 1, 5, json_values._LINES_AT_ONCE])
def test_lines_are_those_of_a_split(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(json_values, "_LINES_AT_ONCE", size)
    for text in (b"", b"\n", b"a", b"a\nbb\n\nccc", b"a\nb\n", b"\n\n\nabc" * 20):
        assert list(lines_of(text)) == text.split(b"\n")


# --- elements, messages, results, faults ------------------------------------------------------------------


@pytest.mark.parametrize("piece", [b"<a/>", b'<T1 a="" b=""/>'])
def test_more_elements_than_a_game_has_are_one_fault(piece: bytes) -> None:
    batch = read(growth.other(growth.START + growth.INIT + piece * 310_000), Format.MJLOG)
    ((_, _, reason, hint),) = faults(batch)
    assert (reason, hint) == (
        "the XML has more than 300,000 elements and attributes, which no game has", "get the log again"
    )  # fmt: skip


def test_a_message_that_lists_without_end_is_refused() -> None:
    kind, fields = new_round()
    batch = read(details((kind, {**fields, "doras": ["1m"] * (MAX_CELLS + 1)})), Format.MAJSOUL)
    assert batch.faults.reason.tolist() == ["doras lists more than 50,000 things, which no game has"]
    assert UUID


PAIFU = (
    b'{"paifu":1,"game":{"ruleset":"tenhou"}}\n'
    b'{"hand":{"round":"E1","scores":[25000,25000,25000,25000],"dora":"1m","dealt":["123456789m1122p",'
    b'"1122334455667s","3344556677889p","1122334455566z"]}}\n'
)
MJAI = (
    b'{"type":"start_game"}\n{"type":"start_kyoku","bakaze":"E","kyoku":1,"honba":0,"kyotaku":0,"oya":0,'
    b'"dora_marker":"9s","tehais":%b}\n' % orjson.dumps([["1m"] * 13] * 4)
)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Format.PAIFU, PAIFU + b'{"event":"0 tsumo 9s"}\n' * 2600),
        (Format.PAIFU, PAIFU + PAIFU.splitlines(keepends=True)[1] * 400),
        (Format.MJAI, MJAI + b'{"type":"hora","actor":0,"target":1}\n' * 1600),
    ],
)
def test_more_results_than_any_game_has_are_one_fault(
    monkeypatch: pytest.MonkeyPatch, kind: Format, text: bytes
) -> None:
    assert MAX_ROWS == 100_000
    monkeypatch.setattr("paifu.replay.model.builder.MAX_ROWS", 100)
    batch = read_unit(
        [Document("x", text, kind), Document("y", growth.plain(growth.START + growth.INIT), Format.MJLOG)]
    )
    assert batch.games.source.tolist() == ["y"]
    assert batch.faults.reason.tolist() == [
        "a game has more than 100 hands, results or payments, which no game has"
    ]


def test_faults_of_a_document_end_somewhere() -> None:
    text = b"{}\n" * (MAX_FAULTS + 7)
    batch = read_unit([Document("x", text, Format.TENHOU6), Document("y", b"{}", Format.TENHOU6)])
    assert len(batch.faults) == MAX_FAULTS + 2
    assert batch.faults.reason[MAX_FAULTS] == "7 more places could not be read, and are not listed"
    assert batch.faults.source.tolist()[-2:] == ["x", "y"]
