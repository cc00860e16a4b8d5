"""A player in one seat that chooses what the policy rates highest: what strong players would most likely do.

It decides among the options that the engine describes, as they are described for the policy of real
decisions. Wins, nine terminals, and whatever comes after its riichi are left to the player it is made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from paifu.replay.arrays import F32, I64, U8
from paifu.replay.course.settlement import HandStart
from paifu.replay.errors import ArgumentError
from paifu.replay.facts.decisions import OptionKind
from paifu.replay.judgement.policy import Policy, shipped_policy
from paifu.replay.judgement.policy_inputs import MARKS, PLANES, Boards, WatchedTable
from paifu.replay.kernels.rows import OPTION
from paifu.replay.language import _
from paifu.replay.model.events import EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import KINDS, NO_TILE, TILES, kind_of
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.simulate.games import POLICY, Player
from paifu.replay.simulate.seat import Answer, SeatMove, SeatPlayer

_KANS = {OptionKind.ANKAN: EventKind.ANKAN, OptionKind.KAKAN: EventKind.KAKAN}
_CALLS = {
    OptionKind.CHI: EventKind.CHI, OptionKind.PON: EventKind.PON, OptionKind.DAIMINKAN: EventKind.DAIMINKAN,
}  # fmt: skip


def seat_player(rules: Ruleset, player: Player, seed: int = 0) -> SeatPlayer:
    """Return a player in one seat of whatever kind. Raises ValueError where there is no model, or policy."""
    return PolicySeat(rules, seed) if player.model == POLICY.model else SeatPlayer(rules, player, seed)


def policy_for(players: int) -> Policy:
    """Return the policy for games of 3 or 4 players. Raises ArgumentError where none ships."""
    policy = shipped_policy(players)
    if policy is None:
        text = _("there is no policy for games with {players} players")
        raise ArgumentError(text.format(players=players))
    return policy


class RatesOptions(Protocol):
    """A policy, or what stands in for one."""

    def chances(self, at: Boards, cells: U8, first: I64) -> F32:
        """Return the chance of each option."""


class PolicySeat(SeatPlayer):
    """Plays by the policy in one seat."""

    def __init__(self, rules: Ruleset, seed: int = 0, policy: RatesOptions | None = None) -> None:
        """``policy`` is the one that comes with the package unless another is given.

        Raises ArgumentError where there is none for this number of players.
        """
        super().__init__(rules, POLICY, seed)
        self._policy: RatesOptions = policy or policy_for(rules.table.players)
        self._watched: WatchedTable | None = None
        self._pons: dict[int, tuple[int, ...]] = {}
        """Own pons by kind: the tile called, then the others."""

    def begin(
        self, seat: int, start: HandStart, scores: Sequence[int], dealt: Sequence[int], dora: int
    ) -> None:
        """Begin a hand; see :meth:`SeatPlayer.begin`."""
        super().begin(seat, start, scores, dealt, dora)
        self._watched = WatchedTable(
            self.rules, start, scores, [dealt if other == seat else () for other in range(4)], dora
        )
        self._pons = {}

    def follow(self, move: SeatMove) -> None:
        """Follow a move; see :meth:`SeatPlayer.follow`."""
        super().follow(move)
        if self.is_lost or self._watched is None:
            return
        if move.kind == EventKind.PON and move.seat == self.seat:
            self._pons[kind_of(move.tile)] = (move.tile, *move.own)
        self._watched.step(move.kind, move.seat, move.tile, move.source, list(move.own), move.flags)

    def choose(self) -> Answer:
        """Return what the player does now; to pass where it has nothing to decide."""
        mind = self._judge.decide.mind
        mind.rows = 0
        answer = super().choose()
        rows = int(mind.rows)
        if self.is_lost or answer.end or rows == 0 or self._desk.table.riichi[self.seat]:
            return answer
        cells = self._judge.decide.cells[:rows]
        row = cells[int(np.argmax(self._policy.chances(self._board(), cells, np.zeros(1, np.int64))))]
        moves = tuple(self._moves(OptionKind(row[OPTION.option]), int(row[OPTION.tile])))
        self._declared = moves[1] if len(moves) > 1 else None
        return Answer(HandEnd.UNFINISHED, moves)

    def _board(self) -> Boards:
        assert self._watched is not None  # noqa: S101  a hand has begun
        board = Boards(
            np.zeros((1, PLANES, 4, KINDS), np.uint8), np.zeros((1, TILES), np.uint8),
            np.zeros((1, MARKS), np.int32),
        )  # fmt: skip
        self._watched.seen_by(self.seat, board.planes[0], board.held[0], board.marks[0])
        return board

    def _moves(self, option: OptionKind, tile: int) -> Iterator[SeatMove]:
        """Yield the moves of an option; ``tile`` is the one discarded, or the lowest of a run."""
        me, table = self.seat, self._desk.table
        source, held = int(table.offer_seat), self._held()
        if option <= OptionKind.RIICHI:
            if option == OptionKind.RIICHI:
                yield SeatMove(EventKind.RIICHI, me)
            flags = EventFlag.TSUMOGIRI if int(table.drawn[me]) == tile else 0
            yield SeatMove(EventKind.DISCARD, me, tile, flags=flags)
        elif option in _KANS:
            first, *rest = [one for one in held if kind_of(one) == kind_of(tile)]
            own = tuple(rest) if option == OptionKind.ANKAN else self._pons.get(kind_of(tile), ())
            yield SeatMove(_KANS[option], me, first, NO_TILE, own)
        elif option in _CALLS:
            offered = int(table.offer_tile)
            kind = kind_of(offered)
            run = [number for number in range(tile, tile + 3) if number != kind]
            wanted = run if option == OptionKind.CHI else [kind] * (2 + (option == OptionKind.DAIMINKAN))
            own = ()
            for number in wanted:
                one = next(one for one in held if kind_of(one) == number)
                held.remove(one)
                own += (one,)
            yield SeatMove(_CALLS[option], me, offered, source, own)

    def _held(self) -> list[int]:
        """Return the seat's own tiles, red fives after others."""
        return [tile for tile in range(TILES) for _copy in range(int(self._desk.table.held[self.seat, tile]))]
