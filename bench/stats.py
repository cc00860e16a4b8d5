"""How fast statistics are over a dataset: ``python bench/stats.py PATH [--games N] [--jobs N]``.

The logs under PATH are imported into a scratch folder, and its shards are then repeated (by links, under
other names) until there are so many games. Each line is a whole run of ``paifu stats``, start of Python
included.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import orjson

from paifu.parsers.sources.paths import DATASET_MANIFEST

COMMAND = [sys.executable, "-m", "paifu.cli.__main__"]
RUNS: dict[str, list[str]] = {
    "everybody, a dozen statistics": [],
    "everybody, all statistics": ["--all"],
    "by player, a dozen statistics": ["--by", "player", "--min-hands", "500"],
    "by player, all, CSV": ["--by", "player", "--all", "--min-hands", "5000", "--format", "csv"],
    "by room and month": ["--by", "room,month"],
}


def repeated(dataset: Path, games: int) -> int:
    """Repeat a dataset's shards until it holds about so many games; return how many it holds."""
    path = dataset / DATASET_MANIFEST
    manifest = orjson.loads(path.read_bytes())
    shards = list(manifest["shards"])
    total: int = sum(shard["games"] for shard in shards)
    once = total
    number = 0
    while total + once <= games:
        number += 1
        for shard in shards:
            name = f"{number:06x}{shard['name'][6:]}"
            for file in dataset.rglob(f"{shard['name']}.parquet"):
                file.with_name(f"{name}.parquet").hardlink_to(file)
            manifest["shards"].append(shard | {"name": name})
        total += once
    path.write_bytes(orjson.dumps(manifest))
    return total


def timed(*arguments: str | Path) -> float:
    """Run the command; return seconds."""
    begin = time.perf_counter()
    subprocess.run([*COMMAND, *map(str, arguments)], check=True, capture_output=True)
    return time.perf_counter() - begin


def main() -> None:
    """Print a line a run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        dataset = Path(scratch) / "dataset"
        seconds = timed("import", options.path, "-o", dataset, "--jobs", str(options.jobs))
        games = sum(s["games"] for s in orjson.loads((dataset / DATASET_MANIFEST).read_bytes())["shards"])
        print(f"import with facts: {games:,} games in {seconds:.1f} s, {games / seconds:,.0f} games a second")
        games = repeated(dataset, options.games)
        print(f"{games:,} games, {options.jobs} processes")
        for title, arguments in RUNS.items():
            seconds = timed("stats", dataset, "--jobs", str(options.jobs), *arguments)
            print(f"{title:32}{seconds:7.1f} s{games / seconds:10,.0f} games a second")


if __name__ == "__main__":
    main()
