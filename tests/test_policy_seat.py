"""The player that chooses what the policy rates highest: the same options, the same inputs, legal moves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paifu.api.arena import Match, arena, play_walls
from paifu.api.playing import bot
from paifu.parsers.read import read_batches
from paifu.replay.errors import ArgumentError
from paifu.replay.facts.decisions import OptionKind
from paifu.replay.judgement.judged import judgements
from paifu.replay.judgement.policy import shares
from paifu.replay.rulesets.presets import load_preset, rulesets_of
from paifu.replay.simulate.games import PLAYERS
from paifu.replay.simulate.policy_seat import PolicySeat, seat_player
from paifu.replay.table.engine import replay


def test_it_makes_the_moves_that_the_policy_rates_highest(tmp_path: Path) -> None:
    """Its games are read like anybody's, and each of its decisions is rated as the review does it."""
    match = Match(("paifu:policy",) * 4, load_preset("tenhou"), 3, 60.0, lists=False, log_format="mjlog")
    part = play_walls(match, range(1))
    assert part.findings == 0
    assert not sum(map(sum, (faults.values() for faults in part.faults)))
    (tmp_path / "game.mjlog").write_bytes(part.logs[0])
    seen, first = set(), []
    for batch in read_batches([tmp_path / "game.mjlog"]):
        assert not len(replay(batch).findings)
        for one in judgements(batch):
            for row, chances in shares(batch, rulesets_of(batch), one, np.arange(len(one))).items():
                chosen = int(one.chosen[row])
                seen.add(int(one.table.option[chosen]))
                first.append(chances[chosen - one.first[row]] >= chances.max() - 1e-5)
    assert len(first) > 300
    assert np.mean(first) > 0.99
    assert seen >= {OptionKind.DISCARD, OptionKind.RIICHI, OptionKind.PASS, OptionKind.PON}


def test_there_is_none_for_three() -> None:
    with pytest.raises(ValueError, match="3 players"):
        PolicySeat(load_preset("tenhou-sanma"))
    assert type(seat_player(load_preset("tenhou"), PLAYERS["model"])) is not PolicySeat
    with pytest.raises(ArgumentError):
        bot("policy:5")
    with pytest.raises(ArgumentError, match="3 players"):
        arena(["paifu:policy"] * 3, 3)
    hands = [["1m"] * 3 + ["9s"] * 10, *[["?"] * 13] * 2, ["?"] * 13]
    player = bot("policy")
    start = {
        "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
        "dora_marker": "9p", "scores": [35000] * 3 + [0], "tehais": hands,
    }  # fmt: skip
    names = {"type": "start_game", "id": 0, "names": ["a", "b", "c"]}
    assert player.react([names, start])["type"] == "none"
