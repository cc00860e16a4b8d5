"""Facts of a game: which columns of the model are facts, when a record states one, and when two values agree.

A fact is a column of the replay model, such as ``wins.fu``, or one of the names below, which several columns
state together.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import Mask
from paifu.replay.model.batch import NO_YAKU, Column, Table
from paifu.replay.model.events import EventFlag, EventKind, HandEnd
from paifu.replay.scoring.yaku import YAKU, YakuKind

HANDS = "hands.played"
"""That a hand was played at all."""
EVENTS = "events.order"
"""That a move was made at all, and in this order."""
RULES = "games.rules"
"""The rules that the game was played under, those that the format states."""
PRESENCE = "events.leave"
"""Who left and came back."""
DORA = "events.dora"
"""Which indicators were turned."""
DORA_PLACE = "events.dora_place"
"""When an indicator was turned."""
LAST_RIICHI = "events.last_riichi"
"""That a riichi was declared, or paid, when the record stops within a hand."""
RIICHI_SCORES = "riichi_scores.scores"
"""Scores after a riichi was paid."""
VERDICTS = "verdicts"
"""What engines said of decisions."""

PRESENCE_KINDS = (EventKind.LEAVE, EventKind.RETURN)

EQUAL, DIFFERENT, ONLY_A, ONLY_B = 1, 2, 3, 4
"""What is said of a fact in a row: the same, two things, or something by one record only; 0 is nothing."""

_NO_FACTS = frozenset(
    {
        "games.source", "games.format", "games.version", "games.is_cut", "games.hand_begin", "games.hand_end",
        "games.event_begin", "games.event_end", "games.first_dealer", "games.ruleset", "games.overrides",
        "hands.end", "hands.game", "hands.event_begin", "hands.event_end", "wins.game", "wins.hand",
        "wins.event", "hand_draws.game", "hand_draws.hand", "hand_draws.event", "riichi_scores.event",
    }
)  # fmt: skip
"""Columns that do not state facts of the game."""
_SETS = frozenset(
    {
        "wins.tiles", "wins.tiles_id", "events.own", "events.own_id", "hands.dealt", "hands.dealt_id",
        "hand_draws.shown", "hand_draws.shown_id",
    }
)  # fmt: skip
"""Lists whose order says nothing."""
_WHOLE = frozenset({"hands.dealt", "hands.dealt_id"})
"""Lists that are known only when no cell of them is hidden."""
_UNKNOWN = {"hand_draws.kind": HandEnd.UNKNOWN_DRAW}
"""Values that stand for nothing stated where the column declares none."""
_DORA_YAKU = np.array([number for number, yaku in YAKU.items() if yaku.kind is YakuKind.DORA], np.uint8)


def facts_of(table: type[Table]) -> list[tuple[str, Column]]:
    """Return the names of a table's facts, and their columns."""
    named = [(f"{table.NAME}.{column.name}", column) for column in table.columns()]
    return [(name, column) for name, column in named if name not in _NO_FACTS]


class StatedCells(NamedTuple):
    """Values of a fact in some rows, and which cells of them are stated."""

    values: npt.NDArray[Any]
    known: Mask
    """(rows, cells): a cell is what can be known apart from the others of its row."""


def said(fact: str, column: Column, table: Any, rows: npt.NDArray[np.intp], absent: Mask) -> StatedCells:
    """Return what rows of a table say of a fact, in an order that says nothing more than the game.

    ``absent`` (rows, 4) are seats that nobody sits in: what is said of them does not count.
    """
    values = _normal(fact, column, table, rows)
    known: Mask = _is_known(fact, column, values)
    by_seat = column.width[:1] == (4,)
    if fact == "wins.han":  # whose 0 does not tell whether it is stated
        known = np.any(table.yaku[rows] != NO_YAKU, axis=1, keepdims=True)
    elif known.ndim == 3:  # a list for each seat
        known = np.asarray(known.all(axis=2) if fact in _WHOLE else known.any(axis=2), bool)
    elif not by_seat:
        cells = known.reshape(len(rows), math.prod(known.shape[1:]))
        known = np.asarray(cells.any(axis=1, keepdims=True), bool)
    if by_seat:  # any may be unknown
        known = known & ~absent
    return StatedCells(values, known)


def compared(one: StatedCells, other: StatedCells) -> npt.NDArray[np.uint8]:
    """Return (rows,) of EQUAL, DIFFERENT, ONLY_A, ONLY_B and 0, what two records say of a fact."""
    rows, cells = one.known.shape
    if not rows:
        return np.zeros(0, np.uint8)
    values, others = (said.values.reshape(rows, cells, -1) for said in (one, other))
    same = values == others
    if values.dtype.kind == "f":
        same = np.isclose(values, others, rtol=0, atol=1e-6, equal_nan=True)
    elif values.dtype.kind == "O":
        same = np.asarray(same, bool)
    agree = same.all(axis=2)
    both = one.known & other.known
    result = np.zeros(rows, np.uint8)
    result[(both & agree).any(axis=1)] = EQUAL
    result[(other.known & ~one.known).any(axis=1)] = ONLY_B
    result[(one.known & ~other.known).any(axis=1)] = ONLY_A
    result[(both & ~agree).any(axis=1)] = DIFFERENT
    return result


def _normal(fact: str, column: Column, table: Any, rows: npt.NDArray[np.intp]) -> npt.NDArray[Any]:
    values: npt.NDArray[Any] = getattr(table, column.name)[rows]
    if fact in _SETS:
        values = np.sort(values, axis=-1)
    if fact in ("wins.yaku", "wins.han"):
        yaku, han = table.yaku[rows].copy(), table.han[rows].copy()
        yaku[np.isin(yaku, _DORA_YAKU) & (han == 0)] = NO_YAKU  # riichi may list its ura dora, be they none
        order = np.argsort(yaku, axis=1, kind="stable")
        values = np.take_along_axis(yaku if column.name == "yaku" else han, order, axis=1)
    if fact in ("events.tile", "events.own"):
        is_kan = table.kind[rows] == EventKind.ANKAN  # any of the four may be named first
        four = np.sort(np.concatenate([table.tile[rows][:, None], table.own[rows]], axis=1), axis=1)
        values = values.copy()
        values[is_kan] = four[is_kan, 0] if column.name == "tile" else four[is_kan, 1:]
    if fact == "events.flags":
        values = values & ~EventFlag.ORDER_UNCERTAIN
    return values


def _is_known(fact: str, column: Column, values: npt.NDArray[Any]) -> Mask:
    unknown = _UNKNOWN.get(fact, column.unknown)
    if values.dtype.kind == "f":
        return np.asarray(~np.isnan(values), bool)
    if fact not in _UNKNOWN and column.dtype != "str" and unknown in (0, False):
        return np.ones(values.shape, bool)
    known: Mask = np.asarray(values != unknown, bool)
    return known
