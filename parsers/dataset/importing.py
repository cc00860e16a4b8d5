"""The import: from paths to a dataset, resumable at any point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from paifu.parsers.dataset.shards import DatasetWriter, Derivation, InputItem, ShardEntry, digest, write_shard
from paifu.parsers.read import iter_units, read_unit, run
from paifu.parsers.sources.documents import DEFAULT_LIMITS, Limits
from paifu.parsers.stores import Place
from paifu.replay.model.batch import Faults
from paifu.replay.model.census import Census

SHARD_BYTES = 8 << 20
"""Bytes of input, mostly compressed, in one shard: some 1000 gzipped games."""
SHARD_ITEMS = 2000


@dataclass(frozen=True, slots=True)
class Imported:
    """One shard that an import wrote, or nothing but what it ``skipped``."""

    census: Census
    faults: Faults
    documents: int
    skipped: int = 0


def import_items(
    writer: DatasetWriter,
    items: Iterable[InputItem],
    *,
    jobs: int = 1,
    limits: Limits = DEFAULT_LIMITS,
    derivation: Derivation | None = None,
) -> Iterator[Imported]:
    """Add every item that the dataset does not hold yet, a shard at a time, with what is derived from it.

    Known logs are recognised by content: a log that was moved or packed otherwise is read again only if its
    stored bytes differ. Each result is safe on disk when it is yielded. The last one counts what was
    skipped.
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
    work = partial(_import_unit, writer.root, limits, derivation)
    numbered = enumerate(units, len(writer.entries))  # results come in this order, and so does the manifest
    for entry, census, faults in run(numbered, work, jobs=jobs):
        writer.add(entry)
        yield Imported(census, faults, entry.documents)
    yield Imported(Census(), Faults.empty(), 0, skipped)


def _import_unit(
    root: Place, limits: Limits, derivation: Derivation | None, numbered: tuple[int, list[InputItem]]
) -> tuple[ShardEntry, Census, Faults]:
    number, unit = numbered
    batch = read_unit(unit, limits)
    entry = write_shard(root, map(digest, unit), batch, derivation, number)
    return entry, Census.of(batch), batch.faults
