"""Numbers and arrays that the kernels of the solver and their Python callers share. No code.

A **waiting** hand has 3n + 1 tiles and draws next; a hand **to act** has 3n + 2 and discards. The solver
writes down every hand that it may come to, waiting ones and those to act apart, with numbers that count up
from 0; draws and discards lead from the ones to the others.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels.arrays import F64, F64_2D, I32, I64, I64_2D, U8
from paifu.replay.kernels.records import Record, cells

# What is known of each hand: cells of a value.
TENPAI, WIN, POINTS, VALUES = range(4)
# Sizes: cells of ``HandGraph.sizes``.
N_WAITING, N_ACTING, N_DRAWS, N_DISCARDS, N_TENPAI, N_SIZE = range(6)
# What is known of a tenpai: cells of ``HandGraph.tenpai``.
(
    T_LIVE, T_TSUMO, T_TSUMO_AT_ONCE, T_RON, T_RON_AT_ONCE, T_FURITEN, T_SILENT_LIVE, T_SILENT_RON,
    T_WIN_NEXT, T_POINTS_NEXT, T_SILENT_WIN, T_SILENT_POINTS, T_RIICHI_WIN, T_RIICHI_POINTS, T_SIZE,
) = range(15)  # fmt: skip
"""LIVE: live tiles of the waits. TSUMO, RON: mean points of a win in riichi; AT_ONCE: with ippatsu.
FURITEN: 1 if it cannot win by ron. SILENT_LIVE: live tiles of the waits that have a yaku by ron without
riichi; SILENT_RON: mean points of a win by ron on them. WIN_NEXT, POINTS_NEXT: value of the riichi after
the next draw. The last four: chance of a win and points without riichi now, and with it."""
# The answer for each tile that may be discarded: cells of a row of ``HandGraph.answers``.
(
    A_HELD, A_SHANTEN, A_MASK, A_TENPAI, A_WIN, A_POINTS, A_RIICHI, A_SILENT_WIN, A_SILENT_POINTS,
    A_RIICHI_WIN, A_RIICHI_POINTS, A_NODE, A_SIZE,
) = range(13)  # fmt: skip
"""HELD: 1 if the tile may be discarded. MASK: kinds accepted, as bits. RIICHI: 1 if riichi is worth
most; what it brings, and what the hand brings without it now, follow. NODE: number of the waiting hand."""
NO_WIN = -1.0
"""In place of points: the tile does not win, or the hand has no yaku."""
MOST_URA = 13
"""Ura dora that are told apart, from none on; more are counted as twelve, which make any hand a yakuman."""
SOLVED, NO_ROOM = 0, 1


class Problem(Record):
    """A hand of 3n + 2 tiles and what its owner knows.

    Tiles held and live are counted in 64 bits, for kernels take differences of them, and bytes have no sign.
    """

    held: I64 = cells(37)
    """Concealed tiles by tile."""
    live: I64 = cells(37)
    """Tiles that the player does not see, by tile."""
    melded: U8 = cells(34)
    """Tiles in own melds by kind."""
    meld_kinds: U8 = cells(4)
    """Lowest kind of each meld."""
    meld_types: U8 = cells(4)
    """EventKind of each meld."""
    indicators: U8 = cells(5)
    """Kinds of the dora indicators."""
    ron: float
    """Share of wins by ron among the wins of hands that may win by ron, from 0 to below 1."""
    melds: int
    closed: int
    """1 without an open meld."""
    turned: int
    """Dora indicators."""
    ura: int
    """Ura dora indicators after a riichi."""
    dora: int
    """Dora that the hand has whatever it discards: red fives in melds, norths set aside."""
    seat_wind: int
    round_wind: int
    honba: int
    """Decides whether two han are needed."""
    draws: int
    """How many draws are left."""
    shrinks: int
    """1 if the tiles to draw from become fewer with each draw, 0 if their number stays."""
    changes: int
    """Draws that may be spent on keeping shanten, beside those that lower it."""
    river: int
    """Kinds that the player has discarded, as bits."""
    riichi: int
    """1 if riichi may be declared."""
    stick: int
    """Points that a riichi costs unless it wins."""
    ippatsu: int
    """1 if ippatsu counts."""
    forms: int
    """What wins besides the usual; see ``rules.KernelRules``."""


class HandGraph(NamedTuple):
    """Hands, the moves between them, and what they are worth; filled by the solver."""

    sizes: I64
    """(N_SIZE,) how much of the other arrays is used."""
    waiting: I64_2D
    """(room, 2) waiting hands, packed."""
    acting: I64_2D
    """(room, 2) hands to act, packed."""
    waiting_slots: I32
    """(power of 2,) hash table of the waiting hands: number + 1, 0 for none."""
    acting_slots: I32
    draw_begin: I32
    """(room + 1,) first draw of each waiting hand; its last ends where the next one's begin."""
    draw_to: I32
    """(draws,) the hand to act that the draw leads to, -1 for one that nobody plays on with."""
    draw_tile: U8
    draw_live: U8
    """How many tiles of that sort are live."""
    draw_points: F64
    """(draws,) points of a win with that tile, NO_WIN for none."""
    discard_begin: I32
    """(room + 1,) first discard of each hand to act."""
    discard_to: I32
    """(discards,) the waiting hand that is left."""
    tenpai_of: I32
    """(room,) number of each waiting hand among those that are tenpai, -1 for others."""
    tenpai: F64_2D
    """(room, T_SIZE)."""
    values: F64_2D
    """(room, VALUES) of waiting hands, before the draw last looked at."""
    declares: U8
    """(room,) 1 where a tenpai declares riichi then."""
    acting_values: F64_2D
    """(room, VALUES) of hands to act, after the draw last looked at."""
    answers: F64_2D
    """(37, A_SIZE)."""
    keys: I64
    """(4,) scratch: suit keys of a hand."""
    counts: U8
    """(34,) scratch: tiles of a hand by kind."""
    reds: I64
    """(3,) scratch: red fives among them."""
    chances: F64_2D
    """(2, MOST_URA) scratch: chance of each number of ura dora."""
