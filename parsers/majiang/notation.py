"""Tiles, hands and melds as majiang writes them: ``m123p0z1``, ``m34-5``, ``p999+9``.

A suit letter, then digits, 0 for a red five; ``_`` is a hidden tile. In a meld, the sign after the called
tile says whom it came from: ``-`` the left neighbour, ``=`` the player across, ``+`` the right neighbour.
"""

from __future__ import annotations

import re
from functools import lru_cache

from paifu.parsers.errors import ParseError
from paifu.parsers.json_values import shown, wrong_value
from paifu.replay.model.events import CODE_OF_TILE, NO_SEAT, EventKind, pack
from paifu.replay.model.tiles import KIND_OF_TILE, NO_TILE, RED_MAN

SUITS = "mpsz"
HIDDEN = "_"
STEPS = {"+": 1, "=": 2, "-": 3}
"""Sign -> how many seats on from the caller the discarder sits."""


def _tile_codes() -> dict[str, int]:
    plain = {f"{SUITS[kind // 9]}{kind % 9 + 1}": CODE_OF_TILE + kind for kind in range(RED_MAN)}
    return (
        plain | {f"{suit}0": CODE_OF_TILE + RED_MAN + i for i, suit in enumerate("mps")} | {HIDDEN: NO_TILE}
    )


CODES = _tile_codes()
"""Name of a tile -> its code."""
NAMES = {code - CODE_OF_TILE: name for name, code in CODES.items() if code != NO_TILE}
"""Tile (0-36) -> its name."""
DOUBLES = {
    41: "double_suuankou_tanki",
    46: "double_junsei_chuuren",
    48: "double_kokushi_13",
    49: "double_daisuushii",
}
"""Yaku that can count as two yakuman -> the rule."""
LOG_ID = re.compile(
    r"\d{10}gm-[0-9a-f]{4}-\d{4,5}-x?[0-9a-f]{8,12}|\d{6}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)
"""Ids of Tenhou and Mahjong Soul, which stand for a title where a game has none."""
_HAND = re.compile(r"(?:[mps][0-9]{1,14}|z[1-7]{1,14}|_{1,14})*")
_MELD = re.compile(r"([mpsz])([0-9]{1,4})([-+=]?)([0-9]{0,2})")


@lru_cache(maxsize=4096)
def tiles_of(text: str) -> bytes:
    """Codes of the closed tiles of a hand, in the order written; melds after a comma are left out.

    Raises ParseError for text that is not a hand.
    """
    closed = text.partition(",")[0].rstrip("*")
    if len(closed) > 60 or not _HAND.fullmatch(closed):
        raise wrong_value(f"{shown(text)} is not a hand", code="V105")
    codes: list[int] = []
    suit = ""
    for letter in closed:
        if letter == HIDDEN:
            codes.append(NO_TILE)
        elif letter.isdigit():
            codes.append(CODES[suit + letter])
        else:
            suit = letter
    return bytes(codes)


def call_word(seat: int, text: str) -> int:
    """The word of a call or kan by ``seat``: chi, pon, the three kinds of kan.

    An added kan has the pon's tiles with the called one first. Raises ParseError for text that is not a meld.
    """
    found = _MELD.fullmatch(text)
    if found is None:
        raise _no_meld(text)
    suit, before, sign, after = found.groups()
    try:
        codes = [CODES[suit + digit] for digit in before + after]
    except KeyError:
        raise _no_meld(text) from None
    kinds = [int(KIND_OF_TILE[code - CODE_OF_TILE]) for code in codes]
    if not sign:
        if len(codes) != 4 or len(set(kinds)) != 1:
            raise _no_meld(text)
        return pack(EventKind.ANKAN, seat, codes[0], NO_SEAT, tuple(codes[1:]))
    source = (seat + STEPS[sign]) % 4
    at = len(before) - 1
    if len(set(kinds)) == 1:
        if len(before) == 3 and len(after) == 1:
            return pack(EventKind.KAKAN, seat, codes[3], source, (codes[2], *codes[:2]))
        if after or len(codes) not in (3, 4):
            raise _no_meld(text)
        kind = EventKind.PON if len(codes) == 3 else EventKind.DAIMINKAN
        return pack(kind, seat, codes[at], source, tuple(codes[:at]))
    first = min(kinds)
    is_run = sorted(kinds) == [first, first + 1, first + 2] and first < 27 and first % 9 < 7
    if not is_run or sign != "-":
        raise _no_meld(text)
    called = codes.pop(at)
    return pack(EventKind.CHI, seat, called, source, tuple(codes))


def _no_meld(text: str) -> ParseError:
    return wrong_value(f"{shown(text)} is not a meld", code="V105")
