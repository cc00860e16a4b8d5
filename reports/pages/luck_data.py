"""Luck and place chances of a game as plain data, for the stepper and for the chart below it.

The data of a game, ``luck``, are left out where luck is not measured:

- ``chances``: before each hand and after the last, by seat: percentages of the 1st to the last place;
  ``places``: the mean place, likewise. Both are empty under rules without place chances.
- ``luck``: points by hand and seat.
- ``course``: by hand, ``e`` (events, null for the deal) and ``p`` (the mean places by seat after each).
- ``turns``: the hands that changed a mean place most: ``h`` (position in ``hands``), ``s`` (whose place),
  ``e`` and ``w`` (event, null for the deal, and words of the moment of the largest swing), ``o`` (whom it
  moved), ``f`` and ``t`` (that seat's mean place before and after it).

A hand has ``luck``, too: its chance nodes that moved a seat by 1,000 points or more, each with ``e`` (event,
null for the deal) and ``l`` (points by seat).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paifu.coach.luck.views import BySeat, GameLuck, HandOfLuck, mean_place
from paifu.replay.language import N_, _
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import tile_name
from paifu.replay.views.events import Event
from paifu.replay.views.games import Hand

_MOVES = {
    EventKind.DRAW: N_("{player} draws {tile}"),
    EventKind.DISCARD: N_("{player} discards {tile}"),
    EventKind.ANKAN: N_("{player} declares a closed kan of {tile}"),
    EventKind.KAKAN: N_("{player} adds {tile} to a pon for an added kan"),
    EventKind.DAIMINKAN: N_("{player} calls an open kan on {tile} from {other}"),
    EventKind.DORA: N_("New dora indicator: {tile}"),
    EventKind.WIN: N_("{player} wins by ron on {tile} from {other}"),
}
_TSUMO = N_("{player} wins by tsumo on {tile}")


def luck_data(luck: GameLuck, hands: Sequence[Hand], names: Sequence[str]) -> dict[str, Any]:
    """Return the luck of a whole game, whose ``hands`` are given; ``names`` are printable."""
    boundaries = [hand.places for hand in luck.hands] + [luck.hands[-1].places_after]
    known = [seats for seats in boundaries if seats is not None]
    return {
        "chances": [[[round(100 * chance) for chance in one] for one in seats] for seats in known],
        "places": [[round(mean_place(one), 3) for one in seats] for seats in known],
        "course": [_course(hand) for hand in luck.hands],
        "luck": [_points(hand.luck) for hand in luck.hands],
        "turns": [_turn(hand, hands[hand.number], names) for hand in luck.turning_points()],
    }


def _course(hand: HandOfLuck) -> dict[str, Any]:
    return {
        "e": [moment.event for moment in hand.moments],
        "p": [[round(mean_place(one), 2) for one in moment.places] for moment in hand.moments],
    }


def nodes_data(hand: HandOfLuck) -> list[dict[str, Any]]:
    """Return the chance nodes of a hand that are worth a word."""
    return [{"e": node.event, "l": _points(node.luck)} for node in hand.nodes if node.is_notable]


def _turn(hand: HandOfLuck, shown: Hand, names: Sequence[str]) -> dict[str, Any]:
    turn = hand.turn
    assert turn is not None  # noqa: S101  turning points have place chances
    moved = _largest(turn.swing)
    return {
        "h": hand.number,
        "s": _largest(hand.swing),
        "e": turn.event,
        "w": _words(None if turn.event is None else shown.events[turn.event], names),
        "o": moved,
        "f": round(mean_place(turn.places_before[moved]), 2),
        "t": round(mean_place(turn.places[moved]), 2),
    }


def _words(event: Event | None, names: Sequence[str]) -> str:
    if event is None:
        return _("deal")
    is_tsumo = event.kind == EventKind.WIN and event.source == event.seat
    text = _(_TSUMO if is_tsumo else _MOVES.get(event.kind, N_("The hand ends in a draw")))
    return text.format(
        player="" if event.seat is None else names[event.seat],
        other="" if event.source is None else names[event.source],
        tile="" if event.tile is None else tile_name(event.tile),
    )


def _largest(values: BySeat) -> int:
    return max(range(len(values)), key=lambda seat: abs(values[seat]))


def _points(luck: BySeat) -> list[int]:
    return list(map(round, luck))
