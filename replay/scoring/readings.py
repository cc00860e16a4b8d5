"""Melds, and readings of a winning hand: its sets and pairs, and the wait that the winning tile filled.

Equal tiles can often be divided in several ways, and the wait belongs to the reading: in ``23444m`` won on
4m that tile completed either the run (ryanmen) or the pair (tanki). Scoring takes the most expensive reading.
All games have these in common; other games than riichi say chow, pung and gong for chi, pon and kan.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from typing import NamedTuple, Self

from paifu.replay.arrays import I64, bits_of
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.language import N_, _, pgettext
from paifu.replay.model.tile_notation import format_tiles
from paifu.replay.model.tiles import KINDS, TERMINALS_AND_HONOURS, TILES, kind_of, sort_tiles
from paifu.replay.scoring.errors import HandError
from paifu.replay.shapes.shanten import TileCounts


class MeldKind(IntEnum):
    """A called meld or kan; the numbers are those of ``EventKind``."""

    CHI = layout.MELD_CHI
    PON = layout.MELD_PON
    DAIMINKAN = layout.MELD_DAIMINKAN
    """Called with three own tiles; of a card (American mahjong) any exposure of more than three tiles."""
    ANKAN = layout.MELD_ANKAN
    """Closed: the hand stays closed."""
    KAKAN = layout.MELD_KAKAN
    """A pon with the fourth tile added."""


class Meld(NamedTuple):
    """A meld: its kind and its tiles (0-45)."""

    kind: MeldKind
    tiles: tuple[int, ...]

    @classmethod
    def of(cls, tiles: Iterable[int], *, closed: bool = False) -> Self:
        """Return the meld that tiles look like, whether or not they make it; an open kan is a daiminkan."""
        tiles = tuple(tiles)
        if closed:
            return cls(MeldKind.ANKAN, tiles)
        if len(tiles) > 3:
            return cls(MeldKind.DAIMINKAN, tiles)
        return cls(MeldKind.PON if len(set(map(kind_of, tiles))) == 1 else MeldKind.CHI, tiles)

    @property
    def first(self) -> int:
        """The kind (0-42) of its lowest tile."""
        return min(map(kind_of, self.tiles))

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of its tiles, rising."""
        return tuple(sorted(map(kind_of, self.tiles)))

    @property
    def concealed(self) -> bool:
        """A closed kan."""
        return self.kind == MeldKind.ANKAN

    @property
    def is_kan(self) -> bool:
        """A kan of any kind."""
        return self.kind >= MeldKind.DAIMINKAN

    @property
    def fits(self) -> bool:
        """Whether these tiles make this meld: a run of one suit, or three or four equal tiles."""
        kinds = self.kinds
        if self.kind == MeldKind.CHI:
            first = kinds[0]
            return kinds == (first, first + 1, first + 2) and first < 27 and first % 9 <= 6
        return len(kinds) == 3 + self.is_kan and kinds[0] == kinds[-1] < KINDS

    @lru_cache(maxsize=1024)  # noqa: B019  hands have their melds in common
    def check(self) -> None:
        """Raise HandError, saying what riichi calls it, unless these tiles make this meld."""
        if self.tiles and not 0 <= min(self.tiles) <= max(self.tiles) < TILES:
            raise self._error(_("meld {tiles}: a tile is a number from 0 to {last}"))
        if len(self.tiles) != 3 + self.is_kan:
            raise self._error(_("meld {tiles}: {meld} has {size} tiles, not {count}"))
        if self.fits:
            return
        if self.kind == MeldKind.CHI:
            raise self._error(_("meld {tiles} is not a run of one suit"))
        raise self._error(_("meld {tiles}: {meld} needs {size} equal tiles"))

    def _error(self, text: str) -> HandError:
        meld = pgettext("move", self.kind.name.lower())
        values = {"meld": meld, "size": 3 + self.is_kan, "count": len(self.tiles), "last": TILES - 1}
        return HandError(text.format(tiles=format_tiles(self.tiles), **values))

    def __str__(self) -> str:
        """In hand notation: ``(123m)``, a closed kan ``[1111m]``."""
        text = format_tiles(sort_tiles(self.tiles))
        return f"[{text}]" if self.concealed else f"({text})"


class Form(IntEnum):
    """The form of a winning hand; the numbers are the kernel's, as far as it knows them."""

    STANDARD = layout.FORM_STANDARD
    SEVEN_PAIRS = layout.FORM_SEVEN_PAIRS
    PURE_PAIRS = layout.FORMS
    """Seven pairs of one suit, where others do not win."""
    ORPHANS = layout.FORM_ORPHANS
    FOUR_KANS = layout.FORM_FOUR_KANS
    """Four kans without a pair, where that wins."""
    SNAKE = layout.FORM_SNAKE
    """1 to 9 of a suit, the four winds, and a second of one of them, where that wins."""
    KNITTED = layout.FORM_KNITTED
    """1 to 7 of two suits, where that wins."""
    BONUS = layout.FORMS + 1
    """Bonus tiles that win by themselves, whatever the hand."""
    LOSER = layout.FORMS + 2
    """A hand that has not won."""

    @property
    def in_groups(self) -> bool:
        """Its tiles are sets and a pair, or pairs, so that its groups tell which form it is."""
        return self in (Form.STANDARD, Form.SEVEN_PAIRS, Form.PURE_PAIRS)


FORM_NAMES = {
    Form.STANDARD: N_("four sets and a pair"),
    Form.SEVEN_PAIRS: N_("seven pairs"),
    Form.PURE_PAIRS: N_("seven pairs of one suit"),
    Form.ORPHANS: N_("thirteen orphans"),
    Form.FOUR_KANS: N_("four kans"),
    Form.SNAKE: N_("one suit and the winds"),
    Form.KNITTED: N_("knitted pairs"),
    Form.BONUS: N_("bonus tiles"),
    Form.LOSER: N_("a hand that has not won"),
}
"""What each form is called, in the order in which messages list them."""


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
    """The pair, or a hand without sets."""


@dataclass(frozen=True, slots=True)
class Group:
    """A run, triplet, kan or pair of a reading."""

    kinds: tuple[int, ...]
    """Its tiles as kinds."""
    concealed: bool = True
    """For a triplet: no called tile, the tile won by ron included."""
    called: bool = False
    """A meld on the table, closed kans included."""

    @property
    def first(self) -> int:
        """Its lowest kind."""
        return self.kinds[0]

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
class Reading:
    """One way to read a winning hand."""

    form: Form
    wait: Wait = Wait.TANKI
    sets: tuple[Group, ...] = ()
    """Runs and triplets in hand, by kind."""
    melds: tuple[Group, ...] = ()
    pairs: tuple[Group, ...] = ()
    """The pair, or all seven; of thirteen orphans what is there twice."""

    @property
    def groups(self) -> tuple[Group, ...]:
        """All of them: those in hand, the melds, then the pairs."""
        return self.sets + self.melds + self.pairs

    def __str__(self) -> str:
        """Groups and wait for people."""
        groups, wait = " ".join(map(str, self.groups)), pgettext("wait", self.wait.name.lower())
        if self.form.in_groups:
            return _("{groups}, {wait}").format(groups=groups, wait=wait)
        name = _(FORM_NAMES[self.form])
        return _("{form} {groups}, {wait}").format(form=name, groups=groups, wait=wait)


def melded(melds: Iterable[Meld]) -> tuple[Group, ...]:
    """Return melds as groups."""
    return tuple([Group(meld.kinds, meld.concealed, called=True) for meld in melds])


def reading_of_row(
    row: I64 | Sequence[int],
    counts: TileCounts | Sequence[int],
    melds: Iterable[Meld],
    win: int,
    *,
    tsumo: bool,
) -> Reading:
    """Turn a row that ``readings_kernel`` wrote for ``counts`` into a reading; ``win`` is a kind."""
    form_number, runs, triplets, pairs, wait_number = map(int, row)
    form, wait = Form(form_number), Wait(wait_number)
    by_ron = 1 << win if wait == Wait.SHANPON and not tsumo else 0
    sets = [_group((kind,) * 3, not by_ron >> kind & 1) for kind in bits_of(triplets)]
    for bit in bits_of(runs):
        # Three bits a place: how many runs start there.
        first = bit // 21 * 9 + bit % 21 // 3
        sets += [_group((first, first + 1, first + 2), True)] * (1 << bit % 3)
    sets.sort(key=lambda group: group.kinds)
    held = []
    for kind in bits_of(pairs):
        held += [_group((kind, kind), True)] * (int(counts[kind]) // 2 if form == Form.SEVEN_PAIRS else 1)
    return Reading(form, wait, tuple(sets), melded(melds), tuple(held))


@cache
def _group(kinds: tuple[int, ...], concealed: bool) -> Group:
    return Group(kinds, concealed)
