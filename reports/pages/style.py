"""How a player plays, among the players of a room: a line for each trait, and a picture of two of them.

A trait is a statistic that is a choice, or near one. Where a player stands among others follows from an
estimate that allows for chance (:mod:`paifu.reports.inference.shrinking`): with few games, in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from paifu.replay.language import N_, _
from paifu.reports.inference.quantiles import Z
from paifu.reports.inference.shrinking import shrunken
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.pages import numbers
from paifu.reports.statistics.reference import Population
from paifu.reports.statistics.values import ENOUGH_PLAYERS, GroupStatistics

TRAITS = {
    "riichi_rate": (N_("declares riichi more than {share}"), N_("declares riichi less than {share}")),
    "call_rate": (N_("calls more than {share}"), N_("calls less than {share}")),
    "win_turn": (N_("wins later than {share}"), N_("wins earlier than {share}")),
    "win_value": (N_("wins more valuable hands than {share}"), N_("wins cheaper hands than {share}")),
    "deal_in_rate": (N_("deals in more often than {share}"), N_("deals in less often than {share}")),
    "dama_win_share": (
        N_("wins more often with a closed hand without riichi than {share}"),
        N_("wins less often with a closed hand without riichi than {share}"),
    ),
}
"""Statistic -> what is said of a player above most others, and below them."""
AXES = ("call_rate", "riichi_rate")
SHOWN = 6
"""Tenths of the players that a player must be above or below for them to be counted in words."""
_NORMAL = NormalDist()
_WIDTH, _HEIGHT, _UNIT, _MOST = 310, 290, 42, 2.9
"""Of the picture: its size, pixels of a standard deviation between players, and how many it shows."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where a player stands in a statistic, in standard deviations between players."""

    middle: float
    error: float

    def share(self, errors: float = 0) -> float:
        """Return the expected share of players below, or the share if the value is some errors higher."""
        if errors:
            return _NORMAL.cdf(self.middle + errors * self.error)
        return _NORMAL.cdf(self.middle / math.sqrt(1 + self.error**2))


def _standing(name: str, own: GroupStatistics, reference: Population) -> _Standing | None:
    among, mine = reference.spreads.get(name), own.stats[name]
    if among is None or among.variance <= 0 or mine.value is None:
        return None
    value, error = shrunken(mine.sums, among)
    between = math.sqrt(among.variance)
    return _Standing((float(value) - among.mean) / between, float(error) / between)


def style(
    own: GroupStatistics, reference: Population | None, different: Mapping[str, bool]
) -> dict[str, Any] | None:
    """Return the traits, what is said of them, and the picture; None where there are too few players.

    ``different`` are the statistics that stand out, and whether they are higher: nothing is said of others.
    """
    if reference is None or reference.players < ENOUGH_PLAYERS:
        return None
    found = {name: _standing(name, own, reference) for name in TRAITS}
    known = {name: one for name, one in found.items() if one and reference.spreads[name].is_known}
    said = [
        _words(name, different[name], known.get(name), reference.who) for name in TRAITS if name in different
    ]
    return {
        "said": _("; ").join(said),
        "who": reference.who,
        "traits": [
            {
                "metric": name,
                "own": numbers.value(CATALOGUE[name], own.stats[name]),
                "other": numbers.value(CATALOGUE[name], reference.estimate(name)),
                "place": _place(known[name]) if name in known else _("cannot be told apart yet"),
            }
            for name in TRAITS
        ],
        "picture": _picture(*(found[name] for name in AXES)),
    }


def _words(name: str, is_more: bool, one: _Standing | None, who: str) -> str:
    """Say that a player is above or below others: most of them, where it is known how they differ."""
    share = 0.5 if one is None else one.share() if is_more else 1 - one.share()
    tenths = min(9, math.floor(10 * share))
    others = _("{tenths} of 10 {who}") if tenths >= SHOWN else _("{who} on average")
    more, less = TRAITS[name]
    return _(more if is_more else less).format(share=others.format(tenths=tenths, who=who))


def _place(one: _Standing) -> str:
    """Say what share of the players is below, and how sure that is."""
    low, share, high = (100 * one.share(errors) for errors in (-Z, 0, Z))
    return _("higher than {share:.0f} % ({low:.0f} to {high:.0f})").format(
        share=min(99, max(1, share)), low=low, high=high
    )


def _picture(x: _Standing | None, y: _Standing | None) -> dict[str, Any] | None:
    """Return where things are in the picture, in pixels; the middle of all players is its middle."""
    if x is None or y is None:
        return None
    middle = _WIDTH / 2, _HEIGHT / 2

    def at(one: _Standing, errors: float, begin: float, sign: int) -> float:
        return round(begin + sign * _UNIT * min(_MOST, max(-_MOST, one.middle + errors * one.error)), 1)

    return {
        "width": _WIDTH,
        "height": _HEIGHT,
        "x": middle[0],
        "y": middle[1],
        # Half of the players of a room, and nine of ten, if the two do not depend on each other.
        "rings": [round(_UNIT * math.sqrt(-2 * math.log(1 - part)), 1) for part in (0.5, 0.9)],
        "across": [at(x, errors, middle[0], 1) for errors in (-Z, 0, Z)],
        "up": [at(y, errors, middle[1], -1) for errors in (-Z, 0, Z)],
    }
