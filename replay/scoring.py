"""Scoring of a winning hand under a ruleset: yaku, han, fu with reasons, limit and payments.

``score`` is the checked way in for one hand; the replay engine calls ``score_kernel`` and
``payments_kernel`` itself, with the tables that ``scoring_tables`` makes once a ruleset.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay import _layout_kernels as layout
from paifu.replay.rules import Kazoe, PaoCovers, Ruleset, SanmaTsumo
from paifu.replay.yaku import YAKU, YakuKind

I64 = npt.NDArray[np.int64]


class ScoringTables(NamedTuple):
    """A ruleset as the scoring kernels read it."""

    patterns: I64
    """(n, PATTERN_SIZE): the enabled yaku's patterns, greater yaku before those they replace."""
    params: I64
    """(PARAMS,): fu for each reason, base points by han, single rules."""


def _fu_points(rules: Ruleset) -> dict[int, int]:
    """Fu of each reason, by its number."""
    triplets = {
        layout.FU_TRIPLET + concealed + 2 * outer + 4 * kan: 2 << concealed + outer + 2 * kan
        for concealed in (0, 1)
        for outer in (0, 1)
        for kan in (0, 1)
    }
    return triplets | {
        layout.FU_BASE: 20,
        layout.FU_CLOSED_RON: 10,
        layout.FU_TSUMO: 2,
        layout.FU_WAIT: 2,
        layout.FU_DRAGON_PAIR: 2,
        layout.FU_SEAT_PAIR: 2,
        layout.FU_ROUND_PAIR: 2,
        layout.FU_DOUBLE_PAIR: rules.double_wind_pair_fu,
        layout.FU_OPEN_WITHOUT: 10,
        layout.FU_SEVEN_PAIRS: rules.chiitoitsu_fu,
    }


def _limit_of_han(han: int, rules: Ruleset) -> int:
    """Base points of a hand of five han or more."""
    for least, base in ((13, layout.YAKUMAN), (11, 6000), (8, 4000), (6, 3000), (5, layout.MANGAN)):
        if han >= least and (base < layout.YAKUMAN or rules.kazoe == Kazoe.YAKUMAN):
            return base
    return 0


@lru_cache(maxsize=64)
def scoring_tables(rules: Ruleset) -> ScoringTables:
    """Make the tables that score under ``rules``; the same object for equal rulesets."""
    rows: list[list[int]] = []
    for yaku in reversed(tuple(YAKU.values())):
        closed, open_ = yaku.han_under(rules)
        if yaku.kind == YakuKind.DORA or not (closed or open_):
            continue
        alternatives = (yaku.condition & yaku.under(rules)).alternatives
        replaces = [
            sum(1 << i - first for i in yaku.replaces if first <= i < first + 64) for first in (0, 64)
        ]
        end = len(rows) + len(alternatives)
        for pattern in alternatives:
            words = [bits for pair in zip(pattern.need, pattern.never, strict=True) for bits in pair]
            rows.append([*words, yaku.id, end, open_, closed, yaku.limit(rules), *replaces])
    params = np.zeros(layout.PARAMS, np.int64)
    for reason, points in _fu_points(rules).items():
        params[layout.PARAM_FU + reason] = points
    for han in range(layout.MAX_LIMIT_HAN + 1):
        params[layout.PARAM_LIMIT + han] = _limit_of_han(han, rules)
    params[layout.PARAM_KIRIAGE] = rules.kiriage
    params[layout.PARAM_MIN_HAN] = rules.min_han
    params[layout.PARAM_TWO_HAN_HONBA] = rules.two_han_from_honba
    params[layout.PARAM_RINSHAN_FU] = rules.rinshan_tsumo_fu
    params[layout.PARAM_STACKING] = rules.yakuman_stacking
    params[layout.PARAM_IDENTICAL_PAIRS] = rules.chiitoitsu_identical_pairs
    params[layout.PARAM_FOUR_KANS_WIN] = not rules.suukantsu_needs_pair
    params[layout.PARAM_HONBA] = rules.honba_each
    params[layout.PARAM_STICK] = rules.riichi_stick
    params[layout.PARAM_PLAYERS] = rules.players
    params[layout.PARAM_SPLIT] = rules.players == 3 and rules.sanma_tsumo == SanmaTsumo.SPLIT
    params[layout.PARAM_PAO_ALL] = rules.pao_covers == PaoCovers.ALL
    return ScoringTables(np.array(rows, np.int64), params)
