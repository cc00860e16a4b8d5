"""What judging costs beside a replay: ``python bench/judging.py [PATH...] [--rounds 5]``.

CPU milliseconds a game of a replay, of describing all options, of judging them, and of making the table of
decisions; the rounds alternate, and each figure is the best of its rounds. Compilation is not counted.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from paifu.parsers.read import read_batches
from paifu.replay.judgement.deciding import options
from paifu.replay.judgement.judged import decisions, judgements
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "logs" / "mjlog"


def seconds(batches: list[Batch], work: Callable[[Batch], Iterable[Any]]) -> float:
    """Do the work once; return CPU seconds."""
    start = time.process_time()
    for batch in batches:
        for _ in work(batch):
            pass
    return time.process_time() - start


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[CORPUS])
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    batches = list(read_batches(given.paths))
    games, hands = sum(map(len, batches)), sum(len(batch.hands) for batch in batches)
    stages: dict[str, Callable[[Batch], Iterable[Any]]] = {
        "replay": lambda batch: [replay(batch)],
        "options": options,
        "judged": judgements,
        "table of decisions": decisions,
    }
    best = dict.fromkeys(stages, float("inf"))
    for _ in range(given.rounds):
        for name, work in stages.items():
            best[name] = min(best[name], seconds(batches, work))
    rows = sum(len(table) for batch in batches for table in options(batch))
    print(f"{games} games, {hands} hands, {rows} options, best of {given.rounds} rounds")
    for name, took in best.items():
        print(f"{name:<20}{1000 * took / games:8.3f} ms a game{took / best['replay']:8.1f} x replay")


if __name__ == "__main__":
    main()
