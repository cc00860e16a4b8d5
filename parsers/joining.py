"""Games whose hands are in logs of their own, joined: one hand a line, or a file for each.

Two logs of a batch that follow each other belong to one game if they come from one file, agree on format,
names, title and rules, and the second begins where the first ended: a later hand, with the first game not
over and its last hand finished.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import HandEnd

_ALIKE = ("format", "players", "names", "ruleset", "rule", "title", "id", "lobby")
_FROM_LAST = ("overrides", "hand_end", "event_end", "final_scores", "final_points", "final_chips", "is_cut")


def joined(batch: Batch) -> Batch:
    """Return the batch with such logs joined.

    What a game says of itself is what its first log says, except for its end, and the rules that follow from
    it.
    """
    count = len(batch)
    begins = np.array([game == 0 or not _follows(batch, game) for game in range(count)], bool)
    if begins.all():
        return batch
    number = {"games": (begins.cumsum() - 1).take}
    firsts = np.flatnonzero(begins)
    lasts = np.append(firsts[1:], count) - 1
    columns = {name: array[lasts if name in _FROM_LAST else firsts] for name, array in batch.games.arrays()}
    tables = (batch.hands, batch.wins, batch.hand_draws, batch.verdicts)
    renumbered: dict[str, Any] = {table.NAME: table.renumbered(number) for table in tables}
    return replace(batch, games=type(batch.games)(**columns), **renumbered)


def _follows(batch: Batch, game: int) -> bool:
    games, hands = batch.games, batch.hands
    before = game - 1
    last, first = int(games.hand_end[before]) - 1, int(games.hand_begin[game])
    if last < int(games.hand_begin[before]) or first >= int(games.hand_end[game]):
        return False
    if games.final_scores[before, 0] != UNKNOWN_POINTS or hands.end[last] == HandEnd.UNFINISHED:
        return False
    if _file(games.source[before]) != _file(games.source[game]):
        return False
    if any(np.any(getattr(games, name)[before] != getattr(games, name)[game]) for name in _ALIKE):
        return False
    places = [(int(hands.round[hand]), int(hands.honba[hand])) for hand in (last, first)]
    return places[0] < places[1]


def _file(source: str) -> str:
    """The file of a log, without the number of the game in it."""
    for mark in "#:":
        name, found, number = source.rpartition(mark)
        if found and number.isdecimal():
            return name
    return source
