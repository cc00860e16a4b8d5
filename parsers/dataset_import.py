"""The import: from paths to a dataset, resumable at any point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from paifu.parsers.dataset.shards import (
    DatasetWriter,
    Derivation,
    InputItem,
    ShardEntry,
    digest,
    made_shard,
    write_tables,
)
from paifu.parsers.read import iter_units, read_unit
from paifu.parsers.sources.documents import DEFAULT_LIMITS, InputLimits
from paifu.parsers.spreading import run
from paifu.parsers.stores import Place
from paifu.parsers.workers import Cluster, Jobs
from paifu.replay.bounds import BoundsError, check_batch
from paifu.replay.model.batch import Batch, Faults
from paifu.replay.model.census import Census

SHARD_BYTES = 8 << 20
"""Bytes of input, mostly compressed, in one shard: some 1000 gzipped games."""
SHARD_ITEMS = 2000
GameFilter = Callable[[Batch], tuple[Batch, object]]
"""Returns the games of a batch that are wanted, and what to say of the others."""


@dataclass(frozen=True, slots=True)
class Imported:
    """One shard that an import wrote, or nothing but what it ``skipped``."""

    census: Census
    faults: Faults
    documents: int
    skipped: int = 0
    left_out: object = None
    """What the import's choice of games says of those that it left out."""


def import_items(
    writer: DatasetWriter,
    items: Iterable[InputItem],
    *,
    jobs: Jobs = 1,
    limits: InputLimits = DEFAULT_LIMITS,
    derivation: Derivation | None = None,
    choose: GameFilter | None = None,
) -> Iterator[Imported]:
    """Add every item that the dataset does not hold yet, a shard at a time, with what is derived from it.

    Known logs are recognised by content: a log that was moved or packed otherwise is read again only if its
    stored bytes differ. Each result is safe on disk when it is yielded. The last one counts what was
    skipped. ``choose`` is called with the games that were read.

    Processes of this machine write shards themselves, and so do workers of a cluster if the dataset lies on
    an object store. What they could not reach, a disk of this machine, is written here.
    """
    skipped = 0

    def fresh() -> Iterator[InputItem]:
        nonlocal skipped
        for item in items:
            key = digest(item)
            if key in writer.seen:
                skipped += 1
            else:
                writer.seen.add(key)
                yield item

    units = iter_units(fresh(), unit_bytes=SHARD_BYTES, unit_items=SHARD_ITEMS)
    is_out_of_reach = isinstance(jobs, Cluster) and isinstance(writer.root, Path)
    work = partial(_import_unit, None if is_out_of_reach else writer.root, limits, derivation, choose)
    numbered = enumerate(units, len(writer.entries))  # results come in this order, and so does the manifest
    for entry, files, census, faults, left_out in run(numbered, work, jobs=jobs):
        write_tables(writer.root, entry, files)
        writer.add(entry)
        yield Imported(census, faults, entry.documents, left_out=left_out)
    yield Imported(Census(), Faults.empty(), 0, skipped)


def _import_unit(
    root: Place | None,
    limits: InputLimits,
    derivation: Derivation | None,
    choose: GameFilter | None,
    numbered: tuple[int, list[InputItem]],
) -> tuple[ShardEntry, dict[str, bytes], Census, Faults, object]:
    """Make a shard and write it below ``root``; without one, return its files."""
    number, unit = numbered
    batch = read_unit(unit, limits)
    batch, left_out = (batch, None) if choose is None else choose(batch)
    batch, entry, files = _shard_of(list(map(digest, unit)), batch, derivation, number)
    if root is not None:
        write_tables(root, entry, files)
        files = {}
    return entry, files, Census.of(batch), batch.faults, left_out


def _shard_of(
    digests: list[bytes], batch: Batch, derivation: Derivation | None, number: int
) -> tuple[Batch, ShardEntry, dict[str, bytes]]:
    """Make a shard of what of a batch can be loaded again; returns that, too.

    A game that a reader of the dataset would refuse is left out and told: it is not worth the others.
    """
    try:
        check_batch(batch)
        return batch, *made_shard(digests, batch, derivation, number)
    except BoundsError:
        objections = [_objection(batch.take(game), derivation) for game in range(len(batch))]
    sound = batch.only(np.array([not objection for objection in objections], bool))
    told = [
        {
            "source": str(source),
            "place": "",
            "code": "V101",
            "reason": f"the game contradicts itself: {objection}",
            "hint": "it was left out; please report the log, for its reader should have said so",
        }
        for source, objection in zip(batch.games.source, objections, strict=True)
        if objection
    ]
    columns = {
        name: np.concatenate([column, np.array([row[name] for row in told], object)])
        for name, column in batch.faults.arrays()
    }
    sound = replace(sound, faults=Faults(**columns))
    return sound, *made_shard(digests, sound, derivation, number)


def _objection(game: Batch, derivation: Derivation | None) -> str:
    """Return what a reader of a dataset would say against a game, or against what is derived of it."""
    try:
        check_batch(game)
        if derivation is not None:
            derivation.make(game, 0)
    except BoundsError as error:
        return str(error)
    return ""
