"""What the conditions of patterns look at: one reading of one hand, and how it won.

Everything that several patterns ask for is worked out once and by name: which pungs there are, how many of
them are concealed, which kinds occur. Kinds are also kept as a mask of 34 bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from paifu.replay.model.tiles import TERMINALS_AND_HONOURS, format_kinds
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.hand import Facts, HeldTiles, Sort
from paifu.replay.schemes.readings import Form, Group, Reading


def mask_of(kinds: Iterable[int]) -> int:
    """Return kinds as bits."""
    return sum(1 << kind for kind in set(kinds))


SUITS = (range(9), range(9, 18), range(18, 27))
WIND_KINDS = range(27, 31)
DRAGON_KINDS = range(31, 34)
WHITE, GREEN, RED = DRAGON_KINDS
SUIT_MASKS = tuple(mask_of(suit) for suit in SUITS)
HONOURS = mask_of(range(27, 34))
OUTER = mask_of(TERMINALS_AND_HONOURS)
"""Terminals and honours."""
TERMINALS = OUTER & ~HONOURS
GREENS = mask_of((19, 20, 21, 23, 25, GREEN))
"""2 3 4 6 8 of bamboos and the green dragon."""


class Case:
    """A reading of ``hand`` that won as ``facts`` say, under ``rules``."""

    def __init__(self, hand: HeldTiles, facts: Facts, reading: Reading, rules: Ruleset) -> None:
        self.hand = hand
        self.facts = facts
        self.reading = reading
        self.rules = rules

    @property
    def form(self) -> Form:
        """The form of the reading."""
        return self.reading.form

    @property
    def pair(self) -> int | None:
        """The kind of the pair."""
        return self.reading.pair

    @cached_property
    def sets(self) -> tuple[Group, ...]:
        """Chows, pungs and gongs."""
        return tuple(group for group in self.reading.groups if group.sort != Sort.PAIR)

    @cached_property
    def chows(self) -> tuple[int, ...]:
        """The lowest kind of each chow, rising."""
        return tuple(sorted(group.kind for group in self.sets if group.sort == Sort.CHOW))

    @cached_property
    def pung_groups(self) -> tuple[Group, ...]:
        """Pungs and gongs."""
        return tuple(group for group in self.sets if group.sort != Sort.CHOW)

    @cached_property
    def pungs(self) -> tuple[int, ...]:
        """The kind of each pung or gong, rising."""
        return tuple(sorted(group.kind for group in self.pung_groups))

    @cached_property
    def gongs(self) -> int:
        """How many gongs there are."""
        return sum(group.sort == Sort.GONG for group in self.sets)

    @cached_property
    def concealed_pungs(self) -> int:
        """Pungs and gongs without a claimed tile."""
        return sum(group.concealed for group in self.pung_groups)

    @cached_property
    def equal_chows(self) -> Counter[int]:
        """How often each chow occurs."""
        return Counter(self.chows)

    @cached_property
    def mask(self) -> int:
        """The kinds that occur, melds included."""
        return mask_of(self.hand.kinds)

    @cached_property
    def suits(self) -> int:
        """How many suits occur."""
        return sum(bool(self.mask & suit) for suit in SUIT_MASKS)

    @cached_property
    def closed(self) -> bool:
        """Nothing was claimed; concealed gongs do no harm."""
        return all(meld.concealed for meld in self.hand.melds)

    @cached_property
    def melded_openly(self) -> int:
        """Melds other than concealed gongs."""
        return sum(not meld.concealed for meld in self.hand.melds)

    def pungs_of(self, kinds: Iterable[int]) -> tuple[str, ...]:
        """The pungs and gongs of some kinds, in hand notation."""
        wanted = frozenset(kinds)
        return tuple(format_kinds(group.kinds) for group in self.pung_groups if group.kind in wanted)
