"""Patterns of the games other than riichi: how often winning hands have them."""

from __future__ import annotations

import numpy as np

from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import TABLE_SCHEMES
from paifu.replay.schemes.tables import table
from paifu.reports.metrics.frames import WinRows
from paifu.reports.metrics.metric import Counted, Family

family = Family("patterns", "Patterns", frozenset(TABLE_SCHEMES), base="wins")


def _declare(name: str, bits: dict[Scheme, int], title: str) -> None:
    """Declare the share of wins with a pattern; ``bits`` are its numbers in the tables that have it."""

    def has(wins: WinRows) -> Counted:
        found = np.zeros(len(wins), bool)
        for scheme, bit in bits.items():
            found |= (wins.scheme == scheme) & (wins.patterns >> bit & 1 > 0)
        return found

    family.share(
        title,
        f"wins with {title}",
        name=f"pattern_{name.replace('-', '_')}_share",
        schemes=frozenset(bits),
        definition=f"Share of wins with {title} among its patterns, in games that know it.",
    )(has)


def _declare_all() -> None:
    bits: dict[str, dict[Scheme, int]] = {}
    titles: dict[str, str] = {}
    for scheme in TABLE_SCHEMES:
        for number, (name, row) in enumerate(table(scheme).items()):
            bits.setdefault(name, {})[scheme] = number
            titles.setdefault(name, row.name)
    for name, numbers in bits.items():
        _declare(name, numbers, titles[name])


_declare_all()
