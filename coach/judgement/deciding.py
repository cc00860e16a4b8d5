"""Options of a batch: the checked caller of the kernels that write them down."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from paifu.coach.decisions import Options
from paifu.coach.kernels.decision_layout import (
    D_DECISION,
    D_EVENT,
    D_GAME,
    D_HAND,
    D_POINTS,
    D_SIZE,
    HAND_ROWS,
    DecisionState,
    Thoughts,
)
from paifu.coach.kernels.decision_pass import decide_hands
from paifu.coach.kernels.option_rows import OPTION
from paifu.replay.arrays import I32, I64, U8, Mask
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch, rows_within
from paifu.replay.model.events import EventKind
from paifu.replay.review.results import new_review, review_of
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import Given, rulesets_of
from paifu.replay.shapes.tables import load_tables
from paifu.replay.table.engine import claims_under, events_of, new_notes, new_scoring, new_table
from paifu.replay.table.hidden import uncovered

ROOM = 8 * HAND_ROWS
"""Rows that are written at a time: 4 MB."""


def rows_of_options(
    batch: Batch, *rules: Given, room: int = ROOM, only: Mask | None = None
) -> Iterator[tuple[I32, U8]]:
    """Yield the options of all decisions of ``batch``, some thousand rows at a time, in the order of play.

    They come as two arrays, of numbers and of bytes; :func:`table_of` makes a table of them. They are of
    whole hands, of games with the same rules. Only games of riichi have any. Seats of which tiles are hidden
    are left out, and so is what follows a move that the engine cannot carry out. Each of ``rules`` replaces
    the ruleset that logs of games with its number of players name. ``only`` (hands, 4) says which seats to
    look at; all, if not given.
    """
    rulesets = rulesets_of(batch, *rules)
    groups: dict[Ruleset, list[int]] = {}
    for game, ruleset in enumerate(rulesets):
        if ruleset.game.scheme == Scheme.HAN_FU:
            groups.setdefault(ruleset, []).append(game)
    targets = _Targets(batch, only)
    number = 0
    for ruleset, games in groups.items():
        for ids, cells in _of_games(batch, ruleset, np.array(games), room, number, targets):
            number = int(ids[-1, D_DECISION]) + 1
            yield ids, cells


def table_of(ids: I32, cells: U8) -> Options:
    """Return options as a table, whose columns lie in the two arrays."""
    columns: dict[str, npt.NDArray[np.generic]] = dict(
        zip(("game", "hand", "event", "decision", "points"), ids.T, strict=True)
    )
    for one in Options.columns():
        if one.dtype == "uint8":
            at = getattr(OPTION, one.name)
            columns[one.name] = cells[:, at : at + one.cells] if one.width else cells[:, at]
    return Options(**columns)  # type: ignore[arg-type]


def new_decisions(rules: Ruleset, batch: Batch, room: int) -> DecisionState:
    """Return what the kernels fill of hands of ``batch`` under ``rules``, with room for ``room`` rows."""
    players = rules.table.players
    return DecisionState(
        table=new_table(),
        rules=rules.kernel(),
        shapes=load_tables(sanma=players == 3),
        scoring=new_scoring(rules),
        review=review_of(new_review(batch, 1), players),
        cells=np.zeros((room, OPTION.size), np.uint8),
        ids=np.zeros((room, D_SIZE), np.int32),
        mind=Thoughts(),
    )


def _of_games(
    batch: Batch, rules: Ruleset, games: I64, room: int, first: int, targets: _Targets
) -> Iterator[tuple[I32, U8]]:
    chosen = rows_within(batch.games.hand_begin[games], batch.games.hand_end[games])
    chosen = chosen[targets.asked[chosen, : rules.table.players].any(axis=1)]
    asked = np.packbits(targets.asked, axis=1, bitorder="little")[:, 0]
    hands, events = claims_under(rules, batch, chosen), events_of(batch, targets.uncovered)
    notes, desk = new_notes(64), new_decisions(rules, batch, max(room, HAND_ROWS + 1))
    desk.mind.decisions = first
    while True:
        desk.mind.rows = 0
        decide_hands(chosen, asked, hands, events, notes, desk)
        rows = desk.mind.rows
        if rows:
            yield targets.filled(desk.ids[:rows].copy(), desk.cells[:rows].copy())
        if desk.mind.next_hand >= len(chosen):
            return


class _Targets:
    """What came of each hand for each player, from what the log states."""

    def __init__(self, batch: Batch, only: Mask | None) -> None:
        self.game = batch.hands.game
        self.uncovered = uncovered(batch)
        self.asked: Mask = self.uncovered.known if only is None else self.uncovered.known & only
        change = np.zeros((len(batch.hands), 4), np.int64)
        known = np.zeros(len(batch.hands), bool)
        self.won, self.paid = np.zeros((2, len(batch.hands)), np.uint8)
        for table in (batch.wins, batch.hand_draws):
            stated = (table.deltas != UNKNOWN_POINTS).any(axis=1)
            known[table.hand] = True
            np.add.at(change, table.hand, np.where(table.deltas == UNKNOWN_POINTS, 0, table.deltas))
            known[table.hand[~stated]] = False
        wins = batch.wins
        np.bitwise_or.at(self.won, wins.hand, (1 << np.minimum(wins.seat, 7)).astype(np.uint8))
        ron = wins.source != wins.seat
        np.bitwise_or.at(self.paid, wins.hand[ron], (1 << np.minimum(wins.source[ron], 7)).astype(np.uint8))
        self.change, self.known = change, known
        self.sticks = np.full((len(batch.hands), 4), -1, np.int64)
        """Event at which each player paid a riichi stick."""
        at = np.flatnonzero(batch.events.kind == EventKind.RIICHI_PAID)
        at = at[batch.events.seat[at] < 4]
        hand = batch.hands_of(at)
        at, hand = at[hand >= 0], hand[hand >= 0]
        self.sticks[hand, batch.events.seat[at]] = at

    def filled(self, ids: I32, cells: U8) -> tuple[I32, U8]:
        """Return the rows, targets filled in; points are UNKNOWN_POINTS where the log states none."""
        hand, seat = ids[:, D_HAND], cells[:, OPTION.seat]
        ids[:, D_GAME] = self.game[hand]
        points = self.change[hand, seat] - 1000 * (self.sticks[hand, seat] >= ids[:, D_EVENT])
        ids[:, D_POINTS] = np.where(self.known[hand], points, UNKNOWN_POINTS)
        cells[:, OPTION.won] = self.won[hand] >> seat & 1
        paid = self.paid[hand] >> seat & 1
        cells[:, OPTION.dealt_in] = np.where(cells[:, OPTION.to] != 0, 1, 2 * paid)
        return ids, cells


assert (D_GAME, D_HAND, D_EVENT, D_DECISION, D_POINTS) == (0, 1, 2, 3, 4)  # noqa: S101  the order of the table
