"""The review for people: the findings of each player, mistakes before notes, most expensive first.

Names come from logs, so unprintable characters are removed for display. However many logs are reviewed, only
the findings to show are kept, and only their hands are formatted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath

from rich.cells import cell_len

from paifu.replay.foreign_text import printable
from paifu.replay.review.kinds import TITLES
from paifu.replay.review.words import ReviewCase
from paifu.reports.findings import output as report
from paifu.reports.findings.review import Judged, hand_of
from paifu.reports.words import plural

NO_NAME = "players without a name"
WIDTH = 80
_INDENT = 10
"""Cells to the left of a finding's text, where the points are."""


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """One player's findings, perhaps only the most expensive; parts can be added."""

    mistakes: tuple[Judged, ...] = ()
    """Most expensive first, then in the order of play."""
    notes: tuple[Judged, ...] = ()
    mistake_count: int = 0
    note_count: int = 0
    points: int = 0
    """Points at stake in all of them."""

    def merged(self, other: PlayerReview, limit: int) -> PlayerReview:
        """Add a later part, keeping at most ``limit`` mistakes and ``limit`` notes; 0 keeps all."""
        return PlayerReview(
            _costliest((*self.mistakes, *other.mistakes), limit),
            _costliest((*self.notes, *other.notes), limit),
            self.mistake_count + other.mistake_count,
            self.note_count + other.note_count,
            self.points + other.points,
        )


def by_player(found: Iterable[tuple[Judged, ReviewCase]], limit: int) -> dict[str, PlayerReview]:
    """Group the findings of whole games by player, with the hands of the findings kept."""
    players: dict[str, list[tuple[Judged, ReviewCase]]] = defaultdict(list)
    for one, case in found:
        players[one.finding.player or NO_NAME].append((one, case))

    def kept(pairs: list[tuple[Judged, ReviewCase]]) -> tuple[Judged, ...]:
        ordered = sorted(pairs, key=lambda pair: -pair[0].cost)
        return tuple(replace(one, hand=hand_of(case)) for one, case in ordered[: limit or None])

    reviews = {}
    for name, own in players.items():
        mistakes = [pair for pair in own if pair[0].is_mistake]
        notes = [pair for pair in own if not pair[0].is_mistake]
        points = points_at_stake(one for one, _ in own)
        reviews[name] = PlayerReview(kept(mistakes), kept(notes), len(mistakes), len(notes), points)
    return reviews


def points_at_stake(found: Iterable[Judged]) -> int:
    """Add up costs; a win that furiten forbade counts once, even if several findings concern it."""
    total = 0
    furiten = set()
    for one in found:
        if one.finding.code.startswith("F"):
            furiten.add((one.finding.source, one.finding.hand, one.finding.seat, one.cost))
        else:
            total += one.cost
    return total + sum(cost for *_, cost in furiten)


def _costliest(found: Iterable[Judged], limit: int) -> tuple[Judged, ...]:
    return tuple(sorted(found, key=lambda one: -one.cost)[: limit or None])


def review_lines(
    players: Mapping[str, PlayerReview], *, most_players: int, with_source: bool
) -> Iterator[str]:
    """Yield the findings kept, the player with most points at stake first, and how to see the others.

    ``most_players`` is the maximum number of players, 0 for all; ``with_source`` adds each finding's file.
    """
    ordered = sorted(players.items(), key=lambda item: (-item[1].points, item[0]))
    shown = ordered[:most_players] if most_players else ordered
    hidden, left_out = len(ordered) - len(shown), False
    for name, own in shown:
        left_out |= len(own.mistakes) < own.mistake_count or len(own.notes) < own.note_count
        yield from _player_lines(name, own, with_source)
        yield ""
    if hidden:
        yield f"{plural(hidden, 'more player')}: --player NAME for one, --limit 0 for all."
    if left_out:
        yield "--limit 0 shows everything, --mistakes leaves the notes out."
    if hidden or left_out:
        yield ""


def _player_lines(name: str, own: PlayerReview, with_source: bool) -> Iterator[str]:
    """Yield a player's findings: mistakes, then notes."""
    counts = f"{plural(own.mistake_count, 'mistake')}, {plural(own.note_count, 'note')}"
    yield f"{printable(name)}: {counts}, {own.points:,} points at stake"
    for title, part, count in (
        ("Mistakes", own.mistakes, own.mistake_count),
        ("Notes", own.notes, own.note_count),
    ):
        if part:
            yield f" {title}, {len(part)} of {count:,}" if len(part) < count else f" {title}"
        for one in part:
            yield from _finding_lines(one, with_source)


def _finding_lines(one: Judged, with_source: bool) -> Iterator[str]:
    """Yield the text of a finding, the player's hand, and separately what only the log knows."""
    finding = one.finding
    points = f"{one.cost:,}" if one.cost else "-"
    place = f"{finding.hand} turn {finding.turn}"
    yield f"{points:>{_INDENT - 2}}  {finding.code} {TITLES[finding.code]}, {place}"
    texts = [report.message(finding), *one.hand, *_hindsight(one)]
    if with_source:
        texts.append(f"in {PurePath(finding.source).name or finding.source}")
    for text in texts:
        for line in _wrapped(printable(text), WIDTH - _INDENT):
            yield " " * _INDENT + line


def _hindsight(one: Judged) -> Iterator[str]:
    """Yield the true wait of a deal-in, with hindsight; it does not affect the judgement."""
    hindsight = one.evidence.get("hindsight")
    if hindsight is None:
        return
    words = f"hindsight: the wait was {' '.join(one.evidence['winner_waits'])}"
    others = len(one.evidence["alternatives"])
    if others:
        dealing = len(hindsight["would_have_dealt_in"])
        verb = "deals" if dealing == 1 else "deal"
        words += f"; {dealing or 'none'} of {others} other discards {verb} in too"
    yield words


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
