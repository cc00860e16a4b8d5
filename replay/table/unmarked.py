"""Logs that do not say which discards were the tile just drawn: that is unknown of them, not wrong."""

from __future__ import annotations

import numpy as np

from paifu.replay.facts.tables import Findings
from paifu.replay.kernels import codes
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventFlag


def without_marks(batch: Batch, findings: Findings) -> tuple[Findings, int]:
    """Leave out missing marks in games that mark no discard at all, and count these games."""
    missing = (findings.code == codes.TSUMOGIRI_FLAG) & (findings.event >= 0)
    if not missing.any():
        return findings, 0
    missing[missing] = batch.events.flags[findings.event[missing]] & EventFlag.TSUMOGIRI == 0
    marked = np.append(0, np.cumsum(batch.events.flags & EventFlag.TSUMOGIRI != 0))
    games, game = batch.games, findings.game[missing]
    missing[missing] = marked[games.event_begin[game]] == marked[games.event_end[game]]
    return findings.rows(np.flatnonzero(~missing)), len({*findings.game[missing].tolist()})
