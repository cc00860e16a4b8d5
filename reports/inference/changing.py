"""Whether a statistic changed at some time, and when: cumulative sums of games in the order of play.

The sums of what each game is above the ratio of all games (CUSUM) wander back to zero. If the ratio changed,
they go far before they turn. How far they go by chance is known from the same games in random orders, all
statistics together: the chance of a change is that of any of them going so far (the step-down procedure of
Westfall and Young, 1993). So of players in whom nothing changed, at most one in twenty gets any change.

When it was is where two ratios, one before and one after, fit best; the 95% interval are the times that fit
hardly worse (the likelihood ratio of Hansen, 2000).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np

from paifu.replay.arrays import F64, I64
from paifu.reports.inference.chances import FALSE_SHARE
from paifu.reports.inference.sums import GameSums, game_parts

LEAST_GAMES = 20
"""With fewer games no change is looked for."""
LEAST_CASES = 30
_SIDE = 5
"""Games on each side of a change at least."""
_SHUFFLES = 999
_CRITICAL = 7.352
"""Hansen's for 95%: how much less likely a time may be, twice the logarithm."""
_FOUR_OF_FIVE = NormalDist().inv_cdf(0.8)


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """A change of one statistic."""

    column: int
    at: int
    """Number of the first game after it, from 0."""
    low: int
    """95% interval of ``at``."""
    high: int
    chance: float
    """Probability that any statistic seems to change as much by chance."""
    before: GameSums
    after: GameSums


@dataclass(frozen=True, slots=True)
class ChangePoints:
    """What was found."""

    found: tuple[ChangePoint, ...]
    """The surest first."""
    tested: tuple[int, ...]
    """Columns that were looked at."""
    seen_from: F64 = field(default_factory=lambda: np.zeros(0))
    """For each of them: how much the ratio must change half-way to be found four times out of five."""
    scale: F64 = field(default_factory=lambda: np.zeros(0))
    base: float = 0.0
    """Of more games like these, ``seen_from`` would be scale / sqrt(games - base)."""

    def games_needed(self, change: F64) -> F64:
        """Return of how many games such changes would be found as often; (columns looked at,)."""
        return self.base + (self.scale / change) ** 2


def change_points(n: F64, d: F64, seed: int = 0) -> ChangePoints:
    """Look for a change of each ratio, from (games, statistics) numerators and denominators in order.

    >>> random = np.random.default_rng(1)
    >>> cases = random.random((200, 2)) < np.where(np.arange(200) < 120, [[0.3], [0.3]], [[0.3], [0.8]]).T
    >>> (one,) = change_points(cases.astype(float), np.ones((200, 2))).found
    >>> one.column, one.low <= 120 <= one.high, one.chance < 0.01
    (1, True, True)
    """
    games = len(n)
    total = d.sum(axis=0)
    if games < LEAST_GAMES:
        return ChangePoints((), ())
    tested = np.flatnonzero((total >= LEAST_CASES) & (n.std(axis=0) + d.std(axis=0) > 0))
    n, d = n[:, tested], d[:, tested]
    above = n - n.sum(axis=0) / d.sum(axis=0) * d
    size = np.sqrt((above**2).sum(axis=0))
    above = np.where(size > 0, above / np.where(size > 0, size, 1), 0)
    chances, far = _chances(above, np.random.default_rng(seed))
    sure = [int(column) for column in np.argsort(chances, kind="stable") if chances[column] <= FALSE_SHARE]
    found = (_change(int(tested[one]), n[:, one], d[:, one], float(chances[one])) for one in sure)
    # Half-way the sums have gone a quarter of the change times all cases, give or take half of their size, to
    # which the change itself adds.
    needed = far + _FOUR_OF_FIVE / 2
    base, scale = 4 * needed**2, 4 * needed * size / d.sum(axis=0) * math.sqrt(games)
    seen_from = scale / math.sqrt(games - base) if games > base else np.full(len(tested), np.inf)
    return ChangePoints(tuple(found), tuple(map(int, tested)), seen_from, scale, base)


def _far(above: F64) -> F64:
    """Return how far the sums of each column go."""
    farthest: F64 = np.abs(np.cumsum(above, axis=0)).max(axis=0)
    return farthest


def _chances(above: F64, random: np.random.Generator) -> tuple[F64, float]:
    """Return for each column the chance that it, or one that goes less far, goes so far by chance.

    Also how far any column goes by chance once in twenty times.
    """
    own = _far(above)
    order = np.argsort(-own)
    more = np.zeros(len(own), np.int64)
    farthest = np.zeros(_SHUFFLES)
    for shuffle in range(_SHUFFLES):
        far = _far(random.permutation(above))[order]
        farthest[shuffle] = far.max(initial=0)
        more += np.maximum.accumulate(far[::-1])[::-1] >= own[order]
    found = np.empty(len(own))
    found[order] = np.maximum.accumulate((1 + more) / (1 + _SHUFFLES))
    return found, float(np.quantile(farthest, 1 - FALSE_SHARE))


def _change(column: int, n: F64, d: F64, chance: float) -> ChangePoint:
    parts = np.stack(game_parts(n, d), axis=-1)
    before = np.cumsum(parts, axis=0)[:-1]
    after = parts.sum(axis=0) - before
    left = _left(GameSums.of(before)) + _left(GameSums.of(after))
    side = min(_SIDE, len(n) // 4)
    at: I64 = np.arange(1, len(n))
    left = np.where((at >= side) & (at <= len(n) - side), left, np.inf)
    best = int(np.argmin(left))
    near = at[left - left[best] <= _CRITICAL * left[best] / len(n)]
    return ChangePoint(
        column, int(at[best]), int(near.min()), int(near.max()), chance,
        GameSums.of(before[best]), GameSums.of(after[best]),
    )  # fmt: skip


def _left(sums: GameSums) -> F64:
    """Return the squares around the ratio that some games leave; infinite without cases."""
    return np.where(sums.d > 0, sums.around(sums.ratio), np.inf)
