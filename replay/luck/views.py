"""Luck of one game as small objects: its hands with place chances, and every chance node."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

NOTABLE = 1000
"""Points of luck from which a chance node is worth a word: there are between two and three in a hand."""
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

    @property
    def swing(self) -> BySeat:
        """Change of each seat's mean place, positive for a better one; zeros where it is not known."""
        if self.places is None or self.places_after is None:
            return (0.0,) * len(self.luck)
        pairs = zip(self.places, self.places_after, strict=True)
        return tuple(mean_place(before) - mean_place(after) for before, after in pairs)

    @property
    def moment(self) -> Node:
        """The node inside the hand that moved a seat most; the deal if there is no other."""
        return max(self.nodes, key=lambda node: (node.event is not None, node.size))


@dataclass(frozen=True, slots=True)
class GameLuck:
    """Luck and place chances of one game."""

    hands: tuple[HandOfLuck, ...]

    def turning_points(self, most: int = 3) -> tuple[HandOfLuck, ...]:
        """Return the hands that changed a mean place most, at most ``most``, in the order of play."""
        known = (hand for hand in self.hands if hand.places is not None)
        largest = sorted(known, key=lambda hand: -max(map(abs, hand.swing)))[:most]
        return tuple(sorted(largest, key=lambda hand: hand.number))


def mean_place(chances: BySeat) -> float:
    """Return the place that is expected with these chances of the 1st, 2nd, ... place."""
    return sum(place * chance for place, chance in enumerate(chances, 1))
