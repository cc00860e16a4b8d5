"""Facts about a winning hand, and conditions over them: what the yaku tables are written in.

A condition is written with ``&``, ``|`` and ``~`` over facts about a reading of the hand
(``CLOSED & RYANMEN & ALL_RUNS & ~VALUE_PAIR``). It is kept as alternatives of bit patterns over the
reading's words (``kernels.scoring_layout``), so that one small kernel loop evaluates a whole table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntFlag
from functools import reduce
from typing import NamedTuple

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.model.tiles import CHUN, HAKU, HATSU


class Situation(IntFlag):
    """How a win came about: what the tiles alone do not show."""

    TSUMO = layout.TSUMO
    """Won by self-draw; without it the win is a ron."""
    RIICHI = layout.RIICHI
    DOUBLE_RIICHI = layout.DOUBLE_RIICHI
    OPEN_RIICHI = layout.OPEN_RIICHI
    """Riichi with the hand shown; replaces RIICHI, and may go with DOUBLE_RIICHI."""
    IPPATSU = layout.IPPATSU
    RINSHAN = layout.RINSHAN
    """On the supplement tile after a kan or kita."""
    CHANKAN = layout.CHANKAN
    """Ron on a tile that another player uses for a kan."""
    HAITEI = layout.HAITEI
    """Tsumo on the last tile of the wall."""
    HOUTEI = layout.HOUTEI
    """Ron on the last discard."""
    TENHOU = layout.TENHOU
    CHIIHOU = layout.CHIIHOU
    RENHOU = layout.RENHOU
    KANBURI = layout.KANBURI
    """Ron on the discard that follows a kan's supplement draw."""
    TSUBAME = layout.TSUBAME
    """Ron on the discard that declares riichi."""
    TWOFOLD = layout.TWOFOLD
    """Tsumo on the supplement tile of a kan that another kan's supplement tile made."""
    THIRTEENTH = layout.THIRTEENTH
    """The dealer's thirteenth win in a row, or a later one."""
    POCHI = layout.POCHI
    """Tsumo on the white pochi, which stood for the tile that was missing."""
    FED_RIICHI = layout.FED_RIICHI
    """Ron from a player without riichi, who pays a yakuman to an open riichi."""
    FED_KAN = layout.FED_KAN
    """Tsumo on the supplement tile of a kan that another player fed."""


RON = Situation(0)
"""Nothing but a plain ron."""


class BitPattern(NamedTuple):
    """Bits that must all be set and bits that must all be clear, word by word."""

    need: tuple[int, ...] = (0,) * layout.WORDS
    never: tuple[int, ...] = (0,) * layout.WORDS

    def __and__(self, other: BitPattern) -> BitPattern:
        """Both at once."""
        return BitPattern(
            tuple(a | b for a, b in zip(self.need, other.need, strict=True)),
            tuple(a | b for a, b in zip(self.never, other.never, strict=True)),
        )

    @property
    def possible(self) -> bool:
        """Return whether no bit is both needed and forbidden."""
        return not any(a & b for a, b in zip(self.need, self.never, strict=True))

    def denials(self) -> Iterable[BitPattern]:
        """Yield one pattern for each bit that could be otherwise."""
        for word in range(layout.WORDS):
            for bit in range(63):
                if self.need[word] >> bit & 1:
                    yield BitPattern(never=_word(word, 1 << bit))
                if self.never[word] >> bit & 1:
                    yield BitPattern(need=_word(word, 1 << bit))


def _word(word: int, bits: int) -> tuple[int, ...]:
    return tuple(bits if i == word else 0 for i in range(layout.WORDS))


class YakuCondition(NamedTuple):
    """Alternatives of patterns: true where at least one fits. Combine with ``&``, ``|`` and ``~``."""

    alternatives: tuple[BitPattern, ...]

    def __and__(self, other: YakuCondition) -> YakuCondition:
        """True where both are."""
        both = (a & b for a in self.alternatives for b in other.alternatives)
        return YakuCondition(tuple(dict.fromkeys(p for p in both if p.possible)))

    def __or__(self, other: YakuCondition) -> YakuCondition:
        """True where either is."""
        return YakuCondition(self.alternatives + other.alternatives)

    def __invert__(self) -> YakuCondition:
        """True where this is not; meant for short conditions, for it multiplies alternatives."""
        return all_of(YakuCondition(tuple(pattern.denials())) for pattern in self.alternatives)

    def holds(self, words: Sequence[int]) -> bool:
        """Return whether it is true of a reading that is spelt out as words."""
        return any(
            all(
                word & need == need and not word & never
                for word, need, never in zip(words, pattern.need, pattern.never, strict=True)
            )
            for pattern in self.alternatives
        )


ALWAYS = YakuCondition((BitPattern(),))
NEVER = YakuCondition(())


def all_of(conditions: Iterable[YakuCondition]) -> YakuCondition:
    """Return the condition that all of ``conditions`` hold."""
    return reduce(YakuCondition.__and__, conditions, ALWAYS)


def any_of(conditions: Iterable[YakuCondition]) -> YakuCondition:
    """Return the condition that at least one of ``conditions`` holds."""
    return reduce(YakuCondition.__or__, conditions, NEVER)


def fact(word: int, bit: int) -> YakuCondition:
    """A bit of a word is set."""
    return YakuCondition((BitPattern(need=_word(word, 1 << bit)),))


def _reading(bit: int) -> YakuCondition:
    return fact(layout.WORD_FACTS, bit)


def _hand(bit: int) -> YakuCondition:
    return fact(layout.WORD_TRIPLETS, bit)


def situation(flag: Situation) -> YakuCondition:
    """The win came about in this way."""
    return fact(layout.WORD_KINDS, layout.FACT + flag.bit_length() - 1)


def triplet(kind: int) -> YakuCondition:
    """A triplet or kan of this kind."""
    return fact(layout.WORD_TRIPLETS, kind)


def pair(kind: int) -> YakuCondition:
    """The pair (or one of the seven) is of this kind."""
    return fact(layout.WORD_FACTS, kind)


def run(suit: int, number: int) -> YakuCondition:
    """A run in ``suit`` (0 man, 1 pin, 2 sou) that starts at ``number`` (1-7)."""
    return fact(layout.WORD_RUNS, 3 * (7 * suit + number - 1))


def held(kind: int) -> YakuCondition:
    """A tile of this kind anywhere in the hand."""
    return fact(layout.WORD_KINDS, kind)


def held_thrice(kind: int) -> YakuCondition:
    """Three or four concealed tiles of this kind, however they are read."""
    return fact(layout.WORD_THREES, kind)


def winning_tile(kind: int) -> YakuCondition:
    """Won on a tile of this kind."""
    bits, every = kind << layout.FACT_WIN_KIND, 63 << layout.FACT_WIN_KIND
    need, never = _word(layout.WORD_TRIPLETS, bits), _word(layout.WORD_TRIPLETS, every & ~bits)
    return YakuCondition((BitPattern(need, never),))


def only(kinds: Iterable[int]) -> YakuCondition:
    """The hand has no tile of another kind."""
    others = sum(1 << kind for kind in set(range(34)) - set(kinds))
    return YakuCondition((BitPattern(never=_word(layout.WORD_KINDS, others)),))


def kinds_of_suit(suit: int) -> range:
    """Return the kinds of a suit (0 man, 1 pin, 2 sou)."""
    return range(9 * suit, 9 * suit + 9)


SUITS = range(3)
HONOUR_KINDS = range(27, 34)
TERMINAL_KINDS = (0, 8, 9, 17, 18, 26)
GREEN_KINDS = (19, 20, 21, 23, 25, HATSU)
DRAGON_KINDS = (HAKU, HATSU, CHUN)
WIND_KINDS = range(27, 31)

STANDARD = _reading(layout.FACT_FORM + layout.FORM_STANDARD)
SEVEN_PAIRS = _reading(layout.FACT_FORM + layout.FORM_SEVEN_PAIRS)
SNAKE_FORM = _reading(layout.FACT_FORM + layout.FORM_SNAKE)
"""1 to 9 of a suit, the four winds, and a second of one of them."""
KNITTED_FORM = _reading(layout.FACT_FORM + layout.FORM_KNITTED)
"""1 to 7 of two suits."""
ORPHANS = _reading(layout.FACT_FORM + layout.FORM_ORPHANS)
FINISHED = ~_reading(layout.FACT_FORM + layout.FORM_FOUR_KANS)
"""A whole hand, not four kans without a pair."""
RYANMEN = _reading(layout.FACT_WAIT + layout.RYANMEN)
TANKI = _reading(layout.FACT_WAIT + layout.TANKI)
ALL_RUNS = _reading(layout.FACT_ALL_RUNS)
"""Four runs, called ones included."""
HAS_RUN = _reading(layout.FACT_HAS_RUN)
VALUE_PAIR = _reading(layout.FACT_VALUE_PAIR)
"""The pair is of dragons, the seat wind or the round wind."""
ONE_TWIN = _reading(layout.FACT_ONE_TWIN)
"""Two identical runs, once."""
TWO_TWINS = _reading(layout.FACT_TWO_TWINS)
RUN_THRICE = _reading(layout.FACT_RUN_THRICE)
"""Three or four identical runs."""
RUN_FOUR_TIMES = _reading(layout.FACT_RUN_FOUR_TIMES)
THREE_CONCEALED = _reading(layout.FACT_THREE_CONCEALED)
"""Exactly three concealed triplets; one completed by ron is not concealed."""
FOUR_CONCEALED = _reading(layout.FACT_FOUR_CONCEALED)

CLOSED = _hand(layout.FACT_CLOSED)
ANY_KAN = _hand(layout.FACT_ANY_KAN)
THREE_KANS = _hand(layout.FACT_THREE_KANS)
"""Exactly three kans."""
FOUR_KANS = _hand(layout.FACT_FOUR_KANS)
FOUR_OPEN = _hand(layout.FACT_FOUR_OPEN)
"""Four melds, no closed kan among them."""
WIN_EVEN = _hand(layout.FACT_WIN_EVEN)
"""Two or four concealed tiles of the winning kind: the winning tile doubled a single or a triplet."""
HAS_SUIT = tuple(_hand(layout.FACT_MAN + suit) for suit in SUITS)
HAS_HONOUR = _hand(layout.FACT_HONOUR)
HAS_NUMBER = any_of(HAS_SUIT)
SEAT_WIND = tuple(_hand(layout.FACT_SEAT_WIND + wind) for wind in range(4))
ROUND_WIND = tuple(_hand(layout.FACT_ROUND_WIND + wind) for wind in range(4))
TSUMO = situation(Situation.TSUMO)
NOT_OPEN = ~situation(Situation.OPEN_RIICHI)
