"""A batch as the engine replayed it: all that was found out, under which rules, and how much was checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from paifu.replay.facts.tables import Findings, PlayerHands, ScoredWins
from paifu.replay.model.batch import Batch
from paifu.replay.model.counts import Counts
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import Given

if TYPE_CHECKING:
    from paifu.replay.review.results import (
        Reviewed,  # its module imports kernels, and this one is for words, too
    )


@dataclass(frozen=True, slots=True)
class Unchecked(Counts):
    """What could not be checked because tiles are hidden, in hands that were replayed; counts add up."""

    hands: int = 0
    """Those hands."""
    discards: int = 0
    """Of tiles that may have been in the hand."""
    calls: int = 0
    kans: int = 0
    riichi: int = 0
    """Whether the hand was tenpai."""
    wins: int = 0
    """What the hand was worth."""
    tenpai: int = 0
    """Hands at exhaustive draws."""


@dataclass(frozen=True, slots=True)
class Checked(Counts):
    """How much was really checked; counts add up."""

    games: int
    hands: int
    events: int
    wins: int
    draws: int
    walls: int
    """Hands whose deal, indicators and draws were compared with the seed's wall."""
    wall_tiles: int
    carried: int
    """Hands whose start was compared with the end of the hand before."""
    finals: int
    """Games whose final scores were compared."""
    stopped: int
    """Hands that could not be followed to their end."""


@dataclass(frozen=True, slots=True)
class Unstated(Counts):
    """What logs do not state of payments, scores and discards; counts add up."""

    settled: int = 0
    """Wins and draws in which points are paid that the log does not state; the engine's were carried on."""
    unsettled: int = 0
    """Wins and draws whose payments neither the log states nor the engine knows."""
    unscored: int = 0
    """Hands whose scores at the start the log does not state."""
    unmarked: int = 0
    """Games without a mark of a tsumogiri, in which some discard can only be the tile just drawn."""


NOTHING_UNSTATED = Unstated()
NOTHING_UNCHECKED = Unchecked()


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """A batch as the engine replayed it: what it is, under which rules, and all that was found out.

    Everything that is derived from a replay takes this object, so that nobody reads its findings under
    other rules than those that found them.
    """

    batch: Batch
    rulesets: tuple[Ruleset, ...]
    """The ruleset of each game."""
    rules: tuple[Given, ...]
    """Those that were asked for instead of the logs' own; none as a rule."""
    findings: Findings
    player_hands: PlayerHands
    scored_wins: ScoredWins
    checked: Checked
    unstated: Unstated = NOTHING_UNSTATED
    unchecked: Unchecked = NOTHING_UNCHECKED
    review: Reviewed | None = None
    """What the players might have done better, where that was asked for."""
