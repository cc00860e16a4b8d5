"""Simulated games other than riichi: simple players at the table that replays logs.

A game follows from a number alone: the number makes the seed of its walls, and chance in what players do
follows from it, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from paifu.coach.simulate.games import Player
from paifu.coach.simulate.general_players import Mind
from paifu.replay.course.dealer_wins import dealer_wins_after
from paifu.replay.course.settlement import (
    FinalResult,
    HandOutcome,
    HandStart,
    OutcomeKind,
    endings,
    final_result,
    next_hand,
)
from paifu.replay.general.table import GeneralTable
from paifu.replay.general.wins import Scored, may_win
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind
from paifu.replay.model.tiles import KINDS, NO_TILE
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.shapes import Shapes
from paifu.replay.scoring.readings import MeldKind
from paifu.replay.walls.plain import PlainWall, make_seed, wall_of

_MANY = 1000
_SEVEN = 7


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """An event as it was played; tiles are kinds."""

    kind: EventKind
    seat: int
    tile: int = NO_TILE
    source: int = NO_SEAT
    own: tuple[int, ...] = ()
    flags: int = 0


@dataclass(frozen=True, slots=True)
class PlayedWin:
    """A win, and the concealed tiles with which it was shown."""

    seat: int
    source: int
    tile: int
    tiles: tuple[int, ...]
    scored: Scored


@dataclass(frozen=True, slots=True)
class OtherHand:
    """One hand as it was played."""

    start: HandStart
    scores: tuple[int, ...]
    dealt: tuple[tuple[int, ...], ...]
    moves: tuple[PlayedMove, ...]
    """Without the one that ends the hand."""
    win: PlayedWin | None

    def outcome(self) -> HandOutcome:
        """Return what the next hand depends on."""
        if self.win is None:
            return HandOutcome(OutcomeKind.EXHAUSTIVE)
        return HandOutcome(OutcomeKind.WIN, winners=(self.win.seat,))

    def scores_after(self) -> tuple[int, ...]:
        """Return the scores after the hand."""
        changes = self.win.scored.changes if self.win else (0, 0, 0, 0)
        return tuple(score + change for score, change in zip(self.scores, changes, strict=True))


@dataclass(frozen=True, slots=True)
class OtherGame:
    """A game: its hands in order, and the result if it came to its end."""

    rules: Ruleset
    hands: tuple[OtherHand, ...]
    result: FinalResult | None
    seed: str = ""


class OtherSimulator:
    """Plays games under one ruleset with one set of players."""

    def __init__(self, rules: Ruleset, players: Sequence[Player]) -> None:
        """``players`` are by seat; fewer than the table has are repeated."""
        self.rules = rules
        self.players = tuple(players[seat % len(players)] for seat in range(4))
        self.shapes = Shapes(rules)

    def game(self, number: int) -> OtherGame:
        """Play the game that follows from ``number``."""
        rules, seed = self.rules, make_seed(number)
        chance = Random(f"paifu players {number}")  # noqa: S311
        scores: tuple[int, ...] = (rules.table.start_points,) * 4
        start = HandStart(0, 0, 0, 0)
        hands: list[OtherHand] = []
        winners: list[int] = []
        dealer_wins = 0
        while True:
            wall = wall_of(seed, len(hands), rules)
            assert wall is not None  # noqa: S101  the seed is ours
            hand = _HandInPlay(self, start, scores, wall, dealer_wins, chance).play()
            hands.append(hand)
            outcome, scores = hand.outcome(), hand.scores_after()
            winners += outcome.winners
            if endings(rules, start, outcome, scores, 0, len(hands))[0]:
                return OtherGame(rules, tuple(hands), final_result(rules, scores, winners), seed)
            following = next_hand(rules, start, outcome)
            dealer_wins = dealer_wins_after(dealer_wins, start, outcome, following)
            start = following


class IllegalMoveError(AssertionError):
    """A simulated move broke a rule: the simulator is wrong."""


def _object(code: int, seat: int, tile: int, expected: int, actual: int, reason: int = 0) -> None:
    raise IllegalMoveError(f"a simulated move broke a rule: {code, seat, tile, expected, actual, reason}")


class _HandInPlay:
    """One hand while it is played."""

    def __init__(
        self,
        simulator: OtherSimulator,
        start: HandStart,
        scores: tuple[int, ...],
        wall: PlainWall,
        dealer_wins: int,
        chance: Random,
    ) -> None:
        self.start, self.scores, self.wall, self.chance = start, scores, wall, chance
        self.players = simulator.players
        self.table = GeneralTable(
            simulator.rules,
            simulator.shapes,
            _object,
            dealer=start.dealer,
            round_wind=min(3, start.round // 4),
            keeps=start.honba,
            dealer_wins=dealer_wins,
        )
        self.mind = Mind(self.table)
        self.moves: list[PlayedMove] = []
        self.won: PlayedWin | None = None

    def play(self) -> OtherHand:
        """Play the hand to its end."""
        table, dealt = self.table, self.wall.dealt(self.start.dealer)
        table.deal(dealt)
        while (seat := table.first_seat) is not None and self.won is None:
            self._replace(seat)
        if table.rules.calls.first_gongs and self.won is None:
            self._first_gongs()
        while self.won is None and not table.is_exhausted():
            self._turn()
        return OtherHand(self.start, self.scores, tuple(map(tuple, dealt)), tuple(self.moves), self.won)

    def _often(self, number: int) -> bool:
        return self.chance.randrange(_MANY) < number

    # --- one move -------------------------------------------------------------------------------------

    def _draw(self, seat: int) -> None:
        kind = self.wall.next(replacement=self.table.owed is not None)
        assert kind is not None  # noqa: S101  the table knows how many there are
        self.moves.append(PlayedMove(EventKind.DRAW, seat, kind))
        self.table.draw(seat, kind)

    def _replace(self, seat: int) -> None:
        """Set a bonus tile aside and, unless that wins, draw its replacement."""
        table, player = self.table, self.table.seats[seat]
        kind = player.loose[0]
        self.moves.append(PlayedMove(EventKind.BONUS, seat, kind))
        table.set_aside(seat, kind)
        if len(player.bonus) >= _SEVEN and (len(player.bonus) > _SEVEN or self._often(500)):
            self._try(seat, seat, kind)
        if self.won is None and table.live > 0:
            self._draw(seat)

    def _try(self, seat: int, source: int, kind: int) -> bool:
        """Win, if the hand may win on a tile and its player wants to."""
        table = self.table
        scored = may_win(table, seat, source, kind)
        if scored is None or self._often(self.players[seat].passes):
            return False
        tiles = table.seats[seat].hand(None if kind >= KINDS else kind).tiles
        self.won = PlayedWin(seat, source, kind, tiles, scored)
        return True

    def _gong(self, event: EventKind, seat: int, kind: int, own: tuple[int, ...], source: int) -> None:
        self.moves.append(PlayedMove(event, seat, kind, source, own))
        self.table.own_gong(event, seat, kind, own, source)

    # --- turns ----------------------------------------------------------------------------------------

    def _first_gongs(self) -> None:
        for step in range(4):
            seat = (self.start.dealer + step) % 4
            while self.won is None and self._concealed_gong(seat):
                while self.won is None and self.table.seats[seat].loose:
                    self._replace(seat)

    def _concealed_gong(self, seat: int) -> bool:
        """Declare a concealed gong and draw its replacement, if there is one to declare."""
        table, player = self.table, self.table.seats[seat]
        if not table.may_gong(seat) or not table.rules.calls.concealed_gongs:
            return False
        for kind in range(KINDS):
            if (
                player.counts[kind] == 4
                and self.mind.keeps_shape(seat, kind, 4)
                and self._often(self.players[seat].kans)
            ):
                self._gong(EventKind.ANKAN, seat, kind, (kind,) * 3, 255)
                self._draw(seat)
                return True
        return False

    def _promotion(self, seat: int) -> bool:
        """Promote a pung, which others may rob, and draw the replacement."""
        table, player = self.table, self.table.seats[seat]
        newest = player.melds[-1] if table.turn == seat and player.drawn == NO_TILE and player.melds else None
        for laid in player.melds if table.may_gong(seat) else ():
            kind = laid.meld.first
            if laid.meld.kind != MeldKind.PON or laid is newest or not player.counts[kind]:
                continue
            if self.mind.keeps_shape(seat, kind, 1) and self._often(self.players[seat].kans):
                own = (laid.claimed, kind, kind)
                self._gong(EventKind.KAKAN, seat, kind, own, laid.source)
                self._offer_win(seat, kind)
                if self.won is None:
                    self._draw(seat)
                return True
        return False

    def _turn(self) -> None:
        """Let the seat whose turn it is draw and act, until it has discarded and nobody has claimed."""
        table = self.table
        seat = table.turn
        if table.owed is not None or seat is None:
            raise IllegalMoveError("a replacement is due")
        claimed = table.seats[seat].drawn == NO_TILE and table.phase.name == "DISCARD"
        if not claimed:
            self._draw(seat)
        if self._act(seat):
            return
        self._discard(seat)

    def _act(self, seat: int) -> bool:
        """Replace bonus tiles, win, make gongs; True when the hand is over."""
        table, player = self.table, self.table.seats[seat]
        while True:
            while player.loose and self.won is None:
                if table.live <= 0:
                    self._replace(seat)
                    return True
                self._replace(seat)
            if self.won is not None:
                return True
            if player.drawn != NO_TILE and self._is_near(seat) and self._try(seat, seat, player.drawn):
                return True
            if not (self._concealed_gong(seat) or self._promotion(seat)):
                return False
            if self.won is not None:
                return True

    def _is_near(self, seat: int) -> bool:
        player = self.table.seats[seat]
        return self.table.shapes.shanten(player.keys, player.counts, player.called) < 0

    def _discard(self, seat: int) -> None:
        table, player = self.table, self.table.seats[seat]
        held = [kind for kind in range(KINDS) if player.counts[kind] and not table.barred >> kind & 1]
        kind = (
            self.chance.choice(held)
            if held and self._often(self.players[seat].wild)
            else self.mind.discard(seat)
        )
        flags = EventFlag.TSUMOGIRI if player.drawn == kind else 0
        self.moves.append(PlayedMove(EventKind.DISCARD, seat, kind, flags=flags))
        table.discard(seat, kind, tsumogiri=bool(flags))
        self._offer_win(seat, kind)
        if self.won is None and table.live > 0:
            self._offer_claim(seat, kind)

    def _offer_win(self, source: int, kind: int) -> None:
        for step in range(1, 4):
            seat = (source + step) % 4
            if self.table.seats[seat].waits >> kind & 1 and self._try(seat, source, kind):
                return

    def _offer_claim(self, source: int, kind: int) -> None:
        """Let others claim a discard: a pung or a gong first, then the next seat a chow."""
        table = self.table
        for seat, player in enumerate(table.seats):  # no two others hold a pair of what is discarded
            if seat != source and player.counts[kind] >= 2 and self._wants(seat, kind, (kind, kind)):
                is_gong = player.counts[kind] == 3 and table.rules.calls.largest_exposure > 3
                if is_gong and self._often(self.players[seat].kans):
                    self._claim(EventKind.DAIMINKAN, seat, kind, source, (kind,) * 3)
                    self._draw(seat)
                    if not self._act(seat):
                        self._discard(seat)
                    return
                self._claim(EventKind.PON, seat, kind, source, (kind, kind))
                return
        seat = (source + 1) % 4
        for own in _chows(table.seats[seat].counts, kind) if table.rules.calls.chi else ():
            if self._wants(seat, kind, own):
                self._claim(EventKind.CHI, seat, kind, source, own)
                return

    def _wants(self, seat: int, kind: int, own: tuple[int, ...]) -> bool:
        return self._often(self.players[seat].calls) and self.mind.gains(seat, kind, own) > 1

    def _claim(self, event: EventKind, seat: int, kind: int, source: int, own: tuple[int, ...]) -> None:
        self.moves.append(PlayedMove(event, seat, kind, source, own))
        self.table.claim(event, seat, kind, source, own)


def _chows(counts: list[int], kind: int) -> list[tuple[int, ...]]:
    """Return the pairs of kinds in hand that make a chow with a kind."""
    if kind >= 27:
        return []
    found = []
    for low in range(max(kind - 2, kind // 9 * 9), kind + 1):
        own = tuple(part for part in (low, low + 1, low + 2) if part != kind)
        if (low + 2) // 9 == kind // 9 and all(counts[part] for part in own):
            found.append(own)
    return found
