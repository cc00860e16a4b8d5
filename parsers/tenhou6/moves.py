"""A player's lists in tenhou.net/6 JSON, what it took and what it gave up, read into moves.

The lists run side by side: the n-th tile taken (drawn or called) goes with the n-th given up (discarded,
or shown for a kan or kita), except for a hand's end, where the last tile taken may be alone. A move is
such a pair. Nearly all moves of all logs are the same few thousand, so they are looked up.

Notation: 11-19, 21-29, 31-39 man, pin, sou; 41-47 winds and dragons; 51-53 red fives; 60 discards the
tile just drawn. Melds are strings of tiles with one letter: ``c`` chi, ``p`` pon, ``m`` open kan among the
tiles taken; ``k`` added kan, ``a`` closed kan, ``f`` kita among those given up; ``r`` marks riichi. The
letter comes before the called (or, in an added kan, the added) tile, and its place says whom that was
called from: first for the left player, second for the one across, last for the right one. An open kan
gives up 0. With three players the seat that is missing keeps its place in this count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from struct import Struct
from typing import Any

from paifu.parsers.errors import ParseError
from paifu.parsers.json_values import Within, as_list, shown, wrong_value
from paifu.replay.kernels.turn_order import (
    AGAIN,
    CLOSED_KAN,
    DRAWS,
    NO_KAN,
    OPEN_KAN,
    OVER,
    STOPS,
    TURN_SIZE,
    WORDS,
)
from paifu.replay.model.events import CODE_OF_TILE, NO_SEAT, EventFlag, EventKind, pack
from paifu.replay.model.tiles import KIND_OF_TILE, NO_TILE, NORTH, ORDER_OF_TILE, RED_MAN

TURN = Struct(f"={TURN_SIZE}q")
"""What one player does from taking a tile to giving one up, as the kernel that puts turns in order has it."""


def _turn(words: tuple[int, ...], wants: int, offers: int, tile: int, kan: int = NO_KAN) -> bytes:
    return TURN.pack(wants, offers, kan, tile, *words, *[0] * (TURN_SIZE - WORDS - len(words)))


END = _turn((), OVER, STOPS, NO_TILE)
"""Comes after a player's last move."""


def discard_key(seat: int, code: int) -> int:
    """One number for a discard: who, and which tile."""
    return seat << 8 | code


def _code_of_number() -> dict[float, int]:
    suits = {10 * (suit + 1) + number + 1: 9 * suit + number for suit in range(4) for number in range(9)}
    tiles = {number: tile for number, tile in suits.items() if number < 48}
    return {n: CODE_OF_TILE + tile for n, tile in (tiles | {51 + i: RED_MAN + i for i in range(3)}).items()}


CODE_OF_NUMBER = _code_of_number()
"""The format's number of a tile -> tile code. A number written as 11.0 finds it too."""
_CODE_OF_BYTE = bytes(CODE_OF_NUMBER.get(number, NO_TILE) for number in range(256))
_CODE_OF_TEXT = {str(number): code for number, code in CODE_OF_NUMBER.items()}
_KIND_OF_CODE = {code: int(KIND_OF_TILE[code - CODE_OF_TILE]) for code in CODE_OF_NUMBER.values()}
_TSUMOGIRI = 60
_OPEN_KAN_GIVES = 0

_MELD = re.compile(r"((?:[0-9][0-9]){0,3})([cpmkaf])((?:[0-9][0-9]){1,4})")
_SIZES = {"c": 3, "p": 3, "m": 4, "k": 4, "a": 4, "f": 1}
_STEP_OF_PLACE = {
    "c": {0: 3},
    "p": {0: 3, 1: 2, 2: 1},
    "m": {0: 3, 1: 2, 3: 1},
    "k": {0: 3, 1: 2, 2: 1},
}
"""Letter -> its place among the tiles -> how many seats on from the caller the discarder sits."""
_CALLS = {"c": EventKind.CHI, "p": EventKind.PON, "m": EventKind.DAIMINKAN}

_KNOWN: dict[tuple[int, int], dict[tuple[Any, Any], bytes]] = {
    (players, seat): {} for players in (3, 4) for seat in range(players)
}
"""(players, seat) -> what was taken and given up -> move, as met."""
_MAX_KNOWN = 20_000
"""A bound on that memory, for each seat; 2,500 games bring some 6,700."""


def read_codes(value: Any, what: str, at: int) -> bytes:
    """Read a list of tile numbers, cell ``at`` of a hand's list, into tile codes."""
    cells = as_list(value, what, at)
    try:
        codes = bytes(cells).translate(_CODE_OF_BYTE)
        if NO_TILE not in codes:
            return codes
    except (TypeError, ValueError):  # not all are small whole numbers
        pass
    try:
        return bytes([CODE_OF_NUMBER[cell] for cell in cells])
    except (KeyError, TypeError):
        wrong = next(c for c in cells if not isinstance(c, (int, float)) or c not in CODE_OF_NUMBER)
        raise wrong_value(f"{what} has {shown(wrong)}, which is not a tile", at, "V105") from None


def read_moves(seat: int, players: int, cells: list[Any], row: int) -> bytes:
    """Read one player's turns of a hand; ``row`` is where in its ``cells`` the tiles taken are.

    Raises ParseError, placed inside the hand, for anything but a move of this player.
    """
    took = as_list(cells[row], "the list of tiles taken", row)
    gave = as_list(cells[row + 1], "the list of tiles given up", row + 1)
    if len(took) != len(gave):
        gave = _aligned(took, gave, row)
    known = _KNOWN[players, seat]
    try:
        return b"".join(map(known.get, zip(took, gave, strict=True)))  # type: ignore[arg-type]
    except TypeError:  # a move that was not met yet, or a list or an object where a tile should be
        return b"".join(_each_move(seat, players, took, gave, row))


def _each_move(seat: int, players: int, took: list[Any], gave: list[Any], row: int) -> Iterator[bytes]:
    """Yield turn by turn."""
    known = _KNOWN[players, seat]
    for at, pair in enumerate(zip(took, gave, strict=True)):
        is_cell = not isinstance(pair[0], (list, dict)) and not isinstance(pair[1], (list, dict))
        yield (known.get(pair) if is_cell else None) or _new_move(seat, players, *pair, (row, at))


def _aligned(took: list[Any], gave: list[Any], row: int) -> list[Any]:
    """Fill up what was given up, where the hand ended after tiles were taken.

    The last tile may be kept; the 0 of an open kan just before is not written then.
    """
    unpaired = took[len(gave) :]
    if not unpaired or not all(isinstance(taken, str) and "m" in taken for taken in unpaired[:-1]):
        raise ParseError(
            f"{len(took)} tiles are taken and {len(gave)} given up; they must pair", place=f"[{row + 1}]"
        )
    return [*gave, *[_OPEN_KAN_GIVES] * (len(unpaired) - 1), None]


def _new_move(seat: int, players: int, took: Any, gave: Any, place: tuple[int, int]) -> bytes:
    row, at = place
    try:
        move = _move(seat, players, took, gave)
    except ParseError as error:
        error.place = f"[{row + (error.place == 'gave')}][{at}]"
        raise
    known = _KNOWN[players, seat]
    if len(known) < _MAX_KNOWN:
        known[took, gave] = move
    return move


def _wrong(what: str, value: Any, *, gave: bool = False) -> ParseError:
    return ParseError(f"{shown(value)} {what}", place="gave" if gave else "", code="V105")


def _move(seat: int, players: int, took: Any, gave: Any) -> bytes:
    if isinstance(took, str):
        letter, place, codes = _meld(took, "cpm")
        source = _source(seat, players, letter, place, took)
        called = codes.pop(place)
        first = pack(_CALLS[letter], seat, called, source, tuple(codes))
        wants = discard_key(source, called)
        drawn = NO_TILE
        if letter == "m" and gave is not None:
            if gave != _OPEN_KAN_GIVES:
                raise _wrong("is given up for an open kan; the format writes 0", gave, gave=True)
            return _turn((first,), wants, AGAIN, called, OPEN_KAN)
    else:
        drawn = _number(took)
        first, wants = pack(EventKind.DRAW, seat, drawn), DRAWS
    if gave is None:
        return _turn((first,), wants, STOPS, drawn)
    if isinstance(gave, str) and gave[:1] != "r":
        return _own_meld(seat, players, first, wants, gave)
    is_riichi = isinstance(gave, str)
    code, flags = _discard(gave, drawn)
    discard = pack(EventKind.DISCARD, seat, code, flags=flags)
    words: tuple[int, ...] = (first, discard)
    if is_riichi:
        words = (first, pack(EventKind.RIICHI, seat), discard, pack(EventKind.RIICHI_PAID, seat))
    return _turn(words, wants, discard_key(seat, code), code)


def _number(value: Any, *, gave: bool = False) -> int:
    code = CODE_OF_NUMBER.get(value) if isinstance(value, (int, float)) else None
    if code is None:
        raise _wrong("is not a tile", value, gave=gave)
    return code


def _discard(gave: Any, drawn: int) -> tuple[int, int]:
    """Tile and flags of a discard such as 23, 60, ``"r23"`` or ``"r60"``."""
    number = gave
    if isinstance(gave, str):
        number = int(gave[1:]) if re.fullmatch("r[0-9][0-9]", gave) else gave
    if number != _TSUMOGIRI:
        return _number(number, gave=True), 0
    if drawn == NO_TILE:
        raise _wrong("discards the tile just drawn, but none was", gave, gave=True)
    return drawn, EventFlag.TSUMOGIRI


def _own_meld(seat: int, players: int, first: int, wants: int, gave: str) -> bytes:
    """An ankan or kakan, or a kita."""
    with Within("gave"):
        letter, place, codes = _meld(gave, "kaf")
        if letter == "k":
            source = _source(seat, players, letter, place, gave)
            tile = codes.pop(place)
            called = codes.pop(place)
            shown = pack(EventKind.KAKAN, seat, tile, source, (called, *codes))
            return _turn((first, shown), wants, AGAIN, tile, OPEN_KAN)
        tile = codes.pop(place)
        if letter == "a":
            shown = pack(EventKind.ANKAN, seat, tile, own=tuple(codes))
            return _turn((first, shown), wants, AGAIN, tile, CLOSED_KAN)
        if tile != CODE_OF_TILE + NORTH:
            raise _wrong("sets aside something that is not a north", gave)
    return _turn((first, pack(EventKind.KITA, seat, tile)), wants, AGAIN, tile)


def _meld(text: str, letters: str) -> tuple[str, int, list[int]]:
    """Letter, its place, and the tiles: those but the marked one(s) sorted, red fives first."""
    found = _MELD.fullmatch(text)
    if found is None or found[2] not in letters:
        raise _wrong("is neither a tile nor a call", text)
    before, letter, after = found.groups()
    place = len(before) // 2
    numbers = before + after
    try:
        codes = [_CODE_OF_TEXT[numbers[i : i + 2]] for i in range(0, len(numbers), 2)]
    except KeyError as error:
        raise _wrong(f"names {error.args[0]}, which is not a tile", text) from None
    if len(codes) != _SIZES[letter] or not _fits(letter, codes):
        raise _wrong("is not a meld", text)
    marked = codes[place : place + 1 + (letter == "k")]
    others = codes[:place] + codes[place + len(marked) :]
    others.sort(key=lambda code: int(ORDER_OF_TILE[code - CODE_OF_TILE]))
    return letter, place, others[:place] + marked + others[place:]


def _fits(letter: str, codes: list[int]) -> bool:
    """A chi is a run in one suit, any other meld is of one kind."""
    kinds = sorted(_KIND_OF_CODE[code] for code in codes)
    if letter == "c":
        low = kinds[0]
        return low < 27 and low % 9 < 7 and kinds == [low, low + 1, low + 2]
    return kinds[0] == kinds[-1]


def _source(seat: int, players: int, letter: str, place: int, text: str) -> int:
    step = _STEP_OF_PLACE[letter].get(place)
    source = NO_SEAT if step is None else (seat + step) & 3
    if source >= players:
        raise _wrong("is called from nobody: the letter is in the wrong place", text)
    return source
