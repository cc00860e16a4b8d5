"""tenhou.net/6 JSON: the notation of moves, kan dora, results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from case_data import case_data
from each_row import each_row
from tenhou6_games import (
    DISCARD,
    SCORES,
    Moves,
    faults,
    game,
    hand,
    moves_of,
    play,
    read,
    read_hand,
    ron,
    story,
)

from paifu.parsers.tenhou6.names import StatedValue, parse_value, parse_yaku
from paifu.parsers.words import DRAW_WORDS
from paifu.replay.model.batch import NO_YAKU, UNKNOWN_POINTS, Wins
from paifu.replay.model.events import NO_SEAT, EventKind, HandEnd
from paifu.replay.model.tile_notation import parse_tile, tile_name
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.scoring.yaku import YAKU

# --- notation ------------------------------------------------------------------------------------------

TABLES = case_data("tenhou6")


@each_row("case", TABLES["notation"])
def test_notation(case: str) -> None:
    moves, expected = TABLES["notation"][case]
    assert play(moves_of(moves), players=3 if "kita" in case else 4) == expected


@pytest.mark.parametrize(
    ("text", "source", "own"),
    [("k51151515", 3, "5m5m5m"), ("15k511515", 2, "5m5m5m"), ("1515k1551", 1, "0m5m5m")],
)
def test_an_added_kan_tells_whom_the_pon_was_called_from(text: str, source: int, own: str) -> None:
    (line,) = (s for s in play({0: ([11, 12], [text, 60])}) if "kan" in s)
    tile = "0m" if "k51" in text else "5m"
    assert line == f"0 added kan {tile} from {source} with {own}"


def test_every_tile_number_means_its_tile() -> None:
    numbers = {10 * (i + 1) + n: f"{n}{'mpsz'[i]}" for i in range(4) for n in range(1, 10) if i < 3 or n < 8}
    numbers |= {51: "0m", 52: "0p", 53: "0s"}
    assert len(numbers) == 37
    for number, name in numbers.items():
        batch = read_hand({0: ([number], [60])}, dora=[number])
        assert batch.events.tile[0] == batch.events.tile[1] == batch.hands.dora[0] == parse_tile(name)
        assert (batch.events.tile_id == NO_TILE).all()


WRONG_MOVES = TABLES["wrong_moves"] | {"no tile": [{"0": [[11, None], [60, 60]]}, "[5][1]", "V105"]}


@each_row("case", WRONG_MOVES)
def test_wrong_moves(case: str) -> None:
    """A fault at its place, which costs the moves and the result of this hand, and no other hand."""
    moves, place, code = WRONG_MOVES[case]
    batch = read(game(hand(), hand(moves_of(moves)), hand()))
    assert faults(batch) == [(f"log[1]{place}", code)]
    assert batch.hands.end.tolist() == [HandEnd.KYUUSHU, HandEnd.UNFINISHED, HandEnd.KYUUSHU]
    assert batch.hands.event_begin[1] == batch.hands.event_end[1]
    assert not batch.games.is_cut.any()


def test_a_number_written_with_a_point_is_that_number_always() -> None:
    """Known moves are looked up by their numbers, so 11.0 must be 11 also when it is new."""
    for _ in range(2):
        assert play({0: ([46.0], [37.0])}) == ["0 draw 6z", "0 cut 7s"]


def test_a_fourth_seat_called_from_in_a_3_player_game() -> None:
    batch = read(game(hand({0: (["p444444"], [41])}, players=3)))
    assert faults(batch) == [("log[0][5][0]", "V105")]


# --- dora ----------------------------------------------------------------------------------------------

OTHERS: Moves = {1: ([11], [60]), 2: ([11], [60]), 3: ([11], [60])}
"""A turn of everybody else, after seat 0's first."""
PON_FIRST: Moves = {3: ([11, 46], [60, 60]), 1: ([11], [60]), 2: ([11], [60])}


@each_row("case", TABLES["dora"])
def test_dora(case: str) -> None:
    moves, dora, expected = TABLES["dora"][case]
    batch = read_hand(moves_of(moves), dora=dora)
    assert tile_name(int(batch.hands.dora[0])) == "4s"
    words = [line.lstrip("0123 ") for line in story(batch)[:-1]]
    shown = [word if word.startswith("dora") else word.rsplit(" ", word.count(" "))[0] for word in words]
    kans = {"closed": "closed kan", "added": "added kan", "open": "open kan"}
    assert ", ".join(kans.get(word, word) for word in shown) == expected


def test_a_kita_turns_an_open_kans_dora() -> None:
    moves: Moves = {0: ([11, 44, 12], ["11k111111", "f44", 60])}
    lines = play(moves, players=3, dora=[34, 21])
    assert [line for line in lines if "kita" in line or "dora" in line] == ["0 kita 4z", "dora 1p"]
    assert lines.index("dora 1p") == lines.index("0 draw 2m") - 1


def test_a_tournament_can_turn_every_dora_at_once() -> None:
    moves: Moves = {0: ([11, 12], ["k11111111", 60])}
    batch = read(game(hand(moves, dora=[34, 21]), csrule=["8"]))
    assert story(batch)[1:4] == ["0 added kan 1m from 3 with 1m1m1m", "dora 1p", "0 draw 2m"]
    assert batch.games.rule[0] == "8"


def test_no_indicator_at_all_is_unknown() -> None:
    value = game(hand())
    value["log"][0][2] = []
    assert read(value).hands.dora[0] == NO_TILE


# --- results -------------------------------------------------------------------------------------------


def test_a_ron() -> None:
    batch = read_hand(DISCARD, result=ron(), dora=[34, 35], ura=[21])
    wins = batch.wins
    assert (wins.seat[0], wins.source[0], wins.liable[0]) == (1, 0, NO_SEAT)
    assert tile_name(int(wins.tile[0])) == "4p"
    assert (wins.fu[0], wins.points[0], wins.limit[0]) == (30, 1000, 0)
    assert (wins.yaku[0, 0], wins.han[0, 0], wins.yaku[0, 1]) == (8, 1, 255)
    assert wins.deltas[0].tolist() == [-1000, 1000, 0, 0]
    assert [tile_name(int(t)) for t in wins.dora[0]] == ["4s", "5s", "??", "??", "??"]
    assert (wins.ura[0] == NO_TILE).all()  # the winner declared no riichi
    nothing = Wins.empty(1)
    for name in ("honba", "sticks", "scores", "tiles", "melds", "tile_id", "dora_id"):
        assert np.array_equal(getattr(wins, name), getattr(nothing, name)), name
    assert batch.hands.end[0] == HandEnd.WIN
    assert story(batch)[-1] == "1 win 4p from 0"
    assert not batch.games.is_cut[0]


def test_a_tsumo_on_the_last_draw() -> None:
    batch = read_hand(
        {0: ([11], [])}, result=["和了", [3000, -1000, -1000, -1000], [0, 0, 0, "30符3飜1000点∀"]]
    )
    assert story(batch)[-1] == "0 win 1m from 0"
    assert batch.wins.points[0] == 3000


def test_a_robbed_kan() -> None:
    batch = read_hand({0: ([11], ["k11111111"])}, result=ron())
    assert story(batch)[-1] == "1 win 1m from 0"


def test_a_win_that_does_not_follow_the_last_move_has_no_tile() -> None:
    assert story(read_hand(DISCARD, result=ron(who=(1, 3, 1))))[-1] == "1 win from 3"
    assert story(read_hand(DISCARD, result=ron(who=(0, 0, 0))))[-1] == "0 win from 0"


def test_two_rons_and_the_ura_dora_of_the_one_in_riichi() -> None:
    moves: Moves = {
        0: ([11, 12], [60, 24]),
        1: ([11], ["r60"]),
        2: ([11], [60]),
        3: ([11], [60]),
    }
    batch = read_hand(moves, result=ron([-2000, 0, 2000, 0], [2, 0, 2, "30符2飜2000点"]), ura=[21])
    assert batch.wins.seat.tolist() == [1, 2]
    assert [tile_name(int(t)) for t in batch.wins.ura[:, 0]] == ["1p", "??"]
    assert story(batch)[-2:] == ["1 win 4p from 0", "2 win 4p from 0"]


@pytest.mark.parametrize(("pao", "liable"), [(1, NO_SEAT), (0, NO_SEAT), (3, 3)])
def test_liability(pao: int, liable: int) -> None:
    assert read_hand(DISCARD, result=ron(who=(1, 0, pao))).wins.liable[0] == liable


@each_row(
    ("result", "is_paid"),
    [
        (ron(), False),
        (["三家和了"], False),
        ([], False),
        (["四家立直"], True),
        (["流局", [0, 0, 0, 0]], True),
    ],
)
def test_a_riichi_whose_tile_is_won_on_is_not_paid(result: list[Any], is_paid: bool) -> None:
    batch = read_hand({0: ([11], ["r60"])}, result=result)
    assert (EventKind.RIICHI_PAID in batch.events.kind) == is_paid


@each_row("word", DRAW_WORDS)
def test_every_word_for_a_draw(word: str) -> None:
    batch = read_hand(DISCARD, result=[word])
    assert batch.hands.end[0] == DRAW_WORDS[word]
    assert len(batch.hand_draws) == (DRAW_WORDS[word] != HandEnd.UNFINISHED)
    assert batch.games.is_cut[0] == (DRAW_WORDS[word] == HandEnd.UNFINISHED)


def test_words_cover_every_end() -> None:
    assert {*DRAW_WORDS.values()} == {*HandEnd} - {HandEnd.WIN, HandEnd.UNKNOWN_DRAW, HandEnd.CHOMBO}


@each_row(
    ("result", "tenpai"),
    [
        (["流局", [1500, -1500, 1500, -1500]], [1, 0, 1, 0]),
        (["流局", [0, 0, 0, 0]], [255] * 4),
        (["流局"], [255] * 4),
        (["全員聴牌"], [1] * 4),
        (["全員不聴"], [0] * 4),
        (["流し満貫", [8000, -4000, -2000, -2000]], [255] * 4),
    ],
)
def test_tenpai_is_told_by_the_word_or_by_who_pays(result: list[Any], tenpai: list[int]) -> None:
    draws = read_hand(DISCARD, result=result).hand_draws
    assert draws.tenpai[0].tolist() == tenpai
    assert draws.deltas[0].tolist() == (result[1] if len(result) > 1 else [UNKNOWN_POINTS] * 4)


def test_three_players_leave_out_the_fourth() -> None:
    cells = hand(DISCARD, players=3, result=["全員聴牌"], scores=[35000] * 3)
    batch = read(game(cells, name=["Ann", "Ben", "Cat"], sc=[40000, 25, 35000, -5, 30000, -20]))
    assert faults(batch) == []
    assert batch.games.players[0] == 3
    assert batch.hands.scores[0].tolist() == [35000, 35000, 35000, 0]
    assert batch.hand_draws.tenpai[0].tolist() == [1, 1, 1, 0]
    assert batch.games.final_scores[0].tolist() == [40000, 35000, 30000, 0]
    assert batch.games.names[0].tolist() == ["Ann", "Ben", "Cat", ""]
    assert (batch.hands.dealt[0, 3] == NO_TILE).all()
    assert batch.games.ruleset[0] == "tenhou-sanma"


def test_an_unknown_word_for_a_draw_is_told_and_the_game_read_on() -> None:
    batch = read(game(hand(result=["百家争鳴", [0, 0, 0, 0]]), hand()))
    assert faults(batch) == [("log[0][16]", "V102")]
    assert batch.hands.end.tolist() == [HandEnd.UNKNOWN_DRAW, HandEnd.KYUUSHU]
    assert not batch.games.is_cut[0]


@each_row(("text", "players", "value"), TABLES["values"]["rows"])
def test_value(text: str, players: int, value: list[int]) -> None:
    assert parse_value(text, players) == StatedValue(*value)


POINTS_OF_LIMITS = {
    8000: ("満貫", "切り上げ満貫", "Mangan", "Kiriage Mangan", "Rounded Mangan"),
    12000: ("跳満", "Haneman"),
    16000: ("倍満", "Baiman"),
    24000: ("三倍満", "Sanbaiman"),
    32000: ("役満", "数え役満", "Yakuman", "Kazoe Yakuman", "Counted Yakuman"),
}


def test_limits_are_named_in_two_languages() -> None:
    for limit, (points, words) in enumerate(POINTS_OF_LIMITS.items(), start=1):
        for word in words:
            assert parse_value(f"{word} {points}Points", 4) == StatedValue(-1, points, limit)
            assert parse_value(f"{word}{points}点", 4) == StatedValue(-1, points, limit)


@each_row("text", ["", "8000", "満貫", "満貫点", "大満貫8000点", "満貫99999999点", "点" * 50])
def test_no_value(text: str) -> None:
    assert parse_value(text, 4) is None


TENHOU_SPELLINGS = {
    **{10 + i: f"自風 {wind}" for i, wind in enumerate("東南西北")},
    **{14 + i: f"場風 {wind}" for i, wind in enumerate("東南西北")},
    18: "役牌 白",
    19: "役牌 發",
    20: "役牌 中",
    48: "国士無双１３面",
}


@each_row("number", YAKU)
def test_every_yaku_is_read_by_its_japanese_name(number: int) -> None:
    assert parse_yaku(f"{TENHOU_SPELLINGS.get(number, YAKU[number].japanese)}(2飜)") == (number, 2)


@each_row(("text", "found"), TABLES["yaku"].items())
def test_yaku(text: str, found: list[int]) -> None:
    """One table serves logs and ``paifu yaku``; a name that several yaku have names none."""
    assert parse_yaku(text) == (tuple(found) or None)
    assert parse_yaku("x" * 1000 + "(1飜)") is None


@each_row(("japanese", "english"), TABLES["english"].items())
def test_a_client_in_english_means_the_same_yaku(japanese: str, english: str) -> None:
    expected = parse_yaku(f"{japanese}(1飜)")
    assert expected is not None
    assert parse_yaku(f"{english}(1Han)") == expected


def test_winds_without_a_name_are_the_players_and_the_rounds() -> None:
    """Converters of Mahjong Soul's games say only "seat wind" and "round wind"."""
    result = ["和了", SCORES, [1, 0, 1, "30符2飜2000点", "役牌:自風牌(1飜)", "役牌:場風牌(1飜)"]]
    assert read_hand(DISCARD, result=result, start=(4, 0, 0)).wins.yaku[0, :2].tolist() == [11, 15]


@pytest.mark.parametrize("han", ["飜", "翻", "番"])
def test_values_with_any_character_for_han(han: str) -> None:
    assert parse_value(f"30符3{han}1000-2000点", 4) == (30, 4000, 0)


def test_unknown_yaku_and_values_are_told_once_and_left_out() -> None:
    """A list of yaku that is not whole is not compared with anything."""
    result = ["和了", SCORES, [1, 0, 1, "たくさん", "断幺九(1飜)", "黒一色(9飜)"]]
    batch = read(game(hand(DISCARD, result=result), hand(DISCARD, result=result)))
    assert faults(batch) == [("log[0][16]", "V102")] * 2
    assert all("黒一色" in reason or "たくさん" in reason for reason in batch.faults.reason)
    assert (batch.wins.yaku == NO_YAKU).all()
    assert batch.wins.points.tolist() == [UNKNOWN_POINTS] * 2
    assert not batch.games.is_cut[0]
