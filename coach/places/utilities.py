"""What a place is worth: rank points by table, the uma of a ruleset, or points alone.

A :class:`Utility` gives a value to each place and to points. Tenhou's tables are those of the highest room
that a dan plays in: dan 1 to 3 Joukyuu, 4 to 6 Tokujou, 7 to 10 Houou.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paifu.coach.kernels import place_chances
from paifu.coach.places.model import Chances
from paifu.replay.arrays import F64
from paifu.replay.errors import ArgumentError
from paifu.replay.language import _
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.ladders import KYU, LADDERS, TENHOU

RULES, POINTS = "rules", "points"
DANS = range(1, 11)
UTILITIES = (RULES, POINTS, *(f"tenhou-{dan}dan" for dan in DANS))
"""Names of utilities: results with uma and oka, mean final scores, Tenhou's rank points by dan."""
_ROOMS = ("joukyuu", "tokujou", "houou")


@dataclass(frozen=True, slots=True)
class Utility:
    """What the end of a game is worth to a seat."""

    name: str
    by_place: tuple[float, ...]
    per_point: float = 0.0

    def of(self, chances: Chances) -> F64:
        """Return (seats,) expected values."""
        values: F64 = chances.places @ np.array(self.by_place) + self.per_point * chances.scores
        return values

    def of_answers(self, answers: F64) -> F64:
        """Return (..., seats) expected values of (..., seats, A_SIZE) answers of the place model."""
        places = answers[..., : len(self.by_place)]
        return self.of(Chances(places, answers[..., place_chances.MEAN_SCORE]))


def utility(name: str, rules: Ruleset) -> Utility:
    """Return a utility by its name, for a ruleset. Raises ArgumentError for an unknown one.

    >>> from paifu.replay.rulesets.presets import load_preset
    >>> utility("tenhou-7dan", load_preset("tenhou")).by_place
    (90, 45, 0, -135)
    >>> utility("rules", load_preset("mleague")).by_place
    (20.0, -20.0, -40.0, -60.0)
    """
    if name == POINTS:
        return Utility(name, (0.0,) * rules.table.players, 1.0)
    if name == RULES:
        return _of_rules(rules)
    if name not in UTILITIES:
        raise ArgumentError(
            _("there is no utility {name!r}; there are {names}").format(name=name, names=", ".join(UTILITIES))
        )
    dan = UTILITIES.index(name) - 1
    kind = rules.table.players, "east" if rules.table.wind_rounds == 1 else "south"
    room = _ROOMS[0 if dan < 4 else 1 if dan < 7 else 2]
    tenhou = LADDERS[TENHOU]
    loss = tenhou.ranks[dan + KYU].losses[kind]
    return Utility(name, (*tenhou.rooms[room].gains[kind][:-1], -loss))


def _of_rules(rules: Ruleset) -> Utility:
    """Results in thousands: points above the return (if points count), uma and oka. Rounding is left out.

    A uma that depends on how many are below the start is that of two above and two below.
    """
    uma = list(
        rules.final.uma_by_below[rules.table.players // 2] if rules.final.uma_by_below else rules.final.uma
    )
    if not rules.final.count_points:
        return Utility(RULES, tuple(points / 1000 for points in uma))
    uma[0] += (rules.final.return_points * rules.table.players - sum(rules.starts)) if rules.final.oka else 0
    return Utility(RULES, tuple((points - rules.final.return_points) / 1000 for points in uma), 0.001)
