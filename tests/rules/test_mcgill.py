"""What the McGill club's posts state of the games other than riichi, statement by statement."""

from __future__ import annotations

from typing import Any

import pytest
from each_row import each_row
from scheme_hands import patterns, scored

from paifu.replay.course.settlement import HandOutcome, HandStart, OutcomeKind, endings, next_hand
from paifu.replay.model.tiles import JOKER, tile_of_kind
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.schemes.card import exposure
from paifu.replay.schemes.hand import Replacement, parse_held
from paifu.replay.schemes.payments import paid, win_shares
from paifu.replay.schemes.scheme import Won
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.readings import Meld

ZJ, HK, CC, US = "zung-jung", "hk-old-style", "chinese-classical", "american-2013"
SOUTH: dict[str, Any] = {"seat_wind": "S", "self_drawn": True}
OFF_NORTH: dict[str, Any] = {"seat_wind": "S", "payer": "N"}


def won(text: str, preset: str, facts: dict[str, Any], **settings: Any) -> Won:
    return scored(text, with_overrides(load_preset(preset), settings), **facts)


def refused(text: str, preset: str, facts: dict[str, Any], why: str, **settings: Any) -> None:
    with pytest.raises(HandError, match=why):
        won(text, preset, facts, **settings)


def hands_of_a_game(preset: str, *, dealer_wins: bool) -> list[int]:
    """The dealer of each hand of a game in which the dealer always wins, or nobody does."""
    rules, start, dealers = load_preset(preset), HandStart(0, 0, 0, 0), []
    for played in range(1, 99):
        dealers.append(start.dealer)
        end = (
            HandOutcome(OutcomeKind.WIN, (start.dealer,))
            if dealer_wins
            else HandOutcome(OutcomeKind.EXHAUSTIVE)
        )
        if endings(rules, start, end, (0, 0, 0, 0), played=played)[0]:
            break
        start = next_hand(rules, start, end)
    return dealers


# Zung Jung

CHICKEN = "(234s)567s345m6699p6p"


def test_any_four_melds_and_a_pair_win_for_a_point_but_in_tournaments() -> None:
    assert won(CHICKEN, ZJ, OFF_NORTH).payments == (-1, 3, -1, -1)
    refused(CHICKEN, "wsom", OFF_NORTH, "chicken hand")


@pytest.mark.parametrize("dealer_wins", [True, False])
def test_the_deal_always_passes_and_a_game_has_16_hands_or_8(dealer_wins: bool) -> None:
    assert hands_of_a_game(ZJ, dealer_wins=dealer_wins) == [0, 1, 2, 3] * 4
    assert hands_of_a_game("wsom", dealer_wins=dealer_wins) == [0, 1, 2, 3] * 2
    assert hands_of_a_game(CC, dealer_wins=dealer_wins) == [0, 1, 2, 3] * 4
    assert hands_of_a_game(US, dealer_wins=dealer_wins) == [0, 1, 2, 3] * 4


def test_the_winds_other_than_the_players_own_are_worth_nothing() -> None:
    for number, wind in enumerate("ESWN", 1):
        found = won(f"({number}{number}{number}z)(345m)(678p)99s23s1s", ZJ, OFF_NORTH)
        assert patterns(found) == ({"value-honour": 10} if wind == "S" else {})


@pytest.mark.parametrize("preset", [ZJ, CC])
def test_14_tiles_are_never_drawn(preset: str) -> None:
    rules = load_preset(preset)
    assert len(rules.tile_ids) - rules.live_wall == 14 + 3 * 13 + rules.tiles.dealer_tiles


def test_no_bonus_tiles_are_used() -> None:
    assert max(load_preset(ZJ).tile_ids) < 136
    refused(f"(1f){CHICKEN}", ZJ, OFF_NORTH, "bonus tiles are not set aside")


@each_row(
    ("value", "drawn", "discarded"),
    [
        (1, (-1, 3, -1, -1), (-1, 3, -1, -1)),
        (25, (-25, 75, -25, -25), (-25, 75, -25, -25)),
        (26, (-26, 78, -26, -26), (-25, 78, -25, -28)),
        (30, (-30, 90, -30, -30), (-25, 90, -25, -40)),
        (320, (-320, 960, -320, -320), (-25, 960, -25, -910)),
    ],
)
def test_all_pay_up_to_25_points_and_the_discarder_the_rest_of_three_times_the_value(
    value: int, drawn: tuple[int, ...], discarded: tuple[int, ...]
) -> None:
    rules = load_preset(ZJ)
    assert paid(win_shares(rules, value, 1, None), 1) == drawn
    assert paid(win_shares(rules, value, 1, 3), 1) == discarded


def test_patterns_add_up_to_320_and_a_single_one_may_be_worth_more() -> None:
    rich = won("[1111s][2222s]333s555s7s7s", ZJ, SOUTH)
    assert (sum(patterns(rich).values()), rich.value) == (360, 320)
    honours = won("(111z)(222z)(333z)44z55z4z", ZJ, OFF_NORTH)
    assert (patterns(honours), honours.value) == ({"big-four-winds": 400}, 400)


def test_of_a_series_the_most_valuable_pattern_counts() -> None:
    assert patterns(won("(1111m)(222p)(333s)45m99p6m", ZJ, OFF_NORTH)) == {"one-kong": 5}
    assert patterns(won("(1111m)(2222p)(333s)45m99p6m", ZJ, OFF_NORTH)) == {"two-kongs": 20}
    assert patterns(won("(1111m)(2222p)[3333s]45m99p6m", ZJ, OFF_NORTH)) == {"three-kongs": 120}


def test_four_equal_tiles_may_be_two_of_seven_pairs_but_not_a_gong() -> None:
    assert patterns(won("1111m2222p3355s7z7z", ZJ, OFF_NORTH)) == {"seven-pairs": 30}
    refused("[1111m]2222p3355s7z7z", ZJ, OFF_NORTH, "does not win|make")


# American mahjong

YEAR = "4z11z33z1j2222z2s5z1s3s"
"""N EE WWW SSSS 2013 with a joker among the west winds."""
PRACTICE = {"card": "practice"}


def test_flowers_are_held_and_discarded_and_any_of_them_will_do() -> None:
    rules = load_preset(US)
    assert len(rules.tile_ids) == 136 + 8 + 8
    for flowers in ("12f34g", "1234f", "1234g"):
        assert patterns(won(f"{flowers}2222m5555z13m", US, SOUTH)) == {"2013-3": 30}
    assert won("234f2222m5555z13m1f", US, OFF_NORTH).value == 60
    refused("(1f)12f34g2222m5555z13m", US, SOUTH, "stay|has 1 tiles")


def test_a_joker_stands_for_a_tile_of_a_group_but_of_no_pair_and_no_single() -> None:
    assert won(YEAR, US, SOUTH).value == 25
    assert won("4z11z333z22z11j2s5z1s3s", US, SOUTH).value == 25
    for pair_or_single in ("4z1z1j333z2222z2s5z1s3s", "1j11z333z2222z2s5z1s3s", "4z11z333z2222z2s5z1s1j"):
        refused(pair_or_single, US, SOUTH, "not a line")


def test_groups_are_of_like_tiles_up_to_six() -> None:
    rules = load_preset(US)
    assert exposure(Meld.of((0, 0, 0)), rules) == (0, 3)
    assert exposure(Meld.of((0,) * 4 + (tile_of_kind(JOKER),) * 2), rules) == (0, 6)
    with pytest.raises(HandError, match="different tiles"):
        exposure(Meld.of((0, 1, 2)), rules)
    with pytest.raises(HandError, match="3 to 6"):
        exposure(Meld.of((0,) * 4 + (tile_of_kind(JOKER),) * 3), rules)
    assert patterns(won("1234f(111m11j)5555z1j", US, SOUTH, **PRACTICE)) == {"pr-quint": 40}


@pytest.mark.parametrize(("suit", "dragon"), [("m", "7z"), ("p", "5z"), ("s", "6z")])
def test_a_dragon_belongs_to_its_suit_and_white_is_the_zero_of_any(suit: str, dragon: str) -> None:
    pairs = f"12f113355{suit}7799{suit}{dragon}"
    assert patterns(won(f"{pairs}{dragon}", US, SOUTH, **PRACTICE)) == {"pr-pairs": 50}
    others = {"5z", "6z", "7z"} - {dragon}
    for other in sorted(others):
        refused(f"12f113355{suit}7799{suit}{other}{other}", US, SOUTH, "not a line", **PRACTICE)
    assert patterns(won(f"12f34g2222{suit}5555z13{suit}", US, SOUTH)) == {"2013-3": 30}


def test_a_hand_of_the_card_wins_with_its_value_exposed_or_concealed() -> None:
    assert won("(33z1j)(2222z)4z11z2s5z1s3s", US, SOUTH).value == 25
    assert won("1234f777z2p5z13p66z1j", US, SOUTH).value == 35
    refused("(1234f)777z2p5z13p66z1j", US, SOUTH, "not a line")
    refused("111222333m4445p5p", US, SOUTH, "not a line")


PRINTED = {
    "2013-1": [(YEAR, 25), ("4z11z33z1j2222z2m5z1m3m", 25)],
    "2013-2": [("12f2s5z13s1111m3333p", 50), ("12f2p5z13p1111s333m1j", 25)],
    "2013-3": [("1234f2222p5555z13p", 60), ("1f111j2222m5555z13m", 30)],
    "2013-4": [("1234f777z2p5z13p666z", 70), ("1234f777z2m5z13m66z1j", 35)],
}
"""Line -> hands in the suits that its colours and remarks allow, and their value."""


@pytest.mark.parametrize("line", PRINTED)
def test_the_printed_hands_of_2013_and_how_their_colours_are_read(line: str) -> None:
    for hand, value in PRINTED[line]:
        found = won(hand, US, SOUTH)
        assert list(patterns(found)) == [line]
        assert found.value == value
    for other_suit in ("4z11z33z1j2222z2s5z1p3s", "12f2s5z13s1111m3333m", "1234f2222p5555z13m"):
        refused(other_suit, US, SOUTH, "not a line")


def test_the_dealer_who_is_dealt_a_hand_wins_as_by_self_draw_without_more() -> None:
    assert won(YEAR, US, {"seat_wind": "E", "self_drawn": True}).payments == (150, -50, -50, -50)


def test_a_discarded_joker_is_dead() -> None:
    refused("4z11z33z2222z2s5z1s3s1j", US, OFF_NORTH, "a joker that was discarded is dead")
    assert won("4z11z33z2222z2s5z1s3s1j", US, SOUTH).value == 25


def test_jokers_are_counted_as_the_hand_lies_at_the_win() -> None:
    """An exposed joker that was exchanged for its tile no longer keeps the hand from counting twice."""
    assert won("(33z1j)(2222z)4z11z2s5z1s3s", US, SOUTH).value == 25
    assert won("(333z)(2222z)4z11z2s5z1s3s", US, SOUTH).value == 50


def test_all_pay_twice_for_a_self_draw_and_the_discarder_twice_else() -> None:
    assert won(YEAR, US, SOUTH).payments == (-50, 150, -50, -50)
    assert won(YEAR, US, OFF_NORTH).payments == (-25, 100, -25, -50)


# Chinese Classical

ANY = {"discard_win": "any"}


def test_bonus_tiles_and_the_round_wind_are_options() -> None:
    hand = "(1f)(222z)(777s)(999p)33s55m5m"
    assert won(hand, CC, OFF_NORTH).value > won(hand.removeprefix("(1f)"), CC, OFF_NORTH).value
    refused(hand, CC, OFF_NORTH, "bonus tiles are not set aside", bonus_tiles="none")
    east = "(111z)(777s)(999p)33s55m5m"
    assert patterns(won(east, CC, OFF_NORTH)) == {"pung-of-round-wind": 1}
    assert patterns(won(east, CC, OFF_NORTH, round_wind=False)) == {}


def test_a_discard_completes_a_pung_only() -> None:
    assert won("(222m)(777s)(999p)33s55m5m", CC, OFF_NORTH).value == 40
    refused("(222m)(777s)(999p)34s55m5s", CC, OFF_NORTH, "completes a chow")
    refused("(222m)(777s)(999p)345s5m5m", CC, OFF_NORTH, "completes a pair|completes the pair")
    for drawn in ("(222m)(777s)(999p)34s55m5s", "(222m)(777s)(999p)345s5m5m"):
        assert won(drawn, CC, SOUTH).value
        assert won(drawn, CC, OFF_NORTH, **ANY).value


def test_seven_pairs_do_not_win_in_chinese_classical() -> None:
    refused("1133m2299p4466s7z7z", CC, SOUTH, "does not win")


@each_row(
    ("group", "points"),
    [
        ("(222m)", 2), ("222m", 4), ("(111m)", 4), ("111m", 8), ("(2222m)", 8), ("[2222m]", 16),
        ("(1111m)", 16), ("[1111m]", 32), ("(333z)", 4), ("333z", 8), ("(234m)", 0), ("(1f)(234m)", 4),
    ],
)  # fmt: skip
def test_what_sets_and_bonus_tiles_count(group: str, points: int) -> None:
    found = reasons(won(f"{group}(345p)(678p)34s88s5s", CC, SOUTH))
    assert sum(found.values()) - found["winning"] - found["self-pick"] == points + found.get(
        "four chows, worthless pair", 0
    )


def reasons(found: Won) -> dict[str, int]:
    return {row.reason: row.points for row in found.points}


def test_what_the_winner_adds() -> None:
    drawn = reasons(won("(222m)(345p)(678p)34s77z5s", CC, SOUTH))
    assert drawn == {"open pung 2m": 2, "winning": 20, "self-pick": 2, "pair 7z": 2}
    only = reasons(won("(222m)(345p)(678p)35s22z4s", CC, SOUTH))
    assert (only["only possible tile"], only["pair 2z"]) == (2, 2)
    both = reasons(won("(222m)(345p)(678p)35s22z4s", CC, SOUTH | {"round_wind": "S"}))
    assert both["pair 2z"] == 4
    kan = SOUTH | {"replacement": Replacement.GONG}
    assert reasons(won("[2222m](345p)(678p)34s77z5s", CC, kan))["replacement tile"] == 10
    assert reasons(won("(222m)(777s)(999p)33s55m5m", CC, OFF_NORTH))["four pungs"] == 10
    chows = "(234m)(345p)(678p)34s99m5s"
    assert reasons(won(chows, CC, SOUTH))["four chows, worthless pair"] == 10
    assert "four chows, worthless pair" not in reasons(won(f"(1f){chows}", CC, SOUTH))


@each_row(
    ("hand", "facts", "doubles"),
    [
        ("(222z)(345p)(678p)34s99m5s", {}, {"pung-of-seat-wind": 1}),
        ("(111z)(345p)(678p)34s99m5s", {}, {"pung-of-round-wind": 1}),
        ("(555z)(666z)(678p)34s99m5s", {}, {"pung-of-dragons": 2}),
        ("(2f)(2g)(345p)(678p)(234m)34s99m5s", {}, {"own-bonus-tile": 2}),
        ("(345p)(678p)(333z)99p34p5p", {}, {"half-flush": 1}),
        ("(345p)(678p)(222p)99p34p5p", {}, {"full-flush": 3}),
    ],
)
def test_what_doubles(hand: str, facts: dict[str, Any], doubles: dict[str, int]) -> None:
    found = won(hand, CC, SOUTH | facts)
    assert patterns(found) == doubles
    assert found.value == sum(reasons(found).values()) << sum(doubles.values())


def test_all_four_flowers_double_three_times_and_the_limit_holds() -> None:
    found = won("(1f)(2f)(3f)(4f)(345p)(678p)(234m)34s99m5s", CC, SOUTH)
    assert patterns(found) == {"own-bonus-tile": 1, "all-flowers": 3}
    assert (sum(reasons(found).values()) << 4, found.value) == (608, 500)


def test_all_honours_heaven_and_earth_double_three_times_without_limit_hands() -> None:
    plain = {"limit_hands": False}
    honours = won("(333z)(444z)(666z)77z11z7z", CC, OFF_NORTH, **plain)
    assert patterns(honours)["all-honours"] == 3
    heaven = won(
        "234567s345m456p8p8p", CC, {"seat_wind": "E", "self_drawn": True, "first_turn": True}, **plain
    )
    assert patterns(heaven) == {"gift-of-heaven": 3}
    assert patterns(won("234567s345m456p8p8p", CC, SOUTH | {"first_turn": True}, **plain)) == {
        "gift-of-earth": 3
    }


GONG = {"replacement": Replacement.GONG}
LIMITS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "four-concealed-pungs": ("222m444p666p888s3z3z", SOUTH, {}),
    "all-honours": ("[1111z](222z)(555z)66z77z6z", OFF_NORTH, {}),
    "all-terminals": ("(111m)(999m)(111p)99s11s9s", OFF_NORTH, {}),
    "perfect-green": ("(222s)(333s)(444s)66z88s6z", OFF_NORTH, {}),
    "big-three-dragons": ("(555z)(666z)123m77z99m7z", OFF_NORTH, {}),
    "big-four-winds": ("(111z)(222z)(333z)44z55p4z", OFF_NORTH, {}),
    "nine-gates": ("1112345678999s5s", OFF_NORTH, {}),
    "thirteen-orphans": ("19m19p19s1234567z1z", OFF_NORTH, {}),
    "four-gongs": ("(1111m)(2222p)[3333s](4444m)5m5m", SOUTH, {}),
    "gift-of-heaven": ("234567s345m456p8p8p", {"seat_wind": "E", "self_drawn": True, "first_turn": True}, {}),
    "dealers-first-discard": (
        "222444m666p88s33z8s", {"seat_wind": "S", "payer": "E", "dealers_first_discard": True}, {},
    ),
    "moon-from-the-sea": ("123m456p789s66m23p1p", SOUTH | {"last_tile": True}, {}),
    "plum-blossom": ("(345s)[2222m]678s99m46p5p", SOUTH | GONG, {}),
    "carrying-pole": ("456m(789p)66z777z13s2s", OFF_NORTH | {"robbing": True}, ANY),
    "gong-on-gong": ("(2222m)[3333p]456s78s55p9s", SOUTH | GONG | {"gongs_in_turn": 2}, {}),
}  # fmt: skip


@each_row("name", LIMITS)
def test_limit_hands_are_worth_500(name: str) -> None:
    hand, facts, settings = LIMITS[name]
    found = won(hand, CC, facts, **settings)
    assert patterns(found) == {name: 0}
    assert found.value == 500


def test_nine_gates_need_the_wait_on_nine_tiles() -> None:
    assert "nine-gates" not in patterns(won("1112345688999s7s", CC, SOUTH))


def test_a_gong_that_is_not_declared_counts_as_a_pung() -> None:
    def of_east(text: str) -> int:
        """What east, who loses, scores; the others have nothing."""
        losers = {0: text, 2: "147m258p149s1234z", 3: "147m258p149s1234z"}
        held = {seat: parse_held(hand, wins=False) for seat, hand in losers.items()}
        return won("(222m)(777s)(999p)33s55m5m", CC, OFF_NORTH | {"losers": held}).losers[0].score

    assert of_east("5555z146m258p189s") == of_east("555z146m258p1189s") == 2 * 8
    assert of_east("[5555z]146m258p1189s") == 2 * 32


# Hong Kong old style

MOST = "(1f)(1g)(2f)(3f)(4f)(2g)(3g)(111z)[2222m][5555z]666z7z7z"
FIVE = "[1111z][2222z][3333z][4444z]5z5z"


def test_the_most_faan_and_five_limits_at_once() -> None:
    east: dict[str, Any] = {"seat_wind": "E", "self_drawn": True}
    most = won(MOST, HK, east | GONG | {"gongs_in_turn": 2})
    assert (sum(patterns(most).values()), most.value) == (21, 128)
    five = won(FIVE, HK, east | {"round_wind": "N", "keeps": 8})
    assert (len(patterns(five)), five.payments) == (5, (1920, -640, -640, -640))


def test_a_self_draw_pays_half_as_much_again_as_a_discard() -> None:
    hand = "(222m)(777s)(999p)33s55m5m"
    drawn, discarded = won(hand, HK, SOUTH), won(hand, HK, OFF_NORTH)
    assert (drawn.value, discarded.value) == (16, 16)
    assert 2 * drawn.payments[1] == 3 * discarded.payments[1]


def test_three_faan_are_the_least_and_13_the_limit() -> None:
    refused("(222z)(333z)(444z)46m55p5m", HK, {"seat_wind": "E", "payer": "N"}, "only 1 faan")
    assert won("(1f)1122334455668p8p", HK, OFF_NORTH).value == 64
    assert won(MOST, HK, {"seat_wind": "E", "self_drawn": True} | GONG | {"gongs_in_turn": 2}).value == 128
