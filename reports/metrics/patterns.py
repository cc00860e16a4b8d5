"""Patterns of the games other than riichi: how often winning hands have them."""

from __future__ import annotations

import re

import numpy as np

from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import TABLE_SCHEMES
from paifu.replay.schemes.tables import table
from paifu.reports.metrics.frames import WinRows
from paifu.reports.metrics.metric import Counted, Family, Metric, MetricKind

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


OWN_PATTERN_PREFIX = "own_pattern_"
"""Begins the name of the statistic of a pattern of a ruleset's own; its key follows, with _ for -."""
_OWN_NAME = re.compile(OWN_PATTERN_PREFIX + "[a-z][a-z0-9_]{0,39}")


def own_pattern_metric(name: str) -> Metric | None:
    """Return the statistic of a pattern of a ruleset's own, by name; None for another name."""
    if not _OWN_NAME.fullmatch(name):
        return None
    key = name.removeprefix(OWN_PATTERN_PREFIX).replace("_", "-")

    def measure(wins: WinRows) -> Counted:
        return wins.own(key)

    return Metric(
        name, family.name, key, MetricKind.SHARE, "%", "wins", f"wins with {key}",
        "wins under rulesets with this pattern",
        f"Share of wins with {key}, a pattern of the ruleset's own, among wins under rulesets that have it.",
        measure, schemes=frozenset(TABLE_SCHEMES),
    )  # fmt: skip


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
