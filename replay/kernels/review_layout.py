"""Numbers and arrays that the review's kernels and their Python callers share. No code.

It is named like a kernel module because compiled kernels hold these numbers: the cache of compiled kernels
is keyed by a hash of the modules so named.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels.arrays import I64, I64_2D, I64_4D, U8

DISCARD_FURITEN, TEMPORARY_FURITEN, RIICHI_FURITEN = 1, 2, 4
"""Bits, as in ``facts.PlayerHands.furiten``."""
RIICHI_THREAT, OPEN_THREAT = 1, 2
"""Why a player is to be feared: riichi, or melds that show a dear or finished hand."""

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
WIDE = 5
"""Live tiles from which a riichi in furiten may be right where no discard avoids the furiten."""
WIDER = 2
"""Live tiles that a wait must have more than another to be called wider."""
HANDS = 5
"""Sorts of hands in ``ReviewState.pushes``: in riichi, tenpai, 1, 2, and 3 or more from tenpai."""
MAX_TURN = 18
"""The danger table counts later turns as this one."""

# What the review remembers of a seat: rows of ``ReviewState.seats``.
(
    V_TEMPORARY, V_PERMANENT, V_PASSED, V_THREAT, V_BEST, V_FOLDED, V_AWAY, V_DAMA, V_SIZE,
) = range(9)  # fmt: skip
"""TEMPORARY, PERMANENT: event at which that furiten began, -1 none. PASSED: kinds let pass while the waits
could not change. THREAT: see above. FOLDED: event, from 1, that gave up shanten while somebody threatened, 0
none; BEST: the shanten that it had. AWAY: left the table. DAMA: discards in a row that kept a tenpai without
a yaku silent."""

# What the review remembers of a move's beginning: ``ReviewState.memory``.
M_WAITS, M_RIVER, M_KUIKAE, M_TSUMO, M_POINTS, M_DRAW, M_SIZE = range(7)
"""WAITS, RIVER: masks of who moves. TSUMO: what the tsumo passed would have brought. POINTS:
of the win last priced, without honba and sticks; 0 if it was none. DRAW: event of the latest draw."""

ALTERNATIVES = 7
"""Words that hold the alternatives of a finding."""
PER_WORD, BITS = 2, 31
"""Two alternatives a word: kind (6 bits), shanten given up (3), would deal in (1), safer (1), and the class
against each seat (5 each)."""


class ReviewState(NamedTuple):
    """Findings of the review as they come, and what it remembers of the hand."""

    rows: I64_2D
    """room + 1 rows of ``ReviewFindings``; the last takes what does not fit any more."""
    counts: I64
    """(1,) findings so far."""
    seats: I64_2D
    """(V_SIZE, 4)."""
    memory: I64
    """(M_SIZE,)."""
    discarded: I64_2D
    """(4, 34) event of a seat's first discard of a kind, -1 none."""
    away: U8
    """(hands,) seats whose players are not at the table when a hand begins, as bits."""
    end: U8
    """(hands,) the column of the batch's ``hands``."""
    nothing: U8
    """(34,) indicators that are none."""
    no_tiles: U8
    """(34,) counts of an empty hand."""
    seen: U8
    """(34,) tiles of each kind that the player sees whose discard is looked at."""
    danger: I64_4D
    """(sorts of threat, MAX_TURN + 1, CLASSES, 2) discards and, of them, deal-ins."""
    watched: U8
    """(hands,) 128 and, as bits, the seats of whom ``pushes`` counts apart; 0 where it counts nothing."""
    pushes: I64_4D
    """(2 x sorts of threat, CLASSES, HANDS, 3) discards, deal-ins and points paid, those of others first."""
