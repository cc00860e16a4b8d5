"""Numbers and arrays that the review's kernels and their Python callers share. No code."""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels.arrays import I64, I64_2D, I64_4D, U8, U8_2D
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.records import Record, cells
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.table_state import TableState
from paifu.replay.kernels.wins import Scoring

DISCARD_FURITEN, TEMPORARY_FURITEN, RIICHI_FURITEN = 1, 2, 4
"""Bits, as in ``facts.PlayerHands.furiten``."""
RIICHI_THREAT, OPEN_THREAT = 1, 2
"""Why a player is to be feared: riichi, or melds that show an expensive or finished hand."""

# Classes of a tile against a threat. Honours, terminals without neighbours (1m and 9m of three players), suji
# and no suji take four numbers each: the first two by the copies that the player does not see, the others by
# rank (1 and 9, 2 and 8, 3 and 7, 4 to 6).
GENBUTSU, HONOUR, TERMINAL, SUJI, NO_CHANCE, ONE_CHANCE, HALF_SUJI, NO_SUJI, CLASSES = (
    0, 1, 5, 9, 13, 14, 15, 16, 20,
)  # fmt: skip
LEVELS = (0, 0, 1, 1, 2, 0, 1, 1, 2, 1, 2, 2, 1, 1, 3, 4, 3, 4, 4, 4)
"""Class -> how dangerous, by how many of a hundred dealt in to a riichi in real games of four: 0 none (but
to thirteen orphans), 1 fewer than 3, 2 fewer than 6, 3 fewer than 9, 4 more."""
OPEN_LEVELS = (0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 2, 2, 2)
"""The same against an open hand, which is not always tenpai."""
MOST_THROWN = 3
"""Kinds of a suit that a river may have while its player seems to collect that suit."""
UNKNOWN_DEALING = 255
"""Stands for how many other discards would have dealt in where a hand is hidden."""
WIDE = 5
"""Live tiles from which a riichi in furiten may be right where no discard avoids the furiten."""
WIDER = 2
"""Live tiles that a wait must have more than another to be called wider."""
SORT = 32
"""What a sort of threat counts in ``ReviewState.classes``."""
HANDS = 5
"""Sorts of hands in ``ReviewState.pushes``: in riichi, tenpai, 1, 2, and 3 or more from tenpai."""
MAX_TURN = 18
"""The danger table counts later turns as this one."""

MOST_NEW = 16
"""More dora than two new indicators can make of a hand."""
PER_WORD, BITS = 2, 31
"""Two alternatives of ``ReviewFindings.alternatives`` a word: kind (6 bits), shanten given up (3),
would deal in (1), safer (1), and the class against each seat (5 each)."""


class ReviewMemory(Record):
    """What the review remembers of the hand."""

    found: int
    """Findings so far."""
    draw: int
    """Event of the latest draw."""
    waits: int
    """Mask of who moves, before the move, as are river and kuikae."""
    river: int
    kuikae: int
    tsumo: int
    """What the tsumo passed would have brought."""
    points: int
    """Of the win last priced, without honba and sticks; 0 if it was not a win."""
    temporary_since: I64 = cells(4)
    """Event at which the furiten of a seat began, -1 none."""
    permanent_since: I64 = cells(4)
    passed: I64 = cells(4)
    """Mask of kinds let pass while the waits could not change."""
    threat: I64 = cells(4)
    """RIICHI_THREAT, OPEN_THREAT or 0."""
    folded: I64 = cells(4)
    """Event, from 1, that gave up shanten while somebody threatened, 0 none."""
    best_shanten: I64 = cells(4)
    """What it had before."""
    away: I64 = cells(4)
    """Left the table."""
    dama: I64 = cells(4)
    """Discards in a row that kept a tenpai without a yaku silent."""
    discarded: I64_2D = cells(4, 34)
    """Event of a seat's first discard of a kind, -1 none."""
    nothing: U8 = cells(34)
    """No indicators: zeros."""
    no_tiles: U8 = cells(34)
    """Counts of an empty hand."""
    seen: U8 = cells(34)
    """Tiles of each kind that the player sees whose discard is looked at."""
    new_dora: I64 = cells(MOST_NEW)
    """Scratch memory: in how many ways new indicators bring as many dora."""


class ReviewState(NamedTuple):
    """Findings of the review as they come, and what it remembers of the hand."""

    rows: I64_2D
    """room + 1 rows of ``ReviewFindings``; the last takes what does not fit any more."""
    memory: ReviewMemory
    away: U8
    """(hands,) seats whose players are not at the table when a hand begins, as bits."""
    end: U8
    """(hands,) the column of the batch's ``hands``."""
    danger: I64_4D
    """(sorts of threat, MAX_TURN + 1, CLASSES, 2) discards and, of them, deal-ins."""
    watched: U8
    """(hands,) 128 and, as bits, the seats of whom ``pushes`` counts apart; 0 where it counts nothing."""
    pushes: I64_4D
    """(2 x sorts of threat, CLASSES, HANDS, 3) discards, deal-ins and points paid, those of others first."""
    classes: U8_2D
    """(events, 4) SORT x sort of threat + class of a discard against each seat, 0 for no threat."""


class ReviewDesk(NamedTuple):
    """The table that is replayed, and the review of it."""

    table: TableState
    rules: KernelRules
    shapes: ShapeTables
    scoring: Scoring
    notes: Notes
    review: ReviewState
