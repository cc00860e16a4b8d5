"""The review as output: rows for programs; for people the findings of each player, and a summary.

Names come from logs: what is not printable in them is left out where they are shown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from paifu.replay.batch import Batch
from paifu.replay.findings import KINDS, Finding, Severity, in_words
from paifu.replay.review_words import Evidence, ReviewCase
from paifu.replay.review_words import evidence as evidence_of
from paifu.reports import findings as report
from paifu.reports.words import plural

COLUMNS = {**report.COLUMNS, "evidence": str}
"""Keys of a row, in order, and what a typed table holds; there the evidence is JSON text."""
NO_NAME = "players without a name"


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding of the review in words, with what it rests on."""

    finding: Finding
    evidence: Evidence
    hand: tuple[str, ...] = ()
    """The player's hand at that moment, as lines."""

    @property
    def cost(self) -> int:
        """Points that the choice cost, 0 where none can be named."""
        return int(self.evidence["cost"])


def judged(case: ReviewCase, hand: Iterable[str] = ()) -> Judged:
    """Put a case of the review in words; a mistake that was none is a note."""
    finding = in_words(case)
    if case.is_note:
        finding = replace(finding, severity=Severity.NOTE)
    return Judged(finding, evidence_of(case), tuple(hand))


def row(found: Judged) -> dict[str, Any]:
    """Return a finding as plain values by column, the evidence as an object."""
    return {**report.row(found.finding), "evidence": found.evidence}


@dataclass(frozen=True, slots=True)
class ReviewTally:
    """What was looked at, and how often each code was found; adds up over any input."""

    games: int = 0
    hands: int = 0
    player_hands: int = 0
    """Hands times the players that were looked at."""
    counts: Counter[str] = field(default_factory=Counter)
    costs: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: ReviewTally) -> ReviewTally:
        return ReviewTally(
            self.games + other.games,
            self.hands + other.hands,
            self.player_hands + other.player_hands,
            self.counts + other.counts,
            self.costs + other.costs,
        )

    @classmethod
    def of(cls, batch: Batch, players: frozenset[str], found: Iterable[Judged]) -> ReviewTally:
        """Count a batch of which the findings of ``players`` (all, if there are none) were wanted."""
        games, hands = batch.games, batch.hands
        seated = np.arange(4) < games.players[:, None]
        if players:
            names = [[str(name).casefold() in players for name in row] for row in games.names]
            seated &= np.array(names, bool).reshape(seated.shape)
        counts: Counter[str] = Counter()
        costs: Counter[str] = Counter()
        for one in found:
            counts[one.finding.code] += 1
            costs[one.finding.code] += one.cost
        return cls(len(games), len(hands), int(seated[hands.game].sum()), counts, costs)

    def summary(self) -> dict[str, Any]:
        """Return the counts by name."""
        return {
            "games": self.games,
            "hands": self.hands,
            "player_hands": self.player_hands,
            "counts": {code: self.counts[code] for code in KINDS if self.counts[code]},
        }

    def lines(self) -> Iterator[str]:
        """Yield a line a code: how often, how often in a hundred hands, at what cost."""
        yield (
            f"{plural(self.games, 'game')}, {plural(self.hands, 'hand')}, "
            f"{plural(self.player_hands, 'hand')} of the players looked at"
        )
        yield ""
        yield f"{'code':<6}{'name':<28}{'severity':<10}{'n':>7}{'per 100 hands':>15}{'points':>12}"
        for code, kind in KINDS.items():
            number = self.counts[code]
            if number:
                rate = 100 * number / max(1, self.player_hands)
                yield (
                    f"{code:<6}{kind.name:<28}{kind.severity:<10}{number:>7,}{rate:>15.2f}{self.costs[code]:>12,}"
                )


def by_player(found: Iterable[Judged]) -> Iterator[tuple[str, list[Judged]]]:
    """Yield the findings of each player, the costliest first; the player who lost most first."""
    players: dict[str, list[Judged]] = defaultdict(list)
    for one in found:
        players[one.finding.player or NO_NAME].append(one)
    for name, own in sorted(players.items(), key=lambda item: (-sum(one.cost for one in item[1]), item[0])):
        yield name, sorted(own, key=lambda one: -one.cost)


def player_lines(name: str, own: list[Judged]) -> Iterator[str]:
    """Yield a player's findings for people."""
    mistakes = sum(one.finding.severity == Severity.MISTAKE for one in own)
    yield (
        f"{report.printable(name)}: {plural(len(own), 'finding')}, {plural(mistakes, 'mistake')}, "
        f"{sum(one.cost for one in own):,} points"
    )
    for one in own:
        finding = one.finding
        yield f"  {finding.code} {finding.severity} {finding.name}  {report.where(finding)}"
        yield f"      {report.message(finding)}"
        for text in (*one.hand, *_behind(one)):
            yield f"      {report.printable(text)}"


def _behind(one: Judged) -> Iterator[str]:
    """Yield, of a deal-in, the true wait and what hindsight tells; it is no part of the judgement."""
    hindsight = one.evidence.get("hindsight")
    if hindsight is None:
        return
    words = f"after   {' '.join(one.evidence['winner_waits'])} was the wait"
    others = len(one.evidence["alternatives"])
    if others:
        dealing = hindsight["would_have_dealt_in"]
        words += f"; of {others} other discards {len(dealing) or 'none'} would have dealt in, too"
    yield words
