"""A case of each local yaku: a hand that has it, what that changes, and a hand that narrowly lacks it."""

from __future__ import annotations

from dataclasses import dataclass

from paifu.replay.rules.hand_facts import RON, Situation


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


RINSHAN, HAITEI = Situation.TSUMO | Situation.RINSHAN, Situation.TSUMO | Situation.HAITEI
TWOFOLD = RINSHAN | Situation.TWOFOLD
PLAIN = "456m456p234s99p777z"

LOCAL_CASES = {
    66: LocalCase(2, "67s55p(234m)(234m)(234m)8s", 1000, 3900, "234m(234m)(345m)99p777z"),
    67: LocalCase(4, "5p(234m)(234m)(234m)(234m)5p", 1000, 8000, "234m(234m)(234m)99p777z"),
    68: LocalCase(2, "67s55p(222m)(333m)(444m)8s", 1000, 3900, "222m(333m)(444p)99p777z"),
    69: LocalCase(13, "5p(222m)(333m)(444m)(555m)5p", 3900, 32000, "222m(333m)(444m)99p666m"),
    70: LocalCase(13, "2233445566778p8p", 24000, 32000, "22334455667788s"),
    71: LocalCase(1, "456m456p678s9923p1p", None, 2000, PLAIN, situation=Situation.KANBURI),
    72: LocalCase(1, "456m456p678s9923p1p", None, 2000, PLAIN, situation=Situation.TSUBAME),
    74: LocalCase(13, "123m789s99p[1111z]46p5p", 7900, 32000, "123m789s456p[1111z]99p", RINSHAN),
    75: LocalCase(13, "123m456p789s66m23p1p", 2700, 32000, "123m456p789s66m23p1p", HAITEI),
    76: LocalCase(13, "456m789p66z777z13s2s", 3200, 32000, "456m789p66z777z13s2s", Situation.CHANKAN),
    77: LocalCase(13, "(2222m)[3333p]456s78s55p9s", None, 32000, "(2222m)[3333p]456s55p777z", TWOFOLD),
    78: LocalCase(13, "123345678m99m55m5m", 12000, 32000, "123345678m99m55m5m", Situation.TSUMO),
    79: LocalCase(13, "1122334455668p8p", 16000, 32000, "112233445566p88s"),
    80: LocalCase(13, "(111m)(999m)345m6722m8m", 8000, 32000, "(111m)(999m)345m6733m8m"),
    81: LocalCase(13, "123456789m1234z4z", None, 32000, "123456789m11122z"),
    82: LocalCase(13, "1234567m123456p7p", None, 32000, "123456789m123p77p"),
    83: LocalCase(13, PLAIN, None, 48000, PLAIN, Situation.THIRTEENTH, seat_wind=0),
    84: LocalCase(5, "(123m)(456p)(777z)(345s)1s1s", 1000, 8000, "(123m)(456p)(345s)777z1s1s"),
    85: LocalCase(3, "(222z)(333z)(444z)46m55p5m", None, 7700, "(222z)(333z)999p46m55p5m", seat_wind=0),
}
"""Id of the yaku -> its case."""
