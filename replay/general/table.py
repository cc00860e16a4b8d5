"""The table of games other than riichi: who holds what, who is to move, a transition for each event.

A transition first checks, against the state before the event, whether the event is legal, notes a finding for
each breach, and then applies it. It returns False when the table cannot follow the log any more. The replay
feeds it with the events of a log, the simulator with those that its players choose.

Tiles are kinds 0-41 (no red fives, no physical copies), seats absolute 0-3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Protocol

from paifu.replay.kernels import codes
from paifu.replay.kernels.legal import swap_calls
from paifu.replay.kernels.reasons import NOT_HELD, NOT_NOW, OTHER_SOURCE, PLAIN
from paifu.replay.model.events import NO_SEAT, EventKind
from paifu.replay.model.tiles import BONUS_KINDS, KINDS, NO_TILE, tile_of_kind
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.check import copies_of
from paifu.replay.schemes.faan import could_be_fed
from paifu.replay.schemes.hand import SEATS, HeldTiles, Replacement
from paifu.replay.schemes.readings import COPIES
from paifu.replay.schemes.shapes import POWERS, SUIT_OF, Shapes
from paifu.replay.scoring.readings import Meld, MeldKind

PUNG_SIZE, GONG_SIZE = 3, 4


class Note(Protocol):
    """Takes a finding at the present event."""

    def __call__(
        self, code: int, seat: int, tile: int, expected: int, actual: int, reason: int = PLAIN
    ) -> None:
        """Take code, seat, tile (0-45), what is expected, what the log says, and which reason it is."""
        ...


class Phase(IntEnum):
    """What the table waits for."""

    FIRST = 0
    """The bonus tiles that were dealt are replaced, seat by seat; then the dealer draws."""
    DRAW = 1
    """A draw, or a claim of the last discard."""
    ACT = 2
    """Anything of the seat that drew."""
    DISCARD = 3
    """A discard, or a gong, after a claim."""
    OVER = 4


@dataclass(slots=True)
class Laid:
    """A meld on the table."""

    meld: Meld
    """As schemes score it."""
    source: int = NO_SEAT
    """Who discarded the claimed tile; nobody for a concealed gong."""
    claimed: int = NO_TILE
    """The kind that was claimed."""


@dataclass(slots=True)
class Seat:
    """What a player holds, and what matters of how it came about."""

    counts: list[int] = field(default_factory=lambda: [0] * KINDS)
    """Concealed tiles by kind."""
    held: list[int] = field(default_factory=lambda: [0] * KINDS)
    """Those and the melds'."""
    keys: list[int] = field(default_factory=lambda: [0] * 4)
    """Keys of the concealed tiles; see ``kernels.shapes``."""
    loose: list[int] = field(default_factory=list)
    """Bonus tiles in hand that are not yet set aside."""
    bonus: list[int] = field(default_factory=list)
    """Bonus tiles set aside."""
    melds: list[Laid] = field(default_factory=list)
    river: list[int] = field(default_factory=list)
    """All discards, claimed ones, too."""
    drawn: int = NO_TILE
    """The kind drawn in this turn."""
    drawn_for: Replacement = Replacement.NONE
    """What that tile replaced."""
    gongs_in_turn: int = 0
    from_replacement: bool = False
    """The last gong of the turn was made with the tile that replaced the one before."""
    waits: int = 0
    """Kinds that complete the hand after its last discard, as bits."""
    fed: dict[str, int] = field(default_factory=dict)
    """Great hand -> who fed the meld that decides it."""
    fed_gong: int = NO_SEAT
    """Who fed the open gong whose replacement was just drawn."""

    @property
    def called(self) -> int:
        """How many melds lie on the table."""
        return len(self.melds)

    def take(self, kind: int) -> None:
        """Add a tile to the hand."""
        if kind >= KINDS:
            self.loose.append(kind)
            return
        self.counts[kind] += 1
        self.held[kind] += 1
        self.keys[SUIT_OF[kind]] += POWERS[kind]

    def drop(self, kind: int, *, melded: bool = False) -> bool:
        """Take a tile out of the hand, into a meld or away; False when it is not there."""
        if kind >= KINDS or not self.counts[kind]:
            return False
        self.counts[kind] -= 1
        self.held[kind] -= not melded
        self.keys[SUIT_OF[kind]] -= POWERS[kind]
        return True

    def tiles(self) -> tuple[int, ...]:
        """Return the concealed tiles as kinds, rising; bonus tiles are not among them."""
        return tuple(kind for kind, count in enumerate(self.counts) for _ in range(count))

    def hand(self, win: int | None = None) -> HeldTiles:
        """Return the hand as schemes score it; a tile won on stands among the tiles already or is added."""
        tiles = self.tiles() if win is None or self.drawn == win else (*self.tiles(), win)
        return HeldTiles(
            tiles=tiles, win=win, melds=tuple(laid.meld for laid in self.melds), bonus=tuple(self.bonus)
        )


@dataclass(frozen=True, slots=True)
class Offer:
    """A tile that the others may win, or claim if it is a discard."""

    seat: int
    kind: int
    robbing: bool
    after_replacement: bool
    """Its player had just drawn a replacement."""


class GeneralTable:
    """One hand in play."""

    def __init__(
        self,
        rules: Ruleset,
        shapes: Shapes,
        note: Note,
        *,
        dealer: int,
        round_wind: int = 0,
        keeps: int = 0,
        dealer_wins: int = 0,
    ) -> None:
        """``dealer_wins`` are the hands that the dealer won in a row, as dealer, right before this one."""
        self.rules = rules
        self.shapes = shapes
        self.note = note
        self.dealer = self.turn = dealer
        self.round_wind = round_wind
        self.keeps = keeps
        self.dealer_wins = dealer_wins
        self.seats = [Seat() for _ in SEATS]
        self.live = rules.live_wall
        self.phase = Phase.FIRST
        self.owed: tuple[int, Replacement] | None = None
        """Who draws a replacement next, and for what."""
        self.offer: Offer | None = None
        self.claimed = False
        """A discard was claimed."""
        self.gongs = 0
        self.discards: list[tuple[int, int]] = []
        """Seat and kind of each discard and each robbed tile, in order."""
        self.barred = 0
        """Kinds that may not be discarded after a claim, as bits."""
        self.seen = [0] * BONUS_KINDS.stop
        self._waits_for_first = list(SEATS)
        """Seats in the order in which they replace the bonus tiles they were dealt."""

    # --- the deal -------------------------------------------------------------------------------------

    def deal(self, hands: Sequence[Sequence[int]]) -> bool:
        """Deal 13 kinds to each seat; False when the set has not so many of one."""
        for seat, kinds in enumerate(hands):
            for kind in kinds:
                if not self._see(kind):
                    return False
                self.seats[seat].take(kind)
            self.look(seat)
        self._waits_for_first = [(self.dealer + step) % 4 for step in SEATS]
        return True

    def look(self, seat: int) -> None:
        """Work out what a hand waits for."""
        player = self.seats[seat]
        is_near = not player.loose and self.shapes.shanten(player.keys, player.counts, player.called) == 0
        player.waits = self.shapes.waits(player.counts, player.held, player.called) if is_near else 0

    def _see(self, kind: int) -> bool:
        """Count a tile that comes into play; False, with a finding, when the set has no more of it."""
        limit = copies_of(kind, self.rules)
        if kind >= len(self.seen) or self.seen[kind] >= limit:
            self.note(codes.TOO_MANY_COPIES, NO_SEAT, tile_of_kind(kind), limit, limit + 1)
            return False
        self.seen[kind] += 1
        return True

    # --- what is so -----------------------------------------------------------------------------------

    def wind_of(self, seat: int) -> int:
        """Return a seat's wind in this hand."""
        return (seat - self.dealer) % 4

    @property
    def first_seat(self) -> int | None:
        """Who replaces the bonus tiles that were dealt now; nobody after that, or when it is done."""
        if self.phase != Phase.FIRST:
            return None
        return next((seat for seat in self._waits_for_first if self.seats[seat].loose), None)

    def may_act(self, seat: int) -> bool:
        """Return whether it is a seat's turn, with a tile drawn and no bonus tile left in hand."""
        drew = self.phase == Phase.ACT and self.turn == seat and self.owed is None
        return drew and not self.seats[seat].loose

    def is_first_turn(self, seat: int) -> bool:
        """Return whether a seat has discarded nothing yet, and nobody has claimed a tile."""
        return not self.seats[seat].river and not self.claimed

    def is_exhausted(self) -> bool:
        """Return whether the hand ends here unless somebody wins."""
        return self.live == 0 and (self.owed is not None or self.phase == Phase.DRAW)

    def may_gong(self, seat: int) -> bool:
        """Return whether this is a moment in which a seat may make a gong of its own tiles."""
        if self.live <= 0 or self.owed is not None:
            return False
        if self.phase == Phase.FIRST:
            return self.rules.calls.first_gongs and seat in self._waits_for_first and not self._before(seat)
        return (
            not self.seats[seat].loose
            and self.turn == seat
            and (
                self.phase == Phase.ACT or (self.phase == Phase.DISCARD and self.rules.calls.gong_after_claim)
            )
        )

    def _before(self, seat: int) -> bool:
        """Return whether a seat before this one still has bonus tiles of the deal to replace."""
        first = self.first_seat
        order = self._waits_for_first
        return first is not None and order.index(first) < order.index(seat)

    # --- transitions ----------------------------------------------------------------------------------

    def draw(self, seat: int, kind: int) -> bool:
        """``seat`` draws, or draws a replacement."""
        if self.owed is not None:
            due: int | None = self.owed[0]
        elif self.phase == Phase.FIRST:
            due = self.dealer
        else:
            due = self.turn if self.phase == Phase.DRAW else None
        if due != seat or self.live <= 0:
            self.note(codes.OUT_OF_TURN, seat, tile_of_kind(kind), self.turn if due is None else due, seat)
            return False
        if self.owed is None and self.first_seat is not None:
            self._not_set_aside(self.first_seat)
            return False
        if not self._see(kind):
            return False
        player = self.seats[seat]
        player.drawn_for = self.owed[1] if self.owed is not None else Replacement.NONE
        if self.owed is None:
            player.gongs_in_turn = 0
        if player.drawn_for != Replacement.GONG:
            player.fed_gong, player.from_replacement = NO_SEAT, False
        player.take(kind)
        self.live -= 1
        self.offer = None
        if self.owed is not None and self.phase == Phase.FIRST:
            self.owed = None
            player.gongs_in_turn = 0
            self.look(seat)
            return True
        self.owed = None
        player.drawn = kind
        self.turn, self.phase = seat, Phase.ACT
        return True

    def set_aside(self, seat: int, kind: int) -> bool:
        """``seat`` sets a flower or a season aside."""
        player = self.seats[seat]
        is_now = self.owed is None and (
            self.first_seat == seat
            if self.phase == Phase.FIRST
            else self.phase == Phase.ACT and self.turn == seat
        )
        if not is_now or kind not in player.loose:
            reason = NOT_NOW if kind in player.loose else NOT_HELD
            self.note(codes.ILLEGAL_KITA, seat, tile_of_kind(kind), 0, 0, reason)
            return False
        player.loose.remove(kind)
        player.bonus.append(kind)
        self._pass_first(seat)
        player.drawn = NO_TILE
        self.owed = seat, Replacement.BONUS
        return True

    def discard(self, seat: int, kind: int, *, tsumogiri: bool) -> bool:
        """``seat`` discards; its waits are worked out again and the others may win or claim the tile."""
        player, tile = self.seats[seat], tile_of_kind(kind)
        if self.turn != seat or self.phase not in (Phase.ACT, Phase.DISCARD) or self.owed is not None:
            self.note(codes.OUT_OF_TURN, seat, tile, self.turn if self.owed is None else self.owed[0], seat)
            return False
        if player.loose:
            self._not_set_aside(seat)
            return False
        only_drawn = player.drawn == kind and player.counts[kind] == 1
        if (tsumogiri and player.drawn != kind) or (not tsumogiri and only_drawn):
            drawn = player.drawn if player.drawn == NO_TILE else tile_of_kind(player.drawn)
            self.note(codes.TSUMOGIRI_FLAG, seat, tile, drawn, tile)
        if not player.drop(kind):
            self.note(codes.TILE_NOT_HELD, seat, tile, 1, 0)
            return False
        if self.barred >> kind & 1:
            self.note(codes.KUIKAE, seat, tile, 0, kind)
        self.barred = 0
        replaced = player.drawn != NO_TILE and player.drawn_for != Replacement.NONE
        player.river.append(kind)
        player.drawn, player.gongs_in_turn = NO_TILE, 0
        self.look(seat)
        self.discards.append((seat, kind))
        self.offer = Offer(seat, kind, robbing=False, after_replacement=replaced)
        self.turn, self.phase = (seat + 1) % 4, Phase.DRAW
        return True

    def claim(self, event: EventKind, seat: int, kind: int, source: int, own: Sequence[int]) -> bool:
        """``seat`` claims the discard of ``source`` for a chow, a pung or a gong."""
        player, offer = self.seats[seat], self.offer
        kinds = sorted((kind, *own))
        if event == EventKind.CHI:
            fits = kinds == [kinds[0], kinds[0] + 1, kinds[0] + 2] and kinds[0] < 27 and kinds[0] % 9 <= 6
            fits = fits and self.rules.calls.chi and seat == (source + 1) % 4
        else:
            size = PUNG_SIZE if event == EventKind.PON else GONG_SIZE
            fits = (
                set(kinds) == {kind}
                and kind < KINDS
                and len(kinds) == size <= self.rules.calls.largest_exposure
            )
        is_now = offer is not None and not offer.robbing and self.phase == Phase.DRAW and self.live > 0
        if not (
            is_now
            and fits
            and offer is not None
            and (offer.seat, offer.kind) == (source, kind)
            and seat != source
        ):
            offered = NO_TILE if offer is None else tile_of_kind(offer.kind)
            self.note(codes.ILLEGAL_CALL, seat, tile_of_kind(kind), offered, tile_of_kind(kind))
            return False
        for part in own:
            if not player.drop(part, melded=True):
                self.note(codes.ILLEGAL_CALL, seat, tile_of_kind(part), tile_of_kind(part), NO_TILE, NOT_HELD)
                return False
        player.held[kind] += 1
        before = could_be_fed(player.hand(), self.rules) if self.rules.faan.liability else frozenset()
        laid = Laid(Meld(MeldKind(event), tuple(kinds)), source, kind)
        player.melds.append(laid)
        if self.rules.faan.liability:
            player.fed |= dict.fromkeys(could_be_fed(player.hand(), self.rules) - before, source)
        self.claimed = True
        self.offer = None
        self.turn = seat
        player.drawn, player.gongs_in_turn, player.fed_gong = NO_TILE, 0, NO_SEAT
        player.drawn_for, player.from_replacement = Replacement.NONE, False
        if laid.meld.is_kan:
            self._made_gong(seat)
            player.fed_gong = source
            self.phase = Phase.ACT
        else:
            self.barred = swap_calls(kind, kinds[0], event == EventKind.CHI, self.rules.calls.kuikae)
            self.phase = Phase.DISCARD
        return True

    def own_gong(
        self, event: EventKind, seat: int, kind: int, own: Sequence[int], source: int = NO_SEAT
    ) -> bool:
        """``seat`` declares a concealed gong, or promotes a pung."""
        player, tile = self.seats[seat], tile_of_kind(kind)
        if not self.may_gong(seat):
            self.note(codes.ILLEGAL_KAN, seat, tile, 0, int(self.phase), NOT_NOW)
            return False
        drew_fourth = player.drawn == kind and player.drawn_for == Replacement.GONG
        if event == EventKind.KAKAN:
            newest = player.melds[-1] if self.phase == Phase.DISCARD and player.melds else None
            pungs = (laid for laid in player.melds if laid.meld == Meld(MeldKind.PON, (kind,) * PUNG_SIZE))
            pung = next((laid for laid in pungs if laid is not newest), None)
            if pung is None or self.phase == Phase.FIRST or not player.drop(kind, melded=True):
                self.note(codes.ILLEGAL_KAN, seat, tile, 0, 0, NOT_HELD)
                return False
            if source not in (NO_SEAT, pung.source):
                self.note(codes.ILLEGAL_KAN, seat, tile, 0, source, OTHER_SOURCE)
            pung.meld = Meld(MeldKind.KAKAN, (kind,) * GONG_SIZE)
            self.offer = Offer(seat, kind, robbing=True, after_replacement=False)
        else:
            if (
                not self.rules.calls.concealed_gongs
                or set(own) != {kind}
                or len(own) != GONG_SIZE - 1
                or kind >= KINDS
            ):
                self.note(codes.ILLEGAL_KAN, seat, tile, 0, 0, NOT_HELD)
                return False
            if player.counts[kind] < GONG_SIZE:
                self.note(codes.ILLEGAL_KAN, seat, tile, 0, player.counts[kind], NOT_HELD)
                return False
            self._pass_first(seat)
            for _ in range(GONG_SIZE):
                player.drop(kind, melded=True)
            player.melds.append(Laid(Meld(MeldKind.ANKAN, (kind,) * GONG_SIZE)))
            self.offer = None
        player.drawn, player.fed_gong = NO_TILE, NO_SEAT
        self._made_gong(seat)
        player.from_replacement = drew_fourth and player.gongs_in_turn > 1
        self.look(seat)
        return True

    def _pass_first(self, seat: int) -> None:
        """Seats before one that replaces tiles of its deal have done so."""
        if self.phase == Phase.FIRST:
            self._waits_for_first = self._waits_for_first[self._waits_for_first.index(seat) :]

    def _made_gong(self, seat: int) -> None:
        self.gongs += 1
        self.seats[seat].gongs_in_turn += 1
        self.owed = seat, Replacement.GONG

    def loser_hand(self, seat: int) -> HeldTiles:
        """Return what a seat holds when another wins: a robbed tile is not its own any more."""
        hand, offer = self.seats[seat].hand(), self.offer
        if offer is None or not offer.robbing or offer.seat != seat:
            return hand
        robbed = Meld(MeldKind.KAKAN, (offer.kind,) * GONG_SIZE)
        pung = Meld(MeldKind.PON, (offer.kind,) * PUNG_SIZE)
        melds = (pung if meld == robbed else meld for meld in hand.melds)
        return replace(hand, melds=tuple(melds))

    def _not_set_aside(self, seat: int) -> None:
        self.note(codes.ILLEGAL_KITA, seat, tile_of_kind(self.seats[seat].loose[0]), 1, 0)

    # --- the end --------------------------------------------------------------------------------------

    def is_offered(self, seat: int, source: int, kind: int) -> bool:
        """Return whether a seat may claim to win on a tile: its own draw, or what lies before it.

        A bonus tile stands for those set aside: they are declared as a win in the player's own turn.
        """
        player = self.seats[seat]
        if kind >= KINDS:
            is_turn = self.may_act(seat) or (self.owed is not None and self.owed == (seat, Replacement.BONUS))
            return seat == source and is_turn and kind in player.bonus
        if source == seat:
            return self.may_act(seat) and player.drawn == kind
        offer = self.offer
        is_there = offer is not None and (offer.seat, offer.kind) == (source, kind)
        return is_there and player.held[kind] < COPIES
