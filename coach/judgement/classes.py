"""Which finding a decision is, and what its class is decided by, as arrays over the decisions of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from paifu.coach.decisions import OpponentShows, OptionKind
from paifu.coach.judgement.judged import Judgement
from paifu.coach.judgement.match import chosen_shares
from paifu.coach.judgement.mistakes import KINDS
from paifu.coach.kernels import decision_model as kernels
from paifu.replay.arrays import F32, I64
from paifu.replay.kernels import codes
from paifu.replay.review.results import Danger

_CODES = {
    "pushing": (codes.RISKY_DISCARD,) * 2,
    "folding": (codes.EARLY_FOLD,) * 2,
    "efficiency": (codes.LESSER_DISCARD,) * 2,
    "riichi": (codes.RIICHI_WITHHELD, codes.RIICHI_DECLARED),
    "calls": (codes.CALL_PASSED, codes.POOR_CALL),
    "kans": (codes.KAN_PASSED, codes.POOR_KAN),
}
"""Codes by kind of decision: the option left out, or chosen, was the riichi, the call or the kan."""
_ACTS = {
    "riichi": (OptionKind.RIICHI,),
    "calls": (OptionKind.CHI, OptionKind.PON, OptionKind.DAIMINKAN),
    "kans": (OptionKind.ANKAN, OptionKind.KAKAN),
}


def codes_of(one: Judgement, kind: I64) -> I64:
    """Return the code of each decision's loss."""
    made = one.table.option[one.chosen]
    number = np.zeros(len(one), np.int64)
    for place, name in enumerate(KINDS):
        if_left_out, if_made = _CODES[name]
        acts = np.isin(made, _ACTS.get(name, ()))
        number = np.where(kind == place, np.where(acts, if_made, if_left_out), number)
    return number


def measures(one: Judgement, shares: F32 | None = None) -> dict[str, Any]:
    """Return what the classes of :mod:`paifu.coach.judgement.verdicts` are decided by, an array each.

    ``shares`` (rows,) says how likely strong players are to choose each option. Without it, all moves are
    taken for rare ones: it is asked only of decisions that may be mistakes then.
    """
    table, chosen, best = one.table, one.chosen, one.best
    risk = one.answers[:, kernels.V_DEAL_IN]
    of_tiles = np.append(np.where(table.option <= OptionKind.RIICHI, risk, np.inf), np.inf)
    bounds = np.stack([one.first, one.end], axis=1).ravel()  # the minima between decisions are left out
    return {
        "loss": one.loss,
        "risk": risk[chosen],
        "safest": np.minimum.reduceat(of_tiles, bounds)[::2] if len(one) else risk[chosen],
        "shanten": table.shanten[chosen],
        "live": table.accepted[chosen],
        "riichi": table.riichi[chosen],
        "genbutsu": (
            (table.shown[chosen] != OpponentShows.RIICHI) | (table.danger[chosen] == Danger.GENBUTSU)
        ).all(axis=1),
        "threats": table.riichi[chosen] + table.open_threats[chosen],
        "same_tile": table.tile[chosen] == table.tile[best],
        "share": np.zeros(len(one)) if shares is None else chosen_shares(one, shares),
    }
