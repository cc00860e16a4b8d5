"""What the model says of options: sums of table look-ups, joined to points."""

from __future__ import annotations

import math
from typing import NamedTuple

from paifu.replay.kernels.arrays import F32, F32_2D, I64, I64_2D, U8_2D
from paifu.replay.kernels.decision_layout import NO_DANGER
from paifu.replay.kernels.jit import entry, kernel
from paifu.replay.kernels.rows import OPTION

# Parts of the model.
DEAL_IN, PAYMENT, WIN, GAIN, LATER, LATER_PAYMENT, OTHERWISE, PARTS = range(8)
"""Chance that an opponent wins the tile discarded, and what that costs; then, unless this tile is won: chance
to win the hand and points if so; chance to deal in later and points lost if so; points if neither happens."""
# Columns of a term.
T_FIRST, T_FIRST_EACH, T_SECOND, T_SECOND_EACH, T_SIZE, T_OFFSET, T_WIDTH = range(7)
"""FIRST, SECOND: cells of the row that index the table, SECOND -1 for none; EACH: 1 if the cell is one of
three, by opponent. SIZE: length of the table along SECOND. OFFSET: where it begins."""
# What is said of an option: columns of the answers.
V_TOTAL, V_NOW, V_WIN, V_LATER, V_OTHERWISE, V_DEAL_IN, V_CHANCE, V_GAIN, V_SIZE = range(9)
"""TOTAL: points expected from here to the end of the hand, the sum of NOW (this tile won by others), WIN,
LATER (a later deal-in) and OTHERWISE. Shares from 0 to 1: DEAL_IN with this tile, CHANCE to
win. GAIN: of a win."""


class ModelTables(NamedTuple):
    """The tables of a model."""

    begin: I64
    """(PARTS + 1,) where the terms of each part begin."""
    base: F32
    """(PARTS,) what the terms are added to."""
    terms: I64_2D
    """(terms, T_WIDTH)."""
    values: F32
    """All tables, one after the other."""


@kernel
def part_of(cells: U8_2D, number: int, place: int, part: int, model: ModelTables) -> float:
    """Return the sum of a part for a row, for the opponent at ``place`` if it asks for one."""
    total = float(model.base[part])
    for i in range(model.begin[part], model.begin[part + 1]):
        term = model.terms[i]
        at = int(cells[number, term[T_FIRST] + place * term[T_FIRST_EACH]])
        if term[T_SECOND] >= 0:
            at = at * term[T_SIZE] + int(cells[number, term[T_SECOND] + place * term[T_SECOND_EACH]])
        total += model.values[term[T_OFFSET] + at]
    return total


@kernel
def share(score: float) -> float:
    """Return the share that a score on the logistic scale stands for."""
    return 1.0 / (1.0 + math.exp(-score))


@entry
def judge_rows(cells: U8_2D, model: ModelTables, answers: F32_2D) -> None:
    """Fill the (rows, V_SIZE) answers for rows of ``Options``."""
    for number in range(len(cells)):
        spared, now = 1.0, 0.0
        for place in range(3):
            if cells[number, OPTION.danger + place] == NO_DANGER:
                continue
            chance = share(part_of(cells, number, place, DEAL_IN, model))
            now -= chance * part_of(cells, number, place, PAYMENT, model)
            spared *= 1.0 - chance
        win = share(part_of(cells, number, 0, WIN, model))
        later = share(part_of(cells, number, 0, LATER, model))
        gain = part_of(cells, number, 0, GAIN, model)
        out = answers[number]
        out[V_NOW], out[V_WIN] = now, spared * win * gain
        out[V_LATER] = -spared * later * part_of(cells, number, 0, LATER_PAYMENT, model)
        neither = max(0.0, 1.0 - win - later)
        out[V_OTHERWISE] = spared * neither * part_of(cells, number, 0, OTHERWISE, model)
        out[V_TOTAL] = out[V_NOW] + out[V_WIN] + out[V_LATER] + out[V_OTHERWISE]
        out[V_DEAL_IN], out[V_CHANCE], out[V_GAIN] = 1.0 - spared, spared * win, gain
