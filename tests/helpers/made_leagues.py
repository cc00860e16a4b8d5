"""Made-up leagues, of which it is known how good everybody is: how often do chances come true?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from paifu.reports.league.chances import chances
from paifu.reports.league.games import LeagueGame
from paifu.reports.league.season import Season
from paifu.reports.league.standings import Standings

UMA = np.array([45000.0, 5000.0, -15000.0, -35000.0])
SPREAD_OF_SCORES = 9000.0


@dataclass(frozen=True, slots=True)
class Foretold:
    """What was said of a player with half of the season played, and what came of it."""

    league: int
    chance: float
    plain: float
    """The share of the players: what is said of somebody of whom nothing is known."""
    was_first: bool
    is_inside: bool
    """The total at the end is within the interval."""


def made_game(number: int, names: list[str], worth: np.ndarray, random: np.random.Generator) -> LeagueGame:
    """Play one game: places follow from worth and luck, points from places and scores."""
    strength = worth / 20000 + random.standard_normal(4)
    places = np.argsort(np.argsort(-strength))
    points = UMA[places] + random.normal(0, SPREAD_OF_SCORES, 4)
    whole = np.round((points - points.mean()) / 100).astype(int) * 100
    whole[0] -= whole.sum()
    nothing = (0, 0, 0, 0)
    return LeagueGame(
        id=f"g{number:05}", source="", started=f"{number:05}", names=tuple(names),
        scores=tuple(whole.tolist()), places=tuple((places + 1).tolist()), points=tuple(whole.tolist()),
        stated=nothing, hands=0, wins=nothing, deal_ins=nothing, chips=nothing, best=(), codes=(),
    )  # fmt: skip


def made_season(players: int, each: int, spread: float, random: np.random.Generator) -> list[LeagueGame]:
    """Play a season in which everybody has ``each`` games; ``spread`` is how far players are apart."""
    worth = random.normal(0, spread, players)
    games = []
    due = np.full(players, each)
    while np.count_nonzero(due) >= 4:
        order = np.argsort(-(due + random.random(players)))[: np.count_nonzero(due) // 4 * 4]
        for table in random.permutation(order).reshape(-1, 4):
            names = [f"P{player}" for player in table]
            games.append(made_game(len(games), names, worth[table], random))
        due[order] -= 1
    return games


def foretold(
    leagues: int, players: int, each: int, spread: float, seed: int, most: int = 400
) -> Iterator[Foretold]:
    """Ask for chances in the middle of seasons, and look how these end."""
    for league in range(leagues):
        games = made_season(players, each, spread, np.random.default_rng((seed, league)))
        now = chances(Standings(games[: len(games) // 2], Season(games_each=each)), most, league)
        assert now is not None
        assert now.games == len(games) - len(games) // 2
        lines = Standings(games, Season()).players
        for line in lines:
            if line.player in now.players:
                said = now.players[line.player]
                yield Foretold(
                    league, said.first, 1 / players, line.player == lines[0].player,
                    said.low <= line.total <= said.high,
                )  # fmt: skip
