"""The reference that ships, and what stands out against a reference."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from paifu.reports.judgement.sums import PlayerLosses
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.metric import Good, MetricKind
from paifu.reports.pages.report_sections import BUDGET, BUDGET_TOTAL, IN_TABLES
from paifu.reports.statistics.intervals import wilson
from paifu.reports.statistics.reference import SHIPPED, Population, shipped, shipped_strata
from paifu.reports.statistics.standouts import FALSE_SHARE, LOSSES, NEEDED, PRICES, standouts
from paifu.reports.statistics.text import place_words
from paifu.reports.statistics.values import Estimate, GroupStatistics

HANCHAN = (4, "houou", "south")


def of(stratum: tuple[int, str, str] = HANCHAN) -> Population:
    found = shipped(Counter({stratum: 100}))
    assert found is not None
    return found


def test_what_ships_is_small_and_names_nobody() -> None:
    text = SHIPPED.read_text("utf-8")
    assert len(text) < 100_000
    stored = json.loads(text)
    assert stored["schema"] == "paifu.population/1"
    for row in stored["strata"]:
        assert set(row["sums"]) | set(row["quantiles"]) <= set(CATALOGUE)
        assert all(len(sums) == 5 for sums in row["sums"].values())
        assert row["players"] >= 30, "with fewer, quantiles would say much of single players"


@pytest.mark.parametrize("stratum", shipped_strata(), ids=str)
def test_what_ships_agrees_with_itself(stratum: tuple[int, str, str]) -> None:
    found = of(stratum)
    value = {name: found.estimate(name).value or 0 for name in found.stats.stats}
    assert sum(value[name] for name in BUDGET) == pytest.approx(value[BUDGET_TOTAL])
    assert value["rank"] == pytest.approx((1 + stratum[0]) / 2)
    shares = sum(
        value[f"{word}_rate"] for word in ("first", "second", "third", "fourth") if f"{word}_rate" in value
    )
    assert shares == pytest.approx(1)
    for name in IN_TABLES:
        if CATALOGUE[name].kind not in (MetricKind.COUNT, MetricKind.EXTREME) and found.estimate(name).d:
            assert list(found.values.get(name, ())) == sorted(found.values.get(name, ())), name
    assert {name for name in NEEDED if not found.estimate(name).d} == set()


def test_the_stratum_most_played_is_chosen() -> None:
    assert of((4, "houou", "east")).stats.games == of((4, "", "east")).stats.games
    most = shipped(Counter({HANCHAN: 10, (3, "houou", "south"): 11}))
    assert most is not None
    assert most.words.startswith("544 games")
    assert "nothing ships for the room gold" in of((4, "gold", "south")).words
    assert "nothing ships" not in of().words
    assert shipped(Counter({(2, "", "south"): 9})) is None
    assert shipped(Counter()) is None


@pytest.mark.parametrize(
    ("name", "lower", "words"),
    [
        ("deal_in_rate", 80.0, "better than 20%"),
        ("win_rate", 80.0, "better than 80%"),
        ("riichi_rate", 80.0, "higher than 80%"),
        ("rank", None, ""),
        ("deal_in_rate", 100.0, "worse than 100%"),
        ("deal_in_rate", 99.7, "worse than 99%"),
        ("deal_in_rate", 0.3, "better than 99%"),
        ("deal_in_rate", 0.0, "better than 100%"),
        ("riichi_rate", 0.0, "lower than 100%"),
        ("riichi_rate", 0.4, "lower than 99%"),
        ("riichi_rate", 0.6, "higher than 1%"),
        ("win_rate", 0.0, "worse than 100%"),
    ],
)
def test_places_say_which_direction_is_good(name: str, lower: float | None, words: str) -> None:
    assert place_words(CATALOGUE[name], lower) == words


GOOD = {
    Good.HIGHER: (
        "win_rate",
        "first_rate",
        "draw_tenpai_rate",
        "riichi_balance",
        "budget_sticks",
        "tenpai_rate",
    ),
    Good.LOWER: (
        "rank",
        "last_rate",
        "deal_in_rate",
        "deal_in_value",
        "hit_loss",
        "review_w101",
        "start_shanten",
    ),
    Good.NEITHER: ("riichi_rate", "call_rate", "third_rate", "tsumo_share", "yaku_tanyao", "hands_per_game"),
}


def test_good_directions() -> None:
    for good, names in GOOD.items():
        assert {CATALOGUE[name].good for name in names} == {good}
    assert all(CATALOGUE[name].sign for name in (*PRICES, *BUDGET))


def test_no_place_among_few_players() -> None:
    found = of()
    assert found.lower("win_rate", 0.0) == 0
    assert found.lower("win_rate", 1.0) == 100
    assert replace(found, players=9).lower("win_rate", 1.0) is None
    assert found.lower("win_rate", None) is None


# --- what stands out -----------------------------------------------------------------------------------


def player(found: Population, hands: int, **changed: float) -> GroupStatistics:
    """A player with the reference's values, some of them changed, and intervals of so many hands."""
    stats = {}
    for name, one in found.stats.stats.items():
        assert one.value is not None or not one.d
        if one.value is None or one.low is None or one.high is None:
            continue
        number = max(1, round(one.d * hands / found.stats.hands))
        value = changed.get(name, one.value)
        wider = math.sqrt(one.d / number)
        half = wider * (one.high - one.low) / 2
        stats[name] = Estimate(round(value * number), number, value, value - half, value + half)
    return GroupStatistics({"player": "Botan"}, 10, hands, stats)


@pytest.mark.parametrize("stratum", shipped_strata(), ids=str)
@pytest.mark.parametrize("name", PRICES)
def test_prices_have_the_sign_of_what_is_good(stratum: tuple[int, str, str], name: str) -> None:
    found = of(stratum)
    value = found.estimate(name).value
    assert value is not None
    step = 0.2 * value if CATALOGUE[name].unit == "%" else 1000
    more = player(found, 10**7, **{name: value + step})
    [one] = standouts(more, PlayerLosses(), found).found
    assert one.metric == name
    assert one.is_good == (CATALOGUE[name].sign > 0)
    assert one.low < one.points < one.high
    assert 10 < abs(one.points) < 60_000


def test_prices_add_up_to_the_budget() -> None:
    """A rate and a size that make up a part of the budget: their effects are those of the product."""
    found = of()
    for part, rate in (
        ("budget_wins", "win_rate"),
        ("budget_deal_ins", "deal_in_rate"),
        ("budget_tsumo", "hit_rate"),
    ):
        value, whole = found.estimate(rate).value, found.estimate(part).value
        assert value is not None
        assert whole is not None
        [one] = standouts(player(found, 10**7, **{rate: 1.1 * value}), PlayerLosses(), found).found
        assert one.points == pytest.approx(0.1 * whole)


def test_nothing_stands_out_of_the_reference_itself() -> None:
    found = of()
    made = standouts(player(found, 10_000), PlayerLosses(), found)
    assert made.found == ()
    assert made.tested == len(PRICES)


def test_noise_is_rarely_reported() -> None:
    """Players who differ by chance alone: at most one in twenty has a difference reported."""
    found, random, hands, players = of(), np.random.default_rng(1), 2000, 400
    few = ("win_rate", "deal_in_rate", "hit_rate", "draw_tenpai_rate", "riichi_win_rate")
    reported = 0
    for _ in range(players):
        stats = {}
        for name in few:
            one = found.estimate(name)
            number = round(hands * one.d / found.stats.hands)
            n = int(random.binomial(number, one.value or 0))
            stats[name] = Estimate(n, number, n / number, *wilson(n, number))
        own = GroupStatistics({}, 1, hands, stats)
        reported += bool(standouts(own, PlayerLosses(), found).found)
    assert 0.01 < reported / players < 0.09


def test_intervals_are_wider_the_more_was_looked_at() -> None:
    found = of()
    made = standouts(player(found, 10_000, win_rate=0.30, deal_in_rate=0.08), PlayerLosses(), found)
    assert [one.metric for one in made.found] == ["deal_in_rate", "win_rate"]
    wide = NormalDist().inv_cdf(1 - FALSE_SHARE * 2 / made.tested / 2)
    one = made.found[0]
    error = (one.high - one.low) / 2 / wide
    alone = standouts(player(found, 10_000, deal_in_rate=0.08), PlayerLosses(), found).found[0]
    assert alone.high - alone.low > one.high - one.low > 2 * 1.96 * error


def test_losses_by_the_model_are_compared() -> None:
    found = of()
    own = PlayerLosses(hands=5000)
    for kind in LOSSES:
        own.total[kind] = 5000 * 90.0
        own.squares[kind] = 5000 * (90.0**2 + 400.0**2)
    made = standouts(player(found, 5000), own, found)
    assert {one.kind for one in made.found} == set(LOSSES)
    for one in made.found:
        assert one.points == pytest.approx(found.losses.per_100(one.kind)[0] - 9000)
