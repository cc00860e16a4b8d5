"""Furiten and legal wins a second time: plain, slow, and without a line of the engine.

A hand is followed event by event with lists and sets of tiles 0-36 (34, 35, 36 are red fives). Waits are
found by trying every kind; whether a hand has a yaku, and what it is worth, says the library ``mahjong``.
Only the rules of Tenhou and Mahjong Soul, which all real logs at hand were played under.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld
from scratch_state import waits

from paifu.replay.model.events import EventKind as Kind
from paifu.replay.model.events import HandEnd
from paifu.replay.views.events import Event
from paifu.replay.views.games import Hand

ORPHANS = (0, 8, 9, 17, 18, 26, *range(27, 34))
NORTH = 30
RED_IDS = {34: 16, 35: 52, 36: 88}


class Fact(NamedTuple):
    """Something to be found: what, where in the hand, who, and the points of the win in question (or 0)."""

    code: str
    event: int
    seat: int
    points: int = 0


def kind_of(tile: int) -> int:
    """The kind of a tile: a red five is a five."""
    return {34: 4, 35: 13, 36: 22}.get(tile, tile)


def waits_of(tiles: Iterable[int], melds: Iterable[tuple[Kind, list[int]]]) -> frozenset[int]:
    """Kinds that complete a hand; not those of which the player holds all four."""
    melded = [tile for _, meld in melds for tile in meld]
    return waits(*(tuple(sorted(map(kind_of, part))) for part in (tiles, melded)), tuple(range(34)))


@dataclass
class Player:
    """One player's tiles, and what it may not do."""

    tiles: list[int]
    melds: list[tuple[Kind, list[int]]] = field(default_factory=list)
    kita: int = 0
    river: list[int] = field(default_factory=list)
    waits: frozenset[int] = frozenset()
    drawn: int | None = None
    supplement: bool = False
    riichi: bool = False
    double: bool = False
    ippatsu: bool = False
    declared: bool = False
    temporary: bool = False
    for_good: bool = False
    kinds_of_furiten: set[int] = field(default_factory=set)

    def settle(self) -> None:
        """Work the waits out anew."""
        self.waits = waits_of(self.tiles, self.melds)

    @property
    def by_river(self) -> bool:
        """Furiten by an own discard."""
        return any(kind in self.waits for kind in self.river)

    @property
    def waits_for_orphans(self) -> bool:
        """Waits for thirteen orphans; no other hand holds twelve kinds of them."""
        return len({kind_of(tile) for tile in self.tiles}.intersection(ORPHANS)) >= 12

    @property
    def furiten(self) -> bool:
        """Furiten for whatever reason."""
        return self.by_river or self.temporary or self.for_good


class Oracle:
    """Follows one hand; :meth:`step` yields what the review should find at an event."""

    def __init__(self, hand: Hand, *, kuitan: bool, red: bool, rob_closed_kan: bool) -> None:
        self.hand, self.kuitan, self.red, self.rob_closed_kan = hand, kuitan, red, rob_closed_kan
        self.players = [Player([tile for tile in tiles if tile is not None]) for tiles in hand.dealt]
        self.indicators = [hand.dora or 0]
        self.wall = 70 if hand.players == 4 else 55
        self.untouched = True
        self.discards = [0] * hand.players
        self.dead_draw = False
        self.offered: Event | None = None
        self.latest_draw = -1
        """Index of the latest draw: a win by it was to be decided there."""
        self.before_last = [False] * hand.players
        for player in self.players:
            player.settle()

    def step(self, event: Event) -> list[Fact]:
        """Carry an event out; returns the facts in the order in which they come about."""
        facts = self.look_ahead_of(event)
        self.apply(event)
        robbed = event.kind == Kind.ANKAN and self.rob_closed_kan
        if robbed or event.kind in (Kind.DISCARD, Kind.KAKAN, Kind.KITA):
            facts += self.offers(event, takers(event, self.hand.events, self.hand.end))
        if event.kind == Kind.DISCARD:
            self.note_furiten(event)
        return facts

    def look_ahead_of(self, event: Event) -> list[Fact]:
        """A tsumo let go, a win, and what shows at the hand's end."""
        facts = []
        if event.kind == Kind.HAND_DRAW and self.hand.end in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI):
            last = max((e for e in self.hand.events if e.kind == Kind.DISCARD), key=lambda e: e.index)
            for other, player in enumerate(self.players):
                late = other != last.seat and not self.before_last[other]
                if player.waits and player.furiten and not late:
                    facts.append(Fact("F107", event.index, other))
        if event.seat is None:
            return facts
        seat, player = event.seat, self.players[event.seat]
        acts = event.kind in (Kind.DISCARD, Kind.ANKAN, Kind.KAKAN, Kind.KITA)
        completes = player.drawn is not None and kind_of(player.drawn) in player.waits
        if acts and completes:
            assert player.drawn is not None
            points = self.value(seat, player.drawn, tsumo=True)
            if points:
                facts.append(Fact("W102", self.latest_draw, seat, points))
        if event.kind == Kind.WIN and event.source == seat:
            if player.furiten:
                facts.append(Fact("F106", self.latest_draw, seat))
            if completes and player.drawn is not None and self.value(seat, player.drawn, tsumo=True):
                facts.append(Fact("tsumo", event.index, seat))
        elif event.kind == Kind.WIN and self.offered is not None and self.offered.tile is not None:
            tile, sort = self.offered.tile, self.offered.kind
            legal = kind_of(tile) in player.waits and not self.before_last[seat]
            if legal and self.value(seat, tile, tsumo=False, event=sort):
                facts.append(Fact("ron", event.index, seat))
        return facts

    def apply(self, event: Event) -> None:
        """Carry an event out."""
        if event.kind == Kind.DORA and event.tile is not None:
            self.indicators.append(event.tile)
        move = self.MOVES.get(event.kind)
        if move is not None and event.seat is not None:
            tile = NORTH if event.tile is None else event.tile
            move(self, event.seat, self.players[event.seat], tile, event)

    def draw(self, _: int, player: Player, tile: int, event: Event) -> None:
        """A tile from the wall, or from the dead wall."""
        self.latest_draw = event.index
        player.tiles.append(tile)
        player.drawn, player.supplement = tile, self.dead_draw
        if self.dead_draw:
            self.interrupt()
        self.dead_draw = False
        self.wall -= 1

    def discard(self, seat: int, player: Player, tile: int, _: Event) -> None:
        """A discard; a tsumo let go under riichi is furiten for good."""
        if player.riichi:
            player.ippatsu = False
            if player.drawn is not None and kind_of(player.drawn) in player.waits:
                player.for_good = True
        player.tiles.remove(tile)
        player.river.append(kind_of(tile))
        player.temporary = False
        if player.declared and not player.riichi:
            player.double = self.untouched and not self.discards[seat]
            player.riichi = True
        self.discards[seat] += 1
        player.drawn = None
        player.settle()

    def call(self, _: int, player: Player, tile: int, event: Event) -> None:
        """Chi, pon, open kan."""
        for own in event.own:
            player.tiles.remove(own)
        player.melds.append((event.kind, [tile, *event.own]))
        player.drawn = None
        self.dead_draw = event.kind == Kind.DAIMINKAN
        self.interrupt()

    def ankan(self, _: int, player: Player, tile: int, event: Event) -> None:
        """A closed kan."""
        for own in (tile, *event.own):
            player.tiles.remove(own)
        player.melds.append((event.kind, [tile, *event.own]))
        self.after_own_kan(player)

    def kakan(self, _: int, player: Player, tile: int, event: Event) -> None:
        """A tile added to a pon."""
        player.tiles.remove(tile)
        for number, (kind, tiles) in enumerate(player.melds):
            if kind == Kind.PON and kind_of(tiles[0]) == kind_of(tile):
                player.melds[number] = (event.kind, [*tiles, tile])
        self.after_own_kan(player)

    def set_aside(self, _: int, player: Player, __: int, ___: Event) -> None:
        """A north."""
        player.tiles.remove(NORTH)
        player.kita += 1
        self.after_own_kan(player)

    def declare(self, _: int, player: Player, __: int, ___: Event) -> None:
        """Riichi is declared."""
        player.declared = True

    def pay(self, _: int, player: Player, __: int, ___: Event) -> None:
        """The declaration tile has passed."""
        player.declared, player.ippatsu = False, True

    MOVES: ClassVar[dict[Kind, Callable[[Oracle, int, Player, int, Event], None]]] = {
        Kind.DRAW: draw, Kind.DISCARD: discard, Kind.CHI: call, Kind.PON: call, Kind.DAIMINKAN: call,
        Kind.ANKAN: ankan, Kind.KAKAN: kakan, Kind.KITA: set_aside, Kind.RIICHI: declare,
        Kind.RIICHI_PAID: pay,
    }  # fmt: skip

    def after_own_kan(self, player: Player) -> None:
        """A supplement draw follows."""
        player.drawn = None
        self.dead_draw = True
        player.settle()

    def interrupt(self) -> None:
        """A call or kan ends the first go-around and everybody's ippatsu."""
        self.untouched = False
        for player in self.players:
            player.ippatsu = False

    def offers(self, event: Event, winners: set[int]) -> list[Fact]:
        """Who lets the tile of a discard, added kan or kita pass."""
        facts = []
        seat, tile = event.seat, event.tile
        assert seat is not None
        assert tile is not None
        self.offered = event
        self.before_last = [player.furiten for player in self.players]
        if event.kind == Kind.DISCARD:
            player = self.players[seat]
            if player.declared and player.by_river:
                facts.append(Fact("F101", event.index, seat))
        for other, player in enumerate(self.players):
            if other == seat or kind_of(tile) not in player.waits:
                continue
            if event.kind == Kind.ANKAN and not player.waits_for_orphans:
                continue
            blocked, by_river, for_good = player.furiten, player.by_river, player.for_good
            player.temporary = True
            player.for_good |= player.riichi
            if other in winners or (len(winners) == 2 and self.hand.players == 4):
                continue
            points = self.value(other, tile, tsumo=False, event=event.kind)
            if points and blocked:
                code = "F103" if by_river else "F105" if for_good else "F104"
                facts.append(Fact(code, event.index, other, points))
            elif points:
                code = "W101" if event.kind == Kind.DISCARD else "W103"
                facts.append(Fact(code, event.index, other, points))
            elif not blocked and not any(
                self.value(other, kind, tsumo=False, event=event.kind) for kind in player.waits
            ):
                facts.append(Fact("W104", event.index, other))
        return facts

    def note_furiten(self, event: Event) -> None:
        """Keep which kinds of furiten each player was in after a discard: 1 river, 2 temporary, 4 riichi."""
        for seat, player in enumerate(self.players):
            if player.for_good:
                player.kinds_of_furiten.add(4)
            elif player.temporary:
                player.kinds_of_furiten.add(2)
            if seat == event.seat and player.by_river:
                player.kinds_of_furiten.add(1)

    def value(self, seat: int, tile: int, *, tsumo: bool, event: Kind = Kind.DISCARD) -> int:
        """Points of a win without honba, sticks and ura dora; 0 when there is no yaku."""
        player, hand = self.players[seat], self.hand
        wind = (seat - (hand.dealer or 0)) % hand.players
        first = self.untouched and not self.discards[seat] and tsumo
        config = HandConfig(
            is_tsumo=tsumo,
            is_riichi=player.riichi,
            is_daburu_riichi=player.riichi and player.double,
            is_ippatsu=player.ippatsu,
            is_rinshan=tsumo and player.supplement,
            is_chankan=event in (Kind.KAKAN, Kind.ANKAN),
            is_haitei=tsumo and not self.wall and not player.supplement,
            is_houtei=not tsumo and not self.wall and event == Kind.DISCARD,
            is_tenhou=first and wind == 0,
            is_chiihou=first and wind != 0,
            player_wind=EAST + wind,
            round_wind=EAST + hand.round // 4,
            num_nuki_dora=player.kita,
            options=OptionalRules(
                has_open_tanyao=self.kuitan,
                has_aka_dora=self.red,
                has_double_yakuman=False,
                is_three_player=hand.players == 3,
            ),
        )
        ids = Ids(red=self.red)
        melds = [
            Meld(_SORTS[kind], sorted(ids.of(tiles)), opened=kind != Kind.ANKAN)
            for kind, tiles in player.melds
        ]
        closed = list(player.tiles)
        if tsumo:
            closed.remove(tile)
        hidden = ids.of(closed)
        won = ids.of([tile])
        every = sorted([*hidden, *won, *(i for meld in melds for i in meld.tiles)])
        answer = HandCalculator.estimate_hand_value(
            every, won[0], melds, dora_indicators=[4 * kind_of(i) for i in self.indicators], config=config
        )
        if answer.error:
            return 0
        cost = answer.cost
        if not tsumo:
            return int(cost["main"])
        if hand.players == 3:
            return int(cost["main"]) * (2 if wind == 0 else 1) + (0 if wind == 0 else int(cost["additional"]))
        return int(cost["main"]) + int(cost["additional"]) * 2 if wind else 3 * int(cost["main"])


class Ids:
    """Gives tiles the numbers that ``mahjong`` wants: 0-135, each once, the red fives first of their kind."""

    def __init__(self, *, red: bool) -> None:
        self.red = red
        self.given: Counter[int] = Counter()

    def of(self, tiles: Iterable[int]) -> list[int]:
        """Number these tiles."""
        return [self.one(tile) for tile in tiles]

    def one(self, tile: int) -> int:
        """Number a tile; a five that can only be the red one is."""
        if tile in RED_IDS:
            return RED_IDS[tile]
        first = 4 * tile + (self.red and 4 * tile in RED_IDS.values())
        number = first + self.given[tile]
        self.given[tile] += 1
        return number if number < 4 * tile + 4 else 4 * tile


_SORTS = {
    Kind.CHI: Meld.CHI, Kind.PON: Meld.PON, Kind.DAIMINKAN: Meld.KAN, Kind.ANKAN: Meld.KAN,
    Kind.KAKAN: Meld.SHOUMINKAN,
}  # fmt: skip


def takers(event: Event, events: tuple[Event, ...], end: HandEnd) -> set[int]:
    """Who wins on the tile of an event; everybody when three rons abort the hand."""
    for later in events[event.index + 1 :]:
        if later.kind == Kind.WIN:
            return {e.seat for e in events[later.index :] if e.kind == Kind.WIN and e.seat is not None}
        if later.kind == Kind.HAND_DRAW and end == HandEnd.SANCHAHOU:
            return {0, 1, 2, 3}
        if later.kind not in (Kind.LEAVE, Kind.RETURN):
            break
    return set()
