"""Legal moves of positions beside a slow second implementation that shares nothing with the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from legal_oracle import Move, offered_moves, turn_moves
from scratch_state import OFFERS, Followed, K

from paifu.replay.model.tiles import kind_of
from paifu.replay.positions.moves import Move as Found
from paifu.replay.positions.moves import MoveKind, Reason
from paifu.replay.positions.position import Position
from paifu.replay.views.games import Hand

_BY_KIND = {MoveKind.PON: "pon", MoveKind.DAIMINKAN: "kan", MoveKind.ANKAN: "ankan", MoveKind.KAKAN: "kakan"}
_QUIET = (K.DORA, K.RIICHI_PAID, K.LEAVE, K.RETURN)


class SlowHand:
    """A hand stepped through by the plain reading of its history."""

    def __init__(self, position: Position) -> None:
        hand = position.hand
        self.position, self.at = position, 0
        self.state = Followed(hand, position.rules)
        self.furiten = [False] * hand.players

    def go_to(self, event: int) -> None:
        """Apply the events up to this one."""
        players = range(self.position.hand.players)
        for one in self.position.events[self.at : event]:
            if one.kind in OFFERS:
                self.furiten = [other != one.seat and self.state.in_furiten(other) for other in players]
            self.state.follow(one)
        self.at = event

    def is_furiten(self, seat: int) -> bool:
        """Return whether a seat may not win by ron: while a tile is on offer to it, as before that tile."""
        last = [event for event in self.position.events[: self.at] if event.kind not in _QUIET]
        if last and last[-1].kind in OFFERS and last[-1].seat != seat:
            return self.furiten[seat]
        return self.state.in_furiten(seat)

    def moves(self, seat: int) -> set[Move]:
        """Return what a seat may do, wins on an own draw and missing yaku left out."""
        before = self.position.events[: self.at]
        last = [event for event in before if event.kind not in _QUIET]
        if not last:
            return set()
        if last[-1].kind in (K.DRAW, K.CHI, K.PON, K.RIICHI):
            return set(turn_moves(self.state, seat)) if seat == last[-1].seat else set()
        if last[-1].kind in OFFERS and seat != last[-1].seat:
            return set(offered_moves(self.state, seat, self.furiten[seat]))
        return set()


def plain(move: Found) -> Move:
    """Return a move as the second implementation writes it: red fives and the order of copies left out."""
    if move.kind in (MoveKind.DISCARD, MoveKind.RIICHI):
        assert move.tile is not None
        return str(move.kind), move.tile
    if move.kind == MoveKind.KYUUSHU:
        return "nine", 0
    assert move.tile is not None
    kind = kind_of(move.tile)
    if move.kind == MoveKind.CHI:
        return "chi", min(kind, *map(kind_of, move.own))
    return _BY_KIND.get(move.kind, str(move.kind)), kind


def listed(position: Position, seat: int) -> set[Move]:
    """Return what a position lists, in the words of the second implementation, which knows no yaku."""
    moves = [move for move in position.legal(seat) if move.kind != MoveKind.TSUMO]
    moves += [
        one.move
        for one in position.refused(seat)
        if one.reasons == (Reason.NO_YAKU,) and one.move.kind == MoveKind.RON
    ]
    return set(map(plain, moves))


def compare(hand: Hand, events: Iterator[int] | None = None) -> Counter[str]:
    """Compare before each of some events, by default all; return how often each move was listed."""
    position, seen = Position(hand), Counter[str]()
    slow, end = SlowHand(position), len(position.events)
    while end and position.events[end - 1].kind in (K.WIN, K.HAND_DRAW):
        end -= 1
    for event in range(end + 1) if events is None else events:
        position.go_to(event)
        slow.go_to(event)
        for seat in range(hand.players):
            found = listed(position, seat)
            assert found == slow.moves(seat), f"{hand.label}, event {event}, seat {seat}"
            seen.update(name for name, _ in found)
            seen["seats"] += 1
            if position.seats[seat].drawn is None and len(position.seats[seat].closed) % 3 == 1:
                assert set(position.waits(seat)) == slow.state.waits(seat), f"{hand.label}, event {event}"
                in_furiten = slow.is_furiten(seat)
                assert position.furiten(seat) == in_furiten, f"{hand.label}, event {event}, seat {seat}"
        seen["positions"] += 1
    return seen
