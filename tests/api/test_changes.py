"""Statistics over time: periods beside each other, changes with their day, running values.

Players in whom nothing changed, and such in whom something did; and sums by game are those of the statistics.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command import call

import paifu
from paifu.parsers.read import read_batches
from paifu.replay.arrays import F64, I64
from paifu.replay.table.engine import replay
from paifu.reports.inference.changing import LEAST_GAMES, change_points
from paifu.reports.metrics.catalogue import choose
from paifu.reports.metrics.counters import SIZES, Chosen, Counters, count
from paifu.reports.metrics.metric import MetricKind
from paifu.reports.metrics.recording import records
from paifu.reports.metrics.records import Records
from paifu.reports.statistics.course_games import CourseGame
from paifu.reports.statistics.periods import GameSeries, period_differences, player_changes
from paifu.reports.statistics.values import statistics

GAMES = Path(__file__).parents[2] / "sample_logs" / "games"
RATES = ("win_rate", "deal_in_rate", "riichi_rate", "call_rate")


def drawn(random: np.random.Generator, games: int, rate: F64) -> tuple[F64, F64]:
    """Return cases and hands of games, whose hands depend on each other, and statistics on each other."""
    hands = random.integers(6, 15, (games, 1)) + np.zeros(rate.shape[-1], int)
    near = np.clip(rate * random.uniform(0.6, 1.4, (games, 1)), 0, 1)
    return random.binomial(hands, near).astype(float), hands.astype(float)


@pytest.mark.full
def test_of_players_in_whom_nothing_changes_few_are_told_of_a_change() -> None:
    random = np.random.default_rng(1)
    rate = np.linspace(0.01, 0.5, 20)
    false = [bool(change_points(*drawn(random, 40, rate), seed=seed).found) for seed in range(60)]
    assert np.mean(false) <= 0.1, "5 % are, of all"


def test_a_planted_change_is_found_and_its_interval_contains_the_game() -> None:
    random = np.random.default_rng(2)
    rate = np.tile(np.linspace(0.05, 0.5, 20), (200, 1))
    rate[120:, 7] *= 1.6
    found = [change_points(*drawn(random, 200, rate), seed=seed).found for seed in range(12)]
    chosen = [one for changes in found for one in changes if one.column == 7]
    assert len(chosen) >= 10
    assert np.mean([one.low <= 120 <= one.high for one in chosen]) >= 0.8
    assert np.median([one.high - one.low for one in chosen]) < 60
    assert all(one.after.ratio > one.before.ratio for one in chosen)
    others = [one for changes in found for one in changes if one.column != 7]
    assert len(others) <= 3


def test_few_games_and_few_cases_are_not_looked_at() -> None:
    random = np.random.default_rng(3)
    assert change_points(*drawn(random, LEAST_GAMES - 1, np.array([0.3]))).tested == ()
    n, d = drawn(random, 40, np.array([0.3, 0.3]))
    d[:, 1] = 0
    d[:20, 1] = 1
    assert change_points(np.minimum(n, d), d).tested == (0,)


@pytest.fixture(scope="module")
def made() -> list[Records]:
    return [records(replay(batch)) for batch in read_batches([GAMES])]


METRICS = [metric.name for metric in choose(["placement", "wins", "riichi", "calls"])]


def test_all_games_in_a_row_are_the_statistics_of_the_player(made: list[Records]) -> None:
    """Sums, squares and sizes, whatever the logs come in; but records of extremes have no sums."""
    metrics = choose(METRICS)
    counters = Counters.total(
        [count(one, metrics, Chosen(("player",))) for one in made], ("player",), METRICS
    )
    own = counters.keys.index(("Botan",))
    blocks = GameSeries.of(made, METRICS, "Botan", {}).blocks(1000, METRICS)
    rates = [number for number, metric in enumerate(metrics) if metric.kind is not MetricKind.EXTREME]
    np.testing.assert_array_equal(blocks.sums[0, rates], counters.sums[own, rates])
    np.testing.assert_array_equal(blocks.sizes[0], counters.sizes[own])
    tens = GameSeries.of(made, METRICS, "Botan", {}).blocks(10, METRICS)
    assert [key[0] for key in tens.keys] == ["01 - 10", "11 - 20", "21 - 30", "31 - 32"]
    np.testing.assert_array_equal(tens.sums.sum(axis=0)[rates], counters.sums[own, rates])


def test_aliases_lead_to_the_games_of_other_names(made: list[Records]) -> None:
    both = GameSeries.of(made, RATES, "B", {"Botan": "B", "dahlia 3": "B"})
    assert len(both.games) == 52
    assert both.sums[:, 0, 1].sum() == both.sizes[:, 1].sum()


def series(rates: F64, random: np.random.Generator, day: str = "2026-{month:02}-{day:02}") -> GameSeries:
    """Return made-up games, four a day."""
    games = len(rates)
    n, d = drawn(random, games, rates)
    sizes: I64 = np.zeros((games, SIZES), np.int64)
    sizes[:, 0], sizes[:, 1], sizes[:, 2] = 1, d[:, 0], d[:, 0]
    days = [day.format(month=1 + number // 4 // 28, day=1 + number // 4 % 28) for number in range(games)]
    played = [
        CourseGame(
            id=str(number), source="", started=started, room="", length="south", seat=0, players=4, rank=1,
            final=0, gain=0, points=None, rating=None, table_rating=None, dan=None,
        )
        for number, started in enumerate(days)
    ]  # fmt: skip
    return GameSeries(RATES, played, np.stack([n, d], axis=2), sizes)


def changing(random: np.random.Generator, day: str) -> GameSeries:
    rates = np.tile([0.22, 0.12, 0.2, 0.33], (240, 1))
    rates[112:, 2] = 0.3  # from 2026-02-01 on
    return series(rates, random, day)


def test_a_change_is_said_with_its_day_and_what_stays_the_same() -> None:
    found = player_changes(changing(np.random.default_rng(5), "2026-{month:02}-{day:02}"))
    (one,) = found.changes
    assert one.metric == "riichi_rate"
    assert one.low <= "2026-02-01" <= one.high
    lines = list(found.lines())
    assert lines[0].startswith(f"since {one.first} ({one.low} to {one.high}): riichi rate rose from ")
    assert lines[1] == "no change is seen in: deal-in rate, call rate"
    assert "240 games are too few" in lines[-1]
    assert "win rate" in lines[-1]
    assert found.summary()["changes"][0]["game"] == one.point.at + 1


def test_a_change_that_only_a_larger_one_than_between_players_would_show_is_not_sized() -> None:
    """Of no number of games is a size named that is larger than 95 % of players differ by."""
    random = np.random.default_rng(8)
    widest = 0.0
    for games in (24, 40, 80, 160, 400):
        found = player_changes(series(np.tile([0.22, 0.12, 0.2, 0.33], (games, 1)), random))
        text = "; ".join(found.lines())
        sized = re.search(r"percentage points: ([^;]*)", text)
        sizes = [float(one.split()[-1]) for one in sized[1].split(", ")] if sized else []
        widest = max([widest, *sizes])
        assert ("too few" in text) == bool(found.games_needed)
        assert {"win_rate", "call_rate"} <= set(found.games_needed) or games > 60
        assert all(number > games for number in found.games_needed.values())
        assert len(sizes) + len(found.games_needed) == len(RATES)
    assert found.games_needed == {}
    assert 5 < widest < 18


def test_so_many_games_as_are_said_to_be_needed_show_such_a_change() -> None:
    random = np.random.default_rng(9)
    rates = np.linspace(0.1, 0.5, 12)
    few = change_points(*drawn(random, 60, np.tile(rates, (60, 1))))
    for change in (0.1, 0.2):
        for games in few.games_needed(np.full(12, change))[4:8].astype(int).tolist():
            many = change_points(*drawn(random, games, np.tile(rates, (games, 1))))
            assert np.median(many.seen_from[4:8]) == pytest.approx(change, rel=0.35)


def test_without_dates_games_have_numbers() -> None:
    (one,) = player_changes(changing(np.random.default_rng(5), "")).changes
    assert one.first == f"game {one.point.at + 1}"


def test_periods_differ_where_they_do() -> None:
    counters = changing(np.random.default_rng(6), "").blocks(112, RATES)
    found = period_differences(statistics(counters), RATES)
    assert found.tested == 12
    assert {row.difference.metric for row in found.found} == {"riichi_rate"}
    first = next(row for row in found.found if row.period == "001 - 112")
    assert first.words().startswith("001 - 112: riichi rate lower, ")
    assert first.difference.high is not None
    assert first.difference.high < 0


def test_equal_periods_seldom_differ() -> None:
    random = np.random.default_rng(7)
    rates = np.tile([0.22, 0.12, 0.2, 0.33], (80, 1))
    told = [
        bool(period_differences(statistics(series(rates, random).blocks(20, RATES)), RATES).found)
        for _ in range(50)
    ]
    assert np.mean(told) <= 0.05


def test_years_are_groups_and_a_players_months_have_intervals_of_the_rank(made: list[Records]) -> None:
    """What the rules fix of whole tables is not fixed of one player's games."""
    dated = [
        replace(one, games=replace(one.games, started=np.array(
            [f"202{number % 2}-0{1 + number % 3}-01" for number in range(len(one.games))], object)))
        for one in made
    ]  # fmt: skip
    metrics = choose(["rank"])
    for by, keys in (("year", ["2020", "2021"]), ("month", ["2020-01", "2020-02", "2020-03"])):
        whole = statistics(
            Counters.total([count(one, metrics, Chosen((by,))) for one in dated], (by,), ["rank"])
        )
        assert [group.key[by] for group in whole.groups][: len(keys)] == keys
        assert whole.groups[0].stats["rank"].low is None
        chosen = Chosen((by,), frozenset(["Botan"]))
        own = statistics(Counters.total([count(one, metrics, chosen) for one in dated], (by,), ["rank"]))
        assert own.groups[0].stats["rank"].low is not None


def test_the_command_says_what_the_function_returns() -> None:
    arguments = ["stats", GAMES, "--player", "Botan", "--metrics", "win_rate"]
    document = json.loads(call(*arguments, "--changes", "--format", "json").text)
    found = paifu.changes(GAMES, "Botan")
    assert document["groups"][0]["changes"] == json.loads(json.dumps(found.summary()))
    text = call(*arguments, "--changes").text
    assert "Botan: changes" in text
    assert "32 games are too few to see even a change as large as players differ by; games needed" in text
    assert "percentage points" not in text
    blocks = json.loads(call(*arguments, "--by", "8", "--format", "json").text)
    assert [group["key"]["games"] for group in blocks["groups"]] == [
        "01 - 08",
        "09 - 16",
        "17 - 24",
        "25 - 32",
    ]
    assert blocks["differences"] == {"tested": 4, "found": []}
    assert sum(group["stats"]["win_rate"]["n"] for group in blocks["groups"]) == 51
    assert "none, of 4 looked at" in call(*arguments, "--by", "8").text


def test_few_games_have_no_running_values(tmp_path: Path) -> None:
    result = call("plot", "running", GAMES, "--player", "dahlia 3", "-o", tmp_path / "x.svg")
    assert result.status == 2
    assert "too few" in result.talk[-1]


@pytest.mark.full
def test_a_change_of_the_size_stated_is_found_four_times_out_of_five() -> None:
    random = np.random.default_rng(5)
    found = []
    for seed in range(30):
        rate = np.tile(np.linspace(0.1, 0.5, 12), (120, 1))
        size = change_points(*drawn(random, 120, rate), seed=seed).seen_from[6]
        rate[:60, 6] -= size / 2
        rate[60:, 6] += size / 2
        made = change_points(*drawn(random, 120, rate), seed=seed).found
        found.append(any(one.column == 6 for one in made))
    assert np.mean(found) >= 0.75


def test_months_of_a_player_are_those_of_the_statistics(made: list[Records]) -> None:
    series = GameSeries.of(made, RATES, "Botan", {})
    months = series.periods("month", RATES)
    assert [key[0] for key in months.keys] == sorted({game.started[:7] for game in series.games})
    blocks = series.periods("5", RATES)
    assert (months.sums.sum(axis=0)[:, :2] == blocks.sums.sum(axis=0)[:, :2]).all()
