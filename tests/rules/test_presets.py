"""What tells the presets apart, as the rule sheets cited in their files have it."""

from __future__ import annotations

import re
from typing import Any

from each_row import each_row

from paifu.replay.rules.ruleset import FIELDS, fields_of
from paifu.replay.rulesets.presets import (
    BASE,
    BY_DEFAULT,
    NOT_STATED,
    TAKEN_OVER,
    UNCONFIRMED,
    load_preset,
    parse_ruleset,
    preset_names,
    with_overrides,
)

NO_ABORTS = {
    "abort_kyuushu": False,
    "abort_suufon": False,
    "abort_suucha": False,
    "abort_suukaikan": False,
    "abort_sanchahou": False,
}
DOUBLES = {
    "double_suuankou_tanki": True,
    "double_kokushi_13": True,
    "double_junsei_chuuren": True,
    "double_daisuushii": True,
}
NO_OVERTIME = {"wind_rounds": 2, "max_wind_rounds": 2, "target_points": 0}

LEAGUE = {
    **NO_ABORTS,
    **NO_OVERTIME,
    "tobi": "off",
    "agari_yame": False,
    "tenpai_yame": False,
    "head_bump": True,
}
NO_REDS = {"red_man": 0, "red_pin": 0, "red_sou": 0}
REDS = {"red_man": 1, "red_pin": 1, "red_sou": 1}
FIRST_DORA = {"ippatsu": False, "ura_dora": False, "kan_dora": False, "kan_ura_dora": False}
NO_NOTEN = {"noten_pay_1": 0, "noten_pay_2": 0, "noten_pay_3": 0}
NO_PAO = {"pao_daisangen": False, "pao_daisuushii": False, "pao_suukantsu": False}
FROM_30000 = {"start_points": 30000, "return_points": 30000}
FROM_25000 = {"start_points": 25000, "return_points": 30000, "oka": True}
CHOMBO_20 = {"foul_false_win": "chombo", "chombo_points": 20000, "chombo_after": "replay"}
MANGAN = {"chombo_pays": [4000, 4000, 2000]}
UMA_30_10 = {"uma": [30000, 10000, -10000, -30000]}
UMA_15_5 = {"uma": [15000, 5000, -5000, -15000]}
UMA_12_4 = {"uma": [12000, 4000, -4000, -12000]}

# fmt: off
SHEETS: dict[str, dict[str, Any]] = {
    "tenhou": {
        "start_points": 25000,
        "target_points": 30000,
        "max_wind_rounds": 3,
        "red_man": 1,
        "head_bump": False,
        "abort_sanchahou": True,
        "pao_daisangen": True,
        "pao_suukantsu": False,
        "pao_covers": "all",
        "nagashi": "draw",
        "double_wind_pair_fu": 4,
        "uma": [20000, 10000, -10000, -20000],
    },
    "tenhou-sanma": {
        "players": 3,
        "start_points": 35000,
        "return_points": 40000,
        "kita": True,
        "chi": False,
        "sanma_tsumo": "loss",
        "red_man": 0,
        "red_pin": 1,
    },
    "majsoul": {**DOUBLES, "abort_sanchahou": False, "kokushi_ankan_ron": True, "pao_covers": "own"},
    "majsoul-sanma": {
        **DOUBLES, "players": 3, "kita_pass_furiten": True, "riichi_wall": 3, "uma": [15000, 0, -15000],
        "return_points": 35000,
    },
    "riichi-city": {
        "start_points": 25000,
        "target_points": 30000,
        "return_points": 30000,
        "oka": True,
        "max_wind_rounds": 3,
        "red_man": 1,
        "abort_sanchahou": True,
        "pao_rinshan": True,
        "pao_daisangen": True,
        "renhou": "none",
        "kokushi_ankan_ron": True,
        "double_wind_pair_fu": 4,
        "double_suuankou_tanki": True,
        "uma": [30000, 10000, -10000, -30000],
    },
    "riichi-city-sanma": {
        "players": 3,
        "start_points": 35000,
        "target_points": 40000,
        "return_points": 40000,
        "kita": True,
        "red_man": 0,
        "red_pin": 1,
        "uma": [20000, 0, -20000],
    },
    "mleague": {
        **NO_ABORTS,
        **NO_OVERTIME,
        "tobi": "off",
        "nagashi": "none",
        "head_bump": True,
        "kiriage": True,
        "agari_yame": False,
        "red_pin": 1,
        "double_daisuushii": False,
        "pao_suukantsu": True,
        "pao_covers": "own",
        "kazoe": "sanbaiman",
        "riichi_kan": "same_shape",
        "uma": [30000, 10000, -10000, -30000],
        "return_points": 30000,
        "chombo_points": 20000,
        "foul_other": "warning",
        "warning_count": 2,
        "warnings_over": "day",
        "warning_points": 20000,
    },
    "wrc": {
        **NO_ABORTS,
        **NO_OVERTIME,
        "start_points": 30000,
        "red_sou": 0,
        "head_bump": True,
        "kiriage": True,
        "kazoe": "sanbaiman",
        "renhou": "mangan",
        "yakuman_stacking": True,
        "nagashi": "none",
        "tobi": "off",
        "double_wind_pair_fu": 2,
        "pao_honba": "discarder",
        "sticks_left": "lost",
        "chombo_points": 30000,
        "chombo_after": "replay",
        "foul_false_win": "chombo",
        "foul_called_win": "chombo",
        "foul_wrong_meld": "dead_hand",
        "foul_too_many_tiles": "dead_hand",
        "foul_tiles_shown": "warning",
        "foul_wall": "chombo",
        "foul_hand_shown": "dead_hand",
        "foul_dead_wall": "dead_hand",
        "uma": [15000, 5000, -5000, -15000],
    },
    "ema": {
        **NO_ABORTS,
        **NO_OVERTIME,
        "red_sou": 0,
        "kuitan": True,
        "head_bump": False,
        "renhou": "mangan",
        "kazoe": "sanbaiman",
        "yakuman_stacking": False,
        "pao_honba": "discarder",
    },
    "jpml-a": {
        **NO_ABORTS,
        **NO_OVERTIME,
        "start_points": 30000,
        "return_points": 30000,
        "ippatsu": False,
        "ura_dora": False,
        "kan_dora": False,
        "red_man": 0,
        "kiriage": False,
        "head_bump": True,
        "kazoe": "sanbaiman",
        "renhou": "mangan",
        "riichi_kan": "same_shape",
        "double_wind_pair_fu": 2,
        "kokushi_ankan_ron": False,
        "kuikae": "same_tile",
        "tenpai_renchan": True,
        "riichi_wall": 0,
        "sticks_left": "lost",
        "pao_suukantsu": True,
        "pao_honba": "discarder",
        "uma_by_below": [
            [0, 0, 0, 0],
            [8000, 3000, 1000, -12000],
            [8000, 4000, -4000, -8000],
            [12000, -1000, -3000, -8000],
            [0, 0, 0, 0],
        ],
    },
    "jpml-b": {
        **NO_ABORTS,
        "ippatsu": True,
        "ura_dora": True,
        "kan_dora_timing": "at_once",
        "uma": [15000, 5000, -5000, -15000],
        "uma_by_below": [],
    },
    "ema-2025": {
        **LEAGUE, **NO_REDS, **FROM_30000, **UMA_15_5, **CHOMBO_20, "head_bump": False,
        "kiriage": True, "kazoe": "sanbaiman", "yakuman_stacking": False, "nagashi": "none",
        "kan_dora_timing": "at_once", "kuikae": "forbidden", "riichi_kan": "same_shape",
        "tenpai_renchan": True, "chombo_last": "ends", "foul_called_win": "chombo",
        "foul_riichi_kan": "chombo",
        "riichi_kan_found": "draw_or_own_win", "noten_riichi_found": "draw", "foul_tiles_shown": "none",
        "foul_wall": "chombo", "foul_dead_wall": "dead_hand", "foul_dead_acts": "chombo",
        "win_beats_foul": True,
        "pao_daisangen": True, "pao_suukantsu": False, "sticks_left": "first", "tie_break": "share",
    },
    "wrc-2025": {
        **LEAGUE, **NO_REDS, **FROM_30000, **UMA_15_5, **CHOMBO_20, "chombo_points": 30000,
        "kiriage": True, "kazoe": "yakuman", "yakuman_stacking": True, "nagashi": "none",
        "renhou": "mangan", "riichi_points": 0, "riichi_wall": 0, "noten_by_choice": True,
        "pao_suukantsu": True, "foul_hidden_riichi": "chombo",
        "double_wind_pair_fu": 2, "kokushi_ankan_ron": False, "sticks_left": "lost", "tie_break": "share",
    },
    "saikouisen": {
        **LEAGUE, **NO_REDS, **FROM_30000, **UMA_30_10, **NO_PAO, **CHOMBO_20,
        "ippatsu": True, "ura_dora": True, "kan_dora": True, "kiriage": True, "kazoe": "sanbaiman",
        "yakuman_stacking": True, "nagashi": "none", "tenpai_renchan": True, "noten_pay_1": 1000,
        "honba_each": 100, "riichi_wall": 0, "riichi_kan": "same_shape", "double_wind_pair_fu": 2,
        "sticks_left": "lost", "tie_break": "share", "kuikae": "forbidden",
        "foul_kuikae": "dead_hand", "foul_empty_call": "dead_hand", "small_points": 10000,
        "foul_noten_riichi": "chombo", "noten_riichi_found": "draw",
    },
    "saikouisen-classic": {
        **LEAGUE, **NO_REDS, **FROM_30000, **UMA_12_4, **NO_PAO, **NO_NOTEN, **FIRST_DORA,
        "kiriage": False, "kazoe": "sanbaiman", "yakuman_stacking": False, "nagashi": "none",
        "tenpai_renchan": False, "honba_each": 100, "riichi_wall": 0, "kuikae": "allowed",
        "riichi_kan": "forbidden", "sticks_left": "lost", "tie_break": "share",
    },
    "npm": {
        **LEAGUE, **NO_REDS, **FROM_25000, **UMA_30_10,
        "ippatsu": True, "ura_dora": True, "kan_dora": True, "kiriage": True, "tenpai_renchan": True,
        "noten_pay_1": 1000, "honba_each": 100, "double_wind_pair_fu": 2, "sticks_left": "lost",
        "tie_break": "share",
    },
    "rmu-a": {
        **LEAGUE, **NO_REDS, **FROM_30000, **UMA_15_5, **NO_PAO,
        "ippatsu": True, "ura_dora": True, "kan_dora": True, "kiriage": True, "kazoe": "sanbaiman",
        "yakuman_stacking": True, "abort_fifth_kan": False, "tenpai_renchan": True, "noten_pay_1": 1000,
        "honba_each": 100, "kuikae": "forbidden", "foul_kuikae": "dead_hand",
        "own_four_wait": "noten_in_hand", "double_wind_pair_fu": 2,
        "sticks_left": "lost", "tie_break": "share",
    },
    "rmu-b": {**LEAGUE, **NO_REDS, **FROM_30000, **UMA_15_5, **FIRST_DORA},
    "rmu-m": {**LEAGUE, **REDS, **FROM_25000, **UMA_30_10, "ippatsu": True, "ura_dora": True},
    "mu-cup": {
        **LEAGUE, **NO_REDS, **FROM_30000, **UMA_12_4, **FIRST_DORA, **CHOMBO_20,
        "kiriage": False, "renhou": "none", "nagashi": "none", "abort_fifth_kan": False,
        "tenpai_renchan": True,
        "noten_pay_1": 1000, "honba_each": 0, "kuikae": "allowed", "riichi_kan": "forbidden",
        "kokushi_ankan_ron": False,
        "foul_riichi_kan": "dead_hand", "riichi_kan_found": "at_once", "foul_called_win": "dead_hand",
        "foul_wrong_meld": "dead_hand", "foul_empty_call": "dead_hand",
        "double_wind_pair_fu": 2, "pao_daisangen": True, "pao_daisuushii": True, "pao_suukantsu": False,
        "sticks_left": "lost", "tie_break": "share",
    },
    "101": {
        **LEAGUE, **NO_REDS, **FIRST_DORA, **NO_NOTEN,
        "count_points": False, "uma": [1000, 0, 0, -1000], "kiriage": False, "tenpai_renchan": False,
        "honba_each": 0, "payment_by_shares": True, "riichi_kan": "forbidden", "max_wind_rounds": 2,
    },
    "az-riichi": {
        **LEAGUE, **REDS, **FROM_25000, **UMA_30_10, **CHOMBO_20, "chombo_points": 30000,
        "kazoe": "sanbaiman", "kiriage": True, "noten_by_choice": True,
    },
    "queen-city": {
        **NO_ABORTS, **NO_OVERTIME, **DOUBLES, "agari_yame": False, "tenpai_yame": False, "kiriage": True,
        "renhou": "seven_han", "sticks_left": "lost", "uma": [16000, 6000, -6000, -16000],
        "foul_called_win": "dead_hand", "chombo_points": 10000, "return_points": 25000, "tobi": "below_zero",
    },
    "toronto": {
        "start_points": 25000, "max_wind_rounds": 3, "head_bump": False, "abort_sanchahou": False,
        "nagashi": "win", "nagashi_uncalled": True, "foul_noten_riichi": "chombo",
        "noten_riichi_found": "draw", **MANGAN,
    },
    "yakuza2": {
        **NO_OVERTIME,
        **DOUBLES,
        "kuitan": True,
        "red_pin": 0,
        "pao_closed_kans": False,
        "two_han_from_honba": 5,
        "head_bump": True,
        "tobi": "below_zero",
        "agari_yame": True,
        "tenpai_yame": False,
        "yame_choice": True,
        "yame_leads": True,
        "sticks_left": "first",
        "uma": [25000, 0, -10000, -15000],
        "return_points": 0,
        "oka": False,
        "kan_dora_timing": "at_once",
        "temporary_furiten": "until_draw",
        "nagashi": "draw",
        "tie_break": "seat",
        "riichi_wall": 4,
        "riichi_points": 1000,
        **MANGAN,
        "foul_riichi_kan": "chombo",
        "riichi_kan_found": "draw",
        "chombo_after": "draw",
        "renhou": "none",
        "pao_suukantsu": False,
        "daisharin_han": 13,
        "kuikae": "allowed",
        "yakuman_stacking": False,
        "foul_noten_riichi": "refused",
        "kokushi_ankan_ron": True,
        "abort_suucha": True,
        "abort_kyuushu": False,
        "abort_suufon": False,
        "abort_suukaikan": False,
        "kiriage": False,
        "double_wind_pair_fu": 4,
    },
    "saki": {
        **MANGAN,
        "foul_false_win": "chombo",
        "foul_noten_riichi": "chombo",
        "foul_riichi_kan": "chombo",
        "foul_hidden_riichi": "chombo",
        "foul_wall": "chombo",
        "target_points": 30000,
        "max_wind_rounds": 4,
        "sudden_death_over_renchan": True,
        "tobi": "below_zero",
        "kuikae": "forbidden",
        "red_man": 1,
        "red_pin": 2,
        "red_sou": 1,
        "kokushi_ankan_ron": True,
        "temporary_furiten": "until_own_draw",
        "multi_ron_honba": "each",
        "kyuushu_counts": "tiles",
        "closed_kan_interrupts": False,
        "abort_fifth_kan": True,
        "abort_sanchahou": True,
        "agari_yame": True,
        "tenpai_yame": False,
        "yame_choice": True,
        "yame_leads": False,
    },
    "riichi-encyclopedia": {
        "return_points": 30000,
        "rounding": "nearest",
        "yakitori_points": 0,
        "wareme": False,
        "wareme_honba": True,
        "double_wind_pair_fu": 4,
        "abort_fifth_kan": True,
        **MANGAN,
        "foul_false_win": "chombo",
        "foul_noten_riichi": "chombo",
        "noten_riichi_found": "draw_or_own_win",
        "foul_riichi_kan": "chombo",
        "riichi_kan_found": "draw_or_own_win",
        "last_noten": "may_go_on",
        "kan_dora_timing": "at_once",
        "yakuman_stacking": False,
        "agari_yame": False,
        "tenpai_yame": False,
        "tobi": "at_zero",
        "red_man": 0,
        "red_pin": 0,
        "red_sou": 0,
    },
    "kwan-official": {
        "red_man": 0,
        "red_pin": 0,
        "red_sou": 0,
        "renhou": "mangan",
        "chiihou_ron": True,
        "nagashi": "win",
        "nagashi_uncalled": True,
        "ippatsu": False,
        "ura_dora": False,
        "kan_ura_dora": False,
        "yakuman_stacking": False,
        "suukaikan_at_once": True,
    },
    "kwan-house": {
        "ura_dora": True,
        "ippatsu": True,
        "isshoku_sanjun_han": 2,
        "isshoku_yonjun_han": 4,
        "sanrenkou_han": 2,
        "suurenkou_han": 13,
        "kanburi_han": 1,
        "renhou": "mangan",
    },
    "mcgill-riichi": {
        "head_bump": True,
        "pao_tsuuiisou": True,
        "pao_chinroutou": True,
        "pao_ryuuiisou": True,
        "pao_suukantsu": True,
        "pao_rinshan": True,
        "pao_rinshan_tsumo": "ron",
        "pao_closed_kans": True,
        "red_pin": 0,
        "temporary_furiten": "until_draw",
        "foul_wrong_meld": "dead_hand",
    },
    "zung-jung": {
        "scheme": "series",
        "bonus_tiles": "none",
        "round_wind": False,
        "hands": 16,
        "agari_renchan": False,
        "minimum": 0,
        "seven_pairs": "identical",
        "sum_limit": 320,
        "par": 25,
        "immunity": "any_wait",
        "start_points": 0,
    },
    "wsom": {"scheme": "series", "minimum": 5, "hands": 8, "sum_limit": 320},
    "hk-old-style": {
        "scheme": "faan",
        "bonus_tiles": "set_aside",
        "dead_wall": 0,
        "minimum": 3,
        "faan_table": [[3, 8], [4, 16], [7, 32], [10, 64], [13, 128]],
        "limit": 128,
        "limits_add": True,
        "pay_discard_total": 2,
        "pay_bystander": "none",
        "agari_renchan": True,
        "draw_renchan": True,
        "hands": 0,
    },
    "chinese-classical": {
        "scheme": "classical",
        "bonus_tiles": "set_aside",
        "dead_wall": 14,
        "discard_win": "pung",
        "limit": 500,
        "dealer_factor": 2,
        "losers_settle": True,
        "hands": 16,
    },
    "american-2013": {
        "scheme": "card",
        "bonus_tiles": "in_hand",
        "jokers": 8,
        "dealer_tiles": 14,
        "chi": False,
        "concealed_gongs": False,
        "largest_exposure": 6,
        "pay_selfdraw": 2,
        "pay_discard_total": 4,
    },
}
# fmt: on


@each_row(("preset", "sheet"), SHEETS.items(), ids=list(SHEETS))
def test_preset_follows_its_sheet(preset: str, sheet: dict[str, Any]) -> None:
    values = load_preset(preset).values()
    assert {name: values[name] for name in sheet} == sheet


@each_row("preset", SHEETS)
def test_uma_adds_up_to_nothing(preset: str) -> None:
    rules = load_preset(preset)
    assert sum(rules.final.uma) == 0
    assert list(rules.final.uma) == sorted(rules.final.uma, reverse=True)


NO_MATTER = "irrelevant"


@each_row("preset", preset_names())
def test_every_value_has_its_source_or_is_marked_unconfirmed(preset: str) -> None:
    sources = load_preset(preset).sources
    rules = fields_of(load_preset(preset).game.scheme)
    marks = set(sources) - set(FIELDS) - {BASE}
    assert set(sources) - marks - {BASE} == set(rules)
    for rule in rules:
        source = sources[rule]
        named = re.findall(r"\[\w+\]", source)
        assert set(named) <= marks, f"{rule}: {source}"
        assert named or source.startswith((TAKEN_OVER, NOT_STATED, UNCONFIRMED, BY_DEFAULT, NO_MATTER)), (
            f"{rule}: {source!r}"
        )
        inherited = source.removeprefix(NOT_STATED)
        if inherited.startswith(TAKEN_OVER):
            assert load_preset(preset)[rule] == load_preset(inherited.removeprefix(TAKEN_OVER))[rule]


@each_row("preset", preset_names())
def test_what_a_preset_takes_over_from_its_base_has_a_source_that_says_so(preset: str) -> None:
    sources = load_preset(preset).sources
    base, _colon, said = sources.get(BASE, "").partition(": ")
    taken_over = {rule for rule, source in sources.items() if source.startswith(TAKEN_OVER)} - {"scheme"}
    assert bool(taken_over) == bool(said)
    assert set(re.findall(r"\[\w+\]", said)) <= set(sources)
    for rule in taken_over:
        above = load_preset(base).sources[rule]
        assert sources[rule] == (above if above.startswith(TAKEN_OVER) else f"{TAKEN_OVER}{base}")


def test_a_value_is_stated_taken_over_or_not_stated() -> None:
    sources = load_preset("rmu-b").sources
    assert sources["ippatsu"] == "[rmu]"
    assert sources["head_bump"] == "as rmu-a"
    assert (
        sources["open_riichi_han"]
        == load_preset("rmu-a").sources["open_riichi_han"]
        == "not stated: as tenhou"
    )
    assert load_preset("wrc-2025").sources["nagashi"] == "not stated: as wrc"
    assert load_preset("az-riichi").sources["riichi_points"] == "as wrc-2025"
    assert sources[BASE] == "rmu-a: [rmu] rules A with changes"
    assert load_preset("rmu-a").sources[BASE] == "tenhou"
    assert BASE not in load_preset("tenhou").sources


def test_what_no_sheet_confirms_is_said() -> None:
    def unconfirmed(preset: str) -> set[str]:
        return {
            rule for rule, source in load_preset(preset).sources.items() if source.startswith(UNCONFIRMED)
        }

    assert "renhou" in unconfirmed("wrc")
    assert "double_wind_pair_fu" not in unconfirmed("wrc")
    assert {"kazoe", "yakuman_stacking"} <= unconfirmed("jpml-a")
    assert "kan_dora_timing" in unconfirmed("saikouisen") & unconfirmed("rmu-a")
    assert "uma" not in unconfirmed("majsoul")
    assert "yakuman_stacking" not in unconfirmed("wrc")
    assert "double_wind_pair_fu" in unconfirmed("ema")
    assert "renhou" not in unconfirmed("ema")
    assert "double_daisuushii" in unconfirmed("riichi-city")
    assert "pao_tsumo" in unconfirmed("tenhou-sanma") & unconfirmed("majsoul-sanma")
    assert unconfirmed("mleague") == {
        "chombo_after", "foul_false_win", "foul_noten_riichi", "foul_wrong_meld", "foul_too_many_tiles",
        "foul_too_few_tiles",
    }  # fmt: skip


def test_rules_for_which_the_leagues_texts_have_no_other_value_are_stated() -> None:
    assert load_preset("jpml-a").sources["kokushi_ankan_ron"].startswith("[compare] since 2023")
    assert load_preset("101").sources["riichi_kan"].startswith("[item]")
    assert load_preset("101").sources["max_wind_rounds"].startswith("[king]")
    assert load_preset("101").sources["[king]"].endswith("mj-king.net/pro/1")
    assert load_preset("mu-cup").sources["[king]"].endswith("mj-king.net/pro/6")


def test_a_comment_in_a_file_is_the_source_of_its_value() -> None:
    text = 'base = "mleague"\nkiriage = false  # we voted\numa = [1, 0, 0, -1]\n# [us] Friday evenings\n'
    rules = with_overrides(parse_ruleset(text, "friday"), {"kazoe": "yakuman"})
    picked = {rule: rules.sources[rule] for rule in ("kiriage", "uma", "kazoe", "tobi", "dora", "[us]")}
    assert picked == {
        "kiriage": "we voted", "uma": "", "kazoe": "set", "tobi": "as mleague",
        "dora": "not stated: as tenhou", "[us]": "Friday evenings",
    }  # fmt: skip
    rules = parse_ruleset(text.replace("\n", "  # [us] the rest is M.League's\n", 1), "friday")
    assert rules.sources[BASE] == "mleague: [us] the rest is M.League's"
