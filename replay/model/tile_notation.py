"""MPSZ notation of tiles: digits then a suit letter, ``0`` for a red five: ``123m0p77z``.

The further kinds of games other than riichi are ``1f``-``4f``, ``1g``-``4g`` and ``1j``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from paifu.replay.language import _
from paifu.replay.model.tiles import ALL_TILES, KINDS, NO_TILE, TILES, tile_of_kind

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
HIDDEN_NAME = "??"


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
