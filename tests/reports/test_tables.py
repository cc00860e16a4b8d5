"""Tables: no number is cut, whether or not there is room for all columns."""

from __future__ import annotations

import io

from each_row import each_row
from rich.cells import cell_len
from rich.console import Console

from paifu.reports.terminal.tables import (
    TerminalColumn,
    fitting,
    needed_width,
    piped_widths,
    table,
    total_width,
)

COLUMNS = [
    TerminalColumn("player"),
    *(TerminalColumn(head, is_number=True, wraps=False) for head in ("hands", "rank", "won")),
]
ROWS = [["Botan", "1,269", "2.56*", "12,345"], ["a name of twenty-four ch", "7", "-", "-"]]


def drawn(
    width: int, columns: list[TerminalColumn], rows: list[list[str]], widths: list[int] | None = None
) -> list[str]:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(table(columns, rows, widths=widths))
    return console.export_text().splitlines()


@each_row("width", range(22, 60))
def test_a_number_is_shown_whole_or_not_at_all(width: int) -> None:
    kept = fitting(COLUMNS, ROWS, width)
    assert kept == list(range(len(kept)))
    lines = drawn(width, [COLUMNS[i] for i in kept], [[row[i] for i in kept] for row in ROWS])
    assert max(map(cell_len, lines)) <= width
    for number in kept[1:]:
        assert any(ROWS[0][number] in line for line in lines)


def test_columns_give_way_from_the_right_and_two_always_stay() -> None:
    counts = [len(fitting(COLUMNS, ROWS, width)) for width in range(60)]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (2, 4)


def test_the_needed_width_is_that_of_the_table() -> None:
    width = total_width(piped_widths(COLUMNS, ROWS, 0))
    assert max(map(cell_len, drawn(width, COLUMNS, ROWS))) == width
    assert not any("…" in line for line in drawn(width, COLUMNS, ROWS))
    assert len(drawn(width - 1, COLUMNS, ROWS)) == len(drawn(width, COLUMNS, ROWS)) + 1  # the name wraps


def test_long_texts_wrap_and_numbers_stay() -> None:
    columns = [TerminalColumn("code", is_number=True), TerminalColumn("meaning")]
    rows = [["101", "what a log says of a hand that nobody can hold, " * 3]]
    assert needed_width(columns, rows) == 2 + 4 + 2 + 12
    assert any("101" in line for line in drawn(24, columns, rows))


def test_nothing_is_cut_in_a_pipe() -> None:
    columns = [
        TerminalColumn("hand"), TerminalColumn("source"), TerminalColumn("n", is_number=True),
        TerminalColumn("text"),
        TerminalColumn("folds", folds=True), TerminalColumn("whole", wraps=False),
    ]  # fmt: skip
    path, word, whole = "/logs/" + "a" * 90, "b" * 70, "no end of it " * 7
    rows = [["E1.0", path, "12,345", "some words " * 30 + word, "y" * 60, whole.strip()], ["S4.3", *"x1yzw"]]
    widths = piped_widths(columns, rows, 80)
    assert widths == [4, 96, 6, 70, 12, 90]
    text = "\n".join(drawn(total_width(widths), columns, rows, widths))
    assert "…" not in text
    assert all(part in text for part in (path, "12,345", word, whole.strip()))
    assert text.count("y") == 60 + 1
    assert text.count("some ") + text.count("some\n") == text.count("words") == 30


def test_texts_in_a_pipe_share_what_room_there_is() -> None:
    columns, rows = [TerminalColumn("a"), TerminalColumn("b")], [["one two " * 10, "three four"]]
    assert piped_widths(columns, rows, 80) == [66, 10]
    assert piped_widths(columns, rows, 30) == [40, 10]
    assert piped_widths(columns, rows, 200) == [80, 10]
