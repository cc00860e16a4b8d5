"""Findings as the engine makes them: numbers, to be put in words by others.

Codes are numbers, see :mod:`~paifu.replay.kernels.codes` and :mod:`~paifu.replay.kernels.reasons`.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels.arrays import I64, I64_2D
from paifu.replay.kernels.reasons import PLAIN
from paifu.replay.kernels.rows import NOTED
from paifu.replay.kernels.running import kernel


class Notes(NamedTuple):
    """Findings as they come: rows of ``Findings``, and how many there are."""

    rows: I64_2D
    counts: I64
    """(3,) findings so far, hand and event they belong to."""


@kernel
def note(notes: Notes, code: int, seat: int, tile: int, expected: int, actual: int) -> None:
    """Note a finding at the present event, for the code's usual reason."""
    note_why(notes, code, PLAIN, seat, tile, expected, actual)


@kernel
def note_why(notes: Notes, code: int, reason: int, seat: int, tile: int, expected: int, actual: int) -> None:
    """Note a finding at the present event; what does not fit any more is only counted."""
    number = notes.counts[0]
    notes.counts[0] += 1
    if number < notes.rows.shape[0]:
        row = notes.rows[number]
        row[NOTED.code], row[NOTED.hand], row[NOTED.event] = code, notes.counts[1], notes.counts[2]
        row[NOTED.seat], row[NOTED.tile] = seat, tile
        row[NOTED.expected], row[NOTED.actual] = expected, actual
        row[NOTED.reason] = reason
