"""Words and numbers of Mahjong Soul: tiles, yaku, limits, draws, rooms, modes."""

from __future__ import annotations

from collections.abc import Mapping

from paifu.parsers.words import ROUND_WIND, SEAT_WIND
from paifu.replay.model.events import CODE_OF_TILE, HandEnd
from paifu.replay.model.tiles import TILES, tile_name

CODES: Mapping[str, int] = {tile_name(tile): CODE_OF_TILE + tile for tile in range(TILES)}
"""``1m``-``9s``, ``0m`` for a red five, ``1z``-``7z`` -> tile code."""

_TENHOU_IDS = (
    0, 1, 3, 4, 5, 6, 18, 19, 20, SEAT_WIND, ROUND_WIND, 8, 9, 7, 23, 24, 25, 21, 26, 27, 28, 29, 30, 31, 22,
    33, 34, 32, 35, 2, 52, 54, 53, 73, 37, 38, 39, 40, 42, 43, 44, 47, 50, 51, 45, None, 46, 41, 48, 49,
)  # fmt: skip
"""Tenhou's numbers of the yaku 1, 2, ...; 46 is a yaku of eight wins in a row, which nobody plays."""
_OLD_YAKU = {51: 72, 52: 71, 55: 68, 56: 66, 59: 36, 60: 70}
"""The old yaku that a ruleset can have."""
YAKU: Mapping[int, int] = {
    number: id_ for number, id_ in enumerate(_TENHOU_IDS, start=1) if id_ is not None
} | _OLD_YAKU
"""The platform's number of a yaku -> Tenhou's id, or ours."""
_NAMES = (
    "门前清自摸和 立直 枪杠 岭上开花 海底摸月 河底捞鱼 役牌白 役牌发 役牌中 役牌:门风牌 役牌:场风牌 断幺九 "
    "一杯口 平和 混全带幺九 一气通贯 三色同顺 两立直 三色同刻 三杠子 对对和 三暗刻 小三元 混老头 "
    "七对子 纯全带幺九 混一色 二杯口 清一色 一发 宝牌 红宝牌 里宝牌 拔北宝牌 天和 地和 "
    "大三元 四暗刻 字一色 绿一色 清老头 国士无双 小四喜 四杠子 九莲宝灯 八连庄 纯正九莲宝灯 四暗刻单骑 "
    "国士无双十三面 大四喜"
)
NUMBERS: Mapping[str, int] = {name: number for number, name in enumerate(_NAMES.split(), start=1)}
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
