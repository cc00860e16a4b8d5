"""The walls of the hands of a batch, whatever kind of seed they come from, as the kernels compare them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I64, U8
from paifu.replay.kernels.wall_checks import ANY_COPY, Walls
from paifu.replay.model.batch import Batch, rows_within
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import IDS, NO_TILE, tile_of_id_table
from paifu.replay.rulesets.presets import ruleset_of
from paifu.replay.walls import majsoul, mjx, mortal, tenhou
from paifu.replay.walls.layout import Layout

KINDS = frozenset((*tenhou.KINDS, *majsoul.KINDS, mjx.KIND, mortal.KIND))
"""Kinds of seeds whose walls may be known."""
_SEATS_THAT_FIT = 3
"""How many of a hand's four deals must agree: one that was changed is a finding, not another generator."""


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
    if kind in majsoul.KINDS and players in majsoul.TILES_OF:
        return majsoul.layout_of(players), majsoul.deal_indices(players), majsoul.live_indices(players)
    if kind == mjx.KIND:
        return mjx.LAYOUT, majsoul.deal_indices(4), majsoul.live_indices(4)
    if kind == mortal.KIND:
        return mortal.LAYOUT, mortal.DEAL, mortal.LIVE
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
        return
    for game in games.tolist():
        if kind in majsoul.KINDS and players in majsoul.TILES_OF:
            yield from _stated_walls(batch, game, players)
        elif kind == mjx.KIND and players == 4:
            yield from _walls_of_ids(batch, game)
        elif kind == mortal.KIND and players == 4:
            yield from _walls_of_numbers(batch, game)


def _shuffled_walls(
    batch: Batch, games: I64, kind: str, players: int, flowers: int
) -> Iterator[tuple[int, U8, U8]]:
    """Tenhou's walls. Of a log that does not number the copies of its tiles, any copy fits."""
    seeded = [(game, *hands) for game in games.tolist() for hands in _seeded_hands(batch, game, kind)]
    if not seeded:
        return
    ids, dice = tenhou.shuffled([(seed, number) for _, _, number, seed in seeded], players, flowers)
    layout = tenhou.layout_of(seeded[0][3], players)
    unnumbered, row = _unnumbered(batch, games), 0
    for game, hand, number, _ in seeded:
        rows, row = slice(row, row + number), row + number
        tiles = ids[rows]
        for at in range(number if flowers else 0):
            tenhou.lay_flowers(tiles[at], int(batch.hands.dealer[hand + at]), layout, players)
        if game in unnumbered:
            tiles = _any_copy(tile_of_id_table(ruleset_of(batch, game).red_ids)[tiles])
        yield hand, tiles, dice[rows]


def _unnumbered(batch: Batch, games: I64) -> set[int]:
    """Return those of ``games`` whose logs do not number the copies of all tiles that they state."""
    hands, events, stated = batch.hands, batch.events, batch.games
    hand_rows: slice | I64 = slice(None)
    event_rows: slice | I64 = slice(None)
    if len(games) < len(stated):
        hand_rows = rows_within(stated.hand_begin[games], stated.hand_end[games])
        event_rows = rows_within(stated.event_begin[games], stated.event_end[games])
    dealt, dora = hands.dealt[hand_rows], hands.dora[hand_rows]
    of_hands = ((dealt != NO_TILE) & (hands.dealt_id[hand_rows] == NO_TILE)).any(axis=(1, 2))
    of_hands |= (dora != NO_TILE) & (hands.dora_id[hand_rows] == NO_TILE)
    kind = events.kind[event_rows]
    of_events = ((kind == EventKind.DRAW) | (kind == EventKind.DORA)) & (events.tile[event_rows] != NO_TILE)
    of_events &= events.tile_id[event_rows] == NO_TILE
    at = np.flatnonzero(of_events)
    if not isinstance(event_rows, slice):
        at = event_rows[at]
    by_events = np.searchsorted(stated.event_end, at, side="right")
    return {*hands.game[hand_rows][of_hands].tolist(), *by_events.tolist()}


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


def _stated_walls(batch: Batch, game: int, players: int) -> Iterator[tuple[int, U8, U8]]:
    """Walls that the record states hand by hand."""
    seeds = batch.hands.seed
    for hand in range(batch.games.hand_begin[game], batch.games.hand_end[game]):
        try:
            tiles = majsoul.parse_wall(seeds[hand]).places(players)
        except ValueError:
            continue
        if tiles is not None:
            dice = batch.hands.dice[hand : hand + 1]  # which no wall determines
            yield hand, _any_copy(np.array([tiles], np.uint8)), dice


def _walls_of_ids(batch: Batch, game: int) -> Iterator[tuple[int, U8, U8]]:
    """Walls of physical tiles that the log states hand by hand."""
    for hand in range(batch.games.hand_begin[game], batch.games.hand_end[game]):
        try:
            tiles = mjx.parse_wall(batch.hands.seed[hand])
        except ValueError:
            continue
        yield hand, np.array([tiles], np.uint8), np.zeros((1, 2), np.uint8)


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
            yield begin, _any_copy(tiles), np.zeros((len(tiles), 2), np.uint8)
            return


def _any_copy(tiles: npt.NDArray[Any]) -> U8:
    """Let walls of tiles say that any copy of them will do."""
    return np.where(tiles == NO_TILE, NO_TILE, tiles + np.uint8(ANY_COPY)).astype(np.uint8)
