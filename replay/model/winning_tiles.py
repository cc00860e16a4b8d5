"""The closed tiles of a winner or another player: as the log shows them, or as they follow."""

from __future__ import annotations

from collections import Counter

from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE

_GIVES_TILE = frozenset({EventKind.DISCARD, EventKind.KITA, EventKind.ANKAN, EventKind.KAKAN})
_GIVES_OWN = frozenset({EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN, EventKind.ANKAN})


def winning_tiles(batch: Batch, row: int) -> list[int]:
    """The tiles (0-36) of a win, the winning one among them; empty if a hidden one leaves them unknown."""
    wins = batch.wins
    shown: list[int] = [tile for tile in wins.tiles[row].tolist() if tile != NO_TILE]
    if shown:
        return shown
    seat, hand, tile = int(wins.seat[row]), int(wins.hand[row]), int(wins.tile[row])
    held = closed_tiles(batch, hand, seat, int(wins.event[row]))
    if wins.source[row] != seat and held:
        held.append(tile)
    return sorted(held) if tile in held and tile != NO_TILE else []


def closed_tiles(batch: Batch, hand: int, seat: int, end: int) -> list[int]:
    """The tiles (0-36) that a seat holds before the event ``end``; empty if a hidden one is among them."""
    events = batch.events
    held = Counter(batch.hands.dealt[hand, seat].tolist())
    for event in range(int(batch.hands.event_begin[hand]), end):
        if events.seat[event] != seat:
            continue
        kind = int(events.kind[event])
        if kind == EventKind.DRAW:
            held[int(events.tile[event])] += 1
        if kind in _GIVES_TILE:
            held[int(events.tile[event])] -= 1
        if kind in _GIVES_OWN:
            held.subtract(one for one in events.own[event].tolist() if one != NO_TILE)
    tiles = sorted(held.elements())
    return tiles if NO_TILE not in tiles and min(held.values()) >= 0 else []
