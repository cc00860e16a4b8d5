"""What comes of the sample logs is what came of them before; see :mod:`remembered`."""

from __future__ import annotations

import json

import pytest
from remembered import KEPT, STAGES, logs, outcome

REMEMBERED = json.loads(KEPT.read_text())


def test_all_of_each_log_is_remembered() -> None:
    assert list(REMEMBERED) == [f"{log}: {stage}" for log in logs() for stage in STAGES]


@pytest.mark.parametrize("log_and_stage", REMEMBERED)
def test_the_outcome_is_as_before(log_and_stage: str) -> None:
    """Where this is meant to change: python tests/remembered.py."""
    log, _, stage = log_and_stage.rpartition(": ")
    assert outcome(log, stage) == REMEMBERED[log_and_stage]
