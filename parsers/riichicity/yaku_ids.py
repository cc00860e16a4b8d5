"""Yaku, ends of hands and tiles of Riichi City, by its numbers."""

from __future__ import annotations

from collections.abc import Mapping

from paifu.parsers.words import ROUND_WIND, SEAT_WIND
from paifu.replay.model.events import CODE_OF_TILE, HandEnd
from paifu.replay.model.tiles import RED_MAN

NAGASHI, NORTH_DORA, DORA = 30, 55, 52
YAKU: Mapping[int, int] = {
    0: 1, 1: 0, 2: 2, 3: 4, 4: 5, 5: 6, 6: 3, 7: 20, 8: 19, 9: 18, 10: ROUND_WIND, 11: SEAT_WIND, 12: 9,
    13: 7, 14: 8, 15: 21, 16: 28, 17: 22, 18: 29, 19: 27, 20: 31, 21: 23, 22: 24, 23: 25, 24: 30, 25: 26,
    26: 33, 27: 34, 28: 32, 29: 35, 31: 37, 32: 38, 33: 36, 34: 47, 35: 48, 36: 45, 37: 46, 38: 40,
    39: 41, 40: 51, 41: 44, 42: 42, 43: 49, 44: 50, 45: 39, 46: 43, 47: 43, 49: 54, 50: 52, 51: 53,
    52: 64, 53: 65, 54: 64, 55: 52,
}  # fmt: skip
"""The platform's id -> the replay model's."""
ENDS: Mapping[int, HandEnd] = {
    0: HandEnd.WIN,
    1: HandEnd.WIN,
    2: HandEnd.SUUFON,
    3: HandEnd.SUUKAIKAN,
    4: HandEnd.SUUCHA,
    5: HandEnd.SANCHAHOU,
    6: HandEnd.KYUUSHU,
    7: HandEnd.EXHAUSTIVE,
    8: HandEnd.UNFINISHED,
    9: HandEnd.CHOMBO,
    10: HandEnd.CHOMBO,
    11: HandEnd.UNFINISHED,
}
"""8 is a game that the players voted to stop, 11 one that was stopped."""
WINDS = (49, 65, 81, 97)
_RED = 0x100
_HONOURS = 0x31


def _codes() -> dict[int, int]:
    codes = {}
    for first, of_suit in ((0x21, 0), (0x01, 9), (0x11, 18)):
        for number in range(9):
            codes[first + number] = CODE_OF_TILE + of_suit + number
        suit = of_suit // 9
        codes[_RED + first + 4] = CODE_OF_TILE + RED_MAN + suit
    codes |= {_HONOURS + 16 * honour: CODE_OF_TILE + 27 + honour for honour in range(7)}
    return codes


CODES: Mapping[int, int] = _codes()
"""Number of a tile -> its code."""
