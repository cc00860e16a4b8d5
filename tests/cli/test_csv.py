"""No cell of a CSV file is taken for a formula: names and file names come from strangers."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from command import call
from each_row import each_row

from paifu.cli.output import csv_text

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＋1", "－1", "＠1", "﹦1", "﹢1", "﹫1")
BLANKS = ("", " ", "   ", "\u00a0", "\u3000", "\u2003 ", "\u0301", "\ufe0f", "\u3164", "\u2800")
UNSEEN = ("\t", "\r", "\n", "\0", "\x1b", "\ufeff", "\u200b", "\u202e", "\u2060", "\u00ad", "\U000e0020")


@each_row("formula", FORMULAS)
def test_a_formula_becomes_a_text(formula: str) -> None:
    for blank in BLANKS:
        [[cell, number]] = csv.reader(io.StringIO(csv_text([[blank + formula, -1]]), newline=""))
        assert cell == f"'{blank}{formula}"
        assert number == "-1"


@each_row("formula", FORMULAS)
def test_what_is_not_seen_is_written_out_and_hides_no_formula(formula: str) -> None:
    for mark in UNSEEN:
        line = csv_text([[mark + formula, formula[0] + mark]])
        assert line.removesuffix("\n").isprintable()
        [[first, second]] = csv.reader(io.StringIO(line))
        assert first.startswith("\\u")
        assert json.loads(f'"{first}"') == mark + formula
        assert second.startswith(f"'{formula[0]}\\u")


@each_row("text", ["", "a=b", " x", "'=1", "牌譜", "1-2"])
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
