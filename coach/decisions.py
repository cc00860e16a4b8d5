"""Tables of decisions: a row for each option, or a row for each decision with the option that was chosen.

Rows of options of a decision follow each other. Every feature is a small number, for the model is a sum of
tables that are indexed by features (:mod:`paifu.coach.judgement.model`). Nothing in a row but the targets
follows from what was hidden from the player.
"""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar

from paifu.replay.arrays import I16, I32, U8
from paifu.replay.model.batch import UNKNOWN_POINTS, Table, column
from paifu.replay.model.events import NO_SEAT
from paifu.replay.model.tiles import NO_TILE


class OptionKind(IntEnum):
    """What a player may do."""

    DISCARD = 0
    RIICHI = 1
    """Declare riichi with this discard."""
    PASS = 2
    """Leave a tile that could be called, or won."""
    CHI = 3
    PON = 4
    DAIMINKAN = 5
    ANKAN = 6
    KAKAN = 7


class Tenpai(IntEnum):
    """What a tenpai is worth by ron."""

    NOTEN = 0
    RIICHI = 1
    RIICHI_FURITEN = 2
    YAKU = 3
    """Every live wait has a yaku, without riichi."""
    SOME_YAKU = 4
    NO_YAKU = 5
    FURITEN = 6


class Hope(IntEnum):
    """Whether an open hand can hope for a yaku."""

    CLOSED = 0
    IN_SIGHT = 1
    """A triplet of value honours; no terminal or honour in the melds and at most two in hand; melds of one
    suit and at most two tiles of another; or no run, and five of melds, triplets and pairs."""
    NONE = 2


class OpponentShows(IntEnum):
    """What an opponent shows."""

    CLOSED = 0
    ONE_MELD = 1
    TWO_MELDS = 2
    THREE_MELDS = 3
    """Or four."""
    RIICHI = 4


class Beside(IntEnum):
    """What an opponent discarded near a tile of a suit: the last of these that holds."""

    NONE = 0
    """Nothing within two."""
    LATER = 1
    """A tile within two, after its first four discards."""
    TWO_FROM_DECLARED = 2
    """The tile that declared riichi, two away."""
    TWO_FROM_EARLY = 3
    """One of its first four discards, two away."""
    NEXT_TO_DECLARED = 4
    NEXT_TO_EARLY = 5
    SUJI_OF_DECLARED = 6
    """The tile that declared riichi, three away; the tile itself is suji."""


OPPONENTS = 3
NO_DANGER = 255
"""Class of an option that discards nothing, and of an opponent who is not there."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Options(Table):
    """One row an option; a decision has at least two."""

    NAME: ClassVar[str] = "options"

    game: I32 = column("int32")
    """Row of the game."""
    hand: I32 = column("int32")
    """Row of the hand."""
    event: I32 = column("int32")
    """The discard or kan that was decided; for a call or a pass, the discard that was on offer."""
    decision: I32 = column("int32")
    """Number of the decision, from 0."""
    points: I32 = column("int32")
    """Target: points that the player won or lost from here to the end of the hand, sticks paid included."""
    seat: U8 = column("uint8", unknown=NO_SEAT)
    """Who decided."""
    option: U8 = column("uint8")
    """An :class:`OptionKind`."""
    tile: U8 = column("uint8", unknown=NO_TILE)
    """Tile discarded, or of the kan; of a chi the lowest kind of the run."""
    chosen: U8 = column("uint8")
    """1 if the player chose it. Targets say what came of the choice, whatever the row's option."""
    won: U8 = column("uint8")
    """Target: 1 if the player won the hand."""
    dealt_in: U8 = column("uint8")
    """Target: 0 no deal-in, 1 with this very tile, 2 later in the hand."""
    to: U8 = column("uint8")
    """Target: who won this very tile, as bits by place after the player: 1 next, 2 across, 4 before."""
    left: U8 = column("uint8")
    """Tiles left to draw, by fours."""
    dealer: U8 = column("uint8")
    """1 if the player deals."""
    riichi: U8 = column("uint8")
    """Others in riichi."""
    open_threats: U8 = column("uint8")
    """Others whose open hands are threats."""
    dealer_threat: U8 = column("uint8")
    """What the dealer, another player, threatens with: 0 nothing, 1 an open hand, 2 riichi."""
    most_melds: U8 = column("uint8")
    """Open melds of the opponent who has most."""
    pot: U8 = column("uint8")
    """Honba (300 each) and riichi sticks on the table, in units of 500 points, 15 at most."""
    shanten: U8 = column("uint8")
    """After the option; 0 tenpai, 6 at most."""
    accepted: U8 = column("uint8")
    """Unseen tiles that lower the shanten, or that complete a tenpai; 60 at most."""
    second: U8 = column("uint8")
    """One from tenpai, unseen tiles of the best wait that follows, on average over the tiles accepted; 0
    elsewhere, 31 at most."""
    tenpai: U8 = column("uint8")
    """A :class:`Tenpai`."""
    value: U8 = column("uint8")
    """Value of a tenpai by ron, average over its unseen waits, in units of 500 points, 40 at most; 0 for none
    (without a yaku, or noten)."""
    dora: U8 = column("uint8")
    """Dora, red fives and norths set aside in hand and melds, 7 at most."""
    yakuhai: U8 = column("uint8")
    """Triplets of value honours twice, and pairs of which a tile is unseen once; 7 at most."""
    outside: U8 = column("uint8")
    """Terminals and honours in hand, 8 at most; 9 with one in a meld."""
    off_suit: U8 = column("uint8")
    """Tiles of hand and melds that are neither honours nor of the longest suit, 9 at most."""
    calls: U8 = column("uint8")
    """Own open melds, kans included."""
    yaku: U8 = column("uint8")
    """A :class:`Hope` of an open hand."""
    safe: U8 = column("uint8")
    """Tiles left in hand that no threat can win (9 at most); 10 without a threat."""
    danger: U8 = column("uint8", OPPONENTS, unknown=NO_DANGER)
    """By opponent in the order of turns, class of the tile: a
    :class:`~paifu.replay.review.results.Danger`."""
    beside: U8 = column("uint8", OPPONENTS)
    """What each opponent discarded near the tile: a :class:`Beside`."""
    shown: U8 = column("uint8", OPPONENTS)
    """What each opponent shows: a :class:`OpponentShows`."""
    discards: U8 = column("uint8", OPPONENTS)
    """Discards of each opponent, 18 at most."""
    unsettled: U8 = column("uint8", OPPONENTS)
    """Two-sided waits, of 18, that neither river nor pass rules out for the opponent."""
    melded_dora: U8 = column("uint8", OPPONENTS)
    """Dora that the opponent's melds show, red fives and norths included, 5 at most."""
    flush: U8 = column("uint8", OPPONENTS)
    """For an opponent who seems to collect a suit, 1 for a tile of it or an honour, 2 for another tile."""
    deals: U8 = column("uint8", OPPONENTS)
    """1 for the opponent who deals."""
    dora_tile: U8 = column("uint8")
    """1 if the tile is a dora or a red five."""

    @classmethod
    def cell_places(cls) -> Any:
        """Return where each column of bytes begins in a row of bytes, as a named tuple of integers."""
        names, at, begins = [], 0, []
        for one in cls.columns():
            if one.dtype == "uint8":
                names.append(one.name)
                begins.append(at)
                at += one.cells
        declare: Any = namedtuple
        return declare("OptionPlaces", [*names, "size"])(*begins, at)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Decisions(Options):
    """One row a decision: the option that was chosen, and what the model says of the choice.

    Points of the model are rounded; where there is no model, or the option has too few like it in the games
    that the model was fitted to, they are UNKNOWN_POINTS.
    """

    NAME: ClassVar[str] = "decisions"

    options: U8 = column("uint8")
    """How many options there were."""
    neighbourhood: I16 = column("int16")
    """Number of what the option has in common with others; see the model."""
    best_option: U8 = column("uint8")
    """The :class:`OptionKind` that the model rates highest."""
    best_tile: U8 = column("uint8", unknown=NO_TILE)
    """Its tile."""
    loss: I32 = column("int32", unknown=UNKNOWN_POINTS)
    """Points that the best option is worth more than the chosen one, never below 0."""
    error: I32 = column("int32", unknown=UNKNOWN_POINTS)
    """Standard error of ``loss``."""
    expected: I32 = column("int32", unknown=UNKNOWN_POINTS)
    """Points expected from the chosen option to the end of the hand: the sum of the four parts."""
    part_now: I32 = column("int32", unknown=UNKNOWN_POINTS)
    """Part of the tile discarded: what it costs where others win it."""
    part_win: I32 = column("int32", unknown=UNKNOWN_POINTS)
    """Part of winning the hand."""
    part_later: I32 = column("int32", unknown=UNKNOWN_POINTS)
    """Part of a later deal-in."""
    part_otherwise: I32 = column("int32", unknown=UNKNOWN_POINTS)
    """Part of all other ends."""
