"""What tells the presets apart, as the rule sheets cited in their files have it."""

from __future__ import annotations

import re
from functools import reduce
from operator import or_
from typing import Any

from case_data import case_data
from each_row import each_row

from paifu.replay.rules.ruleset import FIELDS, fields_of
from paifu.replay.rulesets.presets import (
    BASE,
    BY_DEFAULT,
    NOT_STATED,
    TAKEN_OVER,
    UNCONFIRMED,
    load_preset,
    preset_names,
    with_overrides,
)
from paifu.replay.rulesets.written_rules import parse_ruleset

GROUPS = case_data("rule_sheets")["groups"]
SHEETS: dict[str, dict[str, Any]] = {
    preset: reduce(or_, (GROUPS[name] for name in sheet.pop("like", ())), {}) | sheet
    for preset, sheet in case_data("rule_sheets")["sheets"].items()
}


def test_every_preset_has_a_sheet() -> None:
    assert preset_names() == tuple(sorted(SHEETS))


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
