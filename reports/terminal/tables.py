"""The tables that commands print: one builder, whose cells are always plain text.

Cells may hold foreign text, so rich's markup is never interpreted. Callers clean the text, as their form of
output demands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text


@dataclass(frozen=True, slots=True)
class TerminalColumn:
    """A column: its head, and how its cells are laid out."""

    head: str
    is_number: bool = False
    """Numbers are aligned right, and never cut or wrapped."""
    wraps: bool = True
    folds: bool = False
    """A word that does not fit is broken; else the column takes the room of its longest word."""


def table(
    columns: Sequence[TerminalColumn],
    rows: Iterable[Iterable[str]],
    *,
    ruled: bool = True,
    widths: Sequence[int] | None = None,
) -> Table:
    """Return a table of rows; ``ruled`` draws a line below the head. Columns have ``widths``, if given."""
    drawn = Table(
        box=box.SIMPLE_HEAD if ruled else None, pad_edge=False, collapse_padding=ruled, header_style="bold"
    )
    cells = [list(row) for row in rows]
    for number, column in enumerate(columns):
        drawn.add_column(
            Text(column.head),
            justify="right" if column.is_number else "left",
            no_wrap=column.is_number or not column.wraps,
            overflow="fold" if column.folds else "ellipsis",
            width=widths[number] if widths else None,
            min_width=max((cell_len(row[number]) for row in cells), default=0) if column.is_number else None,
        )
    for row in cells:
        drawn.add_row(*map(Text, row))
    return drawn


_TEXT_WIDTH, _PIPED_TEXT_WIDTH = 12, 40
"""Room that a column of text takes at least, on a terminal and in a pipe, if its texts are as long."""
_GAP, _EDGES = 2, 2


def needed_width(columns: Sequence[TerminalColumn], rows: Sequence[Sequence[str]]) -> int:
    """Return the width in which no number is cut, and texts have some room."""
    widths = [
        longest if column.is_number else min(longest, _TEXT_WIDTH)
        for column, longest in zip(columns, _longest(columns, rows), strict=True)
    ]
    return total_width(widths)


def piped_widths(columns: Sequence[TerminalColumn], rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return the widths of columns in a pipe: nothing is cut there, however wide the table gets.

    Texts of several words wrap, so that the table fits ``width`` where it can.
    """
    longest, widths = _longest(columns, rows), []
    for number, (column, most) in enumerate(zip(columns, longest, strict=True)):
        words = (word for row in rows for word in row[number].split())
        room = max(_PIPED_TEXT_WIDTH, *map(cell_len, words), 0)
        wraps = column.wraps and not column.is_number
        widths.append(min(most, _TEXT_WIDTH if column.folds else room) if wraps else most)
    for _cell in range(width - total_width(widths)):
        narrow = [number for number, most in enumerate(longest) if widths[number] < most]
        if narrow:
            widths[min(narrow, key=widths.__getitem__)] += 1
    return widths


def total_width(widths: Sequence[int]) -> int:
    """Return the width of a table of such columns."""
    return _EDGES + _GAP * (len(widths) - 1) + sum(widths)


def _longest(columns: Sequence[TerminalColumn], rows: Sequence[Sequence[str]]) -> list[int]:
    return [
        max(cell_len(cell) for cell in (column.head, *(row[number] for row in rows)))
        for number, column in enumerate(columns)
    ]


def fitting(columns: Sequence[TerminalColumn], rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return the columns, by number, that a terminal has room for: the last ones give way first."""
    kept = list(range(len(columns)))
    while len(kept) > _ALWAYS and width < needed_width(
        [columns[number] for number in kept],
        [[row[number] for number in kept] for row in rows],
    ):
        kept.pop()
    return kept


_ALWAYS = 2
"""Columns that are shown however narrow a terminal is."""
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
