"""What the conditions of patterns look at: one reading of one hand, and how it won.

Everything that several patterns ask for is worked out once and by name: which pungs there are, how many of
them are concealed, which kinds occur. Kinds are also kept as a mask of 34 bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from functools import cached_property

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.model.tile_notation import format_kinds
from paifu.replay.rules.choices import ReplacementWin
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.hand import Facts, HeldTiles, Replacement
from paifu.replay.scoring.readings import Form, Group, Reading


def mask_of(kinds: Iterable[int]) -> int:
    """Return kinds as bits."""
    return sum(1 << kind for kind in set(kinds))


FLOWERS, SEASONS = frozenset(range(34, 38)), frozenset(range(38, 42))
_THIRTEEN, _NO_KIND = 13, 63


class OtherFact(IntEnum):
    """Facts that only other games ask for: bits of the word of kinds, after those of riichi."""

    TWO_CONCEALED = 64
    """Exactly two concealed pungs."""
    ONE_GONG = 65
    TWO_GONGS = 66
    ON_REPLACEMENT = 67
    """Self-drawn with a replacement of the sort that the ruleset counts."""
    GONG_ON_GONG = 68
    """Self-drawn with a gong's replacement, in a turn with two gongs at least."""
    FIRST_DISCARD = 69
    """On the first discard of the hand, East's."""
    EIGHT_KEEPS = 70
    """The dealer wins after keeping the deal eight times at least."""
    NO_BONUS = 71
    """No bonus tile set aside, in a game that has them."""
    ALL_FLOWERS = 72
    ALL_SEASONS = 73
    SIX_BONUS = 74
    SEVEN_BONUS = 75
    EIGHT_BONUS = 76


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

    @cached_property
    def sets(self) -> tuple[Group, ...]:
        """Chows, pungs and gongs."""
        return self.reading.melds + self.reading.sets

    @cached_property
    def chows(self) -> tuple[int, ...]:
        """The lowest kind of each chow, rising."""
        return tuple(sorted(group.first for group in self.sets if not group.is_triplet))

    @cached_property
    def pung_groups(self) -> tuple[Group, ...]:
        """Pungs and gongs."""
        return tuple(group for group in self.sets if group.is_triplet)

    @cached_property
    def pungs(self) -> tuple[int, ...]:
        """The kind of each pung or gong, rising."""
        return tuple(sorted(group.first for group in self.pung_groups))

    @cached_property
    def gongs(self) -> int:
        """How many gongs there are."""
        return sum(group.is_kan for group in self.sets)

    @cached_property
    def concealed_pungs(self) -> int:
        """Pungs and gongs without a claimed tile."""
        return sum(group.concealed for group in self.pung_groups)

    @cached_property
    def mask(self) -> int:
        """The kinds that occur, melds included."""
        return mask_of(self.hand.kinds)

    @cached_property
    def closed(self) -> bool:
        """Nothing was claimed; concealed gongs do no harm."""
        return all(meld.concealed for meld in self.hand.melds)

    @cached_property
    def melded_openly(self) -> int:
        """Melds other than concealed gongs."""
        return sum(not meld.concealed for meld in self.hand.melds)

    @cached_property
    def words(self) -> tuple[int, ...]:
        """What conditions ask for: the words of riichi's kernels, with more facts after theirs."""
        chows, counts, win = Counter(self.chows), Counter(self.hand.tiles), self.hand.win
        most, twins = max(chows.values(), default=0), sum(count // 2 for count in chows.values())
        runs = sum((1, 3, 3, 7)[count - 1] << 3 * (kind // 9 * 7 + kind % 9) for kind, count in chows.items())
        form = Form.SEVEN_PAIRS if self.form == Form.PURE_PAIRS else self.form
        facts = (
            (len(self.chows) == 4) << layout.FACT_ALL_RUNS
            | bool(chows) << layout.FACT_HAS_RUN
            | (twins == 1) << layout.FACT_ONE_TWIN
            | (twins == 2) << layout.FACT_TWO_TWINS
            | (most >= 3) << layout.FACT_RUN_THRICE
            | (most == 4) << layout.FACT_RUN_FOUR_TIMES
            | (self.concealed_pungs == 3) << layout.FACT_THREE_CONCEALED
            | (self.concealed_pungs == 4) << layout.FACT_FOUR_CONCEALED
            | (form < layout.FORMS) << layout.FACT_FORM + form
        )
        held = (
            self.closed << layout.FACT_CLOSED
            | (self.gongs > 0) << layout.FACT_ANY_KAN
            | (self.gongs == 3) << layout.FACT_THREE_KANS
            | (self.gongs == 4) << layout.FACT_FOUR_KANS
            | (win is not None and counts[win] % 2 == 0) << layout.FACT_WIN_EVEN
            | 1 << layout.FACT_SEAT_WIND + self.facts.seat_wind
            | self.rules.table.round_wind << layout.FACT_ROUND_WIND + self.facts.round_wind
            | (self.melded_openly == 4) << layout.FACT_FOUR_OPEN
            | bool(self.mask & layout.HONOURS) << layout.FACT_HONOUR
            | sum(bool(self.mask >> 9 * suit & 511) << layout.FACT_MAN + suit for suit in range(3))
            | (_NO_KIND if win is None else win) << layout.FACT_WIN_KIND
        )
        others = sum(1 << bit for bit, holds in self._others.items() if holds)
        return (
            mask_of(pair.first for pair in self.reading.pairs) | facts,
            mask_of(self.pungs) | held,
            self.mask | self._situation << layout.FACT | others,
            runs,
            mask_of(kind for kind, count in counts.items() if count > 2),
        )

    @property
    def _situation(self) -> int:
        """How it won, as riichi calls it."""
        facts = self.facts
        drawn, dealer, on_gong = facts.self_drawn, facts.seat_wind == 0, facts.replacement == Replacement.GONG
        untouched = not facts.gong_before and not self.hand.melds
        first = facts.first_turn and untouched
        early = first or (facts.dealers_first_discard and untouched)
        return (
            layout.TSUMO * drawn
            | layout.RINSHAN * on_gong
            | layout.CHANKAN * facts.robbing
            | layout.HAITEI * (facts.last_tile and drawn)
            | layout.HOUTEI * (facts.last_tile and not drawn)
            | layout.TENHOU * (first and dealer and drawn)
            | layout.CHIIHOU * (first and not dealer and drawn)
            | layout.RENHOU * (early and not dealer and not drawn)
            | layout.KANBURI * (facts.after_replacement and not drawn)
            | layout.TWOFOLD * (on_gong and facts.gongs_in_turn >= 2 and facts.gong_from_replacement)
            | layout.THIRTEENTH * (dealer and facts.dealer_wins >= _THIRTEEN)
        )

    @property
    def _others(self) -> dict[int, bool]:
        """Facts that riichi does not ask for."""
        facts, bonus = self.facts, self.hand.bonus
        on_gong = facts.replacement == Replacement.GONG
        counts_bonus = self.rules.faan.replacement_win == ReplacementWin.GONG_OR_BONUS
        return {
            OtherFact.TWO_CONCEALED: self.concealed_pungs == 2,
            OtherFact.ONE_GONG: self.gongs == 1,
            OtherFact.TWO_GONGS: self.gongs == 2,
            OtherFact.ON_REPLACEMENT: on_gong or (facts.replacement == Replacement.BONUS and counts_bonus),
            OtherFact.GONG_ON_GONG: on_gong and facts.gongs_in_turn >= 2,
            OtherFact.FIRST_DISCARD: facts.dealers_first_discard and not facts.gong_before,
            OtherFact.EIGHT_KEEPS: facts.seat_wind == 0 and facts.keeps >= 8,
            OtherFact.NO_BONUS: bool(self.rules.tiles.bonus_tiles) and not bonus,
            OtherFact.ALL_FLOWERS: {*bonus} >= FLOWERS,
            OtherFact.ALL_SEASONS: {*bonus} >= SEASONS,
            OtherFact.SIX_BONUS: len(bonus) == 6,
            OtherFact.SEVEN_BONUS: len(bonus) == 7,
            OtherFact.EIGHT_BONUS: len(bonus) == 8,
        }

    def pungs_of(self, kinds: Iterable[int]) -> tuple[str, ...]:
        """The pungs and gongs of some kinds, in hand notation."""
        wanted = frozenset(kinds)
        return tuple(format_kinds(group.kinds) for group in self.pung_groups if group.first in wanted)
