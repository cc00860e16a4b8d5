"""Rules of houses against a scorer that knows them, too: no limits, open pinfu, dealer wins, open riichi."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from random_wins import RandomWin, random_win
from score_oracles import by_mahjong, ours

from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.score import ScoredWin, score

HANDS = 300
ORPHANS = (47, 48)


def wins(seed: int) -> Iterator[RandomWin]:
    chance = random.Random(seed)  # noqa: S311
    for _ in range(HANDS):
        yield random_win(chance)


def scored(win: RandomWin, rules: Ruleset) -> ScoredWin | None:
    try:
        return score(win.hand, rules)
    except HandError:
        return None


def paid_by_both(win: RandomWin, rules: Ruleset, **theirs: Any) -> tuple[object, object]:
    """Return what is paid by our reckoning and by theirs; None for no win."""
    mine, other = scored(win, rules), by_mahjong(win, 4, **theirs)
    return mine and ours(mine, win).paid, other and other.paid


def test_hands_without_limits_are_worth_the_same() -> None:
    rules = with_overrides(load_preset("tenhou"), {"limits": "none", "yakuman_base": 0})
    seen = 0
    for win in wins(1):
        mine = scored(win, rules)
        try:
            theirs = by_mahjong(win, 4, limits=False)
        except ValueError:
            continue  # they take yaku away that are not there
        if mine is None or theirs is None:
            assert mine is None
            assert theirs is None
        elif mine.base < 30_000_000 and not any(yaku.id in ORPHANS for yaku, _ in mine.yaku):
            assert ours(mine, win).paid == theirs.paid, win
            seen += mine.base > 8000
    assert seen > 20


def test_open_pinfu_with_20_fu() -> None:
    rules = with_overrides(load_preset("tenhou"), {"open_pinfu_fu": 20})
    usual = seen = 0
    for win in wins(2):
        if win.hand.tsumo:
            continue  # they drop the fu of a tsumo, too
        mine, theirs = paid_by_both(win, rules, options={"fu_for_open_pinfu": False})
        assert mine == theirs, win
        usual += mine is not None
        seen += mine != paid_by_both(win, load_preset("tenhou"))[0]
    assert usual > 50


@pytest.mark.parametrize("needs", [True, False])
def test_eight_dealer_wins_with_a_yaku_or_without(needs: bool) -> None:
    changes = {"thirteen_dealer_wins_han": 13, "dealer_wins_need_yaku": needs, "yakuman_stacking": False}
    rules = with_overrides(load_preset("tenhou"), changes)
    won = 0
    for win in wins(3):
        if win.hand.seat_wind:
            continue
        first = Situation.TENHOU | Situation.CHIIHOU
        hand = win.hand._replace(situation=(win.hand.situation | Situation.THIRTEENTH) & ~first)
        mine = scored(replace(win, hand=hand), rules)
        theirs = by_mahjong(
            replace(win, hand=hand._replace(situation=hand.situation & ~Situation.THIRTEENTH)), 4,
            options={"paarenchan_needs_yaku": needs}, paarenchan=1,
        )  # fmt: skip
        assert (mine is None) == (theirs is None), win
        won += mine is not None
    assert won > 10
