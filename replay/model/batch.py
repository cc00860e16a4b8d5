"""The replay model: a ``Batch`` holds many games as a few flat tables of numpy columns.

Each table is a frozen dataclass; its fields are its columns, declared once with :func:`column`, which
states dtype, width and the value that stands for "the log does not say". Everything here is what **logs
claim**. What the engine derives lives in tables of its own and never overwrites these.

Conventions: seats are absolute, 0-3 (seat 0 deals first; seat 3 is empty in a 3-player game); points are
plain points (25000, not 250); tiles, kinds and ids are those of :mod:`paifu.replay.model.tiles`. A column
``x_id`` beside a column ``x`` holds the physical ids, 255 where the format has none. Row numbers that
point into another table (``game``, ``hand``, ``event``) count from the start of the same batch.
"""

from __future__ import annotations

import dataclasses
import math
from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import accumulate
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import F64, I16, I32, U8
from paifu.replay.foreign_text import name_key
from paifu.replay.model.events import NO_SEAT, UNSTATED_SEAT
from paifu.replay.model.tiles import NO_TILE

Text = npt.NDArray[np.object_]
Renumbering = Callable[[npt.NDArray[Any]], npt.NDArray[Any]]
"""Returns new numbers of rows for old ones."""

SCHEMA_VERSION = 4
"""Version of the stored tables; it grows when a column is added, removed or changes its meaning."""

UNKNOWN_POINTS = -(2**31)
"""Stands for "not stated" in columns of points, whose real values may be negative."""
MAX_POINTS = 10_000_000
"""No score or change of a game is larger."""
MAX_COUNT = 9_999
"""Maximum of repeats and of riichi sticks."""
MAX_FU = 1_000
MAX_HAN = 99
MAX_TIME = 2**31 - 1
"""Milliseconds; more than three weeks."""
MAX_YAKU = 24
NO_YAKU = UNKNOWN_LIMIT = NOT_STATED = 255
MAX_INDICATORS = 5
MAX_SHOWN_MELDS = 8
"""Four melds and four kita."""
MAX_OPTIONS = 64
"""Options that engines rated after one event."""
MAX_SHANTEN = 13
"""More than any hand has."""
UNKNOWN_SHANTEN = 127


class Column(NamedTuple):
    """One column's declaration.

    ``dtype`` is a numpy dtype name or ``"str"``; ``width`` is the shape of one cell, ``()`` for a scalar;
    ``unknown`` fills cells of which the log says nothing; ``is_code`` marks tile columns that the builder
    fills, together with their ``_id`` twin, from tile codes.
    """

    name: str
    dtype: str
    width: tuple[int, ...]
    unknown: Any
    is_code: bool = False

    @property
    def cells(self) -> int:
        """Number of values in one cell."""
        return math.prod(self.width)

    def numpy_dtype(self) -> np.dtype[Any]:
        """Return the dtype of the column's array; text is held as Python objects."""
        return np.dtype(object) if self.dtype == "str" else np.dtype(self.dtype)

    def empty(self, rows: int) -> npt.NDArray[Any]:
        """Return ``rows`` cells, all unknown."""
        return np.full((rows, *self.width), self.unknown, self.numpy_dtype())


def column(dtype: str, *width: int, unknown: Any = None, is_code: bool = False) -> Any:
    """Declare a column of a table class; see :class:`Column`."""
    if unknown is None:
        unknown = "" if dtype == "str" else 0
    return field(metadata={"column": (dtype, width, unknown, is_code)})


def taken(table: type[Table]) -> Any:
    """Declare a column that another table has under the same name, of the same type and meaning."""
    return field(metadata={"table": table})


def _tiles(*width: int) -> Any:
    return column("uint8", *width, unknown=NO_TILE, is_code=True)


def _ids(*width: int) -> Any:
    return column("uint8", *width, unknown=NO_TILE)


def _seat() -> Any:
    return column("uint8", unknown=NO_SEAT)


def _points(*width: int) -> Any:
    return column("int32", *width, unknown=UNKNOWN_POINTS)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Base of all tables: equally long columns."""

    NAME: ClassVar[str] = ""

    @classmethod
    def columns(cls) -> tuple[Column, ...]:
        """Return the table's schema."""
        return _schema(cls)  # type: ignore[arg-type]  # mypy takes the class for one of its instances

    @classmethod
    def empty(cls, rows: int = 0) -> Self:
        """Return a table whose ``rows`` rows say nothing."""
        return cls(**{c.name: c.empty(rows) for c in cls.columns()})

    @classmethod
    def filled(cls, rows: int, **columns: Any) -> Self:
        """Return a table of ``rows`` rows with some columns, a cell for each row or one for all."""
        made = cls.empty(rows)
        for name, cells in columns.items():
            getattr(made, name)[:] = cells
        return made

    @classmethod
    def cells(cls) -> int:
        """Return how many numbers a row holds."""
        return sum(c.cells for c in cls.columns())

    @classmethod
    def places(cls) -> Any:
        """Return where each column begins in a row of numbers, as a named tuple of integers."""
        return _places(cls)  # type: ignore[arg-type]  # as above

    @classmethod
    def from_rows(cls, rows: npt.NDArray[np.int64]) -> Self:
        """Take the columns from (rows, :meth:`cells`) numbers."""
        return cls(
            **{
                c.name: rows[:, at : at + c.cells].reshape(-1, *c.width).astype(c.numpy_dtype())
                for c, at in zip(cls.columns(), cls.places(), strict=True)
            }
        )

    @classmethod
    def taken_from(cls, table: type[Table]) -> list[str]:
        """Return the names of the columns that are declared in another table; see :func:`taken`."""
        return [f.name for f in dataclasses.fields(cls) if f.metadata.get("table") is table]

    def arrays(self) -> Iterator[tuple[str, npt.NDArray[Any]]]:
        """Yield (name, array) in the order of the schema."""
        for declared in self.columns():
            yield declared.name, getattr(self, declared.name)

    def __len__(self) -> int:
        return len(getattr(self, self.columns()[0].name))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} rows)"

    def differences(self, other: Table, *, ignore: Iterable[str] = ()) -> list[str]:
        """Return the names of the columns but ``ignore`` that differ; NaN equals NaN."""
        skip = set(ignore)
        return [
            name for name, mine in self.arrays() if name not in skip and not _same(mine, getattr(other, name))
        ]

    def rows(self, chosen: slice | npt.NDArray[Any]) -> Self:
        """Return some rows, by their numbers or by a mask; row numbers in them are left as they are."""
        return type(self)(**{name: array[chosen] for name, array in self.arrays()})

    def concatenated(self, others: list[Self]) -> Self:
        """Return this table's rows, then those of ``others``; row numbers are left as they are."""
        parts = [self, *others]
        return type(self)(
            **{name: np.concatenate([getattr(p, name) for p in parts]) for name, _ in self.arrays()}
        )

    def renumbered(self, number: Mapping[str, Renumbering]) -> Self:
        """Return the table with the rows of other tables, by name, that it points to numbered anew."""
        columns = dict(self.arrays())
        for name, table in _ROW_NUMBERS.items():
            if name in columns and table in number:
                columns[name] = number[table](columns[name]).astype(columns[name].dtype)
        return type(self)(**columns)


@cache
def _schema(table: type[Table]) -> tuple[Column, ...]:
    return tuple(map(_column, dataclasses.fields(table)))


@cache
def _places(table: type[Table]) -> Any:
    columns = table.columns()
    begins = accumulate((c.cells for c in columns[:-1]), initial=0)
    declare: Any = namedtuple
    return declare(f"{table.__name__}Places", [c.name for c in columns])(*begins)


def _column(declared: dataclasses.Field[Any]) -> Column:
    table: type[Table] | None = declared.metadata.get("table")
    if table is not None:
        return next(c for c in table.columns() if c.name == declared.name)
    return Column(declared.name, *declared.metadata["column"])


def _same(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> bool:
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Games(Table):
    """One row a game."""

    NAME: ClassVar[str] = "games"

    id: Text = column("str")
    """The platform's id of the game, such as ``2022010503gm-00b9-0000-6ebd44bf``."""
    source: Text = column("str")
    """Where it was read: file, archive member or database row, with ``#n`` for the nth game of several."""
    format: Text = column("str")
    """Name of the format: ``mjlog``, ``tenhou6``, ..."""
    version: Text = column("str")
    """The format's version as the log states it."""
    ruleset: Text = column("str")
    """Preset that the log's flags name."""
    overrides: Text = column("str")
    """JSON object of ruleset fields that the log's flags set otherwise than the preset."""
    rule: Text = column("str")
    """The log's own words on its rules: csrule, rule object or display name."""
    go_type: I32 = column("int32", unknown=-1)
    """Tenhou's bit field of room and rules."""
    lobby: Text = column("str")
    title: Text = column("str")
    started: Text = column("str")
    """Local time of the platform, ISO 8601 as far as it is known: ``2022-01-05T03``."""
    players: U8 = column("uint8")
    """3 or 4."""
    first_dealer: U8 = _seat()
    names: Text = column("str", 4)
    dan: npt.NDArray[np.int8] = column("int8", 4, unknown=-1)
    """Tenhou's grade: 0 newcomer, 1-9 for 9 to 1 kyu, 10-19 for 1 to 10 dan, 20 tenhoui."""
    rate: F64 = column("float64", 4, unknown=np.nan)
    sex: Text = column("str", 4)
    """M, F, or C for a computer."""
    seed: Text = column("str")
    """The wall's seed as stated: kind, comma, words; empty where none is given for the whole game."""
    final_scores: I32 = _points(4)
    final_points: F64 = column("float64", 4, unknown=np.nan)
    """Settled points in thousands, uma and oka included."""
    final_chips: I32 = _points(4)
    penalties: I32 = column("int32", 4, unknown=0)
    """Points that a referee took off a player's result, beside what the rules ask for fouls."""
    is_cut: npt.NDArray[np.bool_] = column("bool", unknown=False)
    """The log stops before the game's end, or was only readable so far."""
    hand_begin: I32 = column("int32")
    hand_end: I32 = column("int32")
    event_begin: I32 = column("int32")
    event_end: I32 = column("int32")
    """Events of the game, those before the first hand (leave, return) included."""

    @property
    def deals_first(self) -> U8:
        """(games,) the seat that deals the first hand: 0 where the log does not say."""
        return np.where(self.first_dealer == NO_SEAT, 0, self.first_dealer).astype(np.uint8)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hands(Table):
    """One row a hand (kyoku), repeats by honba included."""

    NAME: ClassVar[str] = "hands"

    game: I32 = column("int32")
    round: U8 = column("uint8")
    """4 x round wind + number - 1, with 3 players too: 0 = E1, 4 = S1, 8 = W1."""
    honba: I16 = column("int16")
    """In games other than riichi: how many hands in a row the dealer has dealt before this one."""
    sticks: I16 = column("int16")
    """Riichi sticks on the table at the start."""
    dealer: U8 = _seat()
    dice: U8 = column("uint8", 2, unknown=255)
    """Eyes minus one, as Tenhou states them."""
    scores: I32 = _points(4)
    """Scores before the hand."""
    chips: I32 = _points(4)
    dealt: U8 = _tiles(4, 13)
    dealt_id: U8 = _ids(4, 13)
    dora: U8 = _tiles()
    """The first dora indicator."""
    dora_id: U8 = _ids()
    seed: Text = column("str")
    """This hand's own wall seed, where the format has one a hand."""
    end: U8 = column("uint8")
    """A :class:`~paifu.replay.model.events.HandEnd`."""
    event_begin: I32 = column("int32")
    event_end: I32 = column("int32")
    """Events up to the next hand's deal, leave and return after the result included."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Events(Table):
    """One row an event, in the order of play."""

    NAME: ClassVar[str] = "events"

    kind: U8 = column("uint8")
    """An :class:`~paifu.replay.model.events.EventKind`, whose docs say what the other columns mean."""
    seat: U8 = _seat()
    source: U8 = _seat()
    """Seat that a called or winning tile came from."""
    tile: U8 = _tiles()
    tile_id: U8 = _ids()
    own: U8 = _tiles(3)
    """The caller's own tiles in a meld."""
    own_id: U8 = _ids(3)
    flags: U8 = column("uint8")
    """:class:`~paifu.replay.model.events.EventFlag` bits."""
    time: I32 = column("int32", unknown=-1)
    """Milliseconds since the game began, on the platform's clock. What one message of the platform says,
    such as a riichi and its discard, happened at one time."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Wins(Table):
    """One row a winner: what the log claims of the win."""

    NAME: ClassVar[str] = "wins"

    game: I32 = column("int32")
    hand: I32 = column("int32")
    event: I32 = column("int32")
    seat: U8 = _seat()
    source: U8 = _seat()
    """The discarder, or the winner itself on tsumo."""
    liable: U8 = column("uint8", unknown=UNSTATED_SEAT)
    """Seat that pays by liability (pao), or answers in the place of the discarder; 255 is nobody."""
    tile: U8 = _tiles()
    tile_id: U8 = _ids()
    tiles: U8 = _tiles(14)
    """Closed tiles, the winning tile included."""
    tiles_id: U8 = _ids(14)
    melds: I32 = column("int32", MAX_SHOWN_MELDS, unknown=-2)
    """Tenhou meld codes, newest first, -1 after the last; -2 where the format shows no melds here."""
    fu: I16 = column("int16", unknown=-1)
    points: I32 = _points()
    """Value of the hand without honba and sticks; in other games the value that payments count in."""
    limit: U8 = column("uint8", unknown=255)
    """0 none, 1 mangan, 2 haneman, 3 baiman, 4 sanbaiman, 5 yakuman."""
    honba: I16 = column("int16", unknown=-1)
    sticks: I16 = column("int16", unknown=-1)
    yaku: U8 = column("uint8", MAX_YAKU, unknown=255)
    """Tenhou yaku ids as listed, 255 after the last."""
    han: npt.NDArray[np.int8] = column("int8", MAX_YAKU, unknown=0)
    """Han of each listed yaku; 13 for a yakuman."""
    patterns: Text = column("str")
    """In games other than riichi: JSON list of the patterns as listed, each with its value, a number,
    ``limit`` or ``half_limit``; ``[]`` for a hand without any, empty where they are not stated."""
    own_scores: I32 = _points(4)
    """What each hand counts for itself, where losers score, too; the winner's is its value."""
    scores: I32 = _points(4)
    """Scores before this win is paid."""
    deltas: I32 = _points(4)
    """Score changes by this win; a riichi stick paid earlier in the hand is not in."""
    chips: I32 = _points(4)
    """Chip changes by this win."""
    dora: U8 = _tiles(MAX_INDICATORS)
    """Dora indicators as listed with the win."""
    dora_id: U8 = _ids(MAX_INDICATORS)
    ura: U8 = _tiles(MAX_INDICATORS)
    ura_id: U8 = _ids(MAX_INDICATORS)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HandDraws(Table):
    """One row a hand that ended without a winner: what the log claims of it."""

    NAME: ClassVar[str] = "hand_draws"

    game: I32 = column("int32")
    hand: I32 = column("int32")
    event: I32 = column("int32")
    kind: U8 = column("uint8")
    """A :class:`~paifu.replay.model.events.HandEnd`."""
    honba: I16 = column("int16", unknown=-1)
    sticks: I16 = column("int16", unknown=-1)
    scores: I32 = _points(4)
    deltas: I32 = _points(4)
    chips: I32 = _points(4)
    tenpai: U8 = column("uint8", 4, unknown=255)
    """1 tenpai, 0 not, 255 not stated."""
    shown: U8 = _tiles(4, 14)
    """Closed tiles that were shown."""
    shown_id: U8 = _ids(4, 14)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RiichiScores(Table):
    """One row a paid riichi of which the log states the scores after payment."""

    NAME: ClassVar[str] = "riichi_scores"

    event: I32 = column("int32")
    scores: I32 = _points(4)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Verdicts(Table):
    """One row an option that an engine rated, as the log or a report with the log in it states it.

    Options of one decision stand together, in the order of the report: a decision is what ``seat`` does
    after ``event``, as ``engine`` sees it.
    """

    NAME: ClassVar[str] = "verdicts"

    game: I32 = column("int32")
    hand: I32 = column("int32")
    event: I32 = column("int32")
    """The event after which the seat decides: its own draw or call, or another's tile."""
    seat: U8 = _seat()
    engine: Text = column("str")
    """Name of the engine, with that of its model."""
    kind: U8 = column("uint8")
    """What the option is, as an :class:`~paifu.replay.model.events.EventKind`: 0 is to pass, HAND_DRAW to
    end the hand with nine terminals."""
    tile: U8 = column("uint8", unknown=NO_TILE)
    """Tile of a discard (also a riichi's, if it is stated), of a chi, or that a kan is made of."""
    own: U8 = column("uint8", 2, unknown=NO_TILE)
    """The caller's own tiles in a chi."""
    value: F64 = column("float64", unknown=np.nan)
    """What the option is worth to the engine, in the engine's own unit."""
    probability: F64 = column("float64", unknown=np.nan)
    """How likely the engine would take the option, 0 to 1."""
    is_chosen: npt.NDArray[np.bool_] = column("bool", unknown=False)
    """The engine would take this option."""
    is_played: npt.NDArray[np.bool_] = column("bool", unknown=False)
    """The player took this option."""
    shanten: npt.NDArray[np.int8] = column("int8", unknown=UNKNOWN_SHANTEN)
    """The seat's shanten at this decision, as the engine counts it."""
    is_furiten: U8 = column("uint8", unknown=255)
    """1 if the engine says that the seat is furiten, 0 if it says not."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Faults(Table):
    """One row a piece of input that could not be read, or not wholly."""

    NAME: ClassVar[str] = "faults"

    source: Text = column("str")
    place: Text = column("str")
    code: Text = column("str")
    """Finding code of family V1."""
    reason: Text = column("str")
    hint: Text = column("str")
    """What to do about it."""


TABLES: tuple[type[Table], ...] = (Games, Hands, Events, Wins, HandDraws, RiichiScores, Verdicts, Faults)
"""All tables of a batch, in the order of :class:`Batch`'s fields."""

_ROW_NUMBERS = {
    "game": "games",
    "hand": "hands",
    "event": "events",
    "hand_begin": "hands",
    "hand_end": "hands",
    "event_begin": "events",
    "event_end": "events",
}
"""Columns that count rows of another table, and which."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Many games as flat tables; see the module's docstring."""

    games: Games
    hands: Hands
    events: Events
    wins: Wins
    hand_draws: HandDraws
    riichi_scores: RiichiScores
    verdicts: Verdicts
    faults: Faults

    @classmethod
    def empty(cls) -> Self:
        """Return a batch without games."""
        return cls(**{t.NAME: t.empty() for t in TABLES})  # type: ignore[arg-type]

    def tables(self) -> tuple[Table, ...]:
        """Return the tables in the order of ``TABLES``."""
        return tuple(getattr(self, t.NAME) for t in TABLES)

    def __len__(self) -> int:
        return len(self.games)

    def __repr__(self) -> str:
        return "Batch(" + ", ".join(f"{len(t)} {t.NAME}" for t in self.tables() if len(t)) + ")"

    def differences(self, other: Batch, *, ignore: Iterable[str] = ()) -> list[str]:
        """Return ``table.column`` of all columns that differ; ``ignore`` takes the same names."""
        skip = set(ignore)
        return [
            name
            for mine, theirs in zip(self.tables(), other.tables(), strict=True)
            for name in (f"{mine.NAME}.{column}" for column in mine.differences(theirs))
            if name not in skip
        ]

    @classmethod
    def concatenate(cls, batches: Iterable[Batch]) -> Batch:
        """Join batches in order; row numbers are shifted to fit."""
        parts = list(batches)
        if not parts:
            return cls.empty()
        before = dict.fromkeys(_ROW_NUMBERS.values(), 0)
        moved: list[tuple[Any, ...]] = []
        for batch in parts:
            number = {name: partial(np.add, rows) for name, rows in before.items()}
            moved.append(tuple(table.renumbered(number) for table in batch.tables()))
            before = {name: rows + len(getattr(batch, name)) for name, rows in before.items()}
        return cls(*(first.concatenated(others) for first, *others in zip(*moved, strict=True)))

    def hands_of(self, events: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Return the row of the hand in which each event (a row) falls; -1 outside of hands."""
        hands = self.hands
        found = np.searchsorted(hands.event_begin, events, side="right") - 1
        is_inside = found >= 0
        is_inside[is_inside] = events[is_inside] < hands.event_end[found[is_inside]]
        return np.where(is_inside, found, -1)

    def seats_of(self, players: Collection[str]) -> npt.NDArray[np.bool_]:
        """Return (games, 4): which seats have one of these names, of which ``players`` are the keys."""
        found = [[name_key(str(name)) in players for name in names] for names in self.games.names]
        return np.array(found, bool).reshape(-1, 4)

    def only(self, keep: npt.NDArray[np.bool_], keep_hands: npt.NDArray[np.bool_] | None = None) -> Batch:
        """Return a batch of the games that a mask keeps, in their order; all faults stay.

        ``keep_hands``: (hands,) those that the games keep; all if it is not given.
        """
        games, hands = self.games, self.hands
        kept_hands = _spread(keep, games.hand_begin, games.hand_end, len(hands))
        kept_events = _spread(keep, games.event_begin, games.event_end, len(self.events))
        if keep_hands is not None:
            kept_hands &= keep_hands
            kept_events &= ~_spread(~keep_hands, hands.event_begin, hands.event_end, len(self.events))
        kept = {"games": keep, "hands": kept_hands, "events": kept_events}
        number = {name: np.concatenate([[0], np.cumsum(rows)]).take for name, rows in kept.items()}
        kept["verdicts"] = kept_hands[self.verdicts.hand]
        for table in (self.wins, self.hand_draws, self.riichi_scores):
            kept[table.NAME] = kept_events[table.event]
        return self._part(kept, number, self.faults)

    def copied(self) -> Batch:
        """Return a batch that shares no memory with this one, of which it may be a small part."""
        copies = {table.NAME: table.rows(np.arange(len(table))) for table in self.tables()}
        return Batch(**copies)  # type: ignore[arg-type]

    def take(self, game: int) -> Batch:
        """Return a batch of one game (without faults). Raises IndexError where there is no such game."""
        games = self.games
        if not 0 <= game < len(games):
            raise IndexError(f"game {game} of a batch of {len(games)}")
        hands = slice(int(games.hand_begin[game]), int(games.hand_end[game]))
        events = slice(int(games.event_begin[game]), int(games.event_end[game]))

        def within(column: I32, bounds: slice) -> slice:
            return slice(*np.searchsorted(column, (bounds.start, bounds.stop)).tolist())

        chosen = {"games": slice(game, game + 1), "hands": hands, "events": events}
        number = {name: partial(np.add, -rows.start) for name, rows in chosen.items()}
        chosen["riichi_scores"] = within(self.riichi_scores.event, events)
        for table in (self.wins, self.hand_draws, self.verdicts):
            chosen[table.NAME] = within(table.game, chosen["games"])
        return self._part(chosen, number, Faults.empty())

    def _part(self, chosen: Mapping[str, Any], number: Mapping[str, Renumbering], faults: Faults) -> Batch:
        """Return chosen rows of each table, which point to the rows of other tables by new numbers."""
        tables: dict[str, Any] = {
            name: getattr(self, name).rows(rows).renumbered(number) for name, rows in chosen.items()
        }
        return Batch(**tables, faults=faults)


def rows_within(begins: I32, ends: I32) -> npt.NDArray[np.int64]:
    """Return the rows from each of ``begins`` to its end, one after the other.

    >>> rows_within(np.array([3, 10], np.int32), np.array([5, 11], np.int32)).tolist()
    [3, 4, 10]
    """
    lengths = (ends - begins).astype(np.int64)
    return np.repeat(begins - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())


def _spread(keep: npt.NDArray[np.bool_], begin: I32, end: I32, rows: int) -> npt.NDArray[np.bool_]:
    """Return a mask of the rows of another table that belong to games that are kept."""
    change = np.zeros(rows + 1, np.int64)
    np.add.at(change, begin[keep], 1)
    np.add.at(change, end[keep], -1)
    return np.cumsum(change)[:-1] > 0
