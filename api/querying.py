"""Queries: a dataset's tables for people as views of DuckDB, for any question that SQL can put."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paifu.parsers.dataset.shards import FOR_PEOPLE, DatasetError, Shard, iter_shards
from paifu.parsers.sources.paths import is_dataset
from paifu.parsers.stores import is_store
from paifu.replay.errors import ArgumentError, PaifuError
from paifu.replay.language import N_, _
from paifu.reports.tables.declared import TABLES, VERSION

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

MEMORY = "1GB"
"""What a query may take; beyond it, DuckDB works on disk."""
ON_DISK = "20GB"
ROWS = 10_000
"""Rows of a result that are held at a time."""
_AGAIN = N_("import it into a new folder: paifu import DATASET -o NEW")


SITUATIONS = "situations_{}"
"""Views of everything about a player in a hand, in one row; each of a part of the dataset, in its order.

What joins a table of all hands holds it in memory.
"""
_PART = 4 << 20
"""Bytes of the files of ``player_hands`` that a part has about: those of some 30,000 games."""
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


class QueryError(PaifuError):
    """A query that DuckDB refuses, or that does more than read."""


def query(dataset: str | Path, sql: str) -> pa.Table:
    """Return what a query finds in a dataset, as an Arrow table.

    The tables are those of the data dictionary: games, game_players, hands, player_hands, wins, deal_ins,
    discards and findings. Needs the extra ``sql``. Raises DatasetError, QueryError.
    """
    with opened(dataset) as tables:
        return tables.run(sql).read_all()


class Tables:
    """A dataset's tables, open for queries."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, parts: int) -> None:
        self._connection = connection
        self.parts = parts
        """Number of the views :data:`SITUATIONS`."""

    def run(self, sql: str) -> pa.RecordBatchReader:
        """Run a query; its result is read a few thousand rows at a time. Raises QueryError."""
        import duckdb

        try:
            statements = self._connection.extract_statements(sql)
            if len(statements) != 1:
                raise QueryError(
                    _("one query is wanted, and these are {count}").format(count=len(statements))
                )
            if statements[0].type != duckdb.StatementType.SELECT:
                raise QueryError(_("a dataset is only read: use SELECT, or FROM"))
            return self._connection.sql(statements[0]).to_arrow_reader(ROWS)
        except duckdb.Error as error:
            raise QueryError(str(error)) from error


@contextmanager
def opened(dataset: str | Path, *, jobs: int | None = None) -> Iterator[Tables]:
    """Open a dataset for queries.

    They may read its tables and nothing else, and write nothing. Raises DatasetError when it is none, or has
    no tables of this version, and ArgumentError when DuckDB is not installed.
    """
    try:
        import duckdb
    except ImportError:
        raise ArgumentError(_("queries need DuckDB: pip install 'paifu[sql]'")) from None
    if is_store(dataset):
        raise ArgumentError(
            _("{dataset}: queries read a dataset on a disk; copy it there").format(dataset=dataset)
        )
    root = Path(dataset)
    if not is_dataset(root):
        raise DatasetError(_("{root}: not a dataset; 'paifu import' makes one of logs").format(root=root))
    shards = list(iter_shards(root))
    files = {name: [_file(shard, name) for shard in shards] for name in TABLES}
    with tempfile.TemporaryDirectory(prefix="paifu-sql-") as scratch:
        connection = duckdb.connect(config={"memory_limit": MEMORY, "temp_directory": scratch})
        try:
            if jobs:
                connection.execute(f"SET threads = {jobs}")
            for name, paths in files.items():
                connection.execute(f"CREATE VIEW {name} AS FROM {_source(connection, name, paths)}")
            parts = list(_parts(files["player_hands"]))
            for number, part in enumerate(parts):
                sources = {name: _source(connection, name, paths[part]) for name, paths in files.items()}
                view = SITUATIONS.format(number)
                connection.execute(f"CREATE VIEW {view} AS {_SITUATIONS.format_map(sources)}")
            _shut(connection, [path for paths in files.values() for path in paths], scratch)
            yield Tables(connection, len(parts))
        finally:
            connection.close()


def _source(connection: duckdb.DuckDBPyConnection, name: str, paths: list[str]) -> str:
    """Return what stands after FROM for a table that these files hold; none of them: an empty one."""
    if paths:
        return f"read_parquet([{', '.join(map(sql_text, paths))}])"
    from paifu.reports.tables.making import schema

    empty = f"no_{name}"
    connection.register("nothing", schema(name).empty_table())
    connection.execute(f"CREATE TABLE IF NOT EXISTS {empty} AS FROM nothing")
    connection.unregister("nothing")
    return empty


def _parts(paths: list[str]) -> Iterator[slice]:
    """Divide shards by the sizes of one of their files; yields at least one part, which may be empty."""
    begin = size = 0
    for end, path in enumerate(paths):
        if size > _PART:
            yield slice(begin, end)
            begin, size = end, 0
        size += Path(path).stat().st_size
    yield slice(begin, len(paths))


def _shut(connection: duckdb.DuckDBPyConnection, paths: list[str], scratch: str) -> None:
    """Take away what is not needed to read these files, and the right to get it back."""
    connection.execute(f"SET max_temp_directory_size = '{ON_DISK}'")
    connection.execute("SET python_enable_replacements = false")
    connection.execute(f"SET allowed_paths = [{', '.join(map(sql_text, paths))}]")
    connection.execute(f"SET allowed_directories = [{sql_text(scratch)}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def sql_text(text: str) -> str:
    """Write a text as SQL does."""
    return "'" + text.replace("'", "''") + "'"


def _file(shard: Shard, name: str) -> str:
    """Return the file of one of a shard's tables, of this version."""
    import pyarrow as pa

    from paifu.parsers.dataset.parquet import open_file

    path = Path(str(shard.path(f"{FOR_PEOPLE}/{name}"))).resolve()
    if name == "games":  # one table speaks for all, or opening thousands of shards would take seconds
        try:
            metadata: dict[bytes, Any] = open_file(path).schema_arrow.metadata or {}
        except (OSError, ValueError, pa.ArrowException):
            metadata = {}
        if metadata.get(b"paifu.tables") != str(VERSION).encode():
            raise DatasetError(
                _("{root}: it has no tables for queries, or those of another version; {again}").format(
                    root=shard.root, again=_(_AGAIN)
                )
            )
    return str(path)
