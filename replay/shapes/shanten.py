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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from paifu.replay.kernels import shapes as shape_kernels
from paifu.replay.model.tiles import (
    KIND_OF_TILE,
    KINDS,
    NORTH,
    SANMA_ABSENT_KINDS,
    TILES,
    counts_of,
    format_tiles,
    tile_name,
)
from paifu.replay.shapes.tables import load_tables

TileCounts = npt.NDArray[np.uint8]
HandTiles = TileCounts | Iterable[int]

_NO_MELDS: Sequence[Iterable[int]] = ()


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
    """Return the kinds in a 34-bit mask, rising."""
    return tuple(kind for kind in range(KINDS) if mask >> kind & 1)


def _counts(tiles: HandTiles, what: str, *, sanma: bool) -> TileCounts:
    """Count what was given as tiles or counts; raise ValueError for tiles that cannot be."""
    if isinstance(tiles, np.ndarray):
        if tiles.shape != (KINDS,) or tiles.dtype.kind not in "iu":
            raise ValueError(
                f"{what}: an array must hold {KINDS} whole counts, not {tiles.dtype} of shape {tiles.shape};"
                " give tiles as a list"
            )
        found = tiles.astype(np.int64)
    else:
        listed = list(tiles)
        for tile in listed:
            if not 0 <= tile < TILES:
                raise ValueError(
                    f"{what}: {tile} is not a tile; tiles are 0-{TILES - 1}, and none may be hidden"
                )
        found = counts_of(listed).astype(np.int64)
    for kind in range(KINDS):
        if not 0 <= found[kind] <= 4:
            raise ValueError(f"{what}: {found[kind]} of {tile_name(kind)}; there are four of each kind")
        if sanma and found[kind] and kind in SANMA_ABSENT_KINDS:
            raise ValueError(f"{what}: {tile_name(kind)} is not in a 3-player set; leave out sanma if 4 play")
    return found.astype(np.uint8)


def _read(
    hand: HandTiles, melds: Sequence[Iterable[int]], sizes: tuple[int, ...], *, sanma: bool, kita: int = 0
) -> tuple[TileCounts, TileCounts]:
    """Return the counts of hand and melds; ``sizes`` are the tiles it may have were all melds in hand."""
    counts = _counts(hand, "hand", sanma=sanma)
    melded = np.zeros(KINDS, np.uint8)
    if len(melds) > 4:
        raise ValueError(f"{len(melds)} melds; a hand has at most 4")
    for meld in melds:
        tiles = list(meld)
        if len(tiles) not in (3, 4):
            raise ValueError(f"meld {format_tiles(tiles)}: {len(tiles)} tiles; a meld has 3, a kan 4")
        melded += _counts(tiles, f"meld {format_tiles(tiles)}", sanma=sanma)
    if not 0 <= kita <= 4:
        raise ValueError(f"{kita} norths set aside; there are four")
    melded[NORTH] += kita
    over = np.flatnonzero(counts + melded > 4)
    if len(over):
        kind = int(over[0])
        raise ValueError(
            f"hand and melds: {counts[kind] + melded[kind]} of {tile_name(kind)}; there are four of each kind"
        )
    _check_size(counts, len(melds), sizes)
    return counts, melded


def _check_size(counts: TileCounts, called: int, sizes: tuple[int, ...]) -> None:
    held, allowed = int(counts.sum()), [size - 3 * called for size in sizes]
    if held not in allowed:
        raise ValueError(
            f"hand: {held} tiles beside {called} melds, expected {' or '.join(map(str, allowed))};"
            " a meld or kan stands for 3 tiles, and nuki-dora are not part of the hand"
        )


def _seen(seen: HandTiles | None, own: TileCounts, *, sanma: bool) -> TileCounts:
    """Return the counts of everything a player sees; by default what it holds."""
    if seen is None:
        return own
    counts = _counts(seen, "seen", sanma=sanma)
    short = np.flatnonzero(counts < own)
    if len(short):
        kind = int(short[0])
        raise ValueError(
            f"seen: {counts[kind]} of {tile_name(kind)}, but hand and melds hold {own[kind]};"
            " seen tiles include the player's own"
        )
    return counts


def shanten(
    hand: HandTiles,
    melds: Sequence[Iterable[int]] = _NO_MELDS,
    *,
    sanma: bool = False,
    forms: int = 0,
) -> Shanten:
    """Return the shanten of a hand of 13 or 14 tiles, each meld standing for 3.

    >>> from paifu.replay.model.tiles import parse_tiles
    >>> shanten(parse_tiles("1122m3344p5566s7z"))
    Shanten(standard=3, seven_pairs=0, thirteen_orphans=10)
    """
    counts, _ = _read(hand, melds, (13, 14), sanma=sanma)
    tables = load_tables(sanma=sanma)
    group, total = shape_kernels.hand_shape(*shape_kernels.suit_keys(counts), tables)
    standard = int(tables.standard[group, len(melds)])
    if melds:
        return Shanten(standard, None, None)
    return Shanten(
        standard,
        int(shape_kernels.seven_pairs_shanten(total, forms)),
        int(shape_kernels.thirteen_orphans_shanten(total)),
    )


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

    >>> from paifu.replay.model.tiles import parse_tiles, format_tiles
    >>> format_tiles(waits(parse_tiles("3334567m"), [parse_tiles("555p"), parse_tiles("1111s")]))
    '24578m'
    """
    counts, melded = _read(hand, melds, (13,), sanma=sanma, kita=kita)
    tables = load_tables(sanma=sanma)
    drawable = shape_kernels.drawable_kinds(counts, melded, tables)
    return kinds_of(
        int(shape_kernels.waits(*shape_kernels.suit_keys(counts), len(melds), forms, drawable, tables))
    )


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
    counts, melded = _read(hand, melds, (13,), sanma=sanma, kita=kita)
    visible = _seen(seen, counts + melded, sanma=sanma)
    tables = load_tables(sanma=sanma)
    drawable = shape_kernels.drawable_kinds(counts, melded, tables)
    now, mask = shape_kernels.acceptance(
        *shape_kernels.suit_keys(counts), len(melds), forms, drawable, tables
    )
    return Acceptance(int(now), kinds_of(int(mask)), int(shape_kernels.live_tiles(mask, visible)))


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
    counts, melded = _read(hand, melds, (14,), sanma=sanma, kita=kita)
    visible = _seen(seen, counts + melded, sanma=sanma)
    out = np.empty((KINDS, 3), np.int64)
    shape_kernels.discards(counts, melded, visible, len(melds), forms, load_tables(sanma=sanma), out)
    found = [
        Discard(kind, Acceptance(now, kinds_of(mask), live))
        for kind, (now, mask, live) in enumerate(out.tolist())
        if now != shape_kernels.NOT_HELD
    ]
    return sorted(found, key=lambda one: (one.after.shanten, -one.after.live))


def may_wait(
    hands: Sequence[tuple[Sequence[int], int]], *, sanma: bool = False, forms: int = 0
) -> list[bool]:
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
    least = shanten_of_hands(
        counts[chosen].astype(np.uint8), called[chosen].astype(np.uint8), sanma=sanma, forms=forms
    )
    found[chosen] = least <= 0
    return found.tolist()


def shanten_of_hands(
    counts: TileCounts, called: TileCounts, *, sanma: bool = False, forms: int = 0
) -> npt.NDArray[np.int8]:
    """Return the least shanten of many hands at once: (n,) int8 for (n, 34) counts beside (n,) melds.

    Raises ValueError naming the first hand that cannot be.
    """
    if counts.ndim != 2 or counts.shape[1] != KINDS or called.shape != counts.shape[:1]:
        raise ValueError(
            f"expected (n, {KINDS}) counts and (n,) melds, not {counts.shape} and {called.shape}"
        )
    size = counts.sum(axis=1, dtype=np.int64) + 3 * called.astype(np.int64)
    bad = (counts > 4).any(axis=1) | (counts < 0).any(axis=1) | (called > 4) | (called < 0)
    bad |= (size != 13) & (size != 14)
    if sanma:
        bad |= counts[:, list(SANMA_ABSENT_KINDS)].any(axis=1)
    if bad.any():
        row = int(bad.argmax())
        if not 0 <= called[row] <= 4:
            raise ValueError(f"row {row}: {called[row]} melds; a hand has at most 4")
        _check_size(_counts(counts[row], f"row {row}", sanma=sanma), int(called[row]), (13, 14))
    out = np.empty(len(counts), np.int8)
    shape_kernels.shanten_of_hands(
        np.ascontiguousarray(counts, np.uint8),
        np.ascontiguousarray(called, np.uint8),
        forms,
        load_tables(sanma=sanma),
        out,
    )
    return out
