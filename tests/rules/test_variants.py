"""Variants that clubs and parlours play, each with examples that somebody worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from each_row import each_row
from rules.scoring_flips import points as points_of
from rules.table_flips import discards_after_chi
from scripted import Script, ScriptError, play_scripts

from paifu.api.simulated import batch_of
from paifu.replay.course.chips import chips_of_wins
from paifu.replay.course.settlement import HandOutcome, HandStart, OutcomeKind, final_result, next_hand
from paifu.replay.facts.tables import ScoredWins
from paifu.replay.kernels.rows import SCORED
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import RuleError, load_preset, with_overrides
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.han_fu import score_han_fu
from paifu.replay.scoring.score import score_nagashi
from paifu.replay.scoring.winning_hand import WinningHand
from paifu.replay.table.engine import replay

EAST_1, SOUTH_4 = HandStart(0, 0, 0, 0), HandStart(7, 0, 0, 3)
NO_UMA = {"uma": [0, 0, 0, 0]}
RON_OF_SOUTH = WinningHand(tiles=(), win=0, seat_wind=1)
TSUMO_OF_SOUTH = RON_OF_SOUTH._replace(situation=Situation.TSUMO)


def rules(preset: str = "tenhou", **changes: Any) -> Ruleset:
    return with_overrides(load_preset(preset), changes)


def final(scores: tuple[int, ...], winners: tuple[int, ...] = (), **changes: Any) -> tuple[int, ...]:
    """Return the final points in thousands."""
    result = final_result(rules(**changes), scores, winners)
    assert sum(result.points) % 1000 == 0
    return tuple(share // 1000 for share in result.points)


@each_row(
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


@each_row(
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


@each_row(
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
    assert points_of(OPEN_RIICHI, Situation.OPEN_RIICHI)(played) == 2600
    assert points_of(OPEN_RIICHI, Situation.OPEN_RIICHI | Situation.DOUBLE_RIICHI)(played) == worth


def test_local_yaku_fall_by_a_han_when_open() -> None:
    hand = points_of("(234m)(234m)234m99p67s8s")
    assert hand(rules(isshoku_sanjun_han=3)) == 3900
    assert hand(rules(isshoku_sanjun_han=3, open_han={"isshoku_sanjun_han": 2})) == 2000
    assert hand(rules(isshoku_sanjun_han=3, open_han={"isshoku_sanjun_han": 0})) is None


def test_open_han_names_rules_of_local_yaku() -> None:
    with pytest.raises(RuleError, match="open_han has the rules of local yaku"):
        rules(open_han={"tanyao_han": 1})


RENHOU = points_of("234m406p3356s777z7s", Situation.RENHOU)


@each_row(
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


@pytest.mark.parametrize(
    ("kind", "dealer_paid", "other_paid"),
    [("loss", 4000, 2000), ("split", 5000, 3000), ("halves", 4000, 4000), ("plus_1000", 5000, 3000)],
)
def test_a_mangan_by_tsumo_among_three(kind: str, dealer_paid: int, other_paid: int) -> None:
    won = score_han_fu(TSUMO_OF_SOUTH, rules("tenhou-sanma", sanma_tsumo=kind), han=5)
    assert won.payments == (-dealer_paid, dealer_paid + other_paid, -other_paid)


@pytest.mark.parametrize(
    ("kind", "han", "fu", "points"),
    [("loss", 3, 30, 3000), ("split", 3, 30, 4000), ("plus_1000", 3, 30, 5000)],
)
def test_a_hand_of_1000_2000_among_three(kind: str, han: int, fu: int, points: int) -> None:
    won = score_han_fu(TSUMO_OF_SOUTH, rules("tenhou-sanma", sanma_tsumo=kind), han=han, fu=fu)
    assert won.points == points


@pytest.mark.parametrize(("kind", "points"), [("loss", 8000), ("split", 12000), ("halves", 12000)])
def test_a_dealers_mangan_by_tsumo_among_three(kind: str, points: int) -> None:
    dealer = TSUMO_OF_SOUTH._replace(seat_wind=0)
    assert score_han_fu(dealer, rules("tenhou-sanma", sanma_tsumo=kind), han=5).points == points


def test_wareme_by_three() -> None:
    marked_dealer = TSUMO_OF_SOUTH._replace(seat_wind=0, marked=0)
    assert score_han_fu(marked_dealer, rules(wareme=True, wareme_factor=3), han=5).payments == (
        36000, -12000, -12000, -12000,
    )  # fmt: skip


@pytest.mark.parametrize(("with_honba", "paid"), [(True, 4400), (False, 3800)])
def test_wareme_doubles_honba_or_not(with_honba: bool, paid: int) -> None:
    hand = RON_OF_SOUTH._replace(payer=2, marked=2, honba=2)
    won = score_han_fu(hand, rules(wareme=True, wareme_honba=with_honba), han=1, fu=50)
    assert won.payments[2] == -paid


def test_kansai_pays_in_thousands_with_30_fu() -> None:
    kansai = rules("tenhou-sanma", fixed_fu=30, payment_unit=1000)
    for han, points in ((1, (1000, 2000)), (2, (2000, 3000)), (3, (4000, 6000)), (4, (8000, 12000))):
        for seat, worth in zip((1, 0), points, strict=True):
            hand = RON_OF_SOUTH._replace(seat_wind=seat, payer=2)
            assert score_han_fu(hand, kansai, han=han, fu=30).points == worth
    assert points_of("234m456p78s999p44z9s", Situation.RIICHI)(rules(fixed_fu=30)) == 1000
    with pytest.raises(HandError, match="every hand has 30 fu"):
        score_han_fu(RON_OF_SOUTH, kansai, han=2, fu=40)


@each_row(
    ("kazoe_han", "sanbaiman_han", "han", "points"),
    [(13, 11, 13, 32000), (14, 11, 13, 24000), (12, 11, 12, 32000), (14, 11, 14, 32000), (13, 10, 10, 24000)],
)
def test_limits_begin_where_the_house_says(kazoe_han: int, sanbaiman_han: int, han: int, points: int) -> None:
    changes = {"kazoe_han": kazoe_han, "sanbaiman_han": sanbaiman_han}
    assert score_han_fu(RON_OF_SOUTH, rules(**changes), han=han).points == points


def test_an_open_hand_of_runs_with_20_fu() -> None:
    hand = points_of("345m55p678s(234p)34s2s")
    assert (hand(rules()), hand(rules(open_pinfu_fu=20))) == (1000, 700)
    assert score_han_fu(RON_OF_SOUTH, rules(open_pinfu_fu=20), han=1, fu=20).points == 700


@pytest.mark.parametrize(
    ("value", "points"), [("mangan", 8000), ("haneman", 12000), ("baiman", 16000), ("yakuman", 32000)]
)
def test_nagashi_is_worth(value: str, points: int) -> None:
    assert score_nagashi(RON_OF_SOUTH, rules(nagashi_value=value)).points == points
    game = play_scripts(rules(nagashi_value=value), Script("end:1"))
    assert game.hands[0].deltas[1] == points


@pytest.mark.parametrize(
    ("kuikae", "codes"), [("allowed", ([], [])), ("same_tile", ([], [205])), ("other_end", ([205], []))]
)
def test_kuikae_of_the_other_end_only(kuikae: str, codes: tuple[list[int], list[int]]) -> None:
    changed = rules(kuikae=kuikae)
    assert (discards_after_chi(changed), discards_after_chi(changed, "5m")) == codes


def test_a_wait_on_tiles_that_all_lie_open_is_noten() -> None:
    hand = ("", "123m456p789s111z4z")
    scripts = Script("4z . 4z 4z end", hand)
    assert play_scripts(rules(), scripts).hands[0].tenpai[1] == 1
    assert play_scripts(rules(own_four_wait="noten_seen"), scripts).hands[0].tenpai[1] == 0


@pytest.mark.parametrize(("interrupts", "han"), [(True, 1), (False, 2)])
def test_double_riichi_after_a_closed_kan(interrupts: bool, han: int) -> None:
    """South makes a closed kan in its first turn, West declares riichi in its own."""
    played = rules(closed_kan_interrupts=interrupts, kan_dora_timing="at_once", ippatsu=False, ura_dora=False)
    script = Script("9m 1s>k1s 9m 9p>r9p . . 2s ron2", ("", "111s", "123m456m678p55z34s"), dora="1z1z")
    hand = play_scripts(played, script).hands[0]
    assert ScoredWins.from_rows(hand.wins).han.tolist() == [han]


@pytest.mark.parametrize(("interrupts", "may"), [(True, False), (False, True)])
def test_nine_terminals_after_the_closed_kan_of_another(interrupts: bool, may: bool) -> None:
    script = Script("9m 2s>k2s 9m 9p>nine", ("", "222s", "19m19p19s2234z345p"))
    played = rules(closed_kan_interrupts=interrupts, kan_dora_timing="at_once")
    if may:
        assert play_scripts(played, script).hands[0].end == HandEnd.KYUUSHU
    else:
        with pytest.raises(ScriptError):
            play_scripts(played, script)


def final_points(script: Script, **changes: Any) -> tuple[int, ...]:
    """Return the final points of a game of one hand, in which the places do not count."""
    short = {"wind_rounds": 1, "max_wind_rounds": 1, "ceiling_points": 25100, "count_points": False, **NO_UMA}
    result = play_scripts(rules(**(short | changes)), script).result
    assert result is not None
    return result.points


RIICHI_OF_SOUTH = ("", "123m406p67s55z345p")
"""Waits for 58s; one red five."""


@pytest.mark.parametrize(("players", "won"), [(4, 12), (3, 8)])
def test_chips_of_a_tsumo_with_ippatsu_ura_and_reds(players: int, won: int) -> None:
    row = np.zeros(ScoredWins.cells(), np.int64)
    row[SCORED.situation], row[SCORED.ura], row[SCORED.red] = Situation.IPPATSU | Situation.TSUMO, 1, 2
    row[SCORED.seat] = row[SCORED.source] = 1
    played = rules("tenhou" if players == 4 else "tenhou-sanma")
    assert chips_of_wins(played, [row], [255])[1] == won


def test_chips_are_worth_points_at_the_end() -> None:
    script = Script("9m 9p>r9p . . . 8s>tsumo", RIICHI_OF_SOUTH, dora="1z", ura="6s")
    assert final_points(script, chip_points=2000) == (-6000, 18000, -6000, -6000)
    assert final_points(script, chip_points=2000, chips_red=0) == (-4000, 12000, -4000, -4000)
    played = rules(chip_points=2000, wind_rounds=1, max_wind_rounds=1, ceiling_points=25100)
    game = play_scripts(played, script)
    assert replay(batch_of([game], "paifu"), played).findings.code.tolist() == []
    assert replay(batch_of([game], "paifu"), rules(wind_rounds=1)).findings.code.tolist() != []


def test_who_busts_another_takes_a_prize() -> None:
    """A mangan takes 5,000 to -3,000; the prize is 10,000."""
    result = final_result(rules(tobi_prize=10000, **NO_UMA), (40000, 33000, 30000, -3000), (1,), ron=(1, 3))
    without = final_result(rules(**NO_UMA), (40000, 33000, 30000, -3000), (1,), ron=(1, 3))
    changes = [one - other for one, other in zip(result.points, without.points, strict=True)]
    assert (changes, result.places) == ([0, 10000, 0, -10000], without.places)


def test_two_out_of_points_pay_the_prize_each() -> None:
    prize = rules(tobi_prize=10000, count_points=False, **NO_UMA)
    scores = (70000, 33000, -1000, -2000)
    assert final_result(prize, scores, (), ron=(1, 3)).points == (10000, 10000, -10000, -10000)
    assert final_result(prize, scores, ()).points == (20000, 0, -10000, -10000)
    nobody = with_overrides(prize, {"tobi_prize_else": "nobody"})
    assert final_result(nobody, scores, (), ron=(1, 3)).points == (0, 10000, 0, -10000)


def test_the_dealer_stays_after_any_draw() -> None:
    end = HandOutcome(OutcomeKind.EXHAUSTIVE, tenpai=(1,))
    assert next_hand(rules(), EAST_1, end) == HandStart(1, 1, 0, 1)
    assert next_hand(rules(draw_renchan=True), EAST_1, end) == HandStart(0, 1, 0, 0)
    assert next_hand(rules(last_draw_renchan=True), EAST_1, end) == HandStart(1, 1, 0, 1)
    assert next_hand(rules(last_draw_renchan=True), SOUTH_4, end) == HandStart(7, 1, 0, 3)


@pytest.mark.parametrize(("fu", "points"), [(25, 1600), (30, 2000)])
def test_simplified_counting_has_30_fu_for_seven_pairs_too(fu: int, points: int) -> None:
    house = rules(fixed_fu=30, chiitoitsu_fu=fu)
    assert points_of("1199m2288p4466s7z7z")(house) == points
