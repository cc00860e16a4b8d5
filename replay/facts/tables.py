"""What the engine finds out: tables of the same make as a batch's, but derived, never claimed.

``hand`` and ``event`` are row numbers of the batch that was replayed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I16, I32, I64, U8
from paifu.replay.model.batch import Table, column
from paifu.replay.model.events import NO_SEAT
from paifu.replay.model.tiles import NO_TILE

LETTERS = "VFWDRPECKU"
"""First letters of codes, by the thousands of their numbers."""


def code_of(number: int) -> str:
    """Return the code of a number in the findings' tables.

    >>> code_of(306), code_of(1101)
    ('V306', 'F101')
    """
    return f"{LETTERS[number // 1000]}{number % 1000}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Findings(Table):
    """One row a finding; :mod:`~paifu.replay.findings.spoken` puts rows in words."""

    NAME: ClassVar[str] = "findings"

    code: I32 = column("int32")
    """Number of the code: 306 is V306."""
    game: I32 = column("int32")
    hand: I32 = column("int32", unknown=-1)
    event: I32 = column("int32", unknown=-1)
    seat: U8 = column("uint8", unknown=NO_SEAT)
    tile: U8 = column("uint8", unknown=NO_TILE)
    expected: I64 = column("int64")
    """What the rules, or the wall, say; its unit follows from code and reason."""
    actual: I64 = column("int64")
    """What the log says."""
    reason: U8 = column("uint8")
    """Which of the code's reasons it is; :mod:`paifu.replay.kernels.reasons` names them."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoredWins(Table):
    """One row a win, in the order of the batch's ``wins``: what the engine makes of it."""

    NAME: ClassVar[str] = "scored_wins"

    hand: I32 = column("int32")
    event: I32 = column("int32")
    seat: U8 = column("uint8", unknown=NO_SEAT)
    source: U8 = column("uint8", unknown=NO_SEAT)
    tile: U8 = column("uint8", unknown=NO_TILE)
    base: I32 = column("int32")
    """Base points; 0 when the hand could not be scored."""
    han: I32 = column("int32")
    fu: I32 = column("int32")
    yakuman: I32 = column("int32")
    """How many yakuman, doubles counted twice."""
    yaku: I64 = column("int64")
    """Bit i for yaku id i."""
    local: I64 = column("int64")
    """Bit i for yaku id 64 + i."""
    fu_rows: I64 = column("int64")
    """Reasons for fu, three bits each."""
    points: I32 = column("int32")
    """Without honba and sticks."""
    limit: U8 = column("uint8")
    dora: U8 = column("uint8")
    ura: U8 = column("uint8")
    red: U8 = column("uint8")
    kita: U8 = column("uint8")
    honba: I32 = column("int32")
    """Honba that this winner is paid."""
    sticks: I32 = column("int32")
    """Riichi sticks that this winner takes."""
    situation: I32 = column("int32")
    """:class:`paifu.replay.rules.hand_facts.Situation` bits."""
    wait: U8 = column("uint8")
    """0 ryanmen, 1 kanchan, 2 penchan, 3 shanpon, 4 tanki."""
    turn: U8 = column("uint8")
    """Own discards before the win."""
    is_open: npt.NDArray[np.bool_] = column("bool", unknown=False)
    furiten: npt.NDArray[np.bool_] = column("bool", unknown=False)
    """The winner of a ron was furiten."""
    patterns: I64 = column("int64")
    """In games other than riichi: bit i for the pattern i of the scheme's table."""
    changes: I32 = column("int32", 4)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PlayerHands(Table):
    """One row a player and hand; ``row = players of the hands before + seat``."""

    NAME: ClassVar[str] = "player_hands"

    hand: I32 = column("int32")
    seat: U8 = column("uint8", unknown=NO_SEAT)
    start_shanten: npt.NDArray[np.int8] = column("int8")
    """Shanten of the 13 tiles dealt."""
    tenpai_turn: npt.NDArray[np.int8] = column("int8", unknown=-1)
    """Own discards when first tenpai, the discard that made it so included; -1 never."""
    tenpai: npt.NDArray[np.bool_] = column("bool", unknown=False)
    """Tenpai at an exhaustive draw."""
    riichi: U8 = column("uint8")
    """0 none, 1 riichi, 2 double riichi; declared, whether or not the tile was ronned."""
    riichi_turn: U8 = column("uint8")
    """Own discards, the declaration tile included."""
    riichi_order: U8 = column("uint8")
    """1 for the first riichi of the hand."""
    riichi_waits: I64 = column("int64")
    """Kinds waited for at the declaration, as bits."""
    riichi_live: U8 = column("uint8")
    """Tiles of these that the player could not see anywhere."""
    riichi_furiten: npt.NDArray[np.bool_] = column("bool", unknown=False)
    furiten: U8 = column("uint8")
    """Kinds of furiten that the player was in at some time: 1 discard, 2 temporary, 4 riichi."""
    calls: U8 = column("uint8")
    """Chi, pon and open kans."""
    ankan: U8 = column("uint8")
    kakan: U8 = column("uint8")
    daiminkan: U8 = column("uint8")
    kita: U8 = column("uint8")
    discards: U8 = column("uint8")
    waits: I64 = column("int64")
    """Kinds waited for after the last own discard, as bits."""
    result: U8 = column("uint8")
    """A :class:`~paifu.replay.kernels.hand_result.Result`."""
    change: I32 = column("int32")
    """Points gained or lost at the hand's end as the log states, without the player's riichi stick."""
    tenpai_live: U8 = column("uint8")
    """Tiles waited for at the first tenpai that the player could not see."""
    shanten: npt.NDArray[np.int8] = column("int8")
    """Shanten after the last own move (tenpai is 0, a hand won by tsumo -1)."""
    path: I64 = column("int64")
    """Shanten after each of the first PATH_TURNS own discards, PATH_BITS each, the first one lowest; see
    :mod:`paifu.replay.kernels.rows`."""
    draws: U8 = column("uint8")
    """Own draws, without those after riichi."""
    useful_draws: U8 = column("uint8")
    """Draws, of these, that brought the hand nearer to tenpai, or completed it."""
    losing_discards: U8 = column("uint8")
    """Discards that led away from tenpai."""
    riichi_yaku: I64 = column("int64")
    """Yaku at riichi that the hand has whichever tile wins by ron, as in ``scored_wins``."""
    riichi_dora: U8 = column("uint8")
    """Dora at riichi by indicators, red fives and norths."""


ALTERNATIVES = 7
"""Words that hold the alternatives of a finding of the review."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReviewFindings(Table):
    """One row a finding of the families F, W, D and R; masks are bits of kinds."""

    NAME: ClassVar[str] = "review"

    code: I32 = column("int32")
    """1101 is F101, 2101 W101, 3101 D101, 4101 R101."""
    game: I32 = column("int32")
    hand: I32 = column("int32", unknown=-1)
    event: I32 = column("int32", unknown=-1)
    seat: U8 = column("uint8", unknown=NO_SEAT)
    tile: U8 = column("uint8", unknown=NO_TILE)
    cost: I32 = column("int32")
    """Points that the choice cost: the win not taken, or what was paid."""
    value: I32 = column("int32")
    """Points of the hand in question; ura dora are not in where they cannot be known."""
    is_note: npt.NDArray[np.bool_] = column("bool", unknown=False)
    """No mistake after all: the player was away, or the win would not have bettered the final place."""
    turn: U8 = column("uint8")
    """Own discards so far, this one included."""
    other: U8 = column("uint8", unknown=NO_SEAT)
    """Who offered the tile that was passed, or who won the tile dealt in: of several the nearest in turn."""
    cause: I32 = column("int32", unknown=-1)
    """Event at which the furiten began, or the fold of which a deal-in came."""
    furiten: U8 = column("uint8")
    """Kinds of furiten: 1 discard, 2 temporary, 4 riichi."""
    waits: I64 = column("int64")
    live: U8 = column("uint8")
    """Tiles of the waits that the player does not see."""
    winners: U8 = column("uint8")
    """All who won the tile dealt in, as bits."""
    shanten: npt.NDArray[np.int8] = column("int8")
    """After the discard that dealt in."""
    dora: U8 = column("uint8")
    """In the player's hand and melds, red fives and kita included."""
    threats: U8 = column("uint8")
    """Two bits a seat: 1 riichi, 2 open hand to be feared."""
    classes: I64 = column("int64")
    """Eight bits a seat: the tile's :class:`~paifu.replay.review.results.Danger` against that threat."""
    better: U8 = column("uint8", unknown=NO_TILE)
    """Kind of a better discard."""
    better_live: U8 = column("uint8")
    better_value: I32 = column("int32")
    accepted: U8 = column("uint8")
    """Tiles that would have made a hand one from tenpai tenpai."""
    scores: I32 = column("int32", 4)
    """For a win not taken, everybody's points at that moment, riichi sticks paid."""
    changes: I32 = column("int32", 4)
    """What the win would have changed."""
    place: U8 = column("uint8")
    """In the last hand: the place that the player had by the scores, 1 for the first; 0 in other hands."""
    place_taken: I16 = column("int16")
    """In hundredths, the final place after the win; a mean where the game might have gone on."""
    place_passed: I16 = column("int16")
    """In hundredths, the mean final place without it; see :mod:`paifu.replay.review.last_hands`."""
    dealing: U8 = column("uint8")
    """Hindsight: how many of the alternatives would have dealt in, too; 255 where a hand is hidden."""
    choices: U8 = column("uint8")
    """How many other kinds could have been discarded."""
    alternatives: I64 = column("int64", ALTERNATIVES)
    """Packed; :func:`~paifu.replay.review.results.alternatives` reads them."""
    winner_waits: I64 = column("int64", 4)
    """What each seat of ``winners`` waited for."""
