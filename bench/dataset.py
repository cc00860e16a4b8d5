"""Measure how big datasets are, and how fast they are read.

    python bench/dataset.py LOGS... [--repeat 5]

Imports the logs (with facts and tables, in one process) into a temporary folder. Prints the bytes a game of
the logs as they lie there, and of the dataset by table. Then writes every table of the model once more as
Parquet is written by default (zstd, dictionaries, physical ids as they are), and prints size and time of the
processor to load both.
"""

from __future__ import annotations

import argparse
import io
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from paifu.api.importing import importing
from paifu.parsers.dataset.arrow import arrow_schema, batch_to_arrow, from_arrow
from paifu.parsers.dataset.parquet import read_table, write_table
from paifu.parsers.dataset.shards import iter_shards, read_shard
from paifu.replay.model.batch import TABLES, Table


def size_of(paths: list[Path]) -> int:
    """Return the bytes of files and of what is in folders."""
    every = (file for path in paths for file in ([path] if path.is_file() else path.rglob("*")))
    return sum(file.stat().st_size for file in every if file.is_file())


def seconds(work: Callable[[], object], repeat: int) -> float:
    """Return the least processor time of several runs."""
    times = []
    for _ in range(repeat):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def with_ids(kind: type[Table], stored: pa.Table) -> pa.Table:
    """Return a table as it was before physical ids were stored as copies."""
    table = from_arrow(kind, stored)
    schema = arrow_schema(kind, ids=True)
    arrays = []
    for column, field in zip(kind.columns(), schema, strict=True):
        values = getattr(table, column.name)
        if column.width:
            flat = pa.array(values.reshape(-1), type=field.type.value_type)
            arrays.append(pa.FixedSizeListArray.from_arrays(flat, type=field.type))
        else:
            arrays.append(pa.array(values, type=field.type))
    return pa.Table.from_arrays(arrays, schema=schema)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "dataset"
        begun = time.process_time()
        games = sum(part.census.total("games") for part in importing(options.logs, root))
        taken = time.process_time() - begun
        logs = size_of(options.logs)
        sizes: Counter[str] = Counter()
        for folder, _folders, files in os.walk(root):
            part = Path(folder).relative_to(root).as_posix()
            sizes[part] += sum((Path(folder) / file).stat().st_size for file in files)
        print(f"{games:,} games, imported in {1000 * taken / games:.2f} ms of processor time each")
        print(f"logs    {logs / games:8,.0f} bytes a game")
        print(f"dataset {sizes.total() / games:8,.0f} bytes a game, {sizes.total() / logs:.0%} of the logs")
        for part, size in sizes.most_common():
            print(f"    {part:<24} {size / games:8,.1f}")
        plain: dict[Path, type[Table]] = {}
        ours: dict[Path, type[Table]] = {}
        for shard in iter_shards(root):
            for table, stored in batch_to_arrow(read_shard(shard)).items():
                kind = next(one for one in TABLES if table == one.NAME)
                before, now = io.BytesIO(), io.BytesIO()
                pq.write_table(with_ids(kind, stored), before, compression="zstd", write_page_checksum=True)
                write_table(stored, now)
                for kinds, content, ids in ((plain, before, True), (ours, now, False)):
                    path = Path(name) / f"{shard.entry.name}-{table}-{ids}.parquet"
                    path.write_bytes(content.getvalue())
                    kinds[path] = kind

        def load(kinds: dict[Path, type[Table]]) -> None:
            for path, kind in kinds.items():
                schemas = [arrow_schema(kind, dictionaries=True, ids=ids) for ids in (False, True)]
                from_arrow(kind, read_table(path, schemas, (0, 2**31 - 1)))

        for title, kinds in (("by default", plain), ("as stored", ours)):
            size = sum(path.stat().st_size for path in kinds)
            used = seconds(partial(load, kinds), options.repeat)
            each = f"{size / games:8,.0f} bytes a game, loaded in {1000 * used / games:.3f} ms"
            print(f"model {title:<12} {each}")


if __name__ == "__main__":
    main()
