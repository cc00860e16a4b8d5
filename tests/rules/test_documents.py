"""What the documents state with numbers: payments, fu, limits and the moves that they allow or forbid."""

from __future__ import annotations

from typing import Any

import pytest
from case_data import case_data
from each_row import each_row
from hands import situation_of, win_of
from scripted import Script, ScriptError, play_scripts

from paifu.replay.course.settlement import HandStart, final_result
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.scoring.score import score
from paifu.replay.scoring.yaku import YAKU

TABLES = case_data("documents")
TENPAI = ("123m456p789s555z1z", "123m789p789s666z2z", "123m345p789s777z3z", "444m222p666s555s4z")
"""Each waits for one wind, so that all their tiles fit into the dead wall."""
DOCUMENTED = pytest.mark.parametrize(
    "preset", ["saki", "riichi-encyclopedia", "kwan-official", "mcgill-riichi"]
)
PAID_AT_DRAWS = (
    (0, (0, 0, 0, 0)),
    (1, (3000, -1000, -1000, -1000)),
    (2, (1500, 1500, -1500, -1500)),
    (3, (1000, 1000, 1000, -3000)),
    (4, (0, 0, 0, 0)),
)
"""Players who are tenpai at a draw -> what each of four gets, the tenpai ones first."""


@DOCUMENTED
@pytest.mark.parametrize(("tenpai", "deltas"), PAID_AT_DRAWS)
def test_3000_points_go_from_noten_to_tenpai_players(
    preset: str, tenpai: int, deltas: tuple[int, ...]
) -> None:
    game = play_scripts(load_preset(preset), Script("end", TENPAI[:tenpai], dora="9p"), Script("end"))
    assert game.hands[0].deltas == deltas


@DOCUMENTED
@pytest.mark.parametrize(("tenpai", "number"), [(0, 1), (1, 0)], ids=["the deal passes", "the dealer stays"])
def test_the_dealer_stays_if_tenpai_and_a_counter_is_added(preset: str, tenpai: int, number: int) -> None:
    game = play_scripts(load_preset(preset), Script("end", TENPAI[:tenpai], dora="9p"), Script("end"))
    assert game.hands[1].start == HandStart(number, 1, 0, number)


@DOCUMENTED
@pytest.mark.parametrize("name", TABLES["moves"])
def test_what_may_be_won_and_called(preset: str, name: str) -> None:
    moves, hand, *codes = TABLES["moves"][name]
    script = Script(moves, ("", hand), dora="9p" if "r9p" not in moves else "1z")
    if not codes:
        assert play_scripts(load_preset(preset), script, Script("end")).hands
    else:
        with pytest.raises(ScriptError, match=codes[0]):
            play_scripts(load_preset(preset), script, Script("end"))


@each_row(("text", "how", "known", "han", "fu", "payments"), TABLES["hands"]["rows"])
def test_hands_are_counted_as_in_the_encyclopedias_article(
    text: str, how: list[str], known: dict[str, Any], han: int, fu: int, payments: list[int]
) -> None:
    won = score(win_of(text, situation_of(how), **known), load_preset("riichi-encyclopedia"))
    assert (won.han, won.fu, won.payments) == (han, fu, tuple(payments))


def test_a_pair_of_both_winds_at_2_fu_makes_exactly_100_fu() -> None:
    rules = with_overrides(load_preset("riichi-encyclopedia"), {"double_wind_pair_fu": 2})
    won = score(win_of("[1111m][9999p]234s11z99s9s", Situation.RIICHI, seat_wind=0), rules)
    assert (won.han, won.fu, won.points) == (1, 100, 4800)


@pytest.mark.parametrize(
    ("uma", "points"),
    [
        ([0, 0, 0, 0], (33000, -15000, -15000, -3000)),
        ([20000, 10000, -10000, -20000], (53000, -35000, -25000, 7000)),
        ([15000, 5000, -5000, -15000], (48000, -30000, -20000, 2000)),
    ],
    ids=str,
)
def test_the_final_points_of_the_encyclopedias_article(uma: list[int], points: tuple[int, ...]) -> None:
    rules = with_overrides(load_preset("riichi-encyclopedia"), {"uma": uma})
    assert final_result(rules, (43600, 14500, 15400, 26500), ()).points == points


def test_an_open_hand_without_fu_has_30() -> None:
    won = score(win_of("(234m)456p66p678s34s5s", dora="8p"), load_preset("riichi-encyclopedia"))
    assert (won.han, won.fu, won.points) == (1, 30, 1000)


KWANS_HAN = {
    (1, 0): (0, 1, 7, 9),
    (1, 1): (3, 4, 5, 6, 8, 10, 14, 18, 19, 20),
    (2, 0): (21, 22),
    (2, 1): (23, 24, 25),
    (2, 2): (26, 27, 28, 29, 30, 31),
    (3, 0): (32,),
    (3, 2): (33, 34),
    (6, 5): (35,),
}
"""Han closed and open -> Tenhou's numbers of the yaku."""
KWANS_LIMITS = (37, 38, 39, 40, 42, 43, 44, 45, 47, 49, 50, 51)


def test_official_patterns_are_worth_what_kwan_lists() -> None:
    rules = load_preset("kwan-official")
    for han, ids in KWANS_HAN.items():
        assert {YAKU[number].han_under(rules) for number in ids} == {han}
    assert {YAKU[number].han_under(rules)[0] for number in KWANS_LIMITS} == {13}
    assert {YAKU[number].han_under(rules)[1] for number in (39, 42, 43, 44, 49, 50, 51)} == {13}


def test_house_patterns_are_worth_what_kwan_lists() -> None:
    rules = load_preset("kwan-house")
    values = {2: (1, 0), 66: (2, 2), 67: (4, 4), 68: (2, 2), 69: (13, 13), 71: (1, 1)}
    assert {number: YAKU[number].han_under(rules) for number in values} == values
    official = load_preset("kwan-official")
    assert {YAKU[number].han_under(official)[0] for number in values} == {0}
