"""Every metric of the catalogue against a slow, obvious recomputation, on simulated and real games."""

from __future__ import annotations

from pathlib import Path

import pytest
from slow_statistics import Told, metrics

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import load_preset, ruleset_of
from paifu.replay.table.engine import replay
from paifu.replay.views.games import Game
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import D, N, count
from paifu.reports.metrics.metric import RIICHI, MetricKind
from paifu.reports.metrics.recording import records

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
FROM_FACTS = {"furiten_temporary_rate", "furiten_riichi_rate"}
"""Held by the review's own oracle; so are the review's findings."""
NO_YAKU_OF = ("closed", "open")
TOLD_ONLY = {
    f"win_{wait}_{what}"
    for wait in ("ryanmen", "kanchan", "penchan", "shanpon", "tanki")
    for what in ("share", "value")
}
"""The log does not tell in which reading a hand is scored; the scoring's own tests hold the wait."""


def simulated(name: str, kinds: tuple[str, ...], numbers: range) -> Batch:
    simulator = Simulator(load_preset(name), [PLAYERS[kind] for kind in kinds])
    return batch_of([simulator.game(number) for number in numbers])


def compare(batch: Batch) -> dict[str, tuple[int, int]]:
    """Compare all metrics over a batch; return the slow sums."""
    rows = records(replay(batch))
    told = Told()
    for number in range(len(batch)):
        told.add(Game.of(batch, number), ruleset_of(batch, number))
    left_out = FROM_FACTS | TOLD_ONLY
    checked = [m for m in CATALOGUE.values() if m.schemes >= RIICHI and m.name not in left_out]
    checked = [m for m in checked if m.family != "review"]
    counters = count(rows, checked)
    slow = dict(metrics(told))
    assert {metric.name for metric in checked} <= set(slow)
    assert all(name.endswith(NO_YAKU_OF) for name in set(slow) - set(CATALOGUE))
    wrong = {}
    for number, metric in enumerate(checked):
        found = tuple(counters.sums[0, number, [N, D]].tolist())
        if metric.kind is MetricKind.EXTREME:
            best = counters.bests.get(((), metric.name))
            found = (best.value if best else 0, found[1])
        if found != slow[metric.name]:
            wrong[metric.name] = (found, slow[metric.name])
    assert not wrong
    return slow


def test_sample_logs() -> None:
    slow = compare(Batch.concatenate(read_batches([SAMPLES])))
    assert slow["win_rate"] == (118, 516)


@pytest.mark.parametrize("name", ["tenhou", "tenhou-sanma"])
def test_simulated_games_of_all_sorts_of_players(name: str) -> None:
    kinds = ("balanced", "caller", "wild", "defender")
    slow = compare(simulated(name, kinds[: load_preset(name).table.players], range(6)))
    assert sum(n > 0 for n, _ in slow.values()) > 300


@pytest.mark.slow
@pytest.mark.corpus
def test_all_real_games(shared: Path) -> None:
    games = 0
    for batch in read_batches([shared / "logs" / "mjlog"]):
        compare(batch)
        games += len(batch)
    assert games > 2500


@pytest.mark.corpus
def test_some_real_games(shared: Path) -> None:
    paths = sorted(path for path in (shared / "logs" / "mjlog").rglob("*") if path.is_file())[::120]
    slow = compare(Batch.concatenate(read_batches(paths)))
    assert slow["win_rate"][1] > 500
