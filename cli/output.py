"""Rows to standard output, in the form that was asked for. Data go to stdout, talk goes to stderr.

Names of players and files come from strangers, and what a command prints often ends on a terminal. No text
form lets through what a terminal would obey or not show: escape sequences, line ends within a cell, marks
that turn the writing direction, characters without width. JSON and CSV hold them as ``\\u001b``.
"""

from __future__ import annotations

import csv
import io
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click
import orjson

Row = dict[str, Any]


def write_rows(
    rows: Sequence[Row],
    columns: Sequence[str] | Mapping[str, type],
    fmt: str,
    document: dict[str, Any],
    key: str = "rows",
) -> None:
    """Print ``rows``, each with the keys ``columns``, to standard output.

    ``columns`` may tell what they hold in Parquet, int or str; otherwise that follows from the rows.
    ``document`` is the JSON object whose last member, ``key``, they become; it holds ``schema``.
    """
    if fmt == "table":
        _print_table(rows, list(columns))
    elif fmt == "json":
        write_json({**document, key: list(rows)}, indent=True)
    elif fmt == "jsonl":
        for row in rows:
            write_json(row)
    elif fmt == "csv":
        click.echo(csv_text([columns]), nl=False)
        click.echo(csv_text([row[column] for column in columns] for row in rows), nl=False)
    else:
        _write_parquet(rows, columns)


def write_json(value: Any, *, indent: bool = False) -> None:
    """Print a value as JSON, on one line or indented, followed by a line end."""
    data = orjson.dumps(value, option=orjson.OPT_INDENT_2 if indent else None)
    click.echo(escaped(data.decode(), keep="\n") if indent else escaped(data.decode()))


def escaped(text: str, *, keep: str = "") -> str:
    """Write every character that would not be seen as JSON's escape, but for ``keep``; blanks stay."""
    if text.isprintable():
        return text
    unseen = {ord(c): _escape(c) for c in set(text) if c not in keep and not _is_seen(c)}
    return text.translate(unseen)


def _is_seen(character: str) -> bool:
    return character.isprintable() or unicodedata.category(character) == "Zs"


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _print_table(rows: Iterable[Row], columns: Sequence[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    rows = list(rows)
    for column in columns:
        is_number = any(isinstance(row[column], (int, float)) for row in rows)
        table.add_column(column, justify="right" if is_number else "left", no_wrap=is_number)
    for row in rows:
        table.add_row(*(Text(_shown(row[column])) for column in columns))
    Console().print(table)


def _shown(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else escaped(str(value))


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Write rows as CSV. A text that a spreadsheet would take for a formula gets an apostrophe before it."""
    return "".join(map(_csv_line, rows))


def _csv_line(row: Iterable[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(map(_defused, row))  # so that it quotes either sign
    return text.getvalue().removesuffix("\r\n") + "\n"


def _defused(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    text = escaped(cell)
    first = next(filter(_is_ink, text), "")
    return f"'{text}" if unicodedata.normalize("NFKC", first).startswith(_FORMULA) else text


def _is_ink(character: str) -> bool:
    """Return a text without leading characters that a spreadsheet would skip: blanks, marks, fillers."""
    return unicodedata.category(character)[0] in "LNPS" and character not in _FILLERS


_FORMULA = ("=", "+", "-", "@")
"""Beginnings of formulas, also in their wide and small forms, and behind blanks."""
_FILLERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols that look like blanks."""


def _write_parquet(rows: Sequence[Row], columns: Sequence[str] | Mapping[str, type]) -> None:
    if sys.stdout.isatty():
        raise click.UsageError("parquet cannot be printed on a terminal; redirect it: > rows.parquet")
    import pyarrow as pa
    import pyarrow.parquet as pq

    table: dict[str, Any] = {column: [row[column] for row in rows] for column in columns}
    if isinstance(columns, Mapping):
        types = {int: pa.int64(), str: pa.string()}
        for name, kind in columns.items():
            cells = (None if cell is None else kind(cell) for cell in table[name])
            table[name] = pa.array(list(cells), types[kind])
    sink = io.BytesIO()
    pq.write_table(pa.table(table), sink)
    click.echo(sink.getvalue(), nl=False)
