"""``paifu score``: reading a written hand, the printed answer, the JSON contract, and what it refuses."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from case_data import case_data
from click.testing import CliRunner, Result
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from random_wins import random_win

from paifu.cli.__main__ import cli
from paifu.replay.model.tile_notation import format_tiles
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.han_fu import score_han_fu
from paifu.replay.scoring.hand_text import parse_hand
from paifu.replay.scoring.readings import Meld, MeldKind
from paifu.replay.scoring.score import score

YAKUHAI = "456m456p234s99p777z"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["score", *arguments])


def answer(*arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    loaded: dict[str, Any] = json.loads(result.stdout)
    return loaded


# Reading a written hand


def test_brackets_tell_melds_and_kita() -> None:
    hand = parse_hand("12m (340p)(555z) [1111s] 3m(0555m)(4z)(4z)")
    assert format_tiles(hand.tiles) == "123m"
    assert [meld.kind for meld in hand.melds] == [
        MeldKind.CHI,
        MeldKind.PON,
        MeldKind.ANKAN,
        MeldKind.DAIMINKAN,
    ]
    assert "".join(map(str, hand.melds)) == "(340p)(555z)[1111s](0555m)"
    assert (hand.kita, hand.size) == (2, 15)


def test_a_red_five_in_a_pon_leaves_it_a_pon() -> None:
    assert parse_hand("(505p)").melds == (Meld(MeldKind.PON, (13, 35, 13)),)


def test_the_winning_tile_may_be_in_the_hand_or_apart() -> None:
    assert format_tiles(parse_hand("12345678999m123p", win="3m").tiles) == "1245678999m123p3m"
    assert format_tiles(parse_hand("1245678999m123p", win="3m").tiles) == "1245678999m123p3m"


@each_row(("text", "message"), case_data("refused_texts")["hands"].items())
def test_a_text_that_is_no_hand_says_where(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_hand(text)


def test_a_winning_tile_that_is_not_there_is_refused() -> None:
    with pytest.raises(HandError, match="9m is not among"):
        parse_hand(YAKUHAI, win="9m")


@given(st.text(alphabet="0123456789mpsz()[] x", max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse_hand(text)
    except ValueError:
        return


# What it prints


EXPLAINED = """\
22334455667788p  tsumo on 8p
seat east, round east, rules tenhou
Yaku        1 han  menzen tsumo 門前清自摸和  fully concealed draw
            1 han  pinfu 平和                 all runs, no fu
            1 han  tanyao 断幺九              all simples
            3 han  ryanpeikou 二盃口          two twin runs
            6 han  chinitsu 清一色            full flush
Fu          20 fu  winning
            20 fu  in all
Points      36,000  12 han 20 fu, sanbaiman  1 honba and 1 riichi stick
Payments    +37,300  east   wins
            -12,100  south
            -12,100  west
            -12,100  north
Read as       345p 345p 678p 678p 22p, ryanmen
Not as      36,000  234p 234p 678p 678p 55p, ryanmen    worth the same
            36,000  234p 234p 567p 567p 88p, tanki      fewer han
            24,000  22p 33p 44p 55p 66p 77p 88p, tanki  fewer points
"""


def test_a_win_is_explained() -> None:
    result = run("2233445566778p8p", "--tsumo", "--seat-wind", "east", "--honba", "1", "--sticks", "1")
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert max(map(len, lines)) <= 80
    assert lines == EXPLAINED.splitlines()


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("1112345678999m", "1112345678999m  tenpai, waits for 1m 2m 3m 4m 5m 6m 7m 8m 9m (23 tiles)\n"),
        ("456m456p23s99p(777z)", "456m45699p23s (777z)  tenpai, waits for 1s 4s (8 tiles)\n"),
        ("456m456p2s9s99p(777z)", "456m45699p29s (777z)  1-shanten, needs "),
    ],
)
def test_thirteen_tiles_tell_what_they_wait_for(hand: str, expected: str) -> None:
    result = run(hand)
    assert result.exit_code == 0
    assert result.stdout.startswith(expected)


def test_json_of_a_win_holds_everything() -> None:
    found = answer("456m456p23s9p9p(777z)", "--win", "4s", "--dora", "8p", "--payer", "west")
    assert found == {
        "schema": "paifu.score/1",
        "rules": {"name": "tenhou", "set": []},
        "kind": "win",
        "hand": {
            "tiles": "456m45699p234s",
            "melds": ["(777z)"],
            "kita": 0,
            "flowers": 0,
            "win": "4s",
            "tsumo": False,
            "seat_wind": "south",
            "round_wind": "east",
            "payer": "west",
            "honba": 0,
            "sticks": 0,
        },
        "yaku": [
            {"id": 20, "name": "chun", "english": "red dragon", "japanese": "中", "han": 1},
            {"id": 52, "name": "dora", "english": "dora", "japanese": "ドラ", "han": 2},
        ],
        "han": 3,
        "fu": 30,
        "fu_rows": [
            {"fu": 20, "reason": "winning", "tiles": ""},
            {"fu": 4, "reason": "open triplet of terminals or honours", "tiles": "(777z)"},
        ],
        "limit": "none",
        "yakuman": 0,
        "base": 960,
        "points": 3900,
        "payments": {"east": 0, "south": 3900, "west": -3900, "north": 0},
        "reading": "456m 456p 234s (777z) 99p, ryanmen",
        "other_readings": [],
    }


def test_json_of_a_waiting_hand() -> None:
    assert answer("456m456p23s99p(777z)") == {
        "schema": "paifu.score/1",
        "rules": {"name": "tenhou", "set": []},
        "kind": "waits",
        "hand": {"tiles": "456m45699p23s", "melds": ["(777z)"], "kita": 0, "flowers": 0},
        "shanten": 0,
        "tiles": ["1s", "4s"],
        "live": 8,
    }


# Han and fu alone


def test_han_and_fu_are_printed() -> None:
    lines = [line.rstrip() for line in run("--han", "3", "--fu", "40", "--honba", "1").stdout.splitlines()]
    assert lines[:3] == ["ron", "seat south, rules tenhou", "Points      5,200  3 han 40 fu  1 honba"]
    assert "5 han, mangan" in run("--han", "5").stdout
    assert "13 han, counted yakuman" in run("--han", "13").stdout


@pytest.mark.parametrize("preset", ["tenhou", "mleague", "tenhou-sanma", "ema"])
def test_a_hand_is_worth_what_its_han_and_fu_are(preset: str) -> None:
    rules, chance, seen = load_preset(preset), random.Random(5), 0  # noqa: S311
    for _ in range(400):
        hand = random_win(chance, players=rules.table.players, red=bool(rules.table.red_pin)).hand
        try:
            won = score(hand, rules)
        except HandError:
            continue
        if won.yakuman or won.fu == 0:
            continue
        seen += 1
        same = score_han_fu(
            hand._replace(tiles=(), melds=(), dora_indicators=(), ura_indicators=(), kita=0),
            rules,
            han=won.han,
            fu=won.fu,
        )
        assert (same.points, same.limit) == (won.points, won.limit)
    assert seen > 100


# Options


def test_three_players_have_three_payments() -> None:
    found = answer("456p678p234s99p777z(4z)", "--rules", "tenhou-sanma")
    assert set(found["payments"]) == {"east", "south", "west"}


def test_a_ruleset_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "friday.toml"
    path.write_text('base = "tenhou"\nsummary = "Friday evenings"\nkuitan = false\n')
    result = run("345m55p678s(234p)34s2s", "--rules", str(path))
    assert result.exit_code == 2
    assert "has no yaku" in result.stderr


def test_it_imports_no_compiler() -> None:
    code = (
        "import sys; from paifu.cli.__main__ import cli; cli(['score', sys.argv[1]], standalone_mode=False);"
        "assert 'numba' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, YAKUHAI], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    assert "1,300" in done.stdout
