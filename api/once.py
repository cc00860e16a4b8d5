"""Games and hands that are there twice count once: what a unit of input leaves out when it is read.

A worker sees one unit, and of copies in it keeps the one whose log states most. What the units before had is
known where the results come together: there a unit is read once more if it repeats any of them, which is
rare.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from paifu.replay.comparison.copies import Copies, GameKey, game_keys
from paifu.replay.comparison.hand_digests import NO_DIGEST, hand_keys
from paifu.replay.foreign_text import composed

if TYPE_CHECKING:
    from paifu.parsers.dataset.entries import InputItem
    from paifu.replay.arrays import I64, Mask
    from paifu.replay.facts.tables import Findings
    from paifu.replay.model.batch import Batch


class OnceUnit(list["InputItem"]):
    """Items of which a hand counts once.

    ``whole`` leaves out whole games only, for results of games that depend on all hands. ``known`` are the
    hands of each game that units before had; ``keys`` are those of the games, once they are read. Games come
    in the order of how much they state, and of those that state as much in that of the input.
    """

    def __init__(self, items: Iterable[InputItem], *, whole: bool = False) -> None:
        super().__init__(items)
        self.whole = whole
        self.known: list[frozenset[int]] = []
        self.keys: tuple[GameKey, ...] = ()
        self._order: list[int] = []
        self._again: list[frozenset[int]] = []
        self.shortened: Mask = np.zeros(0, np.bool_)
        """(games,) of those that are left, which lost hands; empty if none did."""

    def repeats(self, keys: tuple[GameKey, ...]) -> bool:
        """Take the keys of the games that were read; return whether anything in them was there before."""
        self.keys = keys
        self._order = sorted(range(len(keys)), key=lambda game: -keys[game].stated)
        found = Copies().add([keys[game] for game in self._order])
        self._again = [again for _, again in sorted(zip(self._order, found, strict=True), key=itemgetter(0))]
        if self.known:
            self._again = [one | other for one, other in zip(self._again, self.known, strict=True)]
        return any(self._again) or any(len(set(key.hands)) < len(key.hands) for key in keys)

    def without_copies(self, batch: Batch) -> tuple[Batch, Mask]:
        """Return the batch without what is there twice, and a mask of the games that are left."""
        keep = np.ones(len(batch), np.bool_)
        if not self.repeats(game_keys(batch)):
            return batch, keep
        digests, keep_hands = hand_keys(batch).tolist(), np.ones(len(batch.hands), np.bool_)
        begins, ends = batch.games.hand_begin.tolist(), batch.games.hand_end.tolist()
        for game in self._order:
            begin, end, had = begins[game], ends[game], set(self._again[game])
            for hand in range(begin, end):
                keep_hands[hand] = digests[hand] == NO_DIGEST or digests[hand] not in had
                had.add(digests[hand])
            keep[game] = begin == end or keep_hands[begin:end].any()
        if self.whole:
            return replace(batch.only(keep), faults=batch.faults), keep
        once = batch.only(keep, keep_hands)
        self.shortened = _hands(once) < _hands(batch)[keep]
        return once, keep


def without_course(found: Findings, shortened: Mask) -> Findings:
    """Leave out what was found from hand to hand in games that lost some: their log is not to blame."""
    if not shortened.any():
        return found
    return found.rows(~(shortened[found.game] & (found.code // 100 == _FROM_HAND_TO_HAND)))


def with_composed_names(batch: Batch) -> Batch:
    """Let names that look the same be the same; logs may write a letter with its accent in two ways."""
    names = batch.games.names
    if all(str(name).isascii() for name in names.flat):
        return batch
    texts = [[composed(name) for name in row] for row in names]
    return replace(batch, games=replace(batch.games, names=np.array(texts, object).reshape(names.shape)))


def _hands(batch: Batch) -> I64:
    """(games,) how many hands each game has."""
    return batch.games.hand_end.astype(np.int64) - batch.games.hand_begin


_FROM_HAND_TO_HAND = 5
"""Hundreds of the codes of findings that compare hands of a game."""
