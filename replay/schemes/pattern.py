"""Patterns as data: one row each, with a condition, and what a ruleset makes of their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from paifu.replay.rules.fields import PatternValue
from paifu.replay.rules.hand_facts import YakuCondition
from paifu.replay.schemes.case import Case
from paifu.replay.scoring.readings import Form

Condition = YakuCondition | Callable[[Case], tuple[str, ...]]
"""When a pattern is there, or what gives the tiles that make it, once for each time it counts."""

REGULAR = frozenset({Form.STANDARD})
PAIRS_TOO = frozenset({Form.STANDARD, Form.SEVEN_PAIRS, Form.PURE_PAIRS})
ANY_FORM = frozenset(Form) - {Form.BONUS, Form.LOSER}


class PatternLimit(Enum):
    """Whether a pattern is worth a limit by itself."""

    NONE = "none"
    HALF = "half_limit"
    FULL = "limit"

    @property
    def words(self) -> str:
        """What people read; empty for no limit."""
        return "" if self == PatternLimit.NONE else self.value.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One row of a scheme's table."""

    id: str
    name: str
    native: str
    """The Chinese name; empty where sources have none."""
    value: int
    """Points, faan or doubles, by the scheme."""
    meaning: str
    """The condition in words."""
    find: Condition
    forms: frozenset[Form] = ANY_FORM
    series: str = ""
    """Only the most expensive pattern of a series counts; empty: it competes with none."""
    replaces: tuple[str, ...] = ()
    """Ids of patterns that do not count beside this one."""
    limit: PatternLimit = PatternLimit.NONE
    played: bool = True
    """Counts unless a ruleset switches it off; else only where one switches it on."""
    winning_form: Form | None = None
    """A form that wins only because this pattern is played."""
    losers: bool = False
    """Counts for hands that have not won, too."""
    free: bool = False
    """A discard may complete anything in such a hand, whatever the ruleset asks for."""
    source: str = "blog"

    @property
    def counts(self) -> bool:
        """Worth anything, if found."""
        return self.played and (self.value > 0 or self.limit != PatternLimit.NONE)

    @property
    def worth(self) -> str:
        """The value as a ruleset writes it: a number, ``limit`` or ``half_limit``."""
        return str(self.value) if self.limit == PatternLimit.NONE else self.limit.value

    def under(self, worth: PatternValue | None) -> Pattern:
        """Return the row with the value that a ruleset gives it; None leaves it as it is."""
        match worth:
            case None:
                return self
            case bool():
                return replace(self, played=worth)
            case str():
                return replace(self, played=True, limit=PatternLimit(worth))
        return replace(self, played=worth > 0, value=worth, limit=PatternLimit.NONE)


@dataclass(frozen=True, slots=True)
class FoundPattern:
    """A pattern found in a reading."""

    pattern: Pattern
    times: int
    tiles: str
    """The tiles that make it, where they are not the whole hand."""

    @property
    def value(self) -> int:
        """What it adds, in the scheme's unit."""
        return self.pattern.value * self.times


def find(patterns: Mapping[str, Pattern], case: Case) -> list[FoundPattern]:
    """Return the patterns that count in a reading, in the table's order, before series and limits."""
    found: list[FoundPattern] = []
    for pattern in patterns.values():
        if pattern.counts and case.form in pattern.forms:
            if not isinstance(pattern.find, YakuCondition):
                tiles = pattern.find(case)
                found += [FoundPattern(pattern, len(tiles), " ".join(tiles))] if tiles else []
            elif pattern.find.holds(case.words):
                found.append(FoundPattern(pattern, 1, ""))
    replaced = {other for finding in found for other in finding.pattern.replaces}
    return [finding for finding in found if finding.pattern.id not in replaced]


def by_limit(found: list[FoundPattern]) -> tuple[list[FoundPattern], ...]:
    """Return the patterns that are limits by themselves, those that are half of one, and all others."""
    return tuple(
        [finding for finding in found if finding.pattern.limit == limit]
        for limit in (PatternLimit.FULL, PatternLimit.HALF, PatternLimit.NONE)
    )
