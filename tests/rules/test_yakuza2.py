"""What the guide to Yakuza 2 states, in its order: its tables, its examples, its numbers."""

from __future__ import annotations

from typing import Any

import pytest
from case_data import case_data
from each_row import each_row
from hands import situation_of, win_of
from rules.test_documents import PAID_AT_DRAWS
from scripted import Script, ScriptError, play_scripts

from paifu.coach.simulate.games import PlayedHand
from paifu.replay.course.settlement import (
    GameEnd,
    HandOutcome,
    HandStart,
    OutcomeKind,
    endings,
    final_result,
    next_hand,
    own_wind,
)
from paifu.replay.kernels.rows import SCORED
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.rules.hand_facts import RON, Situation
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.han_fu import score_han_fu
from paifu.replay.scoring.limits import Limit
from paifu.replay.scoring.score import score
from paifu.replay.scoring.yaku import DORA_ID, RED_DORA_ID, URA_DORA_ID

RULES = load_preset("yakuza2")
HALF = with_overrides(RULES, {"wind_rounds": 1, "max_wind_rounds": 1})
S = Situation
TSUMO, RIICHI = S.TSUMO, S.RIICHI
YAKUHAI = "456m456p234s99p777z"
WAITS = ("78m123p456s777z33z", "78m456p456s222z44z", "78m789p123s555z66z", "78m123p789s111z99s")
"""All wait for 6m and 9m."""


def play(moves: str, *hands: str, start: HandStart | None = None, **known: Any) -> PlayedHand:
    """Play a hand; without ``start`` it is the first."""
    script = Script(moves, hands, **known)
    return play_scripts(RULES, script, opening=start or HandStart(0, 0, 0, 0)).hands[0]


def drawn(hand: PlayedHand) -> int:
    """How many tiles were drawn after the deal."""
    return len(hand.events(EventKind.DRAW))


# Winds and turn of play


def test_a_full_game_follows_the_guides_table_of_winds() -> None:
    game = play_scripts(RULES, *[Script("end")] * 8)
    assert game.hands[0].scores == (25000,) * 4
    assert [hand.start.round // 4 for hand in game.hands] == [0] * 4 + [1] * 4
    winds = [
        "".join("ESWN"[own_wind(RULES, seat, hand.start.dealer, hand.start.round)] for hand in game.hands)
        for seat in range(4)
    ]
    assert winds == ["ENWSENWS", "SENWSENW", "WSENWSEN", "NWSENWSE"]
    assert game.result


def test_a_half_game_ends_after_its_fourth_hand() -> None:
    game = play_scripts(HALF, *[Script("end")] * 4)
    assert [hand.start.round for hand in game.hands] == [0, 1, 2, 3]
    assert game.result
    assert game.result.points == (50000, 25000, 15000, 10000)


WON, DRAWN = OutcomeKind.WIN, OutcomeKind.EXHAUSTIVE


@each_row(
    ("end", "following"),
    [
        (HandOutcome(WON, winners=(2,)), HandStart(2, 0, 0, 2)),
        (HandOutcome(WON, winners=(1,)), HandStart(1, 4, 0, 1)),
        (HandOutcome(DRAWN, tenpai=(1, 3), sticks=2), HandStart(1, 4, 2, 1)),
        (HandOutcome(DRAWN, tenpai=(0, 2), sticks=2), HandStart(2, 4, 2, 2)),
        (HandOutcome(DRAWN), HandStart(2, 4, 0, 2)),
    ],
    ids=[
        "another wins",
        "the dealer wins",
        "the dealer is tenpai",
        "the dealer is noten",
        "nobody is tenpai",
    ],
)
def test_the_table_of_consequences(end: HandOutcome, following: HandStart) -> None:
    assert next_hand(RULES, HandStart(1, 3, 0, 1), end) == following


@each_row(
    ("scores", "end", "follows"),
    [
        ((20000, 20000, 20000, 40000), HandOutcome(WON, winners=(3,)), (GameEnd.AGARI_YAME, None)),
        ((40000, 20000, 20000, 20000), HandOutcome(WON, winners=(3,)), (None,)),
        ((40000, 20000, 20000, 20000), HandOutcome(WON, winners=(0,)), (GameEnd.LAST_HAND,)),
        ((20000, 20000, 20000, 40000), HandOutcome(DRAWN, tenpai=(3,)), (None,)),
        ((25000, 25000, 25000, 25000), HandOutcome(DRAWN), (GameEnd.LAST_HAND,)),
    ],
    ids=["the dealer leads", "another leads", "another wins", "the dealer is tenpai", "nobody is tenpai"],
)
def test_what_follows_the_last_hand(
    scores: tuple[int, ...], end: HandOutcome, follows: tuple[GameEnd | None, ...]
) -> None:
    assert endings(RULES, HandStart(7, 0, 0, 3), end, scores) == follows


def test_a_player_below_zero_ends_the_game_and_one_at_zero_does_not() -> None:
    start, end = HandStart(2, 0, 0, 2), HandOutcome(WON, winners=(0,))
    assert endings(RULES, start, end, (50100, 25000, 25000, -100)) == (GameEnd.TOBI,)
    assert endings(RULES, start, end, (50000, 25000, 25000, 0)) == (None,)


# Mahjong rules: the basics, calls, wins, riichi


def test_seventy_tiles_are_drawn_and_a_kan_adds_none() -> None:
    assert drawn(play("end")) == 70
    assert drawn(play("1m>k1m end", "111m")) == 70


@each_row(
    ("moves", "hands", "error"),
    [
        ("3p chi1:45p >9s end", ("", "9s45p"), ""),
        ("3p chi2:45p >9s end", ("", "", "9s45p"), "breaks a rule"),
        ("5z pon2 >9m end", ("", "", "55z9m"), ""),
        ("5z kan3 2m>8s end", ("", "", "", "555z8s"), ""),
        ("5z pon2 >9m . . . 5z>k5z 6z end", ("", "", "55z9m"), ""),
        ("5z pon2 >9m . . 5z kan2 6z end", ("", "", "55z9m"), "does not have the tiles"),
        ("1m>k1m 2s end", ("111m",), ""),
    ],
    ids=[
        "chi from the left", "chi from elsewhere", "pon", "kan", "added kan of a drawn tile",
        "a discard added to a pon", "closed kan",
    ],
)  # fmt: skip
def test_calls(moves: str, hands: tuple[str, ...], error: str) -> None:
    if error:
        with pytest.raises(ScriptError, match=error):
            play(moves, *hands)
    else:
        assert play(moves, *hands).end == HandEnd.EXHAUSTIVE


SIMPLE = "234m456p678s55p34s"
"""Waits for 2s and 5s."""


@each_row(
    ("moves", "hand", "error"),
    [
        ("2s ron3", SIMPLE, ""),
        (". . . 2s>2s 5s ron3", SIMPLE, "has no win"),
        (". . . 2s>2s . . . 5s>tsumo", SIMPLE, ""),
        (". 2s 5s ron3", SIMPLE, "has no win"),
        ("2s . . . 5s ron3", SIMPLE, ""),
        ("2s . . . 2s>2s 2s ron3", SIMPLE, "has no win"),
        ("1s ron3", "222m456p678s55p23s", "has no win"),
        ("4s ron3", "222m456p678s55p23s", ""),
    ],
    ids=[
        "a win", "furiten", "furiten and tsumo", "passed in this turn", "passed before the next turn",
        "passed and discarded", "no yaku", "a yaku",
    ],
)  # fmt: skip
def test_who_may_win(moves: str, hand: str, error: str) -> None:
    if error:
        with pytest.raises(ScriptError, match=error):
            play(moves, "", "", "", hand, dora="9m")
    else:
        assert play(moves, "", "", "", hand, dora="9m").claimants == (3,)


@pytest.mark.parametrize(
    ("moves", "hands"),
    [
        (". 2s pon3 >9p . . 9m . 5s ron1", ("", SIMPLE, "", "22s9p")),
        (". 9m>r9m 2s . . 9p>9p 5s ron1", ("", SIMPLE)),
    ],
    ids=["a discard that another called", "a ron passed up under riichi"],
)
def test_called_discards_and_passes_under_riichi_make_furiten(moves: str, hands: tuple[str, ...]) -> None:
    with pytest.raises(ScriptError, match="has no win"):
        play(moves, *hands)


def test_of_two_who_claim_a_tile_the_nearest_to_the_discarder_wins_alone() -> None:
    hands = ("", "78m123p456s777z55p", "", "78m456p456s666z22p")
    assert play("9m ron1", *hands).claimants == (1,)
    with pytest.raises(ScriptError, match="ron1,3"):
        play("9m ron1,3", *hands)


@each_row(
    ("moves", "seat", "hand", "points", "error"),
    [
        (". . . 9m>r9m end", 3, SIMPLE, 1000, ""),
        (". . . 9m>r9m end", 3, SIMPLE, 900, "V207"),
        (". . . 9m>r9m end", 3, "234m456p678s55p1m9s", 25000, "V207"),
        (". . 3m chi3:24m >2m 9s 9s 9s 9m>r9m end", 3, "24m456p678s55p34s2m", 25000, "V207"),
        (".65 9m>r9m end", 1, SIMPLE, 25000, ""),
        (".66 9m>r9m end", 2, SIMPLE, 25000, "V207"),
    ],
    ids=["with 1,000 points", "with 900", "noten", "open", "four tiles left", "three tiles left"],
)
def test_when_riichi_may_be_declared(moves: str, seat: int, hand: str, points: int, error: str) -> None:
    hands, scores = [""] * 4, [25000] * 4
    hands[seat], scores[seat], scores[0] = hand, points, 50000 - points
    script = Script(moves, tuple(hands))
    if error:
        with pytest.raises(ScriptError, match=error):
            play_scripts(RULES, script, scores=scores)
    else:
        assert play_scripts(RULES, script, scores=scores).hands[0].paid == (seat,)


@pytest.mark.parametrize(
    ("moves", "error"),
    [
        (". 9m>r9m . . . 2s>tsumo", ""),
        (". 9m>r9m . . . 2s>2s . . 5s ron1", "has no win"),
        (". 9m>r9m . . . 2s>2s . . . 5s>tsumo", ""),
    ],
    ids=["tsumo", "ron after a tsumo passed up", "tsumo after a tsumo passed up"],
)
def test_who_passes_up_a_tsumo_under_riichi_may_win_by_tsumo_only(moves: str, error: str) -> None:
    if error:
        with pytest.raises(ScriptError, match=error):
            play(moves, "", SIMPLE)
    else:
        assert play(moves, "", SIMPLE).claimants == (1,)


def test_a_winner_takes_the_stakes_of_this_hand_and_of_the_draws_before() -> None:
    hands = play_scripts(
        RULES,
        Script(". . . 9m>r9m end", ("", "", "", SIMPLE)),
        Script("9m . . . 9p>r9p . . 2s ron1", ("", SIMPLE), dora="1z", ura="1z"),
    ).hands
    assert hands[0].paid == (3,)
    assert hands[1].start == HandStart(1, 1, 1, 1)
    # riichi, ippatsu, pinfu, all simples: 7,700 and a half more for the dealer; a honba; two stakes
    assert hands[1].deltas == (-11600 - 300, 11600 + 300 + 2000, 0, 0)


def test_the_stakes_left_at_the_end_go_to_the_first() -> None:
    result = final_result(RULES, (40000, 30000, 18000, 10000), winners=(), sticks=2)
    assert result.scores == (42000, 30000, 18000, 10000)
    assert result.points == (67000, 30000, 8000, -5000)


@each_row(
    ("moves", "hands", "ippatsu"),
    [
        (". 9m>r9m . . . 2s>tsumo", ("", SIMPLE), True),
        (". 9m>r9m . . 2s ron1", ("", SIMPLE), True),
        (". 9m>r9m . . . 9m . . . 2s>tsumo", ("", SIMPLE), False),
        (". 9m>r9m 5z pon3 >9p . 2s>tsumo", ("", SIMPLE, "", "55z9p"), False),
        (". 9m>r9m 3p chi3:45p >9p . 2s>tsumo", ("", SIMPLE, "", "45p9p"), False),
        (". 9m>r9m 1z>k1z 9p . . 2s>tsumo", ("", SIMPLE, "111z"), False),
    ],
    ids=["own next tile", "a discard before it", "a turn later", "pon", "chi", "kan"],
)
def test_ippatsu(moves: str, hands: tuple[str, ...], ippatsu: bool) -> None:
    hand = play(moves, *hands)
    assert bool(int(hand.wins[0, SCORED.situation]) & S.IPPATSU) == ippatsu


@pytest.mark.parametrize(
    ("moves", "hands", "error"),
    [
        ("5p pon1 >9s . . . 5p>k5p ron2", ("", "55p9s", "123m456s789m46p99s"), ""),
        ("9s 1m>k1m ron2", ("", "111m", "9m19p19s12345677z"), ""),
        ("9s 1m>k1m ron2", ("", "111m", "23m456s789s456p99p"), "has no win"),
    ],
    ids=["an added kan", "thirteen orphans and a closed kan", "another hand and a closed kan"],
)
def test_robbing_a_kong(moves: str, hands: tuple[str, ...], error: str) -> None:
    if error:
        with pytest.raises(ScriptError, match=error):
            play(moves, *hands)
    else:
        assert play(moves, *hands).claimants == (2,)


def test_a_hand_in_riichi_is_frozen() -> None:
    with pytest.raises(ScriptError, match="breaks a rule"):
        play(". 9m>r9m . . . 9p>2m end", "", SIMPLE)


# Scoring elements

TABLES = case_data("yakuza2")


@each_row("name", TABLES["elements"])
def test_scoring_elements(name: str) -> None:
    row = TABLES["elements"][name]
    situation, known = situation_of(row.get("how", ())), row.get("known", {})
    worth = {yaku.id: han for yaku, han in score(win_of(row["hand"], situation, **known), RULES).yaku}
    assert sum(worth.get(number, 0) for number in row["ids"]) == row["fan"]
    if "open" in row:
        without_riichi = situation & ~(RIICHI | S.IPPATSU)
        last = S.HAITEI if TSUMO in situation else S.HOUTEI
        if not without_riichi & (S.CHANKAN | S.RINSHAN):
            without_riichi |= last
        won = score(win_of(row["open"], without_riichi, **known), RULES)
        worth = {yaku.id: han for yaku, han in won.yaku}
        assert sum(worth.get(number, 0) for number in row["ids"]) == row["open_fan"]


@pytest.mark.parametrize("text", ["456m456p99p789s67s8s", "456m456p234s99p777z"])
def test_a_scoring_element_is_needed_and_dora_is_none(text: str) -> None:
    assert score(win_of(text), RULES).points
    opened = text.replace("456m", "(456m)").replace("777z", "333z")
    with pytest.raises(HandError):
        score(win_of(opened, dora="3m"), RULES)


@pytest.mark.parametrize("text", ["1111m2288p4466s77z", "9p(1111m)[5555m](3333p)(7777s)"])
def test_a_kong_is_not_two_pairs_and_four_kongs_need_a_pair(text: str) -> None:
    with pytest.raises(HandError):
        score(win_of(text), RULES)


@each_row("name", TABLES["limits"])
def test_limit_hands(name: str) -> None:
    row = TABLES["limits"][name]
    known, times = row.get("known", {}), row["times"]
    won = score(win_of(row["hand"], situation_of(row.get("how", ())), **known), RULES)
    assert (row["id"] in {yaku.id for yaku, _ in won.yaku}) == bool(times)
    if times:
        assert won.points == times * (48000 if known else 32000)


def test_a_ron_before_the_first_draw_is_not_a_limit_hand() -> None:
    """Pinfu and all simples: 2,000 points."""
    assert play("2s ron3", "", "", "", SIMPLE, dora="9m").deltas == (-2000, 0, 0, 2000)


def test_thirteen_fan_of_elements_and_dora_are_a_limit_hand() -> None:
    won = score(win_of("22334455667788s", RIICHI | S.IPPATSU), RULES)
    assert (won.han, won.yakuman, won.points) == (13, 0, 32000)
    won = score(win_of("22334455667788s", dora="1s"), RULES)
    assert (won.han, won.yakuman, won.points) == (13, 0, 32000)


def test_two_limit_hands_in_one_are_one() -> None:
    won = score(win_of("1z(555z)(666z)(777z)(222z)1z"), RULES)
    assert won.points == 32000


@each_row(
    ("text", "situation", "known", "payments"),
    [
        ("9p123m(555z)(666z)(777z)9p", TSUMO, {}, (0, 32000, 0, -32000)),
        ("9p123m(555z)(666z)(777z)9p", RON, {"payer": 0}, (-16000, 32000, 0, -16000)),
        ("9p123m(555z)(666z)(777z)9p", RON, {"payer": 3}, (0, 32000, 0, -32000)),
        ("9p(111z)(222z)(333z)(444z)9p", TSUMO, {}, (0, 64000, 0, -64000)),
        ("9p(111z)(222z)(333z)(444z)9p", RON, {"payer": 2}, (0, 64000, -32000, -32000)),
    ],
)
def test_liability(text: str, situation: Situation, known: dict[str, Any], payments: tuple[int, ...]) -> None:
    assert score(win_of(text, situation, liable=3, **known), RULES).payments == payments


DRAGONS, DRAGONS_HELD = "55z66z77z23m99p77p1p", "555z66z77z23m99p7p1p"
_THREE = "5z pon1 >7p . . 6z pon1 >7p . 7z pon1 >1p "
_WINDS = "1z pon1 >1m . . 2z pon1 >1m . 3z pon1 >1p 4z pon1 >9p "


@each_row(
    ("moves", "hand", "deltas"),
    [
        (_THREE + ". . . 4m>tsumo", DRAGONS, (0, 32000, 0, -32000)),
        (_THREE + ". 4m ron1", DRAGONS, (0, 32000, 0, -32000)),
        (_THREE + "4m ron1", DRAGONS, (0, 32000, -16000, -16000)),
        ("6z pon1 >7p . . 7z pon1 >1p . . . 4m>tsumo", DRAGONS_HELD, (-16000, 32000, -8000, -8000)),
        (_WINDS + ". . . 9m>tsumo", "11z22z33z44z9m11m1p9p", (0, 64000, -64000, 0)),
    ],
    ids=[
        "tsumo",
        "the feeder discards",
        "another discards",
        "two exposed and one held",
        "the fourth of winds",
    ],
)
def test_who_feeds_the_last_exposed_set_pays(moves: str, hand: str, deltas: tuple[int, ...]) -> None:
    assert play(moves, "", hand, dora="8s").deltas == deltas


# Dora


@each_row(
    ("indicator", "dora"),
    [("3s", "4s"), ("9s", "1s"), ("9m", "1m"), ("9p", "1p"), ("6p", "7p"), ("5z", "6z"), ("6z", "7z"),
     ("7z", "5z"), ("1z", "2z"), ("2z", "3z"), ("3z", "4z"), ("4z", "1z")],
)  # fmt: skip
def test_the_dora_follows_its_indicator(indicator: str, dora: str) -> None:
    won = score(win_of(f"234567m234p678s{dora}{dora}", RIICHI, dora=indicator), RULES)
    assert {yaku.id: han for yaku, han in won.yaku}[DORA_ID] == 2


def test_every_occurrence_of_a_dora_counts() -> None:
    """A tile that is Dora twice, and a red one that is a Dora, too."""
    hand = win_of("345m567m234p78s55p9s", RIICHI, dora="4p", ura="4p")
    counted = {yaku.id: han for yaku, han in score(hand, RULES).yaku}
    assert (counted[DORA_ID], counted[URA_DORA_ID]) == (2, 2)
    reds = with_overrides(RULES, {"red_man": 1, "red_pin": 2, "red_sou": 1})
    counted = {
        yaku.id: han for yaku, han in score(win_of("345m567m234p78s00p9s", RIICHI, dora="4p"), reds).yaku
    }
    assert (counted[DORA_ID], counted[RED_DORA_ID]) == (2, 2)


@pytest.mark.parametrize(
    ("moves", "indicators", "below"),
    [
        (". 9m . . . 9p>r9p . . . 2s>tsumo", 1, 1),
        (". 9m . . . 9p>r9p 1z>k1z 9p . . 2s>tsumo", 2, 2),
        (". 9m . . . 2s>tsumo", 1, 0),
        (". 9m 1z>k1z 9p . . 2s>tsumo", 2, 0),
    ],
    ids=["riichi", "riichi and a kan", "no riichi", "a kan and no riichi"],
)
def test_kans_turn_indicators_and_riichi_shows_those_below(moves: str, indicators: int, below: int) -> None:
    """A two of bamboos in the hand is a Dora as often as an indicator says so."""
    hand = play(moves, "", SIMPLE, "111z", dora="4z4z", ura="1s1s")
    assert len(hand.indicators) == indicators
    assert hand.wins[0, SCORED.ura] == below


# Table rules


@pytest.mark.parametrize(
    ("rule", "value", "text", "known", "loses"),
    [
        ("kuitan", False, "345m55p678s(234p)34s2s", {}, True),
        ("two_han_from_honba", 0, YAKUHAI, {"honba": 5}, False),
    ],
)
def test_options_of_the_table(rule: str, value: Any, text: str, known: dict[str, Any], loses: bool) -> None:
    switched = with_overrides(RULES, {rule: value})
    wins, fails = (RULES, switched) if loses else (switched, RULES)
    assert score(win_of(text, **known), wins).han == 1
    with pytest.raises(HandError):
        score(win_of(text, **known), fails)


# Score calculation


@each_row(("text", "how", "known", "minipoints", "rounded"), TABLES["minipoints"]["rows"])
def test_minipoints(text: str, how: list[str], known: dict[str, int], minipoints: int, rounded: int) -> None:
    won = score(win_of(text, situation_of(how), **known), RULES)
    assert (sum(row.fu for row in won.fu_rows), won.fu) == (minipoints, rounded)


def test_an_open_hand_like_pinfu_has_30_minipoints() -> None:
    assert score(win_of("(345m)234m456p99s67s8s", S.HOUTEI), RULES).fu == 30


def test_base_points_and_the_table_of_who_pays() -> None:
    priced = 0
    for fan in range(1, 5):
        for minipoints in (20, 25, *range(30, 120, 10)):
            base = minipoints * 2 ** (2 + fan)
            base = 2000 if base > 2000 else base
            single, double, four, six = (-(-times * base // 100) * 100 for times in (1, 2, 4, 6))
            for seat, situation, payments in (
                (0, TSUMO, (3 * double, -double, -double, -double)),
                (0, RON, (six, -six, 0, 0)),
                (1, TSUMO, (-double, double + 2 * single, -single, -single)),
                (1, RON, (0, four, -four, 0)),
            ):
                won = win_of("", situation, seat_wind=seat)
                try:
                    scored = score_han_fu(won, RULES, han=fan, fu=minipoints)
                except HandError:
                    continue
                assert (scored.base, scored.payments) == (base, payments)
                priced += 1
    assert priced > 120


@each_row(
    ("limit", "fan", "points", "dealer"),
    [
        (Limit.MANGAN, ((3, 70), (4, 40), (5, None)), 8000, 12000),
        (Limit.HANEMAN, ((6, None), (7, None)), 12000, 18000),
        (Limit.BAIMAN, ((8, None), (9, None), (10, None)), 16000, 24000),
        (Limit.SANBAIMAN, ((11, None), (12, None)), 24000, 36000),
        (Limit.YAKUMAN, ((13, None), (14, None), (20, None)), 32000, 48000),
        (Limit.NONE, ((3, 60), (4, 30)), 7700, 11600),
    ],
)
def test_the_table_of_limits(
    limit: Limit, fan: tuple[tuple[int, int | None], ...], points: int, dealer: int
) -> None:
    for han, minipoints in fan:
        for seat, expected in ((1, points), (0, dealer)):
            scored = score_han_fu(win_of("", seat_wind=seat), RULES, han=han, fu=minipoints)
            assert (scored.limit, scored.points) == (limit, expected)


def test_stakes_and_honba_come_on_top_of_a_limit() -> None:
    won = score(win_of("19m19p19s1234566z7z", honba=2, sticks=3, payer=3), RULES)
    assert won.payments == (0, 32000 + 600 + 3000, 0, -32000 - 600)


@pytest.mark.parametrize(
    ("situation", "payments"),
    [(RON, (0, 1000 + 900, -1000 - 900, 0)), (TSUMO, (-500 - 300, 1100 + 900, -300 - 300, -300 - 300))],
)
def test_a_honba_is_300_points_from_the_discarder_or_100_from_each(
    situation: Situation, payments: tuple[int, ...]
) -> None:
    won = score(win_of("456m(456p)234s99p777z", situation, honba=3), RULES)
    assert won.payments == payments


@each_row(("tenpai", "deltas"), PAID_AT_DRAWS)
def test_a_draw_shares_3000_points_out(tenpai: int, deltas: tuple[int, ...]) -> None:
    assert play("end", *WAITS[:tenpai]).deltas == deltas


def test_four_riichi_are_a_draw() -> None:
    hands = ("123m456p78s22233z", "456m123p45s66677z", "234m567p67s444z11s", "567m234p34s555z88m")
    assert play("9s>r9s 9s>r9s 9p>r9p 9p>r9p abort", *hands).end == HandEnd.SUUCHA


def test_discards_of_terminals_and_honours_are_paid_as_a_mangan() -> None:
    simples = ("2222444466668m", "2222444466668p", "2222444466668s", "33337777m33335p")
    assert play("end:0", *simples).deltas == (12000, -4000, -4000, -4000)
    assert play("end:1", *simples).deltas == (-4000, 8000, -2000, -2000)


def test_own_calls_do_not_matter_to_them() -> None:
    hands = ("2222444466668m", "2224446668p55z9p", "2222444466668s", "3337777m33335p")
    assert play("5z pon1 >9p end:1", *hands).deltas == (-4000, 8000, -2000, -2000)


def test_a_claimed_discard_is_no_part_of_them() -> None:
    claimed = play("5z pon2 >8s end:0", "2222444466668m", "", "55z8s")
    assert claimed.end == HandEnd.EXHAUSTIVE


@pytest.mark.parametrize(
    ("scores", "places", "points"),
    [
        ((30000, 25000, 20000, 25000), (1, 2, 4, 3), (55000, 25000, 5000, 15000)),
        ((20000, 20000, 30000, 30000), (3, 4, 1, 2), (10000, 5000, 55000, 30000)),
        ((25000, 25000, 25000, 25000), (1, 2, 3, 4), (50000, 25000, 15000, 10000)),
        ((30200, 24900, 19700, 25200), (1, 3, 4, 2), (55200, 14900, 4700, 25200)),
    ],
)
def test_uma_and_ties(scores: tuple[int, ...], places: tuple[int, ...], points: tuple[int, ...]) -> None:
    result = final_result(RULES, scores, winners=(0,))
    assert (result.places, result.points) == (places, points)


# The score sheet


def test_the_score_sheet_that_the_guide_shows() -> None:
    """Riichi, ippatsu, pinfu and a dora, 30 minipoints: 7,700 points, and the stake back."""
    won = score(
        win_of("234m789m456p99s67s8s", RIICHI | S.IPPATSU, seat_wind=3, payer=2, sticks=1, dora="5s"), RULES
    )
    assert [(yaku.romaji, han) for yaku, han in won.yaku] == [
        ("riichi", 1), ("ippatsu", 1), ("pinfu", 1), ("dora", 1)
    ]  # fmt: skip
    assert (won.fu, won.han, won.points) == (30, 4, 7700)
    assert won.payments == (0, 0, -7700, 8700)
