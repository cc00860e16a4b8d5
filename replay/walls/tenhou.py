"""Tenhou's wall from the seed that a log states: what lay where before the first draw.

Tenhou publishes with a game the seed of its random numbers, and the way from there to the tiles is public.
So every deal, draw and indicator of a log can be checked, and tiles nobody saw are known.

A seed names its kind, and there have been three, in this order of time:

* ``mt19937ar`` (one a hand, in ``INIT``): the numbers come straight from MT19937;
* ``mt19937ar-sha512-n288`` (one a game, words in hexadecimal): MT19937's numbers, 288 a hand, go through
  SHA-512, which makes 144 numbers of them;
* ``mt19937ar-sha512-n288-base64``: the same, with the 624 words of the seed in base64.

The numbers shuffle a list of physical ids, 0-135, or with 3 players the 108 without man 2-8. Index 0 is the
end of the dead wall; the deal begins at the other end (four tiles a seat three times from the dealer on,
then one), and draws go on downwards. Which tile of the dead wall is what differs by kind and players: see
:class:`Layout`. The newest kind turned the stacks of two upside down.

How sure this is: of 23,473 hands of real logs all deals, dice, draws, supplement draws and indicators agree,
in each kind and for 3 and 4 players. They show, of the oldest kind, 3 supplement tiles and 4 indicators
with 4 players, 7 and 4 with 3 players; of the newest 4 and 5 with 4 players, 6 and 3 with 3 players; beyond
that the row is continued. Of the middle kind logs show 4 players without a kan; its dead wall is taken to be
that of the kind before. Its 3-player wall no log shows, so no layout is given for it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I64, U8
from paifu.replay.kernels.wall import ShuffleWork, shuffle
from paifu.replay.model.events import CODE_OF_TILE
from paifu.replay.model.tiles import FLOWERS, IDS, SANMA_ABSENT_KINDS, SEASONS, TILES
from paifu.replay.walls.layout import HAND_SIZE, Layout, dealt_places

FLOWER_CODES = np.arange(SEASONS - FLOWERS, dtype=np.uint8) + np.uint8(CODE_OF_TILE + TILES)
"""Flowers as codes of tiles, for they have no physical ids."""
DEAD_WALL = 14
"""Tiles that are never drawn from the live end; each supplement draw takes one more from there."""


class Seed(NamedTuple):
    """A seed as a log states it: the kind, and the words as little-endian bytes, four each."""

    kind: str
    words: bytes


PER_HAND = "mt19937ar"
PER_GAME_HEX = "mt19937ar-sha512-n288"
PER_GAME = "mt19937ar-sha512-n288-base64"
KINDS = (PER_HAND, PER_GAME_HEX, PER_GAME)


def _row(first: int, count: int, *, swapped: bool = False) -> tuple[int, ...]:
    """Every second index, or with ``swapped`` each pair of neighbours in reverse."""
    if swapped:
        return tuple(first + (i ^ 1) for i in range(count))
    return tuple(range(first, first + 2 * count, 2))


LAYOUTS: dict[tuple[str, int], Layout] = {
    (PER_HAND, 4): Layout(_row(4, 5), _row(5, 5), tuple(range(4)), (135, 136)),
    (PER_HAND, 3): Layout(_row(8, 5), _row(9, 5), tuple(range(8)), (107, 108)),
    (PER_GAME_HEX, 4): Layout(_row(4, 5), _row(5, 5), tuple(range(4)), (135, 136)),
    (PER_GAME, 4): Layout(_row(5, 5), _row(4, 5), _row(0, 4, swapped=True), (135, 136)),
    (PER_GAME, 3): Layout(_row(9, 5), _row(8, 5), _row(0, 8, swapped=True), (135, 136)),
}
"""(kind of seed, players) -> layout, for the walls that are known."""


def parse_seed(text: str) -> Seed:
    """Read a seed as logs state it.

    Raises ValueError for an unknown kind and for words that cannot be read.
    """
    kind, _, words = text.partition(",")
    if kind not in KINDS:
        raise ValueError(f"seed of unknown kind {kind[:40]!r}; known are {', '.join(KINDS)}")
    try:
        if kind == PER_GAME:
            data = base64.b64decode(words, validate=True)
        else:
            data = b"".join(int(word, 16).to_bytes(4, "little") for word in words.split(","))
    except (binascii.Error, ValueError, OverflowError) as error:
        raise ValueError(f"the words of the {kind} seed cannot be read: {error}") from None
    if len(data) < 8 or len(data) % 4:
        raise ValueError(f"the {kind} seed has {len(data)} bytes; expected words of 4, two at least")
    return Seed(kind, data)


def make_seed(number: int) -> str:
    """Make a seed of the newest kind from any whole number; always the same from the same number."""
    words = hashlib.shake_256(b"paifu wall %d" % number).digest(4 * 624)
    return f"{PER_GAME},{base64.b64encode(words).decode()}"


def layout_of(seed: Seed, players: int) -> Layout:
    """Return where things lie in the walls of ``seed``; two players take the wall of four.

    Raises ValueError where no log says so.
    """
    try:
        return LAYOUTS[seed.kind, 3 if players == 3 else 4]
    except KeyError:
        raise ValueError(f"the wall of a {seed.kind} seed with {players} players is not known") from None


def shuffled(seeds: Sequence[tuple[Seed, int]], players: int, flowers: int = 0) -> tuple[U8, U8]:
    """Return the walls of some games, one after the other: (hands, 136 or 108) ids and (hands, 2) dice.

    Tenhou has no ``flowers``; walls with some are shuffled in the same way, the codes of the flowers last in
    the list that is shuffled.

    Of each game there are the seed, all of one kind, and how many hands from the first on are wanted. A seed
    of the kind that comes one a hand has one wall. Raises ValueError for a wall that is not known.
    """
    dice = layout_of(seeds[0][0], players).dice
    for seed, hands in seeds:
        if seed.kind == PER_HAND and hands > 1:
            raise ValueError(f"a {PER_HAND} seed makes one wall, not {hands}")
    words = [np.frombuffer(seed.words, "<u4") for seed, _ in seeds]
    ends = np.cumsum([len(one) for one in words])
    numbers = np.array([hands for _, hands in seeds])
    tiles = np.concatenate([_sorted_tiles(players), FLOWER_CODES[:flowers]])
    made = np.repeat(tiles[None, :], numbers.sum(), axis=0)
    eyes = np.empty((len(made), 2), np.uint8)
    shuffle(
        np.concatenate(words).astype(np.int64), ends, numbers, seeds[0][0].kind != PER_HAND,
        ShuffleWork(constants=_constants()), dice[0], made, eyes,
    )  # fmt: skip
    return made, eyes


def lay_flowers(wall: U8, dealer: int, layout: Layout, players: int) -> list[tuple[int, int]]:
    """Replace the flowers of the deal, in place, and return them as (seat, code) in the order set aside.

    The supplement tiles lie where the flowers lay. Each seat from the dealer on replaces its own, and those
    that come for them; the dealer's fourteenth tile is one of the deal. No indicator is a flower: one that
    lies there, or below, first changes places with another tile, which the tile at index 0 decides on.
    """
    shown = (*layout.indicators, *layout.ura)
    others = [place for place in range(len(wall)) if place not in shown]
    for place in shown:
        at = int(wall[0])
        while wall[place] >= FLOWER_CODES[0]:
            other = others[at % len(others)]
            if wall[other] < FLOWER_CODES[0]:
                wall[place], wall[other] = wall[other], wall[place]
            at += 1
    flowers = len(FLOWER_CODES)
    deal, fourteenth = deal_indices(players, flowers)[dealer], live_indices(players, 0, flowers)[0]
    found: list[tuple[int, int]] = []
    for turn in range(players):
        seat = (dealer + turn) % players
        for place in (*deal[seat].tolist(), *([fourteenth] if turn == 0 else [])):
            while wall[place] >= FLOWER_CODES[0]:
                found.append((seat, int(wall[place])))
                wall[place] = wall[layout.supplements[len(found) - 1]]
    return found


@cache
def _constants() -> I64:
    """SHA-512's: fractions of the cube roots of 80 primes, then of the square roots of 8, 64 bits each."""
    primes = [
        number for number in range(2, 410) if all(number % other for other in range(2, min(number, 21)))
    ]
    roots = [_root(prime << 192, 3) for prime in primes] + [_root(prime << 128, 2) for prime in primes[:8]]
    return np.array([root % (1 << 64) for root in roots], np.uint64).view(np.int64)


def _root(number: int, degree: int) -> int:
    """Return the root of a number, rounded down, by Newton's way from above."""
    root = 1 << -(-number.bit_length() // degree)
    while (less := ((degree - 1) * root + number // root ** (degree - 1)) // degree) < root:
        root = less
    return root


@cache
def _sorted_tiles(players: int) -> U8:
    ids = np.arange(IDS, dtype=np.uint8)
    return ids if players != 3 else ids[~np.isin(ids // 4, SANMA_ABSENT_KINDS)]


@cache
def deal_indices(players: int, flowers: int = 0) -> npt.NDArray[np.int16]:
    """(dealer, seat, 13): index in the wall of each dealt tile, in the order dealt; -1 for no tile."""
    top, order = len(_sorted_tiles(players)) + flowers - 1, dealt_places(players)
    table = np.where(order < 0, order, top - order).astype(np.int16)
    table.flags.writeable = False
    return table


@cache
def live_indices(players: int, dead_wall: int = DEAD_WALL, flowers: int = 0) -> npt.NDArray[np.int16]:
    """(70,), (55,) or, for two, (96,): index in the wall of each draw from the live end, in order.

    There are more of them where the dead wall is shorter.
    """
    first = len(_sorted_tiles(players)) + flowers - 1 - HAND_SIZE * players
    indices = np.arange(first, dead_wall - 1, -1, dtype=np.int16)
    indices.flags.writeable = False
    return indices
