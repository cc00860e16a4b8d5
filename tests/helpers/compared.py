"""Whether two records tell the same game."""

from __future__ import annotations

from paifu.replay.comparison.comparing import GameComparison


def agree(found: GameComparison) -> bool:
    """Return whether two records agree as far as both say."""
    return not any(counts.different for counts in found.facts.values())
