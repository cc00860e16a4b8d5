"""The order of play, rebuilt from what tenhou.net/6 JSON gives: each player's own moves.

Who moves next is known but for calls: after a discard the next player draws, unless somebody calls it. A
player whose next move calls this very tile from this player may be meant, or may be waiting for the same
player to discard the same tile once more. Nearly always only one of both lets every list be used up; where
both do, the earlier call is taken and marked as uncertain.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

from paifu.parsers._tenhou6_moves import CLOSED_KAN, DRAWS, END, STOPS, Move
from paifu.parsers.errors import ParseError
from paifu.replay.events import NO_SEAT, EventFlag, EventKind, pack

MAX_MOVES = 200
"""Of all players in a hand: more than the wall has tiles to draw and hands have room to call."""
MAX_STATES = 400
"""Situations with more than one possible next player that are looked into, before a hand is refused. Of
23,000 real hands the worst has fewer than ten."""

_UNCERTAIN = pack(EventKind.DRAW, flags=EventFlag.ORDER_UNCERTAIN) ^ pack(EventKind.DRAW)


class Reading(NamedTuple):
    """Moves in the order of play, and the numbers of those whose place is uncertain."""

    moves: list[Move]
    uncertain: list[int]


def arrange(moves: list[list[Move]], dealer: int, last: int) -> Reading:
    """Put the players' moves in the order of play.

    ``last`` is the seat that moves last, as the hand's result says, or NO_SEAT; a result that fits no
    order is ignored. Raises ParseError when no order uses up all lists, or too many would have to be tried.
    """
    if sum(map(len, moves)) > MAX_MOVES:
        raise ParseError(f"the hand has more than {MAX_MOVES} moves", code="V105")
    if not any(moves):
        return Reading([], [])
    start = [0] * len(moves)
    search = _Search(moves, last)
    if moves[dealer] and moves[dealer][0].wants == DRAWS:
        reading = search.read(dealer, start)
        if reading is None and last != NO_SEAT:
            search = _Search(moves, NO_SEAT)
            reading = search.read(dealer, start)
        if reading is not None:
            return reading
    raise ParseError(
        f"the players' moves fit together in no order; after {search.furthest} of {search.total} nobody"
        " can go on",
        hint="a call may name the wrong player or tile, or a tile be missing",
    )


def words_of(reading: Reading, dora: list[int], *, at_once: bool) -> list[int]:
    """Events of the moves, with the indicators turned after kans where Tenhou turns them.

    A closed kan's stands right behind the kan. An open or added kan's stands before the discard that
    follows, or behind the next kan or kita if the player shows one instead; with ``at_once`` it stands
    behind the kan as well. ``dora`` are those that the log states, as tile codes; any that no kan explains
    stand at the end.
    """
    if not dora and not reading.uncertain:
        return list(chain.from_iterable([move.words for move in reading.moves]))
    left = [pack(EventKind.DORA, tile=code) for code in reversed(dora)]
    words: list[int] = []
    owed = 0
    for number, move in enumerate(reading.moves):
        own = list(move.words)
        if number in reading.uncertain:
            own[0] |= _UNCERTAIN
        if owed and len(own) > 1:
            behind = 1 if move.offers >= 0 else 2
            own[behind:behind] = _turned(left, owed)
            owed = 0
        if move.kan == CLOSED_KAN or (move.kan and at_once):
            own += _turned(left, 1)
        elif move.kan:
            owed += 1
        words += own
    return words + _turned(left, len(left))


def _turned(left: list[int], count: int) -> list[int]:
    return [left.pop() for _ in range(min(count, len(left)))]


class _Search:
    """Depth first, calls before draws, every situation looked into once."""

    def __init__(self, moves: list[list[Move]], last: int) -> None:
        self.total = sum(map(len, moves))
        self.lists = [[*own, END] for own in moves]
        self.last = last
        self.known: dict[tuple[int, ...], Reading | None] = {}
        self.furthest = 0

    def read(self, seat: int, at: list[int]) -> Reading | None:
        """Read on from the move of ``seat``, with ``at`` moves of each player made; None if it fails."""
        lists = self.lists
        positions = list(at)
        heads = [own[i].wants for own, i in zip(lists, at, strict=True)]
        players = len(lists)
        order: list[Move] = []
        while True:
            position = positions[seat]
            move = lists[seat][position]
            positions[seat] = position = position + 1
            heads[seat] = lists[seat][position].wants
            order.append(move)
            offers = move.offers
            if offers in heads:
                callers = self._callers(seat, offers, positions, heads)
                if len(callers) != 1:
                    return self._choose(callers, order, positions)
                seat = callers[0]
            elif offers >= 0:
                seat = seat + 1 if seat + 1 < players else 0
                if heads[seat] != DRAWS:
                    return self._ended(order, positions)
            elif offers == STOPS or heads[seat] != DRAWS:
                return self._ended(order, positions)

    def _callers(self, seat: int, offers: int, positions: list[int], heads: list[int]) -> list[int]:
        """Who may move after this discard, in the order to be tried; empty if nobody can."""
        callers = [caller for caller, wants in enumerate(heads) if wants == offers]
        callers.sort(key=lambda caller: self._is_chi(caller, positions))
        if not any(move.offers == offers for move in self.lists[seat][positions[seat] :]):
            return callers if len(callers) == 1 else []
        following = (seat + 1) % len(heads)
        return [*callers, following] if heads[following] == DRAWS else callers

    def _is_chi(self, caller: int, positions: list[int]) -> bool:
        return self.lists[caller][positions[caller]].words[0] & 31 == EventKind.CHI

    def _choose(self, callers: list[int], order: list[Move], positions: list[int]) -> Reading | None:
        found: list[Reading] = []
        for caller in callers:
            state = (caller, *positions)
            if state not in self.known:
                if len(self.known) == MAX_STATES:
                    raise ParseError("the order of play could be rebuilt in too many ways")
                self.known[state] = None  # in progress: a state never leads back to itself
                self.known[state] = self.read(caller, positions)
            reading = self.known[state]
            if reading is not None:
                found.append(reading)
        if not found:
            return None
        moves, uncertain = found[0]
        if len(found) > 1:
            uncertain = [sum(positions), *uncertain]
        return Reading(order + moves, uncertain)

    def _ended(self, order: list[Move], positions: list[int]) -> Reading | None:
        made = sum(positions)
        if made == self.total and self.last in (NO_SEAT, order[-1].seat):
            return Reading(order, [])
        self.furthest = max(self.furthest, made)
        return None
