"""Variants that clubs and parlours play, each with examples that somebody worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from rules.scoring_flips import points

from paifu.replay.course.settlement import HandOutcome, HandStart, OutcomeKind, final_result, next_hand
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import RuleError, load_preset, with_overrides

EAST_1, SOUTH_4 = HandStart(0, 0, 0, 0), HandStart(7, 0, 0, 3)
NO_UMA = {"uma": [0, 0, 0, 0]}
PINFU = "456m456p678s9923p1p"


def rules(preset: str = "tenhou", **changes: Any) -> Ruleset:
    return with_overrides(load_preset(preset), changes)


def final(scores: tuple[int, ...], winners: tuple[int, ...] = (), **changes: Any) -> tuple[int, ...]:
    """Return the final points in thousands."""
    result = final_result(rules(**changes), scores, winners)
    assert sum(result.points) % 1000 == 0
    return tuple(points // 1000 for points in result.points)


@pytest.mark.parametrize(
    ("rounding", "expected"),
    [
        ("five_down", (5, -21, 31, -15)),
        ("nearest", (5, -20, 30, -15)),
        ("down", (5, -21, 32, -16)),
        ("up", (6, -20, 29, -15)),
        ("seven_down", (5, -21, 32, -16)),
    ],
)
def test_rounding_of_results(rounding: str, expected: tuple[int, ...]) -> None:
    assert final((35400, 9500, 40500, 14600), rounding=rounding, **NO_UMA) == expected


@pytest.mark.parametrize(("of", "expected"), [("points", -2), ("difference", -1)])
def test_rounding_of_points_or_of_the_difference(of: str, expected: int) -> None:
    assert final((41500, 28500, 20000, 10000), rounding="down", rounding_of=of, **NO_UMA)[1] == expected


@pytest.mark.parametrize(
    ("rounding", "score", "whole"),
    [
        ("nearest", -500, -1000), ("nearest", -400, 0), ("five_down", -500, 0), ("five_down", -600, -1000),
        ("seven_down", 700, 0), ("seven_down", 800, 1000), ("down", -900, 0), ("up", -100, -1000),
    ],
)  # fmt: skip
def test_of_negative_points_the_amount_is_rounded(rounding: str, score: int, whole: int) -> None:
    result = final_result(rules(rounding=rounding, **NO_UMA), (100000 - score, 0, 0, score), ())
    assert result.points[3] == whole - 30000


SUNKEN = [[0] * 4, [10, 0, 0, -10], [20, 0, -10, -10], [30, -10, -10, -10], [0] * 4]


@pytest.mark.parametrize(
    ("border", "at_border", "scores", "expected"),
    [
        (30000, True, (45000, 28000, 20000, 7000), (30, -10, -10, -10)),
        (0, True, (45000, 28000, 20000, 7000), (20, 0, -10, -10)),
        (30000, True, (45000, 30000, 18000, 7000), (20, 0, -10, -10)),
        (30000, False, (45000, 30000, 18000, 7000), (30, -10, -10, -10)),
    ],
)
def test_a_sunken_uma_counts_who_is_above_its_border(
    border: int, at_border: bool, scores: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    rows = [[1000 * share for share in row] for row in SUNKEN]
    found = final(
        scores, oka=False, uma_by_below=rows, uma_border=border, uma_at_border=at_border, return_points=0
    )
    assert found == tuple(score // 1000 + uma for score, uma in zip(scores, expected, strict=True))


def test_the_place_alone_counts() -> None:
    dojo = {"count_points": False, "uma": [3000, 1000, -1000, -3000]}
    assert final((45000, 28000, 20000, 7000), **dojo) == (3, 1, -1, -3)
    assert final((200000, 0, -50000, -50000), rounding="up", **dojo) == (3, 1, -1, -3)


YAKITORI = {"yakitori_points": 10000, "count_points": False, **NO_UMA}
SPREAD = (41300, 30200, 20400, 8100)


@pytest.mark.parametrize(
    ("to", "winners", "expected"),
    [
        ("winners", (0, 1), (20, 20, -20, -20)),
        ("first", (0, 1), (20, 0, -10, -10)),
        ("first", (1, 2), (0, 0, 0, 0)),
        ("split", (0, 1), (10, 10, -10, -10)),
        ("winners", (), (0, 0, 0, 0)),
    ],
)
def test_yakitori_is_paid_to(to: str, winners: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert final(SPREAD, winners, yakitori_to=to, **YAKITORI) == expected


def test_yakitori_is_flipped_again_when_all_have_won() -> None:
    assert final(SPREAD, (0, 1, 0, 2, 3, 1), **YAKITORI) == (0, 0, 0, 0)
    assert final(SPREAD, (0, 1, 0, 2, 3, 1), yakitori_again=True, **YAKITORI) == (-10, 30, -10, -10)
    assert final(SPREAD, (0, 1, 0, 2, 3), yakitori_again=True, **YAKITORI) == (0, 0, 0, 0)


OPEN_RIICHI = "234m456p78s999p44z9s"
"""40 fu and no other yaku."""


@pytest.mark.parametrize(("double_han", "worth"), [(0, 5200), (3, 5200), (4, 8000)])
def test_double_open_riichi_is_worth_3_or_4_han(double_han: int, worth: int) -> None:
    played = rules(open_riichi_han=2, open_riichi_double_han=double_han)
    assert points(OPEN_RIICHI, Situation.OPEN_RIICHI)(played) == 2600
    assert points(OPEN_RIICHI, Situation.OPEN_RIICHI | Situation.DOUBLE_RIICHI)(played) == worth


def test_local_yaku_fall_by_a_han_when_open() -> None:
    hand = points("(234m)(234m)234m99p67s8s")
    assert hand(rules(isshoku_sanjun_han=3)) == 3900
    assert hand(rules(isshoku_sanjun_han=3, open_han={"isshoku_sanjun_han": 2})) == 2000
    assert hand(rules(isshoku_sanjun_han=3, open_han={"isshoku_sanjun_han": 0})) is None


def test_open_han_names_rules_of_local_yaku() -> None:
    with pytest.raises(RuleError, match="open_han has the rules of local yaku"):
        rules(open_han={"tanyao_han": 1})


RENHOU = points("234m406p3356s777z7s", Situation.RENHOU)


@pytest.mark.parametrize(
    ("renhou", "worth"),
    [("mangan", 8000), ("baiman", 16000), ("yakuman", 32000), ("four_han", 12000), ("seven_han", 16000)],
)
def test_renhou(renhou: str, worth: int) -> None:
    assert RENHOU(rules(renhou=renhou)) == worth


@pytest.mark.parametrize(
    ("winners", "among", "nearest", "never"),
    [((3, 0), True, False, False), ((0, 2), True, True, False), ((0,), True, True, True)],
)
def test_a_dealer_among_several_winners(
    winners: tuple[int, ...], among: bool, nearest: bool, never: bool
) -> None:
    end = HandOutcome(OutcomeKind.WIN, winners=winners)
    stays = [
        next_hand(rules(multi_ron_renchan=kind), EAST_1, end).dealer == 0
        for kind in ("among", "nearest", "never")
    ]
    assert stays == [among, nearest, never]


def test_the_dealer_stays_after_any_draw() -> None:
    end = HandOutcome(OutcomeKind.EXHAUSTIVE, tenpai=(1,))
    assert next_hand(rules(), EAST_1, end) == HandStart(1, 1, 0, 1)
    assert next_hand(rules(draw_renchan=True), EAST_1, end) == HandStart(0, 1, 0, 0)
    assert next_hand(rules(last_draw_renchan=True), EAST_1, end) == HandStart(1, 1, 0, 1)
    assert next_hand(rules(last_draw_renchan=True), SOUTH_4, end) == HandStart(7, 1, 0, 3)
