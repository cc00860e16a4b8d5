"""Chances of a season that goes on: its games that are left, simulated many times.

How a game ends is taken from the season's own games. The result of a seat is what the player is worth against
the others of the table, and the rest of a game that was played, drawn at random. What each player is worth is
not known: it is drawn anew for each simulation, from what the games so far say of it. How far players are
apart at all is drawn, too, so that few games let nobody look strong. Tables are drawn among those who have
the most games left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from paifu.replay.arrays import F64, I64, Mask
from paifu.reports.league.standings import Standing, Standings

LEAST_GAMES = 10
"""Games without which nothing is said."""
MOST_PLAYERS = 1000
_SIMULATIONS = 10_000
_CELLS = 40_000_000
"""Draws of one answer at most: where there are more players and games, there are fewer simulations."""
_FEWEST = 1000
_SPREADS = np.linspace(0, 0.4, 21)
"""Standard deviations between players, in units of that of a result; each is as likely before."""


@dataclass(frozen=True, slots=True)
class Chance:
    """How a player, or a team, may end."""

    games_left: int
    first: float
    """Chance to be first; equals are one of them at random."""
    advance: float | None
    """Chance to go on to the next stage; None in the last one."""
    low: float
    high: float
    """95 % of the simulated totals lie between them; plain points."""


@dataclass(frozen=True, slots=True)
class SeasonChances:
    """The chances of a season, or of its present stage."""

    players: dict[str, Chance]
    teams: dict[str, Chance]
    simulations: int
    games: int
    """Games that are left, and were simulated."""

    @property
    def error(self) -> float:
        """What the number of simulations leaves open, at most: half of a 95 % interval."""
        return float(1.96 * 0.5 / np.sqrt(self.simulations))


@lru_cache(maxsize=4)
def chances(standings: Standings, most: int = _SIMULATIONS, seed: int = 0) -> SeasonChances | None:
    """Simulate the games that are left in a season, or in its present stage, ``most`` times at most.

    None where the season's file does not state ``games_each``, none is left, or too little is known.
    """
    season = standings.season
    stage = standings.stages[-1] if standings.stages else None
    lines = stage.lines if stage else standings.players
    each = stage.stage.games_each if stage else season.games_each
    if not each or len(standings.games) < LEAST_GAMES or not 3 <= len(lines) <= MOST_PLAYERS:
        return None
    through = standings.stages[-2].advanced if len(standings.stages) > 1 else {line.player for line in lines}
    left = np.array([max(0, each - len(line.games)) * (line.player in through) for line in lines])
    size = max(len(game.names) for game in standings.games)
    if np.count_nonzero(left) < size:
        return None
    random = np.random.default_rng(seed)
    rounds = int(left.max()) + 1
    count = min(most, max(_FEWEST, _CELLS // (rounds * len(lines))))
    worth, rests = _worth(standings, [line.player for line in lines], size, count, random)
    totals, games = _played_on(standings, lines, left, worth, rests, random)
    is_last = stage is None or stage.stage is season.stages[-1]
    least = season.least_games if stage is None or len(standings.stages) == 1 else 0
    may = np.array([max(len(line.games), each) >= least for line in lines])
    by_teams = stage is not None and stage.stage.teams
    advance = stage.stage.advance if stage and not is_last else None
    teams = [team for team in season.teams if any(line.team == team for line in lines)]
    is_of = np.array([[line.team == team for team in teams] for line in lines]).reshape(len(lines), -1)
    names = [line.player for line in lines]
    for_players = _chances(totals, may, left, None if by_teams else advance, random)
    places = np.ones(len(teams), bool)
    for_teams = _chances(totals @ is_of, places, left @ is_of, advance if by_teams else None, random)
    return SeasonChances(
        dict(zip(names, for_players, strict=True)), dict(zip(teams, for_teams, strict=True)), count, games
    )


def _chances(
    totals: F64, may: Mask, left: I64, advance: int | None,
    random: np.random.Generator,
) -> list[Chance]:  # fmt: skip
    """Return the chances of each column of (simulations, columns) totals; only some ``may`` have a place."""
    if not totals.shape[1]:
        return []
    broken = np.where(may, totals + random.uniform(0, 1e-3, totals.shape), -np.inf)
    first = np.bincount(broken.argmax(axis=1), minlength=totals.shape[1]) / len(totals)
    through: Sequence[float | None] = [None] * totals.shape[1]
    if advance is not None:
        order = np.argsort(-broken, axis=1)[:, : advance or totals.shape[1]]
        through = (np.bincount(order.ravel(), minlength=totals.shape[1]) / len(totals)).tolist()
    low, high = np.quantile(totals, (0.025, 0.975), axis=0)
    cells = zip(left.tolist(), first.tolist(), through, low.tolist(), high.tolist(), strict=True)
    return [Chance(*cell) for cell in cells]


def _worth(
    standings: Standings, players: Sequence[str], size: int, count: int, random: np.random.Generator
) -> tuple[F64, F64]:
    """Return draws of what players are worth, and the rests of games.

    The draws are (count, players), the rests (games, size), all in plain points. A result is modelled as the
    player's worth less the mean of the table's, and a rest: worths are normal, with an unknown spread.
    """
    season = standings.season
    every = {name: number for number, name in enumerate(players)}
    for line in standings.players:
        every.setdefault(line.player, len(every))
    games = [game for game in standings.games if len(game.names) == size]
    seats = np.array([[every[standings.name(name)] for name in game.names] for game in games])
    results = np.array([game.points for game in games], float)
    results += season.chip_points * np.array([game.chips for game in games], float)
    results -= results.mean(axis=1, keepdims=True)
    design = np.zeros((len(games), size, len(every)))
    at = np.arange(len(games))[:, None]
    np.add.at(design, (at, np.arange(size), seats), 1.0)
    design -= design.mean(axis=1, keepdims=True)
    rows, values = design.reshape(-1, len(every)), results.ravel()
    information, moments = rows.T @ rows, rows.T @ values
    fitted = np.linalg.lstsq(information, moments, rcond=None)[0]
    freedom = len(games) * (size - 1) - np.linalg.matrix_rank(information)
    squares = float(((values - rows @ fitted) ** 2).sum()) if freedom > 0 else float((values**2).sum())
    variance = max(1.0, squares / (freedom if freedom > 0 else len(games) * (size - 1)))
    spreads = _SPREADS * np.sqrt(variance)
    plausible = np.zeros(len(spreads))
    factors: list[tuple[F64, F64]] = []
    for number, spread in enumerate(spreads[1:], start=1):
        precision = information / variance + np.eye(len(every)) / spread**2
        root = np.linalg.cholesky(precision)
        mean = np.linalg.solve(precision, moments / variance)
        plausible[number] = (
            0.5 * moments @ mean / variance - np.log(np.diag(root)).sum() - len(every) * np.log(spread)
        )
        factors.append((root, mean))
    weights = np.exp(plausible - plausible.max())
    weights /= weights.sum()
    numbers = np.sort(random.choice(len(spreads), count, p=weights))
    drawn = np.zeros((count, len(every)))
    for number in range(1, len(spreads)):
        of = np.flatnonzero(numbers == number)
        root, mean = factors[number - 1]
        drawn[of] = mean + np.linalg.solve(root.T, random.standard_normal((len(every), len(of)))).T
    expected = sum(
        (weight * mean for weight, (_root, mean) in zip(weights[1:], factors, strict=True)),
        np.zeros(len(every)),
    )
    rests = results - (design @ expected)
    return drawn[:, : len(players)], rests


def _played_on(
    standings: Standings,
    lines: Sequence[Standing],
    left: I64,
    worth: F64,
    rests: F64,
    random: np.random.Generator,
) -> tuple[F64, int]:
    """Return (simulations, players) totals after the games that are left, and how many games those are."""
    count, size = len(worth), rests.shape[1]
    drop = standings.season.drop_worst
    base = np.array([line.total - line.points - line.chips for line in lines], float)
    totals = np.tile(base, (count, 1))
    worst = np.full((count, len(lines), drop), np.inf)
    for number, line in enumerate(lines):
        results = sorted(
            one.points + standings.season.chip_points * one.game.chips[one.seat] for one in line.games
        )
        totals[:, number] += sum(results)
        kept = results[:drop]
        worst[:, number, : len(kept)] = kept
    after = np.array([len(line.games) for line in lines]) + left
    due = np.tile(left, (count, 1))
    at = np.arange(count)[:, None]
    games = 0
    while (seated := np.count_nonzero(due[0]) // size) > 0:
        order = np.argsort(-(due + random.random(due.shape)), axis=1)[:, : seated * size]
        order = random.permuted(order, axis=1)
        due[at, order] -= 1
        tables = order.reshape(count, seated, size)
        strength = worth[at[:, :, None], tables]
        drawn = rests[random.integers(len(rests), size=(count, seated))]
        results = random.permuted(drawn, axis=2) + strength - strength.mean(axis=2, keepdims=True)
        flat = results.reshape(count, -1)
        totals[at, order] += flat
        if drop:
            both = np.concatenate([worst[at, order], flat[:, :, None]], axis=2)
            worst[at, order] = np.sort(both, axis=2)[:, :, :drop]
        games += seated
    if drop:
        # The last game that is left counts, however bad.
        number = np.minimum(drop, np.maximum(after - due[0] - 1, 0))
        taken = np.arange(drop) < number[:, None]
        totals -= np.where(taken & np.isfinite(worst), worst, 0).sum(axis=2)
    return totals, games
