"""Readings of a hand in the games other than riichi: every way to see it as a form that wins there.

The kernel that reads hands of riichi finds them all. Here are the order in which they are tried, what these
games call them, and two shapes that only optional patterns play: a suit with the four winds, and 1 to 7 of
two suits.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.readings import readings_kernel
from paifu.replay.kernels.rules import IDENTICAL_PAIRS
from paifu.replay.kernels.rules import KNITTED as KNITTED_FORM
from paifu.replay.kernels.rules import SNAKE as SNAKE_FORM
from paifu.replay.language import _, pgettext
from paifu.replay.model.tiles import counts_of
from paifu.replay.schemes.hand import HeldTiles
from paifu.replay.scoring.readings import FORM_NAMES, Form, Reading, Wait, reading_of_row

COPIES = 4
"""Tiles of each kind."""
CHOW, PUNG, GONG, PAIR = SET_NAMES = ("chow", "pung", "gong", "pair")
"""What these games call groups."""
_FILLED = {Wait.TANKI: PAIR, Wait.SHANPON: PUNG}
"""What other waits than these complete is a chow."""


def filled(reading: Reading) -> str:
    """Return what the winning tile completed, for people; empty for a form that has no sets."""
    return pgettext("set", _FILLED.get(reading.wait, CHOW)) if reading.form.in_groups else ""


def in_words(reading: Reading) -> str:
    """Return the groups of a reading for people, and what the winning tile completed; or its form."""
    if not reading.form.in_groups:
        return _(FORM_NAMES[reading.form])
    groups = " ".join(map(str, reading.melds + reading.sets + reading.pairs))
    if reading.form != Form.STANDARD:
        return groups
    return _("{groups}, won on the {set}").format(groups=groups, set=filled(reading))


def readings(
    hand: HeldTiles, forms: frozenset[Form], *, self_drawn: bool, identical_pairs: bool
) -> list[Reading]:
    """Return every reading of a winning hand in one of ``forms``; empty when it is not complete.

    The winning tile stands among ``hand.tiles``. A pung that a discard completes is not concealed.
    """
    rows = np.zeros((layout.MAX_READINGS, layout.ROW_SIZE), np.int64)
    bits = SNAKE_FORM | KNITTED_FORM | IDENTICAL_PAIRS * identical_pairs
    counts, win = counts_of(hand.tiles), hand.win or 0
    found = rows[: readings_kernel(counts, win, bits, rows)]
    # Which end of a chow was waited for does not matter, so the readings that differ in it are one.
    wait = found[:, layout.ROW_WAIT]
    wait[wait < layout.SHANPON] = layout.RYANMEN
    made: list[Reading] = []
    for row in dict.fromkeys(map(tuple, found.tolist())):
        reading = reading_of_row(row, counts, hand.melds, win, tsumo=self_drawn)
        sets = sorted(reading.sets, key=lambda group: (group.first, group.is_triplet))
        made.append(replace(reading, sets=tuple(sets)))
        if reading.form == Form.SEVEN_PAIRS:
            low, high = reading.pairs[0].first, reading.pairs[-1].first
            made += [replace(reading, form=Form.PURE_PAIRS)] * (low // 9 == high // 9 < 3)
    return sorted((reading for reading in made if reading.form in forms), key=_order)


def _order(reading: Reading) -> tuple[int, list[tuple[bool, int]], int]:
    """Regular readings first: of those that are worth the same, the first one counts."""
    if reading.form != Form.STANDARD:
        return 1, [], 0
    sets = [(group.is_triplet, group.first) for group in reading.sets]
    return 0, sets, (PAIR, CHOW, PUNG).index(_FILLED.get(reading.wait, CHOW))


SNAKES = tuple([*range(first, first + 9), *range(27, 31)] for first in (0, 9, 18))
"""The thirteen kinds of each suit with the winds."""
KNITTED = tuple([*range(low, low + 7), *range(high, high + 7)] for low, high in ((0, 9), (0, 18), (9, 18)))
"""1 to 7 of two suits, each kind twice over the two."""
