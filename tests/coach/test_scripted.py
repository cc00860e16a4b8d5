"""Payments and results of scripted hands that no sample log has; errors say where.

Each kind of move, call and end is in a script of ``sample_logs/scenarios``, which tests replay.
"""

from __future__ import annotations

import pytest
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


NINES = "78m123p456s777z33z", "78m456p456s222z33z"
"""Both wait for 69m and have a yaku in South 1."""
SIMPLES = "2222444466668m", "2222444466668p", "2222444466668s", "33337777m33335p"
"""They leave the terminals and honours to be drawn."""


@each_row(
    ("rules", "start", "moves", "hands", "deltas"),
    [
        ("tenhou-sanma", HandStart(0, 0, 0, 0), "end", ("", "111p456p789s1122z"), (-1000, 2000, -1000)),
        (
            "tenhou-sanma",
            HandStart(0, 0, 0, 0),
            "end",
            ("111p456p789s1122z", "", "222p456p789s3344z"),
            (1000, -2000, 1000),
        ),
        ("tenhou", HandStart(0, 1, 2, 0), "end:02", SIMPLES, (8000, -6000, 4000, -6000)),
        # as a win: the first of two in turn order takes honba and the stick
        ("kwan-official", HandStart(1, 2, 1, 1), "end:03", SIMPLES, (5800, -8200, -4200, 7600)),
        # honba for each, the own stick back, the others' to the first
        (
            "ema",
            HandStart(4, 2, 1, 0),
            ". . . 5z>r5z 9m ron1,3",
            ("", NINES[0], "", NINES[1]),
            (-10500, 1300 + 600 + 1000, 0, 8000 + 600 + 1000),
        ),
        (
            "tenhou",
            HandStart(4, 0, 0, 0),
            "9m ron1,2,3",
            ("", NINES[0], "78m123p456s666z44z", "78m789p456p222z55z"),
            (0, 0, 0, 0),
        ),
    ],
    ids=[
        "one tenpai of three",
        "two tenpai of three",
        "two nagashi",
        "nagashi as a win",
        "own sticks",
        "three wins",
    ],
)
def test_payments(
    rules: str, start: HandStart, moves: str, hands: tuple[str, ...], deltas: tuple[int, ...]
) -> None:
    script = Script(moves, hands, dora="5z", ura="5z")
    (hand,) = play_scripts(load_preset(rules), script, opening=start).hands
    assert hand.deltas == deltas


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
