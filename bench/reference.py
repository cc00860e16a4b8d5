"""Count what players are compared with: ``python bench/reference.py [PATH...] [--write]``.

As ``paifu reference`` counts, of all games but those that every fit leaves out (``held_out.is_held_out``),
and with more made-up players for what chance does. Programs do not count: names with Tenhou's sign, and
those that paifu knows.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

import numpy as np
from held_out import HELD_OUT, game_hash, is_held_out
from place_games import CORPUS

from paifu.api.reference import CountedReference, count_reference
from paifu.replay.model.batch import Batch
from paifu.reports.metrics.counters import KNOWN
from paifu.reports.statistics.reference import SHIPPED

MADE_PLAYERS = 10_000


def part_of(batch: Batch, *, held_out: bool) -> Batch:
    """Return the games that every fit leaves out, or all others."""
    return batch.only(
        np.array([is_held_out(game_hash(batch, game)) == held_out for game in range(len(batch))], bool)
    )


def counted(paths: list[Path], *, made: int = MADE_PLAYERS, jobs: int = 1) -> CountedReference:
    """Count the games of some paths that are not held out."""
    return count_reference(
        list(map(str, paths)), programs=KNOWN, made=made, adapt=partial(part_of, held_out=False), jobs=jobs
    )


def main() -> None:
    """Count, print what was counted, and with ``--write`` put it where it ships."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[CORPUS / "logs", CORPUS / "fitting"])
    parser.add_argument("--made", type=int, default=MADE_PLAYERS, help="made-up players")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    found = counted(given.paths, made=given.made, jobs=given.jobs)
    for one in found.strata:
        print(
            f"{one['seats']} players, {one['room']}, {one['length']}: {one['games']:,} games, "
            f"{one['with_program']:,} with a program, {one['players']:,} players with "
            f"{one['least_hands']} hands"
        )
    for one in found.left_out:
        print(f"{one['seats']} players, {one['room']}, {one['length']}: {one['games']:,} games, left out")
    text = found.file(
        {
            "made_by": "bench/reference.py",
            "games": "public collections of Tenhou's logs, 2009 to 2023",
            "held_out": f"one game in {HELD_OUT}, by a hash of its id",
            "made_players": given.made,
        }
    )
    for output in ([given.output] if given.output else []) + ([SHIPPED] if given.write else []):
        output.write_text(text, "utf-8")
        print(f"{output}: {len(text.encode()):,} bytes")


if __name__ == "__main__":
    main()
