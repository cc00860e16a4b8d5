"""tenhou.net/6 JSON: what surrounds the hands, the forms a text comes in, and broken input."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import numpy as np
import orjson
import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from tenhou6_games import DEAL, DISCARD, SCORES, Moves, faults, game, hand, read, read_text, story

from paifu.parsers.sources.detect import Format, sniff
from paifu.parsers.tenhou6.names import DAN_NUMBERS
from paifu.replay.model.batch import NO_YAKU, UNKNOWN_POINTS
from paifu.replay.model.events import NO_SEAT, UNSTATED_SEAT, HandEnd
from paifu.replay.model.tiles import NO_TILE

# --- what surrounds the hands --------------------------------------------------------------------------

HEADER = {
    "ver": 2.3,
    "ref": "2021030405gm-00a9-0000-0123abcd",
    "title": ["A cup", "first table"],
    "lobby": 1234,
    "dan": ["新人", "９級", "初段", "天鳳"],
    "rate": [1500, 1501.5, 2100, 2299.99],
    "sx": ["M", "F", "C", "M"],
    "sc": [40000, 50.5, 30000, 10.5, 20000, -20, 10000, -41],
}


def test_header() -> None:
    batch = read(game(hand(), **HEADER))
    games = batch.games
    assert faults(batch) == []
    assert (games.id[0], games.started[0]) == ("2021030405gm-00a9-0000-0123abcd", "2021-03-04T05")
    assert (games.format[0], games.version[0], games.source[0]) == ("tenhou6", "2.3", "some.json")
    assert (games.title[0], games.lobby[0], games.rule[0]) == ("A cup first table", "1234", "般南喰赤")
    assert games.names[0].tolist() == ["Ann", "Ben", "Cat", "Dan"]
    assert games.dan[0].tolist() == [0, 1, 10, 20]
    assert games.rate[0].tolist() == [1500, 1501.5, 2100, 2299.99]
    assert "".join(games.sex[0]) == "MFCM"
    assert games.final_scores[0].tolist() == [40000, 30000, 20000, 10000]
    assert games.final_points[0].tolist() == [50.5, 10.5, -20, -41]
    assert (games.players[0], games.first_dealer[0], games.ruleset[0]) == (4, 0, "tenhou")
    assert not games.is_cut[0]


def test_without_a_header_all_of_it_is_unknown() -> None:
    batch = read({"log": [hand()]})
    assert faults(batch) == []
    assert batch.games.id[0] == ""
    assert batch.games.dan[0].tolist() == [-1] * 4
    assert np.isnan(batch.games.rate[0]).all()
    assert (batch.games.final_scores[0] == UNKNOWN_POINTS).all()


def test_every_grade() -> None:
    grades = [
        "新人",
        *(f"{kyu}級" for kyu in "９８７６５４３２１"),
        *(f"{dan}段" for dan in "初二三四五六七八九十"),
    ]
    assert list(map(DAN_NUMBERS.get, [*grades, "天鳳位"])) == list(range(21))
    assert DAN_NUMBERS["天鳳"] == DAN_NUMBERS["天鳳位"]
    names = ["１級", "十段", "天鳳位", "雀豪★1"]
    assert read(game(hand(), dan=names)).games.dan[0].tolist() == [9, 19, 20, -1]


@pytest.mark.parametrize(
    ("fields", "location"),
    [
        ({"ref": "2021030405gm-00a9-0000-0123abcd"}, "x.json"),
        ({"title": "https://tenhou.net/0/?log=2021030405gm-00a9-0000-0123abcd&tw=1"}, "x.json"),
        ({}, "logs/2021030405gm-00a9-0000-0123abcd.json"),
    ],
)
def test_where_the_games_id_is_found(fields: dict[str, Any], location: str) -> None:
    batch = read_text(orjson.dumps(game(hand(), **fields)), location)
    assert batch.games.id[0] == "2021030405gm-00a9-0000-0123abcd"


@pytest.mark.parametrize(
    ("rule", "preset", "words"),
    [
        ({"disp": "鳳南喰赤", "aka": 1}, "tenhou", "鳳南喰赤"),
        ({"disp": "Gold Room South", "aka51": 1, "aka52": 1, "aka53": 1}, "majsoul", "Gold Room South"),
        (["般南喰赤", 1], "tenhou", "般南喰赤"),
    ],
)
def test_rules(rule: Any, preset: str, words: str) -> None:
    games = read(game(hand(), rule=rule)).games
    assert (games.ruleset[0], games.rule[0], games.overrides[0]) == (preset, words, "")


SOUL = {
    "grades": {"dan": ["雀豪★1", "雀士★2", "魂天", "初心★1"]},
    "grades in English": {"dan": ["Master 1", "Expert 2", "Saint 3", "Novice 1"]},
    "a link id": {"ref": "210815-6da08e40-2605-42fb-a5e3-f8aa59403600"},
    "a title with a number": {"title": ["Friendly", 1709367289]},
    "a title that is a number": {"title": 1709367289},
}


@each_row("case", SOUL)
def test_games_made_from_mahjong_soul_are_read_under_its_rules(case: str) -> None:
    batch = read(game(hand(), **SOUL[case]))
    assert faults(batch) == []
    assert (batch.games.ruleset[0], batch.games.overrides[0]) == ("majsoul", "")
    assert read(game(hand())).games.ruleset[0] == "tenhou"


def test_who_left_and_came_back() -> None:
    """A step counts draws, discards and calls, not riichi or dora; behind the last comes the result."""
    moves: Moves = {0: ([11, 12], ["111111a11", "r60"]), 1: ([13], [60])}
    times = [(0, -1, 0), (0, 0, 0), (1, 0, 2), (0, 0, 4), (1, 0, 6), (0, 0, 99)]
    entries = [{"what": what, "log": log, "who": 2, "step": step} for what, log, step in times]
    batch = read(game(hand(moves, dora=[34, 21]), hand(), connection=entries))
    assert faults(batch) == []
    assert story(batch) == [
        "2 leave",
        "2 leave",
        "0 draw 1m",
        "0 closed kan 1m with 1m1m1m",
        "2 return",
        "dora 1p",
        "0 draw 2m",
        "0 riichi",
        "0 cut 2m*",
        "2 leave",
        "0 paid",
        "1 draw 3m",
        "1 cut 3m*",
        "end",
        "2 return",
        "2 leave",
        "end",
    ]
    assert batch.hands.event_begin.tolist() == [1, 16]
    assert batch.games.event_begin[0] == 0


WRONG_FIELDS: dict[str, tuple[str, Any]] = {
    "names that are numbers": ("name", [1, 2, 3, 4]),
    "five names": ("name", ["a"] * 5),
    "a name": ("name", "Ann"),
    "a name that never ends": ("name", ["a" * 5000, "b", "c", "d"]),
    "rates that are texts": ("rate", ["1500"] * 4),
    "rates beyond all bounds": ("rate", [1e308] * 4),
    "grades that are numbers": ("dan", [1, 2, 3, 4]),
    "sexes that are none": ("sx", [None] * 4),
    "final scores without points": ("sc", [25000] * 4),
    "final scores beyond all bounds": ("sc", [2**63, 1] * 4),
    "a title that is an object": ("title", {"a": 1}),
    "rules that are a text": ("rule", "般南喰赤"),
    "rules in rules": ("rule", {"disp": {"disp": "般南喰赤"}}),
    "red fives that are not a number": ("rule", {"aka51": "many"}),
    "too many red fives": ("rule", {"aka51": 9}),
    "tournament rules that are none": ("csrule", {"a": 1}),
    "tournament rules that are not numbers": ("csrule", ["xyz"]),
    "too many tournament rules": ("csrule", [0] * 1000),
    "connections that are none": ("connection", [5]),
    "a connection of nobody": ("connection", [{"what": 0, "log": 0, "who": 4, "step": 0}]),
    "a connection at no time": ("connection", [{"what": 0, "log": 0, "who": 0}]),
    "connections without end": ("connection", [{"what": 0, "log": 0, "who": 0, "step": 0}] * 2000),
}


@each_row("case", WRONG_FIELDS)
def test_a_wrong_field_is_told_and_the_hands_are_read(case: str) -> None:
    key, value = WRONG_FIELDS[case]
    batch = read(game(hand(), **{key: value}))
    (place,) = batch.faults.place
    assert place.startswith("rule" if key == "csrule" and "numbers" in case else key)
    assert (len(batch), len(batch.hands)) == (1, 1)
    assert not batch.games.is_cut[0]


def test_fields_that_are_null_are_not_stated() -> None:
    assert faults(read(game(hand(), **dict.fromkeys(HEADER)))) == []


# --- forms of text -------------------------------------------------------------------------------------

ONE = orjson.dumps(game(hand()))
LINK = b"https://tenhou.net/6/#json="
FORMS: dict[str, tuple[bytes, list[str]]] = {
    "a game": (ONE, ["x.json"]),
    "with a byte order mark": (b"\xef\xbb\xbf" + ONE, ["x.json"]),
    "with blanks around": (b"\n  " + ONE + b"\n\n", ["x.json"]),
    "pretty-printed": (orjson.dumps(game(hand(), hand()), option=orjson.OPT_INDENT_2), ["x.json"]),
    "a list of one": (b"[" + ONE + b"]", ["x.json"]),
    "a list": (b"[" + ONE + b",\n" + ONE + b"]", ["x.json#1", "x.json#2"]),
    "a pretty-printed list": (
        orjson.dumps([game(hand())] * 2, option=orjson.OPT_INDENT_2),
        ["x.json#1", "x.json#2"],
    ),
    "lines": (ONE + b"\n" + ONE, ["x.json:1", "x.json:2"]),
    "lines with blank ones": (b"\n" + ONE + b"\r\n\n" + ONE + b"\n\n", ["x.json:2", "x.json:4"]),
    "one line after a blank one": (b"\n" + ONE + b"\n", ["x.json"]),
    "lists on lines": (
        b"[" + ONE + b"," + ONE + b"]\n" + ONE,
        ["x.json:1#1", "x.json:1#2", "x.json:2"],
    ),
    "a link": (LINK + ONE, ["x.json"]),
    "a link, percent-encoded": (LINK + quote(ONE).encode(), ["x.json"]),
    "a link with parameters behind": (LINK + quote(ONE).encode() + b"&ts=3&tw=1", ["x.json"]),
    "the end of a link": (b"#json=" + ONE, ["x.json"]),
    "links on lines": (LINK + ONE + b"\n" + LINK + quote(ONE).encode(), ["x.json:1", "x.json:2"]),
}


@each_row("case", FORMS)
def test_forms(case: str) -> None:
    text, locations = FORMS[case]
    batch = read_text(text, "x.json")
    assert faults(batch) == []
    assert batch.games.source.tolist() == locations
    assert sniff(text) == Format.TENHOU6


def test_a_piece_of_a_big_file_goes_on_counting_lines() -> None:
    batch = read_text(ONE + b"\n", "x.json", first_index=7, whole=False)
    assert batch.games.source.tolist() == ["x.json:8"]


BROKEN: dict[str, tuple[bytes, list[str]]] = {
    "nothing": (b"", ["x.json"]),
    "cut off": (ONE[:-20], ["x.json"]),
    "cut off, pretty-printed": (orjson.dumps(game(hand()), option=orjson.OPT_INDENT_2)[:-20], ["x.json"]),
    "a bomb of brackets": (b"[" * 100_000, ["x.json"]),
    "a bomb inside": (ONE[:-1] + b',"x":' + b"[" * 5000 + b"]" * 5000 + b"}", ["x.json"]),
    "not UTF-8": (ONE.replace(b"Ann", b"\xff\xfe"), ["x.json"]),
    "NaN": (ONE.replace(b"25000", b"NaN", 1), ["x.json"]),
    "a number": (b"5", ["x.json"]),
    "null": (b"null", ["x.json"]),
    "an empty list": (b"[]", ["x.json"]),
    "a list of nothing": (b"[null, 5]", ["x.json#1", "x.json#2"]),
    "an empty link": (LINK, ["x.json"]),
    "a broken line": (ONE[:-20] + b"\n" + ONE + b"\n" + ONE, ["x.json:1"]),
    "a broken last line": (ONE + b"\n" + ONE[:-20], ["x.json:2"]),
    "no log": (b'{"name": []}', ["x.json"]),
    "an empty log": (b'{"log": []}', ["x.json"]),
    "a log of text": (b'{"log": "many"}', ["x.json"]),
}


@each_row("case", BROKEN)
def test_broken_text(case: str) -> None:
    text, locations = BROKEN[case]
    batch = read_text(text, "x.json")
    assert [source for source, code in zip(batch.faults.source, batch.faults.code, strict=True) if code] == (
        locations
    )
    assert len(batch) == (text.count(b'"log":[[') - 1 if "line" in case else 0)


def test_text_known_to_be_cut_off_is_not_told_again() -> None:
    batch = read_text(ONE + b"\n" + ONE[:-20], "x.json", cut=True)
    assert (len(batch), faults(batch)) == (1, [])
    assert faults(read_text(ONE[:-20], cut=True)) == []


# --- a hand that cannot be read ------------------------------------------------------------------------


WRONG_HANDS: dict[str, tuple[tuple[int, ...], Any, str, str]] = {
    "round missing": ((0,), None, "[0]", "V101"),
    "round of two numbers": ((0,), [0, 0], "[0]", "V105"),
    "round beyond north": ((0, 0), 64, "[0]", "V105"),
    "negative honba": ((0, 1), -1, "[0]", "V105"),
    "sticks as a text": ((0, 2), "1", "[0]", "V105"),
    "half a stick": ((0, 2), 0.5, "[0]", "V105"),
    "scores as a text": ((1,), "25000", "[1]", "V101"),
    "three scores": ((1,), [25000] * 3, "[1]", "V105"),
    "a score that is none": ((1, 2), None, "[1]", "V105"),
    "a score beyond all bounds": ((1, 2), 1e308, "[1]", "V105"),
    "a huge whole score": ((1, 2), 2**62, "[1]", "V105"),
    "true is not a score": ((1, 2), True, "[1]", "V105"),
    "dora of no tile": ((2,), [0], "[2]", "V105"),
    "dora as a number": ((2,), 34, "[2]", "V101"),
    "six dora": ((2,), [34] * 6, "[2]", "V105"),
    "ura of lists": ((3,), [[34]], "[3]", "V105"),
    "deal missing": ((4,), None, "[4]", "V101"),
    "twelve tiles": ((7,), DEAL[:12], "[7]", "V104"),
    "nobody is dealt tiles in seat 1": ((7,), [], "[7]", "V104"),
    "a dealt tile that is none": ((10, 3), 10, "[10]", "V105"),
    "taken as a number": ((5,), 3, "[5]", "V101"),
    "given up as an object": ((9,), {}, "[9]", "V101"),
    "result as a text": ((16,), "和了", "[16]", "V101"),
    "result without a name": ((16,), [None], "[16][0]", "V101"),
    "win without details": ((16,), ["和了"], "[16][2]", "V102"),
    "win with changes only": ((16,), ["和了", SCORES], "[16][2]", "V102"),
    "changes twice": ((16,), ["和了", SCORES, [1, 0, 1], SCORES], "[16]", "V102"),
    "win by four": ((16,), ["和了", *[SCORES, [1, 0, 1]] * 4], "[16]", "V102"),
    "win by nobody": ((16,), ["和了", SCORES, [4, 0, 0]], "[16][2]", "V105"),
    "win without seats": ((16,), ["和了", SCORES, []], "[16][2]", "V102"),
    "nobody is liable twice": ((16,), ["和了", SCORES, [1, 0, -2]], "[16][2]", "V105"),
    "win as a text": ((16,), ["和了", SCORES, "1"], "[16][2]", "V101"),
    "changes as a text": ((16,), ["和了", "1000", [1, 0, 1]], "[16][1]", "V101"),
    "value as a number": ((16,), ["和了", SCORES, [1, 0, 1, 8000]], "[16][2]", "V101"),
    "yaku as a number": ((16,), ["和了", SCORES, [1, 0, 1, "満貫8000点", 8]], "[16][2]", "V101"),
    "yaku without end": (
        (16,), ["和了", SCORES, [1, 0, 1, "満貫8000点", *["立直(1飜)"] * 30]], "[16][2]", "V105"
    ),
    "draw with changes of nobody": ((16,), ["流局", [1, 2]], "[16][1]", "V105"),
}  # fmt: skip


@each_row("case", WRONG_HANDS)
def test_wrong_hands(case: str) -> None:
    path, value, place, code = WRONG_HANDS[case]
    wrong = hand(DISCARD)
    cells: Any = wrong
    for index in path[:-1]:
        cells = cells[index]
    cells[path[-1]] = value
    batch = read(game(hand(), hand(), wrong, hand()))
    assert faults(batch) == [(f"log[2]{place}", code)]
    assert batch.faults.hint[0]
    is_told_start = path[0] < 4  # round, scores, indicators: what later hands depend on
    assert len(batch.hands) == (2 if is_told_start else 4)
    assert batch.games.is_cut[0] == is_told_start
    if not is_told_start:
        assert batch.hands.end.tolist() == [HandEnd.KYUUSHU] * 2 + [HandEnd.UNFINISHED, HandEnd.KYUUSHU]
        assert (len(batch.wins), len(batch.hand_draws)) == (0, 3)


SHORT_RESULTS: dict[str, tuple[list[Any], tuple[int, ...], list[int] | None]] = {
    "who and from whom": ([SCORES, [1, 0]], (1, 0, UNSTATED_SEAT), SCORES),
    "who alone": ([SCORES, [1]], (1, 0, UNSTATED_SEAT), SCORES),
    "null instead of who is liable": ([SCORES, [1, 0, None]], (1, 0, UNSTATED_SEAT), SCORES),
    "-1 instead of who is liable": ([SCORES, [1, 0, -1]], (1, 0, NO_SEAT), SCORES),
    "changes that are null": ([None, [1, 0, 1]], (1, 0, NO_SEAT), None),
    "changes alone": ([[-1000, 0, 1000, 0]], (2, 0, UNSTATED_SEAT), [-1000, 0, 1000, 0]),
}


@each_row("case", SHORT_RESULTS)
def test_a_short_result_of_a_ron(case: str) -> None:
    """What is left out is unknown, unless the last move shows it."""
    result, seats, deltas = SHORT_RESULTS[case]
    batch = read(game(hand(DISCARD, result=["和了", *result]), hand()))
    assert faults(batch) == []
    wins = batch.wins
    assert (wins.seat[0], wins.source[0], wins.liable[0]) == seats
    assert wins.deltas[0].tolist() == (deltas or [UNKNOWN_POINTS] * 4)
    assert (wins.points[0], wins.fu[0], wins.yaku[0, 0]) == (UNKNOWN_POINTS, -1, NO_YAKU)
    assert wins.tile[0] != NO_TILE
    assert len(batch.hands) == 2


@pytest.mark.parametrize("result", [[], [SCORES], [None, []], [SCORES, [0]]])
def test_a_short_result_of_a_tsumo(result: list[Any]) -> None:
    """A drawn tile that is kept shows the winner."""
    batch = read(game(hand({0: ([11], [])}, result=["和了", *result]), hand()))
    assert faults(batch) == []
    assert (batch.wins.seat[0], batch.wins.source[0], batch.wins.tile[0]) == (0, 0, 0)


@each_row("wrong", [None, 5, "hand", {}, [], hand()[:15], [*hand(), 1]])
def test_what_is_no_hand(wrong: Any) -> None:
    batch = read(game(hand(), wrong))
    assert [place for place, _ in faults(batch)] == ["log[1]"]
    assert len(batch.hands) == 1


def test_a_hand_without_a_result_is_unfinished() -> None:
    batch = read(game(hand(), hand(DISCARD)[:16]))
    assert faults(batch) == []
    assert batch.hands.end.tolist() == [HandEnd.KYUUSHU, HandEnd.UNFINISHED]
    assert batch.games.is_cut[0]


def test_seats_of_three_and_four_players_do_not_mix() -> None:
    sanma = hand(players=3)
    assert faults(read(game(sanma, hand()))) == [("log[1][13]", "V104")]
    assert faults(read(game(hand(), sanma))) == [("log[1][13]", "V104")]
    assert faults(read(game(hand(players=3, start=(3, 0, 0))))) == [("log[0][0]", "V105")]


# --- anything at all -----------------------------------------------------------------------------------


@given(st.integers(0, len(ONE)), st.binary(min_size=1, max_size=4))
def test_a_game_with_other_bytes_in_it(at: int, other: bytes) -> None:
    batch = read_text(ONE[:at] + other + ONE[at + len(other) :])
    assert len(batch) or len(batch.faults)
