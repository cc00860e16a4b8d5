"""What ratings say, put to the test: ``python bench/ratings.py [PATH...] [--games 25,100,400] [--luck]``.

First, how many steps of R from game to game follow from the formula, in the logs' own statements. Then the
seats of a corpus are dealt to made-up players, as in ``relabel.py``: all are average, so that the stable dan,
with and without luck (``--luck`` measures it, which takes a tenth of a second a game), and the chance of
promotion are known, and this prints how often their intervals contain them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from seats import F64, I64, options

from paifu.parsers.read import read_batches
from paifu.replay.luck.ledger import luck_ledger
from paifu.replay.places.ladders import KYU, LADDERS, TENHOU, Kind
from paifu.replay.places.utilities import RULES
from paifu.replay.table.engine import replay
from paifu.reports.inference.intervals import Nature, interval
from paifu.reports.inference.sums import GameSums
from paifu.reports.luck import PLACES, VALUES, game_values
from paifu.reports.metrics.recording import records
from paifu.reports.ratings.promotion import promotion
from paifu.reports.ratings.tenhou_r import rating_courses
from paifu.reports.statistics.values import CourseGame, course

KIND: Kind = (4, "south")
ROOM, DAN = "houou", 7
PLAYERS = 4000
CAREERS = 200
"""Made-up players whose chance of promotion is simulated, which takes longer."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Seats of whole games: places, and the luck in them."""

    places: I64
    """(games, seats), from 1."""
    luck: F64
    """(games, seats, places) luck in the chances; NaN where it is not measured."""

    def values(self, *, without_luck: bool) -> tuple[F64, F64]:
        """Return rank points without the loss, and last places, as (games * seats,)."""
        room = LADDERS[TENHOU].rooms[ROOM]
        hits = (self.places[:, :, None] == np.arange(1, 5)).astype(float)
        if without_luck:
            hits = hits - self.luck
            hits = hits[~np.isnan(hits).any(axis=(1, 2))]
        return (hits @ np.array(room.gains[KIND], float)).ravel(), hits[:, :, 3].ravel()


def read(paths: Sequence[Path], *, luck: bool) -> tuple[Placed, list[tuple[str, CourseGame]]]:
    """Read the seats of four-player games, east and south, and all games with names."""
    places, lucky, games = [], [], []
    for batch in read_batches(paths):
        made = replay(batch)
        table = records(made).games
        for name in {str(name) for row in table.names for name in row if name}:
            games += [(name, one) for one in course([table], name)]
        chosen = (table.players == 4) & (table.length == KIND[1]) & (table.rank > 0).all(axis=1)
        found = np.full((len(batch), 4, 4), np.nan)
        if luck:
            ledger = luck_ledger(batch, worth=RULES)
            found[ledger.games] = game_values(ledger)[:, :, [VALUES.index(name) for name in PLACES]]
        places.append(table.rank[chosen])
        lucky.append(found[chosen])
    return Placed(np.concatenate(places).astype(np.int64), np.concatenate(lucky)), games


def main() -> None:
    """Print what is found."""
    parser = options(__doc__)
    parser.add_argument("--games", default="25,100,400")
    parser.add_argument("--luck", action="store_true")
    given = parser.parse_args()
    placed, named = read(given.paths, luck=given.luck)
    by_name: dict[str, list[CourseGame]] = defaultdict(list)
    for name, one in named:
        by_name[name].append(one)
    found = [one for games in by_name.values() for one in rating_courses(sorted(games, key=lambda g: g.key))]
    steps, followed = sum(one.games - 1 for one in found), sum(one.followed for one in found)
    print(f"R: {followed:,} of {steps:,} steps follow; at the others, games are missing or differ")
    random = np.random.default_rng(given.seed)
    for size in map(int, given.games.split(",")):
        print(f"{size} games each:")
        _stable(placed, size, random, without_luck=False)
        if given.luck:
            _stable(placed, size, random, without_luck=True)
        _promotion(placed, size, random)


def _stable(placed: Placed, size: int, random: np.random.Generator, *, without_luck: bool) -> None:
    points, last = placed.values(without_luck=without_luck)
    truth = points.sum() / last.sum()
    rows = random.integers(len(points), size=(size, PLAYERS))
    low, high = interval(GameSums.of_games(points[rows], last[rows]), Nature.SIGNED)
    known = ~np.isnan(low)
    inside = ((low <= truth) & (truth <= high))[known].mean()
    step = LADDERS[TENHOU].ranks[KYU + 1].losses[KIND] - LADDERS[TENHOU].ranks[KYU].losses[KIND]
    words = "stable dan without luck" if without_luck else "stable dan"
    print(
        f"  {words}: {100 * inside:.1f} % of intervals contain {truth / step - 2:.2f}; "
        f"half of their width, median: {np.median((high - low)[known]) / 2 / step:.1f} dan"
    )


def _promotion(placed: Placed, size: int, random: np.random.Generator) -> None:
    rank = LADDERS[TENHOU].ranks[KYU + DAN]
    points, last = placed.values(without_luck=False)
    brought: npt.NDArray[np.float64] = points - rank.losses[KIND] * last
    truth = promotion(brought, rank.start, rank.target)
    hits = []
    for _ in range(CAREERS):
        one = promotion(random.choice(brought, size), rank.start, rank.target)
        if one and truth:
            hits.append(one.low <= truth.chance <= one.high)
    if truth and hits:
        print(f"  promotion: {100 * np.mean(hits):.0f} % of intervals contain {truth.chance:.3f}")


if __name__ == "__main__":
    main()
