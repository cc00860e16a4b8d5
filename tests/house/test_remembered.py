"""What comes of the sample logs is what came of them before; see :mod:`remembered`."""

from __future__ import annotations

import json

import pytest
from remembered import (
    DAMAGED,
    KEPT,
    SIMULATED,
    STAGES,
    logs,
    outcome,
    outcome_of_damaged,
    outcome_of_simulated,
    outcome_of_statistics,
)

from paifu.reports.metrics.catalogue import CATALOGUE

pytestmark = pytest.mark.every(60)

REMEMBERED = json.loads(KEPT.read_text())
OF_LOGS = [(log, stage) for log in logs() for stage in STAGES]


def test_all_of_each_log_is_remembered() -> None:
    parts = OF_LOGS, [(f"simulated {preset}", players) for preset, players in SIMULATED]
    damaged = [(f"damaged {kind}", str(first)) for kind, first in DAMAGED]
    statistics = [f"statistic {name}" for name in sorted(CATALOGUE)]
    assert list(REMEMBERED) == [
        *(": ".join(names) for part in (*parts, damaged) for names in part), *statistics
    ]  # fmt: skip


@pytest.mark.parametrize(("log", "stage"), OF_LOGS)
def test_the_outcome_of_a_log_is_as_before(log: str, stage: str) -> None:
    """Where this is meant to change: python tests/remembered.py."""
    assert outcome(log, stage) == REMEMBERED[f"{log}: {stage}"]


def test_what_statistics_count_is_as_before() -> None:
    """Where this is meant to change: python tests/remembered.py."""
    kept = {name: REMEMBERED[f"statistic {name}"] for name in sorted(CATALOGUE)}
    assert outcome_of_statistics() == kept


@pytest.mark.parametrize(("preset", "players"), SIMULATED)
def test_a_simulated_game_is_as_before(preset: str, players: str) -> None:
    """Where this is meant to change: python tests/remembered.py."""
    assert outcome_of_simulated(preset, players) == REMEMBERED[f"simulated {preset}: {players}"]


@pytest.mark.parametrize(("kind", "first"), DAMAGED)
def test_what_comes_of_damaged_logs_is_as_before(kind: str, first: int) -> None:
    """Where this is meant to change: python tests/remembered.py."""
    assert outcome_of_damaged(kind, first) == REMEMBERED[f"damaged {kind}: {first}"]
