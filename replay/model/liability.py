"""Who answers for a win, in logs that state only what it changed."""

from __future__ import annotations

from collections.abc import Sequence

from paifu.replay.model.batch import UNKNOWN_POINTS
from paifu.replay.model.events import NO_SEAT


def liable_seat(seat: int, source: int, deltas: Sequence[int]) -> int:
    """Return who pays for a win beside the discarder, or alone for a tsumo: only liability does that.

    ``deltas`` are what the win of ``seat`` on a tile of ``source`` changes. Returns NO_SEAT where nobody is,
    or the changes are not known.

    >>> liable_seat(0, 0, [48000, -48000, 0, 0]), liable_seat(0, 0, [6000, -2000, -2000, -2000])
    (1, 255)
    """
    if UNKNOWN_POINTS in deltas:
        return NO_SEAT
    losers = [other for other, delta in enumerate(deltas) if delta < 0]
    if seat == source:
        return losers[0] if len(losers) == 1 else NO_SEAT
    return next((other for other in losers if other != source), NO_SEAT)
