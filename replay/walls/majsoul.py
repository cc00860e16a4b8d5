"""Walls of Mahjong Soul and Riichi City: a record states each hand's wall, and the hash shown before it.

A hand's seed is a text: a kind, the wall and its hashes, separated by commas.

* ``majsoul-md5,WALL,MD5`` until May 2023: the wall after the deal, with the MD5 of that text. The first tile
  is the first one drawn after the dealer's fourteenth.
* ``majsoul-sha256,WALL,SHA256,SALT,SALT_SHA256`` since: the whole wall, the deal first. The hash of the salt
  and that of wall and salt together were shown.
* ``riichicity-sha256,WALL,SHA256`` of Riichi City: the whole wall, laid out and spelt as by Mahjong Soul, and
  the hash of it.

The deal is four tiles a seat three times from the dealer on, then one each, then the dealer's fourteenth;
draws go on from there. The last 14 tiles are the dead wall: supplement tiles from the very end, then the
indicators, each beside its ura indicator. With 3 players eight supplement tiles come before the indicators.

How sure this is: of 45 hands of the older kind with 4 players, all hashes, 2,035 draws, 7 supplement tiles,
51 indicators and 16 ura indicators agree. The place of the deal, and the dead wall with 3 players, are taken
from public programs.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import IDS, NO_TILE, TILES
from paifu.replay.walls.layout import HAND_SIZE, MAJSOUL, Layout

KINDS = MD5, SHA256, RIICHI_CITY = MAJSOUL
TILES_OF = MappingProxyType({4: IDS, 3: 108})
"""Players -> tiles of a whole wall."""
WALL_HASH, SALT_HASH = range(2)
"""Which of the hashes."""
_TILES = MappingProxyType({tile_name(tile): tile for tile in range(TILES)})
LAYOUTS = MappingProxyType(
    {
        4: Layout(tuple(range(131, 121, -2)), tuple(range(130, 120, -2)), tuple(range(135, 131, -1)), (0, 0)),
        3: Layout(tuple(range(99, 89, -2)), tuple(range(98, 88, -2)), tuple(range(107, 99, -1)), (0, 0)),
    }
)
"""Players -> where things lie in a whole wall; dice are not stated."""


@dataclass(frozen=True, slots=True)
class StatedWall:
    """What a record states of a hand's wall."""

    kind: str
    text: str
    hashes: tuple[str, ...]
    """The hash of the wall; since May 2023 also the salt and its hash."""

    def wrong_hashes(self) -> list[int]:
        """Return which of the published hashes are not those of this wall."""
        if self.kind == MD5:
            parts = [(WALL_HASH, hashlib.md5(self.text.encode(), usedforsecurity=False), self.hashes[0])]
        elif self.kind == RIICHI_CITY:
            parts = [(WALL_HASH, hashlib.sha256(self.text.encode()), self.hashes[0])]
        else:
            stated, salt, of_salt = self.hashes
            parts = [
                (WALL_HASH, hashlib.sha256((self.text + salt).encode()), stated),
                (SALT_HASH, hashlib.sha256(salt.encode()), of_salt),
            ]
        return [which for which, digest, stated in parts if digest.hexdigest() != stated.lower()]

    def tiles(self) -> list[int] | None:
        """Return the tiles in order; None if the text names something else."""
        names = [self.text[at : at + 2] for at in range(0, len(self.text), 2)]
        return [_TILES[name] for name in names] if all(name in _TILES for name in names) else None

    def places(self, players: int) -> list[int] | None:
        """Return a whole wall, without the deal NO_TILE in its place; None if the tiles are not a wall."""
        tiles, whole = self.tiles(), TILES_OF[players]
        if tiles is None or len(tiles) not in (whole, whole - players * HAND_SIZE - 1):
            return None
        return [NO_TILE] * (whole - len(tiles)) + tiles


def parse_wall(seed: str) -> StatedWall:
    """Read the seed of a hand. Raises ValueError for one of another kind."""
    kind, *parts = seed.split(",")
    if kind not in KINDS or len(parts) != (4 if kind == SHA256 else 2):
        raise ValueError(f"{seed[:40]!r} is not a wall of Mahjong Soul or Riichi City")
    return StatedWall(kind, parts[0], tuple(parts[1:]))


def live_indices(players: int) -> npt.NDArray[np.int16]:
    """(70,) or (55,): index in the wall of each draw from the live end, the dealer's fourteenth first."""
    return np.arange(players * HAND_SIZE, TILES_OF[players] - 14, dtype=np.int16)
