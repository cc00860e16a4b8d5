"""The fast way into the model: the text of a game straight into rows, by one compiled pass.

Where :mod:`paifu.replay.kernels.mjlog_text` gives up, the caller reads the game the other way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from paifu.parsers.mjlog.whole_game import Attributes
from paifu.replay.kernels import mjlog_text as scan
from paifu.replay.kernels.mjlog_spelling import Scanned
from paifu.replay.model.batch import HandDraws, Hands, RiichiScores, Table, Wins
from paifu.replay.model.builder import ReadRows, RowLayout, Rows
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.local_yaku import OWN_IDS
from paifu.replay.scoring.yaku import YAKU

_MOST_BYTES, _MOST_WORDS, _MOST_HANDS, _MOST_WINS, _MOST_RIICHI = 1 << 18, 1 << 14, 64, 192, 256
"""A game with more is read the other way; hanchan have some 16 kB, 2,000 events and 30 hands."""


@cache
def _room() -> tuple[Scanned, memoryview, Callable[[], bool]]:
    """Where games are read to, one after the other; its text; and the call that reads."""
    known = np.zeros(256, np.uint8)
    known[[*YAKU, *OWN_IDS]] = 1
    room = Scanned(
        text=np.zeros(_MOST_BYTES, np.uint8),
        words=np.zeros(_MOST_WORDS, np.int64),
        hands=np.zeros((_MOST_HANDS, scan.H_SIZE), np.int32),
        wins=np.zeros((_MOST_WINS, scan.W_SIZE), np.int32),
        draws=np.zeros((_MOST_HANDS, scan.D_SIZE), np.int32),
        riichi=np.zeros((_MOST_RIICHI, scan.R_SIZE), np.int32),
        counts=np.zeros(scan.COUNTS, np.int32),
        head=np.zeros((len(scan.HEAD), 2), np.int32),
        names=np.zeros(32, np.int64),
        spans=np.zeros((32, 2), np.int32),
        numbers=np.zeros(64, np.int32),
        known_yaku=known,
    )
    return room, room.text.data, scan.scan_game.bound(room)


def read_rows(text: bytes, begin: int) -> tuple[Attributes, ReadRows, bytes] | None:
    """Read the elements of ``text`` from ``begin`` on: what comes before the first hand, columns, ``owari``.

    None where anything is not spelt as Tenhou does, or cannot be.
    """
    if len(text) > _MOST_BYTES:
        return None
    room, view, read = _room()
    view[: len(text)] = text
    room.counts[:2] = begin, len(text)
    if not read():
        return None
    *_, words, hands, wins, draws, riichi, owari, owari_end, seeded, unlisted = room.counts.tolist()
    spans = zip(scan.HEAD, room.head.tolist(), strict=True)
    head = {name: text[first:last] for name, (first, last) in spans if first}
    rows = room.hands[:hands].copy()
    seeds = [""] * hands
    if seeded:
        seed_spans = rows[:, scan.H_SPAN : scan.H_SPAN + 2].tolist()
        seeds = [text[first:last].decode("ascii", "replace") for first, last in seed_spans]
    found = ReadRows(
        room.words[:words].copy(),
        (
            Rows(_HANDS, rows, {"seed": seeds}),
            Rows(_WINS, room.wins[:wins].copy()),
            Rows(_DRAWS, room.draws[:draws].copy()),
            Rows(_RIICHI, room.riichi[:riichi].copy()),
        ),
        HandEnd(int(rows[-1, scan.H_END])),
        lacks_yaku=unlisted > 0,
    )
    return head, found, text[owari:owari_end]


def _layout(table: type[Table], prefix: str) -> RowLayout:
    """Return where the kernel puts each column: the place is named as the column is."""
    places = {column.name: getattr(scan, prefix + column.name.upper(), None) for column in table.columns()}
    return RowLayout(table, {name: place for name, place in places.items() if place is not None})


_HANDS, _WINS = _layout(Hands, "H_"), _layout(Wins, "W_")
_DRAWS, _RIICHI = _layout(HandDraws, "D_"), _layout(RiichiScores, "R_")
