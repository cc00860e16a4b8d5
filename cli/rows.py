"""Titled blocks of three columns, as ``paifu score`` prints its answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def print_rows(console: Any, title: str, rows: Iterable[tuple[str, str, str]]) -> None:
    """Print a titled block of three columns, or nothing when it has no rows."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(width=10)
    table.add_column(justify="right")
    table.add_column()
    table.add_column()
    for number, row in enumerate(rows):
        table.add_row(Text(title if number == 0 else "", style="bold"), *map(Text, row))
    if table.row_count:
        console.print(table)
