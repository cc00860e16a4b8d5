"""Scores, honba and sticks that a log repeats inside a hand, against what its beginning makes of them.

A log states the scores at a hand's start, and may state them again with every riichi stick that is paid and
before the payments of its end. The three follow from each other without a replay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I64
from paifu.replay.course.fouls import StatedFoul
from paifu.replay.course.settlement import HandStart
from paifu.replay.facts.tables import Findings
from paifu.replay.kernels import codes
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, RULING_SHIFT, EventFlag, EventKind
from paifu.replay.rules.choices import Consequence
from paifu.replay.rules.ruleset import Ruleset

_SOON = 8
"""Events within which a riichi is paid: its discard, and fouls or players who leave between."""


class DueStart(NamedTuple):
    """How a hand was to begin, where its log has it otherwise."""

    start: HandStart
    scores: tuple[int, ...]
    """Empty where they are not known."""


class Ledger:
    """The sticks that were paid, for riichi and as deposits, and the scores they leave, at every point."""

    def __init__(self, batch: Batch, rulesets: Sequence[Ruleset]) -> None:
        """``rulesets`` are by game."""
        events = batch.events
        self.hands = batch.hands
        self.stick = np.array([rules.riichi.riichi_stick for rules in rulesets], np.int64)
        """What a riichi costs, by game."""
        at = np.flatnonzero(events.kind == EventKind.FOUL)
        of_hand = np.searchsorted(batch.hands.event_begin, at, side="right") - 1
        self.fouls = [
            (event, hand, foul_at(batch, event))
            for event, hand in zip(at.tolist(), of_hand.tolist(), strict=True)
        ]
        """The fouls that are stated, each with its event and hand."""
        deposits = {}
        for event, hand, foul in self.fouls:
            rules = rulesets[batch.hands.game[hand]]
            if foul.cost(rules) == Consequence.DEPOSIT:
                deposits[event] = rules.fouls.deposit_sticks
        self._at = np.flatnonzero(events.kind == EventKind.RIICHI_PAID)
        sticks = deposits | sticks_of_open_riichi(batch, rulesets)
        if deposits:
            self._at = np.sort(np.concatenate([self._at, list(deposits)]))
        paid = np.zeros((len(self._at) + 1, 4), np.int64)
        paid[np.arange(1, len(paid)), events.seat[self._at]] = (
            [sticks.get(event, 1) for event in self._at.tolist()] if sticks else 1
        )
        self._paid = paid.cumsum(axis=0)

    def paid(self, hands: npt.NDArray[Any], events: npt.NDArray[Any]) -> I64:
        """Return (n, 4): sticks paid by each seat from the beginning of ``hands`` to ``events``, included."""
        first = np.searchsorted(self._at, self.hands.event_begin[hands])
        paid: I64 = self._paid[np.searchsorted(self._at, events, side="right")] - self._paid[first]
        return paid

    def scores(self, hands: npt.NDArray[Any], events: npt.NDArray[Any]) -> I64:
        """Return (n, 4): scores at ``events`` of ``hands``, no end of a hand paid yet."""
        stick = self.stick[self.hands.game[hands], None]
        scores: I64 = self.hands.scores[hands] - stick * self.paid(hands, events)
        return scores


def sticks_of_open_riichi(batch: Batch, rulesets: Sequence[Ruleset]) -> dict[int, int]:
    """Return the sticks of riichi declared with the hand shown, by the event that pays them.

    ``rulesets`` are by game.
    """
    events, sticks = batch.events, {}
    for at in np.flatnonzero((events.kind == EventKind.RIICHI) & (events.flags == EventFlag.OPEN)).tolist():
        after = events.kind[at + 1 : at + _SOON] == EventKind.RIICHI_PAID
        event = at + 1 + int(after.argmax())
        if after.any() and events.seat[event] == events.seat[at]:
            rules = rulesets[int(np.searchsorted(batch.games.event_end, at, side="right"))]
            sticks[event] = rules.riichi.open_riichi_sticks
    return sticks


def foul_at(batch: Batch, event: int) -> StatedFoul:
    """Return the foul of an event."""
    events = batch.events
    return StatedFoul(
        int(events.seat[event]), int(events.tile[event]), int(events.flags[event]) >> RULING_SHIFT
    )


def check_stated(batch: Batch, ledger: Ledger, due: Mapping[int, DueStart]) -> Findings:
    """Compare what is stated with a riichi (V208) and at a hand's end (V501; of a draw also V402, V403).

    ``due``: how hands were to begin whose start is a finding already. What fits that start is none.
    """
    riichi, wins, draws, hands = batch.riichi_scores, batch.wins, batch.hand_draws, batch.hands
    riichi_hand = np.searchsorted(hands.event_begin, riichi.event, side="right") - 1
    after_riichi = ledger.scores(riichi_hand, riichi.event)
    before_win = ledger.scores(wins.hand, wins.event) + _won_before(batch)
    due_scores, due_honba, due_sticks = _due_starts(batch, due)
    before_draw = ledger.scores(draws.hand, draws.event)
    sticks = hands.sticks[draws.hand] + ledger.paid(draws.hand, draws.event).sum(axis=1)
    return _differing(
        batch, codes.RIICHI_STICK, riichi_hand, riichi.event, after_riichi, riichi.scores, due_scores
    ).concatenated(
        [
            _differing(
                batch, codes.CARRIED_SCORE, wins.hand, wins.event, before_win, wins.scores, due_scores
            ),
            _differing(
                batch, codes.CARRIED_SCORE, draws.hand, draws.event, before_draw, draws.scores, due_scores
            ),
            _differing(
                batch,
                codes.STATED_HONBA,
                draws.hand,
                draws.event,
                hands.honba[draws.hand],
                draws.honba,
                due_honba,
            ),
            _differing(batch, codes.STATED_STICKS, draws.hand, draws.event, sticks, draws.sticks, due_sticks),
        ]
    )


def _due_starts(batch: Batch, due: Mapping[int, DueStart]) -> tuple[I64, I64, I64]:
    """(hands, 4) and twice (hands,): how much more scores, honba and sticks at the start should have been."""
    hands = batch.hands
    scores = np.zeros((len(hands), 4), np.int64)
    honba, sticks = np.zeros(len(hands), np.int64), np.zeros(len(hands), np.int64)
    for hand, one in due.items():
        seats = len(one.scores)
        scores[hand, :seats] = np.array(one.scores, np.int64) - hands.scores[hand, :seats]
        honba[hand] = one.start.honba - hands.honba[hand]
        sticks[hand] = one.start.sticks - hands.sticks[hand]
    return scores, honba, sticks


def _won_before(batch: Batch) -> I64:
    """(wins, 4): what the winners before each one of the same hand changed."""
    wins = batch.wins
    total = np.zeros((len(wins) + 1, 4), np.int64)
    np.cumsum(wins.deltas, axis=0, dtype=np.int64, out=total[1:])
    before: I64 = total[:-1] - total[np.searchsorted(wins.hand, wins.hand)]
    return before


def _differing(
    batch: Batch,
    code: int,
    hand: npt.NDArray[Any],
    event: npt.NDArray[Any],
    expected: npt.NDArray[Any],
    actual: npt.NDArray[Any],
    due: npt.NDArray[Any],
) -> Findings:
    """Findings where (n,) numbers, or (n, 4) points by seat, differ; of points the first seat's.

    ``due``: by hand, how much more would fit, too.
    """
    fits = actual == expected + due[hand]
    by_seat = expected.ndim == 2
    if by_seat:
        known = (actual != UNKNOWN_POINTS).all(axis=1) & (abs(expected) < -UNKNOWN_POINTS // 2).all(axis=1)
        differs = (expected != actual) & (known & ~fits.all(axis=1))[:, None]
        rows = np.flatnonzero(differs.any(axis=1))
        seat = differs[rows].argmax(axis=1)
        expected, actual = expected[rows, seat], actual[rows, seat]
    else:
        rows = np.flatnonzero((expected != actual) & (actual >= 0) & ~fits)
        seat = np.full(len(rows), NO_SEAT)
        expected, actual = expected[rows], actual[rows]
    return Findings.filled(
        len(rows),
        code=code,
        game=batch.hands.game[hand[rows]],
        hand=hand[rows],
        event=event[rows],
        seat=seat,
        expected=expected,
        actual=actual,
    )
