"""What sets a player apart beyond noise, and what it is worth in points per 100 hands.

A difference from the reference is reported only if it holds although many statistics are looked at: the
procedure of Benjamini and Hochberg bounds the expected share of false ones among those reported, and the
intervals of those reported are widened accordingly (Benjamini and Yekutieli, 2005).

A difference is turned into points by its price: what one more of it is worth with the averages of the
reference. A win rate one point higher is one more win in a hundred hands, at the average points of a win.
The sizes overlap (a higher win rate with open hands is also a higher win rate), so they do not add up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from types import MappingProxyType

from paifu.replay.language import N_
from paifu.reports.judgement.sums import PlayerLosses
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.statistics.intervals import Z
from paifu.reports.statistics.reference import Population
from paifu.reports.statistics.text import FEW
from paifu.reports.statistics.values import GroupStatistics

FALSE_SHARE = 0.05
"""Greatest expected share of differences reported that are noise."""
LOSSES: Mapping[str, str] = MappingProxyType(
    {
        "pushing": N_("pushing: too dangerous"),
        "folding": N_("folding: given up too early"),
        "riichi": N_("silence instead of riichi"),
    }
)
"""Kinds of decisions of which some are mistakes, whose cost is compared as well, with their titles."""
Prices = Callable[[str], float]
"""A statistic of the reference by name; NaN if it has none."""


def _per_event(part: str, rate: str) -> Callable[[Prices], float]:
    """Points per 100 hands for a rate of one: those of the part of the budget in 100 such hands."""
    return lambda of: of(part) / of(rate)


def _times(*rates: str) -> Callable[[Prices], float]:
    return lambda of: 100 * math.prod(map(of, rates))


PRICES: Mapping[str, Callable[[Prices], float]] = MappingProxyType(
    {
        "win_rate": _per_event("budget_wins", "win_rate"),
        "win_value": _times("win_rate"),
        "dealer_win_rate": lambda of: of("dealer_share") * of("budget_wins") / of("win_rate"),
        "tenpai_rate": lambda of: of("tenpai_win_rate") * of("budget_wins") / of("win_rate"),
        "tenpai_win_rate": lambda of: of("tenpai_rate") * of("budget_wins") / of("win_rate"),
        "deal_in_rate": _per_event("budget_deal_ins", "deal_in_rate"),
        "deal_in_value": lambda of: -100 * of("deal_in_rate"),
        "hit_rate": _per_event("budget_tsumo", "hit_rate"),
        "hit_loss": lambda of: -100 * of("hit_rate"),
        "draw_tenpai_rate": lambda of: (
            100 * of("draw_rate") * (of("draw_tenpai_balance") - of("draw_noten_balance"))
        ),
        "riichi_win_rate": _times("riichi_rate", "riichi_income"),
        "riichi_income": _times("riichi_rate", "riichi_win_rate"),
        "riichi_deal_in_rate": lambda of: -100 * of("riichi_rate") * of("riichi_cost"),
        "riichi_balance": _times("riichi_rate"),
        "calls_1_win_rate": _times("call_rate", "calls_1_win_value"),
        "calls_1_win_value": _times("call_rate", "calls_1_win_rate"),
        "calls_1_deal_in_rate": lambda of: of("call_rate") * of("budget_deal_ins") / of("deal_in_rate"),
        "calls_1_balance": _times("call_rate"),
    }
)
"""Statistic -> points per 100 hands that one more of its unit is worth, at the averages of the reference."""
NEEDED = tuple(
    dict.fromkeys(
        (
            *PRICES,
            "budget_wins",
            "budget_deal_ins",
            "budget_tsumo",
            "draw_rate",
            "draw_tenpai_balance",
            "draw_noten_balance",
            "riichi_rate",
            "riichi_cost",
            "call_rate",
        )
    )
)
"""Statistics to count for :func:`standouts`."""


@dataclass(frozen=True, slots=True)
class Standout:
    """A difference from the reference beyond noise."""

    metric: str
    """Name of the statistic; empty for what mistakes in decisions cost."""
    title: str
    kind: str
    """Kind of decision, for what mistakes in decisions cost."""
    own: float
    other: float
    points: float
    """Points per 100 hands that the difference is worth; positive is good."""
    low: float
    high: float
    """Interval of ``points``, widened for the number of statistics looked at."""
    chance: float
    """Probability of so great a difference by chance (two-sided)."""

    @property
    def is_good(self) -> bool:
        """Whether the difference gains points."""
        return self.points > 0


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison found."""

    found: tuple[Standout, ...]
    """The worst first."""
    tested: int
    """How many statistics were looked at."""


def standouts(own: GroupStatistics, losses: PlayerLosses, reference: Population) -> Compared:
    """Compare a player with a reference."""
    tested = [*_of_statistics(own, reference), *_of_losses(losses, reference.losses)]
    tested.sort(key=lambda one: one[0].chance)
    most = beyond_noise([one.chance for one, _ in tested])
    number = sum(one.chance <= most for one, _ in tested)
    if not number:
        return Compared((), len(tested))
    wide = NormalDist().inv_cdf(1 - FALSE_SHARE * number / len(tested) / 2)
    found = [_with_interval(one, wide * spread) for one, spread in tested[:number]]
    return Compared(tuple(sorted(found, key=lambda one: one.points)), len(tested))


def beyond_noise(chances: Sequence[float]) -> float:
    """Return the greatest chance of a difference to report, by the procedure of Benjamini and Hochberg.

    Less than zero if none of them is to be reported.

    >>> beyond_noise([0.04, 0.001, 0.5]), beyond_noise([0.03, 0.4])
    (0.001, -1.0)
    """
    each = FALSE_SHARE / max(1, len(chances))
    return max((one for rank, one in enumerate(sorted(chances), 1) if one <= each * rank), default=-1.0)


Tested = tuple[Standout, float]
"""A difference, and its standard error in points."""


def _with_interval(one: Standout, half: float) -> Standout:
    return replace(one, low=one.points - half, high=one.points + half)


def _of_statistics(own: GroupStatistics, reference: Population) -> list[Tested]:
    def price(name: str) -> float:
        if name == "dealer_share":
            dealt, all_ = reference.estimate("dealer_win_rate").d, reference.estimate("win_rate").d
            return dealt / all_ if all_ else math.nan
        value = reference.estimate(name).value
        return math.nan if value is None else value

    found = []
    for name, of in PRICES.items():
        mine, other = own.stats.get(name), reference.estimate(name)
        if mine is None or mine.d < FEW or mine.value is None or other.value is None:
            continue
        try:
            each = of(price)
        except ZeroDivisionError:
            continue
        spread = math.hypot(mine.error, other.error)
        made = _tested(
            name, CATALOGUE[name].title, "", mine.value, other.value, each, mine.value - other.value, spread
        )
        found += [made] if made else []
    return found


def _of_losses(own: PlayerLosses, other: PlayerLosses) -> list[Tested]:
    if own.hands < FEW or other.hands < FEW:
        return []
    found = []
    for kind, title in LOSSES.items():
        (mine, _, high), (theirs, _, most) = own.per_100(kind), other.per_100(kind)
        spread = math.hypot(high - mine, most - theirs) / Z
        made = _tested("", title, kind, mine, theirs, -1.0, mine - theirs, spread)
        found += [made] if made else []
    return found


def _tested(
    metric: str,
    title: str,
    kind: str,
    own: float,
    other: float,
    price: float,
    difference: float,
    error: float,
) -> Tested | None:
    spread = abs(price) * error
    if not math.isfinite(price * difference) or not spread:
        return None
    chance = math.erfc(abs(difference) / error / math.sqrt(2))
    return Standout(metric, title, kind, own, other, price * difference, 0.0, 0.0, chance), spread
