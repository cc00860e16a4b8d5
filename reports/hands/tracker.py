"""Tiles in front of each player during a hand, for display: closed tiles, melds, rivers.

This is not the rules engine. It checks nothing and follows whatever a log says: a hidden tile is removed in
place of a missing one, or none at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE, kind_of, sort_tiles
from paifu.replay.views.events import Event
from paifu.replay.views.games import Hand


@dataclass(slots=True)
class LaidMeld:
    """A meld as it lies on the table."""

    kind: EventKind
    tiles: list[int]
    """From left to right."""
    sideways: range
    """Positions of the sideways tiles, which show the seat the tile came from. Empty for a closed kan."""


@dataclass(slots=True)
class SeatState:
    """One player's tiles: 0-45, NO_TILE if hidden."""

    closed: list[int] = field(default_factory=list)
    """Sorted, without the tile just drawn."""
    drawn: int | None = None
    melds: list[LaidMeld] = field(default_factory=list)
    kita: int = 0
    """Norths set aside."""
    bonus: list[int] = field(default_factory=list)
    """Flowers and seasons set aside."""
    river: list[int] = field(default_factory=list)
    """All discards, including called ones."""

    def take(self, *tiles: int | None) -> None:
        """Remove tiles from the hand; the drawn tile joins the rest."""
        if self.drawn is None and not tiles:
            return
        have = self.all_closed()
        for tile in tiles:
            gone = NO_TILE if tile is None or tile not in have else tile
            if gone in have:
                have.remove(gone)
        self.closed, self.drawn = sort_tiles(have), None

    def all_closed(self) -> list[int]:
        """Closed tiles, the drawn one last."""
        return self.closed + ([] if self.drawn is None else [self.drawn])


class Tracker:
    """Follows the events of one hand. ``seats`` is always up to date with the last event applied."""

    def __init__(self, hand: Hand) -> None:
        dealt = ([NO_TILE if tile is None else tile for tile in tiles] for tiles in hand.dealt)
        self.seats = [SeatState(sort_tiles(tiles)) for tiles in dealt]

    def apply(self, event: Event) -> None:
        """Apply one event."""
        if event.seat is None or event.seat >= len(self.seats):
            return
        state = self.seats[event.seat]
        tile = NO_TILE if event.tile is None else event.tile
        match event.kind:
            case EventKind.DRAW:
                state.take()
                state.drawn = tile
            case EventKind.DISCARD:
                state.take(tile)
                state.river.append(tile)
            case EventKind.KITA:
                state.take(tile)
                state.kita += 1
            case EventKind.BONUS:
                state.take(tile)
                state.bonus.append(tile)
            case EventKind.CHI | EventKind.PON | EventKind.DAIMINKAN:
                state.take(*event.own)
                state.melds.append(_laid(event, [tile], event.own, len(self.seats)))
            case EventKind.ANKAN:
                state.take(tile, *event.own)
                tiles = sort_tiles([tile, *event.own])
                state.melds.append(LaidMeld(event.kind, tiles, range(0)))
            case EventKind.KAKAN:
                state.take(tile)
                self._add_to_pon(state, event, tile)
            case _:
                pass

    def _add_to_pon(self, state: SeatState, event: Event, tile: int) -> None:
        for meld in state.melds:
            if meld.kind == EventKind.PON and kind_of(meld.tiles[0]) == kind_of(tile):
                meld.kind = EventKind.KAKAN
                meld.tiles.insert(meld.sideways.stop, tile)
                meld.sideways = range(meld.sideways.start, meld.sideways.stop + 1)
                return
        state.melds.append(_laid(event, [*event.own[:1], tile], event.own[1:], len(self.seats)))


def _laid(event: Event, sideways: list[int], upright: tuple[int, ...], players: int) -> LaidMeld:
    """Lay a meld: the called tile is left, in the middle or right, like the seat it came from."""
    others = sort_tiles(upright)
    distance = ((event.source or 0) - (event.seat or 0)) % players
    at = {players - 1: 0, 1: len(others)}.get(distance, 1)
    return LaidMeld(event.kind, others[:at] + sideways + others[at:], range(at, at + len(sideways)))
