"""From what a record of Riichi City states of its room to a preset and overrides.

A record states little: how many players and rounds, the points at the start, a few special rules; its wall
counts the red fives, its final table the bonus of each place, and a tsumo of three players how it is shared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paifu.replay.rules.fields import RuleValue
from paifu.replay.rulesets.log_rules import RuleChoice, choice_of
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.scoring.limits import hundreds

ROOMS = {1001: "ranked", 1002: "tournament", 1003: "friends", 1004: "one hand", 1005: "one hand"}
"""Kinds of rooms by ``gamePlay``."""
_EAST_ONLY, _SET_NORTH_ASIDE, _OPEN_RIICHI_HAN = 1, 0, 2
_REDS = (("0m", "red_man"), ("0p", "red_pin"), ("0s", "red_sou"))
_MOST_UMA = 200_000


def shares_of_tsumo(base: int, *, is_dealer: bool) -> dict[str, tuple[int, int]]:
    """Return what two players pay for a tsumo of ``base`` points in each way that rooms share it.

    The ways are values of the rule ``sanma_tsumo``. Of two payers the dealer comes first; ``is_dealer``: the
    winner is the dealer.
    """
    twice, once = hundreds(2 * base), hundreds(base)
    if is_dealer:
        ways = {"loss": twice, "halves": hundreds(3 * base), "split": twice + hundreds(twice // 2)}
        return {way: (each, each) for way, each in ways.items()}
    missing = hundreds(once // 2)
    return {"loss": (twice, once), "halves": (twice, twice), "split": (twice + missing, once + missing)}


def room_rules(
    fields: Mapping[str, Any],
    players: int,
    wall: str,
    final: Sequence[tuple[int, float]],
    *,
    sanma_tsumo: str,
) -> RuleChoice:
    """Choose the rules of a record's room.

    ``wall`` is a hand's as text, empty if none is known; ``final`` are points and settled points by place;
    ``sanma_tsumo`` is how three players share a tsumo, empty if no win shows it.
    """
    preset = "riichi-city-sanma" if players == 3 else "riichi-city"
    usual = load_preset(preset)
    wanted: dict[str, RuleValue] = {}
    if fields.get("round") == _EAST_ONLY:
        wanted |= {"wind_rounds": 1, "max_wind_rounds": 2}
    points = fields.get("initPoints")
    if isinstance(points, int) and 0 < points <= 1_000_000:
        wanted["start_points"] = points
    if fields.get("isKaiLiZhi") is True:
        wanted |= {"open_riichi_han": _OPEN_RIICHI_HAN, "open_riichi_deal_in": "yakuman"}
    if fields.get("isGeMu") is True:
        wanted["wareme"] = True
    if players == 3 and fields.get("northOperateType", _SET_NORTH_ASIDE) != _SET_NORTH_ASIDE:
        wanted["kita"] = False
    least = fields.get("fangFu")
    if isinstance(least, int) and 1 < least <= 13:
        wanted["min_han"] = least
    if wall:
        wanted |= {name: wall.count(red) for red, name in _REDS if players == 4 or name != "red_man"}
    if sanma_tsumo:
        wanted["sanma_tsumo"] = sanma_tsumo
    if len(final) == players and not fields.get("isShaoJi"):
        others = [round(1000 * settled) - (score - usual.final.return_points) for score, settled in final[1:]]
        uma = [-sum(others), *others]
        if max(map(abs, uma)) <= _MOST_UMA and len({score for score, _ in final}) == players:
            wanted["uma"] = uma
    return choice_of(preset, wanted)
