"""Whatever a reader raises costs one document, never a batch: readers of paifu as those of plug-ins."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import orjson
import pytest
from builders import game
from command import call
from fuzzing import MADE, simulated
from record_places import TEXTS, with_odd_fields
from test_plugins import put, run

from paifu.parsers import read
from paifu.parsers.errors import ParseError
from paifu.parsers.read import read_batches, read_inputs, read_unit
from paifu.parsers.sources.detect import Format, PluginReader
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import WRITERS
from paifu.replay.bounds import check_batch
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder

pytestmark = pytest.mark.every(8)

Reader = Callable[[Document, bytes, BatchBuilder], None]


def with_reader(monkeypatch: pytest.MonkeyPatch, reader: Reader) -> None:
    """Let a reader take the place of that of mjlog wherever a text says so."""
    usual = read._reader(Format.MJLOG)

    def chosen(document: Document, text: bytes, builder: BatchBuilder) -> None:
        (reader if b"BAD" in text else usual)(document, text, builder)

    monkeypatch.setattr(read, "_reader", lambda _format: chosen)


def documents(*texts: bytes) -> list[Document]:
    return [Document(f"{number}", text, Format.MJLOG) for number, text in enumerate(texts)]


def raising(error: BaseException) -> Reader:
    def reader(document: Document, text: bytes, builder: BatchBuilder) -> None:
        raise error

    return reader


BAD = b"BAD"


@pytest.mark.parametrize("error", [TypeError("no"), SystemExit(0), RecursionError("deep"), KeyError("x")])
def test_what_a_reader_raises_is_a_fault_of_its_document(
    monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    with_reader(monkeypatch, raising(error))
    batch, inputs = read_inputs(documents(game(0), BAD, game(1), BAD, game(2)))
    assert batch.games.source.tolist() == ["0", "2", "4"]
    assert batch.faults.source.tolist() == ["1", "3"]
    assert re.fullmatch(
        rf"it cannot be read because of a bug in paifu, which you can report with the log: "
        rf"{type(error).__name__}: .* \(test_guard.py:\d+, read.py:\d+, paifu \d.*\)",
        batch.faults.reason[0],
    )
    assert (inputs.games, inputs.faults) == ((1, 1, 2, 2, 3), (0, 1, 1, 2, 2))


def test_what_a_reader_refuses_is_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with_reader(monkeypatch, raising(ParseError("not today", place="line 1", code="V102")))
    batch = read_unit(documents(game(0), BAD))
    assert (len(batch), batch.faults.reason.tolist(), batch.faults.code.tolist()) == (
        1,
        ["not today"],
        ["V102"],
    )


def test_want_of_memory_is_no_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    with_reader(monkeypatch, raising(MemoryError()))
    batch = read_unit(documents(BAD, game(0)))
    assert batch.faults.reason.tolist() == ["there is too little memory to read it"]
    assert len(batch) == 1


def test_games_that_a_reader_finished_before_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = read._reader(Format.MJLOG)

    def reader(document: Document, text: bytes, builder: BatchBuilder) -> None:
        usual(document, game(7), builder)
        raise TypeError("later")

    with_reader(monkeypatch, reader)
    batch = read_unit(documents(game(0), BAD, game(1)))
    assert batch.games.source.tolist() == ["0", "1", "2"]
    assert len(batch.faults) == 1
    check_batch(batch)


@pytest.mark.parametrize(
    "row",
    [{"nothing": 1}, {"dora": 10**30}, {"dealt": b"\x00" * 999}, {"scores": [1, 2]}, {"honba": "x"}],
)
def test_what_no_column_can_hold_is_a_fault_too(monkeypatch: pytest.MonkeyPatch, row: dict[str, Any]) -> None:
    """The builder finds out at the end of a unit only."""
    usual = read._reader(Format.MJLOG)

    def reader(document: Document, text: bytes, builder: BatchBuilder) -> None:
        from paifu.replay.model.builder import GameDraft

        usual(document, game(7), builder)
        draft = GameDraft({"source": "x"})
        draft.begin_hand(0, {"round": 0, "dealer": 0, **row})
        builder.add(draft)

    with_reader(monkeypatch, reader)
    batch = read_unit(documents(game(0), BAD, game(1)))
    assert batch.games.source.tolist() == ["0", "2"]
    assert batch.faults.source.tolist() == ["1"]
    assert "a bug in paifu" in batch.faults.reason[0]


def test_what_a_search_for_logs_raises_is_a_fault_of_its_source(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def wrong(_text: str) -> None:
        raise ValueError("no")

    monkeypatch.setattr("paifu.parsers.sources.surroundings.logs_within", wrong)
    (tmp_path / "a.txt").write_text("hello")
    (tmp_path / "b.mjlog").write_bytes(game())
    batch = Batch.concatenate(read_batches([tmp_path]))
    assert len(batch) == 1
    assert "because of a bug in paifu" in batch.faults.reason[0]
    assert batch.faults.source.tolist() == [str(tmp_path / "a.txt")]


# --- the two that were found ------------------------------------------------------------------------------


def riichi_city_with(change: Callable[[dict[str, Any]], None]) -> bytes:
    """A record in which the data of each event has been changed."""
    drawn = next(
        batch for batch in map(partial(simulated, "riichi-city"), range(20)) if batch.hand_draws.tenpai.sum()
    )
    record = orjson.loads(MADE["riichicity"][0](drawn))
    for hand in record["data"]["handRecord"]:
        for event in hand["handEventRecord"]:
            data = orjson.loads(event["data"])
            change(data)
            event["data"] = orjson.dumps(data).decode()
    return orjson.dumps(record)


def odd_yaku(data: dict[str, Any]) -> None:
    for win in data.get("win_info") or ():
        if win.get("fang_info") is None:
            win["fang_info"] = 5


def odd_han(some: Any) -> bytes:
    command = next(one for one in some if one["cmd"] == "agari")
    command["args"] = [cell if "飜" not in cell else "9" * 400 + "飜" for cell in command["args"]]
    return orjson.dumps(some)


@cache
def odd_logs() -> dict[str, bytes]:
    page = orjson.loads(MADE["mleague"][0](simulated("mleague", 2)))
    return {"riichi-city.json": riichi_city_with(odd_yaku), "mleague.json": odd_han(page)}


@pytest.mark.parametrize("name", ["riichi-city.json", "mleague.json"])
@pytest.mark.parametrize(
    "command",
    [("verify",), ("stats",), ("luck",), ("import", "-o", "ds"), ("convert", "--to", "mjlog", "-o", "out")],
    ids=lambda command: command[0],
)
def test_an_odd_log_among_sound_ones_costs_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, command: tuple[str, ...]
) -> None:
    (tmp_path / "logs").mkdir()
    for number in range(4):
        (tmp_path / "logs" / f"{number}.mjlog").write_bytes(game(number))
    (tmp_path / "logs" / name).write_bytes(odd_logs()[name])
    monkeypatch.chdir(tmp_path)
    result = call(*command, "logs")
    assert result.status == 1
    told = [line for line in (*result.talk, *result.text.splitlines()) if f"logs/{name}" in line]
    assert told
    assert all("bug in paifu" not in line for line in told)


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in (*WRITERS, *MADE) if name not in TEXTS])
def test_a_value_of_another_kind_is_read_or_refused(name: str) -> None:
    """No guard stands around the readers here."""
    rules = {"riichicity": "riichi-city", "mleague": "mleague"}.get(name, "tenhou")
    batch = simulated(rules, 2)
    if name in MADE:
        text, fmt = MADE[name][0](batch), MADE[name][1]
    else:
        text, fmt = b"".join(WRITERS[name].games(batch)), WRITERS[name].format
    tried = 0
    for what, make in with_odd_fields(name, text):
        if hash_of(what) % SHARE:
            continue
        tried += 1
        changed, builder = make(), BatchBuilder()
        try:
            read._reader(fmt)(Document("x", changed, fmt), changed, builder)
            check_batch(builder.finish())
        except ParseError:
            continue
        except Exception as error:
            raise AssertionError(what) from error
    assert tried > 10


SHARE = 12
"""One in so many cases; all of them take minutes."""


def hash_of(text: str) -> int:
    """The same in every run."""
    return sum(text.encode("utf-8", "replace"))


# --- plug-ins ---------------------------------------------------------------------------------------------


def plugin(body: str) -> str:
    return (
        "import sys\n"
        "from paifu.parsers.mjlog.reader import read_mjlog\n"
        "from paifu.parsers.sources.detect import PluginReader\n"
        f"def read(document, text, builder):\n    {body}\n"
        "thing = PluginReader('demo', lambda head: head.startswith(b'#demo'), read)\n"
    )


ODD_PLUGINS = {
    "sys.exit(0)": "the plug-in for demo failed: SystemExit: 0",
    "sys.exit('bye')": "the plug-in for demo failed: SystemExit: bye",
    "builder.add_fault(1, 2, 3, 4, 5)": "the plug-in for demo made a game that cannot be: faults.source",
    "builder.add(5)": "the plug-in for demo failed: AttributeError",
    "read_mjlog(document, text[6:], builder); builder._games[0]['first_dealer'] = 9":
        "the plug-in for demo made a game that cannot be: games.first_dealer of row 0 is 9",
    "read_mjlog(document, text[6:], builder); builder._games[0]['names'] = [1, 2, 3, 4]":
        "the plug-in for demo made a game that cannot be: games.names of row 0",
    "read_mjlog(document, text[6:], builder); builder._words[-1][0] = 31":
        "the plug-in for demo made a game that cannot be: events.kind",
    "read_mjlog(document, text[6:], builder); builder._games[0]['other'] = 1":
        "the plug-in for demo failed: KeyError",
}  # fmt: skip


@pytest.mark.parametrize("body", ODD_PLUGINS)
def test_an_odd_plug_in_costs_its_documents_and_is_named(tmp_path: Path, body: str) -> None:
    put(tmp_path, "demo", plugin(body), {"readers": "thing"})
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.demo").write_bytes(b"#demo\n" + game())
    (tmp_path / "logs" / "b.mjlog").write_bytes(game())
    done = run(tmp_path, "verify", "logs")
    assert done.returncode == 1
    assert ODD_PLUGINS[body] in done.stdout
    assert "logs/a.demo" in done.stdout
    assert "1 hand" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_plug_in_that_leaves_while_it_is_asked_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    from paifu.parsers.sources import detect

    def leave(_head: bytes) -> bool:
        raise SystemExit(0)

    monkeypatch.setattr(detect, "plugin_readers", lambda: (PluginReader("x", leave, read._read_by_plugin),))
    assert detect.sniff(b"#demo") is Format.UNKNOWN


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_statistic_that_leaves_ends_the_run_with_words(tmp_path: Path, jobs: str) -> None:
    module = (
        "import sys\n"
        "from paifu.reports.metrics.metric import Family\n"
        "thing = Family('demo', 'Demo')\n"
        "@thing.share('demo wins', 'hands won', base='hands')\n"
        "def demo_wins(hands):\n    '''Share.'''\n    sys.exit(0)\n"
    )
    put(tmp_path, "demo", module, {"metrics": "thing"})
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.mjlog").write_bytes(game())
    done = run(tmp_path, "stats", "logs", "--metrics", "demo_wins", "--jobs", jobs)
    assert (done.returncode, done.stdout) == (2, "")
    assert "paifu: a plug-in ended the run, by sys.exit" in done.stderr
