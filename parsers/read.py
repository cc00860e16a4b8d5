"""From paths to batches: the front door for everything that reads logs.

Items (documents, faults, shards of datasets) are grouped into units of a bounded size; a unit is what a
worker takes at a time. Results come back in the order of the input, so no output depends on the number of
workers.
"""

from __future__ import annotations

import gc
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field, replace
from functools import cache
from importlib import import_module
from itertools import chain, groupby
from pathlib import Path
from typing import BinaryIO

import numpy as np

from paifu.parsers.dataset.entries import InputItem, Shard
from paifu.parsers.errors import ANYTHING, DamagedError, InputFault, ParseError, unreadable_because_of
from paifu.parsers.sources.detect import Format, plugin_reader
from paifu.parsers.sources.documents import Document, open_document
from paifu.parsers.sources.paths import is_dataset, iter_documents, resolve
from paifu.parsers.spreading import run
from paifu.replay.arrays import Mask
from paifu.replay.errors import reason_of
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder, TooLongError

UNIT_BYTES = 2 << 20
"""Bytes of input, mostly compressed, that one unit holds: some 300 gzipped games."""
UNIT_ITEMS = 500

READERS: dict[Format, str] = {
    Format.MJLOG: "mjlog.reader:read_mjlog",
    Format.PAIFU: "paifu_log.reader:read_paifu",
    Format.TENHOU6: "tenhou6.reader:read_tenhou6",
    Format.MJAI: "mjai.reader:read_mjai",
    Format.MAJIANG: "majiang.reader:read_majiang",
    Format.MAJSOUL: "majsoul.reader:read_majsoul",
    Format.MJX: "mjx.reader:read_mjx",
    Format.RIICHI_CITY: "riichicity.reader:read_riichi_city",
    Format.MLEAGUE: "mleague.reader:read_mleague",
    Format.TONPUUSOU: "tonpuusou.reader:read_tonpuusou",
    Format.OF_PLUGIN: "read:_read_by_plugin",
}
"""Module and function by format, imported when the first document of that format is read."""


def _read_by_plugin(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read what a plug-in recognised. Raises whatever the plug-in does."""
    reader = plugin_reader(text)
    if reader is None:
        raise ParseError("no plug-in reads this, unlike its beginning before it was unpacked")
    reader.read(document, text, builder)


@cache
def _reader(fmt: Format) -> Callable[[Document, bytes, BatchBuilder], None]:
    module, _, name = READERS[fmt].partition(":")
    reader: Callable[[Document, bytes, BatchBuilder], None] = getattr(
        import_module(f"paifu.parsers.{module}"), name
    )
    return reader


def iter_items(paths: Iterable[str | Path], *, stdin: BinaryIO | None = None) -> Iterator[InputItem]:
    """Stream all pieces of input that ``paths`` stand for, in order.

    A path is a dataset, or anything that :func:`~paifu.parsers.sources.paths.iter_documents` takes; a pattern
    may match both. Raises PathNotFound at the call when a path names nothing, DatasetError when it is a
    dataset that cannot be read.
    """
    sources: list[Iterator[InputItem]] = []
    for path in paths:
        for name in resolve(path):
            if is_dataset(name):
                from paifu.parsers.dataset.shards import iter_shards

                sources.append(iter_shards(Path(name)))
            else:
                sources.append(iter_documents([name], stdin=stdin))
    return chain.from_iterable(sources)


def iter_units(
    items: Iterable[InputItem], *, unit_bytes: int = UNIT_BYTES, unit_items: int = UNIT_ITEMS
) -> Iterator[list[InputItem]]:
    """Group items, in order, into units of about ``unit_bytes`` and at most ``unit_items``."""
    unit: list[InputItem] = []
    size = 0
    for item in items:
        unit.append(item)
        size += _weight(item)
        if size >= unit_bytes or len(unit) >= unit_items:
            yield unit
            unit, size = [], 0
    if unit:
        yield unit


def _weight(item: InputItem) -> int:
    if isinstance(item, Document):
        return len(item.data)
    return UNIT_BYTES if isinstance(item, Shard) else 0


def count_inputs(unit: Iterable[InputItem]) -> int:
    """Count files, members of archives and rows of databases in a unit; those split up where they begin."""
    return sum(
        item.entry.documents if isinstance(item, Shard)
        else not isinstance(item, Document) or item.first_index == 0
        for item in unit
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a batch was read from."""

    files: int
    games: tuple[int, ...]
    """Games read by the end of each item of the unit, all before it included."""
    faults: tuple[int, ...]
    """Faults by the end of each item, likewise."""
    shortened: Mask = field(default_factory=lambda: np.zeros(0, np.bool_))
    """(games,) which games lost hands that were there before; empty if none did."""

    def item_of_game(self, game: int) -> int:
        """Return the position of the item that a game is from."""
        return bisect_right(self.games, game)

    def item_of_fault(self, fault: int) -> int:
        """Return the position of the item that a fault is from."""
        return bisect_right(self.faults, fault)


def read_unit(unit: Iterable[InputItem]) -> Batch:
    """Read every game of a unit; what cannot be read is in the batch's faults."""
    return read_inputs(unit)[0]


def read_inputs(unit: Iterable[InputItem]) -> tuple[Batch, Inputs]:
    """Read every game of a unit as :func:`read_unit` does, and say from where each is."""
    read = _Read()
    items = list(unit)
    with _garbage_collection_paused():
        for _, some in groupby(items, lambda item: isinstance(item, Shard)):
            pieces: list[Document | InputFault] = []
            for item in some:
                if isinstance(item, Shard):
                    from paifu.parsers.dataset.shards import read_shard

                    read.add(read_shard(item))
                else:
                    pieces.append(item)
            if pieces:
                _read_pieces(pieces, read)
    whole = read.batches[0] if len(read.batches) == 1 else Batch.concatenate(read.batches)
    return whole, Inputs(count_inputs(items), tuple(read.games), tuple(read.faults))


@dataclass(slots=True)
class _Read:
    """What has been read of a unit."""

    batches: list[Batch] = field(default_factory=list)
    games: list[int] = field(default_factory=list)
    """By the end of each item."""
    faults: list[int] = field(default_factory=list)

    def add(self, batch: Batch, ends: Iterable[tuple[int, int]] = ()) -> None:
        """Add what was read of one item, or of several: ``ends`` has games and faults by the end of each."""
        games, faults = sum(map(len, self.batches)), sum(len(one.faults) for one in self.batches)
        self.batches.append(batch)
        for more_games, more_faults in ends or [(len(batch), len(batch.faults))]:
            self.games.append(games + more_games)
            self.faults.append(faults + more_faults)


def _read_pieces(pieces: list[Document | InputFault], read: _Read) -> None:
    """Read documents all together, or where something is raised that never should be, each by itself."""
    builder, ends = BatchBuilder(), []
    try:
        for piece in pieces:
            _read_piece(piece, builder)
            ends.append((builder.games, builder.faults))
        read.add(_checked(builder.finish(), pieces), ends)
    except ANYTHING:
        for piece in pieces:
            read.add(_read_alone(piece))


def _read_alone(piece: Document | InputFault) -> Batch:
    """Read one document, whatever its reader does: what it raises is a fault of the document.

    Games that the reader had finished before are kept, if they are sound.
    """
    from paifu.replay.bounds import check_batch

    builder, error = BatchBuilder(), None
    try:
        _read_piece(piece, builder)
    except ANYTHING as raised:
        error = raised
    try:
        batch = _checked(builder.finish(), [piece])
        check_batch(batch)
    except ANYTHING as raised:
        error, batch = error or raised, BatchBuilder().finish()
    if error is None:
        return batch
    assert isinstance(piece, Document)  # noqa: S101  a fault raises nothing
    fault = BatchBuilder()
    fault.add_fault(*astuple(_failure(piece, error).fault(piece.location)))
    return Batch.concatenate([batch, fault.finish()])


def _failure(document: Document, error: BaseException) -> ParseError:
    """Return what to tell of a document whose reader failed: whose fault it is."""
    from paifu.replay.bounds import BoundsError

    if document.format is not Format.OF_PLUGIN or isinstance(error, ParseError | MemoryError):
        return unreadable_because_of(error)
    reader = plugin_reader(open_document(document))
    name = "" if reader is None else reader.name
    if isinstance(error, BoundsError):
        return ParseError(f"the plug-in for {name} made a game that cannot be: {reason_of(error)}")
    return ParseError(f"the plug-in for {name} failed: {type(error).__name__}: {reason_of(error)}")


def _checked(batch: Batch, pieces: Iterable[Document | InputFault]) -> Batch:
    """Check what a plug-in made, which nobody has tested with kernels that take it as it is."""
    if any(isinstance(piece, Document) and piece.format is Format.OF_PLUGIN for piece in pieces):
        from paifu.replay.bounds import check_batch, check_texts

        check_texts(batch)
        check_batch(batch)
    return batch


def _read_piece(piece: Document | InputFault, builder: BatchBuilder) -> None:
    """Read a document into a builder, or note a fault. Raises what a reader raises beside ParseError."""
    if isinstance(piece, InputFault):
        builder.add_fault(*astuple(piece))
        return
    with builder.document(piece.location):
        _read_document(piece, builder)


def _read_document(document: Document, builder: BatchBuilder) -> None:
    fault: ParseError | None = None
    try:
        text = open_document(document)
    except DamagedError as error:
        text, fault, document = error.readable, error, replace(document, cut=True)
    except ParseError as error:
        text, fault = b"", error
    if text:
        try:
            _reader(document.format)(document, text, builder)
        except ParseError as error:
            builder.add_fault(*astuple(error.fault(document.location)))
        except TooLongError as error:
            told = ParseError(str(error), hint="it was left out, with what comes after it in the file")
            builder.add_fault(*astuple(told.fault(document.location)))
    if fault is not None:
        builder.add_fault(*astuple(fault.fault(document.location)))


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Reading makes a hundred thousand containers and no cycle: looking for some costs a tenth."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def read_batches(
    paths: Iterable[str | Path], *, jobs: int = 1, stdin: BinaryIO | None = None
) -> Iterator[Batch]:
    """Read ``paths`` into batches of a few hundred games each; see :func:`iter_items` for the paths."""
    units = iter_units(iter_items(paths, stdin=stdin))
    return run(units, read_unit, jobs=jobs, trial=read_unit)
