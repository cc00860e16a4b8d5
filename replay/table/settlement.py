"""What a hand's end means for the game: the next hand, the end, the final points.

Plain Python over one hand or one game; every rule comes from the :class:`Ruleset`. What a win or a draw pays
is not here but in the kernels.

Seats are absolute (0 to players - 1) and every tuple of points is by seat; ``first_dealer`` is the dealer
of the first hand, whose seat breaks ties. A round number is ``4 x wind + turn`` (East 1 is 0, South 1 is 4)
with three players too, where the turn 3 never comes. Points are table points, final points included:
a result shown as +43.5 is 43500.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum

from paifu.replay.rules.ruleset import Rounding, Ruleset, Scheme, SticksLeft, TieBreak, Tobi

HANDS_A_WIND = 4


class OutcomeKind(IntEnum):
    """How a hand ended."""

    WIN = 0
    EXHAUSTIVE = 1
    ABORTIVE = 2


@dataclass(frozen=True, slots=True)
class HandStart:
    """Where a hand stands in the game: round number, honba, sticks on the table, dealer."""

    round: int
    honba: int
    sticks: int
    dealer: int


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """How a hand ended, as far as the next one depends on it.

    ``winners`` holds the seats that won (nagashi that counts as a win included), ``tenpai`` those tenpai at
    an exhaustive draw, ``sticks`` what lies on the table afterwards.
    """

    kind: OutcomeKind
    winners: tuple[int, ...] = ()
    tenpai: tuple[int, ...] = ()
    sticks: int = 0


class GameEnd(Enum):
    """Why a game is over."""

    TOBI = "a player is out of points"
    CEILING = "a player reached the ceiling"
    AGARI_YAME = "the leading dealer won the last hand"
    TENPAI_YAME = "the leading dealer was tenpai in the last hand"
    LAST_HAND = "the last scheduled hand is over"
    TARGET = "the target was reached in overtime"
    LIMIT = "the last hand of overtime is over"


@dataclass(frozen=True, slots=True)
class FinalResult:
    """The end of a game: table points with the sticks left, place (1 is first) and final points, by seat."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]


# The course of the game


def dealer_stays(rules: Ruleset, dealer: int, end: HandOutcome) -> bool:
    """Return whether the dealer deals again."""
    if end.kind == OutcomeKind.WIN:
        return rules.agari_renchan and dealer in end.winners
    if end.kind == OutcomeKind.EXHAUSTIVE:
        return rules.draw_renchan or (rules.tenpai_renchan and dealer in end.tenpai)
    return rules.abort_renchan


def next_keeps(rules: Ruleset, keeps: int, dealer: int, end: HandOutcome) -> int:
    """Return how many hands in a row the dealer of the next hand has dealt before it."""
    if not dealer_stays(rules, dealer, end):
        return 0
    reset = rules.keeps_reset_by_draw and end.kind != OutcomeKind.WIN
    return 0 if reset else keeps + 1


def next_hand(rules: Ruleset, start: HandStart, end: HandOutcome) -> HandStart:
    """Return the hand that follows, if the game goes on.

    Honba grow when the dealer stays and after every draw; otherwise they end. Games other than riichi have no
    honba; in their place stands how many hands in a row the dealer has dealt before.
    """
    stays = dealer_stays(rules, start.dealer, end)
    if rules.scheme == Scheme.HAN_FU:
        honba = start.honba + 1 if stays or end.kind != OutcomeKind.WIN else 0
    else:
        honba = next_keeps(rules, start.honba, start.dealer, end)
    if stays:
        return HandStart(start.round, honba, end.sticks, start.dealer)
    wind, turn = divmod(start.round, HANDS_A_WIND)
    following = HANDS_A_WIND * (wind + 1) if turn + 1 == rules.players else start.round + 1
    return HandStart(following, honba, end.sticks, (start.dealer + 1) % rules.players)


def ranking(rules: Ruleset, scores: Sequence[int], first_dealer: int = 0) -> tuple[int, ...]:
    """Return the seats from first to last; equal points by the first seats, East first."""
    seats = range(rules.players)
    return tuple(sorted(seats, key=lambda seat: (-scores[seat], (seat - first_dealer) % rules.players)))


def game_over(
    rules: Ruleset,
    start: HandStart,
    end: HandOutcome,
    scores: Sequence[int],
    first_dealer: int = 0,
    played: int = 0,
) -> GameEnd | None:
    """Return whether the game is over after a hand, and why; None when it goes on.

    ``scores`` are the points after the hand, without the sticks that still lie on the table; ``played`` is
    how many hands have been played, this one included, which matters where a game has a number of hands.
    """
    if rules.hands:
        return GameEnd.LAST_HAND if played >= rules.hands else None
    lowest, highest = min(scores), max(scores)
    if rules.tobi != Tobi.OFF and (lowest < 0 or (lowest == 0 and rules.tobi == Tobi.AT_ZERO)):
        return GameEnd.TOBI
    if rules.ceiling_points and highest >= rules.ceiling_points:
        return GameEnd.CEILING
    wind, turn = divmod(start.round, HANDS_A_WIND)
    last_turn = turn + 1 == rules.players
    if (wind, turn) < (rules.wind_rounds - 1, rules.players - 1):
        return None
    overtime = wind >= rules.wind_rounds
    if overtime and not rules.sudden_death and not last_turn:
        return None
    reached = not rules.target_points or highest >= rules.target_points
    if dealer_stays(rules, start.dealer, end):
        leads = ranking(rules, scores, first_dealer)[0] == start.dealer
        return _yame(rules, end) if leads and reached else None
    if reached:
        return GameEnd.TARGET if overtime else GameEnd.LAST_HAND
    return GameEnd.LIMIT if last_turn and wind + 1 >= rules.max_wind_rounds else None


def _yame(rules: Ruleset, end: HandOutcome) -> GameEnd | None:
    """Whether the leading dealer, who would deal again, ends the game instead."""
    if end.kind == OutcomeKind.WIN and rules.agari_yame:
        return GameEnd.AGARI_YAME
    if end.kind == OutcomeKind.EXHAUSTIVE and rules.tenpai_yame:
        return GameEnd.TENPAI_YAME
    return None


# Final points


def final_result(
    rules: Ruleset, scores: Sequence[int], winners: Collection[int], *, sticks: int = 0, first_dealer: int = 0
) -> FinalResult:
    """Return the final scores, places and points of a game.

    ``scores`` are without the ``sticks`` left on the table; ``winners`` are the seats that won a hand of the
    game, as often as they like.
    """
    order = ranking(rules, scores, first_dealer)
    groups = _groups(rules, order, scores)
    table = list(scores)
    if rules.sticks_left == SticksLeft.FIRST:
        _share(table, groups[0], rules.riichi_stick * sticks)
    points = [_rounded(rules, score) - rules.return_points for score in table]
    bonus = _place_bonus(rules, scores)
    for group, first in zip(groups, _starts(groups), strict=True):
        _share(points, group, sum(bonus[first : first + len(group)]))
    if rules.rounding == Rounding.NEAREST:
        points[order[0]] -= sum(points) - _lost(rules, sticks)
    for seat, change in enumerate(_yakitori(rules, winners)):
        points[seat] += change
    places = [0] * rules.players
    for group, first in zip(groups, _starts(groups), strict=True):
        for seat in group:
            places[seat] = first + 1
    return FinalResult(tuple(table), tuple(places), tuple(points))


def _groups(rules: Ruleset, order: Sequence[int], scores: Sequence[int]) -> list[list[int]]:
    """Seats from first to last, those that share a place together."""
    groups: list[list[int]] = []
    for seat in order:
        if rules.tie_break == TieBreak.SHARE and groups and scores[groups[-1][0]] == scores[seat]:
            groups[-1].append(seat)
        else:
            groups.append([seat])
    return groups


def _starts(groups: Sequence[Sequence[int]]) -> list[int]:
    """The index of each group's first place."""
    return [sum(len(group) for group in groups[:index]) for index in range(len(groups))]


def _share(points: list[int], seats: Sequence[int], total: int) -> None:
    """Add ``total`` in equal parts of whole hundreds; what is over goes to the earlier seats."""
    part, rest = divmod(total // 100, len(seats))
    for rank, seat in enumerate(seats):
        points[seat] += 100 * (part + (rank < rest))


def _rounded(rules: Ruleset, score: int) -> int:
    """A score in whole thousands (500 away from zero) where the rules round."""
    if rules.rounding == Rounding.EXACT:
        return score
    whole = (abs(score) + 500) // 1000 * 1000
    return whole if score >= 0 else -whole


def _place_bonus(rules: Ruleset, scores: Sequence[int]) -> list[int]:
    """Uma by place, with the oka in the first's."""
    below = sum(score < rules.start_points for score in scores)
    bonus = list(rules.uma_by_below[below] if rules.uma_by_below else rules.uma)
    bonus[0] += (rules.return_points - rules.start_points) * rules.players
    return bonus


def _lost(rules: Ruleset, sticks: int) -> int:
    """The sum of all final points: what sticks left with nobody take out of the game."""
    return -rules.riichi_stick * sticks if rules.sticks_left == SticksLeft.LOST else 0


def _yakitori(rules: Ruleset, winners: Collection[int]) -> list[int]:
    """What those who won no hand pay to those who did, by seat."""
    changes = [0] * rules.players
    for seat in set(range(rules.players)) - set(winners):
        for winner in set(winners):
            changes[seat] -= rules.yakitori_points
            changes[winner] += rules.yakitori_points
    return changes
