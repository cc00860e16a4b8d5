"""Minimal logs rebuilt from what people reported to other programs: what is wrong in each, and nothing else.

The logs are in ``data/cases``, and name the ruleset that they are played under. What is right follows from
the rule, so a log that another program got wrong may have no finding here.
"""

from __future__ import annotations

from pathlib import Path

from each_row import each_row

from paifu.parsers.read import read_batches
from paifu.replay.findings.finding import Finding
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay

FOLDER = Path(__file__).parents[1] / "data" / "cases"
EXPECTED = {
    "A0_ron_passed_riichi": ["V303 E1.0 20"],
    "A1_chankan_pass_riichi": ["V209 E1.0 15", "V303 E1.0 21"],
    "A2_chankan_pass_dama_same": ["V209 E1.0 13", "V303 E1.0 14"],
    "A2_temp": ["V103 E1.0 4"],
    "A3_after_own": ["V103 E1.0 4"],
    "A3_chankan_pass_dama_later": ["V209 E1.0 13"],
    "A_chankan_riichi": ["V103 E1.0 4"],
    "AgPR21_double_ron_honba": ["V302 E1.1 6", "V309 E1.1 7"],
    "AgPR21_ok": [],
    "AgPR21_twice": ["V401 E1.1 7"],
    "Ak244_a_all_before_discard_majsoul": ["V203 E1.0 26"],
    "Ak244_a_all_before_discard_tenhou": ["V203 E1.0 26"],
    "Ak244_b_kakan_dora_at_next_kan_majsoul": ["V203 E1.0 26"],
    "Ak244_b_kakan_dora_at_next_kan_tenhou": ["V203 E1.0 26"],
    "B1_pass_pon_ron": [],
    "B2_pass_then_ron_before_own_discard": [],
    "B3_pass_then_other_ron": ["V303 E1.0 4"],
    "C_C1_stick_paid": [],
    "C_C2_stick_not_paid": ["V208 E1.0 17"],
    "D1_kyuushu_first": [],
    "D2_kyuushu_second": ["V212 E1.0 9"],
    "D3_kyuushu_after_ankan": ["V212 E1.0 6"],
    "D4_kyuushu_8kinds": ["V212 E1.0 1"],
    "D5_riichi_ankan_quad_held": ["V206 E1.0 11"],
    "E1_riichi_900": ["V207 E1.1 1"],
    "E1b_riichi_1000": [],
    "E2_riichi_at_draw_66": [],
    "E2_riichi_at_draw_67": ["V207 E1.0 133"],
    "E2_riichi_at_draw_70": ["V207 E1.0 139"],
    "E3_sanma_riichi_at_draw_50_left5": [],
    "E3_sanma_riichi_at_draw_51_left4": [],
    "E3_sanma_riichi_at_draw_52_left3": [],
    "E3_sanma_riichi_at_draw_53_left2": ["V207 E1.0 105"],
    "F1_four_kans_two_players_goes_on": ["V212 E1.0 16"],
    "F2_four_kans_abort_after_discard": [],
    "G1_kita_after_riichi_drawn": [],
    "G2_kita_after_riichi_held": ["V213 E1.0 9"],
    "G3_kita_between_declare_and_discard": ["V213 E1.0 2"],
    "G4_kita_yakuless_pass_then_ron": [],
    "G5_rob_kita_riichi": ["V304 E1.0 10"],
    "G5b_rob_kita_majsoul": ["V304 E1.0 10"],
    "H1_abort_S4_continues": [],
    "H2_abort_S4_ends": ["V505 S4.0", "V507 S4.0"],
    "H3_abort_S4_next_W1": ["V502 W1.0"],
    "I1_triple_ron_on_riichi": [],
    "I2_triple_ron_on_riichi_stickpaid": ["V504 E1.1"],
    "IJ27_ron_on_riichi_tile": [],
    "IJ35_double_riichi_after_kita": ["V304 E1.0 14"],
    "K1_late_dora": ["V209 E1.0 13"],
    "K2_never_dora": ["V209 E1.0 13"],
    "K3_early_dora_majsoul_ankan_style_kakan_": ["V209 E1.0 12"],
    "K4_right": [],
    "K5_next_draw": ["V209 E1.0 13"],
    "K6_extra_dora": ["V209 E1.0 8"],
    "KD1_ankan_late": ["V209 E1.0 2"],
    "KD1b_ankan_right": [],
    "KD2_daiminkan_late_as_riichienv_true": ["V209 E1.0 4"],
    "KD2b_daiminkan_right": [],
    "KD3_two_kans_late": ["V209 E1.0 4", "V209 E1.0 10"],
    "KD4_wrong_order_rule_jpml": ["V209 E1.0 3"],
    "L1_triple_ron_haitei": [],
    "L2_triple_ron_haitei_rotates": ["V502 E2.1"],
    "MA12_chankan": [],
    "MA20_dealer_sanbaiman": [],
    "Mj37": ["V303 E1.0 12"],
    "Mj40": [],
    "N1_ankan_3s_ok": [],
    "N2_ankan_6s_bad": ["V206 E1.0 11"],
    "P824_nagashi_riichi_stick": [],
    "P824b_stick_given_to_nagashi": ["V504 E1.1"],
    "P824c_stick_returned": ["V504 E1.1"],
    "P824d_exhaustive_overlooked": ["V407 E1.0 140"],
    "RE214_nagashi_dealer_tenpai_stays": [],
    "RE214b_nagashi_rotates_wrong": ["V502 E2.1"],
    "V1_kokushi_ankan_majsoul": [],
    "V1_kokushi_ankan_tenhou": ["V301 E1.0 2"],
    "WaSuper14": ["V201 S4.0 0"],
    "mahjax99": ["V210 E1.0 22"],
    "mj177_3m": [],
    "mj177_5m": ["V207 E1.0 2"],
    "mj177_8m": [],
    "mj177_9m": ["V207 E1.0 2"],
    "mj33_tedashi": ["V207 E1.0 11"],
    "penta11": [],
    "tpb151": ["V308 E1.0 13"],
    "w2": ["V209 E1.0 2"],
    "w7": ["V507 S4.2"],
}
"""Log -> each finding: its code, its hand and, unless it is about the whole hand, its event."""
MESSAGES = {
    "E1_riichi_900": "riichi with 900 points, it takes 1000",
    "E2_riichi_at_draw_67": "riichi with 3 tiles left to draw, it takes 4",
    "E3_sanma_riichi_at_draw_53_left2": "riichi with 2 tiles left to draw, it takes 3",
    "F1_four_kans_two_players_goes_on": "the hand goes on, but had to end by four kans",
    "G2_kita_after_riichi_held": "kita under riichi of a north that was not just drawn",
    "G5_rob_kita_riichi": "yaku differ; not in the log: double riichi; only in the log: riichi",
    "I2_triple_ron_on_riichi_stickpaid": ("riichi sticks differ: engine 0, log 1; seat 0 has the difference"),
    "K1_late_dora": "indicators turned: 2 due, 1 in the log",
    "K2_never_dora": "indicators turned: 2 due, 1 in the log",
    "K3_early_dora_majsoul_ankan_style_kakan_": "indicators turned: 1 due, 2 in the log",
    "K5_next_draw": "indicators turned: 2 due, 1 in the log",
    "K6_extra_dora": "indicators turned: 1 due, 2 in the log",
    "L2_triple_ron_haitei_rotates": "round differs: engine E1, log E2",
    "P824c_stick_returned": "riichi sticks differ: engine 1, log 0; seat 1 has the difference",
    "P824d_exhaustive_overlooked": ("no nagashi mangan in the log, but the discards of seat 2 are one"),
    "V1_kokushi_ankan_tenhou": (
        "7z of a closed kan could not be won: these rules do not let thirteen orphans rob one "
        "(kokushi_ankan_ron)"
    ),
    "mj33_tedashi": "9s is discarded under riichi, but 1z was drawn",
    "tpb151": "dora differ: engine 1 dora, log 0 dora",
    "w2": "indicators turned: 2 due, 1 in the log",
    "w7": "the record begins at S4.2; the hands before it are missing",
}
"""Log with one finding -> its message."""


def found(name: str) -> list[Finding]:
    (path,) = FOLDER.glob(f"{name}.json*")
    batch = Batch.concatenate(read_batches([path]))
    assert len(batch.faults) == 0
    return [in_words(case) for case in cases(replay(batch))]


def test_all_logs_are_expected() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == EXPECTED.keys()


@each_row("name", EXPECTED)
def test_one_finding_for_one_fault(name: str) -> None:
    places = [
        f"{one.code} {one.hand}" + ("" if one.event is None else f" {one.event}") for one in found(name)
    ]
    assert places == EXPECTED[name]


@each_row("name", MESSAGES)
def test_what_the_finding_says(name: str) -> None:
    (finding,) = found(name)
    assert finding.message == MESSAGES[name]


def test_a_late_beginning_is_no_error() -> None:
    (finding,) = found("w7")
    assert finding.severity == "note"
