"""A simulated player in one seat of somebody else's table: it is told what the seat sees, and answers.

>>> from paifu.replay.simulate.games import PLAYERS
>>> from paifu.replay.rulesets.presets import load_preset
>>> from paifu.replay.model.tiles import parse_tile, parse_tiles
>>> from paifu.replay.course.settlement import HandStart
>>> east = SeatPlayer(load_preset("tenhou"), PLAYERS["tile-efficient"])
>>> east.begin(0, HandStart(0, 0, 0, 0), (25000,) * 4, parse_tiles("123456789m1123p"), parse_tile("9s"))
>>> east.follow(SeatMove(EventKind.DRAW, 0, parse_tile("7z")))
>>> east.choose().moves[0].kind.name
'RIICHI'
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from paifu.replay.course.settlement import HandStart
from paifu.replay.errors import ArgumentError
from paifu.replay.kernels import seat_view
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.simulator_choices import T_SIZE
from paifu.replay.model.events import SEAT_SHIFT, EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE, NORTH
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.simulate.games import Desk, Player, new_judge
from paifu.replay.table.engine import new_table
from paifu.replay.walls.layout import HAND_SIZE

_TILE_SHIFT, _OWN_SHIFTS = 11, (19, 27, 35)
_IDS_A_KIND = 4
_QUIET = frozenset({EventKind.DORA, EventKind.RIICHI_PAID})
"""What follows from moves. Servers differ in when they report it, so what is left to chance ignores it."""


@dataclass(frozen=True, slots=True)
class SeatMove:
    """A move as a seat sees it. Tiles are 0-36, NO_TILE where hidden or none."""

    kind: EventKind
    seat: int
    tile: int = NO_TILE
    source: int = NO_TILE
    own: tuple[int, ...] = ()
    """Own tiles of a call; of a closed kan, the three besides ``tile``."""
    flags: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What the player does."""

    end: HandEnd
    """WIN and KYUUSHU end the hand, UNFINISHED does not."""
    moves: tuple[SeatMove, ...]
    """A riichi and its discard, or one move; none is to pass."""


class LostTrackError(ArgumentError):
    """What the seat was told cannot be: it cannot follow the hand any more."""


class SeatPlayer:
    """A player in one seat. Begin a hand, tell what happens, and ask."""

    def __init__(self, rules: Ruleset, player: Player, seed: int = 0) -> None:
        """What the player leaves to chance follows from ``seed`` and from what it saw of the hand.

        Raises ValueError where the player follows the model and there is none for this number of players.
        """
        self.rules, self.player, self.seed = rules, player, seed
        self.seat = 0
        self._desk = desk = Desk(rules)
        self._judge = judge = new_judge(rules.table.players)
        self._play, self._shadow = new_table(), Desk(rules).record
        self._used = np.zeros(_IDS_A_KIND * 34, np.uint8)
        self._ids = np.array(rules.tile_ids, np.int64)
        self._mind, self._answer = seat_view.SeatMind(), seat_view.SeatAnswer()
        self._move = seat_view.ShownMove()
        self._traits = np.zeros((4, T_SIZE), np.int64)
        self._begin = seat_view.begin_view.bound(
            desk.table, desk.hands, desk.supply, desk.record, self._mind, desk.kernel_rules, desk.shapes,
            desk.notes, judge,
        )  # fmt: skip
        self._follow = seat_view.follow_move.bound(
            desk.table, desk.supply, desk.record, self._used, self._mind, self._move, desk.tiles,
            desk.kernel_rules, desk.shapes, desk.notes, judge,
        )  # fmt: skip
        self._choose = seat_view.choose_move.bound(
            desk.table, self._play, desk.supply, desk.record, self._shadow, self._mind, self._traits,
            desk.tiles, desk.claims, desk.draws, desk.kernel_rules, desk.shapes, desk.scoring, desk.notes,
            desk.tries, desk.facts, judge, self._answer,
        )  # fmt: skip
        self._hidden: list[SeatMove] = []
        """A draw of another, and its riichi, until a tile shows."""
        self._declared: SeatMove | None = None
        """The discard that the player meant when it declared riichi."""
        self._chance = 0
        self.is_lost = True
        """Cannot follow the hand, or none has begun."""

    def begin(
        self, seat: int, start: HandStart, scores: Sequence[int], dealt: Sequence[int], dora: int
    ) -> None:
        """Begin a hand in ``seat``, dealt 13 tiles (0-36), ``dora`` the indicator.

        Raises :class:`LostTrackError` where these are not 13 tiles and an indicator of one set.
        """
        desk, supply, players = self._desk, self._desk.supply, self.rules.table.players
        self.seat = self._mind.seat = seat
        self._hidden, self._declared, self.is_lost = [], None, True
        self._traits[:] = 0
        self._traits[seat] = astuple(self.player)
        self._used[:] = 1
        self._used[self._ids] = 0
        for row in (supply.live, supply.supplements, supply.indicators, supply.ura):
            row[:] = NO_TILE
        if len(dealt) != HAND_SIZE:
            raise LostTrackError(f"{len(dealt)} tiles were dealt, not {HAND_SIZE}")
        ids = [self._take(tile) for tile in dealt]
        supply.indicators[0] = self._take(dora)
        free = iter(np.flatnonzero(self._used == 0).tolist())
        for other in range(players):
            supply.dealt[other] = ids if other == seat else [next(free) for _ in range(HAND_SIZE)]
        desk.begin(start, scores, 0)
        self._chance = zlib.crc32(repr((self.seed, astuple(start), seat, sorted(dealt))).encode())
        if not self._begin():
            raise LostTrackError("the tiles dealt are not of one set")
        self.is_lost = False

    def _take(self, tile: int) -> int:
        """Take an id of a tile that has not been taken."""
        free = (self._used == 0) & (self._desk.supply.tile_of[: len(self._used)] == tile)
        if free.any():
            number = int(free.argmax())
            self._used[number] = 1
            return number
        raise LostTrackError("more tiles of a kind were dealt than there are, or a tile is hidden")

    def follow(self, move: SeatMove) -> None:
        """Follow a move. Tiles that another draws are not looked at.

        Raises :class:`LostTrackError` for one that cannot be, after which the hand cannot be followed.
        """
        if self.is_lost:
            return
        if move.kind in _QUIET:
            self._apply(move)
            return
        if move.kind != EventKind.RIICHI and move.seat == self.seat:
            self._declared = None
        if move.seat != self.seat and move.kind == EventKind.DRAW:
            self._hidden = [move]
            return
        if move.seat != self.seat and move.kind == EventKind.RIICHI and self._hidden:
            self._hidden.append(move)
            return
        hidden, self._hidden = self._hidden, []
        for late in hidden:
            tile = NORTH if move.kind == EventKind.KITA else move.tile
            self._apply(SeatMove(late.kind, late.seat, tile))
        self._apply(move)

    def _apply(self, move: SeatMove) -> None:
        own = (*move.own, NO_TILE, NO_TILE, NO_TILE)[:3]
        tile = NORTH if move.kind == EventKind.KITA else move.tile
        shown = self._move
        shown.kind, shown.seat, shown.tile, shown.source = move.kind, move.seat, tile, move.source
        shown.own[:], shown.flags = own, move.flags
        if move.kind not in _QUIET and (move.kind != EventKind.DRAW or move.seat == self.seat):
            self._chance = zlib.crc32(bytes((move.kind, move.seat, tile, *own)), self._chance)
        if not self._follow():
            self.is_lost = True
            raise LostTrackError(f"seat {move.seat} cannot make this move: {move.kind.name.lower()}")

    def choose(self) -> Answer:
        """Return what the player does now; to pass where it has nothing to decide."""
        if self.is_lost:
            return Answer(HandEnd.UNFINISHED, ())
        if self._declared is not None and self._desk.table.phase == state.WAIT_DECLARED:
            return Answer(HandEnd.UNFINISHED, (self._declared,))
        self._desk.record.random = self._chance % 2147483646 + 1
        self._choose()
        end = HandEnd(self._answer.end)
        if end:
            return Answer(end, ())
        words = self._answer.words[: self._answer.moves].tolist()
        moves = tuple(self._move_of(word) for word in words if word & 31 in _MOVES)
        if len(moves) > 1 and moves[0].kind == EventKind.RIICHI:
            self._declared = moves[1]
        return Answer(HandEnd.UNFINISHED, moves)

    def _move_of(self, word: int) -> SeatMove:
        """Read a word that the simulator wrote: ids become tiles."""
        desk, kind = self._desk, EventKind(word & 31)
        number = word >> _TILE_SHIFT & 255
        tile_of = desk.supply.tile_of
        is_drawn = kind == EventKind.DISCARD and number == desk.record.drawn[self.seat]
        own = tuple(int(tile_of[word >> shift & 255]) for shift in _OWN_SHIFTS)
        return SeatMove(
            kind,
            word >> SEAT_SHIFT & 7,
            int(tile_of[number]),
            int(desk.table.offer_seat),
            tuple(tile for tile in own if tile != NO_TILE),
            EventFlag.TSUMOGIRI if is_drawn else 0,
        )


_MOVES = frozenset({EventKind.RIICHI, *range(EventKind.DISCARD, EventKind.KITA + 1)})
