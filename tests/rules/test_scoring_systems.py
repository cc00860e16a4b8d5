"""What each system scores in its own way, as a table of hands: the presets hold these rules together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from each_row import each_row
from hands import win_of

from paifu.replay.kernels.scoring import payments_kernel
from paifu.replay.rules.hand_facts import RON, Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.limits import Limit
from paifu.replay.scoring.score import score
from paifu.replay.scoring.tables import scoring_tables

S = Situation
TSUMO, RIICHI = S.TSUMO, S.RIICHI
YAKUHAI = "456m456p234s99p777z"
"""1 han 40 fu by ron: 1,300."""


def _rules(name: str, overrides: dict[str, Any]) -> Ruleset:
    return with_overrides(load_preset(name), overrides)


Case = tuple[str, str, dict[str, Any], str, Situation, dict[str, Any], set[int], int, tuple[int, ...]]

CASES: list[Case] = [
    # what, preset, overrides, hand, situation, known, some of the yaku, points, payments by seat (0 deals)
    # Kwan's official and house patterns
    ("renhou is a mangan", "kwan-official", {}, YAKUHAI, S.RENHOU, {"seat_wind": 2}, {36}, 8000,
     (0, -8000, 8000, 0)),
    (
        "renhou as a yakuman", "kwan-official", {"renhou": "yakuman"}, YAKUHAI, S.RENHOU, {"seat_wind": 3},
        {36}, 32000, (0, -32000, 0, 32000),
    ),
    (
        "a hand worth more than renhou's mangan keeps its own yaku", "kwan-official", {},
        "112233m445566m77m", S.RENHOU, {"seat_wind": 2}, {32, 35}, 16000, (0, -16000, 16000, 0),
    ),
    ("ippatsu is a house pattern", "kwan-house", {}, YAKUHAI, RIICHI | S.IPPATSU, {},
     {1, 2, 20}, 5200, (0, 5200, -5200, 0)),
    (
        "three identical runs replace twin runs", "kwan-house", {},
        "234m(234m)(234m)99p777z", RON, {}, {20, 66}, 3900, (0, 3900, -3900, 0),
    ),
    (
        "four identical runs replace three and two pairs of twins", "kwan-house", {},
        "(234m)(234m)(234m)99p234m", RON, {}, {67}, 7700, (0, 7700, -7700, 0),
    ),
    (
        "three triplets in a row, open", "kwan-house", {},
        "(222m)(333m)444m99p678s", RON, {}, {68}, 2000, (0, 2000, -2000, 0),
    ),
    (
        "four triplets in a row are a yakuman", "kwan-house", {},
        "(222m)(333m)444m99p555m", RON, {}, {69}, 32000, (0, 32000, -32000, 0),
    ),
    ("ron on the discard after a kan", "kwan-house", {}, YAKUHAI, S.KANBURI, {},
     {20, 71}, 2600, (0, 2600, -2600, 0)),
    (
        "twin runs twice are worth 2 where chosen so", "kwan-official", {"ryanpeikou_han": 2},
        "223344m556677p9s9s", RON, {}, {32}, 2600, (0, 2600, -2600, 0),
    ),
    (
        "seven pairs with four equal tiles", "kwan-official", {"chiitoitsu_identical_pairs": True},
        "1111m2288p4466s77z", RON, {}, {22}, 1600, (0, 1600, -1600, 0),
    ),
    (
        "seven pairs as 1 han 50 fu are worth the same", "kwan-official",
        {"chiitoitsu_han": 1, "chiitoitsu_fu": 50},
        "1199m2288p4466s77z", RON, {}, {22}, 1600, (0, 1600, -1600, 0),
    ),
    (
        "four kans win without a pair", "kwan-official", {"suukantsu_needs_pair": False},
        "9p(1111m)[5555m](3333p)(7777s)", TSUMO, {}, {51}, 32000, (-16000, 32000, -8000, -8000),
    ),
    # The arcade game's rules
    (
        "the big wheel is a yakuman in dots", "yakuza2", {}, "22334455667788p", TSUMO, {},
        {70}, 32000, (-16000, 32000, -8000, -8000),
    ),
    (
        "and nothing but its yaku in other suits", "yakuza2", {}, "22334455667788s", RON, {},
        {7, 8, 32, 35}, 24000, (0, 24000, -24000, 0),
    ),
    (
        "four red fives, two of them in dots", "yakuza2", {"red_man": 1, "red_pin": 2, "red_sou": 1},
        "304m00p304s678p777z",
        RON, {}, {20, 54}, 8000, (0, 8000, -8000, 0),
    ),
    ("sticks and honba on top", "yakuza2", {}, YAKUHAI, RIICHI, {"honba": 5, "sticks": 2},
     {1, 20}, 2600, (0, 6100, -4100, 0)),
    (
        "thirteen orphans on thirteen waits count twice", "yakuza2", {}, "19m19p19s1234567z7z", RON, {},
        {48}, 64000, (0, 64000, -64000, 0),
    ),
    ("4 han 30 fu are not mangan", "yakuza2", {}, "34555m456p678s23p4p", RIICHI, {"dora": "2m"},
     {1, 52}, 7700, (0, 7700, -7700, 0)),
    # Liability
    (
        "the liable player pays all of a tsumo, stacked yakuman included", "tenhou", {},
        "1z(555z)(666z)(777z)(222z)1z", TSUMO, {"liable": 3, "honba": 3},
        {39, 42}, 64000, (0, 64900, 0, -64900),
    ),
    (
        "and half of a ron, and the honba", "tenhou", {},
        "9p123m(555z)(666z)(777z)9p", RON, {"liable": 3, "payer": 0, "honba": 1}, {39}, 32000,
        (-16000, 32300, 0, -16300),
    ),
    (
        "the liable discarder pays all", "tenhou", {},
        "9p123m(555z)(666z)(777z)9p", RON, {"liable": 3, "payer": 3}, {39}, 32000, (0, 32000, 0, -32000),
    ),
    (
        "liability for the own yakuman only", "majsoul", {},
        "1z(555z)(666z)(777z)(222z)1z", TSUMO, {"liable": 3}, {39, 42}, 64000, (-16000, 64000, -8000, -40000),
    ),
    (
        "a double big four winds is the liable player's as a whole", "majsoul", {},
        "9p(111z)(222z)(333z)(444z)9p", RON, {"liable": 3, "payer": 2},
        {49}, 64000, (0, 64000, -32000, -32000),
    ),
    (
        "the club's liability for all honours", "mcgill-riichi", {},
        "6z(111z)(222z)(555z)(777z)6z", TSUMO, {"liable": 2}, {42}, 32000, (0, 32000, -32000, 0),
    ),
    (
        "the feeder of an open kan pays for the win on its supplement tile, which stays a tsumo",
        "mcgill-riichi", {}, "34566m555s67p(2222p)8p", TSUMO | S.RINSHAN, {"liable": 0},
        {4, 8}, 2600, (-2600, 2600, 0, 0),
    ),
    (
        "the fourth kan", "mleague", {}, "9p(1111m)(5555m)(3333p)(7777s)9p", RON, {"liable": 0, "payer": 2},
        {51}, 32000, (-16000, 32000, -16000, 0),
    ),
    # Limits
    ("4 han 30 fu are a mangan", "wrc", {}, "34555m456p678s23p4p", RIICHI, {"dora": "2m"},
     {1, 52}, 8000, (0, 8000, -8000, 0)),
    ("and so are 3 han 60 fu", "wrc", {}, "99p34m678s[2222s]777z2m", RIICHI | S.IPPATSU, {},
     {1, 2, 20}, 8000, (0, 8000, -8000, 0)),
    (
        "13 han and more stay a sanbaiman", "wrc", {},
        "1234567893455m2m", RIICHI, {"dora": "14m"}, {35}, 24000, (0, 24000, -24000, 0),
    ),
    (
        "one yakuman at most", "ema", {}, "1z(555z)(666z)(777z)(222z)1z", RON, {}, {39}, 32000,
        (0, 32000, -32000, 0),
    ),
    (
        "a strict mangan for renhou, dora or not", "ema", {}, YAKUHAI, S.RENHOU, {"dora": "8p"},
        {36}, 8000, (-8000, 8000, 0, 0),
    ),
    # Other arrangements
    (
        "wareme doubles what the winner is paid, honba included", "riichi-encyclopedia", {"wareme": True},
        YAKUHAI, TSUMO, {"marked": 1, "honba": 1}, {0, 20}, 2000, (-2200, 4600, -1200, -1200),
    ),
    (
        "wareme doubles what a payer pays", "riichi-encyclopedia", {"wareme": True},
        YAKUHAI, TSUMO, {"marked": 0, "honba": 1}, {0, 20}, 2000, (-2200, 3400, -600, -600),
    ),
    (
        "open riichi stands in for riichi", "riichi-encyclopedia", {"open_riichi_han": 2},
        YAKUHAI, S.OPEN_RIICHI, {}, {20, 64}, 5200, (0, 5200, -5200, 0),
    ),
    (
        "a pair of both winds at 2 fu", "riichi-encyclopedia", {"double_wind_pair_fu": 2},
        "999m234p67823s11z4s", RIICHI, {"seat_wind": 0}, {1}, 2000, (2000, -2000, 0, 0),
    ),
    # Three players
    (
        "the missing player's share is lost", "tenhou-sanma", {}, "456p456p234s99p777z", TSUMO, {"honba": 2},
        {0, 20}, 3000, (-2200, 3400, -1200),
    ),
    (
        "or split", "tenhou-sanma", {"sanma_tsumo": "split"}, "456p456p234s99p777z", TSUMO, {},
        {0, 20}, 4000, (-2500, 4000, -1500),
    ),
    (
        "a ron costs what it costs among four, and 200 a honba", "tenhou-sanma", {},
        "456p678p234s99p777z", RON, {"honba": 1}, {20}, 1300, (0, 1500, -1500),
    ),
    (
        "norths set aside are dora, and once more when north is dora", "tenhou-sanma", {},
        "456p678p234s99p777z(4z)(4z)", RON, {"dora": "3z"}, {20, 52, 73}, 8000, (0, 8000, -8000),
    ),
]  # fmt: skip


@each_row("case", CASES, ids=[f"{case[1]}: {case[0]}" for case in CASES])
def test_a_system_scores_in_its_own_way(case: Case) -> None:
    _, preset, overrides, text, situation, known, yaku, points, payments = case
    won = score(win_of(text, situation, **known), _rules(preset, overrides))
    assert yaku <= {row.id for row, _ in won.yaku}
    assert (won.points, won.payments) == (points, payments)


@pytest.mark.parametrize(
    ("preset", "overrides", "text", "situation", "known"),
    [
        pytest.param("yakuza2", {}, YAKUHAI, RON, {"honba": 5, "dora": "6z"}, id="dora for two han"),
        pytest.param("tenhou", {"kuitan": False}, "345m55p678s(234p)34s2s", RON, {}, id="open tanyao"),
        pytest.param("tenhou", {}, "9p(1111m)[5555m](3333p)(7777s)", RON, {}, id="four kans without a pair"),
        pytest.param("tenhou", {}, "1111m2288p4466s77z", RON, {}, id="identical pairs"),
        pytest.param("tenhou", {}, YAKUHAI, S.OPEN_RIICHI, {}, id="open riichi"),
        pytest.param("kwan-official", {}, YAKUHAI, RIICHI | S.IPPATSU, {}, id="ippatsu"),
        pytest.param("kwan-official", {}, YAKUHAI, S.RENHOU, {}, id="renhou on the dealer's discard"),
    ],
)
def test_a_system_refuses(
    preset: str, overrides: dict[str, Any], text: str, situation: Situation, known: dict[str, Any]
) -> None:
    with pytest.raises(HandError):
        score(win_of(text, situation, **known), _rules(preset, overrides))


def test_all_green_without_the_dragon_where_it_is_needed() -> None:
    needing = with_overrides(load_preset("kwan-official"), {"ryuuiisou_needs_hatsu": True})
    for pair, expected in (("6s", 28), ("6z", 43)):
        hand = win_of(f"{pair}(222s)(333s)(444s)(888s){pair}")
        assert 43 in {yaku.id for yaku, _ in score(hand, load_preset("kwan-official")).yaku}
        assert expected in {yaku.id for yaku, _ in score(hand, needing).yaku}


def test_two_liable_players_answer_for_their_own_yakuman() -> None:
    """One fed the third dragon, another the fourth kan: each pays for that, although each alone would
    pay for the whole hand. All honours, which nobody fed, is paid by all three."""
    rules = with_overrides(load_preset("mleague"), {"pao_covers": "all", "pao_suukantsu": True})
    tables = scoring_tables(rules)
    liable, out = np.array([1 << 39, 0, 1 << 51, 0], np.int64), np.zeros(4, np.int64)
    yaku = 1 << 39 | 1 << 42 | 1 << 51
    points = payments_kernel(24000, yaku, 0, 1, 1, 0, 0, 0, -1, liable, *tables, out)
    assert points == 96000
    assert out.tolist() == [-32000 - 16000, 96000, -32000 - 8000, -8000]


def test_one_han_is_enough_below_five_honba() -> None:
    won = score(win_of(YAKUHAI, honba=4), load_preset("yakuza2"))
    assert (won.han, won.points, won.payments[1]) == (1, 1300, 1300 + 1200)


@each_row(
    ("dora", "han", "base", "limit"),
    [
        ("8p", 3, 1280, Limit.NONE),
        ("6z", 4, 2000, Limit.MANGAN),
        ("6z3m", 5, 2000, Limit.MANGAN),
        ("6z8p", 6, 3000, Limit.HANEMAN),
        ("66z", 7, 3000, Limit.HANEMAN),
        ("66z3m", 8, 4000, Limit.BAIMAN),
        ("666z", 10, 4000, Limit.BAIMAN),
        ("666z3m", 11, 6000, Limit.SANBAIMAN),
        ("666z8p", 12, 6000, Limit.SANBAIMAN),
        ("666z8p3m", 13, 8000, Limit.YAKUMAN),
    ],
)
def test_limits_by_han(dora: str, han: int, base: int, limit: Limit) -> None:
    won = score(win_of(YAKUHAI, dora=dora), load_preset("tenhou"))
    assert (won.han, won.base, won.limit, won.yakuman) == (han, base, limit, 0)
