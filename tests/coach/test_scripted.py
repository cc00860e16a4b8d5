"""Scripted hands: one of each kind, played by the rules and read back as written; errors say where."""

from __future__ import annotations

import pytest
from each_row import each_row
from scripted import Script, ScriptError, play_scripts

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PlayedHand
from paifu.parsers.mjlog.writer import write_mjlog
from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.course.settlement import HandStart
from paifu.replay.kernels.rows import SCORED
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.table.engine import replay

ORPHANS = "19m19p19s1234567z"
RON = Script("1z ron1", ("", ORPHANS))


def play(
    moves: str, *hands: str, rules: str = "tenhou", scores: tuple[int, ...] | None = None, **tiles: str
) -> PlayedHand:
    """Play one hand, and have the engine look at it as a log."""
    game = play_scripts(
        load_preset(rules), Script(moves, hands, **tiles), opening=HandStart(4, 1, 1, 0), scores=scores
    )
    batch = batch_of([game])
    again = read_unit([Document("log", write_mjlog(batch), Format.MJLOG)])
    assert again.faults.reason.tolist() == []
    findings = replay(again, load_preset(rules)).findings
    assert list(zip(findings.code.tolist(), findings.event.tolist(), strict=True)) == []
    (hand,) = game.hands
    return hand


def kinds(hand: PlayedHand) -> list[EventKind]:
    return [EventKind(int(word) & 31) for word in hand.words]


def test_a_turn_draws_and_discards() -> None:
    hand = play("9s>1z 2m . 5z>tsumo", "1z", "", "", "111222333m444p5z")
    assert kinds(hand)[:6] == [EventKind.DRAW, EventKind.DISCARD] * 3
    assert hand.end == HandEnd.WIN
    assert hand.claimants == (3,)


def test_riichi_is_paid_when_its_tile_passed_and_ippatsu_follows() -> None:
    hand = play(".5 9s>r9s .2 1z ron1", "", "234m567p23488s11z", dora="9m", ura="4z")
    assert hand.paid == (1,)
    ((situation, ura),) = hand.wins[:, [SCORED.situation, SCORED.ura]]
    assert situation == Situation.RIICHI | Situation.IPPATSU
    assert ura == 3
    assert len(hand.ura) == 1


@each_row(
    ("moves", "hands", "calls"),
    [
        ("5z pon2 >9m end", ("", "", "55z9m"), [EventKind.PON]),
        ("3p chi1:45p >9s end", ("", "9s45p"), [EventKind.CHI]),
        ("5z kan3 2m>8s end", ("", "", "", "555z8s"), [EventKind.DAIMINKAN]),
        ("1m>k1m 2s end", ("111m",), [EventKind.ANKAN]),
        ("5z pon2 >9m .3 5z>k5z 6z end", ("", "", "55z9m"), [EventKind.PON, EventKind.KAKAN]),
    ],
)
def test_calls(moves: str, hands: tuple[str, ...], calls: list[EventKind]) -> None:
    hand = play(moves, *hands)
    assert [kind for kind in kinds(hand) if EventKind.CHI <= kind <= EventKind.KAKAN] == calls
    assert hand.end == HandEnd.EXHAUSTIVE


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
    ],
    ids=["one tenpai of three", "two tenpai of three", "two nagashi", "nagashi as a win", "own sticks"],
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


def test_several_win_one_tile_in_turn_order() -> None:
    hand = play(
        "9m ron3,1", "", "78m123p456s777z33z", "", "78m456p456s222z33z", scores=(25000, 24000, 25000, 25000)
    )
    assert hand.claimants == (1, 3)


def test_three_wins_abort() -> None:
    hand = play("9m ron1,2,3", "", "78m123p456s777z33z", "78m123p456s666z44z", "78m789p456p222z55z")
    assert hand.end == HandEnd.SANCHAHOU
    assert set(hand.deltas) == {0}


@pytest.mark.parametrize(
    ("moves", "hands", "end"),
    [
        ("5m>nine", (ORPHANS,), HandEnd.KYUUSHU),
        ("2z 2z 2z 2z abort", (), HandEnd.SUUFON),
        (
            "9s>r9s 9s>r9s 9p>r9p 9p>r9p abort",
            ("123m456p78s22233z", "456m123p45s66677z", "234m567p67s444z11s", "567m234p34s555z88m"),
            HandEnd.SUUCHA,
        ),
        (
            "1m>k1m 2p>k2p 5s>2s 3m>k3m 4p>k4p 5s>5s abort",
            ("111m222p2s", "333m444p"),
            HandEnd.SUUKAIKAN,
        ),
    ],
)
def test_hands_end_early(moves: str, hands: tuple[str, ...], end: HandEnd) -> None:
    assert play(moves, *hands).end == end


def test_nagashi_is_seen_where_it_is() -> None:
    assert play("end:2").end == HandEnd.NAGASHI
    assert play("end").end == HandEnd.EXHAUSTIVE


def test_kita_with_three_players() -> None:
    game = play_scripts(load_preset("tenhou-sanma"), Script("4z>kita ron2", ("", "", "123p456p777z99p44z")))
    assert [kind for kind in kinds(game.hands[0]) if kind == EventKind.KITA] == [EventKind.KITA]
    assert game.hands[0].end == HandEnd.WIN


def test_a_game_has_a_result_when_it_is_whole() -> None:
    rules = load_preset("tenhou")
    game = play_scripts(rules, RON)
    assert game.result is not None
    assert game.result.scores == (-7000, 57000, 25000, 25000)
    two = play_scripts(rules, Script("end"), Script("1z ron2", ("", "", ORPHANS)))
    assert [hand.start.round for hand in two.hands] == [0, 1]
    assert play_scripts(rules, RON, scores=(40000, 20000, 20000, 20000)).result is None


def test_the_same_script_makes_the_same_hand() -> None:
    one, other = (batch_of([play_scripts(load_preset("tenhou"), RON)]) for _ in range(2))
    assert one.differences(other) == []


@each_row(
    ("script", "words"),
    [
        (Script("1z"), "hand 0, move 1 '1z': the hand does not end"),
        (Script("1z ron1"), "move 2 'ron1': seat 1 has no win"),
        (Script("1z ron1 5m", ("", ORPHANS)), "move 2 'ron1': ends the hand, and more follows"),
        (Script(". jump"), "move 2 'jump': no such move"),
        (Script("1z>9s"), "move 1 '1z>9s': seat 0 does not hold 9s"),
        (Script("1z>9z"), "move 1"),
        (Script("1z>r1z"), "move 1 '1z>r1z': breaks a rule, V207"),
        (Script("1z pon2"), "seat 2 does not have the tiles for it"),
        (Script("pon2"), "there is nothing to call"),
        (Script(". abort"), "move 2 'abort': there is no reason to end the hand"),
        (Script("5m>nine"), "move 1 '5m>nine': breaks a rule, V212"),
        (Script(".71"), "move 1 '.71': the wall is empty"),
        (Script("9z"), "the deal: "),
        (Script("1z 1z 1z", ("1z", "1z")), "the deal: there are not that many 1z in the set"),
        (Script("1z", ("123456789m12345p",)), "the deal: seat 0 has 14 tiles"),
    ],
)
def test_errors_say_where_and_what(script: Script, words: str) -> None:
    with pytest.raises(ScriptError) as raised:
        play_scripts(load_preset("tenhou"), script)
    assert words in str(raised.value)


def test_no_hand_follows_the_last() -> None:
    with pytest.raises(ScriptError, match="the game is over before hand 1"):
        play_scripts(load_preset("tenhou"), RON, RON)
