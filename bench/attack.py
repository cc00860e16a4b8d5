"""Hostile logs, folders and datasets, as many as one likes.

    python bench/attack.py [--cases 20000] [--seed 1]

Each case is a log of some format with something changed: fields and events dropped, repeated, swapped and
renamed, numbers without bounds, half surrogates, NULs, attributes that stand twice, bytes, cuts. Fifty at a
time are imported into a dataset beside a sound log. The dataset is loaded and must hold what was read,
statistics are counted, all findings put into words, and every game is written in every format. Of a hundredth
as many cases, folders and datasets are spoilt: names, links, files that may not be read, pipes, archives,
databases, tables, the manifest; and commands are called on them.

Nothing may be raised; a game may be refused by name. Each failure is printed with the command that repeats
it. Ctrl-C ends a run; what was tried by then is counted.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from attacking import Counts, Failure, attack, attack_files, mutant
from command import call
from fuzzing import SAMPLES

AT_A_TIME = 50
LOGS_A_SPOIL = 100


def main() -> int:
    """Run the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cases", type=int, default=1000, help="how many logs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=int, help="only this log")
    parser.add_argument("--files", type=int, help="only this folder or dataset")
    options = parser.parse_args()
    os.environ["PAIFU_CONFIG"] = ""  # nobody's own settings
    seed, begun, counts, failures = options.seed, perf_counter(), Counts(), 0
    is_one = options.log is not None or options.files is not None
    with tempfile.TemporaryDirectory() as name, suppress(KeyboardInterrupt):
        folder = Path(name)
        sound = folder / "sound"
        call("import", SAMPLES / "formats", "-o", sound)
        logs = [options.log] if options.log is not None else [] if is_one else range(options.cases)
        for first in range(0, len(logs), AT_A_TIME):
            some = [mutant(seed, number) for number in logs[first : first + AT_A_TIME]]
            failures += told("log", seed, attack(some, folder / "logs", counts))
            if not is_one and first % LOGS_A_SPOIL == 0:
                number = first // LOGS_A_SPOIL
                failures += told("files", seed, attack_files(seed, number, sound, folder / "spoilt", counts))
        if options.files is not None:
            failures += told(
                "files", seed, attack_files(seed, options.files, sound, folder / "spoilt", counts)
            )
    numbers = ", ".join(f"{value:,} {name}" for name, value in asdict(counts).items())
    print(f"seed {seed}: {numbers}, {failures} failures, {perf_counter() - begun:.0f} s")
    return 1 if failures else 0


def told(kind: str, seed: int, failures: list[Failure]) -> int:
    """Print failures, each with the command that repeats it; returns how many there are."""
    for failure in failures:
        print(f"python bench/attack.py --seed {seed} --{kind} {failure.number}  # {failure.what}", flush=True)
    return len(failures)


if __name__ == "__main__":
    sys.exit(main())
