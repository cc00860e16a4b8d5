"""Finding: players' hands by what happened in them, in terms of the tables for queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paifu.api.only import EVERY_GAME, NOTHING, LeftOut, Only
from paifu.api.pipeline import SILENT, Paths, Watch, listed
from paifu.api.sql import QueryError, Tables, opened, sql_text
from paifu.parsers.dataset.entries import Shard
from paifu.parsers.dataset.shards import iter_shards, read_shard
from paifu.parsers.scratch import scratch_folder
from paifu.parsers.sources.paths import is_dataset
from paifu.replay.language import _
from paifu.reports.inference.intervals import of_rows
from paifu.reports.tables.declared import SHARD_BITS, TABLES

if TYPE_CHECKING:
    import pyarrow as pa

    from paifu.replay.model.batch import Batch
    from paifu.replay.views.games import Game

_ORDER = "ORDER BY hand, seat"
_PART = 10
"""Shards that are joined at a time, of some 1,000 games each: what joins a table holds it in memory."""
_SITUATIONS = """
SELECT p.*, h.place, h.wind, h.number, h.honba, h.sticks, h.dealer, h."end", h.riichis, h.winners,
    w.tile AS won_tile, w.turn AS won_turn, w.han, w.fu, w."limit", w.yaku, w.dora, w.ura, w.red,
    w.is_tsumo, w.is_open, w.from_player,
    g.id, g.source, g.link, g.format, g.started, g.room, g.ruleset, g.scheme, g.length, g.players
FROM {player_hands} AS p
JOIN {hands} AS h USING (hand)
JOIN {games} AS g ON g.game = p.game
LEFT JOIN {wins} AS w ON w.hand = p.hand AND w.seat = p.seat
"""
"""Everything about a player in a hand, in one row."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A player's hand that was looked for, in its game."""

    game: Game
    hand: int
    """Index in the game, from 0."""
    seat: int
    row: dict[str, Any]
    """All columns of it."""


class FoundHands:
    """The hands that a condition holds for."""

    def __init__(self, tables: Tables, root: Path, where: str, faults: int, only: Only = EVERY_GAME) -> None:
        self._tables, self.where = tables, where
        self._parts = [
            _SITUATIONS.format_map({name: tables.source(name, first, first + _PART) for name in TABLES})
            for first in range(0, max(1, tables.shards), _PART)
        ]
        self._counts, self.left_out = _counting(tables, only)
        """What holds for hands of games that count."""
        self._shards = list(iter_shards(root))
        self.faults = faults
        """Inputs that could not be read, or only in part."""
        self.hits = 0
        self.hands = 0
        """Hands of players that were looked at."""
        self._ends, changes = Counter[str](), 0
        sums = (
            f"result, count(*) AS hands, count(*) FILTER ({self._condition}) AS hits, "
            f"sum(change) FILTER ({self._condition}) AS change"
        )
        for part in self._parts:
            for row in self._run(part, sums, "GROUP BY result").read_all().to_pylist():
                self.hands += row["hands"]
                self._ends[row["result"]] += row["hits"]
                changes += int(row["change"] or 0)
        self.hits = self._ends.total()
        self.change = changes / self.hits if self.hits else None
        """Points gained or lost on average."""

    @property
    def _condition(self) -> str:
        return f"WHERE ({self.where}\n)"

    def _run(self, part: str, columns: str, rest: str = "") -> pa.RecordBatchReader:
        among = f"(FROM ({part}) WHERE {self._counts})"
        return self._tables.run(f"FROM {among} SELECT {columns} {rest}")

    @property
    def share(self) -> tuple[float, float, float]:
        """The share of all hands of players, and the bounds of its 95% interval."""
        return self.hits / max(1, self.hands), *of_rows(self.hits, self.hands)

    def results(self) -> dict[str, int]:
        """Return how these hands ended for the player, the most frequent end first."""
        ends = ((result, number) for result, number in self._ends.items() if number)
        return dict(sorted(ends, key=lambda end: (-end[1], end[0])))

    def rows(self, most: int | None = None) -> pa.RecordBatchReader:
        """Return the hands with all columns of the view, in the order of the dataset, or ``most`` of them."""
        import pyarrow as pa

        head = self._run(self._parts[0], "*", "LIMIT 0").read_all()

        def batches() -> Iterator[pa.RecordBatch]:
            left = self.hits if most is None else most
            for part in self._parts:
                # With a limit, DuckDB keeps as many rows; without one it sorts all columns of all of them.
                limit = f"{self._condition} {_ORDER} LIMIT {left}"
                for batch in self._run(part, "*", limit) if left else ():
                    left -= len(batch)
                    yield batch

        return pa.RecordBatchReader.from_batches(head.schema, batches())

    def games(self, most: int) -> Iterator[Hit]:
        """Yield the first hits with their games, to be shown."""
        from paifu.replay.views.games import Game

        for row in self.rows(most).read_all().to_pylist():
            shard, number = divmod(row["hand"], 1 << SHARD_BITS)
            batch = _batch(self._shards[shard])
            game = Game.of(batch, int(batch.hands.game[number]))
            yield Hit(game, number - game.hand_begin, row["seat"], row)


@lru_cache(maxsize=4)
def _batch(shard: Shard) -> Batch:
    return read_shard(shard)


@contextmanager
def finding(
    paths: Paths,
    where: str,
    *,
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> Iterator[FoundHands]:
    """Look for players' hands in logs or datasets; ``where`` is a condition in SQL over their columns.

    Logs are imported into a temporary dataset first. Raises PathNotFound, DatasetError, QueryError.
    """
    every = listed(paths)
    if not where.strip():
        raise QueryError(_("the condition is empty"))
    with scratch_folder() as scratch:
        root, faults = Path(every[0]), 0
        if len(every) > 1 or not is_dataset(root):
            from paifu.api.import_dataset import importing

            root = scratch / "dataset"
            faults = sum(len(one.faults) for one in importing(every, root, jobs=jobs, watch=watch))
        with opened(root, jobs=jobs) as tables:
            found = FoundHands(tables, root, where, faults, only)
            watch.left_out(found.left_out)
            yield found


def _counting(tables: Tables, only: Only) -> tuple[str, LeftOut]:
    """Return what holds for hands of the games that count, and what is left out."""
    if not only:
        return "true", NOTHING
    room = "true"
    if only.rooms:
        names = ", ".join(sql_text(name) for name in only.rooms)
        room = f"coalesce(lower(room) IN ({names}), false)"
    day = "CAST(started AS DATE)"
    earlier = f"{day} < DATE {sql_text(only.first)}" if only.first else "false"
    later = f"{day} > DATE {sql_text(only.last)}" if only.last else "false"
    undated = "started IS NULL" if only.first or only.last else "false"
    reasons = {"other_rooms": f"NOT {room}", "undated": undated, "earlier": earlier, "later": later}
    counts = ", ".join(
        f"count(*) FILTER (WHERE {reason}{'' if name == 'other_rooms' else f' AND {room}'}) AS {name}"
        for name, reason in reasons.items()
    )
    (left_out,) = tables.run(f"FROM games SELECT {counts}").read_all().to_pylist()
    dropped = " OR ".join(f"({reason})" for reason in reasons.values())
    return f"NOT ({dropped})", LeftOut(**left_out)
