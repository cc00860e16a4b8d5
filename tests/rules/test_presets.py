"""What tells the presets apart, as the rule sheets cited in their files have it."""

from __future__ import annotations

from typing import Any

import pytest

from paifu.replay.rules.presets import load_preset

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
    "majsoul-sanma": {**DOUBLES, "players": 3, "uma": [15000, 0, -15000], "return_points": 35000},
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
        "uma": [30000, 10000, -10000, -30000],
        "return_points": 30000,
    },
    "wrc": {
        **NO_ABORTS,
        **NO_OVERTIME,
        "start_points": 30000,
        "red_sou": 0,
        "head_bump": True,
        "kiriage": True,
        "kazoe": "sanbaiman",
        "renhou": "none",
        "nagashi": "none",
        "tobi": "off",
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
    "yakuza2": {
        **NO_OVERTIME,
        **DOUBLES,
        "kuitan": True,
        "red_pin": 0,
        "two_han_from_honba": 5,
        "head_bump": True,
        "tobi": "below_zero",
        "agari_yame": True,
        "tenpai_yame": False,
        "sticks_left": "first",
        "uma": [25000, 0, -10000, -15000],
        "return_points": 25000,
        "tie_break": "seat",
        "riichi_wall": 4,
        "riichi_points": 1000,
        "chombo": "mangan",
        "daisharin_han": 13,
        "kokushi_ankan_ron": True,
        "abort_suucha": True,
        "abort_kyuushu": False,
        "kiriage": False,
        "double_wind_pair_fu": 4,
    },
    "saki": {"target_points": 30000, "tobi": "below_zero", "kuikae": "forbidden", "abort_fifth_kan": True},
    "riichi-encyclopedia": {
        "return_points": 30000,
        "rounding": "nearest",
        "yakitori_points": 0,
        "wareme": False,
    },
    "kwan-official": {"renhou": "mangan", "chiihou_ron": True, "nagashi": "win", "ippatsu": False},
    "kwan-house": {
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
        "temporary_furiten": "until_draw",
    },
}


@pytest.mark.parametrize(("preset", "sheet"), SHEETS.items(), ids=list(SHEETS))
def test_preset_follows_its_sheet(preset: str, sheet: dict[str, Any]) -> None:
    values = load_preset(preset).values()
    assert {name: values[name] for name in sheet} == sheet


@pytest.mark.parametrize("preset", SHEETS)
def test_uma_adds_up_to_nothing(preset: str) -> None:
    rules = load_preset(preset)
    assert sum(rules.uma) == 0
    assert list(rules.uma) == sorted(rules.uma, reverse=True)
