"""Walls of simulated games other than riichi: shuffled from a seed by a documented method.

The seed is a text, ``paifu-wall-1,`` and a number in hexadecimal. Hand *n* of the game (from 0) takes the
bytes of SHAKE-256 over the seed, a slash and *n* in decimal, in words of four bytes, least significant byte
first. The wall is the set in the order of kinds (four of each from 1m to 7z, then flowers and seasons),
shuffled from the last place to the second: place *i* changes with place *w* modulo *i* + 1, where *w* is the
next word that is less than the greatest multiple of *i* + 1 up to 2 to the 32nd.

The dealer takes the first 13 tiles, the others follow in the order of turns; draws go on from there, and
replacements are taken from the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from paifu.replay.model.tiles import BONUS_KINDS, KINDS
from paifu.replay.rules.choices import BonusTiles
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.readings import COPIES

SEED_KIND = "paifu-wall-1"
_DEALT = 13
_WORD, _SPACE = 4, 1 << 32
_WORDS = 256
"""More than the shuffle of a wall ever takes, as good as always; the stream goes on if it does not."""


def make_seed(number: int) -> str:
    """Return the seed of the game that follows from a number."""
    return f"{SEED_KIND},{number:x}"


class PlainWall:
    """The wall of one hand, from which tiles are taken."""

    def __init__(self, kinds: list[int], live: int) -> None:
        self._kinds = kinds
        self._live = live
        """How many draws there are, replacements included."""
        self._front = 4 * _DEALT
        self._back = len(kinds)

    def dealt(self, dealer: int) -> list[list[int]]:
        """Return the 13 kinds of each seat."""
        hands: list[list[int]] = [[], [], [], []]
        for step in range(4):
            hands[(dealer + step) % 4] = self._kinds[_DEALT * step : _DEALT * (step + 1)]
        return hands

    def next(self, *, replacement: bool) -> int | None:
        """Take the next tile, from the end for a replacement; None when no tile is left to draw."""
        if self._live <= 0:
            return None
        self._live -= 1
        if replacement:
            self._back -= 1
            return self._kinds[self._back]
        self._front += 1
        return self._kinds[self._front - 1]


def wall_of(seed: str, hand: int, rules: Ruleset) -> PlainWall | None:
    """Return the wall of a game's hand, numbered from 0; None for a seed of another kind."""
    if seed.partition(",")[0] != SEED_KIND:
        return None
    kinds = [kind for kind in range(KINDS) for _ in range(COPIES)]
    kinds += BONUS_KINDS if rules.tiles.bonus_tiles == BonusTiles.SET_ASIDE else ()
    words = _words(f"{seed}/{hand}".encode())
    for place in range(len(kinds) - 1, 0, -1):
        limit = _SPACE - _SPACE % (place + 1)
        other = next(word for word in words if word < limit) % (place + 1)
        kinds[place], kinds[other] = kinds[other], kinds[place]
    return PlainWall(kinds, rules.live_wall)


def _words(seed: bytes) -> Iterator[int]:
    size = _WORDS
    done = 0
    while True:
        stream = hashlib.shake_256(seed).digest(size * _WORD)
        for at in range(done, size):
            yield int.from_bytes(stream[at * _WORD : (at + 1) * _WORD], "little")
        done, size = size, 2 * size
