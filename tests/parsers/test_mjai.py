"""mjai: the dialects, what each leaves out, and broken input."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from each_row import each_row
from mjai_games import DEAL, END, END_HAND, NAMES, cut, draw, event, hand, lines, play, read, read_text, start
from tenhou6_games import faults, story

from paifu.parsers.mjai import names as mjai
from paifu.parsers.mjai.games import KNOWN
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format, sniff
from paifu.parsers.sources.documents import InputLimits
from paifu.parsers.sources.paths import iter_documents
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.scoring.yaku import YAKU
from paifu.replay.table.engine import replay

# --- moves ---------------------------------------------------------------------------------------------


def test_a_hand_in_words() -> None:
    batch = play(
        draw(0, "5mr"),
        event("reach", actor=0),
        cut(0, "5mr"),
        event("reach_accepted", actor=0),
        event("chi", actor=1, target=0, pai="5mr", consumed=["4m", "6m"]),
        cut(1, "P", tsumogiri=False),
        event("pon", actor=3, target=1, pai="P", consumed=["P", "P"]),
        cut(3, "9s", tsumogiri=False),
        draw(0, "P"),
        event("kakan", actor=3, pai="P", consumed=["P", "P", "P"]),
        event("dora", dora_marker="C"),
        event("daiminkan", actor=2, target=0, pai="1m", consumed=["1m"] * 3),
        event("ankan", actor=2, consumed=["E"] * 4),
    )
    assert story(batch) == [
        "0 draw 0m",
        "0 riichi",
        "0 cut 0m*",
        "0 paid",
        "1 chi 0m from 0 with 4m6m",
        "1 cut 5z",
        "3 pon 5z from 1 with 5z5z",
        "3 cut 9s",
        "0 draw 5z",
        "3 added kan 5z from 1 with 5z5z5z",
        "dora 7z",
        "2 open kan 1m from 0 with 1m1m1m",
        "2 closed kan 1z with 1z1z1z",
    ]
    assert batch.games.is_cut[0]
    assert batch.hands.end[0] == HandEnd.UNFINISHED


@pytest.mark.parametrize("word", ["kita", "nukidora"])
def test_a_north_is_set_aside(word: str) -> None:
    batch = read(start(names=["a", "b", "c"]), hand(3), draw(0, "N"), event(word, actor=0, pai="N"))
    assert story(batch) == ["0 draw 4z", "0 kita 4z"]
    assert (batch.games.players[0], batch.games.ruleset[0]) == (3, "tenhou-sanma")
    assert batch.games.names[0].tolist() == ["a", "b", "c", ""]


@pytest.mark.parametrize(
    "fields",
    [
        {"tehais": [DEAL] * 3, "scores": [35000] * 3},
        {"tehais": [DEAL] * 3 + [[]], "scores": [35000] * 3 + [0]},
        {"tehais": [DEAL] * 3 + [["?"] * 13], "scores": [35000] * 3 + [0]},
    ],
)
def test_three_players(fields: dict[str, Any]) -> None:
    batch = read(start(), hand(**fields))
    assert batch.games.players[0] == 3
    assert (batch.hands.dealt[0, 3] == NO_TILE).all()
    assert batch.hands.scores[0].tolist() == [35000, 35000, 35000, 0]


def test_three_hidden_hands_are_no_three_players() -> None:
    batch = read(start(), hand(tehais=[DEAL] + [["?"] * 13] * 3, scores=[25000, 25000, 25000, 0]))
    assert batch.games.players[0] == 4


def test_seats_are_turned_so_that_0_deals_first() -> None:
    """In the second round the file's seat 3 deals, so it was 2 in the first: that is seat 0."""
    deals = [[tile] * 13 for tile in ("1m", "2m", "3m", "4m")]
    batch = read(
        start(),
        hand(kyoku=2, oya=3, scores=[1000, 2000, 3000, 4000], tehais=deals),
        draw(3),
        cut(3),
        event("pon", actor=1, target=3, pai="9m", consumed=["9m", "9m"]),
        cut(1, "2m"),
        event("hora", actor=2, target=1, deltas=[1, -2, 1, 0], scores=[1001, 1998, 3001, 4000]),
        event("end_game", scores=[1, 2, 3, 4]),
    )
    assert faults(batch) == []
    assert batch.hands.dealer[0] == 1
    assert batch.hands.scores[0].tolist() == [3000, 4000, 1000, 2000]
    assert batch.hands.dealt[0, :, 0].tolist() == [2, 3, 0, 1]
    assert batch.games.names[0].tolist() == ["Cat", "Dan", "Ann", "Ben"]
    assert batch.games.final_scores[0].tolist() == [3, 4, 1, 2]
    assert story(batch)[:3] == ["1 draw 9m", "1 cut 9m*", "3 pon 9m from 1 with 9m9m"]
    assert (batch.wins.seat[0], batch.wins.source[0]) == (0, 3)
    assert batch.wins.deltas[0].tolist() == [1, 0, 1, -2]
    assert batch.wins.scores[0].tolist() == [3000, 4000, 1000, 2000]


def test_a_discard_behind_a_call_is_not_the_tile_just_drawn() -> None:
    """Nor is one before anything was drawn. The log does not say which it is."""
    called = event("pon", actor=2, target=0, pai="9m", consumed=["9m", "9m"])
    first, behind = event("dahai", actor=0, pai="9m"), event("dahai", actor=2, pai="1m")
    batch = read(start(), hand(), first, called, behind)
    discards = batch.events.kind == EventKind.DISCARD
    assert (batch.events.flags[discards] & EventFlag.TSUMOGIRI).tolist() == [0, 0]


def test_a_file_may_be_named_for_its_game() -> None:
    id_ = "2022010503gm-00b9-0000-6ebd44bf"
    location = f"2021010503gm-00b9-0000-6ebd44bf/{id_}.mjson"
    games = read_text(lines(start(), hand()), location).games
    assert (games.id[0], games.started[0]) == (id_, "2022-01-05T03")


def test_the_deal_goes_round_with_turned_seats() -> None:
    """The file's seat 1 deals first."""
    batch = read(start(), hand(oya=1), hand(kyoku=2, oya=2), hand(kyoku=4, oya=0), hand(bakaze="S", oya=1))
    assert faults(batch) == []
    assert batch.hands.dealer.tolist() == [0, 1, 3, 0]
    assert batch.hands.round.tolist() == [0, 1, 3, 4]


@pytest.mark.parametrize(("held", "mark"), [("8m", EventFlag.TSUMOGIRI), ("9m", 0)])
def test_a_discard_without_a_mark(held: str, mark: int) -> None:
    """It is the tile just drawn if the player holds no other such; otherwise nobody knows."""
    batch = play(draw(0), cut(0, tsumogiri=None), tehais=[[held, *DEAL[1:]]] + [DEAL] * 3)
    assert batch.events.flags[1] == mark


@pytest.mark.parametrize(("held", "mark"), [("8m", EventFlag.TSUMOGIRI), ("9m", 0)])
def test_the_dealers_first_discard_marked_as_from_the_hand(held: str, mark: int) -> None:
    """As Mahjong Soul shows it, and simulators under its rules: always so, even if it was just drawn."""
    first, later = draw(0), draw(1)
    tehais = [[held, *DEAL[1:]]] + [DEAL] * 3
    batch = play(first, cut(0, tsumogiri=False), later, cut(1, tsumogiri=False), tehais=tehais)
    assert batch.events.flags[[1, 3]].tolist() == [mark, 0]
    batch = play(first, event("reach", actor=0), cut(0, tsumogiri=False), tehais=tehais)
    assert batch.events.flags[2] == mark


def test_a_deal_told_seat_by_seat() -> None:
    deals = [event("haipai", actor=seat, pais=[f"{seat + 1}m"] * 13) for seat in range(4)]
    batch = read(start(), {**hand(), "tehais": None}, *deals, draw(0))
    assert batch.hands.dealt[0, :, 12].tolist() == [0, 1, 2, 3]


def test_hidden_tiles() -> None:
    batch = play(draw(0, "?"), cut(0, "3p"), tehais=[["?"] * 13] * 3 + [DEAL])
    assert (batch.hands.dealt[0, :3] == NO_TILE).all()
    assert batch.events.tile.tolist() == [NO_TILE, 11]


# --- wins ----------------------------------------------------------------------------------------------

FULL = {
    "pai": "E", "hora_tehais": DEAL[:9] + ["P"] * 3 + ["E"], "fu": 40, "fan": 3, "hora_points": 7700,
    "yakus": [["sangenpai", 1], ["bakaze", 1], ["jikaze", 1], ["dora", 2], ["akadora", 1]],
    "deltas": [7700, -7700, 0, 0], "scores": [32700, 17300, 25000, 25000], "uradora_markers": [],
}  # fmt: skip


def test_a_win_that_states_everything() -> None:
    wins = play(draw(0), cut(0), draw(1, "E"), cut(1, "E"), event("hora", actor=0, target=1, **FULL)).wins
    assert (wins.seat[0], wins.source[0], wins.tile[0]) == (0, 1, 27)
    assert (wins.fu[0], wins.points[0], wins.limit[0]) == (40, 7700, 255)
    assert wins.yaku[0, :5].tolist() == [18, 14, 10, 52, 54]
    assert wins.han[0, :5].tolist() == [1, 1, 1, 2, 1]
    assert np.count_nonzero(wins.tiles[0] != NO_TILE) == 14
    assert wins.scores[0].tolist() == [25000] * 4
    assert wins.liable[0] == NO_SEAT


def test_a_win_that_states_nothing_but_the_winner() -> None:
    wins = play(draw(0), cut(0), draw(1, "E"), cut(1, "E"), event("hora", actor=0, target=1)).wins
    assert (wins.tile[0], wins.fu[0], wins.points[0]) == (27, -1, UNKNOWN_POINTS)
    assert (wins.deltas[0] == UNKNOWN_POINTS).all()


@pytest.mark.parametrize(
    ("moves", "target", "tile"),
    [
        ([draw(0, "3s")], 0, 20),
        ([draw(0, "3s"), cut(0, "4s")], 0, 21),
        ([draw(0, "3s"), event("ankan", actor=0, consumed=["C"] * 4)], 0, 33),
        ([draw(0, "N"), event("kita", actor=0)], 0, 30),
    ],
)
def test_the_winning_tile_is_what_was_shown_last(moves: list[Any], target: int, tile: int) -> None:
    winner = 0 if moves[-1]["type"] == "tsumo" else 2
    assert play(*moves, event("hora", actor=winner, target=target)).wins.tile[0] == tile


@each_row(
    ("word", "tiles", "tile", "number"),
    [
        ("suanko", "1m1m1m2m2m2m3m3m3m4m4m4m5m", "5m", 41),
        ("suanko", "1m1m1m2m2m2m3m3m3m4m4m5m5m", "5m", 40),
        ("churenpoton", "1m1m1m2m3m4m5m6m7m8m9m9m9m", "4m", 46),
        ("churenpoton", "1m1m1m2m3m4m4m5m6m7m8m9m9m", "9m", 45),
        ("kokushimuso", "1m9m1p9p1s9sESWNPFC", "C", 48),
        ("kokushimuso", "1m9m1p9p1s9sESWNPFF", "C", 47),
    ],
)
def test_one_word_for_both_forms_of_a_yakuman(word: str, tiles: str, tile: str, number: int) -> None:
    names = list(_split(tiles))
    assert len(names) == 13
    win = event("hora", actor=0, target=0, pai=tile, hora_tehais=names, yakus=[[word, 100]])
    wins = play(draw(0, tile), win).wins
    assert (wins.yaku[0, 0], wins.han[0, 0]) == (number, 13)


def _split(text: str) -> list[str]:
    names: list[str] = []
    while text:
        size = 2 if text[0].isdigit() else 1
        names.append(text[:size])
        text = text[size:]
    return names


@pytest.mark.parametrize(
    ("source", "deltas", "liable"),
    [
        (0, [48000, -48000, 0, 0], 1),
        (0, [48000, -16000, -16000, -16000], NO_SEAT),
        (2, [48000, -24000, -24000, 0], 1),
        (2, [48000, 0, -48000, 0], NO_SEAT),
    ],
)
def test_who_is_liable_shows_in_the_changes(source: int, deltas: list[int], liable: int) -> None:
    moves = [draw(source), *([cut(source)] if source else [])]
    wins = play(*moves, event("hora", actor=0, target=source, deltas=deltas)).wins
    assert wins.liable[0] == liable


def test_three_dragons_share_a_word() -> None:
    pon = [event("pon", actor=0, target=1, pai=pai, consumed=[pai] * 2) for pai in ("P", "C")]
    win = event("hora", actor=0, target=0, hora_tehais=["F"] * 3 + ["1m"], pai="1m", yakus=[["sangenpai", 3]])
    wins = play(*pon, draw(0, "1m"), win).wins
    assert wins.yaku[0, :4].tolist() == [18, 19, 20, 255]


def test_yaku_that_are_looked_up_say_what_they_say() -> None:
    """The same words are other yaku with other tiles, and of another seat."""
    for pai, number in (("P", 18), ("C", 20), ("2m", 255)):
        pon = event("pon", actor=0, target=1, pai=pai, consumed=[pai] * 2)
        won = play(pon, draw(0), event("hora", actor=0, target=0, yakus=[["sangenpai", 1]]))
        assert won.wins.yaku[0, 0] == number
    for seat in (0, 1, 0):
        won = play(draw(seat), event("hora", actor=seat, target=seat, yakus=[["jikaze", 1]]))
        assert won.wins.yaku[0, 0] == 10 + seat
    for odd in (b'[["jikaze",true]]', b"[" * 300 + b"]" * 300):
        text = lines(start(), hand(), draw(0), event("hora", actor=0, target=0, yakus="yakus"))
        assert faults(read_text(text.replace(b'"yakus"}', odd + b"}"))) == [("line 4 hora yakus[0]", "V105")]


# --- draws ---------------------------------------------------------------------------------------------

TURN = [draw(0), cut(0), draw(1), cut(1), draw(2), cut(2), draw(3), cut(3)]
RIICHI = [
    line
    for seat in range(4)
    for line in (draw(seat), event("reach", actor=seat), cut(seat), event("reach_accepted", actor=seat))
]
WHOLE_WALL = [line for turn in range(70) for line in (draw(turn % 4), cut(turn % 4))]


@each_row(
    ("moves", "fields", "kind"),
    [
        (WHOLE_WALL, {}, HandEnd.EXHAUSTIVE),
        (WHOLE_WALL, {"deltas": [1500, 1500, -1500, -1500]}, HandEnd.EXHAUSTIVE),
        (WHOLE_WALL, {"deltas": [8000, -4000, -2000, -2000]}, HandEnd.NAGASHI),
        ([*TURN[:-2], draw(3)], {}, HandEnd.KYUUSHU),
        ([{**line, "pai": "S"} for line in TURN], {}, HandEnd.SUUFON),
        (RIICHI, {}, HandEnd.SUUCHA),
        ([event("ankan", actor=seat, consumed=["1m"] * 4) for seat in range(4)], {}, HandEnd.SUUKAIKAN),
        (TURN, {}, HandEnd.UNKNOWN_DRAW),
        (RIICHI[:-1], {}, HandEnd.UNKNOWN_DRAW),
        (TURN, {"reason": "fanpai"}, HandEnd.EXHAUSTIVE),
        (TURN, {"reason": "sanchaho"}, HandEnd.SANCHAHOU),
        (TURN, {"reason": "kyushukyuhai", "actor": 0}, HandEnd.KYUUSHU),
    ],
)
def test_kinds_of_draws(moves: list[Any], fields: dict[str, Any], kind: HandEnd) -> None:
    assert play(*moves, event("ryukyoku", **fields)).hands.end[0] == kind


def test_the_fourth_riichi_is_paid_though_no_line_says_so() -> None:
    batch = play(*RIICHI[:-1], event("ryukyoku", reason="suchareach"))
    assert np.count_nonzero(batch.events.kind == EventKind.RIICHI_PAID) == 4


def test_who_was_tenpai() -> None:
    changes = {"deltas": [1500, 1500, -1500, -1500], "scores": [26500, 26500, 23500, 23500]}
    stated = event("ryukyoku", reason="fanpai", tenpais=[True, True, False, False], **changes)
    shown = [DEAL, ["?"] * 13, ["?"] * 13, DEAL[:4]]
    draws = play(*TURN, {**stated, "tehais": shown}).hand_draws
    assert draws.tenpai[0].tolist() == [1, 1, 0, 0]
    assert (draws.shown[0] != NO_TILE).sum(axis=1).tolist() == [13, 0, 0, 4]
    assert draws.scores[0].tolist() == [25000] * 4
    by_changes = play(*WHOLE_WALL, event("ryukyoku", deltas=changes["deltas"])).hand_draws
    assert by_changes.tenpai[0].tolist() == [1, 1, 0, 0]


# --- scores that a dialect does not state ---------------------------------------------------------------


def test_scores_at_the_start_follow_from_those_after() -> None:
    old = hand()
    del old["scores"], old["kyotaku"]
    paid = event("reach_accepted", actor=0, deltas=[-1000, 0, 0, 0], scores=[24000, 25000, 25000, 25000])
    end = event("ryukyoku", deltas=[0] * 4, scores=[24000, 25000, 25000, 25000])
    win = event("hora", actor=0, target=0, deltas=[4000, -1000, -1000, -1000])
    batch = read(start(), old, draw(0), event("reach", actor=0), cut(0), paid, end, END_HAND, old, draw(0),
                 win, END_HAND, old)  # fmt: skip
    assert batch.hands.scores.tolist() == [
        [25000] * 4,
        [24000, 25000, 25000, 25000],
        [28000, 24000, 24000, 24000],
    ]
    assert batch.hands.sticks.tolist() == [0, 1, 0]


def test_scores_that_nothing_states_are_unknown() -> None:
    old = {**hand(), "scores": None}
    assert (read(start(), old, draw(0)).hands.scores[0] == UNKNOWN_POINTS).all()


# --- what surrounds the hands --------------------------------------------------------------------------


def test_header() -> None:
    uri = "http://tenhou.net/0/?log=2022010503gm-00b9-0000-6ebd44bf&tw=0"
    batch = read(start(uri=uri, seed=[7, 8], gametype="tonpu"), hand(), draw(0))
    games = batch.games
    assert (games.id[0], games.started[0]) == ("2022010503gm-00b9-0000-6ebd44bf", "2022-01-05T03")
    assert (games.seed[0], games.rule[0], games.format[0]) == ("mortal,7,8", "tonpu", "mjai")
    assert games.overrides[0] == '{"max_wind_rounds":2,"rounding":"nearest","wind_rounds":1}'
    later = read(start(uri=uri.replace("2022010503", "2022060103"), gametype="tonpu"), hand(), draw(0))
    assert later.games.overrides[0] == '{"max_wind_rounds":2,"wind_rounds":1}'
    assert games.names[0].tolist() == NAMES


def test_red_fives_are_those_that_show() -> None:
    fives = [["5m"] * 4 + DEAL[4:]] + [DEAL] * 3
    none = play(draw(0), tehais=fives)
    assert none.games.overrides[0] == '{"red_man":0,"red_pin":0,"red_sou":0}'
    assert play(draw(0, "5pr"), tehais=fives).games.overrides[0] == '{"red_man":0}'
    assert play(draw(0, "5pr"), draw(0, "5pr")).games.overrides[0] == '{"red_pin":2}'
    assert play(draw(0)).games.overrides[0] == ""


def test_no_set_has_five_red_fives_of_a_suit() -> None:
    """The rules can be made all the same, and the fifth is told as a tile too many."""
    batch = play(draw(0, "5mr"), tehais=[["5mr"] * 4 + DEAL[4:]] + [DEAL] * 3)
    assert batch.games.overrides[0].startswith('{"red_man":4')
    assert 103 in replay(batch).findings.code


def test_a_later_hand_may_show_a_second_red_five() -> None:
    one_each = [draw(0, "5mr"), cut(0, "5mr"), draw(1, "5pr"), cut(1, "5pr"), draw(2, "5sr"), END_HAND]
    two = [draw(0, "5pr"), cut(0, "5pr"), draw(1, "5pr"), END_HAND]
    assert read(start(), hand(), *one_each, hand(), *two).games.overrides[0] == '{"red_pin":2}'


def test_an_east_game_ends_before_the_south_round() -> None:
    win = event("hora", actor=0, target=0, deltas=[3000, -1000, -1000, -1000])
    east = read(start(), hand(kyoku=4), draw(0), win, END_HAND, END)
    assert east.games.overrides[0] == '{"max_wind_rounds":2,"wind_rounds":1}'
    one_hand = read(start(), hand(), draw(0), win, END_HAND, END)
    assert one_hand.games.overrides[0] == "", "a log of one hand does not say how long the game is"
    broke = read(start(), hand(scores=[75000, 500, 24000, 500]), draw(0), win, END_HAND, END)
    assert broke.games.overrides[0] == ""
    assert not broke.games.is_cut[0]


# --- layouts -------------------------------------------------------------------------------------------

GAME = [start(), hand(), draw(0), cut(0), event("ryukyoku", reason="fanpai"), END_HAND, END]
LAYOUTS = {
    "a line each": lines(*GAME),
    "with empty lines": lines(*GAME).replace(b"\n", b"\n\n"),
    "with a byte-order mark and carriage returns": b"\xef\xbb\xbf" + lines(*GAME).replace(b"\n", b"\r\n"),
    "lists": lines(GAME[:3], GAME[3:]),
    "one list": orjson.dumps(GAME),
    "one list over many lines": orjson.dumps(GAME, option=orjson.OPT_INDENT_2),
    "lists in a list": orjson.dumps([GAME[:3], GAME[3:]]),
    "with words of the protocol": lines({"type": "hello"}, *GAME[:3], {"type": "none"}, *GAME[3:]),
    "without its beginning": lines(*GAME[1:]),
    "a report": orjson.dumps({"engine": "x", "mjai_log": GAME, "review": {}}),
    "with what bots add": lines(*({**line, "meta": {"q_values": [0.5]}, "logs": [None]} for line in GAME)),
}


@each_row("case", LAYOUTS)
def test_layouts(case: str) -> None:
    text = LAYOUTS[case]
    assert sniff(text) is Format.MJAI
    batch = read_text(text)
    assert faults(batch) == []
    assert (len(batch), story(batch)) == (1, ["0 draw 9m", "0 cut 9m*", "end"])
    assert not batch.games.is_cut[0]
    assert batch.games.source[0] == "some.mjson"


def test_several_games_in_a_file() -> None:
    batch = read(*GAME, *GAME[1:], *GAME)
    assert batch.games.source.tolist() == ["some.mjson#1", "some.mjson#2", "some.mjson#3"]
    assert batch.games.is_cut.tolist() == [False] * 3


def test_a_big_file_is_cut_between_games(tmp_path: Path) -> None:
    path = tmp_path / "big.mjson"
    path.write_bytes(lines(*GAME) * 50)
    limits = InputLimits(piece=5000)
    pieces = list(iter_documents([path], limits=limits))
    assert len(pieces) > 3
    batch = read_unit(pieces)
    assert faults(batch) == []
    assert batch.games.source.tolist() == [f"{path}#{number}" for number in range(1, 51)]


def test_from_a_gzip(tmp_path: Path) -> None:
    path = tmp_path / "2022010503gm-00b9-0000-6ebd44bf.mjson"
    path.write_bytes(gzip.compress(lines(*GAME)))
    batch = Batch.concatenate(read_batches([path]))
    assert batch.games.id.tolist() == ["2022010503gm-00b9-0000-6ebd44bf"]


def test_lines_that_are_looked_up_say_what_they_say() -> None:
    """A game whose seats are turned must not take over lines of one whose seats are not, nor the reverse."""
    moves = [draw(0, "8p"), cut(0, "8p"), draw(1, "7p"), cut(1, "7p")]
    for _ in range(2):
        assert story(play(*moves))[0] == "0 draw 8p"
        assert story(play(*moves, oya=1))[0] == "3 draw 8p"
        assert story(read(start(names=["a", "b", "c"]), hand(3, oya=1), *moves))[0] == "2 draw 8p"
    assert orjson.dumps(draw(0, "8p")) in KNOWN[4]


def test_a_seat_too_many_is_refused_even_if_its_line_is_known() -> None:
    known = cut(3, "8p")
    play(draw(3, "8p"), known)
    batch = read(start(names=["a", "b", "c"]), hand(3), draw(0), known)
    assert faults(batch) == [("line 4 dahai", "V105")]


# --- broken input --------------------------------------------------------------------------------------

BROKEN: dict[str, tuple[list[Any], str, str]] = {
    "a number": ([5], "V102", "line 3"),
    "an event without a type": ([{"actor": 0}], "V102", "line 3"),
    "a seat that is none": ([draw(4)], "V105", "line 3 tsumo"),
    "a seat that is a text": ([event("tsumo", actor="0", pai="1m")], "V105", "line 3 tsumo"),
    "a tile that is none": ([draw(0, "10m")], "V105", "line 3 tsumo"),
    "a tile that is a list": ([{**draw(0), "pai": ["1m"]}], "V105", "line 3 tsumo"),
    "a hidden discard": ([draw(0), cut(0, "?")], "V105", "line 4 dahai"),
    "a chi of two": ([event("chi", actor=1, target=0, pai="1m", consumed=["2m"])], "V105", "line 3 chi"),
    "a kan added to nothing": ([event("kakan", actor=1, pai="1m")], "V102", "line 3 kakan"),
    "a dragon set aside": ([event("kita", actor=1, pai="P")], "V105", "line 3 kita"),
    "points beyond all bounds": (
        [draw(0), event("hora", actor=0, target=0, deltas=[10**9, 0, 0, 0])], "V105", "line 4 hora"
    ),
    "changes of two": ([draw(0), event("hora", actor=0, target=0, deltas=[1, 2])], "V105", "line 4 hora"),
    "yaku that are numbers": (
        [draw(0), event("hora", actor=0, target=0, yakus=[1])], "V105", "line 4 hora yakus[0]"
    ),
    "a round that is none": ([hand(kyoku=5)], "V105", "line 3 start_kyoku"),
    "a wind that is none": ([hand(bakaze="P")], "V105", "line 3 start_kyoku"),
    "a deal of twelve": ([hand(tehais=[DEAL[1:]] * 4)], "V104", "line 3 start_kyoku"),
    "two hands": ([hand(tehais=[DEAL] * 2)], "V104", "line 3 start_kyoku"),
}  # fmt: skip


@each_row("case", BROKEN)
def test_what_cannot_be_read_costs_no_more_than_its_game(case: str) -> None:
    events, code, place = BROKEN[case]
    batch = read(start(), hand(), *events, draw(1, "9p"), END, *GAME)
    assert faults(batch) == [(place, code)]
    assert "read" in batch.faults.hint[0] or "kept" in batch.faults.hint[0]
    assert batch.games.is_cut.tolist() == [True, False]
    assert "1 draw 9p" not in story(batch)


YAKU_WORDS = {
    "menzenchin_tsumoho": "menzen tsumo", "reach": "riichi", "ippatsu": "ippatsu", "chankan": "chankan",
    "rinshankaiho": "rinshan kaihou", "haiteiraoyue": "haitei", "hoteiraoyui": "houtei", "pinfu": "pinfu",
    "tanyaochu": "tanyao", "ipeko": "iipeikou", "double_reach": "double riichi", "chitoitsu": "chiitoitsu",
    "honchantaiyao": "chanta", "ikkitsukan": "ittsuu", "sanshokudojun": "sanshoku doujun",
    "sanshokudoko": "sanshoku doukou", "sankantsu": "sankantsu", "toitoiho": "toitoi", "sananko": "sanankou",
    "shosangen": "shousangen", "honroto": "honroutou", "ryanpeko": "ryanpeikou", "junchantaiyao": "junchan",
    "honiso": "honitsu", "chiniso": "chinitsu", "renho": "renhou", "tenho": "tenhou", "chiho": "chiihou",
    "daisangen": "daisangen", "suanko": "suuankou", "tsuiso": "tsuuiisou", "ryuiso": "ryuuiisou",
    "chinroto": "chinroutou", "churenpoton": "chuuren poutou", "kokushimuso": "kokushi musou",
    "daisushi": "daisuushii", "shosushi": "shousuushii", "sukantsu": "suukantsu", "dora": "dora",
    "uradora": "ura dora", "akadora": "aka dora",
}  # fmt: skip
"""What servers write -> the yaku; triplets whose tile a word does not name have no yaku of their own."""


def test_each_word_names_its_yaku() -> None:
    assert {word: YAKU[number].romaji for word, number in mjai.YAKU.items() if number >= 0} == YAKU_WORDS


def test_twenty_unknown_words_of_a_game_are_told() -> None:
    batch = read(start(), hand(), *(event(f"odd-{number}") for number in range(30)))
    assert batch.faults.reason.tolist() == [f"unknown event 'odd-{number}'" for number in range(20)]


def test_unknown_words_are_told_once_and_the_game_is_read_on() -> None:
    new = event("earthquake")
    batch = read(
        start(), hand(), new, draw(0), new, event("hora", actor=0, target=0, yakus=[["odd", 1]]), END
    )
    assert faults(batch) == [("line 3", "V102"), ("line 6", "V102")]
    assert story(batch) == ["0 draw 9m", "0 win 9m from 0"]
    assert not batch.games.is_cut[0]


def test_a_game_that_the_server_stopped() -> None:
    batch = read(start(), hand(), draw(0), event("error", message="bad move"), draw(1))
    assert faults(batch) == [("line 4", "V101")]
    assert "bad move" in batch.faults.reason[0]
    assert (story(batch), batch.games.is_cut[0]) == (["0 draw 9m"], True)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (lines(start()), "V101"),
        (lines(draw(0)), "V102"),
        (lines(*GAME)[:-10], "V101"),
        (b'{"type":"start_game"', "V101"),
    ],
)
def test_texts_that_hold_no_whole_game(text: bytes, code: str) -> None:
    batch = read_text(text)
    assert batch.faults.code.tolist() == [code]


def test_a_break_that_is_told_already_is_told_once() -> None:
    batch = read_text(lines(*GAME)[:-40], cut=True)
    assert faults(batch) == []
    assert batch.games.is_cut[0]


# --- real logs -----------------------------------------------------------------------------------------


@pytest.mark.corpus
def test_the_corpus_is_read_and_sound(shared: Path) -> None:
    folder = shared / "logs" / "mjai"
    batch = Batch.concatenate(read_batches([folder]))
    # Two games were stopped by their server.
    assert faults(batch) == [("line 535", "V101"), ("line 475", "V101")]
    assert (len(batch), len(batch.hands), len(batch.wins), len(batch.hand_draws)) == (20, 100, 80, 8)
    assert [in_words(case) for case in cases(replay(batch))] == []
