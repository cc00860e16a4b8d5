"""``paifu sql``: any question to a dataset, in SQL."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.replay.language import _

if TYPE_CHECKING:
    import pyarrow as pa

    from paifu.api.sql import Tables

SCHEMA = "paifu.sql/1"


@click.command(cls=Command, short_help="Ask a dataset anything, in SQL.")
@click.argument("dataset", type=click.Path())
@click.argument("query", required=False)
@options.limit(100, "Rows to show in the table; 0 for all.")
@options.jobs
@options.output_format()
def sql(dataset: str, query: str | None, limit: int, jobs: int | None, fmt: str) -> int:
    """Ask a dataset of 'paifu import' anything, in SQL.

    The tables are games, game_players, hands, player_hands, wins, deal_ins, discards and findings; the data
    dictionary describes them. DuckDB runs the query, which only reads. Without QUERY, queries are read from
    standard input, on a terminal one after the other.

    \b
    Example:
      paifu sql dataset "SELECT riichi, avg(points) FROM wins GROUP BY riichi"
      paifu sql dataset "FROM wins WHERE yakuman > 0" --format csv
    """
    from paifu.api.sql import opened

    with opened(dataset, jobs=jobs) as tables:
        if query is None and sys.stdin.isatty():
            _converse(tables, limit)
        else:
            _print(tables.run(sys.stdin.read() if query is None else query), fmt, limit)
    return 0


def _converse(tables: Tables, limit: int) -> None:
    """Answer queries until the input ends. A query may have several lines, and ends with a semicolon."""
    from contextlib import suppress

    from paifu.api.sql import QueryError
    from paifu.reports.tables.declared import TABLES

    with suppress(ImportError):  # not on Windows
        import readline  # noqa: F401  it edits lines, and remembers them
    text = _("Tables: {tables}. A query ends with ';'. Ctrl-D ends.")
    click.echo(text.format(tables=", ".join(TABLES)), err=True)
    lines: list[str] = []
    while True:
        try:
            lines.append(input("     > " if lines else "paifu> "))
        except EOFError:
            click.echo(err=True)
            return
        if lines[-1].rstrip().endswith(";"):
            try:
                _print(tables.run("\n".join(lines)), "table", limit)
            except QueryError as error:
                click.echo(str(error), err=True)
            except KeyboardInterrupt:
                click.echo(err=True)
            lines = []


def _print(result: pa.RecordBatchReader, fmt: str, limit: int) -> None:
    """Print a result; only one JSON document holds it whole."""
    from paifu.cli.output import csv_text, write_json, write_parquet, write_rows
    from paifu.cli.plain_values import cell, plain_rows, short_cell

    names = result.schema.names
    if fmt == "parquet":
        write_parquet(result, result.schema)
    elif fmt == "csv":
        click.echo(csv_text([names]), nl=False)
        for values in plain_rows(result):
            click.echo(csv_text([map(cell, values)]), nl=False)
    elif fmt == "jsonl":
        for row in rows_of(result):
            write_json(row)
    elif fmt == "json":
        write_rows(list(rows_of(result)), names, fmt, {"schema": SCHEMA})
    else:
        rows: list[dict[str, Any]] = []
        more = 0
        for batch in result:
            shown = batch.slice(0, max(0, limit - len(rows)) if limit else None)
            rows += ({name: short_cell(value) for name, value in row.items()} for row in rows_of([shown]))
            more += len(batch) - len(shown)
        write_rows(rows, names, fmt, {})
        if more:
            click.echo(_("{count:,} more rows; --limit 0 shows all").format(count=more), err=True)


def rows_of(batches: Iterable[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    """Yield rows of a result, with values as JSON has them."""
    from paifu.cli.plain_values import plain_rows

    for batch in batches:
        for values in plain_rows([batch]):
            yield dict(zip(batch.schema.names, values, strict=True))
