"""Physical tiles for games that name none, so that they can be written as mjlog.

Which of four equal tiles one is matters to nothing but the format. What the log names stays; of other
tiles the first copy not seen yet is dealt or drawn; a discard takes the drawn copy if the log marks it so,
and another one if it does not. What mjlog states of a result beside it is filled in where it follows from
the hand.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from paifu.parsers.errors import WriteError
from paifu.parsers.mjlog.melds import LoggedMeld, encode_meld
from paifu.replay.model.batch import (
    MAX_INDICATORS,
    MAX_POINTS,
    MAX_SHOWN_MELDS,
    UNKNOWN_POINTS,
    Batch,
    Events,
    HandDraws,
    Hands,
    Wins,
)
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import NO_TILE, tile_of_id_table
from paifu.replay.rulesets.presets import resolve

_SHOWN = 14
_NO_SCORES = -1


def with_physical_tiles(batch: Batch) -> Batch:
    """Return a batch of one game with an id for each tile, and the claims of mjlog that follow from a hand.

    Raises WriteError for a game with hidden tiles, or with more copies of a tile than the set has.
    """
    if (batch.hands.dora_id != NO_TILE).all() and (batch.wins.melds >= _NO_SCORES).all():
        return batch
    game = _NumberedGame(batch)
    for hand in range(len(batch.hands)):
        game.hand(hand)
    return replace(
        batch,
        hands=replace(batch.hands, **game.columns[Hands]),
        events=replace(batch.events, **game.columns[Events]),
        wins=replace(batch.wins, **game.columns[Wins]),
        hand_draws=replace(batch.hand_draws, **game.columns[HandDraws]),
    )


@dataclass(slots=True)
class _NumberedTiles:
    """The tiles of a hand while its events go by."""

    free: dict[int, list[int]]
    held: list[list[int]] = field(default_factory=lambda: [[] for _ in range(4)])
    melds: list[list[LoggedMeld]] = field(default_factory=lambda: [[] for _ in range(4)])
    drawn: int = NO_TILE
    shown: int = NO_TILE
    """The tile that was discarded or added last."""


class _NumberedGame:
    """One game while its tiles are told apart."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        games = batch.games
        rules = resolve(games.ruleset[0], games.overrides[0])
        self.stick = rules.riichi.riichi_stick
        self.players = rules.table.players
        self.tile_of_id = tile_of_id_table(rules.red_ids)
        self.copies: dict[int, list[int]] = defaultdict(list)
        for number, tile in enumerate(self.tile_of_id[:136].tolist()):
            self.copies[tile].append(number)
        names: dict[Any, tuple[str, ...]] = {
            Hands: ("dealt_id", "dora_id"),
            Events: ("source", "tile_id", "own_id"),
            Wins: ("tile_id", "tiles", "tiles_id", "melds", "dora", "dora_id", "ura_id", "honba", "sticks",
                   "scores"),
            HandDraws: ("shown", "shown_id", "honba", "sticks", "scores", "deltas"),
        }  # fmt: skip
        self.columns: dict[Any, dict[str, Any]] = {
            table: {name: getattr(getattr(batch, table.NAME), name).copy() for name in columns}
            for table, columns in names.items()
        }

    def error(self, what: str) -> WriteError:
        """The error that the tiles cannot be told apart."""
        return WriteError(f"{self.batch.games.source[0]} cannot be written as mjlog: {what}")

    def take(self, state: _NumberedTiles, tile: int, known: int = NO_TILE) -> int:
        """The copy of a tile that the log names, or the next one that was not seen yet."""
        if known != NO_TILE:
            return known
        if tile == NO_TILE:
            raise self.error("it has hidden tiles")
        if not state.free.get(tile):
            raise self.error(f"it has {tile_name(tile)} more often than its rules")
        return state.free[tile].pop(0)

    def give(
        self, state: _NumberedTiles, seat: int, tile: int, *, avoid: int = NO_TILE, prefer: int = NO_TILE
    ) -> int:
        """Take a copy of a tile out of a hand."""
        held = [one for one in state.held[seat] if self.tile_of_id[one] == tile]
        if not held:
            raise self.error(f"seat {seat} shows a tile that it does not hold")
        others = [one for one in held if one != avoid]
        chosen = prefer if prefer in held else (others or held)[0]
        state.held[seat].remove(chosen)
        return chosen

    # --- a hand ---------------------------------------------------------------------------------------

    def hand(self, hand: int) -> None:
        """Tell the tiles of one hand apart."""
        hands, columns = self.batch.hands, self.columns[Hands]
        named = self._named(hand)
        free = {tile: [one for one in ids if one not in named] for tile, ids in self.copies.items()}
        state = _NumberedTiles(free)
        columns["dora_id"][hand] = self.take(state, int(hands.dora[hand]), int(hands.dora_id[hand]))
        for seat in range(self.players):
            cells = zip(hands.dealt[hand, seat].tolist(), hands.dealt_id[hand, seat].tolist(), strict=True)
            ids = [self.take(state, tile, known) for tile, known in cells]
            columns["dealt_id"][hand, seat] = ids
            state.held[seat] = ids
        dora = [int(columns["dora_id"][hand])]
        scores = hands.scores[hand].tolist()
        if UNKNOWN_POINTS in scores:
            raise self.error(f"hand {hand} does not state its scores")
        paid = 0
        for event in range(int(hands.event_begin[hand]), int(hands.event_end[hand])):
            kind = EventKind(self.batch.events.kind[event])
            if kind == EventKind.WIN:
                row = int(self.batch.wins.event.searchsorted(event))
                scores = self._win(row, state, dora, scores, paid)
                paid = -int(hands.sticks[hand])
            elif kind == EventKind.HAND_DRAW:
                self._draw(int(self.batch.hand_draws.event.searchsorted(event)), state, scores, paid)
            elif kind == EventKind.RIICHI_PAID:
                paid += 1
                scores[int(self.batch.events.seat[event])] -= self.stick
            else:
                turned = self._event(event, kind, state)
                dora += [turned] if kind == EventKind.DORA else []

    def _named(self, hand: int) -> set[int]:
        """The physical tiles of a hand that the log names."""
        hands, events = self.batch.hands, self.batch.events
        rows = slice(int(hands.event_begin[hand]), int(hands.event_end[hand]))
        cells = (hands.dora_id[hand], hands.dealt_id[hand], events.tile_id[rows], events.own_id[rows])
        return {one for part in cells for one in part.reshape(-1).tolist()} - {NO_TILE}

    def _event(self, event: int, kind: EventKind, state: _NumberedTiles) -> int:
        """Tell the tile of one event; returns its id."""
        events, columns = self.batch.events, self.columns[Events]
        seat, tile, known = int(events.seat[event]), int(events.tile[event]), int(events.tile_id[event])
        own = [one for one in events.own[event].tolist() if one != NO_TILE]
        match kind:
            case EventKind.DRAW:
                chosen = state.drawn = self.take(state, tile, known)
                state.held[seat].append(chosen)
            case EventKind.DORA:
                chosen = self.take(state, tile, known)
            case EventKind.DISCARD:
                is_drawn = bool(events.flags[event] & EventFlag.TSUMOGIRI)
                choice = {"prefer": state.drawn} if is_drawn else {"avoid": state.drawn}
                choice = {"prefer": known} if known != NO_TILE else choice
                chosen = state.shown = self.give(state, seat, tile, **choice)
                state.drawn = NO_TILE
            case EventKind.RIICHI | EventKind.LEAVE | EventKind.RETURN:
                return NO_TILE
            case _:
                chosen = self._meld(event, kind, state, own)
        columns["tile_id"][event] = chosen
        return chosen

    def _meld(self, event: int, kind: EventKind, state: _NumberedTiles, own: list[int]) -> int:
        events = self.batch.events
        seat, source, tile = int(events.seat[event]), int(events.source[event]), int(events.tile[event])
        known, known_own = int(events.tile_id[event]), events.own_id[event].tolist()
        if kind == EventKind.KITA:
            chosen = state.shown = self.give(state, seat, tile if tile != NO_TILE else 30, prefer=known)
            state.melds[seat].insert(0, LoggedMeld(kind, seat, NO_SEAT, chosen, ()))
            return chosen
        if kind == EventKind.KAKAN:
            chosen = state.shown = self.give(state, seat, tile, prefer=known)
            pons = [at for at, meld in enumerate(state.melds[seat]) if meld.kind == EventKind.PON]
            at = next((at for at in pons if state.melds[seat][at].tile // 4 == chosen // 4), None)
            if at is None:
                raise self.error("a tile is added without a pon")
            pon = state.melds[seat][at]
            ids = (pon.tile, *pon.own)
            state.melds[seat][at] = LoggedMeld(kind, seat, pon.source, chosen, ids)
            if source == NO_SEAT:
                self.columns[Events]["source"][event] = pon.source
        else:
            chosen = state.shown if kind != EventKind.ANKAN else self.give(state, seat, tile, prefer=known)
            ids = tuple(
                self.give(state, seat, one, prefer=known) for one, known in zip(own, known_own, strict=False)
            )
            state.melds[seat].insert(0, LoggedMeld(kind, seat, source, chosen, ids))
            state.shown = chosen
        state.drawn = NO_TILE
        self.columns[Events]["own_id"][event, : len(ids)] = ids
        return chosen

    def _code(self, meld: LoggedMeld) -> int:
        try:
            return encode_meld(meld)
        except ValueError as error:
            raise self.error(f"seat {meld.seat}: {error}") from error

    # --- results --------------------------------------------------------------------------------------

    def _claims(self, table: Any, row: int, scores: list[int], paid: int) -> None:
        """Honba, sticks and scores, where the log does not state them."""
        columns, hands = self.columns[table], self.batch.hands
        hand = int(getattr(self.batch, table.NAME).hand[row])
        if columns["honba"][row] < 0:
            columns["honba"][row] = hands.honba[hand]
        if columns["sticks"][row] < 0:
            columns["sticks"][row] = max(int(hands.sticks[hand]) + paid, 0)
        if UNKNOWN_POINTS in columns["scores"][row]:
            columns["scores"][row] = scores
        if max(map(abs, scores)) > MAX_POINTS:
            raise self.error(f"the scores of hand {hand} grow beyond {MAX_POINTS}")

    def _win(
        self, row: int, state: _NumberedTiles, dora: list[int], scores: list[int], paid: int
    ) -> list[int]:
        """Fill in a win; returns the scores after it."""
        wins, columns = self.batch.wins, self.columns[Wins]
        seat, source, tile = int(wins.seat[row]), int(wins.source[row]), int(wins.tile[row])
        won = state.drawn if seat == source and state.drawn != NO_TILE else state.shown
        if won == NO_TILE or self.tile_of_id[won] != tile:
            raise self.error("a win is on another tile than the one shown")
        ids = sorted({*state.held[seat], won})
        if len(ids) > _SHOWN:
            raise self.error(
                f"seat {seat} wins with {len(ids)} tiles in the hand; at most {_SHOWN} are possible"
            )
        if len(dora) > MAX_INDICATORS:
            raise self.error(f"{len(dora)} dora indicators are turned; {MAX_INDICATORS} are possible")
        columns["tile_id"][row] = self.columns[Events]["tile_id"][int(wins.event[row])] = won
        _fill(columns["tiles_id"][row], ids)
        _fill(columns["tiles"][row], [int(self.tile_of_id[one]) for one in ids])
        codes = [self._code(meld) for meld in state.melds[seat]][:MAX_SHOWN_MELDS]
        columns["melds"][row] = codes + [-1] * (MAX_SHOWN_MELDS - len(codes))
        if wins.dora[row][0] == NO_TILE:
            _fill(columns["dora"][row], [int(self.tile_of_id[one]) for one in dora])
        _fill(columns["dora_id"][row], dora[: len([t for t in columns["dora"][row] if t != NO_TILE])])
        under = _NumberedTiles({tile: list(ids) for tile, ids in state.free.items()})
        cells = zip(wins.ura[row].tolist(), wins.ura_id[row].tolist(), strict=True)
        ura = [self.take(under, one, known) for one, known in cells if one != NO_TILE]
        _fill(columns["ura_id"][row], ura)
        self._claims(Wins, row, scores, paid)
        deltas = wins.deltas[row].tolist()
        if UNKNOWN_POINTS in deltas:
            return scores
        return [a + b for a, b in zip(scores, deltas, strict=True)]

    def _draw(self, row: int, state: _NumberedTiles, scores: list[int], paid: int) -> None:
        draws, columns = self.batch.hand_draws, self.columns[HandDraws]
        self._claims(HandDraws, row, scores, paid)
        if UNKNOWN_POINTS in draws.deltas[row]:
            columns["deltas"][row] = 0
        is_end = draws.kind[row] in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI)
        for seat in range(self.players):
            is_shown = draws.shown[row, seat][0] != NO_TILE or (is_end and draws.tenpai[row, seat] == 1)
            ids = sorted(state.held[seat]) if is_shown else []
            _fill(columns["shown_id"][row, seat], ids[:_SHOWN])
            _fill(columns["shown"][row, seat], [int(self.tile_of_id[one]) for one in ids[:_SHOWN]])


def _fill(cells: Any, values: list[int]) -> None:
    """Put values into a row of cells; what is left over is empty."""
    cells[:] = NO_TILE
    cells[: len(values)] = np.array(values, cells.dtype)
