"""Measure how big datasets are, and how fast they are read.

    python bench/dataset.py LOGS... [--repeat 5]

Imports the logs (with facts and tables, in one process) into a temporary folder. Prints the bytes a game of
the logs as they lie there, and of the dataset by table, and the time of the processor to load the games.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from paifu.api.import_dataset import importing
from paifu.parsers.dataset.shards import iter_shards, read_shard


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
        shards = list(iter_shards(root))
        used = seconds(lambda: [read_shard(shard) for shard in shards], options.repeat)
        print(f"loaded in {1000 * used / games:.3f} ms a game")


if __name__ == "__main__":
    main()
