"""Words of the elements that follow from themselves alone: draws, discards, calls, declarations, dora."""

from __future__ import annotations

from collections.abc import Callable

from paifu.parsers.mjlog.melds import word_of_code
from paifu.parsers.mjlog.values import read_seat, tile_id, whole_numbers
from paifu.parsers.mjlog.whole_game import Attributes
from paifu.replay.model.events import EventKind, pack
from paifu.replay.model.tiles import IDS


def _plain_words() -> dict[bytes, int]:
    """Words of the elements without attributes: draws T-W and discards D-G, each with a tile id."""
    return {
        b"%c%d" % (letters[seat], tile): pack(kind, seat, tile)
        for letters, kind in ((b"TUVW", EventKind.DRAW), (b"DEFG", EventKind.DISCARD))
        for seat in range(4)
        for tile in range(IDS)
    }


PLAIN = _plain_words()


def _call(attributes: Attributes) -> int:
    return word_of_code(int(attributes[b"m"]), read_seat(attributes[b"who"]))


def _declaration(attributes: Attributes) -> int:
    if attributes[b"step"] != b"1":
        return 0
    return pack(EventKind.RIICHI, read_seat(attributes[b"who"]))


def _dora(attributes: Attributes) -> int:
    return pack(EventKind.DORA, tile=tile_id(whole_numbers(attributes[b"hai"])))


def _leave(attributes: Attributes) -> int:
    return pack(EventKind.LEAVE, read_seat(attributes[b"who"]))


CALLS: dict[bytes, Callable[[Attributes], int]] = {
    b"N": _call,
    b"DORA": _dora,
    b"REACH": _declaration,
    b"BYE": _leave,
}
"""Elements whose word follows from themselves alone; 0 sends them on to the handlers."""
