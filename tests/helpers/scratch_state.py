"""The state of a hand worked out anew, slowly and plainly, from the events so far: an oracle for the engine.

Nothing here is shared with the engine but the numbers that stand for tiles (0-36), kinds and event kinds.
Tiles are lists; waits are found by trying every kind; furiten is read off the history, by its definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from paifu.replay.model.events import NO_SEAT, EventKind
from paifu.replay.model.tiles import KIND_OF_TILE, NO_TILE
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.views.events import Event
from paifu.replay.views.games import Hand

K = EventKind
_KINDS = KIND_OF_TILE.tolist()
TERMINALS_AND_HONOURS = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)
WINDS = (27, 28, 29, 30)
CALLS = (K.CHI, K.PON, K.DAIMINKAN)
KANS = (K.DAIMINKAN, K.ANKAN, K.KAKAN)
OFFERS = (K.DISCARD, K.ANKAN, K.KAKAN, K.KITA)
"""Events whose tile others may win."""


# --- shapes by brute force -------------------------------------------------------------------------------


@cache
def melds_only(kinds: tuple[int, ...]) -> bool:
    """Whether sorted kinds split into triplets and runs: try both for the lowest."""
    if not kinds:
        return True
    low = kinds[0]
    if kinds.count(low) >= 3 and melds_only(kinds[3:]):
        return True
    if low < 27 and low % 9 <= 6 and low + 1 in kinds and low + 2 in kinds:
        rest = list(kinds)
        for kind in (low, low + 1, low + 2):
            rest.remove(kind)
        return melds_only(tuple(rest))
    return False


@cache
def complete(kinds: tuple[int, ...]) -> bool:
    """Whether sorted kinds (3n + 2) make a standard hand, seven pairs or thirteen orphans."""
    if len(kinds) == 14:
        if len(set(kinds)) == 7 and all(kinds.count(kind) == 2 for kind in kinds):
            return True
        if set(kinds) == set(TERMINALS_AND_HONOURS):
            return True
    suits = [kind // 9 for kind in kinds]
    of_suit = [suits.count(suit) % 3 for suit in range(4)]
    if sorted(of_suit) != [0, 0, 0, 2]:
        return False
    for kind in set(kinds):
        if of_suit[kind // 9] == 2 and kinds.count(kind) >= 2:
            rest = list(kinds)
            rest.remove(kind)
            rest.remove(kind)
            if melds_only(tuple(rest)):
                return True
    return False


@cache
def waits(kinds: tuple[int, ...], melded: tuple[int, ...], in_set: tuple[int, ...]) -> frozenset[int]:
    """Kinds that complete sorted kinds (3n + 1), none of which the player holds all four.

    A kind that is nowhere near the others can complete thirteen orphans only.
    """
    near = {kind + distance for kind in kinds for distance in (-2, -1, 0, 1, 2)}
    return frozenset(
        kind
        for kind in in_set
        if (kinds + melded).count(kind) < 4
        and (kind in near or (len(kinds) == 13 and kind in TERMINALS_AND_HONOURS))
        and complete(tuple(sorted((*kinds, kind))))
    )


# --- a hand ----------------------------------------------------------------------------------------------


def kind_of(tile: int) -> int:
    """Kind of a tile: a red five's is that of the plain one."""
    kind: int = _KINDS[tile]
    return kind


@dataclass
class Meld:
    """A meld on the table."""

    event: EventKind
    tiles: list[int]
    source: int

    @property
    def low(self) -> int:
        """Its lowest kind."""
        return min(kind_of(tile) for tile in self.tiles)


@dataclass
class Discard:
    """A discard: the tile, and whether it was called away."""

    tile: int
    called: bool = False


@dataclass
class Missed:
    """A tile that another seat put before a player: its kind, and whether it was a wait then."""

    kind: int
    was_wait: bool


@dataclass
class Player:
    """What lies before a player, and the tiles that passed it by."""

    hand: list[int]
    score: int
    melds: list[Meld] = field(default_factory=list)
    river: list[Discard] = field(default_factory=list)
    kita: int = 0
    riichi: int = 0
    """0 none, 1 declared, 2 paid."""
    riichi_at: int = -1
    """Number of the event at which the declaration tile fell."""
    double: bool = False
    ippatsu: bool = False
    passed: list[tuple[int, Missed]] = field(default_factory=list)
    """(number of the event, what passed), the hand long."""
    last_discard: int = -1
    """Number of the event of the last own discard."""
    drawn: int | None = None
    from_dead_wall: bool = False
    own_missed: bool = False
    """Passed its own winning draw under riichi."""
    kinds: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    """Kinds of the closed and of the melded tiles, sorted, since the player's last event."""

    @property
    def thrown(self) -> list[int]:
        """Kinds of its discards, called or not."""
        return [kind_of(discard.tile) for discard in self.river]


class Scratch:
    """A hand as it is after the events applied so far."""

    def __init__(
        self,
        rules: Ruleset,
        dealer: int,
        scores: Sequence[int],
        sticks: int,
        dealt: Sequence[Sequence[int]],
        indicator: int,
    ) -> None:
        self.rules = rules
        self.kinds = tuple(sorted({tile // 4 for tile in rules.tile_ids}))
        self.players = [Player(list(dealt[seat]), scores[seat]) for seat in range(rules.table.players)]
        self.dealer = dealer
        self.sticks = sticks
        self.indicators = [indicator]
        self.history: list[tuple[EventKind, int, int]] = []
        self.live = 70 if rules.table.players == 4 else 55
        self.kans = 0
        self.supplements = 0
        self.owes: int | None = None
        """Seat whose riichi stick is not paid yet."""
        self.declaring = False

    # What can be asked

    def kinds_of(self, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Kinds of the closed and of the melded tiles, sorted."""
        player = self.players[seat]
        if player.kinds is None:
            closed = sorted(kind_of(tile) for tile in player.hand)
            melded = sorted(kind_of(tile) for meld in player.melds for tile in meld.tiles)
            player.kinds = tuple(closed), tuple(melded)
        return player.kinds

    def waits(self, seat: int) -> frozenset[int]:
        """Kinds waited for; only of a hand that is not to discard."""
        return waits(*self.kinds_of(seat), self.kinds)

    def discard_furiten(self, seat: int) -> bool:
        """Some wait lies among the own discards, called or not."""
        return bool(self.waits(seat) & set(self.players[seat].thrown))

    def temporary_furiten(self, seat: int) -> bool:
        """A wait passed since the own last discard."""
        player = self.players[seat]
        return any(missed.was_wait for at, missed in player.passed if at > player.last_discard)

    def riichi_furiten(self, seat: int) -> bool:
        """A wait passed after riichi, another's or the own."""
        player = self.players[seat]
        if not player.riichi:
            return False
        return player.own_missed or any(m.was_wait for at, m in player.passed if at > player.riichi_at)

    def in_furiten(self, seat: int) -> bool:
        """Furiten for whatever reason."""
        return self.discard_furiten(seat) or self.temporary_furiten(seat) or self.riichi_furiten(seat)

    def untouched(self) -> bool:
        """No call yet, and no tile from the dead wall: until then an own kan or kita may still be robbed."""
        return self.supplements == 0 and not any(kind in CALLS for kind, _, _ in self.history)

    def is_open(self, seat: int) -> bool:
        """Whether a meld was called."""
        return any(meld.event != K.ANKAN for meld in self.players[seat].melds)

    def is_nagashi(self, seat: int) -> bool:
        """Whether all discards are terminals and honours and none was called."""
        river = self.players[seat].river
        return all(kind_of(d.tile) in TERMINALS_AND_HONOURS and not d.called for d in river)

    def forbidden(self) -> set[int]:
        """Kinds that may not be discarded after the call just made."""
        if not self.history or self.history[-1][0] not in (K.CHI, K.PON):
            return set()
        event, seat, tile = self.history[-1]
        called = kind_of(tile)
        others = sorted(kind_of(t) for t in self.players[seat].melds[-1].tiles)
        others.remove(called)
        ends = {called}
        if event == K.CHI and others[1] == others[0] + 1:
            for other_end in (others[0] - 1, others[1] + 1):
                if 0 <= other_end < 27 and other_end // 9 == called // 9:
                    ends.add(other_end)
        return {called} if self.rules.calls.kuikae == 1 else ends if self.rules.calls.kuikae == 2 else set()

    def visible(self, seat: int) -> list[int]:
        """Kinds of all tiles that a player sees."""
        tiles = [*self.players[seat].hand, *self.indicators]
        for player in self.players:
            tiles += [tile for meld in player.melds for tile in meld.tiles]
            tiles += [discard.tile for discard in player.river if not discard.called]
            tiles += [30] * player.kita
        return list(map(kind_of, tiles))

    def unseen(self, seat: int, kinds: Iterable[int]) -> int:
        """How many tiles of some kinds a player does not see."""
        seen = self.visible(seat)
        return sum(4 - seen.count(kind) for kind in kinds)

    def in_play(self) -> list[int]:
        """Every tile that somebody has seen or holds."""
        tiles = list(self.indicators)
        for player in self.players:
            tiles += player.hand
            tiles += [tile for meld in player.melds for tile in meld.tiles]
            tiles += [discard.tile for discard in player.river if not discard.called]
            tiles += [30] * player.kita
        return tiles

    # One event

    def apply(self, kind: EventKind, seat: int, tile: int, source: int, own: Sequence[int]) -> None:
        """Apply a legal event that does not end the hand."""
        others = [other for other in range(len(self.players)) if other != seat]
        before = {other: self.waits(other) for other in others} if kind in OFFERS else {}
        self.history.append((kind, seat, tile))
        if kind == K.DORA:
            self.indicators.append(tile)
            return
        self.players[seat].kinds = None
        MOVES[kind](self, seat, tile, source, own)
        self.kans += kind in KANS
        for other, its_waits in before.items():
            # The robbery of a closed kan is for thirteen orphans, where it is allowed at all.
            is_chance = kind != K.ANKAN or self.rules.win.kokushi_ankan_ron
            missed = Missed(kind_of(tile), is_chance and kind_of(tile) in its_waits)
            self.players[other].passed.append((len(self.history), missed))

    def draw(self, seat: int, tile: int, source: int, own: Sequence[int]) -> None:
        """A tile from the wall, or after a kan or kita from the dead wall."""
        player = self.players[seat]
        previous = [kind for kind, _, _ in self.history[:-1] if kind != K.DORA]
        player.from_dead_wall = bool(previous) and previous[-1] in (*KANS, K.KITA)
        if player.from_dead_wall:
            self.supplements += 1
            for other in self.players:
                other.ippatsu = False
        player.hand.append(tile)
        player.drawn = tile
        self.live -= 1

    def discard(self, seat: int, tile: int, source: int, own: Sequence[int]) -> None:
        """A discard, which may declare riichi, and under riichi may pass the own win."""
        player, now = self.players[seat], len(self.history)
        if player.riichi == 2 and player.drawn is not None:
            player.hand.remove(player.drawn)
            player.own_missed = player.own_missed or kind_of(player.drawn) in self.waits(seat)
            player.hand.append(player.drawn)
            player.kinds = None
            player.ippatsu = False
        player.hand.remove(tile)
        if self.declaring:
            player.riichi, player.riichi_at = 1, now
            player.double = self.untouched() and not player.river
            self.owes = seat
        player.river.append(Discard(tile))
        self.declaring = False
        player.last_discard = now
        player.drawn = None

    def call(self, seat: int, tile: int, source: int, own: Sequence[int]) -> None:
        """A chi, pon or open kan."""
        player = self.players[seat]
        for part in own:
            player.hand.remove(part)
        player.melds.append(Meld(self.history[-1][0], [tile, *own], source))
        self.players[source].river[-1].called = True
        player.drawn = None
        for other in self.players:
            other.ippatsu = False

    def ankan(self, seat: int, tile: int, source: int, own: Sequence[int]) -> None:
        """A closed kan."""
        player = self.players[seat]
        for part in (tile, *own):
            player.hand.remove(part)
        player.melds.append(Meld(K.ANKAN, [tile, *own], NO_SEAT))
        player.drawn = None

    def kakan(self, seat: int, tile: int, source: int, own: Sequence[int]) -> None:
        """A tile added to a pon."""
        player = self.players[seat]
        player.hand.remove(tile)
        pon = next(m for m in player.melds if m.event == K.PON and m.low == kind_of(tile))
        pon.event = K.KAKAN
        pon.tiles.append(tile)
        player.drawn = None

    def set_aside(self, seat: int, tile: int, source: int, own: Sequence[int]) -> None:
        """A north that is set aside."""
        player = self.players[seat]
        player.hand.remove(tile)
        player.kita += 1
        player.drawn = None

    def declare(self, seat: int, tile: int, source: int, own: Sequence[int]) -> None:
        """Riichi is declared; the next discard is the declaration tile."""
        self.declaring = True

    def pay(self, seat: int, tile: int, source: int, own: Sequence[int]) -> None:
        """The declaration tile has passed and the stick is paid."""
        player = self.players[seat]
        player.score -= self.rules.riichi.riichi_stick
        player.riichi = 2
        player.ippatsu = True
        self.sticks += 1
        self.owes = None


MOVES = {
    K.DRAW: Scratch.draw,
    K.DISCARD: Scratch.discard,
    K.CHI: Scratch.call,
    K.PON: Scratch.call,
    K.DAIMINKAN: Scratch.call,
    K.ANKAN: Scratch.ankan,
    K.KAKAN: Scratch.kakan,
    K.KITA: Scratch.set_aside,
    K.RIICHI: Scratch.declare,
    K.RIICHI_PAID: Scratch.pay,
}


class Followed(Scratch):
    """A hand as its view tells it."""

    def __init__(self, hand: Hand, rules: Ruleset) -> None:
        dealt = [[NO_TILE if tile is None else tile for tile in tiles] for tiles in hand.dealt]
        scores = [score or 0 for score in hand.scores]
        super().__init__(rules, hand.dealer or 0, scores, hand.sticks or 0, dealt, hand.dora or 0)
        self.hand = hand

    def follow(self, event: Event) -> None:
        """Apply an event, unless it ends the hand or only says who sits there."""
        if event.kind in MOVES or event.kind == K.DORA:
            seat, source = (NO_SEAT if one is None else one for one in (event.seat, event.source))
            tile = NO_TILE if event.tile is None else event.tile
            self.apply(event.kind, seat, tile, source, () if event.kind == K.KAKAN else event.own)
