"""The points budget: where the points of a player's hands come from and go to, per 100 hands.

Each hand counts in one part, by how it ended for the player; the player's own lost riichi sticks are a part
of their own. The five parts add up to the score change.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from paifu.replay.arrays import Array
from paifu.replay.kernels.hand_result import Result
from paifu.reports.metrics.frames import HandRows
from paifu.reports.metrics.metric import Counted, Family

family = Family("budget", "Points budget", base="hands", higher=r"budget_\w+", signed=r"budget_\w+")

BUDGET_PARTS = MappingProxyType(
    {
        "budget_wins": "wins",
        "budget_deal_ins": "deal-ins",
        "budget_tsumo": "others' tsumo",
        "budget_draws": "draws",
        "budget_sticks": "lost riichi sticks",
        "budget_total": "in all",
    }
)
"""What figures and pages call the parts, and the whole."""
STICK = 1000
_PER_100: dict[str, Any] = {"unit": "points per 100 hands", "decimals": 0, "scale": 100}


def _lost_sticks(hands: HandRows) -> Any:
    """Return the points of the riichi sticks that the player did not get back."""
    return np.where(hands.stick_paid & ~hands.won, STICK, 0)


def _of(hands: HandRows, chosen: Any) -> Counted:
    points: Array = np.where(chosen, hands.change + _lost_sticks(hands), 0)
    return points


def _by_ron(hands: HandRows) -> Any:
    return (hands.result == Result.DEALT_IN) | (hands.result == Result.ASIDE)


@family.mean("points from wins", "points gained in hands won", **_PER_100)
def budget_wins(hands: HandRows) -> Counted:
    """Points gained per 100 hands in hands that the player won, with honba and riichi sticks."""
    return _of(hands, hands.won)


@family.mean("points from deal-ins", "points lost in hands dealt in", **_PER_100)
def budget_deal_ins(hands: HandRows) -> Counted:
    """Points lost per 100 hands by dealing in, or as a liable player, with honba; a negative number."""
    return _of(hands, _by_ron(hands) & ~hands.won)


@family.mean("points from others' tsumo", "points lost in hands lost to tsumo", **_PER_100)
def budget_tsumo(hands: HandRows) -> Counted:
    """Points lost per 100 hands to tsumo of other players, with honba; a negative number."""
    return _of(hands, hands.hit)


@family.mean("points from draws", "points gained or lost at draws", **_PER_100)
def budget_draws(hands: HandRows) -> Counted:
    """Points gained or lost per 100 hands that nobody won: tenpai, nagashi mangan, penalties."""
    return _of(hands, ~hands.won & ~hands.hit & ~_by_ron(hands))


@family.mean("points from lost riichi sticks", "points of lost riichi sticks", **_PER_100)
def budget_sticks(hands: HandRows) -> Counted:
    """Points lost per 100 hands by riichi sticks in hands that were not won; a negative number."""
    lost: Array = -_lost_sticks(hands)
    return lost


@family.mean("points in all", "points gained or lost", **_PER_100)
def budget_total(hands: HandRows) -> Counted:
    """Points gained or lost per 100 hands: wins, deal-ins, others' tsumo, draws, riichi sticks."""
    return hands.change
