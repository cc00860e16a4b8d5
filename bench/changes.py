"""Changes over time, put to the test: ``python bench/changes.py [PATH...] [--games 50,100,400]``.

A made-up player draws seats of a corpus at random, so nothing changes: this prints how many of such players
are told of a change, and of a difference between four periods. Then seats are drawn with a bias from the
middle on, as in ``planted.py``: this prints how often that change is found, how often its interval of time
contains the middle, and how wide the interval is.
"""

from __future__ import annotations

import numpy as np
from planted import weights
from relabel import reported
from seats import F64, I64, Seats, options, read

from paifu.reports.inference.chances import between, chance
from paifu.reports.inference.changing import change_points
from paifu.reports.inference.sums import GameSums
from paifu.reports.statistics.periods import CHANGING
from paifu.reports.statistics.text import FEW

PLANTED = (("call_rate", 0.25), ("call_rate", 0.5), ("score_change_game", 0.25))
PLAYERS, EQUAL = 200, 1000
"""Made-up players with a planted change, and without one."""
PERIODS = 4


def changed(seats: Seats, rows: I64, seed: int) -> list[tuple[str, int, int]]:
    """Return the changes that are found in the games of a player: statistic and interval."""
    n, d = np.moveaxis(seats.flat[rows], -1, 0)
    return [
        (seats.metrics[one.column].name, one.low, one.high) for one in change_points(n, d, seed=seed).found
    ]


def false_differences(seats: Seats, rows: I64) -> bool:
    """Tell whether a difference between periods of a player is reported."""
    chances: list[F64] = []
    for part in np.array_split(np.arange(len(rows)), PERIODS):
        rest = np.setdiff1d(np.arange(len(rows)), part)
        own, others = (GameSums.of_games(*np.moveaxis(seats.flat[rows[at]], -1, 0)) for at in (part, rest))
        found = np.full(len(seats.metrics), np.nan)
        for metric, columns in seats.by_nature():
            made = between(own.take(columns), others.take(columns), metric.nature)
            found[columns] = chance(made[2])
        chances.append(np.where(np.minimum(own.d, others.d) >= FEW, found, np.nan))
    return bool(reported(np.concatenate(chances)[None]).any())


def main() -> None:
    """Print what is found."""
    parser = options(__doc__)
    parser.add_argument("--games", default="50,100,400")
    parser.add_argument("--equal", action="store_true", help="leave out the planted changes")
    given = parser.parse_args()
    every = read(given.paths)
    columns = [column for column, metric in enumerate(every.metrics) if metric.name in CHANGING]
    metrics = [every.metrics[column] for column in columns]
    seats = Seats(metrics, every.sums[:, :, columns], every.names)
    for size in map(int, given.games.split(",")):
        random = np.random.default_rng(given.seed)
        drawn = random.integers(len(seats.flat), size=(EQUAL, size))
        false = np.mean([bool(changed(seats, rows, seed)) for seed, rows in enumerate(drawn)])
        periods = np.mean([false_differences(seats, rows) for rows in drawn])
        print(f"{size} games each, {len(metrics)} statistics:")
        print(f"  told of a change: {100 * false:.1f} %; of a difference of periods: {100 * periods:.1f} %")
        for name, bias in () if given.equal else PLANTED:
            share = weights(seats, name, bias)
            later = random.choice(len(share), (PLAYERS, size - size // 2), p=share)
            found = [
                next(
                    (
                        one
                        for one in changed(seats, np.append(rows[: size // 2], after), seed)
                        if one[0] == name
                    ),
                    None,
                )
                for seed, (rows, after) in enumerate(zip(drawn[:PLAYERS], later, strict=True))
            ]
            known = [one for one in found if one]
            hits = [low <= size // 2 <= high for _name, low, high in known]
            wide = [high - low + 1 for _name, low, high in known]
            words = (
                f"; the interval contains it in {100 * np.mean(hits):.0f} %, median width "
                f"{np.median(wide):.0f} games"
                if known
                else ""
            )
            print(f"  {name} with bias {bias}: found in {100 * len(known) / PLAYERS:.0f} %{words}")


if __name__ == "__main__":
    main()
