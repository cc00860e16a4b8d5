"""A decision of a log as the player saw it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from paifu.coach.solving.position import Position
from paifu.replay.errors import ArgumentError
from paifu.replay.kernels.legal import swap_calls
from paifu.replay.language import _
from paifu.replay.model.events import EventFlag, EventKind
from paifu.replay.model.tiles import NORTH, TILES, WINDS, kind_of
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.readings import CalledMeld, MeldKind
from paifu.replay.views.events import Event
from paifu.replay.views.games import Hand
from paifu.reports.hands.tracker import LaidMeld, SeatState, Tracker

_CALLS = (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN)


@dataclass(frozen=True, slots=True)
class Discarded:
    """A discard of a log, and the position before it."""

    position: Position
    event: Event
    declared: bool
    """It declared riichi."""


def position_at(hand: Hand, seat: int, turn: int, rules: Ruleset) -> Discarded:
    """Return the position before the ``turn``-th discard (from 1) of a seat.

    Raises ArgumentError if there is none, or none that leaves a choice.
    """
    place = _("{hand} turn {turn}, seat {seat}").format(hand=hand.label, turn=turn, seat=seat)
    before = list(_before(hand, seat, turn))
    tracker = Tracker(hand)
    for event in before[:-1]:
        tracker.apply(event)
    last = before[-1]
    declared = [event.seat for event in before if event.kind == EventKind.RIICHI]
    own = [event for event in before[:-1] if event.seat == seat and event.kind != EventKind.RIICHI]
    if seat in declared and not (before[-2].kind == EventKind.RIICHI and before[-2].seat == seat):
        raise ArgumentError(_("{place} is in riichi: there is nothing to choose").format(place=place))
    state = tracker.seats[seat]
    tiles = tuple(state.all_closed())
    if any(tile >= TILES for tile in tiles):
        text = _("{place}: the log does not show the tiles of this player")
        raise ArgumentError(text.format(place=place))
    dealer = hand.dealer or 0
    east = (dealer - (0 if rules.table.seat_winds_rotate else hand.round % len(WINDS))) % hand.players
    order = [(east + wind) % hand.players for wind in range(hand.players)]
    rivers = [_known(tracker.seats[at].river) for at in order]
    position = Position(
        rules=rules,
        tiles=tiles,
        melds=tuple(map(_meld, state.melds)),
        kita=state.kita,
        flowers=len(state.bonus),
        seat_wind=order.index(seat),
        round_wind=min(3, hand.round // 4),
        indicators=_indicators(hand, before),
        rivers=(*rivers, *((),) * (len(WINDS) - len(rivers))),
        called=_known(event.tile for event in before if event.kind in _CALLS),
        seen=tuple(_melded(other for at, other in enumerate(tracker.seats) if at != seat)),
        riichi=frozenset(order.index(at) for at in declared if at is not None and at != seat),
        honba=hand.honba,
        sticks=hand.sticks + _paid(before, rules),
        points=hand.scores[seat] if hand.scores else None,
        wall=rules.live_wall - sum(event.kind in (EventKind.DRAW, EventKind.BONUS) for event in before),
        forbidden=_forbidden(own[-1], rules),
        has_drawn=own[-1].kind == EventKind.DRAW,
    )
    return Discarded(position, last, seat in declared)


def _paid(before: list[Event], rules: Ruleset) -> int:
    """Count the sticks that were put down."""
    opened = {event.seat for event in before if EventFlag.OPEN in event.flags}
    paid = [event.seat for event in before if event.kind == EventKind.RIICHI_PAID]
    return sum(rules.riichi.open_riichi_sticks if seat in opened else 1 for seat in paid)


def _before(hand: Hand, seat: int, turn: int) -> Iterator[Event]:
    """Yield the events of a hand up to a discard, which is the last."""
    count = 0
    for event in hand.events:
        yield event
        count += event.kind == EventKind.DISCARD and event.seat == seat
        if count == turn:
            return
    text = _("seat {seat} discards {count} times in {hand}; there is no turn {turn}")
    raise ArgumentError(text.format(seat=seat, count=count, hand=hand.label, turn=turn))


def _known(tiles: Iterable[int | None]) -> tuple[int, ...]:
    return tuple(tile for tile in tiles if tile is not None and tile < TILES)


def _indicators(hand: Hand, before: Iterable[Event]) -> tuple[int, ...]:
    return _known([hand.dora, *(event.tile for event in before if event.kind == EventKind.DORA)])


def _melded(others: Iterable[SeatState]) -> Iterator[int]:
    for state in others:
        for meld in state.melds:
            yield from meld.tiles
        yield from (NORTH,) * state.kita


def _meld(meld: LaidMeld) -> CalledMeld:
    return CalledMeld(MeldKind(int(meld.kind)), tuple(meld.tiles))


def _forbidden(event: Event, rules: Ruleset) -> int:
    """Return the kinds that may not be discarded after an own event, as bits."""
    if event.kind not in _CALLS or event.tile is None:
        return 0
    kind = kind_of(event.tile)
    low = min(kind, *map(kind_of, event.own))
    return int(swap_calls(kind, low, event.kind == EventKind.CHI, rules.calls.kuikae))
