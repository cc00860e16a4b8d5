"""Simulated games under the rule sheets of the documents, with their options on and off."""

from __future__ import annotations

from typing import Any

from each_row import each_row
from fouls_in_play import FoulSimulator
from rules.letter import found

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.table.engine import replay

OPTIONS: dict[str, dict[str, Any]] = {
    "yakuza2": {"red_man": 1, "red_pin": 2, "red_sou": 1, "kuitan": False, "two_han_from_honba": 0,
                "wind_rounds": 1, "max_wind_rounds": 1, "start_points_by_seat": [10000, 25000, 25000, 25000]},
    "saki": {"abort_sanchahou": False, "head_bump": True, "red_man": 0, "red_pin": 0, "red_sou": 0,
             "tobi": "off"},
    "riichi-encyclopedia": {"max_wind_rounds": 4, "target_points": 30000, "sudden_death_over_renchan": True,
                            "two_han_from_honba": 5, "kiriage": True, "yakitori_points": 1000, "tobi": "off",
                            "dead_wall_shrinks": True, "seat_winds_rotate": False, "last_noten": "goes_on",
                            "noten_riichi_found": "at_once", "chombo_after": "replay"},
    "kwan-official": {"yakuman_stacking": True, "renhou": "yakuman", "chiitoitsu_identical_pairs": True,
                      "suukantsu_needs_pair": False, "kan_dora_timing": "all_after_discard", "ura_dora": True,
                      "kan_ura_dora": True, "abort_suucha": False, "abort_sanchahou": False},
    "kwan-house": {"suurenkou_pair": "same_suit", "ryuuiisou_needs_hatsu": True, "ryanpeikou_han": 2},
    "mcgill-riichi": {"tsubame_gaeshi_han": 1, "kanburi_han": 1},
}  # fmt: skip
"""The options that a preset's file names, switched."""
WAYS = [(name, given) for name, options in OPTIONS.items() for given in ({}, options)]
IDS = [f"{name}-{'options' if given else 'as-it-is'}" for name, given in WAYS]
KINDS = tuple(PLAYERS.values())


def check(name: str, given: dict[str, Any], numbers: range) -> None:
    """Play games, half of them by players who call, and verify them."""
    rules = with_overrides(load_preset(name), given)
    simulators = FoulSimulator(rules, KINDS[:4]), FoulSimulator(rules, KINDS[1:])
    batch = batch_of([simulators[number % 2].game(number) for number in numbers], "paifu")
    facts = replay(batch)
    assert found(batch) == ()
    assert facts.checked.games == facts.checked.finals == len(numbers)
    assert facts.checked.stopped == 0


@each_row(("name", "given"), WAYS, ids=IDS)
def test_a_game_under_each_rule_sheet_is_clean(name: str, given: dict[str, Any]) -> None:
    check(name, given, range(1))
