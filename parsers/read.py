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
from functools import cache, partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np

from paifu.parsers.dataset.shards import InputItem, Shard, iter_shards, read_shard
from paifu.parsers.errors import DamagedError, InputFault, ParseError
from paifu.parsers.sources.detect import Format, plugin_reader
from paifu.parsers.sources.documents import DEFAULT_LIMITS, Document, InputLimits, open_document
from paifu.parsers.sources.paths import is_dataset, iter_documents, resolve
from paifu.parsers.spreading import run
from paifu.parsers.stores import place
from paifu.replay.arrays import Mask
from paifu.replay.errors import reason_of
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder

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
    Format.OF_PLUGIN: "read:_read_by_plugin",
}
"""Module and function by format, imported when the first document of that format is read."""


def _read_by_plugin(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read what a plug-in recognised; whatever it raises is a fault of the file."""
    reader = plugin_reader(text)
    name = "" if reader is None else reader.name
    try:
        if reader is not None:
            reader.read(document, text, builder)
            return
        error = ParseError("no plug-in reads this, unlike its beginning before it was unpacked")
    except ParseError as raised:
        error = raised
    except Exception as raised:  # noqa: BLE001  a plug-in's code may raise anything
        error = ParseError(f"the plug-in for {name} failed: {type(raised).__name__}: {reason_of(raised)}")
    builder.add_fault(*astuple(error.fault(document.location)))


@cache
def _reader(fmt: Format) -> Callable[[Document, bytes, BatchBuilder], None]:
    module, _, name = READERS[fmt].partition(":")
    reader: Callable[[Document, bytes, BatchBuilder], None] = getattr(
        import_module(f"paifu.parsers.{module}"), name
    )
    return reader


def iter_items(
    paths: Iterable[str | Path], *, stdin: BinaryIO | None = None, limits: InputLimits = DEFAULT_LIMITS
) -> Iterator[InputItem]:
    """Stream all pieces of input that ``paths`` stand for, in order.

    A path is a dataset, or anything that :func:`~paifu.parsers.sources.paths.iter_documents` takes; a pattern
    may match both. Raises PathNotFound at the call when a path names nothing, DatasetError when it is a
    dataset that cannot be read.
    """
    sources: list[Iterator[InputItem]] = []
    for path in paths:
        for name in resolve(path):
            if is_dataset(name):
                sources.append(iter_shards(place(name)))
            else:
                sources.append(iter_documents([name], stdin=stdin, limits=limits))
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


def read_unit(unit: Iterable[InputItem], limits: InputLimits = DEFAULT_LIMITS) -> Batch:
    """Read every game of a unit; what cannot be read is in the batch's faults."""
    return read_inputs(unit, limits)[0]


def read_inputs(unit: Iterable[InputItem], limits: InputLimits = DEFAULT_LIMITS) -> tuple[Batch, Inputs]:
    """Read every game of a unit as :func:`read_unit` does, and say from where each is."""
    batches: list[Batch] = []
    builder = BatchBuilder()
    items, ends = list(unit), []
    with _garbage_collection_paused():
        for item in items:
            if isinstance(item, Document):
                _read_document(item, builder, limits)
            elif isinstance(item, InputFault):
                builder.add_fault(*astuple(item))
            else:
                batches.append(builder.finish())
                batches.append(read_shard(item))
            games = sum(map(len, batches)) + builder.games
            ends.append((games, sum(len(batch.faults) for batch in batches) + builder.faults))
        batches.append(builder.finish())
    games_by, faults_by = zip(*ends, strict=True) if ends else ((), ())
    whole = batches[0] if len(batches) == 1 else Batch.concatenate(batches)
    return whole, Inputs(count_inputs(items), games_by, faults_by)


def _read_document(document: Document, builder: BatchBuilder, limits: InputLimits) -> None:
    fault: ParseError | None = None
    try:
        text = open_document(document, limits)
    except DamagedError as error:
        text, fault, document = error.readable, error, replace(document, cut=True)
    except ParseError as error:
        text, fault = b"", error
    if text:
        _reader(document.format)(document, text, builder)
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
    paths: Iterable[str | Path],
    *,
    jobs: int = 1,
    stdin: BinaryIO | None = None,
    limits: InputLimits = DEFAULT_LIMITS,
) -> Iterator[Batch]:
    """Read ``paths`` into batches of a few hundred games each; see :func:`iter_items` for the paths."""
    units = iter_units(iter_items(paths, stdin=stdin, limits=limits))
    return run(units, partial(read_unit, limits=limits), jobs=jobs)
