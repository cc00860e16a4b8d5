"""The order of play, rebuilt from what tenhou.net/6 JSON gives: each player's own moves."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from paifu.parsers.errors import ParseError
from paifu.parsers.packed_events import seat_of
from paifu.parsers.tenhou6.moves import END, TURN
from paifu.replay.kernels import turn_order as turns
from paifu.replay.model.events import EventKind, pack

MAX_ATTEMPTS = 300
"""How many ways are tried before a hand is refused. Of 23,485 real hands none needs a second one."""


class LastTurn(NamedTuple):
    """The last turn of a hand."""

    seat: int
    tile: int
    """Code of the tile discarded or shown for a kan, or of the drawn one that is kept."""
    is_kept: bool
    is_riichi: bool


class ArrangedHand(NamedTuple):
    """The moves of a hand in the order of play."""

    words: list[int]
    """Their events, with the indicators turned after kans."""
    riichi: int
    """Seats that declare riichi, as bits."""
    last: LastTurn | None


@cache
def _room() -> tuple[turns.PlayersTurns, Callable[[], int]]:
    """Where hands are put in order, one after the other, and the call that does it."""
    most = turns.MAX_TURNS + 4
    room = turns.PlayersTurns(
        turns=np.zeros((most, turns.TURN_SIZE), np.int64),
        dora=np.zeros(turns.MAX_DORA, np.int64),
        facts=turns.TurnFacts(),
        branches=np.zeros((4 * most, turns.BRANCH_SIZE), np.int64),
        made=np.zeros(4, np.int64),
        order=np.zeros(most, np.int64),
        words=np.zeros(most * turns.TURN_SIZE, np.int64),
    )
    return room, turns.find_order.bound(room)


def arrange(moves: list[bytes], dealer: int, dora: bytes, *, at_once: bool) -> ArrangedHand:
    """Put the players' moves in the order of play, with the indicators that kans turn, as tile codes.

    With ``at_once`` those of open kans come after the kan, too. Raises ParseError if no order uses up all
    lists, or too many would have to be tried.
    """
    total = sum(map(len, moves)) // TURN.size
    if total > turns.MAX_TURNS:
        raise ParseError(f"the hand has more than {turns.MAX_TURNS} moves", code="V105")
    room, find = _room()
    text = END.join([*moves, b""])
    room.turns.data.cast("B")[: len(text)] = text
    facts = room.facts
    facts.players, facts.dealer, facts.at_once = len(moves), dealer, at_once
    facts.attempts, facts.indicators = MAX_ATTEMPTS, len(dora)
    for at, code in enumerate(dora):
        room.dora[at] = pack(EventKind.DORA, tile=code)
    count = find()
    if count == turns.TOO_MANY_WAYS:
        raise ParseError("the order of play could be rebuilt in too many ways")
    if count == turns.NO_ORDER:
        made = f"{facts.furthest} of {total}"
        raise ParseError(
            f"the players' moves fit together in no order; after {made} nobody can go on",
            hint="a call may name the wrong player or tile, or a tile be missing",
        )
    last = _last(text, facts.last) if total else None
    return ArrangedHand(room.words[:count].tolist(), facts.riichi, last)


def _last(text: bytes, row: int) -> LastTurn:
    _, _, _, tile, first, second, *_, paid = TURN.unpack_from(text, row * TURN.size)
    return LastTurn(seat_of(first), tile, not second and first & 31 == EventKind.DRAW, paid > 0)
