"""Decisions of a log played out: other walls and, if given, other hidden hands; simulated players go on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paifu.coach.belief.sight import Sight, sight_of
from paifu.coach.kernels.decision_layout import CHI, DAIMINKAN, PASS
from paifu.coach.kernels.play_out import Reached, play_out, reach
from paifu.coach.kernels.policy_inputs import Rivers
from paifu.coach.kernels.simulator_moves import Course
from paifu.coach.simulate.games import Desk, Player
from paifu.replay.arrays import I64, U8
from paifu.replay.course.settlement import hands_left
from paifu.replay.kernels.claims import EventClaims
from paifu.replay.kernels.review_layout import ReviewMemory
from paifu.replay.kernels.table_state import TableState
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.table.engine import claim_columns, claims_under

_CALLS = range(PASS, DAIMINKAN + 1)
NO_HANDS = np.zeros((0, 4, 13), np.uint8)
assert CHI in _CALLS  # noqa: S101  calls and the pass lie beside each other


class PlayOut:
    """Plays decisions of a batch's hands out, under one ruleset, with one kind of player at all seats."""

    def __init__(self, batch: Batch, rules: Ruleset, player: Player) -> None:
        """Raise ValueError for :meth:`~paifu.coach.simulate.games.Desk.seat`."""
        self.batch, self.rules = batch, rules
        self._hands = claims_under(rules, batch, np.arange(len(batch.hands)))
        self._events = EventClaims(*claim_columns(batch.events, EventClaims._fields))
        desk = Desk(rules)
        desk.seat([player])
        self._play, self._judge = desk.state, desk.judge or desk.new_judge()
        self._reached = Reached(
            TableState(), Course(), ReviewMemory(), Rivers(), *np.zeros((3, 136), np.uint8)
        )

    def points(
        self,
        hand: int,
        event: int,
        seat: int,
        choices: Sequence[tuple[int, int]],
        walls: I64,
        hidden: U8 = NO_HANDS,
    ) -> I64 | None:
        """Return what each seat has at the end of the hand: (choices, walls, 4) points.

        ``hand`` and ``event`` (a discard or kan; for calls and passes the discard on offer) are rows of the
        batch, ``choices`` are options (``coach.decisions.OptionKind``) with their tiles, ``walls`` (walls,)
        are numbers from 1 to 2147483646 of which each makes a wall and the luck of the players: the same
        number is the same luck for all choices. ``hidden`` (walls, 4, 13) are tiles that the other seats hold
        instead of those of the log, as many as they have. None where the log cannot be followed to the
        event, or a choice cannot be made there.
        """
        if not self.reach(hand, event, seat, choices[0][0]):
            return None
        play, judge, reached = self._play, self._judge, self._reached
        reached.table.whole[:], reached.record.whole[:] = play.table.whole, play.record.whole
        reached.memory.whole[:] = judge.desk.review.memory.whole
        reached.rivers.whole[:] = judge.rivers.whole
        points = np.zeros((len(choices), len(walls), 4), np.int64)
        for row, (option, tile) in enumerate(choices):
            ended = play_out(play, reached, seat, option, tile, hidden, walls, judge, points[row])
            if ended < len(walls):
                return None
        return points

    def reach(self, hand: int, event: int, seat: int, option: int) -> int:
        """Follow the log to a decision, see :meth:`points`; returns the event it is made before, 0 if not."""
        judge = self._judge
        kinds, stop = self.batch.events.kind, event
        if option in _CALLS:
            stop += 1
        elif kinds[event - 1] == EventKind.RIICHI and self.batch.events.seat[event - 1] == seat:
            stop -= 1
        judge.rivers.to_come = hands_left(self.rules, int(self.batch.hands.round[hand]))
        if not reach(self._play, self._hands, self._events, hand, stop, self._reached, judge):
            return 0
        return stop

    def sight(self, hand: int, event: int, seat: int, option: int) -> Sight | None:
        """Return what a seat sees at a decision, see :meth:`points`; None where it cannot be followed.

        Nor where a riichi was declared with the hand shown: beliefs know hidden hands only.
        """
        stop, table = self.reach(hand, event, seat, option), self._play.table
        if not stop or table.open_riichi.any():
            return None
        passed = self._judge.desk.review.memory.passed
        return sight_of(table, passed, self.batch, hand, stop, seat, self._play.rules)

    def hidden(self, seat: int) -> U8:
        """Return the (4, 13) tiles that the others really held at the decision that was reached last."""
        hands, held = np.zeros((4, 13), np.uint8), self._play.table.held
        for other in range(self.rules.table.players):
            if other != seat:
                tiles = np.repeat(np.arange(37), held[other])
                hands[other, : len(tiles)] = tiles
        return hands

    def before(self, seat: int) -> int:
        """Return what a seat had at the decision that was played out last, in points."""
        return int(self._reached.table.scores[seat])
