"""What the policy reads of decisions of a batch: the checked caller of the kernels that look at the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from paifu.coach.decisions import OptionKind
from paifu.coach.kernels.policy_inputs import (
    CHANNELS,
    FEATURES,
    MARKS,
    PLANES,
    SCALARS,
    BestOptions,
    PolicyNumbers,
    Rivers,
    look_at_tables,
    read_decisions,
)
from paifu.replay.arrays import I32, I64, U8, Mask
from paifu.replay.course.settlement import hands_left
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import KINDS, TILES
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.shapes.tables import load_tables
from paifu.replay.table.engine import claims_under, events_of, new_notes, new_table
from paifu.replay.table.hidden import uncovered

CALLS = (OptionKind.PASS, OptionKind.CHI, OptionKind.PON, OptionKind.DAIMINKAN)


class Boards(NamedTuple):
    """The table at some decisions, as the player sees it; seats count from the player on."""

    planes: U8
    """(n, PLANES, 4, 34)."""
    held: U8
    """(n, 37) own concealed tiles."""
    marks: I32
    """(n, MARKS)."""

    @classmethod
    def empty(cls, number: int) -> Boards:
        """Return arrays for ``number`` decisions, to be filled in."""
        return cls(
            np.zeros((number, PLANES, 4, KINDS), np.uint8), np.zeros((number, TILES), np.uint8),
            np.zeros((number, MARKS), np.int32),
        )  # fmt: skip


def boards(
    batch: Batch, rulesets: Sequence[Ruleset], hand: I32, event: I32, seat: U8, is_call: Mask
) -> Boards:
    """Return the table at decisions of a batch: ``hand``, ``event`` and ``seat`` of each, in any order.

    A call (``is_call``) is decided after its event, the discard on offer; anything else before it.
    """
    found, known = Boards.empty(len(hand)), uncovered(batch)
    order, game = np.lexsort((is_call, event)), batch.hands.game[hand]
    groups: dict[Ruleset, list[int]] = {}
    for one in np.unique(game).tolist():
        groups.setdefault(rulesets[one], []).append(one)
    for rules, games in groups.items():
        chosen = order[np.isin(game[order], games)]
        hands = hand[chosen].astype(np.int64)
        rounds = batch.hands.round[hands]
        left = np.array([hands_left(rules, one) for one in range(rounds.max() + 1)])[rounds]
        look_at_tables(
            chosen, hand, event, seat, is_call.astype(np.uint8), left, claims_under(rules, batch, hands),
            events_of(batch, known), rules.kernel(), load_tables(sanma=rules.table.players == 3), new_table(),
            Rivers(), new_notes(64), *found,
        )  # fmt: skip
    return found


def new_numbers(decisions: int, rows: int) -> PolicyNumbers:
    """Return room for what the network reads of ``decisions``, which have ``rows`` options in all."""
    return PolicyNumbers(
        np.zeros((decisions, KINDS, CHANNELS), np.float32), np.zeros((decisions, SCALARS), np.float32),
        np.zeros((rows, FEATURES), np.float32), np.zeros((rows, 3), np.int64), np.zeros(rows, np.int64),
    )  # fmt: skip


def numbers_of(at: Boards, cells: U8, first: I64) -> PolicyNumbers:
    """Return the inputs of decisions; ``first`` (n,) says where the rows ``cells`` of each begin."""
    numbers = new_numbers(len(first), len(cells))
    read_decisions(at.planes, at.held, at.marks, cells, np.append(first, len(cells)), BestOptions(), numbers)
    return numbers
