"""Furiten and passed wins a second time: plain, slow, and without a line of the engine.

A hand is followed event by event with lists and sets. Waits are found by trying every kind; whether a hand
has a yaku, and what it is worth, says the library ``mahjong``. Only Tenhou's rules, which all real logs at
hand were played under.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import ClassVar, NamedTuple

from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld

from paifu.replay.events import EventKind as Kind
from paifu.replay.events import HandEnd
from paifu.replay.views import Event, Hand

ORPHANS = (0, 8, 9, 17, 18, 26, *range(27, 34))
NORTH = 30


class Fact(NamedTuple):
    """Something to be found: what, where in the hand, who, and the points of the win in question (or 0)."""

    code: str
    event: int
    seat: int
    points: int = 0


@cache
def splits(counts: tuple[int, ...], *, runs: bool) -> frozenset[bool]:
    """Tell how the tiles of one suit fall into sets: without a pair left over (False), with one (True)."""
    if not any(counts):
        return frozenset([False])
    first = next(i for i, count in enumerate(counts) if count)
    found: set[bool] = set()

    def less(*kinds: int) -> tuple[int, ...]:
        left = list(counts)
        for kind in kinds:
            left[kind] -= 1
        return tuple(left)

    if counts[first] >= 3:
        found |= splits(less(first, first, first), runs=runs)
    if runs and first + 2 < len(counts) and counts[first + 1] and counts[first + 2]:
        found |= splits(less(first, first + 1, first + 2), runs=runs)
    if counts[first] >= 2 and False in splits(less(first, first), runs=runs):
        found.add(True)
    return frozenset(found)


def is_complete(counts: tuple[int, ...], melds: int) -> bool:
    """Tell whether 3n + 2 closed tiles (34 counts) and so many melds are a winning shape."""
    if not melds and all(count in (0, 2) for count in counts):
        return True
    if not melds and all(counts[kind] for kind in ORPHANS) and sum(counts[kind] for kind in ORPHANS) == 14:
        return True
    suits = [counts[0:9], counts[9:18], counts[18:27], counts[27:34]]
    if sum(sum(suit) % 3 == 2 for suit in suits) != 1 or any(sum(suit) % 3 == 1 for suit in suits):
        return False
    return all((sum(suit) % 3 == 2) in splits(suit, runs=i < 3) for i, suit in enumerate(suits))


@lru_cache(maxsize=200_000)
def waits_of(counts: tuple[int, ...], melded: tuple[int, ...], melds: int) -> frozenset[int]:
    """Kinds that complete a hand; not those of which the player holds all four."""
    found = set()
    for kind in range(34):
        if counts[kind] + melded[kind] < 4:
            more = list(counts)
            more[kind] += 1
            if is_complete(tuple(more), melds):
                found.add(kind)
    return frozenset(found)


@dataclass
class Player:
    """One player's tiles as physical ids, and what it may not do."""

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
        counts, melded = [0] * 34, [0] * 34
        for tile in self.tiles:
            counts[tile // 4] += 1
        for _, tiles in self.melds:
            for tile in tiles:
                melded[tile // 4] += 1
        self.waits = waits_of(tuple(counts), tuple(melded), len(self.melds))

    @property
    def by_river(self) -> bool:
        """Furiten by an own discard."""
        return any(kind in self.waits for kind in self.river)

    @property
    def furiten(self) -> bool:
        """Furiten for whatever reason."""
        return self.by_river or self.temporary or self.for_good


class Oracle:
    """Follows one hand; :meth:`facts` yields what the review should find."""

    def __init__(self, hand: Hand, *, kuitan: bool, red: bool) -> None:
        self.hand, self.kuitan, self.red = hand, kuitan, red
        self.players = [Player([int(i) for i in ids if i is not None]) for ids in hand.dealt_id]
        self.indicators = [int(hand.dora_id or 0)]
        self.wall = 70 if hand.players == 4 else 55
        self.untouched = True
        self.discards = [0] * hand.players
        self.dead_draw = False
        for player in self.players:
            player.settle()

    def facts(self) -> Iterator[Fact]:
        """Yield the facts in the order of the events."""
        events = self.hand.events
        for event in events:
            yield from self.look_ahead_of(event)
            self.apply(event)
            if event.kind in (Kind.DISCARD, Kind.KAKAN, Kind.KITA):
                yield from self.offers(event, takers(event, events, self.hand.end))
            if event.kind == Kind.DISCARD:
                self.note_furiten(event)

    def look_ahead_of(self, event: Event) -> Iterator[Fact]:
        """A tsumo let go, and what shows at the hand's end."""
        seat = event.seat
        if event.kind == Kind.HAND_DRAW and self.hand.end in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI):
            last = max((e for e in self.hand.events if e.kind == Kind.DISCARD), key=lambda e: e.index)
            for other, player in enumerate(self.players):
                late = other != last.seat and not self.before_last[other]
                if player.waits and player.furiten and not late:
                    yield Fact("F107", event.index, other)
        if seat is None:
            return
        player = self.players[seat]
        acts = event.kind in (Kind.DISCARD, Kind.ANKAN, Kind.KAKAN, Kind.KITA)
        if acts and player.drawn is not None and player.drawn // 4 in player.waits:
            points = self.value(seat, player.drawn, tsumo=True)
            if points:
                yield Fact("W102", event.index, seat, points)
        if event.kind == Kind.WIN and event.source == seat and player.furiten:
            yield Fact("F106", event.index, seat)

    def apply(self, event: Event) -> None:
        """Carry an event out."""
        if event.kind == Kind.DORA and event.tile_id is not None:
            self.indicators.append(event.tile_id)
        move = self.MOVES.get(event.kind)
        if move is not None and event.seat is not None:
            tile = 4 * NORTH if event.tile_id is None else event.tile_id
            move(self, event.seat, self.players[event.seat], tile, event)

    def draw(self, _: int, player: Player, tile: int, __: Event) -> None:
        """A tile from the wall, or from the dead wall."""
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
            if player.drawn is not None and player.drawn // 4 in player.waits:
                player.for_good = True
        player.tiles.remove(tile)
        player.river.append(tile // 4)
        player.temporary = False
        if player.declared and not player.riichi:
            player.double = self.untouched and not self.discards[seat]
            player.riichi = True
        self.discards[seat] += 1
        player.drawn = None
        player.settle()

    def call(self, _: int, player: Player, tile: int, event: Event) -> None:
        """Chi, pon, open kan."""
        for own in event.own_id:
            player.tiles.remove(own)
        player.melds.append((event.kind, [tile, *event.own_id]))
        player.drawn = None
        self.dead_draw = event.kind == Kind.DAIMINKAN
        self.interrupt()

    def ankan(self, _: int, player: Player, tile: int, event: Event) -> None:
        """A closed kan."""
        for own in (tile, *event.own_id):
            player.tiles.remove(own)
        player.melds.append((event.kind, [tile, *event.own_id]))
        self.after_own_kan(player)

    def kakan(self, _: int, player: Player, tile: int, event: Event) -> None:
        """A tile added to a pon."""
        player.tiles.remove(tile)
        for number, (kind, tiles) in enumerate(player.melds):
            if kind == Kind.PON and tiles[0] // 4 == tile // 4:
                player.melds[number] = (event.kind, [*tiles, tile])
        self.after_own_kan(player)

    def set_aside(self, _: int, player: Player, __: int, ___: Event) -> None:
        """A north; which copy, not every log tells."""
        player.tiles.remove(next(tile for tile in player.tiles if tile // 4 == NORTH))
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

    def offers(self, event: Event, winners: set[int]) -> Iterator[Fact]:
        """Who lets the tile of a discard, added kan or kita pass."""
        seat, tile = event.seat, event.tile_id
        assert seat is not None
        if tile is None:
            tile = 4 * NORTH
        self.before_last = [player.furiten for player in self.players]
        if event.kind == Kind.DISCARD:
            player = self.players[seat]
            if player.declared and player.by_river:
                yield Fact("F101", event.index, seat)
        for other, player in enumerate(self.players):
            if other == seat or tile // 4 not in player.waits:
                continue
            blocked, by_river, for_good = player.furiten, player.by_river, player.for_good
            player.temporary = True
            player.for_good |= player.riichi
            if other in winners or (len(winners) == 2 and self.hand.players == 4):
                continue
            points = self.value(other, tile, tsumo=False, event=event.kind)
            if points and blocked:
                yield Fact("F103" if by_river else "F105" if for_good else "F104", event.index, other, points)
            elif points:
                yield Fact("W101" if event.kind == Kind.DISCARD else "W103", event.index, other, points)
            elif not blocked and not any(
                self.value(other, 4 * kind + 1, tsumo=False, event=event.kind) for kind in player.waits
            ):
                yield Fact("W104", event.index, other)

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
            is_chankan=event == Kind.KAKAN,
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
        melds = [Meld(_SORTS[kind], sorted(tiles), opened=kind != Kind.ANKAN) for kind, tiles in player.melds]
        tiles = sorted([*player.tiles, *([] if tsumo else [tile]), *(t for _, m in player.melds for t in m)])
        free = tile
        if len(set(tiles)) != len(tiles):  # a kind was asked for: take a copy that the player does not hold
            free = next(
                4 * (tile // 4) + i for i in (1, 2, 3, 0) if 4 * (tile // 4) + i not in self.own(player)
            )
            tiles = sorted([*player.tiles, free, *(t for _, m in player.melds for t in m)])
        answer = HandCalculator.estimate_hand_value(
            tiles, free, melds, dora_indicators=self.indicators, config=config
        )
        if answer.error:
            return 0
        cost = answer.cost
        if not tsumo:
            return int(cost["main"])
        if hand.players == 3:
            return int(cost["main"]) * (2 if wind == 0 else 1) + (0 if wind == 0 else int(cost["additional"]))
        return int(cost["main"]) + int(cost["additional"]) * 2 if wind else 3 * int(cost["main"])

    @staticmethod
    def own(player: Player) -> set[int]:
        """All tiles of a player."""
        return {*player.tiles, *(t for _, m in player.melds for t in m)}


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
