"""Furiten and legal wins a second time: plain, slow, and without a line of the engine.

:mod:`scratch_state` follows a hand event by event; whether a hand has a yaku, and what it is worth, says the
library ``mahjong``. Only the rules of Tenhou and Mahjong Soul, which all real logs at hand were played under.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld
from open_table import OpenTable
from scratch_state import TERMINALS_AND_HONOURS, kind_of

from paifu.replay.model.events import EventKind as Kind
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.views.events import Event
from paifu.replay.views.games import Hand

RED_IDS = {34: 16, 35: 52, 36: 88}
SETTLES = (Kind.DISCARD, Kind.ANKAN, Kind.KAKAN, Kind.KITA)
"""Moves after which a hand waits, whatever is drawn next."""


class Fact(NamedTuple):
    """Something to be found: what, where in the hand, who, and the points of the win in question (or 0)."""

    code: str
    event: int
    seat: int
    points: int = 0


class Valued(OpenTable):
    """A hand whose wins the library values."""

    def answer(self, seat: int, tile: int, *, tsumo: bool, event: Kind = Kind.DISCARD) -> Any:
        """What the library says of a win, without honba, sticks and ura dora."""
        player, hand, red = self.players[seat], self.hand, self.rules.table.red_pin > 0
        wind = (seat - (hand.dealer or 0)) % hand.players
        first = self.untouched() and not player.river and tsumo
        config = HandConfig(
            is_tsumo=tsumo,
            is_riichi=player.riichi > 0,
            is_daburu_riichi=player.double,
            is_ippatsu=player.ippatsu,
            is_rinshan=tsumo and player.from_dead_wall,
            is_chankan=event in (Kind.KAKAN, Kind.ANKAN),
            is_haitei=tsumo and not self.live and not player.from_dead_wall,
            is_houtei=not tsumo and not self.live and event == Kind.DISCARD,
            is_tenhou=first and wind == 0,
            is_chiihou=first and wind != 0,
            player_wind=EAST + wind,
            round_wind=EAST + hand.round // 4,
            num_nuki_dora=player.kita,
            options=OptionalRules(
                has_open_tanyao=self.rules.win.kuitan,
                has_aka_dora=red,
                has_double_yakuman=False,
                is_three_player=hand.players == 3,
            ),
        )
        ids = Ids(red=red)
        melds = [
            Meld(_SORTS[meld.event], sorted(ids.of(meld.tiles)), opened=meld.event != Kind.ANKAN)
            for meld in player.melds
        ]
        closed = list(player.hand)
        if tsumo:
            closed.remove(tile)
        hidden = ids.of(closed)
        won = ids.of([tile])
        every = sorted([*hidden, *won, *(i for meld in melds for i in meld.tiles)])
        return HandCalculator.estimate_hand_value(
            every, won[0], melds, dora_indicators=[4 * kind_of(i) for i in self.indicators], config=config
        )

    def value(self, seat: int, tile: int, *, tsumo: bool, event: Kind = Kind.DISCARD) -> int:
        """What a win is worth before honba, sticks and ura dora, or 0 without a yaku."""
        answer = self.answer(seat, tile, tsumo=tsumo, event=event)
        if answer.error:
            return 0
        cost, is_dealer = answer.cost, seat == (self.hand.dealer or 0)
        if not tsumo:
            return int(cost["main"])
        if self.hand.players == 3:
            return int(cost["main"]) * (2 if is_dealer else 1) + (0 if is_dealer else int(cost["additional"]))
        return 3 * int(cost["main"]) if is_dealer else int(cost["main"]) + int(cost["additional"]) * 2


class Oracle(Valued):
    """Follows one hand; :meth:`step` yields what the review should find at an event."""

    def __init__(self, hand: Hand, rules: Ruleset) -> None:
        super().__init__(hand, rules)
        self.waiting = [self.waits(seat) for seat in range(hand.players)]
        """What each hand waited for after its last move."""
        self.kinds_of_furiten: list[set[int]] = [set() for _ in self.players]
        self.offered: Event | None = None
        self.latest_draw = -1
        """Index of the latest draw: a win by it was to be decided there."""
        self.before_last = [False] * hand.players

    def by_river(self, seat: int) -> bool:
        """Whether one of the waits lies in the own river."""
        return bool(self.waiting[seat] & set(self.players[seat].thrown))

    def is_furiten(self, seat: int) -> bool:
        """Furiten for whatever reason."""
        return self.by_river(seat) or self.temporary_furiten(seat) or self.riichi_furiten(seat)

    def waits_for_orphans(self, seat: int) -> bool:
        """Waits for thirteen orphans; no other hand holds twelve kinds of them."""
        return len(set(self.kinds_of(seat)[0]).intersection(TERMINALS_AND_HONOURS)) >= 12

    def step(self, event: Event) -> list[Fact]:
        """Carry an event out; returns the facts in the order in which they come about."""
        facts, seats = self.look_ahead_of(event), range(self.hand.players)
        furiten, lasting = list(map(self.is_furiten, seats)), list(map(self.riichi_furiten, seats))
        self.follow(event)
        if event.kind == Kind.DRAW:
            self.latest_draw = event.index
        if event.kind in SETTLES and event.seat is not None:
            self.waiting[event.seat] = self.waits(event.seat)
        if event.kind in SETTLES and (event.kind != Kind.ANKAN or self.rules.win.kokushi_ankan_ron):
            self.before_last = furiten
            facts += self.offers(event, takers(event, self.hand.events, self.hand.end), lasting)
        if event.kind == Kind.DISCARD:
            self.note_furiten(event)
        return facts

    def look_ahead_of(self, event: Event) -> list[Fact]:
        """A tsumo let go, a win, and what shows at the hand's end."""
        facts = []
        if event.kind == Kind.HAND_DRAW and self.hand.end in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI):
            last = max((e for e in self.hand.events if e.kind == Kind.DISCARD), key=lambda e: e.index)
            for other in range(self.hand.players):
                late = other != last.seat and not self.before_last[other]
                if self.waiting[other] and self.is_furiten(other) and not late:
                    facts.append(Fact("F107", event.index, other))
        if event.seat is None:
            return facts
        seat, player = event.seat, self.players[event.seat]
        completes = player.drawn is not None and kind_of(player.drawn) in self.waiting[seat]
        if event.kind in SETTLES and completes:
            assert player.drawn is not None
            points = self.value(seat, player.drawn, tsumo=True)
            if points:
                facts.append(Fact("W102", self.latest_draw, seat, points))
        if event.kind == Kind.WIN and event.source == seat:
            if self.is_furiten(seat):
                facts.append(Fact("F106", self.latest_draw, seat))
            if completes and player.drawn is not None and self.value(seat, player.drawn, tsumo=True):
                facts.append(Fact("tsumo", event.index, seat))
        elif event.kind == Kind.WIN and self.offered is not None and self.offered.tile is not None:
            tile, sort = self.offered.tile, self.offered.kind
            legal = kind_of(tile) in self.waiting[seat] and not self.before_last[seat]
            if legal and self.value(seat, tile, tsumo=False, event=sort):
                facts.append(Fact("ron", event.index, seat))
        return facts

    def offers(self, event: Event, winners: set[int], lasting: list[bool]) -> list[Fact]:
        """Who lets the tile of a discard, kan or kita pass; ``lasting``: furiten in riichi before."""
        facts = []
        seat, tile = event.seat, event.tile
        assert seat is not None
        assert tile is not None
        self.offered = event
        if event.kind == Kind.DISCARD and self.players[seat].riichi == 1 and self.by_river(seat):
            facts.append(Fact("F101", event.index, seat))
        for other in range(self.hand.players):
            if other == seat or kind_of(tile) not in self.waiting[other]:
                continue
            if event.kind == Kind.ANKAN and not self.waits_for_orphans(other):
                continue
            blocked = self.before_last[other]
            if other in winners or (len(winners) == 2 and self.hand.players == 4):
                continue
            points = self.value(other, tile, tsumo=False, event=event.kind)
            if points and blocked:
                code = "F103" if self.by_river(other) else "F105" if lasting[other] else "F104"
                facts.append(Fact(code, event.index, other, points))
            elif points:
                code = "W101" if event.kind == Kind.DISCARD else "W103"
                facts.append(Fact(code, event.index, other, points))
            elif not blocked and not any(
                self.value(other, kind, tsumo=False, event=event.kind) for kind in self.waiting[other]
            ):
                facts.append(Fact("W104", event.index, other))
        return facts

    def note_furiten(self, event: Event) -> None:
        """Keep which kinds of furiten each player was in after a discard: 1 river, 2 temporary, 4 riichi."""
        for seat, kinds in enumerate(self.kinds_of_furiten):
            if self.riichi_furiten(seat):
                kinds.add(4)
            elif self.temporary_furiten(seat):
                kinds.add(2)
            if seat == event.seat and self.by_river(seat):
                kinds.add(1)


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
