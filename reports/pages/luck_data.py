"""Luck and place chances of a game as plain data, for the stepper and for the chart below it.

The data of a game, ``luck``, are left out where luck is not measured:

- ``chances``: before each hand and after the last, by seat: percentages of the 1st to the last place;
  ``places``: the mean place, likewise. Both are empty under rules without place chances.
- ``luck``: points by hand and seat.
- ``turns``: the hands that changed a mean place most: ``h`` (position in ``hands``), ``s`` (whose place),
  ``e`` and ``w`` (event, null for the deal, and words of the moment of the greatest luck), ``o`` (whom it
  moved), ``l`` (by how many points).

A hand has ``luck``, too: its chance nodes that moved a seat by 1,000 points or more, each with ``e`` (event,
null for the deal) and ``l`` (points by seat).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paifu.replay.language import _
from paifu.replay.luck.views import BySeat, GameLuck, HandOfLuck, Node, NodeKind, mean_place
from paifu.replay.model.tiles import tile_name


def luck_data(luck: GameLuck, names: Sequence[str]) -> dict[str, Any]:
    """Return the luck of a whole game; ``names`` are printable."""
    boundaries = [hand.places for hand in luck.hands] + [luck.hands[-1].places_after]
    known = [seats for seats in boundaries if seats is not None]
    return {
        "chances": [[[round(100 * chance) for chance in one] for one in seats] for seats in known],
        "places": [[round(mean_place(one), 3) for one in seats] for seats in known],
        "luck": [_points(hand.luck) for hand in luck.hands],
        "turns": [_turn(hand, names) for hand in luck.turning_points()],
    }


def nodes_data(hand: HandOfLuck) -> list[dict[str, Any]]:
    """Return the chance nodes of a hand that are worth a word."""
    return [{"e": node.event, "l": _points(node.luck)} for node in hand.nodes if node.is_notable]


def _turn(hand: HandOfLuck, names: Sequence[str]) -> dict[str, Any]:
    moment = hand.moment
    moved = _largest(moment.luck)
    return {
        "h": hand.number,
        "s": _largest(hand.swing),
        "e": moment.event,
        "w": _words(moment, names),
        "o": moved,
        "l": round(moment.luck[moved]),
    }


def _words(node: Node, names: Sequence[str]) -> str:
    if node.kind == NodeKind.DEAL or node.seat is None:
        return _("deal")
    if node.kind == NodeKind.URA:
        return _("ura of {player}").format(player=names[node.seat])
    text = _("{player} draws {tile}") if node.kind == NodeKind.DRAW else _("kan dora of {player}")
    return text.format(player=names[node.seat], tile="" if node.tile is None else tile_name(node.tile))


def _largest(values: BySeat) -> int:
    return max(range(len(values)), key=lambda seat: abs(values[seat]))


def _points(luck: BySeat) -> list[int]:
    return list(map(round, luck))
