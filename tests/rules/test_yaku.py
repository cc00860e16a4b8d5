"""Every yaku of the table: a hand that has it, and one that narrowly does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from case_data import case_data
from each_row import each_row
from hands import situation_of, win_of
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
Case = tuple[str, Situation, dict[str, Any]]


def _case(hand: str, how: Sequence[str] = (), known: dict[str, Any] | None = None) -> Case:
    return hand, situation_of(how), known or {}


CASES: dict[int, tuple[Case, Case]] = {
    **{int(n): (_case(**row["with"]), _case(**row["without"])) for n, row in case_data("yaku").items()},
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
