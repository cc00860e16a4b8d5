"""What the model says of the moves that findings of the review are about."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from paifu.replay.judgement.judged import judgements
from paifu.replay.model.batch import Batch
from paifu.replay.rules.presets import Given
from paifu.reports.judgement.losses import option_rows, why

BAD_LUCK = "bad luck: no option was clearly worth more"
LAST_HAND = "not judged: in the last hand, places count"


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that the model judged."""

    loss: int
    """Points that the best option was worth more."""
    is_costly: bool
    """The loss exceeds the threshold, and twice its error."""
    words: str
    """Why, or that it was bad luck."""
    options: list[dict[str, Any]]
    """All options, best first."""


def choices(
    batch: Batch, events: Collection[int], *rules: Given, min_loss: float
) -> dict[tuple[int, int], Choice]:
    """Return the choices made at ``events`` (rows), by event and seat, as far as the model judges them."""
    wanted = np.fromiter(events, np.int64, len(events))
    found: dict[tuple[int, int], Choice] = {}
    for one in judgements(batch, *rules) if len(wanted) else ():
        event, seat = one.table.event[one.chosen], one.table.seat[one.chosen]
        is_costly = one.is_costly(min_loss)
        for at in np.flatnonzero(np.isin(event, wanted) & np.isfinite(one.error)).tolist():
            costly = bool(is_costly[at])
            found[int(event[at]), int(seat[at])] = Choice(
                round(float(one.loss[at])),
                costly,
                why(one, at) if costly else LAST_HAND if one.is_last[at] else BAD_LUCK,
                option_rows(one, at),
            )
    return found
