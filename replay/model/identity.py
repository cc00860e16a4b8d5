"""What a game is known by, wherever it lies: its players, deals and moves."""

from __future__ import annotations

import hashlib

import numpy as np

from paifu.replay.arrays import I64
from paifu.replay.model.batch import Batch

_HAND_BITS = 9
"""Bits of a key that count the hands of its game."""
_KEY_BITS = 62
_PERSON = b"paifu.game"


def game_keys(batch: Batch) -> I64:
    """Return (games,) a positive key for each game that follows from its players, deals and moves alone.

    Copies of a game have the same, in any dataset, and in any formats that tell the same of it. That two of a
    million games have the same has a chance of about 1 in 20,000.
    """
    games, hands, events = batch.games, batch.hands, batch.events
    dealt = np.sort(hands.dealt, axis=2)
    keys = np.zeros(len(games), np.int64)
    for game in range(len(games)):
        digest = hashlib.blake2b(digest_size=8, person=_PERSON)
        digest.update("\0".join(map(str, games.names[game])).encode("utf-8", "surrogatepass"))
        own = slice(int(games.hand_begin[game]), int(games.hand_end[game]))
        moves = slice(int(games.event_begin[game]), int(games.event_end[game]))
        for part in (
            hands.round[own], hands.honba[own], hands.scores[own], dealt[own],
            events.kind[moves], events.seat[moves], events.tile[moves],
        ):  # fmt: skip
            digest.update(np.ascontiguousarray(part).tobytes())
        keys[game] = int.from_bytes(digest.digest()) >> 64 - _KEY_BITS >> _HAND_BITS << _HAND_BITS
    return keys


def hand_keys(batch: Batch, games: I64) -> I64:
    """Return (hands,) keys: that of the game (``games``), and the hand's number in it from 0."""
    numbers = np.arange(len(batch.hands)) - batch.games.hand_begin[batch.hands.game]
    found: I64 = games[batch.hands.game] + numbers
    return found
