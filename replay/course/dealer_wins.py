"""How often the dealer has won in a row: what the thirteenth dealer win asks for."""

from __future__ import annotations

import numpy as np

from paifu.replay.course.settlement import HandOutcome, HandStart
from paifu.replay.kernels.wins import is_rewarded
from paifu.replay.model.batch import Batch
from paifu.replay.rules.choices import DealerWinsBy
from paifu.replay.rules.ruleset import Ruleset

MOST = 255
"""Wins in a row that are counted; no rule asks for more than thirteen."""


def dealer_wins_before(batch: Batch, hand: int) -> int:
    """Count the hands right before one (a row of the batch) that its dealer dealt and won."""
    hands, wins = batch.hands, batch.wins
    dealer, first = int(hands.dealer[hand]), int(batch.games.hand_begin[hands.game[hand]])
    count = 0
    while hand - count > first and hands.dealer[hand - count - 1] == dealer:
        begin, end = np.searchsorted(wins.hand, (hand - count - 1, hand - count))
        if dealer not in wins.seat[begin:end]:
            break
        count += 1
    return min(count, MOST)


def has_won_in_a_row(rules: Ruleset, wins: int, honba: int, is_dealer: bool) -> bool:
    """Return whether a win earns the yaku for the dealer's wins in a row, this win being number ``wins``."""
    by_honba = rules.local.dealer_wins_by == DealerWinsBy.HONBA
    if not (is_dealer and rules.local.thirteen_dealer_wins_han if by_honba else wins):
        return False
    return bool(is_rewarded(wins - 1, honba, rules.kernel()))


def dealer_wins_after(wins: int, start: HandStart, end: HandOutcome, following: HandStart) -> int:
    """Return the dealer's wins in a row before the ``following`` hand, given those before ``start``."""
    has_won = start.dealer in end.winners and following.dealer == start.dealer
    return min(wins + 1, MOST) if has_won else 0
