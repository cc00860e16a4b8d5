"""Output of the review: findings in words, as rows for programs, and a summary.

:mod:`paifu.reports.terminal.review_lines` lays them out for people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from paifu.replay.findings.finding import KINDS, Finding, Severity, in_words
from paifu.replay.kernels import codes
from paifu.replay.model.batch import Batch
from paifu.replay.review.kinds import TITLES
from paifu.replay.review.words import Evidence, ReviewCase, review_cases
from paifu.replay.review.words import evidence as evidence_of
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.presets import rulesets_of
from paifu.replay.table.facts import Replay
from paifu.reports.findings import output as report
from paifu.reports.words import plural

if TYPE_CHECKING:
    from paifu.reports.judgement.choices import Choice

MIN_LOSS = 300
"""Points that a discard must lose by the model for its deal-in to be a mistake, if no others are given."""
_JUDGED = frozenset(
    (
        codes.AVOIDABLE_FAR, codes.AVOIDABLE_NEAR, codes.PUSHED, codes.NOTHING_SAFER, codes.NO_VISIBLE_THREAT,
        codes.FOLDED_AND_DEALT_IN,
    )
)  # fmt: skip
"""Codes whose severity follows from the loss."""
COLUMNS = {**report.COLUMNS, "evidence": str}
"""Keys of a row, in order, and their types in a typed table, where the evidence is JSON text."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding of the review in words, with its evidence."""

    finding: Finding
    evidence: Evidence
    hand: tuple[str, ...] = ()
    """The player's hand at that moment, as lines of text."""

    @property
    def cost(self) -> int:
        """Points that the choice cost; 0 if no cost can be given."""
        return int(self.evidence["cost"])

    @property
    def is_mistake(self) -> bool:
        """Whether this is a mistake rather than a note."""
        return self.finding.severity == Severity.MISTAKE


def judged(case: ReviewCase, *, with_hand: bool = False, choice: Choice | None = None) -> Judged:
    """Put a case of the review in words; a mistake that turned out to be none becomes a note.

    ``choice`` is what the model says of the move, if it judged it. Whether a deal-in was a mistake follows
    from it, but where there was no choice, or no other discard would have helped.
    """
    finding, evidence = in_words(case), evidence_of(case)
    if case.is_note:
        finding = replace(finding, severity=Severity.NOTE)
    if choice is not None:
        evidence |= {"loss": choice.loss, "options": choice.options}
    if choice is not None and case.code in _JUDGED:
        severity = Severity.MISTAKE if choice.is_costly else Severity.NOTE
        finding = replace(finding, severity=severity, message=f"{finding.message}; {choice.words}")
    return Judged(finding, evidence, hand_of(case) if with_hand else ())


def hand_of(case: ReviewCase) -> tuple[str, ...]:
    """Return the player's hand before the move of a case, as lines."""
    from paifu.reports.hands.evidence import evidence  # imports kernels, which must wait for the engine

    return tuple(islice(evidence(case), 1))


def judgements(
    replayed: Replay,
    *,
    wanted: Callable[[ReviewCase], bool] = lambda _: True,
    with_hands: bool = True,
    min_loss: float = MIN_LOSS,
) -> Iterator[Judged]:
    """Yield the findings of a replay with a review, in the order of play, with the hands.

    ``wanted`` filters cases before they are put in words. Without a review, nothing is yielded. A deal-in is
    a mistake if the discard lost at least ``min_loss`` points by the model.
    """
    for one, _ in cases_judged(replayed, wanted, min_loss=min_loss, with_hands=with_hands):
        yield one


def cases_judged(
    replayed: Replay,
    wanted: Callable[[ReviewCase], bool],
    *,
    min_loss: float = MIN_LOSS,
    with_hands: bool = False,
) -> Iterator[tuple[Judged, ReviewCase]]:
    """Yield the wanted findings with their cases."""
    from paifu.reports.judgement.choices import choices  # imports kernels, which must wait for the engine

    cases = [case for case in review_cases(replayed) if wanted(case)]
    events = {case.event for case in cases}
    made = choices(replayed.batch, events, *replayed.rules, min_loss=min_loss)
    for case in cases:
        yield judged(case, with_hand=with_hands, choice=made.get((case.event, case.seat))), case


def row(found: Judged) -> dict[str, Any]:
    """Return a finding as plain values by column, the evidence as an object."""
    return {**report.row(found.finding), "evidence": found.evidence}


@dataclass(frozen=True, slots=True)
class ReviewTally:
    """How much was reviewed, and how often each code was found; tallies can be added."""

    games: int = 0
    hands: int = 0
    player_hands: int = 0
    """Hands, counted once for each player reviewed."""
    counts: Counter[str] = field(default_factory=Counter)
    costs: Counter[str] = field(default_factory=Counter)
    others: int = 0
    """Games other than riichi, which are not reviewed and counted nowhere else."""

    def __add__(self, other: ReviewTally) -> ReviewTally:
        return ReviewTally(
            self.games + other.games,
            self.hands + other.hands,
            self.player_hands + other.player_hands,
            self.counts + other.counts,
            self.costs + other.costs,
            self.others + other.others,
        )

    @classmethod
    def of(cls, batch: Batch, players: frozenset[str], found: Iterable[Judged]) -> ReviewTally:
        """Count a batch reviewed for ``players``, or for all players if the set is empty."""
        games, hands = batch.games, batch.hands
        is_riichi = np.array([rules.scheme == Scheme.HAN_FU for rules in rulesets_of(batch)], bool)
        seated = (np.arange(4) < games.players[:, None]) & is_riichi[:, None]
        if players:
            names = [[str(name).casefold() in players for name in row] for row in games.names]
            seated &= np.array(names, bool).reshape(seated.shape)
        counts: Counter[str] = Counter()
        costs: Counter[str] = Counter()
        for one in found:
            counts[one.finding.code] += 1
            costs[one.finding.code] += one.cost
        reviewed = int(is_riichi.sum())
        return cls(
            reviewed, int(is_riichi[hands.game].sum()), int(seated[hands.game].sum()), counts, costs,
            len(games) - reviewed,
        )  # fmt: skip

    def summary(self) -> dict[str, Any]:
        """Return the counts by name."""
        return {
            "games": self.games,
            "hands": self.hands,
            "player_hands": self.player_hands,
            "counts": {code: self.counts[code] for code in KINDS if self.counts[code]},
        }

    def lines(self) -> Iterator[str]:
        """Yield one line per code: count, rate per 100 hands of a player, and cost."""
        looked_at = f"{plural(self.player_hands, 'player hand')} reviewed"
        yield f"{plural(self.games, 'game')}, {plural(self.hands, 'hand')}; {looked_at}"
        if self.others:
            yield f"not reviewed: {plural(self.others, 'game')} (only riichi is reviewed)"
        if not self.counts:
            yield "no findings"
            return
        yield ""
        yield f"{'code':<6}{'':<46}{'found':>7}{'per 100':>8}{'points':>12}"
        for code in filter(self.counts.__getitem__, TITLES):
            number = self.counts[code]
            rate = 100 * number / max(1, self.player_hands)
            points = f"{self.costs[code]:,}" if self.costs[code] else "-"
            yield f"{code:<6}{TITLES[code]:<46}{number:>7,}{rate:>8.2f}{points:>12}"
