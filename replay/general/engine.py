"""Replay of games other than riichi: what the kernels do for riichi, done by the table of this package.

It fills the same arrays with the same meaning, so that whatever reads a replay need not ask for the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from paifu.replay.arrays import I64
from paifu.replay.course.dealer_wins import dealer_wins_before
from paifu.replay.facts.tables import PlayerHands, ScoredWins
from paifu.replay.general.table import GeneralTable, Phase, Seat
from paifu.replay.general.wins import WinClaim, check_win, pattern_mask
from paifu.replay.kernels import codes
from paifu.replay.kernels.hand_result import Result
from paifu.replay.kernels.reasons import ANOTHER_WALL, PLAIN, TOO_MANY_WINS
from paifu.replay.kernels.replay import (
    C_DRAWS,
    C_EVENTS,
    C_HANDS,
    C_SIZE,
    C_STOPPED,
    C_WALL_TILES,
    C_WALLS,
    C_WINS,
)
from paifu.replay.kernels.rows import PATH_BITS, PATH_TURNS, PLAYER, SCORED
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch, Wins
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.patterns import parse_patterns
from paifu.replay.model.tiles import KIND_OF_TILE, KINDS, NO_TILE, kind_of, tile_of_kind
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.shapes import Shapes
from paifu.replay.schemes.tables import pattern_bits, spoken_pattern
from paifu.replay.walls.plain import PlainWall, wall_of

_KIND: list[int] = KIND_OF_TILE.tolist()
_SEATED = frozenset({EventKind.DRAW, EventKind.DISCARD, EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN,
                     EventKind.ANKAN, EventKind.KAKAN, EventKind.BONUS})  # fmt: skip
_NOT_PLAYED = {
    EventKind.RIICHI: codes.ILLEGAL_RIICHI,
    EventKind.RIICHI_PAID: codes.RIICHI_STICK,
    EventKind.DORA: codes.KAN_DORA,
    EventKind.KITA: codes.ILLEGAL_KITA,
}
"""Events that these games do not have, and the finding that each is."""


class ReplayArrays(Protocol):
    """The arrays of one pass over a batch, as the engine of riichi fills them."""

    batch: Batch
    takes_notes: bool
    scored: I64
    players: I64
    tenpai: I64
    counters: I64

    def note(self, row: tuple[int, ...]) -> None:
        """Take a row of findings."""
        ...


class GeneralEngine:
    """Games other than riichi; see :class:`paifu.replay.table.engine.Engine` for what it answers."""

    def replay_games(self, run: ReplayArrays, rules: Ruleset, _seed_kind: str, games: I64) -> None:
        """Replay all hands of games that share a ruleset."""
        shapes = Shapes(rules)
        for game in games.tolist():
            _GameReplay(run, rules, shapes, game).replay()

    def waits(self, rules: Ruleset, tiles: Iterable[int], melds: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """Return the kinds that complete 13 tiles, melds included; raises ValueError for other tiles."""
        return Shapes(rules).waits_of(map(kind_of, tiles), melds)

    def won_with(self, rules: Ruleset, scored: ScoredWins, win: int) -> list[str]:
        """Return the patterns of a win as the engine scores it."""
        bits = int(scored.patterns[win])
        return [name for name, bit in pattern_bits(rules).items() if bits >> bit & 1]

    def listed(self, wins: Wins, win: int) -> list[str]:
        """Return those that the log lists with it."""
        return [name for name, _value in parse_patterns(str(wins.patterns[win])) or ()]

    def name(self, _rules: Ruleset, which: str) -> str:
        """Return what data calls a pattern."""
        return which

    def spoken(self, _rules: Ruleset, which: str) -> str:
        """Return what messages call it."""
        return spoken_pattern(which)


GENERAL = GeneralEngine()


@dataclass(slots=True)
class _Nothing:
    """A pass over a batch that takes nothing down."""

    batch: Batch
    takes_notes: bool = False
    scored: I64 = field(default_factory=lambda: np.zeros((0, ScoredWins.cells()), np.int64))
    players: I64 = field(default_factory=lambda: np.zeros((1, 4, PlayerHands.cells()), np.int64))
    tenpai: I64 = field(default_factory=lambda: np.zeros(0, np.int64))
    counters: I64 = field(default_factory=lambda: np.zeros(C_SIZE, np.int64))

    def note(self, row: tuple[int, ...]) -> None:
        """Leave a finding alone."""


def table_before(batch: Batch, hand: int, event: int, rules: Ruleset) -> GeneralTable:
    """Return the table of a hand as it is before an event; both are rows of the batch."""
    game = _GameReplay(_Nothing(batch), rules, Shapes(rules), int(batch.hands.game[hand]))
    played = _HandReplay(game, hand, dealer_wins_before(batch, hand), None)
    played.replay(until=event)
    return played.table


class _GameReplay:
    """One game: its hands in order."""

    def __init__(self, run: ReplayArrays, rules: Ruleset, shapes: Shapes, game: int) -> None:
        self.run, self.rules, self.shapes, self.game = run, rules, shapes, game
        self.batch = run.batch

    def replay(self) -> None:
        games, hands = self.batch.games, self.batch.hands
        begin, end = int(games.hand_begin[self.game]), int(games.hand_end[self.game])
        walls = _walls(self.batch, self.game)
        for number, hand in enumerate(range(begin, end)):
            if not (hands.dealt[hand] == NO_TILE).any():
                wall = wall_of(walls, number, self.rules) if walls else None
                _HandReplay(self, hand, dealer_wins_before(self.batch, hand), wall).replay()


def _walls(batch: Batch, game: int) -> str:
    """Return the seed of a game's walls, if the log holds the game from its beginning."""
    hands, games = batch.hands, batch.games
    begin = int(games.hand_begin[game])
    is_whole = games.hand_end[game] > begin and hands.round[begin] == 0 and hands.honba[begin] == 0
    return str(games.seed[game]) if is_whole else ""


@dataclass(slots=True)
class _Event:
    kind: int
    seat: int
    source: int
    tile: int
    own: list[int]
    flags: int


class _HandReplay:
    """One hand: its table, and what is taken down of it."""

    def __init__(self, game: _GameReplay, hand: int, dealer_wins: int, wall: PlainWall | None) -> None:
        self.run, self.batch, self.hand, self.wall = game.run, game.batch, hand, wall
        hands = self.batch.hands
        self.event = -1
        self.rules = game.rules
        self.table = GeneralTable(
            game.rules,
            game.shapes,
            self.note,
            dealer=int(hands.dealer[hand]),
            round_wind=min(3, int(hands.round[hand]) // 4),
            keeps=int(hands.honba[hand]),
            dealer_wins=dealer_wins,
        )
        self.facts = self.run.players[hand if self.run.takes_notes else 0]
        self.winners = 0
        self.is_off_wall = self.is_end_noted = False
        """A finding says that a draw differs from the wall; that something comes after the end."""

    def note(self, code: int, seat: int, tile: int, expected: int, actual: int, reason: int = PLAIN) -> None:
        """Take a finding at the present event."""
        self.run.note((code, -1, self.hand, self.event, seat, tile, expected, actual, reason))

    # --- the loop -------------------------------------------------------------------------------------

    def replay(self, until: int = -1) -> None:
        """Replay the hand, all of it or as far as an event."""
        run, batch, hand, table = self.run, self.batch, self.hand, self.table
        run.counters[C_HANDS] += 1
        dealt = [[_KIND[tile] for tile in tiles] for tiles in batch.hands.dealt[hand].tolist()]
        if self.wall is not None:
            run.counters[C_WALLS] += 1
            if not self._check_deal(dealt):
                self.wall = None
        is_following = table.deal(dealt)
        self._begin_facts()
        begin, end = int(batch.hands.event_begin[hand]), int(batch.hands.event_end[hand])
        events = batch.events
        columns = (events.kind, events.seat, events.source, events.tile, events.own, events.flags)
        rows = zip(*(column[begin:end].tolist() for column in columns), strict=True)
        win = int(np.searchsorted(batch.wins.hand, hand))
        last_win = int(np.searchsorted(batch.wins.hand, hand + 1))
        draw = int(np.searchsorted(batch.hand_draws.hand, hand))
        for self.event, cells in enumerate(rows, start=begin):
            event = _Event(*cells)
            if self.event == until:
                break
            if event.kind in (EventKind.LEAVE, EventKind.RETURN):
                continue
            if not is_following:
                break
            run.counters[C_EVENTS] += 1
            is_over = table.phase == Phase.OVER
            if is_over and not self.is_end_noted and not (event.kind == EventKind.WIN and self.winners):
                self.is_end_noted = True
                self.note(codes.AFTER_END, event.seat, event.tile, 0, event.kind)
            if event.kind == EventKind.WIN:
                run.counters[C_WINS] += self._win(win, last_win)
                win += 1
            elif event.kind == EventKind.HAND_DRAW:
                self._draw(draw, is_over=is_over)
                run.counters[C_DRAWS] += 1
                draw += 1
            elif not is_over:
                is_following = self._step(event)
                if is_following and event.kind in _SEATED:
                    self._note_facts(event)
        run.counters[C_STOPPED] += not is_following

    def _step(self, event: _Event) -> bool:
        """Apply one event that does not end the hand."""
        table, kind, seat = self.table, event.kind, event.seat
        if kind in _NOT_PLAYED:
            self.note(_NOT_PLAYED[EventKind(kind)], seat, event.tile, 0, 1)
            return False
        if event.tile >= len(_KIND) or _KIND[event.tile] == NO_TILE:
            self.note(codes.TOO_MANY_COPIES, NO_SEAT, event.tile, 0, 1)
            return False
        tile = _KIND[event.tile]
        own = [_KIND[part] for part in event.own if part != NO_TILE]
        if kind == EventKind.DRAW:
            if self.wall is not None:
                self._check_draw(event)
            return table.draw(seat, tile)
        if kind == EventKind.DISCARD:
            return table.discard(seat, tile, tsumogiri=bool(event.flags & EventFlag.TSUMOGIRI))
        if kind in (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN):
            return table.claim(EventKind(kind), seat, tile, event.source, own)
        if kind == EventKind.BONUS:
            return table.set_aside(seat, tile)
        return table.own_gong(EventKind(kind), seat, tile, own, event.source)

    # --- the wall -------------------------------------------------------------------------------------

    def _check_deal(self, dealt: list[list[int]]) -> bool:
        """Compare the deal with the wall; False where it is another wall altogether."""
        assert self.wall is not None  # noqa: S101  as the caller checks
        due = self.wall.dealt(self.table.dealer)
        missing = [(Counter(due[seat]) - Counter(kinds)).elements() for seat, kinds in enumerate(dealt)]
        lacks = [(seat, kind) for seat, kinds in enumerate(missing) for kind in kinds]
        known = sum(map(len, due))
        if 2 * len(lacks) > known:
            self.note(codes.WALL_DEAL, NO_SEAT, NO_TILE, known, known - len(lacks), ANOTHER_WALL)
            return False
        for seat, kind in lacks[:1]:
            self.note(codes.WALL_DEAL, seat, tile_of_kind(kind), tile_of_kind(kind), NO_TILE)
        return True

    def _check_draw(self, event: _Event) -> None:
        assert self.wall is not None  # noqa: S101  as the caller checks
        due = self.wall.next(replacement=self.table.owed is not None)
        self.run.counters[C_WALL_TILES] += 1
        is_off, was_off = due is not None and tile_of_kind(due) != event.tile, self.is_off_wall
        self.is_off_wall = is_off
        if due is not None and is_off and not was_off:
            self.note(codes.WALL_DRAW, event.seat, event.tile, tile_of_kind(due), event.tile)

    # --- ends -----------------------------------------------------------------------------------------

    def _win(self, row: int, last: int) -> bool:
        wins, table = self.batch.wins, self.table
        claim = _claim(self.batch, row)
        seat, source = claim.seat, claim.source
        self._check_order(row, last)
        scored = check_win(table, claim)
        fact = self.run.scored[row]
        fact[SCORED.hand], fact[SCORED.event] = self.hand, self.event
        fact[SCORED.seat], fact[SCORED.source], fact[SCORED.tile] = seat, source, int(wins.tile[row])
        if scored is not None:
            names = [name for name, _ in scored.patterns]
            fact[SCORED.base] = fact[SCORED.points] = scored.won.value
            fact[SCORED.han] = sum(value for _, value in scored.patterns if isinstance(value, int))
            fact[SCORED.turn] = len(table.seats[seat].river)
            fact[SCORED.is_open] = any(not laid.meld.concealed for laid in table.seats[seat].melds)
            fact[SCORED.changes : SCORED.changes + 4] = scored.changes
            fact[SCORED.patterns] = pattern_mask(self.rules, names)
        for other in range(4):
            if other == seat:
                result = Result.TSUMO if source == seat else Result.RON
            elif source == seat:
                result = Result.TSUMO_PAID
            else:
                result = Result.DEALT_IN if other == source else Result.ASIDE
            if self.facts[other, PLAYER.result] in (Result.UNFINISHED, Result.ASIDE):
                self.facts[other, PLAYER.result] = result
            if claim.deltas[other] != UNKNOWN_POINTS:
                self.facts[other, PLAYER.change] += claim.deltas[other]
        self.winners += 1
        if row + 1 == last:
            table.phase = Phase.OVER
        return scored is not None

    def _check_order(self, row: int, last: int) -> None:
        """Check that several winners may win at once, and that they are in the order of their turns."""
        wins = self.batch.wins
        first = row - self.winners
        seat, tile, source = int(wins.seat[row]), int(wins.tile[row]), int(wins.source[row])
        allowed = 1 if self.rules.win.head_bump or wins.source[first] == wins.seat[first] else 3
        if row - first == allowed:
            self.note(codes.SEVERAL_WINS, seat, tile, allowed, last - first, TOO_MANY_WINS)
        elif first < row < first + allowed:
            before = int(wins.seat[row - 1])
            if source != wins.source[first] or (seat - source) % 4 <= (before - source) % 4:
                self.note(codes.SEVERAL_WINS, seat, tile, 1, last - first)

    def _draw(self, row: int, *, is_over: bool) -> None:
        """Check the end of a hand without a winner: the wall is empty, and nobody pays."""
        draws, table = self.batch.hand_draws, self.table
        kind = int(draws.kind[row])
        if not is_over and (
            kind not in (HandEnd.EXHAUSTIVE, HandEnd.UNKNOWN_DRAW) or not table.is_exhausted()
        ):
            self.note(codes.ILLEGAL_DRAW, NO_SEAT, NO_TILE, 0, kind)
        for seat, change in enumerate(draws.deltas[row].tolist()):
            if change not in (UNKNOWN_POINTS, 0):
                self.note(codes.NOTEN_PAYMENT, seat, NO_TILE, 0, change)
                break
        self.run.tenpai[self.hand] = 0
        for seat, player in enumerate(table.seats):
            self.facts[seat, PLAYER.result] = Result.DRAW
            self.facts[seat, PLAYER.tenpai] = player.waits != 0
            if draws.deltas[row, seat] != UNKNOWN_POINTS:
                self.facts[seat, PLAYER.change] += draws.deltas[row, seat]
        table.phase = Phase.OVER

    # --- facts ----------------------------------------------------------------------------------------

    def _shanten(self, player: Seat) -> int:
        return self.table.shapes.shanten(player.keys, player.counts, player.called)

    def _begin_facts(self) -> None:
        self.facts[:] = 0
        for seat, player in enumerate(self.table.seats):
            fact = self.facts[seat]
            fact[PLAYER.hand], fact[PLAYER.seat], fact[PLAYER.tenpai_turn] = self.hand, seat, -1
            fact[PLAYER.start_shanten] = fact[PLAYER.shanten] = self._shanten(player)

    def _note_facts(self, event: _Event) -> None:
        """Take down what statistics ask of a hand after an event of its seat."""
        if not self.run.takes_notes:
            return
        kind, seat = event.kind, event.seat
        player, fact = self.table.seats[seat], self.facts[seat]
        if kind in _COUNTED:
            for column in _COUNTED[EventKind(kind)]:
                fact[column] += 1
        is_bonus = player.drawn >= KINDS and player.drawn != NO_TILE
        if kind == EventKind.BONUS or (kind == EventKind.DRAW and is_bonus):
            return
        now = self._shanten(player)
        if kind == EventKind.DRAW:
            if self.table.phase == Phase.FIRST:
                fact[PLAYER.start_shanten] = now
            else:
                fact[PLAYER.draws] += 1
                fact[PLAYER.useful_draws] += now < fact[PLAYER.shanten]
        elif kind == EventKind.DISCARD:
            turn = fact[PLAYER.discards] = len(player.river)
            fact[PLAYER.losing_discards] += now > fact[PLAYER.shanten]
            fact[PLAYER.waits] = player.waits
            if turn <= PATH_TURNS:
                fact[PLAYER.path] |= max(now, 0) << PATH_BITS * (int(turn) - 1)
            if player.waits and fact[PLAYER.tenpai_turn] < 0:
                fact[PLAYER.tenpai_turn] = turn
                fact[PLAYER.tenpai_live] = self._live(seat, player.waits)
        fact[PLAYER.shanten] = now

    def _live(self, seat: int, waits: int) -> int:
        """Count the tiles of some kinds that a seat does not see."""
        table = self.table
        live = 0
        for kind in range(KINDS):
            if waits >> kind & 1:
                melds = [laid for other in table.seats for laid in other.melds]
                melded = sum(laid.meld.kinds.count(kind) - (laid.claimed == kind) for laid in melds)
                thrown = sum(player.river.count(kind) for player in table.seats)
                live += 4 - melded - thrown - table.seats[seat].counts[kind]
        return live


_COUNTED = {
    EventKind.CHI: (PLAYER.calls,),
    EventKind.PON: (PLAYER.calls,),
    EventKind.DAIMINKAN: (PLAYER.calls, PLAYER.daiminkan),
    EventKind.ANKAN: (PLAYER.ankan,),
    EventKind.KAKAN: (PLAYER.kakan,),
    EventKind.BONUS: (PLAYER.kita,),
}
"""Event -> columns of ``player_hands`` that count it."""


def _claim(batch: Batch, row: int) -> WinClaim:
    wins: Any = batch.wins
    tile = int(wins.tile[row])
    return WinClaim(
        seat=int(wins.seat[row]),
        source=int(wins.source[row]),
        kind=_KIND[tile],
        liable=int(wins.liable[row]),
        tiles=tuple(_KIND[tile] for tile in wins.tiles[row].tolist() if tile != NO_TILE),
        points=int(wins.points[row]),
        patterns=parse_patterns(str(wins.patterns[row])),
        honba=int(wins.honba[row]),
        sticks=int(wins.sticks[row]),
        deltas=tuple(wins.deltas[row].tolist()),
        own_scores=tuple(wins.own_scores[row].tolist()),
    )
