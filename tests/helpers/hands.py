"""Winning hands written as on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.readings import readings_kernel
from paifu.replay.model.tile_notation import parse_tiles
from paifu.replay.model.tiles import counts_of, kind_of
from paifu.replay.rules.hand_facts import RON, Situation
from paifu.replay.scoring.hand_text import parse_hand
from paifu.replay.scoring.readings import Meld, Reading, reading_of_row
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
        flowers=len(written.bonus),
        situation=situation,
        **known,
    )


def readings(
    tiles: Iterable[int], win: int, melds: Sequence[Meld] = (), *, tsumo: bool = True, forms: int = 0
) -> tuple[Reading, ...]:
    """Every reading of concealed ``tiles`` (0-36, the winning tile ``win`` among them) and melds.

    ``tsumo`` says whether the triplet that the winning tile completes is concealed; ``forms`` says
    what wins besides the usual, as bits. Empty when the hand is not complete. Tiles are not checked.
    """
    counts = counts_of(tiles)
    rows = np.zeros((layout.MAX_READINGS, layout.ROW_SIZE), np.int64)
    found = readings_kernel(counts, kind_of(win), forms, rows)
    return tuple(reading_of_row(rows[i], counts, melds, kind_of(win), tsumo=tsumo) for i in range(found))
