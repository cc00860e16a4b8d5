"""The one loop of the wall that numpy cannot do at once: a shuffle, where each swap builds on the last."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from paifu.replay.kernels.jit import entry


@entry
def shuffle(numbers: npt.NDArray[Any], walls: npt.NDArray[Any]) -> None:
    """Shuffle each row of ``walls`` in place by its row of random ``numbers`` (int64, at least as many)."""
    tiles = walls.shape[1]
    for hand in range(walls.shape[0]):
        for i in range(tiles - 1):
            j = i + numbers[hand, i] % (tiles - i)
            kept = walls[hand, i]
            walls[hand, i] = walls[hand, j]
            walls[hand, j] = kept
