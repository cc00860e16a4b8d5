"""Counts of all tests over any number of hands, and the verdict on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import log
from typing import Any

import numpy as np

from paifu.replay.language import _
from paifu.reports.fairness.catalogue import (
    CHECKS,
    REPEATS,
    RIICHI_DRAWS,
    CaseCounts,
    Setting,
    ShuffleTest,
    riichi_draws_of,
)
from paifu.reports.fairness.deals import Deals, Seen
from paifu.reports.fairness.nulls import ALPHA, POWER, Outcome, repeated


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

    def others(self) -> Sums:
        """Return sums for hands of other games: those that are here are copies there."""
        return Sums(frozenset({RIICHI_DRAWS.name}), seen=self.seen)

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
        """Yield each test that there are cases of, how many, and its outcome; None for too few.

        Draws in riichi are not among them: :meth:`riichi_draws`.
        """
        for setting in sorted(self.deals, key=lambda setting: -setting.players):
            for check in CHECKS:
                if check is RIICHI_DRAWS:
                    continue
                counts = self.counts.get((setting, check.name))
                if counts is not None and counts.n:
                    yield setting, check, counts.n, check.judge(setting, counts)
            if self._runs(REPEATS, setting):
                n = len(self.deals[setting]) + self.repeats[setting]
                yield setting, REPEATS, n, repeated(n, self.repeats[setting], setting.players, setting.size)

    def riichi_draws(self, *, of_walls: bool) -> Outcome | None:
        """Return draws in riichi of all games, where they are those of known walls, or the others."""
        counts = [(setting, one) for (setting, name), one in self.counts.items() if name == RIICHI_DRAWS.name]
        outcome = riichi_draws_of(counts, int(of_walls))
        return outcome if outcome.n else None


@dataclass(frozen=True, slots=True)
class ShuffleResult:
    """One test of a run."""

    players: int | None
    """None for games of any number of players together."""
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
    z: float | None = None
    """By how many standard deviations the observed number differs from the expected one."""

    def row(self) -> dict[str, Any]:
        """Return the result as a row of plain values."""
        return {name: getattr(self, name) for name in self.__slots__}


BEYOND, AGAIN = 5.0, 3.0
"""z-scores: what draws in riichi must reach before they are worth a second look, and what games that were not
among the first must reach, with the same sign, before that is a finding."""


def _of_riichi_draws(sums: Sums, again: Sums | None) -> Iterator[ShuffleResult]:
    """Yield what is to say of draws in riichi, which people look at first, and in every set of games.

    Nobody can choose draws of a known wall: how many of them are waits is for information. The others are
    one number, found to be biased only where it is far out and games that were not among the first agree.
    """
    check = RIICHI_DRAWS
    for of_walls in (True, False):
        outcome = sums.riichi_draws(of_walls=of_walls)
        if outcome is None:
            continue
        found, z = False, outcome.z
        observed, expected = outcome.observed or 0.0, outcome.expected or 0.0
        if of_walls:
            text = _(
                "none: the draws are the wall's, all {count:,}; waits {hits:,}, by chance {expected:,.1f}"
            )
            note = text.format(count=outcome.n, hits=round(observed), expected=expected)
        elif z is None:
            note = _("too few cases")
        elif abs(z) <= BEYOND:
            note = _("none: z is {z:+.1f}, and chance may have made it").format(z=z)
        else:
            other = again.riichi_draws(of_walls=False) if again is not None else None
            second = None if other is None else other.z
            found = second is not None and abs(second) > AGAIN and (second > 0) == (z > 0)
            note = _said_again(z, second, is_asked=again is not None, is_found=found)
        yield ShuffleResult(
            None, check.name, check.question, check.cases, outcome.n,
            None if z is None or of_walls else outcome.p, None, found, check.bias, None,
            outcome.observed, outcome.expected, note, z,
        )  # fmt: skip


def _said_again(z: float, second: float | None, *, is_asked: bool, is_found: bool) -> str:
    if not is_asked:
        text = _("z is {z:+.1f}: beyond {limit:g}, so ask other games (--repeat PATH)")
        return text.format(z=z, limit=BEYOND)
    if second is None:
        return _("z is {z:+.1f}: beyond {limit:g}, but --repeat has too few other games").format(
            z=z, limit=BEYOND
        )
    text = (
        _("z is {z:+.1f}, and {second:+.1f} in other games")
        if is_found
        else _("none: z is {z:+.1f}, and {second:+.1f} in other games, which do not repeat it")
    )
    return text.format(z=z, second=second)


def results(sums: Sums, again: Sums | None = None) -> list[ShuffleResult]:
    """Judge all sums. The correction is Holm's, which holds however the tests depend on each other.

    ``again`` are sums of other games (:meth:`Sums.others`), which may repeat what draws in riichi show.
    """
    every = list(sums.outcomes())
    tests = sum(outcome is not None for *_, outcome in every)
    adjusted = holm([outcome.p for *_, outcome in every if outcome is not None])
    found = []
    for setting, check, n, outcome in every:
        corrected, smallest, note = None, None, _("too few cases")
        if outcome is not None:
            corrected, smallest, note = next(adjusted), outcome.smallest_bias(ALPHA / tests), ""
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
                corrected is not None and corrected <= ALPHA,
                check.bias,
                smallest,
                None if outcome is None else outcome.observed,
                None if outcome is None else outcome.expected,
                note,
                None if outcome is None else outcome.z,
            )
        )
    if not sums.chosen or RIICHI_DRAWS.name in sums.chosen:
        found += _of_riichi_draws(sums, again)
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
