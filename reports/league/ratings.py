"""Ratings of the players of a league, with their uncertainty: the model of Plackett and Luce, by openskill.

The model rates who was ahead of whom, and against whom, not points. Ratings are on the scale of Elo: somebody
who is 100 higher finishes ahead in 64 of 100 games. Everybody begins with 1500. How uncertain that is follows
from how much the mean places of the players differ beyond chance (:mod:`~paifu.reports.inference.shrinking`):
where chance explains all differences, games move a rating little. Nobody is taken to change over a season.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from paifu.reports.inference.intervals import Z
from paifu.reports.inference.shrinking import Spread, spread
from paifu.reports.inference.sums import GameSums
from paifu.reports.league.standings import Standings

BEGINNING = 1500.0
_MU, _BETA, _SIGMA = 25.0, 25 / 6, 25 / 3
"""The defaults of openskill, which fix the scale of its numbers."""
_WIDEST = 4
"""Players at a table, whose spreads add up to the unit of a difference."""
_SCALE = 400 / math.log(10) / (math.sqrt(_WIDEST) * _BETA)
_PLACES_OF_LOGIT = (_WIDEST - 1) / 4
"""How many places better one of equals gets with a unit of the logistic scale against all others."""
_DRAWS = 20_000


@dataclass(frozen=True, slots=True)
class LeagueRating:
    """How good a player is by the places so far."""

    player: str
    games: int
    rating: float
    low: float
    """95% interval."""
    high: float
    best: float
    """Chance to be the best of the league."""


@dataclass(frozen=True, slots=True)
class LeagueRatings:
    """The ratings of a league, the highest first."""

    players: tuple[LeagueRating, ...]
    spread: Spread | None
    """How much the mean places of players differ; None with fewer than three players."""

    @property
    def games_needed(self) -> float | None:
        """Games of each until half of what is seen is the players; None where they can be told apart."""
        if self.spread is None or self.spread.is_known:
            return None
        return self.spread.games_needed


@lru_cache(maxsize=4)
def league_ratings(standings: Standings) -> LeagueRatings:
    """Rate the players of a season by all its games."""
    from openskill.models import PlackettLuce

    among = _spread(standings)
    model = PlackettLuce(mu=_MU, sigma=_prior(among), beta=_BETA, tau=0.0)
    rated = {line.player: model.rating(name=line.player) for line in standings.players}
    for game in standings.games:
        names = [standings.name(name) for name in game.names]
        teams = model.rate([[rated[name]] for name in names], ranks=[float(place) for place in game.places])
        rated.update(zip(names, (team[0] for team in teams), strict=True))
    mu, sigma = np.array([(one.mu, one.sigma) for one in rated.values()]).reshape(-1, 2).T
    drawn = np.random.default_rng(0).normal(mu, sigma, (_DRAWS, len(mu)))
    best = np.bincount(drawn.argmax(axis=1), minlength=len(mu)) / _DRAWS if len(mu) else mu
    value, half = BEGINNING + _SCALE * (mu - _MU), Z * _SCALE * sigma
    games = {line.player: len(line.games) for line in standings.players}
    found = [
        LeagueRating(name, games[name], *map(float, cells))
        for name, *cells in zip(rated, value, value - half, value + half, best, strict=True)
    ]
    return LeagueRatings(tuple(sorted(found, key=lambda one: -one.rating)), among)


def _spread(standings: Standings) -> Spread | None:
    """Return how much mean places differ between players."""
    places: dict[str, list[int]] = defaultdict(list)
    for game in standings.games:
        for name, place in zip(game.names, game.places, strict=True):
            places[standings.name(name)].append(place)
    sums = [GameSums.of_games(own, np.ones(len(own))) for own in places.values()]
    parts = np.array([[one.n, one.d, one.nn, one.nd, one.dd] for one in sums]).reshape(-1, 5)
    return spread(GameSums.of(parts), sum(map(len, places.values())))


def _prior(among: Spread | None) -> float:
    """Return how far players are taken to be apart before their games, in the units of openskill.

    It is what their places say, and a standard error more: where nothing is seen, there may be something.
    """
    if among is None:
        return _SIGMA
    places = math.sqrt(among.variance + among.error)
    return min(_SIGMA, places / _PLACES_OF_LOGIT * math.sqrt(_WIDEST) * _BETA)
