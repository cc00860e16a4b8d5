"""What a batch holds, counted by kind of game; censuses add up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay.model.batch import Batch
from paifu.replay.model.links import decisions


class GameKind(NamedTuple):
    """A kind of game: the log's format, the preset its flags name, and the number of players."""

    format: str
    ruleset: str
    players: int


@dataclass(frozen=True, slots=True)
class Census:
    """Counts by kind of game: games, those cut off, hands, wins, draws, events, decisions judged."""

    counts: Counter[tuple[GameKind, str]] = field(default_factory=Counter)
    faults: int = 0

    MEASURES: ClassVar[tuple[str, ...]] = ("games", "cut", "hands", "wins", "draws", "events")
    """Those of :meth:`rows`."""

    @classmethod
    def of(cls, batch: Batch) -> Census:
        """Count a batch."""
        games = batch.games
        per_game = {
            "games": np.ones(len(games), np.int64),
            "cut": games.is_cut.astype(np.int64),
            "hands": games.hand_end - games.hand_begin,
            "wins": np.bincount(batch.wins.game, minlength=len(games)),
            "draws": np.bincount(batch.hand_draws.game, minlength=len(games)),
            "events": games.event_end - games.event_begin,
            "verdicts": _verdicts(batch),
        }
        counts: Counter[tuple[GameKind, str]] = Counter()
        kinds = zip(games.format, games.ruleset, games.players.tolist(), strict=True)
        for row, kind in enumerate(kinds):
            for measure, values in per_game.items():
                counts[GameKind(*kind), measure] += int(values[row])
        return cls(counts, len(batch.faults))

    def __add__(self, other: Census) -> Census:
        total = Counter(self.counts)
        total.update(other.counts)
        return Census(total, self.faults + other.faults)

    def rows(self) -> list[dict[str, str | int]]:
        """One row a kind of game, sorted: format, ruleset, players, then the measures."""
        kinds = sorted({kind for kind, _ in self.counts})
        return [kind._asdict() | {m: self.counts[kind, m] for m in self.MEASURES} for kind in kinds]

    def total(self, measure: str) -> int:
        """Sum of one measure over all kinds."""
        return sum(n for (_, name), n in self.counts.items() if name == measure)


def _verdicts(batch: Batch) -> npt.NDArray[np.int64]:
    """Return for each game the number of decisions that an engine judged."""
    _, first = np.unique(decisions(batch.verdicts), return_index=True)
    return np.bincount(batch.verdicts.game[first], minlength=len(batch))
