"""Counters of statistics: they add up, however the input is cut, and nothing in the catalogue is loose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from builders import game
from hypothesis import given
from hypothesis import strategies as st

from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay
from paifu.reports.metrics.catalogue import CATALOGUE, HEADLINE, choose, families
from paifu.reports.metrics.counters import NN, Chosen, Counters, D, count
from paifu.reports.metrics.frames import BASES
from paifu.reports.metrics.recording import records
from paifu.reports.metrics.records import Records
from paifu.reports.statistics.periods import GameSeries
from paifu.reports.statistics.text import value_text
from paifu.reports.statistics.value_frame import value_frame
from paifu.reports.statistics.values import arranged, statistics

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
METRICS = choose(CATALOGUE)
NAMES = [metric.name for metric in METRICS]


def of(batch: Batch) -> Records:
    return records(replay(batch, review=True))


@pytest.fixture(scope="module")
def whole() -> Batch:
    return Batch.concatenate(read_batches([SAMPLES]))


@pytest.fixture(scope="module")
def parts(whole: Batch) -> list[Records]:
    return [of(whole.take(game)) for game in range(len(whole))]


def same(one: Counters, other: Counters) -> bool:
    """Return whether all counts are equal."""
    pairs = ((getattr(one, field.name), getattr(other, field.name)) for field in fields(Counters))
    return all(np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b for a, b in pairs)


@pytest.mark.every(3)
@pytest.mark.parametrize("by", [(), ("player",), ("room", "seat"), ("players", "length", "month", "ruleset")])
def test_counters_of_single_games_add_up_to_the_whole(
    whole: Batch, parts: list[Records], by: tuple[str, ...]
) -> None:
    chosen = Chosen(by)
    total = Counters.total([count(part, METRICS, chosen) for part in parts], by, NAMES)
    assert same(total, count(of(whole), METRICS, chosen))
    assert total.sums.any()


def test_a_hand_counts_only_if_each_of_its_wins_could_be_scored() -> None:
    seen = 0
    for batch in read_batches([SAMPLES.parent]):
        replayed = replay(batch, review=True)
        scored, hand_of_win = replayed.scored_wins.base, batch.wins.hand
        seats, before = batch.games.players[batch.hands.game], records(replayed)
        for row in np.flatnonzero(np.diff(hand_of_win) == 0).tolist():
            hand = hand_of_win[row]
            if (scored[hand_of_win == hand] > 0).all():
                known = int(scored[row])
                scored[row] = 0
                after = records(replayed)
                scored[row] = known
                assert len(before.wins) - len(after.wins) == (hand_of_win == hand).sum()
                assert len(before.hands) - len(after.hands) == seats[hand]
                seen += 1
    assert seen > 5


@pytest.fixture(scope="module")
def counted(parts: list[Records]) -> list[Counters]:
    return [count(part, METRICS, Chosen(("player",))) for part in parts]


@given(data=st.data())
def test_any_split_in_any_order_gives_the_same_counters(data: st.DataObject, counted: list[Counters]) -> None:
    order = data.draw(st.permutations(range(len(counted))))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(order) - 1))))
    shards = [order[a:b] for a, b in zip([0, *cuts], [*cuts, len(order)], strict=True)]
    sums = [Counters.total([counted[i] for i in shard], ("player",), NAMES) for shard in shards]
    total = sums[0]
    for part in sums[1:]:
        total = total + part
    assert same(total, Counters.total(counted, ("player",), NAMES))


def test_groups_add_up_to_everybody(whole: Batch) -> None:
    rows = of(whole)
    everybody = count(rows, METRICS)
    by_player = count(rows, METRICS, Chosen(("player",)))
    own = [number for number, metric in enumerate(METRICS) if not metric.is_shared]
    assert (by_player.sums.sum(axis=0)[own, : D + 1] == everybody.sums[0][own, : D + 1]).all()
    assert (by_player.whole == everybody.sums[0]).all()
    assert (by_player.sums.sum(axis=0)[:, NN] != by_player.whole[:, NN]).any(), "four seats of one game"
    chosen = count(rows, METRICS, Chosen(("seat",), frozenset({"葵"})))
    assert (chosen.sums.sum(axis=0)[own, : D + 1] == everybody.sums[0][own, : D + 1]).all()
    assert (chosen.whole == everybody.sums[0]).all()


def test_metrics_are_whole() -> None:
    assert len(CATALOGUE) == sum(len(family.metrics) for family in families()), "a name stands twice"
    assert set(HEADLINE) <= set(CATALOGUE)
    for metric in METRICS:
        assert metric.base in BASES
        assert metric.definition.endswith("."), metric.name
        assert metric.numerator
        assert metric.denominator
        assert metric.name == metric.name.lower()
        assert len(metric.title) <= 70, metric.name


@pytest.mark.parametrize(
    ("name", "of_open_hands", "definition"),
    [
        ("yaku_riichi", False, "Share of wins with riichi."),
        ("yaku_pinfu", False, "Share of wins with pinfu (all runs, no fu)."),
        ("yaku_tanyao", True, "Share of wins with tanyao (all simples)."),
        ("yaku_toitoi", True, "Share of wins with toitoi (all triplets)."),
    ],
)
def test_a_yaku_is_explained_and_counted_apart_where_hands_may_be_open(
    name: str, of_open_hands: bool, definition: str
) -> None:
    assert CATALOGUE[name].definition == definition
    assert (f"{name}_open" in CATALOGUE, f"{name}_closed" in CATALOGUE) == (of_open_hands, of_open_hands)


def test_every_base_is_in_use() -> None:
    assert {metric.base for metric in METRICS} == set(BASES)


def test_nothing_is_missing_not_nought() -> None:
    """0 / 0 is not a value."""
    found = statistics(count(of(Batch.empty()), METRICS))
    assert {estimate.value for estimate in found.population.stats.values()} <= {None, 0.0}
    assert found.population.stats["win_rate"].value is None
    assert found.population.stats["yakuman_count"].value == 0


def test_a_game_of_very_many_hands() -> None:
    """No count of hands is kept in a byte."""
    unit = [Document("log", game(0, hands=300), Format.MJLOG)]
    rows = of(read_unit(unit))
    assert rows.games.hands[0] + rows.games.left_out[0] == 300
    assert len(rows.hands) == 4 * int(rows.games.hands[0])


def test_course_of_a_player(parts: list[Records]) -> None:
    games = GameSeries.of(parts, (), "葵", {}).games
    assert len(games) == len(parts)
    assert {game.rank for game in games} <= {0, 1, 2, 3, 4}
    renamed = GameSeries.of(parts, (), "A", {"葵": "A", "Botan": "A"}).games
    assert len(renamed) == 2 * len(parts)


def test_opponents_of_a_player(whole: Batch) -> None:
    """Each shared game counts once for each opponent, and everybody stands beside them."""
    rows = of(whole)
    chosen = Chosen(("opponent",), frozenset({"Botan"}))
    found = statistics(count(rows, METRICS, chosen))
    mine = statistics(count(rows, METRICS, Chosen(("player",))), players=frozenset({"Botan"})).groups[0]
    assert [group.key["opponent"] for group in found.groups] == ["チドリ", "葵", "dahlia 3"]
    assert found.population.stats == statistics(count(rows, METRICS)).population.stats
    assert [group.games for group in found.groups] == [mine.games, mine.games, mine.games - 2], "two of three"
    assert found.groups[0].stats == mine.stats


def test_what_rounds_to_zero_has_no_sign() -> None:
    metric = next(metric for metric in METRICS if metric.name == "score_change_hand")
    assert value_text(metric, -0.001) == "0"
    assert value_text(metric, -1.0) == "-1"


@pytest.mark.full
def test_no_interval_of_a_rate_goes_below_zero(parts: list[Records]) -> None:
    """Those of few hands would: nothing bounds the interval of a ratio of sums."""
    rates = {metric.name for metric in METRICS if not metric.signed}
    seen = 0
    for part in parts:
        found = statistics(count(part, METRICS, Chosen(("player",))))
        for group in found.groups:
            for name, one in group.stats.items():
                if name in rates and one.low is not None:
                    assert 0 <= one.low <= one.high, name
                    seen += 1
    assert seen > 1000


def test_groups_are_made_when_they_are_looked_at(
    parts: list[Records], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All statistics of a hundred thousand players take more than a gigabyte; to rank them, one is enough."""
    made: list[int] = []

    def counting(counters: Counters, rows: Sequence[int], *more: Any) -> pd.DataFrame:
        made.extend([len(rows)] * (len(counters.metrics) == len(METRICS)))
        return value_frame(counters, rows, *more)

    monkeypatch.setattr("paifu.reports.statistics.values.value_frame", counting)
    counters = Counters.total(
        [count(part, METRICS, Chosen(("player",))) for part in parts], ("player",), NAMES
    )
    found = statistics(counters)
    assert len(found.groups) == 4
    assert made == []
    assert found.population is found.population
    assert made == [1], "everybody"
    for order in ("name", "-name", "hands", "-hands", "win_rate", "-rank", "most_points"):
        made.clear()
        shown = arranged(found, order, 3)
        assert (len(shown.groups), shown.beyond, made) == (3, len(found.groups) - 3, [])
        field, sign = order.removeprefix("-"), -1 if order.startswith("-") else 1
        if field == "name":
            names = [one.key["player"] for one in found.groups]
            assert [one.key["player"] for one in shown.groups] == sorted(names, reverse=sign < 0)[:3]
            continue
        every = [one.hands if field == "hands" else one.stats[field].value for one in found.groups]
        there = sorted(-sign * one for one in every if one is not None)[:3]
        first = [one.hands if field == "hands" else one.stats[field].value for one in shown.groups]
        assert [-sign * (one or 0) for one in first] == there
