"""tenhou.net/6 JSON: the order of play, rebuilt from each player's own moves."""

from __future__ import annotations

import time
from typing import Any

import orjson
import pytest
from case_data import case_data
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from tenhou6_games import SCORES, Moves, faults, game, hand, moves_of, play, read, read_hand, read_text, story

from paifu.parsers.tenhou6 import order as _tenhou6_order
from paifu.replay.kernels.turn_order import MAX_TURNS


def seats(lines: list[str]) -> str:
    """Who took a tile, in order: a lower-case letter of the call, or nothing, behind each seat."""
    marks = {"draw": "", "chi": "c", "pon": "p", "open": "k"}
    return " ".join(line[0] + marks[line.split()[1]] for line in lines if line.split()[1] in marks)


ORDERS, NO_ORDERS = case_data("tenhou6")["orders"], case_data("tenhou6")["no_orders"]


@each_row("case", ORDERS)
def test_order(case: str) -> None:
    moves, expected = ORDERS[case]
    assert seats(play(moves_of(moves))) == expected


def test_an_open_kan_at_the_end_may_leave_out_its_0() -> None:
    """Tenhou drops the 0 when the hand ends with the supplement draw."""
    moves: Moves = {0: ([11], [47]), 2: (["47m474747", 12], [])}
    batch = read_hand(moves, result=["和了", SCORES, [2, 2, 2]])
    assert story(batch)[2:] == ["2 open kan 7z from 0 with 7z7z7z", "2 draw 2m", "2 win 2m from 2"]


def test_the_dealer_of_the_round_begins() -> None:
    assert play({2: ([11], [60]), 3: ([12], [60])}, start=(6, 0, 0))[0] == "2 draw 1m"


@each_row("case", NO_ORDERS)
def test_moves_that_fit_in_no_order(case: str) -> None:
    moves, furthest = NO_ORDERS[case]
    batch = read(game(hand(), hand(moves_of(moves))))
    total = sum(len(took) for took, _ in moves.values())
    expected = f"the players' moves fit together in no order; after {furthest} of {total} nobody can go on"
    assert list(zip(batch.faults.place.tolist(), batch.faults.reason.tolist(), strict=True)) == [
        ("log[1]", expected)
    ]
    assert batch.hands.event_begin[1] == batch.hands.event_end[1]


def test_more_moves_than_a_wall_has() -> None:
    moves: Moves = {0: ([11] * (MAX_TURNS + 1), [60] * (MAX_TURNS + 1))}
    batch = read(game(hand(), hand(moves)))
    assert batch.faults.reason.tolist() == ["the hand has more than 200 moves"]
    assert batch.hands.event_begin[1] == batch.hands.event_end[1]


RandomMove = tuple[int, tuple[int, int] | None, int | None]
"""Seat; discarder and tile called, or None for a draw; tile discarded, or None for a kan."""


@st.composite
def random_games(draw: st.DrawFn) -> tuple[int, list[RandomMove]]:
    """Moves in order, with so few kinds of tiles that most discards look alike."""
    players = draw(st.integers(3, 4))
    moves: list[RandomMove] = []
    seat, called = 0, None
    for _ in range(draw(st.integers(1, 24))):
        tile = draw(st.sampled_from([11, 11, 11, 12, 12, None]))
        moves.append((seat, called, tile))
        caller = draw(st.sampled_from([None, *(other for other in range(players) if other != seat)]))
        called = None
        if tile is not None:
            called = (seat, tile) if caller is not None else None
            seat = (seat + 1) % players if caller is None else caller
    return players, moves


def every_order(lists: list[list[RandomMove]]) -> list[list[RandomMove]]:
    """All orders of play that use up the lists, found by trying everything."""
    found: list[list[RandomMove]] = []

    def heads(made: list[int]) -> list[Any]:
        return [own[at][1] if at < len(own) else "over" for own, at in zip(lists, made, strict=True)]

    def go(seat: int, made: list[int], order: list[RandomMove]) -> None:
        order = [*order, lists[seat][made[seat]]]
        made = [at + (player == seat) for player, at in enumerate(made)]
        if len(order) == sum(map(len, lists)):
            found.append(order)
            return
        wants, tile, following = heads(made), order[-1][2], (seat + 1) % len(lists)
        for other, wanted in enumerate(wants):
            if tile is not None and wanted == (seat, tile):
                go(other, made, order)
        after = seat if tile is None else following
        if wants[after] is None:
            go(after, made, order)

    go(0, [0] * len(lists), [])
    return found


@given(random_games())
def test_there_is_one_order_and_it_is_found(case: tuple[int, list[RandomMove]]) -> None:
    players, moves = case
    lists = [[move for move in moves if move[0] == seat] for seat in range(players)]
    assert every_order(lists) == [moves]
    written: Moves = {}
    for seat, own in enumerate(lists):
        took = [47 if called is None else spelt_pon(seat, *called) for _, called, _ in own]
        gave = [f"{47:d}4747a47" if tile is None else tile for _, _, tile in own]
        written[seat] = (took, gave)
    order = [line[0] for line in play(written, players=players) if line.split()[1] in ("draw", "pon")]
    assert order == [str(seat) for seat, _, _ in moves]


def spelt_pon(seat: int, source: int, tile: int) -> str:
    return {3: f"p{tile}{tile}{tile}", 2: f"{tile}p{tile}{tile}", 1: f"{tile}{tile}p{tile}"}[
        (source - seat) % 4
    ]


def test_an_order_that_is_hard_to_find_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounded work whatever the lists hold; nothing found so far comes near the bound, so it is lowered."""
    moves = moves_of(ORDERS["the one who could call first waits, for nothing else fits"][0])
    monkeypatch.setattr(_tenhou6_order, "MAX_ATTEMPTS", 1)
    batch = read(game(hand(moves)))
    assert batch.faults.reason.tolist() == ["the order of play could be rebuilt in too many ways"]


def test_hostile_lists_cost_little() -> None:
    """All tiles alike and calls everywhere: each discard could be called, and nothing fits."""
    moves: Moves = {
        0: ([11, "p474747"] * 20, [47] * 40),
        1: (["p474747", 11] * 20, [47] * 40),
        2: (["47p4747", "p474747"] * 20, [47] * 40),
        3: (["4747p47", "p474747", 11, "47p4747"] * 10, [47] * 40),
    }
    text = orjson.dumps(game(hand(moves)))
    started = time.perf_counter()
    for _ in range(20):
        assert faults(read_text(text))[0][0] == "log[0]"
    assert time.perf_counter() - started < 2
