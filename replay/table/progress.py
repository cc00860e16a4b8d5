"""From one hand to the next: scores, dealer, honba, sticks, and the end of the game (family V5)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, product
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from paifu.replay.arrays import I64
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
from paifu.replay.kernels.reasons import FINAL_POINTS, PLAIN
from paifu.replay.kernels.rows import SCORED
from paifu.replay.model.batch import NOT_STATED, UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, HandEnd
from paifu.replay.rules.choices import Nagashi
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.log_rules import OWN_SETTLEMENT
from paifu.replay.table.plain_progress import plain_hands, plain_starts
from paifu.replay.table.stated import DueStart, Ledger
from paifu.replay.table.unstated import EngineChanges


class _Row(NamedTuple):
    code: int
    game: int
    hand: int
    seat: int
    expected: int
    actual: int
    reason: int = PLAIN


class Progress(NamedTuple):
    """What follows from hand to hand."""

    findings: Findings
    carried: int
    """Hands whose start was compared with the end of the hand before."""
    finals: int
    """Games whose end was compared."""
    due: dict[int, DueStart]
    """By hand that a finding is about."""


def check_progress(
    batch: Batch,
    rulesets: Sequence[Ruleset],
    ledger: Ledger,
    tenpai: I64,
    scored: I64,
    settled: EngineChanges | None = None,
    by_sticks: Mapping[int, DueStart] = MappingProxyType({}),
) -> Progress:
    """Check what follows from hand to hand.

    ``rulesets`` are by game, ``tenpai`` by hand: the seats (bits) tenpai at an exhaustive draw, -1 where
    the hand could not be followed so far, ``scored`` rows of ``ScoredWins``, ``settled`` what the ends of
    hands are worth for certain, ``by_sticks`` how they would begin if riichi sticks were paid as they were
    due. A hand without an end in the middle of a game is V101, part of the log is missing, unless a fault
    has told what could not be read.

    One cause is one finding. So a hand may follow from what its log states of the hand before, or from what
    it should have stated where that is a finding already.
    """
    games = batch.games
    ends = Ends(batch, ledger, scored)
    rows: list[_Row] = []
    plain = plain_hands(batch, rulesets, ends.after, ends.sticks, ends.known, tenpai, ends.claimed)
    others = np.flatnonzero(~plain).tolist()
    dealers = games.deals_first.tolist()
    every_due: dict[int, DueStart] = {}

    def course_of(game: int) -> _Course:
        whole = range(int(games.hand_begin[game]), int(games.hand_end[game]))
        return _Course(batch, ends, rulesets[game], game, whole, dealers[game])

    for game in np.flatnonzero(~plain_starts(batch, rulesets) & (games.hand_end > games.hand_begin)).tolist():
        course = course_of(game)
        found = course.begun()
        rows += found
        if any(row.code != codes.LATE_START for row in found):
            every_due[course.hands.start] = course.due_first()
    carried, finals = int(plain.sum()), 0
    faulty = set(batch.faults.source.tolist())
    for game, some in groupby(others, batch.hands.game.__getitem__):
        course = course_of(game)
        for hand in some:
            is_last = hand + 1 == course.hands.stop
            if ends.kind[hand] in (HandEnd.UNFINISHED, HandEnd.UNKNOWN_DRAW):
                is_gap = ends.kind[hand] == HandEnd.UNFINISHED and not is_last
                is_gap &= games.source[game] not in faulty
                rows += [course.row(codes.UNREADABLE, hand, 1, 0)] * is_gap
                continue
            start, outcomes, scores = ends.of(hand, int(tenpai[hand]), course.rules)
            if scores is None:
                carried += not is_last
                rows += [] if is_last else course.unscored(hand, start, outcomes)
                continue
            carried += not is_last
            finals += is_last and course.has_end
            stated = DueStart(start, tuple(scores[: course.rules.table.players]))
            found, due = course.after(hand, stated, outcomes)
            if found:
                starts = [one[hand] for one in (every_due, by_sticks) if hand in one]
                views = _other_views(stated, starts, ends, settled, hand)
                otherwise = (course.after(hand, view, outcomes) for view in views)
                found, due = next((one for one in otherwise if not one[0]), (found, due))
            if found and due is not None and not is_last:
                every_due[hand + 1] = due
            rows += found
    return Progress(_findings(_without_repeats(rows)), carried, finals, every_due)


def _other_views(
    stated: DueStart, others: Iterable[DueStart], ends: Ends, settled: EngineChanges | None, hand: int
) -> Iterator[DueStart]:
    """Yield start and scores at the end of a hand as they should have been, where findings say so."""
    begun = ends.begun(hand)
    starts = [(stated.start, (0,) * len(stated.scores))]
    for due in others:
        shift = tuple(a - b for a, b in zip(due.scores, begun, strict=False))
        starts.append((due.start, shift or starts[0][1]))
    changes = [(0,) * len(stated.scores)]
    if settled is not None and settled.known[hand]:
        changes.append(tuple((settled.change[hand] - ends.change[hand]).tolist()))
    for (start, shift), change in product(starts, changes):
        view = tuple(map(sum, zip(stated.scores, shift, change, strict=False)))
        if (start, view) != (stated.start, stated.scores):
            yield DueStart(start, view)


class _Course(NamedTuple):
    """A game, and what follows a hand of it."""

    batch: Batch
    ends: Ends
    rules: Ruleset
    game: int
    hands: range
    first_dealer: int

    def row(
        self, code: int, hand: int, expected: int, actual: int, seat: int = NO_SEAT, reason: int = PLAIN
    ) -> _Row:
        """Return a finding in a hand of the game."""
        return _Row(code, self.game, hand, seat, expected, actual, reason)

    @property
    def has_end(self) -> bool:
        """Whether the log states how the game ended."""
        return bool(self.batch.games.final_scores[self.game, 0] != UNKNOWN_POINTS)

    def begun(self) -> list[_Row]:
        """Check where the game begins: a whole log with the first hand, where all have the same points.

        With another hand of which scores or sticks show that others went before, the log begins late (V507).
        How many these are, a private table settles without a word in its logs, unless the rules give each
        seat its own. A log that does not state the game's end either may begin anywhere, but its dealer
        follows from the round.
        """
        hands, hand, rules, row = self.batch.hands, self.hands.start, self.rules, self.row
        rows: list[_Row] = []
        start = int(hands.round[hand]), int(hands.honba[hand])
        dealer = (self.first_dealer + start[0] % HANDS_A_WIND) % rules.table.players
        if dealer != hands.dealer[hand]:
            stated = int(hands.dealer[hand])
            rows.append(row(codes.ROUND_OR_DEALER, hand, dealer, stated, stated))
        if start != (0, 0) and not self.has_end:
            return rows
        scores, at_start = self.ends.begun(hand)[: rules.table.players], self.due_first().scores
        is_uneven = len(set(scores)) > 1 or bool(rules.table.start_points_by_seat)
        is_new = hands.sticks[hand] == 0 and UNKNOWN_POINTS not in scores and not all(start)
        is_new = is_new and (not is_uneven or tuple(scores) == at_start)
        if start != (0, 0) and not is_new:
            return [*rows, row(codes.LATE_START, hand, 0, 0)]
        of_start = (codes.ROUND_OR_DEALER, codes.HONBA, codes.STICKS)
        for code, actual in zip(of_start, (*start, int(hands.sticks[hand])), strict=True):
            if actual:
                rows.append(row(code, hand, 0, actual))
        wrong = [
            row(codes.CARRIED_SCORE, hand, begun, scores[seat], seat)
            for seat, begun in enumerate(at_start)
            if is_uneven and scores[seat] != begun and UNKNOWN_POINTS not in scores
        ]
        return rows + wrong[:1]

    def due_first(self) -> DueStart:
        """Return how the first hand is to begin."""
        return DueStart(HandStart(0, 0, 0, self.first_dealer), starting_scores(self.rules, self.first_dealer))

    def after(
        self, hand: int, view: DueStart, outcomes: Sequence[HandOutcome]
    ) -> tuple[list[_Row], DueStart | None]:
        """Compare what follows a hand with what must, if the hand began and ended as ``view`` has it."""
        batch, ends, rules = self.batch, self.ends, self.rules
        start, scores = view.start, list(view.scores)
        is_last = hand + 1 == self.hands.stop
        laid = start.sticks - int(batch.hands.sticks[hand])
        if laid:
            outcomes = [one if one.winners else replace(one, sticks=one.sticks + laid) for one in outcomes]
        outcome = outcomes[0] if len(outcomes) == 1 else self.likely(hand, start, outcomes, scores)
        may_follow = endings(rules, start, outcome, scores, self.first_dealer, hand + 1 - self.hands.start)
        rows: list[_Row] = []
        if not is_last:
            due = next_hand(rules, start, outcome)
            if due != ends.start(hand + 1) or scores != ends.begun(hand + 1)[: rules.table.players]:
                rows += self.carried(hand + 1, due, scores)
            if None not in may_follow:
                rows.append(self.row(codes.GAME_END, hand, 1, 0))
            return rows, DueStart(due, tuple(scores))
        if self.has_end:
            if may_follow == (None,):
                rows.append(self.row(codes.GAME_END, hand, 0, 1))
            result = ends.result(self.hands, rules, scores, outcome.sticks, self.first_dealer)
            rows += self.final(hand, result)
        return rows, None

    def likely(
        self, hand: int, start: HandStart, outcomes: Sequence[HandOutcome], scores: Sequence[int]
    ) -> HandOutcome:
        """Choose the outcome that explains the next hand, or (none) the end of the game; else the first.

        Who was tenpai may be stated otherwise than it was. That is a finding of its own, not one of what
        follows.
        """
        rules, hands, after = self.rules, self.batch.hands, hand + 1
        for outcome in outcomes:
            if after == self.hands.stop:
                fits = endings(rules, start, outcome, scores, self.first_dealer) != (None,)
            else:
                due = next_hand(rules, start, outcome)
                fits = (due.round, due.dealer) == (hands.round[after], hands.dealer[after])
            if fits:
                return outcome
        return outcomes[0]

    def unscored(self, hand: int, start: HandStart, outcomes: Sequence[HandOutcome]) -> list[_Row]:
        """Compare the next start with what a hand makes of it, whose scores at the end are not known."""
        every = [self.carried(hand + 1, next_hand(self.rules, start, outcome)) for outcome in outcomes]
        return min(every, key=len)

    def carried(self, hand: int, due: HandStart, scores: Sequence[int] = ()) -> list[_Row]:
        """Compare a hand's start with what the hand before makes of it.

        Another hand than the one that is due has no other start to be compared with, except for the dealer,
        who follows from its round.
        """
        hands, row = self.batch.hands, self.row
        round_, honba, sticks = int(hands.round[hand]), int(hands.honba[hand]), int(hands.sticks[hand])
        rows: list[_Row] = []
        if round_ != due.round:
            rows.append(row(codes.ROUND_OR_DEALER, hand, due.round, round_))
        elif honba != due.honba:
            rows.append(row(codes.HONBA, hand, due.honba, honba))
        dealer = int(hands.dealer[hand])
        passed = round_ % HANDS_A_WIND - due.round % HANDS_A_WIND
        due_dealer = (due.dealer + passed) % self.rules.table.players
        if dealer not in (due_dealer, due.dealer):
            rows.append(row(codes.ROUND_OR_DEALER, hand, due_dealer, dealer, dealer))
        if (round_, honba) != (due.round, due.honba):
            return rows
        stated = self.ends.begun(hand)
        wrong = [
            (seat, score) for seat, score in enumerate(scores) if stated[seat] not in (score, UNKNOWN_POINTS)
        ]
        if sticks != due.sticks:
            # A stick that somebody keeps, or has back, is one cause.
            moved = (due.sticks - sticks) * self.rules.riichi.riichi_stick
            keeper = NO_SEAT
            if len(wrong) == 1 and stated[wrong[0][0]] - wrong[0][1] == moved:
                keeper, wrong = wrong[0][0], []
            rows.append(row(codes.STICKS, hand, due.sticks, sticks, keeper))
        return rows + [row(codes.CARRIED_SCORE, hand, score, stated[seat], seat) for seat, score in wrong[:1]]

    def final(self, hand: int, result: FinalResult) -> list[_Row]:
        """Compare the final scores, and the points where the rules say how they are settled."""
        games, game = self.batch.games, self.game
        settles = games.go_type[game] < 0 or not games.go_type[game] & OWN_SETTLEMENT
        points = games.final_points[game].tolist() if settles else [math.nan] * 4
        claimed = games.final_scores[game].tolist()
        for seat, (score, due) in enumerate(zip(result.scores, result.points, strict=True)):
            if score != claimed[seat] != UNKNOWN_POINTS:
                return [self.row(codes.FINAL_RESULT, hand, score, claimed[seat], seat)]
            if not math.isnan(points[seat]) and due != round(1000 * points[seat]):
                stated = round(1000 * points[seat])
                return [self.row(codes.FINAL_RESULT, hand, due, stated, seat, FINAL_POINTS)]
        return []


def _without_repeats(rows: Sequence[_Row]) -> list[_Row]:
    """Leave out that a game goes on though it is over where it was over before."""
    over: set[int] = set()
    kept = []
    for row in rows:
        goes_on = row.code == codes.GAME_END and row.expected == 1
        if not (goes_on and row.game in over):
            kept.append(row)
        if goes_on:
            over.add(row.game)
    return kept


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
        self._rewarded: set[int] = set()
        """Hands in which the dealer's win earned the yaku for wins in a row, as far as it was scored."""
        if scored is not None:
            of_streak = scored[:, SCORED.situation] & int(Situation.THIRTEENTH) != 0
            self._rewarded.update(wins.hand[of_streak].tolist())
        self._gained: dict[int, list[int]] = {}
        """By hand with a nagashi mangan: those who gained by it."""
        for row in np.flatnonzero(draws.kind == HandEnd.NAGASHI):
            self._gained[int(draws.hand[row])] = np.flatnonzero(draws.deltas[row] > 0).tolist()
        self.offender = np.full(len(hands), NO_SEAT, np.int64)
        """By hand; whose foul ended it."""
        is_foul = draws.kind == HandEnd.CHOMBO
        self.offender[draws.hand[is_foul]] = batch.events.seat[draws.event[is_foul]]
        self._hands = hands
        self._starts = np.stack([hands.round, hands.honba, hands.sticks, hands.dealer], axis=1).tolist()
        self._ruled = batch.games.penalties
        self._fouls: dict[int, list[StatedFoul]] = {}
        """By hand with fouls that the log states."""
        for _, hand, foul in ledger.fouls:
            self._fouls.setdefault(hand, []).append(foul)
        self._has_fouls = bool(is_foul.any() or self._ruled.any() or self._fouls)
        self.after = ledger.scores(every, last) + self.change
        """(hands, 4)."""
        self.paid = ledger.paid(every, last)
        """(hands, 4) whether each seat has paid a riichi stick."""
        self.sticks = hands.sticks + self.paid.sum(axis=1)

    def start(self, hand: int) -> HandStart:
        """Return where a hand begins."""
        return HandStart(*self._starts[hand])

    def begun(self, hand: int) -> list[int]:
        """Return the scores at the beginning of a hand."""
        scores: list[int] = self._hands.scores[hand].tolist()
        return scores

    def is_won(self, hand: int, rules: Ruleset) -> bool:
        """Return whether a hand ended in a win; a nagashi mangan is one or a draw, as the rules say."""
        kind = self.kind[hand]
        return bool(kind == HandEnd.WIN or (kind == HandEnd.NAGASHI and rules.draw.nagashi == Nagashi.WIN))

    def sticks_after(self, hand: int, rules: Ruleset, winners: Sequence[int]) -> int:
        """Return the sticks that lie on the table after a hand that these seats won."""
        if not rules.payment.sticks_need_riichi:
            return 0
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

    def chips_of(self, hands: range, rules: Ruleset) -> list[int]:
        """Return the chips that each seat has won or paid in several hands."""
        from paifu.replay.course.chips import chips_of_wins  # few games are played with chips

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
            [seat for hand in hands for seat in self.winners(hand, rules)]
            if rules.final.yakitori_points
            else (),
            sticks=sticks,
            first_dealer=first_dealer,
            penalties=self.penalties_of(hands, rules),
            chips=self.chips_of(hands, rules) if rules.chips.chip_points else (),
            ron=self.ron(hands[-1], rules) if rules.final.tobi_prize else None,
        )

    def penalties_of(self, hands: range, rules: Ruleset) -> list[int]:
        """Return the points by seat that fouls of a game's hands take off its result; none for no fouls."""
        if not self._has_fouls:
            return []
        ruled = self._ruled[self._hands.game[hands.start]].tolist()
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
            rewarded = hand in self._rewarded
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


def _findings(rows: list[_Row]) -> Findings:
    columns = np.array(rows, np.int64).reshape(-1, len(_Row._fields)).T
    return Findings.filled(len(rows), **dict(zip(_Row._fields, columns, strict=True)))
