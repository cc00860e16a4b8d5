"""What sets a player apart beyond noise: how they play, and what comes of it.

Every statistic of :data:`TESTED` is compared with the reference: those of style, which are choices, and those
of results, which are good or bad for the player. A difference is reported only if it goes farther than the
farthest of all these statistics goes by chance (:mod:`paifu.reports.inference.farthest`). The statistics of
:data:`HEADLINE` are a family of their own and come first: they take most of the 5 % of players of whom
anything is said by chance. The rest has little of it, and 5 % where a headline statistic stands out. No other
part of paifu says in words that a player differs from others unless the statistic is reported here.

Where it is known what one more of a result is worth with the averages of the reference, the difference has a
price. A win rate one point higher is one more win in a hundred hands, at the average points of a win. The
prices overlap (a higher win rate with open hands is also a higher win rate), so they do not add up. What the
model of decisions says is not tested: who loses more by it does not lose more points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

import numpy as np

from paifu.replay.arrays import F64, I64
from paifu.replay.language import N_, _
from paifu.reports.inference.chances import FALSE_SHARE, chance, deviates
from paifu.reports.inference.farthest import Farthest, deviates_of
from paifu.reports.inference.shrinking import shrunken
from paifu.reports.inference.sums import GameSums
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import Counters
from paifu.reports.statistics.reference import Population, Reference, of_kinds
from paifu.reports.statistics.text import FEW
from paifu.reports.statistics.values import Estimate, GroupStatistics
from paifu.reports.wording import plural

Prices = Callable[[str], float]
"""A statistic of the reference by name; NaN if it has none."""


def _per_event(part: str, rate: str) -> Callable[[Prices], float]:
    """Points per 100 hands for a rate of one: those of the part of the budget in 100 such hands."""
    return lambda of: of(part) / of(rate)


def _times(*rates: str) -> Callable[[Prices], float]:
    return lambda of: 100 * math.prod(map(of, rates))


PRICES: Mapping[str, Callable[[Prices], float]] = {
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
"""Statistic -> points per 100 hands that one more of its unit is worth, at the averages of the reference."""
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
HEADLINE = (
    "rank", "score_change_game", "win_rate", "win_value", "deal_in_rate", "deal_in_value", "riichi_rate",
    "call_rate",
)  # fmt: skip
"""Those that are a family of their own."""
FAMILIES: Mapping[str, I64] = {
    "headline": np.array([TESTED.index(name) for name in HEADLINE]),
    "rest": np.array([column for column, name in enumerate(TESTED) if name not in HEADLINE]),
}
"""Family -> its columns in ``TESTED``."""
HEADLINE_SHARE = 0.045
"""Share of average players of whom a headline statistic is reported ..."""
USES: Mapping[str, tuple[str, float]] = {
    "headline": ("headline", HEADLINE_SHARE),
    "rest": ("rest", FALSE_SHARE - HEADLINE_SHARE),
    "rest_beside_headline": ("rest", FALSE_SHARE),
}
"""... and limits by name: of which family, and the chance that any of it goes farther."""
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
    likely: float = 0.0
    """``points``, drawn toward the reference by what chance adds; 0 where players cannot be told apart."""

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
class Power:
    """How likely a true difference would have been reported."""

    metric: str
    difference: float
    """From the reference, in the unit of values."""
    chance: float
    games: int

    def words(self) -> str:
        """Say it in a sentence.

        >>> Power("deal_in_rate", 0.04, 0.686, 100).words()
        'A deal-in rate 4 points higher would show in 100 games with 69 %.'
        """
        size = 100 * self.difference if CATALOGUE[self.metric].unit == "%" else self.difference
        return _(_POWER_SAID[self.metric]).format(
            size=f"{size:,.10g}", games=plural(self.games, "game"), chance=f"{100 * self.chance:.0f}"
        )

    def summary(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"statistic": self.metric, "difference": self.difference, "chance": self.chance}


_POWER_SAID = {
    "deal_in_rate": N_("A deal-in rate {size} points higher would show in {games} with {chance} %."),
    "call_rate": N_("A call rate {size} points higher would show in {games} with {chance} %."),
    "score_change_game": N_("{size} points a game more would show in {games} with {chance} %."),
}
"""Statistic -> what is said of how likely a difference would have been seen."""
_STEPS = np.array([step * 10.0**power for power in range(-3, 6) for step in (1, 1.5, 2, 3, 4, 5, 6, 8)])


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison found."""

    style: tuple[Standout, ...]
    """How the player plays, the surest first."""
    results: tuple[Standout, ...]
    """What comes of it: the priced ones first, the worst ahead; then the others, the surest first."""
    tested: int
    """How many statistics were looked at."""
    power: tuple[Power, ...] = field(default=())
    """How likely some differences would have been found: the least round ones found more often than not."""

    @property
    def names(self) -> frozenset[str]:
        """The statistics that stand out: of no other one is it said that the player differs."""
        return frozenset(one.metric for one in (*self.style, *self.results))

    def summary(self) -> dict[str, Any]:
        """Return what was found as plain values."""
        return {
            "tested": self.tested,
            "false_share": FALSE_SHARE,
            "style": [one.summary() for one in self.style],
            "results": [one.summary() for one in self.results],
            "power": [one.summary() for one in self.power],
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
            "stands_in": reference.stands_in or None,
            "games": reference.stats.games,
            "players": reference.players,
        },
        **standouts(own, reference).summary(),
    }


def standouts(own: GroupStatistics, reference: Population) -> Compared:
    """Compare a player with a reference."""
    far = _deviates(own, reference)
    limits = limits_for(reference.farthest, own.games, far)
    least = least_deviates(far, limits)
    found = [
        _standout(TESTED[column], far[column], least[column], own, reference)
        for column in np.argsort(-np.abs(np.nan_to_num(far)), kind="stable").tolist()
        if abs(far[column]) > least[column]
    ]
    results = [one for one in found if not one.is_style]
    results.sort(key=lambda one: (one.points is None, one.points or 0.0))
    return Compared(
        tuple(one for one in found if one.is_style),
        tuple(results),
        int(np.isfinite(far).sum()),
        tuple(_powers(own, reference, limits["headline"])),
    )


def limits_for(known: Farthest | None, games: float, far: F64) -> dict[str, float]:
    """Return the limits of :data:`USES`; where nothing was counted, those that hold however chance is.

    ``far`` are deviates whose last axis is ``TESTED``, NaN for those not compared.

    >>> round(limits_for(None, 100, np.zeros(len(TESTED)))["headline"], 2)
    2.77
    """
    found = {}
    for use, (family, share) in USES.items():
        tested = np.isfinite(far[..., FAMILIES[family]]).sum(axis=-1).max(initial=1)
        bound = NormalDist().inv_cdf(1 - share / 2 / max(1, int(tested)))
        found[use] = bound if known is None else known.limit(use, games)
    return found


def least_deviates(far: F64, limits: Mapping[str, float]) -> F64:
    """Return the deviates beyond which statistics are reported; ``far`` has ``TESTED`` as its last axis."""
    found = np.zeros(far.shape)
    headline, rest = FAMILIES["headline"], FAMILIES["rest"]
    has_headline = (np.abs(np.nan_to_num(far[..., headline])) > limits["headline"]).any(axis=-1)
    found[..., headline] = limits["headline"]
    found[..., rest] = np.where(has_headline, limits["rest_beside_headline"], limits["rest"])[..., None]
    return found


_NONE = Estimate(0, 0, None)


def _deviates(own: GroupStatistics, reference: Population) -> F64:
    """Return how far each statistic of ``TESTED`` is from the reference's; NaN for those not compared."""
    pairs = [(own.stats.get(name, _NONE), reference.estimate(name)) for name in TESTED]
    mine, others = (
        GameSums.of([[one.n, one.d, *one.squares] for one in side]) for side in zip(*pairs, strict=True)
    )
    natures = [CATALOGUE[name].nature for name in TESTED]
    return deviates_of(mine, natures, others.ratio, _error(others), least=FEW)


def _error(others: GameSums) -> F64:
    return np.sqrt(np.nan_to_num(others.variance()))


def _powers(own: GroupStatistics, reference: Population, limit: float) -> Iterator[Power]:
    """Yield how likely differences of the player's true values would have gone beyond a limit."""
    for name in _POWER_SAID:
        mine, other = own.stats.get(name, _NONE), reference.estimate(name)
        if mine.value is None or other.value is None or mine.d < FEW:
            continue
        metric = CATALOGUE[name]
        sums = _with_ratio(mine.sums, other.sums.ratio + _STEPS / metric.scale)
        far = np.abs(deviates(sums, metric.nature, other.sums.ratio, _error(other.sums)))
        for step, one in zip(_STEPS.tolist(), (far - limit).tolist(), strict=True):
            if one >= 0:  # from here on, it is found more often than not
                yield Power(name, step, NormalDist().cdf(one), own.games)
                break


def _with_ratio(sums: GameSums, ratio: F64) -> GameSums:
    """Return the sums of games in which the ratio is another one, the spread between games the same."""
    more, ones = ratio - sums.ratio, np.ones_like(ratio)
    nn = sums.nn + 2 * more * sums.nd + more * more * sums.dd
    return GameSums(ratio * sums.d, sums.d * ones, nn, sums.nd + more * sums.dd, sums.dd * ones)


def _standout(name: str, far: float, limit: float, own: GroupStatistics, reference: Population) -> Standout:
    """Return a difference that goes beyond a limit."""
    estimate, by_chance, half = own.stats[name], float(chance(far)), float(limit / abs(far))
    mine, other = estimate.value or 0.0, reference.estimate(name).value or 0.0
    lower, price = reference.lower(name, estimate), _price(name, reference)
    if price is None:
        return Standout(name, mine, other, by_chance, lower, None)
    points, spread = price * (mine - other), half * abs(price * (mine - other))
    among, likely = reference.spreads.get(name), 0.0
    if among is not None and among.is_known:
        value, _spread = shrunken(estimate.sums, among)
        likely = price * CATALOGUE[name].scale * (float(value) - among.mean)
    return Standout(name, mine, other, by_chance, lower, points, points - spread, points + spread, likely)


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
