"""Cases that are data: tables in ``tests/data``, a row a line, and cells that are changed in a batch."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from paifu.replay.model.batch import Batch

DATA = Path(__file__).parents[1] / "data"
EXAMPLE = (DATA / "example.mjlog").read_text("utf-8")
"""Two made-up hands, of which ``docs/commands/show.md`` shows the output."""


def case_data(name: str) -> dict[str, Any]:
    """Return the tables of ``tests/data/NAME.toml``."""
    return tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))


def with_cells(batch: Batch, cells: Iterable[Sequence[Any]]) -> Batch:
    """Return a batch with other cells: each is a column (``wins.fu``), a place, and what is put there."""
    for column, *place, value in cells:
        table, _, name = column.partition(".")
        rows = getattr(batch, table)
        array = getattr(rows, name).copy()
        array[tuple(place)] = value
        batch = replace(batch, **{table: replace(rows, **{name: array})})
    return batch
