"""Shanten, waits and acceptance of a hand: the checked way in to the shape kernels.

**Shanten** is the number of tiles a hand must still draw, less one: -1 complete, 0 tenpai. It is the least of
three forms: standard (4 melds and a pair, own melds counted), and for closed hands seven pairs and thirteen
orphans. **Waits** are the kinds that complete a hand. **Acceptance** is the kinds that lower its shanten,
with the number of those tiles the player does not see (*live* tiles).

No form counts on a fifth tile of a kind in hand, nor on one the set lacks: ``1111m`` beside three melds is
1-shanten, and with 3 players man 2-8 do not exist. Own melds count towards shanten by their number only, but
never yield a fifth tile: ``12m`` and a pair beside a kan of 3m has shanten 0 and no wait. So **tenpai means a
wait**.

A hand is given as tiles (0-36, any order, a red five is a five), or as a (34,) numpy array of counts;
melds as tiles each, kans included. ``sanma`` means the 3-player set; ``forms`` says what wins besides the
usual, as the bits of :mod:`~paifu.replay.kernels.rules`, such as ``IDENTICAL_PAIRS``. ``kita``
is the number of norths that the player set aside: no part of the hand, yet the player's own. A hand that
cannot be is a ValueError that says why.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from operator import add, lt
from threading import get_ident

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import Array
from paifu.replay.kernels import shapes as shape_kernels
from paifu.replay.model.tile_notation import format_tiles, tile_name
from paifu.replay.model.tiles import KIND_OF_TILE, KINDS, NORTH, SANMA_ABSENT_KINDS, TILES, count_kinds
from paifu.replay.shapes.tables import load_tables

TileCounts = npt.NDArray[np.uint8]
HandTiles = TileCounts | Iterable[int]

_NO_MELDS: Sequence[Iterable[int]] = ()
_BITS = bytes.maketrans(b"01", b"\0\1")


@dataclass(frozen=True, slots=True)
class Shanten:
    """The shanten of each form; seven pairs and thirteen orphans are None beside melds."""

    standard: int
    seven_pairs: int | None
    thirteen_orphans: int | None

    @property
    def least(self) -> int:
        """The hand's shanten."""
        return min(
            form for form in (self.standard, self.seven_pairs, self.thirteen_orphans) if form is not None
        )


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What a hand of 3n + 1 tiles gets better by."""

    shanten: int
    kinds: tuple[int, ...]
    """Kinds (0-33) that lower the shanten, rising; the waits of a tenpai hand."""
    live: int
    """How many tiles of those kinds the player does not see."""


@dataclass(frozen=True, slots=True)
class Discard:
    """One possible discard and the hand it leaves."""

    kind: int
    after: Acceptance


def kinds_of(mask: int) -> tuple[int, ...]:
    """Return the kinds in a mask, rising."""
    return tuple(compress(range(KINDS), f"{mask:b}".encode().translate(_BITS)[::-1]))


def _counts(tiles: HandTiles, what: str, *, sanma: bool) -> list[int]:
    """Count what was given as tiles or counts; raise ValueError for tiles that cannot be."""
    if isinstance(tiles, np.ndarray):
        if tiles.shape != (KINDS,) or tiles.dtype.kind not in "iu":
            raise ValueError(
                f"{what}: an array must hold {KINDS} whole counts, not {tiles.dtype} of shape {tiles.shape};"
                " give tiles as a list"
            )
        found: list[int] = tiles.tolist()
    else:
        given = tuple(tiles)
        if given and (min(given) < 0 or max(given) >= TILES):
            tile = next(tile for tile in given if not 0 <= tile < TILES)
            raise ValueError(f"{what}: {tile} is not a tile; tiles are 0-{TILES - 1}, and none may be hidden")
        found = count_kinds(given)
    if max(found) > 4 or min(found) < 0 or (sanma and any(found[kind] for kind in SANMA_ABSENT_KINDS)):
        for kind, count in enumerate(found):
            if not 0 <= count <= 4:
                raise ValueError(f"{what}: {count} of {tile_name(kind)}; there are four of each kind")
            if count and kind in SANMA_ABSENT_KINDS:
                raise ValueError(
                    f"{what}: {tile_name(kind)} is not in a 3-player set; leave out sanma if 4 play"
                )
    return found


def _read(
    hand: HandTiles, melds: Sequence[Iterable[int]], sizes: tuple[int, ...], *, sanma: bool, kita: int = 0
) -> tuple[list[int], list[int], list[int]]:
    """Return the counts of hand, melds and both; it may have ``sizes`` tiles were all melds in hand."""
    counts, melded = _counts(hand, "hand", sanma=sanma), [0] * KINDS
    if len(melds) > 4:
        raise ValueError(f"{len(melds)} melds; a hand has at most 4")
    for meld in melds:
        tiles = list(meld)
        what = f"meld {format_tiles(tiles)}"
        if len(tiles) not in (3, 4):
            raise ValueError(f"{what}: {len(tiles)} tiles; a meld has 3, a kan 4")
        melded = list(map(add, melded, _counts(tiles, what, sanma=sanma)))
    if not 0 <= kita <= 4:
        raise ValueError(f"{kita} norths set aside; there are four")
    melded[NORTH] += kita
    own = list(map(add, counts, melded)) if melds or kita else counts
    _check_hand(counts, own, len(melds), sizes)
    return counts, melded, own


def _check_hand(counts: Sequence[int], every: Sequence[int], called: int, sizes: tuple[int, ...]) -> None:
    if max(every) > 4:
        kind = next(kind for kind, count in enumerate(every) if count > 4)
        raise ValueError(f"hand and melds: {every[kind]} of {tile_name(kind)}; there are four of each kind")
    held, allowed = sum(counts), [size - 3 * called for size in sizes]
    if held not in allowed:
        raise ValueError(
            f"hand: {held} tiles beside {called} melds, expected {' or '.join(map(str, allowed))};"
            " a meld or kan stands for 3 tiles, and nuki-dora are not part of the hand"
        )


def _seen(seen: HandTiles | None, own: list[int], *, sanma: bool) -> list[int]:
    """Return the counts of everything a player sees; by default what it holds."""
    if seen is None:
        return own
    found = _counts(seen, "seen", sanma=sanma)
    if any(map(lt, found, own)):
        kind = next(kind for kind in range(KINDS) if found[kind] < own[kind])
        raise ValueError(
            f"seen: {found[kind]} of {tile_name(kind)}, but hand and melds hold {own[kind]};"
            " seen tiles include the player's own"
        )
    return found


class _ShapeDesk:
    """A hand laid out for the kernel, and what the kernel makes of it."""

    def __init__(self, forms: int, *, sanma: bool) -> None:
        self.hand, self.found = bytearray(3 * KINDS + 1), array("q", bytes(3 * 8))
        cells, found = np.frombuffer(self.hand, np.uint8), np.frombuffer(self.found, np.int64)
        counts, melded, seen, called = np.split(cells, (KINDS, 2 * KINDS, 3 * KINDS))
        tables = load_tables(sanma=sanma)
        self.run = shape_kernels.acceptance_of_hand.bound(counts, melded, seen, called, forms, tables, found)


@lru_cache(maxsize=64)
def _desk_of(_thread: int, forms: int, *, sanma: bool) -> _ShapeDesk:
    """Return the desk of a thread."""
    return _ShapeDesk(forms, sanma=sanma)


def shanten(
    hand: HandTiles,
    melds: Sequence[Iterable[int]] = _NO_MELDS,
    *,
    sanma: bool = False,
    forms: int = 0,
) -> Shanten:
    """Return the shanten of a hand of 13 or 14 tiles, each meld standing for 3.

    >>> from paifu.replay.model.tile_notation import parse_tiles
    >>> shanten(parse_tiles("1122m3344p5566s7z"))
    Shanten(standard=3, seven_pairs=0, thirteen_orphans=10)
    """
    counts, _, _ = _read(hand, melds, (13, 14), sanma=sanma)
    held, tables = np.array(counts, np.uint8), load_tables(sanma=sanma)
    standard, pairs, orphans = shape_kernels.shanten_of_forms(held, len(melds), forms, tables)
    return Shanten(standard, None, None) if melds else Shanten(standard, pairs, orphans)


def waits(
    hand: HandTiles,
    melds: Sequence[Iterable[int]] = _NO_MELDS,
    *,
    sanma: bool = False,
    forms: int = 0,
    kita: int = 0,
) -> tuple[int, ...]:
    """Return the kinds, rising, that complete a hand of 13 tiles; empty when it is not tenpai.

    A kind of which hand and melds hold all four is not a wait.

    >>> from paifu.replay.model.tile_notation import parse_tiles, format_tiles
    >>> format_tiles(waits(parse_tiles("3334567m"), [parse_tiles("555p"), parse_tiles("1111s")]))
    '24578m'
    """
    found = acceptance(hand, melds, sanma=sanma, forms=forms, kita=kita)
    return found.kinds if found.shanten == 0 else ()


def acceptance(
    hand: HandTiles,
    melds: Sequence[Iterable[int]] = _NO_MELDS,
    seen: HandTiles | None = None,
    *,
    sanma: bool = False,
    forms: int = 0,
    kita: int = 0,
) -> Acceptance:
    """Return the shanten and acceptance of a hand of 13 tiles.

    ``seen`` is all the player sees, its own hand and melds included; by default only those.
    """
    counts, melded, own = _read(hand, melds, (13,), sanma=sanma, kita=kita)
    visible = _seen(seen, own, sanma=sanma)
    return acceptance_of(counts, melded, visible, len(melds), sanma=sanma, forms=forms)


def acceptance_of(
    counts: list[int], melded: list[int], seen: list[int], called: int, *, sanma: bool, forms: int
) -> Acceptance:
    """Return what :func:`acceptance` does for tiles that are counted by kind, and not checked.

    ``melded`` counts what lies in the ``called`` melds and is set aside.
    """
    desk = _desk_of(get_ident(), forms, sanma=sanma)
    desk.hand[:] = bytes(counts + melded + seen + [called])
    desk.run()
    now, mask, live = desk.found
    return Acceptance(now, kinds_of(mask), live)


def discards(
    hand: HandTiles,
    melds: Sequence[Iterable[int]] = _NO_MELDS,
    seen: HandTiles | None = None,
    *,
    sanma: bool = False,
    forms: int = 0,
    kita: int = 0,
) -> list[Discard]:
    """Return every discard from a hand of 14 tiles, best first: least shanten, then most live tiles.

    ``seen`` is all the player sees, its own hand and melds included; by default only those.
    """
    counts, melded, own = _read(hand, melds, (14,), sanma=sanma, kita=kita)
    held, called, visible = np.array((counts, melded, _seen(seen, own, sanma=sanma)), np.uint8)
    out = np.empty((KINDS, 3), np.int64)
    shape_kernels.discards(held, called, visible, len(melds), forms, load_tables(sanma=sanma), out)
    found = [
        Discard(kind, Acceptance(now, kinds_of(mask), live))
        for kind, (now, mask, live) in enumerate(out.tolist())
        if now != shape_kernels.NOT_HELD
    ]
    return sorted(found, key=lambda one: (one.after.shanten, -one.after.live))


def may_wait(hands: Sequence[tuple[Sequence[int], int]], *, sanma: bool = False) -> list[bool]:
    """Return which of many hands, tiles beside a number of melds, may have waits; all others have none.

    Tiles are not checked otherwise: hands that cannot be are said to have none.
    """
    sizes = np.array([len(tiles) for tiles, _called in hands], np.int64)
    called = np.array([number for _tiles, number in hands], np.int64)
    every = np.array([tile for tiles, _called in hands for tile in tiles], np.int64)
    rows, is_known = np.repeat(np.arange(len(hands)), sizes), every < TILES
    places = rows[is_known] * KINDS + KIND_OF_TILE[every[is_known]]
    counts = np.bincount(places, minlength=len(hands) * KINDS).reshape(-1, KINDS)
    can_be = (
        (counts.sum(axis=1) == sizes) & (sizes + 3 * called == 13) & (called <= 4) & (counts <= 4).all(axis=1)
    )
    if sanma:
        can_be &= ~counts[:, list(SANMA_ABSENT_KINDS)].any(axis=1)
    found = np.zeros(len(hands), bool)
    chosen = np.flatnonzero(can_be)
    least = shanten_many(counts[chosen], called[chosen], sanma=sanma)
    found[chosen] = least <= 0
    return found.tolist()


def shanten_many(
    hands: Array, melds: Array | None = None, *, sanma: bool = False, forms: int = 0
) -> npt.NDArray[np.int8]:
    """Return the shanten of many hands at once: (n,) int8, -1 for a complete one.

    ``hands``: (n, 34) counts of the concealed tiles by kind, 13 or 14 less 3 for each meld. ``melds``: (n,)
    how many melds there are beside them, kans included; none by default. Raises ValueError naming the first
    hand that cannot be.

    >>> from paifu.replay.model.tile_notation import parse_tiles
    >>> from paifu.replay.model.tiles import counts_of
    >>> hands = ["123m456p789s11222z", "19m19p19s1234566z", "147m258p369s1234z"]
    >>> shanten_many(np.array([counts_of(parse_tiles(hand)) for hand in hands])).tolist()
    [-1, 0, 6]
    """
    counts, called = _as_bytes(hands, "hands", (len(hands), KINDS)), _melds(melds, len(hands))
    out, none = np.empty(len(counts), np.int8), np.zeros(KINDS, np.uint8)
    bad = shape_kernels.shanten_of_hands(counts, called, forms, load_tables(sanma=sanma), none, out)
    _refuse(bad, counts, none[None], called, (13, 14), sanma=sanma)
    return out


def waits_many(
    hands: Array,
    melds: Array | None = None,
    melded: Array | None = None,
    *,
    sanma: bool = False,
    forms: int = 0,
) -> npt.NDArray[np.int64]:
    """Return what many hands of 13 tiles wait for: (n,) int64, bit k for kind k; 0 if not tenpai.

    ``hands`` and ``melds`` are those of :func:`shanten_many`. ``melded``: (n, 34) counts of the tiles of the
    melds; a kind of which hand and melds hold all four is not a wait.

    >>> from paifu.replay.model.tile_notation import format_tiles, parse_tiles
    >>> from paifu.replay.model.tiles import counts_of
    >>> (mask,) = waits_many(counts_of(parse_tiles("1112345678999m"))[None])
    >>> format_tiles(kinds_of(int(mask)))
    '123456789m'
    """
    counts, called = _as_bytes(hands, "hands", (len(hands), KINDS)), _melds(melds, len(hands))
    own = np.zeros((1, KINDS), np.uint8)
    if melded is not None:
        own = _as_bytes(melded, "melded", (len(hands), KINDS))
    out = np.empty(len(counts), np.int64)
    bad = shape_kernels.waits_of_hands(counts, own, called, forms, load_tables(sanma=sanma), out)
    _refuse(bad, counts, own, called, (13,), sanma=sanma)
    return out


def _melds(melds: Array | None, hands: int) -> TileCounts:
    return np.zeros(hands, np.uint8) if melds is None else _as_bytes(melds, "melds", (hands,))


def _as_bytes(values: Array, what: str, shape: tuple[int, ...]) -> TileCounts:
    """Return whole numbers as bytes; all others become 255, which nothing may be."""
    if values.shape != shape or values.dtype.kind not in "iu":
        given = f"{values.dtype} of shape {values.shape}"
        raise ValueError(f"{what}: expected whole numbers of shape {shape}, not {given}")
    if values.dtype != np.uint8:
        values = np.minimum(values.astype(np.uint64), 255).astype(np.uint8)
    return np.require(values, requirements=["C", "A", "W"])


def _refuse(
    row: int,
    counts: TileCounts,
    melded: TileCounts,
    called: TileCounts,
    sizes: tuple[int, ...],
    *,
    sanma: bool,
) -> None:
    """Raise ValueError for the row that a kernel refused, if it did."""
    if row < 0:
        return
    if called[row] > 4:
        raise ValueError(f"row {row}: {called[row]} melds; a hand has at most 4")
    held, own = _counts(counts[row], f"row {row}", sanma=sanma), melded[min(row, len(melded) - 1)].tolist()
    try:
        _check_hand(held, list(map(add, held, own)), int(called[row]), sizes)
    except ValueError as error:
        raise ValueError(f"row {row}: {error}") from None
