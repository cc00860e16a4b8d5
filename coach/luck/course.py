"""Place chances inside hands: after the deal, and before and after every draw.

How the hand is likely to end (:mod:`~paifu.coach.luck.hand_ends`) is joined with the place model at each
end: honba, sticks, the dealer and the end of the game count as they do there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from paifu.coach.kernels import luck_layout, place_chances
from paifu.coach.luck.hand_ends import SEATS, full_inputs, possible_ends, shipped_end_values
from paifu.coach.luck.measuring import ChanceNodes
from paifu.coach.places.model import PlaceModel, place_model
from paifu.coach.places.utilities import RULES, utility
from paifu.replay.arrays import F64, I64
from paifu.replay.errors import ArgumentError
from paifu.replay.model.batch import Batch

SAMPLES = 128
"""Times that a game is played on from each end of a hand."""
SEEDS = 16
"""Models that the ends take turns with: each has small errors of its own, which would not cancel out."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawCourse:
    """Place chances at n draws of a batch, in the order of play."""

    hand: I64
    """(n,) rows of the batch."""
    event: I64
    """(n,) rows of the batch: the draw."""
    before: F64
    """(n, 4, 4) chances of each seat to end in each place, before the draw."""
    after: F64
    """The same after it."""
    worth_before: F64
    """(n, 4) expected utility, likewise."""
    worth_after: F64


def game_rows(batch: Batch, hands: I64) -> I64:
    """Return (n, G_SIZE) where the game is before some hands."""
    first = batch.games.deals_first[batch.hands.game[hands]]
    rows = np.zeros((len(hands), place_chances.G_SIZE), np.int64)
    rows[:, :SEATS] = batch.hands.scores[hands]
    of = batch.hands
    columns = (of.round[hands], of.honba[hands], of.sticks[hands], of.dealer[hands], first)
    rows[:, place_chances.G_ROUND : place_chances.G_FIRST + 1] = np.stack(columns, axis=1)
    return rows


def course(batch: Batch, found: Iterable[ChanceNodes], worth: str = RULES) -> DrawCourse:
    """Return the place chances at all draws among chance nodes that were kept with their inputs.

    ``worth`` names a utility. Draws under rules without place chances are left out.
    """
    parts = [one for nodes in found for one in _course(batch, nodes, worth)]
    if not parts:
        rows, places, worth_ = np.zeros(0, np.int64), np.zeros((0, SEATS, SEATS)), np.zeros((0, SEATS))
        return DrawCourse(rows, rows, places, places, worth_, worth_)
    columns = ([getattr(one, name) for one in parts] for name in DrawCourse.__slots__)
    return DrawCourse(*map(np.concatenate, columns))


def _course(batch: Batch, nodes: ChanceNodes, worth: str) -> Iterator[DrawCourse]:
    values = shipped_end_values(nodes.rules.table.players)
    try:
        models = [place_model(nodes.rules, SAMPLES, seed) for seed in range(SEEDS)]
    except ArgumentError:  # wareme
        return
    if values is None:
        return
    rows = np.flatnonzero(nodes.column(luck_layout.N_SORT) == luck_layout.DRAWN)
    hand = nodes.column(luck_layout.N_HAND)[rows].astype(np.int64)
    seat = nodes.column(luck_layout.N_SEAT)[rows].astype(np.int64)
    riichi = nodes.column(luck_layout.N_RIICHI)[rows].astype(np.int64)
    chances = np.zeros((2, len(rows), SEATS, place_chances.A_SIZE))
    likely = (
        values.likely(full_inputs(nodes.before[rows], None)),
        values.likely(full_inputs(nodes.inputs[rows], nodes.column(luck_layout.N_BASE)[rows])),
    )
    drawer = (seat - batch.hands.dealer[hand]) % SEATS
    ends = possible_ends(nodes.rules)
    for some in _alike(hand, riichi):
        answers = _answers(batch, models, int(hand[some[0]]), int(riichi[some[0]]))
        for into, found in zip(chances, likely, strict=True):
            into[some] = np.tensordot(ends.weights(found.only(some), drawer[some]), answers, 1)
    before, after = chances[..., :SEATS]
    worth_before, worth_after = utility(worth, nodes.rules).of_answers(chances)
    event = nodes.column(luck_layout.N_EVENT)[rows].astype(np.int64)
    yield DrawCourse(hand, event, before, after, worth_before, worth_after)


def _alike(hand: I64, riichi: I64) -> Iterator[I64]:
    """Yield the rows with the same hand and the same seats in riichi."""
    keys = hand * (1 << SEATS) + riichi
    order = np.argsort(keys, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(keys[order])) + 1) if len(order) else ()


def _answers(batch: Batch, models: Sequence[PlaceModel], hand: int, riichi: int) -> F64:
    """Return (ends, 4, A_SIZE) chances after each end of a hand with some seats in riichi."""
    rows = possible_ends(models[0].rules).ends.copy()
    dealer = int(batch.hands.dealer[hand])
    rows[:, place_chances.E_RIICHI] = sum(
        (riichi >> ((dealer + place) % SEATS) & 1) << place for place in range(SEATS)
    )
    games = models[0].after_ends(game_rows(batch, np.array([hand])), rows)[0]
    answers = np.zeros((len(games), SEATS, place_chances.A_SIZE))
    for number, model in enumerate(models):
        answers[number :: len(models)] = model.answers(np.ascontiguousarray(games[number :: len(models)]))
    return answers
