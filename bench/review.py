"""Cost that the review adds to a replay: the same games with and without it, in turns, in one run.

    python bench/review.py [PATH...] [--rounds 5]

Times are CPU milliseconds a game, the kernels compiled before; machines are noisy, so the rounds alternate
and the ratio is the median over rounds. How often each code is found stands below.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from pathlib import Path

from paifu.parsers.read import read_batches
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "logs" / "mjlog"


def seconds(batches: list[Batch], *, review: bool) -> float:
    """Replay everything once; returns CPU seconds."""
    start = time.process_time()
    for batch in batches:
        replay(batch, review=review)
    return time.process_time() - start


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[CORPUS])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    batches = list(read_batches(options.paths))
    games, hands = sum(map(len, batches)), sum(len(batch.hands) for batch in batches)
    if not games:
        raise SystemExit("no games under " + ", ".join(map(str, options.paths)))
    plain, reviewed = [], []
    for _ in range(options.rounds):
        plain.append(seconds(batches, review=False))
        reviewed.append(seconds(batches, review=True))
    ratio = statistics.median(after / before for before, after in zip(plain, reviewed, strict=True))
    print(f"{games} games, {hands} hands, {options.rounds} rounds")
    print(f"replay                {1000 * statistics.median(plain) / games:8.3f} ms a game")
    print(f"replay and review     {1000 * statistics.median(reviewed) / games:8.3f} ms a game")
    print(f"ratio                 {ratio:8.3f}")
    counts: Counter[str] = Counter()
    for batch in batches:
        review = replay(batch, review=True).review
        assert review is not None  # noqa: S101  it was asked for
        counts.update(map(code_of, review.findings.code.tolist()))
    for code, number in sorted(counts.items()):
        print(f"{code}  {number:8,}  {100 * number / hands:8.2f} in 100 hands")


if __name__ == "__main__":
    main()
