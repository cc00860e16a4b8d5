"""What decisions cost: each costly one with its options and a sentence of why, and each player in sum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from textwrap import wrap
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.judgement.columns import Option
from paifu.replay.judgement.judged import SURE, Judgement, judgements
from paifu.replay.judgement.model import Model
from paifu.replay.kernels import decision_model as kernels
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import tile_name
from paifu.replay.rules.presets import Given
from paifu.replay.views.labels import format_label

I64 = npt.NDArray[np.int64]
KINDS = ("pushing", "folding", "efficiency", "riichi", "calls", "kans")
"""Kinds of decisions: a discard under threat that was more dangerous than the best one, or less; a discard
without a threat; riichi or silence; a call or a pass; an own kan or none."""
MISTAKES = ("pushing", "folding")
"""Kinds of which a loss is called a mistake: in these, stronger players lose less."""
MIN_LOSS = 300
SHOWN_OPTIONS = 5
WIDTH = 90
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
    (kernels.V_NOW, "risk of this tile"),
    (kernels.V_WIN, "winning"),
    (kernels.V_LATER, "later deal-ins"),
    (kernels.V_OTHERWISE, "other ends"),
)
COLUMNS: dict[str, type] = {
    "source": str, "game": str, "hand": str, "event": int, "turn": int, "seat": int, "player": str,
    "kind": str, "severity": str, "chosen": str, "best": str, "loss": int, "error": int, "dealt_in": bool,
    "why": str, "options": str,
}  # fmt: skip
"""Keys of a row, in order, and their types in a typed table, where the options are JSON text."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A decision that cost points."""

    kind: str
    loss: float
    error: float
    row: dict[str, Any]
    """The values of ``COLUMNS``."""


@dataclass(slots=True)
class PlayerLosses:
    """A player's losses in sum; they can be added."""

    hands: int = 0
    decisions: int = 0
    total: dict[str, float] = field(default_factory=lambda: dict.fromkeys(KINDS, 0.0))
    squares: dict[str, float] = field(default_factory=lambda: dict.fromkeys((*KINDS, "all"), 0.0))
    """Sums over hands of the squared loss in the hand."""

    def __add__(self, other: PlayerLosses) -> PlayerLosses:
        return PlayerLosses(
            self.hands + other.hands,
            self.decisions + other.decisions,
            {kind: self.total[kind] + other.total[kind] for kind in self.total},
            {kind: self.squares[kind] + other.squares[kind] for kind in self.squares},
        )

    def per_100(self, kind: str = "all") -> tuple[float, float, float]:
        """Return the loss per 100 hands, and the bounds of a 95% interval."""
        total = sum(self.total.values()) if kind == "all" else self.total[kind]
        number = max(1, self.hands)
        mean = total / number
        spread = max(0.0, self.squares[kind] / number - mean * mean)
        half = 1.96 * float(np.sqrt(spread / number))
        return 100 * mean, 100 * (mean - half), 100 * (mean + half)

    def summary(self, player: str) -> dict[str, Any]:
        """Return the player's line of the summary."""
        return {
            "player": player,
            "hands": self.hands,
            "decisions": self.decisions,
            "loss_per_100_hands": {
                kind: dict(zip(("value", "low", "high"), map(round, self.per_100(kind)), strict=True))
                for kind in ("all", *KINDS)
            },
            "loss": {kind: round(self.total[kind]) for kind in KINDS},
        }


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found in a batch."""

    losses: list[Loss]
    players: dict[str, PlayerLosses]
    games: int
    without_model: int
    """Games for which there is no model."""


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


def losses(
    batch: Batch,
    *rules: Given,
    players: frozenset[str] = frozenset(),
    kinds: tuple[str, ...] = MISTAKES,
    min_loss: float = MIN_LOSS,
    model: Model | None = None,
) -> Judged:
    """Judge the decisions of a batch.

    ``players`` are case-folded names, none for everybody. Only losses of ``kinds``, of at least ``min_loss``
    points and more than twice their error are listed; sums count all that exceed twice their error.
    """
    found: list[Loss] = []
    sums: dict[str, PlayerLosses] = {}
    judged_games: set[int] = set()
    for one in judgements(batch, *rules, model=model):
        chosen = one.chosen
        game, seat = one.table.game[chosen], one.table.seat[chosen]
        judged_games.update(np.unique(game).tolist())
        kind = kinds_of(one)
        names = batch.games.names[game, seat]
        wanted = np.array([not players or str(name).casefold() in players for name in names], bool)
        _add(sums, one, kind, names, wanted)
        listed = wanted & one.is_costly(min_loss) & np.isin(kind, [KINDS.index(name) for name in kinds])
        found += [_loss(batch, one, int(at), KINDS[kind[at]]) for at in np.flatnonzero(listed)]
    return Judged(found, sums, len(judged_games), len(batch) - len(judged_games))


def _add(
    sums: dict[str, PlayerLosses],
    one: Judgement,
    kind: I64,
    names: npt.NDArray[np.object_],
    wanted: npt.NDArray[np.bool_],
) -> None:
    """Add the losses of some whole hands to the players' sums."""
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
        own.decisions += len(rows)
        by_kind = np.bincount(kind[rows], sure[rows], len(KINDS)).tolist()
        for name, points in zip(KINDS, by_kind, strict=True):
            own.total[name] += points
            own.squares[name] += points * points
        own.squares["all"] += sum(by_kind) ** 2


def option_words(one: Judgement, row: int) -> str:
    """Name an option."""
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
    told = [f"{name} {points:+,.0f}" for points, name in sorted(differences, key=lambda it: -abs(it[0]))]
    chance = 100 * one.answers[[best, chosen], kernels.V_DEAL_IN]
    text = f"{option_words(one, best)} was worth {one.loss[number]:,.0f} more: {', '.join(told)}"
    if max(chance) >= 0.5:
        text += f"; deals in {chance[0]:.1f}%, {option_words(one, chosen)} {chance[1]:.1f}%"
    return text


def _loss(batch: Batch, one: Judgement, number: int, kind: str) -> Loss:
    table, chosen = one.table, int(one.chosen[number])
    game, hand, event = int(table.game[chosen]), int(table.hand[chosen]), int(table.event[chosen])
    seat, hands = int(table.seat[chosen]), batch.hands
    begin = int(hands.event_begin[hand])
    own = (batch.events.kind[begin : event + 1] == EventKind.DISCARD) & (
        batch.events.seat[begin : event + 1] == seat
    )
    row = {
        "source": str(batch.games.source[game]),
        "game": str(batch.games.id[game]),
        "hand": format_label(int(hands.round[hand]), int(hands.honba[hand])),
        "event": event - begin,
        "turn": int(own.sum()),
        "seat": seat,
        "player": str(batch.games.names[game, seat]),
        "kind": kind,
        "severity": "mistake" if kind in MISTAKES else "note",
        "chosen": option_words(one, chosen),
        "best": option_words(one, int(one.best[number])),
        "loss": round(float(one.loss[number])),
        "error": round(float(one.error[number])),
        "dealt_in": bool(table.dealt_in[chosen] == 1),
        "why": why(one, number),
        "options": option_rows(one, number),
    }
    return Loss(kind, float(one.loss[number]), float(one.error[number]), row)


def loss_lines(one: Loss) -> Iterator[str]:
    """Yield a loss for people: a line of what, a line of why, and the options worth most."""
    row = one.row
    came = ", and it dealt in" if row["dealt_in"] else ""
    yield f"{row['loss']:>7,}  {row['kind']}, {row['hand']} turn {row['turn']}: {row['chosen']}{came}"
    yield from wrap(row["why"], WIDTH, initial_indent=" " * 9, subsequent_indent=" " * 9)
    head = f"{'':9}{'':<16}{'shanten':>8}{'tiles':>7}{'deal-in':>9}{'win':>7}{'points':>9}"
    yield head
    shown = [option for option in row["options"] if option["total"] is not None][:SHOWN_OPTIONS]
    chosen = next(option for option in row["options"] if option["chosen"])
    if chosen not in shown:
        shown.append(chosen)
    for option in shown:
        mark = "best" if option["best"] else "chosen" if option["chosen"] else ""
        yield (
            f"{'':9}{option['option']:<16}{option['shanten']:>8}{option['accepted']:>7}"
            f"{option['deal_in_percent']:>8.1f}%{option['win_percent']:>6.1f}%{option['total']:>9,}  {mark}"
        ).rstrip()


def player_lines(players: dict[str, PlayerLosses], most: int) -> Iterator[str]:
    """Yield a table of the players, those with most hands first, and everybody in sum."""
    ordered = sorted(players.items(), key=lambda item: (-item[1].hands, item[0]))
    yield f"{'loss per 100 hands':<22}{'hands':>7}{'all':>8}{'95% interval':>18}" + "".join(
        f"{kind:>11}" for kind in KINDS
    )
    shown = ordered[:most] if most else ordered
    every = sum((own for _, own in ordered), PlayerLosses())
    for name, own in [*shown, *([("everybody", every)] if len(ordered) > 1 else [])]:
        value, low, high = own.per_100()
        yield f"{name or 'no name':<22.22}{own.hands:>7,}{value:>8,.0f}{f'{low:,.0f} to {high:,.0f}':>18}" + (
            "".join(f"{own.per_100(kind)[0]:>11,.0f}" for kind in KINDS)
        )
    if len(shown) < len(ordered):
        yield f"{len(ordered) - len(shown)} more; --limit 0 shows all"
