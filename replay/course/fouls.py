"""What fouls take off the final result: chombo, small ones, warnings, and what a referee ruled beside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from paifu.replay.rules.choices import Consequence, SmallAfter
from paifu.replay.rules.foul_kinds import FOUL_KINDS
from paifu.replay.rules.ruleset import Ruleset


class StatedFoul(NamedTuple):
    """A foul that a log states: seat, kind (an id), and the cost that the table ruled, 0 for the rules'."""

    seat: int
    kind: int
    ruled: int = 0

    def cost(self, rules: Ruleset) -> Consequence:
        """Return what it costs."""
        return Consequence(self.ruled or rules[FOUL_KINDS[self.kind].rule])


def deposits_of(rules: Ruleset, fouls: Iterable[StatedFoul]) -> dict[int, int]:
    """Return the sticks that seats put on the table for fouls, by seat."""
    sticks: dict[int, int] = {}
    for foul in fouls:
        if foul.cost(rules) == Consequence.DEPOSIT:
            sticks[foul.seat] = sticks.get(foul.seat, 0) + rules.fouls.deposit_sticks
    return sticks


def is_small_end(rules: Ruleset, fouls: Sequence[StatedFoul]) -> bool:
    """Return whether a hand with these fouls that ended by a foul did so by a small one, the last of them."""
    replays = rules.fouls.small_after == SmallAfter.REPLAY
    return replays and bool(fouls) and fouls[-1].cost(rules) == Consequence.SMALL


def costs_of_hand(
    rules: Ruleset, fouls: Sequence[StatedFoul], offender: int | None
) -> list[tuple[int, Consequence]]:
    """Return what fouls of a hand cost after the game, each with its seat; ``offender`` is whose ended it.

    One that was to end the hand, and did not, was void: somebody won at the same moment.
    """
    kept = {Consequence.WARNING}
    if rules.fouls.small_after == SmallAfter.GOES_ON:
        kept.add(Consequence.SMALL)
    costs = [(foul.seat, foul.cost(rules)) for foul in fouls if foul.cost(rules) in kept]
    if offender is not None:
        costs.append((offender, Consequence.SMALL if is_small_end(rules, fouls) else Consequence.CHOMBO))
    return costs


def penalties(
    rules: Ruleset, costs: Iterable[tuple[int, Consequence]], ruled: Sequence[int] = ()
) -> list[int]:
    """Return the points by seat that the fouls of a game take off its result, ``ruled`` ones included.

    >>> import paifu
    >>> rules = paifu.ruleset("mleague")
    >>> penalties(rules, [(2, Consequence.WARNING), (2, Consequence.WARNING), (0, Consequence.CHOMBO)])
    [20000, 0, 20000, 0]
    """
    points = [*ruled, *[0] * 4][: rules.table.players]
    warnings = [0] * rules.table.players
    for seat, cost in costs:
        if cost == Consequence.CHOMBO:
            points[seat] += rules.fouls.chombo_points
        elif cost == Consequence.SMALL:
            points[seat] += rules.fouls.small_points
        elif cost == Consequence.WARNING:
            warnings[seat] += 1
    for seat, number in enumerate(warnings):
        points[seat] += number // rules.fouls.warning_count * rules.fouls.warning_points
    return points
