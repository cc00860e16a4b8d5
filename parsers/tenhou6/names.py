"""Words of tenhou.net/6 JSON: yaku with their worth, values of hands, grades.

Tenhou's own words, and those of the common converters of Mahjong Soul's games to this format, in Japanese
and in English.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from paifu.parsers.words import LIMIT_OF_WORD, yaku_of_name
from paifu.replay.model.batch import UNKNOWN_POINTS
from paifu.replay.rules.fields import YAKUMAN_HAN

WIN_WORDS = frozenset({"和了", "Agari"})

TENPAI_OF_WORD = {"全員聴牌": 1, "全員不聴": 0}
"""Draws that say of all players whether they were tenpai."""

_KYU = {f"{digit}級": 10 - number for number, digit in enumerate("１２３４５６７８９", start=1)}
_DAN_DIGITS = "初二三四五六七八九十"
DAN_NUMBERS = {
    "新人": 0,
    **_KYU,
    **{f"{digit}段": 10 + number for number, digit in enumerate(_DAN_DIGITS)},
    "天鳳": 20,
    "天鳳位": 20,
}
"""A grade's name -> Tenhou's number for it."""

_YAKU = re.compile(r"(.{1,60})\(([^()]{1,20})\)")
_YAKUMAN_WORDS = ("役満", "Yakuman")


@lru_cache(maxsize=4096)
def parse_yaku(text: str) -> tuple[int, int] | None:
    """Read a yaku with its worth into id and han; None for one that is not known.

    >>> parse_yaku("自風 東(1飜)"), parse_yaku("大三元(役満)"), parse_yaku("ドラ(3飜)")
    ((10, 1), (39, 13), (52, 3))
    """
    found = _YAKU.fullmatch(text)
    number = yaku_of_name(found[1]) if found else None
    if found is None or number is None:
        return None
    if any(word in found[2] for word in _YAKUMAN_WORDS):
        return number, YAKUMAN_HAN
    han = re.match("[0-9]{1,2}", found[2])
    return (number, int(han[0])) if han else None


class StatedValue(NamedTuple):
    """What a hand is worth, as stated: -1 for fu, and 255 for the limit, where nothing is said."""

    fu: int
    points: int
    limit: int


NO_VALUE = StatedValue(-1, UNKNOWN_POINTS, 255)

_VALUE = re.compile(
    r"(?:([0-9]{1,3}) ?(?:符|Fu))? ?(?:[0-9]{1,3} ?(?:[飜翻番]|Han))? ?([^0-9]{0,20})"
    r"([0-9]{1,7})(?:-([0-9]{1,7}))? ?(?:点|Points)(∀?)(?:[0-9]+枚∀?)?"
)


@lru_cache(maxsize=4096)
def parse_value(text: str, players: int) -> StatedValue | None:
    """Read a hand's value; None for a text of another form.

    Points are all that the winner gets for the hand: of a tsumo, the sum of the payments.

    >>> parse_value("30符3飜1000-2000点", 4), parse_value("満貫4000点∀", 3)
    (StatedValue(fu=30, points=4000, limit=0), StatedValue(fu=-1, points=8000, limit=1))
    """
    found = _VALUE.fullmatch(text)
    word = found[2].strip() if found else ""
    if found is None or (word and word not in LIMIT_OF_WORD):
        return None
    first, second = int(found[3]), int(found[4] or 0)
    points = first
    if found[4]:
        points = (players - 2) * first + second
    elif found[5]:
        points = (players - 1) * first
    limit = int(LIMIT_OF_WORD[word]) if word else 0
    return StatedValue(int(found[1]) if found[1] else -1, points, limit)
