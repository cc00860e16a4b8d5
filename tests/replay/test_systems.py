"""The games other than riichi, example by example: patterns, values, payments, responsibility, the course."""

from __future__ import annotations

import pytest
from each_row import each_row
from scheme_hands import EXAMPLES, HK, WS, ZJ, Example, patterns, scored

from paifu.replay.course.settlement import (
    GameEnd,
    HandOutcome,
    HandStart,
    OutcomeKind,
    endings,
    final_result,
    next_hand,
    next_keeps,
)
from paifu.replay.model.tile_notation import parse_kinds
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.schemes.hand import HeldTiles, Replacement, parse_held
from paifu.replay.schemes.payments import paid, settled_among_losers, summed, win_shares
from paifu.replay.scoring.errors import HandError


def rules_of(example: Example) -> Ruleset:
    return with_overrides(load_preset(example.rules), example.settings)


@each_row("example", EXAMPLES, ids=[example.id for example in EXAMPLES])
def test_a_worked_hand(example: Example) -> None:
    rules = rules_of(example)
    if example.payments is None:
        with pytest.raises(HandError) as error:
            scored(example.hand, rules, **example.facts)
        assert example.why in str(error.value)
        return
    won = scored(example.hand, rules, **example.facts)
    assert patterns(won) == example.patterns
    assert won.value == example.value
    assert won.payments == example.payments
    assert sum(won.payments) == 0
    if example.points:
        assert sorted(row.points for row in won.points) == sorted(example.points)


# Zung Jung: who answers for a win on a discard

S_WAITS_1Z = "(111m)(555m)(999m)888m1z1z"
"""160 points on 1z for South, by pretending with the value below; the wait is on 1z alone."""


def window(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(("ESWN".index(part[0]), parse_kinds(part[2:])[0]) for part in text.split())


IMMUNITY = {
    "I1": ("S:2z W:1z N:1z", "N", "W", None),
    "I2": ("S:1z W:4m N:1z", "N", "nobody", None),
    "I3": ("S:2z W:1z N:1z E:1z", "E", "W", None),
    "I5": ("E:1z", "E", "E", None),
    "I6": ("S:2z W:3p N:6p", "N", "W", None),
    "I6, the same tile": ("S:2z W:3p N:6p", "N", "N", "same_tile"),
    "off": ("S:2z W:1z N:1z", "N", "N", "off"),
}


@each_row("case", IMMUNITY)
def test_who_answers_for_a_discard(case: str) -> None:
    discards, payer, responsible, immunity = IMMUNITY[case]
    rules = with_overrides(load_preset(ZJ), {"immunity": immunity} if immunity else {})
    hand = "(222m)(777s)(345m)99p45p6p" if "I6" in case else S_WAITS_1Z
    won = scored(hand, rules, seat_wind="S", payer=payer, discards=window(discards))
    answers = None if responsible == "nobody" else "ESWN".index(responsible)
    assert won.payments == paid(win_shares(rules, won.value, 1, answers), 1)


def test_payments_of_160_points_as_printed() -> None:
    rules = load_preset(ZJ)
    assert paid(win_shares(rules, 160, 1, 2), 1) == (-25, 480, -430, -25)
    assert paid(win_shares(rules, 160, 1, None), 1) == (-160, 480, -160, -160)
    assert paid(win_shares(rules, 160, 1, 0), 1) == (-430, 480, -25, -25)


def test_a_kind_that_could_not_have_won_does_not_count_under_a_minimum() -> None:
    """1m makes a straight, 4m a chicken hand, which may not win here: west discarded it, too."""
    hand, passed = "(222p)(456m)(789m)99s23m1m", window("S:1z W:4m N:1m")
    with_minimum = scored(hand, "wsom", seat_wind="S", payer="N", discards=passed)
    without = scored(hand, ZJ, seat_wind="S", payer="N", discards=passed)
    assert with_minimum.payments == (-25, 120, -25, -70)
    assert without.payments == (-25, 120, -70, -25)


@pytest.mark.parametrize(
    ("discards", "more", "message"),
    [
        (
            "N:1z S:2z W:1z",
            {"payer": "N"},
            "the last of the discards is the tile won on, north's 1z, not west's 1z",
        ),
        ("S:2z N:2z", {"payer": "N"}, "not north's 2z"),
        ("S:2z N:1z", {"self_drawn": True}, "this win is self-drawn"),
    ],
)
def test_discards_that_do_not_fit(discards: str, more: dict[str, object], message: str) -> None:
    with pytest.raises(HandError, match=message):
        scored(S_WAITS_1Z, ZJ, seat_wind="S", discards=window(discards), **more)


# World Series: a session

SESSION = (
    ("W2", 0, (-5, 15, -5, -5)),
    (None, 1, (-5, 15, -5, -5)),
    ("W5", 2, (10, 10, -10, -10)),
    ("W8", 3, (-15, -15, -80, 110)),
    ("W12", 0, (1185, -415, -480, -290)),
    ("W10", 1, (1160, -440, -535, -185)),
    ("W11", 2, (790, -20, -560, -210)),
    ("W9", 3, (1015, -95, -635, -285)),
)


def test_a_session_of_eight_hands() -> None:
    rules = load_preset("wsom")
    examples = {example.id: example for example in EXAMPLES if example.rules == WS}
    start, scores = HandStart(0, 0, 0, 0), [0, 0, 0, 0]
    for number, (name, dealer, totals) in enumerate(SESSION, 1):
        assert start.dealer == dealer
        winners: tuple[int, ...] = ()
        if name is not None:
            example = examples[name]
            won = scored(example.hand, rules, **example.facts)
            for seat in range(4):
                scores[seat] += won.payments[(seat - dealer) % 4]
            winners = (("ESWN".index(example.facts["seat_wind"]) + dealer) % 4,)
        assert tuple(scores) == totals
        end = HandOutcome(OutcomeKind.WIN if winners else OutcomeKind.EXHAUSTIVE, winners)
        over = endings(rules, start, end, scores, played=number)[0]
        assert over == (GameEnd.LAST_HAND if number == 8 else None)
        start = next_hand(rules, start, end)
    result = final_result(rules, scores, winners=())
    assert result.places == (1, 2, 4, 3)
    assert result.points == (1015, -95, -635, -285)


def test_equal_points_share_a_place() -> None:
    assert final_result(load_preset(ZJ), (10, -5, -5, 0), winners=()).places == (1, 3, 3, 2)


# Hong Kong


def test_keeps_of_the_dealer() -> None:
    """H28: east wins, draw, east wins, south wins."""
    rules, keeps, start, seen = load_preset(HK), 0, HandStart(0, 0, 0, 0), []
    ends = [
        HandOutcome(OutcomeKind.WIN, (0,)),
        HandOutcome(OutcomeKind.EXHAUSTIVE),
        HandOutcome(OutcomeKind.WIN, (0,)),
        HandOutcome(OutcomeKind.WIN, (1,)),
    ]
    for end in ends:
        seen.append(keeps)
        keeps = next_keeps(rules, keeps, start.dealer, end)
        start = next_hand(rules, start, end)
    assert seen == [0, 1, 2, 3]
    assert (start.dealer, keeps) == (1, 0)


def test_a_game_of_four_wind_rounds() -> None:
    rules, start, scores = load_preset(HK), HandStart(0, 0, 0, 0), (0, 0, 0, 0)
    hands = 0
    while True:
        hands += 1
        end = HandOutcome(OutcomeKind.WIN, ((start.dealer + 1) % 4,))
        if endings(rules, start, end, scores, played=hands)[0]:
            break
        start = next_hand(rules, start, end)
    assert hands == 16
    kept = HandOutcome(OutcomeKind.EXHAUSTIVE)
    assert endings(rules, start, kept, scores)[0] is None


FOUR_GONGS = "(1111m)(2222p){}(9999p)5z5z"


def test_a_concealed_gong_is_not_seen() -> None:
    """H29: three gongs, one of them face down, and the fourth is claimed."""
    with pytest.raises(HandError, match="decide no great hand, so north cannot be liable"):
        scored(FOUR_GONGS.format("[3333s]"), HK, self_drawn=True, liable="N")
    won = scored(FOUR_GONGS.format("(3333s)"), HK, self_drawn=True, liable="N")
    assert won.payments == (0, 384, 0, -384)
    assert won.roles[3] == "liable for four-gongs"


LIABLE = {
    "big-four-winds": "(111z)(222z)(333z)(4444z)5p5p",
    "all-honours": "(111z)(222z)(555z)(666z)7z7z",
    "all-terminals": "(111m)(999m)(111p)(9999s)1s1s",
    "perfect-green": "(222s)(333s)(234s)(888s)6z6z",
    "full-flush": "(222s)(333s)(234s)(789s)5s5s",
    "ruby-dragon": "(111m)(333m)(999m)(777z)5m5m",
    "pearl-dragon": "(111p)(333p)(999p)(555z)5p5p",
    "jade-dragon": "(111s)(333s)(999s)(666z)5s5s",
    "big-three-dragons": "(555z)(666z)(777z)(123m)5p5p",
    "four-gongs": "(1111m)(2222p)(3333s)(9999p)5z5z",
}


@each_row("name", LIABLE)
def test_every_hand_that_somebody_can_be_liable_for(name: str) -> None:
    own = scored(LIABLE[name], HK, self_drawn=True, liable="W")
    assert name in patterns(own)
    assert own.payments == (0, 3 * own.value, -3 * own.value, 0)
    third = scored(LIABLE[name], HK, payer="E", liable="W")
    assert third.payments == (-third.value, 2 * third.value, -third.value, 0)
    same = scored(LIABLE[name], HK, payer="W", liable="W")
    assert same.payments == (0, 2 * same.value, -2 * same.value, 0)


def test_a_fed_gong_beside_a_liable_player() -> None:
    """North fed the gong whose replacement wins, west the meld that decided the hand: both pay the base."""
    facts = {
        "self_drawn": True,
        "liable": "W",
        "fed_gong": "N",
        "replacement": Replacement.GONG,
        "gongs_in_turn": 1,
    }
    won = scored(LIABLE["big-four-winds"], HK, **facts)
    assert won.payments == (0, 2 * won.value, -won.value, -won.value)


# Chinese Classical: settlement


@each_row(
    ("scores", "winner", "expected"),
    [
        ((100, 200, 50, 20), 1, (-140, 800, -270, -390)),
        ((200, 100, 50, 20), 0, (1200, -270, -420, -510)),
        ((608, 48, 384, 0), 0, (3648, -1504, -496, -1648)),
        ((144, 128, 56, 4), 2, (200, 36, 224, -460)),
        ((144, 0, 56, 4), 2, (456, -348, 224, -332)),
    ],
)
def test_settlement(scores: tuple[int, ...], winner: int, expected: tuple[int, ...]) -> None:
    rules = load_preset("chinese-classical")
    losers = {seat: score for seat, score in enumerate(scores) if seat != winner}
    won = paid(win_shares(rules, scores[winner], winner, None), winner)
    assert summed(won, settled_among_losers(rules, losers)) == expected


LOSERS = {0: "(111z)[9999p]79m78s335p", 1: "(2f)(666z)1112344678p", 3: "(1g)123789m23p57s223z"}


def losers(*seats: int) -> dict[int, HeldTiles]:
    return {seat: parse_held(LOSERS[seat], wins=False) for seat in seats}


def test_the_losers_hands_among_themselves() -> None:
    won = scored(
        "(456m)(234s)55p666m77z7z", "chinese-classical", seat_wind="W", payer="N", losers=losers(0, 1, 3)
    )
    assert won.value == 56
    assert {own.seat: own.score for own in won.losers} == {0: 144, 1: 128, 3: 4}
    assert [[row.points for row in own.points] for own in won.losers] == [[4, 32], [4, 8, 4], [4]]
    assert [[row.id for row in own.doubles] for own in won.losers] == [
        ["pung-of-seat-wind", "pung-of-round-wind"],
        ["pung-of-dragons", "own-bonus-tile", "half-flush"],
        [],
    ]
    assert won.payments == (200, 36, 224, -460)
    dead = scored(
        "(456m)(234s)55p666m77z7z", "chinese-classical", seat_wind="W", payer="N", losers=losers(0, 3)
    )
    assert dead.payments == (456, -348, 224, -332)
