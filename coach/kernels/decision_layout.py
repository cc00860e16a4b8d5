"""Numbers and arrays that the kernels of decisions and their Python callers share. No code."""

from __future__ import annotations

from typing import NamedTuple

from paifu.coach.kernels.option_rows import OPTION
from paifu.replay.kernels.arrays import I32_2D, I64, U8, U8_2D
from paifu.replay.kernels.records import Record, cells
from paifu.replay.kernels.review_layout import ReviewState
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.table_state import TableState
from paifu.replay.kernels.wins import Scoring

# Options, as in ``coach.decisions.Option``.
DISCARD, RIICHI, PASS, CHI, PON, DAIMINKAN, ANKAN, KAKAN = range(8)
# What a tenpai is worth, as in ``coach.decisions.Tenpai``.
NOTEN, IN_RIICHI, RIICHI_FURITEN, HAS_YAKU, SOME_YAKU, NO_YAKU, IS_FURITEN = range(7)
# Whether an open hand can hope for a yaku, as in ``coach.decisions.Hope``.
IS_CLOSED, IN_SIGHT, NO_HOPE = range(3)
# What an opponent discarded near a tile, as in ``coach.decisions.Beside``; 0 for nothing.
NEAR_LATER, TWO_FROM_DECLARED, TWO_FROM_EARLY, NEXT_TO_DECLARED, NEXT_TO_EARLY = range(1, 6)
SUJI_OF_DECLARED = 6
SHOWS_RIICHI = 4
"""``coach.decisions.Shown``."""
NO_DANGER = 255
WITH_MELD = 9
"""``Options.outside`` of a hand with a terminal or an honour in a meld."""
NO_THREAT = 10
"""``Options.safe`` where nobody threatens."""

# Columns of ``DecisionState.ids``, the first of the table's.
D_GAME, D_HAND, D_EVENT, D_DECISION, D_POINTS, D_SIZE = range(6)
HAND_ROWS = 8192
"""Rows that there must be room for when a hand begins; no hand has as many."""


class Thoughts(Record):
    """What is known while a decision is described, and scratch memory."""

    rows: int
    """Rows written so far."""
    decisions: int
    """Decisions so far."""
    first: int
    """First row of the current decision."""
    next_hand: int
    """Place of the next hand."""
    threats: int
    """How many opponents threaten."""
    dora: int
    """Of the hand that decides, as in ``Options``, before anything is discarded; as are the next two."""
    outside: int
    yakuhai: int
    safe: int
    """Tiles that no threat can win, of the ``safe_kinds`` (bits)."""
    safe_kinds: int
    suits: I64 = cells(3)
    """Tiles of each suit."""
    opponents: I64 = cells(3)
    """Seats of the opponents, the next one first; NOBODY for none. As are all up to ``collects``:"""
    cannot_win: I64 = cells(3)
    """Kinds that an opponent cannot win, as bits."""
    threat: I64 = cells(3)
    river: I64 = cells(3)
    """Kinds that it discarded, as bits."""
    early: I64 = cells(3)
    """Those among its first discards."""
    declared: I64 = cells(3)
    """The one that declared riichi."""
    collects: I64 = cells(3)
    """Suit that it seems to collect, -1 none."""
    shantens: I64 = cells(34)
    """Shanten after each discard; NOT_HELD for kinds that cannot be discarded."""
    masks: I64 = cells(34)
    """Kinds accepted after each discard."""
    keys: I64 = cells(4)
    """Suit keys of a hand in thought."""
    suit_words: I64 = cells(4)
    """Their words."""
    grown: I64 = cells(34)
    """Words of suits with one tile more."""
    shrunk: I64 = cells(34)
    """Words of suits with one tile less."""
    seen: U8 = cells(34)
    """Tiles of each kind that who decides can see."""
    context: U8 = cells(OPTION.size)
    """What is the same for all options of a decision."""


class DecisionState(NamedTuple):
    """The table where players decide, and their options as they come."""

    table: TableState
    rules: KernelRules
    shapes: ShapeTables
    scoring: Scoring
    review: ReviewState
    """What has passed, and who threatens."""
    cells: U8_2D
    """(room, cells of ``Options``) its columns of bytes."""
    ids: I32_2D
    """(room, D_SIZE) the others."""
    mind: Thoughts
