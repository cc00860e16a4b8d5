"""Hands of games other than riichi that end in a given win: everything around it is made up to fit.

The winner is dealt what it does not claim or draw, the others discard what it claims, and everybody else
draws and discards tiles of no use. The table plays it, so what comes out is a hand like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from paifu.coach.simulate.general_games import OtherHand, PlayedMove, PlayedWin
from paifu.replay.course.settlement import HandStart
from paifu.replay.general.table import GeneralTable
from paifu.replay.general.wins import score_win
from paifu.replay.model.events import EventFlag, EventKind
from paifu.replay.model.tiles import BONUS_KINDS, KINDS
from paifu.replay.rules.choices import BonusTiles
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.hand import SEATS, Facts, HeldTiles, Replacement
from paifu.replay.schemes.readings import COPIES
from paifu.replay.schemes.shapes import Shapes
from paifu.replay.scoring.readings import Meld, MeldKind

_DEALT = 13


class UnknownScriptError(ValueError):
    """A win that no script here leads to."""


def _object(code: int, seat: int, tile: int, expected: int, actual: int, reason: int = 0) -> None:
    raise UnknownScriptError(f"the script breaks a rule: {code, seat, tile, expected, actual, reason}")


def won_hand(
    rules: Ruleset,
    hand: HeldTiles,
    facts: Facts,
    *,
    start: HandStart | None = None,
    scores: Sequence[int] = (0, 0, 0, 0),
    dealer_wins: int = 0,
) -> OtherHand:
    """Return a hand that ends in the win of ``hand`` as ``facts`` say; winds are those of ``start``.

    Raises ScriptError for a win that cannot be played so.
    """
    where = start or HandStart(4 * facts.round_wind, facts.keeps, 0, 0)
    return _Script(rules, hand, facts, where, tuple(scores), dealer_wins).play()


class _Script:
    """One hand while it is made."""

    def __init__(
        self,
        rules: Ruleset,
        hand: HeldTiles,
        facts: Facts,
        start: HandStart,
        scores: tuple[int, ...],
        wins: int,
    ) -> None:
        self.rules, self.hand, self.facts, self.start, self.scores = rules, hand, facts, start, scores
        self.dealer = start.dealer
        self.winner = self._seat(facts.seat_wind)
        self.payer = None if facts.discarder is None else self._seat(facts.discarder)
        self.table = GeneralTable(
            rules, Shapes(rules), _object, dealer=start.dealer, round_wind=min(3, start.round // 4),
            keeps=start.honba, dealer_wins=wins,
        )  # fmt: skip
        self.moves: list[PlayedMove] = []
        used = Counter((*hand.kinds, *hand.bonus))
        self.pool = {kind: COPIES - used[kind] for kind in range(KINDS)}
        self.bonus = [kind for kind in BONUS_KINDS if kind not in hand.bonus]
        if rules.tiles.bonus_tiles != BonusTiles.SET_ASIDE:
            self.bonus = []
        before = list(hand.before if hand.win is not None else hand.tiles)
        counts = [before.count(kind) for kind in range(KINDS)]
        waits = self.table.shapes.waits(counts, [*map(used.__getitem__, range(KINDS))], len(hand.melds))
        self.idle = sorted(
            (kind for kind in self.pool if kind != hand.win),
            key=lambda kind: (waits >> kind & 1, kind in used, kind % 9 * 7 % 9, kind),
        )
        """Kinds in the order in which they are given away."""
        self.next = 0
        self.seats: list[list[int]] = [[], [], [], []]
        self.dealt_bonus = list(hand.bonus)
        self.late: int | None = None
        """The concealed tile that comes late: as the replacement of a first gong."""
        self.left = list(hand.melds)
        """Melds that are not yet made."""

    def _seat(self, wind: int) -> int:
        return (self.dealer + wind) % 4

    # --- tiles ----------------------------------------------------------------------------------------

    def _take(self, kind: int, number: int = 1) -> int:
        if self.pool[kind] < number:
            raise UnknownScriptError("a tile that the script needs is in the hand")
        self.pool[kind] -= number
        return kind

    def _filler(self) -> int:
        """Return a tile of no use, of other kinds one after the other."""
        for _ in self.idle:
            kind = self.idle[self.next % len(self.idle)]
            self.next += 1
            if self.pool[kind]:
                return self._take(kind)
        if self.hand.win is not None and self.pool[self.hand.win]:
            return self._take(self.hand.win)
        raise UnknownScriptError("no tiles are left")

    def _three(self) -> int:
        """Return a kind of which three tiles and one more are free, and take them all."""
        kind = next((kind for kind in reversed(self.idle) if self.pool[kind] == COPIES), None)
        if kind is None:
            raise UnknownScriptError("no kind is free")
        return self._take(kind, COPIES)

    # --- the deal -------------------------------------------------------------------------------------

    def _own_tiles(self) -> list[int]:
        """Return what the winner is dealt, bonus tiles in the place of none."""
        hand, facts = self.hand, self.facts
        own = list(hand.before if hand.win is not None else hand.tiles)[:_DEALT]
        for meld in hand.melds:
            if meld.is_kan:
                own += [meld.first] * 3
            else:
                own += [*self._own_of(meld)[1], self._filler()]
        if facts.gongs_in_turn > 1 and not facts.gong_from_replacement:
            # The second gong lies in the hand; what the first one's replacement brings, the hand needs.
            self.late = own.pop(0)
            own.append(self._last_gongs()[-1].first)
        return own

    def _deal(self) -> None:
        hand, facts = self.hand, self.facts
        own = self._own_tiles()
        held_back = facts.replacement == Replacement.BONUS or hand.win is None
        self.last_bonus = self.dealt_bonus.pop() if held_back else None
        self.seats[self.winner] = own
        if facts.robbing:
            self.seats[self.payer or 0] += [self._robbed()] * 2
        self.gong = self._three() if facts.after_replacement and not self.bonus else None
        if self.gong is not None:
            self.seats[self.payer or 0] += [self.gong] * 3
        self.pairs: dict[int, int] = {}
        if facts.last_tile:
            for seat in SEATS:
                if seat != self.winner:
                    self.pairs[seat] = kind = self._three()
                    self.seats[seat] += [kind] * 2
        for seat in SEATS:
            while len(self.seats[seat]) < _DEALT:
                self.seats[seat].append(self._filler())
        if len(own) != _DEALT:
            raise UnknownScriptError(f"{len(own)} tiles are not a deal")
        self.replaced = own[: len(self.dealt_bonus)]
        dealt = [list(tiles) for tiles in self.seats]
        dealt[self.winner] = own[len(self.dealt_bonus) :] + self.dealt_bonus
        self.dealt = tuple(map(tuple, dealt))
        self.table.deal(dealt)
        for kind, drawn in zip(self.dealt_bonus, self.replaced, strict=True):
            self._set_aside(self.winner, kind)
            self._draw(self.winner, drawn)

    def _robbed(self) -> int:
        assert self.hand.win is not None  # noqa: S101  a robbed tile is won
        return self.hand.win

    def _own_of(self, meld: Meld) -> tuple[int, tuple[int, ...]]:
        """Return the tile of an open meld that is claimed, and those from the hand."""
        return meld.kinds[-1], meld.kinds[:-1]

    # --- moves ----------------------------------------------------------------------------------------

    def _draw(self, seat: int, kind: int) -> None:
        self.moves.append(PlayedMove(EventKind.DRAW, seat, kind))
        self.table.draw(seat, kind)

    def _set_aside(self, seat: int, kind: int) -> None:
        self.moves.append(PlayedMove(EventKind.BONUS, seat, kind))
        self.table.set_aside(seat, kind)

    def _discard(self, seat: int, kind: int) -> None:
        drawn = self.table.seats[seat].drawn == kind
        self.moves.append(
            PlayedMove(EventKind.DISCARD, seat, kind, flags=EventFlag.TSUMOGIRI if drawn else 0)
        )
        self.table.discard(seat, kind, tsumogiri=drawn)

    def _pass(self, seat: int) -> None:
        """Draw and discard a tile of no use."""
        kind = self._filler()
        self._draw(seat, kind)
        self._discard(seat, kind)

    def _claim(self, event: EventKind, seat: int, kind: int, source: int, own: tuple[int, ...]) -> None:
        self.moves.append(PlayedMove(event, seat, kind, source, own))
        self.table.claim(event, seat, kind, source, own)

    def _concealed_gong(self, seat: int, kind: int) -> None:
        self.moves.append(PlayedMove(EventKind.ANKAN, seat, kind, own=(kind,) * 3))
        self.table.own_gong(EventKind.ANKAN, seat, kind, (kind,) * 3)

    def _until(self, seat: int) -> None:
        """Pass until it is a seat's turn."""
        while self.table.turn != seat:
            self._pass(self.table.turn)

    def _discarded_to(self, source: int, kind: int) -> None:
        """Let a seat draw and discard a tile."""
        self._until(source)
        self._draw(source, kind)
        self._discard(source, kind)

    # --- the script -----------------------------------------------------------------------------------

    def play(self) -> OtherHand:
        """Play it all."""
        self._deal()
        if not (self.facts.first_turn or self.facts.dealers_first_discard):
            for _ in SEATS:
                self._pass(self.table.turn)
        last = self._last_gongs()
        opened = [meld for meld in self.hand.melds if not meld.concealed and meld not in last]
        gongs = [meld for meld in self.hand.melds if meld.concealed and meld not in last]
        for meld in opened[:-1] if self.facts.liable is not None else opened:
            self._claim_meld(meld, self.facts.payer)
        for meld in gongs:
            self.left.remove(meld)
            self._until(self.winner)
            self._draw(self.winner, meld.first)
            self._concealed_gong(self.winner, meld.first)
            filler = self._filler()
            self._draw(self.winner, filler)
            self._discard(self.winner, filler)
        if self.facts.liable is not None:
            self._claim_meld(opened[-1], self.facts.liable)
        if self.facts.robbing:
            self._pung_to_rob()
        if self.facts.last_tile:
            self._empty_the_wall()
        return self._finish(last)

    def _last_gongs(self) -> list[Meld]:
        """Return the gongs whose replacement wins, in order."""
        facts = self.facts
        if facts.replacement != Replacement.GONG:
            return []
        gongs = [meld for meld in self.hand.melds if meld.is_kan]
        fitting = [m for m in gongs if m.concealed != (facts.fed_gong is not None)] or gongs
        number = max(1, min(facts.gongs_in_turn, 2))
        others = [m for m in gongs if m not in fitting[-1:]]
        chosen = [*others[-1:], *fitting[-1:]] if number > 1 else fitting[-1:]
        return sorted(chosen, key=lambda meld: meld.concealed)  # a claim begins the turn

    def _claim_meld(self, meld: Meld, fed_by: int | None) -> None:
        """Have somebody discard what a meld needs, and claim it."""
        winner = self.winner
        self.left.remove(meld)
        claimed, own = self._own_of(meld)
        source = (winner + 3) % 4
        if meld.kind != MeldKind.CHI:
            source = self._seat(fed_by) if fed_by is not None else (winner + 1) % 4
        self._discarded_to(source, claimed)
        if meld.is_kan:
            self._claim(EventKind.DAIMINKAN, winner, claimed, source, (claimed,) * 3)
            filler = self._filler()
            self._draw(winner, filler)
            self._discard(winner, filler)
            return
        event = EventKind.CHI if meld.kind == MeldKind.CHI else EventKind.PON
        self._claim(event, winner, claimed, source, own)
        player = self.table.seats[winner]
        pending = Counter(self.hand.before if self.hand.win is not None else ())
        for other in self.left:
            pending.update([other.first] * 3 if other.is_kan else self._own_of(other)[1])
        extra = [kind for kind in range(KINDS) if player.counts[kind] > pending[kind]]
        self._discard(winner, extra[0])

    def _pung_to_rob(self) -> None:
        """Let the payer claim a pung of the tile that is to be robbed."""
        payer, kind = self.payer or 0, self._robbed()
        source = next(seat for seat in SEATS if seat not in (payer, self.winner))
        self._discarded_to(source, self._take(kind, 3))
        self._claim(EventKind.PON, payer, kind, source, (kind, kind))
        others = [k for k in range(KINDS) if self.table.seats[payer].counts[k]]
        self._discard(payer, others[-1])

    def _empty_the_wall(self) -> None:
        """Pass until the end can come with the last tile; a pung moves the turns if it must."""
        last = self.winner if self.payer is None else self.payer
        table = self.table
        while self.bonus:
            self._until((self.winner + 1) % 4)
            bonus, seat = self.bonus.pop(), table.turn
            self._draw(seat, bonus)
            self._set_aside(seat, bonus)
            self._pass(seat)
        shift = (last - (table.turn + table.live - self._needed())) % 4
        if shift:
            source, claimer = next(
                (s, (s + shift) % 4) for s in SEATS if self.winner not in (s, (s + shift) % 4)
            )
            kind = self.pairs[claimer]
            self._discarded_to(source, kind)
            self._claim(EventKind.PON, claimer, kind, source, (kind, kind))
            others = [k for k in range(KINDS) if table.seats[claimer].counts[k] and k != self.hand.win]
            self._discard(claimer, others[-1])
        for seat, kind in self.pairs.items():
            self.pool[kind] = 1 if shift and seat == claimer else 2
        while table.live > self._needed():
            self._pass(table.turn)

    def _needed(self) -> int:
        """How many draws the end takes."""
        return 2 if self.facts.replacement == Replacement.GONG else 1

    def _finish(self, last: list[Meld]) -> OtherHand:
        winner, hand, facts = self.winner, self.hand, self.facts
        if facts.declares_bonus or (hand.win is None and self.last_bonus is not None):
            assert self.last_bonus is not None  # noqa: S101  it was held back
            self._until(winner)
            self._draw(winner, self.last_bonus)
            self._set_aside(winner, self.last_bonus)
            return self._won(winner, winner, self.last_bonus)
        win = self._robbed()
        if self.payer is not None:
            self._until(self.payer)
            self._last_discard(self.payer, win)
            return self._won(winner, self.payer, win)
        if facts.fed_gong is not None:
            source = self._seat(facts.fed_gong)
            self._discarded_to(source, last[-1].first)
            self._claim(EventKind.DAIMINKAN, winner, last[-1].first, source, (last[-1].first,) * 3)
        else:
            if not last or last[0].concealed:
                self._until(winner)
            self._last_draws(last)
        self._draw(winner, win)
        return self._won(winner, winner, win)

    def _last_draws(self, last: list[Meld]) -> None:
        """Let the winner draw all but the tile that wins."""
        winner = self.winner
        for number, meld in enumerate(last):
            if meld.concealed:
                self._draw(winner, meld.first if self.late is None or not number else self.late)
                self._concealed_gong(winner, meld.first)
                continue
            source = (winner + 1) % 4
            self._discarded_to(source, meld.first)
            self._claim(EventKind.DAIMINKAN, winner, meld.first, source, (meld.first,) * 3)
        if self.facts.replacement == Replacement.BONUS:
            assert self.last_bonus is not None  # noqa: S101  it was held back
            self._draw(winner, self.last_bonus)
            self._set_aside(winner, self.last_bonus)

    def _last_discard(self, payer: int, win: int) -> None:
        """Let the payer draw the tile that wins, and discard it or add it to a pung."""
        if self.facts.robbing:
            self._draw(payer, win)
            pung = next(laid for laid in self.table.seats[payer].melds if laid.meld.first == win)
            self.moves.append(PlayedMove(EventKind.KAKAN, payer, win, pung.source, (win, win, win)))
            self.table.own_gong(EventKind.KAKAN, payer, win, (win, win, win), pung.source)
            return
        if self.facts.after_replacement and self.gong is not None:
            self._draw(payer, self.gong)
            self._concealed_gong(payer, self.gong)
        elif self.facts.after_replacement:
            bonus = self.bonus.pop()
            self._draw(payer, bonus)
            self._set_aside(payer, bonus)
        self._draw(payer, win)
        self._discard(payer, win)

    def _won(self, seat: int, source: int, kind: int) -> OtherHand:
        table = self.table
        if not table.is_offered(seat, source, kind):
            raise UnknownScriptError("the tile is not offered")
        scored = score_win(table, seat, source, kind)
        tiles = table.seats[seat].hand(None if kind >= KINDS else kind).tiles
        win = PlayedWin(seat, source, kind, tiles, scored)
        return OtherHand(self.start, self.scores, self.dealt, tuple(self.moves), win)
