"""Whether findings have a cause in common: games that were played under other rules than their logs name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from paifu.replay.findings.finding import Finding
from paifu.replay.language import _

_BY_RULES = frozenset(
    {"V103", "V205", "V206", "V207", "V208", "V209", "V212", "V302", "V304", "V305", "V306", "V307", "V308",
     "V309", "V401", "V402", "V403", "V404", "V405", "V407", "V502", "V503", "V505", "V506"}
)  # fmt: skip
"""Codes that other rules would explain."""
_MANY = 3
"""Games in which a code is found, or hands if there are fewer games."""


class Causes:
    """Counts where codes are found."""

    def __init__(self) -> None:
        self._hands: dict[str, set[tuple[str, str]]] = defaultdict(set)

    def add(self, findings: Iterable[Finding]) -> None:
        """Take findings."""
        for finding in findings:
            places = self._hands[finding.code]
            if finding.code in _BY_RULES and len(places) < _MANY:
                places.add((finding.source, finding.hand or ""))

    def hint(self) -> str:
        """Return what to try; empty if no code is found in several hands."""
        codes = sorted(code for code, places in self._hands.items() if len(places) >= _MANY)
        if not codes:
            return ""
        text = _(
            "{codes} in several hands: the games may have been played under other rules; "
            "'paifu rules guess PATH...' looks for them"
        )
        return text.format(codes=", ".join(codes))
