"""Moves of a seat, and the reasons why one is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from paifu.replay.kernels import legal
from paifu.replay.language import N_, _, pgettext
from paifu.replay.model.tiles import format_tiles, tile_name


class MoveKind(StrEnum):
    """What a seat may do; also its name in text and JSON.

    >>> MoveKind("pon") is MoveKind.PON, str(MoveKind.ANKAN)
    (True, 'ankan')
    """

    DISCARD = "discard"
    RIICHI = "riichi"
    """The declaration, with the tile that is discarded next."""
    CHI = "chi"
    PON = "pon"
    DAIMINKAN = "daiminkan"
    ANKAN = "ankan"
    KAKAN = "kakan"
    KITA = "kita"
    TSUMO = "tsumo"
    RON = "ron"
    KYUUSHU = "kyuushu"
    """Abort the hand with nine terminals and honours."""


class Reason(StrEnum):
    """Why a move is refused; :attr:`words` says it in a sentence.

    >>> Reason.NOT_TENPAI.words
    'the hand would not be tenpai'
    """

    NOT_NOW = "not now"
    NOT_HELD = "not held"
    NO_MELD = "no meld"
    KUIKAE = "kuikae"
    LOCKED = "locked"
    MISMARKED = "mismarked"
    NOT_TENPAI = "not tenpai"
    NOT_CLOSED = "not closed"
    TOO_FEW_POINTS = "too few points"
    SHORT_WALL = "short wall"
    OTHER_GROUPS = "other groups"
    TOO_MANY_KANS = "too many kans"
    NOTHING_LEFT = "nothing left"
    DEAD = "dead"
    REFUSED = "refused"
    NO_WAIT = "no wait"
    FURITEN = "furiten"
    NO_YAKU = "no yaku"
    NOT_NINE = "not nine"

    @property
    def words(self) -> str:
        """The reason as a sentence in the current language."""
        return _(_WORDS[self])


_WORDS = {
    Reason.NOT_NOW: N_("it is not the moment for such a move"),
    Reason.NOT_HELD: N_("the hand does not hold the tiles"),
    Reason.NO_MELD: N_("the tiles make no meld that this seat may call"),
    Reason.KUIKAE: N_("kuikae: the call just made forbids this tile"),
    Reason.LOCKED: N_("the hand is in riichi"),
    Reason.MISMARKED: N_("it is the tile just drawn, and not said to be, or the other way round"),
    Reason.NOT_TENPAI: N_("the hand would not be tenpai"),
    Reason.NOT_CLOSED: N_("the hand is open, or in riichi already"),
    Reason.TOO_FEW_POINTS: N_("the player has too few points for the stick"),
    Reason.SHORT_WALL: N_("too few tiles are left in the wall"),
    Reason.OTHER_GROUPS: N_("another group of the hand in riichi could need the tiles"),
    Reason.TOO_MANY_KANS: N_("there are four kans"),
    Reason.NOTHING_LEFT: N_("kuikae would forbid every discard after this call"),
    Reason.DEAD: N_("the hand is dead"),
    Reason.REFUSED: N_("an open riichi waits for the tile"),
    Reason.NO_WAIT: N_("the tile does not complete the hand"),
    Reason.FURITEN: N_("the hand is furiten"),
    Reason.NO_YAKU: N_("the hand would have no yaku"),
    Reason.NOT_NINE: N_("it takes nine terminals and honours, in the first turn, before any call"),
}
_BITS = {
    legal.NOT_NOW: Reason.NOT_NOW,
    legal.NOT_HELD: Reason.NOT_HELD,
    legal.NO_MELD: Reason.NO_MELD,
    legal.SWAP: Reason.KUIKAE,
    legal.LOCKED: Reason.LOCKED,
    legal.MISMARKED: Reason.MISMARKED,
    legal.NOT_TENPAI: Reason.NOT_TENPAI,
    legal.NOT_CLOSED: Reason.NOT_CLOSED,
    legal.TOO_FEW_POINTS: Reason.TOO_FEW_POINTS,
    legal.SHORT_WALL: Reason.SHORT_WALL,
    legal.OTHER_GROUPS: Reason.OTHER_GROUPS,
    legal.TOO_MANY_KANS: Reason.TOO_MANY_KANS,
    legal.NOTHING_LEFT: Reason.NOTHING_LEFT,
    legal.DEAD: Reason.DEAD,
    legal.REFUSED: Reason.REFUSED,
}
"""Bits of :mod:`~paifu.replay.kernels.legal`. A foul stops no move, so it has no reason."""


def reasons_of(bits: int) -> tuple[Reason, ...]:
    """Return the reasons that :mod:`~paifu.replay.kernels.legal` gives as bits."""
    return tuple(reason for bit, reason in _BITS.items() if bits & bit)


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that a seat may do, or may not. Tiles are 0-36, seats 0-3.

    >>> print(Move(MoveKind.CHI, seat=1, tile=2, own=(3, 4), source=0))
    chi 3m with 45m
    """

    kind: MoveKind
    seat: int
    tile: int | None = None
    """The tile discarded, called, won on or set aside; one of a closed kan. None for a riichi that no tile
    makes right, and for an aborted hand."""
    own: tuple[int, ...] = ()
    """Own tiles that join a call, or the other tiles of a closed kan."""
    source: int | None = None
    """The seat whose tile is called or won on; None where it comes from the wall or the hand."""
    tsumogiri: bool = False
    """The tile discarded is the one just drawn."""

    def __str__(self) -> str:
        parts = [str(self.kind)] if self.tile is None else [str(self.kind), tile_name(self.tile)]
        parts += ["with", format_tiles(self.own)] if self.own else []
        return " ".join([*parts, "drawn"] if self.tsumogiri else parts)

    @property
    def words(self) -> str:
        """The move in words of the current language."""
        kind = _SPOKEN[self.kind]() if self.kind in _SPOKEN else pgettext("move", str(self.kind))
        text = kind if self.tile is None else f"{kind} {tile_name(self.tile)}"
        if self.own:
            text = _("{move} with {tiles}").format(move=text, tiles=format_tiles(self.own))
        return _("{move} (as drawn)").format(move=text) if self.tsumogiri else text

    def document(self) -> dict[str, Any]:
        """Return the move as plain values for JSON; tiles are MPSZ."""
        return {
            "kind": str(self.kind),
            "seat": self.seat,
            "tile": None if self.tile is None else tile_name(self.tile),
            "own": [tile_name(tile) for tile in self.own],
            "source": self.source,
            "tsumogiri": self.tsumogiri,
        }


_SPOKEN = {
    MoveKind.TSUMO: lambda: pgettext("move", "tsumo"),
    MoveKind.RON: lambda: pgettext("move", "ron"),
    MoveKind.KYUUSHU: lambda: pgettext("move", "kyuushu"),
}
"""Words for moves that no event is named after."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A move that a seat may think of, and why it is refused."""

    move: Move
    reasons: tuple[Reason, ...]

    def __str__(self) -> str:
        return f"{self.move}: {', '.join(self.reasons)}"

    def document(self) -> dict[str, Any]:
        """Return the move as plain values for JSON, with ``reasons``."""
        return self.move.document() | {"reasons": [str(reason) for reason in self.reasons]}
