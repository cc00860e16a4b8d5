"""What ``paifu score`` does with options: what they change, and what can be though it seems odd."""

from __future__ import annotations

import json
from typing import Any

import pytest
from case_data import case_data
from click.testing import CliRunner, Result
from each_row import each_row
from hands import win_of
from rules.table_flips import Scene, _tiles

from paifu.cli.__main__ import cli
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels import transitions
from paifu.replay.model.tile_notation import parse_tiles
from paifu.replay.rules.hand_facts import RON, Situation
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.score import score
from paifu.replay.shapes.shanten import acceptance, waits

S = Situation
YAKUHAI = "456m456p234s99p777z"
TENPAI = "456m456p23s99p777z"
TENHOU = load_preset("tenhou")
ANSWERS = case_data("score")


def run(text: str) -> Result:
    return CliRunner().invoke(cli, ["score", *text.split()])


def answer(text: str) -> dict[str, Any]:
    result = run(f"{text} --format json")
    assert result.exit_code == 0, result.stderr
    loaded: dict[str, Any] = json.loads(result.stdout)
    return loaded


def test_a_logs_hand_can_leave_out_what_its_rules_do_not_play() -> None:
    hand = win_of(YAKUHAI, S.TSUBAME | S.KANBURI | S.RENHOU, dora="1m2m", marked=2, payer=0)
    bare = with_overrides(TENHOU, {"kan_dora": False})
    played = hand.as_played(bare)
    assert (played.situation, played.marked, played.dora_indicators) == (RON, None, (0,))
    with pytest.raises(HandError):
        score(hand, bare)
    assert score(played, bare) == score(win_of(YAKUHAI, dora="1m", payer=0), bare)
    assert played.as_played(bare) == played


@each_row(("text", "points"), ANSWERS["points"].items())
def test_what_can_be_is_not_refused(text: str, points: int) -> None:
    assert answer(text)["points"] == points


@each_row("kind", ["win", "han_fu", "nagashi"])
def test_who_pays(kind: str) -> None:
    for text, (points, payments) in ANSWERS[kind].items():
        found = answer(text)
        assert (found["kind"], found["points"]) == (kind, points), text
        assert list(found["payments"].values()) == payments, text
        assert run(text).stdout.startswith("nagashi mangan") == (kind == "nagashi")


def test_options_reach_the_score() -> None:
    for text, (points, yaku) in ANSWERS["yaku"].items():
        found = answer(text)
        assert (found["points"], sorted(row["id"] for row in found["yaku"])) == (points, yaku), text
        if found["yakuman"]:
            assert sum(row["han"] for row in found["yaku"]) == 13 * found["yakuman"]


def test_who_can_have_discarded_pays_when_nobody_is_named() -> None:
    assert answer(f"{YAKUHAI} --renhou --rules ema")["hand"]["payer"] == "east"
    assert answer(f"{YAKUHAI} --renhou --seat-wind west --rules kwan-official")["hand"]["payer"] == "south"
    assert answer(f"{YAKUHAI} --chiihou --ron --rules kwan-official")["hand"]["payer"] == "east"
    assert answer(YAKUHAI)["hand"]["payer"] == "west"


# Hands of 13 tiles


@each_row(
    ("text", "kind", "tiles", "live"),
    [
        ("456p456p234s777z4z --rules tenhou-sanma", "waits", ["4z"], 3),
        ("456p456p234s777z4z(4z) --rules tenhou-sanma", "waits", ["4z"], 2),
        ("456p456p234s777z4z(4z)(4z) --rules tenhou-sanma", "waits", ["4z"], 1),
        ("456p456p234s777z4z(4z)(4z)(4z) --rules tenhou-sanma", "waits", [], 0),
        (TENPAI, "waits", ["1s", "4s"], 8),
        (f"{TENPAI} --dora 114s", "waits", ["1s", "4s"], 5),
        (f"{TENPAI} --seat-wind east --round-wind south", "waits", ["1s", "4s"], 8),
    ],
)
def test_norths_set_aside_and_indicators_are_no_live_tiles(
    text: str, kind: str, tiles: list[str], live: int
) -> None:
    found = answer(text)
    assert (found["kind"], found["tiles"], found["live"]) == (kind, tiles, live)
    assert f"({live} tile" in run(text).stdout


def test_norths_set_aside_count_in_the_library_too() -> None:
    hand = parse_tiles("456p456p234s777z4z")
    assert waits(hand, sanma=True, kita=2) == (30,)
    assert waits(hand, sanma=True, kita=3) == ()
    assert acceptance(hand, sanma=True, kita=2).live == 1
    for kita in (-1, 4, 5):
        with pytest.raises(ValueError, match=r"north|4z"):
            waits(hand, sanma=True, kita=kita)


# Yakuman

FOUR_KANS = "suukantsu_needs_pair=false"


def test_four_kans_without_a_pair_are_won_with_a_kan() -> None:
    text = f"[1111m][5555m][3333p][7777s]9p --set {FOUR_KANS}"
    assert (answer(text)["hand"]["win"], answer(text)["hand"]["tsumo"]) == (None, True)
    assert "wins with the fourth kan" in run(text).stdout


def test_without_stacking_the_yakuman_somebody_is_liable_for_is_the_one_that_counts() -> None:
    found = answer("1z(555z)(666z)(777z)(222z)1z --tsumo --liable north --rules ema")
    assert found["payments"] == {"east": 0, "south": 32000, "west": 0, "north": -32000}


# A closed kan under riichi


@pytest.mark.parametrize(
    ("hand", "tile", "same_waits", "same_shape"),
    [
        ("123m456m11p23p999s", 26, [], []),
        # 333m beside 12m could be 123m and the pair 33m: the waits stay, the groups change.
        ("34555m123p78999s", 4, [206], [206]),
        ("111222333m45p99s", 1, [], [206]),
        ("23777m456p45699s", 6, [], []),
    ],
)
def test_a_closed_kan_under_riichi(
    hand: str, tile: int, same_waits: list[int], same_shape: list[int]
) -> None:
    for value, expected in (("same_waits", same_waits), ("same_shape", same_shape)):
        scene = Scene(with_overrides(TENHOU, {"riichi_kan": value}), hand)
        table = scene.table
        before = table.counts[0].copy()
        table.riichi[0], table.drawn[0] = 2, tile
        state.take(table, 0, tile)
        own = _tiles(f"{tile % 9 + 1}" * 3 + "mps"[tile // 9])
        transitions.own_kan(table, state.ANKAN, 0, tile, own, scene.rules, scene.shapes, scene.notes)
        assert scene.codes() == expected, value
        before[tile] = 0
        assert table.counts[0].tolist() == before.tolist()
