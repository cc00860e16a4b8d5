"""``paifu import``: what it prints, in each form, and its exit status."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from builders import HEAD_SANMA, agari, game, init, mjlog, turns
from command import call, run

from paifu.cli.output import write_rows
from paifu.replay.model.census import Census


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is worked in: two games of four players with the same hands, a cut one of three."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.mjlog").write_bytes(game(0))
    (folder / "b.mjlog").write_bytes(game(1, hands=1100))
    (folder / "c.mjlog").write_bytes(mjlog(HEAD_SANMA, init(players=3), turns(3, players=3), agari()))
    return folder


TABLE = """
 format  ruleset       players  games  cut  hands  wins  draws  events 
 ───────────────────────────────────────────────────────────────────── 
 mjlog   tenhou              4      2    0  1,102     2  1,100  18,706 
 mjlog   tenhou-sanma        3      1    1      1     1      0       7 
"""  # noqa: W291  the table ends its rows with a blank
ROWS = [
    {"format": "mjlog", "ruleset": "tenhou", "players": 4, "games": 2, "cut": 0, "hands": 1102, "wins": 2,
     "draws": 1100, "events": 18706},
    {"format": "mjlog", "ruleset": "tenhou-sanma", "players": 3, "games": 1, "cut": 1, "hands": 1, "wins": 1,
     "draws": 0, "events": 7},
]  # fmt: skip


def trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def test_table(logs: Path) -> None:
    result = call("import", "logs", "-o", "ds")
    assert trimmed(result.text) == trimmed(TABLE)
    assert result.status == 0
    assert result.talk[0] == "ds: 3 games from 3 inputs added, 0 inputs there already, 0 faults"
    assert len(result.talk) == 1


def test_json(logs: Path) -> None:
    result = call("import", "logs", "-o", "ds", "-f", "json")
    document = json.loads(result.data)
    assert document == {
        "schema": "paifu.import/1",
        "summary": {"dataset": "ds", "inputs": 3, "skipped": 0, "faults": 0, "copies": [], "verdicts": 0},
        "rows": ROWS,
    }
    assert list(document) == ["schema", "summary", "rows"]
    assert result.data.endswith(b"}\n")


def test_json_lines(logs: Path) -> None:
    result = call("import", "logs", "-o", "ds", "-f", "jsonl")
    assert [json.loads(line) for line in result.text.splitlines()] == ROWS


def test_csv(logs: Path) -> None:
    assert call("import", "logs", "-o", "ds", "-f", "csv").text == (
        "format,ruleset,players,games,cut,hands,wins,draws,events\n"
        "mjlog,tenhou,4,2,0,1102,2,1100,18706\n"
        "mjlog,tenhou-sanma,3,1,1,1,1,0,7\n"
    )


def test_parquet(logs: Path) -> None:
    data = call("import", "logs", "-o", "ds", "-f", "parquet").data
    assert pq.read_table(io.BytesIO(data)).to_pylist() == ROWS


NOTHING = {"dataset": "ds", "inputs": 0, "skipped": 3, "faults": 0, "copies": [], "verdicts": 0}


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("table", ""),
        ("json", {"schema": "paifu.import/1", "summary": NOTHING, "rows": []}),
        ("jsonl", ""),
        ("csv", "format,ruleset,players,games,cut,hands,wins,draws,events\n"),
    ],
)  # fmt: skip
def test_a_second_import_adds_nothing(logs: Path, form: str, expected: object) -> None:
    call("import", "logs", "-o", "ds")
    result = call("import", "logs", "-o", "ds", "-f", form)
    assert (json.loads(result.text) if form == "json" else result.text) == expected
    assert result.status == 0
    assert result.talk == ["ds: 0 games from 0 inputs added, 3 inputs there already, 0 faults"]


def test_faults_go_to_standard_error_and_give_status_1(logs: Path) -> None:
    (logs / "bad.mjlog").write_bytes(b"not a log at all")
    result = call("import", "logs", "-o", "ds", "-f", "csv")
    assert result.status == 1
    assert result.talk[:2] == [
        "logs/bad.mjlog: V102 not a log (known are: M.League page, Mahjong Soul, Riichi City, Tenhou mjlog, "
        "Tonpuusou text, majiang, mjai, mjx, paifu log, tenhou.net/6 JSON)",
        "ds: 3 games from 4 inputs added, 0 inputs there already, 1 fault",
    ]
    assert len(result.text.splitlines()) == 3


def test_standard_input(tmp_path: Path) -> None:
    result = run("import", "-", "-o", "ds", "-f", "csv", stdin=game(), cwd=tmp_path)
    assert result.status == 0
    assert result.text.splitlines()[1] == "mjlog,tenhou,4,1,0,2,1,1,20"


def test_a_table_of_millions_is_as_wide_as_it_must_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    row = {"format": "tenhou6", "ruleset": "majsoul-sanma", "players": 3}
    numbers = dict(
        zip(Census.MEASURES, (3_000_000, 1_234, 30_123_456, 24_123_456, 6_123_456, 999), strict=True)
    )
    write_rows([row | numbers], (*row, *numbers), "table", {})
    lines = capsys.readouterr().out.splitlines()
    assert len({len(line) for line in lines}) == 1
    (numbered,) = (line for line in lines if "3,000,000" in line)
    assert numbered.split() == [*map(str, row.values()), *(f"{number:,}" for number in numbers.values())]
