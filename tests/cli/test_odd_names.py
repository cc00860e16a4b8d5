"""Names that mean harm: of files, folders and players. A terminal never gets to see a control character."""

from __future__ import annotations

import csv
import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from command import call
from shards import write_shard

import paifu
from paifu.api.stats import counting
from paifu.parsers.dataset.shards import open_for_import
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch, Table
from paifu.replay.views.games import games
from paifu.reports.metrics.catalogue import HEADLINE, choose
from paifu.reports.metrics.counters import Chosen, Counters
from paifu.reports.statistics.for_programs import long_rows
from paifu.reports.statistics.text import many_table
from paifu.reports.statistics.values import arranged, statistics

pytestmark = pytest.mark.every(20)

T = TypeVar("T", bound=Table)

SAMPLES = Path(__file__).parents[2] / "sample_logs"
FILE_NAMES = (
    b"\x1b[31mred.mjlog", b"new\nline.mjlog", b"bell\x07.mjlog", b"\xff\xfe.mjlog", b"-dash.mjlog",
    b"[bold]x.mjlog",
    "東風.mjlog".encode(), "right\u202eleft.mjlog".encode(), b"\x9b31m.mjlog", b"a:b#2.mjlog", b"*?.mjlog",
)  # fmt: skip
COMMANDS = (
    ["verify"], ["review"], ["stats"], ["stats", "--by", "player"], ["danger"],
    *(
        [*command, "-f", fmt]
        for command in (["verify"], ["review"], ["stats", "--by", "player"], ["danger"])
        for fmt in ("json", "jsonl", "csv")
    ),
    ["stats", "--by", "player", "-f", "markdown"], ["verify", "-f", "github"], ["verify", "--explain"],
    ["stats", "--player", "\x1b[31mnobody\u202e"], ["report", "--player", "\x1b[31mnobody\u202e"],
)  # fmt: skip
SINGLE = (["show"], ["show", "--review", "--seat", "0"], ["show", "--html", "--game", "1"])
WRONG = (
    ["verify", "\x1b[31m.mjlog"], ["verify", "--select", "\x1b[31m"], ["verify", "--\x1b[31m"], ["\x1b[31m"],
    ["verify", "x", "--rules", "\x1b[31m"], ["verify", "x", "--rules", "tenhou", "--set", "\x1b[31m=\u202e"],
    ["rules", "show", "\x1b[31m.toml"], ["rules", "show", "tenhou", "--set", "uma=\x1b[31m\x9b"],
    ["stats", "x", "--aliases", "\x1b[31m"], ["stats", "x", "--metrics", "\x1b[31m"],
    ["stats", "x", "--by", "\x1b"], ["verify", "\udcff\udc1b"], ["show", "x", "--hand", "\x1b[31m"],
    ["score", "\x1b[31m"], ["score", "123m456p789s11222z", "--dora", "\x1b[31m"], ["explain", "\x1b[31m"],
    ["score", "123m456p789s11222z", "--honba", "\x1b[31m"], ["plot", "\x1b[31m", "x", "-o", "x.svg"],
    ["plot", "places", "x", "-o", "\x1b[31m"], ["simulate", "--players", "\x1b[31m", "-o", "never"],
    ["import", "x", "-o", "/dev/null/\x1b[31m"], )  # fmt: skip


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder of logs with odd names, whose first player has one, too, and of files that cannot be read."""
    folder = tmp_path / "logs"
    folder.mkdir()
    text = (SAMPLES / "broken" / "V304.mjlog").read_bytes()
    text = re.sub(rb' n0="[^"]*"', b' n0="%1B%5D0;EVIL%0A%07%E2%80%AE%C2%9B"', text, count=1)
    assert b"EVIL" in text
    for name in FILE_NAMES:
        Path(os.fsdecode(os.path.join(os.fsencode(folder), name))).write_bytes(text)  # noqa: PTH118
        Path(os.fsdecode(os.path.join(os.fsencode(folder), b"broken" + name))).write_bytes(b"<mjlogg")  # noqa: PTH118
    return folder


def assert_clean(*arguments: str | Path) -> None:
    result = call(*arguments)
    for text in (result.text, "\n".join(result.talk)):
        bad = [c for c in text if not c.isprintable() and c != "\n"]
        assert not bad, (arguments, bad)
    assert result.status in (0, 1) or "nobody" in str(arguments)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_odd_reaches_the_terminal(logs: Path, command: list[str]) -> None:
    assert_clean(*command, logs)


@pytest.mark.parametrize("command", WRONG, ids=ascii)
def test_nothing_odd_of_a_wrong_argument_reaches_the_terminal(command: list[str]) -> None:
    result = call(*command)
    assert result.status == 2
    assert not result.text
    assert result.talk
    assert all(line.isprintable() for line in result.talk)


def test_json_holds_the_very_name_and_csv_shows_what_is_in_it(logs: Path) -> None:
    path = min(logs.glob("bell*"))
    [player] = {game.names[0] for batch in read_batches([path]) for game in games(batch)}
    assert player == "\x1b]0;EVIL\n\x07\u202e\x9b"
    for fmt in ("json", "jsonl"):
        text = call("stats", path, "--by", "player", "-f", fmt).text
        values = [json.loads(line) for line in (text.splitlines() if fmt == "jsonl" else [text])]
        assert player in strings(values)
    text = call("stats", path, "--by", "player", "-f", "csv").text
    assert r"\u001b]0;EVIL\u000a\u0007\u202e\u009b" in {
        cell for row in csv.reader(text.splitlines()) for cell in row
    }


def strings(value: Any) -> set[str]:
    """All texts within a JSON value."""
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return set().union(*map(strings, parts))
    return {value} if isinstance(value, str) else set()


@pytest.mark.parametrize("fmt", ["csv", "json", "jsonl"])
def test_a_dataset_with_an_odd_name_is_told(logs: Path, tmp_path: Path, fmt: str) -> None:
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\x1b[31m")
    assert_clean("import", logs, "-o", folder, "-f", fmt)


@pytest.mark.parametrize("command", SINGLE, ids=" ".join)
def test_nothing_odd_of_a_single_log_reaches_the_terminal(logs: Path, command: list[str]) -> None:
    for path in sorted(logs.iterdir())[:6]:
        assert_clean(*command, path)


def test_nothing_odd_comes_out_of_a_dataset(logs: Path, tmp_path: Path) -> None:
    dataset = tmp_path / "da\x1bta"
    assert_clean("import", logs, "-o", dataset)
    assert_clean("stats", dataset, "--by", "player")
    assert_clean("verify", dataset)


def test_nothing_odd_comes_out_of_a_dataset_that_was_made_up(tmp_path: Path) -> None:
    batch = Batch.concatenate(read_batches([SAMPLES / "broken"]))
    with open_for_import(tmp_path / "ds") as writer:
        made_up = replace(batch, games=with_odd_texts(batch.games), faults=with_odd_texts(batch.faults))
        writer.add(write_shard(writer.root, [bytes(16)], made_up))
    for command in [*COMMANDS, *SINGLE]:
        assert_clean(*command, tmp_path / "ds")
    assert_clean("import", tmp_path / "ds", "-o", tmp_path / "copy")


def with_odd_texts(table: T) -> T:
    free = {"id", "source", "title", "names", "lobby", "sex", "place", "reason", "hint", "version"}
    texts = {name: values + "\x1b]0;x\x07\n\u202e" for name, values in table.arrays() if name in free}
    return replace(table, **texts)


def test_every_odd_file_is_read(logs: Path) -> None:
    result = call("verify", logs)
    assert f"{len(FILE_NAMES)} inputs unreadable" in result.talk[-1]
    assert f"{len(FILE_NAMES) - 1} games are there twice" in "\n".join(result.talk)


def test_folders_deeper_than_a_path_can_be_long(tmp_path: Path) -> None:
    """Python's own recursion ends at a thousand; the system's paths at 4096 bytes, which is a fault."""
    text = (SAMPLES / "scenarios" / "menzen-tsumo.mjlog").read_bytes()
    here = os.getcwd()  # noqa: PTH109
    top = tmp_path / "top"
    top.mkdir()
    try:
        os.chdir(top)
        for depth in range(2200):
            if depth == 1500:
                Path("log").write_bytes(text)
            os.mkdir("d")  # noqa: PTH102
            os.chdir("d")
        result = call("verify", top)
    finally:
        os.chdir(top)
        for _ in range(2200):
            os.chdir("d")
        for _ in range(2200):
            os.chdir("..")
            Path("log").unlink(missing_ok=True)
            os.rmdir("d")  # noqa: PTH106
        os.chdir(here)
    assert "1 game," in "\n".join(result.talk)
    assert "1 input unreadable" in result.talk[-1]
    assert "ile name too long" in result.text + "\n".join(result.talk)


def test_as_many_paths_as_one_likes(tmp_path: Path) -> None:
    text = (SAMPLES / "scenarios" / "menzen-tsumo.mjlog").read_bytes()
    (tmp_path / "a").write_bytes(text)
    result = call("verify", *[tmp_path / "a"] * 1000)
    assert any("999 games are there twice" in line for line in result.talk)


def test_half_a_surrogate_pair_is_a_name_like_any_other() -> None:
    """No text of Unicode, so neither Arrow nor a text of pandas can hold it."""
    name, log = "\ud800", SAMPLES / "formats" / "hanchan.mjlog.gz"
    aliases = {"Botan": name}
    for by in ("player", ["player", "room"]):
        frame = paifu.stats(log, by=by, aliases=aliases, metrics=["win_rate", "dearest_win"], intervals=True)
        assert frame.index.get_level_values("player").tolist().count(name) == 2
        assert len(frame["value"].unstack()) == 4
    counters = counting(log, choose(HEADLINE), Chosen(("player",), aliases=aliases))
    found = statistics(Counters.total((part.counters for part in counters), ("player",), HEADLINE))
    for order in ("name", "-hands", "win_rate"):
        assert name in {row["player"] for row in long_rows(arranged(found, order, None), HEADLINE)}
        assert name in {row[0] for row in many_table(arranged(found, order, None), choose(HEADLINE))}


@pytest.mark.parametrize(
    ("command", "name"), [("report", "a\nb.html"), ("site", "a\nb"), ("plot placement", "a\nb.svg")]
)
def test_the_name_of_a_result_stays_on_its_line(
    command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call(*command.split(), SAMPLES / "formats" / "hanchan.mjlog.gz", "-o", name)
    assert done.status == 0
    assert Path(name).exists()
    assert any("a\\nb" in line for line in (*done.text.splitlines(), *done.talk))
    assert not any(line.startswith("b") for line in (*done.text.splitlines(), *done.talk))
