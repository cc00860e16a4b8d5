"""Ratings: Tenhou's R, rank points by room, the stable rank, and how long a promotion takes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command import call
from each_row import each_row

import paifu
from paifu.api.ratings import luck_by_game
from paifu.coach.luck.ledger import luck_ledger
from paifu.coach.places.utilities import RULES
from paifu.parsers.read import read_batches
from paifu.replay.rulesets.ladders import KYU, LADDERS, MAJSOUL, TENHOU, ladder_of
from paifu.replay.table.engine import replay
from paifu.reports.luck import PLACES, VALUES, game_values
from paifu.reports.metrics.catalogue import choose
from paifu.reports.metrics.counters import Counters, count
from paifu.reports.metrics.recording import records
from paifu.reports.ratings.player import player_ratings
from paifu.reports.ratings.promotion import promotion
from paifu.reports.ratings.rooms import room_ratings
from paifu.reports.ratings.tenhou_r import rating_change, rating_courses
from paifu.reports.statistics.course_games import CourseGame
from paifu.reports.statistics.periods import GameSeries
from paifu.reports.statistics.values import statistics

SAMPLES = Path(__file__).parents[2] / "sample_logs"
SOUTH = (4, "south")


def played(
    ranks: Sequence[int], *, room: str = "houou", dan: int | None = 16, gains: Sequence[int] = ()
) -> list[CourseGame]:
    """Return games with these places."""
    return [
        CourseGame(
            id=f"{number:06}", source="", started="", room=room, length="south", seat=0, players=4, rank=rank,
            final=25000, gain=gains[number] if gains else 0, points=None, rating=2000.0, table_rating=2000.0,
            dan=dan,
        )
        for number, rank in enumerate(ranks)
    ]  # fmt: skip


@each_row(
    ("ladder", "room", "place", "gain", "points"),
    [
        (TENHOU, "houou", 1, 40_000, 90),
        (TENHOU, "tokujou", 2, 0, 30),
        (TENHOU, "joukyuu", 1, 0, 60),
        (TENHOU, "ippan", 2, 0, 15),
        (MAJSOUL, "gold", 1, 43_200, 139),
        (MAJSOUL, "jade", 4, -1900, -16),
        (MAJSOUL, "throne", 2, 0, 65),
    ],
)
def test_rooms_pay_what_the_platforms_publish(
    ladder: str, room: str, place: int, gain: int, points: int
) -> None:
    """Mahjong Soul rounds up: -1.9 thousand counts -1."""
    assert LADDERS[ladder].points(room, SOUTH, place, gain) == points
    assert ladder_of(room, SOUTH) is LADDERS[ladder]
    assert ladder_of(room, (4, "3 winds")) is None


@each_row(
    ("ladder", "rank", "name", "start", "target", "lost", "falls"),
    [
        (TENHOU, 0, "newcomer", 0, 20, 0, False),
        (TENHOU, 7, "3 kyu", 0, 100, 0, False),
        (TENHOU, 8, "2 kyu", 0, 100, 15, False),
        (TENHOU, 10, "1 dan", 200, 400, 45, True),
        (TENHOU, 16, "7 dan", 1400, 2800, 135, True),
        (TENHOU, 19, "10 dan", 2000, 4000, 180, True),
        (MAJSOUL, 3, "Adept 1", 300, 600, 20, False),
        (MAJSOUL, 9, "Master 1", 1400, 2800, 165, True),
        (MAJSOUL, 14, "Saint 3", 4500, 9000, 240, True),
    ],
)
def test_ranks_are_those_that_the_platforms_publish(
    ladder: str, rank: int, name: str, start: int, target: int, lost: int, falls: bool
) -> None:
    one = LADDERS[ladder].ranks[rank]
    assert (one.said, one.start, one.target, one.losses[SOUTH], one.falls) == (
        name, start, target, lost, falls,
    )  # fmt: skip


def rated(ranks: Sequence[int], first: float, games: int) -> list[CourseGame]:
    """Return games whose R follows from one to the next, at tables of 1700 for the others."""
    found, own = [], first
    for number, one in enumerate(played(ranks)):
        table = (own + 3 * 1700) / 4
        stated = round(own, 2)
        found.append(replace(one, rating=stated, table_rating=table))
        own = stated + rating_change(4, one.rank, stated, table, games + number)
    return found


@pytest.mark.parametrize(("first", "games"), [(1500.0, 0), (1823.4, 400), (2100.25, 5000)])
def test_r_follows_from_game_to_game(first: float, games: int) -> None:
    """The factor falls over the first 400 games of somebody who begins with 1500."""
    ranks = np.random.default_rng(1).integers(1, 5, 450).tolist()
    series = rated(ranks, first, games)
    (found,) = rating_courses(series)
    assert (found.games, found.followed, found.gaps, found.first) == (450, 449, 0, first)
    last = series[-1]
    change = rating_change(4, last.rank, found.last, last.table_rating or 0, games + 449)
    assert found.after == pytest.approx(found.last + change)


def test_missing_games_are_noticed_where_they_are_missing() -> None:
    series = rated([1, 2, 3, 4, 1, 1, 2, 4], 2000.5, 400)
    (found,) = rating_courses(series[:3] + series[5:])
    assert (found.followed, found.gaps) == (4, 1)


def exact_chance(values: Sequence[int], shares: Sequence[float], start: int, target: int) -> float:
    """Solve for the chance to reach the target before falling below 0, on the grid of all points."""
    size = target
    matrix, right = np.eye(size), np.zeros(size)
    for now in range(size):
        for value, share in zip(values, shares, strict=True):
            after = now + value
            if after >= target:
                right[now] += share
            elif after >= 0:
                matrix[now, after] -= share
    return float(np.linalg.solve(matrix, right)[start])


def test_the_chance_of_promotion_is_that_of_the_walk() -> None:
    """With so many games that the shares of places are known."""
    values, shares = [90, 45, 0, -135], (0.28, 0.26, 0.25, 0.21)
    points = np.repeat(values, [round(100_000 * share) for share in shares])
    found = promotion(points, 1400, 2800)
    assert found is not None
    assert found.chance == pytest.approx(exact_chance(values, shares, 1400, 2800), abs=0.03)
    assert found.chance + found.fall == pytest.approx(1)
    assert found.low <= found.chance <= found.high


def test_a_rank_that_cannot_be_lost_is_left_upward() -> None:
    found = promotion([30, 15, 0, -30] * 25, 0, 100, falls=False)
    assert found is not None
    assert (found.chance, found.fall) == (1, 0)
    assert found.games is not None
    assert found.games >= 4


def test_where_hardly_any_career_is_promoted_nothing_says_how_long_it_takes() -> None:
    poor, better = ([45] * up + [-45] * (100 - up) for up in (38, 46))
    few, some = promotion(poor, 1400, 2800), promotion(better, 1400, 2800)
    assert few is not None
    assert some is not None
    assert 0 < few.chance < 0.01 < some.chance
    assert few.games is few.games_low is few.games_high is None
    assert some.games is not None


def test_few_games_say_nothing_of_promotion_and_more_games_say_it_more_exactly() -> None:
    assert promotion([90, 45, 0, -135] * 7, 1400, 2800) is None
    widths = []
    for times in (10, 100, 1000):
        found = promotion([90, 45, 45, 0, -135] * times, 1400, 2800)
        assert found is not None
        widths.append(found.high - found.low)
    assert widths == sorted(widths, reverse=True)


def test_the_stable_dan_is_that_of_the_catalogue() -> None:
    """One definition: the rank of the ladder and the statistic say the same, with the same interval."""
    ranks = [1] * 30 + [2] * 28 + [3] * 25 + [4] * 22
    (room,) = room_ratings(played(ranks), {})
    stable = room.stable
    assert stable is not None
    assert stable.loss.low is not None
    assert room.dan(stable.loss.value) == pytest.approx((6 * 30 + 3 * 28) / 22 - 2)
    assert room.rank_said(stable.loss.value) == "10.0 dan"
    assert [one.rank for one in room.ranks] == [KYU + 7]
    assert room.ranks[0].points.value == pytest.approx((90 * 30 + 45 * 28 - 135 * 22) / 105)


def test_the_statistic_and_the_rating_agree_on_logs() -> None:
    made = [records(replay(batch)) for batch in read_batches([SAMPLES / "games"])]
    metrics = choose(["stable_dan_houou_south"])
    found = statistics(
        Counters.total([count(one, metrics) for one in made], (), ["stable_dan_houou_south"])
    ).population.stats[metrics[0].name]
    games = [
        one
        for name in ("Botan", "葵", "チドリ", "dahlia 3")
        for one in GameSeries.of(made, (), name, {}).games
        if one.room == "houou" and (one.players, one.length) == SOUTH
    ]
    gains = {1: 6, 2: 3}
    assert (found.n, found.d) == (
        sum(gains.get(one.rank, 0) for one in games), sum(one.rank == 4 for one in games),
    )  # fmt: skip


def test_luck_is_taken_from_places_and_points() -> None:
    """A tenth of a first place of luck in each game, taken from the last place."""
    games = played([1, 2, 3, 4] * 10)
    brought = np.zeros(len(VALUES))
    brought[[VALUES.index(PLACES[0]), VALUES.index(PLACES[3])]] = 0.1, -0.1
    (room,) = room_ratings(games, {one.key: brought for one in games[:20]})
    without = room.without_luck
    assert without is not None
    assert without.games == 20
    assert without.loss.value == pytest.approx((135 / 4 - 9) / (1 / 4 + 0.1))
    (none,) = room_ratings(games, {one.key: np.zeros(len(VALUES)) for one in games})
    assert none.without_luck == none.stable


def test_mahjong_soul_counts_points_and_names_every_rank_of_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paifu.reports.ratings.promotion._CAREERS", 5)
    ranks = [1, 2, 3, 4] * 25
    gains = [20_000, 3_000, -5_000, -18_000] * 25
    (room,) = room_ratings(played(ranks, room="jade", dan=None, gains=gains), {})
    assert [room.ladder.ranks[one.rank].said for one in room.ranks] == [
        "Master 1", "Master 2", "Master 3", "Saint 1", "Saint 2", "Saint 3",
    ]  # fmt: skip
    assert room.ranks[0].points.value == pytest.approx((145 + 63 - 10 - 33 - 165) / 4)
    assert room.stable is not None
    assert room.rank_said(room.stable.loss.value) == "Master 1"
    rows = [row.title for row in player_ratings(played(ranks, room="jade", dan=None, gains=gains)).rows()]
    assert rows[0] == "jade, south: stable rank"
    assert "jade, south: chance to be Master 2 before Expert 3" in rows


def test_no_chance_is_said_to_be_nothing_or_certain() -> None:
    """Careers that are simulated some thousand times cannot show it."""
    for ranks, text in ([4] * 60, "<1%"), ([1, 2] * 30, ">99%"):
        rows = {row.title: row for row in player_ratings(played(ranks)).rows()}
        row = rows["houou, south: chance to be 8 dan before 6 dan"]
        assert (row.value, row.interval) == (text, text)


def test_few_games_in_a_room_are_left_out_and_counted() -> None:
    found = player_ratings(played([1, 2, 3, 4, 1, 2, 3]))
    assert (found.rooms, found.left_out) == ((), 7)
    assert any("7 games" in line for line in found.notes())


def test_the_command_shows_what_the_function_returns() -> None:
    result = call(
        "stats", SAMPLES / "games", "--player", "Botan", "--metrics", "rank", "--ratings", "--format", "json"
    )
    (group,) = json.loads(result.text)["groups"]
    found = paifu.ratings(SAMPLES / "games", "Botan")["Botan"]
    assert group["ratings"] == json.loads(json.dumps(found.summary()))
    assert [one["games"] for one in group["ratings"]["tenhou_r"]] == [20, 12]
    assert "stands_out" in group
    table = call("stats", SAMPLES / "games", "--player", "Botan", "--metrics", "rank", "--ratings")
    assert "Botan: ratings" in table.text
    assert any("R is worked out by Tenhou's formula" in line for line in table.talk)


def test_luck_is_that_of_the_players_asked_for() -> None:
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"])
    found = dict(luck_by_game(batch, frozenset(["Botan", "aoi"]), {"葵": "aoi"}, ()))
    values = game_values(luck_ledger(batch, worth=RULES))[0]
    names = batch.games.names[0].tolist()
    assert {name: key[3] for name, key in found} == {"aoi": names.index("葵"), "Botan": names.index("Botan")}
    for (_name, key), of in found.items():
        np.testing.assert_allclose(of, values[key[3]])
