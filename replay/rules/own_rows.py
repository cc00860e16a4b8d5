"""Yaku and patterns that a ruleset defines, as data: each with what it is worth and a written condition.

In a file they are tables (:mod:`paifu.replay.rules.own_yaku` reads them); among the rules they are one value,
in the order of their keys. :mod:`paifu.replay.scoring.yaku` and :mod:`paifu.replay.schemes.tables` turn them
into rows of the tables of yaku and of patterns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol, Self, TypeVar

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


class OwnRow(Protocol):
    """A yaku or a pattern that a ruleset defines."""

    @property
    def key(self) -> str:
        """What data, logs and statistics call it."""
        ...

    @property
    def when(self) -> str:
        """The condition (:mod:`paifu.replay.rules.written_conditions`)."""
        ...

    def plain(self) -> dict[str, Any]:
        """Return it as TOML and JSON write it, what is not said left out."""
        ...


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
class OwnYaku:
    """A yaku that a ruleset brings along."""

    key: str
    """What data, logs and statistics call it."""
    when: str
    """The condition (:mod:`paifu.replay.rules.written_conditions`)."""
    name: str = ""
    ja: str = ""
    meaning: str = ""
    """What it is about, in words."""
    han: tuple[int, int] = (0, 0)
    """Closed and open; 13 for a yakuman, 26 for a double one, 0 where it does not count."""
    limit: int = 0
    """Base points that it is worth by itself, adding to nothing; 0: it counts by its han."""
    replaces: tuple[str, ...] = ()
    """Names of lesser yaku that do not count beside it: romaji, or keys of others like it."""

    @property
    def romaji(self) -> str:
        """Its key as a name."""
        return self.key.replace("_", " ")

    def plain(self) -> dict[str, Any]:
        """Return it as TOML and JSON write it, what is not said left out."""
        closed, opened = map(_plain_han, self.han)
        values = {
            "name": self.name,
            "ja": self.ja,
            "meaning": self.meaning,
            "han": None if self.limit else closed if closed == opened else {"closed": closed, "open": opened},
            "limit": next((name for name, base in LIMIT_BASES.items() if base == self.limit), self.limit),
            "when": self.when,
            "replaces": list(self.replaces),
        }
        return {
            entry: value for entry, value in values.items() if value or (entry == "han" and value is not None)
        }


class OwnYakuTable(OwnTable[OwnYaku]):
    """Yaku of a ruleset's own."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class OwnPattern:
    """A pattern that a ruleset of another game brings along."""

    key: str
    when: str
    name: str = ""
    ja: str = ""
    meaning: str = ""
    value: int | str = 0
    """In the scheme's unit, or ``limit`` or ``half_limit``; 0: not played."""
    replaces: tuple[str, ...] = ()
    """Ids of lesser patterns that do not count beside it."""

    def plain(self) -> dict[str, Any]:
        """Return it as TOML and JSON write it, what is not said left out."""
        texts = {"name": self.name, "ja": self.ja, "meaning": self.meaning}
        listed = {"replaces": list(self.replaces)} if self.replaces else {}
        return {k: v for k, v in texts.items() if v} | {"value": self.value, "when": self.when} | listed


class OwnPatternTable(OwnTable[OwnPattern]):
    """Patterns of a ruleset's own."""

    __slots__ = ()


def _plain_han(han: int) -> int | str:
    return next((word for word, number in YAKUMAN_WORDS.items() if number == han), han)
