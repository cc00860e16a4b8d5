"""What the choices of a batch cost: each decision with the model's answer for every option."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.coach.decisions import Decisions, Options
from paifu.coach.judgement.deciding import rows_of_options, table_of
from paifu.coach.judgement.model import Model, cells_of, neighbourhood, shipped_model
from paifu.coach.kernels import decision_model as kernels
from paifu.coach.kernels.decision_layout import D_GAME, D_HAND
from paifu.coach.kernels.option_rows import OPTION
from paifu.replay.arrays import F32, I32, I64, U8
from paifu.replay.course.settlement import is_last_hand
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.rulesets.presets import Given, rulesets_of

SURE = 2.0
"""Standard errors that a loss must exceed to be called one."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """Options of some decisions and what the model says of each."""

    table: Options
    cells: U8
    """Bytes of its rows."""
    answers: F32
    """(rows, V_SIZE); see ``kernels.decision_model``."""
    first: I64
    """(decisions,) first row of each."""
    end: I64
    """(decisions,) row after the last of each."""
    chosen: I64
    """(decisions,) row that was chosen."""
    best: I64
    """(decisions,) row that is worth most of those that are judged; the chosen one if that is not judged."""
    loss: F32
    """(decisions,) points that ``best`` is worth more; 0 where the chosen row is not judged."""
    error: F32
    """(decisions,) standard error of ``loss``; infinite where the chosen row is not judged."""
    row_error: F32
    """(rows,) standard error of each option's value; infinite where it is not judged."""
    is_last: npt.NDArray[np.bool_]
    """(decisions,) whether it fell in a last hand, where places count and the model, which knows only points,
    has no say."""

    def __len__(self) -> int:
        return len(self.first)

    def options(self, number: int) -> slice:
        """Return the rows of a decision."""
        return slice(int(self.first[number]), int(self.end[number]))

    def is_costly(self, least: float) -> npt.NDArray[np.bool_]:
        """Return which decisions lost at least ``least`` points, and more than ``SURE`` standard errors.

        Decisions in last hands are never among them.
        """
        return (self.loss >= least) & (self.loss > SURE * self.error) & ~self.is_last


def judge(
    table: Options,
    model: Model,
    cells: U8 | None = None,
    is_last: npt.NDArray[np.bool_] | None = None,
) -> Judgement:
    """Judge the decisions of a table of options.

    ``cells`` are its bytes, if they are at hand; ``is_last`` (rows,) says which are of last hands: none, if
    not given.
    """
    cells = cells_of(table) if cells is None else cells
    answers = model.judge(table, cells)
    first = np.flatnonzero(np.diff(table.decision, prepend=-1)) if len(table) else np.zeros(0, np.int64)
    end = np.append(first, len(table))[1:]
    chosen = np.flatnonzero(table.chosen)
    error = model.error(table, cells)
    total = np.where(np.isinf(error), -np.inf, answers[:, kernels.V_TOTAL])
    best = rows_of_most(total, first, end)
    known = ~np.isinf(error[chosen])
    best = np.where(known & (total[chosen] < total[best]), best, chosen)
    loss = np.where(known, answers[best, kernels.V_TOTAL] - answers[chosen, kernels.V_TOTAL], 0)
    apart = np.sqrt(error[best] ** 2 + error[chosen] ** 2)
    last = np.zeros(len(first), bool) if is_last is None else is_last[first]
    loss = np.maximum(0, loss).astype(np.float32)
    return Judgement(table, cells, answers, first, end, chosen, best, loss, apart, error, last)


def rows_of_most(values: npt.NDArray[np.floating[Any]], first: I64, end: I64) -> I64:
    """Return of each decision the row with the greatest value, the first of them if there are several.

    ``values`` (rows,); ``first`` and ``end`` (decisions,) as in :class:`Judgement`.

    >>> rows_of_most(np.array([1.0, 3, 3, 2, 0]), np.array([0, 3]), np.array([3, 5])).tolist()
    [1, 3]
    """
    if not len(first):
        return first
    is_most = values == np.repeat(np.maximum.reduceat(values, first), end - first)
    found: I64 = np.minimum.reduceat(np.where(is_most, np.arange(len(values)), len(values)), first)
    return found


def judgements(batch: Batch, *rules: Given, only: npt.NDArray[np.bool_] | None = None) -> Iterator[Judgement]:
    """Yield the judged decisions of a batch, or ``only`` of some seats (hands, 4), in the order of play.

    Games are judged by the model that comes with the package for their number of players; those for which
    there is none are left out.
    """
    last = _last_hands(batch, *rules)
    for ids, cells in rows_of_options(batch, *rules, only=only):
        model = shipped_model(int(batch.games.players[ids[0, D_GAME]]))
        if model is not None:
            yield judge(table_of(ids, cells), model, cells, last[ids[:, D_HAND]])


def _last_hands(batch: Batch, *rules: Given) -> npt.NDArray[np.bool_]:
    """Return which hands are the last of their game, as far as the schedule goes, or of overtime."""
    rulesets, hands = rulesets_of(batch, *rules), batch.hands
    pairs = zip(hands.game.tolist(), hands.round.tolist(), strict=True)
    return np.fromiter((is_last_hand(rulesets[game], round_) for game, round_ in pairs), bool, len(hands))


def decisions(batch: Batch, *rules: Given) -> Iterator[Decisions]:
    """Yield the table of decisions of a batch, part by part; see :class:`Decisions`."""
    for ids, cells in rows_of_options(batch, *rules):
        yield _decisions(ids, cells, shipped_model(int(batch.games.players[ids[0, D_GAME]])))


def _decisions(ids: I32, cells: U8, model: Model | None) -> Decisions:
    chosen = np.flatnonzero(cells[:, OPTION.chosen])
    table = table_of(ids, cells)
    columns = dict(table_of(ids[chosen], cells[chosen]).arrays())
    length = np.diff(np.flatnonzero(np.diff(table.decision, prepend=-1)), append=len(table))
    columns["options"] = length.astype(np.uint8)
    columns["neighbourhood"] = neighbourhood(table, cells)[chosen].astype(np.int16)
    columns |= {name: np.full(len(chosen), UNKNOWN_POINTS, np.int32) for name in _POINTS}
    columns["best_option"], columns["best_tile"] = columns["option"], columns["tile"]
    if model is not None:
        one = judge(table, model, cells)
        columns["best_option"], columns["best_tile"] = table.option[one.best], table.tile[one.best]
        known = np.isfinite(one.error)
        columns["loss"], columns["error"] = _rounded(one.loss, known), _rounded(one.error, known)
        answers, every = one.answers[chosen], np.ones(len(chosen), bool)
        for name, column in _PARTS.items():
            columns[name] = _rounded(answers[:, column], every)
    return Decisions(**columns)


_PARTS = {
    "expected": kernels.V_TOTAL,
    "part_now": kernels.V_NOW,
    "part_win": kernels.V_WIN,
    "part_later": kernels.V_LATER,
    "part_otherwise": kernels.V_OTHERWISE,
}
_POINTS = ("loss", "error", *_PARTS)


def _rounded(values: F32, known: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    return np.where(known, np.round(np.where(known, values, 0)), UNKNOWN_POINTS).astype(np.int32)
