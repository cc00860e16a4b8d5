"""Games whose players are elsewhere: the table asks them, and makes only moves that break no rule.

What a player may not do, or does not say, is done for it: it discards the tile it drew, and passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from paifu.replay.course.settlement import HandStart
from paifu.replay.kernels import table_play
from paifu.replay.kernels import table_state as state
from paifu.replay.model.events import SEAT_SHIFT, SOURCE_SHIFT, EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import IDS, NO_TILE, NORTH
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.simulate.games import PlayedHand, WallGames
from paifu.replay.simulate.seat import Answer, SeatMove

_TILE_SHIFT, _OWN_SHIFTS = 11, (19, 27, 35)
_CALLS = (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN)
_ABORTS = (HandEnd.SUUFON, HandEnd.SUUCHA, HandEnd.SUUKAIKAN)
_THREE = 3


class Players(Protocol):
    """Those who play."""

    def begin_hand(
        self, start: HandStart, scores: Sequence[int], dealt: Sequence[Sequence[int]], dora: int
    ) -> None:
        """A hand begins; tiles are 0-36."""

    def tell(self, move: SeatMove) -> None:
        """A move has been made; its tiles are all there, also those that others must not see."""

    def ask(self, seats: Sequence[int]) -> Sequence[Answer | None]:
        """Ask seats what they do now; None where nothing of use was said."""

    def refuse(self, seat: int, answer: Answer) -> None:
        """A move was not allowed."""

    def end_hand(self, hand: PlayedHand) -> None:
        """A hand has ended."""


class DrivenGames(WallGames):
    """Plays games under one ruleset with players that are asked."""

    def __init__(self, rules: Ruleset, players: Players) -> None:
        super().__init__(rules)
        self.players = players
        desk = self.desk
        self._ask = np.zeros(table_play.AK_SIZE, np.int64)
        self._move = table_play.table_move.bound(
            desk.table, desk.hands, desk.supply, desk.record, self._ask, desk.tiles, desk.claims, desk.draws,
            desk.kernel_rules, desk.shapes, desk.scoring, desk.notes, desk.tries, desk.facts,
        )  # fmt: skip
        self._told = 0
        """Words of the record that the players know."""

    def _do(self, what: int, *details: int) -> int:
        """Have the kernel do something; 0 where it may not be done."""
        self._ask[0] = what
        self._ask[1 : 1 + len(details)] = details
        return int(self._move())

    # --- one hand -------------------------------------------------------------------------------------

    def hand_begins(self, start: HandStart, scores: Sequence[int]) -> None:
        """Tell the players what each is dealt."""
        supply = self.desk.supply
        dealt = [supply.tile_of[row].tolist() for row in supply.dealt[: self.rules.table.players]]
        self.players.begin_hand(start, scores, dealt, int(supply.tile_of[supply.indicators[0]]))

    def play_hand(self) -> tuple[int, int]:
        """Play the hand that was begun at the desk: (HandEnd, winners)."""
        desk, table = self.desk, self.desk.table
        self._do(table_play.DEAL)
        self._told = 0
        while not desk.notes.counts[0]:
            phase = table.phase
            if phase == state.WAIT_DRAW and table.live == 0:
                return self._end(HandEnd.EXHAUSTIVE)
            if phase == state.WAIT_SUPPLEMENT:
                if self._do(table_play.KAN_WINS) and self._wins([int(table.turn)]):
                    return HandEnd.WIN, 1
                if self._do(table_play.MAY_END, HandEnd.SUUKAIKAN):
                    return self._end(HandEnd.SUUKAIKAN)
            if phase in (state.WAIT_DRAW, state.WAIT_SUPPLEMENT):
                has_drawn = self._do(table_play.DRAW)
                self._tell()
                if not has_drawn:  # indicators took the last tiles of the wall
                    continue
            self._tell()
            end = self._own_turn() or self._others()
            if end:
                return end
        return HandEnd.UNFINISHED, 0

    def hand_ended(self, hand: PlayedHand) -> None:
        """Tell the players."""
        self.players.end_hand(hand)

    def _end(self, kind: HandEnd, offender: int = NO_TILE) -> tuple[int, int]:
        return self._do(table_play.END, kind, offender), 0

    def _tell(self) -> None:
        """Return what has been made since."""
        record = self.desk.record
        length = int(record.length)
        for word in record.words[self._told : length].tolist():
            if word & 31 != EventKind.FOUL:  # no protocol of players has a word for it
                self.players.tell(self._move_of(word))
        self._told = length

    def _move_of(self, word: int) -> SeatMove:
        tile_of, kind = self.desk.supply.tile_of, EventKind(word & 31)
        seat, source = word >> SEAT_SHIFT & 7, word >> SOURCE_SHIFT & 7
        number = word >> _TILE_SHIFT & 255
        own = tuple(int(tile_of[word >> shift & 255]) for shift in _OWN_SHIFTS)
        is_drawn = kind == EventKind.DISCARD and number == self._last_drawn
        if kind == EventKind.DRAW:
            self._last_drawn = number
        elif kind in _CALLS:
            self._last_drawn = NO_TILE
        return SeatMove(
            kind, seat, int(tile_of[number]), source, tuple(tile for tile in own if tile != NO_TILE),
            EventFlag.TSUMOGIRI if is_drawn else 0,
        )  # fmt: skip

    _last_drawn = NO_TILE
    """Id of the tile that was drawn last, if nothing was called since."""

    # --- the seat to move -----------------------------------------------------------------------------

    def _own_turn(self) -> tuple[int, int] | None:
        """Let the seat to move act, up to its discard or kan; the end of the hand, if it ends it."""
        table = self.desk.table
        seat = int(table.turn)
        answer = self.players.ask([seat])[0]
        if answer is not None and table.phase == state.WAIT_ACT:
            if answer.end == HandEnd.WIN and self._wins([seat]):
                return HandEnd.WIN, 1
            if answer.end == HandEnd.KYUUSHU and self._do(table_play.MAY_END, HandEnd.KYUUSHU):
                return self._end(HandEnd.KYUUSHU)
        if answer is not None and (answer.end or not answer.moves or not self._make(seat, answer.moves[0])):
            self.players.refuse(seat, answer)
            answer = None
        self._tell()
        if answer is not None and answer.moves[0].kind == EventKind.RIICHI:
            answer = self.players.ask([seat])[0]
            is_discard = answer is not None and answer.moves and answer.moves[0].kind == EventKind.DISCARD
            if answer is not None and not (is_discard and self._make(seat, answer.moves[0])):
                self.players.refuse(seat, answer)
                answer = None
        if answer is None:
            self._discard_something(seat)
        self._tell()
        return None

    def _make(self, seat: int, move: SeatMove) -> bool:
        """Make a move of the seat to move, if it may."""
        if move.kind == EventKind.RIICHI:
            return bool(self._do(table_play.RIICHI))
        tile = NORTH if move.kind == EventKind.KITA else move.tile
        number = self._held(seat, tile, is_drawn=bool(move.flags) or move.kind != EventKind.DISCARD)
        if number == NO_TILE:
            return False
        if move.kind == EventKind.DISCARD:
            return bool(self._do(table_play.DISCARD, number))
        if move.kind == EventKind.KITA:
            return bool(self._do(table_play.KITA, number))
        if move.kind in (EventKind.ANKAN, EventKind.KAKAN):
            return bool(self._do(table_play.KAN, move.kind, number))
        return False

    def _held(self, seat: int, tile: int, *, is_drawn: bool) -> int:
        """Return an id of a tile in a hand, NO_TILE for none: the one just drawn, or rather another."""
        record, tile_of = self.desk.record, self.desk.supply.tile_of
        drawn = int(record.drawn[seat])
        held = [int(number) for number in np.flatnonzero(record.holder == seat) if tile_of[number] == tile]
        if drawn in held and (is_drawn or len(held) == 1):
            return drawn
        return next((number for number in held if number != drawn), NO_TILE)

    def _discard_something(self, seat: int) -> None:
        """Discard for a player: the tile just drawn or, where it must not go, the last that may."""
        record = self.desk.record
        drawn = int(record.drawn[seat])
        held = np.flatnonzero(record.holder == seat)[::-1].tolist()
        for number in [drawn, *held]:
            if number < IDS and self._do(table_play.DISCARD, number):
                return
        raise AssertionError(f"seat {seat} has no tile that it may discard")

    # --- the others -----------------------------------------------------------------------------------

    def _others(self) -> tuple[int, int] | None:
        """Let the others win or call what is on offer; the end of the hand, if they end it."""
        table, players = self.desk.table, self.rules.table.players
        source = int(table.offer_seat)
        asked = self._do(table_play.ASKED)
        seats = [seat for turn in range(1, players) if asked >> (seat := (source + turn) % players) & 1]
        answers = list(zip(seats, self.players.ask(seats), strict=True)) if seats else []
        winners = [seat for seat, answer in answers if answer is not None and answer.end == HandEnd.WIN]
        number = self._wins(winners) if winners else 0
        if number == _THREE and self.rules.draw.abort_sanchahou:
            return self._end(HandEnd.SANCHAHOU)
        if number:
            return HandEnd.WIN, number
        fouled = self._do(table_play.FOULED)
        if fouled < players:
            return self._end(HandEnd.CHOMBO, fouled)
        self._do(table_play.PASS)
        self._tell()
        if table.phase != state.WAIT_DRAW:
            return None
        for kind in _ABORTS:
            if self._do(table_play.MAY_END, kind):
                return self._end(kind)
        self._call([(seat, answer) for seat, answer in answers if answer is not None and answer.moves])
        return None

    def _wins(self, seats: Sequence[int]) -> int:
        """Let seats win, in the order of their turns; returns how many do."""
        number, win = 0, self.rules.win
        for seat in reversed(seats) if win.head_bump and win.head_bump_farthest else seats:
            if number and win.head_bump:
                break
            if self._do(table_play.CLAIM, number, seat):
                number += 1
            else:
                self.players.refuse(seat, Answer(HandEnd.WIN, ()))
        if number and not (number == _THREE and self.rules.draw.abort_sanchahou):
            self._do(table_play.SETTLE, number)
        return number

    def _call(self, answers: Sequence[tuple[int, Answer]]) -> None:
        """Let one of the seats call the discard on offer: a pon or kan goes before a chi."""
        for seat, answer in sorted(answers, key=lambda pair: pair[1].moves[0].kind == EventKind.CHI):
            move = answer.moves[0]
            ids = self._ids(seat, move.own)
            count = 3 if move.kind == EventKind.DAIMINKAN else 2
            if move.kind in _CALLS and len(ids) == count:
                own = int.from_bytes(bytes([*ids, NO_TILE])[:3], "little")
                if self._do(table_play.CALL, move.kind, seat, own):
                    self._tell()
                    return
            self.players.refuse(seat, answer)

    def _ids(self, seat: int, tiles: Sequence[int]) -> list[int]:
        """Return ids of tiles in a hand, fewer where they are not there."""
        tile_of = self.desk.supply.tile_of
        free = np.flatnonzero(self.desk.record.holder == seat).tolist()
        ids: list[int] = []
        for tile in tiles:
            number = next((number for number in free if tile_of[number] == tile), None)
            if number is not None:
                free.remove(number)
                ids.append(number)
        return ids
