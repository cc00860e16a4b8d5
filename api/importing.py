"""Import: logs into a Parquet dataset, resumable at any point."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from paifu.api.pipeline import SILENT, Paths, Watch, listed, made_ready
from paifu.parsers.dataset.importing import Imported, import_items
from paifu.parsers.dataset.shards import Derivation, open_for_import
from paifu.parsers.read import default_jobs, iter_items, iter_units
from paifu.replay.findings.finding import faults


def importing(
    paths: Paths,
    folder: str | Path,
    *,
    with_facts: bool = True,
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> Iterator[Imported]:
    """Import what the dataset ``folder`` does not hold yet; yield each shard when it is safe on disk.

    ``with_facts`` replays every hand and keeps what statistics ask of it. Raises PathNotFound, DatasetError.
    """
    items = iter_items(listed(paths))
    derivation = None
    with open_for_import(Path(folder)) as writer:
        if with_facts:
            items = chain.from_iterable(made_ready(iter_units(items), watch, review=True))
            from paifu.reports.metrics.recording import stored_tables
            from paifu.reports.metrics.records import records_key

            derivation = Derivation(stored_tables, records_key())
        workers = default_jobs() if jobs is None else jobs
        for imported in import_items(writer, items, jobs=workers, derivation=derivation):
            for finding in faults(imported.faults):
                watch.fault(finding)
            watch.advance(imported.census.total("games"))
            yield imported
