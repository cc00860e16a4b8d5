"""Which changes of a game are proved: each is tried, and the only one that leaves no contradiction is made.

A change of a hand is proved if, after it,

- the hand, and the scores with which the next hand or the final result goes on, have no finding left, and
  no other hand has a new one;
- no other change that paifu tries does the same, and, unless rules were named, no other value of a rule, nor
  do findings stay elsewhere in the game that other rules may explain;
- what is changed is not all that speaks for it: if the payments change, the next hand or the final scores
  must have those that the engine finds; final points must not add up as they are stated.

What is left is named with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from paifu.replay.comparison.comparing import FactDifference, compare_games
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.context import FindingContext
from paifu.replay.findings.finding import Finding
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.kernels import codes
from paifu.replay.language import N_
from paifu.replay.mending import steps
from paifu.replay.mending.steps import Step, notes_of
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.rules.choices import Scheme
from paifu.replay.rulesets.presets import Changes, Given, RuleError, dump_overrides, ruleset_of
from paifu.replay.table.engine import replay
from paifu.replay.table.replayed import Replay
from paifu.replay.table.rule_alternatives import alternatives

_WAYS: tuple[tuple[Step, ...], ...] = (
    (steps.statements,),
    (steps.starts,),
    (steps.finals,),
    (steps.sticks,),
    (steps.walls,),
    (steps.marks,),
    (steps.reds,),
    (steps.ends,),
    (steps.winning_tile,),
    (steps.indicators,),
    (steps.starts, steps.statements),
    (steps.statements, steps.finals),
    (steps.sticks, steps.statements),
    (steps.walls, steps.statements),
    (steps.winning_tile, steps.statements),
)
"""What is tried, one step after the other."""
_REPEATED = frozenset({steps.statements, steps.starts, steps.finals})
"""Steps that a finding may hide more work from."""
_ROUNDS = 8
_MOST_NOTES = 40
"""Findings of one hand beyond which the record is another one, not this one with a slip."""
_MOST_HANDS = 64
"""Hands that are mended in one game."""
_MOST_OF_WALL = 4
"""Tiles of a hand that may differ from its wall; if more do, the wall is in doubt."""

UNPROVED = N_("no single change that paifu tries leaves the hand without a contradiction")
SEVERAL = N_("more than one change would explain it")
BY_RULES = N_("other rules would explain it: {rules}; name the rules with --rules")
IN_DOUBT = N_("other findings of the game may come from other rules; name the rules with --rules")
NOT_RIICHI = N_("only games of riichi are mended")


@dataclass(frozen=True, slots=True)
class Mend:
    """One fact that was put right."""

    fact: FactDifference
    """Where, and what the record said (``a``) and what it says now (``b``), as ``paifu compare`` lists it."""
    codes: tuple[str, ...]
    """Findings that are gone with it, or with the others of its hand."""


@dataclass(frozen=True, slots=True)
class LeftFinding:
    """A finding that stays, and why."""

    finding: Finding
    reason: str
    rules: str = ""
    """What other rules would explain it."""


@dataclass(slots=True)
class MendedGame:
    """A game of which everything is mended that can be."""

    batch: Batch
    mends: list[Mend] = field(default_factory=list)
    left: list[LeftFinding] = field(default_factory=list)


def mend(game: Batch, *rules: Given) -> MendedGame:
    """Mend what is proved to be wrong in a batch of one game; under ``rules``, if they are given.

    >>> from paifu.parsers.read import read_batches
    >>> (batch,) = read_batches(["sample_logs/broken/V306.mjlog"])
    >>> mended = mend(batch)
    >>> [(one.fact.label, one.fact.fact, one.fact.a, one.fact.b) for one in mended.mends], mended.left
    ([('E1.0', 'wins.fu', '20', '30')], [])
    """
    now = replay(game, *rules)
    done = MendedGame(game)
    if ruleset_of(game, 0).game.scheme != Scheme.HAN_FU:
        done.left = [LeftFinding(in_words(case), NOT_RIICHI) for case in cases(now)]
        return done
    after = _mend_hands(done, now, rules, "")
    if not rules and done.mends and _in_doubt(after):
        done = MendedGame(game)
        _mend_hands(done, now, rules, IN_DOUBT)
    return done


def _mend_hands(done: MendedGame, now: Replay, rules: tuple[Given, ...], doubt: str) -> Replay:
    """Mend hand by hand; with ``doubt``, the reason, only what no rule explains. Returns the game then."""
    reasons: dict[int, tuple[str, str]] = {}
    for _ in range(_MOST_HANDS):
        hands = sorted({note.hand for note in notes_of(now)} - reasons.keys())
        if not hands:
            break
        hand = hands[0]
        search = _HandSearch(now, hand, rules)
        found = (doubt, "") if doubt and search.may_be_rules else search.result()
        if isinstance(found, tuple):
            reasons[hand] = found
            continue
        gone = tuple(sorted({code_of(one.code) for one in _gone(now, found)}))
        changes = compare_games(now.batch, found.batch).differences
        done.mends += [Mend(change, gone) for change in changes]
        now = found
        reasons = {}
    done.batch = now.batch
    done.left = [LeftFinding(in_words(case), *reasons.get(case.hand, (UNPROVED, ""))) for case in cases(now)]
    return now


def _in_doubt(after: Replay) -> bool:
    """Return whether findings stay that other rules may explain: then others may come from them, too."""
    noted = notes_of(after)
    return bool({note.hand for note in noted} - {note.hand for note in noted if note.code in _OF_NO_RULE})


def _gone(before: Replay, after: Replay) -> list[FindingContext]:
    left = {(note.code, note.hand) for note in notes_of(after)}
    return [note for note in notes_of(before) if (note.code, note.hand) not in left]


def _counted(found: Replay, without: int) -> Counter[tuple[int, int, int]]:
    """Return findings of all hands but one, by code, hand and seat."""
    return Counter((note.code, note.hand, note.seat) for note in notes_of(found) if note.hand != without)


class _HandSearch:
    """The changes of one hand that leave nothing to say."""

    def __init__(self, now: Replay, hand: int, rules: tuple[Given, ...]) -> None:
        self.now = now
        self.hand = hand
        self.rules = rules
        self.others = _counted(now, hand)
        self.notes = notes_of(now, hand)

    @property
    def may_be_rules(self) -> bool:
        """Whether some of what is found may come from other rules."""
        return any(note.code not in _OF_NO_RULE for note in self.notes)

    def result(self) -> Replay | tuple[str, str]:
        """Return the game with the only change that explains all, or why there is none."""
        if len(self.notes) > _MOST_NOTES:
            return UNPROVED, ""
        found: list[Replay] = []
        for way in _WAYS:
            for after in self._tried(way):
                if self.explains(after) and self.is_witnessed(after.batch):
                    same = any(not after.batch.differences(one.batch) for one in found)
                    found += [] if same else [after]
        if not found:
            return UNPROVED, ""
        if len(found) > 1:
            return SEVERAL, ""
        other = self.other_rules()
        return (BY_RULES, other) if other else found[0]

    def _tried(self, way: tuple[Step, ...]) -> Iterator[Replay]:
        first, *rest = way
        for batch in first(self.now, self.hand):
            after = replay(batch, *self.rules)
            if first in _REPEATED:
                after = self._repeated(first, after)
            for step in rest:
                before = after
                after = self._repeated(step, after)
                if after is before:
                    break
            else:
                yield after

    def _repeated(self, step: Step, after: Replay) -> Replay:
        """Repeat a step that makes one game of one until it changes nothing more."""
        for _ in range(_ROUNDS):
            batch = next(step(after, self.hand), None)
            if batch is None:
                break
            after = replay(batch, *self.rules)
        return after

    def explains(self, after: Replay) -> bool:
        """Return whether a change leaves nothing to say of the hand, and nothing new of others."""
        if after.checked.stopped > self.now.checked.stopped:
            return False
        for note in notes_of(after):
            if note.hand == self.hand:
                return False
            if note.hand == self.hand + 1 and note.code == codes.CARRIED_SCORE and note.event < 0:
                return False
        return not _counted(after, self.hand) - self.others

    def is_witnessed(self, after: Batch) -> bool:
        """Return whether something else than what changed speaks for a change."""
        if sum(note.code in _OF_WALL for note in self.notes) > _MOST_OF_WALL:
            return False
        before, hand = self.now.batch, self.hand
        is_last = hand + 1 == len(before.hands)
        carried = before.games.final_scores[0] if is_last else before.hands.scores[hand + 1]
        is_carried = not (carried == UNKNOWN_POINTS).any()
        if is_last and (after.games.final_scores != before.games.final_scores).any():
            is_carried = False
        points, others = before.games.final_points[0], after.games.final_points[0]
        if not np.array_equal(points, others, equal_nan=True) and abs((points - others).sum()) < _ROUNDED:
            return False
        for name in ("wins", "hand_draws"):
            mine, theirs = getattr(before, name), getattr(after, name)
            here = mine.hand == hand
            if (mine.deltas[here] != theirs.deltas[here]).any() and not is_carried:
                return False
        won = before.wins.hand == hand
        is_paid = not (before.wins.deltas[won] == UNKNOWN_POINTS).any()
        changed = (before.wins.points[won] != after.wins.points[won]).any()
        return bool(is_carried or is_paid or not changed)

    def other_rules(self) -> str:
        """Return other rules under which there is nothing to say of the hand either; empty for none."""
        if self.rules or not self.may_be_rules:
            return ""
        batch = self.now.batch
        for change in alternatives(self.now.rulesets[0], batch):
            try:
                after = replay(batch, Changes(dump_overrides(change)), player_hands=False)
            except RuleError:
                continue
            if self.explains(after):
                return dump_overrides(change)
        return ""


_ROUNDED = 1e-6
_OF_WALL = frozenset({codes.WALL_DEAL, codes.WALL_DRAW, codes.WALL_INDICATOR})
_OF_NO_RULE = frozenset(
    {
        codes.TILE_NOT_HELD, codes.TSUMOGIRI_FLAG, codes.OUT_OF_TURN, codes.AFTER_END, codes.WALL_DEAL,
        codes.WALL_DRAW, codes.WALL_INDICATOR, codes.DICE, codes.WALL_HASH, codes.WALL_SET,
    }
)  # fmt: skip
"""Findings that no rule explains."""
