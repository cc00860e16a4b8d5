"""The mutation program: changes genuine games one fact at a time and looks whether the engine finds it.

For each kind of change some hands are drawn at random that have such a fact; a copy of the game is changed
there, replayed, and its findings are held against what the kind expects. Nothing but the expected code and
the listed consequences may be found.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import mutations_of_ends
import mutations_of_games
import mutations_of_moves
import numpy as np
from mutation_places import KINDS, Kind, NotHereError, Place
from sheets import Sheet

from paifu.replay.model.batch import Batch
from paifu.replay.model.events import HandEnd
from paifu.replay.table.engine import replay

__all__ = ["KINDS", "MODULES", "Outcome", "run"]

MODULES = (mutations_of_moves, mutations_of_ends, mutations_of_games)
"""Their import declares the kinds."""
WALL = frozenset((601, 602, 603, 604))
_TRIES = 60
"""Hands that are looked at, for each place wanted, before a kind is given up."""
_GAMES_AT_ONCE = 400


@dataclass
class Outcome:
    """What became of one kind of change, with or without the seed."""

    kind: Kind
    has_wall: bool
    places: int = 0
    detected: int = 0
    hits: Counter[int] = field(default_factory=Counter)
    """Expected codes, and how often each was found."""
    missed: list[str] = field(default_factory=list)
    """Where nothing, or something else, was found."""
    extra: Counter[int] = field(default_factory=Counter)
    """Codes that are neither expected nor consequences."""
    extras: list[str] = field(default_factory=list)
    """Where they were found."""

    def row(self) -> str:
        """One line of the table."""
        codes = "/".join(f"V{code}" for code in self.kind.codes)
        extra = " ".join(f"V{code}:{count}" for code, count in sorted(self.extra.items()))
        share = f"{100 * self.detected / self.places:.0f}%" if self.places else "-"
        wall = "wall" if self.has_wall else "no wall"
        return f"{self.kind.name:<58} {codes:<24} {wall:<8} {self.places:>5} {share:>5}  {extra}"


@dataclass(frozen=True)
class _Changed:
    outcome: Outcome
    batch: Batch
    hand: int
    """The hand, within the game, in which the finding is due."""
    place: str


def run(batch: Batch, places: int, *, kinds: Iterable[Kind] = KINDS, seed: int = 1) -> list[Outcome]:
    """Change and replay up to ``places`` hands of ``batch``, which must be clean, for each kind."""
    outcomes: list[Outcome] = []
    waiting: list[_Changed] = []
    for number, kind in enumerate(kinds):
        walls = {"kept": (True,), "both": (True, False), "gone": (False,)}[kind.wall]
        for has_wall in walls:
            outcome = Outcome(kind, has_wall)
            outcomes.append(outcome)
            waiting += _changed(batch, outcome, places, random.Random(f"{seed} {number} {kind.name}"))  # noqa: S311
            if len(waiting) >= _GAMES_AT_ONCE:
                _judge(waiting)
                waiting = []
    _judge(waiting)
    return outcomes


def _changed(batch: Batch, outcome: Outcome, wanted: int, rng: random.Random) -> list[_Changed]:
    """Change up to ``wanted`` hands, each in a game of its own."""
    kind, found = outcome.kind, []
    hands = kind.where(batch)
    if kind.sanma is not None:
        hands = hands[(batch.games.players[batch.hands.game[hands]] == 3) == kind.sanma]
    chosen = rng.sample(hands.tolist(), min(len(hands), _TRIES * wanted))
    for hand in chosen:
        if len(found) == wanted:
            break
        game = int(batch.hands.game[hand])
        if batch.hands.end[hand] == HandEnd.UNFINISHED or batch.games.is_cut[game]:
            continue
        sheet = Sheet.of(batch, game)
        place = Place(sheet, hand - int(batch.games.hand_begin[game]), rng)
        if not outcome.has_wall:
            sheet.forget_the_wall()
        try:
            kind.change(place)
        except NotHereError:
            continue
        where = f"{batch.games.source[game]} hand {place.number}"
        found.append(_Changed(outcome, sheet.batch(), place.number + kind.in_next, where))
    return found


def _judge(changed: list[_Changed]) -> None:
    """Replay changed games and sort their findings into the outcomes."""
    if not changed:
        return
    batch = Batch.concatenate([one.batch for one in changed])
    findings = replay(batch).findings
    begins = np.searchsorted(findings.game, np.arange(len(changed) + 1))
    for game, one in enumerate(changed):
        rows = range(begins[game], begins[game + 1])
        first_hand = int(batch.games.hand_begin[game])
        found = [
            (int(findings.hand[i]) - first_hand, int(findings.event[i]), int(findings.code[i])) for i in rows
        ]
        _judge_game(one, found)


def _judge_game(one: _Changed, found: list[tuple[int, int, int]]) -> None:
    """Judge the findings, (hand, event, code), of one changed game."""
    outcome, kind = one.outcome, one.outcome.kind
    betrayed = WALL if kind.wall == "both" and outcome.has_wall else frozenset()
    due = set(kind.codes) | betrayed
    hits = [event for hand, event, code in found if hand == one.hand and code in due]
    outcome.hits.update({code for hand, _, code in found if hand == one.hand and code in due})
    outcome.places += 1
    outcome.detected += bool(hits)
    if not hits:
        outcome.missed.append(f"{one.place}: {found[:5]}")
    for hand, event, code in found:
        expected = hand == one.hand and code in due
        near = one.hand - kind.in_next <= hand <= one.hand + 1
        follows = (code in kind.then and near) or code in kind.everywhere
        spoilt = kind.spoils and hits and hand == one.hand and event >= min(hits)
        if not (expected or follows or spoilt):
            outcome.extra[code] += 1
            outcome.extras.append(f"{one.place}: {(hand, event, code)} of {found[:6]}")
