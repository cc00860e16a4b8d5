"""Games under random rulesets, for as long as one likes: no finding, and no point lost.

    python bench/random_rulesets.py [--games 2000] [--seed 0]

Every ruleset has random values for about a third of its rules, and four games. Prints every ruleset that is
not clean with the seed that repeats it, and the counts.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from random_rules import check

_GAMES = 4


def main() -> int:
    """Play the games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    begun, failed, rulesets = perf_counter(), 0, -(-options.games // _GAMES)
    for seed in range(options.seed, options.seed + rulesets):
        try:
            check(seed, _GAMES)
        except AssertionError as error:
            failed += 1
            print(f"seed {seed}: {error}")
    seconds = perf_counter() - begun
    print(f"{rulesets} rulesets, {rulesets * _GAMES} games in {seconds:.0f} s, {failed} not clean")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
