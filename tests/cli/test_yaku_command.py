"""``paifu yaku``, and the names that other commands print."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from each_row import each_row

from paifu.cli.__main__ import cli
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.scoring.yaku import YAKU, YakuKind
from paifu.replay.scoring.yaku_names import NAME_SETS, all_names, find_yaku

TENHOU = load_preset("tenhou")
LOG = Path(__file__).parents[2] / "sample_logs" / "scenarios" / "ryanpeikou.mjlog"


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, list(map(str, words)))


@each_row(
    ("name", "romaji"),
    [
        ("Pure Double Chow", "iipeikou"),
        ("Mixed Outside Hand", "chanta"),
        ("Twice Pure Double Chow", "ryanpeikou"),
        ("Last Tile Ron", "houtei"),
        ("Gift of Heaven", "tenhou"),
        ("Large Straight", "ittsuu"),
        ("Blossom on the Hill", "rinshan kaihou"),
        ("peace", "pinfu"),
        ("PINFU", "pinfu"),
        ("一盃口", "iipeikou"),
        ("リーチ", "riichi"),
        ("タンヤオ", "tanyao"),
        ("ピンフ", "pinfu"),
        ("混全带幺九", "chanta"),
        ("toi-toi", "toitoi"),
        ("ikkitsuukan", ""),
    ],
)
def test_a_yaku_is_found_by_any_of_its_names(name: str, romaji: str) -> None:
    assert romaji in [yaku.romaji for yaku in find_yaku(name, TENHOU)] or not romaji


@each_row("yaku", YAKU.values(), ids=lambda yaku: yaku.romaji)
def test_each_name_in_each_set_leads_back(yaku: object) -> None:
    assert all(yaku in find_yaku(name, TENHOU) for name in all_names(yaku).values())  # type: ignore[arg-type]
    assert set(all_names(yaku)) == set(NAME_SETS)  # type: ignore[arg-type]


@each_row("number", [yaku.id for yaku in YAKU.values() if yaku.kind != YakuKind.DORA])
def test_each_example_has_its_yaku(number: int) -> None:
    result = run("score", *shlex.split(YAKU[number].example), "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert number in [yaku["id"] for yaku in json.loads(result.stdout)["yaku"]]


def test_one_yaku_is_described_under_a_ruleset() -> None:
    text = run("yaku", "large", "straight", "--rules", "kwan-house").stdout
    assert "ittsuu 一気通貫" in text
    assert "closed 2, open 1 (rules kwan-house)" in text
    assert "Nine-Tile Straight (Kwan)" in text
    assert "paifu score '123456789m99p777z'" in text


def test_the_list_shows_han_under_a_ruleset() -> None:
    def line(*words: str) -> str:
        (found,) = (row for row in run("yaku", *words).stdout.splitlines() if row.startswith("sanrenkou"))
        return " ".join(found.split())

    assert line() == "sanrenkou 三連刻 - - three triplets in a row"
    assert line("--rules", "kwan-house") == "sanrenkou 三連刻 2 2 three triplets in a row"


def test_a_name_that_nobody_uses_is_an_error_with_near_ones() -> None:
    result = run("yaku", "pure", "dubble", "chow")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "did you mean 'Pure Double Chow'" in result.stderr
    assert "lists all names" in run("yaku", "xyzzy").stderr


def test_json_holds_every_set() -> None:
    (found,) = json.loads(run("yaku", "chanta", "-f", "json").stdout)["yaku"]
    assert found["names"]["mcgill"] == "All With Orphans"
    assert (found["han_closed"], found["han_open"]) == (2, 1)


def test_commands_print_the_names_that_are_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = ("score", "223344m556677p99s")
    assert "ryanpeikou 二盃口" in run(*hand).stdout
    assert "Twice Pure Double Chow 二盃口" in run(*hand, "--names", "yakuza2").stdout
    assert "ryanpeikou 二盃口" in run(*hand).stdout, "the choice lasts for one command"
    assert "Double of Two Identical Sequences" in run("show", LOG, "--names", "kwan").stdout
    assert "ryanpeikou 3" in run("show", LOG).stdout
    assert "Two Double Runs" in run("show", LOG, "--names", "american", "--html", "-o", "-").stdout
    monkeypatch.setenv("PAIFU_NAMES", "european")
    assert "Twice Pure Double Chow 3" in run("show", LOG).stdout
