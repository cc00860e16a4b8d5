"""Players who do differ: ``python bench/planted.py [PATH...] [--games 25,100,400]``.

A made-up player draws seats of a corpus with a bias: for callers, toward seats with many calls; for the
stronger, toward seats that gained points. So what is true of such a player is known: the ratio of all seats,
each with its chance to be drawn. For each number of games this prints how often the difference stands out. A
test that never reports anything would pass ``bench/relabel.py``; it would fail here.
"""

from __future__ import annotations

import numpy as np
from relabel import limits_of, stands_out
from seats import F64, Seats, options, read

from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.statistics.standouts import TESTED

PLANTED = (("call_rate", 0.25), ("call_rate", 0.5), ("score_change_game", 0.1), ("score_change_game", 0.25))
"""Statistic whose value in a game a seat is drawn by, and the bias in standard deviations of it."""
PLAYERS = 400


def weights(seats: Seats, name: str, bias: float) -> F64:
    """Return the chance of each seat to be drawn."""
    column = [metric.name for metric in seats.metrics].index(name)
    n, d = np.moveaxis(seats.flat[:, column], -1, 0)
    value = np.where(d > 0, n / np.maximum(d, 1), np.nan)
    far = np.nan_to_num((value - np.nanmean(value)) / np.nanstd(value))
    chance: F64 = np.exp(bias * far)
    share: F64 = chance / chance.sum()
    return share


def main() -> None:
    """Print what is found."""
    parser = options(__doc__)
    parser.add_argument("--games", default="25,100,400")
    given = parser.parse_args()
    seats = read(given.paths)
    is_style, limits = np.array([CATALOGUE[name].is_style for name in TESTED]), limits_of(seats)
    print(f"{seats.sums.shape[0]:,} games of {seats.sums.shape[1]} players; {PLAYERS} players each")
    for name, bias in PLANTED:
        chance = weights(seats, name, bias)
        n, d = (chance[:, None, None] * seats.flat).sum(axis=0).T
        column = [metric.name for metric in seats.metrics].index(name)
        metric = seats.metrics[column]
        true, average = (metric.scale * one for one in (n[column] / d[column], seats.truth[column]))
        print(f"\n{name} {true:.3f} where the average is {average:.3f}")
        for size in map(int, given.games.split(",")):
            random = np.random.default_rng(given.seed)
            drawn = random.choice(len(chance), (PLAYERS, size), p=chance)
            marked = stands_out(seats, seats.players(drawn), limits, size)
            print(
                f"  {size} games: found in {100 * marked[:, TESTED.index(name)].mean():.0f} % of players, "
                f"some result of {100 * marked[:, ~is_style].any(axis=1).mean():.0f} %, "
                f"some style of {100 * marked[:, is_style].any(axis=1).mean():.0f} %"
            )


if __name__ == "__main__":
    main()
