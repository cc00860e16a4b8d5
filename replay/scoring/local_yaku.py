"""Local yaku: a row of data each, with the rule that says what it is worth.

From a row follow the yaku itself (:mod:`paifu.replay.scoring.yaku`), its rule (a field of
:class:`~paifu.replay.rules.ruleset.Ruleset`: han open or closed, 13 for a yakuman, 0 for none) and its place
in the documentation. Presets that do not mention the rule do not play the yaku.
"""

from __future__ import annotations

from dataclasses import dataclass

from paifu.replay.scoring.hand_facts import (
    RUN_FOUR_TIMES,
    RUN_THRICE,
    SEVEN_PAIRS,
    SUITS,
    Condition,
    Situation,
    all_of,
    any_of,
    pair,
    situation,
    triplet,
)


def _triplets_in_row(length: int) -> Condition:
    """That many triplets of consecutive numbers in one suit."""
    return any_of(
        all_of(triplet(9 * suit + number + step) for step in range(length))
        for suit in SUITS
        for number in range(10 - length)
    )


@dataclass(frozen=True, slots=True)
class LocalYaku:
    """One local yaku."""

    id: int
    """From 64 to 126, the same for ever."""
    romaji: str
    english: str
    japanese: str
    meaning: str
    """What the rule is about, in words."""
    condition: Condition
    open_hand: bool = True
    """An open hand counts, too."""
    replaces: tuple[int, ...] = ()
    """Ids of lesser yaku, earlier in the table, that do not count beside this one."""

    @property
    def rule(self) -> str:
        """The field of a ruleset that says what it is worth."""
        return f"{self.romaji.replace(' ', '_')}_han"


# fmt: off
LOCAL_YAKU = (
    LocalYaku(66, "isshoku sanjun", "three identical runs", "一色三順", "Three identical sequences",
              RUN_THRICE, replaces=(9,)),
    LocalYaku(67, "isshoku yonjun", "four identical runs", "一色四順", "Four identical sequences",
              RUN_FOUR_TIMES, replaces=(32, 66)),
    LocalYaku(68, "sanrenkou", "three triplets in a row", "三連刻",
              "Three triplets of consecutive numbers in one suit", _triplets_in_row(3)),
    LocalYaku(69, "suurenkou", "four triplets in a row", "四連刻",
              "Four triplets of consecutive numbers in one suit", _triplets_in_row(4), replaces=(68,)),
    LocalYaku(70, "daisharin", "big wheel", "大車輪", "Closed 22334455667788 in dots",
              SEVEN_PAIRS & all_of(pair(kind) for kind in range(10, 17)), open_hand=False),
    LocalYaku(71, "kanburi", "discard after a kan", "槓振り",
              "Ron on the discard that follows a kan's supplement draw", situation(Situation.KANBURI)),
    LocalYaku(72, "tsubame gaeshi", "ron on the riichi tile", "燕返し",
              "Ron on the discard that declares riichi", situation(Situation.TSUBAME)),
)
# fmt: on
