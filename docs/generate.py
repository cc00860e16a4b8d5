"""Write the documentation pages that follow from the code: ``python docs/generate.py``.

Under ``docs/reference``, ``findings.md`` comes from the table of findings, ``model.md`` from the declarations
in ``replay/model/batch.py`` and ``replay/model/events.py``, ``statistics.md`` from the metrics, the lists of
``rulesets.md`` from the rules, that of ``systems.md`` from the patterns, and ``tables.md`` from the
declarations in ``reports/tables/declared.py``. A test fails when a page is stale.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from paifu.coach.decisions import (
    Beside,
    Decisions,
    Hope,
    OpponentShows,
    OptionKind,
    Options,
    Tenpai,
)
from paifu.coach.judgement.verdicts import CLASSES, EITHER
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.spoken import FAMILIES, KINDS
from paifu.replay.model.batch import SCHEMA_VERSION, TABLES, Column
from paifu.reports.tables import declared as tables

sys.path.insert(0, str(Path(__file__).parent))

import rule_tables
import statistic_tables
import system_tables

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "docs" / "reference"
_BEGIN, _END = "<!-- generated: begin -->", "<!-- generated: end -->"


def pages() -> dict[str, str]:
    """Return the text of each generated page by its path below ``docs/reference``."""
    return {
        "decisions.md": decisions_page(),
        "findings.md": findings_page(),
        "model.md": model_page(),
        "rulesets.md": _updated("rulesets.md", rule_tables.documentation()),
        "statistics.md": statistic_tables.page(),
        "systems.md": _updated("systems.md", system_tables.tables()),
        "tables.md": tables_page(),
    }


def _updated(name: str, made: str) -> str:
    """Return a page of which only the part between two markers is generated."""
    head, _begin, rest = (REFERENCE / name).read_text("utf-8").partition(_BEGIN)
    _old, end, tail = rest.partition(_END)
    assert end, f"{name} needs the lines {_BEGIN} and {_END}"
    return f"{head}{_BEGIN}\n\n{made}\n\n{_END}{tail}"


def findings_page() -> str:
    """Every code, with what it means."""
    parts = [
        "# Findings\n",
        "The findings that [`paifu verify`](../commands/verify.md) (V) and"
        " [`paifu review`](../commands/review.md) (all others) report. Codes are stable. `paifu explain CODE`"
        " says more: why it matters, when it is not reported, the rules behind it, what to do, an example.\n",
        "An **error** breaks the rules or contradicts the log itself, a **mistake** is a poor choice given"
        " what the player could see, and a **note** is worth knowing. Decisions that the model judges are"
        " mistakes only where [playing out others like them](decisions.md#played-out) cost points.\n",
    ]
    for family, kinds in groupby(KINDS.values(), key=lambda kind: kind.family):
        parts += [
            f"## {family}: {FAMILIES[family]}\n",
            "| code | name | severity | meaning |",
            "|---|---|---|---|",
        ]
        for kind in kinds:
            severity = "mistake or note" if kind.number in EITHER else kind.severity
            meaning = kind.meaning.replace("|", "\\|")
            parts.append(f"| {kind.code} | {kind.name} | {severity} | {meaning} |")
        parts.append("")
    return "\n".join(parts)


def model_page() -> str:
    """The tables of a batch, column by column, and the values of the enumerations."""
    batch = ast.parse((ROOT / "replay" / "model" / "batch.py").read_text("utf-8"))
    events = ast.parse((ROOT / "replay" / "model" / "events.py").read_text("utf-8"))
    parts = [
        "# The replay model\n",
        f"This is version {SCHEMA_VERSION} of the tables: `paifu import` writes them to Parquet, and a"
        " `Batch` holds them in memory. In files, `x_copy` stands for a column `x_id` of physical ids: which"
        " of the four tiles of its kind it is, 0 to 3, 255 where `x_id` is 255.\n",
        _docstring(batch),
        "",
    ]
    for table in TABLES:
        declaration = _class(batch, table.__name__)
        parts += [f"## `{table.NAME}`\n", _docstring(declaration), ""]
        parts += ["| column | type | unknown | meaning |", "|---|---|---|---|"]
        docs = _attribute_docs(declaration)
        parts += [_column_row(column, docs.get(column.name, "")) for column in table.columns()]
        parts.append("")
    for name in ("EventKind", "EventFlag", "HandEnd"):
        declaration = _class(events, name)
        parts += [f"## `{name}`\n", _docstring(declaration), ""]
        parts += ["| value | name | meaning |", "|---|---|---|"]
        docs = _attribute_docs(declaration)
        for node in declaration.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                member = node.targets[0].id
                parts.append(f"| {ast.literal_eval(node.value)} | {member} | {docs.get(member, '')} |")
        parts.append("")
    return "\n".join(parts)


def tables_page() -> str:
    """The tables for people, column by column."""
    parts = [
        "# Tables for queries\n",
        "`paifu import` writes these tables to `tables/` of a"
        " dataset, in a folder for each table with a Parquet file for each shard, and"
        " [`paifu sql`](../commands/sql.md) asks them, and `paifu.open_dataset` gives them as"
        " [DataFrames](../guide/pandas.md). Any program that reads Parquet can read them, too.\n",
        "`game` and `hand` are numbers that no two games or hands of a dataset share, so tables can be joined"
        " by them. They count the games and hands of one dataset; `key` is the same in every dataset. What is"
        " not known, or has no meaning in a row, is null. A word is one of few texts, and"
        " stored as a dictionary.\n",
    ]
    for table in tables.TABLES.values():
        index = ", ".join(f"`{name}`" for name in table.index)
        parts += [f"## `{table.name}`\n", f"One row: {table.row}. The index of the DataFrame: {index}.\n"]
        parts += ["| column | type | unit | meaning |", "|---|---|---|---|"]
        for column in table.columns:
            parts.append(f"| `{column.name}` | {column.type} | {column.unit} | {column.meaning} |")
        parts.append("")
    return "\n".join(parts)


def decisions_page() -> str:
    """The table of decisions, column by column, and the values of its enumerations."""
    columns = ast.parse((ROOT / "coach" / "decisions.py").read_text("utf-8"))
    docs = _attribute_docs(_class(columns, Options.__name__)) | _attribute_docs(
        _class(columns, Decisions.__name__)
    )
    parts = [
        "# The table of decisions\n",
        "`paifu import --decisions` writes this table to `facts/decisions/` of a dataset, a Parquet file for"
        " each shard: a row for each discard, call and own kan that was a choice. `game`, `hand` and `event`"
        " count the rows of the shard's own tables. See [the model of decisions](decision-model.md).\n",
        "| column | type | unknown | meaning |",
        "|---|---|---|---|",
        *(_column_row(column, docs[column.name]) for column in Decisions.columns()),
        "",
    ]
    for kind in (OptionKind, Tenpai, Hope, Beside, OpponentShows):
        declaration = _class(columns, kind.__name__)
        parts += [
            f"## `{kind.__name__}`\n",
            _docstring(declaration),
            "",
            "| value | name | meaning |",
            "|---|---|---|",
        ]
        meanings = _attribute_docs(declaration)
        for node in declaration.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                member = node.targets[0].id
                parts.append(f"| {ast.literal_eval(node.value)} | {member} | {meanings.get(member, '')} |")
        parts.append("")
    return "\n".join([*parts, *_played_out()])


def _played_out() -> Iterator[str]:
    """Yield the lines about what came of decisions that were played out."""
    tree = ast.parse((ROOT / "coach" / "judgement" / "verdicts.py").read_text("utf-8"))
    yield "## Played out\n"
    _title, told, *_rest = _docstring(tree).split("\n\n")
    yield f"{' '.join(told.split())}\n"
    yield (
        "In November 2026, each decision was tried on 24 walls, in games of four at Tenhou (houou and"
        " tokujou) that nothing was fitted to. *Found* is by how many points the option left out came out"
        " better, with two standard errors by game: first where strong players went on, then where simple"
        " ones did. In rows of F and R1, players who followed an earlier model went on.\n"
    )
    yield "| code | decisions | n | found | simple players | verdict | rarity |"
    yield "|---|---|---|---|---|---|---|"
    for whole in CLASSES:
        for one in (whole, *whole.sizes):
            found = f"{one.found:,} ± {one.error:,}"
            simple = "-" if one.simple is None else f"{one.simple:,} ± {one.simple_error:,}"
            verdict = "-" if not whole.holds else "habit" if whole.is_habit else "mistake"
            code = code_of(one.code)
            name = one.name if one is whole else f"of these, {one.name}"
            yield (
                f"| {code} | {name} | {one.n:,} |"
                f" {f'**{found}**' if whole.holds else found} | {simple} | {verdict} | {one.rarity or '-'} |"
            )
    yield ""


def _docstring(node: ast.Module | ast.ClassDef) -> str:
    return _markdown(ast.get_docstring(node) or "")


def _markdown(text: str) -> str:
    """Turn a docstring's markup into Markdown: a class is called by its name, a module by its path."""
    text = re.sub(r":mod:`([\w.]+)`", r"`\1`", text)
    text = re.sub(r":\w+:`~?(?:[\w.]*\.)?(\w+)`", r"`\1`", text)
    return text.replace("``", "`")


def _class(tree: ast.Module, name: str) -> ast.ClassDef:
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)


def _attribute_docs(declaration: ast.ClassDef) -> dict[str, str]:
    """Return the docstring below each attribute, by the attribute's name."""
    docs: dict[str, str] = {}
    for node, below in zip(declaration.body, declaration.body[1:], strict=False):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and isinstance(below, ast.Expr):
            docs[target.id] = _markdown(" ".join(ast.literal_eval(below.value).split()))
    return docs


def _column_row(column: Column, doc: str) -> str:
    shape = " x ".join(map(str, column.width))
    kind = f"{column.dtype} [{shape}]" if shape else column.dtype
    unknown = "" if column.unknown in ("", 0, False) else str(column.unknown)
    return f"| `{column.name}` | {kind} | {unknown} | {doc} |"


if __name__ == "__main__":
    for file_name, text in pages().items():
        (REFERENCE / file_name).write_text(text, "utf-8")
