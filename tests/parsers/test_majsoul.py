"""Mahjong Soul: containers, both versions, records, rules, and broken input."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from case_data import case_data
from each_row import each_row
from majsoul_games import (
    DEAL,
    UUID,
    answer,
    cut,
    deal,
    details,
    encode,
    export,
    frame,
    head,
    in_base64,
    new_round,
    play,
    read,
    read_text,
    wrapper,
)
from tenhou6_games import faults, story

from paifu.parsers.conversion import LOST
from paifu.parsers.majsoul.rules import detail_rule, majsoul_rules
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format, sniff
from paifu.parsers.sources.documents import Document
from paifu.parsers.sources.paths import iter_documents
from paifu.parsers.writers import WRITERS
from paifu.replay.comparison.comparing import compare_games, stated_facts
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import NO_YAKU, UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rulesets.presets import load_preset, preset_names, with_overrides
from paifu.replay.table.engine import replay
from paifu.replay.views.games import games

# --- containers ----------------------------------------------------------------------------------------

GAME = (new_round(), cut(0, "9m"), deal(1), cut(1), ("LiuJu", {"type": 2}))
STORY = ["0 draw 9m", "0 cut 9m*", "1 draw 9p", "1 cut 9p*", "end"]
RECORDS = [{"name": f".lq.Record{name}", "data": fields} for name, fields in GAME]
IN_CAMELS = (
    orjson.dumps(export(*GAME))
    .replace(b"left_tile_count", b"leftTileCount")
    .replace(b"start_time", b"startTime")
)
CONTAINERS = {
    "an export": orjson.dumps(export(*GAME)),
    "an export over many lines": orjson.dumps(export(*GAME), option=orjson.OPT_INDENT_2),
    "an export in other spelling": IN_CAMELS,
    "brackets in names": orjson.dumps(export(*GAME)).replace(b'"tiles0"', b'"begin_tiles[0]"'),
    "records of the old version": orjson.dumps(
        {"head": head(), "data": {"name": ".lq.GameDetailRecords", "data": {"records": RECORDS}}}
    ),
    "a list of records": orjson.dumps({"head": head(), "data": RECORDS}),
    "nothing but records": orjson.dumps(RECORDS),
    "records by type": orjson.dumps(
        {"head": head(), "records": [{"@type": f"Record{name}", **fields} for name, fields in GAME]}
    ),
    "rounds": orjson.dumps(
        {"header": head(), "data": [[{"name": name, "data": fields} for name, fields in GAME]]}
    ),
    "base64": in_base64(*GAME),
    "details on the wire": details(*GAME),
    "details of the old version": details(*GAME, is_new=False),
    "an answer": answer(*GAME),
    "an answer in a frame": frame(answer(*GAME)),
}


@pytest.mark.parametrize("case", CONTAINERS)
def test_containers(case: str, tmp_path: Path) -> None:
    text = CONTAINERS[case]
    assert sniff(text) is Format.MAJSOUL
    path = tmp_path / "game"
    path.write_bytes(text)
    batch = read_unit(list(iter_documents([path])))
    assert faults(batch) == []
    assert (len(batch), story(batch)) == (1, STORY)
    assert batch.games.source[0] == str(path)
    assert not batch.games.is_cut[0]
    has_head = case not in ("nothing but records", "details on the wire", "details of the old version")
    assert (batch.games.id[0] == UUID) is has_head


def test_several_games() -> None:
    one = orjson.dumps(export(*GAME))
    for text in (one + b"\n" + one, b"[" + one + b"," + one + b"]"):
        assert len(read_text(text)) == 2


def test_numbers_below_zero_on_the_wire() -> None:
    batch = read_text(answer(new_round(scores=[-1000, 25000, 26000, 50000]), cut(0, "9m")))
    assert batch.hands.scores[0].tolist() == [-1000, 25000, 26000, 50000]


# --- records -------------------------------------------------------------------------------------------


def test_the_last_of_the_dealers_tiles_is_the_one_drawn() -> None:
    batch = play(cut(0, "9m"))
    assert (story(batch)[0], np.count_nonzero(batch.hands.dealt[0] != NO_TILE)) == ("0 draw 9m", 52)


@pytest.mark.parametrize(
    ("tile", "moqie", "told"),
    [
        ("9m", True, ["0 draw 9m", "0 cut 9m*"]),
        ("1m", False, ["0 draw 9m", "0 cut 1m"]),
        ("9m", False, ["0 draw 9m", "0 cut 9m*"]),
        ("1m", True, ["0 draw 1m", "0 cut 1m*"]),
    ],
)
def test_the_dealers_first_discard(tile: str, moqie: bool, told: list[str]) -> None:
    """The platform marks it as one from the hand, whichever tile it is: only another mark says something."""
    batch = play(("Leave", {"seat": 1}), cut(0, tile, moqie=moqie))
    assert [line for line in story(batch) if line.startswith("0")] == told
    held = [*batch.hands.dealt[0, 0].tolist(), int(batch.events.tile[0])]
    assert sorted(held) == sorted([0, 1, 2, 9, 10, 11, 18, 19, 20, 27, 28, 29, 31, 8])


def test_a_wall_with_the_deal_says_which_tile_was_drawn() -> None:
    wall = "1s" * 52 + "3z" + "1s" * 83
    assert story(play(paishan=wall))[0] == "0 draw 3z"


def test_no_mark_overrules_the_wall() -> None:
    wall = "1s" * 52 + "3z" + "1s" * 83
    assert story(play(cut(0, "3z", moqie=False), paishan=wall))[:2] == ["0 draw 3z", "0 cut 3z*"]
    assert story(play(cut(0, "9m", moqie=True), paishan=wall))[:2] == ["0 draw 3z", "0 cut 9m*"]


def test_calls_and_kans() -> None:
    batch = play(
        cut(0, "9m"),
        ("ChiPengGang", {"seat": 1, "type": 1, "tiles": ["9m", "9m", "9m"], "froms": [1, 1, 0]}),
        cut(1, "0p", moqie=False),
        ("ChiPengGang", {"seat": 2, "tiles": ["6p", "4p", "0p"], "froms": [2, 2, 1]}),
        cut(2, "1z"),
        deal(1, "9m"),
        ("AnGangAddGang", {"seat": 1, "type": 2, "tiles": "9m"}),
        deal(1, "9p", doras=["9s"]),
        cut(1, "9p", doras=["9s", "1p"]),
        ("ChiPengGang", {"seat": 3, "type": 2, "tiles": ["9p"] * 4, "froms": [3, 3, 3, 1]}),
    )
    assert story(batch)[2:] == [
        "1 pon 9m from 0 with 9m9m",
        "1 cut 0p",
        "2 chi 0p from 1 with 4p6p",
        "2 cut 1z*",
        "1 draw 9m",
        "1 added kan 9m from 0 with 9m9m9m",
        "1 draw 9p",
        "dora 1p",
        "1 cut 9p*",
        "3 open kan 9p from 1 with 9p9p9p",
    ]


@pytest.mark.parametrize("five", ["5p", "0p"])
def test_a_closed_kan_of_fives_has_the_red_one_that_is_held(five: str) -> None:
    deal_of_fives = ["5p", "5p", "0p", *DEAL[3:]]
    batch = play(
        cut(0, "9m"),
        deal(1, "5p"),
        ("AnGangAddGang", {"seat": 1, "type": 3, "tiles": five}),
        deal(1, "2m", doras=["9s", "1p"]),
        tiles1=deal_of_fives,
    )
    assert story(batch)[3:] == ["1 closed kan 5p with 5p5p0p", "dora 1p", "1 draw 2m"]


def test_a_riichi_is_paid_by_the_next_record() -> None:
    liqi = {"seat": 0, "score": 24000, "liqibang": 1}
    batch = play(cut(0, "9m", is_liqi=True), deal(1, liqi=liqi))
    assert story(batch)[1:4] == ["0 riichi", "0 cut 9m*", "0 paid"]
    assert batch.riichi_scores.scores[0].tolist() == [24000, 25000, 25000, 25000]
    failed = play(cut(0, "9m", is_wliqi=True), deal(1, liqi={**liqi, "failed": True}))
    assert "0 paid" not in story(failed)


TIMED = [
    {"passed": 900, "type": 3, "user_event": {"seat": 2, "type": 2}},
    *(
        {"passed": 1000 * at, "type": 1, "result": {"name": f".lq.Record{name}", "data": fields}}
        for at, (name, fields) in enumerate(
            (
                new_round(), cut(0, "9m", is_liqi=True),
                deal(1, liqi={"seat": 0, "score": 24000, "liqibang": 1}), cut(1), ("LiuJu", {"type": 2}),
            ),
            start=1,
        )
    ),
]  # fmt: skip
TIMES = [900, 1000, 2000, 2000, 3000, 3000, 4000, 5000]
"""Of leave, draw, riichi and discard, payment and draw, discard, end."""


def on_the_wire(actions: list[dict[str, Any]]) -> bytes:
    coded = []
    for action in actions:
        result = action.get("result")
        more = {}
        if result is not None:
            name = result["name"]
            more = {"result": wrapper(name, encode(name.removeprefix(".lq."), result["data"]))}
        coded.append(action | more)
    body = {"version": 210715, "actions": coded}
    return wrapper(".lq.GameDetailRecords", encode("GameDetailRecords", body))


def as_export(actions: list[dict[str, Any]]) -> bytes:
    return orjson.dumps(
        {"head": head(), "data": {"name": ".lq.GameDetailRecords", "data": {"actions": actions}}}
    )


def as_rounds_of_rounds(actions: list[dict[str, Any]]) -> bytes:
    """With records whose shape is not the usual one: those say no time of their own, the action does."""
    odd = [
        {**action, "result": {"@type": f"lq.{action['result']['name'][4:]}", **action["result"]["data"]}}
        if "result" in action
        else action
        for action in actions
    ]
    return orjson.dumps({"head": head(), "actions": odd})


@pytest.mark.parametrize("write", [on_the_wire, as_export, as_rounds_of_rounds])
def test_the_time_of_each_event(write: Callable[[list[dict[str, Any]]], bytes]) -> None:
    batch = read_text(write(TIMED))
    assert faults(batch) == []
    assert batch.events.time.tolist() == TIMES
    (game,) = games(batch)
    assert [one.time for one in game.hands[0].events] == TIMES[1:]
    without = [{name: value for name, value in action.items() if name != "passed"} for action in TIMED]
    assert set(read_text(write(without)).events.time.tolist()) == {-1}


@each_row("passed", [-1, 2**31, "5", None, 1.5, True])
def test_a_time_that_is_none_is_not_known(passed: Any) -> None:
    actions = [{**action, "passed": passed} for action in TIMED]
    batch = read_text(as_export(actions))
    assert faults(batch) == []
    assert set(batch.events.time.tolist()) == {-1}


@pytest.mark.parametrize(("target", "is_kept"), [("majsoul-json", True), ("paifu", True), ("mjai", False)])
def test_times_are_written_where_a_format_has_them(target: str, is_kept: bool) -> None:
    batch = read_text(as_export(TIMED))
    writer = WRITERS[target]
    again = read_unit([Document(f"x{writer.suffix}", b"".join(writer.games(batch)), writer.format)])
    assert faults(again) == []
    assert (again.events.time.tolist() == TIMES) is is_kept
    assert ("events.time" in LOST[target]) is not is_kept
    assert "events.time" in stated_facts(batch)
    found = compare_games(batch, again).facts["events.time"]
    assert (found.equal > 0, found.different, found.only_a > 0) == (is_kept, 0, not is_kept)


def test_three_players() -> None:
    wall = "1s" * 39 + "3z" + "1s" * 68
    batch = play(("BaBei", {"moqie": True}), deal(0, "1m"), players=3, paishan=wall, head=head(12))
    assert story(batch) == ["0 draw 3z", "0 kita 4z", "0 draw 1m"]
    assert (batch.games.players[0], batch.games.ruleset[0]) == (3, "majsoul-sanma")
    assert batch.games.names[0].tolist() == ["Ann", "Ben", "Cat", ""]


def test_a_north_set_aside_may_be_robbed() -> None:
    wall = "1s" * 39 + "3z" + "1s" * 68
    win = ("Hule", {"hules": [hule(2, hu_tile="4z")]})
    batch = play(cut(0), deal(1), ("BaBei", {"seat": 1}), win, players=3, paishan=wall, head=head(12))
    assert (batch.wins.seat[0], batch.wins.source[0]) == (2, 1)


# --- results -------------------------------------------------------------------------------------------


def hule(seat: int, **fields: Any) -> dict[str, Any]:
    fans = [{"id": 2, "val": 1}, {"id": 11, "val": 1}, {"id": 10, "val": 1}, {"id": 33, "val": 0}]
    base = {
        "seat": seat,
        "hand": DEAL,
        "hu_tile": "9m",
        "fans": fans,
        "fu": 40,
        "doras": ["9s"],
        "li_doras": ["1s"],
    }
    return {**base, "count": 3, "point_rong": 5200, "point_zimo_qin": 2600, "point_zimo_xian": 1300, **fields}


def test_a_win() -> None:
    fields = {"hules": [hule(1)], "old_scores": [25000] * 4, "delta_scores": [-5200, 5200, 0, 0]}
    wins = play(cut(0, "9m"), ("Hule", fields)).wins
    assert (wins.seat[0], wins.source[0], wins.tile[0], wins.liable[0]) == (1, 0, 8, NO_SEAT)
    assert (wins.fu[0], wins.points[0], wins.limit[0]) == (40, 5200, 0)
    assert wins.yaku[0, :4].tolist() == [1, 14, 11, 53]
    assert wins.han[0, :4].tolist() == [1, 1, 1, 0]
    assert (wins.dora[0, 0], wins.ura[0, 0]) == (26, 18)
    assert wins.scores[0].tolist() == [25000] * 4
    assert wins.deltas[0].tolist() == [-5200, 5200, 0, 0]


@pytest.mark.parametrize(
    ("is_dealer", "players", "points"), [(False, 4, 5200), (True, 4, 3900), (False, 3, 3900)]
)
def test_what_a_tsumo_is_worth(is_dealer: bool, players: int, points: int) -> None:
    win = hule(0 if is_dealer else 1, zimo=True, qinjia=is_dealer, baopai=2)
    moves = [] if is_dealer else [cut(0, "9m"), deal(1, "9m")]
    wins = play(*moves, ("Hule", {"hules": [win]}), players=players).wins
    assert (wins.points[0], wins.source[0] == wins.seat[0], wins.liable[0]) == (points, True, 1)
    assert (wins.deltas[0] == UNKNOWN_POINTS).all()


def test_two_wins_share_the_sum_of_changes() -> None:
    """The first takes sticks and honba; every winner's own part is the one that his seat got."""
    paid = deal(1, liqi={"seat": 0, "score": 24000})
    fields = {
        "hules": [hule(2), hule(3, point_rong=2000)],
        "old_scores": [24000, 25000, 25000, 25000],
        "delta_scores": [0, -7500, 7500, 2000],
    }
    batch = play(cut(0, "9m", is_liqi=True), paid, cut(1), ("Hule", fields), liqibang=1, ben=1)
    assert batch.wins.deltas.tolist() == [[0, -5500, 7500, 0], [0, -2000, 0, 2000]]
    assert batch.wins.scores[1].tolist() == [24000, 19500, 32500, 25000]
    odd = {**fields, "delta_scores": [-100, -7400, 7500, 2000]}
    unknown = play(cut(0, "9m", is_liqi=True), paid, cut(1), ("Hule", odd), liqibang=1, ben=1)
    assert (unknown.wins.deltas == UNKNOWN_POINTS).all()


def test_words_of_early_records() -> None:
    fans = [{"name": "役牌:门风牌", "val": 1}, {"name": "役牌 发", "val": 1}, {"name": "宝牌", "val": 2}]
    wins = play(
        cut(0, "9m"), ("Hule", {"hules": [hule(1, fans=fans, title="跳满")]}), dora="9s", doras=[]
    ).wins
    assert wins.yaku[0, :3].tolist() == [11, 19, 52]
    assert wins.limit[0] == 2


@each_row(
    ("title", "limit"),
    [
        ("", 0),
        ("满贯", 1),
        ("跳满", 2),
        ("倍满", 3),
        ("三倍满", 4),
        ("役满", 5),
        ("累计役满", 5),
        ("两倍役满", 5),
    ],
)
def test_limits_of_early_records(title: str, limit: int) -> None:
    wins = play(cut(0, "9m"), ("Hule", {"hules": [hule(1, fans=[{"id": 2, "val": 1}], title=title)]})).wins
    assert wins.limit[0] == limit


def test_yakuman_and_north() -> None:
    fans = [{"id": 48, "val": 2}, {"id": 37, "val": 1}]
    wins = play(cut(0, "9m"), ("Hule", {"hules": [hule(1, fans=fans, yiman=True, title_id=7)]})).wins
    assert wins.yaku[0, :2].tolist() == [41, 39]
    assert (wins.han[0, :2].tolist(), wins.limit[0]) == ([13, 13], 5)
    north = play(cut(0, "9m"), ("Hule", {"hules": [hule(1, fans=[{"id": 34, "val": 2}])]}), players=3).wins
    assert (north.yaku[0, 0], north.han[0, 0]) == (73, 2)


def test_an_exhaustive_draw() -> None:
    players = [{"tingpai": True, "hand": DEAL}, {}, {"tingpai": False}, {}]
    scores = [{"old_scores": [25000] * 4, "delta_scores": [3000, -1000, -1000, -1000]}]
    draws = play(cut(0, "9m"), ("NoTile", {"players": players, "scores": scores})).hand_draws
    assert (draws.kind[0], draws.tenpai[0].tolist()) == (HandEnd.EXHAUSTIVE, [1, 0, 0, 0])
    assert draws.deltas[0].tolist() == [3000, -1000, -1000, -1000]
    assert (draws.shown[0] != NO_TILE).sum(axis=1).tolist() == [13, 0, 0, 0]
    nobody = play(cut(0, "9m"), ("NoTile", {"players": [{}] * 4})).hand_draws
    assert nobody.deltas[0].tolist() == [0] * 4


def test_two_players_with_nagashi() -> None:
    parts = [{"delta_scores": [12000, -4000, -4000, -4000]}, {"delta_scores": [-4000, 8000, -2000, -2000]}]
    draws = play(cut(0, "9m"), ("NoTile", {"liujumanguan": True, "scores": parts})).hand_draws
    assert (draws.kind[0], draws.deltas[0].tolist()) == (HandEnd.NAGASHI, [8000, 4000, -6000, -6000])


@each_row(
    ("number", "kind"),
    [
        (1, HandEnd.KYUUSHU),
        (2, HandEnd.SUUFON),
        (3, HandEnd.SUUKAIKAN),
        (4, HandEnd.SUUCHA),
        (5, HandEnd.SANCHAHOU),
    ],
)
def test_abortive_draws(number: int, kind: HandEnd) -> None:
    shown = {"tiles": ["1m"] * 14, "allplayertiles": ["1m|2m"] * 4 if number == 4 else []}
    draws = play(cut(0, "9m"), ("LiuJu", {"type": number, "seat": 0, **shown})).hand_draws
    assert draws.kind[0] == kind
    assert (draws.shown[0] != NO_TILE).sum(axis=1).tolist() == {1: [14, 0, 0, 0], 4: [2] * 4}.get(
        number, [0] * 4
    )


def test_an_abortive_draw_of_another_kind_is_told_once() -> None:
    batch = read(new_round(), cut(0, "9m"), ("LiuJu", {"type": 77}), new_round(), ("LiuJu", {"type": 77}))
    assert batch.hand_draws.kind.tolist() == [HandEnd.UNKNOWN_DRAW] * 2
    assert (batch.faults.code.tolist(), "kind of draw" in batch.faults.reason[0]) == (["V102"], True)


def test_players_leave_and_return_once() -> None:
    batch = play(
        ("Return", {"seat": 2}), ("Leave", {"seat": 2}), ("Leave", {"seat": 2}), cut(0, "9m"),
        ("Return", {"seat": 2}), ("Return", {"seat": 2}), ("Leave", {"seat": 3}),
    )  # fmt: skip
    assert [line for line in story(batch) if "leave" in line or "return" in line] == [
        "2 leave", "2 return", "3 leave",
    ]  # fmt: skip


@pytest.mark.parametrize(("named", "kan"), [("5s", "5s5s5s5s"), ("0s", "5s5s5s0s"), ("7z", "7z7z7z7z")])
def test_a_closed_kan_of_tiles_that_nobody_saw_is_that_of_the_tile_named(named: str, kan: str) -> None:
    batch = play(cut(0, "9m"), deal(1, "2m"), ("AnGangAddGang", {"seat": 1, "type": 3, "tiles": named}))
    (line,) = (line for line in story(batch) if "kan" in line)
    assert sorted(line.replace(" with ", "").split("kan ")[1]) == sorted(kan)


# --- what surrounds the hands --------------------------------------------------------------------------


def test_header() -> None:
    players = [
        {"seat": 3, "total_point": 30500, "part_point_1": 40500},
        {"seat": 1, "total_point": 1500, "part_point_1": 26500},
        {"total_point": -32000, "part_point_1": 8000},
        {"seat": 2, "total_point": 0, "part_point_1": 25000},
    ]
    accounts = [{"seat": 1, "nickname": "Ben"}]
    robots = [{"seat": 2, "nickname": "Robot"}]
    games = play(head=head(accounts=accounts, robots=robots, result={"players": players})).games
    assert (games.id[0], games.started[0], games.format[0]) == (UUID, "2021-08-15T14:51", "majsoul")
    assert (games.rule[0], games.lobby[0], games.version[0]) == ("Jade Room South", "12", "210715")
    assert games.names[0].tolist() == ["AI", "Ben", "Robot", "AI"]
    assert games.sex[0].tolist() == ["C", "", "C", "C"]
    assert games.final_scores[0].tolist() == [8000, 26500, 25000, 40500]
    assert games.final_points[0].tolist() == [-32, 1.5, 0, 30.5]


RULES = case_data("majsoul_rooms")


@each_row("name", RULES)
def test_rules_of_a_room(name: str) -> None:
    mode, rule, changed = (RULES[name][part] for part in ("mode", "room", "rules"))
    batch = play(head=head(mode, rule))
    assert batch.games.ruleset[0] == "majsoul"
    plain = {name.replace("_", ""): value for name, value in rule.items()}
    values = majsoul_rules(mode, plain, 4).ruleset().values()
    assert {rule: values[rule] for rule in changed} == changed


@each_row("name", preset_names(Scheme.HAN_FU))
def test_rules_come_back_as_far_as_a_room_has_them(name: str) -> None:
    rules = load_preset(name)
    plain = {key.replace("_", ""): value for key, value in detail_rule(rules).items()}
    mode = (11 if rules.table.players == 3 else 1) + (rules.table.wind_rounds > 1)
    again = majsoul_rules(mode, plain, rules.table.players).ruleset()
    for field in (
        "players",
        "wind_rounds",
        "start_points",
        "return_points",
        "uma",
        "kuitan",
        "min_han",
        "ippatsu",
    ):
        if field != "return_points" or rules.final.oka:  # no room is without oka
            assert again[field] == rules[field], field


CHOSEN: dict[str, RuleValue] = {
    "tobi": "off", "nagashi": "none", "kiriage": True, "dora": False, "kan_dora": False,
    "kan_dora_timing": "at_once", "ura_dora": False, "kan_ura_dora": False, "abort_suufon": False,
    "abort_suukaikan": False, "abort_suucha": False, "abort_kyuushu": False, "abort_sanchahou": True,
    "head_bump": True, "agari_renchan": False, "agari_yame": False, "tenpai_renchan": False,
    "tenpai_yame": False, "ippatsu": False, "kazoe": "sanbaiman", "yakuman_stacking": False,
    "kuikae": "allowed", "riichi_wall": 0, "double_wind_pair_fu": 2, "kokushi_ankan_ron": False,
    "renhou": "yakuman", "honba_each": 200, "min_han": 2, "kuitan": False, "noten_pay_1": 1500,
    "start_points": 30000, "target_points": 40000, "riichi_stick": 2000,
}  # fmt: skip


@each_row("rule", CHOSEN)
def test_a_rule_that_rooms_can_choose_comes_back(rule: str) -> None:
    rules = with_overrides(load_preset("majsoul"), {rule: CHOSEN[rule]})
    assert rules != load_preset("majsoul")
    plain = {key.replace("_", ""): value for key, value in detail_rule(rules).items()}
    assert majsoul_rules(2, plain, 4).ruleset().values()[rule] == CHOSEN[rule]


def test_rules_that_no_room_can_have() -> None:
    batch = read(new_round(), head=head(2, {"fanfu": 99, "init_point": "many"}))
    assert faults(batch) == [("detail_rule", "V105")]
    assert batch.games.overrides[0] == ""


@pytest.mark.parametrize("rule", ["dora3_mode", "xuezhandaodi", "chuanma", "field_spell_mode"])
def test_event_modes_are_named_and_refused(rule: str) -> None:
    batch = read(*GAME, head=head(2, {rule: 1}))
    assert (len(batch), faults(batch)) == (0, [("", "V102")])
    assert "event mode" in batch.faults.reason[0]


# --- broken input --------------------------------------------------------------------------------------

BROKEN: dict[str, tuple[tuple[Any, ...], str, str]] = {
    "a seat that is none": ((deal(4),), "record 1 DealTile", "V105"),
    "a tile that is none": ((deal(1, "8z"),), "record 1 DealTile", "V105"),
    "a discard of nothing": ((("DiscardTile", {}),), "record 1 DiscardTile", "V105"),
    "a pon of two": (
        (("ChiPengGang", {"seat": 1, "type": 1, "tiles": ["1m"] * 2, "froms": [1, 0]}),),
        "record 1 ChiPengGang",
        "V105",
    ),
    "a call of no kind": (
        (("ChiPengGang", {"seat": 1, "type": 3, "tiles": []}),),
        "record 1 ChiPengGang",
        "V105",
    ),
    "a kan added to nothing": (
        (("AnGangAddGang", {"type": 2, "tiles": "1m"}),),
        "record 1 AnGangAddGang",
        "V102",
    ),
    "no winners": ((("Hule", {}),), "record 1 Hule", "V101"),
    "a winner who deals in to himself": (
        (cut(0, "9m"), ("Hule", {"hules": [hule(0)]})),
        "record 2 Hule hules[0]",
        "V105",
    ),
    "yaku that are numbers": (
        (cut(0, "9m"), ("Hule", {"hules": [hule(1, fans=[5])]})),
        "record 2 Hule hules[0].fans[0]",
        "V102",
    ),
    "points beyond all bounds": (
        (cut(0, "9m"), ("Hule", {"hules": [hule(1)], "delta_scores": [10**9, 0, 0, 0]})),
        "record 2 Hule",
        "V105",
    ),
    "a record of an event": ((("HuleXueZhanMid", {}),), "record 1 HuleXueZhanMid", "V102"),
    "a deal of twelve": ((new_round(tiles1=DEAL[1:]),), "record 1 NewRound", "V104"),
    "another number of players": ((new_round(3),), "record 1 NewRound", "V104"),
}


@each_row("case", BROKEN)
def test_what_cannot_be_read_cuts_the_game_there(case: str) -> None:
    records, place, code = BROKEN[case]
    batch = read(new_round(), *records, deal(3, "7z"))
    assert faults(batch) == [(place, code)]
    assert batch.games.is_cut[0]
    assert "3 draw 7z" not in story(batch)


def test_a_yaku_that_is_known_by_no_name_is_told() -> None:
    batch = read(new_round(), cut(0, "9m"), ("Hule", {"hules": [hule(1, fans=[{"name": "天书", "val": 1}])]}))
    (reason,) = batch.faults.reason
    assert "天书" in reason
    assert set(batch.wins.yaku[0]) == {NO_YAKU}


ROOMS = {
    2: "Bronze Room East", 6: "Silver Room South", 8: "Gold Room East", 12: "Jade Room South",
    15: "Throne Room East", 16: "Throne Room South", 17: "Bronze Room East", 22: "Gold Room South",
    25: "Throne Room East", 26: "Throne Room South",
}  # fmt: skip


@each_row("mode", ROOMS)
def test_ranked_rooms_have_names(mode: int) -> None:
    started = head()
    started["config"]["meta"]["mode_id"] = mode
    games = play(head=started).games
    assert (games.rule[0], games.lobby[0]) == (ROOMS[mode], str(mode))


def test_unknown_words_are_told_and_the_game_is_read_on() -> None:
    batch = read(
        new_round(), ("Earthquake", {}), cut(0, "9m"), ("Hule", {"hules": [hule(1, fans=[{"id": 900}])]})
    )
    assert faults(batch) == [("hand 1", "V102"), ("hand 1", "V102")]
    assert story(batch)[-1] == "1 win 9m from 0"


@each_row(
    ("text", "words"),
    [
        (orjson.dumps({"head": head(), "data": "", "data_url": "https://example.org/x"}), "at an address"),
        (encode("ResGameRecord", {"head": head(), "data_url": "https://example.org/x"}), "at an address"),
        (orjson.dumps({"head": head(), "data": "no base64!"}), "base64"),
        (orjson.dumps({"head": head()}), "no records"),
        (orjson.dumps(export(cut(0))), "before the first deal"),
        (orjson.dumps(export()), "no records"),
        (details(*GAME)[:-9], "breaks off"),
        (wrapper(".lq.NotifyRoom", b""), "neither"),
        (b"\x03\x00\x00", ""),
        (b"", ""),
    ],
)
def test_files_without_a_game(text: bytes, words: str) -> None:
    batch = read_text(text)
    assert len(batch) == 0
    assert len(batch.faults) == 1
    assert words in batch.faults.reason[0]


@each_row("seed", range(60))
def test_mangled_messages(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    text = bytearray(answer(*GAME))
    for _ in range(rng.choice((1, 3, 20))):
        text[rng.randrange(len(text))] = rng.randrange(256)
    batch = read_text(bytes(text))
    assert len(batch) or len(batch.faults)


# --- real logs -----------------------------------------------------------------------------------------


@pytest.mark.corpus
def test_the_corpus_is_read_and_sound(shared: Path) -> None:
    batch = Batch.concatenate(read_batches([shared / "logs" / "majsoul"]))
    assert faults(batch) == []
    assert (len(batch), len(batch.hands), len(batch.wins), len(batch.hand_draws)) == (2, 10, 11, 1)
    found = [in_words(case) for case in cases(replay(batch))]
    # A game of the platform's test environment, in which all four are dealt the same tiles.
    assert [(one.code, "paipu_200610" in one.source) for one in found] == [("V103", True), ("V606", True)]
    assert np.count_nonzero(batch.events.kind == EventKind.RIICHI_PAID) == 6
    timed = batch.take(1).events.time
    assert (len(timed), int(timed.min()), bool((np.diff(timed) >= 0).all())) == (845, 21328, True)
