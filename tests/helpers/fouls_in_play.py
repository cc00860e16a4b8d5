"""Games in which players commit fouls at random."""

from __future__ import annotations

from paifu.coach.kernels.simulator_choices import chance
from paifu.coach.kernels.simulator_moves import (
    PlayState,
    deal,
    end_without_winner,
    let_pass,
    make_discard,
    make_draw,
    make_foul,
    make_riichi,
    state_due,
)
from paifu.coach.kernels.simulator_play import abort_due
from paifu.coach.simulate.games import Simulator
from paifu.replay.kernels import legal
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.fouls import is_false_win
from paifu.replay.model.events import FOULS, HandEnd

_MOVES = (state.NOTEN_RIICHI, state.SPOILING_KAN, state.SWAPPED, state.DEAD_ACTS)
"""Fouls that moves show."""


class FoulSimulator(Simulator):
    """In every other hand, players discard what they draw, and commit the fouls that cost something."""

    often = 30
    """In how many turns of a thousand."""
    _played = 0

    def play(self) -> tuple[int, int]:
        """Play a hand, or commit fouls in it."""
        self._played += 1
        if self._played % 2 or not self.rules.kernel().fouls:
            return super().play()
        deal(self.desk.state)
        end = 0
        while not end:
            end = self._turn(self.desk.state)
        return end, 0

    def _turn(self, play: PlayState) -> int:
        """Play a turn; returns the HandEnd, 0 to go on."""
        table, record, rules = play.table, play.record, play.rules
        if not table.live or not make_draw(play):
            return int(end_without_winner(play, HandEnd.EXHAUSTIVE))
        seat = table.turn
        if chance(record, self.often):
            self._commit(play, seat)
        is_foul = legal.consequence(state.NOTEN_RIICHI, rules) and chance(record, self.often)
        if not table.due_cost:
            if is_foul and not legal.against_riichi(table, seat, rules):
                make_riichi(play, False)
            make_discard(play, int(record.drawn[seat]))
            state_due(play, 0)
        table.offender = table.due_seat if table.due_cost else legal.fouled(table, 0, rules)
        if table.offender != state.NOBODY:
            return int(end_without_winner(play, HandEnd.CHOMBO))
        let_pass(play)
        abort = abort_due(table, rules)
        return int(end_without_winner(play, abort)) if abort else 0

    def _commit(self, play: PlayState, seat: int) -> None:
        """Commit a foul that costs something: a false win, or one that no event shows."""
        table, rules = play.table, play.rules
        kinds = [kind for kind in range(FOULS) if kind not in _MOVES and legal.consequence(kind, rules)]
        if not is_false_win(table, seat, rules, play.scoring):
            kinds = [kind for kind in kinds if kind != state.FALSE_WIN]
        if kinds:
            make_foul(play, seat, kinds[play.record.random % len(kinds)], 0)
