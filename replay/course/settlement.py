"""What a hand's end means for the game: the next hand, the end, the final points.

Plain Python over one hand or one game; every rule comes from the :class:`Ruleset`. What a win or a draw pays
is not here but in the kernels.

Seats are absolute (0 to players - 1) and every tuple of points is by seat; ``first_dealer`` is the dealer
of the first hand, whose seat breaks ties. A round number is ``4 x wind + turn`` (East 1 is 0, South 1 is 4)
with three players too, where the turn 3 never comes. Points are table points, final points included:
a result shown as +43.5 is 43500.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from itertools import accumulate
from typing import NamedTuple

from paifu.replay.model.batch import Hands
from paifu.replay.model.events import NO_SEAT, HandEnd
from paifu.replay.rules.choices import (
    ChomboAfter,
    ChomboLast,
    LastNoten,
    MultiRonRenchan,
    Rounding,
    RoundingOf,
    Scheme,
    SticksLeft,
    TieBreak,
    Tobi,
    TobiPrizeElse,
    YakitoriTo,
)
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rules.sections import FinalRules

HANDS_A_WIND = 4


class OutcomeKind(IntEnum):
    """How a hand ended."""

    WIN = 0
    EXHAUSTIVE = 1
    ABORTIVE = 2
    FOUL = 3


class HandStart(NamedTuple):
    """Where a hand is in the game: round number, honba, sticks on the table, dealer."""

    round: int
    honba: int
    sticks: int
    dealer: int

    @classmethod
    def of(cls, hands: Hands, hand: int) -> HandStart:
        """Return where a hand is, a row of ``hands``, as its log has it."""
        row = hands.round[hand], hands.honba[hand], hands.sticks[hand], hands.dealer[hand]
        return cls(*map(int, row))


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """How a hand ended, as far as the next one depends on it.

    ``winners`` holds the seats that won (nagashi that counts as a win included), of several rons the one next
    after the discarder first; ``tenpai`` those tenpai at an exhaustive draw or when a foul ended the hand,
    ``sticks`` what lies on the table afterwards; ``is_rewarded`` whether the dealer won so often in a row
    that it earned the yaku for that; ``abort`` what ended an abortive draw, as far as that is known;
    ``offender`` whose foul ended it, and ``is_small`` whether that was a small chombo.
    """

    kind: OutcomeKind
    winners: tuple[int, ...] = ()
    tenpai: tuple[int, ...] = ()
    sticks: int = 0
    is_rewarded: bool = False
    abort: HandEnd | None = None
    offender: int = NO_SEAT
    is_small: bool = False


class GameEnd(Enum):
    """Why a game is over."""

    TOBI = "a player is out of points"
    CEILING = "a player reached the ceiling"
    AGARI_YAME = "the dealer won the last hand"
    TENPAI_YAME = "the dealer was tenpai in the last hand"
    LAST_HAND = "the last scheduled hand is over"
    TARGET = "the target was reached in overtime"
    LIMIT = "the last hand of overtime is over"


class FinalResult(NamedTuple):
    """The end of a game: table points with the sticks left, place (1 is first) and final points, by seat."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    missing: int = 0
    """Points that players began with and that nobody has at the end, sticks left over counted; not 0 where
    something is wrong."""


# The course of the game


def own_wind(rules: Ruleset, seat: int, dealer: int, number: int) -> int:
    """Return a seat's wind, 0 for east, in a round: that of the first hand where winds do not rotate."""
    passed = 0 if rules.table.seat_winds_rotate else number % HANDS_A_WIND
    return (seat - dealer + passed) % rules.table.players


def is_replayed(rules: Ruleset, end: HandOutcome) -> bool:
    """Return whether a hand is played again because of how it ended, its sticks returned."""
    return end.kind == OutcomeKind.FOUL and (end.is_small or rules.fouls.chombo_after != ChomboAfter.DRAW)


def passes_by_foul(rules: Ruleset, dealer: int, end: HandOutcome) -> bool:
    """Return whether the deal passes because of the dealer's own chombo, though honba stay."""
    is_passing = rules.fouls.chombo_after == ChomboAfter.REPLAY_DEALER_PASSES and not end.is_small
    return end.kind == OutcomeKind.FOUL and is_passing and end.offender == dealer


def dealer_stays(rules: Ruleset, dealer: int, end: HandOutcome, *, is_last: bool = False) -> bool:
    """Return whether the dealer deals again; ``is_last`` for the last scheduled hand."""
    if end.kind == OutcomeKind.WIN:
        if end.is_rewarded and rules.local.thirteen_dealer_wins_han and rules.local.dealer_wins_pass:
            return False
        return rules.progress.agari_renchan and dealer in _who_may_stay(rules, end.winners)
    if is_replayed(rules, end):
        return not passes_by_foul(rules, dealer, end)
    if end.kind in (OutcomeKind.EXHAUSTIVE, OutcomeKind.FOUL):
        return (
            rules.progress.draw_renchan
            or (rules.progress.last_draw_renchan and is_last)
            or (rules.progress.tenpai_renchan and dealer in end.tenpai)
        )
    by_abort = dict(rules.progress.abort_renchan_by)
    stays = by_abort.get(end.abort.name.lower()) if by_abort and end.abort else None
    return rules.progress.abort_renchan if stays is None else bool(stays)


def _who_may_stay(rules: Ruleset, winners: tuple[int, ...]) -> tuple[int, ...]:
    """The winners of a hand of which a dealer stays."""
    match rules.progress.multi_ron_renchan:
        case MultiRonRenchan.NEAREST:
            return winners[:1]
        case MultiRonRenchan.NEVER:
            return winners if len(winners) == 1 else ()
    return winners


def is_last_scheduled(rules: Ruleset, start: HandStart) -> bool:
    """Return whether a hand is the last one scheduled."""
    return divmod(start.round, HANDS_A_WIND) == (rules.table.wind_rounds - 1, rules.table.players - 1)


def hands_left(rules: Ruleset, round_: int) -> int:
    """Return how many hands are scheduled after one of a round, if no dealer stays; 0 in overtime."""
    wind, turn = divmod(round_, HANDS_A_WIND)
    return max(0, rules.table.players * rules.table.wind_rounds - 1 - rules.table.players * wind - turn)


def is_last_hand(rules: Ruleset, round_: int) -> bool:
    """Return whether the game is scheduled to end with a hand of this round, or in overtime."""
    return hands_left(rules, round_) == 0


def sticks_after_win(rules: Ruleset, sticks: int, is_riichi_won: bool) -> int:
    """Return the sticks that stay on the table after a win, by somebody in riichi or by nobody who is."""
    return sticks if rules.payment.sticks_need_riichi and not is_riichi_won else 0


def next_keeps(rules: Ruleset, keeps: int, dealer: int, end: HandOutcome) -> int:
    """Return how many hands in a row the dealer of the next hand has dealt before it."""
    if not dealer_stays(rules, dealer, end):
        return 0
    reset = rules.progress.keeps_reset_by_draw and end.kind != OutcomeKind.WIN
    return 0 if reset else keeps + 1


def next_hand(rules: Ruleset, start: HandStart, end: HandOutcome) -> HandStart:
    """Return the hand that follows, if the game goes on.

    Honba grow when the dealer stays and after every draw; otherwise they end. A hand that is played again
    because of a foul begins as it did. Games other than riichi have no honba; in their place is how many
    hands in a row the dealer has dealt before.
    """
    stays = dealer_stays(rules, start.dealer, end, is_last=is_last_scheduled(rules, start))
    if is_replayed(rules, end) and stays:
        return HandStart(start.round, start.honba, end.sticks, start.dealer)
    if passes_by_foul(rules, start.dealer, end):
        honba = start.honba
    elif rules.game.scheme == Scheme.HAN_FU:
        honba = start.honba + 1 if stays or end.kind != OutcomeKind.WIN else 0
    else:
        honba = next_keeps(rules, start.honba, start.dealer, end)
    if stays:
        return HandStart(start.round, honba, end.sticks, start.dealer)
    wind, turn = divmod(start.round, HANDS_A_WIND)
    following = HANDS_A_WIND * (wind + 1) if turn + 1 == rules.table.players else start.round + 1
    return HandStart(following, honba, end.sticks, (start.dealer + 1) % rules.table.players)


def ranking(rules: Ruleset, scores: Sequence[int], first_dealer: int = 0) -> tuple[int, ...]:
    """Return the seats from first to last; equal points by the first seats, East first."""
    seats = range(rules.table.players)
    return tuple(sorted(seats, key=lambda seat: (-scores[seat], (seat - first_dealer) % rules.table.players)))


def endings(
    rules: Ruleset,
    start: HandStart,
    end: HandOutcome,
    scores: Sequence[int],
    first_dealer: int = 0,
    played: int = 0,
) -> tuple[GameEnd | None, ...]:
    """Return what may follow a hand: an end of the game, None for another hand; both where players choose.

    ``scores`` are the points after the hand, without the sticks that still lie on the table; ``played`` is
    how many hands have been played, this one included, which matters where a game has a number of hands.
    """
    if rules.progress.hands:
        return (GameEnd.LAST_HAND if played >= rules.progress.hands else None,)
    lowest, highest = min(scores), max(scores)
    if rules.progress.tobi != Tobi.OFF and is_out(rules, lowest):
        return (GameEnd.TOBI,)
    if rules.progress.ceiling_points and highest >= rules.progress.ceiling_points:
        return (GameEnd.CEILING,)
    wind, turn = divmod(start.round, HANDS_A_WIND)
    if is_replayed(rules, end) and not passes_by_foul(rules, start.dealer, end):
        is_over = rules.fouls.chombo_last == ChomboLast.ENDS and is_last_scheduled(rules, start)
        return (GameEnd.LAST_HAND if is_over else None,)
    last_turn = turn + 1 == rules.table.players
    if (wind, turn) < (rules.table.wind_rounds - 1, rules.table.players - 1):
        return (None,)
    overtime = wind >= rules.table.wind_rounds
    if overtime and not rules.progress.sudden_death and not last_turn:
        return (None,)
    reached = not rules.progress.target_points or highest >= rules.progress.target_points
    if overtime and reached and rules.progress.sudden_death and rules.progress.sudden_death_over_renchan:
        return (GameEnd.TARGET,)
    if dealer_stays(rules, start.dealer, end, is_last=is_last_scheduled(rules, start)):
        leads = ranking(rules, scores, first_dealer)[0] == start.dealer
        yame = (
            _yame(rules, start.dealer, end) if reached and (leads or not rules.progress.yame_leads) else None
        )
        return (yame, None) if yame and rules.progress.yame_choice else (yame,)
    if reached:
        over = GameEnd.TARGET if overtime else GameEnd.LAST_HAND
        return (over,) if overtime else _last_hand(rules, start, end, over)
    return (GameEnd.LIMIT if last_turn and wind + 1 >= rules.table.max_wind_rounds else None,)


def _last_hand(
    rules: Ruleset, start: HandStart, end: HandOutcome, over: GameEnd
) -> tuple[GameEnd | None, ...]:
    """What may follow the last scheduled hand, after which the deal would pass."""
    if end.kind != OutcomeKind.EXHAUSTIVE or start.dealer in end.tenpai:
        return (over,)
    match rules.progress.last_noten:
        case LastNoten.ENDS:
            return (over,)
        case LastNoten.MAY_GO_ON:
            return (over, None)
        case LastNoten.GOES_ON:
            return (None,)


def _yame(rules: Ruleset, dealer: int, end: HandOutcome) -> GameEnd | None:
    """Whether the dealer, who would deal again, can end the game instead."""
    if end.kind == OutcomeKind.WIN and rules.progress.agari_yame:
        return GameEnd.AGARI_YAME
    if end.kind == OutcomeKind.EXHAUSTIVE and rules.progress.tenpai_yame and dealer in end.tenpai:
        return GameEnd.TENPAI_YAME
    return None


# Final points


def starting_scores(rules: Ruleset, first_dealer: int = 0) -> tuple[int, ...]:
    """Return the points at the start by seat."""
    return tuple(
        rules.starts[(seat - first_dealer) % rules.table.players] for seat in range(rules.table.players)
    )


def final_result(
    rules: Ruleset,
    scores: Sequence[int],
    winners: Sequence[int],
    *,
    sticks: int = 0,
    first_dealer: int = 0,
    penalties: Sequence[int] = (),
    chips: Sequence[int] = (),
    ron: tuple[int, int] | None = None,
) -> FinalResult:
    """Return the final scores, places and points of a game.

    ``scores`` are without the ``sticks`` left on the table; ``winners`` are the seats that won a hand of the
    game, in order, and ``penalties`` what each seat's fouls take off; ``chips`` are by seat, and ``ron`` the
    winner and the discarder of the last hand, if it was won by ron.
    """
    for_places = list(scores)
    if penalties and rules.fouls.points_before_places:
        for_places = [score - lost for score, lost in zip(scores, penalties, strict=True)]
    order = ranking(rules, for_places, first_dealer)
    groups = _groups(rules, order, for_places)
    firsts = [0, *accumulate(map(len, groups))][: len(groups)]
    table = list(scores)
    if rules.final.sticks_left == SticksLeft.FIRST:
        _share(table, groups[0], rules.riichi.riichi_stick * sticks)
    counts = rules.final.count_points
    points = [exceeding(rules.final, score) * counts for score in table]
    bonus, places = _place_bonus(rules, for_places, first_dealer), [0] * rules.table.players
    for group, first in zip(groups, firsts, strict=True):
        _share(points, group, sum(bonus[first : first + len(group)]))
        for seat in group:
            places[seat] = first + 1
    if counts and rules.final.rounding != Rounding.EXACT:
        points[order[0]] -= sum(points) - sum(bonus) - _excess(rules) - _lost(rules, sticks)
    for seat, change in enumerate(_yakitori(rules, winners, order[0])):
        points[seat] += change
    for seat, number in enumerate(chips):
        points[seat] += number * rules.chips.chip_points
    for seat, taker in _prizes(rules, scores, order[0], ron):
        points[seat] -= rules.final.tobi_prize
        points[taker] += rules.final.tobi_prize
    for seat in _at_ceiling(rules, scores):
        for other in range(rules.table.players):
            points[other] -= rules.final.ceiling_prize
        points[seat] += rules.table.players * rules.final.ceiling_prize
    if penalties:
        points = [won - lost for won, lost in zip(points, penalties, strict=True)]
    return FinalResult(tuple(table), tuple(places), tuple(points))


def _prizes(
    rules: Ruleset, scores: Sequence[int], first: int, ron: tuple[int, int] | None
) -> list[tuple[int, int]]:
    """Who is out of points at the end, each with the one who takes the prize for it."""
    out = (
        [seat for seat, score in enumerate(scores) if is_out(rules, score)] if rules.final.tobi_prize else []
    )
    found = []
    for seat in out:
        if ron is not None and ron[1] == seat:
            found.append((seat, ron[0]))
        elif rules.final.tobi_prize_else == TobiPrizeElse.FIRST and seat != first:
            found.append((seat, first))
    return found


def _at_ceiling(rules: Ruleset, scores: Sequence[int]) -> list[int]:
    """Who has reached the ceiling at the end, where that brings a prize."""
    ceiling = rules.progress.ceiling_points if rules.final.ceiling_prize else 0
    return [seat for seat, score in enumerate(scores) if score >= ceiling] if ceiling else []


def is_out(rules: Ruleset, score: int) -> bool:
    """Return whether a score is out of points: below zero, or zero where that ends the game."""
    return score < 0 or (score == 0 and rules.progress.tobi == Tobi.AT_ZERO)


def _groups(rules: Ruleset, order: Sequence[int], scores: Sequence[int]) -> list[list[int]]:
    """Seats from first to last, those that share a place together."""
    groups: list[list[int]] = []
    for seat in order:
        if rules.final.tie_break == TieBreak.SHARE and groups and scores[groups[-1][0]] == scores[seat]:
            groups[-1].append(seat)
        else:
            groups.append([seat])
    return groups


def _share(points: list[int], seats: Sequence[int], total: int) -> None:
    """Add ``total`` in equal parts of whole hundreds; what is over goes to the earlier seats."""
    if len(seats) == 1:
        points[seats[0]] += total // 100 * 100
        return
    part, rest = divmod(total // 100, len(seats))
    for rank, seat in enumerate(seats):
        points[seat] += 100 * (part + (rank < rest))


def exceeding(rules: FinalRules, score: int) -> int:
    """Return what a score exceeds the return, rounded as the rules say."""
    if rules.rounding_of == RoundingOf.DIFFERENCE:
        return _rounded(rules.rounding, score - rules.return_points)
    return _rounded(rules.rounding, score) - rules.return_points


_ROUNDED_UP_FROM = {
    Rounding.NEAREST: 500,
    Rounding.FIVE_DOWN: 501,
    Rounding.SEVEN_DOWN: 701,
    Rounding.DOWN: 1000,
    Rounding.UP: 1,
}
"""Points over a thousand from which they become the next one."""


def _rounded(rounding: Rounding, points: int) -> int:
    """Points in whole thousands where a rule rounds, their amount if they are negative."""
    if rounding == Rounding.EXACT:
        return points
    whole = (abs(points) + 1000 - _ROUNDED_UP_FROM[rounding]) // 1000 * 1000
    return whole if points >= 0 else -whole


def _place_bonus(rules: Ruleset, scores: Sequence[int], first_dealer: int) -> list[int]:
    """Uma by place, with the oka in the first's."""
    bonus = list(rules.final.uma)
    if rules.final.uma_by_below:
        starts = starting_scores(rules, first_dealer)
        border = rules.final.uma_border
        below = sum(
            score < (border or start) + (not rules.final.uma_at_border)
            for score, start in zip(scores, starts, strict=True)
        )
        bonus = list(rules.final.uma_by_below[below])
    bonus[0] -= _excess(rules) if rules.final.oka and rules.final.count_points else 0
    return bonus


def _excess(rules: Ruleset) -> int:
    """What all points at the start exceed all returns."""
    return sum(rules.starts) - rules.final.return_points * rules.table.players


def _lost(rules: Ruleset, sticks: int) -> int:
    """What sticks left with nobody take out of the game, as a change of points."""
    return -rules.riichi.riichi_stick * sticks if rules.final.sticks_left == SticksLeft.LOST else 0


def _yakitori(rules: Ruleset, winners: Sequence[int], first: int) -> list[int]:
    """What those who won no hand pay to those who did, by seat; ``first`` is the seat in first place."""
    if not rules.final.yakitori_points:
        return []
    changes = [0] * rules.table.players
    everybody, have_won = set(range(rules.table.players)), set[int]()
    for winner in winners:
        have_won = (set() if have_won == everybody and rules.final.yakitori_again else have_won) | {winner}
    paid, points = sorted(have_won), rules.final.yakitori_points
    if rules.final.yakitori_to == YakitoriTo.FIRST:
        paid = [first] if first in have_won else []
    for seat in everybody - have_won if paid else ():
        changes[seat] -= points * (len(paid) if rules.final.yakitori_to == YakitoriTo.WINNERS else 1)
        if rules.final.yakitori_to == YakitoriTo.WINNERS:
            for winner in paid:
                changes[winner] += points
        else:
            _share(changes, paid, points)
    return changes
