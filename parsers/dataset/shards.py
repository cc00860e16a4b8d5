"""A dataset: a folder of Parquet files that ``paifu import`` writes and every command reads as a PATH.

Layout: ``paifu-dataset.json`` (the manifest) and one folder a table, ``games/``, ``hands/``, ``events/``,
..., each with one file a shard, ``<shard>.parquet``. A shard holds the batch of one unit of input. Beside
the tables of a batch is ``documents``: the digest of every piece of input that went in, by which a
later import knows what is there already.

Under ``facts/`` lie, in the same form, tables that were derived from a shard's batch (:class:`Derivation`),
each with a key that says by what; a reader must have the same key, or derive them again. Under ``tables/``
lie those for people and other programs (:mod:`paifu.reports.tables.declared`), which nothing but
``paifu sql`` and ``paifu find`` reads. They read no batch to compare them with, so the manifest has a
checksum of each.

Nothing of a dataset is trusted: a shard has the rows that the manifest states, takes no more memory than
:mod:`paifu.parsers.dataset.parquet` lets it, and agrees with itself (:mod:`paifu.replay.bounds`).

A shard exists when the manifest lists it. Its files are written under other names and renamed, the
manifest is replaced in one step after them; what a killed run left is in no manifest, is read
by nobody, and is cleared away by the next import. One import at a time holds the folder's lock.
"""

from __future__ import annotations

import hashlib
import io
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass, field
from itertools import chain
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from paifu.parsers.dataset.entries import InputItem, Shard, ShardEntry, shard_path
from paifu.parsers.output_files import (
    LOCK,
    PARTIAL,
    HeldError,
    OutputError,
    held,
    make_folder,
    write_file,
)
from paifu.parsers.sources.documents import Document
from paifu.parsers.sources.paths import DATASET_MANIFEST
from paifu.replay.bounds import BoundsError, check_batch, check_table
from paifu.replay.errors import PaifuError
from paifu.replay.foreign_text import escaped
from paifu.replay.model.batch import MAX_OPTIONS, SCHEMA_VERSION, TABLES, Batch, Faults, Table, Verdicts

if TYPE_CHECKING:
    import pyarrow as pa

MANIFEST_SCHEMA = "paifu.dataset/1"
DOCUMENTS = "documents"
"""Table of the digests of what went in."""
FACTS = "facts"
"""Folder of the derived tables."""
FOR_PEOPLE = "tables"
"""Folder of the tables for people."""
_KEY = b"paifu.facts"
AGAIN = "remove the dataset and import again"
"""What to do about a damaged one."""
_SHARD_NAME = re.compile("[0-9a-f]{20}")
_LEFT_OVER = re.compile(rf"[0-9a-f]{{20}}\.parquet|\.[0-9a-f]{{20}}\.parquet{re.escape(PARTIAL)}")
"""Names of files that an import makes: another's, such as a table of your own, is not deleted."""
_CHECKSUM = 16
"""Digits of a checksum: enough for damage, and a manifest of thousands of shards stays small."""
_MAX_ROWS = 2**31 - 1
"""Row numbers are 32 bits wide."""

T = TypeVar("T", bound=Table)


class DatasetError(PaifuError):
    """A dataset that cannot be read or written."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """What an import keeps beside each batch: how to make it, and a key that changes when that does."""

    make: Callable[[Batch, int], Mapping[str, Table | pa.Table]]
    """Must be picklable; returns tables by name, of a batch and the shard's number, or raises BoundsError for
    some that a reader would refuse. Arrow tables are for
    people and lie under ``tables/``; they say themselves of which version they are."""
    key: str
    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys of the tables, by name, that depend on more than the others."""


# --- reading -------------------------------------------------------------------------------------------


def read_manifest(root: Path) -> list[ShardEntry]:
    """Return the shards of the dataset at ``root``.

    Raises DatasetError if the manifest cannot be read or belongs to another version.
    """
    path = root / DATASET_MANIFEST
    try:
        manifest = orjson.loads(path.read_bytes())
        schema, version = manifest["schema"], manifest["tables"]
        if (schema, version) != (MANIFEST_SCHEMA, SCHEMA_VERSION):
            raise DatasetError(
                f"{path}: written as {schema} with tables of version {version}, this paifu reads "
                f"{MANIFEST_SCHEMA} with version {SCHEMA_VERSION}; import the logs again into a new folder"
            )
        return _entries(manifest["shards"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(
            f"{path}: not the manifest of a paifu dataset ({error}); import the logs again into a new folder"
        ) from error


def _entries(stated: list[dict[str, Any]]) -> list[ShardEntry]:
    entries = [ShardEntry(**one) for one in stated]
    names: set[str] = set()
    for entry in entries:
        name, counts = entry.name, list(entry.counts.values())
        if not (isinstance(name, str) and _SHARD_NAME.fullmatch(name)):
            raise ValueError(f"a shard is called {name!r:.60}")
        if name in names:
            raise ValueError(f"it lists shard {name} twice")
        if not all(type(count) is int and 0 <= count <= _MAX_ROWS for count in counts):
            raise ValueError(f"the counts of shard {name} are {counts!r:.60}")
        if not (
            isinstance(entry.tables, dict) and all(isinstance(one, str) for one in entry.tables.values())
        ):
            raise ValueError(f"the checksums of shard {name} are {entry.tables!r:.60}")
        names.add(name)
    if any(not one.games and (one.hands or one.events) for one in entries):
        raise ValueError("a shard has hands or events and no game")
    return entries


def iter_shards(root: Path) -> Iterator[Shard]:
    """The shards of a dataset, in the order in which they were imported."""
    return iter([Shard(root, entry) for entry in read_manifest(root)])


def read_shard(shard: Shard) -> Batch:
    """Load a shard.

    Raises DatasetError if one of its files is missing or damaged, or contradicts another or the manifest.
    """
    read_digests(shard)
    rows = {table: _rows(shard.entry, table.NAME) for table in TABLES}
    batch = Batch(**{table.NAME: _read(shard, table.NAME, table, rows[table]) for table in TABLES})  # type: ignore[arg-type]
    with as_damage(shard):
        check_batch(batch)
    return batch


def read_digests(shard: Shard) -> list[bytes]:
    """Load the digests of the input that a shard holds; raises DatasetError as :func:`read_shard`."""
    rows = _rows(shard.entry, DOCUMENTS)
    digests: list[bytes] = _read_table(shard, DOCUMENTS, _digest_schema(), rows)["digest"].to_pylist()
    if None in digests or _name_of(digests) != shard.entry.name:
        raise _damaged(shard.path(DOCUMENTS), "these are not the documents of this shard")
    return digests


def read_faults(shard: Shard) -> Faults:
    """Load what of a shard's input could not be read; raises DatasetError as :func:`read_shard`."""
    faults = _read(shard, Faults.NAME, Faults, _rows(shard.entry, Faults.NAME))
    with as_damage(shard):
        check_table(faults)
    return faults


def has_facts(shard: Shard, kinds: Sequence[type[Table]], key: str) -> bool:
    """Return whether a shard has all of these derived tables, made with the same key."""
    import pyarrow as pa

    from paifu.parsers.dataset.parquet import open_file

    for kind in kinds:
        try:
            metadata = open_file(shard.path(f"{FACTS}/{kind.NAME}")).schema_arrow.metadata or {}
        except (OSError, ValueError, pa.ArrowException):
            return False
        if metadata.get(_KEY) != key.encode():
            return False
    return True


def read_facts(
    shard: Shard, kinds: Sequence[type[Table]], rows: Mapping[str, tuple[int, int]] = MappingProxyType({})
) -> dict[str, Table]:
    """Load derived tables, which :func:`has_facts` said are there.

    ``rows`` are the least and the most that they may have, by their names; what is in them is for the caller
    to check. Raises DatasetError if one of the files is damaged.
    """
    every = (0, _MAX_ROWS)
    return {
        kind.NAME: _read(shard, f"{FACTS}/{kind.NAME}", kind, rows.get(kind.NAME, every)) for kind in kinds
    }


def _read(shard: Shard, folder: str, kind: type[T], rows: tuple[int, int]) -> T:
    """Load one of a shard's tables."""
    from paifu.parsers.dataset.arrow import ColumnError, arrow_schema, from_arrow

    try:
        return from_arrow(kind, _read_table(shard, folder, arrow_schema(kind, dictionaries=True), rows))
    except ColumnError as error:
        raise _damaged(shard.path(folder), str(error)) from error


def _read_table(shard: Shard, folder: str, schema: pa.Schema, rows: tuple[int, int]) -> pa.Table:
    from paifu.parsers.dataset.parquet import ParquetError, read_table

    try:
        return read_table(shard.path(folder), schema, rows)
    except ParquetError as error:
        raise _damaged(shard.path(folder), str(error)) from error


def _rows(entry: ShardEntry, table: str) -> tuple[int, int]:
    """Return how many rows a table of a shard has, at least and at most."""
    if table in entry.counts:
        return entry.counts[table], entry.counts[table]
    each = MAX_OPTIONS if table == Verdicts.NAME else 1
    return 0, min(each * entry.events, _MAX_ROWS)  # each event of some kind has this many at most


@contextmanager
def as_damage(shard: Shard, folder: str = "") -> Iterator[None]:
    """Turn a BoundsError of what a shard holds (in a ``folder``) into a DatasetError that names the file."""
    try:
        yield
    except BoundsError as error:
        raise _damaged(shard.path(str(PurePath(folder, error.table))), str(error)) from error


def _damaged(path: Path, reason: str) -> DatasetError:
    """Say what is wrong with a file of a dataset; what the file says of itself may hold anything."""
    return DatasetError(escaped(f"{path}: {reason}; {AGAIN}"))


# --- writing -------------------------------------------------------------------------------------------


def digest(item: InputItem) -> bytes:
    """Return 16 bytes that identify a piece of input by its content, wherever it lies."""
    if isinstance(item, Shard):
        return hashlib.blake2b(item.entry.name.encode(), digest_size=16, person=b"shard").digest()
    if isinstance(item, Document):
        return hashlib.blake2b(item.data, digest_size=16, person=b"document").digest()
    text = "\0".join(astuple(item)).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16, person=b"fault").digest()


def checksum(file: io.BytesIO | io.BufferedReader) -> str:
    """Return what the manifest has of a file of the tables for people."""
    return hashlib.file_digest(file, "sha256").hexdigest()[:_CHECKSUM]


def made_shard(
    digests: Iterable[bytes], batch: Batch, derivation: Derivation | None = None, number: int = 0
) -> tuple[ShardEntry, dict[str, bytes]]:
    """Return the entry of a batch's shard, and the content of its files by table, to be written anywhere."""
    import pyarrow as pa

    from paifu.parsers.dataset.arrow import batch_to_arrow, to_arrow

    digests = list(digests)
    files = {table: _parquet(content) for table, content in batch_to_arrow(batch).items()}
    files[DOCUMENTS] = _parquet(pa.table([digests], schema=_digest_schema()))
    if derivation is not None:
        for table, made in derivation.make(batch, number).items():
            if isinstance(made, pa.Table):
                files[f"{FOR_PEOPLE}/{table}"] = _parquet(made)
                continue
            content = to_arrow(made)
            key = derivation.keys.get(table, derivation.key)
            metadata = {**content.schema.metadata, _KEY: key.encode()}
            files[f"{FACTS}/{table}"] = _parquet(content.replace_schema_metadata(metadata))
    entry = ShardEntry(
        name=_name_of(digests),
        documents=len(digests),
        games=len(batch.games),
        hands=len(batch.hands),
        events=len(batch.events),
        faults=len(batch.faults),
        tables={
            name.removeprefix(f"{FOR_PEOPLE}/"): checksum(io.BytesIO(content))
            for name, content in files.items()
            if name.startswith(f"{FOR_PEOPLE}/")
        },
    )
    return entry, files


def write_tables(root: Path, entry: ShardEntry, files: Mapping[str, bytes]) -> None:
    """Write the files of a shard."""
    for table, content in files.items():
        write_file(shard_path(root, table, entry.name), content, through_links=False)


def _name_of(digests: list[bytes]) -> str:
    return hashlib.blake2b(b"".join(digests), digest_size=10).hexdigest()


def _digest_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema([pa.field("digest", pa.binary(16))])


def _parquet(table: pa.Table) -> bytes:
    from paifu.parsers.dataset.parquet import write_table

    content = io.BytesIO()
    write_table(table, content)
    return content.getvalue()


class DatasetWriter:
    """The import's hold on a dataset: what is in it, and the only way to add to it."""

    def __init__(self, root: Path, only: str = "") -> None:
        self.root = root
        self._only = only
        self.entries: list[ShardEntry] = []
        self.seen: set[bytes] = set()
        """Digests of all pieces of input that are in the dataset."""

    def shards(self) -> list[Shard]:
        """Return what is in it."""
        return [Shard(self.root, entry) for entry in self.entries]

    def load(self) -> None:
        """Read what is there and clear away what a killed run left."""
        if (self.root / DATASET_MANIFEST).exists():
            self.entries = read_manifest(self.root)
            self._check_choice()
        shards = self.shards()
        self.seen.update(map(digest, shards))  # so that no dataset is imported into itself
        for shard in shards:
            self.seen.update(read_digests(shard))
        self._clear_leftovers()  # only now, when the manifest has proved true
        self._write_manifest()

    def _check_choice(self) -> None:
        """Refuse to mix choices of games: what one left out would count as imported for the other."""
        stated = orjson.loads((self.root / DATASET_MANIFEST).read_bytes()).get("only", "")
        there = escaped(str(stated))
        if there != escaped(self._only):
            raise DatasetError(
                f"{self.root}: this dataset was made "
                + (f"with {there}" if there else "of all games")
                + "; import with the same options, or into a new folder"
            )

    def add(self, entry: ShardEntry) -> None:
        """Make a written shard part of the dataset."""
        self.entries.append(entry)
        self._write_manifest()

    def _write_manifest(self) -> None:
        manifest: dict[str, Any] = {
            "schema": MANIFEST_SCHEMA,
            "tables": SCHEMA_VERSION,
            **({"only": self._only} if self._only else {}),
            "shards": [
                {"name": entry.name, **entry.counts, **({"tables": entry.tables} if entry.tables else {})}
                for entry in self.entries
            ],
        }
        content = orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n"
        write_file(self.root / DATASET_MANIFEST, content, through_links=False)

    def _clear_leftovers(self) -> None:
        known = {f"{entry.name}.parquet" for entry in self.entries}
        for folder in _folders(self.root):
            for path in folder.iterdir() if folder.is_dir() else ():
                if _LEFT_OVER.fullmatch(path.name) and path.name not in known and _is_a_file(path):
                    path.unlink()
        partial = self.root / f".{DATASET_MANIFEST}{PARTIAL}"
        if partial.exists() and _is_a_file(partial):
            partial.unlink()


def _folders(root: Path) -> Iterator[Path]:
    """Yield the folders that hold files of shards; some may not be there."""
    for table in TABLES:
        yield root / table.NAME
    yield root / DOCUMENTS
    for derived in (root / FACTS, root / FOR_PEOPLE):
        yield from derived.iterdir() if derived.is_dir() else ()


def _is_a_file(path: Path) -> bool:
    """Return whether a path is a file itself, and no link to one."""
    return stat.S_ISREG(path.lstat().st_mode)


def _refuse_links(root: Path) -> None:
    """Raise DatasetError for a link where an import would write or delete: it leads out of the dataset."""
    top = [root / name for name in (DATASET_MANIFEST, LOCK, FACTS, FOR_PEOPLE)]
    for path in chain(top, _folders(root)):
        if path.is_symlink():
            raise DatasetError(
                f"{path}: a link, and an import writes and deletes there; remove the link, or name a new "
                "folder with -o"
            )


@contextmanager
def open_for_import(root: Path, only: str = "") -> Iterator[DatasetWriter]:
    """Open or create the dataset at ``root`` for an import, which alone may write to it meanwhile.

    ``only`` spells which games the dataset is made of, empty for all. Raises DatasetError if the folder holds
    something else, is being imported into, is made of other games, or cannot be written.
    """
    make_folder(root)
    with ExitStack() as stack:
        try:
            if not (root / DATASET_MANIFEST).exists() and any(map(_is_foreign, root.iterdir())):
                raise DatasetError(f"{root}: not empty and not a paifu dataset; name a new folder with -o")
            _refuse_links(root)
            stack.enter_context(held(root))
        except HeldError:
            raise DatasetError(f"{root}: another import is writing to it; wait for it to end") from None
        except OSError as error:
            raise OutputError.of(root, error) from error
        writer = DatasetWriter(root, only)
        writer.load()
        yield writer


def _is_foreign(path: Path) -> bool:
    """Return whether an import killed at its very beginning cannot have left this file."""
    return path.name not in (LOCK, f".{DATASET_MANIFEST}{PARTIAL}")
