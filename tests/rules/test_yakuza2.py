"""What the guide to Yakuza 2 states, in its order: its tables, its examples, its numbers."""

from __future__ import annotations

from paifu.replay.course.settlement import own_wind
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.simulate.scripted import Script, play_scripts

RULES = load_preset("yakuza2")
HALF = with_overrides(RULES, {"wind_rounds": 1, "max_wind_rounds": 1})


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
