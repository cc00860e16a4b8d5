"""What repeats: ``python bench/halves.py [PATH...] [--least 10] [--all]``.

The games of each real player with enough of them are split in two at random, and each statistic of the two
halves is correlated over players (Spearman and Brown: for all games). Beside it stands what the whole games
say: the standard deviation between true values, without what chance adds, and how many games each player
needs until half of what is seen is the player.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from seats import F64, I64, Seats, options, read

from paifu.reports.inference.shrinking import spread
from paifu.reports.inference.sums import GameSums
from paifu.reports.statistics.standouts import TESTED

SPLITS = 20


def of_players(seats: Seats, least: int) -> list[I64]:
    """Return the rows of each player with enough games."""
    rows: dict[str, list[int]] = defaultdict(list)
    for row, name in enumerate(seats.names.ravel().tolist()):
        if name:
            rows[name].append(row)
    return [np.array(one) for one in rows.values() if len(one) >= least]


def reliability(seats: Seats, players: list[I64], random: np.random.Generator) -> F64:
    """Return the reliability of each statistic, on average over splits."""
    found = []
    for _ in range(SPLITS):
        halves: tuple[list[F64], list[F64]] = ([], [])
        for rows in players:
            mixed = random.permutation(rows)
            for half, part in zip(halves, np.array_split(mixed, 2), strict=True):
                half.append(seats.flat[part].sum(axis=0))
        with np.errstate(invalid="ignore", divide="ignore"):
            one, two = (np.array(half)[..., 0] / np.array(half)[..., 1] for half in halves)
        line = []
        for a, b in zip(one.T, two.T, strict=True):
            both = np.isfinite(a) & np.isfinite(b)
            is_enough = both.sum() >= 20 and a[both].std() > 0 and b[both].std() > 0
            r = np.corrcoef(a[both], b[both])[0, 1] if is_enough else np.nan
            line.append(2 * r / (1 + r) if r > -1 else np.nan)
        found.append(line)
    mean: F64 = np.array(found).mean(axis=0)
    return mean


def main() -> None:
    """Print what is found."""
    parser = options(__doc__)
    parser.add_argument("--least", type=int, default=10, help="games of a player")
    parser.add_argument("--all", action="store_true", help="all statistics, not just those tested")
    given = parser.parse_args()
    seats = read(given.paths)
    players = of_players(seats, given.least)
    number = np.mean([len(rows) for rows in players])
    print(f"{len(players)} players with {given.least} games or more, {number:.0f} on average")
    repeats = reliability(seats, players, np.random.default_rng(given.seed))
    for column, metric in enumerate(seats.metrics):
        if metric.name not in TESTED and not given.all:
            continue
        parts = [seats.flat[rows][:, column] for rows in players]
        sums = [GameSums.of_games(part[:, 0], part[:, 1]) for part in parts]
        every = GameSums.of([[one.n, one.d, one.nn, one.nd, one.dd] for one in sums])
        among = spread(every, sum(map(len, players)))
        if among is None:
            continue
        sd = abs(metric.scale) * among.variance**0.5
        games = f"{among.games_needed:,.0f} games" if among.is_known else "cannot be told from chance"
        print(f"{metric.name:28} reliability {repeats[column]:5.2f}; players differ by {sd:.4g}: {games}")


if __name__ == "__main__":
    main()
