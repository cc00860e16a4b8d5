"""From the rules of a Mahjong Soul room to a preset and overrides.

A ranked room states none: the preset's stand. A friends' room or tournament states those that its owner could
choose; what it leaves out is as in ranked rooms, except for the red fives and open tanyao, whose 0 the
recorder leaves out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from paifu.parsers.majsoul.names import SOUTH_GAMES
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.log_rules import RuleChoice, choice_of
from paifu.replay.rulesets.presets import load_preset

_ONE_A_SUIT, _TWO_DOTS = 3, 4
_THOUSAND = 1000
_MOST_IN_THOUSANDS = 500
_FLAGS: Mapping[str, tuple[dict[str, RuleValue], dict[str, RuleValue]]] = {
    "canjifei": ({}, {"tobi": "off"}),
    "haveliujumanguan": ({}, {"nagashi": "none"}),
    "haveqieshangmanguan": ({"kiriage": True}, {"kiriage": False}),
    "havebiaodora": ({}, {"dora": False}),
    "havegangbiaodora": ({}, {"kan_dora": False}),
    "mingdoraimmediatelyopen": ({"kan_dora_timing": "at_once"}, {}),
    "havelidora": ({}, {"ura_dora": False}),
    "haveganglidora": ({}, {"kan_ura_dora": False}),
    "havesifenglianda": ({}, {"abort_suufon": False}),
    "havesigangsanle": ({}, {"abort_suukaikan": False}),
    "havesijializhi": ({}, {"abort_suucha": False}),
    "havejiuzhongjiupai": ({}, {"abort_kyuushu": False}),
    "havesanjiahele": ({"abort_sanchahou": True}, {"abort_sanchahou": False}),
    "havetoutiao": ({"head_bump": True}, {}),
    "havehelelianzhuang": ({}, {"agari_renchan": False}),
    "havehelezhongju": ({}, {"agari_yame": False}),
    "havetingpailianzhuang": ({}, {"tenpai_renchan": False}),
    "havetingpaizhongju": ({}, {"tenpai_yame": False}),
    "haveyifa": ({}, {"ippatsu": False}),
    "havezimosun": ({"sanma_tsumo": "loss"}, {"sanma_tsumo": "split"}),
    "disableleijiyiman": ({"kazoe": "sanbaiman"}, {}),
    "disabledoubleyakuman": (
        {
            "double_suuankou_tanki": False,
            "double_kokushi_13": False,
            "double_junsei_chuuren": False,
            "double_daisuushii": False,
        },
        {},
    ),
    "disablecompositeyakuman": ({"yakuman_stacking": False}, {}),
    "enableshiti": ({"kuikae": "allowed"}, {}),
    "enablenontsumoliqi": ({"riichi_wall": 0}, {}),
    "disabledoublewindfourfu": ({"double_wind_pair_fu": 2}, {}),
    "disableangangguoshi": ({"kokushi_ankan_ron": False}, {}),
    "enablerenhe": ({"renhou": "yakuman"}, {}),
}
"""Rule of the room -> what it means when it is on, and when it is off."""
_POINTS: Mapping[str, tuple[str, ...]] = {
    "initpoint": ("start_points",),
    "fandian": ("target_points",),
    "tianbianvalue": ("ceiling_points",),
    "jingsuanyuandian": ("return_points",),
    "liqibangvalue": ("riichi_stick", "riichi_points"),
    "notingfafu1": ("noten_pay_1",),
    "notingfafu2": ("noten_pay_2",),
    "notingfafu3": ("noten_pay_3",),
}
_OLD_YAKU: Mapping[str, RuleValue] = {
    "tsubame_gaeshi_han": 1,
    "kanburi_han": 1,
    "sanrenkou_han": 2,
    "isshoku_sanjun_han": 3,
    "daisharin_han": 13,
    "renhou": "yakuman",
}


def majsoul_rules(
    mode: int,
    rule: Mapping[str, Any],
    players: int,
    final_points: Sequence[float] = (),
    *,
    settles_whole: bool = False,
) -> RuleChoice:
    """Choose the rules of a room from its mode and its own rules; names are in lower case without ``_``.

    ``final_points`` that are whole numbers, such as 43.0, have been rounded, or rounding changes nothing;
    where they are unknown, ``settles_whole`` says so.
    Raises ValueError or TypeError for values that no rule can have.
    """
    preset = "majsoul-sanma" if players == 3 else "majsoul"
    wanted: dict[str, RuleValue] = {}
    if mode and mode not in SOUTH_GAMES:
        wanted |= {"wind_rounds": 1, "max_wind_rounds": 2}
    for name, (on, off) in _FLAGS.items():
        if name in rule:
            wanted |= on if rule[name] else off
    for name, fields in _POINTS.items():
        if rule.get(name):
            wanted |= dict.fromkeys(fields, int(rule[name]))
    wanted |= _chosen(rule, players)
    is_unknown = not final_points or any(map(math.isnan, final_points))
    if settles_whole if is_unknown else all(points.is_integer() for points in final_points):
        wanted["rounding"] = "nearest"
    if "havenanruxiru" in rule and not rule["havenanruxiru"]:
        wanted["max_wind_rounds"] = wanted.get("wind_rounds", 2)
    return choice_of(preset, wanted)


def unstated_rules(
    rule: Mapping[str, Any],
    players: int,
    reds: Sequence[int] | None,
    scores: Sequence[int],
    points: Sequence[float],
) -> dict[str, int]:
    """Return what a room's rules leave out and the game shows: red fives, the bonus of places, the return.

    ``reds`` are the red fives of each suit that were seen, None where that tells nothing; ``scores`` and
    ``points``, by seat, those of the final table, empty if there is none. Names are as in ``rule``.
    """
    found: dict[str, int] = {}
    if "initpoint" in rule and "doracount" not in rule and reds is not None:
        found["doracount"] = sum(reds)
    table = sorted(zip(scores[:players], points[:players], strict=True), key=lambda row: -row[0])
    if len(table) < players or any(math.isnan(settled) for _, settled in table):
        return found
    shares = [round(_THOUSAND * settled) - score for score, settled in table[1:]]
    names = [f"shunweima{place}" for place in range(2, players + 1)]
    preset = load_preset("majsoul-sanma" if players == 3 else "majsoul")
    base = int(rule.get("jingsuanyuandian") or rule.get("initpoint") or preset.final.return_points)
    if not all(isinstance(rule.get(name), int) for name in names):
        uma = [share + base for share in shares]
        return (
            found | dict(zip(names, uma, strict=True)) if max(map(abs, uma)) > _MOST_IN_THOUSANDS else found
        )
    if not rule.get("jingsuanyuandian"):
        stated = [int(rule[name]) for name in names]
        each = _THOUSAND if max(map(abs, stated)) <= _MOST_IN_THOUSANDS else 1
        bases = {each * uma - share for uma, share in zip(stated, shares, strict=True)}
        if len(bases) == 1:
            found["jingsuanyuandian"] = bases.pop()
    return found


def _chosen(rule: Mapping[str, Any], players: int) -> dict[str, RuleValue]:
    """Rules that are numbers of another kind."""
    wanted: dict[str, RuleValue] = {}
    if rule.get("changbangvalue"):
        wanted["honba_each"] = int(rule["changbangvalue"]) // (players - 1)
    if "initpoint" in rule:
        wanted |= _reds(int(rule.get("doracount", 0)), players)
        wanted["kuitan"] = bool(rule.get("shiduan", 0))
        wanted["return_points"] = int(rule.get("jingsuanyuandian") or rule["initpoint"])
    if rule.get("fanfu"):
        wanted["min_han"] = int(rule["fanfu"])
    if rule.get("guyimode"):
        wanted |= _OLD_YAKU
    uma = [rule.get(f"shunweima{place}") for place in range(2, players + 1)]
    if all(isinstance(points, int) for points in uma):
        others = [int(points or 0) for points in uma]
        if max(map(abs, others)) <= _MOST_IN_THOUSANDS:
            others = [_THOUSAND * points for points in others]
        wanted["uma"] = [-sum(others), *others]
    return wanted


def _reds(count: int, players: int) -> dict[str, RuleValue]:
    """Red fives by their number: 3 is one a suit, 4 has a second one in dots."""
    each = int(count >= _ONE_A_SUIT - (players == 3))
    pin = 2 if count == _TWO_DOTS else each
    reds: dict[str, RuleValue] = {"red_pin": pin, "red_sou": each}
    return reds if players == 3 else {"red_man": each, **reds}


def stated_rules(rules: Ruleset) -> frozenset[str]:
    """Return the rules of which a room can state what they are under a ruleset."""
    usual = load_preset("majsoul-sanma" if rules.table.players == 3 else "majsoul").values()
    values = rules.values()
    names = {"players", "kuitan", "min_han", "honba_each", "uma", "return_points"}
    names |= {name for fields in _POINTS.values() for name in fields if values[name] == values[fields[0]]}
    if rules.table.wind_rounds in (1, 2):
        names.add("wind_rounds")
    reds = [name for name in ("red_man", "red_pin", "red_sou") if name in usual]
    if _reds(sum(int(str(values[name])) for name in reds), rules.table.players) == {
        name: values[name] for name in reds if rules.table.players == 4 or name != "red_man"
    }:
        names |= set(reds)
    for states in _FLAGS.values():
        for name in {*states[0], *states[1]}:
            if values[name] in (usual[name], *(state[name] for state in states if name in state)):
                names.add(name)
    return frozenset(names)


def detail_rule(rules: Ruleset) -> dict[str, Any]:
    """The rules of a room that come nearest to a ruleset: the reverse of :func:`majsoul_rules`."""
    sanma = rules.table.players == 3
    usual = load_preset("majsoul-sanma" if sanma else "majsoul").values()
    rule: dict[str, Any] = {
        "dora_count": rules.table.red_man + rules.table.red_pin + rules.table.red_sou,
        "shiduan": int(rules.win.kuitan),
        "fanfu": rules.win.min_han,
        "changbang_value": rules.payment.honba_each * (rules.table.players - 1),
        **{f"shunweima_{place}": points for place, points in enumerate(rules.final.uma[1:], start=2)},
    }
    values = rules.values()
    for plain, (on, off) in _FLAGS.items():
        for wanted, state in ((on, True), (off, False)):
            is_so = wanted and all(values[name] == value for name, value in wanted.items())
            if is_so and any(usual[name] != value for name, value in wanted.items()):
                rule[plain] = state
    for plain, fields in _POINTS.items():
        rule[plain] = values[fields[0]]
    if rules.table.max_wind_rounds <= rules.table.wind_rounds:
        rule["have_nanruxiru"] = False
    return rule
