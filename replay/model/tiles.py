"""Tile encodings and MPSZ notation: the one place where a number becomes a tile.

Three encodings, from coarse to fine:

* **kind** 0-33: man 1-9 = 0-8, pin = 9-17, sou = 18-26, then E S W N haku hatsu chun = 27-33.
* **tile** 0-36: a kind, or 34, 35, 36 for the red five of man, pin, sou.
* **id** 0-135: one physical tile; ``id // 4`` is its kind. Which ids are red depends on the ruleset
  (Tenhou: the first copy of each five, 16, 52, 88).

Games other than riichi have more kinds, and no red fives: flowers (plum, orchid, chrysanthemum, bamboo) are
the kinds 34-37 and the tiles 37-40, seasons the kinds 38-41 and the tiles 41-44, jokers the kind 42 and the
tile 45. Logs of these games name no physical tiles.

``NO_TILE`` (255) stands for "none" and for "the log does not say".
MPSZ notation: digits then a suit letter, ``0`` for a red five: ``123m0p77z``.
The further kinds are ``1f``-``4f``, ``1g``-``4g`` and ``1j``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from paifu.replay.arrays import U8
from paifu.replay.language import _

WINDS = ("east", "south", "west", "north")
"""Names of winds, and of seats by their wind."""
KINDS = 34
TILES = 37
"""Tiles of riichi: kinds and red fives."""
ALL_TILES = 46
IDS = 136
NO_TILE = 255
FLOWERS, SEASONS, JOKER = 34, 38, 42
"""The first kind of the flowers, the first of the seasons, and the kind of jokers."""
BONUS_KINDS = range(FLOWERS, JOKER)
"""Flowers and seasons."""
BONUS_TILES = range(TILES, TILES + len(BONUS_KINDS))
"""The same as tiles."""
JOKER_IDS = 144
"""The first id of a joker."""
RED_MAN, RED_PIN, RED_SOU = 34, 35, 36
EAST, SOUTH, WEST, NORTH, HAKU, HATSU, CHUN = range(27, 34)
FIVE_KINDS = (4, 13, 22)
TERMINALS_AND_HONOURS = (0, 8, 9, 17, 18, 26, *range(27, 34))
SANMA_ABSENT_KINDS = tuple(range(1, 8))
"""Kinds that are not in a 3-player set: man 2-8."""


def _kind_of_tile() -> U8:
    table = np.full(256, NO_TILE, np.uint8)
    table[:KINDS] = np.arange(KINDS)
    table[[RED_MAN, RED_PIN, RED_SOU]] = FIVE_KINDS
    table[TILES:ALL_TILES] = np.arange(KINDS, JOKER + 1)
    return table


def _order_of_tile() -> U8:
    """A sort key: red fives are before the plain fives of their suit, unknown tiles last."""
    table = np.full(256, NO_TILE, np.uint8)
    table[:KINDS] = 2 * np.arange(KINDS) + 1
    table[[RED_MAN, RED_PIN, RED_SOU]] = 2 * np.array(FIVE_KINDS)
    table[TILES:ALL_TILES] = 2 * np.arange(KINDS, JOKER + 1)
    return table


KIND_OF_TILE = _kind_of_tile()
"""(256,) uint8: tile -> kind; NO_TILE stays NO_TILE."""
_KIND: tuple[int, ...] = tuple(KIND_OF_TILE.tolist())

ORDER_OF_TILE = _order_of_tile()
"""(256,) uint8: tile -> sort key, red fives before plain ones, unknown last."""
_ORDER: tuple[int, ...] = tuple(ORDER_OF_TILE.tolist())
"""The same for loops of Python."""


def tile_of_id_table(red_ids: Iterable[int]) -> U8:
    """Return the (256,) table physical id -> tile for a set whose red fives are ``red_ids``.

    Raises ValueError for an id that is not a five.
    """
    table = np.full(256, NO_TILE, np.uint8)
    table[:IDS] = np.arange(IDS) // 4
    for red in red_ids:
        if red not in range(IDS) or red // 4 not in FIVE_KINDS:
            raise ValueError(_("tile id {red} is not a five, so it cannot be red").format(red=red))
        table[red] = RED_MAN + FIVE_KINDS.index(red // 4)
    return table


TENHOU_RED_IDS = (16, 52, 88)
TILE_OF_ID_RED = tile_of_id_table(TENHOU_RED_IDS)
"""(256,) uint8: id -> tile with one red five a suit, as Tenhou numbers them."""
TILE_OF_ID_PLAIN = tile_of_id_table(())
"""(256,) uint8: id -> tile without red fives."""

_SUITS = "mpsz"
_PLAIN_NAMES = tuple(f"{k % 9 + 1}{_SUITS[k // 9]}" for k in range(KINDS))
_FURTHER_NAMES = (*(f"{number}{suit}" for suit in "fg" for number in range(1, 5)), "1j")
_NAMES = (*_PLAIN_NAMES, "0m", "0p", "0s", *_FURTHER_NAMES)
_DIGIT_AND_SUIT = (*((name[0], name[1]) for name in _NAMES), *[("?", "")] * (256 - len(_NAMES)))
_TILE_OF_NAME = {name: tile for tile, name in enumerate(_NAMES[:TILES])}
_RUN = re.compile(f"([0-9]+)([{_SUITS}])")
_DIGITS = b"0123456789"
_TILES_OF_SUIT = {
    suit: bytes.maketrans(_DIGITS, bytes(_TILE_OF_NAME.get(f"{digit:c}{suit}", NO_TILE) for digit in _DIGITS))
    for suit in _SUITS
}
# U+1F007 is one of man, U+1F019 one of pin, U+1F010 one of sou; winds start at U+1F000,
# dragons run chun, hatsu, haku from U+1F004: the reverse of the kinds' order.
HIDDEN_NAME = "??"


def is_red(tile: int) -> bool:
    """Return whether a tile (0-36) is a red five."""
    return RED_MAN <= tile <= RED_SOU


def kind_of(tile: int) -> int:
    """Return the kind of a tile (0-45), or NO_TILE."""
    return _KIND[tile]


def tile_of_kind(kind: int) -> int:
    """Return the tile of a kind (0-42), never a red five.

    >>> tile_of_kind(33), tile_of_kind(34), tile_of_kind(42)
    (33, 37, 45)
    """
    return kind if kind < KINDS else kind + TILES - KINDS


def tile_name(tile: int) -> str:
    """Name one tile in MPSZ.

    >>> tile_name(0), tile_name(35), tile_name(33), tile_name(41), tile_name(255)
    ('1m', '0p', '7z', '1g', '??')
    """
    return _NAMES[tile] if tile < ALL_TILES else HIDDEN_NAME


def parse_tile(text: str) -> int:
    """Read one MPSZ tile such as ``5p``, ``0s`` or ``7z``.

    Raises ValueError if the text is not a tile.
    """
    try:
        return _TILE_OF_NAME[text]
    except KeyError:
        raise ValueError(
            _("{text!r} is not a tile; write 1m-9m, 1p-9p, 1s-9s, 1z-7z or 0m 0p 0s").format(text=text)
        ) from None


def parse_tiles(text: str) -> list[int]:
    """Read MPSZ notation into tiles, in the order written; blanks are ignored.

    >>> parse_tiles("230m1p 7z")
    [1, 2, 34, 9, 33]

    Raises ValueError with the offending part of the text.
    """
    if not text:
        return []
    runs = _RUN.findall(text)
    tiles = b"".join([digits.encode().translate(_TILES_OF_SUIT[suit]) for digits, suit in runs])
    if len(tiles) + len(runs) == len(text) and NO_TILE not in tiles:
        return list(tiles)
    return [parse_tile(name) for name in _written_names(text, _SUITS)]  # with blanks, or wrong


def _written_names(text: str, suits: str) -> Iterator[str]:
    """Yield the name of each tile in notation. Raises ValueError for what has no digits or no suit."""
    letters, digits = ", ".join(suits), ""
    for char in "".join(text.split()):
        if char.isascii() and char.isdigit():
            digits += char
        elif char in suits and digits:
            yield from (digit + char for digit in digits)
            digits = ""
        else:
            raise ValueError(
                _("{char!r} in {text!r}: expected digits followed by one of {letters}").format(
                    char=char, text=text, letters=letters
                )
            )
    if digits:
        raise ValueError(
            _("{digits!r} at the end of {text!r} has no suit letter ({letters})").format(
                digits=digits, text=text, letters=letters
            )
        )


_KIND_SUITS = "mpszfgj"
_KIND_NAMES = (*_PLAIN_NAMES, *_FURTHER_NAMES)
_KIND_OF_NAME = {name: kind for kind, name in enumerate(_KIND_NAMES)}


def kind_name(kind: int) -> str:
    """Name a kind, flowers, seasons and jokers (0-42) included.

    >>> kind_name(0), kind_name(33), kind_name(34), kind_name(41), kind_name(42)
    ('1m', '7z', '1f', '4g', '1j')
    """
    return _KIND_NAMES[kind]


def parse_kinds(text: str) -> list[int]:
    """Read notation into kinds (0-42), in the order written; blanks are ignored.

    >>> parse_kinds("19m 2f1j")
    [0, 8, 35, 42]

    Raises ValueError with the offending part of the text; there are no red fives.
    """
    kinds: list[int] = []
    for name in _written_names(text, _KIND_SUITS):
        if name not in _KIND_OF_NAME:
            raise ValueError(
                _(
                    "'{digit}{char}' is not a tile; write 1m-9m, 1p-9p, 1s-9s, 1z-7z, flowers 1f-4f, "
                    "seasons 1g-4g, joker 1j"
                ).format(digit=name[0], char=name[1])
            )
        kinds.append(_KIND_OF_NAME[name])
    return kinds


def format_kinds(kinds: Iterable[int]) -> str:
    """Write kinds (0-42) in the given order, one suit letter a run.

    >>> format_kinds([0, 8, 35, 42, 42])
    '19m2f11j'
    """
    return format_tiles(map(tile_of_kind, kinds))


def sort_tiles(tiles: Iterable[int]) -> list[int]:
    """Sort tiles by suit and number, red fives before plain ones, hidden tiles last."""
    return sorted(tiles, key=_ORDER.__getitem__)


def format_tiles(tiles: Iterable[int]) -> str:
    """Write tiles in MPSZ in the given order, one suit letter a run; hidden tiles as ``?``.

    >>> format_tiles([1, 2, 34, 9, 33, 255])
    '230m1p7z?'
    """
    written, last = [], ""
    for tile in tiles:
        digit, suit = _DIGIT_AND_SUIT[tile]
        if suit != last:
            written.append(last)
            last = suit
        written.append(digit)
    written.append(last)
    return "".join(written)


def count_kinds(tiles: Iterable[int]) -> list[int]:
    """Count tiles (0-36) by kind, none of which is hidden: 34 counts."""
    counts = [0] * KINDS
    for tile in tiles:
        counts[_KIND[tile]] += 1
    return counts


def counts_of(tiles: Iterable[int]) -> U8:
    """Count tiles (0-36) by kind: (34,) uint8. Hidden tiles are not counted."""
    kinds = KIND_OF_TILE[np.fromiter(tiles, np.uint8)]
    return np.bincount(kinds[kinds < KINDS], minlength=KINDS).astype(np.uint8)
