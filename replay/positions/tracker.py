"""What lies on the table during a hand, as the log says: hands, melds, rivers, indicators, scores, sticks.

This is not the rules engine. It checks nothing and follows whatever a log says: a hidden tile is removed in
place of a missing one, or none at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from paifu.replay.model.events import EventFlag, EventKind
from paifu.replay.model.tiles import NO_TILE, kind_of, sort_tiles
from paifu.replay.views.cells import Points
from paifu.replay.views.events import Event
from paifu.replay.views.games import Hand

CALLS = frozenset({EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN})
"""Calls of a discard."""
_OWN_MOVES = frozenset({EventKind.DRAW, EventKind.ANKAN, EventKind.KAKAN, EventKind.KITA, EventKind.BONUS})
_STICK = 1000
"""Cost of a riichi, for logs without scores."""


@dataclass(slots=True)
class LaidMeld:
    """A meld as it lies on the table."""

    kind: EventKind
    tiles: list[int]
    """From left to right."""
    sideways: range
    """Positions of the sideways tiles, which show the seat the tile came from. Empty for a closed kan."""


@dataclass(slots=True)
class RiverTile:
    """A discard and its marks."""

    tile: int
    """0-45, NO_TILE if hidden."""
    tsumogiri: bool = False
    """It was the tile just drawn."""
    riichi: bool = False
    """It declared riichi, and lies sideways."""
    called_by: int | None = None
    """The seat in whose meld it lies now."""


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
    river: list[RiverTile] = field(default_factory=list)
    """All discards, including called ones."""
    riichi: bool = False
    """Riichi is declared, paid or not."""
    open_riichi: bool = False
    """It was declared with the hand shown."""
    declares: bool = False
    """The next discard declares riichi."""

    def take(self, *tiles: int | None) -> None:
        """Remove tiles from the hand; the drawn tile joins the rest."""
        if self.drawn is None and not tiles:
            return
        have = self.all_closed()
        for tile in tiles:
            gone = tile if tile in have else NO_TILE
            if gone in have:
                have.remove(gone)
        self.closed, self.drawn = sort_tiles(have), None

    def all_closed(self) -> list[int]:
        """Closed tiles, the drawn one last."""
        return self.closed + ([] if self.drawn is None else [self.drawn])


class Tracker:
    """Follows the events of one hand. All attributes are up to date with the last event applied."""

    def __init__(self, hand: Hand) -> None:
        dealt = ([NO_TILE if tile is None else tile for tile in tiles] for tiles in hand.dealt)
        self._hand = hand
        self.seats = [SeatState(sort_tiles(tiles)) for tiles in dealt]
        self.indicators: list[int] = [] if hand.dora is None else [hand.dora]
        """Dora indicators that lie open, as far as they are known."""
        self.scores: list[int | None] = list(hand.scores)
        """By seat, sticks paid; None where the log states none."""
        self.sticks = hand.sticks
        """Riichi sticks on the table."""
        self.draws = 0
        """Tiles drawn, from either wall."""
        self.turn = hand.dealer
        """The seat that is to draw or to move; None when the hand is over."""

    def apply(self, event: Event) -> None:
        """Apply one event."""
        self._apply_to_table(event)
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
                state.river.append(RiverTile(tile, event.is_tsumogiri, state.declares))
                state.declares = False
                self.turn = (event.seat + 1) % len(self.seats)
            case EventKind.KITA:
                state.take(tile)
                state.kita += 1
            case EventKind.BONUS:
                state.take(tile)
                state.bonus.append(tile)
            case EventKind.CHI | EventKind.PON | EventKind.DAIMINKAN:
                state.take(*event.own)
                state.melds.append(_laid(event, [tile], event.own, len(self.seats)))
                self._mark_called(event, event.seat)
            case EventKind.ANKAN:
                state.take(tile, *event.own)
                tiles = sort_tiles([tile, *event.own])
                state.melds.append(LaidMeld(event.kind, tiles, range(0)))
            case EventKind.KAKAN:
                state.take(tile)
                self._add_to_pon(state, event, tile)
            case EventKind.RIICHI:
                state.riichi = state.declares = True
                state.open_riichi = EventFlag.OPEN in event.flags
            case EventKind.RIICHI_PAID:
                self._pay_riichi(event, event.seat)
            case _:
                pass

    def _apply_to_table(self, event: Event) -> None:
        """Apply what an event changes beside the tiles of its seat."""
        if event.kind in _OWN_MOVES or event.kind in CALLS:
            self.turn = event.seat
            self.draws += event.kind in (EventKind.DRAW, EventKind.BONUS)
        elif event.kind == EventKind.DORA and event.tile is not None:
            self.indicators.append(event.tile)
        elif event.kind == EventKind.WIN:
            self._settle_win(event)
        elif event.kind == EventKind.HAND_DRAW:
            self.turn = None
            if (drawn := self._hand.draw) is not None:
                self._settle(drawn.scores, drawn.deltas)

    def _mark_called(self, event: Event, seat: int) -> None:
        source = event.source
        if source is not None and source != seat and source < len(self.seats) and self.seats[source].river:
            self.seats[source].river[-1].called_by = seat

    def _pay_riichi(self, event: Event, seat: int) -> None:
        is_open = self.seats[seat].open_riichi
        number = self._hand.rules.riichi.open_riichi_sticks if is_open else 1
        self.sticks += number
        score = self.scores[seat]
        if event.scores is not None:
            self.scores = list(event.scores)
        elif score is not None:
            self.scores[seat] = score - number * _STICK

    def _settle_win(self, event: Event) -> None:
        self.turn = None
        for win in self._hand.wins:
            if win.event == event.index:
                self._settle(win.scores, win.deltas)
                self.sticks = 0

    def _settle(self, before: Points, deltas: Points) -> None:
        """Pay for the end of the hand as the log states it; not every format states the scores before."""
        for seat, (stated, delta) in enumerate(zip(before, deltas, strict=True)):
            score = self.scores[seat] if stated is None else stated
            self.scores[seat] = None if score is None else score + (delta or 0)

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
