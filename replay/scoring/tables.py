"""A ruleset as the scoring kernels read it: its yaku as bit patterns, and its parameters."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from paifu.replay.arrays import I64
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.scoring import YakuTable
from paifu.replay.model.tiles import NORTH
from paifu.replay.rules.choices import Limits, NagashiValue, PaoCovers
from paifu.replay.rules.hand_facts import ALWAYS, FINISHED, YakuCondition, all_of, situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.limits import limit_of_han
from paifu.replay.scoring.yaku import IPPATSU_ID, Yaku, YakuKind, yaku_of


class ScoringTables(NamedTuple):
    """A ruleset as the scoring kernels read it."""

    patterns: YakuTable
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
        layout.FU_BASE: rules.scoring.fixed_fu or 20,
        layout.FU_CLOSED_RON: 10,
        layout.FU_TSUMO: 2,
        layout.FU_WAIT: 2,
        layout.FU_DRAGON_PAIR: 2,
        layout.FU_SEAT_PAIR: 2,
        layout.FU_ROUND_PAIR: 2,
        layout.FU_DOUBLE_PAIR: rules.scoring.double_wind_pair_fu,
        layout.FU_OPEN_WITHOUT: 10,
        layout.FU_SEVEN_PAIRS: rules.scoring.chiitoitsu_fu,
    }


_NAGASHI_BASES = {
    NagashiValue.MANGAN: 2000,
    NagashiValue.HANEMAN: 3000,
    NagashiValue.BAIMAN: 4000,
    NagashiValue.YAKUMAN: 8000,
}


def _in_order(rules: Ruleset) -> list[Yaku]:
    """Greater yaku before those they replace, and first of all the yakuman that somebody can be liable for.

    Where yakuman do not stack, the first of the most expensive ones counts.
    """
    greater_first = reversed(tuple(yaku_of(rules).values()))
    return sorted(greater_first, key=lambda yaku: yaku.pao is None or not rules[yaku.pao.rule])


@lru_cache(maxsize=1024)
def _all_of(*conditions: YakuCondition) -> YakuCondition:
    """Return what is true where all are; rulesets have most of their yaku in common."""
    return all_of(conditions)


@lru_cache(maxsize=256)
def scoring_tables(rules: Ruleset) -> ScoringTables:
    """Make the tables that score under ``rules``; the same object for equal rulesets."""
    rows: list[list[int]] = []
    for yaku in _in_order(rules):
        closed, open_ = yaku.han_under(rules)
        if yaku.kind == YakuKind.DORA or not (closed or open_):
            continue
        form = ALWAYS if yaku.without_pair else FINISHED
        condition = _all_of(yaku.condition, yaku.under(rules), form)
        worth = [(pattern, open_, closed) for pattern in condition.alternatives]
        if yaku.special is not None and yaku.special[1](rules) != (closed, open_):
            more_closed, more_open = yaku.special[1](rules)
            special = (condition & situation(yaku.special[0])).alternatives
            worth = [(pattern, more_open, more_closed) for pattern in special] + worth
        lesser = yaku.replaces + (() if rules.scoring.yakuman_base else yaku.contains)
        replaces = [sum(1 << i - first for i in lesser if first <= i < first + 64) for first in (0, 64)]
        end = len(rows) + len(worth)
        for pattern, open_, closed in worth:
            words = [bits for pair in zip(pattern.need, pattern.never, strict=True) for bits in pair]
            rows.append([*words, yaku.id, end, open_, closed, yaku.limit(rules), *replaces])
    params = np.zeros(layout.PARAMS, np.int64)
    for reason, points in _fu_points(rules).items():
        params[layout.PARAM_FU + reason] = points
    for han in range(layout.MAX_LIMIT_HAN + 1):
        params[layout.PARAM_LIMIT + han] = limit_of_han(han, rules)
    params[layout.PARAM_KIRIAGE] = rules.scoring.kiriage
    params[layout.PARAM_MIN_HAN] = rules.win.min_han
    params[layout.PARAM_TWO_HAN_HONBA] = rules.win.two_han_from_honba
    params[layout.PARAM_RINSHAN_FU] = rules.scoring.rinshan_tsumo_fu
    params[layout.PARAM_STACKING] = rules.yakuman.yakuman_stacking
    params[layout.PARAM_FORMS] = rules.forms
    params[layout.PARAM_FOUR_KANS_WIN] = not rules.yakuman.suukantsu_needs_pair
    params[layout.PARAM_HONBA] = rules.payment.honba_each
    params[layout.PARAM_STICK] = rules.riichi.riichi_stick
    params[layout.PARAM_PLAYERS] = rules.table.players
    params[layout.PARAM_SHARES] = rules.payment.sanma_tsumo if rules.table.players == 3 else 0
    params[layout.PARAM_PAO_ALL] = rules.pao.pao_covers == PaoCovers.ALL
    params[layout.PARAM_PAO_HONBA] = rules.pao.pao_honba
    params[layout.PARAM_PAO_AS_RON] = rules.pao.pao_tsumo
    params[layout.PARAM_RINSHAN_AS_RON] = rules.pao.pao_rinshan_tsumo
    params[layout.PARAM_WAREME_HONBA] = rules.payment.wareme_honba
    params[layout.PARAM_WAREME] = rules.payment.wareme_factor
    params[layout.PARAM_OPEN_PINFU] = rules.scoring.open_pinfu_fu
    params[layout.PARAM_FIXED_FU] = rules.scoring.fixed_fu
    params[layout.PARAM_UNIT] = rules.payment.payment_unit
    params[layout.PARAM_NAGASHI] = _NAGASHI_BASES[rules.draw.nagashi_value]
    params[layout.PARAM_DEALER] = rules.shares.dealer_factor
    params[layout.PARAM_BY_SHARES] = rules.payment.payment_by_shares
    params[layout.PARAM_NO_LIMITS] = rules.scoring.limits == Limits.NONE
    params[layout.PARAM_YAKUMAN] = rules.scoring.yakuman_base
    params[layout.PARAM_UNSETTLED] = 0 if rules.riichi.ippatsu_settles else 1 << IPPATSU_ID
    params[layout.PARAM_SETTLED] = rules.win.yaku_settled
    params[layout.PARAM_CHIIHOU_RON] = rules.scoring.chiihou_ron
    params[layout.PARAM_VALUES] = layout.DRAGONS | rules.calls.north_yakuhai << NORTH
    return ScoringTables(_with_fits(np.array(rows, np.int64)), params)


def _with_fits(rows: I64) -> YakuTable:
    """Add what a reading's words are looked up in to the patterns."""
    closed = 1 << layout.FACT_CLOSED
    rows[:, 2 * layout.WORD_TRIPLETS] |= np.where(rows[:, layout.PATTERN_OPEN] == 0, closed, 0)
    rows[:, 2 * layout.WORD_TRIPLETS + 1] |= np.where(rows[:, layout.PATTERN_CLOSED] == 0, closed, 0)
    # For each bit of a word, the patterns that need it, and those that it must not have.
    ones: I64 = 1 << np.arange(len(rows)).reshape(-1, 1, 1) % layout.PATTERNS_A_CELL
    bits = (rows[:, : 2 * layout.WORDS, None] >> np.arange(layout.PIECE * layout.PIECES) & 1) * ones
    cells = range(0, len(rows), layout.PATTERNS_A_CELL)
    held: I64 = np.add.reduceat(bits, cells).reshape(-1, layout.WORDS, 2, layout.PIECES, layout.PIECE)
    need, never = held[:, :, 0, :, :, None], held[:, :, 1, :, :, None]
    # What fits a piece is what fits the bits that it is made of.
    fits = np.add.reduceat(ones, cells)[..., None] | np.zeros_like(need[..., 0, :])
    for bit in range(layout.PIECE):
        fits = np.concatenate([fits & ~need[..., bit, :], fits & ~never[..., bit, :]], axis=-1)
    return YakuTable(rows, fits.reshape(len(fits), -1))
