"""Words of mjai: tiles, and what the dialects call yaku and draws."""

from __future__ import annotations

from collections.abc import Mapping

from paifu.parsers.words import ROUND_WIND, SEAT_WIND
from paifu.replay.model.events import CODE_OF_TILE, EventKind, HandEnd
from paifu.replay.model.tiles import CHUN, HAKU, HATSU, NO_TILE, RED_MAN

_SUITS = "mps"
_HONOURS = "ESWNPFC"


def _names() -> list[str]:
    plain = [f"{kind % 9 + 1}{_SUITS[kind // 9]}" for kind in range(27)]
    return [*plain, *_HONOURS, *(f"5{suit}r" for suit in _SUITS)]


NAMES: tuple[str, ...] = tuple(_names())
"""Tile (0-36) -> its name."""
HIDDEN = "?"
CODES: Mapping[str, int] = (
    {name: CODE_OF_TILE + tile for tile, name in enumerate(NAMES)}
    | {f"0{suit}": CODE_OF_TILE + RED_MAN + i for i, suit in enumerate(_SUITS)}
    | {HIDDEN: NO_TILE}
)
"""Name -> tile code; ``0m`` is read as well as ``5mr``."""
WINDS = "ESWN"

CALLS: Mapping[str, tuple[EventKind, int]] = {
    "chi": (EventKind.CHI, 2),
    "pon": (EventKind.PON, 2),
    "daiminkan": (EventKind.DAIMINKAN, 3),
    "kan": (EventKind.DAIMINKAN, 3),
}
"""Type of an event -> what it is, and how many tiles the caller shows."""

REASONS: Mapping[HandEnd, tuple[str, ...]] = {
    HandEnd.EXHAUSTIVE: ("fanpai", "exhaustive_draw"),
    HandEnd.NAGASHI: ("nagashimangan", "nagashi_mangan"),
    HandEnd.KYUUSHU: ("kyushukyuhai", "kyushu_kyuhai"),
    HandEnd.SUUFON: ("sufonrenta", "sufuurenta"),
    HandEnd.SUUCHA: ("suchareach", "suurechi", "suucha_riichi"),
    HandEnd.SANCHAHOU: ("sanchaho", "sanchaho_ron"),
    HandEnd.SUUKAIKAN: ("sukaikan", "suukansansen"),
}
"""Kind of a draw -> its reason: first what the first server writes."""
DRAWS = {word: kind for kind, words in REASONS.items() for word in words}
"""A draw's reason -> its kind."""

DECISIONS: Mapping[str, EventKind | None] = {
    "none": None,
    "dahai": EventKind.DISCARD,
    "reach": EventKind.RIICHI,
    **{word: kind for word, (kind, _) in CALLS.items()},
    "ankan": EventKind.ANKAN,
    "kakan": EventKind.KAKAN,
    "kita": EventKind.KITA,
    "nukidora": EventKind.KITA,
    "hora": EventKind.WIN,
    "ryukyoku": EventKind.HAND_DRAW,
}
"""Type of what a player may decide -> what it is; None is to pass."""

DRAGON = -100
"""Instead of a yaku's id: a triplet whose tile the word does not name."""
DRAGON_IDS = {HAKU: 18, HATSU: 19, CHUN: 20}
YAKU: Mapping[str, int] = {
    "menzenchin_tsumoho": 0,
    "reach": 1,
    "ippatsu": 2,
    "chankan": 3,
    "rinshankaiho": 4,
    "haiteiraoyue": 5,
    "hoteiraoyui": 6,
    "pinfu": 7,
    "tanyaochu": 8,
    "ipeko": 9,
    "jikaze": SEAT_WIND,
    "bakaze": ROUND_WIND,
    "sangenpai": DRAGON,
    "double_reach": 21,
    "chitoitsu": 22,
    "honchantaiyao": 23,
    "ikkitsukan": 24,
    "sanshokudojun": 25,
    "sanshokudoko": 26,
    "sankantsu": 27,
    "toitoiho": 28,
    "sananko": 29,
    "shosangen": 30,
    "honroto": 31,
    "ryanpeko": 32,
    "junchantaiyao": 33,
    "honiso": 34,
    "chiniso": 35,
    "renho": 36,
    "tenho": 37,
    "chiho": 38,
    "daisangen": 39,
    "suanko": 40,
    "tsuiso": 42,
    "ryuiso": 43,
    "chinroto": 44,
    "churenpoton": 45,
    "kokushimuso": 47,
    "daisushi": 49,
    "shosushi": 50,
    "sukantsu": 51,
    "dora": 52,
    "uradora": 53,
    "akadora": 54,
}
"""A yaku's word -> Tenhou's id."""
YAKUMAN_HAN = 100
"""What the first server counts for a yakuman."""
