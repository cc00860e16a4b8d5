"""The fast way into the model: the text of a game, from its first hand on, straight into rows.

What stands before the first hand is read element by element, as in any log; the rest by one compiled pass
(:mod:`paifu.replay.kernels.mjlog_text`). Where that gives up, the caller reads the game the other way.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from paifu.replay.kernels import mjlog_text as scan
from paifu.replay.kernels.mjlog_spelling import Scanned
from paifu.replay.model.batch import HandDraws, Hands, RiichiScores, Wins
from paifu.replay.model.builder import ReadRows, RowLayout, Rows
from paifu.replay.model.events import HandEnd
from paifu.replay.scoring.yaku import YAKU

_MOST_WORDS, _MOST_HANDS, _MOST_WINS, _MOST_RIICHI = 1 << 14, 64, 192, 256
"""A game with more is read the other way; hanchan have some 2,000 events and 30 hands."""


@cache
def _room() -> Scanned:
    known = np.zeros(256, np.uint8)
    known[list(YAKU)] = 1
    return Scanned(
        words=np.zeros(_MOST_WORDS, np.int64),
        hands=np.zeros((_MOST_HANDS, scan.H_SIZE), np.int32),
        wins=np.zeros((_MOST_WINS, scan.W_SIZE), np.int32),
        draws=np.zeros((_MOST_HANDS, scan.D_SIZE), np.int32),
        riichi=np.zeros((_MOST_RIICHI, scan.R_SIZE), np.int32),
        counts=np.zeros(scan.COUNTS, np.int32),
        names=np.zeros(32, np.int64),
        spans=np.zeros((32, 2), np.int32),
        numbers=np.zeros(64, np.int32),
        known_yaku=known,
    )


def read_rows(text: bytes, begin: int, players: int) -> tuple[ReadRows, bytes] | None:
    """Read ``text`` from its first INIT at ``begin`` into columns, and the text of ``owari``.

    None where anything is not spelt as Tenhou does, or cannot be.
    """
    room = _room()
    if not scan.scan_game(np.frombuffer(text, np.uint8).copy(), begin, len(text), players, room):
        return None
    words, hands, wins, draws, riichi, owari, owari_end = map(int, room.counts[: scan.COUNTS])
    rows = room.hands[:hands].copy()
    seeds = [
        text[begin:end].decode("ascii", "replace")
        for begin, end in rows[:, scan.H_SEED : scan.H_SEED + 2].tolist()
    ]
    found = ReadRows(
        room.words[:words].copy(),
        (
            Rows(_HANDS, rows, {"seed": seeds}),
            Rows(_WINS, room.wins[:wins].copy()),
            Rows(_DRAWS, room.draws[:draws].copy()),
            Rows(_RIICHI, room.riichi[:riichi].copy()),
        ),
        HandEnd(int(rows[-1, scan.H_END])),
    )
    return found, text[owari:owari_end]


_HANDS = RowLayout(
    Hands,
    {
        "event_begin": scan.H_EVENT,
        "end": scan.H_END,
        "round": scan.H_ROUND,
        "honba": scan.H_HONBA,
        "sticks": scan.H_STICKS,
        "dice": scan.H_DICE,
        "dora": scan.H_DORA,
        "dealer": scan.H_DEALER,
        "scores": scan.H_SCORES,
        "chips": scan.H_CHIPS,
        "dealt": scan.H_DEALT,
        "game": scan.H_GAME,
    },
)
_WINS = RowLayout(
    Wins,
    {
        "event": scan.W_EVENT,
        "hand": scan.W_HAND,
        "seat": scan.W_SEAT,
        "source": scan.W_SOURCE,
        "liable": scan.W_LIABLE,
        "tile": scan.W_TILE,
        "fu": scan.W_FU,
        "points": scan.W_POINTS,
        "limit": scan.W_LIMIT,
        "honba": scan.W_HONBA,
        "sticks": scan.W_STICKS,
        "scores": scan.W_SCORES,
        "deltas": scan.W_DELTAS,
        "chips": scan.W_CHIPS,
        "tiles": scan.W_TILES,
        "melds": scan.W_MELDS,
        "yaku": scan.W_YAKU,
        "han": scan.W_HAN,
        "dora": scan.W_DORA,
        "ura": scan.W_URA,
        "game": scan.W_GAME,
    },
)
_DRAWS = RowLayout(
    HandDraws,
    {
        "event": scan.D_EVENT,
        "hand": scan.D_HAND,
        "kind": scan.D_KIND,
        "honba": scan.D_HONBA,
        "sticks": scan.D_STICKS,
        "scores": scan.D_SCORES,
        "deltas": scan.D_DELTAS,
        "chips": scan.D_CHIPS,
        "tenpai": scan.D_TENPAI,
        "shown": scan.D_SHOWN,
        "game": scan.D_GAME,
    },
)
_RIICHI = RowLayout(RiichiScores, {"event": scan.R_EVENT, "scores": scan.R_SCORES})
