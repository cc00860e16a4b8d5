"""Finding: players' hands by what happened in them, in terms of the tables for queries."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paifu.api.pipeline import SILENT, Paths, Watch, listed
from paifu.api.querying import SITUATIONS, QueryError, Tables, opened
from paifu.parsers.dataset.shards import Shard, iter_shards, read_shard
from paifu.parsers.sources.paths import is_dataset
from paifu.parsers.stores import is_store
from paifu.reports.statistics.intervals import wilson
from paifu.reports.tables.declared import SHARD_BITS

if TYPE_CHECKING:
    import pyarrow as pa

    from paifu.replay.model.batch import Batch
    from paifu.replay.views.games import Game

_ORDER = "ORDER BY hand, seat"


@dataclass(frozen=True, slots=True)
class Hit:
    """A player's hand that was looked for, in its game."""

    game: Game
    hand: int
    """Index in the game, from 0."""
    seat: int
    row: dict[str, Any]
    """All columns of it."""


class Found:
    """The hands that a condition holds for."""

    def __init__(self, tables: Tables, root: Path, where: str, faults: int) -> None:
        self._tables, self.where = tables, where
        self._shards = list(iter_shards(root))
        self.faults = faults
        """Inputs that could not be read, or only in part."""
        (summed,) = self._run(
            f"count(*) FILTER ({self._condition}) AS hits, count(*) AS hands, "
            f"avg(change) FILTER ({self._condition}) AS change"
        ).read_all().to_pylist()  # fmt: skip
        self.hits: int = summed["hits"]
        self.hands: int = summed["hands"]
        """Hands of players that were looked at."""
        self.change: float | None = summed["change"]
        """Points gained or lost on average."""

    @property
    def _condition(self) -> str:
        return f"WHERE ({self.where}\n)"

    def _run(self, columns: str, rest: str = "") -> pa.RecordBatchReader:
        return self._tables.run(f"FROM {SITUATIONS} SELECT {columns} {rest}")

    @property
    def share(self) -> tuple[float, float, float]:
        """The share of all hands of players, and the bounds of its 95% interval."""
        return self.hits / max(1, self.hands), *wilson(self.hits, self.hands)

    def results(self) -> dict[str, int]:
        """Return how these hands ended for the player, the most frequent end first."""
        rows = self._run("result, count(*) AS n", f"{self._condition} GROUP BY 1 ORDER BY n DESC, 1")
        return {row["result"]: row["n"] for row in rows.read_all().to_pylist()}

    def rows(self) -> pa.RecordBatchReader:
        """Return the hands with all columns of the view, in the order of the dataset."""
        return self._run("*", f"{self._condition} {_ORDER}")

    def games(self, first: int = 0, most: int = 20) -> Iterator[Hit]:
        """Yield some hits with their games, to be shown."""
        from paifu.replay.views.games import Game

        wanted = self._run("*", f"{self._condition} {_ORDER} LIMIT {most} OFFSET {first}")
        for row in wanted.read_all().to_pylist():
            shard, number = divmod(row["hand"], 1 << SHARD_BITS)
            batch = _batch(self._shards[shard])
            game = Game.of(batch, int(batch.hands.game[number]))
            yield Hit(game, number - game.hand_begin, row["seat"], row)


@lru_cache(maxsize=4)
def _batch(shard: Shard) -> Batch:
    return read_shard(shard)


@contextmanager
def finding(paths: Paths, where: str, *, jobs: int | None = 1, watch: Watch = SILENT) -> Iterator[Found]:
    """Look for players' hands in logs or datasets; ``where`` is a condition in SQL over their columns.

    Logs are imported into a temporary dataset first. Raises PathNotFound, DatasetError, QueryError.
    """
    every = listed(paths)
    if not where.strip():
        raise QueryError("an empty condition")
    with tempfile.TemporaryDirectory(prefix="paifu-find-") as scratch:
        root, faults = Path(every[0]), 0
        if len(every) > 1 or is_store(every[0]) or not is_dataset(root):
            from paifu.api.importing import importing

            root = Path(scratch) / "dataset"
            faults = sum(len(one.faults) for one in importing(every, root, jobs=jobs, watch=watch))
        with opened(root, jobs=jobs) as tables:
            yield Found(tables, root, where, faults)
