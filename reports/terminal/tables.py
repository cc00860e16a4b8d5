"""The tables that commands print: one builder, whose cells are always plain text.

Cells may hold foreign text, so rich's markup is never interpreted. Callers clean the text, as their form of
output demands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich import box
from rich.table import Table
from rich.text import Text


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, and how its cells are laid out."""

    head: str
    is_number: bool = False
    """Numbers are aligned right."""
    wraps: bool = True
    min_width: int | None = None
    folds: bool = False
    """A word that does not fit is broken; else the column takes the room of its longest word."""


def table(columns: Sequence[Column], rows: Iterable[Iterable[str]], *, ruled: bool = True) -> Table:
    """Return a table of rows; ``ruled`` draws a line below the head."""
    drawn = Table(
        box=box.SIMPLE_HEAD if ruled else None, pad_edge=False, collapse_padding=ruled, header_style="bold"
    )
    for column in columns:
        drawn.add_column(
            Text(column.head),
            justify="right" if column.is_number else "left",
            no_wrap=not column.wraps,
            overflow="fold" if column.folds else "ellipsis",
            min_width=column.min_width,
        )
    for row in rows:
        drawn.add_row(*map(Text, row))
    return drawn


_TITLE_WIDTH = 10


def blocks(titled: Iterable[tuple[str, Iterable[tuple[str, str, str]]]]) -> list[Table]:
    """Return blocks of three columns, each beside its title; blocks without rows are left out."""
    drawn = []
    for title, rows in titled:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(width=_TITLE_WIDTH)
        grid.add_column(justify="right")
        grid.add_column()
        grid.add_column()
        for number, row in enumerate(rows):
            grid.add_row(Text(title if number == 0 else "", style="bold"), *map(Text, row))
        if grid.row_count:
            drawn.append(grid)
    return drawn
