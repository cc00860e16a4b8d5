"""majiang: seats by wind, indicators, riichi, results, and broken input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from each_row import each_row
from tenhou6_games import faults, story

from paifu.parsers.errors import WriteError
from paifu.parsers.majiang.notation import DOUBLES, call_word, tiles_of
from paifu.parsers.majiang.reader import read_majiang
from paifu.parsers.majiang.writer import hand_text
from paifu.parsers.packed_events import TILE_SHIFT
from paifu.parsers.read import read_batches
from paifu.parsers.sources.detect import Format, sniff
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import WRITERS
from paifu.replay.bounds import check_batch
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder
from paifu.replay.model.events import CODE_OF_TILE, EventFlag, EventKind, HandEnd
from paifu.replay.model.tile_notation import parse_tiles, tile_name
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rules.fields import YAKUMAN_HAN
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.scoring.yaku import YAKU
from paifu.replay.table.engine import replay

DEAL = "m123p123s123z1235"
NAMES = ["Ann", "Ben", "Cat", "Dan"]


def start(**fields: Any) -> dict[str, Any]:
    row = {"zhuangfeng": 0, "jushu": 0, "changbang": 0, "lizhibang": 0, "defen": [25000] * 4, "baopai": "s9"}
    return {"qipai": {**row, "shoupai": [DEAL] * 4, **fields}}


def draw(wind: int, tile: str = "m9", kind: str = "zimo") -> dict[str, Any]:
    return {kind: {"l": wind, "p": tile}}


def cut(wind: int, tile: str = "m9_") -> dict[str, Any]:
    return {"dapai": {"l": wind, "p": tile}}


def meld(wind: int, text: str, kind: str = "fulou") -> dict[str, Any]:
    return {kind: {"l": wind, "m": text}}


def turn_up(tile: str) -> dict[str, Any]:
    return {"kaigang": {"baopai": tile}}


def game(*events: Any, **fields: Any) -> dict[str, Any]:
    return {"title": "A cup", "player": NAMES, "qijia": 0, "log": [list(events)], **fields}


def read(value: Any, location: str = "some.json", **more: Any) -> Batch:
    text = value if isinstance(value, bytes) else orjson.dumps(value)
    builder = BatchBuilder()
    read_majiang(Document(location, text, Format.MAJIANG, **more), text, builder)
    return builder.finish()


def play(*events: Any, **fields: Any) -> Batch:
    batch = read(game(start(**fields), *events))
    assert faults(batch) == []
    return batch


# --- notation ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("m123p0z1", "123m0p1z"),
        ("m12366s12306789s7*", "12366m12306789s7s"),
        ("m55p77,z777+,p666=", "55m77p"),
        ("", ""),
    ],
)
def test_hands(text: str, tiles: str) -> None:
    assert [code - CODE_OF_TILE for code in tiles_of(text)] == parse_tiles(tiles)


@each_row("text", ["m", "123m", "z8", "z0", "m12a", "m1" * 40])
def test_what_is_no_hand(text: str) -> None:
    batch = read(game(start(shoupai=[text] * 4)))
    assert batch.faults.code.tolist() in (["V105"], ["V104"])


def test_a_hand_is_written_with_its_red_fives_in_place() -> None:
    assert hand_text(parse_tiles("5p0p4p6p1z9m")) == "m9p4506z1"


CALLS = {
    "m34-5": (EventKind.CHI, 2, 1, "4m", "3m5m"),
    "m3-40": (EventKind.CHI, 2, 1, "3m", "4m0m"),
    "p555+": (EventKind.PON, 2, 3, "5p", "5p5p"),
    "p505=": (EventKind.PON, 2, 0, "5p", "5p0p"),
    "s5550-": (EventKind.DAIMINKAN, 2, 1, "0s", "5s5s5s"),
    "z7777": (EventKind.ANKAN, 2, 7, "7z", "7z7z7z"),
    "p999+9": (EventKind.KAKAN, 2, 3, "9p", "9p9p9p"),
    "p505-5": (EventKind.KAKAN, 2, 1, "5p", "5p5p0p"),
}


@each_row("text", CALLS)
def test_calls(text: str) -> None:
    kind, seat, source, tile, own = CALLS[text]
    word = call_word(2, text)
    tiles = [word >> shift & 255 for shift in (TILE_SHIFT, 19, 27, 35)]
    names = [tile_name(code - CODE_OF_TILE) for code in tiles if code != NO_TILE]
    assert (word & 31, word >> 5 & 7, word >> 8 & 7) == (kind, seat, source)
    assert names == [tile, *(own[at : at + 2] for at in range(0, len(own), 2))]


@each_row("text", ["m34=5", "m35-7", "z12-3", "p56", "p55+", "m8-91", "p5555+5", "q111+", "m999", "z8888"])
def test_what_is_no_meld(text: str) -> None:
    batch = read(game(start(), draw(0), cut(0), meld(1, text)))
    assert faults(batch) == [("log[0][3].fulou", "V105")]


# --- a hand --------------------------------------------------------------------------------------------


def test_everything_in_a_hand_is_by_wind() -> None:
    deals = [f"m{n}" + str(n) * 12 for n in (1, 2, 3, 4)]
    batch = read(
        game(
            start(jushu=1, zhuangfeng=1, defen=[1000, 2000, 3000, 4000], shoupai=deals),
            draw(0),
            cut(0),
            meld(2, "m999="),
            cut(2, "m3"),
            {"hule": {"l": 3, "shoupai": "m4444444444444m3", "baojia": 2, "fubaopai": None, "fu": 30,
                      "fanshu": 1, "defen": 1000, "hupai": [{"name": "断幺九", "fanshu": 1}],
                      "fenpei": [0, 0, -1000, 1000]}},
            qijia=2,
            defen=[10, 20, 30, 40],
            point=["1", "-2.5", 3, -1.5],
        )
    )  # fmt: skip
    assert faults(batch) == []
    assert (batch.hands.round[0], batch.hands.dealer[0]) == (5, 1)
    assert batch.hands.scores[0].tolist() == [4000, 1000, 2000, 3000]
    assert batch.hands.dealt[0, :, 0].tolist() == [3, 0, 1, 2]
    assert story(batch)[:4] == ["1 draw 9m", "1 cut 9m*", "3 pon 9m from 1 with 9m9m", "3 cut 3m"]
    wins = batch.wins
    assert (wins.seat[0], wins.source[0], wins.tile[0], wins.points[0], wins.fu[0]) == (0, 3, 2, 1000, 30)
    assert wins.deltas[0].tolist() == [1000, 0, 0, -1000]
    games = batch.games
    assert games.names[0].tolist() == ["Cat", "Dan", "Ann", "Ben"]
    assert games.final_scores[0].tolist() == [30, 40, 10, 20]
    assert games.final_points[0].tolist() == [3, -1.5, 1, -2.5]
    assert (games.title[0], games.format[0], games.players[0]) == ("A cup", "majiang", 4)


KAN = [draw(0, "z1"), meld(0, "z1111", "gang"), draw(0, "m7", "gangzimo")]


@pytest.mark.parametrize(
    ("events", "lines"),
    [
        (
            [*KAN, turn_up("p1"), cut(0, "m7_")],
            ["0 draw 1z", "0 closed kan 1z with 1z1z1z", "dora 1p", "0 draw 7m", "0 cut 7m*"],
        ),
        (
            [*KAN, cut(0, "m7_*"), turn_up("p1"), draw(1)],
            ["0 draw 1z", "0 closed kan 1z with 1z1z1z", "0 draw 7m", "dora 1p", "0 riichi", "0 cut 7m*",
             "0 paid", "1 draw 9m"],
        ),
        (
            [*KAN, meld(0, "z2222", "gang"), turn_up("p1"), draw(0, "m8", "gangzimo"), turn_up("p2"),
             turn_up("p3")],
            ["0 draw 1z", "0 closed kan 1z with 1z1z1z", "0 draw 7m", "dora 1p",
             "0 closed kan 2z with 2z2z2z", "dora 2p", "dora 3p", "0 draw 8m"],
        ),
    ],
)  # fmt: skip
def test_indicators_stand_one_event_before_their_line(events: list[Any], lines: list[str]) -> None:
    assert story(play(*events)) == lines


def win(**fields: Any) -> dict[str, Any]:
    base = {
        "l": 1,
        "shoupai": DEAL + "m9",
        "baojia": 0,
        "fubaopai": None,
        "fenpei": [-1, 1, 0, 0],
        "hupai": [],
    }
    return {"hule": {**base, **fields}}


@each_row(
    ("after", "paid"),
    [
        ([draw(1)], 1),
        ([meld(1, "m7-89")], 1),
        ([win()], 0),
        ([{"pingju": {"name": "四家立直", "shoupai": [""] * 4, "fenpei": [0] * 4}}], 1),
        ([{"pingju": {"name": "三家和", "shoupai": [""] * 4, "fenpei": [0] * 4}}], 0),
        ([], 0),
    ],
)
def test_a_riichi_is_paid_when_its_tile_passes(after: list[Any], paid: int) -> None:
    batch = play(draw(0), cut(0, "m9_*"), *after)
    assert np.count_nonzero(batch.events.kind == EventKind.RIICHI_PAID) == paid


@pytest.mark.parametrize(("held", "mark"), [("z4", EventFlag.TSUMOGIRI), ("m9", 0)])
def test_a_game_without_marks(held: str, mark: int) -> None:
    deal = f"{held}m23p123s123z1235" if held[0] == "z" else "m239p123s123z1235"
    batch = play(
        draw(0), cut(0, "m9"), shoupai=[deal.replace("z4m23", "m23") + "z4" * (held == "z4"), *[DEAL] * 3]
    )
    assert batch.events.flags[1] == mark


def test_yaku_and_liability() -> None:
    hupai = [
        {"name": "場風 南", "fanshu": 1},
        {"name": "自風 西", "fanshu": 1},
        {"name": "翻牌 發", "fanshu": 1},
        {"name": "役牌 発", "fanshu": 1},
        {"name": "ダブル立直", "fanshu": 2},
        {"name": "大三元", "fanshu": "*", "baojia": "-"},
        {"name": "国士無双十三面", "fanshu": "**"},
    ]
    wins = play(draw(0), cut(0), win(hupai=hupai, fubaopai=["z1"], damanguan=3)).wins
    assert wins.yaku[0, :7].tolist() == [15, 12, 19, 19, 21, 39, 48]
    assert wins.han[0, :7].tolist() == [1, 1, 1, 1, 2, 13, 13]
    assert (wins.liable[0], wins.ura[0, 0], wins.fu[0]) == (0, 27, -1)


def test_a_winner_who_is_liable_is_refused() -> None:
    batch = play(draw(0), cut(0), win(hupai=[{"name": "大三元", "fanshu": "*", "baojia": "-"}], damanguan=1))
    batch.wins.liable[0] = batch.wins.seat[0]
    with pytest.raises(WriteError, match="hand 0 names the winner as liable for the win"):
        list(WRITERS["majiang"].games(batch))


def test_an_indicator_after_the_end_of_a_hand_is_told() -> None:
    end = {"pingju": {"name": "荒牌平局", "shoupai": [""] * 4, "fenpei": [0] * 4}}
    batch = read(game(start(), draw(0), cut(0), end, turn_up("z1")))
    assert batch.faults.reason.tolist() == ["an indicator is turned after the end of the hand"]
    check_batch(batch)


YAKUHAI = {
    **{key: [14] for key in ("場風 東", "場風東", "场风 东", "圏風 東", "役牌:場風牌", "場風牌", "場風")},
    **{key: [10] for key in ("自風 東", "自風\u3000東", "役牌：自風牌", "門風牌", "门风 东", "自風")},
    **{key: [19] for key in ("翻牌 發", "翻牌 発", "飜牌 发", "役牌:發")},
    **{key: [10, 14] for key in ("連風牌", "ダブ東")},
    "役牌 白": [18],
    "中": [20],
}


@each_row(("name", "ids"), YAKUHAI.items())
def test_value_tiles_have_many_names(name: str, ids: list[int]) -> None:
    """The dealer of an east round wins: both winds are east."""
    batch = play(draw(0), cut(0), win(l=0, hupai=[{"name": name, "fanshu": len(ids)}]), zhuangfeng=0)
    assert batch.faults.reason.tolist() == []
    assert batch.wins.yaku[0].tolist()[: len(ids) + 1] == [*ids, 255]
    assert batch.wins.han[0].tolist()[: len(ids) + 1] == [*[1] * len(ids), 0]


@each_row(
    ("names", "ids"),
    [
        (["役牌 東"], [14]),
        (["役牌 南"], [11]),
        (["役牌 東", "役牌 南"], [14, 11]),
        (["役牌 北"], [13]),
        (["役牌:自風牌", "役牌:場風牌"], [11, 14]),
    ],
)
def test_a_wind_by_its_tile_is_the_rounds_or_the_players(names: list[str], ids: list[int]) -> None:
    """South wins in an east round."""
    hupai = [{"name": name, "fanshu": 1} for name in names]
    batch = play(draw(0), cut(0), win(l=1, baojia=0, hupai=hupai), zhuangfeng=0)
    assert batch.wins.yaku[0].tolist()[: len(ids) + 1] == [*ids, 255]


@pytest.mark.parametrize(("hupai", "ids"), [([("東", 2)], [10, 14]), ([("東", 1)] * 2, [14, 10])])
def test_a_double_wind_may_be_listed_once_or_twice(hupai: list[tuple[str, int]], ids: list[int]) -> None:
    listed = [{"name": f"役牌 {name}", "fanshu": han} for name, han in hupai]
    batch = play(draw(0), cut(0), win(l=0, hupai=listed), zhuangfeng=0)
    assert batch.wins.yaku[0].tolist()[:3] == [*ids, 255]
    assert batch.wins.han[0].tolist()[:3] == [1, 1, 0]


@pytest.mark.parametrize(("worth", "double"), [("**", True), ("*", False)])
def test_wins_show_whether_a_yakuman_counts_twice(worth: str, double: bool) -> None:
    batch = play(draw(0), cut(0), win(hupai=[{"name": "四暗刻単騎", "fanshu": worth}]))
    assert ('"double_suuankou_tanki":true' in batch.games.overrides[0]) is double
    assert '"double_kokushi_13":true' in batch.games.overrides[0]


DRAWS = {
    "荒牌平局": HandEnd.EXHAUSTIVE, "流局": HandEnd.EXHAUSTIVE, "流し満貫": HandEnd.NAGASHI,
    "九種九牌": HandEnd.KYUUSHU, "四風連打": HandEnd.SUUFON, "四家立直": HandEnd.SUUCHA,
    "三家和": HandEnd.SANCHAHOU, "四開槓": HandEnd.SUUKAIKAN,
}  # fmt: skip


@each_row("name", DRAWS)
def test_draws(name: str) -> None:
    end = {
        "pingju": {"name": name, "shoupai": ["", DEAL, "m12,p999=", ""], "fenpei": [-1500, 1500, 1500, -1500]}
    }
    batch = play(draw(0), cut(0), end)
    draws = batch.hand_draws
    assert batch.hands.end[0] == DRAWS[name]
    assert (draws.shown[0] != NO_TILE).sum(axis=1).tolist() == [0, 13, 2, 0]
    tenpai = [0, 1, 1, 0] if DRAWS[name] == HandEnd.EXHAUSTIVE else [255] * 4
    assert draws.tenpai[0].tolist() == tenpai


def test_hidden_tiles() -> None:
    batch = play(draw(0, ""), cut(0, "p1"), shoupai=["", "_" * 13, DEAL, DEAL])
    assert (batch.hands.dealt[0, :2] == NO_TILE).all()
    assert batch.events.tile.tolist() == [NO_TILE, 9]


# --- what surrounds the hands --------------------------------------------------------------------------


def test_layouts() -> None:
    one = game(start(), draw(0))
    texts = {
        1: [
            orjson.dumps(one),
            b"\xef\xbb\xbf" + orjson.dumps(one),
            orjson.dumps(one, option=orjson.OPT_INDENT_2),
        ],
        2: [orjson.dumps([one, one]), orjson.dumps(one) + b"\n" + orjson.dumps(one)],
    }
    for count, spellings in texts.items():
        for text in spellings:
            assert sniff(text) is Format.MAJIANG
            batch = read(text)
            assert (len(batch), faults(batch)) == (count, [])


def test_names_and_titles_of_several_lines() -> None:
    id_ = "2022010503gm-00b9-0000-6ebd44bf"
    log = game(start(), draw(0), title=f"A\ncup\n{id_}", player=["Ann\nR1500", "B", "C", "D"])
    games = read({("playerr" if key == "player" else key): value for key, value in log.items()}).games
    assert games.names[0].tolist() == ["Ann R1500", "B", "C", "D"]
    assert (games.title[0], games.id[0], games.started[0]) == (f"A cup {id_}", id_, "2022-01-05T03")


def test_a_file_may_be_named_for_its_game() -> None:
    id_ = "2022010503gm-00b9-0000-6ebd44bf"
    games = read(game(start(), draw(0)), f"2021010503gm-00b9-0000-6ebd44bf/{id_}.json").games
    assert (games.id[0], games.started[0]) == (id_, "2022-01-05T03")


@pytest.mark.parametrize("title", ["A cup", ""])
def test_a_game_without_a_title_is_written_with_its_id(title: str) -> None:
    id_ = "2022010503gm-00b9-0000-6ebd44bf"
    batch = read(game(start(), draw(0), title=title), f"{id_}.json")
    (text,) = WRITERS["majiang"].games(batch)
    assert orjson.loads(text)["title"] == (title or id_)


WRONG: dict[str, tuple[Any, str, str]] = {
    "a text": ("x", "", "V102"),
    "no log": ({"qijia": 0}, "log", "V101"),
    "no hand": (game() | {"log": []}, "log", "V101"),
    "a first dealer that is none": (game(start(), qijia=4), "qijia", "V105"),
    "a hand without a deal": (game(draw(0)), "log[0][0]", "V102"),
    "two deals": (game(start(), start()), "log[0][1]", "V102"),
    "an event that is a text": (game(start(), "zimo"), "log[0][1]", "V102"),
    "an event of two": (game(start(), draw(0) | cut(0)), "log[0][1]", "V102"),
    "a draw that is a list": (game(start(), {"zimo": []}), "log[0][1].zimo", "V101"),
    "a wind that is none": (game(start(), draw(4)), "log[0][1].zimo", "V105"),
    "a tile that is none": (game(start(), draw(0, "m10")), "log[0][1].zimo", "V105"),
    "a hidden discard": (game(start(), draw(0), cut(0, "_")), "log[0][2].dapai", "V105"),
    "a deal of twelve": (game(start(shoupai=[DEAL[:-1]] * 4)), "log[0][0].qipai", "V104"),
    "three hands": (game(start(shoupai=[DEAL] * 3)), "log[0][0].qipai", "V104"),
    "scores of three": (game(start(defen=[1] * 3)), "log[0][0].qipai", "V105"),
    "scores beyond all bounds": (game(start(defen=[10**9] * 4)), "log[0][0].qipai", "V105"),
    "a winning hand of one": (game(start(), win(shoupai="m1")), "log[0][1].hule", "V104"),
    "a sign that is none": (
        game(start(), win(hupai=[{"name": "立直", "fanshu": 1, "baojia": "x"}])),
        "log[0][1].hule.hupai[0]", "V105",
    ),
    "han that are none": (game(start(), win(hupai=[{"name": "立直"}])), "log[0][1].hule.hupai[0]", "V105"),
}  # fmt: skip


@each_row("case", WRONG)
def test_what_cannot_be_read_is_told_with_its_place(case: str) -> None:
    value, place, code = WRONG[case]
    batch = read(value)
    assert faults(batch) == [(place, code)]
    assert batch.games.is_cut.tolist() in ([], [True])


def test_unknown_words_are_told_and_the_game_is_read_on() -> None:
    log = game(
        start(), {"new": {}}, draw(0), cut(0), win(hupai=[{"name": "新役", "fanshu": 1}]), player=["a"]
    )
    batch = read(log)
    assert faults(batch) == [("player", "V101"), ("log[0]", "V102"), ("log[0]", "V102")]
    assert story(batch)[-1] == "1 win 9m from 0"


def test_no_more_than_twenty_unknown_words_are_told() -> None:
    batch = read(game(start(), *({f"new {number}": {}} for number in range(25)), draw(0), cut(0), win()))
    assert batch.faults.reason.tolist() == [f"unknown event 'new {number}'" for number in range(20)]


# --- real logs -----------------------------------------------------------------------------------------

EXPLAINED = {
    ("V506", "script.json#17"),  # a half of a thousand below zero is rounded up, as JavaScript does
    ("V506", "script.json#31"),  # likewise
}


@pytest.mark.corpus
def test_the_corpus_is_read_and_sound(shared: Path) -> None:
    batch = Batch.concatenate(read_batches([shared / "logs" / "majiang"]))
    assert faults(batch) == []
    assert (len(batch), len(batch.hands), len(batch.wins), len(batch.hand_draws)) == (40, 399, 329, 72)
    found = [in_words(case) for case in cases(replay(batch))]
    assert {(one.code, one.source.rpartition("/")[2]) for one in found} == EXPLAINED


@pytest.mark.parametrize(("number", "field"), DOUBLES.items())
def test_a_double_yakuman_is_one_by_its_rule(number: int, field: str) -> None:
    worths = [YAKU[number].han_under(load_preset("tenhou").changed(**{field: on})) for on in (False, True)]
    assert worths == [(YAKUMAN_HAN,) * 2, (2 * YAKUMAN_HAN,) * 2]
