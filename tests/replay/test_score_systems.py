"""``paifu score`` for games other than riichi: what it prints, the JSON contract, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from case_data import case_data
from click.testing import CliRunner, Result
from each_row import each_row

from paifu.cli.__main__ import cli
from paifu.replay.model.tile_notation import format_kinds, parse_kinds
from paifu.replay.schemes.hand import parse_held
from paifu.replay.scoring.errors import HandError

ZJ, HK, CC, US = "zung-jung", "hk-old-style", "chinese-classical", "american-2013"
ONE_SUIT = "(111m)(555m)(333z)88m99m9m"
CHEAP = "(1f)123m456p678s66m78p9p"
LOSERS = ("east=(111z)[9999p]79m78s335p", "south=(2f)(666z)1112344678p", "north=(1g)123789m23p57s223z")


def run(hand: str, rules: str, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["score", hand, "--rules", rules, *arguments])


def answer(hand: str, rules: str, *arguments: str) -> dict[str, Any]:
    result = run(hand, rules, *arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    loaded: dict[str, Any] = json.loads(result.stdout)
    return loaded


EXPLAINED = """\
(111m) (555m) (333z) 88999m  on north's discard, 9m
seat south, rules zung-jung
Patterns    40 points  Mixed One-Suit 混一色  one suit and honours
            30 points  All Triplets 對對和    four triplets
Value       70  70 points
Payments     -25  east
            +210  south  wins
             -25  west
            -160  north  discards
Read as       (111m) (555m) (333z) 999m 88m, won on the pung
"""


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def test_a_win_is_explained() -> None:
    result = run(ONE_SUIT, ZJ, "--payer", "north")
    assert lines(result.stdout) == lines(EXPLAINED)


def test_the_answer_as_json() -> None:
    shown = answer("(777z)99m11122233p3p", ZJ, "--tsumo")
    assert list(shown) == [
        "schema", "rules", "scheme", "kind", "hand", "patterns", "not_counted", "points", "worth", "value",
        "payments", "roles", "reading", "other_readings", "losers",
    ]  # fmt: skip
    assert (shown["schema"], shown["scheme"], shown["kind"]) == ("paifu.score/1", "series", "win")
    assert shown["hand"] == {
        "tiles": "99m111222333p",
        "melds": ["(777z)"],
        "bonus": [],
        "win": "3p",
        "tsumo": True,
        "seat_wind": "south",
        "round_wind": None,
        "payer": None,
    }
    assert shown["patterns"][0] == {
        "id": "value-honour",
        "name": "Value Honour",
        "native": "番牌",
        "value": 10,
        "times": 1,
        "worth": "10 points",
        "reason": "a triplet of dragons or of the seat wind",
        "tiles": "777z",
    }
    assert shown["not_counted"][0]["reason"] == "Three Identical Sequences is the highest of series 5.1"
    assert shown["payments"] == {"east": -170, "south": 510, "west": -170, "north": -170}
    assert shown["other_readings"] == [
        {"reading": "(777z) 111p 222p 333p 99m, won on the pung", "value": 170, "why_not": "worth the same"}
    ]


@pytest.mark.parametrize(
    ("hand", "worth", "value"),
    [("4z11z333z2222z2p5z13p", "25 x 2, no joker", 50), ("4z11z333z222z1j2p5z13p", "25 points", 25)],
)
def test_a_hand_of_the_card_without_a_joker_is_worth_twice(hand: str, worth: str, value: int) -> None:
    shown = answer(hand, US, "--payer", "north")
    assert (shown["worth"], shown["value"]) == (worth, value)


def test_bonus_tiles_and_a_round_wind() -> None:
    shown = answer(CHEAP, HK, "--tsumo", "--seat-wind", "east", "--round-wind", "south")
    assert (shown["hand"]["bonus"], shown["hand"]["round_wind"]) == (["1f"], "south")
    assert {row["id"]: row["worth"] for row in shown["patterns"]} == {
        "own-bonus-tile": "1 faan",
        "all-chows": "1 faan",
        "self-pick": "1 faan",
        "concealed-hand": "1 faan",
    }
    assert shown["worth"] == "4 faan"


def test_the_losers_hands() -> None:
    options = [part for loser in LOSERS for part in ("--loser", loser)]
    shown = answer("(456m)(234s)55p666m77z7z", CC, "--seat-wind", "west", "--payer", "north", *options)
    assert {wind: own["score"] for wind, own in shown["losers"].items()} == {
        "east": 144,
        "south": 128,
        "north": 4,
    }
    assert shown["losers"]["east"]["points"] == [
        {"points": 4, "reason": "open pung 1z"},
        {"points": 32, "reason": "concealed gong 9p"},
    ]
    assert shown["payments"] == {"east": 200, "south": 36, "west": 224, "north": -460}
    assert shown["roles"]["north"] == "discards, scores 4"
    printed = run("(456m)(234s)55p666m77z7z", CC, "--seat-wind", "west", "--payer", "north", *options).stdout
    assert "concealed gong 9p" in printed
    assert max(map(len, printed.splitlines())) <= 80


TABLES = case_data("score_systems")
SITUATIONS = TABLES["situations"]


@each_row("option", SITUATIONS)
def test_every_situation_has_an_option(option: str) -> None:
    hand, rules, more, pattern = SITUATIONS[option]
    value = more[:1] if more and not more[0].startswith("--") else ()
    others = more[len(value) :]
    with_it = {row["id"] for row in answer(hand, rules, option, *value, *others)["patterns"]}
    assert pattern in with_it
    without = run(hand, rules, *others, "--format", "json")
    if without.exit_code == 0:
        assert pattern not in {row["id"] for row in json.loads(without.stdout).get("patterns", ())}


def test_discards_decide_who_answers() -> None:
    shown = answer(ONE_SUIT, ZJ, "--payer", "north", "--discards", "south:2z west:9m north:9m")
    assert shown["payments"] == {"east": -25, "south": 210, "west": -160, "north": -25}
    assert shown["roles"]["west"] == "answers: first to discard such a tile in this turn"


def test_a_fed_gong_and_a_liable_player() -> None:
    fed = answer("(2222p)(345s)(678s)99m67m8m", HK, "--fed-kan", "--liable", "north")
    assert (fed["payments"]["south"], fed["payments"]["north"]) == (16, -16)
    liable = answer("(555z)(666z)(777z)12m44p3m", HK, "--tsumo", "--liable", "north")
    assert liable["payments"] == {"east": 0, "south": 384, "west": 0, "north": -384}


def test_thirteen_tiles_wait() -> None:
    shown = answer("(1f)123m456p678s66m78p", HK)
    assert (shown["kind"], shown["shanten"], shown["tiles"], shown["live"]) == (
        "waits",
        0,
        ["3p", "6p", "9p"],
        11,
    )
    far = answer("19m19p19s123z1122z", ZJ)
    assert (far["kind"], far["shanten"]) == ("acceptance", 3)


def test_optional_forms_are_waited_for() -> None:
    hand = "1234567m123456p"
    assert answer(hand, HK)["tiles"] == ["1m", "4m", "7m"]
    shown = answer(hand, HK, "--set", "patterns.knitted-pairs=true")
    assert (shown["kind"], shown["tiles"]) == ("waits", ["1m", "4m", "7m", "7p"])
    snake = answer("123456789m1234z", HK, "--set", "patterns.wriggling-snake-winds=true")
    assert snake["tiles"] == [*(f"{n}m" for n in range(1, 10)), "1z", "2z", "3z", "4z"]
    pairs = "1133557799m114m"
    assert answer(pairs, CC)["tiles"] != ["4m"]
    pure = answer("1133557788m224m", CC, "--set", "patterns.concealed-purity-pairs=true")
    assert "4m" in pure["tiles"]


@each_row(
    ("hand", "is_snake"),
    [
        ("(111m)(999m)345m678m22m", True), ("(111m)(999m)234m678m55m", True),
        ("(111m)(999m)234m567m88m", True), ("(111m)(999m)234m567m55m", False),
        ("(111m)(999m)345m678m22p", False), ("(222p)(333p)345m678m22m", False),
        ("(111m)(999m)345m(222p)88m", False), ("(111m)(999p)345m678m22m", False),
        ("(111m)(999m)234m234m55m", False), ("(111s)(999s)345m678m22m", False),
    ],
)  # fmt: skip
def test_a_snake_wriggles_between_pungs_of_its_suit(hand: str, is_snake: bool) -> None:
    result = run(hand, HK, "--set", "patterns.wriggling-snake=true", "--format", "json")
    assert result.exit_code == 0 or "the hand is complete but has only" in result.stderr
    assert ('"id": "wriggling-snake"' in result.stdout) == is_snake


# Cards


MY_CARD = """
[card]
name = "mine"

[[line]]
id = "knitted"
pattern = "1234567a 1234567b"
exposed = false
value = 50

[[line]]
id = "quints"
pattern = "xxxxxa yyyyyb FFFF"
let = { x = [1, 5, 9], y = "1-9" }
distinct = "xy"
exposed = true
value = 40
"""


def test_a_card_of_your_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MY_CARD, "utf-8")
    won = answer("1234567m1234567p", US, "--card", str(path), "--tsumo")
    assert (won["value"], won["patterns"][0]["id"]) == (100, "knitted")
    exposed = answer("(555m11j)7777p1j1234f", US, "--card", str(path))
    assert (exposed["value"], exposed["patterns"][0]["tiles"]) == (40, "a=m, b=p, x=5, y=7")


def test_thirteen_tiles_of_a_card() -> None:
    shown = answer("4z11z33z1j2222z2s5z1s", US)
    assert (shown["kind"], shown["tiles"]) == ("waits", ["3s"])
    assert [(line["id"], line["away"]) for line in shown["lines"]] == [
        ("2013-1", 1), ("2013-2", 10), ("2013-3", 10), ("2013-4", 10),
    ]  # fmt: skip
    assert shown["lines"][0]["missing"] == "3s"
    printed = run("4z11z33z1j2222z2s5z1s", US).stdout
    assert "1 away  2013-1" in printed
    exposed = answer("(222z1j)4z11z33z1j2s5z1s", US)
    assert exposed["lines"][-1] == {
        "id": "2013-4",
        "pattern": "FFFF DDDa 2013c DDDb",
        "choice": "",
        "away": None,
        "missing": "",
        "why_not": "a concealed line, and the hand has exposures",
    }


@pytest.mark.parametrize("case", TABLES["bad_cards"])
def test_a_card_that_cannot_be_read_says_where(case: str, tmp_path: Path) -> None:
    text, message = TABLES["bad_cards"][case]
    path = tmp_path / "bad.toml"
    path.write_text(text, "utf-8")
    result = run("1234567m1234567p", US, "--card", str(path))
    assert result.exit_code == 2
    said = " ".join(result.stderr.split())
    assert "card bad" in said
    assert re.search(message, said), said


# What is refused


@each_row("case", TABLES["refused"])
def test_what_cannot_win_says_why(case: str) -> None:
    hand, rules, options, message = TABLES["refused"][case]
    result = run(hand, rules, *options)
    said = " ".join(result.stderr.split())
    assert result.exit_code == 2, result.stdout
    assert message in said
    assert not result.stdout


def test_a_hand_is_written_as_it_is_read() -> None:
    hand = parse_held("(1f)(2g)(123m)[1111p](22z11j)234m55p")
    assert str(hand) == "(1f)(2g)(123m)[1111p](22z11j)234m55p"
    assert format_kinds(hand.tiles) == "234m55p"


@pytest.mark.parametrize(
    ("text", "win"),
    [("(123m)234m55p678999s", "9s"), ("(123m)234m55p67999s", "8s"), ("(123m)234m55p678999s", "5p")],
)
def test_the_winning_tile_may_be_named(text: str, win: str) -> None:
    """It is one of fourteen tiles, or follows thirteen."""
    hand = parse_held(text, win)
    (kind,) = parse_kinds(win)
    assert (hand.win, hand.tiles[-1]) == (kind, kind)
    assert sorted(hand.tiles) == sorted(parse_held("(123m)234m55p678999s").tiles)


@pytest.mark.parametrize(("win", "words"), [("12m", "is one tile, such as 3m"), ("1z", "1z is not among")])
def test_what_is_no_winning_tile(win: str, words: str) -> None:
    with pytest.raises(HandError, match=words):
        parse_held("(123m)234m55p678999s", win)
