"""What the model says of options: sums of table look-ups, joined to points."""

from __future__ import annotations

import math
from typing import NamedTuple

from paifu.coach.kernels.decision_layout import ANKAN, NO_DANGER, PASS, SHOWS_RIICHI
from paifu.coach.kernels.option_rows import OPTION
from paifu.replay.kernels.arrays import F32, F32_2D, I32, I64, I64_2D, U8, U8_2D
from paifu.replay.kernels.review_layout import LEVELS
from paifu.replay.kernels.running import entry, kernel

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

# The neighbourhood of an option: what it has in common with options that players chose in the fitted games.
CELLS = (5, 3, 5, 4, 3, 3)
"""Shanten (4: more), threat (no, open hand, riichi), worst level of danger, sort of option (discard, pass,
call, own kan), third of the hand, shanten given up (2: more)."""
THIN = 100
"""Hands of players below which a neighbourhood says nothing."""


class ModelTables(NamedTuple):
    """The tables of a model."""

    begin: I64
    """(PARTS + 1,) where the terms of each part begin."""
    own: I64
    """(PARTS,) where those begin that are not the same for all options of a decision."""
    base: F32
    """(PARTS,) what the terms are added to."""
    terms: I64_2D
    """(terms, T_WIDTH)."""
    values: F32
    """All tables, one after the other."""


@kernel
def sum_of(cells: U8_2D, number: int, place: int, first: int, last: int, model: ModelTables) -> float:
    """Return the sum of some terms for a row, for the opponent at ``place`` if they ask for one."""
    total = 0.0
    for i in range(first, last):
        term = model.terms[i]
        at = int(cells[number, term[T_FIRST] + place * term[T_FIRST_EACH]])
        if term[T_SECOND] >= 0:
            at = at * term[T_SIZE] + int(cells[number, term[T_SECOND] + place * term[T_SECOND_EACH]])
        total += float(model.values[term[T_OFFSET] + at])
    return total


@kernel
def begin_rating(cells: U8_2D, number: int, model: ModelTables, shared: F32_2D) -> None:
    """Fill what all options of a decision share, of which ``number`` is a row: (PARTS, 3), by place."""
    for part in range(PARTS):
        for place in range(3 if part <= PAYMENT else 1):
            total = sum_of(cells, number, place, model.begin[part], model.own[part], model)
            shared[part, place] = float(model.base[part]) + total


@kernel
def part_of(cells: U8_2D, number: int, place: int, part: int, model: ModelTables, shared: F32_2D) -> float:
    """Return the sum of a part for a row, for the opponent at ``place`` if it asks for one."""
    own = sum_of(cells, number, place, model.own[part], model.begin[part + 1], model)
    return float(shared[part, place]) + own


@kernel
def share(score: float) -> float:
    """Return the share that a score on the logistic scale stands for."""
    return 1.0 / (1.0 + math.exp(-score))


@kernel
def judge_row(cells: U8_2D, number: int, model: ModelTables, shared: F32_2D, out: F32) -> None:
    """Fill the (V_SIZE,) answers for one row of a decision that :func:`begin_rating` began."""
    spared, now = 1.0, 0.0
    for place in range(3):
        if cells[number, OPTION.danger + place] == NO_DANGER:
            continue
        chance = share(part_of(cells, number, place, DEAL_IN, model, shared))
        now -= chance * part_of(cells, number, place, PAYMENT, model, shared)
        spared *= 1.0 - chance
    win = share(part_of(cells, number, 0, WIN, model, shared))
    later = share(part_of(cells, number, 0, LATER, model, shared))
    gain = part_of(cells, number, 0, GAIN, model, shared)
    out[V_NOW], out[V_WIN] = now, spared * win * gain
    out[V_LATER] = -spared * later * part_of(cells, number, 0, LATER_PAYMENT, model, shared)
    neither = max(0.0, 1.0 - win - later)
    out[V_OTHERWISE] = spared * neither * part_of(cells, number, 0, OTHERWISE, model, shared)
    out[V_TOTAL] = out[V_NOW] + out[V_WIN] + out[V_LATER] + out[V_OTHERWISE]
    out[V_DEAL_IN], out[V_CHANCE], out[V_GAIN] = 1.0 - spared, spared * win, gain


@kernel
def neighbourhood_of(row: U8, least: int) -> int:
    """Return the neighbourhood of an option where ``least`` is the least shanten of any."""
    threat = 2 if row[OPTION.riichi] else 1 if row[OPTION.open_threats] else 0
    worst = 0
    for place in range(3):
        # Against those in riichi, or else against the hands that show most.
        shown, sort = row[OPTION.shown + place], int(row[OPTION.danger + place])
        if sort != NO_DANGER and (shown == SHOWS_RIICHI if threat == 2 else threat == 1 and shown >= 2):
            worst = max(worst, LEVELS[sort])
    shanten, option = int(row[OPTION.shanten]), int(row[OPTION.option])
    sort = 0 if option < PASS else 1 if option == PASS else 2 if option < ANKAN else 3
    where = min(shanten, CELLS[0] - 1)
    for value, size in (
        (threat, CELLS[1]),
        (worst, CELLS[2]),
        (sort, CELLS[3]),
        (min(int(row[OPTION.left]) // 6, CELLS[4] - 1), CELLS[4]),
        (min(shanten - least, CELLS[5] - 1), CELLS[5]),
    ):
        where = where * size + value
    return where


@kernel
def end_of(cells: U8_2D, decision: I32, first: int) -> tuple[int, int]:
    """Return the row after the last of a decision, and the least shanten of its options."""
    last, least = first, 99
    while last < len(cells) and decision[last] == decision[first]:
        least = min(least, int(cells[last, OPTION.shanten]))
        last += 1
    return last, least


@entry
def place_rows(cells: U8_2D, decision: I32, where: I64) -> None:
    """Fill the neighbourhood of each row of ``Options``; those of a decision follow each other."""
    first = 0
    while first < len(cells):
        last, least = end_of(cells, decision, first)
        for number in range(first, last):
            where[number] = neighbourhood_of(cells[number], least)
        first = last


@entry
def judge_rows(cells: U8_2D, decision: I32, model: ModelTables, shared: F32_2D, answers: F32_2D) -> None:
    """Fill the (rows, V_SIZE) answers for rows of ``Options``; ``shared`` (PARTS, 3) is scratch."""
    first = 0
    while first < len(cells):
        last, _ = end_of(cells, decision, first)
        begin_rating(cells, first, model, shared)
        for number in range(first, last):
            judge_row(cells, number, model, shared, answers[number])
        first = last
