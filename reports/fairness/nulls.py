"""What chance makes of counts: the exact mean and covariance of each, and the test that follows.

Every test compares sums over hands with their exact mean, measured by their exact covariance. Such a form
has a chi-square distribution for many hands, which is the only approximation; a test is therefore silent
below :data:`LEAST` expected cases and :data:`LEAST_TERMS` hands. An :class:`Outcome` also says how much a
bias would add to the statistic, from which the smallest bias follows that could have been found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from paifu.replay.arrays import F64, I64
from paifu.replay.walls.layout import HAND_SIZE

LEAST = 5
"""Cases that chance must let expect in each cell."""
LEAST_TERMS = 20
"""Hands that a sum must have to be close to normal."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a test."""

    n: int
    """Cases: hands, draws or games."""
    p: float
    """Chance of a result that is at least as odd, if the shuffle is fair."""
    freedom: int = 0
    """Degrees of freedom; 0 where the bound is not a chi-square."""
    information: float = 0.0
    """What a bias of 100% would add to the statistic, on average."""
    observed: float | None = None
    """The one number of the test, where it has one, and its mean."""
    expected: float | None = None

    @property
    def z(self) -> float | None:
        """By how many standard deviations the one number of the test differs from its mean, if it has one."""
        if self.observed is None or not self.expected or not self.information:
            return None
        return float((self.observed / self.expected - 1) * self.information**0.5)

    def smallest_bias(self, alpha: float) -> float | None:
        """Return the least bias that a test at ``alpha`` finds with 80% power, as a share of the chance."""
        if not self.information:
            return None
        return float((needed(alpha, self.freedom) / self.information) ** 0.5)


def crossed(
    n: int, observed: I64, groups: Sequence[int], tiles: Sequence[int], cell: tuple[int, int]
) -> Outcome | None:
    """Judge how many tiles of each kind lie in each group of places, summed over ``n`` walls.

    ``observed`` is (groups, kinds); ``groups`` and ``tiles`` are how many places and tiles there are of each,
    all of a wall. In one wall the counts are multivariate hypergeometric, and the quadratic form of all cells
    is Pearson's, less one part in the size of the wall. The bias is that of one ``cell``.
    """
    size = sum(groups)
    place, share = np.array(groups) / size, np.array(tiles) / size
    expected = n * size * place[:, None] * share
    if not n or expected.min() < LEAST:
        return None
    statistic = (size - 1) / size * float(((observed - expected) ** 2 / expected).sum())
    freedom = (len(groups) - 1) * (len(tiles) - 1)
    a, b = place[cell[0]], share[cell[1]]
    information = float((size - 1) * n * a / (1 - a) * b / (1 - b))
    return Outcome(n, tail(statistic, freedom), freedom, information)


def marked(walls: I64, observed: I64, groups: Sequence[int], group: int) -> Outcome | None:
    """Judge where marked tiles lie, of which there are ``number`` in ``walls[number]`` of the walls.

    ``observed`` is how many of them lie in each group of places. As :func:`crossed` with two kinds.
    """
    size, n = sum(groups), int(walls.sum())
    place = np.array(groups) / size
    marks = float(walls @ np.arange(len(walls)))
    expected = marks * place
    if not n or expected.min() < LEAST:
        return None
    share = np.arange(len(walls)) / size
    spread = float((walls * share * (1 - share)).sum()) * size**2 / (size - 1)
    statistic = float(((observed - expected) ** 2 / place).sum()) / spread
    a = place[group]
    information = expected[group] ** 2 / (a * (1 - a)) / spread
    return Outcome(n, tail(statistic, len(groups) - 1), len(groups) - 1, float(information))


def categories(observed: I64, chances: Sequence[float], cell: int) -> Outcome | None:
    """Judge independent cases by category. The rarest are taken together with their neighbours.

    The bias is that of the category ``cell``.
    """
    n = int(observed.sum())
    pools: list[list[int]] = []
    for category in range(len(chances)):
        if not pools or n * sum(chances[at] for at in pools[-1]) >= LEAST:
            pools.append([])
        pools[-1].append(category)
    while len(pools) > 1 and n * sum(chances[at] for at in pools[-1]) < LEAST:
        last = pools.pop()
        pools[-1] += last
    if len(pools) < 2:
        return None
    shares = np.array([sum(chances[at] for at in pool) for pool in pools])
    counts = np.array([sum(int(observed[at]) for at in pool) for pool in pools])
    statistic = float(((counts - n * shares) ** 2 / (n * shares)).sum())
    share = shares[next(number for number, pool in enumerate(pools) if cell in pool)]
    return Outcome(n, tail(statistic, len(pools) - 1), len(pools) - 1, float(n * share / (1 - share)))


def scalar(n: int, observed: float, mean: float, variance: float) -> Outcome | None:
    """Judge a sum of which mean and variance are known; the bias is that of the mean."""
    if n < LEAST_TERMS or mean < LEAST or variance < LEAST / 2:
        return None
    statistic = float((observed - mean) ** 2 / variance)
    return Outcome(n, tail(statistic, 1), 1, float(mean**2 / variance), float(observed), float(mean))


def greatest(n: int, observed: F64, mean: F64, variance: F64) -> Outcome | None:
    """Judge several sums by the one that differs most; the bound holds however they depend on each other.

    ``observed`` of the outcome is the mean square of their z-scores, of which 1 is expected.
    """
    if n < LEAST_TERMS or mean.min() < LEAST or variance.min() < LEAST / 2:
        return None
    squares = (observed - mean) ** 2 / variance
    p = min(1.0, len(squares) * tail(float(squares.max()), 1))
    return Outcome(n, p, observed=float(squares.mean()), expected=1)


def vector(n: int, deviation: F64, covariance: F64, unit: F64) -> Outcome:
    """Judge sums of which the covariance is known; ``unit`` is how a bias of 100% shifts them."""
    inverse = np.linalg.pinv(covariance, hermitian=True, rcond=1e-9)
    freedom = int(np.linalg.matrix_rank(covariance, hermitian=True, tol=1e-9 * np.abs(covariance).max()))
    statistic = float(deviation @ inverse @ deviation)
    return Outcome(n, tail(statistic, freedom), freedom, float(unit @ inverse @ unit))


def pairs_and_triplets(size: int, kinds: int, hands: int) -> tuple[F64, F64]:
    """Return mean (2,) and covariance (2, 2) of the kinds held twice, and three times or more.

    They are summed over ``hands`` hands of 13 of one wall with four of each of ``kinds`` kinds.
    """
    classes = ((2,), (3, 4))
    rest = size - 2 * HAND_SIZE
    whole = comb(size, 4)

    def held(number: int) -> float:
        return comb(4, number) * comb(size - 4, HAND_SIZE - number) / comb(size, HAND_SIZE)

    def in_one(a: int, b: int) -> float:  # two kinds, one hand
        return (
            comb(4, a) * comb(4, b) * comb(size - 8, HAND_SIZE - a - b) / comb(size, HAND_SIZE)
            if a + b <= HAND_SIZE
            else 0.0
        )

    def of_one(a: int, b: int) -> float:  # one kind, two hands
        return comb(HAND_SIZE, a) * comb(HAND_SIZE, b) * comb(rest, 4 - a - b) / whole if a + b <= 4 else 0.0

    def apart(a: int, b: int) -> float:  # one kind in one hand, another kind in another
        return sum(
            comb(HAND_SIZE, a)
            * comb(HAND_SIZE, there)
            * comb(rest, 4 - a - there)
            / whole
            * comb(HAND_SIZE - there, b)
            * comb(size - 4 - HAND_SIZE + there, 4 - b)
            / comb(size - 4, 4)
            for there in range(5 - a)
        )

    mean = np.array([hands * kinds * sum(map(held, numbers)) for numbers in classes])
    second = np.zeros((2, 2))
    for i, j in np.ndindex(2, 2):
        second[i, j] = sum(
            hands * kinds * (held(a) if a == b else 0)
            + hands * kinds * (kinds - 1) * in_one(a, b)
            + hands * (hands - 1) * kinds * of_one(a, b)
            + hands * (hands - 1) * kinds * (kinds - 1) * apart(a, b)
            for a in classes[i]
            for b in classes[j]
        )
    return mean, second - np.outer(mean, mean)


def equal_places(groups: Sequence[int], tiles: Sequence[int], shown: int) -> tuple[float, float]:
    """Return mean and variance of the pairs of equal tiles that two walls have in the same group of places.

    Only the first ``shown`` groups count. The counts of two walls are independent, and in each of them the
    sum over kinds is fixed, so the variance is the squared size of their covariance.
    """
    size = sum(groups)
    place, share = np.array(groups) / size, np.array(tiles) / size
    mean = float(((size * np.outer(place[:shown], share)) ** 2).sum())
    of_places = (np.diag(place) - np.outer(place, place))[:shown, :shown]
    of_tiles = np.diag(share) - np.outer(share, share)
    scale = size**2 / (size - 1)
    return mean, float(scale**2 * (of_places**2).sum() * (of_tiles**2).sum())


def equal_neighbours(size: int) -> tuple[float, float]:
    """Return mean and variance of the neighbours of one kind in a wall with four of each kind."""
    pairs = size - 1
    one = 3 / (size - 1)
    in_a_row = one * 2 / (size - 2)
    far = one * (2 / (size - 2) / (size - 3) + (size - 4) / (size - 2) * 3 / (size - 3))
    mean = pairs * one
    second = mean + 2 * (pairs - 1) * in_a_row + (pairs - 1) * (pairs - 2) * far
    return mean, second - mean**2


def repeated(n: int, repeats: int, players: int, size: int) -> Outcome | None:
    """Judge equal deals. Two fair ones agree with a chance below the bound that is counted here."""
    if n < 2:
        return None
    deals = comb(size, HAND_SIZE * players)
    for left in range(players, 1, -1):
        deals *= comb(HAND_SIZE * left, HAND_SIZE)
    # One of the four tiles of a kind can be dealt in at most 4 ways, two in 12, three or four in 24. So no
    # deal has more ways than one with a tile of every kind and a second one of as many as it still needs.
    kinds = size // 4
    most = 4**kinds * 3 ** (HAND_SIZE * players - kinds)
    bound = min(1.0, comb(n, 2) * (most / deals))
    return Outcome(n, bound if repeats else 1.0, observed=repeats, expected=0)


# --- the chi-square distribution, central and not, as far as tests and their power need it ---------------
#
# The tail is the regularised upper incomplete gamma function, by its series below the mean and by its
# continued fraction above (both in Abramowitz and Stegun, 6.5.29 and 6.5.31). The tail of the noncentral
# distribution is a Poisson mixture of central ones.


_STEPS = 100_000
_CLOSE = 1e-15
_TINY = 1e-300
ALPHA = 0.01
"""Accepted chance of any false alarm in a run, all tests together."""
POWER = 0.8
"""Chance to find a bias that counts as enough."""


def tail(statistic: float, freedom: float) -> float:
    """Return the chance that a chi-square with ``freedom`` degrees is at least ``statistic``.

    >>> round(tail(3.841459, 1), 6), round(tail(18.307038, 10), 6)
    (0.05, 0.05)
    """
    if statistic <= 0:
        return 1.0
    a, x = freedom / 2, statistic / 2
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        return max(0.0, 1 - front * _series(a, x))
    return min(1.0, front * _fraction(a, x))


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    for step in range(1, _STEPS):
        term *= x / (a + step)
        total += term
        if term < total * _CLOSE:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """Evaluate the continued fraction by Lentz's method."""
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    value = d
    for step in range(1, _STEPS):
        over = step * (a - step)
        b += 2
        d = 1 / (over * d + b or _TINY)
        c = b + over / c or _TINY
        value *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return value


def critical(alpha: float, freedom: float) -> float:
    """Return the value that a chi-square exceeds with chance ``alpha``."""
    return _where(lambda value: tail(value, freedom) <= alpha, freedom + 10)


def needed(alpha: float, freedom: float) -> float:
    """Return the noncentrality that a test at ``alpha`` finds with the chance :data:`POWER`.

    >>> round(needed(0.05, 1), 2)  # (1.96 + 0.84) squared
    7.85
    """
    limit = critical(alpha, freedom)
    return _where(lambda value: tail_beyond(limit, value, freedom) >= POWER, 10)


def tail_beyond(limit: float, noncentrality: float, freedom: float) -> float:
    """Return the chance that a noncentral chi-square exceeds ``limit``.

    Poisson weights are summed from the most likely one outwards, until they no longer count.
    """
    half = noncentrality / 2
    middle = int(half)
    total = 0.0
    for numbers in (range(middle, middle + _STEPS), range(middle - 1, -1, -1)):
        for number in numbers:
            weight = math.exp(number * math.log(half) - half - math.lgamma(number + 1)) if half else 1.0
            total += weight * tail(limit, freedom + 2 * number)
            if weight < _CLOSE or not half:
                break
    return total


def _where(holds: Callable[[float], bool], guess: float) -> float:
    """Return the least value of which a statement holds that is true of all greater ones."""
    low, high = 0.0, guess
    while not holds(high):
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
