"""``paifu score`` for games other than riichi: what it prints, the JSON contract, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from each_row import each_row

from paifu.cli.__main__ import cli
from paifu.replay.model.tiles import format_kinds, parse_kinds
from paifu.replay.schemes.hand_text import parse_scheme_hand
from paifu.replay.scoring.errors import HandError

ZJ, HK, CC, US = "zung-jung", "hk-old-style", "chinese-classical", "american-2013"
ONE_SUIT = "(111m)(555m)(333z)88m99m9m"
CHEAP = "(1f)123m456p678s66m78p9p"
LOSERS = (
    "east=(111z)[9999p]79m78s335p",
    "south=(2f)(666z)1112344678p",
    "north=(1g)123789m23p57s223z",
)


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


SITUATIONS: dict[str, tuple[str, str, tuple[str, ...], str]] = {
    "--last-tile": (CHEAP, HK, ("--payer", "north", "--seat-wind", "east"), "last-tile-win"),
    "--replacement": ("[3333m]567m88p(789p)34s5s", ZJ, ("gong",), "win-on-kong"),
    "--gong-on-gong": ("(2222m)[3333p]456s78s55p9s", HK, (), "gong-on-gong"),
    "--twofold": (
        "(2222m)[3333p]456s78s55p9s", HK, ("--set", "patterns.twofold-fortune=true"), "twofold-fortune"
    ),
    "--robbing": ("456m(789p)66z777z13s2s", HK, (), "rob-a-gong"),
    "--first-turn": ("234567s345m456p8p8p", ZJ, ("--tsumo", "--seat-wind", "east"), "blessing-of-heaven"),
    "--dealers-first-discard": ("234567s345m456p8p8p", ZJ, (), "blessing-of-earth"),
    "--after-replacement": (
        CHEAP, HK, ("--seat-wind", "east", "--set", "patterns.sudden-reversal=true"), "sudden-reversal"
    ),
    "--keeps": (CHEAP, HK, ("8", "--tsumo", "--seat-wind", "east"), "eight-dealer-keeps"),
    "--dealer-wins": (
        CHEAP, HK, ("13", "--tsumo", "--seat-wind", "east", "--set", "patterns.thirteen-dealer-wins=true"),
        "thirteen-dealer-wins",
    ),
    "--declare-bonus": (
        "(1f)(2f)(3f)(4f)(1g)(2g)(3g)12345m789p1122z6s", HK, (), "seven-bonus-tiles",
    ),
}  # fmt: skip


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
    fed = answer("(2222p)(345s)(678s)99m67m8m", HK, "--replacement", "gong", "--fed-gong", "north")
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


BAD_CARDS: dict[str, tuple[str, str]] = {
    "no TOML": ("[[line", "not valid TOML"),
    "no lines": ("[card]\nname = 'x'", "has no lines"),
    "too few tiles": ('[[line]]\nid="a"\npattern="FF"\nexposed=true\nvalue=25', "line 1 \\(a\\): it has 2 tiles"),
    "no pattern": ('[[line]]\nid="a"\nexposed=true\nvalue=25', "line 1 lacks pattern"),
    "unknown key": ('[[line]]\nid="a"\nx=1\npattern="FF"\nexposed=true\nvalue=25', "there is no key 'x'"),
    "wrong type": ('[[line]]\nid="a"\npattern="FF"\nexposed=1\nvalue=25', "exposed is a bool, not 1"),
    "no suit": ('[[line]]\nid="a"\npattern="111 1111b 1111c FFF"\nexposed=true\nvalue=25', "1 needs a suit letter"),
    "unknown symbol": ('[[line]]\nid="a"\npattern="KKKa"\nexposed=true\nvalue=25', "'KKKa' is not a group"),
    "undeclared": ('[[line]]\nid="a"\npattern="xxxa"\nexposed=true\nvalue=25', "x has no values"),
    "bad range": (
        '[[line]]\nid="a"\npattern="xxxa"\nlet={x="8-2"}\nexposed=true\nvalue=25', "let: x is",
    ),
    "five strict": ('[[line]]\nid="a"\npattern="11a 11a 1a FFFFF 2222b"\nexposed=true\nvalue=25', "5 natural tiles"),
    "impossible": (
        '[[line]]\nid="a"\npattern="xxxxxxxa yyyyyyyb"\nlet={x="8-9",y="x+2"}\nexposed=true\nvalue=25',
        "no choice of suits and variables",
    ),
    "a value of nothing": ('[[line]]\nid="a"\npattern="FF"\nexposed=true\nvalue=0', "value is 1 to"),
    "free of nothing": (
        '[[line]]\nid="a"\npattern="1111111a 1111111b"\nfree="c"\nexposed=true\nvalue=9', "free names c"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_CARDS)
def test_a_card_that_cannot_be_read_says_where(case: str, tmp_path: Path) -> None:
    text, message = BAD_CARDS[case]
    path = tmp_path / "bad.toml"
    path.write_text(text, "utf-8")
    result = run("1234567m1234567p", US, "--card", str(path))
    assert result.exit_code == 2
    said = " ".join(result.stderr.split())
    assert "card bad" in said
    assert re.search(message, said), said


# What is refused


REFUSED: dict[str, tuple[str, str, tuple[str, ...], str]] = {
    "below the minimum": ("(123m)(456p)(777z)(345s)1s1s", HK, (), "has only 2 faan; a win needs 3"),
    "a chicken hand": ("(234s)567s345m6699p6p", "wsom", (), "has no pattern (a chicken hand); a win needs 5"),
    "not complete": ("1234m456p678s66m78p9p", ZJ, (), "15 tiles"),
    "no sets": ("1357m2468p13579s1z", ZJ, (), "neither four sets and a pair, seven pairs nor thirteen orphans"),
    "no seven pairs": ("1122m3344p5566s77z", CC, (), "neither four sets and a pair nor thirteen orphans"),
    "five of a tile": ("(111m)1123m456p789s2z", HK, (), "5 tiles 1m; there are 4"),
    "two of a flower": ("(1f)(1f)123m456p678s66m78p9p", HK, (), "2 tiles 1f; there is one"),
    "flowers where there are none": (CHEAP, ZJ, (), "1f: bonus tiles are not set aside"),
    "a flower in hand": ("1f123m456p678s66m78p9p", HK, (), "is set aside in brackets of its own: (1f)"),
    "a joker": ("1j23m456p678s66m78p9p9s", HK, (), "1 tiles 1j; there is none"),
    "a chow that is none": ("(124m)456p678s66m78p9p", ZJ, (), "(124m) is neither a chow nor"),
    "a concealed chow": ("[123m]456p678s66m78p9p", ZJ, (), "square brackets hold a concealed gong"),
    "a discard that completes no pung": (
        "(444p)(123m)999s22z46m5m", CC, (), "a discard wins only by completing a pung"
    ),
    "no line": ("1f2f2s5z1s1j1111p3333m", US, (), "is not a line of the card"),
    "a dead hand": ("(111m)(222m)(333m)44m555z", US, (), "the hand is dead: its exposures fit no line"),
    "an exposure of jokers": ("(111j)4z11z2222z2s5z13s", US, (), "has no natural tile"),
    "a big exposure": ("(2222222z)4z11z2s5z1s3s", US, (), "7 tiles; an exposure has 3 to 6"),
    "a concealed gong of a card": ("[2222z]4z11z333z2p5z13p", US, (), "concealed groups are not declared"),
    "a bonus tile aside": ("(1f)11z2222z2s5z13s333z", US, (), "flowers stay in hand"),
    "a discarded joker": ("4z11z33z2222z2s5z1s3s1j", US, (), "a joker that was discarded is dead"),
    "thirteen tiles won": ("123m456p678s66m78p", HK, ("--tsumo",), "--tsumo describes a win"),
    "riichi": (CHEAP, HK, ("--riichi",), "--riichi needs riichi (scheme han_fu); hk-old-style does not"),
    "dora": (CHEAP, HK, ("--dora", "1m"), "--dora needs riichi"),
    "a round wind": (ONE_SUIT, ZJ, ("--round-wind", "south"), "--round-wind needs a round wind"),
    "losers": (CHEAP, HK, ("--loser", "east=1m"), "--loser needs losers_settle"),
    "a bet": ("4z11z333z2222z2p5z13p", US, ("--bet", "east"), "--bet needs bettor"),
    "a card": (CHEAP, HK, ("--card", "x.toml"), "--card needs a card"),
    "keeps": (ONE_SUIT, ZJ, ("--keeps", "1"), "--keeps needs the pattern eight-dealer-keeps"),
    "declared": (ONE_SUIT, ZJ, ("--declare-bonus",), "--declare-bonus needs bonus tiles"),
    "few declared": (CHEAP, HK, ("--declare-bonus",), "1 bonus tiles; seven can be declared"),
    "own discard": (ONE_SUIT, ZJ, ("--payer", "south"), "south cannot win on their own discard"),
    "drawn and discarded": (ONE_SUIT, ZJ, ("--tsumo", "--payer", "north"), "has no discarder"),
    "gong on one gong": ("(2222m)345p456s78s55p9s", HK, ("--gong-on-gong",), "gong on gong needs two gongs"),
    "replacement without a gong": (ONE_SUIT, ZJ, ("--replacement", "gong"), "needs a gong"),
    "a robbed pair": ("456m(789p)66z777z33s3s", HK, ("--robbing",), "a hand holds one of them"),
    "a claimed tile in the first turn": (ONE_SUIT, ZJ, ("--first-turn", "--tsumo"), "has no claimed meld"),
    "keeps of a child": (CHEAP, HK, ("--keeps", "8", "--tsumo"), "keeps and wins in a row are the dealer's"),
    "nobody liable": ("(222m)(777s)(999p)33s55m5m", HK, ("--liable", "north"), "decide no great hand"),
    "a loser too long": (
        "(456m)(234s)55p666m77z7z", CC, ("--seat-wind", "west", "--loser", "east=123m"), "has 3 tiles"
    ),
    "a loser that is not a seat": ("(456m)(234s)55p666m77z7z", CC, ("--loser", "up=123m"), "written wind=hand"),
    "a tile too many in all hands": (
        "(456m)(234s)55p666m77z7z", CC,
        ("--seat-wind", "west", "--loser", "east=77z12345m789m12p3s"), "5 tiles 7z",
    ),
    "no discards": (ONE_SUIT, ZJ, ("--discards", "2z"), "written wind:tile"),
    "no tile": ("12x", ZJ, (), "expected digits followed by one of m, p, s, z, f, g, j"),
    "a red five": ("0m", ZJ, (), "'0m' is not a tile"),
    "brackets": ("123m(456p", ZJ, (), "brackets go around one meld"),
    "a lone tile in brackets": ("(1m)123m456p678s66m78p9p", ZJ, (), "brackets hold a meld, or one flower"),
}  # fmt: skip


@each_row("case", REFUSED)
def test_what_cannot_win_says_why(case: str) -> None:
    hand, rules, options, message = REFUSED[case]
    result = run(hand, rules, *options)
    said = " ".join(result.stderr.split())
    assert result.exit_code == 2, result.stdout
    assert message in said
    assert not result.stdout


@pytest.mark.parametrize("option", ["--last-tile", "--robbing", "--first-turn", "--twofold"])
def test_riichi_does_not_know_the_situations_of_other_games(option: str) -> None:
    result = run("123m456p789s1122z2z", "tenhou", option)
    assert result.exit_code == 2
    assert f"{option} needs a table of patterns" in " ".join(result.stderr.split())


@pytest.mark.parametrize("command", [("simulate", "-o", "games"), ("verify", "nowhere")])
def test_commands_that_replay_refuse_games_of_a_card(command: tuple[str, ...]) -> None:
    result = CliRunner().invoke(cli, [*command, "--rules", "american-2013"])
    assert result.exit_code == 2
    assert "can be neither simulated nor replayed" in " ".join(result.stderr.split())


def test_a_hand_is_written_as_it_is_read() -> None:
    hand = parse_scheme_hand("(1f)(2g)(123m)[1111p](22z11j)234m55p")
    assert str(hand) == "(1f)(2g)(123m)[1111p](22z11j)234m55p"
    assert format_kinds(hand.tiles) == "234m55p"


@pytest.mark.parametrize(
    ("text", "win"),
    [("(123m)234m55p678999s", "9s"), ("(123m)234m55p67999s", "8s"), ("(123m)234m55p678999s", "5p")],
)
def test_the_winning_tile_may_be_named(text: str, win: str) -> None:
    """It is one of fourteen tiles, or follows thirteen."""
    hand = parse_scheme_hand(text, win)
    (kind,) = parse_kinds(win)
    assert (hand.win, hand.tiles[-1]) == (kind, kind)
    assert sorted(hand.tiles) == sorted(parse_scheme_hand("(123m)234m55p678999s").tiles)


@pytest.mark.parametrize(("win", "words"), [("12m", "is one tile, such as 3m"), ("1z", "1z is not among")])
def test_what_is_no_winning_tile(win: str, words: str) -> None:
    with pytest.raises(HandError, match=words):
        parse_scheme_hand("(123m)234m55p678999s", win)
