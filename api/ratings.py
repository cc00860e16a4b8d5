"""Ratings of players: R, rank points by room, the rank at which they are 0, chances of promotion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

import numpy as np

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import Done, Once, Paths, Run, Unit, listed, unread
from paifu.api.rules import Rules, Settings, rulesets_for_replay
from paifu.api.stats import counting, groups, series_of
from paifu.coach.luck.ledger import luck_ledger
from paifu.coach.places.utilities import RULES
from paifu.replay.arrays import F64, Mask
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import Given
from paifu.reports.luck import game_values, seated_games
from paifu.reports.metrics.counters import counted_names
from paifu.reports.metrics.records import SeatedGame
from paifu.reports.ratings.player import PlayerRatings, player_ratings

LuckOfPlayers = dict[tuple[str, SeatedGame], F64]
"""Player and game -> luck in it."""


def ratings(
    paths: Paths,
    player: str | Iterable[str],
    *,
    luck: bool = False,
    aliases: Mapping[str, str] | None = None,
    rules: Rules | None = None,
    settings: Settings = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
) -> dict[str, PlayerRatings]:
    """Return the ratings of players: R, rank points by room, the stable rank, chances of promotion.

    ``player`` is one name or several. ``luck`` also measures the luck in the players' games, for the stable
    rank without it. ``aliases`` maps a name in a log to the name that it counts for. ``rules``,
    ``settings``, ``only`` and ``jobs`` are those of :func:`paifu.verify`. Raises PathNotFound, ArgumentError.

    >>> found = ratings("sample_logs/games", "Botan")["Botan"]
    >>> [(one.players, one.games) for one in found.tenhou_r], found.left_out
    ([(4, 20), (3, 12)], 32)
    """
    names, known = frozenset(map(str, listed(player))), aliases or {}
    given = rulesets_for_replay(rules, settings)
    run = counting(paths, [], groups([], [*names], known), rules=given, only=only, jobs=jobs, followed=names)
    series = series_of((part.series for part in run), names)
    brought: LuckOfPlayers = {}
    if luck:
        work = partial(_luck, names, known, given, only)
        for found in Run(paths, work, jobs=jobs, once=Once.HANDS):
            brought |= found
    return {
        name: player_ratings(
            one.games,
            {key: values for (of, key), values in brought.items() if of == name},
        )
        for name, one in series.items()
    }


def _luck(
    names: frozenset[str], aliases: Mapping[str, str], rules: tuple[Given, ...], only: Only, unit: Unit
) -> Done[LuckOfPlayers]:
    """Measure the luck in the games of some players."""
    batch, _inputs, left_out = only.read(unit)
    return Done(dict(luck_by_game(batch, names, aliases, rules)), len(batch), unread(batch.faults), left_out)


def luck_by_game(
    batch: Batch, names: frozenset[str], aliases: Mapping[str, str], rules: tuple[Given, ...]
) -> Iterator[tuple[tuple[str, SeatedGame], F64]]:
    """Yield the luck in the games of some players, as ``VALUES`` of :mod:`paifu.reports.luck`."""
    shown = counted_names(batch.games.names, aliases)
    own = np.isin(shown, list(names)) & (np.arange(4) < batch.games.players[:, None])
    games: Mask = np.logical_or.reduce(own, axis=1)
    rows = np.flatnonzero(games)
    if not len(rows):
        return
    ledger = luck_ledger(batch.only(games), *rules, worth=RULES)
    values = game_values(ledger)
    for place, game in enumerate(rows[ledger.games].tolist()):
        seats = np.flatnonzero(own[game]).tolist()
        for seat, key in zip(seats, seated_games(batch, [game] * len(seats), seats), strict=True):
            yield (str(shown[game, seat]), key), values[place, seat]
