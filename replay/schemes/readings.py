"""Readings of a hand: every way to see it as a winning form, with what the winning tile filled.

A regular hand is four sets and a pair; other forms are seven pairs, the thirteen orphans, and two shapes that
only optional patterns play: a suit with the four winds, and 1 to 7 of two suits. Suits are divided one by one
and each division is remembered, so that a hand is read in a few look-ups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import product

from paifu.replay.language import _, pgettext
from paifu.replay.model.tiles import KINDS, TERMINALS_AND_HONOURS, format_kinds
from paifu.replay.schemes.hand import HeldTiles, Sort

COPIES = 4
"""Tiles of each kind."""
_SUITS = ((0, 9), (9, 18), (18, 27), (27, 34))


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


Division = tuple[tuple[tuple[Sort, int], ...], int]
"""Sets (sort and lowest place in the suit) and the place of the pair, -1 without one."""


@lru_cache(maxsize=1 << 16)
def divisions(counts: tuple[int, ...]) -> tuple[Division, ...]:
    """Divide one suit, or the honours (seven counts), into sets and at most one pair, in every way."""
    found: set[Division] = set()

    def divide(left: list[int], sets: tuple[tuple[Sort, int], ...], pair: int) -> None:
        place = next((i for i, count in enumerate(left) if count), None)
        if place is None:
            found.add((tuple(sorted(sets, key=lambda part: (part[1], part[0].value))), pair))
            return
        if left[place] >= 3:
            divide(_less(left, place, 3), (*sets, (Sort.PUNG, place)), pair)
        if left[place] >= 2 and pair < 0:
            divide(_less(left, place, 2), sets, place)
        if len(left) == 9 and place < 7 and left[place + 1] and left[place + 2]:
            run = left.copy()
            for step in range(3):
                run[place + step] -= 1
            divide(run, (*sets, (Sort.CHOW, place)), pair)

    if sum(counts) % 3 != 1:
        divide(list(counts), (), -1)
    return tuple(sorted(found, key=str))


def _less(counts: list[int], place: int, number: int) -> list[int]:
    left = counts.copy()
    left[place] -= number
    return left


def counted(kinds: Iterable[int]) -> list[int]:
    """Count kinds 0-33."""
    counts = [0] * KINDS
    for kind in kinds:
        counts[kind] += 1
    return counts


def _regular(counts: list[int], sets: int) -> Iterator[tuple[list[tuple[Sort, int]], int]]:
    """Yield each division of concealed tiles into ``sets`` sets and a pair."""
    suits = [divisions(tuple(counts[first:end])) for first, end in _SUITS]
    for parts in product(*suits):
        pairs = [first + pair for (first, _), (_, pair) in zip(_SUITS, parts, strict=True) if pair >= 0]
        groups = [
            (sort, first + place)
            for (first, _), (found, _) in zip(_SUITS, parts, strict=True)
            for sort, place in found
        ]
        if len(pairs) == 1 and len(groups) == sets:
            yield groups, pairs[0]


def melded_groups(hand: HeldTiles) -> tuple[Group, ...]:
    """Return the melds of a hand as groups."""
    return tuple(Group(meld.sort, meld.first, meld.concealed, melded=True) for meld in hand.melds)


def readings(
    hand: HeldTiles, forms: frozenset[Form], *, self_drawn: bool, identical_pairs: bool
) -> list[Reading]:
    """Return every reading of a winning hand in one of ``forms``; empty when it is not complete.

    The winning tile stands among ``hand.tiles``. A pung that a discard completes is not concealed.
    """
    counts = counted(hand.tiles)
    found: list[Reading] = []
    if Form.REGULAR in forms:
        melds = melded_groups(hand)
        for groups, pair in _regular(counts, 4 - len(melds)):
            found += _filled(groups, pair, melds, hand.win, self_drawn=self_drawn)
    found += [
        Reading(form, *parts)
        for form, parts in _special(counts, bool(hand.melds), identical_pairs)
        if form in forms
    ]
    return found


def _filled(
    groups: list[tuple[Sort, int]], pair: int, melds: tuple[Group, ...], win: int | None, *, self_drawn: bool
) -> Iterator[Reading]:
    """Yield a reading for each sort of group that the winning tile can have filled."""
    plain = [Group(sort, kind) for sort, kind in groups]
    if pair == win:
        yield Reading(Form.REGULAR, (*melds, *plain), pair, Sort.PAIR)
    for sort in (Sort.CHOW, Sort.PUNG):
        place = next((i for i, group in enumerate(plain) if group.sort == sort and win in group.kinds), None)
        if place is not None:
            opened = [
                Group(sort, group.kind, concealed=False)
                if i == place and sort == Sort.PUNG and not self_drawn
                else group
                for i, group in enumerate(plain)
            ]
            yield Reading(Form.REGULAR, (*melds, *opened), pair, sort)


def _special(
    counts: list[int], melded: bool, identical_pairs: bool
) -> Iterator[tuple[Form, tuple[tuple[Group, ...], int | None, Sort | None]]]:
    """Yield the forms other than the regular one that fourteen concealed tiles make."""
    if melded or sum(counts) != 14:
        return
    held = [kind for kind in range(KINDS) if counts[kind]]
    pairs = tuple(Group(Sort.PAIR, kind) for kind in held for _ in range(counts[kind] // 2))
    if len(pairs) == 7 and (identical_pairs or len(held) == 7):
        yield Form.SEVEN_PAIRS, (pairs, None, Sort.PAIR)
        if held[0] // 9 == held[-1] // 9 and held[-1] < 27:
            yield Form.PURE_PAIRS, (pairs, None, Sort.PAIR)
    double = next((kind for kind in held if counts[kind] == 2), None)
    if len(held) == 13 and double is not None:
        if set(held) == set(TERMINALS_AND_HONOURS):
            yield Form.ORPHANS, ((), double, None)
        if held in SNAKES:
            yield Form.SNAKE, ((), double, None)
    if held in KNITTED:
        yield Form.KNITTED, ((), None, None)


SNAKES = tuple([*range(first, first + 9), *range(27, 31)] for first in (0, 9, 18))
"""The thirteen kinds of each suit with the winds."""
KNITTED = tuple([*range(low, low + 7), *range(high, high + 7)] for low, high in ((0, 9), (0, 18), (9, 18)))
"""1 to 7 of two suits, each kind twice over the two."""
