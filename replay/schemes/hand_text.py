"""A written hand read into kinds, for every scheme but riichi's.

``(123m)`` a chow, ``(555z)`` a pung, ``(1111p)`` an open gong, ``[1111p]`` a concealed one, ``(1f)`` a flower
and ``(2g)`` a season set aside, ``(22z11j)`` an exposure with two jokers. What is outside brackets is
concealed; its last tile is the winning tile unless one is named apart. Blanks are ignored.
"""

from __future__ import annotations

from paifu.replay.model.tiles import BONUS_KINDS, format_kinds, kind_name, parse_kinds
from paifu.replay.schemes.hand import HeldTiles, Meld
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.hand_text import bracketed


def parse_scheme_hand(
    text: str, win: str | None = None, *, gongs_are_sets: bool = True, wins: bool | None = None
) -> HeldTiles:
    """Read a hand; ``win`` names the winning tile, which the text may hold or leave out.

    Without ``win`` a hand of 14 tiles or more has won on its last concealed tile. ``gongs_are_sets`` says
    whether a meld counts as three tiles or as it is; ``wins`` that a hand has won, or not, whatever its size.

    >>> str(parse_scheme_hand("(1f)234m(555z)22334p78s9s"))
    '(1f)(555z)234m22334p789s'

    Raises HandError (or ValueError for text that is not a tile) with the offending part.
    """
    text = "".join(text.split())
    tiles: list[int] = []
    melds: list[Meld] = []
    bonus: list[int] = []
    for opened, closed, concealed in bracketed(text):
        if concealed is not None:
            tiles += parse_kinds(concealed)
            continue
        kinds = tuple(sorted(parse_kinds(opened or closed or "")))
        if len(kinds) == 1 and kinds[0] in BONUS_KINDS and closed is None:
            bonus.append(kinds[0])
        elif len(kinds) < 3:
            raise HandError(
                f"({format_kinds(kinds)}): brackets hold a meld, or one flower or season set aside"
            )
        else:
            melds.append(Meld(kinds, closed is not None))
    hand = HeldTiles(tiles=tuple(tiles), melds=tuple(melds), bonus=tuple(sorted(bonus)))
    size = hand.size if gongs_are_sets else len(hand.kinds)
    if win is not None:
        return _with_winning_tile(hand, win, add=size == 13)
    won = size >= 14 if wins is None else wins
    if not won:
        return hand
    if not tiles:
        raise HandError(f"{text}: no tile is concealed, so none can be the winning tile")
    return HeldTiles(tiles=hand.tiles, win=tiles[-1], melds=hand.melds, bonus=hand.bonus)


def _with_winning_tile(hand: HeldTiles, text: str, *, add: bool) -> HeldTiles:
    """Put the winning tile last, adding it to a hand that lacks it."""
    named = parse_kinds(text)
    if len(named) != 1:
        raise HandError(f"{text!r}: the winning tile is one tile, such as 3m")
    win, tiles = named[0], list(hand.tiles)
    if not add:
        if win not in tiles:
            raise HandError(f"the winning tile {kind_name(win)} is not among the concealed tiles")
        tiles.remove(win)
    return HeldTiles(tiles=(*tiles, win), win=win, melds=hand.melds, bonus=hand.bonus)
