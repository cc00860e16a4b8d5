"""Counts that add up: what was read, checked or left out in one part of the input, and in all of it."""

from __future__ import annotations

from typing import Self


class Counts:
    """Base of frozen dataclasses with slots whose fields are all whole numbers; ``+`` adds field by field."""

    __slots__: tuple[str, ...] = ()

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(int.__add__, self.summary().values(), other.summary().values()))

    def summary(self) -> dict[str, int]:
        """Return the counts by name."""
        return {name: getattr(self, name) for name in self.__slots__}
