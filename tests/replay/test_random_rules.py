"""Games under random rules: what the simulator plays is clean to a verification, and no point is lost."""

from __future__ import annotations

import pytest
from random_rules import check, random_rules

from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import fields_of


@pytest.mark.every(4)
@pytest.mark.parametrize("first", range(0, 80, 10))
def test_games_under_random_rules_are_clean_and_lose_no_point(first: int) -> None:
    for seed in range(first, first + 10):
        check(seed)


@pytest.mark.full
def test_every_rule_is_among_the_random_ones() -> None:
    seen: dict[str, set[str]] = {name: set() for name in fields_of(Scheme.HAN_FU)}
    for seed in range(400):
        for name, value in random_rules(seed).values().items():
            seen[name].add(repr(value))
    assert {name for name, values in seen.items() if len(values) < 2} == {"scheme"}
