"""How many of all hands of 13 tiles have each shanten: counted exactly, from the tables of shapes.

The holdings of a suit fall into few states: a class of the standard form, the number of tiles, pairs and
kinds, terminals and honours. Each state has the number of ways to choose its tiles; two groups of suits join
state by state, and the numbers multiply.
"""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I64
from paifu.replay.kernels import shapes as shape_kernels
from paifu.replay.shapes.tables import load_tables
from paifu.replay.walls.layout import HAND_SIZE

States = tuple[I64, I64]
"""Packed states, and in how many ways the tiles of each can be chosen."""

MOST = 6
"""No hand is farther from tenpai: seven pairs lack six at most."""
_NUMBERS, _HONOURS, _SANMA_MAN = tuple(range(9)), tuple(range(7)), (0, 8)
_CLASS, _SIZE, _PAIRS, _KINDS, _ORPHANS, _ORPHAN_PAIR = 20, 16, 12, 8, 4, 0
_AT_ONCE = 1000


@cache
def shanten_counts(players: int) -> tuple[int, ...]:
    """Return how many hands of 13 tiles of a set for 3 or 4 players have shanten 0, 1, ... 6.

    >>> sum(shanten_counts(4)) == comb(136, 13)
    True
    """
    tables = load_tables(sanma=players == 3)
    man = _suit(tables.man, tables.words, _SANMA_MAN if players == 3 else _NUMBERS)
    number = _suit(tables.suit, tables.words, _NUMBERS)
    honours = _suit(tables.honour, tables.words, _HONOURS)
    first, second = _joined(man, honours, tables.join), _joined(number, number, tables.join)
    counts = [0] * (MOST + 1)
    for size in range(HAND_SIZE + 1):
        left, right = _of_size(first, size), _of_size(second, HAND_SIZE - size)
        for at in range(0, len(left[0]), _AT_ONCE):
            part = left[0][at : at + _AT_ONCE, None], left[1][at : at + _AT_ONCE, None]
            states, ways = _pairs_of(part, right, tables.join)
            standard = tables.standard[states >> _CLASS, 0].astype(np.int64)
            found = np.minimum(standard, _closed_forms(states))
            for shanten in range(MOST + 1):
                counts[shanten] += int(ways[found == shanten].sum())
    return tuple(counts)


def _suit(index: npt.NDArray[np.uint16], words: I64, digits: tuple[int, ...]) -> States:
    """Return the states of one suit, from all its holdings of up to 13 tiles."""
    keys, sizes, ways = np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1, np.int64)
    for digit in digits:
        held = np.repeat(np.arange(5), len(keys))
        keys = np.tile(keys, 5) + held * 5**digit
        ways = np.tile(ways, 5) * np.array([comb(4, number) for number in range(5)])[held]
        sizes = np.tile(sizes, 5) + held
        fits = sizes <= HAND_SIZE
        keys, sizes, ways = keys[fits], sizes[fits], ways[fits]
    word = words[index[keys]]
    states = (word >> shape_kernels.CLASS) << _CLASS | sizes << _SIZE
    for shift, field, most in (
        (_PAIRS, shape_kernels.PAIRS, 15),
        (_KINDS, shape_kernels.KINDS, 7),
        (_ORPHANS, shape_kernels.ORPHANS, 15),
        (_ORPHAN_PAIR, shape_kernels.ORPHAN_PAIR, 1),
    ):
        states |= np.minimum(word >> field & 15, most) << shift
    return _grouped(states, ways)


def _joined(left: States, right: States, join: npt.NDArray[np.uint8]) -> States:
    """Return the states of two groups of suits taken together, of up to 13 tiles."""
    parts = []
    for size in range(HAND_SIZE + 1):
        mine = _of_size(left, size)
        fits = (right[0] >> _SIZE & 15) <= HAND_SIZE - size
        theirs = right[0][fits], right[1][fits]
        for at in range(0, len(mine[0]), _AT_ONCE):
            part = mine[0][at : at + _AT_ONCE, None], mine[1][at : at + _AT_ONCE, None]
            parts.append(_grouped(*_pairs_of(part, theirs, join)))
    return _grouped(np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts]))


def _pairs_of(left: States, right: States, join: npt.NDArray[np.uint8]) -> States:
    """Return the state of each of ``left`` (a column) with each of ``right``."""
    (a, ways), (b, more) = left, right
    states = join[a >> _CLASS, b >> _CLASS].astype(np.int64) << _CLASS
    for shift in (_SIZE, _PAIRS, _ORPHANS):
        states |= (a >> shift & 15) + (b >> shift & 15) << shift
    states |= np.minimum((a >> _KINDS & 15) + (b >> _KINDS & 15), 7) << _KINDS
    states |= (a | b) & 1
    return states, ways * more


def _closed_forms(states: I64) -> I64:
    """Return the lesser shanten of seven pairs and thirteen orphans."""
    pairs = 6 - (states >> _PAIRS & 15) + 7 - (states >> _KINDS & 15)
    orphans = 13 - (states >> _ORPHANS & 15) - (states & 1)
    least: I64 = np.minimum(pairs, orphans)
    return least


def _of_size(states: States, size: int) -> States:
    has = states[0] >> _SIZE & 15 == size
    return states[0][has], states[1][has]


def _grouped(states: I64, ways: I64) -> States:
    """Add up the ways of equal states."""
    kinds, place = np.unique(states, return_inverse=True)
    total = np.zeros(len(kinds), np.int64)
    np.add.at(total, place.ravel(), ways.ravel())
    return kinds, total
