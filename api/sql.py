"""Queries: a dataset's tables for people as views of DuckDB, for any question that SQL can put.

They run in a process of their own (:mod:`paifu.api.query_process`), which limits hold for.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import orjson

from paifu.api import query_process
from paifu.api.query_limits import LEAST_MEMORY, MEMORY, TIMEOUT
from paifu.parsers.dataset.entries import Shard
from paifu.parsers.dataset.shards import FOR_PEOPLE, DatasetError, iter_shards
from paifu.parsers.scratch import scratch_folder
from paifu.parsers.sources.paths import is_dataset
from paifu.parsers.stores import is_store
from paifu.replay.errors import ArgumentError, PaifuError
from paifu.replay.foreign_text import escaped
from paifu.replay.language import N_, _
from paifu.reports.tables.declared import TABLES, VERSION

if TYPE_CHECKING:
    import pyarrow as pa

_VERSION, _MADE = b"paifu.tables", b"paifu.made"
"""What files say of the version of the tables, and of what made them."""
_AGAIN = N_("import it into a new folder: paifu import {root} -o NEW")

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
    """A query that DuckDB refuses, that does more than read, or that goes beyond a limit."""


def query(dataset: str | Path, sql: str, *, memory: int = MEMORY, timeout: float = TIMEOUT) -> pa.Table:
    """Return what a query finds in a dataset, as an Arrow table.

    The tables are those of the data dictionary: games, game_players, hands, player_hands, wins, deal_ins,
    discards and findings. A query may take at most ``memory`` megabytes and ``timeout`` seconds.
    Raises DatasetError, and QueryError also when the query goes beyond a limit.

    >>> import tempfile
    >>> from paifu.api.import_dataset import importing
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = list(importing(["sample_logs/formats/hanchan.mjlog.gz"], folder))
    ...     query(folder, "SELECT count(*) AS hands FROM hands").to_pylist()
    [{'hands': 14}]
    """
    with opened(dataset, memory=memory, timeout=timeout) as tables:
        return tables.run(sql).read_all()


class Tables:
    """A dataset's tables, open for queries, one at a time."""

    def __init__(self, plan: query_process.QueryPlan) -> None:
        self._plan = plan
        self._process: subprocess.Popen[bytes] | None = None
        self._is_asked = False
        self.parts = len(plan.views)
        """Number of the views :data:`SITUATIONS`."""

    def run(self, sql: str) -> pa.RecordBatchReader:
        """Run a query; its result is read a few thousand rows at a time. Ends the one before.

        Raises QueryError and DatasetError, as reading the result does.
        """
        import pyarrow as pa

        if self._is_asked:  # nobody reads the rest
            self.close()
        answers = self._answers(sql)
        columns = next(answers)
        batches = (batch for answer in answers for batch in answer)
        return pa.RecordBatchReader.from_batches(columns.schema, batches)

    def _answers(self, sql: str) -> Iterator[pa.RecordBatchStreamReader]:
        """Ask, and yield the answer as it comes: streams of rows, of which the first is empty."""
        import pyarrow as pa

        self._is_asked = True
        self._send(orjson.dumps(sql.encode("utf-8", "replace").decode()) + b"\n")
        while True:
            letter, content = self._receive()
            if letter == query_process.ROWS:
                yield pa.ipc.open_stream(content)
                continue
            self._is_asked = False
            if letter == query_process.END:
                return
            text = content.decode("utf-8", "surrogateescape")
            raise QueryError(text) if letter == query_process.REFUSED else damaged(text)

    def _send(self, line: bytes) -> None:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603  this interpreter
                [
                    sys.executable,
                    "-P",
                    "-m",
                    query_process.__name__,
                ],  # -P: no module of the folder that it is in
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                process_group=0,  # Ctrl-C is for this process, which ends the other
            )
            line = self._plan.line() + line
        assert self._process.stdin is not None  # noqa: S101  it was asked for
        with suppress(OSError):  # where it has died, there is no answer
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def _receive(self) -> tuple[bytes, bytes]:
        """Return the next frame; a process that sends none has ended, and says why in its status."""
        assert self._process is not None  # noqa: S101
        assert self._process.stdout is not None  # noqa: S101
        head = self._process.stdout.read(query_process.HEAD.size)
        letter, length = query_process.HEAD.unpack(head) if len(head) == query_process.HEAD.size else (b"", 0)
        content = self._process.stdout.read(length)
        if letter and len(content) == length:
            return letter, content
        status = self._process.wait()
        self.close()
        plan = self._plan
        why = {
            query_process.OUT_OF_MEMORY: _(
                "the query needs more than {memory:,} MB of memory; ask for less, or allow more"
            ),
            query_process.OUT_OF_TIME: _(
                "the query takes longer than {seconds:g} s; ask for less, or allow more"
            ),
        }.get(status, _("DuckDB ended with status {status} while it ran the query; ask for less"))
        raise QueryError(
            why.format(memory=plan.memory // query_process.MEGABYTE, seconds=plan.seconds, status=status)
        )

    def close(self) -> None:
        """End the process, whatever it does."""
        process, self._process, self._is_asked = self._process, None, False
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):  # what was not sent
                        stream.close()


@contextmanager
def opened(
    dataset: str | Path, *, jobs: int | None = None, memory: int = MEMORY, timeout: float = TIMEOUT
) -> Iterator[Tables]:
    """Open a dataset for queries, each of which may take this many megabytes and seconds.

    They may read its tables and nothing else, and write nothing. Raises DatasetError if it is not a dataset
    or has no tables of this version.
    """
    if not (memory >= LEAST_MEMORY and timeout > 0):
        raise ArgumentError(_("a query needs {least} MB of memory, and some time").format(least=LEAST_MEMORY))
    files = table_files(dataset)
    parts = enumerate(_parts([path for path, _sum in files["player_hands"]]))
    views = {SITUATIONS.format(number): (_SITUATIONS, *part) for number, part in parts}
    with scratch_folder() as scratch:
        plan = query_process.QueryPlan(
            files, views, jobs, memory * query_process.MEGABYTE, timeout, str(scratch)
        )
        tables = Tables(plan)
        try:
            yield tables
        finally:
            tables.close()


def table_files(dataset: str | Path) -> dict[str, list[tuple[str, str]]]:
    """Return the files of each table of a dataset with their checksums, in the order of the shards.

    Raises DatasetError if it is not a dataset or has no tables of this version, and ArgumentError if it does
    not lie on a disk.
    """
    if is_store(dataset):
        raise ArgumentError(
            _("{dataset}: queries read a dataset on a disk; copy it there").format(dataset=dataset)
        )
    root = Path(dataset)
    if not is_dataset(root):
        raise DatasetError(_("{root}: not a dataset; 'paifu import' makes one of logs").format(root=root))
    shards = list(iter_shards(root))
    return {name: [_file(shard, name) for shard in shards] for name in TABLES}


def _parts(paths: list[str]) -> Iterator[tuple[int, int]]:
    """Divide shards by the sizes of one of their files; yields at least one part, which may be empty."""
    begin = size = 0
    for end, path in enumerate(paths):
        if size > _PART:
            yield begin, end
            begin, size = end, 0
        with suppress(OSError):  # it is missing, which a query that needs it says
            size += Path(path).stat().st_size
    yield begin, len(paths)


def _file(shard: Shard, name: str) -> tuple[str, str]:
    """Return the file of one of a shard's tables, of this version, and its checksum."""
    import pyarrow as pa

    from paifu.parsers.dataset.parquet import open_file
    from paifu.reports.tables.making import tables_key

    path = Path(str(shard.path(f"{FOR_PEOPLE}/{name}"))).resolve()
    metadata: dict[bytes, Any] | None = None
    if name == "games":  # one table speaks for all, or opening thousands of shards would take seconds
        try:
            metadata = open_file(path).schema_arrow.metadata or {}
        except (OSError, ValueError, pa.ArrowException):
            if shard.entry.tables:
                raise damaged(str(path)) from None
    if name not in shard.entry.tables or (metadata and metadata.get(_VERSION) != str(VERSION).encode()):
        text = _("{root}: it has no tables for queries, or those of another version; {again}")
        raise DatasetError(text.format(root=shard.root, again=_again(shard.root)))
    if metadata and metadata.get(_MADE) != tables_key().encode():
        text = _("{root}: its tables are stale: another engine, or other rules, made them; {again}")
        raise DatasetError(text.format(root=shard.root, again=_again(shard.root)))
    return str(path), shard.entry.tables[name]


def damaged(path: str) -> DatasetError:
    """Return the error of a table that is not what was imported."""
    text = _("{path}: changed since the import; {again}")
    return DatasetError(text.format(path=escaped(path), again=_again(Path(path).parents[2])))


def _again(root: Any) -> str:
    """Return the command that makes the tables of a dataset anew."""
    return _(_AGAIN).format(root=quote(escaped(str(root))))
