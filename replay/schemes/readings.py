"""Readings of a hand: every way to see it as a winning form, with what the winning tile filled.

A regular hand is four sets and a pair; other forms are seven pairs, the thirteen orphans, and two shapes that
only optional patterns play: a suit with the four winds, and 1 to 7 of two suits. The kernel that reads hands
of riichi finds them all; here they get the names of these games.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from paifu.replay.arrays import bits_of
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.readings import readings_kernel
from paifu.replay.kernels.rules import IDENTICAL_PAIRS
from paifu.replay.kernels.rules import KNITTED as KNITTED_FORM
from paifu.replay.kernels.rules import SNAKE as SNAKE_FORM
from paifu.replay.language import _, pgettext
from paifu.replay.model.tiles import counts_of, format_kinds
from paifu.replay.schemes.hand import HeldTiles, Sort

COPIES = 4
"""Tiles of each kind."""


class Form(Enum):
    """The form of a winning hand."""

    REGULAR = "four sets and a pair"
    SEVEN_PAIRS = "seven pairs"
    PURE_PAIRS = "seven pairs of one suit"
    """Where seven pairs win only as an optional pattern."""
    ORPHANS = "thirteen orphans"
    SNAKE = "one suit and the winds"
    KNITTED = "knitted pairs"
    BONUS = "bonus tiles"
    """Bonus tiles that win by themselves, whatever the hand."""
    LOSER = "a hand that has not won"


@dataclass(frozen=True, slots=True)
class Group:
    """A set or a pair of a reading."""

    sort: Sort
    kind: int
    """Its lowest kind."""
    concealed: bool = True
    """For pungs and gongs: made without a claimed tile. Chows and pairs in hand are concealed."""
    melded: bool = False

    @property
    def kinds(self) -> tuple[int, ...]:
        """Its tiles."""
        if self.sort == Sort.CHOW:
            return (self.kind, self.kind + 1, self.kind + 2)
        return (self.kind,) * {Sort.PAIR: 2, Sort.PUNG: 3, Sort.GONG: 4}[self.sort]

    def __str__(self) -> str:
        """In hand notation, melds in brackets."""
        text = format_kinds(self.kinds)
        if not self.melded:
            return text
        return f"[{text}]" if self.concealed else f"({text})"


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a winning hand."""

    form: Form
    groups: tuple[Group, ...] = ()
    """The sets (melds first), or the seven pairs; none for other forms."""
    pair: int | None = None
    """The kind of the pair, or the one that thirteen orphans and the snake hold twice."""
    filled: Sort | None = None
    """What the winning tile completed; None where the form has no sets."""

    def __str__(self) -> str:
        """Groups for people, and what the winning tile completed."""
        if not self.groups:
            return _(self.form.value)
        parts = list(map(str, self.groups))
        parts += [format_kinds([self.pair] * 2)] if self.pair is not None else []
        if self.form != Form.REGULAR or not self.filled:
            return " ".join(parts)
        text = _("{groups}, won on the {set}")
        return text.format(groups=" ".join(parts), set=pgettext("set", self.filled.value))


def melded_groups(hand: HeldTiles) -> tuple[Group, ...]:
    """Return the melds of a hand as groups."""
    return tuple(Group(meld.sort, meld.first, meld.concealed, melded=True) for meld in hand.melds)


def readings(
    hand: HeldTiles, forms: frozenset[Form], *, self_drawn: bool, identical_pairs: bool
) -> list[Reading]:
    """Return every reading of a winning hand in one of ``forms``; empty when it is not complete.

    The winning tile stands among ``hand.tiles``. A pung that a discard completes is not concealed.
    """
    rows = np.zeros((layout.MAX_READINGS, layout.ROW_SIZE), np.int64)
    bits = SNAKE_FORM | KNITTED_FORM | IDENTICAL_PAIRS * identical_pairs
    number = readings_kernel(counts_of(hand.tiles), hand.win or 0, bits, rows)
    melds = melded_groups(hand)
    found: list[Reading] = []
    for form, runs, triplets, pairs, wait in rows[:number].tolist():
        kinds = list(bits_of(pairs))
        if form == layout.FORM_STANDARD:
            filled = _FILLED.get(wait, Sort.CHOW)
            opened = hand.win if filled == Sort.PUNG and not self_drawn else None
            groups = [Group(Sort.PUNG, kind, concealed=kind != opened) for kind in bits_of(triplets)]
            for bit in bits_of(runs):  # three a place: how many chows begin there
                groups += [Group(Sort.CHOW, bit // 21 * 9 + bit % 21 // 3)] * (1 << bit % 3)
            groups.sort(key=lambda group: (group.kind, group.sort.value))
            found.append(Reading(Form.REGULAR, (*melds, *groups), kinds[0], filled))
        elif form == layout.FORM_SEVEN_PAIRS:
            held = tuple(Group(Sort.PAIR, kind) for kind in kinds for _ in range(hand.tiles.count(kind) // 2))
            found.append(Reading(Form.SEVEN_PAIRS, held, None, Sort.PAIR))
            if kinds[0] // 9 == kinds[-1] // 9 < 3:
                found.append(Reading(Form.PURE_PAIRS, held, None, Sort.PAIR))
        else:
            found.append(Reading(_WITHOUT_SETS[form], (), kinds[0] if kinds else None))
    found = [reading for reading in dict.fromkeys(found) if reading.form in forms]
    return sorted(found, key=_order)


def _order(reading: Reading) -> tuple[int, list[tuple[str, int]], int]:
    """Regular readings first: of those that are worth the same, the first one counts."""
    if reading.form != Form.REGULAR:
        return 1, [], 0
    groups = [(group.sort.value, group.kind) for group in reading.groups if not group.melded]
    return 0, groups, (Sort.PAIR, Sort.CHOW, Sort.PUNG).index(reading.filled or Sort.PAIR)


_FILLED = {layout.TANKI: Sort.PAIR, layout.SHANPON: Sort.PUNG}
"""What other waits than these complete is a chow."""
_WITHOUT_SETS = {
    layout.FORM_ORPHANS: Form.ORPHANS,
    layout.FORM_SNAKE: Form.SNAKE,
    layout.FORM_KNITTED: Form.KNITTED,
}
SNAKES = tuple([*range(first, first + 9), *range(27, 31)] for first in (0, 9, 18))
"""The thirteen kinds of each suit with the winds."""
KNITTED = tuple([*range(low, low + 7), *range(high, high + 7)] for low, high in ((0, 9), (0, 18), (9, 18)))
"""1 to 7 of two suits, each kind twice over the two."""
