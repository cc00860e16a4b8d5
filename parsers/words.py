"""Words that several formats share: yaku, triplets of winds, and how a hand ends without a winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paifu.replay.model.events import HandEnd
from paifu.replay.scoring.yaku_names import plain_name, yaku_by_name

SEAT_WIND, ROUND_WIND, BOTH_WINDS = -1, -2, -3
"""Instead of a yaku's id: the triplet of the player's wind, of the round's, or of both, unnamed."""
_ANY_WIND = -4
"""Instead of a yaku's id, and three below: the triplet of east, and so on, of whichever wind that is."""

DRAW_WORDS = {
    "流局": HandEnd.EXHAUSTIVE,
    "全員聴牌": HandEnd.EXHAUSTIVE,
    "全員不聴": HandEnd.EXHAUSTIVE,
    "荒牌平局": HandEnd.EXHAUSTIVE,
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

WORD_OF_DRAW: Mapping[HandEnd, str] = {kind: word for word, kind in reversed(DRAW_WORDS.items())} | {
    HandEnd.UNKNOWN_DRAW: "流局"
}
"""What Tenhou calls each end of a hand without a winner."""

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
    if not yaku or min(yaku)[0] >= 0:
        return list(yaku)
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
