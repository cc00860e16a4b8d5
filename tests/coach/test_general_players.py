"""Players of simulated games other than riichi: what they take a hand to be worth."""

from __future__ import annotations

import pytest

from paifu.coach.simulate.general_players import Mind
from paifu.replay.general.table import GeneralTable, Laid
from paifu.replay.model.tile_notation import parse_kinds
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.schemes.shapes import Shapes
from paifu.replay.scoring.readings import Meld

SEAT = 1
GAMES = ("zung-jung", "hk-old-style", "chinese-classical")


def worth(system: str, hand: str, *melds: Laid, bonus: str = "") -> float:
    """What a player takes a hand to be worth; the table's east is seat 0."""
    rules = load_preset(system)
    table = GeneralTable(rules, Shapes(rules), lambda *_: None, dealer=0)
    player = table.seats[SEAT]
    for kind in parse_kinds(hand):
        player.take(kind)
    for laid in melds:
        player.melds.append(laid)
        player.held[laid.meld.first] += len(laid.meld.tiles)
    player.bonus += parse_kinds(bonus)
    return Mind(table).best(SEAT)[0]


@pytest.mark.parametrize("system", GAMES)
def test_a_hand_is_worth_less_the_more_it_lacks(system: str) -> None:
    hands = ["123456m123p55s789s", "123456m123p55s78s", "123456m13p55s78s", "12456m13p55s78s"]
    worths = [worth(system, hand) for hand in hands]
    assert worths == sorted(worths, reverse=True)
    assert worths[1] > worths[2] > worths[3] > 0


@pytest.mark.parametrize("system", GAMES)
def test_a_pung_of_an_honour_that_counts_adds_to_the_worth(system: str) -> None:
    assert worth(system, "123456m123p55s555z") > worth(system, "123456m123p55s444z")
    own_wind, other_wind = worth(system, "123456m123p55s222z"), worth(system, "123456m123p55s333z")
    assert own_wind > other_wind


def test_a_hand_of_more_faan_is_worth_what_more_faan_are() -> None:
    """Four for a pung of dragons in a closed hand without flowers, eight for one of a single suit."""
    assert dict(load_preset("hk-old-style").faan.faan_table) == {3: 8, 4: 16, 7: 32, 10: 64, 13: 128}
    hands = "123456m123p55s555z", "11122233344455m"
    assert [worth("hk-old-style", hand) for hand in hands] == [16, 32]


@pytest.mark.parametrize("system", ["hk-old-style", "chinese-classical"])
def test_an_own_bonus_tile_adds_to_the_worth(system: str) -> None:
    hand = "123456m123p55s555z"
    assert worth(system, hand, bonus="2f") > worth(system, hand, bonus="3f")


def test_a_gong_adds_to_points_beside_doubles() -> None:
    hand = "123456m55p789s"
    gong, pung = (Laid(Meld.of((27 + 3,) * size), 0, 27 + 3) for size in (4, 3))
    assert worth("chinese-classical", hand, gong) > worth("chinese-classical", hand, pung)
