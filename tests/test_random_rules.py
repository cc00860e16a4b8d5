"""Games under random rules: what the simulator plays is clean to a verification, and no point is lost."""

from __future__ import annotations

import pytest
from random_rules import points_to_expect, random_rules

from paifu.parsers.simulated import batch_of
from paifu.replay.facts.tables import code_of
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import fields_of
from paifu.replay.simulate.games import PLAYERS, Simulator
from paifu.replay.table.engine import replay

UNRULY = ("wild", "caller", "wild", "balanced")
_GAMES = 4


def check(seed: int, games: int = _GAMES) -> None:
    """Play games under the rules of a seed, and look for findings and for points that are lost."""
    rules = random_rules(seed)
    simulator = Simulator(rules, [PLAYERS[kind] for kind in UNRULY])
    played = [simulator.game(number) for number in range(seed, seed + games)]
    for game in played:
        assert game.result is not None
        assert sum(game.result.points) == points_to_expect(rules, game, game.result), seed
    facts = replay(batch_of(played, "paifu"), rules)
    assert sorted(set(map(code_of, facts.findings.code.tolist()))) == [], seed
    assert facts.checked.finals == games


@pytest.mark.parametrize("first", range(0, 80, 10))
def test_games_under_random_rules_are_clean_and_lose_no_point(first: int) -> None:
    for seed in range(first, first + 10):
        check(seed)


def test_every_rule_is_among_the_random_ones() -> None:
    seen: dict[str, set[str]] = {name: set() for name in fields_of(Scheme.HAN_FU)}
    for seed in range(400):
        for name, value in random_rules(seed).values().items():
            seen[name].add(repr(value))
    assert {name for name, values in seen.items() if len(values) < 2} == {"scheme"}
