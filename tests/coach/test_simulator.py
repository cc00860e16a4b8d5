"""The simulator: legal games under every ruleset, the same from the same number, read back as written."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from jansou.io.mjlog import parse_mjlog
from jansou.io.replay import replay_paifu
from jansou.validation.check import check_paifu

from paifu.api.simulated import batch_of, draft_of, numbers_of, play_and_write
from paifu.coach.simulate.games import PLAYERS, PlayedGame, Simulator
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.model.tiles import kind_of
from paifu.replay.rules.choices import Scheme
from paifu.replay.rulesets.presets import load_preset, preset_names, with_overrides
from paifu.replay.table.engine import replay

MIXED = ("balanced", "tile-efficient", "caller", "defender")
UNRULY = ("wild", "caller", "wild", "balanced")
QUICK_GAMES = 12
TENHOU_PRESETS = ("tenhou", "tenhou-sanma")


def play(name: str, kinds: Sequence[str], numbers: Sequence[int]) -> list[PlayedGame]:
    simulator = Simulator(load_preset(name), [PLAYERS[kind] for kind in kinds])
    return [simulator.game(number) for number in numbers]


def assert_clean(batch: Batch, rules: str) -> str:
    """Assert that a replay finds nothing, and say how much it looked at."""
    facts = replay(batch, load_preset(rules))
    found = facts.findings
    rows = list(zip(found.code.tolist(), found.game.tolist(), found.hand.tolist(), strict=True))
    assert rows == []
    checked = facts.checked
    assert checked.games == len(batch)
    assert checked.hands == checked.walls == len(batch.hands)
    assert checked.finals == len(batch)
    assert checked.wins == len(batch.wins)
    assert checked.stopped == 0
    return f"{checked.games} games, {checked.hands} hands, {checked.events} events, {checked.wins} wins"


class Dealt(Simulator):
    """Deals tiles of choice (ids) to the dealer, the first draw after 13 of the deal."""

    def __init__(self, tiles: Sequence[int], kind: str) -> None:
        super().__init__(load_preset("tenhou"), [PLAYERS[kind]])
        self._wanted = tiles

    def play(self) -> tuple[int, int]:
        supply = self.desk.state.supply
        parts = [supply.dealt, supply.live, supply.supplements, supply.indicators, supply.ura]
        for place, wanted in enumerate(self._wanted):
            into = supply.dealt[0, place : place + 1] if place < 13 else supply.live[:1]
            there = int(into[0])
            for part in parts:
                part[part == wanted] = there
            into[:] = wanted
        return super().play()


def test_a_kan_that_sets_the_hand_back_is_left_for_one_that_does_not() -> None:
    """2222134m5555z99p and 1s: a kan of 2m would leave no run."""
    game = Dealt([4, 5, 6, 7, 0, 8, 12, 124, 125, 126, 127, 68, 69, 72], "caller").game(0)
    batch = batch_of([game])
    assert (batch.events.kind[:2] == [EventKind.DRAW, EventKind.ANKAN]).all()
    assert kind_of(int(batch.events.tile[1])) == 31


@pytest.mark.every(12)
@pytest.mark.parametrize("name", preset_names(Scheme.HAN_FU))
def test_games_under_every_ruleset_are_clean(name: str) -> None:
    for kinds in (MIXED, UNRULY):
        batch = batch_of(play(name, kinds, range(QUICK_GAMES)), "paifu")
        print(name, kinds[0], assert_clean(batch, name))  # noqa: T201  shown with -s


def test_the_players_do_all_sorts_of_things() -> None:
    batch = batch_of([*play("tenhou", UNRULY, range(40)), *play("tenhou-sanma", UNRULY, range(20))])
    kinds = Counter(batch.events.kind.tolist())
    for kind in set(EventKind) - {EventKind.LEAVE, EventKind.RETURN, EventKind.BONUS, EventKind.FOUL}:
        assert kinds[kind] > 5, kind
    assert {HandEnd.WIN, HandEnd.EXHAUSTIVE, HandEnd.KYUUSHU} <= set(batch.hands.end.tolist())
    facts = replay(batch)
    rows = facts.player_hands
    assert facts.scored_wins.yakuman.max() >= 0
    assert (rows.furiten & 4).any()
    assert rows.riichi_furiten.any()
    assert (rows.riichi == 1).mean() > 0.1
    assert len(np.unique(facts.scored_wins.fu)) > 6


@pytest.mark.full
def test_defenders_deal_in_less() -> None:
    """The knobs turn something: of two games' worth of hands, who folds deals in less often."""
    rate = {}
    for kind in ("tile-efficient", "defender"):
        rows = replay(batch_of(play("tenhou", ("tile-efficient", kind) * 2, range(60)))).player_hands
        mine = np.isin(rows.seat, (1, 3))
        rate[kind] = float((rows.result[mine] == 3).mean())
    assert rate["defender"] < 0.7 * rate["tile-efficient"], rate


def judged(name: str, numbers: range) -> str:
    """Let another engine replay games move by move and check their results; returns how much that was."""
    hands = moves = verdicts = 0
    for kinds in (MIXED, UNRULY):
        for log, number in play_and_write(numbers, load_preset(name), [PLAYERS[k] for k in kinds], "mjlog"):
            paifu = parse_mjlog(log)
            moves += sum(1 for _ in replay_paifu(paifu))
            found = check_paifu(paifu)
            assert all(verdict.passed for verdict in found), log
            hands += number
            verdicts += len(found)
    assert verdicts > hands // 2  # one a win
    return f"{name}: {2 * len(numbers)} games, {hands} hands, {moves} moves, {verdicts} results, no failure"


def test_games_are_numbered_by_seed_and_place() -> None:
    assert [len(part) for part in numbers_of(3, 250)] == [100, 100, 50]
    assert [number for part in numbers_of(3, 250) for number in part] == [3 * 2**32 + n for n in range(250)]


@pytest.mark.full
@pytest.mark.parametrize("name", TENHOU_PRESETS)
def test_another_engine_finds_every_move_legal(name: str) -> None:
    print(judged(name, range(10)))  # noqa: T201  shown with -s


def test_a_game_follows_from_its_number() -> None:
    games = [play("tenhou", MIXED, numbers) for numbers in ((1, 2, 3), (3, 2))]
    one, other = (batch_of([game]) for game in (games[0][2], games[1][0]))
    assert one.differences(other) == []
    assert batch_of([games[0][1]]).differences(one)


def test_custom_rules_are_noted_beside_the_preset() -> None:
    rules = with_overrides(load_preset("tenhou"), {"kiriage": True, "start_points": 26000})
    draft = draft_of(Simulator(rules, [PLAYERS["balanced"]]).game(1), "here")
    assert draft.game["ruleset"] == "tenhou"
    assert draft.game["overrides"] == '{"kiriage":true,"start_points":26000}'


def test_red_fives_that_the_format_cannot_name_are_refused() -> None:
    rules = with_overrides(load_preset("yakuza2"), {"red_pin": 2})
    with pytest.raises(ValueError, match="one red five"):
        draft_of(PlayedGame(rules, (), None), "here")


@pytest.mark.full
def test_hands_are_played_interpreted_as_well() -> None:
    code = (
        "from paifu.api.simulated import *\n"
        "from paifu.replay.rulesets.presets import load_preset\n"
        "from paifu.coach.simulate.games import PLAYERS\n"
        "import sys; sys.stdout.buffer.write(play_and_write("
        "[5], load_preset('tenhou'), [PLAYERS['balanced']], 'mjlog')[0][0])"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    run = subprocess.run(
        command, capture_output=True, check=True, env={**os.environ, "PAIFU_KERNELS": "python"}
    )
    assert run.stdout == play_and_write([5], load_preset("tenhou"), [PLAYERS["balanced"]], "mjlog")[0][0]
