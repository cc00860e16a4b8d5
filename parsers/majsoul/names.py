"""Words and numbers of Mahjong Soul: tiles, yaku, limits, draws, rooms, modes."""

from __future__ import annotations

from collections.abc import Mapping

from paifu.parsers.words import ROUND_WIND, SEAT_WIND
from paifu.replay.model.events import CODE_OF_TILE, HandEnd
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import TILES

CODES: Mapping[str, int] = {tile_name(tile): CODE_OF_TILE + tile for tile in range(TILES)}
"""``1m``-``9s``, ``0m`` for a red five, ``1z``-``7z`` -> tile code."""

_YAKU: Mapping[int, tuple[int | None, str]] = {
    1: (0, "门前清自摸和"), 2: (1, "立直"), 3: (3, "枪杠"), 4: (4, "岭上开花"), 5: (5, "海底摸月"),
    6: (6, "河底捞鱼"), 7: (18, "役牌白"), 8: (19, "役牌发"), 9: (20, "役牌中"),
    10: (SEAT_WIND, "役牌:门风牌"), 11: (ROUND_WIND, "役牌:场风牌"), 12: (8, "断幺九"), 13: (9, "一杯口"),
    14: (7, "平和"), 15: (23, "混全带幺九"), 16: (24, "一气通贯"), 17: (25, "三色同顺"), 18: (21, "两立直"),
    19: (26, "三色同刻"), 20: (27, "三杠子"), 21: (28, "对对和"), 22: (29, "三暗刻"), 23: (30, "小三元"),
    24: (31, "混老头"), 25: (22, "七对子"), 26: (33, "纯全带幺九"), 27: (34, "混一色"), 28: (32, "二杯口"),
    29: (35, "清一色"), 30: (2, "一发"), 31: (52, "宝牌"), 32: (54, "红宝牌"), 33: (53, "里宝牌"),
    34: (73, "拔北宝牌"), 35: (37, "天和"), 36: (38, "地和"), 37: (39, "大三元"), 38: (40, "四暗刻"),
    39: (42, "字一色"), 40: (43, "绿一色"), 41: (44, "清老头"), 42: (47, "国士无双"), 43: (50, "小四喜"),
    44: (51, "四杠子"), 45: (45, "九莲宝灯"), 46: (None, "八连庄"), 47: (46, "纯正九莲宝灯"),
    48: (41, "四暗刻单骑"), 49: (48, "国士无双十三面"), 50: (49, "大四喜"),
}  # fmt: skip
"""The platform's number of a yaku -> Tenhou's, and what records of early 2019 call it; nobody plays 46, a
yaku of eight wins in a row."""
_OLD_YAKU = {51: 72, 52: 71, 55: 68, 56: 66, 59: 36, 60: 70}
"""The old yaku that a ruleset can have."""
YAKU: Mapping[int, int] = {number: id_ for number, (id_, _) in _YAKU.items() if id_ is not None} | _OLD_YAKU
"""The platform's number of a yaku -> Tenhou's id, or ours."""
NUMBERS: Mapping[str, int] = {name: number for number, (_, name) in _YAKU.items()}
"""What records of early 2019 call a yaku, without blanks -> its number."""
YAKUMAN_YAKU = frozenset({35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 47, 48, 49, 50, 59, 60})

LIMITS: Mapping[str, int] = {"": 0, "满贯": 1, "跳满": 2, "倍满": 3, "三倍满": 4, "役满": 5, "累计役满": 5}
"""What records of 2019 call a limit; any other is a yakuman several times."""

DRAWS: Mapping[int, HandEnd] = {
    1: HandEnd.KYUUSHU,
    2: HandEnd.SUUFON,
    3: HandEnd.SUUKAIKAN,
    4: HandEnd.SUUCHA,
    5: HandEnd.SANCHAHOU,
}

SOUTH_GAMES = frozenset({2, 12})
"""Numbers of ``mode.mode``: 1 and 11 are games of the east round, 4 and 14 of one hand."""
_ROOM_NAMES = ("Bronze", "Silver", "Gold", "Jade", "Throne")
_EAST_MODES = (2, 5, 8, 11, 15), (17, 19, 21, 23, 25)
"""``meta.mode_id`` of ranked east games by room, of four players and of three; south games have one more."""
ROOMS: Mapping[int, str] = {
    east + longer: f"{room} Room {length}"
    for modes in _EAST_MODES
    for east, room in zip(modes, _ROOM_NAMES, strict=True)
    for longer, length in enumerate(("East", "South"))
}
"""``meta.mode_id`` of ranked games -> the room's name."""

EVENT_MODES: Mapping[str, str] = {
    "dora3mode": "three dora indicators",
    "beginopenmode": "open deal",
    "jiuchaomode": "wall break",
    "muyumode": "wooden fish",
    "xuezhandaodi": "bloodshed",
    "huansanzhang": "exchange of three tiles",
    "chuanma": "Sichuan rules",
    "revealdiscard": "darkness",
    "fieldspellmode": "field spells",
    "zhanxing": "clairvoyance",
    "tianmingmode": "destiny",
}
"""Detail rule -> the mode of an event, which is not riichi mahjong that a ruleset describes."""
EVENT_RECORDS = frozenset(
    [
        "HuleXueZhanMid",
        "HuleXueZhanEnd",
        "ChangeTile",
        "SelectGap",
        "RevealTile",
        "UnveilTile",
        "LockTile",
        "FillAwaitingTiles",
        "NewCard",
        "GangResult",
        "GangResultEnd",
    ]
)
"""Records that only such modes have."""
