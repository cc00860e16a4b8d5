"""What sets a player apart beyond noise: how they play, and what comes of it.

Every statistic of :data:`TESTED` is compared with the reference: those of style, which are choices, and those
of results, which are good or bad for the player. A difference is reported only if chance does not explain it
although all these statistics are looked at: the procedure of Benjamini and Yekutieli bounds the expected
share of false ones among those reported, and if all are noise, the chance that any is reported. The intervals
of those reported are widened accordingly.

Where it is known what one more of a result is worth with the averages of the reference, the difference has a
price. A win rate one point higher is one more win in a hundred hands, at the average points of a win. The
prices overlap (a higher win rate with open hands is also a higher win rate), so they do not add up. What the
model of decisions says is not tested: who loses more by it does not lose more points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from types import MappingProxyType
from typing import Any

import numpy as np

from paifu.reports.inference.chances import chance, deviates
from paifu.reports.inference.discovery import FALSE_SHARE, beyond_noise
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import Counters
from paifu.reports.statistics.reference import Population, Reference, of_kinds
from paifu.reports.statistics.text import FEW
from paifu.reports.statistics.values import Estimate, GroupStatistics

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


TESTED = (
    "rank", "first_rate", "last_rate", "bust_rate", "score_change_game", "game_points",
    "last_hand_hold_rate", "last_hand_overtake_rate", "last_hand_escape_rate",
    "budget_total", "budget_wins", "budget_deal_ins", "budget_tsumo", "budget_draws", "budget_sticks",
    "win_rate", "win_value", "dealer_win_rate", "mangan_or_more_share", "win_turn",
    "riichi_win_share", "riichi_win_value", "open_win_share", "open_win_value", "dama_win_share",
    "dama_win_value",
    "deal_in_rate", "deal_in_value", "deal_in_loss", "deal_in_turn", "deal_in_in_riichi_share",
    "deal_in_while_open_share", "deal_in_tenpai_share", "hit_rate", "hit_loss",
    "draw_tenpai_rate", "tenpai_rate", "tenpai_turn", "tenpai_win_rate", "useful_draw_share",
    "losing_discards",
    "riichi_rate", "riichi_turn", "riichi_first_share", "riichi_chase_share", "riichi_good_share",
    "riichi_win_rate", "riichi_deal_in_rate", "riichi_income", "riichi_cost", "riichi_balance",
    "riichi_furiten_share",
    "call_rate", "calls_per_open_hand", "calls_1_turn", "calls_2_rate", "calls_3_rate", "calls_1_win_rate",
    "calls_1_win_value", "calls_1_deal_in_rate", "calls_1_balance",
    "ankan_per_hand", "kakan_per_hand", "daiminkan_per_hand",
    "furiten_discard_rate", "furiten_riichi_rate",
)  # fmt: skip
"""Statistics that are compared: each is of style or has a good direction."""
NEEDED = tuple(
    dict.fromkeys((*TESTED, *PRICES, "draw_rate", "draw_tenpai_balance", "draw_noten_balance", "riichi_cost"))
)
"""Statistics to count for :func:`standouts`."""


@dataclass(frozen=True, slots=True)
class Standout:
    """A difference from the reference beyond noise."""

    metric: str
    own: float
    other: float
    chance: float
    """Probability of so great a difference by chance (two-sided)."""
    lower: float | None
    """Expected share of the reference's players with a lower true value, in percent; None if not known."""
    points: float | None
    """Points per 100 hands that the difference is worth, positive is good; None where no price is known."""
    low: float | None = None
    """Interval of ``points``, widened for the number of statistics looked at."""
    high: float | None = None

    @property
    def is_style(self) -> bool:
        """Whether it is a difference of style, which is neither good nor bad as such."""
        return CATALOGUE[self.metric].is_style

    @property
    def is_good(self) -> bool:
        """Whether the result is better than that of the reference."""
        return CATALOGUE[self.metric].sign * (self.own - self.other) > 0

    def summary(self) -> dict[str, Any]:
        """Return the difference as plain values."""
        return {
            "statistic": self.metric,
            "value": self.own,
            "reference": self.other,
            "direction": "higher" if self.own > self.other else "lower",
            "good": None if self.is_style else self.is_good,
            "chance": self.chance,
            "percentile": self.lower,
            "points_per_100_hands": None
            if self.points is None
            else {"value": self.points, "low": self.low, "high": self.high},
        }


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison found."""

    style: tuple[Standout, ...]
    """How the player plays, the surest first."""
    results: tuple[Standout, ...]
    """What comes of it: the priced ones first, the worst ahead; then the others, the surest first."""
    tested: int
    """How many statistics were looked at."""

    def summary(self) -> dict[str, Any]:
        """Return what was found as plain values."""
        return {
            "tested": self.tested,
            "false_share": FALSE_SHARE,
            "style": [one.summary() for one in self.style],
            "results": [one.summary() for one in self.results],
        }


def of_player(counters: Counters, player: str, known: Reference) -> dict[str, Any] | None:
    """Return what stands out of a player as plain values, from counters by kind of game.

    None if nothing is known to compare the player's games with.
    """
    played, own = of_kinds(counters, player)
    reference = known.of(played)
    if reference is None:
        return None
    return {
        "reference": {
            "name": reference.name,
            "description": reference.words,
            "games": reference.stats.games,
            "players": reference.players,
        },
        **standouts(own, reference).summary(),
    }


def standouts(own: GroupStatistics, reference: Population) -> Compared:
    """Compare a player with a reference."""
    deviate_of = _deviates(own, reference)
    chance_of = {name: float(chance(far)) for name, far in deviate_of.items()}
    most = beyond_noise(list(chance_of.values()))
    chosen = sorted((name for name in chance_of if chance_of[name] <= most), key=chance_of.__getitem__)
    wide = NormalDist().inv_cdf(1 - max(most, 1e-15) / 2) if chosen else 0.0
    found = [
        _standout(name, one, other.value, reference, chance_of[name], wide / abs(deviate_of[name]))
        for name in chosen
        if (one := own.stats[name]).value is not None
        and (other := reference.estimate(name)).value is not None
    ]
    results = [one for one in found if not one.is_style]
    results.sort(key=lambda one: (one.points is None, one.points or 0.0))
    return Compared(tuple(one for one in found if one.is_style), tuple(results), len(chance_of))


def _deviates(own: GroupStatistics, reference: Population) -> dict[str, float]:
    """Return how far each statistic with enough cases is from the reference's."""
    found = {}
    for name in TESTED:
        mine, other = own.stats.get(name), reference.estimate(name)
        if mine is None or mine.d < FEW or mine.value is None or not other.d:
            continue
        sums = other.sums
        error = np.sqrt(np.nan_to_num(sums.variance()))
        far = float(deviates(mine.sums, CATALOGUE[name].nature, sums.ratio, error))
        if math.isfinite(far):
            found[name] = far
    return found


def _standout(
    name: str, own: Estimate, other: float, reference: Population, by_chance: float, half: float
) -> Standout:
    """Return a difference; ``half`` is half of its interval, relative to it."""
    mine = own.value or 0.0
    lower, price = reference.lower(name, own), _price(name, reference)
    if price is None:
        return Standout(name, mine, other, by_chance, lower, None)
    points = price * (mine - other)
    return Standout(
        name, mine, other, by_chance, lower, points, points - half * abs(points), points + half * abs(points)
    )


def _price(name: str, reference: Population) -> float | None:
    """Return what one more of a statistic is worth, None if that is not known."""

    def value_of(part: str) -> float:
        if part == "dealer_share":
            dealt, all_ = reference.estimate("dealer_win_rate").d, reference.estimate("win_rate").d
            return dealt / all_ if all_ else math.nan
        value = reference.estimate(part).value
        return math.nan if value is None else value

    if name not in PRICES:
        return None
    try:
        price = PRICES[name](value_of)
    except ZeroDivisionError:
        return None
    return price if math.isfinite(price) else None
