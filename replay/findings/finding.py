"""A finding: what is wrong, where, what was expected and what the log has.

Names in it come from logs: they are as the log has them and are to be cleaned before they are shown. Most
logs have no finding: what puts one in words, :mod:`paifu.replay.findings.spoken`, is loaded for the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from paifu.replay.errors import ArgumentError

FindingValue = int | str | None
"""What is expected or found, for people and programs: a number, a name, or nothing."""


class UnknownCodeError(ArgumentError):
    """A code, or the beginning of one, that no finding has."""


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    """The log breaks the rules or contradicts itself."""
    MISTAKE = "mistake"
    """A choice that good play rejects on what the player could see."""
    NOTE = "note"
    """Worth knowing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding; what does not apply is None."""

    code: str
    name: str
    severity: Severity
    source: str
    """Where the log was read: file, archive member, database row."""
    game_id: str
    hand: str | None
    """Label such as ``E1.0``."""
    event: int | None
    """Position among the hand's events, from 0."""
    turn: int | None
    """Turn of the player, from 1; 0 before its first."""
    seat: int | None
    player: str | None
    tile: str | None
    message: str
    expected: FindingValue
    actual: FindingValue


@dataclass(frozen=True, slots=True)
class Selection:
    """Which findings are wanted, by beginnings of their codes."""

    select: tuple[str, ...] = ()
    """None means all."""
    ignore: tuple[str, ...] = ()

    def wants(self, code: str, *, is_fault: bool = False) -> bool:
        """Return whether a code is wanted; input that cannot be read is, unless it is ignored by name."""
        selected = is_fault or not self.select or code.startswith(self.select)
        return selected and not code.startswith(self.ignore or ("-",))
