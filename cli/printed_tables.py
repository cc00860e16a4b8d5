"""Tables on standard output: fitted to the terminal, or as wide as their words where it is a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click
from rich.console import Console

from paifu.replay.language import _
from paifu.reports.terminal.tables import TerminalColumn, fitting, piped_widths, table, total_width


def print_table(
    columns: Sequence[TerminalColumn], rows: Iterable[Iterable[str]], *, ruled: bool = True
) -> None:
    """Print rows as a table that fits the terminal; no number is cut.

    What a terminal has no room for is left out column by column, with a note. In a pipe the table is as wide
    as it needs to be for every word, and texts wrap at 80 columns.
    """
    console, cells = Console(highlight=False), [list(row) for row in rows]
    widths = None
    if not console.is_terminal:
        widths = piped_widths(columns, cells, console.width)
        console.width = max(console.width, total_width(widths))
    kept = fitting(columns, cells, console.width)
    console.print(
        table(
            [columns[number] for number in kept],
            [[row[number] for number in kept] for row in cells],
            ruled=ruled,
            widths=widths,
        )
    )
    if len(kept) < len(columns):
        left_out = ", ".join(column.head for column in columns[len(kept) :])
        text = _("no room for {columns}; a wider terminal or --format csv shows them")
        click.echo(text.format(columns=left_out), err=True)
