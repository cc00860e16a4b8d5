"""``paifu rules`` and the documentation page, which show the same rules as the engine has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from paifu.cli.__main__ import cli
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import FIELDS, fields_of
from paifu.replay.rulesets.presets import load_preset, parse_ruleset, preset_names, with_overrides
from paifu.reports.rulesets import differences, to_toml, with_documentation

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "rulesets.md"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["rules", *arguments])


def test_list_names_every_preset() -> None:
    result = run("list")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert [line.split()[0] for line in lines if line[0] != " "] == ["preset", *preset_names()]
    assert max(map(len, lines)) <= 80


def test_show_has_a_line_for_each_rule() -> None:
    result = run("show", "mleague", "--set", "kiriage=false")
    lines = result.stdout.splitlines()
    starts = {tuple(line.split()[:2]) for line in lines if line}
    assert result.exit_code == 0
    assert max(map(len, lines)) <= 80
    assert {name for name, *_ in starts} >= set(fields_of(Scheme.HAN_FU))
    assert not {name for name, *_ in starts} & {"patterns", "hands", "faan_table"}
    assert ("kiriage", "false") in starts
    assert "[rules] chapter 6, article 6" in result.stdout
    assert result.stdout.count("unconfirmed") == 0
    assert run("show", "wrc").stdout.count("unconfirmed") >= 3


def test_show_has_the_patterns_of_a_scheme_with_a_table() -> None:
    result = run(
        "show", "hk-old-style", "--set", "patterns.plum-blossom=true", "--set", "patterns.all-chows=2"
    )
    starts = {tuple(line.split()[:2]) for line in result.stdout.splitlines() if line}
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert {("all-chows", "2"), ("plum-blossom", "limit"), ("all-pungs", "3")} <= starts
    assert {name for name, *_ in starts} >= set(fields_of(Scheme.FAAN))
    assert "[CLUB]" in result.stdout


def test_show_json() -> None:
    shown = json.loads(
        run("show", "tenhou-sanma", "--set", "uma=[15000,0,-15000]", "--format", "json").stdout
    )
    rules_ = with_overrides(load_preset("tenhou-sanma"), {"uma": [15000, 0, -15000]})
    assert shown == {
        "schema": "paifu.ruleset/1",
        "name": "tenhou-sanma",
        "summary": rules_.summary,
        "rules": rules_.values(),
        "sources": rules_.sources,
    }
    assert shown["sources"]["uma"] == "set"


@pytest.mark.parametrize("name", preset_names())
def test_show_toml_is_a_file_to_start_from(name: str, tmp_path: Path) -> None:
    written = run("show", name, "--format", "toml").stdout
    assert parse_ruleset(written, name) == load_preset(name)
    assert written == to_toml(load_preset(name))
    path = tmp_path / "mine.toml"
    path.write_text(written, "utf-8")
    assert run("diff", name, str(path)).stdout == f"{name} and mine are the same rules\n"


def test_diff_shows_only_what_differs() -> None:
    result = run("diff", "tenhou", "majsoul")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[0].split() == ["rule", "tenhou", "majsoul"]
    assert [line.split()[0] for line in lines[1:] if line[0] != " "] == [
        d.rule for d in differences(load_preset("tenhou"), load_preset("majsoul"))
    ]
    assert any(line.split() == ["pao_covers", "all", "own"] for line in lines)


def test_diff_of_two_games_shows_what_one_of_them_does_not_have() -> None:
    lines = [line.split() for line in run("diff", "tenhou", "zung-jung").stdout.splitlines()]
    assert ["scheme", "han_fu", "series"] in lines
    assert ["kiriage", "false", "-"] in lines
    assert ["immunity", "-", "any_wait"] in lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "tenho"), "did you mean 'tenhou'?"),
        (("show", "tenhou", "--set", "kirige=true"), "did you mean 'kiriage'?"),
        (("show", "tenhou", "--set", "kiriage"), "write rule=value"),
        (("diff", "tenhou", "nowhere.toml"), "cannot read the ruleset nowhere.toml"),
    ],
)
def test_what_is_wrong_is_said_on_stderr(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert not result.stdout


def test_the_page_is_what_the_rules_are() -> None:
    page = PAGE.read_text("utf-8")
    assert page == with_documentation(page), "run: python docs/generate.py"
    assert all(f"| `{name}` |" in page for name in FIELDS)


def test_a_page_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="the page needs the lines"):
        with_documentation("# Rulesets")
