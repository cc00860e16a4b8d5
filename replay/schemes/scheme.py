"""The interface of a scheme, and what it answers: the value of a win, why, and what each seat is paid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from paifu.replay.language import _
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.hand import Facts, HeldTiles


@dataclass(frozen=True, slots=True)
class CompleteHand:
    """A complete hand and how it won."""

    hand: HeldTiles
    facts: Facts


@dataclass(frozen=True, slots=True)
class Row:
    """A pattern of the winning reading, or something else that earns points, and why."""

    id: str
    name: str
    native: str
    value: int
    """In the scheme's unit, all occurrences together; 0 for a limit."""
    times: int
    worth: str
    """The value in words: ``10``, ``2 faan``, ``limit``."""
    reason: str
    tiles: str = ""


@dataclass(frozen=True, slots=True)
class PointRow:
    """Own points of a hand, and what they are for."""

    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Other:
    """A reading that was not scored, and why."""

    reading: str
    value: int
    why: str


@dataclass(frozen=True, slots=True)
class OwnScore:
    """What a hand counts for itself, where losers have scores, too."""

    seat: int
    points: tuple[PointRow, ...]
    doubles: tuple[Row, ...]
    score: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """A scored win."""

    value: int
    """What payments are counted in: points, the base, the winner's score, the line's value."""
    worth: str
    """How the value comes about, in words."""
    patterns: tuple[Row, ...]
    dropped: tuple[Row, ...] = ()
    """Patterns that are there and do not count; the reason says why."""
    points: tuple[PointRow, ...] = ()
    """Points beside the patterns."""
    payments: tuple[int, ...]
    """Change of points by seat, East first; a fifth player who bets comes last."""
    roles: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """Seat -> why it pays or is paid what it is."""
    answers: int | None = None
    """The seat that pays beside the discarder or in their place: liable, or first to discard such a tile."""
    reading: str
    others: tuple[Other, ...] = ()
    losers: tuple[OwnScore, ...] = ()


class ScoringScheme(Protocol):
    """One way to score."""

    def score(self, win: CompleteHand, rules: Ruleset) -> Won:
        """Score a win. Raises HandError, saying why, for a hand that cannot be or may not win."""
        ...


def said_worth(worth: str) -> str:
    """Return the worth of a row for people: a limit, or a number with its unit."""
    number, _blank, unit = worth.partition(" ")
    if not (number.isdigit() and unit):
        return _(worth)
    template = f"{{number}} {unit}"
    return _(template).format(number=number)


def declared() -> Iterator[str]:
    """Yield what worths consist of."""
    yield from ("limit", "half limit")
    for unit in ("points", "faan", "doubles"):
        yield from (f"{{number}} {unit}", f"{{number}} {unit.removesuffix('s')}")
