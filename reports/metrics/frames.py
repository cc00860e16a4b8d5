"""Records as metrics see them: columns of one kind of row, and what metrics often derive from them.

A metric is counted over one **base**, a set of rows: all hands, riichi hands, wins, deal-ins, ...
:data:`BASES` names them. Columns are numpy arrays; derived columns are computed once and kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I64, U8, Mask
from paifu.replay.kernels.hand_result import Result
from paifu.replay.kernels.rows import PATH_BITS
from paifu.replay.model.batch import Table, Text
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.local_yaku import OWN_IDS
from paifu.replay.rules.own_rows import OWN_BITS
from paifu.reports.metrics.records import (
    NO_POINTS,
    GameRecords,
    HandRecords,
    Records,
    ReviewRecords,
    WinRecords,
)


class HandRows(HandRecords):
    """Rows of players' hands."""

    @classmethod
    def of(cls, table: Table, index: npt.NDArray[Any] | slice = slice(None)) -> Self:
        """Return rows of the hand records."""
        return cls(**{name: array[index] for name, array in table.arrays()})

    @cached_property
    def won(self) -> Mask:
        """The player won."""
        return (self.result == Result.TSUMO) | (self.result == Result.RON)

    @cached_property
    def dealt_in(self) -> Mask:
        """The player dealt in, to one winner or more."""
        return self.deal_ins > 0

    @cached_property
    def hit(self) -> Mask:
        """Another player won by tsumo."""
        return self.result == Result.TSUMO_PAID

    @cached_property
    def aside(self) -> Mask:
        """The hand ended in a ron between other players."""
        return self.result == Result.ASIDE

    @cached_property
    def drawn(self) -> Mask:
        """The hand ended in an exhaustive draw other than nagashi mangan."""
        return self.end == HandEnd.EXHAUSTIVE

    @cached_property
    def is_open(self) -> Mask:
        """The player made an open call."""
        return self.calls > 0

    @cached_property
    def in_riichi(self) -> Mask:
        """The player declared riichi."""
        return self.riichi > 0

    @cached_property
    def is_good(self) -> Mask:
        """Waited, at riichi, for at least six tiles that the player did not see."""
        return self.riichi_live >= GOOD_SHAPE

    @cached_property
    def kans(self) -> I64:
        """Kans of all kinds."""
        return self.ankan.astype(np.int64) + self.kakan + self.daiminkan

    def found(self, *codes: int, notes: bool) -> I64:
        """Count the review's findings of some codes in each row, with those that are notes or without."""
        review: ReviewRecords = self.__dict__["review"]
        wanted = np.isin(review.code, codes) & (notes | ~review.is_note)
        count: I64 = np.bincount(review.row[wanted], minlength=len(self))
        return count

    def shanten_after(self, turn: int) -> npt.NDArray[Any]:
        """Return the shanten after the player's discard number ``turn`` (1 to 18), for rows that have it."""
        return (self.path >> PATH_BITS * (turn - 1)) & 7


GOOD_SHAPE = 6


class WinRows(WinRecords):
    """Rows of wins; a row's player is the winner, or with ``of_payers`` the player who dealt in."""

    hands: HandRows
    """All hands; ``row`` and ``payer`` index them."""
    of_payers: bool
    own_yaku: Text
    """Keys of the yaku or patterns of each game's ruleset's own."""

    @classmethod
    def of(
        cls,
        records: Records,
        hands: HandRows,
        index: npt.NDArray[Any] | slice = slice(None),
        *,
        of_payers: bool = False,
    ) -> Self:
        """Return rows of the win records."""
        made = cls(**{name: array[index] for name, array in records.wins.arrays()})
        made.__dict__.update(hands=hands, of_payers=of_payers, own_yaku=records.games.own_yaku)
        return made

    @cached_property
    def seat(self) -> U8:
        """Seat of the row's player."""
        return self.hands.seat[self.payer if self.of_payers else self.row]

    @cached_property
    def is_hidden(self) -> Mask:
        """Tiles of the row's player are hidden."""
        return self.hands.is_hidden[self.payer if self.of_payers else self.row]

    @cached_property
    def is_tsumo(self) -> Mask:
        """Won by tsumo."""
        return self.payer < 0

    @cached_property
    def is_scored(self) -> Mask:
        """The winner's hand is known, and so are its yaku."""
        return (self.yaku != 0) | (self.local != 0) | (self.patterns != 0)

    @cached_property
    def is_dealer(self) -> Mask:
        """The dealer won."""
        return self.hands.is_dealer[self.row]

    @cached_property
    def by_riichi(self) -> Mask:
        """Won after riichi."""
        return self.hands.riichi[self.row] > 0

    @cached_property
    def by_open(self) -> Mask:
        """Won with an open hand."""
        return self.hands.calls[self.row] > 0

    @cached_property
    def by_dama(self) -> Mask:
        """Won with a closed hand and without riichi."""
        return ~self.by_riichi & ~self.by_open

    def has(self, *yaku: int) -> Mask:
        """Return which wins have at least one of some yaku."""
        near = far = 0
        for number in yaku:
            near |= 1 << number if number < _LOCAL else 0
            far |= 1 << number - _LOCAL if number >= _LOCAL else 0
        return (self.yaku & near != 0) | (self.local & far != 0)

    def own(self, key: str) -> tuple[Mask, Mask]:
        """Return which wins have a yaku or pattern of their ruleset's own, and which a ruleset with it."""
        found, known = np.zeros(len(self), bool), np.zeros(len(self), bool)
        for keys in set(self.own_yaku):
            if key in keys.split():
                of_ruleset = np.asarray(self.own_yaku == keys, bool)[self.game]
                place = keys.split().index(key)
                has = self.has(OWN_IDS[place])
                if place < len(OWN_BITS):
                    has |= self.patterns >> OWN_BITS[place] & 1 > 0
                found |= of_ruleset & has
                known |= of_ruleset
        return found, known

    @cached_property
    def all_dora(self) -> I64:
        """Dora of all kinds: indicators, ura, red fives, norths."""
        return self.dora.astype(np.int64) + self.ura + self.red + self.kita

    @cached_property
    def payers(self) -> HandRows:
        """The hand of the player who dealt in, of rows of deal-ins, after that discard."""
        return HandRows.of(self.hands, self.payer)


_LOCAL = 64


class GameRows(GameRecords):
    """Rows of players' games: what a game has by seat is the player's."""

    game: I64
    """Row of the game."""
    seat: I64
    table_rating: I64
    """Average rating at the table; 0 if one is unknown."""

    @classmethod
    def of(cls, games: GameRecords) -> Self:
        """Return the rows of all players of some games whose result is known."""
        present = np.arange(4) < games.players[:, None]
        game, seat = np.nonzero(present & (games.rank > 0))
        made = cls(
            **{c.name: getattr(games, c.name)[(game, seat) if c.width else game] for c in games.columns()}
        )
        total = np.where(present, games.rating, 0).sum(axis=1)
        all_known = ((games.rating > 0) | ~present).all(axis=1)
        average = np.where(all_known, total // np.maximum(games.players, 1), 0)
        made.__dict__.update(game=game, seat=seat, table_rating=average[game])
        return made

    @cached_property
    def has_gain(self) -> Mask:
        """Final points and starting points are known."""
        return (self.final != NO_POINTS) & (self.start != NO_POINTS)

    @cached_property
    def gain(self) -> I64:
        """Final points minus starting points; 0 where either is unknown."""
        return np.where(self.has_gain, self.final.astype(np.int64) - self.start, 0)

    @cached_property
    def is_last(self) -> Mask:
        """Finished last."""
        return self.rank == self.players


class Bases:
    """All bases of one batch of records, each made on first use."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _BASES[name][1](self, self._records)
        return self._made[name]


def _hands_where(choose: Callable[[HandRows], Mask]) -> Callable[[Bases, Records], HandRows]:
    def make(bases: Bases, _records: Records) -> HandRows:
        hands: HandRows = bases["hands"]
        return HandRows.of(hands, np.flatnonzero(choose(hands)))

    return make


def _reviewed(bases: Bases, records: Records) -> HandRows:
    hands = HandRows.of(bases["hands"], slice(None) if records.review is not None else slice(0))
    hands.__dict__["review"] = records.review if records.review is not None else ReviewRecords.empty()
    return hands


def _called(least: int) -> Callable[[Bases, Records], HandRows]:
    return _hands_where(lambda hands: hands.calls >= least)


def _winners_of_called(least: int) -> Callable[[Bases, Records], WinRows]:
    def make(bases: Bases, records: Records) -> WinRows:
        hands: HandRows = bases["hands"]
        return WinRows.of(records, hands, np.flatnonzero(hands.calls[records.wins.row] >= least))

    return make


_CALLS = {1: "an open call", 2: "2 or more open calls", 3: "3 or more open calls", 4: "4 open calls"}
_BASES: dict[str, tuple[str, Callable[[Bases, Records], Any]]] = {
    "games": ("games with a known result", lambda _bases, records: GameRows.of(records.games)),
    "hands": ("hands", lambda _bases, records: HandRows.of(records.hands)),
    "reviewed": ("hands reviewed", _reviewed),
    "riichi": ("riichi hands", _hands_where(lambda hands: hands.in_riichi)),
    "draws": ("exhaustive draws", _hands_where(lambda hands: hands.drawn)),
    "faced": (
        "hands in which another player declared riichi first",
        _hands_where(lambda hands: (hands.riichis > 0) & (hands.riichi_order != 1)),
    ),
    "hit": ("hands lost to tsumo", _hands_where(lambda hands: hands.hit)),
    "tenpai": ("hands that reached tenpai", _hands_where(lambda hands: hands.tenpai_turn >= 0)),
    "with_kans": ("hands in which the player made a kan", _hands_where(lambda hands: hands.kans > 0)),
    "wins": ("wins", lambda bases, records: WinRows.of(records, bases["hands"])),
    "deal_ins": (
        "deal-ins",
        lambda bases, records: WinRows.of(
            records, bases["hands"], np.flatnonzero(records.wins.payer >= 0), of_payers=True
        ),
    ),
    **{f"called{n}": (f"hands with {words}", _called(n)) for n, words in _CALLS.items()},
    **{f"called{n}_wins": (f"wins with {words}", _winners_of_called(n)) for n, words in _CALLS.items()},
}
BASES = MappingProxyType({name: words for name, (words, _make) in _BASES.items()})
"""Base -> its rows in words, the default denominator."""
