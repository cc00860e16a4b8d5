"""What comes of the sample logs is what came of them before; see :mod:`remembered`."""

from __future__ import annotations

import json

import pytest
from remembered import DAMAGED, KEPT, STAGES, logs, outcome, outcome_of_damaged

REMEMBERED = json.loads(KEPT.read_text())


OF_LOGS = [(log, stage) for log in logs() for stage in STAGES]


def test_all_of_each_log_is_remembered() -> None:
    names = [f"{log}: {stage}" for log, stage in OF_LOGS] + [f"damaged {kind}: {n}" for kind, n in DAMAGED]
    assert list(REMEMBERED) == names


@pytest.mark.parametrize(("log", "stage"), OF_LOGS)
def test_the_outcome_of_a_log_is_as_before(log: str, stage: str) -> None:
    """Where this is meant to change: python tests/remembered.py."""
    assert outcome(log, stage) == REMEMBERED[f"{log}: {stage}"]


@pytest.mark.parametrize(("kind", "first"), DAMAGED)
def test_what_comes_of_damaged_logs_is_as_before(kind: str, first: int) -> None:
    """Where this is meant to change: python tests/remembered.py."""
    assert outcome_of_damaged(kind, first) == REMEMBERED[f"damaged {kind}: {first}"]
