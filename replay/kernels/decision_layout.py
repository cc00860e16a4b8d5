"""Numbers and arrays that the kernels of decisions and their Python callers share. No code."""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels.arrays import I32_2D, I64, I64_2D, U8, U8_2D

# Options, as in ``judgement.columns.Option``.
DISCARD, RIICHI, PASS, CHI, PON, DAIMINKAN, ANKAN, KAKAN = range(8)
# What a tenpai is worth, as in ``judgement.columns.Tenpai``.
NOTEN, IN_RIICHI, RIICHI_FURITEN, HAS_YAKU, SOME_YAKU, NO_YAKU, IS_FURITEN = range(7)
# Whether an open hand can hope for a yaku, as in ``judgement.columns.Hope``.
IS_CLOSED, IN_SIGHT, NO_HOPE = range(3)
SHOWS_RIICHI = 4
"""``judgement.columns.Shown``."""
NO_DANGER = 255
WITH_MELD = 9
"""``Options.outside`` of a hand with a terminal or an honour in a meld."""
NO_THREAT = 10
"""``Options.safe`` where nobody threatens."""

# Columns of ``DecisionState.ids``, the first of the table's.
D_GAME, D_HAND, D_EVENT, D_DECISION, D_POINTS, D_SIZE = range(6)
# Scalars: ``DecisionState.counts``.
(
    N_ROWS, N_DECISIONS, N_FIRST, N_NEXT, N_DORA, N_OUTSIDE, N_YAKUHAI, N_SUITS, N_SAFE, N_SAFE_KINDS,
    N_THREATS, N_SIZE,
) = (0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13)  # fmt: skip
"""ROWS, DECISIONS: so far. FIRST: first row of the decision at hand. NEXT: place of the next hand.
Of the hand that decides: DORA, OUTSIDE, YAKUHAI as in ``Options``, before anything is discarded; SUITS: three
numbers, tiles of each suit; SAFE: tiles that no threat can win, of the SAFE_KINDS (bits).
THREATS: how many."""
HAND_ROWS = 8192
"""Rows that there must be room for when a hand begins; no hand has as many."""
# What is known of an opponent: columns of ``DecisionState.opponents``.
O_SEAT, O_SAFE, O_THREAT, O_SUIT, O_SIZE = range(5)
"""SAFE: kinds that it cannot win, as bits. SUIT: suit that it seems to collect, -1 none."""


class DecisionState(NamedTuple):
    """Options of decisions as they come, and scratch memory."""

    cells: U8_2D
    """(room, cells of ``Options``) its columns of bytes."""
    ids: I32_2D
    """(room, D_SIZE) the others."""
    counts: I64
    """(N_SIZE,)."""
    seen: U8
    """(34,) tiles of each kind that who decides can see."""
    shantens: I64
    """(34,) shanten after each discard; NOT_HELD for kinds that cannot be discarded."""
    masks: I64
    """(34,) kinds accepted after each discard."""
    grown: I64
    """(34,) words of suits with one tile more."""
    keys: I64
    """(4,) suit keys of a hand in thought."""
    words: I64
    """(4,) their words."""
    shrunk: I64
    """(34,) words of suits with one tile less."""
    opponents: I64_2D
    """(3, O_SIZE)."""
    context: U8
    """(cells,) what is the same for all options of a decision."""
