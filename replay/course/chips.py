"""Chips: what wins bring besides points, and what they are worth at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from paifu.replay.arrays import I64
from paifu.replay.facts.tables import ScoredWins
from paifu.replay.kernels.rows import SCORED
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.limits import Limit


def chips_of_wins(rules: Ruleset, wins: Iterable[I64], liable: Sequence[int]) -> list[int]:
    """Return the chips that each seat has won or paid, below 0, in some wins.

    ``wins`` are rows of :class:`~paifu.replay.facts.tables.ScoredWins`, ``liable`` who is liable for each,
    a number that is not a seat for nobody.
    """
    chips = [0] * rules.table.players
    for win, bearer in zip(wins, liable, strict=True):
        winner, source = int(win[SCORED.seat]), int(win[SCORED.source])
        number = _worth(rules, win)
        payers = [seat for seat in range(len(chips)) if source in (seat, winner) and seat != winner]
        for seat in payers:
            chips[bearer if rules.chips.chips_liable and bearer < len(chips) else seat] -= number
            chips[winner] += number
    return chips


_ASKED = ("seat", "source", "yakuman", "limit", "is_open", "red", "ura", "situation")


def rows_of(scored: ScoredWins) -> I64:
    """Return rows of scored wins, as far as chips depend on them."""
    rows = np.zeros((len(scored), ScoredWins.cells()), np.int64)
    for name in _ASKED:
        rows[:, getattr(SCORED, name)] = getattr(scored, name)
    return rows


def _worth(rules: Ruleset, win: I64) -> int:
    """Chips that each payer of a win pays."""
    own, is_tsumo = rules.chips, win[SCORED.seat] == win[SCORED.source]
    yakuman = int(win[SCORED.yakuman])
    if not yakuman and own.chips_kazoe:
        yakuman = int(win[SCORED.limit] == Limit.YAKUMAN)
    reds = 0 if own.chips_red_closed and win[SCORED.is_open] else int(win[SCORED.red])
    return (
        own.chips_pochi * bool(int(win[SCORED.situation]) & Situation.POCHI)
        + own.chips_ippatsu * bool(int(win[SCORED.situation]) & Situation.IPPATSU)
        + own.chips_ura * int(win[SCORED.ura])
        + own.chips_red * reds
        + (own.chips_yakuman_tsumo if is_tsumo else own.chips_yakuman_ron) * yakuman
    )
