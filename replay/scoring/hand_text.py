"""A written hand, read into tiles and melds.

MPSZ notation, with melds in brackets: ``(123m)`` a chi, ``(555z)`` a pon, ``(1111p)`` an open or added kan,
``[1111p]`` a closed kan, ``(4z)`` a north set aside (kita), ``(1f)`` a flower. What is outside brackets is
concealed; its last tile is the winning tile unless one is named apart. Blanks are ignored, ``0`` is a red
five. Other games than riichi have seasons, ``(2g)``, and jokers, ``(22z11j)``, but no red fives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from paifu.replay.language import _
from paifu.replay.model.tile_notation import format_tiles, parse_kinds, parse_tile, parse_tiles, tile_name
from paifu.replay.model.tiles import BONUS_TILES, NORTH, kind_of, sort_tiles, tile_of_kind
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.readings import Meld

_KITA = tile_name(NORTH)
_BONUS = {tile_name(tile): tile for tile in BONUS_TILES}
_FLOWERS = dict(list(_BONUS.items())[:4])
_PART = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]|([^()\[\]]+)")


class WrittenHand(NamedTuple):
    """What a hand's text says."""

    tiles: tuple[int, ...]
    """Concealed tiles (0-45) as written; the winning tile, if named apart, is the last."""
    melds: tuple[Meld, ...]
    kita: int = 0
    """Norths set aside."""
    bonus: tuple[int, ...] = ()
    """Flowers and seasons (tiles) set aside."""

    @property
    def size(self) -> int:
        """Tiles, every meld counting as three: 14 for a winning hand, 13 for one that waits."""
        return len(self.tiles) + 3 * len(self.melds)

    @property
    def unfinished(self) -> bool:
        """Four kans and a lone tile, which win under some rules."""
        return len(self.tiles) == 1 and len(self.melds) == 4 and all(len(m.tiles) == 4 for m in self.melds)


def _any_tiles(text: str) -> list[int]:
    return list(map(tile_of_kind, parse_kinds(text)))


def _any_tile(text: str) -> int:
    tiles = _any_tiles(text)
    if len(tiles) != 1:
        raise HandError(_("{text!r}: the winning tile is one tile, such as 3m").format(text=text))
    return tiles[0]


@dataclass(frozen=True, slots=True, eq=False)
class HandNotation:
    """What a game writes of a hand."""

    tiles: Callable[[str], list[int]]
    """Reads tiles."""
    tile: Callable[[str], int]
    """Reads the winning tile."""
    aside: Mapping[str, int]
    """What is set aside, in brackets of its own, and its tile."""
    is_riichi: bool = False
    """What cannot be is refused at once; in other games this takes a ruleset."""
    melds_are_sets: bool = True
    """A meld counts as three tiles, whatever its size."""

    def size(self, tiles: Sequence[int], melds: Sequence[Meld]) -> int:
        """Count the tiles of a hand, which are 14 in a winning one."""
        return len(tiles) + sum([3 if self.melds_are_sets else len(meld.tiles) for meld in melds])


RIICHI = HandNotation(parse_tiles, parse_tile, {_KITA: NORTH, **_FLOWERS}, is_riichi=True)
OTHER_GAMES = HandNotation(_any_tiles, _any_tile, _BONUS)
CARD = HandNotation(_any_tiles, _any_tile, _BONUS, melds_are_sets=False)
"""Of American mahjong."""


@lru_cache(maxsize=1024)  # there are few, and hands have them in common
def _meld(text: str, notation: HandNotation, *, closed: bool) -> Meld:
    """Read what is in brackets."""
    tiles = notation.tiles(text)
    if notation.is_riichi:
        if not closed and len(tiles) not in (3, 4):
            problem = _("meld ({tiles}) has {count} tiles; a meld has three, a kan four")
            raise HandError(problem.format(tiles=format_tiles(tiles), count=len(tiles)))
        meld = Meld.of(tiles, closed=closed)
        meld.check()
        return meld
    tiles = sort_tiles(tiles)
    if len(tiles) < 3:
        problem = _("({tiles}): brackets hold a meld, or one flower or season set aside")
        raise HandError(problem.format(tiles=format_tiles(tiles)))
    return Meld.of(tiles, closed=closed)


def _bracketed(text: str) -> Iterator[tuple[str | None, ...]]:
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
def parse_hand(text: str, win: str | None = None, notation: HandNotation = RIICHI) -> WrittenHand:
    """Read a hand; ``win`` names the winning tile, which the text may hold or leave out.

    >>> parse_hand("234m55p678s(123m)[1111z]").size
    14

    Raises HandError (or ValueError for text that is not a tile) with the offending part.
    """
    text = "".join(text.split())
    tiles: list[int] = []
    melds: list[Meld] = []
    kita = 0
    bonus: list[int] = []
    for called, closed, concealed in _bracketed(text):
        if concealed is not None:
            tiles += notation.tiles(concealed)
        elif (tile := notation.aside.get(called or "")) is not None:
            if notation.is_riichi and tile in bonus:
                raise HandError(_("there is one flower {tile}").format(tile=called))
            if tile == NORTH:
                kita += 1
            else:
                bonus.append(tile)
        else:
            melds.append(_meld(called or closed or "", notation, closed=closed is not None))
    if win is not None:
        _put_last(tiles, notation.tile(win), notation.size(tiles, melds))
    return WrittenHand(tuple(tiles), tuple(melds), kita, tuple(bonus))


def set_aside(kita: int, flowers: int) -> list[str]:
    """Write norths and flowers set aside, each as a part of a hand."""
    return [f"({_KITA})"] * kita + [f"({flower})" for flower in list(_FLOWERS)[:flowers]]


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
