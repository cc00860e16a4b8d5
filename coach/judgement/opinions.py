"""An engine's choices beside the model's and the players': how often they agree, and where they differ most.

A decision is one that the model judges: a discard, a riichi, a kan, a call or a pass, where there was more
than one option. An engine's verdict on it may come from a report or from asking the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from paifu.coach.decisions import OptionKind
from paifu.coach.judgement.judged import Judgement, judgements
from paifu.coach.judgement.losses import kinds_of, option_words
from paifu.coach.judgement.mistakes import KINDS
from paifu.coach.kernels import decision_model as kernels
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import KIND_OF_TILE
from paifu.replay.rulesets.presets import Given
from paifu.replay.views.labels import format_label
from paifu.replay.views.verdicts import RatedOption, Verdict

_TURNS = (OptionKind.DISCARD, OptionKind.RIICHI, OptionKind.ANKAN, OptionKind.KAKAN)
_NINE_TERMINALS, _THREE = 9, 3
_BEGINS = (EventKind.DRAW, EventKind.CHI, EventKind.PON)
_SORTS: Mapping[EventKind | None, OptionKind] = {
    None: OptionKind.PASS,
    EventKind.DISCARD: OptionKind.DISCARD,
    EventKind.RIICHI: OptionKind.RIICHI,
    EventKind.CHI: OptionKind.CHI,
    EventKind.PON: OptionKind.PON,
    EventKind.DAIMINKAN: OptionKind.DAIMINKAN,
    EventKind.ANKAN: OptionKind.ANKAN,
    EventKind.KAKAN: OptionKind.KAKAN,
}
COLUMNS = (
    "source", "game", "hand", "event", "seat", "player", "engine", "kind", "played", "chosen", "ours", "loss",
    "sure", "value", "gap", "options",
)  # fmt: skip
"""What a row of :meth:`Opinion.row` has."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an engine, the model and the player thought of one decision."""

    source: str
    game: int
    hand: str
    """Label, such as E1.0."""
    event: int
    """Row within the hand of the discard, kan or tile on offer."""
    seat: int
    player: str
    engine: str
    kind: str
    """One of ``KINDS``."""
    played: str
    chosen: str
    """The engine's choice."""
    ours: str
    """What the model rates highest."""
    loss: int | None
    """Points that the engine's choice loses by the model; None where it does not judge it."""
    is_sure: bool
    """The loss exceeds twice its error."""
    value: float | None
    """What the engine's choice is worth to it, in its own unit."""
    gap: float | None
    """How much more than our choice."""
    agrees: tuple[bool, bool, bool]
    """Engine and player, engine and model, model and player."""
    options: tuple[dict[str, Any], ...] = ()
    """All options that either rates: points of the model, value of the engine."""
    is_allowed: bool = True
    """The engine's choice is something that the player could do."""

    def row(self) -> dict[str, Any]:
        """Return it as plain values."""
        row = {name: getattr(self, "is_sure" if name == "sure" else name) for name in COLUMNS}
        return {**row, "options": list(self.options)}


@dataclass(slots=True)
class Agreement:
    """How often they agree, by kind of decision; the parts of an input add up."""

    counts: dict[str, list[int]] = field(default_factory=dict)
    """Kind -> decisions, engine as player, engine as model, model as player."""

    def add(self, opinion: Opinion) -> None:
        """Count a decision."""
        row = self.counts.setdefault(opinion.kind, [0, 0, 0, 0])
        row[0] += 1
        for place, same in enumerate(opinion.agrees, 1):
            row[place] += same

    def merge(self, other: Agreement) -> None:
        """Add another part."""
        for kind, counts in other.counts.items():
            own = self.counts.setdefault(kind, [0, 0, 0, 0])
            for place, count in enumerate(counts):
                own[place] += count

    @property
    def total(self) -> list[int]:
        """All kinds together."""
        return [sum(counts[place] for counts in self.counts.values()) for place in range(4)]


def opinions(
    batch: Batch,
    verdicts: Iterable[tuple[int, Verdict]],
    *rules: Given,
) -> Iterable[Opinion]:
    """Yield each judged decision on which there is a verdict; these come with the row of their hand."""
    begin = batch.hands.event_begin
    by_place = {(int(begin[hand]) + one.event, one.seat): one for hand, one in verdicts}
    for judged in judgements(batch, *rules):
        kinds = kinds_of(judged)
        for number in range(len(judged)):
            row = int(judged.chosen[number])
            event, seat = int(judged.table.event[row]), int(judged.table.seat[row])
            place = _place(batch, judged, row, event, seat)
            verdict = by_place.get((place, seat))
            if verdict is None or verdict.chosen is None:
                continue
            later = by_place.get((event - 1, seat))
            best = _best(judged, range(int(judged.first[number]), int(judged.end[number])))
            if best is not None:
                yield _opinion(batch, judged, number, best, KINDS[kinds[number]], verdict, later)


def _place(batch: Batch, judged: Judgement, row: int, event: int, seat: int) -> int:
    """Return the event after which a decision was made."""
    if judged.table.option[row] not in _TURNS:
        return event
    kinds, seats = batch.events.kind, batch.events.seat
    for at in range(event - 1, -1, -1):
        if seats[at] == seat and kinds[at] in _BEGINS:
            return at
    return event


def _opinion(
    batch: Batch,
    judged: Judgement,
    number: int,
    ours: int,
    kind: str,
    verdict: Verdict,
    later: Verdict | None,
) -> Opinion:
    table = judged.table
    played = int(judged.chosen[number])
    rows = range(int(judged.first[number]), int(judged.end[number]))
    chosen = verdict.chosen
    assert chosen is not None  # noqa: S101  the caller saw to it
    tile = None
    if chosen.kind == EventKind.RIICHI and later is not None and later is not verdict:
        tile = later.chosen.tile if later.chosen is not None else None
    place = _row_of(judged, rows, chosen, tile)
    hand, game, seat = int(table.hand[played]), int(table.game[played]), int(table.seat[played])
    loss = error = None
    if place is not None and np.isfinite(judged.row_error[place]):
        total = judged.answers[:, kernels.V_TOTAL]
        loss = round(float(max(0.0, total[ours] - total[place])))
        error = float(np.hypot(judged.row_error[ours], judged.row_error[place]))
    values = {
        at: one.value for one in verdict.options if (at := _row_of(judged, rows, one, None)) is not None
    }
    mine = values.get(ours)
    return Opinion(
        source=str(batch.games.source[game]),
        game=game,
        hand=format_label(int(batch.hands.round[hand]), int(batch.hands.honba[hand])),
        event=int(table.event[played]) - int(batch.hands.event_begin[hand]),
        seat=seat,
        player=str(batch.games.names[game, seat]),
        engine=verdict.engine,
        kind=kind,
        played=option_words(judged, played),
        chosen=chosen.text if place is None else option_words(judged, place),
        ours=option_words(judged, ours),
        loss=loss,
        is_sure=loss is not None and error is not None and loss > 2 * error,
        value=chosen.value,
        gap=None if chosen.value is None or mine is None else chosen.value - mine,
        agrees=(place == played, place == ours, played == ours),
        options=tuple(
            {
                "option": option_words(judged, at),
                "total": round(float(judged.answers[at, kernels.V_TOTAL]))
                if np.isfinite(judged.row_error[at])
                else None,
                "value": values.get(at),
            }
            for at in rows
        ),
        is_allowed=place is not None or _may_be(chosen.kind, batch, judged, rows),
    )


def _may_be(kind: EventKind | None, batch: Batch, judged: Judgement, rows: range) -> bool:
    """Return whether a choice that is not among the options of a decision was possible all the same."""
    table, own = judged.table, slice(rows.start, rows.stop)
    match kind:
        case EventKind.WIN:
            return bool(table.shanten[own].min() == 0)
        case EventKind.HAND_DRAW:
            return bool(table.outside[own].min() >= _NINE_TERMINALS - 1)
        case EventKind.KITA:
            return int(batch.games.players[table.game[rows.start]]) == _THREE
        case _:
            return False


def _best(judged: Judgement, rows: range) -> int | None:
    """Return the row that the model rates highest, None if it judges none."""
    known = [row for row in rows if np.isfinite(judged.row_error[row])]
    return max(known, key=lambda row: float(judged.answers[row, kernels.V_TOTAL]), default=None)


def _row_of(judged: Judgement, rows: range, option: RatedOption, tile: int | None) -> int | None:
    """Find an engine's option among those of the decision; ``tile`` is the discard of a riichi, if known."""
    sort = _SORTS.get(option.kind)
    same = [row for row in rows if judged.table.option[row] == sort]
    if option.kind == EventKind.RIICHI:
        wanted = tile if tile is not None else option.tile
        if wanted is None:
            return max(same, key=lambda row: float(judged.answers[row, kernels.V_TOTAL]), default=None)
        return next((row for row in same if judged.table.tile[row] == wanted), None)
    if option.kind == EventKind.CHI:
        low = min(
            (int(KIND_OF_TILE[one]) for one in (option.tile, *option.own) if one is not None), default=-1
        )
        return next((row for row in same if judged.table.tile[row] == low), None)
    if option.kind in (EventKind.DISCARD, EventKind.ANKAN, EventKind.KAKAN) and option.tile is not None:
        return next((row for row in same if judged.table.tile[row] == option.tile), None)
    return same[0] if same else None
