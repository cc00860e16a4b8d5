"""The accounts of the documents, statement by statement: every rule they state has its value and its test.

``tests/rules/documents`` has an account for each document. A row gives a statement in our words, what
became of it, and its test: a function, or a scripted log of :mod:`rules.letter` that is clean under the
preset and has findings under Tenhou's rules; "sheet" is the comparison of values in
:mod:`rules.test_presets`.

* stated: the document says it, and a test shows that paifu does it.
* implied: it follows from what the document says, or the document describes it without a rule.
* silent: the document leaves it open; the row says what we chose and why.
* not modelled: a rule that paifu does not follow, and why.
* not a rule: history, strategy, advice, the place around the game, grouped by topic.

A value is written as in a ruleset file and is the preset's; after the word "option" it is one that the
document offers beside it.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from rules.letter import CASES
from rules.test_presets import SHEETS

from paifu.replay.rulesets.presets import load_preset, with_overrides

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "documents"
INDEX = ROOT / "docs" / "reference" / "documents.md"
KINDS = ("stated", "implied", "silent", "not modelled", "not a rule")
HEADER = "| The document says | Kind | Rule or choice | Test |"
_CELLS = re.compile(r"(?<!\\)\|")
_PRESET = re.compile(r"^#+ .*: `([a-z0-9-]+)`$")
_VALUE = re.compile(r"(option )?`([a-z0-9_]+ = [^`]+)`")
_TEST = re.compile(r"`(tests/[a-z0-9_/]+\.py)::(test_[A-Za-z0-9_]+)`")
_COUNTS = re.compile(
    r"^\| [^(]+ \(`([a-z0-9]+(?:-encyclopedia)?)[^)]*\)" + r" \| (\d+)" * len(KINDS) + r" \|$", re.M
)


@dataclass(frozen=True)
class Row:
    """A statement of a document, and what became of it."""

    page: str
    preset: str
    statement: str
    kind: str
    choice: str
    test: str


def rows_of(page: Path) -> list[Row]:
    """Return the rows of a page's tables; the last heading that names a preset says whose they are."""
    preset, rows = "", []
    for line in page.read_text("utf-8").splitlines():
        if heading := _PRESET.match(line):
            preset = heading[1]
        elif line.startswith("|") and line != HEADER and not line.startswith("|---"):
            cells = [cell.strip() for cell in _CELLS.split(line)[1:-1]]
            assert len(cells) == 4, line
            rows.append(Row(page.stem, preset, *cells))
    return rows


ACCOUNTS = {page.stem: rows_of(page) for page in sorted(FOLDER.glob("*.md"))}
ROWS = [row for rows in ACCOUNTS.values() for row in rows]
EVERY_PAGE = pytest.mark.parametrize("page", ACCOUNTS)


@cache
def functions_of(path: str) -> frozenset[str]:
    """Return the names of the functions in a file."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@EVERY_PAGE
def test_a_row_says_what_became_of_its_statement(page: str) -> None:
    for row in ACCOUNTS[page]:
        assert row.preset, row
        assert row.statement, row
        assert row.kind in KINDS, row
        assert row.kind == "not a rule" or row.choice not in {"", "-"}, row
        assert row.kind != "stated" or row.test not in {"", "-"}, row


@EVERY_PAGE
def test_a_row_states_values_that_its_preset_has(page: str) -> None:
    for row in ACCOUNTS[page]:
        values, options = load_preset(row.preset).values(), {}
        for option, assignment in _VALUE.findall(row.choice):
            ((rule, value),) = tomllib.loads(assignment).items()
            assert (value != values[rule]) == bool(option), row
            if option:
                options[rule] = value
        with_overrides(load_preset(row.preset), options)


@EVERY_PAGE
def test_a_row_names_tests_that_are_there(page: str) -> None:
    tests = [(row, part.strip()) for row in ACCOUNTS[page] for part in row.test.split(";")]
    for row, test in tests:
        if test == "sheet":
            rules = [assignment.split(" = ")[0] for _, assignment in _VALUE.findall(row.choice)]
            assert set(rules) & set(SHEETS[row.preset]), row
        elif named := _TEST.fullmatch(test):
            assert named[2] in functions_of(named[1]), row
        elif test != "-":
            assert any(key.startswith(row.preset) and key.endswith(f": {test}") for key in CASES), row


def test_the_page_lists_what_documents_leave_open_and_what_is_not_modelled() -> None:
    page = INDEX.read_text("utf-8")
    for row in ROWS:
        if row.kind in {"silent", "not modelled"}:
            choice = f"Not modelled: {row.choice}" if row.kind == "not modelled" else row.choice
            assert f"| {row.statement} | {choice} |" in page, row


def test_the_page_counts_the_rows_of_every_account() -> None:
    counted = {
        page: tuple(Counter(row.kind for row in ACCOUNTS[page])[kind] for kind in KINDS) for page in ACCOUNTS
    }
    printed = {page: tuple(map(int, counts)) for page, *counts in _COUNTS.findall(INDEX.read_text("utf-8"))}
    assert printed == counted
    assert all(map(sum, counted.values()))


@EVERY_PAGE
def test_every_table_of_a_page_has_the_columns_that_are_read(page: str) -> None:
    text = (FOLDER / f"{page}.md").read_text("utf-8")
    tables = re.findall(r"(?<!\|\n)^(\|.+\|)\n\|---", text, re.M)
    assert tables
    assert set(tables) == {HEADER}
