"""Games that are there more than once: the same hands dealt and played alike, whatever the format."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np

from paifu.replay.arrays import I64, U64
from paifu.replay.comparison.hand_digests import NO_DIGEST, hand_keys
from paifu.replay.foreign_text import printable
from paifu.replay.language import _, ngettext
from paifu.replay.model.batch import NO_YAKU, NOT_STATED, UNKNOWN_POINTS, Batch
from paifu.replay.model.tiles import NO_TILE


@dataclass(frozen=True, slots=True)
class GameKey:
    """A game and what tells its copies."""

    source: str
    hands: array[int]
    """Digests of its finished hands, those with hidden deals left out."""
    stated: int = 0
    """How many facts its log states of all hands, of those that copies may leave out: walls, fu, payments."""


@dataclass(frozen=True, slots=True)
class RepeatedGame:
    """A game of which all hands, or some, were there before."""

    source: str
    earlier: str
    """Source of the first game that has most of them; the same as ``source`` if a hand comes twice in it."""
    hands: int
    """How many of its hands were there before."""
    is_whole: bool
    """Every hand of it was."""


def game_keys(batch: Batch) -> tuple[GameKey, ...]:
    """Return the keys of each game of a batch."""
    games = batch.games
    begins, ends = games.hand_begin.tolist(), games.hand_end.tolist()
    return keys_of_games(games.source, begins, ends, hand_keys(batch), _stated(batch).tolist())


def keys_of_games(
    sources: Iterable[object],
    begins: Iterable[int],
    ends: Iterable[int],
    hands: U64,
    stated: Iterable[int] | None = None,
) -> tuple[GameKey, ...]:
    """Return the keys of games from their sources and those of all hands: (hands,), each game's in a row.

    ``stated`` is how much each game states, if that is known.
    """
    many = repeat(0) if stated is None else stated
    return tuple(
        GameKey(str(source), array("Q", (key for key in hands[begin:end].tolist() if key != NO_DIGEST)), much)
        for source, begin, end, much in zip(sources, begins, ends, many, strict=False)
    )


def _stated(batch: Batch) -> I64:
    """(games,) how many facts each game states of all its hands, of those that copies may leave out."""
    hands, wins, draws = batch.hands, batch.wins, batch.hand_draws
    count = np.zeros(len(batch), np.int64)
    for table, is_known in (
        (hands, (hands.seed != "") | (batch.games.seed != "")[hands.game]),
        (hands, hands.dora_id != NO_TILE),
        (hands, hands.scores[:, 0] != UNKNOWN_POINTS),
        (wins, wins.yaku[:, 0] != NO_YAKU),
        (wins, wins.fu >= 0),
        (wins, wins.points != UNKNOWN_POINTS),
        (wins, wins.deltas[:, 0] != UNKNOWN_POINTS),
        (wins, wins.tiles[:, 0] != NO_TILE),
        (draws, draws.deltas[:, 0] != UNKNOWN_POINTS),
        (draws, draws.tenpai[:, 0] != NOT_STATED),
    ):
        count += np.bincount(table.game[~is_known], minlength=len(batch)) == 0
    return count


@dataclass(slots=True)
class Copies:
    """What came again so far; add games in the order of the input.

    A game is looked up by its first and its last hand. Memory stays bounded: only the first MOST_GAMES games
    are remembered.
    """

    found: list[RepeatedGame] = field(default_factory=list)
    _games: list[GameKey] = field(default_factory=list)
    _game_of: dict[int, int] = field(default_factory=dict)
    """Digest of a first or last hand -> the number of the game that had it first."""

    def add(self, keys: Iterable[GameKey]) -> list[frozenset[int]]:
        """Note which of some games, or of their hands, were there before; returns these hands, by game."""
        again: list[frozenset[int]] = []
        for key in keys:
            own = set(key.hands)
            shares = list(self._shared(key))
            again.append(frozenset().union(*(shared for shared, _ in shares)))
            if shares:
                shared, first = max(shares, key=lambda share: len(share[0]))
                earlier = self._games[first]
                self.found.append(RepeatedGame(key.source, earlier.source, len(shared), shared == own))
            if len(own) < len(key.hands):
                self.found.append(RepeatedGame(key.source, key.source, len(key.hands) - len(own), False))
            if len(self._games) < MOST_GAMES:
                number = len(self._games)
                self._games.append(key)
                for digest in _ends(key):  # of a cut game and a whole one, the whole one
                    known = self._games[self._game_of.setdefault(digest, number)]
                    if len(known.hands) < len(key.hands):
                        self._game_of[digest] = number
        return again

    def known(self, keys: Iterable[GameKey]) -> list[frozenset[int]]:
        """Return the hands of some games that are in those added so far, by game."""
        return [frozenset().union(*(shared for shared, _ in self._shared(key))) for key in keys]

    def _shared(self, key: GameKey) -> Iterator[tuple[set[int], int]]:
        """Yield the hands shared with each earlier game that has the first or the last, and its number."""
        alike = {self._game_of[digest] for digest in _ends(key) if digest in self._game_of}
        own = set(key.hands) if alike else set()
        return ((own & set(self._games[number].hands), number) for number in sorted(alike))

    def between_games(self) -> Copies:
        """Return what games have in common with others, for what counts whole games once."""
        return Copies([one for one in self.found if one.source != one.earlier])

    def lines(self) -> Iterator[str]:
        """Yield what a summary says: how many games came again, and which, at most a few."""
        if not self.found:
            return
        told = ngettext(
            "{count:,} game is there twice, wholly or in part; each hand counts once",
            "{count:,} games are there twice, wholly or in part; each hand counts once",
            len(self.found),
        )
        yield told.format(count=len(self.found))
        for one in self.found[:_FEW]:
            if one.earlier == one.source:
                text = ngettext(
                    "{source}: {count} hand is there twice",
                    "{source}: {count} hands are there twice",
                    one.hands,
                )
            elif one.is_whole:
                text = _("{source}: all hands are in {earlier}")
            else:
                text = ngettext(
                    "{source}: {count} hand is in {earlier}",
                    "{source}: {count} hands are in {earlier}",
                    one.hands,
                )
            names = {"source": printable(one.source), "earlier": printable(one.earlier)}
            yield "  " + text.format(count=one.hands, **names)
        if len(self.found) > _FEW:
            yield "  " + _("... and {count} more").format(count=len(self.found) - _FEW)

    def document(self) -> list[dict[str, object]]:
        """Return what JSON says of each."""
        return [
            {"source": one.source, "earlier": one.earlier, "hands": one.hands, "whole": one.is_whole}
            for one in self.found
        ]


def _ends(key: GameKey) -> tuple[int, ...]:
    return (key.hands[0], key.hands[-1]) if key.hands else ()


MOST_GAMES = 500_000
_FEW = 5
