"""Numbers and arrays that the kernels of luck and their Python callers share. No code.

The value of a moment is estimated from one row of **inputs**, seen from the seat that draws: what all share,
a block for each seat, the drawer's last, then what the drawn tile would cost. What a tile changes stands
together, so that one moment with another tile is a few numbers away.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels.arrays import F32, F32_2D, F64, F64_2D, F64_3D, I32_2D, I64, I64_2D, U8
from paifu.replay.kernels.records import Record, cells
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.table_state import TableState
from paifu.replay.kernels.wins import Scoring

# A seat's block.
S_SHANTEN = 0
"""First of five: tenpai, 1, 2, 3, more."""
S_SHARE = 5
"""First of four: share of the tiles not drawn yet that complete a tenpai hand, or lower shanten 1, 2, 3."""
(
    S_ANY_DRAW, S_OWN_DRAW, S_RIICHI, S_OPEN, S_MELDS, S_FURITEN, S_DEALER, S_RON, S_TSUMO, S_RON_CHANCE,
    S_DORA, S_TRIPLETS, S_PAIRS, S_GUESS, S_GUESS_1, S_GUESS_2, S_GUESS_SHARE, S_OUTSIDE, S_SUIT, S_NO_YAKU,
    S_IPPATSU, S_SIZE,
) = range(9, 31)  # fmt: skip
SEATS_BEGIN = 5
"""Inputs that all share come first: tiles left, their square, honba, sticks, the draw is a supplement."""
DRAWER = SEATS_BEGIN + 3 * S_SIZE
"""Where the drawer's block begins; the others' precede it in the order of turns."""
TILE = DRAWER + S_SIZE
"""First of three: what the drawn tile would cost, discarded, to each of the others."""
HELD = TILE + 3
"""First of three: how many tiles of the drawer win for each of the others."""
INPUTS = HELD + 3
HIDDEN = 64
POINTS = 8000.0
"""Points that are 1 in inputs and outputs."""
ACCEPTED_SHARE = 0.3
"""In place of a share that is not worked out."""

# What a hand is dealt, for each seat.
(
    D_SHANTEN_1, D_SHANTEN_2, D_SHANTEN_3, D_SHANTEN_5, D_SHANTEN_6, D_DORA, D_DORA_SQUARE, D_DORA_NEAR,
    D_DORA_3, D_YAKU_PAIRS, D_YAKU_TRIPLETS, D_LIVE_2, D_LIVE_3, D_LIVE_4, D_SUIT, D_OUTSIDE, D_SIZE,
) = range(17)  # fmt: skip

# Columns of the nodes.
(
    N_HAND, N_EVENT, N_SORT, N_SEAT, N_TILE, N_SHANTEN, N_RIICHI, N_LIVE, N_TURN, N_SUPPLEMENT, N_BASE,
    N_SIZE,
) = range(12)  # fmt: skip
"""The last but one: base points of a win by the tile drawn, ura left out; 0 where it does not win."""
DEALT, DRAWN, DORA, URA = range(4)
"""Sorts of chance nodes."""


class LuckMind(Record):
    """What is known of the hands while one is followed, and scratch memory."""

    nodes: int
    """Rows of nodes written so far."""
    next_hand: int
    pool_size: int
    null_known: int
    melds: I64 = cells(4)
    """Melds of each hand when its shape was worked out."""
    keys: I64_2D = cells(4, 4)
    shanten: I64 = cells(4)
    accepted: I64 = cells(4)
    """Kinds that lower shanten, or win."""
    priced: I64 = cells(4)
    """Mark of what the prices of a tenpai hand rest on; -1 for none."""
    looked: I64 = cells(4)
    """Whether ``after`` is of this shape."""
    dora: I64 = cells(4)
    triplets: I64 = cells(4)
    """Of yakuhai."""
    pairs: I64 = cells(4)
    outside: I64 = cells(4)
    """Terminals and honours."""
    suit: I64 = cells(4)
    """Tiles of the most frequent suit and honours."""
    waits: I64 = cells(4)
    """Kinds that a seat can win by ron, as bits."""
    ron: I64_2D = cells(4, 34)
    """Base points of a ron on each kind waited for."""
    tsumo: I64_2D = cells(4, 34)
    after: I64_2D = cells(4, 34)
    """Kinds accepted after the best discard, for each kind drawn that lowers shanten."""
    after_base: I64_2D = cells(4, 34)
    """Base points of a ron then, where that is tenpai."""
    pool: U8 = cells(37)
    """Tiles that may be drawn, by sort."""
    kinds: U8 = cells(34)
    """The same by kind."""
    dora_times: U8 = cells(34)
    """How many indicators point to a kind."""
    counts: U8 = cells(34)
    ways: F64_2D = cells(6, 21)
    """Ways to choose some indicators with some hits."""
    chances: F64 = cells(21)
    """Chance of each number of ura."""
    payments: I64 = cells(4)
    inputs: F32 = cells(INPUTS)
    as_it_is: F32 = cells(S_SIZE)
    """The drawer's part, before the tile is drawn."""
    base: F32 = cells(HIDDEN)
    """Sums of the hidden layer, all but the drawer's part."""
    hidden: F32 = cells(HIDDEN)
    actual: F64 = cells(4)
    mean: F64 = cells(4)
    value: F64 = cells(4)
    null: F64 = cells(4)
    """Value with a tile that changes nothing."""
    dealt: F64 = cells(D_SIZE)


class LuckModel(NamedTuple):
    """The value of a moment: a network of one hidden layer; of a deal: a sum for each role."""

    into: F32_2D
    """(INPUTS, HIDDEN)."""
    bias: F32
    out: F32_2D
    """(HIDDEN, 4) for the drawer and those after it in the order of turns."""
    out_bias: F32
    deal_mean: F64
    """(D_SIZE,) over all deals."""
    deal: F64_3D
    """(4, D_SIZE, 4) points by role of who is dealt the hand, input, role of who gains; the dealer is 0."""


class LuckState(NamedTuple):
    """The table where tiles come, and chance nodes as they do."""

    table: TableState
    rules: KernelRules
    shapes: ShapeTables
    scoring: Scoring
    model: LuckModel
    mind: LuckMind
    nodes: I32_2D
    """(room, N_SIZE)."""
    luck: F64_2D
    """(room, 4) points of each seat."""
    rows: F32_2D
    """(room, INPUTS) inputs with the tile that was drawn; or (0, INPUTS) where they are not kept."""
    before: F32_2D
    """The same before the tile was drawn."""
    deals: F64_2D
    """(room, 4 * D_SIZE) inputs of deals, by role; or (0, ...)."""


ROOM = 512
"""Rows that there must be room for when a hand begins."""
