"""Moves of a seat, and the reasons why one is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from paifu.replay.kernels import legal
from paifu.replay.language import N_, _, pgettext
from paifu.replay.model.tile_notation import format_tiles, tile_name


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

    sentence: str
    bit: int
    """Of :mod:`~paifu.replay.kernels.legal`; 0 for what is asked elsewhere. A foul stops no move."""

    def __new__(cls, value: str, sentence: str, bit: int = 0) -> Self:
        """Make a member of what its row says."""
        reason = str.__new__(cls, value)
        reason._value_, reason.sentence, reason.bit = value, sentence, bit
        return reason

    NOT_NOW = "not now", N_("it is not the moment for such a move"), legal.NOT_NOW
    NOT_HELD = "not held", N_("the hand does not hold the tiles"), legal.NOT_HELD
    NO_MELD = "no meld", N_("the tiles make no meld that this seat may call"), legal.NO_MELD
    KUIKAE = "kuikae", N_("kuikae: the call just made forbids this tile"), legal.SWAP
    LOCKED = "locked", N_("the hand is in riichi"), legal.LOCKED
    MISMARKED = (
        "mismarked",
        N_("it is the tile just drawn, and not said to be, or the other way round"),
        legal.MISMARKED,
    )
    NOT_TENPAI = "not tenpai", N_("the hand would not be tenpai"), legal.NOT_TENPAI
    NOT_CLOSED = "not closed", N_("the hand is open, or in riichi already"), legal.NOT_CLOSED
    TOO_FEW_POINTS = "too few points", N_("the player has too few points for the stick"), legal.TOO_FEW_POINTS
    SHORT_WALL = "short wall", N_("too few tiles are left in the wall"), legal.SHORT_WALL
    OTHER_GROUPS = (
        "other groups", N_("another group of the hand in riichi could need the tiles"), legal.OTHER_GROUPS
    )  # fmt: skip
    TOO_MANY_KANS = "too many kans", N_("there are four kans"), legal.TOO_MANY_KANS
    NOTHING_LEFT = "nothing left", N_("kuikae would forbid every discard after this call"), legal.NOTHING_LEFT
    DEAD = "dead", N_("the hand is dead"), legal.DEAD
    REFUSED = "refused", N_("an open riichi waits for the tile"), legal.REFUSED
    NO_WAIT = "no wait", N_("the tile does not complete the hand")
    FURITEN = "furiten", N_("the hand is furiten")
    NO_YAKU = "no yaku", N_("the hand would have no yaku")
    NOT_NINE = "not nine", N_("it takes nine terminals and honours, in the first turn, before any call")

    @property
    def words(self) -> str:
        """The reason as a sentence in the current language."""
        return _(self.sentence)


def reasons_of(bits: int) -> tuple[Reason, ...]:
    """Return the reasons that :mod:`~paifu.replay.kernels.legal` gives as bits."""
    return tuple(reason for reason in Reason if bits & reason.bit)


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
        kind = pgettext("move", str(self.kind))
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
