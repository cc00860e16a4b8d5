"""The moves of a hand as a table for the terminal: one column per seat, one row per go-around.

A cell is one turn, ``3m→9s``: the tile drawn and the tile discarded. ``↓9s`` is a tsumogiri (the arrow is
known from printed records); a call takes the place of the draw. Rows read from left to right; a call that
goes back to the left starts a new row. So the tile called or won on is always the last one before it.

Seen from one seat (:class:`SeatView`), that seat's column comes first and shows its hand at each turn;
the others' draws are hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from rich.text import Text

from paifu.replay.language import _
from paifu.replay.model.events import EventFlag, EventKind
from paifu.replay.model.tiles import NO_TILE, kind_of, sort_tiles
from paifu.replay.positions.tracker import CALLS, Tracker
from paifu.replay.views.events import Event
from paifu.replay.views.games import Hand
from paifu.reports.terminal.text import (
    CALLED,
    DIM,
    RIICHI,
    WIN,
    hand_texts,
    meld_text,
    pad,
    tile_text,
    tiles_text,
)

WIDTH = 80
GUTTER = 3
"""Cells to the left of the columns, for the turn number."""
_OWN_WIDTH = 36
"""Width of the viewer's column: hand, draw, discard."""
_HAND_WIDTH = 17
"""Maximum width of thirteen tiles; shorter hands are padded, so that draws line up."""
_MOVE_WIDTH = 3
"""An arrow and a tile."""


@dataclass(frozen=True, slots=True)
class SeatColumns:
    """Which seat is in which column, and the widths of the columns (in cells, without the gap)."""

    seats: tuple[int, ...]
    widths: tuple[int, ...]
    viewer: int | None = None
    """Seat whose view is shown; None shows all hands."""

    @classmethod
    def of_all(cls, first: int, players: int) -> SeatColumns:
        """Return columns of equal width, in the order of turns from ``first``, the dealer."""
        width = (WIDTH - GUTTER) // players - 1
        return cls(tuple((first + step) % players for step in range(players)), (width,) * players)

    @classmethod
    def seen_by(cls, seat: int, players: int) -> SeatColumns:
        """Return columns with the viewer first, then the others in the order of turns."""
        others = tuple((seat + step) % players for step in range(1, players))
        width = (WIDTH - GUTTER - _OWN_WIDTH - 1) // len(others) - 1
        return cls((seat, *others), (_OWN_WIDTH,) + (width,) * len(others), seat)

    def line(self, cells: Sequence[Text], gutter: str = "") -> Text:
        """Return one line of the table."""
        line = Text().append(gutter.ljust(GUTTER), DIM)
        for cell, width in zip(cells, self.widths, strict=True):
            line.append_text(pad(cell, width + 1))
        line.rstrip()
        return line

    def lines(self, cells: Iterable[Sequence[Text]], gutter: str = "") -> list[Text]:
        """Return the lines of one row; a cell is a list of pieces and wraps if they do not fit."""
        wrapped = [wrap(pieces, width) for pieces, width in zip(cells, self.widths, strict=True)]
        rows = zip_longest(*wrapped, fillvalue=Text())
        return [self.line(row, "" if number else gutter) for number, row in enumerate(rows)]


def wrap(pieces: Iterable[Text], width: int, gap: str = " ") -> list[Text]:
    """Join pieces with ``gap``, starting a new line when the next one does not fit."""
    lines: list[Text] = []
    for piece in pieces:
        if lines and lines[-1].cell_len + len(gap) + piece.cell_len <= width:
            lines[-1] = Text.assemble(lines[-1], gap, piece)
        else:
            lines.append(piece.copy())
    return lines


@dataclass(slots=True)
class _Cell:
    """The current turn: pieces of text, some of which may still change."""

    pieces: list[Text] = field(default_factory=list)
    moves: int = 0
    """Number of pieces that are moves; the others are the viewer's hand."""
    drawn: Text | None = None
    """The last piece if it is the tile just drawn."""
    riichi: Text | None = None
    """The last piece if it is a riichi declaration still without its discard."""
    has_discarded: bool = False


class MoveTable:
    """Turns the events of a hand, one by one, into lines; ``tracker`` is up to date with the last event."""

    def __init__(self, hand: Hand, columns: SeatColumns) -> None:
        self.tracker = Tracker(hand)
        self._columns = columns
        self._row: dict[int, _Cell] = {}
        self._seat: int | None = None
        self._notes: list[Text] = []
        self._lines: list[Text] = []
        self._rows = 0
        self._number = ""
        self._column = len(columns.seats)
        """The column of the current turn."""
        self._in_river: tuple[Text, int] | None = None
        """The piece and offset of the tile that can be called or won on."""

    def finish(self) -> list[Text]:
        """Return all lines."""
        self._end_row()
        self._lines += self._notes
        return self._lines

    def note(self, text: Text) -> None:
        """Add a separate line after the current turn."""
        self._notes.append(text)

    def remark(self, text: Text) -> None:
        """Add words beside the latest move."""
        if self._seat in self._row:
            self._row[self._seat].pieces.append(text)

    def apply(self, event: Event) -> None:
        """Add one event. Events without a known seat and events that are not moves add nothing."""
        move = _MOVES.get(event.kind)
        if move is not None and event.seat is not None and event.seat < len(self._columns.seats):
            move(self, event.seat, event)
        self.tracker.apply(event)
        viewer = self._columns.viewer
        if event.kind in CALLS and viewer is not None and event.seat == viewer:
            self._show_hand(viewer, before=1)

    def _start_cell(self, seat: int) -> _Cell:
        """Start a turn of ``seat``, in a new row if play has gone round."""
        column = self._columns.seats.index(seat)
        has_gone_round = column <= self._column
        if self._notes or has_gone_round:
            self._end_row()
        if has_gone_round:
            self._rows += 1
            self._number = self._number_of_row(seat)
        self._column = column
        self._seat = seat
        self._row[seat] = _Cell()
        return self._row[seat]

    def _number_of_row(self, seat: int) -> str:
        """Return the row number: it counts go-arounds or, with a viewer, the viewer's turns."""
        viewer = self._columns.viewer
        if viewer is None:
            return f"{self._rows:2}"
        return f"{len(self.tracker.seats[seat].river) + 1:2}" if seat == viewer else ""

    def _cell(self, seat: int) -> _Cell:
        """Return the current turn if it is this seat's; otherwise (in an odd log) a new one."""
        return self._row[seat] if seat == self._seat and seat in self._row else self._start_cell(seat)

    def _end_row(self) -> None:
        if self._row:
            cells = [self._row[seat].pieces if seat in self._row else [] for seat in self._columns.seats]
            self._lines += self._columns.lines(cells, self._number)
        self._row = {}
        self._number = ""
        self._seat = None
        self._lines += self._notes
        self._notes = []

    def _show_hand(self, seat: int, *, before: int = 0) -> None:
        """Show the viewer's hand in its cell, ahead of the last ``before`` pieces."""
        state = self.tracker.seats[seat]
        width = self._columns.widths[0]
        closed = hand_texts(state.closed, width)
        shown = wrap([*closed, *map(meld_text, state.melds)], width, gap="")
        if shown:
            shown[-1] = pad(shown[-1], _HAND_WIDTH)
        pieces = self._cell(seat).pieces
        pieces[len(pieces) - before : len(pieces) - before] = shown

    def _is_hidden(self, seat: int) -> bool:
        return self._columns.viewer not in (None, seat)

    def _width(self, seat: int) -> int:
        return self._columns.widths[self._columns.seats.index(seat)]

    def _say(self, seat: int, piece: Text) -> _Cell:
        """Add a move to the current turn."""
        cell = self._cell(seat)
        cell.pieces.append(piece)
        cell.moves += 1
        cell.drawn = None
        return cell

    def _draw(self, seat: int, event: Event) -> None:
        cell = self._row.get(seat)
        if seat != self._seat or cell is None or cell.has_discarded:  # else it follows a kan or kita
            self._start_cell(seat)
            if seat == self._columns.viewer:
                self._show_hand(seat)
        if not self._is_hidden(seat):
            piece = tile_text(event.tile)
            self._say(seat, piece).drawn = piece

    def _discard(self, seat: int, event: Event) -> None:
        cell = self._cell(seat)
        if cell.riichi is not None:
            cell.pieces.pop()
        blank = "" if self._is_hidden(seat) or cell.moves > (cell.drawn is not None) else "  "
        if event.is_tsumogiri:
            if cell.drawn is not None:
                cell.pieces.pop()
            cell.pieces.append(Text(blank + "↓"))
        elif not cell.moves or cell.pieces[-1].cell_len + _MOVE_WIDTH > self._width(seat):
            cell.pieces.append(Text(blank + "→"))
        else:
            cell.pieces[-1].append("→")
        piece = cell.pieces[-1]
        self._in_river = piece, len(piece)
        piece.append_text(tile_text(event.tile))
        if event.is_tsumogiri:
            piece.stylize_before(DIM)
        if cell.riichi is not None:
            piece.stylize_before(RIICHI)
            cell.pieces.append(cell.riichi)
        cell.drawn = cell.riichi = None
        cell.moves += 1
        cell.has_discarded = True

    def _riichi(self, seat: int, event: Event) -> None:
        cell = self._cell(seat)
        cell.riichi = Text(_("open riichi") if EventFlag.OPEN in event.flags else _("riichi"), style=RIICHI)
        cell.pieces.append(cell.riichi)

    def _mark_river(self, style: str) -> None:
        if self._in_river is not None:
            piece, start = self._in_river
            piece.stylize(style, start, start + 2)
            self._in_river = None

    def _call(self, seat: int, event: Event) -> None:
        """Add a chi or pon: with its tiles, or without if the viewer's hand beside it shows them."""
        self._mark_river(CALLED)
        tiles = sort_tiles([_code(event.tile), *event.own])
        shown = Text() if seat == self._columns.viewer else Text(" ").append_text(tiles_text(tiles))
        self._start_cell(seat)
        self._say(seat, Text.assemble(_call_word(event), shown))

    def _kan(self, seat: int, event: Event) -> None:
        """Add a kan. One tile is enough; that of an added kan may be won on."""
        if event.kind == EventKind.DAIMINKAN:
            self._mark_river(CALLED)
            self._start_cell(seat)
        piece = Text.assemble(_call_word(event), " ")
        self._in_river = piece, len(piece)
        piece.append_text(tile_text(kind_of(_code(event.tile))))
        self._say(seat, piece)

    def _kita(self, seat: int, event: Event) -> None:
        self._in_river = None
        self._say(seat, Text.assemble(_call_word(event)))

    def _bonus(self, seat: int, event: Event) -> None:
        """Add a flower or season set aside; it takes the place of the tile just drawn, which it is."""
        cell = self._row.get(seat) if seat == self._seat else None
        if cell is not None and cell.drawn is not None:
            cell.pieces.pop()
        self._in_river = None
        self._say(seat, Text.assemble(("+", CALLED), tile_text(event.tile)))

    def _win(self, seat: int, event: Event) -> None:
        if event.source == seat:
            self._say(seat, Text(_("tsumo"), style=WIN))
            return
        self._mark_river(WIN)
        self._start_cell(seat).pieces.append(Text(_("ron"), style=WIN))
        if len(self._row) == 1:
            self._number = ""  # a separate row, but not a turn


_MOVES: dict[EventKind, Callable[[MoveTable, int, Event], None]] = {
    EventKind.DRAW: MoveTable._draw,
    EventKind.DISCARD: MoveTable._discard,
    EventKind.RIICHI: MoveTable._riichi,
    EventKind.CHI: MoveTable._call,
    EventKind.PON: MoveTable._call,
    EventKind.DAIMINKAN: MoveTable._kan,
    EventKind.ANKAN: MoveTable._kan,
    EventKind.KAKAN: MoveTable._kan,
    EventKind.KITA: MoveTable._kita,
    EventKind.BONUS: MoveTable._bonus,
    EventKind.WIN: MoveTable._win,
}


def _code(tile: int | None) -> int:
    return NO_TILE if tile is None else tile


def _call_word(event: Event) -> tuple[str, str]:
    """Return the name of a call, with a question mark if its place among the moves is uncertain."""
    word = "minkan" if event.kind == EventKind.DAIMINKAN else event.kind.name.lower()
    return _(word) + ("?" if event.is_order_uncertain else ""), CALLED
