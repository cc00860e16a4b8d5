"""A hand at one moment, to look at, to step through, and to ask what is legal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from paifu.replay.course.settlement import own_wind
from paifu.replay.errors import ArgumentError
from paifu.replay.language import _
from paifu.replay.model.events import EventKind
from paifu.replay.model.tile_notation import format_tiles, tile_name
from paifu.replay.model.tiles import NO_TILE, WINDS
from paifu.replay.positions.moves import Move, Reason, Refused
from paifu.replay.positions.rules_table import RulesTable
from paifu.replay.positions.tracker import LaidMeld, RiverTile, SeatState, Tracker
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.shapes.shanten import Shanten, shanten
from paifu.replay.table.engine import engine_of
from paifu.replay.views.events import Event
from paifu.replay.views.games import Hand

SCHEMA = "paifu.position/1"


class Position:
    """A hand at one moment: what lies on the table, and what each seat may do.

    ``event`` is the number of events that have happened; it is the index of the next one. :meth:`forward`,
    :meth:`back` and :meth:`go_to` move it, and everything else follows. Seats are 0-3, tiles 0-36
    (:mod:`paifu.replay.model.tiles`), NO_TILE where the log does not show them.

    What lies on the table is what the log says. What is legal is what the engine says under ``rules``, by
    default those that the log names. It cannot say it for a seat whose tiles are not all known, and in other
    games than riichi; it raises ArgumentError then.

    >>> from paifu.parsers.read import read_batches
    >>> from paifu.replay.views.games import games
    >>> (batch,) = read_batches(["sample_logs/formats/hanchan.mjlog.gz"])
    >>> position = Position(next(games(batch)).hands[0], 5)
    >>> position.next, position.turn, position.wall
    (<Event 5 seat 2 discards 5z>, 2, 67)
    """

    def __init__(self, hand: Hand, event: int = 0, rules: Ruleset | None = None) -> None:
        self.hand = hand
        self.rules = hand.rules if rules is None else rules
        self.events: tuple[Event, ...] = hand.events
        """All events of the hand, those to come among them."""
        self.event = 0
        self.go_to(event)

    # --- stepping -------------------------------------------------------------------------------------

    def go_to(self, event: int) -> Position:
        """Go to the moment before the event with this index; as many as there are is the end of the hand.

        Returns the position itself. Raises ArgumentError for an event that the hand does not have.
        """
        if not 0 <= event <= len(self.events):
            text = _("{hand} has {count} events; go to 0 (the deal) to {count}, not to {event}")
            raise ArgumentError(text.format(hand=self.hand.label, count=len(self.events), event=event))
        if event < self.event or self.event == 0:
            self.event, self._tracker = 0, Tracker(self.hand)
        for one in self.events[self.event : event]:
            self._tracker.apply(one)
        self.event = event
        return self

    def forward(self) -> bool:
        """Let the next event happen; False, and nothing done, at the end of the hand."""
        if self.event == len(self.events):
            return False
        self.go_to(self.event + 1)
        return True

    def back(self) -> bool:
        """Take the last event back; False, and nothing done, at the deal."""
        if self.event == 0:
            return False
        self.go_to(self.event - 1)
        return True

    def go_to_turn(self, seat: int, turn: int) -> Position:
        """Go to the moment before a seat's discard, counted from 1, or before the riichi that it declares.

        Returns the position itself. Raises ArgumentError for a seat or a turn that there is not.
        """
        self._seat(seat)
        own = [one.index for one in self.events if one.kind == EventKind.DISCARD and one.seat == seat]
        if not 1 <= turn <= len(own):
            text = _("seat {seat} discards {count} times in {hand}; there is no turn {turn}")
            raise ArgumentError(text.format(seat=seat, count=len(own), hand=self.hand.label, turn=turn))
        at = own[turn - 1]
        before = self.events[at - 1] if at else None
        is_declared = before is not None and before.kind == EventKind.RIICHI and before.seat == seat
        return self.go_to(at - is_declared)

    @property
    def next(self) -> Event | None:
        """The event to come; None at the end of the hand."""
        return self.events[self.event] if self.event < len(self.events) else None

    @property
    def last(self) -> Event | None:
        """The event that has just happened; None at the deal."""
        return self.events[self.event - 1] if self.event else None

    # --- what lies on the table -----------------------------------------------------------------------

    @property
    def seats(self) -> list[SeatState]:
        """By seat: concealed tiles, melds, river with marks, riichi. To be read, not changed."""
        return self._tracker.seats

    @property
    def indicators(self) -> tuple[int, ...]:
        """Dora indicators that lie open."""
        return tuple(self._tracker.indicators)

    @property
    def scores(self) -> tuple[int | None, ...]:
        """By seat, sticks of this hand paid; None where the log states none."""
        return tuple(self._tracker.scores)

    @property
    def sticks(self) -> int:
        """Riichi sticks on the table."""
        return self._tracker.sticks

    @property
    def wall(self) -> int:
        """How many tiles are left to draw."""
        return self.rules.live_wall - self._tracker.draws

    @property
    def turn(self) -> int | None:
        """The seat that moves or draws next, unless another calls; None after the end."""
        return self._tracker.turn

    def wind(self, seat: int) -> int | None:
        """Return a seat's wind, 0 for east; None where the log does not name the dealer."""
        dealer = self.hand.dealer
        return None if dealer is None else own_wind(self.rules, seat, dealer, self.hand.round)

    def knows(self, seat: int) -> bool:
        """Return whether all tiles of a seat are known."""
        return NO_TILE not in self._seat(seat).all_closed()

    # --- what a seat holds ----------------------------------------------------------------------------

    def waits(self, seat: int) -> tuple[int, ...]:
        """Return the kinds (0-33, rising) that complete a seat's hand, the tile just drawn left out.

        Empty for a hand that is not tenpai, or that is to discard after a call. Raises ArgumentError if tiles
        of the seat are hidden.
        """
        state = self._known(seat)
        if len(state.closed) % 3 != 1:
            return ()
        return engine_of(self.rules).waits(self.rules, state.closed, [meld.tiles[:3] for meld in state.melds])

    def shanten(self, seat: int) -> Shanten:
        """Return the shanten of a seat's hand, the tile just drawn included.

        Raises ArgumentError if tiles of the seat are hidden, and in other games than riichi.
        """
        state = self._known(seat)
        self._check_riichi()
        sanma, forms = self.rules.table.players == 3, self.rules.forms
        melds = [meld.tiles[:3] for meld in state.melds]
        return shanten(state.all_closed(), melds, sanma=sanma, forms=forms)

    def furiten(self, seat: int) -> bool:
        """Return whether a seat may not win by ron: by its discards, or by a win that it passed.

        While a tile is on offer to the seat, which it could still win on, it does not count as passed.
        Raises ArgumentError as :meth:`legal` does.
        """
        self._known(seat)
        return self._engine().is_furiten(seat)

    # --- what is legal --------------------------------------------------------------------------------

    def legal(self, seat: int) -> tuple[Move, ...]:
        """Return the moves that a seat may make now; to pass is always allowed, and not among them.

        Raises ArgumentError if tiles of the seat are hidden, in other games than riichi, and after an event
        of the log that cannot be.
        """
        self._known(seat)
        return tuple(move for move, reasons in self._engine().moves(seat) if not reasons)

    def refused(self, seat: int) -> tuple[Refused, ...]:
        """Return the moves that a seat has the tiles for and may not make now, with the reasons.

        A riichi without a tile stands for all. Raises ArgumentError as :meth:`legal` does.
        """
        self._known(seat)
        return tuple(Refused(move, reasons) for move, reasons in self._engine().moves(seat) if reasons)

    def against(self, move: Move) -> tuple[Reason, ...]:
        """Return the reasons against any move, none if it is legal. Raises ArgumentError as :meth:`legal`."""
        self._known(move.seat)
        return self._engine().against(move)

    @property
    def movers(self) -> tuple[int, ...]:
        """The seats that have a choice now, as far as their tiles are known: a turn, a call, or a win."""
        seats = [seat for seat in range(self.hand.players) if self.knows(seat)]
        return tuple(seat for seat in seats if self.legal(seat)) if seats else ()

    def _seat(self, seat: int) -> SeatState:
        if not 0 <= seat < self.hand.players:
            text = _("this game has seats 0 to {last}")
            raise ArgumentError(text.format(last=self.hand.players - 1))
        return self.seats[seat]

    def _known(self, seat: int) -> SeatState:
        state = self._seat(seat)
        if not self.knows(seat):
            text = _("{hand}: the log does not show all tiles of seat {seat}, so this cannot be said of it")
            raise ArgumentError(text.format(hand=self.hand.label, seat=seat))
        return state

    def _check_riichi(self) -> None:
        if self.rules.game.scheme != Scheme.HAN_FU:
            text = _("this is worked out for riichi only, and {hand} is played by the rules {rules}")
            raise ArgumentError(text.format(hand=self.hand.label, rules=self.rules.name))

    @cached_property
    def _rules_table(self) -> RulesTable:
        self._check_riichi()
        return RulesTable(self.hand, self.rules)

    def _engine(self) -> RulesTable:
        """Return the engine's table as it is now; it is set up when it is first asked."""
        table = self._rules_table
        table.go_to(self.event)
        return table

    # --- as text and as data --------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<Position {self.hand.label} event {self.event} of {len(self.events)}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the table as text in the current language, a line or two for each seat.

        ``>`` is the seat to move. In rivers, ``↓`` marks a tile that had just been drawn, ``*`` the one that
        declared riichi; tiles in brackets were called.
        """
        place = _("{hand}, event {event} of {count}")
        words = [place.format(hand=self.hand.label, event=self.event, count=len(self.events))]
        is_riichi = self.rules.game.scheme == Scheme.HAN_FU
        if is_riichi:
            indicators = format_tiles(self.indicators) or "?"
            words.append(_("dora indicators {tiles}").format(tiles=indicators))
        words.append(_("{wall} tiles left").format(wall=self.wall))
        if is_riichi:
            words.append(_("{sticks} sticks").format(sticks=self.sticks))
        yield _("; ").join(words)
        for seat, state in enumerate(self.seats):
            yield ("> " if seat == self.turn else "  ") + "  ".join(self._facts(seat, state))
            river = " ".join(map(_thrown, state.river))
            yield "    " + _("river: {tiles}").format(tiles=river or _("empty"))

    def _facts(self, seat: int, state: SeatState) -> Iterator[str]:
        wind, score = self.wind(seat), self.scores[seat]
        yield _("seat {seat}").format(seat=seat) + ("" if wind is None else f" {WINDS[wind][0].upper()}")
        yield "?" if score is None else str(score)
        yield format_tiles(state.closed)
        for meld in state.melds:
            yield f"({format_tiles(meld.tiles)})"
        if state.kita:
            yield _("kita x{count}").format(count=state.kita)
        if state.bonus:
            yield format_tiles(state.bonus)
        if state.drawn is not None:
            yield _("drew {tile}").format(tile=tile_name(state.drawn))
        if state.riichi:
            yield _("riichi")

    def answers(self, seat: int) -> Iterator[str]:
        """Yield in words what a seat may do, what is refused and why, its shanten and its waits."""
        known, furiten = self.shanten(seat).least, self.furiten(seat)
        moves = _(", ").join(move.words for move in self.legal(seat)) or _("nothing")
        yield _("seat {seat} may: {moves}").format(seat=seat, moves=moves)
        for one in self.refused(seat):
            reasons = _(", ").join(reason.words for reason in one.reasons)
            text = _("seat {seat} may not: {move} ({reasons})")
            yield text.format(seat=seat, move=one.move.words, reasons=reasons)
        state = _("seat {seat}: complete") if known < 0 else _("seat {seat}: shanten {shanten}")
        words = [state.format(seat=seat, shanten=known)]
        if waits := self.waits(seat):
            words.append(_("waits for {tiles}").format(tiles=format_tiles(waits)))
        yield _(", ").join([*words, _("furiten")] if furiten else words)

    def document(self, *seats: int) -> dict[str, Any]:
        """Return the position as plain values for JSON: tiles are MPSZ, ``??`` where they are hidden.

        ``asked`` says of each of ``seats`` what it may do, what is refused and why, waits, shanten, furiten.
        """
        return {
            "schema": SCHEMA,
            "hand": self.hand.label,
            "event": self.event,
            "events": len(self.events),
            "last": _event_document(self.last),
            "next": _event_document(self.next),
            "turn": self.turn,
            "dealer": self.hand.dealer,
            "honba": self.hand.honba,
            "sticks": self.sticks,
            "scores": list(self.scores),
            "indicators": list(map(tile_name, self.indicators)),
            "wall": self.wall,
            "seats": [_seat_document(state) for state in self.seats],
            "asked": list(map(self._asked, seats)),
        }

    def _asked(self, seat: int) -> dict[str, Any]:
        return {
            "seat": seat,
            "legal": [move.document() for move in self.legal(seat)],
            "refused": [one.document() for one in self.refused(seat)],
            "waits": [tile_name(kind) for kind in self.waits(seat)],
            "shanten": self.shanten(seat).least,
            "furiten": self.furiten(seat),
        }


def _thrown(one: RiverTile) -> str:
    text = ("↓" if one.tsumogiri else "") + tile_name(one.tile) + ("*" if one.riichi else "")
    return text if one.called_by is None else f"({text})"


def _event_document(event: Event | None) -> dict[str, Any] | None:
    if event is None:
        return None
    tile = None if event.tile is None else tile_name(event.tile)
    return {"index": event.index, "kind": event.kind.name.lower(), "seat": event.seat, "tile": tile}


def _meld_document(meld: LaidMeld) -> dict[str, Any]:
    return {
        "kind": meld.kind.name.lower(),
        "tiles": list(map(tile_name, meld.tiles)),
        "sideways": [*meld.sideways],
    }


def _seat_document(state: SeatState) -> dict[str, Any]:
    return {
        "closed": list(map(tile_name, state.closed)),
        "drawn": None if state.drawn is None else tile_name(state.drawn),
        "melds": list(map(_meld_document, state.melds)),
        "kita": state.kita,
        "bonus": list(map(tile_name, state.bonus)),
        "riichi": state.riichi,
        "river": [
            {
                "tile": tile_name(one.tile), "tsumogiri": one.tsumogiri, "riichi": one.riichi,
                "called_by": one.called_by,
            }
            for one in state.river
        ],
    }  # fmt: skip
