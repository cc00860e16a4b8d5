"""How the tables behind shape kernels are made.

After a change here or in the layout of a word, ``python -m paifu.replay.shapes.table_making`` writes them
again.

Every suit holding of at most 14 tiles is reached by extending shorter ones digit by digit.
Along with each goes the least number of tiles missing to every *target*: a choice of 0-4 melds, with or
without a pair, that uses no kind more than four times. Which sequences are still open is the only thing
a later digit must know of the earlier ones; three equal sequences are three triplets, so two are enough.
A tile is missing whenever target and holding differ, so a fifth copy never counts, nor a kind the set lacks.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paifu.replay.kernels import shapes as shape_kernels
from paifu.replay.shapes.tables import FILE, SHIPPED

_TILES_IN_HAND = 14
_MELDS = 5  # 0-4 melds
_OUT_OF_REACH = 15  # no hand misses that many: 4 melds and a pair from nothing are 14
_NUMBERS, _HONOURS, _SANMA_MAN = tuple(range(9)), tuple(range(7)), (0, 8)  # digits that exist

_I64 = npt.NDArray[np.int64]
_U8 = npt.NDArray[np.uint8]


def _missing(digits: tuple[int, ...], *, sequences: bool) -> tuple[_I64, _U8]:
    """Return all keys of a suit, rising, and the tiles they miss: (keys, 2, 5), by pairs and melds."""
    keys, sizes = np.zeros(1, np.int64), np.zeros(1, np.int64)
    # least[a, b, p, m]: tiles missing so far, with a sequences from two digits ago and b from the last
    # one still running, p pairs and m melds begun.
    least = np.full((3, 3, 2, _MELDS, 1), _OUT_OF_REACH, np.uint8)
    least[0, 0, 0, 0] = 0
    for place, digit in enumerate(digits):
        held, parent = np.tile(np.arange(5), len(keys)), np.repeat(np.arange(len(keys)), 5)
        fits = sizes[parent] + held <= _TILES_IN_HAND
        held, parent = held[fits], parent[fits]
        keys, sizes = keys[parent] + held * 5**digit, sizes[parent] + held
        lack = [np.maximum(wanted - held, 0).astype(np.uint8) for wanted in range(5)]
        before, least = least[..., parent], np.full((3, 3, 2, _MELDS, len(keys)), _OUT_OF_REACH, np.uint8)
        starts = 3 if sequences and place < len(digits) - 2 else 1
        for a, b, new, triplet, pair in np.ndindex(3, 3, starts, 2, 2):
            wanted = a + b + new + 3 * triplet + 2 * pair
            if wanted > 4:
                continue
            for melds in range(_MELDS - new - triplet):
                for pairs in range(2 - pair):
                    better = least[b, new, pairs + pair, melds + new + triplet]
                    np.minimum(better, before[a, b, pairs, melds] + lack[wanted], out=better)
    rising = np.argsort(keys)
    return keys[rising], least[0, 0].transpose(2, 0, 1)[rising]


def _joined(left: _U8, right: _U8) -> _U8:
    """Return what is missing, (left, right, 2, 5), when any of some holdings meets any of some others."""
    out = np.full((len(left), len(right), 2, _MELDS), _OUT_OF_REACH, np.uint8)
    for i, j in np.ndindex(_MELDS, _MELDS):
        if i + j < _MELDS:
            for p, q in ((0, 0), (0, 1), (1, 0)):
                best = out[:, :, p + q, i + j]
                np.minimum(best, left[:, None, p, i] + right[None, :, q, j], out=best)
    return out


def _codes(missing: _U8) -> _I64:
    """Pack the ten numbers of (..., 2, 5) ``missing`` into one."""
    flat = missing.reshape(*missing.shape[:-2], 2 * _MELDS).astype(np.int64)
    return np.asarray((flat << 4 * np.arange(2 * _MELDS)).sum(axis=-1))


def _classes(*missing: _U8) -> _U8:
    """Return the distinct rows of all ``missing`` and of everything they join to, by rising code."""
    rows = np.concatenate(missing)
    while True:
        rows = rows[np.unique(_codes(rows), return_index=True)[1]]
        joined = _joined(rows, rows).reshape(-1, 2, _MELDS)
        if not len(np.setdiff1d(_codes(joined), _codes(rows))):
            return rows
        rows = np.concatenate([rows, joined])


def _words(keys: _I64, missing: _U8, classes: _U8, digits: tuple[int, ...], orphans: tuple[int, ...]) -> _I64:
    """Return the word of every key, see the fields in ``kernels.shapes``."""
    counts = keys // 5 ** np.array(digits)[:, None] % 5
    orphan_counts = counts[[digits.index(digit) for digit in orphans]]
    size = counts.sum(axis=0)
    melds = np.arange(_MELDS)
    complete = ((missing[:, 0] == 0) & (size[:, None] == 3 * melds)).any(axis=1)
    complete |= ((missing[:, 1] == 0) & (size[:, None] == 3 * melds + 2)).any(axis=1)
    mask = np.zeros(len(keys), np.int64)
    for digit, count in zip(digits, counts, strict=True):
        more = keys + 5**digit
        row = np.minimum(np.searchsorted(keys, more), len(keys) - 1)
        mask |= ((count < 4) & (keys[row] == more) & complete[row]).astype(np.int64) << digit
    fields = (
        (shape_kernels.PAIRS, (counts >= 2).sum(axis=0)),
        (shape_kernels.KINDS, (counts >= 1).sum(axis=0)),
        (shape_kernels.QUADS, (counts == 4).sum(axis=0)),
        (shape_kernels.ORPHANS, (orphan_counts >= 1).sum(axis=0)),
        (shape_kernels.ORPHAN_PAIR, (orphan_counts >= 2).any(axis=0)),
        (shape_kernels.OPEN, ~complete),
        (shape_kernels.TWO, size % 3 == 2),
        (shape_kernels.MASK, mask),
        (shape_kernels.CLASS, np.searchsorted(_codes(classes), _codes(missing))),
    )
    word = np.zeros(len(keys), np.int64)
    for shift, values in fields:
        word |= values.astype(np.int64) << shift
    return word


def build_arrays() -> dict[str, npt.NDArray[np.generic]]:
    """Make the arrays that ship with the package, by name."""
    numbers, honours = _missing(_NUMBERS, sequences=True), _missing(_HONOURS, sequences=False)
    sanma_man = _missing(_SANMA_MAN, sequences=False)
    classes = _classes(numbers[1], honours[1], sanma_man[1])
    number_words = _words(*numbers, classes, _NUMBERS, (0, 8))
    honour_words = _words(*honours, classes, _HONOURS, _HONOURS)
    sanma_words = _words(*sanma_man, classes, _SANMA_MAN, _SANMA_MAN)
    words, use = np.unique(np.concatenate([number_words, honour_words, sanma_words]), return_counts=True)
    # The most common words come first: small numbers compress better, and the cache holds them together.
    by_use = np.argsort(-use, kind="stable")
    row = np.empty(len(words), np.uint16)
    row[by_use] = np.arange(len(words))

    def index(keys: _I64, of_keys: _I64, size: int) -> npt.NDArray[np.uint16]:
        table = np.zeros(size, np.uint16)
        table[keys] = row[np.searchsorted(words, of_keys)]
        return table

    return {
        "suit": index(numbers[0], number_words, 5**9),
        "honour": index(honours[0], honour_words, 5**7),
        "sanma_man_keys": sanma_man[0],
        "sanma_man_rows": row[np.searchsorted(words, sanma_words)],
        "words": words[by_use],
        "join": np.searchsorted(_codes(classes), _codes(_joined(classes, classes))).astype(np.uint8),
        "standard": classes[:, 1, ::-1].astype(np.int8) - np.int8(1),
    }


if __name__ == "__main__":
    np.array([tuple(build_arrays().values())], SHIPPED).tofile(FILE)
