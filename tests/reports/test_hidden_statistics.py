"""Statistics of logs that hide tiles: of the seat that is known they are those of the full log."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hidden_tiles import sample_pairs

from paifu.replay.arrays import I64
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import HANDS, Chosen, count
from paifu.reports.metrics.recording import records
from paifu.reports.metrics.records import Records


def named(batch: Batch, seats: I64) -> Records:
    names = np.full((len(batch), 4), "others", object)
    names[np.arange(len(batch)), seats] = "me"
    return records(replay(replace(batch, games=replace(batch.games, names=names)), review=True))


@pytest.mark.every(2)
@pytest.mark.parametrize("is_shown", [True, False])
def test_statistics_of_the_known_seat_are_the_same(is_shown: bool) -> None:
    """Only the yaku of hands that are not shown are unknown: such a hand counts for none of them."""
    metrics = list(CATALOGUE.values())
    for full, seen, seats in sample_pairs(is_shown=is_shown):
        whole, part = (count(named(batch, seats), metrics, Chosen(by=("player",))) for batch in (full, seen))
        assert np.array_equal(whole.sizes[0], part.sizes[0])
        differ = [
            metric.name
            for number, metric in enumerate(metrics)
            if not np.array_equal(whole.sums[0, number], part.sums[0, number])
        ]
        assert all(re.fullmatch("deal_in_to_(ippatsu|pinfu|chiitoitsu|toitoi|tanyao|flush)_share", name)
                   for name in differ)  # fmt: skip
        less = [list(CATALOGUE).index(name) for name in differ]
        assert (part.sums[0, less] <= whole.sums[0, less]).all()
        assert not part.sizes[1, HANDS], "nothing counts for the others"
