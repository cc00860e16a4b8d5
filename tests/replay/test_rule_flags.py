"""A log's own rule flags choose a preset and overrides."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from case_data import case_data
from each_row import each_row

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.log_rules import RuleChoice, from_tenhou_type
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.rulesets.shown_rules import from_tenhou_json
from paifu.replay.table.engine import replay

TABLES = case_data("rule_flags")
EAST = {"wind_rounds": 1, "max_wind_rounds": 2}


@each_row(("go_type", "preset", "overrides"), TABLES["types"]["rows"])
def test_type_bits(go_type: int, preset: str, overrides: dict[str, Any]) -> None:
    choice = from_tenhou_type(go_type)
    assert (choice.preset, choice.overrides) == (preset, overrides)


def test_old_games_had_other_rules() -> None:
    assert from_tenhou_type(0xA9, date="2009-03-11").overrides == {
        "tenpai_yame": False,
        "rounding": "nearest",
    }
    assert from_tenhou_type(0xE1, date="2009031120").overrides == {
        "wind_rounds": 1,
        "tenpai_yame": False,
        "uma": [10000, 5000, -5000, -10000],
        "rounding": "nearest",
    }
    assert from_tenhou_type(0xE1, date="2010-08-17").overrides == EAST | {"rounding": "nearest"}
    assert from_tenhou_type(0xE1, date="2022-02-01").overrides == EAST


@pytest.mark.parametrize(
    ("points", "overrides"),
    [((), {}), ((43.0, 2.0, -12.0, -33.0), {"rounding": "nearest"}), ((43.3, 2.0, -12.0, -33.3), {})],
)
def test_whole_final_points_were_rounded(points: tuple[float, ...], overrides: dict[str, Any]) -> None:
    assert from_tenhou_type(0xA9, final_points=points).overrides == overrides


def custom(first: int = 0, second: int = 0, **fields: str) -> list[str]:
    values = [f"{first:08x}", f"{second:08x}", *[""] * 43]
    for index, value in fields.items():
        values[int(index.removeprefix("f"))] = value
    return values


@each_row(("first", "second", "overrides"), TABLES["custom"]["rows"])
def test_custom_flags(first: int, second: int, overrides: dict[str, Any]) -> None:
    choice = from_tenhou_type(0x09, custom(first, second))
    assert (choice.preset, choice.overrides) == ("tenhou", overrides)


def test_custom_flags_of_three_players() -> None:
    choice = from_tenhou_type(0x19, custom(0xC00000))
    assert (choice.preset, choice.overrides) == ("tenhou-sanma", {"kita": False, "sanma_tsumo": "split"})


def test_custom_points() -> None:
    fields = custom(
        f4="33000", f5="35000", f6="37000", f7="60000", f10="2000", f11="0", f16="100", f17="200", f18="300"
    )
    assert from_tenhou_type(0x09, fields).overrides == {
        "start_points": 33000,
        "target_points": 35000,
        "return_points": 37000,
        "ceiling_points": 60000,
        "riichi_stick": 2000,
        "riichi_points": 2000,
        "honba_each": 0,
        "noten_pay_1": 100,
        "noten_pay_2": 200,
        "noten_pay_3": 300,
    }


def test_custom_uma_the_same_for_all() -> None:
    uma = {
        f"f{21 + 3 * row + place}": value
        for row in range(5)
        for place, value in enumerate(("5", "-5", "-15"))
    }
    assert from_tenhou_type(0x09, custom(**uma)).overrides == {"uma": [15000, 5000, -5000, -15000]}


def test_custom_uma_by_players_below() -> None:
    choice = from_tenhou_type(0x09, custom(f24="-1", f25="-3", f26="-8"))
    assert choice.overrides == {
        "uma_by_below": [
            [20000, 10000, -10000, -20000],
            [12000, -1000, -3000, -8000],
            *[[20000, 10000, -10000, -20000]] * 3,
        ]
    }


def test_custom_fields_may_be_short_or_numbers() -> None:
    assert from_tenhou_type(0x09, [0x2, 0]).overrides == {"kiriage": True}
    with pytest.raises(ValueError, match="field 4 of csrule is not a number: 'many'"):
        from_tenhou_type(0x09, custom(f4="many"))


@each_row(("rule", "players", "preset", "overrides"), [*TABLES["json"]["rows"], (None, 4, "tenhou", {})])
def test_tenhou_json_rules(rule: Any, players: int, preset: str, overrides: dict[str, Any]) -> None:
    choice = from_tenhou_json(rule, players)
    assert (choice.preset, choice.overrides) == (preset, overrides)


def test_tenhou_json_of_a_tournament() -> None:
    choice = from_tenhou_json({"disp": "大会南喰赤", "aka": 1}, 4, custom(0x2))
    assert choice == RuleChoice("tenhou", {"kiriage": True})


def test_a_choice_as_the_replay_model_keeps_it() -> None:
    choice = from_tenhou_type(0x03)
    assert (
        choice.overrides_text == '{"max_wind_rounds":2,"red_man":0,"red_pin":0,"red_sou":0,"wind_rounds":1}'
    )
    assert choice.ruleset().red_ids == ()
    assert from_tenhou_type(0x09).overrides_text == ""
    assert from_tenhou_type(0x09).ruleset() is load_preset("tenhou")


@pytest.mark.parametrize("rounds_up", [True, False])
def test_a_hand_rounded_up_to_mangan_may_be_called_one_without_a_limit(rounds_up: bool) -> None:
    """As parlours with chips do it: 4 han 30 fu are 8,000 points, and the limit in ``ten`` is 0."""
    rules = with_overrides(load_preset("tenhou"), {"kiriage": rounds_up})
    players = [PLAYERS["caller"]]
    batches = (batch_of([Simulator(rules, players).game(number)], "paifu") for number in range(40))
    batch = next(batch for batch in batches if nearly_mangan(batch).any() and of_five_han(batch).any())
    assert replay(batch).findings.code.tolist() == []
    nearly, five = nearly_mangan(batch), of_five_han(batch)
    assert (batch.wins.limit[nearly] == rounds_up).all()
    batch.wins.limit[nearly] = 0
    assert replay(batch).findings.code.tolist() == [], "whether rounded up or not"
    batch.wins.limit[five] = 0
    assert set(replay(batch).findings.code.tolist()) == {307}, "a mangan of five han is one everywhere"
    batch.wins.limit[five] = 1
    batch.wins.limit[nearly] = 2
    assert set(replay(batch).findings.code.tolist()) == {307}


def nearly_mangan(batch: Batch) -> npt.NDArray[np.bool_]:
    """Wins of 4 han and 30 fu, or of 3 and 60."""
    wins = batch.wins
    found: npt.NDArray[np.bool_] = wins.fu * 2.0 ** (2 + wins.han.sum(axis=1)) == 1920
    return found


def of_five_han(batch: Batch) -> npt.NDArray[np.bool_]:
    five: npt.NDArray[np.bool_] = batch.wins.han.sum(axis=1) == 5
    return five
