"""What a log does not state of payments and scores, as the engine settles them from hand to hand.

What is stated stays, right or wrong. The rest follows from the hands that were replayed, so that the next
scores that the log does state, and the final result, can be compared with what leads there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I32, I64, Mask
from paifu.replay.kernels.replay import Settled
from paifu.replay.kernels.scoring_layout import ANY_RIICHI
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.table.replayed import NOTHING_UNSTATED, Unstated
from paifu.replay.table.stated import Ledger

UNTIMED = frozenset({"tenhou6", "tonpuusou"})
"""Formats that do not say when an indicator was turned."""


class Carried(NamedTuple):
    """A batch whose payments and scores are stated or, where they are not, settled by the engine."""

    batch: Batch
    unstated: Unstated


def carried(batch: Batch, ledger: Ledger, settled: Settled, changes: I64) -> Carried:
    """Fill in payments and scores at the start that the log does not state, as far as they follow.

    ``changes``: (wins, 4) what the engine makes of each win. The scores of a first hand stay unknown.
    """
    wins, draws, hands = batch.wins, batch.hand_draws, batch.hands
    open_wins = (wins.deltas == UNKNOWN_POINTS).any(axis=1)
    open_draws = (draws.deltas == UNKNOWN_POINTS).any(axis=1)
    open_scores = (hands.scores == UNKNOWN_POINTS).any(axis=1)
    if not (open_wins.any() or open_draws.any() or open_scores.any()):
        return Carried(batch, NOTHING_UNSTATED)
    known_wins = open_wins & (settled.wins == 1)
    known_draws = open_draws & (settled.draws[:, 4] == 1)
    of_wins = np.where(known_wins[:, None], changes, wins.deltas).astype(np.int32)
    of_draws = np.where(known_draws[:, None], settled.draws[:, :4], draws.deltas).astype(np.int32)
    batch = replace(batch, wins=replace(wins, deltas=of_wins), hand_draws=replace(draws, deltas=of_draws))
    unstated = Unstated(
        settled=int(known_wins.sum() + (known_draws & settled.draws[:, :4].any(axis=1)).sum()),
        unsettled=int((open_wins & ~known_wins).sum() + (open_draws & ~known_draws).sum()),
        unscored=int(open_scores.sum()),
    )
    scores = _scores(batch, ledger, open_scores)
    return Carried(replace(batch, hands=replace(hands, scores=scores)), unstated)


class EngineChanges(NamedTuple):
    """What the ends of hands change by the engine, where that is certain."""

    change: I64
    """(hands, 4)."""
    known: Mask
    """(hands,)."""


def engine_changes(batch: Batch, settled: Settled, changes: I64) -> EngineChanges:
    """Add up by hand what the engine makes of its wins or its draw; ``changes`` as in :func:`carried`."""
    change = np.zeros((len(batch.hands), 4), np.int64)
    known = batch.hands.end != HandEnd.UNFINISHED
    for claims, worth, certain in (
        (batch.wins, changes, settled.wins),
        (batch.hand_draws, settled.draws[:, :4], settled.draws[:, 4]),
    ):
        np.add.at(change, claims.hand, worth)
        known[claims.hand[certain == 0]] = False
    return EngineChanges(change, known)


def _scores(batch: Batch, ledger: Ledger, unknown: Mask) -> I32:
    """(hands, 4) scores at the start; those that the log does not state from the hand before."""
    hands = batch.hands
    scores: I32 = hands.scores.copy()
    if not unknown.any():
        return scores
    every = np.arange(len(hands))
    change = -ledger.stick[hands.game, None] * ledger.paid(every, hands.event_end - 1)
    follows = hands.end != HandEnd.UNFINISHED
    for claims in (batch.wins, batch.hand_draws):
        np.add.at(change, claims.hand, claims.deltas.astype(np.int64))
        follows[claims.hand[(claims.deltas == UNKNOWN_POINTS).any(axis=1)]] = False
    for hand in np.flatnonzero(unknown).tolist():
        before = hand - 1
        is_in_game = before >= 0 and hands.game[before] == hands.game[hand]
        if is_in_game and follows[before] and UNKNOWN_POINTS not in scores[before]:
            scores[hand] = scores[before] + change[before]
    return scores


def without_ura(batch: Batch, rulesets: Sequence[Ruleset], situation: npt.NDArray[Any]) -> Mask:
    """(wins,) whether a riichi wins that has ura dora by the rules, and the log shows no ura indicator.

    ``rulesets`` are by game, ``situation`` is the column of the scored wins.
    """
    wins = batch.wins
    has_ura = np.array([rules.dora.ura_dora for rules in rulesets], np.bool_)
    declared = situation & ANY_RIICHI != 0
    found: Mask = declared & has_ura[wins.game] & (wins.ura[:, 0] == NO_TILE)
    return found
