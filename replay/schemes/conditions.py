"""Conditions of patterns: small functions over a :class:`Case`, shared by the tables of all schemes.

A condition answers True or False, or with the tiles of each set that counts where a pattern counts a set at a
time. The same name means the same condition in every table.
"""

from __future__ import annotations

from collections.abc import Iterable

from paifu.replay.model.tiles import format_kinds
from paifu.replay.rules.choices import ReplacementWin
from paifu.replay.schemes.case import (
    DRAGON_KINDS,
    GREENS,
    HONOURS,
    OUTER,
    SUIT_MASKS,
    SUITS,
    TERMINALS,
    WIND_KINDS,
    Case,
    mask_of,
)
from paifu.replay.schemes.hand import Replacement, Sort, bonus_owner
from paifu.replay.schemes.pattern import Condition
from paifu.replay.schemes.readings import Form, counted

FLOWERS, SEASONS = frozenset(range(34, 38)), frozenset(range(38, 42))
FIVE_DOTS, ONE_DOT, TWO_BAMBOO, ONE_BAMBOO = 13, 9, 19, 18
_GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)


# Kinds


def only(case: Case, mask: int) -> bool:
    """No tile of another kind."""
    return not case.mask & ~mask


def no_terminals(case: Case) -> bool:
    """Only simples."""
    return not case.mask & OUTER


def mixed_suit(case: Case) -> bool:
    """One suit and at least one honour."""
    return case.suits == 1 and bool(case.mask & HONOURS)


def pure_suit(case: Case) -> bool:
    """One suit and no honours."""
    return case.suits == 1 and not case.mask & HONOURS


def all_honours(case: Case) -> bool:
    """Honours only."""
    return only(case, HONOURS)


def all_terminals(case: Case) -> bool:
    """Terminals only."""
    return only(case, TERMINALS)


def mixed_terminals(case: Case) -> bool:
    """Terminals and honours, both of them."""
    return only(case, OUTER) and bool(case.mask & HONOURS) and bool(case.mask & TERMINALS)


def perfect_green(case: Case) -> bool:
    """Only tiles that are green all over."""
    return only(case, GREENS)


# Sets


def all_chows(case: Case) -> bool:
    """Four chows."""
    return len(case.chows) == 4


def all_pungs(case: Case) -> bool:
    """Four pungs or gongs."""
    return len(case.pungs) == 4


def concealed(case: Case) -> bool:
    """Nothing claimed."""
    return case.closed


def concealed_pungs(number: int) -> Condition:
    """Exactly ``number`` concealed pungs."""
    return lambda case: case.concealed_pungs == number


def gongs(number: int) -> Condition:
    """Exactly ``number`` gongs."""
    return lambda case: case.gongs == number


def pungs_of_dragons(case: Case) -> tuple[str, ...]:
    """Each pung of a dragon."""
    return case.pungs_of(DRAGON_KINDS)


def pung_of_seat_wind(case: Case) -> tuple[str, ...]:
    """The pung of the player's wind."""
    return case.pungs_of([27 + case.facts.seat_wind])


def pung_of_round_wind(case: Case) -> tuple[str, ...]:
    """The pung of the round's wind, where there is one."""
    return case.pungs_of([27 + case.facts.round_wind] if case.rules.round_wind else [])


def value_honours(case: Case) -> tuple[str, ...]:
    """Each pung of a dragon or of the player's wind."""
    return pungs_of_dragons(case) + pung_of_seat_wind(case)


def _honour_pungs(case: Case, kinds: Iterable[int]) -> int:
    return sum(kind in kinds for kind in case.pungs)


def dragons(number: int, *, pair: bool) -> Condition:
    """``number`` pungs of dragons, and whether the pair is of a dragon."""
    return lambda case: (
        _honour_pungs(case, DRAGON_KINDS) == number and (case.pair in DRAGON_KINDS or not pair)
    )


def winds(number: int, *, pair: bool | None) -> Condition:
    """``number`` pungs of winds, and whether the pair is of a wind (None: either)."""
    return lambda case: (
        _honour_pungs(case, WIND_KINDS) == number and (pair is None or (case.pair in WIND_KINDS) == pair)
    )


def dragon_suit(dragon: int, suit: int) -> Condition:
    """A pung of the dragon, and three pungs and a pair of the suit."""

    def find(case: Case) -> bool:
        others = [kind for kind in case.pungs if kind in SUITS[suit]]
        return len(others) == 3 and dragon in case.pungs and case.pair in SUITS[suit]

    return find


# Equal, similar and consecutive sets


def equal_chows(number: int) -> Condition:
    """``number`` equal chows or more."""
    return lambda case: any(count >= number for count in case.equal_chows.values())


def equal_chows_twice(case: Case) -> bool:
    """Two couples of equal chows."""
    return sum(count // 2 for count in case.equal_chows.values()) == 2


def _places(kinds: Iterable[int]) -> list[set[int]]:
    """The numbers (0-8) that occur in each suit."""
    listed = tuple(kinds)
    return [{kind % 9 for kind in listed if kind in suit} for suit in SUITS]


def similar_chows(case: Case) -> bool:
    """The same chow in all three suits."""
    return bool(set.intersection(*_places(case.chows)))


def similar_pungs(case: Case) -> bool:
    """Pungs of one number in all three suits."""
    return bool(set.intersection(*_places(case.pungs)))


def small_similar_pungs(case: Case) -> bool:
    """Pungs of one number in two suits, and its pair in the third."""
    if case.pair is None or case.pair not in range(27):
        return False
    places = [numbers for suit, numbers in enumerate(_places(case.pungs)) if suit != case.pair // 9]
    return all(case.pair % 9 in numbers for numbers in places)


def straight(case: Case) -> bool:
    """123, 456 and 789 of one suit."""
    return any({0, 3, 6} <= numbers for numbers in _places(case.chows))


def consecutive_pungs(length: int) -> Condition:
    """Pungs of ``length`` successive ranks of one suit."""
    return lambda case: any(
        set(range(first, first + length)) <= numbers
        for numbers in _places(case.pungs)
        for first in range(10 - length)
    )


def _all_touch(case: Case, kinds: int) -> bool:
    """Every set and the pair hold one of the kinds, and there is a chow."""
    groups = [mask_of(group.kinds) for group in case.sets] + [mask_of([case.pair or 0])]
    return bool(case.chows) and all(group & kinds for group in groups)


def mixed_outside(case: Case) -> bool:
    """Every set and the pair hold a terminal or an honour; a chow and an honour occur."""
    return bool(case.mask & HONOURS) and _all_touch(case, OUTER)


def pure_outside(case: Case) -> bool:
    """Every set and the pair hold a terminal; a chow occurs and no honour."""
    return not case.mask & HONOURS and _all_touch(case, TERMINALS)


# Whole hands


def form(wanted: Form) -> Condition:
    """The hand has this form."""
    return lambda case: case.form == wanted


def nine_gates(case: Case) -> bool:
    """Concealed 1112345678999 of one suit, and any tile of it."""
    counts = counted(case.hand.tiles)
    return not case.hand.melds and any(
        all(counts[first + place] >= need for place, need in enumerate(_GATES)) for first in (0, 9, 18)
    )


def nine_gates_nine_wide(case: Case) -> bool:
    """The thirteen tiles before the win are 1112345678999 of one suit."""
    counts = counted(case.hand.before)
    return not case.hand.melds and any(tuple(counts[first : first + 9]) == _GATES for first in (0, 9, 18))


def great_chariot(case: Case) -> bool:
    """22334455667788 of dots, nothing claimed."""
    counts = counted(case.hand.tiles)
    return not case.hand.melds and all(counts[kind] == 2 for kind in range(10, 17))


def concealed_suit(case: Case) -> bool:
    """One suit, nothing claimed, self-drawn."""
    return pure_suit(case) and case.closed and case.facts.self_drawn


def snake(case: Case) -> bool:
    """One suit: pungs of 1 and of 9, two chows and a pair of 2, 5 or 8 between them."""
    middle = any(
        case.mask & ~suit_mask == 0 and {suit[0], suit[8]} <= set(case.pungs)
        for suit, suit_mask in zip(SUITS, SUIT_MASKS, strict=True)
    )
    if not middle or len(case.chows) != 2 or case.pair is None:
        return False
    rest = sorted(kind % 9 for group in case.sets if group.sort == Sort.CHOW for kind in group.kinds)
    return case.pair % 9 in (1, 4, 7) and sorted([*rest, case.pair % 9]) == list(range(1, 8))


# Bonus tiles


def no_bonus(case: Case) -> bool:
    """No bonus tile set aside, in a game that has them."""
    return bool(case.rules.bonus_tiles) and not case.hand.bonus


def own_bonus(case: Case) -> tuple[str, ...]:
    """Each flower or season of the player's seat."""
    return tuple(
        format_kinds([kind]) for kind in case.hand.bonus if bonus_owner(kind) == case.facts.seat_wind
    )


def all_flowers(case: Case) -> bool:
    """All four flowers."""
    return set(case.hand.bonus) >= FLOWERS


def all_seasons(case: Case) -> bool:
    """All four seasons."""
    return set(case.hand.bonus) >= SEASONS


def bonus_tiles(number: int) -> Condition:
    """Exactly ``number`` bonus tiles."""
    return lambda case: len(case.hand.bonus) == number


# How it won


def self_drawn(case: Case) -> bool:
    """Won on a draw, replacements included."""
    return case.facts.self_drawn


def last_draw(case: Case) -> bool:
    """Self-drawn with the last tile of the wall."""
    return case.facts.last_tile and case.facts.self_drawn


def last_discard(case: Case) -> bool:
    """On the discard after the last tile of the wall."""
    return case.facts.last_tile and not case.facts.self_drawn


def last_tile(case: Case) -> bool:
    """With the last tile of the wall, or on the discard after it."""
    return case.facts.last_tile


def on_gong(case: Case) -> bool:
    """Self-drawn with the replacement for a gong's fourth tile."""
    return case.facts.replacement == Replacement.GONG


def on_replacement(case: Case) -> bool:
    """Self-drawn with a replacement of the sort that the ruleset counts."""
    return case.facts.replacement == Replacement.GONG or (
        case.facts.replacement == Replacement.BONUS
        and case.rules.replacement_win == ReplacementWin.GONG_OR_BONUS
    )


def gong_on_gong(case: Case) -> bool:
    """Self-drawn with a gong's replacement, in a turn with two gongs at least."""
    return on_gong(case) and case.facts.gongs_in_turn >= 2


def twofold(case: Case) -> bool:
    """A gong's replacement made a second gong in the same turn, whose replacement won."""
    return gong_on_gong(case) and case.facts.gong_from_replacement


def robbing(case: Case) -> bool:
    """On a tile that another player added to a pung."""
    return case.facts.robbing


def robbing_two_bamboo(case: Case) -> bool:
    """Robbing a gong of 2s."""
    return case.facts.robbing and case.hand.win == TWO_BAMBOO


def heaven(case: Case) -> bool:
    """East wins with the first fourteen tiles, no gong made; replacements for bonus tiles are allowed."""
    facts = case.facts
    untouched = facts.first_turn and not facts.gong_before and not case.hand.melds
    return facts.seat_wind == 0 and facts.self_drawn and untouched


def earth(case: Case) -> bool:
    """Another player self-draws in the first turn, no tile claimed and no gong made before."""
    facts = case.facts
    untouched = facts.first_turn and not facts.gong_before and not case.hand.melds
    return facts.seat_wind != 0 and facts.self_drawn and untouched


def man(case: Case) -> bool:
    """On a discard before the player's first draw, no tile claimed and no gong made before."""
    facts = case.facts
    first = facts.first_turn or facts.dealers_first_discard
    untouched = first and not facts.gong_before and not case.hand.melds
    return facts.seat_wind != 0 and not facts.self_drawn and untouched


def dealers_first_discard(case: Case) -> bool:
    """On the first discard of the hand, East's."""
    return case.facts.dealers_first_discard and not case.facts.gong_before


def after_replacement(case: Case) -> bool:
    """On the discard right after its player drew a replacement."""
    return case.facts.after_replacement and not case.facts.self_drawn


def plum_blossom(case: Case) -> bool:
    """A gong's replacement, a 5 of dots."""
    return on_gong(case) and case.hand.win == FIVE_DOTS


def moon(case: Case) -> bool:
    """Self-drawn with the last tile of the wall, a 1 of dots."""
    return last_draw(case) and case.hand.win == ONE_DOT


def golden_chicken(case: Case) -> bool:
    """Four open melds and a pair, won on the 1 of bamboos."""
    return case.melded_openly == 4 and case.hand.win == ONE_BAMBOO


def guest_winds(case: Case) -> bool:
    """The player's wind is the round's, and the three others are pungs."""
    if not case.rules.round_wind or case.facts.seat_wind != case.facts.round_wind:
        return False
    return all(27 + wind in case.pungs for wind in range(4) if wind != case.facts.seat_wind)


def keeps(number: int) -> Condition:
    """The dealer wins after keeping the deal so often at least."""
    return lambda case: case.facts.seat_wind == 0 and case.facts.keeps >= number


def dealer_wins(number: int) -> Condition:
    """The dealer wins at least the ``number``-th hand in a row."""
    return lambda case: case.facts.seat_wind == 0 and case.facts.dealer_wins >= number
