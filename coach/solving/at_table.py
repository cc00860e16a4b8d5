"""What the model of decisions and the policy say of the options of a position."""

from __future__ import annotations

import numpy as np

from paifu.coach.judgement.deciding import new_decisions, table_of
from paifu.coach.judgement.judged import Judgement, judge
from paifu.coach.judgement.model import Model
from paifu.coach.judgement.policy import shipped_policy
from paifu.coach.judgement.policy_inputs import LACKING, Boards
from paifu.coach.kernels import policy_inputs as inputs
from paifu.coach.kernels.decision_pass import options_at
from paifu.coach.kernels.option_rows import OPTION
from paifu.coach.solving.position import NaniKiru
from paifu.replay.arrays import F32
from paifu.replay.course.settlement import hands_left
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import NO_TILE, NORTH, TILES, kind_of
from paifu.replay.scoring.readings import MeldKind

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
    own, players = position.seat_wind, position.rules.table.players
    turns = (position.rules.live_wall - position.wall) // players
    board = Boards.empty(1)
    planes, marks = board.planes, board.marks
    marks[:] = NO_TILE
    marks[0, inputs.TURNS : inputs.TURNS + 4] = -1
    marks[0, inputs.RIICHI : inputs.RIICHI + 4] = 0
    for place in range(players):
        wind = (own + place) % players
        of_seat, river = planes[0, :, place], position.rivers[wind]
        for turn, tile in enumerate(river, 1):
            kind = kind_of(tile)
            of_seat[[inputs.RIVER, inputs.FROM_HAND], kind] += 1
            of_seat[inputs.LAST, kind] = turn
            of_seat[inputs.FIRST, kind] = of_seat[inputs.FIRST, kind] or turn
        of_seat[inputs.SAFE] = of_seat[inputs.RIVER] > 0
        marks[0, inputs.TURNS + place] = len(river) or turns
        marks[0, inputs.RIICHI + place] = max(1, len(river) or turns) if wind in position.riichi else 0
    for meld in position.melds:
        for tile in meld.tiles:
            planes[0, inputs.MELDED, 0, kind_of(tile)] += 1
    for tile in position.called:
        planes[0, inputs.CALLED, 0, kind_of(tile)] += 1
    for tile in position.seen:
        planes[0, inputs.RIVER, 0, kind_of(tile)] += 1
    planes[0, inputs.MELDED, 0, NORTH] += position.kita
    if players == 3:
        planes[0, inputs.RIVER, 0, LACKING] = 4
    board.held[0] = np.bincount(np.array(position.tiles), minlength=TILES)
    round_ = 4 * position.round_wind
    marks[0, [inputs.LEFT, inputs.ROUND, inputs.HONBA, inputs.STICKS]] = (
        position.wall, round_, position.honba, position.sticks,
    )  # fmt: skip
    marks[0, inputs.TO_COME] = hands_left(position.rules, round_)
    marks[0, inputs.SCORES : inputs.SCORES + 4] = _POINTS
    marks[0, inputs.MELDS : inputs.MELDS + 4] = 0
    marks[0, inputs.MELDS] = sum(meld.kind != MeldKind.ANKAN for meld in position.melds)
    marks[0, inputs.DEALER] = -own % players
    marks[0, inputs.SOURCE] = 0
    marks[0, inputs.KNOWN] = position.is_context
    marks[0, inputs.INDICATORS : inputs.INDICATORS + len(position.indicators)] = position.indicators
    return board
