"""Import: logs into a Parquet dataset, resumable at any point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from paifu.api.only import EVERY_GAME, LeftOut, Only
from paifu.api.pipeline import SILENT, Paths, Watch, listed, unread
from paifu.parsers.dataset.entries import Shard
from paifu.parsers.dataset.shards import Derivation, has_facts, open_for_import, read_facts
from paifu.parsers.dataset_import import Imported, import_items
from paifu.parsers.read import iter_items
from paifu.replay.comparison.copies import Copies

if TYPE_CHECKING:
    import pyarrow as pa

    from paifu.replay.model.batch import Batch, Table


def importing(
    paths: Paths,
    folder: str | Path,
    *,
    with_decisions: bool = False,
    with_luck: bool = False,
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> Iterator[Imported]:
    """Import what the dataset ``folder`` does not hold yet; yield each shard when it is safe on disk.

    Every hand is replayed, and what statistics ask of it is kept. ``with_luck`` keeps the tables of luck,
    too, ``with_decisions`` the table of decisions and what discards lost. A dataset that is made of ``only``
    some games keeps to that. Games that are there twice are kept, and named. Raises PathNotFound,
    DatasetError.
    """
    items = iter_items(listed(paths))
    copies: Copies | None = None
    with open_for_import(Path(folder), only.spelt()) as writer:
        before = writer.shards()
        derivation = _derivation(with_decisions, with_luck)
        run = import_items(writer, items, jobs=jobs, derivation=derivation, choose=only.of_batch)
        for imported in run:
            for finding in unread(imported.faults):
                watch.fault(finding)
            if isinstance(imported.left_out, LeftOut):
                watch.left_out(imported.left_out)
            if imported.keys:
                copies = copies or _copies_of(before)
                copies.add(imported.keys)
                watch.counted_once(copies)
            watch.advance(imported.census.total("games"))
            yield imported


def _copies_of(shards: Iterable[Shard]) -> Copies:
    """Return copies with the games of shards as those that come first; without facts, games are not known."""
    from paifu.reports.metrics.records import GameRecords, HandKeys, record_rows, records_key

    found, kinds = Copies(), (GameRecords, HandKeys)
    for shard in shards:
        if has_facts(shard, kinds, records_key()):
            entry = shard.entry
            rows = record_rows(entry.games, entry.hands, entry.events)
            tables = read_facts(shard, kinds, rows)
            games, keys = tables[GameRecords.NAME], tables[HandKeys.NAME]
            found.add(cast(HandKeys, keys).of_games(cast(GameRecords, games)))
    found.found.clear()
    return found


def _derivation(with_decisions: bool, with_luck: bool) -> Derivation:
    """Return what is kept beside each batch."""
    from paifu.reports.metrics.records import records_key
    from paifu.reports.tables.making import decisions_key

    make = partial(_made, with_decisions, with_luck)
    return Derivation(make, records_key(), {"decisions": decisions_key()})


def _made(with_decisions: bool, with_luck: bool, batch: Batch, number: int) -> dict[str, Table | pa.Table]:
    """Return what is kept beside one batch: records, which statistics count, and the tables for people."""
    from paifu.replay.table.engine import replay  # loads the compiler, which readers of records do not need
    from paifu.reports.metrics.record_links import check_records
    from paifu.reports.metrics.recording import records, to_store
    from paifu.reports.tables.making import numbered, stored_decisions, tables_of

    decisions = stored_decisions(batch) if with_decisions else None
    made: dict[str, Table | pa.Table] = {} if decisions is None else {decisions.NAME: decisions}
    replayed = replay(batch, review=True)
    found = records(replayed)
    check_records(found, len(batch.hands))
    tables = tables_of(replayed, found, luck=with_luck, decisions=decisions)
    for_people = {name: numbered(made, number) for name, made in tables.items()}
    return {**made, **to_store(found, batch), **for_people}
