"""Payments and results of scripted hands that no sample log has; errors say where.

Each kind of move, call and end is in a script of ``sample_logs/scenarios``, which tests replay.
"""

from __future__ import annotations

import pytest
from case_data import case_data
from each_row import each_row
from scripted import Script, ScriptError, play_scripts

from paifu.api.simulated import batch_of
from paifu.replay.course.settlement import HandStart
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.table.engine import replay

ORPHANS = "19m19p19s1234567z"
RON = Script("1z ron1", ("", ORPHANS))

CASES = case_data("payments")


@each_row("name", CASES)
def test_payments(name: str) -> None:
    case = CASES[name]
    script = Script(case["moves"], case["hands"], dora="5z", ura="5z")
    (hand,) = play_scripts(load_preset(case["preset"]), script, opening=HandStart(*case["start"])).hands
    assert hand.deltas == tuple(case["deltas"])


def test_the_hand_after_a_nagashi_that_is_a_win_is_as_after_any_win() -> None:
    kwan = load_preset("kwan-official")
    game = play_scripts(kwan, Script("end:1"), Script("1z ron2", ("", "", ORPHANS)))
    assert game.hands[1].start == HandStart(1, 0, 0, 1)
    batch = batch_of([game])
    assert replay(batch, kwan).findings.code.tolist() == []
    assert 502 not in replay(batch, load_preset("tenhou")).findings.code
    assert 503 in replay(batch, load_preset("tenhou")).findings.code


MANGAN: dict[str, RuleValue] = {"foul_false_win": "chombo", "chombo_pays": [4000, 4000, 2000]}


@pytest.mark.parametrize(
    ("offender", "deltas"), [(0, (-12000, 4000, 4000, 4000)), (3, (4000, 2000, 2000, -8000))]
)
def test_a_foul_is_paid_by_who_committed_it(offender: int, deltas: tuple[int, ...]) -> None:
    rules = with_overrides(load_preset("tenhou"), MANGAN)
    moves = {0: ". . . 1z foul0", 3: ". 1z foul3"}[offender]
    hand = play_scripts(rules, Script(moves), Script("end")).hands[0]
    assert (hand.end, hand.claimants, hand.deltas) == (HandEnd.CHOMBO, (offender,), deltas)


def test_liability_ends_with_the_hand() -> None:
    """Seat 0 feeds the third dragon, and the hand is drawn; in the next the dragons are seat 1's own."""
    game = play_scripts(
        load_preset("tenhou"),
        Script("5z pon1 >1m . . 6z pon1 >1m . 7z pon1 >1p end", ("", "55z66z77z78s99p11m1p")),
        Script("9s>9s . . . 1m>tsumo", ("", "555666777z23m99p")),
        Script("end"),
    )
    assert [hand.deltas for hand in game.hands[:2]] == [
        (-1000, 3000, -1000, -1000),
        (-16100, 48300, -16100, -16100),
    ]


def test_a_game_has_a_result_when_it_is_whole() -> None:
    rules = load_preset("tenhou")
    game = play_scripts(rules, RON)
    assert game.result is not None
    assert game.result.scores == (-7000, 57000, 25000, 25000)
    two = play_scripts(rules, Script("end"), Script("1z ron2", ("", "", ORPHANS)))
    assert [hand.start.round for hand in two.hands] == [0, 1]
    assert play_scripts(rules, RON, scores=(40000, 20000, 20000, 20000)).result is None


@each_row(
    ("script", "words"),
    [
        (Script("1z ron1"), "hand 0, move 2 'ron1': seat 1 has no win"),
        (Script("1z>r1z"), "move 1 '1z>r1z': breaks a rule, V207"),
        (Script("1z pon2"), "seat 2 does not have the tiles for it"),
        (Script("1z 1z 1z", ("1z", "1z")), "the deal: there are not that many 1z in the set"),
    ],
)
def test_errors_say_where_and_what(script: Script, words: str) -> None:
    with pytest.raises(ScriptError) as raised:
        play_scripts(load_preset("tenhou"), script)
    assert words in str(raised.value)


def test_no_hand_follows_the_last() -> None:
    with pytest.raises(ScriptError, match="the game is over before hand 1"):
        play_scripts(load_preset("tenhou"), RON, RON)
