"""Shanten and waits of hands in the games other than riichi, by look-ups in the tables of riichi's shapes.

A hand is 34 counts and four suit keys (see :mod:`paifu.replay.kernels.shapes`), which a table keeps up to
date. Which forms win depends on the ruleset. Nothing here is compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

from paifu.replay.kernels import shapes as shape_kernels
from paifu.replay.model.tiles import KINDS, TERMINALS_AND_HONOURS
from paifu.replay.rules.choices import SevenPairs
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.readings import COPIES, KNITTED, SNAKES, Form, counted, divisions
from paifu.replay.schemes.tables import winning_forms
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
        self.forms = winning_forms(rules)
        self.identical = rules.seven_pairs == SevenPairs.IDENTICAL
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
        full = sum(1 << kind for kind in range(KINDS) if held[kind] >= COPIES)
        return _waits(tuple(counts), called, self.forms, self.identical) & ~full

    def waits_of(self, tiles: Iterable[int], melds: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """Return the kinds that complete a hand of kinds; raises ValueError for one that waits for none.

        Melds are tiles, of which there are no red ones.
        """
        kinds = list(tiles)
        if any(kind >= KINDS for kind in kinds):
            raise ValueError("a bonus tile in hand, or a hidden one")
        counts = counted(kinds)
        if sum(counts) != 13 - 3 * len(melds):
            raise ValueError(f"{sum(counts)} tiles and {len(melds)} melds are no hand that waits for one")
        held = counted(kind for meld in melds for kind in meld)
        held = [count + melded for count, melded in zip(counts, held, strict=True)]
        mask = self.waits(counts, held, len(melds))
        return tuple(kind for kind in range(KINDS) if mask >> kind & 1)


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


@lru_cache(maxsize=1 << 17)
def _suit(counts: tuple[int, ...]) -> int:
    """Tell whether a suit splits into sets (1), and whether into sets and a pair (2)."""
    if sum(counts) % 3 == 1:
        return 0
    return sum({1 if pair < 0 else 2 for _, pair in divisions(counts)})


@lru_cache(maxsize=1 << 17)
def _completing(counts: tuple[int, ...]) -> tuple[int, int]:
    """Return the places of a suit whose tile makes it sets, or sets and a pair, as bits."""
    found = [0, 0]
    for place, count in enumerate(counts):
        if count < COPIES:
            whole = _suit((*counts[:place], count + 1, *counts[place + 1 :]))
            found[0] |= (whole & 1) << place
            found[1] |= (whole >> 1 & 1) << place
    return found[0], found[1]


@lru_cache(maxsize=1 << 16)
def _waits(counts: tuple[int, ...], called: int, forms: frozenset[Form], identical: bool) -> int:
    suits = [counts[first:end] for first, end in _SUITS]
    whole = [_suit(suit) for suit in suits]
    mask = 0
    for number, suit in enumerate(suits):
        others = [flags for other, flags in enumerate(whole) if other != number]
        if all(flags & 1 for flags in others):
            mask |= _completing(suit)[1] << 9 * number
        elif sum(flags & 1 for flags in others) == 2 and any(not flags & 1 and flags & 2 for flags in others):
            mask |= _completing(suit)[0] << 9 * number
    if called:
        return mask
    return mask | _waits_of_pairs(counts, forms, identical) | _waits_of_kinds(counts, forms)


def _waits_of_pairs(counts: Sequence[int], forms: frozenset[Form], identical: bool) -> int:
    odd = [kind for kind, count in enumerate(counts) if count % 2]
    if len(odd) != 1 or not forms & {Form.SEVEN_PAIRS, Form.PURE_PAIRS}:
        return 0
    held = [kind for kind, count in enumerate(counts) if count]
    if not identical and (len(held) != 7 or counts[odd[0]] != 1):
        return 0
    in_suit = held[0] // 9 == held[-1] // 9 and held[-1] < 27
    return 1 << odd[0] if Form.SEVEN_PAIRS in forms or in_suit else 0


_KINDS_OF_FORM = {
    Form.ORPHANS: ((tuple(TERMINALS_AND_HONOURS),), True),
    Form.SNAKE: (tuple(map(tuple, SNAKES)), True),
    Form.KNITTED: (tuple(map(tuple, KNITTED)), False),
}
"""Form -> its sets of kinds, and whether one of them is held twice."""


def _waits_of_kinds(counts: Sequence[int], forms: frozenset[Form]) -> int:
    mask = 0
    for form, (sets, has_double) in _KINDS_OF_FORM.items():
        for kinds in sets if form in forms else ():
            if sum(counts[kind] for kind in kinds) != 13:
                continue
            missing = [kind for kind in kinds if not counts[kind]]
            if has_double and not missing:
                mask |= sum(1 << kind for kind in kinds)
            elif len(missing) == 1:
                mask |= 1 << missing[0]
    return mask
