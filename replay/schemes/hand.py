"""A hand and how it won, for every scheme but riichi's: plain records that a person or a table can fill.

Tiles are kinds 0-42: 34 kinds as in riichi (there are no red fives), flowers, seasons, jokers. Seats are
winds of the hand in question: 0 East, who deals, 1 South, 2 West, 3 North.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from paifu.replay.language import _
from paifu.replay.model.tile_notation import format_kinds
from paifu.replay.model.tiles import BONUS_KINDS, kind_of
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.hand_text import OTHER_GAMES, HandNotation, parse_hand
from paifu.replay.scoring.readings import Meld

SEATS = range(4)


class Replacement(Enum):
    """What the winning tile was drawn in place of."""

    NONE = "none"
    GONG = "gong"
    BONUS = "bonus"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldTiles:
    """The tiles of a player."""

    tiles: tuple[int, ...]
    """The concealed tiles as kinds; those of a win hold the winning tile."""
    win: int | None = None
    """The winning tile's kind; None for a hand that has not won."""
    melds: tuple[Meld, ...] = ()
    bonus: tuple[int, ...] = ()
    """Flowers and seasons set aside."""

    @property
    def size(self) -> int:
        """Tiles, every meld counting as three: 14 for a winning hand of sets and a pair, 13 before."""
        return len(self.tiles) + 3 * len(self.melds)

    @property
    def kinds(self) -> tuple[int, ...]:
        """All tiles, except bonus tiles that are set aside."""
        return self.tiles + tuple(kind for meld in self.melds for kind in meld.kinds)

    @property
    def before(self) -> tuple[int, ...]:
        """The concealed tiles without the winning one."""
        tiles = list(self.tiles)
        if self.win is not None:
            tiles.remove(self.win)
        return tuple(tiles)

    def __str__(self) -> str:
        """In hand notation."""
        aside = "".join(f"({format_kinds([kind])})" for kind in self.bonus)
        return f"{aside}{''.join(map(str, self.melds))}{format_kinds(self.tiles)}"


def parse_held(
    text: str, win: str | None = None, *, notation: HandNotation = OTHER_GAMES, wins: bool | None = None
) -> HeldTiles:
    """Read a hand; ``win`` names the winning tile, which the text may hold or leave out.

    Without ``win`` a hand of 14 tiles or more has won on its last concealed tile. ``wins`` says that a hand
    has won, or not, whatever its size.

    >>> str(parse_held("(1f)234m(555z)22334p78s9s"))
    '(1f)(555z)234m22334p789s'

    Raises HandError (or ValueError for text that is not a tile) with the offending part.
    """
    written = parse_hand(text, win, notation)
    if wins is None:
        wins = notation.size(written.tiles, written.melds) >= 14
    has_won = wins or win is not None
    if has_won and not written.tiles:
        problem = _("{text}: no tile is concealed, so none can be the winning tile")
        raise HandError(problem.format(text="".join(text.split())))
    tiles = tuple(map(kind_of, written.tiles))
    bonus = tuple(sorted(map(kind_of, written.bonus)))
    return HeldTiles(tiles=tiles, win=tiles[-1] if has_won else None, melds=written.melds, bonus=bonus)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """How a win came about: all that patterns and payments ask for and tiles do not show."""

    seat_wind: int = 1
    """The winner's seat."""
    round_wind: int = 0
    """The round's wind, where there is one."""
    self_drawn: bool = False
    payer: int | None = None
    """The discarder of the winning tile (or the owner of the robbed one); None takes the next seat, in the
    first turn East."""
    last_tile: bool = False
    """Won on the last tile of the wall, or on the discard after it."""
    replacement: Replacement = Replacement.NONE
    gongs_in_turn: int = 0
    """Gongs that the winner made in the turn whose last replacement won."""
    gong_from_replacement: bool = False
    """The replacement for a gong completed or promoted the next gong of the turn, whose replacement won."""
    robbing: bool = False
    """Won on a tile that another player added to a pung."""
    first_turn: bool = False
    """Won in the first turn or before it, while nobody had claimed a tile."""
    gong_before: bool = False
    """A gong was made before a win in the first turn."""
    dealers_first_discard: bool = False
    """Won on the first discard of the hand, East's."""
    after_replacement: bool = False
    """Won on the discard that followed its player's replacement draw."""
    keeps: int = 0
    """Hands that this dealer has dealt in a row before this one."""
    dealer_wins: int = 0
    """Wins in a row of this dealer as dealer, this one included."""
    declares_bonus: bool = False
    """The bonus tiles set aside are declared as a win of their own."""
    liable: int | None = None
    """Who fed the deciding meld of a great hand."""
    fed_gong: int | None = None
    """Who fed the open gong whose replacement won."""
    discards: tuple[tuple[int, int], ...] = ()
    """Seat and kind of each discard since the winner's own last one, that included, to the one won on."""
    losers: Mapping[int, HeldTiles] = field(default_factory=lambda: MappingProxyType({}))
    """The other hands by seat, where losers score; a seat that is left out scores nothing."""
    bet: int | None = None
    """The seat that a fifth player bet on; NO_WINNER for a draw, None without a bet."""

    @property
    def discarder(self) -> int | None:
        """Who discarded the winning tile; None for a self-drawn win."""
        if self.self_drawn:
            return None
        if self.payer is not None:
            return self.payer
        return 0 if self.first_turn or self.dealers_first_discard else (self.seat_wind + 1) % 4


NO_WINNER = -1
"""A bet on a hand that nobody wins."""


def bonus_owner(kind: int) -> int:
    """Return the seat that a flower or a season belongs to."""
    return (kind - BONUS_KINDS.start) % 4
