"""The limits that hands reach."""

from __future__ import annotations

from bisect import bisect
from enum import IntEnum

from paifu.replay.rules.choices import Kazoe, Limits
from paifu.replay.rules.ruleset import Ruleset


class Limit(IntEnum):
    """The limit that a winning hand reaches; the numbers are Tenhou's."""

    NONE = 0
    MANGAN = 1
    HANEMAN = 2
    BAIMAN = 3
    SANBAIMAN = 4
    YAKUMAN = 5

    @classmethod
    def of_base(cls, base: int) -> Limit:
        """Return the limit that base points are; several yakuman are one limit."""
        return _LIMITS[bisect(_LEAST_BASE, base)]

    @classmethod
    def reached(cls, base: int, yakuman: int, rules: Ruleset) -> Limit:
        """Return the limit of base points under a ruleset; without limits only yakuman have one."""
        if rules.scoring.limits == Limits.NONE:
            return cls.YAKUMAN if yakuman else cls.NONE
        return cls.of_base(base)


def limit_of_han(han: int, rules: Ruleset) -> int:
    """Return the base points of a hand of five han or more, 0 for fewer."""
    counted, three = rules.scoring.kazoe_han, rules.scoring.sanbaiman_han
    for least, base in ((counted, 8000), (three, 6000), (8, 4000), (6, 3000), (5, 2000)):
        if han >= least and (base < 8000 or rules.scoring.kazoe == Kazoe.YAKUMAN):
            return base
    return 0


def hundreds(points: int) -> int:
    """Round points up to a hundred."""
    return (points + 99) // 100 * 100


_LIMITS = tuple(Limit)
_LEAST_BASE = (2000, 3000, 4000, 6000, 8000)
"""Base points from which on each limit but the first is reached."""
