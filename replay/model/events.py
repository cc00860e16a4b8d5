"""Event kinds, hand ends, and the packed word in which parsers hand events over.

An event is one row of a batch's ``events`` table. While a game is being read it is one integer, its
**word**, so that a parser can look most events up in a dictionary and the builder can unpack a whole
batch at once. Inside a word (and in the tile fields of a draft's rows) a tile is a **code**: 0-135 for
a physical tile, ``CODE_OF_TILE + tile`` where the log states only the tile, 255 for none or hidden. Flowers,
seasons and jokers have no physical codes.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, IntFlag
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.model.tiles import IDS, NO_TILE

NO_SEAT = 255
"""Stands for "nobody" in seat columns, and for "not stated" in all but ``wins.liable``."""
UNSTATED_SEAT = 254
"""Stands for "not stated" where nobody is an answer, too: in ``wins.liable``."""


class EventKind(IntEnum):
    """What happened. Values are part of the stored format: append, never renumber."""

    DRAW = 1
    """``seat`` draws ``tile`` from the wall (or the dead wall after a kan, a kita or a flower)."""
    DISCARD = 2
    CHI = 3
    """``seat`` calls ``tile`` from ``source`` and shows the two tiles of ``own``."""
    PON = 4
    DAIMINKAN = 5
    """As PON, with three own tiles."""
    ANKAN = 6
    """``tile`` and the three ``own`` are the four tiles; no source."""
    KAKAN = 7
    """``tile`` is added to a pon; ``own`` are the pon's tiles, the called one first; ``source`` is whom
    the pon was called from."""
    KITA = 8
    """``tile`` (north, or NO_TILE) is set aside in 3-player games."""
    RIICHI = 9
    """``seat`` declares; its next discard is the declaration tile."""
    RIICHI_PAID = 10
    """The declaration tile passed; 1000 points are paid."""
    DORA = 11
    """``tile`` is a newly turned dora indicator."""
    WIN = 12
    """``seat`` wins on ``tile`` from ``source`` (itself on tsumo); details are in ``wins``."""
    HAND_DRAW = 13
    """The hand ends without a winner; details are in ``hand_draws``."""
    LEAVE = 14
    """``seat`` leaves the table (its client plays on by itself)."""
    RETURN = 15
    BONUS = 16
    """``seat`` sets ``tile``, a flower or a season, aside; the tile that it draws next replaces it. In riichi
    this is the draw of a flower, too, and one before the first draw of a hand was dealt and replaced."""
    FOUL = 17
    """``seat`` committed a foul, at its turn or not: ``tile`` is the id of its kind (see
    :mod:`paifu.replay.rules.foul_kinds`), and bits of ``flags`` what it costs if the table ruled otherwise
    than the rules."""


GIVES_TILE = (EventKind.DISCARD, EventKind.KITA, EventKind.ANKAN, EventKind.KAKAN)
"""Kinds of events whose tile comes out of the hand."""
GIVES_OWN: dict[int, int] = {EventKind.CHI: 2, EventKind.PON: 2, EventKind.DAIMINKAN: 3, EventKind.ANKAN: 3}
"""Kinds of events that take tiles of their own besides, and how many."""


class EventFlag(IntFlag):
    """Marks on an event."""

    TSUMOGIRI = 1
    """A discard of the tile just drawn."""
    ORDER_UNCERTAIN = 2
    """The format gives only each seat's own order, and another order of this call would fit as well."""
    OPEN = 4
    """A riichi declared with the hand shown."""


FOULS = 18
"""Kinds of fouls."""
RULING_SHIFT = 2
"""Bit of a foul's flags where its cost begins, a :class:`~paifu.replay.rules.choices.Consequence`; 0: as the
rules have it."""


class HandEnd(IntEnum):
    """How a hand ended, as the log claims. Values are part of the stored format."""

    UNFINISHED = 0
    """The log stops inside the hand."""
    WIN = 1
    EXHAUSTIVE = 2
    NAGASHI = 3
    KYUUSHU = 4
    """Nine kinds of terminals and honours."""
    SUUFON = 5
    """Four equal winds."""
    SUUCHA = 6
    """Four riichi."""
    SANCHAHOU = 7
    """Three rons at once."""
    SUUKAIKAN = 8
    """Four kans."""
    UNKNOWN_DRAW = 9
    """A draw whose kind the log does not state."""
    CHOMBO = 10
    """A foul of the event's seat."""


CODE_OF_TILE = IDS
"""Offset of the codes of tiles whose physical copy is unknown."""

SEAT_SHIFT = 5
"""Bit where a word's seat begins (3 bits, 7 for nobody)."""
SOURCE_SHIFT = 8
"""Bit where a word's source seat begins, likewise."""
TILE_SHIFT, FLAG_SHIFT = 11, 43
"""Bits where a word's tile code (8 bits) and its flags begin."""
_OWN = (19, 27, 35)
_NOBODY = 7
"""What NO_SEAT becomes in three bits."""
_NO_OWN = sum(NO_TILE << shift for shift in _OWN)


def pack(
    kind: EventKind,
    seat: int = NO_SEAT,
    tile: int = NO_TILE,
    source: int = NO_SEAT,
    own: tuple[int, ...] = (),
    flags: int = 0,
) -> int:
    """Pack one event into a word. ``tile`` and ``own`` (at most three) are tile codes."""
    word = kind | (seat & _NOBODY) << SEAT_SHIFT | (source & _NOBODY) << SOURCE_SHIFT | tile << TILE_SHIFT
    if own:
        padded = (*own, NO_TILE, NO_TILE)
        word |= (padded[0] << _OWN[0]) | (padded[1] << _OWN[1]) | (padded[2] << _OWN[2])
    else:
        word |= _NO_OWN
    return word | (flags << FLAG_SHIFT)


_SEATS_OF_BITS = [
    np.array([bits >> shift & 7 if bits >> shift & 7 < 4 else NO_SEAT for bits in range(256)], np.uint8)
    for shift in (0, SOURCE_SHIFT - SEAT_SHIFT)
]
"""The seat, and the source, by the eight bits of a word from the seat on."""


def looked_up(codes: npt.NDArray[np.uint8], table: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Look each byte up in a (256,) table; ``translate`` is several times faster than indexing."""
    return np.frombuffer(bytearray(codes).translate(table.tobytes()), np.uint8).reshape(codes.shape)


def unpack(words: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[np.uint8]]:
    """Unpack (n,) words into columns kind, seat, source, tile, own (n, 3), flags; tiles stay codes."""
    low, high = words.astype(np.uint32), (words >> _OWN[0]).astype(np.uint32)
    seats = (low >> SEAT_SHIFT).astype(np.uint8)
    own = np.full((len(words), len(_OWN)), NO_TILE, np.uint8)
    shows = np.flatnonzero(high & _NO_OWN >> _OWN[0] != _NO_OWN >> _OWN[0])
    own[shows] = high[shows, None] >> (np.array(_OWN, np.uint32) - _OWN[0])
    return {
        "kind": (low & 31).astype(np.uint8),
        "seat": looked_up(seats, _SEATS_OF_BITS[0]),
        "source": looked_up(seats, _SEATS_OF_BITS[1]),
        "tile": (low >> TILE_SHIFT).astype(np.uint8),
        "own": own,
        "flags": (high >> FLAG_SHIFT - _OWN[0]).astype(np.uint8),
    }


def pack_columns(columns: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.int64]:
    """Pack the columns of :func:`unpack`, tiles as codes, into (n,) words."""
    whole = {name: array.astype(np.int64) for name, array in columns.items()}
    words = (
        whole["kind"] | (whole["seat"] & _NOBODY) << SEAT_SHIFT | (whole["source"] & _NOBODY) << SOURCE_SHIFT
    )
    words |= whole["tile"] << TILE_SHIFT | whole["flags"] << FLAG_SHIFT
    for place, shift in enumerate(_OWN):
        words |= whole["own"][:, place] << shift
    return words


def discards_of_drawn(
    kind: npt.NDArray[np.uint8],
    seat: npt.NDArray[np.uint8],
    tile: npt.NDArray[np.uint8],
    first: npt.NDArray[np.int32],
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return which events discard the physical tile just drawn, no call in between, and which may.

    A discard may if its copy, or the copy drawn, is not known.

    All arrays have a value for each event: ``tile`` is the physical id (or a tile code), ``first`` the row
    of the first event of the same game.
    """
    takes = (kind == EventKind.DRAW) | (kind == EventKind.CHI) | (kind == EventKind.PON)
    discards = np.flatnonzero(kind == EventKind.DISCARD)
    last = discards - 1
    further = np.flatnonzero(~takes[last])
    at = np.concatenate([[-1], np.flatnonzero(takes)])
    last[further] = at[at.searchsorted(discards[further]) - 1]
    last = np.maximum(last, first[discards])
    follows = (kind[last] == EventKind.DRAW) & (seat[discards] == seat[last])
    its_tile, drawn = tile[discards], tile[last]
    is_drawn, may_be = np.zeros((2, len(kind)), np.bool_)
    is_drawn[discards] = follows & (its_tile < IDS) & (its_tile == drawn)
    may_be[discards] = (its_tile >= IDS) | (follows & (drawn >= IDS))
    return is_drawn, may_be
