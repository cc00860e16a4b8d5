"""Every yaku of the table: a hand that has it, and one that narrowly does not."""

from __future__ import annotations

from typing import Any

import pytest
from each_row import each_row
from hands import win_of
from rules.local_yaku_cases import LOCAL_CASES

from paifu.replay.rules.hand_facts import RON, Situation
from paifu.replay.rules.local_yaku import LOCAL_YAKU
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.score import score
from paifu.replay.scoring.yaku import DORA_ID, KITA_ID, RED_DORA_ID, URA_DORA_ID, YAKU, YakuKind

S = Situation
TSUMO, RIICHI = S.TSUMO, S.RIICHI
ALL_LOCAL = with_overrides(
    load_preset("tenhou"),
    {
        "open_riichi_han": 2,
        **{yaku.rule: LOCAL_CASES[yaku.id].han for yaku in LOCAL_YAKU if yaku.id in LOCAL_CASES},
        "renhou": "yakuman",
        "double_suuankou_tanki": True,
        "double_junsei_chuuren": True,
    },
)
YAKUHAI = "456m456p234s99p777z"  # a hand with nothing but the red dragon

CASES: dict[int, tuple[tuple[str, Situation, dict[str, Any]], tuple[str, Situation, dict[str, Any]]]] = {
    0: ((YAKUHAI, TSUMO, {}), ("456m456p(234s)99p777z", TSUMO, {})),
    1: ((YAKUHAI, RIICHI, {}), (YAKUHAI, S.DOUBLE_RIICHI, {})),
    2: ((YAKUHAI, RIICHI | S.IPPATSU, {}), (YAKUHAI, RIICHI, {})),
    3: (("456p234s99p777z45m6m", S.CHANKAN, {}), ("456p234s99p777z45m6m", RON, {})),
    4: (("456m456p99p[1111z]777z", S.RINSHAN | TSUMO, {}), ("456m456p99p[1111z]777z", TSUMO, {})),
    5: ((YAKUHAI, S.HAITEI | TSUMO, {}), (YAKUHAI, S.HOUTEI, {})),
    6: ((YAKUHAI, S.HOUTEI, {}), (YAKUHAI, S.HAITEI | TSUMO, {})),
    7: (("456m456p99p789s67s8s", RON, {}), ("456m456p99p345s89s7s", RIICHI, {})),
    8: (("234m456p(678p)55s33s3s", RON, {}), ("234m456p(789p)55s777z", RON, {})),
    9: (("223344m789p11z678s", RIICHI, {}), ("234m234p789p11z678s", RIICHI, {})),
    10: (("456m456p234s99p111z", RON, {"seat_wind": 0}), ("456m456p234s99p111z", RON, {"seat_wind": 1})),
    11: (("456m456p234s99p222z", RON, {"seat_wind": 1}), ("456m456p234s99p222z", RIICHI, {"seat_wind": 2})),
    12: (("456m456p234s99p333z", RON, {"seat_wind": 2}), ("456m456p234s99p333z", RIICHI, {"seat_wind": 1})),
    13: (("456m456p234s99p444z", RON, {"seat_wind": 3}), ("456m456p234s99p444z", RIICHI, {"seat_wind": 1})),
    14: (("456m456p234s99p111z", RON, {"round_wind": 0}), ("456m456p234s99p111z", RIICHI, {"round_wind": 1})),
    15: (("456m456p234s99p222z", RON, {"round_wind": 1}), ("456m456p234s99p222z", RON, {"round_wind": 0})),
    16: (("456m456p234s99p333z", RON, {"round_wind": 2}), ("456m456p234s99p333z", RIICHI, {"round_wind": 0})),
    17: (("456m456p234s99p444z", RON, {"round_wind": 3}), ("456m456p234s99p444z", RIICHI, {"round_wind": 0})),
    18: (("456m456p234s99p555z", RON, {}), ("456m456p234s999p55z", RIICHI, {})),
    19: (("456m456p234s99p666z", RON, {}), ("456m456p234s999p66z", RIICHI, {})),
    20: ((YAKUHAI, RON, {}), ("456m456p234s999p77z", RIICHI, {})),
    21: ((YAKUHAI, S.DOUBLE_RIICHI, {}), (YAKUHAI, RIICHI, {})),
    22: (("1199m2288p4466s77z", RON, {}), ("223344m556677p99s", RON, {})),
    23: (("123m789p999s11z789s", RIICHI, {}), ("123m789p999s11p789s", RON, {})),
    24: (("123456789m99p777z", RON, {}), ("123456m789p99p777z", RON, {})),
    25: (("234m234p234s99p777z", RON, {}), ("234m234p345s99p777z", RON, {})),
    26: (("222m(222p)(222s)789p11z", RON, {}), ("222m(222p)(333s)789p11z", RON, {})),
    27: (("(1111m)[2222p](3333s)99p678s", RON, {}), ("(1111m)[2222p](333s)99p777z", RON, {})),
    28: (("(111m)(222p)33s777z99p3s", RON, {}), ("(111m)(222p)345s777z99p", RON, {})),
    29: (("111m222p333s99p(456p)", TSUMO, {}), ("111m222p33s99p(777z)3s", RON, {})),
    30: (("555z666z77z123m(456p)", RON, {}), ("555z666z77m123m(456p)", RON, {})),
    31: (("(111m)(999p)11s777z999s", RON, {}), ("(111m)(999p)22s777z999s", RON, {})),
    32: (("223344m556677p99s", RON, {}), ("223344m567p678p99s", RIICHI, {})),
    33: (("123m789p999s11p789s", RON, {}), ("123m789p999s11z789s", RIICHI, {})),
    34: (("123m456m99m111z777z", RON, {}), ("123m456m99p111z777z", RON, {})),
    35: (("123m456m99m(222m)678m", RON, {}), ("123m456m99m(777z)678m", RON, {})),
    36: ((YAKUHAI, S.RENHOU, {}), (YAKUHAI, RON, {})),
    37: ((YAKUHAI, S.TENHOU | TSUMO, {"seat_wind": 0}), (YAKUHAI, TSUMO, {"seat_wind": 0})),
    38: ((YAKUHAI, S.CHIIHOU | TSUMO, {}), (YAKUHAI, TSUMO, {})),
    39: (("555z(666z)777z123m99p", RON, {}), ("555z(666z)77z123m999p", RON, {})),
    40: (("111m222p33399s55z9s", TSUMO, {}), ("111m222p33399s55z9s", RON, {})),
    41: (("111m222p333999s5z5z", RON, {}), ("111m222p33399s55z9s", TSUMO, {})),
    42: (("111z(222z)555z66z777z", RON, {}), ("111z(222z)555z66m777z", RON, {})),
    43: (("223344666888s66z", RON, {}), ("223344666888s77z", RON, {})),
    44: (("(111m)(999m)11s999p999s", RON, {}), ("(111m)(999m)11z999p999s", RON, {})),
    45: (("1123456789999m1m", RON, {}), ("1112345678999m5m", RON, {})),
    46: (("1112345678999m5m", RON, {}), ("1112345678899m9m", RON, {})),
    47: (("19m19p19s1234566z7z", RON, {}), ("19m19p19s1234567z7z", RON, {})),
    48: (("19m19p19s1234567z7z", RON, {}), ("19m19p19s1234566z7z", RON, {})),
    49: (
        ("(111z)(222z)333z99m444z", RON, {}),
        ("(111z)(222z)333z999m44z", RON, {}),
    ),
    50: (("(111z)(222z)333z999m44z", RON, {}), ("(111z)(222z)99m999p444z", RON, {})),
    51: (("(1111m)[2222p](3333s)(4444z)9p9p", RON, {}), ("(1111m)[2222p](3333s)444z9p9p", RON, {})),
    64: ((YAKUHAI, S.OPEN_RIICHI, {}), (YAKUHAI, RIICHI, {})),
    65: ((YAKUHAI, S.OPEN_RIICHI | S.DOUBLE_RIICHI, {}), (YAKUHAI, S.OPEN_RIICHI, {})),
    **{
        number: (
            (case.hand, case.situation, {"seat_wind": case.seat_wind}),
            (case.near_miss, RON, {"seat_wind": case.seat_wind}),
        )
        for number, case in LOCAL_CASES.items()
    },
}


def _ids(text: str, situation: Situation, known: dict[str, Any]) -> set[int]:
    try:
        return {yaku.id for yaku, _ in score(win_of(text, situation, **known), ALL_LOCAL).yaku}
    except HandError as error:
        if "no yaku" not in str(error):
            raise
        return set()


@pytest.mark.parametrize(("hand", "yakuman"), [("222m333m444m55p66s6s", 40), ("222m333m444m666s5p5p", 41)])
def test_beside_a_yakuman_local_yaku_of_less_do_not_count(hand: str, yakuman: int) -> None:
    assert _ids(hand, TSUMO, {}) == {yakuman}


@each_row(
    "hand",
    [
        "22345678m123p777z", "(111m)22345678m777z", "(999m)22345678m777z", "(111m)(999m)33345678m",
        "(111m)(999m)22345m678p", "(111m)(999m)22678m345p", "(111p)(999p)22345678m", "(111m)(999m)55345678m",
    ],
)  # fmt: skip
def test_what_is_no_wriggling_snake(hand: str) -> None:
    assert 80 not in _ids(hand, RON, {})


@each_row("number", CASES)
def test_a_yaku_is_seen_where_it_is_and_nowhere_else(number: int) -> None:
    with_it, without = CASES[number]
    assert number in _ids(*with_it)
    assert number not in _ids(*without)


def test_every_yaku_of_the_table_has_a_case() -> None:
    counted = {DORA_ID, URA_DORA_ID, RED_DORA_ID, KITA_ID}
    assert set(CASES) == set(YAKU) - counted
    assert {yaku.id for yaku in YAKU.values() if yaku.kind == YakuKind.DORA} == counted


def test_what_a_yaku_replaces_stands_before_it() -> None:
    """The kernel goes through the table from the end, so that a greater yaku is met first."""
    order = list(YAKU)
    for yaku in YAKU.values():
        assert all(order.index(lesser) < order.index(yaku.id) for lesser in yaku.replaces)


def test_names_and_ids_are_each_used_once() -> None:
    rows = list(YAKU.values())
    assert len({yaku.romaji for yaku in rows}) == len({yaku.japanese for yaku in rows}) == len(rows)
    assert all(yaku.id < 55 or 64 <= yaku.id < 127 for yaku in rows)


@each_row(
    ("text", "situation", "closed", "open_text"),
    [
        ("123m789p999s11p789s", RON, 3, "(123m)789p999s11p789s"),
        ("123m789p999s11z789s", RIICHI, 2, "(123m)789p999s11z789s"),
        ("123456789m99p777z", RON, 2, "(123m)456789m99p777z"),
        ("234m234p234s99p777z", RON, 2, "(234m)234p234s99p777z"),
        ("123m456m99m111z777z", RON, 3, "(123m)456m99m111z777z"),
        ("123m456m99m222m678m", RON, 6, "(123m)456m99m222m678m"),
    ],
)
def test_an_open_hand_loses_a_han_where_the_table_says_so(
    text: str, situation: Situation, closed: int, open_text: str
) -> None:
    numbers = {33, 23, 24, 25, 34, 35}
    rules = load_preset("tenhou")
    shut = {y.id: han for y, han in score(win_of(text, situation), rules).yaku}
    opened = {y.id: han for y, han in score(win_of(open_text), rules).yaku}
    (number,) = numbers & set(shut) & set(opened)
    assert (shut[number], opened[number]) == (closed, closed - 1)
