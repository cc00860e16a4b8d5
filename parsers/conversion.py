"""Facts of a game, compared between a source and what was written of it in another format.

A fact is a column of the replay model, such as ``wins.fu``, with a value for each row. It is *lost* where the
source states it and the result does not, and *changed* where both state it and differ. :data:`LOST` lists for
each format what it has no place for; anything else that a conversion loses is a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.model.batch import NO_YAKU, Batch, Column, Table
from paifu.replay.model.events import EventKind, HandEnd

_TABLES = ("games", "hands", "events", "wins", "hand_draws", "riichi_scores")
_NEVER = frozenset(
    {
        "games.source", "games.format", "games.version", "games.hand_begin", "games.hand_end",
        "games.event_begin", "games.event_end", "games.first_dealer", "hands.end", "hands.game",
        "hands.event_begin",
        "hands.event_end", "wins.game", "wins.hand", "wins.event", "hand_draws.game", "hand_draws.hand",
        "hand_draws.event", "riichi_scores.event",
    }
)  # fmt: skip
"""Columns that do not state facts of the game."""
_SETS = frozenset({"wins.tiles", "events.own", "hands.dealt", "hand_draws.shown"})
"""Lists whose order says nothing."""
_PRESENCE = (EventKind.LEAVE, EventKind.RETURN)
PRESENCE = "events.leave"
"""The fact that somebody left or came back."""
DORA_PLACE = "events.dora_place"
"""The fact when an indicator was turned."""
DORA = "events.dora"
"""The fact which indicators were turned."""
LAST_RIICHI = "events.last_riichi"
"""The fact that a riichi was declared, or paid, when the log stopped within a hand."""

VERDICTS = "verdicts"
"""The fact what engines said of decisions."""

_IDS = {
    "hands.dealt_id", "hands.dora_id", "events.tile_id", "events.own_id", "wins.tile_id", "wins.tiles_id",
    "wins.dora_id", "wins.ura_id", "hand_draws.shown_id",
}  # fmt: skip
_TENHOU = {"games.go_type", "games.lobby", "games.dan", "games.rate", "games.sex", "games.rule"}
_RULES = {"games.ruleset", "games.overrides"}
_CHIPS = {"games.final_chips", "hands.chips", "wins.chips", "hand_draws.chips"}
_WALL = {"games.seed", "hands.seed", "hands.dice"}
_WIN_CLAIMS = {"wins.honba", "wins.sticks"}
_DRAW_CLAIMS = {"hand_draws.honba", "hand_draws.sticks"}
_ENGINES = {VERDICTS}
_TIME = {"events.time"}
_COMMON = (
    _IDS
    | _ENGINES
    | _TIME
    | _TENHOU
    | _RULES
    | _CHIPS
    | _WALL
    | _WIN_CLAIMS
    | _DRAW_CLAIMS
    | {"games.title", PRESENCE}
)
_SCORES_IN_HAND = {"wins.scores", "hand_draws.scores", "riichi_scores.scores"}
_MELDS = {"wins.melds"}

LOST: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "paifu": frozenset(),
        "paifu-events": frozenset(),
        "mjlog": frozenset(
            _RULES | _ENGINES | _TIME | {"games.rule", "games.started", "games.id", "games.is_cut"}
        ),
        "tenhou6": frozenset(
            _IDS | _RULES | _CHIPS | _WALL | _WIN_CLAIMS | _DRAW_CLAIMS | _SCORES_IN_HAND | _MELDS | _ENGINES
            | _TIME
            | {LAST_RIICHI, DORA_PLACE, "games.go_type", "games.id", "games.started", "games.rule",
               "games.final_chips",
               "wins.tiles", "wins.fu", "wins.yaku", "wins.han", "wins.dora", "wins.ura",
               "hand_draws.shown", "hand_draws.tenpai", "hand_draws.deltas", "hand_draws.kind",
               "games.is_cut"}
        ),
        "mjai": frozenset(
            _COMMON | _MELDS
            | {"games.final_points", "games.id", "games.started", "wins.limit", "wins.dora",
               "hand_draws.kind"}
        ),
        "mjai-mortal": frozenset(
            _COMMON | _MELDS | _SCORES_IN_HAND
            | {"games.final_points", "games.final_scores", "games.id", "games.started", "wins.limit",
               "wins.dora", "wins.fu", "wins.points", "wins.yaku", "wins.han", "wins.tiles", "wins.liable",
               "hand_draws.kind", "hand_draws.tenpai", "hand_draws.shown"}
        ),
        "majiang": frozenset(
            _COMMON | _MELDS | _SCORES_IN_HAND
            | {"games.is_cut", "games.id", "games.started", "wins.limit", "wins.dora", "wins.fu", "wins.yaku",
               "wins.han", "wins.liable", LAST_RIICHI,
               "hand_draws.kind", "hand_draws.shown", "hand_draws.tenpai"}
        ),
        "majsoul-json": frozenset(
            (_COMMON - {PRESENCE} - _TIME) | _MELDS
            | {"games.is_cut", "games.started", "wins.scores", "hand_draws.scores", "hand_draws.tenpai",
               "hand_draws.shown", LAST_RIICHI,
               "hand_draws.deltas", "wins.deltas", "hand_draws.kind"}
        ),
    }
)  # fmt: skip
"""Format -> facts that it cannot state, or not always."""


@dataclass(frozen=True, slots=True)
class LostFact:
    """How often a fact of a game was lost or changed."""

    fact: str
    lost: int
    changed: int


def compare(source: Batch, result: Batch) -> list[LostFact]:
    """Compare two batches of one game, fact by fact; what both say alike is not listed.

    A game in which rows are missing has the difference ``TABLE`` alone for that table.
    """
    found: list[LostFact] = []
    for name in _TABLES:
        mine, theirs = getattr(source, name), getattr(result, name)
        if name == "events":
            found += _apart(source, result)
        keep, kept = _rows(source, name), _rows(result, name)
        if name == "riichi_scores":
            found += _riichi_scores(source, result)
            continue
        if len(keep) != len(kept):
            found.append(
                LostFact(name, lost=max(len(keep) - len(kept), 0), changed=abs(len(keep) - len(kept)))
            )
            continue
        found += _columns(mine, theirs, keep, kept)
    return [*found, *_verdicts(source, result)]


def stated(batch: Batch) -> set[str]:
    """The facts of which a game states anything."""
    found = {PRESENCE} if _presence(batch.events) else set()
    found |= {DORA_PLACE} if _turned(batch) else set()
    found |= {LAST_RIICHI} if len(_last_riichi(batch)) else set()
    found |= {VERDICTS} if len(batch.verdicts) else set()
    for name in _TABLES:
        table = getattr(batch, name)
        for column in table.columns():
            if (
                f"{name}.{column.name}" not in _NEVER
                and _is_stated(column, getattr(table, column.name)).any()
            ):
                found.add(f"{name}.{column.name}")
    return found


def _presence(events: Any) -> list[tuple[int, int]]:
    rows = np.isin(events.kind, _PRESENCE)
    return list(zip(events.kind[rows].tolist(), events.seat[rows].tolist(), strict=True))


def _apart(source: Batch, result: Batch) -> Iterator[LostFact]:
    """Compare the events whose place among the others a format may not state."""
    left, others = _presence(source.events), _presence(result.events)
    if left != others:
        yield LostFact(PRESENCE, lost=len(left), changed=0)
    mine, theirs = _turned(source), _turned(result)
    tiles, other_tiles = ([tile for tile, _ in turned] for turned in (mine, theirs))
    if tiles != other_tiles:
        yield LostFact(DORA, max(len(tiles) - len(other_tiles), 0), int(len(tiles) <= len(other_tiles)))
    elif mine != theirs:
        wrong = sum(one != other for one, other in zip(mine, theirs, strict=True))
        yield LostFact(DORA_PLACE, lost=wrong, changed=0)
    pending = [len(_last_riichi(batch)) for batch in (source, result)]
    if pending[0] != pending[1]:
        yield LostFact(LAST_RIICHI, max(pending[0] - pending[1], 0), int(pending[0] < pending[1]))


def _verdicts(source: Batch, result: Batch) -> Iterator[LostFact]:
    """Compare what engines said, row by row: a row is an option of a decision."""
    mine, theirs = source.verdicts, result.verdicts
    if not len(mine) == len(theirs) > 0:
        if len(mine) != len(theirs):
            yield LostFact(VERDICTS, max(len(mine) - len(theirs), 0), max(len(theirs) - len(mine), 0))
        return
    wrong = np.zeros(len(mine), bool)
    for column in mine.columns():
        values, others = getattr(mine, column.name), getattr(theirs, column.name)
        same = np.asarray(values == others, bool) | _both_nan(values, others)
        wrong |= ~same.reshape(len(mine), -1).all(axis=1)
    if wrong.any():
        yield LostFact(VERDICTS, 0, int(wrong.sum()))


def _turned(batch: Batch) -> list[tuple[int, int]]:
    """Indicators turned: the tile, and how many of the events compared are before it."""
    rows = np.flatnonzero(batch.events.kind == EventKind.DORA)
    places = np.searchsorted(_rows(batch, "events"), rows)
    return list(zip(batch.events.tile[rows].tolist(), places.tolist(), strict=True))


def _last_riichi(batch: Batch) -> npt.NDArray[np.intp]:
    """Rows at the end of a game that stops within a hand: a riichi just declared, or just paid."""
    kinds = batch.events.kind
    end = len(kinds)
    if len(batch.hands) and batch.hands.end[-1] == HandEnd.UNFINISHED:
        while end and kinds[end - 1] in (EventKind.RIICHI, EventKind.RIICHI_PAID, *_PRESENCE):
            end -= 1
    rows = np.arange(end, len(kinds))
    return rows[~np.isin(kinds[rows], _PRESENCE)]


def _rows(batch: Batch, name: str) -> npt.NDArray[np.intp]:
    """Rows that are compared one by one: of events, those whose place every format states."""
    table = getattr(batch, name)
    if name != "events":
        return np.arange(len(table))
    rows = np.flatnonzero(~np.isin(table.kind, (*_PRESENCE, EventKind.DORA)))
    return np.setdiff1d(rows, _last_riichi(batch))


def _columns(
    mine: Table, theirs: Table, keep: npt.NDArray[np.intp], kept: npt.NDArray[np.intp]
) -> Iterator[LostFact]:
    for column in mine.columns():
        fact = f"{mine.NAME}.{column.name}"
        if fact in _NEVER:
            continue
        values, others = (_normal(table, column, rows) for table, rows in ((mine, keep), (theirs, kept)))
        is_stated, is_told = _is_stated(column, values), _is_stated(column, others)
        if fact == "wins.han":  # it has no number of its own for what is not stated
            is_stated, is_told = (table.yaku[:, 0] != NO_YAKU for table in (mine, theirs))  # type: ignore[attr-defined]
        axes = tuple(range(1, values.ndim))
        same = (values == others) | _both_nan(values, others)
        same = same.all(axis=axes) if axes else same
        lost = int((is_stated & ~is_told).sum())
        changed = int((is_stated & is_told & ~same).sum())
        if lost or changed:
            yield LostFact(fact, lost, changed)


def _both_nan(values: npt.NDArray[Any], others: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    if values.dtype.kind != "f":
        return np.zeros(values.shape, bool)
    both: npt.NDArray[np.bool_] = np.isnan(values) & np.isnan(others)
    return both


def _normal(table: Any, column: Column, rows: npt.NDArray[np.intp]) -> npt.NDArray[Any]:
    """A column's values in an order that says nothing more than the game."""
    values: npt.NDArray[Any] = getattr(table, column.name)[rows]
    if f"{table.NAME}.{column.name}" in _SETS:
        values = np.sort(values, axis=-1)
    if table.NAME == "wins" and column.name in ("yaku", "han"):
        order = np.argsort(table.yaku[rows], axis=1, kind="stable")
        values = np.take_along_axis(values, order, axis=1)
    if table.NAME == "events" and column.name in ("tile", "own"):
        is_kan = table.kind[rows] == EventKind.ANKAN  # any of the four may be named first
        four = np.sort(np.concatenate([table.tile[rows][:, None], table.own[rows]], axis=1), axis=1)
        values = values.copy()
        values[is_kan] = four[is_kan, 0] if column.name == "tile" else four[is_kan, 1:]
    return values


def _is_stated(column: Column, values: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return in which rows a column says anything; where 0 stands for both, it does."""
    axes = tuple(range(1, values.ndim))
    if column.dtype == "str":
        told = values != ""
    elif values.dtype.kind == "f":
        told = ~np.isnan(values)
    elif column.unknown in (0, False):
        told = np.ones(values.shape, bool)
    else:
        told = values != column.unknown
    result: npt.NDArray[np.bool_] = np.asarray(told.any(axis=axes) if axes else told, bool)
    return result


def _riichi_scores(source: Batch, result: Batch) -> Iterator[LostFact]:
    mine, theirs = (_scores_by_payment(batch) for batch in (source, result))
    if len(_last_riichi(source)) > len(_last_riichi(result)):
        mine = dict(list(mine.items())[:-1])  # of a payment that was lost
    lost = sum(number not in theirs for number in mine)
    changed = sum(theirs.get(number, scores) != scores for number, scores in mine.items())
    if lost or changed:
        yield LostFact("riichi_scores.scores", lost, changed)


def _scores_by_payment(batch: Batch) -> dict[int, list[int]]:
    paid = np.flatnonzero(batch.events.kind == EventKind.RIICHI_PAID)
    numbers = np.searchsorted(paid, batch.riichi_scores.event)
    return dict(zip(numbers.tolist(), batch.riichi_scores.scores.tolist(), strict=True))
