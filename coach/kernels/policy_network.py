"""The network of the policy: how likely strong players are to choose each option of a decision.

It looks at a kind with its neighbours, at its suit, and at all kinds; suits share their weights. Each option
is then rated beside the others. Much of what it multiplies is 0, above all of what it reads: there, products
add up the rows of weights of what is not. They do so for a fixed number of columns at a time, whose sums stay
in registers: ``APART`` of :mod:`paifu.replay.kernels.collecting` lets the compiler see that they can.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from paifu.coach.kernels.policy_inputs import (
    DRAWN,
    BestOptions,
    PolicyNumbers,
    find_best,
    read_kinds,
    read_options,
    read_table,
)
from paifu.replay.kernels.arrays import F32, F32_2D, F32_3D, I32, I32_2D, I64, U8, U8_2D, U8_3D, U8_4D, U16
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.scoring import bit_count

GROUPS, RANKS = 4, 9
"""Suits and honours, whose kinds begin every RANKS."""
ALONE, TOGETHER = 64, 32
"""Columns of a matrix that are added up at a time, of one row and of three. Widths are multiples of ALONE."""


class Weights(NamedTuple):
    """What was fitted. Matrices have a row for each number that goes in; see ``bench/fit_policy.py``."""

    into: F32_2D
    """(5 CHANNELS, width) of a kind two before, one before, itself, one and two after."""
    into_table: F32_2D
    into_bias: F32
    near: F32_3D
    """(layers, 3 width, width); the five that follow have as many layers, too."""
    suit: F32_3D
    """Of mean and most of a suit, or of the honours."""
    rank: F32_3D
    """Of the mean of the three kinds of a number."""
    mean: F32_3D
    """Of the mean of all kinds, and of the table."""
    bias: F32_2D
    out: F32_3D
    whole: F32_2D
    """Of mean and most of all kinds, and of the table."""
    whole_bias: F32
    of_whole: F32_2D
    option_bias: F32
    kind: F32_2D
    """Of the kind that an option is about."""
    feature: F32_2D
    danger: F32_2D
    """(DANGERS, options) what each sort of danger adds."""
    last: F32_2D
    last_mean: F32_2D
    """Of the mean of all options."""
    last_most: F32_2D
    last_bias: F32
    score: F32


class Scratch(NamedTuple):
    """Where the network keeps what it works out."""

    numbers: PolicyNumbers
    """Of one decision."""
    best: BestOptions
    kinds: F32_2D
    """(34, width)."""
    inner: F32_2D
    groups: F32_2D
    """(GROUPS, 2 width) mean and most."""
    given: F32
    """What goes into a layer of the whole table."""
    added: F32_2D
    """(GROUPS + RANKS + 1, width) what groups, numbers and the whole table add to a kind."""
    whole: F32
    option: F32
    options: F32_2D
    """(most, options)."""
    last: F32_2D
    """(2, last)."""
    places: U16
    """What is not 0 of what goes in."""


@kernel
def put(x: F32, out: F32) -> None:
    """Copy some numbers."""
    for at in range(len(x)):
        out[at] = x[at]


@kernel
def find_set(x: F32, places: U16) -> int:
    """Write where ``x`` is not 0, and return how often."""
    number = 0
    for at in range(len(x)):
        places[number] = at
        number += x[at] != 0
    return number


@kernel
def add_alone(x: F32, places: U16, number: int, weights: F32_2D, column: int, out: F32) -> None:
    """Add what :func:`add_rows` does, from a column on."""
    for at in range(number):
        own, row = x[places[at]], weights[places[at], column:]
        for j in range(ALONE):
            out[j] += own * row[j]


@kernel
def add_rows(x: F32, places: U16, number: int, weights: F32_2D, out: F32) -> None:
    """Add ``x`` times the rows of ``weights`` at ``number`` places."""
    for column in range(0, len(out), ALONE):
        add_alone(x, places, number, weights, column, out[column:])


@kernel
def add_product(x: F32, weights: F32_2D, places: U16, out: F32) -> None:
    """Add ``x`` times a matrix."""
    add_rows(x, places, find_set(x, places), weights, out)


@kernel
def add_full(x: F32, weights: F32_2D, out: F32) -> None:
    """Add ``x``, of which little is 0, times a matrix of ALONE columns."""
    for at in range(len(weights)):
        own, row = x[at], weights[at]
        for j in range(ALONE):
            out[j] += own * row[j]


@kernel
def add_three(
    x0: F32, x1: F32, x2: F32, weights: F32_2D, column: int, out0: F32, out1: F32, out2: F32
) -> None:
    """Add three rows times a matrix, from a column on."""
    for at in range(len(weights)):
        own0, own1, own2, row = x0[at], x1[at], x2[at], weights[at, column:]
        for j in range(TOGETHER):
            out0[j] += own0 * row[j]
            out1[j] += own1 * row[j]
            out2[j] += own2 * row[j]


@kernel
def add_products(x: F32_2D, weights: F32_2D, out: F32_2D) -> None:
    """Add rows of ``x`` times a matrix of ALONE columns."""
    whole = len(x) - len(x) % 3
    for row in range(0, whole, 3):
        for column in range(0, ALONE, TOGETHER):
            add_three(
                x[row], x[row + 1], x[row + 2], weights, column, out[row, column:], out[row + 1, column:],
                out[row + 2, column:],
            )  # fmt: skip
    for row in range(whole, len(x)):
        add_full(x[row], weights, out[row])


@kernel
def add_positive(x: F32, weights: F32_2D, out: F32) -> None:
    """Add what of ``x`` is above 0, which is little, times a matrix of ALONE columns."""
    bits = 0
    for at in range(ALONE):
        bits |= int(x[at] > 0) << at
    while bits:
        at = bit_count((bits & -bits) - 1)
        own, row = x[at], weights[at]
        for j in range(ALONE):
            out[j] += own * row[j]
        bits &= bits - 1


@kernel
def add_beside(x: F32_2D, weights: F32_2D, reach: int, places: U16, out: F32_2D) -> None:
    """Add to each kind the products of those of its suit up to ``reach`` away, each with its own rows."""
    channels = x.shape[1]
    for kind in range(34):
        number = find_set(x[kind], places)
        first = last = kind
        if kind < 27:
            suit = kind - kind % RANKS
            first, last = max(suit, kind - reach), min(suit + RANKS - 1, kind + reach)
        for other in range(first, last + 1):
            add_rows(x[kind], places, number, weights[(kind - other + reach) * channels :], out[other])


@kernel
def cut(x: F32) -> None:
    """Make nothing of what is below 0."""
    for at in range(len(x)):
        x[at] = x[at] if x[at] > 0 else 0


@kernel
def add_mean_and_most(x: F32_2D, first: int, last: int, out: F32) -> None:
    """Write the mean of some rows, and behind it the most."""
    width = x.shape[1]
    share = 1 / (last - first)
    mean, most = out[:width], out[width : 2 * width]
    put(x[first], mean)
    put(x[first], most)
    for row in range(first + 1, last):
        own = x[row]
        for j in range(width):
            mean[j] += own[j]
            most[j] = max(most[j], own[j])
    for j in range(width):
        mean[j] *= share


@kernel
def run_layer(w: Weights, layer: int, table: F32, s: Scratch) -> None:
    """Let each kind look at its neighbours, its suit, the others of its number, and the whole table."""
    width, h = s.kinds.shape[1], s.kinds
    s.added[:] = 0
    s.given[:] = 0
    # Mean and most of each suit; the mean of all.
    for group in range(GROUPS):
        begin, end = RANKS * group, min(RANKS * group + RANKS, 34)
        add_mean_and_most(h, begin, end, s.groups[group])
        for j in range(width):
            s.given[j] += s.groups[group, j] * ((end - begin) / 34)
    add_products(s.groups, w.suit[layer], s.added[:GROUPS])
    # The three kinds of each number.
    for rank in range(RANKS):
        mean = s.inner[rank]
        for j in range(width):
            mean[j] = (h[rank, j] + h[rank + RANKS, j] + h[rank + 2 * RANKS, j]) * (1 / 3)
    add_products(s.inner[:RANKS], w.rank[layer], s.added[GROUPS : GROUPS + RANKS])
    # Mean and table together.
    put(table, s.given[width:])
    whole = s.added[GROUPS + RANKS]
    put(w.bias[layer], whole)
    add_product(s.given[: width + len(table)], w.mean[layer], s.places, whole)
    # All of it goes to each kind, beside its neighbours.
    for kind in range(34):
        group, rank = kind // RANKS, kind % RANKS
        for j in range(width):
            s.inner[kind, j] = s.added[group, j] + whole[j]
            if kind < 27:
                s.inner[kind, j] += s.added[GROUPS + rank, j]
    near = w.near[layer]
    if layer == 0:  # much of what goes in is 0 here alone
        add_beside(h, near, 1, s.places, s.inner)
    else:
        add_products(h, near[width : 2 * width], s.inner)
        for suit in range(0, 27, RANKS):
            end = suit + RANKS
            add_products(h[suit : end - 1], near[:width], s.inner[suit + 1 : end])
            add_products(h[suit + 1 : end], near[2 * width :], s.inner[suit : end - 1])
    for kind in range(34):
        add_positive(s.inner[kind], w.out[layer], h[kind])


@kernel
def look_at_kinds(w: Weights, x: F32_2D, table: F32, s: Scratch) -> None:
    """Fill in what the network makes of each kind, and of the whole table for all options alike."""
    width = s.kinds.shape[1]
    whole = s.added[GROUPS + RANKS]
    put(w.into_bias, whole)
    add_product(table, w.into_table, s.places, whole)
    for kind in range(34):
        put(whole, s.kinds[kind])
    add_beside(x, w.into, 2, s.places, s.kinds)
    for kind in range(34):
        cut(s.kinds[kind])
    for layer in range(len(w.near)):
        run_layer(w, layer, table, s)
    add_mean_and_most(s.kinds, 0, 34, s.given)
    put(table, s.given[2 * width :])
    put(w.whole_bias, s.whole)
    add_product(s.given[: 2 * width + len(table)], w.whole, s.places, s.whole)
    cut(s.whole)
    put(w.option_bias, s.option)
    add_product(s.whole, w.of_whole, s.places, s.option)


@kernel
def rate_options(w: Weights, number: int, s: Scratch, chances: F32) -> None:
    """Fill the chance of each of ``number`` options."""
    size = s.options.shape[1]
    for row in range(number):
        z = s.options[row]
        put(s.option, z)
        add_product(s.kinds[s.numbers.kind[row]], w.kind, s.places, z)
        add_product(s.numbers.options[row], w.feature, s.places, z)
        for place in range(3):
            of_danger = w.danger[s.numbers.dangers[row, place]]
            for j in range(size):
                z[j] += of_danger[j]
        cut(z)
    add_mean_and_most(s.options, 0, number, s.given)
    beside, last = s.last[0], s.last[1]
    put(w.last_bias, beside)
    add_product(s.given[:size], w.last_mean, s.places, beside)
    add_product(s.given[size : 2 * size], w.last_most, s.places, beside)
    most, total = -1e30, 0.0
    for row in range(number):
        put(beside, last)
        add_product(s.options[row], w.last, s.places, last)
        score = 0.0
        for j in range(len(last)):
            score += max(last[j], 0) * w.score[j]
        chances[row] = score
        most = max(most, score)
    for row in range(number):
        chances[row] = math.exp(chances[row] - most)
        total += chances[row]
    for row in range(number):
        chances[row] /= total


@kernel
def decide(
    planes: U8_3D, held: U8, marks: I32, cells: U8_2D, first: int, last: int, w: Weights, s: Scratch,
    chances: F32,
) -> None:  # fmt: skip
    """Fill the chances of the options in rows ``first`` to ``last`` of ``cells``, from 0 on."""
    numbers, best = s.numbers, s.best
    find_best(cells, first, last, best)
    read_kinds(planes, held, marks, numbers.kinds[0])
    read_table(marks, best.shanten, numbers.table[0])
    read_options(
        cells, first, last, best, int(marks[DRAWN]), numbers.options, numbers.dangers, numbers.kind
    )  # fmt: skip
    look_at_kinds(w, numbers.kinds[0], numbers.table[0], s)
    rate_options(w, last - first, s, chances)


@entry
def find_chances(
    planes: U8_4D, held: U8_2D, marks: I32_2D, cells: U8_2D, first: I64, w: Weights, s: Scratch, chances: F32
) -> None:
    """Fill the chance of each option of some decisions.

    The rows ``cells`` of a decision go from ``first`` (n + 1,) to the next.
    """
    for at in range(len(first) - 1):
        begin, end = first[at], first[at + 1]
        decide(planes[at], held[at], marks[at], cells, begin, end, w, s, chances[begin:])
