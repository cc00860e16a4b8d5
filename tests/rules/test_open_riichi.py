"""Riichi with the hand shown, at the table: its sticks, what a discard into it costs, what is taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command import call
from rules.letter import found
from rules.test_house_rules import played, rules
from scripted import Script, ScriptError, play_scripts

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import Simulator, player_named
from paifu.parsers.errors import WriteError
from paifu.parsers.read import read_batches
from paifu.parsers.writers import WRITERS
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventFlag, EventKind
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.table.engine import replay
from paifu.replay.table.unstated import without_ura

HAND = "234m456p78s999p44z"
"""Waits for 69s; with open riichi of two han and 40 fu worth 2,600 points."""
WITH_A_CHOICE = Script(". . . . . 8p>o8p 6s ron1", ("", HAND), dora="7z", ura="7z")
WITHOUT = Script(
    "1z pon2 >1m 2z pon2 >9m 3z pon2 >1p 5z pon2 >1s . . 8p>o8p 6s ron1",
    ("", HAND, "11223355z9s19m1p1s"),
    dora="7z",
    ura="7z",
)
"""Seat 2 has called four times, holds 9s and draws 6s."""


def house(**changes: Any) -> Ruleset:
    return rules(**{"open_riichi_han": 2, "ippatsu": False} | changes)


@pytest.mark.parametrize(
    ("deal_in", "with_a_choice", "without"),
    [
        ("value", 2600, 2600),
        ("yakuman", 32000, 32000),
        ("yakuman_if_avoidable", 32000, 2600),
        ("taken_back", None, 32000),
    ],
)
def test_a_discard_into_an_open_riichi(deal_in: str, with_a_choice: int | None, without: int) -> None:
    ruleset = house(open_riichi_deal_in=deal_in)
    assert played(ruleset, WITHOUT)[0].deltas[2] == -without
    if with_a_choice is not None:
        assert played(ruleset, WITH_A_CHOICE)[0].deltas[2] == -with_a_choice
    else:
        with pytest.raises(ScriptError, match="V205"):
            play_scripts(ruleset, WITH_A_CHOICE)


def test_who_is_in_riichi_pays_what_the_hand_is_worth() -> None:
    other = "123456789m1155z"
    script = Script(". . 8p>r8p . . 8p>o8p 6s ron1", ("", HAND, other), dora="7z", ura="7z")
    assert played(house(open_riichi_deal_in="yakuman"), script)[0].deltas[2] == -2600


def test_a_second_stick() -> None:
    (hand,) = played(house(open_riichi_sticks=2), WITH_A_CHOICE)
    assert hand.scores_after(house(open_riichi_sticks=2)) == (25000, 27600, 22400, 25000)
    batch = batch_of([play_scripts(house(open_riichi_sticks=2), WITH_A_CHOICE)], "paifu")
    assert batch.riichi_scores.scores[0].tolist() == [25000, 23000, 25000, 25000]
    assert found(batch, house()) == ("V208", "V403", "V501")


def test_double_open_riichi_at_the_table() -> None:
    script = Script(". 8p>o8p 6s ron1", ("", HAND), dora="7z", ura="7z")
    (hand,) = played(house(), script)
    assert hand.deltas[2] == -5200


def test_rules_without_open_riichi_object() -> None:
    batch = batch_of([play_scripts(house(), WITH_A_CHOICE)], "paifu")
    assert found(batch, rules(ippatsu=False)) == ("V207", "V302")


@pytest.fixture(scope="module")
def simulated() -> Batch:
    ruleset = house(open_riichi_sticks=2, open_riichi_deal_in="taken_back")
    simulator = Simulator(ruleset, [player_named("caller")] * 4)
    return batch_of([simulator.game(number) for number in range(6)], "paifu")


def test_simulated_players_show_hands(simulated: Batch) -> None:
    events = simulated.events
    declared = events.flags[events.kind == EventKind.RIICHI]
    assert 0 < (declared == EventFlag.OPEN).sum() < len(declared)
    assert found(simulated) == ()
    replayed = replay(simulated)
    assert not without_ura(simulated, replayed.rulesets, replayed.scored_wins.situation).any()


def test_logs_of_our_own_state_it_and_others_cannot(simulated: Batch, tmp_path: Path) -> None:
    path = tmp_path / "open.jsonl"
    path.write_bytes(b"".join(WRITERS["paifu"].games(simulated)))
    assert b"riichi open" in path.read_bytes()
    read = Batch.concatenate(read_batches([path]))
    assert read.events.flags.tolist() == simulated.events.flags.tolist()
    assert "open riichi" in call("show", path).text
    with pytest.raises(WriteError, match="hand shown"):
        list(WRITERS["mjlog"].games(simulated))
