"""How surely the engine finds what is wrong: the detection table of the mutation tests, over many places.

    python bench/missed_errors.py FOLDER [--places 20] [--kinds PART]
    python bench/missed_errors.py --rules NAME [--games 40] [--places 20] [--kinds PART]

The games are those of a folder of logs, or simulated under a ruleset; such as have findings of their own are
left out, and counted. PLACES is how many hands are changed for each kind of change, PART a part of its name.
Prints a line a kind: the codes expected, whether the seed was left in, places, share detected, and findings
that no consequence explains. Ends with the misses.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from mutation_places import KINDS
from mutations import run

from paifu.parsers.read import read_batches
from paifu.parsers.simulated import batch_of
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.simulate.games import PLAYERS, Simulator
from paifu.replay.table.engine import replay


def simulated(rules: str, games: int) -> Batch:
    """Games of players who do all sorts of things."""
    simulator = Simulator(
        load_preset(rules), [PLAYERS[kind] for kind in ("wild", "caller", "wild", "balanced")]
    )
    return batch_of(simulator.game(number) for number in range(games))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rules")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--places", type=int, default=20)
    parser.add_argument("--kinds", default="")
    options = parser.parse_args()
    if (options.folder is None) == (options.rules is None):
        parser.error("give a folder of logs, or --rules for simulated games")
    if options.rules:
        batch = simulated(options.rules, options.games)
    else:
        batch = Batch.concatenate(read_batches([options.folder]))
    clean = sorted(set(range(len(batch))) - set(replay(batch).findings.game.tolist()))
    print(f"{len(batch)} games, {len(clean)} of them without a finding")
    batch = Batch.concatenate([batch.take(game) for game in clean])
    begun = perf_counter()
    outcomes = run(batch, options.places, kinds=[kind for kind in KINDS if options.kinds in kind.name])
    for outcome in outcomes:
        print(outcome.row())
    tried, detected = sum(o.places for o in outcomes), sum(o.detected for o in outcomes)
    kinds = len({outcome.kind.name for outcome in outcomes if outcome.places})
    print(f"{kinds} kinds: {detected} of {tried} detected, {perf_counter() - begun:.0f} s")
    for outcome in outcomes:
        for place in outcome.missed[:3]:
            print(f"missed: {outcome.kind.name}: {place}")
        for place in outcome.extras[:2]:
            print(f"extra: {outcome.kind.name}: {place}")


if __name__ == "__main__":
    main()
