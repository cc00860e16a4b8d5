"""Readings of a winning hand: its melds, runs, triplets and pair, and the wait the winning tile filled.

Equal tiles can often be divided in several ways, and the wait belongs to the reading: in ``23444m`` won on
4m that tile completed either the run (ryanmen) or the pair (tanki). Scoring takes the most expensive reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from typing import NamedTuple

from paifu.replay.arrays import I64, bits_of
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.language import N_, _, pgettext
from paifu.replay.model.tiles import (
    TERMINALS_AND_HONOURS,
    TILES,
    format_tiles,
    kind_of,
    sort_tiles,
)
from paifu.replay.scoring.errors import HandError
from paifu.replay.shapes.shanten import TileCounts


class MeldKind(IntEnum):
    """A called meld or kan; the numbers are those of ``EventKind``."""

    CHI = layout.MELD_CHI
    PON = layout.MELD_PON
    DAIMINKAN = layout.MELD_DAIMINKAN
    """Called with three own tiles."""
    ANKAN = layout.MELD_ANKAN
    """Closed: the hand stays closed."""
    KAKAN = layout.MELD_KAKAN
    """A pon with the fourth tile added."""


class CalledMeld(NamedTuple):
    """A called meld: its kind and its tiles (0-36)."""

    kind: MeldKind
    tiles: tuple[int, ...]

    @property
    def first(self) -> int:
        """The kind (0-33) of its lowest tile."""
        return min(map(kind_of, self.tiles))

    @lru_cache(maxsize=1024)  # noqa: B019  hands have their melds in common
    def check(self) -> None:
        """Raise HandError unless these tiles make this meld."""
        size = 3 if self.kind in (MeldKind.CHI, MeldKind.PON) else 4
        if self.tiles and not 0 <= min(self.tiles) <= max(self.tiles) < TILES:
            raise self._error(_("meld {tiles}: a tile is a number from 0 to {last}"), size)
        if len(self.tiles) != size:
            raise self._error(_("meld {tiles}: {meld} has {size} tiles, not {count}"), size)
        kinds = sorted(map(kind_of, self.tiles))
        if self.kind == MeldKind.CHI:
            if kinds != list(range(kinds[0], kinds[0] + 3)) or kinds[0] >= 27 or kinds[0] % 9 > 6:
                raise self._error(_("meld {tiles} is not a run of one suit"), size)
        elif kinds[0] != kinds[-1]:
            raise self._error(_("meld {tiles}: {meld} needs {size} equal tiles"), size)

    def _error(self, text: str, size: int) -> HandError:
        meld = pgettext("move", self.kind.name.lower())
        values = {"meld": meld, "size": size, "count": len(self.tiles), "last": TILES - 1}
        return HandError(text.format(tiles=format_tiles(self.tiles), **values))

    def __str__(self) -> str:
        """In hand notation: ``(123m)``, a closed kan ``[1111m]``."""
        text = format_tiles(sort_tiles(self.tiles))
        return f"[{text}]" if self.kind == MeldKind.ANKAN else f"({text})"


class RiichiForm(IntEnum):
    """The form of a winning hand."""

    STANDARD = layout.FORM_STANDARD
    SEVEN_PAIRS = layout.FORM_SEVEN_PAIRS
    ORPHANS = layout.FORM_ORPHANS
    FOUR_KANS = layout.FORM_FOUR_KANS
    """Four kans without a pair, where that wins."""
    SNAKE = layout.FORM_SNAKE
    """1 to 9 of a suit, the four winds, and a second of one of them, where that wins."""
    KNITTED = layout.FORM_KNITTED
    """1 to 7 of two suits, where that wins."""


_FORM_NAMES = {
    RiichiForm.ORPHANS: N_("thirteen orphans"),
    RiichiForm.FOUR_KANS: N_("four kans"),
    RiichiForm.SNAKE: N_("one suit and the winds"),
    RiichiForm.KNITTED: N_("knitted pairs"),
}


class Wait(IntEnum):
    """What the winning tile completed."""

    RYANMEN = layout.RYANMEN
    """A run, at either end."""
    KANCHAN = layout.KANCHAN
    """A run, in the middle."""
    PENCHAN = layout.PENCHAN
    """123 by its 3 or 789 by its 7."""
    SHANPON = layout.SHANPON
    """A triplet."""
    TANKI = layout.TANKI
    """The pair, or a hand without groups."""


@dataclass(frozen=True, slots=True)
class TileGroup:
    """A run, triplet, kan or pair of a reading."""

    kinds: tuple[int, ...]
    """Its tiles as kinds."""
    concealed: bool
    """For a triplet: no called tile, the tile won by ron included."""
    called: bool
    """A meld on the table, closed kans included."""

    @property
    def is_triplet(self) -> bool:
        """Three or four equal tiles."""
        return len(self.kinds) > 2 and self.kinds[0] == self.kinds[1]

    @property
    def is_kan(self) -> bool:
        """Four equal tiles."""
        return len(self.kinds) == 4

    @property
    def is_outer(self) -> bool:
        """It holds a terminal or an honour."""
        return any(kind in TERMINALS_AND_HONOURS for kind in self.kinds)

    def __str__(self) -> str:
        """In MPSZ, melds in brackets."""
        text = format_tiles(self.kinds)
        if not self.called:
            return text
        return f"[{text}]" if self.concealed else f"({text})"


@dataclass(frozen=True, slots=True)
class RiichiReading:
    """One way to read a winning hand."""

    form: RiichiForm
    wait: Wait
    groups: tuple[TileGroup, ...]
    """Concealed groups by kind, then the melds, then the pair; of thirteen orphans only the pair."""

    def __str__(self) -> str:
        """Groups and wait for people."""
        groups = " ".join(map(str, self.groups))
        name, wait = _FORM_NAMES.get(self.form), pgettext("wait", self.wait.name.lower())
        if name is None:
            return _("{groups}, {wait}").format(groups=groups, wait=wait)
        return _("{form} {groups}, {wait}").format(form=_(name), groups=groups, wait=wait)


def _melded(meld: CalledMeld) -> TileGroup:
    return TileGroup(tuple(sorted(map(kind_of, meld.tiles))), meld.kind == MeldKind.ANKAN, called=True)


def reading_of_row(
    row: I64 | Sequence[int],
    counts: TileCounts | Sequence[int],
    melds: Sequence[CalledMeld],
    win: int,
    *,
    tsumo: bool,
) -> RiichiReading:
    """Turn a row that ``readings_kernel`` wrote for ``counts`` into a reading; ``win`` is a kind."""
    form_number, runs, triplets, pairs, wait_number = map(int, row)
    form, wait = RiichiForm(form_number), Wait(wait_number)
    by_ron = 1 << win if wait == Wait.SHANPON and not tsumo else 0
    groups = [_group((kind,) * 3, not by_ron >> kind & 1) for kind in bits_of(triplets)]
    for bit in bits_of(runs):
        # Three bits a place: how many runs start there.
        first = bit // 21 * 9 + bit % 21 // 3
        groups += [_group((first, first + 1, first + 2), True)] * (1 << bit % 3)
    groups.sort(key=lambda group: group.kinds)
    groups += map(_melded, melds)
    for kind in bits_of(pairs):
        groups += [_group((kind, kind), True)] * (
            int(counts[kind]) // 2 if form == RiichiForm.SEVEN_PAIRS else 1
        )
    return RiichiReading(form, wait, tuple(groups))


@cache
def _group(kinds: tuple[int, ...], concealed: bool) -> TileGroup:
    return TileGroup(kinds, concealed, called=False)
