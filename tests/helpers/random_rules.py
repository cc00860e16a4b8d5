"""Rulesets of riichi with random values for every rule, as far as they fit each other."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

from fouls_in_play import FoulSimulator

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, PlayedGame
from paifu.replay.course.fouls import penalties
from paifu.replay.course.settlement import FinalResult
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import MAX_POINTS
from paifu.replay.rules.choices import Scheme, SticksLeft
from paifu.replay.rules.fields import YAKUMAN_HAN, PatternValues, RuleField, RuleValue
from paifu.replay.rules.local_yaku import LOCAL_YAKU
from paifu.replay.rules.own_rows import OwnYakuTable
from paifu.replay.rules.ruleset import Ruleset, fields_of
from paifu.replay.rulesets.presets import ABORTS, RuleError, load_preset, preset_names, with_overrides
from paifu.replay.table.engine import replay

FIXED = frozenset({"scheme", "players", "start_points_by_seat", "uma", "uma_by_below"})
"""Rules that stay as the base has them; the last three are chosen together with the players."""
_POINTS = (0, 100, 500, 1000, 1500, 3000, 25000, 30000, 35000, 60000)
_NUMBERS: dict[str, tuple[int, ...]] = {
    "start_points": (8000, 20000, 25000, 30000),
    "riichi_stick": (500, 1000, 2000),
    "riichi_points": (0, 1000, 4000),
    "riichi_wall": (0, 1, 4, 10),
    "target_points": (0, 30000, 45000),
    "ceiling_points": (0, 40000, 60000),
    "payment_unit": (100, 1000),
    "fixed_fu": (0, 0, 30, 40),
    "min_han": (1, 1, 1, 2),
    "two_han_from_honba": (0, 0, 1, 5),
    "double_wind_pair_fu": (2, 4),
    "chiitoitsu_fu": (20, 25, 30, 50),
    "chombo_points": (0, 10000, 20000),
    "small_points": (0, 5000),
    "warning_points": (0, 10000),
    "honba_each": (0, 100, 500),
    "uma_border": (0, 30000),
    "yakitori_points": (0, 10000),
    "tobi_prize": (0, 10000),
    "ceiling_prize": (0, 5000),
    "yakuman_base": (0, 8000, 2_500_000),
    "dealer_factor": (1, 2, 2, 3),
    "chip_points": (0, 500, 2000),
}


_CONDITIONS = (
    "any a in mps: won_on(7a)",
    "closed & ~riichi & tsumo",
    "at_least 2 w in honours: pair(w)",
    "any x in 1-8, a in mps: triplet(xa) & triplet(x+1a)",
    "kanburi | tsubame | dealer_streak",
)


def _own_yaku(chance: random.Random) -> dict[str, dict[str, Any]]:
    """Some yaku of the ruleset's own."""
    worth: list[dict[str, Any]] = [
        {"han": 1}, {"han": {"closed": 2, "open": 1}}, {"han": "yakuman"}, {"limit": "mangan"},
        {"han": 1, "replaces": ["tanyao"]},
    ]  # fmt: skip
    chosen = chance.sample(_CONDITIONS, 2)
    return {f"own_{_CONDITIONS.index(when)}": {"when": when} | chance.choice(worth) for when in chosen}


def _value(field: RuleField, chance: random.Random) -> RuleValue:
    """A value that the field allows, of a kind that people play."""
    if field.is_enum:
        return chance.choice(field.choices)
    if field.name == "chombo_pays":
        return chance.choice(([], [4000, 4000, 2000], [3000, 3000, 3000], [4000, 3000, 3000]))
    if field.type is bool:
        return chance.random() < 0.5
    if field.type is OwnYakuTable:
        return _own_yaku(chance)
    if field.name == "abort_renchan_by":
        return {abort: chance.random() < 0.5 for abort in chance.sample(ABORTS, 2)}
    if field.type is PatternValues:
        return {yaku.rule: chance.randrange(YAKUMAN_HAN) for yaku in chance.sample(LOCAL_YAKU, 3)}
    if field.name in _NUMBERS:
        return chance.choice(_NUMBERS[field.name])
    if field.section == "local" or field.name.startswith("open_riichi"):
        return chance.choice((0, 1, 2, 3, 5, 13))
    within = [points for points in _POINTS if field.low <= points <= field.high]
    return chance.choice(within) if field.high > 1000 else chance.randint(field.low, field.high)


def random_rules(seed: int, changed: float = 0.3) -> Ruleset:
    """Return a ruleset in which about the part ``changed`` of the rules differs from a preset's."""
    chance = random.Random(seed)  # noqa: S311
    rules = load_preset(chance.choice(preset_names(Scheme.HAN_FU)))
    for name, field in fields_of(Scheme.HAN_FU).items():
        if name not in FIXED and chance.random() < changed:
            with suppress(RuleError):
                rules = with_overrides(rules, {name: _value(field, chance)})
    players = rules.table.players
    if chance.random() < 0.3:
        uma = sorted(1000 * chance.randint(-30, 30) for _ in range(players - 1))
        rules = with_overrides(rules, {"uma": [-sum(uma), *uma]})
    if chance.random() < 0.1:
        starts: Any = [20000, *[30000] * (players - 2), 25000]
        rules = with_overrides(rules, {"start_points_by_seat": starts})
    if chance.random() < 0.3:
        rows: Any = [[1000 * below, *[0] * (players - 2), -1000 * below] for below in range(players + 1)]
        rules = with_overrides(rules, {"uma_by_below": rows})
    if players == 3 and chance.random() < 0.5:
        rules = with_overrides(rules, {"kita": False, "flowers_dora": True})
    return rules


def points_to_expect(rules: Ruleset, game: PlayedGame, result: FinalResult) -> int:
    """Return what all final points add up to, beside the uma: oka that nobody takes, sticks, penalties."""
    last = game.hands[-1]
    left = rules.riichi.riichi_stick * last.outcome(rules).sticks
    lost = left if rules.final.sticks_left == SticksLeft.LOST else 0
    taken = sum(penalties(rules, [cost for hand in game.hands for cost in hand.costs_of_fouls(rules)]))
    if not rules.final.count_points:
        return -taken
    excess = sum(rules.starts) - rules.final.return_points * rules.table.players
    return (0 if rules.final.oka else excess) - lost - taken


_UNRULY = ("wild", "caller", "wild", "balanced")


def check(seed: int, games: int = 4) -> None:
    """Play games under the rules of a seed. Raises AssertionError for a finding, or points that are lost."""
    rules = random_rules(seed)
    simulator = FoulSimulator(rules, [PLAYERS[kind] for kind in _UNRULY])
    played = [simulator.game(number) for number in range(seed, seed + games)]
    for game in played:
        assert game.result is not None
        found, expected = sum(game.result.points), points_to_expect(rules, game, game.result)
        assert found == expected, f"seed {seed}: {found} points, not {expected}"
    facts = replay(batch_of(played, "paifu"), rules)
    codes = sorted(set(map(code_of, facts.findings.code.tolist())))
    assert codes == [], f"seed {seed}: {codes}"
    scores = [game.result.scores for game in played if game.result is not None]
    assert facts.checked.finals == sum(max(map(abs, one)) <= MAX_POINTS for one in scores)
