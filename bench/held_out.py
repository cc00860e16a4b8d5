"""The games that every fit leaves out: one in five, always the same ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from paifu.parsers.read import read_batches
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


def games_of_four(paths: Iterable[Path], *, only_held_out: bool) -> Iterator[tuple[Batch, Mask]]:
    """Yield batches with the games of four to look at (games,), each once; if asked, only those left out."""
    seen: set[bytes] = set()
    for batch in read_batches(list(paths)):
        hashes = [game_hash(batch, game) for game in range(len(batch))]
        wanted = batch.games.players == 4
        for game, digest in enumerate(hashes):
            wanted[game] &= digest not in seen and (not only_held_out or is_held_out(digest))
            seen.add(digest)
        if np.any(wanted):
            yield batch, wanted
