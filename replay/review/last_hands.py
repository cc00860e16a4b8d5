"""What a win taken or passed does to the place at the end of the game.

Where a hand ends the game, the places are exact. Otherwise a table says how often a player who leads another
by some points, with some hands to come, ends the game ahead of him. The mean final place is 1 and
the chance of each opponent to end ahead, summed up. The table was counted in real games
(``bench/places.py``); it knows scores, hands to come and who deals, and nothing of the hands held.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from paifu.replay.course.settlement import (
    HandOutcome,
    HandStart,
    OutcomeKind,
    endings,
    hands_left,
    is_last_hand,
    next_hand,
    ranking,
)
from paifu.replay.rules.ruleset import Ruleset

SCHEMA = "paifu.places/1"
SHIPPED = Path(__file__).parent / "shipped" / "last-hands.json"
EDGES = (0, 1000, 2000, 3000, 4000, 5200, 6500, 8000, 10000, 12000, 16000, 20000, 25000, 32000)
"""Points ahead, from which each column of the table counts."""
NEITHER_DEALS, AHEAD_DEALS, BEHIND_DEALS = range(3)
"""Rows of the table: who of the two deals the next hand."""
LEAST_PLACES = 0.1
"""Mean places that a pass must cost to be a mistake, where the hand is the last or the win ends the game."""
LEAST_EARLIER = 0.25
"""As above in other hands: who passes is still tenpai, and may win more, which the table does not know."""


@dataclass(frozen=True, slots=True)
class PlaceTable:
    """Chances to stay ahead, for games with one number of players."""

    chances: tuple[tuple[tuple[float, ...], ...], ...]
    """By hands to come after the next one, who deals it, and points ahead."""
    pairs: tuple[tuple[tuple[int, ...], ...], ...]
    """How many pairs of players each chance was counted in."""

    def stays_ahead(self, points: int, left: int, dealing: int) -> float:
        """Return the chance of who is ``points`` (0 or more) ahead to end the game ahead."""
        rows = self.chances[min(left, len(self.chances) - 1)][dealing]
        return rows[bisect_right(EDGES, points) - 1]


@dataclass(frozen=True, slots=True)
class PassedWin:
    """A win that was passed up, by places: 1 is first; means where the end is open."""

    now: int
    """Place by the scores at that moment."""
    taken: float
    """Place after the win."""
    passed: float
    """Mean final place of players who begin the last hand with these scores."""
    is_exact: bool
    """The win would have ended the game, so that ``taken`` is certain."""
    is_last: bool = True
    """It was the last hand of the game, as far as the schedule goes."""

    @property
    def loss(self) -> float:
        """Mean places that the pass cost; below 0 where it was worth more."""
        return self.passed - self.taken

    @property
    def is_mistake(self) -> bool:
        """Whether the pass cost enough to be called a mistake."""
        return self.loss >= (LEAST_PLACES if self.is_last or self.is_exact else LEAST_EARLIER)


@cache
def place_tables() -> MappingProxyType[int, PlaceTable]:
    """Return the tables that come with the package, by number of players."""
    stored: dict[str, Any] = json.loads(SHIPPED.read_text("utf-8"))
    if stored["schema"] != SCHEMA or tuple(stored["edges"]) != EDGES:
        raise ValueError(f"{SHIPPED}: of another version; run bench/places.py")
    return MappingProxyType(
        {
            int(players): PlaceTable(_tuples(one["chances"]), _tuples(one["pairs"]))
            for players, one in stored["tables"].items()
        }
    )


def _tuples(values: Any) -> Any:
    return tuple(map(_tuples, values)) if isinstance(values, list) else values


def mean_place(
    rules: Ruleset, scores: Sequence[int], seat: int, start: HandStart, first_dealer: int = 0
) -> float | None:
    """Return the mean final place of a seat in a game whose next hand is ``start``; None without a table."""
    table = place_tables().get(rules.table.players)
    if table is None:
        return None
    order = ranking(rules, scores, first_dealer)
    own, left, place = order.index(seat), hands_left(rules, start.round), 1.0
    for at, other in enumerate(order):
        if other == seat:
            continue
        ahead, behind = (other, seat) if at < own else (seat, other)
        dealing = NEITHER_DEALS
        if start.dealer in (ahead, behind):
            dealing = AHEAD_DEALS if start.dealer == ahead else BEHIND_DEALS
        chance = table.stays_ahead(scores[ahead] - scores[behind], left, dealing)
        place += chance if at < own else 1 - chance
    return place


def win_or_pass(
    rules: Ruleset,
    start: HandStart,
    scores: Sequence[int],
    changes: Sequence[int],
    seat: int,
    first_dealer: int = 0,
) -> PassedWin | None:
    """Judge a win passed up by places; None without a table.

    ``scores`` are those at that moment, riichi sticks paid, and ``changes`` what the win brings each seat.
    """
    if rules.table.players not in place_tables():
        return None
    now = ranking(rules, scores, first_dealer).index(seat) + 1
    after = [score + change for score, change in zip(scores, changes, strict=True)]
    outcome = HandOutcome(OutcomeKind.WIN, winners=(seat,))
    possible = endings(rules, start, outcome, after, first_dealer)
    order = ranking(rules, after, first_dealer)
    passed = mean_place(rules, scores, seat, start, first_dealer)
    is_exact = possible[0] is not None
    if is_exact:
        taken: float | None = order.index(seat) + 1
    else:
        taken = mean_place(rules, after, seat, next_hand(rules, start, outcome), first_dealer)
    assert taken is not None  # noqa: S101
    assert passed is not None  # noqa: S101
    if is_exact and None in possible:  # a dealer may choose to go on
        going_on = mean_place(rules, after, seat, next_hand(rules, start, outcome), first_dealer)
        if going_on is not None and going_on < taken:
            taken, is_exact = going_on, False
    return PassedWin(now, taken, passed, is_exact, is_last_hand(rules, start.round))
