"""What the page says of a player's style: of whom it says nothing, and of whom it must say something."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from paifu.reports.inference.shrinking import Spread
from paifu.reports.pages.first_screen import TRAITS, style
from paifu.reports.statistics.reference import Population
from paifu.reports.statistics.values import Estimate, GroupStatistics

RATE, BETWEEN = 0.3, 0.04
SPREADS = dict.fromkeys(TRAITS, Spread(RATE, BETWEEN**2, BETWEEN**2 / 10, RATE * (1 - RATE), 10, 500))


def player(rates: np.ndarray, rng: np.random.Generator, games: int = 200) -> GroupStatistics:
    """Return a player with such true rates, ten cases of each in a game."""
    stats = {}
    for name, rate in zip(TRAITS, rates, strict=True):
        n = int(rng.binomial(10 * games, rate))
        stats[name] = Estimate(n, 10 * games, n / (10 * games))
    return GroupStatistics({}, games, 10 * games, stats)


def room(**changes: object) -> Population:
    everybody = player(np.full(len(TRAITS), RATE), np.random.default_rng(0), 1000)
    made = Population("room", "room players", "", everybody, SPREADS, 500)
    return replace(made, **changes)  # type: ignore[arg-type]


def test_nothing_is_said_of_what_does_not_stand_out() -> None:
    rates = np.full(len(TRAITS), RATE + 3 * BETWEEN)
    made = style(player(rates, np.random.default_rng(1)), room(), {})
    assert made is not None
    assert made["said"] == ""
    assert int(made["traits"][0]["place"].split()[2]) > 90, "a place is said"


@pytest.mark.parametrize(
    ("sign", "words"), [(1, "calls more than 9 of 10 room players"), (-1, "calls less than 9")]
)
def test_who_differs_is_said_to(sign: int, words: str) -> None:
    rates = np.full(len(TRAITS), RATE)
    rates[list(TRAITS).index("call_rate")] += sign * 2 * BETWEEN
    different = {"call_rate": sign > 0, "rank": True}
    found = [style(player(rates, np.random.default_rng(seed)), room(), different) for seed in range(40)]
    assert sum(bool(one and words in one["said"]) for one in found) > 30
    assert not any(one and ";" in one["said"] for one in found), "nothing else is said"


@pytest.mark.parametrize("variance", [0.0, BETWEEN**2])
def test_who_differs_from_players_that_cannot_be_told_apart_is_said_to(variance: float) -> None:
    unknown = replace(SPREADS["call_rate"], variance=variance, error=variance)
    own = player(np.full(len(TRAITS), 2 * RATE), np.random.default_rng(4))
    made = style(own, room(spreads=SPREADS | {"call_rate": unknown}), {"call_rate": True})
    assert made is not None
    assert made["said"] == "calls more than room players on average"


def test_shares_are_right_on_average() -> None:
    """Of players drawn as the room's are, half have an expected share below a half."""
    rng, reference = np.random.default_rng(2), room()
    places = []
    for _ in range(300):
        true = rng.normal(RATE, BETWEEN)
        made = style(player(np.full(len(TRAITS), true), rng), reference, {})
        assert made is not None
        across = made["picture"]["across"]
        assert 0 < across[0] <= across[1] <= across[2] < made["picture"]["width"]
        places.append(int(made["traits"][1]["place"].split()[2]))
    assert np.mean(np.array(places) < 50) == pytest.approx(0.5, abs=0.08)


def test_nothing_is_said_without_players_to_compare_with() -> None:
    own = player(np.full(len(TRAITS), RATE), np.random.default_rng(3))
    assert style(own, None, {}) is None
    assert style(own, room(players=3), {}) is None
    known_to_nobody = dict.fromkeys(TRAITS, replace(SPREADS["call_rate"], variance=0.0))
    made = style(own, room(spreads=known_to_nobody), {})
    assert made is not None
    assert made["said"] == ""
    assert made["picture"] is None
    assert {row["place"] for row in made["traits"]} == {"cannot be told apart yet"}
