"""Many machines: what games cost in bytes, processor time and network, and what a second worker brings.

    python bench/cluster.py [--games 2000] [--folder DIR]

Makes archives of distinct games of the sample logs in a temporary folder of DIR, then imports, verifies,
reviews and counts them: alone, on a local cluster of one worker, and on one of two, in turns. Prints bytes
and milliseconds a game and a hand, and the ratios. Ends with status 1 if any output differs.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import pickle
import re
import resource
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from time import perf_counter

from paifu.parsers.read import iter_items, iter_units

SAMPLES = Path(__file__).resolve().parents[1] / "sample_logs" / "games"
ARCHIVE = 1000
"""Games in one archive."""
WAYS = (["--jobs", "1"], ["--cluster", "local:1"], ["--cluster", "local:2"])


def archives(folder: Path, number: int) -> int:
    """Make archives of distinct games; returns bytes of the packed logs."""
    texts = [gzip.decompress(path.read_bytes()) for path in sorted(SAMPLES.glob("hanchan-4p*"))]
    size = 0
    for first in range(0, number, ARCHIVE):
        with tarfile.open(folder / f"{first:07}.tar", "w") as tar:
            for index in range(first, min(first + ARCHIVE, number)):
                text = re.sub(rb'lobby="\d*"', b'lobby="%d"' % index, texts[index % len(texts)], count=1)
                data = gzip.compress(text)
                info = tarfile.TarInfo(f"{index:07}.mjlog.gz")
                info.size = len(data)
                size += len(data)
                tar.addfile(info, io.BytesIO(data))
    return size


def timed(*arguments: str) -> tuple[bytes, float, float]:
    """Run a command; returns its output, seconds, and processor seconds of it and its workers."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    command = [sys.executable, "-m", "paifu.cli", *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = sum(getattr(after, name) - getattr(before, name) for name in ("ru_utime", "ru_stime"))
    if done.returncode > 1:
        sys.exit(done.stderr.decode())
    return done.stdout, perf_counter() - begun, spent


def content(folder: Path) -> dict[str, bytes]:
    """Return the files of a dataset."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def measure(folder: Path, number: int) -> bool:
    """Measure everything; returns whether all outputs are the same."""
    logs = folder / "logs"
    logs.mkdir()
    size = archives(logs, number)
    units = list(iter_units(iter_items([logs])))
    travels = sum(len(pickle.dumps(unit, 5)) for unit in units)
    print(f"{number:,} games: {size / number:,.0f} bytes each as gzipped logs; {len(units)} units")
    print(f"to workers: {travels / number:,.0f} bytes a game")
    same = True
    for command in ("import", "verify", "review", "stats"):
        results = []
        for way, options in enumerate(WAYS):
            dataset = folder / f"dataset-{way}"
            paths = [str(folder / "dataset-0" if command == "stats" else logs)]
            more = ["-o", str(dataset)] if command == "import" else ["-f", "json"]
            output, seconds, spent = timed(command, *paths, *more, *options)
            if command == "import":
                output = json.dumps({k: hash(v) for k, v in content(dataset).items()}).encode()
            results.append((output, seconds, spent))
            if command == "import" and way == 0:
                stored = sum(map(len, content(dataset).values()))
                print(f"dataset: {stored / number:,.0f} bytes a game")
        alone, one, two = results
        same &= alone[0] == one[0] == two[0]
        print(
            f"{command:<8} alone {1000 * alone[1] / number:6.2f} ms a game ({1000 * alone[2] / number:.2f} "
            f"of the processor); one worker {one[1] / alone[1]:.2f} times that, two {two[1] / alone[1]:.2f}; "
            f"processor time {two[2] / alone[2]:.2f} times; output {'same' if same else 'DIFFERENT'}",
            flush=True,
        )
    return same


def main() -> int:
    """Parse options and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    os.environ["PYTHONHASHSEED"] = "0"
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        return 0 if measure(Path(folder), options.games) else 1


if __name__ == "__main__":
    sys.exit(main())
