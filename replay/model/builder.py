"""From drafts to a Batch: what every parser fills.

A parser reads one game into a :class:`GameDraft` and hands it over with :meth:`BatchBuilder.add`. A
draft's rows are dictionaries that name only what the log states; every other cell becomes the column's
unknown value. Past this point nothing re-checks a range, so a parser checks while it reads: seats 0-3,
tile codes 0-135 or ``CODE_OF_TILE`` + 0-45, numbers that fit their column.

Cells: a tile is a tile code (see :mod:`paifu.replay.model.events`); a row of small numbers (tiles, yaku, han)
is ``bytes``, padded here; other rows of numbers are lists of the full width.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I32, U8
from paifu.replay.model.batch import (
    MAX_POINTS,
    TABLES,
    UNKNOWN_POINTS,
    Batch,
    Column,
    Events,
    Faults,
    Games,
    HandDraws,
    Hands,
    RiichiScores,
    Table,
    Verdicts,
    Wins,
)
from paifu.replay.model.events import (
    CODE_OF_TILE,
    NO_SEAT,
    EventFlag,
    EventKind,
    HandEnd,
    discards_of_drawn,
    looked_up,
    pack,
    unpack,
)
from paifu.replay.model.moments import is_moment
from paifu.replay.model.tiles import ALL_TILES, IDS, NO_TILE, TENHOU_RED_IDS, tile_of_id_table

DraftRow = dict[str, Any]
MAX_FAULTS = 5000
"""Faults that are told of one document, each by itself."""


MAX_ROWS = 100_000
"""Results, hands and payments of one game; the longest known has some 60 hands."""


class TooLongError(Exception):
    """A game with more results, hands or payments than memory is spent on; a fault of its document."""


def _append(rows: list[DraftRow], row: DraftRow) -> None:
    if len(rows) >= MAX_ROWS:
        raise TooLongError(f"a game has more than {MAX_ROWS:,} hands, results or payments, which no game has")
    rows.append(row)


Columns = dict[str, npt.NDArray[Any]]


class RowLayout(NamedTuple):
    """Where the columns of a table are in rows of int32."""

    table: type[Table]
    places: Mapping[str, int]
    """Column -> its first place; the declaration of the table says how many cells it has."""

    def columns(self, rows: I32) -> Columns:
        """Take the columns out of (n, size) rows."""
        found = {}
        for column in self.table.columns():
            at = self.places.get(column.name)
            if at is not None:
                cells = rows[:, at : at + column.cells].astype(column.dtype)
                found[column.name] = cells.reshape(len(rows), *column.width)
        return found


class Rows(NamedTuple):
    """Rows of a table as a parser filled them: numbers by place, and columns of text."""

    layout: RowLayout
    cells: I32
    texts: Mapping[str, list[str]] = MappingProxyType({})


class ReadRows(NamedTuple):
    """The hands of one game in rows already, for a parser that can make them at once.

    In rows of Hands, Wins, HandDraws and RiichiScores events are positions in ``words``, and hands and games
    count from 0. Discards of the tile just drawn are marked.
    """

    words: npt.NDArray[np.int64]
    tables: tuple[Rows, ...]
    last_end: HandEnd
    """How the last hand ended."""
    lacks_yaku: bool = False
    """Some win lists no yaku."""


@dataclass
class GameDraft:
    """One game while it is being read.

    ``words`` are packed events in the order of play; 0 stands for no event, so a parser may reserve
    positions. Rows that belong to a position of ``words`` are added with its index, ``at``.
    """

    game: DraftRow = field(default_factory=dict)
    red_ids: tuple[int, ...] = TENHOU_RED_IDS
    """Physical ids that are red fives in this game."""
    words: list[int] = field(default_factory=list)
    hands: list[DraftRow] = field(default_factory=list)
    wins: list[DraftRow] = field(default_factory=list)
    hand_draws: list[DraftRow] = field(default_factory=list)
    riichi_scores: list[DraftRow] = field(default_factory=list)
    verdicts: list[DraftRow] = field(default_factory=list)
    """In the order of their events."""
    times: dict[int, int] = field(default_factory=dict)
    """Position in ``words`` -> milliseconds since the game began."""
    rows: ReadRows | None = None
    """In place of the lists above; only ``words`` may have what came before its own."""

    @cached_property
    def packed(self) -> npt.NDArray[np.int64]:
        """``words`` as an array, once all are there."""
        return np.fromiter(self.words, np.int64, len(self.words))

    @property
    def last_end(self) -> HandEnd:
        """How the last hand ended."""
        return self.rows.last_end if self.rows else HandEnd(self.hands[-1]["end"])

    @property
    def first_seed(self) -> str:
        """The wall seed of the first hand; empty where the log has none a hand."""
        if self.rows is None:
            return str(self.hands[0].get("seed", ""))
        seeds = next(rows.texts for rows in self.rows.tables if rows.layout.table is Hands).get("seed", [""])
        return seeds[0]

    @property
    def first_scores(self) -> list[int]:
        """The scores that the first hand begins with; empty where the log states none."""
        if self.rows is None:
            return list(self.hands[0].get("scores", ()))
        hands = next(rows for rows in self.rows.tables if rows.layout.table is Hands)
        scores: list[int] = hands.layout.columns(hands.cells[:1])["scores"][0].tolist()
        return scores

    def begin_hand(self, at: int, row: DraftRow) -> None:
        """Begin a hand: events from ``at`` on belong to it."""
        row["event_begin"] = at
        row["end"] = HandEnd.UNFINISHED
        _append(self.hands, row)

    def win(self, at: int, row: DraftRow) -> None:
        """Put a win, and its event, at ``at``; several wins of a hand follow one another."""
        row["event"] = at
        row["hand"] = len(self.hands) - 1
        _append(self.wins, row)
        self.hands[-1]["end"] = HandEnd.WIN
        self.words[at] = pack(EventKind.WIN, row["seat"], row.get("tile", NO_TILE), row["source"])

    def hand_draw(self, at: int, row: DraftRow) -> None:
        """Put the end of a hand without a winner at ``at``.

        ``row["kind"]`` is a HandEnd, ``row["seat"]`` whose foul it was.
        """
        seat = row.pop("seat", NO_SEAT)
        row["event"] = at
        row["hand"] = len(self.hands) - 1
        _append(self.hand_draws, row)
        self.hands[-1]["end"] = row["kind"]
        self.words[at] = pack(EventKind.HAND_DRAW, seat)

    def riichi_paid(self, at: int, seat: int, scores: list[int] | None) -> None:
        """Put the payment of a riichi stick at ``at``, with the scores after it where they are stated."""
        self.words[at] = pack(EventKind.RIICHI_PAID, seat)
        if scores is not None:
            _append(self.riichi_scores, {"event": at, "scores": scores})


class BatchBuilder:
    """Collects drafts and input faults, and makes a Batch of them."""

    def __init__(self) -> None:
        self._start_over()

    @property
    def games(self) -> int:
        """How many games have been added since it last started over."""
        return len(self._games)

    @property
    def faults(self) -> int:
        """How many faults have been added since it last started over."""
        return len(self._faults)

    def _start_over(self) -> None:
        self._games: list[DraftRow] = []
        self._faults: list[DraftRow] = []
        self._most_faults, self._untold = sys.maxsize, 0
        self._pieces: dict[type[Table], list[list[DraftRow] | _Stack]] = {table: [] for table in _OF_GAMES}
        self._hand_count = 0
        self._words: list[npt.NDArray[np.int64]] = []
        self._word_count = 0
        self._times: dict[int, int] = {}
        self._red_sets: list[tuple[int, ...]] = []
        self._is_marked = True
        """Discards of the tile just drawn are marked in all games."""

    def __len__(self) -> int:
        return len(self._games)

    @property
    def size(self) -> int:
        """Number of event positions so far: a measure of the memory in use."""
        return self._word_count

    def add(self, draft: GameDraft) -> None:
        """Take over a finished draft, which must not be used any more.

        A beginning that is not a moment counts as unknown: periods and names of pages are made from it. So do
        points that no game has, to which those that a log states may add up.
        """
        if not is_moment(draft.game.get("started", "")):
            del draft.game["started"]
        game, hand, event = len(self._games), self._hand_count, self._word_count
        if draft.rows is None:
            self._is_marked = False
            self._add_rows(draft, game, hand, event)
        if draft.words:
            self._add_words(draft.packed)
        if draft.rows is not None:
            for rows in draft.rows.tables:
                self._add_cells(rows, (game, hand, self._word_count))
            self._add_words(draft.rows.words)
        self._times |= {event + at: time for at, time in draft.times.items()}
        self._red_sets.append(draft.red_ids)
        draft.game |= {"hand_begin": hand, "hand_end": self._hand_count}
        draft.game |= {"event_begin": event, "event_end": self._word_count}
        self._games.append(draft.game)

    def _add_words(self, words: npt.NDArray[np.int64]) -> None:
        self._words.append(words)
        self._word_count += len(words)

    def _add_rows(self, draft: GameDraft, game: int, hand: int, event: int) -> None:
        for row in draft.hands:
            row["game"] = game
            row["event_begin"] += event
        for row in (*draft.wins, *draft.hand_draws, *draft.verdicts):
            row["game"] = game
            row["hand"] += hand
            row["event"] += event
        for row in draft.riichi_scores:
            row["event"] += event
        for table, rows in (
            (Hands, draft.hands),
            (Wins, draft.wins),
            (HandDraws, draft.hand_draws),
            (RiichiScores, draft.riichi_scores),
            (Verdicts, draft.verdicts),
        ):
            pieces = self._pieces[table]
            if pieces and isinstance(pieces[-1], list):
                pieces[-1] += rows
            elif rows:
                pieces.append(rows)
        self._hand_count += len(draft.hands)

    def _add_cells(self, rows: Rows, offsets: tuple[int, int, int]) -> None:
        pieces = self._pieces[rows.layout.table]
        last = pieces[-1] if pieces else None
        if not isinstance(last, _Stack) or last.layout is not rows.layout:
            last = _Stack(rows.layout)
            pieces.append(last)
        last.add(rows, offsets)
        if rows.layout.table is Hands:
            self._hand_count += len(rows.cells)

    def add_fault(self, source: str, place: str, code: str, reason: str, hint: str) -> None:
        """Note a piece of input that could not be read; of one document no more than ``MAX_FAULTS``."""
        if len(self._faults) < self._most_faults:
            row = {"source": source, "place": place, "code": code, "reason": reason, "hint": hint}
            self._faults.append(row)
        else:
            self._untold += 1

    @contextmanager
    def document(self, location: str) -> Iterator[None]:
        """Take what is added meanwhile as that of one document, and say how many faults are left out."""
        self._most_faults, self._untold = len(self._faults) + MAX_FAULTS, 0
        try:
            yield
        finally:
            untold, self._most_faults = self._untold, sys.maxsize
            if untold:
                reason = f"{untold:,} more places could not be read, and are not listed"
                self.add_fault(location, "", "V101", reason, "see the first ones")

    def finish(self) -> Batch:
        """Return everything added so far as a Batch and start over empty."""
        words = np.concatenate(self._words) if self._words else np.zeros(0, np.int64)
        times = np.full(len(words), -1, np.int32)
        if self._times:
            times[list(self._times)] = list(self._times.values())
        reserved = np.flatnonzero(words == 0)
        columns = {table: _joined(table, pieces) for table, pieces in self._pieces.items()}
        columns |= {Games: _columns_of(Games, self._games), Faults: _columns_of(Faults, self._faults)}
        if len(reserved):
            words, times = np.delete(words, reserved), np.delete(times, reserved)
            for arrays in columns.values():
                for name in {"event", "event_begin", "event_end"} & arrays.keys():
                    arrays[name] -= np.searchsorted(reserved, arrays[name]).astype(np.int32)
        events = columns[Events] = {**unpack(words), "time": times}
        games, hands = columns[Games], columns[Hands]
        hands["event_end"] = _ends_of_hands(games, hands)
        if not self._is_marked and events["tile"].min(initial=NO_TILE) < IDS:
            first = np.repeat(games["event_begin"], games["event_end"] - games["event_begin"])
            drawn, _ = discards_of_drawn(events["kind"], events["seat"], events["tile"], first)
            events["flags"] |= drawn * np.uint8(EventFlag.TSUMOGIRI)
        changes = [at for at, red in enumerate(self._red_sets) if at == 0 or red != self._red_sets[at - 1]]
        tables = [_tile_of_code_table(self._red_sets[game]) for game in changes]
        for table in (Hands, Events, Wins, HandDraws):
            begins = games["event_begin"] if table is Events else columns[table]["game"].searchsorted(changes)
            _split_codes(table, columns[table], tables, begins[changes] if table is Events else begins)
        self._start_over()
        return Batch(**{t.NAME: _table(t, columns[t]) for t in TABLES})  # type: ignore[arg-type]


_OF_GAMES = (Hands, Wins, HandDraws, RiichiScores, Verdicts)
"""Tables that drafts fill, beside events."""


class _Stack:
    """Rows of one layout, of game after game."""

    def __init__(self, layout: RowLayout) -> None:
        self.layout = layout
        self._cells: list[I32] = []
        self._offsets: list[tuple[int, int, int]] = []
        self._texts: dict[str, list[str]] = {}

    def add(self, rows: Rows, offsets: tuple[int, int, int]) -> None:
        """Add rows of a game after those that are here; ``offsets`` has its number, first hand and word."""
        self._cells.append(rows.cells)
        self._offsets.append(offsets)
        for name, texts in rows.texts.items():
            self._texts.setdefault(name, []).extend(texts)

    def columns(self) -> Columns:
        """Return the columns of all rows; what no row states is unknown."""
        rows = np.concatenate(self._cells)
        found = self.layout.columns(rows)
        games, hands, events = np.repeat(
            np.array(self._offsets, np.int32), list(map(len, self._cells)), axis=0
        ).T
        for name, offsets in (("game", games), ("hand", hands), ("event", events), ("event_begin", events)):
            if name in found:
                found[name] += offsets
        for column in self.layout.table.columns():
            if column.name in self._texts:
                found[column.name] = _column(column, self._texts[column.name])
            elif column.name not in found:
                found[column.name] = column.empty(len(rows))
        return found


def _joined(table: type[Table], pieces: list[list[DraftRow] | _Stack]) -> Columns:
    parts = [
        piece.columns() if isinstance(piece, _Stack) else _columns_of(table, piece) for piece in pieces
    ] or [_columns_of(table, [])]
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _table(kind: type[Table], columns: dict[str, npt.NDArray[Any]]) -> Table:
    return kind(**{c.name: columns[c.name] for c in kind.columns()})


def _columns_of(table: type[Table], rows: list[DraftRow]) -> dict[str, npt.NDArray[Any]]:
    schema = table.columns()
    known = {c.name for c in schema}
    used = set().union(*rows)
    if not used <= known:
        raise KeyError(f"{table.NAME} has no column {sorted(used - known)}")
    return {
        c.name: _column(c, _cells(rows, c.name)) if c.name in used else c.empty(len(rows)) for c in schema
    }


def _cells(rows: list[DraftRow], name: str) -> list[Any]:
    try:
        return list(map(itemgetter(name), rows))
    except KeyError:
        return [row.get(name) for row in rows]


def _column(column: Column, cells: list[Any]) -> npt.NDArray[Any]:
    """Make an array of one column's cells; None is unknown."""
    shape = (len(cells), *column.width)
    size = column.cells
    if column.width and column.dtype in ("uint8", "int8"):
        pad = bytes([int(column.unknown) & 255])
        joined = b"".join([b"".ljust(size, pad) if c is None else c.ljust(size, pad) for c in cells])
        return np.frombuffer(joined, column.dtype).reshape(shape).copy()
    unknown = [column.unknown] * size if column.width else column.unknown
    filled = [unknown if c is None else c for c in cells]
    if column.dtype == "str":
        array = np.empty(shape, column.numpy_dtype())
        array[:] = filled
        return array
    flat = chain.from_iterable(filled) if column.width else filled
    if column.unknown != UNKNOWN_POINTS or not column.width:
        return np.fromiter(flat, column.dtype, len(cells) * size).reshape(shape)
    points = np.fromiter(flat, np.float64, len(cells) * size).reshape(shape)
    points[((np.abs(points) > MAX_POINTS) & (points != UNKNOWN_POINTS)).any(axis=1)] = UNKNOWN_POINTS
    return points.astype(column.dtype)


@lru_cache(maxsize=64)
def _tile_of_code_table(red_ids: tuple[int, ...]) -> U8:
    table = tile_of_id_table(red_ids)
    table[CODE_OF_TILE : CODE_OF_TILE + ALL_TILES] = np.arange(ALL_TILES)
    return table


_ID_OF_CODE = np.full(256, NO_TILE, np.uint8)
_ID_OF_CODE[:IDS] = np.arange(IDS)


def _split_codes(table: type[Table], columns: Columns, tables: list[U8], begins: npt.NDArray[Any]) -> None:
    """Turn each column of tile codes into the column of tiles and its twin of physical ids.

    ``tables`` are the code -> tile tables of rows with one kind of tile set, which begin at ``begins``.
    """
    ends = [*begins[1:].tolist(), None]
    for column in table.columns():
        if column.is_code:
            codes = columns[column.name]
            columns[column.name + "_id"] = looked_up(codes, _ID_OF_CODE)
            spans = zip(tables, begins.tolist(), ends, strict=False)
            found = [looked_up(codes[begin:end], of_code) for of_code, begin, end in spans]
            columns[column.name] = found[0] if len(found) == 1 else np.concatenate([codes[:0], *found])


def _ends_of_hands(
    games: dict[str, npt.NDArray[Any]], hands: dict[str, npt.NDArray[Any]]
) -> npt.NDArray[np.int32]:
    """A hand's events end where the next hand of the game begins, or with the game."""
    ends = np.empty(len(hands["game"]), np.int32)
    ends[:-1] = hands["event_begin"][1:]
    has_hands = games["hand_end"] > games["hand_begin"]
    ends[games["hand_end"][has_hands] - 1] = games["event_end"][has_hands]
    return ends
