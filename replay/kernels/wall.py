"""The one loop of the wall that numpy cannot do at once: a shuffle, where each swap builds on the last."""

from __future__ import annotations

from paifu.replay.kernels.arrays import I64_2D, U8_2D
from paifu.replay.kernels.running import entry


@entry
def shuffle(numbers: I64_2D, walls: U8_2D) -> None:
    """Shuffle each row of ``walls`` in place by its row of random ``numbers`` (int64, at least as many)."""
    tiles = walls.shape[1]
    for hand in range(walls.shape[0]):
        for i in range(tiles - 1):
            j = i + numbers[hand, i] % (tiles - i)
            kept = walls[hand, i]
            walls[hand, i] = walls[hand, j]
            walls[hand, j] = kept
