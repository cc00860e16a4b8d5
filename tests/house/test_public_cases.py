"""Minimal logs rebuilt from what people reported to other programs: what is wrong in each, and nothing else.

The logs are in ``data/cases``, and name the ruleset that they are played under. What is right follows from
the rule, so a log that another program got wrong may have no finding here.
"""

from __future__ import annotations

from pathlib import Path

from case_data import case_data
from each_row import each_row

from paifu.parsers.read import read_batches
from paifu.replay.findings.finding import Finding
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay

FOLDER = Path(__file__).parents[1] / "data" / "cases"
TABLES = case_data("public_cases")
EXPECTED: dict[str, list[str]] = TABLES["found"]
MESSAGES: dict[str, str] = TABLES["messages"]


def found(name: str) -> list[Finding]:
    (path,) = FOLDER.glob(f"{name}.json*")
    batch = Batch.concatenate(read_batches([path]))
    assert len(batch.faults) == 0
    return [in_words(case) for case in cases(replay(batch))]


def test_all_logs_are_expected() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == EXPECTED.keys()


@each_row("name", EXPECTED)
def test_one_finding_for_one_fault(name: str) -> None:
    places = [
        f"{one.code} {one.hand}" + ("" if one.event is None else f" {one.event}") for one in found(name)
    ]
    assert places == EXPECTED[name]


@each_row("name", MESSAGES)
def test_what_the_finding_says(name: str) -> None:
    (finding,) = found(name)
    assert finding.message == MESSAGES[name]


def test_a_late_beginning_is_no_error() -> None:
    (finding,) = found("w7")
    assert finding.severity == "note"
