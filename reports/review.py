"""The review as output: rows for programs; for people the findings of each player, and a summary.

Names come from logs: what is not printable in them is left out where they are shown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import PurePath
from typing import Any

import numpy as np
from rich.cells import cell_len

from paifu.replay.batch import Batch
from paifu.replay.facts import Facts
from paifu.replay.findings import KINDS, Finding, Severity, in_words
from paifu.replay.review_kinds import TITLES
from paifu.replay.review_words import Evidence, ReviewCase, review_cases
from paifu.replay.review_words import evidence as evidence_of
from paifu.replay.rules import Ruleset
from paifu.reports import findings as report
from paifu.reports.evidence import evidence as hand_lines
from paifu.reports.words import plural

COLUMNS = {**report.COLUMNS, "evidence": str}
"""Keys of a row, in order, and what a typed table holds; there the evidence is JSON text."""
NO_NAME = "players without a name"
WIDTH = 80
_INDENT = 10
"""Cells left of what is said about a finding; the points stand there."""


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

    @property
    def is_mistake(self) -> bool:
        """A mistake, no note."""
        return self.finding.severity == Severity.MISTAKE


def judged(case: ReviewCase, hand: Iterable[str] = ()) -> Judged:
    """Put a case of the review in words; a mistake that was none is a note."""
    finding = in_words(case)
    if case.is_note:
        finding = replace(finding, severity=Severity.NOTE)
    return Judged(finding, evidence_of(case), tuple(hand))


def judgements(
    batch: Batch,
    facts: Facts,
    *rules: Ruleset,
    wanted: Callable[[ReviewCase], bool] = lambda _: True,
    with_hands: bool = True,
) -> Iterator[Judged]:
    """Yield what ``replay(batch, *rules, review=True)`` found, in the order of play, with the hands.

    ``wanted`` chooses before anything is put in words; nothing is yielded where there was no review.
    """
    for case in review_cases(batch, facts, *rules):
        if wanted(case):
            yield judged(case, islice(hand_lines(case), 1) if with_hands else ())


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
        """Yield a line a code: how often, how often in a hundred hands of a player, at what cost."""
        looked_at = f"looked at {plural(self.player_hands, 'hand')} of players"
        yield f"{plural(self.games, 'game')}, {plural(self.hands, 'hand')}; {looked_at}"
        if not self.counts:
            yield "nothing found"
            return
        yield ""
        yield f"{'code':<6}{'':<46}{'found':>7}{'in 100':>8}{'points':>12}"
        for code in filter(self.counts.__getitem__, TITLES):
            number = self.counts[code]
            rate = 100 * number / max(1, self.player_hands)
            points = f"{self.costs[code]:,}" if self.costs[code] else "-"
            yield f"{code:<6}{TITLES[code]:<46}{number:>7,}{rate:>8.2f}{points:>12}"


# --- for people ----------------------------------------------------------------------------------------


def points_at_stake(found: Iterable[Judged]) -> int:
    """Add up costs; a win that furiten forbade counts once, though several findings speak of it."""
    total = 0
    furiten = set()
    for one in found:
        if one.finding.code.startswith("F"):
            furiten.add((one.finding.source, one.finding.hand, one.finding.seat, one.cost))
        else:
            total += one.cost
    return total + sum(cost for *_, cost in furiten)


def by_player(found: Iterable[Judged]) -> list[tuple[str, list[Judged]]]:
    """Return the findings of each player, the costliest first; the player with most at stake first."""
    players: dict[str, list[Judged]] = defaultdict(list)
    for one in found:
        players[one.finding.player or NO_NAME].append(one)
    return [
        (name, sorted(own, key=lambda one: -one.cost))
        for name, own in sorted(players.items(), key=lambda item: (-points_at_stake(item[1]), item[0]))
    ]


def review_lines(found: list[Judged], *, limit: int, most_players: int) -> Iterator[str]:
    """Yield the findings of each player for people, and how to see those that are left out.

    ``limit`` is how many mistakes, and how many notes, of each player; 0 stands for all, here and in
    ``most_players``.
    """
    players = by_player(found)
    with_source = len({one.finding.source for one in found}) > 1
    shown = players[:most_players] if most_players else players
    left_out = False
    for name, own in shown:
        left_out |= bool(limit) and any(
            sum(one.is_mistake == kind for one in own) > limit for kind in (True, False)
        )
        yield from _player_lines(name, own, limit, with_source)
        yield ""
    if len(players) > len(shown):
        yield f"{plural(len(players) - len(shown), 'more player')}: --player NAME for one, --limit 0 for all."
    if left_out:
        yield "--limit 0 shows everything, --mistakes leaves the notes out."
    if len(players) > len(shown) or left_out:
        yield ""


def _player_lines(name: str, own: list[Judged], limit: int, with_source: bool) -> Iterator[str]:
    """Yield a player's findings: mistakes, then notes."""
    mistakes = [one for one in own if one.is_mistake]
    notes = [one for one in own if not one.is_mistake]
    yield (
        f"{report.printable(name)}: {plural(len(mistakes), 'mistake')}, {plural(len(notes), 'note')}, "
        f"{points_at_stake(own):,} points at stake"
    )
    for title, part in (("Mistakes", mistakes), ("Notes", notes)):
        chosen = part[:limit] if limit else part
        if part:
            of = f", {len(chosen)} of {len(part)}" if len(chosen) < len(part) else ""
            yield f" {title}{of}"
        for one in chosen:
            yield from _finding_lines(one, with_source)


def _finding_lines(one: Judged, with_source: bool) -> Iterator[str]:
    """Yield what a finding says, what the player held, and apart what only the log knows."""
    finding = one.finding
    points = f"{one.cost:,}" if one.cost else "-"
    place = f"{finding.hand} turn {finding.turn}"
    yield f"{points:>{_INDENT - 2}}  {finding.code} {TITLES[finding.code]}, {place}"
    texts = [report.message(finding), *one.hand, *_hindsight(one)]
    if with_source:
        texts.append(f"in {_file(finding.source)}")
    for text in texts:
        for line in _wrapped(report.printable(text), WIDTH - _INDENT):
            yield " " * _INDENT + line


def _hindsight(one: Judged) -> Iterator[str]:
    """Yield, of a deal-in, the true wait and what hindsight tells; it is no part of the judgement."""
    hindsight = one.evidence.get("hindsight")
    if hindsight is None:
        return
    words = f"hindsight: the wait was {' '.join(one.evidence['winner_waits'])}"
    others = len(one.evidence["alternatives"])
    if others:
        dealing = len(hindsight["would_have_dealt_in"])
        words += f"; {dealing or 'none'} of {others} other discards deals in, too"
    yield words


def _file(source: str) -> str:
    """Shorten a path to the file's name."""
    return PurePath(source).name or source


def _wrapped(text: str, width: int) -> Iterator[str]:
    """Break a text between words into lines of at most ``width`` cells; a CJK character takes two."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and cell_len(longer) > width:
            yield line
            line = word
        else:
            line = longer
    yield line
