"""What a log that hides tiles says of them all the same: by marks, by calls, and by what it shows later.

A tile drawn is known where it leaves the hand at once: a tsumogiri, a win by tsumo, and all that a riichi
lets go. Where the tiles of a hand are shown at the end, they are known as far back as no hidden draw may be
any of several tiles of the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from paifu.replay.arrays import I64, U8, Mask
from paifu.replay.kernels.claims import NEVER, Reveals
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import GIVES_TILE, EventFlag, EventKind
from paifu.replay.model.tiles import NO_TILE, NORTH, TILES

_CALLS = frozenset({EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN})


def uncover(batch: Batch, chosen: I64, known: Mask) -> tuple[U8, Reveals, Mask, Mask]:
    """Return what :class:`~paifu.replay.table.hidden.Uncovered` holds, where the hands ``chosen`` hide tiles.

    ``known``: (hands, 4) whether all tiles dealt to a seat are.
    """
    hands, events = batch.hands, batch.events
    tile, known = events.tile.copy(), known.copy()
    when = np.full((len(hands), 4), NEVER, np.int32)
    tiles = np.zeros((len(hands), 4, TILES), np.uint8)
    marked = np.append(0, np.cumsum(events.flags & EventFlag.TSUMOGIRI != 0))
    for hand in chosen.tolist():
        game = hands.game[hand]
        has_marks = marked[batch.games.event_begin[game]] < marked[batch.games.event_end[game]]
        rows = range(int(hands.event_begin[hand]), int(hands.event_end[hand]))
        _fill_draws(batch, rows, tile, bool(has_marks))
        for row in rows:
            if events.kind[row] == EventKind.DRAW and tile[row] == NO_TILE and events.seat[row] < 4:
                known[hand, events.seat[row]] = False
        for row, seat, held in _shown(batch, hand):
            if not known[hand, seat]:
                found = _traced(batch, tile, [r for r in rows if r < row and events.seat[r] == seat], held)
                if found is not None:
                    when[hand, seat] = row if found.event is None else found.event
                    tiles[hand, seat] = found.tiles
    turns = np.flatnonzero(np.isin(events.kind, (EventKind.DRAW, EventKind.DISCARD)))
    first = np.searchsorted(turns, hands.event_begin)
    is_told = first < np.searchsorted(turns, hands.event_end)
    begins_late = (hands.dealt == NO_TILE).all(axis=(1, 2))
    begins_late[is_told] &= events.seat[turns[first[is_told]]] != hands.dealer[is_told]
    return tile, Reveals(when, tiles), known, ~known.all(axis=1) & (~is_told | begins_late)


def _fill_draws(batch: Batch, rows: Iterable[int], tile: U8, has_marks: bool) -> None:
    """Fill in the hidden draws of a hand that leave it at once."""
    events = batch.events
    drawn: dict[int, int] = {}
    declared, locked = set[int](), set[int]()
    for row in rows:
        kind, seat = int(events.kind[row]), int(events.seat[row])
        if kind == EventKind.DRAW:
            drawn.pop(seat, None)
            if tile[row] == NO_TILE:
                drawn[seat] = row
        elif kind == EventKind.RIICHI:
            declared.add(seat)
        elif kind == EventKind.WIN and events.source[row] == seat and seat in drawn:
            tile[drawn.pop(seat)] = events.tile[row]
        elif kind in GIVES_TILE:
            if kind == EventKind.KITA and tile[row] == NO_TILE:
                tile[row] = NORTH
            before = drawn.pop(seat, None)
            is_marked = kind == EventKind.DISCARD and bool(events.flags[row] & EventFlag.TSUMOGIRI)
            is_due = seat in locked and not (kind == EventKind.DISCARD and has_marks)
            if before is not None and (is_marked or is_due):
                tile[before] = tile[row]
            if kind == EventKind.DISCARD and seat in declared:
                locked.add(seat)


def _shown(batch: Batch, hand: int) -> list[tuple[int, int, Counter[int]]]:
    """Return (event, seat, closed tiles before it) of the hands that the end of a hand shows."""
    found = []
    wins, draws = batch.wins, batch.hand_draws
    begin, end = np.searchsorted(wins.hand, (hand, hand + 1)).tolist()
    for win in range(begin, end):
        held = Counter(one for one in wins.tiles[win].tolist() if one != NO_TILE)
        if held and wins.source[win] != wins.seat[win]:
            held[int(wins.tile[win])] -= 1
        found.append((int(wins.event[win]), int(wins.seat[win]), held))
    begin, end = np.searchsorted(draws.hand, (hand, hand + 1)).tolist()
    for draw in range(begin, end):
        for seat in range(4):
            held = Counter(one for one in draws.shown[draw, seat].tolist() if one != NO_TILE)
            found.append((int(draws.event[draw]), seat, held))
    return [one for one in found if one[2].total() and one[1] < 4 and min(one[2].values()) >= 0]


class _Traced(NamedTuple):
    event: int | None
    """The first before which all tiles are known, -1 for the deal, None for the end of the hand."""
    tiles: I64


def _traced(batch: Batch, tile: U8, rows: list[int], held: Counter[int]) -> _Traced | None:
    """Go back over a seat's events (rows) from the tiles held at the end; None where they do not fit."""
    events, at = batch.events, None
    known = held.copy()
    for row in reversed(rows):
        kind = int(events.kind[row])
        gone = [int(one) for one in events.own[row] if one != NO_TILE] if kind in _CALLS else []
        if kind == EventKind.ANKAN:
            gone = [int(one) for one in events.own[row] if one != NO_TILE] + [int(tile[row])]
        elif kind in GIVES_TILE:
            gone = [int(tile[row])]
        if gone:
            held.update(gone)
            at, known = row, held.copy()
        elif kind == EventKind.DRAW:
            if tile[row] == NO_TILE:
                return _Traced(at, _counted(known))
            held[int(tile[row])] -= 1
            if held[int(tile[row])] < 0:
                return None
    return _Traced(-1, _counted(held))


def _counted(held: Counter[int]) -> I64:
    return np.array([held[one] for one in range(TILES)], np.int64)
