"""The patterns of Hong Kong Old Style as the club plays it: faan, and hands that are limits by themselves."""

from __future__ import annotations

from paifu.replay.model.tiles import CHUN, HAKU, HATSU
from paifu.replay.rules import hand_facts as f
from paifu.replay.rules import hand_shapes as h
from paifu.replay.schemes import conditions as c
from paifu.replay.schemes.pattern import ANY_FORM, PAIRS_TOO, REGULAR, Condition, Pattern, PatternLimit
from paifu.replay.scoring.readings import Form

_WITH_BONUS = ANY_FORM | {Form.BONUS}


def _faan(id: str, name: str, native: str, value: int, meaning: str, find: Condition,
          forms: frozenset[Form] = ANY_FORM, source: str = "blog", replaces: tuple[str, ...] = ()) -> Pattern:  # fmt: skip
    return Pattern(id, name, native, value, meaning, find, forms, replaces=replaces, source=source)


def limit_hand(id: str, name: str, native: str, meaning: str, find: Condition,
               forms: frozenset[Form] = ANY_FORM, source: str = "blog", *, free: bool = False) -> Pattern:  # fmt: skip
    """Return a row of a hand that is a limit by itself."""
    return Pattern(
        id, name, native, 0, meaning, find, forms, limit=PatternLimit.FULL, free=free, source=source
    )


# fmt: off
FAAN = (
    _faan("pung-of-dragons", "Pung of Dragons", "三元牌", 1, "a pung of dragons", c.pungs_of_dragons, REGULAR),
    _faan("pung-of-seat-wind", "Pung of Seat Wind", "門風", 1, "a pung of the player's wind", c.pung_of_seat_wind,
          REGULAR),
    _faan("pung-of-round-wind", "Pung of Round Wind", "圈風", 1, "a pung of the round's wind", c.pung_of_round_wind,
          REGULAR),
    _faan("little-three-dragons", "Little Three Dragons", "小三元", 2, "two pungs of dragons and a pair of the third",
          h.LITTLE_DRAGONS, REGULAR),
    _faan("no-bonus-tiles", "No Bonus Tiles", "無花", 1, "no flower or season set aside", c.NO_BONUS),
    _faan("own-bonus-tile", "Own Bonus Tile", "正花", 1, "a flower or season of the player's seat", c.own_bonus),
    _faan("all-flowers", "All Flowers", "一台花", 1, "all four flowers", c.ALL_FLOWERS),
    _faan("all-seasons", "All Seasons", "一台花", 1, "all four seasons", c.ALL_SEASONS),
    _faan("six-bonus-tiles", "Six Bonus Tiles", "六花", 1, "exactly six bonus tiles", c.SIX_BONUS, source="CLUB"),
    _faan("seven-bonus-tiles", "Seven Bonus Tiles", "花胡", 3, "exactly seven bonus tiles", c.SEVEN_BONUS,
          _WITH_BONUS, source="blog, CLUB"),
    _faan("all-chows", "All Chows", "平和", 1, "four chows", f.ALL_RUNS, REGULAR),
    _faan("all-pungs", "All Pungs", "對對和", 3, "four pungs", h.ALL_TRIPLETS, REGULAR),
    _faan("seven-pairs", "Seven Pairs", "七對子", 3, "seven different pairs", f.SEVEN_PAIRS,
          frozenset({Form.SEVEN_PAIRS})),
    _faan("half-flush", "Half Flush", "混一色", 3, "one suit and honours", h.HALF_FLUSH),
    _faan("full-flush", "Full Flush", "清一色", 6, "one suit, no honours", h.ONE_SUIT),
    _faan("self-pick", "Self-Pick", "自摸", 1, "self-drawn", f.TSUMO),
    _faan("concealed-hand", "Concealed Hand", "門前清", 1, "nothing claimed", f.CLOSED),
    _faan("replacement-tile", "Win by Replacement", "槓上開花", 1, "on the replacement for a gong or a bonus tile",
          c.ON_REPLACEMENT, source="blog, unconfirmed", replaces=("last-tile-win",)),
    _faan("gong-on-gong", "Gong on Gong", "槓上槓", 2, "on a gong's replacement, in a turn with two gongs at least",
          c.GONG_ON_GONG, replaces=("replacement-tile", "last-tile-win")),
    _faan("rob-a-gong", "Robbing a Gong", "搶槓", 1, "on the tile that another added to a pung", c.ROBBING,
          source="CLUB"),
    _faan("last-tile-win", "Last Tile Win", "海底撈月", 1, "with the last tile of the wall, or on the discard after it",
          c.LAST_TILE, source="blog, unconfirmed"),
)
LIMITS = (
    limit_hand("all-honours", "All Honours", "字一色", "honours only", h.ALL_HONOURS, PAIRS_TOO),
    limit_hand("big-three-dragons", "Big Three Dragons", "大三元", "three pungs of dragons", h.BIG_DRAGONS,
               REGULAR),
    limit_hand("big-four-winds", "Big Four Winds", "大四喜", "four pungs of winds", h.BIG_WINDS, REGULAR),
    limit_hand("little-four-winds", "Little Four Winds", "小四喜", "three pungs of winds and a pair of the fourth",
               h.LITTLE_WINDS, REGULAR, "unconfirmed"),
    limit_hand("all-terminals", "All Terminals", "清么九", "terminals only", h.ALL_TERMINALS, REGULAR),
    limit_hand("perfect-green", "Perfect Green", "綠一色", "only 2 3 4 6 8 of bamboos and green dragons",
               h.ALL_GREEN, PAIRS_TOO, "blog, unconfirmed"),
    limit_hand("ruby-dragon", "Ruby Dragon", "", "a pung of red, three pungs and a pair of characters",
               c.dragon_suit(CHUN, 0), REGULAR, "blog, JEWEL"),
    limit_hand("pearl-dragon", "Pearl Dragon", "", "a pung of white, three pungs and a pair of dots",
               c.dragon_suit(HAKU, 1), REGULAR, "CLUB, JEWEL"),
    limit_hand("jade-dragon", "Jade Dragon", "", "a pung of green, three pungs and a pair of bamboos",
               c.dragon_suit(HATSU, 2), REGULAR, "CLUB, JEWEL"),
    limit_hand("four-concealed-pungs", "Four Concealed Pungs", "四暗刻", "four concealed pungs, self-drawn",
               f.FOUR_CONCEALED & f.TSUMO, REGULAR),
    limit_hand("four-gongs", "Four Gongs", "十八羅漢", "four gongs and a pair", f.FOUR_KANS, REGULAR),
    limit_hand("nine-gates", "Nine Gates", "九蓮寶燈", "concealed 1112345678999 and any tile of one suit",
               h.NINE_GATES, REGULAR, "unconfirmed"),
    limit_hand("thirteen-orphans", "Thirteen Orphans", "十三么", "one of each terminal and honour, and a second of one",
               f.ORPHANS, frozenset({Form.ORPHANS}), "unconfirmed"),
    limit_hand("great-chariot", "Great Chariot", "大車輪", "22334455667788 of dots, concealed", c.GREAT_CHARIOT,
               PAIRS_TOO, "CLUB"),
    limit_hand("gift-of-heaven", "Gift of Heaven", "天和", "East wins with the first fourteen tiles", c.HEAVEN),
    limit_hand("gift-of-earth", "Gift of Earth", "地和", "another player self-draws in the first turn", c.EARTH),
    limit_hand("gift-of-man", "Gift of Man", "人和", "on a discard before the player's first draw", c.MAN,
               source="blog, unconfirmed"),
    limit_hand("eight-dealer-keeps", "Eight Dealer Keeps", "八連莊", "East wins after keeping the deal eight times",
               c.EIGHT_KEEPS, source="blog, unconfirmed"),
    limit_hand("eight-bonus-tiles", "Eight Bonus Tiles", "八仙過海", "all eight bonus tiles", c.EIGHT_BONUS,
               _WITH_BONUS),
)
# fmt: on
PATTERNS = (*FAAN, *LIMITS)
"""Rows that add faan, then those that are limits."""
