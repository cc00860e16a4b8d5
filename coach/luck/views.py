"""Luck of one game as small objects: its hands with place chances, and every chance node."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

NOTABLE = 1000
"""Points of luck from which a chance node is worth a word: there are between two and three in a hand."""
NOTABLE_CHANGE = 0.15
"""Change of a mean place from which an event is worth a word: there are one or two in a hand."""
BySeat = tuple[float, ...]


class NodeKind(StrEnum):
    """What chance decides at a node."""

    DEAL = "deal"
    DRAW = "draw"
    DORA = "dora"
    URA = "ura"


@dataclass(frozen=True, slots=True)
class Node:
    """One chance node."""

    kind: NodeKind
    event: int | None
    """Number of the event in its hand, from 0; None for the deal."""
    seat: int | None
    """Who draws or wins, or declared the kan; None for the deal."""
    tile: int | None
    """The tile drawn, or the indicator of a kan dora; None for others."""
    luck: BySeat
    """Points by seat that chance brought."""

    @property
    def size(self) -> float:
        """Points of the seat that chance moved most."""
        return max(map(abs, self.luck))

    @property
    def is_notable(self) -> bool:
        """It moved somebody by at least ``NOTABLE`` points."""
        return self.size >= NOTABLE


@dataclass(frozen=True, slots=True)
class Moment:
    """What could be expected after an event of a hand, and what the event changed."""

    event: int | None
    """Number of the event in its hand, from 0; None for the deal."""
    places_before: tuple[BySeat, ...]
    """Chances of the 1st to the 4th place before it, by seat."""
    places: tuple[BySeat, ...]
    """The same after it."""
    worth: BySeat
    """Expected utility after it."""
    swing: BySeat
    """Expected utility after it less before it."""

    @property
    def size(self) -> float:
        """Swing of the seat that it moved most."""
        return max(map(abs, self.swing))

    @property
    def place_change(self) -> BySeat:
        """Change of each seat's mean place, positive for a better one."""
        return _place_change(self.places_before, self.places)

    @property
    def is_notable(self) -> bool:
        """It changed the mean place of a seat by at least ``NOTABLE_CHANGE``."""
        return max(map(abs, self.place_change)) >= NOTABLE_CHANGE


@dataclass(frozen=True, slots=True)
class HandOfLuck:
    """One hand: what could be expected before and after it, and the luck in it."""

    number: int
    """Position in its game, from 0."""
    places: tuple[BySeat, ...] | None
    """Chances of the 1st to the 4th place before the hand, by seat; None under rules without them."""
    places_after: tuple[BySeat, ...] | None
    """The same after it; after the last hand, 1 for the final place."""
    result: BySeat
    """Points won or lost, by seat."""
    luck: BySeat
    """Points by seat that chance brought: the sum of ``nodes``."""
    nodes: tuple[Node, ...]
    """Chance nodes in the order of play."""
    worth: BySeat | None = None
    """Expected utility before the hand; None under rules without place chances."""
    leverage: BySeat | None = None
    """How much the hand can move the utility: its standard deviation over ends of the hand."""
    moments: tuple[Moment, ...] = ()
    """What could be expected after the deal, after each draw, and after what the players did next, in order;
    the last is the end of the hand. Calls and discards until the next draw are one moment, that of the last
    of them."""

    @property
    def swing(self) -> BySeat:
        """Change of each seat's mean place, positive for a better one; zeros where it is not known."""
        if self.places is None or self.places_after is None:
            return (0.0,) * len(self.luck)
        return _place_change(self.places, self.places_after)

    @property
    def turn(self) -> Moment | None:
        """The moment with the largest swing; None where there are no place chances."""
        return max(self.moments, key=lambda moment: moment.size, default=None)

    @property
    def moment(self) -> Node:
        """The node inside the hand that moved a seat most; the deal if there is no other."""
        return max(self.nodes, key=lambda node: (node.event is not None, node.size))


@dataclass(frozen=True, slots=True)
class GameLuck:
    """Luck and place chances of one game."""

    hands: tuple[HandOfLuck, ...]
    utility: str = "rules"
    """What swings and leverage are in."""

    def swings(self, most: int = 3) -> tuple[tuple[HandOfLuck, Moment], ...]:
        """Return the moments with the largest swings of all, with their hands, the largest first."""
        every = ((hand, moment) for hand in self.hands for moment in hand.moments)
        return tuple(sorted(every, key=lambda one: -one[1].size)[:most])

    def turning_points(self, most: int = 3) -> tuple[HandOfLuck, ...]:
        """Return the hands that changed a mean place most, at most ``most``, in the order of play."""
        known = (hand for hand in self.hands if hand.places is not None)
        largest = sorted(known, key=lambda hand: -max(map(abs, hand.swing)))[:most]
        return tuple(sorted(largest, key=lambda hand: hand.number))


def mean_place(chances: BySeat) -> float:
    """Return the place that is expected with these chances of the 1st, 2nd, ... place."""
    return sum(place * chance for place, chance in enumerate(chances, 1))


def _place_change(before: tuple[BySeat, ...], after: tuple[BySeat, ...]) -> BySeat:
    return tuple(mean_place(one) - mean_place(two) for one, two in zip(before, after, strict=True))
