"""What the model says of a decision: its kind, its options, a sentence of why, and sums by player."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.judgement.columns import Option
from paifu.replay.judgement.judged import SURE, Judgement
from paifu.replay.kernels import decision_model as kernels
from paifu.replay.language import N_, _
from paifu.replay.model.tiles import tile_name
from paifu.replay.review.words import spoken_option
from paifu.reports.judgement.reference import Room
from paifu.reports.judgement.sums import KINDS, SUMS, PlayerLosses

I64 = npt.NDArray[np.int64]
_WORDS = {
    Option.DISCARD: "{}",
    Option.RIICHI: "riichi {}",
    Option.PASS: "pass",
    Option.CHI: "chi from {}",
    Option.PON: "pon",
    Option.DAIMINKAN: "open kan",
    Option.ANKAN: "closed kan {}",
    Option.KAKAN: "added kan {}",
}
_PARTS = (
    (kernels.V_NOW, N_("risk of this tile")),
    (kernels.V_WIN, N_("winning")),
    (kernels.V_LATER, N_("later deal-ins")),
    (kernels.V_OTHERWISE, N_("other ends")),
)


def kinds_of(one: Judgement) -> I64:
    """Return the kind of each decision, as its place in ``KINDS``."""
    table, chosen, best = one.table, one.chosen, one.best
    options = table.option[np.stack([chosen, best])]
    threat = (table.riichi[chosen] > 0) | (table.open_threats[chosen] > 0)
    risk = one.answers[:, kernels.V_DEAL_IN]
    found = np.where(risk[chosen] > risk[best], KINDS.index("pushing"), KINDS.index("folding"))
    found = np.where(threat, found, KINDS.index("efficiency"))
    riichi = (options == Option.RIICHI).sum(axis=0) == 1
    found = np.where(riichi, KINDS.index("riichi"), found)
    calls = (options >= Option.PASS) & (options <= Option.DAIMINKAN)
    found = np.where(calls.any(axis=0), KINDS.index("calls"), found)
    return np.where((options >= Option.ANKAN).any(axis=0), KINDS.index("kans"), found).astype(np.int64)


def add_losses(
    sums: dict[str, PlayerLosses],
    one: Judgement,
    kind: I64,
    names: npt.NDArray[np.object_],
    rooms: Mapping[int, Room],
    wanted: npt.NDArray[np.bool_],
) -> None:
    """Add the losses of some whole hands to the players' sums; ``rooms`` are those of games, by row."""
    sure = np.where(one.loss > SURE * one.error, one.loss, 0).astype(np.float64)
    wanted = wanted & ~one.is_last
    key = one.table.hand[one.chosen].astype(np.int64) * 4 + one.table.seat[one.chosen]
    order = np.argsort(key, kind="stable")
    order = order[wanted[order]]
    cuts = np.flatnonzero(np.diff(key[order], prepend=-1)).tolist()
    for low, high in pairwise([*cuts, len(order)]):
        rows = order[low:high]
        own = sums.setdefault(str(names[rows[0]]), PlayerLosses())
        own.hands += 1
        own.rooms[rooms[int(one.table.game[one.chosen[rows[0]]])]] += 1
        own.decisions += len(rows)
        by_kind = np.bincount(kind[rows], sure[rows], len(KINDS)).tolist()
        for name, points in zip(KINDS, by_kind, strict=True):
            own.total[name] += points
            own.squares[name] += points * points
        for name, parts in SUMS.items():
            own.squares[name] += sum(by_kind[KINDS.index(part)] for part in parts) ** 2


def option_words(one: Judgement, row: int) -> str:
    """Name an option, as data do."""
    return _WORDS[Option(one.table.option[row])].format(tile_name(int(one.table.tile[row])))


def option_rows(one: Judgement, number: int) -> list[dict[str, Any]]:
    """Return the options of a decision as plain values, best first; those not judged have no total."""
    table, answers = one.table, one.answers
    rows = np.arange(one.first[number], one.last[number])
    known = np.isfinite(one.row_error[rows])
    order = rows[np.lexsort((-answers[rows, kernels.V_TOTAL], ~known))]
    found = []
    for row in order.tolist():
        is_known = bool(np.isfinite(one.row_error[row]))
        found.append(
            {
                "option": option_words(one, row),
                "chosen": row == int(one.chosen[number]),
                "best": row == int(one.best[number]),
                "shanten": int(table.shanten[row]),
                "accepted": int(table.accepted[row]),
                "deal_in_percent": round(100 * float(answers[row, kernels.V_DEAL_IN]), 1),
                "win_percent": round(100 * float(answers[row, kernels.V_CHANCE]), 1),
                "gain": round(float(answers[row, kernels.V_GAIN])),
                "risk": round(float(answers[row, kernels.V_NOW])),
                "winning": round(float(answers[row, kernels.V_WIN])),
                "later": round(float(answers[row, kernels.V_LATER])),
                "otherwise": round(float(answers[row, kernels.V_OTHERWISE])),
                "total": round(float(answers[row, kernels.V_TOTAL])) if is_known else None,
            }
        )
    return found


def why(one: Judgement, number: int) -> str:
    """Return a sentence that says what makes the best option worth more, from the parts."""
    best, chosen = one.best[number], one.chosen[number]
    differences = [
        (float(one.answers[best, part] - one.answers[chosen, part]), name) for part, name in _PARTS
    ]
    told = [f"{_(name)} {points:+,.0f}" for points, name in sorted(differences, key=lambda it: -abs(it[0]))]
    chance = 100 * one.answers[[best, chosen], kernels.V_DEAL_IN]
    words = (
        _(
            "{best} was worth {points:,.0f} more: {parts}; "
            "deals in {percent:.1f}%, {chosen} {chosen_percent:.1f}%"
        )
        if max(chance) >= 0.5
        else _("{best} was worth {points:,.0f} more: {parts}")
    )
    return words.format(
        best=spoken_option(option_words(one, best)),
        points=one.loss[number],
        parts=_(", ").join(told),
        percent=chance[0],
        chosen=spoken_option(option_words(one, chosen)),
        chosen_percent=chance[1],
    )
