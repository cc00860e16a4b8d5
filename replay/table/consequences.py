"""Findings that follow from another finding, and so are not reported: one cause is one finding.

What follows within a transition or a win, the kernels leave out themselves. Here is what shows only when the
whole game has been replayed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from paifu.replay.arrays import I64, Mask
from paifu.replay.course.settlement import HandStart
from paifu.replay.facts.tables import Findings
from paifu.replay.kernels import codes
from paifu.replay.kernels.reasons import ANOTHER_WALL, IN_RIICHI, OTHER_TILES, UNPAID
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.table.stated import DueStart


def without_consequences(
    found: Findings,
    batch: Batch,
    rulesets: Sequence[Ruleset],
    changes: I64,
    due: Mapping[int, DueStart],
    by_sticks: Mapping[int, DueStart],
) -> Findings:
    """Leave out what follows from other findings.

    ``changes``: (wins, 4) what the engine makes of each win; ``due``: how hands were to begin whose start is
    a finding, ``by_sticks`` how they would with the riichi sticks that were due.
    """
    follows = _same_seed(found, batch) | _of_one_hand(found, batch)
    for row in np.flatnonzero(np.isin(found.code, _OF_STICKS)).tolist():
        hand, rules = int(found.hand[row]), rulesets[int(found.game[row])]
        starts = [due[hand].start] if hand in due else []
        if hand in by_sticks:
            # The engine took the sticks that were due; the log goes on with those that it states.
            stated = int(batch.hands.sticks[hand])
            start = by_sticks[hand].start
            starts.append(start._replace(sticks=2 * stated - start.sticks))
        follows[row] |= any(_fits(found, row, batch, rules, changes, start) for start in starts)
    return found.rows(~follows) if follows.any() else found


_AT_ONE_EVENT = {
    codes.WALL_DRAW: (codes.OUT_OF_TURN, codes.AFTER_END),
    codes.WALL_INDICATOR: (codes.KAN_DORA,),
    codes.TENPAI: (codes.ILLEGAL_DRAW,),
    codes.NAGASHI: (codes.ILLEGAL_DRAW,),
    codes.NOTEN_PAYMENT: (codes.ILLEGAL_DRAW, codes.NAGASHI),
}
"""What follows -> from what, at the same event."""
_IN_ONE_HAND = {
    codes.STATED_HONBA: (codes.SEVERAL_WINS,),
    codes.STATED_STICKS: (codes.SEVERAL_WINS,),
    codes.GAME_END: (codes.ILLEGAL_DRAW, codes.NO_WINNING_HAND, codes.AFTER_END),
    codes.FINAL_RESULT: (codes.ILLEGAL_DRAW, codes.NO_WINNING_HAND, codes.AFTER_END, codes.GAME_END),
}
"""Likewise in the same hand: who takes honba and sticks, and what comes after an end that cannot be."""
_OF_THE_START = (codes.CARRIED_SCORE, codes.ROUND_OR_DEALER, codes.HONBA, codes.STICKS)


def _of_one_hand(found: Findings, batch: Batch) -> Mask:
    """(findings,) what follows from another finding by its place alone."""
    follows = np.zeros(len(found), np.bool_)
    codes_, hands, events = found.code.tolist(), found.hand.tolist(), found.event.tolist()
    seats, reasons, games = found.seat.tolist(), found.reason.tolist(), batch.hands.game
    at_event: dict[tuple[int, int], set[int]] = {}
    in_hand: dict[int, set[int]] = {}
    for code, hand, event, expected in zip(codes_, hands, events, found.expected.tolist(), strict=True):
        if code == codes.ILLEGAL_DRAW and expected:
            continue  # the hand goes on
        at_event.setdefault((hand, event), set()).add(code)
        in_hand.setdefault(hand, set()).add(code)
    dealt: set[int] = set()
    locked: set[tuple[int, int]] = set()
    plain = {
        (hand, event)
        for code, hand, event, reason in zip(codes_, hands, events, reasons, strict=True)
        if code == codes.NO_WINNING_HAND and reason != OTHER_TILES
    }
    for row in np.lexsort((found.event, found.hand)).tolist():
        code, hand, event, seat = codes_[row], hands[row], events[row], seats[row]
        causes = at_event.get((hand, event), set()) & set(_AT_ONE_EVENT.get(code, ()))
        causes |= in_hand[hand] & set(_IN_ONE_HAND.get(code, ())) if hand in in_hand else set()
        if code in _OF_THE_START and event < 0 and hand and games[hand - 1] == games[hand]:
            causes |= in_hand.get(hand - 1, set()) & set(_IN_ONE_HAND[codes.GAME_END])
        if code == codes.ILLEGAL_RIICHI:
            # An illegal riichi does not bind, and one breach says enough.
            follows[row] = reasons[row] == IN_RIICHI and (hand, seat) in locked
            locked.add((hand, seat))
        elif code == codes.WALL_DEAL:
            follows[row] = hand in dealt
            dealt.add(hand)
        elif code == codes.NO_WINNING_HAND:
            follows[row] = reasons[row] == OTHER_TILES and (hand, event) in plain
        follows[row] |= bool(causes)
    return follows


def starts_by_sticks(found: Findings, batch: Batch, rulesets: Sequence[Ruleset]) -> dict[int, DueStart]:
    """Return by hand how it would begin if the riichi sticks paid in it were those that were due (V208).

    Scores and sticks that the log states after such a finding may follow from the sticks that it states, or
    from those that were due.
    """
    hands, every = batch.hands, dict[int, DueStart]()
    rows = np.flatnonzero((found.code == codes.RIICHI_STICK) & (found.seat < NO_SEAT))
    for row in rows.tolist():
        hand, seat = int(found.hand[row]), int(found.seat[row])
        paid = 1 if found.reason[row] == UNPAID else -1
        before = every.get(hand)
        if before is None:
            before = DueStart(HandStart.of(hands, hand), tuple(hands.scores[hand].tolist()))
        scores = list(before.scores)
        scores[seat] -= paid * rulesets[int(hands.game[hand])].riichi.riichi_stick
        every[hand] = DueStart(before.start._replace(sticks=before.start.sticks + paid), tuple(scores))
    return every


_OF_STICKS = (codes.PAYMENT, codes.STATED_HONBA, codes.STATED_STICKS)
"""Findings at a win that may follow from other honba or sticks at the start."""


def _same_seed(found: Findings, batch: Batch) -> Mask:
    """(findings,) whether the hand before had another wall than the same seed makes, too."""
    follows = np.zeros(len(found), np.bool_)
    rows = np.flatnonzero((found.code == codes.WALL_DEAL) & (found.reason == ANOTHER_WALL))
    hands = found.hand[rows]
    strange = set(hands.tolist())
    for row, hand in zip(rows.tolist(), hands.tolist(), strict=True):
        is_in_game = hand - 1 in strange and batch.hands.game[hand - 1] == batch.hands.game[hand]
        follows[row] = is_in_game and not batch.hands.seed[hand]
    return follows


def _fits(found: Findings, row: int, batch: Batch, rules: Ruleset, changes: I64, start: HandStart) -> bool:
    """Return whether a finding at a win is none under the honba and sticks that were due."""
    hands, wins, hand, event = batch.hands, batch.wins, int(found.hand[row]), int(found.event[row])
    honba = start.honba - int(hands.honba[hand])
    sticks = start.sticks - int(hands.sticks[hand])
    if found.code[row] != codes.PAYMENT:
        more = honba if found.code[row] == codes.STATED_HONBA else sticks
        return bool(more and found.actual[row] == found.expected[row] + more)
    win = int(wins.event.searchsorted(event))
    if win == len(wins) or wins.event[win] != event or UNKNOWN_POINTS in wins.deltas[win]:
        return False
    # Who pays honba depends on how the hand was won: the winner's gain and the sum show them.
    differs = wins.deltas[win] - changes[win]
    laid = sticks * rules.riichi.riichi_stick
    paid = int(differs[wins.seat[win]]) - laid
    return int(differs.sum()) == laid and paid in {
        payers * honba * rules.payment.honba_each for payers in range(1, rules.table.players)
    }
