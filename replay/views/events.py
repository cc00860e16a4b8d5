"""One event of a hand, as a view."""

from __future__ import annotations

from dataclasses import dataclass, fields, make_dataclass
from typing import Any, cast

import numpy as np

from paifu.replay.model.batch import Batch
from paifu.replay.model.events import NO_SEAT, RULING_SHIFT, EventFlag, EventKind
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rules.choices import Consequence
from paifu.replay.rules.foul_kinds import FOUL_NAMES
from paifu.replay.views.cells import Points, name_of, points_of


@dataclass(frozen=True, slots=True, repr=False)
class Event:
    """One event of a hand; what the fields mean for each kind is at EventKind."""

    index: int
    """Position among the events of its hand (or of those before the first hand), from 0."""
    row: int
    """Row in the batch's ``events``."""
    kind: EventKind
    seat: int | None
    source: int | None
    tile: int | None
    tile_id: int | None
    own: tuple[int, ...]
    """The caller's own tiles in a meld."""
    own_id: tuple[int, ...]
    flags: EventFlag
    time: int | None = None
    """Milliseconds since the game began, where the log states it."""
    scores: Points | None = None
    """Scores after a riichi was paid, where the log states them."""
    foul: str | None = None
    """Kind of a foul, as paifu logs name it."""
    ruled: Consequence | None = None
    """What a foul costs, where the table ruled on it."""

    @property
    def is_tsumogiri(self) -> bool:
        """The tile discarded is the one just drawn."""
        return EventFlag.TSUMOGIRI in self.flags

    @property
    def is_order_uncertain(self) -> bool:
        """The format states only each seat's own order, and this event could be elsewhere as well."""
        return EventFlag.ORDER_UNCERTAIN in self.flags

    def __repr__(self) -> str:
        words = [str(self.index)]
        if self.seat is not None:
            words.append(f"seat {self.seat}")
        words.append(_VERBS[self.kind])
        if self.tile is not None or self.kind in _WITH_TILE:
            words.append(name_of(self.tile))
        if self.foul is not None:
            words.append(self.foul)
        if self.own:
            words.append("with " + " ".join(map(tile_name, self.own)))
        if self.source is not None and self.source != self.seat:
            words.append(f"from {self.source}")
        words += [_FLAG_WORDS[flag] for flag in self.flags]
        return f"<Event {' '.join(words)}>"


_Unfrozen: Any = make_dataclass("_Unfrozen", [field.name for field in fields(Event)], slots=True)
"""An event whose slots are filled at once: a frozen class fills each of them by a call of its own."""


def _frozen(event: Any) -> Event:
    """Make an event of an unfrozen one, whose slots are the same."""
    event.__class__ = Event
    return cast(Event, event)


_VERBS = {
    EventKind.DRAW: "draws",
    EventKind.DISCARD: "discards",
    EventKind.CHI: "calls chi",
    EventKind.PON: "calls pon",
    EventKind.DAIMINKAN: "calls daiminkan",
    EventKind.ANKAN: "declares ankan",
    EventKind.KAKAN: "declares kakan",
    EventKind.KITA: "sets aside kita",
    EventKind.RIICHI: "declares riichi",
    EventKind.RIICHI_PAID: "pays riichi",
    EventKind.DORA: "dora indicator",
    EventKind.WIN: "wins on",
    EventKind.HAND_DRAW: "ends the hand in a draw",
    EventKind.BONUS: "sets aside",
    EventKind.LEAVE: "leaves",
    EventKind.RETURN: "returns",
    EventKind.FOUL: "commits a foul:",
}
_WITH_TILE = frozenset({EventKind.DRAW, EventKind.DISCARD, EventKind.DORA, EventKind.WIN})
_RULINGS = frozenset(Consequence) - {0}
_MARKS, _OF_A_FOUL = sum(EventFlag), (1 << RULING_SHIFT) - 1
_KINDS = {int(kind): kind for kind in EventKind}
_FOUL = int(EventKind.FOUL)
_NO_TILES = [NO_TILE] * 3  # the width of the columns
_FLAGS = tuple(map(EventFlag, range(_MARKS + 1)))
"""By number: to ask the classes takes longer than all the rest of a row."""
_FLAG_WORDS = {
    EventFlag.TSUMOGIRI: "tsumogiri",
    EventFlag.ORDER_UNCERTAIN: "(order uncertain)",
    EventFlag.OPEN: "with the hand shown",
}


def _ruled(flags: int) -> Consequence | None:
    cost = flags >> RULING_SHIFT
    return Consequence(cost) if cost in _RULINGS else None


def events_of(batch: Batch, begin: int, end: int, players: int) -> tuple[Event, ...]:
    """Return the events in some rows of a batch."""
    table = batch.events
    paid = batch.riichi_scores
    first, last = np.searchsorted(paid.event, (begin, end)).tolist()
    scores = {int(paid.event[i]): points_of(paid.scores[i, :players]) for i in range(first, last)}
    columns = (
        table.kind, table.seat, table.source, table.tile, table.tile_id, table.own, table.own_id, table.flags,
        table.time,
    )  # fmt: skip
    rows = zip(*(column[begin:end].tolist() for column in columns), strict=True)
    return tuple(
        _frozen(
            _Unfrozen(
                index=index,
                row=begin + index,
                kind=_KINDS[kind],
                seat=None if seat == NO_SEAT else seat,
                source=None if source == NO_SEAT else source,
                tile=None if tile == NO_TILE or kind == _FOUL else tile,
                tile_id=None if tile_id == NO_TILE else tile_id,
                own=() if own == _NO_TILES else tuple(t for t in own if t != NO_TILE),
                own_id=() if own_id == _NO_TILES else tuple(t for t in own_id if t != NO_TILE),
                flags=_FLAGS[flags & (_OF_A_FOUL if kind == _FOUL else _MARKS)],
                time=None if time == -1 else time,
                scores=scores.get(begin + index),
                foul=FOUL_NAMES[tile] if kind == _FOUL and tile < len(FOUL_NAMES) else None,
                ruled=_ruled(flags) if kind == _FOUL else None,
            )
        )
        for index, (kind, seat, source, tile, tile_id, own, own_id, flags, time) in enumerate(rows)
    )
