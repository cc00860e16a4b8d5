"""The games that every fit leaves out: one in five, always the same ones."""

from __future__ import annotations

import hashlib

from paifu.replay.arrays import Mask
from paifu.replay.model.batch import Batch

HELD_OUT = 5


def is_held_out(name: bytes) -> bool:
    """Return whether a game of this hash is kept away from fitting."""
    return name[0] % HELD_OUT == 0


def game_hash(batch: Batch, game: int) -> bytes:
    """Return a hash that tells a game from others: of its id, or of where it was read."""
    text = str(batch.games.id[game]) or str(batch.games.source[game])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()


def seats_in(batch: Batch, games: Mask) -> Mask:
    """Return all seats (hands, 4) of some games (games,)."""
    return games[batch.hands.game][:, None].repeat(4, axis=1)
