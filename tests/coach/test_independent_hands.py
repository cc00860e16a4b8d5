"""What a hand comes to does not depend on the hands that were replayed before it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch, Table
from paifu.replay.table.engine import replay
from paifu.replay.table.replayed import Replay

SAMPLES = Path(__file__).parents[2] / "sample_logs"
PLACES = ("game", "hand", "event", "row", "cause")
"""Columns that number rows of the batch."""


def facts_of(replayed: Replay) -> dict[str, npt.NDArray[Any]]:
    """All columns of what was found out."""
    assert replayed.review is not None
    tables: dict[str, Table] = {
        "wins": replayed.scored_wins,
        "findings": replayed.findings,
        "hands": replayed.player_hands,
        "review": replayed.review.findings,
    }
    return {
        f"{name}.{column}": values
        for name, table in tables.items()
        for column, values in table.arrays()
        if column not in PLACES
    }


@pytest.mark.every(3)
@pytest.mark.parametrize("folder", ["scenarios", "rulesets", "broken"])
def test_games_replayed_together_come_to_what_each_does_alone(folder: str) -> None:
    """Scenarios hold what leaves most behind: liability, kans, riichi, furiten, indicators."""
    alone = [batch.take(game) for batch in read_batches([SAMPLES / folder]) for game in range(len(batch))]
    assert len(alone) > 10
    parts = [facts_of(replay(batch, review=True)) for batch in alone]
    for order in (range(len(alone)), range(len(alone) - 1, -1, -1)):
        together = facts_of(replay(Batch.concatenate([alone[at] for at in order]), review=True))
        for name, values in together.items():
            expected = np.concatenate([parts[at][name] for at in order])
            np.testing.assert_array_equal(values, expected, err_msg=name)
