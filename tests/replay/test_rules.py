"""Rulesets as data: the record, reading files, inheritance, overrides, what the kernels get."""

from __future__ import annotations

import json
import pickle
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from case_data import case_data
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import FOLDER
from paifu.replay.rules.choices import Kazoe, Kuikae, Scheme
from paifu.replay.rules.fields import RuleField
from paifu.replay.rules.ruleset import FIELDS, SECTIONS, fields_of
from paifu.replay.rulesets import presets
from paifu.replay.rulesets.presets import (
    BY_DEFAULT,
    RuleError,
    dump_overrides,
    load_preset,
    parse_overrides,
    preset_names,
    resolve,
    with_overrides,
)
from paifu.replay.rulesets.written_rules import parse_ruleset, parse_setting
from paifu.reports.rulesets import to_toml, toml_value

PRESETS = preset_names()
WRONG = case_data("wrong_rulesets")
RIICHI = preset_names(Scheme.HAN_FU)


@each_row("name", PRESETS)
def test_a_preset_is_complete_and_named(name: str) -> None:
    rules = load_preset(name)
    assert rules.name == name
    assert 20 < len(rules.summary) <= 78
    assert list(rules.values()) == list(fields_of(rules.game.scheme))
    assert load_preset(name) is rules


@each_row("name", PRESETS)
def test_a_ruleset_survives_being_written_out(name: str) -> None:
    rules = load_preset(name)
    base = next(
        load_preset(other)
        for other in ("tenhou-sanma", "tenhou", *PRESETS)
        if (load_preset(other).table.players, load_preset(other).game.scheme)
        == (rules.table.players, rules.game.scheme)
    )
    written = with_overrides(base, rules.values())
    assert written == rules
    assert written.kernel() is rules.kernel()


def test_the_root_preset_gives_every_rule() -> None:
    text = 'summary = "nothing"'
    with pytest.raises(RuleError, match=r"lacks scheme, players, wind_rounds.* base = "):
        parse_ruleset(text, "mine")


def test_a_local_yaku_that_a_file_does_not_mention_is_not_played() -> None:
    text = (Path(presets.__file__).parent / "presets" / "tenhou.toml").read_text("utf-8")
    silent = "\n".join(line for line in text.splitlines() if not line.startswith("sanrenkou_han"))
    assert silent != text
    rules = parse_ruleset(silent, "mine")
    assert rules == load_preset("tenhou")
    assert rules.sources["sanrenkou_han"] == BY_DEFAULT
    with pytest.raises(RuleError, match="lacks kuitan; add"):
        parse_ruleset("\n".join(line for line in text.splitlines() if not line.startswith("kuitan")), "mine")


def test_a_preset_of_another_scheme_gives_the_rules_of_that_scheme_only() -> None:
    values = load_preset("hk-old-style").values()
    assert {"scheme", "faan_table", "limit", "minimum", "uma"} <= values.keys()
    assert not {"riichi_stick", "kiriage", "chicken_value", "discard_win", "card"} & values.keys()
    assert not {"faan_table", "patterns", "hands"} & load_preset("tenhou").values().keys()


def test_a_rule_of_another_scheme_holds_what_means_not_played() -> None:
    for name in PRESETS:
        rules = load_preset(name)
        for field in FIELDS.values():
            if rules.game.scheme not in field.schemes:
                assert rules[field.name] == field.elsewhere


def test_kernels_get_what_they_read_and_nothing_else() -> None:
    paths = [path for path in FOLDER.parents[1].glob("*/kernels/*.py") if path.name != "place_chances.py"]
    kernels = [path.read_text("utf-8") for path in paths]
    read = {name for text in kernels for name in re.findall(r"\brules\.([a-z]\w*)", text)}
    assert set(KernelRules.fields()) == read - {"ruleset"}
    made = {"forms", "fouls", "chombo_dealer", "chombo_to_dealer", "chombo_to_other"}
    assert set(KernelRules.fields()) - made < set(fields_of(Scheme.HAN_FU))


def test_a_file_takes_the_rest_from_its_base() -> None:
    mine = parse_ruleset('base = "yakuza2"\nkuikae = "same_tile"\n', "mine")
    assert (mine.name, mine.calls.kuikae, mine.win.head_bump) == ("mine", Kuikae.SAME_TILE, True)
    assert mine.summary == load_preset("yakuza2").summary
    assert mine.changed(kuikae=Kuikae.ALLOWED) == load_preset("yakuza2")


@each_row(("text", "message"), WRONG["files"]["rows"])
def test_a_wrong_file_says_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        parse_ruleset(text, "mine")


@each_row(
    ("text", "setting"),
    [
        ("kiriage=true", ("kiriage", True)),
        (" kuikae = same_tile ", ("kuikae", "same_tile")),
        ("two_han_from_honba=5", ("two_han_from_honba", 5)),
        ("uma=[15000,5000,-5000,-15000]", ("uma", [15000, 5000, -5000, -15000])),
        ("patterns.all-chows=0", ("patterns.all-chows", 0)),
        ("patterns.plum-blossom=limit", ("patterns.plum-blossom", "limit")),
    ],
)
def test_settings_of_the_command_line(text: str, setting: tuple[str, Any]) -> None:
    assert parse_setting(text) == setting


@each_row("name", PRESETS)
def test_files_without_sections_are_read_and_mean_the_same(name: str) -> None:
    rules = load_preset(name)
    flat = "\n".join(f"{rule} = {toml_value(value)}" for rule, value in rules.values().items())
    assert parse_ruleset(flat, name) == rules
    written = tomllib.loads(to_toml(rules))
    assert written.keys() - {"summary"} <= SECTIONS.keys()
    assert parse_ruleset(to_toml(rules), name) == rules
    assert hash(parse_ruleset(flat, name)) == hash(rules)


def test_a_rule_may_be_named_with_its_section() -> None:
    wanted = with_overrides(load_preset("tenhou"), {"kuikae": "allowed", "dora": False})
    for overrides in (
        {"calls.kuikae": "allowed", "dora.dora": False},
        {"calls": {"kuikae": "allowed"}, "dora": {"dora": False}},
        {"calls": {"kuikae": "allowed"}, "dora": False},
    ):
        changed = with_overrides(load_preset("tenhou"), overrides)  # type: ignore[arg-type]
        assert changed == wanted
        assert changed["kuikae"] is changed.calls.kuikae is Kuikae.ALLOWED
        assert parse_overrides(json.dumps(overrides)) == {"kuikae": "allowed", "dora": False}
    assert parse_setting("calls.kuikae=allowed") == ("kuikae", "allowed")
    assert parse_setting("hand.patterns.all-chows=0") == ("patterns.all-chows", 0)
    noted = parse_ruleset('base = "tenhou"\ncalls.kuikae = "allowed" # at our club\n', "mine")
    assert noted.sources["kuikae"] == "at our club"


@each_row(("text", "message"), WRONG["sections"]["rows"])
def test_a_wrong_section_says_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        parse_ruleset(f'base = "tenhou"\n{text}', "mine")


@each_row(("text", "message"), WRONG["settings"]["rows"])
def test_wrong_settings(text: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        parse_setting(text)


@pytest.mark.parametrize("text", ["{", "[]", '{"kiriage":1}', '{"kirage":true}'])
def test_wrong_overrides(text: str) -> None:
    with pytest.raises(RuleError):
        resolve("tenhou", text)


def test_resolving_is_cached_and_keeps_the_name() -> None:
    rules = resolve("tenhou", '{"kiriage":true}')
    assert rules is resolve("tenhou", '{"kiriage":true}')
    assert (rules.name, rules.scoring.kiriage) == ("tenhou", True)
    assert resolve("tenhou") is load_preset("tenhou")


def test_single_patterns_join_those_that_a_ruleset_changes() -> None:
    mine = parse_ruleset('base = "hk-old-style"\npatterns = { all-chows = 2, plum-blossom = true }', "mine")
    changed = with_overrides(mine, {"patterns.all-chows": 0, "patterns.moon-from-the-sea": "half_limit"})
    assert changed.values()["patterns"] == {
        "all-chows": 0,
        "moon-from-the-sea": "half_limit",
        "plum-blossom": True,
    }
    assert with_overrides(mine, {"patterns": {}}).hand.patterns == ()


def values_of(field: RuleField) -> st.SearchStrategy[Any]:
    if field.is_enum:
        return st.sampled_from(field.choices)
    if field.type is bool:
        return st.booleans()
    return st.integers(field.low, field.high)


SCALARS = {name: field for name, field in FIELDS.items() if field.is_enum or field.type in (bool, int)}


@given(st.fixed_dictionaries({}, optional={name: values_of(field) for name, field in SCALARS.items()}))
def test_overrides_travel_as_text(overrides: dict[str, Any]) -> None:
    assert parse_overrides(dump_overrides(overrides)) == overrides


@each_row("name", RIICHI)
def test_kernels_get_integers(name: str) -> None:
    rules = load_preset(name)
    kernel = rules.kernel()
    assert isinstance(kernel, KernelRules)
    assert all(type(value) is int for value in kernel)
    assert kernel.kuikae == rules.calls.kuikae
    assert kernel.kuitan == int(rules.win.kuitan)
    assert pickle.loads(pickle.dumps(kernel)) == kernel  # noqa: S301


def test_equal_rules_are_one_for_kernels() -> None:
    rules = load_preset("tenhou")
    same = replace(rules, name="other", summary="other")
    assert same == rules
    assert same.kernel() is rules.kernel()
    assert rules.changed(kuikae=Kuikae.SAME_TILE).kernel() != rules.kernel()
    assert rules.changed(kazoe=Kazoe.SANBAIMAN).kernel() == rules.kernel()


def test_every_field_has_a_section_and_a_meaning() -> None:
    assert {field.section for field in FIELDS.values()} == set(SECTIONS)
    for field in FIELDS.values():
        assert 10 < len(field.doc) < 100
        assert field.allowed


@each_row(
    ("name", "size", "wall"),
    [
        ("tenhou", 136, 70),
        ("tenhou-sanma", 108, 55),
        ("zung-jung", 136, 70),
        ("hk-old-style", 144, 92),
        ("chinese-classical", 144, 78),
        ("american-2013", 152, 99),
    ],
)
def test_the_set_of_tiles(name: str, size: int, wall: int) -> None:
    rules = load_preset(name)
    assert len(rules.tile_ids) == size
    assert set(rules.red_ids) <= set(rules.tile_ids)


def test_four_red_fives_have_two_of_dots() -> None:
    reds = {"red_man": 1, "red_pin": 2, "red_sou": 1}
    assert with_overrides(load_preset("yakuza2"), reds).red_ids == (16, 52, 53, 88)
