"""Words that several formats share: yaku, triplets of winds, and how a hand ends without a winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paifu.replay.model.events import HandEnd
from paifu.replay.scoring.limits import Limit
from paifu.replay.scoring.yaku_names import plain_name, yaku_by_name

SEAT_WIND, ROUND_WIND, BOTH_WINDS = -1, -2, -3
"""Instead of a yaku's id: the triplet of the player's wind, of the round's, or of both, unnamed."""
_ANY_WIND = -4
"""Instead of a yaku's id, and three below: the triplet of east, and so on, of whichever wind that is."""

WORDS_OF_DRAW: Mapping[HandEnd, tuple[str, ...]] = {
    HandEnd.EXHAUSTIVE: ("流局", "全員聴牌", "全員不聴", "荒牌平局", "Ryuukyoku", "Exhaustive Draw"),
    HandEnd.NAGASHI: ("流し満貫", "Nagashi Mangan", "Mangan at Draw"),
    HandEnd.KYUUSHU: ("九種九牌", "Kyuushu Kyuuhai", "Nine Terminal Abortion"),
    HandEnd.SUUFON: ("四風連打", "Suufon Renda", "Four Wind Abortion"),
    HandEnd.SUUCHA: ("四家立直", "Suucha Riichi", "Four Riichi Abortion"),
    HandEnd.SANCHAHOU: ("三家和了", "三家和", "Sanchahou", "Three Ron Abortion"),
    HandEnd.SUUKAIKAN: ("四槓散了", "四開槓", "Suukaikan", "Four Kan Abortion"),
    HandEnd.UNFINISHED: ("不明",),
}
"""How a hand ended without a winner -> its words, of which Tenhou's come first.

The last is what Tenhou's editor writes before a result is chosen.
"""
DRAW_WORDS = {word: kind for kind, words in WORDS_OF_DRAW.items() for word in words}
WORD_OF_DRAW: Mapping[HandEnd, str] = {kind: words[0] for kind, words in WORDS_OF_DRAW.items()} | {
    HandEnd.UNKNOWN_DRAW: "流局"
}
"""What Tenhou calls each end of a hand without a winner."""

_WORDS_OF_LIMIT: Mapping[Limit, tuple[str, ...]] = {
    Limit.MANGAN: ("満貫", "切り上げ満貫", "Mangan", "Kiriage Mangan", "Rounded Mangan"),
    Limit.HANEMAN: ("跳満", "ハネ満", "ハネ満貫", "Haneman"),
    Limit.BAIMAN: ("倍満", "倍満貫", "Baiman"),
    Limit.SANBAIMAN: ("三倍満", "３倍満貫", "3倍満貫", "三倍満貫", "Sanbaiman"),
    Limit.YAKUMAN: ("役満", "数え役満", "ダブル役満", "Yakuman", "Kazoe Yakuman", "Counted Yakuman"),
}
LIMIT_OF_WORD = {word: limit for limit, words in _WORDS_OF_LIMIT.items() for word in words}
"""What formats call a limit -> the limit."""

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
