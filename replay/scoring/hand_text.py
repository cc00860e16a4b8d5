"""A hand written on the command line, read into tiles and melds.

MPSZ notation, with melds in brackets: ``(123m)`` a chi, ``(555z)`` a pon, ``(1111p)`` an open or added kan,
``[1111p]`` a closed kan, ``(4z)`` a north set aside (kita), ``(1f)`` a flower. What is outside brackets is
concealed; its last tile is the winning tile unless one is named apart. Blanks are ignored, ``0`` is a red
five.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from paifu.replay.language import _
from paifu.replay.model.tiles import (
    BONUS_TILES,
    NORTH,
    format_tiles,
    kind_of,
    parse_tile,
    parse_tiles,
    tile_name,
)
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.readings import CalledMeld, MeldKind

_KITA = tile_name(NORTH)
_FLOWERS = tuple(map(tile_name, BONUS_TILES))[:4]
_PART = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]|([^()\[\]]+)")


class WrittenHand(NamedTuple):
    """What a hand's text says."""

    tiles: tuple[int, ...]
    """Concealed tiles (0-36) as written; the winning tile, if named apart, is the last."""
    melds: tuple[CalledMeld, ...]
    kita: int = 0
    """Norths set aside."""
    flowers: int = 0
    """Flowers set aside."""

    @property
    def size(self) -> int:
        """Tiles, every meld counting as three: 14 for a winning hand, 13 for one that waits."""
        return len(self.tiles) + 3 * len(self.melds)

    @property
    def unfinished(self) -> bool:
        """Four kans and a lone tile, which win under some rules."""
        return len(self.tiles) == 1 and len(self.melds) == 4 and all(len(m.tiles) == 4 for m in self.melds)


@lru_cache(maxsize=1024)  # there are few, and hands have them in common
def _meld(text: str, *, closed: bool) -> CalledMeld:
    """Read what is in brackets."""
    tiles = tuple(parse_tiles(text))
    if closed:
        meld = CalledMeld(MeldKind.ANKAN, tiles)
    elif len(tiles) == 4:
        meld = CalledMeld(MeldKind.DAIMINKAN, tiles)
    elif len(tiles) == 3:
        meld = CalledMeld(MeldKind.PON if len(set(map(kind_of, tiles))) == 1 else MeldKind.CHI, tiles)
    else:
        text = _("meld ({tiles}) has {count} tiles; a meld has three, a kan four")
        raise HandError(text.format(tiles=format_tiles(tiles), count=len(tiles)))
    meld.check()
    return meld


def bracketed(text: str) -> Iterator[tuple[str | None, ...]]:
    """Yield the parts of a written hand, each as what stands in round brackets, in square ones, in none.

    Raises HandError for brackets that do not go around one part.
    """
    if text.isalnum():
        yield None, None, text
        return
    end = 0
    for part in _PART.finditer(text):
        if part.start() != end:
            break
        end = part.end()
        yield part.groups()
    if end != len(text):
        problem = _("{text!r}: brackets go around one meld, such as (123m) or [1111p]")
        raise HandError(problem.format(text=text[end:]))


@lru_cache(maxsize=1024)
def parse_hand(text: str, win: str | None = None) -> WrittenHand:
    """Read a hand; ``win`` names the winning tile, which the text may hold or leave out.

    >>> parse_hand("234m55p678s(123m)[1111z]").size
    14

    Raises HandError (or ValueError for text that is not a tile) with the offending part.
    """
    text = "".join(text.split())
    tiles: list[int] = []
    melds: list[CalledMeld] = []
    kita = 0
    flowers: set[str] = set()
    for called, closed, concealed in bracketed(text):
        if concealed is not None:
            tiles += parse_tiles(concealed)
        elif called in _FLOWERS:
            if called in flowers:
                raise HandError(_("there is one flower {tile}").format(tile=called))
            flowers.add(called)
        elif called == _KITA:
            kita += 1
        else:
            melds.append(_meld(called or closed or "", closed=closed is not None))
    if win is not None:
        _put_last(tiles, parse_tile(win), len(tiles) + 3 * len(melds))
    return WrittenHand(tuple(tiles), tuple(melds), kita, len(flowers))


def set_aside(kita: int, flowers: int) -> list[str]:
    """Write norths and flowers set aside, each as a part of a hand."""
    return [f"({_KITA})"] * kita + [f"({flower})" for flower in _FLOWERS[:flowers]]


def _put_last(tiles: list[int], win: int, size: int) -> None:
    """Put the winning tile last, adding it to a hand whose ``size`` says that it lacks it."""
    if size != 13:
        if win not in tiles:
            other = next((tile for tile in tiles if kind_of(tile) == kind_of(win)), None)
            if other is None:
                text = _("the winning tile {tile} is not among the concealed tiles")
                raise HandError(text.format(tile=tile_name(win)))
            text = _(
                "the winning tile {tile} is not among the concealed tiles; the hand holds {other}: write "
                "--win {other}"
            )
            raise HandError(text.format(tile=tile_name(win), other=tile_name(other)))
        tiles.remove(win)
    tiles.append(win)
