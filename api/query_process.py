"""The process that queries run in, within limits: ``python -P -m paifu.api.query_process``.

DuckDB's own limit of memory leaves out the values that a query makes, and it has no limit of time; nor does
it notice Ctrl-C before it has a row. So queries run in a process that watches itself and that
:mod:`paifu.api.sql` can end at any time. It ends by itself when that process is gone.

What it is asked comes as lines of JSON on stdin: first :class:`QueryPlan`, then a query in each. What it
answers are frames on stdout: a letter, the length, and as many bytes. A frame of rows is a stream of Arrow
IPC.
"""

from __future__ import annotations

import os
import queue
import struct
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import orjson

from paifu.parsers.dataset.shards import checksum
from paifu.replay.language import _

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

ROWS, END, REFUSED, DAMAGED = b"r", b".", b"q", b"d"
"""Letters of frames: rows; the result is complete; why DuckDB refuses a query; a file that was changed."""
HEAD = struct.Struct("<cQ")
OUT_OF_MEMORY, OUT_OF_TIME = 73, 74
"""Exit statuses at a limit."""
MEGABYTE = 1_000_000
_AT_A_TIME = 10_000
"""Rows of a result that are held at a time."""
_ON_DISK = "20GB"
_OF_DUCKDB = 0.6
"""DuckDB's share of the memory: what it knows of, and moves to disk beyond."""
_BEAT = 0.02
"""Seconds between two looks at the limits: a query fills some 50 MB meanwhile."""
_STATISTICS = Path("/proc/self/statm")


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What the process is to do: which files it may read, and within which limits."""

    tables: dict[str, list[tuple[str, str]]]
    """Files of each table, with their checksums, in the order of the shards."""
    views: dict[str, tuple[str, int, int]]
    """More views: SQL with the names of tables in braces, and the range of shards that they cover."""
    threads: int | None
    memory: int
    """Bytes."""
    seconds: float
    scratch: str

    def line(self) -> bytes:
        """Return it as a line of JSON."""
        return orjson.dumps(asdict(self)) + b"\n"


class DamagedTableError(Exception):
    """A file is not what the manifest says: its path."""


class QueryWatch:
    """Ends this process at once when it takes too much memory, or a query too much time."""

    def __init__(self, memory: int, seconds: float) -> None:
        self._memory, self._seconds = memory, seconds
        self._spent = 0.0
        self._since: float | None = None

    def begin(self) -> None:
        """Begin to count the time of another query."""
        self._spent = 0.0

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Count this time, unlike that in which a reader makes the query wait."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self._spent += time.monotonic() - self._since
            self._since = None

    def watch(self) -> None:
        """Look at the limits forever."""
        while True:
            time.sleep(_BEAT)
            since = self._since
            if self._spent + (time.monotonic() - since if since else 0) > self._seconds:
                os._exit(OUT_OF_TIME)
            if _resident() > self._memory:
                os._exit(OUT_OF_MEMORY)


def _resident() -> int:
    """Bytes of memory that this process holds; 0 where the system does not say."""
    try:
        return int(_STATISTICS.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


class Database:
    """The tables of a dataset. DuckDB sees one when a query names it, once its files have been checked."""

    def __init__(self, plan: QueryPlan) -> None:
        import duckdb

        self._plan = plan
        self._unseen = {*plan.tables, *plan.views}
        config: dict[str, Any] = {
            "memory_limit": f"{int(plan.memory * _OF_DUCKDB)}B", "temp_directory": plan.scratch,
        }  # fmt: skip
        if plan.threads:
            config["threads"] = plan.threads
        self._connection = duckdb.connect(config=config)
        self._shut()

    def _shut(self) -> None:
        """Take away what is not needed to read these files, and the right to get it back."""
        paths = ", ".join(sql_text(path) for files in self._plan.tables.values() for path, _sum in files)
        self._connection.execute(f"SET max_temp_directory_size = '{_ON_DISK}'")
        self._connection.execute("SET python_enable_replacements = false")
        self._connection.execute(f"SET allowed_paths = [{paths}]")
        self._connection.execute(f"SET allowed_directories = [{sql_text(self._plan.scratch)}]")
        self._connection.execute("SET enable_external_access = false")
        self._connection.execute("SET lock_configuration = true")

    def run(self, sql: str) -> pa.RecordBatchReader:
        """Run a query. Raises DamagedError, duckdb.Error, and ValueError for what is more than a query."""
        import duckdb

        statements = self._connection.extract_statements(sql)
        if len(statements) != 1:
            raise ValueError(_("expected one query, got {count}").format(count=len(statements)))
        if statements[0].type != duckdb.StatementType.SELECT:
            raise ValueError(_("a dataset is only read: use SELECT, or FROM"))
        self._show({name for name in self._unseen if name in sql.lower()})
        try:
            found = self._connection.sql(statements[0])
        except (
            duckdb.CatalogException
        ):  # a name that is put together, or misspelt: DuckDB says what comes near
            self._show(self._unseen & set(self._plan.tables))
            found = self._connection.sql(self._connection.extract_statements(sql)[0])
        return _held(found).to_arrow_reader(_AT_A_TIME)

    def _show(self, names: set[str]) -> None:
        """Let DuckDB see tables, and other views, that it has not seen yet. Raises DamagedError."""
        for name in sorted(names & set(self._plan.tables)):
            with ThreadPoolExecutor(self._plan.threads) as pool:
                for path in filter(None, pool.map(_changed, self._plan.tables[name])):
                    raise DamagedTableError(path)
            files = self._plan.tables[name]
            self._connection.execute(f"CREATE VIEW {name} AS FROM {self._source(name, files)}")
            self._unseen.remove(name)
        for name in names & set(self._plan.views):
            sql, begin, end = self._plan.views[name]
            used = {table for table in self._plan.tables if f"{{{table}}}" in sql}
            self._show(used & self._unseen)
            sources = {table: self._source(table, self._plan.tables[table][begin:end]) for table in used}
            self._connection.execute(f"CREATE VIEW {name} AS {sql.format_map(sources)}")
            self._unseen.remove(name)

    def _source(self, name: str, files: list[tuple[str, str]]) -> str:
        """Return what is after FROM for a table that these files hold; none of them: an empty one."""
        if files:
            return f"read_parquet([{', '.join(sql_text(path) for path, _sum in files)}])"
        from paifu.reports.tables.making import schema

        empty = f"no_{name}"
        self._connection.register("nothing", schema(name).empty_table())
        self._connection.execute(f"CREATE TABLE IF NOT EXISTS {empty} AS FROM nothing")
        self._connection.unregister("nothing")
        return empty


def _held(found: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Return a result as Arrow holds it truly: each column with a name of its own, some types as text."""
    names, lost = _distinct(found.columns), list(map(_is_lost, found.types))
    if names == found.columns and not any(lost):
        return found
    columns = []
    for number, (name, kind, is_lost) in enumerate(zip(names, found.types, lost, strict=True), 1):
        value = f"CAST(#{number} AS {_type_in_arrow(kind)})" if is_lost else f"#{number}"
        columns.append(f"{value} AS {_sql_name(name)}")
    return found.project(", ".join(columns))


def _distinct(names: list[str]) -> list[str]:
    """Return names of columns, later ones of the same name with a number, as DuckDB does in a subquery."""
    found: dict[str, None] = {}
    for name in names:
        numbered = (f"{name}_{number}" for number in count(1))
        free = (one for one in numbered if one not in found and one not in names)
        found[name if name not in found else next(free)] = None
    return list(found)


_AS_TEXT = frozenset(("bit", "bignum", "interval", "time with time zone", "uhugeint", "union"))
"""Types that Arrow, or Parquet, has not: numbers overflow, zones and the ends of bits get lost."""
_OF_PARTS = frozenset(("list", "array", "map", "struct", "tuple"))


def _is_lost(kind: Any) -> bool:
    """Return whether Arrow does not hold a type, or one of its parts."""
    return kind.id in _AS_TEXT or (
        kind.id in _OF_PARTS and any(_is_lost(part) for part in _parts_of(kind).values())
    )


def _parts_of(kind: Any) -> dict[str, Any]:
    """Return the types within a type; fields without a name get that which Arrow gives them."""
    parts = kind.children[:1] if kind.id == "array" else kind.children
    return {name or f"element{number}": part for number, (name, part) in enumerate(parts, 1)}


def _type_in_arrow(kind: Any) -> str:
    """Return a type with text in place of what Arrow does not hold."""
    if not _is_lost(kind):
        return str(kind)
    if kind.id in _AS_TEXT:
        return "VARCHAR"
    parts = {name: _type_in_arrow(part) for name, part in _parts_of(kind).items()}
    if kind.id == "map":
        return f"MAP({parts['key']}, {parts['value']})"
    if kind.id in ("struct", "tuple"):
        return f"STRUCT({', '.join(f'{_sql_name(name)} {part}' for name, part in parts.items())})"
    return f"{parts['child']}[{kind.children[1][1] if kind.id == 'array' else ''}]"


def _sql_name(text: str) -> str:
    """Write a name as SQL does."""
    return '"' + text.replace('"', '""') + '"'


def _changed(file: tuple[str, str]) -> str:
    """Return the path of a file that is missing or does not have its checksum."""
    path, due = file
    try:
        if Path(path).is_file():
            with Path(path).open("rb") as content:
                return path if checksum(content) != due else ""
    except OSError:
        pass
    return path


def sql_text(text: str) -> str:
    """Write a text as SQL does."""
    return "'" + text.replace("'", "''") + "'"


def _frames(database: Database, sql: str, limits: QueryWatch) -> Iterator[tuple[bytes, bytes]]:
    """Yield the answer to a query; the first frame of rows has none, only their columns."""
    import duckdb
    import pyarrow as pa

    limits.begin()
    try:
        with limits.at_work():
            result = database.run(sql)
        yield ROWS, _stream(result.schema)
        while True:
            with limits.at_work():
                batch = next(result, None)
                content = b"" if batch is None else _stream(result.schema, batch)
            if not content:
                break
            yield ROWS, content
        yield END, b""
    except DamagedTableError as error:
        yield DAMAGED, str(error).encode("utf-8", "surrogateescape")
    except duckdb.OutOfMemoryException as error:  # what else it says is advice that nobody can follow here
        reason = str(error).partition("\n")[0]
        yield REFUSED, _("{reason}; ask for less, or allow more").format(reason=reason).encode()
    except (duckdb.Error, pa.ArrowException, ValueError, OSError, MemoryError) as error:
        yield REFUSED, str(error).encode("utf-8", "replace")


def _stream(schema: pa.Schema, *batches: pa.RecordBatch) -> pa.Buffer:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return sink.getvalue()


def main(stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Answer queries until there are no more, or until nobody is there to ask."""
    plan = QueryPlan(**orjson.loads(stdin.readline()))
    limits = QueryWatch(plan.memory, plan.seconds)
    lines: queue.Queue[bytes] = queue.Queue()

    def listen() -> None:
        for line in stdin:
            lines.put(line)
        os._exit(0)

    for act in (limits.watch, listen):
        threading.Thread(target=act, daemon=True).start()
    database = Database(plan)
    while True:
        for letter, content in _frames(database, orjson.loads(lines.get()), limits):
            stdout.write(HEAD.pack(letter, len(content)))
            stdout.write(content)
        stdout.flush()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
