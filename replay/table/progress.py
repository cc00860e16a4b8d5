"""From one hand to the next: scores, dealer, honba, sticks, and the end of the game (family V5)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from paifu.replay.arrays import I64
from paifu.replay.course.chips import chips_of_wins
from paifu.replay.course.fouls import StatedFoul, costs_of_hand, deposits_of, is_small_end, penalties
from paifu.replay.course.settlement import (
    HANDS_A_WIND,
    FinalResult,
    HandOutcome,
    HandStart,
    OutcomeKind,
    endings,
    final_result,
    is_replayed,
    next_hand,
    starting_scores,
    sticks_after_win,
)
from paifu.replay.facts.tables import Findings
from paifu.replay.kernels import codes
from paifu.replay.kernels.rows import SCORED
from paifu.replay.model.batch import NOT_STATED, UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rules.choices import Nagashi
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.log_rules import OWN_SETTLEMENT
from paifu.replay.table.plain_progress import plain_hands, plain_starts
from paifu.replay.table.stated import Ledger

_Row = tuple[int, int, int, int, int, int]
"""Code, game, hand, seat, expected, actual."""


def check_progress(
    batch: Batch, rulesets: Sequence[Ruleset], ledger: Ledger, tenpai: I64, scored: I64
) -> tuple[Findings, int, int]:
    """Check what follows from hand to hand; returns findings, hands carried over, and finals checked.

    ``rulesets`` are by game, ``tenpai`` by hand: the seats (bits) tenpai at an exhaustive draw, -1 where
    the hand could not be followed so far, ``scored`` rows of ``ScoredWins``. A hand without an end in the
    middle of a game is V101, part of the log is missing, unless a fault has told what could not be read.
    """
    games = batch.games
    ends = Ends(batch, ledger, scored)
    rows: list[_Row] = []
    plain = plain_hands(batch, rulesets, ends.after, ends.sticks, ends.known, tenpai, ends.claimed)
    others = np.flatnonzero(~plain).tolist()
    begins, ended = games.hand_begin.tolist(), games.hand_end.tolist()
    dealers = games.deals_first.tolist()
    for game in np.flatnonzero(~plain_starts(batch, rulesets) & (games.hand_end > games.hand_begin)).tolist():
        rows += _first(batch, game, rulesets[game], dealers[game])
    carried, finals = int(plain.sum()), 0
    faulty = set(batch.faults.source.tolist())
    for game, some in groupby(others, batch.hands.game.__getitem__):
        begin, end, first_dealer, rules = begins[game], ended[game], dealers[game], rulesets[game]
        for hand in some:
            is_last = hand + 1 == end
            if ends.kind[hand] in (HandEnd.UNFINISHED, HandEnd.UNKNOWN_DRAW):
                is_gap = ends.kind[hand] == HandEnd.UNFINISHED and not is_last
                is_gap &= games.source[game] not in faulty
                rows += [(codes.UNREADABLE, game, hand, NO_SEAT, 1, 0)] * is_gap
                continue
            start, outcomes, scores = ends.of(hand, int(tenpai[hand]), rules)
            if scores is None:
                carried += not is_last
                rows += [] if is_last else _unscored(batch, game, hand, rules, start, outcomes)
                continue
            scores = scores[: rules.table.players]
            outcome = outcomes[0]
            if len(outcomes) > 1:
                outcome = _likely(
                    rules, start, outcomes, scores, first_dealer, None if is_last else _where(batch, hand + 1)
                )
            may_follow = endings(rules, start, outcome, scores, first_dealer, hand + 1 - begin)
            if not is_last:
                carried += 1
                due = next_hand(rules, start, outcome)
                if due != ends.start(hand + 1) or scores != ends.begun(hand + 1)[: rules.table.players]:
                    rows += _carried(batch, game, hand, due, scores)
                if None not in may_follow:
                    rows.append((codes.GAME_END, game, hand, NO_SEAT, 1, 0))
            elif games.final_scores[game, 0] != UNKNOWN_POINTS:
                finals += 1
                if may_follow == (None,):
                    rows.append((codes.GAME_END, game, hand, NO_SEAT, 0, 1))
                every = range(begin, end)
                result = ends.result(every, rules, scores, outcome.sticks, first_dealer)
                settles = games.go_type[game] < 0 or not games.go_type[game] & OWN_SETTLEMENT
                rows += _final(batch, game, hand, result, has_points=settles)
    return _findings(rows), carried, finals


def _where(batch: Batch, hand: int) -> tuple[int, int]:
    """Return round and dealer of a hand."""
    return int(batch.hands.round[hand]), int(batch.hands.dealer[hand])


def _likely(
    rules: Ruleset,
    start: HandStart,
    outcomes: Sequence[HandOutcome],
    scores: Sequence[int],
    first_dealer: int,
    found: tuple[int, int] | None,
) -> HandOutcome:
    """Choose the outcome that explains the hand found next, or (none) the end of the game; else the first.

    Who was tenpai may be stated otherwise than it was. That is a finding of its own, not one of what follows.
    """
    for outcome in outcomes:
        if found is None:
            fits = endings(rules, start, outcome, scores, first_dealer) != (None,)
        else:
            due = next_hand(rules, start, outcome)
            fits = (due.round, due.dealer) == found
        if fits:
            return outcome
    return outcomes[0]


class Ends:
    """How each hand ended, as the log claims."""

    def __init__(self, batch: Batch, ledger: Ledger, scored: I64 | None = None) -> None:
        """``scored`` are rows of ``ScoredWins``: chips need them, and rewards for the dealer's wins."""
        hands = batch.hands
        self._scored, self._liable = scored, batch.wins.liable
        self.kind = hands.end.tolist()
        every, last = np.arange(len(hands)), hands.event_end - 1
        self.change = np.zeros((len(hands), 4), np.int64)
        self.known = (hands.scores != UNKNOWN_POINTS).all(axis=1)
        for claims in (batch.wins, batch.hand_draws):
            np.add.at(self.change, claims.hand, claims.deltas.astype(np.int64))
            self.known[claims.hand[(claims.deltas == UNKNOWN_POINTS).any(axis=1)]] = False
        self.claimed = np.full(len(hands), -1, np.int64)
        draws = batch.hand_draws
        self.claimed[draws.hand] = (draws.tenpai == 1) @ (1 << np.arange(4))
        self.claimed[draws.hand[draws.tenpai[:, 0] == NOT_STATED]] = -1
        wins = batch.wins
        self._winner, self._source = wins.seat.tolist(), wins.source.tolist()
        self._begin = np.searchsorted(wins.hand, np.arange(len(hands) + 1)).tolist()
        """By hand, and of one more: its first win."""
        self._gained: dict[int, list[int]] = {}
        """By hand with a nagashi mangan: those who gained by it."""
        for row in np.flatnonzero(draws.kind == HandEnd.NAGASHI):
            self._gained[int(draws.hand[row])] = np.flatnonzero(draws.deltas[row] > 0).tolist()
        self.offender = np.full(len(hands), NO_SEAT, np.int64)
        """By hand; whose foul ended it."""
        is_foul = draws.kind == HandEnd.CHOMBO
        self.offender[draws.hand[is_foul]] = batch.events.seat[draws.event[is_foul]]
        self._hands = hands
        self._ruled = batch.games.penalties
        self._fouls: dict[int, list[StatedFoul]] = {}
        """By hand with fouls that the log states."""
        for _, hand, foul in ledger.fouls:
            self._fouls.setdefault(hand, []).append(foul)
        self.after = ledger.scores(every, last) + self.change
        """(hands, 4)."""
        self.paid = ledger.paid(every, last)
        """(hands, 4) whether each seat has paid a riichi stick."""
        self.sticks = hands.sticks + self.paid.sum(axis=1)

    def start(self, hand: int) -> HandStart:
        """Return where a hand begins."""
        hands = self._hands
        return HandStart(
            int(hands.round[hand]), int(hands.honba[hand]), int(hands.sticks[hand]), int(hands.dealer[hand])
        )

    def begun(self, hand: int) -> list[int]:
        """Return the scores at the beginning of a hand."""
        scores: list[int] = self._hands.scores[hand].tolist()
        return scores

    def is_won(self, hand: int, rules: Ruleset) -> bool:
        """Return whether a hand ended in a win; a nagashi mangan is one or a draw, as the rules say."""
        kind = self.kind[hand]
        return bool(kind == HandEnd.WIN or (kind == HandEnd.NAGASHI and rules.draw.nagashi == Nagashi.WIN))

    def is_rewarded(self, hand: int) -> bool:
        """Return whether the dealer's win earned the yaku for wins in a row, as far as it was scored."""
        if self._scored is None:
            return False
        wins = self._scored[self._begin[hand] : self._begin[hand + 1], SCORED.situation]
        return bool((wins & Situation.THIRTEENTH).any())

    def sticks_after(self, hand: int, rules: Ruleset, winners: Sequence[int]) -> int:
        """Return the sticks that lie on the table after a hand that these seats won."""
        deposits = deposits_of(rules, self._fouls.get(hand, ()))
        in_riichi = any(self.paid[hand, seat] > deposits.get(seat, 0) for seat in winners)
        return sticks_after_win(rules, int(self.sticks[hand]), in_riichi)

    def winners(self, hand: int, rules: Ruleset) -> tuple[int, ...]:
        """Return who won a hand, of several the one next after the discarder first."""
        if self.kind[hand] == HandEnd.WIN:
            begin, end = self._begin[hand], self._begin[hand + 1]
            if end - begin < 2:
                return tuple(self._winner[begin:end])
            source = self._source[begin]
            return tuple(sorted(self._winner[begin:end], key=lambda seat: (seat - source) % 4))
        return tuple(self._gained.get(hand, ())) if self.is_won(hand, rules) else ()

    def winners_of(self, hands: range, rules: Ruleset) -> list[int]:
        """Return who won several hands, in order."""
        return [seat for hand in hands for seat in self.winners(hand, rules)]

    def chips_of(self, hands: range, rules: Ruleset) -> list[int]:
        """Return the chips that each seat has won or paid in several hands."""
        wins = slice(self._begin[hands.start], self._begin[hands.stop])
        if self._scored is None:
            raise ValueError("chips follow from scored wins, which were not given")
        return chips_of_wins(rules, self._scored[wins], self._liable[wins].tolist())

    def ron(self, hand: int, rules: Ruleset) -> tuple[int, int] | None:
        """Return the winner, of several the nearest, and the discarder of a hand won by ron."""
        begin = self._begin[hand]
        if begin == self._begin[hand + 1] or self._winner[begin] == self._source[begin]:
            return None
        return self.winners(hand, rules)[0], self._source[begin]

    def result(
        self, hands: range, rules: Ruleset, scores: Sequence[int], sticks: int, first_dealer: int
    ) -> FinalResult:
        """Return the result of a game of ``hands`` that ends with these scores, and sticks on the table."""
        return final_result(
            rules,
            scores,
            self.winners_of(hands, rules) if rules.final.yakitori_points else (),
            sticks=sticks,
            first_dealer=first_dealer,
            penalties=self.penalties_of(hands, rules),
            chips=self.chips_of(hands, rules) if rules.chips.chip_points else (),
            ron=self.ron(hands[-1], rules) if rules.final.tobi_prize else None,
        )

    def penalties_of(self, hands: range, rules: Ruleset) -> list[int]:
        """Return the points by seat that fouls of a game's hands take off its result; none for no fouls."""
        ruled = self._ruled[self._hands.game[hands.start]].tolist()
        ended = self.offender[hands.start : hands.stop] < rules.table.players
        if not (ended.any() or any(ruled) or self._fouls):
            return []
        costs = []
        for hand in hands:
            offender = int(self.offender[hand])
            costs += costs_of_hand(
                rules, self._fouls.get(hand, ()), offender if offender < rules.table.players else None
            )
        return penalties(rules, costs, ruled)

    def of(
        self, hand: int, tenpai: int, rules: Ruleset
    ) -> tuple[HandStart, list[HandOutcome], list[int] | None]:
        """Return where a hand began, how it may have ended, and the scores after it if the log states them.

        ``tenpai`` are the seats (bits) that were tenpai, -1 if that is not known. What the log claims of them
        comes second; where neither is known, all may have been or nobody.
        """
        start = self.start(hand)
        kind = self.kind[hand]
        scores = self.after[hand].tolist() if self.known[hand] else None
        if self.is_won(hand, rules):
            winners = self.winners(hand, rules)
            left = self.sticks_after(hand, rules, winners)
            rewarded = self.is_rewarded(hand)
            return start, [HandOutcome(OutcomeKind.WIN, winners, sticks=left, is_rewarded=rewarded)], scores
        sticks = int(self.sticks[hand])
        sort = OutcomeKind.EXHAUSTIVE
        offender, is_small = int(self.offender[hand]), False
        if kind == HandEnd.CHOMBO:
            sort, is_small = OutcomeKind.FOUL, is_small_end(rules, self._fouls.get(hand, ()))
            is_again = is_replayed(rules, HandOutcome(sort, is_small=is_small))
            sticks = start.sticks if is_again else sticks
        elif kind not in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI):
            return start, [HandOutcome(OutcomeKind.ABORTIVE, sticks=sticks, abort=HandEnd(kind))], scores
        sets = {seats: None for seats in (tenpai, int(self.claimed[hand])) if seats >= 0} or {
            0: None,
            15: None,
        }
        ready = [tuple(seat for seat in range(4) if seats >> seat & 1) for seats in sets]
        outcomes = [
            HandOutcome(sort, tenpai=seats, sticks=sticks, offender=offender, is_small=is_small)
            for seats in ready
        ]
        return start, outcomes, scores


def _first(batch: Batch, game: int, rules: Ruleset, first_dealer: int) -> list[_Row]:
    """Check where a game begins: a whole log with the first hand, where all have the same points.

    How many these are, a private table settles without a word in its logs, unless the rules give each seat
    its own. A log that does not state the game's end either may begin anywhere, but its dealer follows from
    the round.
    """
    hands, hand = batch.hands, int(batch.games.hand_begin[game])
    rows: list[_Row] = []
    start = int(hands.round[hand]), int(hands.honba[hand])
    dealer = (first_dealer + start[0] % HANDS_A_WIND) % rules.table.players
    if dealer != hands.dealer[hand]:
        rows.append(
            (codes.ROUND_OR_DEALER, game, hand, int(hands.dealer[hand]), dealer, int(hands.dealer[hand]))
        )
    if start != (0, 0) and batch.games.final_scores[game, 0] == UNKNOWN_POINTS:
        return rows
    for code, actual in (
        (codes.ROUND_OR_DEALER, start[0]), (codes.HONBA, start[1]), (codes.STICKS, int(hands.sticks[hand])),
    ):  # fmt: skip
        if actual:
            rows.append((code, game, hand, NO_SEAT, 0, actual))
    scores = hands.scores[hand, : rules.table.players].tolist()
    is_uneven = len(set(scores)) > 1 or bool(rules.table.start_points_by_seat)
    wrong = [
        (codes.CARRIED_SCORE, game, hand, seat, start, scores[seat])
        for seat, start in enumerate(starting_scores(rules, first_dealer))
        if is_uneven and scores[seat] != start and UNKNOWN_POINTS not in scores
    ]
    return rows + wrong[:1]


def _unscored(
    batch: Batch, game: int, hand: int, rules: Ruleset, start: HandStart, outcomes: Sequence[HandOutcome]
) -> list[_Row]:
    """Compare a hand's start with what the hand before makes of it, whose scores at the end are not known."""
    every = [_carried(batch, game, hand, next_hand(rules, start, outcome)) for outcome in outcomes]
    return min(every, key=len)


def _carried(batch: Batch, game: int, hand: int, due: HandStart, scores: Sequence[int] = ()) -> list[_Row]:
    """Compare a hand's start with what the hand before makes of it."""
    hands, after = batch.hands, hand + 1
    rows: list[_Row] = []
    dealer = int(hands.dealer[after])
    for code, seat, expected, actual in (
        (codes.ROUND_OR_DEALER, NO_SEAT, due.round, int(hands.round[after])),
        (codes.ROUND_OR_DEALER, dealer, due.dealer, dealer),
        (codes.HONBA, NO_SEAT, due.honba, int(hands.honba[after])),
        (codes.STICKS, NO_SEAT, due.sticks, int(hands.sticks[after])),
    ):
        if expected != actual:
            rows.append((code, game, after, seat, expected, actual))
    for seat, score in enumerate(scores):
        stated = int(hands.scores[after, seat])
        if score != stated != UNKNOWN_POINTS:
            rows.append((codes.CARRIED_SCORE, game, after, seat, score, stated))
            break
    return rows


def _final(batch: Batch, game: int, hand: int, result: FinalResult, *, has_points: bool) -> list[_Row]:
    """Compare the final scores, and the points where the rules say how they are settled."""
    rows: list[_Row] = []
    points = batch.games.final_points[game] if has_points else np.full(4, np.nan)
    for seat in range(len(result.scores)):
        claimed = int(batch.games.final_scores[game, seat])
        if result.scores[seat] != claimed != UNKNOWN_POINTS:
            rows.append((codes.FINAL_RESULT, game, hand, seat, result.scores[seat], claimed))
            break
        if not np.isnan(points[seat]) and result.points[seat] != round(1000 * float(points[seat])):
            rows.append(
                (codes.FINAL_RESULT, game, hand, seat, result.points[seat], round(1000 * float(points[seat])))
            )
            break
    return rows


def _findings(rows: list[_Row]) -> Findings:
    table = np.array(rows, np.int64).reshape(-1, 6)
    empty = np.full(len(table), -1, np.int32)
    return Findings(
        code=table[:, 0].astype(np.int32),
        game=table[:, 1].astype(np.int32),
        hand=table[:, 2].astype(np.int32),
        event=empty,
        seat=table[:, 3].astype(np.uint8),
        tile=np.full(len(table), NO_TILE, np.uint8),
        expected=table[:, 4],
        actual=table[:, 5],
    )
