"""Tenhou's meld codes: the attribute ``m`` of an ``N`` element, 16 bits and sometimes more.

Bits 0-1 say whom the tile came from (1 right, 2 across, 3 left of the caller, 0 nobody); then 0x4 marks a
chi, 0x8 a pon, 0x10 a kan added to a pon, 0x20 a kita; none of these is an open or a closed kan.
Checked against the discards and hands of every meld of the real logs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from paifu.parsers.packed_events import own_of, seat_of, source_of, tile_of
from paifu.replay.kernels.mjlog_spelling import meld_word
from paifu.replay.model.events import NO_SEAT, EventKind
from paifu.replay.model.tiles import IDS


@dataclass(frozen=True, slots=True)
class LoggedMeld:
    """A decoded meld; ``tile`` and ``own`` are physical ids as in the events table."""

    kind: EventKind
    seat: int
    source: int
    tile: int
    own: tuple[int, ...]

    @classmethod
    def of(cls, word: int) -> LoggedMeld:
        """The meld of an event as the builder takes it."""
        return cls(EventKind(word & 31), seat_of(word), source_of(word), tile_of(word), tuple(own_of(word)))


def word_of_code(code: int, seat: int) -> int:
    """Return the event that ``code`` names as called by ``seat``, as the builder takes it.

    Raises ValueError for a code that names no meld.
    """
    word = meld_word(code, seat) if code >= 0 else 0
    if not word:
        raise ValueError(f"meld code {code} {_fault(code)}")
    return word


def decode_meld(code: int, seat: int) -> LoggedMeld:
    """Decode ``code`` as called by ``seat``.

    Raises ValueError for a code that names no meld.
    """
    return LoggedMeld.of(word_of_code(code, seat))


def _fault(code: int) -> str:
    """Why a code names no meld."""
    if code < 0:
        return "is negative"
    if code & 0x4:
        is_left = code & 3 == 3
        pattern = f"names chi pattern {(code >> 10) // 3}; there are 21"
        return pattern if is_left else "is a chi from another seat than the left one"
    if code & 0x18:
        kind = (code >> 9) // 3
        return f"names tile kind {kind}; kinds are 0-33" if kind >= IDS // 4 else "is a pon from nobody"
    return f"names tile {code >> 8}; ids are 0-135"


def encode_meld(meld: LoggedMeld) -> int:
    """Return Tenhou's code of a meld: the reverse of :func:`decode_meld`, whatever the order of its tiles.

    Raises ValueError for an event that is not a meld, and for tiles or a source that make none.
    """
    try:
        code = meld_code(meld)
        is_one = _in_order(decode_meld(code, meld.seat)) == _in_order(meld)
    except (ValueError, IndexError):
        is_one = False
    if not is_one:
        raise ValueError(f"a {meld.kind.name.lower()} of these tiles is not a meld")
    return code


def _in_order(meld: LoggedMeld) -> LoggedMeld:
    """Sort own tiles; the first of a kan added to a pon is the one that was called."""
    first = int(meld.kind == EventKind.KAKAN)
    return replace(meld, own=(*meld.own[:first], *sorted(meld.own[first:])))


def meld_code(meld: LoggedMeld) -> int:
    """Return the code of a meld that was made by the rules; where two play, a chi comes from either side."""
    relative = 0 if meld.source == NO_SEAT else (meld.source - meld.seat) & 3
    match meld.kind:
        case EventKind.CHI:
            tiles = sorted((meld.tile, *meld.own))
            suit, number = divmod(tiles[0] // 4, 9)
            pattern = (suit * 7 + number) * 3 + tiles.index(meld.tile)
            copies = sum((tile & 3) << (3 + 2 * i) for i, tile in enumerate(tiles))
            return pattern << 10 | copies | 0x4 | relative
        case EventKind.PON:
            (missing,) = {0, 1, 2, 3} - {tile & 3 for tile in (meld.tile, *meld.own)}
            return _pon_code(meld.tile, sorted((meld.tile, *meld.own)), missing) | 0x8 | relative
        case EventKind.KAKAN:
            return _pon_code(meld.own[0], sorted(meld.own), meld.tile & 3) | 0x10 | relative
        case EventKind.DAIMINKAN | EventKind.ANKAN:
            return meld.tile << 8 | relative
        case EventKind.KITA:
            return meld.tile << 8 | 0x20
    raise ValueError(f"{meld.kind!r} is not a meld")


def _pon_code(called: int, tiles: list[int], missing: int) -> int:
    return (called // 4 * 3 + tiles.index(called)) << 9 | missing << 5
