"""A position on the engine's table, and what the model of decisions says of its options."""

from __future__ import annotations

from paifu.replay.judgement.deciding import new_decisions, table_of
from paifu.replay.judgement.judged import Judgement, judge
from paifu.replay.judgement.model import Model
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.decision_at import options_at
from paifu.replay.kernels.rows import OPTION
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import kind_of
from paifu.replay.review.results import new_review, review_of
from paifu.replay.scoring.readings import MeldKind
from paifu.replay.shapes.tables import load_tables
from paifu.replay.solving.position import Position, full_wall
from paifu.replay.table.engine import new_scoring, new_table

_ROOM = 80
"""Options of one decision; no hand has as many."""
_ENOUGH = 25_000
"""Points for a riichi, if it is not known how many the player has."""


def judged(position: Position, model: Model) -> Judgement | None:
    """Return what the model says of the options of a position; None where there is but one.

    Of other players it knows discards and riichi. What lies in their melds counts as seen, but they have no
    melds; nor is it known what passed since a riichi. Whose discards are not known has made as many as the
    wall tells.
    """
    rules, seat = position.rules, position.seat_wind
    decide = new_decisions(_ROOM)
    review = review_of(new_review(Batch.empty(), 1), rules.table.players)
    shapes, scoring = load_tables(sanma=rules.table.players == 3), new_scoring(rules)
    rows = options_at(table_at(position), seat, rules.kernel(), shapes, scoring, review, decide)
    if rows < 2:
        return None
    decide.cells[0, OPTION.chosen] = 1  # a judgement compares with what was chosen: here, nothing
    return judge(table_of(decide.ids[:rows], decide.cells[:rows]), model, decide.cells[:rows])


def table_at(position: Position) -> state.TableState:
    """Return a table with a position on it; seats are winds."""
    table, rules, own = new_table(), position.rules, position.seat_wind
    table.phase = state.WAIT_ACT if position.has_drawn else state.WAIT_DISCARD
    table.turn = own
    table.wind, table.honba = position.round_wind, position.honba
    table.sticks, table.live = position.sticks, position.wall
    table.kuikae = position.forbidden
    table.unpaid = table.feeder = table.offender = state.NOBODY
    table.newest = state.NO_ID
    table.indicators[:] = state.NOBODY
    table.turned = len(position.indicators)
    for number, tile in enumerate(position.indicators):
        table.indicators[number] = kind_of(tile)
    table.scores[:] = _ENOUGH if position.points is None else position.points
    for tile in position.tiles:
        state.take(table, own, tile)
    for number, meld in enumerate(position.melds):
        table.meld_kinds[own, number], table.meld_types[own, number] = meld.first, meld.kind
        table.kans += meld.kind >= MeldKind.DAIMINKAN
        for tile in meld.tiles:
            table.melded[own, kind_of(tile)] += 1
            table.meld_reds[own] += tile >= 34
    table.meld_count[own] = len(position.melds)
    table.open_melds[own] = not position.closed
    table.kita[own] = position.kita
    turns = (full_wall(rules) - position.wall) // rules.table.players
    for wind in range(rules.table.players):
        table.drawn[wind] = state.NOBODY
        table.riichi[wind] = 2 * (wind in position.riichi)
        river = position.rivers[wind]
        table.discards[wind] = len(river) or turns
        for tile in river:
            table.river_kinds[wind] |= 1 << kind_of(tile)
            table.river[kind_of(tile)] += 1
    for tile in position.called:
        table.river[kind_of(tile)] -= 1
    for tile in position.seen:
        table.river[kind_of(tile)] += 1
    return table
