"""How Tenhou spells an element of mjlog: its name, its attributes, lists of whole numbers, codes of melds.

Only that spelling is read. At any other the functions say so, and the game is read element by element.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I32, I32_2D, I64, U8
from paifu.replay.kernels.running import kernel

UNKNOWN = -(2**31)
"""Points that the log does not state."""
NO_TILE = NOBODY = 255
MAX_POINTS = 10_000_000
"""As in ``replay.bounds``; a test holds them equal."""
IDS = 136
_MAX_ATTRIBUTES = 24
_MAX_DIGITS = 9
_MAX_NUMBERS = 64
_MAX_VALUE = 20_000


def name_code(name: bytes) -> int:
    """A name as one integer: its length and its first seven bytes."""
    return len(name) << 56 | int.from_bytes(name[:7], "big")


URA_HAI, RYUUKYOKU, TAIKYOKU = map(name_code, (b"doraHaiUra", b"RYUUKYOKU", b"TAIKYOKU"))
_LONG_TAILS = {URA_HAI: b"Ura", RYUUKYOKU: b"KU", TAIKYOKU: b"U"}
_URA_TAIL, _KU_TAIL, _U_TAIL = (int.from_bytes(tail, "big") for tail in _LONG_TAILS.values())


class Scanned(NamedTuple):
    """The text of a game, what it becomes, and room for one element's attributes."""

    text: U8
    words: I64
    """Packed events; see ``replay.model.events``."""
    hands: I32_2D
    wins: I32_2D
    draws: I32_2D
    riichi: I32_2D
    counts: I32
    """Where the text begins and ends; the number of players; how many words, hands, wins, draws and riichi
    rows there are; where the text of ``owari`` begins and ends, 0 for none; how many hands have a seed, and
    how many wins list no yaku."""
    head: I32_2D
    """Where each value before the first hand begins and ends, 0 for none."""
    names: I64
    spans: I32_2D
    """Where the value of each attribute begins and ends."""
    numbers: I32
    known_yaku: U8


@kernel
def read_name(text: U8, begin: int, end: int) -> int:
    """Return the code of a name; -1 for none that is known by its first bytes alone."""
    size = end - begin
    if not 0 < size <= 10:
        return -1
    packed, tail = 0, 0
    for at in range(begin, end):
        byte = int(text[at])
        if not (byte == 95 or 48 <= byte <= 57 or 65 <= byte <= 90 or 97 <= byte <= 122):
            return -1
        if at - begin < 7:
            packed = packed << 8 | byte
        else:
            tail = tail << 8 | byte
    code = size << 56 | packed
    is_long = size > 7 and not (
        (code == URA_HAI and tail == _URA_TAIL)
        or (code == RYUUKYOKU and tail == _KU_TAIL)
        or (code == TAIKYOKU and tail == _U_TAIL)
    )
    return -1 if is_long else code


@kernel
def read_attributes(text: U8, begin: int, end: int, out: Scanned) -> tuple[int, int]:
    """Read `` name="value"`` until the element ends; return how many, and where the next one begins.

    The count is -1 for any other spelling.
    """
    at, count = begin, 0
    while at < end:
        if text[at] == 47:  # /
            closed = at + 1 < end and text[at + 1] == 62
            return (count if closed else -1), at + 2
        if text[at] != 32 or count == _MAX_ATTRIBUTES:
            return -1, at
        at += 1
        if at < end and text[at] == 47:  # a blank before the end
            continue
        name = at
        while at < end and text[at] != 61 and at - name <= 10:
            at += 1
        code = read_name(text, name, at)
        if code < 0 or at + 1 >= end or text[at + 1] != 34:
            return -1, at
        at += 2
        value = at
        while at < end and text[at] != 34:
            if text[at] == 60 or text[at] == 38:  # < &
                return -1, at
            at += 1
        if at >= end or at - value > _MAX_VALUE:
            return -1, at
        for other in range(count):
            if out.names[other] == code:
                return -1, at
        out.names[count], out.spans[count, 0], out.spans[count, 1] = code, value, at
        count += 1
        at += 1
    return -1, at


@kernel
def find(out: Scanned, count: int, name: int) -> int:
    """Return the number of an attribute, -1 for one that is not there."""
    for number in range(count):
        if out.names[number] == name:
            return number
    return -1


@kernel
def read_numbers(text: U8, attribute: int, out: Scanned) -> int:
    """Read a list of whole numbers into ``out.numbers``; return how many, -1 for another spelling."""
    if attribute < 0:
        return -1
    at, end, count = int(out.spans[attribute, 0]), int(out.spans[attribute, 1]), 0
    if at == end:
        return 0
    while count < _MAX_NUMBERS:
        is_negative = text[at] == 45
        if is_negative:
            at += 1
        begin, value = at, 0
        while at < end and 48 <= text[at] <= 57 and at - begin <= _MAX_DIGITS:
            value = 10 * value + int(text[at]) - 48
            at += 1
        size = at - begin
        if size == 0 or size > _MAX_DIGITS or (text[begin] == 48 and (size > 1 or is_negative)):
            return -1
        out.numbers[count] = -value if is_negative else value
        count += 1
        if at == end:
            return count
        if text[at] != 44 or at + 1 == end:
            return -1
        at += 1
    return -1


@kernel
def read_one(text: U8, attribute: int, high: int, out: Scanned) -> int:
    """Read one number from 0 to below ``high``; -1 for anything else."""
    if read_numbers(text, attribute, out) != 1 or not 0 <= out.numbers[0] < high:
        return -1
    return int(out.numbers[0])


@kernel
def read_tiles(text: U8, attribute: int, most: int, out: Scanned) -> int:
    """Read at most ``most`` tiles into ``out.numbers``; return how many, or -1."""
    count = read_numbers(text, attribute, out)
    if count > most:
        return -1
    for number in range(count):
        if not 0 <= out.numbers[number] < IDS:
            return -1
    return count


@kernel
def read_points(text: U8, attribute: int, unit: int, row: I32, place: int, out: Scanned) -> bool:
    """Read points by seat, in ``unit``, into a row; return whether they are four of a possible size."""
    if read_numbers(text, attribute, out) != 4:
        return False
    for seat in range(4):
        value = unit * int(out.numbers[seat])
        if not -MAX_POINTS <= value <= MAX_POINTS:
            return False
        row[place + seat] = value
    return True


@kernel
def fill(row: I32, begin: int, end: int, value: int) -> None:
    """Set places of a row to one value."""
    for at in range(begin, end):
        row[at] = value


@kernel
def take_numbers(out: Scanned, size: int, row: I32, place: int) -> None:
    """Copy the first ``size`` numbers that were read into a row."""
    for number in range(size):
        row[place + number] = out.numbers[number]


@kernel
def event_word(kind: int, seat: int, source: int, tile: int) -> int:
    """Return an event without own tiles as one word; see ``replay.model.events``."""
    return called_word(kind, seat, source, tile, NO_TILE, NO_TILE, NO_TILE)


@kernel
def called_word(kind: int, seat: int, source: int, tile: int, first: int, second: int, third: int) -> int:
    """Return an event with up to three own tiles as one word."""
    own = first << 19 | second << 27 | third << 35
    return kind | (seat & 7) << 5 | (source & 7) << 8 | tile << 11 | own


@kernel
def other_copies(tile: int) -> tuple[int, int, int]:
    """Return the three other copies of a tile."""
    copy = tile & 3
    first = tile - copy
    return first + (copy <= 0), first + 1 + (copy <= 1), first + 2 + (copy <= 2)


@kernel
def meld_word(code: int, seat: int) -> int:
    """Return the word of one of Tenhou's meld codes, as in ``parsers.mjlog.melds``; 0 for none."""
    source = (seat + (code & 3)) & 3
    if code & 4:
        pattern, called = (code >> 10) // 3, (code >> 10) % 3
        if code & 3 != 3 or pattern >= 21:
            return 0
        low = 4 * (pattern // 7 * 9 + pattern % 7)
        first, second, third = low + (code >> 3 & 3), low + 4 + (code >> 5 & 3), low + 8 + (code >> 7 & 3)
        if called == 0:
            return called_word(state.CHI, seat, source, first, second, third, NO_TILE)
        if called == 1:
            return called_word(state.CHI, seat, source, second, first, third, NO_TILE)
        return called_word(state.CHI, seat, source, third, first, second, NO_TILE)
    if code & 0x18:
        kind, called = (code >> 9) // 3, (code >> 9) % 3
        if kind >= 34 or not code & 3:
            return 0
        missing = 4 * kind + (code >> 5 & 3)
        first, second, third = other_copies(missing)
        if called == 1:
            first, second = second, first
        elif called == 2:
            first, second, third = third, first, second
        if code & 0x10:
            return called_word(state.KAKAN, seat, source, missing, first, second, third)
        return called_word(state.PON, seat, source, first, second, third, NO_TILE)
    tile = code >> 8
    if tile >= IDS:
        return 0
    if code & 0x20:
        return event_word(state.KITA, seat, NOBODY, tile)
    first, second, third = other_copies(tile)
    if code & 3:
        return called_word(state.DAIMINKAN, seat, source, tile, first, second, third)
    return called_word(state.ANKAN, seat, NOBODY, tile, first, second, third)
