"""Readings of winning hands: each division and wait once, and no other."""

from __future__ import annotations

import random

import numpy as np
import pytest
from case_data import case_data
from each_row import each_row
from hands import readings
from hypothesis import given
from hypothesis import strategies as st
from legal_oracle import readings_of

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.readings import readings_kernel
from paifu.replay.kernels.rules import IDENTICAL_PAIRS
from paifu.replay.model.tile_notation import parse_tiles
from paifu.replay.model.tiles import KINDS
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.readings import Form, Meld, MeldKind, Wait

CASES: dict[str, list[str]] = case_data("shapes")["readings"]


@each_row(("text", "expected"), CASES.items())
def test_readings_of_known_hands(text: str, expected: list[str]) -> None:
    tiles = parse_tiles(text)
    found = {str(reading) for reading in readings(tiles, tiles[-1])}
    # Groups are sorted by kind; write the expectation in the same order.
    assert found == {_sorted_by_kind(line) for line in expected}


def _sorted_by_kind(line: str) -> str:
    head, wait = line.rsplit(", ", 1)
    if head.startswith("thirteen") or head.count(" ") == 6:
        return line
    *groups, pair = head.split(" ")
    groups.sort(key=parse_tiles)
    return f"{' '.join([*groups, pair])}, {wait}"


def test_melds_stand_after_the_concealed_groups() -> None:
    melds = (Meld(MeldKind.ANKAN, (27,) * 4), Meld(MeldKind.CHI, (34, 5, 3)))
    (reading,) = readings(parse_tiles("123p456p99s"), 9, melds)
    assert str(reading) == "123p 456p [1111z] (456m) 99s, ryanmen"


def test_the_triplet_completed_by_ron_is_not_concealed() -> None:
    tiles = parse_tiles("111m234m567p88999s")
    for tsumo in (True, False):
        (reading,) = readings(tiles, 26, tsumo=tsumo)
        assert reading.wait == Wait.SHANPON
        assert [g.concealed for g in reading.groups if g.is_triplet] == [True, tsumo]


def test_identical_pairs_count_only_where_the_rules_say_so() -> None:
    tiles = parse_tiles("1111m2222m3344p99s")
    assert readings(tiles, 26) == ()
    (reading,) = readings(tiles, 26, forms=IDENTICAL_PAIRS)
    assert str(reading) == "11m 11m 22m 22m 33p 44p 99s, tanki"


@each_row(
    ("kind", "text", "message"),
    [
        (MeldKind.CHI, "124m", "not a run"),
        (MeldKind.CHI, "89m1p", "not a run"),
        (MeldKind.CHI, "123z", "not a run"),
        (MeldKind.PON, "112m", "equal tiles"),
        (MeldKind.PON, "11m", "has 3 tiles"),
        (MeldKind.ANKAN, "111m", "has 4 tiles"),
    ],
)
def test_a_meld_that_is_none_is_refused(kind: MeldKind, text: str, message: str) -> None:
    with pytest.raises(HandError, match=message):
        Meld(kind, tuple(parse_tiles(text))).check()


def _naive(tiles: list[int], win: int) -> set[tuple[object, ...]]:
    """All standard readings as (groups, pair, wait)."""
    found = set()
    for division in readings_of(sorted(tiles)):
        groups = tuple(sorted(group for group in division if len(group) == 3))
        ((pair, _),) = (group for group in division if len(group) == 2)
        if pair == win:
            found.add((groups, pair, Wait.TANKI))
        found |= {(groups, pair, _wait(group, win)) for group in groups if win in group}
    return found


def _wait(group: tuple[int, ...], win: int) -> Wait:
    if group[0] == group[1]:
        return Wait.SHANPON
    if win == group[1]:
        return Wait.KANCHAN
    number = group[0] % 9
    edge = (number == 0 and win == group[2]) or (number == 6 and win == group[0])
    return Wait.PENCHAN if edge else Wait.RYANMEN


def _agree(tiles: list[int], win: int) -> int:
    ours = [reading for reading in readings(tiles, win) if reading.form == Form.STANDARD]
    mine = {(tuple(sorted(g.kinds for g in r.groups[:-1])), r.groups[-1].kinds[0], r.wait) for r in ours}
    assert len(mine) == len(ours), "a reading stands there twice"
    assert mine == _naive(tiles, win)
    return len(ours)


@given(st.lists(st.integers(0, 8), min_size=14, max_size=14).filter(lambda t: max(map(t.count, t)) <= 4))
def test_one_suit_agrees_with_trying_everything(tiles: list[int]) -> None:
    for win in set(tiles):
        _agree(tiles, win)


def test_complete_hands_agree_with_trying_everything() -> None:
    rng = random.Random(5)  # noqa: S311 - not for secrets
    found = 0
    for _ in range(300):
        low = rng.choice([0, 9, 18, 3])
        groups = []
        for _ in range(rng.randint(1, 4)):
            first = low + rng.randrange(7)
            groups.append(rng.choice([(first,) * 3, (first, first + 1, first + 2)]))
        tiles = [kind for group in groups for kind in group] + [rng.randrange(KINDS)] * 2
        if max(map(tiles.count, tiles)) <= 4:
            found += sum(_agree(tiles, win) for win in set(tiles))
    assert found > 1000


def test_no_one_suit_hand_has_more_readings_than_there_is_room_for() -> None:
    rows = np.zeros((layout.MAX_READINGS, layout.ROW_SIZE), np.int64)
    counts = np.zeros(KINDS, np.uint8)
    counts[:4] = 3, 4, 4, 3
    # The most of all hands of one suit (found by going through them all); several suits have fewer.
    assert readings_kernel(counts, 1, 1, rows) == 8
