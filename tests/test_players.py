"""Simulated players: one who follows the model, and careless ones."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command import call

from paifu.parsers.simulated import batch_of
from paifu.replay.facts.decisions import Hope, OptionKind
from paifu.replay.judgement.judged import judgements
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.simulate.games import PLAYERS, Simulator, player_named
from paifu.replay.table.engine import replay

GAMES = range(3)


def played(kinds: tuple[str, ...], preset: str = "tenhou", numbers: range = GAMES) -> Batch:
    simulator = Simulator(load_preset(preset), [player_named(kind) for kind in kinds])
    return batch_of([simulator.game(number) for number in numbers])


@pytest.fixture(scope="module")
def followed() -> Batch:
    # Without kans: whose indicator is turned before the discard is seen by the log, not by the player.
    rules = load_preset("tenhou")
    simulator = Simulator(rules, [replace(PLAYERS["model"], kans=0), replace(PLAYERS["balanced"], kans=0)])
    return batch_of([simulator.game(number) for number in GAMES])


def test_who_follows_the_model_loses_nothing_by_it(followed: Batch) -> None:
    """The player sees the options that a judge of the log sees, and takes the best; calls need a yaku."""
    lost = {True: 0.0, False: 0.0}
    number = 0
    for one in judgements(followed):
        table = one.table
        by_model = table.seat[one.chosen] % 2 == 0
        turns = table.option[one.chosen] <= OptionKind.RIICHI
        assert one.loss[by_model & turns].max() < 1
        options = np.isin(table.option[one.best], (OptionKind.CHI, OptionKind.PON, OptionKind.DAIMINKAN))
        calls = by_model & ~turns & (one.loss > 1)
        assert (options & (table.yaku[one.best] == Hope.NONE))[calls].all()
        for is_model in (True, False):
            lost[is_model] += float(one.loss[by_model == is_model].sum())
        number += int((by_model & turns).sum())
    assert number > 500
    assert lost[True] < lost[False] / 3


def test_games_by_the_model_break_no_rule(followed: Batch) -> None:
    assert len(replay(followed).findings) == 0
    three = played(("model", "wild"), "tenhou-sanma")
    assert len(replay(three).findings) == 0


def test_the_model_plays_the_same_interpreted() -> None:
    code = (
        "from paifu.parsers.simulated import *\n"
        "from paifu.replay.rulesets.presets import load_preset\n"
        "from paifu.replay.simulate.games import PLAYERS\n"
        "import sys; sys.stdout.buffer.write(play_and_write("
        "[5], load_preset('tenhou'), [PLAYERS['model'], PLAYERS['caller']], 'mjlog')[0][0])"
    )
    logs = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={**os.environ, "PAIFU_KERNELS": how},
        ).stdout
        for how in ("python", "library")
    ]
    assert logs[0] == logs[1]


def test_careless_players_lose_more() -> None:
    loss = []
    for kind in ("balanced", "balanced:15", "balanced:60"):
        total = number = 0.0
        for one in judgements(played((kind, "balanced"))):
            mine = one.table.seat[one.chosen] % 2 == 0
            total, number = total + float(one.loss[mine].sum()), number + float(mine.sum())
        loss.append(total / number)
    assert loss[0] < 0.8 * loss[1] < 0.64 * loss[2]


def test_a_rate_makes_players_careless() -> None:
    assert player_named("balanced:12.5") == replace(PLAYERS["balanced"], wild=125)
    assert player_named("model") == PLAYERS["model"]
    for name in ("nobody", "balanced:", "balanced:x", "balanced:101", "balanced:-1", "model:nan"):
        with pytest.raises(ValueError, match=name.partition(":")[0]):
            player_named(name)


def test_the_model_needs_a_game_that_it_knows(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no model for games with 2 players"):
        Simulator(with_overrides(load_preset("tenhou"), {"players": 2}), [PLAYERS["model"]])
    result = call("simulate", "--players", "model", "--rules", "hk-old-style", "-o", tmp_path / "out")
    assert result.status == 2
    assert "no model of decisions" in " ".join(result.talk)
    result = call("simulate", "--players", "balanced:200", "-o", tmp_path / "out")
    assert result.status == 2
    assert "0 to 100" in " ".join(result.talk)
