"""What a hand waited for in the end: its closed tiles after the last own discard, and the wait's shape."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from paifu.replay.arrays import Array
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import GIVES_OWN, GIVES_TILE, EventKind
from paifu.replay.model.tiles import KIND_OF_TILE, KINDS

RYANMEN, KANCHAN, PENCHAN, SHANPON, TANKI, MULTI_SIDED = range(6)
WAITS = ("ryanmen", "kanchan", "penchan", "shanpon", "tanki", "multi-sided")
"""A wait for several tiles other than a plain two-sided, shanpon or pair wait is multi-sided."""
NO_WAIT = 255


def closed_tiles(batch: Batch, hand_of_event: Array) -> Array:
    """Return (hands, 4, 34) how many of each kind a seat holds closed after its last discard.

    ``hand_of_event`` is the row of the hand of each event, -1 outside of hands.
    """
    events, hands = batch.events, batch.hands
    held = np.zeros((len(hands), 4, KINDS), np.int16)
    kind = np.full(256, -1)
    kind[: len(KIND_OF_TILE)] = np.where(KIND_OF_TILE < KINDS, KIND_OF_TILE.astype(int), -1)
    for place in range(hands.dealt.shape[2]):
        known = kind[hands.dealt[:, :, place]]
        at, seat = np.nonzero(known >= 0)
        np.add.at(held, (at, seat, known[at, seat]), 1)

    def move(at: Array, tiles: Array, number: int) -> None:
        known = kind[tiles]
        at, known = at[known >= 0], known[known >= 0]
        np.add.at(held, (hand_of_event[at], events.seat[at], known), number)

    inside = hand_of_event >= 0
    draws = np.flatnonzero(inside & (events.kind == EventKind.DRAW))
    move(draws, events.tile[draws], 1)
    leaving = np.flatnonzero(inside & np.isin(events.kind, GIVES_TILE))
    move(leaving, events.tile[leaving], -1)
    for what, number in GIVES_OWN.items():
        melds = np.flatnonzero(inside & (events.kind == what))
        for place in range(number):
            move(melds, events.own[melds, place], -1)
    # A player who still holds the tile of his last draw has not discarded since.
    latest: Array = np.full((len(hands), 4), -1)
    latest[hand_of_event[draws], events.seat[draws]] = draws
    full = np.argwhere((held.sum(axis=2) % 3 == 2) & (latest >= 0))
    for hand, who in full.tolist():
        tile = kind[events.tile[latest[hand, who]]]
        if tile >= 0:
            held[hand, who, tile] -= 1
    return held


def wait_shape(held: tuple[int, ...], waits: int) -> int:
    """Return the shape of a wait: ``held`` are (34,) closed tiles, ``waits`` the kinds waited for, as bits.

    Where one kind completes the hand in several ways, the poorer shape counts, as that of a lone wait.
    """
    kinds = [kind for kind in range(KINDS) if waits >> kind & 1]
    roles = [_roles(held, kind) for kind in kinds]
    if not kinds or not all(roles):
        return TANKI if len(kinds) == 1 else MULTI_SIDED if kinds else NO_WAIT
    if len(kinds) == 1:
        return max(roles[0] - {RYANMEN} or roles[0])
    shared = frozenset.intersection(*roles)
    if len(kinds) == 2 and len(shared) == 1:
        return next(iter(shared))
    return MULTI_SIDED


def _roles(held: tuple[int, ...], kind: int) -> frozenset[int]:
    """What the tile that completes a hand can be in it."""
    suit = min(kind // 9, 3)
    pairs = 0
    for other in range(4):
        tiles = _suit(held, other)
        if other == suit:
            continue
        if not _is_split(tiles, other == 3):
            return frozenset()
        pairs += sum(tiles) % 3 == 2
    if pairs > 1:
        return frozenset()
    own = list(_suit(held, suit))
    own[kind - 9 * suit] += 1
    return _roles_in_suit(tuple(own), kind - 9 * suit, suit == 3, pairs == 0)


def _suit(held: tuple[int, ...], suit: int) -> tuple[int, ...]:
    return held[9 * suit : 9 * suit + 9]


@lru_cache(maxsize=100_000)
def _roles_in_suit(tiles: tuple[int, ...], last: int, is_honour: bool, needs_pair: bool) -> frozenset[int]:
    """What the tile ``last`` can be among ``tiles`` (it included) of one suit, split into sets and a pair."""
    found: set[int] = set()

    def split(left: list[int], pair: bool, role: int | None) -> None:
        first = next((place for place, number in enumerate(left) if number), None)
        if first is None:
            if not pair and role is not None:
                found.add(role)
            return
        for size, one in ((3, SHANPON), (2, TANKI)):
            if left[first] >= size and (size == 3 or pair):
                rest = list(left)
                rest[first] -= size
                split(rest, pair and size == 3, role)
                if first == last and role is None:
                    split(rest, pair and size == 3, one)
        if not is_honour and first <= 6 and left[first + 1] and left[first + 2]:
            rest = list(left)
            for step in range(3):
                rest[first + step] -= 1
            split(rest, pair, role)
            if first <= last <= first + 2 and role is None:
                split(rest, pair, _in_sequence(first, last))

    split(list(tiles), needs_pair, None)
    return frozenset(found)


@lru_cache(maxsize=100_000)
def _is_split(tiles: tuple[int, ...], is_honour: bool) -> bool:
    """Whether the tiles of a suit are sets, or sets and a pair."""
    if not any(tiles):
        return True
    last = next(place for place, number in enumerate(tiles) if number)
    return bool(_roles_in_suit(tiles, last, is_honour, sum(tiles) % 3 == 2))


def _in_sequence(first: int, last: int) -> int:
    if last == first + 1:
        return KANCHAN
    return PENCHAN if (first, last) in ((0, 2), (6, 6)) else RYANMEN
