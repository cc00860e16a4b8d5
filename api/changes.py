"""What changed in the games of a player, and when; and what differs between periods."""

from __future__ import annotations

from collections.abc import Mapping

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import Paths
from paifu.api.rules import Rules, Settings, rulesets_for_replay
from paifu.api.stats import counting, groups, series_of
from paifu.reports.statistics.periods import CHANGING, PlayerChanges, player_changes


def changes(
    paths: Paths,
    player: str,
    *,
    aliases: Mapping[str, str] | None = None,
    rules: Rules | None = None,
    settings: Settings = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
) -> PlayerChanges:
    """Return which statistics of a player changed, each with the day and its interval.

    ``aliases`` maps a name in a log to the name that it counts for. ``rules``, ``settings``, ``only`` and
    ``jobs`` are those of :func:`paifu.verify`. Raises PathNotFound, ArgumentError.

    >>> found = changes("sample_logs/games", "Botan")
    >>> found.games, found.changes, "deal_in_rate" in found.unchanged
    (32, (), True)
    """
    names = frozenset([player])
    run = counting(
        paths, [], groups([], [player], aliases or {}), rules=rulesets_for_replay(rules, settings), only=only,
        jobs=jobs, followed=names, over_time=CHANGING,
    )  # fmt: skip
    return player_changes(series_of((part.series for part in run), names, CHANGING)[player])
