"""``paifu rules`` and the documentation page, which show the same rules as the engine has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from each_row import each_row

from paifu.api.rules import ruleset
from paifu.cli.__main__ import cli
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import fields_of
from paifu.replay.rulesets.presets import RuleError, load_preset, preset_names, with_overrides
from paifu.replay.rulesets.written_rules import parse_ruleset
from paifu.reports.rulesets import confidence, differences, to_toml


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
    assert result.stdout.count("unconfirmed") == 6
    assert run("show", "wrc").stdout.count("unconfirmed") >= 2


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
        "how_sure": {rule: confidence(rules_, rule) for rule in rules_.values()},
    }
    assert {shown["how_sure"][rule] for rule in ("start_points", "kuikae", "pao_tsumo", "uma")} == {
        "own text", "unconfirmed", "",
    }  # fmt: skip
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


def test_diff_marks_what_is_not_stated() -> None:
    result = run("diff", "majsoul", "toronto")
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["pao_covers", "own", "all", "(not", "stated)"] in rows
    assert ["nagashi", "draw", "(not", "stated)", "win"] in rows
    own = {rule for rule, source in load_preset("toronto").sources.items() if source.startswith("not stated")}
    alike = own - {d.rule for d in differences(load_preset("majsoul"), load_preset("toronto"))}
    assert f"alike, but not stated for toronto: {len(alike)} rules;" in result.stderr
    assert "tenhou" not in run("diff", "tenhou", "toronto").stderr


def test_show_says_how_much_is_not_stated() -> None:
    found = [source for source in load_preset("toronto").sources.values() if source.startswith("not stated")]
    shown = " ".join(run("show", "toronto").stdout.split())
    assert f" {len(found)} of {len(fields_of(Scheme.HAN_FU))} rules are not stated for toronto:" in shown
    assert shown.count("(not stated: as tenhou)") == len(found)
    assert "not stated" not in run("show", "tenhou").stdout
    assert "(as majsoul)" in " ".join(run("show", "queen-city").stdout.split())


def test_diff_of_two_games_shows_what_one_of_them_does_not_have() -> None:
    lines = [line.split() for line in run("diff", "tenhou", "zung-jung").stdout.splitlines()]
    assert ["scheme", "han_fu", "series"] in lines
    assert ["kiriage", "false", "-"] in lines
    assert ["immunity", "-", "any_wait"] in lines


CLUB = 'base = "tenhou"\nsummary = "Club"\n\n[final]\numa = [15000, 5000, -5000, -15000] # we voted\n'
FRIDAY = 'base = "club.toml"\nsummary = "Friday"\n\n[scoring]\nkiriage = true\n'


def written(folder: Path, **files: str) -> list[str]:
    paths = [folder / f"{name}.toml" for name in files]
    for path, text in zip(paths, files.values(), strict=True):
        path.write_text(text, "utf-8")
    return list(map(str, paths))


def test_a_base_may_be_a_file_beside_it(tmp_path: Path) -> None:
    _club, friday = written(tmp_path, club=CLUB, friday=FRIDAY)
    rules_ = ruleset(friday)
    assert (rules_.scoring.kiriage, rules_.final.uma) == (True, (15000, 5000, -5000, -15000))
    assert (rules_.sources["uma"], rules_.sources["tobi"]) == ("as club", "as tenhou")


def test_bases_in_a_circle_are_refused_once(tmp_path: Path) -> None:
    one, _two = written(tmp_path, one='base = "two.toml"\n', two='base = "one.toml"\n')
    with pytest.raises(RuleError, match=r"^ruleset \w+: its bases go round in a circle$"):
        ruleset(one)


def test_show_changed_from_has_only_what_differs(tmp_path: Path) -> None:
    _club, friday = written(tmp_path, club=CLUB, friday=FRIDAY)
    shown = run("show", friday, "--changed-from", "tenhou").stdout
    assert [line.split()[0] for line in shown.splitlines() if "  true  " in line or "[15000," in line] == [
        "kiriage", "uma",
    ]  # fmt: skip
    assert "chiitoitsu_fu" not in shown
    listed = json.loads(run("show", friday, "--changed-from", "tenhou", "-f", "json").stdout)
    assert listed["rules"] == {"kiriage": True, "uma": [15000, 5000, -5000, -15000]}
    assert listed["changed_from"] == "tenhou"
    assert run("show", "wrc", "--changed-from", "wrc").stdout.splitlines()[1:] == [
        "wrc and wrc are the same rules"
    ]


@each_row("name", preset_names(Scheme.HAN_FU))
def test_show_changed_from_makes_a_file_on_that_base(name: str) -> None:
    text = run("show", name, "--changed-from", "tenhou", "--format", "toml").stdout
    assert text.startswith('base = "tenhou"\n')
    assert parse_ruleset(text, name) == load_preset(name)


def test_check_says_all_that_is_wrong_with_its_line(tmp_path: Path) -> None:
    bad = 'base = "tenhou"\n[scoring]\nkirige = true\nkazoe = 3\n\n[foo]\nx = 1\n[table]\nplayers = 9\n'
    several = 'base = "tenhou"\numa = [1, -1]\n'
    files = written(tmp_path, club=CLUB, bad=bad, several=several, broken="a = = 1", part="[game]\n")
    result = run("check", *files, str(tmp_path / "none.toml"))
    lines = [line.replace(f"{tmp_path}/", "") for line in result.stdout.splitlines()]
    assert lines[:6] == [
        "club.toml: a good ruleset: Club",
        "bad.toml: line 3: there is no rule 'scoring.kirige'; did you mean 'scoring.kiriage'?",
        "bad.toml: line 4: rule kazoe is sanbaiman | yakuman, not 3",
        "bad.toml: line 6: there is no section 'foo'; did you mean 'fouls'?",
        "bad.toml: line 9: rule players is 2 to 4, not 9",
        "several.toml: ruleset several: uma needs 4 places, it has 2",
    ]
    assert lines[6].startswith("broken.toml: not valid TOML: Invalid value (at line 1")
    assert lines[7].startswith("part.toml: ruleset part lacks scheme")
    assert lines[8].startswith("none.toml: cannot read the ruleset")


def test_check_ends_with_status_1_if_something_is_wrong(tmp_path: Path) -> None:
    good, bad = written(tmp_path, club=CLUB, bad="nothing = 1\n")
    assert cli.main(["rules", "check", good], standalone_mode=False) == 0
    assert cli.main(["rules", "check", good, bad], standalone_mode=False) == 1


def test_points_prints_the_table_that_players_know() -> None:
    lines = [" ".join(line.split()) for line in run("points", "tenhou").stdout.splitlines()]
    assert "40 fu 2,000 (700) 3,900 (1,300) 7,700 (2,600) 12,000 (4,000)" in lines
    assert "haneman 6 han or more 12,000 (3,000/6,000)" in lines
    assert "counted yakuman 13 han or more 48,000 (16,000)" in lines
    assert not any(line.startswith("counted") for line in run("points", "mleague").stdout.splitlines())
    without = run("points", "tenhou", "--set", "limits=none").stdout
    assert "122,900" in without
    assert "mangan" not in without
    assert run("points", "hk-old-style").exit_code == 2


def test_points_as_json_follow_the_rules() -> None:
    def points(name: str, *settings: str) -> dict[tuple[Any, ...], Any]:
        listed = json.loads(run("points", name, *settings, "--format", "json").stdout)
        return {
            (row["is_dealer"], row["han"] or 13 * row["yakuman"], row["fu"]): (
                row["ron"], row["tsumo"], row["tsumo_shares"],
            )
            for row in listed["points"]
        }  # fmt: skip

    usual = points("tenhou")
    assert usual[False, 1, 30] == (1000, 1100, [500, 300])
    assert usual[True, 3, 70] == (12000, 12000, [4000])
    assert usual[False, 2, 20] == (None, 1500, [700, 400])
    assert usual[False, 2, 25] == (1600, None, [])
    assert (False, 1, 25) not in usual
    assert points("tenhou", "--set", "kiriage=true")[False, 4, 30] == (8000, 8000, [4000, 2000])
    assert points("tenhou-sanma")[False, 5, None] == (8000, 6000, [4000, 2000])
    assert points("tenhou-sanma", "--set", "sanma_tsumo=split")[False, 5, None] == (8000, 8000, [5000, 3000])
