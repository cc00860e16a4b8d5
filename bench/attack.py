"""Hostile input, as much as one likes: ``python bench/attack.py KIND [--cases 1000] [--seed 1]``.

    logs      logs of any format with something changed, fifty at a time imported into a dataset beside a
              sound log. The dataset must hold what was read; statistics are counted, all findings put into
              words, and every game is written in every format
    files     folders and datasets that are spoilt: names, links, files that may not be read, pipes, archives,
              databases, tables, the manifest; commands are called on them
    games     simulated games (or with ``--samples`` the samples) mangled in one ``--format``, or as columns,
              and replayed with the review. With ``NUMBA_BOUNDSCHECK=1 PAIFU_KERNELS=jit`` every index is
              checked; with ``--read`` they are only read
    rulesets  four games each under rulesets that are random for a third of their rules: no finding, and no
              point is lost

A game may be refused by name, and nothing may be raised. Each failure is printed with the command that
repeats it. Ctrl-C ends a run; what was tried by then is counted.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from attacking import Counts, Failure, attack, attack_files, described, mutant
from command import call
from fuzzing import KINDS, SAMPLES, attempt, sample_games
from random_rules import check

AT_A_TIME = 50
Attack = Callable[[argparse.Namespace, Sequence[int], Path], Iterator[Failure]]
COUNTS, FOUND = Counts(), Counter[str]()


def logs(options: argparse.Namespace, numbers: Sequence[int], folder: Path) -> Iterator[Failure]:
    """Import mutants."""
    for begin in range(0, len(numbers), AT_A_TIME):
        some = [mutant(options.seed, number) for number in numbers[begin : begin + AT_A_TIME]]
        yield from attack(some, folder / "logs", COUNTS)


def files(options: argparse.Namespace, numbers: Sequence[int], folder: Path) -> Iterator[Failure]:
    """Spoil folders and datasets."""
    sound = folder / "sound"
    call("import", SAMPLES / "formats", "-o", sound)
    for number in numbers:
        yield from attack_files(options.seed, number, sound, folder / "spoilt", COUNTS)


def games(options: argparse.Namespace, numbers: Sequence[int], _folder: Path) -> Iterator[Failure]:
    """Mangle games."""
    samples = sample_games() if options.samples else []
    for number in numbers:
        FOUND["cases"] += 1
        try:
            hands, found = attempt(options.seed + number, options.format, samples, reads_only=options.read)
            FOUND.update(hands=hands, findings=found)
        except Exception as error:  # noqa: BLE001  whatever it is, it is what is looked for
            yield Failure(number, described(error))


def rulesets(options: argparse.Namespace, numbers: Sequence[int], _folder: Path) -> Iterator[Failure]:
    """Play under random rulesets."""
    for number in numbers:
        FOUND["cases"] += 1
        try:
            check(options.seed + number)
        except AssertionError as error:
            yield Failure(number, str(error))


KINDS_OF_ATTACK: dict[str, Attack] = {"logs": logs, "files": files, "games": games, "rulesets": rulesets}


def main() -> int:
    """Run the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("kind", choices=KINDS_OF_ATTACK)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of the only case")
    parser.add_argument("--format", choices=KINDS, default="mjlog", help="of mangled games")
    parser.add_argument("--samples", action="store_true", help="mangle the sample games")
    parser.add_argument("--read", action="store_true", help="only read the mangled games")
    options = parser.parse_args()
    os.environ["PAIFU_CONFIG"] = ""  # nobody's own settings
    numbers = range(options.cases) if options.only is None else [options.only]
    begun, failures = perf_counter(), 0
    again = " ".join(sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder, suppress(KeyboardInterrupt):
        for failure in KINDS_OF_ATTACK[options.kind](options, numbers, Path(folder)):
            failures += 1
            print(f"python bench/attack.py {again} --only {failure.number}  # {failure.what}", flush=True)
    counted = ", ".join(f"{value:,} {name}" for name, value in {**asdict(COUNTS), **FOUND}.items() if value)
    print(f"seed {options.seed}: {counted}, {failures} failures, {perf_counter() - begun:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
