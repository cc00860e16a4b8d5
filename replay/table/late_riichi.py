"""A riichi that a log states after the discard it was declared with: it is reported, and replayed in time.

No seat can declare a riichi when it has just discarded, so what is meant is plain. Without the exchange the
rest of the hand could not be followed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paifu.replay.arrays import I64
from paifu.replay.facts.tables import Findings
from paifu.replay.kernels import codes
from paifu.replay.kernels.reasons import DECLARED_LATE
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset


def late_riichi(batch: Batch, rulesets: Sequence[Ruleset]) -> I64:
    """Return the rows of events that declare a riichi right after a discard of the same seat.

    Not those that declare it once more.
    """
    kind, seat = batch.events.kind, batch.events.seat
    rows = np.flatnonzero(kind == EventKind.RIICHI)
    rows = rows[rows > 1]
    is_late = (kind[rows - 1] == EventKind.DISCARD) & (seat[rows - 1] == seat[rows])
    is_again = (kind[rows - 2] == EventKind.RIICHI) & (seat[rows - 2] == seat[rows])
    late = rows[is_late & ~is_again]
    hands = batch.hands_of(late)
    late, hands = late[hands >= 0], hands[hands >= 0]
    is_riichi = np.array([rules.game.scheme == Scheme.HAN_FU for rules in rulesets], np.bool_)
    found: I64 = late[(batch.hands_of(late - 1) == hands) & is_riichi[batch.hands.game[hands]]]
    return found


def in_time(order: I64, late: I64, events: int) -> I64:
    """Return the order of events (rows; empty: as they are) with each late riichi before its discard."""
    if not len(late):
        return order
    order = order.copy() if len(order) else np.arange(events)
    place = np.empty(events, np.int64)
    place[order] = np.arange(events)
    order[place[late]], order[place[late - 1]] = late - 1, late
    return order


def check_late_riichi(batch: Batch, late: I64) -> Findings:
    """Return a finding (V207) for each late riichi."""
    hands = batch.hands_of(late)
    return Findings.filled(
        len(late),
        code=codes.ILLEGAL_RIICHI,
        game=batch.hands.game[hands],
        hand=hands,
        event=late,
        seat=batch.events.seat[late],
        tile=batch.events.tile[late - 1],
        reason=DECLARED_LATE,
    )
