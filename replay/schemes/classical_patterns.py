"""The patterns of Chinese Classical: doubles for every hand, and limit hands for the winner's.

A row with doubles and a limit (all honours) is a limit hand for a winner, and doubles where there are none.
"""

from __future__ import annotations

from dataclasses import replace

from paifu.replay.rules import hand_facts as f
from paifu.replay.rules import hand_shapes as h
from paifu.replay.schemes import conditions as c
from paifu.replay.schemes.faan_patterns import limit_hand
from paifu.replay.schemes.pattern import ANY_FORM, REGULAR, Condition, Pattern, PatternLimit
from paifu.replay.scoring.readings import Form

_ALL = ANY_FORM | {Form.LOSER}


def _double(id: str, name: str, native: str, value: int, meaning: str, find: Condition,
            source: str = "blog", limit: PatternLimit = PatternLimit.NONE) -> Pattern:  # fmt: skip
    return Pattern(id, name, native, value, meaning, find, _ALL, limit=limit, losers=True, source=source)


# fmt: off
DOUBLES = (
    _double("pung-of-seat-wind", "Pung of Seat Wind", "門風", 1, "a pung of the player's wind", c.pung_of_seat_wind),
    _double("pung-of-round-wind", "Pung of Round Wind", "圈風", 1, "a pung of the round's wind", c.pung_of_round_wind),
    _double("pung-of-dragons", "Pung of Dragons", "三元牌", 1, "a pung of dragons", c.pungs_of_dragons),
    _double("own-bonus-tile", "Own Bonus Tile", "正花", 1, "a flower or season of the player's seat", c.own_bonus),
    _double("all-flowers", "All Flowers", "一台花", 3, "all four flowers", c.ALL_FLOWERS),
    _double("all-seasons", "All Seasons", "一台花", 3, "all four seasons", c.ALL_SEASONS),
    _double("half-flush", "Half Flush", "混一色", 1, "one suit and honours", h.HALF_FLUSH, "blog, unconfirmed"),
    _double("full-flush", "Full Flush", "清一色", 3, "one suit, no honours", h.ONE_SUIT, "blog, unconfirmed"),
    _double("all-honours", "All Honours", "字一色", 3, "honours only", h.ALL_HONOURS, limit=PatternLimit.FULL),
    replace(_double("gift-of-heaven", "Gift of Heaven", "天和", 3, "East wins with the first fourteen tiles",
                    c.HEAVEN, limit=PatternLimit.FULL), losers=False),
    replace(_double("gift-of-earth", "Gift of Earth", "地和", 3, "another player self-draws in the first turn",
                    c.EARTH, "blog, unconfirmed"), losers=False),
)
LIMITS = (
    limit_hand("all-terminals", "All Terminals", "清么九", "terminals only", h.ALL_TERMINALS, REGULAR),
    limit_hand("perfect-green", "Perfect Green", "綠一色", "only 2 3 4 6 8 of bamboos and green dragons",
               h.ALL_GREEN, REGULAR),
    limit_hand("big-three-dragons", "Big Three Dragons", "大三元", "three pungs of dragons", h.BIG_DRAGONS,
               REGULAR),
    limit_hand("big-four-winds", "Big Four Winds", "大四喜", "four pungs of winds", h.BIG_WINDS, REGULAR),
    limit_hand("four-gongs", "Four Gongs", "十八羅漢", "four gongs and a pair", f.FOUR_KANS, REGULAR),
    limit_hand("gong-on-gong", "Gong on Gong", "槓上槓", "on a gong's replacement, in a turn with two gongs at least",
               c.GONG_ON_GONG),
    limit_hand("four-concealed-pungs", "Self-Picked Four Concealed Pungs", "四暗刻",
               "four concealed pungs, self-drawn",
               f.FOUR_CONCEALED & f.TSUMO, REGULAR),
    limit_hand("nine-gates", "Nine Gates", "九蓮寶燈", "waited with 1112345678999 of one suit, all concealed",
               h.NINE_GATES & f.WIN_EVEN, REGULAR, free=True),
    limit_hand("thirteen-orphans", "Thirteen Orphans", "十三么", "one of each terminal and honour, and a second of one",
               f.ORPHANS, frozenset({Form.ORPHANS}), "blog, unconfirmed", free=True),
    limit_hand("dealers-first-discard", "Original Gift of Earth", "地和", "on East's very first discard",
               c.FIRST_DISCARD),
    limit_hand("moon-from-the-sea", "Scooping the Moon from the Bottom of the Sea", "海底撈月",
               "self-drawn with the last tile of the wall, a 1 of dots", h.MOON),
    limit_hand("plum-blossom", "Gathering a Plum Blossom from the Roof", "梅花",
               "a gong's replacement tile, a 5 of dots", h.PLUM_BLOSSOM),
    limit_hand("carrying-pole", "Scratching a Carrying Pole", "搶槓", "robbing a gong of 2s", h.CARRYING_POLE),
)
# fmt: on
PATTERNS = (*DOUBLES, *LIMITS)
"""Rows that double, then those that are only limits."""
