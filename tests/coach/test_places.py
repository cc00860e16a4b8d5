"""Places in last hands: what is exact, and what the table says."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import pytest
from each_row import each_row

from paifu.replay.course.settlement import HandStart, hands_left, is_last_hand
from paifu.replay.review.last_hands import (
    AHEAD_DEALS,
    BEHIND_DEALS,
    EDGES,
    LEAST_EARLIER,
    LEAST_PLACES,
    NEITHER_DEALS,
    SHIPPED,
    mean_place,
    place_tables,
    win_or_pass,
)
from paifu.replay.rulesets.presets import load_preset, with_overrides

TENHOU, SANMA = load_preset("tenhou"), load_preset("tenhou-sanma")
LAST = HandStart(7, 0, 0, 3)


@each_row(
    ("preset", "round_", "left"),
    [
        ("tenhou", 0, 7), ("tenhou", 6, 1), ("tenhou", 7, 0), ("tenhou", 9, 0),
        ("tenhou-sanma", 0, 5), ("tenhou-sanma", 4, 2), ("tenhou-sanma", 6, 0),
    ],
)  # fmt: skip
def test_hands_to_come(preset: str, round_: int, left: int) -> None:
    rules = load_preset(preset)
    assert hands_left(rules, round_) == left
    assert is_last_hand(rules, round_) == (left == 0)


def test_an_east_game_is_shorter() -> None:
    assert hands_left(with_overrides(TENHOU, {"wind_rounds": 1}), 3) == 0


@pytest.mark.parametrize("players", [3, 4])
def test_more_points_are_never_worse(players: int) -> None:
    table = place_tables()[players]
    for left, dealing in product(range(len(table.chances)), (NEITHER_DEALS, AHEAD_DEALS, BEHIND_DEALS)):
        chances = [table.stays_ahead(points, left, dealing) for points in (*EDGES, 100_000)]
        assert chances == sorted(chances)
        assert 0.3 < chances[0] < 0.75
    assert table.stays_ahead(60_000, 0, NEITHER_DEALS) > 0.95
    for points in (1000, 8000):
        sure = [table.stays_ahead(points, left, NEITHER_DEALS) for left in (0, 2, 5)]
        assert sure == sorted(sure, reverse=True)  # fewer hands to come, fewer chances to catch up


def test_a_dealer_behind_catches_up_more_often() -> None:
    table = place_tables()[4]
    assert table.stays_ahead(9000, 0, BEHIND_DEALS) < table.stays_ahead(9000, 0, NEITHER_DEALS)


def test_mean_places_of_all_players_are_those_of_the_table() -> None:
    """Each pair shares one place, whoever is ahead: the sum is 1 + 2 + 3 + 4."""
    scores = (41_000, 12_300, 27_700, 19_000)
    for round_ in range(8):
        start = HandStart(round_, 0, 0, round_ % 4)
        means = [mean_place(TENHOU, scores, seat, start) for seat in range(4)]
        assert sum(mean for mean in means if mean is not None) == pytest.approx(10)
        order = sorted(range(4), key=lambda seat: -scores[seat])
        assert sorted(range(4), key=lambda seat: means[seat] or 0) == order


def test_who_deals_counts_in_each_pair() -> None:
    """The leader, two players in the middle, of whom the second is asked, and the last."""
    scores, table = (40_000, 31_000, 18_000, 11_000), place_tables()[4]
    pairs = {0: (AHEAD_DEALS, NEITHER_DEALS, NEITHER_DEALS), 1: (BEHIND_DEALS, AHEAD_DEALS, AHEAD_DEALS),
             2: (NEITHER_DEALS, BEHIND_DEALS, NEITHER_DEALS)}  # fmt: skip
    for dealer, (leader, third, last) in pairs.items():
        expected = (
            1
            + table.stays_ahead(9000, 3, leader)
            + (1 - table.stays_ahead(13_000, 3, third))
            + (1 - table.stays_ahead(20_000, 3, last))
        )
        assert mean_place(TENHOU, scores, 1, HandStart(4, 0, 0, dealer)) == pytest.approx(expected)


def test_there_is_no_table_for_two() -> None:
    rules = with_overrides(TENHOU, {"players": 2})
    assert mean_place(rules, (25_000, 25_000), 0, HandStart(0, 0, 0, 0)) is None


@each_row(
    ("scores", "changes", "seat", "now", "taken", "is_mistake"),
    [
        ((1000, 40_000, 30_000, 29_000), (2000, -2000, 0, 0), 0, 4, 4, False),
        ((24_000, 26_000, 25_000, 25_000), (3900, -3900, 0, 0), 0, 4, 1.5, True),
        ((33_000, 32_000, 20_000, 15_000), (1000, 0, -1000, 0), 0, 1, 1, True),
        ((60_000, 20_000, 12_000, 8_000), (1000, 0, -1000, 0), 0, 1, 1, False),
        ((30_500, 40_000, 20_000, 9_500), (1000, 0, 0, -1000), 0, 2, 2, False),
        ((30_500, 40_000, 29_000, 500), (1000, 0, 0, -1000), 0, 2, 2, True),
    ],
    ids=["stays last", "moves up", "keeps a narrow lead", "leads by far", "stays second", "secures second"],
)
def test_a_win_that_ends_the_game(
    scores: tuple[int, ...], changes: tuple[int, ...], seat: int, now: int, taken: float, is_mistake: bool
) -> None:
    found = win_or_pass(TENHOU, LAST, scores, changes, seat)
    assert found is not None
    assert found.now == now
    if found.is_exact:
        assert found.taken == taken
    assert found.is_mistake == is_mistake
    assert found.loss == pytest.approx(found.passed - found.taken)


def test_overtime_follows_where_nobody_has_the_target() -> None:
    """The game goes on after the win, so its place is a mean of what may come."""
    found = win_or_pass(TENHOU, LAST, (13_000, 29_000, 29_000, 29_000), (2000, -2000, 0, 0), 0)
    assert found is not None
    assert not found.is_exact
    assert 3 < found.taken < found.passed < 4
    over = win_or_pass(
        TENHOU, HandStart(11, 0, 0, 3), (13_000, 29_000, 29_000, 29_000), (2000, -2000, 0, 0), 0
    )
    assert over is not None
    assert over.is_exact
    assert over.taken == 4


@pytest.mark.parametrize(
    ("scores", "may_choose", "taken", "is_exact"),
    [
        ((40_000, 16_000, 15_900, 28_100), False, 2, True),
        ((40_000, 16_000, 15_900, 28_100), True, 1.846, False),
        ((28_100, 16_000, 15_900, 40_000), True, 1, True),
    ],
    ids=["must end it", "second, and goes on", "first, and ends it"],
)
def test_a_dealer_who_may_end_the_game_does_what_is_better(
    scores: tuple[int, ...], may_choose: bool, taken: float, is_exact: bool
) -> None:
    rules = with_overrides(TENHOU, {"yame_choice": may_choose, "yame_leads": False})
    found = win_or_pass(rules, LAST, scores, (-500, -500, -500, 1500), 3)
    assert found is not None
    assert (found.taken, found.is_exact) == (pytest.approx(taken), is_exact)


def test_other_hands_count_places_too_but_ask_for_more() -> None:
    args = ((24_000, 26_000, 25_000, 25_000), (3900, -3900, 0, 0), 0)
    found = win_or_pass(TENHOU, HandStart(0, 0, 0, 0), *args)
    assert found is not None
    assert not found.is_exact
    assert LEAST_PLACES < found.loss < 1
    assert found.is_mistake == (found.loss >= LEAST_EARLIER)
    assert replace(found, is_last=True).is_mistake


def test_a_win_that_busts_another_ends_the_game() -> None:
    found = win_or_pass(
        TENHOU, HandStart(3, 0, 0, 3), (14_000, 1_000, 43_000, 42_000), (2000, -2000, 0, 0), 0
    )
    assert found is not None
    assert (found.is_exact, found.taken, found.is_mistake) == (True, 3, False)


def test_the_last_place_of_three_is_kept() -> None:
    three = win_or_pass(SANMA, HandStart(6, 0, 0, 2), (20_000, 45_000, 40_000), (8000, -8000, 0), 0)
    assert three is not None
    assert (three.now, three.taken, three.is_exact) == (3, 3, True)


def test_the_table_says_where_it_comes_from() -> None:
    stored = json.loads(SHIPPED.read_text("utf-8"))
    assert stored["tables"]["4"]["games"] > 1500
    assert stored["tables"]["3"]["games"] > 400
    assert SHIPPED.stat().st_size < 20_000
