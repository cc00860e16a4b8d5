"""What is written is read back without loss: any game, of any players, under any ruleset, in each format."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from each_row import each_row
from hypothesis import assume, given
from hypothesis import strategies as st
from test_sample_coverage import RULINGS, SCENARIOS

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.errors import WriteError
from paifu.parsers.mjlog.writer import MjlogGameWriter
from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.tenhou6.writer import Tenhou6GameWriter
from paifu.parsers.writers import WRITERS
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind, HandEnd
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


SAID_BY_OTHERS = {
    "mjai-mortal": {
        "hands": "round honba sticks dealer scores dealt dora", "events": "kind seat source tile own flags",
        "wins": "seat source tile deltas ura", "hand_draws": "deltas",
    },
    "mjai": {
        "hands": "round honba sticks dealer scores dealt dora", "events": "kind seat source tile own flags",
        "wins": "seat source tile deltas ura liable fu points yaku han scores",
        "hand_draws": "deltas kind tenpai scores",
    },
    "majiang": {
        "hands": "round honba sticks dealer scores dora end", "events": "kind seat source tile flags",
        "wins": "seat source liable tile deltas points", "hand_draws": "kind deltas",
        "games": "names final_scores final_points",
    },
    "majsoul-json": {
        "hands": "round honba sticks dealer scores dealt dora end", "events": "kind seat source tile flags",
        "wins": "seat source liable tile deltas points yaku han fu limit dora ura", "hand_draws": "kind",
        "games": "names final_scores final_points",
    },
}  # fmt: skip
"""Columns that come back, by target and table."""
WITHOUT_NUMBERS = {"kwan-house", "kwan-official", "saki", "yakuza2", "riichi-encyclopedia", "mcgill-riichi"}
"""Presets with yaku, or counts of red fives, for which Mahjong Soul has no number."""
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


@pytest.mark.parametrize("target", SAID_BY_OTHERS)
@given(number=st.integers(0, 1 << 40), name=st.sampled_from(preset_names(Scheme.HAN_FU)))
def test_what_other_formats_say_comes_back(target: str, number: int, name: str) -> None:
    rules, writer = load_preset(name), WRITERS[target]
    batch = batch_of([simulator(name, ("wild", "caller")).game(number)], "paifu")
    assume(target != "majsoul-json" or name not in WITHOUT_NUMBERS)
    if HandEnd.CHOMBO in batch.hand_draws.kind or (target == "majiang" and rules.table.players == 3):
        with pytest.raises(WriteError, match=r"three players|no word for a foul"):
            list(writer.games(batch))
        return
    again = read_unit([Document("log", b"".join(writer.games(batch)), writer.format)])
    assert again.faults.reason.tolist() == []
    said = {f"{table}.{one}" for table, columns in SAID_BY_OTHERS[target].items() for one in columns.split()}
    assert not said.intersection(batch.differences(again))
    assert replay(again, rules).findings.code.tolist() == []


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
