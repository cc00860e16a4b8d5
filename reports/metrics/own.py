"""How often wins have the yaku and patterns that a ruleset brings along; their names say which."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import MappingProxyType

from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import TABLE_SCHEMES
from paifu.replay.rules.ruleset import Ruleset
from paifu.reports.metrics.frames import WinRows
from paifu.reports.metrics.metric import RIICHI, Counted, Metric, MetricKind

_KINDS: MappingProxyType[str, tuple[str, str, frozenset[Scheme]]] = MappingProxyType(
    {"yaku": ("yaku", "_", RIICHI), "pattern": ("patterns", "-", frozenset(TABLE_SCHEMES))}
)
"""What it is -> its family, what joins the words of a key, and the schemes that know it."""
_NAME = re.compile("own_(yaku|pattern)_([a-z][a-z0-9_]{0,39})")


def own_metric(name: str) -> Metric | None:
    """Return the statistic of a yaku or pattern of a ruleset's own, by name; None for another name.

    >>> own_metric("own_yaku_three_winds").numerator
    'wins with three winds'
    """
    found = _NAME.fullmatch(name)
    if not found:
        return None
    thing, key = found.groups()
    family, joint, schemes = _KINDS[thing]
    key = key.replace("_", joint)
    title = key.replace("_", " ")

    def measure(wins: WinRows) -> Counted:
        return wins.own(key)

    return Metric(
        name, family, title, MetricKind.SHARE, "%", "wins", f"wins with {title}",
        f"wins under rulesets with this {thing}",
        f"Share of wins with {title}, a {thing} of the ruleset's own, among wins under rulesets that have "
        "it.",
        measure, schemes=schemes,
    )  # fmt: skip


def own_names(rules: Ruleset, shown: Callable[[str], bool]) -> Iterator[str]:
    """Yield the names of these statistics under a ruleset, of the families that are ``shown``."""
    for thing, table in (("yaku", rules.local.yaku), ("pattern", rules.hand.pattern)):
        if shown(_KINDS[thing][0]):
            yield from (f"own_{thing}_{row.key.replace('-', '_')}" for row in table)
