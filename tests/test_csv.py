"""No cell of a CSV file is taken for a formula: names and file names come from strangers."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from command import call

from paifu.cli.output import csv_text

SAMPLES = Path(__file__).parents[1] / "sample_logs" / "formats"
FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠1")


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_becomes_a_text(text: str) -> None:
    [[cell, number]] = csv.reader(io.StringIO(csv_text([[text, -1]]), newline=""))
    assert cell == f"'{text}"
    assert number == "-1"


@pytest.mark.parametrize("text", ["", "a=b", " x", "'=1", "牌譜", "1-2"])
def test_other_texts_stay(text: str) -> None:
    assert next(csv.reader(io.StringIO(csv_text([[text, 0]])))) == [text, "0"]


@pytest.mark.parametrize("command", [("stats", "--by", "player"), ("review",)])
def test_every_command_defuses(command: tuple[str, ...], tmp_path: Path) -> None:
    log = json.loads((SAMPLES / "hanchan.json").read_text("utf-8"))
    log["name"] = ["=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-2"]
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), "utf-8")
    text = call(command[0], path, *command[1:], "-f", "csv").text
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    names = {cell for cell in cells if cell.removeprefix("'") in log["name"]}
    assert names
    assert all(name.startswith("'") for name in names)
