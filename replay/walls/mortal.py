"""Walls of Mortal's arenas: they follow from two numbers that a game's log states.

The seed is a text, ``mortal,nonce,key``, both numbers below 2 to the 64th. Hand by hand SHA3-256 over nonce
and key (eight bytes each, least significant first), the number of the hand (one byte, 0 for E1, 7 for S4)
and the honba (one byte) is the key of ChaCha with twelve rounds, whose output in words of four bytes shuffles
the sorted set: m, p and s from 1 to 9, winds, white, green, red, four of each, the first of each five red.

The shuffle is that of a library for random numbers, and the library has changed it: builds since 2025 draw
one number for several swaps. A log does not say which build played. So both are tried, and if neither gives
the tiles that were dealt, the generator is another one and the wall is not known.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any

import numpy as np

from paifu.replay.arrays import U8, U32
from paifu.replay.model.tiles import IDS, TILE_OF_ID_RED
from paifu.replay.walls.layout import HAND_SIZE, MORTAL, Layout

LAYOUT = Layout(
    indicators=tuple(range(60, 55, -1)),
    ura=tuple(range(61, 66)),
    supplements=tuple(range(55, 51, -1)),
    dice=(0, 0),
)
LIVE = np.arange(IDS - 1, 65, -1, dtype=np.int16)
"""(70,) index of each draw from the live end."""
DEAL = np.broadcast_to(np.arange(4 * HAND_SIZE, dtype=np.int16).reshape(4, HAND_SIZE), (4, 4, HAND_SIZE))
"""(dealer, seat, 13): each seat has the same place in the wall, no matter who deals."""

_ROUNDS = 12
_BLOCKS = 16
"""Enough for nearly every wall."""
_WORD = 1 << 32
_CONSTANTS = np.frombuffer(b"expand 32-byte k", "<u4")
_ROWS = np.arange(16).reshape(4, 4)
_COLUMNS = tuple(_ROWS)
_DIAGONALS = tuple(np.roll(row, -number) for number, row in enumerate(_ROWS))


def parse_seed(text: str) -> tuple[int, int]:
    """Read nonce and key of a seed. Raises ValueError for another text."""
    kind, *words = text.split(",")
    if kind != MORTAL or len(words) != 2 or not all(word.isdecimal() and len(word) <= 20 for word in words):
        raise ValueError(f"{text[:60]!r} is not a seed of Mortal: mortal,nonce,key")
    nonce, key = map(int, words)
    if nonce >> 64 or key >> 64:
        raise ValueError("nonce and key of a Mortal seed are below 2 to the 64th")
    return nonce, key


def chacha(key: bytes, blocks: int) -> U32:
    """Return the first words of ChaCha with twelve rounds, for a key of 32 bytes and a nonce of zero."""
    start = np.zeros((16, blocks), np.uint32)
    start[:4] = _CONSTANTS[:, None]
    start[4:12] = np.frombuffer(key, "<u4")[:, None]
    start[12] = np.arange(blocks)
    state = start.copy()
    for step in range(_ROUNDS):
        a, b, c, d = _DIAGONALS if step % 2 else _COLUMNS
        for first, second, target, left in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[first] += state[second]
            mixed = state[target] ^ state[first]
            state[target] = (mixed << np.uint32(left)) | (mixed >> np.uint32(32 - left))
    return (state + start).T.reshape(-1)


def swaps_one_by_one(words: Iterator[int], size: int) -> Iterator[tuple[int, int]]:
    """Yield the places that are swapped, from the last one down: the shuffle of rand 0.8."""
    for place in range(size - 1, 0, -1):
        bound = place + 1
        most = (bound << (32 - bound.bit_length())) - 1
        while True:
            high, low = divmod(next(words) * bound, _WORD)
            if low <= most:
                break
        yield place, high


def swaps_in_chunks(words: Iterator[int], size: int) -> Iterator[tuple[int, int]]:
    """Yield the places that are swapped, from the first one up: the shuffle of rand 0.9.

    One number, evenly spread below the product of as many successive bounds as 32 bits can hold, is taken
    apart into a place for each of these bounds.
    """
    place = 1
    while place < size:
        product, end = place + 1, place + 2
        while product * end < _WORD:
            product *= end
            end += 1
        number, low = divmod(next(words) * product, _WORD)
        if low > _WORD - product:  # the one correction that evens out what 32 bits cannot
            number += (low + next(words) * product // _WORD) >> 32
        for bound in range(place + 1, end):
            if bound > size:
                return
            number, other = (0, number) if bound == end - 1 else divmod(number, bound)
            yield bound - 1, other
        place = end - 1


Shuffle = Callable[[Iterator[int], int], Iterator[tuple[int, int]]]
SHUFFLES = MappingProxyType({"rand 0.8": swaps_one_by_one, "rand 0.9": swaps_in_chunks})
"""Version of the library -> its shuffle."""


def shuffled(nonce: int, key: int, number: int, honba: int, shuffle: Shuffle) -> U8:
    """Return (136,) tiles, the wall of hand ``number`` (round x 4 + place, from 0) and ``honba``."""
    text = nonce.to_bytes(8, "little") + key.to_bytes(8, "little") + bytes([number & 255, honba & 255])
    seed = hashlib.sha3_256(text).digest()
    blocks = _BLOCKS
    while True:
        tiles = TILE_OF_ID_RED[_IN_ORDER].tolist()
        words: Iterator[Any] = iter(chacha(seed, blocks).tolist())
        try:
            for place, other in _taken(shuffle, words):
                tiles[place], tiles[other] = tiles[other], tiles[place]
        except _TooFewError:
            blocks *= 2
            continue
        return np.array(tiles, np.uint8)


class _TooFewError(Exception):
    """More random words are needed."""


def _taken(shuffle: Shuffle, words: Iterator[int]) -> Iterator[tuple[int, int]]:
    def supply() -> Iterator[int]:
        yield from words
        raise _TooFewError

    return shuffle(supply(), IDS)


_IN_ORDER = np.arange(IDS)
"""Physical ids in order: the first of each five is the red one there, too."""
