"""What is written is read back without loss: any game, of any players, under any ruleset, in both formats."""

from __future__ import annotations

from functools import cache

import numpy as np
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from test_sample_coverage import RULINGS, SCENARIOS

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.mjlog.writer import MjlogGameWriter
from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.tenhou6.writer import Tenhou6GameWriter
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, preset_names
from paifu.replay.table.engine import replay

NOT_SAID_BY_MJLOG = ["games.source", "games.ruleset", "games.overrides"]
NOT_SAID_BY_TENHOU6 = {
    "format", "id", "overrides", "rule", "ruleset", "seed", "sex", "source", "title", "version",
    "first_dealer", "go_type",
}  # fmt: skip


@cache
def simulator(name: str, kinds: tuple[str, ...]) -> Simulator:
    return Simulator(load_preset(name), [PLAYERS[kind] for kind in kinds])


def assert_mjlog_comes_back(batch: Batch) -> None:
    again = read_unit([Document("log", b"".join(MjlogGameWriter.games(batch)), Format.MJLOG)])
    assert again.faults.reason.tolist() == []
    assert batch.differences(again, ignore=NOT_SAID_BY_MJLOG) == []
    assert b"".join(MjlogGameWriter.games(again)) == b"".join(MjlogGameWriter.games(batch))


def assert_tenhou6_comes_back(batch: Batch, *rules: Ruleset) -> None:
    """As far as the format goes: no physical tiles, no times of indicators, no scores at the end."""
    again = read_unit([Document("log", b"".join(Tenhou6GameWriter.games(batch)), Format.TENHOU6)])
    assert again.faults.reason.tolist() == []
    assert not set(batch.games.differences(again.games)) - NOT_SAID_BY_TENHOU6
    assert not batch.hands.differences(again.hands, ignore=["dice", "dealt", "dealt_id", "dora_id", "seed"])
    written, read = (moves(one) for one in (batch, again))
    assert written == read
    for column in ("seat", "source", "liable", "points", "deltas"):
        assert np.array_equal(getattr(batch.wins, column), getattr(again.wins, column)), column
    assert replay(again, *rules).findings.code.tolist() == []


def moves(batch: Batch) -> list[tuple[int, ...]]:
    """The events but for indicators, of a closed kan without which of the four tiles is named first."""
    events = batch.events
    tiles = np.where(events.kind == EventKind.ANKAN, 0, events.tile)
    rows = zip(*(column.tolist() for column in (events.kind, events.seat, events.source, tiles)), strict=True)
    return [row for row in rows if row[0] != EventKind.DORA]


STATED = [name for name in preset_names(Scheme.HAN_FU) if name != "saki"]
"""Presets whose tiles Tenhou's formats can state: not two red fives of one suit."""


@given(
    number=st.integers(0, 1 << 40),
    name=st.sampled_from(STATED),
    kinds=st.tuples(*[st.sampled_from(sorted(PLAYERS))] * 2),
)
def test_any_game_comes_back(number: int, name: str, kinds: tuple[str, ...]) -> None:
    batch = batch_of([simulator(name, kinds).game(number)])
    assert replay(batch, load_preset(name)).findings.code.tolist() == []
    assert_mjlog_comes_back(batch)
    assert_tenhou6_comes_back(batch, load_preset(name))


@each_row("name", SCENARIOS)
def test_scenarios_come_back(name: str) -> None:
    batch = batch_of([SCENARIOS[name].play()])
    assert_mjlog_comes_back(batch)
    assert_tenhou6_comes_back(batch)


@each_row("name", STATED)
def test_games_of_all_rulesets_come_back(name: str) -> None:
    batch = batch_of([RULINGS[name].play()])
    assert_mjlog_comes_back(batch)
    assert_tenhou6_comes_back(batch, load_preset(name))
