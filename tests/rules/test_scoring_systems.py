"""What each system scores in its own way, as a table of hands: the presets hold these rules together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from case_data import case_data
from each_row import each_row
from hands import situation_of, win_of

from paifu.replay.kernels.scoring import payments_kernel
from paifu.replay.rules.hand_facts import RON, Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.limits import Limit
from paifu.replay.scoring.score import score
from paifu.replay.scoring.tables import scoring_tables

S = Situation
YAKUHAI = "456m456p234s99p777z"
"""1 han 40 fu by ron: 1,300."""


def _rules(name: str, overrides: dict[str, Any]) -> Ruleset:
    return with_overrides(load_preset(name), overrides)


CASES = case_data("scoring_systems")


@each_row("name", CASES)
def test_a_system_scores_in_its_own_way(name: str) -> None:
    case = CASES[name]
    rules = _rules(case["preset"], case.get("overrides", {}))
    won = score(win_of(case["hand"], situation_of(case.get("how", ())), **case.get("known", {})), rules)
    assert set(case["yaku"]) <= {row.id for row, _ in won.yaku}
    assert (won.points, won.payments) == (case["points"], tuple(case["payments"]))


@pytest.mark.parametrize(
    ("preset", "overrides", "text", "situation", "known"),
    [
        pytest.param("yakuza2", {}, YAKUHAI, RON, {"honba": 5, "dora": "6z"}, id="dora for two han"),
        pytest.param("tenhou", {"kuitan": False}, "345m55p678s(234p)34s2s", RON, {}, id="open tanyao"),
        pytest.param("tenhou", {}, "9p(1111m)[5555m](3333p)(7777s)", RON, {}, id="four kans without a pair"),
        pytest.param("tenhou", {}, "1111m2288p4466s77z", RON, {}, id="identical pairs"),
        pytest.param("tenhou", {}, YAKUHAI, S.OPEN_RIICHI, {}, id="open riichi"),
        pytest.param("kwan-official", {}, YAKUHAI, S.RIICHI | S.IPPATSU, {}, id="ippatsu"),
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
