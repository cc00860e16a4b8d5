"""The walls of platforms other than Tenhou: stated by their records, or following from a key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import U8
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import IDS
from paifu.replay.walls import majsoul, mjx, mortal
from paifu.replay.walls.layout import MJX, MORTAL, Layout, any_copy, dealt_places

_SEATS_THAT_FIT = 3
"""How many of a hand's four deals must agree: one that was changed is a finding, not another generator."""


def places(kind: str, players: int) -> tuple[Layout, npt.NDArray[np.int16], npt.NDArray[np.int16]] | None:
    """Return where things lie: the dead wall, the deal, the draws; None where that is not known."""
    if kind == MJX:
        return mjx.LAYOUT, dealt_places(4), majsoul.live_indices(4)
    if kind == MORTAL:
        return mortal.LAYOUT, mortal.DEAL, mortal.LIVE
    if players in majsoul.TILES_OF:
        return majsoul.LAYOUTS[players], dealt_places(players), majsoul.live_indices(players)
    return None


def known_walls(batch: Batch, game: int, kind: str, players: int) -> Iterator[tuple[int, U8, U8]]:
    """Yield (first hand, walls of it and the hands that follow, their dice) of a game."""
    if kind == MORTAL:
        yield from _walls_of_numbers(batch, game) if players == 4 else ()
        return
    for hand in range(batch.games.hand_begin[game], batch.games.hand_end[game]):
        tiles = None
        with suppress(ValueError):
            tiles = _stated_wall(batch.hands.seed[hand], kind, players)
        if tiles is not None:
            yield hand, tiles, batch.hands.dice[hand : hand + 1]  # which no wall determines


def _stated_wall(seed: str, kind: str, players: int) -> U8 | None:
    """Return the wall that a seed states, None if it is not known. Raises ValueError for another seed."""
    if kind == MJX:
        return np.array([mjx.parse_wall(seed)], np.uint8) if players == 4 else None
    tiles = majsoul.parse_wall(seed).places(players) if players in majsoul.TILES_OF else None
    return None if tiles is None else any_copy(np.array([tiles], np.uint8))


def _walls_of_numbers(batch: Batch, game: int) -> Iterator[tuple[int, U8, U8]]:
    """Walls of Mortal's arenas, by the shuffle that gives most of the hands that were dealt."""
    hands = batch.hands
    begin, end = int(batch.games.hand_begin[game]), int(batch.games.hand_end[game])
    try:
        nonce, key = mortal.parse_seed(batch.games.seed[game])
    except ValueError:
        return
    numbers = list(zip(hands.round[begin:end].tolist(), hands.honba[begin:end].tolist(), strict=True))
    for shuffle in mortal.SHUFFLES.values():
        tiles = np.array([mortal.shuffled(nonce, key, *number, shuffle) for number in numbers], np.uint8)
        tiles = tiles.reshape(-1, IDS)
        deals = np.sort(tiles[:, mortal.DEAL[0]], axis=2)
        fits = (deals == np.sort(hands.dealt[begin:end], axis=2)).all(axis=2).sum(axis=1) >= _SEATS_THAT_FIT
        if 2 * int(fits.sum()) > len(fits):
            yield begin, any_copy(tiles), np.zeros((len(tiles), 2), np.uint8)
            return
