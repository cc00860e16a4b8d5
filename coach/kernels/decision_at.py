"""The options of one discard on a table that was set up by hand."""

from __future__ import annotations

from paifu.coach.kernels.decision_layout import DecisionState
from paifu.coach.kernels.decision_options import turn_options
from paifu.coach.kernels.decision_pass import begin_decision
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.review_hooks import threaten
from paifu.replay.kernels.review_layout import RIICHI_THREAT, ReviewState
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import entry
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.table_state import TableState
from paifu.replay.kernels.wins import Scoring


@entry
def options_at(
    table: TableState,
    seat: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    review: ReviewState,
    decide: DecisionState,
) -> int:
    """Write the options of a seat that is to discard, threatened by those in riichi; return how many."""
    for other in range(rules.players):
        review.memory.threat[other] = RIICHI_THREAT if table.riichi[other] else 0
    threaten(table, state.CHI, rules, review)
    begin_decision(decide)
    turn_options(table, seat, rules, shapes, scoring, review, decide)
    return int(decide.mind.rows)
