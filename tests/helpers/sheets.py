"""A game as plain lists that can be changed at will, and back to a batch: what mutation tests write on.

A :class:`Sheet` is one game; its hands hold their events in order, and each event carries what the log states
with it (the row of a win or a draw, the scores after a paid riichi). So an event can be changed, moved, left
out or doubled, and its claims go with it. Tiles are tile codes: physical ids where the log names them.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from paifu.replay.model.batch import Batch, Games, HandDraws, Hands, Table, Wins
from paifu.replay.model.builder import BatchBuilder, GameDraft
from paifu.replay.model.events import CODE_OF_TILE, NO_SEAT, EventKind, pack
from paifu.replay.model.tiles import KIND_OF_TILE, NO_TILE, tile_of_id_table
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import ruleset_of

_OF_BUILDER = {"game", "hand", "event", "hand_begin", "hand_end", "event_begin", "event_end", "end"}
MARKS = (EventKind.LEAVE, EventKind.RETURN)


@dataclass
class Event:
    """One event; ``row`` holds the claims of a win or a draw, ``scores`` those after a paid riichi."""

    kind: EventKind
    seat: int = NO_SEAT
    tile: int = NO_TILE
    source: int = NO_SEAT
    own: tuple[int, ...] = ()
    flags: int = 0
    row: dict[str, Any] | None = None
    scores: list[int] | None = None


@dataclass
class HandSheet:
    """One hand: the columns of its row, and its events."""

    row: dict[str, Any]
    events: list[Event] = field(default_factory=list)

    def find(self, *kinds: EventKind) -> list[int]:
        """Indices of the events of these kinds."""
        return [at for at, event in enumerate(self.events) if event.kind in kinds]

    @property
    def wins(self) -> list[dict[str, Any]]:
        """Claims of the wins."""
        return [e.row for e in self.events if e.kind == EventKind.WIN and e.row is not None]

    @property
    def draw(self) -> dict[str, Any] | None:
        """Claims of a hand that ended without a winner."""
        return next((e.row for e in self.events if e.kind == EventKind.HAND_DRAW), None)

    def unused(self, ids: Iterable[int]) -> list[int]:
        """Physical tiles of a set that the hand never shows."""
        used = {tile for tiles in self.row["dealt"] for tile in tiles} | {self.row["dora"]}
        for event in self.events:
            used |= {event.tile, *event.own, *((event.row or {}).get("ura", ()))}
        return [tile for tile in ids if tile not in used]


@dataclass
class Sheet:
    """One game."""

    game: dict[str, Any]
    rules: Ruleset
    opening: list[Event]
    hands: list[HandSheet]

    @classmethod
    def of(cls, batch: Batch, game: int) -> Sheet:
        """Read one game of a batch."""
        one = batch.take(game)
        rules = ruleset_of(one, 0)
        words = _events(one)
        sheet = cls(_row(one.games, Games, 0), rules, [], [])
        begins = [*one.hands.event_begin.tolist(), len(words)]
        sheet.opening = words[: begins[0]]
        for hand in range(len(one.hands)):
            row = _row(one.hands, Hands, hand)
            row["dealt"] = [row["dealt"][13 * seat : 13 * seat + 13] for seat in range(rules.table.players)]
            sheet.hands.append(HandSheet(row, words[begins[hand] : begins[hand + 1]]))
        return sheet

    def copy(self) -> Sheet:
        """Return a sheet that can be changed without this one."""
        return copy.deepcopy(self)

    def forget_the_wall(self) -> None:
        """Take the seeds out, so that only the rules can tell what is wrong."""
        self.game["seed"] = ""
        for hand in self.hands:
            hand.row["seed"] = ""
            hand.row["dice"] = [255, 255]

    def kind(self, code: int) -> int:
        """Return the kind of a tile code."""
        return int(KIND_OF_TILE[self.tile(code)])

    def tile(self, code: int) -> int:
        """Return the tile, 0-36, of a tile code."""
        if CODE_OF_TILE <= code < NO_TILE:
            return code - CODE_OF_TILE
        return int(tile_of_id_table(self.rules.red_ids)[code])

    def ids(self) -> tuple[int, ...]:
        """Physical tiles of the game's set."""
        return self.rules.tile_ids

    def batch(self) -> Batch:
        """Build a batch of the game as it stands."""
        draft = GameDraft({**_cells(Games, self.game), "is_cut": self.game["is_cut"]}, self.rules.red_ids)
        for event in self.opening:
            draft.words.append(_word(event))
        for hand in self.hands:
            dealt = [*hand.row["dealt"], *[[NO_TILE] * 13] * 4][:4]
            flat = [tile for tiles in dealt for tile in tiles]
            draft.begin_hand(len(draft.words), _cells(Hands, {**hand.row, "dealt": flat}))
            for event in hand.events:
                at = len(draft.words)
                draft.words.append(_word(event))
                if event.kind == EventKind.WIN:
                    draft.win(at, _cells(Wins, event.row or {}))
                elif event.kind == EventKind.HAND_DRAW:
                    draft.hand_draw(at, _cells(HandDraws, event.row or {}))
                elif event.kind == EventKind.RIICHI_PAID:
                    draft.riichi_paid(at, event.seat, event.scores)
        builder = BatchBuilder()
        builder.add(draft)
        return builder.finish()


def _word(event: Event) -> int:
    return pack(event.kind, event.seat, event.tile, event.source, event.own, event.flags)


def _row(table: Table, kind: type[Table], number: int) -> dict[str, Any]:
    """One row as plain values; tiles as codes, nested rows of tiles one after the other."""
    row: dict[str, Any] = {}
    for column in kind.columns():
        if column.name in _OF_BUILDER or column.name.removesuffix("_id") in row:
            continue
        cell = getattr(table, column.name)[number]
        if column.is_code:
            cell = _codes(cell, getattr(table, column.name + "_id")[number])
        row[column.name] = cell.ravel().tolist() if column.width else np.array(cell).item()
    return row


def _codes(tiles: Any, ids: Any) -> Any:
    """Tile codes: ids, or tiles where the log names no physical ones."""
    return np.where((ids == NO_TILE) & (tiles != NO_TILE), tiles + CODE_OF_TILE, ids).astype(np.uint8)


def _cells(kind: type[Table], row: dict[str, Any]) -> dict[str, Any]:
    """The row as a draft takes it: rows of small numbers are bytes."""
    small = {c.name for c in kind.columns() if c.width and c.dtype in ("uint8", "int8")}
    known = {c.name for c in kind.columns()} - _OF_BUILDER
    return {
        name: bytes(number & 255 for number in value) if name in small else value
        for name, value in row.items()
        if name in known
    }


def _events(batch: Batch) -> list[Event]:
    """All events of a batch of one game, with the rows that belong to them."""
    events = batch.events
    tiles, own = _codes(events.tile, events.tile_id), _codes(events.own, events.own_id)
    columns = (events.kind, events.seat, tiles, events.source, own, events.flags)
    listed = [
        Event(EventKind(kind), seat, tile, source, tuple(t for t in mine if t != NO_TILE), flags & ~1)
        for kind, seat, tile, source, mine, flags in zip(*(c.tolist() for c in columns), strict=True)
    ]
    for table, kind in ((batch.wins, Wins), (batch.hand_draws, HandDraws)):
        for number, event in enumerate(table.event.tolist()):
            listed[event].row = _row(table, kind, number)
    for number, event in enumerate(batch.riichi_scores.event.tolist()):
        listed[event].scores = batch.riichi_scores.scores[number].tolist()
    return listed
