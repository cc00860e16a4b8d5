"""A batch of one game while cells of it change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from paifu.replay.model.batch import Batch, RiichiScores
from paifu.replay.model.events import EventKind


class Draft:
    """A batch and the columns of it that have changed."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._columns: dict[tuple[str, str], Any] = {}
        self.has_changed = False

    def cells(self, table: str, column: str) -> Any:
        """Return a column as it is now."""
        return self._columns.get((table, column), getattr(getattr(self._batch, table), column))

    def put(self, table: str, column: str, at: Any, value: Any) -> None:
        """Set cells of a column; ``at`` is an index of numpy."""
        cells = self.cells(table, column)
        if np.array_equal(cells[at], value):
            return
        if (table, column) not in self._columns:
            cells = cells.copy()
            self._columns[table, column] = cells
        cells[at] = value
        self.has_changed = True

    def batch(self) -> Batch:
        """Return the batch with all changes."""
        tables: dict[str, dict[str, Any]] = {}
        for (table, column), cells in self._columns.items():
            tables.setdefault(table, {})[column] = cells
        changed = {name: replace(getattr(self._batch, name), **columns) for name, columns in tables.items()}
        return replace(self._batch, **changed)


def with_event(
    batch: Batch, before: int, kind: EventKind, seat: int, scores: list[int] | None = None
) -> Batch:
    """Return the game with one event more before another, and the scores stated after it.

    ``kind`` is that of a riichi, or of its stick.
    """
    events = type(batch.events).empty(1)
    events.kind[0], events.seat[0] = kind, seat
    if batch.events.time[before - 1] >= 0:
        events.time[0] = batch.events.time[before - 1]
    table = batch.events
    shifted = _shifted(batch, before, 1)
    stated = shifted.riichi_scores
    if scores is not None:
        row = int(stated.event.searchsorted(before))
        stated = RiichiScores(
            event=np.insert(stated.event, row, before).astype(np.int32),
            scores=np.insert(stated.scores, row, scores, axis=0).astype(np.int32),
        )
    parts = [table.rows(slice(before)), events, table.rows(slice(before, len(table)))]
    return replace(shifted, events=parts[0].concatenated(parts[1:]), riichi_scores=stated)


def without_event(batch: Batch, event: int) -> Batch:
    """Return the game without an event, and without the scores stated after it.

    If the event before is the same, it takes over the scores.
    """
    events, stated = batch.events, batch.riichi_scores
    kept = np.arange(len(events)) != event
    is_twice = events.kind[event] == events.kind[event - 1] and events.seat[event] == events.seat[event - 1]
    if is_twice and event - 1 not in stated.event:
        moved = np.where(stated.event == event, event - 1, stated.event).astype(np.int32)
        stated = replace(stated, event=moved)
    batch = replace(batch, riichi_scores=stated.rows(stated.event != event))
    return replace(_shifted(batch, event + 1, -1), events=batch.events.rows(kept))


def _shifted(batch: Batch, begin: int, by: int) -> Batch:
    """Return the game with all events from ``begin`` on numbered otherwise."""
    number = {"events": lambda rows: np.where(rows >= begin, rows + by, rows)}
    tables: dict[str, Any] = {table.NAME: table.renumbered(number) for table in batch.tables()}
    return Batch(**tables)
