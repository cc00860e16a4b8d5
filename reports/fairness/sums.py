"""Counts of all tests over any number of hands, and the verdict on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import log
from typing import Any

import numpy as np

from paifu.replay.language import _
from paifu.reports.fairness.catalogue import CHECKS, REPEATS, CaseCounts, Setting, ShuffleTest
from paifu.reports.fairness.chance import POWER
from paifu.reports.fairness.deals import Deals, Seen
from paifu.reports.fairness.nulls import Outcome, repeated


@dataclass(slots=True)
class Sums:
    """What is known of the hands so far; add them in the order of the input."""

    chosen: frozenset[str] = frozenset()
    """Names of tests; none for all."""
    counts: dict[tuple[Setting, str], CaseCounts] = field(default_factory=dict)
    deals: dict[Setting, Seen] = field(default_factory=dict)
    """The different deals."""
    repeats: dict[Setting, int] = field(default_factory=dict)
    """Deals that came again."""
    seen: Seen = field(default_factory=Seen)
    hands: int = 0
    walls: int = 0
    copies: int = 0
    """Hands that came again, and were left out."""
    contradicted: int = 0
    left_out: int = 0

    def add(self, deals: Deals) -> None:
        """Count more hands."""
        self.contradicted += deals.contradicted
        self.left_out += deals.left_out
        deals = deals.rows(np.argsort(~deals.has_wall, kind="stable"))  # of copies, one whose wall is known
        fresh = self.seen.fresh(deals.copy)
        self.copies += int((~fresh).sum())
        if not fresh.all():
            deals = deals.rows(fresh)
        if not len(deals):
            return
        self.hands += len(deals)
        self.walls += int(deals.has_wall.sum())
        setting = Setting(deals.players, deals.tiles, deals.seats.shape[1])
        again = ~self.deals.setdefault(setting, Seen()).fresh(deals.deal)
        self.repeats[setting] = self.repeats.get(setting, 0) + int(again.sum())
        for check in CHECKS:
            if self._runs(check, setting):
                key, counts = (setting, check.name), check.count(deals)
                self.counts[key] = self.counts[key] + counts if key in self.counts else counts

    def _runs(self, check: ShuffleTest, setting: Setting) -> bool:
        return check.fits(setting) and (not self.chosen or check.name in self.chosen)

    def outcomes(self) -> Iterator[tuple[Setting, ShuffleTest, int, Outcome | None]]:
        """Yield each test that there are cases of, how many, and its outcome; None for too few."""
        for setting in sorted(self.deals, key=lambda setting: -setting.players):
            for check in CHECKS:
                counts = self.counts.get((setting, check.name))
                if counts is not None and counts.n:
                    yield setting, check, counts.n, check.judge(setting, counts)
            if self._runs(REPEATS, setting):
                n = len(self.deals[setting]) + self.repeats[setting]
                yield setting, REPEATS, n, repeated(n, self.repeats[setting], setting.players, setting.size)


@dataclass(frozen=True, slots=True)
class ShuffleResult:
    """One test of a run."""

    players: int
    test: str
    question: str
    cases: str
    n: int
    p: float | None
    """Chance of a result that is at least as odd, if the shuffle is fair; None where cases are too few."""
    adjusted: float | None
    """The same, corrected for the number of tests."""
    found: bool
    bias: str
    smallest: float | None
    """The least bias that this test would have found with a chance of 80%, as a share."""
    observed: float | None
    expected: float | None
    note: str = ""

    def row(self) -> dict[str, Any]:
        """Return the result as a row of plain values."""
        return {name: getattr(self, name) for name in self.__slots__}


def results(sums: Sums, alpha: float) -> list[ShuffleResult]:
    """Judge all sums. The correction is Holm's, which holds however the tests depend on each other."""
    every = list(sums.outcomes())
    tests = sum(outcome is not None for *_, outcome in every)
    adjusted = holm([outcome.p for *_, outcome in every if outcome is not None])
    found = []
    for setting, check, n, outcome in every:
        if outcome is None:
            corrected, smallest, note = None, None, _("too few cases")
        else:
            corrected, smallest, note = next(adjusted), outcome.smallest_bias(alpha / tests), ""
        if check is REPEATS and n > 1:
            walls = n * (n - 1) / (2 * -log(1 - POWER))
            note = _("walls out of fewer than {number:.2g} would be found").format(number=walls)
        found.append(
            ShuffleResult(
                setting.players,
                check.name,
                check.question,
                check.cases,
                n,
                None if outcome is None else outcome.p,
                corrected,
                corrected is not None and corrected <= alpha,
                check.bias,
                smallest,
                None if outcome is None else outcome.observed,
                None if outcome is None else outcome.expected,
                note,
            )
        )
    return found


def holm(chances: list[float]) -> Iterator[float]:
    """Yield each p-value corrected by Holm's method, in the given order.

    >>> list(holm([0.01, 0.04, 0.03]))
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(chances)), key=chances.__getitem__)
    corrected, least = [0.0] * len(chances), 0.0
    for rank, number in enumerate(order):
        least = max(least, min(1.0, (len(chances) - rank) * chances[number]))
        corrected[number] = least
    return iter(corrected)
