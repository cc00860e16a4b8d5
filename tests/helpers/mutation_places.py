"""Where a log is changed, and what a change is: the base of the mutation tests.

A :class:`Kind` changes one fact of a genuine game. It says which hands may have such a fact, changes a copy
of the game, and names the codes of which one must be found. What else may follow from the change is listed
with it; anything besides is an extra finding, and a failure.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scratch_state import Scratch
from sheets import MARKS, Event, HandSheet, Sheet

from paifu.replay.model.batch import Batch
from paifu.replay.model.events import NO_SEAT, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE

K = EventKind
Rows = npt.NDArray[np.int64]
Where = Callable[[Batch], Rows]

PAYMENTS = (501, 506)
"""Other changes of points lead to other scores at the next hand, or at the end of the game."""
PROGRESS = (501, 502, 503, 504, 505, 506)
"""Another end of a hand leads to another next hand."""
STATED = (208, 501)
"""Other scores at a hand's beginning contradict those stated with its riichi and its end."""


class NotHereError(Exception):
    """The hand has no place where the change could be made."""


class Place:
    """One hand of a game that is to be changed."""

    def __init__(self, sheet: Sheet, number: int, rng: random.Random) -> None:
        self.sheet = sheet
        self.number = number
        self.rng = rng

    @property
    def hand(self) -> HandSheet:
        """The hand."""
        return self.sheet.hands[self.number]

    @property
    def events(self) -> list[Event]:
        """Its events."""
        return self.hand.events

    @property
    def players(self) -> int:
        """How many play."""
        return self.sheet.rules.table.players

    def need(self, is_here: Any) -> None:
        """Give up here unless something is the case."""
        if not is_here:
            raise NotHereError

    def pick(self, choices: Iterable[Any]) -> Any:
        """One of the choices at random; gives up when there are none."""
        listed = list(choices)
        self.need(listed)
        return self.rng.choice(listed)

    def pick_at(self, *kinds: EventKind, only: Callable[[int], Any] = bool) -> int:
        """The index of an event of these kinds for which ``only`` holds."""
        test = (lambda at: True) if only is bool else only
        return int(self.pick(at for at in self.hand.find(*kinds) if test(at)))

    def after(self, at: int) -> int:
        """The index of the next event that is a move, or of none behind the last."""
        at += 1
        while at < len(self.events) and self.events[at].kind in MARKS:
            at += 1
        return at

    def kind_at(self, at: int) -> EventKind | None:
        """What the event at an index is."""
        return self.events[at].kind if 0 <= at < len(self.events) else None

    def unused(self, *, only: Callable[[int], bool] = lambda tile: True) -> int:
        """A physical tile that the hand never shows, of no kind that the wall would turn up."""
        return int(self.pick(tile for tile in self.hand.unused(self.sheet.ids()) if only(tile)))

    def kind(self, code: int) -> int:
        """The kind of a tile code."""
        return self.sheet.kind(code)

    def state(self, at: int) -> Scratch:
        """How the hand is before the event at an index."""
        row, tile = self.hand.row, self.sheet.tile
        state = Scratch(
            self.sheet.rules,
            row["dealer"],
            row["scores"],
            row["sticks"],
            [[tile(code) for code in codes] for codes in row["dealt"]],
            tile(row["dora"]),
        )
        for event in self.events[:at]:
            if event.kind not in MARKS:
                own = [tile(code) for code in event.own] if event.kind != K.KAKAN else []
                moved = tile(event.tile) if event.tile != NO_TILE else NO_TILE
                state.apply(event.kind, event.seat, moved, event.source, own)
        return state

    def held(self, seat: int, at: int) -> list[int]:
        """Tile codes in a hand before the event at an index."""
        codes = list(self.hand.row["dealt"][seat])
        for event in self.events[:at]:
            if event.seat != seat:
                continue
            if event.kind == K.DRAW:
                codes.append(event.tile)
            elif event.kind in (K.DISCARD, K.KAKAN, K.KITA):
                codes.remove(event.tile)
            elif event.kind in (K.CHI, K.PON, K.DAIMINKAN, K.ANKAN):
                for code in (*event.own, event.tile) if event.kind == K.ANKAN else event.own:
                    codes.remove(code)
        return codes

    def discarded_later(self, seat: int, at: int, tile: int) -> bool:
        """Whether a seat discards a physical tile at an index or behind it."""
        return any(e.kind == K.DISCARD and e.seat == seat and e.tile == tile for e in self.events[at:])

    def won_on(self, at: int) -> bool:
        """Whether somebody wins on the event at an index."""
        return any(kind in (K.WIN, K.HAND_DRAW) for kind in (self.kind_at(self.after(at)),))

    def draw_row(self, kind: HandEnd, at: int) -> dict[str, Any]:
        """Claims of a draw without payments before the event at an index."""
        row = self.hand.row
        paid = [e.seat for e in self.events[:at] if e.kind == K.RIICHI_PAID]
        scores = [score - 1000 * paid.count(seat) for seat, score in enumerate(row["scores"])]
        return {
            "kind": kind,
            "honba": row["honba"],
            "sticks": row["sticks"] + len(paid),
            "scores": scores,
            "deltas": [0, 0, 0, 0],
        }

    def end_with_draw(self, kind: HandEnd, at: int) -> None:
        """End the hand in a draw instead of the event at an index."""
        row = self.draw_row(kind, at)
        self.events[at:] = [Event(K.HAND_DRAW, row=row)]

    def other_win(self) -> dict[str, Any]:
        """Claims of some win of the game."""
        return dict(self.pick(row for hand in self.sheet.hands for row in hand.wins))

    def insert_win(self, at: int, seat: int, source: int, tile: int) -> None:
        """End the hand, before the event at an index, with a win of which little is claimed."""
        row = {"seat": seat, "source": source, "tile": tile}
        self.events[at:] = [Event(K.WIN, seat, tile, source, row=row)]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of change."""

    name: str
    codes: tuple[int, ...]
    """One of these must be found in the hand that was changed."""
    change: Callable[[Place], None]
    where: Where
    then: tuple[int, ...] = ()
    """What may be found besides, in this hand or the next."""
    spoils: bool = False
    """Everything behind the expected finding in the same hand follows from it."""
    in_next: bool = False
    """The finding belongs to the hand after the one that was changed."""
    wall: str = "kept"
    """``kept``: with the seed. ``both``: with the seed, when the wall must betray the change (family V6), and
    without it, when the rules alone must. ``gone``: without."""
    everywhere: tuple[int, ...] = ()
    """What may be found in all later hands."""
    sanma: bool | None = None
    """Only in games of three players, or of four."""


KINDS: list[Kind] = []
"""All kinds, in the order in which they are declared."""


def mutation(name: str, *codes: int, where: Where, **others: Any) -> Callable[[Any], Any]:
    """Declare a kind of change."""

    def declare(change: Callable[[Place], None]) -> Callable[[Place], None]:
        KINDS.append(Kind(name, codes, change, where, **others))
        return change

    return declare


# --- which hands -------------------------------------------------------------------------------------------


def _hands_of(batch: Batch, events: Any) -> Rows:
    hands = np.searchsorted(batch.hands.event_begin, np.flatnonzero(events), side="right") - 1
    return np.unique(hands[hands >= 0]).astype(np.int64)


def anywhere(batch: Batch) -> Rows:
    """All hands that end."""
    return np.flatnonzero(batch.hands.end != HandEnd.UNFINISHED).astype(np.int64)


def with_event(*kinds: EventKind) -> Where:
    """Hands with such an event."""
    return lambda batch: _hands_of(batch, np.isin(batch.events.kind, kinds))


def ended(*ends: HandEnd) -> Where:
    """Hands that ended so."""
    return lambda batch: np.flatnonzero(np.isin(batch.hands.end, ends)).astype(np.int64)


def won(test: Callable[[Any], Any] = lambda wins: wins.seat < 4) -> Where:
    """Hands with a win for which a test of all wins holds."""
    return lambda batch: np.unique(batch.wins.hand[np.flatnonzero(test(batch.wins))]).astype(np.int64)


def not_last(where: Where = anywhere) -> Where:
    """Those hands that another follows."""

    def followed(batch: Batch) -> Rows:
        hands = where(batch)
        return hands[hands + 1 < batch.games.hand_end[batch.hands.game[hands]]]

    return followed


def last(batch: Batch) -> Rows:
    """The last hand of each game of which the log tells the result."""
    return (batch.games.hand_end[~batch.games.is_cut] - 1).astype(np.int64)


def first(batch: Batch) -> Rows:
    """The first hand of each game."""
    return batch.games.hand_begin[batch.games.hand_end > batch.games.hand_begin + 1].astype(np.int64)


def several(wins: Any) -> Any:
    """Wins of hands with several."""
    return np.bincount(wins.hand)[wins.hand] > 1


def ron(wins: Any) -> Any:
    """Wins on another's tile."""
    return (wins.source != wins.seat) & ~several(wins)


def lists(*yaku: int) -> Callable[[Any], Any]:
    """Wins that list one of these yaku."""
    return lambda wins: np.isin(wins.yaku, yaku).any(axis=1)


def is_yakuman(wins: Any) -> Any:
    """Wins of a yakuman hand."""
    return (wins.han >= 13).any(axis=1)


def no_yakuman(wins: Any) -> Any:
    """Wins that list han."""
    return ~is_yakuman(wins)


def nobody(seat: int) -> bool:
    """Whether a seat column names none."""
    return seat == NO_SEAT
