"""Queries: a dataset's tables for people as views of DuckDB, for any question that SQL can put.

DuckDB does not notice Ctrl-C while it is at work, so it works in a thread, which is told to break off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, TypeVar

from paifu.parsers.dataset.entries import Shard
from paifu.parsers.dataset.shards import FOR_PEOPLE, DatasetError, checksum, iter_shards
from paifu.parsers.scratch import scratch_folder
from paifu.parsers.sources.paths import is_dataset
from paifu.replay.errors import PaifuError
from paifu.replay.foreign_text import escaped
from paifu.replay.language import N_, _
from paifu.reports.tables.declared import TABLES

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

R = TypeVar("R")

_AGAIN = N_("import it into a new folder: paifu import {root} -o NEW")
_AT_A_TIME = 10_000
"""Rows of a result that are held at a time."""
_BREAK_OFF = 0.1
"""Seconds until a query that goes on is told once more to break off."""
_NOT_IN_ARROW = re.compile(r"\b(BIT|BIGNUM|INTERVAL|TIME WITH TIME ZONE|UHUGEINT|UNION)\b")
"""Types that Arrow, or Parquet, has not: numbers overflow, zones and the ends of bits get lost."""


class QueryError(PaifuError):
    """A query that DuckDB refuses, or that does more than read."""


def query(dataset: str | Path, sql: str) -> pa.Table:
    """Return what a query finds in a dataset, as an Arrow table.

    The tables are those of the data dictionary: games, game_players, hands, player_hands, wins, deal_ins,
    discards and findings. Raises DatasetError and QueryError.

    >>> import tempfile
    >>> from paifu.api.import_dataset import importing
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = list(importing(["sample_logs/formats/hanchan.mjlog.gz"], folder))
    ...     query(folder, "SELECT count(*) AS hands FROM hands").to_pylist()
    [{'hands': 14}]
    """
    with opened(dataset) as tables:
        return tables.run(sql).read_all()


class Tables:
    """A dataset's tables, open for queries, one at a time.

    DuckDB sees a table when a query names it, once its files have been checked, and nothing else.
    """

    def __init__(self, files: dict[str, list[tuple[str, str]]], jobs: int | None, scratch: Path) -> None:
        import duckdb

        self._files, self._jobs, self._unseen = files, jobs, set(files)
        self.shards = len(files["games"])
        self._thread = ThreadPoolExecutor(1)
        config: dict[str, Any] = {"temp_directory": str(scratch), **({"threads": jobs} if jobs else {})}
        self._connection = duckdb.connect(config=config)
        readable = [path for paths in files.values() for path, _sum in paths]
        self._connection.execute(
            f"SET allowed_paths = {_sql_list(readable)};"
            f"SET allowed_directories = {_sql_list([str(scratch)])};"
            "SET python_enable_replacements = false;"
            "SET enable_external_access = false;"
            "SET lock_configuration = true"
        )
        self._cursor = self._connection.cursor()

    def run(self, sql: str) -> pa.RecordBatchReader:
        """Run a query; its result is read a few thousand rows at a time, until another query is run.

        Raises QueryError and DatasetError, as reading the result does.
        """
        import pyarrow as pa

        result = self._answer(self._begun, sql)
        batches = iter(partial(self._answer, next, result, None), None)
        return pa.RecordBatchReader.from_batches(result.schema, batches)

    def _answer(self, work: Callable[..., R], *arguments: object) -> R:
        """Have something done in the thread; Ctrl-C breaks it off."""
        import duckdb
        import pyarrow as pa

        future = self._thread.submit(work, *arguments)
        try:
            return future.result()
        except (duckdb.Error, pa.ArrowException, ValueError, RuntimeError, OSError, MemoryError) as error:
            raise QueryError(str(error)) from error
        finally:
            while not future.done():
                self._cursor.interrupt()
                wait([future], _BREAK_OFF)

    def _begun(self, sql: str) -> pa.RecordBatchReader:
        import duckdb

        self._cursor.close()  # with its result, if nobody has read the rest
        self._cursor = self._connection.cursor()
        statements = self._cursor.extract_statements(sql.encode("utf-8", "replace").decode())
        if len(statements) != 1:
            raise ValueError(_("expected one query, got {count}").format(count=len(statements)))
        if statements[0].type != duckdb.StatementType.SELECT:
            raise ValueError(_("a dataset is only read: use SELECT, or FROM"))
        self._show({name for name in self._unseen if name in sql.lower()})
        try:
            found = self._cursor.sql(statements[0].query)
        except duckdb.CatalogException:  # a name put together, or misspelt: DuckDB says what comes near
            self._show(self._unseen)
            found = self._cursor.sql(statements[0].query)
        return _held(found).to_arrow_reader(_AT_A_TIME)

    def _show(self, names: set[str]) -> None:
        """Let DuckDB see tables. Raises DatasetError for a file that was changed."""
        from paifu.reports.tables.making import schema

        for name in sorted(names):
            with ThreadPoolExecutor(self._jobs) as pool:
                paths = list(pool.map(checked, self._files[name]))
            if paths:
                self._connection.execute(f"CREATE VIEW {name} AS FROM {self.source(name)}")
            else:
                self._connection.register("nothing", schema(name).empty_table())
                self._connection.execute(f"CREATE TABLE {name} AS FROM nothing")
            self._unseen.remove(name)

    def source(self, name: str, begin: int = 0, end: int | None = None) -> str:
        """Return what is after FROM for the rows of a table in some shards."""
        paths = [path for path, _sum in self._files[name][begin:end]]
        return f"read_parquet({_sql_list(paths)})" if paths else name

    def close(self) -> None:
        """End what is under way."""
        self._thread.shutdown()
        self._connection.close()


def _held(found: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Return a result as Arrow holds it truly: each column with a name of its own, some types as text."""
    found = found.project("*")
    columns = zip(found.columns, found.types, strict=True)
    lost = ['"' + name.replace('"', '""') + '"' for name, kind in columns if _NOT_IN_ARROW.search(str(kind))]
    texts = ", ".join(f"CAST({name} AS VARCHAR) AS {name}" for name in lost)
    return found.project(f"* REPLACE ({texts})") if lost else found


@contextmanager
def opened(dataset: str | Path, *, jobs: int | None = None) -> Iterator[Tables]:
    """Open a dataset for queries.

    They may read its tables and nothing else, and write nothing. Raises DatasetError if it is not a dataset
    or has no tables of this version.
    """
    with scratch_folder() as scratch:
        tables = Tables(table_files(dataset), jobs, scratch)
        try:
            yield tables
        finally:
            tables.close()


def table_files(dataset: str | Path) -> dict[str, list[tuple[str, str]]]:
    """Return the files of each table of a dataset with their checksums, in the order of the shards.

    Raises DatasetError if it is not a dataset or has no tables of this version.
    """
    root = Path(dataset)
    if not is_dataset(root):
        raise DatasetError(_("{root}: not a dataset; 'paifu import' makes one of logs").format(root=root))
    shards = list(iter_shards(root))
    return {name: [_file(shard, name) for shard in shards] for name in TABLES}


def _file(shard: Shard, name: str) -> tuple[str, str]:
    """Return the file of one of a shard's tables, of this version, and its checksum."""
    import pyarrow as pa

    from paifu.parsers.dataset.parquet import open_file
    from paifu.reports.tables.making import MADE, tables_key

    path = shard.path(f"{FOR_PEOPLE}/{name}").resolve()
    why = ""
    if name not in shard.entry.tables:
        why = _("{root}: it has no tables for queries; {again}")
    elif name == "games":  # one table speaks for all, or opening thousands of shards would take seconds
        try:
            if (open_file(path).schema_arrow.metadata or {}).get(MADE) != tables_key().encode():
                why = _("{root}: its tables are stale: another engine, or other rules, made them; {again}")
        except (OSError, ValueError, pa.ArrowException):
            raise _damaged(str(path)) from None
    if why:
        raise DatasetError(why.format(root=shard.root, again=_again(shard.root)))
    return str(path), shard.entry.tables[name]


def checked(file: tuple[str, str]) -> str:
    """Return the path of a file that has its checksum. Raises DatasetError for any other."""
    path, due = file
    with suppress(OSError):
        if Path(path).is_file():
            with Path(path).open("rb") as content:
                if checksum(content) == due:
                    return path
    raise _damaged(path)


def sql_text(text: str) -> str:
    """Write a text as SQL does."""
    return "'" + text.replace("'", "''") + "'"


def _sql_list(texts: list[str]) -> str:
    return f"[{', '.join(map(sql_text, texts))}]"


def _damaged(path: str) -> DatasetError:
    """Return the error of a table that is not what was imported."""
    text = _("{path}: changed since the import; {again}")
    return DatasetError(text.format(path=escaped(path), again=_again(Path(path).parents[2])))


def _again(root: Any) -> str:
    """Return the command that makes the tables of a dataset anew."""
    return _(_AGAIN).format(root=quote(escaped(str(root))))
