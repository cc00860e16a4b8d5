"""Words of tenhou.net/6 JSON: yaku, values of hands, kinds of draws, grades.

Tenhou's own words, and those of the common converters of Mahjong Soul's games to this format, in Japanese
and in English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from paifu.replay.model.batch import UNKNOWN_POINTS
from paifu.replay.model.events import HandEnd
from paifu.replay.scoring.yaku_names import plain_name, yaku_by_name

YAKUMAN_HAN = 13

SEAT_WIND, ROUND_WIND, BOTH_WINDS = -1, -2, -3
"""Instead of a yaku's id: the triplet of the player's wind, of the round's, or of both, unnamed."""
_ANY_WIND = -4
"""Instead of a yaku's id, and three below: the triplet of east, and so on, of whichever wind that is."""

WIN_WORDS = frozenset({"和了", "Agari"})

DRAW_WORDS = {
    "流局": HandEnd.EXHAUSTIVE,
    "全員聴牌": HandEnd.EXHAUSTIVE,
    "全員不聴": HandEnd.EXHAUSTIVE,
    "流し満貫": HandEnd.NAGASHI,
    "九種九牌": HandEnd.KYUUSHU,
    "四風連打": HandEnd.SUUFON,
    "四家立直": HandEnd.SUUCHA,
    "三家和了": HandEnd.SANCHAHOU,
    "三家和": HandEnd.SANCHAHOU,
    "四槓散了": HandEnd.SUUKAIKAN,
    "四開槓": HandEnd.SUUKAIKAN,
    "Ryuukyoku": HandEnd.EXHAUSTIVE,
    "Exhaustive Draw": HandEnd.EXHAUSTIVE,
    "Nagashi Mangan": HandEnd.NAGASHI,
    "Mangan at Draw": HandEnd.NAGASHI,
    "Kyuushu Kyuuhai": HandEnd.KYUUSHU,
    "Nine Terminal Abortion": HandEnd.KYUUSHU,
    "Suufon Renda": HandEnd.SUUFON,
    "Four Wind Abortion": HandEnd.SUUFON,
    "Suucha Riichi": HandEnd.SUUCHA,
    "Four Riichi Abortion": HandEnd.SUUCHA,
    "Sanchahou": HandEnd.SANCHAHOU,
    "Three Ron Abortion": HandEnd.SANCHAHOU,
    "Suukaikan": HandEnd.SUUKAIKAN,
    "Four Kan Abortion": HandEnd.SUUKAIKAN,
    "不明": HandEnd.UNFINISHED,
}
"""How a hand ended without a winner; the last is what Tenhou's editor writes before a result is chosen."""

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

_WINDS = {
    **{f"自風{mark}": SEAT_WIND for mark in ("牌", "")},
    **{f"場風{mark}": ROUND_WIND for mark in ("牌", "")},
    "連風牌": BOTH_WINDS,
    "ダブル風牌": BOTH_WINDS,
    **{f"ダブ{wind}": BOTH_WINDS for wind in "東南西北"},
    **{wind: _ANY_WIND - number for number, wind in enumerate("東南西北")},
    "Seat Wind": SEAT_WIND,
    "Prevalent Wind": ROUND_WIND,
}
_ID_OF_WIND = {plain_name(name): number for name, number in _WINDS.items()}
_HEADINGS = tuple(map(plain_name, ("役牌", "翻牌", "飜牌")))
"""What some spellings have before the name of a triplet that is worth a han."""
_OF_WINDS = (("門風", "自風"), ("圏風", "場風"))
"""What some spellings call the player's wind and the round's."""


def yaku_of_name(name: str) -> int | None:
    """The id of a yaku by its name alone, or a number that :func:`named_winds` reads; None if not known."""
    plain = plain_name(name)
    for heading in _HEADINGS:
        plain = plain.removeprefix(heading)
    for other, usual in _OF_WINDS:
        plain = plain.replace(other, usual)
    return _ID_OF_WIND.get(plain, yaku_by_name(plain))


def named_winds(yaku: Sequence[tuple[int, int]], seat_wind: int, round_wind: int) -> list[tuple[int, int]]:
    """Give triplets of winds, listed by numbers instead of ids, the ids that they have for this winner.

    >>> named_winds([(SEAT_WIND, 1), (yaku_of_name("役牌 東"), 1), (yaku_of_name("ダブ南"), 2)], 1, 0)
    [(11, 1), (14, 1), (11, 1), (14, 1)]
    """
    own, of_round = 10 + seat_wind, 14 + round_wind
    found: list[tuple[int, int]] = []
    for number, han in yaku:
        wind = _ANY_WIND - number
        if number >= 0:
            found.append((number, han))
        elif number == BOTH_WINDS or (wind == seat_wind == round_wind and han > 1):
            found += [(own, han // 2), (of_round, han - han // 2)]
        elif number == SEAT_WIND:
            found.append((own, han))
        elif number == ROUND_WIND:
            found.append((of_round, han))
        else:
            is_of_round = wind == round_wind and (of_round, han) not in found
            found.append((14 + wind if is_of_round else 10 + wind, han))
    return found


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

_LIMIT_OF_WORD = {
    "": 0,
    "満貫": 1,
    "切り上げ満貫": 1,
    "跳満": 2,
    "倍満": 3,
    "三倍満": 4,
    "役満": 5,
    "数え役満": 5,
    "Mangan": 1,
    "Kiriage Mangan": 1,
    "Rounded Mangan": 1,
    "Haneman": 2,
    "Baiman": 3,
    "Sanbaiman": 4,
    "Yakuman": 5,
    "Kazoe Yakuman": 5,
    "Counted Yakuman": 5,
}
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
    limit = _LIMIT_OF_WORD.get(found[2].strip()) if found else None
    if found is None or limit is None:
        return None
    first, second = int(found[3]), int(found[4] or 0)
    points = first
    if found[4]:
        points = (players - 2) * first + second
    elif found[5]:
        points = (players - 1) * first
    return StatedValue(int(found[1]) if found[1] else -1, points, limit)
