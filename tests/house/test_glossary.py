"""The glossary names fields that exist, and the words that paifu itself uses for them."""

from __future__ import annotations

import re
from pathlib import Path

from each_row import each_row

from paifu.coach.decisions import Decisions
from paifu.replay.facts.tables import Findings, PlayerHands, ReviewFindings, ScoredWins
from paifu.replay.model import events
from paifu.replay.model.batch import TABLES as MODEL
from paifu.replay.model.batch import Table
from paifu.replay.rules.ruleset import FIELDS
from paifu.reports.tables.declared import TABLES as FOR_QUERIES

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "glossary.md"
COLUMNED: tuple[type[Table], ...] = (*MODEL, Findings, PlayerHands, ScoredWins, ReviewFindings, Decisions)
KNOWN = {
    "model": {f"{table.NAME}.{column.name}" for table in COLUMNED for column in table.columns()}
    | {
        f"{kind.__name__}.{name}"
        for kind in (events.EventKind, events.EventFlag, events.HandEnd)
        for name in kind.__members__
    }
    | {f"rule {name}" for name in FIELDS},
    "queries": {f"{name}.{column.name}" for name, table in FOR_QUERIES.items() for column in table.columns},
}
ROWS = [
    [cell.strip() for cell in line.strip("|\n").split("|")]
    for line in PAGE.read_text("utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| term"))
]


@each_row("row", ROWS, ids=lambda row: row[0])
def test_each_field_of_the_glossary_exists(row: list[str]) -> None:
    term, japanese, meaning, model, queries = row
    assert term
    assert meaning
    assert re.search("[\u3040-\u30ff\u4e00-\u9fff]", japanese)
    assert model.replace("`", "") in KNOWN["model"]
    assert not queries or queries.replace("`", "") in KNOWN["queries"]


def test_a_term_has_one_row() -> None:
    terms = [name.strip() for row in ROWS for name in row[0].split(",")]
    assert len(terms) > 50
    assert sorted(set(terms)) == sorted(terms)
