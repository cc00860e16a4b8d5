"""Tile encodings: the one place where a number becomes a tile.

Three encodings, from coarse to fine:

* **kind** 0-33: man 1-9 = 0-8, pin = 9-17, sou = 18-26, then E S W N haku hatsu chun = 27-33.
* **tile** 0-36: a kind, or 34, 35, 36 for the red five of man, pin, sou.
* **id** 0-135: one physical tile; ``id // 4`` is its kind. Which ids are red depends on the ruleset
  (Tenhou: the first copy of each five, 16, 52, 88).

Games other than riichi have more kinds, and no red fives: flowers (plum, orchid, chrysanthemum, bamboo) are
the kinds 34-37 and the tiles 37-40, seasons the kinds 38-41 and the tiles 41-44, jokers the kind 42 and the
tile 45. Logs of these games name no physical tiles.

``NO_TILE`` (255) stands for "none" and for "the log does not say".
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from paifu.replay.arrays import U8
from paifu.replay.language import _

WINDS = ("east", "south", "west", "north")
"""Names of winds, and of seats by their wind."""
KINDS = 34
TILES = 37
"""Tiles of riichi: kinds and red fives."""
ALL_TILES = 46
IDS = 136
NO_TILE = 255
FLOWERS, SEASONS, JOKER = 34, 38, 42
"""The first kind of the flowers, the first of the seasons, and the kind of jokers."""
BONUS_KINDS = range(FLOWERS, JOKER)
"""Flowers and seasons."""
BONUS_TILES = range(TILES, TILES + len(BONUS_KINDS))
"""The same as tiles."""
JOKER_IDS = 144
"""The first id of a joker."""
RED_MAN, RED_PIN, RED_SOU = 34, 35, 36
EAST, SOUTH, WEST, NORTH, HAKU, HATSU, CHUN = range(27, 34)
FIVE_KINDS = (4, 13, 22)
TERMINALS_AND_HONOURS = (0, 8, 9, 17, 18, 26, *range(27, 34))
SANMA_ABSENT_KINDS = tuple(range(1, 8))
"""Kinds that are not in a 3-player set: man 2-8."""


def _kind_of_tile() -> U8:
    table = np.full(256, NO_TILE, np.uint8)
    table[:KINDS] = np.arange(KINDS)
    table[[RED_MAN, RED_PIN, RED_SOU]] = FIVE_KINDS
    table[TILES:ALL_TILES] = np.arange(KINDS, JOKER + 1)
    return table


def _order_of_tile() -> U8:
    """A sort key: red fives are before the plain fives of their suit, unknown tiles last."""
    table = np.full(256, NO_TILE, np.uint8)
    table[:KINDS] = 2 * np.arange(KINDS) + 1
    table[[RED_MAN, RED_PIN, RED_SOU]] = 2 * np.array(FIVE_KINDS)
    table[TILES:ALL_TILES] = 2 * np.arange(KINDS, JOKER + 1)
    return table


KIND_OF_TILE = _kind_of_tile()
"""(256,) uint8: tile -> kind; NO_TILE stays NO_TILE."""
_KIND: tuple[int, ...] = tuple(KIND_OF_TILE.tolist())

ORDER_OF_TILE = _order_of_tile()
"""(256,) uint8: tile -> sort key, red fives before plain ones, unknown last."""
_ORDER: tuple[int, ...] = tuple(ORDER_OF_TILE.tolist())
"""The same for loops of Python."""


def tile_of_id_table(red_ids: Iterable[int]) -> U8:
    """Return the (256,) table physical id -> tile for a set whose red fives are ``red_ids``.

    Raises ValueError for an id that is not a five.
    """
    table = np.full(256, NO_TILE, np.uint8)
    table[:IDS] = np.arange(IDS) // 4
    for red in red_ids:
        if red not in range(IDS) or red // 4 not in FIVE_KINDS:
            raise ValueError(_("tile id {red} is not a five, so it cannot be red").format(red=red))
        table[red] = RED_MAN + FIVE_KINDS.index(red // 4)
    return table


TENHOU_RED_IDS = (16, 52, 88)
TILE_OF_ID_RED = tile_of_id_table(TENHOU_RED_IDS)
"""(256,) uint8: id -> tile with one red five a suit, as Tenhou numbers them."""
TILE_OF_ID_PLAIN = tile_of_id_table(())
"""(256,) uint8: id -> tile without red fives."""


def is_red(tile: int) -> bool:
    """Return whether a tile (0-36) is a red five."""
    return RED_MAN <= tile <= RED_SOU


def kind_of(tile: int) -> int:
    """Return the kind of a tile (0-45), or NO_TILE."""
    return _KIND[tile]


def tile_of_kind(kind: int) -> int:
    """Return the tile of a kind (0-42), never a red five.

    >>> tile_of_kind(33), tile_of_kind(34), tile_of_kind(42)
    (33, 37, 45)
    """
    return kind if kind < KINDS else kind + TILES - KINDS


def sort_tiles(tiles: Iterable[int]) -> list[int]:
    """Sort tiles by suit and number, red fives before plain ones, hidden tiles last."""
    return sorted(tiles, key=_ORDER.__getitem__)


def count_kinds(tiles: Iterable[int]) -> list[int]:
    """Count tiles (0-36) by kind, none of which is hidden: 34 counts."""
    counts = [0] * KINDS
    for tile in tiles:
        counts[_KIND[tile]] += 1
    return counts


def counts_of(tiles: Iterable[int]) -> U8:
    """Count tiles (0-36) by kind: (34,) uint8. Hidden tiles are not counted."""
    kinds = KIND_OF_TILE[np.fromiter(tiles, np.uint8)]
    return np.bincount(kinds[kinds < KINDS], minlength=KINDS).astype(np.uint8)
