"""A decision of a log as the player saw it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from paifu.coach.solving.position import NaniKiru
from paifu.replay.errors import ArgumentError
from paifu.replay.kernels.legal import swap_calls
from paifu.replay.language import _
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NORTH, TILES, WINDS, kind_of
from paifu.replay.positions.position import Position
from paifu.replay.positions.tracker import CALLS, RiverTile, SeatState
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.views.events import Event
from paifu.reports.hands.hand_in_words import called_meld


@dataclass(frozen=True, slots=True)
class Discarded:
    """A discard of a log, and the position before it."""

    position: NaniKiru
    event: Event
    turn: int
    """How many discards the seat has made with it."""
    declared: bool
    """It declared riichi."""


def discarded_at(moment: Position, seat: int) -> Discarded:
    """Return the discard that a seat makes next, and what the seat saw before it.

    Raises ArgumentError if the seat discards nothing next, or has no choice.
    """
    hand, rules, table = moment.hand, moment.rules, moment.seats
    state, coming = table[seat], moment.events[moment.event :][:2]
    turn = len(state.river) + 1
    place = _("{hand} turn {turn}, seat {seat}").format(hand=hand.label, turn=turn, seat=seat)
    declared = bool(coming) and coming[0].kind == EventKind.RIICHI
    made = coming[-1] if declared else next(iter(coming), None)
    if made is None or made.kind != EventKind.DISCARD or made.seat != seat:
        raise ArgumentError(_("seat {seat} does not discard at this event").format(seat=seat))
    if state.riichi:
        raise ArgumentError(_("{place} is in riichi: there is nothing to choose").format(place=place))
    tiles = tuple(state.all_closed())
    if any(tile >= TILES for tile in tiles):
        text = _("{place}: the log does not show the tiles of this player")
        raise ArgumentError(text.format(place=place))
    own = [event for event in moment.events[: moment.event] if event.seat == seat]
    dealer = hand.dealer or 0
    east = (dealer - (0 if rules.table.seat_winds_rotate else hand.round % len(WINDS))) % hand.players
    order = [(east + wind) % hand.players for wind in range(hand.players)]
    rivers = [_known(one.tile for one in table[at].river) for at in order]
    position = NaniKiru(
        rules=rules,
        tiles=tiles,
        melds=tuple(map(called_meld, state.melds)),
        kita=state.kita,
        flowers=len(state.bonus),
        seat_wind=order.index(seat),
        round_wind=min(3, hand.round // 4),
        indicators=_known(moment.indicators),
        rivers=(*rivers, *((),) * (len(WINDS) - len(rivers))),
        called=_known(one.tile for one in _thrown(table) if one.called_by is not None),
        seen=tuple(_melded(other for at, other in enumerate(table) if at != seat)),
        riichi=frozenset(order.index(at) for at, other in enumerate(table) if other.riichi),
        honba=hand.honba,
        sticks=moment.sticks,
        points=moment.scores[seat],
        wall=moment.wall,
        forbidden=_forbidden(own[-1], rules),
        has_drawn=own[-1].kind == EventKind.DRAW,
    )
    return Discarded(position, made, turn, declared)


def _thrown(table: Iterable[SeatState]) -> Iterator[RiverTile]:
    for state in table:
        yield from state.river


def _known(tiles: Iterable[int | None]) -> tuple[int, ...]:
    return tuple(tile for tile in tiles if tile is not None and tile < TILES)


def _melded(others: Iterable[SeatState]) -> Iterator[int]:
    for state in others:
        for meld in state.melds:
            yield from meld.tiles
        yield from (NORTH,) * state.kita


def _forbidden(event: Event, rules: Ruleset) -> int:
    """Return the kinds that may not be discarded after an own event, as bits."""
    if event.kind not in CALLS or event.tile is None:
        return 0
    kind = kind_of(event.tile)
    low = min(kind, *map(kind_of, event.own))
    return int(swap_calls(kind, low, event.kind == EventKind.CHI, rules.calls.kuikae))
