"""How surely the engine finds what is wrong: the detection table of the mutation tests, over many places.

python bench/mutations.py LOGS [PLACES] [PART OF A NAME]

LOGS is a folder of genuine logs, without findings of their own; PLACES (20) is how many hands are changed for
each kind of change. Prints a line a kind: the codes expected, whether the seed was left in, places, share
detected, and findings that no consequence explains. Ends with the misses.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from mutations import KINDS, run

from paifu.parsers.read import read_batches
from paifu.replay.batch import Batch
from paifu.replay.engine import replay


def main(folder: str, places: int, part: str) -> None:
    """Print the table."""
    batch = Batch.concatenate(read_batches([folder]))
    findings = replay(batch).findings
    clean = [game for game in range(len(batch)) if game not in set(findings.game.tolist())]
    batch = Batch.concatenate(batch.take(game) for game in clean) if len(findings) else batch
    print(f"{len(batch)} games without a finding, {len(batch.hands)} hands")
    begun = perf_counter()
    outcomes = run(batch, places, kinds=[kind for kind in KINDS if part in kind.name])
    for outcome in outcomes:
        print(outcome.row())
    tried, detected = sum(o.places for o in outcomes), sum(o.detected for o in outcomes)
    seconds = perf_counter() - begun
    print(f"{len(KINDS)} kinds: {detected} of {tried} detected, {seconds:.0f} s")
    for outcome in outcomes:
        for place in outcome.missed[:3]:
            print(f"missed: {outcome.kind.name}: {place}")
        for place in outcome.extras[:2]:
            print(f"extra: {outcome.kind.name}: {place}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20, sys.argv[3] if len(sys.argv) > 3 else "")
