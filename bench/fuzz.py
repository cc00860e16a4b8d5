"""Mangled logs through everything that paifu does with logs, for as long as one likes.

    PAIFU_KERNELS=jit NUMBA_BOUNDSCHECK=1 python bench/fuzz.py [--kind KIND]
        [--rounds 1000] [--seed 1] [--samples] [--read]

KIND is a format (mjlog, tenhou6, paifu, mjai, majiang, majsoul-json, mjx, mleague, riichicity) or columns.
Compiled kernels check no index; compiled by numba with ``NUMBA_BOUNDSCHECK=1`` they do, and with
``PAIFU_KERNELS=python`` Python does. Each round mangles a simulated game (or a sample), reads it,
replays it with the review under the log's rules or others, and makes words, statistics, lines and logs of
it; with --read it only reads it. Prints every failure with the number that repeats it, and the counts.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from fuzzing import KINDS, attempt, sample_games


def main() -> int:
    """Run the rounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS, default="mjlog")
    parser.add_argument("--samples", action="store_true")
    parser.add_argument("--read", action="store_true")
    options = parser.parse_args()
    games = sample_games() if options.samples else []
    begun = perf_counter()
    counts: Counter[str] = Counter()
    failures: dict[str, str] = {}
    for number in range(options.seed, options.seed + options.rounds):
        try:
            hands, found = attempt(number, options.kind, games, reads_only=options.read)
        except Exception as error:  # noqa: BLE001
            frame = traceback.extract_tb(error.__traceback__)[-1]
            key = f"{type(error).__name__} {error} at {Path(frame.filename).name}:{frame.lineno}"
            counts["failures"] += 1
            if key not in failures:
                failures[key] = f"round {number}"
                print(f"round {number}: {key}", flush=True)
                traceback.print_exc()
        else:
            counts["hands"] += hands
            counts["findings"] += found
    print(f"{options.rounds} rounds of {options.kind}, {perf_counter() - begun:.0f} s: {dict(counts)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
