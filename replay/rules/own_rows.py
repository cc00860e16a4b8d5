"""Yaku and patterns that a ruleset defines, as data: each with what it is worth and a written condition.

In a file they are tables (:mod:`paifu.replay.rules.own_yaku` reads them); among the rules they are one value,
in the order of their keys. :mod:`paifu.replay.scoring.yaku` and :mod:`paifu.replay.schemes.tables` turn them
into rows of the tables of yaku and of patterns.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self, TypeVar

from paifu.replay.kernels import scoring_layout as layout

YAKUMAN_WORDS = MappingProxyType(
    {
        word: count * layout.YAKUMAN_HAN
        for count, word in enumerate(("yakuman", "double_yakuman", "triple_yakuman"), 1)
    }
)
OWN_BITS = range(58, 62)
"""Bits that patterns of a ruleset's own have in masks of patterns, after those that paifu knows."""
LIMIT_BASES = MappingProxyType({"mangan": 2000, "haneman": 3000, "baiman": 4000, "sanbaiman": 6000})
"""Limit -> its base points."""


@dataclass(frozen=True, slots=True)
class OwnRow(ABC):
    """A yaku or a pattern that a ruleset defines."""

    key: str
    """What data, logs and statistics call it."""
    when: str
    """The condition (:mod:`paifu.replay.rules.written_conditions`)."""
    name: str = ""
    ja: str = ""
    meaning: str = ""
    """What it is about, in words."""
    replaces: tuple[str, ...] = ()
    """Names of lesser yaku or patterns that do not count beside it."""

    @property
    @abstractmethod
    def worth(self) -> dict[str, Any]:
        """What it is worth, as TOML and JSON write it."""

    def plain(self) -> dict[str, Any]:
        """Return it as TOML and JSON write it, what is not said left out."""
        texts = {"name": self.name, "ja": self.ja, "meaning": self.meaning}
        listed = {"replaces": list(self.replaces)} if self.replaces else {}
        return {k: v for k, v in texts.items() if v} | self.worth | {"when": self.when} | listed


RowT = TypeVar("RowT", bound=OwnRow)


class OwnTable(tuple[RowT, ...]):
    """Yaku or patterns of a ruleset's own, by key, in order."""

    __slots__ = ()

    def ask_for(self, fact: str) -> bool:
        """Return whether a condition names a fact."""
        return any(re.search(rf"\b{fact}\b", row.when) for row in self)

    def plain(self) -> dict[str, dict[str, Any]]:
        """Return them as TOML and JSON write them."""
        return {row.key: row.plain() for row in self}

    def with_others(self, others: Self) -> Self:
        """Return these and others, which go first where the keys are the same."""
        by_key = {row.key: row for row in (*self, *others)}
        return type(self)(by_key[key] for key in sorted(by_key))


@dataclass(frozen=True, slots=True)
class OwnYaku(OwnRow):
    """A yaku that a ruleset brings along; it replaces others by their romaji, or the keys of such."""

    han: tuple[int, int] = (0, 0)
    """Closed and open; 13 for a yakuman, 26 for a double one, 0 where it does not count."""
    limit: int = 0
    """Base points that it is worth by itself, adding to nothing; 0: it counts by its han."""

    @property
    def romaji(self) -> str:
        """Its key as a name."""
        return self.key.replace("_", " ")

    @property
    def worth(self) -> dict[str, Any]:
        """Its limit or its han, the same open and closed or each by itself."""
        if self.limit:
            names = {base: name for name, base in LIMIT_BASES.items()}
            return {"limit": names.get(self.limit, self.limit)}
        closed, opened = map(_plain_han, self.han)
        return {"han": closed if closed == opened else {"closed": closed, "open": opened}}


class OwnYakuTable(OwnTable[OwnYaku]):
    """Yaku of a ruleset's own."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class OwnPattern(OwnRow):
    """A pattern that a ruleset of another game brings along; it replaces others by their ids."""

    value: int | str = 0
    """In the scheme's unit, or ``limit`` or ``half_limit``; 0: not played."""

    @property
    def worth(self) -> dict[str, Any]:
        """Its value."""
        return {"value": self.value}


class OwnPatternTable(OwnTable[OwnPattern]):
    """Patterns of a ruleset's own."""

    __slots__ = ()


def _plain_han(han: int) -> int | str:
    return next((word for word, number in YAKUMAN_WORDS.items() if number == han), han)
