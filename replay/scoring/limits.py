"""The limits that hands reach."""

from __future__ import annotations

from enum import IntEnum


class Limit(IntEnum):
    """The limit that a winning hand reaches; the numbers are Tenhou's."""

    NONE = 0
    MANGAN = 1
    HANEMAN = 2
    BAIMAN = 3
    SANBAIMAN = 4
    YAKUMAN = 5

    @classmethod
    def of_base(cls, base: int) -> Limit:
        """Return the limit that base points are; several yakuman are one limit."""
        return next((limit for least, limit in _LEAST_BASE if base >= least), cls.NONE)


_LEAST_BASE = (
    (8000, Limit.YAKUMAN),
    (6000, Limit.SANBAIMAN),
    (4000, Limit.BAIMAN),
    (3000, Limit.HANEMAN),
    (2000, Limit.MANGAN),
)
