"""A case of each local yaku: a hand that has it, what that changes, and a hand that narrowly lacks it."""

from __future__ import annotations

from dataclasses import dataclass

from paifu.replay.scoring.hand_facts import RON, Situation


@dataclass(frozen=True)
class LocalCase:
    """``before`` and ``after`` are the points of ``hand`` where the yaku is worth 0 and ``han``.

    Hands are written as ``paifu score`` takes them; None: no win. ``near_miss`` is won by ron.
    """

    han: int
    hand: str
    before: int | None
    after: int
    near_miss: str
    situation: Situation = RON
    seat_wind: int = 1
    """0 is the dealer; the round is east."""


PLAIN = "456m456p234s99p777z"

LOCAL_CASES = {
    66: LocalCase(2, "67s55p(234m)(234m)(234m)8s", 1000, 3900, "234m(234m)(345m)99p777z"),
    67: LocalCase(4, "5p(234m)(234m)(234m)(234m)5p", 1000, 8000, "234m(234m)(234m)99p777z"),
    68: LocalCase(2, "67s55p(222m)(333m)(444m)8s", 1000, 3900, "222m(333m)(444p)99p777z"),
    69: LocalCase(13, "5p(222m)(333m)(444m)(555m)5p", 3900, 32000, "222m(333m)(444m)99p666m"),
    70: LocalCase(13, "2233445566778p8p", 24000, 32000, "22334455667788s"),
    71: LocalCase(1, "456m456p678s9923p1p", None, 2000, PLAIN, situation=Situation.KANBURI),
    72: LocalCase(1, "456m456p678s9923p1p", None, 2000, PLAIN, situation=Situation.TSUBAME),
}
"""Id of the yaku -> its case."""
