"""Players who differ by chance alone: ``python bench/relabel.py [PATH...] [--games 10,25,100,400]``.

The seats of a corpus are dealt to made-up players, each at most once a game, so all are average. For each
number of games this prints how often the 95% interval of each statistic contains the truth, the ratio of the
whole corpus; the share of pairs of players of whom a difference is marked; and the share of statistics in
which players seem to differ. All of these are false. ``bench/average.py`` asks what is said of one player.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from seats import F64, I64, Mask, Seats, options, read

from paifu.reports.inference.chances import between, beyond_noise, chance
from paifu.reports.inference.shrinking import spread
from paifu.reports.inference.sums import GameSums
from paifu.reports.pages.report_sections import COMPARED, IN_TABLES
from paifu.reports.statistics.text import FEW

LEAST_PLAYERS = 100
CASES = 3
"""With fewer expected cases, or fewer others, no interval of a share has a coverage near 95%: with
whole cases it is either less than 92% or more than 98%."""
AT_LEAST = 4000
"""Made-up players for each number of games; the corpus is dealt as often as this needs."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often intervals contain the truth, of statistics with at least LEAST_PLAYERS intervals."""

    names: list[str]
    share: F64
    is_rare: Mask

    def line(self) -> str:
        """Say it in one line."""
        inside = (self.share >= 0.92) & (self.share <= 0.98)
        below = [name for name, one in zip(self.names, self.share, strict=True) if one < 0.92]
        often = ~self.is_rare
        return (
            f"{len(self.names)} statistics: {inside.sum()} between 92 and 98 %, {len(below)} below, "
            f"{(self.share > 0.98).sum()} above; mean {100 * self.share.mean():.1f} %; with {CASES} expected "
            f"cases or more {often.sum()}: {inside[often].sum()} between, mean "
            f"{100 * self.share[often].mean():.1f} %; below: {', '.join(below) or 'none'}"
        )


def coverage(seats: Seats, size: int, random: np.random.Generator) -> Coverage:
    """Deal players and count their intervals."""
    truth, whole = seats.truth, seats.flat.sum(axis=0)
    hits, number = np.zeros((2, len(seats.metrics)))
    for _ in _rounds(seats, size):
        low, high = seats.bounds(seats.players(seats.deal(random, size)))
        known = ~np.isnan(low)
        tiny = 1e-9 * (1 + abs(truth))
        hits += (known & (low <= truth + tiny) & (truth <= high + tiny)).sum(axis=0)
        number += known.sum(axis=0)
    mean = whole / len(seats.flat) * size
    cases = np.minimum(mean[:, 0], mean[:, 1] - mean[:, 0])
    counts = np.array([metric.nature.value in ("share", "count") for metric in seats.metrics])
    cases = np.where([metric.nature.value == "share" for metric in seats.metrics], cases, mean[:, 0])
    chosen = np.flatnonzero((number >= LEAST_PLAYERS) & (whole[:, 0] != 0))
    names = [seats.metrics[column].name for column in chosen]
    return Coverage(names, hits[chosen] / number[chosen], (counts & (cases < CASES))[chosen])


def _rounds(seats: Seats, size: int) -> range:
    return range(max(1, AT_LEAST // max(1, seats.sums.shape[0] // size * seats.sums.shape[1])))


def chances_of_differences(seats: Seats, one: GameSums, two: GameSums) -> F64:
    """Return the chances of the differences of pairs of players in the statistics of ``COMPARED``."""
    narrow, first = _only(seats, one, COMPARED)
    _, second = _only(seats, two, COMPARED)
    found = np.full(first.n.shape, np.nan)
    for metric, columns in narrow.by_nature():
        left, right = (sums.take(np.s_[:, columns]) for sums in (first, second))
        found[:, columns] = chance(between(left, right, metric.nature)[2])
    return np.where(np.minimum(first.d, second.d) >= FEW, found, np.nan)


def _columns(seats: Seats, names: tuple[str, ...]) -> I64:
    place = {metric.name: column for column, metric in enumerate(seats.metrics)}
    return np.array([place[name] for name in names])


def _only(seats: Seats, sums: GameSums, names: tuple[str, ...]) -> tuple[Seats, GameSums]:
    columns = _columns(seats, tuple(one.name for one in seats.metrics if one.name in names))
    metrics = [seats.metrics[column] for column in columns]
    return replace(seats, metrics=metrics, sums=seats.sums[:, :, columns]), sums.take(np.s_[:, columns])


def seem_to_differ(seats: Seats, sums: GameSums, size: int) -> tuple[int, int]:
    """Return in how many of the statistics that have places players seem to differ, and of how many."""
    _, some = _only(seats, sums, IN_TABLES)
    spreads = [spread(some.take(np.s_[:, column]), len(some.n) * size) for column in range(some.n.shape[1])]
    return sum(one.is_known for one in spreads if one), len(spreads)


def reported(chances: F64) -> Mask:
    """Tell, for (players, statistics), which differences are reported."""
    most = [beyond_noise(row[~np.isnan(row)].tolist()) for row in chances]
    found: Mask = chances <= np.array(most)[:, None]
    return found


def main() -> None:
    """Print what is found."""
    parser = options(__doc__)
    parser.add_argument("--games", default="10,25,100,400")
    given = parser.parse_args()
    seats = read(given.paths)
    print(f"{seats.sums.shape[0]:,} games of {seats.sums.shape[1]} players")
    for size in map(int, given.games.split(",")):
        random = np.random.default_rng(given.seed)
        print(f"\n{size} games each\n  intervals: {coverage(seats, size, random).line()}")
        pairs = players = 0
        differ = np.zeros(2, int)
        for _ in _rounds(seats, size):
            sums = seats.players(seats.deal(random, size))
            half = len(sums.n) // 2
            one, two = sums.take(np.s_[:half]), sums.take(np.s_[half : 2 * half])
            pairs += reported(chances_of_differences(seats, one, two)).any(axis=1).sum() * 2
            players += len(sums.n)
            differ += seem_to_differ(seats, sums, size)
        print(
            f"  pairs with a false difference, of {players // 2:,}: {100 * pairs / players:.1f} %\n"
            f"  statistics in which players seem to differ: {100 * differ[0] / differ[1]:.1f} %"
        )


if __name__ == "__main__":
    main()
