"""What the model of decisions says of the options of a position."""

from __future__ import annotations

from paifu.replay.judgement.deciding import new_decisions, table_of
from paifu.replay.judgement.judged import Judgement, judge
from paifu.replay.judgement.model import Model
from paifu.replay.kernels.decision_at import options_at
from paifu.replay.kernels.rows import OPTION
from paifu.replay.model.batch import Batch
from paifu.replay.review.results import new_review, review_of
from paifu.replay.shapes.tables import load_tables
from paifu.replay.solving.position import Position
from paifu.replay.table.engine import new_scoring

_ROOM = 80
"""Options of one decision; no hand has as many."""


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
    rows = options_at(position.table(), seat, rules.kernel(), shapes, scoring, review, decide)
    if rows < 2:
        return None
    decide.cells[0, OPTION.chosen] = 1  # a judgement compares with what was chosen: here, nothing
    return judge(table_of(decide.ids[:rows], decide.cells[:rows]), model, decide.cells[:rows])
