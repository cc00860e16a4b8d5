"""The closed tiles of a winner or another player: as the log shows them, or as they follow."""

from __future__ import annotations

from collections import Counter

from paifu.replay.model.batch import Batch
from paifu.replay.model.events import GIVES_OWN, GIVES_TILE, EventKind
from paifu.replay.model.tiles import NO_TILE


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


def closed_tiles(batch: Batch, hand: int, seat: int, end: int, suffix: str = "") -> list[int]:
    """Return the tiles that a seat holds before the event ``end``, or with ``_id`` its physical ones.

    Empty if a hidden tile, or one that does not fit, leaves them unknown.
    """
    events = batch.events
    tiles, own = getattr(events, f"tile{suffix}"), getattr(events, f"own{suffix}")
    held = Counter(getattr(batch.hands, f"dealt{suffix}")[hand, seat].tolist())
    for event in range(int(batch.hands.event_begin[hand]), end):
        if events.seat[event] != seat:
            continue
        kind = int(events.kind[event])
        if kind == EventKind.DRAW:
            held[int(tiles[event])] += 1
        if kind in GIVES_TILE:
            held[int(tiles[event])] -= 1
        if kind in GIVES_OWN:
            held.subtract(own[event, : GIVES_OWN[kind]].tolist())
    found = sorted(held.elements())
    return found if NO_TILE not in held and min(held.values()) >= 0 else []
