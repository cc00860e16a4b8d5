"""What the model of decisions and the policy say of the options of a position."""

from __future__ import annotations

from paifu.coach.judgement.deciding import new_decisions, table_of
from paifu.coach.judgement.judged import Judgement, judge
from paifu.coach.judgement.model import Model
from paifu.coach.judgement.policy import shipped_policy
from paifu.coach.judgement.policy_inputs import Boards
from paifu.coach.kernels import policy_inputs as inputs
from paifu.coach.kernels.decision_pass import options_at
from paifu.coach.kernels.option_rows import OPTION
from paifu.coach.kernels.policy_inputs import Rivers
from paifu.coach.solving.position import NaniKiru
from paifu.replay.arrays import F32
from paifu.replay.course.settlement import hands_left
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import kind_of

_POINTS = 25000
"""Points of all players, as far as the policy knows."""
_ROOM = 80
"""Options of one decision; no hand has as many."""


def judged(position: NaniKiru, model: Model) -> Judgement | None:
    """Return what the model says of the options of a position; None where there is but one.

    Of other players it knows discards and riichi. What lies in their melds counts as seen, but they have no
    melds; nor is it known what passed since a riichi. Whose discards are not known has made as many as the
    wall tells.
    """
    desk = new_decisions(position.rules, Batch.empty(), _ROOM)._replace(table=position.table())
    rows = options_at(desk, position.seat_wind)
    if rows < 2:
        return None
    desk.cells[0, OPTION.chosen] = 1  # a judgement compares with what was chosen: here, nothing
    return judge(table_of(desk.ids[:rows], desk.cells[:rows]), model, desk.cells[:rows])


def shares(position: NaniKiru, one: Judgement) -> F32 | None:
    """Return how likely strong players are to choose each option of a judged position; None without a policy.

    Rivers are read in order; where nothing is known of other players, neither their discards nor a riichi, it
    is the hand alone that counts. Tiles of others are taken to come from the hand, and a riichi to be new.
    """
    policy = shipped_policy(position.rules.table.players)
    return None if policy is None else policy.chances(_board(position), one.cells, one.first)


def _board(position: NaniKiru) -> Boards:
    own, rules, table, board = position.seat_wind, position.rules, position.table(), Boards.empty(1)
    rivers = Rivers(to_come=hands_left(rules, 4 * position.round_wind))
    for wind, river in enumerate(position.rivers[: rules.table.players]):
        of_seat = rivers.planes[:, wind]
        for turn, tile in enumerate(river, 1):
            kind = kind_of(tile)
            of_seat[[inputs.RIVER, inputs.FROM_HAND], kind] += 1
            of_seat[inputs.LAST, kind] = turn
            of_seat[inputs.FIRST, kind] = of_seat[inputs.FIRST, kind] or turn
        of_seat[inputs.SAFE] = of_seat[inputs.RIVER] > 0
        rivers.riichi[wind] = max(1, table.discards[wind]) if wind in position.riichi else 0
    for plane, tiles in ((inputs.CALLED, position.called), (inputs.RIVER, position.seen)):
        for tile in tiles:
            rivers.planes[plane, own, kind_of(tile)] += 1
    marks = board.marks[0]
    inputs.look(table, rivers, own, rules.kernel(), board.planes[0], board.held[0], marks)
    marks[inputs.SCORES : inputs.SCORES + 4] = _POINTS
    marks[inputs.KNOWN] = position.is_context
    return board
