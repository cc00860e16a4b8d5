"""The walls of the hands of a batch, whatever kind of seed they come from, as the kernels compare them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I64, U8
from paifu.replay.kernels.wall_checks import Walls
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import IDS, NO_TILE, tile_of_id_table
from paifu.replay.rulesets.presets import ruleset_of
from paifu.replay.walls import tenhou
from paifu.replay.walls.layout import MAJSOUL, MJX, MORTAL, Layout, any_copy

_OTHER_KINDS = (*MAJSOUL, MJX, MORTAL)
KINDS = frozenset((*tenhou.KINDS, *_OTHER_KINDS))
"""Kinds of seeds whose walls may be known."""


def kinds_of(batch: Batch) -> list[str]:
    """Return the kind of seed of each game, empty where there is none that is known."""
    games, seeds = batch.games, batch.hands.seed
    kinds = []
    for seed, begin, end in zip(games.seed, games.hand_begin, games.hand_end, strict=True):
        text = seed or next((seeds[hand] for hand in range(begin, end) if seeds[hand]), "")
        kind = text.partition(",")[0]
        kinds.append(kind if kind in KINDS else "")
    return kinds


def walls_of(batch: Batch, games: I64, kind: str, players: int, flowers: int = 0) -> Walls:
    """Return the walls of all hands of ``games``, whose seeds are of one kind, as far as they are known."""
    row_of_hand = np.full(len(batch.hands), -1, np.int32)
    walls, dice, rows = [], [], 0
    for first, ids, eyes in _known_walls(batch, games, kind, players, flowers):
        walls.append(ids)
        dice.append(eyes)
        row_of_hand[first : first + len(ids)] = np.arange(rows, rows + len(ids))
        rows += len(ids)
    layout, deal, live = _places(kind, players, flowers)
    return Walls(
        ids=np.concatenate(walls) if walls else np.zeros((1, IDS), np.uint8),
        dice=np.ascontiguousarray(np.concatenate(dice)) if dice else np.zeros((1, 2), np.uint8),
        row=row_of_hand,
        deal=deal.copy(),  # kernels take what may be written to
        live=live.copy(),
        supplements=np.array(layout.supplements, np.int16),
        indicators=np.array(layout.indicators, np.int16),
        ura=np.array(layout.ura, np.int16),
    )


def _places(
    kind: str, players: int, flowers: int
) -> tuple[Layout, npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    """Return where things lie: the dead wall, the deal, the draws."""
    if kind in _OTHER_KINDS:
        from paifu.replay.walls import other_walls

        if found := other_walls.places(kind, players):
            return found
    layout = _tenhou_layout(kind, players) or Layout((0,) * 5, (0,) * 5, (0,) * 8, (0, 0))
    dead_wall = min(tenhou.DEAD_WALL, layout.indicators[0] + 1) or tenhou.DEAD_WALL
    deal, live = tenhou.deal_indices(players, flowers), tenhou.live_indices(players, dead_wall, flowers)
    return layout, deal, live


def _known_walls(
    batch: Batch, games: I64, kind: str, players: int, flowers: int
) -> Iterator[tuple[int, U8, U8]]:
    """Yield (first hand, walls of it and the hands that follow, their dice)."""
    if kind in tenhou.KINDS:
        if _tenhou_layout(kind, players):
            yield from _shuffled_walls(batch, games, kind, players, flowers)
    elif kind:
        from paifu.replay.walls import other_walls

        for game in games.tolist():
            yield from other_walls.known_walls(batch, game, kind, players)


def _shuffled_walls(
    batch: Batch, games: I64, kind: str, players: int, flowers: int
) -> Iterator[tuple[int, U8, U8]]:
    """Tenhou's walls. Of a log that does not number the copies of its tiles, any copy fits."""
    seeded = [(game, *hands) for game in games.tolist() for hands in _seeded_hands(batch, game, kind)]
    if not seeded:
        return
    ids, dice = tenhou.shuffled([(seed, number) for _, _, number, seed in seeded], players, flowers)
    layout = tenhou.layout_of(seeded[0][3], players)
    unnumbered, row = _unnumbered(batch), 0
    for game, hand, number, _ in seeded:
        rows, row = slice(row, row + number), row + number
        tiles = ids[rows]
        for at in range(number if flowers else 0):
            tenhou.lay_flowers(tiles[at], int(batch.hands.dealer[hand + at]), layout, players)
        if game in unnumbered:
            tiles = any_copy(tile_of_id_table(ruleset_of(batch, game).red_ids)[tiles])
        yield hand, tiles, dice[rows]


def _unnumbered(batch: Batch) -> set[int]:
    """Return the games whose logs do not number the copies of all tiles that they state."""
    hands, events = batch.hands, batch.events
    _, seats, size = hands.dealt.shape
    dealt = np.flatnonzero((hands.dealt_id == NO_TILE) & (hands.dealt != NO_TILE)) // (seats * size)
    dora = np.flatnonzero((hands.dora_id == NO_TILE) & (hands.dora != NO_TILE))
    at = np.flatnonzero((events.tile_id == NO_TILE) & (events.tile != NO_TILE))
    at = at[np.isin(events.kind[at], (EventKind.DRAW, EventKind.DORA))]
    by_events = np.searchsorted(batch.games.event_end, at, side="right")
    return {*hands.game[dealt].tolist(), *hands.game[dora].tolist(), *by_events.tolist()}


@lru_cache(maxsize=16)
def _tenhou_layout(kind: str, players: int) -> Layout | None:
    try:
        return tenhou.layout_of(tenhou.Seed(kind, b""), players)
    except ValueError:
        return None


def _seeded_hands(batch: Batch, game: int, kind: str) -> Iterator[tuple[int, int, tenhou.Seed]]:
    """Yield (first hand, number of hands, seed); nothing where a seed is missing or cannot be read."""
    games, hands = batch.games, batch.hands
    begin, end = int(games.hand_begin[game]), int(games.hand_end[game])
    try:
        if kind == tenhou.PER_HAND:
            for hand in range(begin, end):
                if hands.seed[hand]:
                    yield hand, 1, tenhou.parse_seed(hands.seed[hand])
        elif end > begin and hands.round[begin] == 0 and hands.honba[begin] == 0:
            yield begin, end - begin, tenhou.parse_seed(games.seed[game])
    except ValueError:
        return
