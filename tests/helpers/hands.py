"""Winning hands written as on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any

from paifu.replay.model.tiles import parse_tiles
from paifu.replay.rules.hand_facts import RON, Situation
from paifu.replay.scoring.hand_text import parse_hand
from paifu.replay.scoring.winning_hand import WinningHand


def situation_of(names: Iterable[str]) -> Situation:
    """How a win comes about, of its names in small letters; a plain ron without any."""
    return reduce(or_, (Situation[name.upper()] for name in names), RON)


def win_of(
    text: str, situation: Situation = RON, *, dora: str = "", ura: str = "", **known: Any
) -> WinningHand:
    """A hand won on its last tile, by the player south unless ``seat_wind`` says otherwise."""
    written = parse_hand(text)
    known.setdefault("seat_wind", 1)
    known.setdefault("dora_indicators", tuple(parse_tiles(dora)))
    known.setdefault("ura_indicators", tuple(parse_tiles(ura)))
    return WinningHand(
        tiles=written.tiles,
        win=written.tiles[-1] if written.tiles else 0,
        melds=written.melds,
        kita=written.kita,
        flowers=written.flowers,
        situation=situation,
        **known,
    )
