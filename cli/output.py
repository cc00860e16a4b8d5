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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import click
import orjson

from paifu.replay.foreign_text import json_escaped
from paifu.replay.language import N_, _, pgettext

if TYPE_CHECKING:
    import pyarrow as pa

OutputRow = dict[str, Any]


def write_rows(
    rows: Iterable[OutputRow],
    columns: Sequence[str] | Mapping[str, type],
    fmt: str,
    document: dict[str, Any],
    key: str = "rows",
    *,
    heads: Mapping[str, str] | None = None,
    words: Collection[str] = (),
    numbers: Collection[str] = (),
) -> None:
    """Print ``rows``, each with the keys ``columns``, to standard output.

    ``columns`` may say what they hold in Parquet, int, float or str; otherwise that follows from the rows.
    With it, only tables and JSON documents hold all rows at once.
    ``document`` is the JSON object whose last member, ``key``, they become; it holds ``schema``. A
    table calls columns by ``heads`` where these have them, translates texts in the columns ``words``, and
    aligns as numbers what is in the columns ``numbers``, if that is text.
    """
    if fmt == "table":
        _print_rows(list(rows), list(columns), heads or {}, words, numbers)
    elif fmt == "json":
        from paifu.cli.talk import with_choice

        listed = list(rows)  # which may complete the document
        write_json({**with_choice(document), key: listed}, indent=True)
    elif fmt == "jsonl":
        for row in rows:
            write_json(row)
    elif fmt == "csv":
        click.echo(csv_text([columns]), nl=False)
        for part in _parts(rows):
            click.echo(csv_text([row[column] for column in columns] for row in part), nl=False)
    else:
        _write_parquet(rows, columns)


def write_json(value: Any, *, indent: bool = False) -> None:
    """Print a value as JSON, on one line or indented, followed by a line end."""
    data = orjson.dumps(value, option=orjson.OPT_INDENT_2 if indent else None)
    click.echo(json_escaped(data.decode(), keep="\n") if indent else json_escaped(data.decode()))


def _print_rows(
    rows: Sequence[OutputRow],
    columns: Sequence[str],
    heads: Mapping[str, str],
    words: Collection[str],
    numbers: Collection[str],
) -> None:
    from paifu.cli.printed_tables import print_table
    from paifu.reports.terminal.tables import TerminalColumn

    is_number = {
        column: column in numbers or any(isinstance(row[column], (int, float)) for row in rows)
        for column in columns
    }
    titles = {column: _(heads.get(column, "")) or column for column in columns}
    shown = [TerminalColumn(titles[column], is_number=is_number[column]) for column in columns]
    print_table(
        shown,
        ([_shown(_(row[column]) if column in words else row[column]) for column in columns] for row in rows),
    )


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return _(_SAID[value])
    if isinstance(value, int):
        return f"{value:,}"
    return "" if value is None else json_escaped(str(value))


_SAID = {True: N_("True"), False: N_("False")}
_HEADS = {
    "fact": N_("fact"), "equal": N_("equal"), "different": N_("different"), "only_a": N_("only A"),
    "only_b": N_("only B"), "unsaid": N_("cannot be said"), "hand": N_("hand"), "event": N_("event"),
    "seat": N_("seat"), "status": N_("status"), "games": N_("games"), "kept": N_("kept"),
    "derived": N_("derived"), "chosen": N_("chosen"), "lost": N_("lost"), "missing": N_("missing"),
    "changed": N_("changed"), "invented": N_("invented"), "threat": N_("threat"), "turns": N_("turns"),
    "class": N_("class"), "n": N_("n"), "share": N_("share"), "deal_ins": N_("deal_ins"),
    "percent": N_("percent"), "low": N_("low"), "high": N_("high"), "cost": N_("cost"), "all_n": N_("all_n"),
    "all_share": N_("all_share"), "all_percent": N_("all_percent"), "all_cost": N_("all_cost"),
    "test": N_("test"), "corrected": N_("corrected"), "smallest bias": N_("smallest bias"),
    "of the chance that": N_("of the chance that"), "format": N_("format"), "ruleset": N_("ruleset"),
    "cut": N_("cut"), "hands": N_("hands"), "wins": N_("wins"), "draws": N_("draws"), "events": N_("events"),
    "code": N_("code"), "findings": N_("findings"), "name": N_("name"),
}  # fmt: skip


def column_heads() -> dict[str, str]:
    """Return what the tables of commands call their columns, by name, for :func:`write_rows`."""
    return {**_HEADS, "players": pgettext("number", "players")}


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
    text = json_escaped(cell)
    first = next(filter(_is_ink, text), "")
    return f"'{text}" if unicodedata.normalize("NFKC", first).startswith(_FORMULA) else text


def _is_ink(character: str) -> bool:
    """Return a text without leading characters that a spreadsheet would skip: blanks, marks, fillers."""
    return unicodedata.category(character)[0] in "LNPS" and character not in _FILLERS


_FORMULA = ("=", "+", "-", "@")
"""Beginnings of formulas, also in their wide and small forms, and after blanks."""
_FILLERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols that look like blanks."""


def _write_parquet(rows: Iterable[OutputRow], columns: Sequence[str] | Mapping[str, type]) -> None:
    import pyarrow as pa

    if not isinstance(columns, Mapping):
        held = list(rows)
        table = pa.table({column: [row[column] for row in held] for column in columns})
        write_parquet(table.to_batches(), table.schema)
        return
    types = {int: pa.int64(), float: pa.float64(), str: pa.string()}
    schema = pa.schema([(name, types[kind]) for name, kind in columns.items()])

    def made(part: list[OutputRow]) -> pa.RecordBatch:
        cells = {
            name: [None if row[name] is None else kind(row[name]) for row in part]
            for name, kind in columns.items()
        }
        return pa.RecordBatch.from_pydict(cells, schema)

    write_parquet(map(made, _parts(rows)), schema)


_PART = 10_000
"""Rows that are written at a time."""


def _parts(rows: Iterable[OutputRow]) -> Iterator[list[OutputRow]]:
    every = iter(rows)
    while part := list(islice(every, _PART)):
        yield part


def write_parquet(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> None:
    """Write batches as one Parquet file to standard output, which must not be a terminal."""
    if sys.stdout.isatty():
        raise click.UsageError(_("parquet cannot be printed on a terminal; redirect it: > rows.parquet"))
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    with pq.ParquetWriter(sink, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    click.echo(sink.getvalue(), nl=False)
