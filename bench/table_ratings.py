"""Coverage of the interval of the average table rating: ``python bench/table_ratings.py [PATH...]``.

Games are dealt to made-up players, so the mean of all is the truth for each. For each kind of games this
prints how often the 95% interval of players with 10, 25, 100 and 400 games contains it. Games of four players
are also split by their ratings, as rooms are, because games of weaker rooms have tables far below the others.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
from seats import CORPUS, F64, options

from paifu.parsers.read import read_batches
from paifu.replay.rulesets.presets import rulesets_of
from paifu.reports.inference.intervals import Nature, interval
from paifu.reports.inference.sums import GameSums

SIZES = (10, 25, 100, 400)
ROOMS = (1970, 2070)
"""Ratings that split games of four players."""
LEAST, AT_LEAST = 500, 4000
"""Games of a kind, and players for each number of games."""


def ratings(paths: list[Path]) -> dict[str, F64]:
    """Return the mean rating of each table in hundredths, by kind of game."""
    found: dict[str, list[float]] = defaultdict(list)
    seen: set[str] = set()
    for batch in read_batches(paths):
        games = batch.games
        for game, rules in enumerate(rulesets_of(batch)):
            rates = games.rate[game, : games.players[game]]
            if str(games.id[game]) in seen or not (rates > 0).all():
                continue
            seen.add(str(games.id[game]))
            rate = float((rates * 100).round().mean())
            name = f"{games.players[game]} players, {rules.table.wind_rounds} winds"
            found[name].append(rate)
            if games.players[game] == 4:
                room = sum(rate >= 100 * limit for limit in ROOMS)
                found[f"{name}, {('low', 'middle', 'high')[room]}"].append(rate)
    return {name: np.array(rates) for name, rates in found.items() if len(rates) >= LEAST}


def coverage(rates: F64, size: int, random: np.random.Generator) -> float:
    """Return the share of made-up players whose interval contains the mean of all."""
    hits: list[bool] = []
    while len(hits) < AT_LEAST:
        dealt = rates[random.choice(len(rates), (size, max(1, len(rates) // size)))]
        low, high = interval(GameSums.of_games(dealt, np.ones(dealt.shape)), Nature.RATING)
        hits += ((low <= rates.mean()) & (rates.mean() <= high)).tolist()
    return float(np.mean(hits))


def main() -> None:
    """Print the coverage of each kind of games."""
    given = options(__doc__).parse_args()
    random = np.random.default_rng(given.seed)
    for name, rates in ratings(given.paths or [CORPUS]).items():
        shares = ", ".join(f"{size} games {100 * coverage(rates, size, random):.1f} %" for size in SIZES)
        print(f"{name}: {len(rates):,} games, SD {rates.std() / 100:.0f} R; {shares}")


if __name__ == "__main__":
    main()
