"""Tiny logs and the containers they come in, for the tests of sources. The logs are made up."""

from __future__ import annotations

import gzip
import io
import sqlite3
import tarfile
import zipfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from paifu.parsers.errors import DamagedError, InputFault
from paifu.parsers.sources.documents import DEFAULT_LIMITS, Document, InputLimits, open_document
from paifu.parsers.sources.paths import iter_documents


def mjlog(number: int = 0, size: int = 0) -> bytes:
    """One game, told apart by ``number``, padded to at least ``size`` bytes."""
    body = f'<mjloggm ver="2.3"><GO type="9" lobby="{number}"/><UN n0="%61"/>'.encode()
    end = b"</mjloggm>"
    return body + b"<T1/>" * max(0, -(-(size - len(body) - len(end)) // 5)) + end


def tenhou6(number: int = 0) -> bytes:
    """One game of JSON on one line, without a line break."""
    return b'{"title":["",""],"name":["a","b","c","d"],"rule":{"aka":1},"log":[[[%d,0,0],[],[]]]}' % number


def zipped(members: dict[str, bytes]) -> bytes:
    """A zip archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def tarred(members: dict[str, bytes], mode: str = "w") -> bytes:
    """A tar archive, compressed as ``mode`` says (``w:gz``, ``w:bz2``, ``w:xz``)."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


SCHEMAS = {
    "houou-logs": "CREATE TABLE logs (id TEXT PRIMARY KEY, date TEXT NOT NULL, num_players INTEGER NOT NULL, "
    "is_tonpu INTEGER NOT NULL, is_processed INTEGER NOT NULL, was_error INTEGER NOT NULL, log BLOB) "
    "WITHOUT ROWID",
    "phoenix-logs": "CREATE TABLE logs (log_id TEXT PRIMARY KEY, date TEXT, is_tonpusen INT, is_sanma INT, "
    "is_processed INT, was_error INT, log_content TEXT)",
    "tenhou-db": "CREATE TABLE games (log_id TEXT PRIMARY KEY, start_date_time TEXT, duration_minutes INT, "
    "rule_id INT, lobby_id TEXT, game_json BLOB, game_json_sha256 TEXT, last_checked TEXT)",
}


def database(path: Path, program: str, logs: Iterable[tuple[str, object]]) -> Path:
    """A database with the schema of ``program``, and rows of names and contents, all fetched."""
    rows = {
        "houou-logs": "INSERT INTO logs VALUES (?, '2024-01-01T00:00', 4, 0, 1, 0, ?)",
        "phoenix-logs": "INSERT INTO logs VALUES (?, '2024-01-01', 0, 0, 1, 0, ?)",
        "tenhou-db": "INSERT INTO games (log_id, game_json) VALUES (?, ?)",
    }
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(SCHEMAS[program])
        connection.executemany(rows[program], logs)
    return path


def read(*paths: str | Path, **options: object) -> tuple[list[Document], list[InputFault]]:
    """Documents and faults of some paths."""
    items = list(iter_documents(paths, **options))  # type: ignore[arg-type]
    return (
        [item for item in items if isinstance(item, Document)],
        [item for item in items if isinstance(item, InputFault)],
    )


def opened(
    documents: Iterable[Document], limits: InputLimits = DEFAULT_LIMITS
) -> list[tuple[bytes, bool, str]]:
    """What a worker makes of documents: text, whether it is cut, and the reason of a fault or ''."""
    results = []
    for document in documents:
        try:
            results.append((open_document(document, limits), document.cut, ""))
        except DamagedError as error:
            results.append((error.readable, True, error.reason))
    return results


def content(*paths: str | Path, **options: object) -> bytes:
    """All text of some paths that must be without fault."""
    documents, faults = read(*paths, **options)
    assert faults == []
    return b"".join(open_document(document) for document in documents)


def gz(data: bytes) -> bytes:
    """One gzip member."""
    return gzip.compress(data, mtime=0)
