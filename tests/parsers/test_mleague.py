"""Pages of the M.League's viewer, made up from simulated games: no real page was at hand."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from each_row import each_row
from mleague_games import Command, commands, page

from paifu.api.locate import locate
from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format, sniff
from paifu.parsers.sources.documents import Document
from paifu.replay.bounds import check_batch
from paifu.replay.comparison.comparing import compare_games
from paifu.replay.comparison.facts import ONLY_A
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.table.engine import replay

UNSAID = {
    "games.seed", "games.final_scores", "games.rule", "games.go_type", "games.lobby", "games.id", "games.dan",
    "games.rate", "games.sex", "games.title", "games.started", "hands.seed", "hands.dealt_id",
    "hands.dora_id", "hands.dice", "events.tile_id", "events.own_id", "events.time",
    "wins.tile_id", "wins.tiles_id",
    "wins.melds", "wins.honba", "wins.sticks", "wins.scores", "wins.dora_id", "wins.ura_id", "wins.liable",
    "wins.points", "wins.ura", "hand_draws.honba", "hand_draws.sticks", "hand_draws.scores",
    "hand_draws.shown_id", "riichi_scores.scores",
}  # fmt: skip
"""What a page has no place for, or not everywhere."""


@cache
def game(number: int = 0) -> Batch:
    players = [PLAYERS[kind] for kind in ("wild", "caller", "wild", "balanced")]
    return batch_of([Simulator(load_preset("mleague"), players).game(number)])


def read(some: list[Command]) -> Batch:
    return read_unit([Document("L001_S014_0012_02A.json", json.dumps(some).encode(), Format.MLEAGUE)])


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("first", [0, 2])
def test_a_game_comes_back(number: int, first: int) -> None:
    batch = read(commands(game(number), first))
    check_batch(batch)
    assert (len(batch), len(batch.faults), batch.games.is_cut.tolist()) == (1, 0, [False])
    assert batch.games.id[0] == "L001_S014_0012_02A"
    assert batch.games.ruleset[0] == "mleague"
    assert replay(batch).findings.code.tolist() == []
    differences = compare_games(game(number), batch).differences
    assert {one.fact for one in differences if one.status != ONLY_A} == {"games.id"}
    assert {one.fact for one in differences} <= UNSAID


def test_the_games_have_calls_kans_and_draws() -> None:
    kinds = {int(kind) for number in range(4) for kind in game(number).events.kind}
    assert kinds >= {EventKind.CHI, EventKind.PON, EventKind.RIICHI_PAID, EventKind.HAND_DRAW, EventKind.WIN}
    assert kinds & {EventKind.ANKAN, EventKind.KAKAN, EventKind.DAIMINKAN}


def test_a_saved_page_is_read_with_its_date(tmp_path: Path) -> None:
    path = tmp_path / "L001_S014_0012_02A.html"
    path.write_text(page(commands(game())), "utf-8")
    (batch,) = read_batches([path])
    assert (len(batch), len(batch.faults)) == (1, 0)
    assert batch.games.started[0] == "2026-04-28T21:21"
    assert (batch.games.names[0] == game().games.names[0]).all()
    path.write_text(page(commands(game()), date=""), "utf-8")
    (batch,) = read_batches([path])
    assert (len(batch), batch.games.started[0]) == (1, "")
    found = locate("https://m-league.example/viewer?gameid=L001_S014_0012_02A", tmp_path)
    assert found.path == str(path)


def test_the_list_alone_is_recognised() -> None:
    for some in (commands(game()), commands(game())[1:]):
        assert sniff(json.dumps(some).encode()) is Format.MLEAGUE


def test_what_is_wrong_ends_its_hand_and_the_next_is_read() -> None:
    some = commands(game())
    at = next(at for at, one in enumerate(some) if one["cmd"] == "sutehai" and at > 200)
    some[at]["args"][1] = "0x"
    batch = read(some)
    assert len(batch.hands) == len(game().hands)
    assert len(batch.faults) == 1
    assert f"[{at}]" in batch.faults.place[0] + batch.faults.reason[0]
    assert np.count_nonzero(batch.hands.end == 0) == 1


def test_a_hand_that_is_lost_before_its_first_move_leaves_nothing() -> None:
    some = commands(game())
    at = next(at for at, one in enumerate(some) if one["cmd"] == "dora")
    some[at + 1 : at + 1] = [some[at], {"cmd": "haipai", "args": ["A0", "9z"]}]
    batch = read(some)
    check_batch(batch)
    assert len(batch.hands) == len(game().hands) - 1


def test_what_is_not_recorded_is_unknown() -> None:
    some = commands(game())
    at = next(at for at, one in enumerate(some) if one["cmd"] == "dora")
    some[at]["args"][1] = ""
    batch = read([one for one in some if one["cmd"] != "uradora"])
    assert (len(batch.faults), batch.hands.dora[0]) == (0, 255)
    assert (batch.wins.ura == 255).all()


WRONG = {
    "a seat": ("tsumo", 0, "E0"),
    "points": ("point", 1, "=many"),
    "tiles": ("haipai", 1, "1m2m3m4m5m"),
    "a wind": ("kyokustart", 4, "?"),
    "a tile": ("tsumo", 2, "9z"),
}


@each_row("case", WRONG)
def test_a_wrong_argument_is_a_fault(case: str) -> None:
    command, at, text = WRONG[case]
    some = commands(game())
    next(one for one in some if one["cmd"] == command)["args"][at] = text
    batch = read(some)
    assert len(batch.faults) >= 1
    assert len(batch) == 1


@pytest.mark.parametrize(
    "some", [[1], [{"cmd": 5}], [{"cmd": "tsumo", "args": {}}], [{"cmd": "tsumo", "args": ["A0", "1", "1m"]}]]
)
def test_other_lists_are_faults(some: list[Command]) -> None:
    batch = read(some)
    assert (len(batch), len(batch.faults)) == (0, 1)
