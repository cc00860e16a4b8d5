"""Logs in SQLite databases, as the public downloaders of Tenhou logs write them.

Opened read-only and read row by row in the order they lie there. Only rows that their downloader has marked
as fetched without error and that have content count; the others are work it has still to do.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from paifu.parsers.errors import ParseError, too_big

_WAIT = 2.0  # seconds for another program to finish its write


class _Store(NamedTuple):
    """A known schema: its table, columns of names and contents, and a condition on rows."""

    program: str
    table: str
    name: str
    content: str
    condition: str

    @property
    def columns(self) -> set[str]:
        """The columns that the table is known by."""
        return {self.name, self.content, *re.findall(r"(\w+) =", self.condition)}

    @property
    def by_index(self) -> str:
        """The query for names and contents, where one name is wanted.

        Its parameter is the size limit: a blob beyond it is not loaded but comes as NULL.
        """
        return (
            f"SELECT {self.name}, CASE WHEN typeof({self.content}) = 'blob' AND length({self.content}) > ? "  # noqa: S608
            f"THEN NULL ELSE {self.content} END "
            f"FROM {self.table} WHERE {self.condition}length({self.content}) > 0"
        )

    @property
    def query(self) -> str:
        """The same in the order of the table, to which ``NOT INDEXED`` keeps."""
        return self.by_index.replace(" WHERE", " NOT INDEXED WHERE")


_FETCHED = "is_processed = 1 AND was_error = 0 AND "
_STORES = (
    _Store("houou-logs", "logs", "id", "log", _FETCHED),
    _Store("phoenix-logs", "logs", "log_id", "log_content", _FETCHED),
    _Store("tenhou-db", "games", "log_id", "game_json", ""),
)


def database_rows(path: Path, most: int, only: str = "") -> Iterator[tuple[str, bytes | ParseError]]:
    """Name and content, perhaps compressed, of each log in a database; an error for one too big.

    ``only`` is the name of the one that is wanted. Raises ParseError if the database cannot be read, or not
    to its end.
    """
    try:
        with closing(_open(path)) as database:
            database.text_factory = bytes  # contents are passed on as they are, whatever their encoding
            # Text has to be loaded to be measured; this is where loading ends.
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 4 * most)
            database.execute("PRAGMA trusted_schema = OFF")
            store = _store_of(database)
            query = f"{store.by_index} AND {store.name} = ?" if only else store.query
            for name, content in database.execute(query, (most, only) if only else (most,)):
                shown = name.decode(errors="backslashreplace") if isinstance(name, bytes) else str(name)
                if isinstance(content, bytes):
                    yield shown, content
                elif content is None:
                    yield shown, too_big(most)
                else:
                    yield shown, ParseError("the row holds a number, not a log")
    except sqlite3.Error as error:
        raise _database_error(error) from error


def names_of_rows(path: Path, names: Sequence[str]) -> list[str]:
    """Return those of some names of logs that a database has; raises ParseError or sqlite3.Error."""
    with closing(_open(path)) as database:
        database.text_factory = bytes
        store = _store_of(database)
        query = f"SELECT {store.name} FROM ({store.by_index}) WHERE {store.name} = ?"  # noqa: S608
        return [name for name in names if database.execute(query, (0, name)).fetchone()]


def _open(path: Path) -> sqlite3.Connection:
    address = path.absolute().as_uri()
    database = sqlite3.connect(f"{address}?mode=ro", uri=True, timeout=_WAIT)
    try:
        database.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        database.close()
        # A database in write-ahead mode wants to write its index file even to be read, which fails in a
        # folder without write permission. With no log of writes pending, the file alone is the truth.
        if "locked" in str(error) or path.with_name(path.name + "-wal").exists():
            raise
        return sqlite3.connect(f"{address}?immutable=1", uri=True)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _store_of(database: sqlite3.Connection) -> _Store:
    """The first known schema whose table, a real one with pages of its own, has all its columns."""
    tables = {
        name
        for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
        )
    }
    for store in _STORES:
        if store.table.encode() in tables:
            columns = {
                name.decode(errors="replace")
                for (name,) in database.execute("SELECT name FROM pragma_table_info(?)", (store.table,))
            }
            if store.columns <= columns:
                return store
    known = ", ".join(store.program for store in _STORES)
    raise ParseError(
        "a SQLite database without a table of logs", hint=f"known are databases of {known}", code="V102"
    )


def _database_error(error: sqlite3.Error) -> ParseError:
    if "locked" in str(error):
        return ParseError(
            "the database is locked by another program", hint="let it finish, or read a copy of the file"
        )
    return ParseError(
        f"the database cannot be read: {error}", hint="check it with: sqlite3 FILE 'PRAGMA integrity_check'"
    )
