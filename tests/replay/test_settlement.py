"""The next hand, the end of a game and final points."""

from __future__ import annotations

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from paifu.replay.course.settlement import (
    GameEnd,
    HandOutcome,
    HandStart,
    OutcomeKind,
    endings,
    final_result,
    next_hand,
    ranking,
    starting_scores,
)
from paifu.replay.rules.choices import Scheme, SticksLeft
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, preset_names, with_overrides

TENHOU, SANMA, MLEAGUE = load_preset("tenhou"), load_preset("tenhou-sanma"), load_preset("mleague")
RULES = st.sampled_from([load_preset(name) for name in preset_names(Scheme.HAN_FU)])


def total_start(rules: Ruleset) -> int:
    return rules.table.start_points * rules.table.players


@given(st.data())
def test_final_points_add_up(data: st.DataObject) -> None:
    rules = with_overrides(data.draw(RULES), {"yakitori_points": data.draw(st.sampled_from([0, 3000]))})
    sticks = data.draw(st.integers(0, 3))
    total = total_start(rules) - rules.riichi.riichi_stick * sticks
    scores = [100 * data.draw(st.integers(-500, 900)) for _ in range(rules.table.players - 1)]
    scores.append(total - sum(scores))
    result = final_result(
        rules,
        scores,
        data.draw(st.lists(st.integers(0, rules.table.players - 1))),
        sticks=sticks,
        first_dealer=data.draw(st.integers(0, 2)),
    )
    lost = rules.riichi.riichi_stick * sticks if rules.final.sticks_left == SticksLeft.LOST else 0
    kept = 0 if rules.final.oka else total_start(rules) - rules.final.return_points * rules.table.players
    assert sum(result.points) == kept - lost
    assert sum(result.scores) == total_start(rules) - lost
    assert sorted(result.places)[0] == 1


@each_row(
    ("start", "end", "following"),
    [
        (HandStart(3, 2, 1, 3), HandOutcome(OutcomeKind.WIN, winners=(0,)), HandStart(4, 0, 0, 0)),
        (HandStart(3, 2, 1, 3), HandOutcome(OutcomeKind.WIN, winners=(0, 3)), HandStart(3, 3, 0, 3)),
        (
            HandStart(3, 2, 1, 3),
            HandOutcome(OutcomeKind.EXHAUSTIVE, tenpai=(0,), sticks=2),
            HandStart(4, 3, 2, 0),
        ),
        (
            HandStart(3, 2, 1, 3),
            HandOutcome(OutcomeKind.EXHAUSTIVE, tenpai=(3,), sticks=1),
            HandStart(3, 3, 1, 3),
        ),
        (HandStart(3, 2, 1, 3), HandOutcome(OutcomeKind.ABORTIVE, sticks=5), HandStart(3, 3, 5, 3)),
        (HandStart(7, 0, 0, 3), HandOutcome(OutcomeKind.EXHAUSTIVE), HandStart(8, 1, 0, 0)),
    ],
)
def test_next_hand(start: HandStart, end: HandOutcome, following: HandStart) -> None:
    assert next_hand(TENHOU, start, end) == following


def test_three_players_skip_the_fourth_turn() -> None:
    end = HandOutcome(OutcomeKind.WIN, winners=(0,))
    assert next_hand(SANMA, HandStart(2, 0, 0, 2), end) == HandStart(4, 0, 0, 0)


def test_seats_break_ties_from_the_first_dealer() -> None:
    assert ranking(TENHOU, (25000,) * 4, first_dealer=2) == (2, 3, 0, 1)
    assert final_result(TENHOU, (25000,) * 4, (), first_dealer=2).places == (3, 4, 1, 2)


def test_seat_0_is_the_first_dealer_unless_said_otherwise() -> None:
    assert ranking(TENHOU, (25000,) * 4) == (0, 1, 2, 3)
    assert final_result(TENHOU, (25000,) * 4, ()).places == (1, 2, 3, 4)
    given = with_overrides(TENHOU, {"start_points_by_seat": [10000, 25000, 25000, 40000]})
    assert starting_scores(given) == (10000, 25000, 25000, 40000)
    # The dealer shares the lead in South 4: the seat nearer to the first dealer has it.
    last, win, scores = (
        HandStart(7, 0, 0, 3),
        HandOutcome(OutcomeKind.WIN, (3,)),
        (32000, 18000, 18000, 32000),
    )
    assert endings(TENHOU, last, win, scores) == (None,)
    assert endings(TENHOU, last, win, scores, 3)[0] == GameEnd.AGARI_YAME


@each_row(
    ("scores", "end", "expected"),
    [
        ((20000, 30000, 20000, 30000), HandOutcome(OutcomeKind.WIN, winners=(3,)), None),
        ((20000, 20000, 20000, 40000), HandOutcome(OutcomeKind.ABORTIVE), None),
        ((26000, 25000, 24500, 24500), HandOutcome(OutcomeKind.WIN, winners=(0,)), None),
        ((30000, 25000, 24500, 20500), HandOutcome(OutcomeKind.EXHAUSTIVE, tenpai=(0,)), GameEnd.LAST_HAND),
        ((29900, 25000, 24500, 19600), HandOutcome(OutcomeKind.EXHAUSTIVE, sticks=1), None),
        ((50000, 30100, 20000, -100), HandOutcome(OutcomeKind.WIN, winners=(3,)), GameEnd.TOBI),
    ],
)
def test_end_of_south_4(scores: tuple[int, ...], end: HandOutcome, expected: GameEnd | None) -> None:
    assert endings(TENHOU, HandStart(7, 0, 0, 3), end, scores)[0] == expected


def test_overtime_without_sudden_death_plays_its_wind() -> None:
    rules = with_overrides(TENHOU, {"sudden_death": False})
    scores, end = (50000, 20000, 20000, 10000), HandOutcome(OutcomeKind.WIN, winners=(1,))
    assert endings(rules, HandStart(8, 0, 0, 0), end, scores)[0] is None
    assert endings(rules, HandStart(11, 0, 0, 3), end, scores)[0] == GameEnd.TARGET


def test_mleague_shares_ties_and_sticks() -> None:
    result = final_result(MLEAGUE, (35000, 35000, 20000, 7000), (), sticks=3)
    assert result.scores == (36500, 36500, 20000, 7000)
    assert result.places == (1, 1, 3, 4)
    assert result.points == (36500, 36500, -20000, -53000)
    three = final_result(MLEAGUE, (30000, 30000, 30000, 10000), ())
    assert three.points == (16700, 16700, 16600, -50000)


@pytest.mark.parametrize(
    ("winners", "changes"),
    [
        ((0, 1, 2, 3), (0, 0, 0, 0)),
        ((), (0, 0, 0, 0)),
        ((0, 3, 1, 3), (3000, 3000, -9000, 3000)),
        ((2, 2), (-3000, -3000, 9000, -3000)),
    ],
)
def test_who_won_nothing_pays_each_who_did(winners: tuple[int, ...], changes: tuple[int, ...]) -> None:
    rules = with_overrides(TENHOU, {"yakitori_points": 3000})
    scores = (41300, 30200, 20400, 8100)
    with_it, without = (final_result(one, scores, winners) for one in (rules, TENHOU))
    assert tuple(a - b for a, b in zip(with_it.points, without.points, strict=True)) == changes
    assert (with_it.scores, with_it.places) == (without.scores, without.places)
