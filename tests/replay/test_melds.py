"""Tenhou's meld codes: each kind, and that no code gives what no game can hold."""

from __future__ import annotations

from collections import Counter

import pytest
from each_row import each_row

from paifu.parsers.mjlog.melds import LoggedMeld, decode_meld, encode_meld
from paifu.replay.model.events import NO_SEAT, EventKind

CHI, PON, KAKAN = EventKind.CHI, EventKind.PON, EventKind.KAKAN
DAIMINKAN, ANKAN, KITA = EventKind.DAIMINKAN, EventKind.ANKAN, EventKind.KITA


def chi(first_kind: int, copies: tuple[int, int, int], called: int) -> int:
    pattern = first_kind // 9 * 7 + first_kind % 9
    bits = sum(copy << (3 + 2 * place) for place, copy in enumerate(copies))
    return (3 * pattern + called) << 10 | bits | 0x4 | 3


def pon(kind: int, missing: int, called: int, source: int, mark: int = 0x8) -> int:
    return (3 * kind + called) << 9 | missing << 5 | mark | source


@each_row(
    ("code", "seat", "meld"),
    [
        (chi(0, (0, 0, 0), 0), 0, LoggedMeld(CHI, 0, 3, 0, (4, 8))),
        (chi(0, (1, 2, 3), 1), 1, LoggedMeld(CHI, 1, 0, 6, (1, 11))),
        (chi(6, (3, 3, 3), 2), 2, LoggedMeld(CHI, 2, 1, 35, (27, 31))),
        (chi(9, (0, 1, 2), 0), 3, LoggedMeld(CHI, 3, 2, 36, (41, 46))),
        (chi(24, (0, 0, 0), 2), 0, LoggedMeld(CHI, 0, 3, 104, (96, 100))),
        (pon(0, 3, 0, 1), 0, LoggedMeld(PON, 0, 1, 0, (1, 2))),
        (pon(0, 0, 2, 2), 1, LoggedMeld(PON, 1, 3, 3, (1, 2))),
        (pon(33, 1, 1, 3), 2, LoggedMeld(PON, 2, 1, 134, (132, 135))),
        (pon(4, 0, 0, 1, 0x10), 3, LoggedMeld(KAKAN, 3, 0, 16, (17, 18, 19))),
        (pon(4, 2, 2, 3, 0x10), 0, LoggedMeld(KAKAN, 0, 3, 18, (19, 16, 17))),
        (135 << 8 | 1, 3, LoggedMeld(DAIMINKAN, 3, 0, 135, (132, 133, 134))),
        (17 << 8 | 2, 3, LoggedMeld(DAIMINKAN, 3, 1, 17, (16, 18, 19))),
        (0, 2, LoggedMeld(ANKAN, 2, NO_SEAT, 0, (1, 2, 3))),
        (134 << 8, 0, LoggedMeld(ANKAN, 0, NO_SEAT, 134, (132, 133, 135))),
        (121 << 8 | 0x20, 1, LoggedMeld(KITA, 1, NO_SEAT, 121, ())),
    ],
)
def test_each_kind(code: int, seat: int, meld: LoggedMeld) -> None:
    assert decode_meld(code, seat) == meld


@each_row(
    ("code", "message"),
    [
        (-1, "is negative"),
        (-(1 << 20) | 0x4 | 3, "is negative"),
        (chi(0, (0, 0, 0), 0) - 1, "from another seat than the left one"),
        (chi(0, (0, 0, 0), 0) - 3, "from another seat than the left one"),
        (63 << 10 | 0x4 | 3, "chi pattern 21; there are 21"),
        (102 << 9 | 0x8 | 1, "tile kind 34; kinds are 0-33"),
        (pon(0, 3, 0, 0), "a pon from nobody"),
        (pon(0, 3, 0, 0, 0x10), "a pon from nobody"),
        (136 << 8, "names tile 136"),
        (136 << 8 | 1, "names tile 136"),
        (136 << 8 | 0x20, "names tile 136"),
        (1 << 70, "names tile"),
    ],
)
def test_a_code_that_names_no_meld_is_refused(code: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        decode_meld(code, 0)


def check(meld: LoggedMeld, seat: int) -> None:
    tiles = sorted((meld.tile, *meld.own))
    assert meld.seat == seat
    assert len(set(tiles)) == len(tiles)
    assert 0 <= tiles[0] <= tiles[-1] < 136
    kinds = [tile // 4 for tile in tiles]
    if meld.kind is CHI:
        assert (len(tiles), meld.source) == (3, (seat + 3) % 4)
        assert kinds == [kinds[0], kinds[0] + 1, kinds[0] + 2]
        assert kinds[0] // 9 == kinds[2] // 9 < 3
    elif meld.kind is KITA:
        assert (len(tiles), meld.source) == (1, NO_SEAT)
    else:
        assert len(set(kinds)) == 1
        assert len(tiles) == (3 if meld.kind is PON else 4)
        assert (meld.source == NO_SEAT) == (meld.kind is ANKAN)
        assert meld.source != seat
    assert meld.source in (0, 1, 2, 3, NO_SEAT)


def test_every_code_of_16_bits_is_a_sound_meld_or_refused() -> None:
    kinds: Counter[EventKind] = Counter()
    refused = 0
    for code in range(1 << 16):
        try:
            meld = decode_meld(code, code % 4)
        except ValueError:
            refused += 1
            continue
        check(meld, code % 4)
        assert decode_meld(encode_meld(meld), code % 4) == meld
        kinds[meld.kind] += 1
    # 21 runs x 64 copies x 3 called, and a bit of no meaning.
    assert set(kinds) == {CHI, PON, KAKAN, DAIMINKAN, ANKAN, KITA}
    assert kinds[CHI] == 21 * 64 * 3 * 2
    assert refused + kinds.total() == 1 << 16
    assert refused > 20_000
