"""Indicators of logs that do not say when they were turned: each ruleset has them where it turns them."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from each_row import each_row

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.mjlog.writer import MjlogGameWriter
from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.tenhou6.writer import Tenhou6GameWriter
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.rules.choices import KanDoraTiming
from paifu.replay.rulesets.presets import load_preset, rulesets_of, with_overrides
from paifu.replay.table.engine import replay
from paifu.replay.table.indicator_order import _turned_by, replay_order

LETTERS = {
    "t": EventKind.DRAW, "d": EventKind.DISCARD, "o": EventKind.DAIMINKAN, "c": EventKind.ANKAN,
    "a": EventKind.KAKAN, "n": EventKind.KITA, "I": EventKind.DORA, "W": EventKind.WIN, "p": EventKind.PON,
}  # fmt: skip


@each_row(
    ("stated", "at_once", "before_discard", "after_discard", "all_after"),
    [
        ("tdtcItdtW", "tdtcItdtW", "tdtcItdtW", "tdtcItdtW", "tdtctdItW"),
        ("tdotIdtW", "tdoItdtW", "tdotIdtW", "tdotdItW", "tdotdItW"),
        ("tdotIdW", "tdoItdW", "tdotIdW", "tdotdIW", "tdotdIW"),
        ("tdotW", "tdotW", "tdotW", "tdotW", "tdotW"),
        ("tdotcIItdtW", "tdoItcItdtW", "tdotcIItdtW", "tdotcIItdtW", "tdotctdIItW"),
        ("tdotaItIdtW", "tdoItaItdtW", "tdotaItIdtW", "tdotaItdItW", "tdotatdIItW"),
        ("tatnItdtW", "taItntdtW", "tatnItdtW", "tatnItdtW", "tatntdItW"),
        ("tdotIdpdtW", "tdoItdpdtW", "tdotIdpdtW", "tdotdpdItW", "tdotdpdItW"),
    ],
)
def test_where_rules_turn_indicators(
    stated: str, at_once: str, before_discard: str, after_discard: str, all_after: str
) -> None:
    kinds = [LETTERS[letter] for letter in stated]
    for timing, expected in zip(
        KanDoraTiming, (at_once, before_discard, after_discard, all_after), strict=True
    ):
        order = _turned_by(kinds, timing)
        assert sorted(order) == list(range(len(kinds)))
        assert "".join(stated[at] for at in order) == expected, timing.name


@cache
def played(timing: str) -> Batch:
    rules = with_overrides(load_preset("tenhou"), {"kan_dora_timing": timing})
    simulator = Simulator(rules, [PLAYERS["caller"], PLAYERS["wild"]])
    return batch_of([simulator.game(number) for number in range(12)])


@pytest.mark.parametrize("timing", ["at_once", "before_discard", "after_discard", "all_after_discard"])
def test_no_log_is_blamed_for_a_time_that_it_does_not_state(timing: str) -> None:
    batch = played(timing)
    again = read_unit([Document("log", b"".join(Tenhou6GameWriter.games(batch)), Format.TENHOU6)])
    rules = with_overrides(load_preset("tenhou"), {"kan_dora_timing": timing})
    facts = replay(again, rules)
    assert facts.findings.code.tolist() == []
    assert np.array_equal(facts.scored_wins.points, replay(batch).scored_wins.points)
    kinds = Counter(batch.events.kind.tolist())
    assert kinds[EventKind.DAIMINKAN] + kinds[EventKind.KAKAN] > 10
    assert (len(replay_order(again, rulesets_of(again, rules))) > 0) == (timing != "before_discard")


def test_findings_name_the_same_rows_in_any_order() -> None:
    batch = played("at_once")
    again = read_unit([Document("log", b"".join(Tenhou6GameWriter.games(batch)), Format.TENHOU6)])
    rules = with_overrides(load_preset("tenhou"), {"kan_dora_timing": "at_once", "riichi_points": 26000})
    found = replay(again, rules).findings
    assert len(found) > 5
    assert set(found.code.tolist()) == {207}
    assert (again.events.kind[found.event] == EventKind.RIICHI).all()


def test_a_log_that_states_the_time_is_held_to_it() -> None:
    batch = read_unit(
        [Document("log", b"".join(MjlogGameWriter.games(played("before_discard"))), Format.MJLOG)]
    )
    rules = with_overrides(load_preset("tenhou"), {"kan_dora_timing": "at_once"})
    assert replay_order(batch, rulesets_of(batch, rules)).tolist() == []
    assert 209 in replay(batch, rules).findings.code.tolist()
    assert replay(batch).findings.code.tolist() == []
