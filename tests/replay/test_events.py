"""Event words: what is packed comes out again, and 0 is not an event."""

from __future__ import annotations

import numpy as np
from builders import CODES, SEATS
from hypothesis import given
from hypothesis import strategies as st

from paifu.replay.model.events import (
    CODE_OF_TILE,
    EventFlag,
    EventKind,
    HandEnd,
    pack,
    unpack,
)
from paifu.replay.model.tiles import NO_TILE

CODE = st.sampled_from(CODES)
EVENTS = st.tuples(
    st.sampled_from(EventKind),
    st.sampled_from(SEATS),
    CODE,
    st.sampled_from(SEATS),
    st.lists(CODE, max_size=3).map(tuple),
    st.integers(0, 255),
)


@given(st.lists(EVENTS))
def test_words_come_back(events: list[tuple[EventKind, int, int, int, tuple[int, ...], int]]) -> None:
    words = [pack(*event) for event in events]
    assert all(0 < word < 2**63 for word in words)
    columns = unpack(np.array(words, np.int64))
    assert {array.dtype for array in columns.values()} == {np.dtype(np.uint8)}
    assert columns["own"].shape == (len(events), 3)
    unpacked = zip(
        *(columns[name].tolist() for name in ("kind", "seat", "tile", "source", "own", "flags")), strict=True
    )
    padded = [(k, s, t, f, [*own, *[NO_TILE] * (3 - len(own))], flags) for k, s, t, f, own, flags in events]
    assert list(unpacked) == padded


def test_codes_of_tiles_do_not_run_into_no_tile() -> None:
    assert len(set(CODES)) == len(CODES) == 136 + 37 + 1
    assert CODE_OF_TILE + 36 < NO_TILE


def test_stored_numbers_never_change() -> None:
    assert {kind.name: kind.value for kind in EventKind} == {
        "DRAW": 1, "DISCARD": 2, "CHI": 3, "PON": 4, "DAIMINKAN": 5, "ANKAN": 6, "KAKAN": 7, "KITA": 8,
        "RIICHI": 9, "RIICHI_PAID": 10, "DORA": 11, "WIN": 12, "HAND_DRAW": 13, "LEAVE": 14, "RETURN": 15,
        "BONUS": 16, "FOUL": 17,
    }  # fmt: skip
    assert {end.name: end.value for end in HandEnd} == {
        "UNFINISHED": 0, "WIN": 1, "EXHAUSTIVE": 2, "NAGASHI": 3, "KYUUSHU": 4, "SUUFON": 5, "SUUCHA": 6,
        "SANCHAHOU": 7, "SUUKAIKAN": 8, "UNKNOWN_DRAW": 9, "CHOMBO": 10,
    }  # fmt: skip
    assert {flag.name: flag.value for flag in EventFlag} == {"TSUMOGIRI": 1, "ORDER_UNCERTAIN": 2, "OPEN": 4}
