"""The engine's table at a moment of a hand, and what is legal there: its kernels, run as plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from paifu.replay.arrays import I64, U8
from paifu.replay.errors import ArgumentError
from paifu.replay.kernels import legal, wins
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.claims import EventClaims
from paifu.replay.kernels.fouls import state_foul
from paifu.replay.kernels.replay import set_up, step
from paifu.replay.kernels.scoring_layout import NO_YAKU
from paifu.replay.kernels.transitions import follow
from paifu.replay.language import _
from paifu.replay.model.events import RULING_SHIFT, EventKind
from paifu.replay.model.tiles import KINDS, NO_TILE, NORTH, TILES, kind_of, sort_tiles
from paifu.replay.positions.moves import Move, MoveKind, Reason, reasons_of
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.shapes.tables import load_tables
from paifu.replay.table.engine import claim_columns, claims_under, new_notes, new_scoring, new_table
from paifu.replay.views.games import Hand

_ENDS = (EventKind.WIN, EventKind.HAND_DRAW)
_CALL_EVENTS = {
    MoveKind.CHI: state.CHI,
    MoveKind.PON: state.PON,
    MoveKind.DAIMINKAN: state.DAIMINKAN,
    MoveKind.ANKAN: state.ANKAN,
    MoveKind.KAKAN: state.KAKAN,
}
_NO_URA: U8 = np.full(5, NO_TILE, np.uint8)


class RulesTable:
    """A hand of riichi on the engine's table; ``table`` is as it is before the event ``at``, from 0."""

    def __init__(self, hand: Hand, rules: Ruleset) -> None:
        batch = hand.batch()
        self._label, self._row = hand.label, hand.index
        self._begin = int(batch.hands.event_begin[self._row])
        self._events = EventClaims(*claim_columns(batch.events, EventClaims._fields))
        self._hands = claims_under(rules, batch, np.array([self._row]))
        self.rules = rules.kernel()
        self._shapes = load_tables(sanma=rules.table.players == 3)
        self._scoring = new_scoring(rules)
        self.table, self._notes = new_table(), new_notes(1)
        self.at = 0
        self.is_over = False
        if not set_up(self.table, self._hands, self._row, self.rules, self._shapes, self._notes):
            text = _("{hand}: the deal is not whole, so the rules say nothing of what is legal")
            raise ArgumentError(text.format(hand=self._label))
        self._before: list[I64] = [self.table.whole.copy()]
        """The table before each event that has been applied, and now."""

    def go_to(self, event: int) -> None:
        """Make the table what it is before an event. Raises ArgumentError where the log breaks off."""
        while len(self._before) <= event:
            last = len(self._before) - 1
            self.table.whole[:] = self._before[last]
            self._apply(last)
            self._before.append(self.table.whole.copy())
        self.table.whole[:] = self._before[event]
        self.at = event
        kinds = self._events.kind[self._begin : self._begin + event]
        self.is_over = bool(np.isin(kinds, _ENDS).any())

    def _apply(self, index: int) -> None:
        events, event = self._events, self._begin + index
        kind, seat, tile = int(events.kind[event]), int(events.seat[event]), int(events.tile[event])
        if kind in (*_ENDS, EventKind.LEAVE, EventKind.RETURN):
            return
        if kind == EventKind.FOUL:
            ruled = int(events.flags[event]) >> RULING_SHIFT
            state_foul(self.table, seat, tile, ruled, self.rules, self._scoring, self._notes)
            return
        if not step(self.table, events, event, self.rules, self._shapes, self._notes):
            text = _("{hand}: event {event} cannot be, so the rules say nothing of what comes after it")
            raise ArgumentError(text.format(hand=self._label, event=index))
        source, tile_id = int(events.source[event]), int(events.tile_id[event])
        follow(self.table, kind, seat, tile, source, tile_id, events.own_id[event], self._notes)

    def is_furiten(self, seat: int) -> bool:
        """Return whether a seat may not win by ron; while a tile is on offer to it, as before that tile."""
        return bool(self.table.was_furiten[seat] if self._is_asked(seat) else legal.furiten(self.table, seat))

    # Which moves there are

    def _has_turn(self, seat: int) -> bool:
        return self.table.turn == seat and state.WAIT_ACT <= self.table.phase <= state.WAIT_DECLARED

    def _is_asked(self, seat: int) -> bool:
        table = self.table
        is_open = table.phase in (state.WAIT_DRAW, state.WAIT_SUPPLEMENT)
        return bool(is_open and table.offer) and table.offer_seat != seat

    def moves(self, seat: int) -> Iterator[tuple[Move, tuple[Reason, ...]]]:
        """Yield the moves that a seat has the tiles for at this moment, and the reasons against each."""
        if self.is_over:
            return
        candidates = (
            self._of_turn if self._has_turn(seat) else self._of_offer if self._is_asked(seat) else None
        )
        if candidates is not None:
            for move in candidates(seat):
                yield move, self.against(move)

    def _held(self, seat: int) -> list[int]:
        """Return the tiles of a seat, sorted."""
        held = self.table.held[seat]
        return sort_tiles(tile for tile in range(TILES) for _copy in range(int(held[tile])))

    def _of_kind(self, seat: int, kind: int, number: int) -> list[tuple[int, ...]]:
        """Return the ways to take some tiles of a kind out of a hand: with red fives and without."""
        own = [tile for tile in self._held(seat) if kind_of(tile) == kind]
        return list(dict.fromkeys(combinations(own, number)))

    def _of_turn(self, seat: int) -> Iterator[Move]:
        table, drawn = self.table, int(self.table.drawn[seat])
        held = dict.fromkeys(self._held(seat))
        for tile in held:
            if tile == drawn:
                yield Move(MoveKind.DISCARD, seat, tile, tsumogiri=True)
            if tile != drawn or table.held[seat, tile] > 1:
                yield Move(MoveKind.DISCARD, seat, tile)
        if table.phase != state.WAIT_ACT:
            return
        if legal.completes(table, seat, self.rules):
            yield Move(MoveKind.TSUMO, seat, drawn)
        yield from self._riichi(seat, drawn)
        for kind in range(KINDS):
            if legal.kan_of(table, seat, kind) == state.KAKAN:
                yield from (Move(MoveKind.KAKAN, seat, own[0]) for own in self._of_kind(seat, kind, 1))
            elif table.counts[seat, kind] == 4:
                first, *rest = self._of_kind(seat, kind, 4)[0]
                yield Move(MoveKind.ANKAN, seat, first, tuple(rest))
        if self.rules.kita and NORTH in held:
            yield Move(MoveKind.KITA, seat, NORTH)
        if legal.may_abort(table, legal.KYUUSHU, self.rules):
            yield Move(MoveKind.KYUUSHU, seat)

    def _riichi(self, seat: int, drawn: int) -> Iterator[Move]:
        tiles = int(legal.riichi_discards(self.table, seat, self.rules, self._shapes))
        if not tiles:
            yield Move(MoveKind.RIICHI, seat)
        for tile in sort_tiles(tile for tile in range(TILES) if tiles >> tile & 1):
            if tile == drawn:
                yield Move(MoveKind.RIICHI, seat, tile, tsumogiri=True)
            if tile != drawn or self.table.held[seat, tile] > 1:
                yield Move(MoveKind.RIICHI, seat, tile)

    def _of_offer(self, seat: int) -> Iterator[Move]:
        table, tile = self.table, int(self.table.offer_tile)
        source, kind = int(table.offer_seat), kind_of(tile)
        if table.waits[seat] >> kind & 1:
            yield Move(MoveKind.RON, seat, tile, source=source)
        if table.offer != state.DISCARD:
            return
        for own in self._of_kind(seat, kind, 2):
            yield Move(MoveKind.PON, seat, tile, own, source)
        for own in self._of_kind(seat, kind, 3):
            yield Move(MoveKind.DAIMINKAN, seat, tile, own, source)
        if not self.rules.chi or kind >= 27 or seat != (source + 1) % self.rules.players:
            return
        for low in range(max(kind - 2, kind // 9 * 9), min(kind, kind // 9 * 9 + 6) + 1):
            first, second = (self._of_kind(seat, own, 1) for own in state.rest_of_run(low, kind))
            for pair in product(first, second):
                yield Move(MoveKind.CHI, seat, tile, (pair[0][0], pair[1][0]), source)

    # Reasons against a move

    def against(self, move: Move) -> tuple[Reason, ...]:
        """Return the reasons against a move, none for a legal one."""
        if self.is_over:
            return (Reason.NOT_NOW,)
        match move.kind:
            case MoveKind.TSUMO | MoveKind.RON:
                return tuple(self._against_win(move))
            case MoveKind.KYUUSHU:
                return tuple(self._against_kyuushu(move.seat))
            case _:
                return reasons_of(self._bits_against(move))

    def _bits_against(self, move: Move) -> int:
        table, rules, shapes, seat = self.table, self.rules, self._shapes, move.seat
        flags = state.TSUMOGIRI if move.tsumogiri else 0
        tile = NO_TILE if move.tile is None else move.tile
        match move.kind:
            case MoveKind.DISCARD:
                return int(legal.against_discard(table, seat, tile, flags, rules, shapes))
            case MoveKind.RIICHI:
                return self._against_riichi(move, flags)
            case MoveKind.KITA:
                return int(legal.against_kita(table, seat, tile, rules))
            case MoveKind.ANKAN | MoveKind.KAKAN:
                kind = kind_of(tile) if tile < TILES else NO_TILE
                event = _CALL_EVENTS[move.kind]
                return int(legal.against_kan(table, event, seat, kind, rules, shapes))
            case _:
                own = np.array([*move.own, *(NO_TILE,) * 4][:4], np.uint8)
                source = NO_TILE if move.source is None else move.source
                event = _CALL_EVENTS[move.kind]
                return int(legal.against_call(table, event, seat, tile, source, own, rules))

    def _against_riichi(self, move: Move, flags: int) -> int:
        table, seat = self.table, move.seat
        reasons = int(legal.against_riichi(table, seat, self.rules))
        if reasons:
            return reasons
        if move.tile is None:
            possible = legal.riichi_discards(table, seat, self.rules, self._shapes)
            return legal.NOT_HELD if possible else legal.NOT_TENPAI
        table.phase = state.WAIT_DECLARED
        reasons = int(legal.against_discard(table, seat, move.tile, flags, self.rules, self._shapes))
        table.phase = state.WAIT_ACT
        return reasons

    def _against_win(self, move: Move) -> Iterator[Reason]:
        table, seat, tile = self.table, move.seat, NO_TILE if move.tile is None else move.tile
        source = seat if move.kind == MoveKind.TSUMO or move.source is None else move.source
        if (source == seat) != (move.kind == MoveKind.TSUMO) or tile >= TILES:
            yield Reason.NOT_NOW
            return
        if not legal.is_offered(table, seat, source, tile, state.NO_ID, self.rules):
            yield Reason.NOT_NOW
            return
        if table.dead[seat]:
            yield Reason.DEAD
        if source != seat and table.was_furiten[seat]:
            yield Reason.FURITEN
        if source != seat or table.phase == state.WAIT_SUPPLEMENT:
            is_wait = source == seat or table.waits[seat] >> kind_of(tile) & 1
        else:
            is_wait = legal.completes(table, seat, self.rules)
        if not is_wait:
            yield Reason.NO_WAIT
            return
        base = wins.worth(table, seat, source, tile, _NO_URA, self.rules, self._scoring)[0]
        if base == NO_YAKU:
            yield Reason.NO_YAKU

    def _against_kyuushu(self, seat: int) -> Iterator[Reason]:
        if not self._has_turn(seat) or self.table.phase != state.WAIT_ACT:
            yield Reason.NOT_NOW
        elif not legal.may_abort(self.table, legal.KYUUSHU, self.rules):
            yield Reason.NOT_NINE
