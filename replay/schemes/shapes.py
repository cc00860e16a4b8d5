"""Shanten and waits of hands in the games other than riichi, by look-ups in the tables of riichi's shapes.

A hand is 34 counts and four suit keys (see :mod:`paifu.replay.kernels.shapes`), which a table keeps up to
date. Which forms win depends on the ruleset. Nothing here is compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from paifu.replay.arrays import bits_of
from paifu.replay.kernels import shapes as shape_kernels
from paifu.replay.model.tiles import KINDS, count_kinds
from paifu.replay.rules.choices import SevenPairs
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.check import check_tiles
from paifu.replay.schemes.hand import HeldTiles
from paifu.replay.schemes.readings import COPIES, KNITTED, SNAKES
from paifu.replay.schemes.tables import winning_forms
from paifu.replay.scoring.readings import Form
from paifu.replay.shapes.shanten import Acceptance
from paifu.replay.shapes.tables import load_tables

POWERS = tuple(5 ** (kind % 9) for kind in range(KINDS))
"""What a tile of a kind adds to the key of its suit."""
SUIT_OF = tuple(kind // 9 for kind in range(KINDS))
_SUITS = tuple((first, min(first + 9, KINDS)) for first in range(0, KINDS, 9))
_FAR = 99
_NIBBLE = 15
_LESS_KNOWN = (Form.PURE_PAIRS, Form.SNAKE, Form.KNITTED)


class _Tables:
    """The shape tables as plain Python sequences: a look-up costs as little as it can."""

    def __init__(self) -> None:
        tables = load_tables()
        suits: tuple[Any, ...] = (tables.man, tables.suit, tables.suit, tables.honour)
        self.rows = tuple(memoryview(suit) for suit in suits)
        self.words: list[int] = tables.words.tolist()
        self.join: list[list[int]] = tables.join.tolist()
        self.standard: list[list[int]] = tables.standard.tolist()


@cache
def tables() -> _Tables:
    """Return the tables, loaded once."""
    return _Tables()


class Shapes:
    """Shanten and waits under one ruleset."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.forms = winning_forms(rules)
        self.identical = rules.hand.seven_pairs == SevenPairs.IDENTICAL
        self._pairs = Form.SEVEN_PAIRS in self.forms
        self._orphans = Form.ORPHANS in self.forms
        self._others = tuple(form for form in _LESS_KNOWN if form in self.forms)
        self._tables = tables()

    def shanten(self, keys: Sequence[int], counts: Sequence[int], called: int) -> int:
        """Return how many tiles a hand lacks to wait: -1 complete, 0 waits. ``called`` counts melds."""
        tables = self._tables
        rows, words, join = tables.rows, tables.words, tables.join
        a, b = words[rows[0][keys[0]]], words[rows[1][keys[1]]]
        c, d = words[rows[2][keys[2]]], words[rows[3][keys[3]]]
        group = join[join[a >> shape_kernels.CLASS][b >> shape_kernels.CLASS]][
            join[c >> shape_kernels.CLASS][d >> shape_kernels.CLASS]
        ]
        least: int = tables.standard[group][called]
        if called:
            return least
        total = a + b + c + d
        if self._pairs:
            pairs = total & _NIBBLE
            if self.identical:
                away = 6 - pairs - (total >> shape_kernels.QUADS & _NIBBLE)
            else:
                away = 6 - pairs + max(0, 7 - (total >> shape_kernels.KINDS & _NIBBLE))
            least = min(least, away)
        if self._orphans:
            has_pair = min(1, total >> shape_kernels.ORPHAN_PAIR & _NIBBLE)
            least = min(least, 13 - (total >> shape_kernels.ORPHANS & _NIBBLE) - has_pair)
        for form in self._others:
            least = min(least, _LACKING[form](counts))
        return least

    def waits(self, counts: Sequence[int], held: Sequence[int], called: int) -> int:
        """Return the kinds that complete a hand of 3n + 1 tiles, as bits; ``held`` counts melds, too."""
        more, keys, mask = list(counts), keys_of(counts), 0
        for kind in range(KINDS):
            if held[kind] < COPIES:
                more[kind] += 1
                keys[SUIT_OF[kind]] += POWERS[kind]
                mask |= (self.shanten(keys, more, called) < 0) << kind
                more[kind] -= 1
                keys[SUIT_OF[kind]] -= POWERS[kind]
        return mask

    def waits_of(self, tiles: Iterable[int], melds: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """Return the kinds that complete a hand of kinds; raises ValueError for one that waits for none.

        Melds are tiles, none of them red. A kind of which the player holds all four is not a wait.
        """
        kinds = list(tiles)
        if any(kind >= KINDS for kind in kinds):
            raise ValueError("a bonus tile in hand, or a hidden one")
        counts = count_kinds(kinds)
        if sum(counts) != 13 - 3 * len(melds):
            raise ValueError(
                f"{sum(counts)} tiles and {len(melds)} melds do not make a hand that waits for one tile"
            )
        held = count_kinds([*kinds, *(kind for meld in melds for kind in meld)])
        return tuple(bits_of(self.waits(counts, held, len(melds))))

    def waiting(self, hand: HeldTiles) -> Acceptance:
        """Return what thirteen tiles lack, and the kinds that bring them closer or win.

        Raises HandError for tiles that nobody can hold.
        """
        check_tiles(hand, self.rules)
        held, melds = count_kinds(hand.kinds), len(hand.melds)

        def away(tiles: tuple[int, ...]) -> int:
            counts = count_kinds(tiles)
            return self.shanten(keys_of(counts), counts, melds)

        now = away(hand.tiles)
        kinds = tuple(
            kind for kind in range(KINDS) if held[kind] < COPIES and away((*hand.tiles, kind)) < now
        )
        return Acceptance(now, kinds, sum(COPIES - held[kind] for kind in kinds))


def keys_of(counts: Sequence[int]) -> list[int]:
    """Return the keys of the four suits."""
    return [
        sum(count * power for count, power in zip(counts[first:end], POWERS[first:end], strict=True))
        for first, end in _SUITS
    ]


def _pure_pairs(counts: Sequence[int]) -> int:
    least = _FAR
    for first, end in _SUITS[:3]:
        pairs = sum(count >= 2 for count in counts[first:end])
        single = sum(count == 1 for count in counts[first:end])
        least = min(least, 13 - 2 * pairs - min(single, 7 - pairs))
    return least


def _snake(counts: Sequence[int]) -> int:
    most = 0
    for kinds in SNAKES:
        held = [counts[kind] for kind in kinds]
        most = max(most, len(held) - held.count(0) + (max(held) > 1))
    return 13 - most


def _knitted(counts: Sequence[int]) -> int:
    return 13 - max(len(kinds) - [counts[kind] for kind in kinds].count(0) for kinds in KNITTED)


_LACKING = {Form.PURE_PAIRS: _pure_pairs, Form.SNAKE: _snake, Form.KNITTED: _knitted}
