"""Luck and results of the hands of a batch, in points and in what places are worth.

A game counts if its luck can be measured from beginning to end: riichi with as many players as there are
values for, whole, with known tiles and points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from paifu.coach.kernels import place_chances
from paifu.coach.luck.course import game_rows
from paifu.coach.luck.hand_ends import SEATS
from paifu.coach.luck.measuring import ChanceNodes, chance_nodes, hand_luck, is_measured
from paifu.coach.places.model import place_model
from paifu.coach.places.utilities import Utility, utility
from paifu.replay.arrays import F64, I64, Mask
from paifu.replay.errors import ArgumentError
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import Given, rulesets_of
from paifu.replay.table.progress import Ends
from paifu.replay.table.stated import Ledger

ENDS = 128
"""Ends of the next hand over which utility is compared with points."""
END_SAMPLES = 64
RIDGE = 1e5
"""Added to the variance of points, so that a direction in which no end goes has no slope."""


@dataclass(frozen=True, slots=True, eq=False)
class LuckLedger:
    """Luck of whole games of a batch: n hands of m games."""

    games: I64
    """(m,) rows of the batch."""
    hand: I64
    """(n,) rows of the batch."""
    game: I64
    """(n,) places in ``games``."""
    number: I64
    """(n,) number of the hand in its game, from 0."""
    result: F64
    """(n, 4) points won or lost, sticks paid included; of the last hand also those handed out at the end."""
    parts: F64
    """(n, 4, 4) luck in points by seat and part: DEAL, OWN, OTHERS, TURNED of ``measuring``."""
    worth: F64
    """(m, 4) utility of the end of the game; NaN where it was not asked for."""
    worth_luck: F64
    """(n, 4) luck in utility; NaN likewise."""
    place_luck: F64
    """(n, 4, 4) luck in the chance of each seat to end in each place; NaN likewise."""
    chances: F64
    """(n, 4, 4) chance of each seat to end in each place, before the hand; NaN likewise."""
    expected: F64
    """(n, 4) utility that could be expected before the hand; NaN likewise."""
    leverage: F64
    """(n, 4) standard deviation of the utility over the ends that the hand may have; NaN likewise."""
    final: F64
    """(m, 4, 4) chances at the end of the game: 1 for the place of each seat; NaN likewise."""
    left_out: int
    """Games that do not count."""

    @property
    def luck(self) -> F64:
        """(n, 4) luck in points."""
        total: F64 = self.parts.sum(axis=2)
        return total


def luck_ledger(
    batch: Batch,
    *rules: Given,
    worth: str = "",
    outlook: bool = False,
    nodes: Iterable[ChanceNodes] | None = None,
) -> LuckLedger:
    """Return the luck of the hands of a batch.

    ``worth`` names a utility, empty for none; ``outlook`` asks for chances and leverage, too. ``nodes`` are
    the chance nodes of the batch, where they are known already.
    """
    rulesets = rulesets_of(batch, *rules)
    ends = Ends(batch, Ledger(batch, rulesets))
    measured = hand_luck(batch, chance_nodes(batch, *rules) if nodes is None else nodes)
    begin, end = batch.games.hand_begin, batch.games.hand_end
    sound = ends.known & measured.known
    used = np.array(
        [
            bool(
                is_measured(rulesets[game])
                and begin[game] < end[game]
                and not batch.games.is_cut[game]
                and sound[begin[game] : end[game]].all()
            )
            for game in range(len(batch))
        ],
        bool,
    )
    games = np.flatnonzero(used)
    place = np.cumsum(used) - 1
    hand = np.flatnonzero(used[batch.hands.game])
    game = place[batch.hands.game[hand]]
    before = batch.hands.scores[hand].astype(np.int64)
    after = ends.after[hand].copy()
    last = end[games] - 1
    final = batch.games.final_scores[games].astype(np.int64)
    stated = (final != UNKNOWN_POINTS).all(axis=1)
    at_end = np.searchsorted(hand, last)
    after[at_end[stated]] = final[stated]
    worths = _Worths(batch, rulesets, games, hand, game, after[at_end])
    if worth or outlook:
        worths.fill(worth, outlook)
    parts = measured.parts[hand]
    return LuckLedger(
        games,
        hand,
        game,
        hand - begin[batch.hands.game[hand]],
        (after - before).astype(float),
        parts,
        worths.worth,
        np.einsum("nij,nj->ni", worths.slopes, parts.sum(axis=2)),
        np.einsum("nipj,nj->nip", worths.place_slopes, parts.sum(axis=2)),
        worths.chances,
        worths.expected,
        worths.leverage,
        worths.final,
        int((~used).sum()),
    )


class _Worths:
    """What the place model says of the hands of a batch."""

    def __init__(
        self, batch: Batch, rulesets: Sequence[Ruleset], games: I64, hand: I64, game: I64, final: I64
    ) -> None:
        self._rulesets, self._of, self._game = rulesets, games, game
        self.worth, self.leverage = np.full((len(games), SEATS), np.nan), np.full((len(hand), SEATS), np.nan)
        self.slopes = np.full((len(hand), SEATS, SEATS), np.nan)
        self.place_slopes = np.full((len(hand), SEATS, SEATS, SEATS), np.nan)
        self.expected = self.leverage.copy()
        self.chances = np.full((len(hand), SEATS, SEATS), np.nan)
        self.final = np.full((len(games), SEATS, SEATS), np.nan)
        self._rows = game_rows(batch, hand)
        last = np.append(np.flatnonzero(np.diff(game)), len(hand) - 1)[: len(games)]
        self._ends = self._rows[last].copy()
        self._ends[:, :SEATS] = final
        self._ends[:, place_chances.G_STICKS], self._ends[:, place_chances.G_OVER] = 0, 1

    def fill(self, name: str, outlook: bool) -> None:
        """Work out what is asked for, for each ruleset that has place chances."""
        for rules, games in self._groups():
            chosen = np.isin(self._game, games)
            try:
                ended = place_model(rules, END_SAMPLES).answers(self._ends[games])
            except ArgumentError:  # wareme
                continue
            worth = utility(name or "rules", rules)
            self.worth[games] = worth.of_answers(ended)
            rows, of = np.unique(self._rows[chosen], axis=0, return_inverse=True)  # games begin alike
            self.slopes[chosen], self.place_slopes[chosen], self.leverage[chosen] = (
                found[of.ravel()] for found in _slopes(rules, worth, rows)
            )
            if outlook:
                answers = place_model(rules).answers(rows)[of.ravel()]
                self.chances[chosen], self.expected[chosen] = answers[:, :, :SEATS], worth.of_answers(answers)
                self.final[games] = ended[:, :, :SEATS]

    def _groups(self) -> Iterator[tuple[Ruleset, Mask]]:
        numbers: dict[int, list[int]] = {}
        for place, game in enumerate(self._of.tolist()):
            numbers.setdefault(id(self._rulesets[game]), []).append(place)
        for places in numbers.values():
            yield self._rulesets[int(self._of[places[0]])], np.array(places)


def _slopes(rules: Ruleset, worth: Utility, rows: I64) -> tuple[F64, F64, F64]:
    """Return how each seat's utility, and its chance of each place, change with a point of each seat's.

    They are (n, 4, 4) and (n, 4, 4 places, 4), followed by the (n, 4) spread of the utility. All are over
    ends that the hand may have: utility and chances are regressed on the points that they bring.
    """
    model = place_model(rules, END_SAMPLES)
    after = model.after_some(rows, ENDS)
    answers = model.answers(after.reshape(-1, place_chances.G_SIZE))
    values = np.concatenate([worth.of_answers(answers)[:, :, None], answers[:, :, :SEATS]], axis=2)
    values = values.reshape(len(rows), ENDS, SEATS * (SEATS + 1))
    values -= values.mean(axis=1, keepdims=True)
    points = after[:, :, :SEATS] - rows[:, None, :SEATS].astype(float)
    points -= points.mean(axis=1, keepdims=True)
    square = np.swapaxes(points, 1, 2) @ points / ENDS + RIDGE * np.eye(SEATS)
    slopes = np.linalg.solve(square, np.swapaxes(points, 1, 2) @ values / ENDS)
    slopes = np.swapaxes(slopes, 1, 2).reshape(len(rows), SEATS, SEATS + 1, SEATS)
    return slopes[:, :, 0], slopes[:, :, 1:], values[:, :, :: SEATS + 1].std(axis=1)
