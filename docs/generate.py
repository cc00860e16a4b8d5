"""Write the documentation pages that follow from the code: ``python docs/generate.py``.

``cli.md`` comes from the commands' help, ``findings.md`` and the pages under ``findings`` from the table of
findings, ``model.md`` from the declarations in ``replay/model/batch.py`` and ``replay/model/events.py``,
``statistics.md`` from the metrics, the tables of ``systems.md`` from those of patterns. A test fails when a
page is not what this program would write.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import click

from paifu.cli.__main__ import COMMANDS, cli
from paifu.replay.findings.finding import KINDS
from paifu.replay.model.batch import SCHEMA_VERSION, TABLES, Column
from paifu.reports.findings.explanations import index, page
from paifu.reports.statistics import text as statistics_text
from paifu.reports.systems import with_tables

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
_WIDTH = 100


def pages() -> dict[str, str]:
    """Return the text of each generated page by file name."""
    return {
        "cli.md": cli_page(),
        "findings.md": index(KINDS.values()),
        **{f"findings/{kind.code}.md": page(kind) for kind in KINDS.values()},
        "model.md": model_page(),
        "statistics.md": statistics_text.page(),
        "systems.md": with_tables((DOCS / "systems.md").read_text("utf-8")),
    }


def cli_page() -> str:
    """Every command's help, as the terminal shows it."""
    parts = ["# Commands\n", "Each command's `--help`, in one place.\n", _help("paifu", cli)]
    for name in sorted(COMMANDS):
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        parts += _command(f"paifu {name}", command)
    return "\n".join(parts)


def _command(title: str, command: click.Command) -> Iterator[str]:
    yield f"## `{title}`\n"
    yield _help(title, command)
    if isinstance(command, click.Group):
        for name in sorted(command.commands):
            yield from _command(f"{title} {name}", command.commands[name])


def _help(title: str, command: click.Command) -> str:
    # With the group's settings, as a run has them: click keeps the names of the help option it first made.
    context = click.Context(
        command, info_name=title, terminal_width=_WIDTH, max_content_width=_WIDTH, **cli.context_settings
    )
    return f"```\n{command.get_help(context)}\n```\n"


def model_page() -> str:
    """The tables of a batch, column by column, and the numbers that stand for kinds."""
    batch = ast.parse((ROOT / "replay" / "model" / "batch.py").read_text("utf-8"))
    events = ast.parse((ROOT / "replay" / "model" / "events.py").read_text("utf-8"))
    parts = [
        "# The replay model\n",
        f"Version {SCHEMA_VERSION} of the tables, as `paifu import` writes them to Parquet and as a `Batch`"
        " holds them in memory.\n",
        ast.get_docstring(batch) or "",
        "",
    ]
    for table in TABLES:
        declaration = _class(batch, table.__name__)
        parts += [f"## `{table.NAME}`\n", ast.get_docstring(declaration) or "", ""]
        parts += ["| column | type | not stated | meaning |", "|---|---|---|---|"]
        docs = _attribute_docs(declaration)
        parts += [_column_row(column, docs.get(column.name, "")) for column in table.columns()]
        parts.append("")
    for name in ("EventKind", "EventFlag", "HandEnd"):
        declaration = _class(events, name)
        parts += [f"## `{name}`\n", ast.get_docstring(declaration) or "", ""]
        parts += ["| value | name | meaning |", "|---|---|---|"]
        docs = _attribute_docs(declaration)
        for node in declaration.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                member = node.targets[0].id
                parts.append(f"| {ast.literal_eval(node.value)} | {member} | {docs.get(member, '')} |")
        parts.append("")
    return "\n".join(parts)


def _class(tree: ast.Module, name: str) -> ast.ClassDef:
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)


def _attribute_docs(declaration: ast.ClassDef) -> dict[str, str]:
    """Text of the string that stands under each attribute."""
    docs: dict[str, str] = {}
    for node, below in zip(declaration.body, declaration.body[1:], strict=False):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and isinstance(below, ast.Expr):
            docs[target.id] = " ".join(ast.literal_eval(below.value).split())
    return docs


def _column_row(column: Column, doc: str) -> str:
    shape = " x ".join(map(str, column.width))
    kind = f"{column.dtype} [{shape}]" if shape else column.dtype
    unknown = "" if column.unknown in ("", 0, False) else str(column.unknown)
    return f"| `{column.name}` | {kind} | {unknown} | {doc} |"


if __name__ == "__main__":
    (DOCS / "findings").mkdir(exist_ok=True)
    for file_name, text in pages().items():
        (DOCS / file_name).write_text(text, "utf-8")
